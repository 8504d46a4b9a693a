//! The files of multi-dimensional knapsack problems in J. E. Beasley's OR-Library (`mknap1`, `mknapcb1` to `mknapcb9`).
//!
//! ```text
//! K                       number of problems; left out where the file has one
//! n m z                   number of items, number of dimensions, optimum (0: unknown)
//! p_1 .. p_n              the profits
//! w_11 .. w_1n            the weights in the first dimension, and so on
//! c_1 .. c_m              the capacities
//! ```
//!
//! The format is recognized by the three numbers on a line of their own; all other numbers may be separated by any white
//! space.

use super::MAX_DIMENSIONS;
use super::raw::{MultidimText, MultidimTexts, NOTHING, PROFITS, Raw, read_weight};
use crate::text::{FIRST_ROOM, TextError, Words};

/// Whether a text looks like this format.
pub(super) fn is_format_of(text: &str) -> bool {
    let mut words = Words::new(text);
    let is_number = |word: Option<&str>| word.is_some_and(|word| word.parse::<f64>().is_ok());
    if !is_number(words.next()) {
        return false;
    }
    if words.at_line_end() && !is_number(words.next()) {
        return false;
    }
    words.left_on_line() == 2
}

/// Reads all problems of a text.
pub(super) fn parse(text: &str) -> Result<MultidimTexts, TextError> {
    let mut words = Words::new(text);
    let mut ahead = words.clone();
    ahead.count("the number of problems, or of items")?;
    let counted = ahead.at_line_end();
    let count = if counted { words.count("the number of problems")? } else { 1 };
    let mut problems = Vec::with_capacity(count.min(FIRST_ROOM));
    for _ in 0..count {
        problems.push(problem(&mut words)?);
    }
    words.end("the capacities of the last problem")?;
    Ok(MultidimTexts { problems, counted })
}

fn problem(words: &mut Words<'_>) -> Result<MultidimText, TextError> {
    let mut raw = Raw::default();
    let count = words.count("the number of items")?;
    raw.read_dimensions(words)?;
    let stated = words.stated(&PROFITS)?;
    for _ in 0..count {
        raw.items.push((words.decimal("the profit of an item", &PROFITS)?, [NOTHING; MAX_DIMENSIONS]));
    }
    for dimension in 0..raw.dimensions {
        for (_, weights) in &mut raw.items {
            weights[dimension] = read_weight(words)?;
        }
    }
    raw.read_capacities(words)?;
    Ok(MultidimText { stated, ..raw.scaled()? })
}

#[cfg(test)]
mod tests {
    use crate::multidim::text::parse;
    use crate::text::is_stated;

    const TWO: &str = "2\n 3 2 17.5\n 10.5 7 6\n 4 3 3\n 2 3\n 2\n 7 5\n2 1 0\n1 2\n3 4\n5\n";

    #[test]
    fn it_is_the_same_problem_as_in_the_other_format() {
        let read = parse(TWO).unwrap();
        let other = parse("2\n3 2\n7 5\n10.5 4 2\n7 3 3\n6 3 2\n2 1\n5\n1 3\n2 4\n").unwrap();
        assert!(read.counted);
        for (read, other) in read.problems.iter().zip(&other.problems) {
            assert_eq!(read.problem, other.problem);
            assert_eq!(other.stated, None);
        }
        assert!(is_stated(read.problems[0].stated.unwrap(), &175.into(), 1));
        assert_eq!(read.problems[1].stated, None);
        let alone = parse(TWO[2..].split("2 1 0").next().unwrap()).unwrap();
        assert_eq!((alone.problems, alone.counted), (read.problems[..1].to_vec(), false));
    }

    #[test]
    fn a_problem_of_the_other_format_on_few_lines_is_read_as_before() {
        let problem = &parse("2 1 9\n3 2 5\n7\n").unwrap().problems[0].problem;
        assert_eq!((problem.capacities, problem.items.len()), ([9, 0, 0], 2));
        assert_eq!(parse("1\n2 1 9\n3 2 5 7\n").unwrap().problems[0].problem, *problem);
    }

    #[test]
    fn mistakes_are_shown_with_line_and_column() {
        let message = |from: &str, to: &str| {
            let text = TWO.replacen(from, to, 1);
            assert_ne!(text, TWO);
            parse(&text).unwrap_err().to_string()
        };
        assert_eq!(
            message("3 2 17", "3 10 17"),
            "line 2, column 4: `10` is not a number of dimensions from 1 to 3"
        );
        assert_eq!(
            message("17.5", "best"),
            "line 2, column 6: `best` is not the optimum of the problem (0 where it is unknown)"
        );
        assert_eq!(
            message(" 4 3 3", " 4 3 -3"),
            "line 4, column 6: `-3` is not a weight (it may not be negative)"
        );
        assert_eq!(message("3 4\n5\n", "3 4\n"), "line 10: the file ends where a capacity should stand");
        assert_eq!(
            message("3 4\n5\n", "3 4\n5 6\n"),
            "line 11, column 3: `6` stands after the capacities of the last problem"
        );
    }
}
