//! `--checkpoint` and `--resume`: saves the state of a long run in a file, and resumes a run from it.
//!
//! The file consists of a line `isx.checkpoint/1`, a line of JSON (the version of isx, the engine, and the SHA-256 of
//! every problem begun so far; the state belongs to the last one), the state in the engine's own format, and the
//! SHA-256 of all of these. It is replaced atomically. A set whose designs run at several clocks is several problems;
//! those before the last are solved again.

use crate::failure::Failure;
use crate::files::{Hashed, hexadecimal};
use crate::terminal::{self, signals};
use isx_engine::{EngineError, State, StateStore, Writes};
use isx_report::files::{check_place, write_whole};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const MAGIC: &str = "isx.checkpoint/1\n";
/// The header names a problem in 67 bytes; nobody has more clocks than this takes.
const LONGEST_HEADER: u64 = 1 << 24;
const DIGEST: u64 = 32;
/// Of the time, at most one part in so many goes into writing.
const SHARE: u32 = 10;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Header {
    version: String,
    engine: String,
    /// SHA-256 of the problems begun, in order.
    problems: Vec<String>,
}

/// A file to go on from, which has been found whole.
struct Saved {
    path: PathBuf,
    header: Header,
    /// Where the state begins, and its bytes.
    state: (u64, u64),
}

/// Keeps states in a file, and hands out the one to go on from.
pub struct Checkpoints {
    file: Option<PathBuf>,
    every: Duration,
    saved: Option<Saved>,
    now: Mutex<Now>,
}

struct Now {
    header: Header,
    written: Instant,
    took: Duration,
    has_failed: bool,
}

impl Checkpoints {
    /// Saves states in `file` and resumes from the one in `resume`.
    pub fn new(file: Option<&Path>, resume: Option<&Path>, every: Duration) -> Result<Self, Failure> {
        if let Some(file) = file {
            check_place(file)?;
            signals::wait_for_checkpoint();
        }
        let saved = resume.map(Saved::open).transpose()?;
        let header = Header { version: env!("CARGO_PKG_VERSION").into(), ..Header::default() };
        let now = Now { header, written: Instant::now(), took: Duration::ZERO, has_failed: false };
        Ok(Self { file: file.map(Path::to_owned), every, saved, now: Mutex::new(now) })
    }

