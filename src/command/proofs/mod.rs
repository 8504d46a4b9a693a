//! Writes certificates, and `isx verify`, which checks them.

mod question;
pub mod verify;

use crate::failure::Failure;
use crate::terminal::progress::Shown;
use isx_certificate::{CertifyError, Proved, nothing_fits};
use isx_explore::ExploreError;
use isx_report::files::write_whole;
use isx_taskset::TaskSet;
use isx_taskset::formulate::formulate_allowed;
use std::io::{self, Write};
use std::path::Path;

/// Writes a certificate, if a file is given, and checks it. The file appears once the checker has accepted it.
pub fn certified(
    file: Option<&Path>,
    certify: impl FnOnce(&mut dyn Write) -> Result<Proved, CertifyError>,
) -> Result<Proved, Failure> {
    let stage = "proving and checking";
    match file {
        None => Ok(certify(&mut Shown::new(io::sink(), stage, None))?),
        Some(file) => write_if_made(file, |out| Ok(certify(&mut Shown::new(out, stage, None))?)),
    }
}

/// Writes the certificate that no design is within the limits of several resources, if that is the error.
pub fn prove_nothing_fits(
    error: &ExploreError,
    task_set: &TaskSet,
    file: &Path,
    max_bytes: u64,
) -> Result<(), Failure> {
    if !matches!(error, ExploreError::Limits { .. }) {
        return Ok(());
    }
    let formulations = formulate_allowed(task_set, None).map_err(ExploreError::from)?;
    certified(Some(file), |out| nothing_fits(&formulations, max_bytes, out)).map(drop)
}

/// Writes a file by a function that may fail for other reasons than writing; after a failure the file does not
/// appear.
pub fn write_if_made<T>(
    file: &Path,
    make: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let (mut made, mut failure) = (None, None);
    let written = write_whole(file, |out| match make(out) {
        Ok(value) => {
            made = Some(value);
            Ok(())
        }
        Err(Failure::Certify(CertifyError::Write(cause))) => Err(cause),
        Err(other) => {
            failure = Some(other);
            Err(io::Error::other("it was not made"))
        }
    });
    match (failure, made) {
        (Some(failure), _) => Err(failure),
        (None, Some(value)) => Ok(written.map(|()| value)?),
        (None, None) => {
            Err(written.map_or_else(Into::into, |()| io::Error::other("nothing was made").into()))
        }
    }
}

/// A certificate proves one answer.
pub fn refuse_several(certificate: Option<&Path>, inputs: usize) -> Result<(), Failure> {
    if certificate.is_none() || inputs == 1 {
        return Ok(());
    }
    bail!("--certificate is for one input: those of several would replace each other")
}
