//! The CUDA engines for longest common subsequences, compared with the reference and bit-parallel engines.

use crate::every_call::{cause, walk};
use crate::harness::*;
use crate::random::Random;
use crate::tested;
use isx::engine::lcs::{Answer, ENGINES, Lcs as Family, Wanted};
use isx::engine::{Context, EngineError, Entry, Hardware, Request};
use isx::machine::{Cancel, Machine};
use isx::problem::lcs::Lcs;
use isx::reduce::lcs::{Reduced, WayBack};
use isx::solve;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "lcs",
        &tests![
            every_engine_equals_the_reference_on_random_pairs,
            lengths_about_the_borders_of_words_and_tiles_are_right,
            long_pairs_equal_the_cpu_with_little_memory_too,
            a_computation_that_was_called_off_gives_no_answer,
            every_call_of_the_driver_may_fail,
        ],
    );
    trials.extend(anywhere("lcs", &tests![a_missing_gpu_is_an_error_not_a_panic]));
    trials.extend(if_asked(
        "lcs",
        &tests![faults::out_of_bounds, faults::uninitialized, faults::race, faults::divergent_barrier,],
    ));
    trials
}

/// A pair as engines get it, with common ends kept.
fn whole(rows: Vec<u8>, columns: Vec<u8>, letters: usize) -> Reduced {
    Reduced { rows, columns, letters, back: WayBack::default() }
}

fn text(random: &mut Random, length: usize, letters: usize) -> Vec<u8> {
    (0..length).map(|_| random.within(0, letters - 1) as u8).collect()
}

/// A copy of the text with some letters changed, dropped and inserted.
fn relative(random: &mut Random, of: &[u8], letters: usize) -> Vec<u8> {
    let mut relative = Vec::new();
    for &letter in of {
        match random.within(0, 9) {
            0 => {}
            1 => relative.extend([letter, random.within(0, letters - 1) as u8]),
            2 => relative.push(random.within(0, letters - 1) as u8),
            _ => relative.push(letter),
        }
    }
    relative
}

/// The GPU engines under test.
fn on_gpus() -> impl Iterator<Item = &'static Entry<Family>> {
    tested::LCS.iter().filter(|entry| entry.hardware == Hardware::Gpu)
}

fn answer(
    entry: &Entry<Family>,
    problem: &Reduced,
    wanted: Wanted,
    machine: &Machine,
) -> Result<Answer, EngineError> {
    let context = Context::new(machine);
    entry.engine.plan(Request { problem, wanted, context: &context })?.run()
}

/// Compares every GPU engine with one of the CPU: the length, and the same letters; returns the number of
/// comparisons.
fn same_as(judge: &str, problem: &Reduced, machine: &Machine) -> u64 {
    let judge = ENGINES.named(judge).expect("it is built in");
    let expected = answer(judge, problem, Wanted::Subsequence, &Machine::default()).unwrap();
    let mut compared = 0;
    for entry in on_gpus() {
        let found = answer(entry, problem, Wanted::Subsequence, machine)
            .unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let sizes = (problem.rows.len(), problem.columns.len(), problem.letters);
        assert_eq!(found.length, expected.length, "{}: {sizes:?}", entry.name);
        assert!(found.pairs == expected.pairs, "{}: other letters: {sizes:?}", entry.name);
        let found = answer(entry, problem, Wanted::Length, machine).unwrap();
        assert_eq!((found.length, found.pairs), (expected.length, None), "{}: {sizes:?}", entry.name);
        compared += 1;
    }
    compared
}

fn every_engine_equals_the_reference_on_random_pairs() {
    let machine = Machine::default();
    let cases = from_env("ISX_GPU_CASES", 1000);
    let random = &mut Random(71);
    let mut compared = 0;
    for case in 0..cases {
        let letters = [1, 2, 4, 256][case as usize % 4];
        let most = [9, 70, 400][case as usize % 3];
        let length = random.within(0, most);
        let rows = text(random, length, letters);
        let columns = if random.one_in(2) {
            relative(random, &rows, letters)
        } else {
            let length = random.within(0, most);
            text(random, length, letters)
        };
        compared += same_as("reference", &whole(rows, columns, letters), &machine);
    }
    assert!(compared >= cases);
    println!("{compared} answers compared");
}

fn lengths_about_the_borders_of_words_and_tiles_are_right() {
    let machine = Machine::default();
    let random = &mut Random(72);
    let borders = [1, 7, 8, 31, 32, 33, 63, 65, 1023, 1024, 1025, 2047, 2048, 2049, 3100];
    for case in 0..from_env("ISX_GPU_CASES", 60).min(60) as usize {
        let letters = [1, 2, 4, 256][case % 4];
        let (rows, columns) = (random.pick(&borders), random.pick(&borders));
        let problem = whole(text(random, rows, letters), text(random, columns, letters), letters);
        assert!(same_as("reference", &problem, &machine) > 0);
    }
}

