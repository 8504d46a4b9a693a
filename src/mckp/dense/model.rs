//! The engine's cost model.
//!
//! A layer without bounds takes as long as its candidates at the rate of the instruction set. A layer with bounds takes
//! a fixed time per cell, since the bounds leave few of a large class's items to try. (How few depends on the values;
//! the constant lies between what strongly and weakly correlated values take.) Allocating memory takes a fixed time per
//! byte, and tracing the items back a fixed time per cell.

use super::memory::{Memory, layers_computed};
use super::row::STRIP;
use super::settings::Settings;
use crate::Wanted;
use isx_machine::cpu::lanes::Isa;
use isx_machine::cpu::{LARGE_PAGE, Workers, providing_seconds, shared_seconds, start_seconds};
use isx_machine::rates;
use isx_problems::reduce::mckp::Reduced;
use isx_problems::value::Value;

/// Bytes of the shortest row that fits no cache.
const BEYOND_CACHES: f64 = 16e6;
/// Several threads are used if they are expected to need less than this share of one thread's time: the other cores
/// may be busy with other work.
const WORTH: f64 = 0.85;

/// Seconds per candidate of 32-bit or 64-bit cells.
fn candidate(isa: Isa, cell: usize) -> f64 {
    let slower_than_avx512 = match isa {
        Isa::Avx512 => 1.0,
        Isa::Avx2 => 48.0 / 36.0,
        Isa::Neon => 48.0 / 12.0,
        Isa::Portable => 48.0 / 4.0,
    };
    let of_32_bits = rates::MCKP_CANDIDATE * slower_than_avx512;
    if cell == 4 { of_32_bits } else { of_32_bits / 0.45 }
}

/// Expected seconds of one thread.
#[derive(Clone, Debug)]
pub struct Model {
    /// For each layer.
    pub layers: Vec<LayerSeconds>,
    /// To prepare the items.
    prepare: f64,
    /// To allocate the rows, and their number of pages.
    memory: (f64, f64),
    /// To read the front from the last row, and the row's number of strips.
    front: (f64, f64),
    /// For any problem.
    fixed: f64,
    /// How often a layer is computed, on average.
    times: f64,
}

/// Expected seconds of one thread for a layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerSeconds {
    /// To compute its row.
    pub forward: f64,
    /// To find the items of all its cells.
    pub back: f64,
    strips: f64,
}

impl Model {
    /// For a problem whose tables are stored as `memory` says.
    pub fn new<V: Value>(problem: &Reduced<V>, wanted: Wanted, memory: Memory, settings: &Settings) -> Self {
        let reach = problem.reach();
        let candidate = candidate(settings.isa(), size_of::<V>());
        let layer = |(class, &reach): (&isx_problems::reduce::mckp::Class<V>, &u64)| {
            LayerSeconds::new(class.items.len(), reach, size_of::<V>(), candidate, settings)
        };
        let layers: Vec<_> = problem.classes.iter().zip(&reach).map(layer).collect();
        let count = layers.len().max(1);
        let times = match wanted {
            Wanted::Values => 1.0,
            _ => layers_computed(count, memory.rows.max(1)) as f64 / count as f64,
        };
        let cells: f64 = reach.iter().map(|&reach| reach as f64 + 1.0).sum();
        let bytes = cells * size_of::<V>() as f64 * (memory.rows as f64 / count as f64).min(1.0);
        let items: usize = problem.classes.iter().map(|class| class.items.len()).sum();
        let last = reach.last().copied().unwrap_or(0) as f64 + 1.0;
        Self {
            layers: if wanted == Wanted::AllPicks {
                layers
            } else {
                layers.into_iter().map(LayerSeconds::one_way).collect()
            },
            prepare: items as f64 * rates::MCKP_PREPARED_ITEM,
            memory: (providing_seconds(bytes), bytes / LARGE_PAGE as f64),
            front: (last * rates::MCKP_FRONT_CELL, last / STRIP as f64),
            fixed: rates::MCKP_PROBLEM,
            times,
        }
    }

    /// The number of threads worth using, at most those allowed, and the expected seconds with them.
    pub fn worth(&self, workers: &Workers) -> (usize, f64) {
        let threads = workers.threads();
        let alone = self.seconds(1);
        let shared = self.seconds(threads) + start_seconds(workers);
        if threads > 1 && shared < WORTH * alone { (threads, shared) } else { (1, alone) }
    }

