//! The verdicts on all points of a front: correct, within the steps, and the same with any number of threads.

use crate::judge;
use crate::random::Random;
use crate::search::{
    Choices, Choosing, contested, designs, formulated, formulation, random_tasks, timed, with_choices,
};
use isx::formulate::Formulation;
use isx::front::DesignFront;
use isx::problem::account::{Account, Timings};
use isx::problem::mckp::Claim;
use isx::problem::value::{Tier, Values};
use isx::schedulability::{
    Effort, Failure, FrontVerdicts, Limits, Outcome, Smallest, SmallestArea, Verdict, at_budget, demand_test,
    judge as verdicts, scheduled_tasks,
};
use isx::taskset::{Task, TaskSet};
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A front, point by point: area, demand over a hyperperiod, choices.
struct List(Vec<(u64, BigInt, Choices)>);

impl List {
    /// The same front as an engine returns it.
    fn claimed(&self, formulation: &Formulation) -> DesignFront {
        let saved = self.0.iter().map(|(_, demand, _)| &formulation.base_demand - demand);
        let choices: Vec<Choices> = self.0.iter().map(|(.., choices)| choices.clone()).collect();
        let weights = self.0.iter().map(|(area, ..)| *area).collect();
        let claim = Claim::new(weights, Values::Big(saved.collect()), formulation.tasks.len(), true)
            .with_configurations(0, Arc::new(choices));
        let account = Account {
            engine: "made up",
            how: String::new(),
            threads: 1,
            arithmetic: Tier::Big,
            why: String::new(),
            updates: 0,
            timings: Timings::default(),
        };
        // Names and units do not affect the verdicts.
        let named = TaskSet::new("made up", [Task::new("only", 1, 2)]).unwrap();
        DesignFront::new(named, formulation.clone(), claim, account)
    }
}

/// The front of a formulation, computed by merging one task after the other.
fn front_of(formulation: &Formulation) -> List {
    let mut front: BTreeMap<u64, (BigInt, Choices)> = BTreeMap::from([(0, (BigInt::ZERO, Vec::new()))]);
    for (at, task) in formulation.tasks.iter().enumerate() {
        let frequency = &formulation.hyperperiod / &task.period;
        let mut sums: BTreeMap<u64, (BigInt, Choices)> = BTreeMap::new();
        for (area, (demand, choices)) in &front {
            for choice in std::iter::once(None).chain((0..task.choices.len() as u32).map(Some)) {
                let more = choice.map_or(0, |choice| formulation.costs.weight(at, choice));
                let Some(area) = area.checked_add(more) else { continue };
                let demand = demand + task.wcet_with(choice) * &frequency;
                // Of equal designs the canonical one: the last task decides first, software before hardware.
                let better =
                    |(least, kept): &(BigInt, Choices)| (&demand, Some(&choice)) < (least, kept.last());
                if sums.get(&area).is_none_or(better) {
                    sums.insert(area, (demand, choices.iter().copied().chain([choice]).collect()));
                }
            }
        }
        let mut least: Option<BigInt> = None;
        sums.retain(|_, (demand, _)| {
            let lower = least.as_ref().is_none_or(|least| *demand < *least);
            if lower {
                least = Some(demand.clone());
            }
            lower
        });
        front = sums;
    }
    List(front.into_iter().map(|(area, (demand, choices))| (area, demand, choices)).collect())
}

/// The verdicts with one thread and with several, which must be equal and take equally many steps.
fn same_verdicts(formulation: &Formulation, front: &List, limits: Limits) -> (FrontVerdicts, u64) {
    let front = front.claimed(formulation);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut effort = Effort::new(limits);
            let verdicts = verdicts(&front, &mut effort);
            assert!(effort.spent() <= limits.steps);
            (verdicts, effort.spent())
        })
    };
    let alone = with(1);
    for threads in [2, 5] {
        assert_eq!(with(threads), alone, "{threads} threads");
    }
    alone
}

/// `tasks` tasks with `choices` choices each. U is 1 in software, every choice saves a tiny amount, every deadline is
/// `hair` shorter than its period, and the periods are pairwise coprime. In units of 1e-13.
fn attack(tasks: usize, choices: u32, hair: i64) -> Formulation {
    let unit = 10_000_000_000_000i64;
    let periods = [101, 103, 107, 109, 113, 127, 131, 137].map(|period| BigInt::from(period) * unit);
    let periods = &periods[..tasks];
    let with_choices = |period: &BigInt| {
        let wcet = period / tasks;
        let choices = (1..=choices).map(|choice| (u64::from(choice), &wcet - choice)).collect();
        timed(wcet, period.clone(), period - hair, choices)
    };
    formulated(periods.iter().map(with_choices).collect(), tasks as u64 * u64::from(choices))
}

/// A deadline that is a tenth of a time unit before its period.
const TENTH: i64 = 1_000_000_000_000;

