//! The CUDA engine for several resources, compared with the reference engine and with itself under less memory.

use crate::every_call::walk;
use crate::harness::*;
use crate::random::Random;
use isx::engine::resources::{Answer, ENGINES, Wanted};
use isx::engine::{Context, EngineError, Hardware, Request, planner};
use isx::machine::{Cancel, Machine};
use isx::problem::mckp::NO_ITEM;
use isx::problem::resources::{Element, Goal, Item, Problem};
use num_bigint::BigInt;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "resources",
        &tests![
            random_problems_have_the_points_and_items_of_the_reference,
            rows_of_every_length_and_tiles_are_right,
            both_widths_of_cells_and_all_cuts_of_memory_give_the_same_answer,
            values_and_costs_at_the_ends_of_their_ranges_are_exact,
            many_points_are_in_order_and_their_items_add_up,
            tables_beyond_the_memory_are_refused_before_they_are_made,
            what_was_called_off_ends_without_an_answer,
            every_call_of_the_driver_may_fail,
        ],
    );
    trials.extend(anywhere("resources", &tests![a_missing_gpu_is_an_error_not_a_panic]));
    trials.extend(if_asked(
        "resources",
        &tests![faults::out_of_bounds, faults::uninitialized, faults::race, faults::divergent_barrier,],
    ));
    trials
}

/// Costs, value and items of a point.
type Point = (Vec<u64>, BigInt, Vec<u32>);

fn answer(engine: &str, problem: &Problem, wanted: Wanted, machine: &Machine) -> Result<Answer, EngineError> {
    let context = Context::new(machine);
    let request = Request { problem, wanted, context: &context };
    ENGINES.named(engine).unwrap().solve(request).map_err(|refusal| refusal.cause)
}

fn points(answer: &Answer, problem: &Problem) -> Vec<Point> {
    let count = answer.values.len();
    assert!(answer.costs.iter().all(|column| column.len() == count));
    let mut columns = vec![0; count * problem.classes.len()];
    if count > 0 {
        answer.picks.as_ref().unwrap().write(0..count, &mut columns);
    }
    let point = |at: usize| {
        let costs = answer.costs.iter().map(|column| column[at]).collect();
        let items = columns.iter().skip(at).step_by(count).copied().collect();
        (costs, answer.values.get(at), items)
    };
    (0..count).map(point).collect()
}

fn solved(engine: &str, problem: &Problem, machine: &Machine) -> Vec<Point> {
    let answer = answer(engine, problem, Wanted::PICKS, machine);
    points(&answer.unwrap_or_else(|error| panic!("{engine}: {error}: {problem:?}")), problem)
}

/// What random problems are like: the largest amounts, and what values and classes are made of.
struct Kind {
    amounts: Vec<u64>,
    scale: i64,
    classes: u64,
    items: u64,
    elements: u64,
}

/// An amount of each resource, many of them 0.
fn amounts(random: &mut Random, kind: &Kind) -> Vec<u64> {
    kind.amounts.iter().map(|&most| if random.one_in(3) { 0 } else { random.within(0, most) }).collect()
}

fn problem(random: &mut Random, kind: &Kind) -> Problem {
    let resources = kind.amounts.len();
    let element = |random: &mut Random| Element {
        built: amounts(random, kind),
        unbuilt: if random.one_in(2) { vec![0; resources] } else { amounts(random, kind) },
        group: random.pick(&[None, None, Some(1), Some(2)]),
    };
    let elements: Vec<Element> = (0..kind.elements).map(|_| element(random)).collect();
    let most = random.pick(&[2, 6, 1000]);
    let item = |random: &mut Random, number: u32| Item {
        value: (random.within(-2, most) * kind.scale).into(),
        cost: amounts(random, kind),
        loads: vec![],
        uses: (0..kind.elements as u32).filter(|_| random.one_in(3)).collect(),
        number,
    };
    let class = |random: &mut Random| {
        let count = random.within(1, kind.items) as u32;
        let mut items: Vec<Item> = (0..count).map(|number| item(random, number)).collect();
        if !random.one_in(4) {
            let nothing = Item {
                value: 0.into(),
                cost: vec![0; resources],
                loads: vec![],
                uses: vec![],
                number: NO_ITEM,
            };
            items.insert(0, nothing);
        }
        items
    };
    let classes = (0..kind.classes).map(|_| class(random)).collect();
    let limits = kind.amounts.iter().map(|&most| match random.within(0, 3) {
        0 => random.within(0, most),
        1 => 100 * most,
        _ => random.within(0, 4 * most),
    });
    let limits = limits.collect();
    let goal = match random.within(0, 4) {
        0 => Goal::Greatest,
        1 => Goal::AtLeast((random.within(-3, 4 * most) * kind.scale).into()),
        _ => Goal::Front,
    };
    Problem { classes, elements, limits, objectives: random.within(1, resources), modes: 0, goal }
}

