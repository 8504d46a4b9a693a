//! A formulation for each variant of the processor, all in the same units.
//!
//! Exactly one variant is built. Its designs cost what it costs in addition, run at its clock or slower, and have the
//! WCETs of it. In every other respect a variant is a task set of its own, so its designs form an ordinary selection
//! problem, and the non-dominated designs of the set are the lower envelope of the variants' fronts: as for clocks, see
//! [`Formulation::at_clock`](super::Formulation::at_clock), but a design belongs to one variant only, so its choices
//! alone do not determine its cost and utilization.
//!
//! All formulations count costs in the same units from the same offset: the least cost of a variant is moved to the
//! offset, and what a variant costs more than that is an amount of the first task, whatever its choice. They also share
//! the unit of time and the hyperperiod. So points of two variants are compared as integers: amounts with amounts, and
//! demands (the base demand of the formulation less the value of the point) with demands.
//!
//! Worked instance: a variant of 500 LUT, in which a task takes 30 of 100 cycles, and one of 800 LUT at 4/5 of the clock,
//! in which it takes 20, that is 25 of the set's cycles. The offset is 500; in units of 300 LUT and 5 cycles the amounts
//! are 0 and 1, the hyperperiod 20, the demands 6 and 5.

use super::modes::formulate_modes;
use super::timed::Shared;
use super::{FormulateError, Formulation, overruns, time_unit};
use crate::model::{TaskSet, TimeBase};
use isx_exact::quantity::Rational;

/// Converts the task set to integers, with capacity `max_area` (in the set's area unit), or enough for every choice.
/// Fails with [`FormulateError`]: areas or clocks beyond the supported limits, or variants of the processor, for which there is
/// [`formulate_variants`].
pub fn formulate(taskset: &TaskSet, max_area: Option<&Rational>) -> Result<Formulation, FormulateError> {
    if !taskset.variants.is_empty() {
        return Err(FormulateError::Variants { taskset: taskset.name.clone() });
    }
    if taskset.overruns.is_some() {
        return Err(FormulateError::Overruns { taskset: taskset.name.clone() });
    }
    formulate_modes(&taskset.in_slots(), max_area, None)
}

/// As [`formulate`], one formulation for each variant of the set, in file order; one alone if it has
/// no variants, and one per deviation if tasks overrun (see the module `overruns`). The time unit, the hyperperiod, and the units, offsets and limits of [`Formulation::costs`] are the same
/// in all. With one area, the offsets differ by whole units; a variant larger than the area budget is refused alone, the
/// others have their formulation. Fails with [`FormulateError`]: areas, costs or clocks beyond the supported limits.
pub fn formulate_variants(
    taskset: &TaskSet,
    max_area: Option<&Rational>,
) -> Result<Vec<Result<Formulation, FormulateError>>, FormulateError> {
    let taskset = &*taskset.in_slots();
    let sets: Vec<TaskSet> = match taskset.overruns {
        Some(most) => overruns::at_deviations(taskset, most),
        None if taskset.variants.is_empty() => return Ok(vec![formulate(taskset, max_area)]),
        None => (0..taskset.variants.len()).map(|number| alone(taskset, number)).collect(),
    };
    let time_unit = time_unit(&sets)?;
    // A budget may allow some variants, and all deviations or none.
    let is_of_one = |error: &FormulateError| {
        taskset.overruns.is_none() && matches!(error, FormulateError::Processor { .. })
    };
    let formulated = |(number, set): (usize, &TaskSet)| {
        let shared = Shared { set: taskset, number, count: sets.len(), time_unit: &time_unit };
        match formulate_modes(set, max_area, Some(shared)) {
            Err(error) if !is_of_one(&error) => Err(error),
            formulated => Ok(formulated),
        }
    };
    sets.iter().enumerate().map(formulated).collect()
}

