//! Pareto lists, one for every set of open elements.
//!
//! An element is open from the first class that can use it to the last (see the module `order`). When it opens, the
//! algorithm branches on whether it is paid for: a state is the set of open elements that are. A class is then
//! applied within each state, with the items whose elements are all paid for; when an element closes, the lists with
//! and without it are merged. So an item is applied once per state, not once per state that it could lead to, and
//! items of a class that another one dominates *in this state* are skipped.
//!
//! A sum that another sum of its state dominates is removed. If lists are long, so is a sum that a state with one
//! more element strictly dominates. Of equal sums the smaller selection stays: both can be continued in the same
//! ways, and with equal continuations the smaller selection stays the smaller.
//!
//! Worked instance: an element of weight 5, two classes with one item each that uses it, (3, 1) and (4, 2) as
//! (value, weight). Not paid for: (0, 0) throughout. Paid for: (0, 5), then (0, 5) (3, 6), then (0, 5) (3, 6) (4, 7)
//! (7, 8). Closed: (0, 0), (3, 6), (4, 7), (7, 8).

use super::entry::Addend;
use super::fields::{Fields, Selections, fields_of};
use super::layer::{Chunk, Layer, Move, Opening};
use super::most::is_cut;
use super::order::{Schedule, Step, bits_of, excluded_by, used_by_class};
use super::{Answer, SetUnion};
use isx_engine::{Context, Engine, EngineError, Estimate, Outcome, Patience, Plan, Request};
use isx_machine::OverMemory;
use isx_machine::cpu::in_words;
use isx_machine::rates;
use isx_problems::reduce::set_union::Reduced;
use isx_problems::value::{Tier, Value, Values};
use num_bigint::BigInt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The list engine.
pub struct List;

/// Lists with fewer sums on average are not compared with those of other states: it would take longer than it saves.
const LONG: usize = 24;
/// Number of open elements by which a list is compared: the lightest ones, which dominate the most.
const COMPARED: usize = 4;
/// Words of the longest selection that a sum can store.
const MOST_WORDS: usize = 128;
/// Most elements open at the same time that the bits of a state can represent.
const MOST_OPEN: usize = 48;

impl Engine<SetUnion> for List {
    /// Time and memory as if every list had one sum; the actual lengths are known only as the lists grow.
    fn plan<'a>(&'a self, request: Request<'a, SetUnion>) -> Result<Plan<'a, SetUnion>, EngineError> {
        let Request { problem, wanted, context } = request;
        let schedule = Schedule::new(&used_by_class(problem), &problem.elements);
        let fields = fields_of(problem);
        let states = f64::from(u32::try_from(schedule.most_open()).unwrap_or(u32::MAX)).exp2();
        let sum_bytes = 16 + 8 * fields.words;
        let bytes = states * (sum_bytes + size_of::<usize>()) as f64;
        let estimate = Estimate {
            seconds: states * problem.items() as f64 * rates::SET_UNION_SUM,
            // The lengths of the lists are known only as they grow.
            bytes: OverMemory::UNKNOWN,
        };
        context.machine.allow(bytes.min(u64::MAX as f64) as u64)?;
        if schedule.most_open() > MOST_OPEN {
            let needed =
                format!("has bits for {MOST_OPEN} elements open at once, not {}", schedule.most_open());
            return Err(EngineError::Failed(needed));
        }
        let tier = problem.tier().max(wanted).max(Tier::I64);
        Ok(Plan::watched(estimate, move |patience| {
            let run = Run { problem, schedule: &schedule, fields, context, patience };
            run.in_words(tier)
        }))
    }
}

pub(super) struct Run<'a> {
    pub problem: &'a Reduced,
    pub schedule: &'a Schedule,
    fields: Fields,
    pub context: &'a Context<'a>,
    patience: Patience<'a>,
}

