//! Reads the YAML of a task set in three steps, one module each: bytes to text, text to a tree of YAML nodes with
//! their locations, and the tree to a validated [`TaskSet`](crate::TaskSet).
//!
//! Every error of a file is reported, up to [`MAX_ERRORS`], each at its own location; within one task only the first.

mod cores;
mod fields;
mod hardware;
mod judge;
mod kernel;
mod keys;
mod lines;
mod modes;
mod own_documents;
mod price;
mod resources;
mod scheduling;
mod syntax;
mod task_set;
mod tree;
mod unclosed;
mod units;
mod variants;

pub use resources::as_one_area;
pub use task_set::{MAX_ERRORS, Reading};
pub use tree::{MAX_DEPTH, MAX_NODES};

/// The tools of the reader, for other documents whose errors are reported in the same way.
pub mod document {
    pub use super::fields::{Field, Fields, Least};
    pub use super::keys::{BLOCK_KEYS, CHOICE_KEYS, CORE_KEY, Keys, SET_KEYS, TASK_KEYS};
    pub use super::tree::{Node, Value, parse};
    pub use crate::diagnostics::Found;
}

#[cfg(test)]
pub use keys::{BLOCK_KEYS, CHOICE_KEYS, CORES_KEYS, SET_KEYS, TASK_KEYS, VARIANT_KEYS};

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, FileProblem, MAX_BYTES, ReadError, Source, drain, load, printable};

/// Reads a task-set file. Fails with [`ReadError::File`] if the file does not exist, cannot be opened, is a directory,
/// exceeds [`MAX_BYTES`] or is not UTF-8 text; otherwise as [`read_str`].
pub fn read_file(path: &Path) -> Result<Reading, ReadError> {
    read(&path.display().to_string(), load(path))
}

/// Reads a task set from a stream, such as standard input; `source_name` names it in messages. Fails with
/// [`ReadError::File`] if the stream fails or holds more than [`MAX_BYTES`] (reading stops one byte after that limit);
/// otherwise as [`read_bytes`].
///
/// ```
/// let stream = std::io::Cursor::new("name: demo\ntasks: [{name: fir, wcet: 2 ms, period: 10 ms}]");
/// let reading = isx_taskset::read_from("standard input", stream)?;
/// assert_eq!(reading.task_set.name, "demo");
/// # Ok::<(), isx_taskset::ReadError>(())
/// ```
pub fn read_from(source_name: &str, reader: impl Read) -> Result<Reading, ReadError> {
    read(source_name, drain(reader, Vec::new()))
}

/// Reads a task set from the bytes of a file; `source_name` names it in messages. Fails with [`ReadError::File`] if the
/// bytes are not UTF-8 text (a UTF-8 byte-order mark is accepted); otherwise as [`read_str`].
pub fn read_bytes(source_name: &str, bytes: &[u8]) -> Result<Reading, ReadError> {
    let is_too_large = bytes.len() as u64 > MAX_BYTES;
    read(source_name, if is_too_large { Err(FileProblem::TooLarge) } else { Ok(bytes.to_vec()) })
}

/// Reads a task set from its YAML text; `source_name` names the text in messages. Fails with [`ReadError::Invalid`],
/// with the location of every error, if the text is not YAML, exceeds a limit ([`MAX_DEPTH`], [`MAX_NODES`]), uses
/// anchors or several documents, or is not a valid task set. [`ReadError::File`] if it is empty or too long.
///
/// ```
/// use isx_taskset::read_str;
///
/// let reading = read_str("demo.yaml", "
/// name: demo
/// tasks:
///   - {name: fir, wcet: 2 ms, period: 10 ms, choices: [{name: mac, area: 41, saves: 0.5 ms}]}
/// ")?;
/// assert_eq!(reading.task_set.tasks[0].choices[0].wcets[0].to_string(), "3/2000");
///
/// let error = read_str("demo.yaml", "name: demo\ntasks:\n  - {name: fir, wcet: 2 ms, period: 0 ms}\n").unwrap_err();
/// assert!(error.to_string().contains("demo.yaml:3:37"));
/// # Ok::<(), isx_taskset::ReadError>(())
/// ```
pub fn read_str(source_name: &str, text: &str) -> Result<Reading, ReadError> {
    read_bytes(source_name, text.as_bytes())
}

fn read(name: &str, bytes: Result<Vec<u8>, FileProblem>) -> Result<Reading, ReadError> {
    let file_error = |problem| ReadError::File { file: printable(name), problem };
    let source = Arc::new(bytes.and_then(|bytes| Source::decode(name, bytes)).map_err(file_error)?);
    let invalid = |error: Box<Diagnostic>| ReadError::Invalid { diagnostics: vec![*error], omitted: 0 };
    own_documents::refuse_by_head(&source).map_err(invalid)?;
    let root = tree::parse(&source).map_err(invalid)?.ok_or_else(|| file_error(FileProblem::Empty))?;
    own_documents::refuse_by_key(&source, &root).map_err(invalid)?;
    task_set::read_tree(&source, &root)
}
