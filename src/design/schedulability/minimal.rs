//! The minimal costs in several resources at which some design is schedulable.
//!
//! A cost is minimal if some schedulable design has it and none costs no more of every objective and less of one. If
//! utilization alone decides, these are costs of the front: a schedulable point that no other schedulable point is
//! below. Otherwise all designs are searched depth first, from the last task to the first, each with its choices in
//! canonical order. A partial design is pruned if
//!
//! - its cost, with the least cost of every remaining task, exceeds a limit or is above a cost already found, or
//! - it fails the scheduler's test with the shortest WCET of every remaining task: lowering a WCET never makes a
//!   schedulable set unschedulable (see the module `analysis`).
//!
//! Of the schedulable designs of one minimal cost the answer names the one of least utilization, then of least costs in
//! the resources that are no objectives (lexicographically), then the canonical one.
//!
//! Worked instance: two tasks (E, P, D) = (4, 16, 5), (3, 4, 4) with one choice each, WCET 2, which costs 1 LUT in the
//! first task and 1 DSP in the second. Software fails at time 5, where dbf = 4 + 3. With the first choice alone dbf(4) =
//! 3 and dbf(5) = 5: it passes, at (1, 0); with the second alone dbf(5) = 6 fails. So (1, 0) is the only minimal cost.

use super::analysis::Analysis;
use super::effort::{Effort, Undecided, weight};
use super::outcome::Outcome;
use super::task::ScheduledTask;
use isx_exact::order;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Element, Goal, Item, Problem};
use isx_taskset::formulate::Formulation;
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
    /// The demand over the hyperperiod at the design's own clock.
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
        let objectives = self.formulation.costs.as_ref().map_or(0, |costs| costs.objectives);
        let Some(mut cost) = self.formulation.amounts(choices) else { return };
        let others = cost.split_off(objectives);
        let tasks = self.formulation.tasks_of(choices).iter().zip(choices);
        let demand = tasks
            .map(|(task, &choice)| task.wcet_with(choice) * (&self.formulation.hyperperiod / &task.period));
        let found =
            Found { cost, demand: demand.sum(), others, choices: choices.iter().rev().copied().collect() };
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
    /// The least demand of its completions, at the clock of the scenario.
    demand: BigInt,
    /// One bit per block, set if it is used.
    used: Vec<u64>,
    /// Whether it passes the test with the shortest WCETs of the remaining tasks; `Err` if that was not decided.
    passes: Result<(), Undecided>,
}

