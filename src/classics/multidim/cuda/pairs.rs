//! Two items per pass, on the host: the layout of each instance's table, the cells that every pass computes, and the
//! launches.
//!
//! Instances are solved in groups whose tables take a few hundred megabytes: enough cells to keep a GPU busy, and so
//! little memory that allocating it costs hardly any time. The groups use the same memory one after the other; the
//! host waits once, at the end.

use super::cell::Cell;
use super::multidim_pairs::{
    FRAME, Last, MOST_INSTANCES, OWN_ITEMS, PLACE, Pass, ROWS, RUN, TAIL, last, parts, pass,
};
use super::{Scheme, Work, chosen, chosen_words, plan};
use crate::multidim::layers::fitting_choices;
use crate::multidim::{Answer, Batch, Best, Layers, Multidim};
use cudarc::driver::CudaSlice;
use isx_engine::{Context, Engine, EngineError, Plan, Request};
use isx_machine::cuda::{Device, DeviceError, During};
use isx_problems::multidim::PerDimension;
use isx_problems::reduce::multidim::Reduced;
use std::time::{Duration, Instant};

/// More than any capacity: the weight of a missing item.
const NOWHERE: i32 = 1 << 30;
/// The cost of one choice of last items that is tried, in cells of a layer.
const CELLS_A_CHOICE: u64 = 1;
/// The cost of a part of the choices, whatever fits: a block reads the items and joins its threads' results.
const CELLS_A_PART: u64 = 3072;
const MOST_LAST: usize = 24;
/// Bytes of a group's tables, unless one instance alone takes more.
const GROUP: u64 = 512 << 20;
/// The percentage of the free memory that tables may take.
const SHARE: u64 = 90;

/// isx's own scheme: two items per pass over the cells that matter, the last items tried one by one.
pub struct Pairs;

impl Engine<Multidim> for Pairs {
    fn plan<'a>(&'a self, request: Request<'a, Multidim>) -> Result<Plan<'a, Multidim>, EngineError> {
        plan(self, request)
    }
}

impl Scheme for Pairs {
    const KERNEL: &'static str = "multidim_pairs";
    const TRAFFIC: f64 = 2.5;

    type Plan = Split;

    fn work(&self, problem: &Reduced, context: &Context) -> Work<Split> {
        let split = Split::new(problem, context.all_candidates);
        let layers = &split.layers;
        let trying = cells(split.tried, problem.items.len() - layers.swept);
        let candidates = layers.candidates().saturating_add(trying);
        Work { table: table_cells(layers), candidates, launches: passes(layers), plan: split }
    }

    fn solve<V: Cell>(
        &self,
        device: &Device,
        batch: &Batch,
        plans: &[Split],
        context: &Context,
    ) -> Result<Answer, DeviceError> {
        solve::<V>(device, batch.problems(), plans, context)
    }
}

/// Cells of the table that fits every computed layer, with rows padded to whole words of bits.
fn table_cells(layers: &Layers) -> u64 {
    let [first, second, third] = layers.last_cell().map(|cell| cell.saturating_add(1));
    first.saturating_mul(second).saturating_mul(third.div_ceil(32).saturating_mul(32))
}

/// The items that have layers, and how many choices of the others are tried at most.
pub struct Split {
    layers: Layers,
    tried: u64,
}

impl Split {
    /// All cells if every candidate is to be computed.
    fn new(problem: &Reduced, all_candidates: bool) -> Self {
        if all_candidates {
            return Self { layers: Layers::whole(problem), tried: 1 };
        }
        let tried = tried(problem);
        let layers = Layers::needed(problem, |last| Some(cells(*tried.get(last)?, last).into()));
        Self { tried: tried[problem.items.len() - layers.swept], layers }
    }
}

/// The cost of trying so many choices of the last items, in cells.
fn cells(tried: u64, last: usize) -> u64 {
    CELLS_A_CHOICE * tried + CELLS_A_PART * parts(last) as u64
}

