//! Simulates tasks from a critical instant on: what the processor does, job by job.
//!
//! All tasks are released at time 0 after their full jitter, and then as they arrive. A part that cannot be interrupted or a
//! critical section begins just before; blocking delays the first job of its task, at the priority of that job. As long as the
//! processor is busy from then on, a job that nothing interrupts begins just before the others of the same time are released.

use super::task::Timed;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The maximum number of jobs of a schedule.
pub const MOST_JOBS: usize = 20_000;

/// A job of a schedule; times are in the time units of a formulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The task, in file order.
    pub task: usize,
    /// When it arrives.
    pub arrival: i128,
    /// When it is released: at its arrival or, of the first jobs, after the jitter at time 0.
    pub release: i128,
    /// Its absolute deadline.
    pub due: i128,
    /// When it finishes, if within the schedule.
    pub finish: Option<i128>,
    /// How long it has still to wait for what others hold.
    pub(super) held: i128,
    /// How long it has still to run.
    pub(super) left: i128,
}

impl Job {
    /// Whether it misses its deadline, which is at `end` or before.
    pub(super) fn is_late(&self, end: i128) -> bool {
        self.due <= end && self.finish.is_none_or(|finish| finish > self.due)
    }
}

/// What the processor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It runs the job.
    Running,
    /// It runs a part of the job that cannot be interrupted, or a critical section, and delays others.
    Uninterruptible,
    /// The job waits for what others hold.
    Blocked,
}

/// A time in which the processor does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The job, as an index in the jobs of the schedule.
    pub job: usize,
    /// What is done for it.
    pub activity: Activity,
    /// When it begins.
    pub start: i128,
    /// When it ends.
    pub end: i128,
}

/// Tasks with their release pattern.
pub(super) struct Pattern<'a> {
    pub known: &'a [Timed<i128>],
    /// The tasks released at time 0 and as soon as possible then: by priority, or in file order.
    pub released: Vec<usize>,
    pub is_edf: bool,
    pub wait: Option<Hold>,
}

/// What jobs wait for from time 0 on.
pub(super) struct Hold {
    /// The task that others wait for, or that is blocked.
    pub task: usize,
    /// How long it is, if it is a part of this task that cannot be interrupted or a critical section.
    pub section: Option<i128>,
    /// The tasks that interrupt it nevertheless: those above the ceiling of the resource.
    pub above: Vec<bool>,
}

/// A simulation.
pub(super) struct Run {
    pub jobs: Vec<Job>,
    pub segments: Vec<Segment>,
    /// What is left at the end of the part that cannot be interrupted, or of the critical section.
    pub wait_left: i128,
    pub end: i128,
    /// Whether it ends before what was asked for.
    pub is_cut: bool,
}

/// Smaller is served first.
pub(super) type Key = (i128, i128, usize);

