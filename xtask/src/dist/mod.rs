//! `cargo xtask dist`: an archive with the command for one target, and its checksum.
//!
//! The archive holds one folder: the command, with Parquet; README, CHANGELOG and licences, those of linked crates too;
//! completions and manual pages; the book and the task sets. It is tried before it is announced.

mod archive;
mod licences;
mod names;
mod target;
mod trial;

use crate::workspace::{self, output};
use names::Names;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use target::{Build, Target};

/// What `cargo xtask dist` is asked for.
pub struct Options {
    /// Rust's name of the target; this machine's if there is none.
    pub target: Option<String>,
    /// The folder for the archive, seen from the workspace.
    pub out: PathBuf,
    /// The profile of `Cargo.toml` that the command is built with.
    pub profile: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: None, out: "target/dist-archives".into(), profile: "dist".into() }
    }
}

/// A file of an archive.
pub struct File {
    /// Its path in the archive, with `/` between folders.
    pub path: String,
    pub bytes: Vec<u8>,
    pub is_program: bool,
}

impl File {
    fn text(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), bytes: text.as_bytes().to_vec(), is_program: false }
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// The package that is published: the library and the command.
const PACKAGE: &str = "isx-pareto";
/// What the archive has of the repository.
const COPIED: [&str; 5] = ["README.md", "CHANGELOG.md", "LICENSE-*", "docs", "tasksets"];
/// Shells, and what each calls a file of completions.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "isx.bash"),
    ("elvish", "isx.elv"),
    ("fish", "isx.fish"),
    ("powershell", "_isx.ps1"),
    ("zsh", "_isx"),
];

/// Builds the command, packs the archive, writes it with its checksum, and tries it.
///
/// # Errors
///
/// One sentence: what is missing and what installs it, or what failed.
pub fn run(options: &Options) -> Result<(), String> {
    let target = Target::new(options.target.as_deref())?;
    let names = Names::new(&package()?, &target)?;
    let program = build(&target, &options.profile)?;
    let bytes = read(&program)?;
    let glibc = target::glibc(&bytes);
    let mut files = vec![File { path: target.program().into(), bytes, is_program: true }];
    for path in output("git", &[&["ls-files", "--"], &COPIED[..]].concat())?.lines() {
        files.push(File {
            path: path.into(),
            bytes: read(&workspace::root()?.join(path))?,
            is_program: false,
        });
    }
    files.push(File::text("LICENSES-THIRD-PARTY.txt", &licences::collect(PACKAGE, &target.triple)?));
    files.extend(completions_and_manual(&Speaker::new(&program, &target))?);
    for file in &mut files {
        file.path = format!("{}/{}", names.folder, file.path);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));

    let packed = archive::pack(&files, workspace::commit_time());
    let packed = packed.map_err(|error| format!("{}: {error}", names.archive))?;
    let out = workspace::root()?.join(&options.out);
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let sum = trial::checksum(&names.archive, &packed);
    write(&out.join(&names.archive), &packed)?;
    write(&out.join(format!("{}.sha256", names.archive)), sum.as_bytes())?;

    let tried = trial::run(&out, &names, &target)?;
    println!("{}", out.join(&names.archive).display());
    println!("  {} files, {:.1} MB, SHA-256 beside it", files.len(), packed.len() as f64 / 1e6);
    println!("  {}", needs(&target, glibc.as_deref()));
    println!("  {tried}");
    Ok(())
}

/// The package as `cargo metadata` shows it.
fn package() -> Result<Value, String> {
    let mut metadata = workspace::metadata(&["--no-deps"])?;
    let packages = metadata["packages"].as_array_mut().ok_or("cargo metadata shows no packages")?;
    let at = packages.iter().position(|package| package["name"] == PACKAGE);
    at.map(|at| packages.swap_remove(at)).ok_or(format!("the workspace has no package {PACKAGE}"))
}

/// Builds the command; returns its path.
fn build(target: &Target, profile: &str) -> Result<PathBuf, String> {
    let (verb, name) = match &target.build {
        Build::Native => ("build", None),
        Build::System => ("build", Some(&target.triple)),
        Build::Zig(name) => ("zigbuild", Some(name)),
    };
    let mut words = vec![verb, "--locked", "--package", PACKAGE, "--bin", "isx", "--features", "full"];
    words.extend(["--profile", profile]);
    if let Some(name) = name {
        words.extend(["--target", name]);
    }
    let built = Command::new("cargo").args(&words).current_dir(workspace::root()?).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err(format!("`cargo {}` failed", words.join(" ")));
    }
    let metadata = workspace::metadata(&["--no-deps"])?;
    let mut folder = PathBuf::from(metadata["target_directory"].as_str().unwrap_or("target"));
    if name.is_some() {
        folder.push(&target.triple);
    }
    // Cargo calls the folder of the profile `dev` `debug`.
    Ok(folder.join(if profile == "dev" { "debug" } else { profile }).join(target.program()))
}

/// Who prints completions and manual pages: the command itself where this machine runs it, else one that is built for
/// this machine. Both print the same.
struct Speaker(Vec<String>);

impl Speaker {
    fn new(program: &Path, target: &Target) -> Self {
        let mut line = target.runner();
        line.push(program.display().to_string());
        let runs = Command::new(&line[0]).args(&line[1..]).arg("--version").output();
        if !runs.is_ok_and(|ran| ran.status.success()) {
            let own = ["cargo", "run", "--quiet", "--locked", "--package", PACKAGE, "--bin", "isx", "--"];
            line = own.map(str::to_owned).to_vec();
        }
        Self(line)
    }

    fn says(&self, words: &[&str]) -> Result<String, String> {
        let line: Vec<&str> = self.0[1..].iter().map(String::as_str).chain(words.iter().copied()).collect();
        output(&self.0[0], &line)
    }
}

/// A file of completions per shell, and a manual page per subcommand.
fn completions_and_manual(isx: &Speaker) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for (shell, name) in SHELLS {
        files.push(File::text(&format!("completions/{name}"), &isx.says(&["completions", shell])?));
    }
    let mut open = vec!["isx".to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let words: Vec<&str> = std::iter::once("man").chain(name.split('-').skip(1)).collect();
        let page = isx.says(&words)?;
        open.extend(linked_pages(&page));
        files.push(File::text(&format!("man/{name}.1"), &page));
    }
    Ok(files)
}

/// The pages of subcommands that a manual page refers to: `isx\-solve(1)` is `isx-solve`.
fn linked_pages(page: &str) -> Vec<String> {
    let links = page.lines().filter_map(|line| line.strip_suffix("(1)"));
    let names = links.map(|link| link.replace('\\', "")).filter(|name| name.starts_with("isx-"));
    // Help is not a page of its own.
    names.filter(|name| !name.ends_with("-help")).collect()
}

/// What a machine must have to run the command.
fn needs(target: &Target, glibc: Option<&str>) -> String {
    match glibc {
        Some(version) => {
            format!("needs Linux with glibc {version} or newer; finds the GPU of an NVIDIA driver")
        }
        None if target.triple.ends_with("-musl") => "static: runs on any Linux, on the CPU alone".into(),
        None => format!("for {}", target.triple),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manual_pages_lead_to_those_of_subcommands() {
        let page =
            ".SH SUBCOMMANDS\n.TP\nisx\\-explore(1)\nText\n.TP\nisx\\-solve\\-mckp(1)\n.TP\nisx\\-help(1)\n";
        assert_eq!(linked_pages(page), ["isx-explore", "isx-solve-mckp"]);
    }
}
