//! A tree of vectors, each with a value: is there one that is nowhere larger and has at least some value?
//!
//! Every node stores the least amount of each resource and the most value below it; a search skips the nodes that these
//! exclude. A full leaf is divided at the median along the axis on which its vectors differ the most, value included.

use crate::number::Number;

/// Vectors in a leaf before it is divided.
const FULL: usize = 24;

struct Node<V> {
    /// The most value below it.
    most: V,
    /// The nodes with less and with more along the axis, if it is divided.
    parts: Option<[u32; 2]>,
    axis: usize,
    /// Where it is divided: amounts up to this are in the first part; of values, those from this on.
    amount: u64,
    value: V,
    amounts: Vec<u64>,
    values: Vec<V>,
}

/// Whether no amount is larger than the other's. (An iterator over pairs is not inlined here.)
#[inline]
fn is_within(amounts: &[u64], limits: &[u64]) -> bool {
    let mut at = 0;
    while at < limits.len() && amounts[at] <= limits[at] {
        at += 1;
    }
    at == limits.len()
}

/// The vectors.
pub(crate) struct Tree<V> {
    width: usize,
    nodes: Vec<Node<V>>,
    /// The least amounts below every node.
    least: Vec<u64>,
}

impl<V: Number> Tree<V> {
    pub fn new(width: usize) -> Self {
        let mut tree = Self { width, nodes: Vec::new(), least: Vec::new() };
        tree.grow(Vec::new(), Vec::new());
        tree
    }

    /// A new leaf.
    fn grow(&mut self, amounts: Vec<u64>, values: Vec<V>) -> u32 {
        for axis in 0..self.width {
            let least = amounts.iter().skip(axis).step_by(self.width).min();
            self.least.push(least.copied().unwrap_or(u64::MAX));
        }
        let most = values.iter().copied().max().unwrap_or(V::LEAST);
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { most, parts: None, axis: 0, amount: 0, value: V::LEAST, amounts, values });
        at
    }

    fn is_above(&self, node: usize, key: &[u64], value: V) -> bool {
        self.nodes[node].most >= value && is_within(&self.least[node * self.width..][..self.width], key)
    }

    /// Whether some vector is nowhere larger and has at least this value.
    pub fn is_beaten(&self, key: &[u64], value: V) -> bool {
        self.is_beaten_below(0, key, value)
    }

    fn is_beaten_below(&self, at: usize, key: &[u64], value: V) -> bool {
        if !self.is_above(at, key, value) {
            return false;
        }
        let node = &self.nodes[at];
        if let Some(parts) = node.parts {
            return parts.iter().any(|&part| self.is_beaten_below(part as usize, key, value));
        }
        let amounts = &node.amounts[..];
        let mut from = 0;
        for other in &node.values {
            if *other >= value && is_within(&amounts[from..from + key.len()], key) {
                return true;
            }
            from += key.len();
        }
        false
    }

    /// Adds a vector.
    pub fn add(&mut self, key: &[u64], value: V) {
        let mut at = 0;
        loop {
            let least = &mut self.least[at * self.width..][..self.width];
            least.iter_mut().zip(key).for_each(|(least, &amount)| *least = amount.min(*least));
            let node = &mut self.nodes[at];
            node.most = node.most.max(value);
            let Some([first, second]) = node.parts else { break };
            let in_first =
                if node.axis == self.width { value >= node.value } else { key[node.axis] <= node.amount };
            at = if in_first { first } else { second } as usize;
        }
        let node = &mut self.nodes[at];
        let mut kept = 0;
        for from in 0..node.values.len() {
            let amounts = &node.amounts[from * self.width..][..self.width];
            let beaten = node.values[from] <= value && key.iter().zip(amounts).all(|(new, old)| new <= old);
            if !beaten {
                node.values[kept] = node.values[from];
                node.amounts.copy_within(from * self.width..(from + 1) * self.width, kept * self.width);
                kept += 1;
            }
        }
        node.values.truncate(kept);
        node.amounts.truncate(kept * self.width);
        node.values.push(value);
        node.amounts.extend_from_slice(key);
        if node.values.len() > FULL {
            self.divide(at);
        }
    }

    /// Divides a leaf at the median of the axis with the most different places.
    fn divide(&mut self, at: usize) {
        let Node { amounts, values, .. } = &self.nodes[at];
        let distinct = |axis: usize| {
            let mut along: Vec<i128> = if axis == self.width {
                values.iter().map(|value| -value.wide()).collect()
            } else {
                amounts.iter().skip(axis).step_by(self.width).map(|&amount| amount.into()).collect()
            };
            along.sort_unstable();
            let median = along[(along.len() - 1) / 2];
            // How many are left on the larger side.
            let first = along.partition_point(|&place| place <= median);
            (first.max(along.len() - first), axis, median)
        };
        let Some((larger, axis, median)) = (0..=self.width).map(distinct).min() else { return };
        if larger == values.len() {
            return;
        }
        let (mut parts, mut their_values) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for (vector, &value) in amounts.chunks_exact(self.width).zip(values) {
            let place = if axis == self.width { -value.wide() } else { vector[axis].into() };
            let side = usize::from(place > median);
            parts[side].extend_from_slice(vector);
            their_values[side].push(value);
        }
        let split =
            if axis == self.width { values.iter().copied().find(|v| -v.wide() == median) } else { None };
        let [first, second] = parts;
        let [first_values, second_values] = their_values;
        let parts = [self.grow(first, first_values), self.grow(second, second_values)];
        let node = &mut self.nodes[at];
        (node.amounts, node.values) = (Vec::new(), Vec::new());
        (node.parts, node.axis) = (Some(parts), axis);
        match split {
            Some(value) => node.value = value,
            None => node.amount = u64::try_from(median).unwrap_or(u64::MAX),
        }
    }
}
