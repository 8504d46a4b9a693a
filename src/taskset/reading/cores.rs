//! Reads the cores of a chip, the scope of blocks, and where tasks may run.
//!
//! ```yaml
//! cores: {count: 1..4, area: 1614}     # or `cost`, beside which `base` is the rest of the chip
//! blocks:
//!   - {name: mul, area: 300, scope: chip}       # once for the chip, and not on every core that uses it
//! tasks:
//!   - {name: safety, wcet: 2, period: 10, core: 0, apart: [infotainment]}
//! ```

use std::ops::Range;
use std::sync::Arc;

use super::fields::{Field, Fields, Least};
use super::keys::CORES_KEYS;
use super::resources;
use super::tree::Value;
use crate::diagnostics::{Diagnostic, Found, Source, meant, shortened};
use crate::model::{Cores, MAX_CORES, Resources, Task};
use isx_exact::quantity::{Rational, parse_decimal};
use num_traits::ToPrimitive;

/// What a file says of cores.
#[derive(Default)]
pub struct Placement {
    cores: Option<Cores>,
    /// What a core costs, if the file says it.
    core: Option<Vec<Rational>>,
    /// The tasks that others are kept apart from, by name, with its place.
    apart: Vec<(u32, String, Range<usize>)>,
}

impl Placement {
    /// Reads the `cores` of a task set.
    pub fn read(resources: &Resources, set: &Fields<'_>) -> Found<Self> {
        let Some(field) = set.get_filled("cores") else { return Ok(Self::default()) };
        if !matches!(field.node.value, Value::Map(_)) {
            let error = field.error("is not a mapping").label("expected a mapping");
            return Err(error.help("write for example `cores: {count: 1..4, area: 1614}`"));
        }
        let fields = Fields::new(set.source, field.node, "`cores`".to_owned(), CORES_KEYS)?;
        let core = resources::cost(resources, &fields)?;
        let count = fields.get("count").map(count).transpose()?;
        Ok(Self { cores: Some(Cores { count, ..Cores::default() }), core, ..Self::default() })
    }

    fn needs_cores(&self, field: Field<'_>) -> Found<()> {
        if self.cores.is_some() {
            return Ok(());
        }
        Err(field.error("needs the `cores` of the task set").label("the set has one core").help(
            "write for example `cores: {count: 1..4}` beside `tasks`; `isx partition` distributes the tasks among them",
        ))
    }

    /// Reads the `scope` of a block: whether it is built once for the chip.
    pub fn is_on_chip(&self, block: &Fields<'_>) -> Found<bool> {
        let Some(field) = block.get("scope") else { return Ok(false) };
        self.needs_cores(field)?;
        match field.filled_text("`core` or `chip`")? {
            "core" => Ok(false),
            "chip" => Ok(true),
            text => {
                let label =
                    meant(text, ["core", "chip"]).unwrap_or_else(|| "no scope has this name".to_owned());
                Err(field.error(format!("is `{}`, which is unknown", shortened(text))).label(label).help(
                    "`core`: built on every core with a task that uses it; `chip`: built once, for all cores",
                ))
            }
        }
    }

    /// Reads the `core` and `apart` of the task of this number.
    pub fn read_task(&mut self, task: &Fields<'_>, number: u32) -> Found<()> {
        if let Some(field) = task.get("core") {
            self.needs_cores(field)?;
            let core = whole(field, Least::Zero)?;
            let most = self.cores.as_ref().and_then(|cores| cores.count).map_or(MAX_CORES, |(_, most)| most);
            if core >= most {
                let last = most - 1;
                return Err(field
                    .error(format!("must be at most {last}"))
                    .label(format!("this is {core}"))
                    .help(format!("the {most} cores are numbered from 0 to {last}")));
            }
            if let Some(cores) = &mut self.cores {
                cores.pins.push((number, core));
            }
        }
        let Some(field) = task.get_filled("apart") else { return Ok(()) };
        self.needs_cores(field)?;
        for (at, item) in field.names()?.iter().enumerate() {
            let name = field.name_of(at, item, "the name of a task")?;
            self.apart.push((number, name.to_owned(), item.bytes.clone()));
        }
        Ok(())
    }

    /// The cores and what one costs, once all tasks and blocks are read.
    pub fn finish(
        mut self,
        source: &Arc<Source>,
        tasks: &[Task],
        chip_blocks: Vec<u32>,
    ) -> Found<(Option<Cores>, Option<Vec<Rational>>)> {
        let Some(mut cores) = self.cores.take() else { return Ok((None, None)) };
        for (number, name, place) in self.apart {
            let of = || tasks.get(number as usize).map_or_else(String::new, |task| shortened(&task.name));
            let refused = |what: String, label: String| {
                let message = format!("`apart` of task `{}` {what}", of());
                Err(Diagnostic::error(source, place.clone(), message).label(label))
            };
            match tasks.iter().position(|task| task.name == name && !task.is_part()) {
                None => {
                    let names = tasks.iter().take(MAX_COMPARED).map(|task| task.name.as_str());
                    let label = meant(&name, names).unwrap_or_else(|| "no task has this name".to_owned());
                    return refused(format!("names an unknown task `{}`", shortened(&name)), label);
                }
                Some(other) if other == number as usize => {
                    return refused("names the task itself".to_owned(), "name another task".to_owned());
                }
                Some(other) => cores.apart.push((number, other as u32)),
            }
        }
        cores.chip_blocks = chip_blocks;
        Ok((Some(cores), self.core))
    }
}

/// The maximum number of tasks compared with an unknown name.
const MAX_COMPARED: usize = 1_000;

fn whole(field: Field<'_>, least: Least) -> Found<u32> {
    let value = field.quantity("a whole number", least, parse_decimal)?;
    if !value.is_integer() {
        return Err(field.error("must be a whole number").label("this is a fraction"));
    }
    Ok(value.to_integer().to_u32().unwrap_or(u32::MAX))
}

/// Reads `4` or `1..4`.
fn count(field: Field<'_>) -> Found<(u32, u32)> {
    let text = field.filled_text("a number of cores, or a range such as 1..4")?;
    crate::cores_in(text)
        .map_err(|problem| field.error(problem).label("expected a number of cores, or a range such as 1..4"))
}
