//! Reads the resources of a task set, what is built in any case and what there is, and the costs of its hardware.
//!
//! ```yaml
//! resources: [LUT, DSP]
//! objectives: [LUT]            # all of them if left out
//! base: {LUT: 1614}            # the processor itself
//! device: iCE40UP5K            # or a mapping: {name: mine, LUT: 5280, DSP: 8}
//! fill: {LUT: 90 %}            # or one number for all
//! tasks:
//!   - name: fir
//!     choices:
//!       - {name: mac, cost: {LUT: 41, DSP: 4}, wcet: 321}
//! ```

use isx_exact::quantity::{Rational, format_decimal, parse_decimal, parse_signed_decimal};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::fields::{Field, Fields, Least};
use super::tree::{Node, Value};
use crate::devices::{Device, devices};
use crate::diagnostics::{Diagnostic, Found, meant, shortened};
use crate::model::{MAX_RESOURCES, Resources, TaskSet, name_problem, resource_name_problem};

/// The keys of a task set that need `resources`.
const NEED_RESOURCES: [&str; 4] = ["objectives", "base", "device", "fill"];

/// How many resources there may be.
const MOST: (usize, &str) = (MAX_RESOURCES, "a task set has up to 16 resources");

/// Reads the resources of a task set: an area in this unit if it names none.
pub fn read(area_unit: String, set: &Fields<'_>) -> Found<Resources> {
    let Some(field) = set.get_filled("resources") else {
        let first = NEED_RESOURCES.iter().find_map(|key| set.get(key));
        return first.map_or_else(
            || Ok(Resources::area(area_unit)),
            |field| Err(without_resources(field, &["LUT", "DSP"])),
        );
    };
    if let Some(unit) = set.get("area_unit") {
        return Err(unit
            .error("cannot be combined with `resources`")
            .label("an area that nothing has")
            .also(field.place(), "these are counted instead")
            .help("leave `area_unit` out: the resources are named already"));
    }
    let names = names(field)?;
    let mut resources = Resources::new(names.iter().copied());
    if let Some(field) = set.get_filled("objectives") {
        resources.objectives = objectives(field, &resources)?;
    }
    if let Some(field) = set.get_filled("base") {
        resources.base = amounts(field, &resources)?;
    }
    match (set.get("device"), set.get("fill")) {
        (Some(device), fill) => {
            if let Some(fill) = fill {
                resources.fill = fills(fill, &resources)?;
            }
            let (name, amounts) = match &device.node.value {
                Value::Map(_) => written_device(device, &resources)?,
                _ => known_device(device, &resources)?,
            };
            resources.limit_to(name, amounts);
        }
        (None, Some(fill)) => {
            return Err(fill
                .error("needs the `device` that it is a part of")
                .label("no device is given")
                .help("name a known `device`, or write one: `device: {name: mine, LUT: 5280}`"));
        }
        (None, None) => {}
    }
    Ok(resources)
}

fn without_resources(field: Field<'_>, names: &[&str]) -> Box<Diagnostic> {
    field.error("needs the `resources` of the task set").label("no resources are given").help(format!(
        "list them, for example `resources: [{}]`; choices and blocks then have a `cost` instead of `area`",
        names.join(", ")
    ))
}

/// The names that a list gives, each once, at least one, such as `example`; `due` says what they are, and `most` how many there
/// may be.
pub fn listed<'f>(
    field: Field<'f>,
    due: &str,
    example: &str,
    most: (usize, &str),
) -> Found<Vec<(&'f str, &'f Node<'f>)>> {
    let names = each_once(field, due, most)?;
    if names.is_empty() {
        let error = field.error("is empty").label(format!("expected {due}"));
        return Err(error.help(format!("name at least one, for example `{}: [{example}]`", field.key)));
    }
    Ok(names)
}

