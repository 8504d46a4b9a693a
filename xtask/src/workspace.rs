//! What every chore asks of the workspace: its folder, its packages, the time of its last commit, and cargo itself.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace.
///
/// # Errors
///
/// If it is not there any more.
pub fn root() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no folder above it")?;
    root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))
}

/// Runs a program in the folder of the workspace and returns what it prints.
///
/// # Errors
///
/// If it cannot be started or fails; the message contains what it says.
pub fn output(program: &str, words: &[&str]) -> Result<String, String> {
    let line = || format!("`{program} {}`", words.join(" "));
    let ran = Command::new(program).args(words).current_dir(root()?).output();
    let ran = ran.map_err(|error| format!("{}: {error}", line()))?;
    if !ran.status.success() {
        return Err(format!("{} failed: {}", line(), String::from_utf8_lossy(&ran.stderr).trim()));
    }
    String::from_utf8(ran.stdout).map_err(|error| format!("{}: {error}", line()))
}

/// What `cargo metadata` prints with these words.
///
/// # Errors
///
/// If cargo fails, or prints something else than JSON.
pub fn metadata(words: &[&str]) -> Result<Value, String> {
    let all = [&["metadata", "--locked", "--format-version", "1"], words].concat();
    serde_json::from_str(&output("cargo", &all)?).map_err(|error| format!("cargo metadata: {error}"))
}

/// The time of the last commit in seconds, 0 if there is none: the same commit gives the same files.
pub fn commit_time() -> u64 {
    let printed = output("git", &["log", "-1", "--format=%ct"]);
    printed.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}
