//! The CSV files of D. Pisinger's instance sets (`smallcoeff`, `largecoeff`, `hardinstances`), several problems in one.
//!
//! ```text
//! knapPI_11_20_1000_1     name, optional
//! n 20                    number of items
//! c 970                   capacity
//! z 1428                  optimum; 0 or left out: unknown
//! time 0.00               seconds that some solver took; ignored
//! 1,582,194,0             id, profit, weight, and whether a best selection contains the item (checked and ignored)
//! ..
//! -----                   end of the problem; may be left out after the last
//! ```
//!
//! Source: D. Pisinger, "Where are the hard knapsack problems?", Computers & Operations Research 32, 2005.

use super::raw::{KnapsackText, PROFITS, Raw, item_count, read_capacity};
use crate::text::{TextError, Words};
use isx_exact::quantity::Scaled;
use std::borrow::Cow;

/// Whether the text is in this format: its first or second line begins with `n`.
pub(super) fn is_format_of(text: &str) -> bool {
    let mut words = Words::new(text);
    for _ in 0..2 {
        if words.next() == Some("n") && words.left_on_line() > 0 {
            return true;
        }
        words.whole_line();
    }
    false
}

/// Reads all problems of a text.
pub(super) fn parse(text: &str) -> Result<Vec<KnapsackText>, TextError> {
    let text: String = text.split_inclusive('\n').map(without_commas).collect();
    let mut words = Words::new(&text);
    let mut problems = Vec::new();
    while words.peek().is_some() {
        problems.push(problem(&mut words)?);
    }
    Ok(problems)
}

/// The line of an item with spaces for its commas, so that columns stay the same; any other line as it is, since a name
/// may have commas.
fn without_commas(line: &str) -> Cow<'_, str> {
    match line.trim_ascii_start().as_bytes().first() {
        Some(b'0'..=b'9') => line.replace(',', " ").into(),
        _ => line.into(),
    }
}

/// The lines before the items.
#[derive(Default)]
struct Head {
    count: Option<usize>,
    capacity: Option<Scaled>,
    stated: Option<Scaled>,
}

impl Head {
    /// Reads the line of a key word; false if the next word is none.
    fn read_line(&mut self, words: &mut Words<'_>) -> Result<bool, TextError> {
        let Some(key @ ("n" | "c" | "z" | "time")) = words.peek() else { return Ok(false) };
        words.next();
        match key {
            "n" => self.count = Some(item_count(words)?),
            "c" => self.capacity = Some(read_capacity(words)?),
            "z" => self.stated = words.stated(&PROFITS)?,
            _ => {
                words.whole_line();
            }
        }
        if words.at_line_end() {
            return Ok(true);
        }
        words.next();
        Err(words.rest("the number of this line"))
    }
}

fn problem(words: &mut Words<'_>) -> Result<KnapsackText, TextError> {
    let mut head = Head::default();
    let mut name = None;
    if !head.read_line(words)? {
        words.next();
        name = Some(words.whole_line().to_owned());
    }
    while head.read_line(words)? {}
    let Head { count, capacity, stated } = head;
    let missing = |wanted, words: &mut Words<'_>| match words.next() {
        Some(_) => words.wrong(wanted),
        None => TextError::End { wanted, line: words.line() },
    };
    let count = count.ok_or_else(|| missing("`n` and the number of items", words))?;
    let capacity = capacity.ok_or_else(|| missing("`c` and the capacity", words))?;
    let mut raw = Raw::new(count, true);
    for _ in 0..count {
        raw.read_item(words)?;
        if !words.at_line_end() && !matches!(words.next(), Some("0" | "1")) {
            return Err(words.wrong("0 or 1 (whether the item is chosen)"));
        }
        if !words.at_line_end() {
            words.next();
            return Err(words.rest("the item on its line"));
        }
    }
    match words.peek() {
        Some(dashes) if dashes.len() >= 3 && dashes.bytes().all(|byte| byte == b'-') => {
            words.next();
            words.whole_line();
        }
        // One item too many, not the name of another problem.
        Some(next) if next.parse::<u64>().is_ok() => {
            words.next();
            return Err(words.rest("the last item of a problem"));
        }
        _ => {}
    }
    Ok(KnapsackText { name, stated, ..raw.scaled(capacity)? })
}

#[cfg(test)]
mod tests {
    use crate::knapsack::text::{parse, parse_all};
    use crate::knapsack::{Item, Knapsack};
    use crate::text::{TextError, is_stated};

    const TWO: &str = "knapPI_1_3_10_1\nn 3\nc 10\nz 12\ntime 0.00\n1,3,2,1\n2,9,6,1\n3,5,5,0\n-----\n\n\
                       knapPI_1_2_10_2\nn 2\nc 1.5\nz 0\ntime 0.10\n7,1,1,1\n9,0.5,1,0\n-----\n\n";

    #[test]
    fn every_problem_has_its_name_ids_and_optimum() {
        let marked = format!("\u{feff}# made by hand\n{}", TWO.replace('\n', "\r\n"));
        for text in [TWO, &marked, &TWO.replace("-----\n\n", "-----\n"), TWO.trim_end_matches("-----\n\n")] {
            let problems = parse_all(text).unwrap();
            let [first, second] = &problems[..] else { panic!("{problems:?}") };
            let items = [(3, 2), (9, 6), (5, 5)].map(|(profit, weight)| Item { profit, weight });
            assert_eq!(first.problem, Knapsack { items: items.to_vec(), capacity: 10 });
            assert_eq!((first.name.as_deref(), &first.ids), (Some("knapPI_1_3_10_1"), &Some(vec![1, 2, 3])));
            assert!(is_stated(first.stated.unwrap(), &12.into(), 0));
            assert!(is_stated(first.stated.unwrap(), &1200.into(), 2));
            assert!(!is_stated(first.stated.unwrap(), &12.into(), 1));
            assert_eq!((second.problem.capacity, second.profit_places), (15, 1));
            assert_eq!((&second.ids, second.stated), (&Some(vec![7, 9]), None));
        }
        assert_eq!(parse(TWO), Err(TextError::Several { count: 2 }));
        let named =
            parse(&TWO[TWO.find("knapPI_1_2").unwrap_or(0)..].replace("knapPI", "made by hand, R")).unwrap();
        assert_eq!(named.name.as_deref(), Some("made by hand, R_1_2_10_2"));
        let unnamed = parse("n 1\nc 5\n4,3,2\n").unwrap();
        assert_eq!((unnamed.name, unnamed.ids, unnamed.stated), (None, Some(vec![4]), None));
    }
}
