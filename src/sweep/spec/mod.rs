//! The specification of a sweep: which sets, and what is asked about each.
//!
//! ```yaml
//! schema: isx.sweep/1
//! seed: 2026
//! sets_per_point: 10000
//! grid: {utilization: 0.8..2.4/0.1, tasks: [8, 16]}
//! paired: {scheduler: [edf, rm]}                     # the same sets under each
//! recipe: {choices: 4..8, savings: "correlated:0.05..0.60"}
//! measure: [min_area, breakdown]
//! budgets: [0, 500, 1000]
//! ```
//!
//! The random numbers of a set come from a seed of its own: the first eight bytes of the SHA-256 of the schema, the recipe
//! of the point as flags, the sweep's seed among them, the number of the point and that of the set. Paired values are not
//! among them, so that the same sets are measured under each.

mod axis;
mod canonical;
mod definition;
mod error;
mod files;
mod read;

pub use axis::{Axis, Numbers};
pub use canonical::SCHEMA_NAME;
pub use definition::{Asked, MEASURES, SETS_PER_CHUNK, SetFile, Spec};
pub use error::SweepError;
pub use files::sha256;

use std::path::Path;

impl Spec {
    /// Reads a specification; `name` names it in messages, and files are named from `folder`.
    /// Fails if it is not a valid specification, or one of its files cannot be read.
    pub fn read(name: &str, bytes: &[u8], folder: &Path) -> Result<Self, SweepError> {
        read::read(name, bytes, folder)
    }
}
