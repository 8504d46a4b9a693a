//! Held-Karp size by size on the CPU's vector units, the two halves of a tour meeting in the middle.
//!
//! ```text
//! h(S, j) = shortest path from city 0 through all of S to j          g(S, j) = shortest path from j through all of S to city 0
//! tour    = min over C, j of  h(V \ C \ {j}, j) + g(C, j)            V the m other cities, C of m / 2 of them, rounded down
//! ```
//!
//! A layer contains the values of all sets of one size and depends only on the previous layer, so two are in memory
//! at the same time; no set of more than half the cities is computed, and the last layer of g is joined as it is
//! computed and never stored. With symmetric distances g equals h, and of a set C and the set at the other end of
//! the same tour only the one without the last city is processed. Sets are numbered without gaps (`choose.rs`), so a
//! layer is no larger than necessary. No decisions are stored: the best C is enough to reconstruct the tour
//! (`halves`).
//!
//! Work: 1/2 (symmetric) or all of m (m - 1) 2^(m - 2) candidates, 16 of 32 bits per AVX-512 instruction; memory 2
//! or 3 layers ([`table_bytes`](super::table_bytes)). Threads divide the sets of a layer. Results do not depend on
//! instruction sets or threads.
//!
//! Worked instance: 4 cities, m = 3, C of one city, h(S, j) with S of one city: for C = {3}, j = 1 the candidate is
//! d(0,2) + d(2,1) + d(1,3) + d(3,0).

mod rows;

use super::answer::Answer;
use super::size::{self, Split, Sweep};
use super::{Tsp, halves};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::lanes::{Isa, Lane};
use isx_machine::cpu::{Arena, Team, in_words, shared_seconds, start_seconds};
use isx_machine::rates;
use isx_problems::tsp::Tsp as Problem;
use isx_problems::value::Tier;
use rows::{Best, Cell, Fill, Ground, Join, Layer, WIDEST};
use std::time::Instant;

/// The layers engine.
#[derive(Clone, Copy, Debug)]
pub struct Layers {
    isa: Option<Isa>,
}

/// Sets that a thread takes at a time: a millisecond of work, so that cancellation is noticed soon.
const SETS: u64 = 4096;

impl Layers {
    /// The fastest settings for this machine.
    pub const AUTO: Self = Self { isa: None };

    /// On this instruction set, for tests and benchmarks.
    pub const fn on(isa: Isa) -> Self {
        Self { isa: Some(isa) }
    }
}

impl Engine<Tsp> for Layers {
    fn plan<'a>(&'a self, request: Request<'a, Tsp>) -> Result<Plan<'a, Tsp>, EngineError> {
        let Request { problem, context, .. } = request;
        let tier = size::tier(problem);
        let value = if tier == Tier::I32 { 4 } else { 8 };
        let cities = problem.cities();
        let symmetric = problem.is_symmetric();
        size::check(cities, symmetric, value as usize)?;
        let machine = context.machine;
        if cities < 3 {
            return Ok(halves::short(problem));
        }
        let sweep = Sweep::new(problem, symmetric);
        let tables: u64 = sweep.tables().iter().sum();
        let bytes = tables.saturating_mul(value).saturating_add(halves::bytes(cities));
        machine.allow(bytes)?;
        let alone = rates::TSP_PROBLEM;
        let one = alone + seconds(&sweep, 1);
        let shared = start_seconds(machine.workers()) + alone + seconds(&sweep, machine.threads());
        let estimate = Estimate { seconds: one.min(shared), bytes };
        let run = Run { problem, sweep, isa: self.isa.unwrap_or_else(Isa::best), context };
        match tier {
            Tier::I32 => Ok(Plan::new(estimate, move || run.solve::<i32>())),
            Tier::I64 => Ok(Plan::new(estimate, move || run.solve::<i64>())),
            wider => Err(EngineError::Arithmetic(wider)),
        }
    }
}

/// Seconds that so many threads are expected to need, which divide one layer after the other.
fn seconds(sweep: &Sweep, threads: usize) -> f64 {
    let of = |sets: u64, cities: usize| {
        shared_seconds(seconds_of(sets, cities), sets.div_ceil(SETS) as f64, threads)
    };
    sweep.stored().map(|k| of(sweep.sets(k), k)).sum::<f64>() + of(sweep.joined, sweep.split.others)
}

/// Seconds of one thread for sets of that many cities.
fn seconds_of(sets: u64, cities: usize) -> f64 {
    sets as f64 * (rates::TSP_SET + rates::TSP_CITY * cities as f64)
}

/// A problem as it was planned.
struct Run<'a> {
    problem: &'a Problem,
    sweep: Sweep,
    isa: Isa,
    context: &'a Context<'a>,
}

/// The inputs for computing the layers of a half.
struct Half<'a, N> {
    ground: Ground<'a, N>,
    team: &'a Team<'a>,
}

