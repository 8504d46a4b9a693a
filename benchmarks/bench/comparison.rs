//! What most benchmarks find: problems, and the times of the contestants that solved them, as tables and as a chart.

use super::machine::Machine;
use super::runner::{Outcome, Work};
use super::timed::{Sample, Timed, median};
use crate::charts::chart::{DotChart, Group, Range, Row, Series};
use crate::charts::measured::{duration, markdown_table, rate, ratio};
use serde::{Deserialize, Serialize};

/// The schema's name.
pub const SCHEMA: &str = "isx.bench.comparison/1";

/// With more problems than this, each is a row of a table, and the chart summarizes them.
const FEW: usize = 12;

/// All measurements of a benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// [`SCHEMA`].
    pub schema: String,
    /// What was measured.
    pub title: String,
    /// The command that repeats the measurement.
    pub command: String,
    /// Describes the problems, and how their answers were checked.
    pub about: String,
    /// The machine.
    pub machine: Machine,
    /// Every problem.
    pub problems: Vec<Problem>,
    /// What else was found.
    pub tables: Vec<Table>,
}

/// A problem and its contestants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// Its name.
    pub name: String,
    /// What was found, and with what it was compared.
    pub answer: String,
    /// The largest profit, of a 0-1 knapsack problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimum: Option<String>,
    /// Candidates of the textbook table.
    pub candidates: f64,
    /// The contestants in order.
    pub entries: Vec<Entry>,
}

/// A contestant and its runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub contestant: String,
    /// How much of the problem it examined.
    pub work: Work,
    /// Where it ran.
    pub series: Series,
    /// Its times.
    pub outcome: Outcome,
}

/// A table of other figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Table {
    /// What it is called.
    pub title: String,
    /// What it is of.
    pub about: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows, a cell for each column.
    pub rows: Vec<Vec<String>>,
}

impl Comparison {
    /// A benchmark's measurements on this machine.
    pub fn new(
        title: &str,
        command: String,
        about: String,
        machine: &isx_machine::Machine,
        problems: Vec<Problem>,
    ) -> Self {
        let (schema, title) = (SCHEMA.to_owned(), title.to_owned());
        let machine = Machine::here(machine);
        Self { schema, title, command, about, machine, problems, tables: Vec::new() }
    }

    /// The contestants of all problems, each once.
    pub fn names(&self) -> Vec<(String, Series)> {
        let mut names: Vec<(String, Series)> = Vec::new();
        for entry in self.problems.iter().flat_map(|problem| &problem.entries) {
            let name = entry.name();
            if names.iter().all(|(known, _)| *known != name) {
                names.push((name, entry.series));
            }
        }
        names
    }

    /// The times of a contestant in each problem; none where it has none.
    fn times<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Option<&'a Timed>> {
        let of = move |problem: &'a Problem| problem.entries.iter().find(|entry| entry.name() == name);
        self.problems.iter().map(move |problem| of(problem).and_then(|entry| entry.outcome.timed()))
    }

    /// Every contestant over all problems.
    fn over_all(&self) -> String {
        let row = |(name, _): &(String, Series)| {
            let medians: Vec<f64> = self.times(name).flatten().map(Timed::total).collect();
            let missing = self.problems.len() - medians.len();
            let mut row = vec![name.clone(), medians.len().to_string(), missing.to_string()];
            match range(&medians) {
                Some(all) => row.extend([all.least, all.median, all.most].map(duration)),
                None => row.extend(["–"; 3].map(str::to_owned)),
            }
            row.push(duration(medians.iter().sum()));
            row
        };
        let rows: Vec<Vec<String>> = self.names().iter().map(row).collect();
        let head = ["contestant", "solved", "not", "least", "median", "most", "together"];
        format!("\n## All problems\n\n{}", markdown_table(&head, &rows))
    }

    /// A row per problem, a column per contestant.
    fn grid(&self) -> String {
        let names = self.names();
        let row = |problem: &Problem| {
            let cell = |(name, _): &(String, Series)| {
                let entry = problem.entries.iter().find(|entry| entry.name() == *name);
                entry
                    .and_then(|entry| entry.outcome.timed())
                    .map_or("–".into(), |timed| duration(timed.total()))
            };
            let cells = names.iter().map(cell);
            [problem.name.clone(), problem.answer.clone()].into_iter().chain(cells).collect()
        };
        let rows: Vec<Vec<String>> = self.problems.iter().map(row).collect();
        let head: Vec<&str> =
            ["problem", "answer"].into_iter().chain(names.iter().map(|(name, _)| name.as_str())).collect();
        format!("\n## Every problem\n\n{}", markdown_table(&head, &rows))
    }

    /// The tables.
    pub fn markdown(&self) -> String {
        let Self { title, command, about, .. } = self;
        let mut text = format!(
            "# {title}\n\n`{command}`\n\n{}.\n\n{about} Medians of the runs: reduction, transfers and items included, \
             reading and the start of a GPU left out. Every answer was checked before its time was kept.\n",
            self.machine.words()
        );
        if self.problems.len() > 1 {
            text += &self.over_all();
        }
        match self.problems.len() {
            0..=FEW => text.extend(self.problems.iter().map(Problem::table)),
            _ => text += &self.grid(),
        }
        for Table { title, about, head, rows } in &self.tables {
            let head: Vec<&str> = head.iter().map(String::as_str).collect();
            text += &format!("\n## {title}\n\n{about}\n");
            if !rows.is_empty() {
                text += &format!("\n{}", markdown_table(&head, rows));
            }
        }
        let notes: String = self.problems.iter().flat_map(Problem::notes).collect();
        if !notes.is_empty() {
            text += &format!("\nNot measured, or disturbed by other programs:\n\n{notes}");
        }
        text
    }

    /// The times as a chart.
    pub fn chart(&self) -> DotChart {
        let over_all = || {
            let row = |(label, series): (String, Series)| {
                let medians: Vec<f64> = self.times(&label).flatten().map(Timed::total).collect();
                let times = range(&medians).ok_or_else(|| "it solved none".to_owned());
                Row { label, series, times }
            };
            let rows = self.names().into_iter().map(row).collect();
            vec![Group { title: format!("{} problems", self.problems.len()), rows }]
        };
        let groups = match self.problems.len() {
            0..=FEW => self.problems.iter().map(Problem::group).collect(),
            _ => over_all(),
        };
        let subtitle = format!("{}; answers checked", self.machine.cpu);
        DotChart { title: self.title.clone(), subtitle, groups }
    }
}

