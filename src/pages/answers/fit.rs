//! How a task set fits devices, a row per device, as text and as JSON (schema `isx.fit/1`).
//!
//! ```text
//! device     verdict      utilization  LUT        DSP  BRAM    binds
//! iCE40LP4K  SCHEDULABLE     0.541667  2098/3520  0/0  6.5/20  DSP
//! iCE40UP5K  SCHEDULABLE     0.416667  2108/5280  4/8  4/30
//! ```
//!
//! A row has the least utilization within the device, what that design uses of each resource and how much there is,
//! and the resources that bind: more of one of them alone would give less utilization.

use crate::answers::words::{self, choices, ratio, utilization};
use anstyle::Style;
use isx_design::front::ChosenDesign;
use isx_design::schedulability::{BudgetVerdict, Verdict};
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::blocks::built_names;
use isx_report::front::costs;
use isx_report::text::{columns, visible, write_fitting};
use isx_taskset::{Resources, TaskSet};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.fit/1";

/// How a task set fits a device.
#[derive(Clone, Debug)]
pub struct Row {
    /// The set with the limits of the device, which [`Resources::device`] names.
    pub task_set: TaskSet,
    /// The verdict; `None` if no design is within the limits.
    pub verdict: Option<BudgetVerdict>,
    /// The resources that bind, as indices.
    pub binding: Vec<usize>,
}

/// How a task set fits devices.
#[derive(Clone, Debug)]
pub struct Fits {
    /// A row per device.
    pub rows: Vec<Row>,
    /// The set without limits, and its minimal schedulable costs.
    pub unlimited: BudgetVerdict,
}

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether to color.
    pub color: bool,
}

impl Row {
    fn resources(&self) -> Option<&Resources> {
        self.task_set.resources.as_ref()
    }

    fn device(&self) -> &str {
        self.resources().and_then(|resources| resources.device.as_deref()).unwrap_or_default()
    }

    /// Whether some design is schedulable within the device; `None` if that is not known.
    pub fn schedulable(&self) -> Option<bool> {
        match self.verdict.as_ref().map(|verdict| &verdict.verdict) {
            Some(Verdict::Schedulable { .. }) => Some(true),
            Some(Verdict::Unknown { .. }) => None,
            Some(Verdict::NotSchedulable { .. }) | None => Some(false),
        }
    }

    fn binding(&self) -> Vec<&str> {
        let names = self.resources().map_or(&[][..], |resources| &resources.names);
        self.binding.iter().filter_map(|&at| Some(names.get(at)?.as_str())).collect()
    }

    /// What the design of least utilization uses of each resource, and how much there is: `2098/3520`.
    fn used(&self) -> Vec<String> {
        let Some(resources) = self.resources() else { return Vec::new() };
        let cost = self.verdict.as_ref().map(|verdict| &verdict.least.design.cost);
        let used = |at: usize| {
            let used = cost.and_then(|cost| cost.get(at)).map_or_else(|| "-".to_owned(), format_decimal);
            let limit = resources.limits.get(at).and_then(Option::as_ref);
            limit.map_or_else(|| used.clone(), |limit| format!("{used}/{}", format_decimal(limit)))
        };
        (0..resources.names.len()).map(used).collect()
    }
}

impl Fits {
    /// The smallest schedulable device: of those that are schedulable, the one with the least of the first resource;
    /// of equal ones, of the next, and so on.
    pub fn smallest(&self) -> Option<&Row> {
        let limits = |row: &&Row| row.resources().map_or_else(Vec::new, |resources| resources.limits.clone());
        self.rows.iter().filter(|row| row.schedulable() == Some(true)).min_by_key(limits)
    }
}