struct Search<'a, 'k, 'n> {
    scenario: &'a Formulation,
    problem: &'a Problem,
    test: Analysis<'a>,
    /// The items of each task that no other one dominates.
    items: Vec<Vec<&'a Item>>,
    /// The position of the fastest of them.
    fastest: Vec<usize>,
    /// The item of each task: those assigned so far, and the fastest of the others.
    path: Vec<usize>,
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
        let items: Vec<Vec<&Item>> =
            problem.classes.iter().map(|items| undominated(items, &problem.elements)).collect();
        let fastest = |items: &Vec<&Item>| {
            let values = items.iter().enumerate().rev();
            values.max_by(|a, b| a.1.value.cmp(&b.1.value)).map_or(0, |(at, _)| at)
        };
        let fastest: Vec<usize> = items.iter().map(fastest).collect();
        let mut least = vec![0; problem.limits.len()];
        for (at, least) in least.iter_mut().enumerate() {
            let of_items = items.iter().filter_map(|items| items.iter().map(|item| item.cost[at]).min());
            let of_elements =
                problem.elements.iter().map(|element| element.built[at].min(element.unbuilt[at]));
            *least = of_items.chain(of_elements).sum();
        }
        let demand = items.iter().zip(&fastest).map(|(items, &at)| &items[at].value).sum::<BigInt>();
        let start = Partial {
            least,
            demand: &scenario.base_demand - demand,
            used: vec![0; problem.elements.len().div_ceil(64)],
            passes: Ok(()),
        };
        Self {
            scenario,
            problem,
            test: Analysis::new(scenario),
            path: fastest.clone(),
            items,
            fastest,
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
                self.path[task] = self.fastest[task];
                task += 1;
                continue;
            }
            next[task] += 1;
            self.path[task] = at;
            let Some(partial) = self.assigned(task)? else { continue };
            self.partial.push(partial);
            if task > 0 {
                task -= 1;
            } else {
                self.end();
            }
        }
        Ok(())
    }

    /// The partial design with the item on the path for `task`; `None` if no completion is worth a look.
    fn assigned(&mut self, task: usize) -> Result<Option<Partial>, Undecided> {
        let dimensions = self.problem.limits.len() as u64;
        self.effort.take(self.weight + dimensions * (1 + self.known.found.len() as u64))?;
        let Some(above) = self.partial.last() else { return Ok(None) };
        let (item, fastest) = (self.items[task][self.path[task]], self.items[task][self.fastest[task]]);
        let mut used = above.used.clone();
        let mut least = above.least.clone();
        for (at, least) in least.iter_mut().enumerate() {
            let assumed = self.items[task].iter().map(|item| item.cost[at]).min().unwrap_or(0);
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
        let demand = &above.demand + &fastest.value - &item.value;
        if !no_larger(&least, &self.problem.limits) || self.is_below(&least, &demand) {
            return Ok(None);
        }
        let is_fastest = item.value == fastest.value;
        let passes = if is_fastest { Some(above.passes) } else { self.tested()? };
        Ok(passes.map(|passes| Partial { least, demand, used, passes }))
    }

    fn shares_a_slot(&self, used: &[u64], element: &Element) -> bool {
        let others = self.problem.elements.iter().enumerate();
        others
            .into_iter()
            .any(|(at, other)| used[at / 64] >> (at % 64) & 1 == 1 && other.group == element.group)
    }

    /// Whether a known design is below all designs of at least this cost and demand.
    fn is_below(&self, least: &[u64], demand: &BigInt) -> bool {
        let cost = &least[..self.problem.objectives];
        self.known
            .found
            .iter()
            .any(|known| no_larger(&known.cost, cost) && (known.cost != cost || known.demand < *demand))
    }

    /// Tests the design on the path: `None` if it fails.
    fn tested(&mut self) -> Result<Option<Result<(), Undecided>>, Undecided> {
        let tasks = self.scenario.tasks.iter().zip(self.items.iter().zip(&self.path));
        let tasks =
            tasks.map(|(task, (items, &at))| ScheduledTask::of(task, task.wcet_with(choice(items[at]))));
        match self.test.test(&tasks.collect::<Vec<_>>(), self.effort) {
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
                let choices = self.items.iter().zip(&self.path).map(|(items, &at)| choice(items[at]));
                self.known.add(&choices.collect::<Vec<_>>());
            }
            Err(why) => self.unsure.push((design.least[..self.problem.objectives].to_vec(), why)),
        }
    }
}

fn choice(item: &Item) -> Option<u32> {
    (item.number != NO_ITEM).then_some(item.number)
}

/// The items that no other item of the class makes needless: one that costs no more, is no slower and uses no further
/// block, and differs in one of these or comes first.
fn undominated<'a>(items: &'a [Item], elements: &[Element]) -> Vec<&'a Item> {
    // A block that frees a resource is not only a cost.
    let is_cost = elements.iter().all(|element| no_larger(&element.unbuilt, &element.built));
    let fewer = |one: &Item, other: &Item| match is_cost {
        true => one.uses.iter().all(|block| other.uses.contains(block)),
        false => one.uses == other.uses,
    };
    let better = |(one_at, one): (usize, &Item), (at, item): (usize, &Item)| {
        let no_worse = no_larger(&one.cost, &item.cost) && one.value >= item.value && fewer(one, item);
        no_worse && (one_at < at || one.cost != item.cost || one.value != item.value)
    };
    let needed =
        |&at: &usize| !items.iter().enumerate().any(|other| other.0 != at && better(other, (at, &items[at])));
    (0..items.len()).filter(needed).map(|at| &items[at]).collect()
}
