//! The engines for shared elements against all selections of small problems.

use isx::engine::mckp::ENGINES;
use isx::engine::{Choice, EngineError, Refusal};
use isx::problem::mckp::{Choice as Taking, Claim, Item, Mckp, NO_ITEM};
use isx::problem::resources::{self, Goal, Problem};
use isx::problem::set_union::{Element, Sharing};
use isx::problem::value::Tier;
use isx::sampling::Sampler;
use isx::solve::{Options, Solution, SolveError, resources::solve_unchecked as solve_resources};
use num_bigint::BigInt;

/// A point: weight, value, and the item of every class.
pub(crate) type Point = (u64, i64, Vec<Option<u32>>);

/// Solves a problem with optional choice whose items share elements.
fn solve_unchecked(
    problem: &Mckp<BigInt>,
    sharing: &Sharing,
    options: &Options,
) -> Result<Solution, SolveError> {
    let class = |(at, items): (usize, &Vec<Item<BigInt>>)| {
        let item = |(number, item): (u32, &Item<BigInt>)| resources::Item {
            value: item.value.clone(),
            cost: vec![item.weight],
            loads: Vec::new(),
            uses: sharing.uses_of(at, number).to_vec(),
            number,
        };
        let nothing = (NO_ITEM, &Item { value: BigInt::ZERO, weight: 0 });
        std::iter::once(nothing).chain((0..).zip(items)).map(item).collect()
    };
    let element = |element: &Element| {
        let (built, unbuilt) = (vec![element.weight], vec![0]);
        resources::Element { built, unbuilt, group: element.group }
    };
    let problem = Problem {
        classes: problem.classes.iter().enumerate().map(class).collect(),
        elements: sharing.elements.iter().map(element).collect(),
        limits: vec![problem.capacity],
        objectives: 1,
        modes: 0,
        goal: Goal::Front,
    };
    solve_resources(&problem, options)
}

/// Every selection, the canonical one first among those of equal weight and value.
fn all_selections(problem: &Mckp<BigInt>, sharing: &Sharing) -> Vec<Point> {
    let mut all = Vec::new();
    let mut items = vec![None; problem.classes.len()];
    loop {
        let taken =
            || items.iter().zip(&problem.classes).filter_map(|(item, class)| Some(&class[(*item)? as usize]));
        if let Some(used) = sharing.used(&items) {
            let shared = used.into_iter().map(|at| sharing.elements[at as usize].weight);
            let weight = shared.sum::<u64>() + taken().map(|item: &Item<BigInt>| item.weight).sum::<u64>();
            let value: BigInt = taken().map(|item| item.value.clone()).sum();
            if weight <= problem.capacity {
                all.push((weight, i64::try_from(value).unwrap(), items.clone()));
            }
        }
        // The first class changes fastest, so the order is canonical.
        let mut class = 0;
        loop {
            let Some(class_items) = problem.classes.get(class) else { return all };
            let next = items[class].map_or(0, |item| item + 1);
            if (next as usize) < class_items.len() {
                items[class] = Some(next);
                break;
            }
            items[class] = None;
            class += 1;
        }
    }
}

fn front(mut all: Vec<Point>) -> Vec<Point> {
    // Stable: the canonical selection stays first.
    all.sort_by_key(|(weight, value, _)| (*weight, -value));
    let mut front: Vec<Point> = Vec::new();
    for point in all {
        if front.last().is_none_or(|last| point.1 > last.1) {
            front.push(point);
        }
    }
    front
}

pub(crate) fn random(sampler: &mut Sampler) -> (Mckp<BigInt>, Sharing) {
    let mut below = |most: u64| sampler.uniform(0, most);
    let count = below(5);
    let small = [1, 3, 20][below(2) as usize];
    let elements: Vec<Element> = (0..count)
        .map(|_| Element { weight: below(small), group: [None, None, Some(1), Some(2)][below(3) as usize] })
        .collect();
    let (mut classes, mut uses) = (Vec::new(), Vec::new());
    for _ in 0..=below(5) {
        let items = below(4);
        let own = [0, 1, 3, 20][below(3) as usize];
        let item = |below: &mut dyn FnMut(u64) -> u64| Item {
            value: BigInt::from(below(small + 2) as i64 - 1),
            weight: below(own),
        };
        classes.push((0..items).map(|_| item(&mut below)).collect::<Vec<_>>());
        let mut subset = || {
            let share = below(3);
            (0..count as u32).filter(|_| below(3) < share).collect::<Vec<u32>>()
        };
        uses.push((0..items).map(|_| subset()).collect::<Vec<_>>());
    }
    let capacity = if below(2) == 0 { below(30) } else { 1000 };
    (Mckp { classes, capacity, choice: Taking::Optional }, Sharing { elements, uses })
}

