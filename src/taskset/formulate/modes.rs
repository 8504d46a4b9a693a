//! A formulation for each mode of a task set, and one of the set.
//!
//! All modes run on the hardware of one design, one at a time. In each the tasks have their own WCETs and periods, or do
//! not run, so a mode is a formulation of its own, with a hyperperiod of its own. It has all tasks, since what any of
//! them uses limits the clock in every mode; those that do not run in it execute for no time and come first in the order
//! of priorities, so that they neither delay a task nor are late.
//!
//! The formulation of the set has areas, blocks and clocks like that of every mode. Its utilization is the largest of any
//! mode, its hyperperiod the least common multiple of theirs, and its base demand that of software in the mode of the
//! largest demand over it.
//!
//! Worked instance: a task of 2 every 4 in the first mode, and every 10 in the second, with another one of 3 every 10.
//! The hyperperiods are 4 and 10, that of the set is 20; the demands over it are 10 and 10.

use super::timed::Shared;
use super::{FormulateError, Formulation, Policy, formulate_in, time_unit};
use crate::model::TaskSet;
use isx_exact::quantity::{self, Rational};
use num_bigint::BigInt;
use num_traits::One;

/// The formulation of a set, whatever modes it has; one of the variants of a set has what it shares with the others.
pub(super) fn formulate_modes(
    taskset: &TaskSet,
    max_area: Option<&Rational>,
    shared: Option<Shared<'_>>,
) -> Result<Formulation, FormulateError> {
    match taskset.modes.len() {
        0 => return formulate_in(taskset, max_area, shared),
        1 => return formulate_in(&taskset.whole_in_mode(0), max_area, shared),
        _ => {}
    }
    let time_unit =
        if shared.is_some() { Rational::one() } else { time_unit(std::slice::from_ref(taskset))? };
    let shared = shared.unwrap_or(Shared { set: taskset, number: 0, count: 0, time_unit: &time_unit });
    let mut modes = Vec::with_capacity(taskset.modes.len());
    for number in 0..taskset.modes.len() {
        let mut mode = formulate_in(&taskset.whole_in_mode(number), max_area, Some(shared))?;
        if let Policy::FixedPriority(order) = &mut mode.policy {
            *order = order.with_first(|task| taskset.tasks[task].timing_in(number).is_none());
        }
        modes.push(mode);
    }
    let mut whole = modes[0].clone();
    for (at, (task, timed)) in taskset.tasks.iter().zip(&mut whole.tasks).enumerate() {
        if let Some(first) = (0..modes.len()).find(|&number| task.timing_in(number).is_some()) {
            *timed = modes[first].tasks[at].clone();
        }
    }
    let hyperperiod = modes.iter().fold(BigInt::one(), |lcm, mode| quantity::lcm(&lcm, &mode.hyperperiod));
    whole.hyperperiod = hyperperiod;
    whole.base_demand = largest_base_demand(&modes, &whole.hyperperiod);
    whole.modes = modes;
    Ok(whole)
}

/// The demand of software over a multiple of the hyperperiods in the mode where it is largest.
fn largest_base_demand(modes: &[Formulation], hyperperiod: &BigInt) -> BigInt {
    let demands = modes.iter().map(|mode| &mode.base_demand * (hyperperiod / &mode.hyperperiod));
    demands.max().unwrap_or_default()
}

impl Formulation {
    /// The same with each mode changed.
    pub(super) fn with_modes(self, change: impl Fn(&Self) -> Self, modes: &[Self]) -> Self {
        if modes.is_empty() {
            return self;
        }
        let modes: Vec<Self> = modes.iter().map(change).collect();
        let base_demand = largest_base_demand(&modes, &self.hyperperiod);
        Self { base_demand, modes, ..self }
    }

    /// The formulation of the set with these modes alone, in file order, over the same hyperperiod.
    /// Panics if there is no such mode.
    #[must_use]
    pub fn with_some_modes(&self, modes: &[usize]) -> Self {
        let modes: Vec<Self> = modes.iter().map(|&mode| self.modes[mode].clone()).collect();
        self.clone().with_modes(Self::clone, &modes)
    }

    /// The exact utilization of a design in every mode of the set; in a set with one mode, that alone.
    ///
    /// # Panics
    ///
    /// As [`Formulation::utilization`].
    pub fn mode_utilizations(&self, choices: &[Option<u32>]) -> Vec<Rational> {
        match self.modes.as_slice() {
            [] => vec![self.utilization(choices)],
            modes => modes.iter().map(|mode| mode.utilization(choices)).collect(),
        }
    }
}

/// The mode of the largest utilization, the first of several.
pub fn critical_mode(utilizations: &[Rational]) -> usize {
    (0..utilizations.len()).rev().max_by(|&a, &b| utilizations[a].cmp(&utilizations[b])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::formulate;
    use crate::read_str;

    #[test]
    fn the_worked_instance_is_as_described() {
        let text = "name: x\nmodes: [a, b]\ntasks:\n- {name: t, wcet: 2, period: {a: 4, b: 10}}\n\
                    - {name: u, wcet: 3, period: {b: 10}}\n";
        let set = read_str("x", text).unwrap().task_set;
        let whole = formulate(&set, None).unwrap();
        let hyperperiods: Vec<String> = whole.modes.iter().map(|mode| mode.hyperperiod.to_string()).collect();
        assert_eq!(hyperperiods, ["4", "10"]);
        assert_eq!((whole.hyperperiod.clone(), whole.base_demand.clone()), (20.into(), 10.into()));
        let utilizations: Vec<String> =
            whole.mode_utilizations(&[None, None]).iter().map(ToString::to_string).collect();
        assert_eq!(utilizations, ["1/2", "1/2"]);
        assert_eq!(super::critical_mode(&whole.mode_utilizations(&[None, None])), 0);
    }
}
