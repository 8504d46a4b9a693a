//! Reads the problem of a certificate, of each kind.

use crate::failure::Wrong;
use crate::format::problem as kinds;
use crate::limits::{Limits, Meter, times, words};
use crate::problem::{
    Block, Chip, Kind, MOST, MOST_BITS, MOST_MODES, OFFER_STEPS, Offer, Policy, Problem, Task, TaskSet,
    Variant, hash,
};
use crate::read::Numbers;
use crate::resources::{Resources, read_amounts};
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
            kinds::TASK_SET => task_set(&mut numbers, false)?,
            kinds::RESOURCES => task_set(&mut numbers, true)?,
            kinds::VARIANTS => variants(&mut numbers)?,
            kinds::MODES => modes(&mut numbers)?,
            kinds::CORES => cores(&mut numbers)?,
            kinds::MCKP => mckp(&mut numbers)?,
            kinds::KNAPSACK => knapsack(&mut numbers, false)?,
            _ => knapsack(&mut numbers, true)?,
        };
        numbers.end().map_err(|_| Wrong::Problem("it ends before its bytes do".into()))?;
        problem.hash = hash(bytes);
        *meter = numbers.meter;
        Ok(problem)
    }
}

/// Charges an option whose costs, one per clock, have this many machine words.
fn hold_offer(numbers: &mut Numbers, clocks: usize, words: u64) -> Result<(), Wrong> {
    numbers.meter.work(OFFER_STEPS)?;
    numbers.meter.hold(OFFER + clocks as u64 * (2 * NUMBER + 16 * words))
}

fn mckp(numbers: &mut Numbers) -> Result<Problem, Wrong> {
    let capacity = numbers.small("the capacity")?;
    let optional = numbers.flag("the rule of choice")?;
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    for _ in 0..numbers.within(MOST, "the number of classes")? {
        numbers.meter.hold(CLASS)?;
        let mut class: Vec<Offer> = optional.then(nothing).into_iter().collect();
        for item in 1..=numbers.within(MOST, "the number of items")? {
            let value = numbers.signed("a value")?;
            let weight = numbers.small("a weight")?;
            hold_offer(numbers, 1, words(value.magnitude()))?;
            leaves_out |= weight > capacity;
            class.extend(item_offer(item, -value, weight, capacity));
        }
        classes.push(class);
    }
    Ok(Problem::plain(Kind::Mckp { optional }, capacity, classes, leaves_out))
}

fn knapsack(numbers: &mut Numbers, is_signed: bool) -> Result<Problem, Wrong> {
    let capacity = numbers.small("the capacity")?;
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    for _ in 0..numbers.within(MOST, "the number of items")? {
        let profit = if is_signed { numbers.signed("a profit")? } else { numbers.big("a profit")?.into() };
        let weight = numbers.small("a weight")?;
        numbers.meter.hold(CLASS + OFFER)?;
        hold_offer(numbers, 1, words(profit.magnitude()))?;
        leaves_out |= weight > capacity;
        let mut class = vec![nothing()];
        class.extend(item_offer(1, -profit, weight, capacity));
        classes.push(class);
    }
    Ok(Problem::plain(Kind::Knapsack, capacity, classes, leaves_out))
}

fn nothing() -> Offer {
    Offer { option: 0, area: 0, further: vec![], blocks: vec![], costs: vec![BigInt::ZERO], clock: 0 }
}

fn item_offer(item: usize, cost: BigInt, area: u64, capacity: u64) -> Option<Offer> {
    let option = u32::try_from(item).ok()?;
    (area <= capacity).then(|| Offer { option, area, costs: vec![cost], ..nothing() })
}

