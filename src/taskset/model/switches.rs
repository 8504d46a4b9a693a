//! What context switches add to the WCETs of a set, and whether anything else delays its jobs.

use super::kernel::KernelCosts;
use super::{Choice, Task, TaskSet};
use isx_exact::quantity::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

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
    /// ends with a switch, each of which also saves or restores the blocks that it uses.
    pub fn switches(&self, choice: Option<&Choice>) -> Rational {
        let blocks = choice.into_iter().flat_map(|choice| &choice.uses);
        let blocks = blocks.filter_map(|&block| self.blocks.get(block as usize)).map(|block| &block.switch);
        let one = blocks.fold(self.switch.clone(), |sum, block| sum + block);
        one * Rational::from(BigInt::from(2))
    }
}

impl Task {
    /// The task with these costs besides its WCET.
    #[must_use]
    pub fn with_kernel_costs(mut self, kernel: KernelCosts) -> Self {
        self.kernel = kernel;
        self
    }
}
