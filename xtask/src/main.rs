//! Developers' chores for isx.

mod kernels;
mod nvrtc;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask kernels [--check] [--nvrtc DIR]

  kernels    compile kernels/*/*.cu to kernels/ptx/*.ptx with NVRTC 12.4
  --check    compile, compare with the committed files, write nothing; exit 1 on a difference
  --nvrtc    folder of libnvrtc.so.12; else ISX_NVRTC_DIR, else the loader's path. Without a CUDA toolkit:
             pip download nvidia-cuda-nvrtc-cu12==12.4.127 --no-deps, unzip it, and give its nvidia/cuda_nvrtc/lib";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut words = arguments.iter().map(String::as_str);
    if words.next() != Some("kernels") {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    let mut check = false;
    let mut folder = std::env::var("ISX_NVRTC_DIR").ok();
    while let Some(word) = words.next() {
        match (word, word == "--nvrtc") {
            ("--check", _) => check = true,
            (_, true) => folder = words.next().map(Into::into),
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    match kernels::run(check, folder.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
