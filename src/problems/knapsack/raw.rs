//! A problem as written in a text and as integers, shared by all formats.

use super::{Item, Knapsack};
use crate::text::{CAPACITY, FIRST_ROOM, TextError, VALUE_BITS, WEIGHTS, Words, scaled, scaled_weight};
use isx_exact::quantity::Scaled;

/// A problem in integers, the scale of its numbers, and what its file says beyond them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnapsackText {
    /// The problem, profits times 10^`profit_places`, weights and capacity times 10^`weight_places`.
    pub problem: Knapsack,
    /// Number of decimals of the profits.
    pub profit_places: u32,
    /// Number of decimals of the weights.
    pub weight_places: u32,
    /// The problem's name, in formats that have one.
    pub name: Option<String>,
    /// The items' ids in file order, in formats that have them.
    pub ids: Option<Vec<u64>>,
    /// The optimum that the file states, unscaled.
    pub stated: Option<Scaled>,
}

pub(super) const PROFITS: TextError = TextError::Range { what: "profits", bits: VALUE_BITS };

/// The number of items.
pub(super) fn item_count(words: &mut Words<'_>) -> Result<usize, TextError> {
    let count = words.count("the number of items")?;
    match u32::try_from(count) {
        Ok(_) => Ok(count),
        Err(_) => Err(TextError::Many { what: "items", most: u32::MAX }),
    }
}

pub(super) fn read_capacity(words: &mut Words<'_>) -> Result<Scaled, TextError> {
    words.natural("the capacity", "a capacity (it may not be negative)", &CAPACITY)
}

/// The items as written in the text.
pub(super) struct Raw {
    items: Vec<(Scaled, Scaled)>,
    ids: Option<Vec<u64>>,
}

impl Raw {
    pub(super) fn new(count: usize, with_ids: bool) -> Self {
        let room = count.min(FIRST_ROOM);
        Self { items: Vec::with_capacity(room), ids: with_ids.then(|| Vec::with_capacity(room)) }
    }

    /// Reads the id, if there are ids, the profit and the weight of an item.
    pub(super) fn read_item(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        if let Some(ids) = &mut self.ids {
            ids.push(words.id("the id of an item")?);
        }
        let profit = words.decimal("the profit of an item", &PROFITS)?;
        let negative = "a weight (it may not be negative)";
        self.items.push((profit, words.natural("the weight of an item", negative, &WEIGHTS)?));
        Ok(())
    }

    /// The problem in integers.
    pub(super) fn scaled(self, capacity: Scaled) -> Result<KnapsackText, TextError> {
        let Self { items: raw, ids } = self;
        let profit_places = raw.iter().map(|(profit, _)| profit.places).max().unwrap_or(0);
        let weight_places = raw
            .iter()
            .map(|(_, weight)| weight.places)
            .fold(capacity.places, |places, more| places.max(more));
        let item = |&(profit, weight): &(Scaled, Scaled)| {
            let profit = scaled(profit, profit_places, VALUE_BITS).ok_or(PROFITS)?;
            Ok(Item { profit, weight: scaled_weight(weight, weight_places).ok_or(WEIGHTS)? })
        };
        let items = raw.iter().map(item).collect::<Result<Vec<_>, TextError>>()?;
        let capacity = scaled_weight(capacity, weight_places).ok_or(CAPACITY)?;
        let problem = Knapsack { items, capacity };
        Ok(KnapsackText { problem, profit_places, weight_places, name: None, ids, stated: None })
    }
}
