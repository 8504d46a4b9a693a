//! The best of a multi-dimensional knapsack problem.

use super::number::{Stated, joined, unscaled, weight_json};
use super::{Answer, Fields};
use isx_problems::multidim::Claim;
use isx_problems::multidim::text::MultidimText;
use serde_json::json;
use std::io::{self, Write};

/// A best selection, and its problem, which contains the scaling of the file's numbers.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// Profit, weights, items.
    pub claim: &'a Claim,
    /// The problem.
    pub text: &'a MultidimText,
}

impl Selection<'_> {
    /// The weight in every dimension.
    fn weights(&self, write: impl Fn(u64, u32) -> String, between: &str) -> String {
        let weights = self.claim.weights.iter().zip(&self.text.weight_places);
        let weights = weights.take(self.text.problem.dimensions);
        joined(weights.map(|(&weight, &places)| write(weight, places)), between)
    }

    fn value(&self) -> String {
        unscaled(&self.claim.profit, self.text.profit_places)
    }

    fn stated(&self) -> Option<Stated> {
        let stated = |stated| Stated::of(stated, &self.claim.profit, self.text.profit_places);
        self.text.stated.map(stated)
    }

    /// How the optimum that the file states differs from the one found, if it does.
    pub fn difference(&self) -> Option<String> {
        self.stated()?.difference()
    }

    /// The weights as the terminal shows them.
    fn shown_weights(&self) -> String {
        self.weights(|weight, places| unscaled(&weight.into(), places), " ")
    }

    fn picks(&self) -> String {
        format!("[{}]", joined(self.claim.chosen.iter(), ","))
    }
}

/// `weight` has one figure per dimension, a number if every reader parses it exactly, else a string; `picks` are the
/// chosen items, numbered from 0.
impl Answer for Selection<'_> {
    fn problem(&self) -> &'static str {
        "multidim"
    }

    fn is_on_one_line(&self) -> bool {
        true
    }

    fn write_fields(&self, fields: &mut Fields<'_>) -> io::Result<()> {
        fields.put("value", json!(self.value()))?;
        fields.put("weight", format_args!("[{}]", self.weights(weight_json, ",")))?;
        fields.put("picks", self.picks())?;
        self.stated().map_or(Ok(()), |stated| stated.write_fields(fields))
    }

    fn line(&self) -> String {
        let differs = self.stated().map_or_else(String::new, |stated| stated.difference_in_line());
        format!("value {}, weight {}, picks {}{differs}", self.value(), self.shown_weights(), self.picks())
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "value      {}", self.value())?;
        writeln!(out, "weight     {}", self.shown_weights())?;
        writeln!(out, "picks      {}", self.picks())?;
        self.stated().map_or(Ok(()), |stated| stated.write_text(out))
    }
}
