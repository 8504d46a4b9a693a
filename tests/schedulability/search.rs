//! Long searches and wide numbers, compared with brute force over all designs. Small sets, and searches that are cut short, are
//! judged by `tests/random`.

use crate::judge::{self, Task};
use crate::random::Random;
use isx::formulate::{Costs, Formulation, Policy, TimedChoice, TimedLocks, TimedTask};
use isx::problem::set_union::Sharing;
use isx::quantity::Rational;
use isx::schedulability::{
    Effort, Limits, NotSchedulable, SmallestArea, Undecided, Verdict, smallest_area, verdict,
};
use num_bigint::BigInt;
use num_integer::Integer;

/// A task in software, and its choices as (area, wcet).
type Choosing = (Task, Vec<(u64, i128)>);
type Choices = Vec<Option<u32>>;

fn formulation(tasks: &[Choosing]) -> Formulation {
    let timed = |((wcet, period, deadline), choices): &Choosing| {
        let choices = choices.iter().map(|&(area, wcet)| (area, wcet.into())).collect();
        timed((*wcet).into(), (*period).into(), (*deadline).into(), choices)
    };
    formulated(tasks.iter().map(timed).collect(), u64::MAX >> 2)
}

/// A task with choices of these areas and WCETs.
fn timed(
    wcet: BigInt,
    period: BigInt,
    deadline: BigInt,
    choices: Vec<(u64, BigInt)>,
) -> (TimedTask, Vec<u64>) {
    let (areas, wcets): (Vec<u64>, Vec<BigInt>) = choices.into_iter().unzip();
    let choice = |wcet| TimedChoice { wcet, locks: Vec::new() };
    let task = TimedTask {
        wcet,
        period,
        deadline,
        choices: wcets.into_iter().map(choice).collect(),
        forced: false,
        is_part: false,
        switches: Vec::new(),
        kernel: None,
        locks: TimedLocks::default(),
    };
    (task, areas)
}

/// The problem of these tasks under EDF, with designs up to an area.
fn formulated(tasks: Vec<(TimedTask, Vec<u64>)>, capacity: u64) -> Formulation {
    let (tasks, areas): (Vec<TimedTask>, Vec<Vec<u64>>) = tasks.into_iter().unzip();
    let hyperperiod = tasks.iter().fold(BigInt::from(1), |lcm, task| lcm.lcm(&task.period));
    Formulation {
        time_unit: Rational::from(BigInt::from(1)),
        variant: 0,
        variants: 0,
        base_demand: tasks.iter().map(|task| &task.wcet * (&hyperperiod / &task.period)).sum(),
        sharing: Sharing::default(),
        policy: Policy::Edf,
        clocks: Default::default(),
        costs: Costs::line(areas, capacity),
        modes: Vec::new(),
        hyperperiod,
        tasks,
    }
}

fn with_choices(tasks: &[Choosing], choices: &Choices) -> (u64, Vec<Task>) {
    let mut area = 0;
    let mut design = Vec::new();
    for (((wcet, period, deadline), options), choice) in tasks.iter().zip(choices) {
        let wcet = choice.map_or(*wcet, |choice| options[choice as usize].1);
        area += choice.map_or(0, |choice| options[choice as usize].0);
        design.push((wcet, *period, *deadline));
    }
    (area, design)
}

/// A design within the budget: area, load, and the choices from the last task to the first.
type Design = (u64, i128, Choices);

/// All designs within the budget, best first.
fn designs(tasks: &[Choosing], budget: u64) -> Vec<Design> {
    let software: Vec<Task> = tasks.iter().map(|(task, _)| *task).collect();
    let h = judge::hyperperiod(&software);
    let mut all: Vec<Design> = vec![(0, 0, Vec::new())];
    for ((wcet, period, _), options) in tasks.iter().rev() {
        let mut longer = Vec::new();
        for (area, load, choices) in &all {
            let mut add = |choice: Option<u32>, more: u64, wcet: i128| {
                if area + more <= budget {
                    let choices = choices.iter().copied().chain([choice]).collect();
                    longer.push((area + more, load + wcet * (h / period), choices));
                }
            };
            add(None, 0, *wcet);
            for (index, &(area, wcet)) in (0..).zip(options) {
                add(Some(index), area, wcet);
            }
        }
        all = longer;
    }
    all.sort();
    all
}

struct Judged {
    least: Choices,
    least_overloads: bool,
    least_passes: bool,
    smallest: Option<Choices>,
}

fn judge(tasks: &[Choosing], budget: u64) -> Judged {
    let designs = designs(tasks, budget);
    let forward = |design: &Design| design.2.iter().rev().copied().collect::<Choices>();
    let passes = |choices: &Choices| judge::meets_demand(&with_choices(tasks, choices).1);
    let least = forward(designs.iter().min_by_key(|design| design.1).unwrap());
    let design = with_choices(tasks, &least).1;
    Judged {
        least_overloads: judge::load(&design) > judge::hyperperiod(&design),
        least_passes: passes(&least),
        smallest: designs.iter().map(forward).find(passes),
        least,
    }
}

