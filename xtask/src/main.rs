//! Developers' chores for isx.

mod dist;
mod kernels;
mod nvrtc;
mod sbom;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask kernels [--check] [--nvrtc DIR]
       cargo xtask sbom
       cargo xtask dist [--target TRIPLE] [--out DIR] [--profile NAME]

  kernels    compile kernels/*/*.cu to kernels/ptx/*.ptx, and kernels/papers/*.cu to the ptx beside
             them, with NVRTC 12.4
  --check    compile, compare with the committed files, write nothing; exit 1 on a difference
  --nvrtc    folder of libnvrtc.so.12; else ISX_NVRTC_DIR, else the loader's path. Without a CUDA toolkit:
             pip download nvidia-cuda-nvrtc-cu12==12.4.127 --no-deps, unzip it, and give its nvidia/cuda_nvrtc/lib

  sbom       write target/sbom/isx.cdx.json, the bill of materials, with cargo-cyclonedx

  dist       build the command, pack it with README, licences, completions, manual pages, book and task sets, write the
             archive and its SHA-256, and try it: unpacked, with no cargo on the path
  --target   for another machine, by Rust's name for it; linked by cargo-zigbuild [default: for this machine]
  --out      folder of the archives [default: target/dist-archives]
  --profile  a profile of Cargo.toml [default: dist]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut words = arguments.iter().map(String::as_str);
    let done = match words.next() {
        Some("kernels") => kernels(words),
        Some("dist") => dist(words),
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

/// `None` where the words are not understood.
fn dist<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Result<(), String>> {
    let mut options = dist::Options::default();
    while let Some(word) = words.next() {
        match word {
            "--target" => options.target = Some(words.next()?.to_owned()),
            "--out" => options.out = words.next()?.into(),
            "--profile" => options.profile = words.next()?.to_owned(),
            _ => return None,
        }
    }
    Some(dist::run(&options))
}
