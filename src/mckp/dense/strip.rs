//! A strip of neighboring cells of a layer: its cell format, its bound, and the cost of its items.

use super::bound::Tangent;
use super::row::{Cell, Narrow, TILE};
use super::scratch::CellItem;
use isx_machine::cpu::lanes::Lane;
use isx_problems::mckp::Item;
use isx_problems::reduce::mckp::Class;

/// The items of a class, and their common properties.
pub struct Items {
    /// In canonical order.
    pub all: Vec<CellItem>,
    /// Weight of the heaviest.
    pub heaviest: usize,
    /// Largest value, at least 0.
    pub most: i64,
    /// Index of the zero item.
    pub zero: u32,
}

impl Items {
    /// The items of `class`. An item heavier than `reach`, which fits nowhere, is replaced by one with a negative
    /// value and weight 0, which is never taken.
    pub fn new<V: Cell>(class: &Class<V>, reach: usize) -> Self {
        let in_cells = |item: &Item<V>| match usize::try_from(item.weight) {
            Ok(weight) if weight <= reach => CellItem { weight, value: item.value.into() },
            _ => CellItem { weight: 0, value: -1 },
        };
        let all: Vec<CellItem> = class.items.iter().map(in_cells).collect();
        Self {
            heaviest: all.iter().map(|item| item.weight).max().unwrap_or(0),
            most: all.iter().map(|item| item.value).max().unwrap_or(0),
            // Items have positions in a file that fit 32 bits, so this index does too.
            zero: class.zero as u32,
            all,
        }
    }
}

/// Cells `start .. start + len` of a layer.
#[derive(Clone, Copy)]
pub struct Strip<'a, V> {
    /// The previous row, with its padding.
    pub old: &'a [V],
    /// First cell.
    pub start: usize,
    /// Number of cells, a multiple of [`TILE`].
    pub len: usize,
    /// The class.
    pub items: &'a Items,
    /// A line above the cells, if one is used.
    pub tangent: Option<Tangent>,
    /// The format of the cells.
    pub width: LaneWidth,
}

/// The format of a strip's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneWidth {
    /// As wide as the row's own cells.
    Own,
    /// As 16-bit differences.
    Bits16,
    /// As 32-bit differences.
    Bits32,
}

/// When to store cells as differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrowing {
    /// If exact and faster.
    WherePaying,
    /// If exact.
    WherePossible,
    /// Never.
    Never,
}

/// Items that are expected to be tried in a strip with a bound.
const TRIED: usize = 24;

impl<'a, V: Cell> Strip<'a, V> {
    /// A strip, with the format that suits it.
    pub fn new(
        old: &'a [V],
        (start, len): (usize, usize),
        items: &'a Items,
        tangent: Option<Tangent>,
        narrowing: Narrowing,
    ) -> Self {
        let mut strip = Self { old, start, len, items, tangent, width: LaneWidth::Own };
        strip.width = strip.choose(narrowing);
        strip
    }

    /// If narrowing is optional, it is used when its candidates save more time than packing costs.
    fn choose(&self, narrowing: Narrowing) -> LaneWidth {
        let rise = self.cell(self.len - 1).wide() - self.cell(0).wide();
        let most = self.items.most;
        let span = rise.saturating_add(2 * most);
        let narrowest = match () {
            () if most < 1 << 15 && span < (1 << 16) - 2 => LaneWidth::Bits16,
            () if V::HIGHEST > i64::from(i32::MAX) && span < 1 << 30 => LaneWidth::Bits32,
            () => LaneWidth::Own,
        };
        let pays = {
            let tried =
                if self.tangent.is_some() { self.items.all.len().min(TRIED) } else { self.items.all.len() };
            tried * self.len > 3 * (self.halo() + 2 * self.len)
        };
        match narrowing {
            Narrowing::WherePossible => narrowest,
            Narrowing::WherePaying if pays => narrowest,
            _ => LaneWidth::Own,
        }
    }

    /// Cell `at` of the strip in the previous row.
    #[inline(always)]
    pub fn cell(&self, at: usize) -> V {
        self.old[TILE + self.start + at]
    }

