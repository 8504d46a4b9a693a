//! The shortest tour.

use super::number::joined;
use super::{Answer, Fields};
use isx_problems::tsp::Claim;
use serde_json::json;
use std::io::{self, Write};

/// A shortest tour.
#[derive(Clone, Copy, Debug)]
pub struct Tour<'a> {
    /// Length and tour.
    pub claim: &'a Claim,
    /// The cities' numbers in their file.
    pub numbers: &'a [u64],
}

impl Tour<'_> {
    /// The tour in the numbers of the file.
    fn tour(&self, between: &str) -> String {
        joined(self.claim.tour.iter().map(|&city| self.numbers[city]), between)
    }
}

/// `picks` is the tour in cities numbered from 0 in file order, `tour` the same tour in the file's own numbers.
impl Answer for Tour<'_> {
    fn problem(&self) -> &'static str {
        "tsp"
    }

    fn is_on_one_line(&self) -> bool {
        true
    }

    fn write_fields(&self, fields: &mut Fields<'_>) -> io::Result<()> {
        fields.put("value", json!(self.claim.length.to_string()))?;
        fields.put("weight", "null")?;
        fields.put("picks", format_args!("[{}]", joined(self.claim.tour.iter(), ",")))?;
        fields.put("tour", format_args!("[{}]", self.tour(",")))
    }

    fn line(&self) -> String {
        format!("length {}, tour {}", self.claim.length, self.tour(" "))
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "length     {}", self.claim.length)?;
        writeln!(out, "tour       {}", self.tour(" "))
    }
}
