//! How a task set fits devices, a row per device, as text and as JSON (schema `isx.fit/1`).
//!
//! ```text
//! device     verdict      utilization  LUT        DSP  BRAM    binds
//! iCE40LP4K  SCHEDULABLE     0.541667  2098/3520  0/0  6.5/20  DSP
//! iCE40UP5K  SCHEDULABLE     0.416667  2108/5280  4/8  4/30
//! ```
//!
//! A row has the least utilization within the device, what that design uses of each resource and how much there is,
//! and the resources that bind: more of one of them alone would give less utilization. If no design fits, those are named of
//! which there is too little. Where the figures of the set are of another family than the device, the row has a warning.

use crate::answers::document::Document;
pub use crate::answers::lines::Options;
use crate::answers::lines::{Columns, List};
use crate::answers::verdict::{is_least, minimal_costs};
use crate::answers::words::{self, utilization};
use isx_design::front::{ChosenDesign, Design};
use isx_design::schedulability::BudgetVerdict;
use isx_exact::quantity::format_decimal;
use isx_report::front::blocks::built_names;
use isx_report::front::costs::{self, Minimal};
use isx_report::front::fields::{Amount, Ratio, choices};
use isx_report::text::visible;
use isx_taskset::{Device, Resources, TaskSet, TimeBase, not_carried_over};
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
    /// The device that the figures of the set are of, if it has one.
    pub own: Option<String>,
}

impl Row {
    fn resources(&self) -> &Resources {
        &self.task_set.resources
    }

    fn device(&self) -> &str {
        self.resources().device.as_deref().unwrap_or_default()
    }

    /// Whether some design is schedulable within the device; `None` if that is not known.
    pub fn schedulable(&self) -> Option<bool> {
        self.verdict.as_ref().map_or(Some(false), |verdict| words::is_schedulable(&verdict.verdict))
    }

    fn family(&self) -> Option<&'static str> {
        Device::named(self.device()).map(Device::family)
    }

    /// The variant of the processor of a design, if there are several.
    fn variant(&self, design: &Design) -> Option<&str> {
        Some(self.task_set.variants.get(design.variant)?.name.as_str())
    }

    /// Why no design is within the limits; `None` if one is.
    fn reason(&self) -> Option<String> {
        if self.verdict.is_some() {
            return None;
        }
        let resources = self.resources();
        let is_beyond =
            |&at: &usize| resources.limits[at].as_ref().is_some_and(|limit| resources.base[at] > *limit);
        let what =
            if self.binding.iter().all(is_beyond) { "the base does not fit" } else { "no design fits" };
        let binding = self.binding().join(", ");
        Some(if binding.is_empty() { what.to_owned() } else { format!("{what}: {binding}") })
    }

    fn binding(&self) -> Vec<&str> {
        let names = &self.resources().names;
        self.binding.iter().filter_map(|&at| Some(names.get(at)?.as_str())).collect()
    }

    /// What the design of least utilization uses of each resource, and how much there is: `2098/3520`.
    fn used(&self) -> Vec<String> {
        let resources = self.resources();
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
    /// of equal ones, of the next, and so on. Devices to which the figures do not carry over are only among them if they do
    /// to none.
    pub fn smallest(&self) -> Option<&Row> {
        let is_sure = |row: &Row| self.warning(row).is_none();
        let any = self.rows.iter().any(is_sure);
        let limits = |row: &&Row| row.resources().limits.clone();
        let rows = self.rows.iter().filter(|row| row.schedulable() == Some(true));
        rows.filter(|row| !any || is_sure(row)).min_by_key(limits)
    }

    /// A device in words, with its family if the figures do not carry over to it.
    fn named(&self, row: &Row) -> String {
        match row.family().filter(|_| self.warning(row).is_some()) {
            Some(family) => format!("{} ({family})", row.device()),
            None => row.device().to_owned(),
        }
    }

    /// What of the set's figures does not carry over to the device of a row.
    fn warning(&self, row: &Row) -> Option<String> {
        let (set, names) = (&row.task_set, &row.resources().names);
        let has_clock = matches!(set.time_base, TimeBase::Cycles { .. });
        let Some(own) = &self.own else {
            let differ =
                |other: &Row| not_carried_over(row.device(), other.device(), names, has_clock).is_some();
            let clocks = if has_clock { " and clocks" } else { "" };
            return self.rows.iter().any(differ).then(|| {
                format!(
                    "the set names no device, and what counts as {}{clocks} differs between families: name the device that its \
                     figures are of, for example `device: {}`",
                    names.join(", "),
                    self.rows[0].device()
                )
            });
        };
        not_carried_over(own, row.device(), names, has_clock)
    }

    /// One warning about all rows to which the figures do not carry over.
    pub fn warnings(&self) -> Option<String> {
        let mut rows = self.rows.iter().filter_map(|row| Some((row, self.warning(row)?)));
        let (first, warning) = rows.next()?;
        let mut others: Vec<&str> = rows.map(|(row, _)| row.family().unwrap_or(row.device())).collect();
        others.dedup();
        others.retain(|family| first.family() != Some(family));
        let others = if self.own.is_none() { String::new() } else { others.join(", ") };
        Some(match others.as_str() {
            "" => warning,
            others => format!("{warning}; nor to {others}, as the `warnings` of --json say"),
        })
    }
}

