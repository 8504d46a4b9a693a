//! Several task sets, of `explore` and `check`: their names, the table on standard output, and the errors beside it.

use crate::failure::{Failure, Outcome, Ways};
use crate::files::several::{Inputs, Process, refuse_stdin, with_folders};
use crate::files::unreadable;
use crate::terminal::{self, Talk, talk};
use isx_design::schedulability::Limits;
use isx_machine::Machine;
use isx_pages::overview::{Facts, Row, Table};
use isx_report::lines;
use isx_taskset::{ReadError, Reading};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Writes the line of JSON of a set, given the name of its file.
pub type Document<'a> = dyn Fn(&str, &Facts, &mut Vec<u8>) -> io::Result<()> + 'a;

/// The task sets and what is known of them.
pub struct Sets {
    /// Their files.
    pub files: Vec<PathBuf>,
    names: Vec<String>,
    json: bool,
    table: Table,
    ways: Ways,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    rows: BTreeMap<usize, Result<Facts, String>>,
    /// Failures that have not been printed.
    failures: BTreeMap<usize, Failure>,
    /// The sets with warnings.
    warned: BTreeSet<usize>,
}

impl Sets {
    /// The sets of files and folders, with answers as JSON or as a table.
    pub fn new(paths: &[PathBuf], json: bool, ways: Ways) -> Result<Self, Failure> {
        let files = with_folders(paths, &["yaml", "yml"]);
        refuse_stdin(&files)?;
        if let [folder] = &files[..]
            && folder.is_dir()
            && !json
        {
            let why = "this is a directory without task sets, that is files ending in .yaml or .yml";
            return Err(unreadable(folder, &why));
        }
        let mut names: Vec<String> = files.iter().map(|file| stem(file)).collect();
        if first_pair(&names).is_some() {
            names = files.iter().map(|file| file.display().to_string()).collect();
        }
        let table = Table::new(names.iter().map(String::as_str), terminal::color_on_stdout());
        Ok(Self { files, names, json, table, ways, state: Mutex::default() })
    }

