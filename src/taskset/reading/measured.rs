//! What reports say of the values of a task set, in place of which their numbers are put.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use isx_exact::quantity::{
    Rational, format_decimal, format_rate, parse_decimal, parse_rate, parse_signed_decimal, parse_time,
};
use isx_reports::built::Built;
use isx_reports::comparable::{Compared, first_incomparable, first_of_another_series};
use isx_reports::counted::{Counted, Placed, Way, amounts, in_words, listed as words_listed};
use isx_reports::{Files, Report};
use num_traits::{Signed, Zero};

use super::fields::{Field, Fields};
use super::keys::{AMOUNT_KEYS, BASE_KEYS, CLOCK_KEYS, FIGURE_KEYS};
use super::resources::listed;
use super::tree::{Node, Value};
use crate::diagnostics::{
    Diagnostic, Found, Problems, ReadError, Source, meant, printable, scalar, shortened,
};
use crate::model::MAX_RESOURCES;

/// The lists whose items say where their figures come from.
const WITH_SOURCE: [&str; 6] = ["blocks", "variants", "tasks", "choices", "parts", "instructions"];

/// The most blocks that an unknown name is compared with.
const MAX_COMPARED: usize = 1_000;
/// The most reports of a design, and the most blocks that one is less.
pub const MOST_NAMED: (usize, &str) = (1_000, "up to 1000 are read");

/// What the reports say that a task set names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The text of the file with numbers and their sources in place of reports: it alone makes the task set.
    pub text: String,
    /// What is to be known of the numbers, a line each.
    pub notes: Vec<String>,
    /// What counts as each resource.
    pub resources: Vec<Counted>,
    /// What the base takes of each; empty if reports do not say it.
    pub base: Vec<Rational>,
    /// The reports of hardware.
    pub compared: Vec<Compared>,
    /// The combinations of blocks that were built.
    pub combinations: Vec<Combination>,
}

/// Blocks that were built together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// Their names.
    pub blocks: Vec<String>,
    /// The reports of the design with them, by their paths in the task set.
    pub files: Vec<String>,
}

/// A block, as far as the measurements of other blocks depend on it.
#[derive(Default)]
pub struct Block {
    pub name: String,
    /// What it takes of each resource; `None` if that is not known.
    pub cost: Option<Vec<Rational>>,
    /// How far apart the reports lie from which `cost` follows.
    spread: Vec<Rational>,
    /// In hertz.
    pub fmax: Option<Rational>,
    pub slot: Option<String>,
    /// The other blocks in its design, whose cost is subtracted, by number.
    pub less: Vec<usize>,
    /// The reports from which `cost` follows.
    files: String,
}

/// Whether a mapping names reports, and is none from names to numbers: a variant may be called `timing`.
pub fn is_measurement(node: &Node<'_>) -> bool {
    let names_reports = |key: &str| {
        node.entry(key).is_some_and(|value| match &value.value {
            Value::List(_) => true,
            Value::Scalar { text, .. } => parse_time(text).is_err(),
            Value::Map(_) => false,
        })
    };
    names_reports("reports") || names_reports("timing")
}

/// The state while reports are read.
pub struct Freezer<'n> {
    pub source: &'n Arc<Source>,
    files: &'n Files,
    read: HashMap<String, Rc<Report>>,
    pub resources: Vec<Counted>,
    /// Whether resources have names; otherwise there is one area.
    has_names: bool,
    /// Whether it was refused that nothing says what is counted.
    is_without_resources: bool,
    base: Option<Built>,
    /// The clock that the base allows, in hertz.
    pub fastest: Option<Rational>,
    pub blocks: Vec<Block>,
    by_name: HashMap<String, usize>,
    /// What is put in place of parts of the text.
    parts: Vec<(Range<usize>, String)>,
    pub measured: Measured,
    pub warnings: Vec<Diagnostic>,
    pub problems: Problems,
}

impl<'n> Freezer<'n> {
    pub fn new(source: &'n Arc<Source>, files: &'n Files) -> Self {
        let (read, resources, blocks, by_name, parts, measured) = Default::default();
        let (has_names, is_without_resources, base, fastest, warnings, problems) = Default::default();
        Self {
            source,
            files,
            read,
            resources,
            has_names,
            is_without_resources,
            base,
            fastest,
            blocks,
            by_name,
            parts,
            measured,
            warnings,
            problems,
        }
    }

