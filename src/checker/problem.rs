//! Reads the problem of a certificate, of each kind.

use crate::shared::failure::Wrong;
use crate::shared::format::problem as kinds;
use crate::shared::limits::{Limits, Meter, times, words};
use crate::shared::problem::{
    Block, Chip, Kind, MOST, MOST_BITS, MOST_MODES, OFFER_STEPS, Offer, Policy, Problem, Task, TaskSet, hash,
};
use crate::shared::read::Numbers;
use crate::shared::resources::{Resources, read_amounts};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

/// Bytes per class, including derived data: vectors of its options, its choice, its place.
const CLASS: u64 = 256;
/// Bytes per option, including derived data, without its costs.
const OFFER: u64 = 384;
/// Bytes of a big number, without its digits.
const NUMBER: u64 = 48;
/// Bytes per block.
const BLOCK: u64 = 128;

impl Problem {
    /// Reads the bytes of a problem. Fails if they are invalid.
    pub fn read(bytes: &[u8]) -> Result<Self, Wrong> {
        Self::read_within(bytes, &mut Meter::new(Limits::NONE))
    }

    /// As [`Problem::read`], within limits: the meter is charged for the problem and for later designs and scenarios
    /// of it. Fails as [`Problem::read`] does, and if a limit is exceeded.
    pub fn read_within(bytes: &[u8], meter: &mut Meter) -> Result<Self, Wrong> {
        let mut numbers = Numbers::metered(bytes, meter.clone());
        let mut problem = match numbers.within(kinds::LAST as usize, "the kind of problem")? as u64 {
            kinds::TASK_SET => variants(&mut numbers)?,
            kinds::CORES => cores(&mut numbers)?,
            kinds::MCKP => mckp(&mut numbers)?,
            kinds::KNAPSACK => knapsack(&mut numbers, false)?,
            _ => knapsack(&mut numbers, true)?,
        };
        numbers.end().map_err(|_| Wrong::Problem("further bytes follow its end".into()))?;
        problem.hash = hash(bytes);
        *meter = numbers.meter;
        Ok(problem)
    }
}

/// Charges an option that has this many costs of as many machine words.
fn hold_offer(numbers: &mut Numbers, costs: usize, words: u64) -> Result<(), Wrong> {
    numbers.meter.work(OFFER_STEPS)?;
    numbers.meter.hold(OFFER + costs as u64 * (2 * NUMBER + 16 * words))
}

fn mckp(numbers: &mut Numbers) -> Result<Problem, Wrong> {
    let capacity = numbers.small("the capacity")?;
    let optional = numbers.flag("the rule of choice")?;
    let mut classes = Vec::new();
    for _ in 0..numbers.within(MOST, "the number of classes")? {
        numbers.meter.hold(CLASS)?;
        let mut class: Vec<Offer> = optional.then(|| item(0, 0, BigInt::ZERO)).into_iter().collect();
        for number in 1..=numbers.within(u32::MAX as usize - 1, "the number of items")? {
            let value = numbers.signed("a value")?;
            let weight = numbers.small("a weight")?;
            hold_offer(numbers, 1, words(value.magnitude()))?;
            class.push(item(number as u32, weight, -value));
        }
        classes.push(class);
    }
    Ok(within(Problem::plain(Kind::Mckp { optional }, capacity, classes)))
}

fn knapsack(numbers: &mut Numbers, is_signed: bool) -> Result<Problem, Wrong> {
    let capacity = numbers.small("the capacity")?;
    let mut classes = Vec::new();
    for _ in 0..numbers.within(MOST, "the number of items")? {
        let profit = if is_signed { numbers.signed("a profit")? } else { numbers.big("a profit")?.into() };
        let weight = numbers.small("a weight")?;
        numbers.meter.hold(CLASS + OFFER)?;
        hold_offer(numbers, 1, words(profit.magnitude()))?;
        classes.push(vec![item(0, 0, BigInt::ZERO), item(1, weight, -profit)]);
    }
    Ok(within(Problem::plain(Kind::Knapsack, capacity, classes)))
}

/// An item, or that nothing is taken.
fn item(option: u32, weight: u64, cost: BigInt) -> Offer {
    Offer { option, amounts: vec![weight], blocks: Vec::new(), costs: vec![cost], clock: 0 }
}

/// Leaves out the options that are beyond the limits.
fn within(mut problem: Problem) -> Problem {
    let mut classes = std::mem::take(&mut problem.classes);
    for class in &mut classes {
        let all = class.len();
        class.retain(|offer| problem.allows(&offer.amounts));
        problem.leaves_out |= class.len() < all;
    }
    Problem { classes, ..problem }
}

