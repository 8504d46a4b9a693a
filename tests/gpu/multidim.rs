//! The CUDA engines of the multi-dimensional knapsack problem, compared with the reference and dense engines.

use crate::every_call::{cause, walk};
use crate::harness::*;
use crate::random::Random;
use crate::tested;
use isx::engine::multidim::{Batch, ENGINES, Multidim as Family};
use isx::engine::{Context, EngineError, Entry, Hardware, Request};
use isx::machine::Machine;
use isx::problem::multidim::generate::{MultidimRecipe, generate_multidim, lemos};
use isx::problem::multidim::{Item, Multidim, PerDimension, witness};
use isx::problem::value::Tier;
use isx::reduce::multidim::{Reduced, WayBack, reduce};
use isx::solve;
use num_bigint::BigInt;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "multidim",
        &tests![
            every_scheme_equals_the_reference_on_random_batches,
            instances_of_every_size_share_a_launch,
            three_dimensions_and_wide_cells_are_right_on_larger_tables,
            many_small_instances_are_right,
            the_papers_batch_equals_the_cpu,
            every_call_of_the_driver_may_fail,
        ],
    );
    trials.extend(anywhere("multidim", &tests![a_missing_gpu_or_what_no_kernel_has_is_an_error_not_a_panic]));
    trials.extend(if_asked(
        "multidim",
        &tests![faults::out_of_bounds, faults::uninitialized, faults::race, faults::divergent_barrier,],
    ));
    trials
}

/// The GPU engines under test.
fn on_gpus() -> impl Iterator<Item = &'static Entry<Family>> {
    tested::MULTIDIM.iter().filter(|entry| entry.hardware == Hardware::Gpu)
}

/// The best profits by an engine, each checked by the witness.
fn profits(
    entry: &Entry<Family>,
    problems: &[Multidim],
    reduced: &[Reduced],
    all_candidates: bool,
    machine: &Machine,
) -> Result<Vec<BigInt>, EngineError> {
    let batch = Batch::new(reduced.to_vec());
    let context = Context { all_candidates, ..Context::new(machine) };
    let request = Request { problem: &batch, wanted: (), context: &context };
    let answer = entry.engine.plan(request)?.run()?;
    assert_eq!(answer.best.len(), problems.len(), "{entry:?}");
    let claims = problems.iter().zip(reduced).zip(&answer.best).map(|((problem, reduced), best)| {
        let claim = reduced.claim(problem, &best.profit, &best.chosen);
        witness(problem, &claim).unwrap_or_else(|error| panic!("{entry:?}: {error}: {problem:?}"));
        claim.profit
    });
    Ok(claims.collect())
}

/// Compares every GPU scheme, with all the work and with the necessary work, with a CPU engine; returns the number of
/// comparisons.
fn same_as(judge: &str, problems: &[Multidim], machine: &Machine) -> usize {
    let reduced: Vec<Reduced> = problems.iter().map(reduce).collect();
    let judge = ENGINES.named(judge).expect("it is built in");
    let expected = profits(judge, problems, &reduced, false, machine).expect("small tables fit");
    let mut compared = 0;
    for entry in on_gpus() {
        for all_candidates in [false, true] {
            let found = profits(entry, problems, &reduced, all_candidates, machine)
                .unwrap_or_else(|error| panic!("{}: {error}: {problems:?}", entry.name));
            assert_eq!(found, expected, "{}, all candidates: {all_candidates}", entry.name);
            compared += found.len();
        }
    }
    compared
}

