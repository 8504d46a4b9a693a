//! The engines against brute force, and against each other.

use crate::{Answer, Block, Choice, Engine, How, Limit, Problem, Reason, Status, solve};

#[path = "../../tests/common/random.rs"]
mod random;
use random::Random;

fn solved(problem: &Problem, engine: Option<Engine>) -> Answer {
    solve(problem, &How { engine, steps: u64::MAX, go_on: &|| true, report: &|_, _| {}, test: None })
}

/// The least area of all designs.
fn brute_force(problem: &Problem) -> Option<i64> {
    let count = problem.tasks.len();
    let (mut picks, mut cores) = (vec![0usize; count], vec![0u32; count]);
    let mut best: Option<i64> = None;
    loop {
        if let Some(area) = problem.area_of(&picks, &cores) {
            best = Some(best.map_or(area, |best| best.min(area)));
        }
        let mut at = 0;
        loop {
            if at == count {
                return best;
            }
            picks[at] += 1;
            if picks[at] < problem.tasks[at].len() {
                break;
            }
            picks[at] = 0;
            cores[at] += 1;
            if (cores[at] as usize) < problem.cores {
                break;
            }
            cores[at] = 0;
            at += 1;
        }
    }
}

fn random_problem(random: &mut Random, most_tasks: usize, core_blocks: bool) -> Problem {
    let count = random.within(1, most_tasks);
    let cores = random.within(1usize, 3);
    let blocks: Vec<Block> = (0..random.within(0, 3))
        .map(|_| Block {
            area: random.within(0i64, 12),
            on_chip: !core_blocks || random.one_in(2),
            slot: random.one_in(3).then_some(0),
        })
        .collect();
    let capacity = 20;
    let fill = random.within(4i64, 24);
    let task = |random: &mut Random| -> Vec<Choice> {
        let software = Choice { area: 0, size: random.within(1, fill), blocks: 0 };
        let faster = (0..random.within(0, 3)).map(|_| Choice {
            area: random.within(0i64, 15),
            size: random.within(1, software.size),
            blocks: (0..blocks.len()).filter(|_| random.one_in(3)).fold(0, |mask, at| mask | 1 << at),
        });
        let faster: Vec<Choice> = faster.collect();
        std::iter::once(software).chain(faster).collect()
    };
    let tasks: Vec<Vec<Choice>> = (0..count).map(|_| task(random)).collect();
    let is_pinned = random.one_in(3);
    let pins = (0..count).map(|_| (is_pinned && random.one_in(3)).then(|| random.within(0, 2))).collect();
    let apart = match count > 1 && random.one_in(3) {
        true => (0..random.within(1, 2)).map(|_| (0, random.within(1, count as u32 - 1))).collect(),
        false => Vec::new(),
    };
    Problem { tasks, blocks, capacity, cores, pins, apart, limits: Vec::new() }
}

/// The problem with limits of one to three resources, of which choices and blocks take some or free some.
fn limited(problem: Problem, random: &mut Random) -> Problem {
    let frees = random.one_in(3);
    let amount = |random: &mut Random| match random.within(0, 2) {
        0 => 0,
        1 if frees => random.within(-4i64, 9),
        _ => random.within(0i64, 9),
    };
    let limits = (0..random.within(1, 3)).map(|_| Limit {
        most: random.within(-2i64, 22),
        choices: problem
            .tasks
            .iter()
            .map(|choices| choices.iter().map(|_| amount(random)).collect())
            .collect(),
        blocks: problem.blocks.iter().map(|_| amount(random)).collect(),
    });
    let limits = limits.collect();
    Problem { limits, ..problem }
}

