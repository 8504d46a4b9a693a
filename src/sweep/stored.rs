//! Records as Parquet: chunks, each with a checksum of its own, and the one file that they are merged into.
//!
//! The columns are those of [`columns`]. The key-value metadata of the merged file hold the canonical
//! text of the specification (`isx.sweep`); a chunk has the SHA-256 of that text (`isx.sweep_sha256`), its number
//! (`isx.chunk`), and the SHA-256 of the file with zeros in the place of these digits (`isx.sha256`). Whatever byte
//! of a chunk is changed, it is found.

use crate::record::{Column, Content, Record, columns};
use crate::spec::{Axis, Numbers, Spec, SweepError, sha256};
use bytes::Bytes;
use isx_exact::quantity::{Rational, format_decimal, parse_decimal};
use isx_report::parquet_guard::guarded;
use num_bigint::BigInt;
use num_traits::Zero;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::{ParquetError, Result as Coded};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{PrimitiveTypeBuilder, Type};
use std::fs::File;
use std::io::Write;
use std::iter::repeat_n;
use std::path::Path;
use std::sync::Arc;

/// Records of a row group of the merged file.
const GROUP: usize = 1 << 17;

/// Digits of a SHA-256 that is not known yet.
const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The key of the canonical specification in the metadata of a file.
pub const SPEC: &str = "isx.sweep";
const SPEC_SHA256: &str = "isx.sweep_sha256";
const CHUNK: &str = "isx.chunk";
const OWN_SHA256: &str = "isx.sha256";
/// The key of the schema of its columns.
pub const SCHEMA: &str = "isx.schema";

/// Writes records in order.
pub struct Writer<'a> {
    file: SerializedFileWriter<&'a mut (dyn Write + Send)>,
    spec: &'a Spec,
    columns: Vec<Column>,
    waiting: Vec<Record>,
}

impl<'a> Writer<'a> {
    /// The file that chunks are merged into.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn new(spec: &'a Spec, out: &'a mut (dyn Write + Send)) -> std::io::Result<Self> {
        Self::with(spec, vec![(SPEC, spec.canonical().to_owned())], out).map_err(std::io::Error::other)
    }

    fn with(
        spec: &'a Spec,
        keys: Vec<(&'static str, String)>,
        out: &'a mut (dyn Write + Send),
    ) -> Coded<Self> {
        let columns = columns(spec);
        let fields = columns.iter().map(|column| Ok(Arc::new(field(column, spec)?)));
        let fields = fields.collect::<Coded<Vec<_>>>()?;
        let schema = Arc::new(Type::group_type_builder("sweep").with_fields(fields).build()?);
        let keys = [(SCHEMA, crate::spec::SCHEMA_NAME.to_owned())].into_iter().chain(keys);
        let keys = keys.map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(concat!("isx version ", env!("CARGO_PKG_VERSION")).into())
            .set_key_value_metadata(Some(keys));
        let file = SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?;
        Ok(Self { file, spec, columns, waiting: Vec::new() })
    }

    /// Adds records.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, mut records: Vec<Record>) -> std::io::Result<()> {
        self.waiting.append(&mut records);
        while self.waiting.len() >= GROUP {
            let later = self.waiting.split_off(GROUP);
            let group = std::mem::replace(&mut self.waiting, later);
            self.write_group(&group).map_err(std::io::Error::other)?;
        }
        Ok(())
    }

    /// Writes what is left, and the end of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> std::io::Result<()> {
        let group = std::mem::take(&mut self.waiting);
        let written = if group.is_empty() { Ok(()) } else { self.write_group(&group) };
        written.and_then(|()| self.file.close().map(drop)).map_err(std::io::Error::other)
    }

    fn write_group(&mut self, records: &[Record]) -> Coded<()> {
        let mut group = self.file.next_row_group()?;
        for column in &self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            match values(self.spec, column.content, records) {
                Values::Whole(values) => {
                    writer.typed::<Int64Type>().write_batch(&values, None, None)?;
                }
                Values::Text(values, levels) => {
                    writer.typed::<ByteArrayType>().write_batch(&values, levels.as_deref(), None)?;
                }
                Values::Flags(values, levels) => {
                    writer.typed::<BoolType>().write_batch(&values, levels.as_deref(), None)?;
                }
            }
            writer.close()?;
        }
        group.close().map(drop)
    }
}

fn field(column: &Column, spec: &Spec) -> Coded<Type> {
    let name = column.name.as_str();
    let field = match column.content {
        Content::Accepted(_) | Content::AcceptedAny | Content::Unknown => {
            Type::primitive_type_builder(name, Physical::BOOLEAN)
        }
        content => numbers_or_text(name, content.numbers(spec)),
    };
    let optional = column.content.is_optional();
    field.with_repetition(if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED }).build()
}

