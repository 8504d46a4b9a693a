//! Developers' chores for isx.

mod kernels;
mod nvrtc;
mod sbom;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask kernels [--check] [--nvrtc DIR]
       cargo xtask sbom

  kernels    compile kernels/*/*.cu to kernels/ptx/*.ptx with NVRTC 12.4
  --check    compile, compare with the committed files, write nothing; exit 1 on a difference
  --nvrtc    folder of libnvrtc.so.12; else ISX_NVRTC_DIR, else the loader's path. Without a CUDA toolkit:
             pip download nvidia-cuda-nvrtc-cu12==12.4.127 --no-deps, unzip it, and give its nvidia/cuda_nvrtc/lib

  sbom       write target/sbom/isx.cdx.json, the bill of materials, with cargo-cyclonedx";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut words = arguments.iter().map(String::as_str);
    let done = match words.next() {
        Some("kernels") => kernels(words),
        Some("sbom") if words.next().is_none() => Some(sbom::run()),
        _ => None,
    };
    match done {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// `None` where the words are not understood.
fn kernels<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Result<(), String>> {
    let mut check = false;
    let mut folder = std::env::var("ISX_NVRTC_DIR").ok();
    while let Some(word) = words.next() {
        match word {
            "--check" => check = true,
            "--nvrtc" => folder = Some(words.next()?.to_owned()),
            _ => return None,
        }
    }
    Some(kernels::run(check, folder.as_deref()))
}
