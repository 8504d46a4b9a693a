//! Compares two fronts: where one has less utilization within the same area, and by how much.
//!
//! Both are step functions of area: within an area a front offers the utilization of its last point there. Nothing
//! changes between two steps, so comparing at every area where either has a step compares them everywhere, exactly.

mod text;

pub use text::{Options, write_line, write_text};

use crate::answers::words::ratio;
use crate::front::read_json::{ExactPoint, Head, read};
use crate::front::unreadable::PlotError;
use isx_exact::quantity::{Rational, format_decimal};
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::io::{self, Read, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.comparison/1";

/// One of the compared fronts: its steps, and the header of its document.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The name that the user gave it.
    pub name: String,
    /// The document's fields besides its points.
    pub head: Head,
    /// Area and utilization of every point.
    pub steps: Vec<(Rational, Rational)>,
}

impl Side {
    /// Reads the front's JSON.
    ///
    /// # Errors
    ///
    /// [`PlotError`] if it is not a front.
    pub fn from_json(name: String, mut reader: impl Read) -> Result<Self, PlotError> {
        let mut steps = Vec::new();
        let head = read(&mut reader, 0, &mut |_, point: ExactPoint<IgnoredAny>| {
            steps.push((point.area, point.utilization));
        })?;
        Ok(Self { name, head, steps })
    }

    /// The area from which on nothing is known: a front that was cut at an area budget ends at its last point.
    fn ends_at(&self) -> Option<&Rational> {
        self.steps.last().filter(|_| !self.head.complete).map(|(area, _)| area)
    }
}

/// Which of two fronts offers less utilization within an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The first.
    First,
    /// The second.
    Second,
    /// Neither: both offer the same.
    Neither,
    /// The second has no design of so small an area.
    OnlyFirst,
    /// The first has no design of so small an area.
    OnlySecond,
}

impl Better {
    /// The word in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Neither => "equal",
            Self::OnlyFirst => "only_first",
            Self::OnlySecond => "only_second",
        }
    }
}

/// A range of areas in which the same front is better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first area of the range.
    pub from: Rational,
    /// The end of the range, exclusive; `None` if it is unbounded.
    pub to: Option<Rational>,
    /// Which front is better.
    pub better: Better,
    /// The greatest difference of the utilizations in the range; 0 if they do not differ or only one front has a
    /// design.
    pub most: Rational,
    /// The least area with that difference.
    pub most_at: Rational,
}

/// Two fronts compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The first front.
    pub first: Side,
    /// The second.
    pub second: Side,
    /// Which front is better where, in order of area.
    pub spans: Vec<Span>,
    /// The area from which on nothing is known, because a front was cut at its area budget there.
    pub known_to: Option<Rational>,
}

/// Why two fronts cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the areas of A {}, those of B {}: they cannot be compared; give both task sets the same `area_unit`",
    unit_in_words(first),
    unit_in_words(second)
)]
pub struct UnlikeUnits {
    /// The unit of the first; empty if it names none.
    pub first: String,
    /// The unit of the second; empty if it names none.
    pub second: String,
}

fn unit_in_words(unit: &str) -> String {
    if unit.is_empty() { "have no unit".to_owned() } else { format!("are in `{unit}`") }
}

impl Comparison {
    /// Compares two fronts.
    ///
    /// # Errors
    ///
    /// [`UnlikeUnits`].
    pub fn new(first: Side, second: Side) -> Result<Self, UnlikeUnits> {
        let units = (&first.head.area_unit, &second.head.area_unit);
        if units.0 != units.1 {
            return Err(UnlikeUnits { first: units.0.clone(), second: units.1.clone() });
        }
        let known_to = match (first.ends_at(), second.ends_at()) {
            (Some(one), Some(other)) => Some(one.min(other).clone()),
            (one, other) => one.or(other).cloned(),
        };
        let spans = spans(&first.steps, &second.steps, known_to.as_ref());
        Ok(Self { first, second, spans, known_to })
    }

    /// Writes the comparison as one JSON object.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let side = |side: &Side| {
            json!({
                "name": side.name,
                "taskset": side.head.taskset,
                "what_if": side.head.what_if,
                "points": side.head.points,
                "min_schedulable_area": side.head.min_schedulable_area.as_ref().map(format_decimal),
                "least_utilization": side.steps.last().map(|(_, utilization)| ratio(utilization)),
                "complete": side.head.complete,
            })
        };
        let span = |span: &Span| {
            json!({
                "from": format_decimal(&span.from),
                "to": span.to.as_ref().map(format_decimal),
                "better": span.better.name(),
                "most": ratio(&span.most),
                "most_at": format_decimal(&span.most_at),
            })
        };
        let document = json!({
            "schema": SCHEMA,
            "area_unit": self.first.head.area_unit,
            "first": side(&self.first),
            "second": side(&self.second),
            "spans": self.spans.iter().map(span).collect::<Vec<Value>>(),
            "known_to": self.known_to.as_ref().map(format_decimal),
        });
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    }
}

