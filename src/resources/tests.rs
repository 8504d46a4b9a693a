//! The engines against the reference engine, on small random problems of every kind.

use crate::{Answer, ENGINES, Wanted};
use isx_engine::{Context, Request};
use isx_exact::sampling::Sampler;
use isx_machine::Machine;
use isx_problems::mckp::NO_ITEM;
use isx_problems::reduce::resources::{Reduced, WayBack, reduce};
use isx_problems::resources::{Element, Goal, Item, Problem};

/// Costs, value and items of a point.
type Point = (Vec<u64>, String, Vec<u32>);

fn answer(engine: &str, problem: &Problem, machine: &Machine) -> Answer {
    let context = Context::new(machine);
    let request = Request { problem, wanted: Wanted::Picks, context: &context };
    ENGINES.named(engine).unwrap().solve(request).unwrap()
}

fn points(engine: &str, problem: &Problem, machine: &Machine) -> Vec<Point> {
    points_of(answer(engine, problem, machine), problem.classes.len())
}

/// The points of a reduced problem as those of the original.
fn mapped(answer: Answer, back: &WayBack, classes: usize) -> Vec<Point> {
    let Answer { costs, values, .. } = answer;
    let costs = back.costs(costs, values.len());
    points_of(Answer { costs, values: back.values(values), ..answer }, classes)
}

fn points_of(answer: Answer, classes: usize) -> Vec<Point> {
    let count = answer.values.len();
    let mut columns = vec![0; count * classes];
    if count > 0 {
        answer.picks.unwrap().write(0..count, &mut columns);
    }
    let point = |at: usize| {
        let costs = answer.costs.iter().map(|column| column[at]).collect();
        let items = columns.iter().skip(at).step_by(count).copied().collect();
        (costs, answer.values.get(at).to_string(), items)
    };
    (0..count).map(point).collect()
}

fn random(sampler: &mut Sampler) -> Problem {
    let resources = sampler.uniform(1, 4) as usize;
    let objectives = sampler.uniform(1, resources as u64) as usize;
    let most: Vec<u64> =
        (0..resources).map(|_| [1, 3, 9, 2_000, 1 << 40][sampler.uniform(0, 4) as usize]).collect();
    let (shares, values) = (sampler.uniform(0, 2), [2, 6, 1000][sampler.uniform(0, 2) as usize]);
    let count = if shares == 0 { 0 } else { sampler.uniform(1, 4) };
    let amounts = |sampler: &mut Sampler| -> Vec<u64> {
        most.iter()
            .map(|&most| if sampler.uniform(0, 2) == 0 { 0 } else { sampler.uniform(0, most) })
            .collect()
    };
    let elements: Vec<Element> = (0..count)
        .map(|_| {
            let free = sampler.uniform(0, 1) == 0;
            let unbuilt = if free { vec![0; resources] } else { amounts(sampler) };
            let group = [None, None, Some(1), Some(2)][sampler.uniform(0, 3) as usize];
            Element { built: amounts(sampler), unbuilt, group }
        })
        .collect();
    let classes = sampler.uniform(0, 6);
    let item = |number: u32, sampler: &mut Sampler| Item {
        value: (sampler.uniform(0, values) as i64 - sampler.uniform(0, 2) as i64).into(),
        cost: amounts(sampler),
        uses: (0..count as u32).filter(|_| sampler.uniform(0, 2) == 0).collect(),
        number,
    };
    let classes: Vec<Vec<Item>> = (0..classes)
        .map(|_| {
            let mut items: Vec<Item> =
                (0..sampler.uniform(1, 4) as u32).map(|at| item(at, sampler)).collect();
            if sampler.uniform(0, 3) > 0 {
                let nothing =
                    Item { value: 0.into(), cost: vec![0; resources], uses: vec![], number: NO_ITEM };
                items.insert(0, nothing);
            }
            items
        })
        .collect();
    let limit = |most: u64, sampler: &mut Sampler| match sampler.uniform(0, 3) {
        0 => sampler.uniform(0, most),
        1 => 100 * most,
        _ => sampler.uniform(0, 4 * most),
    };
    let limits = most.iter().map(|&most| limit(most, sampler)).collect();
    let goal = match sampler.uniform(0, 3) {
        0 => Goal::Greatest,
        1 => Goal::AtLeast((sampler.uniform(0, 4 * values) as i64 - 3).into()),
        _ => Goal::Front,
    };
    Problem { classes, elements, limits, objectives, goal }
}

fn cases() -> u64 {
    std::env::var("ISX_CASES").map_or(5_000, |cases| cases.parse().unwrap())
}

#[test]
fn every_point_and_its_items_are_those_of_the_reference() {
    let machine = Machine::default().with_threads(2);
    let mut sampler = Sampler::new(2026);
    let mut found = 0;
    for case in 0..cases() {
        let problem = random(&mut sampler);
        let wanted = points("reference", &problem, &machine);
        found += wanted.len();
        for engine in ["list"] {
            let points = points(engine, &problem, &machine);
            assert_eq!(points, wanted, "{engine}, case {case}: {problem:?}");
        }
        let Some(Reduced { problem: small, back }) = reduce(&problem) else {
            assert!(wanted.is_empty(), "case {case}: {problem:?}");
            continue;
        };
        let points = mapped(answer("list", &small, &machine), &back, small.classes.len());
        assert_eq!(points, wanted, "case {case}: {small:?} {problem:?}");
    }
    assert!(found as u64 > cases(), "{found} points");
}
