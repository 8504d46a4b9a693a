//! What a text that cannot be read as some problem looks like, for the error message.

use crate::text::{Words, without_comment};
use crate::{knapsack, mckp};

/// The number of lines that are looked at.
const LINES: usize = 200;

/// A known format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// A 0-1 knapsack problem.
    Knapsack,
    /// A 0-1 knapsack problem, its first line `n C`, but with an id before every item.
    KnapsackWithIds,
    /// Pisinger's CSV files.
    Pisinger,
    /// A multiple-choice knapsack problem.
    Mckp,
    /// A task set in YAML.
    TaskSet,
    /// Any JSON.
    Json,
    /// A linear program as text.
    Lp,
    /// A linear program in the MPS format.
    Mps,
    /// A table with a header.
    TableWithHeader,
    /// Numbers with commas or semicolons between them.
    Separated,
}

impl Looks {
    /// The format of a text, as far as its first lines tell.
    pub fn of(text: &str) -> Option<Self> {
        let mut lines = text
            .trim_start_matches('\u{feff}')
            .lines()
            .map(|line| without_comment(line).trim())
            .filter(|line| !line.is_empty());
        let first = lines.next()?;
        if first.starts_with(['{', '[']) {
            return Some(Self::Json);
        }
        if knapsack::text::is_pisinger(text) {
            return Some(Self::Pisinger);
        }
        let mut all = std::iter::once(first).chain(lines).take(LINES);
        if let Some(found) = all.find_map(by_key_word) {
            return Some(found);
        }
        by_separators(first).or_else(|| by_numbers(text))
    }

    /// What it is, with an article.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Self::Knapsack => "a 0-1 knapsack problem",
            Self::KnapsackWithIds => "a 0-1 knapsack problem with ids",
            Self::Pisinger => "a CSV file of Pisinger's knapsack instances",
            Self::Mckp => "a multiple-choice knapsack problem",
            Self::TaskSet => "a task set in YAML",
            Self::Json => "JSON",
            Self::Lp => "a linear program in the LP format",
            Self::Mps => "a linear program in the MPS format",
            Self::TableWithHeader => "a table with a header line",
            Self::Separated => "numbers with commas or semicolons between them",
        }
    }
}

/// The format that a line names.
fn by_key_word(line: &str) -> Option<Looks> {
    let key = line.split([' ', '\t', ':']).next().unwrap_or(line);
    match key.to_ascii_lowercase().as_str() {
        "tasks" if line.contains(':') => Some(Looks::TaskSet),
        "maximize" | "minimize" | "maximise" | "minimise" | "max" | "min" | "subject" => Some(Looks::Lp),
        "rows" => Some(Looks::Mps),
        _ => None,
    }
}

/// The format of a first line with other characters than those of numbers.
fn by_separators(first: &str) -> Option<Looks> {
    let is_separator = |c: char| matches!(c, ',' | ';' | '\t');
    let words: Vec<&str> = first.split(is_separator).map(str::trim).collect();
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '"');
    if words.len() > 1 && words.iter().all(is_name) {
        return Some(Looks::TableWithHeader);
    }
    if !first.contains([',', ';']) {
        return None;
    }
    let numbers = first.split(|c| is_separator(c) || c == ' ').filter(|word| !word.is_empty());
    numbers.map(str::parse::<f64>).all(|number| number.is_ok()).then_some(Looks::Separated)
}

/// The format of a text with nothing but numbers, if they fit one.
fn by_numbers(text: &str) -> Option<Looks> {
    if knapsack::text::parse(text).is_ok() {
        return Some(Looks::Knapsack);
    }
    if mckp::text::parse(text, mckp::Choice::ExactlyOne).is_ok() {
        return Some(Looks::Mckp);
    }
    has_ids_and_capacity(text).then_some(Looks::KnapsackWithIds)
}

/// Whether a line `n C` is followed by n lines of three numbers.
fn has_ids_and_capacity(text: &str) -> bool {
    let mut words = Words::new(text);
    let Some(count) = words.next().and_then(|count| count.parse::<usize>().ok()) else { return false };
    if words.left_on_line() != 1 {
        return false;
    }
    words.whole_line();
    let mut items = 0;
    while words.next().is_some() {
        items += 1;
        if items > count || words.left_on_line() != 2 {
            return false;
        }
        words.whole_line();
    }
    items == count && count > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_known_by_its_first_lines() {
        for (text, looks) in [
            ("\u{feff}{\"schema\": 1}", Looks::Json),
            ("x\r\nn 2\r\nc 3\r\n1,2,3\r\n", Looks::Pisinger),
            ("# note\nname: a\ntasks:\n  - name: b\n", Looks::TaskSet),
            ("\\ made by X\nMaximize\n obj: x\n", Looks::Lp),
            ("NAME x\nROWS\n N cost\n", Looks::Mps),
            ("profit,weight\n1,2\n", Looks::TableWithHeader),
            ("\"profit\"\t\"weight\"\n1\t2\n", Looks::TableWithHeader),
            ("2,3\n1,2\n4,5\n", Looks::Separated),
            ("2; 3\n1; 2\n", Looks::Separated),
            ("2 12\n3 2\n9 6\n", Looks::Knapsack),
            ("2 9\n2\n3 2\n6 5\n2\n1 1\n2 4\n", Looks::Mckp),
            ("2 12\n1 3 2\n2 9 6\n", Looks::KnapsackWithIds),
        ] {
            assert_eq!(Looks::of(text), Some(looks), "{text:?}");
        }
        for text in ["", "\n#\n", "hello world\n", "1 x\n", "3 12\n3 2\n9 6\n", "1.5e9"] {
            assert_eq!(Looks::of(text), None, "{text:?}");
        }
    }
}
