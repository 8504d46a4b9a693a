//! Manifests of measured hardware (`schema: isx.measure/1`): reports of synthesis tools and counted cycles as a task set.
//!
//! ```yaml
//! schema: isx.measure/1
//! name: picorv32
//! clock: 48 MHz
//! resources: {LUT: SB_LUT4, DSP: SB_MAC16}     # names with the cells that count as each, or a list of names
//! base: {reports: [base-s1.json, base-s2.json]}
//! blocks:
//!   crc: {reports: [crc.json], timing: [crc.pnr.json]}
//!   sha: {reports: [sha.json], over: [crc]}    # the design of `sha.json` has `crc` besides
//! check: [{blocks: [crc, sha], reports: [both.json]}]
//! tasks:
//!   frame-crc: {period: 10 ms, software: 285713, choices: {crc32: {uses: [crc], cycles: 5897}}}
//! ```
//!
//! A block is the design with it less the base (less the blocks it is `over`). Of several reports of a design the best area
//! and the worst clock count, and the imported file says both. Choices are combinations whose cycles were counted. With
//! one resource and no device, amounts are areas.
//!
//! The parts: `reading` of names and lists, `built` designs, `blocks` and `tasks` of the manifest, `additivity`
//! of blocks, `shares`, and `confirm`, which compares designs of a front with what was built.

mod additivity;
mod blocks;
mod built;
pub mod confirm;
mod reading;
mod shares;
mod tasks;

use crate::comparable::Compared;
use crate::counted::{Counted, in_words};
use crate::draft::{Draft, DraftBlock};
use crate::figures::{Found, error, meant};
use crate::files::Files;
use crate::format::{Format, Head, Options};
use crate::refusal::{Need, Refusal};
use crate::write::rate;
use blocks::Blocks;
use built::{Built, Reports, as_cost, counted};
use isx_exact::quantity::{Rational, format_decimal, shortened};
use isx_taskset::document::{self, Field, Fields, Keys, Node, Value, parse};
use isx_taskset::{Device, Diagnostic, Source, devices};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::sync::Arc;

/// What `schema` says.
pub const SCHEMA_NAME: &str = "isx.measure/1";

/// The JSON Schema of manifests, which editors use for completion and validation.
pub const SCHEMA: &str = include_str!("measure.schema.json");

/// Task sets end in `.yaml` too, so manifests are known by their first key and by this double ending.
pub(super) const FORMAT: Format =
    Format { name: "measure", ending: "measure.yaml", recognises, takes: &[], read };

const MANIFEST_KEYS: &Keys = &Keys {
    of: "a manifest",
    names: &[
        "schema",
        "name",
        "description",
        "clock",
        "resources",
        "device",
        "base",
        "blocks",
        "merge_above",
        "check",
        "tasks",
    ],
};
/// What is drafted of the whole set.
const NOT_OF_SET: &[&str] = &["source", "area_unit"];
/// With these keys, a single resource is counted in `cost`, and is no area.
const OF_RESOURCES: [&str; 5] = ["objectives", "fill", "device", "variants", "cores"];
const BASE_KEYS: &Keys = &Keys { of: "the base", names: &["reports", "timing"] };

/// The share by which a sum of blocks may be off before merged blocks are offered, in percent.
const MERGE_ABOVE: u32 = 5;

/// Whether the first `isx.measure/` is the value of a key `schema`.
fn recognises(head: &Head<'_>) -> bool {
    let quotes = ['"', '\'', ' '];
    let before = head.text.find("isx.measure/").and_then(|at| head.text.get(..at));
    let key = before.and_then(|before| before.trim_end_matches(quotes).strip_suffix(':'));
    key.is_some_and(|key| key.trim_end_matches(quotes).ends_with("schema"))
}

