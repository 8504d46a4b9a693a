//! Prices of the resources, for bounds on what sums can still reach.
//!
//! The bound of `bound` is a convex function of the prices; steps along its subgradients in floating point find prices
//! that make it small. Whatever they are once they are rounded, the bound holds.

use super::Run;
use super::bound::{Bound, Cut};
use crate::number::Number;
use isx_problems::resources::Item;
use num_traits::ToPrimitive;

/// Prices are in parts of a unit of value, this many.
const SCALE: i128 = 1 << 20;
/// Steps along subgradients, each shorter than the one before by this factor.
const STEPS: usize = 500;
const SHORTER: f64 = 0.98;

/// Prices of a unit of every resource.
pub(super) struct Prices {
    of: Vec<i128>,
}

impl Prices {
    /// Resources without a price.
    pub fn free(run: &Run<'_>) -> Self {
        Self { of: vec![0; run.problem.limits.len()] }
    }

    /// Prices at which the bound on all selections within the limits is small.
    pub fn of_limits(run: &Run<'_>) -> Self {
        let shape = run.setting.shape;
        let mut limits = vec![0.0; shape.resources];
        limits[shape.first] = shape.limit as f64;
        shape.axes.iter().for_each(|axis| limits[axis.resource] = axis.limit as f64);
        let fits = |item: &&Item| shape.fits(&item.cost);
        let classes = run.problem.classes.iter().map(|items| {
            let part = |item: &Item| -> (f64, Vec<f64>) {
                let parts = item.cost.iter().zip(&limits);
                // A resource of limit 0 costs nothing.
                let parts = parts.map(|(&cost, &limit)| if limit > 0.0 { cost as f64 / limit } else { 0.0 });
                (item.value.to_f64().unwrap_or(0.0), parts.collect())
            };
            items.iter().filter(fits).map(part).collect()
        });
        let all = cheapest(&classes.collect::<Vec<_>>(), &limits);
        let price = |(all, limit): (&f64, &f64)| {
            if *limit > 0.0 { (all / limit * SCALE as f64) as i128 } else { 0 }
        };
        Self { of: all.iter().zip(&limits).map(price).collect() }
    }

    /// What a sum is worth if it pays these prices.
    pub fn worth(&self, costs: &[u64], value: i128) -> i128 {
        let paid = self.of.iter().zip(costs).map(|(price, &cost)| price * i128::from(cost)).sum::<i128>();
        SCALE * value - paid
    }

    /// The bound after every step: what cannot reach `least` is excluded.
    pub fn cuts<V: Number>(&self, run: &Run<'_>, least: i128) -> Vec<Cut> {
        let shape = run.setting.shape;
        let mut room = self.of[shape.first] * i128::from(shape.limit);
        room += shape.axes.iter().map(|axis| self.of[axis.resource] * i128::from(axis.limit)).sum::<i128>();
        let mut prices = self.of.clone();
        shape.ties.iter().for_each(|&resource| prices[resource] = 0);
        let mut later = 0;
        let mut cuts: Vec<Cut> = Vec::with_capacity(run.schedule.steps.len());
        for step in run.schedule.steps.iter().rev() {
            cuts.push(Cut { scale: SCALE, prices: prices.clone(), least: SCALE * least - later - room });
            let items = run.problem.classes[step.class].iter().filter(|item| shape.fits(&item.cost));
            let worth = items.filter_map(|item| {
                let paid = prices.iter().zip(&item.cost).map(|(price, &cost)| price * i128::from(cost));
                Some(SCALE * V::from_big(&item.value)?.wide() - paid.sum::<i128>())
            });
            later += worth.max().unwrap_or(0);
        }
        cuts.reverse();
        cuts
    }
}

/// The bounds of several prices, step by step.
pub(super) fn bounds(cuts: Vec<Vec<Cut>>, steps: usize) -> Vec<Bound> {
    let at = |step: usize| Bound { cuts: cuts.iter().map(|cuts| cuts[step].clone()).collect() };
    (0..steps).map(at).collect()
}

/// What all of each resource should cost: the steps along subgradients.
fn cheapest(classes: &[Vec<(f64, Vec<f64>)>], limits: &[f64]) -> Vec<f64> {
    let mut all = vec![0.0; limits.len()];
    let most: f64 = classes.iter().map(|items| items.iter().map(|item| item.0).fold(0.0, f64::max)).sum();
    let (mut best, mut least, mut length) = (all.clone(), f64::INFINITY, most / 2.0);
    for _ in 0..STEPS {
        let mut bound: f64 = all.iter().sum();
        let mut slope: Vec<f64> = limits.iter().map(|&limit| if limit > 0.0 { 1.0 } else { 0.0 }).collect();
        for items in classes {
            let worth = |(value, parts): &(f64, Vec<f64>)| {
                value - parts.iter().zip(&all).map(|(part, all)| part * all).sum::<f64>()
            };
            let Some(taken) = items.iter().max_by(|a, b| worth(a).total_cmp(&worth(b))) else { continue };
            bound += worth(taken);
            slope.iter_mut().zip(&taken.1).for_each(|(slope, part)| *slope -= part);
        }
        if bound < least {
            (least, best) = (bound, all.clone());
        }
        // Prices are never negative.
        for (slope, &all) in slope.iter_mut().zip(&all) {
            if *slope > 0.0 && all == 0.0 {
                *slope = 0.0;
            }
        }
        let norm = slope.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
        if norm == 0.0 {
            break;
        }
        all.iter_mut().zip(&slope).for_each(|(all, slope)| *all = (*all - slope / norm * length).max(0.0));
        length *= SHORTER;
    }
    best
}
