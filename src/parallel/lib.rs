//! The only entry point to parallel work.
//!
//! A generic rayon call is compiled again, with its queues and splitting, for every closure passed to it. The
//! functions here pass rayon a `dyn` closure, so that this code is compiled once; only the few lines that store the
//! results are generic. A virtual call costs a few nanoseconds, so a piece of work should take a microsecond or
//! more.
//!
//! All functions run on the pool that they are called in, see [`run_on`].

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

pub use rayon::{ThreadPool, current_thread_index as thread_index};

/// The threads of the pool that this is called in.
pub fn threads() -> usize {
    start_global();
    rayon::current_num_threads()
}

/// Calls `work` for every number below `count`; every thread takes `least` numbers at a time.
///
/// Each thread has a part of the numbers, the same whenever `count` is the same, and takes numbers of the others' parts once
/// its own is done: what it read and wrote in an earlier call is likely in its caches still.
pub fn each(count: usize, least: usize, work: &(dyn Fn(usize) + Sync)) {
    start_global();
    let least = least.max(1);
    let threads = rayon::current_num_threads().min(count.div_ceil(least));
    if threads < 2 {
        return (0..count).for_each(work);
    }
    let begin = |part: usize| (part * count.div_ceil(least) / threads * least).min(count);
    let parts: Vec<Part> = (0..threads).map(|part| Part(AtomicUsize::new(begin(part)))).collect();
    let take_all = |_| {
        let own = thread_index().unwrap_or(0);
        for part in (0..threads).map(|at| (own + at) % threads) {
            loop {
                let end = begin(part + 1);
                if parts[part].0.load(Ordering::Relaxed) >= end {
                    break;
                }
                let from = parts[part].0.fetch_add(least, Ordering::Relaxed);
                (from..end.min(from.saturating_add(least))).for_each(work);
            }
        }
    };
    (0..threads).into_par_iter().with_max_len(1).for_each(take_all);
}

/// The next number of a part, on cache lines of its own.
#[repr(align(128))]
struct Part(AtomicUsize);

/// As [`each`], on the threads of a pool.
fn each_on(pool: Option<&ThreadPool>, count: usize, least: usize, work: &(dyn Fn(usize) + Sync)) {
    match pool {
        Some(pool) => pool.install(|| each(count, least, work)),
        None => each(count, least, work),
    }
}

/// A pool of this many threads; `None` if the system would not start them.
pub fn pool(threads: usize) -> Option<ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).spawn_handler(spawner()).build().ok()
}

/// Starts the global pool, unless this is a thread of a pool. If the system starts no threads, rayon tries again, and panics.
fn start_global() {
    static START: Once = Once::new();
    if thread_index().is_none() {
        START.call_once(|| drop(rayon::ThreadPoolBuilder::new().spawn_handler(spawner()).build_global()));
    }
}

/// Starts threads for a pool. If one does not start, the others are waited for: the C library ends the process if memory runs
/// out while a thread starts, and what comes next is a message, which takes memory.
fn spawner() -> impl FnMut(rayon::ThreadBuilder) -> std::io::Result<()> {
    let running = Arc::new(AtomicUsize::new(0));
    let mut started = 0;
    move |thread| {
        let at_work = Arc::clone(&running);
        let spawned = std::thread::Builder::new().spawn(move || {
            at_work.fetch_add(1, Ordering::Relaxed);
            thread.run();
        });
        match spawned {
            Ok(_) => started += 1,
            Err(_) => {
                while running.load(Ordering::Relaxed) < started {
                    std::thread::yield_now();
                }
            }
        }
        spawned.map(drop)
    }
}

/// The results of `work` for every number below `count`, in order.
pub fn map<T: Send>(count: usize, least: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    mapped(None, count, least, work)
}

/// As [`map`], on the threads of a pool.
pub fn map_on<T: Send>(
    pool: &ThreadPool,
    count: usize,
    least: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    mapped(Some(pool), count, least, work)
}