/// A column of these numbers, or else of text.
pub fn numbers_or_text(name: &str, numbers: Option<Numbers>) -> PrimitiveTypeBuilder<'_> {
    let whole = Type::primitive_type_builder(name, Physical::INT64);
    match numbers {
        Some(Numbers { places: 0 }) => whole,
        Some(Numbers { places }) => whole
            .with_converted_type(ConvertedType::DECIMAL)
            .with_logical_type(Some(LogicalType::decimal(places as i32, 18)))
            .with_precision(18)
            .with_scale(places as i32),
        None => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_converted_type(ConvertedType::UTF8)
            .with_logical_type(Some(LogicalType::String)),
    }
}

/// The values of a column, in an optional one with a level for each record: 0 if it has none.
enum Values {
    Whole(Vec<i64>),
    Text(Vec<ByteArray>, Option<Vec<i16>>),
    Flags(Vec<bool>, Option<Vec<i16>>),
}

fn values(spec: &Spec, content: Content, records: &[Record]) -> Values {
    let whole =
        |of: fn(&Record) -> u64| Values::Whole(records.iter().map(|record| of(record) as i64).collect());
    let text = |of: &dyn Fn(&Record) -> String| {
        Values::Text(records.iter().map(|record| of(record).into_bytes().into()).collect(), None)
    };
    let optional = |of: &dyn Fn(&Record) -> Option<String>| {
        let texts: Vec<Option<String>> = records.iter().map(of).collect();
        let levels = texts.iter().map(|text| i16::from(text.is_some())).collect();
        Values::Text(texts.into_iter().flatten().map(|text| text.into_bytes().into()).collect(), Some(levels))
    };
    let flags = |of: &dyn Fn(&Record) -> Option<bool>| {
        let flags: Vec<Option<bool>> = records.iter().map(of).collect();
        let levels = flags.iter().map(|flag| i16::from(flag.is_some())).collect();
        Values::Flags(flags.into_iter().flatten().collect(), Some(levels))
    };
    let least = |record: &Record| record.least_utilization.clone().unwrap_or_default();
    match content {
        Content::Point => whole(|record| record.point),
        Content::Index => whole(|record| record.index),
        Content::Points => whole(|record| record.points.unwrap_or(0)),
        Content::Grid(axis) => {
            of_axis(&spec.grid()[axis], records, &|record| record.point, &|point| spec.values_at(point)[axis])
        }
        Content::Paired(axis) => of_axis(&spec.paired[axis], records, &|record| record.pair, &|pair| {
            spec.values_of_pair(pair)[axis]
        }),
        Content::File => text(&|record| {
            spec.files().get(record.index as usize).map(|file| file.path.clone()).unwrap_or_default()
        }),
        Content::UtilizationNum => text(&|record| record.utilization.numer().to_string()),
        Content::UtilizationDen => text(&|record| record.utilization.denom().to_string()),
        Content::LeastNum => text(&|record| least(record).numer().to_string()),
        Content::LeastDen => text(&|record| least(record).denom().to_string()),
        Content::MinArea => optional(&|record| record.min_area.as_ref().map(format_decimal)),
        Content::AreaBound(end) => optional(&|record| record.area_bounds[end].as_ref().map(format_decimal)),
        Content::Breakdown => optional(&|record| record.breakdown.as_ref().map(Rational::to_string)),
        Content::BreakdownBound(end) => {
            optional(&|record| record.breakdown_bounds[end].as_ref().map(Rational::to_string))
        }
        Content::Accepted(budget) => flags(&|record| record.accepted[budget]),
        Content::AcceptedAny => flags(&|record| record.accepted_any),
        Content::Unknown => Values::Flags(records.iter().map(|record| record.unknown).collect(), None),
    }
}

/// The values of an axis, by the number of the combination that each record belongs to; neighbours mostly share it.
fn of_axis<'a>(
    axis: &Axis,
    records: &[Record],
    number: &dyn Fn(&Record) -> u64,
    value: &dyn Fn(u64) -> &'a str,
) -> Values {
    let runs =
        || records.chunk_by(|a, b| number(a) == number(b)).map(|run| (value(number(&run[0])), run.len()));
    match axis.numbers() {
        Some(numbers) => {
            let whole = |(text, count)| repeat_n(numbers.digits(text).unwrap_or(0), count);
            Values::Whole(runs().flat_map(whole).collect())
        }
        None => Values::Text(runs().flat_map(|(text, count)| repeat_n(text.into(), count)).collect(), None),
    }
}

