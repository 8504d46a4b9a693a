//! The solution of a travelling salesman problem, as text and as JSON (schema `isx.solution/1`).

use super::solution::{SCHEMA, write_account};
use isx_problems::account::Account;
use isx_problems::tsp::Claim;
use serde_json::json;
use std::io::{self, Write};
use std::time::Duration;

/// A solution.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a> {
    /// Length and tour.
    pub claim: &'a Claim,
    /// How they were found.
    pub account: &'a Account,
    /// The cities' numbers in their file.
    pub numbers: &'a [u64],
    /// Time of reading it.
    pub read: Duration,
}

impl Solved<'_> {
    /// The tour in the numbers of the file.
    fn tour(&self) -> impl Iterator<Item = u64> {
        self.claim.tour.iter().map(|&city| self.numbers[city])
    }
}

fn joined(numbers: impl Iterator<Item = impl ToString>, between: &str) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(between)
}

/// Writes the solution as one JSON object on a line of its own. `picks` is the tour in cities numbered from 0 in the
/// order of the file, `tour` the same in the file's own numbers.
///
/// # Errors
///
/// When `out` fails.
pub fn write_json(solved: &Solved<'_>, out: &mut impl Write) -> io::Result<()> {
    let Solved { claim, account, read, .. } = solved;
    let engine = json!({
        "ran_on": account.ran_on(), "arithmetic": account.arithmetic.to_string(), "why": account.why,
    });
    let timings = json!({
        "read": read.as_secs_f64(),
        "reduce": account.timings.reduce.as_secs_f64(),
        "solve": account.timings.solve.as_secs_f64(),
        "traceback": account.timings.traceback.as_secs_f64(),
    });
    write!(out, "{{\"schema\":\"{SCHEMA}\",\"problem\":\"tsp\",\"feasible\":true,")?;
    write!(out, "\"value\":\"{}\",\"weight\":null,", claim.length)?;
    write!(out, "\"picks\":[{}],", joined(claim.tour.iter(), ","))?;
    write!(out, "\"tour\":[{}],", joined(solved.tour(), ","))?;
    writeln!(out, "\"engine\":{engine},\"updates\":{},\"timings\":{timings}}}", account.updates)
}

/// Prints the length and the tour in the file's own numbers, and with `account` what it took.
///
/// # Errors
///
/// When `out` fails.
pub fn write_text(solved: &Solved<'_>, account: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "length     {}", solved.claim.length)?;
    writeln!(out, "tour       {}", joined(solved.tour(), " "))?;
    if account {
        write_account(solved.account, solved.read, out)?;
    }
    Ok(())
}
