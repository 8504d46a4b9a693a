//! Questions about task sets, answered with the documents that the command writes.

use crate::answer::{Answer, Made, shown};
use crate::errors::{self, Answered};
use crate::options::Options;
use crate::running::{answers, run};
use crate::task_set::{Changes, TaskSet};
use isx::certificate::{CertifyError, certify};
use isx::engine::Progress as _;
use isx::engine::mckp::ENGINES;
use isx::exploration::{Exploration, Status};
use isx::explore::partition::{CORES, PartitionOptions, STEPS, partition as distribute};
use isx::explore::resources::{self, fit_each};
use isx::quantity::Rational;
use isx::report::compare::{Comparison, Side};
use isx::report::files::{check_place, write_whole};
use isx::report::show::Pick;
use isx::report::{fit as fit_report, verdict};
use isx::schedulability::{Effort, Limits};
use isx::taskset::generate::{generate as generate_text, recipe_of};
use isx::taskset::own_device;
use isx::taskset::recipe::TaskSetRecipe;
use pyo3::prelude::*;
use serde_json::json;
use std::io::{self, Cursor, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What is wanted of fronts.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    max_area: Option<Rational>,
    by_margin: bool,
    prove: bool,
    certificate: Option<PathBuf>,
    /// The only set is asked about, which has all the machine and reports its own progress.
    alone: bool,
}

/// Explores task sets, as many at the same time as there are threads: a front or an exception for each, in order.
#[pyfunction]
pub fn explore(
    py: Python<'_>,
    sets: Vec<PyRef<'_, TaskSet>>,
    wanted: Wanted,
    changes: Changes,
    options: Options<'_>,
) -> Answered<Vec<Py<PyAny>>> {
    let Wanted { max_area, by_margin, prove, certificate, alone } = wanted;
    let sets: Vec<Answered<_>> = sets.iter().map(|set| set.changed(&changes)).collect();
    let engine = options.engine(&ENGINES)?;
    if let Some(place) = &certificate {
        check_place(place)?;
    }
    let count = sets.len();
    answers(py, &options, ((!alone).then_some("sets"), count), move |at, machine, progress| {
        let set = sets[at].as_ref().map_err(errors::again)?;
        let proof = prove || certificate.is_some();
        let (max_area, machine) = (max_area.clone(), machine.clone());
        let max_memory = machine.max_memory();
        let options =
            isx::explore::Options { engine, max_area, machine, proof, progress, ..Default::default() };
        let explore = if by_margin { isx::explore::explore_margins } else { isx::explore::explore };
        let mut explored = explore(set, &options)?;
        if proof {
            proved(&explored, certificate.clone(), max_memory)?;
            explored.status = Status::Proved;
        }
        Ok(Answer::from(Made::Front(Arc::new(explored))))
    })
}

/// Has a certificate made and checked; it is kept only if it holds, and in this file if there is one.
fn proved(explored: &Exploration, kept: Option<PathBuf>, max_bytes: u64) -> Answered<()> {
    let made = |out: &mut dyn Write| certify(&explored.front, &explored.verdicts.points, max_bytes, out);
    let Some(kept) = kept else { return Ok(made(&mut io::sink()).map(drop)?) };
    let mut refused = None;
    let written = write_whole(&kept, |out| match made(out) {
        Ok(_) => Ok(()),
        Err(CertifyError::Write(cause)) => Err(cause),
        Err(other) => {
            refused = Some(other);
            Err(io::Error::other("it was not made"))
        }
    });
    refused.map_or(Ok(()), Err)?;
    Ok(written?)
}

/// A task set, what is tried out with it, and how to compute.
type Question<'py> = (PyRef<'py, TaskSet>, Changes, Options<'py>);

/// Asks about some form of a set, with the options of an exploration.
fn asked<S: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    set: S,
    options: &Options<'_>,
    ask: impl FnOnce(S, &isx::explore::Options<'_>) -> Answered<T> + Send + 'static,
) -> Answered<T> {
    let engine = options.engine(&ENGINES)?;
    run(py, &options.machine(), options.report.as_ref(), move |lent| {
        let (heard, machine) = (lent.heard, lent.machine);
        ask(set, &isx::explore::Options { engine, machine, progress: &*heard, ..Default::default() })
    })
}

/// What a document is written to.
fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Answered<Vec<u8>> {
    let mut document = Vec::new();
    write(&mut document)?;
    Ok(document)
}

/// Decides whether a task set is schedulable within an area, or with any area. Returns also what computed it.
#[pyfunction]
pub fn check(py: Python<'_>, question: Question<'_>, area: Option<Rational>) -> Answered<(Vec<u8>, String)> {
    let (set, changes, options) = question;
    let only_within = area.is_none() && changes.iter().any(|(key, _)| key == "within" || key == "device");
    asked(py, set.changed(&changes)?, &options, move |set, options| {
        let mut effort = Effort::new(options.limits);
        let decided = match only_within {
            true => resources::check_costs(&set, false, options, &mut effort)?,
            false => isx::explore::check_within(&set, area.as_ref(), options, &mut effort)?,
        };
        Ok((written(|out| verdict::write_json(&decided, out))?, decided.account.ran_on()))
    })
}

