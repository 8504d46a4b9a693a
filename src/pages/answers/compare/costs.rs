//! Compares fronts of several resources: which designs of one another front has too, which it *dominates* (no more of any
//! objective and no more utilization, one of them less), and which it has no match for.
//!
//! A design of a front is none of the other's and not dominated by it exactly if the front of both together has it.

use super::{CannotCompare, MOST_FRONTS, Options, Side, labels};
use crate::answers::words::{ratio, utilization};
use isx_exact::quantity::Rational;
use isx_problems::resources::undominated;
use isx_report::front::costs;
use isx_report::text::{count, visible, wrapped};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The schema's name for fronts of several resources.
pub const SCHEMA: &str = "isx.comparison/2";

/// The designs of a front, against those of another; designs are named by their indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Against {
    /// Those that the other has too: equal in every objective and in utilization.
    pub equal: Vec<usize>,
    /// Those that the other dominates.
    pub dominated: Vec<usize>,
    /// Those that it has no match for.
    pub unmatched: Vec<usize>,
}

/// Fronts of several resources compared.
#[derive(Clone, Debug, PartialEq)]
pub struct CostComparison {
    /// The fronts, at least two.
    pub sides: Vec<Side>,
    /// A short name for each of them, all different.
    pub labels: Vec<String>,
    /// For each front and each of the fronts, the designs of the first against those of the second; equal to itself.
    pub against: Vec<Vec<Against>>,
}

impl CostComparison {
    /// Compares fronts.
    /// Fails with [`CannotCompare`].
    pub fn new(sides: Vec<Side>) -> Result<Self, CannotCompare> {
        let (2..=MOST_FRONTS, Some(first)) = (sides.len(), sides.first()) else {
            return Err(CannotCompare::Number(sides.len()));
        };
        let names = objectives(first);
        let named = |side: &Side| (visible(&side.name), in_words(side));
        let sorted = |names: &[&str]| {
            let mut names = names.to_vec();
            names.sort_unstable();
            names.join(",")
        };
        if let Some(other) = sides.iter().find(|side| sorted(&objectives(side)) != sorted(&names)) {
            return Err(CannotCompare::Resources { first: named(first), second: named(other) });
        }
        let ranked = Ranked::new(&sides, &names);
        if let Some(side) = (0..sides.len()).find(|&side| !ranked.against(side, side).dominated.is_empty()) {
            return Err(CannotCompare::Dominated(visible(&sides[side].name)));
        }
        let each = 0..sides.len();
        let against = each.clone().map(|of| each.clone().map(|by| ranked.against(of, by)).collect());
        Ok(Self { labels: labels::by_file(&sides), against: against.collect(), sides })
    }

    /// Writes the comparison as one JSON object.
    /// Fails when `out` fails.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let front = |(side, label): (&Side, &String)| {
            let cost =
                |cost: &[Rational]| side.head.resources.as_ref().map(|names| costs::object(names, cost));
            let minimal = side.head.minimal.iter().map(|design| cost(&design.cost));
            let variants = side.head.minimal.iter().map(|design| design.variant.as_deref());
            let variants: Option<Vec<&str>> = variants.collect();
            let mut front = json!({
                "name": side.name,
                "label": label,
                "taskset": side.head.taskset,
                "what_if": side.head.what_if,
                "points": side.head.points,
                "limits": side.head.resources.as_ref().map(costs::limits),
                "min_schedulable": minimal.collect::<Vec<_>>(),
                "least_utilization": side.least().map(ratio),
                "complete": side.head.complete,
            });
            if let Some(variants) = variants.filter(|variants| !variants.is_empty()) {
                front["min_schedulable_variants"] = variants.into();
            }
            front
        };
        let pair = |of: usize, by: usize| {
            let Against { equal, dominated, unmatched } = &self.against[of][by];
            json!({
                "of": of, "by": by,
                "equal": equal.len(), "dominated": dominated.len(), "unmatched": unmatched.len(),
                "equal_points": equal, "dominated_points": dominated, "unmatched_points": unmatched,
            })
        };
        let document = json!({
            "schema": SCHEMA,
            "objectives": self.sides.first().map(objectives),
            "fronts": self.sides.iter().zip(&self.labels).map(front).collect::<Vec<Value>>(),
            "pairs": self.pairs().map(|(of, by)| pair(of, by)).collect::<Vec<Value>>(),
        });
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    }

    /// Prints how many designs of each front the others have, dominate, or have no match for, and which they are.
    /// Fails when `out` fails.
    pub fn write_text(&self, options: &Options, out: &mut dyn Write) -> io::Result<()> {
        let mut line = |label: &str, text: &str| writeln!(out, "{}", wrapped(label, text, options.width()));
        for (side, label) in self.sides.iter().zip(&self.labels) {
            line(&format!("{label}: "), &side.summary(&minimal(side)))?;
        }
        line("", "")?;
        let mut lists = Vec::new();
        for (of, by) in self.pairs() {
            let (one, other) = (&self.labels[of], &self.labels[by]);
            let Against { equal, dominated, unmatched } = &self.against[of][by];
            let [equal, beaten, only] = [equal, dominated, unmatched].map(|list| count(list.len()));
            let words =
                format!("{equal} equal, {beaten} dominated by {other}, {only} that {other} has no match for");
            line(&format!("Of {one}: "), &words)?;
            lists.push((of, format!("Of {one}, dominated by {other}:"), dominated));
            lists.push((of, format!("Of {one}, and {other} has no match:"), unmatched));
        }
        lists.retain(|(_, _, list)| !list.is_empty());
        let most = options.max_rows / lists.len().max(1);
        for (of, title, list) in lists {
            line("", "")?;
            line("", &title)?;
            let side = &self.sides[of];
            for &index in list.iter().take(most) {
                let (cost, used) = &side.costs[index];
                line("  ", &format!("{}, utilization {}", in_all(side, cost), utilization(used)))?;
            }
            if let Some(more) = list.len().checked_sub(most).filter(|&more| more > 0) {
                line("  ", &format!("… {} more (see --all)", count(more)))?;
            }
        }
        line("", "")?;
        line("", &self.conclusion())
    }

    /// Which front is better overall, in one line.
    pub fn conclusion(&self) -> String {
        let is_best = |front: &usize| self.against.iter().all(|of| of[*front].unmatched.is_empty());
        let best: Vec<usize> = (0..self.sides.len()).filter(is_best).collect();
        let none = match self.sides.len() {
            2 => "Each has designs that the other has no match for.",
            _ => "None has a match for every design of the others.",
        };
        let least = self.sides.iter().zip(&self.labels);
        let least = least.filter_map(|(side, label)| Some(format!("{label} {}", utilization(side.least()?))));
        let least = least.collect::<Vec<_>>().join(", ");
        format!("{} Least utilization: {least}.", labels::best_of(&best, &self.labels, none))
    }

    /// Every front with every other one.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = self.sides.len();
        (0..count).flat_map(move |of| (0..count).filter(move |&by| by != of).map(move |by| (of, by)))
    }
}

