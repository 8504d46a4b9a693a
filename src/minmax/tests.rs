//! The engine against every selection.

use super::*;
use isx_exact::sampling::Sampler;
use isx_machine::Machine;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::Element;
use isx_problems::resources::Goal;

/// Weight, largest load and selection of a point.
type Point = (u64, BigInt, Vec<Option<u32>>);

fn solved(problem: &Problem) -> Vec<Point> {
    let machine = Machine::default().with_threads(2);
    let answer = solve(problem, &Context::new(&machine)).unwrap();
    let load = |at: usize| answer.loads.get(at);
    let point = |at: usize| (answer.weights[at], load(at), answer.picks[at].clone());
    (0..answer.weights.len()).map(point).collect()
}

/// Every selection, compared as the definition says.
fn by_definition(problem: &Problem) -> Vec<Point> {
    let mut all: Vec<Point> = Vec::new();
    let count: usize = problem.classes.iter().map(Vec::len).product();
    for mut number in 0..count {
        let mut items = Vec::new();
        for class in &problem.classes {
            items.push(&class[number % class.len()]);
            number /= class.len();
        }
        let mut used: Vec<u32> = items.iter().flat_map(|item| &item.uses).copied().collect();
        used.sort_unstable();
        used.dedup();
        let mut groups: Vec<u32> =
            used.iter().filter_map(|&at| problem.elements[at as usize].group).collect();
        groups.sort_unstable();
        let own: u64 = items.iter().map(|item| item.cost[0]).sum();
        let weight = own + used.iter().map(|&at| problem.elements[at as usize].built[0]).sum::<u64>();
        let of_mode = |mode: usize| items.iter().map(|item| &item.loads[mode]).sum::<BigInt>();
        let load = (0..problem.modes).map(of_mode).max().unwrap();
        let within = limit(problem).is_none_or(|limit| load <= limit);
        if within && weight <= problem.limits[0] && groups.windows(2).all(|pair| pair[0] != pair[1]) {
            let numbers =
                items.iter().map(|item| Some(item.number).filter(|&number| number != NO_ITEM)).collect();
            all.push((weight, load, numbers));
        }
    }
    all.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)).then_with(|| a.2.iter().rev().cmp(b.2.iter().rev())));
    let mut front: Vec<Point> = Vec::new();
    for point in all {
        if front.last().is_none_or(|last| point.1 < last.1) {
            front.push(point);
        }
    }
    if limit(problem).is_some() {
        front.truncate(1);
    }
    front
}

fn item(weight: u64, loads: &[u64], uses: &[u32], number: Option<u32>) -> Item {
    let loads = loads.iter().map(|&load| load.into()).collect();
    let (cost, uses, number) = (vec![weight], uses.to_vec(), number.unwrap_or(NO_ITEM));
    Item { value: BigInt::ZERO, cost, loads, uses, number }
}

fn element(weight: u64, group: Option<u32>) -> Element {
    Element { built: vec![weight], unbuilt: vec![0], group }
}

fn problem(
    classes: Vec<Vec<Item>>,
    elements: Vec<Element>,
    capacity: u64,
    modes: usize,
    goal: Goal,
) -> Problem {
    Problem { classes, elements, limits: vec![capacity], objectives: 1, modes, goal }
}

#[test]
fn the_worked_instance_is_as_told() {
    let class = |zero: [u64; 2], one: (u64, [u64; 2])| {
        vec![item(0, &zero, &[], None), item(one.0, &one.1, &[], Some(0))]
    };
    let classes = vec![class([7, 0], (4, [3, 0])), class([0, 6], (5, [0, 2])), class([3, 1], (2, [2, 1]))];
    let problem = problem(classes, vec![], 20, 2, Goal::Front);
    let points: Vec<(u64, u64)> =
        solved(&problem).into_iter().map(|(weight, load, _)| (weight, load.try_into().unwrap())).collect();
    assert_eq!(points, [(0, 10), (2, 9), (4, 7), (9, 6), (11, 5)]);
}

fn random(sampler: &mut Sampler) -> Problem {
    let modes = sampler.uniform(1, 3) as usize;
    let elements: Vec<Element> = (0..sampler.uniform(0, 3))
        .map(|_| element(sampler.uniform(0, 5), (sampler.uniform(0, 3) == 0).then_some(0)))
        .collect();
    // Large loads need wide integers.
    let scale = [1u64, 1 << 61][usize::from(sampler.uniform(0, 9) == 0)];
    let class = |sampler: &mut Sampler| {
        let within: Vec<bool> = (0..modes).map(|_| sampler.uniform(0, 1) == 1).collect();
        let mut items = Vec::new();
        for number in 0..sampler.uniform(1, 4) {
            let loads: Vec<u64> =
                within.iter().map(|&within| if within { scale * sampler.uniform(0, 3) } else { 0 }).collect();
            let mut uses: Vec<u32> =
                (0..elements.len() as u32).filter(|_| number > 0 && sampler.uniform(0, 3) == 0).collect();
            let mut groups = 0;
            uses.retain(|&at| {
                groups += usize::from(elements[at as usize].group.is_some());
                elements[at as usize].group.is_none() || groups < 2
            });
            let weight = if number == 0 { 0 } else { sampler.uniform(0, 5) };
            items.push(item(weight, &loads, &uses, number.checked_sub(1).map(|number| number as u32)));
        }
        items
    };
    let classes: Vec<Vec<Item>> = (0..sampler.uniform(1, 5)).map(|_| class(sampler)).collect();
    let capacity = if sampler.uniform(0, 2) == 0 { sampler.uniform(0, 15) } else { 100 };
    let limit = (sampler.uniform(0, 3) == 0).then(|| BigInt::from(scale) * sampler.uniform(0, 12));
    problem(classes, elements, capacity, modes, limit.map_or(Goal::Front, |limit| Goal::AtLeast(-limit)))
}

#[test]
fn every_point_and_selection_is_that_of_the_definition() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(20_000);
    let (mut sampler, mut points) = (Sampler::new(26), 0);
    for case in 0..cases {
        let problem = random(&mut sampler);
        let wanted = by_definition(&problem);
        assert_eq!(solved(&problem), wanted, "case {case}: {problem:#?}");
        points += wanted.len();
    }
    assert!(points > cases, "only {points} points were compared");
}
