//! The program `isx-bench`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    isx_bench::command::run()
}
