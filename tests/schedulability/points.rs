//! The verdicts on all points of a front that may take long: correct, within the steps, and the same with any number of
//! threads. Those of small sets are judged by `tests/random`.

use isx::explore::{Options, explore};
use isx::front::DesignFront;
use isx::quantity::Rational;
use isx::schedulability::{
    Effort, Failure, FrontVerdicts, Limits, Outcome, Smallest, Verdict, at_budget, demand_test,
    judge as verdicts, scheduled_tasks,
};
use isx::taskset::{Task, TaskSet};
use num_bigint::BigInt;
use std::ops::Range;

/// The verdicts with one thread and with several, which must be equal and take equally many steps.
fn same_verdicts(front: &DesignFront, limits: Limits) -> (FrontVerdicts, u64) {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut effort = Effort::new(limits);
            let verdicts = verdicts(front, &mut effort);
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
/// `hair` shorter than its period, and the periods are pairwise coprime. In fractions of 10^`digits`.
fn attack(tasks: usize, choices: u32, digits: u32, hair: i64) -> DesignFront {
    let unit = BigInt::from(10).pow(digits);
    let task = |period: u32| {
        let period = &unit * period;
        let wcet = &period / tasks;
        let [own, deadline] = [wcet.clone(), &period - hair].map(Rational::from);
        let task = Task::new(format!("of {period}"), own, Rational::from(period)).with_deadline(deadline);
        (1..=choices).fold(task, |task, choice| {
            task.with_choice(format!("c{choice}"), i64::from(choice), Rational::from(&wcet - choice))
        })
    };
    let periods = [101, 103, 107, 109, 113, 127, 131, 137];
    let set = TaskSet::new("attack", periods[..tasks].iter().map(|&period| task(period))).unwrap();
    let limits = Limits { steps: 0, design_steps: 0 };
    explore(&set, &Options { limits, ..Options::default() }).unwrap().front
}

/// A deadline that is a tenth of a time unit before its period.
const TENTH: i64 = 1_000_000_000_000;

#[test]
fn deadlines_a_hair_before_the_periods_are_decided_in_few_steps() {
    for choices in [6, 30] {
        let front = attack(8, choices, 13, 1);
        let (verdicts, spent) = same_verdicts(&front, Limits::default());
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
        let front = attack(8, choices, 13, TENTH);
        let (verdicts, spent) = same_verdicts(&front, limits);
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

        let mut effort = Effort::new(limits);
        let answer = at_budget(&front, front.formulation().capacity(), &mut effort);
        assert!(effort.spent() <= steps);
        assert!(matches!(answer.verdict, Verdict::Unknown { .. }));
        // Fewer steps are left than one more design may take, so a second question ends at once.
        assert!(effort.left() < 100.max(steps / 8), "{} of {steps}", effort.left());
        let again = at_budget(&front, front.formulation().capacity(), &mut effort);
        assert!(matches!(again.verdict, Verdict::Unknown { .. }) && effort.spent() <= steps);
    }
}

#[test]
fn points_decided_within_any_limit_are_decided_rightly() {
    let front = attack(4, 12, 13, TENTH / 1000);
    let (all, enough) = same_verdicts(&front, Limits::default());
    assert!(all.points.iter().all(Option::is_some) && open_within(&all).is_empty());
    let mut undecided = Vec::new();
    for sixteenth in 0..=16 {
        let steps = enough * sixteenth / 16;
        let (some, _) = same_verdicts(&front, Limits { steps, design_steps: steps });
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
#[test]
fn hyperperiods_beyond_128_bits_are_decided() {
    let front = attack(8, 6, 30, 1);
    let formulation = front.formulation();
    assert!(formulation.hyperperiod.bits() > 128);
    let (verdicts, spent) = same_verdicts(&front, Limits::default());
    assert_eq!(verdicts.base, Some(false));
    assert!(verdicts.points.iter().all(Option::is_some));
    assert!(spent > 0);
    let fails = demand_test(&scheduled_tasks(formulation, &[None; 8]).tasks(), 1_000_000);
    assert!(matches!(fails, Outcome::Fails(Failure::Demand { time, .. }) if time.bits() > 128));
}
