//! Packs items of given sizes into equal cores, exactly.
//!
//! A core is filled at a time: it begins with the items pinned to it or, if there are none, with the largest item left
//! that must be on it or on one of those like it, since one of them must hold that. The space that may stay empty on all
//! cores together is known, so a core that leaves more is not taken; nor is one that could hold another of the items
//! left, unless that item is pinned or kept apart from another (moving it there from a later core would keep every rule).
//! Between exact searches of ever more steps some tries fill each core as full as its share of the empty space asks, with
//! the order of the items changed a little from try to try.
//!
//! Worked instance: sizes 6, 5, 4, 3 in two cores of 9. Nothing may stay empty: 6 + 3, then 5 + 4.

use crate::budget::{Budget, Stopped};

/// Items to pack.
pub(crate) struct Items<'a> {
    pub sizes: Vec<i64>,
    /// The classes of cores that may hold each, a bit for each.
    pub allowed: Vec<u64>,
    /// For each core its class; cores of a class are alike but for pins.
    pub class_of: Vec<u32>,
    pub pins: &'a [Option<u32>],
    pub conflicts: &'a [Vec<u32>],
    pub capacity: i64,
}

/// Tries before the first exact search, and its steps; then there are more of both.
const FIRST_TRIES: u64 = 8;
const EXACT_STEPS: u64 = 200_000;
/// Steps to fill a core in a try.
const FILL_STEPS: u64 = 3_000;

/// A core for every item; `None` if there is no packing.
pub(crate) fn pack(items: &Items, budget: &Budget) -> Result<Option<Vec<u32>>, Stopped> {
    let total: i64 = items.sizes.iter().sum();
    let empty = items.capacity * items.class_of.len() as i64 - total;
    if empty < 0 || items.sizes.iter().any(|size| *size > items.capacity) {
        return Ok(None);
    }
    let mut order: Vec<usize> = (0..items.sizes.len()).collect();
    order.sort_by_key(|&at| (items.allowed[at].count_ones(), -items.sizes[at], at));
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let (mut tries, mut part) = (FIRST_TRIES, EXACT_STEPS);
    loop {
        for round in 0..tries {
            let mut order = order.clone();
            for at in 0..if round == 0 { 0 } else { order.len() } {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let other = (at + (random % 4) as usize).min(order.len() - 1);
                order.swap(at, other);
            }
            let Some(mut packing) = Packing::new(items, order) else { return Ok(None) };
            if packing.attempt(empty, budget)? {
                return Ok(Some(packing.core_of));
            }
        }
        let Some(mut packing) = Packing::new(items, order.clone()) else { return Ok(None) };
        match budget.share(part, |part| packing.exactly(0, empty, part)) {
            Ok(found) => return Ok(found.then_some(packing.core_of)),
            Err(Stopped) => budget.spend(0)?,
        }
        (tries, part) = (4 * tries, part.saturating_mul(8));
        // The budget is over only once something more is asked of it.
        budget.spend(1)?;
    }
}

const NONE: u32 = u32::MAX;

struct Packing<'a> {
    items: &'a Items<'a>,
    order: Vec<usize>,
    /// The cores in the order they are filled: those with pinned items first.
    fill: Vec<u32>,
    core_of: Vec<u32>,
    loads: Vec<i64>,
}

impl<'a> Packing<'a> {
    /// With the pinned items in their cores; `None` if they do not fit.
    fn new(items: &'a Items<'a>, order: Vec<usize>) -> Option<Self> {
        let mut fill: Vec<u32> = (0..items.class_of.len() as u32).collect();
        fill.sort_by_key(|&core| (!items.pins.contains(&Some(core)), core));
        let mut packing = Self {
            items,
            order,
            fill,
            core_of: vec![NONE; items.sizes.len()],
            loads: vec![0; items.class_of.len()],
        };
        for (at, pin) in items.pins.iter().enumerate() {
            let Some(pin) = *pin else { continue };
            if !packing.may_join(at, pin) {
                return None;
            }
            packing.put(at, pin);
        }
        Some(packing)
    }

    fn may_join(&self, at: usize, core: u32) -> bool {
        let fits = self.loads[core as usize] + self.items.sizes[at] <= self.items.capacity;
        fits && self.is_allowed(at, core)
            && self.items.conflicts[at].iter().all(|&other| self.core_of[other as usize] != core)
    }

    fn is_allowed(&self, at: usize, core: u32) -> bool {
        self.items.allowed[at] >> self.items.class_of[core as usize] & 1 == 1
    }

    fn put(&mut self, at: usize, core: u32) {
        self.core_of[at] = core;
        self.loads[core as usize] += self.items.sizes[at];
    }

    fn take(&mut self, at: usize) {
        let core = std::mem::replace(&mut self.core_of[at], NONE);
        self.loads[core as usize] -= self.items.sizes[at];
    }

    fn is_free(&self, at: usize) -> bool {
        self.core_of[at] == NONE
    }

    /// The largest item left.
    fn first(&self) -> Option<usize> {
        self.order.iter().copied().find(|&at| self.is_free(at))
    }

    /// The classes of the cores filled from one place to another.
    fn classes(&self, from: usize, to: usize) -> u64 {
        self.fill[from..to].iter().fold(0, |mask, &core| mask | 1 << self.items.class_of[core as usize])
    }

    /// Puts the items on a core that may be on no later one; whether they fit. They are added to a list.
    fn put_last(&mut self, place: usize, forced: &mut Vec<usize>) -> bool {
        let later = self.classes(place + 1, self.fill.len());
        for at in 0..self.items.sizes.len() {
            if self.is_free(at) && self.items.allowed[at] & later == 0 {
                if !self.may_join(at, self.fill[place]) {
                    return false;
                }
                self.put(at, self.fill[place]);
                forced.push(at);
            }
        }
        true
    }