#[test]
fn deadlines_a_hair_before_the_periods_are_decided_in_few_steps() {
    for choices in [6, 30] {
        let formulation = attack(8, choices, 1);
        let front = front_of(&formulation);
        let (verdicts, spent) = same_verdicts(&formulation, &front, Limits::default());
        // In software a deadline is 1e-13 too early for its demand; saving that once is enough.
        assert_eq!(verdicts.base, Some(false));
        assert!(matches!(verdicts.smallest, Smallest::At(_)));
        assert_eq!(verdicts.points.len(), 8 * choices as usize + 1);
        assert_eq!((verdicts.points[0], open_within(&verdicts)), (Some(false), 1..1));
        assert!(verdicts.points[1..].iter().all(|point| *point == Some(true)));
        assert!(spent < 10_000_000, "{spent}");
    }
}

#[test]
fn a_hopeless_front_costs_no_more_than_its_limit_and_says_what_is_open() {
    for (choices, steps) in [(6, 0), (6, 1), (6, 1_000_000), (6, 20_000_000), (30, 20_000_000)] {
        let limits = Limits { steps, design_steps: steps / 8 };
        let formulation = attack(8, choices, TENTH);
        let front = front_of(&formulation);
        let (verdicts, spent) = same_verdicts(&formulation, &front, limits);
        let open = verdicts.points.iter().filter(|point| point.is_none()).count();
        // Only the software point, with U = 1, is quickly seen to fail, and no point is schedulable.
        let failing = verdicts.points.iter().filter(|point| **point == Some(false)).count();
        assert!(failing <= 1 && failing + open == verdicts.points.len(), "{failing} {open}");
        assert_eq!(open_within(&verdicts), 0..verdicts.points.len());
        assert!(open > 8 * choices as usize / 2, "{open}");
        let Smallest::Unknown(why) = &verdicts.smallest else { panic!("{:?}", verdicts.smallest) };
        let limit = why.split(' ').find_map(|word| word.parse::<u64>().ok());
        assert!(why.starts_with("the search") && limit.is_some_and(|limit| limit <= steps / 2), "{why}");
        // The steps run out before the questions do; an evaluation of the demand takes fewer than a hundred.
        assert!(spent + 100 > steps, "{spent} of {steps}");

        let claimed = front.claimed(&formulation);
        let mut effort = Effort::new(limits);
        let answer = at_budget(&claimed, formulation.capacity(), &mut effort);
        assert!(effort.spent() <= steps);
        assert!(matches!(answer.verdict, Verdict::Unknown { .. }));
        // Fewer steps are left than one more design may take, so a second question ends at once.
        assert!(effort.left() < 100.max(steps / 8), "{} of {steps}", effort.left());
        let again = at_budget(&claimed, formulation.capacity(), &mut effort);
        assert!(matches!(again.verdict, Verdict::Unknown { .. }) && effort.spent() <= steps);
    }
}

#[test]
fn points_decided_within_any_limit_are_decided_rightly() {
    let formulation = attack(4, 12, TENTH / 1000);
    let front = front_of(&formulation);
    let (all, enough) = same_verdicts(&formulation, &front, Limits::default());
    assert!(all.points.iter().all(Option::is_some) && open_within(&all).is_empty());
    let mut undecided = Vec::new();
    for sixteenth in 0..=16 {
        let steps = enough * sixteenth / 16;
        let (some, _) = same_verdicts(&formulation, &front, Limits { steps, design_steps: steps });
        for (some, all) in some.points.iter().zip(&all.points) {
            assert!(some.is_none() || some == all);
        }
        assert!(some.base.is_none_or(|base| Some(base) == all.base));
        let known = open_within(&all).start;
        let open = open_within(&some);
        assert!(open.start <= known && known <= open.end, "{some:?} {known}");
        undecided.push(some.points.iter().filter(|point| point.is_none()).count());
    }
    assert!(undecided[0] > 10 && undecided[16] < undecided[0], "{undecided:?}");
}

/// The points for which it is unknown whether some design within their area is schedulable; before them none is, after them
/// some is.
fn open_within(verdicts: &FrontVerdicts) -> Range<usize> {
    let from = verdicts.each_within.iter().take_while(|within| **within == Some(false)).count();
    let open = verdicts.each_within[from..].iter().take_while(|within| within.is_none()).count();
    assert!(verdicts.each_within[from + open..].iter().all(|within| *within == Some(true)));
    from..from + open
}

/// Checks every point by brute force over `tasks`; counts the points within whose area no design is schedulable,
/// those that fail although another design is schedulable, and those that are schedulable.
fn check_points(tasks: &[Choosing], verdicts: &FrontVerdicts, front: &List) -> [u32; 3] {
    let passes = |choices: &Choices| judge::meets_demand(&with_choices(tasks, choices).1);
    let all = designs(tasks, u64::MAX);
    let forward = all.iter().map(|(area, _, choices)| (*area, choices.iter().rev().copied().collect()));
    let smallest = forward.into_iter().find(|(_, choices)| passes(choices));
    let found = match &verdicts.smallest {
        Smallest::At(chosen) => Some(&chosen.choices),
        Smallest::None => None,
        Smallest::Unknown(reason) => panic!("{reason}: {tasks:?}"),
    };
    assert_eq!(found, smallest.as_ref().map(|(_, choices)| choices), "{tasks:?}");
    assert_eq!(verdicts.base, Some(passes(&vec![None; tasks.len()])));
    assert!(open_within(verdicts).is_empty());
    let mut seen = [0; 3];
    for (at, (area, _, choices)) in front.0.iter().enumerate() {
        let some_within = smallest.as_ref().is_some_and(|(smallest, _)| smallest <= area);
        assert_eq!(verdicts.points[at], Some(passes(choices)), "{tasks:?} {area}");
        assert_eq!(verdicts.each_within[at], Some(some_within), "{tasks:?} {area}");
        seen[usize::from(passes(choices)) + usize::from(some_within)] += 1;
    }
    seen
}

