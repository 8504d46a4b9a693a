//! No text, however broken, makes the task-set reader panic, and whatever it accepts satisfies its guarantees.
//!
//! Valid task sets are mutated: bytes flipped, pieces deleted, doubled and moved, and tokens that are troublesome in
//! YAML or in numbers spliced in. The seed is fixed, so failures are reproducible; `ISX_MUTATIONS` sets the number of
//! mutations (a million takes some twenty seconds in release mode).

use std::path::Path;
use std::time::Instant;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use isx::taskset::{ReadError, Reading, read_bytes};

const DEFAULT_MUTATIONS: u64 = 40_000;

const SEEDS: [&str; 5] = [
    "\
name: sensor node
description: >
  two
  lines
clock: 100 MHz
area_unit: NAND2
tasks:
  - name: aes
    wcet: 3260   # byte reference
    period: 1 ms
    deadline: 0.5ms
    choices:
      - name: saes32
        area: 1157
        wcet: 321
        source: \"measured\"
      - {name: 'sbox', area: 566, saves: 1200}
  - name: \"sha\"
    wcet: 78003
    period: 15/61 s
",
    "name: x\ntasks: [{name: a, wcet: 33.3 ms, period: 0.5 s}, {name: b, wcet: 1ns, period: 2 µs}]\n",
    "name: 日本\r\ntasks:\r\n- name: é\r\n  wcet: 1e3\r\n  period: 2000\r\n  choices:\r\n  - name: c\r\n    area: 0\r\n    saves: 1\r\n",
    "---\n{name: \"x\\u00e9\", \"tasks\": [{\"name\": \"a\", \"wcet\": 1, \"period\": 9, \"choices\": []}]}\n...\n",
    "\
name: gateway
blocks:
  - {name: sbox, area: 464, slot: crypto, source: measured}
  - name: mul
    area: 1e3
tasks:
  - name: aes
    wcet: 20
    period: 100
    choices:
      - {name: saes32, uses: [sbox, mul], saves: 4}
      - name: table
        uses:
          - mul
        area: 12
        wcet: 9
",
];

const TOKENS: [&[u8]; 56] = [
    b"\n",
    b"\r",
    b"\r\n",
    b"\t",
    b" ",
    b"  ",
    b"\0",
    b"\x1b[31m",
    b"\x7f",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xae",
    b"\xf0\x9f\x92\xa9",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b"&a ",
    b"*a",
    b"!!int ",
    b"!x ",
    b"<<: ",
    b"? ",
    b": ",
    b":",
    b"- ",
    b"-",
    b"--- ",
    b"\n---\n",
    b"\n...\n",
    b"%YAML 1.2\n",
    b"%TAG ! x\n",
    b"#",
    b" #",
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b"|",
    b">",
    b"|2-\n",
    b"\"",
    b"'",
    b"\\",
    b"\\x1b",
    b"\\ud800",
    b"1e308",
    b"1e-18",
    b"-0",
    b".nan",
    b"1/0",
    b"010",
    b"0x10",
    b"99999999999999999999999999999999999999999",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

struct Mutator {
    random: ChaCha8Rng,
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    fn below(&mut self, limit: usize) -> usize {
        (self.random.next_u64() % limit.max(1) as u64) as usize
    }

    fn mutant(&mut self) -> Vec<u8> {
        let seed = self.below(self.seeds.len());
        let mut text = self.seeds[seed].clone();
        // Mostly one or two mutations: a text with many is refused at the first of them.
        for _ in 0..=self.below(4).min(self.below(4)) {
            self.mutate(&mut text);
        }
        text
    }

    fn mutate(&mut self, text: &mut Vec<u8>) {
        let at = self.below(text.len() + 1);
        let end = (at + 1 + self.below(20)).min(text.len());
        match self.below(8) {
            0 if at < text.len() => text[at] ^= 1 << self.below(8),
            1 if at < text.len() => text[at] = self.below(256) as u8,
            2 => drop(text.drain(at..end)),
            3 => {
                let piece = text[at..end].to_vec();
                let to = self.below(text.len() + 1);
                drop(text.splice(to..to, piece));
            }
            4 => {
                let other = self.below(self.seeds.len());
                let from = self.below(self.seeds[other].len());
                let length = self.below(60);
                let piece: Vec<u8> = self.seeds[other][from..].iter().take(length).copied().collect();
                drop(text.splice(at..end.min(at + 4), piece));
            }
            5 => text.truncate(at),
            _ => {
                let token = TOKENS[self.below(TOKENS.len())];
                drop(text.splice(at..at, token.iter().copied()));
            }
        }
    }
}

/// Checks the guarantees of every result.
fn check(text: &[u8], answer: &Result<Reading, ReadError>, render: bool) {
    match answer {
        Ok(Reading { task_set, .. }) => {
            assert_eq!(task_set.validate(), Ok(()), "what is read is what may be built");
            let zero = isx::quantity::Rational::default();
            assert!(!task_set.tasks.is_empty());
            for task in &task_set.tasks {
                assert!(!task.name.is_empty() && !task.name.chars().any(char::is_control));
                assert!(task.wcets[0] > zero && task.period > zero && task.deadline > zero);
                assert!(task.choices.iter().all(|choice| choice.wcets[0] > zero));
            }
        }
        Err(error) => {
            let lines = text.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count() + 1;
            for diagnostic in error.diagnostics() {
                let (line, column) = diagnostic.position();
                assert!((1..=lines).contains(&line) && (1..=text.len() + 1).contains(&column));
            }
            if render {
                let shown = error.to_string();
                assert!(
                    !shown.is_empty() && !shown.chars().any(|c| c.is_control() && c != '\n'),
                    "{shown:?}"
                );
            }
        }
    }
}

/// The example files of the repository, if present.
fn examples() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasksets");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn no_mutation_makes_the_reader_panic() {
    let mutations = std::env::var("ISX_MUTATIONS").map_or(DEFAULT_MUTATIONS, |count| count.parse().unwrap());
    let mut seeds: Vec<Vec<u8>> = SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect();
    seeds.extend(examples());
    for seed in &seeds {
        read_bytes("seed.yaml", seed).unwrap();
    }
    let mut mutator = Mutator { random: ChaCha8Rng::seed_from_u64(61), seeds };
    let (mut accepted, mut placed) = (0_u64, 0_u64);
    let start = Instant::now();
    for count in 0..mutations {
        let text = mutator.mutant();
        let answer = std::panic::catch_unwind(|| {
            let answer = read_bytes("mutant.yaml", &text);
            check(&text, &answer, count % 8 == 0);
            answer
        });
        let Ok(answer) = answer else { panic!("mutation {count}: {:?}", String::from_utf8_lossy(&text)) };
        accepted += u64::from(answer.is_ok());
        placed += u64::from(answer.is_err_and(|error| !error.diagnostics().is_empty()));
    }
    let rate = mutations as f64 / start.elapsed().as_secs_f64();
    println!("{mutations} mutations, {accepted} accepted, {placed} refused with a place, {rate:.0} a second");
    // A mutator that invalidates nothing, or everything, tests little.
    assert!(mutations < 1_000 || (accepted > mutations / 50 && placed > mutations / 4));
}
