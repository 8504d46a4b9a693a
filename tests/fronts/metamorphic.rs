//! Task sets too large for brute force, changed in a way with a known effect on the front: nothing else may change.

use crate::common::designs::{Shared, cases, known, options};
use crate::common::{PlainTask, Random};
use isx::exploration::Exploration;
use isx::explore::{Options, explore};
use isx::quantity::Rational;
use isx::taskset::{Block, Choice, Scheduler, Task, TaskSet};

const PERIODS: [u64; 8] = [4, 5, 6, 8, 10, 12, 15, 20];

/// A point: area, utilization, choices, verdict.
type Told = (Rational, Rational, Vec<Option<u32>>, Option<bool>);

/// Six to twelve tasks, half of the sets with blocks and slots, utilization around 1 somewhere on the front.
fn large(random: &mut Random) -> TaskSet {
    let task = |random: &mut Random| {
        let period = random.pick(&PERIODS) * 10;
        let wcet = random.within(2, period / 4);
        let choices = (0..random.within(0, 5u32)).map(|_| (random.within(0, 60), random.within(1, wcet)));
        let choices = choices.collect();
        PlainTask { wcet, period, deadline: period, choices }
    };
    let tasks: Vec<PlainTask> = (0..random.within(6, 12u32)).map(|_| task(random)).collect();
    let mut set = Shared::new(tasks, random).task_set();
    if random.one_in(2) {
        set.blocks.clear();
        set.tasks.iter_mut().flat_map(|task| &mut task.choices).for_each(|choice| choice.uses.clear());
    }
    set
}

fn explored(set: &TaskSet) -> Exploration {
    set.validate().unwrap();
    explore(set, &options()).unwrap()
}

fn told(explored: &Exploration) -> Vec<Told> {
    let point = |(point, &verdict): (isx::front::Point<'_>, &Option<bool>)| {
        (point.area(), point.utilization(), point.choices().unwrap(), verdict)
    };
    explored.front.iter().zip(&explored.verdicts.points).map(point).collect()
}

fn smallest(explored: &Exploration) -> Option<Rational> {
    known(&explored.verdicts.smallest).map(|chosen| chosen.design.area().clone())
}

/// Changes random sets, and compares their fronts before and after.
fn compare(
    salt: u64,
    mut change: impl FnMut(&mut TaskSet, &mut Random),
    same: impl Fn(&Exploration, &Exploration),
) {
    let cases = cases(60);
    let mut points = 0;
    for seed in 0..cases {
        let random = &mut Random(seed ^ salt);
        let set = large(random);
        let mut changed = set.clone();
        change(&mut changed, random);
        let before = explored(&set);
        same(&before, &explored(&changed));
        points += before.front.len() as u64;
    }
    assert!(points > 5 * cases, "{points} points of {cases} fronts show little");
}

fn areas(set: &mut TaskSet) -> impl Iterator<Item = &mut Rational> {
    let own = set.tasks.iter_mut().flat_map(|task| &mut task.choices).map(|choice| &mut choice.cost[0]);
    own.chain(set.blocks.iter_mut().map(|block| &mut block.cost[0]))
}

fn wcets(set: &mut TaskSet) -> impl Iterator<Item = &mut Rational> {
    set.tasks.iter_mut().flat_map(|task| {
        task.wcets.iter_mut().chain(task.choices.iter_mut().flat_map(|choice| &mut choice.wcets))
    })
}

#[test]
fn areas_and_times_in_other_units_are_the_same_areas_and_times() {
    let (factor, longer) = (Rational::new(7.into(), 30.into()), Rational::new(1001.into(), 9.into()));
    let change = |set: &mut TaskSet, _: &mut Random| {
        areas(set).for_each(|area| *area *= &factor);
        wcets(set).for_each(|wcet| *wcet *= &longer);
        for task in &mut set.tasks {
            task.times_mut().for_each(|time| *time *= &longer);
        }
    };
    compare(0xa1, change, |before, after| {
        let scaled = told(before)
            .into_iter()
            .map(|(area, rest, choices, verdict)| (area * &factor, rest, choices, verdict));
        assert_eq!(told(after), scaled.collect::<Vec<_>>());
        assert_eq!(smallest(after), smallest(before).map(|area| area * &factor));
    });
}

#[test]
fn work_that_grows_by_a_factor_raises_every_utilization_by_it() {
    let factor = Rational::new(11.into(), 10.into());
    let change = |set: &mut TaskSet, _: &mut Random| wcets(set).for_each(|wcet| *wcet *= &factor);
    compare(0xa3, change, |before, after| {
        let one = Rational::from_integer(1.into());
        let grown = told(before).into_iter().map(|(area, utilization, choices, _)| {
            let utilization = utilization * &factor;
            let fits = Some(utilization <= one);
            (area, utilization, choices, fits)
        });
        assert_eq!(told(after), grown.collect::<Vec<_>>());
    });
}

