//! Labels that are excluded: those that cannot reach a value, or that a known selection dominates.
//!
//! With a price for every resource, whatever a label is completed with, its value is at most
//!
//! ```text
//! v + sum over the other classes of max_k (v_k - price * c_k) + price * (L - c)
//! ```
//!
//! a Lagrangian bound. It is a convex function of the prices; steps along its subgradients in floating point find prices
//! that make it small. They are then rounded to whole parts of a unit of value: the bound holds whatever they are, and the
//! comparison is exact.
//!
//! The same bounds the least cost in each objective. A known selection that reaches the value, costs nowhere more than
//! these bounds and is not equal to them dominates whatever becomes of the label.

use super::shape::Shape;
use super::space::Space;
use isx_problems::resources::{Cost, Item, Pages, Problem, Vector};
use num_traits::ToPrimitive;
use std::sync::Arc;

/// Prices are in parts of a unit of value, this many.
const SCALE: i64 = 1 << 20;
/// The largest price; any would do.
const MOST_PRICE: i64 = 1 << 60;
/// Steps along subgradients, each shorter than the one before by this factor.
const STEPS: usize = 150;
const SHORTER: f64 = 0.94;
/// Directions in which selections are looked for first, for each objective, and tenths of their prices to bound what
/// labels can reach.
const DIRECTIONS: u64 = 16;
const TENTHS: [i64; 4] = [5, 8, 10, 14];

/// What bounds are of.
pub(super) struct Frame<'a> {
    problem: &'a Problem,
    shape: &'a Shape,
    /// The classes in order, and the sums of the greatest values so far.
    classes: Vec<usize>,
    greatest: Vec<i128>,
}

impl<'a> Frame<'a> {
    /// Of a problem whose costs have 64 bits.
    pub fn new<C: Cost>(space: &'a Space<'a, C>) -> Self {
        let greatest = space.steps.iter().map(|step| step.greatest.to_i128().unwrap_or(0)).collect();
        let classes = space.steps.iter().map(|step| step.class).collect();
        Self { problem: space.problem, shape: &space.shape, classes, greatest }
    }
}

/// A label is excluded if `scale * value - prices * amounts` is less than `least`.
#[derive(Clone, Debug)]
struct Cut {
    scale: i64,
    prices: Vec<i64>,
    least: i128,
}

impl Cut {
    fn worth(&self, value: i128, amounts: &[u64]) -> i128 {
        let paid =
            self.prices.iter().zip(amounts).map(|(&price, &amount)| i128::from(price) * i128::from(amount));
        i128::from(self.scale) * value - paid.sum::<i128>()
    }
}

/// Known selections that reach the value, none of which dominates another: their amounts in the objectives.
struct Known {
    pages: Pages<u64>,
    /// Sorted.
    all: Vec<Vec<u64>>,
}

impl Known {
    /// `None` if there are none.
    fn new(mut selections: Vec<Vec<u64>>) -> Option<Self> {
        let mut pages = Pages::new(selections.first()?.len(), 0);
        for amounts in &selections {
            pages.add(&Vector { amounts, loads: &[], cost: 0 });
        }
        selections.sort_unstable();
        Some(Self { pages, all: selections })
    }

    /// Whether some selection is nowhere worse, and better somewhere.
    fn dominate(&self, amounts: &[u64]) -> bool {
        let order = |other: &Vec<u64>| other.as_slice().cmp(amounts);
        self.pages.beats(&Vector { amounts, loads: &[], cost: 0 })
            && self.all.binary_search_by(order).is_err()
    }
}

/// What a label can reach at best after a step.
struct Reach {
    known: Arc<Known>,
    /// Several bounds of the amount in every objective.
    amounts: Vec<Vec<Cut>>,
}

/// The labels that are excluded after a step.
#[derive(Default)]
pub(super) struct Bound {
    cuts: Vec<Cut>,
    reach: Option<Reach>,
    /// The sum of the greatest values of the classes so far.
    greatest: i128,
}

