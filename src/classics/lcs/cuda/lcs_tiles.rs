//! Binding of `kernels/lcs/lcs_tiles.cu`: the tiles of an anti-diagonal.

use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};

const FILE: KernelFile = KernelFile { stem: "lcs_tiles", ptx: &[(70, isx_kernels::ptx("lcs_tiles", 70))] };

const NAME: &str = "lcs_tiles";

/// Rows and columns of a tile.
pub(super) const SIDE: usize = 1024;
/// Words of 64 bits for the rows, or columns, of a tile.
pub(super) const WORDS: usize = SIDE / 64;
/// Threads of a block.
const WARP: u32 = 32;

/// The arguments of every launch, in the kernel's order, except those that differ between launches. The kernel's
/// words have 32 bits, low half first.
pub(super) struct Args<'a> {
    /// Padded to whole tiles, like the columns.
    pub rows: &'a CudaSlice<u8>,
    pub columns: &'a CudaSlice<u8>,
    /// [`WORDS`] per tile of rows.
    pub bits: &'a mut CudaSlice<u64>,
    /// [`WORDS`] per tile of columns.
    pub carries: &'a mut CudaSlice<u64>,
    pub kept_columns: &'a mut CudaSlice<u64>,
    pub kept_rows: &'a mut CudaSlice<u64>,
    pub row_count: usize,
    pub column_count: usize,
    pub letters: usize,
    /// Tiles between stored rows or columns; `None` if nothing is stored.
    pub every: Option<usize>,
}

/// Words of the stored columns.
pub(super) fn column_words(row_count: usize, column_count: usize, every: usize) -> usize {
    let kept = column_count.saturating_sub(1) / (every * SIDE);
    row_count.div_ceil(every * SIDE) * kept * every * WORDS
}

/// Words of the stored rows.
pub(super) fn row_words(row_count: usize, column_count: usize, every: usize) -> usize {
    (row_count.div_ceil(every * SIDE) - 1) * column_count.div_ceil(64)
}

/// Anti-diagonals of tiles.
pub(super) fn diagonals(row_count: usize, column_count: usize) -> usize {
    (row_count.div_ceil(SIDE) + column_count.div_ceil(SIDE)).saturating_sub(1)
}

/// The tiles of rows that a diagonal crosses: the first, and how many.
pub(super) fn crossed(row_count: usize, column_count: usize, diagonal: usize) -> (usize, usize) {
    let (strips, tiles) = (row_count.div_ceil(SIDE), column_count.div_ceil(SIDE));
    let first = (diagonal + 1).saturating_sub(tiles);
    (first, strips.min(diagonal + 1) - first)
}

/// Launches a diagonal after all earlier diagonals; returns before it has finished.
pub(super) fn launch(device: &Device, args: &mut Args<'_>, diagonal: usize) -> Result<(), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: NAME, why: why.into() };
    let Args { row_count, column_count, letters, every, .. } = *args;
    if row_count == 0 || column_count == 0 || !(1..=256).contains(&letters) || every == Some(0) {
        return Err(unfit("there is nothing to compare"));
    }
    let (strips, tiles) = (row_count.div_ceil(SIDE), column_count.div_ceil(SIDE));
    let held = args.rows.len() >= strips * SIDE && args.columns.len() >= tiles * SIDE;
    let words = args.bits.len() >= strips * WORDS && args.carries.len() >= tiles * WORDS;
    let kept = every.is_none_or(|every| {
        args.kept_columns.len() >= column_words(row_count, column_count, every)
            && args.kept_rows.len() >= row_words(row_count, column_count, every)
    });
    if !held || !words || !kept || diagonal >= diagonals(row_count, column_count) {
        return Err(unfit("a buffer is shorter than the table needs"));
    }
    let narrow = |number: usize| i32::try_from(number).map_err(|_| unfit("the table has too many tiles"));
    let (first, blocks) = crossed(row_count, column_count, diagonal);
    let (diagonal, first, blocks) = (narrow(diagonal)?, narrow(first)?, narrow(blocks)?);
    let (rows, columns) = (row_count as i64, column_count as i64);
    let row_words = 2 * column_count.div_ceil(64) as i64;
    let letters = narrow(letters)?;
    let (keep, every) = (i32::from(every.is_some()), narrow(every.unwrap_or(1))?);
    let shared = letters.unsigned_abs() * 4 * WARP;
    let function = device.kernel(&FILE, NAME, shared as usize)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(args.rows).arg(args.columns).arg(&mut *args.bits).arg(&mut *args.carries);
    builder.arg(&mut *args.kept_columns).arg(&mut *args.kept_rows).arg(&rows).arg(&columns).arg(&row_words);
    builder.arg(&letters).arg(&diagonal).arg(&first).arg(&every).arg(&keep);
    let config = LaunchConfig {
        grid_dim: (blocks.unsigned_abs(), 1, 1),
        block_dim: (WARP, 1, 1),
        shared_mem_bytes: shared,
    };
    // SAFETY: arguments are in the kernel's order and of its types, words of 64 bits being two of its 32; letters,
    // bits, carries and stored rows and columns have room for the table (checked above), every block's strip and
    // tile lie in it by `crossed`, the caller's letters are below their number, and the stream orders the launches.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {NAME}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagonals_cross_every_tile_once() {
        for (rows, columns) in
            [(1usize, 1usize), (1, 5000), (5000, 1), (3000, 9000), (9000, 3000), (4096, 4097)]
        {
            let tiles = columns.div_ceil(SIDE);
            let mut crossings = vec![0; rows.div_ceil(SIDE) * tiles];
            for diagonal in 0..diagonals(rows, columns) {
                let (first, count) = crossed(rows, columns, diagonal);
                assert!(count > 0);
                for strip in first..first + count {
                    crossings[strip * tiles + (diagonal - strip)] += 1;
                }
            }
            assert!(crossings.iter().all(|&count| count == 1), "{rows} x {columns}");
        }
    }

    #[test]
    fn what_is_kept_is_a_bit_a_cell() {
        assert_eq!((column_words(SIDE, SIDE, 1), row_words(SIDE, SIDE, 1)), (0, 0));
        assert_eq!(column_words(3 * SIDE, 2 * SIDE + 1, 1), 3 * 2 * WORDS);
        assert_eq!(column_words(3 * SIDE, 4 * SIDE + 1, 2), 2 * 2 * 2 * WORDS);
        assert_eq!(row_words(3 * SIDE + 1, 65, 2), 2);
    }
}
