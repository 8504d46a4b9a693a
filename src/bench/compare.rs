//! Whether two answers are the same, and whether an answer adds up.

use crate::problem::mckp::{Item, Mckp};
use crate::solve::Solution;
use std::fmt;

/// The first thing in which an answer differs from what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the point; `None` if it is not about one.
    pub point: Option<usize>,
    /// "points", "weight", "value", "items" or "sum".
    pub what: &'static str,
    /// What the answer says.
    pub found: String,
    /// What it must say.
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

/// Holds the front of `answer` against `judge`, and the items of every point if `items`.
pub(super) fn compare(answer: &Solution, judge: &Solution, items: bool) -> Result<(), Difference> {
    if answer.points() != judge.points() {
        let (found, wanted) = (answer.points().to_string(), judge.points().to_string());
        return Err(Difference { point: None, what: "points", found, wanted });
    }
    let mut found = vec![None; judge.classes()];
    let mut wanted = found.clone();
    let (mut scratch, mut other_scratch) = (Vec::new(), Vec::new());
    for point in 0..judge.points() {
        same(point, "weight", &answer.weight(point), &judge.weight(point))?;
        same(point, "value", &answer.value(point), &judge.value(point))?;
        if items {
            answer.write_picks(point, &mut found, &mut scratch);
            judge.write_picks(point, &mut wanted, &mut other_scratch);
            same(point, "items", &found, &wanted)?;
        }
    }
    Ok(())
}

/// Points of a repetition whose items are looked at.
const SAMPLED: usize = 512;

/// Holds a repetition against the first answer of the same contestant: the whole front, the items of points evenly
/// spread.
pub(super) fn compare_repetition(answer: &Solution, first: &Solution, items: bool) -> Result<(), Difference> {
    let (front, other) = (answer.answer(), first.answer());
    if front.weights != other.weights || front.values != other.values {
        // The slow way finds the point.
        compare(answer, first, false)?;
    }
    if items {
        let step = answer.points().div_ceil(SAMPLED);
        for point in (0..answer.points()).step_by(step) {
            same(point, "items", &answer.picks(point), &first.picks(point))?;
        }
    }
    Ok(())
}

/// Sums the items behind points of `answer`, all or only the last, by the problem's own figures.
pub(super) fn add_up(answer: &Solution, problem: &Mckp<i64>, all: bool) -> Result<(), Difference> {
    let mut picks = vec![None; answer.classes()];
    let mut scratch = Vec::new();
    let from = if all { 0 } else { answer.points() - 1 };
    for point in from..answer.points() {
        answer.write_picks(point, &mut picks, &mut scratch);
        let (mut weight, mut value) = (0u64, 0i128);
        for (class, pick) in problem.classes.iter().zip(&picks) {
            let item = pick.and_then(|pick: u32| class.get(pick as usize));
            let Some(&Item { value: v, weight: w }) = item else {
                let (found, wanted) = (format!("{pick:?}"), format!("an item of {}", class.len()));
                return Err(Difference { point: Some(point), what: "items", found, wanted });
            };
            weight += w;
            value += i128::from(v);
        }
        same(point, "weight", &answer.weight(point), &weight)?;
        same(point, "value", &answer.value(point), &value.into())?;
    }
    Ok(())
}
