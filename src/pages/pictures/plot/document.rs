//! The data to draw from a front's document.

use super::costs::{self, Drawable};
use super::{
    MAX_POINTS, PlotData, PlotError, PlotModes, PlotPoint, PlotSmallest, PointDetail, TOLD_POINTS, nearest,
};
use isx_exact::quantity::{Rational, approx, format_decimal};
use isx_report::front::read_json::{ExactPoint, Head};
use isx_report::written::{Points, Written};
use isx_taskset::Scheduler;
use std::sync::Arc;

impl From<&ExactPoint> for PlotPoint {
    fn from(point: &ExactPoint) -> Self {
        let utilization = approx(&point.utilization);
        Self { area: nearest(&point.area), utilization, schedulable: point.schedulable }
    }
}

impl From<ExactPoint> for PointDetail {
    fn from(point: ExactPoint) -> Self {
        let critical_mode = point.critical_mode().map(|mode| Arc::from(point.modes[mode].0.as_str()));
        let ExactPoint { area, choices, blocks, clock_hz, .. } = point;
        let blocks = blocks.unwrap_or_default().into_iter().map(Into::into).collect();
        let (area, clock_hz) = (format_decimal(&area), clock_hz.map(Into::into));
        Self { area, choices: choices.0, blocks, clock_hz, critical_mode }
    }
}

impl PlotData {
    /// Reads a front that was written as JSON or as Parquet; choices beyond [`TOLD_POINTS`] points are skipped.
    /// Fails if the input cannot be read, is neither JSON nor Parquet, has another schema or a field missing or of the wrong
    /// type, has more than [`MAX_POINTS`] points, or its points are not in order.
    pub fn from_written<'a>(front: impl Into<Written<'a>>) -> Result<Self, PlotError> {
        read(front.into())?.validated()
    }
}

/// Reads the whole document of a front of one area.
fn read(front: Written) -> Result<PlotData, PlotError> {
    let mut reading = Reading::default();
    let points = Points::All { told: TOLD_POINTS };
    let head = front.read(&points, &mut |index, point| reading.add(index, point))?;
    reading.finish(head)
}

impl Drawable {
    /// Reads a front that was written as JSON or as Parquet; as [`PlotData::from_written`], with several resources too.
    pub fn from_written<'a>(front: impl Into<Written<'a>>) -> Result<Self, PlotError> {
        read_any(front.into())
    }
}

/// Reads the whole document of any front.
fn read_any(front: Written) -> Result<Drawable, PlotError> {
    let (mut reading, mut costs) = (Reading::default(), costs::Reading::default());
    let points = Points::All { told: TOLD_POINTS };
    let mut head = front.read(&points, &mut |index, point| match point.cost.is_empty() {
        true => reading.add(index, point),
        false if index < MAX_POINTS => costs.add(index, point),
        false => {}
    })?;
    match head.resources.take() {
        None => reading.finish(head)?.validated().map(Drawable::Area),
        Some(resources) => costs.finish(head, &resources).map(Drawable::Costs),
    }
}

/// The points that are drawn, as far as they are read.
#[derive(Default)]
struct Reading {
    points: Vec<PlotPoint>,
    details: Vec<PointDetail>,
    critical: Vec<usize>,
    margins: Vec<Rational>,
}

impl Reading {
    fn add(&mut self, index: usize, point: ExactPoint) {
        if index < MAX_POINTS {
            self.critical.extend(point.critical_mode());
            self.margins.extend(point.margin.clone());
            self.points.push(PlotPoint::from(&point));
        }
        if index < TOLD_POINTS {
            self.details.push(PointDetail::from(point));
        } else {
            self.details = Vec::new();
        }
    }

    fn finish(self, head: Head) -> Result<PlotData, PlotError> {
        let Self { points, details, critical, margins } = self;
        if head.points > MAX_POINTS {
            return Err(PlotError::Field(format!("more than {MAX_POINTS} points")));
        }
        let min_schedulable = match (head.min_schedulable_area, head.min_schedulable_unknown) {
            (Some(area), _) => smallest_at(&area, head.min_schedulable, &points, &details),
            (None, Some(_)) => PlotSmallest::Unknown,
            (None, None) => PlotSmallest::Nowhere,
        };
        let data = PlotData {
            title: head.taskset,
            area_unit: head.area_unit,
            what_if: head.what_if,
            // Documents omit EDF.
            scheduler: head.scheduler.unwrap_or(Scheduler::Edf),
            base: PlotPoint::from(&head.base),
            points,
            details,
            min_schedulable,
            modes: PlotModes { names: head.modes, critical, areas: head.mode_areas },
            complete: head.complete,
            by_margin: false,
            clock: head.clock.as_ref().map(approx),
        };
        Ok(if head.by_margin { data.with_margins(&margins) } else { data })
    }
}

/// The smallest schedulable area with its design, else with the schedulable point of that area, if the front has one.
fn smallest_at(
    area: &Rational,
    design: Option<ExactPoint>,
    points: &[PlotPoint],
    details: &[PointDetail],
) -> PlotSmallest {
    let (text, area) = (format_decimal(area), nearest(area));
    let on_front = || {
        let at = points.iter().position(|point| point.area == area && point.schedulable == Some(true))?;
        Some((points[at].utilization, details.get(at).cloned().unwrap_or_default()))
    };
    let told = design.map(|design| (approx(&design.utilization), PointDetail::from(design)));
    let (utilization, design) = told.or_else(on_front).unzip();
    PlotSmallest::At { area, utilization, design: PointDetail { area: text, ..design.unwrap_or_default() } }
}

#[cfg(test)]
#[cfg(feature = "svg")]
mod tests;
