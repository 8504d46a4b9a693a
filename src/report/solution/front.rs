//! The best of a capacity, or the front of all: multiple-choice and 0-1 knapsacks.

use super::fields::{Fields, SCHEMA};
use super::number::{unscaled, weight_json};
use crate::text::counted;
use isx_exact::quantity::Scaled;
use isx_problems::text::is_stated;
use isx_problems::value::Values;
use isx_problems::{knapsack, mckp};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::time::Duration;

/// The points of an answer, numbered from 0; the last is the best.
#[derive(Clone, Copy, Debug)]
pub enum Points<'a> {
    /// Of a multiple-choice problem; its picks are the item of every class, `null` for none.
    Mckp(&'a mckp::Claim),
    /// Of a 0-1 problem; its picks are the chosen items.
    Knapsack(&'a knapsack::Claim),
}

impl Points<'_> {
    pub(super) fn problem(&self) -> &'static str {
        match self {
            Self::Mckp(_) => "mckp",
            Self::Knapsack(_) => "knapsack",
        }
    }

    fn weights(&self) -> &[u64] {
        match self {
            Self::Mckp(claim) => &claim.weights,
            Self::Knapsack(claim) => &claim.weights,
        }
    }

    fn values(&self) -> &Values {
        match self {
            Self::Mckp(claim) => &claim.values,
            Self::Knapsack(claim) => &claim.profits,
        }
    }

    /// The ids of the chosen items of a point as JSON.
    fn picks_by_id(&self, point: usize, ids: &[u64]) -> String {
        let items = match self {
            Self::Mckp(_) => None,
            Self::Knapsack(claim) => claim.items(point),
        };
        let id = |item: u32| ids.get(item as usize).copied().unwrap_or_default();
        in_json(&items.map(|items| items.into_iter().map(id).collect::<Vec<u64>>()))
    }

    /// The items of a point as JSON.
    fn picks(&self, point: usize) -> String {
        match self {
            Self::Mckp(claim) => in_json(&claim.items(point)),
            Self::Knapsack(claim) => in_json(&claim.items(point)),
        }
    }
}

/// A list of numbers, which is always JSON.
fn in_json(numbers: &impl Serialize) -> String {
    serde_json::to_string(numbers).unwrap_or_default()
}

/// An answer to a knapsack problem: what to report, and how the file's numbers were scaled.
/// A weight is a number in JSON if every reader parses it exactly (an integer up to 2^53, or a decimal of at most 15 digits),
/// else a string.
#[derive(Clone, Copy, Debug)]
pub struct Front<'a> {
    /// One point or more.
    pub points: Points<'a>,
    /// Values were multiplied by this power of ten.
    pub value_places: u32,
    /// Weights were multiplied by this power of ten.
    pub weight_places: u32,
    /// Report every point, not only the best.
    pub all: bool,
    /// Report the items.
    pub picks: bool,
    /// The items' ids in the file, if it has ids.
    pub ids: Option<&'a [u64]>,
    /// Report the items by their ids.
    pub by_ids: bool,
    /// The optimum that the file states, unscaled.
    pub stated: Option<Scaled>,
}

