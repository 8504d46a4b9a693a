//! Reads the YAML of a task set in three steps, one module each: bytes to text, text to a tree of YAML nodes with
//! their locations, and the tree to a validated [`TaskSet`](crate::TaskSet).
//!
//! Every error of a file is reported, up to [`MAX_ERRORS`](crate::MAX_ERRORS), each at its own location; within one task only the first.

mod cores;
mod fields;
mod frozen;
mod hardware;
mod judge;
mod kernel;
mod keys;
mod lines;
mod measured;
mod own_documents;
mod parts;
mod places;
mod relations;
mod resources;
mod scheduling;
mod sums;
mod syntax;
mod task_set;
mod tree;
mod unclosed;
mod units;
mod variants;

pub use measured::{Combination, Measured};
pub use resources::as_one_area;
pub use task_set::Reading;
pub use tree::{MAX_DEPTH, MAX_NODES};

/// The tools of the reader, for other documents whose errors are reported in the same way.
pub mod document {
    pub use super::fields::{Field, Fields, Least};
    pub use super::keys::{CORE_KEY, Keys, TASK_KEYS};
    pub use super::tree::{Node, Value, parse};
    pub use crate::diagnostics::Found;
}

#[cfg(test)]
pub use keys::KINDS;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use isx_exact::order;
use isx_reports::Files;

use crate::diagnostics::{FileProblem, MAX_BYTES, ReadError, Source, drain, load, printable};

/// Reads a task-set file. Fails with [`ReadError::File`] if the file does not exist, cannot be opened, is a directory,
/// exceeds [`MAX_BYTES`] or is not UTF-8 text; otherwise as [`read_str`]. Paths of reports begin at its folder.
pub fn read_file(path: &Path) -> Result<Reading, ReadError> {
    read(&path.display().to_string(), load(path), &Files::beside(path))
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
    read(source_name, drain(reader, Vec::new()), &Files::default())
}

/// Reads a task set from the bytes of a file; `source_name` names it in messages. Fails with [`ReadError::File`] if the
/// bytes are not UTF-8 text (a UTF-8 byte-order mark is accepted); otherwise as [`read_str`].
pub fn read_bytes(source_name: &str, bytes: &[u8]) -> Result<Reading, ReadError> {
    read_beside(source_name, bytes, &Files::default())
}

/// As [`read_bytes`], with a way to read the reports that the file names; [`Measured::text`] is then the text that makes
/// the set.
///
/// ```
/// use isx_reports::Files;
/// let files = Files::new(|path| match path {
///     "run.json" => Ok(br#"{"cycles": 13611}"#.to_vec()),
///     _ => Err("no such file".to_owned()),
/// });
/// let text = "name: demo\ntasks: [{name: fir, wcet: {reports: [run.json], name: cycles}, period: 20000}]\n";
/// let reading = isx_taskset::read_beside("demo.yaml", text.as_bytes(), &files)?;
/// assert_eq!(reading.task_set.tasks[0].wcets[0].to_string(), "13611");
/// let frozen = "name: demo\ntasks: [{name: fir, wcet: 13611, source: \"run.json cycles\", period: 20000}]\n";
/// assert_eq!(reading.measured.unwrap().text, frozen);
/// # Ok::<(), isx_taskset::ReadError>(())
/// ```
pub fn read_beside(source_name: &str, bytes: &[u8], files: &Files) -> Result<Reading, ReadError> {
    let is_too_large = bytes.len() as u64 > MAX_BYTES;
    read(source_name, if is_too_large { Err(FileProblem::TooLarge) } else { Ok(bytes.to_vec()) }, files)
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

fn read(name: &str, bytes: Result<Vec<u8>, FileProblem>, files: &Files) -> Result<Reading, ReadError> {
    let file_error = |problem| ReadError::File { file: printable(name), problem };
    let source = Arc::new(bytes.and_then(|bytes| Source::decode(name, bytes)).map_err(file_error)?);
    own_documents::refuse_by_head(&source)?;
    let root = tree::parse(&source)?.ok_or_else(|| file_error(FileProblem::Empty))?;
    own_documents::refuse_by_key(&source, &root)?;
    let Some((source, measured, warnings)) = frozen::frozen(&source, &root, files)? else {
        return task_set::read_tree(&source, &root);
    };
    let source = Arc::new(source);
    let root = tree::parse(&source)?.ok_or_else(|| file_error(FileProblem::Empty))?;
    let mut reading = task_set::read_tree(&source, &root)?;
    reading.warnings.extend(warnings);
    order::sort_by(&mut reading.warnings, |a, b| a.start().cmp(&b.start()));
    reading.measured = Some(Box::new(measured));
    Ok(reading)
}
