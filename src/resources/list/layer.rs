//! A layer: for every set of open elements that are used, the list of undominated sums.

use super::bound::Bound;
use super::prices::Prices;
use super::run::Run;
use super::sieve;
use super::slack::{self, Slack};
use super::sums::{self, Chunk, List, Merge, Stream};
use super::whole;
use crate::number::Number;
use isx_engine::EngineError;
use isx_problems::resources::{Element, Item, Problem};
use std::sync::atomic::{AtomicU64, Ordering};

/// Lists with fewer sums on average are not compared with those of other states; tests have short ones.
const LONG: usize = 64;
/// Number of open elements by which a list is compared: the cheapest ones, which dominate the most.
const COMPARED: usize = 4;

/// The lists of all states; a state has a bit for each open element, set if a sum uses it.
pub(super) struct Layer<V> {
    /// The element at each bit of a state.
    pub open: Vec<u32>,
    pub lists: Vec<List<V>>,
}

/// An item as a layer needs it.
struct Move<'a> {
    /// The open elements it uses, as bits.
    uses: u64,
    item: &'a Item,
    /// Its position in the class, counted from 1.
    number: usize,
}

/// What a move adds in a state.
struct Addition<V> {
    source: usize,
    costs: Vec<u64>,
    value: V,
    number: usize,
}

impl<V: Number> Layer<V> {
    /// The empty sum, if what is never built fits.
    pub fn start(run: &Run<'_>) -> Self {
        let problem = run.problem;
        let mut costs = vec![0u64; problem.limits.len()];
        let opens: Vec<u32> = run.schedule.steps.iter().flat_map(|step| step.opens.iter().copied()).collect();
        for (_, element) in (0u32..).zip(&problem.elements).filter(|(at, _)| !opens.contains(at)) {
            costs.iter_mut().zip(&element.unbuilt).for_each(|(cost, add)| *cost = cost.saturating_add(*add));
        }
        let mut chunk = Chunk::new();
        if run.setting.shape.fits(&costs) {
            chunk.groups.push((costs[run.setting.shape.first], 1));
            chunk.keys = run.setting.shape.key(&costs);
            chunk.values.push(V::zero());
            chunk.picks = vec![0; run.setting.words];
        }
        Self { open: Vec::new(), lists: vec![vec![chunk]] }
    }

    /// Bytes of all lists.
    pub fn bytes(&self) -> u64 {
        self.lists.iter().flatten().map(Chunk::bytes).sum()
    }

    /// Takes an item of a step's class in every state; opens elements before and closes others after it. Returns the
    /// number of candidates.
    pub fn step(&mut self, run: &Run<'_>, number: usize, bound: Option<&Bound>) -> Result<u64, EngineError> {
        let (problem, step) = (run.problem, &run.schedule.steps[number]);
        self.open.extend(&step.opens);
        self.lists.resize(1 << self.open.len(), Vec::new());
        let moves: Vec<Move> = (1..)
            .zip(&problem.classes[step.class])
            .map(|(number, item)| Move {
                uses: isx_set_union::order::bits_of(&item.uses, &self.open),
                item,
                number,
            })
            .collect();
        let (lists, mut updates) =
            self.remade(run, self.lists.len(), bound, run.slack[number], &|state| {
                let mut additions = Vec::new();
                if !excludes_itself(problem, &self.open, state) {
                    moves.iter().for_each(|taken| self.additions(problem, state, taken, &mut additions));
                }
                undominated(&mut additions);
                additions
                    .into_iter()
                    .filter_map(|addition| {
                        run.stream(
                            step.class,
                            addition.source,
                            &addition.costs,
                            addition.value,
                            addition.number,
                        )
                    })
                    .collect()
            })?;
        self.lists = lists;
        for element in &step.closes {
            let Some(position) = self.open.iter().position(|open| open == element) else { continue };
            updates += self.close(run, position)?;
        }
        self.sieve(run)?;
        Ok(updates)
    }