/// Items whose profits follow their weights, so that hardly any is dominated.
fn problem(random: &mut Random, dimensions: usize, sides: &[u64], most_items: u64, scale: i128) -> Multidim {
    let mut capacities = PerDimension::default();
    capacities[..dimensions].fill_with(|| random.pick(sides));
    let part = random.within(1u64, 4);
    let item = |random: &mut Random| {
        let weights = capacities.map(|capacity| random.within(0, (capacity / part + 1).min(capacity + 1)));
        let weights: PerDimension = std::array::from_fn(|at| if at < dimensions { weights[at] } else { 0 });
        let sum: u64 = weights.iter().sum();
        Item { profit: i128::from(sum + random.within(0u64, 9)) * scale + random.within(-1i128, 1), weights }
    };
    let items = (0..random.within(0, most_items)).map(|_| item(random)).collect();
    Multidim { dimensions, capacities, items }
}

fn every_scheme_equals_the_reference_on_random_batches() {
    let machine = Machine::default();
    let cases = from_env("ISX_GPU_CASES", 1000);
    let random = &mut Random(1);
    let mut compared = 0;
    for case in 0..cases {
        let dimensions = 1 + case as usize % 3;
        let sides: &[u64] = if dimensions < 3 { &[0, 1, 7, 31, 32, 33, 90, 140] } else { &[0, 2, 9, 31, 40] };
        let scale = if case % 2 == 0 { 1 } else { 1 << 35 };
        let count = random.within(1, 9);
        let problems: Vec<Multidim> =
            (0..count).map(|_| problem(random, dimensions, sides, 24, scale)).collect();
        compared += same_as("reference", &problems, &machine);
    }
    assert!(compared as u64 > 4 * cases, "{compared} answers compared over {cases} cases");
    println!("{compared} answers compared");
}

fn instances_of_every_size_share_a_launch() {
    let machine = Machine::default();
    let random = &mut Random(2);
    for _ in 0..from_env("ISX_GPU_CASES", 20).min(20) {
        let problems: Vec<Multidim> = (0..12)
            .map(|at| {
                let sides: &[u64] = [&[3u64][..], &[50], &[400], &[700]][at % 4];
                problem(random, 2, sides, [2, 9, 33, 70][at / 3 % 4], 1)
            })
            .collect();
        assert!(same_as("reference", &problems, &machine) > 0);
    }
}

fn three_dimensions_and_wide_cells_are_right_on_larger_tables() {
    let machine = Machine::default();
    let random = &mut Random(3);
    for scale in [1, 1 << 40] {
        let problems = vec![
            problem(random, 3, &[90], 40, scale),
            problem(random, 2, &[1500], 60, scale),
            problem(random, 1, &[200_000], 60, scale),
        ];
        assert!(same_as("dense", &problems, &machine) > 0);
    }
}

fn many_small_instances_are_right() {
    let machine = Machine::default();
    let random = &mut Random(4);
    // More than the limit of a launch's second dimension.
    let count = if from_env("ISX_GPU_CASES", 1000) < 1000 { 500 } else { 70_000 };
    let problems: Vec<Multidim> = (0..count).map(|_| problem(random, 2, &[9, 17], 16, 1)).collect();
    assert!(same_as("dense", &problems, &machine) >= count);
}

fn the_papers_batch_equals_the_cpu() {
    let machine = Machine::default();
    let few = from_env("ISX_GPU_CASES", 1000) < 1000;
    let recipe = if few { MultidimRecipe { instances: Some(3), ..lemos() } } else { lemos() };
    let problems = generate_multidim(&recipe).unwrap();
    assert!(same_as("dense", &problems, &machine) >= problems.len());
}

fn every_call_of_the_driver_may_fail() {
    let mut random = Random(4);
    let mut item = |_| Item {
        profit: random.within(1, 500).into(),
        weights: [random.within(1, 30) as u64, random.within(1, 30) as u64, 0],
    };
    let problem =
        Multidim { dimensions: 2, capacities: [120, 110, 0], items: (0..14).map(&mut item).collect() };
    let names: Vec<&str> = on_gpus().map(|entry| entry.name).collect();
    walk((tested::MULTIDIM, &ENGINES), &names, |engine, machine| {
        let options = solve::multidim::Options { engine, machine, ..Default::default() };
        let solution = solve::multidim::solve(&problem, &options).map_err(cause)?;
        Ok(format!("{}", solution.claim.profit))
    });
}

