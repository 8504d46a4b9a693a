//! The engines against the reference engine, on small random problems of every kind.

use crate::{Answer, ENGINES, Wanted, labels};
use isx_engine::{Choice, Context, Engine, EngineError, Refusal, Request, planner};
use isx_exact::sampling::Sampler;
use isx_machine::Machine;
use isx_problems::mckp::NO_ITEM;
use isx_problems::reduce::resources::{Reduced, WayBack, reduce};
use isx_problems::resources::{Element, Goal, Item, Problem};
use num_bigint::BigInt;

/// Costs, value and items of a point.
pub(crate) type Point = (Vec<u64>, String, Vec<u32>);

fn answer(engine: &str, problem: &Problem, machine: &Machine) -> Answer {
    let context = Context::new(machine);
    let request = Request { problem, wanted: Wanted::PICKS, context: &context };
    ENGINES.named(engine).unwrap().solve(request).unwrap()
}

pub(crate) fn points(engine: &str, problem: &Problem, machine: &Machine) -> Vec<Point> {
    points_of(answer(engine, problem, machine), problem.classes.len())
}

/// The points of a reduced problem as those of the original.
fn mapped(answer: Answer, back: &WayBack, classes: usize) -> Vec<Point> {
    let Answer { costs, values, .. } = answer;
    let costs = back.costs(costs, values.len());
    points_of(Answer { costs, values: back.values(values), ..answer }, classes)
}

/// The answer of the dense engine, unless its tables would be too large for a short test.
fn dense(problem: &Problem, machine: &Machine) -> Option<Answer> {
    let machine = machine.clone().with_max_memory(4 << 20);
    let context = Context::new(&machine);
    let request = Request { problem, wanted: Wanted::PICKS, context: &context };
    match ENGINES.named("dense").unwrap().solve(request) {
        Ok(answer) => Some(answer),
        Err(Refusal { cause: EngineError::Memory(_) | EngineError::Arithmetic(_), .. }) => None,
        Err(Refusal { cause: EngineError::Unavailable(_), .. })
            if problem.modes > 0 || !problem.elements.is_empty() =>
        {
            None
        }
        Err(refusal) => panic!("{refusal}"),
    }
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

/// Points without their items where these are not canonical: which of several equal selections is found depends on what
/// engines compare if there are elements or modes.
fn comparable(problem: &Problem, mut points: Vec<Point>) -> Vec<Point> {
    for (costs, _, items) in &mut points {
        if !problem.elements.is_empty() || problem.modes > 0 {
            items.clear();
        }
        // Nor are costs without an objective, where a load that is not the largest may differ.
        if problem.modes > 0 {
            costs.truncate(problem.objectives);
        }
    }
    points
}

/// What random problems are made for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum For {
    /// Engines of any kind: some problems have wide numbers, or several modes.
    All,
    /// Tables: amounts are small numbers of large units.
    Tables,
}

