//! The origin of a report (program, command, input files), which a front does not contain.

use serde::Serialize;

/// An input file of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OriginFile {
    /// Its name without folders; `standard input` if it had none.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// Where a report comes from.
///
/// It contains neither time nor machine, so that the same input gives the same report.
///
/// ```
/// use isx_report::origin::Origin;
/// let origin = Origin::default();
/// assert!(origin.program.starts_with("isx ") && origin.command.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The program that computed, with its version; `isx` and its own by default.
    pub program: String,
    /// The command line, if there was one.
    pub command: Option<String>,
    /// The input files.
    pub inputs: Vec<OriginFile>,
    /// The certificate that was written, if one was.
    pub certificate: Option<OriginFile>,
    /// Notes and warnings for readers of the report, one sentence each.
    pub notes: Vec<String>,
}

impl Default for Origin {
    fn default() -> Self {
        Self {
            program: format!("isx {}", env!("CARGO_PKG_VERSION")),
            command: None,
            inputs: Vec::new(),
            certificate: None,
            notes: Vec::new(),
        }
    }
}
