//! Explored task sets.

use crate::options::{Changes, Options, shared_machine};
use crate::running::run;
use crate::task_set::{ResourceParts, TaskSet, resource_parts};
use crate::{arrow, errors, many, show};
use isx::certificate::{CertifyError, certify};
use isx::engine::mckp::ENGINES;
use isx::exploration::{AreaOfModes, Exploration, Status};
use isx::explore::ExploreError;
use isx::front::{Design, Point};
use isx::quantity::{Rational, approx};
use isx::report::columns::{Columns, Content, SOFTWARE, Values};
use isx::report::files::{check_place, write_whole};
use isx::report::formats::Format;
use isx::report::front::Front as Document;
use isx::report::origin::{Origin, OriginFile};
use isx::report::show::Pick;
use isx::schedulability::{AtMargin, SmallestSchedulable, SmallestWithin};
use isx::taskset::Task;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// A front with its verdicts.
#[pyclass(frozen, module = "isx._isx")]
pub struct Front {
    explored: Arc<Exploration>,
}

/// Cost (of a set with one area this alone), utilization, verdicts, the choice of every task, the blocks, the clock in hertz,
/// the variant of the processor, the utilization in each mode if there are several.
type DesignParts = (
    Vec<Rational>,
    Rational,
    Option<bool>,
    Option<bool>,
    Vec<Option<String>>,
    Vec<String>,
    Option<Rational>,
    Option<String>,
    Vec<Rational>,
);

