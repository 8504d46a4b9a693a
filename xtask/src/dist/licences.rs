//! The licences of everything that is linked into the command: an archive hands their code on, and most of them ask
//! that their text goes with it.

use crate::workspace;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "\
The isx command contains code of the crates below, each under its own licence. It also contains Rust's standard library
(MIT OR Apache-2.0, https://github.com/rust-lang/rust/blob/HEAD/COPYRIGHT) and, where its target is `musl`, the C library
musl (MIT, Copyright 2005-2020 Rich Felker, et al., https://git.musl-libc.org/cgit/musl/tree/COPYRIGHT).
";

/// The beginnings of the names of files that hold a licence.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "UNLICENSE", "COPYING", "COPYRIGHT", "NOTICE"];

/// One text: the crates linked for a target, then every licence text once, with the crates that it belongs to.
///
/// # Errors
///
/// If cargo fails, or a text cannot be read.
pub fn collect(package: &str, triple: &str) -> Result<String, String> {
    let metadata = workspace::metadata(&["--filter-platform", triple, "--features", "full"])?;
    let linked = linked(&metadata, package)?;
    let mut crates = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        // The workspace's own crates have no source.
        if !linked.contains(text(&package["id"])) || package["source"].is_null() {
            continue;
        }
        let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
        let _ = writeln!(crates, "{name}: {}", package["license"].as_str().unwrap_or("see its text"));
        let folder = Path::new(text(&package["manifest_path"])).parent().unwrap_or(Path::new(""));
        for licence in texts_in(folder)? {
            texts.entry(licence).or_default().push(name.clone());
        }
    }
    let mut all = format!("{HEAD}\n{crates}");
    for (licence, crates) in texts {
        let _ = write!(all, "\n{}\n{}\n\n{}\n", "-".repeat(80), crates.join(", "), licence.trim_end());
    }
    Ok(all)
}

/// The ids of all packages that are linked into a program of `package`: no tests, and no macros, which run in the
/// compiler.
fn linked(metadata: &Value, package: &str) -> Result<BTreeSet<String>, String> {
    let ids = list(&metadata["packages"]).filter(|found| found["name"] == package);
    let mut open: Vec<&str> = ids.map(|found| text(&found["id"])).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    let macros: BTreeSet<&str> = list(&metadata["packages"])
        .filter(|found| {
            list(&found["targets"]).any(|target| list(&target["kind"]).any(|kind| kind == "proc-macro"))
        })
        .map(|found| text(&found["id"]))
        .collect();
    let mut linked = BTreeSet::new();
    while let Some(id) = open.pop() {
        if macros.contains(id) || !linked.insert(id.to_owned()) {
            continue;
        }
        let node = nodes.get(id).ok_or(format!("cargo metadata resolves no {id}"))?;
        for dependency in list(&node["deps"]) {
            if list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null()) {
                open.push(text(&dependency["pkg"]));
            }
        }
    }
    if linked.is_empty() { Err(format!("cargo metadata has no package {package}")) } else { Ok(linked) }
}

/// The texts of the licence files in a folder, with one kind of line ends.
fn texts_in(folder: &Path) -> Result<Vec<String>, String> {
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(problem)? {
        let entry = entry.map_err(problem)?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if NAMES.iter().any(|beginning| name.starts_with(beginning)) && entry.path().is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    let read = |path: &std::path::PathBuf| std::fs::read(path).map_err(problem);
    let clean = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    paths.iter().map(|path| read(path).map(clean)).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_linked_is_listed_with_its_text_and_tools_are_not() {
        let all = collect("isx-pareto", "x86_64-unknown-linux-gnu").unwrap();
        let line = |name: &str| all.lines().find(|line| line.starts_with(name));
        assert!(line("rayon 1").is_some_and(|line| line.ends_with(": MIT OR Apache-2.0")));
        assert!(line("parquet ").is_some(), "the archives have Parquet");
        // The first is a part of macros, the second of tests.
        assert_eq!((line("syn "), line("schemars ")), (None, None));
        assert_eq!((line("isx-exact"), line("isx-pareto")), (None, None));
        assert!(all.contains("Copyright (c) 2010 The Rust Project Developers"), "rayon's own text");
    }
}
