//! A formulation with all WCETs multiplied by a fraction.
//!
//! For a factor p / q the unit of time becomes q times finer: a WCET of e units is then e p units, and every period
//! and deadline is q times as many. All numbers stay integers, areas do not change, and no input is read again.
//!
//! Parts that cannot be interrupted and critical sections grow as the WCETs they are part of. Context switches, jitter and
//! blocking do not: they become q times as many units.
//!
//! Worked instance: a task of 5 every 8 units, 10 % longer, p / q = 11/10: 55 every 80 tenths of the unit. If 2 of the 5 are
//! context switches: 3 * 11 + 2 * 10 = 53.

use super::{Formulation, TimedKernel, TimedTask};
use isx_exact::quantity::Rational;
use num_bigint::BigInt;

impl TimedTask {
    /// The task with its WCETs multiplied by p / q, in a unit of time q times finer.
    fn longer(&self, p: &BigInt, q: &BigInt) -> Self {
        let mut task = self.clone();
        let wcets = std::iter::once(&mut task.wcet);
        wcets.chain(task.choices.iter_mut().map(|choice| &mut choice.wcet)).for_each(|wcet| *wcet *= p);
        let wcets = std::iter::once(&mut task.wcet);
        let wcets = wcets.chain(task.choices.iter_mut().map(|choice| &mut choice.wcet));
        for (wcet, switches) in wcets.zip(&mut task.switches) {
            *wcet += (q - p) * &*switches;
            *switches *= q;
        }
        task.period *= q;
        task.deadline *= q;
        if let Some(TimedKernel { jitter, due, blocking, nonpreemptive }) = &mut task.kernel {
            [jitter, due, blocking].into_iter().for_each(|time| *time *= q);
            nonpreemptive.iter_mut().for_each(|part| *part *= p);
        }
        task.sections_mut().for_each(|section| *section *= p);
        task
    }
}

impl Formulation {
    /// The formulation of the same tasks with every WCET, at every clock, multiplied by `factor`, 0 or more.
    pub fn with_longer_wcets(&self, factor: &Rational) -> Self {
        let (p, q) = (factor.numer(), factor.denom());
        let longer = |task: &TimedTask| task.longer(p, q);
        let tasks: Vec<TimedTask> = self.tasks.iter().map(longer).collect();
        let whole = self.with_tasks(tasks, q, self.clocks.with_tasks(longer), self.costs.clone());
        whole.with_modes(|mode| mode.with_longer_wcets(factor), &self.modes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::formulate;
    use super::*;
    use crate::{WhatIf, read_str};

    #[test]
    fn a_longer_formulation_is_that_of_the_longer_set_at_every_clock() {
        let text = "
name: x
clock: 100 Hz
blocks: [{name: b, area: 5, fmax: 80 Hz}]
tasks:
  - {name: a, wcet: 30, period: 1 s, deadline: 0.7 s, choices: [{name: c, uses: [b], wcet: 20}, {name: d, area: 3, wcet: 7}]}
  - {name: e, wcet: 11, period: 0.3 s}
";
        let set = read_str("x", text).unwrap().task_set;
        let own = formulate(&set, None).unwrap();
        for (numerator, denominator) in [(1, 1), (11, 10), (13, 10), (11, 12), (7, 3)] {
            let factor = Rational::new(numerator.into(), denominator.into());
            let mut what_if = WhatIf::default();
            what_if.scale_wcets(factor.clone()).unwrap();
            let again = formulate(&what_if.apply(&set).unwrap(), None).unwrap();
            let longer = own.with_longer_wcets(&factor);
            assert_eq!(longer.capacity(), again.capacity());
            assert_eq!(longer.clocks.count(), 2);
            for choices in [[None, None], [Some(0), None], [Some(1), None]] {
                assert_eq!(longer.utilization(&choices), again.utilization(&choices));
                assert_eq!(longer.area(&choices), again.area(&choices));
                assert_eq!(longer.clock_of(&choices), again.clock_of(&choices));
                let times = |formulation: &Formulation| {
                    let unit = formulation.time_unit.clone();
                    let time = |units: &BigInt| Rational::from(units.clone()) * &unit;
                    let tasks = formulation.tasks_of(&choices).iter().zip(&choices);
                    tasks
                        .map(|(task, &choice)| {
                            [task.wcet_with(choice), &task.period, &task.deadline].map(time)
                        })
                        .collect::<Vec<_>>()
                };
                assert_eq!(times(&longer), times(&again));
            }
        }
    }
}
