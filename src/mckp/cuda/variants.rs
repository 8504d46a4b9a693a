//! The kernels of the tiled family, compiled for several tiles.

use super::shape::Variant;

/// A kernel with a maximum number of threads and a number of cells per thread, compiled for these architectures.
macro_rules! variant {
    ($most_threads:literal, $cells:literal, $name:literal, $($compute:literal),+) => {
        Variant {
            cells: $cells,
            most_threads: $most_threads,
            file: isx_machine::kernel_file!($name; $($compute),+),
        }
    };
}
pub(super) use variant;

/// The kernels for 32-bit cells; each has its own file, which the driver compiles only when it is used.
pub(super) const NARROW: &[Variant] = &[
    variant!(1024, 4, "mckp_tiled_i32x4", 90, 70),
    variant!(1024, 8, "mckp_tiled_i32x8", 90, 70),
    variant!(512, 12, "mckp_tiled_i32x12", 90, 70),
    variant!(512, 16, "mckp_tiled_i32x16", 90, 70),
    // Measured on an H200: with 32 cells per thread, blocks of 3 warps are faster than those of 4 to 12.
    variant!(96, 32, "mckp_tiled_i32x32", 90, 70),
];

/// The kernels for 64-bit cells.
pub(super) const WIDE: &[Variant] =
    &[variant!(1024, 4, "mckp_tiled_i64x4", 90, 70), variant!(512, 8, "mckp_tiled_i64x8", 90, 70)];
