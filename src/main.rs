//! The `isx` command.

#![deny(unsafe_code)]

#[cfg(unix)]
mod process;

fn main() -> std::process::ExitCode {
    isx_command::run()
}
