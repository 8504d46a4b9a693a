//! `isx check TASKSET [--area A]`.

use super::notes::print_set_notes;
use super::sets::Sets;
use crate::arguments::what_if::Changes;
use crate::arguments::{Computation, Integers};
use crate::failure::{Failure, Outcome, Ways};
use crate::files::read_task_set;
use crate::files::several::Ended;
use crate::proofs::{certified, prove_nothing_fits, refuse_several};
use crate::terminal::progress::Bar;
use crate::terminal::{self, Talk, talk};
use clap::Args;
use isx_certificate::certify_verdict;
use isx_design::schedulability::{BudgetVerdict, Effort, SmallestWithin};
use isx_engine::{Hardware, NoProgress};
use isx_exact::quantity::{Rational, parse_decimal};
use isx_explore::resources::check_costs;
use isx_explore::{ExploreError, check_within};
use isx_mckp::Mckp;
use isx_pages::overview::Facts;
use isx_pages::verdict;
use isx_report::files::check_place;
use isx_report::lines;
use isx_taskset::formulate::formulate_allowed;
use isx_taskset::{TaskSet, read_file};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Decide whether a task set is schedulable within a given area, or with any area; one task set or many
///
/// Without --area isx finds the smallest schedulable area and shows its design: exit code 0 if there is one, 1 if no
/// design of any area is schedulable. Of several resources, --within or --device asks whether a design within these limits
/// is schedulable; without them isx finds all minimal costs at which one is.
///
/// With deadlines shorter than periods, and under fixed priorities, every design within the area is considered, not
/// only the one of least utilization. Under fixed priorities the response times are printed too. Exit code 0:
/// schedulable; 1: not schedulable; 3: unknown.
///
/// With several task sets (a folder stands for its .yaml and .yml files, sorted by name) a table has the verdict and the
/// smallest schedulable area of each. An invalid one does not stop the others. The exit code is 2 if any was invalid, else 3 if any is unknown, else 1 if any is not schedulable.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Check {
    /// The task set, a YAML file, or - for standard input; or several files, or a folder of them
    #[arg(required = true, value_name = "TASKSET")]
    tasksets: Vec<PathBuf>,

    /// The area to spend, in the file's area unit [default: any]
    #[arg(long, value_name = "AREA", value_parser = parse_decimal, allow_negative_numbers = true)]
    area: Option<Rational>,

    /// Print the verdict as JSON; those of several task sets as one line each
    #[arg(long)]
    json: bool,

    /// Prove the verdict, without --area also that no smaller area is enough, and write the proof to a file that `isx verify` checks
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    changes: Changes,

    #[command(flatten)]
    computation: Computation<Mckp, Integers>,
}

impl Check {
    pub fn run(&self) -> Result<Outcome, Failure> {
        match &self.tasksets[..] {
            [one] if !one.is_dir() => self.check_one(one),
            several => {
                refuse_several(self.certificate.as_deref(), several.len().max(2))?;
                self.check_all(several)
            }
        }
    }

    fn check_one(&self, taskset: &Path) -> Result<Outcome, Failure> {
        self.certificate.iter().try_for_each(|file| check_place(file))?;
        let (reading, _) = read_task_set(taskset)?;
        let task_set = self.changes.apply(reading.task_set)?;
        let bar = Bar::new();
        let proof = self.certificate.is_some();
        let options = isx_explore::Options { proof, ..self.computation.exploring(None, &bar) };
        let mut effort = Effort::new(options.limits);
        let checked = self.checked(&task_set, &options, &mut effort);
        bar.finish();
        if let (Err(error), Some(file)) = (&checked, &self.certificate) {
            prove_nothing_fits(error, &task_set, file, options.machine.max_memory())?;
        }
        let checked = checked?;
        // The verdict holds whether or not a certificate can state it.
        let proved = self.certificate.as_ref().map_or(Ok(()), |file| {
            let max_bytes = options.machine.max_memory();
            let formulations =
                formulate_allowed(&task_set, checked.budget.as_ref()).map_err(ExploreError::from)?;
            certified(Some(file), |out| certify_verdict(&checked, &formulations, max_bytes, out)).map(drop)
        });
        terminal::print(self.json, &|out| verdict::write_json(&checked, out), &|out| {
            verdict::write_text(&checked, &terminal::printing(), out)
        })?;
        print_set_notes(&task_set);
        proved.map(|()| outcome(&checked))
    }

    /// Decides the question of the flags: an area or limits, or the smallest area or costs.
    fn checked(
        &self,
        task_set: &TaskSet,
        options: &isx_explore::Options,
        effort: &mut Effort,
    ) -> Result<BudgetVerdict, ExploreError> {
        if !task_set.is_one_area() && self.area.is_none() && self.changes.are_limits() {
            return check_costs(task_set, false, options, effort);
        }
        check_within(task_set, self.area.as_ref(), options, effort)
    }

    fn check_all(&self, tasksets: &[PathBuf]) -> Result<Outcome, Failure> {
        let sets = Sets::new(tasksets, self.json, Ways::ENGINE)?;
        // Created once: querying the number of cores takes as long as solving many a small set.
        let options = self.computation.exploring(None, &NoProgress);
        let (reading, deciding) = (AtomicU64::new(0), AtomicU64::new(0));
        let spent = |on: &AtomicU64, since: Instant| {
            // Saturates at more than 500 years.
            on.fetch_add(since.elapsed().as_nanos() as u64, Ordering::Relaxed);
        };
        let on = (&options.machine, self.computation.hardware() == Some(Hardware::Gpu));
        let outcome = sets.run(
            "checking",
            on,
            false,
            &|&at, share, line| {
                let started = Instant::now();
                let read = read_file(&sets.files[at]);
                spent(&reading, started);
                let read = read?;
                sets.keep_warnings(at, &read);
                let task_set = self.changes.apply(read.task_set)?;
                let started = Instant::now();
                let options = isx_explore::Options { machine: share.machine.clone(), ..options.clone() };
                let mut effort = share.effort();
                let checked = self.checked(&task_set, &options, &mut effort)?;
                let facts = Facts::of_verdict(&checked);
                sets.answer(at, facts, line, &|file, _, line| {
                    lines::write(file, &[], line, &mut |line| verdict::write_json(&checked, line))
                })?;
                let smallest = matches!(checked.smallest, SmallestWithin::Unknown(_));
                let outcome = outcome(&checked);
                spent(&deciding, started);
                let is_unsettled = smallest || outcome == Outcome::Unknown;
                Ok(Ended { outcome, steps: effort.spent(), is_unsettled })
            },
            |_| Ok(None),
        )?;
        if talk() == Talk::Verbose {
            let seconds = |on: &AtomicU64| on.load(Ordering::Relaxed) as f64 / 1e9;
            let (reading, deciding) = (seconds(&reading), seconds(&deciding));
            terminal::note(&format!(
                "{} inputs on {} threads: {reading:.3} s of them reading, {deciding:.3} s deciding",
                sets.files.len(),
                options.machine.threads()
            ));
        }
        Ok(outcome)
    }
}

fn outcome(checked: &BudgetVerdict) -> Outcome {
    match checked.verdict.is_schedulable() {
        Some(true) => Outcome::Done,
        Some(false) => Outcome::Negative,
        None => Outcome::Unknown,
    }
}
