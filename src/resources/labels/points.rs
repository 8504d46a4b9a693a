//! The points that a goal asks for, among labels that are complete, and the items behind them.

use super::layer::{Layer, Trace};
use super::space::Space;
use isx_problems::mckp::{Configurations, NO_ITEM};
use isx_problems::resources::{Cost, Goal, Problem, undominated};
use std::ops::Range;

/// Complete labels: the amounts of each in every resource, those of a label together, and its cost.
pub(super) struct Complete<C> {
    pub resources: usize,
    pub amounts: Vec<u64>,
    pub costs: Vec<C>,
}

impl<C: Cost> Complete<C> {
    pub fn new(space: &Space<'_, C>, layer: &Layer<C>) -> Self {
        let shape = &space.shape;
        let (resources, width, ties) = (shape.resources, shape.width(), shape.ties.len());
        let count = layer.len();
        let mut all =
            Self { resources, amounts: vec![0; count * resources], costs: Vec::with_capacity(count) };
        let mut rows = all.amounts.chunks_exact_mut(resources);
        for view in layer.views() {
            for (at, row) in (0..view.len()).zip(rows.by_ref()) {
                shape.amounts(view.first[at], &view.keys[at * width..][..width], row);
                let own = &view.ties[at * ties..][..ties];
                shape.ties.iter().zip(own).for_each(|(&resource, &amount)| row[resource] = amount);
            }
            all.costs.extend_from_slice(view.costs);
        }
        all
    }

    /// The amounts of a label.
    pub fn row(&self, at: usize) -> &[u64] {
        &self.amounts[at * self.resources..][..self.resources]
    }

    /// Which of the labels are points, in order.
    pub fn points(&self, problem: &Problem) -> Vec<u32> {
        let objectives = problem.objectives;
        let mut places: Vec<u32> = (0..self.costs.len() as u32).collect();
        let (row, cost) = (|at: u32| self.row(at as usize), |at: u32| self.costs[at as usize]);
        if problem.goal == Goal::Greatest {
            let order = |a: &u32, b: &u32| cost(*a).cmp(&cost(*b)).then_with(|| row(*a).cmp(row(*b)));
            return places.into_iter().min_by(order).into_iter().collect();
        }
        let order = |&a: &u32, &b: &u32| {
            let by_objectives = row(a)[..objectives].cmp(&row(b)[..objectives]);
            by_objectives.then_with(|| cost(a).cmp(&cost(b))).then_with(|| row(a).cmp(row(b)))
        };
        if !places.is_sorted_by(|a, b| order(a, b).is_le()) {
            places.sort_by(order);
        }
        places.dedup_by(|later, first| row(*later)[..objectives] == row(*first)[..objectives]);
        // Every label is undominated if all resources count.
        if problem.goal == Goal::Front && objectives == self.resources {
            return places;
        }
        let ranks: Vec<usize> = match problem.goal {
            Goal::Front => {
                let mut all: Vec<C> = places.iter().map(|&at| cost(at)).collect();
                all.sort_unstable();
                places.iter().map(|&at| all.len() - all.partition_point(|other| *other < cost(at))).collect()
            }
            _ => vec![0; places.len()],
        };
        let columns: Vec<Vec<u64>> =
            (0..objectives).map(|resource| places.iter().map(|&at| row(at)[resource]).collect()).collect();
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let mut kept = undominated(&columns, &ranks).into_iter();
        places.retain(|_| kept.next() == Some(true));
        places
    }
}

/// The items of every point, read when they are asked for: from the last class back, each label names the one before.
#[derive(Debug)]
pub(super) struct Walked {
    /// The label of each point in the last layer.
    pub points: Vec<u32>,
    pub traces: Vec<Trace>,
    /// What the answer calls every item.
    pub numbers: Vec<Vec<u32>>,
}

impl Walked {
    pub fn new(problem: &Problem, points: Vec<u32>, traces: Vec<Trace>) -> Self {
        let numbers = problem.classes.iter().map(|items| items.iter().map(|item| item.number).collect());
        Self { points, traces, numbers: numbers.collect() }
    }
}

impl Configurations for Walked {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let mut at = self.points[configurations].to_vec();
        columns.fill(NO_ITEM);
        for trace in self.traces.iter().rev() {
            let column = &mut columns[trace.class * at.len()..][..at.len()];
            let numbers = &self.numbers[trace.class];
            for (label, item) in at.iter_mut().zip(column) {
                *item = numbers[trace.options.get(*label as usize)];
                *label = trace.parents[*label as usize];
            }
        }
    }
}
