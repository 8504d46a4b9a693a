//! Selects the core that runs the tasks, and its clock.
//!
//! A processing unit has a definition, its kind, and a frequency domain. The user may name either the unit or its
//! kind. If the file has one kind of CPU at one clock, no selection is needed.

use isx_exact::order;
use std::collections::BTreeMap;

use super::references::Reference;
use crate::draft::Draft;
use crate::figures::{Figure, Found, meant};
use crate::xml::Element;
use crate::{Need, Options, Refusal};
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::shortened;

/// A kind of core at a clock.
#[derive(Clone)]
pub(super) struct Core {
    /// The name of its definition, which identifies ticks; none if the file describes no cores.
    pub definition: Option<String>,
    /// Its clock.
    pub hertz: Rational,
    /// What its ticks are called in the source of a task, such as `ticks on A57`.
    pub words: String,
    /// The selection, as a sentence.
    pub taken: String,
}

/// A processing unit as the file describes it.
struct Unit<'a> {
    element: Element<'a>,
    definition: String,
    domain: String,
}

impl Unit<'_> {
    fn name(&self) -> &str {
        self.element.name()
    }
}

/// Finds the core.
pub(super) fn core(root: Element<'_>, options: &Options, draft: &mut Draft) -> Result<Core, Refusal> {
    let hardware = root.child("hwModel");
    let units = hardware.map(units).unwrap_or_default();
    let Some(hardware) = hardware.filter(|_| !units.is_empty()) else {
        return without_hardware(root, options);
    };
    let chosen = match &options.core {
        Some(core) => named(hardware, &units, core)?,
        None => only_kind(hardware, &cpus(hardware, &units))?,
    };
    if units.len() > 1 {
        let kind = format!(
            "{} processing units and the mapping of tasks to them: all tasks stand on one core of kind {}",
            units.len(),
            shortened(&chosen.definition)
        );
        draft.left_out.note(kind, "", hardware.start());
    }
    let hertz = match &options.clock {
        Some(hertz) => hertz.clone(),
        None => clock(hardware, chosen)?,
    };
    let mhz = format_decimal(&(&hertz / Rational::from_integer(1_000_000.into())));
    let definition = chosen.definition.clone();
    let taken = format!("Core: {} ({} and its like) at {mhz} MHz.", definition, chosen.name());
    Ok(Core { words: format!("ticks on {definition}"), definition: Some(definition), hertz, taken })
}

