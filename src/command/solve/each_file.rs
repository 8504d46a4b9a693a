//! What the commands of all problems check in their files and flags.

use crate::failure::Failure;
use crate::files::unreadable;
use crate::proofs::refuse_several;
use isx_problems::looks::Looks;
use isx_problems::text::TextError;
use isx_report::files::check_place;
use std::path::Path;

/// The error for a text that is not a problem of this family, and what it looks like instead.
pub fn not_understood(file: &Path, text: &str, problem: &TextError, family: &str) -> Failure {
    let Some(looks) = Looks::of(text) else { return unreadable(file, problem) };
    let command = match looks {
        Looks::Knapsack | Looks::Pisinger => "solve knapsack",
        Looks::Mckp => "solve mckp",
        Looks::TaskSet => "explore",
        _ => "",
    };
    if command == format!("solve {family}") {
        return unreadable(file, problem);
    }
    let advice = match looks {
        Looks::Mmkp | Looks::OrLibrary => ", which isx does not solve".into(),
        Looks::Json | Looks::Lp | Looks::Mps => format!("; `isx solve {family} --help` says what is read"),
        Looks::TableWithHeader => {
            "; leave the header out, and write the numbers with spaces between them".into()
        }
        Looks::Separated => "; write the numbers with spaces between them".into(),
        _ if looks.is_read(text) => format!("; `isx {command}` reads it"),
        _ => format!("; `isx {command}` says what is wrong with it"),
    };
    unreadable(file, &format!("{problem}; this looks like {}{advice}", looks.what()))
}

/// Refuses a certificate of several answers, and a certificate file that is not writable.
pub fn check_certificate(certificate: Option<&Path>, files: usize) -> Result<(), Failure> {
    refuse_several(certificate, files)?;
    Ok(certificate.map_or(Ok(()), check_place)?)
}
