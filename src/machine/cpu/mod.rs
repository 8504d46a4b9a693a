//! The CPU: threads, vectors, and memory for large tables.

mod arena;
pub mod lanes;
mod team;

pub use arena::{Arena, LARGE, LARGE_PAGE, growing_seconds, providing_seconds};
pub use team::{Team, shared_seconds, start_seconds};

use isx_parallel::{self as parallel, ThreadPool};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Cores of this machine, at least 1.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Seconds that the calling thread has waited for a core that others used so far, if the system reports it (Linux,
/// schedstats): on a busy machine, measured times are longer by that much.
pub fn seconds_waited() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}

/// `1 thread`, `2 threads`.
pub fn in_words(threads: usize) -> String {
    if threads == 1 { "1 thread".into() } else { format!("{threads} threads") }
}

/// The threads that a computation may use; they start on first use and stay alive.
pub struct Workers {
    threads: usize,
    /// `None` if the system refused to start them.
    pool: Arc<OnceLock<Option<ThreadPool>>>,
}

impl Workers {
    /// Up to `threads` threads; only the caller's thread if that is 1.
    pub fn new(threads: usize) -> Self {
        Self { threads: threads.max(1), pool: Arc::default() }
    }

    /// The maximum number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether they have been started, so that using them costs no further start-up time.
    pub fn are_started(&self) -> bool {
        self.pool.get().is_some()
    }

    /// The threads, started on the first call; `None` if the caller's thread is the only one.
    pub fn pool(&self) -> Option<&ThreadPool> {
        if self.threads == 1 {
            return None;
        }
        self.pool.get_or_init(|| parallel::pool(self.threads)).as_ref()
    }

    /// Runs `work` on the threads if there are any, so that its parallel work stays on them.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self.pool() {
            Some(pool) => parallel::run_on(pool, work),
            None => work(),
        }
    }

    /// Runs `there` on the threads while the caller runs `here`; one after the other if there is only the caller's
    /// thread.
    pub fn beside<T: Send, U>(&self, there: impl FnOnce() -> T + Send, here: impl FnOnce() -> U) -> (T, U) {
        let Some(pool) = self.pool() else {
            let here = here();
            return (there(), here);
        };
        parallel::at_once(pool, there, here)
    }

    /// Calls `work` for every number below `count`, in order; on the caller's thread only unless `parallel`.
    pub fn map<T: Send>(&self, count: u64, parallel: bool, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let pool = if parallel && count > 1 { self.pool() } else { None };
        match pool {
            Some(pool) => parallel::map_on(pool, count as usize, 1, |at| work(at as u64)),
            None => (0..count).map(work).collect(),
        }
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workers({}, started: {})", self.threads, self.are_started())
    }
}