/// A task set: one processor, or several variants of it.
fn variants(numbers: &mut Numbers) -> Result<Problem, Wrong> {
    let all = numbers.within(MOST, "the number of variants")?;
    let mut problems: Vec<Problem> = Vec::new();
    let count = numbers.within(all, "the number of variants")?;
    for _ in 0..count {
        let number = numbers.within(all - 1, "a variant")?;
        let mut problem = processor(numbers)?;
        numbers.meter.hold(2 * size_of::<Problem>() as u64)?;
        problem.variant = number;
        problem.leaves_out |= all > count;
        if problems.last().is_some_and(|last| !may_follow(last, &problem)) {
            return Err(Wrong::Problem("its variants are not in order, or differ in units or tasks".into()));
        }
        problems.push(problem);
    }
    let mut problems = problems.into_iter();
    let first = problems.next().ok_or_else(|| Wrong::Problem("it has no variant".into()))?;
    Ok(Problem { others: problems.collect(), ..first })
}

/// Whether a variant comes later in file order, has the same tasks but for execution times, and counts in the same units.
fn may_follow(one: &Problem, other: &Problem) -> bool {
    one.variant < other.variant
        && columns(one) == columns(other)
        && one.time_unit == other.time_unit
        && one.modes.iter().map(times_of).eq(other.modes.iter().map(times_of))
}

/// The resources, with any limits.
fn columns(problem: &Problem) -> Resources {
    let mut resources = problem.resources.clone();
    resources.columns.iter_mut().for_each(|column| column.limit = 0);
    Resources { is_possible: true, ..resources }
}

fn times_of(set: &TaskSet) -> (Policy, Vec<(&BigUint, &BigUint, u64)>) {
    (set.policy, set.tasks.iter().map(|task| (&task.period, &task.deadline, task.rank)).collect())
}

/// The tasks on a processor.
fn processor(numbers: &mut Numbers) -> Result<Problem, Wrong> {
    let resources = Resources::read(numbers)?;
    let time_unit = (numbers.positive("the unit of time")?, numbers.positive("the unit of time")?);
    let policy = match numbers.small("the policy")? {
        0 => Policy::Edf,
        1 => Policy::FixedPriority,
        kinds::UNSTATED => Policy::Unstated,
        _ => return Err(Wrong::Problem("its scheduling policy is unknown".into())),
    };
    let modes = numbers.within(MOST_MODES, "the number of modes")?;
    let clocks = numbers.within(MOST, "the number of clocks")?;
    if modes == 0 || clocks == 0 {
        return Err(Wrong::Problem("it has no mode or no clock".into()));
    }
    let count = numbers.within(MOST, "the number of blocks")?;
    if clocks > count + 1 {
        return Err(Wrong::Problem("it has more clocks than its blocks ask for".into()));
    }
    let width = resources.columns.len();
    let mut blocks = Vec::new();
    for _ in 0..count {
        numbers.meter.hold(BLOCK + 16 * modes as u64)?;
        let built = read_amounts(numbers, width, "the area of a block")?;
        let unbuilt = read_amounts(numbers, width, "an amount without a block")?;
        let slot = numbers.small("the slot of a block")?.checked_sub(1);
        let clock = numbers.within(clocks - 1, "the clock of a block")?;
        blocks.push(Block { built, unbuilt, slot, clock });
    }
    let mut sets: Vec<Vec<Task>> = vec![Vec::new(); modes];
    let mut classes = Vec::new();
    for _ in 0..numbers.within(MOST, "the number of tasks")? {
        let (tasks, class) = read_task(numbers, (modes, policy), clocks, (&blocks, width))?;
        sets.iter_mut().zip(tasks).for_each(|(set, task)| set.push(task));
        classes.push(class);
    }
    let mut all = Vec::new();
    for tasks in sets {
        let hyperperiod = common_multiple(&mut tasks.iter().map(|task| &task.period), &mut numbers.meter)?;
        all.push(TaskSet { policy, tasks, hyperperiod });
    }
    let hyperperiod = common_multiple(&mut all.iter().map(|set| &set.hyperperiod), &mut numbers.meter)?;
    let wcets = all.iter().flat_map(|set| &set.tasks).flat_map(|task| task.wcets.iter().flatten());
    let longest = wcets.map(words).max().unwrap_or(1);
    let cost_words = words(&hyperperiod) + longest;
    for set in &all {
        for (class, task) in classes.iter_mut().zip(&set.tasks) {
            numbers.meter.work(times(&[words(&hyperperiod), words(&task.period), 4]))?;
            let jobs = &hyperperiod / &task.period;
            for offer in class.iter_mut() {
                hold_offer(numbers, clocks, cost_words)?;
                numbers.meter.work(times(&[clocks as u64, cost_words, longest]))?;
                let wcet = |clock: &Vec<BigUint>| BigInt::from(&clock[offer.option as usize] * &jobs);
                offer.costs.extend(task.wcets.iter().map(wcet));
            }
        }
    }
    let (offers, kind) = (classes.iter().map(|class: &Vec<Offer>| class.len() as u64).sum(), Kind::TaskSet);
    let plain = Problem::plain(kind, 0, Vec::new());
    let problem = Problem { resources, clocks, blocks, classes, time_unit, modes: all, hyperperiod, ..plain };
    Ok(within(Problem { offers, cost_words, ..problem }))
}