/// The manifest's mapping, and its schema looked at.
fn manifest<'m>(source: &'m Arc<Source>, root: &'m Node<'m>) -> Found<Fields<'m>> {
    let further = reading::rest(document::SET_KEYS, MANIFEST_KEYS, NOT_OF_SET);
    let fields = Fields::with_more(source, root, "the manifest".to_owned(), MANIFEST_KEYS, &further)?;
    let schema =
        fields.required("schema").map_err(|error| error.help(format!("add `schema: {SCHEMA_NAME}`")))?;
    let text = schema.text("a schema")?;
    if text != SCHEMA_NAME {
        let message = format!("the schema is `{}`", shortened(text));
        let error = schema.refused(message).label(format!("`{SCHEMA_NAME}` is due here"));
        return Err(error.help("a newer isx may read it; `isx schema measure` describes what this one reads"));
    }
    Ok(fields)
}

fn root(source: &Arc<Source>) -> Found<Node<'_>> {
    parse(source)?.ok_or_else(|| error(source, 0..0, "the file holds only comments"))
}

fn resources(source: &Arc<Source>, fields: &Fields<'_>) -> Found<Vec<Counted>> {
    let field = fields.required("resources").map_err(|error| {
        error.help("add what the reports count, as in `resources: {LUT: SB_LUT4, DSP: SB_MAC16}`, or by usual names as in `resources: [LUT, DSP]`")
    })?;
    counted(source, field)
}

fn base<'m>(source: &'m Arc<Source>, fields: &'m Fields<'m>) -> Found<Fields<'m>> {
    let field = fields
        .required("base")
        .map_err(|error| error.help("add `base: {reports: [FILE, ..]}`: the design without any block"))?;
    Fields::new(source, field.node, "the base".to_owned(), BASE_KEYS)
}

