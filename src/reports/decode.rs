//! The bytes of a file as text.

use isx_text::{FileProblem, ReadError, Source, printable};
use std::sync::Arc;

/// The largest file that is imported, in bytes.
pub const MAX_BYTES: u64 = 32 << 20;

/// Decodes a file, which must be text within the limit.
pub fn decode(name: &str, bytes: &[u8]) -> Result<Arc<Source>, ReadError> {
    let refused = |problem| ReadError::File { file: printable(name), problem };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused(FileProblem::Io("it is larger than 32 MiB, the limit for an import".into())));
    }
    // What spreadsheet programs write by themselves is a zip archive or, formerly, a compound file.
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xD0\xCF\x11\xE0") {
        return Err(refused(FileProblem::Io(
            "it is a spreadsheet or an archive, not text: save the table as CSV".into(),
        )));
    }
    Source::decode(name, bytes.to_vec()).map(Arc::new).map_err(|problem| match problem {
        FileProblem::Empty => refused(FileProblem::Io("it is empty".into())),
        problem => refused(problem),
    })
}
