//! Why a document is not read: for all readers of what isx writes.

use std::io;

/// Why a file is no front that can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The file cannot be read.
    #[error("cannot read the front: {0}")]
    Read(#[source] io::Error),
    /// The file is not JSON.
    #[error("not a JSON document: {0}; give the front.json that `isx explore` wrote")]
    NotJson(String),
    /// The document has another schema.
    #[error(
        "the document's schema is `{found}`, not `{}`; give the front.json that `isx explore` wrote",
        crate::front::json::SCHEMA
    )]
    Schema {
        /// The schema it names.
        found: String,
    },
    /// A field is not what the schema wants.
    #[error("not an isx front: {0}")]
    Field(String),
    /// A field is missing.
    #[error("not an isx front: the field `{0}` is missing")]
    Missing(&'static str),
    /// A chart's fields are not what its schema wants.
    #[error("not a chart that can be drawn: {0}")]
    Chart(String),
    /// The points are not a front.
    #[error("not a front: {why} at point {index} (counted from 0)")]
    NotAFront {
        /// The first point that is wrong.
        index: usize,
        /// What is wrong.
        why: &'static str,
    },
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
