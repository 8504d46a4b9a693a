//! Tables that the wave driver sweeps on a GPU, with their choices kept there, streamed to the host, or recomputed.

use crate::harness::*;
use crate::random::Random;
use isx::engine::knapsack::{Answer, ENGINES, Wanted};
use isx::engine::{Context, EngineError, Request};
use isx::machine::{Cancel, Machine};
use isx::problem::knapsack::{Item, Knapsack};
use isx::reduce::knapsack::{Options, Reduced, reduce};
use isx_bench::knapsack::cuda::{diagonals, wave};
use isx_bench::wave::cuda::{Place, Printed, Table};
use num_bigint::BigInt;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    on_gpu(
        "waves",
        &tests![
            diagonals_are_right_wherever_their_choices_are_kept,
            random_tables_are_right_wherever_their_choices_are_kept,
            a_table_of_four_times_the_memory_has_its_items,
            a_sweep_is_called_off,
            printed_edit_distances_are_those_of_the_textbook,
        ],
    )
}

fn small(random: &mut Random) -> Reduced {
    small_of(random, &[5, 60, 4000])
}

/// A problem whose heaviest items are of one of these weights.
fn small_of(random: &mut Random, heaviest: &[u64]) -> Reduced {
    let unit = random.pick(&[1i128, 1, (1 << 40) + 1]);
    let heaviest = random.pick(heaviest);
    let item = |random: &mut Random| Item {
        profit: i128::from(random.within(1, 50)) * unit,
        weight: random.within(0, heaviest),
    };
    let items: Vec<Item> = (0..random.within(0, 40)).map(|_| item(random)).collect();
    let weight: u64 = items.iter().map(|item| item.weight).sum();
    let capacity = random.within(0, weight + 1);
    // Without dominance, so that there are more choices.
    reduce(&Knapsack { items, capacity }, Options { goal: Wanted::Best.goal(), dominance: false })
}

fn judged(problem: &Reduced, wanted: Wanted) -> Answer {
    let machine = Machine::default();
    let request = Request { problem, wanted, context: &Context::new(&machine) };
    ENGINES.judge().unwrap().engine.plan(request).and_then(|plan| plan.run()).unwrap()
}

/// An answer's items, smallest first, with their profit and weight.
fn chosen(problem: &Reduced, answer: &Answer) -> (Vec<u32>, BigInt, u64) {
    let mut chosen = Vec::new();
    answer.picks.as_ref().expect("items were asked for").write(0, &mut chosen);
    chosen.sort_unstable();
    let of = |item: &u32| problem.items[*item as usize];
    let profit: i128 = chosen.iter().map(|item| of(item).profit).sum();
    let weight = chosen.iter().map(|item| of(item).weight).sum();
    (chosen, profit.into(), weight)
}

/// The points of an answer.
fn points(answer: &Answer) -> Vec<(u64, BigInt)> {
    answer.weights.iter().enumerate().map(|(at, &weight)| (weight, answer.profits.get(at))).collect()
}

fn random_tables_are_right_wherever_their_choices_are_kept() {
    let (device, machine) = (gpu(), Machine::default());
    let context = Context::new(&machine);
    let mut random = Random(31);
    for case in 0..from_env("ISX_GPU_CASES", 300) {
        let problem = small(&mut random);
        let expected = judged(&problem, Wanted::Best);
        for place in [None, Some(Place::Device), Some(Place::Host), Some(Place::Pieces)] {
            let (answer, _) = wave(&device, &problem, Wanted::Best, &context, place).unwrap();
            let (_, profit, weight) = chosen(&problem, &answer);
            assert_eq!(points(&answer), points(&expected), "{case} {place:?}");
            assert_eq!(points(&answer), [(weight, profit)], "{case} {place:?}");
        }
        let front = judged(&problem, Wanted::AllValues);
        let (answer, swept) = wave(&device, &problem, Wanted::AllValues, &context, None).unwrap();
        assert_eq!(points(&answer), points(&front), "{case}");
        assert_eq!(swept.place, Place::Nowhere);
    }
    let all = wave(&device, &small(&mut random), Wanted::AllPicks, &context, None);
    assert!(matches!(all, Err(EngineError::Unavailable(_))));
}

fn diagonals_are_right_wherever_their_choices_are_kept() {
    let (device, machine) = (gpu(), Machine::default());
    let context = Context::new(&machine);
    let mut random = Random(33);
    // A launch for every item and unit of capacity.
    let capacity = from_env("ISX_GPU_WAVES", 40_000);
    let heaviest: &[u64] = if capacity < 40_000 { &[5, 60] } else { &[5, 60, 4000] };
    for case in 0..from_env("ISX_GPU_CASES", 300).div_ceil(3) {
        let problem = small_of(&mut random, heaviest);
        let expected = judged(&problem, Wanted::Best);
        for place in [None, Some(Place::Device), Some(Place::Host)] {
            let answer = diagonals(&device, &problem, Wanted::Best, &context, place).unwrap();
            let (_, profit, weight) = chosen(&problem, &answer);
            assert_eq!(points(&answer), points(&expected), "{case} {place:?}");
            assert_eq!(points(&answer), [(weight, profit)], "{case} {place:?}");
        }
        let front = judged(&problem, Wanted::AllValues);
        let answer = diagonals(&device, &problem, Wanted::AllValues, &context, None).unwrap();
        assert_eq!(points(&answer), points(&front), "{case}");
    }
    // Waves longer than a block, and a ring that turns round many times.
    let problem = large(1500, 1_000_000);
    let problem = Reduced { capacity, items: problem.items.iter().map(lighter).collect(), ..problem };
    let expected = judged(&problem, Wanted::Best);
    for place in [Place::Device, Place::Host] {
        let answer = diagonals(&device, &problem, Wanted::Best, &context, Some(place)).unwrap();
        let (_, profit, weight) = chosen(&problem, &answer);
        assert_eq!(points(&answer), points(&expected), "{place:?}");
        assert_eq!(points(&answer), [(weight, profit)], "{place:?}");
    }
}

