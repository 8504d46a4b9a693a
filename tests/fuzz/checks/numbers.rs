//! Texts of knapsack problems, of all three kinds, selected by the first byte: a parsed problem is the same after
//! writing and reading it again, and small problems have the answer of brute force.

use super::machine;
use isx::problem::knapsack::text::KnapsackText;
use isx::problem::knapsack::{self, Knapsack};
use isx::problem::mckp::generate::write_mckp;
use isx::problem::mckp::{self, Choice, Mckp};
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

/// The most profit of all selections.
fn most(items: usize, fits: impl Fn(u32) -> Option<i128>) -> i128 {
    (0..1u32 << items).filter_map(fits).max().expect("nothing always fits")
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
    let taken = |set: u32| (0..problem.items.len()).filter(move |at| set >> at & 1 == 1);
    let most = most(problem.items.len(), |set| {
        let weight: u128 = taken(set).map(|at| u128::from(problem.items[at].weight)).sum();
        (weight <= problem.capacity.into()).then(|| taken(set).map(|at| problem.items[at].profit).sum())
    });
    assert_eq!(claim.profit(0), Some(BigInt::from(most)));
    let items = claim.items(0).unwrap();
    let sum = |part: fn(&knapsack::Item) -> i128| -> i128 {
        items.iter().map(|&at| part(&problem.items[at as usize])).sum()
    };
    assert_eq!(sum(|item| item.profit), most);
    assert!(sum(|item| item.weight.into()) <= problem.capacity.into());
}

fn of_mckp(text: &str, choice: Choice) {
    let Ok(read) = mckp::text::parse(text, choice) else { return };
    let problem = &read.problem;
    let again = mckp::text::parse(&written(|out| write_mckp(problem, out)), choice).unwrap();
    assert_eq!(&again.problem, problem);
    let selections =
        problem.classes.iter().try_fold(1usize, |product, class| product.checked_mul(class.len() + 1));
    if problem.classes.len() > 8 || selections.is_none_or(|selections| selections > FEW_SELECTIONS) {
        return;
    }
    let expected = front_of_all(problem);
    let options = solve::Options { machine: machine(), ..solve::Options::default() };
    let claim = match solve::solve(problem, &options) {
        Ok(solution) => solution.claim,
        Err(SolveError::Infeasible(_)) => return assert!(expected.is_empty(), "something fits"),
        Err(error) => panic!("{error}"),
    };
    let found: Vec<(u64, BigInt)> =
        (0..claim.len()).map(|at| (claim.weight(at).unwrap(), claim.value(at).unwrap())).collect();
    assert_eq!(found, expected);
    for (at, (weight, value)) in expected.iter().enumerate() {
        let items = claim.items(at).unwrap();
        let taken =
            || problem.classes.iter().zip(&items).filter_map(|(class, item)| Some(&class[(*item)? as usize]));
        assert_eq!(taken().map(|item| u128::from(item.weight)).sum::<u128>(), u128::from(*weight));
        assert_eq!(taken().map(|item| BigInt::from(item.value)).sum::<BigInt>(), *value);
    }
}

/// Weight and value of every undominated selection.
fn front_of_all(problem: &Mckp<i128>) -> Vec<(u64, BigInt)> {
    let mut all: Vec<(u128, BigInt)> = vec![(0, BigInt::ZERO)];
    for class in &problem.classes {
        let mut longer = if problem.choice == Choice::Optional { all.clone() } else { Vec::new() };
        for (weight, value) in &all {
            longer.extend(class.iter().map(|item| (weight + u128::from(item.weight), value + item.value)));
        }
        all = longer;
    }
    all.retain(|(weight, _)| *weight <= problem.capacity.into());
    all.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| other.1.cmp(&one.1)));
    let mut front: Vec<(u64, BigInt)> = Vec::new();
    for (weight, value) in all {
        if front.last().is_none_or(|last| value > last.1) {
            front.push((u64::try_from(weight).unwrap(), value));
        }
    }
    front
}
