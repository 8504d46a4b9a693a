//! One problem, or several, of one file or of several: each of several has a line of JSON, or a block of text, in order.
//!
//! All threads solve them, and the GPU those that would take long, as [`crate::files::several`] says.

use super::place::{Instance, Place, Problem, Site};
use crate::failure::{Failure, Outcome};
use crate::files::ordered::at_once;
use crate::files::several::{Ended, Inputs, refuse_stdin};
use crate::terminal::progress::Bar;
use crate::terminal::{Talk, talk};
use isx_engine::{Hardware, Turn};
use isx_machine::Machine;
use isx_report::{lines, visible};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The problems of a file, or why it cannot be read.
pub type Problems<'a> = Result<Vec<Problem<'a>>, Failure>;

/// A problem of a file, or why the file has none.
type One<'a> = (&'a Path, Result<Problem<'a>, Failure>);

/// Solves one problem with a progress bar, or several with one answer each. `hardware` is that of the engine asked for.
pub fn each_file<'a>(
    files: &'a [PathBuf],
    json: bool,
    hardware: Option<Hardware>,
    machine: Machine,
    read: &(dyn Fn(&'a Path) -> Problems<'a> + Sync),
) -> Result<Outcome, Failure> {
    if let [file] = files {
        let bar = Bar::waiting("preparing");
        let read = read(file)?;
        if let [Problem { instance: None, solve }] = &read[..] {
            let site = Site { machine: &machine, turn: Turn::Any, bar: Some(&bar) };
            return solve(&site, Place::Alone { json });
        }
        drop(bar);
        return Many { machine, hardware, json }.solve_read(problems(file, Ok(read)));
    }
    refuse_stdin(files)?;
    let many = Many { machine, hardware, json: true };
    if files.len() > many.machine.threads() {
        return many.solve(files.len(), "files", &|at| problems(&files[at], read(&files[at])));
    }
    // Few files may hold many problems, which are counted first.
    let read = |at| problems(&files[at as usize], read(&files[at as usize]));
    many.solve_read(many.machine.workers().map(files.len() as u64, true, read).concat())
}

/// How to solve several.
struct Many {
    /// What all of them may use together.
    machine: Machine,
    /// What the engine asked for runs on; `None` if none was asked for.
    hardware: Option<Hardware>,
    json: bool,
}

impl Many {
    fn solve_read(&self, all: Vec<Arc<One<'_>>>) -> Result<Outcome, Failure> {
        self.solve(all.len(), "problems", &|at| vec![Arc::clone(&all[at])])
    }

    fn solve<'a>(
        &self,
        count: usize,
        unit: &'static str,
        read: &(dyn Fn(usize) -> Vec<Arc<One<'a>>> + Sync),
    ) -> Result<Outcome, Failure> {
        if self.machine.gpus().count() > 1 {
            bail!(
                "several GPUs share one 0-1 knapsack problem; several problems have one GPU: name it with --gpu N"
            );
        }
        let threads = self.machine.threads();
        let trial = Duration::try_from_secs_f64(self.machine.seconds_to_start_gpu());
        let inputs = Inputs {
            count,
            read,
            machine: self.machine.clone(),
            // Where a GPU has every problem, the threads beside them are its own.
            at_once: if self.hardware == Some(Hardware::Gpu) { at_once(threads) } else { threads },
            trial: if self.hardware.is_some() { Duration::MAX } else { trial.unwrap_or(Duration::MAX) },
            writes_files: false,
            steps: 0,
            stage: "solving",
            unit,
            work: &|one: &Arc<One<'a>>, share, line| {
                let outcome = match &one.1 {
                    Ok(Problem { instance, solve }) => {
                        let site = Site { machine: share.machine, turn: share.turn, bar: None };
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
    fn report(&self, (file, problem): &One<'_>, failure: &Failure, line: &mut Vec<u8>) -> Outcome {
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
