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
use crate::front::wanted::{Pick, Points, fits};
use bytes::{Buf, Bytes};
use isx_exact::quantity::Rational;
use isx_taskset::Resources;
use num_traits::Signed;
use parquet::basic::Type as Physical;
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
    guarded(damaged(), || read_points(stored, wanted, visit))
}

/// The resources of the front; `None` if there is one area, or no front.
pub fn resources(stored: Stored) -> Option<Resources> {
    let read = || {
        let reader = SerializedFileReader::new(stored)?;
        let keys = reader.metadata().file_metadata().key_value_metadata();
        Ok(metadata::read(keys.map(Vec::as_slice).unwrap_or_default())?.0.resources())
    };
    guarded(damaged(), read).ok().flatten()
}

fn damaged() -> PlotError {
    PlotError::Parquet("it is damaged".into())
}

fn read_points(stored: Stored, wanted: &Points, visit: Visit) -> Result<Head, PlotError> {
    let length = stored.len();
    let reader = SerializedFileReader::new(stored)?;
    let metadata = reader.metadata().file_metadata();
    let keys = metadata.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
    let (mut fields, tasks) = metadata::read(keys)?;
    let resources = fields.expect_points().map_err(PlotError::Field)?;
    let by_margin = fields.points.by_margin;
    let resources = resources.map(|names| names.len());
    let layout = Layout::of(metadata.schema_descr().columns(), resources, by_margin, tasks)?;
    let front = Front { groups: groups(&reader, length)?, reader, layout };
    let points = front.points();
    let mut checked = Checked { seen: std::mem::take(&mut fields.points), visit };
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
    fn take(&mut self, index: usize, point: ExactPoint) -> Result<(), PlotError> {
        self.seen.add(&point).map_err(|why| PlotError::NotAFront { index, why })?;
        outside(|| (self.visit)(index, point));
        Ok(())
    }
}

/// Which column holds what.
struct Layout {
    columns: Vec<ColumnDescPtr>,
    /// Whether the first columns are costs in several resources and not one area.
    has_resources: bool,
    /// The first column after those of area or costs.
    fixed: usize,
    /// The columns after the figures and verdicts.
    blocks: Option<usize>,
    variant: Option<usize>,
    /// The utilizations in each mode, doubles that are not read.
    modes: Range<usize>,
    clock: Option<usize>,
    /// The numerators of the margins; their denominators and the nearest doubles follow.
    margin: Option<usize>,
    /// The first of the tasks' columns.
    first_task: usize,
    tasks: Vec<Arc<str>>,
}

const AREA: usize = 0;
/// The last columns before those of the tasks, on a front of area against margin.
const MARGIN: [&str; 3] = ["margin_num", "margin_den", "margin"];

/// The columns that every front has after those of area or costs.
const FIXED: [&str; 5] =
    ["utilization_num", "utilization_den", "utilization", "schedulable", "schedulable_within"];

impl Layout {
    fn of(
        columns: &[ColumnDescPtr],
        resources: Option<usize>,
        by_margin: bool,
        tasks: Vec<String>,
    ) -> Result<Self, PlotError> {
        let (has_resources, fixed) = (resources.is_some(), resources.unwrap_or(1));
        let area = (!has_resources).then_some((AREA, &"area"));
        for (at, name) in area.into_iter().chain((fixed..).zip(&FIXED)) {
            if columns.get(at).is_none_or(|column| column.name() != *name) {
                return Err(PlotError::Parquet(format!("its column {at} is not `{name}`")));
            }
        }
        let mut first_task = fixed + FIXED.len();
        let mut next_if = |is_it: &dyn Fn(&ColumnDescPtr) -> bool| {
            let found = columns.get(first_task).filter(|column| is_it(column)).map(|_| first_task);
            first_task += usize::from(found.is_some());
            found
        };
        let blocks = next_if(&|column| column.max_rep_level() == 1 && column.max_def_level() == 1);
        let is_figure = |column: &ColumnDescPtr| is_text(column) && column.max_def_level() == 0;
        let variant = next_if(&|column| is_figure(column) && column.name() == "variant");
        let is_in_mode = |column: &ColumnDescPtr| column.physical_type() == Physical::DOUBLE;
        let modes: Vec<usize> = std::iter::from_fn(|| next_if(&is_in_mode)).collect();
        let modes = modes.first().map_or(0..0, |first| *first..first + modes.len());
        let clock = next_if(&|column| is_figure(column) && column.name() != MARGIN[0]);
        let mut margin = None;
        for name in MARGIN.iter().filter(|_| by_margin) {
            let found = next_if(&|column| column.name() == *name);
            let found = found.ok_or_else(|| PlotError::Parquet(format!("it has no column `{name}`")))?;
            margin.get_or_insert(found);
        }
        let found = columns.len() - first_task;
        if found != tasks.len() {
            return Err(PlotError::Parquet(format!("it has {found} columns of tasks, not {}", tasks.len())));
        }
        if let Some(column) = columns[first_task..].iter().find(|column| !is_text(column)) {
            return Err(wrong(column, "holds no texts"));
        }
        let tasks = tasks.into_iter().map(Arc::from).collect();
        let columns = columns.to_vec();
        Ok(Self { columns, has_resources, fixed, blocks, variant, modes, clock, margin, first_task, tasks })
    }

    /// Numerator and denominator of the utilization.
    fn ratio(&self) -> [usize; 2] {
        [self.fixed, self.fixed + 1]
    }