#[test]
fn verdicts_of_all_points_agree_with_brute_force() {
    let mut random = Random(12);
    let mut seen = [0; 3];
    for round in 0..3_000 {
        let tasks = match round % 3 {
            0 => random_tasks(&mut random, 5, true),
            1 => random_tasks(&mut random, 5, false),
            _ => contested(&mut random).0,
        };
        let formulation = formulation(&tasks);
        let front = front_of(&formulation);
        let claimed = front.claimed(&formulation);
        let verdicts = verdicts(&claimed, &mut Effort::new(Limits::default()));
        for (seen, more) in seen.iter_mut().zip(check_points(&tasks, &verdicts, &front)) {
            *seen += more;
        }
        for budget in [0, 1, random.within(0, 12) as u64, u64::MAX] {
            let answer = at_budget(&claimed, budget, &mut Effort::new(Limits::default()));
            let best = match &verdicts.smallest {
                Smallest::At(chosen) if with_choices(&tasks, &chosen.choices).0 <= budget => {
                    Some(chosen.choices.clone())
                }
                _ => None,
            };
            let schedulable = matches!(answer.verdict, Verdict::Schedulable { .. });
            assert_eq!(schedulable, best.is_some());
            assert_eq!(answer.smallest, SmallestArea { best, undecided: None }, "{tasks:?} {budget}");
        }
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|&seen| seen >= 500), "{seen:?}");
}

#[test]
fn fronts_of_many_blocks_are_decided_point_by_point() {
    let mut random = Random(13);
    let mut seen = [0; 2];
    for _ in 0..4 {
        // Every choice saves as much as it costs, and powers of two sum to every number: 512 points.
        let task = |index: i128| {
            let deadline = if index % 2 == 0 { random.within(2400, 3400) } else { 3600 };
            ((random.within(405, 420), 3600, deadline), vec![(1 << index, 420 - 5 - (1 << index))])
        };
        let tasks: Vec<Choosing> = (0..9).map(task).collect();
        let formulation = formulation(&tasks);
        let front = List(
            designs(&tasks, u64::MAX)
                .into_iter()
                .map(|(area, demand, choices)| (area, demand, choices.into_iter().rev().collect()))
                .fold(Vec::new(), |mut front: Vec<(u64, BigInt, Choices)>, (area, demand, choices)| {
                    let demand = BigInt::from(demand);
                    if front.last().is_none_or(|(_, least, _)| demand < *least) {
                        front.push((area, demand, choices));
                    }
                    front
                }),
        );
        let (verdicts, _) = same_verdicts(&formulation, &front, Limits::default());
        for (point, (.., choices)) in verdicts.points.iter().zip(&front.0) {
            let passes = judge::meets_demand(&with_choices(&tasks, choices).1);
            assert_eq!(*point, Some(passes), "{tasks:?}");
            seen[usize::from(passes)] += 1;
        }
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
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
            let front = front_of(&formulation).claimed(&formulation);
            let answer = at_budget(&front, budget, &mut effort);
            let wanted = wanted.clone().filter(|_| budget == u64::MAX);
            assert_eq!(answer.smallest, SmallestArea { best: wanted, undecided: None }, "{area} {budget}");
        }
    }
}

#[test]
fn hyperperiods_beyond_128_bits_are_decided() {
    let mut formulation = attack(8, 6, 1);
    let software = vec![None; 8];
    let scale = BigInt::from(10).pow(40);
    formulation.hyperperiod *= &scale;
    formulation.base_demand *= &scale;
    for task in &mut formulation.tasks {
        let times = [&mut task.wcet, &mut task.period, &mut task.deadline];
        times.into_iter().chain(task.choices.iter_mut().map(|choice| &mut choice.wcet)).for_each(|time| {
            *time *= &scale;
        });
    }
    assert!(formulation.hyperperiod.bits() > 128);
    let front = front_of(&formulation);
    let (verdicts, spent) = same_verdicts(&formulation, &front, Limits::default());
    assert_eq!(verdicts.base, Some(false));
    assert!(verdicts.points.iter().all(Option::is_some));
    assert!(spent > 0);
    let fails = demand_test(&scheduled_tasks(&formulation, &software).tasks(), 1_000_000);
    assert!(matches!(fails, Outcome::Fails(Failure::Demand { time, .. }) if time.bits() > 128));
}