impl Pattern<'_> {
    /// The job whose deadline is the first that is missed. That of a lower task, whose part comes first, does not count.
    pub fn first_late(&self, run: &Run) -> Option<usize> {
        let late = |&at: &usize| {
            let job = &run.jobs[at];
            job.is_late(run.end) && self.released.contains(&job.task)
        };
        (0..run.jobs.len()).filter(late).min_by_key(|&at| run.jobs[at].due)
    }

    pub fn key(&self, at: usize, job: &Job) -> Key {
        let rank = self.released.iter().position(|&task| task == job.task);
        let rank = rank.map_or(i128::MAX, |rank| rank as i128);
        if self.is_edf { (job.due, rank, at) } else { (rank, job.arrival, at) }
    }

    /// Simulates the tasks up to `end`, or up to the maximum number of jobs.
    pub fn run(&self, end: i128) -> Run {
        let mut run = Run { jobs: Vec::new(), segments: Vec::new(), wait_left: 0, end, is_cut: false };
        let mut pending: BinaryHeap<Reverse<(Key, usize)>> = BinaryHeap::new();
        // The next arrival of each task.
        let mut next: Vec<(usize, i128)> =
            self.released.iter().map(|&task| (task, -self.known[task].jitter)).collect();
        let mut now = 0;
        if let Some(Hold { task, section: Some(section), .. }) = self.wait {
            let Timed { wcet, period, deadline, jitter, .. } = self.known[task];
            run.wait_left = section;
            if let Some((_, arrival)) = next.iter_mut().find(|(other, _)| *other == task) {
                *arrival = period;
            }
            let due = deadline + jitter;
            run.jobs.push(Job {
                task,
                arrival: 0,
                release: 0,
                due,
                finish: None,
                held: 0,
                left: wcet - section,
            });
        }
        let is_above = |task: usize| self.wait.as_ref().is_some_and(|wait| wait.above[task]);
        // The job that has begun and that nothing interrupts.
        let mut begun: Option<usize> = None;
        // Whether everything so far happens just before the time shown.
        let mut is_early = self.wait.is_some();
        let begins = |job: &Job| {
            let Timed { wcet, runs_through, .. } = self.known[job.task];
            runs_through && job.held == 0 && job.left == wcet && wcet > 0
        };
        loop {
            // Before others are released: a job without work is done as soon as it is its turn.
            while begun.is_none()
                && let Some(&Reverse((_, at))) = pending.peek()
                && (run.wait_left == 0 || is_above(run.jobs[at].task))
                && run.jobs[at].held + run.jobs[at].left == 0
            {
                run.jobs[at].finish = Some(now);
                pending.pop();
            }
            if is_early && run.wait_left == 0 && begun.is_none() {
                let top = pending.peek().map(|&Reverse((_, at))| at);
                begun = top.filter(|&at| begins(&run.jobs[at]));
                if begun.is_some() {
                    pending.pop();
                }
            }
            // By release, so that a longer run has the same jobs first.
            while let Some((task, arrival)) = next.iter_mut().min_by_key(|(_, arrival)| (*arrival).max(0))
                && *arrival <= now
            {
                let Timed { wcet, period, deadline, jitter, blocking, .. } = self.known[*task];
                let is_first = *arrival == -jitter;
                let is_blocked =
                    self.wait.as_ref().is_some_and(|wait| wait.task == *task && wait.section.is_none());
                let job = Job {
                    task: *task,
                    arrival: *arrival,
                    release: (*arrival).max(0),
                    due: *arrival + deadline + jitter,
                    finish: None,
                    held: if is_first && is_blocked { blocking } else { 0 },
                    left: wcet,
                };
                let at = run.jobs.len();
                pending.push(Reverse((self.key(at, &job), at)));
                run.jobs.push(job);
                *arrival += period;
            }
            if now >= end {
                break;
            }
            if run.jobs.len() > MOST_JOBS {
                (run.end, run.is_cut) = (now, true);
                break;
            }
            let soonest = next.iter().map(|(_, arrival)| *arrival).min().unwrap_or(end).min(end);
            let top = pending.peek().map(|&Reverse((_, at))| at);
            let is_interrupted = top.is_some_and(|at| is_above(run.jobs[at].task));
            if begun.is_none() && run.wait_left > 0 && !is_interrupted {
                // The first job.
                let until = soonest.min(now + run.wait_left);
                run.wait_left -= until - now;
                run.show(0, Activity::Uninterruptible, (now, until));
                now = until;
                let job = &mut run.jobs[0];
                match run.wait_left {
                    0 if job.left == 0 => job.finish = Some(now),
                    0 => pending.push(Reverse((self.key(0, job), 0))),
                    _ => {}
                }
                continue;
            }
            let Some(at) = begun.or(top) else {
                (now, is_early) = (soonest, false);
                continue;
            };
            if begun.is_none() && begins(&run.jobs[at]) {
                begun = pending.pop().map(|_| at);
            }
            let job = &mut run.jobs[at];
            let (left, activity) = match job.held {
                0 => (&mut job.left, Activity::Running),
                _ => (&mut job.held, Activity::Blocked),
            };
            let until = soonest.min(now + *left);
            *left -= until - now;
            if begun == Some(at) && job.left == 0 {
                (job.finish, begun) = (Some(until), None);
            }
            run.show(at, activity, (now, until));
            now = until;
        }
        run
    }
}

impl Run {
    /// Adds what the processor does for a job.
    fn show(&mut self, job: usize, activity: Activity, (start, end): (i128, i128)) {
        match self.segments.last_mut() {
            Some(last) if (last.job, last.activity, last.end) == (job, activity, start) => last.end = end,
            _ if end > start => self.segments.push(Segment { job, activity, start, end }),
            _ => {}
        }
    }
}
