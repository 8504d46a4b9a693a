//! The minimal costs in several resources at which some design is schedulable.
//!
//! A cost is minimal if some schedulable design has it and none costs no more of every objective and less of one. If
//! utilization alone decides, these are costs of the front: a schedulable point that no other schedulable point is
//! below. Otherwise all designs are searched depth first, from the last task to the first, each with its choices in
//! canonical order. A partial design is pruned if
//!
//! - its cost, with the least cost of every remaining task, exceeds a limit or is above a cost already found, or
//! - it fails the scheduler's test with the shortest WCET of every remaining task, and the critical sections that it has anyway: lowering a WCET never makes a
//!   schedulable set unschedulable (see the module `analysis`).
//!
//! With several modes a design must pass in each, and in each every remaining task has its shortest WCET there.
//!
//! Of the schedulable designs of one minimal cost the answer names the one of least (largest) utilization, then of least costs in
//! the resources that are no objectives (lexicographically), then the canonical one.
//!
//! Worked instance: two tasks (E, P, D) = (4, 16, 5), (3, 4, 4) with one choice each, WCET 2, which costs 1 LUT in the
//! first task and 1 DSP in the second. Software fails at time 5, where dbf = 4 + 3. With the first choice alone dbf(4) =
//! 3 and dbf(5) = 5: it passes, at (1, 0); with the second alone dbf(5) = 6 fails. So (1, 0) is the only minimal cost.

use super::analysis::{Analysis, modes};
use super::candidate::{Candidate, candidates, no_larger};
use super::effort::{Effort, Undecided, weight};
use super::outcome::Outcome;
use super::task::{ScheduledTask, WholeTasks, scheduled_tasks};
use isx_exact::order;
use isx_taskset::formulate::{BEYOND_BUDGET, Costs, Formulation, TimedLock, TimedTask};
use num_bigint::BigInt;

/// The minimal schedulable designs, in lexicographic order of their costs.
pub(super) struct Minimal {
    /// The choices of each.
    pub designs: Vec<Vec<Option<u32>>>,
    /// Why there may be others, or designs of lower cost, if that was not decided.
    pub undecided: Option<Undecided>,
}

/// A schedulable design, in the order in which those of one cost are preferred.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    /// The amounts of the objectives.
    cost: Vec<u64>,
    /// The demand over the hyperperiod at the design's own clock, in the mode where it is largest.
    demand: BigInt,
    /// The amounts of the other resources.
    others: Vec<u64>,
    /// The choices, from the last task to the first.
    choices: Vec<Option<u32>>,
}

/// Schedulable designs of which none is above another.
pub(super) struct Known<'a> {
    formulation: &'a Formulation,
    found: Vec<Found>,
}

impl<'a> Known<'a> {
    pub fn new(formulation: &'a Formulation) -> Self {
        Self { formulation, found: Vec::new() }
    }

    /// Adds a schedulable design, unless one that is known is below it or preferred at the same cost.
    pub fn add(&mut self, choices: &[Option<u32>]) {
        let objectives = self.formulation.costs.objectives;
        let Some(mut cost) = self.formulation.amounts(choices) else { return };
        let others = cost.split_off(objectives);
        let in_mode = |mode: &Formulation| -> BigInt {
            let tasks = mode.tasks_of(choices).iter().zip(choices);
            tasks
                .map(|(task, &choice)| {
                    task.wcet_with(choice) * (&self.formulation.hyperperiod / &task.period)
                })
                .sum()
        };
        let demand = modes(self.formulation).iter().map(in_mode).max().unwrap_or_default();
        let found = Found { cost, demand, others, choices: choices.iter().rev().copied().collect() };
        let is_worse = |known: &Found| {
            no_larger(&known.cost, &found.cost) && (known.cost != found.cost || *known <= found)
        };
        if !self.found.iter().any(is_worse) {
            self.found.retain(|known| !no_larger(&found.cost, &known.cost));
            self.found.push(found);
        }
    }

    /// Whether a known design costs no more of any objective.
    pub fn has_within(&self, cost: &[u64]) -> bool {
        self.found.iter().any(|known| no_larger(&known.cost, cost))
    }

