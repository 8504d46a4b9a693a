//! Prices of the resources, for bounds on what sums can still reach.
//!
//! The bound of `cut` is a convex function of the prices; steps along its subgradients in floating point find prices
//! that make it small. Whatever they are once they are rounded, the bound holds.

use super::bound::Bound;
use super::cut::{Cut, SCALE};
use super::run::Run;
use crate::number::Number;
use isx_problems::resources::Item;
use num_traits::ToPrimitive;

/// Steps along subgradients, each shorter than the one before by this factor.
const STEPS: usize = 150;
const SHORTER: f64 = 0.94;

/// What is wanted of a selection, as a weight of its value less a weight of each cost, and prices of the resources.
#[derive(Clone)]
pub(super) struct Prices {
    value: i64,
    weights: Vec<i64>,
    of: Vec<i64>,
}

/// The largest price; any would do.
const MOST_PRICE: i64 = 1 << 60;

impl Prices {
    /// The value, with resources that have no price.
    pub fn free(run: &Run<'_>) -> Self {
        let none = vec![0; run.problem.limits.len()];
        Self { value: SCALE, weights: none.clone(), of: none }
    }

    /// Prices at which the bound on all selections within the limits is small. The weights of value and costs are at
    /// most 1.
    pub fn of_limits(run: &Run<'_>, value: f64, weights: &[f64]) -> Self {
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
                let less: f64 =
                    item.cost.iter().zip(weights).map(|(&cost, weight)| cost as f64 * weight).sum();
                (value * item.value.to_f64().unwrap_or(0.0) - less, parts.collect())
            };
            items.iter().filter(fits).map(part).collect()
        });
        let all = cheapest(&classes.collect::<Vec<_>>(), &limits);
        let scaled = |weight: f64| ((weight * SCALE as f64) as i64).min(MOST_PRICE);
        let price = |(all, limit): (&f64, &f64)| if *limit > 0.0 { scaled(all / limit) } else { 0 };
        Self {
            value: scaled(value),
            weights: weights.iter().map(|&weight| scaled(weight)).collect(),
            of: all.iter().zip(&limits).map(price).collect(),
        }
    }

    /// The same with prices of this many tenths.
    pub fn tenths(&self, tenths: i64) -> Self {
        let part = |price: &i64| (i128::from(*price) * i128::from(tenths) / 10).min(MOST_PRICE.into()) as i64;
        Self { of: self.of.iter().map(part).collect(), ..self.clone() }
    }

    /// What a sum is worth if it pays these prices.
    pub fn worth(&self, costs: &[u64], value: i128) -> i128 {
        let paid = self.of.iter().zip(&self.weights).zip(costs);
        let price =
            |((price, weight), &cost): ((&i64, &i64), &u64)| i128::from(price + weight) * i128::from(cost);
        i128::from(self.value) * value - paid.map(price).sum::<i128>()
    }

    /// The bound after every step: what cannot reach `least` is excluded.
    pub fn cuts<V: Number>(&self, run: &Run<'_>, least: i128) -> Vec<Cut> {
        let shape = run.setting.shape;
        let mut of = self.of.clone();
        shape.ties.iter().for_each(|&resource| of[resource] = 0);
        let paid = |resource: usize, amount: u64| i128::from(of[resource]) * i128::from(amount);
        let mut room = paid(shape.first, shape.limit);
        room += shape.axes.iter().map(|axis| paid(axis.resource, axis.limit)).sum::<i128>();
        let prices: Vec<i64> = of.iter().zip(&self.weights).map(|(price, weight)| price + weight).collect();
        let mut later = 0;
        let mut cuts: Vec<Cut> = Vec::with_capacity(run.schedule.steps.len());
        for step in run.schedule.steps.iter().rev() {
            let least = i128::from(SCALE) * least - later - room;
            let cut = Cut { scale: self.value, prices: prices.clone(), least };
            let items = run.problem.classes[step.class].iter().filter(|item| shape.fits(&item.cost));
            let worth = items.filter_map(|item| {
                let paid: i128 =
                    item.cost.iter().enumerate().map(|(resource, &cost)| cut.price(resource, cost)).sum();
                Some(cut.gain(V::from_big(&item.value)?.wide()) - paid)
            });
            later += worth.max().unwrap_or(0);
            cuts.push(cut);
        }
        cuts.reverse();
        cuts
    }
}

