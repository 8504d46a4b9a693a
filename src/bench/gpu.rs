//! The contestants that need a GPU, or why there are none.
//!
//! A technique joins by a line of [`techniques`], a kernel of the case study by a line of [`study`].

use super::study::{StudyContestant, StudyFront, StudyRun};
use crate::engine::cuda::{
    self, Arithmetic, Cuda, Device, StudyTask, Technique, describe, device_in_use, least_utilization,
};
use crate::engine::{Answer, Context, Engine, EngineError, Estimate, Wanted};
use crate::formulate::Formulation;
use crate::reduce::Tiered;
use num_traits::ToPrimitive;
use std::time::Instant;

/// What GPU there is, in words, or why there is none.
#[must_use]
pub fn words() -> String {
    match describe(device_in_use()) {
        Ok(info) => {
            let (major, driver) = (info.memory as f64 / f64::from(1 << 30), info.driver_cuda);
            format!("{}, {major:.0} GiB, driver for CUDA {}.{}", info.name, driver / 1000, driver % 1000 / 10)
        }
        Err(why) => format!("none ({why})"),
    }
}

fn available() -> Result<(), String> {
    describe(device_in_use()).map(|_| ()).map_err(|why| why.to_string())
}

/// A technique of the thesis as an engine, which has no name on the command line.
struct ByTechnique(Technique);

impl Engine for ByTechnique {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// They are here to be compared: nothing is expected of them, only whether they can.
    fn estimate(&self, problem: &Tiered, _: Wanted, _: &Context) -> Result<Estimate, EngineError> {
        describe(device_in_use())?;
        match problem {
            Tiered::I32(_) | Tiered::I64(_) => Ok(Estimate { seconds: 0.0, bytes: 0 }),
            _ => Err(EngineError::Unsupported { engine: self.name(), tier: problem.tier() }),
        }
    }

    fn solve(&self, problem: &Tiered, wanted: Wanted, _: &Context) -> Result<Answer, EngineError> {
        let device = Device::open(device_in_use())?;
        Ok(match problem {
            Tiered::I32(problem) => cuda::solve_by(self.0, &device, problem, wanted)?,
            Tiered::I64(problem) => cuda::solve_by(self.0, &device, problem, wanted)?,
            _ => return Err(EngineError::Unsupported { engine: self.name(), tier: problem.tier() }),
        })
    }
}

static TECHNIQUES: [ByTechnique; 6] = [
    ByTechnique(Technique::Global),
    ByTechnique(Technique::Shared),
    ByTechnique(Technique::Prevrow),
    ByTechnique(Technique::Multicell),
    ByTechnique(Technique::Sync),
    ByTechnique(Technique::Reduction),
];

/// The name of the tiled engine among the techniques.
pub const TILED: &str = "tiled";

/// The thesis's techniques as engines under their names, the tiled engine after them.
///
/// # Errors
///
/// Why there are none here.
pub fn techniques() -> Result<Vec<(&'static str, &'static dyn Engine)>, String> {
    available()?;
    let named = |technique: &'static ByTechnique| (technique.name(), technique as &dyn Engine);
    Ok(TECHNIQUES.iter().map(named).chain([(TILED, &Cuda as &dyn Engine)]).collect())
}

/// The kernels of the case study.
///
/// # Errors
///
/// Why there are none here.
pub fn study() -> Result<Vec<StudyContestant>, String> {
    available()?;
    Ok(Arithmetic::ALL.into_iter().map(by_arithmetic).collect())
}

/// The contestant's name for a kernel of the case study.
#[must_use]
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
    let run = move |formulation: &Formulation, _: &super::measure::Settings| {
        let tasks = study_tasks(formulation).ok_or("times beyond 64 bits are not for these kernels")?;
        let device = Device::open(device_in_use()).map_err(|why| why.to_string())?;
        let capacity = formulation.problem.capacity;
        let started = Instant::now();
        let answer =
            least_utilization(&device, &tasks, capacity, arithmetic).map_err(|why| why.to_string())?;
        let front = match &answer.saved {
            Some(saved) => StudyFront::of_savings(saved, &formulation.base_demand),
            None => StudyFront::of_utilizations(&answer.utilization, epsilon(arithmetic)),
        };
        let choices: usize = tasks.iter().map(|task| task.choices.len()).sum();
        Ok(StudyRun {
            seconds: started.elapsed().as_secs_f64(),
            front,
            updates: choices as u64 * (capacity + 1),
            ran_on: format!("cuda ({}, {})", device.info().name, arithmetic.name()),
            arithmetic: arithmetic.name(),
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
    let task = |task: &crate::formulate::TimedTask| {
        let choice = |choice: &crate::formulate::TimedChoice| {
            Some(((&task.wcet - &choice.wcet).to_i64()?, choice.area))
        };
        Some(StudyTask {
            wcet: task.wcet.to_i64()?,
            period: task.period.to_i64()?,
            frequency: (&formulation.hyperperiod / &task.period).to_i64()?,
            choices: task.choices.iter().map(choice).collect::<Option<_>>()?,
        })
    };
    formulation.tasks.iter().map(task).collect()
}
