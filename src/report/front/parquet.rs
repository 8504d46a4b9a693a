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
//! explored. [`Written`](crate::written::Written) reads the file again.

mod columns;
pub mod guard;
mod metadata;
pub mod read;

use crate::front::columns::{Chunk, Column, Columns, DECIMAL_DIGITS, Exact, Rows, SOFTWARE};
use crate::front::costs;
use crate::origin::Origin;
use bytes::Bytes;
use isx_design::exploration::Exploration;
use isx_machine::cpu::Workers;
use isx_taskset::Task;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::{ParquetError, Result as Coded};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Points per row group.
const GROUP: usize = 1 << 17;

/// Writes the front.
pub fn write(
    explored: &Exploration,
    origin: &Origin,
    workers: &Workers,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    write_in_groups(explored, origin, workers, GROUP, out)
}

/// Writes the front in row groups of this many points.
fn write_in_groups(
    explored: &Exploration,
    origin: &Origin,
    workers: &Workers,
    size: usize,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let writing = Writing::new(explored, metadata::written(explored, origin)?).map_err(io_error)?;
    let mut file = SerializedFileWriter::new(out, writing.schema.clone(), writing.properties.clone())
        .map_err(io_error)?;
    let points = explored.front.len();
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

/// The expected size of the front in bytes, before compression.
pub fn bytes(explored: &Exploration) -> u64 {
    // Costs, numerator, denominator and double take 8 bytes each; a choice takes the bits of an index.
    let costs = costs::names(explored.task_set()).len() as u64;
    let bits = |task: &Task| u64::from((task.choices.len() as u64 + 1).ilog2() + 1);
    let choices: u64 = explored.task_set().tasks.iter().map(bits).sum();
    // For a block, assuming all are built: its index, whether it begins a list and whether that list is empty.
    let blocks = explored.task_set().blocks.len() as u64;
    let blocks = blocks * u64::from(2 + blocks.checked_ilog2().map_or(0, |bits| bits + 1));
    let margin = if explored.point_margins.is_empty() { 0 } else { 40 };
    (explored.front.len() as u64)
        .saturating_mul(25 + margin + 8 * costs + (choices + blocks).div_ceil(8))
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

/// Writes a column of texts.
type TextWriter<'a> = ColumnWriterImpl<'a, ByteArrayType>;

/// The data shared by all row groups.
struct Writing<'a> {
    columns: Columns<'a>,
    /// The texts that a column refers to: names of blocks or choices, or clocks.
    texts: Vec<Vec<ByteArray>>,
    schema: Arc<Type>,
    properties: WriterPropertiesPtr,
    described: Vec<ColumnDescPtr>,
}

impl<'a> Writing<'a> {
    fn new(explored: &'a Exploration, metadata: Vec<KeyValue>) -> Coded<Self> {
        let columns = Columns::new(explored);
        let texts = columns.list().iter().map(|&column| texts(explored, &columns, column)).collect();
        let fields = columns.list().iter().zip(columns.names());
        let fields = fields.map(|(column, name)| Ok(Arc::new(field(column, name)?)));
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
        Ok(Self { columns, texts, schema, properties, described })
    }

    /// The encoded columns of a row group.
    fn code(&self, group: Range<usize>, workers: &Workers) -> Coded<Vec<(Bytes, ColumnCloseResult)>> {
        let (rows, chunks) = (self.columns.rows(group.clone(), workers), self.columns.chunks(group, workers));
        let code = |at| self.code_column(at as usize, &rows, &chunks);
        workers.map(self.described.len() as u64, true, code).into_iter().collect()
    }

    fn code_column(&self, at: usize, rows: &Rows, chunks: &[Chunk]) -> Coded<(Bytes, ColumnCloseResult)> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut bytes));
        let mut writer = get_column_writer(self.described[at].clone(), self.properties.clone(), pages);
        fill(&mut writer, self.columns.list()[at], &self.texts[at], rows, chunks)?;
        let closed = writer.close()?;
        Ok((Bytes::from(bytes.into_inner()?), closed))
    }
}

/// The texts that a column refers to.
fn texts(explored: &Exploration, columns: &Columns, column: Column) -> Vec<ByteArray> {
    let bytes = |text: &String| ByteArray::from(text.clone().into_bytes());
    let task_set = explored.task_set();
    match column {
        Column::Blocks => task_set.blocks.iter().map(|block| bytes(&block.name)).collect(),
        Column::Variant => task_set.variants.iter().map(|variant| bytes(&variant.name)).collect(),
        Column::Clock => columns.clocks().iter().map(bytes).collect(),
        Column::Choice(task) => {
            task_set.tasks[task].choices.iter().map(|choice| bytes(&choice.name)).collect()
        }
        _ => Vec::new(),
    }
}

