//! The text format of multi-dimensional knapsack problems.
//!
//! ```text
//! n d                     number of items, number of dimensions (1 to 3)
//! c_1 .. c_d              the capacities
//! profit w_1 .. w_d       a line an item
//! ```
//!
//! Several problems are written in sequence after a first line that contains only their number. Otherwise numbers may
//! be separated by any white space. Profits may be negative; weights and capacities may not. All numbers may be
//! decimals: the profits of a problem, and the weights and the capacity of each of its dimensions, are scaled to
//! integers by the smallest sufficient power of ten, so nothing is rounded. The files of the OR-Library are read too, see
//! `or_library.rs` beside it.

pub use super::raw::{MultidimText, MultidimTexts};

use super::raw::{NOTHING, PROFITS, Raw, read_weight};
use super::{MAX_DIMENSIONS, or_library};
use crate::text::{FIRST_ROOM, TextError, Words};

/// Reads one problem or several. Fails with [`TextError`], with line and column.
///
/// ```
/// use isx_problems::multidim::text::parse;
/// let text = "2 2\n5 9.5\n3 2 4\n7 1 8.5\n";
/// let read = parse(text).unwrap();
/// assert_eq!(read.problems[0].problem.capacities, [5, 95, 0]);
/// ```
pub fn parse(text: &str) -> Result<MultidimTexts, TextError> {
    if !or_library::is_format_of(text) {
        return parse_plain(text);
    }
    // White space is free in the other format, which may look the same in its first lines.
    or_library::parse(text).or_else(|error| parse_plain(text).map_err(|_| error))
}

/// Whether a text looks like a file of the OR-Library.
pub(crate) fn is_or_library(text: &str) -> bool {
    or_library::is_format_of(text)
}

fn parse_plain(text: &str) -> Result<MultidimTexts, TextError> {
    let mut words = Words::new(text);
    let mut ahead = words.clone();
    ahead.count("the number of items, or of problems")?;
    if !ahead.at_line_end() {
        let problems = vec![problem(&mut words)?];
        words.end("the last item")?;
        return Ok(MultidimTexts { problems, counted: false });
    }
    let count = words.count("the number of problems")?;
    let mut problems = Vec::with_capacity(count.min(FIRST_ROOM));
    for _ in 0..count {
        problems.push(problem(&mut words)?);
    }
    words.end("the last item of the last problem")?;
    Ok(MultidimTexts { problems, counted: true })
}

fn problem(words: &mut Words<'_>) -> Result<MultidimText, TextError> {
    let mut raw = Raw::default();
    let count = words.count("the number of items")?;
    raw.read_dimensions(words)?;
    raw.read_capacities(words)?;
    for _ in 0..count {
        let profit = words.decimal("the profit of an item", &PROFITS)?;
        let mut weights = [NOTHING; MAX_DIMENSIONS];
        for weight in weights.iter_mut().take(raw.dimensions) {
            *weight = read_weight(words)?;
        }
        raw.items.push((profit, weights));
    }
    raw.scaled()
}

#[cfg(test)]
mod tests {
    use super::super::Item;
    use super::*;
    use crate::text::{CAPACITY, WEIGHTS};

    #[test]
    fn decimals_become_integers_of_one_scale_a_dimension() {
        let read = parse("2 3\n2.5 7 1\n-1.25 0.5 3 1\n3 2.500 4 0.25\n").unwrap();
        let [MultidimText { problem, profit_places, weight_places, stated: None }] = &read.problems[..]
        else {
            panic!("{read:?}")
        };
        assert!(!read.counted);
        assert_eq!((*profit_places, *weight_places), (2, [1, 0, 2]));
        assert_eq!((problem.dimensions, problem.capacities), (3, [25, 7, 100]));
        let expected =
            [Item { profit: -125, weights: [5, 3, 100] }, Item { profit: 300, weights: [25, 4, 25] }];
        assert_eq!(problem.items, expected);
    }

    #[test]
    fn a_number_alone_on_the_first_line_counts_problems() {
        let read = parse("\n 2 \n1 2\n5 6\n1 2 3\n0 1 7\n").unwrap();
        assert!(read.counted);
        let problems: Vec<_> = read.problems.iter().map(|read| &read.problem).collect();
        assert_eq!(
            (problems[0].dimensions, problems[0].capacities, problems[0].items.len()),
            (2, [5, 6, 0], 1)
        );
        assert_eq!(
            (problems[1].dimensions, problems[1].capacities, problems[1].items.len()),
            (1, [7, 0, 0], 0)
        );
        assert_eq!(parse("0\n").unwrap().problems, []);
        assert_eq!(parse("1\n0 2 3 4").unwrap().problems.len(), 1);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(
            message(""),
            "line 1: the file ends where the number of items, or of problems should stand"
        );
        assert_eq!(message("x 2"), "line 1, column 1: `x` is not the number of items, or of problems");
        assert_eq!(message("1 4\n"), "line 1, column 3: `4` is not a number of dimensions from 1 to 3");
        assert_eq!(message("1 0\n"), "line 1, column 3: `0` is not a number of dimensions from 1 to 3");
        assert_eq!(
            message("1 2\n5 -1\n"),
            "line 2, column 3: `-1` is not a capacity (it may not be negative)"
        );
        assert_eq!(
            message("1 2\n5 1\n\n3 -2 1"),
            "line 4, column 3: `-2` is not a weight (it may not be negative)"
        );
        assert_eq!(
            message("2 1\n5\n3 2\n"),
            "line 3: the file ends where the profit of an item should stand"
        );
        assert_eq!(message("1 1\n5\n3 2\n7"), "line 4, column 1: `7` stands after the last item");
        assert_eq!(
            message("1\n1 1\n5\n3 2\n7"),
            "line 5, column 1: `7` stands after the last item of the last problem"
        );
        assert_eq!(
            message("3\n1 1\n5\n3 2\n"),
            "line 4: the file ends where the number of items should stand"
        );
        assert_eq!(message("1 1\n5\n1e3 2"), "line 3, column 1: `1e3` is not the profit of an item");
        assert!(message("99999999999999999999999 2\n5 5\n").contains("ends where the profit"));
        assert!(message("1 1\n0.000000000000000001\n1 9000000000\n").contains("2^62"));
    }

    #[test]
    fn every_range_holds_at_its_ends() {
        let profit = (1i128 << 120) - 1;
        let weight = (1u64 << 62) - 1;
        let read = parse(&format!("2 2\n{weight} 0\n{profit} {weight} 0\n-{profit} 0 {weight}\n")).unwrap();
        let problem = &read.problems[0].problem;
        assert_eq!(problem.capacities, [weight, 0, 0]);
        assert_eq!(problem.items[0], Item { profit, weights: [weight, 0, 0] });
        assert_eq!(problem.items[1], Item { profit: -profit, weights: [0, weight, 0] });
        let wrong = |text: String| parse(&text).unwrap_err();
        assert_eq!(wrong(format!("1 1\n1\n{} 1\n", profit + 1)), PROFITS);
        assert_eq!(wrong(format!("1 1\n1\n1 {}\n", weight + 1)), WEIGHTS);
        assert_eq!(wrong(format!("1 1\n{}\n1 1\n", weight + 1)), CAPACITY);
        // Each dimension of each problem has its own scale.
        assert!(parse(&format!("1 2\n{weight} 0.5\n1 1 1\n")).is_ok());
        assert!(parse(&format!("2\n1 1\n{weight}\n1 1\n1 1\n0.5\n1 1\n")).is_ok());
        assert_eq!(wrong(format!("1 1\n{weight}\n1 0.5\n")), CAPACITY);
    }
}
