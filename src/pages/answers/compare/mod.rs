//! Compares fronts: where one has less utilization within the same area, and by how much.
//!
//! They are step functions of area: within an area a front offers the utilization of its last point there. Nothing
//! changes between two steps, so comparing at every area where one of them has a step compares them everywhere, exactly.

mod costs;
mod labels;
mod side;
mod text;

pub use costs::{Against, CostComparison};
pub use side::Side;
pub use text::{Options, write_line, write_text};

use crate::answers::words::ratio;
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::text::visible;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.comparison/1";

/// A range of areas in which the same fronts offer the least utilization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first area of the range.
    pub from: Rational,
    /// The end of the range, exclusive; `None` if it is unbounded.
    pub to: Option<Rational>,
    /// The fronts that offer the least utilization, by their indices: several if they offer the same.
    pub least: Vec<usize>,
    /// The fronts that have no design of so small an area.
    pub absent: Vec<usize>,
    /// The greatest difference in the range between the least utilization and the next larger one; 0 if all fronts that
    /// have a design offer the same.
    pub most: Rational,
    /// The least area with that difference.
    pub most_at: Rational,
}

impl Span {
    /// Whether every one of so many fronts offers the same.
    pub fn is_equal(&self, fronts: usize) -> bool {
        self.least.len() == fronts
    }

    /// For two fronts, which one is better, as a word.
    fn better(&self) -> &'static str {
        match (self.least.as_slice(), self.absent.as_slice()) {
            ([0], [1]) => "only_first",
            ([1], [0]) => "only_second",
            ([0], _) => "first",
            ([1], _) => "second",
            _ => "equal",
        }
    }
}

/// The most fronts that are compared at once: more colors cannot be distinguished.
pub const MOST_FRONTS: usize = 6;

/// Fronts compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The fronts, at least two.
    pub sides: Vec<Side>,
    /// A short name for each of them, all different.
    pub labels: Vec<String>,
    /// Which front is better where, in order of area.
    pub spans: Vec<Span>,
    /// The area from which on nothing is known, because a front was cut at its area budget there.
    pub known_to: Option<Rational>,
}

/// Why fronts cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotCompare {
    /// There are too few or too many.
    #[error("two to {MOST_FRONTS} fronts are compared, not {0}")]
    Number(usize),
    /// Their areas have different units.
    #[error(
        "the areas of `{}` {}, those of `{}` {}: they cannot be compared; give both task sets the same `area_unit`",
        first.0, unit_in_words(&first.1), second.0, unit_in_words(&second.1)
    )]
    Units {
        /// The first front and its unit; empty if it names none.
        first: (String, String),
        /// The one with another unit.
        second: (String, String),
    },
    /// They count other resources.
    #[error(
        "the designs of `{}` are compared by {}, those of `{}` by {}: explore both with the same --objectives",
        first.0, first.1, second.0, second.1
    )]
    Resources {
        /// The first front and its objectives.
        first: (String, String),
        /// The one with others.
        second: (String, String),
    },
    /// One is of area against margin, another of area against utilization.
    #[error(
        "`{by_margin}` is a front of area against margin, `{other}` one of area against utilization: they cannot be \
         compared; explore both with the same --front"
    )]
    Measures {
        /// The first of area against margin.
        by_margin: String,
        /// The first that is not.
        other: String,
    },
    /// One counts several resources, which [`CostComparison`] compares.
    #[error("`{0}` counts several resources; here fronts of one area are compared")]
    Costs(String),
    /// One of them has a design that another of its designs dominates.
    #[error("`{0}` is no front: one of its designs dominates another")]
    Dominated(String),
}

fn unit_in_words(unit: &str) -> String {
    if unit.is_empty() { "have no unit".to_owned() } else { format!("are in `{unit}`") }
}

impl Comparison {
    /// Compares fronts.
    pub fn new(sides: Vec<Side>) -> Result<Self, CannotCompare> {
        let (2..=MOST_FRONTS, Some(first)) = (sides.len(), sides.first()) else {
            return Err(CannotCompare::Number(sides.len()));
        };
        if let Some(costed) = sides.iter().find(|side| side.head.resources.is_some()) {
            return Err(CannotCompare::Costs(visible(&costed.name)));
        }
        let named = |side: &Side| (visible(&side.name), visible(&side.head.area_unit));
        if let Some(other) = sides.iter().find(|side| side.head.area_unit != first.head.area_unit) {
            return Err(CannotCompare::Units { first: named(first), second: named(other) });
        }
        let measured = |by_margin| sides.iter().find(|side| side.head.by_margin == by_margin);
        if let (Some(margin), Some(other)) = (measured(true), measured(false)) {
            let (by_margin, other) = (visible(&margin.name), visible(&other.name));
            return Err(CannotCompare::Measures { by_margin, other });
        }
        let known_to = sides.iter().filter_map(Side::ends_at).min().cloned();
        let spans = spans(&sides, known_to.as_ref());
        Ok(Self { labels: labels::by_file(&sides), sides, spans, known_to })
    }

