//! The threads that share an engine's work.
//!
//! They are the threads of the machine, started once and reused: starting one takes as long as a small problem. Work
//! is divided among them only if that is expected to save time. The team decides this from the number of seconds
//! that the caller expects one thread to need, so a caller passes every piece of work, however small, and never
//! loses much by having threads.
//!
//! Results do not depend on the number of threads: they are joined in order.

use super::Workers;
use crate::rates;
use isx_parallel::{self as parallel, ThreadPool};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Work is divided if it takes one thread this many times longer than passing it to the threads.
const WORTH: f64 = 4.0;

/// The threads that a piece of work may use; they start on first use.
pub struct Team<'a> {
    workers: Option<&'a Workers>,
    threads: usize,
    /// Whether work is divided however small it is, for tests.
    everything: bool,
    /// Whether the threads have been used.
    used: AtomicBool,
}

impl<'a> Team<'a> {
    /// All threads of the machine, including the caller's.
    pub fn of(workers: &'a Workers) -> Self {
        let threads = workers.threads();
        Self { workers: Some(workers), threads, everything: false, used: AtomicBool::new(false) }
    }

    /// As [`Team::of`], but divides all work, however small: for tests and measurements.
    pub fn sharing_everything(workers: &'a Workers) -> Self {
        Self { everything: true, ..Self::of(workers) }
    }

    /// The caller's thread only.
    pub fn alone() -> Self {
        Self { workers: None, threads: 1, everything: false, used: AtomicBool::new(false) }
    }

    /// Threads that have taken part.
    pub fn took_part(&self) -> usize {
        match self.workers.filter(|_| self.used.load(Ordering::Relaxed)).and_then(Workers::pool) {
            Some(pool) => pool.current_num_threads(),
            None => 1,
        }
    }

    /// Threads that work may be divided among.
    pub fn threads(&self) -> usize {
        self.threads.max(1)
    }

    /// The index of the calling thread in the team, from 0.
    pub fn member(&self) -> usize {
        parallel::thread_index().map_or(0, |index| index % self.threads())
    }

    /// Whether work that takes one thread `seconds` would be divided.
    pub fn would_share(&self, seconds: f64) -> bool {
        self.threads > 1 && (self.everything || is_worth_sharing(seconds, self.threads))
    }

    /// Runs `work` on one of the threads, so that its parallel parts need not wake the threads each time.
    pub fn enter<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self.pool() {
            Some(pool) => parallel::run_on(pool, work),
            None => work(),
        }
    }

    /// Calls `work` for every number below `count`, in order. `seconds` is the expected time of one thread for all.
    pub fn map<T: Send>(&self, count: usize, seconds: f64, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        match self.sharing(count, seconds) {
            Some((pool, least)) => parallel::map_on(pool, count, least, work),
            None => (0..count).map(work).collect(),
        }
    }

    /// Calls `work` on every chunk of `size` and sums the results. `seconds` is the expected time of one thread for
    /// all.
    pub fn sum_chunks<T: Send>(
        &self,
        all: &mut [T],
        size: usize,
        seconds: f64,
        work: impl Fn(usize, &mut [T]) -> u64 + Sync,
    ) -> u64 {
        let chunks = all.len().div_ceil(size);
        let chunked = all.chunks_mut(size).enumerate();
        match self.sharing(chunks, seconds) {
            Some((pool, least)) => {
                let sum = AtomicU64::new(0);
                parallel::hand_out_on(pool, chunked.collect(), least, |(at, chunk)| {
                    sum.fetch_add(work(at, chunk), Ordering::Relaxed);
                });
                sum.into_inner()
            }
            None => chunked.map(|(at, chunk)| work(at, chunk)).sum(),
        }
    }

    /// Calls `work` on every one of `jobs`. `seconds` is the expected time of one thread for all.
    pub fn for_each<T: Send>(&self, jobs: Vec<T>, seconds: f64, work: impl Fn(T) + Sync) {
        match self.sharing(jobs.len(), seconds) {
            Some((pool, least)) => parallel::hand_out_on(pool, jobs, least, work),
            None => jobs.into_iter().for_each(work),
        }
    }

    /// The pool and the fewest jobs per part, if `jobs` jobs of `seconds` in all are worth dividing.
    fn sharing(&self, jobs: usize, seconds: f64) -> Option<(&ThreadPool, usize)> {
        if jobs < 2 || !self.would_share(seconds) {
            return None;
        }
        // The quotient is limited to the number of jobs.
        let least = match self.everything {
            true => 1,
            false => ((rates::FORK * jobs as f64 / seconds) as usize).clamp(1, jobs),
        };
        self.pool().map(|pool| (pool, least))
    }

    /// The pool, started on the first call. If the system starts no threads, the caller's thread does all work.
    fn pool(&self) -> Option<&'a ThreadPool> {
        let pool = self.workers?.pool()?;
        self.used.store(true, Ordering::Relaxed);
        Some(pool)
    }
}

