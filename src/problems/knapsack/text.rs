//! The text formats of 0-1 knapsack problems.
//!
//! ```text
//! n C                 number of items, capacity      or      n                       number of items
//! profit weight       a line per item                        id profit weight        a line per item
//! x_1 .. x_n          optional: a known selection            C                       capacity
//! ```
//!
//! The second is that of public instance sets. In both, items may have ids or not, and the capacity may stand before the
//! items, also on a line of its own, or after them: `layouts.rs` decides which it is. Ids are whole numbers; items
//! are numbered in file order, from 0. n zeros and ones after the items are the selection that some public files end with;
//! its profit is the optimum that the file states. A third format, with several problems in one file, is in `pisinger.rs`.
//! Profits may be negative; weights and the capacity may not. All numbers may be decimals, as in [`crate::text`].

pub use super::raw::KnapsackText;

use super::{Knapsack, layouts, pisinger};
use crate::text::TextError;
use std::io;

/// Reads a problem in any of the formats. Fails with [`TextError`], with line and column; [`TextError::Several`] if
/// there is more than one.
///
/// ```
/// use isx_problems::knapsack::text::parse;
/// let problem = parse("2 12\n3 2\n9 6\n").unwrap().problem;
/// assert_eq!((problem.items.len(), problem.capacity), (2, 12));
/// assert_eq!(parse("2\n1 3 2\n2 9 6\n12\n").unwrap().problem, problem);
/// ```
pub fn parse(text: &str) -> Result<KnapsackText, TextError> {
    let mut problems = parse_all(text)?;
    match (problems.pop(), problems.len()) {
        (Some(problem), 0) => Ok(problem),
        (_, more) => Err(TextError::Several { count: more + 1 }),
    }
}

/// Reads the problems of a text, at least one. Fails with [`TextError`], with line and column.
///
/// ```
/// use isx_problems::knapsack::text::parse_all;
/// let block = "n 2\nc 12\nz 12\ntime 0.00\n1,3,2,1\n2,9,6,1\n-----\n\n";
/// let problems = parse_all(&format!("first\n{block}second\n{block}")).unwrap();
/// assert_eq!(problems[1].name.as_deref(), Some("second"));
/// assert_eq!(problems[1].ids, Some(vec![1, 2]));
/// ```
pub fn parse_all(text: &str) -> Result<Vec<KnapsackText>, TextError> {
    if pisinger::is_format_of(text) { pisinger::parse(text) } else { Ok(vec![layouts::read(text)?]) }
}

/// Whether a text looks like a file of Pisinger's instances.
pub(crate) fn is_pisinger(text: &str) -> bool {
    pisinger::is_format_of(text)
}

/// Writes a problem in the first format.
pub fn write(problem: &Knapsack, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "{} {}", problem.items.len(), problem.capacity)?;
    for item in &problem.items {
        writeln!(out, "{} {}", item.profit, item.weight)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Item;
    use super::super::raw::PROFITS;
    use super::*;
    use crate::text::{CAPACITY, WEIGHTS};
    use isx_exact::quantity::Scaled;

    #[test]
    fn decimals_become_integers_of_one_scale_in_both_formats() {
        let read = parse("2 2.5\n-1.25 0.5\n3 2.500\n").unwrap();
        assert_eq!((read.profit_places, read.weight_places, read.problem.capacity), (2, 1, 25));
        let expected = [Item { profit: -125, weight: 5 }, Item { profit: 300, weight: 25 }];
        assert_eq!(read.problem.items, expected);
        let with_ids = parse("2\n7 -1.25 0.5\n8 3 2.500\n2.5\n").unwrap();
        assert_eq!(with_ids, KnapsackText { ids: Some(vec![7, 8]), ..read });
        // Only the capacity may have more decimals.
        assert_eq!(parse("1\n0 1 2\n2.5").unwrap().problem.items, [Item { profit: 1, weight: 20 }]);
    }

    #[test]
    fn zeros_and_ones_at_the_end_are_a_stated_selection() {
        let read = parse("3 12\n3 2\n9.5 6\n4 9\n1 1 0\n").unwrap();
        assert_eq!(read.stated, Some(Scaled { digits: 125, places: 1 }));
        let widest = "170141183460469231731687303715884105";
        let many = format!("2000 1\n{}{}", format!("{widest} 0\n").repeat(2000), "1 ".repeat(2000));
        assert_eq!(parse(&many).unwrap().stated, None);
        for (end, place) in [("1 1 1 1", 5), ("1 1 2", 5), ("1 1 0 0", 5), ("\n0 1 1 x", 6)] {
            let wrong = parse(&format!("3 12\n3 2\n9 6\n4 9\n{end}\n")).unwrap_err().to_string();
            assert!(wrong.starts_with(&format!("line {place}, column 1: `")), "{wrong}");
            assert!(wrong.ends_with("stands after the last item"), "{wrong}");
        }
    }

    #[test]
    fn every_range_holds_at_its_ends() {
        let profit = (1i128 << 120) - 1;
        let weight = (1u64 << 62) - 1;
        let read = parse(&format!("2 {weight}\n{profit} {weight}\n-{profit} 0.000\n")).unwrap().problem;
        assert_eq!(read.capacity, weight);
        assert_eq!(read.items, [Item { profit, weight }, Item { profit: -profit, weight: 0 }]);
        assert_eq!(parse(&format!("1 5\n{} 1\n", profit + 1)), Err(PROFITS));
        assert_eq!(parse(&format!("2 5\n{profit} 1\n0.5 1")), Err(PROFITS));
        assert_eq!(parse(&format!("1 5\n0 {}\n", weight + 1)), Err(WEIGHTS));
        assert_eq!(parse(&format!("1\n0 0 1\n{}\n", weight + 1)), Err(CAPACITY));
    }
}
