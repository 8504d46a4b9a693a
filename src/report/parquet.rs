//! The front as Parquet, a row a point: the form for fronts of millions of points.
//!
//! | column | type |
//! |---|---|
//! | `area` | 64-bit integer, or decimal with as many places as areas have; text beyond 18 digits |
//! | `utilization_num`, `utilization_den` | 64-bit integers; text where they pass 64 bits |
//! | `utilization` | double, the nearest |
//! | `schedulable` | Boolean, null where it is not known |
//! | `blocks`, where the task set has any | list of texts: the names of the blocks that the design builds, in file order |
//! | `clock_hz`, where a block limits the clock | text, the exact figure in hertz; coded by a dictionary |
//! | a column a task | text, the name of its choice, null for software; coded by a dictionary |
//!
//! Columns are named as in [`super::csv`]. Points are written in groups; the columns of a group are coded by all
//! threads, so memory is needed for one group however long the front is.

use super::blocks::Blocks;
use super::clock;
use super::csv::column_names;
use super::figures::{Figures, Fraction};
use crate::exploration::Exploration;
use crate::front::Point;
use crate::machine::cpu::Workers;
use crate::taskset::{Block, Task};
use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::{ParquetError, Result as Coded};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Points of a group.
const GROUP: usize = 1 << 17;
/// Points whose choices are turned from rows to columns at a time.
const CHUNK: usize = 1 << 10;
/// Stands for software among choices.
const SOFTWARE: u32 = u32::MAX;
/// Most digits of a number that is a decimal column.
const DECIMAL_DIGITS: i32 = 18;

/// Writes the front.
///
/// # Errors
///
/// When `out` fails.
pub fn write(explored: &Exploration, workers: &Workers, out: impl Write + Send) -> io::Result<()> {
    let writing = Writing::new(explored).map_err(io_error)?;
    let mut file = SerializedFileWriter::new(out, writing.schema.clone(), writing.properties.clone())
        .map_err(io_error)?;
    let points = explored.front.len();
    for from in (0..points).step_by(GROUP) {
        let group = from..points.min(from + GROUP);
        let columns = writing.code(group, workers).map_err(io_error)?;
        let mut rows = file.next_row_group().map_err(io_error)?;
        for (bytes, closed) in columns {
            rows.append_column(&bytes, closed).map_err(io_error)?;
        }
        rows.close().map_err(io_error)?;
    }
    file.close().map(drop).map_err(io_error)
}

/// Bytes that the front is expected to take, before compression.
#[must_use]
pub fn bytes(explored: &Exploration) -> u64 {
    // Area, numerator, denominator and decimal take 8 bytes each; a choice takes the bits of an index.
    let bits = |task: &Task| u64::from((task.choices.len() as u64 + 1).ilog2() + 1);
    let choices: u64 = explored.task_set().tasks.iter().map(bits).sum();
    // A block, where all are built: its number, whether it begins a list and whether that list is empty.
    let blocks = explored.task_set().blocks.len() as u64;
    let blocks = blocks * u64::from(2 + blocks.checked_ilog2().map_or(0, |bits| bits + 1));
    (explored.front.len() as u64).saturating_mul(33 + (choices + blocks).div_ceil(8)).saturating_add(1 << 14)
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

/// How a column of exact numbers is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exact {
    Integer,
    /// With so many places.
    Decimal(u32),
    Text,
}

/// What a column holds.
#[derive(Clone, Debug)]
enum Content {
    Area(Exact),
    Numerator(Exact),
    Denominator(Exact),
    Approximation,
    Schedulable,
    /// The names of all blocks.
    Blocks(Vec<ByteArray>),
    /// The clocks, by number.
    Clock(Vec<ByteArray>),
    /// The task of that number, and the names of its choices.
    Choice(usize, Vec<ByteArray>),
}

/// Writes a column of texts.
type TextWriter<'a> = ColumnWriterImpl<'a, ByteArrayType>;

/// Everything that does not change from group to group.
struct Writing<'a> {
    explored: &'a Exploration,
    figures: Figures<'a>,
    contents: Vec<Content>,
    schema: Arc<Type>,
    properties: WriterPropertiesPtr,
    columns: Vec<ColumnDescPtr>,
}

