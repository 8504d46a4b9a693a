//! Chunks of a sweep.

use crate::errors::Answered;
use crate::options::shared_machine;
use crate::running::run;
use isx::sweep::folder::Folder;
use isx::sweep::{Spec, SweepError, chunk};
use pyo3::prelude::*;
use std::path::PathBuf;

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
    run(py, &shared_machine().with_threads(1), None, move |lent| {
        let spec = read(&given)?;
        let out = out.map(|out| Folder::prepare(&out, &spec)).transpose()?;
        let bytes = chunk::bytes(&spec, number, &lent.machine, &|| !lent.machine.is_cancelled())?;
        if let Some(out) = out {
            out.write(number, &bytes)?;
        }
        Ok(bytes)
    })
}