fn fill(
    writer: &mut ColumnWriter,
    column: Column,
    texts: &[ByteArray],
    rows: &Rows,
    chunks: &[Chunk],
) -> Coded<()> {
    match (column, writer) {
        (
            Column::Cost(..) | Column::Numerator(_) | Column::Denominator(_),
            ColumnWriter::Int64ColumnWriter(writer),
        ) => {
            writer.write_batch(&rows.integers(column).ok_or_else(too_wide)?, None, None)?;
        }
        (
            Column::Cost(..)
            | Column::Numerator(_)
            | Column::Denominator(_)
            | Column::MarginNumerator
            | Column::MarginDenominator,
            ColumnWriter::ByteArrayColumnWriter(writer),
        ) => {
            let mut numbers = Vec::new();
            let told = rows.texts(column, |text| {
                numbers.push(ByteArray::from(text.to_vec()));
                Ok(())
            });
            told.map_err(|error| ParquetError::External(Box::new(error)))?;
            writer.write_batch(&numbers, None, None)?;
        }
        (
            Column::Approximation | Column::InMode(_) | Column::Margin,
            ColumnWriter::DoubleColumnWriter(writer),
        ) => {
            writer.write_batch(&rows.approximations(column), None, None)?;
        }
        (Column::Schedulable | Column::SchedulableWithin, ColumnWriter::BoolColumnWriter(writer)) => {
            let known: Vec<bool> = rows.verdicts(column).flatten().collect();
            let levels: Vec<i16> =
                rows.verdicts(column).map(|verdict| i16::from(verdict.is_some())).collect();
            writer.write_batch(&known, Some(&levels), None)?;
        }
        (Column::Blocks, ColumnWriter::ByteArrayColumnWriter(writer)) => {
            write_blocks(texts, chunks, writer)?;
        }
        (Column::Variant | Column::Clock, ColumnWriter::ByteArrayColumnWriter(writer)) => {
            for chunk in chunks {
                let numbers = if column == Column::Variant { chunk.variants() } else { chunk.clocks() };
                let named: Vec<ByteArray> = numbers.iter().map(|&at| texts[at].clone()).collect();
                writer.write_batch(&named, None, None)?;
            }
        }
        (Column::Choice(task), ColumnWriter::ByteArrayColumnWriter(writer)) => {
            write_choices(task, texts, chunks, writer)?;
        }
        (column, _) => {
            return Err(ParquetError::General(format!("no column is made for {column:?}")));
        }
    }
    Ok(())
}

fn write_blocks(names: &[ByteArray], chunks: &[Chunk], writer: &mut TextWriter) -> Coded<()> {
    for chunk in chunks {
        let (holds, continues) = list_levels(chunk.block_counts());
        let built = chunk.blocks().iter().map(|&block| names[block as usize].clone());
        writer.write_batch(&built.collect::<Vec<_>>(), Some(&holds), Some(&continues))?;
    }
    Ok(())
}

/// Writes the choices of a task.
fn write_choices(task: usize, names: &[ByteArray], chunks: &[Chunk], writer: &mut TextWriter) -> Coded<()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for chunk in chunks {
        values.clear();
        levels.clear();
        for &choice in chunk.choices(task) {
            levels.push(i16::from(choice != SOFTWARE));
            if choice != SOFTWARE {
                values.push(names[choice as usize].clone());
            }
        }
        writer.write_batch(&values, Some(&levels), None)?;
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

/// Unreachable: column widths are chosen so that every value fits.
fn too_wide() -> ParquetError {
    ParquetError::General("a number passes the width chosen for its column".into())
}

fn field(column: &Column, name: &str) -> Coded<Type> {
    let exact = |exact: &Exact| match *exact {
        Exact::Integer => Type::primitive_type_builder(name, Physical::INT64),
        Exact::Decimal(places) => Type::primitive_type_builder(name, Physical::INT64)
            .with_converted_type(ConvertedType::DECIMAL)
            .with_logical_type(Some(LogicalType::decimal(places as i32, DECIMAL_DIGITS as i32)))
            .with_precision(DECIMAL_DIGITS as i32)
            .with_scale(places as i32),
        Exact::Text => string(name),
    };
    let (field, repetition) = match column {
        Column::Blocks => return list_of_strings(name),
        Column::Cost(_, width) | Column::Numerator(width) | Column::Denominator(width) => {
            (exact(width), Repetition::REQUIRED)
        }
        Column::Approximation | Column::InMode(_) | Column::Margin => {
            (Type::primitive_type_builder(name, Physical::DOUBLE), Repetition::REQUIRED)
        }
        Column::Schedulable | Column::SchedulableWithin => {
            (Type::primitive_type_builder(name, Physical::BOOLEAN), Repetition::OPTIONAL)
        }
        Column::Variant | Column::Clock | Column::MarginNumerator | Column::MarginDenominator => {
            (string(name), Repetition::REQUIRED)
        }
        Column::Choice(..) => (string(name), Repetition::OPTIONAL),
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
mod tests;
