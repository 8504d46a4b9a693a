//! The text of a file: loading it, and mapping byte offsets to lines and columns.
//!
//! Files that can be rejected without parsing YAML are rejected here: a file that is missing, too large or not UTF-8
//! gets a one-line message instead of a snippet of raw bytes.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use isx_exact::quantity::printable;

/// The largest task-set file that is read, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// Why a file cannot be read as text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum FileProblem {
    #[error("no such file")]
    Missing,
    #[error("permission denied: the file cannot be read")]
    Permission,
    #[error("this is a directory, not a task-set file")]
    Directory,
    #[error("the file is larger than 64 MiB, the limit for a task set")]
    TooLarge,
    #[error("the file is empty: it holds no task set")]
    Empty,
    #[error("the file is {0} text, save it as UTF-8")]
    Encoding(&'static str),
    #[error("there is a NUL byte: this is a binary file or UTF-16 text, not UTF-8 text")]
    Nul { line: usize, column: usize },
    #[error("the bytes are not UTF-8 text: save the file as UTF-8")]
    NotUtf8 { line: usize, column: usize },
    #[error("cannot be read: {0}")]
    Io(String),
}

impl FileProblem {
    /// Line and column of the problem, both 1-based, if it has a location.
    pub fn position(&self) -> Option<(usize, usize)> {
        match *self {
            FileProblem::Nul { line, column } | FileProblem::NotUtf8 { line, column } => Some((line, column)),
            _ => None,
        }
    }
}

/// A named text; diagnostics share it to show the lines they refer to.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the file as printed, without control characters.
    pub name: String,
    /// The whole text, without its byte-order mark.
    pub text: String,
    /// The text of the file, if parts of it were replaced before reading.
    replaced: Option<Replaced>,
    /// Offsets of the line starts; computed when a location is first needed.
    lines: OnceLock<Vec<usize>>,
}

/// A text before parts of it were replaced.
#[derive(Debug, PartialEq, Eq)]
struct Replaced {
    whole: Arc<Source>,
    /// The byte ranges of each replacement and of what it replaces.
    places: Vec<(Range<usize>, Range<usize>)>,
}

/// A file's path without its folders.
pub fn without_folders(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

impl Source {
    /// Decodes a file's bytes.
    pub fn decode(name: &str, mut bytes: Vec<u8>) -> Result<Self, FileProblem> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(FileProblem::TooLarge);
        }
        // UTF-32 first: its little-endian mark starts with that of UTF-16.
        if bytes.starts_with(b"\xFF\xFE\0\0") || bytes.starts_with(b"\0\0\xFE\xFF") {
            return Err(FileProblem::Encoding("UTF-32"));
        }
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return Err(FileProblem::Encoding("UTF-16"));
        }
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
            let (line, column) = position_in_bytes(&bytes, at);
            return Err(FileProblem::Nul { line, column });
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let (line, column) = position_in_bytes(error.as_bytes(), at);
            FileProblem::NotUtf8 { line, column }
        })?;
        if text.trim().is_empty() {
            return Err(FileProblem::Empty);
        }
        Ok(Source { name: printable(name), text, replaced: None, lines: OnceLock::new() })
    }

    /// This text with some of its parts replaced, given in order and without overlap. Errors in the result are shown in
    /// this text.
    pub fn with(self: &Arc<Self>, parts: Vec<(Range<usize>, String)>) -> Self {
        let (mut text, mut end, mut places) = (String::with_capacity(self.text.len()), 0, Vec::new());
        for (place, new) in parts {
            text.push_str(self.text.get(end..place.start).unwrap_or_default());
            let start = text.len();
            text.push_str(&new);
            end = place.end;
            places.push((start..text.len(), place));
        }
        text.push_str(self.text.get(end..).unwrap_or_default());
        let replaced = Some(Replaced { whole: Arc::clone(self), places });
        Source { name: self.name.clone(), text, replaced, lines: OnceLock::new() }
    }

    /// The file's text, and where in it a byte range of this text comes from.
    pub(crate) fn origin(&self, bytes: &Range<usize>) -> (&Self, Range<usize>) {
        let Some(Replaced { whole, places }) = &self.replaced else { return (self, bytes.clone()) };
        let from = |at: usize, is_end: bool| {
            let is_before = |(new, _): &(Range<usize>, Range<usize>)| new.start + usize::from(is_end) <= at;
            match places.iter().rev().find(|place| is_before(place)) {
                None => at,
                Some((new, old)) if at < new.end + usize::from(is_end) => {
                    if is_end {
                        old.end
                    } else {
                        old.start
                    }
                }
                Some((new, old)) => old.end + (at - new.end),
            }
        };
        let start = from(bytes.start, false);
        (whole, start..if bytes.is_empty() { start } else { from(bytes.end, true).max(start) })
    }

    /// The file's name without its folders, which may be private.
    pub fn file_name(&self) -> &str {
        without_folders(&self.name)
    }

    /// Line and column of a byte offset, both 1-based; the column counts characters.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let (source, place) = self.origin(&(offset..offset));
        position_by(source.lines(), source.text.as_bytes(), place.start)
    }

    /// Line of a byte offset, 1-based.
    pub fn line(&self, offset: usize) -> usize {
        let (source, place) = self.origin(&(offset..offset));
        source.lines().partition_point(|&start| start <= place.start).max(1)
    }

    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| line_starts(self.text.as_bytes()))
    }
}

