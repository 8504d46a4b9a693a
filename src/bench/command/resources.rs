//! `isx-bench resources`: how long the GPU engine for several resources takes for each of its parts.

use crate::BenchError;
use crate::resources::{Recipe, difference, problem};
use clap::Args;
use isx_command::arguments::parse_bytes;
use isx_command::failure::{Failure, Outcome};
use isx_engine::{Context, Hardware, Refusal};
use isx_machine::Machine;
use isx_machine::cuda::{Device, DeviceError, During};
use isx_resources::cuda::{Phases, measured};
use isx_resources::{Answer, ENGINES, Wanted};
use isx_solve::SolveError;
use std::io::Write;
use std::time::Instant;

/// Fronts of LUTs, DSPs, BRAMs and utilization on the GPU: table, points and choices apart
///
/// The instances are those that the figures of a naive kernel and of lists on a core were measured with; the limits of an Artix A35T
/// unless others are given. The items of every point are summed again, and no time is printed for a wrong sum. Milliseconds are the GPU's own; `copied` is what the tables' cells, each read and written once,
/// take of the rate of a plain copy on the same GPU.
#[derive(Args)]
pub struct Resources {
    /// Tasks
    #[arg(long, value_name = "N", default_value_t = 30)]
    tasks: usize,

    /// Choices of each task beside software
    #[arg(long, value_name = "K", default_value_t = 8)]
    choices: usize,

    /// The most LUTs, DSPs and BRAMs
    #[arg(long, value_name = "LUT,DSP,BRAM", value_delimiter = ',', default_values_t = [20_800, 90, 50])]
    limits: Vec<u64>,

    /// Which of the recipe's instances
    #[arg(long, default_value_t = 1)]
    seed: u32,

    /// Runs, each shown on a line
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,

    /// Most memory of the GPU, such as 8GiB [default: all that is free]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    gpu_memory: Option<u64>,
}

impl Resources {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let recipe =
            Recipe { tasks: self.tasks, choices: self.choices, limits: self.limits.clone(), seed: self.seed };
        let problem = problem(&recipe);
        let machine = Machine::default().with_max_memory(64 << 30);
        let machine = match self.gpu_memory {
            Some(bytes) => machine.with_gpu_memory(bytes),
            None => machine,
        };
        let on_gpu = ENGINES.iter().find(|entry| entry.hardware == Hardware::Gpu);
        let engine = on_gpu.map_or("GPU", |entry| entry.name);
        let refused = |cause| Failure::from(SolveError::Engine(Refusal { engine, cause }));
        let device = machine.gpu().device().map_err(|error| refused(error.into()))?;
        let rate = copy_rate(device).map_err(|error| refused(error.into()))?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}, a copy reads and writes {:.2} TB/s", device.info().name, rate / 1e12)?;
        for _ in 0..self.runs {
            let started = Instant::now();
            let (answer, phases) =
                measured(&problem, Wanted::Picks, &Context::new(&machine)).map_err(refused)?;
            let wall = started.elapsed().as_secs_f64();
            if let Some(difference) = difference(&problem, &answer) {
                return Err(BenchError::wrong(engine, &recipe.to_string(), difference).into());
            }
            writeln!(out, "{}", line(&answer, &phases, wall, rate))?;
        }
        Ok(Outcome::Done)
    }
}

fn line(answer: &Answer, phases: &Phases, wall: f64, rate: f64) -> String {
    let bytes = 2.0 * phases.cells as f64 * phases.cell_bytes as f64;
    let Phases { table, front, choices, .. } = *phases;
    format!(
        "{} points, {} cells of {} bytes, {} segments: table {:.2} ms ({:.2} T updates/s, {:.2} GB, copied {:.0} %), points {:.2} ms, choices {:.2} ms, in all {:.1} ms",
        answer.values.len(),
        phases.cells,
        phases.cell_bytes,
        phases.segments,
        table * 1e3,
        answer.updates as f64 / table / 1e12,
        bytes / 1e9,
        100.0 * bytes / rate / table,
        front * 1e3,
        choices * 1e3,
        wall * 1e3
    )
}

/// Bytes read and written per second by copies of half a gigabyte.
fn copy_rate(device: &Device) -> Result<f64, DeviceError> {
    const BYTES: usize = 1 << 29;
    const COPIES: usize = 8;
    let from = device.zeros::<u8>("a copy", BYTES)?;
    let mut to = device.unwritten::<u8>("a copy", BYTES)?;
    let copy = |to: &mut _| device.stream().memcpy_dtod(&from, to).during("copying on the GPU");
    copy(&mut to)?;
    let ((), seconds) = device.timed("a copy", || (0..COPIES).try_for_each(|_| copy(&mut to)))?;
    Ok(2.0 * (BYTES * COPIES) as f64 / seconds)
}
