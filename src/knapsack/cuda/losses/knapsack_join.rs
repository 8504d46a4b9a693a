//! Binding of `kernels/knapsack/knapsack_join.cu`: where two sweeps meet within a capacity.

use super::cell::{BLOCK_CELLS, Cell};
use super::passes::Target;
use super::row::Row;
use isx_machine::cuda::{Device, DeviceError, KernelFile, grid};
use isx_machine::{kernel_file, launch};

const FILE: KernelFile = kernel_file!("knapsack_join"; 70);

const THREADS: u32 = 256;
const CARRIERS: u32 = 1024;
/// The most blocks that join rows.
const MOST_BLOCKS: u64 = 4096;
/// The most that capacity left over may cost.
const MOST: u64 = 1 << 62;

/// The least sum of the losses of a cell of each row and of the price of the capacity left over, and the least weight that
/// has it. If no cells meet, the answer is `None`. Fails if a launch fails.
pub(super) fn join<C: Cell>(
    device: &Device,
    front: &Row<C>,
    back: &Row<C>,
    target: Target,
    price: u64,
) -> Result<Option<(u64, u64)>, DeviceError> {
    let name = C::KERNELS.join;
    let blocks = target.blocks();
    let holds =
        |row: &Row<C>| blocks <= row.alive.len() as u64 && blocks * BLOCK_CELLS <= row.cells.len() as u64;
    let slack = target.slack.min(target.weight);
    let is_payable = price.checked_mul(slack).is_some_and(|most| most <= MOST);
    if !holds(front) || !holds(back) || !is_payable {
        return Err(DeviceError::Unfit { kernel: name, why: "the rows do not reach the capacity".into() });
    }
    let mut values = device.unwritten::<u64>("candidates of blocks", blocks as usize)?;
    let mut places = device.unwritten::<i64>("places of candidates", blocks as usize)?;
    let count = blocks.min(MOST_BLOCKS);
    let mut costs = device.unwritten::<u64>("least costs", count as usize)?;
    let mut weights = device.unwritten::<i64>("weights of least cost", count as usize)?;
    let (total, slack, blocks) = (target.weight as i64, slack as i64, blocks as i64);
    // SAFETY: arguments are in the kernels' order and of their types; both rows have cells and marks for all blocks up to
    // that of `total` (checked above), and there is a candidate for each; the cell opposite to one of these is one of
    // these; a block of threads writes its own cost and weight.
    unsafe {
        launch!(device, FILE => C::KERNELS.least, grid(count as u32, THREADS, 0);
            &back.cells, &back.alive, &total, &price, &slack, &mut values, &mut places)?;
        launch!(device, FILE => "knapsack_carry", grid(1, CARRIERS, 0);
            &mut values, &mut places, &blocks, &price, &slack)?;
        launch!(device, FILE => name, grid(count as u32, THREADS, 0);
            &front.cells, &front.alive, &back.cells, &back.alive, &values, &places, &total, &price, &slack,
            &mut costs, &mut weights)
    }?;
    let costs = device.download("least costs", &costs.slice(..))?;
    let weights = device.download("weights of least cost", &weights.slice(..))?;
    let least = costs.into_iter().zip(weights).min().filter(|&(cost, _)| cost != u64::MAX);
    let least = least.map(|(cost, weight)| (cost, weight.unsigned_abs()));
    let within = target.weight - target.slack.min(target.weight)..=target.weight;
    if let Some((_, weight)) = least.filter(|(_, weight)| !within.contains(weight)) {
        let why = format!("it found a selection of weight {weight}, which cannot be a best one");
        return Err(DeviceError::Unbelievable { kernel: name, why });
    }
    Ok(least)
}
