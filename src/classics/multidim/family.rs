//! The family of engines: what they are asked, and what they answer.

use super::answer::Answer;
use isx_engine::Family;
use isx_machine::Machine;
use isx_problems::reduce::multidim::Reduced;
use isx_problems::value::Tier;

/// The multi-dimensional 0-1 knapsack problem.
#[derive(Clone, Copy, Debug)]
pub struct Multidim;

impl Family for Multidim {
    const NAME: &'static str = "multidim";
    type Problem = Batch;
    /// There is only one kind of answer: profit and items.
    type Wanted = ();
    type Answer = Answer;
}

/// The results of `work` for every problem, in order. Work of a microsecond or more for each of many problems is worth waking
/// all threads of the machine.
pub fn map_each<P: Sync, T: Send>(
    machine: &Machine,
    problems: &[P],
    work: impl Fn(&P) -> T + Sync,
) -> Vec<T> {
    let count = problems.len() as u64;
    machine.workers().map(count, count > 64, |at| work(&problems[at as usize]))
}

/// Problems that are solved together, in integers of one width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    problems: Vec<Reduced>,
}

impl Batch {
    /// These problems together.
    pub fn new(problems: Vec<Reduced>) -> Self {
        Self { problems }
    }

    /// The problems in order.
    pub fn problems(&self) -> &[Reduced] {
        &self.problems
    }

    /// The narrowest integers that hold every sum of profits of every problem.
    pub fn tier(&self) -> Tier {
        self.problems.iter().map(Reduced::tier).max().unwrap_or(Tier::I32)
    }
}
