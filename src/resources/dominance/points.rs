//! The points that a goal asks for, among sums that are complete.

use super::guard::Guard;
use crate::number::{Number, most_value};
use crate::shape::{Axis, Shape};
use isx_problems::resources::{Goal, Problem};
use isx_problems::value::Value;
use num_bigint::BigInt;

/// Complete sums: the costs of each in every resource, its value and its packed items.
pub(crate) struct Sums<V> {
    pub resources: usize,
    /// The costs, those of a sum together.
    pub costs: Vec<u64>,
    pub values: Vec<V>,
    /// Words of the packed items of a sum.
    pub words: usize,
    pub picks: Vec<u64>,
}

impl<V: Number> Sums<V> {
    fn costs(&self, at: usize) -> &[u64] {
        &self.costs[at * self.resources..][..self.resources]
    }

    fn picks(&self, at: usize) -> &[u64] {
        &self.picks[at * self.words..][..self.words]
    }

    /// The points, in order.
    pub fn asked_for(self, problem: &Problem) -> Self {
        let kept = self.places(problem);
        if kept.len() == self.values.len() && kept.is_sorted() {
            return self;
        }
        Self {
            costs: kept.iter().flat_map(|&at| self.costs(at)).copied().collect(),
            values: kept.iter().map(|&at| self.values[at]).collect(),
            picks: kept.iter().flat_map(|&at| self.picks(at)).copied().collect(),
            ..self
        }
    }

    /// The places of the points, in order.
    fn places(&self, problem: &Problem) -> Vec<usize> {
        let objectives = problem.objectives;
        let mut places: Vec<usize> = (0..self.values.len()).collect();
        match &problem.goal {
            Goal::AtLeast(least) => match within::<V>(problem, least) {
                Some(least) => places.retain(|&at| self.values[at] >= least),
                None => return Vec::new(),
            },
            Goal::Greatest => {
                let best = places.into_iter().min_by(|&a, &b| {
                    let by_value = self.values[b].cmp(&self.values[a]);
                    by_value
                        .then_with(|| self.costs(a).cmp(self.costs(b)))
                        .then_with(|| self.picks(a).cmp(self.picks(b)))
                });
                return best.into_iter().collect();
            }
            Goal::Front => {}
        }
        let order = |&a: &usize, &b: &usize| {
            let (x, y) = (self.costs(a), self.costs(b));
            x[..objectives]
                .cmp(&y[..objectives])
                .then_with(|| self.values[b].cmp(&self.values[a]))
                .then_with(|| x.cmp(y))
                .then_with(|| self.picks(a).cmp(self.picks(b)))
        };
        if !places.is_sorted_by(|a, b| order(a, b).is_le()) {
            places.sort_unstable_by(order);
        }
        places.dedup_by(|later, first| self.costs(*later)[..objectives] == self.costs(*first)[..objectives]);
        // Every sum is undominated if all resources count.
        if problem.goal == Goal::Front && objectives == self.resources {
            return places;
        }
        let mut guard: Guard<V> = Guard::new(&self.shape(problem));
        places.retain(|&at| {
            let value = if problem.goal == Goal::Front { self.values[at] } else { V::zero() };
            let key = if objectives == 1 { &[0] } else { &self.costs(at)[1..objectives] };
            let beaten = guard.is_beaten(key, value);
            if !beaten {
                guard.add(key, value);
            }
            !beaten
        });
        places
    }

    /// The objectives, without a table.
    fn shape(&self, problem: &Problem) -> Shape {
        let axis = |resource| Axis { resource, limit: u64::MAX, stride: 0, span: 0 };
        let axes: Vec<Axis> = (1..problem.objectives).map(axis).collect();
        let cells = axes.is_empty().then_some(1);
        Shape { first: 0, limit: u64::MAX, axes, cells, ties: Vec::new(), resources: self.resources }
    }
}

/// A value asked for in the engine's integers; `None` if no selection has as much.
pub(crate) fn within<V: Value>(problem: &Problem, least: &BigInt) -> Option<V> {
    let most = most_value(problem);
    if *least > most {
        return None;
    }
    V::from_big(least.max(&-most))
}
