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
        task.wcets_mut().for_each(|wcet| *wcet *= p);
        task.wcets_mut().zip(&self.switches).for_each(|(wcet, switches)| *wcet += (q - p) * switches);
        task.switches.iter_mut().for_each(|switches| *switches *= q);
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
