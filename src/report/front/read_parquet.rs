//! Reads a front in Parquet: the figures of all points, and the choices of the requested ones.
//!
//! Only the columns that are wanted are decoded.

use super::costs::AREA;
use super::document::{Fields, Names, Naming, RowName};
use super::guard::{guarded, outside};
use super::head::{Whole, is_before_parts};
use super::number::{parse, quotient};
use super::unreadable::PlotError;
use super::{Head, Number, Point, read_json};
use crate::text::cut;
use bytes::{Buf, Bytes};
use parquet::basic::Type as Physical;
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

/// The names of all tasks, which columns may change.
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
pub fn read(stored: Stored, whole: Whole) -> Result<(Head, Vec<Point>), PlotError> {
    let damaged = PlotError::Parquet("it is damaged".into());
    guarded(damaged, || read_points(stored, whole))
}

fn read_points(stored: Stored, whole: Whole) -> Result<(Head, Vec<Point>), PlotError> {
    let length = stored.len();
    let reader = SerializedFileReader::new(stored)?;
    let metadata = reader.metadata().file_metadata();
    let keys = metadata.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
    let (fields, tasks) = head(keys)?;
    let (mut naming, mut seen) = fields.expect_points().map_err(PlotError::Field)?;
    let costs = match fields.area_unit {
        Some(_) => vec![AREA],
        None => naming.resources.iter().map(String::as_str).collect(),
    };
    let schema = metadata.schema_descr().root_schema();
    let kinds = kinds(schema.get_fields(), &costs, &tasks)?;
    naming.tasks = tasks.into_iter().map(|task| (task, Names::default())).collect();
    naming.has_blocks = kinds.contains(&Kind::Blocks);
    let file = Columns { groups: groups(&reader, length)?, reader, kinds };
    let mut points = Vec::with_capacity(file.len());
    let first = match whole {
        Whole::First(count) => file.len().min(count),
        Whole::Found(_) => 0,
    };
    file.pass(0..first, true, &mut naming, &mut points)?;
    file.pass(first..file.len(), false, &mut naming, &mut points)?;
    for (index, point) in points.iter().enumerate() {
        seen.add(point).map_err(|why| PlotError::NotAFront { index, why })?;
    }
    let mut head = fields.finish(&mut naming, &seen)?;
    if let Whole::Found(find) = whole {
        let found;
        (head, points, found) = outside(|| find(head, points));
        let mut whole = Vec::new();
        file.pass(found.clone(), true, &mut naming, &mut whole)?;
        points.splice(found, whole);
    }
    Ok((head.named(naming), points))
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

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Cost,
    Numerator,
    Denominator,
    Schedulable,
    Within,
    Blocks,
    Variant,
    Clock,
    MarginNumerator,
    MarginDenominator,
    Choice(usize),
    /// The nearest doubles, which are not read.
    Double,
}

/// The columns that every front has after those of its costs.
const FIXED: [(&str, Kind); 5] = [
    ("utilization_num", Kind::Numerator),
    ("utilization_den", Kind::Denominator),
    ("utilization", Kind::Double),
    ("schedulable", Kind::Schedulable),
    ("schedulable_within", Kind::Within),
];

