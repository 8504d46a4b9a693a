//! The front as Parquet, one row per point: the format for fronts of millions of points.
//!
//! | column | type |
//! |---|---|
//! | `area`, or a column per resource | 64-bit integer, or decimal with as many places as areas have; text beyond 18 digits |
//! | `utilization_num`, `utilization_den` | 64-bit integers; text if they exceed 64 bits |
//! | `utilization` | double, the nearest |
//! | `schedulable` | Boolean, null if unknown |
//! | `blocks`, if the task set has any | list of texts: the names of the blocks that the design builds, in file order
//! |
//! | `variant`, if the processor has variants | text; dictionary-encoded |
//! | `utilization NAME`, if the set has modes, one each | double |
//! | `clock_hz`, if a block or variant limits the clock | text, the exact figure in hertz; dictionary-encoded |
//! | `margin_num`, `margin_den`, on a front of area against margin | texts |
//! | `margin`, on such a front | double, the nearest |
//! | one column per task | text, the name of its choice, null for software; dictionary-encoded |
//!
//! Columns are named as in [`crate::front::csv`]. Points are written in row groups; all threads encode the columns of
//! a group, so memory is needed for one group only, however long the front is.
//!
//! The key-value metadata hold what `front.json` holds besides its points, except the engine, each under its name
//! there with the prefix `isx.`: `isx.schema`, `isx.taskset`, `isx.area_unit`, `isx.scheduler`, `isx.status` and
//! `isx.min_schedulable_area` as text, the others as JSON (`isx.complete`, `isx.base`, `isx.min_schedulable`,
//! `isx.what_if`). `isx.tasks` lists the names of the tasks, `isx.input` and `isx.input_sha256` say which file was
//! explored. [`Front::read`] reads the file again.

use super::columns::{Columns, Content, DECIMAL_DIGITS, SOFTWARE, Values};
use super::read_parquet::{PREFIX, TASKS, TEXTS};
use super::{Front, Head, json};
use crate::origin::Origin;
use bytes::Bytes;
use isx_machine::cpu::Workers;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result as Coded};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type};
use serde_json::Value;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Points per row group.
const GROUP: usize = 1 << 17;

/// Writes the front.
pub fn write(
    front: &Front,
    origin: &Origin,
    workers: &Workers,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    write_in_groups(front, origin, workers, GROUP, out)
}

/// Writes the front in row groups of this many points.
fn write_in_groups(
    front: &Front,
    origin: &Origin,
    workers: &Workers,
    size: usize,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let writing = Writing::new(front, keys(&front.head, origin)?).map_err(io_error)?;
    let mut file = SerializedFileWriter::new(out, writing.schema.clone(), writing.properties.clone())
        .map_err(io_error)?;
    let points = front.len();
    for from in (0..points).step_by(size) {
        let group = from..points.min(from + size);
        let columns = writing.code(group, workers).map_err(io_error)?;
        let mut rows = file.next_row_group().map_err(io_error)?;
        for (bytes, closed) in columns {
            rows.append_column(&bytes, closed).map_err(io_error)?;
        }
        rows.close().map_err(io_error)?;
    }
    file.close().map(drop).map_err(io_error)
}

/// All keys with their values. Fields that are null are left out, and so is the engine: the same front has the same
/// bytes on every machine.
fn keys(head: &Head, origin: &Origin) -> io::Result<Vec<KeyValue>> {
    let mut keys = Vec::new();
    let mut add = |name: &str, value: String| keys.push(KeyValue::new(format!("{PREFIX}{name}"), value));
    for (name, json) in json::head(head)? {
        let is_text = TEXTS.contains(&name);
        match serde_json::from_str(&json)? {
            Value::Null => {}
            Value::String(text) if is_text => add(name, text),
            _ if name == "engine" => {}
            _ => add(name, json),
        }
    }
    let tasks = head.tasks.iter().map(|task| match &task.part {
        Some(part) => serde_json::json!([task.name, part]),
        None => task.name.as_str().into(),
    });
    let tasks: Vec<Value> = tasks.collect();
    add(TASKS, serde_json::to_string(&tasks)?);
    if let Some(input) = origin.inputs.first() {
        add("input", input.name.clone());
        add("input_sha256", input.sha256.clone());
    }
    Ok(keys)
}