/// A task in every mode, and its options.
fn read_task(
    numbers: &mut Numbers,
    (modes, policy): (usize, Policy),
    clocks: usize,
    (blocks, width): (&[Block], usize),
) -> Result<(Vec<Task>, Vec<Offer>), Wrong> {
    let mut tasks = Vec::new();
    for _ in 0..modes {
        numbers.meter.hold(CLASS + clocks as u64 * 2 * NUMBER)?;
        let (period, deadline) = (numbers.positive("a period")?, numbers.positive("a deadline")?);
        let rank = if policy == Policy::FixedPriority { numbers.small("a priority")? } else { 0 };
        tasks.push(Task { period, deadline, rank, wcets: Vec::new() });
    }
    let forced = numbers.flag("whether a choice is forced")?;
    let choices = numbers.within(u32::MAX as usize - 1, "the number of choices")?;
    if forced && choices == 0 {
        return Err(Wrong::Problem("a task without choices is forced to take one".into()));
    }
    let mut class = Vec::new();
    for option in (0..).take(choices + 1) {
        let amounts = read_amounts(numbers, width, "an area")?;
        let count =
            if option == 0 { 0 } else { numbers.within(blocks.len(), "the number of blocks of a choice")? };
        let mut used = Vec::new();
        for _ in 0..count {
            // Once here and once in the scenarios, each growing by doubling.
            numbers.meter.hold(16)?;
            used.push(numbers.within(blocks.len().saturating_sub(1), "a block")? as u32);
        }
        if !used.is_sorted_by(|a, b| a < b) {
            return Err(Wrong::Problem("the blocks of a choice are not in order".into()));
        }
        let clock = used.iter().map(|&block| blocks[block as usize].clock).max().unwrap_or(0);
        // A task that is forced takes one of its choices.
        if !forced || option > 0 {
            class.push(Offer { option, amounts, blocks: used, costs: Vec::new(), clock });
        }
    }
    for _ in 0..clocks {
        for task in &mut tasks {
            let mut wcets = Vec::new();
            for _ in 0..=choices {
                let wcet = numbers.big("an execution time")?;
                numbers.meter.work(OFFER_STEPS)?;
                numbers.meter.hold(NUMBER + 32 + 8 * words(&wcet))?;
                wcets.push(wcet);
            }
            task.wcets.push(wcets);
        }
    }
    Ok((tasks, class))
}

/// A task set, and the cores among which its tasks are divided.
fn cores(numbers: &mut Numbers) -> Result<Problem, Wrong> {
    let cores = numbers.within(MOST, "the number of cores")?;
    let core_area = (numbers.big("the area of a core")?, numbers.positive("the area of a core")?);
    let mut problem = processor(numbers)?;
    let mut chip = Chip { cores, core_area, on_chip: vec![], pins: vec![], apart: vec![] };
    if cores == 0 || problem.width() > 1 || problem.modes.len() > 1 || !problem.is_unlimited() {
        return Err(Wrong::Problem("it has no core, several modes, or its designs are limited".into()));
    }
    let tasks = problem.classes.len();
    numbers.meter.hold(times(&[tasks as u64, 16]) + problem.blocks.len() as u64)?;
    for _ in &problem.blocks {
        chip.on_chip.push(numbers.flag("the scope of a block")?);
    }
    for _ in 0..tasks {
        chip.pins.push(numbers.small("the core of a task")?.checked_sub(1));
    }
    for _ in 0..numbers.within(MOST, "the number of pairs apart")? {
        numbers.meter.hold(32)?;
        let mut task = || numbers.within(tasks.saturating_sub(1), "a task that is apart");
        chip.apart.push((task()?, task()?));
    }
    problem.chip = Some(chip);
    Ok(problem)
}

/// The least common multiple of these numbers.
fn common_multiple(numbers: &mut dyn Iterator<Item = &BigUint>, meter: &mut Meter) -> Result<BigUint, Wrong> {
    let mut multiple = BigUint::one();
    for number in numbers {
        meter.work(100 + times(&[words(number), words(&multiple) + number.bits(), 4]))?;
        let shared = number.gcd(&(&multiple % number));
        multiple *= number / shared;
        if multiple.bits() > MOST_BITS {
            return Err(Wrong::Problem(format!("its hyperperiod has more than {MOST_BITS} bits")));
        }
    }
    Ok(multiple)
}
