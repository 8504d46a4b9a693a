//! The record of a set, and the file of a chunk: records as Parquet, a row each, in columns named as what they hold.
//!
//! The key-value metadata of a file hold the canonical text of the specification (`isx.sweep`) and the number of the chunk
//! (`isx.chunk`), so that a file says what it is wherever it is moved.

use crate::measure::Figures;
use crate::spec::{Axis, Numbers, Spec, SweepError};
use isx_exact::quantity::{Rational, format_decimal};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::Result as Coded;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;

/// What was asked about one set, under one combination of the paired values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The number of the point of the grid.
    pub point: u64,
    /// The number of the set at the point.
    pub index: u64,
    /// The number of the combination of paired values; 0 if nothing is paired.
    pub pair: u64,
    /// What was measured.
    pub figures: Figures,
}

/// A column: its name and its values, one per record.
struct Column {
    name: String,
    /// Whether some values may be missing; otherwise all are there.
    is_optional: bool,
    values: Values,
}

enum Values {
    Whole(Numbers, Vec<i64>),
    Text(Vec<Option<String>>),
    Flag(Vec<Option<bool>>),
}

/// The columns of these records.
fn columns(spec: &Spec, records: &[Record]) -> Vec<Column> {
    let column = |name: &str, values| Column { name: name.to_owned(), is_optional: false, values };
    let optional = |name: &str, values| Column { is_optional: true, ..column(name, values) };
    let whole = |of: &dyn Fn(&Record) -> u64| {
        Values::Whole(Numbers::WHOLE, records.iter().map(|record| of(record) as i64).collect())
    };
    let text =
        |of: &dyn Fn(&Record) -> String| Values::Text(records.iter().map(|one| Some(of(one))).collect());
    let maybe = |of: &dyn Fn(&Figures) -> Option<String>| {
        Values::Text(records.iter().map(|record| of(&record.figures)).collect())
    };
    let flag = |of: &dyn Fn(&Figures) -> Option<bool>| {
        Values::Flag(records.iter().map(|record| of(&record.figures)).collect())
    };
    let area = |area: &Option<Rational>| area.as_ref().map(format_decimal);
    let fraction = |value: &Option<Rational>| value.as_ref().map(Rational::to_string);
    let mut columns =
        vec![column("point", whole(&|record| record.point)), column("index", whole(&|record| record.index))];
    for (at, axis) in spec.grid.iter().enumerate() {
        columns.push(of_axis(axis, records, &|record| spec.values_at(record.point)[at]));
    }
    for (at, axis) in spec.paired.iter().enumerate() {
        columns.push(of_axis(axis, records, &|record| spec.values_of_pair(record.pair)[at]));
    }
    if !spec.files.is_empty() {
        let file = |record: &Record| spec.files.get(record.index as usize).map(|file| file.path.clone());
        columns.push(column("file", text(&|record| file(record).unwrap_or_default())));
    }
    columns.push(column("utilization_num", text(&|record| record.figures.utilization.numer().to_string())));
    columns.push(column("utilization_den", text(&|record| record.figures.utilization.denom().to_string())));
    let asked = &spec.asked;
    if asked.least_utilization {
        let least = |record: &Record| record.figures.least_utilization.clone().unwrap_or_default();
        columns.push(column("least_utilization_num", text(&|record| least(record).numer().to_string())));
        columns.push(column("least_utilization_den", text(&|record| least(record).denom().to_string())));
    }
    if asked.min_area {
        columns.push(optional("min_area", maybe(&|figures| area(&figures.min_area))));
        columns.push(optional("min_area_low", maybe(&|figures| area(&figures.area_bounds[0]))));
        columns.push(optional("min_area_high", maybe(&|figures| area(&figures.area_bounds[1]))));
        columns.push(optional("accepted_any", flag(&|figures| figures.accepted_any)));
    }
    for (at, budget) in asked.budgets.iter().enumerate() {
        let name = format!("accepted_{}", format_decimal(budget));
        columns.push(optional(&name, flag(&|figures| figures.accepted.get(at).copied().flatten())));
    }
    if asked.breakdown {
        columns.push(optional("breakdown", maybe(&|figures| fraction(&figures.breakdown))));
        columns.push(optional("breakdown_low", maybe(&|figures| fraction(&figures.breakdown_bounds[0]))));
        columns.push(optional("breakdown_high", maybe(&|figures| fraction(&figures.breakdown_bounds[1]))));
    }
    if asked.points {
        columns.push(column("points", whole(&|record| record.figures.points.unwrap_or(0))));
    }
    columns.push(column("unknown", flag(&|figures| Some(figures.unknown))));
    columns
}

