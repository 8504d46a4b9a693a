//! Where a report comes from, as far as whoever writes it knows: a front does not tell.

use serde::Serialize;

/// A file that a report was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OriginFile {
    /// Its name without the folders; `standard input` where it had none.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// Where a report comes from.
///
/// It holds no time and no machine, so that the same input gives the same report.
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
    /// The command line, where there was one.
    pub command: Option<String>,
    /// What was read.
    pub inputs: Vec<OriginFile>,
    /// The certificate that was written, if one was.
    pub certificate: Option<OriginFile>,
    /// What readers should know beside the front: notes and warnings, a sentence each.
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