fn random_problems_have_the_points_and_items_of_the_reference() {
    let machine = Machine::default();
    let cases = from_env("ISX_GPU_CASES", 1000);
    let random = &mut Random(1);
    let mut compared = 0;
    for case in 0..cases {
        let resources: usize = random.within(1, 4);
        let kind = Kind {
            amounts: (0..resources)
                .map(|_| {
                    random.pick(&[[1, 9, 40, 300], [1, 3, 9, 40], [1, 2, 4, 9], [1, 2, 3, 4]][resources - 1])
                })
                .collect(),
            scale: if case % 2 == 0 { 1 } else { 1 << 35 },
            classes: random.within(0, 6),
            items: 4,
            elements: if random.one_in(3) { 0 } else { random.within(1, 4) },
        };
        let problem = problem(random, &kind);
        let expected = solved("reference", &problem, &machine);
        assert_eq!(solved("cuda", &problem, &machine), expected, "case {case}: {problem:?}");
        let values = answer("cuda", &problem, Wanted::VALUES, &machine).unwrap();
        assert!(values.picks.is_none());
        let values: Vec<BigInt> = (0..values.values.len()).map(|at| values.values.get(at)).collect();
        assert_eq!(
            values,
            expected.iter().map(|(_, value, _)| value.clone()).collect::<Vec<_>>(),
            "case {case}"
        );
        compared += expected.len() as u64;
    }
    assert!(compared > cases, "{compared} points compared over {cases} cases");
    println!("{compared} points compared");
}

/// Rows shorter than a warp, of several warps, and of several tiles; six resources.
fn rows_of_every_length_and_tiles_are_right() {
    let machine = Machine::default();
    let random = &mut Random(2);
    let shapes: [&[u64]; 6] =
        [&[2, 9, 9], &[60, 4, 3], &[700, 2], &[3000], &[1500, 1, 1], &[3, 2, 1, 2, 1, 2]];
    for scale in [1, 1 << 35] {
        for amounts in shapes {
            for _ in 0..from_env("ISX_GPU_CASES", 6).min(6) {
                let kind = Kind {
                    amounts: amounts.to_vec(),
                    scale,
                    classes: 4,
                    items: 5,
                    elements: random.within(0, 2),
                };
                let mut problem = problem(random, &kind);
                // Every sum is within the limits, so that rows are as long as they get.
                problem.limits = amounts.iter().map(|most| 6 * most).collect();
                assert_eq!(
                    solved("cuda", &problem, &machine),
                    solved("reference", &problem, &machine),
                    "{problem:?}"
                );
            }
        }
    }
}

/// Costs that follow values, so that there are many points.
fn many(random: &mut Random, classes: u64, scale: i64) -> Problem {
    let item = |random: &mut Random, number: u32| {
        let cost: Vec<u64> = vec![random.within(1, 90), random.within(0, 3), random.within(0, 2)];
        let gain = 4 * cost[0] as i64 + 100 * cost[1] as i64 + 70 * cost[2] as i64 + random.within(-40, 40);
        Item { value: (gain * scale).into(), cost, loads: vec![], uses: vec![], number }
    };
    let nothing = || Item { value: 0.into(), cost: vec![0; 3], loads: vec![], uses: vec![], number: NO_ITEM };
    let class = |random: &mut Random| {
        std::iter::once(nothing()).chain((0..6).map(|number| item(random, number))).collect()
    };
    let classes = (0..classes).map(|_| class(random)).collect();
    Problem {
        classes,
        elements: vec![],
        limits: vec![900, 20, 15],
        objectives: 3,
        modes: 0,
        goal: Goal::Front,
    }
}

/// Every point's items have its costs and value.
fn add_up(problem: &Problem, points: &[Point]) {
    for (costs, value, items) in points {
        let (mut sums, mut gain) = (vec![0; costs.len()], BigInt::ZERO);
        for (class, number) in problem.classes.iter().zip(items) {
            let item = class.iter().find(|item| item.number == *number).expect("an item of the class");
            sums.iter_mut().zip(&item.cost).for_each(|(sum, cost)| *sum += cost);
            gain += &item.value;
        }
        assert_eq!((&sums, &gain), (costs, value));
    }
}

