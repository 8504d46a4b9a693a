//! Reads tasks that are divided among equal cores, and checks that none has less area: see [`crate::shared::partition`].

use crate::cases::none_within;
use crate::shared::failure::Wrong;
use crate::shared::format::bound;
use crate::shared::limits::times;
use crate::shared::partition::{Part, Prices};
use crate::shared::problem::{Chip, MOST, Problem, TaskSet};
use crate::shared::read::Numbers;
use crate::shared::scenario::Scenario;
use crate::shared::schedule::is_schedulable_within;
use num_bigint::{BigInt, BigUint};

/// The most binary places of prices.
const MOST_SHIFT: usize = 62;

fn read_prices(numbers: &mut Numbers, tasks: usize) -> Result<Prices, Wrong> {
    let shift = numbers.within(MOST_SHIFT, "the binary places of prices")? as u32;
    let largest = numbers.small("the largest gain")?;
    numbers.meter.hold(16 * tasks as u64)?;
    let worth = (0..tasks).map(|_| numbers.small("what a task is worth"));
    Ok(Prices { shift, largest, worth: worth.collect::<Result<_, _>>()? })
}

/// A division as it is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// Its area in units, without that of the cores.
    pub area: u64,
    /// The demand on each core over a hyperperiod.
    pub demands: Vec<BigInt>,
}

/// Reads a division, sums it and tests every core. Fails if it breaks a rule or a core is not schedulable.
pub(crate) fn read_division(
    numbers: &mut Numbers,
    problem: &Problem,
    chip: &Chip,
) -> Result<Division, Wrong> {
    let wrong = |problem: String| Wrong::Point { point: 0, problem };
    let set = &problem.modes[0];
    let (tasks, count) = (problem.classes.len() as u64, problem.blocks.len());
    numbers.meter.hold(times(&[tasks, 64]))?;
    numbers.meter.work(times(&[tasks, 200 + 4 * problem.cost_words + count as u64 / 8]))?;
    let (mut cores, mut offers) = (Vec::new(), Vec::new());
    for (number, class) in problem.classes.iter().enumerate() {
        let core = numbers.within(chip.cores - 1, "the core of a task")?;
        let option = numbers.within(u32::MAX as usize, "an option")? as u32;
        let at = class.binary_search_by_key(&option, |offer| offer.option);
        let offer = at.map(|at| &class[at]);
        offers.push(offer.map_err(|_| wrong(format!("task {number} has no option {option}")))?);
        cores.push(core);
        if chip.pins[number].is_some_and(|pin| pin != core as u64) {
            return Err(wrong(format!("task {number} is pinned to another core")));
        }
    }
    numbers.meter.work(20 * chip.apart.len() as u64)?;
    if let Some((one, other)) = chip.apart.iter().find(|(one, other)| cores[*one] == cores[*other]) {
        return Err(wrong(format!("tasks {one} and {other} share a core")));
    }
    let clock = offers.iter().map(|offer| offer.clock).max().unwrap_or(0);
    let mut area: u128 = offers.iter().map(|offer| u128::from(offer.amounts[0])).sum();
    let mut of_chip = vec![false; count];
    let mut demands = Vec::new();
    for core in 0..chip.cores {
        numbers.meter.hold(32 + 8 * problem.cost_words)?;
        numbers.meter.work(100 + times(&[tasks, 20]) + 20 * count as u64)?;
        let own: Vec<usize> = (0..cores.len()).filter(|&task| cores[task] == core).collect();
        demands.push(own.iter().map(|&task| &offers[task].costs[clock]).sum());
        let mut built = vec![false; count];
        for &block in own.iter().flat_map(|&task| &offers[task].blocks) {
            let block = block as usize;
            *(if chip.on_chip[block] { &mut of_chip[block] } else { &mut built[block] }) = true;
        }
        area +=
            area_of(problem, &built).ok_or_else(|| wrong(format!("a slot of core {core} has two blocks")))?;
        if own.is_empty() {
            continue;
        }
        let alone = TaskSet {
            policy: set.policy,
            tasks: own.iter().map(|&task| set.tasks[task].clone()).collect(),
            hyperperiod: set.hyperperiod.clone(),
        };
        let options: Vec<u32> = own.iter().map(|&task| offers[task].option).collect();
        match is_schedulable_within(&[alone], clock, &options, &mut numbers.meter)? {
            Some(true) => {}
            Some(false) => return Err(wrong(format!("core {core} misses a deadline"))),
            None => {
                return Err(wrong(format!("whether core {core} meets its deadlines takes too many steps")));
            }
        }
    }
    area += area_of(problem, &of_chip).ok_or_else(|| wrong("a slot of the chip has two blocks".into()))?;
    let area = u64::try_from(area).map_err(|_| wrong("its area is beyond 64 bits".into()))?;
    Ok(Division { area, demands })
}

