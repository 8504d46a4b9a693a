//! The margin of larger sets: scaled by it a design is schedulable, scaled by slightly more it is not. That of small ones is
//! judged by `tests/random`.

use isx::formulate::formulate;
use isx::quantity::Rational;
use isx::schedulability::{Effort, Failure, Limits, Margin, Outcome, Undecided, margin, schedulable};
use isx::taskset::generate::generate;
use isx::taskset::recipe::{TaskNames, TaskSetRecipe};
use isx::taskset::{Scheduler, Task, TaskSet, read_str};
use num_traits::One;

/// The set in which each task has only the design's choice, with its WCET multiplied.
fn scaled(set: &TaskSet, choices: &[Option<u32>], factor: &Rational) -> TaskSet {
    let mut set = set.clone();
    set.blocks.clear();
    for (task, choice) in set.tasks.iter_mut().zip(choices) {
        let wcet = choice.map_or(&task.wcets[0], |choice| &task.choices[choice as usize].wcets[0]);
        task.wcets = vec![wcet * factor];
        task.choices.clear();
    }
    set
}

fn passes(set: &TaskSet) -> bool {
    let choices = vec![None; set.tasks.len()];
    match schedulable(&formulate(set, None).unwrap(), &choices, &mut Effort::new(Limits::default())) {
        Outcome::Passes => true,
        Outcome::Overload | Outcome::Fails(_) => false,
        Outcome::Undecided(why) => panic!("{why}: {set:?}"),
    }
}

fn of(set: &TaskSet, choices: &[Option<u32>]) -> Margin {
    margin(&formulate(set, None).unwrap(), choices, &mut Effort::new(Limits::default())).unwrap()
}

#[test]
fn the_margin_says_what_gives_way() {
    let tasks = || [Task::new("a", 2, 5).with_deadline(4), Task::new("b", 4, 9).with_deadline(6)];
    let edf = TaskSet::new("x", tasks()).unwrap();
    let limit = Some(Failure::Demand { time: 6.into(), demand: 6.into() });
    assert_eq!(of(&edf, &[None, None]), Margin { factor: Rational::one(), limit, is_reached: true });
    let fixed = edf.clone().with_scheduler(Scheduler::RateMonotonic).unwrap();
    let limit = Some(Failure::Response { task: 1, job: 1.into() });
    assert_eq!(
        of(&fixed, &[None, None]),
        Margin { factor: Rational::new(5.into(), 6.into()), limit, is_reached: true }
    );
    let implicit = TaskSet::new("x", [Task::new("a", 1, 5), Task::new("b", 4, 10)]).unwrap();
    let wanted = Margin { factor: Rational::new(5.into(), 3.into()), limit: None, is_reached: true };
    assert_eq!(of(&implicit, &[None, None]), wanted);
    // Harmonic periods: fixed priorities use the whole processor.
    let harmonic = implicit.with_scheduler(Scheduler::RateMonotonic).unwrap();
    assert_eq!(of(&harmonic, &[None, None]), wanted);
}

#[test]
fn a_margin_out_of_reach_is_undecided() {
    let (p, q) = (1_000_003, 999_999_937);
    let late = Task::new("b", 500_001_468, q).with_deadline(2_000_000_000);
    let set = TaskSet::new("x", [Task::new("a", 500_000, p), late]).unwrap();
    let set = set.with_scheduler(Scheduler::RateMonotonic).unwrap();
    let limits = Limits { steps: 100_000, design_steps: 10_000 };
    let undecided = margin(&formulate(&set, None).unwrap(), &[None, None], &mut Effort::new(limits));
    assert_eq!(undecided, Err(Undecided::ResponseSteps(10_000)));
}

/// Twenty tasks. Under fixed priorities with deadlines within the periods the hyperperiod may be huge; under EDF the
/// time that limits the margin may lie anywhere in it.
#[test]
fn margins_of_larger_sets_are_within_reach() {
    let mut spent = 0;
    for (seed, scheduler) in (1..=4).flat_map(|seed| Scheduler::ALL.map(|scheduler| (seed, scheduler))) {
        let recipe = TaskSetRecipe {
            tasks: TaskNames::Numbered(20),
            utilization: Rational::new(4.into(), 5.into()),
            periods: match scheduler {
                Scheduler::Edf => TaskSetRecipe::default().periods,
                _ => "10ms..1s/1ms".parse().unwrap(),
            },
            deadlines: "constrained:0.50..1.00".parse().unwrap(),
            scheduler,
            seed,
            ..TaskSetRecipe::default()
        };
        let set = read_str("set.yaml", &generate(&recipe).unwrap()).unwrap().task_set;
        let choices = vec![None; 20];
        let mut effort = Effort::new(Limits::default());
        let margin = margin(&formulate(&set, None).unwrap(), &choices, &mut effort).unwrap();
        spent = effort.spent().max(spent);
        let hair = Rational::new(1_000_000_001.into(), 1_000_000_000.into());
        assert!(passes(&scaled(&set, &choices, &margin.factor)), "{seed} {scheduler:?} {margin:?}");
        assert!(
            !passes(&scaled(&set, &choices, &(&margin.factor * hair))),
            "{seed} {scheduler:?} {margin:?}"
        );
    }
    println!("{spent} steps at most");
    assert!(spent < 50_000_000, "{spent}");
}