    /// The unit of all areas; may be empty.
    pub fn area_unit(&self) -> &str {
        self.sides.first().map_or("", |side| &side.head.area_unit)
    }

    /// Whether the fronts are of area against margin: then their steps are compared by 1/margin.
    pub fn by_margin(&self) -> bool {
        self.sides.iter().any(|side| side.head.by_margin)
    }

    /// What is compared, in words.
    pub fn measure(&self) -> &'static str {
        if self.by_margin() { "1/margin" } else { "utilization" }
    }

    /// A label for each curve: the changes of a what-if question where they tell the fronts of one task set apart,
    /// else as in [`Comparison::labels`].
    pub fn curve_labels(&self) -> Vec<String> {
        labels::by_what_if(&self.sides).unwrap_or_else(|| self.labels.clone())
    }

    /// Writes the comparison as one JSON object.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let side = |(side, label): (&Side, &String)| {
            let mut object = json!({
                "name": side.name,
                "label": label,
                "taskset": side.head.taskset,
                "what_if": side.head.what_if,
                "points": side.head.points,
                "min_schedulable_area": side.head.min_schedulable_area.as_ref().map(format_decimal),
                "complete": side.head.complete,
            });
            let smallest = side.head.min_schedulable.as_ref();
            if let Some(variant) = smallest.and_then(|smallest| smallest.variant.as_deref()) {
                object["min_schedulable_variant"] = variant.into();
            }
            let least = side.steps.last().map(|(_, least)| least);
            match self.by_margin() {
                true => object["largest_margin"] = least.map(|least| ratio(&least.recip())).into(),
                false => object["least_utilization"] = least.map(ratio).into(),
            }
            object
        };
        let is_pair = self.sides.len() == 2;
        let span = |span: &Span| {
            let mut object = json!({
                "from": format_decimal(&span.from),
                "to": span.to.as_ref().map(format_decimal),
                "least": span.least,
                "absent": span.absent,
                "most": ratio(&span.most),
                "most_at": format_decimal(&span.most_at),
            });
            if is_pair {
                object["better"] = span.better().into();
            }
            object
        };
        let fronts: Vec<Value> = self.sides.iter().zip(&self.labels).map(side).collect();
        let mut document = json!({ "schema": SCHEMA, "area_unit": self.area_unit() });
        if self.by_margin() {
            document["front"] = "margin".into();
        }
        if let ([first, second], true) = (fronts.as_slice(), is_pair) {
            document["first"] = first.clone();
            document["second"] = second.clone();
        }
        document["fronts"] = fronts.into();
        document["spans"] = self.spans.iter().map(span).collect();
        document["known_to"] = self.known_to.as_ref().map(format_decimal).into();
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    }
}