    /// Cells left of the strip that its items read, or that make reads left of cell 0 safe.
    pub fn halo(&self) -> usize {
        self.items.heaviest.min(self.start + TILE)
    }

    /// The base of 16-bit or 32-bit differences; see [`super::forward`].
    pub fn base<N: Narrow<V>>(&self) -> V {
        if N::HIGHEST == i64::from(i16::MAX) {
            V::of(self.cell(0).wide() + N::HIGHEST - self.items.most)
        } else {
            self.cell(0)
        }
    }

    /// The part of the previous row that the strip reads, unpacked.
    #[inline(always)]
    pub fn native(&self) -> View<'a, V> {
        View { cells: self.old, origin: TILE + self.start }
    }
}

/// The cells that a strip's items read.
#[derive(Clone, Copy)]
pub struct View<'a, N> {
    /// Cells.
    pub cells: &'a [N],
    /// The position among them where the strip begins.
    pub origin: usize,
}

/// Packs the strip's own cells, with room for its halo before them.
#[inline(always)]
pub fn pack_strip<V: Cell, N: Narrow<V>>(strip: &Strip<'_, V>, base: V, window: &mut Vec<N>) {
    let halo = strip.halo();
    window.resize(halo + strip.len, N::LOWEST);
    pack(&strip.old[TILE + strip.start..][..strip.len], base, &mut window[halo..]);
}

/// Packs the cells left of the strip.
#[inline(always)]
pub fn pack_halo<V: Cell, N: Narrow<V>>(strip: &Strip<'_, V>, base: V, window: &mut [N]) {
    let halo = strip.halo();
    pack(&strip.old[TILE + strip.start - halo..][..halo], base, &mut window[..halo]);
}

/// Packs cells.
#[inline(always)]
pub fn pack<V: Cell, N: Narrow<V>>(cells: &[V], base: V, packed: &mut [N]) {
    for (packed, &cell) in packed.iter_mut().zip(cells) {
        *packed = N::pack(cell, base);
    }
}

/// Writes the floor of the line at every cell of the strip, minus the base. `None` if a bound exceeds the range of
/// the lanes; the strip then has no bound.
#[inline(always)]
pub fn fill_bound<V: Cell, N: Lane>(strip: &Strip<'_, V>, base: V, bound: &mut Vec<N>) -> Option<Tangent> {
    let tangent = strip.tangent?;
    let start = tangent.price.checked_mul(strip.start as i64)?.checked_add(tangent.at_zero)?;
    let start = start.checked_sub(base.wide().checked_mul(1 << tangent.shift)?)?;
    let last = tangent.price.checked_mul(strip.len as i64)?.checked_add(start)? >> tangent.shift;
    // Native cells are at least 0, so the difference of bound and cell is in range too.
    if last > N::HIGHEST / 2 && N::HIGHEST > i64::from(i16::MAX) || last > N::HIGHEST {
        return None;
    }
    bound.clear();
    bound.resize(strip.len, N::LOWEST);
    let mut line = start;
    for bound in &mut bound[..] {
        *bound = N::of(line >> tangent.shift);
        line = line.wrapping_add(tangent.price);
    }
    Some(tangent)
}

/// The shortfall of every item against the best of its class at the tangent's price. `false` if that exceeds the
/// arithmetic.
#[inline(always)]
pub fn price_items(items: &Items, tangent: &Tangent, costs: &mut Vec<(i64, u32)>) -> bool {
    let dearest = i128::from(tangent.price) * items.heaviest as i128;
    if dearest >= 1 << 60 {
        return false;
    }
    costs.clear();
    let worth = |item: &CellItem| {
        (item.value << tangent.shift).wrapping_sub(tangent.price.wrapping_mul(item.weight as i64))
    };
    let mut best = i64::MIN;
    costs.extend(items.all.iter().zip(0..).map(|(item, at)| {
        let worth = worth(item);
        best = best.max(worth);
        (worth, at)
    }));
    for (cost, _) in costs {
        *cost = best.wrapping_sub(*cost);
    }
    true
}
