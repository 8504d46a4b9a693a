//! The thesis's own least-utilization tables in floating point: inexact, kept for comparison and teaching.
//!
//! ```text
//! U_0(0) = sum_i E_i / P_i,  U_0(j) = infinity for j > 0
//! U_i(j) = min( U_{i-1}(j), min over k with c_ik <= j of  U_{i-1}(j - c_ik) - delta_ik / P_i )
//! ```
//!
//! Algorithm 6.1 of B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University,
//! 2011, divides once per candidate; Algorithm 6.2 multiplies by the reciprocal F_i = 1 / P_i instead, rounded once
//! per task. Three errors of the printed algorithms are corrected: line 8 of 6.1 must keep the least value over the
//! choices seen so far (as printed only the last choice counts), a cell's area must be at least the choice's (6.1
//! reads before the table), and a point that ties with a cheaper one is dominated (Algorithm 6.3 keeps it).
//!
//! Every sum rounds, so two designs of equal utilization seldom tie: spurious points appear, and a design of
//! utilization 1 may come out above it. The returned configurations are real designs; sum them again exactly
//! ([`Formulation::utilization`]) before using the result.
//!
//! Worked instance: E = 6, P = 10 with a choice of area 2 that saves 3, and E = 5, P = 10 with one of area 1 that
//! saves 1. U_0(0) = 1.1; the front is (0, 1.1), (1, 1.0), (2, 0.8), (3, 0.7), up to rounding.

use isx_machine::{Machine, OverMemory};
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;
use num_traits::{Float, ToPrimitive};
use std::time::{Duration, Instant};

/// A way of computing utilizations that rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatVariant {
    /// One division per candidate, 64-bit floats.
    DivF64,
    /// One division per candidate, 32-bit floats.
    DivF32,
    /// Multiplication by the reciprocal of the period, 64-bit floats.
    RecipF64,
    /// Multiplication by the reciprocal of the period, 32-bit floats.
    RecipF32,
}

impl FloatVariant {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::DivF64, Self::DivF32, Self::RecipF64, Self::RecipF32];

    /// The name: `div-f64`, `div-f32`, `recip-f64` or `recip-f32`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DivF64 => "div-f64",
            Self::DivF32 => "div-f32",
            Self::RecipF64 => "recip-f64",
            Self::RecipF32 => "recip-f32",
        }
    }

    /// The distance from 1 to the next float.
    pub fn epsilon(self) -> f64 {
        match self {
            Self::DivF64 | Self::RecipF64 => f64::EPSILON,
            Self::DivF32 | Self::RecipF32 => f32::EPSILON.into(),
        }
    }
}

/// A front as floats see it. Its configurations are real designs, which need not be on the exact front.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatFront {
    /// How it was computed.
    pub variant: FloatVariant,
    /// Areas in units of the first of [`Formulation::costs`], strictly rising.
    pub areas: Vec<u64>,
    /// Utilizations as the variant sees them, strictly falling.
    pub utilizations: Vec<f64>,
    /// Candidates examined.
    pub updates: u64,
    /// Time for the table and the front.
    pub solve: Duration,
    /// Time to find the configurations.
    pub traceback: Duration,
    tasks: usize,
    /// One choice per point and task.
    choices: Vec<Option<u32>>,
}

impl FloatFront {
    /// Number of points, at least 1.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// The choice of every task at point `point`, in file order; `None` is software.
    /// Panics if there is no such point.
    pub fn choices(&self, point: usize) -> &[Option<u32>] {
        &self.choices[point * self.tasks..][..self.tasks]
    }
}

