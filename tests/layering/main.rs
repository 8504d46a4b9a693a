//! The layering of the crates: a crate imports only crates before it, no files and no folders of a crate use each other
//! in a circle, engines are named only in their registries, and computing crates do not know about tasks.
//!
//! Imports are read by a Rust parser, so that grouped imports count like plain ones, and are followed through third
//! crates. Tests inside the sources are skipped.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod files;
mod sources;

use files::{Files, circles};
use sources::{Paths, Source, resolved, rust_files, sources_below};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// The crates in order; those of equal rank do not know each other. Cargo refuses cycles; this enforces the
/// direction.
const RANKS: &[&[&str]] = &[
    &["checker", "exact", "parallel"],
    &["machine"],
    &["problems", "text"],
    &["engine", "reports"],
    &["taskset"],
    &["design", "import", "knapsack", "minmax", "partition", "resources"],
    &["mckp"],
    &["certificate", "solve"],
    &["explore", "report"],
    &["pages"],
    &["sweep"],
    &["command"],
];

/// Crates that the first must not reach, not even through a third, although the order would allow it.
const UNREACHABLE: &[(&str, &str)] = &[
    ("certificate", "engine"),
    ("design", "engine"),
    ("pages", "engine"),
    ("report", "engine"),
    ("solve", "taskset"),
];

/// Crates that compute and do not know about tasks.
const WITHOUT_TASKS: &[&str] = &["engine", "knapsack", "machine", "mckp", "minmax", "resources"];

/// Words of task sets, which engines and the machine must not use.
const TASK_WORDS: &[&str] = &[
    "task",
    "tasks",
    "wcet",
    "period",
    "periods",
    "deadline",
    "deadlines",
    "utilization",
    "schedulable",
    "yaml",
];

/// Where the code may still ask whether a set counts one area or resources by name, and how often at most: the short form
/// `area:` ends in the reader and the model, the formulation says once which engines answer, and the rest are words.
/// Everywhere else a set has costs.
const AREA_OR_RESOURCES: &[(&str, usize)] = &[
    ("src/taskset/model/", 7),
    ("src/taskset/what_if/", 2),
    ("src/taskset/formulate/costs.rs", 1),
    ("src/explore/lib.rs", 1),
    ("src/import/", 2),
    ("src/command/", 12),
];

/// Folders that may contain `unsafe`: those that call CUDA or launch a kernel. CPU instruction sets are used through
/// `pulp`, which needs no `unsafe`.
const UNSAFE_FOLDERS: &[&str] = &[
    "benchmarks/papers",
    "src/knapsack/cuda",
    "src/machine/cuda",
    "src/mckp/cuda",
    "src/resources/cuda",
    "tests/gpu",
];

/// As [`UNSAFE_FOLDERS`], for files: the command's allocator and its check of standard output, and the loader of
/// NVRTC.
const UNSAFE_FILES: &[&str] = &["src/process.rs", "xtask/src/nvrtc.rs"];

fn rank(name: &str) -> Option<usize> {
    RANKS.iter().position(|crates| crates.contains(&name))
}

fn sources() -> Vec<Source> {
    sources_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// Every crate with the crates it names, and the file that names each.
fn imports(sources: &[Source]) -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let mut imports: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for source in sources {
        let named = imports.entry(source.module[0].clone()).or_default();
        for path in Paths::of(&source.file) {
            let other = resolved(&source.module, &path).and_then(|path| path.into_iter().next());
            if let Some(other) = other.filter(|other| rank(other).is_some()) {
                named.entry(other).or_insert_with(|| source.path.clone());
            }
        }
    }
    imports
}

#[test]
fn a_crate_imports_only_crates_before_it() {
    let imports = imports(&sources());
    let mut seen = 0;
    for (stage, named) in &imports {
        let own = rank(stage).unwrap_or_else(|| panic!("{stage} has no rank"));
        for (other, file) in named {
            let before = rank(other).unwrap() < own;
            assert!(other == stage || before, "{} imports {other}, which comes after it", file.display());
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} imports were seen: the test no longer reads the sources");
}

/// Everything that a crate or folder reaches, each with the import path.
fn reached(
    imports: &BTreeMap<String, BTreeMap<String, PathBuf>>,
    from: &str,
) -> BTreeMap<String, Vec<String>> {
    let mut reached = BTreeMap::from([(from.to_owned(), vec![from.to_owned()])]);
    let mut open = vec![from.to_owned()];
    while let Some(stage) = open.pop() {
        for other in imports.get(&stage).into_iter().flat_map(BTreeMap::keys) {
            if !reached.contains_key(other) {
                let way = [&reached[&stage][..], std::slice::from_ref(other)].concat();
                reached.insert(other.clone(), way);
                open.push(other.clone());
            }
        }
    }
    reached
}

#[test]
fn answers_are_written_and_proved_without_the_engines_and_computed_without_tasks() {
    let imports = imports(&sources());
    for (from, to) in UNREACHABLE {
        let way = reached(&imports, from).remove(*to);
        assert!(way.is_none(), "{from} reaches {to}: {}", way.unwrap().join(" -> "));
    }
}

/// The folder that a path inside the crate leads to: the longest prefix that is a folder. A file next to a folder of
/// its name belongs to that folder.
fn folder<'a>(folders: &'a BTreeSet<Vec<String>>, path: &[String]) -> Option<&'a Vec<String>> {
    (1..=path.len()).rev().find_map(|length| folders.get(&path[..length]))
}

