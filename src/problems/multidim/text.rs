//! The text format of multi-dimensional knapsack problems.
//!
//! ```text
//! n d                     number of items, number of dimensions (1 to 3)
//! c_1 .. c_d              the capacities
//! profit w_1 .. w_d       a line an item
//! ```
//!
//! Several problems are written in sequence after a first line that contains only their number. Otherwise numbers may
//! be separated by any white space. Profits may be negative; weights and capacities may not. All numbers may be
//! decimals: the profits of a problem, and the weights and the capacity of each of its dimensions, are scaled to
//! integers by the smallest sufficient power of ten, so nothing is rounded.

use super::{Item, MAX_DIMENSIONS, Multidim, PerDimension};
use crate::text::{CAPACITY, FIRST_ROOM, TextError, VALUE_BITS, WEIGHTS, Words, scaled, scaled_weight};
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
}

/// The problems of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultidimTexts {
    /// The problems in order.
    pub problems: Vec<MultidimText>,
    /// Whether the text starts with a problem count, which may be 1.
    pub counted: bool,
}

const PROFITS: TextError = TextError::Range { what: "profits", bits: VALUE_BITS };

/// Reads one problem or several. Fails with a [`TextError`] that has the line number.
///
/// ```
/// use isx_problems::multidim::text::parse;
/// let text = "2 2\n5 9.5\n3 2 4\n7 1 8.5\n";
/// let read = parse(text).unwrap();
/// assert_eq!(read.problems[0].problem.capacities, [5, 95, 0]);
/// ```
pub fn parse(text: &str) -> Result<MultidimTexts, TextError> {
    let mut words = Words::new(text);
    let mut ahead = words.clone();
    ahead.count("the number of items, or of problems")?;
    if !ahead.at_line_end() {
        let problems = vec![problem(&mut words)?];
        words.end("the last item")?;
        return Ok(MultidimTexts { problems, counted: false });
    }
    let count = words.count("the number of problems")?;
    let mut problems = Vec::with_capacity(count.min(FIRST_ROOM));
    for _ in 0..count {
        problems.push(problem(&mut words)?);
    }
    words.end("the last item of the last problem")?;
    Ok(MultidimTexts { problems, counted: true })
}

