//! Compares fronts: where one has less utilization within the same cost, and by how much.
//!
//! Along the first objective they are step functions: within a cost a front offers the utilization of its last point there.
//! Nothing changes between two steps, so comparing at every cost where one of them has a step compares them everywhere,
//! exactly. With several objectives that says what they offer whatever the others cost, and their designs are compared one by
//! one too.

mod costs;
mod labels;
mod side;
mod text;

pub use costs::Against;
pub use side::Side;
pub use text::write_text;

use crate::answers::document::Document;
use crate::answers::words::{ratio, unit};
use ::isx_report::front::costs as amounts;
use costs::Ranked;
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::Head;
use isx_report::text::visible;
use serde_json::json;
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.comparison/1";
/// The schema's name for fronts of resources with names.
pub const SCHEMA_OF_RESOURCES: &str = "isx.comparison/2";

/// A range of costs in the first objective in which the same fronts offer the least utilization.
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

/// The result of comparing fronts.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The fronts, at least two.
    pub sides: Vec<Side>,
    /// A short name for each of them, all different.
    pub labels: Vec<String>,
    /// Which front is better where, in order of area.
    pub spans: Vec<Span>,
    /// The cost from which on nothing is known, because a front was cut at its area budget there.
    pub known_to: Option<Rational>,
    /// With several objectives, for each front and each of the fronts, the designs of the first against those of the second;
    /// equal to itself.
    pub against: Vec<Vec<Against>>,
}

/// Why fronts cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CannotCompare(String);

impl CannotCompare {
    /// An error if they are too few or too many.
    pub fn number(fronts: usize) -> Result<(), Self> {
        match fronts {
            2..=MOST_FRONTS => Ok(()),
            _ => Err(Self(format!("two to {MOST_FRONTS} fronts are compared, not {fronts}"))),
        }
    }
}

impl Comparison {
    /// Compares fronts.
    pub fn new(sides: Vec<Side>) -> Result<Self, CannotCompare> {
        CannotCompare::number(sides.len())?;
        let first = &sides[0];
        let names = first.objectives();
        let sorted = |side: &Side| {
            let mut names = side.objectives();
            names.sort_unstable();
            names.join(",")
        };
        if let Some(other) = sides.iter().find(|side| sorted(side) != sorted(first)) {
            let [name, of_other] = [first, other].map(|side| visible(&side.name));
            let area_unit = |side: &Side| {
                let unit = visible(side.head.resources.area_unit.as_ref()?);
                Some(if unit.is_empty() { "have no unit".to_owned() } else { format!("are in `{unit}`") })
            };
            return Err(CannotCompare(match (area_unit(first), area_unit(other)) {
                (Some(unit), Some(unit_of_other)) => format!(
                    "the areas of `{name}` {unit}, those of `{of_other}` {unit_of_other}: they cannot be compared; give both \
                     task sets the same `area_unit`"
                ),
                _ => {
                    let [objectives, those] =
                        [first, other].map(|side| visible(&side.objectives().join(", ")));
                    format!(
                        "the designs of `{name}` are compared by {objectives}, those of `{of_other}` by {those}: explore both \
                         with the same --objectives"
                    )
                }
            }));
        }
        let measured = |by_margin| sides.iter().find(|side| side.head.by_margin == by_margin);
        if let (Some(margin), Some(other)) = (measured(true), measured(false)) {
            return Err(CannotCompare(format!(
                "`{}` is a front of area against margin, `{}` one of area against utilization: they cannot be compared; \
                 explore both with the same --front",
                visible(&margin.name),
                visible(&other.name)
            )));
        }
        let known_to = sides.iter().filter_map(Side::ends_at).min().cloned();
        let spans = spans(&sides, known_to.as_ref());
        let mut against = Vec::new();
        if names.len() > 1 {
            let (ranked, each) = (Ranked::new(&sides, &names), 0..sides.len());
            if let Some(side) = each.clone().find(|&side| !ranked.against(side, side).dominated.is_empty()) {
                let name = visible(&sides[side].name);
                return Err(CannotCompare(format!(
                    "`{name}` is no front: one of its designs dominates another"
                )));
            }
            let of_pair = |of: usize, by: usize| {
                let against = ranked.against(of, by);
                Against { most: ranked.most(&sides, of, by, &against.unmatched), ..against }
            };
            against = each.clone().map(|of| each.clone().map(|by| of_pair(of, by)).collect()).collect();
        }
        Ok(Self { labels: labels::by_file(&sides), sides, spans, known_to, against })
    }