/// Merges the steps of both fronts, and joins neighboring spans with the same result.
fn spans(
    first: &[(Rational, Rational)],
    second: &[(Rational, Rational)],
    known_to: Option<&Rational>,
) -> Vec<Span> {
    let (mut spans, mut at): (Vec<Span>, _) = (Vec::new(), (0, 0));
    loop {
        let next = match (first.get(at.0), second.get(at.1)) {
            (None, None) => break,
            (Some(step), None) | (None, Some(step)) => &step.0,
            (Some(one), Some(other)) => (&one.0).min(&other.0),
        };
        if known_to.is_some_and(|known_to| next > known_to) {
            break;
        }
        let area = next.clone();
        at.0 += usize::from(first.get(at.0).is_some_and(|step| step.0 == area));
        at.1 += usize::from(second.get(at.1).is_some_and(|step| step.0 == area));
        let utilization =
            |steps: &[(Rational, Rational)], at: usize| Some(steps.get(at.checked_sub(1)?)?.1.clone());
        let (better, most) = match (utilization(first, at.0), utilization(second, at.1)) {
            (Some(one), Some(other)) => match one.cmp(&other) {
                Ordering::Less => (Better::First, other - one),
                Ordering::Greater => (Better::Second, one - other),
                Ordering::Equal => (Better::Neither, Rational::default()),
            },
            (Some(_), None) => (Better::OnlyFirst, Rational::default()),
            (None, _) => (Better::OnlySecond, Rational::default()),
        };
        match spans.last_mut() {
            Some(last) if last.better == better => {
                if most > last.most {
                    (last.most, last.most_at) = (most, area);
                }
            }
            last => {
                if let Some(last) = last {
                    last.to = Some(area.clone());
                }
                spans.push(Span { from: area.clone(), to: None, better, most, most_at: area });
            }
        }
    }
    if let Some(last) = spans.last_mut() {
        last.to = known_to.cloned();
    }
    // The last known area is a span of its own only if something is known about it.
    spans.retain(|span| span.to.as_ref() != Some(&span.from));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::sampling::Sampler;

    fn whole(number: u64) -> Rational {
        Rational::from(num_bigint::BigInt::from(number))
    }

    fn side(steps: &[(u64, u64)], complete: bool) -> Side {
        let head = Head { taskset: "set".into(), complete, points: steps.len(), ..Head::default() };
        let steps = steps.iter().map(|&(area, utilization)| (whole(area), whole(utilization))).collect();
        Side { name: "side".into(), head, steps }
    }

    fn told(first: &[(u64, u64)], second: &[(u64, u64)]) -> Vec<String> {
        let compared = Comparison::new(side(first, true), side(second, true)).unwrap();
        let told = compared.spans.iter().map(|span| {
            let to = span.to.as_ref().map_or("on".into(), Rational::to_string);
            format!("{}-{to} {} {}@{}", span.from, span.better.name(), span.most, span.most_at)
        });
        told.collect()
    }

    #[test]
    fn the_better_front_is_told_with_the_most_it_gains() {
        assert_eq!(told(&[(0, 9), (4, 5)], &[(0, 9), (4, 5)]), ["0-on equal 0@0"]);
        assert_eq!(
            told(&[(0, 9), (4, 5), (8, 1)], &[(0, 9), (5, 3), (6, 2)]),
            ["0-4 equal 0@0", "4-5 first 4@4", "5-8 second 3@6", "8-on first 1@8"]
        );
        assert_eq!(told(&[(3, 9)], &[(0, 9)]), ["0-3 only_second 0@0", "3-on equal 0@3"]);
    }

    #[test]
    fn beyond_a_budget_nothing_is_said() {
        let compared =
            Comparison::new(side(&[(0, 9), (4, 5)], false), side(&[(0, 9), (2, 6), (7, 1)], true)).unwrap();
        assert_eq!(compared.known_to, Some(whole(4)));
        assert_eq!(compared.spans.last().unwrap().to, Some(whole(4)));
        assert_eq!(compared.spans.len(), 2);
    }

    #[test]
    fn fronts_in_unlike_units_are_refused() {
        let mut other = side(&[(0, 1)], true);
        other.head.area_unit = "LUT".into();
        let words = |one, other| Comparison::new(one, other).unwrap_err().to_string();
        let wanted = "the areas of A have no unit, those of B are in `LUT`: they cannot be compared; give both task sets the \
                      same `area_unit`";
        assert_eq!(words(side(&[(0, 1)], true), other.clone()), wanted);
        let wanted = "the areas of A are in `LUT`, those of B have no unit: they cannot be compared; give both task sets the \
                      same `area_unit`";
        assert_eq!(words(other, side(&[(0, 1)], true)), wanted);
    }

    #[test]
    fn the_spans_say_of_every_area_what_the_steps_say() {
        let mut sampler = Sampler::new(7);
        for _ in 0..2000 {
            let mut random = || {
                let (mut area, mut utilization) = (sampler.uniform(0, 3), 30);
                let mut steps = vec![(area, utilization)];
                for _ in 0..sampler.uniform(0, 6) {
                    area += sampler.uniform(1, 4);
                    utilization -= sampler.uniform(1, 4);
                    steps.push((area, utilization));
                }
                steps
            };
            let (one, other) = (random(), random());
            let compared = Comparison::new(side(&one, true), side(&other, true)).unwrap();
            for area in 0..40 {
                let within =
                    |steps: &[(u64, u64)]| steps.iter().rev().find(|step| step.0 <= area).map(|step| step.1);
                let wanted = match (within(&one), within(&other)) {
                    (None, None) => None,
                    (Some(_), None) => Some(Better::OnlyFirst),
                    (None, Some(_)) => Some(Better::OnlySecond),
                    (Some(a), Some(b)) if a < b => Some(Better::First),
                    (Some(a), Some(b)) if a > b => Some(Better::Second),
                    _ => Some(Better::Neither),
                };
                let at = whole(area);
                let holds = |span: &&Span| span.from <= at && span.to.as_ref().is_none_or(|to| at < *to);
                assert_eq!(compared.spans.iter().find(holds).map(|span| span.better), wanted);
            }
        }
    }
}