    /// The designs, in lexicographic order of their costs.
    pub fn designs(mut self) -> Vec<Vec<Option<u32>>> {
        order::sort(&mut self.found);
        self.found.into_iter().map(|found| found.choices.into_iter().rev().collect()).collect()
    }
}

/// Searches the minimal costs of all schedulable designs. `known` are designs known to be schedulable: the lower their
/// costs, the faster the search.
pub(super) fn minimal_designs(
    formulation: &Formulation,
    known: Vec<Vec<Option<u32>>>,
    effort: &mut Effort,
) -> Minimal {
    let mut all = Known::new(formulation);
    known.iter().for_each(|choices| all.add(choices));
    let mut undecided = None;
    let mut unsure = Vec::new();
    // A design is searched at its own clock and at slower ones, where it passes only if it also passes at its own.
    for clock in 0..formulation.clocks.count() {
        let scenario = formulation.at_clock(clock);
        let Some(limits) = &scenario.costs.limits else { break };
        let items = candidates(&scenario, BEYOND_BUDGET - 1);
        if items.iter().any(Vec::is_empty) {
            continue;
        }
        let mut search = Search::new(&scenario, limits, items, &mut all, effort);
        let ended = search.descend();
        unsure.append(&mut search.unsure);
        if let Err(why) = ended {
            undecided.get_or_insert(why);
            break;
        }
    }
    let open = unsure.into_iter().find(|(cost, _)| !all.has_within(cost));
    Minimal { designs: all.designs(), undecided: undecided.or(open.map(|(_, why)| why)) }
}

/// What is known of a partial design.
struct Partial {
    /// The least amounts of its completions, in every dimension.
    least: Vec<u64>,
    /// The least demand of its completions in every mode, at the clock of the scenario.
    demands: Vec<BigInt>,
    /// One bit per block, set if it is used.
    used: Vec<u64>,
    /// Whether it passes the test with the shortest WCETs of the remaining tasks; `Err` if that was not decided.
    passes: Result<(), Undecided>,
}

/// The least that a task may execute, in every mode: the WCET and the critical sections.
struct Least<'a> {
    wcets: Vec<&'a BigInt>,
    locks: Vec<&'a [TimedLock]>,
}

struct Search<'a, 'k, 'n> {
    scenario: &'a Formulation,
    modes: &'a [Formulation],
    limits: &'a [u64],
    test: Analysis<'a>,
    /// The choices of each task that no other one dominates.
    items: Vec<Vec<Candidate<'a>>>,
    /// What each task executes at least with one of them.
    shortest: Vec<Least<'a>>,
    /// Whether tasks with parts have critical sections.
    has_whole_locks: bool,
    /// The choice of each task that is assigned, among these.
    path: Vec<Option<usize>>,
    /// The partial designs on the way, from none of the tasks assigned.
    partial: Vec<Partial>,
    known: &'k mut Known<'n>,
    /// The costs of designs whose test was not decided.
    unsure: Vec<(Vec<u64>, Undecided)>,
    effort: &'k mut Effort,
    weight: u64,
}

