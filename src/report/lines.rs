//! JSON documents, one per line, each with the name of its input file.

use std::io::{self, Write};

/// Writes a JSON object on one line, with the file's name before its other keys.
///
/// # Errors
///
/// When `out` fails, or `document` returns an error.
///
/// ```
/// use std::io::Write;
/// let mut out = Vec::new();
/// isx_report::lines::write("a.txt", &mut out, |line| writeln!(line, "{{\n  \"value\": [\n    1\n  ]\n}}")).unwrap();
/// assert_eq!(out, b"{\"file\":\"a.txt\",\"value\": [1]}\n");
/// ```
pub fn write<W: Write>(
    file: &str,
    out: &mut W,
    document: impl FnOnce(&mut OneLine<'_, W>) -> io::Result<()>,
) -> io::Result<()> {
    write_of_several(file, None, out, document)
}

/// As [`write()`], with the name of the problem in its file as `instance`.
///
/// # Errors
///
/// As [`write()`].
pub fn write_of_several<W: Write>(
    file: &str,
    instance: Option<&str>,
    out: &mut W,
    document: impl FnOnce(&mut OneLine<'_, W>) -> io::Result<()>,
) -> io::Result<()> {
    let instance = instance.map(|instance| ("instance", instance.into()));
    write_with(file, instance.as_slice(), out, document)
}

/// As [`write()`], with more keys and their values before those of the document.
///
/// # Errors
///
/// As [`write()`].
pub fn write_with<W: Write>(
    file: &str,
    more: &[(&str, serde_json::Value)],
    out: &mut W,
    document: impl FnOnce(&mut OneLine<'_, W>) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "{{\"file\":{},", serde_json::Value::from(file))?;
    for (key, value) in more {
        write!(out, "\"{key}\":{value},")?;
    }
    document(&mut OneLine { out, at_line_start: true, is_open: false })?;
    writeln!(out)
}

/// Writes why a file has no answer: `file`, `error` and the `exit_code` that it would have had by itself.
///
/// # Errors
///
/// When `out` fails.
pub fn write_failure(file: &str, error: &str, exit_code: u8, out: &mut impl Write) -> io::Result<()> {
    write_failure_of_several(file, None, error, exit_code, out)
}

/// As [`write_failure`], with the name of the problem in its file as `instance`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_failure_of_several(
    file: &str,
    instance: Option<&str>,
    error: &str,
    exit_code: u8,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut failure = serde_json::json!({ "file": file, "error": error, "exit_code": exit_code });
    if let Some(instance) = instance {
        failure["instance"] = instance.into();
    }
    writeln!(out, "{failure}")
}

/// Omits a document's line ends and indentation, and its opening brace. JSON strings contain no line ends.
pub struct OneLine<'a, W> {
    out: &'a mut W,
    at_line_start: bool,
    /// Whether the opening brace was skipped.
    is_open: bool,
}

impl<W: Write> Write for OneLine<'_, W> {
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
            write("dir/\"q\".txt", &mut out, |line| {
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
        write_failure("a\nb", "line 1:\n  `\"` is not", 2, &mut out).unwrap();
        let read: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(
            read,
            serde_json::json!({ "file": "a\nb", "error": "line 1:\n  `\"` is not", "exit_code": 2 })
        );
        assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
    }
}
