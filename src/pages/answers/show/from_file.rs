//! A design of a front that was written before: shows only what the document contains.

use super::{
    Change, Clock, Margin, Next, NoSuchPoint, Pick, Schedulability, Shown, ShownBlock, ShownTask,
    block_changes,
};
use crate::answers::words::{SOFTWARE, fraction};
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::costs;
use isx_report::front::read_json::{ExactPoint as Point, Head, TaskChoices};
use isx_report::front::unreadable::PlotError;
use isx_report::front::wanted::fits;
use isx_report::written::{Points, Written};
use std::collections::HashSet;
use std::sync::Arc;

/// Reads the document and shows the requested point. Only some of its points are in memory. It does not contain the
/// areas and WCETs of the choices, and margins only if it is a front of area against margin.
/// Fails with [`PlotError`] if the document is not a front. The inner error if it has no such point.
pub fn from_written<'a>(
    front: impl Into<Written<'a>>,
    pick: &Pick,
) -> Result<Result<Shown, NoSuchPoint>, PlotError> {
    let mut search = Search { pick, found: None, next: None, least: None, last: None };
    let head = front.into().read(&Points::Near(pick), &mut |index, point| search.look_at(index, point))?;
    Ok(search.shown(head))
}

struct Search<'a> {
    pick: &'a Pick,
    found: Option<(usize, Point)>,
    next: Option<Point>,
    /// The area of the first point, and area and utilization of the last.
    least: Option<Rational>,
    last: Option<(Rational, Rational)>,
}

