//! The text formats of multiple knapsack problems.
//!
//! ```text
//! n m                 items, knapsacks       or      m                   number of knapsacks
//! c_1 .. c_m          capacities                     n                   number of items
//! profit weight       a line per item                c_1 .. c_m          a line per knapsack
//!                                                    weight profit       a line per item, the weight first
//! ```
//!
//! The second is that of the instances of M. Dell'Amico, M. Delorme, M. Iori and S. Martello ("Mathematical models and
//! decomposition methods for the multiple knapsack problem", European Journal of Operational Research 274, 2019), among
//! them those of Fukunaga; it is recognized by a first line with one number. Profits may be negative; weights and
//! capacities may not. All numbers may be decimals, as in [`crate::text`].

use super::{Item, Multiple};
use crate::text::{CAPACITY, FIRST_ROOM, TextError, VALUE_BITS, WEIGHTS, Words, scaled, scaled_weight};
use isx_exact::quantity::Scaled;
use std::io;

const PROFITS: TextError = TextError::Range { what: "profits", bits: VALUE_BITS };

/// A problem in integers and the scale of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultipleText {
    /// The problem, profits times 10^`profit_places`, weights and capacities times 10^`weight_places`.
    pub problem: Multiple,
    /// Number of decimals of the profits.
    pub profit_places: u32,
    /// Number of decimals of the weights.
    pub weight_places: u32,
}

/// Reads a problem in either format. Fails with [`TextError`], with line and column.
///
/// ```
/// use isx_problems::multiple::text::parse;
/// let problem = parse("2 2\n12 5\n3 2\n9 6\n").unwrap().problem;
/// assert_eq!((problem.items.len(), &problem.capacities[..]), (2, &[12, 5][..]));
/// assert_eq!(parse("2\n2\n12\n5\n2 3\n6 9\n").unwrap().problem, problem);
/// ```
pub fn parse(text: &str) -> Result<MultipleText, TextError> {
    let mut words = Words::new(text);
    let first = words.count("the number of items, or of knapsacks")?;
    let is_public = words.at_line_end();
    let second = words.count(if is_public { "the number of items" } else { "the number of knapsacks" })?;
    let (items, knapsacks) = if is_public { (second, first) } else { (first, second) };
    for (count, what) in [(items, "items"), (knapsacks, "knapsacks")] {
        if u32::try_from(count).is_err() {
            return Err(TextError::Many { what, most: u32::MAX });
        }
    }
    let mut capacities = Vec::with_capacity(knapsacks.min(FIRST_ROOM));
    for _ in 0..knapsacks {
        capacities.push(words.natural("a capacity", "a capacity (it may not be negative)", &CAPACITY)?);
    }
    let weight = |words: &mut Words<'_>| {
        words.natural("the weight of an item", "a weight (it may not be negative)", &WEIGHTS)
    };
    let mut raw = Vec::with_capacity(items.min(FIRST_ROOM));
    for _ in 0..items {
        raw.push(if is_public {
            let weight = weight(&mut words)?;
            (words.decimal("the profit of an item", &PROFITS)?, weight)
        } else {
            (words.decimal("the profit of an item", &PROFITS)?, weight(&mut words)?)
        });
    }
    words.end("the last item")?;
    in_integers(&capacities, &raw)
}

fn in_integers(capacities: &[Scaled], raw: &[(Scaled, Scaled)]) -> Result<MultipleText, TextError> {
    let profit_places = raw.iter().map(|(profit, _)| profit.places).max().unwrap_or(0);
    let weights = capacities.iter().chain(raw.iter().map(|(_, weight)| weight));
    let weight_places = weights.map(|weight| weight.places).max().unwrap_or(0);
    let item = |&(profit, weight): &(Scaled, Scaled)| {
        let profit = scaled(profit, profit_places, VALUE_BITS).ok_or(PROFITS)?;
        Ok(Item { profit, weight: scaled_weight(weight, weight_places).ok_or(WEIGHTS)? })
    };
    let capacity = |&capacity: &Scaled| scaled_weight(capacity, weight_places).ok_or(CAPACITY);
    let problem = Multiple {
        capacities: capacities.iter().map(capacity).collect::<Result<_, TextError>>()?,
        items: raw.iter().map(item).collect::<Result<_, TextError>>()?,
    };
    Ok(MultipleText { problem, profit_places, weight_places })
}

/// Writes a problem in the first format.
pub fn write(problem: &Multiple, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "{} {}", problem.items.len(), problem.capacities.len())?;
    let capacities: Vec<String> = problem.capacities.iter().map(u64::to_string).collect();
    writeln!(out, "{}", capacities.join(" "))?;
    for item in &problem.items {
        writeln!(out, "{} {}", item.profit, item.weight)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_become_integers_of_one_scale() {
        let read = parse("# n m\n2 2\n2.5 7\n-1.25 0.5\n3 2.500\n").unwrap();
        assert_eq!((read.profit_places, read.weight_places), (2, 1));
        assert_eq!(read.problem.capacities, [25, 70]);
        assert_eq!(read.problem.items, [Item { profit: -125, weight: 5 }, Item { profit: 300, weight: 25 }]);
        assert_eq!(parse("2\r\n2\n2.5\n7\n0.5 -1.25\n2.500\t3\n").unwrap(), read);
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(
            message(""),
            "line 1: the file ends where the number of items, or of knapsacks should stand"
        );
        assert_eq!(message("2 x"), "line 1, column 3: `x` is not the number of knapsacks");
        assert_eq!(message("2\nx"), "line 2, column 1: `x` is not the number of items");
        assert_eq!(
            message("1 1\n-5\n3 2"),
            "line 2, column 1: `-5` is not a capacity (it may not be negative)"
        );
        assert_eq!(
            message("1 1\n5\n3 -2"),
            "line 3, column 3: `-2` is not a weight (it may not be negative)"
        );
        assert_eq!(message("1\n1\n5\n3"), "line 4: the file ends where the profit of an item should stand");
        assert_eq!(message("1 1\n5\n3 2\n7"), "line 4, column 1: `7` stands after the last item");
        assert!(message("99999999999999999999 1").contains("more than 4294967295 items"));
        assert!(message("1 99999999999999999999").contains("more than 4294967295 knapsacks"));
    }

    #[test]
    fn what_is_written_reads_back() {
        let item = |profit, weight| Item { profit, weight };
        for problem in [
            Multiple { capacities: vec![12, 0], items: vec![item(3, 2), item(-9, 0)] },
            Multiple { capacities: vec![], items: vec![item(3, 2)] },
            Multiple { capacities: vec![(1 << 62) - 1], items: vec![] },
        ] {
            let mut text = Vec::new();
            write(&problem, &mut text).unwrap();
            assert_eq!(parse(std::str::from_utf8(&text).unwrap()).unwrap().problem, problem);
        }
    }
}
