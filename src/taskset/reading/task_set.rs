//! Converts the YAML tree of a task-set file to a validated [`TaskSet`].
//!
//! ```yaml
//! name: sensor node
//! clock: 100 MHz              # WCETs are cycles, periods are times
//! area_unit: NAND2
//! tasks:
//!   - name: aes
//!     wcet: 3260
//!     period: 1 ms            # 100,000 cycles
//!     choices:
//!       - {name: saes32, area: 1157, wcet: 321}
//!       - {name: sbox,   area: 566,  saves: 1200}    # leaves 2060 cycles
//! ```

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use isx_exact::quantity::{Rational, TimeScale, TimeUnit, difference, format_decimal, parse_time};
use num_traits::{Signed, Zero};

use super::fields::{Field, Fields, Least, clock_rate};
use super::hardware::{Blocks, Declared};
use super::keys::{CHOICE_KEYS, SET_KEYS, TASK_KEYS};
use super::price::Price;
use super::resources::{as_one_area, base_beyond};
use super::scheduling::Priorities;
use super::tree::{Node, Value};
use super::units::Units;
use crate::diagnostics::{Diagnostic, Found, ReadError, Source, shortened};
use crate::model::{Choice, Resources, Task, TaskSet, TimeBase, Variant, WrittenUnits};

/// The maximum number of errors reported with their location; further ones are only counted.
pub const MAX_ERRORS: usize = 20;

/// A task set, with its warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The task set.
    pub task_set: TaskSet,
    /// What is allowed but probably not intended, in file order.
    pub warnings: Vec<Diagnostic>,
}

/// Makes a [`TaskSet`] of a tree, collecting all its errors.
pub fn read_tree(source: &Arc<Source>, root: &Node<'_>) -> Result<Reading, ReadError> {
    let (units, resources, blocks, priorities) = Default::default();
    let (variants, errors, warnings) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader {
        source,
        clock: None,
        units,
        resources,
        variants,
        variants_listed: 0,
        blocks,
        priorities,
        errors,
        omitted: 0,
        warnings,
    };
    let task_set = reader.task_set(root);
    let task_set = task_set.map_err(|error| reader.refuse(*error)).ok();
    let of_several = [reader.priorities.missing(source), reader.mixed_units()];
    of_several.into_iter().flatten().for_each(|error| reader.refuse(*error));
    match task_set {
        Some(task_set) if reader.errors.is_empty() => Ok(Reading { task_set, warnings: reader.warnings }),
        _ => Err(ReadError::Invalid { diagnostics: reader.errors, omitted: reader.omitted }),
    }
}