/// The figures and choices of a group of points.
struct Group<'a> {
    points: Vec<Point<'a>>,
    utilizations: Vec<Fraction>,
    /// The choices, so many points at a time.
    choices: Vec<Turned>,
}

/// What is built at some points, column by column.
struct Turned {
    /// The choices of the first task, then those of the second, and so on.
    choices: Vec<u32>,
    /// The blocks of the first point, then those of the second, and so on.
    blocks: Vec<u32>,
    /// How many blocks each point builds; empty where the set has none.
    counts: Vec<u32>,
    /// The number of each point's clock; empty where no block limits the clock.
    clocks: Vec<usize>,
}

impl<'a> Writing<'a> {
    fn new(explored: &'a Exploration) -> Coded<Self> {
        let figures = Figures::new(explored.front.formulation());
        let contents = contents(explored, &figures);
        let names = column_names(explored.task_set());
        let fields = contents.iter().zip(&names).map(|(content, name)| Ok(Arc::new(field(content, name)?)));
        let fields = fields.collect::<Coded<Vec<_>>>()?;
        let schema = Arc::new(Type::group_type_builder("front").with_fields(fields).build()?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(concat!("isx version ", env!("CARGO_PKG_VERSION")).into());
        let properties = Arc::new(properties.build());
        let described = parquet::schema::types::SchemaDescriptor::new(schema.clone());
        let columns = described.columns().to_vec();
        Ok(Self { explored, figures, contents, schema, properties, columns })
    }

    /// The columns of a group, coded.
    fn code(&self, group: Range<usize>, workers: &Workers) -> Coded<Vec<(Bytes, ColumnCloseResult)>> {
        let points: Vec<Point> = group.filter_map(|index| self.explored.front.get(index)).collect();
        let chunks: Vec<&[Point]> = points.chunks(CHUNK).collect();
        let choices = workers.map(chunks.len() as u64, true, |at| self.turned(chunks[at as usize]));
        let utilizations = workers.map(chunks.len() as u64, true, |at| {
            chunks[at as usize].iter().map(|point| self.figures.utilization(point)).collect::<Vec<_>>()
        });
        let utilizations = utilizations.into_iter().flatten().collect();
        let group = Group { choices, utilizations, points: points.clone() };
        let coded = workers.map(self.contents.len() as u64, true, |at| self.code_column(at as usize, &group));
        coded.into_iter().collect()
    }

    /// The choices of some points, task by task, and the blocks that they build.
    fn turned(&self, points: &[Point]) -> Turned {
        let task_set = self.explored.task_set();
        let (tasks, shares) = (task_set.tasks.len(), !task_set.blocks.is_empty());
        let mut turned = vec![SOFTWARE; tasks * points.len()];
        let (mut finder, mut blocks, mut counts) = (Blocks::new(task_set), Vec::new(), Vec::new());
        let (limited, mut clocks) = (task_set.limits_clock(), Vec::new());
        let (mut choices, mut scratch) = (vec![None; tasks], Vec::new());
        for (row, point) in points.iter().enumerate() {
            point.write_choices(&mut choices, &mut scratch);
            for (task, choice) in choices.iter().enumerate() {
                if let Some(choice) = choice {
                    turned[task * points.len() + row] = *choice;
                }
            }
            if shares {
                let before = blocks.len();
                blocks.extend(finder.of(&choices).map(|at| at as u32));
                counts.push((blocks.len() - before) as u32);
            }
            if limited {
                clocks.push(point.formulation().clock_number(&choices));
            }
        }
        Turned { choices: turned, blocks, counts, clocks }
    }

    fn code_column(&self, at: usize, group: &Group) -> Coded<(Bytes, ColumnCloseResult)> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut bytes));
        let mut writer = get_column_writer(self.columns[at].clone(), self.properties.clone(), pages);
        self.fill(&mut writer, &self.contents[at], group)?;
        let closed = writer.close()?;
        Ok((Bytes::from(bytes.into_inner()?), closed))
    }

    fn fill(&self, writer: &mut ColumnWriter, content: &Content, group: &Group) -> Coded<()> {
        let fractions = &group.utilizations;
        match (content, writer) {
            (Content::Area(_), ColumnWriter::Int64ColumnWriter(writer)) => {
                let areas = group.points.iter().map(|point| self.figures.area_digits(point));
                let areas: Option<Vec<i64>> = areas.map(|digits| i64::try_from(digits?).ok()).collect();
                writer.write_batch(&areas.ok_or_else(too_wide)?, None, None)?;
            }
            (Content::Area(_), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                let text = |point: &Point| text(|out| self.figures.write_area(point, out));
                let areas = group.points.iter().map(text).collect::<Coded<Vec<_>>>()?;
                writer.write_batch(&areas, None, None)?;
            }
            (Content::Numerator(_), ColumnWriter::Int64ColumnWriter(writer)) => {
                let small = fractions.iter().map(|fraction| i64::try_from(fraction.small()?.0).ok());
                writer.write_batch(&small.collect::<Option<Vec<_>>>().ok_or_else(too_wide)?, None, None)?;
            }
            (Content::Denominator(_), ColumnWriter::Int64ColumnWriter(writer)) => {
                let small = fractions.iter().map(|fraction| i64::try_from(fraction.small()?.1).ok());
                writer.write_batch(&small.collect::<Option<Vec<_>>>().ok_or_else(too_wide)?, None, None)?;
            }
            (Content::Numerator(_), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                let texts = fractions.iter().map(|fraction| text(|out| fraction.write_numerator(out)));
                writer.write_batch(&texts.collect::<Coded<Vec<_>>>()?, None, None)?;
            }
            (Content::Denominator(_), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                let texts = fractions.iter().map(|fraction| text(|out| fraction.write_denominator(out)));
                writer.write_batch(&texts.collect::<Coded<Vec<_>>>()?, None, None)?;
            }
            (Content::Approximation, ColumnWriter::DoubleColumnWriter(writer)) => {
                let doubles: Vec<f64> = fractions.iter().map(Fraction::approx).collect();
                writer.write_batch(&doubles, None, None)?;
            }
            (Content::Schedulable, ColumnWriter::BoolColumnWriter(writer)) => {
                let verdicts = group.points.iter().map(|point| self.explored.verdicts.points[point.index()]);
                let known: Vec<bool> = verdicts.clone().flatten().collect();
                let levels: Vec<i16> = verdicts.map(|verdict| i16::from(verdict.is_some())).collect();
                writer.write_batch(&known, Some(&levels), None)?;
            }
            (Content::Blocks(names), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                write_blocks(names, group, writer)?;
            }
            (Content::Clock(figures), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                for turned in &group.choices {
                    let clocks: Vec<ByteArray> =
                        turned.clocks.iter().map(|&clock| figures[clock].clone()).collect();
                    writer.write_batch(&clocks, None, None)?;
                }
            }
            (Content::Choice(task, names), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                let tasks = self.explored.task_set().tasks.len();
                write_choices(*task, tasks, names, group, writer)?;
            }
            (content, _) => {
                return Err(ParquetError::General(format!("no column is made for {content:?}")));
            }
        }
        Ok(())
    }
}

