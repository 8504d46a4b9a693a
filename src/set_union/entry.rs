//! Sums of items, and lists of undominated sums.

use isx_problems::value::Value;

/// A sum: its weight, its value, and the item of every class processed so far.
///
/// The items are packed, one bit field per class, the last class of the file in the highest bits: of two arrays the
/// smaller is the canonical selection. Classes that were not processed yet are zero in every sum of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<V, const W: usize> {
    pub weight: u64,
    pub value: V,
    pub items: [u64; W],
}

/// What an item adds to a sum.
#[derive(Clone, Debug)]
pub(super) struct Addend<V> {
    pub weight: u64,
    pub value: V,
    /// The word of its field, and its number in that field; 0 is no item.
    pub word: usize,
    pub bits: u64,
}

impl<V: Value, const W: usize> Entry<V, W> {
    fn plus(&self, addend: &Addend<V>) -> Self {
        let mut items = self.items;
        items[addend.word] |= addend.bits;
        Self { weight: self.weight + addend.weight, value: self.value.plus(&addend.value), items }
    }

    /// Whether it precedes the other in a list: less weight, then more value, then canonical.
    fn is_before(&self, other: &Self) -> bool {
        if self.weight != other.weight {
            return self.weight < other.weight;
        }
        if self.value != other.value {
            return self.value > other.value;
        }
        self.items <= other.items
    }
}

/// Merges two sorted runs and appends the undominated sums: weight and value strictly rising.
pub(super) fn merge<V: Value, const W: usize>(
    mut a: impl Iterator<Item = Entry<V, W>>,
    mut b: impl Iterator<Item = Entry<V, W>>,
    out: &mut Vec<Entry<V, W>>,
) {
    let from = out.len();
    let (mut x, mut y) = (a.next(), b.next());
    loop {
        let next = match (&x, &y) {
            (Some(first), Some(second)) if first.is_before(second) => std::mem::replace(&mut x, a.next()),
            (Some(_), None) => std::mem::replace(&mut x, a.next()),
            (_, Some(_)) => std::mem::replace(&mut y, b.next()),
            (None, None) => return,
        };
        if let Some(entry) = next
            && (out.len() == from || out[out.len() - 1].value < entry.value)
        {
            out.push(entry);
        }
    }
}

/// A list with `addend` added to each sum, up to the capacity.
pub(super) fn shifted<'a, V: Value, const W: usize>(
    list: &'a [Entry<V, W>],
    addend: &'a Addend<V>,
    capacity: u64,
) -> impl Iterator<Item = Entry<V, W>> + 'a {
    let room = capacity.checked_sub(addend.weight);
    let fitting = room.map_or(0, |room| list.partition_point(|entry| entry.weight <= room));
    list[..fitting].iter().map(|entry| entry.plus(addend))
}

/// Removes the sums that `other` strictly dominates: no more weight and no less value, and better in at least one.
pub(super) fn without_dominated<V: Value, const W: usize>(
    list: &mut Vec<Entry<V, W>>,
    other: &[Entry<V, W>],
) {
    let mut seen = 0;
    list.retain(|entry| {
        while other.get(seen).is_some_and(|other| other.weight <= entry.weight) {
            seen += 1;
        }
        // Values rise in a list, so the last sum of no more weight decides.
        let Some(best) = seen.checked_sub(1).map(|last| &other[last]) else { return true };
        best.value < entry.value || (best.value == entry.value && best.weight == entry.weight)
    });
}
