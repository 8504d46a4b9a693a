//! An ordered parallel map: tasks run on many threads, and their lines are written in the order of the tasks, each as soon
//! as those before it are. What waits is limited.
//!
//! Any thread may drive the GPU. A task is tried on the CPU first, for a short time. One that would take longer waits for
//! the GPU, which takes these tasks in the order of the lines, while the other threads go on with the rest. A thread that
//! finds nothing else takes the shortest of the waiting tasks if it would be done sooner than the GPU comes to the end of
//! them. A task that needs more memory than its share runs again by itself, once the others have ended or as much waits as
//! may.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// On a thread and without the GPU, for a short time if it could have the GPU later.
    Trial,
    /// On a thread and without the GPU.
    Cpu,
    /// On a thread that has the GPU.
    Gpu,
    /// With all threads, all memory and the GPU.
    Alone,
}

/// What became of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has written its line.
    Done,
    /// It was tried, would take about this long on a thread, and is to wait for the GPU.
    TooLong(Duration),
    /// Its share of the memory does not suffice.
    NeedsAll,
}

/// The tasks that a GPU has at a time, if half of the threads go on without it: one is reduced or written while the
/// other's kernels run.
pub fn at_once(threads: usize) -> usize {
    (threads / 2).clamp(1, 2)
}

/// The most lines that wait for an earlier one, with the tasks that wait to run by themselves: then no task is begun.
pub const HELD: usize = 256;

/// As [`HELD`], in bytes: lines may be whole fronts.
const HELD_BYTES: usize = 1 << 26;

/// Tasks that wait for the GPU, each with its problem in memory; with more, no further task is begun.
const WAITING: usize = 64;

/// What is to be done, and where the lines go.
pub struct Ordered<'a, T> {
    /// The number of groups of tasks.
    pub groups: usize,
    /// The number of threads.
    pub threads: usize,
    /// The tasks of a group, such as the problems of a file.
    pub read: &'a (dyn Fn(usize) -> Vec<T> + Sync),
    /// Runs a task, which writes its line to the buffer; that is discarded unless the task is done.
    pub run: &'a (dyn Fn(&mut T, Room, &mut Vec<u8>) -> End + Sync),
    /// Writes lines, with the number of groups that are complete. If it fails, no further task begins.
    pub write: &'a (dyn Fn(&[u8], usize) -> io::Result<()> + Sync),
}

/// Group and place in it.
type Key = (usize, usize);

/// What a thread does next: it runs a task, or reads the group.
type Job<T> = (Key, Option<(T, Room)>);

struct State<T> {
    /// The next group to read.
    unread: usize,
    /// Every task that has been read and is not done, and the first of each group that is being read.
    pending: BTreeSet<Key>,
    fresh: BTreeMap<Key, T>,
    /// Tasks that take long, each with its estimated time on a thread.
    long: BTreeMap<Key, (Duration, T)>,
    /// Tasks that need all memory.
    large: BTreeMap<Key, T>,
    held: BTreeMap<Key, Vec<u8>>,
    held_bytes: usize,
    active: usize,
    is_one_alone: bool,
    on_gpu: usize,
    /// Time and number of the tasks that the GPU has done.
    gpu_time: Duration,
    gpu_tasks: u32,
    /// Set if no further task is to begin: by a panic, or by a failed write.
    stopped: Option<io::Result<()>>,
}

/// Tasks that are being worked on.
struct Queue<'q, 'a, T> {
    work: &'q Ordered<'a, T>,
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T: Send> Ordered<'_, T> {
    /// Runs all tasks and writes their lines in order. Fails with the error of writing.
    pub fn run(&self) -> io::Result<()> {
        let state = Mutex::new(State {
            unread: 0,
            pending: BTreeSet::new(),
            fresh: BTreeMap::new(),
            long: BTreeMap::new(),
            large: BTreeMap::new(),
            held: BTreeMap::new(),
            held_bytes: 0,
            active: 0,
            is_one_alone: false,
            on_gpu: 0,
            gpu_time: Duration::ZERO,
            gpu_tasks: 0,
            stopped: None,
        });
        let queue = Queue { work: self, state, changed: Condvar::new() };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                // Where the system starts no thread, those that there are do the work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || queue.work_off());
            }
            queue.work_off();
        });
        let state = queue.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.stopped.unwrap_or(Ok(()))
    }
}

