//! Certificates that commands write and check.

use super::failure::Failure;
use isx::certificate::{CertifyError, Proved};
use isx::report::files::write_whole;
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
