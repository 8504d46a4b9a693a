//! Recomputes every design from its choices: its area and its demand over a hyperperiod must equal the claim of the
//! front. This proves that each point is achievable; that no point is missing or can be improved is proved by
//! certificates.

use crate::front::{DesignFront, Point};
use isx_exact::quantity::Rational;
use isx_problems::value::{Tier, Value};
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;

/// A point whose choices do not add up to the engine's claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("self-check failed: the choices of point {index} give {what} {summed}, the engine claimed {claimed}")]
pub struct Mismatch {
    /// Index of the point.
    pub index: usize,
    /// "cost", "demand" or "choices".
    pub what: &'static str,
    /// Sum over the choices.
    pub summed: String,
    /// The engine's value.
    pub claimed: String,
}

impl Mismatch {
    /// The mismatch of an answer without choices for its last point.
    pub fn missing(points: usize) -> Self {
        let (summed, claimed) = ("nothing".into(), "choices".into());
        Self { index: points.saturating_sub(1), what: "choices", summed, claimed }
    }
}

/// Checks every point of the front whose choices are known, in the current thread pool. Fails with the first
/// [`Mismatch`].
pub fn recheck(front: &DesignFront) -> Result<(), Mismatch> {
    if front.is_empty() {
        return Err(Mismatch::missing(0));
    }
    // Any sum of demands is at most the sum of the tasks' maximum demands, which bounds the tier.
    let largest = |row: &Vec<BigInt>| row.iter().max().cloned().unwrap_or_default();
    // Of every formulation and clock, one after the other.
    let demands = front
        .formulations()
        .iter()
        .flat_map(|formulation| (0..formulation.clocks.count()).map(|clock| demands(formulation, clock)));
    let demands: Vec<Vec<Vec<BigInt>>> = demands.collect();
    let bound = |rows: &Vec<Vec<BigInt>>| rows.iter().map(largest).sum::<BigInt>();
    match Tier::narrowest(&demands.iter().map(bound).max().unwrap_or_default()) {
        Tier::I32 | Tier::I64 | Tier::I128 => recheck_in::<i128>(front, &demands),
        Tier::Big => recheck_in::<BigInt>(front, &demands),
    }
}

/// For every task, the demand over a hyperperiod in software and with each choice, at one clock.
fn demands(formulation: &Formulation, clock: usize) -> Vec<Vec<BigInt>> {
    let row = |task: &isx_taskset::formulate::TimedTask| {
        let frequency = &formulation.hyperperiod / &task.period;
        let wcets = std::iter::once(&task.wcet).chain(task.choices.iter().map(|choice| &choice.wcet));
        wcets.map(|wcet| wcet * &frequency).collect()
    };
    formulation.tasks_at(clock).iter().map(row).collect()
}

fn recheck_in<V: Value>(front: &DesignFront, demands: &[Vec<Vec<BigInt>>]) -> Result<(), Mismatch> {
    // A demand that did not fit is missing from the sum, so its point is reported as wrong.
    let narrow = |row: &Vec<BigInt>| row.iter().map(V::from_big).collect::<Option<Vec<V>>>();
    let narrow = |rows: &Vec<Vec<BigInt>>| rows.iter().map(|row| narrow(row).unwrap_or_default()).collect();
    let demands: Vec<Vec<Vec<V>>> = demands.iter().map(narrow).collect();
    let mut firsts = vec![0];
    firsts.extend(front.formulations().iter().scan(0, |first, formulation| {
        *first += formulation.clocks.count();
        Some(*first)
    }));
    front.claim().each_items_shared(|index, choices| {
        let Some(point) = front.get(index) else { return Ok(()) };
        check_point(&point, demands.get(firsts[point.formulation_number()]..).unwrap_or_default(), choices)
    })
}

/// `demands` are those at each clock, from the first clock of the point's formulation on.
fn check_point<V: Value>(
    point: &Point,
    demands: &[Vec<Vec<V>>],
    choices: &[Option<u32>],
) -> Result<(), Mismatch> {
    let wrong = |what, summed: Option<String>, claimed: String| {
        let summed = summed.unwrap_or_else(|| "nothing that can be summed".into());
        Err(Mismatch { index: point.index(), what, summed, claimed })
    };
    let formulation = point.formulation();
    let amounts = formulation.amounts(choices);
    let limits = formulation.costs.limits.as_deref().unwrap_or_default();
    let is_right = |at: usize, amount: u64| amount == point.amount(at) && limits.get(at) >= Some(&amount);
    let are_right = |amounts: &Vec<u64>| amounts.iter().enumerate().all(|(at, &amount)| is_right(at, amount));
    if !amounts.as_ref().is_some_and(are_right) {
        let claimed: Vec<u64> = (0..formulation.costs.resources.len()).map(|at| point.amount(at)).collect();
        return wrong("cost", amounts.map(|amounts| in_units(&amounts)), in_units(&claimed));
    }
    if !formulation.modes.is_empty() {
        let largest = formulation.utilization(choices) * Rational::from(formulation.hyperperiod.clone());
        let (largest, claimed) = (largest.to_integer(), point.demand());
        let is_right = largest == claimed;
        return if is_right {
            Ok(())
        } else {
            wrong("demand", Some(largest.to_string()), claimed.to_string())
        };
    }
    let demands = demands.get(point.formulation().clock_number(choices)).map_or(&[][..], Vec::as_slice);
    let demand = demands.iter().zip(choices).try_fold(V::zero(), |sum, (row, choice)| {
        Some(sum.plus(row.get(choice.map_or(0, |choice| choice as usize + 1))?))
    });
    if demand.is_none() || demand != point.demand_in::<V>() {
        return wrong("demand", demand.map(|demand| demand.to_string()), point.demand().to_string());
    }
    Ok(())
}

