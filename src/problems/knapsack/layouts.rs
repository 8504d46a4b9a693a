//! The layouts of 0-1 knapsack problems without key words, told apart by the numbers on all lines.
//!
//! ```text
//! 3 9        3          3          3
//! 6 4        9          6 4        0 6 4
//! 8 5        6 4        8 5        1 8 5
//! 5 3        8 5        5 3        2 5 3
//! 1 1 0      5 3        9          9
//! ```
//!
//! A first line says too little: the second and the last of these begin alike and have as many numbers as the second with
//! a selection. So every layout of [`LAYOUTS`] is held against the lines. It fits if each item has a line of its own; if no
//! layout does, lines may hold several whole items, or all lines a single number. Two that fit and mean different
//! problems are refused.

use super::raw::{KnapsackText, Raw, item_count, read_capacity};
use crate::text::{TextError, Words, words_per_line};
use isx_exact::quantity::Scaled;

/// What stands where; the number of items is first in all layouts.
struct Layout {
    capacity_last: bool,
    with_ids: bool,
    /// Whether a zero or one per item ends the text: a known selection, whose profit is the optimum stated.
    with_selection: bool,
    words: &'static str,
}

const fn layout(what: [bool; 3], words: &'static str) -> Layout {
    let [capacity_last, with_ids, with_selection] = what;
    Layout { capacity_last, with_ids, with_selection, words }
}

