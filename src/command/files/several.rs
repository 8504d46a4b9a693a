//! Several inputs: one line each, in their order. An invalid one does not stop the others.
//!
//! All threads read and process the inputs, as [`ordered`] says, whose lines go to standard output beside a progress bar.
//! The limits of a command are for all inputs together. At first each input has an equal share of the memory and of the
//! steps. One that does not finish within its share is processed again by itself, with all of the memory. The second
//! attempts have as many steps as the first ones had together, and use them up in the order of the lines.

use super::is_stdin;
use super::ordered::{End, HELD, Ordered, Room};
use crate::failure::{Failure, Outcome};
use crate::terminal::progress::Bar;
use isx_design::schedulability::{Effort, Limits};
use isx_engine::{EngineError, Progress, Refusal, Turn};
use isx_machine::{Cancel, Machine};
use isx_solve::SolveError;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The files, with each folder replaced by its files with one of these endings, in the order of their names. A folder
/// that contains none, or cannot be read, is kept, so that it is refused in its place.
pub fn with_folders(paths: &[PathBuf], endings: &[&str]) -> Vec<PathBuf> {
    let is_wanted = |file: &PathBuf| {
        file.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted))
            && !file.is_dir()
    };
    let inside = |folder: &PathBuf| -> io::Result<Vec<PathBuf>> {
        let all = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        let mut files: Vec<PathBuf> = all.collect::<io::Result<_>>()?;
        files.retain(is_wanted);
        files.sort();
        Ok(files)
    };
    let files =
        |path| inside(path).ok().filter(|files| !files.is_empty()).unwrap_or_else(|| vec![path.clone()]);
    paths.iter().flat_map(files).collect()
}

/// Exit code of refused memory.
const MEMORY: u8 = 4;

/// What an input may use.
pub struct Share<'a> {
    /// Threads and memory.
    pub machine: &'a Machine,
    /// Which engines it may use.
    pub turn: Turn,
    /// Steps of verdicts.
    pub steps: u64,
    /// Whether an answer that is not settled within these steps is discarded, and sought again with more.
    pub is_first: bool,
}

impl Share<'_> {
    /// The work for the verdicts of an input.
    pub fn effort(&self) -> Effort {
        let design_steps = Limits::default().design_steps.min(self.steps);
        Effort::new(Limits { steps: self.steps, design_steps })
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

/// Processes an input and writes its line.
pub type Process<'a, T> = dyn Fn(&T, &Share<'_>, &mut Vec<u8>) -> Result<Ended, Failure> + Sync + 'a;

/// Work on several inputs.
pub struct Inputs<'a, T> {
    /// The number of groups of inputs.
    pub count: usize,
    /// The inputs of a group, such as the problems of a file.
    pub read: &'a (dyn Fn(usize) -> Vec<T> + Sync),
    /// What all of them may use together.
    pub machine: Machine,
    /// The number of inputs that are processed at the same time, at most.
    pub at_once: usize,
    /// How long an input may take on a thread before it waits for a GPU, if there is one.
    pub trial: Duration,
    /// Whether the work goes on where the reader of standard output is gone, since files are written too.
    pub writes_files: bool,
    /// The limit of steps.
    pub steps: u64,
    /// What is done with a group, for the progress bar.
    pub stage: &'static str,
    /// What a group is, for the progress bar.
    pub unit: &'static str,
    /// Processes an input and writes its line.
    pub work: &'a Process<'a, T>,
    /// Writes the line of an input that failed.
    pub failed: &'a (dyn Fn(&T, Failure, &mut Vec<u8>) + Sync),
    /// Called when the lines of all groups below this number have been written.
    pub written: &'a (dyn Fn(usize) + Sync),
}

/// What the inputs share.
struct Shared {
    /// The machine of an input that is processed beside others.
    part: Machine,
    whole: Machine,
    /// Steps of an input at first.
    share: u64,
    /// Steps that are left for those that need more.
    more: AtomicU64,
    /// Asked only if an input would take long.
    has_gpu: OnceLock<bool>,
    worst: Mutex<Outcome>,
}

