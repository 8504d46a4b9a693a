//! `isx solve`: the engines on plain problems, with one file per family.

mod knapsack;
mod lcs;
mod many;
mod mckp;
mod multidim;
mod tsp;

use crate::arguments::{Registered, wrong_capacity};
use crate::failure::{Failure, Outcome, Ways};
use crate::files::unreadable;
use crate::proofs::refuse_several;
use crate::terminal::progress::{Bar, Ending};
use crate::terminal::{Talk, talk};
use clap::{Args, Subcommand};
use isx_engine::Choice;
use isx_machine::Machine;
use isx_problems::looks::Looks;
use isx_problems::text::{TextError, parse_capacity};
use isx_report::files::check_place;
use isx_report::lines;
use isx_report::solution::{self, Solved};
use isx_report::visible;
use many::Many;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Solve a plain problem exactly: a knapsack, a longest common subsequence, a shortest tour
#[derive(Args)]
pub struct Solve {
    #[command(subcommand)]
    problem: Family,
}

#[derive(Subcommand)]
enum Family {
    Mckp(mckp::Mckp),
    Knapsack(knapsack::Knapsack),
    Multidim(multidim::Multidim),
    Lcs(lcs::Lcs),
    Tsp(tsp::Tsp),
}

impl Solve {
    pub fn run(&self) -> Result<Outcome, Failure> {
        match &self.problem {
            Family::Mckp(mckp) => mckp.run(),
            Family::Knapsack(knapsack) => knapsack.run(),
            Family::Multidim(multidim) => multidim.run(),
            Family::Lcs(lcs) => lcs.run(),
            Family::Tsp(tsp) => tsp.run(),
        }
    }

    /// The flags that help after a failure.
    pub fn ways(&self) -> Ways {
        let smaller = match &self.problem {
            // The capacities are in the file.
            Family::Multidim(_) => None,
            Family::Lcs(lcs) => lcs.smaller(),
            Family::Tsp(_) => Some(tsp::ELSEWHERE),
            _ => Some("lower --capacity"),
        };
        Ways { smaller, engine: true, ..Ways::default() }
    }
}

/// Where a solution goes.
enum Place<'a> {
    /// To standard output, as JSON or as text.
    Alone {
        /// As JSON.
        json: bool,
    },
    /// To the answers of several problems: a line of JSON with the file's name, or a block of text.
    Among {
        /// The file.
        file: &'a Path,
        /// Which of the file's problems it is, if there are several.
        instance: Option<&'a Instance>,
        /// As JSON.
        json: bool,
        /// The line, or the block.
        out: &'a mut Vec<u8>,
    },
}

/// A problem's place in its file.
struct Instance {
    /// Its name in the file, or its number, from 0.
    name: String,
    /// Whether it is the first of its file.
    is_first: bool,
}

impl Instance {
    /// Writes what stands above the answer as text.
    fn write_heading(&self, out: &mut dyn Write) -> io::Result<()> {
        match talk() {
            Talk::Quiet => write!(out, "{}: ", visible(&self.name)),
            _ => writeln!(out, "{}problem    {}", if self.is_first { "" } else { "\n" }, visible(&self.name)),
        }
    }
}

impl Place<'_> {
    /// Prints a solution.
    fn print(self, solved: &Solved<'_>) -> Result<Outcome, Failure> {
        self.write(
            |json, out| if json { solution::write_json(solved, out) } else { write_text(solved, out) },
        )?;
        Ok(Outcome::Done)
    }

    /// Prints as JSON or as text.
    fn write(self, write: impl FnOnce(bool, &mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        match self {
            Place::Alone { json } => {
                let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
                write(json, &mut out)?;
                out.flush()?;
            }
            Place::Among { instance: Some(instance), json: false, out, .. } => {
                instance.write_heading(out)?;
                write(false, out)?;
            }
            Place::Among { file, instance, out, .. } => {
                let instance = instance.map(|instance| instance.name.as_str());
                lines::write_of_several(&file.to_string_lossy(), instance, out, |line| write(true, line))?;
            }
        }
        Ok(())
    }
}

