//! A problem as it stands in a text, and in integers: what all formats share.

use super::{Item, MAX_DIMENSIONS, Multidim, PerDimension};
use crate::text::{CAPACITY, TextError, VALUE_BITS, WEIGHTS, Words, scaled, scaled_weight};
use isx_exact::quantity::Scaled;

/// A problem in integers and the scale of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultidimText {
    /// The problem, profits times 10^`profit_places`, weights and capacities times 10^`weight_places`.
    pub problem: Multidim,
    /// Number of decimals of the profits.
    pub profit_places: u32,
    /// Number of decimals of each dimension.
    pub weight_places: [u32; MAX_DIMENSIONS],
    /// The optimum that the file states, unscaled.
    pub stated: Option<Scaled>,
}

/// The problems of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultidimTexts {
    /// The problems in order.
    pub problems: Vec<MultidimText>,
    /// Whether the text starts with a problem count, which may be 1.
    pub counted: bool,
}

pub(super) const PROFITS: TextError = TextError::Range { what: "profits", bits: VALUE_BITS };

pub(super) const NOTHING: Scaled = Scaled { digits: 0, places: 0 };

pub(super) fn read_weight(words: &mut Words<'_>) -> Result<Scaled, TextError> {
    words.natural("the weight of an item", "a weight (it may not be negative)", &WEIGHTS)
}

/// A problem as it stands in the text.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) dimensions: usize,
    capacities: Vec<Scaled>,
    /// Profit and weights of every item.
    pub(super) items: Vec<(Scaled, [Scaled; MAX_DIMENSIONS])>,
}

impl Raw {
    pub(super) fn read_dimensions(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        self.dimensions = words.count("the number of dimensions")?;
        if (1..=MAX_DIMENSIONS).contains(&self.dimensions) {
            Ok(())
        } else {
            Err(words.wrong("a number of dimensions from 1 to 3"))
        }
    }

    pub(super) fn read_capacities(&mut self, words: &mut Words<'_>) -> Result<(), TextError> {
        for _ in 0..self.dimensions {
            let negative = "a capacity (it may not be negative)";
            self.capacities.push(words.natural("a capacity", negative, &CAPACITY)?);
        }
        Ok(())
    }

    /// The problem in integers.
    pub(super) fn scaled(self) -> Result<MultidimText, TextError> {
        let Self { dimensions, capacities: given, items: raw } = self;
        let mut capacities = [NOTHING; MAX_DIMENSIONS];
        capacities.iter_mut().zip(given).for_each(|(capacity, given)| *capacity = given);
        let profit_places = raw.iter().map(|(profit, _)| profit.places).max().unwrap_or(0);
        let mut weight_places = capacities.map(|capacity| capacity.places);
        for (_, weights) in &raw {
            for (weight, places) in weights.iter().zip(&mut weight_places) {
                *places = weight.places.max(*places);
            }
        }
        let whole =
            |numbers: &[Scaled; MAX_DIMENSIONS], error: &TextError| -> Result<PerDimension, TextError> {
                let mut whole = PerDimension::default();
                for ((whole, &number), &places) in whole.iter_mut().zip(numbers).zip(&weight_places) {
                    *whole = scaled_weight(number, places).ok_or_else(|| error.clone())?;
                }
                Ok(whole)
            };
        let item = |(profit, weights): &(Scaled, [Scaled; MAX_DIMENSIONS])| {
            let profit = scaled(*profit, profit_places, VALUE_BITS).ok_or(PROFITS)?;
            Ok(Item { profit, weights: whole(weights, &WEIGHTS)? })
        };
        let items = raw.iter().map(item).collect::<Result<_, TextError>>()?;
        let problem = Multidim { dimensions, capacities: whole(&capacities, &CAPACITY)?, items };
        Ok(MultidimText { problem, profit_places, weight_places, stated: None })
    }
}