/// The expected size of the front in bytes, before compression.
pub fn bytes(front: &Front) -> u64 {
    // Costs, numerator, denominator and double take 8 bytes each; a choice takes the bits of an index.
    let head = &front.head;
    let costs = head.resources.names.len() as u64;
    let choices = head.tasks.iter().map(|task| u64::from((task.choices.len() as u64 + 1).ilog2() + 1));
    // For a block, assuming all are built: its index, whether it begins a list and whether that list is empty.
    let blocks = head.blocks.len() as u64;
    let blocks = blocks * u64::from(2 + blocks.checked_ilog2().map_or(0, |bits| bits + 1));
    let margin = if head.by_margin { 40 } else { 0 };
    (front.len() as u64)
        .saturating_mul(25 + margin + 8 * costs + (choices.sum::<u64>() + blocks).div_ceil(8))
        .saturating_add(1 << 14)
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        error => io::Error::other(error),
    }
}

/// The data shared by all row groups.
struct Writing<'f, 'a> {
    columns: Columns<'f, 'a>,
    /// The names that each column refers to.
    names: Vec<Vec<ByteArray>>,
    schema: Arc<Type>,
    properties: WriterPropertiesPtr,
    described: Vec<ColumnDescPtr>,
}

impl<'f, 'a> Writing<'f, 'a> {
    fn new(front: &'f Front<'a>, metadata: Vec<KeyValue>) -> Coded<Self> {
        let columns = Columns::new(front);
        let names = columns.list().iter().map(|column| match &column.content {
            Content::Name(names, _) | Content::Names(names) => {
                names.iter().map(|name| ByteArray::from(name.as_str())).collect()
            }
            _ => Vec::new(),
        });
        let names = names.collect();
        let fields = columns.list().iter().map(|column| Ok(Arc::new(field(&column.content, &column.name)?)));
        let fields = fields.collect::<Coded<Vec<_>>>()?;
        let schema = Arc::new(Type::group_type_builder("front").with_fields(fields).build()?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(concat!("isx version ", env!("CARGO_PKG_VERSION")).into())
            .set_key_value_metadata(Some(metadata));
        let properties = Arc::new(properties.build());
        let described = parquet::schema::types::SchemaDescriptor::new(schema.clone());
        let described = described.columns().to_vec();
        Ok(Self { columns, names, schema, properties, described })
    }

    /// The encoded columns of a row group.
    fn code(&self, group: Range<usize>, workers: &Workers) -> Coded<Vec<(Bytes, ColumnCloseResult)>> {
        let values = self.columns.read(group, workers);
        let code = |at| self.code_column(at as usize, &values[at as usize]);
        workers.map(self.described.len() as u64, true, code).into_iter().collect()
    }

    fn code_column(&self, at: usize, values: &Values) -> Coded<(Bytes, ColumnCloseResult)> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut bytes));
        let mut writer = get_column_writer(self.described[at].clone(), self.properties.clone(), pages);
        let is_optional = self.described[at].max_def_level() > 0;
        fill(&mut writer, &self.names[at], values, is_optional)?;
        let closed = writer.close()?;
        Ok((Bytes::from(bytes.into_inner()?), closed))
    }
}