    /// The text with all numbers, what reports say, and what is doubtful; the errors, if there are any.
    pub fn finish(mut self) -> Result<(Source, Measured, Vec<Diagnostic>), ReadError> {
        self.problems.none()?;
        self.parts.sort_by_key(|(place, _)| (place.start, place.end));
        let (source, mut measured) = (self.source.with(self.parts), self.measured);
        measured.text.clone_from(&source.text);
        measured.resources = self.resources;
        let base = self.base.filter(|base| !base.files.is_empty());
        measured.base = base.map_or_else(Vec::new, |base| base.amounts);
        Ok((source, measured, self.warnings))
    }

    /// Whether costs of blocks are measured.
    pub fn has_differences(&self) -> bool {
        self.blocks.iter().any(|block| !block.spread.is_empty())
    }

    fn error(&self, place: Range<usize>, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::error(self.source, place, message)
    }

    /// Reads all reports; refuses those of several tools or families, or of another family than the device.
    pub fn compare(&mut self, root: &Node<'_>) {
        let mut named = Vec::new();
        named_in(root, &mut named);
        let mut places = Vec::new();
        for (path, counts) in named {
            let report = self.report(&path);
            let Some(report) = self.problems.keep(report) else { continue };
            if let Some(report) = Compared::new(path.text, &report, counts) {
                self.measured.compared.push(report);
                places.push(path.place);
            }
        }
        let place = |at: usize| places.get(at).cloned().unwrap_or_default();
        let device = root.entry("device").and_then(Node::text);
        let compared = &self.measured.compared;
        if let Some((_, refused)) = first_incomparable(self.source, compared, place, device) {
            self.problems.refuse(*refused);
        } else if let Some((_, warning)) = first_of_another_series(self.source, compared, place) {
            self.warnings.push(*warning);
        }
    }

    /// A report, by its path; each is read once, and refused once.
    fn report(&mut self, path: &Placed<'_>) -> Found<Rc<Report>> {
        if let Some(report) = self.read.get(path.text) {
            return Ok(Rc::clone(report));
        }
        let refused = |problem: &str| {
            let message = format!("report `{}`: {problem}", shortened(path.text));
            self.error(path.place.clone(), message).label("named here")
        };
        let bytes = self.files.read(path.text).map_err(|problem| {
            refused(&printable(&problem)).help("paths of reports begin at the folder of the task set")
        });
        // What is wrong in a report is shown there, if it has a place.
        let report = bytes.and_then(|bytes| {
            isx_reports::read(path.text, &bytes).map_err(|error| match &error {
                ReadError::File { problem, .. } => refused(&problem.to_string()),
                error => error
                    .diagnostics()
                    .first()
                    .map_or_else(|| refused(&error.to_string()), |first| Box::new(first.clone())),
            })
        });
        let known = report.as_ref().map_or_else(|_| Rc::default(), |report| Rc::new(report.clone()));
        self.read.insert(path.text.to_owned(), Rc::clone(&known));
        report.map(|_| known)
    }

    /// Reads what counts as each resource.
    pub fn count(&mut self, root: &Node<'_>) -> Found<()> {
        let node = match root.entry("resources").filter(|node| !node.is_null()) {
            Some(node) => node,
            None => {
                let unit = root.entry("area_unit").and_then(Node::text).filter(|unit| !unit.is_empty());
                self.resources.extend(unit.map(Counted::usual));
                return Ok(());
            }
        };
        self.has_names = true;
        let counted =
            |node: &Node<'_>| Some(Counted { place: node.bytes.clone(), ..Counted::usual(node.text()?) });
        match &node.value {
            Value::List(items) => self.resources.extend(items.iter().filter_map(counted)),
            Value::Map(pairs) => {
                let is_flow = self.is_flow(node);
                for (name, cells) in pairs {
                    let Some(counted) = counted(name) else { continue };
                    let cells_named = self.cells(&counted, cells)?;
                    self.resources.push(Counted { cells: cells_named, ..counted });
                    self.parts.push((name.bytes.end..cells.end, String::new()));
                    if !is_flow {
                        self.parts.push((name.bytes.start..name.bytes.start, "- ".to_owned()));
                    }
                }
                if is_flow {
                    self.parts.push((node.bytes.start..node.bytes.start + 1, "[".to_owned()));
                    self.parts.push((node.end - 1..node.end, "]".to_owned()));
                }
            }
            Value::Scalar { .. } => {}
        }
        self.resources.truncate(MAX_RESOURCES);
        Ok(())
    }