/// The state while a file is read.
pub struct Reader<'s> {
    pub source: &'s Arc<Source>,
    /// In hertz.
    pub clock: Option<Rational>,
    pub units: Units,
    pub resources: Option<Resources>,
    pub variants: Vec<Variant>,
    /// The number of variants that the file lists, refused ones too.
    pub variants_listed: usize,
    pub blocks: Blocks,
    pub priorities: Priorities,
    errors: Vec<Diagnostic>,
    /// The number of errors beyond [`MAX_ERRORS`].
    omitted: usize,
    warnings: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn refuse(&mut self, error: Diagnostic) {
        if self.has_all_errors() {
            self.omitted += 1;
        } else {
            self.errors.push(error);
        }
    }

    /// Whether further errors are only counted.
    pub fn has_all_errors(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    fn mixed_units(&self) -> Option<Box<Diagnostic>> {
        self.units.mixed(self.source, self.clock.is_some())
    }

    /// Reads the task set's `blocks`, so that its choices can look them up by name.
    fn read_blocks(&mut self, set: &Fields<'_>) -> Found<()> {
        let Some(field) = set.get_filled("blocks") else { return Ok(()) };
        let nodes = field.list()?;
        let name: fn(&Declared) -> &String = |declared| &declared.block.name;
        let read = |reader: &mut Self, owner, node: &Node<'_>| {
            let has_clock = reader.clock.is_some();
            Declared::read(reader.source, has_clock, reader.resources.as_ref(), owner, node)
        };
        let all = self.unique(nodes, read, name, "block", "")?;
        self.blocks = Blocks::new(all, nodes);
        Ok(())
    }

    fn task_set(&mut self, root: &Node<'_>) -> Found<TaskSet> {
        let fields = Fields::new(self.source, root, "the task set".to_owned(), SET_KEYS)?;
        let name = fields.required("name")?.label()?;
        let description = fields.free_text("description")?;
        let source = fields.free_text("source")?;
        let area_unit = fields.get_filled("area_unit").map(Field::label).transpose()?.unwrap_or_default();
        self.clock = fields.get("clock").map(clock_rate).transpose()?;
        self.priorities.read_scheduler(&fields)?;
        self.resources = super::resources::read(self.source, &fields)?;
        self.read_variants(&fields)?;
        self.read_blocks(&fields)?;
        self.blocks.counts_resources = self.resources.is_some();
        let tasks = fields.required("tasks")?;
        let nodes = tasks.list()?;
        if nodes.is_empty() {
            return Err(tasks.refused("the task set has no tasks").label("at least one task is due here"));
        }
        let tasks = self.unique(nodes, Self::task, |task| &task.name, "task", "")?;
        let mut unused = self.blocks.unused(self.source);
        unused.extend(self.priorities.unused(self.source));
        if !unused.is_empty() {
            self.warnings.extend(unused);
            self.warnings.sort_by_key(Diagnostic::start);
        }
        let written = |key: &str| TimeScale::of_text(nodes.iter().find_map(|task| task.entry(key)?.text())?);
        let mut set = TaskSet {
            name,
            description,
            source,
            area_unit,
            time_base: self.time_base(),
            written: WrittenUnits { wcet: written("wcet"), period: written("period") },
            scheduler: self.priorities.scheduler,
            blocks: std::mem::take(&mut self.blocks).into_blocks(),
            resources: self.resources.take(),
            variants: std::mem::take(&mut self.variants),
            processor_area: Rational::default(),
            tasks,
            what_if: Vec::new(),
            margin: Rational::default(),
        };
        if let Some(error) = base_beyond(self.source, &fields, &set) {
            return Err(error);
        }
        as_one_area(&mut set);
        Ok(set)
    }

    fn time_base(&self) -> TimeBase {
        match (&self.clock, self.units.any_has_one()) {
            (Some(hertz), _) => TimeBase::Cycles { hertz: hertz.clone() },
            (None, true) => TimeBase::Seconds,
            (None, false) => TimeBase::Unnamed,
        }
    }

    /// Reads each node of a list, collects the errors, and rejects duplicate names; `kind` and `of` describe an item,
    /// such as "choice" and " of task `radio`".
    pub fn unique<T>(
        &mut self,
        nodes: &[Node<'_>],
        mut read: impl FnMut(&mut Self, String, &Node<'_>) -> Found<T>,
        name: fn(&T) -> &String,
        kind: &str,
        of: &str,
    ) -> Found<Vec<T>> {
        let mut items = Vec::with_capacity(nodes.len());
        let mut seen: HashMap<String, Range<usize>> = HashMap::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            // An error that is only counted needs no message.
            if self.has_all_errors() && !matches!(node.value, Value::Map(_)) {
                self.omitted += 1;
                continue;
            }
            let item = match read(self, node.described(kind, index) + of, node) {
                Ok(item) => item,
                Err(error) => {
                    self.refuse(*error);
                    continue;
                }
            };
            let name = name(&item);
            let bytes = node.name_bytes();
            match seen.get(name) {
                Some(first) => {
                    let line = self.source.line(first.start);
                    let name = shortened(name);
                    let message =
                        format!("a second {kind}{of} is named `{name}`, the first is in line {line}");
                    self.refuse(
                        *Diagnostic::error(self.source, bytes, message)
                            .label("named again here")
                            .also(first.clone(), "first named here"),
                    );
                }
                None => drop(seen.insert(name.clone(), bytes)),
            }
            items.push(item);
        }
        Ok(items)
    }

    fn task(&mut self, owner: String, node: &Node<'_>) -> Found<Task> {
        let fields = Fields::new(self.source, node, owner, TASK_KEYS)?;
        let name = fields.required("name")?.label()?;
        fields.free_text("source")?;
        let given_wcet = fields.required("wcet")?;
        let (wcet, variant_wcets) = in_variants(self.times(given_wcet, Least::AboveZero)?);
        let period = self.time(fields.required("period")?, "period", Least::AboveZero)?;
        let deadline = fields.get("deadline");
        let deadline = deadline.map(|field| self.time(field, "deadline", Least::AboveZero)).transpose()?;
        let deadline = deadline.unwrap_or_else(|| period.clone());
        let priority = self.priorities.read(&fields)?;
        let (choices, forced) = (Vec::new(), false);
        let mut task = Task { name, wcet, variant_wcets, period, deadline, priority, choices, forced };
        self.warn_if_too_long(
            &fields.owner,
            given_wcet.place(),
            least(&task.wcet, &task.variant_wcets),
            &task,
        );
        if let Some(field) = fields.get_filled("choices") {
            let read = |reader: &mut Self, owner, node: &Node<'_>| reader.choice(owner, node, &task);
            let of = format!(" of {}", fields.owner);
            let name: fn(&(Choice, Range<usize>)) -> &String = |(choice, _)| &choice.name;
            let read = self.unique(field.list()?, read, name, "choice", &of)?;
            let places: Vec<Range<usize>>;
            (task.choices, places) = read.into_iter().unzip();
            // A choice that no design takes needs no warning.
            for ((choice, unused), place) in task.choices.iter().zip(task.unused_reasons()).zip(places) {
                if unused.is_none() {
                    let owner =
                        format!("choice `{}` of task `{}`", shortened(&choice.name), shortened(&task.name));
                    let wcet = least(&choice.wcet, &choice.variant_wcets);
                    self.warn_if_too_long(&owner, place, wcet, &task);
                }
            }
        }
        Ok(task)
    }

    /// A choice, with the location of its WCET.
    fn choice(&mut self, owner: String, node: &Node<'_>, task: &Task) -> Found<(Choice, Range<usize>)> {
        let fields = Fields::new(self.source, node, owner, CHOICE_KEYS)?;
        let name = fields.required("name")?.label()?;
        let source = fields.free_text("source")?;
        // An error that is only counted needs no suggestion.
        let suggest = !self.has_all_errors();
        let (price, uses) = self.blocks.of_choice(self.source, self.resources.as_ref(), &fields, suggest)?;
        let (wcets, given_by) = match (fields.get("wcet"), fields.get("saves")) {
            (Some(field), None) => (self.times(field, Least::AboveZero)?, field),
            (None, Some(field)) => (self.wcets_after_saving(field, task)?, field),
            (None, None) => {
                let missing = fields.missing("wcet");
                return Err(missing.help("give the new WCET as `wcet`, or the time it saves as `saves`"));
            }
            (Some(wcet), Some(saves)) => {
                return Err(saves
                    .refused(format!("{} has both `wcet` and `saves`", fields.owner))
                    .label("the saving")
                    .also(wcet.place(), "the new WCET")
                    .help("give one of the two: the other follows from it"));
            }
        };
        let (wcet, variant_wcets) = in_variants(wcets);
        let Price { area, cost } = price;
        Ok((Choice { name, area, cost, uses, wcet, variant_wcets, source }, given_by.place()))
    }

    /// A WCET, period, deadline or saving, as `key` says; in cycles if the set has a clock.
    pub fn time(&mut self, field: Field<'_>, key: &str, least: Least) -> Found<Rational> {
        let (value, unit) = field.quantity("a time", least, parse_time)?;
        if least == Least::AboveZero {
            field.not_zero(&value)?;
        }
        self.units.note(unit, field, key);
        Ok(match &self.clock {
            Some(hertz) if unit == TimeUnit::Seconds => value * hertz,
            _ => value,
        })
    }

    fn wcets_after_saving(&mut self, field: Field<'_>, task: &Task) -> Found<Vec<Rational>> {
        let savings = self.times(field, Least::Zero)?;
        // One saving counts in every variant, and one WCET is that of all.
        let count = savings.len().max(task.variant_wcets.len());
        let wcets = (0..count).map(|number| (task.wcet_in(number), &savings[number.min(savings.len() - 1)]));
        let mut left = Vec::with_capacity(count);
        for (wcet, saving) in wcets {
            let rest = difference(wcet, saving);
            // With mixed units the difference is meaningless; the mixed units are reported instead.
            if !rest.is_positive() && self.mixed_units().is_none() {
                let left = if rest.is_zero() { "all of the WCET" } else { "more than the WCET" };
                return Err(field
                    .error(format!("is {left}: the new WCET must be greater than 0"))
                    .label("the saving must be smaller than the WCET")
                    .help(format!(
                        "the WCET of task `{}` is {}",
                        shortened(&task.name),
                        self.in_file_unit(wcet)
                    )));
            }
            left.push(rest);
        }
        Ok(left)
    }

    fn warn_if_too_long(&mut self, owner: &str, place: Range<usize>, wcet: &Rational, task: &Task) {
        let (limit, limit_name) =
            if task.deadline < task.period { (&task.deadline, "deadline") } else { (&task.period, "period") };
        if wcet > limit {
            let message = format!("the WCET of {owner} is greater than the {limit_name}");
            let label = format!("{} against {}", self.in_file_unit(wcet), self.in_file_unit(limit));
            self.warnings.push(*Diagnostic::warning(self.source, place, message).label(label));
        }
    }

    fn in_file_unit(&self, time: &Rational) -> String {
        format!("{} {}", format_decimal(time), self.time_base().unit()).trim_end().to_owned()
    }
}

/// The WCET in the first variant, and those in each; none where one counts in all.
fn in_variants(mut wcets: Vec<Rational>) -> (Rational, Vec<Rational>) {
    match wcets.len() {
        0 | 1 => (wcets.pop().unwrap_or_default(), wcets),
        _ => (wcets[0].clone(), wcets),
    }
}

/// The least WCET in any variant.
fn least<'w>(wcet: &'w Rational, in_variants: &'w [Rational]) -> &'w Rational {
    in_variants.iter().min().unwrap_or(wcet)
}
