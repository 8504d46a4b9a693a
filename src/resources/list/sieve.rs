//! Sums that a sum of another state dominates: it uses one element more, costs no more of anything and has no less value.
//!
//! That element costs the other sum nothing any more, whatever is taken next, so it stays ahead; only an element of a group
//! is no help, as it excludes others. Equal sums stay: which one is canonical becomes known later.

use super::sums::{Chunk, List};
use crate::dominance::Guard;
use crate::number::Number;
use crate::shape::Shape;

/// The sums of a list that no sum of the others strictly dominates; `None` if these are all.
pub(super) fn sieved<V: Number>(
    list: &List<V>,
    others: &[&List<V>],
    shape: &Shape,
    words: usize,
) -> Option<List<V>> {
    let width = shape.width();
    let mut guard: Guard<V> = Guard::new(shape);
    let mut others: Vec<_> = others.iter().map(|other| groups(other).peekable()).collect();
    let mut equal: Vec<(&Chunk<V>, usize)> = Vec::new();
    let mut all_kept = Vec::with_capacity(list.len());
    for chunk in list {
        let mut kept = vec![true; chunk.values.len()];
        for group in 0..chunk.groups.len() {
            let amount = chunk.groups[group].0;
            equal.clear();
            for other in &mut others {
                while let Some((chunk, group)) = other.next_if(|(chunk, at)| chunk.groups[*at].0 <= amount) {
                    if chunk.groups[group].0 == amount {
                        equal.push((chunk, group));
                    } else {
                        add(&mut guard, chunk, group, shape);
                    }
                }
            }
            equal.iter().for_each(|(chunk, group)| add(&mut guard, chunk, *group, shape));
            for at in chunk.range(group) {
                let sum = (&chunk.keys[at * width..][..width], chunk.values[at]);
                let is_equal = |(chunk, group): &(&Chunk<V>, usize)| {
                    let mut sums = chunk.range(*group);
                    sums.any(|at| chunk.values[at] == sum.1 && same(&chunk.keys[at * width..], sum.0, shape))
                };
                let beaten = guard.is_beaten(&sum.0[..shape.compared()], sum.1);
                kept[at] = !beaten || equal.iter().any(is_equal);
            }
        }
        all_kept.push(kept);
    }
    if all_kept.iter().flatten().all(|&kept| kept) {
        return None;
    }
    Some(list.iter().zip(&all_kept).map(|(chunk, kept)| chunk.only(kept, width, words)).collect())
}

/// The groups of a list, each as its chunk and place.
fn groups<V>(list: &List<V>) -> impl Iterator<Item = (&Chunk<V>, usize)> {
    list.iter().flat_map(|chunk| (0..chunk.groups.len()).map(move |group| (chunk, group)))
}

fn add<V: Number>(guard: &mut Guard<V>, chunk: &Chunk<V>, group: usize, shape: &Shape) {
    for at in chunk.range(group) {
        let key = &chunk.keys[at * shape.width()..][..shape.compared()];
        if !guard.is_beaten(key, chunk.values[at]) {
            guard.add(key, chunk.values[at]);
        }
    }
}

/// Whether two keys are equal in what is compared.
fn same(a: &[u64], b: &[u64], shape: &Shape) -> bool {
    a[..shape.compared()] == b[..shape.compared()]
}
