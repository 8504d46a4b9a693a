//! `isx explore TASKSET`.

use super::arguments::{Computation, parse_area};
use super::failure::{Failure, Outcome};
use super::progress::Bar;
use super::terminal;
use clap::Args;
use isx::exploration::Exploration;
use isx::machine::cpu::Workers;
use isx::quantity::Rational;
use isx::report::files::{check_replaceable, check_writable, output_directory, write_whole};
use isx::report::{csv, json, plot::PlotData, svg, table, visible};
use isx::taskset::{IdleChoice, IdleReason, TaskSet};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Compute the exact Pareto front of area against utilization
///
/// Prints a summary and writes front.csv, front.json and front.svg to output/<file stem>.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Explore {
    /// The task set, a YAML file
    taskset: PathBuf,

    /// Folder for front.csv, front.json and front.svg [default: output/<stem of TASKSET>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Consider no design above this area, in the file's area unit
    #[arg(long, value_name = "AREA", value_parser = parse_area, allow_negative_numbers = true)]
    max_area: Option<Rational>,

    /// Print the front as JSON instead of the summary
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    computation: Computation,
}

impl Explore {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let reading = isx::taskset::read_file(&self.taskset)?;
        terminal::warn(&reading.warnings);
        let directory = match &self.out {
            Some(directory) => directory.clone(),
            None => output_directory(Path::new("output"), &self.taskset),
        };
        check_writable(&directory)?;
        for file in ["front.csv", "front.json", "front.svg"] {
            check_replaceable(&directory.join(file))?;
        }

        let bar = Bar::new();
        let options = self.computation.exploring(self.max_area.clone(), &bar);
        let explored = isx::explore(&reading.task_set, &options);
        bar.finish();
        let front = explored?;

        let drawing = write_files(&front, options.machine.workers(), &directory)?;
        let notes = notes(&front);
        if self.json {
            notes.iter().for_each(|note| terminal::note(note));
            let mut out = BufWriter::new(std::io::stdout().lock());
            json::write(&front, options.machine.workers(), &mut out)?;
            out.flush()?;
        } else {
            let written = if drawing.is_none() {
                "front.csv, front.json and front.svg"
            } else {
                "front.csv and front.json"
            };
            print_summary(&front, &notes, &directory, written)?;
        }
        if let Some(problem) = drawing {
            terminal::note(&format!("no picture was drawn: {problem}"));
        }
        Ok(Outcome::Done)
    }
}

/// Writes the three files; a front that cannot be drawn (figures beyond a double) has the other two, and the reason
/// comes back.
fn write_files(front: &Exploration, workers: &Workers, directory: &Path) -> Result<Option<String>, Failure> {
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

fn print_summary(
    front: &Exploration,
    notes: &[String],
    directory: &Path,
    written: &str,
) -> Result<(), Failure> {
    let full = directory.join("front.csv").display().to_string();
    let options = table::Options {
        width: terminal::columns(),
        color: terminal::color_on_stdout(),
        full: Some(&full),
        notes,
        ..table::Options::default()
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    table::write(front, &options, &mut out)?;
    writeln!(out, "\nWrote {written} to {}", visible(&directory.display().to_string()))?;
    out.flush()?;
    Ok(())
}

/// What a user should know beside the front.
fn notes(front: &Exploration) -> Vec<String> {
    let mut notes = idle_notes(front.task_set());
    if !front.front.is_complete() && front.front.is_exact() {
        notes.push("the front stops at --max-area; larger designs save more".into());
    }
    if front.front.formulation().tasks.iter().any(|task| task.deadline < task.period) {
        let rule = "some deadlines are shorter than their periods: U <= 1 is not enough there, so the processor demand \
                    criterion decides";
        notes.push(rule.into());
    }
    let undecided = front.verdicts.undecided_for_steps;
    if front.verdicts.points.iter().filter(|verdict| verdict.is_none()).count() > undecided {
        let fails = "?: this design is not known to meet its deadlines; another of no more area may";
        notes.push(fails.into());
    }
    if undecided > 0 {
        let ended = format!(
            "the limit of work for verdicts ended before {undecided} of the points marked ? were decided"
        );
        notes.push(ended);
    }
    notes
}

/// One note a task with the choices that no point takes, and why: `not used by fir: mac, dual (slower than software);
/// tiny (dominated by big)`.
fn idle_notes(set: &TaskSet) -> Vec<String> {
    let idle = set.idle_choices();
    idle.chunk_by(|a, b| a.task == b.task)
        .map(|group| format!("not used by {}: {}", group[0].task, by_reason(group)))
        .collect()
}

/// The choices with the same reason together, in the order of the file.
fn by_reason(idle: &[IdleChoice]) -> String {
    let mut groups: Vec<(IdleReason, Vec<&str>)> = Vec::new();
    for choice in idle {
        match groups.iter_mut().find(|(reason, _)| *reason == choice.reason) {
            Some((_, choices)) => choices.push(choice.choice),
            None => groups.push((choice.reason, vec![choice.choice])),
        }
    }
    let groups: Vec<String> =
        groups.iter().map(|(reason, choices)| format!("{} ({reason})", choices.join(", "))).collect();
    groups.join("; ")
}
