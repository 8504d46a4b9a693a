//! Dynamic programming over groups of items of equal weight.
//!
//! ```text
//! G(j) = 0        for weight w:  G'(j) = max { G(j - k w) + P(k) }     k = 0 .. min(m, j / w),  j = 0 .. C
//! ```
//!
//! P(k) is the profit of the best k of the m items of weight w (`groups.rs`). P is concave, so a row takes time
//! proportional to its cells if most profits of a weight are equal, or there are few items of it (`sweep/step.rs`):
//! all capacities cost O(D C) for D distinct weights, whatever the number of items. The lightest items come first;
//! the chosen items are found from stored rows (`walk.rs`).
//!
//! For concave sequences: K. Axiotis, C. Tzamos, "Capacitated dynamic programming: faster knapsack and graph
//! algorithms", arXiv 1802.06440; U. Pferschy, "Dynamic programming revisited: improving knapsack algorithms",
//! Computing 63, 1999.
//!
//! Worked instance: (profit, weight) = (7,2), (5,2), (4,3) and C = 5. P = 0, 7, 12 for weight 2: G = 0 0 7 7 12 12;
//! weight 3 gives 0 0 7 7 12 12, the last from max(12, 7 + 4).

pub(super) mod groups;
mod walk;

use super::answer::Answer;
use super::slack::slack;
use super::sweep::form::Form;
use super::sweep::step::{BLOCK, Cell};
use super::sweep::{Layer, Row, Sweep, Target, front_seconds, together, work};
use super::{Knapsack, Wanted};
use groups::{Groups, steps};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::{Team, in_words, providing_seconds, shared_seconds, start_seconds};
use isx_machine::rates;
use isx_problems::reduce::knapsack::Reduced;
use std::sync::Arc;
use std::time::Instant;
use walk::{Finding, Gains, Kept, View, stride};

pub struct Grouped;

/// Bytes of rows stored to find the items of one capacity; beyond this some rows are computed twice.
const KEPT: u64 = 1 << 30;

/// The fewest rows for finding the items of many groups, and the rows needed in addition to the stored ones.
const FEWEST: u64 = 24;
const BESIDE: u64 = 4;

impl Engine<Knapsack> for Grouped {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let form = Form::of(problem).ok_or(EngineError::Arithmetic(problem.tier))?;
        // Two rows, checked before any work that is proportional to the number of items.
        context.machine.allow(Need::row(problem.capacity, form).saturating_mul(2))?;
        let run = Run::new(problem, wanted, context, form);
        context.machine.allow(run.need.bytes)?;
        let estimate = Estimate { seconds: run.estimate(), bytes: run.need.bytes };
        Ok(Plan::new(estimate, move || if form.narrow { run.solve::<i32>() } else { run.solve::<i64>() }))
    }
}

#[derive(Clone, Copy)]
struct Need {
    /// Rows that may be stored to find the items of one capacity.
    rows: usize,
    /// How often every row is computed, approximately.
    sweeps: f64,
    bytes: u64,
}

impl Need {
    /// Bytes of a row without padding.
    fn row(capacity: u64, form: Form) -> u64 {
        capacity.saturating_add(1 + BLOCK as u64).saturating_mul(form.bytes())
    }

    /// For rows with that padding, in bytes, and groups of those weights.
    fn of(
        problem: &Reduced,
        wanted: Wanted,
        (form, pad): (Form, u64),
        weights: &[u128],
        allowed: u64,
    ) -> Self {
        let whole = Self::row(problem.capacity, form).saturating_add(pad);
        let groups = weights.len() as u64;
        // A row is needed only up to the total weight of its items.
        let every = || {
            let mut so_far = 0u128;
            weights.iter().fold(whole.saturating_mul(2), |bytes: u64, weight| {
                so_far += weight;
                let cells = so_far.min(problem.capacity.into()) as u64;
                bytes.saturating_add(Self::row(cells, form)).saturating_add(pad)
            })
        };
        let once = |rows: u64, bytes| Self { rows: rows as usize, sweeps: 1.0, bytes };
        match wanted {
            Wanted::Value | Wanted::AllValues => once(0, whole.saturating_mul(2)),
            Wanted::AllPicks => once(groups + 1, every()),
            Wanted::Best => match every() {
                bytes if bytes <= allowed.min(KEPT) => once(groups + 1, bytes),
                _ => {
                    // Enough that no row is computed more than twice, or as many as fit.
                    let twice = 2 * groups.isqrt() + 4;
                    let room = (allowed / whole).saturating_sub(BESIDE);
                    let rows = (KEPT / whole).max(twice).min(room).max(FEWEST).min(groups + 1);
                    let sweeps = if rows >= twice { 2.0 } else { 3.0 };
                    let bytes = whole.saturating_mul(rows + BESIDE);
                    Self { rows: rows as usize, sweeps, bytes }
                }
            },
        }
    }
}