/// The front of a task set as the variant's floats see it, up to the formulation's capacity.
///
/// Time O(n C) for n choices in all and C units of area, memory O(m C) for m tasks.
/// Fails with [`OverMemory`] before anything is allocated.
///
/// ```
/// use isx_papers::thesis::float_front::{FloatVariant, float_front};
/// # let text = "
/// # name: two
/// # tasks:
/// #   - {name: a, wcet: 6, period: 10, choices: [{name: x, area: 2, saves: 3}]}
/// #   - {name: b, wcet: 5, period: 10, choices: [{name: y, area: 1, saves: 1}]}
/// # ";
/// # let task_set = isx_taskset::read_str("two.yaml", text).unwrap().task_set;
/// let formulation = isx_taskset::formulate::formulate(&task_set, None).unwrap();
/// let front = float_front(&formulation, FloatVariant::RecipF64, &Default::default()).unwrap();
/// assert_eq!(front.areas, [0, 1, 2, 3]);
/// assert_eq!(front.choices(1), [None, Some(0)]);
/// assert_eq!(formulation.utilization(front.choices(1)).to_string(), "1");
/// ```
pub fn float_front(
    formulation: &Formulation,
    variant: FloatVariant,
    machine: &Machine,
) -> Result<FloatFront, OverMemory> {
    match variant {
        FloatVariant::DivF64 => front::<f64, true>(formulation, variant, machine),
        FloatVariant::DivF32 => front::<f32, true>(formulation, variant, machine),
        FloatVariant::RecipF64 => front::<f64, false>(formulation, variant, machine),
        FloatVariant::RecipF32 => front::<f32, false>(formulation, variant, machine),
    }
}

/// A float type to which integers of any size can be rounded.
trait Rounded: Float {
    fn rounded(number: &BigInt) -> Self;
    fn widened(self) -> f64;
}

impl Rounded for f64 {
    fn rounded(number: &BigInt) -> Self {
        number.to_f64().unwrap_or(Self::INFINITY)
    }
    fn widened(self) -> f64 {
        self
    }
}

impl Rounded for f32 {
    fn rounded(number: &BigInt) -> Self {
        number.to_f32().unwrap_or(Self::INFINITY)
    }
    fn widened(self) -> f64 {
        self.into()
    }
}

/// A task's times in floats; `timing` is its period, or the reciprocal of it.
struct FloatTask<F> {
    wcet: F,
    timing: F,
    /// Area and saving of each choice that fits.
    choices: Vec<(usize, F)>,
    /// The index of each choice in the file.
    origin: Vec<u32>,
}

/// A time relative to a period: the operation in which the two algorithms differ.
fn per_period<F: Rounded, const DIVIDE: bool>(time: F, timing: F) -> F {
    if DIVIDE { time / timing } else { time * timing }
}

fn float_task<F: Rounded, const DIVIDE: bool>(formulation: &Formulation, at: usize) -> FloatTask<F> {
    let (task, capacity) = (&formulation.tasks[at], formulation.capacity());
    let period = F::rounded(&task.period);
    let timing = if DIVIDE { period } else { F::one() / period };
    let area = |choice: u32| formulation.costs.weight(at, choice);
    let fitting = || (0..).zip(&task.choices).filter(|(index, _)| area(*index) <= capacity);
    let saving = |wcet: &BigInt| F::rounded(&(&task.wcet - wcet));
    FloatTask {
        wcet: F::rounded(&task.wcet),
        timing,
        choices: fitting().map(|(index, choice)| (area(index) as usize, saving(&choice.wcet))).collect(),
        origin: fitting().map(|(index, _)| index).collect(),
    }
}

fn front<F: Rounded, const DIVIDE: bool>(
    formulation: &Formulation,
    variant: FloatVariant,
    machine: &Machine,
) -> Result<FloatFront, OverMemory> {
    let capacity = formulation.capacity();
    // The rows, and the configurations of as many points as there are cells.
    let row = size_of::<F>() as u64 * (formulation.tasks.len() as u64 + 1);
    let configuration = size_of::<Option<u32>>() as u64 * formulation.tasks.len() as u64;
    let needed = capacity.saturating_add(1).saturating_mul(row + configuration);
    machine.allow(needed)?;
    let tasks: Vec<FloatTask<F>> =
        (0..formulation.tasks.len()).map(|at| float_task::<F, DIVIDE>(formulation, at)).collect();

    let started = Instant::now();
    let software =
        tasks.iter().fold(F::zero(), |sum, task| sum + per_period::<F, DIVIDE>(task.wcet, task.timing));
    let cells = capacity as usize + 1;
    let mut first = vec![F::infinity(); cells];
    first[0] = software;
    let mut rows = vec![first];
    for task in &tasks {
        let row = next_row::<F, DIVIDE>(&rows[rows.len() - 1], task);
        rows.push(row);
    }
    let points = undominated(&rows[rows.len() - 1]);
    let solve = started.elapsed();

    let started = Instant::now();
    let mut choices = vec![None; points.len() * tasks.len()];
    if !tasks.is_empty() {
        for (&cell, choices) in points.iter().zip(choices.chunks_exact_mut(tasks.len())) {
            walk_back::<F, DIVIDE>(&tasks, &rows, cell, choices);
        }
    }
    let last = &rows[rows.len() - 1];
    Ok(FloatFront {
        variant,
        areas: points.iter().map(|&cell| cell as u64).collect(),
        utilizations: points.iter().map(|&cell| last[cell].widened()).collect(),
        updates: tasks.iter().map(|task| task.choices.len() as u64).sum::<u64>() * cells as u64,
        solve,
        traceback: started.elapsed(),
        tasks: tasks.len(),
        choices,
    })
}

