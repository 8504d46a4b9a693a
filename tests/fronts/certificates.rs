//! Certificates of knapsacks prove the results of brute force; proofs as deep as there are choices, refutations of formulas.
//! Certificates of task sets are judged by `tests/random`.

use crate::common::Random;
use crate::common::designs::{cases, example, options};
use crate::common::selections::{front_of, front_of_items};
use isx::certificate::problem::{hash, of_task_set};
use isx::certificate::pseudo_boolean::{Formula, TooMany, write_refutation};
use isx::certificate::{Limits, Statement, best_of_knapsack, best_of_mckp, front_of_mckp, verify};
use isx::engine::mckp::Wanted;
use isx::explore::explore;
use isx::formulate::formulate;
use isx::machine::Machine;
use isx::problem::knapsack::{Item as Thing, Knapsack};
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::solve;
use isx::taskset::{Task, TaskSet};
use isx_checker::shared::format::{claim, reason};
use rayon::prelude::*;

/// Memory for lists, more than any test here needs.
const MUCH: u64 = 1 << 30;

/// What a certificate of a problem begins with, up to the claim.
fn head(problem: &[u8]) -> Vec<u8> {
    let length = [problem.len() as u8 | 128, (problem.len() >> 7) as u8];
    [b"isx certificate 2\n", &length[..], problem].concat()
}

/// A small problem with ties, items of no weight, items beyond the capacity and positive and negative values.
fn mckp(random: &mut Random) -> Mckp<i128> {
    let scale = random.pick(&[1i128, 1, 1 << 40, 1 << 90]);
    let item = |random: &mut Random| Item {
        value: random.within(-3, 12i128) * scale,
        weight: random.within(0, 9u64),
    };
    let class = |random: &mut Random| (0..random.within(1, 4u32)).map(|_| item(random)).collect();
    let classes = (0..random.within(1, 5u32)).map(|_| class(random)).collect();
    let choice = if random.one_in(2) { Choice::Optional } else { Choice::ExactlyOne };
    Mckp { classes, capacity: random.within(0, 25), choice }
}

#[test]
fn best_selections_and_fronts_of_knapsacks_are_proved() {
    let cases = cases(3_000);
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0x5ac);
        let problem = mckp(&mut random);
        let wanted = front_of(&problem, 10_000).unwrap();
        let machine = Machine::default().with_threads(1);
        let how = solve::Options { wanted: Wanted::AllPicks, machine: machine.clone(), ..Default::default() };
        let solved = solve::solve(&problem, &how).ok().map(|solution| solution.claim);
        let mut out = Vec::new();
        let proved = best_of_mckp(&problem, solved.as_ref(), MUCH, &mut out).unwrap();
        match (proved.statement, wanted.last()) {
            (Statement::NothingFits, None) => {}
            (Statement::Best { sums: found, is_lightest: true }, Some((weight, value, _))) => {
                assert_eq!((found.amounts[0], -found.cost), (*weight, value.clone()), "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
        if let Some(claim) = &solved {
            let proved = front_of_mckp(&problem, claim, MUCH, &mut Vec::new())
                .unwrap_or_else(|error| panic!("seed {seed}: {error} {problem:?} {claim:?}"));
            let Statement::Front { points, .. } = proved.statement else { panic!("seed {seed}") };
            let found = points.iter().map(|point| (point.sums.amounts[0], -&point.sums.cost));
            assert!(found.eq(wanted.into_iter().map(|(weight, value, _)| (weight, value))), "seed {seed}");
        }
        let thing = |item: &Item<i128>| Thing { profit: item.value.abs(), weight: item.weight };
        let items: Vec<Thing> = problem.classes.iter().flatten().take(9).map(thing).collect();
        let knapsack = Knapsack { items, capacity: problem.capacity };
        let wanted = isx::engine::knapsack::Wanted::Best;
        let how = solve::knapsack::Options { machine, wanted, ..Default::default() };
        let solved = solve::knapsack::solve(&knapsack, &how).unwrap().claim;
        let proved = best_of_knapsack(&knapsack, &solved, MUCH, &mut Vec::new())
            .unwrap_or_else(|error| panic!("seed {seed}: {error} {knapsack:?} {solved:?}"));
        let Statement::Best { sums: found, .. } = proved.statement else { panic!("seed {seed}") };
        assert_eq!(Some(-found.cost), front_of_items(&knapsack).pop().map(|best| best.1), "seed {seed}");
    });
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
            small
                .spawn_scoped(threads, || verify(bytes, &hash(&problem), Limits::default()))
                .unwrap()
                .join()
                .unwrap()
        })
    };
    assert!(matches!(check(&bytes).unwrap().statement, Statement::NotSchedulable));
    let start = head(&problem).len();
    for end in (start..bytes.len()).step_by(97) {
        let refused = check(&bytes[..end]).unwrap_err().to_string();
        assert!(refused.contains("the file ends in the middle of"), "{refused}");
    }
}

#[test]
fn a_refutation_ends_in_a_contradiction_or_is_refused_for_its_size() {
    let explored = explore(&example("tutorial"), &options()).unwrap();
    let formula = Formula::new(&explored.front).unwrap();
    let mut proof = Vec::new();
    write_refutation(&formula, 1_000_000, &mut proof).unwrap();
    let proof = String::from_utf8(proof).unwrap();
    assert!(proof.starts_with("pseudo-Boolean proof version 3.0\n"));
    assert!(proof.contains("\nrup >= 1;\noutput NONE;\nconclusion UNSAT : "));
    let refused = write_refutation(&formula, 3, &mut Vec::new()).unwrap_err();
    assert!(matches!(refused, TooMany::Steps { most: 3, .. }), "{refused}");
}
