//! The curves as a table: a row per point and combination of paired values, as CSV and as Parquet.

use super::figures::{acceptance, mean_breakdown, rounded};
use crate::curves::{Curves, QUANTILES};
use crate::spec::{Axis, Numbers, Spec};
use crate::statistics::{GRID, share};
use crate::stored::{self, numbers_or_text};
use isx_exact::quantity::format_decimal;
use parquet::basic::{Repetition, Type as Physical};
use parquet::data_type::{ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result as Coded;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Columns with their names, and rows of texts; a text may be empty.
pub struct Table<'a> {
    spec: &'a Spec,
    columns: Vec<(String, Kind)>,
    rows: Vec<Vec<String>>,
}

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    /// Integers or decimals.
    Exact(Numbers),
    /// The nearest doubles.
    Figure,
    Text,
}

/// The table of the curves.
pub fn table<'a>(spec: &'a Spec, curves: &Curves) -> Table<'a> {
    let count = Kind::Exact(Numbers::WHOLE);
    let axis = |axis: &Axis| (axis.key.clone(), axis.numbers().map_or(Kind::Text, Kind::Exact));
    let figure = |name: &str| (name.to_owned(), Kind::Figure);
    let mut columns: Vec<_> = spec.grid().iter().chain(&spec.paired).map(axis).collect();
    columns.extend([("sets".to_owned(), count), figure("mean_utilization")]);
    for test in &curves.tests {
        let test = test.replace(' ', "_");
        columns.extend(["accepted", "unknown"].map(|what| (format!("{what}_{test}"), count)));
        columns.extend(["ratio", "low", "high"].map(|what| figure(&format!("{what}_{test}"))));
    }
    if spec.asked.breakdown {
        columns.extend(["mean_breakdown_low", "mean_breakdown_high"].map(figure));
        columns.push(("unknown_breakdown".to_owned(), count));
    }
    if spec.asked.min_area {
        let ends = |percent| [format!("min_area_{percent}_low"), format!("min_area_{percent}")];
        columns.extend(QUANTILES.map(ends).as_flattened().iter().map(|name| figure(name)));
    }
    let row = |cell: &crate::curves::Cell| {
        let values = spec.values_at(cell.point).into_iter().chain(spec.values_of_pair(cell.pair));
        let mut row: Vec<String> = values.map(str::to_owned).collect();
        let mean = share(cell.utilization, u128::from(cell.sets) * u128::from(GRID));
        row.extend([cell.sets.to_string(), rounded(mean).unwrap_or_default()]);
        for found in &cell.shares {
            row.extend([found.accepted, found.unknown].map(|count| count.to_string()));
            row.extend(acceptance(cell, found));
        }
        if spec.asked.breakdown {
            row.extend(mean_breakdown(cell).map(|mean| rounded(mean).unwrap_or_default()));
            row.push(cell.breakdown.0.to_string());
        }
        if spec.asked.min_area {
            let areas = cell.areas.as_flattened().iter();
            row.extend(areas.map(|area| area.as_ref().map(format_decimal).unwrap_or_default()));
        }
        row
    };
    Table { spec, rows: curves.cells.iter().map(row).collect(), columns }
}

/// A cell of CSV, quoted if necessary.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

impl Table<'_> {
    /// Writes it as CSV.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = self.columns.iter().map(|(name, _)| name.clone()).collect();
        for row in std::iter::once(&head).chain(&self.rows) {
            writeln!(out, "{}", row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }

    /// Writes it as Parquet: values of the axes typed as in the records, counts as integers, figures as doubles; what is
    /// empty is null. The metadata have the specification.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_parquet(&self, out: &mut (dyn Write + Send)) -> io::Result<()> {
        self.encode(out).map_err(io::Error::other)
    }

    fn encode(&self, out: &mut (dyn Write + Send)) -> Coded<()> {
        let field = |(name, kind): &(String, Kind)| {
            let field = match kind {
                Kind::Exact(numbers) => numbers_or_text(name, Some(*numbers)),
                Kind::Text => numbers_or_text(name, None),
                Kind::Figure => Type::primitive_type_builder(name, Physical::DOUBLE),
            };
            Ok(Arc::new(field.with_repetition(Repetition::OPTIONAL).build()?))
        };
        let fields = self.columns.iter().map(field).collect::<Coded<Vec<_>>>()?;
        let schema = Arc::new(Type::group_type_builder("curves").with_fields(fields).build()?);
        let keys = [(stored::SCHEMA, super::SCHEMA), (stored::SPEC, self.spec.canonical())];
        let keys = keys.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned())).to_vec();
        let properties = WriterProperties::builder().set_key_value_metadata(Some(keys)).build();
        let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
        let mut group = file.next_row_group()?;
        for (at, (_, kind)) in self.columns.iter().enumerate() {
            let Some(mut writer) = group.next_column()? else { break };
            let levels: Vec<i16> = self.rows.iter().map(|row| i16::from(!row[at].is_empty())).collect();
            let texts = || self.rows.iter().map(|row| row[at].as_str()).filter(|text| !text.is_empty());
            match kind {
                Kind::Text => {
                    let texts: Vec<_> = texts().map(|text| text.as_bytes().to_vec().into()).collect();
                    writer.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None)?;
                }
                Kind::Figure => {
                    let figures: Vec<f64> = texts().map(|text| text.parse().unwrap_or(f64::NAN)).collect();
                    writer.typed::<DoubleType>().write_batch(&figures, Some(&levels), None)?;
                }
                Kind::Exact(numbers) => {
                    let whole: Vec<i64> = texts().map(|text| numbers.digits(text).unwrap_or(0)).collect();
                    writer.typed::<Int64Type>().write_batch(&whole, Some(&levels), None)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        file.close().map(drop)
    }
}
