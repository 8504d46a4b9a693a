//! Several problems, of one file or of several: each has a line of JSON, or a block of text, in order.
//!
//! All threads solve them, and the GPU those that would take long, as [`crate::files::queue`] says. The limits of the
//! command are for all of them together: each has an equal share of the memory, and one for which that does not suffice
//! is solved again by itself.

use super::place::{Instance, Place, Problem, Site};
use crate::failure::{Failure, Outcome};
use crate::files::queue::{End, Gpu, Room, Task, at_once};
use crate::files::several::{Lines, MEMORY, refuse_stdin};
use crate::terminal::{Talk, talk};
use isx_engine::{EngineError, Hardware, NoProgress, Refusal, Turn};
use isx_machine::{Cancel, Machine};
use isx_report::{lines, visible};
use isx_solve::SolveError;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The problems of a file, or why it cannot be read.
pub type Problems<'a> = Result<Vec<Problem<'a>>, Failure>;

/// How to solve them.
pub struct Many<'a> {
    /// What all of them may use together.
    pub machine: Machine,
    /// What the engine asked for runs on; `None` if none was asked for.
    pub asked: Option<Hardware>,
    /// As JSON.
    pub json: bool,
    /// Reads a file.
    pub read: &'a (dyn Fn(&'a Path) -> Problems<'a> + Sync),
}

/// What the tasks share.
struct Shared {
    /// The machine of a task that runs beside others.
    part: Machine,
    whole: Machine,
    /// How a task on a GPU is solved.
    on_gpu: Turn,
    trial: Option<Duration>,
    json: bool,
    worst: Mutex<Outcome>,
}

