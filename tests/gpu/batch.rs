//! Batches on the GPU compared with the CPU's lists, which tests/engines/batch.rs compares with single problems.

#[path = "../common/batches.rs"]
pub mod batches;

use crate::every_call;
use crate::harness::*;
use crate::random;
use batches::{KINDS, Kind, random_batch, task_sets};
use isx::engine::{Context, EngineError, Hardware, Request};
use isx::machine::faults::{Door, Fault, hits, plan};
use isx::machine::{Cancel, Machine};
use isx::problem::mckp::Choice;
use isx_batch::cuda::rows::Rows;
use isx_batch::cuda::{Options, solve};
use isx_batch::{Answers, Batch, ENGINES, Found, NO_ITEM, One};
use random::Random;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "batch",
        &tests![
            random_batches_have_the_same_answers_items_included,
            lists_too_long_for_the_first_kernel_or_for_both_are_no_loss,
            pieces_of_any_size_in_any_number_of_lanes_give_the_same,
            what_passes_the_kernels_integers_is_solved_all_the_same,
            rows_of_every_kind_are_those_of_a_table,
            rows_with_gaps_of_any_width_have_the_same_answers,
            rows_as_long_as_a_block_holds_and_longer_have_the_same_answers,
            the_engine_of_the_registry_answers,
            a_batch_is_called_off,
            every_call_may_fail,
        ],
    );
    trials.extend(anywhere("batch", &tests![a_missing_gpu_is_an_error_not_a_panic]));
    trials.extend(if_asked(
        "batch",
        &tests![faults::out_of_bounds, faults::uninitialized, faults::race, faults::divergent_barrier],
    ));
    trials
}