impl Run<'_> {
    fn solve<N: Cell>(&self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let Self { problem, sweep, isa, context } = self;
        let team = Team::of(context.machine.workers());
        context.progress.begin("solving", sweep.total_sets());
        let (best, number) = self.best::<N>(&team)?;
        let solve = started.elapsed();
        let last = sweep.choose.mask(number, sweep.split.after);
        let (length, tour) = halves::tour_of_length(problem, last, -best.wide())?;
        let threads = team.took_part();
        let how = format!("{}, {}", isa.name(), in_words(threads));
        let updates = sweep.updates();
        Ok(Answer { length, tour, how, threads, updates, solve, traceback: started.elapsed() - solve })
    }

    /// The negated length of the shortest tour, and the number of the set of cities with which it ends.
    fn best<N: Cell>(&self, team: &Team) -> Result<Best<N>, EngineError> {
        let Self { problem, sweep, .. } = self;
        let Split { others, before, after, symmetric } = sweep.split;
        let table = |cells: u64| {
            let refused =
                |error| EngineError::NoMemory(format!("the system gives no memory for a table: {error}"));
            Arena::new(cells as usize * size_of::<N>()).map_err(refused)
        };
        let [first, second, third] = sweep.tables();
        let [mut first, mut second, mut third] = [table(first)?, table(second)?, table(third)?];
        let choose = &sweep.choose;
        let to = distances::<N>(problem, false);
        let half = Half { ground: Ground { choose, others, distances: &to }, team };
        let start = |city: usize| N::of(-problem.distance(0, city));
        self.fill_up_to(before, &half, start, [&mut first, &mut second])?;
        let back = distances::<N>(problem, true);
        let half = Half { ground: Ground { choose, others, distances: &back }, team };
        if !symmetric {
            let end = |city: usize| N::of(-problem.distance(city, 0));
            self.fill_up_to(after - 1, &half, end, [&mut second, &mut third])?;
        }
        // If distances are symmetric, the first table may serve both halves; otherwise the second contains the layer
        // below it.
        let below = if symmetric && before == after - 1 { &first } else { &second };
        let after = Layer { k: after - 1, values: below.cells() };
        let before = Layer { k: before, values: first.cells() };
        self.join(&Join { ground: half.ground, after, before, first: 0, sets: sweep.joined }, team)
    }

    /// Computes the layers of a half up to a given one, which ends up in the first table, and the one below it in
    /// the second.
    fn fill_up_to<N: Cell>(
        &self,
        last: usize,
        half: &Half<'_, N>,
        start: impl Fn(usize) -> N,
        [even, odd]: [&mut Arena; 2],
    ) -> Result<(), EngineError> {
        let (mut to, mut from) = if last.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        for (value, city) in to.cells_mut::<N>().iter_mut().zip(1..=self.sweep.split.others) {
            *value = start(city);
        }
        for k in 1..=last {
            (to, from) = (from, to);
            let from = Layer { k: k - 1, values: from.cells() };
            let cells = self.sweep.cells(k) as usize;
            self.fill(half, from, &mut to.cells_mut::<N>()[..cells])?;
        }
        Ok(())
    }

    fn fill<N: Cell>(&self, half: &Half<'_, N>, from: Layer<'_, N>, to: &mut [N]) -> Result<(), EngineError> {
        let Self { sweep, isa, context, .. } = self;
        let k = from.k + 1;
        let row = sweep.split.others - k;
        let seconds = seconds_of(sweep.sets(k), k);
        half.team.sum_chunks(to, SETS as usize * row, seconds, |at, to| {
            if context.machine.is_cancelled() {
                return 0;
            }
            let sets = (to.len() / row) as u64;
            N::fill(*isa, Fill { ground: half.ground, from, first: at as u64 * SETS, to });
            context.progress.advance(sets);
            sets
        });
        context.go_on()
    }

    /// The best of all sets; of equal ones the first.
    fn join<N: Cell>(&self, join: &Join<'_, N>, team: &Team) -> Result<Best<N>, EngineError> {
        let Self { sweep, isa, context, .. } = self;
        let seconds = seconds_of(join.sets, sweep.split.others);
        let parts = join.sets.div_ceil(SETS);
        let found: Vec<Option<Best<N>>> = team.map(parts as usize, seconds, |part| {
            if context.machine.is_cancelled() {
                return None;
            }
            let first = part as u64 * SETS;
            let sets = SETS.min(join.sets - first);
            let best = N::join(*isa, Join { first, sets, ..*join });
            context.progress.advance(sets);
            best
        });
        context.go_on()?;
        let longer = |a: Best<N>, b: Best<N>| if b.0 > a.0 { b } else { a };
        let best = found.into_iter().flatten().reduce(longer);
        best.ok_or_else(|| EngineError::Failed("no halves met".into()))
    }
}

/// The negated distances between all cities but the first, padded.
fn distances<N: Lane>(problem: &Problem, reversed: bool) -> Vec<N> {
    let others = problem.cities() - 1;
    let mut distances = vec![N::LOWEST; others * WIDEST];
    for from in 0..others {
        for to in 0..others {
            let (a, b) = if reversed { (to, from) } else { (from, to) };
            distances[from * WIDEST + to] = N::of(-problem.distance(a + 1, b + 1));
        }
    }
    distances
}
