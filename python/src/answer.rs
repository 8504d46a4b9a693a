//! Answers that are more than one document: a front, tasks divided among cores, fronts compared.

use crate::arrow::{self, Batches};
use crate::errors::{self, Answered};
use crate::options::shared_machine;
use crate::running::run;
use isx::exploration::Exploration;
use isx::partition::Partitions;
use isx::quantity::{Rational, approx, parse_fraction};
use isx::report::columns::{Columns, Content, SOFTWARE, Values};
use isx::report::compare::{Comparison, write_text};
use isx::report::files::{check_place, write_whole};
use isx::report::formats::{Format, Prepared};
use isx::report::front::{Front, Number};
use isx::report::json;
use isx::report::origin::{Origin, OriginFile};
use isx::report::show::{Options, Pick, Schedulability, Shown, find, write_json};
use isx::report::svg::{draw_cores, fronts::draw_fronts};
use isx::schedulability::{Effort, Limits};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::path::PathBuf;
use std::sync::Arc;

/// What was computed.
pub enum Made {
    Front(Arc<Exploration>),
    Partitions(Box<Partitions>),
    Comparison(Comparison),
}

/// An answer: a document, and the forms that it is written in.
#[pyclass(frozen, module = "isx._isx")]
pub struct Answer {
    made: Arc<Made>,
}

impl From<Made> for Answer {
    fn from(made: Made) -> Self {
        Self { made: Arc::new(made) }
    }
}

/// Where an answer comes from, for the forms that say so: name and SHA-256 of the task set and of the certificate, and notes.
type Source = (Option<(String, String)>, Option<(String, String)>, Vec<String>);

/// One design of a front, as the command prints it in JSON.
pub fn shown(explored: &Exploration, pick: &Pick) -> Answered<Vec<u8>> {
    let front = Front::of(explored);
    let found = find(&front, pick)?;
    let (set, choices) = (explored.task_set(), &found.design.choices);
    let formulation = explored.front.formulation_in(found.variant());
    let mut effort = Effort::new(Limits::default());
    let schedulability = Schedulability::of_choices(set, formulation, choices, None, &mut effort);
    let mut document = Vec::new();
    write_json(&Shown::new(&front, pick, &found).with_set(explored, &found, schedulability), &mut document)?;
    Ok(document)
}

/// What writes an answer in a form; `None` if there is nothing to draw.
fn prepared<'a>(
    made: &'a Made,
    front: Option<&'a Front<'a>>,
    form: &str,
    origin: &'a Origin,
    machine: &'a isx::machine::Machine,
) -> Answered<Option<Prepared<'a>>> {
    let unknown = || errors::input(format!("there is no form {form:?}"));
    if let Some(front) = front {
        let format = Format::named(form).ok_or_else(unknown)?;
        return (format.prepare)(front, origin, machine.workers()).map(Some).map_err(errors::input);
    }
    Ok(Some(match (made, form) {
        (Made::Partitions(found), "json") => {
            Box::new(move |out| isx::report::partition::write_json(found, out))
        }
        (Made::Partitions(found), "html") => {
            Box::new(move |out| isx::report::html::write_partitions(found, origin, out))
        }
        (Made::Partitions(found), "svg") => {
            let Some(drawn) = draw_cores(found) else { return Ok(None) };
            Box::new(move |out| out.write_all(drawn.as_bytes()))
        }
        (Made::Comparison(compared), "json") => Box::new(move |out| compared.write_json(out)),
        (Made::Comparison(compared), "line" | "text") => {
            let options =
                Options { width: 100, max_rows: usize::MAX, brief: form == "line", ..Options::default() };
            Box::new(move |out| write_text(compared, &options, out))
        }
        (Made::Comparison(compared), "svg") => {
            let drawn = draw_fronts(compared).map_err(errors::input)?;
            Box::new(move |out| out.write_all(drawn.as_bytes()))
        }
        _ => return Err(unknown()),
    }))
}

impl Answer {
    fn front(&self) -> Answered<&Arc<Exploration>> {
        match &*self.made {
            Made::Front(explored) => Ok(explored),
            _ => Err(errors::input("only fronts have points")),
        }
    }
}

