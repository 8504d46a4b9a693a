//! The text formats of 0-1 knapsack problems.
//!
//! ```text
//! n C                 number of items, capacity      or      n                       number of items
//! profit weight       a line an item                         id profit weight        a line an item
//!                                                            C                       capacity
//! ```
//!
//! The second is that of public instance sets, recognized by a first line with one number. Its ids are whole numbers
//! and are discarded: items are numbered in file order, from 0. Profits may be negative; weights and the capacity may
//! not. All numbers may be decimals, as in [`crate::text`].

use super::{Item, Knapsack};
use crate::text::{CAPACITY, FIRST_ROOM, TextError, VALUE_BITS, WEIGHTS, Words, scaled, scaled_weight};
use isx_exact::quantity::Scaled;
use std::io;

/// A problem in integers and the scale of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnapsackText {
    /// The problem, profits times 10^`profit_places`, weights and capacity times 10^`weight_places`.
    pub problem: Knapsack,
    /// Number of decimals of the profits.
    pub profit_places: u32,
    /// Number of decimals of the weights.
    pub weight_places: u32,
}

const PROFITS: TextError = TextError::Range { what: "profits", bits: VALUE_BITS };

/// Reads a problem in either format. Fails with a [`TextError`] that has the line number.
///
/// ```
/// use isx_problems::knapsack::text::parse;
/// let problem = parse("2 12\n3 2\n9 6\n").unwrap().problem;
/// assert_eq!((problem.items.len(), problem.capacity), (2, 12));
/// assert_eq!(parse("2\n1 3 2\n2 9 6\n12\n").unwrap().problem, problem);
/// ```
pub fn parse(text: &str) -> Result<KnapsackText, TextError> {
    let mut words = Words::new(text);
    let count = words.count("the number of items")?;
    if u32::try_from(count).is_err() {
        return Err(TextError::Many { what: "items", most: u32::MAX });
    }
    let with_ids = words.at_line_end();
    let first_capacity = if with_ids { None } else { Some(read_capacity(&mut words)?) };
    let mut raw: Vec<(Scaled, Scaled)> = Vec::with_capacity(count.min(FIRST_ROOM));
    for _ in 0..count {
        if with_ids {
            words.count("the id of an item")?;
        }
        let profit = words.decimal("the profit of an item", &PROFITS)?;
        let negative = "a weight (it may not be negative)";
        raw.push((profit, words.natural("the weight of an item", negative, &WEIGHTS)?));
    }
    let capacity = match first_capacity {
        Some(capacity) => capacity,
        None => read_capacity(&mut words)?,
    };
    words.end(if with_ids { "the capacity" } else { "the last item" })?;
    let profit_places = raw.iter().map(|(profit, _)| profit.places).max().unwrap_or(0);
    let weight_places =
        raw.iter().map(|(_, weight)| weight.places).fold(capacity.places, |places, more| places.max(more));
    let item = |&(profit, weight): &(Scaled, Scaled)| {
        let profit = scaled(profit, profit_places, VALUE_BITS).ok_or(PROFITS)?;
        Ok(Item { profit, weight: scaled_weight(weight, weight_places).ok_or(WEIGHTS)? })
    };
    let items = raw.iter().map(item).collect::<Result<Vec<_>, TextError>>()?;
    let capacity = scaled_weight(capacity, weight_places).ok_or(CAPACITY)?;
    Ok(KnapsackText { problem: Knapsack { items, capacity }, profit_places, weight_places })
}

fn read_capacity(words: &mut Words) -> Result<Scaled, TextError> {
    words.natural("the capacity", "a capacity (it may not be negative)", &CAPACITY)
}

/// Writes a problem in the first format.
pub fn write(problem: &Knapsack, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "{} {}", problem.items.len(), problem.capacity)?;
    for item in &problem.items {
        writeln!(out, "{} {}", item.profit, item.weight)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_become_integers_of_one_scale_in_both_formats() {
        let read = parse("2 2.5\n-1.25 0.5\n3 2.500\n").unwrap();
        assert_eq!((read.profit_places, read.weight_places, read.problem.capacity), (2, 1, 25));
        let expected = [Item { profit: -125, weight: 5 }, Item { profit: 300, weight: 25 }];
        assert_eq!(read.problem.items, expected);
        assert_eq!(parse("2\n7 -1.25 0.5\n8 3 2.500\n2.5\n").unwrap(), read);
        // Only the capacity may have more decimals.
        assert_eq!(parse("1\n0 1 2\n2.5").unwrap().problem.items, [Item { profit: 1, weight: 20 }]);
    }

    #[test]
    fn the_first_line_tells_the_format() {
        for text in ["0 5", "0\n5\n", "\n 0 \n\n5"] {
            assert_eq!(parse(text).unwrap().problem, Knapsack { items: vec![], capacity: 5 }, "{text:?}");
        }
        assert_eq!(parse("1 5\r\n3 2\r\n").unwrap(), parse("1\r\n0 3 2\r\n5\r\n").unwrap());
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(message(""), "the file ends where the number of items should stand");
        assert_eq!(message("x 2"), "line 1: `x` is not the number of items");
        assert_eq!(message("2 x"), "line 1: `x` is not the capacity");
        assert_eq!(message("1 -5\n1 1"), "line 1: `-5` is not a capacity (it may not be negative)");
        assert_eq!(message("1 5\n\n3 -2"), "line 3: `-2` is not a weight (it may not be negative)");
        assert_eq!(message("2 5\n3 2\n"), "the file ends where the profit of an item should stand");
        assert_eq!(message("1 5\n3 2\n7"), "line 3: `7` stands after the last item");
        assert_eq!(message("1 5\n1e3 2"), "line 2: `1e3` is not the profit of an item");
        assert_eq!(message("1\n0.5 3 2\n7"), "line 2: `0.5` is not the id of an item");
        assert_eq!(message("1\n0 3 2\n"), "the file ends where the capacity should stand");
        assert_eq!(message("1\n0 3 2\n5\n6"), "line 4: `6` stands after the capacity");
        assert!(message("4294967295 5\n").contains("ends where the profit"));
        let many = "there are to be more than 4294967295 items; no more can be numbered";
        assert_eq!([message("4294967296 5\n"), message("99999999999999999999 5\n")], [many, many]);
    }

    #[test]
    fn every_range_holds_at_its_ends() {
        let profit = (1i128 << 120) - 1;
        let weight = (1u64 << 62) - 1;
        let read = parse(&format!("2 {weight}\n{profit} {weight}\n-{profit} 0.000\n")).unwrap().problem;
        assert_eq!(read.capacity, weight);
        assert_eq!(read.items, [Item { profit, weight }, Item { profit: -profit, weight: 0 }]);
        assert_eq!(parse(&format!("1 5\n{} 1\n", profit + 1)), Err(PROFITS));
        assert_eq!(parse(&format!("2 5\n{profit} 1\n0.5 1")), Err(PROFITS));
        assert_eq!(parse(&format!("1 5\n0 {}\n", weight + 1)), Err(WEIGHTS));
        assert_eq!(parse(&format!("1\n0 0 1\n{}\n", weight + 1)), Err(CAPACITY));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let items = vec![Item { profit: -3, weight: 0 }, Item { profit: 1 << 119, weight: 1 << 61 }];
        let problem = Knapsack { items, capacity: 1 << 61 };
        let mut text = Vec::new();
        write(&problem, &mut text).unwrap();
        assert_eq!(parse(std::str::from_utf8(&text).unwrap()).unwrap().problem, problem);
    }
}