/// The resources and the base alone, with its reports.
fn counting(source: &Arc<Source>, files: &Files) -> Found<(Vec<Counted>, Built, Vec<Compared>)> {
    let root = root(source)?;
    let fields = manifest(source, &root)?;
    let resources = resources(source, &fields)?;
    let mut reports = Reports::new(source, files, &resources);
    let base = reports.design(&base(source, &fields)?)?;
    let compared = reports.compared();
    Ok((resources, base, compared))
}

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let root = root(source)?;
    let fields = manifest(source, &root)?;
    if !options.files.are_given() {
        let message = "a manifest names reports, and nothing is given to read them with";
        return Err(Refusal::needs(Need::Files, error(source, 0..0, message)));
    }
    let resources = resources(source, &fields)?;
    let mut draft = Draft::new(source, SCHEMA_NAME);
    if let Some(name) = fields.get_filled("name") {
        draft.name = name.label()?;
    }
    draft.description = fields.free_text("description")?;
    let clock = fields.required("clock").map_err(|error| {
        error.help("add the processor's clock, for example `clock: 48 MHz`: what is counted are its cycles")
    })?;
    let hertz = blocks::clock(clock)?;
    draft.more = reading::more(&fields, MANIFEST_KEYS);
    match fields.get_filled("device") {
        Some(field) if matches!(field.node.value, Value::Map(_)) => {
            draft.more.0.push(reading::handed("device", field.node, field.place()));
        }
        field => draft.device = field.map(|field| device(field, &resources)).transpose()?,
    }
    let merge_above = match fields.get_filled("merge_above") {
        Some(field) => additivity::share(field)?,
        None => Rational::new(BigInt::from(MERGE_ABOVE), BigInt::from(100)),
    };
    let mut reports = Reports::new(source, &options.files, &resources);
    draft.warnings.extend(reports.refuse_others(&root, draft.device.as_deref())?);
    let base_fields = self::base(source, &fields)?;
    let base = reports.design(&base_fields)?;
    if base.amounts.iter().all(Zero::is_zero) {
        let place = base_fields.anchor.clone();
        return Err(error(source, place, format!("the base takes {}", in_words(&resources, &base.amounts)))
            .label("a processor takes something")
            .help("give the reports of the whole design, and what counts as each resource in them")
            .into());
    }
    let reached = blocks::fmax(&mut reports, &base_fields)?.filter(|reached| *reached < hertz);
    let fastest = reached.clone().unwrap_or_else(|| hertz.clone());
    if let Some(reached) = reached {
        let reached = rate(&reached).unwrap_or_else(|| format_decimal(&reached));
        let message = format!("the base reaches {reached}, and the clock is faster");
        let warning = Diagnostic::warning(source, clock.place(), message).label("not reached by the base");
        draft.warnings.push(*warning);
    }
    draft.clock = Some(hertz);
    let mut found = match fields.get_filled("blocks") {
        Some(field) => Blocks::read(&mut reports, &resources, &base, field)?,
        None => Blocks::default(),
    };
    let checks = match fields.get_filled("check") {
        Some(field) => additivity::read(&mut reports, &found, &base, &fastest, field)?,
        None => Vec::new(),
    };
    for check in &checks {
        let doubt = check.too_slow(&found, &merge_above);
        draft.warnings.extend(doubt.map(|what| *Diagnostic::warning(source, check.place.clone(), what)));
    }
    draft.tasks = tasks::read(&mut reports, &found, fields.required("tasks")?)?;
    reports.refuse_uncounted()?;

    // An area is never negative, and has no base and no limit.
    let is_area = match resources.as_slice() {
        [_] => {
            draft.device.is_none()
                && !OF_RESOURCES.iter().any(|key| draft.more.has(key))
                && !found.all.iter().flat_map(|block| &block.cost).any(Signed::is_negative)
        }
        _ => false,
    };
    if let (true, [counted]) = (is_area, resources.as_slice()) {
        draft.area_unit.clone_from(&counted.name);
        draft.has_areas = true;
    } else {
        draft.resources = resources.iter().map(|counted| counted.name.clone()).collect();
        draft.base = as_cost(&resources, &base.amounts);
    }
    draft.taken.push(format!("The base takes {}: {}.", in_words(&resources, &base.amounts), base.words));
    draft.taken.push(
        "A block is the design with it less the base; the best report of each design counts.".to_owned(),
    );
    let written = |cost: &[(String, Rational)]| crate::write::price(cost, is_area).unwrap_or_default();
    draft.taken.extend(additivity::report(&resources, &found, &checks, &merge_above, &written));
    draft.warnings.append(&mut found.warnings);
    for warning in &draft.warnings {
        draft.taken.push(format!("Doubtful: {}.", warning.message()));
    }
    draft.warnings.extend(additivity::doubts(source, &resources, &found, &checks, &merge_above));
    for block in found.all {
        let cost = as_cost(&resources, &block.cost);
        let (name, slot, fmax, source, more) = (block.name, block.slot, block.fmax, block.source, block.more);
        draft.blocks.push(DraftBlock { name, cost, slot, fmax, source, more });
    }
    Ok(draft)
}

/// A known device that has all resources.
fn device(field: Field<'_>, resources: &[Counted]) -> Found<String> {
    let name = field.filled_text("the name of a device")?;
    let Some(device) = Device::named(name) else {
        let known = || devices().iter().flat_map(Device::names);
        let label = meant(name, known()).unwrap_or_else(|| "no known device has this name".to_owned());
        return Err(field.error(format!("is `{}`, which is unknown", shortened(name))).label(label).help(
            format!(
                "write what it has: `device: {{name: {}, {}: ..}}`; {}",
                shortened(name),
                resources.iter().map(|counted| counted.name.as_str()).collect::<Vec<_>>().join(": .., "),
                Device::near(name)
            ),
        ));
    };
    if let Some(lacking) = resources.iter().find(|counted| device.amount(&counted.name).is_none()) {
        let message = format!("has no resource `{}`", shortened(&lacking.name));
        return Err(field.error(message).label("lacks it").help(format!(
            "{} has {}",
            device.name,
            device.in_words()
        )));
    }
    Ok(device.name.to_owned())
}