/// Seconds to pass work to `threads` threads and wait for them.
fn fork_seconds(threads: usize) -> f64 {
    rates::FORK + rates::FORK_THREAD * threads as f64
}

/// Whether `threads` threads are expected to be faster than one that needs `seconds`.
fn is_worth_sharing(seconds: f64, threads: usize) -> bool {
    seconds > WORTH * fork_seconds(threads)
}

/// Seconds that `jobs` jobs are expected to take on `threads` threads if they take one thread `seconds`.
pub fn shared_seconds(seconds: f64, jobs: f64, threads: usize) -> f64 {
    let at_work = (threads as f64).min(jobs);
    if at_work < 2.0 || !is_worth_sharing(seconds, threads) {
        return seconds;
    }
    let speedup = 1.0 + (at_work - 1.0) * rates::FURTHER_THREAD;
    seconds.min(fork_seconds(threads) + seconds / speedup)
}

/// Seconds that starting the threads is expected to take; 0 if they run already.
pub fn start_seconds(workers: &Workers) -> f64 {
    let running = workers.threads() < 2 || workers.are_started();
    if running { 0.0 } else { workers.threads() as f64 * rates::THREAD_START }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More seconds than any threshold.
    const LONG: f64 = 1.0;

    #[test]
    fn shared_work_is_joined_in_order() {
        let workers = Workers::new(3);
        for team in [Team::alone(), Team::of(&workers)] {
            for seconds in [0.0, LONG] {
                let squares = team.map(1000, seconds, |number| number * number);
                assert_eq!(squares, (0..1000).map(|number| number * number).collect::<Vec<_>>());
                let mut cells = vec![0; 1001];
                let sum = team.sum_chunks(&mut cells, 10, seconds, |at, chunk| {
                    chunk.fill(at);
                    chunk.len() as u64
                });
                assert_eq!(sum, 1001);
                assert!(cells.iter().enumerate().all(|(cell, &chunk)| cell / 10 == chunk));
                let mut cells = vec![0; 5];
                let jobs: Vec<_> = (1..).zip(&mut cells).collect();
                team.for_each(jobs, seconds, |(number, cell)| *cell = number);
                assert_eq!(cells, [1, 2, 3, 4, 5]);
            }
        }
    }

    #[test]
    fn threads_start_when_work_is_worth_it_and_once() {
        let workers = Workers::new(7);
        let team = Team::of(&workers);
        assert!((start_seconds(&workers) - 7.0 * rates::THREAD_START).abs() < 1e-9);
        team.map(100, 1e-9, |number| number);
        assert_eq!(team.took_part(), 1);
        let members = team.map(100, LONG, |_| team.member());
        assert!(members.iter().all(|&member| member < 7));
        assert_eq!((team.took_part(), start_seconds(&workers)), (7, 0.0));
    }

    #[test]
    fn threads_are_never_expected_to_cost_time() {
        for exponent in -9..3 {
            let seconds = 10f64.powi(exponent);
            for (jobs, threads) in [(1.0, 16), (2.0, 16), (1e3, 1), (1e3, 2), (1e6, 1024), (0.0, 1)] {
                assert!(shared_seconds(seconds, jobs, threads) <= seconds);
            }
        }
        assert!(shared_seconds(1.0, 1e3, 16) < 0.1);
    }
}