/// Checks the verdict and the smallest area.
fn check(tasks: &[Choosing], budget: u64, judged: &Judged) {
    let formulation = formulation(tasks);
    let wanted = SmallestArea { best: judged.smallest.clone(), undecided: None };
    let mut effort = Effort::new(Limits::default());
    let answer = verdict(&formulation, budget, &judged.least, None, &mut effort);
    assert_eq!(answer.smallest, wanted, "{tasks:?} {budget}");
    match answer.verdict {
        Verdict::Schedulable { choices } => {
            let (area, design) = with_choices(tasks, &choices);
            assert!(area <= budget && judge::meets_demand(&design), "{tasks:?} {budget} {choices:?}");
            assert_eq!(choices == judged.least, judged.least_passes, "{tasks:?} {budget}");
        }
        Verdict::NotSchedulable { reason } => {
            assert_eq!(judged.smallest, None, "{tasks:?} {budget}");
            assert_eq!(reason == NotSchedulable::Overload, judged.least_overloads);
        }
        Verdict::Unknown { .. } => panic!("{tasks:?} {budget}"),
    }
}

/// Up to `count` tasks. `tight` ones have a deadline far shorter than their period, so that their choices are worth
/// much for the deadline and little for the utilization.
fn random_tasks(random: &mut Random, count: i128, tight: bool) -> Vec<Choosing> {
    let count = random.within(1, count);
    let task = |index| {
        let urgent = tight && index % 3 == 0;
        let period = if urgent { random.pick(&[24, 36, 48, 72]) } else { random.pick(&[4, 6, 8, 9, 12]) };
        let wcet = random.within(1, if urgent { 5 } else { (2 * period / count).clamp(1, 9) });
        let deadline = match random.within(0, 2) {
            _ if urgent => random.within(wcet + 1, wcet + 5),
            0 => random.within(wcet.min(period), period),
            1 => random.within(period, 2 * period),
            _ => period,
        };
        let choices = random.within(0, 4);
        let choice = |_| (random.within(0, 6) as u64, random.within(1, wcet.max(2)));
        ((wcet, period, deadline), (0..choices).map(choice).collect())
    };
    (0..count).map(task).collect()
}

#[test]
fn hundreds_of_thousands_of_undominated_designs_agree_with_brute_force() {
    let mut random = Random(9);
    let (mut another_passes, mut all_fail) = (0, 0);
    for round in 0..12 {
        // Small area units give staircases too long to store completely.
        let grain = if round % 2 == 0 { 1 } else { 1000 };
        let task = |index| {
            let wcet = random.within(6, 9);
            let mut area = 0;
            let mut choice = |saved| {
                area += random.within(grain, 3 * grain) as u64;
                (area, wcet - saved)
            };
            let choices: Vec<(u64, i128)> = (1..=4).map(&mut choice).collect();
            // Three urgent tasks that contribute little utilization, so the others would use the area for it.
            let urgent = index < 3;
            let (period, deadline) = if urgent { (720, random.within(18, 24)) } else { (48, 48) };
            ((wcet, period, deadline), choices)
        };
        let tasks: Vec<Choosing> = (0..8).map(task).collect();
        let budget = random.within(14 * grain, 40 * grain) as u64;
        let judged = judge(&tasks, budget);
        check(&tasks, budget, &judged);
        another_passes += u32::from(!judged.least_passes && judged.smallest.is_some());
        all_fail += u32::from(judged.smallest.is_none());
    }
    println!("{another_passes} {all_fail}");
    assert!(another_passes >= 3 && all_fail >= 2, "{another_passes} {all_fail}");
}

#[test]
fn wide_numbers_take_the_same_decisions() {
    let mut random = Random(11);
    let mut schedulable = 0;
    for _ in 0..500 {
        let tasks = random_tasks(&mut random, 4, true);
        let budget = random.within(0, 12) as u64;
        let judged = judge(&tasks, budget);
        for digits in [20, 60] {
            let scale = BigInt::from(10).pow(digits);
            let mut formulation = formulation(&tasks);
            formulation.hyperperiod *= &scale;
            formulation.base_demand *= &scale;
            for task in &mut formulation.tasks {
                task.period *= &scale;
                task.deadline *= &scale;
                task.wcet *= &scale;
                task.choices.iter_mut().for_each(|choice| choice.wcet *= &scale);
            }
            let found = smallest_area(&formulation, budget, None, &mut Effort::new(Limits::default()));
            assert_eq!(found, SmallestArea { best: judged.smallest.clone(), undecided: None });
        }
        schedulable += u32::from(judged.smallest.is_some());
    }
    assert!((50..450).contains(&schedulable), "{schedulable}");
}

#[test]
fn areas_up_to_the_largest_integer_are_added_without_overflow() {
    // Both tasks need their choice; together the choices exceed every area budget, or equal the largest.
    let tasks = |area: u64| -> Vec<Choosing> {
        vec![((4, 8, 6), vec![(u64::MAX, 3), (7, 5)]), ((4, 8, 6), vec![(area, 3), (3, 4)])]
    };
    for (area, wanted) in [(u64::MAX, None), (1, None), (0, Some(vec![Some(0), Some(0)]))] {
        let formulation = formulation(&tasks(area));
        for budget in [u64::MAX, u64::MAX - 1, 1, 0] {
            let mut effort = Effort::new(Limits::default());
            let found = smallest_area(&formulation, budget, None, &mut effort);
            let best = wanted.clone().filter(|_| budget == u64::MAX);
            assert_eq!(found, SmallestArea { best, undecided: None }, "{area} {budget}");
        }
    }
}

#[test]
fn reasons_say_what_to_do() {
    let reasons = [Undecided::DesignSteps(7), Undecided::Steps(7)];
    for reason in reasons.map(|reason| reason.to_string()) {
        assert!(
            reason.contains("7 steps") && (reason.contains("round") || reason.contains("lower")),
            "{reason}"
        );
    }
}
