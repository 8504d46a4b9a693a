//! The answer over several claims about the same classes: of the points of all, those that the goal asks for.
//!
//! As [`mckp::envelope`](crate::mckp::envelope) for one weight: each claim holds the points of its own scenario, and an
//! offset per claim makes the values comparable. Of points with equal costs in the objectives and equal values, the
//! one whose other costs come first is kept, and of those the one with the canonical selection.

use super::{Goal, undominated};
use crate::mckp::{Claim, Source, Ties, comes_before, joined_points};
use crate::value::{Value, Values};
use isx_exact::order;
use num_bigint::BigInt;
use num_traits::One;
use std::cmp::Ordering;

/// The points of `claims` (at least one), each with the offset of its values, that `goal` asks for; the first
/// `objectives` resources are the objectives. The result is complete if all claims are.
pub fn envelope(claims: Vec<(Claim, BigInt)>, objectives: usize, goal: &Goal) -> Claim {
    envelope_with(claims, objectives, goal, Ties::Canonical).0
}

/// As [`envelope`], with the choice of `ties`, and the source of every point.
pub fn envelope_with(
    claims: Vec<(Claim, BigInt)>,
    objectives: usize,
    goal: &Goal,
    ties: Ties,
) -> (Claim, Vec<Source>) {
    let values = claims.iter().map(|(claim, added)| claim.values.scaled(added, &BigInt::one()));
    let values: Vec<Values> = values.collect();
    let claims: Vec<Claim> = claims.into_iter().map(|(claim, _)| claim).collect();
    if values.iter().any(|values| matches!(values, Values::Big(_))) {
        joined::<BigInt>(&claims, &values, objectives, goal, ties)
    } else {
        joined::<i128>(&claims, &values, objectives, goal, ties)
    }
}

/// A point with the rank of its value among all.
#[derive(Clone, Copy)]
struct Ranked {
    source: Source,
    rank: usize,
}

/// The envelope, in integers that hold all values.
fn joined<V: Value>(
    claims: &[Claim],
    values: &[Values],
    objectives: usize,
    goal: &Goal,
    ties: Ties,
) -> (Claim, Vec<Source>) {
    let mut points: Vec<(V, Source)> = Vec::with_capacity(claims.iter().map(Claim::len).sum());
    for (claim, values) in (0u32..).zip(values) {
        let of_claim = (0..values.len()).map(|point| Some((V::at(values, point)?, Source { claim, point })));
        points.extend(of_claim.flatten());
    }
    points.sort_by(|a, b| a.0.cmp(&b.0));
    let mut rank = 0;
    let ranked = points.iter().enumerate().map(|(at, (value, source))| {
        rank += usize::from(at > 0 && points[at - 1].0 < *value);
        Ranked { source: *source, rank }
    });
    let ranked = asked_for(claims, ranked.collect(), objectives, goal, ties);
    let kept =
        ranked.iter().filter_map(|point| V::at(&values[point.source.claim as usize], point.source.point));
    let kept = V::store(kept.collect()).scaled(&BigInt::ZERO, &BigInt::one());
    let sources: Vec<Source> = ranked.iter().map(|point| point.source).collect();
    let column = |resource: usize| sources.iter().map(|&source| cost(claims, source, resource)).collect();
    let resources = 1 + claims.first().map_or(0, |claim| claim.further.len());
    let complete = claims.iter().all(|claim| claim.complete);
    let joined = Claim::new(column(0), kept, claims.first().map_or(0, |claim| claim.classes), complete);
    let joined = joined.with_further((1..resources).map(column).collect());
    (joined_points(joined, claims, &sources), sources)
}

fn cost(claims: &[Claim], source: Source, resource: usize) -> u64 {
    let claim = &claims[source.claim as usize];
    let column = if resource == 0 { &claim.weights } else { &claim.further[resource - 1] };
    column[source.point]
}

/// The points that the goal asks for, in lexicographic order of their objectives.
fn asked_for(
    claims: &[Claim],
    mut points: Vec<Ranked>,
    objectives: usize,
    goal: &Goal,
    ties: Ties,
) -> Vec<Ranked> {
    let resources = 1 + claims.first().map_or(0, |claim| claim.further.len());
    let by_costs = |a: &Ranked, b: &Ranked, from: usize, to: usize| {
        let pairs = (from..to).map(|at| cost(claims, a.source, at).cmp(&cost(claims, b.source, at)));
        pairs.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let canonical = |a: &Ranked, b: &Ranked| {
        if ties == Ties::FirstClaim {
            a.source.claim.cmp(&b.source.claim)
        } else if comes_before(claims, a.source, b.source) {
            Ordering::Less
        } else if comes_before(claims, b.source, a.source) {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    };
    if *goal == Goal::Greatest {
        let order = |a: &Ranked, b: &Ranked| {
            b.rank.cmp(&a.rank).then_with(|| by_costs(a, b, 0, resources)).then_with(|| canonical(a, b))
        };
        return points.into_iter().min_by(order).into_iter().collect();
    }
    order::sort_by(&mut points, |a, b| {
        by_costs(a, b, 0, objectives)
            .then_with(|| b.rank.cmp(&a.rank))
            .then_with(|| by_costs(a, b, objectives, resources))
            .then_with(|| canonical(a, b))
    });
    points.dedup_by(|later, first| by_costs(later, first, 0, objectives).is_eq());
    let columns: Vec<Vec<u64>> = (0..objectives)
        .map(|at| points.iter().map(|point| cost(claims, point.source, at)).collect())
        .collect();
    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let ranks = match goal {
        // The least costs at which a selection has enough value: how much more does not matter.
        Goal::AtLeast(_) => vec![0; points.len()],
        Goal::Front | Goal::Greatest => points.iter().map(|point| point.rank).collect(),
    };
    let mut keep = undominated(&columns, &ranks).into_iter();
    points.retain(|_| keep.next() == Some(true));
    points
}