/// All processing units, at any level of the structures.
fn units(hardware: Element<'_>) -> Vec<Unit<'_>> {
    let units = hardware.descendants("modules").filter(|module| module.kind() == "ProcessingUnit");
    let unit = |element| Unit {
        element,
        definition: Reference::name(element, "definition"),
        domain: Reference::name(element, "frequencyDomain"),
    };
    units.map(unit).collect()
}

/// The units that are CPUs according to their definitions; all units if none is.
fn cpus<'u, 'a>(hardware: Element<'a>, units: &'u [Unit<'a>]) -> Vec<&'u Unit<'a>> {
    let definitions = hardware.children("definitions");
    let kinds: BTreeMap<&str, &str> = definitions
        .filter_map(|definition| Some((definition.get("name")?, definition.get("puType").unwrap_or(""))))
        .collect();
    let is_other = |unit: &&Unit<'_>| matches!(kinds.get(&*unit.definition), Some(&("GPU" | "Accelerator")));
    let cpus: Vec<_> = units.iter().filter(|unit| !is_other(unit)).collect();
    if cpus.is_empty() { units.iter().collect() } else { cpus }
}

/// The first unit with this name, or of the kind with this name.
fn named<'u, 'a>(hardware: Element<'a>, units: &'u [Unit<'a>], core: &str) -> Result<&'u Unit<'a>, Refusal> {
    let mut of_kind = units.iter().filter(|unit| unit.definition == core);
    if let Some(first) = of_kind.next() {
        let Some(other) = of_kind.find(|unit| unit.domain != first.domain) else { return Ok(first) };
        let message = format!("cores of kind `{}` have several clocks", shortened(core));
        let [one, two] = [other, first].map(|unit| shortened(unit.name()));
        let refused = other.element.error_of("frequencyDomain", message);
        let refused = refused.label(format!("`{one}` is not clocked as `{two}` is"));
        return Err(Refusal::needs(Need::Core, refused.help("name one of the cores")));
    }
    units.iter().find(|unit| unit.name() == core).ok_or_else(|| {
        let message = format!("no core, and no kind of cores, is named `{}`", shortened(core));
        let names = units.iter().take(1_000).flat_map(|unit| [unit.definition.as_str(), unit.name()]);
        let label = meant(core, names).unwrap_or_else(|| "the hardware is described here".to_owned());
        Refusal::needs(Need::Core, hardware.error(message).label(label).help(kinds(units.iter())))
    })
}

/// The kinds of these units, for the hint of a message.
fn kinds<'u, 'a: 'u>(units: impl Iterator<Item = &'u Unit<'a>>) -> String {
    let mut kinds: Vec<String> = units.map(|unit| format!("`{}`", shortened(&unit.definition))).collect();
    order::sort(&mut kinds);
    kinds.dedup();
    kinds.truncate(10);
    format!("kinds of cores: {}", kinds.join(", "))
}

/// A unit, if there is only one kind and clock.
fn only_kind<'u, 'a>(hardware: Element<'a>, cpus: &[&'u Unit<'a>]) -> Result<&'u Unit<'a>, Refusal> {
    let Some(&first) = cpus.first() else {
        return Err(hardware.error("the hardware has no processing units").into());
    };
    let is_other = |unit: &&&Unit<'_>| unit.definition != first.definition || unit.domain != first.domain;
    let Some(other) = cpus.iter().find(is_other) else { return Ok(first) };
    let message = "the file has several kinds of cores, and a task set stands on one of them";
    let [one, two] = [other, first].map(|unit| shortened(unit.name()));
    let refused = other.element.error_of("name", message);
    let refused = refused.label(format!("`{one}` is not of the kind or clock of `{two}`"));
    Err(Refusal::needs(Need::Core, refused.help(kinds(cpus.iter().copied()))))
}

/// The clock of a unit: the default of its domain.
fn clock(hardware: Element<'_>, unit: &Unit<'_>) -> Result<Rational, Refusal> {
    let mut domains = hardware.descendants("domains").filter(|domain| domain.kind() == "FrequencyDomain");
    let domain = domains.find(|domain| domain.get("name") == Some(&unit.domain));
    let owner = format!("the clock of core `{}`", shortened(unit.name()));
    if let Some(value) = domain.and_then(|domain| domain.child("defaultValue")) {
        return Ok(rate(value, &owner)?);
    }
    let message = format!("{owner} is not in the file");
    let refused = match domain {
        Some(domain) => domain.error(message),
        None => unit.element.error_of("frequencyDomain", message),
    };
    Err(Refusal::needs(Need::Clock, refused.label("expected a frequency domain with a `defaultValue`")))
}

/// Ticks need a clock, which the user must give if the file does not.
fn without_hardware(root: Element<'_>, options: &Options) -> Result<Core, Refusal> {
    let refuse = |message: &str| root.error(message).label("no `hwModel` with processing units");
    if options.core.is_some() {
        return Err(refuse("the file describes no cores").into());
    }
    let hertz = options.clock.clone().ok_or_else(|| {
        Refusal::needs(Need::Clock, refuse("the file describes no cores, so ticks have no length"))
    })?;
    let taken = "The file describes no cores: the clock was said beside it.".to_owned();
    Ok(Core { definition: None, hertz, words: "ticks of any core".to_owned(), taken })
}

/// The kinds of all processing units, by their names.
pub(super) fn kinds_of_units(root: Element<'_>) -> BTreeMap<String, String> {
    let units = root.child("hwModel").map(units).unwrap_or_default();
    units.into_iter().map(|unit| (unit.name().to_owned(), unit.definition)).collect()
}

/// A `value` with its `unit`, as a clock rate in hertz.
fn rate(element: Element<'_>, owner: &str) -> Found<Rational> {
    let value = element.required("value", owner)?;
    let unit = element.required("unit", owner)?;
    value.positive()?;
    let text = format!("{} {}", value.text.trim(), unit.text);
    Figure { text: &text, ..unit }.rate()
}

impl Core {
    pub fn is_kind(&self, definition: &str) -> bool {
        self.definition.as_deref() == Some(definition)
    }
}
