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
pub use isx_design::fit::{Fit, Fits};
use isx_design::front::ChosenDesign;
use isx_design::schedulability::BudgetVerdict;
use isx_report::front::blocks::built_names;
use isx_report::front::costs::{self, Minimal};
use isx_report::front::fields::{Amount, Ratio, choices};
use isx_report::text::visible;
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.fit/1";

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

fn cells(row: &Fit) -> Vec<String> {
    let (word, _) = words::verdict(row.schedulable(), false);
    let least = row.verdict.as_ref().map(|verdict| utilization(&verdict.least.design.utilization));
    let least = least.unwrap_or_else(|| "-".to_owned());
    let first = [visible(row.device()), word.to_owned(), least];
    let of_least = row.verdict.as_ref().and_then(|verdict| row.variant(&verdict.least.design));
    let of_least = of_least.map_or_else(|| "-".to_owned(), visible);
    let variant = (!row.task_set.variants.is_empty()).then_some(of_least);
    let binds = visible(&row.reason().unwrap_or_else(|| row.binding_names().join(", ")));
    first.into_iter().chain(variant).chain(row.used()).chain([binds]).collect()
}

/// Writes the rows as one JSON object.
pub fn write_json(fits: &Fits, out: &mut dyn Write) -> io::Result<()> {
    let set = &fits.unlimited.task_set;
    let minimal = minimal_costs(&fits.unlimited).unwrap_or_default();
    let rows: Vec<Document> = fits.rows.iter().map(|row| document(row, fits.warning(row))).collect();
    Document::new(SCHEMA, &set.name)
        .add("resources", &set.resources.names)
        .add("rows", rows)
        .add("smallest_device", fits.smallest().map(Fit::device))
        .with(Minimal::new(&set.resources, Some(&minimal), fits.unlimited.smallest_unknown()))
        .what_if(&set.what_if)
        .write(out)
}

fn document(row: &Fit, warning: Option<String>) -> Document {
    let least = row.verdict.as_ref().map(|verdict| &verdict.least);
    let shown = row.verdict.as_ref().filter(|_| row.schedulable() == Some(true));
    let other = shown.map(|verdict| (verdict, verdict.shown()));
    let other = other.filter(|(verdict, shown)| !is_least(verdict, shown)).map(|(_, shown)| shown);
    Document::default()
        .add("device", row.device())
        .add("family", row.family())
        .add("warnings", warning.as_slice())
        .add("schedulable", row.schedulable())
        .add("limits", costs::limits(&row.task_set.resources))
        .add("binding", row.binding_names())
        .add("reason", row.reason())
        .with(built(row, least))
        // If another design is the schedulable one.
        .some("schedulable_design", other.as_ref().map(|design| built(row, Some(design))))
}

/// A design; all null where there is none.
fn built(row: &Fit, chosen: Option<&ChosenDesign>) -> Document {
    let (set, design) = (&row.task_set, chosen.map(|chosen| &chosen.design));
    let area = design.and_then(|design| design.cost.first().filter(|_| design.cost.len() == 1));
    Document::default()
        .add("utilization", design.map(|design| Ratio::from(&design.utilization)))
        .add("cost", design.map(|design| costs::object(&row.task_set.resources, &design.cost)))
        .some("area", area.map(Amount::from))
        .add("choices", chosen.map(|chosen| choices(set, &chosen.choices)))
        .add("blocks", chosen.map(|chosen| built_names(set, &chosen.choices)))
        .some("variant", design.and_then(|design| row.variant(design)))
}
