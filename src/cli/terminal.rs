//! Color, width, and how messages look on the terminal.

use super::failure::Failure;
use anstyle::{AnsiColor, Style};
use isx::taskset::Diagnostic;
use std::io::{IsTerminal, Write};

/// Whether standard output takes color: a terminal, and `NO_COLOR` unset.
pub fn color_on_stdout() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Columns to lay tables out for; 100 where standard output is no terminal.
pub fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || {
        std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten().map(|(w, _)| w.0.into())
    };
    told.or_else(measured).unwrap_or(100)
}

/// Tells a failure on standard error.
pub fn report(failure: &Failure) {
    let mut stderr = anstream::stderr();
    // Nobody is left to tell if standard error fails.
    let _ = match failure {
        Failure::Read(error) => writeln!(stderr, "{}", error.render(true)),
        _ => {
            let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
            writeln!(stderr, "{red}error{red:#}: {failure}")
        }
    };
}

/// Tells a warning of the reader on standard error.
pub fn warn(warning: &Diagnostic) {
    let _ = writeln!(anstream::stderr(), "{}", warning.render(true));
}

/// Tells a note on standard error.
pub fn note(text: &str) {
    let cyan = Style::new().fg_color(Some(AnsiColor::Cyan.into()));
    let _ = writeln!(anstream::stderr(), "{cyan}note{cyan:#}: {text}");
}
