//! A stage imports only stages before it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The stages in order; those of one rank do not know each other.
const RANKS: &[&[&str]] = &[
    &["quantity"],
    &["sampling"],
    &["taskset", "problem"],
    &["formulate"],
    &["reduce"],
    &["engine"],
    &["solve", "float_front"],
    &["front"],
    &["schedulability"],
    &["certificate"],
    &["report"],
    &["explore"],
    &["bench"],
    &["cli"],
];

/// Imports that the order would allow and that are not wanted all the same.
const FORBIDDEN: &[(&str, &str)] =
    &[("certificate", "engine"), ("report", "engine"), ("engine", "taskset"), ("engine", "formulate")];

fn rank(stage: &str) -> Option<usize> {
    RANKS.iter().position(|stages| stages.contains(&stage))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The stages that a text names behind `crate::` or `isx::`, tests and comments left out.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let mut found = BTreeSet::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for prefix in ["crate::", "isx::"] {
            for rest in line.split(prefix).skip(1) {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                found.insert(rest[..end].to_owned());
            }
        }
    }
    found
}

#[test]
fn a_stage_imports_only_stages_before_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut seen = 0;
    for file in files {
        let inside = file.strip_prefix(&root).unwrap();
        let first = inside.iter().next().unwrap().to_str().unwrap();
        let stage = first.trim_end_matches(".rs");
        if matches!(stage, "lib" | "main") {
            continue;
        }
        let own = rank(stage).unwrap_or_else(|| panic!("{} is no known stage", inside.display()));
        let text = std::fs::read_to_string(&file).unwrap();
        for import in imports(&text) {
            let Some(other) = rank(&import) else { continue };
            seen += 1;
            let allowed = import == stage || other < own;
            assert!(allowed, "{} imports {import}, which comes after it", inside.display());
            let forbidden = FORBIDDEN.contains(&(stage, import.as_str()));
            assert!(!forbidden, "{} imports {import}", inside.display());
        }
    }
    assert!(seen > 50, "only {seen} imports were seen: the test no longer reads the sources");
}

#[test]
fn an_import_of_a_later_stage_is_seen() {
    let found = imports("use crate::front::Design;\n// use crate::report;\nlet x = crate::engine::plan();\n");
    assert_eq!(found, BTreeSet::from(["front".to_owned(), "engine".to_owned()]));
    assert!(rank("engine") < rank("front"));
}
