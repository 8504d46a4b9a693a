//! Limits the work of the verdicts of a command, counted in steps.
//!
//! A step takes about as long as one division of machine integers, some nanoseconds: the cost of one task in a demand
//! evaluation. Wider integers and the tables of the search count proportionally more steps. Counting steps instead of
//! seconds gives the same answer on every machine and with any number of threads.

/// How much work verdicts may take before the answer is reported as unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps for all questions of a command: the smallest schedulable area, the verdict at a budget and those of all
    /// points of a front together.
    pub steps: u64,
    /// Steps for the test of one design, so that a single hard one does not use up all steps.
    pub design_steps: u64,
}

impl Default for Limits {
    /// Five hundred million steps, an eighth of them for one design: a few seconds.
    fn default() -> Self {
        Self { steps: 500_000_000, design_steps: 62_500_000 }
    }
}

/// Why a schedulability question was not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum Undecided {
    #[error(
        "the processor demand test of a design did not end within {0} steps: its utilization is close to 1 and \
         its periods share few factors; round the periods to a common grid"
    )]
    DesignSteps(u64),
    #[error(
        "the response-time analysis of a design did not end within {0} steps: its utilization is close to 1 and its \
         periods share few factors; round the periods to a common grid"
    )]
    ResponseSteps(u64),
    #[error(
        "the search over the designs within the area did not end within {0} steps; lower the area budget, take \
         choices out or round the periods to a common grid"
    )]
    Steps(u64),
}

/// The remaining work budget. All questions of a command share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effort {
    limits: Limits,
    spent: u64,
}

impl Effort {
    /// A budget with nothing spent.
    pub fn new(limits: Limits) -> Self {
        Self { limits, spent: 0 }
    }

    /// The steps spent, at most [`Limits::steps`].
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The remaining steps.
    pub fn left(&self) -> u64 {
        self.limits.steps - self.spent
    }

    /// The steps that the test of one design may take.
    pub(super) fn design_steps(&self) -> u64 {
        self.limits.design_steps
    }

    /// Half of all steps, whether or not spent already.
    pub(super) fn half(&self) -> u64 {
        self.limits.steps / 2
    }

    /// Spends `steps`, or nothing if fewer remain.
    pub(super) fn take(&mut self, steps: u64) -> Result<(), Undecided> {
        if steps > self.left() {
            return Err(Undecided::Steps(self.limits.steps));
        }
        self.spent += steps;
        Ok(())
    }

    /// Answers a question with at most `most` of the remaining steps.
    pub fn share<T>(&mut self, most: u64, question: impl FnOnce(&mut Self) -> T) -> T {
        let steps = most.min(self.left());
        let design_steps = self.limits.design_steps.min(steps);
        let mut share = Self::new(Limits { steps, design_steps });
        let answer = question(&mut share);
        self.spent += share.spent;
        answer
    }

    /// As [`Effort::share`], with all but a sixteenth of the remaining steps, which is kept for the response times of the
    /// design shown.
    pub(super) fn keeping_some<T>(&mut self, question: impl FnOnce(&mut Self) -> T) -> T {
        self.share(self.left() - self.left() / 16, question)
    }

    /// As [`Effort::share`], for the test of one design.
    pub(super) fn for_design<T>(
        &mut self,
        test: impl FnOnce(&mut Self) -> Result<T, Undecided>,
    ) -> Result<T, Undecided> {
        let own = self.limits.design_steps;
        let all = self.limits.steps;
        let own_limit_ends_it = own <= self.left();
        self.share(own, test).map_err(|_| match own_limit_ends_it {
            true => Undecided::DesignSteps(own),
            false => Undecided::Steps(all),
        })
    }
}

/// The number of steps that a sum, product or comparison of integers of `bits` bits costs; with machine integers it
/// is 1.
pub(super) fn weight(bits: u64) -> u64 {
    match bits {
        0..=63 => 1,
        64..=127 => 3,
        // One allocation per result, and time proportional to the length.
        _ => 96 + bits / 16,
    }
}