fn cases(otherwise: usize) -> usize {
    std::env::var("ISX_GPU_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise).min(otherwise)
}

fn on_cpu(batch: &Batch) -> Answers {
    let machine = Machine::default();
    let context = Context::new(&machine);
    let lists = ENGINES.judge().expect("there is a judge");
    lists.solve(Request { problem: batch, wanted: (), context: &context }).expect("lists always answer")
}

/// The best value of a problem and its items, by a table over all weights, independent of the engines.
fn by_table(problem: &One<'_>) -> (Found, Vec<u32>) {
    let cells = problem.capacity as usize + 1;
    let mut rows = vec![vec![None; cells]];
    rows[0][0] = Some(0i64);
    let offered = |class: usize| {
        let (values, weights) = problem.class(class);
        let nothing = (problem.choice == Choice::Optional).then_some((NO_ITEM, 0, 0));
        let items = (0u32..).zip(values.iter().zip(weights)).map(|(at, (&v, &w))| (at, v, w as usize));
        nothing.into_iter().chain(items).filter(|&(_, _, w)| w < cells).collect::<Vec<_>>()
    };
    for class in 0..problem.classes() {
        let before = rows.last().expect("there is one");
        let mut row = vec![None; cells];
        for (_, value, weight) in offered(class) {
            for (to, from) in row[weight..].iter_mut().zip(before) {
                *to = (*to).max(from.map(|from: i64| from + value));
            }
        }
        rows.push(row);
    }
    let last = rows.last().expect("there is one");
    let Some(value) = last.iter().flatten().copied().max() else {
        return (Found::Infeasible, vec![NO_ITEM; problem.classes()]);
    };
    let weight = last.iter().position(|&cell| cell == Some(value)).expect("it is there");
    let (mut at, mut left, mut picks) = (weight, value, Vec::new());
    for class in (0..problem.classes()).rev() {
        let explains = |&(_, v, w): &(u32, i64, usize)| w <= at && rows[class][at - w] == Some(left - v);
        let (item, v, w) = offered(class).into_iter().find(explains).expect("some item explains a cell");
        (at, left) = (at - w, left - v);
        picks.push(item);
    }
    picks.reverse();
    (Found::Best { value: value.into(), weight: weight as u64 }, picks)
}

/// Tables computed where the judge has no answer.
const TABLES: usize = 100;

/// The number of problems with an answer.
fn assert_same(batch: &Batch, options: &Options) -> usize {
    let machine = Machine::default();
    let (found, _) =
        solve(&[&*gpu()], batch, &Context::new(&machine), options).unwrap_or_else(|e| panic!("{e}"));
    let judged = on_cpu(batch);
    let mut tables = 0;
    for at in 0..batch.len() {
        let classes = batch.classes_before(at)..batch.classes_before(at + 1);
        // A problem whose lists exceed the CPU's candidate limit may still fit the GPU.
        if judged.found[at] == Found::Left {
            let problem = batch.get(at);
            if found.found[at] != Found::Left && tables < TABLES && problem.capacity < 100_000 {
                tables += 1;
                let (best, picks) = by_table(&problem);
                assert_eq!((best, &picks[..]), (found.found[at], &found.picks[classes]), "{at}");
            }
            continue;
        }
        let told = (&found.found[at], &found.picks[classes.clone()]);
        assert_eq!(
            told,
            (&judged.found[at], &judged.picks[classes]),
            "{at}: {:?}",
            batch.get(at).to_problem()
        );
    }
    let best = |found: &&Found| matches!(found, Found::Best { .. });
    found.found.iter().filter(best).count()
}

fn random_batches_have_the_same_answers_items_included() {
    let problems = cases(200_000);
    for (seed, choice) in [(1, Choice::ExactlyOne), (2, Choice::Optional)] {
        let batch = random_batch(&mut Random(seed), choice, problems);
        for options in [Options::default(), Rows::options()] {
            let best = assert_same(&batch, &options);
            assert!(best > problems / 3, "{best} of {problems}");
            println!("{best} of {problems} problems have a best selection, the same on both");
        }
    }
}

fn lists_too_long_for_the_first_kernel_or_for_both_are_no_loss() {
    for kind in KINDS {
        let batch = task_sets(&mut Random(7), kind, cases(2000));
        for (short, long) in [(2, 4), (16, 40), (40, 3000), (128, 1024)] {
            let options = Options { short, long, ..Options::default() };
            let best = assert_same(&batch, &options);
            assert!(
                !matches!(kind, Kind::Uncorrelated | Kind::Weak) || best == batch.len(),
                "{kind:?} {best}"
            );
        }
    }
}

fn pieces_of_any_size_in_any_number_of_lanes_give_the_same() {
    let batch = random_batch(&mut Random(3), Choice::Optional, cases(400_000));
    for (lanes, piece) in [(1, 16 << 20), (2, 1 << 20), (5, 100_000), (64, 5000)] {
        for options in [Options::default(), Rows::options()] {
            assert!(assert_same(&batch, &Options { lanes, piece, ..options }) > 0);
        }
    }
}

fn what_passes_the_kernels_integers_is_solved_all_the_same() {
    let mut batch = Batch::new(Choice::Optional);
    // Values that sum to 2^30 and slightly less, capacities of 2^30 and slightly less, many classes, large classes.
    for (value, capacity) in
        [(1i64 << 30, 9), ((1 << 30) - 1, 9), (1 << 40, 9), (5, 1 << 30), (5, (1 << 30) - 1)]
    {
        batch.class([(value, 5), (value - 1, capacity)]);
        batch.class([(-3, 0), (0, 1), (0, capacity - 4)]);
        batch.problem(capacity);
    }
    for classes in [255, 256, 300] {
        for class in 0..classes {
            batch.class([(1 + class % 5, 1 + (class % 7) as u64)]);
        }
        batch.problem(400);
    }
    for items in [254, 255, 256, 511, 512, 5000] {
        batch.class((0..items).map(|item| (item % 91, (item % 89) as u64)));
        batch.problem(88);
    }
    batch.problem(5);
    for options in [Options::default(), Rows::options()] {
        let best = assert_same(&batch, &options);
        let solved = on_cpu(&batch).found.iter().filter(|found| matches!(found, Found::Best { .. })).count();
        assert_eq!(best, solved);
        assert!(best >= batch.len() - 3, "{best} of {}", batch.len());
    }
}

fn rows_of_every_kind_are_those_of_a_table() {
    for kind in KINDS {
        let batch = task_sets(&mut Random(8), kind, cases(3000));
        for short in [0, 32, 128] {
            let best = assert_same(&batch, &Options { short, ..Rows::options() });
            assert_eq!(best, batch.len(), "{kind:?}");
        }
    }
}

/// Values that follow weights, scaled so that gaps are a few units or close to 2^30.
fn scaled(random: &mut Random, classes: usize, items: usize, heaviest: u64, scale: i64, batch: &mut Batch) {
    for _ in 0..classes {
        let item = |random: &mut Random| {
            let weight = random.within(0, heaviest);
            let noise = random.within(0, scale.min(1000));
            ((weight as i64 + random.within(-3i64, 3)) * scale + noise, weight)
        };
        let some: Vec<(i64, u64)> = (0..items).map(|_| item(random)).collect();
        batch.class(some);
    }
}

fn rows_with_gaps_of_any_width_have_the_same_answers() {
    let random = &mut Random(9);
    for choice in [Choice::Optional, Choice::ExactlyOne] {
        let mut batch = Batch::new(choice);
        // Fewer say nothing about how many rows were the best ones.
        for at in 0..cases(20_000).max(6) {
            let classes = 1 + at % 7;
            let heaviest = random.pick(&[1u64, 9, 64, 700]);
            // The largest factor that keeps the sum of all values below 2^30.
            let most = ((1i64 << 30) - 1) / ((heaviest as i64 + 5) * classes as i64) - 1000;
            let scale = random.pick(&[1, 3, 1000, most / 3, most]);
            scaled(random, classes, 9, heaviest, scale.max(1), &mut batch);
            batch.problem(random.within(0, heaviest * classes as u64));
        }
        let best = assert_same(&batch, &Rows::options());
        assert!(best > batch.len() / 2, "{best}");
    }
}

fn rows_as_long_as_a_block_holds_and_longer_have_the_same_answers() {
    let gpu = gpu();
    // 8 prepared problems, and 32 bytes; a cell takes 4.
    let shape = |classes: usize, items: usize| {
        let slots = classes * (items + 1);
        let list = slots.div_ceil(4).max((2 * classes).div_ceil(5));
        8 * (48 + (40 * list + 12 * slots + 12 * (classes + 1)).next_multiple_of(16)) + 32
    };
    let most = (gpu.info().shared_per_block - shape(6, 10)) / 4 / 8 * 8;
    for capacity in [most - 9, most - 2, most - 1, most, most + 1, 2 * most] {
        let mut batch = Batch::new(Choice::Optional);
        let random = &mut Random(capacity as u64);
        let heaviest = capacity as u64 / 4;
        for at in 0..cases(60) {
            if at % 2 == 0 {
                scaled(random, 6, 10, heaviest, 1, &mut batch);
            } else {
                // If values do not follow weights, lists are short for any capacity.
                for _ in 0..6 {
                    let item = |random: &mut Random| (random.within(1i64, 9999), random.within(0, heaviest));
                    let some: Vec<(i64, u64)> = (0..10).map(|_| item(random)).collect();
                    batch.class(some);
                }
            }
            batch.problem(capacity as u64);
        }
        let best = assert_same(&batch, &Rows::options());
        assert!(best >= batch.len() / 2, "{capacity}: {best}");
    }
}

fn the_engine_of_the_registry_answers() {
    let machine = Machine::default();
    let context = Context::new(&machine);
    let batch = task_sets(&mut Random(1), Kind::Weak, cases(3000));
    let judged = on_cpu(&batch);
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Gpu) {
        let found = entry.solve(Request { problem: &batch, wanted: (), context: &context }).unwrap();
        assert_eq!((found.found, found.picks), (judged.found.clone(), judged.picks.clone()));
    }
}