    /// The verdicts on the design, and on all within its area or cost.
    fn verdicts(&self) -> [usize; 2] {
        [self.fixed + 3, self.fixed + 4]
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
            Pick::Area(area) if !self.layout.has_resources => {
                let beyond = self.partition(&[AREA], &|found| found <= area)?;
                Ok(beyond.checked_sub(1))
            }
            Pick::MaxUtilization(most) if self.layout.has_resources || self.layout.margin.is_some() => {
                self.least(&[], Some(most))
            }
            Pick::MaxUtilization(most) => {
                let first = self.partition(&self.layout.ratio(), &|found| found > most)?;
                Ok(Some(first).filter(|&index| index < self.points()))
            }
            Pick::Within(resources) => self.least(&resources.limits, None),
            Pick::Smallest => self.first_schedulable(),
            // Several resources are no area, and the least is never asked of a front.
            Pick::Area(_) | Pick::Least => Ok(None),
        }
    }

    /// The first point within the limits whose utilization is low enough, or else the first of the least.
    fn least(
        &self,
        limits: &[Option<Rational>],
        enough: Option<&Rational>,
    ) -> Result<Option<usize>, PlotError> {
        let Layout { columns, fixed, .. } = &self.layout;
        let limited: Vec<usize> =
            (0..*fixed).filter(|&at| limits.get(at).is_some_and(Option::is_some)).collect();
        let limits: Vec<_> = limited.iter().map(|&at| limits[at].clone()).collect();
        let wanted: Vec<usize> = self.layout.ratio().into_iter().chain(limited.iter().copied()).collect();
        let mut least: Option<(Rational, usize)> = None;
        for (at, group) in self.groups.iter().enumerate() {
            let figures = self.figures(at, &wanted)?;
            let [nums, dens, costs @ ..] = figures.as_slice() else { continue };
            for row in 0..group.len() {
                let cost = costs.iter().zip(&limited).map(|(costs, &at)| costs.get(&columns[at], row));
                if !fits(&cost.collect::<Result<Vec<_>, _>>()?, &limits) {
                    continue;
                }
                let (utilization, index) = (nums.quotient(dens, &columns[*fixed], row)?, group.start + row);
                if enough.is_some_and(|most| utilization <= *most) {
                    return Ok(Some(index));
                }
                if least.as_ref().is_none_or(|(least, _)| utilization < *least) {
                    least = Some((utilization, index));
                }
            }
        }
        Ok(least.map(|(_, index)| index))
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
        let [schedulable, _] = self.layout.verdicts();
        for (at, group) in self.groups.iter().enumerate() {
            let mut reader = self.reader.get_row_group(at)?.get_column_reader(schedulable)?;
            let column = &self.layout.columns[schedulable];
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
        let mut wanted: Vec<usize> =
            (0..layout.fixed).chain(layout.ratio()).chain(layout.verdicts()).collect();
        if has_choices {
            let further = layout.fixed + FIXED.len()..layout.columns.len();
            let is_double = |at: &usize| layout.margin.is_some_and(|margin| *at == margin + 2);
            wanted.extend(further.filter(|at| !layout.modes.contains(at) && !is_double(at)));
        } else if let Some(margin) = layout.margin {
            wanted.extend([margin, margin + 1]);
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

    fn next(&mut self, rows: usize) -> Result<Vec<ExactPoint>, PlotError> {
        let Layout {
            columns, has_resources, fixed, blocks, variant, clock, margin, first_task, tasks, ..
        } = self.layout;
        let mut numbers = Vec::new();
        let mut judged = Vec::new();
        let mut built = None;
        let (mut variants, mut clocks) = (None, None);
        let (mut choices, mut margins) = (Vec::new(), Vec::new());
        for ((at, reader), names) in self.readers.iter_mut().zip(&mut self.names) {
            let column = &columns[*at];
            match *at {
                at if at < *fixed + 2 => numbers.push(Numbers::next(reader, column, rows)?),
                at if at < *fixed + FIXED.len() => judged.push(verdicts(reader, column, rows)?),
                at if Some(at) == *blocks => built = Some(names.next_lists(reader, column, rows)?),
                at if Some(at) == *variant => variants = Some(names.next(reader, column, rows)?),
                at if Some(at) == *clock => clocks = Some(names.next(reader, column, rows)?),
                at if at < *first_task => margins.push(Numbers::next(reader, column, rows)?),
                at => choices.push((&tasks[at - first_task], names.next(reader, column, rows)?)),
            }
        }
        let ([costs @ .., nums, dens], [schedulable, within]) = (&numbers[..], &judged[..]) else {
            return Err(PlotError::Parquet("it lacks a column".into()));
        };
        let point = |row: usize| {
            let taken = choices.iter().map(|(task, names)| (Arc::clone(task), names[row].clone()));
            let cost = costs.iter().zip(columns).map(|(costs, column)| costs.get(column, row));
            let mut cost = cost.collect::<Result<Vec<_>, _>>()?;
            let area = if *has_resources { Rational::default() } else { cost.remove(AREA) };
            if area.is_negative() {
                return Err(wrong(&columns[AREA], "has a negative area"));
            }
            Ok(ExactPoint {
                area,
                cost,
                utilization: nums.quotient(dens, &columns[*fixed], row)?,
                margin: match (margin, margins.as_slice()) {
                    (Some(at), [nums, dens]) => Some(nums.quotient(dens, &columns[*at], row)?),
                    _ => None,
                },
                schedulable: schedulable[row],
                schedulable_within: within[row],
                choices: Choices(taken.collect()),
                blocks: built.as_mut().map(|lists| std::mem::take(&mut lists[row])),
                variant: variants.as_ref().and_then(|variants| variants[row].as_deref().map(str::to_owned)),
                clock_hz: clocks.as_ref().and_then(|clocks| clocks[row].as_deref().map(str::to_owned)),
                // Its columns have the nearest doubles only.
                modes: Vec::new(),
            })
        };
        (0..rows).map(point).collect()
    }
}

#[cfg(test)]
mod tests;
