//! Designs that were built: what their reports count of each resource, of several builds the best.
//!
//! Synthesis is no function of the design alone: the same multiplier takes 397 or 197 LUTs by another recipe of the same
//! tool. So a design may have several reports, by recipe or seed. The best counts: the first in the order of the
//! resources with the least amounts. All of it is one build; amounts of different builds are never mixed. How far the
//! builds lie apart tells how far a small difference can be trusted.

use super::reading::names;
use crate::comparable::{self, Compared};
use crate::counted::{Counted, Placed, Way, amounts, listed};
use crate::figures::{Found, error, meant};
use crate::files::Files;
use crate::reports::{self, Report};
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

/// The resources of a manifest: a list of names, or names with the cells that count as each.
pub fn counted(source: &Arc<Source>, field: Field<'_>) -> Found<Vec<Counted>> {
    let due = "the name of a resource";
    let mut all = Vec::new();
    if let Value::List(_) = &field.node.value {
        for name in names(source, field, due)? {
            all.push(Counted { place: name.place, ..Counted::usual(name.text) });
        }
    } else {
        for (name, node) in super::reading::entries(source, field, due)? {
            let cells = cells(source, &name, node)?;
            all.push(Counted { cells, place: name.place, ..Counted::usual(name.text) });
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

/// The amounts that are not 0, by name.
pub fn as_cost(resources: &[Counted], amounts: &[Rational]) -> Vec<(String, Rational)> {
    let all = resources.iter().zip(amounts).filter(|(_, amount)| !amount.is_zero());
    all.map(|(counted, amount)| (counted.name.clone(), amount.clone())).collect()
}
