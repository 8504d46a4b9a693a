//! Reconstructs the tour once its last cities are known: small tables for the two halves.
//!
//! The large tables store no decisions. They give the length of the shortest tour and the set of cities, about half
//! of them, that comes last; what remains are two shortest paths, each through a known set: a table of 2^(n/2)
//! states instead of 2^n.

use super::Answer;
use isx_engine::{EngineError, Estimate, Plan};
use isx_problems::tsp::Tsp;
use std::time::Duration;

/// The shortest paths from any city of a set, through any others of it, to an end.
struct Paths<'a> {
    problem: &'a Tsp,
    /// The set, in ascending order.
    cities: Vec<usize>,
    end: usize,
    /// Whether distances are taken in the opposite direction.
    reversed: bool,
    /// For each mask of the set's cities and each city not in it: the length from that city through the mask's
    /// cities to the end.
    lengths: Vec<i64>,
}

impl<'a> Paths<'a> {
    fn new(problem: &'a Tsp, cities: Vec<usize>, end: usize, reversed: bool) -> Self {
        let count = cities.len();
        let mut paths = Self { problem, cities, end, reversed, lengths: vec![0; count << count] };
        for mask in 0..1usize << count {
            for from in 0..count {
                if mask >> from & 1 == 0 {
                    paths.lengths[mask * count + from] = paths.length(paths.cities[from], mask);
                }
            }
        }
        paths
    }

    fn distance(&self, from: usize, to: usize) -> i64 {
        if self.reversed { self.problem.distance(to, from) } else { self.problem.distance(from, to) }
    }

    /// The length from a city through those of the mask, which does not contain it, to the end.
    fn length(&self, from: usize, mask: usize) -> i64 {
        let through = |next: usize| self.distance(from, self.cities[next]) + self.rest(next, mask);
        members(mask).map(through).min().unwrap_or_else(|| self.distance(from, self.end))
    }

    /// The length from a city of the mask through its others to the end.
    fn rest(&self, first: usize, mask: usize) -> i64 {
        self.lengths[(mask & !(1 << first)) * self.cities.len() + first]
    }

    /// The lexicographically least of the shortest paths from a city through all of the mask to the end, without its
    /// two ends.
    fn least(&self, from: usize, mut mask: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = from;
        while mask != 0 {
            let left = self.length(at, mask);
            let is_next =
                |&next: &usize| self.distance(at, self.cities[next]) + self.rest(next, mask) == left;
            let Some(next) = members(mask).find(is_next) else { break };
            mask &= !(1 << next);
            at = self.cities[next];
            path.push(at);
        }
        path
    }

    fn all(&self) -> usize {
        (1 << self.cities.len()) - 1
    }
}

/// The set bits of a mask.
fn members(mask: usize) -> impl Iterator<Item = usize> {
    let after = |&mask: &usize| Some(mask & mask.wrapping_sub(1));
    std::iter::successors(Some(mask), after)
        .take_while(|&mask| mask != 0)
        .map(|mask| mask.trailing_zeros() as usize)
}

/// Bytes of the tables for halves of a tour through `cities` cities.
pub(super) fn bytes(cities: usize) -> u64 {
    let longer = (cities / 2 + 1) as u32;
    2 * 8 * (u64::from(longer) << longer)
}

/// The plan for one or two cities, whose tour is trivial.
pub(super) fn short(problem: &Tsp) -> Plan<'_, super::Tsp> {
    Plan::new(Estimate { seconds: 1e-6, bytes: 0 }, move || {
        let tour: Vec<usize> = (0..problem.cities()).collect();
        let length = tour.iter().map(|&city| problem.distance(city, (city + 1) % tour.len())).sum();
        let (solve, traceback) = (Duration::ZERO, Duration::ZERO);
        Ok(Answer { length, tour, how: "1 thread".into(), threads: 1, updates: 1, solve, traceback })
    })
}

/// As [`tour`], if the large tables give its length.
pub(super) fn tour_of_length(
    problem: &Tsp,
    last: u64,
    wanted: i64,
) -> Result<(i64, Vec<usize>), EngineError> {
    let (length, tour) = tour(problem, last);
    if length != wanted {
        let why = format!("its halves make a tour of {length}, where its tables say {wanted}");
        return Err(EngineError::Failed(why));
    }
    Ok((length, tour))
}

/// Of the shortest tours that end with the cities of `last` (city i + 1 is bit i), returns the one whose city before
/// them has the least index and which is lexicographically least on both sides of it, with its length. Some city
/// other than the first must not be in `last`.
fn tour(problem: &Tsp, last: u64) -> (i64, Vec<usize>) {
    let (after, before): (Vec<usize>, Vec<usize>) =
        (1..problem.cities()).partition(|&city| last >> (city - 1) & 1 == 1);
    let home = Paths::new(problem, after, 0, false);
    let out = Paths::new(problem, before, 0, true);
    let length = |turn: usize| out.rest(turn, out.all()) + home.length(out.cities[turn], home.all());
    let Some(turn) = (0..out.cities.len()).min_by_key(|&turn| length(turn)) else { return (0, vec![0]) };
    let city = out.cities[turn];
    let rest = out.cities.iter().copied().filter(|&other| other != city).collect();
    let there = Paths::new(problem, rest, city, false);
    let mut tour = vec![0];
    tour.extend(there.least(0, there.all()));
    tour.push(city);
    tour.extend(home.least(city, home.all()));
    (length(turn), tour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_of_a_tour_are_shortest_and_least() {
        // All tours have the same length: only the last cities identify the requested one.
        let problem = Tsp::new((0..6).collect(), vec![4; 36]).unwrap();
        assert_eq!(tour(&problem, 0b00110), (24, vec![0, 4, 5, 1, 2, 3]));
        assert_eq!(tour(&problem, 0b11000), (24, vec![0, 2, 3, 1, 4, 5]));
        assert_eq!(tour(&problem, 0), (24, vec![0, 2, 3, 4, 5, 1]));
        // The tour is short in one direction only.
        let around: Vec<i64> = (0..25).map(|at| if at % 5 == (at / 5 + 2) % 5 { 1 } else { 10 }).collect();
        let around = Tsp::new((0..5).collect(), around).unwrap();
        assert_eq!(tour(&around, 0b0101), (5, vec![0, 2, 4, 1, 3]));
    }
}