fn a_batch_is_called_off() {
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = Machine::default().with_cancel(cancel);
    let batch = task_sets(&mut Random(1), Kind::Weak, 10);
    let found = solve(&[&*gpu()], &batch, &Context::new(&machine), &Options::default());
    assert_eq!(found.map(drop), Err(EngineError::Cancelled));
}

fn every_call_may_fail() {
    let batch = random_batch(&mut Random(4), Choice::Optional, cases(3000));
    let gpu = gpu();
    for threads in [1, 3] {
        let machine = Machine::default().with_threads(threads);
        let context = Context::new(&machine);
        for options in [Options::default(), Rows::options()] {
            let options = Options { piece: 20_000, ..options };
            let answers = || {
                let (answers, _) = solve(&[&*gpu], &batch, &context, &options)?;
                Ok((answers.found, answers.picks))
            };
            plan(None);
            let right = answers().unwrap_or_else(|error: EngineError| panic!("{error}"));
            for lasting in [false, true] {
                let mut failed = 0;
                for nth in every_call::calls() {
                    plan(Some(Fault { door: Door::Gpu, nth, lasting, code: 700 }));
                    let found = answers();
                    if hits() == 0 {
                        break;
                    }
                    match found {
                        Ok(found) => assert!(found == right, "call {nth}"),
                        Err(EngineError::Failed(_)) => failed += 1,
                        Err(error) => panic!("call {nth}: {error}"),
                    }
                }
                println!("{failed} failed");
                assert!(failed > 3, "{failed} failed");
            }
            plan(None);
        }
    }
}

