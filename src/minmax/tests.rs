//! The worked instance; random sets are compared with brute force by the tests of the workspace (`tests/random`).

use super::*;
use isx_machine::Machine;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::Goal;

fn item(weight: u64, loads: &[u64], number: Option<u32>) -> Item {
    let loads = loads.iter().map(|&load| load.into()).collect();
    let number = number.unwrap_or(NO_ITEM);
    Item { value: BigInt::ZERO, cost: vec![weight], loads, uses: Vec::new(), number }
}

#[test]
fn the_worked_instance_is_as_documented() {
    let class =
        |zero: [u64; 2], one: (u64, [u64; 2])| vec![item(0, &zero, None), item(one.0, &one.1, Some(0))];
    let classes = vec![class([7, 0], (4, [3, 0])), class([0, 6], (5, [0, 2])), class([3, 1], (2, [2, 1]))];
    let (limits, goal) = (vec![20], Goal::Front);
    let problem = Problem { classes, elements: vec![], limits, objectives: 1, modes: 2, goal };
    let machine = Machine::default().with_threads(2);
    let answer = solve(&problem, &Context::new(&machine)).unwrap();
    assert_eq!(answer.weights, [0, 2, 4, 9, 11]);
    let loads = (0..5).map(|at| answer.loads.get(at).try_into().unwrap());
    assert_eq!(loads.collect::<Vec<u64>>(), [10, 9, 7, 6, 5]);
    let canonical = [None, None, Some(0)];
    assert_eq!(answer.picks[1], canonical);
}
