//! What an engine is given besides the problem: threads, a memory limit, somebody to tell of its progress.

/// Hears how far a long computation has come; called from any thread.
pub trait Progress: Sync {
    /// A stage of `steps` steps begins.
    fn begin(&self, stage: &'static str, steps: u64);
    /// `steps` more steps of the current stage are done.
    fn advance(&self, steps: u64);
}

/// Listens to nothing.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// The limits an engine works within.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Most bytes of tables to hold at once.
    pub max_memory: u64,
    /// Whether every candidate is to be looked at, also those that bounds rule out: raw work, to be measured.
    pub all_candidates: bool,
    /// Told of the progress, one step a class.
    pub progress: &'a dyn Progress,
}

impl Default for Context<'_> {
    /// Every core, 4 GiB of tables, nobody listening.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, max_memory: 4 << 30, all_candidates: false, progress: &NoProgress }
    }
}