fn fill(writer: &mut ColumnWriter, names: &[ByteArray], values: &Values, is_optional: bool) -> Coded<()> {
    match (values, writer) {
        (Values::Integers(values), ColumnWriter::Int64ColumnWriter(writer)) => {
            writer.write_batch(values, None, None)?;
        }
        (Values::Texts(texts), ColumnWriter::ByteArrayColumnWriter(writer)) => {
            let texts: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(text.as_str())).collect();
            writer.write_batch(&texts, None, None)?;
        }
        (Values::Doubles(values), ColumnWriter::DoubleColumnWriter(writer)) => {
            writer.write_batch(values, None, None)?;
        }
        (Values::Verdicts(verdicts), ColumnWriter::BoolColumnWriter(writer)) => {
            let known: Vec<bool> = verdicts.iter().flatten().copied().collect();
            let levels: Vec<i16> = verdicts.iter().map(|verdict| i16::from(verdict.is_some())).collect();
            writer.write_batch(&known, Some(&levels), None)?;
        }
        (Values::Names(numbers), ColumnWriter::ByteArrayColumnWriter(writer)) => {
            let named = numbers.iter().filter(|number| **number != SOFTWARE);
            let named: Vec<ByteArray> = named.map(|&number| names[number as usize].clone()).collect();
            let levels: Vec<i16> = numbers.iter().map(|number| i16::from(*number != SOFTWARE)).collect();
            writer.write_batch(&named, is_optional.then_some(levels.as_slice()), None)?;
        }
        (Values::Lists(counts, numbers), ColumnWriter::ByteArrayColumnWriter(writer)) => {
            let (holds, continues) = list_levels(counts);
            let named: Vec<ByteArray> =
                numbers.iter().map(|&number| names[number as usize].clone()).collect();
            writer.write_batch(&named, Some(&holds), Some(&continues))?;
        }
        (values, _) => {
            return Err(ParquetError::General(format!("no column is made for {values:?}")));
        }
    }
    Ok(())
}

/// The levels of lists of these lengths: whether an entry has a value (an empty list is an entry without one), and
/// whether it continues the list of the previous entry.
fn list_levels(lengths: &[u32]) -> (Vec<i16>, Vec<i16>) {
    let (mut holds, mut continues) = (Vec::with_capacity(lengths.len()), Vec::with_capacity(lengths.len()));
    for &length in lengths {
        holds.push(i16::from(length > 0));
        continues.push(0);
        for _ in 1..length {
            holds.push(1);
            continues.push(1);
        }
    }
    (holds, continues)
}

fn field(content: &Content, name: &str) -> Coded<Type> {
    let (field, repetition) = match content {
        Content::Names(_) => return list_of_strings(name),
        Content::Integer => (Type::primitive_type_builder(name, Physical::INT64), Repetition::REQUIRED),
        Content::Decimal(places) => {
            let (places, digits) = (*places as i32, DECIMAL_DIGITS as i32);
            let decimal = Type::primitive_type_builder(name, Physical::INT64)
                .with_converted_type(ConvertedType::DECIMAL)
                .with_logical_type(Some(LogicalType::decimal(places, digits)))
                .with_precision(digits)
                .with_scale(places);
            (decimal, Repetition::REQUIRED)
        }
        Content::Text | Content::Name(_, false) => (string(name), Repetition::REQUIRED),
        Content::Name(_, true) => (string(name), Repetition::OPTIONAL),
        Content::Double => (Type::primitive_type_builder(name, Physical::DOUBLE), Repetition::REQUIRED),
        Content::Verdict => (Type::primitive_type_builder(name, Physical::BOOLEAN), Repetition::OPTIONAL),
    };
    field.with_repetition(repetition).build()
}

fn string(name: &str) -> parquet::schema::types::PrimitiveTypeBuilder<'_> {
    Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_converted_type(ConvertedType::UTF8)
        .with_logical_type(Some(LogicalType::String))
}

/// A list type as the Parquet specification defines it, so that every reader recognizes it; neither the list nor its
/// elements are ever null.
fn list_of_strings(name: &str) -> Coded<Type> {
    let element = string("element").with_repetition(Repetition::REQUIRED).build()?;
    let entry = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(element)])
        .build()?;
    Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_converted_type(ConvertedType::LIST)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(entry)])
        .build()
}

#[cfg(test)]
#[path = "read_parquet_tests.rs"]
mod reading_tests;
#[cfg(test)]
#[path = "parquet_tests.rs"]
mod tests;
