//! The problem, its text, and what is checked of an answer.

use crate::answer::{Answer, Question};
use crate::text::{NARROW, whole};
use isx_engine::{EngineError, Family};
use isx_problems::mismatch::Mismatch;
use isx_problems::text::{TextError, Words};
use isx_problems::value::Tier;
use num_bigint::BigInt;

/// Cities and the distances between them, which may differ in the two directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    cities: usize,
    distances: Vec<i64>,
}

impl Problem {
    /// Cities with the distances between all pairs, row by row; the diagonal is ignored. `None` if there are not as many as the
    /// square of a number above 0, or a tour may be longer than 2^62.
    pub fn new(mut distances: Vec<i64>) -> Option<Self> {
        let cities = distances.len().isqrt();
        if cities == 0 || cities * cities != distances.len() {
            return None;
        }
        distances.iter_mut().step_by(cities + 1).for_each(|itself| *itself = 0);
        let problem = Self { cities, distances };
        (problem.bound() < 1 << NARROW).then_some(problem)
    }

    /// The number of cities, at least 1.
    pub fn cities(&self) -> usize {
        self.cities
    }

    /// The distance from one city to another, from 0 in file order.
    pub fn distance(&self, from: usize, to: usize) -> i64 {
        self.distances[from * self.cities + to]
    }

    /// A bound on the absolute length of any set of edges that leaves each city at most once.
    fn bound(&self) -> i128 {
        let longest = |ways: &[i64]| ways.iter().map(|&way| i128::from(way).abs()).max().unwrap_or(0);
        self.distances.chunks_exact(self.cities).map(longest).sum()
    }

    /// Refuses more cities than any machine has the memory for.
    pub(super) fn refuse_many(&self) -> Result<(), EngineError> {
        const MOST: usize = 41;
        let others = self.cities - 1;
        if self.cities <= MOST {
            return Ok(());
        }
        let states = (BigInt::from(others) << (others - 1)).to_string();
        let power = states.len() - 1;
        Err(EngineError::TooLarge(format!(
            "cannot hold the {}.{} * 10^{power} states that {} cities have, a byte each at least",
            &states[..1],
            &states[1..2],
            self.cities
        )))
    }
}

/// A tour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tour {
    /// Its length.
    pub length: i64,
    /// The cities in order, the first one first.
    pub cities: Vec<usize>,
}

/// The family.
#[derive(Clone, Copy, Debug)]
pub struct Tsp;

impl Family for Tsp {
    const NAME: &'static str = "tsp";
    type Problem = Problem;
    type Wanted = ();
    type Answer = Answer<Tour>;
}

impl Question for Tsp {
    type Found = Tour;

    /// The tour begins with the first city, visits each once, and has the length.
    fn check(problem: &Problem, tour: &Tour) -> Result<(), Mismatch> {
        let wrong = |what, summed: String, claimed: String| Err(Mismatch { point: 0, what, summed, claimed });
        let mut sorted = tour.cities.clone();
        sorted.sort_unstable();
        if tour.cities.first() != Some(&0) || !sorted.into_iter().eq(0..problem.cities) {
            return wrong(
                "a tour",
                format!("{:?}", tour.cities),
                "each city once, the first one first".into(),
            );
        }
        let next = tour.cities.iter().cycle().skip(1);
        let ways = tour.cities.iter().zip(next).map(|(&from, &to)| i128::from(problem.distance(from, to)));
        let length: i128 = ways.sum();
        match length == i128::from(tour.length) {
            true => Ok(()),
            false => wrong("length", length.to_string(), tour.length.to_string()),
        }
    }

    fn tier(_: &Problem) -> Tier {
        Tier::I64
    }
}

/// A problem in whole numbers, and the decimals of its distances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The problem.
    pub problem: Problem,
    /// Decimals of the distances.
    pub places: u32,
}

const DISTANCES: TextError = TextError::Range { what: "distances", bits: NARROW };

/// Reads `n`, the number of cities, and n rows of n distances, from the city of the row to that of the column.
/// Fails with the place of what is wrong.
///
/// ```
/// let read = isx_papers::tsp::parse("2\n0 3\n4 0\n").unwrap();
/// assert_eq!((read.problem.distance(0, 1), read.problem.distance(1, 0)), (3, 4));
/// ```
pub fn parse(text: &str) -> Result<Text, TextError> {
    let mut words = Words::new(text);
    let cities = words.count("the number of cities")?;
    if cities == 0 {
        return Err(words.wrong("a number of cities from 1 on"));
    }
    let mut distances = Vec::new();
    for _ in 0..cities {
        for _ in 0..cities {
            distances.push(words.decimal("a distance", &DISTANCES)?);
        }
    }
    words.end("the last distance")?;
    let (distances, places) = whole("distances", &distances, NARROW)?;
    let distances = distances.into_iter().map(|distance| distance as i64).collect();
    Problem::new(distances).map(|problem| Text { problem, places }).ok_or(DISTANCES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_wrong_answer_is_refused() {
        let far = 1 << 59;
        let problem = Problem::new(vec![5, far, 1, 1, 5, far, far, 1, 5]).unwrap();
        let what = |length: i64, cities: &[usize]| {
            Tsp::check(&problem, &Tour { length, cities: cities.to_vec() }).map_err(|mismatch| mismatch.what)
        };
        assert_eq!((what(3 * far, &[0, 1, 2]), what(3, &[0, 2, 1])), (Ok(()), Ok(())));
        assert_eq!(what(4, &[0, 2, 1]), Err("length"));
        for wrong in [&[2, 1, 0][..], &[0, 2, 2], &[0, 2, 3], &[0, 2], &[0, 2, 1, 0]] {
            assert_eq!(what(3, wrong), Err("a tour"), "{wrong:?}");
        }
    }

    #[test]
    fn distances_are_read_with_their_decimals_and_mistakes_shown_with_their_place() {
        let read = parse("# a line\n3\n0 1.5 2\n1 0 -3\n4 5 0\n").unwrap();
        assert_eq!((read.places, read.problem.distance(0, 1), read.problem.distance(1, 2)), (1, 15, -30));
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(message("0\n"), "line 1, column 1: `0` is not a number of cities from 1 on");
        assert_eq!(message("2\n0 x\n"), "line 2, column 3: `x` is not a distance");
        assert_eq!(message("2\n0 1\n2\n"), "line 3: the file ends where a distance is expected");
        assert_eq!(message("1\n0\n7"), "line 3, column 1: `7` stands after the last distance");
        assert!(message("2\n0 4611686018427387903\n4611686018427387903 0\n").contains("2^62"));
        assert!(Problem::new(vec![]).is_none() && Problem::new(vec![1, 2]).is_none());
    }

    #[test]
    fn more_cities_than_memory_can_hold_are_refused_with_their_states() {
        let of = |cities: usize| Problem::new(vec![1; cities * cities]).unwrap().refuse_many();
        assert!(of(30).is_ok());
        assert!(of(280).unwrap_err().to_string().contains("1.3 * 10^86 states"), "{:?}", of(280));
    }
}
