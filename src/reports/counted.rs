//! The amounts that a report gives for the resources of a task set.

use crate::report::Report;
use crate::usual::{is_usual, names, usual};
use isx_exact::quantity::{Rational, format_decimal};
use isx_text::Found;
use isx_text::figures::error;
use isx_text::{Source, shortened};
use std::ops::Range;
use std::sync::Arc;

/// The most words that a message lists.
const MAX_LISTED: usize = 12;

/// A name or a path, with its place in the file.
#[derive(Clone)]
pub struct Placed<'n> {
    /// The name or path.
    pub text: &'n str,
    /// Where it stands.
    pub place: Range<usize>,
}

/// A resource, and the words of the reports that count as it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The name of the resource.
    pub name: String,
    /// Kinds of cells; none if the name is a word of the report, or a usual one.
    pub cells: Vec<String>,
    /// Where it stands in the task set.
    pub place: Range<usize>,
}

impl Counted {
    /// A resource by the usual word of each tool.
    pub fn usual(name: &str) -> Self {
        Self { name: name.to_owned(), cells: Vec::new(), place: 0..0 }
    }

    /// The amount in a report; `None` if it has none. A usual name is never taken for a cell of that name.
    fn amount(&self, report: &Report) -> Found<Option<Rational>> {
        match self.cells.as_slice() {
            [] if is_usual(&self.name) => usual(report, &self.name),
            [] => report.row(&self.name),
            cells => {
                let rows = cells.iter().map(|cell| report.row(cell)).collect::<Found<Vec<_>>>()?;
                // Only a list of the cells that are there has none of the others.
                let is_said =
                    rows.iter().any(Option::is_some) || cells.iter().all(|cell| report.leaves_out(cell));
                Ok(is_said.then(|| rows.into_iter().flatten().sum()))
            }
        }
    }

    /// Whether a report may count it.
    pub fn is_in(&self, report: &Report) -> bool {
        self.cells.is_empty() || self.cells.iter().any(|cell| !matches!(report.row(cell), Ok(None)))
    }
}

/// Where the user can name the words that count as a resource, for the hint of an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By `resources` of a task set.
    Set,
    /// In the head of a column.
    Head,
}

/// The amounts of a report.
pub fn amounts(
    resources: &[Counted],
    report: &Report,
    source: &Arc<Source>,
    path: &Placed<'_>,
    way: Way,
) -> Found<Vec<Rational>> {
    let refused = |what: String, help: String| {
        let message = format!("report `{}` ({}) {what}", shortened(path.text), report.of());
        error(source, path.place.clone(), message).label("this report").help(help)
    };
    let known = names(report);
    if known.is_empty() {
        let help = "name the report of a synthesis that counts cells or resources";
        return Err(refused("counts no hardware".to_owned(), help.to_owned()));
    }
    // A report of another tool or family would make everything free.
    if !resources.iter().any(|counted| counted.is_in(report)) {
        let words: Vec<&str> =
            resources.iter().flat_map(|counted| &counted.cells).map(String::as_str).collect();
        let help = format!("say which of its words count: it has {}", listed(&known));
        return Err(refused(format!("counts nothing called {}", listed(&words)), help));
    }
    let amount = |counted: &Counted| {
        if let Some(amount) = counted.amount(report)? {
            return Ok(amount);
        }
        let name = shortened(&counted.name);
        if !counted.cells.is_empty() {
            let cells: Vec<&str> = counted.cells.iter().map(String::as_str).collect();
            let help = format!(
                "give a report with such a row, 0 if there is none of it; this one has {}",
                listed(&known)
            );
            return Err(refused(
                format!("has no row {}, so how much `{name}` it counts is unknown", listed(&cells)),
                help,
            ));
        }
        let example = known.iter().find(|word| **word == counted.name).or(known.first()).unwrap_or(&"..");
        let example = shortened(example);
        let way = match way {
            Way::Set => format!("say which words count as it, as in `resources: {{{name}: ..}}`"),
            Way::Head if is_usual(&example) => {
                format!(
                    "a task set with reports can count the cells of this name, by `resources: {{{name}: {example}}}`"
                )
            }
            Way::Head => format!("name one of its words in the head of the column, as in `area [{example}]`"),
        };
        let usual = if is_usual(&counted.name) { " by a usual word" } else { "" };
        let help = format!("{way}; the report has {}", listed(&known));
        Err(refused(format!("does not count `{name}`{usual}"), help))
    };
    resources.iter().map(amount).collect()
}

/// `a, b, c and 7 more`.
pub fn listed(words: &[&str]) -> String {
    let mut text: Vec<String> =
        words.iter().take(MAX_LISTED).map(|word| format!("`{}`", shortened(word))).collect();
    if words.len() > MAX_LISTED {
        text.push(format!("{} more", words.len() - MAX_LISTED));
    }
    text.join(", ")
}

/// Amounts in words: `1565 LUT, 0 DSP`.
pub fn in_words(resources: &[Counted], amounts: &[Rational]) -> String {
    let one =
        |(counted, amount): (&Counted, &Rational)| format!("{} {}", format_decimal(amount), counted.name);
    resources.iter().zip(amounts).map(one).collect::<Vec<_>>().join(", ")
}