/// The names of the objectives; none of a front of one area.
fn objectives(side: &Side) -> Vec<&str> {
    let Some(resources) = &side.head.resources else { return Vec::new() };
    resources.objectives.iter().map(|&at| resources.names[at].as_str()).collect()
}

/// The objectives, or the one area.
fn in_words(side: &Side) -> String {
    match objectives(side).as_slice() {
        [] => "one area".to_owned(),
        names => visible(&names.join(", ")),
    }
}

fn in_all(side: &Side, cost: &[Rational]) -> String {
    side.head.resources.as_ref().map_or_else(String::new, |resources| costs::in_words(cost, resources))
}

/// The minimal schedulable costs, some of them.
fn minimal(side: &Side) -> String {
    const MOST: usize = 3;
    let costs: Vec<String> =
        side.head.minimal.iter().take(MOST).map(|design| in_all(side, &design.cost)).collect();
    match (costs.join(" or "), side.head.minimal.len().saturating_sub(MOST)) {
        (words, _) if words.is_empty() => "no schedulable design known".to_owned(),
        (words, 0) => format!("minimal schedulable costs {words}"),
        (words, more) => format!("minimal schedulable costs {words} or {more} more"),
    }
}

/// The points of all fronts, each figure by its rank among those of all: integers in the same order.
struct Ranked {
    /// For each front, a row per point: its costs in the objectives, then its utilization.
    sides: Vec<Vec<Vec<u64>>>,
}

impl Ranked {
    fn new(sides: &[Side], objectives: &[&str]) -> Self {
        let mut rows: Vec<Vec<Vec<u64>>> =
            sides.iter().map(|side| vec![Vec::new(); side.costs.len()]).collect();
        for name in objectives.iter().copied().map(Some).chain([None]) {
            let column = |side: &Side| -> Vec<Rational> {
                let at = name.and_then(|name| side.head.resources.as_ref()?.position(name));
                let figure = |(cost, utilization): &(Vec<Rational>, Rational)| {
                    at.map_or(utilization, |at| &cost[at]).clone()
                };
                side.costs.iter().map(figure).collect()
            };
            let columns: Vec<Vec<Rational>> = sides.iter().map(column).collect();
            let mut all: Vec<&Rational> = columns.iter().flatten().collect();
            all.sort_unstable();
            all.dedup();
            for (rows, column) in rows.iter_mut().zip(&columns) {
                for (row, figure) in rows.iter_mut().zip(column) {
                    row.push(all.partition_point(|other| *other < figure) as u64);
                }
            }
        }
        Self { sides: rows }
    }