impl Bound {
    /// Whether a label is excluded.
    pub fn excludes(&self, shape: &Shape, first: u64, key: &[u64], cost: u64) -> bool {
        // Up to so many resources no memory is asked for.
        let (mut few, mut many) = ([0u64; 16], Vec::new());
        let all: &mut [u64] = if 2 * shape.resources <= few.len() {
            &mut few
        } else {
            many.resize(2 * shape.resources, 0);
            &mut many
        };
        let (amounts, reached) = all.split_at_mut(shape.resources);
        shape.amounts(first, key, amounts);
        let value = self.greatest - i128::from(cost);
        if self.cuts.iter().any(|cut| cut.worth(value, amounts) < cut.least) {
            return true;
        }
        let Some(Reach { known, amounts: of_amounts }) = &self.reach else { return false };
        let best = |cuts: &[Cut]| {
            let bounds = cuts.iter().map(|cut| cut.worth(value, amounts) - cut.least);
            bounds.min().map(|least| least >> SCALE.trailing_zeros())
        };
        // What is bounded is the amount below 0. None is less than what is paid already.
        let reached = &mut reached[..of_amounts.len()];
        for ((cuts, &paid), reached) in of_amounts.iter().zip(&*amounts).zip(&mut *reached) {
            let least = best(cuts).map_or(0, |most| -most);
            *reached = u64::try_from(least).unwrap_or(0).max(paid);
        }
        known.dominate(reached)
    }
}

/// What is wanted of a selection, as a weight of its value less a weight of each amount, and prices of the resources.
#[derive(Clone)]
pub(super) struct Prices {
    value: i64,
    weights: Vec<i64>,
    of: Vec<i64>,
}

impl Prices {
    /// The value, with resources that have no price.
    fn free(problem: &Problem) -> Self {
        let none = vec![0; problem.limits.len()];
        Self { value: SCALE, weights: none.clone(), of: none }
    }

    /// Prices at which the bound on all selections within the limits is small. The weights of value and amounts are at
    /// most 1.
    fn of_limits(frame: &Frame<'_>, value: f64, weights: &[f64]) -> Self {
        let shape = frame.shape;
        let mut limits = vec![0.0; shape.resources];
        limits[shape.first] = shape.limit as f64;
        shape.axes.iter().for_each(|axis| limits[axis.resource] = axis.limit as f64);
        let fits = |item: &&Item| shape.fits(&item.cost);
        let part = |item: &Item| -> (f64, Vec<f64>) {
            let parts = item.cost.iter().zip(&limits);
            // A resource of limit 0 costs nothing.
            let parts = parts.map(|(&cost, &limit)| if limit > 0.0 { cost as f64 / limit } else { 0.0 });
            let less: f64 = item.cost.iter().zip(weights).map(|(&cost, weight)| cost as f64 * weight).sum();
            (value * item.value.to_f64().unwrap_or(0.0) - less, parts.collect())
        };
        let classes = frame.problem.classes.iter();
        let classes = classes.map(|items| items.iter().filter(fits).map(part).collect());
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
    fn tenths(&self, tenths: i64) -> Self {
        let part = |price: &i64| (i128::from(*price) * i128::from(tenths) / 10).min(MOST_PRICE.into()) as i64;
        Self { of: self.of.iter().map(part).collect(), ..self.clone() }
    }

    /// What a label is worth if it pays these prices; comparable among the labels of a layer.
    pub fn worth(&self, amounts: &[u64], cost: u64) -> i128 {
        let paid = self.of.iter().zip(&self.weights).zip(amounts);
        let price = |((price, weight), &amount): ((&i64, &i64), &u64)| {
            i128::from(price + weight) * i128::from(amount)
        };
        -i128::from(self.value) * i128::from(cost) - paid.map(price).sum::<i128>()
    }

    /// The bound after every step: what cannot reach `least` is excluded.
    fn cuts(&self, frame: &Frame<'_>, least: i128) -> Vec<Cut> {
        let shape = frame.shape;
        let mut of = self.of.clone();
        shape.ties.iter().for_each(|&resource| of[resource] = 0);
        let paid = |resource: usize, amount: u64| i128::from(of[resource]) * i128::from(amount);
        let mut room = paid(shape.first, shape.limit);
        room += shape.axes.iter().map(|axis| paid(axis.resource, axis.limit)).sum::<i128>();
        // An amount that only decides between equal labels is not known to a bound.
        let mut prices: Vec<i64> =
            of.iter().zip(&self.weights).map(|(price, weight)| price + weight).collect();
        shape.ties.iter().for_each(|&resource| prices[resource] = 0);
        let mut later = 0;
        let mut cuts: Vec<Cut> = Vec::with_capacity(frame.classes.len());
        for &class in frame.classes.iter().rev() {
            let least = i128::from(SCALE) * least - later - room;
            let cut = Cut { scale: self.value, prices: prices.clone(), least };
            let items = frame.problem.classes[class].iter().filter(|item| shape.fits(&item.cost));
            let worth = items.filter_map(|item| Some(cut.worth(item.value.to_i128()?, &item.cost)));
            later += worth.max().unwrap_or(0);
            cuts.push(cut);
        }
        cuts.reverse();
        cuts
    }
}

/// How much the value and every objective differ in all.
struct Wants {
    value: f64,
    amounts: Vec<f64>,
}

impl Wants {
    fn new(problem: &Problem) -> Self {
        let most = |of: &dyn Fn(&Item) -> f64| -> f64 {
            let spread = |items: &Vec<Item>| {
                let all = || items.iter().map(of);
                (all().fold(0.0, f64::max) - all().fold(f64::INFINITY, f64::min)).max(0.0)
            };
            problem.classes.iter().map(spread).sum::<f64>().max(1.0)
        };
        let amounts = (0..problem.objectives).map(|resource| most(&|item| item.cost[resource] as f64));
        Self { value: most(&|item| item.value.to_f64().unwrap_or(0.0)), amounts: amounts.collect() }
    }

