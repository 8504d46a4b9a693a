//! The response times of a design under fixed priorities.
//!
//! ```text
//! response times in ms:
//!   response  deadline      %  task
//!          2         4   50.0  fir
//!          7         6  116.7  iir (late)
//! ```
//!
//! If some task has jitter or waits, columns say how much of the response is that.

use super::lines::Columns;
use super::words;
use isx_design::schedulability::{ResponseTime, delays};
use isx_exact::quantity::Rational;
use isx_report::front::fields::{decimal, decimal_or_null};
use isx_report::text::{visible, wrapped};
use isx_taskset::formulate::Formulation;
use isx_taskset::{ShownUnit, TaskSet};
use num_bigint::BigInt;
use num_traits::One;
use serde::Serialize;
use std::io::{self, Write};

/// A task's response time under fixed priorities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    /// The task.
    pub task: String,
    /// Its worst-case response time, if it exists and was found.
    #[serde(rename = "response_time", serialize_with = "decimal_or_null")]
    pub time: Option<Rational>,
    /// Its relative deadline.
    #[serde(serialize_with = "decimal")]
    pub deadline: Rational,
    /// The reason, if there is no `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How much of the response is due to others; `None` if no task has jitter or waits.
    #[serde(flatten)]
    pub delays: Option<Delays>,
}

/// Parts of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Delays {
    /// Release jitter.
    #[serde(serialize_with = "decimal")]
    pub jitter: Rational,
    /// Waiting for others.
    #[serde(serialize_with = "decimal")]
    pub wait: Rational,
}

impl Response {
    /// The response times of a design of a task set, in its time unit.
    pub(crate) fn of_times(
        set: &TaskSet,
        formulation: &Formulation,
        choices: &[Option<u32>],
        times: &[ResponseTime],
    ) -> Vec<Self> {
        let delays = delays(formulation, choices);
        let in_unit = |units: &BigInt| Rational::from(units.clone()) * &formulation.time_unit;
        let response = |time: &ResponseTime| {
            let task = set.tasks.get(time.task)?;
            Some(Self {
                task: task.name.clone(),
                time: time.response.as_ref().ok().map(in_unit),
                why: time.response.as_ref().err().map(ToString::to_string),
                deadline: in_unit(&formulation.tasks.get(time.task)?.deadline),
                delays: delays.get(time.task).map(|delays| {
                    let [jitter, wait] = delays.each_ref().map(in_unit);
                    Delays { jitter, wait }
                }),
            })
        };
        times.iter().filter_map(response).collect()
    }

    /// The response time as a percentage of the deadline, and the task.
    fn words(&self) -> (String, String) {
        let name = visible(&self.task);
        let Some(time) = &self.time else {
            let why = self.why.as_deref().unwrap_or("not found");
            return ("-".to_owned(), format!("{name} ({why})"));
        };
        let late = if *time > self.deadline { " (late)" } else { "" };
        (percent(&(time / &self.deadline)), format!("{name}{late}"))
    }
}

/// A ratio in percent, rounded so that it never hides on which side of 100 % it lies.
fn percent(part: &Rational) -> String {
    let rounded = words::percent(part, 1);
    let sign = match part.cmp(&Rational::one()) {
        _ if rounded != "100.0" => "",
        std::cmp::Ordering::Less => "<",
        std::cmp::Ordering::Equal => "",
        std::cmp::Ordering::Greater => ">",
    };
    format!("{sign}{rounded}")
}

/// Prints one line per task; nothing if there are no response times.
pub(crate) fn write_text(
    responses: &[Response],
    unit: &ShownUnit,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    if responses.is_empty() {
        return Ok(());
    }
    let has_delays = responses.iter().any(|response| response.delays.is_some());
    let heads = ["response", "jitter", "wait", "deadline", "%", "task"];
    let mut times = unit.column(responses.iter().filter_map(|response| response.time.as_ref())).into_iter();
    let deadlines = unit.column(responses.iter().map(|response| &response.deadline));
    let none = Delays::default();
    let delays = || responses.iter().map(|response| response.delays.as_ref().unwrap_or(&none));
    let mut jitters = unit.column(delays().map(|delays| &delays.jitter)).into_iter();
    let mut waits = unit.column(delays().map(|delays| &delays.wait)).into_iter();
    let row = |(response, deadline): (&Response, String)| {
        let time = response.time.as_ref().and_then(|_| times.next());
        let (percent, task) = response.words();
        let [jitter, wait] = [&mut jitters, &mut waits].map(|column| column.next().unwrap_or_default());
        [time.unwrap_or_else(|| "-".to_owned()), jitter, wait, deadline, percent, task]
    };
    let rows: Vec<[String; 6]> = responses.iter().zip(deadlines).map(row).collect();
    let named = if unit.name().is_empty() { String::new() } else { format!(" in {}", unit.name()) };
    writeln!(out, "response times{named}:")?;
    let heads = heads.map(str::to_owned);
    let figures = |row: &[String; 6]| -> Vec<String> {
        let figures = row[..5].iter().enumerate();
        let in_percent = figures.filter(|(column, _)| has_delays || !matches!(column, 1 | 2));
        in_percent.map(|(_, figure)| figure.clone()).collect()
    };
    let columns = Columns::new(&[], std::iter::once(&heads).chain(&rows).map(figures));
    for row in std::iter::once(&heads).chain(&rows) {
        let label = format!("  {}  ", columns.plain(&figures(row)));
        writeln!(out, "{}", wrapped(&label, &row[5], width))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_says_on_which_side_of_the_deadline_it_lies() {
        let in_percent =
            |numerator: i64, denominator: i64| percent(&Rational::new(numerator.into(), denominator.into()));
        assert_eq!([in_percent(1, 2), in_percent(1, 1), in_percent(7, 6)], ["50.0", "100.0", "116.7"]);
        assert_eq!([in_percent(99_999, 100_000), in_percent(100_001, 100_000)], ["<100.0", ">100.0"]);
    }
}