    /// If lists are long, removes sums that a sum with one more element strictly dominates.
    fn sieve(&mut self, run: &Run<'_>) -> Result<(), EngineError> {
        let length: usize = self.lists.iter().map(sums::length).sum();
        if self.open.is_empty() || length < LONG * self.lists.len() {
            return Ok(());
        }
        let mut compared: Vec<usize> = (0..self.open.len())
            .filter(|&bit| run.problem.elements[self.open[bit] as usize].group.is_none())
            .collect();
        let price = |bit: usize| {
            let amounts = run.problem.elements[self.open[bit] as usize].built.iter().zip(&run.problem.limits);
            amounts.map(|(&built, &limit)| built as f64 / (limit as f64 + 1.0)).sum::<f64>()
        };
        compared.sort_by(|&a, &b| price(a).total_cmp(&price(b)));
        compared.truncate(COMPARED);
        let bytes = AtomicU64::new(self.bytes());
        let one = |state: u64| {
            run.setting.context.go_on()?;
            let with = compared.iter().map(|bit| state as usize | 1 << bit);
            let others: Vec<&List<V>> =
                with.filter(|&other| other != state as usize).map(|other| &self.lists[other]).collect();
            let sieved =
                sieve::sieved(&self.lists[state as usize], &others, run.setting.shape, run.setting.words);
            let more: u64 = sieved.iter().flatten().map(Chunk::bytes).sum();
            run.setting.context.machine.allow(bytes.fetch_add(more, Ordering::Relaxed) + more)?;
            Ok(sieved)
        };
        let sieved = run.setting.context.machine.workers().map(self.lists.len() as u64, true, one);
        let sieved = sieved.into_iter().collect::<Result<Vec<Option<List<V>>>, EngineError>>()?;
        for (list, sieved) in self.lists.iter_mut().zip(sieved) {
            if let Some(sieved) = sieved {
                *list = sieved;
            }
        }
        Ok(())
    }

    /// Keeps the sums of every state that are worth the most, this many at each of some prices.
    pub fn thin(&mut self, run: &Run<'_>, prices: &[Prices], most: usize) {
        for list in &mut self.lists {
            if sums::length(list) > most {
                thin(list, run, prices, most);
            }
        }
    }

    /// How a state is reached with an item: from every state that lacks some of the elements that the item uses.
    fn additions(&self, problem: &Problem, state: usize, taken: &Move, out: &mut Vec<Addition<V>>) {
        let uses = taken.uses as usize;
        // The tier was chosen so that every value fits.
        let Some(value) = V::from_big(&taken.item.value) else { return };
        if uses & !state != 0 {
            return;
        }
        let mut new = uses;
        loop {
            let source = state & !new;
            if self.lists[source].iter().any(|chunk| !chunk.values.is_empty()) {
                let mut costs = taken.item.cost.clone();
                for (_, &at) in self.open.iter().enumerate().filter(|(bit, _)| new >> bit & 1 == 1) {
                    let built = &problem.elements[at as usize].built;
                    costs.iter_mut().zip(built).for_each(|(cost, add)| *cost = cost.saturating_add(*add));
                }
                out.push(Addition { source, costs, value, number: taken.number });
            }
            if new == 0 {
                return;
            }
            new = (new - 1) & uses;
        }
    }

    /// Closes the element at a position: sums without it pay what it costs if it is not built.
    fn close(&mut self, run: &Run<'_>, position: usize) -> Result<u64, EngineError> {
        let Element { unbuilt, .. } = &run.problem.elements[self.open[position] as usize];
        let low = (1usize << position) - 1;
        let free = vec![0; unbuilt.len()];
        let (lists, updates) = self.remade(run, self.lists.len() / 2, None, None, &|state| {
            let without = (state & low) | ((state & !low) << 1);
            let parts = [(without, unbuilt), (without | 1 << position, &free)];
            parts
                .into_iter()
                .filter_map(|(source, costs)| run.stream(0, source, costs, V::zero(), 0))
                .collect()
        })?;
        self.lists = lists;
        self.open.remove(position);
        Ok(updates)
    }

