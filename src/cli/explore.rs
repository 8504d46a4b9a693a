//! `isx explore TASKSET`.

use super::advice::Ways;
use super::arguments::{Computation, parse_area};
use super::arithmetic::IntegersOrFloats;
use super::failure::{Failure, Outcome};
use super::input::read_task_set;
use super::notes::notes;
use super::progress::Bar;
use super::results::Results;
use super::terminal::{self, Talk, talk};
use clap::Args;
use isx::exploration::Exploration;
use isx::machine::cpu::Workers;
use isx::quantity::Rational;
use isx::report::files::write_whole;
use isx::report::{csv, json, plot::PlotData, svg, table, visible, wrapped};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Compute the exact Pareto front of area against utilization
///
/// Prints a summary and writes front.csv, front.json and front.svg to output/<file stem>, to output/stdin for
/// standard input. A folder that holds the front of another input is left alone (exit code 6) unless --out or
/// --overwrite is given.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Explore {
    /// The task set, a YAML file, or - for standard input
    taskset: PathBuf,

    /// Folder for front.csv, front.json and front.svg [default: output/<stem of TASKSET>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write to the default folder even if it holds the front of another input
    #[arg(long)]
    overwrite: bool,

    /// Consider no design above this area, in the file's area unit
    #[arg(long, value_name = "AREA", value_parser = parse_area, allow_negative_numbers = true)]
    max_area: Option<Rational>,

    /// Print every point of the front, not only as many as a screen takes
    #[arg(long, conflicts_with = "json")]
    all: bool,

    /// Print the front as JSON, not the summary; write files only with --out
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    computation: Computation<IntegersOrFloats>,
}

impl Explore {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let (reading, input) = read_task_set(&self.taskset)?;
        let results = match (self.json, &self.out) {
            (true, None) => None,
            _ => Some(Results::prepare(&self.taskset, input, self.out.as_deref(), self.overwrite)?),
        };

        let bar = Bar::new();
        let options = self.computation.exploring(self.max_area.clone(), &bar);
        let explored = isx::explore(&reading.task_set, &options);
        bar.finish();
        let front = explored?;
        let workers = options.machine.workers();

        let drawing = match &results {
            Some(results) => write_files(&front, workers, results)?,
            None => None,
        };
        match &results {
            Some(results) if !self.json => {
                let files = if drawing.is_none() {
                    "front.csv, front.json and front.svg"
                } else {
                    "front.csv and front.json"
                };
                self.print_summary(&front, &results.directory, files)?;
            }
            _ => {
                notes(&front, talk()).iter().for_each(|note| terminal::note(note));
                let mut out = BufWriter::new(std::io::stdout().lock());
                json::write(&front, workers, &mut out)?;
                out.flush()?;
            }
        }
        if let Some(problem) = drawing {
            terminal::note(&format!("no picture was drawn: {problem}"));
        }
        Ok(Outcome::Done)
    }

    /// The flags that lead out of a failure.
    pub fn ways(&self) -> Ways {
        let smaller = Some("consider less with --max-area");
        Ways { smaller, engine: !self.computation.is_inexact(), out: true }
    }

    fn print_summary(&self, front: &Exploration, directory: &Path, files: &str) -> Result<(), Failure> {
        let mut out = BufWriter::new(std::io::stdout().lock());
        if talk() == Talk::Quiet {
            table::write_line(front, &mut out)?;
            return Ok(out.flush()?);
        }
        let defaults = table::Options::default();
        let options = table::Options {
            width: terminal::columns(),
            color: terminal::color_on_stdout(),
            max_rows: if self.all { usize::MAX } else { defaults.max_rows },
            rest: Some("see --all"),
            engine: talk() == Talk::Verbose,
            notes: &notes(front, talk()),
        };
        table::write(front, &options, &mut out)?;
        let written = format!("Wrote {files} to {}", visible(&directory.display().to_string()));
        writeln!(out, "\n{}", wrapped("", &written, options.width))?;
        Ok(out.flush()?)
    }
}

/// Writes the three files; a front that cannot be drawn (figures beyond a double) has the other two, and the reason
/// comes back.
fn write_files(front: &Exploration, workers: &Workers, results: &Results) -> Result<Option<String>, Failure> {
    results.remember()?;
    let directory = &results.directory;
    write_whole(&directory.join("front.csv"), |out| csv::write(front, workers, out))?;
    write_whole(&directory.join("front.json"), |out| json::write(front, workers, out))?;
    let drawn = PlotData::from_front(front)
        .map_err(|problem| problem.to_string())
        .and_then(|data| svg::draw(&data, &svg::Options::default()).map_err(|problem| problem.to_string()));
    match drawn {
        Ok(picture) => {
            write_whole(&directory.join("front.svg"), |out| out.write_all(picture.as_bytes()))?;
            Ok(None)
        }
        Err(problem) => Ok(Some(problem)),
    }
}