    /// The points of one front against those of another, or against its own: then a point is dominated by another.
    fn against(&self, of: usize, by: usize) -> Against {
        let (of_rows, by_rows) = (&self.sides[of], if of == by { &[][..] } else { &self.sides[by][..] });
        // Of equal points, that of the other front comes first.
        let mut rows: Vec<(&Vec<u64>, Option<usize>)> = by_rows.iter().map(|row| (row, None)).collect();
        rows.extend(of_rows.iter().enumerate().map(|(index, row)| (row, Some(index))));
        rows.sort();
        let objectives = rows.first().map_or(0, |(row, _)| row.len() - 1);
        let column = |at: usize| -> Vec<u64> { rows.iter().map(|(row, _)| row[at]).collect() };
        let columns: Vec<Vec<u64>> = (0..objectives).map(column).collect();
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let greatest = rows.iter().map(|(row, _)| row[objectives]).max().unwrap_or(0);
        let values: Vec<usize> = rows.iter().map(|(row, _)| (greatest - row[objectives]) as usize).collect();
        let mut against = Against::default();
        for (at, is_kept) in undominated(&columns, &values).into_iter().enumerate() {
            let (row, Some(index)) = rows[at] else { continue };
            let is_equal = at.checked_sub(1).is_some_and(|before| rows[before].0 == row);
            let list = match (is_kept, is_equal) {
                (true, _) => &mut against.unmatched,
                (false, true) => &mut against.equal,
                (false, false) => &mut against.dominated,
            };
            list.push(index);
        }
        if of == by {
            std::mem::swap(&mut against.equal, &mut against.unmatched);
        }
        for list in [&mut against.equal, &mut against.dominated, &mut against.unmatched] {
            list.sort_unstable();
        }
        against
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::sampling::Sampler;
    use isx_report::front::read_json::Head;
    use isx_taskset::Resources;

    fn whole(number: u64) -> Rational {
        Rational::from(num_bigint::BigInt::from(number))
    }

    fn side(points: &[[u64; 3]]) -> Side {
        let resources = Some(Resources::new(["LUT", "DSP"]));
        let head = Head { resources, complete: true, points: points.len(), ..Head::default() };
        let costs =
            points.iter().map(|&[lut, dsp, used]| (vec![whole(lut), whole(dsp)], whole(used))).collect();
        Side { name: "side".into(), head, steps: Vec::new(), costs }
    }

    #[test]
    fn what_is_said_of_a_design_is_what_a_comparison_of_all_pairs_says() {
        let mut sampler = Sampler::new(5);
        let mut seen = [0; 3];
        for _ in 0..500 {
            let mut front = || {
                let range = sampler.uniform(2, 9);
                let points: Vec<[u64; 3]> = (0..sampler.uniform(1, 40))
                    .map(|_| [(); 3].map(|()| sampler.uniform(0, range)))
                    .collect();
                let no_more = |a: &[u64; 3], b: &[u64; 3]| a.iter().zip(b).all(|(a, b)| a <= b);
                let is_best =
                    |one: &&[u64; 3]| !points.iter().any(|other| other != *one && no_more(other, one));
                let mut front: Vec<[u64; 3]> = points.iter().filter(is_best).copied().collect();
                front.sort_unstable();
                front.dedup();
                front
            };
            let fronts = [front(), front()];
            let compared = CostComparison::new(fronts.iter().map(|front| side(front)).collect()).unwrap();
            for (of, by) in [(0, 1), (1, 0)] {
                let mut wanted = Against::default();
                for (index, point) in fronts[of].iter().enumerate() {
                    let covers = |other: &&[u64; 3]| other.iter().zip(point).all(|(a, b)| a <= b);
                    let list = match fronts[by].iter().find(covers) {
                        Some(other) if other == point => &mut wanted.equal,
                        Some(_) => &mut wanted.dominated,
                        None => &mut wanted.unmatched,
                    };
                    list.push(index);
                }
                assert_eq!(compared.against[of][by], wanted, "{fronts:?}");
                for (seen, list) in seen.iter_mut().zip([wanted.equal, wanted.dominated, wanted.unmatched]) {
                    *seen += list.len();
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
    }

    #[test]
    fn fronts_that_cannot_be_compared_are_refused() {
        let words = |sides: Vec<Side>| CostComparison::new(sides).unwrap_err().to_string();
        let named = |name: &str, side: Side| Side { name: name.into(), ..side };
        let (two, mut other) = (named("a.json", side(&[[0, 0, 1]])), named("b.json", side(&[[0, 0, 1]])));
        other.head.resources = Some(Resources::new(["LUT", "FF"]));
        assert_eq!(
            words(vec![two.clone(), other.clone()]),
            "the designs of `a.json` are compared by LUT, DSP, those of `b.json` by LUT, FF: explore both with the same \
             --objectives"
        );
        other.head.resources = None;
        assert_eq!(
            words(vec![two.clone(), other]),
            "the designs of `a.json` are compared by LUT, DSP, those of `b.json` by one area: explore both with the same \
             --objectives"
        );
        assert_eq!(
            words(vec![two.clone(), named("c.json", side(&[[0, 0, 1], [0, 1, 1]]))]),
            "`c.json` is no front: one of its designs dominates another"
        );
        assert_eq!(words(vec![two]), "two to 6 fronts are compared, not 1");
    }
}
