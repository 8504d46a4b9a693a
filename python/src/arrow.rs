//! The front as an Arrow stream, by the Arrow PyCapsule interface: what polars, pandas, pyarrow and DuckDB read without a
//! copy.
//!
//! The columns are those of the Parquet file: areas as 64-bit integers, decimals or text, utilizations as numerator,
//! denominator and nearest double, verdicts, blocks, clock, and a column a task whose names are coded by a dictionary.
//! Batches are made as they are asked for.

use crate::errors::{self, Answered};
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    ListArray, RecordBatch, RecordBatchReader, StringArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use isx::exploration::Exploration;
use isx::machine::Machine;
use isx::report::columns::{Column, Columns, Content, DECIMAL_DIGITS, SOFTWARE, Values};
use isx::report::front::Front;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ops::Range;
use std::sync::Arc;

/// Points of a batch.
const BATCH: usize = 1 << 19;

/// The capsule of the stream's schema.
pub fn schema_capsule<'py>(py: Python<'py>, batches: Batches) -> Answered<Bound<'py, PyCapsule>> {
    let exported = FFI_ArrowSchema::try_from(&*batches.schema).map_err(errors::input)?;
    Ok(PyCapsule::new_with_value(py, exported, c"arrow_schema")?)
}

/// The capsule of the stream. Whoever takes the stream out of it leaves it empty; else the capsule frees it.
pub fn stream_capsule<'py>(py: Python<'py>, batches: Batches) -> Answered<Bound<'py, PyCapsule>> {
    Ok(PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")?)
}

/// The batches of a front, made one after the other.
pub struct Batches {
    explored: Arc<Exploration>,
    machine: Machine,
    schema: SchemaRef,
    next: usize,
}

impl Batches {
    pub fn of(explored: Arc<Exploration>, machine: Machine) -> Answered<Self> {
        let schema = batch(&explored, 0..0, &machine).map_err(errors::input)?.schema();
        Ok(Self { explored, machine, schema, next: 0 })
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (from, points) = (self.next, self.explored.front.len());
        self.next = points.min(from + BATCH);
        (from < points).then(|| batch(&self.explored, from..self.next, &self.machine))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

fn batch(explored: &Exploration, points: Range<usize>, machine: &Machine) -> Result<RecordBatch, ArrowError> {
    let front = Front::of(explored);
    let columns = Columns::new(&front);
    let arrays =
        columns.list().iter().zip(columns.read(points, machine.workers())).map(|(column, values)| {
            let nullable = matches!(column.content, Content::Verdict | Content::Name(_, true));
            Ok((column.name.clone(), array(column, values)?, nullable))
        });
    RecordBatch::try_from_iter_with_nullable(arrays.collect::<Result<Vec<_>, ArrowError>>()?)
}

fn array(column: &Column, values: Values) -> Result<ArrayRef, ArrowError> {
    Ok(match (values, &column.content) {
        (Values::Integers(digits), Content::Decimal(places)) => {
            let decimals = Decimal128Array::from_iter_values(digits.into_iter().map(i128::from));
            Arc::new(decimals.with_precision_and_scale(DECIMAL_DIGITS as u8, *places as i8)?)
        }
        (Values::Integers(values), _) => Arc::new(Int64Array::from(values)),
        (Values::Texts(texts), _) => Arc::new(StringArray::from(texts)),
        (Values::Doubles(values), _) => Arc::new(Float64Array::from(values)),
        (Values::Verdicts(verdicts), _) => Arc::new(BooleanArray::from(verdicts)),
        (Values::Names(numbers), Content::Name(names, _)) => {
            let numbers = numbers.into_iter().map(|at| (at != SOFTWARE).then_some(at as i32));
            let names = Arc::new(StringArray::from_iter_values(names));
            Arc::new(DictionaryArray::<Int32Type>::try_new(numbers.collect::<Int32Array>(), names)?)
        }
        (Values::Lists(counts, numbers), Content::Names(names)) => {
            let built = numbers.iter().filter_map(|&block| names.get(block as usize));
            let built = Arc::new(StringArray::from_iter_values(built));
            let offsets = OffsetBuffer::from_lengths(counts.into_iter().map(|count| count as usize));
            let element = Arc::new(Field::new("element", DataType::Utf8, false));
            Arc::new(ListArray::try_new(element, offsets, built, None)?)
        }
        _ => return Err(ArrowError::SchemaError("a column without its names".into())),
    })
}
