//! The formula of a front is unsatisfiable; that of a front with a point removed is satisfiable.

use crate::certificates::{claiming, set};
use crate::common::designs::{Shared, cases, options};
use isx::certificate::pseudo_boolean::{Formula, TooMany, write_refutation};
use isx::explore::explore;
use isx::front::DesignFront;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The sums of an OPB file: coefficients with their variables, and the required bounds.
struct Opb {
    names: HashMap<String, usize>,
    sums: Vec<(Vec<(i128, usize)>, i128)>,
    variables: usize,
}

fn read(front: &DesignFront) -> Opb {
    let formula = Formula::new(front).unwrap();
    let mut text = Vec::new();
    formula.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut opb = Opb { names: HashMap::new(), sums: Vec::new(), variables: 0 };
    for line in text.lines() {
        if let Some((variable, name)) = line.strip_prefix("* x").and_then(|line| line.split_once(": ")) {
            opb.variables = variable.parse().unwrap();
            opb.names.insert(name.into(), opb.variables);
        } else if !line.starts_with('*') {
            let (left, least) = line.strip_suffix(" ;").unwrap().split_once(">=").unwrap();
            let words: Vec<&str> = left.split_whitespace().collect();
            let term = |pair: &[&str]| (pair[0].parse().unwrap(), pair[1][1..].parse().unwrap());
            opb.sums.push((words.chunks(2).map(term).collect(), least.trim().parse().unwrap()));
        }
    }
    assert_eq!(opb.sums.len() as u64, formula.constraints());
    opb
}

/// Whether some design, with exactly the blocks that it uses, lies in a gap.
fn has_solution(set: &Shared, opb: &Opb) -> bool {
    let gaps: Vec<usize> =
        opb.names.iter().filter(|(name, _)| name.starts_with("the design lies")).map(|(_, &at)| at).collect();
    set.designs().iter().any(|design| {
        let mut values = vec![false; opb.variables + 1];
        let mut is_there = true;
        for (task, choice) in design.choices.iter().enumerate() {
            if let Some(choice) = choice {
                let name = format!("task `t{task}` takes choice `c{choice}`");
                // A choice beyond the front's area has no variable.
                is_there &= opb.names.get(&name).map(|&at| values[at] = true).is_some();
            }
        }
        for block in &design.built {
            values[opb.names[&format!("block `b{block}` is built")]] = true;
        }
        is_there
            && gaps.iter().any(|&gap| {
                values[gap] = true;
                let sum = |terms: &[(i128, usize)]| {
                    terms.iter().filter(|(_, at)| values[*at]).map(|(value, _)| value).sum::<i128>()
                };
                let holds = opb.sums.iter().all(|(terms, least)| sum(terms) >= *least);
                values[gap] = false;
                holds
            })
    })
}

#[test]
fn no_design_lies_outside_the_front_until_a_point_is_taken_from_it() {
    let cases = cases(3_000) / 3;
    let [fronts, spoilt] = [(); 2].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let (set, mut random) = set(seed);
        let explored = explore(&set.task_set(), &options()).unwrap();
        assert!(!has_solution(&set, &read(&explored.front)), "seed {seed}");
        fronts.fetch_add(1, Ordering::Relaxed);
        let mut choices: Vec<_> = explored.front.iter().map(|point| point.choices().unwrap()).collect();
        if choices.len() > 1 {
            choices.remove(random.within(0, choices.len() - 1));
            assert!(has_solution(&set, &read(&claiming(&explored, choices))), "seed {seed}");
            spoilt.fetch_add(1, Ordering::Relaxed);
        }
    });
    let [fronts, spoilt] = [fronts, spoilt].map(AtomicU64::into_inner);
    assert!(fronts == cases && spoilt > cases / 3, "{fronts} {spoilt}");
}

#[test]
fn a_refutation_ends_in_a_contradiction_or_is_refused_for_its_size() {
    let (set, _) = set(4);
    let explored = explore(&set.task_set(), &options()).unwrap();
    let formula = Formula::new(&explored.front).unwrap();
    let mut proof = Vec::new();
    write_refutation(&formula, 1_000_000, &mut proof).unwrap();
    let proof = String::from_utf8(proof).unwrap();
    assert!(proof.starts_with("pseudo-Boolean proof version 3.0\n"));
    assert!(proof.contains("\nrup >= 1;\noutput NONE;\nconclusion UNSAT : "));
    let refused = write_refutation(&formula, 3, &mut Vec::new()).unwrap_err();
    assert!(matches!(refused, TooMany::Steps { most: 3, .. }), "{refused}");
}
