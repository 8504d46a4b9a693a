//! The best points found so far, and which bounds may still reach them.

use isx_problems::value::Value;

/// A point with the sets of elements at which it is reached.
#[derive(Clone, Debug)]
pub struct Reached<V> {
    pub weight: u64,
    pub load: V,
    pub masks: Vec<u64>,
}

/// The front of all selections found so far: weights rise, loads fall. With a limit it has at most one point.
#[derive(Clone, Debug)]
pub struct Best<V> {
    pub points: Vec<Reached<V>>,
    pub capacity: u64,
    pub limit: Option<V>,
}

impl<V: Value> Best<V> {
    /// Adds points, in order of weight and with falling loads, reached with these elements.
    pub fn add(&mut self, points: Vec<(u64, V)>, mask: u64) {
        let within = |(weight, load): &(u64, V)| {
            *weight <= self.capacity && self.limit.as_ref().is_none_or(|limit| load <= limit)
        };
        let new = points.into_iter().filter(within);
        let mut all = std::mem::take(&mut self.points);
        all.extend(new.map(|(weight, load)| Reached { weight, load, masks: vec![mask] }));
        // Stable: the masks of a point stay in the order in which they were found.
        all.sort_by(|a, b| a.weight.cmp(&b.weight).then_with(|| a.load.cmp(&b.load)));
        for point in all {
            match self.points.last_mut() {
                Some(last) if last.weight == point.weight && last.load == point.load => {
                    let more = point.masks.into_iter().filter(|mask| !last.masks.contains(mask));
                    last.masks.extend(more.collect::<Vec<_>>());
                }
                Some(last) if last.load <= point.load => {}
                _ => self.points.push(point),
            }
        }
        if self.limit.is_some() {
            self.points.truncate(1);
        }
    }

    /// Whether a selection may be on the front, or tie with a point of it, by a lower bound on its weight: `least` gives
    /// the least weight of a selection with loads below a value, or with any; `None` if there is none.
    pub fn may_reach(&self, least: &mut dyn FnMut(Option<&V>) -> Option<u64>) -> bool {
        match &self.limit {
            Some(limit) => {
                let most = self.points.first().map_or(self.capacity, |best| best.weight);
                let above = limit.plus(&V::zero().minus(&V::minus_one()));
                least(Some(&above)).is_some_and(|weight| weight <= most)
            }
            None => self.may_reach_between(0, self.points.len(), least),
        }
    }

    /// As [`Best::may_reach`], for loads below that of the point before `from`, down to that of point `to`: such a
    /// selection is not heavier than point `to`.
    fn may_reach_between(
        &self,
        from: usize,
        to: usize,
        least: &mut dyn FnMut(Option<&V>) -> Option<u64>,
    ) -> bool {
        let below = from.checked_sub(1).map(|before| &self.points[before].load);
        let most = self.points.get(to).map_or(self.capacity, |point| point.weight);
        if least(below).is_none_or(|weight| weight > most) {
            return false;
        }
        if from == to {
            return true;
        }
        let middle = (from + to) / 2;
        self.may_reach_between(from, middle, least) || self.may_reach_between(middle + 1, to, least)
    }
}
