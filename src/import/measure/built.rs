//! Designs that were built: what their reports count of each resource, of several builds the best.
//!
//! Synthesis is no function of the design alone: the same multiplier takes 397 or 197 LUTs by another recipe of the same
//! tool. So a design may have several reports, by recipe or seed. The best counts: the first in the order of the
//! resources with the least amounts. All of it is one build; amounts of different builds are never mixed. How far the
//! builds lie apart tells how far a small difference can be trusted.

use super::reading::{Placed, names};
use crate::figures::{Found, error, meant};
use crate::format::Files;
use crate::reports::comparable::{self, Compared};
use crate::reports::{self, Report};
use crate::usual::names as names_of;
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::document::{Field, Fields, Node, Value};
use isx_taskset::{Diagnostic, ReadError, Source, printable, resource_name_problem, shortened};
use num_traits::Zero;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// The most resources of a manifest, as many as a task set has.
const MAX_RESOURCES: usize = 16;

/// The most words that a message lists.
const MAX_LISTED: usize = 12;

/// A resource, and the words of the reports that count as it.
#[derive(Clone, Debug)]
pub struct Counted {
    pub name: String,
    /// Kinds of cells; none if the name is a word of the report, or a usual one.
    cells: Vec<String>,
    place: Range<usize>,
}

impl Counted {
    /// A resource by the usual word of each tool.
    pub fn usual(name: &str) -> Self {
        Self { name: name.to_owned(), cells: Vec::new(), place: 0..0 }
    }

    /// The resources of a manifest: a list of names, or names with the cells that count as each.
    pub fn read(source: &Arc<Source>, field: Field<'_>) -> Found<Vec<Self>> {
        let due = "the name of a resource";
        let mut all = Vec::new();
        if let Value::List(_) = &field.node.value {
            for name in names(source, field, due)? {
                all.push(Self { place: name.place, ..Self::usual(name.text) });
            }
        } else {
            for (name, node) in super::reading::entries(source, field, due)? {
                let cells = cells(source, &name, node)?;
                all.push(Self { cells, place: name.place, ..Self::usual(name.text) });
            }
        }
        for (at, counted) in all.iter().enumerate() {
            let refused = |problem: String| error(source, counted.place.clone(), problem);
            if let Some(problem) = resource_name_problem(&counted.name) {
                let message = format!("the resource `{}` {problem}", shortened(&counted.name));
                return Err(refused(message).label("another name is due here, for example `LUT`"));
            }
            if at == MAX_RESOURCES {
                let message = format!("{field} has more than {MAX_RESOURCES} resources");
                return Err(refused(message).label("one too many"));
            }
        }
        Ok(all)
    }

    /// The amount in a report; `None` if it does not say it. A usual name is never a cell of that name.
    fn amount(&self, report: &Report) -> Found<Option<Rational>> {
        match self.cells.as_slice() {
            [] if reports::is_usual(&self.name) => reports::usual(report, &self.name),
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

    fn is_in(&self, report: &Report) -> bool {
        self.cells.is_empty() || self.cells.iter().any(|cell| !matches!(report.row(cell), Ok(None)))
    }
}

/// One kind of cell, or a list of them.
fn cells(source: &Arc<Source>, name: &Placed<'_>, node: &Node<'_>) -> Found<Vec<String>> {
    let refused = |place: Range<usize>| {
        let message = format!("resource `{}`: a kind of cell is a word", shortened(name.text));
        error(source, place, message)
            .label("the cells that count as it are due here")
            .help("for example `LUT: SB_LUT4`, or several: `LUT: [LUT4, LUT5, LUT6]`; `resources: [LUT, DSP]` takes each tool's own words")
    };
    let word = |node: &Node<'_>| -> Found<String> {
        let text = node.text().filter(|text| !node.is_null() && !text.trim().is_empty());
        Ok(text.ok_or_else(|| refused(node.bytes.clone()))?.to_owned())
    };
    match &node.value {
        Value::List(items) if !items.is_empty() => items.iter().map(word).collect(),
        Value::Scalar { .. } if !node.is_null() => Ok(vec![word(node)?]),
        _ => Err(refused(if node.bytes.is_empty() { name.place.clone() } else { node.bytes.clone() })),
    }
}

/// A design as it was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The amount of each resource in the best of its reports.
    pub amounts: Vec<Rational>,
    /// How far the amounts of its reports lie apart.
    pub spread: Vec<Rational>,
    /// The best report, and what the others say.
    pub words: String,
    /// The names of all its reports.
    pub files: Vec<String>,
}