/// For k = 0, 1, 2, .. an upper bound on the choices of the last k items that are tried: those of the last k - 8 that fit,
/// each with all choices of the other eight.
///
/// Worked instance: ten items of weight 4, capacity 4. None or one of the last two fits: of all ten 3 * 256 are tried.
fn tried(problem: &Reduced) -> Vec<u64> {
    let fitting = fitting_choices(problem);
    let tried = |last: usize| {
        let own = last.min(OWN_ITEMS);
        (fitting[last - own] as u64) << own
    };
    (0..=problem.items.len().min(MOST_LAST)).map(tried).collect()
}

/// Solves every problem.
fn solve<V: Cell>(
    device: &Device,
    problems: &[Reduced],
    plans: &[Split],
    context: &Context,
) -> Result<Answer, DeviceError> {
    let started = Instant::now();
    context.progress.begin("solving", problems.len() as u64);
    let groups = groups::<V>(plans, device.free_memory()? / 100 * SHARE)?;
    let layouts = groups
        .iter()
        .map(|range| Layout::<V>::new(&problems[range.clone()], &plans[range.clone()]))
        .collect::<Result<Vec<_>, DeviceError>>()?;
    let cells = layouts.iter().map(|layout| layout.cells).max().unwrap_or(0);
    let words = layouts.iter().map(|layout| layout.words).max().unwrap_or(0);
    let mut tables = Tables {
        even: device.unwritten::<V>("tables", cells)?,
        odd: device.unwritten::<V>("tables", cells)?,
        bits: device.unwritten::<u32>("decisions", words)?,
    };
    let mut answers = Vec::with_capacity(layouts.len());
    for layout in &layouts {
        if context.machine.is_cancelled() {
            break;
        }
        answers.push(launch(device, layout, &mut tables)?);
        context.progress.advance(layout.instances as u64);
    }
    let mut found = Vec::with_capacity(problems.len());
    for ((layout, (best, taken)), range) in layouts.iter().zip(answers).zip(groups) {
        let best = device.stream().clone_dtoh(&best).during("copying best profits from the GPU")?;
        let taken = device.stream().clone_dtoh(&taken).during("copying chosen items from the GPU")?;
        device.finish("multidim_pairs")?;
        for ((problem, best), &first) in problems[range].iter().zip(best).zip(&layout.chosen) {
            let items = problem.items.len();
            found.push(Best { profit: best.to_big(), chosen: chosen(&taken[first..], items) });
        }
    }
    let updates = plans.iter().flat_map(|split| [split.layers.candidates(), split.tried]);
    Ok(Answer {
        best: found,
        how: format!("{}, multidim_pairs", device.info().name),
        threads: 1,
        updates: updates.fold(0, u64::saturating_add),
        solve: started.elapsed(),
        traceback: Duration::ZERO,
    })
}

/// The memory that the groups share.
struct Tables<V> {
    even: CudaSlice<V>,
    odd: CudaSlice<V>,
    bits: CudaSlice<u32>,
}

/// The number of passes for these layers.
fn passes(layers: &Layers) -> usize {
    layers.swept.div_ceil(2)
}

/// Words of the bits of an instance.
fn words(layers: &Layers) -> u64 {
    (table_cells(layers) / 32).saturating_mul(2 * passes(layers) as u64)
}

/// Neighboring instances that are solved together.
fn groups<V: Cell>(plans: &[Split], free: u64) -> Result<Vec<std::ops::Range<usize>>, DeviceError> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    let mut room = 0;
    for (at, Split { layers, .. }) in plans.iter().enumerate() {
        let tables = table_cells(layers).saturating_mul(2 * size_of::<V>() as u64);
        let needed = tables.saturating_add(words(layers).saturating_mul(4));
        if needed > free {
            return Err(DeviceError::Memory { needed, free });
        }
        match groups.last_mut() {
            Some(group) if needed <= room && group.len() < MOST_INSTANCES => {
                group.end = at + 1;
                room -= needed;
            }
            _ => {
                groups.push(at..at + 1);
                room = GROUP.min(free).saturating_sub(needed);
            }
        }
    }
    Ok(groups)
}

/// The layout of a group's data, in the kernel's terms.
struct Layout<V> {
    instances: usize,
    cells: usize,
    words: usize,
    /// The most passes of any instance.
    passes: usize,
    /// The most parts of any instance's choices of last items.
    parts: usize,
    /// For every pass, the number of blocks of the instance that needs the most.
    blocks: Vec<u32>,
    places: Vec<i64>,
    frames: Vec<i32>,
    gains: Vec<V>,
    tails: Vec<i32>,
    weights: Vec<i32>,
    profits: Vec<V>,
    /// The first word of chosen bits of each instance, and the total number of words.
    chosen: Vec<usize>,
    chosen_words: usize,
}

