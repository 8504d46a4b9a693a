//! Sweeps: populations of task sets, drawn from a specification and measured one by one, in chunks that any number of
//! threads, processes and machines compute.
//!
//! A *point* is a combination of values of the grid; each has the same number of sets. The *record* of a set holds what
//! was asked about it, one record per value of the paired keys. It is a pure function of the specification, the point and
//! the index of the set: neither threads nor chunks, kills or machines show in it. Chunks are files of the records of
//! some sets of one point; statistics are computed from all of them by SQL.
//!
//! 1. [`spec`]: the specification, its canonical text, and the recipe and seed of every set.
//! 2. [`measure`]: the figures of one task set.
//! 3. [`record`]: what is recorded of a set, and in which columns of a Parquet file.
//! 4. [`chunk`]: the records of a chunk. [`folder`]: chunks as files.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod chunk;
pub mod folder;
pub mod measure;
pub mod record;
pub mod spec;

/// What the chunks are written with, for those who read them.
pub use parquet;
pub use record::Record;
pub use spec::{Spec, SweepError};

/// The JSON Schema of a sweep's specification.
pub const SCHEMA: &str = include_str!("sweep.schema.json");
