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
use super::candidate::hold_no_longer;
use super::effort::{Effort, Undecided, weight};
use super::outcome::Outcome;
use super::task::{ScheduledTask, WholeTasks, scheduled_tasks};
use isx_exact::order;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Element, Goal, Item, Problem};
use isx_taskset::formulate::{Formulation, TimedLock, TimedTask};
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

/// Whether `one` is no larger than `other` in any component.
fn no_larger(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one <= other)
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
        let Some(problem) = scenario.resource_problem(Goal::Front) else { break };
        if problem.classes.iter().any(Vec::is_empty) {
            continue;
        }
        let mut search = Search::new(&scenario, &problem, &mut all, effort);
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

/// An item, and the demand and the critical sections of its task with it in every mode.
struct Candidate<'a> {
    item: &'a Item,
    demands: Vec<BigInt>,
    locks: Vec<&'a [TimedLock]>,
}

/// The least that a task may execute, in every mode: the WCET, the critical sections, and the demand.
struct Least<'a> {
    wcets: Vec<&'a BigInt>,
    locks: Vec<&'a [TimedLock]>,
    demands: Vec<BigInt>,
}

struct Search<'a, 'k, 'n> {
    modes: &'a [Formulation],
    problem: &'a Problem,
    test: Analysis<'a>,
    /// The items of each task that no other one dominates.
    items: Vec<Vec<Candidate<'a>>>,
    /// What each task executes at least with one of them.
    shortest: Vec<Least<'a>>,
    /// Whether tasks with parts have critical sections.
    has_whole_locks: bool,
    /// The item of each task that is assigned.
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
        problem: &'a Problem,
        known: &'k mut Known<'n>,
        effort: &'k mut Effort,
    ) -> Self {
        let modes = modes(scenario);
        let candidates = |(at, items): (usize, &'a Vec<Item>)| {
            let all = items.iter().map(|item| Candidate {
                item,
                demands: modes
                    .iter()
                    .map(|mode| {
                        let task = &mode.tasks[at];
                        task.wcet_with(choice(item)) * (&scenario.hyperperiod / &task.period)
                    })
                    .collect(),
                locks: modes.iter().map(|mode| mode.tasks[at].locks_with(choice(item))).collect(),
            });
            undominated(all.collect(), &problem.elements)
        };
        let items: Vec<Vec<Candidate>> = problem.classes.iter().enumerate().map(candidates).collect();
        let shortest = |(at, items): (usize, &Vec<Candidate<'a>>)| {
            let wcet = |mode: &'a Formulation| {
                let wcets = items.iter().map(|one| mode.tasks[at].wcet_with(choice(one.item)));
                wcets.min().unwrap_or(&mode.tasks[at].wcet)
            };
            let least = |mode: usize| items.iter().map(|one| &one.demands[mode]).min().cloned();
            Least {
                wcets: modes.iter().map(wcet).collect(),
                locks: modes.iter().map(|mode| mode.tasks[at].locks.least.as_slice()).collect(),
                demands: (0..modes.len()).map(|mode| least(mode).unwrap_or_default()).collect(),
            }
        };
        let shortest: Vec<Least> = items.iter().enumerate().map(shortest).collect();
        let mut least = vec![0; problem.limits.len()];
        for (at, least) in least.iter_mut().enumerate() {
            let of_items = items.iter().filter_map(|items| items.iter().map(|one| one.item.cost[at]).min());
            let of_elements =
                problem.elements.iter().map(|element| element.built[at].min(element.unbuilt[at]));
            *least = of_items.chain(of_elements).sum();
        }
        let in_mode = |mode: usize| shortest.iter().map(|least| &least.demands[mode]).sum();
        let start = Partial {
            least,
            demands: (0..modes.len()).map(in_mode).collect(),
            used: vec![0; problem.elements.len().div_ceil(64)],
            passes: Ok(()),
        };
        let has_parts = |rows: &[TimedTask]| rows.iter().any(|row| row.is_part);
        let has_locks = |rows: &[TimedTask]| rows.iter().any(|row| !row.locks.most.is_empty());
        Self {
            modes,
            problem,
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
        let dimensions = self.problem.limits.len() as u64;
        self.effort.take(self.weight + dimensions * (1 + self.known.found.len() as u64))?;
        let Some(above) = self.partial.last() else { return Ok(None) };
        let Candidate { item, demands: own, locks } = &self.items[task][at];
        let mut used = above.used.clone();
        let mut least = above.least.clone();
        for (at, least) in least.iter_mut().enumerate() {
            let assumed = self.items[task].iter().map(|one| one.item.cost[at]).min().unwrap_or(0);
            *least += item.cost[at] - assumed;
        }
        for &block in &item.uses {
            let (word, bit) = (block as usize / 64, 1u64 << (block % 64));
            if used[word] & bit != 0 {
                continue;
            }
            let element = &self.problem.elements[block as usize];
            if element.group.is_some() && self.shares_a_slot(&used, element) {
                return Ok(None);
            }
            used[word] |= bit;
            for (at, least) in least.iter_mut().enumerate() {
                *least += element.built[at] - element.built[at].min(element.unbuilt[at]);
            }
        }
        if task == 0 {
            // The blocks that are not used are known.
            let unused = self.problem.elements.iter().enumerate();
            for (_, element) in unused.filter(|(at, _)| used[at / 64] >> (at % 64) & 1 == 0) {
                for (at, least) in least.iter_mut().enumerate() {
                    *least += element.unbuilt[at] - element.built[at].min(element.unbuilt[at]);
                }
            }
        }
        let shortest = &self.shortest[task].demands;
        let demands = above.demands.iter().zip(own).zip(shortest);
        let demands: Vec<BigInt> = demands.map(|((above, own), shortest)| above + own - shortest).collect();
        if !no_larger(&least, &self.problem.limits) || self.is_below(&least, demands.iter().max()) {
            return Ok(None);
        }
        let is_least = own == shortest && *locks == self.shortest[task].locks;
        let is_least = is_least && !(task == 0 && self.has_whole_locks);
        let passes = if is_least { Some(above.passes) } else { self.tested()? };
        Ok(passes.map(|passes| Partial { least, demands, used, passes }))
    }

    fn shares_a_slot(&self, used: &[u64], element: &Element) -> bool {
        let others = self.problem.elements.iter().enumerate();
        others
            .into_iter()
            .any(|(at, other)| used[at / 64] >> (at % 64) & 1 == 1 && other.group == element.group)
    }

    /// Whether a known design is below all designs of at least this cost and demand.
    fn is_below(&self, least: &[u64], demand: Option<&BigInt>) -> bool {
        let cost = &least[..self.problem.objectives];
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
                    Some(taken) => (task.wcet_with(choice(taken.item)), taken.locks[number]),
                    None => (self.shortest[at].wcets[number], self.shortest[at].locks[number]),
                };
                tasks.push(ScheduledTask::of(task, wcet, locks));
            }
        }
        let path = self.path.iter().zip(&self.items).map(|(at, items)| Some(choice(items[(*at)?].item)));
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
                let choices = taken.map(|(items, at)| at.and_then(|at| choice(items[at].item)));
                self.known.add(&choices.collect::<Vec<_>>());
            }
            Err(why) => self.unsure.push((design.least[..self.problem.objectives].to_vec(), why)),
        }
    }
}

