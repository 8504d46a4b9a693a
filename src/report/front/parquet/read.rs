//! Reads the file: the figures of all points, and the choices of those that are told.
//!
//! Of the columns with choices only the pages with the wanted rows are decoded.

use super::columns::{Numbers, is_text, next_lists, next_names, skip, verdicts, wrong};
use super::guard::{guarded, outside};
use super::metadata;
use crate::front::costs::AREA;
use crate::front::document::{Names, Naming};
use crate::front::unreadable::PlotError;
use crate::front::wanted::Told;
use crate::front::{Head, Number, Point};
use bytes::{Buf, Bytes};
use parquet::basic::Type as Physical;
use parquet::column::reader::ColumnReader;
use parquet::errors::{ParquetError, Result as Coded};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, FileReader, Length, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;
use std::fs::File;
use std::io::Read;
use std::ops::Range;

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

/// Reads the front.
pub fn read(stored: Stored, told: &Told) -> Result<(Head, Vec<Point>), PlotError> {
    let damaged = PlotError::Parquet("it is damaged".into());
    guarded(damaged, || read_points(stored, told))
}

fn read_points(stored: Stored, told: &Told) -> Result<(Head, Vec<Point>), PlotError> {
    let length = stored.len();
    let reader = SerializedFileReader::new(stored)?;
    let metadata = reader.metadata().file_metadata();
    let keys = metadata.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
    let (fields, tasks) = metadata::read(keys)?;
    let (mut naming, mut seen) = fields.expect_points().map_err(PlotError::Field)?;
    let costs = match fields.area_unit {
        Some(_) => vec![AREA],
        None => naming.resources.iter().map(String::as_str).collect(),
    };
    let layout = Layout::of(metadata.schema_descr().columns(), &costs, seen.by_margin, tasks.len())?;
    naming.tasks = tasks.into_iter().map(|task| (task, Names::default())).collect();
    naming.has_blocks = layout.blocks.is_some();
    let front = Front { groups: groups(&reader, length)?, reader, layout };
    let mut points = Vec::with_capacity(front.points());
    let first = match told {
        Told::First(told) => front.points().min(*told),
        Told::Of(_) => 0,
    };
    front.pass(0..first, true, &mut naming, &mut points)?;
    front.pass(first..front.points(), false, &mut naming, &mut points)?;
    for (index, point) in points.iter().enumerate() {
        seen.add(point).map_err(|why| PlotError::NotAFront { index, why })?;
    }
    let mut head = fields.finish(&mut naming, &seen)?;
    if let Told::Of(find) = told {
        let figures = crate::front::Front::in_memory(head, points);
        let found = outside(|| find(&figures));
        (head, points) = figures.into_memory();
        let mut whole = Vec::new();
        front.pass(found.clone(), true, &mut naming, &mut whole)?;
        points.splice(found, whole);
    }
    Ok((head.named(naming), points))
}

/// Which column holds what.
struct Layout {
    columns: Vec<ColumnDescPtr>,
    /// The first column after those of costs.
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
}

/// The last columns before those of the tasks, on a front of area against margin.
const MARGIN: [&str; 3] = ["margin_num", "margin_den", "margin"];

/// The columns that every front has after those of area or costs.
const FIXED: [&str; 5] =
    ["utilization_num", "utilization_den", "utilization", "schedulable", "schedulable_within"];