fn unfit(why: &str) -> DeviceError {
    DeviceError::Unfit { kernel: "multidim_pairs", why: why.into() }
}

fn narrow(figures: &PerDimension) -> Result<[i32; 3], DeviceError> {
    let mut narrow = [0; 3];
    for (to, &from) in narrow.iter_mut().zip(figures) {
        *to = i32::try_from(from).map_err(|_| unfit("a capacity passes 2^30"))?;
    }
    Ok(narrow)
}

impl<V: Cell> Layout<V> {
    fn new(problems: &[Reduced], plans: &[Split]) -> Result<Self, DeviceError> {
        let passes = plans.iter().map(|split| passes(&split.layers)).max().unwrap_or(0);
        let mut layout = Self {
            instances: problems.len(),
            cells: 0,
            words: 0,
            passes,
            parts: 1,
            blocks: vec![0; passes],
            places: Vec::new(),
            frames: vec![0; passes * problems.len() * FRAME],
            gains: vec![V::zero(); passes * problems.len() * 2],
            tails: Vec::new(),
            weights: Vec::new(),
            profits: Vec::new(),
            chosen: Vec::new(),
            chosen_words: 0,
        };
        for (id, (problem, split)) in problems.iter().zip(plans).enumerate() {
            layout.add(id, problem, &split.layers)?;
        }
        Ok(layout)
    }

    fn add(&mut self, id: usize, problem: &Reduced, layers: &Layers) -> Result<(), DeviceError> {
        let [_, side1, side2] = narrow(&layers.last_cell())?.map(|last| i64::from(last) + 1);
        let table = table_cells(layers);
        let row = (side2 + 31) / 32 * 32;
        self.places.extend([self.cells as i64, self.words as i64, side1, row, table as i64 / 32, 0]);
        self.cells += table as usize;
        self.words += words(layers) as usize;
        let first_item = self.profits.len();
        for item in &problem.items {
            self.weights.extend(narrow(&item.weights)?);
            let profit = V::from_i128(item.profit);
            self.profits.push(profit.ok_or_else(|| unfit("a profit does not fit its cells"))?);
        }
        for pass in 0..passes(layers) {
            self.add_pass(id, pass, layers, first_item)?;
        }
        let last = problem.items.len() - layers.swept;
        self.parts = self.parts.max(parts(last));
        let count = |figure: usize| {
            i32::try_from(figure).map_err(|_| unfit("a group has more items than it can count"))
        };
        self.tails.extend([count(layers.swept)?, count(last)?, count(passes(layers))?]);
        self.tails.extend(narrow(&problem.capacities)?);
        self.tails.extend(narrow(&layers.last_cell())?);
        self.tails.extend([count(first_item)?, count(self.chosen_words)?, 0]);
        self.chosen.push(self.chosen_words);
        self.chosen_words += chosen_words(problem.items.len());
        debug_assert_eq!((self.places.len(), self.tails.len()), (PLACE * (id + 1), TAIL * (id + 1)));
        Ok(())
    }

    fn add_pass(
        &mut self,
        id: usize,
        pass: usize,
        layers: &Layers,
        first_item: usize,
    ) -> Result<(), DeviceError> {
        let at = 2 * pass;
        let after = layers.swept.min(at + 2);
        let (low, reach) = (layers.low[after], layers.reach[after]);
        let rows = (reach[0] - low[0] + 1) * (reach[1] - low[1] + 1);
        let columns = reach[2] / RUN - low[2] / RUN + 1;
        let blocks =
            u32::try_from(rows.div_ceil(ROWS) * columns).map_err(|_| unfit("a pass has too many cells"))?;
        self.blocks[pass] = self.blocks[pass].max(blocks);
        let item = first_item + at;
        let weights =
            |item: usize| [self.weights[3 * item], self.weights[3 * item + 1], self.weights[3 * item + 2]];
        let (first, first_gain) = (weights(item), self.profits[item]);
        let (second, second_gain) = match at + 1 < after {
            true => (weights(item + 1), self.profits[item + 1]),
            false => ([NOWHERE; 3], V::zero()),
        };
        let figures = [narrow(&low)?, narrow(&reach)?, narrow(&layers.reach[at])?, first, second];
        let frame = pass * self.instances + id;
        let to = &mut self.frames[FRAME * frame..FRAME * (frame + 1)];
        to[..15].copy_from_slice(figures.as_flattened());
        to[15] = 1;
        self.gains[2 * frame..2 * frame + 2].copy_from_slice(&[first_gain, second_gain]);
        Ok(())
    }
}