fn both_widths_of_cells_and_all_cuts_of_memory_give_the_same_answer() {
    let random = &mut Random(3);
    let problem = many(random, 16, 1);
    let mut wide = problem.clone();
    for item in wide.classes.iter_mut().flatten() {
        item.value = &item.value << 34;
    }
    // An element that nobody can do without adds a constant, and states.
    let mut shared = problem.clone();
    shared.elements = vec![Element { built: vec![5, 1, 0], unbuilt: vec![0; 3], group: None }; 2];
    shared.classes[2][3].uses = vec![0];
    shared.classes[9][4].uses = vec![0, 1];
    shared.classes[12][1].uses = vec![1];
    let everything = Machine::default();
    for (problem, shift) in [(&problem, 0), (&wide, 34), (&shared, 0)] {
        let expected = solved("cuda", problem, &everything);
        assert!(expected.len() > 1000, "{} points", expected.len());
        let (mut divided, mut refused) = (0, 0);
        for megabytes in [64, 48, 40, 36, 32, 28, 24, 20, 18, 16, 14, 13, 12, 11, 10, 8, 4, 2] {
            let machine = Machine::default().with_gpu_memory(megabytes << 20);
            match answer("cuda", problem, Wanted::PICKS, &machine) {
                Ok(answer) => {
                    assert!(points(&answer, problem) == expected, "{megabytes} MiB, {}", answer.how);
                    divided += u64::from(answer.how.contains("segments"));
                }
                Err(EngineError::GpuMemory { needed, free }) => {
                    assert!(needed > free, "{needed} {free}");
                    refused += 1;
                }
                Err(error) => panic!("{megabytes} MiB: {error}"),
            }
        }
        println!("shift {shift}: {} points, {divided} cuts divided, {refused} refused", expected.len());
        assert!(divided > 0 && refused > 0, "{divided} {refused}");
    }
    let narrow: Vec<Point> = solved("cuda", &problem, &everything);
    let wide = solved("cuda", &wide, &everything);
    let shifted = narrow.into_iter().map(|(costs, value, items)| (costs, value << 34, items));
    assert!(shifted.eq(wide));
}

fn values_and_costs_at_the_ends_of_their_ranges_are_exact() {
    let machine = Machine::default();
    let item =
        |value: BigInt, cost: Vec<u64>, number| Item { value, cost, loads: vec![], uses: vec![], number };
    // The largest sums of 32 and 64 bits, one more, and values far from 0; costs up to the last that 64 bits count.
    for most in [(1i64 << 30) - 1, 1 << 30, (1 << 62) - 1] {
        for offset in [BigInt::ZERO, BigInt::from(i64::MIN), BigInt::from(1) << 80] {
            let half = most / 2;
            let class = |more: i64, cost: u64| {
                vec![
                    item(offset.clone(), vec![0, cost], 0),
                    item(&offset + more, vec![u64::MAX / 2, 0], 1),
                    item(&offset + more - 1, vec![u64::MAX / 4, cost], 2),
                ]
            };
            let problem = Problem {
                classes: vec![class(half, 1), class(most - half, u64::MAX / 2)],
                elements: vec![],
                limits: vec![u64::MAX, u64::MAX],
                objectives: 2,
                modes: 0,
                goal: Goal::Front,
            };
            // Amounts without a common unit have no table.
            let units = |problem: &mut Problem| {
                let units = |cost: &mut u64| {
                    *cost = if *cost > 1 { u64::MAX / 4 * (*cost / (u64::MAX / 4)) } else { 0 }
                };
                problem.classes.iter_mut().flatten().for_each(|item| item.cost.iter_mut().for_each(units));
            };
            assert!(matches!(
                answer("cuda", &problem, Wanted::PICKS, &machine),
                Err(EngineError::TooLarge(_))
            ));
            let mut problem = problem;
            units(&mut problem);
            assert_eq!(
                solved("cuda", &problem, &machine),
                solved("reference", &problem, &machine),
                "{most} {offset}"
            );
        }
    }
    let mut beyond = many(&mut Random(1), 2, 1);
    beyond.classes[0][1].value = BigInt::from(1) << 62;
    let refused = answer("cuda", &beyond, Wanted::PICKS, &machine).unwrap_err();
    assert_eq!(refused.to_string(), "has no i128 arithmetic");
}

fn many_points_are_in_order_and_their_items_add_up() {
    let machine = Machine::default();
    let classes = if from_env("ISX_GPU_CASES", 1000) < 1000 { 8 } else { 30 };
    let mut problem = many(&mut Random(4), classes, 1);
    problem.limits = vec![4000, 30, 20];
    let points = solved("cuda", &problem, &machine);
    assert!(points.len() > 300 && points.windows(2).all(|pair| pair[0].0 < pair[1].0), "{}", points.len());
    add_up(&problem, &points);
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu && !entry.judge) {
        assert!(solved(entry.name, &problem, &machine) == points, "{}", entry.name);
    }
    // Within lower limits there are the same points.
    problem.limits = vec![2000, 12, 9];
    let fits = |point: &&Point| point.0.iter().zip(&problem.limits).all(|(cost, limit)| cost <= limit);
    assert!(solved("cuda", &problem, &machine).iter().eq(points.iter().filter(fits)));
    println!("{} points", points.len());
}