/// `hub: SCHEDULABLE on iCE40HX4K, the smallest of 3 devices, utilization 0.541667, LUT 2098, DSP 0, BRAM 6.5`.
fn write_line(fits: &Fits, out: &mut dyn Write) -> io::Result<()> {
    let of_several = match fits.rows.len() {
        1 => String::new(),
        count => format!(", the smallest of {count} devices"),
    };
    let is_open = fits.rows.iter().any(|row| row.schedulable().is_none());
    let words = match (fits.smallest(), fits.rows.as_slice()) {
        (Some(row), _) => {
            let shown = row.verdict.as_ref().map(BudgetVerdict::shown);
            let design = shown.map_or_else(String::new, |shown| {
                let variant =
                    row.variant(&shown.design).map_or_else(String::new, |name| format!(", variant {name}"));
                let cost = costs::in_words(&shown.design.cost, &row.task_set.resources);
                format!(", utilization {}, {cost}{variant}", utilization(&shown.design.utilization))
            });
            format!("SCHEDULABLE on {}{of_several}{design}", fits.named(row))
        }
        (None, rows) if rows.iter().any(|row| row.schedulable() == Some(true)) => {
            "SCHEDULABLE on devices of other families only".to_owned()
        }
        (None, [row]) if !is_open => {
            let reason = row.reason().map_or_else(String::new, |reason| format!(": {reason}"));
            format!("NOT SCHEDULABLE on {}{reason}", row.device())
        }
        (None, rows) => format!(
            "{} on {} devices",
            words::verdict(if is_open { None } else { Some(false) }, false).0,
            rows.len()
        ),
    };
    writeln!(out, "{}: {}", visible(&fits.unlimited.task_set.name), visible(&words))
}

/// Prints a row per device, the smallest schedulable one, and the minimal schedulable costs.
pub fn write_text(fits: &Fits, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let set = &fits.unlimited.task_set;
    if options.brief {
        return write_line(fits, out);
    }
    options.write_heading(&set.name, "", &set.what_if, out)?;
    let variant = (!set.variants.is_empty()).then_some("variant");
    let heads = ["device", "verdict", "utilization"].into_iter().chain(variant);
    let heads = heads.chain(costs::names(&set.resources)).chain(["binds"]);
    let heads: Vec<String> = heads.map(visible).collect();
    let cells: Vec<Vec<String>> = fits.rows.iter().map(cells).collect();
    let left: Vec<usize> = (0..heads.len()).filter(|&at| at != 2).collect();
    let columns = Columns::new(&left, std::iter::once(&heads).chain(&cells));
    writeln!(out, "{}", columns.plain(&heads))?;
    for (row, cells) in fits.rows.iter().zip(&cells) {
        let style = words::verdict(row.schedulable(), options.color).1;
        writeln!(out, "{}", columns.line(cells, (1, style)))?;
    }
    writeln!(out)?;
    let mut list = List::default();
    list.nonempty("Of each device at most: ", visible(&costs::fill_in_words(&set.resources)));
    let smallest = fits.smallest().map_or_else(|| "none".to_owned(), |row| visible(&fits.named(row)));
    list.add("Smallest schedulable device: ", smallest);
    let minimal = minimal_costs(&fits.unlimited).unwrap_or_default();
    let some = costs::some_in_words(&mut minimal.iter().cloned(), &set.resources);
    let minimal = match (&minimal[..], fits.unlimited.smallest_unknown()) {
        ([], None) => "none, no design is schedulable".to_owned(),
        ([], Some(why)) => format!("not known: {why}"),
        (_, None) => some,
        (_, Some(_)) => format!("{some}; others are not known"),
    };
    list.add("Minimal schedulable costs: ", minimal);
    list.write(options.width, out)
}

