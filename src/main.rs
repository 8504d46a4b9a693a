//! The `isx` command.

#![forbid(unsafe_code)]

mod bench;
mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