/// The area of these blocks; `None` if two of them share a slot.
fn area_of(problem: &Problem, built: &[bool]) -> Option<u128> {
    let built = || problem.blocks.iter().zip(built).filter(|(_, built)| **built).map(|(block, _)| block);
    let mut slots: Vec<u64> = built().filter_map(|block| block.slot).collect();
    slots.sort_unstable();
    let is_free = slots.windows(2).all(|pair| pair[0] != pair[1]);
    is_free.then(|| built().map(|block| u128::from(block.built[0])).sum())
}

/// Reads and checks that no division has less than an area, or that there is none; returns the number of pairs.
pub(crate) fn bounded(
    numbers: &mut Numbers,
    problem: &Problem,
    chip: &Chip,
    area: Option<u64>,
) -> Result<u64, Wrong> {
    if area == Some(0) {
        return Ok(0);
    }
    let held = times(&[problem.offers, 512 + 16 * problem.cost_words]);
    let exclusive = (2 * chip.apart.len() + chip.pins.len()) as u64;
    let held = held + times(&[problem.blocks.len() as u64 + exclusive, 256]);
    numbers.meter.hold(held)?;
    let mut pairs = 0;
    for clock in 0..problem.clocks {
        pairs += check(&Part::new(problem, chip, clock, area), numbers)?;
    }
    numbers.meter.release(held);
    Ok(pairs)
}

/// Reads and checks why a part has no better design; returns the number of entries.
fn check(part: &Part, numbers: &mut Numbers) -> Result<u64, Wrong> {
    let blocks = part.problem().blocks.len() as u64;
    let exclusive = (2 * part.chip().apart.len() + part.chip().pins.len()) as u64;
    numbers
        .meter
        .work(times(&[blocks, 50 + blocks]) + times(&[part.problem().offers, 100 + 4 * exclusive]))?;
    match numbers.within(bound::BRANCH as usize, "why there is no better division")? as u64 {
        bound::TOGETHER => match part.together() {
            Some((problem, most)) => within(numbers, &problem, &most),
            None => Ok(0),
        },
        bound::PRICES => {
            let prices = read_prices(numbers, part.problem().classes.len())?;
            if !part.is_reached(&prices) {
                return Err(Wrong::Verdict("the prices do not reach the area".into()));
            }
            match part.one_core(&prices)? {
                Some((problem, most)) => within(numbers, &problem, &most),
                None => Ok(0),
            }
        }
        bound::PINNED if part.chip().pins.iter().flatten().any(|pin| *pin >= part.chip().cores as u64) => {
            Ok(0)
        }
        bound::PINNED => Err(Wrong::Verdict("every task is pinned to an existing core".into())),
        _ => {
            let block = numbers.within(MOST, "the block of a branch")?;
            numbers.meter.hold(4 * blocks)?;
            let mut pairs = 0;
            for is_built in [false, true] {
                let part = part.with(block, is_built);
                let part = part.ok_or_else(|| Wrong::Verdict(format!("block {block} is not open")))?;
                pairs += check(&part, numbers)?;
            }
            numbers.meter.release(4 * blocks);
            Ok(pairs)
        }
    }
}

/// Reads and checks lists that no selection within the capacity costs at most `most`.
fn within(numbers: &mut Numbers, problem: &Problem, most: &BigUint) -> Result<u64, Wrong> {
    Scenario::charge(problem, problem.cost_words, &mut numbers.meter)?;
    none_within(numbers, &Scenario::of(problem, 0)?, most)
}
