//! The tasks of a set as they were drawn.

pub struct GeneratedTask {
    pub name: String,
    pub wcet: u64,
    pub period_us: u64,
    pub deadline_us: Option<u64>,
    /// 1 is the highest.
    pub priority: Option<u64>,
    /// The largest saving of correlated choices, in units of the last decimal of the savings.
    pub peak: u64,
    /// In order of increasing area.
    pub choices: Vec<GeneratedChoice>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct GeneratedChoice {
    /// In units of the last decimal.
    pub area: u64,
    /// In cycles.
    pub saved: u64,
    /// 0-based indices of the blocks.
    pub uses: Vec<u64>,
    /// The amounts of all resources but the first; empty if there are no others.
    pub others: Vec<u64>,
}
