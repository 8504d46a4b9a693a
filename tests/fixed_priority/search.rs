//! Searches for the smallest area: long ones, and ones that are cut short. Those of small sets are compared in
//! tests/fronts/case_certificates.rs.

use crate::options;
use crate::random::{Design, Plain, Random};
use crate::simulation::Job;
use isx::explore::explore;
use isx::formulate::formulate;
use isx::quantity::ToRational;
use isx::schedulability::{Effort, Limits, Outcome, SmallestSchedulable, response_times, schedulable};

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