/// As [`listed`], or none.
pub fn each_once<'f>(
    field: Field<'f>,
    due: &str,
    (most, words): (usize, &str),
) -> Found<Vec<(&'f str, &'f Node<'f>)>> {
    let mut names: Vec<(&str, &Node<'_>)> = Vec::new();
    for (at, item) in field.names()?.iter().enumerate() {
        let text = field.name_of(at, item, due)?;
        let refused = |what: String| {
            let message = format!("item {} of {field} {what}", at + 1);
            field.fields.error_at(item, message).label(format!("expected {due}"))
        };
        if let Some(problem) = name_problem(text) {
            return Err(refused(problem.to_string()));
        }
        if let Some((_, first)) = names.iter().find(|(name, _)| *name == text) {
            let message = format!("{field} names `{}` twice", shortened(text));
            let refused = field.fields.error_at(item, message);
            return Err(refused.label("named again here").also(first.bytes.clone(), "first named here"));
        }
        if names.len() == most {
            return Err(refused(format!("is one too many: {words}")));
        }
        names.push((text, item));
    }
    Ok(names)
}

fn names<'f>(field: Field<'f>) -> Found<Vec<&'f str>> {
    let names = listed(field, "the name of a resource", "LUT", MOST)?;
    for (name, item) in &names {
        if let Some(problem) = resource_name_problem(name) {
            let message = format!("the name of resource `{}` {problem}", shortened(name));
            let refused = field.fields.error_at(item, message);
            return Err(refused
                .label("write one word, such as `LUT`")
                .help("resources are also written as `LUT=5000,DSP=8`"));
        }
    }
    Ok(names.into_iter().map(|(name, _)| name).collect())
}

fn objectives(field: Field<'_>, resources: &Resources) -> Found<Vec<usize>> {
    let names = listed(field, "the name of a resource", "LUT", MOST)?;
    let position = |(name, item): &(&str, &Node<'_>)| {
        let unknown = || unknown_resource(field, item, name, resources);
        resources.position(name).ok_or_else(unknown)
    };
    names.iter().map(position).collect()
}

/// The error for a name in a field that is no resource of the set.
fn unknown_resource(field: Field<'_>, item: &Node<'_>, name: &str, resources: &Resources) -> Box<Diagnostic> {
    let message = format!("{field} names an unknown resource `{}`", shortened(name));
    let label = meant(name, resources.names.iter().map(String::as_str))
        .unwrap_or_else(|| "no resource has this name".to_owned());
    field.fields.error_at(item, message).label(label).help(in_words(resources))
}

fn in_words(resources: &Resources) -> String {
    let names: Vec<String> = resources.names.iter().map(|name| format!("`{}`", shortened(name))).collect();
    match names.as_slice() {
        [name] => format!("the only resource of the set is {name}"),
        names => format!("the resources of the set are {}", names.join(", ")),
    }
}

/// Reads the `area` of hardware, or its `cost` if resources have names; `None` if neither is given.
pub fn cost(resources: &Resources, hardware: &Fields<'_>) -> Found<Option<Vec<Rational>>> {
    let is_area = resources.area_unit.is_some();
    match (is_area, hardware.get("area"), hardware.get("cost")) {
        (true, _, Some(cost)) => Err(cost_without_resources(cost)),
        (true, Some(field), None) => Ok(Some(vec![amount(field, true)?])),
        (false, Some(area), _) => {
            let cost = match area.node.text() {
                Some(text) if shortened(text) == text => text,
                _ => "..",
            };
            Err(area
                .error("cannot be used in a set with `resources`")
                .label("expected a `cost`")
                .help(format!("write for example `cost: {{{}: {cost}}}`", first_name(resources))))
        }
        (false, None, Some(field)) => Ok(Some(amounts(field, resources)?)),
        (_, None, None) => Ok(None),
    }
}

/// The error for hardware without a cost.
pub fn without_cost(resources: &Resources, hardware: &Fields<'_>) -> Box<Diagnostic> {
    let missing = hardware.missing(cost_key(resources));
    match resources.area_unit {
        Some(_) => missing,
        None => {
            missing.help(format!("add what it costs, for example `cost: {{{}: 41}}`", first_name(resources)))
        }
    }
}

/// The key under which hardware gives what it costs.
pub fn cost_key(resources: &Resources) -> &'static str {
    if resources.area_unit.is_some() { "area" } else { "cost" }
}

/// The error for a `cost` in a set with one area: the names it gives may be the resources that were forgotten.
fn cost_without_resources(cost: Field<'_>) -> Box<Diagnostic> {
    let names: Vec<&str> = match &cost.node.value {
        Value::Map(entries) => entries.iter().filter_map(|(key, _)| key.text()).collect(),
        _ => Vec::new(),
    };
    let are_names = !names.is_empty()
        && names.len() <= MAX_RESOURCES
        && names.iter().all(|name| name.len() < 20 && name_problem(name).is_none());
    without_resources(cost, if are_names { &names } else { &["LUT", "DSP"] })
}

