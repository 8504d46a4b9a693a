//! The origin of a report, as far as the command knows it.

use super::kinds::quoted_argument;
use super::{Hashed, Identity, STDIN, hexadecimal, is_stdin};
use isx_report::origin::{Origin, OriginFile};
use std::fs::File;
use std::io;
use std::path::Path;

/// A longer command line is cut.
const LONGEST_COMMAND: usize = 2000;

/// The origin of a result computed from these inputs, with notes for readers.
pub fn origin(inputs: Vec<OriginFile>, notes: Vec<String>) -> Origin {
    Origin { command: Some(command_line()), inputs, notes, ..Origin::default() }
}

/// The input without its folders, which may be private.
pub fn named(path: &Path, identity: &Identity) -> OriginFile {
    OriginFile { name: file_name(path), sha256: identity.sha256.clone() }
}

/// The name of a file without its folders.
pub fn file_name(path: &Path) -> String {
    if is_stdin(path) {
        return STDIN.into();
    }
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A written file, if it can be read again: a pipe cannot.
pub fn written(path: &Path) -> Option<OriginFile> {
    if !path.is_file() {
        return None;
    }
    let mut file = Hashed::new(File::open(path).ok()?);
    io::copy(&mut file, &mut io::sink()).ok()?;
    Some(OriginFile { name: file_name(path), sha256: hexadecimal(&file.digest()) })
}

/// The command line, quoted for a shell.
fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|one| quoted_argument(&one.to_string_lossy()));
    let line = std::iter::once("isx".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_COMMAND) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
