//! What the commands of all problems share: their files and their capacity.

use super::many::{Many, Problems};
use super::place::{Place, Problem, Site};
use crate::arguments::{Registered, wrong_capacity};
use crate::failure::{Failure, Outcome};
use crate::files::unreadable;
use crate::proofs::refuse_several;
use crate::terminal::progress::Bar;
use isx_engine::{Choice, Turn};
use isx_machine::Machine;
use isx_problems::looks::Looks;
use isx_problems::text::{TextError, parse_capacity};
use isx_report::files::check_place;
use std::path::{Path, PathBuf};

/// Solves one problem with a progress bar, or several with one answer each.
pub fn each_file<'a, F: Registered>(
    files: &'a [PathBuf],
    json: bool,
    engine: Choice<F>,
    machine: Machine,
    read: &'a (dyn Fn(&'a Path) -> Problems<'a> + Sync),
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
        let site = Site { machine: &machine, turn: Turn::Any, progress: &Bar::new() };
        return solve(&site, Place::Alone { json });
    }
    Many { machine, asked, json, read }.solve_read([(file.as_path(), Ok(problems))])
}

/// The error for a text that is not a problem of this family, and what it looks like instead.
pub fn not_understood(file: &Path, text: &str, problem: &TextError, family: &str) -> Failure {
    let Some(looks) = Looks::of(text) else { return unreadable(file, problem) };
    let command = match looks {
        Looks::Knapsack | Looks::Pisinger => "solve knapsack",
        Looks::Mckp => "solve mckp",
        Looks::TaskSet => "explore",
        _ => "",
    };
    if command == format!("solve {family}") {
        return unreadable(file, problem);
    }
    let advice = match looks {
        Looks::Mmkp | Looks::OrLibrary => ", which isx does not solve".into(),
        Looks::Json | Looks::Lp | Looks::Mps => format!("; `isx solve {family} --help` says what is read"),
        Looks::TableWithHeader => {
            "; leave the header out, and write the numbers with spaces between them".into()
        }
        Looks::Separated => "; write the numbers with spaces between them".into(),
        _ if looks.is_read(text) => format!("; `isx {command}` reads it"),
        _ => format!("; `isx {command}` says what is wrong with it"),
    };
    unreadable(file, &format!("{problem}; this looks like {}{advice}", looks.what()))
}

/// Refuses a certificate of several answers, and a certificate file that is not writable.
pub fn check_certificate(certificate: Option<&Path>, files: usize) -> Result<(), Failure> {
    refuse_several(certificate, files)?;
    Ok(certificate.map_or(Ok(()), check_place)?)
}

/// Refuses an invalid capacity before any file is read.
pub fn check_capacity(capacity: Option<&str>) -> Result<(), Failure> {
    let wrong = |capacity| match parse_capacity(capacity, 0) {
        Err(problem @ TextError::Number { .. }) => Some(wrong_capacity(capacity, &problem)),
        _ => None,
    };
    capacity.and_then(wrong).map_or(Ok(()), Err)
}

/// The requested capacity, which replaces the file's.
pub fn set_capacity(capacity: &mut u64, asked: Option<&str>, weight_places: u32) -> Result<(), Failure> {
    if let Some(asked) = asked {
        *capacity =
            parse_capacity(asked, weight_places).map_err(|problem| wrong_capacity(asked, &problem))?;
    }
    Ok(())
}
