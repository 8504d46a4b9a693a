//! Areas of blocks and choices from reports of built designs, in place of cells of their tables.
//!
//! A block, or a choice, takes the area of the design with it minus that of the design without it, the base. Of several
//! reports of one design, by other recipes or seeds, the smallest counts; with several resources, the one that needs the least of the first
//! resource, then of the second: a price is that of one design that was built.

use super::draft::Draft;
use super::figures::{Found, error, meant};
use super::price::PriceColumns;
use super::printed::{Cost, of_area};
use super::table::{Cell, Row};
use isx_reports::Report;
use isx_reports::built::Built;
use isx_reports::comparable::{self, Compared};
use isx_reports::counted::{Counted, Placed, Way, amounts, in_words};
use isx_taskset::{Diagnostic, Source, printable, shortened};
use isx_text::without_folders;
use num_traits::{Signed, Zero};
use std::ops::Range;
use std::sync::Arc;

/// The name of the design without blocks and choices.
const BASE: &str = "base";

/// Reports of a design with a block or a choice, or of the base.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The name of the block or choice, or `base`.
    pub name: String,
    /// The reports with the names of their files.
    pub reports: Vec<(String, Report)>,
}

/// The price of a block or choice by its reports, and where it is from; `None` if it has no reports.
pub(super) fn price(
    measured: &[Measured],
    draft: &mut Draft,
    row: &Row<'_>,
    columns: Option<&PriceColumns>,
    (name, owner): (usize, &str),
) -> Found<Option<(Cost, String)>> {
    let find = |name: &str| measured.iter().find(|measured| measured.name == name);
    let Cell { text, place } = &row.cells[name];
    let Some(design) = find(text) else { return Ok(None) };
    let refuse = |message: String| row.error(name, message);
    if columns.is_some_and(|columns| columns.is_filled(row)) {
        let refused = refuse(format!("{owner} has an area in the table and a report of it"));
        return Err(refused.label("leave its area empty for the report's"));
    }
    let area = std::slice::from_ref(&draft.area_unit);
    let resources = if draft.resources.is_empty() { area } else { draft.resources.as_slice() };
    if resources.iter().any(String::is_empty) {
        let refused = refuse(format!("{owner} has reports, and no table says in what areas are counted"));
        return Err(refused
            .label("its area is unknown")
            .help("name the resource of the column, such as `area [LUT]`"));
    }
    let source = row.source();
    draft.warnings.extend(refuse_others(measured, source, (text, place))?);
    let counted: Vec<Counted> = resources.iter().map(|name| Counted::usual(name)).collect();
    let best = |design: &Measured| -> Found<_> {
        let read = |(file, report): &(String, Report)| {
            let path = Placed { text: file, place: place.clone() };
            Ok((file.clone(), amounts(&counted, report, source, &path, Way::Head)?))
        };
        let all = design.reports.iter().map(read).collect::<Found<Vec<_>>>()?;
        let built = Built::best(&counted, all).ok_or_else(|| refuse(format!("{owner} has no reports")))?;
        let of = Some(built.files.len()).filter(|&count| count > 1).map(|count| format!(", best of {count}"));
        let (amounts, file) = (in_words(&counted, &built.amounts), printable(without_folders(&built.file)));
        Ok((built.amounts, format!("{amounts} in {file}{}", of.unwrap_or_default())))
    };
    let (mut amounts, mut words) = best(design)?;
    if let Some(base) = find(BASE) {
        let (less, base) = best(base)?;
        amounts.iter_mut().zip(less).for_each(|(amount, less)| *amount -= less);
        words = format!("{words}, less the base: {base}");
    }
    if draft.resources.is_empty() {
        let area = amounts.pop().unwrap_or_default();
        if area.is_negative() {
            let refused = refuse(format!("{owner} makes the design smaller: {words}"));
            return Err(refused
                .label("an area is 0 or greater")
                .help("compare reports of the same recipe and the same version of the tool"));
        }
        return Ok(Some((of_area(area), words)));
    }
    let cost: Vec<_> =
        resources.iter().cloned().zip(amounts).filter(|(_, amount)| !amount.is_zero()).collect();
    if cost.iter().any(|(_, amount)| amount.is_negative()) {
        let message = format!("{owner} makes the design smaller: {words}");
        let warning = Diagnostic::warning(source, place.clone(), message).label("a negative difference");
        let warning =
            warning.help("give reports of more recipes or seeds, of both designs; the best of each counts");
        draft.warnings.push(*warning);
    }
    Ok(Some((cost, words)))
}

/// Refuses reports of several tools or families, and warns of several series of one, where the first is used that does not
/// belong to those before it.
fn refuse_others(
    measured: &[Measured],
    source: &Arc<Source>,
    (name, place): (&str, &Range<usize>),
) -> Found<Option<Diagnostic>> {
    let mut all: Vec<(&str, Compared)> = Vec::new();
    for Measured { name, reports } in measured {
        let compared = reports.iter().filter_map(|(file, report)| Compared::new(file, report, true));
        all.extend(compared.map(|compared| (name.as_str(), compared)));
    }
    all.sort_by_key(|(owner, _)| *owner != BASE);
    let (owners, all): (Vec<&str>, Vec<Compared>) = all.into_iter().unzip();
    let place = |_| place.clone();
    let is_here = |at: usize| owners.get(at).is_some_and(|owner| [BASE, name].contains(owner));
    match comparable::first_incomparable(source, &all, place, None) {
        Some((at, refused)) if is_here(at) => Err(refused),
        Some(_) => Ok(None),
        None => {
            let other = comparable::first_of_another_series(source, &all, place);
            Ok(other.filter(|(at, _)| is_here(*at)).map(|(_, warning)| *warning))
        }
    }
}

/// Refuses reports for a name that no table has.
pub(super) fn refuse_unused(measured: &[Measured], draft: &Draft, source: &Arc<Source>) -> Found<()> {
    let choices = draft.tasks.iter().flat_map(|task| &task.choices).map(|(name, _)| name.as_str());
    let known: Vec<&str> = draft.blocks.iter().map(|block| block.name.as_str()).chain(choices).collect();
    for Measured { name, .. } in measured {
        if name != BASE && !known.contains(&name.as_str()) {
            return Err(unused(source, name, &known));
        }
    }
    Ok(())
}

fn unused(source: &Arc<Source>, name: &str, known: &[&str]) -> Box<Diagnostic> {
    let message =
        format!("no block and no choice is named `{}`, of which there are reports", shortened(name));
    let label = meant(name, known.iter().copied());
    let label = label.unwrap_or_else(|| format!("the tables of {} name others", source.file_name()));
    error(source, 0..0, message).label(label)
}
