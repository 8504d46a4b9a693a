//! The command line: arguments in, an exit code out. One file a subcommand.

mod arguments;
mod bench;
mod check;
mod completions;
mod devices;
mod explore;
mod failure;
mod generate;
mod plot;
mod progress;
mod signals;
mod solve;
mod terminal;

use clap::{Parser, Subcommand};
use failure::Failure;
use isx::report::visible;
use std::io::Write;
use std::process::ExitCode;

/// Exact Pareto fronts of hardware area against processor utilization.
///
/// isx reads a set of real-time tasks, each with custom instructions it could be given, and answers exactly: which
/// trade-offs of area against utilization are worth considering, which choice each task takes at each of them,
/// and from which area on the set is schedulable under EDF.
#[derive(Parser)]
#[command(name = "isx", version, max_term_width = 100, after_help = AFTER_HELP)]
struct Isx {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
First steps:
  isx generate taskset -o mine.yaml   make a task set to try things with
  isx explore mine.yaml               its front, and a picture of it in output/mine/front.svg
  isx check mine.yaml --area 2000     is it schedulable with so much area?

Exit codes: 0 done, 1 a negative verdict, 2 bad usage or input, 3 unknown verdict, \
4 refused for memory, 5 engine not available, 6 cannot write, 7 self-check failed, 130 interrupted, 143 terminated.";

#[derive(Subcommand)]
enum Command {
    Explore(explore::Explore),
    Check(check::Check),
    Plot(plot::Plot),
    Solve(solve::Solve),
    Generate(generate::Generate),
    Bench(bench::Bench),
    Devices(devices::Devices),
    Completions(completions::Completions),
}

/// Runs the command and turns its outcome into an exit code.
pub fn run() -> ExitCode {
    signals::leave_cleanly();
    let outcome = match arguments().command {
        Command::Explore(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Plot(command) => command.run(),
        Command::Solve(command) => command.run(),
        Command::Generate(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Devices(command) => command.run(),
        Command::Completions(command) => command.run(),
    };
    match outcome {
        Ok(outcome) => outcome.into(),
        // Whoever read our output has gone; there is nobody to tell.
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::report(&failure);
            failure.exit_code()
        }
    }
}

/// The arguments; ends the program where they are wrong, or ask for help.
fn arguments() -> Isx {
    Isx::try_parse().unwrap_or_else(|error| {
        // The message repeats arguments, and a shell's `*` may have taken them from names that somebody else chose.
        let harmless = |argument: std::ffi::OsString| {
            let argument = argument.to_string_lossy();
            visible(&argument) == argument
        };
        if std::env::args_os().all(harmless) {
            error.exit();
        }
        for line in error.to_string().lines() {
            // Nobody is left to tell if standard error fails.
            let _ = writeln!(std::io::stderr(), "{}", visible(line));
        }
        std::process::exit(error.exit_code())
    })
}
