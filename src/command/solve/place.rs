//! Where a solution goes, and the resources with which a problem is solved.

use crate::failure::{Failure, Outcome};
use crate::terminal::progress::Bar;
use crate::terminal::{Talk, talk};
use isx_engine::{NoProgress, Progress, Turn};
use isx_machine::Machine;
use isx_report::lines;
use isx_report::solution::{self, Solved};
use isx_report::visible;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Where a solution goes.
pub enum Place<'a> {
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
pub struct Instance {
    /// Its name in the file, or its number, from 0.
    pub name: String,
    /// Whether it is the first of its file.
    pub is_first: bool,
}

impl Instance {
    /// Writes what stands above the answer as text.
    pub fn write_heading(&self, out: &mut dyn Write) -> io::Result<()> {
        match talk() {
            Talk::Quiet => write!(out, "{}: ", visible(&self.name)),
            _ => writeln!(out, "{}problem    {}", if self.is_first { "" } else { "\n" }, visible(&self.name)),
        }
    }
}

impl Place<'_> {
    /// Prints a solution.
    pub fn print(self, solved: &Solved<'_>) -> Result<Outcome, Failure> {
        self.write(&mut |json, out| {
            if json { solution::write_json(solved, out) } else { write_text(solved, out) }
        })?;
        Ok(Outcome::Done)
    }

    /// Prints as JSON or as text.
    pub fn write(self, write: &mut dyn FnMut(bool, &mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
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
                let (file, instance) = (file.to_string_lossy(), lines::instance(instance));
                lines::write(&file, instance.as_slice(), out, &mut |line| write(true, line))?;
            }
        }
        Ok(())
    }
}

/// Prints a solution as text, or with `-q` in one line.
pub fn write_text(solved: &Solved<'_>, out: &mut dyn Write) -> io::Result<()> {
    match talk() {
        Talk::Quiet => writeln!(out, "{}", solved.answer.line()),
        talk => solution::write_text(solved, talk == Talk::Verbose, out),
    }
}

/// The resources with which a problem is solved.
pub struct Site<'a> {
    /// Threads, memory and a GPU.
    pub machine: &'a Machine,
    /// As in [`isx_solve::Options::turn`].
    pub turn: Turn,
    /// Shows the progress; `None` for one of several problems.
    pub bar: Option<&'a Bar>,
}

impl<'a> Site<'a> {
    /// Receives the progress.
    pub fn progress(&self) -> &'a dyn Progress {
        self.bar.map_or(&NoProgress, |bar| bar)
    }
}

/// Solves a problem that has been read, and prints its solution.
pub type SolveOne<'a> = Box<dyn Fn(&Site<'_>, Place<'_>) -> Result<Outcome, Failure> + Send + Sync + 'a>;

/// A problem of a file.
pub struct Problem<'a> {
    /// Which one, if the file has several.
    pub instance: Option<Instance>,
    /// Solves it.
    pub solve: SolveOne<'a>,
}