#[test]
fn another_order_of_the_tasks_and_the_blocks_changes_no_figure() {
    let change = |set: &mut TaskSet, random: &mut Random| {
        for at in 1..set.tasks.len() {
            set.tasks.swap(at, random.within(0, at));
        }
        let last = (set.blocks.len() as u32).saturating_sub(1);
        set.blocks.reverse();
        let uses =
            set.tasks.iter_mut().flat_map(|task| &mut task.choices).flat_map(|choice| &mut choice.uses);
        uses.for_each(|block| *block = last - *block);
    };
    compare(0xa4, change, |before, after| {
        // Which of several equal designs is shown depends on file order.
        let figures = |explored: &Exploration| {
            told(explored)
                .into_iter()
                .map(|(area, utilization, _, verdict)| (area, utilization, verdict))
                .collect::<Vec<_>>()
        };
        assert_eq!(figures(after), figures(before));
        assert_eq!(smallest(after), smallest(before));
    });
}

#[test]
fn a_dominated_choice_and_a_block_that_nobody_uses_change_nothing() {
    let change = |set: &mut TaskSet, random: &mut Random| {
        for task in &mut set.tasks {
            let worse = |choice: &Choice| Choice {
                name: "worse".into(),
                cost: vec![&choice.cost[0] + Rational::from_integer(random.within(0, 3).into())],
                wcets: vec![&choice.wcets[0] + Rational::from_integer(random.within(0, 2).into())],
                ..choice.clone()
            };
            let worse = task.choices.last().map(worse);
            task.choices.extend(worse);
        }
        set.blocks.push(Block::new("idle", 1));
    };
    compare(0xa5, change, |before, after| {
        assert_eq!(told(after), told(before));
        assert_eq!(smallest(after), smallest(before));
    });
}

#[test]
fn twice_the_work_in_twice_the_time_is_the_same_utilization() {
    let two = Rational::from_integer(2.into());
    let change = |set: &mut TaskSet, random: &mut Random| {
        let at = random.within(0, set.tasks.len() - 1);
        let task = &mut set.tasks[at];
        task.times_mut().for_each(|time| *time *= &two);
        let Task { wcets, choices, .. } = task;
        for time in
            std::iter::once(&mut wcets[0]).chain(choices.iter_mut().map(|choice| &mut choice.wcets[0]))
        {
            *time *= &two;
        }
    };
    compare(0xa6, change, |before, after| assert_eq!(told(after), told(before)));
}

#[test]
fn one_task_more_without_choices_is_added_to_every_point() {
    let share = Rational::new(1.into(), 7.into());
    let change = |set: &mut TaskSet, random: &mut Random| {
        let at = random.within(0, set.tasks.len());
        set.tasks.insert(at, Task::new("more", 30, 210));
    };
    compare(0xa7, change, |before, after| {
        let shifted: Vec<_> =
            told(before).into_iter().map(|(area, utilization, ..)| (area, utilization + &share)).collect();
        assert_eq!(
            told(after).into_iter().map(|(area, utilization, ..)| (area, utilization)).collect::<Vec<_>>(),
            shifted
        );
    });
}

#[test]
fn a_choice_that_gets_cheaper_makes_no_point_worse() {
    let change = |set: &mut TaskSet, random: &mut Random| {
        let task = random.within(0, set.tasks.len() - 1);
        for choice in &mut set.tasks[task].choices {
            choice.cost[0] /= Rational::from_integer(2.into());
            choice.wcets[0] *= Rational::new(9.into(), 10.into());
        }
    };
    compare(0xa8, change, |before, after| {
        let after = told(after);
        for (area, utilization, ..) in told(before) {
            let within = after.iter().take_while(|point| point.0 <= area).last();
            assert!(within.is_some_and(|point| point.1 <= utilization), "worse at {area}");
        }
    });
}

#[test]
fn a_budget_at_a_point_cuts_the_front_behind_it() {
    for seed in 0..cases(60) {
        let random = &mut Random(seed ^ 0xa9);
        let set = large(random);
        let whole = told(&explored(&set));
        let at = random.within(0, whole.len() - 1);
        let cut = explore(&set, &Options { max_area: Some(whole[at].0.clone()), ..options() }).unwrap();
        assert_eq!(told(&cut), whole[..=at]);
    }
}

#[test]
fn implicit_deadlines_are_decided_alike_whether_or_not_they_are_given_as_priorities() {
    // With deadlines equal to the periods, deadline-monotonic priorities and explicit ones in the order of the
    // periods equal rate-monotonic ones; EDF schedules every design that they schedule.
    for seed in 0..cases(60) {
        let random = &mut Random(seed ^ 0xaa);
        let mut set = large(random);
        let edf = told(&explored(&set));
        let under = |scheduler, set: &mut TaskSet| {
            set.scheduler = scheduler;
            told(&explored(set))
        };
        let rate = under(Scheduler::RateMonotonic, &mut set);
        assert_eq!(under(Scheduler::DeadlineMonotonic, &mut set), rate);
        for task in &mut set.tasks {
            task.priority = Some(u32::try_from(task.period().to_integer()).unwrap());
        }
        assert_eq!(under(Scheduler::FixedPriority, &mut set), rate);
        for (fixed, edf) in rate.iter().zip(&edf) {
            assert_eq!((&fixed.0, &fixed.1, &fixed.2), (&edf.0, &edf.1, &edf.2));
            assert!(fixed.3 != Some(true) || edf.3 == Some(true));
        }
    }
}
