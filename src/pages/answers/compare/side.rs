//! One of the compared fronts.

use crate::answers::words::objectives;
use isx_exact::quantity::Rational;
use isx_report::front::unreadable::PlotError;
use isx_report::front::{Front, Head, WithChoices, Written, costs};
use isx_report::text::{counted, visible};

/// One of the compared fronts.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The name that the user gave it.
    pub name: String,
    /// What it is about.
    pub head: Head,
    /// The cost of every point in each resource, and its utilization (1/margin on a front of area against margin).
    pub points: Vec<(Vec<Rational>, Rational)>,
    /// The steps along the first objective: the costs from which on less utilization is offered, whatever the design costs of
    /// the others.
    pub steps: Vec<(Rational, Rational)>,
}

impl Side {
    /// A front of these points.
    pub fn new(name: String, head: Head, points: Vec<(Vec<Rational>, Rational)>) -> Self {
        let mut steps: Vec<(Rational, Rational)> = Vec::new();
        for (cost, measure) in &points {
            let Some(cost) = head.resources.objectives.first().and_then(|&at| cost.get(at)) else { continue };
            if steps.last().is_some_and(|(_, least)| least <= measure) {
                continue;
            }
            if steps.last().is_some_and(|(last, _)| last == cost) {
                steps.pop();
            }
            steps.push((cost.clone(), measure.clone()));
        }
        Self { name, head, points, steps }
    }

    /// Reads the front.
    pub fn from_written<'a>(name: String, front: impl Into<Written<'a>>) -> Result<Self, PlotError> {
        Ok(Self::of(name, &Front::read(front, &WithChoices::First(0))?))
    }

    /// A front.
    pub fn of(name: String, front: &Front) -> Self {
        let mut points = Vec::with_capacity(front.len());
        front.figures(0..front.len(), &mut |_, point| points.push((point.exact_cost(), point.measure())));
        Self::new(name, front.head.clone(), points)
    }

    /// The names of the objectives.
    pub(super) fn objectives(&self) -> Vec<&str> {
        objectives(&self.head.resources)
    }

    /// The least utilization of a design.
    pub(super) fn least(&self) -> Option<&Rational> {
        self.steps.last().map(|(_, utilization)| utilization)
    }

    /// The least cost of a schedulable design in the first objective.
    pub(crate) fn smallest(&self) -> Option<Rational> {
        let smallest = self.head.minimal.first()?;
        self.head.objectives(smallest).next().map(|cost| cost.exact())
    }

    /// A front in a line, with its smallest schedulable designs in words.
    pub(super) fn summary(&self) -> String {
        let Head { taskset, what_if, resources, minimal, .. } = &self.head;
        let what_if = if what_if.is_empty() {
            String::new()
        } else {
            format!("; what if: {}", visible(&what_if.join(", ")))
        };
        let smallest = match (minimal.as_slice(), &self.head.minimal_unknown) {
            ([], Some(_)) => "no schedulable design known".to_owned(),
            ([], None) if self.head.complete => "no design is schedulable".to_owned(),
            ([], None) => format!("no design {} is schedulable", costs::cut_within(resources)),
            (minimal, _) => {
                format!("{} {}", costs::smallest(resources), costs::minimal_in_words(minimal, resources))
            }
        };
        let designs = counted(self.points.len(), "design");
        format!("{} ({}), {designs}, {smallest}{what_if}", visible(&self.name), visible(taskset))
    }

    /// The cost from which on nothing is known: a front that was cut at an area budget ends at its last point. With several
    /// objectives the limits are those of the question.
    pub(super) fn ends_at(&self) -> Option<&Rational> {
        let is_cut = !self.head.complete && self.head.has_one_objective();
        self.steps.last().filter(|_| is_cut).map(|(cost, _)| cost)
    }
}
