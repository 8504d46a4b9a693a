//! Errors of all readers of isx's own documents.

use super::head::SCHEMA;
use std::io;

/// How to get a build with Parquet.
pub const NO_PARQUET: &str =
    "this isx was built without Parquet; `cargo install --path . --features full` builds it with";

/// Why a file is not a front that can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The file cannot be read.
    #[error("cannot read the front: {0}")]
    Read(#[source] io::Error),
    /// The file is not JSON.
    #[error("not a JSON document: {0}; give the front.json that `isx explore` wrote")]
    NotJson(String),
    /// The front is a Parquet file, which this build cannot read.
    #[error("a front in Parquet; {}", NO_PARQUET)]
    NoParquet,
    /// The Parquet file is damaged, or not a front of isx.
    #[error(
        "not a front in Parquet that can be read: {0}; give the front.parquet that `isx explore --format parquet` wrote"
    )]
    Parquet(String),
    /// The document has another schema.
    #[error("{}", of_schema(found))]
    Schema {
        /// The schema that it names.
        found: String,
    },
    /// A field does not match the schema.
    #[error("not an isx front: {0}")]
    Field(String),
    /// A field is missing.
    #[error("not an isx front: the field `{0}` is missing")]
    Missing(&'static str),
    /// A chart's fields do not match its schema.
    #[error("not a chart that can be drawn: {0}")]
    Chart(String),
    /// The points do not form a front.
    #[error("not a front: {why} at point {index} (counted from 0)")]
    NotAFront {
        /// The first invalid point.
        index: usize,
        /// Why it is invalid.
        why: &'static str,
    },
}

/// The message for a schema that is not that of a front.
fn of_schema(found: &str) -> String {
    match found {
        "isx.front/1" | "isx.front/2" => {
            format!("schema {found} is of an earlier isx; explore the task set again")
        }
        _ => format!(
            "the document's schema is `{found}`, not `{}`; give the front.json that `isx explore` wrote",
            SCHEMA
        ),
    }
}

impl From<serde_json::Error> for PlotError {
    fn from(error: serde_json::Error) -> Self {
        match error.classify() {
            serde_json::error::Category::Io => Self::Read(error.into()),
            serde_json::error::Category::Syntax | serde_json::error::Category::Eof => {
                Self::NotJson(error.to_string())
            }
            serde_json::error::Category::Data => Self::Field(error.to_string()),
        }
    }
}
