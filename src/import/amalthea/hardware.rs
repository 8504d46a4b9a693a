//! Selects the core that runs the tasks, and its clock.
//!
//! A processing unit has a definition, its kind, and a frequency domain. The user may name either the unit or its
//! kind. If the file has one kind of CPU at one clock, no selection is needed.

use isx_exact::order;
use std::collections::BTreeMap;
use std::sync::Arc;

use roxmltree::Node;

use super::references::{Reference, kind_of};
use crate::draft::Draft;
use crate::figures::{Figure, Found, error, meant};
use crate::xml::{child, children, place, place_of, required};
use crate::{Need, Options, Refusal};
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::{Source, shortened};

/// A kind of core at a clock.
#[derive(Clone)]
pub(super) struct Core {
    /// The name of its definition, which identifies ticks; none if the file describes no cores.
    pub definition: Option<String>,
    /// Its clock.
    pub hertz: Rational,
    /// Its name in the sources of figures.
    pub words: String,
    /// The selection, as a sentence.
    pub taken: String,
}

/// A processing unit as the file describes it.
struct Unit<'a, 'i> {
    node: Node<'a, 'i>,
    name: String,
    definition: String,
    domain: String,
}

/// Finds the core.
pub(super) fn core(
    source: &Arc<Source>,
    root: Node<'_, '_>,
    options: &Options,
    draft: &mut Draft,
) -> Result<Core, Refusal> {
    let hardware = child(root, "hwModel");
    let units = hardware.map(|hardware| units(hardware)).unwrap_or_default();
    let Some(hardware) = hardware.filter(|_| !units.is_empty()) else {
        return without_hardware(source, root, options);
    };
    let cpus = cpus(hardware, &units);
    let chosen = match &options.core {
        Some(core) => named(source, hardware, &units, core)?,
        None => only_kind(source, hardware, &cpus)?,
    };
    if units.len() > 1 {
        let kind = format!(
            "{} processing units and the mapping of tasks to them: all tasks stand on one core of kind {}",
            units.len(),
            shortened(&chosen.definition)
        );
        draft.left_out.note(kind, "", place(hardware).start);
    }
    let hertz = match &options.clock {
        Some(hertz) => hertz.clone(),
        None => clock(source, hardware, chosen)?,
    };
    let mhz = format_decimal(&(&hertz / Rational::from_integer(1_000_000.into())));
    let definition = chosen.definition.clone();
    let taken = format!("Core: {} ({} and its like) at {mhz} MHz.", definition, chosen.name);
    Ok(Core { words: format!("ticks on {definition}"), definition: Some(definition), hertz, taken })
}

/// All processing units, at any level of the structures.
fn units<'a, 'i>(hardware: Node<'a, 'i>) -> Vec<Unit<'a, 'i>> {
    let modules = hardware.descendants().filter(|node| node.tag_name().name() == "modules");
    let units = modules.filter(|node| kind_of(*node) == "ProcessingUnit");
    let name = |reference: Option<Reference>| reference.map(|reference| reference.name).unwrap_or_default();
    let unit = |node: Node<'a, 'i>| Unit {
        node,
        name: node.attribute("name").unwrap_or("").to_owned(),
        definition: name(Reference::one(node, "definition")),
        domain: name(Reference::one(node, "frequencyDomain")),
    };
    units.map(unit).collect()
}

/// The units that are CPUs according to their definitions; all units if none is.
fn cpus<'u, 'a, 'i>(hardware: Node<'_, '_>, units: &'u [Unit<'a, 'i>]) -> Vec<&'u Unit<'a, 'i>> {
    let kinds: BTreeMap<&str, &str> = children(hardware, "definitions")
        .filter_map(|node| Some((node.attribute("name")?, node.attribute("puType").unwrap_or(""))))
        .collect();
    let is_other =
        |unit: &&Unit<'_, '_>| matches!(kinds.get(&*unit.definition), Some(&("GPU" | "Accelerator")));
    let cpus: Vec<_> = units.iter().filter(|unit| !is_other(unit)).collect();
    if cpus.is_empty() { units.iter().collect() } else { cpus }
}

