//! Reads the file: all points in order, or only those around a wanted one.
//!
//! Areas rise and utilizations fall along a front, so the wanted point is found by bisection: first among the row
//! groups, then among the numbers of one column of one group. Of the columns with choices only the pages with the
//! wanted rows are decoded.

use super::columns::{Names, Numbers, is_text, skip, verdicts, wrong};
use super::guard::{guarded, outside};
use super::metadata;
use crate::front::read_json::{Choices, ExactPoint, Head, Visit};
use crate::front::seen::Seen;
use crate::front::unreadable::PlotError;
use crate::front::wanted::{Pick, Points};
use bytes::{Buf, Bytes};
use isx_exact::quantity::Rational;
use parquet::column::reader::ColumnReader;
use parquet::errors::{ParquetError, Result as Coded};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, FileReader, Length, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

/// Where the bytes are.
pub enum Stored {
    File(File),
    Memory(Bytes),
}

impl Length for Stored {
    fn len(&self) -> u64 {
        match self {
            Self::File(file) => file.len(),
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }
}

impl ChunkReader for Stored {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Coded<Self::T> {
        match self {
            Self::File(file) => Ok(Box::new(file.get_read(start)?)),
            Self::Memory(bytes) => Ok(Box::new(bytes.get_bytes(start, rest(bytes, start)?)?.reader())),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Coded<Bytes> {
        // A damaged length is refused before memory is taken for it.
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("it ends before a part of it".into()));
        }
        match self {
            Self::File(file) => file.get_bytes(start, length),
            Self::Memory(bytes) => bytes.get_bytes(start, length),
        }
    }
}

fn rest(bytes: &Bytes, start: u64) -> Coded<usize> {
    let start = usize::try_from(start).ok();
    let rest = start.and_then(|start| bytes.len().checked_sub(start));
    rest.ok_or_else(|| ParquetError::EOF("it ends before a part of it".into()))
}

impl From<ParquetError> for PlotError {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(crate::text::cut(&error.to_string(), 200))
    }
}

/// Reads the front and passes the points that are wanted.
pub fn read(stored: Stored, wanted: &Points, visit: Visit) -> Result<Head, PlotError> {
    guarded(|| read_points(stored, wanted, visit))
}

fn read_points(stored: Stored, wanted: &Points, visit: Visit) -> Result<Head, PlotError> {
    let length = stored.len();
    let reader = SerializedFileReader::new(stored)?;
    let metadata = reader.metadata().file_metadata();
    let keys = metadata.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
    let (mut fields, tasks) = metadata::read(keys)?;
    let layout = Layout::of(metadata.schema_descr().columns(), tasks)?;
    let front = Front { groups: groups(&reader, length)?, reader, layout };
    let points = front.points();
    let mut checked = Checked { seen: Seen::default(), visit };
    match *wanted {
        Points::All { told } => {
            front.pass(0..points.min(told), true, &mut checked)?;
            front.pass(points.min(told)..points, false, &mut checked)?;
        }
        Points::Near(pick) => {
            let near = front.find(pick)?.map_or(0..0, |at| at.saturating_sub(1)..points.min(at + 2));
            let first = 0..if near.start > 0 || near.is_empty() { points.min(1) } else { 0 };
            let last = points.saturating_sub(1).max(near.end).max(first.end)..points;
            for (range, has_choices) in [(first, false), (near, true), (last, false)] {
                front.pass(range, has_choices, &mut checked)?;
            }
        }
    }
    fields.points = checked.seen;
    fields.points.count = points;
    fields.finish()
}

/// Passes points on if they agree with those before.
struct Checked<'a> {
    seen: Seen,
    visit: Visit<'a>,
}

impl Checked<'_> {
    fn take(&mut self, index: usize, point: ExactPoint<Choices>) -> Result<(), PlotError> {
        self.seen.add(&point).map_err(|why| PlotError::NotAFront { index, why })?;
        outside(|| (self.visit)(index, point));
        Ok(())
    }
}

/// Which column holds what.
struct Layout {
    columns: Vec<ColumnDescPtr>,
    /// The columns after the figures and verdicts.
    blocks: Option<usize>,
    variant: Option<usize>,
    clock: Option<usize>,
    /// The first of the tasks' columns.
    first_task: usize,
    tasks: Vec<Arc<str>>,
}

const AREA: usize = 0;
const NUMERATOR: usize = 1;
const DENOMINATOR: usize = 2;
const SCHEDULABLE: usize = 4;
const SCHEDULABLE_WITHIN: usize = 5;
/// The columns that every front has.
const FIXED: [&str; 6] =
    ["area", "utilization_num", "utilization_den", "utilization", "schedulable", "schedulable_within"];