fn a_missing_gpu_is_an_error_not_a_panic() {
    let machine = Machine::default().with_gpu(99);
    let context = Context::new(&machine);
    let batch = task_sets(&mut Random(1), Kind::Weak, 2);
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Gpu) {
        let refusal = entry.solve(Request { problem: &batch, wanted: (), context: &context }).unwrap_err();
        assert!(matches!(refusal.cause, EngineError::Unavailable(_)), "{refusal}");
    }
}

/// Errors planted in the row kernel, one per tool of compute-sanitizer.
mod faults {
    use crate::planted::Control;
    use cudarc::driver::{CudaSlice, PushKernelArg};

    const CLASSES: usize = 8;
    const ITEMS: usize = 6;

    /// The invalid argument of the kernel.
    #[derive(PartialEq)]
    enum Wrong {
        Nothing,
        /// The choices have no byte for the last class.
        Short,
        /// The items are uninitialized.
        Unwritten,
    }

    /// A problem with even weights and odd capacity, values equal to weights: all items remain, and a row has 2002
    /// cells.
    fn items(control: &Control, wrong: &Wrong) -> CudaSlice<i32> {
        let stream = &control.stream;
        if *wrong == Wrong::Unwritten {
            // SAFETY: any memory content is a valid integer; leaving it unwritten is the planted error.
            return unsafe { stream.alloc(2 * CLASSES * ITEMS) }.unwrap();
        }
        let weight = |at: usize| 2 * (37 * (at % ITEMS + 1) + 11 * (at / ITEMS)) as i32;
        let items: Vec<i32> = (0..CLASSES * ITEMS).flat_map(|at| [weight(at); 2]).collect();
        stream.clone_htod(&items).unwrap()
    }

    /// Runs one problem with this PTX of the kernel.
    fn rows(ptx: &str, name: &'static str, wrong: &Wrong) {
        let control = Control::new(ptx, name);
        let stream = &control.stream;
        let (slots, list, cells) = (CLASSES * (ITEMS + 1), 14, 2008);
        let bytes = (40 * list + 12 * slots + 12 * (CLASSES + 1)).next_multiple_of(16);
        let region = CLASSES * (cells / 2 + 1);
        let records = stream.clone_htod(&[0, 0, 2001, CLASSES as i32 | 1 << 16]).unwrap();
        let sizes = stream.clone_htod(&[ITEMS as u8; CLASSES]).unwrap();
        let items = items(&control, wrong);
        let mut found = stream.alloc_zeros::<i32>(2).unwrap();
        let last = usize::from(*wrong == Wrong::Short);
        let mut picks = stream.alloc_zeros::<u8>(CLASSES - last).unwrap();
        let (full, mut beyond) =
            (stream.alloc_zeros::<i32>(2).unwrap(), stream.alloc_zeros::<i32>(2).unwrap());
        let mut store = stream.alloc_zeros::<u32>(8 * region).unwrap();
        let shared = (8 * (48 + bytes) + 4 * (cells + 8)) as u32;
        let all = 1i32;
        let [slots, classes, list, bytes, cells, region] =
            [slots, CLASSES, list, bytes, cells, region].map(|number| number as i32);
        let mut builder = stream.launch_builder(&control.function);
        builder
            .arg(&records)
            .arg(&sizes)
            .arg(&items)
            .arg(&mut found)
            .arg(&mut picks)
            .arg(&full)
            .arg(&mut beyond);
        builder
            .arg(&mut store)
            .arg(&all)
            .arg(&slots)
            .arg(&classes)
            .arg(&list)
            .arg(&bytes)
            .arg(&cells)
            .arg(&region);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(1, 256, shared)) }.map(|_| ());
        control.end(&launched);
        println!("{:?}", control.stream.clone_dtoh(&found));
    }

    const ROWS: &str = "mckp_batch_rows";
    const RIGHT: &str = include_str!("../../kernels/ptx/mckp_batch_rows.compute_70.ptx");

    /// An error planted for memcheck: the choices are a byte too short.
    pub fn out_of_bounds() {
        rows(RIGHT, ROWS, &Wrong::Short);
    }

    /// An error planted for initcheck: the items are uninitialized.
    pub fn uninitialized() {
        rows(RIGHT, ROWS, &Wrong::Unwritten);
    }

    /// An error planted for racecheck: no barrier between one thread's write and another's read.
    pub fn race() {
        rows(include_str!("planted_batch_race.compute_70.ptx"), ROWS, &Wrong::Nothing);
    }

    /// An error planted for synccheck: half of each warp skips the barriers.
    pub fn divergent_barrier() {
        let ptx = include_str!("planted_batch_barrier.compute_70.ptx");
        rows(ptx, "mckp_batch_rows_barrier", &Wrong::Nothing);
    }
}