    /// The unit of the costs in the first objective; may be empty.
    pub fn unit(&self) -> &str {
        self.sides.first().map_or("", |side| unit(&side.head.resources))
    }

    /// What is counted in the first objective, in words.
    pub fn counted(&self) -> &'static str {
        self.sides.first().map_or(amounts::AREA, |side| amounts::word(&side.head.resources))
    }

    /// Whether the first objective is counted by its name.
    pub fn is_by_name(&self) -> bool {
        self.sides.first().is_some_and(|side| !amounts::is_area(&side.head.resources))
    }

    /// Every front with every other one.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = self.against.len();
        (0..count).flat_map(move |of| (0..count).filter(move |&by| by != of).map(move |by| (of, by)))
    }

    /// Whether the fronts are of area against margin: then their steps are compared by 1/margin.
    pub fn by_margin(&self) -> bool {
        self.sides.iter().any(|side| side.head.by_margin)
    }

    /// What is compared, in words.
    pub fn measure(&self) -> &'static str {
        if self.by_margin() { "1/margin" } else { "utilization" }
    }

    /// A label for each curve: the changes of a what-if question where they distinguish the fronts of one task set,
    /// else as in [`Comparison::labels`].
    pub fn curve_labels(&self) -> Vec<String> {
        labels::by_what_if(&self.sides).unwrap_or_else(|| self.labels.clone())
    }

    /// Writes the comparison as one JSON object.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let is_area = self.sides.iter().all(|side| amounts::is_area(&side.head.resources));
        let is_pair = self.sides.len() == 2;
        let fronts: Vec<Document> = self
            .sides
            .iter()
            .zip(&self.labels)
            .map(|(side, label)| self.front(side, label, is_area))
            .collect();
        let span = |span: &Span| {
            Document::default()
                .add("from", format_decimal(&span.from))
                .add("to", span.to.as_ref().map(format_decimal))
                .add("least", &span.least)
                .add("absent", &span.absent)
                .add("most", ratio(&span.most))
                .add("most_at", format_decimal(&span.most_at))
                .some("better", is_pair.then(|| span.better()))
        };
        let pair = |(of, by): (usize, usize)| {
            let Against { equal, dominated, unmatched, most } = &self.against[of][by];
            json!({
                "of": of, "by": by,
                "equal": equal.len(), "dominated": dominated.len(), "unmatched": unmatched.len(),
                "equal_points": equal, "dominated_points": dominated, "unmatched_points": unmatched,
                "most": most.as_ref().map(|(index, least)| json!({"point": index, "least": ratio(least)})),
            })
        };
        let alone = |at: usize| fronts.get(at).filter(|_| is_pair && is_area);
        Document::default()
            .add("schema", if is_area { SCHEMA } else { SCHEMA_OF_RESOURCES })
            .some("area_unit", is_area.then(|| self.unit()))
            .some("objectives", self.sides.first().filter(|_| !is_area).map(Side::objectives))
            .some("front", self.by_margin().then_some("margin"))
            .some("first", alone(0))
            .some("second", alone(1))
            .add("fronts", &fronts)
            .add("spans", self.spans.iter().map(span).collect::<Vec<_>>())
            .add("known_to", self.known_to.as_ref().map(format_decimal))
            .some("pairs", (!self.against.is_empty()).then(|| self.pairs().map(pair).collect::<Vec<_>>()))
            .write(out)
    }

    /// One of the fronts, by area or by several resources.
    fn front(&self, side: &Side, label: &str, is_area: bool) -> Document {
        let Head { taskset, what_if, resources, minimal, complete, .. } = &side.head;
        let variants: Option<Vec<&str>> = minimal.iter().map(|design| side.head.variant(design)).collect();
        let variants = variants.filter(|variants| !variants.is_empty());
        let document = Document::default()
            .add("name", &side.name)
            .add("label", label)
            .add("taskset", taskset)
            .add("what_if", what_if)
            .add("points", side.points.len())
            .add("complete", complete);
        let minimal = minimal.iter().map(|design| amounts::object(resources, &design.exact_cost()));
        let document = match is_area {
            true => document
                .add("min_schedulable_area", side.smallest().as_ref().map(format_decimal))
                .some("min_schedulable_variant", variants.map(|variants| variants[0])),
            false => document
                .add("limits", amounts::limits(resources))
                .add("min_schedulable", minimal.collect::<Vec<_>>())
                .some("min_schedulable_variants", variants),
        };
        match self.by_margin() {
            true => document.add("largest_margin", side.least().map(|least| ratio(&least.recip()))),
            false => document.add("least_utilization", side.least().map(ratio)),
        }
    }
}

