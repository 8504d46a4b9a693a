//! What a checked certificate proves, as text and as JSON (schema `isx.proof/1`).

use crate::text::visible;
use isx_certificate::{Kind, Proved, Statement};
use isx_checker::claim::{Point, Sums};
use isx_exact::quantity::{Rational, approx, format_decimal};
use num_bigint::BigInt;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.proof/1";

/// The question that was asked, as far as the problem in the certificate does not state it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The largest area, in the task set's unit; `None` for all areas.
    pub max_area: Option<String>,
    /// Changes to the task set: the flag, with underscores, and its value.
    pub changes: Vec<(&'static str, String)>,
    /// Decimals of the values or profits of the input.
    pub value_places: u32,
    /// Decimals of its weights.
    pub weight_places: u32,
}

/// A kind of problem, in words.
#[must_use]
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::TaskSet => "a task set",
        Kind::Mckp { .. } => "a multiple-choice knapsack problem",
        Kind::Knapsack => "a knapsack problem",
    }
}

/// A whole number of units of 10^-`places`, as a decimal.
#[must_use]
pub fn scaled(number: &BigInt, places: u32) -> String {
    format_decimal(&Rational::new(number.clone(), BigInt::from(10).pow(places)))
}

/// Prints the question about the input and what is proved; in one line if `brief`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_text(
    proved: &Proved,
    question: &Question,
    input: &str,
    brief: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = Shown(proved, question);
    if brief {
        let claim = shown.lines().join("; ");
        return writeln!(out, "{}: PROVED: {}: {claim}", visible(input), visible(&shown.question()));
    }
    writeln!(out, "{}: PROVED", visible(input))?;
    writeln!(out, "question: {}", visible(&shown.question()))?;
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
pub fn write_json(proved: &Proved, question: &Question, input: &str, out: &mut dyn Write) -> io::Result<()> {
    let shown = Shown(proved, question);
    let mut writer = serde_json::Serializer::pretty(&mut *out);
    let mut document = writer.serialize_map(None)?;
    document.serialize_entry("schema", SCHEMA)?;
    document.serialize_entry("input", input)?;
    document.serialize_entry("status", "proved")?;
    document.serialize_entry("question", &shown.question_json())?;
    shown.claim_json(&mut document)?;
    document.serialize_entry("bytes", &proved.bytes)?;
    document.serialize_entry("pairs", &proved.pairs)?;
    document.serialize_entry("sha256", &proved.problem.hash_text())?;
    document.end()?;
    writeln!(out)
}

/// Serializes points one by one, so that they are never all in memory as JSON.
struct Points<'a>(&'a Shown<'a>, &'a [Point]);

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|point| self.0.point(&point.sums)))
    }
}

struct Shown<'a>(&'a Proved, &'a Question);

impl Shown<'_> {
    fn area(&self, units: u64) -> String {
        let unit = self.0.problem.task_set.as_ref().map(|set| &set.area_unit);
        let Some((numerator, denominator)) = unit else {
            return scaled(&units.into(), self.1.weight_places);
        };
        let unit = Rational::new(BigInt::from(numerator.clone()), BigInt::from(denominator.clone()));
        format_decimal(&(Rational::from(BigInt::from(units)) * unit))
    }

    fn utilization(&self, cost: &BigInt) -> Rational {
        let (numerator, denominator) = self.0.in_lowest_terms(cost);
        Rational::new_raw(numerator, BigInt::from(denominator))
    }

    /// A utilization as a fraction, a value or profit as a decimal.
    fn cost(&self, cost: &BigInt) -> String {
        match self.0.problem.kind {
            Kind::TaskSet => self.utilization(cost).to_string(),
            _ => scaled(&-cost, self.1.value_places),
        }
    }

    /// The words for area and cost.
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

    /// What was asked.
    fn question(&self) -> String {
        let capacity = || self.area(self.0.problem.capacity);
        match self.0.problem.kind {
            Kind::TaskSet => {
                let areas = self.1.max_area.as_ref();
                let areas = areas.map_or("all areas".into(), |area| format!("areas up to {area}"));
                let flag = |(flag, value): &(&str, String)| format!(", --{} {value}", flag.replace('_', "-"));
                format!("task set, {areas}{}", self.1.changes.iter().map(flag).collect::<String>())
            }
            Kind::Mckp { optional: false } => {
                format!("mckp, capacity {}, exactly one item per class", capacity())
            }
            Kind::Mckp { optional: true } => {
                format!("mckp, capacity {}, at most one item per class", capacity())
            }
            Kind::Knapsack => format!("knapsack, capacity {}", capacity()),
        }
    }

    fn question_json(&self) -> Value {
        let capacity = self.area(self.0.problem.capacity);
        let Question { max_area, changes, .. } = self.1;
        let given = |wanted| changes.iter().filter(move |(flag, _)| *flag == wanted).map(|(_, value)| value);
        match self.0.problem.kind {
            Kind::TaskSet => json!({
                "problem": "taskset",
                "max_area": max_area,
                "force": given("force").collect::<Vec<_>>(),
                "forbid": given("forbid").collect::<Vec<_>>(),
                "scale_wcet": given("scale_wcet").next(),
                "margin": given("margin").next(),
            }),
            Kind::Mckp { optional } => json!({"problem": "mckp", "capacity": capacity, "optional": optional}),
            Kind::Knapsack => json!({"problem": "knapsack", "capacity": capacity}),
        }
    }

    /// The largest area or weight that was asked about.
    fn limit(&self) -> String {
        let asked = self.1.max_area.clone();
        asked.unwrap_or_else(|| self.area(self.0.problem.capacity))
    }

    /// The area or weight up to which the front is complete.
    fn reach(&self) -> String {
        let limited = format!(" up to {} {}", self.words().0, self.limit());
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
            Statement::NotSchedulable { .. } if self.0.problem.is_unlimited() => {
                vec!["no design of any area is schedulable".into()]
            }
            Statement::NotSchedulable { .. } => {
                vec![format!("no design within area {} is schedulable", self.limit())]
            }
        }
    }

    fn point(&self, sums: &Sums) -> Value {
        let (area, cost) = self.words();
        let worth = match self.0.problem.kind {
            Kind::TaskSet => {
                let cost = self.utilization(&sums.cost);
                json!({"num": cost.numer().to_string(), "den": cost.denom().to_string(), "approx": approx(&cost)})
            }
            _ => self.cost(&sums.cost).into(),
        };
        json!({ area: self.area(sums.area), cost: worth })
    }

    fn claim_json<M: SerializeMap>(&self, document: &mut M) -> Result<(), M::Error> {
        match &self.0.statement {
            Statement::Front { points, schedulable } => {
                document.serialize_entry("claim", "front")?;
                document.serialize_entry("complete", &self.0.problem.is_unlimited())?;
                document.serialize_entry("points", &Points(self, points))?;
                document.serialize_entry("schedulable", schedulable)
            }
            Statement::Best { sums, is_lightest } => {
                document.serialize_entry("claim", "best")?;
                document.serialize_entry("point", &self.point(sums))?;
                document.serialize_entry("lightest", is_lightest)
            }
            Statement::NothingFits => document.serialize_entry("claim", "nothing fits"),
            Statement::Schedulable { sums, .. } => {
                document.serialize_entry("claim", "schedulable")?;
                document.serialize_entry("within", &self.limit())?;
                document.serialize_entry("point", &self.point(sums))
            }
            Statement::NotSchedulable { .. } => {
                document.serialize_entry("claim", "not schedulable")?;
                document.serialize_entry("within", &self.limit())
            }
        }
    }
}
