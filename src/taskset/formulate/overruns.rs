//! A formulation for each deviation of a set in which a few tasks exceed their WCETs at a time.
//!
//! A task takes at most its WCET e, and at most G tasks at a time take up to their high WCET h instead. With d = (h - e) / P
//! for the choice that a task takes, the utilization of a design is
//!
//! ```text
//! U = sum_i e_i / P_i + the sum of the G largest d_i = min over t of  G t + sum_i ( e_i / P_i + max(0, d_i - t) )
//! ```
//!
//! where the minimum is at some d_i, or at 0. So for each distinct deviation t of a task or choice there is a formulation
//! with the WCETs e + max(0, d - t) P, the first task bearing G t in addition, and the front is the lower envelope of
//! theirs. The formulations share the unit of time and the hyperperiod, as those of variants do.
//!
//! Worked instance: (e, h, P) = (2, 4, 10) and (3, 6, 10), G = 1. The deviations are 2/10 and 3/10, U = 5/10 + 3/10. At t =
//! 2/10: 2/10 + 2/10 + (3/10 + 1/10) = 8/10; at t = 3/10: 3/10 + 5/10 = 8/10; at t = 0: 10/10.
//!
//! Source: D. Bertsimas and M. Sim, "Robust discrete optimization and network flows", Mathematical Programming 98, 2003.

use crate::model::{Task, TaskSet};
use isx_exact::quantity::{Rational, difference};
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// For each deviation, in rising order, the set with its utilizations; `most` tasks exceed their WCETs at a time.
pub(super) fn at_deviations(taskset: &TaskSet, most: u32) -> Vec<TaskSet> {
    let deviations: BTreeSet<Rational> =
        taskset.tasks.iter().flat_map(deviations).chain([Rational::default()]).collect();
    deviations.iter().map(|deviation| at(taskset, most, deviation)).collect()
}

/// By how much a task exceeds its WCET, in software and with each choice, as a part of its period.
fn deviations(task: &Task) -> impl Iterator<Item = Rational> {
    let choices = task.choices.iter().map(|choice| (&choice.wcets[0], &choice.wcet_high));
    let all = std::iter::once((&task.wcets[0], &task.wcet_high)).chain(choices);
    all.map(|(wcet, high)| deviation(wcet, high.as_ref()) / task.period())
}

fn deviation(wcet: &Rational, high: Option<&Rational>) -> Rational {
    high.map_or_else(Rational::default, |high| difference(high, wcet))
}

/// The set whose utilizations are those at a deviation.
fn at(taskset: &TaskSet, most: u32, deviation: &Rational) -> TaskSet {
    let mut set = TaskSet { overruns: None, ..taskset.clone() };
    for (number, task) in set.tasks.iter_mut().enumerate() {
        let counted = deviation * task.period();
        let constant =
            if number == 0 { &counted * Rational::from(BigInt::from(most)) } else { Rational::default() };
        let add = |wcet: &mut Rational, high: &mut Option<Rational>| {
            let beyond = self::deviation(wcet, high.take().as_ref()) - &counted;
            *wcet += &constant + beyond.max(Rational::default());
        };
        add(&mut task.wcets[0], &mut task.wcet_high);
        task.choices.iter_mut().for_each(|choice| add(&mut choice.wcets[0], &mut choice.wcet_high));
    }
    set
}

#[cfg(test)]
mod tests {
    use super::super::formulate_variants;
    use crate::{WhatIf, read_str};

    #[test]
    fn the_worked_instance_is_as_described() {
        let text = "name: x\ntasks:\n- {name: a, wcet: 2, wcet_high: 4, period: 10}\n\
                    - {name: b, wcet: 3, wcet_high: 6, period: 10}\n";
        let set = read_str("x", text).unwrap().task_set;
        let mut what_if = WhatIf::default();
        what_if.overruns(1);
        let set = what_if.apply(&set).unwrap();
        let all = formulate_variants(&set, None).unwrap().into_iter().map(Result::unwrap);
        let utilizations: Vec<String> = all.map(|one| one.utilization(&[None, None]).to_string()).collect();
        assert_eq!(utilizations, ["1", "4/5", "4/5"]);
    }
}
