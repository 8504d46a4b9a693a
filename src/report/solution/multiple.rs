//! The best of a multiple knapsack problem.

use super::number::{joined, unscaled, weight_json};
use super::{Answer, Fields};
use isx_problems::multiple::Claim;
use isx_problems::multiple::text::MultipleText;
use serde_json::json;
use std::io::{self, Write};

/// A distribution of items, and its problem, which contains the scaling of the file's numbers.
#[derive(Clone, Copy, Debug)]
pub struct Distribution<'a> {
    /// Profit, bound, weights, items.
    pub claim: &'a Claim,
    /// The problem.
    pub text: &'a MultipleText,
}

impl Distribution<'_> {
    fn value(&self) -> String {
        unscaled(&self.claim.profit, self.text.profit_places)
    }

    fn bound(&self) -> String {
        unscaled(&self.claim.bound, self.text.profit_places)
    }

    /// The weight in every knapsack.
    fn weights(&self, write: impl Fn(u64, u32) -> String, between: &str) -> String {
        let places = self.text.weight_places;
        joined(self.claim.weights.iter().map(|&weight| write(weight, places)), between)
    }

    /// The weights as the terminal shows them.
    fn shown_weights(&self) -> String {
        self.weights(|weight, places| unscaled(&weight.into(), places), " ")
    }

    /// The items of every knapsack.
    fn picks(&self, between: &str) -> String {
        let items = |chosen: &Vec<usize>| format!("[{}]", joined(chosen.iter(), ","));
        joined(self.claim.chosen.iter().map(items), between)
    }
}

/// `weight` and `picks` have an entry per knapsack: its weight, and the items in it, numbered from 0. `status` is
/// `proved`, or `unknown` if a distribution with more profit, up to `bound`, may exist.
impl Answer for Distribution<'_> {
    fn problem(&self) -> &'static str {
        "multiple"
    }

    fn is_on_one_line(&self) -> bool {
        true
    }

    fn write_fields(&self, fields: &mut Fields<'_>) -> io::Result<()> {
        fields.put("value", json!(self.value()))?;
        fields.put("weight", format_args!("[{}]", self.weights(weight_json, ",")))?;
        fields.put("picks", format_args!("[{}]", self.picks(",")))?;
        fields.put("status", json!(if self.claim.is_proved() { "proved" } else { "unknown" }))?;
        fields.put("bound", json!(self.bound()))
    }

    fn line(&self) -> String {
        let bound = match self.claim.is_proved() {
            true => String::new(),
            false => format!(" (unproved, at most {})", self.bound()),
        };
        format!("value {}{bound}, weight {}, picks {}", self.value(), self.shown_weights(), self.picks(" "))
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "value      {}", self.value())?;
        if !self.claim.is_proved() {
            writeln!(out, "at most    {}: the search ended before a proof", self.bound())?;
        }
        writeln!(out, "weight     {}", self.shown_weights())?;
        writeln!(out, "picks      {}", self.picks(" "))
    }
}
