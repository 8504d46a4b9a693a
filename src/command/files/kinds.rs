//! What a file holds, by its name: hints for files of another kind than a subcommand reads.

use isx_import::FORMATS;
use isx_report::visible;
use std::path::Path;

/// What a file holds, by its name.
pub enum Kind {
    /// A task set.
    TaskSet,
    /// A spreadsheet program's own format.
    Spreadsheet,
    /// What `isx import` reads.
    Importable,
}

/// The kind of a file, by the ending of its name.
pub fn kind_of_name(file: &Path) -> Option<Kind> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "yaml" | "yml" => Some(Kind::TaskSet),
        // A JSON file may also be a front.
        "json" => None,
        _ if isx_import::is_spreadsheet(&ending) => Some(Kind::Spreadsheet),
        ending => FORMATS.iter().any(|format| format.ending == ending).then_some(Kind::Importable),
    }
}

/// Why the file cannot be a task set, and how to make one from it, as far as its name shows.
pub fn no_task_set(file: &Path) -> Option<String> {
    match kind_of_name(file)? {
        Kind::TaskSet => None,
        Kind::Spreadsheet => Some(format!("this is a spreadsheet, not a task set; {}", save_as_csv(file))),
        Kind::Importable => {
            Some(format!("this is not a task set; `{}` makes one from it", import_line(file)))
        }
    }
}

/// The way from a spreadsheet to a task set.
pub fn save_as_csv(file: &Path) -> String {
    format!("save the table as CSV, then `{}`", import_line(&file.with_extension("csv")))
}

/// The command that makes a task set from this file.
pub fn import_line(file: &Path) -> String {
    format!("isx import {} -o {}", quoted(file), quoted(&file.with_extension("yaml")))
}

/// A file name as it is typed in a shell.
pub fn quoted(file: &Path) -> String {
    quoted_argument(&file.display().to_string())
}

/// An argument, quoted for a shell where it needs that.
pub fn quoted_argument(argument: &str) -> String {
    let argument = visible(argument);
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=@%+".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument;
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}
