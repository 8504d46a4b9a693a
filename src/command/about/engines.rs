//! `isx engines`.

use crate::failure::{Failure, Outcome};
use clap::Args;
use isx_engine::{Family, Hardware, Registry, Threads};
use isx_machine::cpu::{cores, lanes::Isa};
use isx_machine::cuda::{self, DeviceInfo};
use serde_json::{Value, json};
use std::io::Write;
use {isx_knapsack as knapsack, isx_mckp as mckp};

/// List the engines and GPUs of this machine, and why any cannot be used
#[derive(Args)]
pub struct Engines {
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

impl Engines {
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

/// An engine of any family: its name, what it is, and where it runs.
type Engine = (&'static str, &'static str, Hardware, Threads);

/// A problem family by name, with its engines.
fn family<F: Family>(registry: &Registry<F>) -> (&'static str, Vec<Engine>) {
    let engines = registry.iter().map(|entry| (entry.name, entry.about, entry.hardware, entry.threads));
    (F::NAME, engines.collect())
}

/// Every family.
fn families() -> [(&'static str, Vec<Engine>); 2] {
    [family(&mckp::ENGINES), family(&knapsack::ENGINES)]
}

fn write_text(gpus: &[Result<DeviceInfo, String>], out: &mut impl Write) -> std::io::Result<()> {
    for gpu in gpus {
        match gpu {
            Ok(gpu) => writeln!(out, "{}", describe(gpu))?,
            Err(why) => writeln!(out, "no GPU: {why}")?,
        }
    }
    let usable = gpus.iter().any(Result::is_ok);
    for (family, engines) in families() {
        writeln!(out, "\nengines for {family}")?;
        for (name, about, hardware, threads) in engines {
            let where_it_runs = match (hardware, threads) {
                (Hardware::Cpu, Threads::One) => String::new(),
                (Hardware::Cpu, Threads::Many) => {
                    format!(", on up to {} cores with {}", cores(), Isa::best().name())
                }
                (Hardware::Gpu, _) if usable => String::new(),
                (Hardware::Gpu, _) => " (not available)".into(),
            };
            writeln!(out, "  {name:13} {about}{where_it_runs}")?;
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
    let names = |engines: &[Engine]| engines.iter().map(|engine| engine.0).collect::<Vec<_>>();
    let families: serde_json::Map<String, Value> =
        families().into_iter().map(|(name, engines)| (name.into(), json!(names(&engines)))).collect();
    json!({
        "schema": "isx.engines/1",
        "engines": names(&family(&mckp::ENGINES).1),
        "families": families,
        "cores": cores(),
        "instruction_sets": Isa::available().into_iter().map(Isa::name).collect::<Vec<_>>(),
        "gpus": gpus.iter().map(gpu).collect::<Vec<_>>(),
    })
}
