//! The price per item with the least linear bound, for problems in which the number of items limits a selection.
//!
//! No selection has more items than the K lightest ones that fit, and none that reaches a given profit has fewer
//! than the K most profitable ones that reach it. If the linear relaxation violates one of the two, a price on every
//! item (see [`Measure`]) lowers its bound. The slope of the bound in the price has the sign of K minus the number
//! of items in the relaxed solution, so the best price lies where that sign changes (S. Martello and P. Toth,
//! Operations Research 45(5), 1997).

use crate::core::items::number::Number;
use crate::core::items::split::{Split, split};
use crate::core::items::{Measure, Piece};
use crate::core::states::goal::{Goal, Incumbent, Limits};
use std::cmp::Reverse;

/// Items of the sample in which the price is searched first.
const SAMPLE: usize = 2000;

/// Prices tried with all items.
const TRIES: u32 = 12;

/// The linear relaxation in a measure: the profit of the items before the break item, the room left by them, and the
/// profit and the measure of the break item.
#[derive(Clone, Copy, Debug)]
pub struct Relaxation<N> {
    profit: N,
    room: N,
    edge: (N, N),
}

impl<N: Number> Relaxation<N> {
    /// That of items split in a measure; `None` if they all fit.
    fn of(parts: &Split<N>, items: &[Piece<N>], measure: Measure<N>) -> Option<Self> {
        let edge = items.get(parts.place)?;
        Some(Self { profit: parts.profit, room: parts.room, edge: (edge.profit, measure.of(edge)) })
    }

    /// An upper bound on the profit.
    pub fn bound(&self) -> N {
        self.profit + N::scaled(self.room, self.edge.0, self.edge.1)
    }

    /// Whether no selection is better than the best known one.
    pub fn proves(&self, best: &Incumbent<N>, limits: Limits<N>) -> bool {
        !Goal::beyond(best, limits).aim(self.edge).is_reached(self.profit, self.room)
    }
}

/// A measure whose linear bound is less than that of the weights alone, and its relaxation, if the number of items
/// is limiting. Only improvements on the best known selection count. Reorders the items.
pub fn price<N: Number>(
    items: &mut [Piece<N>],
    limits: Limits<N>,
    best: &Incumbent<N>,
) -> Option<(Measure<N>, Relaxation<N>)> {
    let Limits { capacity, .. } = limits;
    let plain = split(items, Measure::weights(capacity));
    let relaxed = units(&plain, items, Measure::weights(capacity));
    let count = Limit::at_most(items, capacity, relaxed).or_else(|| Limit::at_least(items, best, relaxed))?;
    let mut sampled: Vec<Piece<N>> = items.iter().step_by((items.len() / SAMPLE).max(1)).copied().collect();
    let most = most_price(items, capacity, &count)?;
    let step = sampled.len() as f64 / items.len() as f64;
    let scale = |number: N| N::of((number.approximate() * step) as i128).unwrap_or(number);
    let small = Limit { count: ((count.count as f64 * step) as i64).max(1), ..count };
    let guess = if sampled.len() < items.len() && small.count < sampled.len() as i64 {
        let mut search = Search::new(&mut sampled, scale(capacity), small, N::ZERO, u32::MAX);
        search.bisect(N::ZERO, most);
        let price = search.best.map_or(N::ONE, |(price, ..)| price);
        let measure = search.measure(price);
        let parts = split(&mut sampled, measure);
        tie(&sampled[parts.sorted], count.least).filter(|&tie| near(tie, price)).unwrap_or(price)
    } else {
        N::ONE
    };
    let mut search = Search::new(items, capacity, count, best.profit + N::ONE, TRIES);
    search.gallop(guess.max(N::ONE).min(most), most);
    search.tie();
    let (price, relaxation, _) = search.best?;
    let measure = search.measure(price);
    // In the lattice of all selections the weights alone may give a bound as low.
    let above = Incumbent { profit: relaxation.bound(), weight: N::ZERO, chosen: Vec::new() };
    let plain = split(items, Measure::weights(capacity));
    let plain = Relaxation::of(&plain, items, Measure::weights(capacity))?;
    (!plain.proves(&above, limits)).then_some((measure, relaxation))
}

