//! Reads a front in Parquet: the figures of all points, and the choices of the requested ones.
//!
//! Only the columns that are wanted are decoded.

use super::columns::{Figure, named};
use super::document::{Fields, Names, Naming, RowName};
use super::guard::{guarded, outside};
use super::number::{parse, quotient};
use super::unreadable::PlotError;
use super::{Front, Number, Point, WithChoices, read_json};
use crate::text::cut;
use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result as Coded};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::reader::{ChunkReader, FileReader, Length, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::{Type, TypePtr};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::ops::Range;

/// The prefix of isx's own keys in the metadata, which hold what `front.json` holds besides its points.
pub const PREFIX: &str = "isx.";

/// Fields whose values are plain text; the others are JSON.
pub const TEXTS: [&str; 8] = [
    "schema",
    "taskset",
    "area_unit",
    "scheduler",
    "min_schedulable_area",
    "min_schedulable_unknown",
    "status",
    "device",
];

/// The names of all tasks; their columns may have others.
pub const TASKS: &str = "tasks";

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
pub fn read<'f>(stored: Stored, which: &WithChoices) -> Result<Front<'f>, PlotError> {
    let damaged = PlotError::Parquet("it is damaged".into());
    guarded(damaged, || read_points(stored, which))
}

fn read_points<'f>(stored: Stored, which: &WithChoices) -> Result<Front<'f>, PlotError> {
    let length = stored.len();
    let reader = SerializedFileReader::new(stored)?;
    let metadata = reader.metadata().file_metadata();
    let keys = metadata.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
    let (fields, tasks) = head(keys)?;
    let (mut naming, mut seen) = fields.expect_points().map_err(PlotError::Field)?;
    naming.tasks = tasks.into_iter().map(|task| (task, Names::default())).collect();
    let shape = fields.shape(&naming, seen.by_margin);
    naming.has_blocks = shape.has_blocks;
    let figures = figures(metadata.schema_descr().root_schema().get_fields(), named(&shape))?;
    let file = Columns { groups: groups(&reader, length)?, reader, figures };
    let mut points = Vec::with_capacity(file.len());
    file.each(0..file.len(), false, &mut |index, row, figures| {
        let mut point = Point::default();
        fill(&mut point, row, figures, &mut naming)?;
        seen.add(&point).map_err(|why| PlotError::NotAFront { index, why })?;
        points.push(point);
        Ok(())
    })?;
    let add_names = |range: Range<usize>, points: &mut [Point], naming: &mut Naming| {
        let range = range.start..range.end.min(points.len());
        file.each(range, true, &mut |index, row, figures| fill(&mut points[index], row, figures, naming))
    };
    if let WithChoices::First(count) = which {
        add_names(0..*count, &mut points, &mut naming)?;
    }
    let mut front = Front::read_as(fields.finish(&mut naming, &seen)?, points);
    if let WithChoices::Of(find) = which {
        let found = outside(|| find(&front));
        add_names(found, front.points_read(), &mut naming)?;
    }
    front.head = front.head.named(naming);
    Ok(front)
}

/// The fields that the keys hold, read as those of a `front.json`, and the names of the tasks.
fn head(keys: &[KeyValue]) -> Result<(Fields, Vec<RowName>), PlotError> {
    let own = |key: &KeyValue| Some((key.key.strip_prefix(PREFIX)?.to_owned(), key.value.clone()?));
    let mut tasks = None;
    let mut document = String::from("{");
    for (name, value) in keys.iter().filter_map(own) {
        let wrong =
            |problem| PlotError::Parquet(format!("its metadata `{PREFIX}{name}` are no JSON: {problem}"));
        if name == TASKS {
            let rows: Vec<NamedRow> = serde_json::from_str(&value).map_err(wrong)?;
            let row = |row| match row {
                NamedRow::Task(task) => (task, None),
                NamedRow::Part(name, part) => (name, Some(part)),
            };
            tasks = Some(rows.into_iter().map(row).collect());
            continue;
        }
        let value = match TEXTS.contains(&name.as_str()) {
            true => Value::from(value).to_string(),
            false if name.starts_with("input") => continue,
            false => serde_json::from_str::<Value>(&value).map_err(wrong)?.to_string(),
        };
        let comma = if document.len() > 1 { "," } else { "" };
        document.push_str(&format!("{comma}{}:{value}", Value::from(name)));
    }
    document.push('}');
    let tasks = tasks.ok_or_else(|| {
        PlotError::Parquet(format!(
            "its metadata have no `{PREFIX}{TASKS}`: isx did not write it, or a version before this one"
        ))
    })?;
    Ok((read_json::read_fields(&mut document.as_bytes(), 0)?.fields, tasks))
}

/// A task, or a part of one with its own name.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum NamedRow {
    Task(String),
    Part(String, String),
}

