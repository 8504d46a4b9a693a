//! A trial of an archive as its reader makes it: unpacked into an empty folder, where no cargo is on the path, it must
//! answer README's first example as README prints it.

use super::archive;
use super::names::Names;
use super::target::Target;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::process::Command;

/// What README's examples begin with; in an archive it is the program that is run.
const FROM_SOURCE: &str = "cargo run --release -- ";

/// The line of `sha256sum`, which `sha256sum --check` reads.
pub fn checksum(name: &str, archive: &[u8]) -> String {
    let digest = Sha256::digest(archive);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{hex}  {name}\n")
}

/// Reads the archive and its checksum from `out` and tries them. Returns what was done, for the user.
///
/// # Errors
///
/// If the checksum is wrong, a file is missing, or the answer is not README's.
pub fn run(out: &Path, names: &Names, target: &Target) -> Result<String, String> {
    let read = |name: &str| {
        let path = out.join(name);
        std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let packed = read(&names.archive)?;
    if read(&format!("{}.sha256", names.archive))? != checksum(&names.archive, &packed).as_bytes() {
        return Err(format!("{}.sha256 is the checksum of another archive", names.archive));
    }
    let folder = tempfile::tempdir().map_err(|error| format!("a temporary folder: {error}"))?;
    archive::unpack(&packed, folder.path()).map_err(|error| format!("{}: {error}", names.archive))?;
    let folder = folder.path().join(&names.folder);
    let readme = std::fs::read_to_string(folder.join("README.md"))
        .map_err(|error| format!("{}/README.md in {}: {error}", names.folder, names.archive))?;
    let (words, shown) = first_example(&readme)?;
    let Some(printed) = answer(&folder, target, &words)? else {
        return Ok(format!("unpacked, not run: this machine does not run programs for {}", target.triple));
    };
    if !is_shown(&shown, &printed) {
        return Err(format!(
            "`isx {words}` from the archive printed\n{printed}\nREADME shows\n{}",
            shown.join("\n")
        ));
    }
    Ok(format!("unpacked and run: `isx {words}` answers as in README"))
}

/// The arguments of README's first command from source, and the lines that README shows of its answer.
fn first_example(readme: &str) -> Result<(String, Vec<&str>), String> {
    let mut lines = readme.lines();
    let words = lines.find_map(|line| line.strip_prefix(FROM_SOURCE));
    let words = words.ok_or(format!("README has no line that begins with `{FROM_SOURCE}`"))?;
    let shown: Vec<&str> =
        lines.skip_while(|line| *line != "```text").skip(1).take_while(|line| *line != "```").collect();
    if shown.len() < 5 {
        return Err("README shows no answer of its first example".into());
    }
    Ok((words.to_owned(), shown))
}

/// What the program in the folder prints where no other program is on the path; nothing if it cannot be started.
fn answer(folder: &Path, target: &Target, words: &str) -> Result<Option<String>, String> {
    let program = folder.join(target.program());
    let run = |words: &str| {
        let mut line = target.runner();
        line.push(program.display().to_string());
        line.extend(words.split_whitespace().map(str::to_owned));
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).env("PATH", "").current_dir(folder);
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        for name in names.filter(|name| ["CARGO", "RUST", "ISX"].iter().any(|word| name.starts_with(word))) {
            command.env_remove(name);
        }
        command.output()
    };
    if !run("--version").is_ok_and(|ran| ran.status.success()) {
        return Ok(None);
    }
    let ran = run(words).map_err(|error| format!("{}: {error}", program.display()))?;
    if ran.status.success() {
        Ok(Some(String::from_utf8_lossy(&ran.stdout).into_owned()))
    } else {
        Err(format!("`isx {words}` from the archive failed: {}", String::from_utf8_lossy(&ran.stderr)))
    }
}

/// Whether the lines shown are printed one after another; three dots stand for any lines, and more may follow.
fn is_shown(shown: &[&str], printed: &str) -> bool {
    let mut printed = printed.lines();
    let mut skip = false;
    shown.iter().all(|line| {
        let is_gap = line.trim() == "...";
        let found =
            is_gap || if skip { printed.any(|other| other == *line) } else { printed.next() == Some(line) };
        skip = is_gap;
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_a_line_of_sha256sum() {
        assert_eq!(
            checksum("isx.zip", b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  isx.zip\n"
        );
    }

    #[test]
    fn lines_are_compared_in_order_and_dots_stand_for_any() {
        let printed = "a\nb\nc\nd\nnote\n";
        assert!(is_shown(&["a", "b"], printed));
        assert!(is_shown(&["a", "...", "d"], printed));
        assert!(is_shown(&["a", "  ...", "b", "c"], printed));
        assert!(!is_shown(&["b"], printed));
        assert!(!is_shown(&["a", "c"], printed));
        assert!(!is_shown(&["a", "...", "d", "e"], printed));
    }

    #[test]
    fn readme_has_a_first_example() {
        let readme = std::fs::read_to_string(crate::workspace::root().unwrap().join("README.md")).unwrap();
        let (words, shown) = first_example(&readme).unwrap();
        assert!(words.starts_with("explore tasksets/"), "{words}");
        assert!(shown.iter().any(|line| line.starts_with("Minimal schedulable costs")), "{shown:?}");
        assert!(first_example("# isx\n").is_err());
    }
}