fn write_blocks(names: &[ByteArray], group: &Group, writer: &mut TextWriter) -> Coded<()> {
    for turned in &group.choices {
        let (holds, continues) = list_levels(&turned.counts);
        let built = turned.blocks.iter().map(|&block| names[block as usize].clone());
        writer.write_batch(&built.collect::<Vec<_>>(), Some(&holds), Some(&continues))?;
    }
    Ok(())
}

/// Writes the choices of one of so many tasks.
fn write_choices(
    task: usize,
    tasks: usize,
    names: &[ByteArray],
    group: &Group,
    writer: &mut TextWriter,
) -> Coded<()> {
    let (mut values, mut levels) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    for Turned { choices, .. } in &group.choices {
        values.clear();
        levels.clear();
        let rows = choices.len() / tasks;
        for &choice in &choices[task * rows..(task + 1) * rows] {
            levels.push(i16::from(choice != SOFTWARE));
            if choice != SOFTWARE {
                values.push(names[choice as usize].clone());
            }
        }
        writer.write_batch(&values, Some(&levels), None)?;
    }
    Ok(())
}

/// The levels of lists of these lengths: whether an entry holds a value (an empty list is an entry without one), and
/// whether it continues the list of the entry before it.
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

/// The text that `write` makes.
fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Coded<ByteArray> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| ParquetError::External(Box::new(error)))?;
    Ok(ByteArray::from(bytes))
}

