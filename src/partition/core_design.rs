//! The least area with which one core holds given tasks, and the options they take.

use crate::budget::{Budget, Stopped};
use crate::problem::{Opt, Settled, set_in};
use crate::suffixes::Suffixes;

/// The area with blocks, and for each of the tasks its option.
pub(crate) type CoreDesign = (i64, Vec<Opt>);

/// The least design of a core with these tasks; `None` if it cannot hold them with an area below `cutoff`.
pub(crate) fn core_design(
    settled: &Settled,
    tasks: &[usize],
    cutoff: i64,
    budget: &Budget,
) -> Result<Option<CoreDesign>, Stopped> {
    let options: Vec<&Vec<Opt>> = tasks.iter().map(|&task| &settled.options[task]).collect();
    let used = options.iter().flat_map(|options| options.iter()).fold(0, |mask, opt| mask | opt.blocks);
    let blocks: Vec<u64> = set_in(used).map(|at| 1 << at).collect();
    let order: Vec<usize> = (0..tasks.len()).collect();
    let mut best: Option<CoreDesign> = None;
    let mut cutoff = cutoff;
    // Sets with blocks decided up to a place; the others may be used for nothing.
    let mut open = vec![(0u64, 0usize)];
    while let Some((built, decided)) = open.pop() {
        let Some(block_area) = settled.area_of_blocks(built) else { continue };
        let allowed = built | blocks[decided..].iter().sum::<u64>();
        let within = |options: &&Vec<Opt>| -> Vec<Opt> {
            options.iter().filter(|opt| opt.blocks & !allowed == 0).copied().collect()
        };
        let options: Vec<Vec<Opt>> = options.iter().map(within).collect();
        let suffixes = Suffixes::new(&options, &order, settled.capacity, budget)?;
        let Some(area) = suffixes.area(0, settled.capacity) else { continue };
        if area + block_area >= cutoff {
            continue;
        }
        if let Some(block) = blocks.get(decided) {
            open.extend([(built, decided + 1), (built | block, decided + 1)]);
            continue;
        }
        cutoff = area + block_area;
        best = Some((cutoff, walked(&options, &suffixes, area, settled.capacity)));
    }
    Ok(best)
}

/// The options of a design of this area.
fn walked(options: &[Vec<Opt>], suffixes: &Suffixes, mut area: i64, mut room: i64) -> Vec<Opt> {
    let mut taken = Vec::with_capacity(options.len());
    for (at, options) in options.iter().enumerate() {
        let leads =
            |opt: &&Opt| suffixes.area(at + 1, room - opt.size).is_some_and(|rest| opt.area + rest <= area);
        let Some(opt) = options.iter().find(leads) else { break };
        (area, room) = (area - opt.area, room - opt.size);
        taken.push(*opt);
    }
    taken
}