    /// The least amount of a resource.
    fn least(&self, frame: &Frame<'_>, resource: usize) -> Prices {
        let mut weights = vec![0.0; frame.problem.limits.len()];
        weights[resource] = 1.0;
        Prices::of_limits(frame, 0.0, &weights)
    }

    /// One of many different mixtures of all that is wanted.
    fn direction(&self, frame: &Frame<'_>, at: u64) -> Prices {
        let mut state = at + 1;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            // Squares: most of the weight on few of them.
            ((state >> 40) as f64 / (1u64 << 24) as f64).powi(2) + 0.01
        };
        let mut weights = vec![0.0; frame.problem.limits.len()];
        let value = next() / self.value;
        weights.iter_mut().zip(&self.amounts).for_each(|(weight, most)| *weight = next() / most);
        // At most 1, and precise enough as a multiple of a unit.
        let most = weights.iter().copied().fold(value, f64::max);
        weights.iter_mut().for_each(|weight| *weight /= most);
        Prices::of_limits(frame, value / most, &weights)
    }
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

/// The prices that are looked at for the greatest value.
pub(super) fn of_greatest(frame: &Frame<'_>) -> Prices {
    Prices::of_limits(frame, 1.0, &vec![0.0; frame.problem.limits.len()])
}

/// Mixtures of all that is wanted.
pub(super) fn directions(frame: &Frame<'_>) -> Vec<Prices> {
    let wants = Wants::new(frame.problem);
    (0..DIRECTIONS * frame.shape.width().max(1) as u64).map(|at| wants.direction(frame, at)).collect()
}

/// Bounds that exclude nothing.
pub(super) fn none(frame: &Frame<'_>) -> Vec<Bound> {
    frame.greatest.iter().map(|&greatest| Bound { greatest, ..Bound::default() }).collect()
}

/// Excludes what costs more than this.
pub(super) fn exclude_above(frame: &Frame<'_>, most: u64, bounds: &mut [Bound]) {
    let least = bounds.last().map_or(0, |bound| bound.greatest) - i128::from(most);
    for prices in [of_greatest(frame), Prices::free(frame.problem)] {
        bounds.iter_mut().zip(prices.cuts(frame, least)).for_each(|(bound, cut)| bound.cuts.push(cut));
    }
}

/// Compares what labels can reach with known selections, given by their amounts in the objectives.
pub(super) fn compare_with(frame: &Frame<'_>, selections: Vec<Vec<u64>>, bounds: &mut [Bound]) {
    let Some(known) = Known::new(selections) else { return };
    let known = Arc::new(known);
    let wants = Wants::new(frame.problem);
    let cuts = |prices: &Prices| TENTHS.map(|tenths| prices.tenths(tenths).cuts(frame, 0));
    let amounts: Vec<Vec<Vec<Cut>>> =
        (0..frame.problem.objectives).map(|resource| cuts(&wants.least(frame, resource)).to_vec()).collect();
    for (step, bound) in bounds.iter_mut().enumerate() {
        let at = |cuts: &Vec<Vec<Cut>>| cuts.iter().map(|cuts| cuts[step].clone()).collect();
        bound.reach = Some(Reach { known: known.clone(), amounts: amounts.iter().map(at).collect() });
    }
}