type Found<V> = (CudaSlice<V>, CudaSlice<u32>);

/// Launches all work of a group; the best profits and the chosen bits are valid once the stream has executed it.
fn launch<V: Cell>(
    device: &Device,
    layout: &Layout<V>,
    tables: &mut Tables<V>,
) -> Result<Found<V>, DeviceError> {
    let instances = layout.instances;
    let places = device.upload("where tables lie", &layout.places)?;
    let tails = device.upload("capacities", &layout.tails)?;
    let weights = device.upload("weights", &layout.weights)?;
    let profits = device.upload("profits", &layout.profits)?;
    // The driver refuses empty copies, and the kernels read nothing if there is no pass.
    let some = |frames: &[i32]| device.upload("frames", if frames.is_empty() { &[0; FRAME] } else { frames });
    let frames = some(&layout.frames)?;
    let gains =
        device.upload("gains", if layout.gains.is_empty() { &layout.profits } else { &layout.gains })?;
    // Layer 0 is the first layer that is read.
    let clearing = "clearing tables";
    device.stream().memset_zeros(&mut tables.even.slice_mut(..layout.cells)).during(clearing)?;
    for number in 0..layout.passes {
        let (from, to) = match number % 2 {
            0 => (&tables.even, &mut tables.odd),
            _ => (&tables.odd, &mut tables.even),
        };
        let mut args = Pass {
            from,
            to,
            bits: &mut tables.bits,
            places: &places,
            frames: frames.slice(number * instances * FRAME..(number + 1) * instances * FRAME),
            gains: gains.slice(number * instances * 2..(number + 1) * instances * 2),
            pass: number as i32,
        };
        pass(device, (instances, layout.blocks[number]), (layout.cells, layout.words), &mut args)?;
    }
    let tops = layout.parts * instances;
    let mut best = device.unwritten::<V>("best profits", instances)?;
    let mut chosen = device.zeros::<u32>("chosen items", layout.chosen_words)?;
    let mut args = Last {
        even: &tables.even,
        odd: &tables.odd,
        bits: &tables.bits,
        places: &places,
        frames: &frames,
        tails: &tails,
        weights: &weights,
        profits: &profits,
        tops: &mut device.unwritten::<V>("best profits", tops)?,
        by: &mut device.unwritten::<u32>("choices of last items", tops)?,
        parts: layout.parts as i32,
        instances: instances as i32,
        best: &mut best,
        chosen: &mut chosen,
    };
    last(device, layout.passes, &mut args)?;
    Ok((best, chosen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::multidim::{Item, generate};
    use isx_problems::reduce::multidim::reduce;

    fn instances(capacities: &[u64], items: u64) -> (Vec<Reduced>, Vec<Split>) {
        let recipe =
            generate::MultidimRecipe { instances: Some(9), items, capacities: capacities.to_vec(), seed: 3 };
        let problems: Vec<Reduced> =
            generate::generate_multidim(&recipe).unwrap().iter().map(reduce).collect();
        let plans = problems.iter().map(|problem| Split::new(problem, false)).collect();
        (problems, plans)
    }

    #[test]
    fn tables_and_words_of_a_group_follow_one_another() {
        let (problems, plans) = instances(&[100, 300], 21);
        let layout = Layout::<i32>::new(&problems, &plans).unwrap();
        let mut cells = 0;
        let mut words = 0;
        for (place, Split { layers, .. }) in layout.places.chunks(PLACE).zip(&plans) {
            assert_eq!((place[0], place[1]), (cells, words));
            assert!(place[3] % 32 == 0 && place[3] as u64 > layers.last_cell()[2]);
            assert_eq!(place[4] * 32, (layers.last_cell()[0] as i64 + 1) * place[2] * place[3]);
            cells += place[4] * 32;
            words += place[4] * 2 * passes(layers) as i64;
        }
        assert_eq!((layout.cells as i64, layout.words as i64), (cells, words));
        assert!(layout.passes > 1 && layout.blocks.iter().all(|&blocks| blocks > 0));
    }

    /// `initcheck` verifies that the kernel writes the cells from a layer's first one to its reach, and reads no
    /// others.
    #[test]
    fn a_pass_reads_what_the_pass_before_wrote() {
        let (problems, _) = instances(&[700, 90, 300], 31);
        let mut read = 0;
        for problem in &problems {
            // All items have a layer, so that layers begin later and later.
            let layers = Layers::needed(problem, |last| (last == 0).then_some(0));
            for at in (0..layers.swept).step_by(2) {
                let after = layers.swept.min(at + 2);
                for dimension in 0..3 {
                    let of = |item: usize| problem.items[item].weights[dimension];
                    let (first, second) = (of(at), if at + 1 < after { of(at + 1) } else { 0 });
                    let fits = |shift: &u64| *shift <= layers.reach[after][dimension];
                    for shift in [0, first, second, first + second].into_iter().filter(fits) {
                        let lowest = layers.low[after][dimension].max(shift) - shift;
                        let source = lowest.min(layers.reach[at][dimension]);
                        assert!(source >= layers.low[at][dimension], "layer {at}, dimension {dimension}");
                        read += u64::from(layers.low[at][dimension] > 0);
                    }
                }
            }
        }
        assert!(read > 100, "{read} sources of layers that do not begin at 0");
    }

    #[test]
    fn groups_keep_to_the_memory_there_is() {
        let (_, plans) = instances(&[1000, 1000], 40);
        let bytes = |Split { layers, .. }: &Split| table_cells(layers) * 8 + words(layers) * 4;
        let most = plans.iter().map(bytes).max().unwrap();
        assert_eq!(groups::<i32>(&plans, most).unwrap().len(), 9);
        assert!(matches!(
            groups::<i32>(&plans, u64::MAX).unwrap()[..],
            [std::ops::Range { start: 0, end: 9 }]
        ));
        assert!(matches!(groups::<i32>(&plans, most - 1), Err(DeviceError::Memory { .. })));
        let layers = Layers { low: vec![[0; 3]], reach: vec![[u64::MAX; 3]], swept: 0 };
        let large = Split { layers, tried: 1 };
        assert!(matches!(groups::<i64>(&[large], u64::MAX - 1), Err(DeviceError::Memory { .. })));
    }

    #[test]
    fn choices_are_counted_whose_later_items_fit() {
        let of = |capacity: u64, count: usize| {
            let items = vec![Item { profit: 1, weights: [0, 0, 4] }; count];
            let back = isx_problems::reduce::multidim::WayBack {
                origin: (0..count).collect(),
                taken: vec![],
                profit_unit: 1,
            };
            Reduced { capacities: [0, 0, capacity], items, back }
        };
        assert_eq!(tried(&of(4, 10))[7..], [128, 256, 512, 3 * 256]);
        assert_eq!(tried(&of(9, 11))[11], (1 + 3 + 3) * 256);
        let all = tried(&of(1 << 40, 40));
        assert_eq!((all.len(), all[24]), (25, 1 << 24));
        // Eight more choices take less than a table of ten cells, sixteen more do not.
        assert_eq!(Split::new(&of(9, 20), false).layers.swept, 16);
    }

    #[test]
    fn what_no_index_counts_is_refused() {
        let item = |weights| Item { profit: 1, weights };
        let problem = Reduced {
            capacities: [0, 0, 1 << 31],
            items: vec![item([0, 0, 1 << 31]), item([0, 0, 1])],
            back: isx_problems::reduce::multidim::WayBack {
                origin: vec![0, 1],
                taken: Vec::new(),
                profit_unit: 1,
            },
        };
        let plans = [Split::new(&problem, false)];
        assert!(matches!(Layout::<i32>::new(&[problem], &plans), Err(DeviceError::Unfit { .. })));
    }
}
