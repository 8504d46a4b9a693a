//! The CUDA engine of the travelling salesman problem, compared with the reference and layers engines.

use crate::harness::*;
use crate::random::Random;
use isx::engine::tsp::ENGINES;
use isx::engine::{Context, EngineError, Hardware, Request};
use isx::machine::{Cancel, Machine};
use isx::problem::tsp::tsplib::parse;
use isx::problem::tsp::{Claim, Tsp, witness};

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "tsp",
        &tests![
            tours_of_few_cities_equal_the_judges,
            tours_of_many_sets_equal_those_of_the_cpu,
            lengths_at_the_ends_of_the_cells_are_exact,
            the_known_tours_of_tsplib_are_found,
            tables_beyond_the_memory_are_refused_before_they_are_made,
            what_was_called_off_ends_without_an_answer,
        ],
    );
    trials.extend(anywhere("tsp", &tests![a_missing_gpu_is_an_error_not_a_panic]));
    trials.extend(if_asked(
        "tsp",
        &tests![faults::out_of_bounds, faults::uninitialized, faults::race, faults::divergent_barrier,],
    ));
    trials
}

/// Distances from `least` to `most`.
fn problem(random: &mut Random, cities: usize, symmetric: bool, least: i64, most: i64) -> Tsp {
    let mut distances: Vec<i64> = (0..cities * cities).map(|_| random.within(least, most)).collect();
    if symmetric {
        (0..cities * cities).for_each(|at| distances[at] = distances[at % cities * cities + at / cities]);
    }
    Tsp::new((1..=cities as u64).collect(), distances).unwrap()
}

fn answer(engine: &str, problem: &Tsp, machine: &Machine) -> Result<(i64, Vec<usize>), EngineError> {
    let context = Context::new(machine);
    let entry = ENGINES.named(engine).expect("it is built in");
    let answer = entry.engine.plan(Request { problem, wanted: (), context: &context })?.run()?;
    let claim = Claim { length: answer.length, tour: answer.tour };
    witness(problem, &claim).unwrap_or_else(|error| panic!("{engine}: {error}: {problem:?}"));
    Ok((claim.length, claim.tour))
}

/// Compares every GPU engine with one of the CPU; returns the number of tours compared.
fn same_as(judge: &str, problem: &Tsp, machine: &Machine) -> u64 {
    let wanted = answer(judge, problem, machine).expect("few cities fit");
    let mut compared = 0;
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Gpu) {
        let found = answer(entry.name, problem, machine)
            .unwrap_or_else(|error| panic!("{}: {error}: {problem:?}", entry.name));
        assert_eq!(found, wanted, "{}: {problem:?}", entry.name);
        compared += 1;
    }
    compared
}

fn tours_of_few_cities_equal_the_judges() {
    let machine = Machine::default();
    let random = &mut Random(1);
    let cases = from_env("ISX_GPU_CASES", 600);
    let mut compared = 0;
    for case in 0..cases {
        let (least, most) =
            random.pick(&[(0, 1), (1, 4), (-3, 3), (0, 1000), (0, 1 << 24), (-(1 << 50), 1 << 50)]);
        let cities = 1 + (case as usize / 2) % 13;
        compared += same_as("reference", &problem(random, cities, case % 2 == 0, least, most), &machine);
    }
    assert!(compared >= cases, "{compared} tours compared over {cases} cases");
    println!("{compared} tours compared");
}

fn tours_of_many_sets_equal_those_of_the_cpu() {
    let machine = Machine::default();
    let random = &mut Random(2);
    let sizes: &[usize] = if from_env("ISX_GPU_CASES", 600) < 600 { &[15] } else { &[17, 20, 23, 24] };
    for &cities in sizes {
        for symmetric in [true, false] {
            for (least, most) in [(1, 2), (0, 1000), (0, 1 << 40)] {
                assert!(same_as("layers", &problem(random, cities, symmetric, least, most), &machine) > 0);
            }
        }
    }
}

fn lengths_at_the_ends_of_the_cells_are_exact() {
    let machine = Machine::default();
    // Just below and just above the limit of 32-bit cells, and just below that of 64-bit cells.
    for (cities, far) in [(6, (1i64 << 29) / 6), (7, (1 << 29) / 7 + 1), (8, (1 << 61) / 8 - 1)] {
        for sign in [1, -1] {
            let distances = (0..cities * cities).map(|at: i64| sign * (far - at % 3)).collect();
            let problem = Tsp::new((1..=cities as u64).collect(), distances).unwrap();
            assert!(same_as("reference", &problem, &machine) > 0);
        }
    }
    // One city is far from all others, and less far in the other direction.
    let mut distances = vec![7i64; 81];
    (0..9).for_each(|at| distances[9 * at + 4] = (1 << 25) - 1);
    (0..9).for_each(|at| distances[36 + at] = (1 << 28) - 1);
    assert!(same_as("reference", &Tsp::new((1..=9).collect(), distances).unwrap(), &machine) > 0);
    let wide = Tsp::new((1..=4).collect(), vec![(1 << 61) / 3; 16]).unwrap();
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Gpu) {
        assert!(matches!(answer(entry.name, &wide, &machine), Err(EngineError::Unavailable(_))));
    }
}

