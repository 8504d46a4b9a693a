//! The 0-1 knapsack engines on a GPU, compared with the reference engine and a plain CPU table.

use crate::harness::*;
use crate::knapsack_cases::*;
use crate::random::Random;
use isx::engine::knapsack::Wanted;
use isx::engine::knapsack::cuda::{Found, Options, Width, best, front};
use isx::engine::{Context, EngineError};
use isx::machine::Machine;
use isx::machine::cuda::Device;
use isx::problem::knapsack::{Item, Knapsack};
use isx::reduce::knapsack::{Goal, Reduced};

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "knapsack",
        &tests![
            small_random_instances_equal_the_reference,
            heavy_and_light_items_together_equal_a_plain_table,
            losses_between_two_widths_fit_the_narrower_or_are_swept_again,
            profits_beyond_32_bits_are_right_or_refused,
            a_large_instance_is_the_same_in_another_order_and_cell_form,
        ],
    );
    trials.extend(if_asked(
        "knapsack",
        &tests![faults::out_of_bounds, faults::uninitialized, faults::race, faults::divergent_barrier,],
    ));
    trials
}

const WIDTHS: [Width; 3] = [Width::W16, Width::W32, Width::W64];

/// Any sweep method.
fn random_options(random: &mut Random) -> Options {
    Options {
        at_least: random.pick(&WIDTHS),
        heaviest_first: random.one_in(2),
        most_decisions: random.pick(&[u64::MAX, u64::MAX, 40_000, 2_000, 0]),
    }
}

fn best_of(device: &Device, problem: &Reduced, options: &Options) -> Result<Found, EngineError> {
    let machine = Machine::default();
    best(device, None, &problem.items, problem.capacity, true, &Context::new(&machine), options)
}

fn front_of(device: &Device, problem: &Reduced, options: &Options) -> Found {
    let machine = Machine::default();
    front(device, &problem.items, problem.capacity, true, &Context::new(&machine), options)
        .expect("it solves")
}

