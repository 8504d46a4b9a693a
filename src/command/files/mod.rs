//! Files that the command reads and writes: `-` stands for standard input and output.

pub mod kinds;
pub mod ordered;
pub mod origin;
pub mod several;

use super::failure::Failure;
use super::terminal::progress::Shown;
use super::terminal::{self, Talk};
use isx_import::Files;
use isx_report::files::{check_place, write_whole};
use isx_report::written::PARQUET_MAGIC;
use isx_taskset::{self as taskset, MAX_BYTES, Reading, read_file};
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// How standard input is named in messages.
pub const STDIN: &str = "standard input";

/// The largest input that is no regular file: one that does not end must not take all memory.
const MOST_STREAMED: u64 = 4 << 30;

/// Whether the argument stands for standard input or output.
pub fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// The input's name in messages.
pub fn name(file: &Path) -> String {
    if is_stdin(file) { STDIN.into() } else { file.display().to_string() }
}

/// The error for an input that cannot be read or has invalid content.
pub fn unreadable(file: &Path, problem: &dyn Display) -> Failure {
    Failure::Usage(format!("{}: {problem}", name(file)))
}

/// Standard input; prints a hint if a person would have to type it.
pub fn stdin() -> io::StdinLock<'static> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        terminal::note("reading from the keyboard; end with Ctrl-D on a line of its own");
    }
    stdin.lock()
}

/// Opens the input.
pub fn open(file: &Path) -> Result<Box<dyn Read>, Failure> {
    if is_stdin(file) {
        return Ok(Box::new(stdin()));
    }
    Ok(Box::new(File::open(file).map_err(|problem| unreadable(file, &problem))?))
}

/// As [`open`], and shows how much of a front is read.
pub fn open_front(file: &Path) -> Result<Box<dyn Read>, Failure> {
    let bytes = file.metadata().ok().filter(|about| about.is_file()).map(|about| about.len());
    Ok(Box::new(Shown::new(open(file)?, "reading", bytes)))
}

/// The file, if it is a regular one that begins as Parquet does.
pub fn parquet_file(file: &Path) -> Option<File> {
    if is_stdin(file) || !file.is_file() {
        return None;
    }
    let (mut opened, mut magic) = (File::open(file).ok()?, Vec::new());
    Read::by_ref(&mut opened).take(PARQUET_MAGIC.len() as u64).read_to_end(&mut magic).ok()?;
    opened.rewind().ok()?;
    (magic == PARQUET_MAGIC).then_some(opened)
}

/// The bytes of an input, without interpreting them; of more than [`MOST_STREAMED`] bytes only where it is a regular file.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    if !is_stdin(file) && file.is_file() {
        return std::fs::read(file).map_err(|problem| unreadable(file, &problem));
    }
    read_streamed(file, MOST_STREAMED)
}

/// The bytes of an input that need not end; more than `most` are an error.
fn read_streamed(file: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let bytes = read_beginning(file, most + 1)?;
    if bytes.len() as u64 > most {
        let problem =
            format!("this is no regular file and goes on after {most} bytes, the limit for such an input");
        return Err(unreadable(file, &problem));
    }
    Ok(bytes)
}

/// The first bytes of an input, at most `most` of them.
pub fn read_beginning(file: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = open(file)?.take(most).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|problem| unreadable(file, &problem))
}

/// The text of a plain problem.
pub fn read_text(file: &Path) -> Result<String, Failure> {
    as_text(file, read_bytes(file)?)
}

/// The bytes of an input as text.
pub fn as_text(file: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|_| unreadable(file, &"this is no text, or not in UTF-8"))
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
    fn of(file: &Path, bytes: &[u8]) -> Self {
        // A pipe has a path too, but the path does not identify its content.
        let regular = Some(file).filter(|file| !is_stdin(file) && file.is_file());
        let path = regular.and_then(|file| file.canonicalize().ok());
        Self { path, sha256: hexadecimal(&Sha256::digest(bytes)) }
    }

    /// Several inputs: a folder, by its path, or a list of files, by their paths.
    pub fn of_several(arguments: &[PathBuf], files: &[PathBuf]) -> Self {
        let path = match arguments {
            [folder] if folder.is_dir() => folder.canonicalize().ok(),
            _ => None,
        };
        let mut digest = Sha256::new();
        for file in files {
            let file = file.canonicalize().unwrap_or_else(|_| file.clone());
            digest.update(file.as_os_str().as_encoded_bytes());
            digest.update([0]);
        }
        Self { path, sha256: hexadecimal(&digest.finalize()) }
    }

    /// Whether this is the same input: the same path, or the same bytes.
    pub fn is_as(&self, other: &Self) -> bool {
        self.sha256 == other.sha256 || (self.path.is_some() && self.path == other.path)
    }
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A stream whose bytes are hashed as they pass.
pub struct Hashed<S> {
    stream: S,
    digest: Sha256,
}

