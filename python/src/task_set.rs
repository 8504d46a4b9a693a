//! Task sets: read from YAML, with their text kept, so that they can be sent to other processes.

use crate::errors::{self, Answered, Raised};
use isx::import::{DecimalMark, Files, Format, Options, TIME_UNITS, Tables, import};
use isx::quantity::{Rational, format_decimal, parse_fraction, parse_rate};
use isx::report::front::costs;
use isx::taskset::{self, Reading, TimeBase, WhatIf, WhatIfError, parse_margin};
use num_traits::Zero;
use pyo3::prelude::*;
use serde_json::json;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

/// A task set as it was read.
#[pyclass(frozen, module = "isx._isx")]
pub struct TaskSet {
    pub set: Arc<taskset::TaskSet>,
    #[pyo3(get)]
    source: String,
    #[pyo3(get)]
    text: String,
    /// The message of each, and it drawn with the lines it is about.
    #[pyo3(get)]
    warnings: Vec<(String, String)>,
}

/// What is tried out: keys as the command's flags, with their texts.
pub type Changes = Vec<(String, String)>;

/// What names a table in messages, and its bytes.
type NamedBytes = (String, Vec<u8>);

fn wrong<'a>(key: &'a str) -> impl Fn(&dyn Display) -> Raised + 'a {
    move |problem| errors::input(format!("{key}: {problem}"))
}

impl TaskSet {
    fn new(source: String, text: String, reading: Reading) -> Self {
        let Reading { task_set, warnings, measured } = reading;
        // Other processes have no reports beside the text.
        let text = measured.map_or(text, |measured| measured.text);
        let warnings =
            warnings.iter().map(|warning| (warning.message().to_owned(), warning.to_string())).collect();
        Self { set: Arc::new(task_set), source, text, warnings }
    }

    /// The set with what is tried out.
    pub fn changed(&self, changes: &Changes) -> Answered<Arc<taskset::TaskSet>> {
        if changes.is_empty() {
            return Ok(Arc::clone(&self.set));
        }
        self.what_if(changes)?.apply(&self.set).map(Arc::new).map_err(errors::input)
    }

    /// What is tried out.
    pub fn what_if(&self, changes: &Changes) -> Answered<WhatIf> {
        let (mut what_if, set) = (WhatIf::default(), &self.set);
        for (key, text) in changes {
            let exact = || parse_fraction(text).map_err(|error| wrong(key)(&error));
            let asked: Result<(), WhatIfError> = match key.as_str() {
                "force" => what_if.force(text, set),
                "forbid" => what_if.forbid(text, set),
                "scale_wcet" => what_if.scale_wcets(exact()?),
                "margin" => what_if.add_margin(parse_margin(text).map_err(|error| wrong(key)(&error))?),
                "overruns" => {
                    what_if.overruns(text.parse().map_err(|error| wrong(key)(&error))?);
                    Ok(())
                }
                "variant" => what_if.variant(text, set),
                "objectives" => what_if.objectives(text, set),
                "within" => what_if.within(text, set),
                "price" => what_if.price(text, set),
                "device" => what_if.device(text, set),
                _ => return Err(wrong(key)(&"there is no such change")),
            };
            asked.map_err(|error| wrong(key)(&error))?;
        }
        Ok(what_if)
    }
}

#[pymethods]
impl TaskSet {
    /// Reads YAML; `source` names it in messages, and reports stand beside `file` where it is of one.
    #[new]
    #[pyo3(signature = (text, source, file=None))]
    fn read(py: Python<'_>, text: Vec<u8>, source: String, file: Option<PathBuf>) -> Answered<Self> {
        let reading = py.detach(|| match &file {
            Some(file) => taskset::read_beside(&source, &text, &Files::beside(file)),
            None => taskset::read_bytes(&source, &text),
        });
        let reading = reading?;
        Ok(Self::new(source, String::from_utf8(text).map_err(errors::input)?, reading))
    }

    /// What the set holds, as JSON; exact numbers are texts.
    fn document(&self) -> String {
        let (set, resources) = (&*self.set, &self.set.resources);
        let cost = |amounts: &[Rational]| costs::object(resources, amounts);
        let text = |number: &Option<Rational>| number.as_ref().map(format_decimal);
        let block = |block: &taskset::Block| {
            json!({
                "name": block.name, "cost": cost(&block.cost), "slot": block.slot, "fmax_hz": text(&block.fmax),
                "source": block.source,
            })
        };
        let choice = |choice: &taskset::Choice| {
            let used = choice.uses.iter().filter_map(|&used| set.blocks.get(used as usize));
            json!({
                "name": choice.name, "cost": cost(&choice.cost), "wcet": format_decimal(&choice.wcets[0]),
                "uses": used.map(|block| &block.name).collect::<Vec<_>>(), "source": choice.source,
            })
        };
        let task = |task: &taskset::Task| {
            json!({
                "name": task.name, "wcet": format_decimal(&task.wcets[0]), "period": format_decimal(task.period()),
                "deadline": format_decimal(task.deadline()), "priority": task.priority,
                "choices": task.choices.iter().map(choice).collect::<Vec<_>>(),
            })
        };
        let clock = match &set.time_base {
            TimeBase::Cycles { hertz } => Some(format_decimal(hertz)),
            TimeBase::Seconds | TimeBase::Unnamed => None,
        };
        json!({
            "taskset": set.name, "description": set.description, "area_unit": set.area_unit(), "modes": set.modes,
            "resources": resources.names, "device": resources.device, "limits": costs::limits(resources),
            "objectives": resources.objectives.iter().map(|&at| &resources.names[at]).collect::<Vec<_>>(),
            "base": cost(&resources.base), "fill": cost(&resources.fill), "scheduler": set.scheduler.name(),
            "time_unit": set.time_base.unit(), "clock_hz": clock, "blocks": set.blocks.iter().map(block).collect::<Vec<_>>(),
            "tasks": set.tasks.iter().map(task).collect::<Vec<_>>(),
        })
        .to_string()
    }

    fn equals(&self, other: &Self) -> bool {
        self.set == other.set
    }
}

/// Imports tables in CSV, with what is said beside them, as the flags of `isx import`. Returns also what a task set has no
/// place for.
#[pyfunction]
pub fn from_tables(
    py: Python<'_>,
    tasks: NamedBytes,
    choices: Option<NamedBytes>,
    blocks: Option<NamedBytes>,
    said: Vec<(String, String)>,
) -> Answered<(TaskSet, Vec<String>)> {
    let mut options = Options::default();
    for (key, text) in said {
        match key.as_str() {
            "clock" => {
                let clock = parse_rate(&text).map_err(|error| wrong(&key)(&error))?;
                if clock.is_zero() {
                    return Err(wrong(&key)(&"a clock is greater than 0"));
                }
                options.clock = Some(clock);
            }
            "unit" if TIME_UNITS.contains(&&*text) => options.unit = Some(text),
            "unit" => return Err(wrong(&key)(&format!("write one of {}", TIME_UNITS.join(", ")))),
            "decimal" => {
                let mark = DecimalMark::named(&text);
                options.decimal = Some(mark.ok_or_else(|| wrong(&key)(&"write point or comma"))?);
            }
            _ => options.name = Some(text),
        }
    }
    let imported = py.detach(|| {
        let tables = Tables {
            choices: choices.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
            blocks: blocks.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
        };
        import(&tasks.0, &tasks.1, Format::named("csv"), tables, &options)
    });
    let imported = imported.map_err(|refusal| errors::import(py, &refusal))?;
    Ok((TaskSet::new(tasks.0, imported.yaml, imported.reading), imported.left_out))
}
