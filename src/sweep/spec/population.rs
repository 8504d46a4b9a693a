//! Where the sets come from.

use super::axis::Axis;
use isx_taskset::generate::Checked;
use sha2::Sha256;
use std::path::PathBuf;

/// Where the sets of a sweep come from.
#[derive(Clone, Debug)]
pub enum Population {
    /// They are drawn.
    Drawn {
        /// The keys of the grid.
        grid: Vec<Axis>,
        /// The keys that all points share, with their values, by name.
        recipe: Vec<(String, String)>,
    },
    /// They are read from files.
    Files {
        /// The files.
        files: Vec<SetFile>,
        /// The folder that their names start from.
        folder: PathBuf,
    },
}

/// A file of a sweep over files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetFile {
    /// Its name, from the folder of the specification.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// A combination of values of the grid.
#[derive(Clone, Debug)]
pub struct Point {
    /// The recipe as flags, which the seeds of its sets depend on.
    pub flags: String,
    /// The digest of what all seeds of the point begin with.
    pub seeds: Sha256,
    /// The recipe under each combination of paired values; empty for files.
    pub recipes: Vec<Checked>,
}
