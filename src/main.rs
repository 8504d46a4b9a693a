//! The `isx` command.

#![deny(unsafe_code)]

mod bench;
mod cli;
#[cfg(unix)]
mod process;

fn main() -> std::process::ExitCode {
    cli::run()
}
