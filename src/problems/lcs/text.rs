//! Sequences in files: plain text, or FASTA (W. Pearson and D. Lipman, PNAS 85, 1988).
//!
//! A file whose first byte, after a byte-order mark and blank lines, is `>` is FASTA: a record is a header line
//! `>NAME ..` followed by lines of letters; line ends, blanks and tabs are ignored. Any other file is plain text: all
//! its bytes except one line end at its end (`\n` or `\r\n`).

use isx_exact::quantity::shortened;
use std::fmt;

/// A sequence and its origin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The header line of its record, without the `>`; `None` for plain text.
    pub name: Option<String>,
    /// Its letters.
    pub letters: Vec<u8>,
}

/// The record of a file to read, by its number, counted from 1, or by its name: the whole header line or its first
/// word. A record whose name is the number takes precedence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record(pub String);

/// Why a sequence cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum SequenceError {
    #[error("{0}: `>` begins a record; write it at the beginning of a line")]
    HeaderInLine(Place),
    #[error(
        "{place}: record `{name}` has no letters; write them on the lines after it, or leave the record out"
    )]
    Empty { place: Place, name: String },
    #[error("{place}: a second record begins here; name one of the {count} by its name or its number")]
    Several { place: Place, count: usize },
    #[error("none of the {count} records is `{wanted}`; the first is `{first}`")]
    NoSuchRecord { wanted: String, count: usize, first: String },
    #[error("{place}: a second record is named `{wanted}`; name it by its number")]
    Ambiguous { place: Place, wanted: String },
    #[error("this is plain text, which has no record `{0}`; FASTA begins with `>`")]
    NoRecords(String),
}

/// A location in a file, both numbers counted from 1; columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A FASTA record, and the line number of its header.
struct Read {
    line: usize,
    sequence: Sequence,
}

impl Read {
    fn name(&self) -> &str {
        self.sequence.name.as_deref().unwrap_or_default()
    }

    fn place(&self) -> Place {
        Place { line: self.line, column: 1 }
    }
}

/// The UTF-8 byte-order mark that some editors write.
const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Reads a sequence; if there are several records, the requested one. Fails with a [`SequenceError`] that has line and
/// column.
///
/// ```
/// use isx_problems::lcs::text::parse;
/// let plain = parse(b"banana\n".to_vec(), None).unwrap();
/// assert_eq!((plain.letters, plain.name), (b"banana".to_vec(), None));
/// let fasta = parse(b">chr1 a test\nACG T\nAC\n".to_vec(), None).unwrap();
/// assert_eq!((fasta.letters, fasta.name.as_deref()), (b"ACGTAC".to_vec(), Some("chr1 a test")));
/// ```
pub fn parse(bytes: Vec<u8>, record: Option<&Record>) -> Result<Sequence, SequenceError> {
    let begins_record =
        |bytes: &[u8]| bytes.iter().find(|byte| !matches!(byte, b'\n' | b'\r')) == Some(&b'>');
    let mut bytes = bytes;
    if bytes.strip_prefix(BYTE_ORDER_MARK).is_some_and(begins_record) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    if !begins_record(&bytes) {
        return match record {
            None => Ok(plain(bytes)),
            Some(Record(wanted)) => Err(SequenceError::NoRecords(shortened(wanted))),
        };
    }
    let records = records(&bytes)?;
    let at = match record {
        None => match records.get(1) {
            None => 0,
            Some(second) => {
                return Err(SequenceError::Several { place: second.place(), count: records.len() });
            }
        },
        Some(Record(wanted)) => chosen(&records, wanted)?,
    };
    // The index was found in the list.
    Ok(records.into_iter().nth(at).map(|read| read.sequence).unwrap_or_default())
}

fn plain(mut letters: Vec<u8>) -> Sequence {
    if letters.last() == Some(&b'\n') {
        letters.pop();
        if letters.last() == Some(&b'\r') {
            letters.pop();
        }
    }
    Sequence { name: None, letters }
}

/// Every record, each with letters.
fn records(bytes: &[u8]) -> Result<Vec<Read>, SequenceError> {
    let mut records: Vec<Read> = Vec::new();
    // The end of the last header.
    let mut end = Place { line: 1, column: 1 };
    let filled = |records: &[Read], place| match records.last() {
        Some(last) if last.sequence.letters.is_empty() => {
            Err(SequenceError::Empty { place, name: shortened(last.name()) })
        }
        _ => Ok(()),
    };
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if let Some(header) = text.strip_prefix(b">") {
            filled(&records, end)?;
            let name = String::from_utf8_lossy(header).trim().to_owned();
            records.push(Read { line, sequence: Sequence { name: Some(name), letters: Vec::new() } });
            end = Place { line, column: text.len() + 1 };
            continue;
        }
        if let Some(at) = text.iter().position(|&byte| byte == b'>') {
            return Err(SequenceError::HeaderInLine(Place { line, column: at + 1 }));
        }
        if let Some(last) = records.last_mut() {
            let letters = text.iter().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
            last.sequence.letters.extend(letters);
        }
    }
    filled(&records, end)?;
    Ok(records)
}