impl<'a> Many<'a> {
    /// Solves the problems of several files.
    pub fn solve_files(&self, files: &'a [PathBuf]) -> Result<Outcome, Failure> {
        refuse_stdin(files)?;
        if files.len() > self.machine.threads() {
            let read = |group: usize| (self.read)(&files[group]);
            return self.solve(files.len(), files.len(), "files", &|group, shared| {
                tasks(&files[group], read(group), shared)
            });
        }
        // Few files may hold many problems, which are counted first.
        let read =
            self.machine.workers().map(files.len() as u64, true, |at| (self.read)(&files[at as usize]));
        let groups: Vec<(&Path, Problems<'a>)> = files.iter().map(PathBuf::as_path).zip(read).collect();
        self.solve_read(groups)
    }

    /// Solves problems that have been read.
    pub fn solve_read(&self, files: Vec<(&'a Path, Problems<'a>)>) -> Result<Outcome, Failure> {
        let mut problems: Vec<Mutex<Option<(&Path, Problems<'a>)>>> = Vec::new();
        for (file, read) in files {
            match read {
                Ok(read) => {
                    problems
                        .extend(read.into_iter().map(|problem| Mutex::new(Some((file, Ok(vec![problem]))))));
                }
                Err(failure) => problems.push(Mutex::new(Some((file, Err(failure))))),
            }
        }
        let count = problems.len();
        self.solve(count, count, "problems", &|group, shared| {
            let problem = problems[group].lock().unwrap_or_else(PoisonError::into_inner).take();
            problem.map_or_else(Vec::new, |(file, problem)| tasks(file, problem, shared))
        })
    }

    fn solve(
        &self,
        groups: usize,
        most: usize,
        unit: &'static str,
        read: &(dyn Fn(usize, &Arc<Shared>) -> Vec<Task<'a>> + Sync),
    ) -> Result<Outcome, Failure> {
        if self.machine.gpus().count() > 1 {
            let why = "several GPUs share one 0-1 knapsack problem; several problems have one GPU: name it with --gpu N";
            return Err(Failure::Usage(why.into()));
        }
        let cancel = Cancel::default();
        let whole = self.machine.clone().with_cancel(cancel.clone());
        let threads = match self.asked {
            Some(Hardware::Gpu) => at_once(whole.threads()),
            _ => whole.threads(),
        };
        let threads = threads.min(most).max(1);
        let part = match self.asked {
            // The threads beside them are the GPU's too.
            Some(Hardware::Gpu) if threads > 1 => {
                whole.part(threads).with_threads(whole.threads().div_ceil(threads))
            }
            _ => whole.part(threads),
        };
        let trial = match self.asked {
            None => Duration::try_from_secs_f64(whole.seconds_to_start_gpu()).ok(),
            Some(_) => None,
        };
        // A GPU that cannot be used has no tasks; whether it can is asked only if a task would take long.
        let usable = || whole.has_gpu();
        let shared = Arc::new(Shared {
            part,
            whole: whole.clone(),
            on_gpu: if self.asked.is_some() { Turn::Any } else { Turn::AfterCpu },
            trial,
            json: self.json,
            worst: Mutex::new(Outcome::Done),
        });
        let lines = Lines {
            groups,
            threads,
            stage: "solving",
            unit,
            read: &|group| read(group, &shared),
            gpu: match self.asked {
                Some(Hardware::Gpu) => Gpu::ForAll,
                None if trial.is_some() => Gpu::ForLong(&usable),
                _ => Gpu::None,
            },
            cancel: &cancel,
            writes_files: false,
            written: &|_| {},
        };
        lines.write()?;
        let worst = *shared.worst.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(worst)
    }
}

/// The tasks of a file: its problems, or the one that reports why there is none.
fn tasks<'a>(file: &'a Path, problems: Problems<'a>, shared: &Arc<Shared>) -> Vec<Task<'a>> {
    let task = |problem| -> Task<'a> {
        let shared = Arc::clone(shared);
        Box::new(move |room, line: &mut Vec<u8>| shared.run(file, &problem, room, line))
    };
    match problems {
        Ok(problems) => problems.into_iter().map(task).collect(),
        Err(failure) => {
            let shared = Arc::clone(shared);
            vec![Box::new(move |_, line: &mut Vec<u8>| {
                shared.report(file, None, &failure, line);
                End::Done
            })]
        }
    }
}

impl Shared {
    fn run(&self, file: &Path, problem: &Problem<'_>, room: Room, line: &mut Vec<u8>) -> End {
        let (machine, turn) = match room {
            Room::Trial => (&self.part, self.trial.map_or(Turn::Any, Turn::Cpu)),
            Room::Cpu => (&self.part, Turn::Cpu(Duration::MAX)),
            Room::Gpu => (&self.part, self.on_gpu),
            Room::Alone => (&self.whole, Turn::Any),
        };
        let instance = problem.instance.as_ref();
        let place = Place::Among { file, instance, json: self.json, out: line };
        match (problem.solve)(&Site { machine, turn, progress: &NoProgress }, place) {
            Ok(outcome) => self.note(outcome),
            Err(Failure::Solve(SolveError::Engine(Refusal {
                cause: EngineError::TooLong(takes), ..
            }))) if room == Room::Trial => {
                return End::TooLong(takes);
            }
            Err(failure) if failure.code() == MEMORY && room != Room::Alone => return End::NeedsAll,
            Err(failure) => self.report(file, instance, &failure, line),
        }
        End::Done
    }

    fn note(&self, outcome: Outcome) {
        let mut worst = self.worst.lock().unwrap_or_else(PoisonError::into_inner);
        *worst = worst.or_worse(outcome);
    }

    /// Writes a failure in place of an answer.
    fn report(&self, file: &Path, instance: Option<&Instance>, failure: &Failure, line: &mut Vec<u8>) {
        self.note(Outcome::Failed(failure.code()));
        line.clear();
        let (file, text) = (file.to_string_lossy(), failure.to_string());
        // Writing to memory does not fail.
        let _ = match (self.json, instance) {
            (false, Some(instance)) => {
                let label = if talk() == Talk::Quiet { "error: " } else { "error      " };
                instance.write_heading(line).and_then(|()| writeln!(line, "{label}{}", visible(&text)))
            }
            _ => {
                let name = instance.map(|instance| instance.name.as_str());
                lines::write_failure(&file, name, &text, failure.code(), line)
            }
        };
    }
}