fn problem(words: &mut Words<'_>) -> Result<MultidimText, TextError> {
    let count = words.count("the number of items")?;
    let dimensions = words.count("the number of dimensions")?;
    if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
        return Err(words.wrong("a number of dimensions from 1 to 3"));
    }
    let nothing = Scaled { digits: 0, places: 0 };
    let mut capacities = [nothing; MAX_DIMENSIONS];
    let mut weight_places = [0; MAX_DIMENSIONS];
    for (capacity, places) in capacities.iter_mut().zip(&mut weight_places).take(dimensions) {
        *capacity = words.natural("a capacity", "a capacity (it may not be negative)", &CAPACITY)?;
        *places = capacity.places;
    }
    let mut raw = Vec::with_capacity(count.min(FIRST_ROOM));
    let mut profit_places = 0;
    for _ in 0..count {
        let profit = words.decimal("the profit of an item", &PROFITS)?;
        profit_places = profit_places.max(profit.places);
        let mut weights = [nothing; MAX_DIMENSIONS];
        for (weight, places) in weights.iter_mut().zip(&mut weight_places).take(dimensions) {
            *weight =
                words.natural("the weight of an item", "a weight (it may not be negative)", &WEIGHTS)?;
            *places = weight.places.max(*places);
        }
        raw.push((profit, weights));
    }
    let whole = |numbers: &[Scaled; MAX_DIMENSIONS], error: &TextError| -> Result<PerDimension, TextError> {
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
    Ok(MultidimText { problem, profit_places, weight_places })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_become_integers_of_one_scale_a_dimension() {
        let read = parse("2 3\n2.5 7 1\n-1.25 0.5 3 1\n3 2.500 4 0.25\n").unwrap();
        let [MultidimText { problem, profit_places, weight_places }] = &read.problems[..] else {
            panic!("{read:?}")
        };
        assert!(!read.counted);
        assert_eq!((*profit_places, *weight_places), (2, [1, 0, 2]));
        assert_eq!((problem.dimensions, problem.capacities), (3, [25, 7, 100]));
        let expected =
            [Item { profit: -125, weights: [5, 3, 100] }, Item { profit: 300, weights: [25, 4, 25] }];
        assert_eq!(problem.items, expected);
    }

    #[test]
    fn a_number_alone_on_the_first_line_counts_problems() {
        let read = parse("\n 2 \n1 2\n5 6\n1 2 3\n0 1 7\n").unwrap();
        assert!(read.counted);
        let problems: Vec<_> = read.problems.iter().map(|read| &read.problem).collect();
        assert_eq!(
            (problems[0].dimensions, problems[0].capacities, problems[0].items.len()),
            (2, [5, 6, 0], 1)
        );
        assert_eq!(
            (problems[1].dimensions, problems[1].capacities, problems[1].items.len()),
            (1, [7, 0, 0], 0)
        );
        assert_eq!(parse("0\n").unwrap().problems, []);
        assert_eq!(parse("1\n0 2 3 4").unwrap().problems.len(), 1);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(message(""), "the file ends where the number of items, or of problems should stand");
        assert_eq!(message("x 2"), "line 1: `x` is not the number of items, or of problems");
        assert_eq!(message("1 4\n"), "line 1: `4` is not a number of dimensions from 1 to 3");
        assert_eq!(message("1 0\n"), "line 1: `0` is not a number of dimensions from 1 to 3");
        assert_eq!(message("1 2\n5 -1\n"), "line 2: `-1` is not a capacity (it may not be negative)");
        assert_eq!(message("1 2\n5 1\n\n3 -2 1"), "line 4: `-2` is not a weight (it may not be negative)");
        assert_eq!(message("2 1\n5\n3 2\n"), "the file ends where the profit of an item should stand");
        assert_eq!(message("1 1\n5\n3 2\n7"), "line 4: `7` stands after the last item");
        assert_eq!(
            message("1\n1 1\n5\n3 2\n7"),
            "line 5: `7` stands after the last item of the last problem"
        );
        assert_eq!(message("3\n1 1\n5\n3 2\n"), "the file ends where the number of items should stand");
        assert_eq!(message("1 1\n5\n1e3 2"), "line 3: `1e3` is not the profit of an item");
        assert!(message("99999999999999999999999 2\n5 5\n").contains("ends where the profit"));
        assert!(message("1 1\n0.000000000000000001\n1 9000000000\n").contains("2^62"));
    }

    #[test]
    fn every_range_holds_at_its_ends() {
        let profit = (1i128 << 120) - 1;
        let weight = (1u64 << 62) - 1;
        let read = parse(&format!("2 2\n{weight} 0\n{profit} {weight} 0\n-{profit} 0 {weight}\n")).unwrap();
        let problem = &read.problems[0].problem;
        assert_eq!(problem.capacities, [weight, 0, 0]);
        assert_eq!(problem.items[0], Item { profit, weights: [weight, 0, 0] });
        assert_eq!(problem.items[1], Item { profit: -profit, weights: [0, weight, 0] });
        let wrong = |text: String| parse(&text).unwrap_err();
        assert_eq!(wrong(format!("1 1\n1\n{} 1\n", profit + 1)), PROFITS);
        assert_eq!(wrong(format!("1 1\n1\n1 {}\n", weight + 1)), WEIGHTS);
        assert_eq!(wrong(format!("1 1\n{}\n1 1\n", weight + 1)), CAPACITY);
        // Each dimension of each problem has its own scale.
        assert!(parse(&format!("1 2\n{weight} 0.5\n1 1 1\n")).is_ok());
        assert!(parse(&format!("2\n1 1\n{weight}\n1 1\n1 1\n0.5\n1 1\n")).is_ok());
        assert_eq!(wrong(format!("1 1\n{weight}\n1 0.5\n")), CAPACITY);
    }
}
