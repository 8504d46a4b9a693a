//! The cells of each layer of a problem's table that have to be computed.
//!
//! ```text
//! G_0 = 0        G_t(x) = max( G_{t-1}(x), G_{t-1}(x - w_t) + p_t : w_t <= x )       0 <= x <= c, in every dimension
//! ```
//!
//! Only G_n(c) is needed, and three observations save work over a table of all cells per layer:
//!
//! - *Reach.* Beyond the total weight of the first t items nothing changes: G_t(x) = G_t(min(x, W_t)), so layer t
//!   ends there.
//! - *Need.* Even if all items after t are taken, at least c - (w_{t+1} + .. + w_n) is left for the first t, so layer t
//!   starts there. (Toth's bound on useful capacities, Computing 25, 1980, in each dimension; Boyer, El Baz and
//!   Elkihel, 2012, use it too.)
//! - *The last items.* Layer n needs one cell, n-1 two, n-k at most 2^k. While these are fewer than the cells of a
//!   layer, choices of the last k items are tried one by one against layer n-k (as Horowitz and Sahni, J. ACM 21,
//!   1974, do with both halves).
//!
//! Worked instance: c = (10, 10), weights (2,3), (4,4), (6,7). Layer 1 reaches (2,3) and layer 2 reaches (6,7); of
//! layer 2 the cells from (4,3) on are needed, of layer 1 all.

use isx_problems::multidim::{MAX_DIMENSIONS, PerDimension};
use isx_problems::reduce::multidim::Reduced;

/// Most items whose choices are counted.
const MOST_COUNTED: usize = 64;

/// The cells of every layer that are computed, and the number of items with a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The first cell of each layer in each dimension; layer 0 precedes all items.
    pub low: Vec<PerDimension>,
    /// The last cell of each layer in each dimension.
    pub reach: Vec<PerDimension>,
    /// The number of items that have a layer; they come before the others.
    pub swept: usize,
}

impl Layers {
    /// Every cell, and a layer for every item: all the work, for measurements.
    pub fn whole(problem: &Reduced) -> Self {
        let layers = problem.items.len() + 1;
        let (low, reach) = (vec![PerDimension::default(); layers], vec![problem.capacities; layers]);
        Self { low, reach, swept: layers - 1 }
    }

    /// The cells needed. `trying(k)` is the cost of trying all choices of the last k items, in cells of a layer, or
    /// `None` if that is not possible; it must be possible for k = 0.
    pub fn needed(problem: &Reduced, trying: impl Fn(usize) -> Option<u128>) -> Self {
        let Reduced { capacities, items, .. } = problem;
        let count = items.len();
        let mut reach = vec![PerDimension::default(); count + 1];
        let mut low = vec![*capacities; count + 1];
        for at in 0..count {
            for dimension in 0..MAX_DIMENSIONS {
                let further = reach[at][dimension].saturating_add(items[at].weights[dimension]);
                reach[at + 1][dimension] = further.min(capacities[dimension]);
            }
        }
        for at in (0..count).rev() {
            let after = low[at + 1];
            for ((low, after), weight) in low[at].iter_mut().zip(after).zip(items[at].weights) {
                *low = after.saturating_sub(weight);
            }
        }
        for (low, reach) in low.iter_mut().zip(&reach) {
            for (low, &reach) in low.iter_mut().zip(reach) {
                *low = reach.min(*low);
            }
        }
        let mut layers = Self { low, reach, swept: 0 };
        let mut sweeping = 0u128;
        let mut least = u128::MAX;
        let mut best = count;
        for swept in 0..=count {
            if swept > 0 {
                sweeping = sweeping.saturating_add(layers.cells(swept).into());
            }
            let cost = trying(count - swept).map(|trying| sweeping.saturating_add(trying));
            if let Some(cost) = cost.filter(|&cost| cost < least) {
                (least, best) = (cost, swept);
            }
        }
        layers.swept = best;
        layers
    }

    /// Cells of a layer that are computed, at most `u64::MAX`.
    pub fn cells(&self, layer: usize) -> u64 {
        let sides = self.low[layer]
            .iter()
            .zip(&self.reach[layer])
            .map(|(low, reach)| (reach - low).saturating_add(1));
        sides.fold(1, u64::saturating_mul)
    }

    /// Cells of all layers that are computed.
    pub fn candidates(&self) -> u64 {
        (1..=self.swept).fold(0, |sum, layer| self.cells(layer).saturating_add(sum))
    }

    /// The last cell of the last computed layer, which no other layer exceeds.
    pub fn last_cell(&self) -> PerDimension {
        self.reach[self.swept]
    }
}

