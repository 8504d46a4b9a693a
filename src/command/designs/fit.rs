//! `isx fit TASKSET --device NAME..`.

use super::notes::print_set_notes;
use crate::arguments::what_if::TaskChanges;
use crate::arguments::{Computation, Integers};
use crate::failure::{Failure, Outcome};
use crate::files::read_task_set;
use crate::terminal;
use crate::terminal::progress::Bar;
use clap::Args;
use isx_explore::resources::fit_each;
use isx_mckp::Mckp;
use isx_pages::fit;
use isx_taskset::{TaskSet, WhatIf, own_device};
use std::path::PathBuf;

/// Decide on which FPGAs a task set is schedulable, and which resource binds on each
///
/// A row per device: the verdict, the least utilization of a design within its limits, what this design uses of each
/// resource and how much there is, and the resources that bind: more of one of them alone would give less utilization.
/// The device of the file comes first, then those of its family. What is counted on one family is not the same on
/// another: other families are only tried if they are named or with --all-families, with a warning.
///
/// The smallest schedulable device is the one with the least of the first resource (of equal ones, of the next). The
/// minimal schedulable costs are those of the set without any limit. `fill` and `base` of the file apply to every device.
///
/// Exit code 0: schedulable on one of the devices; 1: on none; 3: unknown.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Fit {
    /// The task set, a YAML file that counts resources, or - for standard input
    #[arg(value_name = "TASKSET")]
    taskset: PathBuf,

    /// A device, such as iCE40UP5K; may be repeated [default: that of the file and its family; without one, all known devices
    /// that have the set's resources]
    #[arg(long, value_name = "NAME")]
    device: Vec<String>,

    /// Try all known devices that have the set's resources
    #[arg(long, conflicts_with = "device")]
    all_families: bool,

    /// Print the rows as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    changes: TaskChanges,

    #[command(flatten)]
    computation: Computation<Mckp, Integers>,
}

impl Fit {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let (reading, _) = read_task_set(&self.taskset)?;
        let sets = self.sets(&reading.task_set)?;
        let bar = Bar::new();
        let options = self.computation.exploring(None, &bar);
        let fits = fit_each(sets, own_device(&reading.task_set), &options);
        bar.finish();
        let fits = fits?.ok_or_else(|| Failure::Usage("no device is known".into()))?;
        let text = &terminal::printing();
        terminal::print(self.json, &|out| fit::write_json(&fits, out), &|out| {
            fit::write_text(&fits, text, out)
        })?;
        print_set_notes(&reading.task_set);
        fits.warnings().iter().for_each(|warning| terminal::warning(warning));
        let verdicts: Vec<Option<bool>> = fits.rows.iter().map(fit::Fit::schedulable).collect();
        Ok(if verdicts.contains(&Some(true)) {
            Outcome::Done
        } else if verdicts.contains(&None) {
            Outcome::Unknown
        } else {
            Outcome::Negative
        })
    }

    /// The set with the limits of each device.
    fn sets(&self, set: &TaskSet) -> Result<Vec<TaskSet>, Failure> {
        let changes = self.changes.of(set, WhatIf::default())?;
        changes.apply(set).map_err(|error| Failure::Usage(error.to_string()))?;
        changes.on_devices(&self.device, self.all_families, set).map_err(|error| {
            Failure::Usage(if self.device.is_empty() {
                error.to_string()
            } else {
                format!("--device: {error}")
            })
        })
    }
}
