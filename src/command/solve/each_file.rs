//! What the commands of all problems share: their files, their capacity and where a solution goes.

use crate::arguments::wrong_capacity;
use crate::failure::{Failure, Outcome};
use crate::files::several::print_lines;
use crate::proofs::refuse_several;
use crate::terminal::progress::{Bar, Ending};
use crate::terminal::{Talk, talk};
use isx_engine::NoProgress;
use isx_machine::Machine;
use isx_problems::text::{TextError, parse_capacity};
use isx_report::files::check_place;
use isx_report::lines;
use isx_report::solution::{self, Solved};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where a solution goes.
pub enum Place<'a> {
    /// To standard output, as JSON or as text.
    Alone {
        /// As JSON.
        json: bool,
    },
    /// On a line of its own, with the file's name.
    Line(&'a Path, &'a mut Vec<u8>),
}

impl Place<'_> {
    /// Prints a solution.
    pub fn print(self, solved: &Solved<'_>) -> Result<Outcome, Failure> {
        self.write(|json, out| match json {
            true => solution::write_json(solved, out),
            false => solution::write_text(solved, talk() == Talk::Verbose, out),
        })?;
        Ok(Outcome::Done)
    }

    /// Prints as JSON or as text.
    pub fn write(self, write: impl FnOnce(bool, &mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        match self {
            Place::Alone { json } => {
                let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
                write(json, &mut out)?;
                out.flush()?;
            }
            Place::Line(file, out) => lines::write(&file.to_string_lossy(), out, |line| write(true, line))?,
        }
        Ok(())
    }
}

/// Solves a file and prints its solution.
pub type SolveFile<'a> =
    dyn Fn(&Path, &Machine, &dyn Ending, Place<'_>) -> Result<Outcome, Failure> + Sync + 'a;

/// Solves one file with a progress bar, or several with one line of JSON each.
pub fn each_file(
    files: &[PathBuf],
    json: bool,
    machine: &Machine,
    solve: &SolveFile<'_>,
) -> Result<Outcome, Failure> {
    if let [file] = files {
        return solve(file, machine, &Bar::new(), Place::Alone { json });
    }
    print_lines(files, machine, 0, |file, share, line| {
        Ok(solve(file, share.machine, &NoProgress, Place::Line(file, line))?.into())
    })
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
