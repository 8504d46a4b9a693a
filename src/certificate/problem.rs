//! Serializes problems to the bytes that a certificate is about. They contain all numbers of the input but no names.

use super::numbers::Numbers;
use isx_checker::shared::format::problem as kinds;
pub use isx_checker::shared::problem::hash;
use isx_exact::order;
use isx_exact::quantity::{Rational, lcm};
use isx_problems::knapsack::Knapsack;
use isx_problems::mckp::{Choice, Mckp};
use isx_taskset::formulate::{BEYOND_BUDGET, Costs, Formulation, Policy, TimedTask};
use isx_taskset::{Cores, TaskSet, TimeBase};
use num_bigint::{BigInt, BigUint};
use std::collections::HashMap;
use std::io;

/// The bytes of a problem.
fn bytes(write: impl FnOnce(&mut Numbers) -> io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut numbers = Numbers::new(&mut bytes);
    // Writing to memory does not fail.
    let _ = write(&mut numbers).and_then(|()| numbers.flush());
    bytes
}

/// The numbers of a task set, in integer units of time, would exceed the allowed memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "periods and fractions without a common measure make a hyperperiod and {wcets} execution times of more than {bits} \
     bits each; in whole units of time they may take more than the {allowed} bytes of memory that are allowed"
)]
pub struct LongNumbers {
    /// The number of execution times at all clocks together.
    pub wcets: u64,
    /// The number of bits of each such number.
    pub bits: u64,
    /// The allowed memory.
    pub allowed: u64,
}

/// Rejects a task set whose numbers in integer units of time would take more than `allowed` bytes, before computing
/// them. Fails with [`LongNumbers`].
pub fn refuse_long(set: &TaskSet, allowed: u64) -> Result<(), LongNumbers> {
    let wcets = || {
        set.tasks
            .iter()
            .flat_map(|task| task.wcets.iter().chain(task.choices.iter().flat_map(|choice| &choice.wcets)))
    };
    let switches = || set.blocks.iter().map(|block| &block.switch).chain([&set.switch]);
    let blocks = set.blocks.iter().filter_map(|block| block.fmax.as_ref());
    let variants = set.variants.iter().filter_map(|variant| variant.fmax.as_ref());
    let mut limits: Vec<&Rational> = blocks.chain(variants).collect();
    order::sort(&mut limits);
    limits.dedup();
    let slower = |fmax: &&Rational| match &set.time_base {
        TimeBase::Cycles { hertz } => Some((hertz / *fmax).denom().clone()),
        _ => None,
    };
    let clocked = (wcets().count() as u64).saturating_mul(limits.len() as u64 + 1);
    // Each number has the digits of the common denominator, and costs also those of the hyperperiod.
    let mut bits = 0;
    let mut grow = |numbers: &mut dyn Iterator<Item = BigInt>| {
        let mut multiple = BigInt::from(1);
        for number in numbers {
            multiple = lcm(&multiple, &number);
            let bits = bits + multiple.bits();
            if clocked.saturating_mul(EACH + bits / 2) > allowed {
                return Err(LongNumbers { wcets: clocked, bits, allowed });
            }
        }
        bits += multiple.bits();
        Ok(())
    };
    let times = || {
        set.tasks.iter().flat_map(|task| [task.period(), task.deadline()]).chain(wcets()).chain(switches())
    };
    grow(&mut limits.iter().filter_map(slower))?;
    grow(&mut times().map(|time| time.denom().clone()))?;
    grow(&mut set.tasks.iter().map(|task| task.period().numer().clone()))
}

/// Bytes of an execution time with the data of its choice, not counting the digits of about four long numbers.
const EACH: u64 = 300;

/// The bytes of a task set with one processor, or of one variant alone.
pub fn of_task_set(formulation: &Formulation) -> Vec<u8> {
    of_variants(std::slice::from_ref(formulation))
}

