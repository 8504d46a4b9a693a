//! Smallest areas, verdicts within budgets and on points, compared with all designs.

use crate::random::{Design, Plain, Random};
use crate::simulation::Job;
use crate::{cases, options};
use isx::explore::{check, explore};
use isx::formulate::formulate;
use isx::quantity::ToRational;
use isx::schedulability::{
    Effort, Limits, Outcome, SmallestSchedulable, SmallestWithin, Verdict, response_times, schedulable,
};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of sets by kind.
#[derive(Default)]
struct Kinds {
    /// Some design within the budget is schedulable, but not the one of least utilization.
    contested: AtomicU64,
    passing: AtomicU64,
    /// Utilization at most 1, but no design is schedulable.
    failing: AtomicU64,
    with_blocks: AtomicU64,
    with_clocks: AtomicU64,
    equal: AtomicU64,
}

#[test]
fn smallest_area_points_and_budgets_are_those_of_all_designs() {
    let cases = cases(12_000);
    let kinds = Kinds::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0xf1_0000);
        let set = Plain::fixed(&mut random);
        let designs = set.designs();
        check_front(&set, &designs, seed, &kinds);
        let budget = random.within(0, 20u64);
        check_budget(&set, &designs, budget, seed, &kinds);
    });
    let counts = [kinds.contested, kinds.passing, kinds.failing];
    let [contested, passing, failing] = counts.map(AtomicU64::into_inner);
    let counts = [kinds.with_blocks, kinds.with_clocks, kinds.equal];
    let [with_blocks, with_clocks, equal] = counts.map(AtomicU64::into_inner);
    println!(
        "{cases} sets: {passing} can be scheduled, {contested} at a budget but not with its least utilization; {failing} \
         cannot though it is at most 1; {with_blocks} have blocks, {with_clocks} such that lower the clock, {equal} equal priorities"
    );
    assert!(contested >= cases / 1000 && passing >= cases / 3 && failing >= cases / 50);
    assert!(with_blocks >= cases / 5 && with_clocks >= cases / 12 && equal >= cases / 4);
}

fn check_front(set: &Plain, designs: &[Design], seed: u64, kinds: &Kinds) {
    let explored = explore(&set.task_set(), &options()).unwrap();
    let mut passing: Vec<&Design> = designs.iter().filter(|design| design.passes).collect();
    passing.sort_by_key(|design| (design.area, design.demand));
    let wanted = passing.first().map(|design| design.choices.clone());
    let found = match &explored.verdicts.smallest {
        SmallestSchedulable::At(chosen) => Some(chosen.choices.clone()),
        SmallestSchedulable::None => None,
        SmallestSchedulable::Unknown(why) => panic!("seed {seed}: {why}"),
    };
    assert_eq!(found, wanted, "seed {seed} {set:?}");
    for (point, design) in explored.designs() {
        let choices = point.choices().unwrap();
        let own = designs.iter().find(|design| design.choices == choices).unwrap();
        let another = passing.first().is_some_and(|smallest| smallest.area <= own.area);
        let wanted = (Some(own.passes), Some(another));
        let judged = (design.schedulable, design.schedulable_within);
        assert_eq!(judged, wanted, "seed {seed}, area {} {set:?}", own.area);
    }
    assert_eq!(explored.verdicts.base, Some(designs[0].passes), "seed {seed}");

    let count = |kind: &AtomicU64, is: bool| kind.fetch_add(u64::from(is), Ordering::Relaxed);
    let least = designs.iter().min_by_key(|design| design.demand).unwrap();
    count(&kinds.passing, !passing.is_empty());
    let h = crate::simulation::hyperperiod(&least.jobs);
    count(&kinds.failing, passing.is_empty() && least.demand <= h);
    count(&kinds.with_blocks, !set.blocks.is_empty());
    count(&kinds.with_clocks, set.limits_clock());
    let jobs = &designs[0].jobs;
    let ties = |one: &Job, other: &Job| one.priority <= other.lowest && other.priority <= one.lowest;
    count(&kinds.equal, (0..jobs.len()).any(|at| jobs[..at].iter().any(|other| ties(other, &jobs[at]))));
}

fn check_budget(set: &Plain, designs: &[Design], budget: u64, seed: u64, kinds: &Kinds) {
    let checked = check(&set.task_set(), &budget.to_rational(), &options()).unwrap();
    let within = |design: &&Design| design.area <= budget;
    let passing = || designs.iter().filter(|design| design.passes);
    let shown = checked.shown();
    let shown = designs.iter().find(|design| design.choices == shown.choices).unwrap();
    match &checked.verdict {
        Verdict::Schedulable { .. } => assert!(shown.passes && shown.area <= budget, "seed {seed} {set:?}"),
        Verdict::NotSchedulable { .. } => assert!(!passing().any(|one| within(&one)), "seed {seed} {set:?}"),
        Verdict::Unknown { reason, .. } => panic!("seed {seed}: {reason}"),
    }
    let least = designs.iter().filter(within).map(|design| design.demand).min();
    let is_contested =
        passing().any(|one| within(&one)) && !passing().any(|one| within(&one) && Some(one.demand) == least);
    kinds.contested.fetch_add(u64::from(is_contested), Ordering::Relaxed);
    let smallest = passing().map(|design| design.area).min();
    match &checked.smallest {
        SmallestWithin::At(area) => {
            assert_eq!(Some(area), smallest.map(ToRational::to_rational).as_ref(), "seed {seed} {set:?}");
        }
        SmallestWithin::None => assert_eq!(smallest, None, "seed {seed} {set:?}"),
        SmallestWithin::Unknown(why) => panic!("seed {seed}: {why}"),
    }
    let times = checked.response_times.as_ref().unwrap();
    if let Some(longest) = crate::simulation::longest_responses(&shown.jobs) {
        let units = |task: usize| checked.time(times[task].response.as_ref().unwrap());
        assert!(longest.iter().enumerate().all(|(task, &time)| units(task) == time.to_rational()));
    }
}

