//! The engines under test: here the product's. `isx-bench` uses the same modules to test its own.

use isx::engine::Registry;
use isx::engine::{lcs, multidim};

pub static LCS: &Registry<lcs::Lcs> = &lcs::ENGINES;
pub static MULTIDIM: &Registry<multidim::Multidim> = &multidim::ENGINES;
