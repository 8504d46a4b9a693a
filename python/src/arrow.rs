//! The front as an Arrow stream, by the Arrow PyCapsule interface: what polars, pandas, pyarrow and DuckDB read without a
//! copy.
//!
//! The columns are those of the Parquet file: areas as 64-bit integers, decimals or text, utilizations as numerator,
//! denominator and nearest double, verdicts, blocks, clock, and a column a task whose names are coded by a dictionary.
//! Batches are made as they are asked for.

use crate::errors;
use arrow_array::builder::StringBuilder;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, Float64Array, Int64Array, ListArray,
    PrimitiveArray, RecordBatch, RecordBatchReader, StringArray,
};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use isx::exploration::Exploration;
use isx::machine::Machine;
use isx::report::columns::{Chunk, Column, Columns, DECIMAL_DIGITS, Exact, Rows, SOFTWARE};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::io;
use std::sync::Arc;

/// Points of a batch.
const BATCH: usize = 1 << 19;

/// The capsule of the stream's schema.
pub fn schema_capsule<'py>(py: Python<'py>, explored: &Exploration) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = schema(explored, &Columns::new(explored));
    let exported = FFI_ArrowSchema::try_from(&schema).map_err(errors::input)?;
    PyCapsule::new_with_value(py, exported, c"arrow_schema")
}

/// The capsule of the stream. Whoever takes the stream out of it leaves it empty; else the capsule frees it.
pub fn stream_capsule<'py>(
    py: Python<'py>,
    explored: Arc<Exploration>,
    machine: Machine,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = Arc::new(schema(&explored, &Columns::new(&explored)));
    let names = names(&explored);
    let batches = Batches { explored, machine, schema, names, next: 0 };
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}

fn schema(explored: &Exploration, columns: &Columns) -> Schema {
    let field = |(&column, name): (&Column, &String)| {
        let nullable = matches!(column, Column::Schedulable | Column::SchedulableWithin | Column::Choice(_));
        Field::new(name, data_type(explored, columns, column), nullable)
    };
    Schema::new(columns.list().iter().zip(columns.names()).map(field).collect::<Vec<_>>())
}

fn data_type(explored: &Exploration, columns: &Columns, column: Column) -> DataType {
    match column {
        Column::Cost(_, exact) | Column::Numerator(exact) | Column::Denominator(exact) => match exact {
            Exact::Integer => DataType::Int64,
            Exact::Decimal(places) => DataType::Decimal128(DECIMAL_DIGITS as u8, places as i8),
            Exact::Text => DataType::Utf8,
        },
        Column::MarginNumerator | Column::MarginDenominator => DataType::Utf8,
        Column::Approximation | Column::InMode(_) | Column::Margin => DataType::Float64,
        Column::Schedulable | Column::SchedulableWithin => DataType::Boolean,
        Column::Blocks => DataType::List(element()),
        Column::Variant => coded(explored.task_set().variants.len()),
        Column::Clock => coded(columns.clocks().len()),
        Column::Choice(task) => coded(explored.task_set().tasks[task].choices.len()),
    }
}

fn element() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Utf8, false))
}

/// Text coded by a dictionary of so many entries, in as few bytes as they take.
fn coded(entries: usize) -> DataType {
    let key = match entries {
        0..=128 => DataType::Int8,
        129..=32_768 => DataType::Int16,
        _ => DataType::Int32,
    };
    DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8))
}

/// The texts that each column draws from; the same array for all batches.
fn names(explored: &Exploration) -> Vec<ArrayRef> {
    let set = explored.task_set();
    let columns = Columns::new(explored);
    let text = |column: &Column| -> ArrayRef {
        Arc::new(match *column {
            Column::Blocks => StringArray::from_iter_values(set.blocks.iter().map(|block| &block.name)),
            Column::Clock => StringArray::from_iter_values(columns.clocks()),
            Column::Variant => {
                StringArray::from_iter_values(set.variants.iter().map(|variant| &variant.name))
            }
            Column::Choice(task) => {
                StringArray::from_iter_values(set.tasks[task].choices.iter().map(|choice| &choice.name))
            }
            _ => StringArray::from_iter_values([""; 0]),
        })
    };
    columns.list().iter().map(text).collect()
}

