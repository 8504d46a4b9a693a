//! Several inputs: one line each, in their order. An invalid one does not stop the others.
//!
//! All threads read and process the inputs, as [`queue`] says. The limits of a command are for all inputs together: at
//! first each has an equal share of the memory and of the steps, and one that does not finish within its share is
//! processed again, alone, with all of the memory and, in the order of the lines, with what is left of as many steps again.

use super::is_stdin;
use super::queue::{self, End, Gpu, HELD, Room, Task, Work};
use crate::failure::{Failure, Outcome};
use crate::terminal::progress::Bar;
use isx_design::schedulability::{Effort, Limits};
use isx_machine::{Cancel, Machine};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

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

/// Exit code of refused memory.
pub const MEMORY: u8 = 4;

/// What an input may use.
pub struct Share<'a> {
    /// Threads and memory.
    pub machine: &'a Machine,
    /// Steps of verdicts.
    pub steps: u64,
    /// Whether an answer that is not settled within these steps is discarded, and sought again with more.
    pub is_first: bool,
}

impl Share<'_> {
    /// The work for the verdicts of an input.
    pub fn effort(&self, limits: Limits) -> Effort {
        Effort::new(Limits { steps: self.steps, design_steps: limits.design_steps.min(self.steps) })
    }
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

/// Processes the input with this number and writes its line.
pub type Process<'a> = dyn Fn(usize, &Share<'_>, &mut Vec<u8>) -> Result<Ended, Failure> + Sync + 'a;

/// Work on several inputs, by their numbers.
pub struct Inputs<'a> {
    /// The number of inputs.
    pub count: usize,
    /// What all of them may use together.
    pub machine: Machine,
    /// Whether all of them run on the GPU, which solves one after another.
    pub on_gpu: bool,
    /// Whether the work goes on where the reader of standard output is gone, since files are written too.
    pub writes_files: bool,
    /// The limit of steps.
    pub steps: u64,
    /// What is done with an input, for the progress bar.
    pub stage: &'static str,
    /// What an input is, for the progress bar.
    pub unit: &'static str,
    /// Processes an input and writes its line.
    pub work: &'a Process<'a>,
    /// Writes the line of an input that failed.
    pub failed: &'a (dyn Fn(usize, Failure, &mut Vec<u8>) + Sync),
    /// Called when the lines of all inputs below this number have been written.
    pub written: &'a (dyn Fn(usize) + Sync),
}