impl Layout {
    fn of(
        columns: &[ColumnDescPtr],
        costs: &[&str],
        by_margin: bool,
        tasks: usize,
    ) -> Result<Self, PlotError> {
        let fixed = costs.len();
        for (at, name) in costs.iter().chain(&FIXED).enumerate() {
            // A resource may be named as another column.
            let is_it = |found: &str| found == *name || found.strip_prefix("resource ") == Some(*name);
            if columns.get(at).is_none_or(|column| !is_it(column.name())) {
                return Err(PlotError::Parquet(format!(
                    "its column {at} is not `{}`",
                    crate::text::cut(name, 60)
                )));
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
        if found != tasks {
            return Err(PlotError::Parquet(format!("it has {found} columns of tasks, not {tasks}")));
        }
        if let Some(column) = columns[first_task..].iter().find(|column| !is_text(column)) {
            return Err(wrong(column, "holds no texts"));
        }
        Ok(Self { columns: columns.to_vec(), fixed, blocks, variant, modes, clock, margin, first_task })
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

    /// Appends these points.
    fn pass(
        &self,
        points: Range<usize>,
        has_choices: bool,
        naming: &mut Naming,
        to: &mut Vec<Point>,
    ) -> Result<(), PlotError> {
        for (at, group) in self.groups.iter().enumerate() {
            let rows = points.start.max(group.start)..points.end.min(group.end);
            if rows.is_empty() {
                continue;
            }
            let group_reader = self.reader.get_row_group(at)?;
            let mut open = Open::new(&*group_reader, &self.layout, has_choices)?;
            open.skip(rows.start - group.start)?;
            for from in rows.clone().step_by(ROWS) {
                open.next(ROWS.min(rows.end - from), naming, to)?;
            }
        }
        Ok(())
    }
}

/// A row group whose columns are read from the first row to the last.
struct Open<'a> {
    layout: &'a Layout,
    /// Each column that is read, by its index.
    readers: Vec<(usize, ColumnReader)>,
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
        Ok(Self { layout, readers: wanted.into_iter().map(open).collect::<Coded<Vec<_>>>()? })
    }

    fn skip(&mut self, rows: usize) -> Result<(), PlotError> {
        let columns = &self.layout.columns;
        self.readers.iter_mut().try_for_each(|(at, reader)| skip(reader, &columns[*at], rows))
    }

    /// Appends the next points. Utilizations in each mode are not read: their columns have the nearest doubles only.
    fn next(&mut self, rows: usize, naming: &mut Naming, to: &mut Vec<Point>) -> Result<(), PlotError> {
        let Layout { columns, fixed, blocks, variant, clock, margin, first_task, .. } = self.layout;
        let first = to.len();
        to.extend((0..rows).map(|_| Point::default()));
        let made = &mut to[first..];
        let (mut nums, mut margins) = (None::<Numbers>, None::<Numbers>);
        for (at, reader) in &mut self.readers {
            let column = &columns[*at];
            match *at {
                at if at < *fixed => {
                    let costs = Numbers::next(reader, column, rows)?;
                    for (row, point) in made.iter_mut().enumerate() {
                        point.cost.push(costs.get(column, row)?);
                    }
                }
                at if at == *fixed => nums = Some(Numbers::next(reader, column, rows)?),
                at if at == *fixed + 1 => {
                    let utilizations = quotients(nums.as_ref(), reader, column, rows)?;
                    made.iter_mut().zip(utilizations).for_each(|(point, number)| point.utilization = number);
                }
                at if at == *fixed + 3 => {
                    let verdicts = verdicts(reader, column, rows)?;
                    made.iter_mut().zip(verdicts).for_each(|(point, verdict)| point.schedulable = verdict);
                }
                at if at == *fixed + 4 => {
                    let verdicts = verdicts(reader, column, rows)?;
                    let within = made.iter_mut().zip(verdicts);
                    within.for_each(|(point, verdict)| point.schedulable_within = verdict);
                }
                at if Some(at) == *blocks => {
                    let lists = next_lists(&mut naming.blocks, reader, column, rows)?;
                    made.iter_mut().zip(lists).for_each(|(point, list)| point.blocks = list);
                }
                at if Some(at) == *variant => {
                    let names = next_names(&mut naming.variants, reader, column, rows)?;
                    made.iter_mut().zip(names).for_each(|(point, name)| point.variant = name);
                }
                at if Some(at) == *clock => {
                    let names = next_names(&mut naming.clocks, reader, column, rows)?;
                    made.iter_mut().zip(names).for_each(|(point, name)| point.clock = name);
                }
                at if Some(at) == *margin => margins = Some(Numbers::next(reader, column, rows)?),
                at if at < *first_task => {
                    let margins = quotients(margins.as_ref(), reader, column, rows)?;
                    made.iter_mut().zip(margins).for_each(|(point, number)| point.margin = Some(number));
                }
                at => {
                    let (_, choices) = &mut naming.tasks[at - first_task];
                    let names = next_names(choices, reader, column, rows)?;
                    made.iter_mut().zip(names).for_each(|(point, name)| point.choices.push(name));
                }
            }
        }
        Ok(())
    }
}

/// The quotients of numbers and those of the next rows.
fn quotients(
    nums: Option<&Numbers>,
    reader: &mut ColumnReader,
    column: &ColumnDescPtr,
    rows: usize,
) -> Result<Vec<Number>, PlotError> {
    let dens = Numbers::next(reader, column, rows)?;
    let Some(nums) = nums else { return Err(wrong(column, "has no numerators")) };
    (0..rows).map(|row| nums.quotient(&dens, column, row)).collect()
}

#[cfg(test)]
mod tests;
