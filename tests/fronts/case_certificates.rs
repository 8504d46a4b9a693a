//! Certificates of verdicts and smallest areas under short deadlines and fixed priorities, many of them proofs by cases,
//! compared with brute force: what is proved is true, also of a changed certificate, and of one put to a changed set.

use crate::certificates::{Tally, head, moved, mutants};
use crate::certified::{Judged, Question, Summed, checked, fronts_and_verdicts_are_proved};
use crate::common;
use crate::common::designs::cases;
use crate::random_deadlines::{Plain, PlainChoice, Random};
use crate::simulation::{Job, hyperperiod};
use isx::certificate::Statement;
use isx::certificate::problem::of_task_set;
use isx::formulate::formulate;
use isx::quantity::Rational;
use isx::taskset::{Scheduler, Task, TaskSet};
use isx_checker::shared::format::{claim, reason};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set under any scheduler whose tasks have choices: which of them to hasten is the question.
fn set(seed: u64) -> (Plain, Random) {
    let mut random = Random(seed ^ 0x07ee);
    let scheduler = random.pick(&Scheduler::ALL);
    let mut plain = Plain::new(if random.one_in(4) { Scheduler::Edf } else { scheduler }, &mut random);
    // Certificates contain equal ranks: all tasks have a priority of their own or none has.
    plain.given = if plain.given < 2 { 0 } else { 3 };
    for (task, choices) in plain.tasks.iter_mut().zip(&mut plain.choices) {
        if random.one_in(2) {
            task.period = random.pick(&[20, 30, 40, 60]);
            task.deadline = random.within(task.wcet, 2 * task.wcet).min(task.deadline);
        }
        while choices.len() < 2 {
            let (area, wcet) = (random.within(1, 7), random.within(1, task.wcet));
            choices.push(PlainChoice { area, wcet, uses: Vec::new() });
        }
    }
    (plain, random)
}

/// Whether EDF meets all deadlines: the demand by every time of a hyperperiod, with all tasks released at once.
fn has_no_excess(jobs: &[Job]) -> bool {
    let due = |job: &Job, time: u64| {
        time.checked_sub(job.deadline).map_or(0, |rest| (rest / job.period + 1) * job.wcet)
    };
    (1..=hyperperiod(jobs)).all(|time| jobs.iter().map(|job| due(job, time)).sum::<u64>() <= time)
}

fn judged(plain: &Plain) -> Judged {
    let summed = |design: crate::random_deadlines::Design| {
        let full = hyperperiod(&design.jobs);
        Summed {
            area: Rational::from_integer(design.area.into()),
            passes: match plain.scheduler {
                Scheduler::Edf => design.demand <= full && has_no_excess(&design.jobs),
                _ => design.passes,
            },
            utilization: Rational::new(design.demand.into(), full.into()),
        }
    };
    Judged { set: plain.task_set(), designs: plain.designs().into_iter().map(summed).collect() }
}