fn the_known_tours_of_tsplib_are_found() {
    let known = [
        (include_str!("../data/tsp/burma14.tsp"), 3323),
        (include_str!("../data/tsp/ulysses16.tsp"), 6859),
        (include_str!("../data/tsp/gr24.tsp"), 1272),
    ];
    let machine = Machine::default();
    for (text, length) in known {
        let problem = parse(text).unwrap().problem().unwrap();
        if problem.cities() as u64 > from_env("ISX_GPU_CITIES", 24) {
            continue;
        }
        assert_eq!(answer("cuda", &problem, &machine).unwrap().0, length);
    }
}

fn tables_beyond_the_memory_are_refused_before_they_are_made() {
    let machine = Machine::default();
    for (cities, wanted) in [(36, "GPU memory"), (280, "280 cities")] {
        let refused = answer("cuda", &problem(&mut Random(3), cities, true, 0, 9), &machine).unwrap_err();
        let is_memory = matches!(refused, EngineError::GpuMemory { .. } | EngineError::TooLarge(_));
        assert!(is_memory && refused.to_string().contains(wanted), "{refused}");
    }
}

fn what_was_called_off_ends_without_an_answer() {
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = Machine::default().with_cancel(cancel);
    let problem = problem(&mut Random(4), 14, false, 0, 9);
    assert_eq!(answer("cuda", &problem, &machine).unwrap_err(), EngineError::Cancelled);
}

fn a_missing_gpu_is_an_error_not_a_panic() {
    let machine = Machine::default().with_gpu(99);
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Gpu) {
        for cities in [1, 3, 20, 40] {
            let refused = answer(entry.name, &problem(&mut Random(5), cities, true, 0, 9), &machine);
            assert!(matches!(refused, Err(EngineError::Unavailable(_))), "{entry:?}");
        }
    }
}

/// Errors planted in a kernel of this family, one per tool of compute-sanitizer.
mod faults {
    use crate::planted::Control;
    use cudarc::driver::{CudaSlice, PushKernelArg};

    /// The sets of two of five cities from the layer of single cities, by some PTX and over some layer before.
    fn fill(ptx: &str, from: impl FnOnce(&Control) -> CudaSlice<i32>) {
        let control = Control::new(ptx, "tsp_layers_fill");
        let from = from(&control);
        let stream = &control.stream;
        let mut to = stream.alloc_zeros::<i32>(30).unwrap();
        let distances = stream.alloc_zeros::<i32>(1024).unwrap();
        // C(e, k) at 32 k + e.
        let below = |e: u32, k: u32| {
            (0..k).fold(1u64, |product, at| product * u64::from(e.saturating_sub(at)) / u64::from(at + 1))
        };
        let choose: Vec<u32> = (0..18 * 32).map(|at| below(at % 32, at / 32) as u32).collect();
        let choose = stream.clone_htod(&choose).unwrap();
        let (others, size, sets) = (5i32, 2i32, 10u32);
        let mut builder = stream.launch_builder(&control.function);
        builder.arg(&from).arg(&mut to).arg(&distances).arg(&choose).arg(&others).arg(&size).arg(&sets);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(1, 64, 0)) }.map(|_| ());
        control.end(&launched);
    }

    const RIGHT: &str = include_str!("../../kernels/ptx/tsp_layers_i32.compute_70.ptx");

    /// An error planted for memcheck: the previous layer needs 20 values, and has 19.
    pub fn out_of_bounds() {
        fill(RIGHT, |control| control.stream.alloc_zeros(19).unwrap());
    }

    /// An error planted for initcheck: the previous layer is uninitialized.
    pub fn uninitialized() {
        // SAFETY: any memory content is a valid integer; leaving it unwritten is the planted error.
        fill(RIGHT, |control| unsafe { control.stream.alloc(20) }.unwrap());
    }

    /// An error planted for racecheck: no barrier between one thread's write and another's read.
    pub fn race() {
        let ptx = include_str!("planted_tsp_race.compute_70.ptx");
        fill(ptx, |control| control.stream.alloc_zeros(20).unwrap());
    }

    /// An error planted for synccheck: half of each warp skips the barriers.
    pub fn divergent_barrier() {
        let ptx = include_str!("planted_tsp_barrier.compute_70.ptx");
        fill(ptx, |control| control.stream.alloc_zeros(20).unwrap());
    }
}
