//! Vivado: `report_utilization`, as text or as CSV.
//!
//! ```text
//! +------------------------+------+-------+-----------+-------+
//! |        Site Type       | Used | Fixed | Available | Util% |
//! +------------------------+------+-------+-----------+-------+
//! | Slice LUTs             | 1009 |     0 |    133800 |  0.75 |
//! |   LUT as Logic         |  954 |     0 |    133800 |  0.71 |
//! +------------------------+------+-------+-----------+-------+
//! ```
//!
//! Tables of site types and of primitives (`Ref Name`) are read by the column `Used`: the other columns
//! depend on the version. Of `report_utilization -hierarchical` (`Instance`, `Module`, a column per resource) the first row is
//! read, the whole design. A cell that is not a number is an error only if its row is requested. Block RAM
//! tiles may be halves. A star behind a name points to a footnote. Names that one table has with different amounts ("using O5
//! output only") are left out.

use crate::content::{Content, Kind, Reader};
use crate::families::family_of;
use crate::report::Report;
use crate::ruled::{Amounts, Line, merge, note, refuse_ragged, row, tables, without_star};
use isx_exact::quantity::Rational;
use isx_text::Found;
use isx_text::ReadError;
use isx_text::cells::{Cell, cells, head_line, lines, separator_of};
use isx_text::figures::error;
use isx_text::{printable, shortened};

pub const READER: Reader =
    Reader { name: "Vivado", what: "Vivado's `report_utilization` as text or CSV", recognizes, read };

fn recognizes(content: &Content<'_>) -> Option<Kind> {
    let text = content.text()?;
    let has = |words: &str| text.contains(words);
    let of_sites = (has("Site Type") || has("Ref Name")) && has("Used");
    if of_sites || has("Instance") && has("Module") && has("Total LUTs") {
        return Some(Kind::Report);
    }
    let command = header(text, "Command").and_then(|command| command.split_whitespace().next());
    let of_command =
        command.filter(|command| command.starts_with("report_") && *command != "report_utilization");
    // The window's table has a column per resource and a row per instance.
    let mut heads = head_line(text).into_iter().flat_map(|(_, line, separator)| line.split(separator));
    let names = ["Slice LUT", "CLB LUT", "Slice Reg", "CLB Reg", "Block RAM Tile"];
    let is_window = heads.any(|cell| names.iter().any(|name| cell.trim_start_matches('"').starts_with(name)));
    let others = [
        (of_command.is_some(), format!("Vivado's `{}`", shortened(of_command.unwrap_or_default()))),
        (
            text.starts_with('<') && has("report_utilization"),
            "Vivado's `report_utilization` as XML".to_owned(),
        ),
        (has("Design Route Status"), "Vivado's `report_route_status`".to_owned()),
        (has("HLS Report for "), "a report of Vitis HLS, whose amounts are estimates".to_owned()),
        (
            text.starts_with("# Vivado v") || has("\n# Vivado v") || has("\nReport Cell Usage:"),
            "a log of Vivado".to_owned(),
        ),
        (
            is_window && has("%"),
            "a table of Vivado's window, in percent: percentages are no amounts".to_owned(),
        ),
        (is_window, "a table of Vivado's window".to_owned()),
    ];
    let instead =
        "give that of `report_utilization -file FILE` for the implemented design, which has amounts";
    match others.into_iter().find(|(is_it, _)| *is_it) {
        Some((_, what)) => Kind::other(what, instead),
        None => Kind::report_if(has("report_utilization")),
    }
}

/// The value of a line `| NAME : value` at the head of a report.
fn header<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().take(40).find_map(|line| {
        let (key, value) = line.trim_start_matches(['|', ' ']).split_once(':')?;
        (key.trim_end() == name).then_some(value.trim())
    })
}

/// How the rows below a header are read.
enum Rows {
    /// A name, and its amount in this column.
    Used(usize),
    /// A design or a part of it, with the amounts of all columns from the third on.
    Instances,
}