/// An item of a hundredth of the weight.
fn lighter(item: &Item) -> Item {
    Item { weight: item.weight / 100, ..*item }
}

/// Items of which no reduction removes any.
fn large(items: u64, capacity: u64) -> Reduced {
    let mut random = Random(5);
    let items = (0..items).map(|_| {
        let weight = random.within(capacity / 40, capacity / 4);
        Item { profit: i128::from(weight / 1000 + random.within(0, 300)), weight }
    });
    let problem = Knapsack { items: items.collect(), capacity };
    reduce(&problem, Options { goal: Wanted::Best.goal(), dominance: false })
}

fn a_table_of_four_times_the_memory_has_its_items() {
    let capacity = from_env("ISX_GPU_CAPACITY", 20_000_000).clamp(1_000_000, 20_000_000);
    let problem = large(640, capacity);
    let bits = 640 * capacity / 8;
    let mut profits = Vec::new();
    // 80 bytes of decisions per cell of a row, up to 1.6 GB: all on the GPU; streamed through a quarter of that; and recomputed, since the host has no
    // room.
    let host = 4 << 30;
    for (device_bytes, host_bytes, place) in
        [(u64::MAX, host, Place::Device), (bits / 4, host, Place::Host), (bits / 4, bits / 2, Place::Pieces)]
    {
        let machine = Machine::default().with_gpu_memory(device_bytes).with_max_memory(host_bytes);
        let device = machine.gpu().device().unwrap();
        let (answer, swept) = wave(device, &problem, Wanted::Best, &Context::new(&machine), None).unwrap();
        assert_eq!(swept.place, place, "{swept:?}");
        assert!(swept.bytes[0] <= device_bytes && swept.bytes[1] <= host_bytes, "{swept:?}");
        let (items, profit, weight) = chosen(&problem, &answer);
        assert_eq!(answer.profits.get(0), profit);
        assert!(weight <= problem.capacity);
        println!("{place:?}: {swept:?}, solve {:?}, traceback {:?}", answer.solve, answer.traceback);
        profits.push((profit, items));
    }
    assert!(profits.windows(2).all(|pair| pair[0] == pair[1]), "{profits:?}");
    let machine = Machine::default().with_gpu_memory(5 * capacity);
    let device = machine.gpu().device().unwrap();
    let refused = wave(device, &problem, Wanted::Best, &Context::new(&machine), None);
    assert!(matches!(refused, Err(EngineError::GpuMemory { .. })), "two rows do not fit");
}

fn a_sweep_is_called_off() {
    let cancel = Cancel::default();
    let machine = Machine::default().with_cancel(cancel.clone());
    cancel.cancel();
    let found = wave(&gpu(), &large(64, 1_000_000), Wanted::Best, &Context::new(&machine), None);
    assert!(matches!(found, Err(EngineError::Cancelled)));
}

/// The edit distance, row by row as in any textbook.
fn textbook(a: &[u8], b: &[u8]) -> i32 {
    let mut row: Vec<i32> = (0..=b.len() as i32).collect();
    for (i, letter) in (1..).zip(a) {
        let mut corner = std::mem::replace(&mut row[0], i);
        for j in 1..=b.len() {
            let change = corner + i32::from(*letter != b[j - 1]);
            corner = row[j];
            row[j] = change.min(row[j] + 1).min(row[j - 1] + 1);
        }
    }
    row[b.len()]
}

fn printed_edit_distances_are_those_of_the_textbook() {
    let (device, machine) = (gpu(), Machine::default());
    let mut random = Random(32);
    for case in 0..from_env("ISX_GPU_CASES", 300) {
        let longest = random.pick(&[3u64, 40, 700]);
        let mut text = |most: u64| -> Vec<u8> {
            (0..random.within(0, most)).map(|_| random.within(0, 3u64) as u8).collect()
        };
        let (a, b) = (text(longest), text(longest));
        let kernel = Printed::edit_distance(&device, &a, &b).unwrap();
        for place in [Place::Device, Place::Host, Place::Pieces] {
            let mut table = Table::sweep(&kernel, (&machine, &device), true, Some(place), &|_| ()).unwrap();
            let distance = table.last(0..1).unwrap()[0];
            assert_eq!(distance, textbook(&a, &b), "{case} {place:?}");
            // The walk back makes as many changes.
            let (mut i, mut j, mut changes) = (a.len(), b.len(), 0);
            while i > 0 && j > 0 {
                let wave = i + j;
                let choice = table.choice(wave as u64, i - wave.saturating_sub(b.len())).unwrap();
                i -= usize::from(choice != 2);
                j -= usize::from(choice != 1);
                changes += i32::from(choice != 0 || a[i] != b[j]);
            }
            assert_eq!(changes + (i + j) as i32, distance, "{case} {place:?}");
        }
    }
}
