//! `isx explore TASKSET`.

use super::arguments::{Computation, parse_area};
use super::failure::{Failure, Outcome};
use super::progress::Bar;
use super::terminal;
use clap::Args;
use isx::front::DesignFront;
use isx::quantity::Rational;
use isx::report::files::{check_writable, output_directory, write_whole};
use isx::report::{csv, json, plot::PlotData, svg, table};
use isx::taskset::{IdleChoice, TaskSet};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Compute the exact Pareto front of area against utilization
///
/// Prints a summary and writes front.csv, front.json and front.svg to output/<file stem>.
#[derive(Args)]
pub struct Explore {
    /// The task set, a YAML file
    taskset: PathBuf,

    /// Folder for front.csv, front.json and front.svg [default: output/<stem of TASKSET>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Consider no design above this area, in the file's area unit
    #[arg(long, value_name = "AREA", value_parser = parse_area)]
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
        reading.warnings.iter().for_each(terminal::warn);
        let directory = match &self.out {
            Some(directory) => directory.clone(),
            None => output_directory(Path::new("output"), &self.taskset),
        };
        check_writable(&directory)?;

        let bar = Bar::new();
        let explored =
            isx::explore(&reading.task_set, &self.computation.exploring(self.max_area.as_ref(), &bar));
        bar.finish();
        let front = explored?;

        let drawing = write_files(&front, &directory)?;
        let notes = notes(&front);
        if self.json {
            notes.iter().for_each(|note| terminal::note(note));
            let mut out = BufWriter::new(std::io::stdout().lock());
            json::write(&front, &mut out)?;
            out.flush()?;
        } else {
            self.print_summary(&front, &notes, &directory)?;
        }
        if let Some(problem) = drawing {
            terminal::note(&format!("no picture: {problem}"));
        }
        Ok(Outcome::Done)
    }

    fn print_summary(&self, front: &DesignFront, notes: &[String], directory: &Path) -> Result<(), Failure> {
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
        writeln!(out, "\nWrote front.csv, front.json and front.svg to {}", directory.display())?;
        out.flush()?;
        Ok(())
    }
}

/// Writes the three files; a front that cannot be drawn (figures beyond a double) has the other two, and the reason
/// comes back.
fn write_files(front: &DesignFront, directory: &Path) -> Result<Option<String>, Failure> {
    write_whole(&directory.join("front.csv"), |out| csv::write(front, out))?;
    write_whole(&directory.join("front.json"), |out| json::write(front, out))?;
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

/// What a user should know beside the front.
fn notes(front: &DesignFront) -> Vec<String> {
    let idle = idle_notes(&front.taskset);
    let cut = (!front.complete).then(|| "the front stops at --max-area; larger designs save more".to_owned());
    let constrained = front.formulation().tasks.iter().any(|task| task.deadline < task.period).then(|| {
        "some deadlines are shorter than periods: U <= 1 is necessary, the processor demand criterion decides".to_owned()
    });
    idle.into_iter().chain(cut).chain(constrained).collect()
}

/// One note a task with the choices that no point takes, and why.
fn idle_notes(set: &TaskSet) -> Vec<String> {
    let idle = set.idle_choices();
    let of_one_task = |group: &[IdleChoice]| {
        let choices: Vec<String> =
            group.iter().map(|idle| format!("{} ({})", idle.choice, idle.reason)).collect();
        format!("not used by {}: {}", group[0].task, choices.join(", "))
    };
    idle.chunk_by(|a, b| a.task == b.task).map(of_one_task).collect()
}