/// The absolute price at which the lightest and the heaviest of these items are equally efficient: the best price if
/// profits are linear in the weights.
fn tie<N: Number>(items: &[Piece<N>], negative: bool) -> Option<N> {
    let of_one = |item: &Piece<N>| {
        let count = f64::from(item.count);
        (item.weight.approximate() / count, item.profit.approximate() / count)
    };
    let (w, p) = items.iter().map(of_one).min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (v, q) = items.iter().map(of_one).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let price = (q * w - p * v) / (p - q);
    let price = if negative { -price } else { price };
    // This also excludes NaN.
    if (0.5..1e18).contains(&price) { N::of(price.round() as i128) } else { None }
}

/// Whether two prices differ by at most a quarter of each other.
fn near<N: Number>(a: N, b: N) -> bool {
    let (a, b) = (a.approximate(), b.approximate());
    (a - b).abs() <= 0.25 * a.max(b)
}

/// A limit on the number of items.
#[derive(Clone, Copy, Debug)]
struct Limit {
    count: i64,
    /// Whether it is a lower limit instead of an upper one.
    least: bool,
}

impl Limit {
    /// The most items that fit, if the relaxation takes at least as many whole items (`relaxed`).
    fn at_most<N: Number>(items: &[Piece<N>], capacity: N, relaxed: i64) -> Option<Self> {
        let weights = items.iter().map(|item| (item.weight, item));
        let most = most_within(weights, capacity).filter(|&most| most <= relaxed)?;
        Some(Self { count: most, least: false })
    }

    /// The fewest items of a selection better than the best known, if the relaxation takes fewer whole items
    /// (`relaxed`).
    fn at_least<N: Number>(items: &[Piece<N>], best: &Incumbent<N>, relaxed: i64) -> Option<Self> {
        let enough = |least: &i64| *least > relaxed;
        let more = fewest(items, best.profit + N::ONE).filter(enough)?;
        // Selections with the profit of the best known one and fewer items must be lighter to count.
        let same = fewest(items, best.profit)?;
        let is_lighter = || lightest(items, same).is_none_or(|weight| weight < best.weight);
        let count = if same < more && is_lighter() { same } else { more };
        Some(Self { count, least: true }).filter(|limit| enough(&limit.count))
    }
}

/// The fewest items that reach a profit; `None` if all items together do not.
fn fewest<N: Number>(items: &[Piece<N>], wanted: N) -> Option<i64> {
    let (mut profit, mut count) = (N::ZERO, 0);
    for item in items {
        profit += item.profit;
        count += i64::from(item.count);
    }
    let spare = profit - wanted;
    if spare < N::ZERO {
        return None;
    }
    // The complement: the most items whose profits can be left out.
    let profits = items.iter().map(|item| (item.profit, item));
    Some(most_within(profits, spare).map_or(0, |most| count - most))
}

/// The least weight of the `count` most profitable items; `None` if some are in bundles.
fn lightest<N: Number>(items: &[Piece<N>], count: i64) -> Option<N> {
    let one = |item: &Piece<N>| (item.count == 1).then_some((Reverse(item.profit), item.weight));
    let mut order = items.iter().map(one).collect::<Option<Vec<_>>>()?;
    let count = usize::try_from(count).ok().filter(|&count| count < order.len())?;
    let (first, ..) = order.select_nth_unstable(count);
    let mut weight = N::ZERO;
    first.iter().for_each(|item| weight += item.1);
    Some(weight)
}

