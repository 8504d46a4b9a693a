//! Hints for what new users type first: a file without its subcommand, or a flag by the name that another
//! subcommand or tool gives it.

use crate::files::kinds::{Kind, import_line, kind_of_name, quoted, save_as_csv};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::path::Path;

/// Adds a hint to an error in the arguments of `program`, in place of clap's suggestions, which do not know the field.
pub fn add_to(error: &mut clap::Error, program: &Command, arguments: &[String]) {
    let hint = match error.kind() {
        ErrorKind::InvalidSubcommand => text(error, ContextKind::InvalidSubcommand).and_then(|word| {
            // Other programs of isx have other subcommands.
            program.find_subcommand("explore")?;
            elsewhere(asked(program, arguments).get_name(), word).or_else(|| instead_of_a_file(word))
        }),
        ErrorKind::UnknownArgument => {
            text(error, ContextKind::InvalidArg).and_then(|flag| other_flag(flag, asked(program, arguments)))
        }
        _ => None,
    };
    if let Some(hint) = hint {
        // clap's usage names the flag that it took for the one that was meant.
        let usage = asked(program, arguments).clone().render_usage();
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(hint)]));
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// The subcommand that the arguments name.
fn asked<'c>(program: &'c Command, arguments: &[String]) -> &'c Command {
    arguments.iter().fold(program, |command, argument| command.find_subcommand(argument).unwrap_or(command))
}

/// Where a problem is solved that was a subcommand here once.
fn elsewhere(command: &str, word: &str) -> Option<String> {
    match (command, word) {
        ("solve" | "generate", "lcs" | "tsp" | "multidim") => {
            Some(format!("`isx-papers solve {word}` solves these, a program of its own in benchmarks/papers"))
        }
        ("isx", "bench") => Some("isx-bench measures engines: a program of its own, benchmarks/bench".to_owned()),
        ("solve" | "generate", "multiple") => {
            Some("isx no longer has several knapsacks; OR-Tools (CP-SAT) and HiGHS solve them".to_owned())
        }
        ("sweep", "merge" | "status") => {
            Some("the chunks are merged as they are read: SQL over DIR/*.parquet; `isx sweep run` says how many are missing".to_owned())
        }
        ("sweep", "report") => Some(
            "the curves are drawn from the chunks by python/examples/sweep_curves.py, or by SQL over DIR/*.parquet".to_owned(),
        ),
        _ => None,
    }
}

/// The command for a file that stands where a subcommand is due.
fn instead_of_a_file(word: &str) -> Option<String> {
    let file = Path::new(word);
    Some(match kind_of_name(file)? {
        Kind::TaskSet => format!("did you mean `isx explore {}`?", quoted(file)),
        Kind::Spreadsheet => save_as_csv(file),
        Kind::Importable => format!("did you mean `{}`?", import_line(file)),
    })
}

/// The flag of this subcommand that does what `flag` asks for.
fn other_flag(flag: &str, command: &Command) -> Option<String> {
    let first = |names: &[&str]| -> Option<&Arg> {
        names.iter().find_map(|name| command.get_arguments().find(|known| known.get_long() == Some(*name)))
    };
    match flag.trim_start_matches('-') {
        "o" | "output" => {
            let (name, folder) = (command.get_name(), first(&["out"])?);
            Some(format!("`isx {name}` writes several files: name their folder with `{folder}`"))
        }
        "device" => {
            Some(format!("a GPU is chosen with `{}`, an FPGA with `isx fit --device`", first(&["gpu"])?))
        }
        "device-memory" => Some(format!("the limit of GPU memory is `{}`", first(&["gpu-memory"])?)),
        "budget" | "area" | "max-area" => {
            Some(format!("the budget is given with `{}`", first(&["area", "max-area", "capacity"])?))
        }
        "period" | "deadline" | "wcet" => {
            first(&["scale-wcet"])?;
            Some("to change one figure, change it in a copy of the task set".to_owned())
        }
        _ => None,
    }
}