fn mapped<T: Send>(
    pool: Option<&ThreadPool>,
    count: usize,
    least: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    each_on(pool, count, least, &|at| {
        let result = work(at);
        *results[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    results.iter().filter_map(taken).collect()
}

/// Calls `work` for every number below `count` until one call fails; of several errors, returns that of the least
/// number.
pub fn try_each<E: Send>(
    count: usize,
    least: usize,
    work: impl Fn(usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let failed = AtomicUsize::new(usize::MAX);
    let error = Mutex::new(None);
    each(count, least, &|at| {
        if at >= failed.load(Ordering::Relaxed) {
            return;
        }
        if let Err(problem) = work(at) {
            let mut error = error.lock().unwrap_or_else(PoisonError::into_inner);
            if at < failed.fetch_min(at, Ordering::Relaxed) {
                *error = Some(problem);
            }
        }
    });
    error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Calls `work` with every one of `jobs`, each passed by value.
pub fn hand_out<T: Send>(jobs: Vec<T>, least: usize, work: impl Fn(T) + Sync) {
    handed_out(None, jobs, least, work);
}

/// As [`hand_out`], on the threads of a pool.
pub fn hand_out_on<T: Send>(pool: &ThreadPool, jobs: Vec<T>, least: usize, work: impl Fn(T) + Sync) {
    handed_out(Some(pool), jobs, least, work);
}

fn handed_out<T: Send>(pool: Option<&ThreadPool>, jobs: Vec<T>, least: usize, work: impl Fn(T) + Sync) {
    let jobs: Vec<Mutex<Option<T>>> = jobs.into_iter().map(|job| Mutex::new(Some(job))).collect();
    each_on(pool, jobs.len(), least, &|at| {
        if let Some(job) = taken(&jobs[at]) {
            work(job);
        }
    });
}

/// Takes the content of a place, leaving it empty.
fn taken<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Runs `work` on a thread of the pool, which then also runs all parallel work inside it.
pub fn run_on<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut result) = (Some(work), None);
    install(pool, &mut || {
        if let Some(work) = work.take() {
            result = Some(work());
        }
    });
    match result {
        Some(result) => result,
        None => unreachable!("the pool waits for what it was given"),
    }
}

fn install(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Runs `there` on a thread of the pool while the caller's thread runs `here`.
pub fn at_once<T: Send, U>(
    pool: &ThreadPool,
    there: impl FnOnce() -> T + Send,
    here: impl FnOnce() -> U,
) -> (T, U) {
    let (mut there, mut here) = (Some(there), Some(here));
    let (mut result, mut own) = (None, None);
    in_scope(
        pool,
        &mut || {
            if let Some(there) = there.take() {
                result = Some(there());
            }
        },
        &mut || {
            if let Some(here) = here.take() {
                own = Some(here());
            }
        },
    );
    match (result, own) {
        (Some(result), Some(own)) => (result, own),
        _ => unreachable!("the scope waits for what it was given"),
    }
}

fn in_scope(pool: &ThreadPool, there: &mut (dyn FnMut() + Send), here: &mut dyn FnMut()) {
    pool.in_place_scope(|scope| {
        scope.spawn(|_| there());
        here();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_every_job_is_done_once() {
        for count in [0, 1, 2, 1000] {
            assert_eq!(map(count, 1, |at| at * at), (0..count).map(|at| at * at).collect::<Vec<_>>());
            let mut cells = vec![0; count];
            hand_out(cells.iter_mut().enumerate().collect(), 7, |(at, cell)| *cell += at + 1);
            assert!(cells.iter().enumerate().all(|(at, &cell)| cell == at + 1));
        }
    }

    #[test]
    fn of_several_errors_the_first_is_given() {
        for _ in 0..50 {
            let failed = try_each(1000, 1, |at| if at % 300 == 299 { Err(at) } else { Ok(()) });
            assert_eq!(failed, Err(299));
        }
        assert_eq!(try_each(1000, 1, |_| Ok::<(), ()>(())), Ok(()));
    }

    #[test]
    fn a_pool_runs_what_it_is_given_while_the_caller_works() {
        let pool = pool(2).unwrap();
        assert_eq!(run_on(&pool, threads), 2);
        let caller = std::thread::current().id();
        let (there, here) = at_once(&pool, || std::thread::current().id(), || std::thread::current().id());
        assert!(there != caller && here == caller);
    }
}