    /// The item with which a core without pinned items begins, of those that are filled from this place on: the largest
    /// that must be on one like it, or the largest of all if each may be on any.
    fn first_of(&self, place: usize) -> Option<usize> {
        let (own, all) = (self.classes(place, place + 1), self.classes(place, self.fill.len()));
        let mut free = self.order.iter().copied().filter(|&at| self.is_free(at));
        let bound = free.clone().find(|&at| self.items.allowed[at] & all == own);
        bound.or_else(|| {
            if free.clone().all(|at| self.items.allowed[at] & all == all) { free.next() } else { None }
        })
    }

    /// Fills one core after the other, none again.
    fn attempt(&mut self, mut empty: i64, budget: &Budget) -> Result<bool, Stopped> {
        for place in 0..self.fill.len() {
            let core = self.fill[place];
            if self.loads[core as usize] == 0 {
                if self.first().is_none() {
                    return Ok(true);
                }
                if let Some(first) = self.first_of(place) {
                    self.put(first, core);
                }
            }
            if !self.put_last(place, &mut Vec::new()) {
                return Ok(false);
            }
            let wanted = empty / (self.fill.len() - place) as i64;
            let mut best = (self.items.capacity - self.loads[core as usize], Vec::new());
            let mut steps = FILL_STEPS;
            self.fullest(core, 0, wanted, &mut Vec::new(), &mut best, &mut steps);
            budget.spend((FILL_STEPS - steps) * 8 + self.order.len() as u64)?;
            for &at in &best.1 {
                self.put(at, core);
            }
            empty -= best.0;
            if empty < 0 {
                return Ok(false);
            }
        }
        Ok(self.first().is_none())
    }

    /// Looks for the items that fill a core most, content with `wanted` of empty space.
    fn fullest(
        &mut self,
        core: u32,
        from: usize,
        wanted: i64,
        chosen: &mut Vec<usize>,
        best: &mut (i64, Vec<usize>),
        steps: &mut u64,
    ) -> bool {
        let room = self.items.capacity - self.loads[core as usize];
        if room < best.0 {
            *best = (room, chosen.clone());
        }
        if best.0 <= wanted || *steps == 0 {
            return true;
        }
        for place in from..self.order.len() {
            let at = self.order[place];
            *steps = steps.saturating_sub(1);
            if !self.is_free(at) || !self.may_join(at, core) {
                continue;
            }
            self.put(at, core);
            chosen.push(at);
            let is_over = self.fullest(core, place + 1, wanted, chosen, best, steps);
            chosen.pop();
            self.take(at);
            if is_over {
                return true;
            }
        }
        false
    }

    fn exactly(&mut self, place: usize, empty: i64, budget: &Budget) -> Result<bool, Stopped> {
        let Some(&core) = self.fill.get(place) else { return Ok(self.first().is_none()) };
        let mut begun = Vec::new();
        if self.loads[core as usize] == 0 {
            if self.first().is_none() {
                return Ok(true);
            }
            begun.extend(self.first_of(place));
            begun.iter().for_each(|&first| self.put(first, core));
        }
        if !self.put_last(place, &mut begun) {
            begun.into_iter().for_each(|at| self.take(at));
            return Ok(false);
        }
        let is_candidate = |&at: &usize| self.is_free(at) && self.is_allowed(at, core);
        let free: Vec<usize> = self.order.iter().copied().filter(is_candidate).collect();
        let mut after = vec![0; free.len() + 1];
        for at in (0..free.len()).rev() {
            after[at] = after[at + 1] + self.items.sizes[free[at]];
        }
        let core = Core { core, place, empty, free, after };
        let found = self.complete(&core, 0, i64::MAX, budget)?;
        if !found {
            begun.into_iter().for_each(|at| self.take(at));
        }
        Ok(found)
    }

    /// Decides the items of a core from `from` on; `left_out` is the smallest item that was left out and could be
    /// moved here.
    fn complete(
        &mut self,
        core: &Core,
        from: usize,
        left_out: i64,
        budget: &Budget,
    ) -> Result<bool, Stopped> {
        budget.spend(20)?;
        let room = self.items.capacity - self.loads[core.core as usize];
        if room - core.after[from] > core.empty {
            return Ok(false);
        }
        let Some(&at) = core.free.get(from) else {
            return if left_out <= room {
                Ok(false)
            } else {
                self.exactly(core.place + 1, core.empty - room, budget)
            };
        };
        if self.may_join(at, core.core) {
            self.put(at, core.core);
            if self.complete(core, from + 1, left_out, budget)? {
                return Ok(true);
            }
            self.take(at);
        }
        let is_plain = self.items.conflicts[at].is_empty();
        let size = self.items.sizes[at];
        let left_out = if is_plain { left_out.min(size) } else { left_out };
        // Of equal items the later ones are left out too: which of them is here does not matter.
        let mut next = from + 1;
        while is_plain
            && core.free.get(next).is_some_and(|&other| {
                let is_same =
                    self.items.sizes[other] == size && self.items.allowed[other] == self.items.allowed[at];
                is_same && self.items.conflicts[other].is_empty()
            })
        {
            next += 1;
        }
        self.complete(core, next, left_out, budget)
    }
}

/// A core that is being filled.
struct Core {
    core: u32,
    place: usize,
    /// The space that this core and the later ones may leave empty.
    empty: i64,
    /// The items left for it when it was begun, and what those from each on add up to.
    free: Vec<usize>,
    after: Vec<i64>,
}
