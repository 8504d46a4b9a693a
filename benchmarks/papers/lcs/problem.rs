//! The problem, its text, and what is checked of an answer.

use crate::answer::{Answer, Question};
use isx_engine::Family;
use isx_problems::mismatch::Mismatch;
use isx_problems::value::Tier;

/// Two sequences; a letter is a byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// The first sequence.
    pub rows: Vec<u8>,
    /// The second sequence.
    pub columns: Vec<u8>,
}

impl Pair {
    /// Cells of the table of all pairs of positions.
    pub fn cells(&self) -> u64 {
        (self.rows.len() as u64).saturating_mul(self.columns.len() as u64)
    }

    /// Most bytes of the positions of a common subsequence.
    pub fn pairs_bytes(&self) -> u64 {
        (size_of::<(usize, usize)>() * self.rows.len().min(self.columns.len())) as u64
    }
}

/// Which parts of a longest common subsequence are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// How many letters it has.
    Length,
    /// Its letters.
    #[default]
    Subsequence,
}

/// A longest common subsequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// How many letters it has.
    pub length: u64,
    /// The positions of each letter in both sequences, from 0; `None` if only the length was requested.
    pub pairs: Option<Vec<(usize, usize)>>,
}

/// The family.
#[derive(Clone, Copy, Debug)]
pub struct Lcs;

impl Family for Lcs {
    const NAME: &'static str = "lcs";
    type Problem = Pair;
    type Wanted = Wanted;
    type Answer = Answer<Found>;
}

impl Question for Lcs {
    type Found = Found;

    /// The positions exist, rise in both sequences, hold equal letters, and are as many as the length.
    fn check(problem: &Pair, found: &Found) -> Result<(), Mismatch> {
        let wrong =
            |point, what, summed: String, claimed: String| Err(Mismatch { point, what, summed, claimed });
        let most = problem.rows.len().min(problem.columns.len()) as u64;
        let Some(pairs) = &found.pairs else {
            return match found.length <= most {
                true => Ok(()),
                false => wrong(0, "length", format!("at most {most}"), found.length.to_string()),
            };
        };
        for (at, &(row, column)) in pairs.iter().enumerate() {
            let rises =
                at.checked_sub(1).is_none_or(|before| row > pairs[before].0 && column > pairs[before].1);
            let letters = (problem.rows.get(row), problem.columns.get(column));
            if !rises || letters.0.is_none() || letters.0 != letters.1 {
                return wrong(
                    at,
                    "letters",
                    format!("{letters:?}"),
                    format!("equal ones at ({row}, {column})"),
                );
            }
        }
        match pairs.len() as u64 == found.length {
            true => Ok(()),
            false => wrong(0, "length", pairs.len().to_string(), found.length.to_string()),
        }
    }

    fn tier(_: &Pair) -> Tier {
        Tier::I32
    }
}

/// Reads two lines of letters, one for each sequence; a line may be empty.
/// Fails with the place of what is wrong, and how to mend it.
///
/// ```
/// use isx_papers::lcs::parse;
/// assert_eq!(parse("banana\nban\n").unwrap().columns, b"ban");
/// assert_eq!(parse("banana\n").unwrap_err(), "line 2: the second sequence is missing; write it on a line of its own");
/// ```
pub fn parse(text: &str) -> Result<Pair, String> {
    let mut lines = text.lines();
    let mut line = |number: usize, which: &str| {
        let missing =
            || format!("line {number}: the {which} sequence is missing; write it on a line of its own");
        lines.next().map(|line| line.as_bytes().to_vec()).ok_or_else(missing)
    };
    let pair = Pair { rows: line(1, "first")?, columns: line(2, "second")? };
    match lines.position(|line| !line.is_empty()) {
        Some(at) => Err(format!(
            "line {}, column 1: there is more than two sequences; leave out what follows them",
            at + 3
        )),
        None => Ok(pair),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_wrong_answer_is_refused() {
        let problem = Pair { rows: b"abcab".to_vec(), columns: b"acb\xff".to_vec() };
        let what = |length, pairs: Option<&[(usize, usize)]>| {
            let found = Found { length, pairs: pairs.map(<[_]>::to_vec) };
            Lcs::check(&problem, &found).map_err(|mismatch| mismatch.what)
        };
        assert_eq!(what(3, Some(&[(0, 0), (2, 1), (4, 2)])), Ok(()));
        assert_eq!((what(0, Some(&[])), what(4, None), what(5, None)), (Ok(()), Ok(()), Err("length")));
        assert_eq!(what(2, Some(&[(0, 0), (2, 1), (4, 2)])), Err("length"));
        for wrong in
            [[(0, 0), (2, 2)], [(0, 0), (0, 1)], [(0, 0), (3, 0)], [(2, 1), (1, 2)], [(0, 0), (5, 2)]]
        {
            assert_eq!(what(2, Some(&wrong)), Err("letters"), "{wrong:?}");
        }
    }

    #[test]
    fn two_lines_are_read_and_no_more() {
        assert_eq!(parse("\r\n\r\n").unwrap(), Pair::default());
        assert!(parse("").unwrap_err().starts_with("line 1: the first"));
        assert!(parse("a\nb\n\nc").unwrap_err().starts_with("line 4, column 1: "));
    }
}
