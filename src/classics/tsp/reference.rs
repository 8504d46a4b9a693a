//! The textbook dynamic program: one value for every set of cities and every last city in it.
//!
//! ```text
//! c({j}, j) = d(0, j)      c(S, j) = min over i in S \ {j} of  c(S \ {j}, i) + d(i, j)      tour = min over j of  c(V, j) + d(j, 0)
//! ```
//!
//! Held and Karp, 1962, section 1. The other engines are tested against it, so it stays as simple as the book and
//! computes all subsets of the m cities other than the first. Time O(m^2 2^m), memory m 2^m values of 64 bits and as
//! many bits.
//!
//! The canonical tour is found on the states that lie on a shortest tour: of those whose sets are the cities before
//! the last m / 2, the one with the largest set (the last cities then form the least set) and the least city; then
//! forward, the least city first.
//!
//! Worked instance: distances d(i, j) = |i - j| of 4 cities on a line: c({1,2,3}, 3) = 3, and home it is 6.

use super::size;
use super::{Answer, Tsp};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::rates;
use isx_problems::tsp::Tsp as Problem;
use std::time::Instant;

/// The textbook engine.
pub struct Reference;

/// Bytes of a common core's first-level cache.
const FIRST_CACHE: u64 = 48 << 10;
/// Sets between two checks for cancellation.
const SETS: usize = 1 << 12;

impl Engine<Tsp> for Reference {
    fn plan<'a>(&'a self, request: Request<'a, Tsp>) -> Result<Plan<'a, Tsp>, EngineError> {
        let Request { problem, context, .. } = request;
        size::check(problem.cities(), problem.is_symmetric(), size_of::<i64>())?;
        let others = problem.cities() - 1;
        let states = (others as u64) << others;
        let bytes = states.saturating_mul(8).saturating_add(states / 8 + 8);
        context.machine.allow(bytes)?;
        let far = if bytes > FIRST_CACHE { rates::TSP_FAR } else { 0.0 };
        let seconds = states as f64 * others as f64 / 4.0 * (rates::TSP_TEXTBOOK + far);
        Ok(Plan::new(Estimate { seconds, bytes }, move || Table::new(problem).solve(context)))
    }
}

/// The table c; bit i of a set represents city i + 1.
struct Table<'a> {
    problem: &'a Problem,
    others: usize,
    lengths: Vec<i64>,
}

/// A set and its last city, counted from 0 without the first city.
type State = (usize, usize);

impl<'a> Table<'a> {
    fn new(problem: &'a Problem) -> Self {
        let others = problem.cities() - 1;
        Self { problem, others, lengths: vec![0; others << others] }
    }

    fn index(&self, (set, last): State) -> usize {
        set * self.others + last
    }

    fn length(&self, state: State) -> i64 {
        self.lengths[self.index(state)]
    }

    /// Between two cities, counted from 0 without the first city.
    fn distance(&self, from: usize, to: usize) -> i64 {
        self.problem.distance(from + 1, to + 1)
    }

    fn members(&self, set: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.others).filter(move |city| set >> city & 1 == 1)
    }

    fn all(&self) -> usize {
        (1 << self.others) - 1
    }

    fn solve(mut self, context: &Context) -> Result<Answer, EngineError> {
        let started = Instant::now();
        context.progress.begin("solving", 1 << self.others);
        let mut updates = 1;
        for set in 1..=self.all() {
            if set.is_multiple_of(SETS) {
                context.go_on()?;
                context.progress.advance(SETS as u64);
            }
            for last in self.members(set) {
                let before = set & !(1 << last);
                let through = |city: usize| self.length((before, city)) + self.distance(city, last);
                let shortest = self.members(before).map(through).min();
                let at = self.index((set, last));
                self.lengths[at] = shortest.unwrap_or_else(|| self.problem.distance(0, last + 1));
                updates += u64::from(before.count_ones());
            }
        }
        let solve = started.elapsed();
        let (length, tour) = self.tour(context)?;
        let (how, threads) = ("1 thread".into(), 1);
        Ok(Answer { length, tour, how, threads, updates, solve, traceback: started.elapsed() - solve })
    }

    fn tour(&self, context: &Context) -> Result<(i64, Vec<usize>), EngineError> {
        let home = |last: usize| self.length((self.all(), last)) + self.problem.distance(last + 1, 0);
        let Some(shortest) = (0..self.others).map(home).min() else { return Ok((0, vec![0])) };
        let ends = (0..self.others).filter(|&last| home(last) == shortest).map(|last| (self.all(), last));
        let passed = self.passed(ends, context)?;
        let before = self.others - self.others / 2;
        let turns = (1..=self.all()).rev().filter(|set| set.count_ones() as usize == before);
        let mut turns = turns.flat_map(|set| self.members(set).map(move |last| (set, last)));
        let Some(turn) = turns.find(|&state| is_set(&passed, self.index(state))) else {
            return Err(EngineError::Failed("no shortest tour has a middle".into()));
        };
        let to_turn = self.passed(std::iter::once(turn), context)?;
        let mut tour = vec![0];
        self.walk(&to_turn, (0, 0), turn.0, &mut tour);
        self.walk(&passed, turn, self.all(), &mut tour);
        Ok((shortest, tour))
    }

    /// One bit per state on a shortest path to one of `ends`.
    fn passed(&self, ends: impl Iterator<Item = State>, context: &Context) -> Result<Vec<u64>, EngineError> {
        let mut passed = vec![0u64; self.lengths.len().div_ceil(64)];
        let mut last_set = 0;
        for end in ends {
            mark(&mut passed, self.index(end));
            last_set = end.0;
        }
        for set in (1..=last_set).rev() {
            if set.is_multiple_of(SETS) {
                context.go_on()?;
            }
            for last in self.members(set) {
                if !is_set(&passed, self.index((set, last))) {
                    continue;
                }
                let before = set & !(1 << last);
                let is_shortest = |&city: &usize| {
                    self.length((before, city)) + self.distance(city, last) == self.length((set, last))
                };
                for city in self.members(before).filter(is_shortest) {
                    mark(&mut passed, self.index((before, city)));
                }
            }
        }
        Ok(passed)
    }

    /// From a state to a set through marked states, the least city first; the empty set is where the tour begins.
    fn walk(&self, passed: &[u64], from: State, to: usize, tour: &mut Vec<usize>) {
        let (mut set, mut last) = from;
        while set != to {
            let is_next = |&city: &usize| {
                let state = (set | 1 << city, city);
                let way = match set {
                    0 => self.problem.distance(0, city + 1),
                    _ => self.length((set, last)) + self.distance(last, city),
                };
                is_set(passed, self.index(state)) && way == self.length(state)
            };
            let Some(next) = self.members(to & !set).find(is_next) else { break };
            (set, last) = (set | 1 << next, next);
            tour.push(next + 1);
        }
    }
}

fn is_set(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

fn mark(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}
