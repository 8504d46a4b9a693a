//! The book (`docs/`): runs every command in it as printed, and compares the output with the book's.
//!
//! The blocks of a chapter run in order, in one directory that contains `tasksets/`: `sh` is run by a shell that
//! stops at the first failure; `text` after it is its standard output, where a line of three dots stands for any
//! lines; `yaml file=NAME` (or csv, json) is written to that file. `sh install` is not run here, and its lines are
//! listed in [`INSTALLING`]; `sh full` and the output after it need the feature of that name. README's questions are
//! commands, too.

use super::scene::{Ran, Scene};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Commands that a reader runs once to install isx, and others that are tested elsewhere.
const INSTALLING: &[&str] = &[
    "cargo install --path .",
    "cargo install --path . --features full",
    "pip install python/",
    "pip install ./isx_pareto-0.1.0-cp311-abi3-linux_x86_64.whl",
    // `cargo xtask dist` unpacks what it has packed, and runs README's first example there.
    "sha256sum --check isx-0.1.0-x86_64-unknown-linux-gnu.tar.gz.sha256",
    "tar -xzf isx-0.1.0-x86_64-unknown-linux-gnu.tar.gz",
    "cd isx-0.1.0-x86_64-unknown-linux-gnu",
    "./isx explore tasksets/micro-inverter.yaml",
    "podman build -t isx .",
    "podman run --rm -v \"$PWD:/work\" isx explore gateway.yaml",
    "podman build -t isx-cuda --target cuda .",
    "podman run --rm --device nvidia.com/gpu=all -v \"$PWD:/work\" isx-cuda engines",
];

/// A fenced block of a chapter.
struct Block {
    /// The info string after the fence.
    about: String,
    body: String,
    line: usize,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn chapters() -> Vec<PathBuf> {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let linked = summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    linked.map(|name| root().join("docs").join(name)).collect()
}

fn blocks(chapter: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(chapter).unwrap();
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((line, fence)) = lines.next() {
        let Some(about) = fence.strip_prefix("```") else { continue };
        let body: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        blocks.push(Block { about: about.to_owned(), body: body.join("\n") + "\n", line: line + 1 });
    }
    blocks
}

/// A directory with the task sets and the sweeps of the repository.
fn scene() -> Scene {
    let scene = Scene::new();
    for folder in ["tasksets", "benchmarks/sweeps"] {
        std::fs::create_dir_all(scene.path(folder)).unwrap();
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, scene.path(folder).join(path.file_name().unwrap())).unwrap();
        }
    }
    scene
}

fn run(scene: &Scene, script: &str) -> Ran {
    let isx = Path::new(env!("CARGO_BIN_EXE_isx")).parent().unwrap();
    let path = format!("{}:{}", isx.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-euc", script]).current_dir(scene.path("")).env("PATH", path).stdin(Stdio::null());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"] {
        shell.env_remove(variable);
    }
    Ran::of(&mut shell)
}

/// Whether `printed` matches `shown`, in which a line of three dots stands for any lines.
fn is_shown(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [dots, rest @ ..] if dots.trim() == "..." => {
            (0..=printed.len()).any(|from| is_shown(rest, &printed[from..]))
        }
        [line, rest @ ..] => {
            printed.first().is_some_and(|first| first.trim_end() == line.trim_end())
                && is_shown(rest, &printed[1..])
        }
    }
}

/// Runs a chapter; returns the number of blocks that were run, and of those whose output was compared.
fn follow(chapter: &Path) -> (usize, usize) {
    let (scene, mut printed) = (scene(), None);
    let (mut commands, mut compared) = (0, 0);
    for block in blocks(chapter) {
        let place = format!("{}:{}", chapter.display(), block.line);
        let (kind, more) = block.about.split_once(' ').unwrap_or((&block.about, ""));
        match (kind, more) {
            ("sh", "full") if cfg!(not(feature = "parquet")) => printed = None,
            ("text", "") if cfg!(not(feature = "parquet")) && printed.is_none() => {}
            ("sh", "" | "full") => {
                let ran = run(&scene, &block.body);
                assert_eq!(ran.code, 0, "{place}: {ran:#?}");
                printed = Some(ran.stdout);
                commands += 1;
            }
            ("sh", "install") => {
                for line in block.body.lines() {
                    let line = line.split("   #").next().unwrap().trim_end();
                    assert!(INSTALLING.contains(&line), "{place}: no test runs `{line}`");
                }
            }
            ("text", "") => {
                let output = printed.take().unwrap_or_else(|| panic!("{place}: output of no command"));
                let shown: Vec<&str> = block.body.trim_end().lines().collect();
                let real: Vec<&str> = output.trim_end().lines().collect();
                assert!(is_shown(&shown, &real), "{place}: shown\n{}\nprinted\n{output}", block.body);
                compared += 1;
            }
            (_, more) if more.starts_with("file=") => scene.write(&more["file=".len()..], &block.body),
            ("sh" | "text", _) => panic!("{place}: unknown words `{more}`"),
            _ => {}
        }
    }
    (commands, compared)
}

