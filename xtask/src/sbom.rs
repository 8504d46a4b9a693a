//! A software bill of materials: every crate that isx is built from, in CycloneDX's JSON, by the cargo-cyclonedx tool.

use std::path::Path;
use std::process::Command;

/// The tool, and the version that this was tried with.
const INSTALL: &str = "cargo install cargo-cyclonedx --version 0.5.9 --locked --debug";
/// What the tool calls its files, one beside each Cargo.toml of the workspace.
const NAME: &str = "isx.cdx";
/// Where the one of isx goes.
const FOLDER: &str = "target/sbom";

/// Writes `target/sbom/isx.cdx.json`: all features, no time of the day, and no path of this machine.
///
/// # Errors
///
/// What is missing, in words.
pub fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no folder above it")?;
    let root = root.canonicalize().map_err(|error| format!("the workspace's folder: {error}"))?;
    let words = ["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5", "--all-features"];
    let mut tool = Command::new("cargo");
    tool.args(words).args(["--override-filename", NAME]).current_dir(&root);
    // The same commit gives the same file.
    tool.env("SOURCE_DATE_EPOCH", commit_time(&root));
    match tool.status() {
        Ok(status) if status.success() => {}
        _ => return Err(format!("`cargo cyclonedx` did not do it; it comes with `{INSTALL}`")),
    }
    let file = root.join(NAME).with_extension("cdx.json");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    for folder in member_folders(&root)? {
        let beside = Path::new(&folder).join(NAME).with_extension("cdx.json");
        std::fs::remove_file(&beside).map_err(|error| format!("{}: {error}", beside.display()))?;
    }
    let text = text.replace(&format!("file://{}", root.display()), "file://.");
    let out = root.join(FOLDER);
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let out = out.join(NAME).with_extension("cdx.json");
    std::fs::write(&out, &text).map_err(|error| format!("{}: {error}", out.display()))?;
    println!("{FOLDER}/{NAME}.json: {} components", text.matches("\"bom-ref\":").count());
    Ok(())
}

/// The folders of the workspace's members, in each of which the tool has left a file.
fn member_folders(root: &Path) -> Result<Vec<String>, String> {
    let words = ["metadata", "--no-deps", "--format-version", "1"];
    let told = Command::new("cargo").args(words).current_dir(root).output();
    let text = told.map_err(|error| format!("cargo metadata: {error}"))?.stdout;
    let told: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = told["packages"].as_array().into_iter().flatten();
    let manifests = packages.filter_map(|package| package["manifest_path"].as_str());
    Ok(manifests.filter_map(|path| path.strip_suffix("/Cargo.toml")).map(str::to_owned).collect())
}

/// The seconds of the last commit, 0 where there is none.
fn commit_time(root: &Path) -> String {
    let told = Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root).output();
    let text = told.map(|told| String::from_utf8_lossy(&told.stdout).trim().to_owned()).unwrap_or_default();
    if text.is_empty() { "0".into() } else { text }
}