fn small_random_instances_equal_the_reference() {
    let device = gpu();
    let mut random = Random(1);
    let (mut compared, cases) = (0u64, from_env("ISX_GPU_CASES", 20_000));
    for case in 0..cases {
        let problem = small_instance(&mut random);
        let options = random_options(&mut random);
        let what = format!("case {case}, {options:?}, {problem:?}");
        let dominance = random.one_in(2);
        let one = reduced(&problem, Goal::OneCapacity, dominance);
        let judge = reference(&one, Wanted::Best);
        let found = best_of(&device, &one, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
        let first = assert_first(&one, &found, &what);
        assert_eq!(first, (profit_at(&judge, 0), judge.weights[0]), "{what}");
        compared += 1;
        if case % 4 == 0 {
            let all = reduced(&problem, Goal::AllCapacities, dominance);
            assert_same_front(&all, &front_of(&device, &all, &options), &what);
            compared += 1;
        }
    }
    assert!(compared > cases, "{compared} answers compared over {cases} cases");
    println!("{compared} answers compared");
}

fn assert_same_front(problem: &Reduced, found: &Found, what: &str) {
    let judge = reference(problem, Wanted::AllValues);
    assert_eq!(found.weights, judge.weights, "{what}: weights");
    let picks = found.picks.as_ref().expect("items were wanted");
    let mut chosen = vec![77];
    for (point, &profit) in found.profits.iter().enumerate() {
        assert_eq!(profit, profit_at(&judge, point), "{what}: point {point}");
        picks.write(point, &mut chosen);
        assert_worth(&problem.items, problem.capacity, &chosen, (found.weights[point], profit), what);
    }
}

/// The most profit within the capacity, and the least weight that brings it.
fn plain_table(problem: &Reduced) -> (i128, u64) {
    let mut row = vec![0i128; problem.capacity as usize + 1];
    for item in &problem.items {
        let weight = item.weight as usize;
        for cell in (weight..row.len()).rev() {
            row[cell] = row[cell].max(row[cell - weight] + item.profit);
        }
    }
    let most = row[row.len() - 1];
    (most, row.partition_point(|&profit| profit < most) as u64)
}

fn heavy_and_light_items_together_equal_a_plain_table() {
    let device = gpu();
    let mut random = Random(2);
    for case in 0..from_env("ISX_GPU_CASES", 20_000).div_ceil(50) {
        let problem = mixed_instance(&mut random);
        let problem = reduced(&problem, Goal::OneCapacity, random.one_in(2));
        let judge = plain_table(&problem);
        for _ in 0..2 {
            let options = random_options(&mut random);
            let what = format!("case {case}, {options:?}, {problem:?}");
            let found =
                best_of(&device, &problem, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(assert_first(&problem, &found, &what), judge, "{what}");
        }
        if case % 16 == 0 {
            let all = reduced(&mixed_instance(&mut random), Goal::AllCapacities, true);
            let found = front_of(&device, &all, &random_options(&mut random));
            assert_same_front(&all, &found, &format!("case {case}"));
        }
    }
}

fn losses_between_two_widths_fit_the_narrower_or_are_swept_again() {
    let device = gpu();
    let mut random = Random(6);
    let mut widths = [0; 2];
    for case in 0..from_env("ISX_GPU_CASES", 20_000).div_ceil(200).max(4) {
        // All losses are 65,535 to 131,070 together; those of a best selection are fewer, or about 90,000 of each.
        let dear = case % 2 == 0;
        let item = |random: &mut Random| {
            let weight = random.within(2_000, 30_000);
            let more = if dear { weight / 2 + random.within(0, 50) } else { random.within(0, 6_000) };
            Item { profit: i128::from(weight + more), weight }
        };
        let items = (0..30).map(|_| item(&mut random)).collect();
        let problem = reduced(&Knapsack { items, capacity: 180_000 }, Goal::OneCapacity, true);
        let options = Options { at_least: Width::W16, ..random_options(&mut random) };
        let what = format!("case {case}, {options:?}, {problem:?}");
        let found = best_of(&device, &problem, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(assert_first(&problem, &found, &what), plain_table(&problem), "{what}");
        widths[usize::from(found.width > Width::W16)] += 1;
    }
    assert!(widths.iter().all(|&seen| seen > 0), "{widths:?}");
}

fn profits_beyond_32_bits_are_right_or_refused() {
    let device = gpu();
    let mut random = Random(3);
    let (mut solved, mut refused) = (0, 0);
    for case in 0..from_env("ISX_GPU_CASES", 20_000).div_ceil(100) {
        let bits = [40, 31, 55, 60, 70, 119][case as usize % 6];
        let weight_bits = random.pick(&[4u32, 12]);
        let item = |random: &mut Random| Item {
            profit: random.within(1i128 << (bits - 1), 1 << bits),
            weight: random.within(1, 1 << weight_bits),
        };
        let items: Vec<Item> = (0..random.within(2, 14)).map(|_| item(&mut random)).collect();
        let weight: u64 = items.iter().map(|item| item.weight).sum();
        let problem = Knapsack { items, capacity: weight / 2 };
        let problem = reduced(&problem, Goal::OneCapacity, true);
        let what = format!("case {case}, {problem:?}");
        match best_of(&device, &problem, &random_options(&mut random)) {
            Ok(found) => {
                assert_eq!(assert_first(&problem, &found, &what), plain_table(&problem), "{what}");
                solved += 1;
            }
            Err(EngineError::Arithmetic(_)) => refused += 1,
            Err(error) => panic!("{what}: {error}"),
        }
    }
    assert!(solved > 0, "nothing was solved");
    println!("{solved} solved, {refused} refused");
}

/// An instance after J. Jooken, P. Leyman, P. De Causmaecker, "A new class of hard problem instances for the 0-1
/// knapsack problem", EJOR 2022: groups of items of about a half, a quarter, an eighth .. of the capacity, and light
/// ones.
fn jooken(random: &mut Random, items: u64, capacity: u64, groups: u32, small: u64) -> Knapsack {
    let light = items / 10;
    let a_group = (items - light) / u64::from(groups - 1);
    let mut all = Vec::new();
    let mut some = |count: u64, least: u64| {
        for _ in 0..count {
            let profit = i128::from(least) + random.within(1, i128::from(small));
            all.push(Item { profit, weight: least + random.within(1, small) });
        }
    };
    for group in 1..groups {
        some(a_group, (capacity >> group) + capacity / 100_000);
    }
    some(items - a_group * u64::from(groups - 1), 0);
    Knapsack { items: all, capacity }
}

fn a_large_instance_is_the_same_in_another_order_and_cell_form() {
    let device = gpu();
    let capacity = from_env("ISX_GPU_CAPACITY", 100_000_000);
    let problem = jooken(&mut Random(4), 400, capacity, 10, 100);
    let problem = reduced(&problem, Goal::OneCapacity, true);
    let default = Options::default();
    let other = Options { at_least: Width::W32, heaviest_first: false, ..default };
    let halved = Options { most_decisions: capacity / 8 * 20, ..default };
    let mut points = Vec::new();
    for options in [default, other, halved] {
        let what = format!("{options:?}");
        let found = best_of(&device, &problem, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
        println!(
            "{what}: {} in {} items, {:?} and {:?}, {:?}, {} GB",
            found.profits[0],
            problem.items.len(),
            found.solve,
            found.traceback,
            found.width,
            found.bytes / 1_000_000_000
        );
        points.push(assert_first(&problem, &found, &what));
    }
    assert!(points.iter().all(|point| *point == points[0]), "{points:?}");
}

/// Errors planted in the kernels of this family, one per tool of compute-sanitizer.
mod faults {
    use crate::planted::Control;
    use cudarc::driver::PushKernelArg;
    use cudarc::driver::sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;

    const ENDS: &str = include_str!("../../kernels/ptx/knapsack_ends.compute_70.ptx");

    /// Cells of a block.
    const CELLS: usize = 4096;

    /// An error planted for memcheck: the row is a cell too short.
    pub fn out_of_bounds() {
        let control = Control::new(ENDS, "knapsack_start_u32");
        let mut row = control.stream.alloc_zeros::<u32>(CELLS - 1).unwrap();
        let mut alive = control.stream.alloc_zeros::<u8>(1).unwrap();
        let (count, price) = (0i64, 0u32);
        let mut builder = control.stream.launch_builder(&control.function);
        builder.arg(&mut row).arg(&mut alive).arg(&count).arg(&price);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(1, 256, 0)) }.map(|_| ());
        control.end(&launched);
    }

    /// An error planted for initcheck: the last cell of a row that is read is uninitialized (only one, since each reported
    /// read takes milliseconds).
    pub fn uninitialized() {
        let control = Control::new(ENDS, "knapsack_meet_u32");
        // SAFETY: any memory content is a valid integer; leaving it unwritten is the planted error.
        let mut front = unsafe { control.stream.alloc::<u32>(CELLS) }.unwrap();
        control.stream.memset_zeros(&mut front.slice_mut(..CELLS - 1)).unwrap();
        let alive = control.stream.clone_htod(&[1u8]).unwrap();
        let nothing = 0u64;
        let (total, price, from, end) = (CELLS as i64, 0u64, 0i64, CELLS as i64);
        let mut losses = control.stream.alloc_zeros::<u64>(1).unwrap();
        let mut cells = control.stream.alloc_zeros::<i64>(1).unwrap();
        let mut builder = control.stream.launch_builder(&control.function);
        builder
            .arg(&front)
            .arg(&alive)
            .arg(&nothing)
            .arg(&nothing)
            .arg(&total)
            .arg(&price)
            .arg(&from)
            .arg(&end);
        builder.arg(&mut losses).arg(&mut cells);
        // SAFETY: as above.
        let launched = unsafe { builder.launch(Control::grid(1, 256, 0)) }.map(|_| ());
        control.end(&launched);
    }

    /// Sixteen items over 40,000 cells by a kernel with modified barriers.
    fn boyer(ptx: &str) {
        let control = Control::new(ptx, "knapsack_boyer_tile");
        let shared = 96 << 10;
        control.function.set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared).unwrap();
        let cells = 40_000;
        let previous = control.stream.alloc_zeros::<i32>(cells).unwrap();
        let mut next = control.stream.alloc_zeros::<i32>(cells).unwrap();
        let mut words = control.stream.alloc_zeros::<u32>(cells).unwrap();
        let items: Vec<i64> = (0..16).flat_map(|at| [100 + at, 150 + at]).collect();
        let items = control.stream.clone_htod(&items).unwrap();
        let (count, shift, lower, upper, last, total) = (16i32, 0i32, 0i64, 39_999i64, 39_999i64, 0i32);
        let mut builder = control.stream.launch_builder(&control.function);
        builder.arg(&previous).arg(&mut next).arg(&mut words).arg(&items).arg(&count).arg(&shift);
        builder.arg(&lower).arg(&upper).arg(&last).arg(&total);
        // SAFETY: this is deliberately unsafe, and is run only under a tool that must report it.
        let launched = unsafe { builder.launch(Control::grid(3, 1024, shared as u32)) }.map(|_| ());
        control.end(&launched);
    }

    /// An error planted for racecheck: no barrier between one thread's write and another's read.
    pub fn race() {
        boyer(include_str!("planted_knapsack_race.compute_70.ptx"));
    }

    /// An error planted for synccheck: half of each warp skips the barriers.
    pub fn divergent_barrier() {
        boyer(include_str!("planted_knapsack_barrier.compute_70.ptx"));
    }
}