/// The column of an axis: of numbers if all its values are, else of text.
fn of_axis<'a>(axis: &Axis, records: &[Record], value: &dyn Fn(&Record) -> &'a str) -> Column {
    let values = match axis.numbers() {
        Some(numbers) => {
            let digits = |record| numbers.digits(value(record)).unwrap_or(0);
            Values::Whole(numbers, records.iter().map(digits).collect())
        }
        None => Values::Text(records.iter().map(|record| Some(value(record).to_owned())).collect()),
    };
    Column { name: axis.key.clone(), is_optional: false, values }
}

impl Column {
    fn field(&self) -> Coded<Type> {
        let name = self.name.as_str();
        let field = match &self.values {
            Values::Whole(Numbers { places: 0 }, _) => Type::primitive_type_builder(name, Physical::INT64),
            Values::Whole(Numbers { places }, _) => Type::primitive_type_builder(name, Physical::INT64)
                .with_converted_type(ConvertedType::DECIMAL)
                .with_logical_type(Some(LogicalType::decimal(*places as i32, 18)))
                .with_precision(18)
                .with_scale(*places as i32),
            Values::Text(_) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                .with_converted_type(ConvertedType::UTF8)
                .with_logical_type(Some(LogicalType::String)),
            Values::Flag(_) => Type::primitive_type_builder(name, Physical::BOOLEAN),
        };
        let repetition = if self.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        field.with_repetition(repetition).build()
    }

    /// For each value whether it is there, if it may be missing.
    fn levels<T>(&self, values: &[Option<T>]) -> Option<Vec<i16>> {
        self.is_optional.then(|| values.iter().map(|value| i16::from(value.is_some())).collect())
    }
}

/// The file of a chunk.
/// Fails if the library cannot encode it.
pub fn file(spec: &Spec, number: u64, records: &[Record]) -> Result<Vec<u8>, SweepError> {
    encoded(spec, number, records)
        .map_err(|error| SweepError::Asked(format!("chunk {number} cannot be encoded: {error}")))
}

fn encoded(spec: &Spec, number: u64, records: &[Record]) -> Coded<Vec<u8>> {
    let columns = columns(spec, records);
    let fields = columns.iter().map(|column| Ok(Arc::new(column.field()?))).collect::<Coded<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder("sweep").with_fields(fields).build()?);
    let keys = [
        ("isx.schema", crate::spec::SCHEMA_NAME.to_owned()),
        ("isx.sweep", spec.canonical().to_owned()),
        ("isx.chunk", number.to_string()),
    ];
    let keys = keys.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(concat!("isx version ", env!("CARGO_PKG_VERSION")).into())
        .set_key_value_metadata(Some(keys));
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties.build()))?;
    let mut group = file.next_row_group()?;
    for column in &columns {
        let Some(mut writer) = group.next_column()? else { break };
        match &column.values {
            Values::Whole(_, values) => writer.typed::<Int64Type>().write_batch(values, None, None)?,
            Values::Text(values) => {
                let texts = values.iter().flatten().map(|text| text.as_bytes().to_vec().into());
                let (texts, levels): (Vec<ByteArray>, _) = (texts.collect(), column.levels(values));
                writer.typed::<ByteArrayType>().write_batch(&texts, levels.as_deref(), None)?
            }
            Values::Flag(values) => {
                let flags: Vec<bool> = values.iter().flatten().copied().collect();
                writer.typed::<BoolType>().write_batch(&flags, column.levels(values).as_deref(), None)?
            }
        };
        writer.close()?;
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}
