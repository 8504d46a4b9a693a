//! The text format of multiple-choice knapsack problems.
//!
//! ```text
//! m C                 number of classes, capacity
//! n                   then for each class: number of items,
//! value weight        and a line per item
//! ```
//!
//! Numbers are separated by any white space. Values may be negative; weights and the capacity may not. All numbers
//! may be decimals: they are scaled to integers by the smallest sufficient power of ten, so nothing is rounded.

use super::{Choice, Item, Mckp};
use crate::text::{CAPACITY, FIRST_ROOM, TextError, VALUE_BITS, WEIGHTS, Words, scaled, scaled_weight};
use isx_exact::quantity::Scaled;

/// A problem in integers and the scale of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MckpText {
    /// The problem, values times 10^`value_places`, weights and capacity times 10^`weight_places`.
    pub problem: Mckp<i128>,
    /// Number of decimals of the values.
    pub value_places: u32,
    /// Number of decimals of the weights.
    pub weight_places: u32,
}

const VALUES: TextError = TextError::Range { what: "values", bits: VALUE_BITS };

/// Reads a problem, with exactly-one or optional choice. Fails with a [`TextError`] that has the line number.
///
/// ```
/// use isx_problems::mckp::{Choice, text::parse};
/// let text = "2 12\n3\n3 2\n2 2\n9 6\n2\n1 4\n5 8\n";
/// let problem = parse(text, Choice::ExactlyOne).unwrap().problem;
/// assert_eq!((problem.classes.len(), problem.capacity), (2, 12));
/// ```
pub fn parse(text: &str, choice: Choice) -> Result<MckpText, TextError> {
    let mut words = Words::new(text);
    let classes = words.count("the number of classes")?;
    let capacity = words.natural("the capacity", "a capacity (it may not be negative)", &CAPACITY)?;
    let mut raw: Vec<Vec<(Scaled, Scaled)>> = Vec::with_capacity(classes.min(FIRST_ROOM));
    let (mut value_places, mut weight_places) = (0, capacity.places);
    for _ in 0..classes {
        let count = words.count("the number of items of a class")?;
        let mut items = Vec::with_capacity(count.min(FIRST_ROOM));
        for _ in 0..count {
            let value = words.decimal("the value of an item", &VALUES)?;
            let (line, around) = (words.line(), words.around());
            let weight =
                words.natural("the weight of an item", "a weight (it may not be negative)", &WEIGHTS)?;
            if words.line() != line {
                let numbers = |line: &str| line.split_ascii_whitespace().count();
                // One number per line is valid too.
                if numbers(around) > 1 || numbers(words.around()) > 1 {
                    let problem =
                        "the value of an item ends this line, and its weight is on another".to_owned();
                    return Err(TextError::Layout { line, problem });
                }
            }
            value_places = value_places.max(value.places);
            weight_places = weight_places.max(weight.places);
            items.push((value, weight));
        }
        raw.push(items);
    }
    words.end("the last item of the last class")?;
    let item = |&(value, weight): &(Scaled, Scaled)| {
        let value = scaled(value, value_places, VALUE_BITS).ok_or(VALUES)?;
        Ok(Item { value, weight: scaled_weight(weight, weight_places).ok_or(WEIGHTS)? })
    };
    let class = |items: &Vec<(Scaled, Scaled)>| items.iter().map(item).collect::<Result<Vec<_>, _>>();
    let classes = raw.iter().map(class).collect::<Result<Vec<_>, TextError>>()?;
    let capacity = scaled_weight(capacity, weight_places).ok_or(CAPACITY)?;
    Ok(MckpText { problem: Mckp { classes, capacity, choice }, value_places, weight_places })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_capacity;

    #[test]
    fn decimals_become_integers_of_one_scale() {
        let read = parse("1 2.5\n2\n-1.25 0.5\n3 2.500\n", Choice::Optional).unwrap();
        assert_eq!((read.value_places, read.weight_places), (2, 1));
        assert_eq!(read.problem.capacity, 25);
        let expected = [Item { value: -125, weight: 5 }, Item { value: 300, weight: 25 }];
        assert_eq!(read.problem.classes, [expected]);
        assert_eq!(parse_capacity("1.99", read.weight_places), Ok(19));
        assert_eq!(parse_capacity("3", read.weight_places), Ok(30));
    }

    #[test]
    fn numbers_of_any_length_get_the_error_that_is_meant_for_them() {
        let message = |text: &str| parse(text, Choice::ExactlyOne).unwrap_err().to_string();
        for digits in [37, 38, 39, 40, 1000] {
            let number = "9".repeat(digits);
            assert_eq!(
                message(&format!("1 5\n1\n{number} 2")),
                "the values are too large, or have too many digits: as multiples of their last decimal place they reach 2^120"
            );
            assert_eq!(message(&format!("1 5\n1\n-{number} 2")), message(&format!("1 5\n1\n{number} 2")));
            assert_eq!(
                message(&format!("1 5\n1\n2 {number}")),
                "the weights are too large, or have too many digits: as multiples of their last decimal place they reach 2^62"
            );
            let capacity = parse_capacity(&number, 0).unwrap_err().to_string();
            assert_eq!(message(&format!("1 {number}\n1\n2 1")), capacity);
            assert!(
                capacity.starts_with("the weights and the capacity are too large, or have too many digits")
            );
            assert!(message(&format!("{number} 5\n")).contains("ends where the number of items"));
            assert!(message(&format!("1 5\n{number}\n")).contains("ends where the value"));
        }
        let fine = format!("0.{}1", "0".repeat(18));
        assert_eq!(
            message(&format!("1 5\n1\n{fine} 2")),
            format!("line 3, column 1: `{fine}` has more than 18 decimals")
        );
        assert_eq!(parse_capacity(&fine, 0), Ok(0));
        assert_eq!(parse_capacity(&format!("0.{}1", "0".repeat(1000)), 18), Ok(0));
    }

    #[test]
    fn every_range_holds_at_its_ends() {
        let read = |text: &str| parse(text, Choice::ExactlyOne);
        let value = (1i128 << 120) - 1;
        let read_back = read(&format!("1 5\n2\n{value} 1\n-{value} 0.000\n")).unwrap().problem;
        assert_eq!(read_back.classes[0][0].value, value);
        assert_eq!(read_back.classes[0][1].value, -value);
        assert!(matches!(read(&format!("1 5\n1\n{} 1\n", value + 1)), Err(VALUES)));
        assert!(matches!(read(&format!("1 5\n1\n{value} 1\n1\n0.5 1\n")), Err(TextError::Rest { .. })));
        assert!(matches!(read(&format!("2 5\n1\n{value} 1\n1\n0.5 1\n")), Err(VALUES)));
        let weight = (1u64 << 62) - 1;
        let problem = read(&format!("1 {weight}\n1\n0 {weight}\n")).unwrap().problem;
        assert_eq!((problem.capacity, problem.classes[0][0].weight), (weight, weight));
        assert_eq!(read(&format!("1 {weight}\n1\n0 {}\n", weight + 1)), Err(WEIGHTS));
        assert_eq!(read(&format!("1 {}\n1\n0 {weight}\n", weight + 1)), Err(CAPACITY));
        assert_eq!(parse_capacity(&weight.to_string(), 0), Ok(weight));
        assert_eq!(parse_capacity(&weight.to_string(), 1), Err(CAPACITY));
        // A capacity with more decimals than the weights is truncated before it is scaled.
        assert_eq!(parse_capacity(&format!("{weight}.999999999999999999"), 0), Ok(weight));
        assert_eq!(parse_capacity("0.000000000000000001", 18), Ok(1));
        assert_eq!(read("0 0").unwrap().problem.classes.len(), 0);
        assert_eq!(read("1 0\n0\n").unwrap().problem.classes, [[]]);
    }
}