/// Prints a row per device, the smallest schedulable one, and the minimal schedulable costs.
pub fn write_text(fits: &Fits, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let set = &fits.unlimited.task_set;
    let bold = if options.color { Style::new().bold() } else { Style::new() };
    writeln!(out, "{bold}{}{bold:#}", visible(&set.name))?;
    if !set.what_if.is_empty() {
        write_fitting("What if: ", &visible(&set.what_if.join(", ")), options.width, out)?;
    }
    writeln!(out)?;
    let variant = (!set.variants.is_empty()).then_some("variant");
    let heads = ["device", "verdict", "utilization"].into_iter().chain(variant);
    let heads = heads.chain(costs::names(set)).chain(["binds"]);
    let heads: Vec<String> = heads.map(visible).collect();
    let cells: Vec<Vec<String>> = fits.rows.iter().map(cells).collect();
    let width = |at: usize| cells.iter().map(|row| columns(&row[at])).chain([columns(&heads[at])]).max();
    let widths: Vec<usize> = (0..heads.len()).map(|at| width(at).unwrap_or(0)).collect();
    let line = |row: &[String], style: (usize, Style)| {
        let cell = |(at, (cell, width)): (usize, (&String, &usize))| {
            let gap = " ".repeat(width - columns(cell));
            let (start, end) = if at == style.0 {
                (style.1.render(), style.1.render_reset())
            } else {
                (Style::new().render(), Style::new().render_reset())
            };
            if at == 2 { format!("{gap}{start}{cell}{end}") } else { format!("{start}{cell}{end}{gap}") }
        };
        let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    writeln!(out, "{}", line(&heads, (heads.len(), Style::new())))?;
    for (row, cells) in fits.rows.iter().zip(&cells) {
        let style = words::verdict(row.schedulable(), options.color).1;
        writeln!(out, "{}", line(cells, (1, style)))?;
    }
    writeln!(out)?;
    let smallest = fits.smallest().map_or_else(|| "none".to_owned(), |row| visible(row.device()));
    write_fitting("Smallest schedulable device: ", &smallest, options.width, out)?;
    let minimal = fits.unlimited.minimal.as_deref().unwrap_or_default();
    let minimal = match (minimal, fits.unlimited.smallest_unknown()) {
        ([], None) => "none, no design is schedulable".to_owned(),
        ([], Some(why)) => format!("not known: {why}"),
        (minimal, None) => costs::minimal_in_words(minimal, set),
        (minimal, Some(_)) => format!("{}; others are not known", costs::minimal_in_words(minimal, set)),
    };
    write_fitting("Minimal schedulable costs: ", &minimal, options.width, out)
}

fn cells(row: &Row) -> Vec<String> {
    let (word, _) = words::verdict(row.schedulable(), false);
    let least = row.verdict.as_ref().map(|verdict| utilization(&verdict.least.design.utilization));
    let least = least.unwrap_or_else(|| "-".to_owned());
    let first = [visible(row.device()), word.to_owned(), least];
    let variants = &row.task_set.variants;
    let of_least = row.verdict.as_ref().and_then(|verdict| variants.get(verdict.least.design.variant));
    let of_least = of_least.map_or_else(|| "-".to_owned(), |variant| visible(&variant.name));
    let variant = (!variants.is_empty()).then_some(of_least);
    first.into_iter().chain(variant).chain(row.used()).chain([visible(&row.binding().join(", "))]).collect()
}

/// Writes the rows as one JSON object.
pub fn write_json(fits: &Fits, out: &mut dyn Write) -> io::Result<()> {
    let set = &fits.unlimited.task_set;
    let cost = |cost: &[Rational]| set.resources.as_ref().map(|resources| costs::object(resources, cost));
    let minimal = fits.unlimited.minimal.iter().flatten();
    let mut document = json!({
        "schema": SCHEMA,
        "taskset": set.name,
        "resources": costs::names(set),
        "rows": fits.rows.iter().map(row).collect::<Vec<Value>>(),
        "smallest_device": fits.smallest().map(Row::device),
        "min_schedulable": minimal.map(|chosen| cost(&chosen.design.cost)).collect::<Vec<_>>(),
        "min_schedulable_unknown": fits.unlimited.smallest_unknown(),
    });
    if !set.what_if.is_empty() {
        document["what_if"] = set.what_if.clone().into();
    }
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn row(row: &Row) -> Value {
    let mut value = json!({
        "device": row.device(),
        "schedulable": row.schedulable(),
        "utilization": null,
        "cost": null,
        "limits": row.resources().map(costs::limits),
        "binding": row.binding(),
        "choices": null,
        "blocks": null,
    });
    let Some(verdict) = &row.verdict else { return value };
    let of_design = |design: &ChosenDesign, value: &mut Value| {
        value["utilization"] = ratio(&design.design.utilization);
        value["cost"] = row.resources().map(|resources| costs::object(resources, &design.design.cost)).into();
        value["choices"] = choices(&row.task_set, &design.choices).into();
        value["blocks"] = built_names(&row.task_set, &design.choices).into();
        if let Some(variant) = row.task_set.variants.get(design.design.variant) {
            value["variant"] = variant.name.clone().into();
        }
    };
    of_design(&verdict.least, &mut value);
    let shown = verdict.shown();
    let is_least =
        shown.choices == verdict.least.choices && shown.design.variant == verdict.least.design.variant;
    if row.schedulable() == Some(true) && !is_least {
        let mut other = json!({});
        of_design(&shown, &mut other);
        value["schedulable_design"] = other;
    }
    value
}
