//! Several problems, of one file or of several: each has a line of JSON, or a block of text, in order.
//!
//! All threads solve them, and the GPU those that would take long, as [`crate::files::several`] says.

use super::place::{Instance, Place, Problem, Site};
use crate::failure::{Failure, Outcome};
use crate::files::ordered::at_once;
use crate::files::several::{Ended, Inputs, refuse_stdin};
use crate::terminal::{Talk, talk};
use isx_engine::{Hardware, NoProgress};
use isx_machine::Machine;
use isx_report::{lines, visible};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
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

/// A problem of a file, or why the file has none.
type One<'a> = (&'a Path, Result<Problem<'a>, Failure>);

impl<'a> Many<'a> {
    /// Solves the problems of several files.
    pub fn solve_files(&self, files: &'a [PathBuf]) -> Result<Outcome, Failure> {
        refuse_stdin(files)?;
        if files.len() > self.machine.threads() {
            let read = |at: usize| problems(&files[at], (self.read)(&files[at]));
            return self.solve(files.len(), "files", &read);
        }
        // Few files may hold many problems, which are counted first.
        let read =
            self.machine.workers().map(files.len() as u64, true, |at| (self.read)(&files[at as usize]));
        self.solve_read(files.iter().map(PathBuf::as_path).zip(read))
    }

    /// Solves problems that have been read.
    pub fn solve_read(
        &self,
        files: impl IntoIterator<Item = (&'a Path, Problems<'a>)>,
    ) -> Result<Outcome, Failure> {
        let all: Vec<_> = files.into_iter().flat_map(|(file, read)| problems(file, read)).collect();
        self.solve(all.len(), "problems", &|at| vec![Arc::clone(&all[at])])
    }

    fn solve(
        &self,
        count: usize,
        unit: &'static str,
        read: &(dyn Fn(usize) -> Vec<Arc<One<'a>>> + Sync),
    ) -> Result<Outcome, Failure> {
        if self.machine.gpus().count() > 1 {
            let why = "several GPUs share one 0-1 knapsack problem; several problems have one GPU: name it with --gpu N";
            return Err(Failure::Usage(why.into()));
        }
        let threads = self.machine.threads();
        let trial = Duration::try_from_secs_f64(self.machine.seconds_to_start_gpu());
        let inputs = Inputs {
            count,
            read,
            machine: self.machine.clone(),
            // Where a GPU has every problem, the threads beside them are its own.
            at_once: if self.asked == Some(Hardware::Gpu) { at_once(threads) } else { threads },
            trial: if self.asked.is_some() { Duration::MAX } else { trial.unwrap_or(Duration::MAX) },
            writes_files: false,
            steps: 0,
            stage: "solving",
            unit,
            work: &|one: &Arc<One<'a>>, share, line| {
                let outcome = match &one.1 {
                    Ok(Problem { instance, solve }) => {
                        let site = Site { machine: share.machine, turn: share.turn, progress: &NoProgress };
                        let instance = instance.as_ref();
                        solve(&site, Place::Among { file: one.0, instance, json: self.json, out: line })?
                    }
                    Err(failure) => self.report(one, failure, line),
                };
                Ok(Ended { outcome, steps: 0, is_unsettled: false })
            },
            failed: &|one, failure, line| {
                self.report(one, &failure, line);
            },
            written: &|_| {},
        };
        inputs.run()
    }

    /// Writes a failure in place of an answer.
    fn report(&self, (file, problem): &One<'a>, failure: &Failure, line: &mut Vec<u8>) -> Outcome {
        let instance = problem.as_ref().ok().and_then(|problem| problem.instance.as_ref());
        let (file, text) = (file.to_string_lossy(), failure.to_string());
        // Writing to memory does not fail.
        let _ = match (self.json, instance) {
            (false, Some(instance)) => {
                let label = if talk() == Talk::Quiet { "error: " } else { "error      " };
                instance.write_heading(line).and_then(|()| writeln!(line, "{label}{}", visible(&text)))
            }
            _ => {
                let name = instance.map(|instance: &Instance| instance.name.as_str());
                lines::write_failure(&file, name, &text, failure.code(), line)
            }
        };
        Outcome::Failed(failure.code())
    }
}

/// The problems of a file, or what reports why there is none.
fn problems<'a>(file: &'a Path, read: Problems<'a>) -> Vec<Arc<One<'a>>> {
    match read {
        Ok(read) => read.into_iter().map(|problem| Arc::new((file, Ok(problem)))).collect(),
        Err(failure) => vec![Arc::new((file, Err(failure)))],
    }
}
