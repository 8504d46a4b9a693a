//! The solution of a plain problem, as text and as JSON (schema `isx.solution/1`): the parts common to all families.
//! One file per family writes its answers.

mod front;
mod number;

pub use front::{Front, Points, write_infeasible};

use isx_problems::account::Account;
use serde_json::json;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// The schema's name.
pub const SCHEMA: &str = "isx.solution/1";

/// An answer to a problem of some family, with the methods that write it.
pub trait Answer {
    /// The kind of problem, `mckp` for example.
    fn problem(&self) -> &'static str;

    /// Writes value, weight and picks, and the other fields of the family.
    fn write_fields(&self, fields: &mut Fields<'_>) -> io::Result<()>;

    /// Writes what follows the description of the run: the front, as a stream.
    fn write_last_fields(&self, _: &mut Fields<'_>) -> io::Result<()> {
        Ok(())
    }

    /// The answer in one line, without a line end.
    fn line(&self) -> String;

    /// Prints the answer as text.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Prints what follows the description of the run.
    fn write_last_text(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// An answer and how it was found.
#[derive(Clone, Copy)]
pub struct Solved<'a> {
    /// The answer.
    pub answer: &'a dyn Answer,
    /// How it was found.
    pub account: &'a Account,
    /// Time of reading the problem.
    pub read: Duration,
}

/// The fields of a JSON object, written one after the other.
pub struct Fields<'a> {
    out: &'a mut dyn Write,
    is_first: bool,
}

impl Fields<'_> {
    /// Begins a field; the caller writes its value next.
    fn begin(&mut self, key: &str) -> io::Result<&mut dyn Write> {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        write!(self.out, "{comma}\n  \"{key}\": ")?;
        Ok(self.out)
    }

    /// Writes a field whose value is JSON already.
    fn put(&mut self, key: &str, value: impl Display) -> io::Result<()> {
        write!(self.begin(key)?, "{value}")
    }
}

/// Writes the solution as one JSON object, the front as a stream. The order of keys is always the same.
pub fn write_json(solved: &Solved<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Solved { answer, account, read } = solved;
    write!(out, "{{")?;
    let mut fields = Fields { out, is_first: true };
    fields.put("schema", json!(SCHEMA))?;
    fields.put("problem", json!(answer.problem()))?;
    fields.put("feasible", true)?;
    answer.write_fields(&mut fields)?;
    let engine = json!({
        "ran_on": account.ran_on(), "arithmetic": account.arithmetic.to_string(), "why": account.why,
    });
    fields.put("engine", engine)?;
    fields.put("updates", account.updates)?;
    let timings = json!({
        "read": read.as_secs_f64(),
        "reduce": account.timings.reduce.as_secs_f64(),
        "solve": account.timings.solve.as_secs_f64(),
        "traceback": account.timings.traceback.as_secs_f64(),
    });
    fields.put("timings", timings)?;
    answer.write_last_fields(&mut fields)?;
    writeln!(fields.out, "\n}}")
}

/// Prints the answer, with `account` how it was computed (engine, times, updates), and every point of the front if
/// requested.
pub fn write_text(solved: &Solved<'_>, account: bool, out: &mut dyn Write) -> io::Result<()> {
    solved.answer.write_text(out)?;
    if account {
        write_account(solved, out)?;
    }
    solved.answer.write_last_text(out)
}

/// Prints the answer in one line.
pub fn write_line(solved: &Solved<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", solved.answer.line())
}

fn write_account(Solved { account, read, .. }: &Solved<'_>, out: &mut dyn Write) -> io::Result<()> {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    writeln!(out, "engine     {}, {} arithmetic; {}", account.ran_on(), account.arithmetic, account.why)?;
    writeln!(
        out,
        "time       read {:.3} ms, reduce {:.3} ms, solve {:.3} ms, traceback {:.3} ms",
        milliseconds(*read),
        milliseconds(account.timings.reduce),
        milliseconds(account.timings.solve),
        milliseconds(account.timings.traceback)
    )?;
    writeln!(out, "updates    {}", account.updates)
}
