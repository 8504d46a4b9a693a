//! The sets of one size as a wave: every cell (S, j) of a set S of k cities needs cells of sets of k - 1 cities only.
//!
//! O'Connell and Mumford, 2014, section III. Wave k has a row of m - k cells for each set of k of the m cities but the first,
//! one for each city that is not in it, smallest first; the sets are in the order of their masks ([`Choose`]). The last wave
//! has one cell, for the way home. A byte per cell says by which city it is reached, and guides the walk back.
//!
//! Worked instance: 3 cities, m = 2: wave 0 is h({}, 1) and h({}, 2), wave 1 is h({1}, 2) and h({2}, 1), and wave 2 the tour.

use super::choose::{Choose, next};
use super::problem::{Problem, Tour, Tsp};
use crate::answer::Answer;
use crate::wave::{Before, Recurrence, Table, Waves, bytes_of};
use isx_engine::{Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::{in_words, shared_seconds};
use std::time::{Duration, Instant};

/// The wave engine on the CPU.
pub struct Wave;

/// Seconds per candidate, on a common core.
const CANDIDATE: f64 = 0.7e-9;
/// Threads share a wave in parts of this many cells.
const PART: f64 = 8192.0;

impl Engine<Tsp> for Wave {
    fn plan<'a>(&'a self, request: Request<'a, Tsp>) -> Result<Plan<'a, Tsp>, EngineError> {
        let Request { problem, context, .. } = request;
        let machine = context.machine;
        let Some(sets) = Sets::new(problem)? else { return Ok(alone()) };
        let bytes = bytes_of(&sets, true, machine)?;
        let of_wave = |wave: u64| {
            let cells = sets.cells(wave) as f64;
            let seconds = cells * wave as f64 * CANDIDATE;
            shared_seconds(seconds, cells / PART, machine.threads())
        };
        let seconds: f64 = (0..sets.waves()).map(of_wave).sum();
        Ok(Plan::new(Estimate { seconds, bytes }, move || {
            let started = Instant::now();
            context.progress.begin("solving", sets.waves());
            let table = Table::sweep(&sets, machine, true, &|waves| context.progress.advance(waves))?;
            let length = table.last().first().copied().unwrap_or_default();
            let solve = started.elapsed();
            let cities = sets.walk(|wave, cell| Ok::<_, EngineError>(table.choice(wave, cell)))?;
            let how = in_words(machine.threads());
            let (threads, updates, traceback) =
                (machine.threads(), table.filled(), started.elapsed() - solve);
            Ok(Answer { found: Tour { length, cities }, how, threads, updates, solve, traceback })
        }))
    }
}

/// The plan for one city.
pub(super) fn alone<'a>() -> Plan<'a, Tsp> {
    let found = Tour { length: 0, cities: vec![0] };
    let (solve, traceback) = (Duration::ZERO, Duration::ZERO);
    let answer = Answer { found, how: "1 thread".into(), threads: 1, updates: 0, solve, traceback };
    Plan::new(Estimate { seconds: 1e-6, bytes: 0 }, move || Ok(answer))
}

/// The waves of a problem of two cities or more.
pub(super) struct Sets {
    /// Cities but the first: m.
    pub others: usize,
    pub choose: Choose,
    /// From each of them to each, row by row.
    pub distances: Vec<i64>,
    /// From the first city to each of them.
    pub start: Vec<i64>,
    /// From each of them to the first city.
    pub home: Vec<i64>,
}

impl Sets {
    /// `None` for one city.
    pub fn new(problem: &Problem) -> Result<Option<Self>, EngineError> {
        problem.refuse_many()?;
        let others = problem.cities() - 1;
        if others == 0 {
            return Ok(None);
        }
        let of = |from: usize, to: usize| problem.distance(from, to);
        Ok(Some(Self {
            others,
            choose: Choose::new(others),
            distances: (1..=others).flat_map(|from| (1..=others).map(move |to| of(from, to))).collect(),
            start: (1..=others).map(|to| of(0, to)).collect(),
            home: (1..=others).map(|from| of(from, 0)).collect(),
        }))
    }

    /// The number of sets of a wave.
    pub fn sets(&self, wave: u64) -> u64 {
        self.choose.of(self.others, wave as usize)
    }

    /// Cells of a set's row.
    pub fn width(&self, wave: u64) -> usize {
        (self.others - wave as usize).max(1)
    }

    /// The tour that the choices lead to, from the way home to the first city.
    pub fn walk<E>(&self, mut choice: impl FnMut(u64, usize) -> Result<u8, E>) -> Result<Vec<usize>, E> {
        let (mut mask, mut cell, mut cities) = ((1u64 << self.others) - 1, 0, Vec::new());
        for wave in (1..=self.others as u64).rev() {
            // Only a wrong choice leads out of the set; the sum over the tour detects it.
            let city = usize::from(choice(wave, cell)?).min(self.others - 1);
            cities.push(city + 1);
            mask &= !(1 << city);
            let row = self.choose.number(mask) as usize * self.width(wave - 1);
            cell = (row + outside_below(mask, city)).min(self.cells(wave - 1) - 1);
        }
        cities.push(0);
        cities.reverse();
        Ok(cities)
    }
}

/// How many cities below this one are not in the set.
fn outside_below(mask: u64, city: usize) -> usize {
    (!mask & ((1 << city) - 1)).count_ones() as usize
}

impl Waves for Sets {
    fn waves(&self) -> u64 {
        self.others as u64 + 1
    }

    fn cells(&self, wave: u64) -> usize {
        self.sets(wave) as usize * self.width(wave)
    }

    fn reach(&self) -> usize {
        1
    }

    fn choice_bits(&self) -> u32 {
        8
    }
}

impl Recurrence for Sets {
    type Cell = i64;

    fn cell(&self, wave: u64, at: usize, before: &Before<'_, i64>) -> (i64, u8) {
        let (mut cell, mut choice) = ([0], [0]);
        self.fill(wave, at, before, &mut cell, &mut choice);
        (cell[0], choice[0])
    }

    /// Set by set: the cells that a row reads are the same for all of it.
    fn fill(&self, wave: u64, first: usize, before: &Before<'_, i64>, cells: &mut [i64], choices: &mut [u8]) {
        let (k, others, width) = (wave as usize, self.others, self.width(wave));
        if k == 0 {
            cells.copy_from_slice(&self.start[first..first + cells.len()]);
            choices.fill(0);
            return;
        }
        let (previous, previous_width) = (before.wave(1), self.width(wave - 1));
        let mut number = (first / width) as u64;
        let mut mask = self.choose.mask(number, k);
        // Each city of the set, with the length to it through the others.
        let mut ways: Vec<(usize, i64)> = Vec::with_capacity(k);
        let (mut at, mut skipped) = (0, first % width);
        while at < cells.len() {
            ways.clear();
            // Without a city those above it have a lower index in their set.
            let mut without = number;
            let mut index = k;
            for city in (0..others).rev().filter(|&city| mask >> city & 1 == 1) {
                without -= self.choose.of(city, index);
                let row = without as usize * previous_width;
                ways.push((city, previous[row + outside_below(mask, city)]));
                index -= 1;
                without += self.choose.of(city, index);
            }
            let outside = (0..others).filter(|&city| mask >> city & 1 == 0);
            // Home stands for the city that the last set does not have.
            for city in outside.chain((k == others).then_some(others)).skip(skipped).take(cells.len() - at) {
                let to = |from: usize| {
                    if city == others { self.home[from] } else { self.distances[from * others + city] }
                };
                // From the greatest city to the least, so that of equal ones the least is taken.
                let mut best: Option<(i64, usize)> = None;
                for &(from, length) in &ways {
                    let length = length + to(from);
                    if best.is_none_or(|(shortest, _)| length <= shortest) {
                        best = Some((length, from));
                    }
                }
                let (length, from) = best.unwrap_or_default();
                cells[at] = length;
                if let Some(choice) = choices.get_mut(at) {
                    *choice = from as u8;
                }
                at += 1;
            }
            skipped = 0;
            number += 1;
            mask = next(mask);
        }
    }
}