/// The bytes of a file, at most [`MAX_BYTES`].
pub fn load(path: &Path) -> Result<Vec<u8>, FileProblem> {
    let file = File::open(path).map_err(|error| file_problem(&error))?;
    let metadata = file.metadata().map_err(|error| file_problem(&error))?;
    if metadata.is_dir() {
        return Err(FileProblem::Directory);
    }
    if metadata.len() > MAX_BYTES {
        return Err(FileProblem::TooLarge);
    }
    // A pipe or device has no length, so the read itself is bounded too.
    drain(file, Vec::with_capacity(metadata.len() as usize))
}

/// Reads to the end, or to one byte beyond [`MAX_BYTES`].
pub fn drain(reader: impl Read, mut bytes: Vec<u8>) -> Result<Vec<u8>, FileProblem> {
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| file_problem(&error))?;
    if bytes.len() as u64 > MAX_BYTES { Err(FileProblem::TooLarge) } else { Ok(bytes) }
}

fn file_problem(error: &io::Error) -> FileProblem {
    match error.kind() {
        io::ErrorKind::NotFound => FileProblem::Missing,
        io::ErrorKind::PermissionDenied => FileProblem::Permission,
        io::ErrorKind::IsADirectory => FileProblem::Directory,
        _ => FileProblem::Io(error.to_string()),
    }
}

fn position_in_bytes(bytes: &[u8], offset: usize) -> (usize, usize) {
    position_by(&line_starts(bytes), bytes, offset)
}

fn position_by(starts: &[usize], bytes: &[u8], offset: usize) -> (usize, usize) {
    let offset = offset.min(bytes.len());
    let line = starts.partition_point(|&start| start <= offset).max(1);
    let start = starts.get(line - 1).copied().unwrap_or(0);
    // Continuation bytes of a UTF-8 character do not count.
    (line, bytes[start..offset].iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1)
}

/// Offsets of the line starts: YAML ends a line at LF, CR LF or CR.
fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
            starts.push(at + 1);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_part_is_placed_where_that_part_is() {
        let source = Arc::new(Source::decode("x", b"a: {old\n b}\nc: 1\n".to_vec()).unwrap());
        let other = source.with(vec![(3..11, "7\n\n".to_owned()), (16..16, "\nd: 8".to_owned())]);
        assert_eq!(other.text, "a: 7\n\n\nc: 1\nd: 8\n");
        let origin = |text: &str| {
            let at = other.text.find(text).unwrap();
            other.origin(&(at..at + text.len())).1
        };
        assert_eq!(
            [origin("a:"), origin("7"), origin("c: 1"), origin("d: 8")],
            [0..2, 3..11, 12..16, 16..16]
        );
        assert_eq!((other.line(other.text.find('c').unwrap()), other.position(3)), (3, (1, 4)));
    }

    #[test]
    fn positions_count_characters_and_every_kind_of_line_end() {
        let text = "é\r\nab\rc\nd";
        let at = |c: char| position_in_bytes(text.as_bytes(), text.find(c).unwrap());
        assert_eq!([at('é'), at('a'), at('b'), at('c'), at('d')], [(1, 1), (2, 1), (2, 2), (3, 1), (4, 1)]);
        assert_eq!(position_in_bytes("é=x".as_bytes(), 3), (1, 3));
        assert_eq!(position_in_bytes(b"", 7), (1, 1));
    }
}
