//! `isx check TASKSET --area A`.

use super::arguments::{Computation, parse_area};
use super::arithmetic::Integers;
use super::failure::{Failure, Outcome};
use super::input::read_task_set;
use super::progress::Bar;
use super::terminal::{self, Talk, talk};
use clap::Args;
use isx::engine::mckp::Mckp;
use isx::quantity::Rational;
use isx::report::verdict;
use isx::schedulability::Verdict;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Decide whether a task set is schedulable under EDF with so much area
///
/// With deadlines shorter than periods every design within the area is considered, not only the one of least
/// utilization. Exit code 0: schedulable; 1: not schedulable; 3: unknown.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Check {
    /// The task set, a YAML file, or - for standard input
    taskset: PathBuf,

    /// The area to spend, in the file's area unit
    #[arg(long, value_name = "AREA", value_parser = parse_area, allow_negative_numbers = true)]
    area: Rational,

    /// Print the verdict as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    computation: Computation<Mckp, Integers>,
}

impl Check {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let (reading, _) = read_task_set(&self.taskset)?;
        let bar = Bar::new();
        let checked = isx::check(&reading.task_set, &self.area, &self.computation.exploring(None, &bar));
        bar.finish();
        let checked = checked?;

        let mut out = BufWriter::new(std::io::stdout().lock());
        if self.json {
            verdict::write_json(&checked, &mut out)?;
        } else {
            let options = verdict::Options {
                width: terminal::columns(),
                color: terminal::color_on_stdout(),
                brief: talk() == Talk::Quiet,
                engine: talk() == Talk::Verbose,
            };
            verdict::write_text(&checked, &options, &mut out)?;
        }
        out.flush()?;
        Ok(match checked.verdict {
            Verdict::Schedulable { .. } => Outcome::Done,
            Verdict::NotSchedulable { .. } => Outcome::Negative,
            Verdict::Unknown { .. } => Outcome::Unknown,
        })
    }
}