/// An amount of a resource, or an area of 0 or greater.
fn amount(field: Field<'_>, is_area: bool) -> Found<Rational> {
    let (number, help) = match is_area {
        true => (
            field.quantity("a number", Least::Zero, parse_decimal),
            "areas are plain numbers; name their unit once, as `area_unit` of the task set",
        ),
        false => (
            field.quantity("a number", Least::Any, parse_signed_decimal),
            "amounts are plain numbers: their resource is the key before them",
        ),
    };
    let has_letters = || field.node.text().is_some_and(|text| text.contains(char::is_alphabetic));
    number.map_err(|error| if has_letters() { error.help(help) } else { error })
}

/// A mapping from resources of the set to values.
fn by_resource<'f>(field: Field<'f>, resources: &Resources) -> Found<Fields<'f>> {
    let named = |key: &'f Node<'f>| match key.text() {
        Some(text) if resources.position(text).is_some() => Ok(text),
        text => {
            let written = text.unwrap_or(if matches!(key.value, Value::List(_)) { "[..]" } else { "{..}" });
            Err(unknown_resource(field, key, written, resources))
        }
    };
    Fields::of_names(field, &named).map_err(|error| match field.node.value {
        Value::Map(_) => error,
        _ => error.help(format!("write for example `{}: {{{}: 41}}`", field.key, first_name(resources))),
    })
}

fn first_name(resources: &Resources) -> String {
    resources.names.first().map_or_else(String::new, |name| shortened(name))
}

/// An amount of every resource; those left out are 0.
fn amounts(field: Field<'_>, resources: &Resources) -> Found<Vec<Rational>> {
    let given = by_resource(field, resources)?;
    let of =
        |name: &String| given.get(name).map_or_else(|| Ok(Rational::zero()), |field| amount(field, false));
    resources.names.iter().map(of).collect()
}

/// The parts of a device that may be used: one number for all resources, or one for each.
fn fills(field: Field<'_>, resources: &Resources) -> Found<Vec<Rational>> {
    if !matches!(field.node.value, Value::Map(_)) {
        return Ok(vec![fill(field)?; resources.names.len()]);
    }
    let given = by_resource(field, resources)?;
    let part = |name: &String| given.get(name).map_or_else(|| Ok(Rational::one()), fill);
    resources.names.iter().map(part).collect()
}

fn fill(field: Field<'_>) -> Found<Rational> {
    const HELP: &str = "write for example `90 %`, or `0.9`";
    let text = field.text("a part in percent")?.trim();
    let (number, percent) = match text.strip_suffix('%') {
        Some(number) => (number, true),
        None => (text, false),
    };
    let value = parse_decimal(number).map_err(|error| {
        field.refused(format!("{field}: {error}")).label("expected a part in percent").help(HELP)
    })?;
    let part = if percent { value / Rational::from(BigInt::from(100)) } else { value };
    if part.is_positive() && part <= Rational::one() {
        return Ok(part);
    }
    let label = if part.is_zero() {
        "nothing could be built".to_owned()
    } else {
        format!("this is {}", crate::in_percent(&part))
    };
    Err(field.error("must be above 0 and at most 100 %").label(label).help(HELP))
}

type NamedAmounts = (Option<String>, Vec<Rational>);

fn known_device(field: Field<'_>, resources: &Resources) -> Found<NamedAmounts> {
    let name = field.filled_text("the name of a device")?;
    let example = |value: &dyn Fn(&String) -> String| {
        let amounts: Vec<String> = resources.names.iter().map(value).collect();
        format!("device: {{name: {}, {}}}", shortened(name), amounts.join(", "))
    };
    let Some(device) = Device::named(name) else {
        let known = devices().iter().flat_map(Device::names);
        let label = meant(name, known).unwrap_or_else(|| "no known device has this name".to_owned());
        let written = example(&|resource| format!("{}: ..", shortened(resource)));
        return Err(field
            .error(format!("is `{}`, which is unknown", shortened(name)))
            .label(label)
            .help(format!("write what it has: `{written}`; {}", Device::near(name))));
    };
    let amounts = device.amounts(&resources.names).map_err(|lacking| {
        let written = example(&|resource| match device.amount(resource) {
            Some(amount) => format!("{}: {amount}", shortened(resource)),
            None => format!("{}: ..", shortened(resource)),
        });
        field.error(format!("has no resource `{}`", shortened(lacking))).label("lacks it").help(format!(
            "{} has {}; count one of these, or write what the device has: `{written}`",
            device.name,
            device.in_words()
        ))
    });
    Ok((Some(device.name.to_owned()), amounts?))
}

