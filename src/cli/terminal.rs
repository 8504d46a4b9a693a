//! Color, width, and how messages look on the terminal.

use super::failure::Failure;
use anstyle::{AnsiColor, Style};
use isx::report::visible;
use isx::taskset::{Diagnostic, ReadError};
use std::io::{IsTerminal, Write};

/// Whether standard output takes color: a terminal, and `NO_COLOR` unset.
pub fn color_on_stdout() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// No terminal is wider; `COLUMNS` may say anything.
const WIDEST: usize = 10_000;

/// Columns to lay tables out for; 100 where standard output is no terminal.
pub fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || {
        std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten().map(|(w, _)| w.0.into())
    };
    told.or_else(measured).unwrap_or(100).min(WIDEST)
}

/// Tells a failure on standard error.
pub fn report(failure: &Failure) {
    let mut stderr = anstream::stderr();
    // Nobody is left to tell if standard error fails.
    let _ = match failure {
        // It draws the lines it is about, and has made them safe.
        Failure::Read(error @ ReadError::Invalid { .. }) => writeln!(stderr, "{}", error.render(true)),
        _ => {
            let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
            writeln!(stderr, "{red}error{red:#}: {}", visible(&failure.to_string()))
        }
    };
}

/// More warnings than this are counted, not shown.
const MOST_WARNINGS: usize = 8;

/// Tells the warnings of the reader on standard error.
pub fn warn(warnings: &[Diagnostic]) {
    let mut stderr = anstream::stderr();
    for warning in warnings.iter().take(MOST_WARNINGS) {
        let _ = writeln!(stderr, "{}", warning.render(true));
    }
    match warnings.len().saturating_sub(MOST_WARNINGS) {
        0 => {}
        1 => note("and 1 more warning"),
        more => note(&format!("and {more} more warnings")),
    }
}

/// Tells a note on standard error; what is invisible in it, or would move the cursor, is written out.
pub fn note(text: &str) {
    let cyan = Style::new().fg_color(Some(AnsiColor::Cyan.into()));
    let _ = writeln!(anstream::stderr(), "{cyan}note{cyan:#}: {}", visible(text));
}