/// For k = 0, 1, 2, .. an upper bound on the number of feasible choices of the last k items, up to all items or
/// [`MOST_COUNTED`]. In each dimension, take the lightest of them as long as they fit together: no feasible choice
/// has more items than that.
///
/// Worked instance: three last items of weights 4, 5 and 6, capacity 9: two fit at most, so 1 + 3 + 3 choices.
pub fn fitting_choices(problem: &Reduced) -> Vec<u128> {
    let mut choices = vec![1];
    let mut weights: [Vec<u64>; MAX_DIMENSIONS] = Default::default();
    for (last, item) in (1..=MOST_COUNTED).zip(problem.items.iter().rev()) {
        let mut most = last;
        for ((sorted, weight), mut room) in weights.iter_mut().zip(item.weights).zip(problem.capacities) {
            sorted.insert(sorted.partition_point(|&other| other <= weight), weight);
            let fits = sorted.iter().take_while(|&&weight| match room.checked_sub(weight) {
                Some(left) => {
                    room = left;
                    true
                }
                None => false,
            });
            most = most.min(fits.count());
        }
        let mut ways = 1u128;
        let mut sum = 1u128;
        for taken in 1..=most {
            // 64 over 32 is below 2^61.
            ways = ways * (last + 1 - taken) as u128 / taken as u128;
            sum += ways;
        }
        choices.push(sum);
    }
    choices
}

/// The cell of a layer with the value of `cell`, even if `cell` lies beyond the layer's reach.
pub fn within(cell: PerDimension, reach: &PerDimension) -> PerDimension {
    let mut within = cell;
    for (cell, &reach) in within.iter_mut().zip(reach) {
        *cell = reach.min(*cell);
    }
    within
}

/// `room` minus `weights`, if they fit.
pub fn left(room: &PerDimension, weights: &PerDimension) -> Option<PerDimension> {
    let mut left = PerDimension::default();
    for dimension in 0..MAX_DIMENSIONS {
        left[dimension] = room[dimension].checked_sub(weights[dimension])?;
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::multidim::{Item, Multidim};
    use isx_problems::reduce::multidim::{WayBack, reduce};

    fn problem(capacities: PerDimension, weights: &[PerDimension]) -> Reduced {
        let items: Vec<Item> = weights.iter().map(|&weights| Item { profit: 1, weights }).collect();
        let back = WayBack { origin: (0..items.len()).collect(), taken: Vec::new(), profit_unit: 1 };
        Reduced { capacities, items, back }
    }

    #[test]
    fn the_worked_instance_has_the_layers_it_says() {
        let problem = problem([0, 10, 10], &[[0, 2, 3], [0, 4, 4], [0, 6, 7]]);
        let layers = Layers::needed(&problem, |last| (last == 0).then_some(0));
        assert_eq!(layers.swept, 3);
        assert_eq!(layers.reach, [[0, 0, 0], [0, 2, 3], [0, 6, 7], [0, 10, 10]]);
        assert_eq!(layers.low, [[0, 0, 0], [0, 0, 0], [0, 4, 3], [0, 10, 10]]);
        assert_eq!(layers.candidates(), 3 * 4 + 3 * 5 + 1);
        assert_eq!(Layers::whole(&problem).candidates(), 3 * 121);
        assert_eq!(
            Layers::needed(&problem, |last| Some(1 << last)).swept,
            0,
            "eight choices are fewer than any layers' cells"
        );
    }

    #[test]
    fn choices_that_cannot_fit_are_not_counted() {
        let three = problem([0, 100, 9], &[[0, 1, 1], [0, 2, 4], [0, 3, 5], [0, 4, 6]]);
        assert_eq!(fitting_choices(&three), [1, 2, 3, 7, 11]);
        let alone = problem([0, 0, 5], &[[0, 0, 4]; 80]);
        assert_eq!((fitting_choices(&alone).len(), fitting_choices(&alone)[64]), (65, 65));
        let loose = problem([0, 0, u64::MAX], &[[0, 0, 4]; 80]);
        assert_eq!(fitting_choices(&loose)[64], 1 << 64);
    }

    #[test]
    fn tables_beyond_any_memory_are_not_asked_for_where_the_last_items_can_be_tried() {
        let most = (1u64 << 62) - 1;
        let items: Vec<Item> = (0..20)
            .map(|at| Item { profit: 1 + at, weights: [most - at as u64, most / 2 + at as u64, 0] })
            .collect();
        let reduced = reduce(&Multidim { dimensions: 2, capacities: [most, most, 0], items });
        let layers = Layers::needed(&reduced, |last| Some(64 << last));
        assert_eq!((layers.swept, layers.candidates(), layers.last_cell()), (0, 0, [0; 3]));
        assert_eq!(Layers::whole(&reduced).candidates(), u64::MAX);
        let many = problem([most; 3], &[[most; 3]; 64]);
        let few = Layers::needed(&many, |last| (last < 5).then_some(u128::MAX));
        assert_eq!((few.candidates(), few.swept >= 60), (u64::MAX, true));
    }
}