/// The most items whose total size is within `room`; `None` if all fit.
fn most_within<'a, N: Number + 'a>(sizes: impl Iterator<Item = (N, &'a Piece<N>)>, room: N) -> Option<i64> {
    let one = |(size, item): (N, &Piece<N>)| Piece {
        profit: N::ONE.times(item.count.into()),
        weight: size,
        ..*item
    };
    let mut smallest: Vec<Piece<N>> = sizes.map(one).collect();
    let measure = Measure::weights(room);
    if fit(&smallest, measure) {
        return None;
    }
    let parts = split(&mut smallest, measure);
    Some(units(&parts, &smallest, measure))
}

fn fit<N: Number>(items: &[Piece<N>], measure: Measure<N>) -> bool {
    let rest = |room: N, item| Some(room - measure.of(item)).filter(|&rest| rest >= N::ZERO);
    items.iter().try_fold(measure.room, rest).is_some()
}

/// Items before the break item, plus those of a bundle at the break that still fit.
fn units<N: Number>(parts: &Split<N>, items: &[Piece<N>], measure: Measure<N>) -> i64 {
    let edge = &items[parts.place];
    let count = i64::from(edge.count);
    let more = N::scaled(parts.room, N::ONE.times(count), measure.of(edge));
    parts.count + more.min(N::ONE.times(count)).wide() as i64
}

/// The largest absolute price at which every item has a positive measure and no sum overflows.
fn most_price<N: Number>(items: &[Piece<N>], capacity: N, limit: &Limit) -> Option<N> {
    let of_one = |item: &Piece<N>| item.weight.wide() / i128::from(item.count);
    let lightest = items.iter().map(of_one).min()?;
    let heaviest = items.iter().map(of_one).max()?;
    let most = if limit.least { lightest - 1 } else { 2 * heaviest };
    let most = N::of(most)?;
    let room = N::MAX.wide() / 4 - capacity.wide();
    let count: i128 = items.iter().map(|item| i128::from(item.count)).sum();
    let total = most.wide().checked_mul(count + 1)?;
    (most > N::ZERO && total < room).then_some(most)
}

/// A search over absolute prices; the sign is that of the limit.
struct Search<'a, N> {
    items: &'a mut [Piece<N>],
    capacity: N,
    limit: Limit,
    /// A bound below this is good enough.
    target: N,
    /// The number of prices that may still be tried.
    tries: u32,
    best: Option<(N, Relaxation<N>, f64)>,
}

impl<'a, N: Number> Search<'a, N> {
    fn new(items: &'a mut [Piece<N>], capacity: N, limit: Limit, target: N, tries: u32) -> Self {
        Self { items, capacity, limit, target, tries, best: None }
    }

    fn measure(&self, size: N) -> Measure<N> {
        let price = if self.limit.least { -size } else { size };
        Measure { price, room: self.capacity + price.times(self.limit.count) }
    }

    /// Whether a larger price may be better.
    fn rises(&mut self, size: N) -> bool {
        self.tries = self.tries.saturating_sub(1);
        let measure = self.measure(size);
        if measure.room <= N::ZERO || fit(self.items, measure) {
            return false;
        }
        let parts = split(self.items, measure);
        let Some(relaxation) = Relaxation::of(&parts, self.items, measure) else { return false };
        let (bound, edge) = (relaxation.bound(), relaxation.edge);
        // Of equal whole parts, prefers the least fraction, approximately.
        let more = parts.room.approximate() * edge.0.approximate() / edge.1.approximate();
        let fraction = (more - (bound - parts.profit).approximate()).max(0.0);
        let is_less = |(_, best, beside): (N, Relaxation<N>, f64)| {
            let least = best.bound();
            bound < least || (bound == least && fraction < beside)
        };
        if self.best.is_none_or(is_less) {
            self.best = Some((size, relaxation, fraction));
        }
        // Part of the break item is taken too, which its place does not count.
        let count = units(&parts, self.items, measure);
        if self.limit.least { count < self.limit.count } else { count >= self.limit.count }
    }

    /// Whether it is worthwhile to try more prices.
    fn goes_on(&self) -> bool {
        self.tries > 0 && self.best.is_none_or(|(_, best, _)| best.bound() >= self.target)
    }

    fn bisect(&mut self, mut low: N, mut high: N) {
        while high - low > N::ONE && self.goes_on() {
            let middle = low + N::scaled(high - low, N::ONE, N::ONE + N::ONE);
            if self.rises(middle) { low = middle } else { high = middle }
        }
    }

    /// Tries the price at which the items around the break are equally efficient, if it is different.
    fn tie(&mut self) {
        let Some((price, ..)) = self.best else { return };
        let measure = self.measure(price);
        if fit(self.items, measure) {
            return;
        }
        let parts = split(self.items, measure);
        if let Some(tie) = tie(&self.items[parts.sorted], self.limit.least).filter(|&tie| tie != price) {
            self.rises(tie);
        }
    }

    /// Moves away from a guess in growing steps, then bisects between the last two.
    fn gallop(&mut self, guess: N, most: N) {
        let up = self.rises(guess);
        let (mut near, mut step) = (guess, N::of(guess.wide() / 256).unwrap_or(N::ONE).max(N::ONE));
        loop {
            let far = if up { (near + step).min(most) } else { (near - step).max(N::ZERO) };
            if far == near || far == N::ZERO || !self.goes_on() || self.rises(far) != up {
                break self.bisect(far.min(near), far.max(near));
            }
            near = far;
            step = step + step + step + step;
        }
    }
}
