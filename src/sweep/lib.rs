//! Sweeps: populations of task sets, drawn from a specification and measured one by one, in chunks that any number of
//! threads, processes and machines compute.
//!
//! A *point* is a combination of values of the grid; each has the same number of sets. The *record* of a set holds what
//! was asked about it, one record per value of the paired keys. It is a pure function of the specification, the point and
//! the index of the set: neither threads nor chunks, kills or machines show in it. Chunks are files of the records of
//! some sets of one point; merged, they are one file that is the same whoever computed them.
//!
//! 1. [`spec`]: the specification, its canonical text, and the recipe and seed of every set.
//! 2. [`measure`]: the figures of one task set. `least`: its least area where utilization decides.
//! 3. [`record`]: what is recorded of a set, and in which columns. [`stored`]: records as Parquet.
//! 4. [`chunk`]: the records of a chunk. [`folder`]: chunks as files. [`merge`](mod@merge): all of them as one file.
//! 5. [`curves`]: the records of a merged file summed up, by [`statistics`]. [`report`]: as JSON, tables and pictures.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod chunk;
pub mod curves;
pub mod folder;
mod least;
pub mod measure;
pub mod merge;
pub mod record;
pub mod report;
pub mod spec;
pub mod statistics;
pub mod stored;

pub use record::Record;
pub use spec::{Spec, SweepError};

/// The JSON Schema of a sweep's specification.
pub const SCHEMA: &str = include_str!("sweep.schema.json");
