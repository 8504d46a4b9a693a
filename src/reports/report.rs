//! The contents of a report.

use isx_exact::quantity::Rational;
use isx_text::Diagnostic;
use std::collections::BTreeMap;

/// The usual name of the area of standard cells.
pub const AREA: &str = "area";

/// What a report of a synthesis or place-and-route tool, or of a benchmark run, says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The tool in words, such as "Yosys".
    pub tool: &'static str,
    /// The families of hardware that it may be about; none if it does not show them.
    pub families: Vec<String>,
    /// The device or family that it names, if it names one.
    pub part: String,
    /// The amount of each cell type, resource row or metric, by the name in the report, without escapes.
    pub amounts: BTreeMap<String, Rational>,
    /// Rows without a valid number, each with the error that is reported if the row is requested.
    pub unread: BTreeMap<String, Box<Diagnostic>>,
    /// Whether some of its tables list only the kinds of cells that are there.
    pub is_sparse: bool,
    /// The frequency that each clock reaches, in hertz.
    pub clocks: BTreeMap<String, Rational>,
    /// Figures that are no amounts, such as cycles and times.
    pub figures: BTreeMap<String, Rational>,
}

impl Report {
    /// The amount under this very name; `None` if the report does not have it.
    /// Fails if the report has the name without a number that counts.
    pub fn row(&self, name: &str) -> Result<Option<Rational>, Box<Diagnostic>> {
        match (self.amounts.get(name), self.unread.get(name)) {
            (Some(amount), _) => Ok(Some(amount.clone())),
            (None, Some(refused)) => Err(refused.clone()),
            (None, None) => Ok(None),
        }
    }

    /// The names of all amounts, read or not.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.amounts.keys().chain(self.unread.keys()).map(String::as_str)
    }

    /// Whether a kind of cell that the report does not have is one of which there are 0.
    pub fn leaves_out(&self, name: &str) -> bool {
        let is_cell =
            || name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        self.is_sparse && if self.tool == "Yosys" { name != AREA } else { is_cell() }
    }

    /// The tool and the hardware: `Vivado for xc7a35ticsg324-1L (Xilinx 7 series)`.
    pub fn of(&self) -> String {
        let families = self.families.join(" or ");
        match (self.part.as_str(), families.as_str()) {
            ("", "") => self.tool.to_owned(),
            ("", family) => format!("{} for {family}", self.tool),
            (part, family) if part.contains(' ') || family.contains(part) || family.is_empty() => {
                format!("{} for {part}", self.tool)
            }
            (part, family) => format!("{} for {part} ({family})", self.tool),
        }
    }
}
