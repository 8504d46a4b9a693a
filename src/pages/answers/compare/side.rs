//! One of the compared fronts.

use isx_exact::quantity::Rational;
use isx_report::front::read_json::Head;
use isx_report::front::unreadable::PlotError;
use isx_report::text::{count, visible};
use isx_report::written::{Points, Written};

/// One of the compared fronts: its steps, and the header of its document.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The name that the user gave it.
    pub name: String,
    /// The document's fields besides its points.
    pub head: Head,
    /// Area and utilization (1/margin on a front of area against margin) of every point; none with several resources.
    pub steps: Vec<(Rational, Rational)>,
    /// With several resources, the cost and utilization of every point.
    pub costs: Vec<(Vec<Rational>, Rational)>,
}

impl Side {
    /// Reads the front.
    pub fn from_written<'a>(name: String, front: impl Into<Written<'a>>) -> Result<Self, PlotError> {
        let (mut steps, mut costs) = (Vec::new(), Vec::new());
        let head = front.into().read(&Points::All { told: 0 }, &mut |_, point| {
            if point.cost.is_empty() {
                steps.push((point.area, point.margin.map_or(point.utilization, |margin| margin.recip())));
            } else {
                costs.push((point.cost, point.utilization));
            }
        })?;
        Ok(Self { name, head, steps, costs })
    }

    /// The least utilization of a design.
    pub(super) fn least(&self) -> Option<&Rational> {
        let of_costs = self.costs.iter().map(|(_, utilization)| utilization).min();
        self.steps.last().map(|(_, utilization)| utilization).or(of_costs)
    }

    /// A front in a line, with its smallest schedulable designs in words.
    pub(super) fn summary(&self, smallest: &str) -> String {
        let head = &self.head;
        let what_if = if head.what_if.is_empty() {
            String::new()
        } else {
            format!("; what if: {}", visible(&head.what_if.join(", ")))
        };
        let designs = if head.points == 1 { "design" } else { "designs" };
        format!(
            "{} ({}), {} {designs}, {smallest}{what_if}",
            visible(&self.name),
            visible(&head.taskset),
            count(head.points)
        )
    }

    /// The area from which on nothing is known: a front that was cut at an area budget ends at its last point.
    pub(super) fn ends_at(&self) -> Option<&Rational> {
        self.steps.last().filter(|_| !self.head.complete).map(|(area, _)| area)
    }
}
