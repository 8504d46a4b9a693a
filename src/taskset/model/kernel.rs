//! What a kernel and shared data cost besides the WCETs: release jitter, blocking, locks, and context switches.

use super::{Choice, KernelCosts, Lock, Nonpreemptive, Task, TaskSet};
use isx_exact::quantity::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

impl Default for Nonpreemptive {
    fn default() -> Self {
        Self::Part(Rational::default())
    }
}

impl Nonpreemptive {
    /// Whether it can be interrupted anywhere.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::Part(part) if part.is_zero())
    }
}

impl KernelCosts {
    /// Whether all but the locks are 0, see [`Task::sections`] for these.
    pub fn is_zero(&self) -> bool {
        self.jitter.is_zero() && self.blocking.is_zero() && self.nonpreemptive.is_none()
    }
}

impl Task {
    /// Whether anything delays its jobs, or makes jobs of others wait, besides the WCETs.
    pub fn has_kernel_costs(&self) -> bool {
        !self.kernel.is_zero() || self.sections().next().is_some()
    }

    /// Its critical sections longer than 0, in software and with every choice.
    pub fn sections(&self) -> impl Iterator<Item = &Lock> {
        let choices = self.choices.iter().flat_map(|choice| choice.locks.iter().flatten());
        self.kernel.locks.iter().chain(choices).filter(|lock| !lock.time.is_zero())
    }

    /// The parts of its execution that are given besides the WCETs, which grow as those do.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Rational> {
        let part = match &mut self.kernel.nonpreemptive {
            Nonpreemptive::Part(part) => Some(part),
            Nonpreemptive::All => None,
        };
        let choices =
            self.choices.iter_mut().flat_map(|choice: &mut Choice| choice.locks.iter_mut().flatten());
        part.into_iter().chain(self.kernel.locks.iter_mut().chain(choices).map(|lock| &mut lock.time))
    }
}

impl TaskSet {
    /// The tasks that lock each shared resource, by their index, in order of first occurrence; a resource
    /// that one task alone locks delays no other task.
    pub fn users_of_locks(&self) -> Vec<(&str, Vec<usize>)> {
        let mut all: Vec<(&str, Vec<usize>)> = Vec::new();
        for (at, task) in self.tasks.iter().enumerate() {
            for lock in task.sections() {
                match all.iter_mut().find(|(name, _)| *name == lock.name) {
                    Some((_, tasks)) if tasks.last() == Some(&at) => {}
                    Some((_, tasks)) => tasks.push(at),
                    None => all.push((&lock.name, vec![at])),
                }
            }
        }
        all
    }
}

impl TaskSet {
    /// Whether context switches take time: of every task, or of those that use some block.
    pub fn has_switches(&self) -> bool {
        !self.switch.is_zero() || self.blocks.iter().any(|block| !block.switch.is_zero())
    }

    /// Whether anything delays jobs besides their WCETs; a resource that one task alone locks delays none.
    pub fn has_kernel_costs(&self) -> bool {
        self.has_switches()
            || self.tasks.iter().any(|task| !task.kernel.is_zero())
            || self.users_of_locks().iter().any(|(_, tasks)| tasks.len() > 1)
    }

    /// What context switches add to the WCET of every job of a task with this choice, or in software: the job begins and
    /// ends with a switch, each of which also saves or restores the blocks that it uses. A part adds those blocks alone.
    pub fn switches(&self, task: &Task, choice: Option<&Choice>) -> Rational {
        let blocks = choice.into_iter().flat_map(|choice| &choice.uses);
        let blocks = blocks.filter_map(|&block| self.blocks.get(block as usize)).map(|block| &block.switch);
        let own = if task.is_part() { Rational::default() } else { self.switch.clone() };
        blocks.fold(own, |sum, block| sum + block) * Rational::from(BigInt::from(2))
    }
}
