//! The solution of a multi-dimensional knapsack problem, as text and as JSON (schema `isx.solution/1`).

use super::solution::{Options, SCHEMA, write_account};
use isx_problems::account::Account;
use isx_problems::multidim::{Claim, MAX_DIMENSIONS};
use serde_json::json;
use std::io::{self, Write};
use std::time::Duration;

/// A solution, and how the numbers of its file were scaled.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a> {
    /// Profit, weights, items.
    pub claim: &'a Claim,
    /// How they were found.
    pub account: &'a Account,
    /// How many dimensions there are.
    pub dimensions: usize,
    /// Profits were multiplied by this power of ten.
    pub profit_places: u32,
    /// Weights of each dimension were multiplied by this power of ten.
    pub weight_places: [u32; MAX_DIMENSIONS],
    /// Time of reading it.
    pub read: Duration,
}

impl Solved<'_> {
    /// How a dimension's figures are written.
    fn options(&self, dimension: usize) -> Options {
        Options {
            problem: "multidim",
            value_places: self.profit_places,
            weight_places: self.weight_places[dimension],
            front: false,
            picks: true,
            account: false,
            read: self.read,
        }
    }

    fn weights(&self, write: impl Fn(&Options, u64) -> String) -> Vec<String> {
        let weight = |dimension: usize| write(&self.options(dimension), self.claim.weights[dimension]);
        (0..self.dimensions).map(weight).collect()
    }

    fn picks(&self) -> String {
        let picks: Vec<String> = self.claim.chosen.iter().map(usize::to_string).collect();
        format!("[{}]", picks.join(","))
    }

    fn value(&self) -> String {
        self.options(0).value(&self.claim.profit)
    }
}

/// Writes the solution as one JSON object on a line of its own. `weight` has a figure for each dimension, a number where
/// every reader gets it right (an integer up to 2^53, or a decimal of at most 15 digits), else a string; `picks` are
/// the chosen items, numbered from 0.
///
/// # Errors
///
/// When `out` fails.
pub fn write_json(solved: &Solved<'_>, out: &mut impl Write) -> io::Result<()> {
    let account = solved.account;
    let engine = json!({
        "ran_on": account.ran_on(), "arithmetic": account.arithmetic.to_string(), "why": account.why,
    });
    let timings = json!({
        "read": solved.read.as_secs_f64(),
        "reduce": account.timings.reduce.as_secs_f64(),
        "solve": account.timings.solve.as_secs_f64(),
        "traceback": account.timings.traceback.as_secs_f64(),
    });
    let weights = solved.weights(Options::weight_json).join(",");
    write!(out, "{{\"schema\":\"{SCHEMA}\",\"problem\":\"multidim\",\"feasible\":true,")?;
    write!(out, "\"value\":\"{}\",\"weight\":[{weights}],\"picks\":{},", solved.value(), solved.picks())?;
    writeln!(out, "\"engine\":{engine},\"updates\":{},\"timings\":{timings}}}", account.updates)
}

/// Prints the profit, the weights and the items, and with `account` what it took.
///
/// # Errors
///
/// When `out` fails.
pub fn write_text(solved: &Solved<'_>, account: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "value      {}", solved.value())?;
    writeln!(out, "weight     {}", solved.weights(Options::weight).join(" "))?;
    writeln!(out, "picks      {}", solved.picks())?;
    if account {
        write_account(solved.account, solved.read, out)?;
    }
    Ok(())
}
