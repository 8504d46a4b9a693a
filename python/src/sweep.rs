//! Chunks of a sweep.

use crate::errors;
use isx::machine::Machine;
use isx::sweep::folder::Folder;
use isx::sweep::{Spec, SweepError, chunk};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Sets between two looks for signals.
const OFTEN: u32 = 32;

fn raised(error: SweepError) -> PyErr {
    match error {
        SweepError::Read(error) => errors::read(&error),
        SweepError::Write(error) => errors::write(&error),
        error => errors::input(error),
    }
}

/// The number of chunks of a specification; `name` names it in messages, and its files are named from `folder`.
#[pyfunction]
pub fn sweep_chunks(py: Python<'_>, text: &[u8], name: &str, folder: PathBuf) -> PyResult<u64> {
    py.detach(|| Spec::read(name, text, &folder)).map(|spec| spec.chunks()).map_err(raised)
}

/// The numbers of the chunks that are not in the folder `out`.
#[pyfunction]
pub fn sweep_missing(
    py: Python<'_>,
    text: &[u8],
    name: &str,
    folder: PathBuf,
    out: PathBuf,
) -> PyResult<Vec<u64>> {
    let missing = || {
        let spec = Spec::read(name, text, &folder)?;
        Folder::prepare(&out, &spec)?.missing(&spec, (0, 1))
    };
    py.detach(missing).map_err(raised)
}

/// The file of a chunk; also written to `out`, if given, as `isx sweep run` does.
#[pyfunction]
pub fn sweep_chunk<'py>(
    py: Python<'py>,
    text: &[u8],
    name: &str,
    folder: PathBuf,
    number: u64,
    out: Option<PathBuf>,
) -> PyResult<Bound<'py, PyBytes>> {
    let signal = Mutex::new(None);
    let bytes = py.detach(|| computed(text, name, &folder, number, out.as_deref(), &signal));
    match signal.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => bytes.map(|bytes| PyBytes::new(py, &bytes)).map_err(raised),
    }
}

fn computed(
    text: &[u8],
    name: &str,
    folder: &Path,
    number: u64,
    out: Option<&Path>,
    signal: &Mutex<Option<PyErr>>,
) -> Result<Vec<u8>, SweepError> {
    let spec = Spec::read(name, text, folder)?;
    let out = out.map(|out| Folder::prepare(out, &spec)).transpose()?;
    let sets = Cell::new(0u32);
    let watch = || {
        sets.set(sets.get() + 1);
        if !sets.get().is_multiple_of(OFTEN) {
            return true;
        }
        let raised = Python::attach(|py| py.check_signals()).err();
        let goes_on = raised.is_none();
        *signal.lock().unwrap_or_else(PoisonError::into_inner) = raised;
        goes_on
    };
    let bytes = chunk::bytes(&spec, number, &Machine::default().with_threads(1), &watch)?;
    if let Some(out) = out {
        out.write(number, &bytes)?;
    }
    Ok(bytes)
}