/// The file of a chunk.
///
/// # Errors
///
/// If the library cannot encode it.
pub fn chunk(spec: &Spec, number: u64, records: Vec<Record>) -> Result<Vec<u8>, SweepError> {
    let keys = vec![
        (SPEC_SHA256, spec.sha256().to_owned()),
        (CHUNK, number.to_string()),
        (OWN_SHA256, ZEROS.to_owned()),
    ];
    let failed = |error: &dyn std::fmt::Display| SweepError::Damaged(format!("chunk {number}: {error}"));
    let mut bytes = Vec::new();
    let mut writer = Writer::with(spec, keys, &mut bytes).map_err(|error| failed(&error))?;
    writer.waiting = records;
    writer.finish().map_err(|error| failed(&error))?;
    let at = last_of(&bytes, ZEROS.as_bytes()).ok_or_else(|| failed(&"it has no place for its checksum"))?;
    let own = sha256(&bytes);
    bytes[at..at + own.len()].copy_from_slice(own.as_bytes());
    Ok(bytes)
}

/// Where the last of these bytes begin.
fn last_of(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|window| window == wanted)
}

/// The records of a chunk's file, named `path` in messages, if every byte of it is as it was written.
///
/// # Errors
///
/// [`SweepError::Damaged`].
pub fn read_chunk(spec: &Spec, number: u64, path: &Path, bytes: Vec<u8>) -> Result<Vec<Record>, SweepError> {
    let refused = |why: &str| {
        SweepError::Damaged(format!(
            "`{}` is {why}; delete it, and run the sweep again to compute that chunk",
            path.display()
        ))
    };
    let file = Bytes::from(bytes);
    let keys = guarded(damaged(), || Ok(keys(&SerializedFileReader::new(file.clone())?)));
    let keys = keys.map_err(|_| refused("damaged: it is not a chunk of a sweep"))?;
    let key = |name: &str| keys.iter().find(|key| key.key == name)?.value.as_deref();
    let own = key(OWN_SHA256).ok_or_else(|| refused("not a chunk of a sweep"))?;
    let mut blank = file.to_vec();
    let at = last_of(&blank, own.as_bytes()).filter(|_| own.len() == ZEROS.len());
    let at = at.ok_or_else(|| refused("damaged"))?;
    blank[at..at + own.len()].copy_from_slice(ZEROS.as_bytes());
    if sha256(&blank) != own {
        return Err(refused("damaged: a byte of it was changed"));
    }
    if key(SPEC_SHA256) != Some(spec.sha256()) {
        return Err(refused("of another sweep"));
    }
    if key(CHUNK) != Some(number.to_string().as_str()) {
        return Err(refused(&format!("chunk {}, not {number}", key(CHUNK).unwrap_or_default())));
    }
    let mut records = Vec::new();
    read_records(spec, file, &mut |record| records.push(record))
        .map_err(|error| refused(&format!("damaged: {error}")))?;
    let (point, sets) = spec.sets_of(number);
    let expected = sets.flat_map(|index| (0..spec.pairs()).map(move |pair| (point, index, pair)));
    match records.iter().map(|record| (record.point, record.index, record.pair)).eq(expected) {
        true => Ok(records),
        false => Err(refused("of other sets than its number says")),
    }
}

/// The specification of a merged file.
///
/// # Errors
///
/// If it is no such file, or damaged.
pub fn spec_of(file: &File, path: &Path) -> Result<Spec, SweepError> {
    let refused = |why: &dyn std::fmt::Display| SweepError::Asked(format!("{}: {why}", path.display()));
    let copy = file.try_clone().map_err(|error| refused(&error))?;
    let keys = guarded(damaged(), || Ok(keys(&SerializedFileReader::new(copy)?)))
        .map_err(|error| refused(&error))?;
    let text = keys.into_iter().find(|key| key.key == SPEC).and_then(|key| key.value);
    let text = text.ok_or_else(|| refused(&"this is no sweep: `isx sweep merge` writes one"))?;
    Spec::read(&path.display().to_string(), text.as_bytes(), Path::new(""))
}

/// Reads a merged file: its records in order, to `visit`.
///
/// # Errors
///
/// If it is no such file, or damaged.
pub fn read(path: &Path, visit: &mut dyn FnMut(Record)) -> Result<Spec, SweepError> {
    let refused = |why: &dyn std::fmt::Display| SweepError::Asked(format!("{}: {why}", path.display()));
    let file = File::open(path).map_err(|error| refused(&error))?;
    let spec = spec_of(&file, path)?;
    read_records(&spec, file, visit).map_err(|error| refused(&error))?;
    Ok(spec)
}

fn damaged() -> ParquetError {
    ParquetError::General("the file is damaged".into())
}

fn keys<R: ChunkReader + 'static>(reader: &SerializedFileReader<R>) -> Vec<KeyValue> {
    reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default()
}

