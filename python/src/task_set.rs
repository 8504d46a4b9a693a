//! Task sets: read from YAML, with their text kept, so that they can be sent to other processes.

use crate::errors;
use crate::options::Changes;
use isx::import::{DecimalMark, Files, Format, Options, TIME_UNITS, Tables, import};
use isx::quantity::{Rational, parse_rate};
use isx::taskset::{self, Reading, TimeBase, WhatIf};
use num_traits::Zero;
use pyo3::prelude::*;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// A task set as it was read.
#[pyclass(frozen, module = "isx._isx")]
pub struct TaskSet {
    set: Arc<taskset::TaskSet>,
    source: String,
    text: String,
    warnings: Vec<Warning>,
}

/// File, line, column, message, and all of it drawn with the lines it is about.
type Warning = (String, usize, usize, String, String);

/// Name, cost (of a set with one area this alone), the blocks it uses by name, WCET, source.
type ChoiceParts = (String, Vec<Rational>, Vec<String>, Rational, Option<String>);

/// Name, WCET, period, deadline, priority, choices.
type TaskParts = (String, Rational, Rational, Rational, Option<u32>, Vec<ChoiceParts>);

/// Name, cost, slot, fmax in hertz, source.
type BlockParts = (String, Vec<Rational>, Option<String>, Option<Rational>, Option<String>);

/// Names, objectives by name, what every design builds, the limits, the parts of the device that may be used, its name.
pub type ResourceParts =
    (Vec<String>, Vec<String>, Vec<Rational>, Vec<Option<Rational>>, Vec<Rational>, Option<String>);

/// The parts of a set's resources; `None` if it has one area.
pub fn resource_parts(set: &taskset::TaskSet) -> Option<ResourceParts> {
    let resources = set.named_resources().cloned()?;
    let taskset::Resources { names, objectives, base, limits, fill, device, .. } = resources;
    let objectives = objectives.iter().filter_map(|&at| names.get(at).cloned()).collect();
    Some((names, objectives, base, limits, fill, device))
}

/// What names a table in messages, and its bytes.
type NamedBytes = (String, Vec<u8>);

fn lent(table: &Option<NamedBytes>) -> Option<(&str, &[u8])> {
    table.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
}

/// What is said beside tables, as the flags of `isx import`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Said {
    clock: Option<String>,
    unit: Option<String>,
    decimal: Option<String>,
    name: Option<String>,
}

impl Said {
    fn options(self) -> PyResult<Options> {
        let wrong = |name: &str, problem: &dyn Display| errors::input(format!("{name}: {problem}"));
        let clock = self.clock.map(|text| parse_rate(&text).map_err(|error| wrong("clock", &error)));
        let clock = clock.transpose()?;
        if clock.as_ref().is_some_and(Zero::is_zero) {
            return Err(wrong("clock", &"a clock is greater than 0"));
        }
        if self.unit.as_deref().is_some_and(|unit| !TIME_UNITS.contains(&unit)) {
            return Err(wrong("unit", &format!("write one of {}", TIME_UNITS.join(", "))));
        }
        let decimal = self
            .decimal
            .map(|mark| DecimalMark::named(&mark).ok_or_else(|| wrong("decimal", &"write point or comma")));
        Ok(Options {
            clock,
            unit: self.unit,
            decimal: decimal.transpose()?,
            name: self.name,
            ..Options::default()
        })
    }
}

impl TaskSet {
    fn new(source: String, text: String, reading: Reading) -> Self {
        let Reading { task_set, warnings, measured } = reading;
        // Other processes have no reports beside the text.
        let text = measured.map_or(text, |measured| measured.text);
        let drawn = |warning: &taskset::Diagnostic| {
            let (file, line, column, message) = errors::place(warning);
            (file, line, column, message, warning.to_string())
        };
        Self { set: Arc::new(task_set), source, text, warnings: warnings.iter().map(drawn).collect() }
    }

    /// The set with what is tried out.
    pub fn changed(&self, changes: &Changes) -> PyResult<Arc<taskset::TaskSet>> {
        let what_if = self.what_if(changes)?;
        if !changes.are_any() {
            return Ok(Arc::clone(&self.set));
        }
        what_if.apply(&self.set).map(Arc::new).map_err(errors::input)
    }

    /// The set with what is tried out, in which limits hold beside a price.
    pub fn changed_with_limits(&self, changes: &Changes) -> PyResult<Arc<taskset::TaskSet>> {
        let mut what_if = self.what_if(changes)?;
        what_if.keep_limits();
        what_if.apply(&self.set).map(Arc::new).map_err(errors::input)
    }

    /// What is tried out.
    fn what_if(&self, changes: &Changes) -> PyResult<WhatIf> {
        let Changes {
            force,
            forbid,
            scale_wcet,
            margin,
            overruns,
            variant,
            objectives,
            within,
            price,
            device,
        } = changes;
        let mut what_if = WhatIf::default();
        let refused = |name: &'static str| move |error| errors::input(format!("{name}: {error}"));
        force.iter().try_for_each(|text| what_if.force(text, &self.set)).map_err(refused("force"))?;
        forbid.iter().try_for_each(|text| what_if.forbid(text, &self.set)).map_err(refused("forbid"))?;
        if let Some(factor) = scale_wcet {
            what_if.scale_wcets(factor.clone()).map_err(refused("scale_wcet"))?;
        }
        if let Some(margin) = margin {
            what_if.add_margin(margin.clone()).map_err(refused("margin"))?;
        }
        let set = &self.set;
        overruns.iter().for_each(|&most| what_if.overruns(most));
        variant.iter().try_for_each(|name| what_if.variant(name, set)).map_err(refused("variant"))?;
        objectives
            .iter()
            .try_for_each(|text| what_if.objectives(text, set))
            .map_err(refused("objectives"))?;
        within.iter().try_for_each(|text| what_if.within(text, set)).map_err(refused("within"))?;
        price.iter().try_for_each(|text| what_if.price(text, set)).map_err(refused("price"))?;
        device.iter().try_for_each(|text| what_if.device(text, set)).map_err(refused("device"))?;
        Ok(what_if)
    }