impl Built {
    /// The best of these reports.
    pub fn best(resources: &[Counted], all: Vec<(String, Vec<Rational>)>) -> Option<Self> {
        // The first of equal ones.
        let best = all.iter().min_by(|(_, one), (_, other)| one.cmp(other))?;
        let range = |at: usize| {
            let amounts = || all.iter().filter_map(|(_, amounts)| amounts.get(at));
            Some((amounts().min()?.clone(), amounts().max()?.clone()))
        };
        let ranges: Vec<(Rational, Rational)> = (0..resources.len()).filter_map(range).collect();
        let mut words = best.0.clone();
        if all.len() > 1 {
            let told = ranges.iter().zip(resources).enumerate();
            // The first resource decides; of the others those that differ are worth a word.
            let told = told.filter(|(at, ((least, most), _))| *at == 0 || least != most);
            let told = told.map(|(_, ((least, most), counted))| {
                let least_words = format_decimal(least);
                let to = if least == most { String::new() } else { format!(" to {}", format_decimal(most)) };
                format!("{least_words}{to} {}", counted.name)
            });
            let told: Vec<String> = told.collect();
            words = format!("{words} (best of {}: {})", all.len(), told.join(", "));
        }
        let spread = ranges.iter().map(|(least, most)| most - least).collect();
        let amounts = best.1.clone();
        Some(Self { amounts, spread, words, files: all.into_iter().map(|(file, _)| file).collect() })
    }
}

/// The reports that a manifest names, each read once.
pub struct Reports<'r> {
    pub source: &'r Arc<Source>,
    files: &'r Files,
    resources: &'r [Counted],
    read: HashMap<String, Rc<Report>>,
}

impl<'r> Reports<'r> {
    pub fn new(source: &'r Arc<Source>, files: &'r Files, resources: &'r [Counted]) -> Self {
        Self { source, files, resources, read: HashMap::new() }
    }

    /// A report, by its path as the manifest has it.
    pub fn get(&mut self, path: &Placed<'_>) -> Found<Rc<Report>> {
        if let Some(report) = self.read.get(path.text) {
            return Ok(Rc::clone(report));
        }
        let refused = |problem: &str| {
            let message = format!("report `{}`: {problem}", shortened(path.text));
            error(self.source, path.place.clone(), message).label("named here")
        };
        let bytes = self.files.read(path.text).map_err(|problem| {
            refused(&printable(&problem)).help("paths of reports begin at the folder of the manifest")
        })?;
        // What is wrong in a report is shown there, if it has a place.
        let report = reports::read(path.text, &bytes).map_err(|refusal| match &refusal.error {
            ReadError::Invalid { diagnostics, .. } => match diagnostics.first() {
                Some(first) => Box::new(first.clone()),
                None => refused("it cannot be read"),
            },
            ReadError::File { problem, .. } => refused(&problem.to_string()),
            other => refused(&other.to_string()),
        })?;
        let report = Rc::new(report);
        self.read.insert(path.text.to_owned(), Rc::clone(&report));
        Ok(report)
    }

    /// The reports of the lists `reports` and `timing` anywhere in a node, with their places; those that cannot be read are
    /// refused where they are used.
    fn named_in(&mut self, node: &Node<'_>, found: &mut Vec<(Compared, Range<usize>)>) {
        match &node.value {
            Value::List(items) => items.iter().for_each(|item| self.named_in(item, found)),
            Value::Map(pairs) => {
                for (key, value) in pairs {
                    let counts = key.text() == Some("reports");
                    match &value.value {
                        Value::List(paths) if counts || key.text() == Some("timing") => {
                            let texts =
                                paths.iter().filter_map(|path| Some((path.text()?, path.bytes.clone())));
                            for (text, place) in texts {
                                let report = self.get(&Placed { text, place: place.clone() }).ok();
                                let compared = report.and_then(|report| Compared::new(text, &report, counts));
                                found.extend(compared.map(|compared| (compared, place)));
                            }
                        }
                        _ => self.named_in(value, found),
                    }
                }
            }
            Value::Scalar { .. } => {}
        }
    }