/// A task set: with one area, or with several resources.
fn task_set(numbers: &mut Numbers, has_several: bool) -> Result<Problem, Wrong> {
    let unit =
        |numbers: &mut Numbers, what| Ok::<_, Wrong>((numbers.positive(what)?, numbers.positive(what)?));
    let (area_unit, resources) = match has_several {
        true => ((BigUint::one(), BigUint::one()), Some(Resources::read(numbers)?)),
        false => (unit(numbers, "the unit of area")?, None),
    };
    let time_unit = unit(numbers, "the unit of time")?;
    let capacity = match &resources {
        Some(resources) => resources.columns[0].limit,
        None => numbers.small("the capacity")?,
    };
    let policy = match numbers.small("the policy")? {
        0 => Policy::Edf,
        1 => Policy::FixedPriority,
        kinds::UNSTATED => Policy::Unstated,
        _ => return Err(Wrong::Problem("its policy is none that is known".into())),
    };
    let clocks = numbers.within(MOST, "the number of clocks")?;
    if clocks == 0 {
        return Err(Wrong::Problem("it has no clock".into()));
    }
    let mut blocks = Vec::new();
    let count = numbers.within(MOST, "the number of blocks")?;
    if clocks > count + 1 {
        return Err(Wrong::Problem("it has more clocks than its blocks ask for".into()));
    }
    for _ in 0..count {
        numbers.meter.hold(BLOCK)?;
        let area = numbers.small("the area of a block")?;
        let (mut further, mut unbuilt) = (Vec::new(), Vec::new());
        if let Some(resources) = &resources {
            let width = resources.columns.len();
            further = read_amounts(numbers, width - 1, "an amount of a block")?;
            unbuilt = read_amounts(numbers, width, "an amount without a block")?;
        }
        let slot = numbers.small("the slot of a block")?.checked_sub(1);
        let clock = numbers.within(clocks - 1, "the clock of a block")?;
        blocks.push(Block { area, further, unbuilt, slot, clock });
    }
    let fits = |offer: &Offer| match &resources {
        Some(Resources { columns, is_possible, .. }) => {
            *is_possible && (0..).zip(columns).all(|(at, column)| offer.amount(at) <= column.limit)
        }
        None => offer.area <= capacity,
    };
    let mut tasks = Vec::new();
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    let costs = Costs { policy, clocks, blocks: &blocks, resources: resources.as_ref() };
    for _ in 0..numbers.within(MOST, "the number of tasks")? {
        let (task, class, all) = read_task(numbers, &costs)?;
        leaves_out |= !all || !class.iter().all(fits);
        tasks.push(task);
        classes.push(class);
    }
    let hyperperiod = common_multiple(&mut tasks.iter().map(|task| &task.period), &mut numbers.meter)?;
    let longest = tasks.iter().flat_map(|task| task.wcets.iter().flatten()).map(words).max().unwrap_or(1);
    let cost_words = words(&hyperperiod) + longest;
    let offers = classes.iter().map(|class| class.len() as u64).sum();
    for (class, task) in classes.iter_mut().zip(&tasks) {
        numbers.meter.work(times(&[words(&hyperperiod), words(&task.period), 4]))?;
        let jobs = &hyperperiod / &task.period;
        for offer in class.iter_mut() {
            hold_offer(numbers, clocks, cost_words)?;
            numbers.meter.work(times(&[clocks as u64, cost_words, longest]))?;
            let wcet = |clock: &Vec<BigUint>| BigInt::from(&clock[offer.option as usize] * &jobs);
            offer.costs = task.wcets.iter().map(wcet).collect();
        }
        class.retain(fits);
    }
    let task_set = Some(TaskSet { area_unit, time_unit, policy, tasks, hyperperiod });
    Ok(Problem {
        kind: Kind::TaskSet,
        capacity,
        resources,
        clocks,
        blocks,
        classes,
        task_set,
        modes: Vec::new(),
        chip: None,
        leaves_out,
        offers,
        cost_words,
        variant: Variant::default(),
        others: Vec::new(),
        hash: [0; 32],
    })
}

/// Task sets of the same tasks, one per variant of the processor, whose areas and costs are in the same units. A processor
/// without variants, which takes an area, may have modes.
fn variants(numbers: &mut Numbers) -> Result<Problem, Wrong> {
    let offset = (numbers.big("the area of the processor")?, numbers.positive("the area of the processor")?);
    let all = numbers.within(MOST, "the number of variants")?;
    let count = numbers.within(all, "the number of variants")?;
    let mut problems: Vec<Problem> = Vec::new();
    for _ in 0..count {
        let number = numbers.within(all - 1, "a variant")?;
        let more = numbers.small("the area of a variant")?;
        let mut problem = within(numbers, "a variant", all == 1)?;
        if more > 0 && problem.resources.is_some() {
            return Err(Wrong::Problem("a variant of several resources has an area".into()));
        }
        let offset = problems.is_empty().then(|| offset.clone());
        problem.variant = Variant { number, more, offset, leaves_out: all > count };
        if problems.last().is_some_and(|last| !may_follow(last, &problem)) {
            return Err(Wrong::Problem("its variants are not in order, or differ in units or tasks".into()));
        }
        problems.push(problem);
    }
    let mut problems = problems.into_iter();
    let first = problems.next().ok_or_else(|| Wrong::Problem("it has no variant".into()))?;
    Ok(Problem { others: problems.collect(), ..first })
}

