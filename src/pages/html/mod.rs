//! The front as a self-contained interactive report: one HTML file that needs no network.
//!
//! | file | content |
//! |---|---|
//! | `sheet` | the page's data, as in its JSON |
//! | `from_front` | the page of an exploration |
//! | `from_document` | the page of a `front.json`, alone or with its task set |
//! | `thinned` | the selection of designs from a long front |
//! | `packed` | designs as columns of bytes |
//! | `details` | response times and margins |
//! | `partition` | the page of a task set on several numbers of cores |
//! | `page` | the page around it: `page.html`, `style.css`, `script/`, and its security policy |
//!
//! The page shows areas and utilizations exactly: its data are integers over one common denominator, which its script
//! handles as such. Doubles are used only for positions on the screen.
//!
//! Names from a file reach the page only as JSON, and the script inserts them as text, never as markup. The page's
//! security policy allows its own script and style, by their hashes, and no connections.

mod details;
mod error;
mod from_document;
mod from_front;
mod packed;
mod page;
mod partition;
mod sheet;
mod thinned;

pub use error::ReportError;
pub use from_document::Again;
pub use partition::write_partitions;
pub use thinned::MOST_DESIGNS;

use isx_design::exploration::Exploration;
use isx_machine::cpu::Workers;
use isx_report::front::Front;
use isx_report::front::json;
use isx_report::origin::Origin;
use isx_report::written::Written;
use isx_taskset::TaskSet;
use packed::{Columns, Row};
use sheet::{Designs, Limit, Sheet};
use std::io::{self, Write};
use thinned::Thinned;

/// The most bytes of the packed designs; if they exceed it, the page keeps fewer designs.
const MOST_PACKED: usize = 130_000;

/// A report that can be written.
#[derive(Clone, Debug)]
pub struct Report {
    sheet: Sheet,
}

impl Report {
    /// The report of an exploration.
    ///
    /// Takes time proportional to the designs in the page, and under fixed priorities or with short deadlines up to a
    /// second for the response times and margins of the designs around the smallest schedulable one.
    pub fn of_front(explored: &Exploration) -> Result<Self, ReportError> {
        let set = explored.task_set();
        let has_variants = !set.variants.is_empty();
        let has_modes = !set.modes.is_empty() || set.overruns.is_some();
        if has_variants || has_modes {
            // Such a page is that of the front as a document; only of modes it holds WCETs, of which a task has several.
            let mut document = Vec::new();
            json::write(&Front::of(explored), &Workers::new(1), &mut document)?;
            let known = (!set.modes.is_empty() && !has_variants).then_some(set);
            let (sheet, designs) =
                from_document::sheet_and_designs(document.as_slice().into(), known, None, &set.blocks)?;
            let mut report = Self::new(sheet, designs)?;
            report.sheet.origin.of = match set.overruns {
                _ if known.is_some() => "task set",
                Some(_) => "overruns",
                None => "variants",
            };
            if has_modes {
                report.sheet.limit = Limit::of(explored.front.formulation());
            }
            return Ok(report);
        }
        let (sheet, designs) = from_front::sheet_and_designs(explored)?;
        Self::new(sheet, designs)
    }

    /// The report of a `front.json` or `front.parquet`, read as a stream. With its task set (after the same what-if changes, if any) it
    /// also shows execution times, blocks and response times; every area and utilization in the page is then summed
    /// again. With that set explored again, by `again`, missing and modified points are detected too.
    /// Fails with [`ReportError`]: the document is not a front, or not that of this task set.
    pub fn of_document<'a>(
        document: impl Into<Written<'a>>,
        task_set: Option<&TaskSet>,
        again: Option<Again>,
    ) -> Result<Self, ReportError> {
        let (sheet, designs) = from_document::sheet_and_designs(document.into(), task_set, again, &[])?;
        Self::new(sheet, designs)
    }

    fn new(mut sheet: Sheet, designs: Thinned<Row>) -> Result<Self, ReportError> {
        sheet.front = Some(packed_within(designs, &sheet)?);
        Ok(Self { sheet })
    }

    /// Sets the origin that the page names.
    pub fn with_origin(mut self, origin: &Origin) -> Self {
        self.sheet.origin.origin = origin.clone();
        self
    }

    /// Sets a title instead of the task set's name.
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.sheet.title = title.into();
        self
    }

    /// Writes the page as one HTML file in UTF-8.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let json = serde_json::to_string(&self.sheet)?;
        page::write(&self.sheet.title, self.sheet.page(), &page::harmless(&json), &mut out)?;
        out.flush()
    }
}

/// Packs the designs, and halves their number until they fit the limit.
fn packed_within(mut designs: Thinned<Row>, sheet: &Sheet) -> Result<Designs, ReportError> {
    loop {
        let rows = designs.in_order();
        let (columns, kept) = (Columns::of(&rows, sheet.layout())?, rows.len());
        let (count, stride) = (designs.count(), designs.stride());
        if columns.packed.len() <= MOST_PACKED || !designs.halve() {
            return Ok(Designs::new(&columns, count, kept, stride));
        }
    }
}

/// Writes the report of an exploration; see [`Report::of_front`] and [`Report::write`].
///
/// ```
/// use isx_pages::html;
/// use isx_report::origin::Origin;
/// let text = "{name: one, tasks: [{name: a, wcet: 6, period: 5, choices: [{name: mac, area: 120, wcet: 4}]}]}";
/// let task_set = isx_taskset::read_str("one.yaml", text)?.task_set;
/// let explored = isx_explore::explore(&task_set, &isx_explore::Options::default())?;
/// let mut page = Vec::new();
/// html::write(&explored, &Origin::default(), &mut page)?;
/// assert!(page.starts_with(b"<!DOCTYPE html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(explored: &Exploration, origin: &Origin, out: impl Write) -> Result<(), ReportError> {
    Ok(Report::of_front(explored)?.with_origin(origin).write(out)?)
}

/// An upper bound on the bytes of a front's page, unless names are very long.
pub fn bytes(explored: &Exploration) -> u64 {
    let set = explored.task_set();
    let modes = set.modes.len();
    let per_choice = |choice: &isx_taskset::Choice| 6 * choice.name.len() + 200 + 20 * modes;
    let per_task = |task: &isx_taskset::Task| {
        6 * task.name.len() + 400 + 80 * modes + task.choices.iter().map(per_choice).sum::<usize>()
    };
    let blocks = set.blocks.iter().map(|block| 6 * block.name.len() + 200);
    let names: usize = set.tasks.iter().map(per_task).chain(blocks).sum();
    let margin = if explored.point_margins.is_empty() { 0 } else { 20 };
    let designs = explored.front.len().saturating_mul(12 + margin + 2 * set.tasks.len() + set.blocks.len());
    let packed = designs.min(MOST_PACKED) + details::MOST_PACKED;
    let page = if !set.is_one_area() { page::Page::Resources } else { page::Page::Area };
    page::bytes(page) + (names + packed) as u64 + 10_000
}

#[cfg(test)]
mod tests;
