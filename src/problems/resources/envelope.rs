//! The envelope of several claims about the same classes: the points of all claims that the goal asks for.
//!
//! Each claim gives the costs and values of its own scenario; an offset per claim makes the values comparable. Of points
//! with equal costs in the objectives and equal values, the one whose other costs come first is kept, and of those the one
//! with the canonical selection, compared from the last class to the first, no item before the first. If each claim holds
//! the canonical point of its own ties, the result holds the canonical points overall.
//!
//! Worked instance: points (weight, value) (0, 5) (4, 7), and (0, 2) (3, 6) (4, 7) (9, 8). The front is (0, 5) (3, 6)
//! (4, 7) (9, 8); the selections of the two points (4, 7) decide which of them is kept.

use super::{Goal, undominated};
use crate::mckp::{Claim, Configurations, NO_ITEM};
use crate::value::{Value, Values};
use isx_exact::order;
use num_bigint::BigInt;
use num_traits::One;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// A point of one of the claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The claim, as an index.
    pub claim: u32,
    /// The index of the point in it.
    pub point: usize,
}

/// Which of several points with equal costs and values is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The one with the canonical selection.
    Canonical,
    /// That of the first claim.
    FirstClaim,
}

/// The points of `claims` (at least one), each with the offset of its values, that `goal` asks for; the first
/// `objectives` resources are the objectives. It reads configurations from the claims, as far as they are known; it is
/// complete if all of them are.
///
/// ```
/// use isx_problems::mckp::Claim;
/// use isx_problems::resources::{Goal, envelope};
/// use isx_problems::value::Values;
/// let claim = |weights: &[u64], values: &[i64]| Claim::new(weights.to_vec(), Values::I64(values.to_vec()), 1, true);
/// let claims = vec![(claim(&[0, 4], &[0, 2]), 5.into()), (claim(&[0, 3, 9], &[2, 6, 8]), 0.into())];
/// let joined = envelope(claims, 1, &Goal::Front);
/// assert_eq!(joined.weights, [0, 3, 4, 9]);
/// assert_eq!(joined.values, Values::I64(vec![5, 6, 7, 8]));
/// ```
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

/// The claim, whose points come from `sources`, with their configurations as far as they are known.
fn joined_points(joined: Claim, claims: &[Claim], sources: &[Source]) -> Claim {
    let known = |source: &Source| claims[source.claim as usize].configured().contains(&source.point);
    let from = sources.iter().rposition(|source| !known(source)).map_or(0, |last| last + 1);
    if from == sources.len() {
        return joined;
    }
    joined.with_configurations(from, Arc::new(Joined::new(claims, &sources[from..])))
}

/// Whether the selection of one point precedes that of another in canonical order; `false` if one is unknown.
fn comes_before(claims: &[Claim], one: Source, other: Source) -> bool {
    let [one, other] = [one, other].map(|source| claims[source.claim as usize].items(source.point));
    one.zip(other).is_some_and(|(one, other)| one.iter().rev().lt(other.iter().rev()))
}

/// Configurations taken from several claims.
#[derive(Debug)]
struct Joined {
    claims: Vec<Claim>,
    sources: Vec<Source>,
}

impl Joined {
    /// Drops everything from the claims that these points do not need.
    fn new(claims: &[Claim], sources: &[Source]) -> Self {
        let mut kept = Vec::new();
        let mut places = vec![None; claims.len()];
        let place = |&Source { claim, point }: &Source| {
            let claim = *places[claim as usize].get_or_insert_with(|| {
                kept.push(claims[claim as usize].clone());
                kept.len() as u32 - 1
            });
            Source { claim, point }
        };
        let sources = sources.iter().map(place).collect();
        Self { claims: kept, sources }
    }
}

impl Configurations for Joined {
    /// Neighboring points rarely come from the same claim, so they are read one by one.
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let count = configurations.len();
        let mut items = vec![NO_ITEM; columns.len() / count.max(1)];
        for (row, Source { claim, point }) in self.sources[configurations].iter().enumerate() {
            self.claims[*claim as usize].write_columns(*point..point + 1, &mut items);
            for (column, &item) in columns.chunks_exact_mut(count).zip(&items) {
                column[row] = item;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(claims: Vec<(Claim, BigInt)>) -> Claim {
        envelope(claims, 1, &Goal::Front)
    }

    type Configured<'a> = (u64, i64, &'a [Option<u32>]);

    fn claim(points: &[Configured], complete: bool) -> Claim {
        let weights = points.iter().map(|point| point.0).collect();
        let values = Values::I64(points.iter().map(|point| point.1).collect());
        let items: Vec<Vec<Option<u32>>> = points.iter().map(|point| point.2.to_vec()).collect();
        Claim::new(weights, values, 2, complete).with_configurations(0, Arc::new(items))
    }

    #[test]
    fn of_a_tie_the_canonical_selection_is_kept_whichever_claim_comes_first() {
        let first = claim(&[(0, 5, &[None, None]), (4, 7, &[Some(0), Some(1)])], true);
        let points: [Configured; 4] = [
            (0, 2, &[Some(7), None]),
            (3, 6, &[None, Some(3)]),
            (4, 7, &[Some(9), Some(0)]),
            (9, 8, &[Some(1), Some(1)]),
        ];
        let second = claim(&points, true);
        for claims in [[&first, &second], [&second, &first]] {
            let joined = front(claims.map(|claim| (claim.clone(), BigInt::ZERO)).to_vec());
            assert_eq!(joined.weights, [0, 3, 4, 9]);
            assert_eq!(joined.values, Values::I64(vec![5, 6, 7, 8]));
            let items: Vec<_> = (0..4).map(|point| joined.items(point).unwrap()).collect();
            assert_eq!(items, [[None, None], [None, Some(3)], [Some(9), Some(0)], [Some(1), Some(1)]]);
            assert!(joined.complete);
        }
    }

    #[test]
    fn what_is_known_of_the_last_points_stays_known() {
        let whole = claim(&[(0, 5, &[None, None])], true);
        let last = Claim::new(vec![1, 2], Values::I32(vec![6, 7]), 2, false)
            .with_configurations(1, Arc::new(vec![vec![Some(4), None]]));
        let joined = front(vec![(whole.clone(), 0.into()), (last, 0.into())]);
        assert_eq!((joined.len(), joined.configured(), joined.complete), (3, 2..3, false));
        assert_eq!(joined.items(2), Some(vec![Some(4), None]));
        let none = Claim::new(vec![1], Values::I32(vec![9]), 2, true);
        assert!(front(vec![(whole, 0.into()), (none, 0.into())]).configured().is_empty());
    }

    #[test]
    fn values_beyond_machine_integers_are_compared() {
        let large: BigInt = BigInt::one() << 140;
        let values = |values: &[BigInt]| Values::Big(values.to_vec());
        let one = Claim::new(vec![0, 5], values(&[large.clone(), &large + 2]), 1, true);
        let other = Claim::new(vec![5, 6], values(&[&large + 1, &large + 3]), 1, true);
        let joined = front(vec![(one, 0.into()), (other, 1.into())]);
        assert_eq!(joined.weights, [0, 5, 6]);
        assert_eq!(joined.value(2), Some(large + 4));
    }
}
