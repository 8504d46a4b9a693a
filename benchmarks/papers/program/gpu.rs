//! The contestants that need a GPU, or why there are none.
//!
//! To add a technique, add a line to [`techniques`]; for a kernel of the case study, a line to [`study`].

use super::study_contestant::{StudyContestant, StudyRun, run_of};
use super::study_front::StudyFront;
use isx_bench::BenchError;
use isx_bench::measure::Named;
use isx_bench::runner::Settings;
use isx_engine::{Engine, Hardware};
use isx_machine::Machine;
use isx_machine::cuda::{Device, DeviceError};
use isx_mckp::cuda::Cell;
use isx_mckp::{ENGINES, Mckp};
use isx_papers::thesis::cuda::{
    Arithmetic, Occupancy, StudyAnswer, StudyTask, Technique, ThesisTable, least_utilization,
};
use isx_problems::mckp::Mckp as Problem;
use isx_problems::reduce::mckp::{Reduced, Tiered, reduce};
use isx_taskset::formulate::Formulation;
use num_traits::ToPrimitive;
use std::time::Instant;

/// Refuses to measure if a GPU is wanted and there is none.
/// Fails with [`BenchError::Unavailable`].
pub fn require(on_gpu: bool, settings: &Settings) -> Result<(), BenchError> {
    let refused = |why: DeviceError| BenchError::Unavailable { engine: "GPU".into(), why: why.to_string() };
    if on_gpu { settings.machine.gpu().info().map(|_| ()).map_err(refused) } else { Ok(()) }
}

/// Equation 3.1 for every technique on a problem, all of it; none where there is no GPU or no kernel for its numbers.
pub fn occupancies(machine: &Machine, problem: &Problem<i64>) -> Vec<(&'static str, Occupancy)> {
    fn of<V: Cell>(
        device: &Device,
        problem: &Reduced<V>,
        technique: Technique,
    ) -> Result<Occupancy, DeviceError> {
        ThesisTable::new(device, problem, technique)?.occupancy()
    }
    let options = isx_problems::reduce::mckp::Options { raw: true, ..Default::default() };
    let (Ok(device), Ok(reduced)) = (machine.gpu().device(), reduce(problem, options)) else {
        return Vec::new();
    };
    let each = |technique: Technique| {
        let occupancy = match &reduced {
            Tiered::I32(problem) => of(device, problem, technique),
            Tiered::I64(problem) => of(device, problem, technique),
            _ => return None,
        };
        Some((technique.name(), occupancy.ok()?))
    };
    Technique::ALL.iter().copied().filter_map(each).collect()
}

/// The thesis's techniques as engines with their names, followed by the registry's GPU engines.
pub fn techniques() -> Vec<Named> {
    let techniques =
        Technique::ALL.iter().map(|technique| (technique.name(), technique as &dyn Engine<Mckp>));
    let ours = ENGINES.iter().filter(|entry| entry.hardware == Hardware::Gpu);
    techniques.chain(ours.map(|entry| (TILED, entry.engine))).collect()
}

/// The name of our own engine among the techniques.
pub const TILED: &str = "tiled";

/// The kernels of the case study.
pub fn study() -> Vec<StudyContestant> {
    Arithmetic::ALL.into_iter().map(by_arithmetic).collect()
}

/// The contestant's name for a kernel of the case study.
pub const fn study_name(arithmetic: Arithmetic) -> &'static str {
    match arithmetic {
        Arithmetic::DivisionF32 => "CUDA, div-f32",
        Arithmetic::DivisionF64 => "CUDA, div-f64",
        Arithmetic::ReciprocalF32 => "CUDA, recip-f32",
        Arithmetic::ReciprocalF64 => "CUDA, recip-f64",
        Arithmetic::ExactI32 => "CUDA, exact i32",
        Arithmetic::ExactI64 => "CUDA, exact i64",
    }
}

fn by_arithmetic(arithmetic: Arithmetic) -> StudyContestant {
    let run = move |formulation: &Formulation, settings: &Settings| {
        let tasks = study_tasks(formulation).ok_or("times beyond 64 bits are not for these kernels")?;
        let printed = |why: DeviceError| why.to_string();
        let device = settings.machine.gpu().device().map_err(printed)?;
        let capacity = formulation.capacity();
        let started = Instant::now();
        let answer = least_utilization(device, &tasks, capacity, arithmetic).map_err(printed)?;
        let front = match &answer {
            StudyAnswer::Saved(saved) => StudyFront::of_savings(saved, &formulation.base_demand),
            StudyAnswer::Utilization(row) => StudyFront::of_utilizations(row, epsilon(arithmetic)),
        };
        let choices: usize = tasks.iter().map(|task| task.choices.len()).sum();
        Ok(StudyRun {
            run: run_of(
                started.elapsed().as_secs_f64(),
                choices as u64 * (capacity + 1),
                format!("cuda ({}, {})", device.info().name, arithmetic.name()),
                1,
                arithmetic.name(),
            ),
            front,
        })
    };
    StudyContestant { name: study_name(arithmetic), run: Box::new(run) }
}

fn epsilon(arithmetic: Arithmetic) -> f64 {
    match arithmetic {
        Arithmetic::DivisionF32 | Arithmetic::ReciprocalF32 => f32::EPSILON.into(),
        _ => f64::EPSILON,
    }
}

/// The tasks in 64-bit integers, if they fit.
fn study_tasks(formulation: &Formulation) -> Option<Vec<StudyTask>> {
    let task = |(at, task): (usize, &isx_taskset::formulate::TimedTask)| {
        let choice = |(number, choice): (u32, &isx_taskset::formulate::TimedChoice)| {
            Some(((&task.wcet - &choice.wcet).to_i64()?, formulation.costs.weight(at, number)))
        };
        Some(StudyTask {
            wcet: task.wcet.to_i64()?,
            period: task.period.to_i64()?,
            frequency: (&formulation.hyperperiod / &task.period).to_i64()?,
            choices: (0..).zip(&task.choices).map(choice).collect::<Option<_>>()?,
        })
    };
    formulation.tasks.iter().enumerate().map(task).collect()
}
