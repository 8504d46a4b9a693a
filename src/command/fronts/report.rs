//! `isx report FRONT`: the page for a browser, from a front that was explored before.

use super::plot::open_stream;
use crate::arguments::what_if::Changes;
use crate::failure::{Failure, Outcome};
use crate::files::origin::{file_name, named, origin};
use crate::files::{Hashed, deliver, hexadecimal, is_stdin, place, read_task_set, unreadable};
use crate::terminal;
use crate::terminal::progress::Bar;
use clap::Args;
use isx_design::exploration::Exploration;
use isx_explore::Options;
use isx_pages::html::Report as Page;
use isx_report::files::check_place;
use isx_report::front::{Front, WithChoices};
use isx_report::origin::OriginFile;
use isx_taskset::TaskSet;
use std::path::PathBuf;

/// Write a self-contained HTML report of a front
///
/// The report shows the front, the best design within any budget, the choices of every task and the origin of the
/// data. A front.json or front.parquet holds areas, utilizations, verdicts, choices and the names of
/// blocks. With --taskset the report
/// also has execution times, areas of choices and blocks and, under fixed priorities, response times. `isx explore
/// --format html` writes the same report.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Report {
    /// The front.json or front.parquet that `isx explore` wrote, or - for standard input
    #[arg(value_name = "FRONT")]
    input: PathBuf,

    /// The task set that the front was computed from; it is explored again, and refused if the fronts differ
    #[arg(long, value_name = "TASKSET")]
    taskset: Option<PathBuf>,

    /// The page to write, or - for standard output [default: FRONT with the ending html, standard output for -]
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,

    /// Title of the page [default: the task set's name]
    #[arg(long)]
    title: Option<String>,

    /// The changes that the front was explored with, for its task set
    #[command(flatten)]
    changes: Changes,
}

/// Explores the task set again, to compare the front with it; if that is refused, a note.
fn explored_again(set: &TaskSet, by_margin: bool, notes: &mut Vec<String>) -> Option<Exploration> {
    let bar = Bar::new();
    let options = Options { progress: &bar, ..Options::default() };
    let explored = match by_margin {
        true => isx_explore::explore_margins(set, &options),
        false => isx_explore::explore(set, &options),
    };
    bar.finish();
    let tell = |problem| {
        let note = format!("whether a point is missing was not checked: {problem}");
        terminal::note(&note);
        notes.push(note);
    };
    explored.map_err(tell).ok()
}

impl Report {
    pub fn run(&self) -> Result<Outcome, Failure> {
        if self.changes.are_any() && self.taskset.is_none() {
            bail!(
                "--force, --forbid, --variant, --scale-wcet and --margin say how the set of --taskset was changed; give that too"
            );
        }
        let place = place(self.output.as_deref(), &self.input, "html");
        if let Some(file) = &place {
            check_place(file)?;
        }
        let mut inputs = Vec::new();
        let mut notes = Vec::new();
        let mut task_set = None;
        if let Some(file) = &self.taskset {
            if is_stdin(file) && is_stdin(&self.input) {
                bail!("the front and the task set cannot both be standard input");
            }
            let (reading, identity) = read_task_set(file)?;
            inputs.push(named(file, &identity));
            notes.extend(reading.warnings.iter().map(|warning| warning.message().to_owned()));
            task_set = Some(self.changes.apply(reading.task_set)?);
        }
        let mut stream = Hashed::new(open_stream(&self.input, " --format html")?);
        let front = Front::read(&mut stream, &WithChoices::First(usize::MAX));
        let front = front.map_err(|problem| unreadable(&self.input, &problem))?;
        let page = match &task_set {
            None => Page::new(&front, None),
            Some(set) => {
                let again = explored_again(set, front.head.by_margin, &mut notes);
                Page::checked(&front, set, again.as_ref().map(Front::of).as_ref())
            }
        };
        let mut page = page.map_err(|problem| unreadable(&self.input, &problem))?;
        inputs.insert(0, OriginFile { name: file_name(&self.input), sha256: hexadecimal(&stream.digest()) });
        page = page.with_origin(&origin(inputs, notes));
        if let Some(title) = &self.title {
            page = page.titled(title);
        }
        deliver(place.as_deref(), |out| page.write(out))?;
        Ok(Outcome::Done)
    }
}