/// A task set within another problem: its length and its bytes.
fn within(numbers: &mut Numbers, what: &'static str, may_have_modes: bool) -> Result<Problem, Wrong> {
    let length = numbers.within(MOST, "the length of a task set")?;
    let bytes = numbers.exactly(length, what)?;
    let mut own = Numbers::metered(&bytes[..], numbers.meter.clone());
    let problem = match own.within(kinds::LAST as usize, "the kind of problem")? as u64 {
        kinds::TASK_SET => task_set(&mut own, false)?,
        kinds::RESOURCES => task_set(&mut own, true)?,
        kinds::MODES if may_have_modes => modes(&mut own)?,
        _ => return Err(Wrong::Problem(format!("{what} is no task set"))),
    };
    own.end().map_err(|_| Wrong::Problem(format!("{what} ends before its bytes do")))?;
    numbers.meter = own.meter;
    numbers.meter.release(length as u64);
    numbers.meter.hold(2 * size_of::<Problem>() as u64)?;
    Ok(problem)
}

/// Task sets of the same choices and blocks, one per mode. Their demands are brought to one hyperperiod.
fn modes(numbers: &mut Numbers) -> Result<Problem, Wrong> {
    let mut all: Vec<Problem> = Vec::new();
    for _ in 0..numbers.within(MOST_MODES, "the number of modes")? {
        let mode = within(numbers, "a mode", false)?;
        if !is_same_hardware(all.first().unwrap_or(&mode), &mode) {
            return Err(Wrong::Problem("its modes differ in more than times and priorities".into()));
        }
        all.push(mode);
    }
    let own_words = all.iter().map(|mode| mode.cost_words).max().unwrap_or(0);
    let sets: Vec<TaskSet> = all.iter_mut().filter_map(|mode| mode.task_set.take()).collect();
    let mut lengths = sets.iter().map(|set| &set.hyperperiod);
    let hyperperiod = common_multiple(&mut lengths, &mut numbers.meter)?;
    let mut all = all.into_iter();
    let (Some(mut whole), Some(first)) = (all.next(), sets.first()) else {
        return Err(Wrong::Problem("it has no mode".into()));
    };
    whole.cost_words = words(&hyperperiod) + own_words;
    let mut over_all = |costs: &mut Vec<BigInt>, set: &TaskSet| {
        numbers.meter.work(times(&[costs.len() as u64, own_words + 8, words(&hyperperiod) + 8, 4]))?;
        hold_offer(numbers, costs.len(), whole.cost_words)?;
        let more = BigInt::from(&hyperperiod / &set.hyperperiod);
        costs.iter_mut().for_each(|cost| *cost *= &more);
        Ok::<_, Wrong>(())
    };
    for offer in whole.classes.iter_mut().flatten() {
        over_all(&mut offer.costs, first)?;
    }
    for (mode, set) in all.zip(&sets[1..]) {
        let own = mode.classes.into_iter().flatten();
        for (offer, Offer { mut costs, .. }) in whole.classes.iter_mut().flatten().zip(own) {
            over_all(&mut costs, set)?;
            offer.costs.append(&mut costs);
        }
    }
    let tasks = first.tasks.iter().map(|task| {
        let wcets = task.wcets.iter().flatten().map(|wcet| NUMBER + 8 * words(wcet));
        wcets.sum::<u64>() + CLASS
    });
    numbers.meter.hold(tasks.sum())?;
    numbers.meter.hold(times(&[whole.blocks.len() as u64, 16 * sets.len() as u64]))?;
    whole.blocks.iter_mut().for_each(|block| block.further = vec![0; sets.len()]);
    whole.task_set = Some(TaskSet { hyperperiod, ..first.clone() });
    whole.modes = sets;
    Ok(whole)
}

