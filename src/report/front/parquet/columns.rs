//! The columns of a row group, read some rows at a time.

use crate::front::Number;
use crate::front::document::Names;
use crate::front::number::{parse, quotient};
use crate::front::unreadable::PlotError;
use parquet::basic::{LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::schema::types::ColumnDescriptor;

/// The error for a column that is not what isx writes.
pub fn wrong(column: &ColumnDescriptor, why: &str) -> PlotError {
    PlotError::Parquet(format!("its column `{}` {why}", crate::text::cut(column.name(), 60)))
}

/// The exact numbers of a column.
pub enum Numbers {
    /// Integers, and ten to the power of the digits after the decimal point.
    Whole(Vec<i64>, u128),
    Texts(Vec<ByteArray>),
}

/// Most digits after the decimal point of an integer column.
const MOST_PLACES: i32 = 18;

impl Numbers {
    /// Reads the next rows.
    pub fn next(
        reader: &mut ColumnReader,
        column: &ColumnDescriptor,
        rows: usize,
    ) -> Result<Self, PlotError> {
        match reader {
            ColumnReader::Int64ColumnReader(reader) if column.max_def_level() == 0 => {
                let mut values = Vec::new();
                full(column, reader.read_records(rows, None, None, &mut values)?.0, rows)?;
                let places = match column.logical_type_ref() {
                    Some(LogicalType::Decimal(decimal)) => decimal.scale,
                    _ => 0,
                };
                if !(0..=MOST_PLACES).contains(&places) {
                    return Err(wrong(column, "has more digits after the decimal point than isx writes"));
                }
                Ok(Self::Whole(values, 10u128.pow(places.unsigned_abs())))
            }
            ColumnReader::ByteArrayColumnReader(reader) if column.max_def_level() == 0 => {
                let mut values = Vec::new();
                full(column, reader.read_records(rows, None, None, &mut values)?.0, rows)?;
                Ok(Self::Texts(values))
            }
            _ => Err(wrong(column, "is neither of integers nor of texts")),
        }
    }

    /// The number of a row, which is negative only as an amount of a resource.
    pub fn get(&self, column: &ColumnDescriptor, row: usize) -> Result<Number, PlotError> {
        let number = match self {
            Self::Whole(values, power) => values.get(row).map(|&value| Number::of(value.into(), *power)),
            Self::Texts(values) => values.get(row).and_then(text).and_then(parse),
        };
        number.ok_or_else(|| wrong(column, "has a value that is no exact number"))
    }

    /// The quotient of two columns' numbers in a row.
    pub fn quotient(&self, den: &Self, column: &ColumnDescriptor, row: usize) -> Result<Number, PlotError> {
        let ratio = match (self, den) {
            (Self::Whole(nums, _), Self::Whole(dens, _)) => match (nums.get(row), dens.get(row)) {
                (Some(&num), Some(&den)) if num >= 0 && den > 0 => {
                    Some(Number::of(num.into(), den.unsigned_abs().into()))
                }
                _ => None,
            },
            (Self::Texts(nums), Self::Texts(dens)) => {
                let both = nums.get(row).and_then(text).zip(dens.get(row).and_then(text));
                both.and_then(|(num, den)| quotient(num, den))
            }
            _ => None,
        };
        ratio.ok_or_else(|| wrong(column, "and its denominators are no fractions"))
    }
}

/// Reads the next verdicts.
pub fn verdicts(
    reader: &mut ColumnReader,
    column: &ColumnDescriptor,
    rows: usize,
) -> Result<Vec<Option<bool>>, PlotError> {
    let ColumnReader::BoolColumnReader(reader) = reader else {
        return Err(wrong(column, "holds no Booleans"));
    };
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    full(column, reader.read_records(rows, Some(&mut levels), None, &mut values)?.0, rows)?;
    let mut values = values.into_iter();
    if column.max_def_level() == 0 {
        return Ok(values.map(Some).collect());
    }
    let known = |level: i16| if level > 0 { values.next() } else { None };
    Ok(levels.into_iter().map(known).collect())
}

/// Reads the next texts, as indices of names; a text is null only in an optional column.
pub fn next_names(
    names: &mut Names,
    reader: &mut ColumnReader,
    column: &ColumnDescriptor,
    rows: usize,
) -> Result<Vec<Option<u32>>, PlotError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let reader = texts(reader, column)?;
    full(column, reader.read_records(rows, Some(&mut levels), None, &mut values)?.0, rows)?;
    let mut values = values.iter();
    let mut next = || values.next().map(|value| number(names, value, column)).transpose();
    if column.max_def_level() == 0 {
        return (0..rows).map(|_| next()).collect();
    }
    levels.into_iter().map(|level| if level > 0 { next() } else { Ok(None) }).collect()
}

fn number(names: &mut Names, value: &ByteArray, column: &ColumnDescriptor) -> Result<u32, PlotError> {
    let name = text(value).ok_or_else(|| wrong(column, "has text that is not UTF-8"))?;
    Ok(names.number(name))
}

/// Reads the next lists of texts, as indices of names.
pub fn next_lists(
    names: &mut Names,
    reader: &mut ColumnReader,
    column: &ColumnDescriptor,
    rows: usize,
) -> Result<Vec<Vec<u32>>, PlotError> {
    let (mut values, mut holds, mut continues) = (Vec::new(), Vec::new(), Vec::new());
    let reader = texts(reader, column)?;
    let read = reader.read_records(rows, Some(&mut holds), Some(&mut continues), &mut values)?;
    full(column, read.0, rows)?;
    let mut values = values.iter();
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for (holds, continues) in holds.iter().zip(&continues) {
        if *continues == 0 {
            lists.push(Vec::new());
        }
        if *holds > 0
            && let (Some(list), Some(value)) = (lists.last_mut(), values.next())
        {
            list.push(number(names, value, column)?);
        }
    }
    full(column, lists.len(), rows)?;
    Ok(lists)
}

fn texts<'a>(
    reader: &'a mut ColumnReader,
    column: &ColumnDescriptor,
) -> Result<&'a mut ColumnReaderImpl<ByteArrayType>, PlotError> {
    match reader {
        ColumnReader::ByteArrayColumnReader(reader) => Ok(reader),
        _ => Err(wrong(column, "holds no texts")),
    }
}

/// Skips rows.
pub fn skip(reader: &mut ColumnReader, column: &ColumnDescriptor, rows: usize) -> Result<(), PlotError> {
    let skipped = match reader {
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows)?,
        ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows)?,
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows)?,
        _ => return Err(wrong(column, "has a type that isx does not write")),
    };
    full(column, skipped, rows)
}

/// Whether the column has optional or required texts, as a task's choices and a design's clock.
pub fn is_text(column: &ColumnDescriptor) -> bool {
    column.physical_type() == Physical::BYTE_ARRAY && column.max_rep_level() == 0
}

fn text(value: &ByteArray) -> Option<&str> {
    value.as_utf8().ok()
}

fn full(column: &ColumnDescriptor, found: usize, rows: usize) -> Result<(), PlotError> {
    if found == rows { Ok(()) } else { Err(wrong(column, "has fewer rows than the file says")) }
}