fn long_pairs_equal_the_cpu_with_little_memory_too() {
    let random = &mut Random(73);
    let few = from_env("ISX_GPU_CASES", 1000) < 1000;
    let length = from_env("ISX_GPU_LENGTH", if few { 5_000 } else { 70_000 }) as usize;
    for letters in [2, 4, 256] {
        let rows = text(random, length, letters);
        for columns in [text(random, length / 3 + 11, letters), relative(random, &rows, letters)] {
            let problem = whole(rows.clone(), columns, letters);
            assert!(same_as("bitparallel", &problem, &Machine::default()) > 0);
            // Memory for a coarse grid only, and then for none.
            let little = Machine::default().with_max_memory(25 * length as u64 + 900_000);
            assert!(same_as("bitparallel", &problem, &little) > 0);
            let none = Machine::default().with_max_memory(length as u64);
            for entry in on_gpus() {
                let refused = answer(entry, &problem, Wanted::Subsequence, &none).unwrap_err();
                assert!(matches!(refused, EngineError::Memory(_)), "{entry:?}: {refused}");
            }
        }
    }
}

fn a_computation_that_was_called_off_gives_no_answer() {
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = Machine::default().with_cancel(cancel);
    let problem = whole(vec![0; 5000], [0, 1].repeat(2500), 2);
    for entry in on_gpus() {
        let stopped = answer(entry, &problem, Wanted::Subsequence, &machine).unwrap_err();
        assert_eq!(stopped, EngineError::Cancelled, "{entry:?}");
    }
}

fn every_call_of_the_driver_may_fail() {
    let mut random = Random(6);
    let mut text = |length| (0..length).map(|_| b"ACGT"[random.within(0, 3) as usize]).collect::<Vec<u8>>();
    let problem = Lcs { a: text(700), b: text(650) };
    let names: Vec<&str> = on_gpus().map(|entry| entry.name).collect();
    walk((tested::LCS, &ENGINES), &names, |engine, machine| {
        let options = solve::lcs::Options { engine, machine, ..Default::default() };
        Ok(format!("{:?}", solve::lcs::solve(&problem, &options).map_err(cause)?.claim))
    });
}

fn a_missing_gpu_is_an_error_not_a_panic() {
    let machine = Machine::default().with_gpu(99);
    let problem = whole(vec![0; 50], vec![0; 50], 1);
    for entry in on_gpus() {
        let refused = answer(entry, &problem, Wanted::Length, &machine).unwrap_err();
        assert!(matches!(refused, EngineError::Unavailable(_)), "{entry:?}");
    }
}

/// Errors planted in a kernel of this family, one per tool of compute-sanitizer.
mod faults {
    use crate::planted::Control;
    use cudarc::driver::{CudaSlice, PushKernelArg};

    /// A strip of 100 rows over 1000 columns, by some PTX of the kernel, with some bits and so many words of carries.
    fn strip(ptx: &str, bits: impl FnOnce(&Control) -> CudaSlice<u32>, words: usize) {
        let control = Control::new(ptx, "lcs_tiles");
        let mut bits = bits(&control);
        let stream = &control.stream;
        let mut carries = stream.alloc_zeros::<u64>(words).unwrap();
        let rows = stream.clone_htod(&[0u8, 1].repeat(512)).unwrap();
        let columns = stream.clone_htod(&[1u8, 1, 0, 1].repeat(256)).unwrap();
        let (mut kept_columns, mut kept_rows) =
            (stream.alloc_zeros::<u32>(1).unwrap(), stream.alloc_zeros::<u32>(1).unwrap());
        let mut progress = stream.alloc_zeros::<u32>(2).unwrap();
        let (row_count, column_count, row_words) = (100i64, 1000i64, 32i64);
        let (letters, no, every) = (2i32, 0i32, 1i32);
        let (first_ticket, first_column) = (0u32, 0i64);
        let mut builder = stream.launch_builder(&control.function);
        builder.arg(&rows).arg(&columns).arg(&mut bits).arg(&mut carries).arg(&mut kept_columns);
        builder.arg(&mut kept_rows).arg(&mut progress).arg(&row_count).arg(&column_count).arg(&row_words);
        builder.arg(&letters).arg(&no).arg(&first_ticket).arg(&first_column).arg(&column_count).arg(&every);
        builder.arg(&no);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(1, 32, 3 * 128)) }.map(|_| ());
        control.end(&launched);
    }

    const RIGHT: &str = include_str!("../../kernels/ptx/lcs_tiles.compute_70.ptx");

    /// The bits of a strip before its first column.
    fn ones(control: &Control) -> CudaSlice<u32> {
        control.stream.clone_htod(&[u32::MAX; 32]).unwrap()
    }

    /// An error planted for memcheck: the carries are a word too short.
    pub fn out_of_bounds() {
        strip(RIGHT, ones, 31);
    }

    /// An error planted for initcheck: the bits are uninitialized.
    pub fn uninitialized() {
        // SAFETY: any memory content is a valid integer; leaving it unwritten is the planted error.
        strip(RIGHT, |control| unsafe { control.stream.alloc(32) }.unwrap(), 32);
    }

    /// An error planted for racecheck: no barrier between one thread's write and another's read.
    pub fn race() {
        strip(include_str!("planted_lcs_race.compute_70.ptx"), ones, 32);
    }

    /// An error planted for synccheck: half of the warp skips the barriers.
    pub fn divergent_barrier() {
        strip(include_str!("planted_lcs_barrier.compute_70.ptx"), ones, 32);
    }
}
