//! The data to draw from a front's document.

use super::{MAX_POINTS, PlotData, PlotError, PlotPoint, PlotSmallest, PointDetail, TOLD_POINTS, nearest};
use crate::front::read_json::{Choices, ExactPoint};
use crate::written::{Points, Written};
use isx_exact::quantity::{Rational, approx, format_decimal};
use isx_taskset::Scheduler;

impl<C> From<&ExactPoint<C>> for PlotPoint {
    fn from(point: &ExactPoint<C>) -> Self {
        let utilization = approx(&point.utilization);
        Self { area: nearest(&point.area), utilization, schedulable: point.schedulable }
    }
}

impl From<ExactPoint<Choices>> for PointDetail {
    fn from(point: ExactPoint<Choices>) -> Self {
        let ExactPoint { area, choices, blocks, clock_hz, .. } = point;
        let blocks = blocks.unwrap_or_default().into_iter().map(Into::into).collect();
        Self { area: format_decimal(&area), choices: choices.0, blocks, clock_hz: clock_hz.map(Into::into) }
    }
}

impl PlotData {
    /// Reads a front that was written as JSON or as Parquet; choices beyond [`TOLD_POINTS`] points are skipped.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, is neither JSON nor Parquet, has another schema or a field missing or of the wrong
    /// type, has more than [`MAX_POINTS`] points, or its points are not in order.
    pub fn from_written<'a>(front: impl Into<Written<'a>>) -> Result<Self, PlotError> {
        read(front.into())?.validated()
    }
}

/// Reads the whole document.
fn read(front: Written) -> Result<PlotData, PlotError> {
    let (mut points, mut details) = (Vec::new(), Vec::new());
    let head = front.read(&Points::All { told: TOLD_POINTS }, &mut |index, point| {
        if index < MAX_POINTS {
            points.push(PlotPoint::from(&point));
        }
        if index < TOLD_POINTS {
            details.push(PointDetail::from(point));
        } else {
            details = Vec::new();
        }
    })?;
    if head.points > MAX_POINTS {
        return Err(PlotError::Field(format!("more than {MAX_POINTS} points")));
    }
    let min_schedulable = match (head.min_schedulable_area, head.min_schedulable_unknown) {
        (Some(area), _) => smallest_at(&area, head.min_schedulable, &points, &details),
        (None, Some(_)) => PlotSmallest::Unknown,
        (None, None) => PlotSmallest::Nowhere,
    };
    Ok(PlotData {
        title: head.taskset,
        area_unit: head.area_unit,
        what_if: head.what_if,
        // Documents omit EDF.
        scheduler: head.scheduler.unwrap_or(Scheduler::Edf),
        base: PlotPoint::from(&head.base),
        points,
        details,
        min_schedulable,
        complete: head.complete,
    })
}

/// The smallest schedulable area with its design, else with the schedulable point of that area, if the front has one.
fn smallest_at(
    area: &Rational,
    design: Option<ExactPoint<Choices>>,
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