    /// The engine whose state is resumed.
    pub fn engine(&self) -> Option<&str> {
        self.saved.as_ref().map(|saved| saved.header.engine.as_str())
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StateStore for Checkpoints {
    fn runs(&self, engine: &'static str) {
        self.now().header.engine = engine.into();
    }

    fn begin(&self, problem: Writes<'_>) -> Result<Option<State<'_>>, EngineError> {
        let mut digest = Hashed::new(io::sink());
        let unreadable = |error: io::Error| EngineError::Checkpoint(error.to_string());
        problem(&mut digest).map_err(unreadable)?;
        let problem = hexadecimal(&digest.digest());
        let mut now = self.now();
        // An engine that takes over begins with the problem at which the previous engine gave up.
        if now.header.problems.last() != Some(&problem) {
            now.header.problems.push(problem);
        }
        let Some(saved) = &self.saved else { return Ok(None) };
        let (begun, of_saved) = (&now.header.problems, &saved.header.problems);
        let at = begun.len() - 1;
        if of_saved.get(at).is_some_and(|of_saved| *of_saved != begun[at]) {
            let why = "it was kept for another problem (another task set, or other options)";
            return Err(EngineError::Checkpoint(why.into()));
        }
        if of_saved.len() != begun.len() || saved.header.engine != now.header.engine {
            return Ok(None);
        }
        Ok(Some(Box::new(saved.state().map_err(unreadable)?)))
    }

    fn is_due(&self) -> bool {
        if self.file.is_none() {
            return false;
        }
        let now = self.now();
        let rest = if self.every.is_zero() { Duration::ZERO } else { self.every.max(SHARE * now.took) };
        signals::is_last_wanted() || now.written.elapsed() >= rest
    }

    fn keep(&self, state: Writes<'_>) {
        let Some(file) = &self.file else { return };
        signals::checkpoint_begins();
        let mut now = self.now();
        let began = Instant::now();
        let written = write_whole(file, |out| write(&now.header, state, out));
        (now.written, now.took) = (Instant::now(), began.elapsed());
        match written {
            Ok(()) if signals::is_last_wanted() => {
                terminal::note(&format!("--resume {} goes on from here", file.display()));
            }
            Ok(()) => {}
            Err(error) if !now.has_failed => {
                now.has_failed = true;
                terminal::note(&format!("the work goes on without a new checkpoint: {error}"));
            }
            Err(_) => {}
        }
        signals::checkpoint_ends();
    }
}

fn write(header: &Header, state: Writes<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut summed = Hashed::new(&mut *out);
    summed.write_all(MAGIC.as_bytes())?;
    writeln!(summed, "{}", serde_json::to_string(header)?)?;
    // Buffered, because the digest is fastest on many bytes at a time.
    let mut buffered = io::BufWriter::with_capacity(1 << 16, &mut summed);
    state(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    let digest = summed.digest();
    out.write_all(&digest)
}

impl Saved {
    /// Reads the header of a file whose digest was verified.
    fn open(path: &Path) -> Result<Self, Failure> {
        let wrong = |why: &str| Failure::Usage(format!("--resume {}: {why}", path.display()));
        let unreadable = |error: io::Error| wrong(&error.to_string());
        if path.is_dir() {
            return Err(wrong("this is a directory"));
        }
        let mut file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut head = BufReader::new(&mut file);
        let mut magic = vec![0; MAGIC.len()];
        if head.read_exact(&mut magic).is_err() || magic != MAGIC.as_bytes() {
            return Err(wrong("this is no checkpoint of isx"));
        }
        let mut line = Vec::new();
        head.take(LONGEST_HEADER).read_until(b'\n', &mut line).map_err(unreadable)?;
        let start = (MAGIC.len() + line.len()) as u64;
        let end = length.saturating_sub(DIGEST);
        if end < start || !is_whole(&mut file, end).map_err(unreadable)? {
            return Err(wrong("the checkpoint is damaged or cut short: its checksum does not hold"));
        }
        let header: Header = serde_json::from_slice(&line).map_err(|_| wrong("its header cannot be read"))?;
        let version = env!("CARGO_PKG_VERSION");
        if header.version != version {
            return Err(wrong(&format!("it was kept by isx {}, and this is {version}", header.version)));
        }
        Ok(Self { path: path.to_owned(), header, state: (start, end - start) })
    }

    /// The engine's state.
    fn state(&self) -> io::Result<io::Take<BufReader<File>>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.state.0))?;
        Ok(BufReader::with_capacity(1 << 16, file).take(self.state.1))
    }
}

/// Whether the digest after the file's first `end` bytes is theirs.
fn is_whole(file: &mut File, end: u64) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut content = Hashed::new(BufReader::with_capacity(1 << 16, &mut *file).take(end));
    io::copy(&mut content, &mut io::sink())?;
    let found = content.digest();
    let mut told = Vec::new();
    file.seek(SeekFrom::Start(end))?;
    file.take(DIGEST + 1).read_to_end(&mut told)?;
    Ok(told == found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_version_is_refused_and_one_of_this_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        let state = [7; 100_000];
        let keep = |version: &str| {
            let header =
                Header { version: version.into(), engine: "list".into(), problems: vec!["ab".into()] };
            let mut file = Vec::new();
            write(&header, &|out| out.write_all(&state), &mut file).unwrap();
            std::fs::write(&path, file).unwrap();
            Saved::open(&path)
        };
        let mut read = Vec::new();
        keep(env!("CARGO_PKG_VERSION")).unwrap().state().unwrap().read_to_end(&mut read).unwrap();
        assert_eq!(read, state);
        let refused = keep("0.0.9").err().unwrap();
        assert!(
            refused.to_string().ends_with(&format!("isx 0.0.9, and this is {}", env!("CARGO_PKG_VERSION")))
        );
        assert_eq!(refused.code(), 2);
    }
}
