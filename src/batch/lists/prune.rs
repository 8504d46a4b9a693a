//! Prunes a problem by the bound of its relaxation.
//!
//! For any multiplier p/q >= 0 no selection is worth more than D/q, D = p c + sum_k M_k, M_k = max_j (q v_kj - p
//! w_kj). An item's *loss* is M_k minus its q v - p w; a selection's value is below D/q by its losses and by p/q for
//! each unit of capacity that it leaves unused. So if a selection of value L is known, no best one contains items
//! whose losses sum to more than D - q L, and such items are dropped. The multiplier comes from the linear relaxation
//! (P. Sinha and A. Zoltners, "The multiple-choice knapsack problem", Operations Research 27(3), 1979), L from its
//! whole steps and exchanges after them. Floats are used only to choose the multiplier: for every multiplier the
//! bound is valid, in integers.
//!
//! Worked instance: classes {0, (6,4), (7,9)} and {0, (4,4)} as (value, weight), c = 8. The steps 6/4, 4/4 and 1/5
//! take 8 as a whole: L = 10, p/q = 1/5, D/q = 1.6 + 5.2 + 3.2 = 10. Every loss except those of (6,4) and (4,4) is
//! above 0.

use super::left::{Class, Left, Taken};

/// The most exchanges of one item to improve the known selection.
const EXCHANGES: usize = 4;
/// Products with gains stay below two to this power.
const BITS: u32 = 60;
/// A finer multiplier prunes no better.
const FINEST: u32 = 30;

/// A step of a class's upper hull.
#[derive(Clone, Copy, Debug)]
struct Step {
    slope: f64,
    class: usize,
    to: usize,
    weight: u64,
    gain: i64,
}

/// The multiplier, the allowed losses, and the decided classes.
#[derive(Debug, Default)]
pub(super) struct Pruned {
    /// p.
    pub multiplier: i64,
    /// The exponent of q.
    pub bits: u32,
    /// D - q L.
    pub gap: i64,
    /// For every class, the index of its only remaining item, if only one remains.
    pub numbers: Vec<Option<u32>>,
    steps: Vec<Step>,
    hull: Vec<usize>,
    /// The item of every class in the known selection.
    taken: Vec<usize>,
}

impl Pruned {
    /// An item's q v - p w.
    pub fn worth(&self, item: &Left) -> i64 {
        self.worth_of(item.gain, item.weight)
    }

    /// The q v - p w of a selection within the capacity.
    pub fn worth_of(&self, gain: i64, weight: u64) -> i64 {
        (gain << self.bits) - self.multiplier * weight as i64
    }

    /// Drops items that no best selection contains, and subtracts the lightest remaining item of a class again.
    pub fn prune(&mut self, items: &mut [Left], classes: &mut [Class], taken: &mut Taken) {
        for class in classes.iter_mut() {
            let left = items[class.start..class.end].partition_point(|item| item.weight <= taken.capacity);
            class.end = class.start + left;
        }
        let most: i64 = classes.iter().map(|class| items[class.end - 1].gain).sum();
        let least = self.choose(items, classes, taken.capacity, most);
        let best = |class: &Class| items[class.start..class.end].iter().map(|item| self.worth(item)).max();
        let bound: i64 = classes.iter().filter_map(best).sum();
        self.gap = self.multiplier * taken.capacity as i64 + bound - (least << self.bits);
        self.numbers.clear();
        for class in classes {
            let left = self.drop_losses(&mut items[class.start..class.end]);
            class.end = class.start + left;
            let lightest = items[class.start];
            for item in &mut items[class.start..class.end] {
                item.weight -= lightest.weight;
                item.gain -= lightest.gain;
            }
            taken.weight += lightest.weight;
            taken.capacity -= lightest.weight;
            taken.value += i128::from(lightest.gain);
            self.numbers.push((left == 1).then_some(lightest.number));
        }
    }

    /// Moves the items that remain to the front; returns their number.
    fn drop_losses(&self, class: &mut [Left]) -> usize {
        let best = class.iter().map(|item| self.worth(item)).max().unwrap_or(0);
        let mut left = 0;
        for at in 0..class.len() {
            if best - self.worth(&class[at]) <= self.gap {
                class[left] = class[at];
                left += 1;
            }
        }
        left
    }

    /// Chooses the multiplier; returns the value of a selection that fits.
    fn choose(&mut self, items: &[Left], classes: &[Class], capacity: u64, most: i64) -> i64 {
        self.steps.clear();
        self.taken.clear();
        for (at, class) in classes.iter().enumerate() {
            self.taken.push(class.start);
            self.add_steps(items, class, at);
        }
        self.steps.sort_unstable_by(|a, b| b.slope.total_cmp(&a.slope));
        let (mut weight, mut gain, mut slope) = (0, 0, 0.0);
        for step in &self.steps {
            if step.weight > capacity - weight {
                slope = step.slope;
                break;
            }
            weight += step.weight;
            gain += step.gain;
            self.taken[step.class] = step.to;
        }
        self.bits = (BITS - (64 - most.leading_zeros()).min(BITS)).min(FINEST);
        // With p c at most q times the largest gain, no product of a multiplier and a weight exceeds 2^60.
        let highest = match u128::from(capacity) {
            0 => 0,
            capacity => (((most as u128) << self.bits) / capacity) as i64,
        };
        self.multiplier = ((slope * (1u64 << self.bits) as f64) as i64).clamp(0, highest);
        for _ in 0..EXCHANGES {
            let Some((class, to)) = self.exchange(items, classes, capacity - weight) else { break };
            let (from, onto) = (items[self.taken[class]], items[to]);
            weight = weight - from.weight + onto.weight;
            gain += onto.gain - from.gain;
            self.taken[class] = to;
        }
        gain
    }

    /// The exchange of one item that gains most within the remaining capacity.
    fn exchange(&self, items: &[Left], classes: &[Class], room: u64) -> Option<(usize, usize)> {
        let mut best = (0, None);
        for (at, class) in classes.iter().enumerate() {
            let now = items[self.taken[at]];
            // Heavier items of a class gain more.
            let fits =
                items[class.start..class.end].iter().rposition(|item| item.weight <= now.weight + room)?;
            let gain = items[class.start + fits].gain - now.gain;
            if gain > best.0 {
                best = (gain, Some((at, class.start + fits)));
            }
        }
        best.1
    }

    /// The steps of a class's upper hull, steepest first.
    fn add_steps(&mut self, items: &[Left], class: &Class, at: usize) {
        let slope = |from: usize, to: usize| {
            let (from, to) = (&items[from], &items[to]);
            (to.gain - from.gain) as f64 / (to.weight - from.weight) as f64
        };
        self.hull.clear();
        for item in class.start..class.end {
            while let [.., before, last] = self.hull[..]
                && slope(before, last) <= slope(last, item)
            {
                self.hull.pop();
            }
            self.hull.push(item);
        }
        for pair in self.hull.windows(2) {
            let (from, to) = (items[pair[0]], items[pair[1]]);
            self.steps.push(Step {
                slope: slope(pair[0], pair[1]),
                class: at,
                to: pair[1],
                weight: to.weight - from.weight,
                gain: to.gain - from.gain,
            });
        }
    }
}