#[pymethods]
impl Answer {
    /// The answer in a form, by name: its bytes, or nothing where it is written to a file, whole or not at all.
    fn written<'py>(
        &self,
        py: Python<'py>,
        form: String,
        place: Option<PathBuf>,
        source: Option<Source>,
    ) -> Answered<Option<Bound<'py, PyBytes>>> {
        if let Some(place) = &place {
            check_place(place)?;
        }
        let (task_set, certificate, notes) = source.unwrap_or_default();
        let file = |(name, sha256)| OriginFile { name, sha256 };
        let origin = Origin {
            program: format!("isx {} for Python", env!("CARGO_PKG_VERSION")),
            command: None,
            inputs: task_set.map(file).into_iter().collect(),
            certificate: certificate.map(file),
            notes,
        };
        let made = Arc::clone(&self.made);
        let bytes = run(py, &shared_machine(), None, move |lent| {
            let front = if let Made::Front(explored) = &*made { Some(Front::of(explored)) } else { None };
            let prepared = prepared(&made, front.as_ref(), &form, &origin, &lent.machine)?;
            let Some(prepared) = prepared else { return Ok(None) };
            let Some(place) = &place else {
                let mut bytes = Vec::new();
                prepared(&mut bytes)?;
                return Ok(Some(bytes));
            };
            write_whole(place, prepared)?;
            Ok(None)
        })?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The document: that of a front without its points.
    fn document<'py>(&self, py: Python<'py>) -> Answered<Bound<'py, PyBytes>> {
        if let Ok(explored) = self.front() {
            let fields = json::head(&Front::of(explored).head)?;
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            return Ok(PyBytes::new(py, format!("{{{}}}", fields.join(",")).as_bytes()));
        }
        let bytes = self.written(py, "json".into(), None, None)?;
        bytes.ok_or_else(|| errors::input("there is no document"))
    }

    fn __len__(&self) -> usize {
        self.front().map_or(0, |explored| explored.front.len())
    }

    /// Points of a front as a JSON list, from this one to before that one.
    fn points<'py>(&self, py: Python<'py>, from: usize, to: usize) -> Answered<Bound<'py, PyBytes>> {
        let points = json::points(&Front::of(self.front()?), std::iter::once(from..to));
        Ok(PyBytes::new(py, &points?))
    }

    /// One design as the command prints it in JSON, picked by an area, a point, a most utilization, or as the smallest.
    fn show(&self, py: Python<'_>, by: &str, number: Option<Rational>) -> Answered<Vec<u8>> {
        let pick = match (by, number) {
            ("area", Some(area)) => Pick::Area(area),
            ("point", Some(point)) => {
                Pick::Point(usize::try_from(point.to_integer()).map_err(errors::input)?)
            }
            ("max_utilization", Some(most)) => Pick::MaxUtilization(most),
            _ => Pick::Smallest,
        };
        let explored = Arc::clone(self.front()?);
        run(py, &shared_machine(), None, move |_| shown(&explored, &pick))
    }

    /// So many columns of the table from this one on, or from the end, as arrays of all points: numpy's name of the type, and the bytes. What is neither an integer
    /// nor a double is the nearest double; verdicts are -1 where they are not known, and names numbers, -1 for software.
    fn arrays<'py>(
        &self,
        py: Python<'py>,
        first: isize,
        count: usize,
    ) -> Answered<Vec<(&'static str, Bound<'py, PyBytes>)>> {
        let (explored, machine) = (self.front()?, shared_machine());
        let arrays = py.detach(|| {
            let front = Front::of(explored);
            let columns = Columns::new(&front);
            let all = columns.list().len();
            let first =
                if first < 0 { all.saturating_add_signed(first) } else { first.unsigned_abs() }.min(all);
            let columns = columns.only(first..all.min(first + count));
            let read = columns.read(0..front.len(), machine.workers());
            columns
                .list()
                .iter()
                .zip(read)
                .map(|(column, values)| array(&column.content, values))
                .collect::<Vec<_>>()
        });
        Ok(arrays.into_iter().map(|(kind, bytes)| (kind, PyBytes::new(py, &bytes))).collect())
    }

    /// The schema of the stream, as the Arrow PyCapsule interface names it.
    fn arrow_schema<'py>(&self, py: Python<'py>) -> Answered<Bound<'py, PyCapsule>> {
        arrow::schema_capsule(py, Batches::of(Arc::clone(self.front()?), shared_machine())?)
    }

    /// The front as an Arrow stream.
    fn arrow_stream<'py>(&self, py: Python<'py>) -> Answered<Bound<'py, PyCapsule>> {
        arrow::stream_capsule(py, Batches::of(Arc::clone(self.front()?), shared_machine())?)
    }
}

fn array(content: &Content, values: Values) -> (&'static str, Vec<u8>) {
    let doubles =
        |doubles: &mut dyn Iterator<Item = f64>| ("float64", doubles.flat_map(f64::to_ne_bytes).collect());
    // All bits of software are set: it is -1 where numbers have a sign.
    const { assert!(SOFTWARE == u32::MAX) };
    match (values, content) {
        (Values::Integers(digits), &Content::Decimal(places)) => {
            let power = 10u128.pow(places);
            doubles(&mut digits.into_iter().map(|digits| Number::of(digits.into(), power).approx()))
        }
        (Values::Integers(values), _) => ("int64", values.into_iter().flat_map(i64::to_ne_bytes).collect()),
        (Values::Doubles(values), _) => doubles(&mut values.into_iter()),
        (Values::Texts(texts), _) => {
            let nearest = |text: String| parse_fraction(&text).map_or(f64::NAN, |number| approx(&number));
            doubles(&mut texts.into_iter().map(nearest))
        }
        (Values::Verdicts(verdicts), _) => {
            ("int8", verdicts.into_iter().map(|verdict| verdict.map_or(u8::MAX, u8::from)).collect())
        }
        (Values::Names(numbers) | Values::Lists(numbers, _), _) => {
            ("int32", numbers.into_iter().flat_map(u32::to_ne_bytes).collect())
        }
    }
}
