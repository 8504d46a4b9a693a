//! Chunks of a sweep.

use crate::errors::Answered;
use isx::machine::Machine;
use isx::sweep::folder::Folder;
use isx::sweep::{Spec, SweepError, chunk};
use pyo3::prelude::*;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Sets between two looks for signals.
const OFTEN: u32 = 32;

/// A specification: its text, what names it in messages, and the folder that its files are named from.
type Given = (Vec<u8>, String, PathBuf);

fn read((text, name, folder): &Given) -> Result<Spec, SweepError> {
    Spec::read(name, text, folder)
}

/// The number of chunks of a specification.
#[pyfunction]
pub fn sweep_chunks(py: Python<'_>, given: Given) -> Answered<u64> {
    Ok(py.detach(|| read(&given))?.chunks())
}

/// The numbers of the chunks that are not in the folder `out`.
#[pyfunction]
pub fn sweep_missing(py: Python<'_>, given: Given, out: PathBuf) -> Answered<Vec<u64>> {
    let missing = || {
        let spec = read(&given)?;
        Folder::prepare(&out, &spec)?.missing(&spec, (0, 1))
    };
    Ok(py.detach(missing)?)
}

/// The file of a chunk; also written to `out`, if given, as `isx sweep run` does.
#[pyfunction]
pub fn sweep_chunk(py: Python<'_>, given: Given, number: u64, out: Option<PathBuf>) -> Answered<Vec<u8>> {
    let signal = Mutex::new(None);
    let computed = || -> Answered<Vec<u8>> {
        let spec = read(&given)?;
        let out = out.map(|out| Folder::prepare(&out, &spec)).transpose()?;
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
    };
    let bytes = py.detach(computed);
    match signal.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error)?,
        None => bytes,
    }
}
