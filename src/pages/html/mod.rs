//! The front as a self-contained interactive report: one HTML file that needs no network.
//!
//! | file | content |
//! |---|---|
//! | `sheet` | the data of the page of a front: its document, and what only the task set says |
//! | `agree` | whether a front that was read is that of a task set |
//! | `kept` | the selection of designs from a long front |
//! | `details` | response times and margins |
//! | `partition` | the data of the page of a task set on several numbers of cores |
//! | `page` | the page around either: `page.html`, `style.css`, `script/`, and its security policy |
//!
//! The page shows costs and utilizations exactly: they are text in its data, of which its script makes fractions of
//! integers. Doubles are used only for positions on the screen.
//!
//! Names from a file reach the page only as JSON, and the script inserts them as text, never as markup. The page's
//! security policy allows its own script and style, by their hashes, and no connections.

mod agree;
mod details;
mod kept;
mod page;
mod partition;
mod sheet;

pub use page::ReportError;
pub use partition::write_partitions;

use crate::answers::document::Document;
use isx_report::front::Front;
use isx_report::origin::Origin;
use isx_taskset::TaskSet;
use sheet::MOST_PACKED;
use std::io::{self, Write};

/// A report that can be written.
#[derive(Clone, Debug)]
pub struct Report {
    title: String,
    sheet: Document,
    /// What it was made from, see [`page::OriginSheet`].
    of: &'static str,
}

impl Report {
    /// The report of a front. With its task set (after the same what-if changes, if any) it also has execution times, costs of
    /// choices and blocks, and response times; every cost and utilization of a front that was read is then summed again.
    ///
    /// Takes time proportional to the designs in the page, and under fixed priorities or with short deadlines up to a
    /// second for the response times and margins of the designs around the smallest schedulable one.
    /// Fails with [`ReportError`]: the front is not that of this task set.
    ///
    /// ```
    /// use isx_pages::html::Report;
    /// use isx_report::front::Front;
    /// let text = "{name: one, tasks: [{name: a, wcet: 6, period: 5, choices: [{name: mac, area: 120, wcet: 4}]}]}";
    /// let task_set = isx_taskset::read_str("one.yaml", text)?.task_set;
    /// let explored = isx_explore::explore(&task_set, &isx_explore::Options::default())?;
    /// let mut page = Vec::new();
    /// Report::new(&Front::of(&explored), Some(&task_set))?.write(&mut page)?;
    /// assert!(page.starts_with(b"<!DOCTYPE html>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(front: &Front, set: Option<&TaskSet>) -> Result<Self, ReportError> {
        let of = if front.exploration().is_some() { "task set" } else { "front" };
        let report = Self { title: front.head.taskset.clone(), sheet: sheet::sheet(front, set)?, of };
        Ok(report.with_origin(&Origin::default()))
    }

    /// The report of a front that was read, with its task set. If `own` is the front of this set explored again, missing and
    /// modified points are detected too.
    /// Fails as [`Report::new`].
    pub fn checked(front: &Front, set: &TaskSet, own: Option<&Front>) -> Result<Self, ReportError> {
        let mut report = Self::new(front, Some(set))?;
        if let Some(why) = own.and_then(|own| agree::difference(front, own)) {
            return Err(ReportError::other(set, &why));
        }
        report.of = if own.is_some() { "front and task set" } else { "front and sums" };
        Ok(report.with_origin(&Origin::default()))
    }

    /// Sets the origin that the page names.
    pub fn with_origin(mut self, origin: &Origin) -> Self {
        let origin = page::OriginSheet { of: self.of, origin: origin.clone() };
        self.sheet = self.sheet.add("origin", origin);
        self
    }

    /// Sets a title instead of the task set's name.
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self.sheet = self.sheet.add("title", &self.title);
        self
    }

    /// Writes the page as one HTML file in UTF-8.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        page::write(&self.title, &self.sheet, &mut out)
    }
}

/// An upper bound on the bytes of a front's page, unless names or numbers are very long.
pub fn bytes(front: &Front) -> u64 {
    let head = &front.head;
    let places = head.modes.len().max(1) * head.variants.len().max(1);
    let resources = head.resources.names.len();
    let choice = |choice: &String| 12 * choice.len() + 200 + 20 * places;
    let tasks = head
        .tasks
        .iter()
        .map(|task| 6 * task.name.len() + 400 + 80 * places + task.choices.iter().map(choice).sum::<usize>());
    let blocks = head.blocks.iter().map(|block| 6 * block.len() + 200 + 20 * resources);
    let names: usize = tasks.chain(blocks).sum();
    let figures = 40 * (2 + resources + head.modes.len());
    let design = figures + 4 * (head.tasks.len() + head.blocks.len());
    let packed = front.len().saturating_mul(design).min(MOST_PACKED) + details::MOST_PACKED;
    page::bytes() + (names + packed) as u64 + 10_000
}

#[cfg(test)]
mod tests;