    fn is_flow(&self, node: &Node<'_>) -> bool {
        self.source.text.get(node.bytes.start..).is_some_and(|text| text.starts_with(['{', '[']))
    }

    /// One kind of cell, or a list of them.
    fn cells(&self, counted: &Counted, node: &Node<'_>) -> Found<Vec<String>> {
        let refused = |place: Range<usize>| {
            let message = format!("resource `{}`: a kind of cell is a word", shortened(&counted.name));
            self.error(place, message)
                .label("expected the cells that count as it")
                .help("for example `LUT: SB_LUT4`, or several: `LUT: [LUT4, LUT5, LUT6]`; `resources: [LUT, DSP]` takes each tool's own words")
        };
        let word = |node: &Node<'_>| -> Found<String> {
            let text = node.text().filter(|text| !node.is_null() && !text.trim().is_empty());
            Ok(text.ok_or_else(|| refused(node.bytes.clone()))?.to_owned())
        };
        match &node.value {
            Value::List(items) if !items.is_empty() => items.iter().map(word).collect(),
            Value::Scalar { .. } if !node.is_null() => Ok(vec![word(node)?]),
            _ => Err(refused(if node.bytes.is_empty() { counted.place.clone() } else { node.bytes.clone() })),
        }
    }

    pub fn read_base(&mut self, root: &Node<'_>) -> Found<()> {
        let clock = root.entry("clock");
        self.fastest = clock.and_then(|clock| parse_rate(clock.text()?).ok());
        let Some((key, node)) = root.pair("base").filter(|_| self.has_names) else { return Ok(()) };
        if !is_measurement(node) {
            let (file, words, files, spread) = (String::new(), "the base".to_owned(), Vec::new(), Vec::new());
            self.base = self.written(node).map(|amounts| Built { amounts, spread, file, words, files });
            return Ok(());
        }
        let fields = Fields::new(self.source, node, "`base` of the task set".to_owned(), BASE_KEYS)?;
        let base = self.design(&fields)?;
        let in_words = in_words(&self.resources, &base.amounts);
        if base.amounts.iter().all(Zero::is_zero) {
            return Err(self
                .error(fields.anchor.clone(), format!("the base takes {in_words}"))
                .label("a processor takes something")
                .help("give the reports of the whole design, and what counts as each resource in them"));
        }
        if let Some(field) = fields.get_filled("timing") {
            let (reached, _) = self.clock(field, None)?;
            if let (Some(fastest), Some(clock)) = (&self.fastest, clock)
                && reached < *fastest
            {
                let message = format!("the base reaches {}, and the clock is faster", format_rate(&reached));
                let warning = Diagnostic::warning(self.source, clock.bytes.clone(), message);
                self.warnings.push(*warning.label("not reached by the base"));
                self.fastest = Some(reached);
            }
        }
        self.measured.notes.push(format!("The base takes {in_words}: {}.", base.words));
        self.put(key, node, format!("{{{}}}", self.costs(&base.amounts)));
        self.base = Some(base);
        Ok(())
    }

    /// `LUT: 41, DSP: 4`: the amounts that are not 0.
    pub fn costs(&self, amounts: &[Rational]) -> String {
        let all = self.resources.iter().zip(amounts).filter(|(_, amount)| !amount.is_zero());
        let all =
            all.map(|(counted, amount)| format!("{}: {}", scalar(&counted.name), format_decimal(amount)));
        all.collect::<Vec<_>>().join(", ")
    }

    /// The amounts that a set gives as numbers, if these can be read.
    fn written(&self, node: &Node<'_>) -> Option<Vec<Rational>> {
        if !self.has_names {
            return Some(vec![parse_decimal(node.text()?).ok()?]);
        }
        let amount = |counted: &Counted| match node.entry(&counted.name) {
            Some(amount) => parse_signed_decimal(amount.text()?).ok(),
            None => Some(Rational::zero()),
        };
        self.resources.iter().map(amount).collect()
    }

    /// Puts a text in place of a value, on the line of its key.
    fn put(&mut self, key: &Node<'_>, node: &Node<'_>, text: String) {
        let between = self.source.text.get(key.bytes.end..node.bytes.start).unwrap_or_default();
        let is_below = between.trim_end() == ":" && between.contains(['\n', '\r']);
        let place = if is_below { key.bytes.end..node.end } else { node.bytes.start..node.end };
        self.parts.push((place, if is_below { format!(": {text}") } else { text }));
    }

    /// Leaves out what frozen sets do not have: a whole entry, or in braces its value.
    pub fn leave_out(&mut self, root: &Node<'_>, key: &Node<'_>, node: &Node<'_>) {
        if self.is_flow(root) {
            return self.parts.push((node.bytes.start..node.end, "~".to_owned()));
        }
        let (before, after) = (&self.source.text[..key.bytes.start], &self.source.text[node.end..]);
        let indent = before.len() - before.trim_end_matches(' ').len();
        let rest = after.trim_start_matches(' ');
        let ends = ["\r\n", "\n"].into_iter().find(|end| rest.starts_with(end));
        let end = ends.map_or(node.end, |end| node.end + after.len() - rest.len() + end.len());
        self.parts.push((key.bytes.start - if ends.is_some() { indent } else { 0 }..end, String::new()));
    }

    /// Puts numbers in place of reports in the items of a list, such as `tasks`; `of` says of what.
    pub fn items(&mut self, kind: &str, items: &[Node<'_>], of: &str) {
        for (index, item) in items.iter().enumerate() {
            if let Value::Map(pairs) = &item.value {
                let owner = item.described(kind.trim_end_matches('s'), index) + of;
                self.item(kind, item, pairs, &owner);
            }
        }
    }

    fn item(&mut self, kind: &str, item: &Node<'_>, pairs: &[(Node<'_>, Node<'_>)], owner: &str) {
        let (mut origins, mut end, mut block) = (Vec::new(), item.end, Block::default());
        for (key, node) in pairs {
            let name = key.text().unwrap_or_default();
            if let Value::List(items) = &node.value {
                self.items(name, items, &format!(" of {owner}"));
                continue;
            }
            let before = origins.len();
            let what = format!("`{}` of {owner}", shortened(name));
            match (name, self.value(name, key, node, &what, &mut origins, &mut block)) {
                ("cost" | "area", true) => self.doubt(owner, item.name_bytes(), &block),
                ("cost" | "area", false) => block.cost = self.written(node),
                ("fmax", false) => block.fmax = node.text().and_then(|text| parse_rate(text).ok()),
                _ => {}
            }
            if origins.len() > before {
                end = node.end;
            }
        }
        if kind == "blocks" {
            block.name = item.entry("name").and_then(Node::text).unwrap_or_default().to_owned();
            block.slot = item.entry("slot").and_then(Node::text).map(str::to_owned);
            self.by_name.entry(block.name.clone()).or_insert(self.blocks.len());
            self.blocks.push(block);
        }
        if let Some(Value::List(uses)) = item.entry("uses").map(|uses| &uses.value) {
            let number = |node: &Node<'_>| Some((*self.by_name.get(node.text()?)?, node.bytes.clone()));
            let used: Vec<_> = uses.iter().filter_map(number).collect();
            let complete = self.refuse_incomplete(&used, &format!("`uses` of {owner}"));
            self.problems.keep(complete);
        }
        let origins = origins.join("; ");
        if origins.is_empty() {
        } else if !WITH_SOURCE.contains(&kind) || item.entry("source").is_some() {
            self.measured.notes.push(format!("{owner}: {origins}."));
        } else {
            let source = format!("source: {}", scalar(&printable(&origins)));
            let before = &self.source.text[..item.bytes.start];
            let indent = before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
            let text =
                if self.is_flow(item) { format!(", {source}") } else { format!("\n{:indent$}{source}", "") };
            self.parts.push((end..end, text));
        }
    }

    /// Puts numbers in place of what reports say of a value, or of one for each variant, mode or lock, and notes them in the
    /// block; `what` describes it. Whether reports say it.
    pub fn value(
        &mut self,
        kind: &str,
        key: &Node<'_>,
        node: &Node<'_>,
        what: &str,
        origins: &mut Vec<String>,
        block: &mut Block,
    ) -> bool {
        if is_measurement(node) {
            let found = self.reported(kind, node, what, block);
            let Some((text, words)) = self.problems.keep(found) else { return false };
            self.put(key, node, text);
            if !origins.contains(&words) {
                origins.push(words);
            }
            return true;
        }
        if let Value::Map(pairs) = &node.value
            && !["area", "cost", "fmax"].contains(&kind)
        {
            for (key, node) in pairs {
                let name = key.text().unwrap_or_default();
                self.value(kind, key, node, &format!("`{}` of {what}", shortened(name)), origins, block);
            }
        }
        false
    }

    /// What reports say of a value, as it is written, and where it is from.
    fn reported(
        &mut self,
        kind: &str,
        node: &Node<'_>,
        what: &str,
        block: &mut Block,
    ) -> Found<(String, String)> {
        let source = self.source;
        let fields = |keys| Fields::new(source, node, what.to_owned(), keys);
        match kind {
            "area" | "cost" => self.amounts(kind, &fields(AMOUNT_KEYS)?, block),
            "fmax" => {
                let fields = fields(CLOCK_KEYS)?;
                let (hertz, words) = self.clock(fields.required("timing")?, fields.get_filled("name"))?;
                Ok((format_rate(block.fmax.insert(hertz)), words))
            }
            _ => self.figure(&fields(FIGURE_KEYS)?),
        }
    }

    fn amounts(&mut self, kind: &str, fields: &Fields<'_>, block: &mut Block) -> Found<(String, String)> {
        let Built { amounts: mut cost, mut spread, mut words, files, .. } = self.design(fields)?;
        let mut files = files.join(", ");
        let mut less = Vec::new();
        let mut add = |other: &[Rational], other_spread: &[Rational]| {
            cost.iter_mut().zip(other).for_each(|(own, other)| *own -= other);
            // A difference is as uncertain as each of the designs that it is taken of.
            spread.iter_mut().zip(other_spread).for_each(|(own, other)| *own = other.max(own).clone());
        };
        if let Some(field) = fields.get_filled("less") {
            let names = match field.node.text() {
                Some(name) => vec![(name, field.node)],
                None => listed(field, "`base` or the name of a block", "base", MOST_NAMED)?,
            };
            let (base, blocks): (Vec<_>, Vec<_>) = names.into_iter().partition(|(name, _)| *name == "base");
            if let Some((_, node)) = base.first() {
                let base = self.base_of(node, &field.to_string())?;
                add(&base.amounts, &base.spread);
                words = format!("{words} less {}", base.words);
                if !base.files.is_empty() {
                    files = format!("{files} less {}", base.files.join(", "));
                }
            }
            less = self.named(&blocks, &field.to_string())?;
            for block in less.iter().filter_map(|&at| self.blocks.get(at)) {
                add(block.cost.as_deref().unwrap_or_default(), &block.spread);
                words = format!("{words} less {}", block.name);
            }
        }
        let text = match cost.as_slice() {
            [area] if kind == "area" && !self.has_names => format_decimal(area),
            cost => format!("{{{}}}", self.costs(cost)),
        };
        (block.cost, block.spread, block.less, block.files) = (Some(cost), spread, less, files);
        Ok((text, words))
    }

    /// The base; that there is none is refused once.
    pub fn base_of(&mut self, node: &Node<'_>, what: &str) -> Found<Built> {
        if let Some(base) = &self.base {
            return Ok(base.clone());
        }
        self.base = Some(Built::default());
        let help = if self.has_names {
            "add `base: {reports: [FILE, ..]}`: the design without any block"
        } else {
            "list what is counted, `resources: [LUT]`, with `base: {reports: [FILE, ..]}` and costs instead of areas"
        };
        let error = self.error(node.bytes.clone(), format!("{what} needs the `base` of the task set"));
        Err(error.label("no base is given").help(help))
    }

    /// The blocks of these names, by number in the order of the file; every block that one of them is less must be named too.
    pub fn named(&self, names: &[(&str, &Node<'_>)], what: &str) -> Found<Vec<usize>> {
        let mut numbers: Vec<(usize, Range<usize>)> = Vec::new();
        for (name, node) in names {
            let Some(&number) = self.by_name.get(*name) else {
                let known = self.blocks.iter().take(MAX_COMPARED).map(|block| block.name.as_str());
                let label = meant(name, known).unwrap_or_else(|| "expected the name of a block".to_owned());
                let message = format!("{what}: unknown block `{}`", shortened(name));
                return Err(self
                    .error(node.bytes.clone(), message)
                    .label(label)
                    .help("a block stands under `blocks`, above the blocks that are less it"));
            };
            numbers.push((number, node.bytes.clone()));
        }
        numbers.sort_by_key(|(number, _)| *number);
        self.refuse_incomplete(&numbers, what)?;
        Ok(numbers.into_iter().map(|(number, _)| number).collect())
    }

    /// Refuses a block without one that it is less: what it takes then was not measured.
    fn refuse_incomplete(&self, named: &[(usize, Range<usize>)], what: &str) -> Found<()> {
        for (number, place) in named {
            let Some(block) = self.blocks.get(*number) else { continue };
            let is_named = |under: &usize| named.iter().any(|(number, _)| number == under);
            let Some(under) = block.less.iter().find(|under| !is_named(under)) else { continue };
            let (name, under) = (shortened(&block.name), shortened(&self.blocks[*under].name));
            return Err(self
                .error(place.clone(), format!("{what}: `{name}` without `{under}`"))
                .label(format!("measured less `{under}`"))
                .help(format!("name `{under}` too: what `{name}` takes without it was not measured")));
        }
        Ok(())
    }

    /// The design whose reports the key `reports` names.
    pub fn design(&mut self, fields: &Fields<'_>) -> Found<Built> {
        let field = fields.required("reports").map_err(|error| {
            error.help("add `reports: [FILE, ..]`: the reports of the whole design with it, by several recipes or seeds if there are")
        })?;
        if self.resources.is_empty() {
            if std::mem::replace(&mut self.is_without_resources, true) {
                return Ok(Built::default());
            }
            let error = field.refused(format!("{} counts what the task set does not name", fields.owner));
            return Err(error.help("add for example `resources: [LUT, DSP]`, or for areas `area_unit: LUT`"));
        }
        let mut all = Vec::new();
        for path in self.paths(field)? {
            let report = self.report(&path)?;
            let amounts = amounts(&self.resources, &report, self.source, &path, Way::Set)?;
            all.push((path.text.to_owned(), amounts));
        }
        Built::best(&self.resources, all).ok_or_else(|| field.error("is empty"))
    }

    pub fn paths<'f>(&self, field: Field<'f>) -> Found<Vec<Placed<'f>>> {
        let paths = listed(field, "the path of a report", "crc.json", MOST_NAMED)?;
        Ok(paths.into_iter().map(|(text, node)| Placed { text, place: node.bytes.clone() }).collect())
    }

    /// The worst clock of these reports in hertz, or the worst of this name, and where it is from.
    pub fn clock(&mut self, timing: Field<'_>, name: Option<Field<'_>>) -> Found<(Rational, String)> {
        let name = name.map(|name| name.filled_text("the name of a clock")).transpose()?;
        let mut all = Vec::new();
        for path in self.paths(timing)? {
            let report = self.report(&path)?;
            let clocks = report.clocks.iter().filter(|(own, _)| name.is_none_or(|name| name == *own));
            let Some(least) = clocks.map(|(_, hertz)| hertz).min().filter(|least| least.is_positive()) else {
                let of = name.map_or_else(
                    || "names no clock".to_owned(),
                    |name| format!("has no clock `{}`", shortened(name)),
                );
                let message = format!("report `{}` ({}) {of}", shortened(path.text), report.tool);
                return Err(self
                    .error(path.place, message)
                    .label("this report")
                    .help("`timing` takes the reports of placed and routed designs, such as those of `nextpnr --report`"));
            };
            all.push((path.text.to_owned(), least.clone()));
        }
        worst(all, |hertz| -hertz, format_rate).ok_or_else(|| timing.error("is empty"))
    }

    /// The largest figure of a name in reports.
    fn figure(&mut self, fields: &Fields<'_>) -> Found<(String, String)> {
        let wanted = fields.required("name").map_err(|error| {
            error.help("add `name: ..`: what the reports call the figure, for example `name: cycles`")
        })?;
        let (place, wanted) = (wanted.place(), wanted.filled_text("the name of a figure")?);
        let field = fields.required("reports")?;
        let mut all = Vec::new();
        for path in self.paths(field)? {
            let report = self.report(&path)?;
            let Some(figure) = report.figures.get(wanted) else {
                let (name, file) = (shortened(wanted), shortened(path.text));
                let known = || report.figures.keys().map(String::as_str);
                let some: Vec<&str> = known().collect();
                let help = match some.as_slice() {
                    [] => format!("{file} ({}) has no figures by name", report.tool),
                    some => format!("{file} has {}", words_listed(some)),
                };
                let label = meant(wanted, known()).unwrap_or_else(|| "no figure of this name".to_owned());
                let message = format!("{}: report `{file}` has no figure `{name}`", fields.owner);
                return Err(self.error(place, message).label(label).help(help));
            };
            all.push((format!("{} {wanted}", path.text), figure.clone()));
        }
        let worst = worst(all, Clone::clone, format_decimal);
        let (figure, words) = worst.ok_or_else(|| field.error("is empty"))?;
        Ok((format_decimal(&figure), words))
    }

    /// A warning for each amount that is negative, or smaller than the builds of one design lie apart.
    fn doubt(&mut self, owner: &str, place: Range<usize>, block: &Block) {
        let (files, costs) = (&block.files, block.cost.iter().flatten());
        for (counted, (cost, spread)) in self.resources.iter().zip(costs.zip(&block.spread)) {
            let (amount, resource) = (format_decimal(cost), &counted.name);
            let (what, label) = if cost.is_negative() {
                ("the design with it is smaller".to_owned(), "a negative difference")
            } else if !cost.is_zero() && cost < spread {
                let apart = format!("and builds of one design lie {} apart", format_decimal(spread));
                (apart, "a difference within the noise")
            } else {
                continue;
            };
            let colon = if cost.is_negative() { ":" } else { "," };
            let message = format!("{owner} takes {amount} {resource}{colon} {what} ({files})");
            let help = "give reports of more recipes or seeds, of both designs; the best of each counts";
            let warning = Diagnostic::warning(self.source, place.clone(), message).label(label);
            self.warnings.push(*warning.help(help));
        }
    }

    /// Refuses a resource whose cells no report has: a slip of the pen would make all hardware free.
    pub fn refuse_uncounted(&self) -> Found<()> {
        let all = || self.read.values().filter(|report| !report.amounts.is_empty());
        let is_counted = |counted: &&Counted| all().any(|report| counted.is_in(report));
        let Some(counted) = self.resources.iter().find(|counted| !is_counted(counted)) else { return Ok(()) };
        if all().next().is_none() {
            return Ok(());
        }
        let known: BTreeSet<&str> =
            all().flat_map(|report| report.amounts.keys().map(String::as_str)).collect();
        let known: Vec<&str> = known.into_iter().collect();
        let word = counted.cells.first().map_or("", String::as_str);
        let message = format!(
            "no report counts `{}`, so resource `{}` would be 0 everywhere",
            shortened(word),
            shortened(&counted.name)
        );
        let label = meant(word, known.iter().copied()).unwrap_or_else(|| "nothing is called so".to_owned());
        let help = format!(
            "the reports count {}; leave the resource out if no design has any",
            words_listed(&known)
        );
        Err(self.error(counted.place.clone(), message).label(label).help(help))
    }
}

