//! The textbook dynamic program: one value for every set of cities and every last city in it.
//!
//! ```text
//! c({j}, j) = d(0, j)      c(S, j) = min over i in S \ {j} of  c(S \ {j}, i) + d(i, j)      tour = min over j of  c(V, j) + d(j, 0)
//! ```
//!
//! Held and Karp, 1962, section 1. The other engines are compared with it, so it stays as simple as the book and computes all
//! subsets of the m cities other than the first. Time O(m^2 2^m), memory m 2^m values of 64 bits.
//!
//! Worked instance: distances d(i, j) = |i - j| of 4 cities on a line: c({1,2,3}, 3) = 3, and home it is 6.

use super::problem::{Problem, Tour, Tsp};
use crate::answer::Answer;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use std::time::Instant;

/// The textbook engine.
pub struct Reference;

/// Seconds per candidate, on a common core.
const CANDIDATE: f64 = 1.5e-9;
/// Sets between two checks for cancellation.
const SETS: usize = 1 << 12;

impl Engine<Tsp> for Reference {
    fn plan<'a>(&'a self, request: Request<'a, Tsp>) -> Result<Plan<'a, Tsp>, EngineError> {
        let Request { problem, context, .. } = request;
        problem.refuse_many()?;
        let others = problem.cities() - 1;
        let states = (others as u64) << others;
        let bytes = states.saturating_mul(8);
        context.machine.allow(bytes)?;
        let seconds = states as f64 * others as f64 / 4.0 * CANDIDATE;
        Ok(Plan::new(Estimate { seconds, bytes }, move || solve(problem, context)))
    }
}

/// The members of a set; bit i represents city i + 1.
fn members(set: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS as usize)
        .take_while(move |&city| set >> city > 0)
        .filter(move |&city| set >> city & 1 == 1)
}

fn solve(problem: &Problem, context: &Context) -> Result<Answer<Tour>, EngineError> {
    let started = Instant::now();
    let others = problem.cities() - 1;
    let all = (1usize << others) - 1;
    context.progress.begin("solving", 1 << others);
    let (mut lengths, mut updates) = (vec![0i64; others << others], 0);
    let distance = |from: usize, to: usize| problem.distance(from + 1, to + 1);
    for set in 1..=all {
        if set.is_multiple_of(SETS) {
            context.go_on()?;
            context.progress.advance(SETS as u64);
        }
        for last in members(set) {
            let before = set & !(1 << last);
            let through = |city: usize| lengths[before * others + city] + distance(city, last);
            let shortest = members(before).map(through).min();
            lengths[set * others + last] = shortest.unwrap_or_else(|| problem.distance(0, last + 1));
            updates += u64::from(before.count_ones().max(1));
        }
    }
    let solve = started.elapsed();
    // From the end to the first city, each time by the least city of those that lead to the same length.
    let (mut set, mut next, mut cities, mut length) = (all, 0, Vec::new(), None);
    while set > 0 {
        let way = |city: usize| (lengths[set * others + city] + problem.distance(city + 1, next), city);
        let Some((whole, city)) = members(set).map(way).min() else { break };
        length.get_or_insert(whole);
        cities.push(city + 1);
        (set, next) = (set & !(1 << city), city + 1);
    }
    cities.push(0);
    cities.reverse();
    Ok(Answer {
        found: Tour { length: length.unwrap_or(0), cities },
        how: "1 thread".into(),
        threads: 1,
        updates,
        solve,
        traceback: started.elapsed() - solve,
    })
}