impl<'a, 'k, 'n> Search<'a, 'k, 'n> {
    fn new(
        scenario: &'a Formulation,
        limits: &'a [u64],
        items: Vec<Vec<Candidate<'a>>>,
        known: &'k mut Known<'n>,
        effort: &'k mut Effort,
    ) -> Self {
        let (modes, costs) = (modes(scenario), &scenario.costs);
        let shortest = |(at, items): (usize, &Vec<Candidate<'a>>)| {
            let wcet = |mode: usize| items.iter().map(|one| one.wcets[mode]).min();
            Least {
                wcets: (0..modes.len()).filter_map(wcet).collect(),
                locks: modes.iter().map(|mode| mode.tasks[at].locks.least.as_slice()).collect(),
            }
        };
        let shortest: Vec<Least> = items.iter().enumerate().map(shortest).collect();
        let mut least = vec![0; limits.len()];
        for (at, least) in least.iter_mut().enumerate() {
            let of_items = items.iter().filter_map(|items| items.iter().map(|one| one.cost[at]).min());
            let of_blocks = (0..costs.blocks()).map(|block| least_of_block(costs, block, at));
            *least = of_items.chain(of_blocks).sum();
        }
        let in_mode = |mode: usize| {
            shortest.iter().enumerate().map(|(at, least)| demand(scenario, mode, at, least.wcets[mode])).sum()
        };
        let start = Partial {
            least,
            demands: (0..modes.len()).map(in_mode).collect(),
            used: vec![0; costs.blocks().div_ceil(64)],
            passes: Ok(()),
        };
        let has_parts = |rows: &[TimedTask]| rows.iter().any(|row| row.is_part);
        let has_locks = |rows: &[TimedTask]| rows.iter().any(|row| !row.locks.most.is_empty());
        Self {
            scenario,
            modes,
            limits,
            has_whole_locks: modes.iter().any(|mode| has_parts(&mode.tasks) && has_locks(&mode.tasks)),
            test: Analysis::new(scenario),
            path: vec![None; items.len()],
            items,
            shortest,
            partial: vec![start],
            known,
            unsure: Vec::new(),
            effort,
            weight: weight(scenario.hyperperiod.bits()),
        }
    }

    /// Traverses the tree of partial designs.
    fn descend(&mut self) -> Result<(), Undecided> {
        let count = self.items.len();
        let start = self.tested()?;
        match (start, self.partial.first_mut()) {
            (Some(passes), Some(first)) => first.passes = passes,
            _ => return Ok(()),
        }
        let Some(mut task) = count.checked_sub(1) else { return Ok(()) };
        let mut next = vec![0; count];
        while task < count {
            self.partial.truncate(count - task);
            let at = next[task];
            if at == self.items[task].len() {
                next[task] = 0;
                self.path[task] = None;
                task += 1;
                continue;
            }
            next[task] += 1;
            self.path[task] = Some(at);
            let Some(partial) = self.assigned(task, at)? else { continue };
            self.partial.push(partial);
            if task > 0 {
                task -= 1;
            } else {
                self.end();
            }
        }
        Ok(())
    }

    /// The partial design with the item on the path for `task`; `None` if no completion is of interest.
    fn assigned(&mut self, task: usize, at: usize) -> Result<Option<Partial>, Undecided> {
        let (costs, dimensions) = (&self.scenario.costs, self.limits.len() as u64);
        self.effort.take(self.weight + dimensions * (1 + self.known.found.len() as u64))?;
        let Some(above) = self.partial.last() else { return Ok(None) };
        let Candidate { wcets, locks, cost, uses, .. } = &self.items[task][at];
        let mut used = above.used.clone();
        let mut least = above.least.clone();
        for (at, least) in least.iter_mut().enumerate() {
            let assumed = self.items[task].iter().map(|one| one.cost[at]).min().unwrap_or(0);
            *least += cost[at] - assumed;
        }
        for &block in *uses {
            let (word, bit) = (block as usize / 64, 1u64 << (block % 64));
            if used[word] & bit != 0 {
                continue;
            }
            if self.shares_a_slot(&used, block as usize) {
                return Ok(None);
            }
            used[word] |= bit;
            let [built, _] = costs.of_block(block as usize);
            for (at, least) in least.iter_mut().enumerate() {
                *least += built[at] - least_of_block(costs, block as usize, at);
            }
        }
        if task == 0 {
            // The blocks that are not used are known.
            for block in (0..costs.blocks()).filter(|at| used[at / 64] >> (at % 64) & 1 == 0) {
                let [_, unbuilt] = costs.of_block(block);
                for (at, least) in least.iter_mut().enumerate() {
                    *least += unbuilt[at] - least_of_block(costs, block, at);
                }
            }
        }
        let shortest = &self.shortest[task].wcets;
        let more = |mode: usize| demand(self.scenario, mode, task, &(wcets[mode] - shortest[mode]));
        let demands = above.demands.iter().enumerate().map(|(mode, above)| above + more(mode));
        let demands: Vec<BigInt> = demands.collect();
        if !no_larger(&least, self.limits) || self.is_below(&least, demands.iter().max()) {
            return Ok(None);
        }
        let is_least = wcets == shortest && *locks == self.shortest[task].locks;
        let is_least = is_least && !(task == 0 && self.has_whole_locks);
        let passes = if is_least { Some(above.passes) } else { self.tested()? };
        Ok(passes.map(|passes| Partial { least, demands, used, passes }))
    }