    /// New lists: all threads compute those of the next states within the memory limit. Returns the
    /// number of candidates too.
    fn remade(
        &self,
        run: &Run<'_>,
        states: usize,
        bound: Option<&Bound>,
        slack: Option<Slack>,
        streams: &(dyn Fn(usize) -> Vec<Stream<V>> + Sync),
    ) -> Result<(Vec<List<V>>, u64), EngineError> {
        let lists: Vec<&List<V>> = self.lists.iter().collect();
        let (bytes, updates) = (AtomicU64::new(self.bytes()), AtomicU64::new(0));
        let list = |state: u64| -> Result<List<V>, EngineError> {
            run.setting.context.go_on()?;
            let streams = streams(state as usize);
            if streams.is_empty() {
                return Ok(Vec::new());
            }
            let taken = bytes.load(Ordering::Relaxed);
            let (chunk, count) = if slack::suits(run.setting.shape) {
                whole::list(run, &streams, &lists, bound, slack, states == 1, taken)?
            } else {
                let mut merge = Merge::new(&run.setting, streams, bound);
                (merge.advance(&lists, u64::MAX, taken)?, merge.updates)
            };
            updates.fetch_add(count, Ordering::Relaxed);
            let bytes = bytes.fetch_add(chunk.bytes(), Ordering::Relaxed) + chunk.bytes();
            run.setting.context.machine.allow(bytes)?;
            Ok(vec![chunk])
        };
        let made = run.setting.context.machine.workers().map(states as u64, states > 1, list);
        Ok((made.into_iter().collect::<Result<_, EngineError>>()?, updates.into_inner()))
    }
}

fn thin<V: Number>(list: &mut List<V>, run: &Run<'_>, prices: &[Prices], most: usize) {
    let (shape, words) = (run.setting.shape, run.setting.words);
    let mut costs = vec![0; shape.resources];
    let mut kept: Vec<Vec<bool>> = list.iter().map(|chunk| vec![false; chunk.values.len()]).collect();
    let mut worth = Vec::new();
    for prices in prices {
        worth.clear();
        for (at, chunk) in list.iter().enumerate() {
            chunk.each(shape.width(), |sum, first, key| {
                shape.costs(first, key, &mut costs);
                worth.push((prices.worth(&costs, chunk.values[sum].wide()), at, sum));
            });
        }
        if worth.len() > most {
            worth.select_nth_unstable_by(most, |a, b| b.cmp(a));
        }
        worth.iter().take(most).for_each(|&(_, at, sum)| kept[at][sum] = true);
    }
    for (chunk, kept) in list.iter_mut().zip(&kept) {
        *chunk = chunk.only(kept, shape.width(), words);
    }
}

/// Whether two used elements of a state are of one group.
fn excludes_itself(problem: &Problem, open: &[u32], state: usize) -> bool {
    let used = open.iter().enumerate().filter(|(bit, _)| state >> bit & 1 == 1);
    let mut groups: Vec<u32> = used.filter_map(|(_, &at)| problem.elements[at as usize].group).collect();
    groups.sort_unstable();
    groups.windows(2).any(|pair| pair[0] == pair[1])
}

/// Removes what another addition to the same list dominates.
fn undominated<V: Number>(additions: &mut Vec<Addition<V>>) {
    let dominates = |a: &Addition<V>, b: &Addition<V>| {
        let no_worse = a.value >= b.value && a.costs.iter().zip(&b.costs).all(|(a, b)| a <= b);
        no_worse && (a.value > b.value || a.costs != b.costs || a.number < b.number)
    };
    let kept: Vec<bool> = additions
        .iter()
        .map(|b| !additions.iter().any(|a| a.source == b.source && dominates(a, b)))
        .collect();
    let mut kept = kept.into_iter();
    additions.retain(|_| kept.next() == Some(true));
}