/// The figures of the columns, which must have these names.
fn figures(columns: &[TypePtr], expected: Vec<(String, Figure)>) -> Result<Vec<Figure>, PlotError> {
    let other = |(column, (name, _)): &(&TypePtr, &(String, Figure))| column.name() != name;
    if let Some((at, (_, (name, _)))) =
        columns.iter().zip(&expected).enumerate().find(|(_, pair)| other(pair))
    {
        return Err(PlotError::Parquet(format!("its column {at} is not `{}`", cut(name, 60))));
    }
    if columns.len() != expected.len() {
        let (found, expected) = (columns.len(), expected.len());
        return Err(PlotError::Parquet(format!("it has {found} columns, not {expected}")));
    }
    Ok(expected.into_iter().map(|(_, figure)| figure).collect())
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

/// Takes a row of the point of this index, and what its fields hold.
type Take<'t> = dyn FnMut(usize, &Row, &[Figure]) -> Result<(), PlotError> + 't;

/// The file as columns.
struct Columns {
    reader: SerializedFileReader<Stored>,
    groups: Vec<Range<usize>>,
    figures: Vec<Figure>,
}

impl Columns {
    /// The number of points.
    fn len(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }

    /// Passes on rows of the points with their columns of names, or with those of exact numbers and verdicts.
    fn each(&self, points: Range<usize>, has_names: bool, take: &mut Take<'_>) -> Result<(), PlotError> {
        let schema = self.reader.metadata().file_metadata().schema_descr().root_schema();
        let columns = schema.get_fields().iter().zip(&self.figures);
        let (fields, figures): (Vec<TypePtr>, Vec<Figure>) = columns
            .filter(|(_, figure)| !figure.is_double() && figure.is_of_names() == has_names)
            .map(|(field, figure)| (field.clone(), *figure))
            .unzip();
        let projection = Type::group_type_builder(schema.name()).with_fields(fields).build()?;
        for (at, group) in self.groups.iter().enumerate() {
            let mut rows = points.start.max(group.start)..points.end.min(group.end);
            if rows.is_empty() {
                continue;
            }
            let reader = self.reader.get_row_group(at)?;
            let read = reader.get_row_iter(Some(projection.clone()))?;
            for row in read.skip(rows.start - group.start).take(rows.len()) {
                take(rows.start, &row?, &figures)?;
                rows.start += 1;
            }
            if !rows.is_empty() {
                return Err(PlotError::Parquet("it has fewer rows than it says".into()));
            }
        }
        Ok(())
    }
}

/// Adds the fields of a row to its point. Utilizations in each mode are not read: their columns have the nearest doubles only.
fn fill(point: &mut Point, row: &Row, figures: &[Figure], naming: &mut Naming) -> Result<(), PlotError> {
    let mut numerator = None;
    for ((name, field), figure) in row.get_column_iter().zip(figures) {
        let wrong = |why: &str| PlotError::Parquet(format!("its column `{}` {why}", cut(name, 60)));
        let ratio = || {
            let ratio = numerator.and_then(|numerator| ratio(numerator, field));
            ratio.ok_or_else(|| wrong("and its numerators are no fractions"))
        };
        let text = || match field {
            Field::Null => Ok(None),
            Field::Str(text) => Ok(Some(text.as_str())),
            _ => Err(wrong("holds no texts")),
        };
        let verdict = || match field {
            Field::Null => Ok(None),
            Field::Bool(verdict) => Ok(Some(*verdict)),
            _ => Err(wrong("holds no Booleans")),
        };
        match *figure {
            Figure::Cost(_) => {
                let cost = number(field).ok_or_else(|| wrong("has a value that is no exact number"))?;
                point.cost.push(cost);
            }
            Figure::Numerator | Figure::MarginNumerator => numerator = Some(field),
            Figure::Denominator => point.utilization = ratio()?,
            Figure::MarginDenominator => point.margin = Some(ratio()?),
            Figure::Schedulable => point.schedulable = verdict()?,
            Figure::Within => point.schedulable_within = verdict()?,
            Figure::Blocks => {
                let Field::ListInternal(list) = field else { return Err(wrong("holds no lists")) };
                for block in list.elements() {
                    let Field::Str(block) = block else { return Err(wrong("holds no lists of texts")) };
                    point.blocks.push(naming.blocks.number(block));
                }
            }
            Figure::Variant => point.variant = text()?.map(|name| naming.variants.number(name)),
            Figure::Clock => point.clock = text()?.map(|hertz| naming.clocks.number(hertz)),
            Figure::Choice(task) => {
                // A task before its parts has no column.
                point.choices.resize(task, None);
                point.choices.push(text()?.map(|choice| naming.tasks[task].1.number(choice)));
            }
            Figure::Utilization | Figure::InMode(_) | Figure::Margin => {}
        }
    }
    Ok(())
}

/// Most digits after the decimal point of a decimal.
const MOST_PLACES: u32 = 18;

/// The exact number in a field, which is negative only as a cost of a resource.
fn number(field: &Field) -> Option<Number> {
    match field {
        Field::Long(number) => Some(Number::from(*number)),
        Field::Str(text) => parse(text),
        Field::Decimal(decimal) => {
            let places = u32::try_from(decimal.scale()).ok().filter(|places| *places <= MOST_PLACES)?;
            let digits = i64::from_be_bytes(decimal.data().try_into().ok()?);
            Some(Number::of(digits.into(), 10u128.pow(places)))
        }
        _ => None,
    }
}

/// The quotient of two fields.
fn ratio(numerator: &Field, denominator: &Field) -> Option<Number> {
    match (numerator, denominator) {
        (Field::Long(num), Field::Long(den)) if *num >= 0 && *den > 0 => {
            Some(Number::of((*num).into(), den.unsigned_abs().into()))
        }
        (Field::Str(num), Field::Str(den)) => quotient(num, den),
        _ => None,
    }
}