/// Merges the steps of all fronts, and joins neighboring spans with the same result.
fn spans(sides: &[Side], known_to: Option<&Rational>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut at = vec![0; sides.len()];
    loop {
        let next = sides.iter().zip(&at).filter_map(|(side, &at)| side.steps.get(at));
        let Some(area) = next.map(|(area, _)| area).min().cloned() else { break };
        if known_to.is_some_and(|known_to| area >= *known_to) {
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
        let head = Head { taskset: "set".into(), complete, ..Head::default() };
        let points = steps.iter().map(|&(area, utilization)| (vec![whole(area)], whole(utilization)));
        Side::new("side".into(), head, points.collect())
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
            let is_cut = sampler.uniform(0, 1) == 1;
            let sides = fronts.iter().enumerate().map(|(at, steps)| side(steps, at > 0 || !is_cut)).collect();
            let compared = Comparison::new(sides).unwrap();
            // Beyond a budget nothing is said.
            let known_to = fronts[0].last().map(|step| step.0).filter(|_| is_cut);
            assert_eq!(compared.known_to, known_to.map(whole));
            let mut most: Vec<(u64, u64)> = vec![(0, u64::MAX); compared.spans.len()];
            for area in 0..known_to.unwrap_or(40) {
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
                let at = compared.spans.iter().position(|span| holds(&span));
                let found = at.map(|at| &compared.spans[at]);
                assert_eq!(found.map(|span| (span.least.clone(), span.absent.clone())), wanted);
                if let ([one, other], Some(span)) = (&offered[..], found) {
                    let better = match (one, other) {
                        (Some(_), None) => "only_first",
                        (None, Some(_)) => "only_second",
                        _ if one < other => "first",
                        _ if one > other => "second",
                        _ => "equal",
                    };
                    assert_eq!(span.better(), better);
                }
                let mut rising: Vec<u64> = offered.into_iter().flatten().collect();
                rising.sort_unstable();
                rising.dedup();
                let gain = if let [least, next, ..] = rising[..] { next - least } else { 0 };
                if let Some(most) =
                    at.map(|at| &mut most[at]).filter(|most| most.1 == u64::MAX || gain > most.0)
                {
                    *most = (gain, area);
                }
            }
            let gains: Vec<_> =
                compared.spans.iter().map(|span| (span.most.clone(), span.most_at.clone())).collect();
            assert_eq!(
                gains,
                most.into_iter().map(|(gain, at)| (whole(gain), whole(at))).collect::<Vec<_>>()
            );
        }
    }
}
