//! What-if questions: with choices forced and forbidden and WCETs scaled, the front is that of the remaining designs,
//! by brute force.

use crate::common::Random;
use crate::common::designs::known;
use isx::explore::{ExploreError, Options, check, explore};
use isx::formulate::formulate;
use isx::quantity::Rational;
use isx::schedulability::{Effort, Limits, Outcome, SmallestWithin, Verdict, schedulable};
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

/// The undominated designs, of equals the canonical: compared from the last task on, software first.
fn front(mut designs: Vec<Design>) -> Vec<Design> {
    let canonical = |design: &Design| design.2.iter().rev().copied().collect::<Vec<_>>();
    designs.sort_by(|a, b| (&a.0, &a.1, canonical(a)).cmp(&(&b.0, &b.1, canonical(b))));
    let mut kept: Vec<Design> = Vec::new();
    for design in designs {
        if kept.last().is_none_or(|last| design.1 < last.1) {
            kept.push(design);
        }
    }
    kept
}

/// The names of each task's choice.
fn names(set: &TaskSet, design: &[Option<u32>]) -> Vec<Option<String>> {
    let name =
        |(task, choice): (&Task, &Option<u32>)| choice.map(|at| task.choices[at as usize].name.clone());
    set.tasks.iter().zip(design).map(name).collect()
}

#[test]
fn the_front_is_that_of_the_designs_that_are_left() {
    let mut random = Random(11);
    let (mut forced, mut compared, mut refused) = (0, 0, 0);
    for _ in 0..4000 {
        let set = random_set(&mut random);
        let changed = random_changes(&set, &mut random);
        let Ok(what_if) = changed.what_if.apply(&set) else {
            refused += 1;
            continue;
        };
        forced += usize::from(what_if.tasks.iter().any(|task| task.forced));
        let wanted = front(designs(&set, &changed));
        let explored = explore(&what_if, &Options::default()).unwrap();
        assert!(explored.front.is_complete());
        let found: Vec<_> = explored.designs().collect();
        assert_eq!(found.len(), wanted.len());
        for ((point, design), (area, utilization, choices)) in found.iter().zip(&wanted) {
            assert_eq!((design.area(), &design.utilization), (area, utilization));
            assert_eq!(names(&what_if, &point.choices().unwrap()), names(&set, choices));
            assert_eq!(design.schedulable, Some(*utilization <= Rational::one()));
            compared += 1;
        }
        at_a_budget(&what_if, &wanted, &mut random);
    }
    assert!(forced > 700 && compared > 8000 && refused > 20, "{forced} {compared} {refused}");
}

/// The verdict within a budget, and the smallest schedulable area.
fn at_a_budget(set: &TaskSet, wanted: &[Design], random: &mut Random) {
    let budget = Rational::from(num_bigint::BigInt::from(random.within(0, 14)));
    let checked = check(set, &budget, &Options::default());
    let Some(least) = wanted.iter().rev().find(|design| design.0 <= budget) else {
        assert!(matches!(checked, Err(ExploreError::Forced { .. })), "{checked:?}");
        return;
    };
    let checked = checked.unwrap();
    assert_eq!(checked.least.design.utilization, least.1);
    let positive = matches!(checked.verdict, Verdict::Schedulable { .. });
    assert_eq!(positive, least.1 <= Rational::one());
    let smallest = wanted.iter().find(|design| design.1 <= Rational::one());
    let smallest = smallest.map_or(SmallestWithin::None, |design| SmallestWithin::At(design.0.clone()));
    assert_eq!(checked.smallest, smallest);
}

#[test]
fn where_utilization_does_not_decide_the_smallest_design_is_searched_among_what_is_left() {
    let mut random = Random(5);
    let mut found = 0;
    for _ in 0..1500 {
        let mut set = random_set(&mut random);
        for task in &mut set.tasks {
            task.period *= Rational::from(num_bigint::BigInt::from(3));
            task.deadline = &task.period * Rational::new(random.within(1, 4).into(), 4.into());
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
                task.period *= Rational::from(BigInt::from(3));
                task.deadline = &task.period * Rational::new(random.within(1, 6).into(), 4.into());
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
            task.period *= Rational::from(BigInt::from(3));
            task.deadline = &task.period * Rational::new(3.into(), 4.into());
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
