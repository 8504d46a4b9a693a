//! Several inputs: one line of JSON each, in their order. An invalid one does not stop the others.
//!
//! All threads read and process the inputs, several hundred at a time, and their lines are written before the next
//! batch begins. The limits of a command are for all inputs together: at first each has an equal share of the memory
//! and of the steps, and one that does not finish within its share is processed again, alone, with everything that
//! remains.

use super::is_stdin;
use crate::failure::{Failure, Outcome};
use isx_machine::Machine;
use isx_report::lines;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The files, with each folder replaced by its files with one of these endings, in the order of their names. A folder
/// that contains none, or cannot be read, is kept, so that it is refused in its place.
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

/// Inputs that are worked on together. No figure of the machine: with another number of threads verdicts that run out of
/// steps would be others.
const TOGETHER: usize = 256;

/// Exit code of refused memory.
pub const MEMORY: u8 = 4;

/// What an input may use.
pub struct Share<'a> {
    /// Threads and memory.
    pub machine: &'a Machine,
    /// Steps of verdicts.
    pub steps: u64,
}

/// What became of an input.
pub struct Ended {
    /// The answer, which has been written.
    pub outcome: Outcome,
    /// Steps that it took.
    pub steps: u64,
    /// Whether more steps might settle what is not.
    pub is_unsettled: bool,
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, steps: 0, is_unsettled: false }
    }
}

type Done = (Vec<u8>, Result<Ended, Failure>);

/// Processes every file and prints its line; the outcome is the worst of all. `steps` is the limit for all of them.
pub fn print_lines(
    files: &[PathBuf],
    machine: &Machine,
    mut steps: u64,
    work: impl Fn(&Path, &Share<'_>, &mut Vec<u8>) -> Result<Ended, Failure> + Sync,
) -> Result<Outcome, Failure> {
    refuse_stdin(files)?;
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut worst = Outcome::Done;
    for files in files.chunks(TOGETHER) {
        let one = |file: &Path, share: &Share| -> Done {
            let mut line = Vec::new();
            let ended = work(file, share, &mut line);
            (line, ended)
        };
        let at_once = machine.threads().min(files.len());
        let part = machine.part(at_once);
        let share = Share { machine: &part, steps: steps / files.len() as u64 };
        let mut all: Vec<Done> =
            machine.workers().map(files.len() as u64, true, |at| one(&files[at as usize], &share));
        let taken = |done: &Done| done.1.as_ref().map_or(0, |ended| ended.steps);
        steps = steps.saturating_sub(all.iter().map(taken).sum());
        for (done, file) in all.iter_mut().zip(files) {
            let again = match &done.1 {
                Ok(ended) => ended.is_unsettled,
                Err(failure) => failure.code() == MEMORY && at_once > 1,
            };
            if again {
                *done = one(file, &Share { machine, steps });
                steps = steps.saturating_sub(taken(done));
            }
            worst = worst.or_worse(print_line(file, done, &mut out)?);
        }
        out.flush()?;
    }
    Ok(worst)
}

fn print_line(file: &Path, (line, ended): &Done, out: &mut impl Write) -> Result<Outcome, Failure> {
    match ended {
        Ok(ended) => {
            out.write_all(line)?;
            Ok(ended.outcome)
        }
        Err(failure) => {
            lines::write_failure(&file.to_string_lossy(), &failure.to_string(), failure.code(), out)?;
            Ok(Outcome::Failed(failure.code()))
        }
    }
}

/// Standard input can be read only once, but an input may have to be read again.
pub fn refuse_stdin(files: &[PathBuf]) -> Result<(), Failure> {
    if files.iter().any(|file| is_stdin(file)) {
        return Err(Failure::Usage("standard input (-) is read by itself, not among other files".into()));
    }
    Ok(())
}