fn read_records<R: ChunkReader + 'static>(spec: &Spec, file: R, visit: &mut dyn FnMut(Record)) -> Coded<()> {
    guarded(damaged(), || {
        let reader = SerializedFileReader::new(file)?;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group)?;
            read_group(spec, group.as_ref())?.into_iter().for_each(&mut *visit);
        }
        Ok(())
    })
}

fn read_group(spec: &Spec, group: &dyn RowGroupReader) -> Coded<Vec<Record>> {
    let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
    let empty = Record { accepted: vec![None; spec.asked.budgets.len()], ..Record::default() };
    let mut records = vec![empty; rows];
    for (at, column) in columns(spec).iter().enumerate() {
        let wrong =
            || ParquetError::General(format!("its column `{}` is not that of the sweep", column.name));
        let described = group.metadata().column(at);
        if described.column_descr().name() != column.name {
            return Err(wrong());
        }
        let (mut levels, mut texts, mut whole, mut flags) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let levels_of = |levels| column.content.is_optional().then_some(levels);
        let found = match group.get_column_reader(at)? {
            ColumnReader::Int64ColumnReader(mut reader) => {
                reader.read_records(rows, None, None, &mut whole)?
            }
            ColumnReader::ByteArrayColumnReader(mut reader) => {
                reader.read_records(rows, levels_of(&mut levels), None, &mut texts)?
            }
            ColumnReader::BoolColumnReader(mut reader) => {
                reader.read_records(rows, levels_of(&mut levels), None, &mut flags)?
            }
            _ => return Err(wrong()),
        };
        if found.0 != rows {
            return Err(wrong());
        }
        let (mut texts, mut whole, mut flags) = (texts.into_iter(), whole.into_iter(), flags.into_iter());
        for (row, record) in records.iter_mut().enumerate() {
            if levels.get(row) == Some(&0) {
                continue;
            }
            let value = Value { text: texts.next(), whole: whole.next(), flag: flags.next() };
            value.set(spec, column.content, record).ok_or_else(wrong)?;
        }
    }
    Ok(records)
}

/// A value of a column, of its type.
struct Value {
    text: Option<ByteArray>,
    whole: Option<i64>,
    flag: Option<bool>,
}

impl Value {
    fn text(&self) -> Option<&str> {
        self.text.as_ref()?.as_utf8().ok()
    }

    /// A fraction or a whole number of any length, or a decimal.
    fn number(&self) -> Option<Rational> {
        let text = self.text()?;
        let whole = |text: &str| text.parse::<BigInt>().ok();
        match text.split_once('/') {
            Some((num, den)) => Some(Rational::new(whole(num)?, whole(den).filter(|den| !den.is_zero())?)),
            None => whole(text).map(Rational::from).or_else(|| parse_decimal(text).ok()),
        }
    }

    /// Puts the value in its place; `None` if it is not of the column's type, or cannot stand there.
    fn set(&self, spec: &Spec, content: Content, record: &mut Record) -> Option<()> {
        let whole = || u64::try_from(self.whole?).ok();
        match content {
            Content::Point => record.point = whole().filter(|point| *point < spec.points())?,
            Content::Index => record.index = whole().filter(|index| *index < spec.sets_per_point)?,
            Content::Points => record.points = Some(whole()?),
            // The number of the point says what it is.
            Content::Grid(_) | Content::File => {}
            Content::Paired(axis) => {
                let paired = &spec.paired[axis];
                let same = |value: &String| match (self.whole, paired.numbers()) {
                    (Some(digits), Some(numbers)) => numbers.digits(value) == Some(digits),
                    _ => self.text() == Some(value),
                };
                let at = paired.values.iter().position(same)?;
                record.pair = record.pair * paired.values.len() as u64 + at as u64;
            }
            Content::UtilizationNum => record.utilization = self.number()?,
            Content::UtilizationDen => {
                record.utilization = &record.utilization / self.number().filter(|den| !den.is_zero())?;
            }
            Content::LeastNum => record.least_utilization = Some(self.number()?),
            Content::LeastDen => {
                let den = self.number().filter(|den| !den.is_zero())?;
                record.least_utilization = record.least_utilization.take().map(|num| num / den);
            }
            Content::MinArea => record.min_area = Some(self.number()?),
            Content::AreaBound(end) => record.area_bounds[end] = Some(self.number()?),
            Content::AcceptedAny => record.accepted_any = Some(self.flag?),
            Content::Breakdown => record.breakdown = Some(self.number()?),
            Content::BreakdownBound(end) => record.breakdown_bounds[end] = Some(self.number()?),
            Content::Accepted(budget) => record.accepted[budget] = Some(self.flag?),
            Content::Unknown => record.unknown = self.flag?,
        }
        Some(())
    }
}
