//! The methods of the papers that isx comes from, as they describe them, and the textbook's loops beside them. Nothing of the
//! product comes from here.
//!
//! One folder per method or family: `thesis` (techniques and float tables of B. Suri), `boyer`, `multidim` (Lemos and others),
//! and by the driver of O'Connell and Mumford (`wave`) `knapsack`, `lcs` and `tsp`. Each family has a registry; its judge is
//! the textbook's loop, with which all other engines are compared. The program `isx-papers` measures them.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// A kernel's PTX.
macro_rules! kernel_file {
    ($stem:literal) => {
        isx_machine::cuda::KernelFile {
            stem: $stem,
            ptx: &[(
                70,
                include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/../../kernels/papers/ptx/",
                    $stem,
                    ".compute_70.ptx"
                )),
            )],
        }
    };
}

pub mod answer;
pub mod boyer;
pub mod knapsack;
pub mod lcs;
pub mod multidim;
pub mod text;
pub mod thesis;
pub mod tsp;
pub mod wave;
