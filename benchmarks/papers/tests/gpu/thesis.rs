//! The thesis's techniques and the kernels of its case study, compared with the reference engine and a plain CPU table.

use crate::support::*;
use isx::engine::mckp::{ENGINES, Wanted};
use isx::engine::{Context, Request};
use isx::machine::Machine;
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::problem::value::Tier;
use isx::reduce::mckp::{Options as Reduction, Tiered, reduce};
use isx_papers::thesis::cuda::{Arithmetic, StudyAnswer, StudyTask, Technique, least_utilization, solve_by};

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    on_gpu(
        "thesis",
        &tests![
            every_technique_equals_the_reference_on_random_instances,
            the_papers_instances_equal_the_cpu,
            the_case_study_is_right_in_every_arithmetic,
        ],
    )
}

fn random_problem(random: &mut Random) -> Mckp<i64> {
    let largest = [1, 30, 1000, 40_000][random.within(0, 3) as usize];
    let choice = if random.within(0, 1) == 0 { Choice::Optional } else { Choice::ExactlyOne };
    let mut class = |_| -> Vec<Item<i64>> {
        let items = random.within(1, 30);
        let item = |random: &mut Random| Item {
            value: random.within(-largest / 4, largest),
            weight: random.within(0, 400) as u64,
        };
        (0..items).map(|_| item(random)).collect()
    };
    let classes = (0..7).map(&mut class).collect();
    Mckp { classes, capacity: random.within(0, 2000) as u64, choice }
}

fn every_technique_equals_the_reference_on_random_instances() {
    let (device, machine) = (gpu(), Machine::default());
    let (mut random, mut compared) = (Random(1), 0);
    for case in 0..from_env("ISX_GPU_CASES", 20_000).div_ceil(10) {
        let problem = random_problem(&mut random);
        let at_least = if case % 2 == 0 { Tier::I32 } else { Tier::I64 };
        let Ok(tiered) = reduce(&problem, Reduction { raw: case % 3 > 0, at_least }) else { continue };
        let wanted = Wanted::AllPicks;
        let request = Request { problem: &tiered, wanted, context: &Context::new(&machine) };
        let judge = ENGINES.judge().unwrap().engine.plan(request).and_then(|plan| plan.run()).unwrap();
        for &technique in Technique::ALL {
            let answer = match &tiered {
                Tiered::I32(problem) => solve_by(technique, &device, problem, wanted, &machine),
                Tiered::I64(problem) => solve_by(technique, &device, problem, wanted, &machine),
                _ => panic!("small values fit 64 bits"),
            };
            let what = format!("case {case}, {}", technique.name());
            let answer = answer.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_same(tiered.classes(), &judge, &answer, &what);
            compared += 1;
        }
    }
    assert!(compared > 0);
    println!("{compared} answers compared");
}

/// The thesis's five sizes (table 5.2).
const SIZES: [(usize, u64); 5] = [(5, 12_665), (10, 15_700), (20, 94_280), (50, 390_500), (100, 303_500)];

fn the_papers_instances_equal_the_cpu() {
    let device = gpu();
    let sizes = &SIZES[..from_env("ISX_GPU_SIZES", 5) as usize];
    for (kind, raw) in [(Kind::Uncorrelated, true), (Kind::Uncorrelated, false), (Kind::Strong, true)] {
        for (seed, &(classes, capacity)) in (10..).zip(sizes) {
            let tiered = reduced(&paper_instance(kind, classes, capacity, seed), raw);
            let problem = as_i32(&tiered);
            let rows = cpu_rows(problem);
            let (weights, values) = front_of(&rows[rows.len() - 1]);
            for &technique in Technique::ALL {
                let name = format!("{kind:?} ({classes}, {capacity}), raw {raw}, {}", technique.name());
                let answer = solve_by(technique, &device, problem, Wanted::BestPicks, &Machine::default());
                let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!((&answer.weights, values_of(&answer)), (&weights, values.clone()), "{name}");
                assert_canonical(problem, &rows, &answer, &weights[weights.len() - 1..]);
            }
        }
    }
}

/// Random tasks whose hyperperiod is small.
fn random_tasks(random: &mut Random) -> Vec<StudyTask> {
    const HYPERPERIOD: i64 = 2520;
    let mut tasks = Vec::new();
    for _ in 0..random.within(1, 12) {
        let period = [8, 9, 10, 12, 14, 15, 18, 20, 21, 24, 28, 30][random.within(0, 11) as usize] * 10;
        let wcet = random.within(1, period);
        let choices = random.within(0, 20);
        let choices = (0..choices).map(|_| (random.within(0, wcet), random.within(0, 300) as u64)).collect();
        tasks.push(StudyTask { wcet, period, frequency: HYPERPERIOD * 10 / period, choices });
    }
    tasks
}

fn the_case_study_is_right_in_every_arithmetic() {
    let device = gpu();
    let mut random = Random(6);
    for case in 0..from_env("ISX_GPU_CASES", 20_000).div_ceil(200) {
        let mut random_case = Random(random.next());
        let tasks = random_tasks(&mut random_case);
        let max_area = random_case.within(0, 2000) as u64;
        let class = |task: &StudyTask| {
            let item = |&(saving, area): &(i64, u64)| Item { value: saving * task.frequency, weight: area };
            task.choices.iter().map(item).collect()
        };
        let problem =
            Mckp { classes: tasks.iter().map(class).collect(), capacity: max_area, choice: Choice::Optional };
        let tiered = reduced(&problem, true);
        let mut expected = vec![0i64; max_area as usize + 1];
        if tiered.classes() > 0 {
            expected = cpu_rows(as_i32(&tiered)).pop().unwrap().into_iter().map(i64::from).collect();
        }
        // Classes with one choice left after the base was shifted.
        let base: i64 = tiered.back().value_offset.to_string().parse().unwrap();
        let demand: i64 = tasks.iter().map(|task| task.wcet * task.frequency).sum();
        for arithmetic in Arithmetic::ALL {
            let answer = least_utilization(&device, &tasks, max_area, arithmetic).expect("it runs");
            let tolerance = if arithmetic.name().ends_with("f32") { 1e-4 } else { 1e-9 };
            let what = format!("case {case}, {}", arithmetic.name());
            for (area, &saved) in expected.iter().enumerate() {
                match &answer {
                    StudyAnswer::Saved(row) => assert_eq!(row[area], saved + base, "{what}, area {area}"),
                    StudyAnswer::Utilization(row) => {
                        let off = (row[area] - (demand - saved - base) as f64 / 25_200.0).abs();
                        assert!(off < tolerance, "{what}, area {area}: off by {off}");
                    }
                }
            }
        }
    }
}
