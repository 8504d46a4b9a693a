//! The engines that rooms are about: here the product's. `isx-bench` has the same rooms test its own.

use isx::engine::Registry;
use isx::engine::{lcs, multidim};

pub static LCS: &Registry<lcs::Lcs> = &lcs::ENGINES;
pub static MULTIDIM: &Registry<multidim::Multidim> = &multidim::ENGINES;
