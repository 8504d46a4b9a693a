//! The measured figures of README and the book: a line that names a run under `benchmarks/results` has no figure that is
//! not in that run, nor has the table below a line that ends with one and a colon.
//!
//! A figure is a number of three digits or more, or a decimal of two. It is in the run if a number of its texts and tables
//! rounds to it, in the same unit or in one a thousand or a million times as large or as small (s and ms, bytes and MB).

use std::collections::BTreeMap;
use std::path::Path;

const RUNS: &str = "benchmarks/results/";

/// A number as it is written: its value and the digits after the point.
#[derive(Clone, Copy)]
struct Number {
    value: f64,
    decimals: usize,
    digits: usize,
}

impl Number {
    fn is_figure(&self) -> bool {
        self.digits >= if self.decimals > 0 { 2 } else { 3 }
    }

    fn is_in(&self, run: &[Number]) -> bool {
        let unit = 0.5 * 10f64.powi(-i32::try_from(self.decimals).unwrap());
        let scales = [1.0, 1e3, 1e-3, 1e6, 1e-6];
        run.iter().any(|one| {
            scales.iter().any(|scale| (one.value * scale - self.value).abs() <= unit * (1.0 + 1e-9))
        })
    }
}

/// The numbers of a text; `3,240` is one, and so is `0.33`, but not what is part of a word.
fn numbers(text: &str) -> Vec<Number> {
    let is_part = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    let mut found = Vec::new();
    for word in text.split(|c: char| !(c.is_alphanumeric() || is_part(c))) {
        let written = word.trim_matches([',', '.']);
        let plain: String = written.chars().filter(|c| *c != ',').collect();
        let Ok(value) = plain.parse::<f64>() else { continue };
        let decimals = plain.split_once('.').map_or(0, |(_, after)| after.len());
        let digits = plain.trim_start_matches(['0', '.']).chars().filter(char::is_ascii_digit).count();
        found.push(Number { value, decimals, digits });
    }
    found
}

/// A line without its code and the targets of its links.
fn shown(line: &str) -> String {
    let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let mut parts = text.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| shown + " " + part.split_once(')').map_or("", |(_, rest)| rest))
}

/// The names of the runs in a line.
fn runs(line: &str) -> Vec<&str> {
    line.split(RUNS)
        .skip(1)
        .map(|rest| rest.split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next().unwrap_or_default())
        .filter(|name| !name.is_empty())
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All numbers of the texts and tables of a run.
fn measured(folder: &Path, found: &mut Vec<Number>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            measured(&path, found);
        } else if path.extension().is_some_and(|ending| ["md", "txt", "csv"].iter().any(|one| ending == *one))
        {
            found.extend(numbers(&std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The figures of a text that are in none of the runs that it names for them, and how many there are in all.
fn unfounded(text: &str, known: &mut BTreeMap<String, Vec<Number>>) -> (Vec<String>, usize) {
    let (mut wrong, mut seen, mut above) = (Vec::new(), 0, Vec::new());
    for line in text.lines() {
        let mut named: Vec<String> = runs(line).into_iter().map(str::to_owned).collect();
        if line.starts_with('|') {
            if named.is_empty() {
                named.clone_from(&above);
            }
        } else if line.ends_with(':') || !line.is_empty() {
            above = if line.ends_with(':') { named.clone() } else { Vec::new() };
        }
        if named.is_empty() {
            continue;
        }
        for name in &named {
            known.entry(name.clone()).or_insert_with(|| {
                let mut found = Vec::new();
                measured(&root().join(RUNS).join(name), &mut found);
                found
            });
        }
        for figure in numbers(&shown(line)).into_iter().filter(Number::is_figure) {
            seen += 1;
            if !named.iter().any(|name| figure.is_in(&known[name])) {
                wrong.push(format!("{} of {named:?} in: {line}", figure.value));
            }
        }
    }
    (wrong, seen)
}

#[test]
fn every_measured_figure_is_in_the_run_that_its_line_names() {
    let mut texts = vec![root().join("README.md")];
    let chapters = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    texts.extend(chapters.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    let (mut known, mut seen, mut wrong) = (BTreeMap::new(), 0, Vec::new());
    for path in texts {
        let (unfounded, figures) = unfounded(&std::fs::read_to_string(&path).unwrap(), &mut known);
        wrong.extend(unfounded.into_iter().map(|figure| format!("{}: {figure}", path.display())));
        seen += figures;
    }
    println!("{seen} figures of {} runs", known.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 40 && known.len() >= 8, "{seen} figures of {} runs", known.len());
}

#[test]
fn a_wrong_figure_is_found() {
    let mut known = BTreeMap::new();
    let mut found = |text: &str| unfounded(text, &mut known).0.len();
    assert_eq!(found("1,036,480 sets (`benchmarks/results/random`)"), 0);
    assert_eq!(found("1,036,481 sets (`benchmarks/results/random`)"), 1);
    assert_eq!(found("as in `benchmarks/results/random`:\n\n| a | 1,036,480 |\n| b | 1,036,481 |"), 1);
    assert_eq!(found("1,036,481 sets"), 0);
}
