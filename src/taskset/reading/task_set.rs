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

use isx_exact::order;
use std::ops::Range;
use std::sync::Arc;

use isx_exact::quantity::{
    Rational, TimeScale, TimeUnit, difference, format_decimal, format_rate, parse_time,
};
use num_traits::Signed;

use super::cores::Placement;
use super::fields::{Field, Fields, Least, clock_rate};
use super::hardware::{Blocks, Declared};
use super::keys::{BLOCK_KEYS, CHOICE_KEYS, SET_KEYS, TASK_KEYS};
use super::measured::Measured;
use super::places::{Places, Row};
use super::relations::relate;
use super::resources::{as_one_area, base_beyond};
use super::scheduling::Priorities;
use super::tree::{Node, Value};
use super::units::Units;
use crate::diagnostics::{Diagnostic, Found, Problems, ReadError, Source, shortened};
use crate::model::{Choice, Resources, Task, TaskSet, TimeBase, Timing, Variant, WrittenUnits};

/// A task set, with its warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The task set.
    pub task_set: TaskSet,
    /// What is allowed but probably not intended, in file order.
    pub warnings: Vec<Diagnostic>,
    /// What reports say, if the file names any.
    pub measured: Option<Box<Measured>>,
}

/// Makes a [`TaskSet`] of a tree, collecting all its errors.
pub fn read_tree(source: &Arc<Source>, root: &Node<'_>) -> Result<Reading, ReadError> {
    let mut reader = Reader {
        source,
        clock: None,
        units: Units::default(),
        resources: Resources::default(),
        variants: Vec::new(),
        modes: Vec::new(),
        variants_listed: 0,
        blocks: Blocks::default(),
        priorities: Priorities::default(),
        placement: Placement::default(),
        places: Places::default(),
        problems: Problems::default(),
        warnings: Vec::new(),
        too_long: Vec::new(),
        part_of_cycle: None,
    };
    let task_set = reader.task_set(root);
    let task_set = task_set.inspect_err(|error| reader.problems.refuse(Diagnostic::clone(error)));
    if let Ok(set) = &task_set {
        reader.judge(root, set);
    }
    reader.mixed_units().into_iter().for_each(|error| reader.problems.refuse(*error));
    reader.problems.none()?;
    Ok(Reading { task_set: task_set?, warnings: reader.warnings, measured: None })
}

/// Choices by the ways to run them, and the number of the node of each.
pub fn flattened((choices, places): (Vec<Vec<Choice>>, Vec<usize>)) -> (Vec<Choice>, Vec<usize>) {
    let places = choices.iter().zip(places).flat_map(|(ways, place)| vec![place; ways.len()]).collect();
    (choices.into_iter().flatten().collect(), places)
}

/// The state while a file is read.
pub struct Reader<'s> {
    pub source: &'s Arc<Source>,
    /// In hertz.
    pub clock: Option<Rational>,
    pub units: Units,
    pub resources: Resources,
    pub variants: Vec<Variant>,
    pub modes: Vec<String>,
    /// The number of variants that the file lists, refused ones too.
    pub variants_listed: usize,
    pub blocks: Blocks,
    pub priorities: Priorities,
    pub placement: Placement,
    /// Where what was read stands.
    pub places: Places,
    pub problems: Problems,
    warnings: Vec<Diagnostic>,
    /// A warning for each task that takes too long.
    too_long: Vec<Diagnostic>,
    /// A warning for the first time without a unit that is no whole number of cycles.
    part_of_cycle: Option<Diagnostic>,
}

/// From this many cycles on, a fraction is likely the mean of several runs; below, a time that lacks its unit.
const MEANS_OF_RUNS: i64 = 1000;