/// The first unit with this name, or of the kind with this name.
fn named<'u, 'a, 'i>(
    source: &Arc<Source>,
    hardware: Node<'_, '_>,
    units: &'u [Unit<'a, 'i>],
    core: &str,
) -> Result<&'u Unit<'a, 'i>, Refusal> {
    let of_kind: Vec<&Unit<'_, '_>> = units.iter().filter(|unit| unit.definition == core).collect();
    if let [first, rest @ ..] = of_kind.as_slice() {
        return match rest.iter().find(|unit| unit.domain != first.domain) {
            None => Ok(first),
            Some(other) => {
                let message = format!("cores of kind `{}` have several clocks", shortened(core));
                let label =
                    format!("`{}` is not clocked as `{}` is", shortened(&other.name), shortened(&first.name));
                let refused = error(source, place_of(other.node, "frequencyDomain"), message).label(label);
                Err(Refusal::needs(Need::Core, refused.help("name one of the cores")))
            }
        };
    }
    units.iter().find(|unit| unit.name == core).ok_or_else(|| {
        let message = format!("no core, and no kind of cores, is named `{}`", shortened(core));
        let names = units.iter().take(1_000).flat_map(|unit| [unit.definition.as_str(), unit.name.as_str()]);
        let label = meant(core, names).unwrap_or_else(|| "the hardware is described here".to_owned());
        let all: Vec<&Unit<'_, '_>> = units.iter().collect();
        let refused = error(source, place(hardware), message).label(label);
        Refusal::needs(Need::Core, refused.help(format!("kinds of cores: {}", kinds(&all))))
    })
}

fn kinds(units: &[&Unit<'_, '_>]) -> String {
    let mut kinds: Vec<String> =
        units.iter().map(|unit| format!("`{}`", shortened(&unit.definition))).collect();
    order::sort(&mut kinds);
    kinds.dedup();
    kinds.truncate(10);
    kinds.join(", ")
}

/// A unit, if there is only one kind and clock.
fn only_kind<'u, 'a, 'i>(
    source: &Arc<Source>,
    hardware: Node<'_, '_>,
    cpus: &[&'u Unit<'a, 'i>],
) -> Result<&'u Unit<'a, 'i>, Refusal> {
    let Some(&first) = cpus.first() else {
        return Err(error(source, place(hardware), "the hardware has no processing units").into());
    };
    let is_other = |unit: &&&Unit<'_, '_>| unit.definition != first.definition || unit.domain != first.domain;
    let Some(other) = cpus.iter().find(is_other) else { return Ok(first) };
    let message = "the file has several kinds of cores, and a task set stands on one of them";
    let label =
        format!("`{}` is not of the kind or clock of `{}`", shortened(&other.name), shortened(&first.name));
    let refused = error(source, place_of(other.node, "name"), message).label(label);
    Err(Refusal::needs(Need::Core, refused.help(format!("kinds of cores: {}", kinds(cpus)))))
}

/// The clock of a unit: the default of its domain.
fn clock(source: &Arc<Source>, hardware: Node<'_, '_>, unit: &Unit<'_, '_>) -> Result<Rational, Refusal> {
    let domain = hardware
        .descendants()
        .filter(|node| node.tag_name().name() == "domains" && kind_of(*node) == "FrequencyDomain")
        .find(|node| node.attribute("name") == Some(&unit.domain));
    let value = domain.and_then(|domain| child(domain, "defaultValue"));
    let owner = format!("the clock of core `{}`", shortened(&unit.name));
    match value {
        Some(value) => Ok(rate(source, value, &owner)?),
        None => {
            let message = format!("{owner} is not in the file");
            let place = domain.map_or_else(|| place_of(unit.node, "frequencyDomain"), place);
            let refused =
                error(source, place, message).label("a frequency domain with a `defaultValue` is due here");
            Err(Refusal::needs(Need::Clock, refused))
        }
    }
}

/// Ticks need a clock, which the user must give if the file does not.
fn without_hardware(source: &Arc<Source>, root: Node<'_, '_>, options: &Options) -> Result<Core, Refusal> {
    if options.core.is_some() {
        return Err(error(source, place(root), "the file describes no cores")
            .label("no `hwModel` with processing units")
            .into());
    }
    let hertz = options.clock.clone().ok_or_else(|| {
        let message = "the file describes no cores, so ticks have no length";
        Refusal::needs(
            Need::Clock,
            error(source, place(root), message).label("no `hwModel` with processing units"),
        )
    })?;
    let taken = "The file describes no cores: the clock was said beside it.".to_owned();
    Ok(Core { definition: None, hertz, words: "ticks of any core".to_owned(), taken })
}

/// The kinds of all processing units, by their names.
pub(super) fn kinds_of_units(root: Node<'_, '_>) -> BTreeMap<String, String> {
    let units = child(root, "hwModel").map(|hardware| units(hardware)).unwrap_or_default();
    units.into_iter().map(|unit| (unit.name, unit.definition)).collect()
}

/// A `value` with its `unit`, as a clock rate in hertz.
fn rate(source: &Arc<Source>, node: Node<'_, '_>, owner: &str) -> Found<Rational> {
    let value = required(source, node, "value", owner)?;
    let unit = required(source, node, "unit", owner)?;
    value.positive()?;
    let text = format!("{} {}", value.text.trim(), unit.text);
    Figure { source, text: &text, place: unit.place, what: unit.what }.rate()
}

impl Core {
    pub fn is_kind(&self, definition: &str) -> bool {
        self.definition.as_deref() == Some(definition)
    }
}
