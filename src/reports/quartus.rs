//! Quartus: the fitter's report, `.fit.rpt`.
//!
//! ```text
//! +------------------------------------------------------+
//! ; Fitter Summary                                       ;
//! +------------------------+-----------------------------+
//! ; Total logic elements   ; 1,632 / 22,320 ( 7 % )      ;
//! ; Total registers        ; 649                         ;
//! +------------------------+-----------------------------+
//! ```
//!
//! Three tables are read: the first row of "Fitter Resource Utilization by Entity", which is the whole design, then the
//! further rows of "Fitter Summary" and "Fitter Resource Usage Summary". Of `1,632 / 22,320 ( 7 % )` and of
//! `920.5 (12.0)`, the total and the part of one entity, the first number counts. Values that are no numbers ("Low", a percentage) are passed over.
//! Other reports, and those of the stages of Quartus Pro's fitter, are recognized by the title in the first line.

use crate::content::{Content, Kind, Reader};
use crate::families::family_of;
use crate::report::Report;
use crate::ruled::{Amounts, Ruled, merge, note, refuse_ragged, row, tables, without_star};
use isx_exact::quantity::Rational;
use isx_text::Found;
use isx_text::ReadError;
use isx_text::cells::Cell;
use isx_text::figures::error;
use isx_text::{printable, shortened};
use std::borrow::Cow;

const ENTITIES: &str = "Fitter Resource Utilization by Entity";
const SUMMARY: &str = "Fitter Summary";
const USAGE: &str = "Fitter Resource Usage Summary";

pub const READER: Reader = Reader { name: "Quartus", what: "Quartus's `.fit.rpt`", recognizes, read };

fn recognizes(content: &Content<'_>) -> Option<Kind> {
    let text = content.text()?;
    let first = text.trim_start().lines().next().unwrap_or_default().trim_end();
    let kind = |words: &str| {
        let (kind, rest) = first.split_once(words)?;
        (rest.is_empty() || rest.starts_with(' ')).then_some(kind)
    };
    let is_of_quartus = ["\n; ", "Quartus", "Revision Name : "].iter().any(|words| text.contains(words));
    let title = || kind(" report").or_else(|| kind(" Report"));
    let (kind, words) = match (title(), kind(" Status :")) {
        (Some("Fitter"), _) => return Some(Kind::Report),
        (Some(kind), _) if is_of_quartus => (kind, "report"),
        (_, Some(kind)) if is_of_quartus => (kind, "summary"),
        _ if text.contains("Timing Analyzer Summary") => ("Timing Analyzer", "summary"),
        _ => return Kind::report_if(text.contains("\n; Fitter ")),
    };
    let why = match kind {
        "Fitter" => "it has the totals alone",
        "Analysis & Synthesis" | "Synthesis" => "its amounts are estimates before placement",
        _ if kind.starts_with("Fitter ") => "it is of one stage of the fitter, before the last changes",
        _ => "it does not count the hardware of the whole design",
    };
    let name = content.source.file_name();
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    Kind::other(
        format!("Quartus's {words} of \"{}\"", shortened(kind)),
        format!("{why}: give the fitter's report, `{}.fit.rpt`", shortened(stem)),
    )
}

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), ReadError> {
    let mut wanted: [Option<Amounts>; 3] = [None, None, None];
    for table in tables(&content.source.text, ';') {
        let Some(&title) = table.groups.first().and_then(|group| group.first()) else { continue };
        let name = title.1.trim_matches([';', ' ']);
        let Some(at) = [ENTITIES, SUMMARY, USAGE].iter().position(|known| *known == name) else { continue };
        table.refuse_open(content)?;
        if let Some(slot) = wanted.get_mut(at) {
            *slot = Some(match at {
                0 => of_design(content, &table)?,
                _ => of_rows(content, &table, report)?,
            });
        }
    }
    if wanted.iter().all(Option::is_none) {
        return Err(content
            .lacks("table of resources", "Quartus writes them to `.fit.rpt` when its fitter has ended"));
    }
    for table in wanted.into_iter().flatten() {
        merge(report, table);
    }
    Ok(())
}

/// The amounts of the first entity, a column each.
fn of_design(content: &Content<'_>, table: &Ruled<'_>) -> Found<Amounts> {
    let mut amounts = Amounts::new();
    let [_, head, rows, ..] = table.groups.as_slice() else { return Ok(amounts) };
    let (Some(&head), Some(&first)) = (head.first(), rows.first()) else { return Ok(amounts) };
    let (head, cells) = (row(content, head, ';')?, row(content, first, ';')?);
    refuse_ragged(content, first, &cells, head.len())?;
    for (name, cell) in head.iter().zip(&cells) {
        if !name.text.ends_with("Name") && !name.text.ends_with("Node") {
            note(&mut amounts, &name.text, first_number(content, &name.text, cell));
        }
    }
    Ok(amounts)
}

/// The amounts of a table with a row for each.
fn of_rows(content: &Content<'_>, table: &Ruled<'_>, report: &mut Report) -> Found<Amounts> {
    let mut amounts = Amounts::new();
    for &line in table.groups.iter().skip(1).flatten() {
        let cells = row(content, line, ';')?;
        let [name, value, ..] = cells.as_slice() else {
            let place = line.0..line.0 + line.1.len();
            return Err(
                error(content.source, place, "the row has one cell").label("expected a value beside it")
            );
        };
        let name = without_star(name.text.trim_start_matches("-- "));
        if name == "Family" && !value.text.is_empty() {
            report.part = printable(&value.text);
            report.families = vec![family_of(&value.text).map_or_else(|| report.part.clone(), str::to_owned)];
        }
        let is_number =
            value.text.starts_with(|first: char| first.is_ascii_digit()) && !value.text.contains("% /");
        if is_number && !is_description(name) {
            note(&mut amounts, name, first_number(content, name, value));
        }
    }
    Ok(amounts)
}

/// Whether a row of the summary describes the run; its value may begin with a digit.
fn is_description(name: &str) -> bool {
    name.starts_with("Quartus ") || name == "Device" || name == "Family" || name.ends_with(" Name")
}

/// The number at the beginning of a cell; commas group its digits by threes.
fn first_number(content: &Content<'_>, name: &str, cell: &Cell<'_>) -> Found<Rational> {
    let text = cell.text.split(' ').next().unwrap_or_default();
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    let plain = if is_grouped { Cow::Owned(text.replace(',', "")) } else { Cow::Borrowed(text) };
    let place = cell.place.start..cell.place.start + text.len();
    content.figure(&plain, place, name).not_negative()
}