fn cells(row: &Row) -> Vec<String> {
    let (word, _) = words::verdict(row.schedulable(), false);
    let least = row.verdict.as_ref().map(|verdict| utilization(&verdict.least.design.utilization));
    let least = least.unwrap_or_else(|| "-".to_owned());
    let first = [visible(row.device()), word.to_owned(), least];
    let of_least = row.verdict.as_ref().and_then(|verdict| row.variant(&verdict.least.design));
    let of_least = of_least.map_or_else(|| "-".to_owned(), visible);
    let variant = (!row.task_set.variants.is_empty()).then_some(of_least);
    let binds = visible(&row.reason().unwrap_or_else(|| row.binding().join(", ")));
    first.into_iter().chain(variant).chain(row.used()).chain([binds]).collect()
}

/// Writes the rows as one JSON object.
pub fn write_json(fits: &Fits, out: &mut dyn Write) -> io::Result<()> {
    let set = &fits.unlimited.task_set;
    let minimal = minimal_costs(&fits.unlimited).unwrap_or_default();
    let rows: Vec<Document> = fits.rows.iter().map(|row| row.document(fits.warning(row))).collect();
    Document::new(SCHEMA, &set.name)
        .add("resources", &set.resources.names)
        .add("rows", rows)
        .add("smallest_device", fits.smallest().map(Row::device))
        .with(Minimal::new(&set.resources, Some(&minimal), fits.unlimited.smallest_unknown()))
        .what_if(&set.what_if)
        .write(out)
}

impl Row {
    fn document(&self, warning: Option<String>) -> Document {
        let least = self.verdict.as_ref().map(|verdict| &verdict.least);
        let shown = self.verdict.as_ref().filter(|_| self.schedulable() == Some(true));
        let other = shown.map(|verdict| (verdict, verdict.shown()));
        let other = other.filter(|(verdict, shown)| !is_least(verdict, shown)).map(|(_, shown)| shown);
        Document::default()
            .add("device", self.device())
            .add("family", self.family())
            .add("warnings", warning.as_slice())
            .add("schedulable", self.schedulable())
            .add("limits", costs::limits(self.resources()))
            .add("binding", self.binding())
            .add("reason", self.reason())
            .with(self.built(least))
            // If another design is the schedulable one.
            .some("schedulable_design", other.as_ref().map(|design| self.built(Some(design))))
    }

    /// A design; all null where there is none.
    fn built(&self, chosen: Option<&ChosenDesign>) -> Document {
        let (set, design) = (&self.task_set, chosen.map(|chosen| &chosen.design));
        let area = design.and_then(|design| design.cost.first().filter(|_| design.cost.len() == 1));
        Document::default()
            .add("utilization", design.map(|design| Ratio::from(&design.utilization)))
            .add("cost", design.map(|design| costs::object(self.resources(), &design.cost)))
            .some("area", area.map(Amount::from))
            .add("choices", chosen.map(|chosen| choices(set, &chosen.choices)))
            .add("blocks", chosen.map(|chosen| built_names(set, &chosen.choices)))
            .some("variant", design.and_then(|design| self.variant(design)))
    }
}