    /// Seconds that `threads` threads need once they are started.
    fn seconds(&self, threads: usize) -> f64 {
        let shared = |seconds: f64, jobs: f64| shared_seconds(seconds, jobs, threads);
        let layer = |layer: &LayerSeconds| {
            self.times * shared(layer.forward, layer.strips) + shared(layer.back, layer.strips)
        };
        self.fixed
            + self.layers.iter().map(layer).sum::<f64>()
            + shared(self.prepare, self.layers.len() as f64)
            + shared(self.memory.0, self.memory.1)
            + shared(self.front.0, self.front.1)
    }
}

impl LayerSeconds {
    /// For a class of `items` items, with cells of `cell` bytes up to `reach`.
    fn new(items: usize, reach: u64, cell: usize, candidate: f64, settings: &Settings) -> Self {
        let (count, cells) = (items as f64, reach as f64 + 1.0);
        let strips = (cells / STRIP as f64).ceil();
        let from_memory =
            if cells * cell as f64 > BEYOND_CACHES { cells * rates::MCKP_FAR_CELL } else { 0.0 };
        if items >= settings.bound_from {
            let fixed = from_memory
                + strips * (rates::MCKP_STRIP + count * rates::MCKP_PRICE)
                // However loose the bounds are, no more candidates are tried than without them.
                + rates::MCKP_BOUNDED_LAYER.min(cells * (count - 1.0) * candidate);
            return Self {
                forward: fixed + cells * rates::MCKP_BOUNDED_CELL,
                back: fixed + cells * rates::MCKP_TRACED_BOUNDED_CELL,
                strips,
            };
        }
        let fixed = from_memory + strips * rates::MCKP_STRIP;
        Self {
            forward: fixed + cells * (rates::MCKP_CELL + (count - 1.0) * candidate),
            // As many items are tried as it takes to find the one.
            back: fixed + cells * (rates::MCKP_TRACED_CELL + (count - 1.0) * candidate / 2.0),
            strips,
        }
    }

    /// The cost without a traceback.
    fn one_way(self) -> Self {
        Self { back: 0.0, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::mckp::{Choice, Item, Mckp};
    use isx_problems::reduce::mckp::{Options, Tiered, reduce};

    fn problem(classes: u64, items: u64, capacity: u64) -> Reduced<i32> {
        let class = |class: u64| -> Vec<Item<i64>> {
            let item = |at: u64| Item { value: (at + class) as i64, weight: at * 13 };
            (1..=items).map(item).collect()
        };
        let problem = Mckp { classes: (0..classes).map(class).collect(), capacity, choice: Choice::Optional };
        let options = Options { raw: true, ..Options::default() };
        let Ok(Tiered::I32(reduced)) = reduce(&problem, options) else { panic!("small values") };
        reduced
    }

    fn model(problem: &Reduced<i32>, wanted: Wanted) -> Model {
        let memory = Memory::plan(problem, wanted, 16, u64::MAX);
        Model::new(problem, wanted, memory, &Settings::AUTO)
    }

    #[test]
    fn more_work_is_expected_to_take_longer() {
        let seconds =
            |classes, items, capacity, wanted| model(&problem(classes, items, capacity), wanted).seconds(1);
        // Of fewer cells fixed costs are most of the time.
        let small = seconds(10, 20, 20_000, Wanted::Values);
        assert!(seconds(20, 20, 20_000, Wanted::Values) > 1.5 * small);
        let large = seconds(20, 20, 100_000, Wanted::Values);
        assert!(seconds(200, 20, 100_000, Wanted::Values) > 5.0 * large);
        assert!(seconds(20, 20, 100_000, Wanted::AllPicks) > 1.5 * large);
        assert!(seconds(1, 1, 0, Wanted::Values) < 2.0 * rates::MCKP_PROBLEM);
    }

    #[test]
    fn threads_are_used_where_they_save_time_and_nowhere_else() {
        assert_eq!(model(&problem(5, 20, 2000), Wanted::AllPicks).worth(&Workers::new(16)).0, 1);
        let large = model(&problem(100, 200, 200_000), Wanted::AllPicks);
        let (threads, seconds) = large.worth(&Workers::new(16));
        assert_eq!(threads, 16);
        assert!(seconds < large.worth(&Workers::new(1)).1 / 3.0);
        assert_eq!(large.worth(&Workers::new(1)).0, 1);
    }
}