/// The costs, for each resource whether they are integers or doubles; utilizations, and verdicts on designs and within
/// their costs (-1 for unknown). All as bytes.
type FigureParts<'py> =
    (Vec<(bool, Bound<'py, PyBytes>)>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Where a front comes from, for the forms that say so: name and SHA-256 of the task set and of the certificate, and notes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Source {
    task_set: (String, String),
    certificate: Option<(String, String)>,
    notes: Vec<String>,
}

impl From<Source> for Origin {
    fn from(from: Source) -> Self {
        let file = |(name, sha256)| OriginFile { name, sha256 };
        Self {
            program: format!("isx {} for Python", env!("CARGO_PKG_VERSION")),
            command: None,
            inputs: vec![file(from.task_set)],
            certificate: from.certificate.map(file),
            notes: from.notes,
        }
    }
}

/// What is wanted of a proof.
enum Proof {
    None,
    Made,
    Kept(PathBuf),
}

/// Explores a task set; `proof` says whether with a certificate, and where it is kept.
#[pyfunction]
pub fn explore(
    py: Python<'_>,
    set: &TaskSet,
    max_area: Option<Rational>,
    changes: Changes,
    options: Options<'_>,
    proof: (bool, Option<PathBuf>),
    by_margin: bool,
) -> PyResult<Front> {
    let set = set.changed(&changes)?;
    let (engine, machine) = (options.engine(&ENGINES)?, options.machine()?);
    let proof = match proof {
        (_, Some(file)) => Proof::Kept(file),
        (true, None) => Proof::Made,
        (false, None) => Proof::None,
    };
    if let Proof::Kept(file) = &proof {
        check_place(file).map_err(|error| errors::write(&error))?;
    }
    let explored = run(py, &machine, options.told.as_ref(), move |lent| -> PyResult<Exploration> {
        let heard = lent.heard;
        let max_memory = lent.machine.max_memory();
        let options = isx::explore::Options {
            engine,
            max_area,
            machine: lent.machine,
            proof: !matches!(proof, Proof::None),
            progress: &*heard,
            ..isx::explore::Options::default()
        };
        let explored = match by_margin {
            false => isx::explore(&set, &options),
            true => isx::explore::explore_margins(&set, &options),
        };
        let mut explored = explored.map_err(|error| errors::explore(&error))?;
        if proved(&explored, &proof, max_memory)? {
            explored.status = Status::Proved;
        }
        Ok(explored)
    })??;
    Ok(Front { explored: Arc::new(explored) })
}

/// Explores task sets, as many at the same time as there are threads: a front or an exception for each, in order.
#[pyfunction]
pub fn explore_many(
    py: Python<'_>,
    sets: Vec<PyRef<'_, TaskSet>>,
    max_area: Option<Rational>,
    changes: Changes,
    options: Options<'_>,
    prove: bool,
) -> PyResult<Vec<Py<PyAny>>> {
    let sets: Vec<PyResult<_>> = sets.iter().map(|set| set.changed(&changes)).collect();
    let (engine, machine) = (options.engine(&ENGINES)?, options.machine()?);
    let explored = run(py, &machine, options.told.as_ref(), move |lent| {
        many::answers(&lent, "sets", sets.len(), |at, machine, progress| {
            let set = sets[at].as_ref().map_err(|error| Python::attach(|py| error.clone_ref(py)))?;
            let options = isx::explore::Options {
                engine,
                max_area: max_area.clone(),
                machine: machine.clone(),
                proof: prove,
                progress,
                ..isx::explore::Options::default()
            };
            let mut explored = isx::explore(set, &options).map_err(|error| errors::explore(&error))?;
            let proof = if prove { Proof::Made } else { Proof::None };
            if proved(&explored, &proof, machine.max_memory())? {
                explored.status = Status::Proved;
            }
            Ok(Front { explored: Arc::new(explored) })
        })
    })?;
    many::handed_over(py, explored)
}

/// Has a certificate made and checked, if one is wanted; it is kept only if it holds.
fn proved(explored: &Exploration, proof: &Proof, max_bytes: u64) -> PyResult<bool> {
    let made = |out: &mut dyn Write| certify(&explored.front, &explored.verdicts.points, max_bytes, out);
    match proof {
        Proof::None => return Ok(false),
        Proof::Made => drop(made(&mut io::sink()).map_err(|error| errors::certify(&error))?),
        Proof::Kept(file) => {
            let mut refused = None;
            let written = write_whole(file, |out| match made(out) {
                Ok(_) => Ok(()),
                Err(CertifyError::Write(cause)) => Err(cause),
                Err(other) => {
                    refused = Some(errors::certify(&other));
                    Err(io::Error::other("it was not made"))
                }
            });
            refused.map_or(Ok(()), Err)?;
            written.map_err(|error| errors::write(&error))?;
        }
    }
    Ok(true)
}

impl Front {
    fn design(&self, design: Design, choices: &[Option<u32>]) -> DesignParts {
        let set = self.explored.task_set();
        let name =
            |(task, &choice): (&Task, &Option<u32>)| Some(task.choices.get(choice? as usize)?.name.clone());
        let names = set.tasks.iter().zip(choices).map(name).collect();
        let formulation = self.explored.front.formulation_in(design.variant);
        let built = formulation.blocks(choices).unwrap_or_default();
        let built = built.iter().filter_map(|&block| Some(set.blocks.get(block as usize)?.name.clone()));
        let clock = formulation.clock_of(choices).cloned();
        let verdicts = (design.schedulable, design.schedulable_within);
        let variant = set.variants.get(design.variant).map(|variant| variant.name.clone());
        let modes = if set.modes.is_empty() { Vec::new() } else { formulation.mode_utilizations(choices) };
        (
            design.cost,
            design.utilization,
            verdicts.0,
            verdicts.1,
            names,
            built.collect(),
            clock,
            variant,
            modes,
        )
    }

    /// Writes the front in a form, by name.
    fn write(&self, py: Python<'_>, form: &str, place: Option<PathBuf>, from: Source) -> PyResult<Vec<u8>> {
        let format =
            Format::named(form).ok_or_else(|| errors::input(format!("there is no form {form:?}")))?;
        if let Some(place) = &place {
            check_place(place).map_err(|error| errors::write(&error))?;
        }
        let explored = Arc::clone(&self.explored);
        let origin = Origin::from(from);
        run(py, &shared_machine(), None, move |lent| {
            let workers = lent.machine.workers();
            let front = Document::of(&explored);
            let prepared = (format.prepare)(&front, &origin, workers).map_err(errors::input)?;
            let mut bytes = Vec::new();
            match &place {
                None => prepared(&mut bytes).map_err(|error| errors::output(&error))?,
                Some(place) => write_whole(place, prepared).map_err(|error| errors::write(&error))?,
            }
            Ok(bytes)
        })?
    }
}

#[pymethods]
impl Front {
    fn __len__(&self) -> usize {
        self.explored.front.len()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.explored.task_set().name
    }

    #[getter]
    fn area_unit(&self) -> &str {
        self.explored.task_set().area_unit()
    }

    #[getter]
    fn scheduler(&self) -> &'static str {
        self.explored.task_set().scheduler.name()
    }

    #[getter]
    fn what_if(&self) -> Vec<String> {
        self.explored.task_set().what_if.clone()
    }

    #[getter]
    fn status(&self) -> &'static str {
        self.explored.status.name()
    }

    #[getter]
    fn complete(&self) -> bool {
        self.explored.front.is_complete()
    }

    /// What ran, in which arithmetic, and why.
    #[getter]
    fn engine(&self) -> (String, String, String) {
        let account = self.explored.front.account();
        (account.ran_on(), account.arithmetic.to_string(), account.why.clone())
    }

    /// The tasks, each with its choices.
    #[getter]
    fn tasks(&self) -> Vec<(String, Vec<String>)> {
        let names = |task: &Task| task.choices.iter().map(|choice| choice.name.clone()).collect();
        self.explored.task_set().tasks.iter().map(|task| (task.name.clone(), names(task))).collect()
    }

    /// The point of that number, which must be there.
    fn point(&self, index: usize) -> PyResult<DesignParts> {
        let design = self.explored.design(index);
        let choices = self.explored.front.get(index).and_then(|point| point.choices());
        match design.zip(choices) {
            Some((design, choices)) => Ok(self.design(design, &choices)),
            None => Err(errors::no_design(format!("there is no point {index}"))),
        }
    }

    #[getter]
    fn base(&self) -> DesignParts {
        let software = vec![None; self.explored.task_set().tasks.len()];
        self.design(self.explored.base(), &software)
    }

    #[getter]
    fn smallest(&self) -> Option<DesignParts> {
        let smallest = self.explored.smallest()?;
        Some(self.design(smallest.design.clone(), &smallest.choices))
    }

    #[getter]
    fn modes(&self) -> Vec<String> {
        self.explored.task_set().modes.clone()
    }

    #[getter]
    fn resources(&self) -> Option<ResourceParts> {
        resource_parts(self.explored.task_set())
    }

    /// The schedulable designs of minimal costs, of a set with several resources.
    #[getter]
    fn minimal(&self) -> Vec<DesignParts> {
        let minimal = self.explored.verdicts.minimal.iter();
        minimal.map(|chosen| self.design(chosen.design.clone(), &chosen.choices)).collect()
    }

    /// What some of the modes cost without the others: their names, the area, why it is not known.
    #[getter]
    fn mode_areas(&self) -> Vec<(Vec<String>, Option<Rational>, Option<String>)> {
        let names = &self.explored.task_set().modes;
        let parts = |AreaOfModes { modes, smallest }: &AreaOfModes| {
            let modes = modes.iter().map(|&mode| names[mode].clone()).collect();
            match smallest {
                SmallestWithin::At(area) => (modes, Some(area.clone()), None),
                SmallestWithin::None => (modes, None, None),
                SmallestWithin::Unknown(why) => (modes, None, Some(why.clone())),
            }
        };
        self.explored.mode_areas.iter().map(parts).collect()
    }

    /// The smallest areas with a margin: the margin, the area, why it is not known.
    #[getter]
    fn margins(&self) -> Vec<(Rational, Option<Rational>, Option<String>)> {
        let parts = |AtMargin { margin, smallest }: &AtMargin| match smallest {
            SmallestWithin::At(area) => (margin.clone(), Some(area.clone()), None),
            SmallestWithin::None => (margin.clone(), None, None),
            SmallestWithin::Unknown(why) => (margin.clone(), None, Some(why.clone())),
        };
        self.explored.margins.iter().map(parts).collect()
    }

    #[getter]
    fn smallest_unknown(&self) -> Option<&str> {
        match &self.explored.verdicts.smallest {
            SmallestSchedulable::Unknown(why) => Some(why),
            SmallestSchedulable::At(_) | SmallestSchedulable::None => None,
        }
    }

    /// The margin of every point, and why there may be larger ones; empty if the front is not of area against margin.
    #[getter]
    fn point_margins(&self) -> (Vec<Rational>, Option<&str>) {
        (self.explored.point_margins.clone(), self.explored.larger_margins_unknown.as_deref())
    }

    /// The number of the last point within an area, if there is one.
    fn within(&self, area: Rational) -> Option<usize> {
        self.explored.front.within(&area).map(|point| point.index())
    }

    /// The figures of all points.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<FigureParts<'py>> {
        let (explored, machine) = (&self.explored, shared_machine());
        let (costs, utilizations, verdicts) = py.detach(|| {
            let front = Document::of(explored);
            let values = Columns::new(&front).read(0..front.len(), machine.workers());
            let resources = front.head.resources.names.len();
            let cost = |at: usize| match &values[at] {
                Values::Integers(whole) if !has_places(&front, at) => Ok(whole.clone()),
                _ => {
                    let nearest = |point: Point| point.cost().get(at).map_or(f64::NAN, approx);
                    Err(explored.front.iter().map(nearest).collect())
                }
            };
            let costs: Vec<Result<Vec<i64>, Vec<f64>>> = (0..resources).map(cost).collect();
            let verdicts = [resources + 3, resources + 4].map(|at| match &values[at] {
                Values::Verdicts(known) => {
                    known.iter().map(|verdict| verdict.map_or(u8::MAX, u8::from)).collect::<Vec<u8>>()
                }
                _ => Vec::new(),
            });
            let utilizations = match &values[resources + 2] {
                Values::Doubles(doubles) => doubles.clone(),
                _ => Vec::new(),
            };
            (costs, utilizations, verdicts)
        });
        let cost = |cost: Result<Vec<i64>, Vec<f64>>| match cost {
            Ok(integers) => Ok((true, bytes(py, integers.iter().map(|number| number.to_ne_bytes()))?)),
            Err(doubles) => Ok((false, bytes(py, doubles.iter().map(|number| number.to_ne_bytes()))?)),
        };
        let costs = costs.into_iter().map(cost).collect::<PyResult<Vec<_>>>()?;
        let utilizations = bytes(py, utilizations.iter().map(|number| number.to_ne_bytes()))?;
        let [own, within] = verdicts.map(|verdicts| PyBytes::new(py, &verdicts));
        Ok((costs, utilizations, own, within))
    }

    /// The choices of all points, 32 bits each: those of the first task, then those of the second, and so on; -1 for
    /// software.
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (explored, machine) = (&self.explored, shared_machine());
        let codes = py.detach(|| {
            let front = Document::of(explored);
            let values = Columns::new(&front).read(0..front.len(), machine.workers());
            let tasks = values.into_iter().rev().take(front.head.tasks.len()).rev();
            let codes = tasks.map(|values| match values {
                Values::Names(codes) => codes,
                _ => Vec::new(),
            });
            codes.flatten().collect::<Vec<u32>>()
        });
        // All bits of software are set: it is -1 where numbers have a sign.
        const { assert!(SOFTWARE == u32::MAX) };
        bytes(py, codes.iter().map(|code| code.to_ne_bytes()))
    }

    /// The bytes of a form.
    fn to_bytes<'py>(&self, py: Python<'py>, form: &str, from: Source) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.write(py, form, None, from)?))
    }

    /// Writes a form to a file, whole or not at all.
    fn to_file(&self, py: Python<'_>, form: &str, place: PathBuf, from: Source) -> PyResult<()> {
        self.write(py, form, Some(place), from).map(drop)
    }

    /// One design as the command prints it in JSON; the area is that of a set with one.
    #[pyo3(signature = (area=None, point=None, max_utilization=None, smallest=false))]
    fn show<'py>(
        &self,
        py: Python<'py>,
        area: Option<Rational>,
        point: Option<usize>,
        max_utilization: Option<Rational>,
        smallest: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let pick = match (area, point, max_utilization, smallest) {
            (Some(area), None, None, false) => Pick::Area(area),
            (None, Some(point), None, false) => Pick::Point(point),
            (None, None, Some(most), false) => Pick::MaxUtilization(most),
            (None, None, None, true) => Pick::Smallest,
            _ => return Err(errors::input("give one of area, point, max_utilization and smallest")),
        };
        if let (Pick::Area(_), Some(resources)) = (&pick, self.explored.task_set().named_resources()) {
            let (taskset, resources) = (self.name().to_owned(), resources.names.join(", "));
            return Err(errors::explore(&ExploreError::NoArea { taskset, resources }));
        }
        let explored = Arc::clone(&self.explored);
        let document = run(py, &shared_machine(), None, move |_| show::shown(&explored, &pick))??;
        Ok(PyBytes::new(py, &document))
    }

    /// The schema of the stream, as the Arrow PyCapsule interface names it.
    fn arrow_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema_capsule(py, arrow::Batches::of(Arc::clone(&self.explored), shared_machine())?)
    }

    /// The front as an Arrow stream.
    fn arrow_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream_capsule(py, arrow::Batches::of(Arc::clone(&self.explored), shared_machine())?)
    }
}

/// Whether the costs in a resource are decimals.
fn has_places(front: &Document, resource: usize) -> bool {
    !matches!(Columns::new(front).list()[resource].content, Content::Integer)
}

/// Numbers one after the other, in the machine's order of bytes.
fn bytes<'py, const N: usize>(
    py: Python<'py>,
    numbers: impl ExactSizeIterator<Item = [u8; N]>,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, numbers.len() * N, |out| {
        for (place, number) in out.chunks_exact_mut(N).zip(numbers) {
            place.copy_from_slice(&number);
        }
        Ok(())
    })
}
