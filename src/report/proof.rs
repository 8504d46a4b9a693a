//! What a checked certificate proves, as text and as JSON (schema `isx.proof/1`).

use super::text::visible;
use crate::certificate::{Kind, Proved, Statement};
use crate::quantity::{Rational, approx, format_decimal};
use isx_checker::claim::Sums;
use num_bigint::BigInt;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.proof/1";

/// Prints what is proved of the input; where it is to be `brief`, only that it is.
///
/// # Errors
///
/// When `out` fails.
pub fn write_text(proved: &Proved, input: &str, brief: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}: PROVED", visible(input))?;
    if brief {
        return Ok(());
    }
    let shown = Shown(proved);
    for line in shown.lines() {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "certificate: {} bytes, {} pairs; SHA-256 of the input's numbers {}",
        proved.bytes,
        proved.pairs,
        proved.problem.hash_text()
    )
}

/// Prints the same as JSON.
///
/// # Errors
///
/// When `out` fails.
pub fn write_json(proved: &Proved, input: &str, out: &mut impl Write) -> io::Result<()> {
    let mut document = Map::new();
    document.insert("schema".into(), SCHEMA.into());
    document.insert("input".into(), input.into());
    document.insert("status".into(), "proved".into());
    document.extend(Shown(proved).json());
    document.insert("bytes".into(), proved.bytes.into());
    document.insert("pairs".into(), proved.pairs.into());
    document.insert("sha256".into(), proved.problem.hash_text().into());
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

struct Shown<'a>(&'a Proved);

impl Shown<'_> {
    fn area(&self, units: u64) -> String {
        let unit = self.0.problem.task_set.as_ref().map(|set| &set.area_unit);
        let Some((numerator, denominator)) = unit else { return units.to_string() };
        let unit = Rational::new(BigInt::from(numerator.clone()), BigInt::from(denominator.clone()));
        format_decimal(&(Rational::from(BigInt::from(units)) * unit))
    }

    fn cost(&self, cost: &BigInt) -> Rational {
        let (numerator, denominator) = self.0.in_lowest_terms(cost);
        Rational::new(numerator, BigInt::from(denominator))
    }

    /// Words for area and cost.
    fn words(&self) -> (&'static str, &'static str) {
        match self.0.problem.kind {
            Kind::TaskSet => ("area", "utilization"),
            Kind::Mckp { .. } => ("weight", "value"),
            Kind::Knapsack => ("weight", "profit"),
        }
    }

    fn sums(&self, sums: &Sums) -> String {
        let (area, cost) = self.words();
        format!("{area} {}, {cost} {}", self.area(sums.area), self.cost(&sums.cost))
    }

    /// Up to which area or weight a front is one.
    fn reach(&self) -> String {
        let limited = format!(" up to {} {}", self.words().0, self.area(self.0.problem.capacity));
        if self.0.problem.is_unlimited() { String::new() } else { limited }
    }

    fn lines(&self) -> Vec<String> {
        let (area, cost) = self.words();
        match &self.0.statement {
            Statement::Front { points, schedulable } => {
                let ends = [points.first(), points.last()]
                    .map(|end| end.map_or_else(String::new, |point| self.sums(&point.sums)));
                let [first, last] = ends;
                let mut lines = vec![
                    format!("the front{} has these {} points and no other", self.reach(), points.len()),
                    format!("first: {first}; last: {last}"),
                ];
                if !schedulable.is_empty() {
                    let count = |wanted| schedulable.iter().filter(|&&verdict| verdict == wanted).count();
                    lines.push(format!(
                        "{} points are schedulable, {} are overloaded{}",
                        count(Some(true)),
                        count(Some(false)),
                        match count(None) {
                            0 => String::new(),
                            unsaid => format!("; of {unsaid} nothing is proved about deadlines"),
                        }
                    ));
                }
                lines
            }
            Statement::Best { sums, is_lightest } => vec![
                self.sums(sums),
                format!(
                    "nothing within {area} {} has a better {cost}{}",
                    self.area(self.0.problem.capacity),
                    if *is_lightest { format!(", nor the same with less {area}") } else { String::new() }
                ),
            ],
            Statement::NothingFits => {
                vec![format!("no selection fits {area} {}", self.area(self.0.problem.capacity))]
            }
            Statement::Schedulable { sums, .. } => {
                vec![format!("a design of {} is schedulable", self.sums(sums))]
            }
            Statement::NotSchedulable { area: budget }
                if *budget < self.0.problem.capacity || !self.0.problem.is_unlimited() =>
            {
                let next = self.area(budget.saturating_add(1));
                vec![format!(
                    "no design within area {} is schedulable, whatever is below {next}",
                    self.area(*budget)
                )]
            }
            Statement::NotSchedulable { .. } => vec!["no design of any area is schedulable".into()],
        }
    }

    fn json(&self) -> Map<String, Value> {
        let fraction = |cost: &BigInt| {
            let cost = self.cost(cost);
            json!({"num": cost.numer().to_string(), "den": cost.denom().to_string(), "approx": approx(&cost)})
        };
        let (area, cost) = self.words();
        let point = |sums: &Sums| {
            let worth = match self.0.problem.kind {
                Kind::TaskSet => fraction(&sums.cost),
                _ => self.cost(&sums.cost).to_string().into(),
            };
            json!({ area: self.area(sums.area), cost: worth })
        };
        let value = match &self.0.statement {
            Statement::Front { points, schedulable } => json!({
                "claim": "front",
                "complete": self.0.problem.is_unlimited(),
                "points": points.iter().map(|one| point(&one.sums)).collect::<Vec<_>>(),
                "schedulable": schedulable,
            }),
            Statement::Best { sums, is_lightest } => {
                json!({"claim": "best", "point": point(sums), "lightest": is_lightest})
            }
            Statement::NothingFits => json!({"claim": "nothing fits"}),
            Statement::Schedulable { area, sums } => {
                json!({"claim": "schedulable", "within": self.area(*area), "point": point(sums)})
            }
            Statement::NotSchedulable { area } => {
                json!({"claim": "not schedulable", "within": self.area(*area)})
            }
        };
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}