/// A task set, and the cores among which its tasks are divided.
fn cores(numbers: &mut Numbers) -> Result<Problem, Wrong> {
    let cores = numbers.within(MOST, "the number of cores")?;
    let core_area = (numbers.big("the area of a core")?, numbers.positive("the area of a core")?);
    let mut problem = within(numbers, "the set of tasks", false)?;
    let mut chip = Chip { cores, core_area, on_chip: vec![], pins: vec![], apart: vec![] };
    if cores == 0 || problem.resources.is_some() || !problem.is_unlimited() {
        return Err(Wrong::Problem("it has no core, or its designs are limited".into()));
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

/// Whether two modes have the same choices and blocks, of one area, and count in the same units.
fn is_same_hardware(one: &Problem, other: &Problem) -> bool {
    let (Some(own), Some(its)) = (&one.task_set, &other.task_set) else { return false };
    let same_offers = |(own, its): (&Vec<Offer>, &Vec<Offer>)| {
        let same = |(own, its): (&Offer, &Offer)| {
            (own.option, own.area, &own.blocks) == (its.option, its.area, &its.blocks)
        };
        own.len() == its.len() && own.iter().zip(its).all(same)
    };
    let same_block =
        |(own, its): (&Block, &Block)| (own.area, own.slot, own.clock) == (its.area, its.slot, its.clock);
    let count =
        |problem: &Problem| (problem.capacity, problem.clocks, problem.blocks.len(), problem.classes.len());
    one.resources.is_none()
        && other.resources.is_none()
        && (count(one), own.policy, one.leaves_out) == (count(other), its.policy, other.leaves_out)
        && (&own.area_unit, &own.time_unit) == (&its.area_unit, &its.time_unit)
        && one.blocks.iter().zip(&other.blocks).all(same_block)
        && one.classes.iter().zip(&other.classes).all(same_offers)
}

/// Whether a variant comes later in file order, has the same tasks but for execution times, and counts in the same units.
fn may_follow(one: &Problem, other: &Problem) -> bool {
    let (Some(own), Some(its)) = (&one.task_set, &other.task_set) else { return false };
    let same = |(own, its): (&Task, &Task)| {
        (&own.period, &own.deadline, own.rank) == (&its.period, &its.deadline, its.rank)
    };
    one.variant.number < other.variant.number
        && one.resources == other.resources
        && (&own.area_unit, &own.time_unit, own.policy) == (&its.area_unit, &its.time_unit, its.policy)
        && own.tasks.len() == its.tasks.len()
        && own.tasks.iter().zip(&its.tasks).all(same)
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

/// What the tasks of a set have in common.
struct Costs<'a> {
    policy: Policy,
    clocks: usize,
    blocks: &'a [Block],
    resources: Option<&'a Resources>,
}

/// A task, its options within the capacity, and whether none was left out.
fn read_task(numbers: &mut Numbers, costs: &Costs) -> Result<(Task, Vec<Offer>, bool), Wrong> {
    let &Costs { policy, clocks, blocks, resources } = costs;
    let width = resources.map_or(0, |resources| resources.columns.len());
    let period = numbers.positive("a period")?;
    let deadline = numbers.positive("a deadline")?;
    let rank = if policy == Policy::FixedPriority { numbers.small("a priority")? } else { 0 };
    let forced = numbers.flag("whether a choice is forced")?;
    let choices = numbers.within(u32::MAX as usize - 1, "the number of choices")?;
    if forced && choices == 0 {
        return Err(Wrong::Problem("a task without choices is forced to take one".into()));
    }
    // The execution times are included in the size of an option.
    numbers.meter.hold(CLASS + clocks as u64 * 2 * NUMBER)?;
    let (mut class, mut all) = (Vec::new(), true);
    let mut software = nothing();
    if resources.is_some() {
        software.area = numbers.small("an amount of software")?;
        software.further = read_amounts(numbers, width - 1, "an amount of software")?;
    }
    if !forced {
        class.push(software);
    }
    for option in (1..).take(choices) {
        let first = numbers.small("an area")?;
        let area = if resources.is_some() { Some(first) } else { first.checked_sub(1) };
        let further = read_amounts(numbers, width.saturating_sub(1), "an amount")?;
        let uses = numbers.within(blocks.len(), "the number of blocks of a choice")?;
        let mut used = Vec::new();
        for _ in 0..uses {
            // Once here and once in the scenarios, each growing by doubling.
            numbers.meter.hold(16)?;
            used.push(numbers.within(blocks.len().saturating_sub(1), "a block")? as u32);
        }
        if !used.is_sorted_by(|a, b| a < b) {
            return Err(Wrong::Problem("the blocks of a choice are not in order".into()));
        }
        let clock = used.iter().map(|&block| blocks[block as usize].clock).max().unwrap_or(0);
        all &= area.is_some();
        if let Some(area) = area.filter(|_| !forced || option == 1) {
            class.push(Offer { option, area, further, blocks: used, costs: Vec::new(), clock });
        }
    }
    let mut wcets = Vec::new();
    for _ in 0..clocks {
        let mut clock = Vec::new();
        for _ in 0..=choices {
            let wcet = numbers.big("an execution time")?;
            numbers.meter.work(OFFER_STEPS)?;
            numbers.meter.hold(NUMBER + 32 + 8 * words(&wcet))?;
            clock.push(wcet);
        }
        wcets.push(clock);
    }
    Ok((Task { period, deadline, rank, wcets }, class, all))
}
