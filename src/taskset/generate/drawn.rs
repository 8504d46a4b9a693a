//! The tasks of a set as they were drawn.

/// The maximum number of tasks, and of choices over all tasks: such a file has fewer than 10^6 YAML nodes.
pub const MAX_CHOICES: u64 = 40_000;

/// `value * numerator / denominator` rounded to the nearest integer, halves up.
pub fn scale(value: u64, numerator: u64, denominator: u64) -> u64 {
    let denominator = u128::from(denominator);
    quotient(u128::from(value) * u128::from(numerator) + denominator / 2, denominator)
}

/// A quotient that fits 64 bits, rounded down. Most numbers do, too, and their division takes a fraction of the time.
pub fn quotient(number: u128, by: u128) -> u64 {
    match (u64::try_from(number), u64::try_from(by)) {
        (Ok(number), Ok(by)) => number / by,
        _ => (number / by) as u64,
    }
}

pub struct GeneratedTask {
    pub timing: GeneratedTiming,
    /// In the second mode, and so on.
    pub others: Vec<GeneratedTiming>,
    /// 1 is the highest.
    pub priority: Option<u64>,
    /// Jitter in microseconds, blocking and the longest part that cannot be interrupted in cycles.
    pub kernel: [u64; 3],
    /// The largest saving of correlated choices, in units of the last decimal of the savings.
    pub peak: u64,
    /// In order of increasing area.
    pub choices: Vec<GeneratedChoice>,
}

/// A task in a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratedTiming {
    pub wcet: u64,
    pub period_us: u64,
    pub deadline_us: Option<u64>,
}

impl GeneratedTask {
    /// The task in every mode.
    pub fn timings(&self) -> impl Iterator<Item = &GeneratedTiming> {
        std::iter::once(&self.timing).chain(&self.others)
    }

    /// What a choice saves in a mode.
    pub fn saved(&self, choice: &GeneratedChoice, timing: &GeneratedTiming) -> u64 {
        let part = u128::from(choice.saved) * u128::from(timing.wcet) / u128::from(self.timing.wcet);
        (part as u64).clamp(1, timing.wcet - 1)
    }
}

pub struct GeneratedChoice {
    /// In units of the last decimal.
    pub area: u64,
    /// In cycles; in further modes as large a part of the WCET.
    pub saved: u64,
    /// 0-based indices of the blocks.
    pub uses: Vec<u64>,
    /// The amounts of all resources but the first; empty if there are no others.
    pub others: Vec<u64>,
}
