//! The `isx` command: parses arguments, returns an exit code.
//!
//! Each group of subcommands has a folder (`designs`, `fronts`, `proofs`, `solve`, `generate`, `sweep`, `about`); shared code
//! is in `arguments`, `files`, `terminal` and `failure`.

#![forbid(unsafe_code)]

/// Returns [`failure::Failure::Usage`] with a formatted message.
macro_rules! bail {
    ($($message:tt)+) => {
        return Err($crate::failure::Failure::Usage(format!($($message)+)))
    };
}

mod about;
pub mod arguments;
mod designs;
pub mod failure;
mod files;
mod fronts;
mod generate;
mod hints;
mod import;
mod init;
mod proofs;
mod solve;
mod sweep;
pub mod terminal;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
pub use failure::Ways;
use failure::{Failure, Outcome};
use isx_report::visible;
use std::io::Write;
use std::process::ExitCode;

/// Exact Pareto fronts of hardware area against processor utilization.
///
/// isx reads a set of real-time tasks, each with the custom instructions that could speed it up, and answers exactly:
/// which trade-offs of area against utilization are worth considering, which choice each task takes at each of them,
/// and at which smallest area the set is schedulable under EDF or fixed priorities.
#[derive(Parser)]
#[command(name = "isx", version, max_term_width = 100, after_help = AFTER_HELP)]
struct Isx {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    messages: terminal::Messages,
}

const AFTER_HELP: &str = "\
First steps:
  isx init mine.yaml                           write a commented task set, to fill in
  isx explore mine.yaml                        its front, and output/mine/front.svg, a picture
  isx check mine.yaml --area 500               is it schedulable within this area?
  isx show mine.yaml --smallest --margin 20%   the smallest design with 20 % margin, task by task
Task sets from files of other tools or from synthesis reports: isx import FILE -o mine.yaml

Exit codes: 0 done, 1 a negative verdict or an infeasible problem, 2 bad usage or input, 3 unknown verdict, \
4 refused for memory, 5 engine not available, 6 cannot write, 7 self-check failed or not proved, 130 interrupted, 143 terminated.";

#[derive(Subcommand)]
enum Command {
    Init(init::Init),
    Explore(designs::explore::Explore),
    Check(designs::check::Check),
    Show(designs::show::Show),
    Fit(designs::fit::Fit),
    Partition(designs::partition::Partition),
    Verify(proofs::verify::Verify),
    Compare(fronts::compare::Compare),
    Plot(fronts::plot::Plot),
    Report(fronts::report::Report),
    Solve(solve::Solve),
    Generate(generate::Generate),
    Sweep(sweep::Sweep),
    Import(import::Import),
    Confirm(designs::confirm::Confirm),
    Engines(about::engines::Engines),
    Devices(about::devices::Devices),
    Schema(about::Schema),
    Completions(about::Completions),
    Man(about::Man),
}

impl Command {
    fn run(self) -> Result<Outcome, Failure> {
        match self {
            Self::Init(command) => command.run(),
            Self::Explore(command) => command.run(),
            Self::Check(command) => command.run(),
            Self::Show(command) => command.run(),
            Self::Fit(command) => command.run(),
            Self::Partition(command) => command.run(),
            Self::Verify(command) => command.run(),
            Self::Compare(command) => command.run(),
            Self::Plot(command) => command.run(),
            Self::Report(command) => command.run(),
            Self::Solve(command) => command.run(),
            Self::Generate(command) => command.run(),
            Self::Sweep(command) => command.run(),
            Self::Import(command) => command.run(),
            Self::Confirm(command) => command.run(),
            Self::Engines(command) => command.run(),
            Self::Devices(command) => command.run(),
            Self::Schema(command) => command.run(),
            Self::Completions(command) => command.run(Isx::command()),
            Self::Man(command) => command.run(Isx::command()),
        }
    }

    /// The flags that help after a failure.
    fn ways(&self) -> Ways {
        match self {
            Self::Explore(_) => Ways::EXPLORE,
            Self::Show(_) | Self::Fit(_) | Self::Check(_) => Ways::ENGINE,
            Self::Solve(_) => Ways::SOLVE,
            _ => Ways::default(),
        }
    }
}

/// Runs the command and turns its outcome into an exit code.
pub fn run() -> ExitCode {
    run_with(|Isx { command, messages }| {
        messages.apply();
        let ways = command.ways();
        (command.run(), ways)
    })
}

/// Runs a program of isx on its parsed arguments, reports a failure, and turns the outcome into an exit code.
pub fn run_with<P: Parser>(program: impl FnOnce(P) -> (Result<Outcome, Failure>, Ways)) -> ExitCode {
    isx_machine::faults::from_environment();
    terminal::signals::report_panics();
    color_of_help();
    let (outcome, ways) = match terminal::signals::leave_cleanly().map(|()| P::try_parse()) {
        Ok(Ok(arguments)) => program(arguments),
        Ok(Err(error)) => (instead(error, P::command()), Ways::default()),
        Err(failure) => (Err(failure), Ways::default()),
    };
    match outcome {
        Ok(outcome) => outcome.into(),
        // The reader of our output has closed it; nothing can be reported.
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::report(&failure, ways.out_of(&failure).as_deref());
            failure.code().into()
        }
    }
}

/// What is printed instead of running the command: help or the version, if requested, or what is wrong with the
/// arguments.
fn instead(mut error: clap::Error, mut program: clap::Command) -> Result<Outcome, Failure> {
    if !error.use_stderr() {
        error.print()?;
        std::io::stdout().flush()?;
        return Ok(Outcome::Done);
    }
    // Only then do its flags know how they are written.
    program.build();
    hints::add_to(&mut error, &program, &arguments());
    // The message repeats arguments, which may be file names from a shell's `*` and contain control characters.
    // If standard error fails, nothing can be reported.
    if arguments().iter().all(|argument| visible(argument) == argument.as_str()) {
        let _ = error.print();
    } else {
        for line in error.to_string().lines() {
            let _ = writeln!(std::io::stderr(), "{}", visible(line));
        }
    }
    Ok(Outcome::Failed(2))
}

fn arguments() -> Vec<String> {
    std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// Help and argument errors are printed before `--color` is parsed, so it is searched for here.
fn color_of_help() {
    let arguments = arguments();
    let value = |(at, one): (usize, &String)| match one.strip_prefix("--color")? {
        "" => arguments.get(at + 1).cloned(),
        rest => rest.strip_prefix('=').map(str::to_owned),
    };
    let when = arguments.iter().enumerate().rev().find_map(value);
    if let Some(when) = when.and_then(|when| clap::ColorChoice::from_str(&when, false).ok()) {
        terminal::apply_color(when);
    }
}