/// A small problem of any kind.
pub(crate) fn random(sampler: &mut Sampler, made_for: For) -> Problem {
    let pick = |sampler: &mut Sampler, of: &[u64]| of[sampler.uniform(0, of.len() as u64 - 1) as usize];
    let (for_tables, resources) = (made_for == For::Tables, sampler.uniform(1, 4) as usize);
    let objectives = sampler.uniform(1, resources as u64) as usize;
    let most = |sampler: &mut Sampler| match made_for {
        For::All => (pick(sampler, &[1, 3, 9, 2_000, 1 << 40]), 1),
        For::Tables => (pick(sampler, &[1, 3, 5, 30]), pick(sampler, &[1, 7, 1 << 40])),
    };
    let most: Vec<(u64, u64)> = (0..resources).map(|_| most(sampler)).collect();
    let amounts = |sampler: &mut Sampler, least: u64| -> Vec<u64> {
        let amount = |sampler: &mut Sampler, &(most, unit): &(u64, u64)| match sampler.uniform(0, 2) {
            0 => least,
            _ => least + sampler.uniform(0, most) * unit,
        };
        most.iter().map(|most| amount(sampler, most)).collect()
    };
    let count = if sampler.uniform(0, 2) == 0 { 0 } else { sampler.uniform(1, 4) };
    let modes = if !for_tables && sampler.uniform(0, 2) == 0 { sampler.uniform(1, 3) as usize } else { 0 };
    let values = pick(sampler, &[2, 6, 1000]);
    // Numbers of one word, or also of two, four and twenty words.
    let factor =
        BigInt::from(1) << pick(sampler, if for_tables { &[0, 0, 33] } else { &[0, 0, 70, 200, 900] });
    let element = |sampler: &mut Sampler| {
        let unbuilt = if sampler.uniform(0, 1) == 0 { vec![0; resources] } else { amounts(sampler, 0) };
        let group = [None, None, Some(1), Some(2)][sampler.uniform(0, 3) as usize];
        Element { built: amounts(sampler, 0), unbuilt, group }
    };
    let elements: Vec<Element> = (0..count).map(|_| element(sampler)).collect();
    let item = |number: u32, least: u64, sampler: &mut Sampler| Item {
        value: match modes {
            0 => BigInt::from(sampler.uniform(0, values) as i64 - sampler.uniform(0, 2) as i64) * &factor,
            _ => BigInt::ZERO,
        },
        cost: amounts(sampler, least),
        loads: (0..modes)
            .map(|_| BigInt::from(sampler.uniform(0, 2) * sampler.uniform(0, values)) * &factor)
            .collect(),
        uses: (0..count as u32).filter(|_| sampler.uniform(0, 2) == 0).collect(),
        number,
    };
    let class = |sampler: &mut Sampler| {
        let least = sampler.uniform(0, 5) / 5;
        let mut items: Vec<Item> =
            (0..sampler.uniform(1, 4) as u32).map(|at| item(at, least, sampler)).collect();
        if sampler.uniform(0, 3) > 0 {
            let (cost, loads) = (vec![0; resources], vec![BigInt::ZERO; modes]);
            items.insert(0, Item { value: 0.into(), cost, loads, uses: vec![], number: NO_ITEM });
        }
        items
    };
    let classes = (0..sampler.uniform(0, 6)).map(|_| class(sampler)).collect();
    let limit = |sampler: &mut Sampler, &(most, unit): &(u64, u64)| match sampler.uniform(0, 3) {
        0 => sampler.uniform(0, most) * unit,
        1 => 100 * most * unit,
        _ => sampler.uniform(0, 4 * most) * unit + 5,
    };
    let limits = most.iter().map(|most| limit(sampler, most)).collect();
    let goal = match sampler.uniform(0, 3) {
        0 => Goal::Greatest,
        1 if modes == 0 => Goal::AtLeast(BigInt::from(sampler.uniform(0, 4 * values) as i64 - 3) * &factor),
        1 => Goal::AtLeast(BigInt::from(3 - sampler.uniform(0, 8 * values) as i64) * &factor),
        _ => Goal::Front,
    };
    Problem { classes, elements, limits, objectives, modes, goal }
}

pub(crate) fn cases(usual: u64) -> u64 {
    std::env::var("ISX_CASES").map_or(usual, |cases| cases.parse().unwrap())
}

#[test]
fn every_point_and_its_items_are_those_of_the_reference() {
    let machine = Machine::default().with_threads(2);
    let mut sampler = Sampler::new(2026);
    let (mut found, mut tables) = (0, 0);
    let cases = cases(5_000);
    for case in 0..cases {
        let problem = random(&mut sampler, For::All);
        let comparable = |points| comparable(&problem, points);
        let wanted = comparable(points("reference", &problem, &machine));
        found += wanted.len();
        let points = comparable(points("list", &problem, &machine));
        let request = Request { problem: &problem, wanted: Wanted::PICKS, context: &Context::new(&machine) };
        let small =
            labels::Labels(labels::Limits { long: 2, shared: 8 }).plan(request).unwrap().run().unwrap();
        let small = comparable(points_of(small, problem.classes.len()));
        assert_eq!(small, wanted, "small limits, case {case}: {problem:?}");
        assert_eq!(points, wanted, "list, case {case}: {problem:?}");
        if let Some(answer) = dense(&problem, &machine) {
            tables += 1;
            let points = comparable(points_of(answer, problem.classes.len()));
            assert_eq!(points, wanted, "dense, case {case}: {problem:?}");
        }
        let Some(Reduced { problem: small, back }) = reduce(&problem) else {
            assert!(wanted.is_empty(), "case {case}: {problem:?}");
            continue;
        };
        let answers = [Some(answer("list", &small, &machine)), dense(&small, &machine)];
        for answer in answers.into_iter().flatten() {
            let points = comparable(mapped(answer, &back, small.classes.len()));
            assert_eq!(points, wanted, "case {case}: {small:?} {problem:?}");
        }
    }
    assert!(found as u64 > cases && tables > cases / 20, "{found} points, {tables} tables");
}