impl<T> Queue<'_, '_, T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until nothing is left.
    fn work_off(&self) {
        let _guard = StopOnPanic(self);
        let mut state = self.lock();
        while state.stopped.is_none() {
            state = match state.next_job(self.work) {
                // A running task may bring another.
                None if state.active > 0 => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                None => break,
                Some(job) => {
                    state.active += 1;
                    drop(state);
                    let mut state = self.finish(job);
                    state.active -= 1;
                    state.write_lines(self.work);
                    self.changed.notify_all();
                    state
                }
            };
        }
    }

    fn finish(&self, (key, task): Job<T>) -> MutexGuard<'_, State<T>> {
        let Some((mut task, room)) = task else {
            let tasks = (self.work.read)(key.0).into_iter().enumerate();
            let mut tasks: BTreeMap<Key, T> = tasks.map(|(at, task)| ((key.0, at), task)).collect();
            let mut state = self.lock();
            state.pending.remove(&key);
            state.pending.extend(tasks.keys());
            state.fresh.append(&mut tasks);
            return state;
        };
        let (begun, mut line) = (Instant::now(), Vec::new());
        let end = (self.work.run)(&mut task, room, &mut line);
        let took = begun.elapsed();
        let mut state = self.lock();
        if room == Room::Gpu {
            state.on_gpu -= 1;
            state.gpu_time += took;
            state.gpu_tasks += 1;
        }
        state.is_one_alone = false;
        match end {
            End::TooLong(takes) => drop(state.long.insert(key, (takes, task))),
            End::NeedsAll => drop(state.large.insert(key, task)),
            End::Done => {
                state.held_bytes += line.len();
                state.held.insert(key, line);
                state.pending.remove(&key);
            }
        }
        state
    }
}

/// Stops the queue if a task panics, so that no thread waits for it.
struct StopOnPanic<'q, 'w, 'a, T>(&'q Queue<'w, 'a, T>);

impl<T> Drop for StopOnPanic<'_, '_, '_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().stopped = Some(Ok(()));
            self.0.changed.notify_all();
        }
    }
}

impl<T> State<T> {
    fn next_job(&mut self, work: &Ordered<'_, T>) -> Option<Job<T>> {
        if self.is_one_alone {
            return None;
        }
        if self.on_gpu < at_once(work.threads)
            && let Some((key, (_, task))) = self.long.pop_first()
        {
            self.on_gpu += 1;
            return Some((key, Some((task, Room::Gpu))));
        }
        if let Some(job) = self.fresh_job(work).or_else(|| self.long_for_cpu(work)) {
            return Some(job);
        }
        if self.active > 0 {
            return None;
        }
        let (key, task) = self.large.pop_first()?;
        self.is_one_alone = true;
        Some((key, Some((task, Room::Alone))))
    }

    fn fresh_job(&mut self, work: &Ordered<'_, T>) -> Option<Job<T>> {
        let unread = (self.unread < work.groups).then_some((self.unread, 0));
        let first = self.fresh.first_key_value().map(|(key, _)| *key);
        let next = first.into_iter().chain(unread).min()?;
        let is_full = self.held.len() + self.large.len() >= HELD
            || self.held_bytes >= HELD_BYTES
            || self.long.len() >= WAITING;
        // What comes before a line that is held is never put off.
        if is_full && self.held.first_key_value().is_none_or(|(held, _)| next > *held) {
            return None;
        }
        if first != Some(next) {
            self.unread += 1;
            self.pending.insert(next);
            return Some((next, None));
        }
        let (key, task) = self.fresh.pop_first()?;
        Some((key, Some((task, if work.threads < 2 { Room::Alone } else { Room::Trial }))))
    }

    fn long_for_cpu(&mut self, work: &Ordered<'_, T>) -> Option<Job<T>> {
        // Unknown until the GPU has done one.
        let mean = self.gpu_time.checked_div(self.gpu_tasks)?;
        let (&key, &(takes, _)) = self.long.iter().min_by_key(|(_, (takes, _))| *takes)?;
        let is_sooner = takes.saturating_mul(at_once(work.threads) as u32)
            < mean.saturating_mul(self.long.len().try_into().unwrap_or(u32::MAX));
        let (_, task) = is_sooner.then(|| self.long.remove(&key))??;
        Some((key, Some((task, Room::Cpu))))
    }

    /// Writes the lines before which none is missing.
    fn write_lines(&mut self, work: &Ordered<'_, T>) {
        let next = self.pending.first().copied();
        let later = next.map_or_else(BTreeMap::new, |next| self.held.split_off(&next));
        let lines = std::mem::replace(&mut self.held, later).into_values().collect::<Vec<_>>().concat();
        self.held_bytes -= lines.len();
        if lines.is_empty() || self.stopped.is_some() {
            return;
        }
        let complete = next.map_or(self.unread, |(group, _)| group);
        if let Err(error) = (work.write)(&lines, complete) {
            self.stopped = Some(Err(error));
        }
    }
}

#[cfg(test)]
mod tests;
