//! The CUDA engine on a GPU, compared with the reference engine and a plain CPU table.

use crate::support::*;
use isx::engine::mckp::cuda::{Cell, Filling, Options, Shape, Table, solve};
use isx::engine::mckp::{Answer, ENGINES, Wanted};
use isx::engine::{Context, EngineError, Request};
use isx::machine::Machine;
use isx::machine::cuda::{self, Device};
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::problem::value::Tier;
use isx::reduce::mckp::{Options as Reduction, Reduced, Tiered, reduce};

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "mckp",
        &tests![
            every_kernel_equals_the_reference_on_random_instances,
            weights_beyond_any_window_are_right,
            classes_larger_than_the_item_buffer_are_right,
            values_too_far_apart_for_16_bits_are_filled_with_full_cells,
            dense_fronts_have_their_canonical_items_whatever_fits,
            the_papers_instances_equal_the_cpu,
        ],
    );
    trials.extend(anywhere("mckp", &tests![a_missing_gpu_or_an_unsupported_tier_is_an_error_not_a_panic]));
    trials.extend(if_asked(
        "mckp",
        &tests![faults::out_of_bounds, faults::race, faults::uninitialized, faults::divergent_barrier,],
    ));
    trials
}

const WANTED: [Wanted; 3] = [Wanted::AllPicks, Wanted::BestPicks, Wanted::Values];

fn solve_with(engine: &str, problem: &Tiered, wanted: Wanted) -> Result<Answer, EngineError> {
    let machine = Machine::default();
    let request = Request { problem, wanted, context: &Context::new(&machine) };
    ENGINES.named(engine).expect("it is built in").engine.plan(request)?.run()
}

fn reference(problem: &Tiered, wanted: Wanted) -> Answer {
    solve_with("reference", problem, wanted).expect("small tables fit")
}

/// A random problem of up to `most_classes` classes; `heaviest` bounds weights.
fn random_problem(
    random: &mut Random,
    most_classes: i64,
    most_items: i64,
    heaviest: i64,
    capacity: i64,
) -> Mckp<i64> {
    let largest = [1, 30, 1000, 40_000][random.within(0, 3) as usize];
    // One in three has items of negative value.
    let least = if random.within(0, 2) == 0 { -largest / 4 } else { 0 };
    let choice = if random.within(0, 1) == 0 { Choice::Optional } else { Choice::ExactlyOne };
    let classes = random.within(1, most_classes);
    let mut class = |_| {
        let items = random.within(1, most_items);
        let mut item =
            |_| Item { value: random.within(least, largest), weight: random.within(0, heaviest) as u64 };
        (0..items).map(&mut item).collect()
    };
    let classes = (0..classes).map(&mut class).collect();
    Mckp { classes, capacity: random.within(0, capacity) as u64, choice }
}

/// A shape of some kernel, or the engine's default.
fn random_options<V: Cell>(random: &mut Random) -> Options {
    let filling = [Filling::Fastest, Filling::Full, Filling::Packed][random.within(0, 2) as usize];
    let variants: &[usize] = match (filling, V::WIDTH.packs()) {
        (Filling::Full, true) => &[4, 8, 12, 16, 32],
        (Filling::Full, false) => &[4, 8],
        // A fallback to full cells keeps the shape.
        (_, true) => &[8, 16],
        (_, false) => &[8],
    };
    let cells = variants[random.within(0, variants.len() as i64 - 1) as usize];
    // Threads of 32 cells come in blocks of at most 3 warps.
    let most_groups = if cells == 32 { 1 } else { 4 };
    let tile_warps = random.within(1, if cells == 32 { 3 } else { 4 }) as usize;
    let groups = random.within(1, most_groups) as usize;
    let shape = (random.within(0, 2) > 0).then_some(Shape { cells, tile_warps, groups });
    let most_rows = (random.within(0, 3) == 0).then(|| random.within(2, 4) as usize);
    let most_records = (random.within(0, 2) == 0).then(|| random.within(1, 20) as usize);
    let (walk_only, all_candidates) = (random.within(0, 3) == 0, random.within(0, 3) == 0);
    Options { filling, shape, most_rows, walk_only, all_candidates, most_records }
}

fn solved<V: Cell>(device: &Device, problem: &Reduced<V>, wanted: Wanted, options: &Options) -> Answer {
    let machine = Machine::default();
    solve(device, problem, wanted, &Context::new(&machine), options)
        .unwrap_or_else(|error| panic!("{wanted:?}, {options:?}: {error}"))
}

fn same_as_reference<V: Cell>(
    device: &Device,
    problem: &Reduced<V>,
    judges: &[Answer],
    random: &mut Random,
    case: u64,
) -> usize {
    let mut compared = 0;
    for (wanted, judge) in WANTED.into_iter().zip(judges) {
        let options = random_options::<V>(random);
        let what = format!("case {case}, {wanted:?}, {options:?}");
        assert_same(problem.classes.len(), judge, &solved(device, problem, wanted, &options), &what);
        compared += 1;
    }
    compared
}