/// Enough tasks and choices that neighbors are merged, staircases thinned and cuts shared; few enough to enumerate
/// all designs.
#[test]
fn thousands_of_designs_are_searched_as_all_are() {
    let mut random = Random(0xf1_1111);
    let (mut found, mut none) = (0, 0);
    for round in 0..60 {
        let mut set = Plain::fixed(&mut random);
        set.blocks.clear();
        set.tasks.clear();
        set.choices.clear();
        for at in 0..6u64 {
            // The slow tasks are preempted many times before their deadlines.
            let period = [8, 12, 40, 60, 120, 360][at as usize];
            let wcet = random.within(period / 6 + 1, period / 4 + 1);
            let deadline = random.within(2 * period / 3, 4 * period / 3);
            set.tasks.push(Job::new(wcet, period, deadline, random.within(1, 6)));
            let choice = |_| crate::random::PlainChoice {
                area: random.within(1, 300),
                wcet: random.within(wcet / 2 + 1, wcet),
                uses: Vec::new(),
            };
            set.choices.push((0..3).map(choice).collect());
        }
        let mut passing: Vec<Design> = set.designs().into_iter().filter(|design| design.passes).collect();
        passing.sort_by_key(|design| (design.area, design.demand));
        let explored = explore(&set.task_set(), &options()).unwrap();
        let smallest = explored.smallest().map(|chosen| chosen.choices.clone());
        assert_eq!(smallest, passing.first().map(|design| design.choices.clone()), "round {round} {set:?}");
        *if smallest.is_some() { &mut found } else { &mut none } += 1;
    }
    println!("{found} {none}");
    assert!(found >= 5 && none >= 5, "{found} {none}");
}

/// A search that is cut short never gives a wrong answer.
#[test]
fn a_limit_makes_verdicts_unknown_and_never_wrong() {
    let (mut unknown, mut decided) = (0, 0);
    for seed in 0..1_500 {
        let mut random = Random(seed ^ 0xf1_2222);
        let set = Plain::fixed(&mut random);
        let designs = set.designs();
        let limits = Limits { steps: random.within(0, 4000), design_steps: random.within(0, 800) };
        let options = isx::explore::Options { limits, ..options() };
        let explored = explore(&set.task_set(), &options).unwrap();
        let smallest = designs.iter().filter(|design| design.passes).map(|design| design.area).min();
        match &explored.verdicts.smallest {
            SmallestSchedulable::At(chosen) => {
                assert_eq!(Some(chosen.design.area().clone()), smallest.map(ToRational::to_rational));
                decided += 1;
            }
            SmallestSchedulable::None => assert_eq!(smallest, None, "seed {seed}"),
            SmallestSchedulable::Unknown(_) => unknown += 1,
        }
        for (point, design) in explored.designs() {
            let choices = point.choices().unwrap();
            let own = designs.iter().find(|design| design.choices == choices).unwrap();
            let within = smallest.is_some_and(|area| area <= own.area);
            assert!(design.schedulable.is_none_or(|passes| passes == own.passes), "seed {seed}");
            assert!(design.schedulable_within.is_none_or(|passes| passes == within), "seed {seed}");
        }
        let formulation = formulate(&set.task_set(), None).unwrap();
        let mut effort = Effort::new(limits);
        match schedulable(&formulation, &designs[0].choices, &mut effort) {
            Outcome::Passes => assert!(designs[0].passes),
            Outcome::Overload | Outcome::Fails(_) => assert!(!designs[0].passes),
            Outcome::Undecided(_) => {}
        }
        assert!(effort.spent() <= limits.steps);
        let times = response_times(&formulation, &designs[0].choices, &mut effort).unwrap();
        assert!(effort.spent() <= limits.steps);
        if let Some(longest) = crate::simulation::longest_responses(&designs[0].jobs) {
            let unit = &formulation.time_unit;
            for (time, longest) in times.iter().zip(longest) {
                let response =
                    time.response.as_ref().map(|units| ToRational::to_rational(units.clone()) * unit);
                assert!(response.is_err() || response == Ok(longest.to_rational()));
            }
        }
    }
    assert!(unknown >= 100 && decided >= 100, "{unknown} {decided}");
}
