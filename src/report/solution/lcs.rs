//! A longest common subsequence.

use super::{Answer, Fields};
use crate::text::{count, visible};
use isx_problems::lcs::Claim;
use isx_problems::lcs::text::Sequence;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Letters of a subsequence shown on the terminal, unless all are requested.
const SHOWN: usize = 200;
/// Letters per line.
const FOLD: usize = 60;

/// A longest common subsequence, and its two sequences.
#[derive(Clone, Copy, Debug)]
pub struct Subsequence<'a> {
    /// The length, and the positions of the letters.
    pub claim: &'a Claim,
    /// Both sequences.
    pub sequences: &'a [Sequence; 2],
    /// Print the whole subsequence, however long.
    pub all: bool,
}

impl Subsequence<'_> {
    /// The letters of the subsequence; `None` if only the length was requested.
    pub fn letters(&self) -> Option<Vec<u8>> {
        let letters = &self.sequences[0].letters;
        let pairs = self.claim.pairs.as_ref()?;
        Some(pairs.iter().filter_map(|&(at, _)| letters.get(at).copied()).collect())
    }
}

/// `picks` are pairs of positions, counted from 0 in bytes; `subsequence` is the text if it is UTF-8, else null, and
/// then `subsequence_base16` has its bytes. All three are null if only the length was requested. Text output shows
/// the length, its share of both sequences, and the subsequence in lines of 60 letters; bytes that are not text are
/// written as `\x..`.
impl Answer for Subsequence<'_> {
    fn problem(&self) -> &'static str {
        "lcs"
    }

    fn write_fields(&self, fields: &mut Fields<'_>) -> io::Result<()> {
        fields.put("value", json!(self.claim.length.to_string()))?;
        fields.put("weight", "null")?;
        let out = fields.begin("picks")?;
        match &self.claim.pairs {
            None => write!(out, "null")?,
            Some(pairs) => {
                for (at, (a, b)) in pairs.iter().enumerate() {
                    write!(out, "{}[{a},{b}]", if at == 0 { '[' } else { ',' })?;
                }
                write!(out, "{}", if pairs.is_empty() { "[]" } else { "]" })?;
            }
        }
        let (text, base16) = match self.letters().map(String::from_utf8) {
            None => (Value::Null, Value::Null),
            Some(Ok(text)) => (text.into(), Value::Null),
            Some(Err(bytes)) => (Value::Null, base16(bytes.as_bytes()).into()),
        };
        fields.put("subsequence", text)?;
        fields.put("subsequence_base16", base16)?;
        let about = |sequence: &Sequence| json!({ "name": sequence.name, "length": sequence.letters.len() });
        fields.put("sequences", Value::from_iter(self.sequences.iter().map(about)))
    }

    fn line(&self) -> String {
        let length = self.claim.length;
        let [a, b] = self.sequences.each_ref().map(|sequence| share(length, sequence.letters.len()));
        format!("length {length}, of A {a}, of B {b}")
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let length = self.claim.length;
        writeln!(out, "length     {length}")?;
        for (label, sequence) in ["of A ", "of B "].iter().zip(self.sequences) {
            let name = sequence.name.as_deref().filter(|name| !name.is_empty());
            let name = name.map(|name| format!("  {}", visible(name))).unwrap_or_default();
            writeln!(out, "{label}      {}{name}", share(length, sequence.letters.len()))?;
        }
        match self.letters() {
            Some(letters) => write_letters(&letters, self.all, out),
            None => Ok(()),
        }
    }
}

