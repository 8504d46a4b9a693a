//! The order in which many tasks run, on threads and a GPU, and in which their lines are written.
//!
//! Any thread may drive the GPU. A task is tried on the CPU first, for a short time. One that would take longer waits for
//! the GPU, which takes these tasks in the order of the lines, while the other threads go on with
//! the rest. Where there are threads for it the GPU has two tasks, so that one is reduced or written while the other's
//! kernels run. A thread that finds nothing else takes the shortest of the waiting tasks if it would be done
//! sooner than the GPU comes to the end of them. Without a GPU, waiting tasks run where there is a thread.
//!
//! A task that needs more memory than its share runs again by itself, once the others have ended or [`HELD`] lines wait
//! for it. Lines are written in order, each as soon as those before it are: at most [`HELD`] wait for an earlier one.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// On a thread and without the GPU, for a short time.
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
    /// It was tried, and would take about this long on a thread.
    TooLong(Duration),
    /// Its share of the memory does not suffice.
    NeedsAll,
}

/// A task; it writes its line to the buffer, which is discarded unless the task is done.
pub type Task<'a> = Box<dyn Fn(Room, &mut Vec<u8>) -> End + Send + Sync + 'a>;

/// What the tasks are, and where their lines go.
pub struct Work<'w, 'a> {
    /// The number of groups of tasks.
    pub groups: usize,
    /// The tasks of a group, such as the problems of a file.
    pub read: &'w (dyn Fn(usize) -> Vec<Task<'a>> + Sync),
    /// The number of threads.
    pub threads: usize,
    /// What the GPU is for.
    pub gpu: Gpu<'w>,
    /// Writes lines, with the number of groups that are complete.
    pub write: &'w (dyn Fn(&[u8], usize) -> io::Result<()> + Sync),
    /// Called when no further task is to run, since the lines cannot be written.
    pub stop: &'w (dyn Fn() + Sync),
}

/// What the GPU of a queue is for.
#[derive(Clone, Copy)]
pub enum Gpu<'w> {
    /// It is not to be used.
    None,
    /// For tasks that would take long; whether there is one is asked once, and only if there is such a task.
    ForLong(&'w (dyn Fn() -> bool + Sync)),
    /// For every task.
    ForAll,
}

/// The tasks that a GPU has at a time, if half of the threads go on without it.
pub fn at_once(threads: usize) -> usize {
    (threads / 2).clamp(1, 2)
}

/// Lines that wait for an earlier one; with more, no further task is begun.
pub const HELD: usize = 256;

/// As [`HELD`], in bytes: lines may be whole fronts.
const HELD_BYTES: usize = 1 << 26;

/// Tasks that wait for the GPU, each with its problem in memory; with more, no further task is begun.
const WAITING: usize = 64;

/// Group and place in it.
type Key = (usize, usize);

/// What is known of the GPU.
#[derive(Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    Asked,
    /// There is none.
    Absent,
    /// The number of tasks that it has, and that it may have.
    Lent(usize, usize),
}

/// What a thread does next.
enum Job<'a> {
    Read(usize),
    FindGpu,
    Run(Key, Task<'a>, Room),
}

struct State<'a> {
    /// The next group to read.
    unread: usize,
    fresh: BTreeMap<Key, Task<'a>>,
    /// Tasks that take long, each with its estimated time on a thread.
    long: BTreeMap<Key, (Duration, Task<'a>)>,
    /// Tasks that need all memory.
    large: BTreeMap<Key, Task<'a>>,
    active: usize,
    is_one_alone: bool,
    gpu: Known,
    /// Time and number of the tasks that the GPU has done.
    gpu_time: Duration,
    gpu_tasks: u32,
    /// The size of each group that has been read and not been written.
    sizes: BTreeMap<usize, usize>,
    next_line: Key,
    held: BTreeMap<Key, Vec<u8>>,
    held_bytes: usize,
    stopped: Option<io::Error>,
    is_stopped: bool,
}

/// Tasks that are being worked on.
struct Queue<'w, 'a> {
    work: &'w Work<'w, 'a>,
    state: Mutex<State<'a>>,
    changed: Condvar,
}

