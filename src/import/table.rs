//! CSV as rows of cells with locations, and a header whose columns have units.
//!
//! RFC 4180, with comma, semicolon or tab as separator, whichever is most frequent in the header, or what a first line
//! `sep=;` says, as spreadsheets write it; empty lines and lines starting with `#` are skipped. A quoted cell must end in
//! its line. Figures have decimal points or commas, as [`decimals`](super::decimals) finds out. (The crate `csv` reports
//! where a record begins, but not its cells.)

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::decimals::{DecimalMark, of_table};
use super::draft::Draft;
use super::figures::{Figure, Found, error, meant};
use super::refusal::Refusal;
use isx_taskset::{Diagnostic, Source, name_problem, shortened};
pub(super) use isx_text::cells::{Cell, head_line};
use isx_text::cells::{cells, is_filled, lines};

/// The most columns of a file.
const MAX_COLUMNS: usize = 200;

/// A column of the header.
pub(super) struct Column<'t> {
    /// The name in lower case, without the unit.
    pub name: String,
    /// The text in brackets or after the last `_`, if it is a unit.
    pub unit: String,
    pub head: Cell<'t>,
}

/// A file of rows.
pub(super) struct Table<'t> {
    pub source: &'t Arc<Source>,
    pub columns: Vec<Column<'t>>,
    separator: char,
    /// The columns of figures with decimal commas, which rows have with decimal points.
    commas: Vec<usize>,
    /// The offset of the first row.
    body: usize,
}

/// A row, with one cell per column.
pub(super) struct Row<'r> {
    table: &'r Table<'r>,
    pub cells: Vec<Cell<'r>>,
    /// The whole line.
    pub place: Range<usize>,
}

impl<'r> Row<'r> {
    pub fn source(&self) -> &'r Arc<Source> {
        self.table.source
    }

    /// A column that the table has and whose cell is not empty.
    pub fn filled(&self, column: Option<usize>) -> Option<usize> {
        column.filter(|&column| !self.cells[column].text.is_empty())
    }

    /// The figure of a cell.
    pub fn figure(&self, column: usize, owner: &str) -> Figure<'_> {
        let cell = &self.cells[column];
        let name = self.table.columns.get(column).map_or("", |column| column.name.as_str());
        let what = format!("`{name}` of {owner}");
        Figure { source: self.table.source, text: &cell.text, place: cell.place.clone(), what }
    }

    /// An error at a cell.
    pub fn error(&self, column: usize, message: impl Into<String>) -> Box<Diagnostic> {
        error(self.table.source, self.cells[column].place.clone(), message)
    }

    /// The source of its figures: the cell of this column, or the row's line in the file.
    pub fn origin(&self, column: Option<usize>) -> String {
        let source = self.table.source;
        match self.filled(column) {
            Some(column) => self.cells[column].text.to_string(),
            None => format!("{} line {}", source.file_name(), source.line(self.place.start)),
        }
    }
}

impl<'t> Table<'t> {
    /// Reads the header.
    pub fn new(source: &'t Arc<Source>, is_unit: fn(&str) -> bool) -> Found<Self> {
        let Some((start, line, separator)) = head_line(&source.text) else {
            return Err(error(source, 0..0, "the file has comments and no columns").label("expected a head"));
        };
        let cells = cells(source, start, line, separator)?;
        if cells.len() > MAX_COLUMNS {
            return Err(error(source, start..start + line.len(), format!("more than {MAX_COLUMNS} columns")));
        }
        let columns = cells.into_iter().map(|head| column(head, is_unit)).collect();
        Ok(Table { source, columns, separator, commas: Vec::new(), body: start + line.len() })
    }

    /// The index of the column with one of these names; two matches are an error.
    pub fn find(&self, names: &[&str]) -> Found<Option<usize>> {
        let mut found = (0..).zip(&self.columns).filter(|(_, column)| names.contains(&column.name.as_str()));
        let Some((at, first)) = found.next() else { return Ok(None) };
        let Some((_, again)) = found.next() else { return Ok(Some(at)) };
        let message = format!("two columns give the {}", names.first().unwrap_or(&""));
        Err(error(self.source, again.head.place.clone(), message)
            .label("given again here")
            .also(first.head.place.clone(), "first given here"))
    }