fn next_row<F: Rounded, const DIVIDE: bool>(previous: &[F], task: &FloatTask<F>) -> Vec<F> {
    let least = |cell: usize| {
        let mut least = previous[cell];
        for &(area, saving) in &task.choices {
            if let Some(before) = cell.checked_sub(area) {
                let candidate = previous[before] - per_period::<F, DIVIDE>(saving, task.timing);
                if candidate < least {
                    least = candidate;
                }
            }
        }
        least
    };
    (0..previous.len()).map(least).collect()
}

/// The cells below all previous ones.
fn undominated<F: Float>(row: &[F]) -> Vec<usize> {
    let mut least = F::infinity();
    let mut points = Vec::new();
    for (cell, &utilization) in row.iter().enumerate() {
        if utilization < least {
            least = utilization;
            points.push(cell);
        }
    }
    points
}

/// Finds the choices behind a cell: software if that gives its value, else the first choice in file order that does.
/// The same operations round in the same way, so one of them matches to the last bit.
fn walk_back<F: Rounded, const DIVIDE: bool>(
    tasks: &[FloatTask<F>],
    rows: &[Vec<F>],
    mut cell: usize,
    choices: &mut [Option<u32>],
) {
    for (at, task) in tasks.iter().enumerate().rev() {
        let (previous, utilization) = (&rows[at], rows[at + 1][cell]);
        if previous[cell] == utilization {
            continue;
        }
        let explains = |&&(area, saving): &&(usize, F)| {
            cell.checked_sub(area).is_some_and(|before| {
                previous[before] - per_period::<F, DIVIDE>(saving, task.timing) == utilization
            })
        };
        if let Some(choice) = task.choices.iter().position(|choice| explains(&choice)) {
            choices[at] = Some(task.origin[choice]);
            cell -= task.choices[choice].0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_taskset::formulate::formulate;
    use isx_taskset::generate::generate;
    use isx_taskset::recipe::TaskSetRecipe;

    fn random(seed: u64) -> Formulation {
        let text = generate(&TaskSetRecipe { seed, ..TaskSetRecipe::default() }).unwrap();
        formulate(&isx_taskset::read_str("random.yaml", &text).unwrap().task_set, None).unwrap()
    }

    #[test]
    fn every_configuration_is_real_and_has_the_area_claimed() {
        let mut points = 0;
        for seed in 0..4 {
            let formulation = random(seed);
            for variant in FloatVariant::ALL {
                let front = float_front(&formulation, variant, &Machine::default()).unwrap();
                for point in 0..front.len() {
                    let choices = front.choices(point);
                    assert_eq!(formulation.weight(choices), Some(front.areas[point]), "{variant:?}");
                    let exact = isx_exact::quantity::approx(&formulation.utilization(choices));
                    let error = (exact - front.utilizations[point]).abs();
                    assert!(error < 40.0 * variant.epsilon(), "{variant:?}: {error}");
                    points += 1;
                }
            }
        }
        assert!(points > 1000, "{points}");
    }

    #[test]
    fn memory_is_refused_beforehand() {
        let error = float_front(&random(1), FloatVariant::DivF32, &Machine::default().with_max_memory(1000));
        assert!(matches!(error, Err(OverMemory { allowed: 1000, .. })), "{error:?}");
    }
}
