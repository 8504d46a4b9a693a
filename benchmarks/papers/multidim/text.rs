//! The text of a problem.
//!
//! ```text
//! n d                     number of items, number of dimensions (1 to 3)
//! c_1 .. c_d              the capacities
//! profit w_1 .. w_d       a line per item
//! ```

use super::problem::{Item, MAX_DIMENSIONS, Problem};
use crate::text::{NARROW, WIDE, whole};
use isx_problems::text::{TextError, Words};

/// A problem in whole numbers, and the scale of its profits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The problem.
    pub problem: Problem,
    /// Decimals of the profits.
    pub places: u32,
}

const PROFITS: TextError = TextError::Range { what: "profits", bits: WIDE };
const WEIGHTS: &str = "weights and the capacity";

/// Reads a problem.
/// Fails with the place of what is wrong.
///
/// ```
/// let read = isx_papers::multidim::parse("2 2\n5 9.5\n3 2 4\n7 1 8.5\n").unwrap();
/// assert_eq!(read.problem.capacities, [5, 95, 0]);
/// ```
pub fn parse(text: &str) -> Result<Text, TextError> {
    let range = TextError::Range { what: WEIGHTS, bits: NARROW };
    let mut words = Words::new(text);
    let count = words.count("the number of items")?;
    let dimensions = words.count("the number of dimensions")?;
    if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
        return Err(words.wrong("a number of dimensions from 1 to 3"));
    }
    // A column of a capacity and the weights in its dimension.
    let mut columns = vec![Vec::new(); dimensions];
    for column in &mut columns {
        column.push(words.natural("a capacity", "a capacity (it may not be negative)", &range)?);
    }
    let mut profits = Vec::new();
    for _ in 0..count {
        profits.push(words.decimal("the profit of an item", &PROFITS)?);
        for column in &mut columns {
            column.push(words.natural(
                "the weight of an item",
                "a weight (it may not be negative)",
                &range,
            )?);
        }
    }
    words.end("the last item")?;
    let (profits, places) = whole("profits", &profits, WIDE)?;
    let (mut capacities, mut items) = ([0; MAX_DIMENSIONS], vec![[0; MAX_DIMENSIONS]; count]);
    for (dimension, column) in columns.iter().enumerate() {
        let (numbers, _) = whole(WEIGHTS, column, NARROW)?;
        // Below 2^62 and not below 0.
        let mut numbers = numbers.into_iter().map(|number| number as u64);
        capacities[dimension] = numbers.next().unwrap_or_default();
        items.iter_mut().zip(numbers).for_each(|(weights, weight)| weights[dimension] = weight);
    }
    let items = profits.into_iter().zip(items).map(|(profit, weights)| Item { profit, weights }).collect();
    Ok(Text { problem: Problem { dimensions, capacities, items }, places })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_become_integers_of_one_scale_a_dimension() {
        let Text { problem, places } = parse("2 3\n2.5 7 1\n-1.25 0.5 3 1\n3 2.500 4 0.25\n").unwrap();
        assert_eq!((places, problem.dimensions, problem.capacities), (2, 3, [25, 7, 100]));
        let items = [Item { profit: -125, weights: [5, 3, 100] }, Item { profit: 300, weights: [25, 4, 25] }];
        assert_eq!(problem.items, items);
    }
}