impl Rows {
    fn below(head: &[Cell<'_>]) -> Option<Self> {
        let is = |at: usize, name: &str| head.get(at).is_some_and(|cell| cell.text == name);
        if is(0, "Site Type") || is(0, "Ref Name") {
            return head.iter().position(|cell| cell.text == "Used").map(Self::Used);
        }
        (is(0, "Instance") && is(1, "Module")).then_some(Self::Instances)
    }
}

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), ReadError> {
    let text = &content.source.text;
    if let Some(part) = header(text, "Device").filter(|part| !part.is_empty()) {
        report.part = printable(part);
        report.families = family_of(part).map(str::to_owned).into_iter().collect();
    }
    let is_drawn = lines(text, 0).any(|(_, line)| line.starts_with("+-"));
    let mut found = 0;
    if is_drawn {
        for table in tables(text, '|') {
            let Some((head, rows)) = table.groups.split_first() else { continue };
            let Some(&head) = head.first() else { continue };
            let head = row(content, head, '|')?;
            let Some(kind) = Rows::below(&head) else { continue };
            table.refuse_open(content)?;
            let rows: Vec<Line<'_>> = rows.iter().flatten().copied().collect();
            found += 1;
            amounts(content, &head, &kind, &rows, &|line| row(content, line, '|'), report)?;
        }
    } else {
        let mut lines = lines(text, 0).peekable();
        while let Some((start, line)) = lines.next() {
            let separator = separator_of(line);
            let head = cells(content.source, start, line, separator)?;
            let Some(kind) = Rows::below(&head) else { continue };
            let mut rows: Vec<Line<'_>> = Vec::new();
            while let Some(row) = lines.next_if(|(_, line)| line.contains(separator)) {
                rows.push(row);
            }
            found += 1;
            let split: Split<'_, '_> = &|(start, line)| cells(content.source, start, line, separator);
            amounts(content, &head, &kind, &rows, split, report)?;
        }
    }
    if found == 0 {
        return Err(content.lacks("table of resources", "`report_utilization -file FILE` writes them"));
    }
    Ok(())
}

type Split<'s, 't> = &'s dyn Fn(Line<'t>) -> Found<Vec<Cell<'t>>>;

/// Adds the amounts of a table; of two tables with one name the first counts.
fn amounts<'t>(
    content: &Content<'t>,
    head: &[Cell<'_>],
    kind: &Rows,
    rows: &[Line<'t>],
    split: Split<'_, 't>,
    report: &mut Report,
) -> Found<()> {
    let mut of_table = Amounts::new();
    for &line in rows {
        let cells = split(line)?;
        refuse_ragged(content, line, &cells, head.len())?;
        let mut named: Vec<(&str, &Cell<'_>)> = Vec::new();
        match kind {
            Rows::Used(at) => named.extend(cells.first().map(|cell| &*cell.text).zip(cells.get(*at))),
            Rows::Instances => named.extend(head.iter().map(|cell| &*cell.text).zip(&cells).skip(2)),
        }
        for (name, cell) in named {
            let name = without_star(name);
            note(&mut of_table, name, used(content, name, cell));
        }
        report.is_sparse |= head.first().is_some_and(|cell| cell.text == "Ref Name");
        if matches!(kind, Rows::Instances) {
            break;
        }
    }
    if matches!(kind, Rows::Instances) && of_table.is_empty() {
        let place = head.first().map_or(0..0, |cell| cell.place.clone());
        return Err(error(content.source, place, "the table has no row for the design").label("its head"));
    }
    merge(report, of_table);
    Ok(())
}

/// The number of a cell, `1009`, or `1009(0.75%)` where percentages were asked for too.
fn used(content: &Content<'_>, name: &str, cell: &Cell<'_>) -> Found<Rational> {
    let both = cell.text.strip_suffix("%)").and_then(|text| text.split_once('('));
    let text = both.map_or(&*cell.text, |(amount, _)| amount);
    let read = content.figure(text, cell.place.clone(), name).not_negative();
    read.map_err(|refused| match cell.text.contains('%') {
        true => {
            refused.help("a percentage is no amount: `report_utilization` without percentages has amounts")
        }
        false => refused,
    })
}
