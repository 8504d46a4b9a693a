//! Tells whether a sum is dominated by one before it: sums come in rising order of one resource, and the guard holds
//! the others' amounts and values.

use super::pages::Pages;
use super::table::Table;
use crate::number::Number;
use crate::shape::Shape;
use std::collections::BTreeMap;

/// The sums so far.
pub(crate) enum Guard<V> {
    /// All other resources have small limits.
    Table(Table<V>),
    /// One other resource: values rise with its amount.
    Stairs(BTreeMap<u64, V>, u64),
    /// Several other resources.
    Pages(Pages<V>, Vec<u64>),
}

impl<V: Number> Guard<V> {
    /// No sum so far.
    pub fn new(shape: &Shape) -> Self {
        match shape.cells {
            Some(cells) => Self::Table(Table::new(&shape.axes, cells)),
            None if shape.axes.len() == 1 => Self::Stairs(BTreeMap::new(), shape.axes[0].limit),
            None => {
                Self::Pages(Pages::new(shape.axes.len()), shape.axes.iter().map(|axis| axis.limit).collect())
            }
        }
    }

    /// Whether the key is beyond a limit, or some sum so far has a key nowhere larger and at least this value.
    pub fn is_beaten(&self, key: &[u64], value: V) -> bool {
        match self {
            Self::Table(table) => table.at(key[0]) >= value,
            Self::Stairs(stairs, limit) => {
                key[0] > *limit || stairs.range(..=key[0]).next_back().is_some_and(|(_, &best)| best >= value)
            }
            Self::Pages(pages, limits) => {
                key.iter().zip(limits).any(|(amount, limit)| amount > limit) || pages.is_beaten(key, value)
            }
        }
    }

    /// Adds a sum that is not beaten.
    pub fn add(&mut self, key: &[u64], value: V) {
        match self {
            Self::Table(table) => table.add(key[0], value),
            Self::Stairs(stairs, _) => {
                let beaten =
                    stairs.range(key[0]..).take_while(|(_, best)| **best <= value).map(|(&at, _)| at);
                for at in beaten.collect::<Vec<u64>>() {
                    stairs.remove(&at);
                }
                stairs.insert(key[0], value);
            }
            Self::Pages(pages, limits) => pages.add(&key[..limits.len()], value),
        }
    }
}
