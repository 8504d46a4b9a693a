//! The fields of a JSON object.

use std::fmt::Display;
use std::io::{self, Write};

pub const SCHEMA: &str = "isx.solution/1";

/// The fields of a JSON object, written one after the other.
pub struct Fields<'a> {
    pub out: &'a mut dyn Write,
    pub is_first: bool,
}

impl Fields<'_> {
    /// Begins a field; the caller writes its value next.
    pub fn begin(&mut self, key: &str) -> io::Result<&mut dyn Write> {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        write!(self.out, "{comma}\n  \"{key}\": ")?;
        Ok(self.out)
    }

    /// Writes a field whose value is JSON already.
    pub fn put(&mut self, key: &str, value: impl Display) -> io::Result<()> {
        write!(self.begin(key)?, "{value}")
    }
}
