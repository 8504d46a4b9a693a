//! `isx devices`.

use super::failure::{Failure, Outcome};
use clap::Args;
use isx::engine::mckp::ENGINES;
use isx::engine::{Hardware, Threads};
use isx::machine::cpu::lanes::Isa;
use isx::machine::cuda::{self, DeviceInfo};
use serde_json::{Value, json};
use std::io::Write;

/// Show the engines and GPUs of this machine, and why one cannot be used
#[derive(Args)]
pub struct Devices {
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

impl Devices {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let gpus: Vec<Result<DeviceInfo, String>> = match cuda::devices() {
            Ok(gpus) => gpus.into_iter().map(|gpu| gpu.map_err(|why| why.to_string())).collect(),
            Err(why) => vec![Err(why.to_string())],
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{:#}", document(&gpus))?;
        } else {
            write_text(&gpus, &mut out)?;
        }
        Ok(Outcome::Done)
    }
}

fn instruction_sets() -> Vec<&'static str> {
    Isa::available().into_iter().map(Isa::name).collect()
}

fn cores() -> usize {
    isx::machine::cpu::cores()
}

fn write_text(gpus: &[Result<DeviceInfo, String>], out: &mut impl Write) -> std::io::Result<()> {
    for engine in ENGINES.iter() {
        match (engine.hardware, engine.threads) {
            (Hardware::Cpu, Threads::One) => writeln!(out, "{:10} {}", engine.name, engine.about)?,
            (Hardware::Cpu, Threads::Many) => {
                let (cores, isa) = (cores(), Isa::best().name());
                writeln!(out, "{:10} {}, on up to {cores} cores with {isa}", engine.name, engine.about)?;
            }
            (Hardware::Gpu, _) => {
                for gpu in gpus {
                    match gpu {
                        Ok(gpu) => writeln!(out, "{:10} {}", engine.name, describe(gpu))?,
                        Err(why) => writeln!(out, "{:10} not available: {why}", engine.name)?,
                    }
                }
            }
        }
    }
    Ok(())
}

fn describe(gpu: &DeviceInfo) -> String {
    let (major, minor) = gpu.compute_capability;
    format!(
        "GPU {}: {}, compute capability {major}.{minor}, {} multiprocessors, {:.1} GiB, driver for CUDA {}.{}",
        gpu.ordinal,
        gpu.name,
        gpu.multiprocessors,
        gpu.memory as f64 / f64::from(1 << 30),
        gpu.driver_cuda / 1000,
        gpu.driver_cuda % 1000 / 10
    )
}

fn document(gpus: &[Result<DeviceInfo, String>]) -> Value {
    let gpu = |gpu: &Result<DeviceInfo, String>| match gpu {
        Ok(gpu) => json!({
            "usable": true,
            "ordinal": gpu.ordinal,
            "name": gpu.name,
            "compute_capability": format!("{}.{}", gpu.compute_capability.0, gpu.compute_capability.1),
            "multiprocessors": gpu.multiprocessors,
            "memory": gpu.memory,
            "driver_cuda": format!("{}.{}", gpu.driver_cuda / 1000, gpu.driver_cuda % 1000 / 10),
        }),
        Err(why) => json!({ "usable": false, "why": why }),
    };
    let engines: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
    json!({
        "schema": "isx.devices/1",
        "engines": engines,
        "cores": cores(),
        "instruction_sets": instruction_sets(),
        "gpus": gpus.iter().map(gpu).collect::<Vec<_>>(),
    })
}