/// As [`formulate_variants`], those of the variants that the area budget allows, at least one, all from the same offset.
/// Fails as [`formulate_variants`]; [`FormulateError::Processor`] if the budget allows no variant.
pub fn formulate_allowed(
    taskset: &TaskSet,
    max_area: Option<&Rational>,
) -> Result<Vec<Formulation>, FormulateError> {
    let mut all = formulate_variants(taskset, max_area)?;
    if all.iter().all(Result::is_err) {
        return all.swap_remove(0).map(|one| vec![one]);
    }
    let mut allowed: Vec<Formulation> = all.into_iter().filter_map(Result::ok).collect();
    count_from_least(&mut allowed);
    Ok(allowed)
}

/// Lets the formulations of variants count costs from the same offset, the least of theirs.
pub fn count_from_least(formulations: &mut [Formulation]) {
    let offset = formulations.iter().map(|one| &one.costs.offset).min().cloned().unwrap_or_default();
    formulations.iter_mut().for_each(|one| one.costs.count_from(&offset));
}

/// The variant as a set without variants, but for its cost: all times stay cycles of the set's clock, so WCETs are
/// longer at a lower one. The time base is the variant's clock, from which those of its blocks follow.
fn alone(taskset: &TaskSet, number: usize) -> TaskSet {
    let mut set = taskset.clone();
    set.variants = Vec::new();
    set.keep_wcets_in(number);
    let slower = match (&taskset.time_base, taskset.clock_in(number)) {
        (TimeBase::Cycles { hertz }, Some(own)) if own < hertz => Some((hertz / own, own.clone())),
        _ => None,
    };
    let wcet = |wcet: &Rational| slower.as_ref().map_or_else(|| wcet.clone(), |(factor, _)| wcet * factor);
    set.switch = wcet(&set.switch);
    for block in &mut set.blocks {
        block.switch = wcet(&block.switch);
    }
    for task in &mut set.tasks {
        task.kernel.blocking = wcet(&task.kernel.blocking);
        task.parts_mut().for_each(|part| *part = wcet(part));
        task.wcets_mut().flatten().for_each(|own| *own = wcet(own));
    }
    if let Some((_, hertz)) = slower {
        set.time_base = TimeBase::Cycles { hertz };
    }
    set
}

#[cfg(test)]
mod tests {
    use super::super::formulate;
    use super::*;
    use crate::read_str;

    fn fraction(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn the_worked_instance_is_as_described() {
        let text = "name: x\nclock: 100 Hz\nresources: [LUT, DSP]\nvariants: [{name: a, cost: {LUT: 500}}, \
                    {name: b, cost: {LUT: 800}, fmax: 80 Hz}]\ntasks: [{name: t, wcet: {a: 30, b: 20}, period: 1 s}]";
        let set = read_str("x", text).unwrap().task_set;
        assert_eq!(
            formulate(&set, None).unwrap_err().to_string(),
            "`x` has variants of the processor, and this computation takes one processor: choose a variant, or leave \
             `variants` out and give the cost of one of them as `base`"
        );
        let [a, b] = <[_; 2]>::try_from(formulate_allowed(&set, None).unwrap()).unwrap();
        for (number, variant) in [&a, &b].into_iter().enumerate() {
            let alone = formulate(&set.in_variant(number).unwrap(), None).unwrap();
            assert_eq!(variant.cost(&[None]), alone.cost(&[None]));
            assert_eq!(variant.utilization(&[None]), alone.utilization(&[None]));
        }
        assert!(set.in_variant(2).is_none());
        assert_eq!(a.time_unit, fraction(5, 1));
        assert_eq!((&a.hyperperiod, &b.hyperperiod), (&20.into(), &20.into()));
        assert_eq!((&a.base_demand, &b.base_demand), (&6.into(), &5.into()));
        assert_eq!((a.amounts(&[None]), b.amounts(&[None])), (Some(vec![0, 0]), Some(vec![1, 0])));
        assert_eq!(b.cost(&[None]), Some(vec![fraction(800, 1), fraction(0, 1)]));
        assert_eq!((a.utilization(&[None]), b.utilization(&[None])), (fraction(3, 10), fraction(1, 4)));
        assert_eq!(
            (a.clock_of(&[None]), b.clock_of(&[None])),
            (Some(&fraction(100, 1)), Some(&fraction(80, 1)))
        );
    }
}