#[test]
fn no_folders_import_each_other_in_a_circle() {
    let sources = sources();
    let parent = |source: &Source| {
        let whole = source.path.iter().map(|part| part.to_str().unwrap().to_owned()).collect::<Vec<_>>();
        whole[..whole.len() - 1].to_vec()
    };
    let folders: BTreeSet<Vec<String>> =
        sources.iter().map(parent).filter(|folder| !folder.is_empty()).collect();
    let mut arrows: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for source in &sources {
        let Some(own) = folder(&folders, &source.module) else { continue };
        for path in Paths::of(&source.file) {
            let Some(path) = resolved(&source.module, &path) else { continue };
            if let Some(other) = folder(&folders, &path).filter(|other| *other != own) {
                let arrows = arrows.entry(own.join("/")).or_default();
                arrows.entry(other.join("/")).or_insert_with(|| source.path.clone());
            }
        }
    }
    assert!(arrows.len() > 10, "only {} folders with imports were seen", arrows.len());
    for (from, named) in &arrows {
        for (other, file) in named {
            let back = reached(&arrows, other).remove(from);
            assert!(
                back.is_none(),
                "{} imports {other}, which leads back: {}",
                file.display(),
                back.unwrap().join(" -> ")
            );
        }
    }
}

#[test]
fn no_files_of_a_crate_use_each_other_in_a_circle() {
    let sources = sources();
    let uses = Files::of(&sources).uses();
    let seen: usize = uses.values().map(BTreeMap::len).sum();
    assert!(seen > 1000, "only {seen} uses were seen: the test no longer reads the sources");
    let printed: Vec<String> = circles(&uses).into_values().map(|lines| lines.join("\n")).collect();
    assert!(printed.is_empty(), "move what they share to a file of its own:\n{}", printed.join("\n\n"));
}

#[test]
fn circles_of_files_are_found_over_re_exports_and_others() {
    let folder = tempfile::tempdir().unwrap();
    // What each file holds, and the files of the circles.
    let found = |files: &[(&str, &str)]| -> Vec<String> {
        let _ = std::fs::remove_dir_all(folder.path().join("a"));
        for (path, text) in files {
            let path = folder.path().join("a").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let sources = sources_below(folder.path());
        let uses = Files::of(&sources).uses();
        let names = |circle: BTreeSet<&Path>| circle.iter().map(|file| file.display().to_string()).collect();
        circles(&uses)
            .into_keys()
            .map(|circle| -> Vec<String> { names(circle) })
            .map(|all| all.join(" "))
            .collect()
    };
    // A parent that declares its children and hands on what they define.
    let parent = ("lib.rs", "mod x; mod y; pub use x::X; pub use y::Y;");
    let none: &[&[(&str, &str)]] = &[
        &[parent, ("x.rs", "pub struct X;"), ("y.rs", "use super::X; pub struct Y(X);")],
        &[
            parent,
            ("x.rs", "pub struct X; #[cfg(test)] mod tests { use crate::Y; }"),
            ("y.rs", "use crate::x::X; pub struct Y(X);"),
        ],
        &[("lib.rs", "mod log; fn f() { log::info(); }"), ("log.rs", "use log::Level; pub fn info() {}")],
    ];
    for files in none {
        assert!(found(files).is_empty(), "{files:?}");
    }
    let one: &[(&[(&str, &str)], &str)] = &[
        // Over what the parent hands on.
        (
            &[parent, ("x.rs", "use crate::Y; pub struct X(Y);"), ("y.rs", "pub struct Y(super::X);")],
            "a/x a/y",
        ),
        // Over a third file, and an import under another name.
        (
            &[
                ("lib.rs", "mod x; mod y; mod z;"),
                ("x.rs", "use crate::y as other; pub fn x() { other::y() }"),
                ("y.rs", "pub fn y() { crate::z::z() }"),
                ("z/mod.rs", "pub fn z() { super::x::x() }"),
            ],
            "a/x a/y a/z/mod",
        ),
        // A child that takes what its parent defines, of a parent that uses the child.
        (
            &[("lib.rs", "mod x; pub struct A; fn f() { x::x(A) }"), ("x.rs", "pub fn x(_: super::A) {}")],
            "a/lib a/x",
        ),
        // The same where the parent has the child's name from its own `pub use`, or in a macro alone.
        (
            &[
                ("lib.rs", "mod x; pub use x::X; pub struct A(X);"),
                ("x.rs", "use super::*; pub struct X(A);"),
            ],
            "a/lib a/x",
        ),
        (
            &[
                ("lib.rs", "mod x; pub struct A; fn f() { assert!(x::x(A)) }"),
                ("x.rs", "pub fn x(_: crate::A) {}"),
            ],
            "a/lib a/x",
        ),
    ];
    for (files, circle) in one {
        assert_eq!(found(files), [*circle], "{files:?}");
    }
}

/// The macros in a text that include a file, up to their first closing parenthesis.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let after = ["include_str!(", "include_bytes!("].into_iter().flat_map(|name| text.split(name).skip(1));
    after.map(|rest| rest.split(')').next().unwrap_or(rest))
}