/// Amounts in the units of each resource.
fn in_units(amounts: &[u64]) -> String {
    let amounts: Vec<String> = amounts.iter().map(u64::to_string).collect();
    amounts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::account::{Account, Timings};
    use isx_problems::mckp::Claim;
    use isx_problems::value::Values;
    use isx_taskset::formulate::formulate;
    use std::sync::Arc;

    /// The claim about a point.
    struct Claimed {
        area: u64,
        saved: BigInt,
        choices: Vec<Option<u32>>,
    }

    /// The front of two tasks with a choice each, plus tasks without choices that have the `other` periods. `spoil`
    /// may change what is claimed of its points: nothing, `mac`, `mac` and `fir`.
    fn front(other: &[u64], spoil: impl Fn(&mut [Claimed; 3])) -> DesignFront {
        let mut text = "
name: two tasks
tasks:
  - {name: control, wcet: 6, period: 10, choices: [{name: mac, area: 120, wcet: 4}]}
  - {name: filter, wcet: 5, period: 10, choices: [{name: fir, area: 300, saves: 2}]}
"
        .to_owned();
        for period in other {
            text += &format!("  - {{name: t{period}, wcet: 1, period: {period}}}\n");
        }
        let task_set = isx_taskset::read_str("two-tasks.yaml", &text).unwrap().task_set;
        let formulation = formulate(&task_set, None).unwrap();
        let point = |taken: usize| {
            let problem = formulation.mckp();
            let items = problem.classes[..taken].iter().map(|items| &items[0]);
            let (area, saved) = items
                .fold((0, BigInt::ZERO), |(area, saved), item| (area + item.weight, saved + &item.value));
            let choices = (0..task_set.tasks.len()).map(|task| (task < taken).then_some(0)).collect();
            Claimed { area, saved, choices }
        };
        let mut points = [0, 1, 2].map(point);
        spoil(&mut points);
        let weights = points.iter().map(|point| point.area).collect();
        let values = Values::Big(points.iter().map(|point| point.saved.clone()).collect());
        let choices: Vec<_> = points.iter().map(|point| point.choices.clone()).collect();
        let claim =
            Claim::new(weights, values, task_set.tasks.len(), true).with_configurations(0, Arc::new(choices));
        let account = Account {
            engine: "made up",
            how: String::new(),
            threads: 1,
            arithmetic: Tier::Big,
            why: String::new(),
            updates: 0,
            timings: Timings::default(),
        };
        DesignFront::new(task_set, formulation, claim, account)
    }

    /// Without other tasks, and with some whose hyperperiod exceeds 128 bits.
    const OTHERS: [&[u64]; 2] = [&[], &[999_999_999_989, 999_999_999_961, 999_999_999_959, 999_999_999_937]];

    #[test]
    fn a_front_that_adds_up_holds() {
        for other in OTHERS {
            let front = front(other, |_| {});
            assert_eq!(front.formulation().hyperperiod.bits() > 128, !other.is_empty());
            assert_eq!(recheck(&front), Ok(()));
        }
    }

    #[test]
    fn whatever_does_not_add_up_is_found_at_its_point() {
        fn wrong(spoil: impl Fn(&mut [Claimed; 3])) -> (usize, &'static str) {
            let [small, large] = OTHERS.map(|other| {
                let mismatch = recheck(&front(other, &spoil)).unwrap_err();
                assert_ne!(mismatch.summed, mismatch.claimed);
                (mismatch.index, mismatch.what)
            });
            assert_eq!(small, large);
            small
        }
        assert_eq!(wrong(|points| points[1].area += 1), (1, "cost"));
        assert_eq!(wrong(|points| points[2].area -= 1), (2, "cost"));
        assert_eq!(wrong(|points| points[0].saved += 1), (0, "demand"));
        assert_eq!(wrong(|points| points[2].saved -= 1), (2, "demand"));
        assert_eq!(wrong(|points| points[2].choices[1] = None), (2, "cost"));
        assert_eq!(wrong(|points| points[1].choices.swap(0, 1)), (1, "cost"));
        // A choice that the task does not have.
        assert_eq!(wrong(|points| points[1].choices[0] = Some(1)), (1, "cost"));
    }

    #[test]
    fn what_is_wrong_is_said_in_figures() {
        let mismatch = recheck(&front(&[], |points| points[1].saved += 1)).unwrap_err();
        assert_eq!(
            mismatch.to_string(),
            "self-check failed: the choices of point 1 give demand 9, the engine claimed 8"
        );
    }
}