impl<T: Send> Inputs<'_, T> {
    /// Processes every input and writes its line; the outcome is the worst of all.
    pub fn run(&self) -> Result<Outcome, Failure> {
        let cancel = Cancel::default();
        let whole = self.machine.clone().with_cancel(cancel.clone());
        let threads = self.at_once.min(self.count).max(1);
        let shared = Shared {
            // If fewer are processed than there are threads, each has several.
            part: whole.part(threads).with_threads(whole.threads().div_ceil(self.at_once)),
            whole,
            // No figure of the machine: with another number of threads verdicts that run out of steps would be others.
            share: self.steps / self.count.clamp(1, HELD) as u64,
            more: AtomicU64::new(self.steps),
            has_gpu: OnceLock::new(),
            worst: Mutex::new(Outcome::Done),
        };
        let bar = Bar::counting(self.unit);
        bar.begin(self.stage, self.count as u64);
        let print = |lines: &[u8], done| {
            let mut out = io::stdout().lock();
            match out.write_all(lines).and_then(|()| out.flush()) {
                Err(error) if self.writes_files && error.kind() == io::ErrorKind::BrokenPipe => {}
                written => written?,
            }
            drop(out);
            (self.written)(done);
            io::Result::Ok(())
        };
        let work = Ordered {
            groups: self.count,
            threads,
            // Whether it has had its share goes with each.
            read: &|group| (self.read)(group).into_iter().map(|input| (input, false)).collect(),
            run: &|(input, has_had_share): &mut (T, bool), room, line: &mut Vec<u8>| {
                self.process(input, has_had_share, room, &shared, line)
            },
            write: &|lines, done| {
                bar.while_hidden(|| print(lines, done)).inspect_err(|_| cancel.cancel())?;
                bar.set_done(done as u64);
                Ok(())
            },
        };
        let written = work.run();
        bar.finish();
        written?;
        Ok(shared.worst.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn process(
        &self,
        input: &T,
        has_had_share: &mut bool,
        room: Room,
        shared: &Shared,
        line: &mut Vec<u8>,
    ) -> End {
        let is_alone = room == Room::Alone;
        let machine = if is_alone { &shared.whole } else { &shared.part };
        let turn = match room {
            Room::Trial if shared.has_gpu.get() != Some(&false) => Turn::Cpu(self.trial),
            Room::Trial | Room::Cpu => Turn::Cpu(Duration::MAX),
            Room::Gpu => Turn::AfterCpu,
            Room::Alone => Turn::Any,
        };
        let mut ended = Ok(Ended { outcome: Outcome::Done, steps: 0, is_unsettled: true });
        if !*has_had_share {
            ended = (self.work)(input, &Share { machine, turn, steps: shared.share, is_first: true }, line);
            match &ended {
                Ok(_) => *has_had_share = true,
                Err(Failure::Solve(SolveError::Engine(Refusal {
                    cause: EngineError::TooLong(takes),
                    ..
                }))) if room == Room::Trial => {
                    if *shared.has_gpu.get_or_init(|| shared.whole.has_gpu()) {
                        return End::TooLong(*takes);
                    }
                    return self.process(input, has_had_share, Room::Cpu, shared, line);
                }
                Err(failure) if failure.code() == MEMORY && !is_alone => return End::NeedsAll,
                Err(_) => {}
            }
        }
        if ended.as_ref().is_ok_and(|ended| ended.is_unsettled) {
            if !is_alone {
                return End::NeedsAll;
            }
            line.clear();
            let steps = shared.more.load(Ordering::Relaxed);
            ended = (self.work)(input, &Share { machine, turn, steps, is_first: false }, line);
            let taken = ended.as_ref().map_or(0, |ended| ended.steps);
            shared.more.store(steps.saturating_sub(taken), Ordering::Relaxed);
        }
        let outcome = ended.map(|ended| ended.outcome).unwrap_or_else(|failure| {
            let code = failure.code();
            line.clear();
            (self.failed)(input, failure, line);
            Outcome::Failed(code)
        });
        let mut worst = shared.worst.lock().unwrap_or_else(PoisonError::into_inner);
        *worst = worst.or_worse(outcome);
        End::Done
    }
}

/// Standard input can be read only once, but an input may have to be read again.
pub fn refuse_stdin(files: &[PathBuf]) -> Result<(), Failure> {
    if files.iter().any(|file| is_stdin(file)) {
        bail!("standard input (-) is read by itself, not among other files");
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
            read: &|at| vec![at],
            machine: Machine::default().with_threads(threads),
            at_once: threads,
            trial: Duration::MAX,
            writes_files: false,
            steps: 1000,
            stage: "testing",
            unit: "inputs",
            work: &|&at, share, _| {
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
