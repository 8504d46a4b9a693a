//! What-if questions: with choices forced and forbidden and WCETs scaled, the front is that of the remaining designs,
//! by brute force.

use crate::certified::{Judged, Summed};
use crate::common::Random;
use crate::common::designs::known;
use isx::explore::{Options, explore};
use isx::formulate::formulate;
use isx::quantity::Rational;
use isx::schedulability::{Effort, Limits, Outcome, SmallestWithin, schedulable};
use isx::taskset::{Block, Scheduler, Task, TaskSet, TimeBase, WhatIf};
use num_bigint::BigInt;
use num_traits::One;

/// A random set with blocks, some of them in a slot, of U about 1.
fn random_set(random: &mut Random) -> TaskSet {
    let blocks = (0..random.within(0, 4)).map(|at| {
        let block = Block::new(format!("b{at}"), random.within(0, 6));
        if random.within(0, 2) == 0 { block.in_slot("s") } else { block }
    });
    let blocks: Vec<Block> = blocks.collect();
    let count = blocks.len() as u64;
    let mut task = |at: u64| {
        let period = [4, 6, 8, 12][random.within(0, 3) as usize];
        let wcet = random.within(2, 6);
        let mut task = Task::new(format!("t{at}"), wcet, period);
        for choice in 0..random.within(0, 3) {
            let mut uses: Vec<u32> = Vec::new();
            for _ in 0..random.within(0, 2).min(count) {
                let block = random.within(0, count - 1) as u32;
                let slot = |at: &u32| blocks[*at as usize].slot.is_some();
                let taken = slot(&block) && uses.iter().any(slot);
                if !uses.contains(&block) && !taken {
                    uses.push(block);
                }
            }
            let name = format!("c{choice}");
            task = task.with_choice_using(name, uses, random.within(0, 4), random.within(1, wcet + 1));
        }
        task
    };
    let tasks: Vec<Task> = (0..4).map(&mut task).collect();
    TaskSet::with_blocks("random", blocks, tasks).unwrap()
}

/// The changes: the choice that each task is forced to take, forbidden choices and blocks, a factor.
struct Changed {
    what_if: WhatIf,
    forced: Vec<Option<Option<u32>>>,
    forbidden: Vec<Vec<bool>>,
    factor: Rational,
}

fn random_changes(set: &TaskSet, random: &mut Random) -> Changed {
    let mut what_if = WhatIf::default();
    let mut forced = vec![None; set.tasks.len()];
    let mut forbidden: Vec<Vec<bool>> =
        set.tasks.iter().map(|task| vec![false; task.choices.len()]).collect();
    for (at, task) in set.tasks.iter().enumerate() {
        let choice =
            (random.within(0, 3) as usize).checked_sub(1).filter(|&choice| choice < task.choices.len());
        let name = choice.map_or("software", |choice| task.choices[choice].name.as_str());
        match random.within(0, 5) {
            0 => {
                what_if.force(&format!("{}={name}", task.name), set).unwrap();
                forced[at] = Some(choice.map(|choice| choice as u32));
            }
            1 if choice.is_some() => {
                what_if.forbid(&format!("{}={name}", task.name), set).unwrap();
                forbidden[at][choice.unwrap()] = true;
            }
            _ => {}
        }
    }
    if !set.blocks.is_empty() && random.within(0, 3) == 0 {
        let block = random.within(0, set.blocks.len() as u64 - 1) as u32;
        what_if.forbid(&set.blocks[block as usize].name, set).unwrap();
        for (task, forbidden) in set.tasks.iter().zip(&mut forbidden) {
            for (choice, forbidden) in task.choices.iter().zip(forbidden) {
                *forbidden |= choice.uses.contains(&block);
            }
        }
    }
    let factor = Rational::new(random.within(1, 6).into(), random.within(1, 6).into());
    what_if.scale_wcets(factor.clone()).unwrap();
    Changed { what_if, forced, forbidden, factor }
}

type Design = (Rational, Rational, Vec<Option<u32>>);