impl Layout {
    fn of(columns: &[ColumnDescPtr], tasks: Vec<String>) -> Result<Self, PlotError> {
        for (at, name) in FIXED.iter().enumerate() {
            if columns.get(at).is_none_or(|column| column.name() != *name) {
                return Err(PlotError::Parquet(format!("its column {at} is not `{name}`")));
            }
        }
        let mut first_task = FIXED.len();
        let mut next_if = |is_it: &dyn Fn(&ColumnDescPtr) -> bool| {
            let found = columns.get(first_task).filter(|column| is_it(column)).map(|_| first_task);
            first_task += usize::from(found.is_some());
            found
        };
        let blocks = next_if(&|column| column.max_rep_level() == 1 && column.max_def_level() == 1);
        let is_figure = |column: &ColumnDescPtr| is_text(column) && column.max_def_level() == 0;
        let variant = next_if(&|column| is_figure(column) && column.name() == "variant");
        let clock = next_if(&is_figure);
        let found = columns.len() - first_task;
        if found != tasks.len() {
            return Err(PlotError::Parquet(format!("it has {found} columns of tasks, not {}", tasks.len())));
        }
        if let Some(column) = columns[first_task..].iter().find(|column| !is_text(column)) {
            return Err(wrong(column, "holds no texts"));
        }
        let tasks = tasks.into_iter().map(Arc::from).collect();
        Ok(Self { columns: columns.to_vec(), blocks, variant, clock, first_task, tasks })
    }
}

/// The points of each row group.
fn groups(reader: &SerializedFileReader<Stored>, length: u64) -> Result<Vec<Range<usize>>, PlotError> {
    let mut end = 0usize;
    let mut groups = Vec::new();
    for group in reader.metadata().row_groups() {
        // The library takes these for granted.
        if !group.columns().iter().all(|column| is_inside(column, length)) {
            return Err(PlotError::Parquet("a row group has a column that is not in the file".into()));
        }
        let next = usize::try_from(group.num_rows()).ok().and_then(|rows| end.checked_add(rows));
        let next =
            next.ok_or_else(|| PlotError::Parquet("a row group has no valid number of rows".into()))?;
        groups.push(end..next);
        end = next;
    }
    Ok(groups)
}

/// Whether a column's pages are within the file.
fn is_inside(column: &ColumnChunkMetaData, length: u64) -> bool {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let (start, size) = (u64::try_from(start), u64::try_from(column.compressed_size()));
    let end = start.ok().zip(size.ok()).and_then(|(start, size)| start.checked_add(size));
    column.data_page_offset() >= 0 && end.is_some_and(|end| end <= length)
}

/// Rows that are in memory at a time.
const ROWS: usize = 4096;

struct Front {
    reader: SerializedFileReader<Stored>,
    groups: Vec<Range<usize>>,
    layout: Layout,
}

impl Front {
    fn points(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }

    /// Reads these points and passes them on.
    fn pass(&self, points: Range<usize>, has_choices: bool, to: &mut Checked) -> Result<(), PlotError> {
        for (at, group) in self.groups.iter().enumerate() {
            let rows = points.start.max(group.start)..points.end.min(group.end);
            if rows.is_empty() {
                continue;
            }
            let group_reader = self.reader.get_row_group(at)?;
            let mut open = Open::new(&*group_reader, &self.layout, has_choices)?;
            open.skip(rows.start - group.start)?;
            for from in rows.clone().step_by(ROWS) {
                let count = ROWS.min(rows.end - from);
                for (index, point) in (from..).zip(open.next(count)?) {
                    to.take(index, point)?;
                }
            }
        }
        Ok(())
    }

    /// The index of the wanted point.
    fn find(&self, pick: &Pick) -> Result<Option<usize>, PlotError> {
        match pick {
            Pick::Point(index) => Ok(Some(*index).filter(|&index| index < self.points())),
            Pick::Area(area) => {
                let beyond = self.partition(&[AREA], &|found| found <= area)?;
                Ok(beyond.checked_sub(1))
            }
            Pick::MaxUtilization(most) => {
                let first = self.partition(&[NUMERATOR, DENOMINATOR], &|found| found > most)?;
                Ok(Some(first).filter(|&index| index < self.points()))
            }
            Pick::Smallest => self.first_schedulable(),
            // It is never asked of a front.
            Pick::Least => Ok(None),
        }
    }

    /// The number of points from the first on whose figure, that of one column or the quotient of two, is `before`.
    fn partition(&self, columns: &[usize], before: &dyn Fn(&Rational) -> bool) -> Result<usize, PlotError> {
        let (mut low, mut high) = (0, self.groups.len());
        let mut found = None;
        while low < high {
            let middle = low.midpoint(high);
            let rows = self.groups[middle].len();
            let figures = self.figures(middle, columns)?;
            let column = &self.layout.columns[columns[0]];
            let figure = |row: usize| match figures.as_slice() {
                [num, den] => num.quotient(den, column, row),
                [only, ..] => only.get(column, row),
                [] => Err(wrong(column, "is missing")),
            };
            if rows == 0 || before(&figure(rows - 1)?) {
                low = middle + 1;
                continue;
            }
            high = middle;
            let (mut first, mut end) = (0, rows - 1);
            while first < end {
                let row = first.midpoint(end);
                if before(&figure(row)?) { first = row + 1 } else { end = row }
            }
            found = Some(self.groups[middle].start + first);
        }
        Ok(found.unwrap_or(self.points()))
    }