const LAYOUTS: &[Layout] = &[
    layout([false, false, false], "n, C, then `profit weight` per item"),
    layout([false, false, true], "n, C, then `profit weight` per item, then a selection"),
    layout([true, true, false], "n, then `id profit weight` per item, then C"),
    layout([true, false, false], "n, then `profit weight` per item, then C"),
    layout([false, true, false], "n, C, then `id profit weight` per item"),
    layout([false, true, true], "n, C, then `id profit weight` per item, then a selection"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// An item per line.
    Lines,
    /// All numbers are there, and no line ends within an item, or every line has one number.
    Free,
}

impl Layout {
    fn item_width(&self) -> u64 {
        if self.with_ids { 3 } else { 2 }
    }

    fn fit(&self, count: usize, lines: &[(usize, u64)]) -> Option<Fit> {
        let (start, count) = (if self.capacity_last { 1 } else { 2 }, count as u64);
        let end = count.checked_mul(self.item_width())?.checked_add(start)?;
        let after = if self.capacity_last { 1 } else { u64::from(self.with_selection) * count };
        if lines.iter().map(|(_, width)| width).sum::<u64>() != end + after {
            return None;
        }
        let ends: Vec<u64> =
            lines.iter().scan(0, |at, (_, width)| Some(*at + width).inspect(|end| *at = *end)).collect();
        let is_end = |at: u64| ends.binary_search(&at).is_ok();
        let of_items = || ends.iter().filter(|at| (start..=end).contains(at));
        let is_whole = |at: &&u64| (**at - start).is_multiple_of(self.item_width());
        let is_capacity_apart =
            if self.capacity_last { is_end(1) && is_end(end) } else { is_end(2) || !is_end(1) };
        if of_items().all(|at| is_whole(&at)) && is_capacity_apart {
            if of_items().count() as u64 == count + 1 {
                return Some(Fit::Lines);
            }
            // Two lines of n numbers may be all profits and all weights.
            let are_rows = count > 2 && lines.iter().filter(|(_, width)| *width == count).count() > 1;
            return (!are_rows).then_some(Fit::Free);
        }
        lines.iter().all(|(_, width)| *width == 1).then_some(Fit::Free)
    }

    fn read(&self, text: &str) -> Result<KnapsackText, TextError> {
        let mut words = Words::new(text);
        let count = item_count(&mut words)?;
        let mut capacity = None;
        if !self.capacity_last {
            capacity = Some(read_capacity(&mut words)?);
        }
        let mut raw = Raw::new(count, self.with_ids);
        let mut first_line = 0;
        for item in 0..count {
            raw.read_item(&mut words)?;
            if item == 0 {
                first_line = words.line();
            }
        }
        let last = if self.capacity_last { "the capacity" } else { "the last item" };
        let capacity = capacity.map_or_else(|| read_capacity(&mut words), Ok)?;
        let chosen = if self.with_selection { selection(&words, count) } else { None };
        if chosen.is_none() {
            words.end(last)?;
        }
        let mut read = raw.scaled(capacity)?;
        if let Some(ids) = read.ids.as_ref().filter(|_| !self.capacity_last) {
            let is_counted_from = |first| ids.iter().copied().eq((first..).take(ids.len()));
            if !is_counted_from(0) && !is_counted_from(1) {
                let problem = "an item has three numbers where profit and weight are due, and the first of them are no ids \
                               from 0 or 1 on";
                return Err(TextError::Layout { line: first_line, problem: problem.to_owned() });
            }
        }
        if let Some(chosen) = chosen {
            let of_chosen = || read.problem.items.iter().zip(&chosen).filter(|(_, chosen)| **chosen);
            let weight = of_chosen().map(|(item, _)| u128::from(item.weight)).sum::<u128>();
            if weight > u128::from(read.problem.capacity) {
                words.next();
                let problem = "the selection after the items weighs more than the capacity: each item has its profit first \
                               and its weight second";
                return Err(TextError::Layout { line: words.line(), problem: problem.to_owned() });
            }
            // A sum beyond 128 bits is left out: it is only compared.
            let digits = of_chosen().try_fold(0i128, |sum, (item, _)| sum.checked_add(item.profit));
            read.stated = digits.map(|digits| Scaled { digits, places: read.profit_places });
        }
        Ok(read)
    }
}

/// The selection that the rest of a text states: a zero or one for every item, and nothing else.
fn selection(words: &Words<'_>, count: usize) -> Option<Vec<bool>> {
    let mut words = words.clone();
    let mut chosen = Vec::new();
    while let Some(word) = words.next() {
        chosen.push(match word {
            "0" if chosen.len() < count => false,
            "1" if chosen.len() < count => true,
            _ => return None,
        });
    }
    (count > 0 && chosen.len() == count).then_some(chosen)
}

/// Reads a problem in the one layout that fits.
pub(super) fn read(text: &str) -> Result<KnapsackText, TextError> {
    let count = item_count(&mut Words::new(text))?;
    let lines = words_per_line(text);
    let fits: Vec<(&Layout, Fit)> =
        LAYOUTS.iter().filter_map(|layout| Some((layout, layout.fit(count, &lines)?))).collect();
    let best = if fits.iter().any(|(_, fit)| *fit == Fit::Lines) { Fit::Lines } else { Fit::Free };
    let mut found: Option<(&Layout, KnapsackText)> = None;
    let mut refused = None;
    for (layout, _) in fits.into_iter().filter(|(_, fit)| *fit == best) {
        match (layout.read(text), &found) {
            (Err(problem), _) => drop(refused.get_or_insert(problem)),
            (Ok(read), None) => found = Some((layout, read)),
            (Ok(read), Some((first, other))) if read.problem != other.problem => {
                let problem = format!(
                    "the numbers fit two layouts, {}, and {}: write n and C on line 1, and an item per line",
                    first.words, layout.words
                );
                return Err(TextError::Layout { line: 1, problem });
            }
            _ => {}
        }
    }
    match (found, refused) {
        (Some((_, read)), _) => Ok(read),
        (None, Some(problem)) => Err(problem),
        (None, None) => Err(misfit(text, count, &lines)),
    }
}

/// The error for a text that fits no layout.
fn misfit(text: &str, count: usize, lines: &[(usize, u64)]) -> TextError {
    let layout = |(line, problem)| TextError::Layout { line, problem };
    if let Some(found) = wrong_head(text, count, lines).or_else(|| odd_line(count, lines)) {
        return layout(found);
    }
    let is = |at: usize, width: u64| lines.get(at).is_some_and(|(_, other)| *other == width);
    let nearest = match (is(0, 1), is(1, 3)) {
        (true, true) => &LAYOUTS[2],
        _ => &LAYOUTS[0],
    };
    match nearest.read(text) {
        Err(problem) => problem,
        Ok(_) => layout((1, format!("lines end within an item of the layout {}", nearest.words))),
    }
}

/// Items of one width whose number is not that of the first line.
fn wrong_head(text: &str, count: usize, lines: &[(usize, u64)]) -> Option<(usize, String)> {
    let [(line, first), rest @ ..] = lines else { return None };
    if rest.len() > 1 && lines.iter().all(|(_, width)| *width == 1) {
        let problem = "every line has one number: a file holds the number of items and the capacity on line 1, then the \
                       profit and the weight of an item per line";
        return Some((*line, problem.to_owned()));
    }
    let own_line = *first == 1 && rest.first().is_some_and(|(_, width)| *width == 1);
    let items = if own_line { &rest[1..] } else { rest };
    let n = items.len();
    let width = items.first()?.1;
    let second = || Words::new(text).skip(1);
    if (2..=3).contains(&n)
        && count >= 3
        && width == count as u64
        && items.iter().all(|(_, other)| *other == width)
    {
        let problem = "profits and weights stand in rows: write an item per line, `profit weight`".to_owned();
        return Some((items[0].0, problem));
    }
    if !(2..=3).contains(&width) || items.iter().any(|(_, other)| *other != width) {
        return None;
    }
    let given = Words::new(text).next().unwrap_or("");
    let problem = match (own_line, first) {
        (false, 1) if n == count && width == 2 => {
            format!("the capacity is missing: line {line} should be `{n} C`, with the capacity for C")
        }
        (false, 1) if n != count => {
            format!("the number of items is missing: line {line} should be `{n} {given}`")
        }
        (true, _) | (_, 2) if n != count && second() == Some(&n.to_string()) => {
            format!("the number of items comes first: line {line} should be `{n} {given}`")
        }
        (true, _) | (_, 2) if n != count => {
            let (lines, follow) = if n == 1 { ("line", "follows") } else { ("lines", "follow") };
            format!("{count} items are counted here, and {n} {lines} of {width} numbers {follow}")
        }
        _ => return None,
    };
    Some((*line, problem))
}

/// The first line that has not an item's two numbers, if most have.
fn odd_line(count: usize, lines: &[(usize, u64)]) -> Option<(usize, String)> {
    let items = lines.iter().skip(1).take(count);
    let odd = || items.clone().filter(|(_, width)| *width != 2);
    let (line, width) = odd().next()?;
    (2 * odd().count() <= items.len()).then(|| {
        let numbers = if *width == 1 { "1 number".to_owned() } else { format!("{width} numbers") };
        (*line, format!("{numbers} where an item has two, its profit and its weight"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::text::parse;

    /// Profits and weights as in `3 9`, `6 4`, `8 5`, `5 3`, with ids or not.
    fn read(text: &str) -> (Vec<(i128, u64)>, u64, Option<Vec<u64>>) {
        let read = parse(text).unwrap_or_else(|problem| panic!("{text:?}: {problem}"));
        let items = read.problem.items.iter().map(|item| (item.profit, item.weight)).collect();
        (items, read.problem.capacity, read.ids)
    }

    fn refused(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn all_layouts_hold_the_same_problem() {
        let (items, ids) = (vec![(6, 4), (8, 5), (5, 3)], vec![0, 1, 2]);
        for head in ["3 9", "3\n9", "# set\r\n\r\n3\t9\r", "3 9 #n C"] {
            for end in ["", "\n1 1 0", "\n1\n1\n0\n"] {
                let text = format!("{head}\n6 4\n8 5\n5 3{end}\n");
                assert_eq!(read(&text), (items.clone(), 9, None), "{text:?}");
                let stated = parse(&text).unwrap().stated.map(|stated| stated.digits);
                assert_eq!(stated, (!end.is_empty()).then_some(14), "{text:?}");
                let text = format!("{head}\n0 6 4\n1 8 5\n2 5 3{end}\n");
                assert_eq!(read(&text), (items.clone(), 9, Some(ids.clone())), "{text:?}");
            }
        }
        assert_eq!(read("3\n6 4\n8 5\n5 3\n9\n"), (items.clone(), 9, None));
        assert_eq!(read("3\n0 6 4\n1 8 5\n2 5 3\n9\n"), (items.clone(), 9, Some(ids)));
        assert_eq!(read("3 9 6 4 8 5 5 3"), (items, 9, None));
    }

    #[test]
    fn two_layouts_of_different_meaning_are_refused() {
        let message = refused("2\n5\n3\n2\n4\n1\n");
        assert!(message.starts_with("line 1: the numbers fit two layouts, n, C, then "), "{message}");
        assert!(
            message.contains("and n, then `profit weight` per item, then C: write n and C on line 1"),
            "{message}"
        );
        // The same problem by two layouts.
        assert_eq!(read("0\n5\n"), (vec![], 5, None));
    }

    #[test]
    fn what_fits_no_layout_is_refused_with_what_to_write() {
        for (text, message) in [
            ("9\n6 4\n8 5\n5 3\n", "line 1: the number of items is missing: line 1 should be `3 9`"),
            (
                "3\n6 4\n8 5\n5 3\n",
                "line 1: the capacity is missing: line 1 should be `3 C`, with the capacity for C",
            ),
            ("9 3\n6 4\n8 5\n5 3\n", "line 1: the number of items comes first: line 1 should be `3 9`"),
            ("4 9\n6 4\n8 5\n5 3\n", "line 1: 4 items are counted here, and 3 lines of 2 numbers follow"),
            ("3 9\n6 4\n8 5 1\n5 3\n", "line 3: 3 numbers where an item has two, its profit and its weight"),
            ("3 9\n6 4\n8\n5 3\n", "line 3: 1 number where an item has two, its profit and its weight"),
            (
                "4 9\n6 8 5 2\n4 5 3 1\n",
                "line 2: profits and weights stand in rows: write an item per line, `profit weight`",
            ),
            (
                "23\n31\n29\n44\n",
                "line 1: every line has one number: a file holds the number of items and the capacity on line 1, then the \
                 profit and the weight of an item per line",
            ),
            (
                "2 9\n6 4 1\n8 5 1\n",
                "line 2: an item has three numbers where profit and weight are due, and the first of them are no ids from 0 \
                 or 1 on",
            ),
            (
                "3 9\n4 6\n5 8\n3 5\n1 1 0\n",
                "line 5: the selection after the items weighs more than the capacity: each item has its profit first and its \
                 weight second",
            ),
            ("2 9\n1\n3 2\n1\n1 1\n", "line 2: 1 number where an item has two, its profit and its weight"),
        ] {
            assert_eq!(refused(text), message, "{text:?}");
        }
    }
}