/// Every remaining design, in terms of the original set.
fn designs(set: &TaskSet, changed: &Changed) -> Vec<Design> {
    let formulation = formulate(set, None).unwrap();
    let mut all = vec![vec![]];
    for (at, task) in set.tasks.iter().enumerate() {
        let options =
            (0..=task.choices.len()).map(|option| option.checked_sub(1).map(|choice| choice as u32));
        let allowed = options.filter(|&option| {
            changed.forced[at].is_none_or(|forced| forced == option)
                && option.is_none_or(|choice| !changed.forbidden[at][choice as usize])
        });
        let allowed: Vec<Option<u32>> = allowed.collect();
        let longer = all
            .iter()
            .flat_map(|design| allowed.iter().map(move |&option| [&design[..], &[option]].concat()));
        all = longer.collect();
    }
    let of = |design: Vec<Option<u32>>| {
        let area = formulation.area(&design)?;
        let utilization = formulation.utilization(&design) * &changed.factor;
        Some((area, utilization, design))
    };
    all.into_iter().filter_map(of).collect()
}

/// The choices of a design in terms of the changed set, which lacks those that are forbidden or not forced.
fn renamed(set: &TaskSet, what_if: &TaskSet, design: &[Option<u32>]) -> Vec<Option<u32>> {
    let number = |(at, choice): (usize, &Option<u32>)| {
        let name = &set.tasks[at].choices[(*choice)? as usize].name;
        let number = what_if.tasks[at].choices.iter().position(|choice| choice.name == *name);
        Some(number.unwrap() as u32)
    };
    design.iter().enumerate().map(number).collect()
}

#[test]
fn fronts_and_verdicts_are_those_of_the_designs_that_are_left() {
    let mut random = Random(11);
    let (mut forced, mut compared, mut refused) = (0, 0, 0);
    for case in 0..4000 {
        let set = random_set(&mut random);
        let changed = random_changes(&set, &mut random);
        let Ok(what_if) = changed.what_if.apply(&set) else {
            refused += 1;
            continue;
        };
        forced += usize::from(what_if.tasks.iter().any(|task| task.forced));
        // Of equals the canonical first: compared from the last task on, software first.
        let mut all = designs(&set, &changed);
        all.sort_by_key(|design| design.2.iter().rev().copied().collect::<Vec<_>>());
        let summed = |(area, utilization, choices): Design| Summed {
            area,
            passes: utilization <= Rational::one(),
            utilization,
            variant: 0,
            choices: renamed(&set, &what_if, &choices),
        };
        let designs = all.into_iter().map(summed).collect();
        compared += Judged { set: what_if.clone(), designs }.compared(case, false).front.len();
    }
    assert!(forced > 700 && compared > 8000 && refused > 20, "{forced} {compared} {refused}");
}

#[test]
fn where_utilization_does_not_decide_the_smallest_design_is_searched_among_what_is_left() {
    let mut random = Random(5);
    let mut found = 0;
    for _ in 0..1500 {
        let mut set = random_set(&mut random);
        for task in &mut set.tasks {
            let timing = task.timings[0].as_mut().unwrap();
            timing.period *= Rational::from(num_bigint::BigInt::from(3));
            timing.deadline = &timing.period * Rational::new(random.within(1, 4).into(), 4.into());
        }
        set.scheduler =
            random.pick(&[Scheduler::Edf, Scheduler::RateMonotonic, Scheduler::DeadlineMonotonic]);
        let mut changed = random_changes(&set, &mut random);
        changed.what_if.scale_wcets(Rational::one()).unwrap();
        let Ok(what_if) = changed.what_if.apply(&set) else { continue };
        let explored = explore(&what_if, &Options::default()).unwrap();
        let formulation = formulate(&set, None).unwrap();
        let passes = |design: &&Design| {
            let mut effort = Effort::new(Limits::default());
            schedulable(&formulation, &design.2, &mut effort) == Outcome::Passes
        };
        let all = designs(&set, &changed);
        let wanted = all.iter().filter(passes).map(|design| &design.0).min();
        assert_eq!(explored.smallest().map(|chosen| chosen.design.area()), wanted);
        found += usize::from(wanted.is_some());
    }
    assert!(found > 300, "{found}");
}

/// Gives some blocks a limit on the clock.
fn with_limits(mut set: TaskSet, random: &mut Random) -> TaskSet {
    set.time_base = TimeBase::Cycles { hertz: Rational::from(BigInt::from(100)) };
    for block in &mut set.blocks {
        let hertz = [None, Some(80), Some(50)][random.within(0, 2) as usize];
        block.fmax = hertz.map(|hertz: i64| Rational::from(BigInt::from(hertz)));
    }
    set.validate().unwrap();
    set
}