fn tables_beyond_the_memory_are_refused_before_they_are_made() {
    let machine = Machine::default().with_gpu_memory(1 << 20);
    let problem = many(&mut Random(5), 16, 1);
    let refused = answer("cuda", &problem, Wanted::VALUES, &machine).unwrap_err();
    let EngineError::GpuMemory { needed, free } = refused else { panic!("{refused}") };
    assert!(needed > free && free <= 1 << 20, "{needed} {free}");
    let machine = Machine::default().with_max_memory(1000);
    let refused = answer("cuda", &problem, Wanted::VALUES, &machine).unwrap_err();
    assert!(matches!(refused, EngineError::Memory(_)), "{refused}");
}

fn what_was_called_off_ends_without_an_answer() {
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = Machine::default().with_cancel(cancel);
    let refused = answer("cuda", &many(&mut Random(6), 5, 1), Wanted::PICKS, &machine).unwrap_err();
    assert_eq!(refused, EngineError::Cancelled);
}

fn every_call_of_the_driver_may_fail() {
    // So few sums that the reference engine has them all.
    let mut problem = many(&mut Random(7), 3, 1);
    problem.elements = vec![Element { built: vec![5, 1, 0], unbuilt: vec![0; 3], group: None }];
    problem.classes[1][2].uses = vec![0];
    problem.objectives = 2;
    walk((&ENGINES, &ENGINES), &["cuda"], |engine, machine| {
        let context = Context::new(&machine);
        let request = Request { problem: &problem, wanted: Wanted::PICKS, context: &context };
        let planned = planner::solve(&ENGINES, engine, request).map_err(|refusal| refusal.cause)?;
        Ok(format!("{:?}", points(&planned.answer, &problem)))
    });
}

fn a_missing_gpu_is_an_error_not_a_panic() {
    let machine = Machine::default().with_gpu(99);
    let refused = answer("cuda", &many(&mut Random(8), 3, 1), Wanted::VALUES, &machine).unwrap_err();
    assert!(matches!(refused, EngineError::Unavailable(_)), "{refused}");
}

/// Errors planted in a kernel of this family, one per tool of compute-sanitizer.
mod faults {
    use crate::planted::Control;
    use cudarc::driver::{CudaSlice, PushKernelArg};

    const CELLS: i32 = 2000;

    /// The sums of some counts, by some PTX of the kernel and over some memory.
    fn scan(ptx: &str, cells: i32, totals: impl FnOnce(&Control) -> CudaSlice<i64>) {
        let control = Control::new(ptx, "resources_front_scan");
        let mut totals = totals(&control);
        let mut builder = control.stream.launch_builder(&control.function);
        builder.arg(&mut totals).arg(&cells);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(1, 1024, 0)) }.map(|_| ());
        control.end(&launched);
    }

    const RIGHT: &str = include_str!("../../kernels/ptx/resources_front.compute_70.ptx");

    /// An error planted for memcheck: no room for the total.
    pub fn out_of_bounds() {
        scan(RIGHT, CELLS, |control| control.stream.alloc_zeros(CELLS as usize).unwrap());
    }

    /// An error planted for initcheck: the counts are uninitialized.
    pub fn uninitialized() {
        // SAFETY: any memory content is a valid integer; leaving it unwritten is the planted error.
        scan(RIGHT, CELLS, |control| unsafe { control.stream.alloc(CELLS as usize + 1) }.unwrap());
    }

    /// An error planted for racecheck: no barrier between one thread's write and another's read.
    pub fn race() {
        let ptx = include_str!("planted_resources_race.compute_70.ptx");
        scan(ptx, CELLS, |control| control.stream.alloc_zeros(CELLS as usize + 1).unwrap());
    }

    /// An error planted for synccheck: half of each warp skips the barriers.
    pub fn divergent_barrier() {
        // This kernel has one barrier; at those of a loop the lanes would wait for each other forever.
        let control =
            Control::new(include_str!("planted_resources_barrier.compute_70.ptx"), "resources_front_count");
        let (words, rows) = (1, 1000u32);
        let bits: CudaSlice<u32> = control.stream.alloc_zeros(rows as usize).unwrap();
        let mut totals: CudaSlice<i64> = control.stream.alloc_zeros(32).unwrap();
        let mut builder = control.stream.launch_builder(&control.function);
        builder.arg(&bits).arg(&words).arg(&rows).arg(&32).arg(&mut totals);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(1, 1024, 0)) }.map(|_| ());
        control.end(&launched);
    }
}