/// Prints a solution as text, or with `-q` in one line.
fn write_text(solved: &Solved<'_>, out: &mut dyn Write) -> io::Result<()> {
    match talk() {
        Talk::Quiet => solution::write_line(solved, out),
        talk => solution::write_text(solved, talk == Talk::Verbose, out),
    }
}

/// What a problem is solved with.
struct Site<'a> {
    /// Threads, memory and a GPU.
    machine: &'a Machine,
    /// As in [`isx_solve::Options::cpu_within`].
    cpu_within: Option<Duration>,
    /// Hears of the progress.
    progress: &'a dyn Ending,
}

/// Solves a problem that has been read, and prints its solution.
type SolveOne<'a> = Box<dyn Fn(&Site<'_>, Place<'_>) -> Result<Outcome, Failure> + Send + Sync + 'a>;

/// A problem of a file.
struct Problem<'a> {
    /// Which one, if the file has several.
    instance: Option<Instance>,
    solve: SolveOne<'a>,
}

/// Solves one problem with a progress bar, or several with one answer each.
fn each_file<'a, F: Registered>(
    files: &'a [PathBuf],
    json: bool,
    engine: Choice<F>,
    machine: Machine,
    read: &'a (dyn Fn(&'a Path) -> many::Problems<'a> + Sync),
) -> Result<Outcome, Failure> {
    let asked = match engine {
        Choice::Auto => None,
        Choice::Named(entry) => Some(entry.hardware),
    };
    let [file] = files else {
        return Many { machine, asked, json: true, read }.solve_files(files);
    };
    let problems = read(file)?;
    if let [Problem { instance: None, solve }] = &problems[..] {
        let site = Site { machine: &machine, cpu_within: None, progress: &Bar::new() };
        return solve(&site, Place::Alone { json });
    }
    Many { machine, asked, json, read }.solve_read(vec![(file, Ok(problems))])
}

/// The error for a text that is not a problem of this family, and what it looks like instead.
fn not_understood(file: &Path, text: &str, problem: &TextError, family: &str) -> Failure {
    let Some(looks) = Looks::of(text) else { return unreadable(file, problem) };
    let command = match looks {
        Looks::Knapsack | Looks::Pisinger => "solve knapsack",
        Looks::Multidim | Looks::OrLibrary => "solve multidim",
        Looks::Mckp => "solve mckp",
        Looks::Fasta => "solve lcs",
        Looks::Tsplib => "solve tsp",
        Looks::TaskSet => "explore",
        _ => "",
    };
    if command == format!("solve {family}") {
        return unreadable(file, problem);
    }
    let advice = match looks {
        Looks::KnapsackWithIds => {
            "`isx solve knapsack` reads it with the number of items alone on the first line and the capacity on the last"
                .to_owned()
        }
        Looks::Json | Looks::Lp | Looks::Mps => format!("`isx solve {family} --help` says what is read"),
        Looks::TableWithHeader => "leave the header out, and write the numbers with spaces between them".into(),
        Looks::Separated => "write the numbers with spaces between them".into(),
        _ => format!("`isx {command}` reads it"),
    };
    unreadable(file, &format!("{problem}; this looks like {}; {advice}", looks.what()))
}

/// Refuses a certificate of several answers, and a certificate file that is not writable.
fn check_certificate(certificate: Option<&Path>, files: usize) -> Result<(), Failure> {
    refuse_several(certificate, files)?;
    Ok(certificate.map_or(Ok(()), check_place)?)
}

/// Refuses an invalid capacity before any file is read.
fn check_capacity(capacity: Option<&str>) -> Result<(), Failure> {
    let wrong = |capacity| match parse_capacity(capacity, 0) {
        Err(problem @ TextError::Number { .. }) => Some(wrong_capacity(capacity, &problem)),
        _ => None,
    };
    capacity.and_then(wrong).map_or(Ok(()), Err)
}

/// The requested capacity, which replaces the file's.
fn set_capacity(capacity: &mut u64, asked: Option<&str>, weight_places: u32) -> Result<(), Failure> {
    if let Some(asked) = asked {
        *capacity =
            parse_capacity(asked, weight_places).map_err(|problem| wrong_capacity(asked, &problem))?;
    }
    Ok(())
}
