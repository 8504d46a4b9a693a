//! The folder of a sweep: a file per chunk that is done, named after the sweep and the number of the chunk.
//!
//! A chunk is written under a temporary name, synced and renamed, so that whatever ends a run leaves whole chunks alone.
//! Runs need not know of each other: two that compute the same chunk write the same bytes, and files of several folders may
//! be put into one.

use crate::chunk;
use crate::spec::{Spec, SweepError};
use isx_machine::Machine;
use isx_report::files::{check_writable, write_whole};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// The folder of a sweep.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// The digits of the specification's SHA-256 in the names of its chunks.
    sweep: String,
}

/// The number of these digits.
const DIGITS: usize = 12;

impl Folder {
    /// The folder of a sweep that is begun or goes on. Temporary files of runs that were killed are removed.
    /// Fails if it cannot be written, or holds chunks of another sweep.
    pub fn prepare(path: &Path, spec: &Spec) -> Result<Self, SweepError> {
        check_writable(path)?;
        let folder = Self { path: path.to_owned(), sweep: spec.sha256()[..DIGITS].to_owned() };
        match folder.chunks()?.iter().find(|(sweep, _)| *sweep != folder.sweep) {
            None => Ok(folder),
            Some((other, number)) => Err(SweepError::Asked(format!(
                "`{}` holds another sweep: `{}` is there, and the names of this one begin with {}; name another folder, or \
                 delete these files",
                path.display(),
                name(other, *number),
                folder.sweep
            ))),
        }
    }

    /// The file of a chunk.
    pub fn file(&self, chunk: u64) -> PathBuf {
        self.path.join(name(&self.sweep, chunk))
    }

    /// The chunks that are there, of any sweep.
    fn chunks(&self) -> Result<Vec<(String, u64)>, SweepError> {
        let failed = |error| SweepError::Asked(format!("{}: {error}", self.path.display()));
        let mut chunks = Vec::new();
        let entries = match fs::read_dir(&self.path) {
            // It is created with its first chunk.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(chunks),
            entries => entries.map_err(failed)?,
        };
        for entry in entries {
            let file = entry.map_err(failed)?.file_name();
            let parts = file.to_str().and_then(|file| file.strip_suffix(".parquet")?.split_once('-'));
            let parts = parts.and_then(|(sweep, number)| Some((sweep.to_owned(), number.parse().ok()?)));
            chunks.extend(parts.filter(|(sweep, number)| file.to_str() == Some(&name(sweep, *number))));
        }
        Ok(chunks)
    }

    /// The chunks of the share `own` of `of`, those whose number modulo `of` is `own`, that are missing, in order.
    /// Fails if the folder cannot be listed.
    pub fn missing(&self, spec: &Spec, (own, of): (u64, u64)) -> Result<Vec<u64>, SweepError> {
        let mut done = vec![false; spec.chunks() as usize];
        for (_, number) in self.chunks()? {
            done.get_mut(number as usize).into_iter().for_each(|done| *done = true);
        }
        Ok((0..spec.chunks()).filter(|&chunk| chunk % of == own && !done[chunk as usize]).collect())
    }

    /// Writes the file of a chunk.
    /// Fails if it cannot be written.
    pub fn write(&self, chunk: u64, bytes: &[u8]) -> Result<(), SweepError> {
        Ok(write_whole(&self.file(chunk), |out| out.write_all(bytes))?)
    }
}

fn name(sweep: &str, chunk: u64) -> String {
    format!("{sweep}-{chunk:06}.parquet")
}

/// A run of a sweep.
pub struct Run<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// Where the chunks go.
    pub folder: &'a Folder,
    /// When no further chunk is begun.
    pub until: Option<Instant>,
    /// Threads.
    pub threads: usize,
    /// Receives the number of sets that are done.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Run<'_> {
    /// Computes `chunks`, each on one thread; returns the number of sets measured.
    /// Fails with the first that occurs: a set cannot be drawn or measured, or a file not be written.
    pub fn compute(&self, chunks: &[u64]) -> Result<u64, SweepError> {
        let (next, sets) = (AtomicUsize::new(0), AtomicU64::new(0));
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
                if let Err(error) = bytes.and_then(|bytes| self.folder.write(chunk, &bytes)) {
                    return fail(error);
                }
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
            None => Ok(sets.into_inner()),
        }
    }
}
