//! A software bill of materials: every crate that isx is built from, in CycloneDX's JSON, by the cargo-cyclonedx tool.

use crate::workspace;
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
    let root = workspace::root()?;
    let words = ["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5", "--all-features"];
    let mut tool = Command::new("cargo");
    tool.args(words).args(["--override-filename", NAME]).current_dir(&root);
    // The same commit gives the same file.
    tool.env("SOURCE_DATE_EPOCH", workspace::commit_time().to_string());
    match tool.status() {
        Ok(status) if status.success() => {}
        _ => return Err(format!("`cargo cyclonedx` did not do it; it comes with `{INSTALL}`")),
    }
    let file = root.join(NAME).with_extension("cdx.json");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    for folder in member_folders()? {
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
fn member_folders() -> Result<Vec<String>, String> {
    let metadata = workspace::metadata(&["--no-deps"])?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifests = packages.filter_map(|package| package["manifest_path"].as_str());
    Ok(manifests.filter_map(|path| path.strip_suffix("/Cargo.toml")).map(str::to_owned).collect())
}