/// Runs all tasks and writes their lines in order. `on_threads` calls its argument on as many threads as it has.
/// Fails with the error of writing, after which no further task begins.
pub fn run(work: &Work<'_, '_>, on_threads: impl FnOnce(&(dyn Fn() + Sync))) -> io::Result<()> {
    let state = State {
        unread: 0,
        fresh: BTreeMap::new(),
        long: BTreeMap::new(),
        large: BTreeMap::new(),
        active: 0,
        is_one_alone: false,
        gpu: match work.gpu {
            Gpu::None => Known::Absent,
            Gpu::ForLong(_) => Known::Nothing,
            Gpu::ForAll => Known::Lent(0, work.threads),
        },
        gpu_time: Duration::ZERO,
        gpu_tasks: 0,
        sizes: BTreeMap::new(),
        next_line: (0, 0),
        held: BTreeMap::new(),
        held_bytes: 0,
        stopped: None,
        is_stopped: false,
    };
    let queue = Queue { work, state: Mutex::new(state), changed: Condvar::new() };
    on_threads(&|| queue.work_off());
    let state = queue.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.stopped.map_or(Ok(()), Err)
}

impl<'a> Queue<'_, 'a> {
    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until nothing is left.
    fn work_off(&self) {
        while let Some(job) = self.take() {
            let mut ending = Ending { queue: self, is_over: false };
            let after: Box<dyn FnOnce(&mut State<'a>)> = match job {
                Job::Read(group) => {
                    let tasks = (self.work.read)(group);
                    Box::new(move |state: &mut State<'a>| {
                        state.sizes.insert(group, tasks.len());
                        state
                            .fresh
                            .extend(tasks.into_iter().enumerate().map(|(at, task)| ((group, at), task)));
                    })
                }
                Job::FindGpu => {
                    let is_there = matches!(self.work.gpu, Gpu::ForLong(is_there) if is_there());
                    let known =
                        if is_there { Known::Lent(0, at_once(self.work.threads)) } else { Known::Absent };
                    Box::new(move |state: &mut State<'a>| state.gpu = known)
                }
                Job::Run(key, task, room) => {
                    let (started, mut line) = (Instant::now(), Vec::new());
                    let end = task(room, &mut line);
                    let took = started.elapsed();
                    Box::new(move |state: &mut State<'a>| state.ended(key, task, room, end, line, took))
                }
            };
            let mut state = self.lock();
            after(&mut state);
            state.active -= 1;
            ending.is_over = true;
            if let Err(error) = state.write_lines(self.work) {
                state.stopped = Some(error);
                state.is_stopped = true;
                (self.work.stop)();
            }
            self.changed.notify_all();
        }
    }

    /// The next job; waits for one as long as a running one may bring it. `None` if nothing is left.
    fn take(&self) -> Option<Job<'a>> {
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return None;
            }
            if let Some(job) = state.next_job(self.work) {
                state.active += 1;
                return Some(job);
            }
            if state.active == 0 {
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Stops the queue if a task panics, so that no thread waits for it.
struct Ending<'q, 'w, 'a> {
    queue: &'q Queue<'w, 'a>,
    is_over: bool,
}

impl Drop for Ending<'_, '_, '_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.queue.lock().is_stopped = true;
            self.queue.changed.notify_all();
        }
    }
}

