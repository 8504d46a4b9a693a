//! Tables that the wave driver sweeps on a GPU, with their choices kept there, or streamed to the host.

use crate::harness::*;
use crate::random::Random;
use isx::engine::knapsack::{Answer, ENGINES, Wanted};
use isx::engine::{Context, EngineError, Request};
use isx::machine::{Cancel, Machine};
use isx::problem::knapsack::{Item, Knapsack};
use isx::reduce::knapsack::{Options, Reduced, reduce};
use isx_papers::knapsack::cuda::wave;
use isx_papers::wave::cuda::Place;
use num_bigint::BigInt;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    on_gpu(
        "waves",
        &tests![
            random_tables_are_right_wherever_their_choices_are_kept,
            a_table_of_four_times_the_memory_has_its_items,
            a_sweep_is_called_off,
        ],
    )
}

fn small(random: &mut Random) -> Reduced {
    let unit = random.pick(&[1i128, (1 << 20) + 1]);
    let heaviest = random.pick(&[5u64, 60, 4000]);
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
        for place in [None, Some(Place::Device), Some(Place::Host)] {
            let (answer, ..) = wave(&device, &problem, Wanted::Best, &context, place).unwrap();
            let (_, profit, weight) = chosen(&problem, &answer);
            assert_eq!(points(&answer), points(&expected), "{case} {place:?}");
            assert_eq!(points(&answer), [(weight, profit)], "{case} {place:?}");
        }
        let front = judged(&problem, Wanted::AllValues);
        let (answer, place, _) = wave(&device, &problem, Wanted::AllValues, &context, None).unwrap();
        assert_eq!(points(&answer), points(&front), "{case}");
        assert_eq!(place, Place::Nowhere);
    }
    let all = wave(&device, &small(&mut random), Wanted::AllPicks, &context, None);
    assert!(matches!(all, Err(EngineError::Unavailable(_))));
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
    // 80 bytes of decisions per cell of a row, up to 1.6 GB: all on the GPU, and streamed through a quarter of that.
    let host = 4 << 30;
    for (device_bytes, host_bytes, place) in [(u64::MAX, host, Place::Device), (bits / 4, host, Place::Host)]
    {
        let machine = Machine::default().with_gpu_memory(device_bytes).with_max_memory(host_bytes);
        let device = machine.gpu().device().unwrap();
        let (answer, found, bytes) =
            wave(device, &problem, Wanted::Best, &Context::new(&machine), None).unwrap();
        assert_eq!(found, place);
        assert!(bytes[0] <= device_bytes && bytes[1] <= host_bytes, "{bytes:?}");
        let (items, profit, weight) = chosen(&problem, &answer);
        assert_eq!(answer.profits.get(0), profit);
        assert!(weight <= problem.capacity);
        println!("{place:?}: {bytes:?}, solve {:?}, traceback {:?}", answer.solve, answer.traceback);
        profits.push((profit, items));
    }
    assert!(profits.windows(2).all(|pair| pair[0] == pair[1]), "{profits:?}");
    let refused = |machine: Machine| {
        let device = machine.gpu().device().unwrap();
        wave(device, &problem, Wanted::Best, &Context::new(&machine), None).err()
    };
    let rows = refused(Machine::default().with_gpu_memory(5 * capacity));
    assert!(matches!(rows, Some(EngineError::GpuMemory { .. })), "two rows do not fit");
    let nowhere = refused(Machine::default().with_gpu_memory(bits / 4).with_max_memory(bits / 2));
    assert!(matches!(nowhere, Some(EngineError::Memory(_))), "the host has no room for the choices");
}

fn a_sweep_is_called_off() {
    let cancel = Cancel::default();
    let machine = Machine::default().with_cancel(cancel.clone());
    cancel.cancel();
    let found = wave(&gpu(), &large(64, 1_000_000), Wanted::Best, &Context::new(&machine), None);
    assert!(matches!(found, Err(EngineError::Cancelled)));
}
