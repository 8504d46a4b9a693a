//! The solution of a plain problem, as text and as JSON (schema `isx.solution/1`).

mod fields;
mod front;
mod number;

pub use front::{Front, Points, write_infeasible};

use fields::{Fields, SCHEMA};
use isx_problems::account::Account;
use serde_json::json;
use std::io::{self, Write};
use std::time::Duration;

/// An answer and how it was found.
#[derive(Clone, Copy)]
pub struct Solved<'a> {
    /// The answer.
    pub answer: &'a Front<'a>,
    /// How it was found.
    pub account: &'a Account,
    /// Time of reading the problem.
    pub read: Duration,
}

/// Writes the solution as one JSON object, the front as a stream. The order of keys is always the same.
pub fn write_json(solved: &Solved<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Solved { answer, account, read } = solved;
    write!(out, "{{")?;
    let mut fields = Fields { out, is_first: true };
    fields.put("schema", json!(SCHEMA))?;
    fields.put("problem", json!(answer.points.problem()))?;
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