fn random_cases(device: &Device, seed: u64, cases: u64, problem: impl Fn(&mut Random) -> Mckp<i64>) -> usize {
    let mut random = Random(seed);
    let mut compared = 0;
    for case in 0..cases {
        let problem = problem(&mut random);
        let at_least = if case % 2 == 0 { Tier::I32 } else { Tier::I64 };
        let Ok(tiered) = reduce(&problem, Reduction { raw: case % 3 > 0, at_least }) else { continue };
        let judges = WANTED.map(|wanted| reference(&tiered, wanted));
        compared += match &tiered {
            Tiered::I32(problem) => same_as_reference(device, problem, &judges, &mut random, case),
            Tiered::I64(problem) => same_as_reference(device, problem, &judges, &mut random, case),
            _ => panic!("small values fit 64 bits"),
        };
    }
    compared
}

fn every_kernel_equals_the_reference_on_random_instances() {
    let device = gpu();
    let cases = from_env("ISX_GPU_CASES", 20_000);
    let compared = random_cases(&device, 1, cases, |random| random_problem(random, 6, 12, 60, 400));
    assert!(compared as u64 > cases, "{compared} answers compared over {cases} cases");
    println!("{compared} answers compared");
}

fn weights_beyond_any_window_are_right() {
    let device = gpu();
    let cases = from_env("ISX_GPU_CASES", 20_000).div_ceil(100);
    let compared = random_cases(&device, 2, cases, |random| {
        let heaviest = [200, 5_000, 70_000, 200_000][random.within(0, 3) as usize];
        random_problem(random, 4, 40, heaviest, 200_000)
    });
    assert!(compared > 0);
    println!("{compared} answers compared");
}

fn classes_larger_than_the_item_buffer_are_right() {
    let device = gpu();
    let compared = random_cases(&device, 3, from_env("ISX_GPU_CASES", 20_000).div_ceil(2000) + 4, |random| {
        let mut problem = random_problem(random, 3, 3, 3000, 5000);
        let item = |_| Item { value: random.within(0, 900), weight: random.within(0, 4000) as u64 };
        problem.classes.push((0..5000).map(item).collect());
        problem
    });
    assert!(compared > 0);
}

fn values_too_far_apart_for_16_bits_are_filled_with_full_cells() {
    let device = gpu();
    for (largest, expected_wide) in [(40, false), (9000, true), (40_000, true)] {
        let mut random = Random(4);
        let item = |_| Item { value: random.within(1, largest), weight: random.within(1, 500) as u64 };
        let classes: Vec<Vec<Item<i64>>> = vec![(0..64).map(item).collect(); 6];
        let problem = Mckp { classes, capacity: 20_000, choice: Choice::Optional };
        let tiered = reduced(&problem, true);
        let problem = as_i32(&tiered);
        let options = Options { filling: Filling::Packed, ..Options::default() };
        let mut table = Table::new(&device, problem, false, &options).expect("the table fits");
        table.fill(0).and_then(|()| table.finish(0)).expect("the launch is fine");
        if table.is_packed() {
            let wide = table.wide_tiles().expect("a counter can be copied");
            assert_eq!(wide > 0, expected_wide, "{wide} tiles were wide");
        }
        let options = Options { walk_only: true, ..options };
        let answer = solved(&device, problem, Wanted::AllPicks, &options);
        assert_same(tiered.classes(), &reference(&tiered, Wanted::AllPicks), &answer, "packed");
    }
}

fn dense_fronts_have_their_canonical_items_whatever_fits() {
    let device = gpu();
    let mut random = Random(8);
    for case in 0..from_env("ISX_GPU_CASES", 20_000).div_ceil(500) {
        let mut item = |_| {
            let weight = random.within(1, 300);
            Item { value: weight + random.within(-2, 2), weight: weight as u64 }
        };
        let classes = (0..21).map(|_| (0..5).map(&mut item).collect()).collect();
        let problem = Mckp { classes, capacity: 3000, choice: Choice::Optional };
        let at_least = if case % 2 == 0 { Tier::I32 } else { Tier::I64 };
        let tiered = reduce(&problem, Reduction { raw: case % 3 == 0, at_least }).expect("it is feasible");
        let judge = reference(&tiered, Wanted::AllPicks);
        for most_rows in [None, Some(4)] {
            let options = Options { most_rows, ..Options::default() };
            let wanted = Wanted::AllPicks;
            let what = format!("case {case}, {options:?}");
            let answer = match &tiered {
                Tiered::I32(problem) => solved(&device, problem, wanted, &options),
                Tiered::I64(problem) => solved(&device, problem, wanted, &options),
                _ => panic!("small values fit 64 bits"),
            };
            assert_same(tiered.classes(), &judge, &answer, &what);
        }
    }
}

