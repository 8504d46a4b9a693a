//! The front of area against margin: every design whose margin no cheaper one reaches.
//!
//! The smallest design with a margin above 0 is the first point. From a point of margin m, the next is the smallest design
//! with a margin above m: the smallest schedulable one with all WCETs m times as long, if every condition must hold with a
//! unit of time to spare (see the module `search`). It may have the same area; then it takes the place of the point. Of
//! the designs of a point's area and margin, the point names the one of least utilization (with context switches, at WCETs as
//! long as the margin before), then the canonical one: that search prefers it among all with more than the margin before.
//!
//! Designs that are known beforehand, such as those of least utilization, bound the area of each search: that of the smallest of
//! them with more margin.
//!
//! Under EDF, where utilization decides and context switches take no time, the margin is 1/U, and this front is that of
//! area against utilization.
//!
//! Worked instance, rate-monotonic: (e, P) = (2, 4), (3, 6), the second with a choice of WCET 2 and area 1. In software
//! the margin is 6/7, since 6/7 (3 + 2 * 2) = 6; with the choice 4/4 and 6 / (2 + 2 * 2) are both 1. So the points are
//! (0, 6/7) and (1, 1).

use super::analysis::Analysis;
use super::effort::{Effort, Undecided};
use super::margin::margin;
use super::outcome::{Outcome, SmallestArea, Strict};
use super::task::scheduled_tasks;
use super::verdict::{area_of, smallest_area, smallest_from};
use isx_exact::order;
use isx_exact::quantity::Rational;
use isx_taskset::formulate::Formulation;

/// The front of area against margin, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarginFront {
    /// The choices and the margin of each point; areas and margins rise strictly.
    pub points: Vec<(Vec<Option<u32>>, Rational)>,
    /// Why points of larger margins may be missing; the last one may not be the smallest of its margin.
    pub undecided: Option<Undecided>,
}

/// The front of area against margin of all designs within the formulation's budget; the smaller the areas of the `known` designs, the faster.
///
/// ```
/// use isx_design::schedulability::{Effort, Limits, margin_front};
/// use isx_taskset::{Scheduler, Task, TaskSet};
/// let tasks = [Task::new("fir", 2, 4), Task::new("iir", 3, 6).with_choice("mac", 1, 2)];
/// let set = TaskSet::new("demo", tasks).unwrap().with_scheduler(Scheduler::RateMonotonic).unwrap();
/// let formulation = isx_taskset::formulate::formulate(&set, None).unwrap();
/// let front = margin_front(&formulation, &[], &mut Effort::new(Limits::default()));
/// let margins: Vec<String> = front.points.iter().map(|(_, margin)| margin.to_string()).collect();
/// assert_eq!(margins, ["6/7", "1"]);
/// ```
pub fn margin_front(
    formulation: &Formulation,
    known: &[Vec<Option<u32>>],
    effort: &mut Effort,
) -> MarginFront {
    let mut known: Vec<&[Option<u32>]> = known.iter().map(Vec::as_slice).collect();
    order::sort_by(&mut known, |a, b| area_of(formulation, a).cmp(&area_of(formulation, b)));
    let mut known = known.into_iter().peekable();
    let mut points: Vec<(Vec<Option<u32>>, Rational)> = Vec::new();
    let undecided = loop {
        let reached = points.last().map(|(_, margin)| margin.clone()).unwrap_or_default();
        let longer = formulation.with_longer_wcets(&reached);
        let test = Analysis::new(&longer).strict(Strict::Yes);
        let mut passes = |choices: &[Option<u32>]| {
            test.test(&scheduled_tasks(&longer, choices).tasks(), effort) == Outcome::Passes
        };
        // What fails now fails at larger margins too.
        while known.next_if(|choices| !passes(choices)).is_some() {}
        let capacity = longer.capacity();
        let choices = match smallest_from(&longer, capacity, known.peek().copied(), None, Strict::Yes, effort)
        {
            SmallestArea { best: Some(choices), undecided: None } => choices,
            SmallestArea { undecided, .. } => break undecided,
        };
        let own = match margin(formulation, &choices, effort) {
            Ok(own) => own.factor,
            Err(undecided) => break Some(undecided),
        };
        // With WCETs of 0 no design has less utilization than another.
        let choices = if points.is_empty() { preferred(formulation, choices, &own, effort) } else { choices };
        let area = area_of(formulation, &choices);
        if points.last().is_some_and(|(last, _)| area_of(formulation, last) == area) {
            points.pop();
        }
        points.push((choices, own));
    };
    MarginFront { points, undecided }
}

/// The smallest design of at least this margin that is preferred to others of its area; this one, which has it, if that is not
/// decided.
fn preferred(
    formulation: &Formulation,
    choices: Vec<Option<u32>>,
    margin: &Rational,
    effort: &mut Effort,
) -> Vec<Option<u32>> {
    let longer = formulation.with_longer_wcets(margin);
    let found = smallest_area(&longer, longer.capacity(), Some(&choices), effort);
    found.best.filter(|_| found.undecided.is_none()).unwrap_or(choices)
}