impl Search<'_> {
    fn look_at(&mut self, index: usize, point: Point) {
        self.least.get_or_insert_with(|| point.area.clone());
        // With several resources, or by margin, the points are not in order of utilization.
        let is_in_order = point.cost.is_empty() && point.margin.is_none();
        let is_least = |(_, least): &(Rational, Rational)| is_in_order || point.utilization < *least;
        if self.last.as_ref().is_none_or(is_least) {
            self.last = Some((point.area.clone(), point.utilization.clone()));
        }
        let better = match self.pick {
            Pick::Area(area) => point.area <= *area,
            Pick::Point(wanted) => index == *wanted,
            Pick::Within(resources) => {
                let is_least = |(_, found): &(usize, Point)| point.utilization < found.utilization;
                fits(&point.cost, &resources.limits) && self.found.as_ref().is_none_or(is_least)
            }
            // It is never asked of a front.
            Pick::Least => false,
            Pick::MaxUtilization(most) => self.found.is_none() && point.utilization <= *most,
            // If the smallest schedulable design is on the front, it is the first schedulable point.
            Pick::Smallest => self.found.is_none() && point.schedulable == Some(true),
        };
        if better {
            self.found = Some((index, point));
            self.next = None;
        } else if self.found.is_some() && self.next.is_none() {
            self.next = Some(point);
        }
    }

    fn shown(self, head: Head) -> Result<Shown, NoSuchPoint> {
        let Self { pick, mut found, mut next, least, last } = self;
        if let (Pick::Smallest, Some(smallest)) = (pick, &head.min_schedulable) {
            let is_same =
                |point: &Point| point.choices == smallest.choices && point.variant == smallest.variant;
            found = found.filter(|(_, point)| is_same(point));
            next = next.filter(|_| found.is_some());
        }
        let (count, complete) = (head.points, head.complete);
        if let (Some(resources), Pick::Area(_)) = (&head.resources, pick) {
            return Err(NoSuchPoint::Resources { resources: resources.names.join(", ") });
        }
        let next = next.filter(|_| head.resources.is_none());
        let found = match (found, pick, head.min_schedulable, last) {
            (Some((index, point)), Pick::Smallest, Some(_), _) => (Some(index), point),
            (None, Pick::Smallest, Some(smallest), _) => (None, smallest),
            // A document may give the smallest schedulable area without naming its design.
            (Some((index, point)), Pick::Smallest, None, _)
                if head.min_schedulable_area.as_ref() == Some(&point.area) =>
            {
                (Some(index), point)
            }
            (_, Pick::Smallest, None, _) => {
                let unnamed =
                    head.min_schedulable_area.map(|_| "the document does not name its design".into());
                return Err(match head.min_schedulable_unknown.or(unnamed) {
                    Some(why) => NoSuchPoint::Undecided(why),
                    None => NoSuchPoint::Smallest { complete },
                });
            }
            (Some((index, point)), ..) => (Some(index), point),
            (None, Pick::Area(area), ..) => {
                let least = least.as_ref().map(format_decimal).unwrap_or_default();
                return Err(NoSuchPoint::Area { area: format_decimal(area), least });
            }
            (None, Pick::MaxUtilization(most), _, Some((_, least))) if head.resources.is_some() => {
                return Err(NoSuchPoint::MaxUtilization {
                    utilization: format_decimal(most),
                    least: fraction(&least),
                    area: None,
                    complete,
                });
            }
            (None, Pick::MaxUtilization(most), _, Some((area, least))) => {
                return Err(NoSuchPoint::max_utilization(most, &least, &area, &head.area_unit, complete));
            }
            (None, Pick::Point(index), ..) => return Err(NoSuchPoint::Point { index: *index, count }),
            (None, Pick::Within(resources), ..) => {
                return Err(NoSuchPoint::Limits { limits: costs::limits_in_words(resources) });
            }
            // Unreachable: a front has at least one point, and this one is not asked of it.
            (None, Pick::MaxUtilization(_) | Pick::Least, ..) => {
                return Err(NoSuchPoint::Point { index: 0, count });
            }
        };
        let (index, mut point) = found;
        let mut resources = head.resources;
        if let Pick::Within(within) = pick {
            let is_within = |design: &Point| fits(&design.cost, &within.limits);
            // Of every schedulable design, one of the minimal costs is no more of any objective.
            point.schedulable_within = match head.minimal.iter().any(is_within) {
                true => Some(true),
                false if head.min_schedulable_unknown.is_none() => Some(false),
                false => None,
            };
            resources = Some(within.clone());
        }
        let next = next.map(|next| Next {
            index: index.map_or(0, |index| index + 1),
            changes: changes(&point.choices.0, &next.choices.0),
            blocks: block_changes(&built(&point), &built(&next)),
            variant: next.variant.filter(|variant| Some(variant) != point.variant.as_ref()),
            area: next.area,
            utilization: next.utilization,
        });
        let block = |name: &String| ShownBlock { name: name.clone(), cost: None, users: Vec::new() };
        let margin = match point.margin {
            Some(factor) => {
                Margin::Exactly { factor, limit: "some deadline is missed".into(), is_reached: true }
            }
            None => {
                Margin::Unknown("a front does not tell deadlines; show the design from its task set".into())
            }
        };
        Ok(Shown {
            taskset: head.taskset,
            area_unit: head.area_unit,
            resources,
            time_unit: "",
            units: None,
            scheduler: head.scheduler,
            what_if: head.what_if,
            index,
            count: head.points,
            tasks: point.choices.0.iter().map(task).collect(),
            blocks: point.blocks.as_ref().map(|blocks| blocks.iter().map(block).collect()),
            variant: point.variant,
            modes: Vec::new(),
            clock: point.clock_hz.map(|hertz| Clock { hertz, limited_by: Vec::new() }),
            cost: if point.cost.is_empty() { vec![point.area] } else { point.cost },
            utilization: Change { software: head.base.utilization, design: point.utilization },
            schedulable: point.schedulable,
            schedulable_within: point.schedulable_within,
            schedulability: Schedulability { margin, ..Schedulability::default() },
            next,
            complete: head.complete,
        })
    }
}

fn built(point: &Point) -> Vec<&str> {
    point.blocks.iter().flatten().map(String::as_str).collect()
}

fn task((name, choice): &(Arc<str>, Option<Arc<str>>)) -> ShownTask {
    let choice = choice.as_ref().map(ToString::to_string);
    ShownTask { name: name.to_string(), choice, figures: None }
}

fn changes(now: &TaskChoices, then: &TaskChoices) -> Vec<String> {
    let now: HashSet<_> = now.iter().collect();
    let changed = then.iter().filter(|taken| !now.contains(taken));
    changed.map(|(task, choice)| format!("{task}={}", choice.as_deref().unwrap_or(SOFTWARE))).collect()
}