#[test]
fn every_command_of_the_book_does_what_is_printed() {
    let chapters = chapters();
    let (mut commands, mut compared) = (0, 0);
    for chapter in &chapters {
        let (run, shown) = follow(chapter);
        (commands, compared) = (commands + run, compared + shown);
    }
    println!("{} chapters, {commands} blocks run, {compared} outputs compared", chapters.len());
    assert!(chapters.len() >= 9 && commands >= 30 && compared >= 15);
}

/// The anchors that mdBook generates for the headings of a chapter.
fn anchors(chapter: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(chapter).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect()
    };
    headings.map(|heading| anchor(heading).replace(' ', "-")).collect()
}

/// The links of a chapter that lead nowhere in the built book, which contains the chapters and their pictures.
fn leads_nowhere(chapter: &Path, link: &str) -> bool {
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { chapter.to_path_buf() } else { chapter.with_file_name(file) };
    let is_picture = target.extension().is_some_and(|ending| ending == "svg") && target.exists();
    let is_there = || {
        is_picture
            || chapters().contains(&target)
                && (place.is_empty() || anchors(&target).contains(&place.to_owned()))
    };
    !link.starts_with("https://") && !is_there()
}

#[test]
fn its_links_lead_somewhere_in_the_built_book() {
    for chapter in chapters() {
        let text = std::fs::read_to_string(&chapter).unwrap();
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            assert!(!leads_nowhere(&chapter, link), "{}: {link}", chapter.display());
        }
    }
    let model = root().join("docs/model.md");
    for (link, is_wrong) in [
        ("trust.md", false),
        ("trust.md#four-layers", false),
        ("#what-goes-in", false),
        ("trust.md#five-layers", true),
        ("none.md", true),
        ("book.toml", true),
        ("custom-instructions.svg", false),
        ("none.svg", true),
        ("../README.md", true),
    ] {
        assert_eq!(leads_nowhere(&model, link), is_wrong, "{link}");
    }
}

#[test]
fn the_files_that_it_names_are_there() {
    let mut named = 0;
    for chapter in chapters() {
        let text = std::fs::read_to_string(&chapter).unwrap();
        for name in text.split('`').skip(1).step_by(2) {
            let is_of_the_project = ["benchmarks/", "python/", "src/", "tasksets/", "tests/"]
                .iter()
                .any(|folder| name.starts_with(folder));
            if is_of_the_project && !name.contains([' ', '\n', '<']) {
                assert!(root().join(name).exists(), "{}: {name}", chapter.display());
                named += 1;
            }
        }
    }
    assert!(named >= 8, "{named} files are named");
}

/// README's table of questions: each command runs, and ends with an answer.
#[test]
fn every_question_of_readme_is_answered() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let scene = scene();
    std::os::unix::fs::symlink(root().join("benchmarks/measured"), scene.path("benchmarks/measured"))
        .unwrap();
    let (_, table) = readme.split_once("| question | command |\n|---|---|\n").unwrap();
    let mut answered = 0;
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        let command = row.split('`').nth(1).unwrap();
        let ran = run(&scene, &command.replace("SET", "tasksets/micro-inverter.yaml"));
        assert!([0, 1].contains(&ran.code) && !ran.stdout.is_empty(), "{row}: {ran:#?}");
        answered += 1;
    }
    assert_eq!(answered, 10);
    let example = readme.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    scene.write("demo.yaml", example);
    scene.isx("check demo.yaml").code(0);
}

#[test]
fn output_is_compared_line_by_line() {
    assert!(is_shown(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(is_shown(&["a", "..."], &["a"]));
    assert!(!is_shown(&["a", "...", "d"], &["a", "b", "c"]));
    assert!(!is_shown(&["a"], &["a", "b"]));
}
