use super::*;
use crate::resources::Element;
use crate::value::Values;

fn item(value: i64, cost: &[u64], uses: &[u32], number: u32) -> Item {
    Item { value: value.into(), cost: cost.to_vec(), loads: vec![], uses: uses.to_vec(), number }
}

fn element(built: &[u64], unbuilt: &[u64], group: Option<u32>) -> Element {
    Element { built: built.to_vec(), unbuilt: unbuilt.to_vec(), group }
}

fn problem(classes: &[&[Item]], elements: &[Element], limits: &[u64]) -> Problem {
    Problem {
        classes: classes.iter().map(|items| items.to_vec()).collect(),
        elements: elements.to_vec(),
        limits: limits.to_vec(),
        objectives: 1,
        modes: 0,
        goal: Goal::Front,
    }
}

fn numbers(reduced: &Reduced) -> Vec<Vec<u32>> {
    reduced.problem.classes.iter().map(|items| items.iter().map(|item| item.number).collect()).collect()
}

#[test]
fn what_is_left_is_as_small_as_it_can_be_and_finds_its_way_back() {
    // Costs of 5 and 100 are unavoidable, all others even; resource 1 costs the same whatever is taken.
    let first = [item(-4, &[5, 7], &[], 0), item(6, &[9, 7], &[], 1), item(6, &[9, 7], &[], 2)];
    let second = [item(0, &[100, 0], &[], 0), item(20, &[106, 0], &[], 1), item(30, &[900, 0], &[], 2)];
    let reduced = reduce(&problem(&[&first, &second], &[], &[500, 500])).unwrap();
    assert_eq!(numbers(&reduced), [[0, 1], [0, 1]]);
    let expected = problem(
        &[&[item(0, &[0], &[], 0), item(1, &[2], &[], 1)], &[item(0, &[0], &[], 0), item(2, &[3], &[], 1)]],
        &[],
        &[5],
    );
    assert_eq!(reduced.problem, expected);
    assert_eq!(reduced.back.costs(vec![vec![0, 5]], 2), [[105, 115], [7, 7]]);
    assert_eq!(reduced.back.values(Values::I64(vec![0, 3])), Values::I64(vec![-4, 26]));
}

#[test]
fn an_element_of_one_class_is_a_cost_of_its_items_built_or_not() {
    let class = [item(0, &[0], &[], 0), item(9, &[1], &[0], 1)];
    let reduced = reduce(&problem(&[&class], &[element(&[2], &[5], None)], &[9])).unwrap();
    // With the element it costs 1 + 2, without 5: the item is better in both.
    assert_eq!((numbers(&reduced), reduced.problem.elements.len()), (vec![vec![1]], 0));
    assert_eq!(reduced.back.costs(vec![vec![0]], 1), [[3]]);
}

#[test]
fn what_costs_more_unbuilt_is_no_reason_to_drop_its_users() {
    let elements = [element(&[0], &[5], None)];
    let class = [item(3, &[0], &[], 0), item(3, &[0], &[0], 1)];
    let reduced = reduce(&problem(&[&class, &class], &elements, &[9])).unwrap();
    assert_eq!(numbers(&reduced), [[0, 1], [0, 1]]);
    let plain = reduce(&problem(&[&class, &class], &[element(&[5], &[0], None)], &[9])).unwrap();
    assert_eq!((numbers(&plain), plain.problem.elements.len()), (vec![vec![0], vec![0]], 0));
}

#[test]
fn twins_become_one_and_what_is_always_built_is_paid() {
    let elements = [element(&[2], &[0], None), element(&[4], &[0], None), element(&[7], &[0], None)];
    let class = [item(0, &[0], &[2], 0), item(3, &[1], &[0, 1, 2], 1)];
    let reduced = reduce(&problem(&[&class, &class], &elements, &[20])).unwrap();
    assert_eq!(reduced.problem.elements, [element(&[6], &[0], None)]);
    assert_eq!(reduced.back.costs(vec![vec![8]], 1), [[15]]);
}

#[test]
fn what_no_selection_can_do_is_found() {
    let dear = [item(1, &[6], &[], 0)];
    assert_eq!(reduce(&problem(&[&dear, &dear], &[], &[11])), None);
    assert_eq!(reduce(&problem(&[&[]], &[], &[11])), None);
    let apart = [element(&[0], &[0], Some(1)), element(&[0], &[0], Some(1))];
    assert_eq!(reduce(&problem(&[&[item(1, &[0], &[0, 1], 0)]], &apart, &[11])), None);
    assert!(reduce(&problem(&[], &[], &[0])).is_some(), "nothing to take is a selection");
}
