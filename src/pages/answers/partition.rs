//! A task set on several numbers of cores, a row per number, as text and as JSON (schema `isx.partition/1`).
//!
//! ```text
//! cores  result      area     used  largest U    margin
//!     1  INFEASIBLE  -           -          -         -
//!     2  PROVED      4450 LE     2   0.981250    1.91 %
//! ```
//!
//! Below it, the reasons of rows without a design, and the cheapest design core by core.

use crate::answers::document::Document;
pub use crate::answers::lines::Options;
use crate::answers::lines::{Columns, List};
use crate::answers::words::{SOFTWARE, percent, utilization, verdict, with_unit};
use isx_design::partition::{Partition, Partitions, Row, Status};
#[cfg(any(feature = "html", feature = "svg"))]
use isx_exact::quantity::Rational;
use isx_exact::quantity::format_decimal;
use isx_report::front::costs;
use isx_report::front::fields::{Amount, InOrder, Ratio, choices};
use isx_report::text::visible;
use isx_taskset::{Block, Task, TaskSet};
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.partition/1";

/// The row with the cheapest design; of equal ones that with the fewest cores.
pub fn cheapest(partitions: &Partitions) -> Option<(&Row, &Partition)> {
    let designs = partitions.rows.iter().filter_map(|row| Some((row, row.best.as_ref()?)));
    designs.min_by(|a, b| a.1.area.cmp(&b.1.area).then(a.0.cores.cmp(&b.0.cores)))
}

const HEADS: [&str; 6] = ["cores", "result", "area", "used", "largest U", "margin"];

/// Prints the table, the reasons, and the cheapest design.
/// Fails when `out` fails.
pub fn write_text(partitions: &Partitions, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let set = &partitions.task_set;
    if options.brief {
        return write_line(partitions, out);
    }
    options.write_heading(&set.name, "", &set.what_if, out)?;
    let rows: Vec<[String; 6]> = partitions.rows.iter().map(|row| cells(set, row)).collect();
    let heads = HEADS.map(str::to_owned);
    let columns = Columns::new(&[1, 2], std::iter::once(&heads).chain(&rows));
    writeln!(out, "{}", columns.plain(&heads))?;
    for (row, cells) in partitions.rows.iter().zip(&rows) {
        let style = verdict(result(row).0, options.color).1;
        writeln!(out, "{}", columns.line(cells, (1, style)))?;
    }
    writeln!(out)?;
    let mut list = List::default();
    for row in &partitions.rows {
        let bound = row.bound.as_ref().filter(|_| result(row).0.is_none());
        let bound = bound
            .map(|bound| format!(", and every design needs at least {}", with_unit(bound, set.area_unit())));
        let reason = result(row).2.map(|reason| format!("{}{}", visible(reason), bound.unwrap_or_default()));
        list.some(format!("{}: ", in_words(row.cores)), reason);
    }
    list.write(options.width, out)?;
    if let Some((row, best)) = cheapest(partitions) {
        let least = if row.status == Status::Proved { "least area" } else { "least area found" };
        let area = with_unit(&best.area, set.area_unit());
        writeln!(out, "The {least}, {}, on {}:", visible(&area), in_words(row.cores))?;
        design(set, best).write(options.width, out)?;
    }
    Ok(())
}

/// `node: PROVED, least area 3228 LE on 2 cores`.
fn write_line(partitions: &Partitions, out: &mut dyn Write) -> io::Result<()> {
    let set = &partitions.task_set;
    let name = visible(&set.name);
    match cheapest(partitions) {
        Some((row, best)) => {
            let area = visible(&with_unit(&best.area, set.area_unit()));
            writeln!(out, "{name}: {}, least area {area} on {}", result(row).1, in_words(row.cores))
        }
        None if partitions.rows.iter().any(|row| result(row).0.is_none()) => writeln!(out, "{name}: UNKNOWN"),
        None => writeln!(out, "{name}: INFEASIBLE"),
    }
}

/// Whether there is a design (`None` if that is not known), in a word, and why there is none.
fn result(row: &Row) -> (Option<bool>, &'static str, Option<&str>) {
    match &row.status {
        Status::Proved => (Some(true), "PROVED", None),
        Status::Infeasible(reason) => (Some(false), "INFEASIBLE", Some(reason)),
        Status::Unknown(reason) => (None, "UNKNOWN", Some(reason)),
    }
}

pub(crate) fn in_words(cores: u32) -> String {
    if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") }
}

fn cells(set: &TaskSet, row: &Row) -> [String; 6] {
    let none = || ["-"; 4].map(str::to_owned);
    let [area, used, largest, margin] = row.best.as_ref().map_or_else(none, |best| figures(set, best));
    [row.cores.to_string(), result(row).1.to_owned(), area, used, largest, margin]
}

/// The area of a design, its number of cores with tasks, their largest utilization and the margin.
pub(crate) fn figures(set: &TaskSet, best: &Partition) -> [String; 4] {
    let margin = best.margin.as_ref().map(|margin| format!("{} %", percent(margin, 2)));
    [
        visible(&with_unit(&best.area, set.area_unit())),
        best.cores_used().to_string(),
        utilization(&best.largest()),
        margin.unwrap_or_else(|| "-".to_owned()),
    ]
}

/// The names of blocks.
fn names<'s>(set: &'s TaskSet, blocks: &[u32]) -> Vec<&'s str> {
    let block = |number: &u32| set.blocks.get(*number as usize).map(|block: &Block| block.name.as_str());
    blocks.iter().filter_map(block).collect()
}

