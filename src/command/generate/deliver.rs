//! What the recipes of all problems share: their refusals and where they write.

use crate::failure::Failure;
use crate::files::deliver;
use crate::terminal;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// A usage error from an error that begins with the name of a recipe's field: the flag has the same name.
pub fn wrong_flag(error: impl Display) -> Failure {
    Failure::Usage(format!("--{error}"))
}

/// Writes a problem, and notes the command that makes it on standard error, since the format has no comments.
pub fn deliver_text(
    command: impl Display,
    output: Option<&Path>,
    write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
) -> Result<(), Failure> {
    terminal::note(&format!("isx generate {command}"));
    let mut text = Vec::new();
    write(&mut text)?;
    deliver(output, |out| out.write_all(&text))
}