impl Front<'_> {
    fn len(&self) -> usize {
        self.points.weights().len()
    }

    fn value(&self, point: usize) -> String {
        unscaled(&self.points.values().get(point), self.value_places)
    }

    fn weight(&self, point: usize) -> String {
        unscaled(&self.points.weights()[point].into(), self.weight_places)
    }

    fn weight_json(&self, point: usize) -> String {
        weight_json(self.points.weights()[point], self.weight_places)
    }

    /// The optimum that the file states, and whether it is the value of the best point.
    fn stated(&self) -> Option<(String, bool)> {
        let (stated, best) = (self.stated?, self.points.values().get(self.len() - 1));
        let agrees = is_stated(stated, &best, self.value_places);
        Some((unscaled(&stated.digits.into(), stated.places), agrees))
    }

    /// How the optimum that the file states differs from the one found, if it does.
    pub fn difference(&self) -> Option<String> {
        let (stated, _) = self.stated().filter(|(_, agrees)| !agrees)?;
        let found = self.value(self.len() - 1);
        Some(format!("the file states the optimum {stated}, but {found} was found"))
    }

    /// The ids by which the items are reported, if they are.
    fn shown_ids(&self) -> Option<&[u64]> {
        self.ids.filter(|_| self.by_ids)
    }

    /// Writes an array with an entry for every point, one per line.
    fn write_array(
        &self,
        out: &mut dyn Write,
        write: impl Fn(usize, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        for point in 0..self.len() {
            write!(out, "{}\n    ", if point == 0 { "[" } else { "," })?;
            write(point, out)?;
        }
        write!(out, "\n  ]")
    }

    /// Writes value, weight and picks, and what the file says of them.
    pub(super) fn write_fields(&self, fields: &mut Fields<'_>) -> io::Result<()> {
        let best = self.len() - 1;
        fields.put("value", json!(self.value(best)))?;
        fields.put("weight", self.weight_json(best))?;
        fields.put("picks", self.points.picks(best))?;
        if let Some(ids) = self.ids {
            fields.put("ids", self.points.picks_by_id(best, ids))?;
        }
        let Some((stated, agrees)) = self.stated() else { return Ok(()) };
        fields.put("stated_optimum", json!(stated))?;
        fields.put("agrees", agrees)
    }

    /// Writes what follows the description of the run: the front, as a stream.
    pub(super) fn write_last_fields(&self, fields: &mut Fields<'_>) -> io::Result<()> {
        if !self.all {
            return Ok(());
        }
        self.write_array(fields.begin("front")?, |point, out| {
            write!(out, "[{}, \"{}\"]", self.weight_json(point), self.value(point))
        })?;
        if self.picks {
            let out = fields.begin("front_picks")?;
            self.write_array(out, |point, out| out.write_all(self.points.picks(point).as_bytes()))?;
        }
        if let Some(ids) = self.shown_ids() {
            let out = fields.begin("front_ids")?;
            self.write_array(out, |point, out| {
                out.write_all(self.points.picks_by_id(point, ids).as_bytes())
            })?;
        }
        Ok(())
    }

    /// The answer in one line, without a line end.
    pub fn line(&self) -> String {
        let best = self.len() - 1;
        let mut line = format!("value {}, weight {}", self.value(best), self.weight(best));
        if self.picks {
            line += &format!(", picks {}", self.points.picks(best));
        }
        if let Some(ids) = self.shown_ids() {
            line += &format!(", ids {}", self.points.picks_by_id(best, ids));
        }
        if self.all {
            line += &format!(", {}", counted(self.len(), "point"));
        }
        if let Some((stated, false)) = self.stated() {
            line += &format!(", the file states {stated}");
        }
        line
    }

    /// Prints the answer as text.
    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let best = self.len() - 1;
        writeln!(out, "value      {}", self.value(best))?;
        writeln!(out, "weight     {}", self.weight(best))?;
        if self.picks && !self.all {
            writeln!(out, "picks      {}", self.points.picks(best))?;
        }
        if let Some(ids) = self.shown_ids().filter(|_| !self.all) {
            writeln!(out, "ids        {}", self.points.picks_by_id(best, ids))?;
        }
        writeln!(out, "points     {}", self.len())?;
        let Some((stated, agrees)) = self.stated() else { return Ok(()) };
        writeln!(out, "stated     {stated}, {}", if agrees { "the same" } else { "which differs" })
    }

    pub(super) fn write_last_text(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.all {
            return Ok(());
        }
        let ids = self.shown_ids();
        let [picks, by_id] =
            [(self.picks, " picks"), (ids.is_some(), " ids")].map(|(is, key)| if is { key } else { "" });
        writeln!(out, "\nweight value{picks}{by_id}")?;
        for point in 0..self.len() {
            write!(out, "{} {}", self.weight(point), self.value(point))?;
            if self.picks {
                write!(out, " {}", self.points.picks(point))?;
            }
            if let Some(ids) = ids {
                write!(out, " {}", self.points.picks_by_id(point, ids))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Writes as JSON that nothing fits the capacity of a multiple-choice problem, for which all points or the items were
/// requested.
pub fn write_infeasible(all: bool, picks: bool, read: Duration, out: &mut dyn Write) -> io::Result<()> {
    let mut document = json!({
        "schema": SCHEMA, "problem": "mckp", "feasible": false,
        "value": null, "weight": null, "picks": null, "engine": null, "updates": 0,
        "timings": { "read": read.as_secs_f64(), "reduce": 0.0, "solve": 0.0, "traceback": 0.0 },
    });
    if all {
        document["front"] = json!([]);
    }
    if all && picks {
        document["front_picks"] = json!([]);
    }
    writeln!(out, "{document:#}")
}
