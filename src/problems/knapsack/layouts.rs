//! The layouts of 0-1 knapsack problems without key words, distinguished by the numbers on all lines.
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
//! a selection. So every layout of [`LAYOUTS`] is compared with the lines. It fits if each item has a line of its own; if no
//! layout does, lines may hold several whole items, or all lines a single number. Two that fit and mean different
//! problems are refused.

use super::raw::{KnapsackText, Raw, item_count, read_capacity};
use crate::text::{TextError, Words, words_per_line};
use isx_exact::quantity::Scaled;

/// The order of the numbers in a file; the number of items comes first in all layouts.
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

impl Layout {
    fn item_width(&self) -> u64 {
        if self.with_ids { 3 } else { 2 }
    }

    /// Whether it fits lines with these numbers of words: `Some(true)` where each item has a line of its own.
    fn fit(&self, count: usize, lines: &[(usize, u64)]) -> Option<bool> {
        let (start, count) = (if self.capacity_last { 1 } else { 2 }, count as u64);
        let end = start + count * self.item_width();
        let after = if self.capacity_last { 1 } else { u64::from(self.with_selection) * count };
        let all = |at: &mut u64, (_, width): &(usize, u64)| Some(*at + width).inspect(|end| *at = *end);
        let ends: Vec<u64> = lines.iter().scan(0, all).collect();
        if *ends.last()? != end + after {
            return None;
        }
        let is_end = |at: u64| ends.binary_search(&at).is_ok();
        let of_items: Vec<u64> = ends.iter().copied().filter(|at| (start..=end).contains(at)).collect();
        let is_apart = if self.capacity_last { is_end(1) && is_end(end) } else { is_end(2) || !is_end(1) };
        if is_apart && of_items.iter().all(|at| (at - start).is_multiple_of(self.item_width())) {
            // Two lines of n numbers may be all profits and all weights.
            let are_rows = count > 2 && lines.iter().filter(|(_, width)| *width == count).count() > 1;
            let is_item_per_line = of_items.len() as u64 == count + 1;
            return (is_item_per_line || !are_rows).then_some(is_item_per_line);
        }
        lines.iter().all(|(_, width)| *width == 1).then_some(false)
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
                let problem = "items have three numbers instead of two, profit and weight, and the first numbers are not ids \
                               counted from 0 or 1";
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
    let fits: Vec<(&Layout, bool)> =
        LAYOUTS.iter().filter_map(|layout| Some((layout, layout.fit(count, &lines)?))).collect();
    let best = fits.iter().any(|(_, is_item_per_line)| *is_item_per_line);
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
    if let Some(found) = wrong_number(text, count, lines).or_else(|| odd_line(count, lines)) {
        return layout(found);
    }
    let is = |at: usize, width: u64| lines.get(at).is_some_and(|(_, other)| *other == width);
    let nearest = if is(0, 1) && is(1, 3) { &LAYOUTS[2] } else { &LAYOUTS[0] };
    let broken = || layout((1, format!("lines end within an item of the layout {}", nearest.words)));
    nearest.read(text).err().unwrap_or_else(broken)
}

/// What is wrong with a first line that other lines of one width follow.
fn wrong_number(text: &str, count: usize, lines: &[(usize, u64)]) -> Option<(usize, String)> {
    let [(line, first), rest @ ..] = lines else { return None };
    let own_line = *first == 1 && rest.first()?.1 == 1;
    let items = rest.get(usize::from(own_line)..)?;
    let (n, width) = (items.len(), items.first()?.1);
    if items.iter().any(|(_, other)| *other != width) {
        return None;
    }
    let mut words = Words::new(text);
    let (given, second) = (words.next()?, words.next()?);
    let has_both = own_line || *first == 2;
    let problem = match width {
        1 if own_line => "every line has one number: a file holds the number of items and the capacity on line 1, then the \
                          profit and the weight of an item per line"
            .to_owned(),
        _ if count > 2 && n < 4 && width == count as u64 => {
            "profits and weights stand in rows: write an item per line, `profit weight`".to_owned()
        }
        2 if !has_both && n == count => {
            format!("the capacity is missing: line {line} should be `{n} C`, with the capacity for C")
        }
        2 | 3 if !has_both && n != count => {
            format!("the number of items is missing: line {line} should be `{n} {given}`")
        }
        2 | 3 if has_both && n != count && second == n.to_string() => {
            format!("the number of items comes first: line {line} should be `{n} {given}`")
        }
        2 | 3 if has_both && n != count => {
            let follow = if n == 1 { "1 line follows".to_owned() } else { format!("{n} lines follow") };
            format!("the number of items is given as {count}, but {follow}, each with {width} numbers")
        }
        _ => return None,
    };
    Some((*line, problem))
}

/// The first line without the two numbers of an item, if most lines have two.
fn odd_line(count: usize, lines: &[(usize, u64)]) -> Option<(usize, String)> {
    let items = lines.iter().skip(1).take(count);
    let odd = || items.clone().filter(|(_, width)| *width != 2);
    let (line, width) = odd().next()?;
    (2 * odd().count() <= items.len()).then(|| {
        let numbers = if *width == 1 { "1 number".to_owned() } else { format!("{width} numbers") };
        (*line, format!("{numbers} where an item has two, its profit and its weight"))
    })
}