impl Run<'_> {
    /// Chooses the smallest compiled number of words that stores a selection.
    fn in_words(self, tier: Tier) -> Result<Outcome<Answer>, EngineError> {
        match (tier, self.fields.words) {
            (Tier::I32 | Tier::I64, 0..=2) => self.run::<i64, 2>(),
            (Tier::I32 | Tier::I64, 3..=8) => self.run::<i64, 8>(),
            (Tier::I32 | Tier::I64, 9..=MOST_WORDS) => self.run::<i64, MOST_WORDS>(),
            (Tier::I128, 0..=8) => self.run::<i128, 8>(),
            (Tier::I128, 9..=MOST_WORDS) => self.run::<i128, MOST_WORDS>(),
            (Tier::Big, 0..=MOST_WORDS) => self.run::<BigInt, MOST_WORDS>(),
            (_, words) => Err(EngineError::Failed(format!(
                "packs the items of all classes into at most {} bits, and these need {}",
                64 * MOST_WORDS,
                64 * words
            ))),
        }
    }

    fn run<V: Value, const W: usize>(self) -> Result<Outcome<Answer>, EngineError> {
        let started = Instant::now();
        let progress = self.context.progress;
        progress.begin("solving", self.schedule.steps.len() as u64);
        let mut growth = Growth::<V, W> {
            run: &self,
            layer: Layer::start(),
            open: Vec::new(),
            unopened: self.schedule.steps.iter().flat_map(|step| step.opens.iter().copied()).collect(),
            updates: 0,
            cut: false,
        };
        let taken = rates::SET_UNION_TAKEN;
        for (done, step) in (1usize..).zip(&self.schedule.steps) {
            let before = growth.updates;
            growth.step(step)?;
            progress.advance(1);
            // If lists grow as they did, by as much with every class, class j makes j / k times the sums of this one,
            // the k-th. What was done is done, and another engine must be faster than what is to come; but where that grew
            // faster than foreseen it will again, so half of what was done counts. Sums are counted, not seconds, so that
            // the same problem is always solved by the same engine.
            let (left, classes) = (self.schedule.steps.len() - done, self.schedule.steps.len() as f64);
            let (here, k) = ((growth.updates - before) as f64, done as f64);
            let to_come = here * (classes * (classes + 1.0) - k * (k + 1.0)) / (2.0 * k);
            if left > 0 && self.patience.is_exceeded_by((growth.updates as f64 / 2.0 + to_come) * taken) {
                let (sums, classes) = (growth.layer.len(), self.schedule.steps.len());
                let why = format!("lists had {sums} sums after {done} of {classes} classes");
                return Ok(Outcome::GaveUp(why));
            }
        }
        let Growth { layer, updates, cut, .. } = growth;
        let front = layer.list(0);
        let mut words = Vec::with_capacity(front.len() * self.fields.words);
        front.iter().for_each(|entry| words.extend_from_slice(&entry.items[W - self.fields.words..]));
        let weights = front.iter().map(|entry| entry.weight).collect();
        let values = V::store(front.iter().map(|entry| entry.value.clone()).collect());
        Ok(self.answer(weights, values, words, (V::TIER, cut, updates), started))
    }

    /// The answer with these points; `cut` says whether the capacity excluded a sum.
    fn answer(
        self,
        weights: Vec<u64>,
        values: Values,
        words: Vec<u64>,
        (tier, cut, updates): (Tier, bool, u64),
        started: Instant,
    ) -> Outcome<Answer> {
        let most = values.len().checked_sub(1).and_then(|last| i64::at(&values, last));
        let cut = cut && most.is_none_or(|most| is_cut(self.problem, self.schedule, most));
        let workers = self.context.machine.workers();
        let threads = if workers.are_started() { workers.threads() } else { 1 };
        let (selections, how) = (Selections::new(self.fields, words), in_words(threads));
        let solve = started.elapsed();
        Outcome::solved(Answer { weights, values, selections, cut, tier, how, threads, updates, solve })
    }

    /// The class's items and no item, in order of weight, then falling value, then canonical; `narrow` converts the
    /// values.
    fn moves<V>(
        &self,
        class: usize,
        open: &[u32],
        words: usize,
        narrow: fn(&BigInt) -> Option<V>,
    ) -> Vec<Move<V>> {
        let moves = self.sorted_moves(class, open).into_iter().filter_map(|(number, uses, weight, value)| {
            let (word, bits) = self.fields.place(class, number, words);
            // The tier was chosen so that every value fits.
            Some((uses, Addend { weight, value: narrow(&value)?, word, bits }))
        });
        moves.collect()
    }

    /// Number, open elements used, weight and value of the class's items and of no item, sorted.
    fn sorted_moves(&self, class: usize, open: &[u32]) -> Vec<(usize, u64, u64, BigInt)> {
        let items = (1..).zip(&self.problem.classes[class]);
        let mut moves = vec![(0, 0, 0, BigInt::ZERO)];
        moves.extend(
            items.map(|(number, item)| (number, bits_of(&item.uses, open), item.weight, item.value.clone())),
        );
        moves.sort_unstable_by(|a, b| (a.2, &b.3, a.0).cmp(&(b.2, &a.3, b.0)));
        moves
    }

    /// The positions of open elements by which long lists are compared.
    fn compared(&self, open: &[u32], unopened: &[u32]) -> Vec<usize> {
        let element = |at: u32| self.problem.elements[at as usize];
        // A state with an element can be continued like one without only if no element that it excludes is still to
        // open.
        let harmless = |&position: &usize| {
            let group = element(open[position]).group;
            group.is_none() || unopened.iter().all(|&other| element(other).group != group)
        };
        let mut positions: Vec<usize> = (0..open.len()).filter(harmless).collect();
        positions.sort_unstable_by_key(|&position| (element(open[position]).weight, position));
        positions.truncate(COMPARED);
        positions
    }
}