impl<'a> State<'a> {
    fn next_job(&mut self, work: &Work<'_, 'a>) -> Option<Job<'a>> {
        if self.is_one_alone {
            return None;
        }
        // If too many lines wait for a task that needs all memory, it comes before the rest.
        let is_awaited = self.large.first_key_value().is_some_and(|(key, _)| *key == self.next_line);
        if is_awaited && self.has_held_enough() {
            return if self.active == 0 { self.large_job() } else { None };
        }
        if let Some(job) =
            self.long_for_gpu().or_else(|| self.fresh_job(work)).or_else(|| self.long_for_cpu())
        {
            return Some(job);
        }
        if self.active > 0 { None } else { self.large_job() }
    }

    fn has_held_enough(&self) -> bool {
        self.held.len() >= HELD || self.held_bytes >= HELD_BYTES
    }

    fn large_job(&mut self) -> Option<Job<'a>> {
        let (key, task) = self.large.pop_first()?;
        self.is_one_alone = true;
        Some(Job::Run(key, task, Room::Alone))
    }

    fn long_for_gpu(&mut self) -> Option<Job<'a>> {
        if self.long.is_empty() {
            return None;
        }
        if self.gpu == Known::Nothing {
            self.gpu = Known::Asked;
            return Some(Job::FindGpu);
        }
        let room = self.lend()?;
        let (key, (_, task)) = self.long.pop_first()?;
        Some(Job::Run(key, task, room))
    }

    /// The GPU, if it may have another task.
    fn lend(&mut self) -> Option<Room> {
        let Known::Lent(lent, most) = &mut self.gpu else { return None };
        if lent >= most {
            return None;
        }
        *lent += 1;
        Some(Room::Gpu)
    }

    /// Tasks that the GPU may have; none where it is absent, or that is not known yet.
    fn lendable(&self) -> usize {
        if let Known::Lent(_, most) = self.gpu { most } else { 0 }
    }

    fn fresh_job(&mut self, work: &Work<'_, 'a>) -> Option<Job<'a>> {
        let unread = (self.unread < work.groups).then_some((self.unread, 0));
        let first = self.fresh.first_key_value().map(|(key, _)| *key);
        let next = first.into_iter().chain(unread).min()?;
        // What comes before a line that is held is never put off.
        let is_full = self.has_held_enough() || self.long.len() >= WAITING;
        let is_due = self.held.first_key_value().is_none_or(|(held, _)| next < *held);
        if is_full && !is_due && self.active > 0 {
            return None;
        }
        if first != Some(next) {
            self.unread += 1;
            return Some(Job::Read(next.0));
        }
        let room = match &self.gpu {
            _ if work.threads < 2 => Room::Alone,
            Known::Absent => Room::Cpu,
            _ if matches!(work.gpu, Gpu::ForAll) => self.lend()?,
            _ => Room::Trial,
        };
        let (key, task) = self.fresh.pop_first()?;
        Some(Job::Run(key, task, room))
    }

    fn long_for_cpu(&mut self) -> Option<Job<'a>> {
        let key = match &self.gpu {
            Known::Absent => *self.long.first_key_value()?.0,
            _ => {
                let (key, (takes, _)) = self.long.iter().min_by_key(|(_, (takes, _))| *takes)?;
                let [waits, at_once] =
                    [self.long.len(), self.lendable()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
                // Unknown until the GPU has done one.
                let mean = self.gpu_time.checked_div(self.gpu_tasks)?;
                if takes.saturating_mul(at_once) >= mean.saturating_mul(waits) {
                    return None;
                }
                *key
            }
        };
        let (_, task) = self.long.remove(&key)?;
        Some(Job::Run(key, task, Room::Cpu))
    }

    fn ended(&mut self, key: Key, task: Task<'a>, room: Room, end: End, line: Vec<u8>, took: Duration) {
        match room {
            Room::Gpu => {
                if let Known::Lent(lent, _) = &mut self.gpu {
                    *lent -= 1;
                }
                self.gpu_time += took;
                self.gpu_tasks += 1;
            }
            Room::Alone => self.is_one_alone = false,
            Room::Trial | Room::Cpu => {}
        }
        match end {
            End::TooLong(takes) if room == Room::Trial => {
                self.long.insert(key, (takes, task));
            }
            End::NeedsAll if room != Room::Alone => {
                self.large.insert(key, task);
            }
            _ => {
                self.held_bytes += line.len();
                self.held.insert(key, line);
            }
        }
    }

    /// Writes the lines before which none is missing.
    fn write_lines(&mut self, work: &Work<'_, 'a>) -> io::Result<()> {
        let mut lines = Vec::new();
        let groups = self.next_line.0;
        loop {
            let (group, at) = self.next_line;
            if self.sizes.get(&group).is_some_and(|&size| at >= size) {
                self.sizes.remove(&group);
                self.next_line = (group + 1, 0);
            } else if let Some(line) = self.held.remove(&self.next_line) {
                self.held_bytes -= line.len();
                lines.extend(line);
                self.next_line.1 += 1;
            } else {
                break;
            }
        }
        if lines.is_empty() && groups == self.next_line.0 {
            return Ok(());
        }
        (work.write)(&lines, self.next_line.0)
    }
}

#[cfg(test)]
mod tests;
