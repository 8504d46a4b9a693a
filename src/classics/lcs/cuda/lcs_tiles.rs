//! Binding of `kernels/lcs/lcs_tiles.cu`: strips of rows that run through columns one behind the other.

use cudarc::driver::CudaSlice;
use isx_machine::cuda::{Device, DeviceError, KernelFile, grid};
use isx_machine::{kernel_file, launch};

const FILE: KernelFile = kernel_file!("lcs_tiles"; 70);

const NAME: &str = "lcs_tiles";

/// Rows of a strip, and rows and columns of a tile.
pub(super) const SIDE: usize = 1024;
/// Words of 64 bits for the rows, or columns, of a tile.
pub(super) const WORDS: usize = SIDE / 64;
/// Words of 64 bits for the carries of the columns of a tile: of each word half are carries.
pub(super) const CARRY_WORDS: usize = SIDE / 32;
/// Numbers of the progress: the next ticket, and whether a wait was given up.
pub(super) const PROGRESS: usize = 2;
/// Threads of a block.
const WARP: u32 = 32;
/// The most strips, and the most tiles of columns, of a launch.
const MOST_TILES: usize = 1024;

/// The arguments of every launch, in the kernel's order, except those that differ between launches. The kernel's
/// words have 32 bits, low half first, except the carries.
pub(super) struct Args<'a> {
    /// Padded to whole tiles, like the columns.
    pub rows: &'a CudaSlice<u8>,
    pub columns: &'a CudaSlice<u8>,
    /// [`WORDS`] per strip.
    pub bits: &'a mut CudaSlice<u64>,
    /// [`CARRY_WORDS`] per tile of columns.
    pub carries: &'a mut CudaSlice<u64>,
    pub kept_columns: &'a mut CudaSlice<u64>,
    pub kept_rows: &'a mut CudaSlice<u64>,
    /// [`PROGRESS`] numbers.
    pub progress: &'a mut CudaSlice<u32>,
    pub row_count: usize,
    pub column_count: usize,
    pub letters: usize,
    /// Tiles between stored rows or columns; `None` if nothing is stored.
    pub every: Option<usize>,
}

/// The part of the table that a launch fills, counted in tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub first_strip: usize,
    pub strips: usize,
    pub first_tile: usize,
    pub tiles: usize,
}

/// The parts of a table, each after those above it and to its left.
pub(super) fn parts(row_count: usize, column_count: usize) -> impl Iterator<Item = Part> + Clone {
    let (strips, tiles) = (row_count.div_ceil(SIDE), column_count.div_ceil(SIDE));
    (0..strips).step_by(MOST_TILES).flat_map(move |first_strip| {
        (0..tiles).step_by(MOST_TILES).map(move |first_tile| Part {
            first_strip,
            strips: MOST_TILES.min(strips - first_strip),
            first_tile,
            tiles: MOST_TILES.min(tiles - first_tile),
        })
    })
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

/// Launches a part after all earlier parts, in which `tickets` strips ran; returns before it has finished.
pub(super) fn launch(
    device: &Device,
    args: &mut Args<'_>,
    part: Part,
    tickets: u32,
) -> Result<(), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: NAME, why: why.into() };
    let Args { row_count, column_count, letters, every, .. } = *args;
    if row_count == 0 || column_count == 0 || !(1..=256).contains(&letters) || every == Some(0) {
        return Err(unfit("there is nothing to compare"));
    }
    let (strips, tiles) = (row_count.div_ceil(SIDE), column_count.div_ceil(SIDE));
    let held = args.rows.len() >= strips * SIDE && args.columns.len() >= tiles * SIDE;
    let words = args.bits.len() >= strips * WORDS && args.carries.len() >= tiles * CARRY_WORDS;
    let kept = every.is_none_or(|every| {
        args.kept_columns.len() >= column_words(row_count, column_count, every)
            && args.kept_rows.len() >= row_words(row_count, column_count, every)
    });
    let within = part.first_strip + part.strips <= strips && part.first_tile + part.tiles <= tiles;
    if !held || !words || !kept || !within || args.progress.len() < PROGRESS {
        return Err(unfit("a buffer is shorter than the table needs"));
    }
    let narrow = |number: usize| i32::try_from(number).map_err(|_| unfit("the table has too many tiles"));
    let (first_strip, blocks) = (narrow(part.first_strip)?, narrow(part.strips)?.unsigned_abs());
    let first_column = part.first_tile * SIDE;
    let width = (part.tiles * SIDE).min(column_count - first_column) as i64;
    let first_column = first_column as i64;
    let (rows, columns) = (row_count as i64, column_count as i64);
    let row_words = 2 * column_count.div_ceil(64) as i64;
    let letters = narrow(letters)?;
    let (keep, every) = (i32::from(every.is_some()), narrow(every.unwrap_or(1))?);
    let shared = (letters.unsigned_abs() + 1) * 4 * WARP;
    // SAFETY: arguments are in the kernel's order and of its types, words of 64 bits being two of its 32; letters,
    // bits, carries and stored rows and columns have room for the table (checked above), the part lies in it, the
    // caller's letters are below their number, and the stream orders the launches. Strips wait only for strips that
    // drew an earlier ticket, so for blocks that already run.
    unsafe {
        launch!(device, FILE => NAME, grid(blocks, WARP, shared);
            args.rows, args.columns, &mut *args.bits, &mut *args.carries, &mut *args.kept_columns,
            &mut *args.kept_rows, &mut *args.progress, &rows, &columns, &row_words, &letters, &first_strip, &tickets,
            &first_column, &width, &every, &keep)
    }
}

/// Fails if a strip gave up waiting for the one above it, or never ran; `tickets` strips ran in all parts together.
pub(super) fn finished(device: &Device, args: &Args<'_>, tickets: u32) -> Result<(), DeviceError> {
    match device.download("progress", &args.progress.as_view())?[..] {
        [drawn, 0] if drawn == tickets => Ok(()),
        _ => Err(DeviceError::Unbelievable {
            kernel: NAME,
            why: "a strip gave up waiting for the one above it, or never ran".into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_hold_every_tile_once_and_after_those_above_and_to_the_left() {
        let long = MOST_TILES * SIDE;
        for (rows, columns) in [(1, 1), (1, 5000), (5000, 1), (2 * long + 1, 3 * long), (long + 1, long - 1)]
        {
            let (strips, tiles) = (rows.div_ceil(SIDE), columns.div_ceil(SIDE));
            let mut seen = vec![false; strips * tiles];
            for part in parts(rows, columns) {
                for strip in part.first_strip..part.first_strip + part.strips {
                    for tile in part.first_tile..part.first_tile + part.tiles {
                        assert!(strip == 0 || seen[(strip - 1) * tiles + tile]);
                        assert!(tile == 0 || seen[strip * tiles + tile - 1]);
                        assert!(!std::mem::replace(&mut seen[strip * tiles + tile], true));
                    }
                }
            }
            assert!(seen.iter().all(|&seen| seen), "{rows} x {columns}");
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
