//! The engines for several resources against all selections of small problems.

use isx::engine::resources::ENGINES;
use isx::engine::{Choice, EngineError, Refusal};
use isx::problem::mckp::{Claim, NO_ITEM};
use isx::problem::resources::{Element, Goal, Item, Problem};
use isx::sampling::Sampler;
use isx::solve::resources::solve_unchecked;
use isx::solve::{Options, SolveError};
use num_bigint::BigInt;

/// Costs, value, and the item of every class.
type Point = (Vec<u64>, BigInt, Vec<Option<u32>>);

/// Every selection within the limits, the canonical one first among those of equal costs and value.
fn all_selections(problem: &Problem) -> Vec<Point> {
    let mut all = Vec::new();
    let mut at = vec![0; problem.classes.len()];
    loop {
        let taken: Vec<&Item> = at.iter().zip(&problem.classes).map(|(&at, class)| &class[at]).collect();
        let is_built = |element: u32| taken.iter().any(|item| item.uses.contains(&element));
        let built: Vec<bool> = (0..problem.elements.len() as u32).map(is_built).collect();
        let in_group = |element: usize| problem.elements[element].group.filter(|_| built[element]);
        let excluded = (0..built.len())
            .any(|a| (0..a).any(|b| in_group(a).is_some_and(|group| in_group(b) == Some(group))));
        let cost = |resource: usize| {
            let own: u64 = taken.iter().map(|item| item.cost[resource]).sum();
            let elements = problem.elements.iter().zip(&built);
            own + elements
                .map(|(e, &built)| if built { e.built[resource] } else { e.unbuilt[resource] })
                .sum::<u64>()
        };
        let costs: Vec<u64> = (0..problem.limits.len()).map(cost).collect();
        if !excluded && costs.iter().zip(&problem.limits).all(|(cost, limit)| cost <= limit) {
            let items = taken.iter().map(|item| (item.number != NO_ITEM).then_some(item.number));
            all.push((costs, taken.iter().map(|item| &item.value).sum(), items.collect()));
        }
        // The first class changes fastest, so the order is canonical.
        let Some(class) = (0..at.len()).find(|&class| at[class] + 1 < problem.classes[class].len()) else {
            return all;
        };
        at[..class].fill(0);
        at[class] += 1;
    }
}

/// What the goal asks for, by its definition.
fn wanted(problem: &Problem, mut all: Vec<Point>) -> Vec<Point> {
    let objectives = problem.objectives;
    if let Goal::AtLeast(least) = &problem.goal {
        all.retain(|point| point.1 >= *least);
    }
    // Stable: of equal costs and values the canonical selection stays first.
    all.sort_by(|a, b| {
        let by_value = b.1.cmp(&a.1);
        a.0[..objectives].cmp(&b.0[..objectives]).then(by_value).then(a.0.cmp(&b.0))
    });
    if problem.goal == Goal::Greatest {
        all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(1);
        return all;
    }
    all.dedup_by(|later, first| later.0[..objectives] == first.0[..objectives]);
    let is_dominated = |point: &Point| {
        all.iter().any(|other| {
            let enough = problem.goal != Goal::Front || other.1 >= point.1;
            let no_more = other.0.iter().zip(&point.0).take(objectives).all(|(a, b)| a <= b);
            enough && no_more && other.0[..objectives] != point.0[..objectives]
        })
    };
    all.iter().filter(|point| !is_dominated(point)).cloned().collect()
}

