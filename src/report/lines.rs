//! JSON documents, one per line, each with the name of its input file.

use serde_json::Value;
use std::io::{self, Write};

/// Writes a JSON object on one line, with the file's name and these other keys before those of the document.
///
/// ```
/// use std::io::Write;
/// let mut out = Vec::new();
/// let write = &mut |line: &mut dyn Write| writeln!(line, "{{\n  \"value\": [\n    1\n  ]\n}}");
/// isx_report::lines::write("a.txt", &[], &mut out, write).unwrap();
/// assert_eq!(out, b"{\"file\":\"a.txt\",\"value\": [1]}\n");
/// ```
pub fn write(
    file: &str,
    more: &[(&str, Value)],
    out: &mut dyn Write,
    document: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "{{\"file\":{},", Value::from(file))?;
    for (key, value) in more {
        write!(out, "\"{key}\":{value},")?;
    }
    document(&mut OneLine { out: &mut *out, at_line_start: true, is_open: false })?;
    writeln!(out)
}

/// The key for the name of a problem in its file, if the file has several.
pub fn instance(name: Option<&str>) -> Option<(&'static str, Value)> {
    name.map(|name| ("instance", name.into()))
}

/// Writes why a file has no answer: `file`, `error`, the `exit_code` that it would have had by itself, and the name of
/// the problem in its file, if it has several.
pub fn write_failure(
    file: &str,
    problem: Option<&str>,
    error: &str,
    exit_code: u8,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut failure = serde_json::json!({ "file": file, "error": error, "exit_code": exit_code });
    if let Some((key, name)) = instance(problem) {
        failure[key] = name;
    }
    writeln!(out, "{failure}")
}

/// Omits a document's line ends and indentation, and its opening brace. JSON strings contain no line ends.
struct OneLine<'a> {
    out: &'a mut dyn Write,
    at_line_start: bool,
    /// Whether the opening brace was skipped.
    is_open: bool,
}

impl Write for OneLine<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            let indented =
                if self.at_line_start { text.iter().take_while(|&&byte| byte == b' ').count() } else { 0 };
            let mut text = &text[indented..];
            self.at_line_start = piece.ends_with(b"\n") || (self.at_line_start && text.is_empty());
            if !self.is_open && !text.is_empty() {
                text = text.strip_prefix(b"{").unwrap_or(text);
                self.is_open = true;
            }
            self.out.write_all(text)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_the_same_on_one_line_however_it_is_written() {
        let document = serde_json::json!({ "a": "x\n  y", "b": [1, { "c": null }], "d": "  {" });
        let pretty = format!("{document:#}\n");
        for size in [1, 2, 3, 7, 1000] {
            let mut out = Vec::new();
            write("dir/\"q\".txt", &[], &mut out, &mut |line| {
                pretty.as_bytes().chunks(size).try_for_each(|piece| line.write_all(piece))
            })
            .unwrap();
            let text = String::from_utf8(out).unwrap();
            assert_eq!(text.matches('\n').count(), 1, "{text}");
            let mut read: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(read.as_object_mut().unwrap().remove("file").unwrap(), "dir/\"q\".txt");
            assert_eq!(read, document);
        }
    }

    #[test]
    fn a_failure_is_a_line_whatever_it_says() {
        let mut out = Vec::new();
        write_failure("a\nb", None, "line 1:\n  `\"` is not", 2, &mut out).unwrap();
        let read: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(
            read,
            serde_json::json!({ "file": "a\nb", "error": "line 1:\n  `\"` is not", "exit_code": 2 })
        );
        assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
    }
}
