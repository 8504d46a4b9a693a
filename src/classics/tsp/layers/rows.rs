//! Consecutive sets of one size: the row of values of each, and the best tour that ends with each.
//!
//! ```text
//! h(S, j) = min over i in S of  h(S \ {i}, i) + d(i, j)        for every j not in S
//! ```
//!
//! A row is computed for all j at the same time: a vector over j, to which every i in S adds one candidate, the sum
//! of one value of the previous layer (a scalar) and row i of the distances. So a set of k cities reads k scattered
//! values and computes k vectors of sums; it writes the m - k values of the cities that it does not contain,
//! contiguously.
//!
//! Lengths are stored negated, since the vectors have a maximum: the largest is the shortest.

use crate::tsp::choose::{Choose, next};
use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Lanes, Simd};

/// Vectors of a row that are computed together.
const TOGETHER: usize = 2;
/// The most cities of a row; a whole number of vectors on every instruction set.
pub(super) const WIDEST: usize = 64;

/// A layer: one row of m - k values for every set of `k` of the m cities, in the order of the sets' numbers.
#[derive(Clone, Copy)]
pub(super) struct Layer<'a, N> {
    pub k: usize,
    pub values: &'a [N],
}

/// The inputs shared by all parts of a layer.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a, N> {
    pub choose: &'a Choose,
    /// m.
    pub others: usize,
    /// Negated distances, [`WIDEST`] per row: from city i + 1 to city j + 1 at `i * WIDEST + j`.
    pub distances: &'a [N],
}

/// Computes the rows of the layer after `from`, from set number `first` on, as many as `to` holds.
pub(super) struct Fill<'a, N> {
    pub ground: Ground<'a, N>,
    pub from: Layer<'a, N>,
    pub first: u64,
    pub to: &'a mut [N],
}

#[derive(Clone, Copy)]
/// Computes the rows of the layer after `after` for a number of sets starting with number `first`, and joins each
/// with the values of `before` for the remaining cities.
pub(super) struct Join<'a, N> {
    pub ground: Ground<'a, N>,
    /// Paths from a city back to the first one.
    pub after: Layer<'a, N>,
    /// Paths from the first city.
    pub before: Layer<'a, N>,
    pub first: u64,
    pub sets: u64,
}

/// The shortest tour of a join: its negated length, and the number of the first set with which such a tour ends.
pub(super) type Best<N> = (N, u64);

/// A value of a table.
pub(super) trait Cell: Lane + bytemuck::Pod {
    /// Computes rows.
    fn fill(isa: Isa, fill: Fill<'_, Self>);
    /// Joins halves; `None` if there are no sets.
    fn join(isa: Isa, join: Join<'_, Self>) -> Option<Best<Self>>;
}

macro_rules! cell {
    ($type:ty) => {
        impl Cell for $type {
            fn fill(isa: Isa, fill: Fill<'_, Self>) {
                isa.run(fill);
            }
            fn join(isa: Isa, join: Join<'_, Self>) -> Option<Best<Self>> {
                isa.run(join)
            }
        }
        impl Kernel for Fill<'_, $type> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, simd: S) {
                fill::<$type, S>(simd, self);
            }
        }
        impl Kernel for Join<'_, $type> {
            type Output = Option<Best<$type>>;
            #[inline(always)]
            fn run<S: Simd>(self, simd: S) -> Self::Output {
                join::<$type, S>(simd, self)
            }
        }
    };
}
cell!(i32);
cell!(i64);

/// The values that a set reads from the previous layer: h(S
/// {i}, i) for each of its cities i.
struct Sources<N> {
    cities: [u8; WIDEST],
    values: [N; WIDEST],
}

impl<N: Lane> Sources<N> {
    fn new() -> Self {
        Self { cities: [0; WIDEST], values: [N::default(); WIDEST] }
    }

    /// Reads the values for the set with this mask and number.
    #[inline(always)]
    fn read(&mut self, ground: &Ground<'_, N>, layer: &Layer<'_, N>, mask: u64, number: u64) {
        let width = (ground.others - layer.k) as u64;
        // Without its p-th element, the set has as its number the sum of C(e_t, t) below p and of C(e_t, t - 1)
        // above.
        let (mut below, mut above) = (number, 0);
        let mut rest = mask;
        for p in (0..=layer.k).rev() {
            let city = 63 - rest.leading_zeros() as usize;
            rest ^= 1 << city;
            below -= ground.choose.of(city, p + 1);
            // The p cities below this one are in the set, so it is number (city - p) of those that are not.
            let at = (below + above) * width + (city - p) as u64;
            above += ground.choose.of(city, p);
            self.cities[p] = city as u8;
            self.values[p] = layer.values[at as usize];
        }
    }
}

/// The row of a set of `k` cities: one value for every city, in the set or not.
#[inline(always)]
fn row<N: Lane, S: Lanes<N>>(
    simd: S,
    ground: &Ground<'_, N>,
    sources: &Sources<N>,
    size: usize,
    to: &mut [N; WIDEST],
) {
    let step = TOGETHER * S::WIDTH;
    for first in (0..ground.others).step_by(step) {
        let (mut low, mut high) = (simd.splat(N::LOWEST), simd.splat(N::LOWEST));
        for (&city, &value) in sources.cities[..size].iter().zip(&sources.values[..size]) {
            let distances = &ground.distances[usize::from(city) * WIDEST + first..][..step];
            let value = simd.splat(value);
            low = simd.max(low, simd.add(value, simd.load(distances)));
            high = simd.max(high, simd.add(value, simd.load(&distances[S::WIDTH..])));
        }
        simd.store(&mut to[first..], low);
        simd.store(&mut to[first + S::WIDTH..], high);
    }
}

#[inline(always)]
fn fill<N: Lane, S: Lanes<N>>(simd: S, fill: Fill<'_, N>) {
    let Fill { ground, from, first, to } = fill;
    let size = from.k + 1;
    let all = (1u64 << ground.others) - 1;
    let mut mask = ground.choose.mask(first, size);
    let mut sources = Sources::new();
    let mut values = [N::default(); WIDEST];
    for (number, to) in (first..).zip(to.chunks_exact_mut(ground.others - size)) {
        sources.read(&ground, &from, mask, number);
        row(simd, &ground, &sources, size, &mut values);
        let mut outside = all & !mask;
        for to in to {
            *to = values[outside.trailing_zeros() as usize % WIDEST];
            outside &= outside.wrapping_sub(1);
        }
        mask = next(mask);
    }
}

#[inline(always)]
fn join<N: Lane, S: Lanes<N>>(simd: S, join: Join<'_, N>) -> Option<Best<N>> {
    let Join { ground, after, before, first, sets } = join;
    let size = after.k + 1;
    let all = (1u64 << ground.others) - 1;
    let last = ground.choose.of(ground.others, size) - 1;
    let mut mask = ground.choose.mask(first, size);
    let (mut here, mut there) = (Sources::new(), Sources::new());
    let mut values = [N::default(); WIDEST];
    let mut best: Option<Best<N>> = None;
    for number in first..first + sets {
        here.read(&ground, &after, mask, number);
        row(simd, &ground, &here, size, &mut values);
        // The turning city is one of the remaining ones; the path from the first city goes through the others.
        there.read(&ground, &before, all & !mask, last - number);
        let turns = there.cities[..=before.k].iter().zip(&there.values[..=before.k]);
        let longest = turns.map(|(&city, &value)| value.plus(values[usize::from(city) % WIDEST])).max();
        if let Some(length) = longest
            && best.is_none_or(|(best, _)| length > best)
        {
            best = Some((length, number));
        }
        mask = next(mask);
    }
    best
}