    /// As [`Table::find`], for a required column; `help` explains the columns.
    pub fn required(&self, names: &[&str], help: &str) -> Found<usize> {
        if let Some(found) = self.find(names)? {
            return Ok(found);
        }
        let name = names.first().unwrap_or(&"");
        let behind = |column: &Column<'t>, name: &str| {
            column.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'))
        };
        if let Some(column) = self.columns.iter().find(|column| names.iter().any(|name| behind(column, name)))
        {
            let missing =
                error(self.source, column.head.place.clone(), format!("no column is named `{name}`"));
            return Err(missing.label("what stands behind the `_` is no unit that is known").help(help));
        }
        let near = self.columns.iter().find(|column| meant(&column.name, names.iter().copied()).is_some());
        let place = near.or(self.columns.first()).map_or(0..0, |column| column.head.place.clone());
        let missing = error(self.source, place, format!("no column is named `{name}`")).help(help);
        Err(if near.is_some() { missing.label(format!("did you mean `{name}`?")) } else { missing })
    }

    /// The rows, each with one cell per column or an error.
    pub fn rows(&self) -> impl Iterator<Item = Found<Row<'_>>> {
        let (table, source, separator, wanted) = (self, self.source, self.separator, self.columns.len());
        let body = lines(&source.text, self.body).skip(1).filter(|(_, line)| is_filled(line));
        body.map(move |(start, line)| {
            let mut cells = cells(source, start, line, separator)?;
            for &column in &self.commas {
                if let Some(cell) = cells.get_mut(column).filter(|cell| cell.text.contains(',')) {
                    cell.text = Cow::Owned(cell.text.replace(',', "."));
                }
            }
            let place = start..start + line.len();
            match cells.get(wanted) {
                None if cells.len() == wanted => Ok(Row { table, cells, place }),
                // Empty cells at the end are ignored.
                Some(_) if cells[wanted..].iter().all(|cell| cell.text.is_empty()) => Ok(Row { table, cells, place }),
                Some(extra) => {
                    let message = format!("the row has {} cells, the head {wanted}", cells.len());
                    let label = "no column is above this cell";
                    let help = "put a cell that holds the separator in double quotes, a number with a decimal \
                                comma too";
                    Err(error(source, extra.place.clone(), message).label(label).help(help))
                }
                None => {
                    let message = format!("the row has {} of the {wanted} cells of the head", cells.len());
                    Err(error(source, place.end..place.end, message).label("a cell is missing here"))
                }
            }
        })
    }

    /// Finds out the decimal mark of the figures in these columns, unless it is given.
    pub fn find_decimal_mark(
        &mut self,
        asked: Option<DecimalMark>,
        columns: &[Option<usize>],
    ) -> Result<(), Refusal> {
        // Rows that cannot be read are refused where they are used.
        let rows: Vec<Row<'_>> = self.rows().filter_map(Result::ok).collect();
        let figures = rows.iter().flat_map(|row| {
            let cells = columns.iter().flatten().filter_map(|&column| row.cells.get(column));
            cells.map(|cell| (&*cell.text, cell.place.clone()))
        });
        if of_table(self.source, self.separator, asked, figures)? == DecimalMark::Comma {
            self.commas = columns.iter().flatten().copied().collect();
        }
        Ok(())
    }

    /// Gives a draft the unit of areas in the header of a column; two tables must not have different ones.
    pub fn give_area_unit(&self, column: usize, draft: &mut Draft) -> Found<()> {
        let Some(column) = self.columns.get(column).filter(|column| !column.unit.is_empty()) else {
            return Ok(());
        };
        let refuse = |message: String| {
            Err(error(self.source, column.head.place.clone(), message).label("expected another unit"))
        };
        if name_problem(&column.unit).is_some() {
            return refuse("the unit of the areas is no text that can be printed".to_owned());
        }
        if !draft.area_unit.is_empty() && draft.area_unit != column.unit {
            let (one, other) = (shortened(&column.unit), shortened(&draft.area_unit));
            return refuse(format!("areas are in {one} here, those of the blocks in {other}"));
        }
        draft.area_unit.clone_from(&column.unit);
        Ok(())
    }

    /// Notes the columns that are not among those that are read.
    pub fn leave_out(&self, draft: &mut Draft, read: &[Option<usize>], kind: &str) {
        for (at, column) in self.columns.iter().enumerate() {
            if !read.contains(&Some(at)) {
                let who = format!("{} of {}", column.head.text, self.source.file_name());
                draft.left_out.note_in_line(kind, &who, self.source.line(column.head.place.start));
            }
        }
    }
}

/// `period_us`, `period [us]` and `period (us)` all mean the column `period` in us. What stands between the brackets may
/// have brackets itself: `area [ALMs needed [=A-B+C]]`.
fn column<'t>(head: Cell<'t>, is_unit: fn(&str) -> bool) -> Column<'t> {
    let text = head.text.trim();
    let opening = |open: char, close: char| {
        let mut depth = 0_usize;
        text.rfind(|c| {
            depth = if c == close { depth + 1 } else { depth.saturating_sub((c == open).into()) };
            depth == 0
        })
    };
    let opened = match text.chars().next_back() {
        Some(']') => opening('[', ']'),
        Some(')') => opening('(', ')'),
        _ => None,
    };
    let bracketed = opened.and_then(|at| Some((text.get(..at)?, text.get(at + 1..text.len() - 1)?)));
    let (name, unit) = match (bracketed, text.rsplit_once('_')) {
        (Some((name, unit)), _) => (name, unit.trim()),
        (None, Some((name, unit))) if is_unit(unit) => (name, unit),
        _ => (text, ""),
    };
    Column { name: name.trim().to_lowercase(), unit: unit.to_owned(), head }
}

/// The error for a header with an invalid unit.
pub(super) fn wrong_unit(source: &Arc<Source>, column: &Column<'_>, due: &str) -> Box<Diagnostic> {
    let message =
        format!("`{}` is not a unit of column `{}`", shortened(&column.unit), shortened(&column.name));
    error(source, column.head.place.clone(), message).label(due)
}