#[test]
fn arithmetic_that_is_too_narrow_is_refused_before_anything_is_computed() {
    // Without a common unit.
    let class = |more: u64| vec![Item { value: BigInt::from((1u64 << 40) + more), weight: 1 }];
    let problem = Mckp { classes: vec![class(0), class(1)], capacity: 9, choice: Taking::Optional };
    let sharing =
        Sharing { elements: vec![Element { weight: 1, group: None }], uses: vec![vec![vec![0]]; 2] };
    let solved = |tier| {
        let options = Options { arithmetic: Some(tier), ..Options::default() };
        solve_unchecked(&problem, &sharing, &options).map(|solution| solution.claim.len())
    };
    assert_eq!(solved(Tier::I32), Err(SolveError::Arithmetic { asked: Tier::I32, needed: Tier::I64 }));
    assert_eq!((solved(Tier::I64), solved(Tier::Big)), (Ok(3), Ok(3)));
}

pub(crate) fn points_of(claim: &Claim) -> Vec<Point> {
    let point = |at| {
        let value = i64::try_from(claim.value(at).unwrap()).unwrap();
        (claim.weight(at).unwrap(), value, claim.items(at).unwrap())
    };
    (0..claim.len()).map(point).collect()
}

#[test]
fn every_point_is_that_of_brute_force_with_a_selection_behind_it() {
    let cases: u64 = std::env::var("ISX_CASES").map_or(10_000, |cases| cases.parse().unwrap());
    let mut sampler = Sampler::new(2026);
    let (mut points, mut ties) = (0, 0);
    // Engines whose name exists in both families.
    let engines: Vec<_> = ["list", "dense"].into_iter().filter_map(|name| ENGINES.named(name)).collect();
    assert_eq!(engines.len(), 2);
    for case in 0..cases {
        let (problem, sharing) = random(&mut sampler);
        let all = all_selections(&problem, &sharing);
        let wanted = front(all.clone());
        let claim = solve_unchecked(&problem, &sharing, &Options::default()).unwrap().claim;
        let found = points_of(&claim);
        // Which of several equal selections is found depends on the engine if elements are shared.
        let agree = |found: &[Point]| match sharing.is_empty() {
            true => found == wanted,
            false => {
                let numbers = |points: &[Point]| -> Vec<(u64, i64)> {
                    points.iter().map(|point| (point.0, point.1)).collect()
                };
                numbers(found) == numbers(&wanted) && found.iter().all(|point| all.contains(point))
            }
        };
        assert!(agree(&found), "case {case}: {found:?} {wanted:?} {problem:?} {sharing:?}");
        for engine in &engines {
            let options = Options { engine: Choice::Named(engine), ..Options::default() };
            let other = match solve_unchecked(&problem, &sharing, &options) {
                Ok(solution) => solution.claim,
                // Tables take no shared elements.
                Err(SolveError::Engine(Refusal { engine: "dense", cause: EngineError::Unavailable(_) }))
                    if !sharing.is_empty() =>
                {
                    continue;
                }
                Err(error) => panic!("{engine:?}, case {case}: {error}"),
            };
            assert!(agree(&points_of(&other)), "{engine:?}, case {case}: {problem:?} {sharing:?}");
            assert_eq!(other.complete, claim.complete, "{engine:?}, case {case}: {problem:?} {sharing:?}");
        }
        points += found.len();
        ties += all.len()
            - all.iter().map(|point| (point.0, point.1)).collect::<std::collections::HashSet<_>>().len();
        if claim.complete {
            let most = all_selections(&Mckp { capacity: u64::MAX, ..problem.clone() }, &sharing);
            assert_eq!(
                most.iter().map(|point| point.1).max(),
                found.last().map(|point| point.1),
                "case {case}"
            );
        }
    }
    assert!(points as u64 > 2 * cases && ties as u64 > cases, "{points} points, {ties} ties");
}