fn a_missing_gpu_or_what_no_kernel_has_is_an_error_not_a_panic() {
    let machine = Machine::default().with_gpu(99);
    let item = |profit, weight| Item { profit, weights: [0, weight, weight] };
    let back = || WayBack { origin: vec![0, 1], taken: Vec::new(), profit_unit: 1 };
    let small = Reduced { capacities: [0, 5, 5], items: vec![item(1, 3), item(1, 4)], back: back() };
    let wide = Reduced { items: vec![item(1 << 70, 3), item(1, 4)], ..small.clone() };
    for entry in on_gpus() {
        let plan = |reduced: &Reduced| {
            let batch = Batch::new(vec![reduced.clone()]);
            let context = Context::new(&machine);
            let request = Request { problem: &batch, wanted: (), context: &context };
            entry.engine.plan(request).map(drop).unwrap_err()
        };
        assert!(matches!(plan(&small), EngineError::Unavailable(_)), "{entry:?}");
        assert_eq!(plan(&wide), EngineError::Arithmetic(Tier::I128), "{entry:?}");
    }
}

/// Errors planted in a kernel of this family, one per tool of compute-sanitizer.
mod faults {
    use crate::planted::Control;
    use cudarc::driver::{CudaSlice, PushKernelArg};

    /// The choices of nine items against a layer of 31 cells, by some PTX of the kernel and over some table.
    fn last(ptx: &str, table: impl FnOnce(&Control) -> CudaSlice<i32>) {
        let control = Control::new(ptx, "multidim_pairs_i32_last");
        let table = table(&control);
        let stream = &control.stream;
        let places = stream.clone_htod(&[0i64, 0, 1, 32, 1, 0]).unwrap();
        let tails = stream.clone_htod(&[0, 9, 0, 0, 0, 31, 0, 0, 31, 0, 0, 0]).unwrap();
        let weights: Vec<i32> = (1..10).flat_map(|weight| [0, 0, weight]).collect();
        let weights = stream.clone_htod(&weights).unwrap();
        let profits = stream.clone_htod(&[5, 9, 2, 8, 3, 7, 1, 6, 4]).unwrap();
        let (mut top, mut by) =
            (stream.alloc_zeros::<i32>(1).unwrap(), stream.alloc_zeros::<u32>(1).unwrap());
        let mut builder = stream.launch_builder(&control.function);
        builder.arg(&table).arg(&table).arg(&places).arg(&tails).arg(&weights).arg(&profits);
        builder.arg(&mut top).arg(&mut by);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(1, 256, 0)) }.map(|_| ());
        control.end(&launched);
    }

    const RIGHT: &str = include_str!("../../kernels/ptx/multidim_pairs.compute_70.ptx");

    /// An error planted for memcheck: the layer is a cell too short.
    pub fn out_of_bounds() {
        last(RIGHT, |control| control.stream.alloc_zeros(31).unwrap());
    }

    /// An error planted for initcheck: the layer is uninitialized.
    pub fn uninitialized() {
        // SAFETY: any memory content is a valid integer; leaving it unwritten is the planted error.
        last(RIGHT, |control| unsafe { control.stream.alloc(32) }.unwrap());
    }

    /// An error planted for racecheck: no barrier between one thread's write and another's read.
    pub fn race() {
        let ptx = include_str!("planted_multidim_race.compute_70.ptx");
        last(ptx, |control| control.stream.alloc_zeros(32).unwrap());
    }

    /// An error planted for synccheck: half of each warp skips the barriers.
    pub fn divergent_barrier() {
        let ptx = include_str!("planted_multidim_barrier.compute_70.ptx");
        last(ptx, |control| control.stream.alloc_zeros(32).unwrap());
    }
}
