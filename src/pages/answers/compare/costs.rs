//! Fronts of several objectives, point by point: which designs of one another front has too, which it *dominates* (no more of
//! any objective and no more utilization, one of them less), and which it has no match for.
//!
//! A design of a front is none of the other's and not dominated by it exactly if the front of both together has it.

use super::Side;
use isx_exact::quantity::Rational;
use isx_problems::resources::undominated;

/// The designs of a front, against those of another; designs are named by their indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Against {
    /// Those that the other has too: equal in every objective and in utilization.
    pub equal: Vec<usize>,
    /// Those that the other dominates.
    pub dominated: Vec<usize>,
    /// Those that it has no match for.
    pub unmatched: Vec<usize>,
    /// Where the other has most more utilization at no more cost: the design, and the least utilization of the other there.
    pub most: Option<(usize, Rational)>,
}

/// The points of all fronts, each figure by its rank among those of all: integers in the same order.
pub(super) struct Ranked {
    /// For each front, a row per point: its costs in the objectives, then its utilization.
    sides: Vec<Vec<Vec<u64>>>,
}

impl Ranked {
    pub fn new(sides: &[Side], objectives: &[&str]) -> Self {
        let mut rows: Vec<Vec<Vec<u64>>> =
            sides.iter().map(|side| vec![Vec::new(); side.points.len()]).collect();
        for name in objectives.iter().copied().map(Some).chain([None]) {
            let column = |side: &Side| -> Vec<Rational> {
                let at = name.and_then(|name| side.head.resources.position(name));
                let figure = |(cost, utilization): &(Vec<Rational>, Rational)| {
                    at.map_or(utilization, |at| &cost[at]).clone()
                };
                side.points.iter().map(figure).collect()
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
    pub fn against(&self, of: usize, by: usize) -> Against {
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

    /// Of the designs that another front has no match for the one whose utilization it exceeds most at no more cost, and its
    /// least utilization there.
    pub fn most(
        &self,
        sides: &[Side],
        of: usize,
        by: usize,
        unmatched: &[usize],
    ) -> Option<(usize, Rational)> {
        let (of_rows, by_rows) = (&self.sides[of], &self.sides[by]);
        let objectives = of_rows.first()?.len() - 1;
        let mut rising: Vec<usize> = (0..by_rows.len()).collect();
        rising.sort_by_key(|&other| by_rows[other][objectives]);
        let within = |index: usize| {
            let fits = |other: &&usize| {
                by_rows[**other][..objectives].iter().zip(&of_rows[index]).all(|(theirs, own)| theirs <= own)
            };
            Some(&sides[by].points[*rising.iter().find(fits)?].1)
        };
        let mut most: Option<(usize, &Rational, Rational)> = None;
        for &index in unmatched {
            let Some(theirs) = within(index) else { continue };
            let gain = theirs - &sides[of].points[index].1;
            if most.as_ref().is_none_or(|(_, _, most)| gain > *most) {
                most = Some((index, theirs, gain));
            }
        }
        most.map(|(index, theirs, _)| (index, theirs.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::compare::Comparison;
    use isx_exact::sampling::Sampler;
    use isx_report::front::Head;
    use isx_taskset::Resources;

    fn whole(number: u64) -> Rational {
        Rational::from(num_bigint::BigInt::from(number))
    }

    fn side(points: &[[u64; 3]]) -> Side {
        let resources = Resources::new(["LUT", "DSP"]);
        let head = Head { resources, complete: true, ..Head::default() };
        let points = points.iter().map(|&[lut, dsp, used]| (vec![whole(lut), whole(dsp)], whole(used)));
        Side::new("side".into(), head, points.collect())
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
            let compared = Comparison::new(fronts.iter().map(|front| side(front)).collect()).unwrap();
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
                // The most that is gained, by looking at every pair.
                let least = |point: &[u64; 3]| {
                    let fits = |other: &&[u64; 3]| other[..2].iter().zip(point).all(|(a, b)| a <= b);
                    fronts[by].iter().filter(fits).map(|other| other[2]).min()
                };
                let gains = wanted.unmatched.iter().filter_map(|&index| {
                    let point = &fronts[of][index];
                    Some((least(point)? - point[2], std::cmp::Reverse(index), least(point)?))
                });
                wanted.most = gains.max().map(|(_, std::cmp::Reverse(index), least)| (index, whole(least)));
                assert_eq!(compared.against[of][by], wanted, "{fronts:?}");
                for (seen, list) in seen.iter_mut().zip([&wanted.equal, &wanted.dominated, &wanted.unmatched])
                {
                    *seen += list.len();
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
    }

    #[test]
    fn a_front_with_a_dominated_design_is_refused() {
        let sides = vec![side(&[[0, 0, 1]]), side(&[[0, 0, 1], [0, 1, 1]])];
        let why = Comparison::new(sides).unwrap_err().to_string();
        assert_eq!(why, "`side` is no front: one of its designs dominates another");
    }
}