/// Lists that grow class by class.
pub(super) struct Growth<'a, V, const W: usize> {
    pub run: &'a Run<'a>,
    pub layer: Layer<V, W>,
    /// The element at each bit of a state.
    pub open: Vec<u32>,
    /// The elements that have not opened yet.
    pub unopened: Vec<u32>,
    pub updates: u64,
    /// Whether the capacity excluded a sum.
    pub cut: bool,
}

impl<V: Value, const W: usize> Growth<'_, V, W> {
    fn step(&mut self, step: &Step) -> Result<(), EngineError> {
        let problem = self.run.problem;
        let elements = &problem.elements;
        self.begin(step);
        let weights: Vec<u64> = step.opens.iter().map(|&at| elements[at as usize].weight).collect();
        let excluded = self.open.iter().map(|&element| excluded_by(elements, &self.open, element));
        let excluded: Vec<u64> = excluded.collect();
        let opening = Opening { weights: &weights, excluded: &excluded, capacity: problem.capacity };
        let moves: Vec<Move<V>> = self.run.moves(step.class, &self.open, W, V::from_big);
        let (updates, cut) = (AtomicU64::new(0), AtomicU64::new(0));
        self.layer = self.remade(self.open.len(), &|layer, at| {
            let (chunk, counts) = layer.grown(at, &opening, &moves);
            updates.fetch_add(counts.candidates, Ordering::Relaxed);
            cut.fetch_add(counts.cut, Ordering::Relaxed);
            chunk
        })?;
        self.updates += updates.into_inner();
        self.cut |= cut.into_inner() > 0;
        for element in &step.closes {
            let Some(position) = self.open.iter().position(|open| open == element) else { continue };
            self.layer = self.remade(self.open.len() - 1, &|layer, at| layer.closed(at, position))?;
            self.open.remove(position);
        }
        self.sieve()
    }

    /// Opens the elements of a step.
    pub fn begin(&mut self, step: &Step) {
        self.unopened.retain(|element| !step.opens.contains(element));
        self.open.extend(&step.opens);
    }

    /// If lists are long, removes sums that states with one more element dominate.
    fn sieve(&mut self) -> Result<(), EngineError> {
        if self.layer.len() < LONG << self.open.len() || self.open.is_empty() {
            return Ok(());
        }
        let positions = self.run.compared(&self.open, &self.unopened);
        self.layer = self.remade(self.open.len(), &|layer, at| layer.sieved(at, &positions))?;
        Ok(())
    }

    /// The next layer; all threads compute its chunks within the memory limit.
    fn remade(
        &self,
        open: usize,
        make: &(dyn Fn(&Layer<V, W>, usize) -> Chunk<V, W> + Sync),
    ) -> Result<Layer<V, W>, EngineError> {
        let machine = self.run.context.machine;
        let bytes = AtomicU64::new(self.layer.bytes());
        let chunk = |at: u64| {
            self.run.context.go_on()?;
            let chunk = make(&self.layer, at as usize);
            let bytes = bytes.fetch_add(chunk.bytes(), Ordering::Relaxed) + chunk.bytes();
            machine.allow(bytes)?;
            Ok(chunk)
        };
        let count = Layer::<V, W>::chunks_of(open);
        let chunks = machine.workers().map(count as u64, count > 1, chunk);
        Ok(Layer::of(open, chunks.into_iter().collect::<Result<_, EngineError>>()?))
    }
}