    /// Refuses reports of several tools or families, or of another family than the device; a warning if they are of
    /// several series of one.
    pub fn refuse_others(&mut self, root: &Node<'_>, device: Option<&str>) -> Found<Option<Diagnostic>> {
        let mut found = Vec::new();
        self.named_in(root, &mut found);
        let (all, places): (Vec<Compared>, Vec<Range<usize>>) = found.into_iter().unzip();
        let place = |at: usize| places.get(at).cloned().unwrap_or_default();
        match comparable::first_incomparable(self.source, &all, place, device) {
            Some((_, refused)) => Err(refused),
            None => {
                Ok(comparable::first_of_another_series(self.source, &all, place).map(|(_, warning)| *warning))
            }
        }
    }

    /// All reports that were read.
    pub fn compared(&self) -> Vec<Compared> {
        let mut all: Vec<_> = self.read.iter().collect();
        all.sort_by_key(|(file, _)| *file);
        all.into_iter().filter_map(|(file, report)| Compared::new(file, report, true)).collect()
    }

    /// The design whose reports these keys name.
    pub fn design(&mut self, fields: &Fields<'_>) -> Found<Built> {
        let field = fields.required("reports").map_err(|error| {
            error.help("add `reports: [FILE, ..]`: the reports of the whole design with it, by several recipes or seeds if there are")
        })?;
        let mut all = Vec::new();
        for path in names(self.source, field, "the path of a report")? {
            let report = self.get(&path)?;
            all.push((
                path.text.to_owned(),
                amounts(self.resources, &report, self.source, &path, Way::Manifest)?,
            ));
        }
        Built::best(self.resources, all).ok_or_else(|| field.error("is empty"))
    }

    /// Refuses a resource whose cells no report has: a slip of the pen would make all hardware free.
    pub fn refuse_uncounted(&self) -> Found<()> {
        let all = || self.read.values().filter(|report| !report.amounts.is_empty());
        for counted in self.resources {
            if all().any(|report| counted.is_in(report)) {
                continue;
            }
            let mut known: Vec<&str> =
                all().flat_map(|report| report.amounts.keys().map(String::as_str)).collect();
            known.sort_unstable();
            known.dedup();
            let word = counted.cells.first().map_or("", String::as_str);
            let message = format!(
                "no report counts `{}`, so resource `{}` would be 0 everywhere",
                shortened(word),
                shortened(&counted.name)
            );
            let label = meant(word, known.iter().copied());
            let label = label.unwrap_or_else(|| "nothing is called so".to_owned());
            let help =
                format!("the reports count {}; leave the resource out if no design has any", listed(&known));
            return Err(error(self.source, counted.place.clone(), message).label(label).help(help));
        }
        Ok(())
    }
}

/// How the words that count as a resource are named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By `resources` of a manifest.
    Manifest,
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
    let known = names_of(report);
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
            Way::Manifest => format!("say which words count as it, as in `resources: {{{name}: ..}}`"),
            Way::Head if reports::is_usual(&example) => {
                format!("a manifest can count the cells of this name, by `resources: {{{name}: {example}}}`")
            }
            Way::Head => format!("name one of its words in the head of the column, as in `area [{example}]`"),
        };
        let usual = if reports::is_usual(&counted.name) { " by a usual word" } else { "" };
        let help = format!("{way}; the report has {}", listed(&known));
        Err(refused(format!("does not count `{name}`{usual}"), help))
    };
    resources.iter().map(amount).collect()
}

/// `a, b, c and 7 more`.
fn listed(words: &[&str]) -> String {
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

/// The amounts that are not 0, by name.
pub fn as_cost(resources: &[Counted], amounts: &[Rational]) -> Vec<(String, Rational)> {
    let all = resources.iter().zip(amounts).filter(|(_, amount)| !amount.is_zero());
    all.map(|(counted, amount)| (counted.name.clone(), amount.clone())).collect()
}