impl<S> Hashed<S> {
    pub fn new(stream: S) -> Self {
        Self { stream, digest: Sha256::new() }
    }

    /// The SHA-256 of the bytes read so far.
    pub fn digest(self) -> [u8; 32] {
        self.digest.finalize().into()
    }
}

impl<S: Read> Read for Hashed<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.digest.update(&buffer[..count]);
        Ok(count)
    }
}

/// Reads a task set, prints its warnings, and returns which input it was.
pub fn read_task_set(file: &Path) -> Result<(Reading, Identity), Failure> {
    let (reading, identity) = read_silently(file)?;
    warn(&reading);
    Ok((reading, identity))
}

/// As [`read_task_set`], without printing warnings.
pub fn read_silently(file: &Path) -> Result<(Reading, Identity), Failure> {
    // One byte more than a task set may have, so that its reader refuses longer files.
    let bytes = read_beginning(file, MAX_BYTES + 1).or_else(|failure| {
        if !is_stdin(file) {
            // The error already describes what is wrong.
            read_file(file)?;
        }
        Err(failure)
    })?;
    let reading = parse_silently(file, &bytes)?;
    // Reports belong to the input: the text with their numbers is the set.
    let text = reading.measured.as_ref().map_or(bytes.as_slice(), |measured| measured.text.as_bytes());
    let identity = Identity::of(file, text);
    Ok((reading, identity))
}

/// Prints the warnings about a task set; those about a generated set only with --verbose.
pub fn warn(reading: &Reading) {
    if !reading.task_set.is_generated() || terminal::talk() == Talk::Verbose {
        terminal::warn(&reading.warnings);
    }
}

/// Reads the reports that a task set names, from its folder on; standard input has none.
pub fn files_beside(file: &Path) -> Files {
    if is_stdin(file) { Files::default() } else { Files::beside(file) }
}

/// Parses the task set in a file's bytes, without printing its warnings.
pub fn parse_silently(file: &Path, bytes: &[u8]) -> Result<Reading, Failure> {
    taskset::read_beside(&name(file), bytes, &files_beside(file)).map_err(|error| {
        match kinds::no_task_set(file) {
            Some(explanation) => unreadable(file, &explanation),
            None => error.into(),
        }
    })
}

/// The output file: the requested one, else the input's name with this ending; `None` for standard output.
pub fn place(output: Option<&Path>, input: &Path, ending: &str) -> Option<PathBuf> {
    let asked = output.map(Path::to_owned);
    let file =
        asked.unwrap_or_else(|| if is_stdin(input) { input.into() } else { input.with_extension(ending) });
    (!is_stdin(&file)).then_some(file)
}

/// Refuses to write over a file, which may have been edited by hand.
pub fn refuse_to_replace(output: &Path) -> Result<(), Failure> {
    check_place(output)?;
    if output.symlink_metadata().is_ok_and(|about| about.is_file()) {
        return Err(Failure::Exists(format!("`{}` is there already", output.display())));
    }
    Ok(())
}

/// Writes the file and reports it; writes to standard output if there is no file, or it is `-`.
pub fn deliver(
    file: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    match file.filter(|file| !is_stdin(file)) {
        Some(file) => {
            write_whole(file, |out| write(out))?;
            terminal::note(&format!("wrote {}", file.display()));
        }
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write(&mut out)?;
            out.flush()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn an_input_without_end_is_refused() {
        let endless = Path::new("/dev/zero");
        let words =
            "/dev/zero: this is no regular file and goes on after 1000 bytes, the limit for such an input";
        assert_eq!(read_streamed(endless, 1000).unwrap_err().to_string(), words);
        assert!(read_streamed(Path::new("/dev/null"), 0).unwrap().is_empty());
    }
}
