//! What a checked certificate proves, as text and as JSON (schema `isx.proof/1`).

use crate::answers::partition::in_words;
use crate::answers::words::{objectives, ratio};
use isx_certificate::{Kind, Proved, Statement};
use isx_checker::claim::{Point, Sums};
use isx_checker::partition::Division;
use isx_checker::shared::resources::Column;
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::costs;
use isx_report::text::{joined, listed, visible};
use isx_taskset::Resources;
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
    /// The resources of a task set that counts several; a certificate knows them by number only.
    pub resources: Option<Resources>,
    /// The names of the variants of the processor, which it knows by number too.
    pub variants: Vec<String>,
}

/// A kind of problem, in words.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::TaskSet => "a task set",
        Kind::Mckp { .. } => "a multiple-choice knapsack problem",
        Kind::Knapsack => "a knapsack problem",
    }
}

/// A whole number of units of 10^-`places`, as a decimal.
pub fn scaled(number: &BigInt, places: u32) -> String {
    format_decimal(&Rational::new(number.clone(), BigInt::from(10).pow(places)))
}

/// Prints the question about the input and what is proved; in one line if `brief`.
pub fn write_text(
    proved: &Proved,
    question: &Question,
    input: &str,
    brief: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = Shown(proved, question);
    if brief {
        let claim = shown.claim().1.join("; ");
        return writeln!(out, "{}: PROVED: {}: {claim}", visible(input), visible(&shown.question()));
    }
    writeln!(out, "{}: PROVED", visible(input))?;
    writeln!(out, "question: {}", visible(&shown.question()))?;
    for line in shown.claim().1 {
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
pub fn write_json(proved: &Proved, question: &Question, input: &str, out: &mut dyn Write) -> io::Result<()> {
    let shown = Shown(proved, question);
    let mut writer = serde_json::Serializer::pretty(&mut *out);
    let mut document = writer.serialize_map(None)?;
    document.serialize_entry("schema", SCHEMA)?;
    document.serialize_entry("input", input)?;
    document.serialize_entry("status", "proved")?;
    document.serialize_entry("question", &shown.question_json())?;
    let (claim, _, fields) = shown.claim();
    document.serialize_entry("claim", claim)?;
    if let Statement::Front { points, schedulable, minimal } = &proved.statement {
        document.serialize_entry("complete", &proved.problem.is_unlimited())?;
        document.serialize_entry("points", &Points(&shown, points))?;
        document.serialize_entry("schedulable", schedulable)?;
        if let Some(asked) = &question.resources {
            let cost = |at: &usize| costs::object(asked, &shown.costs(&points[*at].sums));
            let minimal = minimal.as_ref().map(|all| all.iter().map(cost).collect::<Vec<_>>());
            document.serialize_entry("min_schedulable", &minimal)?;
        }
    }
    for (name, value) in &fields {
        document.serialize_entry(name, value)?;
    }
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

/// What an amount costs, in the resource's own unit.
fn cost(column: &Column, amount: u64) -> Rational {
    let (numerator, denominator) = column.cost(amount);
    Rational::new(numerator, denominator.into())
}

impl Shown<'_> {
    fn area(&self, units: u64) -> String {
        let problem = &self.0.problem;
        if problem.kind != Kind::TaskSet {
            return scaled(&units.into(), self.1.weight_places);
        }
        let column = &problem.resources.columns[0];
        let Some(chip) = &problem.chip else { return format_decimal(&cost(column, units)) };
        let own = cost(column, units) - cost(column, 0);
        let (numerator, denominator) = (chip.core_area.0.clone(), chip.core_area.1.clone());
        let core = Rational::new(numerator.into(), denominator.into());
        format_decimal(&(own + core * BigInt::from(chip.cores)))
    }

    /// The largest area or weight asked about.
    fn capacity(&self) -> String {
        self.area(self.0.problem.limit(0))
    }

    /// The name of a design's variant of the processor, if there are several.
    fn variant(&self, sums: &Sums) -> Option<&str> {
        let number = self.0.problem.variants().nth(sums.variant)?.variant;
        self.1.variants.get(number).map(String::as_str)
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

    /// The cost in every resource, in the order of the input.
    fn costs(&self, sums: &Sums) -> Vec<Rational> {
        let mut costs = vec![Rational::default(); self.0.problem.width()];
        for (column, amount) in self.0.problem.resources.columns.iter().zip(&sums.amounts) {
            costs[column.number] = cost(column, *amount);
        }
        costs
    }

    fn sums(&self, sums: &Sums) -> String {
        let (area, cost) = self.words();
        let costs = match &self.1.resources {
            Some(asked) => costs::with_names(asked, &self.costs(sums)),
            None => format!("{area} {}", self.area(sums.amounts[0])),
        };
        let variant =
            self.variant(sums).map_or_else(String::new, |name| format!(", variant {}", visible(name)));
        format!("{costs}, {cost} {}{variant}", self.cost(&sums.cost))
    }

    /// `4 cores`; empty of a set whose tasks are not divided.
    fn cores(&self) -> String {
        self.0.problem.chip.as_ref().map_or_else(String::new, |chip| in_words(chip.cores as u32))
    }

    /// What was asked.
    fn question(&self) -> String {
        let capacity = || self.capacity();
        match self.0.problem.kind {
            Kind::TaskSet if self.0.problem.chip.is_some() => {
                format!("task set, {}{}", self.cores(), self.changes())
            }
            Kind::TaskSet => {
                if let Some(asked) = &self.1.resources {
                    let limits = asked.limits_in_words();
                    let limits = limits.map_or("without limits".into(), |limits| format!("within {limits}"));
                    let device =
                        asked.device.as_ref().map_or(String::new(), |name| format!(" (device {name})"));
                    let objectives = listed(&objectives(asked));
                    return format!("task set, front of {objectives} {limits}{device}{}", self.changes());
                }
                let areas = self.1.max_area.as_ref();
                let areas = areas.map_or("all areas".into(), |area| format!("areas up to {area}"));
                format!("task set, {areas}{}", self.changes())
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

    /// The changes as flags, without those that the limits and objectives say already.
    fn changes(&self) -> String {
        let said =
            |flag: &str| self.1.resources.is_some() && matches!(flag, "within" | "device" | "objectives");
        let changes = self.1.changes.iter().filter(|(flag, _)| !said(flag));
        changes.map(|(flag, value)| format!(", --{} {value}", flag.replace('_', "-"))).collect()
    }

    fn question_json(&self) -> Value {
        let capacity = self.capacity();
        let given = |wanted: &str| -> Vec<String> {
            let those = self.1.changes.iter().filter(|(flag, _)| *flag == wanted);
            those.map(|(_, value)| value.clone()).collect()
        };
        let mut question = match (self.0.problem.kind, &self.1.resources, &self.0.problem.chip) {
            (Kind::Mckp { optional }, ..) => {
                return json!({ "problem": "mckp", "capacity": capacity, "optional": optional });
            }
            (Kind::Knapsack, ..) => return json!({ "problem": "knapsack", "capacity": capacity }),
            (Kind::TaskSet, None, Some(chip)) => json!({ "problem": "taskset", "cores": chip.cores }),
            (Kind::TaskSet, None, None) => json!({ "problem": "taskset", "max_area": self.1.max_area }),
            (Kind::TaskSet, Some(asked), _) => json!({
                "problem": "taskset",
                "resources": asked.names,
                "objectives": objectives(asked),
                "limits": costs::limits(asked),
                "device": asked.device,
            }),
        };
        for flag in ["force", "forbid"] {
            question[flag] = given(flag).into();
        }
        // Of these flags some are named though they were not given.
        for (flag, is_always) in [
            ("variant", false),
            ("scale_wcet", true),
            ("margin", true),
            ("overruns", false),
            ("price", false),
        ] {
            let value = given(flag).into_iter().next();
            if is_always || value.is_some() {
                question[flag] = value.into();
            }
        }
        question
    }

    /// The largest area or weight that was asked about, or the limits.
    fn limit(&self) -> String {
        if let Some(asked) = &self.1.resources {
            return visible(&asked.limits_in_words().unwrap_or_default()).to_string();
        }
        let asked = self.1.max_area.clone();
        asked.unwrap_or_else(|| self.capacity())
    }

    /// The same for JSON.
    fn limit_json(&self) -> Value {
        self.1.resources.as_ref().map_or_else(|| self.limit().into(), |asked| json!(costs::limits(asked)))
    }

    /// `area 12`, or the limits of several resources.
    fn limit_text(&self) -> String {
        match self.1.resources {
            Some(_) => self.limit(),
            None => format!("{} {}", self.words().0, self.limit()),
        }
    }

    /// The area or weight up to which the front is complete, or the limits.
    fn reach(&self) -> String {
        let up_to = if self.1.resources.is_some() { "within" } else { "up to" };
        match self.0.problem.is_unlimited() {
            true => String::new(),
            false => format!(" {up_to} {}", self.limit_text()),
        }
    }

    /// What is proved: its name, sentences, and the fields of its document, but for those of a front.
    fn claim(&self) -> (&'static str, Vec<String>, Vec<(&'static str, Value)>) {
        let (area, cost) = self.words();
        match &self.0.statement {
            Statement::Front { points, schedulable, minimal } => {
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
                if let (Some(minimal), Some(asked)) = (minimal, &self.1.resources) {
                    lines.push(self.minimal_text(asked, points, minimal));
                }
                ("front", lines, Vec::new())
            }
            Statement::Best { sums, is_lightest } => {
                let within = match self.1.resources {
                    Some(_) => self.reach(),
                    None => format!(" within {area} {}", self.capacity()),
                };
                let lighter =
                    if *is_lightest { format!(", nor the same with less {area}") } else { String::new() };
                let lines = vec![self.sums(sums), format!("nothing{within} has a better {cost}{lighter}")];
                ("best", lines, vec![("point", self.point(sums)), ("lightest", json!(is_lightest))])
            }
            Statement::NothingFits => {
                let line = match self.1.resources {
                    Some(_) => format!("no design is within {}", self.limit()),
                    None => format!("no selection fits {area} {}", self.capacity()),
                };
                ("nothing fits", vec![line], Vec::new())
            }
            Statement::Schedulable { sums } => {
                let line = format!("a design of {} is schedulable", self.sums(sums));
                ("schedulable", vec![line], vec![("within", self.limit_json()), ("point", self.point(sums))])
            }
            Statement::NotSchedulable => {
                let within = match (self.0.problem.is_unlimited(), &self.1.resources) {
                    (true, Some(_)) => "of any cost".to_owned(),
                    (true, None) => "of any area".to_owned(),
                    (false, _) => format!("within {}", self.limit_text()),
                };
                let line = format!("no design {within} is schedulable");
                ("not schedulable", vec![line], vec![("within", self.limit_json())])
            }
            Statement::LeastArea { sums } => {
                let line =
                    format!("a design of {} is schedulable, and none of less area is", self.sums(sums));
                ("least area", vec![line], vec![("point", self.point(sums))])
            }
            Statement::LeastDivision(Division { area, demands }) => {
                let utilizations: Vec<Rational> =
                    demands.iter().map(|demand| self.utilization(demand)).collect();
                let area = self.area(*area);
                let lines = vec![
                    format!(
                        "the least area on {} is {area}: a design of that area meets all deadlines, and none of less area does",
                        self.cores()
                    ),
                    format!(
                        "utilization per core: {}",
                        joined(&mut utilizations.iter().map(Rational::to_string), ", ")
                    ),
                ];
                let utilizations = utilizations.iter().map(ratio).collect();
                ("least division", lines, vec![("area", area.into()), ("utilizations", utilizations)])
            }
            Statement::NoDivision => {
                let line = format!("on {} no design meets all deadlines", self.cores());
                ("no division", vec![line], Vec::new())
            }
        }
    }

    /// The least costs of schedulable designs, the first of many.
    fn minimal_text(&self, asked: &Resources, points: &[Point], minimal: &[usize]) -> String {
        let mut costs = minimal.iter().map(|&at| self.costs(&points[at].sums));
        match minimal {
            [] => "no design is schedulable".into(),
            _ => format!("minimal schedulable costs: {}", costs::some_in_words(&mut costs, asked)),
        }
    }

    fn point(&self, sums: &Sums) -> Value {
        let (area, cost) = self.words();
        let worth = match self.0.problem.kind {
            Kind::TaskSet => ratio(&self.utilization(&sums.cost)),
            _ => self.cost(&sums.cost).into(),
        };
        let weight = match &self.1.resources {
            Some(asked) => ("cost", json!(costs::object(asked, &self.costs(sums)))),
            None => (area, self.area(sums.amounts[0]).into()),
        };
        let mut point = Value::from_iter([weight, (cost, worth)]);
        if let Some(variant) = self.variant(sums) {
            point["variant"] = variant.into();
        }
        point
    }
}