/// The widths of columns are chosen so that this does not happen.
fn too_wide() -> ParquetError {
    ParquetError::General("a number passes the width chosen for its column".into())
}

/// The columns in order, each as wide as the front needs it.
fn contents(explored: &Exploration, figures: &Figures) -> Vec<Content> {
    let front = &explored.front;
    // Areas rise and demands fall, so one point of each bounds the others; so does the hyperperiod what it divides.
    let (first, last) = (front.iter().next(), front.iter().next_back());
    let digits = last.and_then(|last| figures.area_digits(&last)).filter(|&digits| digits < 10u128.pow(18));
    let area = match (digits, figures.area_places()) {
        (Some(_), Some(0)) => Exact::Integer,
        (Some(_), Some(places)) if places <= DECIMAL_DIGITS as u32 => Exact::Decimal(places),
        _ => Exact::Text,
    };
    let demand = first.and_then(|first| first.demand_in::<i64>());
    let hyperperiod = i64::try_from(&front.formulation().hyperperiod).ok();
    let fraction = if demand.and(hyperperiod).is_some() { Exact::Integer } else { Exact::Text };
    let figures = [
        Content::Area(area),
        Content::Numerator(fraction),
        Content::Denominator(fraction),
        Content::Approximation,
        Content::Schedulable,
    ];
    let name = |block: &Block| ByteArray::from(block.name.clone().into_bytes());
    let blocks: Vec<ByteArray> = explored.task_set().blocks.iter().map(name).collect();
    let blocks = Some(blocks).filter(|blocks| !blocks.is_empty()).map(Content::Blocks);
    let clocks = clock::figures(front.formulation());
    let clocks: Vec<ByteArray> = clocks.into_iter().map(|figure| figure.into_bytes().into()).collect();
    let clocks = Some(clocks).filter(|clocks| !clocks.is_empty()).map(Content::Clock);
    let tasks = explored.task_set().tasks.iter().enumerate().map(|(at, task)| {
        let name = |choice: &crate::taskset::Choice| ByteArray::from(choice.name.clone().into_bytes());
        Content::Choice(at, task.choices.iter().map(name).collect())
    });
    figures.into_iter().chain(blocks).chain(clocks).chain(tasks).collect()
}

fn field(content: &Content, name: &str) -> Coded<Type> {
    let exact = |exact: &Exact| match *exact {
        Exact::Integer => Type::primitive_type_builder(name, Physical::INT64),
        Exact::Decimal(places) => Type::primitive_type_builder(name, Physical::INT64)
            .with_converted_type(ConvertedType::DECIMAL)
            .with_logical_type(Some(LogicalType::decimal(places as i32, DECIMAL_DIGITS)))
            .with_precision(DECIMAL_DIGITS)
            .with_scale(places as i32),
        Exact::Text => string(name),
    };
    let (field, repetition) = match content {
        Content::Blocks(_) => return list_of_strings(name),
        Content::Area(width) | Content::Numerator(width) | Content::Denominator(width) => {
            (exact(width), Repetition::REQUIRED)
        }
        Content::Approximation => {
            (Type::primitive_type_builder(name, Physical::DOUBLE), Repetition::REQUIRED)
        }
        Content::Schedulable => (Type::primitive_type_builder(name, Physical::BOOLEAN), Repetition::OPTIONAL),
        Content::Clock(_) => (string(name), Repetition::REQUIRED),
        Content::Choice(..) => (string(name), Repetition::OPTIONAL),
    };
    field.with_repetition(repetition).build()
}

fn string(name: &str) -> parquet::schema::types::PrimitiveTypeBuilder<'_> {
    Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_converted_type(ConvertedType::UTF8)
        .with_logical_type(Some(LogicalType::String))
}

/// A list as the format's own text writes it, so that every reader takes it for one; neither it nor its elements are
/// ever null.
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