impl Problem {
    fn table(&self) -> String {
        let baseline = self.entries.iter().find(|entry| entry.series == Series::Baseline);
        let baseline = baseline.and_then(|entry| entry.outcome.timed()).map(Timed::total);
        let row = |entry: &Entry| {
            let timed = entry.outcome.timed()?;
            let total = timed.total();
            Some(vec![
                entry.name(),
                timed.ran_on.clone(),
                duration(total),
                format!("{:.1} %", 100.0 * timed.updates as f64 / self.candidates.max(1.0)),
                rate(self.candidates / total.max(1e-9)),
                baseline.map_or_else(|| "–".into(), |baseline| ratio(baseline / total)),
                timed.samples.len().to_string(),
            ])
        };
        let rows: Vec<Vec<String>> = self.entries.iter().filter_map(row).collect();
        let head =
            ["contestant", "ran on", "time", "candidates", "textbook cells a second", "× textbook", "runs"];
        format!("\n## {}\n\n{}\n\n{}", self.name, self.answer, markdown_table(&head, &rows))
    }

    fn group(&self) -> Group {
        let row = |entry: &Entry| Row {
            label: entry.name(),
            series: entry.series,
            times: match &entry.outcome {
                Outcome::Timed(timed) => Ok(timed.range(Sample::total)),
                Outcome::NotMeasured(why) => Err(why.clone()),
            },
        };
        Group { title: self.name.clone(), rows: self.entries.iter().map(row).collect() }
    }

    /// A line for each contestant without times, or whose times mean little.
    fn notes(&self) -> impl Iterator<Item = String> {
        self.entries.iter().filter_map(|entry| {
            let why = match &entry.outcome {
                Outcome::NotMeasured(why) => why,
                Outcome::Timed(timed) if timed.disturbed() => "it waited for a core that other programs had",
                Outcome::Timed(_) => return None,
            };
            Some(format!("- {}, {}: {why}\n", self.name, entry.name()))
        })
    }
}

impl Entry {
    /// What asks for it by `--engine`.
    pub fn flag(&self) -> String {
        let work = if self.work == Work::Raw { ":raw" } else { "" };
        format!("{}{work}", self.contestant)
    }

    /// Its name, and how much of the problem it examined if that is everything.
    pub fn name(&self) -> String {
        let work = if self.work == Work::Raw { ", all the work" } else { "" };
        format!("{}{work}", self.contestant)
    }
}

/// Medians of several problems: median, least and greatest.
fn range(seconds: &[f64]) -> Option<Range> {
    let median = (!seconds.is_empty()).then(|| median(seconds.to_vec()))?;
    let (least, most) =
        seconds.iter().fold((median, median), |(least, most), &time| (least.min(time), most.max(time)));
    Some(Range { least, median, most, runs: seconds.len() })
}
