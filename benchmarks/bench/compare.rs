//! Whether two answers are the same.

use isx_problems::mckp::{Claim, Mismatch};
use std::fmt;

/// The first difference between an answer and the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Index of the point; `None` if the difference is not in a point.
    pub point: Option<usize>,
    /// "points", "weight", "value" or "items".
    pub what: &'static str,
    /// The value in the answer.
    pub found: String,
    /// The expected value.
    pub wanted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { point, what, found, wanted } = self;
        match point {
            Some(point) => write!(f, "{what} of point {point}: {found} instead of {wanted}"),
            None => write!(f, "{what}: {found} instead of {wanted}"),
        }
    }
}

impl From<Mismatch> for Difference {
    fn from(mismatch: Mismatch) -> Self {
        let Mismatch { point, what, summed, claimed } = mismatch;
        Self { point: Some(point), what, found: claimed, wanted: summed }
    }
}

fn same<T: PartialEq + fmt::Debug>(
    point: usize,
    what: &'static str,
    found: &T,
    wanted: &T,
) -> Result<(), Difference> {
    if found == wanted {
        return Ok(());
    }
    // The items of a hundred classes would fill the screen.
    let text = |value: &T| format!("{value:?}").chars().take(120).collect::<String>();
    Err(Difference { point: Some(point), what, found: text(found), wanted: text(wanted) })
}

/// Compares the front of `answer` with the judge's, and the items of every point if `items`.
pub(super) fn compare(answer: &Claim, judge: &Claim, items: bool) -> Result<(), Difference> {
    if answer.len() != judge.len() {
        let (found, wanted) = (answer.len().to_string(), judge.len().to_string());
        return Err(Difference { point: None, what: "points", found, wanted });
    }
    for point in 0..judge.len() {
        same(point, "weight", &answer.weight(point), &judge.weight(point))?;
        same(point, "value", &answer.value(point), &judge.value(point))?;
        if items {
            same(point, "items", &answer.items(point), &judge.items(point))?;
        }
    }
    Ok(())
}