struct Run<'a> {
    problem: &'a Reduced,
    wanted: Wanted,
    context: &'a Context<'a>,
    form: Form,
    need: Need,
    gains: Gains,
    layers: Vec<Layer>,
    /// Unreachable cells before a row.
    pad: usize,
    /// How far below the capacity the weight of a best selection can lie, once it is known.
    slack: u64,
}

impl<'a> Run<'a> {
    fn new(problem: &'a Reduced, wanted: Wanted, context: &'a Context<'a>, form: Form) -> Self {
        let groups = Groups::of(&problem.items, problem.capacity);
        let (mut layers, mut sums, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for (number, group) in groups.groups.iter().enumerate() {
            let gain = |&item: &u32| form.gain(&problem.items[item as usize]);
            let gains: Vec<i64> = groups.members[group.members.clone()].iter().map(gain).collect();
            let sum = gains.iter().scan(0, |sum, gain| {
                *sum += gain;
                Some(*sum)
            });
            sums.push([0].into_iter().chain(sum).collect());
            weights.push(group.weight as u128 * gains.len() as u128);
            layers.extend(steps(group.weight, &gains).into_iter().map(|step| Layer { step, group: number }));
        }
        let pad = layers.iter().map(|layer| layer.step.pad()).max().unwrap_or(BLOCK);
        let padding = (form, pad as u64 * form.bytes());
        let need = Need::of(problem, wanted, padding, &weights, context.machine.max_memory());
        let gains = Gains { groups, sums };
        Self { problem, wanted, context, form, need, gains, layers, pad, slack: 0 }
    }

    /// The capacity, limited to the weight of all items: of equal items only as many are counted as fit.
    fn capacity(&self) -> usize {
        // Two rows of this length fit into memory.
        together(&self.layers).min(self.problem.capacity.into()) as usize
    }

    fn target(&self) -> Target {
        Target::of(self.wanted, self.capacity(), self.slack)
    }

    fn updates(&self) -> f64 {
        work(self.form, &self.layers, self.target()).0 * self.need.sweeps
    }

    fn estimate(&self) -> f64 {
        let workers = self.context.machine.workers();
        let row = Need::row(self.problem.capacity, self.form) as f64;
        let memory = self.need.bytes as f64 / row * providing_seconds(row);
        let fixed = rates::KNAPSACK_PROBLEM + self.problem.items.len() as f64 * rates::KNAPSACK_SORTED;
        let alone = work(self.form, &self.layers, self.target()).1 * self.need.sweeps
            + memory
            + fixed
            + front_seconds(self.wanted, self.problem);
        let layers = self.layers.len().max(1) as f64;
        let tiles = self.problem.capacity as f64 / 64e3;
        let a_layer = shared_seconds(alone / layers, tiles, workers.threads());
        alone.min(a_layer * layers + start_seconds(workers))
    }

    fn solve<V: Cell + std::fmt::Debug>(mut self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        self.slack = slack(&self.problem.items, self.problem.capacity);
        let team = Team::of(self.context.machine.workers());
        self.context.progress.begin("solving", self.layers.len() as u64);
        let sweep = Sweep::<V>::new(self.context, &team, self.form, self.capacity(), self.pad);
        let stride = stride(self.gains.groups.groups.len(), self.need.rows);
        let kept = |groups: usize| self.wanted.picks() && groups.is_multiple_of(stride);
        let (rows, last) = sweep.run(sweep.start()?, &self.layers, self.target(), &kept, None)?;
        let solve = started.elapsed();
        let started = Instant::now();
        let updates = self.updates() as u64;
        let answer = self.answer(&sweep, rows, last)?;
        let how = format!("{}, {}", sweep.isa.name(), in_words(team.took_part()));
        let (threads, traceback) = (team.took_part(), started.elapsed());
        Ok(Answer { how, threads, updates, solve, traceback, ..answer })
    }

    /// The answer read from the rows.
    fn answer<V: Cell + std::fmt::Debug>(
        self,
        sweep: &Sweep<V>,
        rows: Vec<Row>,
        last: Row,
    ) -> Result<Answer, EngineError> {
        let row = &last.cells::<V>(self.pad)[..=self.capacity()];
        let mut answer = self.form.answer(row, self.wanted, self.slack, sweep.team);
        match self.wanted {
            Wanted::Value | Wanted::AllValues => {}
            Wanted::Best => {
                let groups = self.gains.groups.groups.len();
                let (gains, layers) = (&self.gains, &self.layers[..]);
                let mut finding = Finding { sweep, layers, gains, chosen: Vec::new() };
                let left = self.need.rows.saturating_sub(rows.len());
                finding.back(rows, (last, groups), answer.weights[0] as usize, left)?;
                let mut chosen = finding.chosen;
                chosen.sort_unstable();
                let weight = |&item: &u32| self.problem.items[item as usize].weight;
                answer.weights = vec![chosen.iter().map(weight).sum()];
                answer.picks = Answer::one_selection(chosen);
            }
            Wanted::AllPicks => {
                let view = View { pad: self.pad, exactly: self.form.slope.is_some() };
                let kept = Kept::<V>::new(self.gains, rows, last, view, answer.weights.clone());
                answer.picks = Some(Arc::new(kept));
            }
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ENGINES;
    use isx_machine::Machine;
    use isx_problems::knapsack::{Item, Knapsack as Problem};
    use isx_problems::reduce::knapsack::{Goal, Options, reduce};

    /// 200 items of 60 weights, with widely varying profits, along a line of 70 bits, or wider than 32 bits.
    fn problem(kind: u64, capacity: u64) -> Reduced {
        let item = |at: u64| {
            let weight = at * 37 % 60 + 20;
            let profit = i128::from(at * 7919 % 50 + 1);
            let profit = match kind {
                0 => profit,
                1 => i128::from(weight) * ((1 << 70) + 1) + profit,
                _ => profit << 33 | 1,
            };
            Item { profit, weight }
        };
        let problem = Problem { items: (0..200).map(item).collect(), capacity };
        reduce(&problem, Options { goal: Goal::OneCapacity, dominance: false })
    }

    #[test]
    fn items_that_are_alike_may_weigh_less_than_the_capacity_where_more_do_not_fit() {
        let item = |(profit, weight)| Item { profit, weight };
        let items = [(7, 60_000), (7, 60_000), (9, 60_000), (2, 7)].map(item).to_vec();
        let problem = Problem { items, capacity: 100_000 };
        let machine = Machine::default();
        let context = Context::new(&machine);
        for (goal, wanteds) in [
            (Goal::OneCapacity, [Wanted::Value, Wanted::Best]),
            (Goal::AllCapacities, [Wanted::AllValues, Wanted::AllPicks]),
        ] {
            let problem = reduce(&problem, Options { goal, dominance: false });
            for wanted in wanteds {
                let request = Request { problem: &problem, wanted, context: &context };
                let answer = Grouped.plan(request).unwrap().run().unwrap();
                let last = answer.profits.len() - 1;
                assert_eq!(
                    (answer.weights[last], answer.profits.get(last)),
                    (60_007, 11.into()),
                    "{wanted:?}"
                );
            }
        }
    }

    #[test]
    fn items_are_found_with_hardly_a_row_kept() {
        let machine = Machine::default().with_threads(2);
        let context = Context::new(&machine);
        for (kind, capacity) in [(0, 5000), (1, 5000), (2, 5000), (0, 30), (1, 9700)] {
            let problem = problem(kind, capacity);
            let request = Request { problem: &problem, wanted: Wanted::Value, context: &context };
            let judge = ENGINES.judge().unwrap().engine.plan(request).unwrap().run().unwrap();
            let form = Form::of(&problem).unwrap();
            for rows in [4, 5, 9, 40, 61] {
                let mut run = Run::new(&problem, Wanted::Best, &context, form);
                run.need.rows = rows;
                let answer = if form.narrow { run.solve::<i32>() } else { run.solve::<i64>() }.unwrap();
                assert_eq!(answer.profits.get(0), judge.profits.get(0), "{kind} {capacity} {rows}");
                let mut chosen = Vec::new();
                answer.picks.unwrap().write(0, &mut chosen);
                let items = chosen.iter().map(|&item| problem.items[item as usize]);
                let profit: i128 = items.clone().map(|item| item.profit).sum();
                let weight: u64 = items.map(|item| item.weight).sum();
                assert_eq!(answer.profits.get(0), profit.into(), "{kind} {capacity} {rows}");
                assert!(weight == answer.weights[0] && weight <= problem.capacity);
                assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
    }
}