/// How much the value and every objective differ in all.
pub(super) struct Wants {
    value: f64,
    costs: Vec<f64>,
}

impl Wants {
    pub fn new(run: &Run<'_>) -> Self {
        let most = |of: &dyn Fn(&Item) -> f64| -> f64 {
            let spread = |items: &Vec<Item>| {
                let all = || items.iter().map(of);
                (all().fold(0.0, f64::max) - all().fold(f64::INFINITY, f64::min)).max(0.0)
            };
            run.problem.classes.iter().map(spread).sum::<f64>().max(1.0)
        };
        let costs = (0..run.problem.objectives).map(|resource| most(&|item| item.cost[resource] as f64));
        Self { value: most(&|item| item.value.to_f64().unwrap_or(0.0)), costs: costs.collect() }
    }

    /// The least cost in a resource.
    pub fn cost(&self, run: &Run<'_>, resource: usize) -> Prices {
        let mut weights = vec![0.0; run.problem.limits.len()];
        weights[resource] = 1.0;
        Prices::of_limits(run, 0.0, &weights)
    }

    /// One of many different mixtures of all that is wanted.
    pub fn direction(&self, run: &Run<'_>, at: u64) -> Prices {
        let mut state = at + 1;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            // Squares: most of the weight on few of them.
            ((state >> 40) as f64 / (1u64 << 24) as f64).powi(2) + 0.01
        };
        let mut weights = vec![0.0; run.problem.limits.len()];
        let value = next() / self.value;
        weights.iter_mut().zip(&self.costs).for_each(|(weight, most)| *weight = next() / most);
        // At most 1, and precise enough as a multiple of a unit.
        let most = weights.iter().copied().fold(value, f64::max);
        weights.iter_mut().for_each(|weight| *weight /= most);
        Prices::of_limits(run, value / most, &weights)
    }
}

/// The bounds of several prices, step by step.
pub(super) fn bounds(cuts: Vec<Vec<Cut>>, steps: usize) -> Vec<Bound> {
    let at = |step: usize| Bound { cuts: cuts.iter().map(|cuts| cuts[step].clone()).collect(), reach: None };
    (0..steps).map(at).collect()
}

/// What all of each resource should cost: the steps along subgradients.
fn cheapest(classes: &[Vec<(f64, Vec<f64>)>], limits: &[f64]) -> Vec<f64> {
    let mut all = vec![0.0; limits.len()];
    // Values may be negative: what counts is how far those of a class are apart.
    let spread = |items: &Vec<(f64, Vec<f64>)>| {
        let values = || items.iter().map(|item| item.0);
        (values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)).max(0.0)
    };
    let length: f64 = classes.iter().map(spread).sum();
    let (mut best, mut least, mut length) = (all.clone(), f64::INFINITY, length / 2.0);
    for _ in 0..STEPS {
        let mut bound: f64 = all.iter().sum();
        let mut slope: Vec<f64> = limits.iter().map(|&limit| if limit > 0.0 { 1.0 } else { 0.0 }).collect();
        for items in classes {
            let worth = |(value, parts): &(f64, Vec<f64>)| {
                value - parts.iter().zip(&all).map(|(part, all)| part * all).sum::<f64>()
            };
            let worths = items.iter().map(|item| (worth(item), item));
            let Some((most, taken)) = worths.max_by(|(a, _), (b, _)| a.total_cmp(b)) else { continue };
            bound += most;
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
