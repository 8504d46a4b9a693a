//! No mutation of a task set or of another tool's file makes its reader panic, and what is read can be written and read
//! back.
//!
//! The files of `tests/fuzz/corpus` are mutated: bytes flipped, pieces deleted, doubled and moved, troublesome tokens
//! spliced in. `ISX_CASES` sets the number of mutations.

use crate::checks::ALL;
use crate::common::Random;
use isx::import::{Options, Tables, import};
use isx::taskset::read_bytes;
use std::panic::catch_unwind;
use std::path::Path;

/// The pieces of the fuzzer's dictionary for a kind of file. In it, `\xNN` stands for a byte and `\"` for a quote.
fn tokens(kind: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fuzz/dictionaries/{kind}.dict"));
    let token = |line: &str| {
        let mut parts = line[1..line.len() - 1].split('\\');
        let mut token = parts.next().unwrap().as_bytes().to_vec();
        for part in parts {
            let rest = part.strip_prefix('x').map_or(part, |code| {
                token.push(u8::from_str_radix(&code[..2], 16).unwrap());
                &code[2..]
            });
            token.extend(rest.bytes());
        }
        token
    };
    std::fs::read_to_string(path).unwrap().lines().map(token).collect()
}

fn spoil(random: &mut Random, seeds: &[Vec<u8>], tokens: &[Vec<u8>], text: &mut Vec<u8>) {
    let mut below = |limit: usize| random.within(0, limit.max(1) as u64 - 1) as usize;
    let at = below(text.len() + 1);
    let end = (at + 1 + below(20)).min(text.len());
    match below(9) {
        0 if at < text.len() => text[at] ^= 1 << below(8),
        1 if at < text.len() => text[at] = below(256) as u8,
        2 => drop(text.drain(at..end)),
        3 => {
            let piece = text[at..end].to_vec();
            let to = below(text.len() + 1);
            drop(text.splice(to..to, piece));
        }
        4 => {
            let other = &seeds[below(seeds.len())];
            let from = below(other.len());
            let piece: Vec<u8> = other[from..].iter().take(below(60)).copied().collect();
            drop(text.splice(at..end.min(at + 4), piece));
        }
        5 if below(8) == 0 => text.truncate(at),
        6 => {
            // One digit becomes another: most such files stay valid.
            if let Some(digit) = text[at..].iter_mut().find(|byte| byte.is_ascii_digit()) {
                *digit = b'0' + below(10) as u8;
            }
        }
        _ => {
            let token = &tokens[below(tokens.len())];
            drop(text.splice(at..at, token.iter().copied()));
        }
    }
}

/// Mutates the corpus of a kind of file `cases` times and checks each; `read` says whether a file was read, or refused
/// with a place.
pub fn mutated(kind: &str, cases: u64, read: impl Fn(&[u8]) -> Result<(), bool> + std::panic::RefUnwindSafe) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(kind);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let tokens = tokens(kind);
    let cases = std::env::var("ISX_CASES").map_or(cases, |count| count.parse().unwrap());
    let check = ALL.iter().find(|(name, _)| *name == kind).unwrap().1;
    let mut random = Random(41);
    let (mut accepted, mut placed) = (0_u64, 0_u64);
    for case in 0..cases {
        let mut text = seeds[random.within(0, seeds.len() - 1)].clone();
        for _ in 0..=random.within(0, 3).min(random.within(0, 3)) {
            spoil(&mut random, &seeds, &tokens, &mut text);
        }
        let looked = catch_unwind(|| {
            check(&text);
            read(&text)
        });
        match looked {
            Ok(Ok(())) => accepted += 1,
            Ok(Err(has_place)) => placed += u64::from(has_place),
            Err(_) => panic!("mutation {case}: {:?}", String::from_utf8_lossy(&text)),
        }
    }
    println!("{cases} mutations: {accepted} read, {placed} refused with a place");
    // A mutator that invalidates nothing, or everything, tests little.
    assert!(
        accepted > cases / 50 && placed > cases / 4,
        "{accepted} read, {placed} refused with a place of {cases}"
    );
}

#[test]
fn no_mutated_file_makes_an_import_panic() {
    mutated("import", 3_000, |text| {
        match import("mutant", text, None, Tables::default(), &Options::default()) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(!refusal.error.diagnostics().is_empty()),
        }
    });
}

#[test]
fn no_mutated_task_set_makes_the_reader_panic() {
    mutated("task_set", 5_000, |text| match read_bytes("mutant.yaml", text) {
        Ok(_) => Ok(()),
        Err(error) => Err(!error.diagnostics().is_empty()),
    });
}