/// Whether a certificate of a set with one variant and one mode has a proof by cases.
fn has_cases(problem: &[u8], certificate: &[u8]) -> bool {
    let mut rest = &certificate[head(problem).len()..];
    // Of a least area of 0 nothing follows.
    let mut next = || {
        let length = rest.iter().take_while(|byte| **byte > 127).count() + 1;
        let (number, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        number.iter().rev().fold(0u64, |value, byte| value << 7 | u64::from(byte & 127))
    };
    match next() {
        claim::NOT_SCHEDULABLE => {}
        claim::LEAST_AREA => (0..2 * next()).for_each(|_| _ = next()),
        _ => return false,
    }
    // Of the first clock.
    next() == reason::CASES
}

#[test]
fn verdicts_and_smallest_areas_that_need_several_reasons_are_proved() {
    fronts_and_verdicts_are_proved(|seed| Some(judged(&set(seed).0)));
}

/// The set with one of its numbers changed.
fn changed(mut plain: Plain, random: &mut Random) -> Plain {
    let at = random.within(0, plain.tasks.len() - 1);
    let beside =
        |random: &mut Random, number: u64| if random.one_in(2) { number + 1 } else { number.max(2) - 1 };
    let (task, choices) = (&mut plain.tasks[at], &mut plain.choices[at]);
    match random.within(0, 6u32) {
        0 => task.wcet = beside(random, task.wcet),
        1 => task.deadline = beside(random, task.deadline),
        2 => task.period = random.pick(&[5, 6, 8, 10, 12, 30, 40]),
        3 => task.priority = random.within(1, 3),
        4 if !plain.blocks.is_empty() => {
            let block = random.within(0, plain.blocks.len() - 1);
            plain.blocks[block].0 = random.within(0, 8);
        }
        other if !choices.is_empty() => {
            let choice = random.within(0, choices.len() - 1);
            let choice = &mut choices[choice];
            match other {
                5 => choice.area = beside(random, choice.area),
                _ => choice.wcet = beside(random, choice.wcet),
            }
        }
        _ => task.wcet = beside(random, task.wcet),
    }
    plain
}

#[test]
fn no_change_of_a_proof_by_cases_or_of_its_set_proves_what_is_false() {
    let cases = cases(3_000);
    let [certificates, sets] = [(); 2].map(|()| Tally::default());
    let by_cases = AtomicU64::new(0);
    (0..cases).into_par_iter().for_each(|seed| {
        let (plain, mut random) = set(seed);
        let judged = judged(&plain);
        let mut other = common::Random(seed);
        let within = Question::Within(Rational::from_integer(other.within(0, 12u64).into()));
        let question = if other.one_in(3) { within } else { Question::Smallest };
        let (problem, bytes) = judged.certificate(&question);
        if !has_cases(&problem, &bytes) {
            return;
        }
        by_cases.fetch_add(1, Ordering::Relaxed);
        let proves = |judged: &Judged, problem: &[u8], mutant: &[u8]| {
            let within = judged.within(question.budget());
            checked(problem, mutant).map(|proved| assert!(within.is_true(&proved), "seed {seed}")).is_ok()
        };
        certificates.add(mutants(&problem, &bytes, &mut other, &|mutant| proves(&judged, &problem, mutant)));
        let (mut refused, mut accepted) = (0, 0);
        for _ in 0..20 {
            let beside = self::judged(&changed(plain.clone(), &mut random));
            let other = beside.problem(&question);
            let is_proved = proves(&beside, &other, &moved(&bytes, &problem, &other));
            *(if is_proved { &mut accepted } else { &mut refused }) += 1;
        }
        sets.add((refused, accepted));
    });
    let by_cases = by_cases.into_inner();
    let [(refused, same), (of_sets, accepted)] = [certificates, sets].map(Tally::total);
    println!("{by_cases} proofs by cases of {cases} sets");
    println!("of changed certificates {refused} are refused, {same} prove what is true");
    println!("of changed sets {of_sets} are refused, {accepted} are proved to be as they are");
    assert!(by_cases > cases / 50 && refused > by_cases * 80 && of_sets > by_cases * 5 && accepted > 0);
}

/// A certificate that no design is schedulable of a task that takes too long with each of many choices, by one case for
/// each of them, every one within the others of the one before.
fn deep(choices: usize) -> (Vec<u8>, Vec<u8>) {
    let task =
        (0..choices).fold(Task::new("t", 20, 10), |task, at| task.with_choice(format!("c{at}"), 0, 15));
    let problem = of_task_set(&formulate(&TaskSet::new("deep", [task]).unwrap(), None).unwrap());
    let mut bytes = head(&problem);
    bytes.push(claim::NOT_SCHEDULABLE as u8);
    for option in 0..choices {
        bytes.extend([reason::CASES as u8, 0, 1]);
        bytes.extend(match option {
            small @ ..128 => vec![small as u8],
            large => vec![large as u8 | 128, (large >> 7) as u8],
        });
        bytes.push(reason::OVERLOAD as u8);
    }
    bytes.push(reason::OVERLOAD as u8);
    (problem, bytes)
}

#[test]
fn cases_as_deep_as_there_are_choices_need_no_stack() {
    let (problem, bytes) = deep(1_000);
    let check = |bytes: &[u8]| {
        let small = std::thread::Builder::new().stack_size(1 << 17);
        std::thread::scope(|threads| {
            small.spawn_scoped(threads, || checked(&problem, bytes)).unwrap().join().unwrap()
        })
    };
    assert!(matches!(check(&bytes).unwrap().statement, Statement::NotSchedulable));
    let start = head(&problem).len();
    for end in (start..bytes.len()).step_by(97) {
        let refused = check(&bytes[..end]).unwrap_err().to_string();
        assert!(refused.contains("the file ends in the middle of"), "{refused}");
    }
}
