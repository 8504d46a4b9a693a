//! Two files of sequences, plain or FASTA: parsed sequences are the same after writing and reading them again, and
//! the longest common subsequence of short ones has the length of the textbook table.

use super::machine;
use isx::engine::lcs::{ENGINES, Wanted};
use isx::engine::{Choice, Hardware};
use isx::problem::lcs::Lcs;
use isx::problem::lcs::text::{Record, Sequence, parse};
use isx::solve::lcs::{Options, solve};

/// The separator of the two files.
const BETWEEN: &[u8] = b"\n--\n";
/// The longest sequences that are solved.
const SHORT: usize = 150;

/// The first byte selects the record, if any, and the engine.
pub fn check(data: &[u8]) {
    let Some((&first, texts)) = data.split_first() else { return };
    let record = (first & 3 > 0).then(|| Record((first & 3).to_string()));
    let middle = texts.windows(BETWEEN.len()).position(|window| window == BETWEEN);
    let (a, b) = middle.map_or((texts, &[][..]), |at| (&texts[..at], &texts[at + BETWEEN.len()..]));
    let (a, b) = (read(a, record.as_ref()), read(b, record.as_ref()));
    if let (Some(a), Some(b)) = (a, b)
        && a.letters.len().max(b.letters.len()) <= SHORT
    {
        solved(&Lcs { a: a.letters, b: b.letters }, first >> 2);
    }
}

fn read(bytes: &[u8], record: Option<&Record>) -> Option<Sequence> {
    let sequence = match parse(bytes.to_vec(), record) {
        Ok(sequence) => sequence,
        Err(error) => {
            let shown = error.to_string();
            assert!(shown.len() < 500 && !shown.chars().any(char::is_control), "{shown:?}");
            return None;
        }
    };
    let Some(name) = &sequence.name else {
        let rest = bytes.strip_prefix(&sequence.letters[..]).expect("plain text is taken as it is");
        assert!(matches!(rest, b"" | b"\n" | b"\r\n"));
        return Some(sequence);
    };
    assert!(!sequence.letters.is_empty());
    assert!(!sequence.letters.iter().any(|letter| b"\n\r\t >".contains(letter)));
    let text = [b">", name.as_bytes(), b"\n", &sequence.letters, b"\n"].concat();
    assert_eq!(parse(text, None).as_ref(), Ok(&sequence));
    Some(sequence)
}

fn solved(problem: &Lcs, engine: u8) {
    let engines: Vec<_> = ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu).collect();
    let engine = match usize::from(engine) % (engines.len() + 1) {
        0 => Choice::Auto,
        at => Choice::Named(engines[at - 1]),
    };
    let options = Options { engine, wanted: Wanted::Subsequence, machine: machine(), ..Options::default() };
    let claim = solve(problem, &options).unwrap().claim;
    assert_eq!(claim.length, textbook(problem));
    let pairs = claim.pairs.expect("the letters were asked for");
    assert_eq!(pairs.len() as u64, claim.length);
    assert!(pairs.iter().all(|&(a, b)| problem.a[a] == problem.b[b]));
    assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
}

fn textbook(problem: &Lcs) -> u64 {
    let mut row = vec![0; problem.b.len() + 1];
    for &a in &problem.a {
        let mut diagonal = 0;
        for (at, &b) in problem.b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[problem.b.len()]
}
