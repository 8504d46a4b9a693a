//! Reads why no design is schedulable, and checks it: see [`crate::shared::cases`].

use crate::lists::Asked;
use crate::shared::cases::Cases;
use crate::shared::failure::Wrong;
use crate::shared::format::reason;
use crate::shared::limits::{times, words};
use crate::shared::problem::{Offer, Problem, TaskSet};
use crate::shared::read::Numbers;
use crate::shared::reason::{Reason, moment_scenario};
use crate::shared::scenario::Scenario;
use num_bigint::{BigInt, BigUint};

/// Steps to move an option between parts and to look it up.
const MOVE: u64 = 100;
/// Bytes per option: of an open node, of which there are no more than options, and of moving it between two parts.
const OPTION: u64 = 128 + 2 * size_of::<Offer>() as u64;

/// Reads what [`Cases::divide`] takes, and divides the current case.
fn divide(numbers: &mut Numbers, cases: &mut Cases) -> Result<(), Wrong> {
    let class = numbers.within(cases.problem().classes.len().saturating_sub(1), "the task of a case")?;
    let offers = cases.problem().classes.get(class).map_or(0, Vec::len);
    numbers.meter.work(MOVE + times(&[offers as u64, 2 * MOVE]))?;
    let mut listed = Vec::new();
    for _ in 0..numbers.within(offers, "the number of options of a case")? {
        listed.push(numbers.within(u32::MAX as usize, "an option of a case")? as u32);
    }
    cases.divide(class, &listed)
}

/// Reads and checks that no design of any variant within the limits is schedulable; returns the number of entries.
pub(crate) fn none_schedulable(numbers: &mut Numbers, problem: &mut Problem) -> Result<u64, Wrong> {
    let mut entries = none_of_variant(numbers, problem)?;
    for variant in &mut problem.others {
        entries += none_of_variant(numbers, variant)?;
    }
    Ok(entries)
}

fn none_of_variant(numbers: &mut Numbers, problem: &mut Problem) -> Result<u64, Wrong> {
    let mut entries = 0;
    for clock in 0..problem.clocks {
        let held = times(&[problem.offers, OPTION]);
        numbers.meter.hold(held)?;
        let mut cases = Cases::new(problem);
        loop {
            match read(numbers, cases.problem())? {
                None => {
                    divide(numbers, &mut cases)?;
                    continue;
                }
                Some(why) => entries += fails(numbers, cases.problem(), clock, &why)?,
            }
            if !cases.advance() {
                break;
            }
        }
        numbers.meter.release(held);
    }
    Ok(entries)
}

/// Reads a reason, and the mode that it is about; `None` if cases follow.
fn read(numbers: &mut Numbers, problem: &Problem) -> Result<Option<(Reason, usize)>, Wrong> {
    let kind = numbers.within(reason::LAST as usize, "the reason")? as u64;
    if kind == reason::CASES {
        return Ok(None);
    }
    // The scheduler and the tasks are the same in all modes.
    let why = Reason::read(numbers, kind, &problem.modes[0])?;
    let has_mode = problem.modes.len() > 1 && why != Reason::Overload;
    let mode = if has_mode { numbers.within(problem.modes.len() - 1, "the mode of the reason")? } else { 0 };
    Ok(Some((why, mode)))
}

/// Reads and checks that all designs of a clock fail for this reason; returns the number of entries.
fn fails(
    numbers: &mut Numbers,
    problem: &Problem,
    clock: usize,
    (why, mode): &(Reason, usize),
) -> Result<u64, Wrong> {
    // All that is held for a reason is freed after it.
    let held = numbers.meter.held();
    if *why == Reason::Overload {
        Scenario::charge(problem, problem.cost_words, &mut numbers.meter)?;
        let scenario = &Scenario::of(problem, clock)?;
        let entries = none_within(numbers, scenario, &problem.hyperperiod)?;
        numbers.meter.release(numbers.meter.held() - held);
        return Ok(entries);
    }
    let set = &problem.modes[*mode];
    let longest = longest(problem);
    let tasks = set.tasks.len() as u64;
    if matches!(why, Reason::Late(..)) {
        numbers.meter.work(times(&[tasks, 200 + times(&[why.words() + longest, longest, 4])]))?;
    }
    let most = why.most_times(set);
    numbers.meter.hold(times(&[most, 64 + 8 * (why.words() + longest + 1)]))?;
    numbers.meter.work(times(&[most, 50]))?;
    numbers.meter.work(times(&[problem.options(), 50 + problem.cost_words]))?;
    let least: Vec<Option<&BigUint>> =
        (0..set.tasks.len()).map(|at| least_wcet(problem, set, clock, at)).collect();
    let factors = longest + least.iter().flatten().map(|wcet| words(wcet)).max().unwrap_or(0);
    let mut entries = 0;
    let of_times = numbers.meter.held();
    for moment in why.moments(set)? {
        numbers.meter.release(numbers.meter.held() - of_times);
        let time = words(&moment.time);
        numbers.meter.work(times(&[tasks, 200 + times(&[time, factors, 4])]))?;
        let jobs = least.iter().zip(&moment.jobs);
        if jobs.filter_map(|(wcet, jobs)| Some((*wcet)? * jobs)).sum::<BigUint>() > moment.time {
            continue;
        }
        Scenario::charge(problem, problem.cost_words + time, &mut numbers.meter)?;
        let scenario = &moment_scenario(problem, set, clock, &moment);
        entries += none_within(numbers, scenario, &moment.time)?;
    }
    numbers.meter.release(numbers.meter.held() - held);
    Ok(entries)
}

/// Reads and checks lists that no design costs at most `most`; returns the number of entries.
pub(crate) fn none_within(numbers: &mut Numbers, scenario: &Scenario, most: &BigUint) -> Result<u64, Wrong> {
    let most = scenario.above_least(&BigInt::from(most.clone()));
    most.map_or(Ok(0), |most| Asked { scenario, most: Some(&most), claimed: &[] }.check(numbers))
}

/// The least WCET that a case leaves a task at a clock, if it leaves any.
fn least_wcet<'a>(problem: &Problem, set: &'a TaskSet, clock: usize, task: usize) -> Option<&'a BigUint> {
    let fits = |offer: &&Offer| offer.clock <= clock && problem.allows(&offer.amounts);
    let offers = problem.classes[task].iter().filter(fits);
    offers.map(|offer| &set.tasks[task].wcets[clock][offer.option as usize]).min()
}

/// The most machine words of a period or deadline.
fn longest(problem: &Problem) -> u64 {
    let all = problem.modes.iter().flat_map(|set| &set.tasks);
    all.flat_map(|task| [&task.period, &task.deadline]).map(words).max().unwrap_or(1)
}