/// What the columns hold, in order: costs, figures, verdicts, what some fronts have, choices.
fn kinds(columns: &[TypePtr], costs: &[&str], rows: &[RowName]) -> Result<Vec<Kind>, PlotError> {
    let choosing = (0..rows.len()).filter(|&at| !is_before_parts(rows, at, |(_, part)| part.is_some()));
    let choosing: Vec<usize> = choosing.collect();
    let tasks = choosing.len();
    let wrong = |why: String| PlotError::Parquet(why);
    let costs = costs.iter().map(|name| (*name, Kind::Cost));
    let mut kinds = Vec::with_capacity(columns.len());
    for (at, (name, kind)) in costs.chain(FIXED).enumerate() {
        // A resource may be named as another column.
        let is_it = |found: &str| found == name || found.strip_prefix("resource ") == Some(name);
        if columns.get(at).is_none_or(|column| !is_it(column.name())) {
            return Err(wrong(format!("its column {at} is not `{}`", cut(name, 60))));
        }
        kinds.push(kind);
    }
    let further = &columns[kinds.len()..];
    let Some(others) = further.len().checked_sub(tasks) else {
        return Err(wrong(format!("it has {} columns of tasks, not {tasks}", further.len())));
    };
    for column in &further[..others] {
        kinds.push(match column.name() {
            _ if column.is_group() => Kind::Blocks,
            _ if column.get_physical_type() == Physical::DOUBLE => Kind::Double,
            "variant" => Kind::Variant,
            "clock_hz" => Kind::Clock,
            "margin_num" => Kind::MarginNumerator,
            "margin_den" => Kind::MarginDenominator,
            _ => return Err(wrong(format!("it has {} columns of tasks, not {tasks}", further.len()))),
        });
    }
    kinds.extend(choosing.into_iter().map(Kind::Choice));
    Ok(kinds)
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

/// The file as columns.
struct Columns {
    reader: SerializedFileReader<Stored>,
    groups: Vec<Range<usize>>,
    kinds: Vec<Kind>,
}

impl Columns {
    /// The number of points.
    fn len(&self) -> usize {
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
        let is_wanted = |kind: &Kind| match kind {
            Kind::Double => false,
            Kind::Blocks | Kind::Variant | Kind::Clock | Kind::Choice(_) => has_choices,
            _ => true,
        };
        let schema = self.reader.metadata().file_metadata().schema_descr().root_schema();
        let wanted = schema.get_fields().iter().zip(&self.kinds).filter(|(_, kind)| is_wanted(kind));
        let (fields, kinds): (Vec<TypePtr>, Vec<Kind>) =
            wanted.map(|(field, kind)| (field.clone(), *kind)).unzip();
        let projection = Type::group_type_builder(schema.name()).with_fields(fields).build()?;
        for (at, group) in self.groups.iter().enumerate() {
            let rows = points.start.max(group.start)..points.end.min(group.end);
            if rows.is_empty() {
                continue;
            }
            let reader = self.reader.get_row_group(at)?;
            let read = reader.get_row_iter(Some(projection.clone()))?;
            for row in read.skip(rows.start - group.start).take(rows.len()) {
                to.push(point(&row?, &kinds, naming)?);
            }
        }
        match to.len() >= points.len() {
            true => Ok(()),
            false => Err(PlotError::Parquet("it has fewer rows than it says".into())),
        }
    }
}

/// The point in a row. Utilizations in each mode are not read: their columns have the nearest doubles only.
fn point(row: &Row, kinds: &[Kind], naming: &mut Naming) -> Result<Point, PlotError> {
    let (mut point, mut numerator) = (Point::default(), None);
    for ((name, field), kind) in row.get_column_iter().zip(kinds) {
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
        match *kind {
            Kind::Cost => {
                let cost = number(field).ok_or_else(|| wrong("has a value that is no exact number"))?;
                point.cost.push(cost);
            }
            Kind::Numerator | Kind::MarginNumerator => numerator = Some(field),
            Kind::Denominator => point.utilization = ratio()?,
            Kind::MarginDenominator => point.margin = Some(ratio()?),
            Kind::Schedulable => point.schedulable = verdict()?,
            Kind::Within => point.schedulable_within = verdict()?,
            Kind::Blocks => {
                let Field::ListInternal(list) = field else { return Err(wrong("holds no lists")) };
                for block in list.elements() {
                    let Field::Str(block) = block else { return Err(wrong("holds no lists of texts")) };
                    point.blocks.push(naming.blocks.number(block));
                }
            }
            Kind::Variant => point.variant = text()?.map(|name| naming.variants.number(name)),
            Kind::Clock => point.clock = text()?.map(|hertz| naming.clocks.number(hertz)),
            Kind::Choice(task) => {
                // A task before its parts has no column.
                point.choices.resize(task, None);
                point.choices.push(text()?.map(|choice| naming.tasks[task].1.number(choice)));
            }
            Kind::Double => {}
        }
    }
    Ok(point)
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