/// The thesis's five sizes (table 5.2).
const SIZES: [(usize, u64); 5] = [(5, 12_665), (10, 15_700), (20, 94_280), (50, 390_500), (100, 303_500)];

fn the_papers_instances_equal_the_cpu() {
    let device = gpu();
    let sizes = &SIZES[..from_env("ISX_GPU_SIZES", 5) as usize];
    for (kind, raw) in [(Kind::Uncorrelated, true), (Kind::Uncorrelated, false), (Kind::Strong, true)] {
        for (seed, &(classes, capacity)) in (10..).zip(sizes) {
            let instance = paper_instance(kind, classes, capacity, seed);
            let tiered = reduced(&instance, raw);
            let problem = as_i32(&tiered);
            let rows = cpu_rows(problem);
            let (weights, values) = front_of(&rows[rows.len() - 1]);
            let name = format!("{kind:?} ({classes}, {capacity}), raw {raw}");
            let same_front = |answer: &Answer, by: &str| {
                assert_eq!(answer.weights, weights, "{name}, {by}");
                assert_eq!(values_of(answer), values, "{name}, {by}");
            };
            for filling in [Filling::Full, Filling::Packed] {
                for walk_only in [false, true] {
                    let all_candidates = filling == Filling::Full;
                    let options = Options {
                        filling,
                        walk_only,
                        all_candidates: all_candidates && raw,
                        ..Options::default()
                    };
                    let wanted = if walk_only && raw { Wanted::BestPicks } else { Wanted::AllPicks };
                    let answer = solved(&device, problem, wanted, &options);
                    same_front(&answer, &answer.how);
                    let points = if wanted == Wanted::BestPicks {
                        &weights[weights.len() - 1..]
                    } else {
                        &weights[..]
                    };
                    assert_canonical(problem, &rows, &answer, points);
                }
            }
            if classes <= 20 {
                let wide = widened(problem);
                let answer = solved(&device, &wide, Wanted::AllPicks, &Options::default());
                same_front(&answer, "64-bit cells");
                assert_canonical(problem, &rows, &answer, &weights);
            }
            println!("{name}: {} points equal", weights.len());
        }
    }
}

fn a_missing_gpu_or_an_unsupported_tier_is_an_error_not_a_panic() {
    let problem = Mckp {
        classes: vec![vec![Item { value: 1, weight: 1 }, Item { value: 5, weight: 2 }]],
        capacity: 3,
        choice: Choice::Optional,
    };
    let tiered = |at_least| reduce(&problem, Reduction { raw: false, at_least }).expect("it is feasible");
    let solved = solve_with("cuda", &tiered(Tier::I32), Wanted::AllPicks);
    match cuda::devices() {
        Err(error) => {
            assert_eq!(
                solved.expect_err("there is no GPU to solve it on"),
                EngineError::Unavailable(error.to_string())
            );
        }
        Ok(devices) => {
            assert!(devices.iter().any(Result::is_ok), "{devices:?}");
            let judge = reference(&tiered(Tier::I32), Wanted::AllPicks);
            assert_same(1, &judge, &solved.expect("it solves"), "the engine");
            let error = solve_with("cuda", &tiered(Tier::I128), Wanted::Values);
            assert_eq!(error.expect_err("no 128-bit cells"), EngineError::Arithmetic(Tier::I128));
        }
    }
    assert!(cuda::describe(usize::MAX >> 1).is_err(), "no machine has so many GPUs");
}

/// Controls for compute-sanitizer: each has an error that one of its tools must report.
mod faults {
    use crate::planted::Control;
    use cudarc::driver::PushKernelArg;

    fn run(kernel: &'static str) {
        launch(kernel, 1000, 256);
    }

    fn launch(kernel: &'static str, count: i32, threads: u32) {
        let control = Control::new(include_str!("planted.compute_70.ptx"), kernel);
        // SAFETY: any memory content is a valid integer; leaving it unwritten is one of the planted errors.
        let mut words = unsafe { control.stream.alloc::<i32>(count as usize) }.unwrap();
        let mut builder = control.stream.launch_builder(&control.function);
        builder.arg(&mut words).arg(&count);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(1, threads, 0)) }.map(|_| ());
        control.end(&launched);
    }

    /// An error planted for memcheck.
    pub fn out_of_bounds() {
        run("planted_out_of_bounds");
    }

    /// An error planted for racecheck.
    pub fn race() {
        run("planted_race");
    }

    /// An error planted for initcheck: few reads, since each reported one takes milliseconds.
    pub fn uninitialized() {
        launch("planted_uninitialized", 3, 32);
    }

    /// An error planted for synccheck.
    pub fn divergent_barrier() {
        run("planted_divergent_barrier");
    }
}
