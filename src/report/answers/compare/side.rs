//! One of the compared fronts.

use crate::front::read_json::Head;
use crate::front::unreadable::PlotError;
use crate::written::{Points, Written};
use isx_exact::quantity::Rational;

/// One of the compared fronts: its steps, and the header of its document.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The name that the user gave it.
    pub name: String,
    /// The document's fields besides its points.
    pub head: Head,
    /// Area and utilization of every point.
    pub steps: Vec<(Rational, Rational)>,
}

impl Side {
    /// Reads the front.
    ///
    /// # Errors
    ///
    /// [`PlotError`] if it is not a front.
    pub fn from_written<'a>(name: String, front: impl Into<Written<'a>>) -> Result<Self, PlotError> {
        let mut steps = Vec::new();
        let head = front.into().read(&Points::All { told: 0 }, &mut |_, point| {
            steps.push((point.area, point.utilization));
        })?;
        Ok(Self { name, head, steps })
    }

    /// The area from which on nothing is known: a front that was cut at an area budget ends at its last point.
    pub(super) fn ends_at(&self) -> Option<&Rational> {
        self.steps.last().filter(|_| !self.head.complete).map(|(area, _)| area)
    }
}