    /// Refuses files that would share a folder for results.
    pub fn refuse_equal_names(&self) -> Result<(), Failure> {
        let stems: Vec<String> = self.files.iter().map(|file| stem(file)).collect();
        let Some((first, second)) = first_pair(&stems) else { return Ok(()) };
        let [one, other] = [first, second].map(|at| self.files[at].display());
        Err(Failure::Usage(if self.files[first] == self.files[second] {
            format!("`{one}` is given twice")
        } else {
            format!(
                "`{one}` and `{other}` would both write to the folder `{}`; rename one of them, or explore them one \
                 after the other with --out",
                stems[first]
            )
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on every set, and writes the table, or the documents, and what `last` says of the rows of all. The outcome is
    /// the worst of all. If files are written, the work goes on after the reader of the table has closed it.
    pub fn run(
        &self,
        stage: &'static str,
        (machine, on_gpu): (&Machine, bool),
        writes_files: bool,
        work: &Process<'_, usize>,
        last: impl FnOnce(&[Row]) -> Result<Option<String>, Failure>,
    ) -> Result<Outcome, Failure> {
        let written = |result| match result {
            Err(Failure::ClosedPipe) if writes_files => Ok(()),
            result => result,
        };
        if self.has_table() {
            let mut out = io::stdout().lock();
            written(self.table.write_head(&mut out).and_then(|()| out.flush()).map_err(Failure::from))?;
        }
        let inputs = Inputs {
            count: self.files.len(),
            read: &|at| vec![at],
            machine: machine.clone(),
            // A GPU solves one after another.
            at_once: if on_gpu { 1 } else { machine.threads() },
            trial: Duration::MAX,
            writes_files,
            steps: Limits::default().steps,
            stage,
            unit: "task sets",
            work,
            failed: &|&at, failure, line| self.failed(at, failure, line),
            written: &|below| self.report_failures(below),
        };
        let outcome = inputs.run()?;
        let row = |(at, facts): (usize, _)| Row {
            name: stem(&self.files[at]),
            file: self.files[at].display().to_string(),
            facts,
        };
        let rows: Vec<Row> = std::mem::take(&mut self.state().rows).into_iter().map(row).collect();
        let sentence = last(&rows)?;
        written(self.end(&rows, sentence))?;
        Ok(outcome)
    }

    fn has_table(&self) -> bool {
        !self.json && talk() != Talk::Quiet
    }

    /// Remembers that a set has warnings, for the note at the end; warnings about generated sets are left out.
    pub fn keep_warnings(&self, at: usize, reading: &Reading) {
        if !reading.warnings.is_empty() && !reading.task_set.is_generated() {
            self.state().warned.insert(at);
        }
    }

    /// Keeps what was found about a set, and writes its row or, as JSON, its document.
    pub fn answer(
        &self,
        at: usize,
        facts: Facts,
        line: &mut Vec<u8>,
        document: &Document<'_>,
    ) -> Result<(), Failure> {
        if self.json {
            document(&self.files[at].to_string_lossy(), &facts, line)?;
        } else {
            self.table.write_row(&self.names[at], Some(&facts), line)?;
        }
        self.state().rows.insert(at, Ok(facts));
        Ok(())
    }

    /// As [`Sets::answer`], for a set that failed.
    fn failed(&self, at: usize, failure: Failure, line: &mut Vec<u8>) {
        let (file, error) = (&self.files[at], failure.to_string());
        // Writing to memory does not fail.
        let _ = if self.json {
            lines::write_failure(&file.to_string_lossy(), None, &error, failure.code(), line)
        } else {
            self.table.write_row(&self.names[at], None, line)
        };
        let mut state = self.state();
        state.rows.insert(at, Err(on_one_line(&failure)));
        if !self.json {
            state.failures.insert(at, failure);
        }
    }

    /// Prints the errors of the sets below this number, whose rows have been written.
    fn report_failures(&self, below: usize) {
        loop {
            let mut state = self.state();
            let Some(entry) = state.failures.first_entry().filter(|entry| *entry.key() < below) else {
                return;
            };
            let (at, failure) = entry.remove_entry();
            drop(state);
            let advice = self.ways.out_of(&failure);
            let failure = match failure {
                // The error names the file.
                Failure::Read(_) => failure,
                other => Failure::Usage(format!("{}: {other}", self.files[at].display())),
            };
            terminal::report(&failure, advice.as_deref());
        }
    }

    /// Writes how many sets are schedulable, and a sentence below it; notes how many have warnings.
    fn end(&self, rows: &[Row], sentence: Option<String>) -> Result<(), Failure> {
        if self.has_table() {
            let mut out = io::stdout().lock();
            writeln!(out, "\n{}", totals(rows))?;
            sentence.iter().try_for_each(|sentence| writeln!(out, "{sentence}"))?;
            out.flush()?;
        }
        let warned = std::mem::take(&mut self.state().warned);
        if let Some(first) = warned.first() {
            let file = self.files[*first].display();
            terminal::note(&match warned.len() {
                1 => format!("`{file}` was read with warnings; `isx check {file}` shows them"),
                sets => format!(
                    "{sets} task sets were read with warnings; `isx check {file}` shows those of the first of them"
                ),
            });
        }
        Ok(())
    }
}

/// `5 task sets: 3 schedulable, 1 not schedulable, 1 with an error`.
fn totals(rows: &[Row]) -> String {
    let count = |wanted: Option<Option<bool>>| {
        let verdict = |row: &Row| row.facts.as_ref().ok().map(|facts| facts.schedulable);
        rows.iter().filter(|row| verdict(row) == wanted).count()
    };
    let (unknown, errors) = (count(Some(None)), count(None));
    let mut counts = vec![
        format!("{} schedulable", count(Some(Some(true)))),
        format!("{} not schedulable", count(Some(Some(false)))),
    ];
    counts.extend((unknown > 0).then(|| format!("{unknown} unknown")));
    counts.extend((errors > 0).then(|| format!("{errors} with an error")));
    let sets = if rows.len() == 1 { "1 task set".to_owned() } else { format!("{} task sets", rows.len()) };
    format!("{sets}: {}", counts.join(", "))
}

/// An error on one line: for a text that is no task set, its first problem with its place.
fn on_one_line(failure: &Failure) -> String {
    let Failure::Read(ReadError::Invalid { diagnostics, omitted }) = failure else {
        let words: Vec<String> = failure.to_string().split_whitespace().map(str::to_owned).collect();
        return words.join(" ");
    };
    let Some(first) = diagnostics.first() else { return failure.to_string() };
    let (line, column) = first.position();
    let more = match diagnostics.len() - 1 + omitted {
        0 => String::new(),
        1 => ", and 1 more error".into(),
        more => format!(", and {more} more errors"),
    };
    format!("{}:{line}:{column}: {}{more}", first.file(), first.message())
}

/// The name of a set's folder for results.
fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// The first two equal names.
fn first_pair(names: &[String]) -> Option<(usize, usize)> {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    names.iter().enumerate().find_map(|(at, name)| seen.insert(name, at).map(|first| (first, at)))
}