    /// The FPGA that its limits come from.
    pub fn own_device(&self) -> Option<String> {
        taskset::own_device(&self.set)
    }

    /// The set on each of these FPGAs; on its own and those of its family if none is named, or on all that have its resources.
    pub fn on_devices(
        &self,
        changes: &Changes,
        names: &[String],
        all: bool,
    ) -> PyResult<Vec<taskset::TaskSet>> {
        let what_if = self.what_if(changes)?;
        what_if.apply(&self.set).map_err(errors::input)?;
        let about = if names.is_empty() { "" } else { "devices: " };
        what_if.on_devices(names, all, &self.set).map_err(|error| errors::input(format!("{about}{error}")))
    }
}

#[pymethods]
impl TaskSet {
    /// Reads YAML text; `source` names it in messages.
    #[staticmethod]
    fn from_text(py: Python<'_>, text: String, source: String) -> PyResult<Self> {
        let reading =
            py.detach(|| taskset::read_str(&source, &text)).map_err(|error| errors::read(&error))?;
        Ok(Self::new(source, text, reading))
    }

    /// Reads a file.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let source = path.display().to_string();
        py.detach(|| {
            // The text is kept, and the file is read once; what cannot be opened, the reader has its own words for.
            let mut bytes = Vec::new();
            let opened =
                File::open(&path).and_then(|file| file.take(taskset::MAX_BYTES + 1).read_to_end(&mut bytes));
            let reading = match opened {
                Ok(_) => taskset::read_beside(&source, &bytes, &Files::beside(&path)),
                Err(_) => taskset::read_file(&path),
            };
            let reading = reading.map_err(|error| errors::read(&error))?;
            let text = String::from_utf8(bytes).map_err(errors::input)?;
            Ok(Self::new(source, text, reading))
        })
    }

    /// Imports tables in CSV, each a name and its bytes; returns also what a task set has no place for.
    #[staticmethod]
    fn from_tables(
        py: Python<'_>,
        tasks: NamedBytes,
        choices: Option<NamedBytes>,
        blocks: Option<NamedBytes>,
        said: Said,
    ) -> PyResult<(Self, Vec<String>)> {
        let options = said.options()?;
        let imported = py.detach(|| {
            let tables = Tables { choices: lent(&choices), blocks: lent(&blocks) };
            import(&tasks.0, &tasks.1, Format::named("csv"), tables, &options)
        });
        let imported = imported.map_err(|refusal| errors::import(py, &refusal))?;
        Ok((Self::new(tasks.0, imported.yaml, imported.reading), imported.left_out))
    }

    #[getter]
    fn source(&self) -> &str {
        &self.source
    }

    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[getter]
    fn warnings(&self) -> Vec<Warning> {
        self.warnings.clone()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.set.name
    }

    #[getter]
    fn description(&self) -> Option<&str> {
        self.set.description.as_deref()
    }

    #[getter]
    fn area_unit(&self) -> &str {
        self.set.area_unit()
    }

    #[getter]
    fn time_unit(&self) -> &'static str {
        self.set.time_base.unit()
    }

    #[getter]
    fn clock_hz(&self) -> Option<Rational> {
        match &self.set.time_base {
            TimeBase::Cycles { hertz } => Some(hertz.clone()),
            TimeBase::Seconds | TimeBase::Unnamed => None,
        }
    }

    #[getter]
    fn scheduler(&self) -> &'static str {
        self.set.scheduler.name()
    }

    #[getter]
    fn tasks(&self) -> Vec<TaskParts> {
        let block = |&used: &u32| self.set.blocks.get(used as usize).map(|block| block.name.clone());
        let choice = |choice: &taskset::Choice| {
            let uses = choice.uses.iter().filter_map(block).collect();
            let cost = choice.cost.clone();
            (choice.name.clone(), cost, uses, choice.wcets[0].clone(), choice.source.clone())
        };
        let task = |task: &taskset::Task| {
            let choices = task.choices.iter().map(choice).collect();
            let (wcet, period, deadline) =
                (task.wcets[0].clone(), task.period().clone(), task.deadline().clone());
            (task.name.clone(), wcet, period, deadline, task.priority, choices)
        };
        self.set.tasks.iter().map(task).collect()
    }

    #[getter]
    fn blocks(&self) -> Vec<BlockParts> {
        let block = |block: &taskset::Block| {
            let taskset::Block { name, cost, slot, fmax, source, .. } = block.clone();
            (name, cost, slot, fmax, source)
        };
        self.set.blocks.iter().map(block).collect()
    }

    #[getter]
    fn modes(&self) -> Vec<String> {
        self.set.modes.clone()
    }

    #[getter]
    fn resources(&self) -> Option<ResourceParts> {
        resource_parts(&self.set)
    }

    fn equals(&self, other: &Self) -> bool {
        self.set == other.set
    }
}