    /// Columns of a whole row group.
    fn figures(&self, group: usize, columns: &[usize]) -> Result<Vec<Numbers>, PlotError> {
        let (rows, group) = (self.groups[group].len(), self.reader.get_row_group(group)?);
        let read =
            |&at: &usize| Numbers::next(&mut group.get_column_reader(at)?, &self.layout.columns[at], rows);
        columns.iter().map(read).collect()
    }

    fn first_schedulable(&self) -> Result<Option<usize>, PlotError> {
        for (at, group) in self.groups.iter().enumerate() {
            let mut reader = self.reader.get_row_group(at)?.get_column_reader(SCHEDULABLE)?;
            let column = &self.layout.columns[SCHEDULABLE];
            let verdicts = verdicts(&mut reader, column, group.len())?;
            if let Some(row) = verdicts.iter().position(|verdict| *verdict == Some(true)) {
                return Ok(Some(group.start + row));
            }
        }
        Ok(None)
    }
}

/// A row group whose columns are read from the first row to the last.
struct Open<'a> {
    layout: &'a Layout,
    /// Each column that is read, by its index.
    readers: Vec<(usize, ColumnReader)>,
    names: Vec<Names>,
}

impl<'a> Open<'a> {
    fn new(group: &dyn RowGroupReader, layout: &'a Layout, has_choices: bool) -> Result<Self, PlotError> {
        let mut wanted = vec![AREA, NUMERATOR, DENOMINATOR, SCHEDULABLE, SCHEDULABLE_WITHIN];
        if has_choices {
            wanted.extend(FIXED.len()..layout.columns.len());
        }
        let open = |at: usize| Ok((at, group.get_column_reader(at)?));
        let readers = wanted.into_iter().map(open).collect::<Coded<Vec<_>>>()?;
        let names = readers.iter().map(|_| Names::default()).collect();
        Ok(Self { layout, readers, names })
    }

    fn skip(&mut self, rows: usize) -> Result<(), PlotError> {
        let columns = &self.layout.columns;
        self.readers.iter_mut().try_for_each(|(at, reader)| skip(reader, &columns[*at], rows))
    }

    fn next(&mut self, rows: usize) -> Result<Vec<ExactPoint<Choices>>, PlotError> {
        let Layout { columns, blocks, variant, clock, first_task, tasks } = self.layout;
        let mut numbers = Vec::new();
        let mut judged = Vec::new();
        let mut built = None;
        let (mut variants, mut clocks) = (None, None);
        let mut choices = Vec::new();
        for ((at, reader), names) in self.readers.iter_mut().zip(&mut self.names) {
            let column = &columns[*at];
            match *at {
                AREA | NUMERATOR | DENOMINATOR => numbers.push(Numbers::next(reader, column, rows)?),
                SCHEDULABLE | SCHEDULABLE_WITHIN => judged.push(verdicts(reader, column, rows)?),
                at if Some(at) == *blocks => built = Some(names.next_lists(reader, column, rows)?),
                at if Some(at) == *variant => variants = Some(names.next(reader, column, rows)?),
                at if Some(at) == *clock => clocks = Some(names.next(reader, column, rows)?),
                at => choices.push((&tasks[at - first_task], names.next(reader, column, rows)?)),
            }
        }
        let ([areas, nums, dens], [schedulable, within]) = (&numbers[..], &judged[..]) else {
            return Err(PlotError::Parquet("it lacks a column".into()));
        };
        let point = |row: usize| {
            let taken = choices.iter().map(|(task, names)| (Arc::clone(task), names[row].clone()));
            Ok(ExactPoint {
                area: areas.get(&columns[AREA], row)?,
                cost: Vec::new(),
                utilization: nums.quotient(dens, &columns[NUMERATOR], row)?,
                schedulable: schedulable[row],
                schedulable_within: within[row],
                choices: Choices(taken.collect()),
                blocks: built.as_mut().map(|lists| std::mem::take(&mut lists[row])),
                variant: variants.as_ref().and_then(|variants| variants[row].as_deref().map(str::to_owned)),
                clock_hz: clocks.as_ref().and_then(|clocks| clocks[row].as_deref().map(str::to_owned)),
            })
        };
        (0..rows).map(point).collect()
    }
}

#[cfg(test)]
mod tests;
