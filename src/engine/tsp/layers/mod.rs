//! Held-Karp size by size on the CPU's vector units, the two halves of a tour meeting in the middle.
//!
//! ```text
//! h(S, j) = shortest path from city 0 through all of S to j          g(S, j) = shortest path from j through all of S to city 0
//! tour    = min over C, j of  h(V \ C \ {j}, j) + g(C, j)            V the m other cities, C of m / 2 of them, rounded down
//! ```
//!
//! A layer holds the values of all sets of one size and needs only the layer before, so two are held at once; no set of
//! more than half the cities is looked at, and the last layer of g is joined as it is computed and never stored. Where
//! distances are symmetric g is h, and of C and the same tour's other end only the one without the last city is looked
//! at. Sets are numbered without gaps ([`Choose`](super::choose::Choose)), so a layer is as large as it must be. No way back
//! is stored: the best C is enough (`halves`).
//!
//! Work: 1/2 (symmetric) or all of m (m - 1) 2^(m - 2) candidates, 16 of 32 bits in one instruction of AVX-512; memory
//! 2 or 3 layers ([`table_bytes`](super::table_bytes)). Threads share out the sets of a layer. No result depends on instruction
//! sets or threads.
//!
//! Worked instance: 4 cities, m = 3, C of one city, h(S, j) with S of one city: for C = {3}, j = 1 the candidate is
//! d(0,2) + d(2,1) + d(1,3) + d(3,0).

mod rows;

use super::answer::Answer;
use super::choose::Choose;
use super::size::{self, Split};
use super::{Tsp, halves};
use crate::engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use crate::machine::cpu::lanes::{Isa, Lane};
use crate::machine::cpu::{Arena, Team, in_words, shared_seconds, start_seconds};
use crate::problem::tsp::Tsp as Problem;
use crate::problem::value::Tier;
use rows::{Best, Cell, Fill, Ground, Join, Layer, WIDEST};
use std::time::{Duration, Instant};

/// The layers engine.
#[derive(Clone, Copy, Debug)]
pub struct Layers {
    isa: Option<Isa>,
}

/// Seconds of a set, and of each of its cities, on a common core.
const A_SET: f64 = 12e-9;
const A_CITY: f64 = 4e-9;
/// Sets that a thread takes at a time: a millisecond of work, so that the word to stop is soon heard.
const SETS: u64 = 4096;

impl Layers {
    /// With everything chosen for speed.
    pub const AUTO: Self = Self { isa: None };

    /// On this instruction set, for tests and benchmarks.
    #[must_use]
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
            let estimate = Estimate { seconds: 1e-6, bytes: 0 };
            return Ok(Plan::new(estimate, move || Ok(short(problem))));
        }
        let sweep = Sweep::new(problem, symmetric);
        let tables: u64 = sweep.split.tables(|k| sweep.cells(k)).iter().sum();
        let bytes = tables.saturating_mul(value).saturating_add(halves::bytes(cities));
        machine.allow(bytes)?;
        let one = sweep.seconds();
        let shared = start_seconds(machine.workers()) + shared_seconds(one, 1e3, machine.threads());
        let estimate = Estimate { seconds: one.min(shared), bytes };
        let isa = self.isa.unwrap_or_else(Isa::best);
        match tier {
            Tier::I32 => Ok(Plan::new(estimate, move || sweep.solve::<i32>(problem, isa, context))),
            Tier::I64 => Ok(Plan::new(estimate, move || sweep.solve::<i64>(problem, isa, context))),
            wider => Err(EngineError::Arithmetic(wider)),
        }
    }
}

/// The tour of one city or two.
fn short(problem: &Problem) -> Answer {
    let tour: Vec<usize> = (0..problem.cities()).collect();
    let length = tour.iter().map(|&city| problem.distance(city, (city + 1) % tour.len())).sum();
    Answer {
        length,
        tour,
        how: "1 thread".into(),
        threads: 1,
        updates: 1,
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    }
}

/// The layers of a problem and how many sets each has.
struct Sweep {
    split: Split,
    choose: Choose,
    /// Sets that the join looks at: where distances are symmetric those without the last city.
    joined: u64,
}

/// What the layers of a half are computed with, and who is told of it.
struct Half<'a, N> {
    ground: Ground<'a, N>,
    isa: Isa,
    team: &'a Team<'a>,
    context: &'a Context<'a>,
}

impl Sweep {
    fn new(problem: &Problem, symmetric: bool) -> Self {
        let split = Split::of(problem.cities(), symmetric);
        let choose = Choose::new(split.others);
        let joined = choose.of(split.others - usize::from(symmetric), split.after);
        Self { split, choose, joined }
    }

    fn sets(&self, k: usize) -> u64 {
        self.choose.of(self.split.others, k)
    }

    /// Values of a layer.
    fn cells(&self, k: usize) -> u64 {
        self.sets(k) * (self.split.others - k) as u64
    }

    /// The sizes of the sets whose rows are computed and stored, those of both halves.
    fn stored(&self) -> impl Iterator<Item = usize> {
        let after = if self.split.symmetric { 0 } else { self.split.after };
        (1..=self.split.before).chain(1..after)
    }

    fn total_sets(&self) -> u64 {
        self.stored().map(|k| self.sets(k)).sum::<u64>() + self.joined
    }