/// The batches of a front, made one after the other.
struct Batches {
    explored: Arc<Exploration>,
    machine: Machine,
    schema: SchemaRef,
    names: Vec<ArrayRef>,
    next: usize,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let points = self.explored.front.len();
        let from = self.next;
        if from >= points {
            return None;
        }
        self.next = points.min(from + BATCH);
        Some(self.batch(from..self.next))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Batches {
    fn batch(&self, points: std::ops::Range<usize>) -> Result<RecordBatch, ArrowError> {
        let columns = Columns::new(&self.explored);
        let workers = self.machine.workers();
        let (rows, chunks) = (columns.rows(points.clone(), workers), columns.chunks(points, workers));
        let made = workers.map(self.names.len() as u64, true, |at| {
            let at = at as usize;
            array(columns.list()[at], self.schema.field(at).data_type(), &self.names[at], &rows, &chunks)
        });
        RecordBatch::try_new(Arc::clone(&self.schema), made.into_iter().collect::<Result<_, _>>()?)
    }
}

fn array(
    column: Column,
    data_type: &DataType,
    names: &ArrayRef,
    rows: &Rows,
    chunks: &[Chunk],
) -> Result<ArrayRef, ArrowError> {
    Ok(match column {
        Column::Cost(_, exact) | Column::Numerator(exact) | Column::Denominator(exact) => {
            numbers(column, exact, rows)?
        }
        Column::MarginNumerator | Column::MarginDenominator => numbers(column, Exact::Text, rows)?,
        Column::Approximation | Column::InMode(_) | Column::Margin => {
            Arc::new(Float64Array::from(rows.approximations(column)))
        }
        Column::Schedulable | Column::SchedulableWithin => {
            Arc::new(rows.verdicts(column).collect::<BooleanArray>())
        }
        Column::Blocks => Arc::new(blocks(names, chunks)?),
        Column::Variant | Column::Clock => {
            let numbers = |chunk: &Chunk| {
                let numbers = if column == Column::Variant { chunk.variants() } else { chunk.clocks() };
                numbers.iter().map(|&number| number as u32).collect()
            };
            let numbers: Vec<Vec<u32>> = chunks.iter().map(numbers).collect();
            keyed(data_type, names, &numbers.iter().map(Vec::as_slice).collect::<Vec<_>>())?
        }
        Column::Choice(task) => {
            let choices: Vec<&[u32]> = chunks.iter().map(|chunk| chunk.choices(task)).collect();
            keyed(data_type, names, &choices)?
        }
    })
}

fn numbers(column: Column, exact: Exact, rows: &Rows) -> Result<ArrayRef, ArrowError> {
    let wide = || ArrowError::ComputeError("a number passes the width chosen for its column".into());
    Ok(match exact {
        Exact::Integer => Arc::new(Int64Array::from(rows.integers(column).ok_or_else(wide)?)),
        Exact::Decimal(places) => {
            let digits = rows.integers(column).ok_or_else(wide)?;
            let decimals = Decimal128Array::from_iter_values(digits.into_iter().map(i128::from));
            Arc::new(decimals.with_precision_and_scale(DECIMAL_DIGITS as u8, places as i8)?)
        }
        Exact::Text => {
            let mut texts = StringBuilder::new();
            rows.texts(column, |text| {
                texts.append_value(std::str::from_utf8(text).map_err(io::Error::other)?);
                Ok(())
            })?;
            Arc::new(texts.finish())
        }
    })
}

/// The names of the blocks of every point, as lists.
fn blocks(names: &ArrayRef, chunks: &[Chunk]) -> Result<ListArray, ArrowError> {
    let names = names.as_any().downcast_ref::<StringArray>();
    let name = |&block: &u32| {
        names.filter(|names| names.len() > block as usize).map(|names| names.value(block as usize))
    };
    let built = chunks.iter().flat_map(|chunk| chunk.blocks()).filter_map(name);
    let built: ArrayRef = Arc::new(StringArray::from_iter_values(built));
    let counts = chunks.iter().flat_map(|chunk| chunk.block_counts());
    let offsets = OffsetBuffer::from_lengths(counts.map(|&count| count as usize));
    ListArray::try_new(element(), offsets, built, None)
}

/// Texts by their numbers among the names, in so many parts; [`SOFTWARE`] is null.
fn keyed(data_type: &DataType, names: &ArrayRef, numbers: &[&[u32]]) -> Result<ArrayRef, ArrowError> {
    let DataType::Dictionary(key, _) = data_type else {
        return Err(ArrowError::SchemaError("a column of names is coded by a dictionary".into()));
    };
    // Every number but that of software is one of a name, which the width of the keys was chosen for.
    match **key {
        DataType::Int8 => keyed_by::<Int8Type>(names, numbers, |number| number as i8),
        DataType::Int16 => keyed_by::<Int16Type>(names, numbers, |number| number as i16),
        _ => keyed_by::<Int32Type>(names, numbers, |number| number as i32),
    }
}

fn keyed_by<K: ArrowDictionaryKeyType>(
    names: &ArrayRef,
    numbers: &[&[u32]],
    key: impl Fn(u32) -> K::Native,
) -> Result<ArrayRef, ArrowError> {
    let count = numbers.iter().map(|part| part.len()).sum();
    let (mut keys, mut known) = (Vec::with_capacity(count), BooleanBufferBuilder::new(count));
    for part in numbers {
        // What stands where a key is null is not looked at, unless it is out of range.
        keys.extend(part.iter().map(|&number| key(if number == SOFTWARE { 0 } else { number })));
        known.append_buffer(&BooleanBuffer::collect_bool(part.len(), |at| part[at] != SOFTWARE));
    }
    let keys = PrimitiveArray::<K>::try_new(keys.into(), Some(NullBuffer::new(known.finish())))?;
    Ok(Arc::new(DictionaryArray::try_new(keys, Arc::clone(names))?))
}