/// The index of the requested record.
fn chosen(records: &[Read], wanted: &str) -> Result<usize, SequenceError> {
    let is_named = |read: &Read| {
        let name = read.name();
        name == wanted || name.split_whitespace().next() == Some(wanted)
    };
    let mut named = (0..records.len()).filter(|&at| is_named(&records[at]));
    if let Some(first) = named.next() {
        return match named.next() {
            None => Ok(first),
            Some(second) => {
                Err(SequenceError::Ambiguous { place: records[second].place(), wanted: shortened(wanted) })
            }
        };
    }
    let number = wanted.parse::<usize>().ok().filter(|number| (1..=records.len()).contains(number));
    number.map(|number| number - 1).ok_or_else(|| SequenceError::NoSuchRecord {
        wanted: shortened(wanted),
        count: records.len(),
        first: records.first().map_or_else(String::new, |first| shortened(first.name())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(bytes: &[u8]) -> Vec<u8> {
        parse(bytes.to_vec(), None).unwrap().letters
    }

    #[test]
    fn plain_text_loses_one_line_end_and_nothing_else() {
        for (text, expected) in [
            (&b""[..], &b""[..]),
            (b"\n", b""),
            (b"\r\n", b""),
            (b"a", b"a"),
            (b"a\n\n", b"a\n"),
            (b"a\r", b"a\r"),
            (b" a>b\r\n", b" a>b"),
            (b"\x00\xff\n\xfe", b"\x00\xff\n\xfe"),
        ] {
            assert_eq!(letters(text), expected, "{text:?}");
        }
        let every: Vec<u8> = (0..=255).collect();
        assert_eq!(letters(&every), every);
    }

    #[test]
    fn messages_tell_names_cut_and_without_control_characters() {
        let message = |bytes: &[u8]| parse(bytes.to_vec(), None).unwrap_err().to_string();
        assert!(message(b">a\x1b[31m\0\n").contains("record `a\\u{1b}[31m\\u{0}` has"));
        let long = message(format!(">{}\n", "gr\u{f6}\u{df}er ".repeat(1000)).as_bytes());
        assert!(long.len() < 300 && long.contains("gr\u{f6}\u{df}er") && long.contains('\u{2026}'), "{long}");
    }

    #[test]
    fn fasta_joins_lines_and_keeps_the_header() {
        let read = parse(b"\r\n\n>x y \r\nAC GT\r\n\r\n\tac\r\n".to_vec(), None).unwrap();
        assert_eq!((read.name.as_deref(), &read.letters[..]), (Some("x y"), &b"ACGTac"[..]));
        assert_eq!(letters(b">\nA"), b"A");
    }

    #[test]
    fn a_record_is_found_by_name_or_number() {
        let file = b">one a\nA\n>two b\nC\n>one b\nG\n>2\nT\n".to_vec();
        let found =
            |wanted: &str| parse(file.clone(), Some(&Record(wanted.to_owned()))).map(|read| read.letters);
        assert_eq!(found("one a"), Ok(b"A".to_vec()));
        assert_eq!(found("two"), Ok(b"C".to_vec()));
        assert_eq!(found("3"), Ok(b"G".to_vec()));
        assert_eq!(found("2"), Ok(b"T".to_vec()), "a name goes before a number");
        assert_eq!(
            found("one").unwrap_err().to_string(),
            "line 5, column 1: a second record is named `one`; name it by its number"
        );
        assert_eq!(found("5").unwrap_err().to_string(), "none of the 4 records is `5`; the first is `one a`");
        assert!(found("0").is_err() && found("").is_err());
        let plain = parse(b"ACGT".to_vec(), Some(&Record("1".into()))).unwrap_err();
        assert_eq!(plain.to_string(), "this is plain text, which has no record `1`; FASTA begins with `>`");
    }

    #[test]
    fn mistakes_are_told_with_line_and_column() {
        let message = |text: &[u8]| parse(text.to_vec(), None).unwrap_err().to_string();
        assert_eq!(
            message(b">a\nAC\nG>b\nT\n"),
            "line 3, column 2: `>` begins a record; write it at the beginning of a line"
        );
        assert_eq!(
            message(b"\n>abc\n\n"),
            "line 2, column 5: record `abc` has no letters; write them on the lines after it, or leave the record out"
        );
        assert!(message(b">a\nA\n>b\n \n>c\nC\n").starts_with("line 3, column 3: record `b` has no letters"));
        assert_eq!(
            message(b">a\nA\n\n>b\nC\n>c\nC"),
            "line 4, column 1: a second record begins here; name one of the 3 by its name or its number"
        );
        assert!(message(b">").starts_with("line 1, column 2: record `` has no letters"));
    }
}
