//! Guesses the format of a text that the expected reader refused, for the error message.

use crate::text::{Words, without_comment, words_per_line};
use crate::{knapsack, mckp};

/// The number of lines that are looked at.
const LINES: usize = 200;

/// A known format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// A 0-1 knapsack problem.
    Knapsack,
    /// Pisinger's CSV files.
    Pisinger,
    /// A multiple-choice knapsack problem.
    Mckp,
    /// A multiple-choice knapsack problem with several resources.
    Mmkp,
    /// A file of the OR-Library.
    OrLibrary,
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
    /// The format of a text, as far as its first lines show.
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

    /// Whether the reader of this format accepts the text; true for formats that are not read here.
    pub fn is_read(self, text: &str) -> bool {
        self != Self::Pisinger || knapsack::text::parse_all(text).is_ok()
    }

    /// What it is, with an article.
    pub fn what(self) -> &'static str {
        match self {
            Self::Knapsack => "a 0-1 knapsack problem",
            Self::Pisinger => "a CSV file of Pisinger's knapsack instances",
            Self::Mckp => "a multiple-choice knapsack problem",
            Self::Mmkp => "a multiple-choice knapsack problem with several resources (MMKP)",
            Self::OrLibrary => "a file of multi-dimensional knapsack problems from the OR-Library",
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
    if is_mmkp(text) {
        return Some(Looks::Mmkp);
    }
    is_or_library(text).then_some(Looks::OrLibrary)
}

/// Whether a line of three numbers comes first, or after the number of problems.
fn is_or_library(text: &str) -> bool {
    let mut words = Words::new(text);
    let is_number = |word: Option<&str>| word.is_some_and(|word| word.parse::<f64>().is_ok());
    let first = is_number(words.next()) && (!words.at_line_end() || is_number(words.next()));
    first && words.left_on_line() == 2
}

/// Whether a line of R capacities, after one that has the number R, is followed by items of R + 1 numbers (R + 2 where
/// they are numbered), in classes: each below a line of its own, or all of one size that the first line gives.
fn is_mmkp(text: &str) -> bool {
    let lines = words_per_line(text);
    let numbers = |at: usize| -> Vec<u64> {
        let line = lines.get(at).and_then(|(line, _)| text.lines().nth(line - 1)).unwrap_or("");
        without_comment(line).split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    (1..=2).any(|at| {
        let Some((&(_, resources), rest)) = lines.get(at..).and_then(|lines| lines.split_first()) else {
            return false;
        };
        let head = numbers(at - 1);
        let is_item = |width: &u64| (resources + 1..=resources + 2).contains(width);
        let items = rest.iter().filter(|(_, width)| is_item(width)).count();
        let classes = rest.len() - items;
        let is_class = |width: u64| width <= 2;
        let of_one_size = || {
            let product = |one: &u64| head.iter().any(|other| one.checked_mul(*other) == Some(items as u64));
            head.len() > 2 && head.iter().any(product)
        };
        resources > 1
            && head.contains(&resources)
            && rest.iter().all(|(_, width)| is_item(width) || is_class(*width))
            && items > 1
            && if classes == 0 { of_one_size() } else { classes <= items }
    })
}
