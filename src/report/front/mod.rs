//! A front as a document: writers for JSON, CSV, columns and Parquet, and one reader for JSON and Parquet.

pub(crate) mod blocks;
pub(crate) mod chunks;
pub(crate) mod clock;
pub mod columns;
pub(crate) mod costs;
pub mod csv;
pub(crate) mod facts;
pub(crate) mod figures;
pub mod json;
pub(crate) mod margins;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod read_json;
mod read_point;
pub(crate) mod seen;
pub(crate) mod unreadable;
pub(crate) mod wanted;