/// Many items of three resources, the first with large amounts.
fn larger(sampler: &mut Sampler, elements: usize, goal: Goal) -> Problem {
    let item = |number: u32, sampler: &mut Sampler| {
        let cost = vec![sampler.uniform(1, 40), sampler.uniform(0, 9) / 7, sampler.uniform(0, 9) / 8];
        let value = sampler.uniform(1, 20) + cost[0] + 9 * cost[1] + 7 * cost[2];
        let uses = (0..elements as u32).filter(|_| sampler.uniform(0, 3) == 0).collect();
        Item { value: value.into(), cost, loads: vec![], uses, number }
    };
    let class = |sampler: &mut Sampler| -> Vec<Item> {
        let nothing =
            Item { value: 0.into(), cost: vec![0; 3], loads: vec![], uses: vec![], number: NO_ITEM };
        std::iter::once(nothing).chain((0..8).map(|at| item(at, sampler))).collect()
    };
    let classes = (0..if elements > 0 { 8 } else { 24 }).map(|_| class(sampler)).collect();
    let element =
        |at: u64| Element { built: vec![3 + at, at % 2, 0], unbuilt: vec![at % 3, 0, 0], group: None };
    let elements = (0..elements as u64).map(element).collect();
    Problem { classes, elements, limits: vec![700, 9, 7], objectives: 3, modes: 0, goal }
}

#[test]
fn large_problems_have_one_answer_with_any_engine_memory_and_number_of_threads() {
    let mut sampler = Sampler::new(7);
    let machine =
        |threads: usize, memory: u64| Machine::default().with_threads(threads).with_max_memory(memory << 10);
    let without = [(0, Goal::Front), (0, Goal::Greatest), (0, Goal::AtLeast(700.into()))];
    for (elements, goal) in without.into_iter().chain([(4, Goal::Front), (4, Goal::AtLeast(300.into()))]) {
        let problem = larger(&mut sampler, elements, goal);
        let of = |points| comparable(&problem, points);
        let listed = points("list", &problem, &machine(1, 1 << 20));
        assert_eq!(points("list", &problem, &machine(3, 1 << 20)), listed);
        let wanted = of(listed);
        assert!(wanted.len() > 300 || problem.goal != Goal::Front, "{}", wanted.len());
        if elements > 0 {
            continue;
        }
        let least = |memory: u64| {
            let machine = machine(2, memory);
            let context = Context::new(&machine);
            let request = Request { problem: &problem, wanted: Wanted::PICKS, context: &context };
            ENGINES.named("dense").unwrap().solve(request)
        };
        let Err(Refusal { cause: EngineError::Memory(over), .. }) = least(200) else {
            panic!("200 KiB are too few")
        };
        // All tables; then as few as possible, computed twice.
        for memory in [1 << 20, over.needed.div_ceil(1 << 10)] {
            assert_eq!(of(points_of(least(memory).unwrap(), problem.classes.len())), wanted, "{memory} KiB");
        }
    }
}

/// Items that no other dominates, of large amounts: the lists are long, and no table fits.
fn wide(sampler: &mut Sampler, classes: usize, items: u32) -> Problem {
    let item = |number: u32, sampler: &mut Sampler| {
        let cost: Vec<u64> = (0..3).map(|_| sampler.uniform(0, 1 << 30)).collect();
        let value = cost.iter().sum::<u64>() + sampler.uniform(0, 1 << 29);
        Item { value: value.into(), cost, loads: vec![], uses: vec![], number }
    };
    let class = |sampler: &mut Sampler| (0..items).map(|at| item(at, sampler)).collect();
    let classes = (0..classes).map(|_| class(sampler)).collect();
    Problem {
        classes,
        elements: vec![],
        limits: vec![u64::MAX >> 8; 3],
        objectives: 3,
        modes: 0,
        goal: Goal::Front,
    }
}

#[test]
fn long_lists_without_a_table_are_those_of_the_reference_and_known_points_exclude_none() {
    let mut sampler = Sampler::new(11);
    let machine = |threads: usize| Machine::default().with_threads(threads);
    let problem = wide(&mut sampler, 7, 4);
    let wanted = points("reference", &problem, &machine(1));
    assert!(wanted.len() > 1_000, "{}", wanted.len());
    assert_eq!(points("list", &problem, &machine(1)), wanted);
    assert_eq!(points("list", &problem, &machine(3)), wanted);
    // More than a million selections: some are looked for first, unless all candidates are wanted.
    let mut problem = wide(&mut sampler, 13, 3);
    let most = |items: &Vec<Item>| items.iter().map(|item| item.value.clone()).max().unwrap();
    problem.goal = Goal::AtLeast(problem.classes.iter().map(most).sum::<BigInt>() * 3 / 4);
    let machine = machine(2);
    let context = Context { all_candidates: true, ..Context::new(&machine) };
    let request = Request { problem: &problem, wanted: Wanted::PICKS, context: &context };
    let all = ENGINES.named("list").unwrap().solve(request).unwrap();
    let found = answer("list", &problem, &machine);
    assert!(found.updates < all.updates && found.values.len() > 10, "{} {}", found.updates, all.updates);
    assert_eq!(points_of(found, 13), points_of(all, 13));
}

