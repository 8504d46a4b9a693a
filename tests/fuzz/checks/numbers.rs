//! Texts of knapsack problems, of all three kinds, selected by the first byte: a parsed problem is the same after
//! writing and reading it again, and small problems have the answer of brute force.

use super::machine;
use crate::common::selections::{front_of, front_of_items};
use isx::problem::knapsack::text::KnapsackText;
use isx::problem::knapsack::{self, Knapsack};
use isx::problem::mckp::generate::write_mckp;
use isx::problem::mckp::{self, Choice};
use isx::problem::text::parse_capacity;
use isx::solve;
use isx::solve::SolveError;
use num_bigint::BigInt;

/// The most items, or selections of one item per class, to enumerate.
const FEW_ITEMS: usize = 9;
const FEW_SELECTIONS: usize = 400;

pub fn check(data: &[u8]) {
    let Some((&kind, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    match kind % 4 {
        0 | 1 => of_knapsack(text),
        2 => of_mckp(text, Choice::ExactlyOne),
        _ => of_mckp(text, Choice::Optional),
    }
    // The same text as a capacity given in addition to a file.
    let _ = parse_capacity(text, u32::from(kind % 19));
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut text = Vec::new();
    write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn of_knapsack(text: &str) {
    let Ok(problems) = knapsack::text::parse_all(text) else { return };
    problems.iter().take(3).for_each(of_one_knapsack);
}

fn of_one_knapsack(read: &KnapsackText) {
    let problem: &Knapsack = &read.problem;
    let again = knapsack::text::parse(&written(|out| knapsack::text::write(problem, out))).unwrap();
    assert_eq!((&again.problem, again.profit_places, again.weight_places), (problem, 0, 0));
    if problem.items.len() > FEW_ITEMS {
        return;
    }
    let options = solve::knapsack::Options { machine: machine(), ..solve::knapsack::Options::default() };
    let claim = match solve::knapsack::solve(problem, &options) {
        Ok(solution) => solution.claim,
        Err(error) => panic!("{error}"),
    };
    let most = front_of_items(problem).pop().unwrap().1;
    assert_eq!(claim.profit(0).as_ref(), Some(&most));
    let items = claim.items(0).unwrap();
    let sum = |part: fn(&knapsack::Item) -> i128| -> i128 {
        items.iter().map(|&at| part(&problem.items[at as usize])).sum()
    };
    assert_eq!(BigInt::from(sum(|item| item.profit)), most);
    assert!(sum(|item| item.weight.into()) <= problem.capacity.into());
}

fn of_mckp(text: &str, choice: Choice) {
    let Ok(read) = mckp::text::parse(text, choice) else { return };
    let problem = &read.problem;
    let again = mckp::text::parse(&written(|out| write_mckp(problem, out)), choice).unwrap();
    assert_eq!(&again.problem, problem);
    if problem.classes.len() > 8 {
        return;
    }
    let Some(expected) = front_of(problem, FEW_SELECTIONS) else { return };
    let options = solve::Options { machine: machine(), ..solve::Options::default() };
    let claim = match solve::solve(problem, &options) {
        Ok(solution) => solution.claim,
        Err(SolveError::Infeasible(_)) => return assert!(expected.is_empty(), "something fits"),
        Err(error) => panic!("{error}"),
    };
    let found: Vec<(u64, BigInt)> =
        (0..claim.len()).map(|at| (claim.weight(at).unwrap(), claim.value(at).unwrap())).collect();
    assert!(found.iter().map(|(weight, value)| (weight, value)).eq(expected.iter().map(|(w, v, _)| (w, v))));
    for (at, (weight, value, _)) in expected.iter().enumerate() {
        let items = claim.items(at).unwrap();
        let taken =
            || problem.classes.iter().zip(&items).filter_map(|(class, item)| Some(&class[(*item)? as usize]));
        assert_eq!(taken().map(|item| u128::from(item.weight)).sum::<u128>(), u128::from(*weight));
        assert_eq!(taken().map(|item| BigInt::from(item.value)).sum::<BigInt>(), *value);
    }
}