/// The bytes of a task set: `formulations` are those of the variants of its processor that the area budget allows, in file
/// order and from the same offset, at least one.
pub fn of_variants(formulations: &[Formulation]) -> Vec<u8> {
    bytes(|numbers| {
        numbers.small(kinds::TASK_SET)?;
        numbers.count(formulations.first().map_or(1, |first| first.variants.max(1)))?;
        numbers.count(formulations.len())?;
        formulations.iter().try_for_each(|formulation| {
            numbers.count(formulation.variant)?;
            processor(formulation, numbers)
        })
    })
}

/// The bytes of a task set whose tasks are divided among this many cores; `formulation` is its own, for all areas. The area
/// of a core includes its share of what is built once for the chip.
pub fn of_division(set: &TaskSet, formulation: &Formulation, cores: u32) -> Vec<u8> {
    let none = Cores::default();
    let chip = set.cores.as_ref().unwrap_or(&none);
    bytes(|numbers| {
        numbers.small(kinds::CORES)?;
        numbers.small(cores.into())?;
        numbers.ratio(&(set.area_of_cores(cores) / BigInt::from(cores)))?;
        processor(formulation, numbers)?;
        let mut blocks = 0..formulation.sharing.elements.len() as u32;
        blocks.try_for_each(|block| numbers.flag(chip.chip_blocks.contains(&block)))?;
        let mut pins = (0..formulation.tasks.len()).map(|task| chip.pin(task));
        pins.try_for_each(|pin| numbers.small(pin.map_or(0, |pin| u64::from(pin) + 1)))?;
        numbers.count(chip.apart.len())?;
        chip.apart.iter().try_for_each(|&(one, other)| numbers.amounts(&[one.into(), other.into()]))
    })
}

/// The bytes of a multiple-choice knapsack problem.
pub fn of_mckp<V: Clone + Into<BigInt>>(problem: &Mckp<V>) -> Vec<u8> {
    bytes(|numbers| {
        numbers.small(kinds::MCKP)?;
        numbers.small(problem.capacity)?;
        numbers.flag(problem.choice == Choice::Optional)?;
        numbers.count(problem.classes.len())?;
        for class in &problem.classes {
            numbers.count(class.len())?;
            for item in class {
                numbers.signed(&item.value.clone().into())?;
                numbers.small(item.weight)?;
            }
        }
        Ok(())
    })
}

/// The bytes of a 0-1 knapsack problem.
pub fn of_knapsack(problem: &Knapsack) -> Vec<u8> {
    bytes(|numbers| {
        let is_signed = problem.items.iter().any(|item| item.profit < 0);
        numbers.small(if is_signed { kinds::SIGNED_KNAPSACK } else { kinds::KNAPSACK })?;
        numbers.small(problem.capacity)?;
        numbers.count(problem.items.len())?;
        for item in &problem.items {
            match is_signed {
                true => numbers.signed(&item.profit.into())?,
                false => numbers.big(&BigUint::from(item.profit.unsigned_abs()))?,
            }
            numbers.small(item.weight)?;
        }
        Ok(())
    })
}

/// Whether a certificate of this set says who schedules it: not if jobs are delayed by more than their WCETs and those of
/// others, nor if only some of the tasks of equal period or deadline have a priority.
pub(super) fn states_deadlines(formulation: &Formulation) -> bool {
    let is_delayed = |task: &TimedTask| task.kernel.is_some() || !task.locks.most.is_empty();
    // Parts are stated as tasks of equal priority, which comes to the same unless jobs of a task may overlap.
    let may_overlap = || {
        formulation.tasks.iter().any(|task| task.is_part)
            && formulation.tasks.iter().any(|task| task.deadline > task.period)
    };
    let is_ranked = match &formulation.policy {
        Policy::FixedPriority(order) => order.is_ranked() && !may_overlap(),
        Policy::Edf => true,
    };
    is_ranked && !formulation.tasks.iter().any(is_delayed) && formulation.modes.iter().all(states_deadlines)
}