/// A device given by its resources; it may have more than the set counts.
fn written_device(field: Field<'_>, resources: &Resources) -> Found<NamedAmounts> {
    let any = |key| -> Found<&str> {
        let key: &Node<'_> = key;
        key.text().ok_or_else(|| {
            let refused = field.fields.error_at(key, format!("a key of {field} is not a word"));
            refused.label("expected the name of a resource")
        })
    };
    let given = Fields::of_names(field, &any)?;
    let name = given.get("name").map(Field::label).transpose()?;
    let amount = |resource: &String| {
        let Some(amount) = given.get(resource) else {
            let missing = given.missing(resource).label("lacks it");
            return Err(missing.help(format!("say how much of it there is: `{}: ..`", shortened(resource))));
        };
        amount.quantity("a number", Least::Zero, parse_decimal)
    };
    let amounts: Found<Vec<Rational>> = resources.names.iter().map(amount).collect();
    Ok((name, amounts?))
}

/// The error for a base that no design can bring below a limit.
pub fn base_beyond(set: &Fields<'_>, task_set: &TaskSet) -> Option<Box<Diagnostic>> {
    let resources = &task_set.resources;
    let hardware = task_set.tasks.iter().flat_map(|task| &task.choices).map(|choice| &choice.cost);
    let hardware = || hardware.clone().chain(task_set.blocks.iter().map(|block| &block.cost));
    let hardware = || hardware().chain(task_set.variants.iter().map(|variant| &variant.cost));
    let frees = |at: usize| hardware().any(|cost| cost.get(at).is_some_and(Signed::is_negative));
    let beyond = |at: &usize| {
        let limit = resources.limits[*at].as_ref();
        limit.is_some_and(|limit| resources.base[*at] > *limit) && !frees(*at)
    };
    let at = (0..resources.names.len()).find(beyond)?;
    let (name, limit) = (shortened(&resources.names[at]), resources.limits[at].as_ref()?);
    let device = resources.device.as_ref().map_or_else(|| "the device".to_owned(), |name| shortened(name));
    let fill = resources.fill_in_words(at).map_or_else(String::new, |fill| format!(" ({fill})"));
    let limit = format_decimal(limit) + &fill;
    let field = set.get("base").or_else(|| set.get("cores"))?;
    let place =
        field.node.entry(&resources.names[at]).map_or_else(|| field.place(), |node| node.bytes.clone());
    let has_core = task_set.cores.as_ref().is_some_and(|cores| !cores.chip_cost.is_empty());
    let core = if has_core { " with one core" } else { "" };
    let base = format_decimal(&resources.base[at]);
    let message = format!("{field}{core} takes {base} {name}, and {device} has {limit}");
    let error = Diagnostic::error(set.source, place, message).label("no design fits");
    let error = error.help("take a larger device, or leave `device` out");
    Some(match set.get("device") {
        Some(device) => error.also(device.place(), "the limit"),
        None => error,
    })
}

/// A set with a single resource and nothing else is one with an area in that unit.
pub fn as_one_area(set: &mut TaskSet) {
    // Beside the cost of a core, the base is the rest of the chip.
    let chip = set.cores.as_ref().map(|cores| &cores.chip_cost).filter(|chip| !chip.is_empty());
    let is_zero = chip.unwrap_or(&set.resources.base).iter().all(Zero::is_zero);
    let choices = set.tasks.iter().flat_map(|task| &task.choices).map(|choice| &choice.cost);
    let blocks = set.blocks.iter().map(|block| &block.cost);
    let variants = set.variants.iter().map(|variant| &variant.cost);
    let mut costs = choices.chain(blocks).chain(variants).flatten().chain(&set.resources.base);
    if !set.resources.is_one_unlimited() || !is_zero || costs.any(Signed::is_negative) {
        return;
    }
    set.resources.area_unit.get_or_insert_with(|| set.resources.names.concat());
    if let Some(cores) = &mut set.cores {
        cores.chip_cost.clear();
    }
}