    fn shares_a_slot(&self, used: &[u64], block: usize) -> bool {
        let group = |at: usize| self.scenario.sharing.elements.get(at).and_then(|element| element.group);
        let is_used = |at: &usize| used[at / 64] >> (at % 64) & 1 == 1;
        let own = group(block);
        own.is_some() && (0..self.scenario.costs.blocks()).filter(is_used).any(|at| group(at) == own)
    }

    /// Whether a known design is below all designs of at least this cost and demand.
    fn is_below(&self, least: &[u64], demand: Option<&BigInt>) -> bool {
        let cost = &least[..self.scenario.costs.objectives];
        self.known
            .found
            .iter()
            .any(|known| no_larger(&known.cost, cost) && (known.cost != cost || Some(&known.demand) < demand))
    }

    /// Tests the design on the path: `None` if it fails.
    fn tested(&mut self) -> Result<Option<Result<(), Undecided>>, Undecided> {
        let mut tasks = Vec::with_capacity(self.modes.len() * self.path.len());
        for (number, mode) in self.modes.iter().enumerate() {
            for (at, task) in mode.tasks.iter().enumerate() {
                let (wcet, locks) = match self.path[at].map(|item| &self.items[at][item]) {
                    Some(taken) => (taken.wcets[number], taken.locks[number]),
                    None => (self.shortest[at].wcets[number], self.shortest[at].locks[number]),
                };
                tasks.push(ScheduledTask::of(task, wcet, locks));
            }
        }
        let path = self.path.iter().zip(&self.items).map(|(at, items)| Some(items[(*at)?].choice));
        // Critical sections of a task with parts are as long as all of these are at least, until all are known.
        let choices = if self.has_whole_locks { path.collect::<Option<Vec<_>>>() } else { None };
        let whole: Vec<WholeTasks> = match choices {
            Some(choices) => self.modes.iter().map(|mode| scheduled_tasks(mode, &choices)).collect(),
            None => vec![WholeTasks::of(tasks, &self.modes[0].tasks)],
        };
        let tasks: Vec<ScheduledTask> = whole.iter().flat_map(WholeTasks::tasks).collect();
        match self.test.test(&tasks, self.effort) {
            Outcome::Passes => Ok(Some(Ok(()))),
            Outcome::Overload | Outcome::Fails(_) => Ok(None),
            Outcome::Undecided(spent @ Undecided::Steps(_)) => Err(spent),
            Outcome::Undecided(why) => Ok(Some(Err(why))),
        }
    }

    /// Keeps the complete design on the path.
    fn end(&mut self) {
        let Some(design) = self.partial.last() else { return };
        match design.passes {
            Ok(()) => {
                let taken = self.items.iter().zip(&self.path);
                let choices = taken.map(|(items, at)| at.and_then(|at| items[at].choice));
                self.known.add(&choices.collect::<Vec<_>>());
            }
            Err(why) => self.unsure.push((design.least[..self.scenario.costs.objectives].to_vec(), why)),
        }
    }
}

/// The demand over the hyperperiod of a task that executes for this long in a mode.
fn demand(scenario: &Formulation, mode: usize, task: usize, wcet: &BigInt) -> BigInt {
    wcet * (&scenario.hyperperiod / &modes(scenario)[mode].tasks[task].period)
}

/// The least amount of a block in a dimension, whether it is built or not.
fn least_of_block(costs: &Costs, block: usize, dimension: usize) -> u64 {
    costs.of_block(block).map(|amounts| amounts[dimension]).into_iter().min().unwrap_or(0)
}
