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
//! Tables of site types and of primitives (`Ref Name`) are read by the column `Used`: which columns stand beside it
//! depends on the version. Of `report_utilization -hierarchical` (`Instance`, `Module`, a column per resource) the first row is
//! read, the whole design. Block RAM tiles may be halves. A star behind a name points to a footnote. Names that stand
//! in one table with different amounts ("using O5 output only") are left out.

use super::content::{Content, Reader};
use super::ruled::{Amounts, Line, merge, note, refuse_ragged, row, tables, without_star};
use crate::figures::{Found, error};
use crate::refusal::Refusal;
use crate::report::Report;
use crate::table::{Cell, cells, lines, separator_of};

pub(super) const READER: Reader = Reader {
    name: "Vivado",
    what: "Vivado's `report_utilization` as text or CSV",
    recognizes: |content| {
        content.root.is_none() && {
            let text = &content.source.text;
            text.contains("report_utilization")
                || (text.contains("Site Type") || text.contains("Ref Name")) && text.contains("Used")
                || text.contains("Instance") && text.contains("Module") && text.contains("Total LUTs")
        }
    },
    read,
};

/// What the cells of a head say about the rows below it.
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

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), Refusal> {
    let text = &content.source.text;
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
            let amount = content.figure(&cell.text, cell.place.clone(), name).not_negative()?;
            note(&mut of_table, name, amount);
        }
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