fn choice(item: &Item) -> Option<u32> {
    (item.number != NO_ITEM).then_some(item.number)
}

/// The items that no other item of the class makes needless: one that costs no more, is no slower in any mode, holds no lock
/// longer and uses no further block, and differs in one of these or comes first. With several modes a design may be no better for a lower
/// WCET, where another mode has the largest demand; then of two items of equal cost both are needed unless the better
/// one comes first.
fn undominated<'a>(items: Vec<Candidate<'a>>, elements: &[Element]) -> Vec<Candidate<'a>> {
    // A block that frees a resource is not only a cost.
    let is_cost = elements.iter().all(|element| no_larger(&element.unbuilt, &element.built));
    let fewer = |one: &Item, other: &Item| match is_cost {
        true => one.uses.iter().all(|block| other.uses.contains(block)),
        false => one.uses == other.uses,
    };
    let better = |(one_at, first): (usize, &Candidate), (at, second): (usize, &Candidate)| {
        let (one, item) = (first.item, second.item);
        let no_slower = first.demands.iter().zip(&second.demands).all(|(one, other)| one <= other);
        let is_faster = first.demands.len() == 1 && first.demands != second.demands;
        no_larger(&one.cost, &item.cost)
            && no_slower
            && first.locks.iter().zip(&second.locks).all(|(one, other)| hold_no_longer(one, other))
            && fewer(one, item)
            && (one_at < at || one.cost != item.cost || is_faster)
    };
    let needed =
        |at: usize| !items.iter().enumerate().any(|other| other.0 != at && better(other, (at, &items[at])));
    let needed: Vec<bool> = (0..items.len()).map(needed).collect();
    items.into_iter().zip(needed).filter_map(|(one, needed)| needed.then_some(one)).collect()
}