/// Merges the steps of all fronts, and joins neighboring spans with the same result.
fn spans(sides: &[Side], known_to: Option<&Rational>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut at = vec![0; sides.len()];
    loop {
        let next = sides.iter().zip(&at).filter_map(|(side, &at)| side.steps.get(at));
        let Some(area) = next.map(|(area, _)| area).min().cloned() else { break };
        if known_to.is_some_and(|known_to| area > *known_to) {
            break;
        }
        for (side, at) in sides.iter().zip(&mut at) {
            *at += usize::from(side.steps.get(*at).is_some_and(|step| step.0 == area));
        }
        let offered: Vec<Option<&Rational>> =
            sides.iter().zip(&at).map(|(side, at)| Some(&side.steps.get(at.checked_sub(1)?)?.1)).collect();
        let Some(least) = offered.iter().flatten().min() else { break };
        let next = offered.iter().flatten().filter(|offered| *offered > least).min();
        let most = next.map_or_else(Rational::default, |next| *next - *least);
        let those = |wanted: Option<&Rational>| -> Vec<usize> {
            (0..sides.len()).filter(|&side| offered[side] == wanted).collect()
        };
        let (least, absent) = (those(Some(*least)), those(None));
        match spans.last_mut() {
            Some(last) if last.least == least && last.absent == absent => {
                if most > last.most {
                    (last.most, last.most_at) = (most, area);
                }
            }
            last => {
                if let Some(last) = last {
                    last.to = Some(area.clone());
                }
                spans.push(Span { from: area.clone(), to: None, least, absent, most, most_at: area });
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
    use isx_report::front::read_json::Head;

    fn whole(number: u64) -> Rational {
        Rational::from(num_bigint::BigInt::from(number))
    }

    fn side(steps: &[(u64, u64)], complete: bool) -> Side {
        let head = Head { taskset: "set".into(), complete, points: steps.len(), ..Head::default() };
        let steps = steps.iter().map(|&(area, utilization)| (whole(area), whole(utilization))).collect();
        Side { name: "side".into(), head, steps, costs: Vec::new() }
    }

    fn told(first: &[(u64, u64)], second: &[(u64, u64)]) -> Vec<String> {
        let compared = Comparison::new(vec![side(first, true), side(second, true)]).unwrap();
        let told = compared.spans.iter().map(|span| {
            let to = span.to.as_ref().map_or("on".into(), Rational::to_string);
            format!("{}-{to} {} {}@{}", span.from, span.better(), span.most, span.most_at)
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
            Comparison::new(vec![side(&[(0, 9), (4, 5)], false), side(&[(0, 9), (2, 6), (7, 1)], true)])
                .unwrap();
        assert_eq!(compared.known_to, Some(whole(4)));
        assert_eq!(compared.spans.last().unwrap().to, Some(whole(4)));
        assert_eq!(compared.spans.len(), 2);
    }

    #[test]
    fn fronts_in_unlike_units_are_refused() {
        let named = |name: &str, unit: &str| {
            let mut side = side(&[(0, 1)], true);
            (side.name, side.head.area_unit) = (name.into(), unit.into());
            side
        };
        let words = |sides: &[Side]| Comparison::new(sides.to_vec()).unwrap_err().to_string();
        let (plain, lut) = (named("a.json", ""), named("b.json", "LUT"));
        let wanted = "the areas of `a.json` have no unit, those of `b.json` are in `LUT`: they cannot be compared; give both \
                      task sets the same `area_unit`";
        assert_eq!(words(&[plain.clone(), lut.clone()]), wanted);
        let wanted = "the areas of `b.json` are in `LUT`, those of `a.json` have no unit: they cannot be compared; give both \
                      task sets the same `area_unit`";
        assert_eq!(words(&[lut.clone(), lut, plain.clone()]), wanted);
        assert_eq!(words(std::slice::from_ref(&plain)), "two to 6 fronts are compared, not 1");
        assert_eq!(words(&vec![plain; 7]), "two to 6 fronts are compared, not 7");
    }

    #[test]
    fn of_three_fronts_the_best_are_told_with_what_they_gain_over_the_next() {
        let sides = [&[(0, 9), (4, 5)][..], &[(0, 9), (4, 5), (6, 1)], &[(2, 7), (5, 2)]];
        let compared = Comparison::new(sides.map(|steps| side(steps, true)).to_vec()).unwrap();
        let told = compared.spans.iter().map(|span| {
            let to = span.to.as_ref().map_or("on".into(), Rational::to_string);
            format!("{}-{to} {:?} {:?} {}@{}", span.from, span.least, span.absent, span.most, span.most_at)
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                "0-2 [0, 1] [2] 0@0",
                "2-4 [2] [] 2@2",
                "4-5 [0, 1] [] 2@4",
                "5-6 [2] [] 3@5",
                "6-on [1] [] 1@6"
            ]
        );
    }

    #[test]
    fn the_spans_say_of_every_area_what_the_steps_say() {
        let mut sampler = Sampler::new(7);
        for _ in 0..2000 {
            let count = sampler.uniform(2, 6) as usize;
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
            let fronts: Vec<Vec<(u64, u64)>> = (0..count).map(|_| random()).collect();
            let sides = fronts.iter().map(|steps| side(steps, true)).collect();
            let compared = Comparison::new(sides).unwrap();
            for area in 0..40 {
                let within = |steps: &Vec<(u64, u64)>| {
                    steps.iter().rev().find(|step| step.0 <= area).map(|step| step.1)
                };
                let offered: Vec<Option<u64>> = fronts.iter().map(within).collect();
                let those = |wanted: Option<u64>| -> Vec<usize> {
                    (0..count).filter(|&front| offered[front] == wanted).collect()
                };
                let wanted = offered.iter().flatten().min().map(|&least| (those(Some(least)), those(None)));
                let at = whole(area);
                let holds = |span: &&Span| span.from <= at && span.to.as_ref().is_none_or(|to| at < *to);
                let found = compared.spans.iter().find(holds);
                assert_eq!(found.map(|span| (span.least.clone(), span.absent.clone())), wanted);
            }
        }
    }
}