#[test]
fn numbers_at_the_ends_of_their_ranges_are_exact_or_refused() {
    let machine = Machine::default().with_threads(1);
    let item = |value: BigInt, cost: u64, number: u32| Item {
        value,
        cost: vec![cost, 0],
        loads: vec![],
        uses: vec![],
        number,
    };
    let solved = |engine: &str, values: [&BigInt; 2], cost: u64, limit: u64| {
        let [small, large] = values;
        let class = vec![item(small.clone(), 0, NO_ITEM), item(large.clone(), cost, 0)];
        let problem = Problem {
            classes: vec![class.clone(), class],
            elements: vec![],
            limits: vec![limit, 0],
            objectives: 2,
            modes: 0,
            goal: Goal::Front,
        };
        let context = Context::new(&machine);
        let request = Request { problem: &problem, wanted: Wanted::PICKS, context: &context };
        let answer = ENGINES.named(engine).unwrap().solve(request).map_err(|refusal| refusal.cause)?;
        let values = (0..answer.values.len()).map(|at| answer.values.get(at));
        Ok::<_, EngineError>((answer.costs[0].clone(), values.collect::<Vec<BigInt>>()))
    };
    for bits in [29, 30, 61, 62, 63, 125, 126, 200] {
        for least in [0, -1] {
            let most = (BigInt::from(1) << bits) - 1;
            let least = least * &most;
            let wanted = (vec![0, 3, 6], vec![2 * &least, &least + &most, 2 * &most]);
            for (engine, widest) in [("reference", 300), ("list", 300), ("dense", 61)] {
                let found = solved(engine, [&least, &most], 3, 9);
                match &found {
                    Ok(found) => assert_eq!(*found, wanted, "{engine} {bits}"),
                    Err(EngineError::Arithmetic(_)) => assert!(bits >= widest, "{engine} {bits}"),
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
    let values = [&BigInt::from(0), &BigInt::from(1)];
    for cost in [1 << 61, 1 << 62, u64::MAX] {
        let found = solved("list", values, cost, u64::MAX);
        match cost {
            2_305_843_009_213_693_952 => assert_eq!(found.unwrap().0, [0, cost, 2 * cost]),
            _ => assert!(matches!(found, Err(EngineError::TooLarge(_)))),
        }
        assert_eq!(solved("list", values, cost, 0).unwrap().0, [0]);
    }
    assert_eq!(solved("dense", values, 1, 0).unwrap().0, [0]);
}

#[test]
fn cancelled_and_too_large_computations_end() {
    for (engine, elements) in [("list", 4), ("list", 0), ("dense", 0)] {
        let problem = larger(&mut Sampler::new(3), elements, Goal::Front);
        let solved = |machine: &Machine| {
            let context = Context::new(machine);
            let request = Request { problem: &problem, wanted: Wanted::PICKS, context: &context };
            ENGINES.named(engine).unwrap().solve(request).map(|answer| answer.values.len())
        };
        let cancel = isx_machine::Cancel::default();
        cancel.cancel();
        let refusal = solved(&Machine::default().with_cancel(cancel)).unwrap_err();
        assert_eq!(refusal.cause, EngineError::Cancelled, "{engine}");
        let refusal = solved(&Machine::default().with_max_memory(100 << 10)).unwrap_err();
        assert!(refusal.cause.over_memory().is_some(), "{engine}: {refusal}");
    }
}

#[test]
fn the_planner_takes_the_lists_unless_they_grow_too_long() {
    let machine = Machine::default().with_threads(1);
    let mut problem = larger(&mut Sampler::new(5), 0, Goal::Front);
    let planned = |problem: &Problem| {
        let context = Context::new(&machine);
        let request = Request { problem, wanted: Wanted::VALUES, context: &context };
        let planned = planner::solve(&ENGINES, Choice::Auto, request).unwrap();
        (planned.engine, planned.why)
    };
    problem.classes.truncate(3);
    assert_eq!(planned(&problem).0, "list");
    // Few cells, and lists that fill them.
    let item = |at: u32| Item {
        value: (at * at).into(),
        cost: vec![u64::from(at), 0],
        loads: vec![],
        uses: vec![],
        number: at,
    };
    let classes = vec![(0..60).map(item).collect(); 40];
    let full = Problem {
        classes,
        elements: vec![],
        limits: vec![200, 0],
        objectives: 2,
        modes: 0,
        goal: Goal::Front,
    };
    let (engine, why) = planned(&full);
    assert_eq!(engine, "dense", "{why}");
    assert!(why.contains(" of 40 classes the lists hold "), "{why}");
}