impl Inputs<'_> {
    /// Processes every input and writes its line; the outcome is the worst of all.
    pub fn run(&self) -> Result<Outcome, Failure> {
        let cancel = Cancel::default();
        let whole = self.machine.clone().with_cancel(cancel.clone());
        let threads = if self.on_gpu { 1 } else { whole.threads().min(self.count).max(1) };
        let part = whole.part(threads);
        // No figure of the machine: with another number of threads verdicts that run out of steps would be others.
        let share = self.steps / self.count.clamp(1, HELD) as u64;
        let more = AtomicU64::new(self.steps);
        let has_had_share: Vec<AtomicBool> = (0..self.count).map(|_| AtomicBool::new(false)).collect();
        let worst = Mutex::new(Outcome::Done);
        let run = |at: usize, room: Room, line: &mut Vec<u8>| {
            let is_alone = room == Room::Alone;
            let machine = if is_alone { &whole } else { &part };
            let mut ended = Ok(Ended { outcome: Outcome::Done, steps: 0, is_unsettled: true });
            if !has_had_share[at].load(Ordering::Relaxed) {
                ended = (self.work)(at, &Share { machine, steps: share, is_first: true }, line);
                match &ended {
                    Ok(_) => has_had_share[at].store(true, Ordering::Relaxed),
                    Err(failure) if failure.code() == MEMORY && !is_alone => return End::NeedsAll,
                    Err(_) => {}
                }
            }
            if ended.as_ref().is_ok_and(|ended| ended.is_unsettled) {
                if !is_alone {
                    return End::NeedsAll;
                }
                line.clear();
                let steps = more.load(Ordering::Relaxed);
                ended = (self.work)(at, &Share { machine, steps, is_first: false }, line);
                let taken = ended.as_ref().map_or(0, |ended| ended.steps);
                more.store(steps.saturating_sub(taken), Ordering::Relaxed);
            }
            let outcome = ended.map_or_else(
                |failure| {
                    let code = failure.code();
                    line.clear();
                    (self.failed)(at, failure, line);
                    Outcome::Failed(code)
                },
                |ended| ended.outcome,
            );
            let mut worst = worst.lock().unwrap_or_else(PoisonError::into_inner);
            *worst = worst.or_worse(outcome);
            End::Done
        };
        let run = &run;
        let lines = Lines {
            groups: self.count,
            threads,
            stage: self.stage,
            unit: self.unit,
            read: &|at| {
                let task: Task<'_> = Box::new(move |room, line: &mut Vec<u8>| run(at, room, line));
                vec![task]
            },
            gpu: Gpu::None,
            cancel: &cancel,
            writes_files: self.writes_files,
            written: self.written,
        };
        lines.write()?;
        Ok(worst.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Tasks on threads of their own, whose lines go to standard output beside a progress bar.
pub struct Lines<'a, 't> {
    /// As in [`Work`].
    pub groups: usize,
    /// The number of threads.
    pub threads: usize,
    /// What is done with a group, for the progress bar.
    pub stage: &'static str,
    /// What a group is, for the progress bar.
    pub unit: &'static str,
    /// As in [`Work`].
    pub read: &'a (dyn Fn(usize) -> Vec<Task<'t>> + Sync),
    /// As in [`Work`].
    pub gpu: Gpu<'a>,
    /// Ends the tasks when standard output is closed.
    pub cancel: &'a Cancel,
    /// As in [`Inputs`].
    pub writes_files: bool,
    /// Called when the lines of all groups below this number have been written.
    pub written: &'a (dyn Fn(usize) + Sync),
}

impl<'t> Lines<'_, 't> {
    /// Runs the tasks and writes their lines.
    pub fn write(&self) -> Result<(), Failure> {
        let bar = Bar::counting(self.unit);
        bar.begin_counting(self.stage, self.groups as u64);
        let work: Work<'_, 't> = Work {
            groups: self.groups,
            read: self.read,
            threads: self.threads,
            gpu: self.gpu,
            write: &|lines, done| {
                bar.while_hidden(|| {
                    let mut out = io::stdout().lock();
                    match out.write_all(lines).and_then(|()| out.flush()) {
                        Err(error) if self.writes_files && error.kind() == io::ErrorKind::BrokenPipe => {}
                        written => written?,
                    }
                    drop(out);
                    (self.written)(done);
                    io::Result::Ok(())
                })?;
                bar.set_done(done as u64);
                Ok(())
            },
            stop: &|| self.cancel.cancel(),
        };
        let written = queue::run(&work, |work_off| {
            std::thread::scope(|scope| {
                for _ in 1..self.threads {
                    // Where the system starts no thread, those that there are do the work.
                    let _ = std::thread::Builder::new().spawn_scoped(scope, work_off);
                }
                work_off();
            });
        });
        bar.finish();
        Ok(written?)
    }
}

/// Standard input can be read only once, but an input may have to be read again.
pub fn refuse_stdin(files: &[PathBuf]) -> Result<(), Failure> {
    if files.iter().any(|file| is_stdin(file)) {
        return Err(Failure::Usage("standard input (-) is read by itself, not among other files".into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What inputs were given, in order: which one, how many steps, and whether for the first time. Every third input
    /// needs 300 steps, the others 10.
    fn given(threads: usize) -> (Vec<(usize, u64, bool)>, Outcome) {
        let given = Mutex::new(Vec::new());
        let inputs = Inputs {
            count: 10,
            machine: Machine::default().with_threads(threads),
            on_gpu: false,
            writes_files: false,
            steps: 1000,
            stage: "testing",
            unit: "inputs",
            work: &|at, share, _| {
                given.lock().unwrap().push((at, share.steps, share.is_first));
                let needed = if at.is_multiple_of(3) { 300 } else { 10 };
                let is_unsettled = share.steps < needed;
                let outcome = if is_unsettled { Outcome::Unknown } else { Outcome::Done };
                Ok(Ended { outcome, steps: needed.min(share.steps), is_unsettled })
            },
            failed: &|_, _, _| {},
            written: &|_| {},
        };
        let outcome = inputs.run().unwrap();
        let mut given = given.into_inner().unwrap();
        // First attempts have no order among threads.
        given.sort_by_key(|&(at, _, is_first)| (!is_first, at));
        (given, outcome)
    }

    #[test]
    fn inputs_have_equal_shares_and_then_what_is_left_whatever_the_threads() {
        let (one, outcome) = given(1);
        let first = (0..10).map(|at| (at, 100, true));
        let again = [(0, 1000, false), (3, 700, false), (6, 400, false), (9, 100, false)];
        assert_eq!(one, first.chain(again).collect::<Vec<_>>());
        // The last one found too little left.
        assert_eq!(outcome, Outcome::Unknown);
        assert_eq!(given(4), (one, outcome));
    }
}