impl Reader<'_> {
    pub fn mixed_units(&self) -> Option<Box<Diagnostic>> {
        self.units.mixed(self.source, self.clock.is_some())
    }

    /// Reads the task set's `blocks`, so that its choices can look them up by name.
    fn read_blocks(&mut self, set: &Fields<'_>) -> Found<()> {
        let Some(field) = set.get_filled("blocks") else { return Ok(()) };
        let nodes = field.list()?;
        let read = |reader: &mut Self, owner, node: &Node<'_>| {
            let fields = Fields::new(reader.source, node, owner, BLOCK_KEYS)?;
            let switch = reader.kernel_time(&fields, "switch")?;
            Declared::read(&reader.resources, &reader.placement, &fields, switch, node.name_bytes())
        };
        let (all, places) = self.each(nodes, read, "block", "");
        self.places.blocks = places;
        self.blocks = Blocks::new(all, nodes);
        relate(&mut self.blocks, self.source).into_iter().for_each(|error| self.problems.refuse(error));
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
        let switch = self.kernel_time(&fields, "switch")?;
        self.resources = super::resources::read(area_unit, &fields)?;
        self.read_variants(&fields)?;
        self.read_modes(&fields)?;
        self.placement = Placement::read(&self.resources, &fields)?;
        self.read_blocks(&fields)?;
        let tasks = fields.required("tasks")?;
        let nodes = tasks.list()?;
        if nodes.is_empty() {
            return Err(tasks.refused("the task set has no tasks").label("expected at least one task"));
        }
        let (tasks, places) = self.each(nodes, Self::task, "task", "");
        self.places.tasks_of_rows(&tasks.iter().map(Vec::len).collect::<Vec<_>>(), &places);
        let tasks: Vec<Task> = tasks.into_iter().flatten().collect();
        let mut unused = self.blocks.unused(self.source);
        unused.extend(self.priorities.unused(self.source, &tasks));
        self.warn_of_too_long();
        self.warnings.extend(self.part_of_cycle.take());
        self.warnings.extend(unused);
        if self.warnings.len() > 1 {
            order::sort_by(&mut self.warnings, |a, b| a.start().cmp(&b.start()));
        }
        let written = |key: &str| TimeScale::of_text(nodes.iter().find_map(|task| task.entry(key)?.text())?);
        let chip_blocks = self.blocks.on_chip();
        let (cores, core) = std::mem::take(&mut self.placement).finish(self.source, &tasks, chip_blocks)?;
        let blocks = std::mem::take(&mut self.blocks).into_blocks();
        let mut set = TaskSet {
            description,
            source,
            time_base: self.time_base(),
            written: WrittenUnits { wcet: written("wcet"), period: written("period") },
            scheduler: self.priorities.scheduler,
            switch,
            variants: std::mem::take(&mut self.variants),
            modes: std::mem::take(&mut self.modes),
            cores,
            ..TaskSet::of(name, self.resources.clone(), blocks, tasks)
        };
        if let Some(cost) = core {
            set.add_core(&cost);
        }
        if let Some(error) = base_beyond(&fields, &set) {
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

    /// Reads each node of a list and collects the errors; the items read, and the number of the node of each. `kind` and `of`
    /// describe an item, such as "choice" and " of task `radio`".
    pub fn each<T>(
        &mut self,
        nodes: &[Node<'_>],
        mut read: impl FnMut(&mut Self, String, &Node<'_>) -> Found<T>,
        kind: &str,
        of: &str,
    ) -> (Vec<T>, Vec<usize>) {
        let (mut items, mut places) = (Vec::new(), Vec::new());
        for (index, node) in nodes.iter().enumerate() {
            // An error that is only counted needs no message.
            if self.problems.are_full() && !matches!(node.value, Value::Map(_)) {
                self.problems.omit();
                continue;
            }
            match read(self, node.described(kind, index) + of, node) {
                Ok(item) => {
                    items.push(item);
                    places.push(index);
                }
                Err(error) => self.problems.refuse(*error),
            }
        }
        (items, places)
    }

    /// A task, with its parts behind it.
    fn task(&mut self, owner: String, node: &Node<'_>) -> Found<Vec<Task>> {
        let fields = Fields::new(self.source, node, owner, TASK_KEYS)?;
        let name = fields.required("name")?.label()?;
        fields.free_text("source")?;
        let given_wcet = fields.required("wcet")?;
        let runs = self.runs_in(&fields);
        let wcets = self.times(given_wcet, Least::AboveZero, &runs)?;
        let wcet_high = self.wcet_high(&fields)?;
        let timings = self.timings(&fields)?;
        let priority = self.priorities.read(&fields)?;
        let kernel = self.kernel_costs(&fields)?;
        self.placement.read_task(&fields, self.places.rows.len() as u32)?;
        let (part, choices, forced) = (None, Vec::new(), false);
        let mut task = Task { name, part, wcets, wcet_high, timings, priority, kernel, choices, forced };
        if let Some(rows) = self.parts(&fields, &task)? {
            self.note_if_too_long(&fields.owner, given_wcet.place(), &rows);
            return Ok(rows);
        }
        let mut places = Vec::new();
        if let Some(field) = fields.get_filled("choices") {
            let read = |reader: &mut Self, owner, node: &Node<'_>| reader.choice(owner, node, &task);
            let of = format!(" of {}", fields.owner);
            (task.choices, places) = flattened(self.each(field.list()?, read, "choice", &of));
        }
        self.places.rows.push(Row { choices: places, ..Row::default() });
        let rows = vec![task];
        self.note_if_too_long(&fields.owner, given_wcet.place(), &rows);
        Ok(rows)
    }

    /// A choice, once for each way in which blocks can run it.
    pub fn choice(&mut self, owner: String, node: &Node<'_>, task: &Task) -> Found<Vec<Choice>> {
        let fields = Fields::new(self.source, node, owner, CHOICE_KEYS)?;
        self.choice_taking(&fields, |reader| match (fields.get("wcet"), fields.get("saves")) {
            (Some(field), None) => reader.times(field, Least::AboveZero, &task.runs()),
            (None, Some(field)) => reader.wcets_after_saving(field, task),
            (None, None) => {
                let missing = fields.missing("wcet");
                Err(missing.help("give the new WCET as `wcet`, or the time it saves as `saves`"))
            }
            (Some(wcet), Some(saves)) => Err(saves
                .refused(format!("{} has both `wcet` and `saves`", fields.owner))
                .label("the saving")
                .also(wcet.place(), "the new WCET")
                .help("give one of the two: the other follows from it")),
        })
    }

    /// A choice with these WCETs, once for each way in which blocks can run it.
    pub fn choice_taking(
        &mut self,
        fields: &Fields<'_>,
        wcets: impl FnOnce(&mut Self) -> Found<Vec<Rational>>,
    ) -> Found<Vec<Choice>> {
        let name = fields.required("name")?.label()?;
        let source = fields.free_text("source")?;
        // An error that is only counted needs no suggestion.
        let suggest = !self.problems.are_full();
        let (cost, ways) = self.blocks.of_choice(&self.resources, fields, suggest)?;
        let wcets = wcets(self)?;
        let wcet_high = self.wcet_high(fields)?;
        let locks = self.locks(fields)?;
        let (is_another_way, uses) = (false, Vec::new());
        let choice = Choice { name, is_another_way, cost, uses, wcets, wcet_high, locks, source };
        let way = |(at, uses)| Choice { is_another_way: at > 0, uses, ..choice.clone() };
        Ok(ways.into_iter().enumerate().map(way).collect())
    }

    /// What a task or choice takes at most if it exceeds its WCET.
    fn wcet_high(&mut self, fields: &Fields<'_>) -> Found<Option<Rational>> {
        fields.get("wcet_high").map(|field| self.time(field, "wcet_high", Least::AboveZero)).transpose()
    }

    /// A WCET, period, deadline or saving, as `key` says; in cycles if the set has a clock.
    pub fn time(&mut self, field: Field<'_>, key: &str, least: Least) -> Found<Rational> {
        let (value, unit) = field.quantity("a time", least, parse_time)?;
        if least == Least::AboveZero {
            field.not_zero(&value)?;
        }
        self.units.note(unit, field, key);
        if let (Some(hertz), TimeUnit::None, None) = (&self.clock, unit, &self.part_of_cycle)
            && !value.is_integer()
            && value < Rational::from_integer(MEANS_OF_RUNS.into())
        {
            let number = format_decimal(&value);
            let message = format!("{field} is {number} cycles of the clock of {}", format_rate(hertz));
            let warning = Diagnostic::warning(self.source, field.place(), message)
                .label("not a whole number of cycles");
            let help = format!("if it is a time, give its unit, for example `{number} ms`");
            self.part_of_cycle = Some(*warning.help(help));
        }
        Ok(match &self.clock {
            Some(hertz) if unit == TimeUnit::Seconds => value * hertz,
            _ => value,
        })
    }

    fn wcets_after_saving(&mut self, field: Field<'_>, task: &Task) -> Found<Vec<Rational>> {
        let savings = self.times(field, Least::Zero, &task.runs())?;
        // One saving counts in every variant or mode, and one WCET is that of all.
        let count = savings.len().max(task.wcets.len());
        let wcets = (0..count).map(|number| (task.wcet_in(number), &savings[number.min(savings.len() - 1)]));
        let mut left = Vec::with_capacity(count);
        for (wcet, saving) in wcets {
            let rest = difference(wcet, saving);
            // With mixed units the difference is meaningless; the mixed units are reported instead.
            if !rest.is_positive() && self.mixed_units().is_none() {
                return Err(self.too_much_saved(field, task, wcet, rest.is_negative()));
            }
            left.push(rest);
        }
        Ok(left)
    }

    /// The error for a saving that leaves nothing of a WCET.
    pub fn too_much_saved(
        &self,
        field: Field<'_>,
        task: &Task,
        wcet: &Rational,
        is_more: bool,
    ) -> Box<Diagnostic> {
        let left = if is_more { "more than the WCET" } else { "all of the WCET" };
        field
            .error(format!("is {left}: the new WCET must be greater than 0"))
            .label("the saving must be smaller than the WCET")
            .help(format!("the WCET of task `{}` is {}", shortened(&task.name), self.in_file_unit(wcet)))
    }

    /// Notes a task, given with its parts, for which no variant has time in some mode, whatever choices it takes.
    fn note_if_too_long(&mut self, owner: &str, place: Range<usize>, rows: &[Task]) {
        let task = &rows[0];
        let (variants, modes) = (self.variants.len().max(1), self.modes.len().max(1));
        for mode in 0..modes {
            let Some(Timing { period, deadline }) = task.timing_in(mode) else { continue };
            let least = |at: usize| rows.iter().map(|row| row.least_wcet_in(at)).sum::<Rational>();
            let least = (0..variants).map(|variant| least(variant * modes + mode)).min().unwrap_or_default();
            let (limit, limit_name) =
                if deadline < period { (deadline, "deadline") } else { (period, "period") };
            if least > *limit {
                let mode = self.modes.get(mode).map(|name| format!(" in mode `{}`", shortened(name)));
                let least = self.in_file_unit(&least);
                let (any, least) = match rows {
                    [task] if task.choices.is_empty() => ("", least),
                    _ => (", whatever choice it takes", format!("at least {least}")),
                };
                let mode = mode.unwrap_or_default();
                let message = format!("the WCET of {owner} is greater than the {limit_name}{mode}{any}");
                let label = format!("{least} against {}", self.in_file_unit(limit));
                return self.too_long.push(*Diagnostic::warning(self.source, place, message).label(label));
            }
        }
    }

    /// One warning of all tasks that take too long: often they have one cause.
    fn warn_of_too_long(&mut self) {
        let count = self.too_long.len();
        let Some(first) = self.too_long.drain(..).next() else { return };
        if count == 1 {
            return self.warnings.push(first);
        }
        let of_clock = if self.clock.is_some() { "the `clock`, or " } else { "" };
        let message = format!(
            "{count} tasks take longer than their periods or deadlines; the first: {}",
            first.message()
        );
        let help = format!("if they should not, look at {of_clock}the units of WCETs and periods");
        self.warnings.push(*first.because(message).help(help));
    }

    pub fn in_file_unit(&self, time: &Rational) -> String {
        format!("{} {}", format_decimal(time), self.time_base().unit()).trim_end().to_owned()
    }
}