/// The reports of the lists `reports` and `timing` anywhere in a node, and whether their amounts count.
fn named_in<'n>(node: &'n Node<'n>, found: &mut Vec<(Placed<'n>, bool)>) {
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| named_in(item, found)),
        Value::Map(pairs) => {
            for (key, value) in pairs {
                match (key.text(), &value.value) {
                    (Some(key @ ("reports" | "timing")), Value::List(paths)) => {
                        let placed = |path: &'n Node<'n>| {
                            Some(Placed { text: path.text()?, place: path.bytes.clone() })
                        };
                        found.extend(paths.iter().filter_map(placed).map(|path| (path, key == "reports")));
                    }
                    _ => named_in(value, found),
                }
            }
        }
        Value::Scalar { .. } => {}
    }
}

/// The worst of several values, the first of equal ones, and where it is from; `None` of none.
fn worst(
    all: Vec<(String, Rational)>,
    badness: fn(&Rational) -> Rational,
    shown: fn(&Rational) -> String,
) -> Option<(Rational, String)> {
    let values = || all.iter().map(|(_, value)| value);
    let (words, worst) = all.iter().rev().max_by_key(|(_, value)| badness(value))?;
    let range =
        (all.len() > 1).then(|| Some(format!("{} to {}", shown(values().min()?), shown(values().max()?))));
    let range = range.flatten().map(|range| format!(" (worst of {}: {range})", all.len()));
    Some((worst.clone(), format!("{words}{}", range.unwrap_or_default())))
}