/// Tasks too long for software, which share blocks: the relaxation builds parts of blocks, and the search branches.
fn shared_problem(random: &mut Random) -> Problem {
    let count = random.within(4usize, 5);
    let (cores, kinds) = if count == 5 { (2, 3) } else { (random.within(2usize, 3), random.within(3, 4)) };
    let block = |random: &mut Random| Block { area: random.within(5i64, 40), on_chip: false, slot: None };
    let blocks: Vec<Block> = (0..kinds).map(|_| block(random)).collect();
    let task = |random: &mut Random| -> Vec<Choice> {
        let size = random.within(7i64, 14);
        let faster = |random: &mut Random| {
            let (first, second) = (random.within(0, kinds - 1), random.within(0, kinds - 1));
            let blocks = 1 << first | if random.one_in(2) { 1 << second } else { 0 };
            Choice { area: random.within(0i64, 6), size: random.within(2, size - 2), blocks }
        };
        let faster: Vec<Choice> = (0..random.within(1, 3)).map(|_| faster(random)).collect();
        std::iter::once(Choice { area: 0, size, blocks: 0 }).chain(faster).collect()
    };
    let tasks: Vec<Vec<Choice>> = (0..count).map(|_| task(random)).collect();
    Problem {
        tasks,
        blocks,
        capacity: 20,
        cores,
        pins: vec![None; count],
        apart: Vec::new(),
        ..Problem::default()
    }
}

#[test]
fn the_least_area_is_that_of_brute_force_with_any_engine_and_within_any_limits() {
    let cases: u64 = std::env::var("ISX_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(4_000);
    let mut random = Random(29);
    let (mut feasible, mut infeasible, mut raised, mut excluded, mut named) = (0, 0, 0, 0, 0);
    for case in 0..cases {
        let core_blocks = random.one_in(2);
        let most_tasks = if random.one_in(20) { 6 } else { 4 };
        let plain = match random.one_in(4) {
            true => shared_problem(&mut random),
            false => random_problem(&mut random, most_tasks, core_blocks),
        };
        let without = brute_force(&plain);
        let problem = if random.one_in(2) { limited(plain, &mut random) } else { plain };
        let least = brute_force(&problem);
        for engine in [None, Some(Engine::Plans), Some(Engine::Aggregate)] {
            let answer = solved(&problem, engine);
            let summed = |best: &crate::Design| problem.area_of(&best.picks, &best.cores);
            let area = answer.best.as_ref().map(|best| summed(best).unwrap());
            assert_eq!(area, least, "case {case}, {engine:?}: {problem:?} {answer:?}");
            match (answer.status, least) {
                (Status::Proved, Some(area)) => {
                    assert_eq!(answer.bound, area, "case {case}");
                    feasible += u64::from(problem.limits.is_empty());
                    raised += u64::from(without < least);
                }
                (Status::Infeasible(reason), None) => {
                    let of_limits = matches!(reason, Reason::Limit(..) | Reason::Limits);
                    assert_eq!(of_limits, without.is_some(), "case {case}: {reason:?}");
                    infeasible += u64::from(problem.limits.is_empty());
                    excluded += u64::from(of_limits);
                    named += u64::from(matches!(reason, Reason::Limit(..)));
                }
                other => panic!("case {case}, {engine:?}: {other:?}"),
            }
        }
    }
    let counts = format!("{feasible} {infeasible} {raised} {excluded} {named} of {cases}");
    assert!(feasible > cases / 2 && infeasible > cases / 10, "{counts}");
    assert!(
        raised > cases / 10 && excluded > cases / 20 && named > cases / 40 && excluded > named,
        "{counts}"
    );
}

#[test]
fn a_search_that_is_stopped_gives_bounds_around_the_least_area() {
    let mut random = Random(27);
    let mut unknown = 0;
    for case in 0..300 {
        let mut problem = random_problem(&mut random, 6, true);
        if case % 3 == 0 {
            problem = limited(problem, &mut random);
        }
        let whole = solved(&problem, None);
        for steps in [0, 1_000, 5_000, 20_000, 100_000] {
            let how = How { engine: None, steps, go_on: &|| true, report: &|_, _| {}, test: None };
            let part = solve(&problem, &how);
            match (part.status, &whole.best) {
                (Status::Unknown, Some(best)) => {
                    unknown += 1;
                    assert!(part.bound <= best.area, "case {case}: {part:?} {whole:?}");
                    assert!(part.best.is_none_or(|found| found.area >= best.area), "case {case}");
                }
                (Status::Unknown, None) => assert_eq!(part.best, None, "case {case}"),
                (status, _) => {
                    assert_eq!(status == Status::Proved, whole.status == Status::Proved, "case {case}");
                    assert_eq!(part.best.map(|best| best.area), whole.best.as_ref().map(|best| best.area));
                }
            }
        }
    }
    assert!(unknown > 50, "only {unknown} searches were stopped");
}
