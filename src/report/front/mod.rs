//! A front as a document: writers for JSON, CSV, columns and Parquet, and one reader for JSON and Parquet.

pub mod blocks;
pub mod chunks;
pub mod clock;
pub mod columns;
pub mod costs;
pub mod csv;
pub mod facts;
pub mod figures;
pub mod json;
pub mod margins;
pub mod modes;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod read_json;
mod read_point;
pub mod seen;
pub mod unreadable;
pub mod wanted;