/// The design of least utilization within the limits of several resources.
#[pyfunction]
pub fn show_least(py: Python<'_>, question: Question<'_>) -> Answered<Vec<u8>> {
    let (set, changes, options) = question;
    asked(py, set.changed(&changes)?, &options, |set, options| {
        shown(&resources::least(&set, options, &mut Effort::new(options.limits))?, &Pick::Least)
    })
}

/// Decides on which FPGAs a task set is schedulable.
#[pyfunction]
pub fn fit(
    py: Python<'_>,
    question: Question<'_>,
    devices: Vec<String>,
    all_families: bool,
) -> Answered<Vec<u8>> {
    let (set, changes, options) = question;
    let what_if = set.what_if(&changes)?;
    what_if.apply(&set.set).map_err(errors::input)?;
    let about = if devices.is_empty() { "" } else { "devices: " };
    let sets = what_if.on_devices(&devices, all_families, &set.set);
    let sets = sets.map_err(|error| errors::input(format!("{about}{error}")))?;
    asked(py, (sets, own_device(&set.set)), &options, |(sets, own), options| {
        let fits = fit_each(sets, own, options)?.ok_or_else(|| errors::input("no device is known"))?;
        written(|out| fit_report::write_json(&fits, out))
    })
}

/// Distributes the tasks of a set among each number of cores.
#[pyfunction]
pub fn partition(
    py: Python<'_>,
    question: Question<'_>,
    cores: Option<(u32, u32)>,
    max_time: Option<f64>,
) -> Answered<Answer> {
    let (set, changes, options) = question;
    let mut what_if = set.what_if(&changes)?;
    what_if.keep_limits();
    let set = what_if.apply(&set.set).map_err(errors::input)?;
    let max_time = max_time.map(Duration::try_from_secs_f64).transpose();
    let max_time = max_time.map_err(|error| errors::input(format!("max_time: {error}")))?;
    let of_file = set.cores.as_ref().and_then(|cores| cores.count);
    let cores = cores.or(of_file).unwrap_or(CORES);
    run(py, &options.machine(), options.report.as_ref(), move |lent| {
        lent.heard.begin("distributing", u64::from(cores.1 - cores.0 + 1));
        let options = PartitionOptions {
            cores,
            engine: None,
            steps: if max_time.is_some() { u64::MAX } else { STEPS },
            max_time,
            limits: Limits::default(),
            go_on: &|| !lent.machine.is_cancelled(),
            searching: &|_, _, _| {},
            report: &|_| lent.heard.advance(1),
        };
        Ok(Made::Partitions(Box::new(distribute(&set, &options)?)).into())
    })
}

/// Compares fronts, each a name and the front as JSON or Parquet.
#[pyfunction]
pub fn compare(py: Python<'_>, fronts: Vec<(String, Vec<u8>)>) -> Answered<Answer> {
    let side = |(name, document): (String, Vec<u8>)| {
        let wrong = format!("{name}: ");
        Side::from_written(name, Cursor::new(document))
            .map_err(|problem| errors::input(wrong + &problem.to_string()))
    };
    py.detach(|| {
        let sides = fronts.into_iter().map(side).collect::<Answered<_>>()?;
        Ok(Made::Comparison(Comparison::new(sides).map_err(errors::input)?).into())
    })
}

/// The YAML of a generated task set: keys as the command's flags, with their texts.
#[pyfunction]
pub fn generate(py: Python<'_>, given: Vec<(String, String)>, seed: Option<u64>) -> Answered<String> {
    let given: Vec<(&str, &str)> = given.iter().map(|(key, text)| (&**key, &**text)).collect();
    let recipe = recipe_of(&given).map_err(errors::input)?;
    let recipe = TaskSetRecipe { seed: seed.unwrap_or(recipe.seed), ..recipe };
    py.detach(|| generate_text(&recipe)).map_err(errors::input)
}

/// The known FPGAs as a JSON list: what there is of each resource stands under all of its names.
#[pyfunction]
pub fn fpga_devices() -> String {
    let device = |device: &isx::taskset::Device| {
        let resources: serde_json::Map<_, _> = device
            .resources()
            .flat_map(|(names, amount)| names.iter().map(move |&name| (name.to_owned(), amount.into())))
            .collect();
        let (name, also, family, source) = (device.name, device.also, device.family(), device.source);
        json!({"name": name, "also": also, "family": family, "resources": resources, "source": source})
    };
    isx::taskset::devices().iter().map(device).collect::<serde_json::Value>().to_string()
}