/// The name of the choice that a task takes.
pub(crate) fn choice(task: &Task, choice: Option<u32>) -> Option<&str> {
    Some(task.choices.get(choice? as usize)?.name.as_str())
}

/// The utilization of a task with a choice on a core of this clock; without one, at that of the set.
#[cfg(any(feature = "html", feature = "svg"))]
pub(crate) fn share(set: &TaskSet, task: &Task, taken: Option<u32>, clock: Option<&Rational>) -> Rational {
    let wcet = taken
        .and_then(|taken| task.choices.get(taken as usize))
        .map_or(&task.wcets[0], |choice| &choice.wcets[0]);
    let share = wcet / task.period();
    match (&set.time_base, clock) {
        (isx_taskset::TimeBase::Cycles { hertz }, Some(clock)) => share * hertz / clock,
        _ => share,
    }
}

/// A design core by core.
fn design(set: &TaskSet, best: &Partition) -> List {
    let mut list = List::default();
    for (core, load) in best.utilizations.iter().enumerate() {
        let tasks = set.tasks.iter().enumerate().zip(&best.choices).zip(&best.assignment);
        let own = tasks.filter(|(_, on)| **on as usize == core);
        // A task before its parts takes nothing itself.
        let own = own.map(|(((at, task), taken), _)| match set.parts_of(at) {
            [] => format!("{} ({})", visible(&task.name), visible(choice(task, *taken).unwrap_or(SOFTWARE))),
            _ => visible(&task.name),
        });
        let own: Vec<String> = own.collect();
        let own = if own.is_empty() { "no task".to_owned() } else { own.join(", ") };
        let blocks = names(set, &best.blocks[core]);
        let blocks = if blocks.is_empty() {
            String::new()
        } else {
            format!("; blocks {}", visible(&blocks.join(", ")))
        };
        list.add(format!("  core {core}  U {}  ", utilization(load)), format!("{own}{blocks}"));
    }
    list.nonempty("  chip    blocks ", visible(&names(set, &best.chip_blocks).join(", ")));
    if let Some(TaskSet { resources, .. }) = set.priced.as_deref() {
        let limits = resources.names.iter().zip(&resources.limits);
        let taken = limits.zip(&best.cost).enumerate().map(|(at, ((name, limit), cost))| {
            let of =
                limit.as_ref().map_or_else(String::new, |limit| format!(" of {}", format_decimal(limit)));
            let fill = resources.fill_in_words(at).map_or_else(String::new, |fill| format!(" ({fill})"));
            format!("{}{of} {}{fill}", format_decimal(cost), visible(name))
        });
        list.add("  takes   ", taken.collect::<Vec<_>>().join(", "));
    }
    list
}

/// Writes the rows as one JSON object.
/// Fails when `out` fails.
pub fn write_json(partitions: &Partitions, out: &mut dyn Write) -> io::Result<()> {
    document(partitions).write(out)
}

/// The rows as one JSON object.
pub(crate) fn document(partitions: &Partitions) -> Document {
    let set = &partitions.task_set;
    let rows: Vec<Document> = partitions.rows.iter().map(|row| on_cores(set, row)).collect();
    about(set).add("rows", rows).what_if(&set.what_if)
}

/// The beginning of a document about several cores.
pub(crate) fn about(set: &TaskSet) -> Document {
    let core_area = set.core_area();
    let core_cost = match &set.priced {
        Some(priced) => costs::object(&priced.resources, &priced.core_cost()),
        None => costs::object(&set.resources, std::slice::from_ref(&core_area)),
    };
    Document::new(SCHEMA, &set.name)
        .add("area_unit", set.area_unit())
        .add("core_cost", core_cost)
        .add("core_area", Amount::from(&core_area))
        .some("limits", set.priced.as_ref().map(|priced| costs::limits(&priced.resources)))
}

fn on_cores(set: &TaskSet, row: &Row) -> Document {
    let (_, status, reason) = result(row);
    Document::default()
        .add("cores", row.cores)
        .add("status", status.to_lowercase())
        .add("reason", reason)
        .add("bound", row.bound.as_ref().map(Amount::from))
        .with(built(set, row.best.as_ref()))
}

/// A design; all null where there is none.
pub(crate) fn built(set: &TaskSet, best: Option<&Partition>) -> Document {
    let cost = |best: &Partition| match &set.priced {
        Some(priced) => costs::object(&priced.resources, &best.cost),
        None => costs::object(&set.resources, std::slice::from_ref(&best.area)),
    };
    let assignment = |best: &Partition| -> InOrder<u32> {
        let tasks = set.tasks.iter().zip(best.assignment.iter().copied());
        tasks.filter(|(task, _)| !task.is_part()).map(|(task, core)| (task.name.clone(), core)).collect()
    };
    let blocks = |best: &Partition| best.blocks.iter().map(|blocks| names(set, blocks)).collect::<Vec<_>>();
    let utilizations = |best: &Partition| best.utilizations.iter().map(Ratio::from).collect::<Vec<_>>();
    Document::default()
        .add("cost", best.map(cost))
        .add("area", best.map(|best| Amount::from(&best.area)))
        .add("cores_used", best.map(Partition::cores_used))
        .add("assignment", best.map(assignment))
        .add("choices", best.map(|best| choices(set, &best.choices)))
        .add("blocks", best.map(blocks))
        .add("chip_blocks", best.map(|best| names(set, &best.chip_blocks)))
        .add("utilizations", best.map(utilizations))
        .add("margin", best.and_then(|best| best.margin.as_ref()).map(Ratio::from))
        .some("clock_hz", best.and_then(|best| best.clock.as_ref()).map(Amount::from))
}