#[test]
fn a_published_crate_includes_only_files_of_its_own_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for path in rust_files(&root) {
        let inside = path.strip_prefix(&root).unwrap();
        let folders = inside.components().count().saturating_sub(2);
        for file in included(&std::fs::read_to_string(&path).unwrap()) {
            let ups = file.matches("../").count();
            assert!(ups <= folders, "{}: {file} would be missing in the crate on a registry", path.display());
            seen += 1;
        }
    }
    assert!(seen > 10, "only {seen} included files were seen");
}

/// Collects string literals and identifiers.
#[derive(Default)]
struct Words {
    literals: Vec<String>,
    names: Vec<String>,
}

impl<'a> Visit<'a> for Words {
    fn visit_lit_str(&mut self, literal: &'a syn::LitStr) {
        self.literals.push(literal.value());
    }

    fn visit_ident(&mut self, name: &'a syn::Ident) {
        self.names.push(name.to_string());
    }

    // Documentation is a string to the parser; it may use any words.
    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if !attribute.path().is_ident("doc") {
            visit::visit_attribute(self, attribute);
        }
    }
}

fn words(file: &syn::File) -> Words {
    let mut words = Words::default();
    words.visit_file(file);
    words
}

#[test]
fn engines_are_named_in_their_registries_alone() {
    let mckp = isx::engine::mckp::ENGINES.iter().map(|entry| entry.name);
    let knapsack = isx::engine::knapsack::ENGINES.iter().map(|entry| entry.name);
    let resources = isx::engine::resources::ENGINES.iter().map(|entry| entry.name);
    let all = mckp.chain(knapsack).chain(resources);
    let names: BTreeSet<&str> = all.collect();
    assert!(names.len() >= 3);
    let mut seen = 0;
    // Crates before the engines cannot name one; "a list" is a term of YAML there.
    for source in sources()
        .iter()
        .filter(|source| source.module[0] != "taskset" && rank(&source.module[0]) >= rank("engine"))
    {
        let registry = source.path.ends_with("mod") || source.path.ends_with("lib");
        for literal in words(&source.file).literals {
            seen += 1;
            // The name that the Parquet specification gives to the middle of a list.
            let of_parquet = literal == "list" && source.path.ends_with("parquet");
            let named = names.contains(literal.as_str()) && !of_parquet;
            assert!(registry || !named, "{} names the engine {literal}", source.path.display());
        }
    }
    assert!(seen > 300, "only {seen} literals were seen");
}

#[test]
fn engines_and_the_machine_have_no_words_for_tasks() {
    let mut seen = 0;
    for source in sources().iter().filter(|source| WITHOUT_TASKS.contains(&source.module[0].as_str())) {
        let words = words(&source.file);
        let spoken = words.literals.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let names = words.names.iter().flat_map(|name| name.split('_'));
        for word in spoken.chain(names).map(str::to_lowercase) {
            seen += 1;
            assert!(!TASK_WORDS.contains(&word.as_str()), "{} says `{word}`", source.path.display());
        }
    }
    assert!(seen > 5000, "only {seen} words were seen");
}

#[test]
fn only_words_depend_on_whether_a_set_counts_one_area() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for path in rust_files(&root.join("src")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let count = code.matches(".is_one_area()").count() + code.matches(".named_resources()").count();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        if count == 0 || name.ends_with("tests.rs") || name.contains("/tests/") {
            continue;
        }
        let allowed = AREA_OR_RESOURCES.iter().find(|(place, _)| name.starts_with(place));
        let (place, _) = allowed.unwrap_or_else(|| panic!("{name} asks whether a set counts one area"));
        *seen.entry(place).or_default() += count;
    }
    for (place, most) in AREA_OR_RESOURCES {
        let count = seen.get(place).copied().unwrap_or(0);
        assert!(
            count <= *most,
            "{place} asks {count} times whether a set counts one area, {most} are allowed"
        );
    }
    assert!(seen.contains_key("src/taskset/model/"), "the test no longer reads the sources");
}