#[test]
fn the_smallest_area_with_each_margin_is_that_of_the_set_with_longer_wcets() {
    let mut random = Random(23);
    let percent = |percent: i64| Rational::new(percent.into(), 100.into());
    let (mut areas, mut grown, mut none, mut lowered) = (0, 0, 0, 0);
    for case in 0..1200 {
        let mut set = random_set(&mut random);
        if random.within(0, 2) == 0 {
            set = with_limits(set, &mut random);
        }
        if case % 2 == 0 {
            for task in &mut set.tasks {
                let timing = task.timings[0].as_mut().unwrap();
                timing.period *= Rational::from(BigInt::from(3));
                timing.deadline = &timing.period * Rational::new(random.within(1, 6).into(), 4.into());
            }
            set.scheduler =
                random.pick(&[Scheduler::Edf, Scheduler::RateMonotonic, Scheduler::DeadlineMonotonic]);
        }
        let mut changed = random_changes(&set, &mut random);
        changed.what_if.scale_wcets(Rational::one()).unwrap();
        let Ok(unscaled) = changed.what_if.apply(&set) else { continue };
        // The margins count from the WCETs without the margin that is asked about.
        changed.what_if.add_margin(percent(random.pick(&[0, 0, 10, 15, 20, 50]))).unwrap();
        let asked = changed.what_if.apply(&set).unwrap();
        let max_area = (random.within(0, 3) == 0).then(|| Rational::from(BigInt::from(random.within(0, 12))));
        let options = Options { max_area: max_area.clone(), ..Options::default() };
        let Ok(explored) = explore(&asked, &options) else { continue };
        assert_eq!(explored.margins.len(), 3);
        for (at, wanted) in explored.margins.iter().zip([10, 20, 30]) {
            assert_eq!(at.margin, percent(wanted));
            let mut longer = WhatIf::default();
            longer.add_margin(percent(wanted)).unwrap();
            let longer = formulate(&longer.apply(&set).unwrap(), None).unwrap();
            let passes = |design: &&Design| {
                let mut effort = Effort::new(Limits::default());
                schedulable(&longer, &design.2, &mut effort) == Outcome::Passes
            };
            let all = designs(&set, &changed);
            let within = |design: &&Design| max_area.as_ref().is_none_or(|most| design.0 <= *most);
            let smallest = all.iter().filter(within).filter(passes).map(|design| &design.0).min();
            let what_if = &asked.what_if;
            let found = known(&at.smallest);
            assert_eq!(found, smallest, "{wanted} % of {set:?} after {what_if:?}");
            let own = explored.smallest().map(|chosen| chosen.design.area());
            areas += usize::from(found.is_some());
            grown += usize::from(found > own);
            none += usize::from(found.is_none());
            lowered += usize::from(found.is_some() && (own.is_none() || found < own));
            if asked.margin == percent(wanted) {
                assert_eq!(found, own);
            }
        }
        // The front of the set without the margin says the same.
        if let Ok(own) = explore(&unscaled, &options) {
            assert_eq!(own.margins, explored.margins);
        }
    }
    assert!(areas > 800 && grown > 100 && none > 300 && lowered > 10, "{areas} {grown} {none} {lowered}");
}

#[test]
fn a_margin_that_takes_too_long_to_decide_is_not_known() {
    let mut random = Random(31);
    let mut unknown = 0;
    for _ in 0..300 {
        let mut set = random_set(&mut random);
        for task in &mut set.tasks {
            let timing = task.timings[0].as_mut().unwrap();
            timing.period *= Rational::from(BigInt::from(3));
            timing.deadline = &timing.period * Rational::new(3.into(), 4.into());
        }
        let all = explore(&set, &Options::default()).unwrap();
        let limits = Limits { steps: random.within(1, 400), design_steps: 200 };
        let some = explore(&set, &Options { limits, ..Options::default() }).unwrap();
        for (some, all) in some.margins.iter().zip(&all.margins) {
            match &some.smallest {
                SmallestWithin::Unknown(why) => {
                    assert!(why.contains("did not end within"), "{why}");
                    unknown += 1;
                }
                decided => assert_eq!(decided, &all.smallest),
            }
        }
    }
    assert!(unknown > 100, "{unknown}");
}
