//! A text that may be a TSPLIB problem: its distances are the same after writing them as a matrix and reading it
//! again, and with few cities the shortest tour is that of brute force.

use super::machine;
use isx::problem::tsp::Tsp;
use isx::problem::tsp::tsplib::parse;
use isx::solve::tsp::{Options, solve};
use std::fmt::Write as _;

/// The most cities whose distances are computed, and the most whose orders are all enumerated.
const MOST: usize = 40;
const FEW: usize = 7;

pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let read = match parse(text) {
        Ok(read) => read,
        Err(error) => {
            let shown = error.to_string();
            assert!(!shown.is_empty() && !shown.chars().any(char::is_control), "{shown:?}");
            return;
        }
    };
    assert!(read.cities() > 0);
    if read.cities() > MOST {
        return;
    }
    let Ok(problem) = read.problem() else { return };
    let cities = problem.cities();
    assert_eq!(cities, read.cities());
    let pairs = || (0..cities * cities).map(|at| (at / cities, at % cities));
    if read.is_symmetric() {
        assert!(pairs().all(|(from, to)| problem.distance(from, to) == problem.distance(to, from)));
    }
    let again = as_matrix(&problem);
    let again = parse(&again).unwrap_or_else(|error| panic!("{error}\n{again}")).problem().unwrap();
    assert!(pairs().all(|(from, to)| problem.distance(from, to) == again.distance(from, to)));
    if cities <= FEW {
        let claim = solve(&problem, &Options { machine: machine(), ..Options::default() }).unwrap().claim;
        let mut order = claim.tour.clone();
        assert_eq!((length(&problem, &order), order.first()), (claim.length, Some(&0)));
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..cities));
        assert_eq!(claim.length, shortest(&problem, &mut order, 1));
    }
}

fn as_matrix(problem: &Tsp) -> String {
    let cities = problem.cities();
    let mut text = format!("TYPE: ATSP\nDIMENSION: {cities}\nEDGE_WEIGHT_TYPE: EXPLICIT\n");
    text.push_str("EDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n");
    for at in 0..cities * cities {
        let _ = write!(text, "{} ", problem.distance(at / cities, at % cities));
    }
    text + "\nEOF\n"
}

fn length(problem: &Tsp, order: &[usize]) -> i64 {
    order.iter().zip(order.iter().cycle().skip(1)).map(|(&from, &to)| problem.distance(from, to)).sum()
}

/// The least length of all orders that begin with the first `fixed` cities of this one.
fn shortest(problem: &Tsp, order: &mut [usize], fixed: usize) -> i64 {
    if fixed >= order.len() {
        return length(problem, order);
    }
    let mut least = i64::MAX;
    for at in fixed..order.len() {
        order.swap(fixed, at);
        least = least.min(shortest(problem, order, fixed + 1));
        order.swap(fixed, at);
    }
    least
}