    fn updates(&self) -> u64 {
        let Split { others, after, .. } = self.split;
        let stored = self.stored().map(|k| self.cells(k).saturating_mul(k as u64));
        let joined = self.joined.saturating_mul(((after + 1) * (others - after)) as u64);
        stored.fold(joined, u64::saturating_add)
    }

    fn seconds(&self) -> f64 {
        let of = |sets: u64, cities: usize| sets as f64 * (A_SET + A_CITY * cities as f64);
        self.stored().map(|k| of(self.sets(k), k)).sum::<f64>() + of(self.joined, self.split.others)
    }

    fn solve<N: Cell>(&self, problem: &Problem, isa: Isa, context: &Context) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let team = Team::of(context.machine.workers());
        context.progress.begin("solving", self.total_sets());
        let last = self.last_cities::<N>(problem, isa, &team, context)?;
        let solve = started.elapsed();
        let (length, tour) = halves::tour(problem, last);
        let threads = team.took_part();
        let how = format!("{}, {}", isa.name(), in_words(threads));
        let updates = self.updates();
        Ok(Answer { length, tour, how, threads, updates, solve, traceback: started.elapsed() - solve })
    }

    /// The set of cities with which the tour that is asked for ends.
    fn last_cities<N: Cell>(
        &self,
        problem: &Problem,
        isa: Isa,
        team: &Team,
        context: &Context,
    ) -> Result<u64, EngineError> {
        let Split { others, before, after, symmetric } = self.split;
        let sizes = self.split.tables(|k| self.cells(k));
        let mut tables = Vec::with_capacity(sizes.len());
        for cells in sizes {
            let refused =
                |error| EngineError::Failed(format!("the system gives no memory for a table: {error}"));
            tables.push(Arena::new(cells as usize * size_of::<N>()).map_err(refused)?);
        }
        let [first, second, third] = &mut tables[..] else { unreachable!("there are three tables") };
        let choose = &self.choose;
        let to = distances::<N>(problem, false);
        let half = Half { ground: Ground { choose, others, distances: &to }, isa, team, context };
        self.fill_up_to(before, &half, |city| N::of(-problem.distance(0, city)), [first, second])?;
        let back = distances::<N>(problem, true);
        let half = Half { ground: Ground { choose, others, distances: &back }, ..half };
        if !symmetric {
            self.fill_up_to(after - 1, &half, |city| N::of(-problem.distance(city, 0)), [second, third])?;
        }
        // Symmetric, the first table may serve both halves; else the second holds the layer below it.
        let below = if symmetric && before == after - 1 { &*first } else { &*second };
        let join = Join {
            ground: half.ground,
            after: Layer { k: after - 1, values: below.cells() },
            before: Layer { k: before, values: first.cells() },
            first: 0,
            sets: self.joined,
        };
        Ok(choose.mask(self.join(&half, &join)?, after))
    }

    /// Computes the layers of a half up to one, which comes to lie in the first table, the one below it in the second.
    fn fill_up_to<N: Cell>(
        &self,
        last: usize,
        half: &Half<'_, N>,
        start: impl Fn(usize) -> N,
        [even, odd]: [&mut Arena; 2],
    ) -> Result<(), EngineError> {
        let (mut to, mut from) = if last.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        for (value, city) in to.cells_mut::<N>().iter_mut().zip(1..=self.split.others) {
            *value = start(city);
        }
        for k in 1..=last {
            (to, from) = (from, to);
            let from = Layer { k: k - 1, values: from.cells() };
            let cells = self.cells(k) as usize;
            self.fill(half, from, &mut to.cells_mut::<N>()[..cells])?;
        }
        Ok(())
    }

    fn fill<N: Cell>(&self, half: &Half<'_, N>, from: Layer<'_, N>, to: &mut [N]) -> Result<(), EngineError> {
        let Half { ground, isa, team, context } = *half;
        let k = from.k + 1;
        let row = self.split.others - k;
        let seconds = self.sets(k) as f64 * (A_SET + A_CITY * k as f64);
        team.sum_chunks(to, SETS as usize * row, seconds, |at, to| {
            if context.machine.is_cancelled() {
                return 0;
            }
            let sets = (to.len() / row) as u64;
            N::fill(isa, Fill { ground, from, first: at as u64 * SETS, to });
            context.progress.advance(sets);
            sets
        });
        context.go_on()
    }

    /// The number of the first set with which a shortest tour ends.
    fn join<N: Cell>(&self, half: &Half<'_, N>, join: &Join<'_, N>) -> Result<u64, EngineError> {
        let Half { isa, team, context, .. } = *half;
        let seconds = join.sets as f64 * (A_SET + A_CITY * self.split.others as f64);
        let parts = join.sets.div_ceil(SETS);
        let found: Vec<Option<Best<N>>> = team.map(parts as usize, seconds, |part| {
            if context.machine.is_cancelled() {
                return None;
            }
            let first = part as u64 * SETS;
            let sets = SETS.min(join.sets - first);
            let best = N::join(isa, Join { first, sets, ..*join });
            context.progress.advance(sets);
            best
        });
        context.go_on()?;
        // Of equal ones the first stays.
        let longer = |a: Best<N>, b: Best<N>| if b.0 > a.0 { b } else { a };
        let best = found.into_iter().flatten().reduce(longer);
        best.map(|(_, number)| number).ok_or_else(|| EngineError::Failed("no halves met".into()))
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
