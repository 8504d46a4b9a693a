//! The folder of a sweep: its specification, and a file per chunk that is done.
//!
//! A chunk is written under a temporary name, synced and renamed, so that whatever ends a run leaves whole chunks alone.
//! Runs need not know of each other: two that compute the same chunk write the same bytes.

use crate::chunk;
use crate::spec::{Spec, SweepError, sha256};
use isx_machine::Machine;
use isx_report::files::{check_writable, write_whole};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// The file with the specification.
const SPEC_FILE: &str = "sweep.yaml";

/// What stands before the checksum in its first line.
const HEAD: &str = "# isx sweep. SHA-256 of all lines below: ";

/// The folder of a sweep.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
}

impl Folder {
    /// The folder of a sweep that is begun or goes on. Temporary files of runs that were killed are removed.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or holds another sweep.
    pub fn prepare(path: &Path, spec: &Spec) -> Result<Self, SweepError> {
        let folder = Self { path: path.to_owned() };
        check_writable(path)?;
        if let Some(other) = folder.text()? {
            return folder.refuse_other(&other, spec);
        }
        let text = format!("{HEAD}{}\n{}", spec.sha256(), spec.canonical());
        write_whole(&path.join(SPEC_FILE), |out| out.write_all(text.as_bytes()))?;
        // Another run may have begun meanwhile.
        let written = folder.text()?.unwrap_or_default();
        folder.refuse_other(&written, spec)
    }

    fn refuse_other(self, text: &str, spec: &Spec) -> Result<Self, SweepError> {
        if text == spec.canonical() {
            return Ok(self);
        }
        let mut lines = text.lines().zip(spec.canonical().lines());
        let differs = lines.find(|(here, new)| here != new);
        let differs = differs.map_or("in its length".to_owned(), |(here, new)| {
            let [here, new] = [here, new].map(|line| isx_report::cut(line.trim(), 100));
            format!("`{here}` is there, `{new}` was asked for")
        });
        Err(SweepError::Asked(format!(
            "`{}` holds another sweep: {differs}; name another folder, or delete this one",
            self.path.display()
        )))
    }

    /// An existing folder, with its specification.
    ///
    /// # Errors
    ///
    /// If it is no folder of a sweep.
    pub fn open(path: &Path) -> Result<(Self, Spec), SweepError> {
        let folder = Self { path: path.to_owned() };
        let text = folder.text()?.ok_or_else(|| {
            let file = path.join(SPEC_FILE);
            SweepError::Asked(format!(
                "`{}` is not there: `isx sweep run` makes the folder of a sweep",
                file.display()
            ))
        })?;
        let spec = Spec::read(&path.join(SPEC_FILE).display().to_string(), text.as_bytes(), path)?;
        Ok((folder, spec))
    }

    /// The canonical text of its specification; `None` if there is none.
    fn text(&self) -> Result<Option<String>, SweepError> {
        let file = self.path.join(SPEC_FILE);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SweepError::Asked(format!("{}: {error}", file.display()))),
        };
        let parts = text.strip_prefix(HEAD).and_then(|rest| rest.split_once('\n'));
        match parts {
            Some((sum, text)) if sha256(text.as_bytes()) == sum => Ok(Some(text.to_owned())),
            _ => Err(SweepError::Damaged(format!(
                "`{}` was changed after isx wrote it: name another folder, or delete this one",
                file.display()
            ))),
        }
    }

    /// The file of a chunk.
    #[must_use]
    pub fn file(&self, chunk: u64) -> PathBuf {
        self.path.join(format!("{chunk:08}.parquet"))
    }

    /// For every chunk whether it is done, from one listing of the folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed.
    pub fn done(&self, spec: &Spec) -> Result<Vec<bool>, SweepError> {
        let failed = |error| SweepError::Asked(format!("{}: {error}", self.path.display()));
        let mut done = vec![false; spec.chunks() as usize];
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".parquet")?.parse::<u64>().ok());
            let number = number.filter(|number| self.file(*number).file_name() == Some(&name));
            if let Some(done) = number.and_then(|number| done.get_mut(number as usize)) {
                *done = true;
            }
        }
        Ok(done)
    }

    /// Writes the file of a chunk.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, chunk: u64, bytes: &[u8]) -> Result<(), SweepError> {
        Ok(write_whole(&self.file(chunk), |out| out.write_all(bytes))?)
    }
}

/// A run of a sweep.
pub struct Run<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// Where the chunks go.
    pub folder: &'a Folder,
    /// The share `i` of `n`: the chunks whose number modulo `n` is `i`.
    pub share: (u64, u64),
    /// When no further chunk is begun.
    pub until: Option<Instant>,
    /// Threads.
    pub threads: usize,
    /// Receives the number of sets that are done.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Sets measured.
    pub sets: u64,
    /// Chunks of the share that are still missing.
    pub left: u64,
}

/// Whether a chunk belongs to a share.
fn is_in((own, of): (u64, u64), chunk: u64) -> bool {
    chunk % of == own
}

/// The chunks of a share that are missing, in order.
///
/// # Errors
///
/// If the folder cannot be listed.
pub fn missing(folder: &Folder, spec: &Spec, share: (u64, u64)) -> Result<Vec<u64>, SweepError> {
    let done = folder.done(spec)?;
    Ok((0..)
        .zip(done)
        .filter(|(chunk, done)| !done && is_in(share, *chunk))
        .map(|(chunk, _)| chunk)
        .collect())
}

impl Run<'_> {
    /// Computes `chunks`, each on one thread.
    ///
    /// # Errors
    ///
    /// The first that occurs: a set cannot be drawn or measured, or a file not be written.
    pub fn compute(&self, chunks: &[u64]) -> Result<Ran, SweepError> {
        let (next, done, sets) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let (is_over, failed) = (AtomicBool::new(false), Mutex::new(None));
        let fail = |error: SweepError| {
            is_over.store(true, Ordering::Relaxed);
            let mut failed = failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            failed.get_or_insert(error);
        };
        let work = || {
            // One that is shared would have one thread for all.
            let machine = Machine::default().with_threads(1);
            let watch = || {
                (self.progress)(sets.fetch_add(1, Ordering::Relaxed) + 1);
                !is_over.load(Ordering::Relaxed)
            };
            while !is_over.load(Ordering::Relaxed) && self.until.is_none_or(|until| Instant::now() < until) {
                let Some(&chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                let bytes = chunk::bytes(self.spec, chunk, &machine, &watch);
                match bytes.and_then(|bytes| self.folder.write(chunk, &bytes)) {
                    Ok(()) => done.fetch_add(1, Ordering::Relaxed),
                    Err(error) => return fail(error),
                };
            }
        };
        thread::scope(|scope| {
            let work = &work;
            for _ in 1..self.threads.min(chunks.len()) {
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                    fail(SweepError::Thread(error));
                }
            }
            work();
        });
        match failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(Ran { sets: sets.into_inner(), left: chunks.len() as u64 - done.into_inner() }),
        }
    }
}

/// Numbers in words, as ranges: `3, 7-9 and 12 more`.
#[must_use]
pub fn in_ranges(numbers: &[u64]) -> String {
    const MOST: usize = 8;
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let words = |(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let shown: Vec<String> = ranges.iter().take(MOST).map(words).collect();
    let more: u64 = ranges.iter().skip(MOST).map(|(first, last)| last - first + 1).sum();
    let end = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &end
}
