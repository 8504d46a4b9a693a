//! Certificates that commands write and check.

use super::failure::Failure;
use isx::certificate::{CertifyError, Proved};
use isx::report::files::{check_replaceable, check_writable, write_whole};
use std::io::{self, Write};
use std::path::Path;

/// Has a certificate written, to a file if there is one, and checked. The file appears once the checker has accepted it.
pub fn certified(
    file: Option<&Path>,
    certify: impl FnOnce(&mut dyn Write) -> Result<Proved, CertifyError>,
) -> Result<Proved, Failure> {
    let Some(file) = file else { return Ok(certify(&mut io::sink())?) };
    let mut proved = None;
    let written = write_whole(file, |out| {
        let result = certify(out);
        let is_accepted = result.is_ok();
        let cause = match result {
            Err(CertifyError::Write(cause)) => Err(cause),
            result => {
                proved = Some(result);
                Ok(())
            }
        };
        cause?;
        if is_accepted { Ok(()) } else { Err(io::Error::other("it does not check")) }
    });
    match proved {
        Some(Err(refused)) => Err(refused.into()),
        Some(Ok(proved)) => {
            written?;
            Ok(proved)
        }
        None => {
            written?;
            Err(io::Error::other("no certificate was written").into())
        }
    }
}

/// A certificate is of one answer.
pub fn refuse_several(certificate: Option<&Path>, inputs: usize) -> Result<(), Failure> {
    if certificate.is_none() || inputs == 1 {
        return Ok(());
    }
    Err(Failure::Usage("--certificate is for one input: those of several would replace each other".into()))
}

/// Finds out, before a long computation, that files can be written where they are to be.
pub fn check_places<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    for file in files {
        check_replaceable(file)?;
        // What is there and is no regular file, such as a pipe, is written as it is.
        if std::fs::metadata(file).is_ok_and(|about| !about.is_file()) {
            continue;
        }
        check_writable(file.parent().unwrap_or(Path::new("")))?;
    }
    Ok(())
}