fn random(sampler: &mut Sampler) -> Problem {
    let mut below = |most: u64| sampler.uniform(0, most);
    let resources = 1 + below(3) as usize;
    let objectives = 1 + below(resources as u64 - 1) as usize;
    let most = [1, 4, 30][below(2) as usize];
    let amounts = |below: &mut dyn FnMut(u64) -> u64| -> Vec<u64> {
        (0..resources).map(|_| if below(2) == 0 { 0 } else { below(most) }).collect()
    };
    let count = below(4);
    let mut elements = Vec::new();
    for _ in 0..count {
        let unbuilt = if below(1) == 0 { vec![0; resources] } else { amounts(&mut below) };
        let group = [None, None, Some(1), Some(2)][below(3) as usize];
        elements.push(Element { built: amounts(&mut below), unbuilt, group });
    }
    let mut classes = Vec::new();
    for _ in 0..below(5) {
        let nothing =
            Item { value: 0.into(), cost: vec![0; resources], loads: vec![], uses: vec![], number: NO_ITEM };
        let mut items = if below(3) == 0 { Vec::new() } else { vec![nothing] };
        for number in 0..=below(3) as u32 {
            let value = BigInt::from(below(most + 3) as i64 - 2);
            let uses = (0..count as u32).filter(|_| below(2) == 0).collect();
            items.push(Item { value, cost: amounts(&mut below), loads: vec![], uses, number });
        }
        classes.push(items);
    }
    let limits = (0..resources).map(|_| if below(2) == 0 { 1000 } else { below(3 * most) }).collect();
    let goal = match below(3) {
        0 => Goal::Greatest,
        1 => Goal::AtLeast((below(2 * most) as i64 - 1).into()),
        _ => Goal::Front,
    };
    Problem { classes, elements, limits, objectives, modes: 0, goal }
}

fn points_of(claim: &Claim) -> Vec<Point> {
    let point = |at| (claim.costs(at).unwrap(), claim.value(at).unwrap(), claim.items(at).unwrap());
    (0..claim.len()).map(point).collect()
}

#[test]
fn every_point_is_that_of_all_selections_whatever_the_goal() {
    let cases: u64 = std::env::var("ISX_CASES").map_or(2_000, |cases| cases.parse().unwrap());
    let mut sampler = Sampler::new(27);
    let (mut points, mut refused) = (0, 0);
    for case in 0..cases {
        let problem = random(&mut sampler);
        let all = all_selections(&problem);
        let wanted = wanted(&problem, all.clone());
        points += wanted.len() as u64;
        let named = ["list", "dense", "reference"].map(|name| Choice::Named(ENGINES.named(name).unwrap()));
        for engine in named.into_iter().chain([Choice::Auto]) {
            let asked = match engine {
                // Their names exist in the family that options name engines of.
                Choice::Named(entry) => match isx::engine::mckp::ENGINES.named(entry.name) {
                    Some(entry) => Choice::Named(entry),
                    None => continue,
                },
                Choice::Auto => Choice::Auto,
            };
            let options = Options { engine: asked, ..Options::default() };
            let claim = match solve_unchecked(&problem, &options) {
                Ok(solved) => solved.claim,
                // Tables of a problem in some thousands.
                Err(SolveError::Engine(Refusal {
                    engine: "dense",
                    cause: EngineError::MemoryOfThisEngine { .. },
                })) => {
                    refused += 1;
                    continue;
                }
                // Tables take no shared elements.
                Err(SolveError::Engine(Refusal { engine: "dense", cause: EngineError::Unavailable(_) }))
                    if !problem.elements.is_empty() =>
                {
                    continue;
                }
                Err(error) => panic!("{asked:?}, case {case}: {error}"),
            };
            let found = points_of(&claim);
            if problem.elements.is_empty() {
                assert_eq!(found, wanted, "{asked:?}, case {case}: {problem:?}");
                continue;
            }
            // Which of several equal selections is found depends on the engine if elements are shared.
            let numbers = |points: &[Point]| -> Vec<(Vec<u64>, BigInt)> {
                points.iter().map(|point| (point.0.clone(), point.1.clone())).collect()
            };
            assert_eq!(numbers(&found), numbers(&wanted), "{asked:?}, case {case}: {problem:?}");
            assert!(found.iter().all(|point| all.contains(point)), "{asked:?}, case {case}: {problem:?}");
        }
    }
    assert!(points > cases, "{points} points");
    assert!(refused <= cases / 1_000, "{refused} refused for memory");
}