/// Whether the word occurs in a line outside its comment.
fn says_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe")
}

#[test]
fn unsafe_code_stands_only_where_cuda_is_called() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut read, mut with_unsafe) = (0, BTreeSet::new());
    for path in
        ["src", "tests", "benchmarks", "xtask"].iter().flat_map(|folder| rust_files(&root.join(folder)))
    {
        read += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(line) = text.lines().position(says_unsafe) else { continue };
        let path = path.strip_prefix(root).unwrap();
        // This file contains the word in strings.
        if path == Path::new("tests/layering/main.rs") {
            continue;
        }
        let folder = UNSAFE_FOLDERS.iter().find(|folder| path.starts_with(folder));
        let file = UNSAFE_FILES.iter().find(|file| path == Path::new(file));
        let place = folder.or(file).unwrap_or_else(|| {
            panic!("{}:{} is unsafe: do without, or say here why it must be", path.display(), line + 1)
        });
        with_unsafe.insert(*place);
    }
    assert!(read > 300, "only {read} files were read");
    // Permissions that are not needed must be removed.
    let allowed: BTreeSet<&str> = UNSAFE_FOLDERS.iter().chain(UNSAFE_FILES).copied().collect();
    assert_eq!(with_unsafe, allowed);
    assert!(says_unsafe("let x = unsafe { f() }; // fast") && says_unsafe("pub unsafe fn f()"));
    assert!(!says_unsafe("// unsafe {}") && !says_unsafe("#![forbid(unsafe_code)]"));
}

#[test]
fn imports_of_every_form_are_seen() {
    let file = syn::parse_file(
        "use crate::{front::{Design, self}, engine as machinery};\nuse isx_machine::Machine;\nfn f() -> super::report::Row { crate::solve::go() }",
    );
    let module = ["explore".to_owned(), "deep".to_owned()];
    let paths = Paths::of(&file.unwrap());
    let found: BTreeSet<String> =
        paths.iter().filter_map(|path| resolved(&module, path)).map(|path| path.join("::")).collect();
    let wanted = [
        "explore::front::Design",
        "explore::front",
        "explore::engine",
        "explore::report::Row",
        "explore::solve::go",
        "machine::Machine",
    ];
    assert_eq!(found, wanted.map(str::to_owned).into());
    let imports = |pairs: &[(&str, &str)]| {
        let mut imports: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
        for (from, to) in pairs {
            imports.entry((*from).into()).or_default().insert((*to).into(), PathBuf::new());
        }
        imports
    };
    let way = reached(&imports(&[("report", "front"), ("front", "solve"), ("solve", "engine")]), "report");
    assert_eq!(way["engine"], ["report", "front", "solve", "engine"]);
}

#[test]
fn no_test_is_lost_where_tests_are_listed_by_hand() {
    // Without the standard harness a function under `#[test]` does not run, and no warning reports it.
    let mut rooms = 0;
    for folder in ["tests/gpu", "benchmarks/papers/tests/gpu"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let main = std::fs::read_to_string(path.join("main.rs")).unwrap();
        assert!(main.contains("fn main()"), "{folder} has the standard harness again: take out this test");
        for path in rust_files(&path) {
            let text = std::fs::read_to_string(&path).unwrap();
            let (name, stem) = (path.display(), path.file_stem().unwrap().to_str().unwrap());
            assert!(
                !text.contains("#[test]"),
                "name the test in the `trials` of {name} instead of `#[test]`"
            );
            if text.contains("pub fn trials()") {
                assert!(main.contains(&format!("{stem}::trials")), "{name} is not in the `main` of {folder}");
                rooms += 1;
            }
        }
    }
    assert!(rooms > 0);
}

#[test]
fn the_checker_knows_nothing_of_isx_and_has_no_unsafe_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/checker");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("[dependencies]\n").unwrap();
    let names: Vec<&str> = dependencies
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["num-bigint", "num-integer", "num-traits", "sha2", "thiserror"]);
    assert!(std::fs::read_to_string(root.join("lib.rs")).unwrap().contains("#![forbid(unsafe_code)]"));
    let lines: usize =
        rust_files(&root).iter().map(|path| std::fs::read_to_string(path).unwrap().lines().count()).sum();
    assert!((500..5200).contains(&lines), "{lines} lines are too many to be read, or not what they were");
}