/// The tasks on a processor.
fn processor(formulation: &Formulation, numbers: &mut Numbers) -> io::Result<()> {
    let (costs, states) = (&formulation.costs, states_deadlines(formulation));
    let modes = match &formulation.modes[..] {
        [] => std::slice::from_ref(formulation),
        modes => modes,
    };
    resources(costs, numbers)?;
    numbers.ratio(&formulation.time_unit)?;
    // Tasks that tie have the same rank.
    let ranks = |mode: &Formulation| match &mode.policy {
        Policy::FixedPriority(order) if states => {
            let mut ranks: HashMap<usize, u64> =
                order.levels().map(|(at, reach)| (at, reach as u64 - 1)).collect();
            for at in (1..mode.tasks.len()).filter(|&at| mode.tasks[at].is_part) {
                ranks.extend(ranks.get(&(at - 1)).map(|&rank| (at, rank)));
            }
            Some(ranks)
        }
        _ => None,
    };
    let ranks: Vec<Option<HashMap<usize, u64>>> = modes.iter().map(ranks).collect();
    numbers.small(if states { u64::from(ranks[0].is_some()) } else { kinds::UNSTATED })?;
    let clocks = formulation.clocks.count();
    numbers.count(modes.len())?;
    numbers.count(clocks)?;
    numbers.count(formulation.sharing.elements.len())?;
    for (block, element) in formulation.sharing.elements.iter().enumerate() {
        costs.of_block(block).iter().try_for_each(|amounts| numbers.amounts(amounts))?;
        numbers.small(element.group.map_or(0, |group| u64::from(group) + 1))?;
        numbers.count(formulation.clocks.of_block(block))?;
    }
    let at_clocks: Vec<&[TimedTask]> =
        (0..clocks).flat_map(|clock| modes.iter().map(move |mode| mode.tasks_at(clock))).collect();
    numbers.count(formulation.tasks.len())?;
    for (at, task) in formulation.tasks.iter().enumerate() {
        for (mode, ranks) in modes.iter().zip(&ranks) {
            numbers.big(mode.tasks[at].period.magnitude())?;
            numbers.big(mode.tasks[at].deadline.magnitude())?;
            if let Some(ranks) = ranks {
                numbers.small(ranks.get(&at).copied().unwrap_or(u64::MAX))?;
            }
        }
        numbers.flag(task.forced)?;
        numbers.count(task.choices.len())?;
        for choice in std::iter::once(None).chain((0..task.choices.len() as u32).map(Some)) {
            let own = costs.of_choice(at, choice).iter().enumerate();
            own.map(|(dimension, amount)| {
                let limit = costs.limits.as_ref().map_or(0, |limits| limits[dimension]);
                // What the processor takes more is part of the first task.
                let more = if at == 0 { costs.more[dimension] } else { 0 };
                if *amount == BEYOND_BUDGET { limit + 1 } else { amount + more }
            })
            .try_for_each(|amount| numbers.small(amount))?;
            if let Some(number) = choice {
                let mut uses = formulation.sharing.uses_of(at, number).to_vec();
                order::sort(&mut uses);
                numbers.count(uses.len())?;
                uses.iter().try_for_each(|&block| numbers.small(block.into()))?;
            }
        }
        for tasks in &at_clocks {
            let choices = tasks[at].choices.iter().map(|choice| &choice.wcet);
            std::iter::once(&tasks[at].wcet)
                .chain(choices)
                .try_for_each(|wcet| numbers.big(wcet.magnitude()))?;
        }
    }
    Ok(())
}

/// The resources of a task set, and the limits.
fn resources(costs: &Costs, numbers: &mut Numbers) -> io::Result<()> {
    numbers.count(costs.resources.len())?;
    numbers.count(costs.objectives)?;
    for ((&resource, unit), offset) in costs.resources.iter().zip(&costs.units).zip(&costs.offset) {
        numbers.count(resource)?;
        numbers.ratio(unit)?;
        numbers.signed(offset.numer())?;
        numbers.big(offset.denom().magnitude())?;
    }
    numbers.flag(costs.limits.is_some())?;
    costs.limits.iter().try_for_each(|limits| numbers.amounts(limits))
}
