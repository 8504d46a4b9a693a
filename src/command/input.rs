//! Inputs: a file, or `-` for standard input, and what tells one input from another.

use super::failure::Failure;
use super::terminal;
use isx_problems::text::TextError;
use isx_taskset::{self as taskset, MAX_BYTES, Reading, TaskSet, read_file};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// How standard input is named in messages.
pub const STDIN: &str = "standard input";

/// Whether the argument stands for standard input.
pub fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Which input it was: the same file, or the same bytes, is the same input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The absolute path, where the input was a regular file.
    pub path: Option<PathBuf>,
    /// SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
}

impl Identity {
    fn of(path: Option<&Path>, bytes: &[u8]) -> Self {
        // A pipe has a path too, the same for whatever goes through it.
        let regular = path.filter(|path| path.is_file()).and_then(|path| path.canonicalize().ok());
        Self { path: regular, sha256: hexadecimal(&Sha256::digest(bytes)) }
    }
}

/// Bytes as digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a task set, tells its warnings, and says which input it was.
pub fn read_task_set(file: &Path) -> Result<(Reading, Identity), Failure> {
    let (reading, identity) = if is_stdin(file) {
        let bytes = bounded(&mut stdin()).map_err(|problem| unreadable(STDIN, &problem))?;
        (taskset::read_bytes(STDIN, &bytes)?, Identity::of(None, &bytes))
    } else {
        match File::open(file).and_then(|mut file| bounded(&mut file)) {
            Ok(bytes) => {
                (taskset::read_bytes(&file.display().to_string(), &bytes)?, Identity::of(Some(file), &bytes))
            }
            // It has its own words for what is wrong.
            Err(problem) => {
                read_file(file)?;
                return Err(unreadable(&file.display().to_string(), &problem));
            }
        }
    };
    terminal::warn(&reading.warnings);
    Ok((reading, identity))
}

/// The text of a plain problem.
pub fn read_text(file: &Path) -> Result<String, Failure> {
    let name = if is_stdin(file) { STDIN.into() } else { file.display().to_string() };
    String::from_utf8(read_bytes(file)?)
        .map_err(|_| Failure::Usage(format!("{name}: this is no text, or not in UTF-8")))
}

/// The bytes of a file, whatever they are.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let name = if is_stdin(file) { STDIN.into() } else { file.display().to_string() };
    let mut bytes = Vec::new();
    let read = if is_stdin(file) {
        stdin().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(file).map(|read| bytes = read)
    };
    read.map_err(|problem| unreadable(&name, &problem))?;
    Ok(bytes)
}

/// The bytes of a file, if there are at most so many.
pub fn read_at_most(file: &Path, most: u64) -> Result<Option<Vec<u8>>, Failure> {
    let mut bytes = Vec::new();
    let read = if is_stdin(file) {
        stdin().take(most.saturating_add(1)).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut bytes))
    };
    let name = if is_stdin(file) { STDIN.into() } else { file.display().to_string() };
    read.map_err(|problem| unreadable(&name, &problem))?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// The task set in these bytes of a file; tells its warnings.
pub fn parse_task_set(file: &Path, bytes: &[u8]) -> Result<TaskSet, Failure> {
    let name = if is_stdin(file) { STDIN.into() } else { file.display().to_string() };
    let reading = taskset::read_bytes(&name, bytes)?;
    terminal::warn(&reading.warnings);
    Ok(reading.task_set)
}

/// The files, each folder replaced by its files with one of these endings in the order of their names. A folder that has
/// none, or cannot be read, stays as it is, to be refused in its place.
pub fn with_folders(paths: &[PathBuf], endings: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        let mut inside = files_of(path, endings).unwrap_or_default();
        inside.sort();
        if inside.is_empty() {
            inside.push(path.clone());
        }
        files.append(&mut inside);
    }
    files
}

fn files_of(folder: &Path, endings: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_wanted = path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted));
        if is_wanted && !path.is_dir() {
            files.push(path);
        }
    }
    Ok(files)
}

/// Standard input; says so where a person would have to type it.
pub fn stdin() -> io::StdinLock<'static> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        terminal::note("reading from the keyboard; end with Ctrl-D on a line of its own");
    }
    stdin.lock()
}

/// All bytes, or one more than a task set may have, which is refused by the reader.
fn bounded(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file that is no text of a plain problem.
pub fn misunderstood(file: &Path, problem: &TextError) -> Failure {
    let name = if is_stdin(file) { STDIN.into() } else { file.display().to_string() };
    Failure::Usage(format!("{name}: {problem}"))
}

/// A value of `--capacity` that is not one.
pub fn wrong_capacity(capacity: &str, problem: &TextError) -> Failure {
    Failure::Usage(match problem {
        TextError::Number { .. } => {
            format!(
                "--capacity: `{capacity}` is not a capacity; give a number such as 12 or 1.5, not below 0"
            )
        }
        problem => format!("--capacity {capacity}: {problem}"),
    })
}

fn unreadable(name: &str, problem: &io::Error) -> Failure {
    Failure::Usage(format!("{name}: {problem}"))
}