/// Two hexadecimal digits per byte.
fn base16(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// `66.7 % of 3 letters`, rounded down so that 100 % always means all.
fn share(length: u64, of: usize) -> String {
    let letters = if of == 1 { "letter" } else { "letters" };
    match (u128::from(length) * 1000).checked_div(of as u128) {
        None => "no letters".into(),
        Some(share) => format!("{}.{} % of {} {letters}", share / 10, share % 10, count(of)),
    }
}

fn write_letters(letters: &[u8], all: bool, out: &mut dyn Write) -> io::Result<()> {
    let shown = if all { letters } else { &letters[..fitting(letters)] };
    if letters.is_empty() {
        return writeln!(out, "letters    (none)");
    }
    let mut symbols: Vec<String> = Vec::new();
    for chunk in shown.utf8_chunks() {
        symbols.extend(chunk.valid().chars().map(|c| visible(c.encode_utf8(&mut [0; 4]))));
        symbols.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    for (at, line) in symbols.chunks(FOLD).enumerate() {
        writeln!(out, "{}{}", if at == 0 { "letters    " } else { "           " }, line.concat())?;
    }
    match letters.len() - shown.len() {
        0 => Ok(()),
        more => writeln!(out, "           … {} more", count(more)),
    }
}

/// How many of the first letters are shown, without splitting a letter of several bytes.
fn fitting(letters: &[u8]) -> usize {
    let is_inside = |at: usize| letters.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let end = letters.len().min(SHOWN);
    (0..4).map(|back| end.saturating_sub(back)).find(|&end| !is_inside(end)).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solution::{Solved, write_json, write_text};
    use isx_problems::account::{Account, Timings};
    use isx_problems::value::Tier;
    use std::time::Duration;

    fn account() -> Account {
        Account {
            engine: "reference",
            how: "1 thread".into(),
            threads: 1,
            arithmetic: Tier::I64,
            why: "asked for".into(),
            updates: 0,
            timings: Timings::default(),
        }
    }

    /// All letters of a sequence compared with itself, as text and as JSON.
    fn told(letters: &[u8], all: bool) -> (String, Value) {
        let pairs = (0..letters.len()).map(|at| (at, at)).collect();
        let claim = Claim { length: letters.len() as u64, pairs: Some(pairs) };
        let sequence =
            |name: Option<&str>| Sequence { name: name.map(str::to_owned), letters: letters.to_vec() };
        let sequences = [sequence(Some("x\u{1b}")), sequence(None)];
        let answer = Subsequence { claim: &claim, sequences: &sequences, all };
        let solved = Solved { answer: &answer, account: &account(), read: Duration::ZERO };
        let (mut text, mut document) = (Vec::new(), Vec::new());
        write_text(&solved, false, &mut text).unwrap();
        write_json(&solved, &mut document).unwrap();
        (String::from_utf8(text).unwrap(), serde_json::from_slice(&document).unwrap())
    }

    #[test]
    fn what_is_no_text_is_written_in_digits() {
        let (text, document) = told(b"a\xff\x1b", false);
        assert!(text.contains("letters    a\\xff\\u{1b}\n"), "{text}");
        assert!(text.contains("100.0 % of 3 letters  x\\u{1b}\n"), "{text}");
        assert_eq!(
            (&document["subsequence"], &document["subsequence_base16"]),
            (&Value::Null, &json!("61ff1b"))
        );
        let (text, document) = told("äß".as_bytes(), false);
        assert!(text.contains("letters    äß\n"), "{text}");
        assert_eq!((&document["subsequence"], &document["subsequence_base16"]), (&json!("äß"), &Value::Null));
    }

    #[test]
    fn long_subsequences_are_folded_and_cut_between_letters() {
        let (text, document) = told("xä".repeat(100).as_bytes(), false);
        assert_eq!(text.lines().map(|line| line.chars().count()).max(), Some(71));
        assert!(text.ends_with("           … 101 more\n"), "{text}");
        assert_eq!(document["picks"].as_array().unwrap().len(), 300);
        let (text, _) = told(&[b'x'; 500], true);
        assert_eq!(text.matches('x').count(), 501);
        let (text, document) = told(b"", false);
        assert!(text.contains("no letters") && text.contains("(none)"), "{text}");
        assert_eq!((&document["picks"], &document["subsequence"]), (&json!([]), &json!("")));
    }
}
