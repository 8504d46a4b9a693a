//! Verbosity, color and width of the terminal, and the layout of messages.

pub mod progress;
pub mod signals;

use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use clap::Args;
use isx_import::Refusal;
use isx_pages::verdict::Options;
use isx_report::visible;
use isx_taskset::{Diagnostic, ReadError};
use std::io::{self, BufWriter, IsTerminal, Write as _};
use std::sync::OnceLock;

/// How much every subcommand prints besides its answer.
#[derive(Args)]
#[command(next_help_heading = "Messages")]
pub struct Messages {
    /// Print only the answer, in one line; no notes, warnings or progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Also print which engine ran and why, and every note and warning
    #[arg(short, long, global = true)]
    verbose: bool,

    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = clap::ColorChoice::Auto)]
    color: clap::ColorChoice,
}

/// The verbosity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Talk {
    /// The answer alone.
    Quiet,
    /// What a person wants to read.
    Normal,
    /// Everything.
    Verbose,
}

/// Set once, before anything is printed.
static TALK: OnceLock<Talk> = OnceLock::new();

/// The verbosity that the user chose.
pub fn talk() -> Talk {
    TALK.get().copied().unwrap_or(Talk::Normal)
}

impl Messages {
    /// Sets the verbosity from now on.
    pub fn apply(&self) {
        let talk = match (self.quiet, self.verbose) {
            (true, _) => Talk::Quiet,
            (_, true) => Talk::Verbose,
            _ => Talk::Normal,
        };
        TALK.get_or_init(|| talk);
        apply_color(self.color);
    }
}

/// Switches color on or off for everything printed from now on.
pub fn apply_color(when: clap::ColorChoice) {
    match when {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Whether standard output gets color: if it is a terminal and `NO_COLOR` is unset, or as `--color` says.
pub fn color_on_stdout() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// No terminal is wider; `COLUMNS` may say anything.
const WIDEST: usize = 10_000;

/// The width of tables in columns; 100 if standard output is not a terminal.
pub fn columns() -> usize {
    let stated = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || {
        std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten().map(|(w, _)| w.0.into())
    };
    stated.or_else(measured).unwrap_or(100).min(WIDEST)
}

/// How answers are printed.
pub fn printing() -> Options<'static> {
    Options {
        width: columns(),
        color: color_on_stdout(),
        brief: talk() == Talk::Quiet,
        engine: talk() == Talk::Verbose,
        ..Options::default()
    }
}

/// Writes an answer.
pub type Write<'a> = &'a dyn Fn(&mut dyn io::Write) -> io::Result<()>;

/// Prints an answer as JSON or as text.
pub fn print(is_json: bool, json: Write, text: Write) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if is_json {
        json(&mut out)?
    } else {
        text(&mut out)?
    }
    out.flush()
}

/// The height of the terminal in lines; `None` if standard output is not a terminal.
pub fn lines() -> Option<usize> {
    let stated = || std::env::var("LINES").ok().and_then(|lines| lines.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(_, height)| height.0.into());
    std::io::stdout().is_terminal().then(|| stated().or_else(measured).unwrap_or(24))
}

/// Prints a colored word and its text to standard error. An error of writing cannot be reported.
fn say(color: AnsiColor, is_bold: bool, word: &str, text: &str) {
    let mut style = Style::new().fg_color(Some(color.into()));
    if is_bold {
        style = style.bold();
    }
    let _ = writeln!(anstream::stderr(), "{style}{word}{style:#}: {text}");
}

/// Reports a failure on standard error, and what the user can do about it.
pub fn report(failure: &Failure, advice: Option<&str>) {
    match failure {
        // The error shows the lines that it refers to, and has already escaped them.
        Failure::Read(error @ ReadError::Invalid { .. })
        | Failure::Import(Refusal { error: error @ ReadError::Invalid { .. }, .. }) => {
            let _ = writeln!(anstream::stderr(), "{}", error.render(true));
        }
        _ => say(AnsiColor::Red, true, "error", &visible(&failure.to_string())),
    }
    if let Some(advice) = advice {
        say(AnsiColor::Cyan, true, "help", advice);
    }
}

/// More warnings than this are counted, not shown, unless all are wanted.
const MOST_WARNINGS: usize = 8;

/// Prints the reader's warnings to standard error.
pub fn warn(warnings: &[Diagnostic]) {
    let most = match talk() {
        Talk::Quiet => return,
        Talk::Normal => MOST_WARNINGS,
        Talk::Verbose => usize::MAX,
    };
    let mut stderr = anstream::stderr();
    for warning in warnings.iter().take(most) {
        let _ = writeln!(stderr, "{}", warning.render(true));
    }
    match warnings.len().saturating_sub(most) {
        0 => {}
        1 => note("and 1 more warning; -v shows it"),
        more => note(&format!("and {more} more warnings; -v shows all")),
    }
}

/// Prints a warning that refers to no line of a file; as [`note`].
pub fn warning(text: &str) {
    if talk() != Talk::Quiet {
        say(AnsiColor::Yellow, true, "warning", &visible(text));
    }
}

/// Prints a note to standard error; invisible characters, and those that would move the cursor, are escaped.
pub fn note(text: &str) {
    if talk() != Talk::Quiet {
        say(AnsiColor::Cyan, false, "note", &visible(text));
    }
}
