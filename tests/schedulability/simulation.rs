//! Discrete-event simulations of a set in its worst cases, which share nothing with the analysis.
//!
//! All times are multiplied by 2, so that a part that cannot be interrupted can begin half a unit before time 0, where
//! the other tasks release their first jobs, each delayed by its jitter. As all conditions are between whole numbers, half a
//! unit is as little as is needed.

use num_integer::Integer;

/// A task of one design.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// With context switches.
    pub wcet: i128,
    pub period: i128,
    pub deadline: i128,
    pub jitter: i128,
    pub blocking: i128,
    pub nonpreemptive: i128,
}

impl Job {
    fn doubled(self) -> Self {
        let Self { wcet, period, deadline, jitter, blocking, nonpreemptive } = self;
        let section = nonpreemptive.min(wcet);
        Self {
            wcet: 2 * wcet,
            period: 2 * period,
            deadline: 2 * deadline,
            jitter: 2 * jitter,
            blocking: 2 * blocking,
            nonpreemptive: 2 * section,
        }
    }
}

/// A job that was released.
struct Pending {
    task: usize,
    arrival: i128,
    left: i128,
}

/// The jobs of tasks that release their first one at `first`, delayed by the jitter, and later ones as they arrive.
struct Releases {
    /// The arrival of the next job of each task.
    next: Vec<i128>,
}

impl Releases {
    fn of(tasks: &[Job]) -> Self {
        Self { next: tasks.iter().map(|task| -task.jitter).collect() }
    }

    /// Moves the jobs released by `now` to `pending`.
    fn take(&mut self, tasks: &[Job], now: i128, pending: &mut Vec<Pending>) {
        for (task, next) in self.next.iter_mut().enumerate() {
            while *next <= now {
                pending.push(Pending { task, arrival: *next, left: tasks[task].wcet });
                *next += tasks[task].period;
            }
        }
    }

    fn soonest(&self) -> i128 {
        self.next.iter().copied().min().unwrap()
    }
}

/// The longest response time of the last of `tasks`, see [`each_job`].
fn longest_response(tasks: &[Job], wait: i128, horizon: i128) -> i128 {
    let mut longest = 0;
    let mut found = |arrival, finish| longest = longest.max(finish - arrival);
    each_job(tasks, wait, (horizon, i128::MAX), &mut found);
    longest
}

/// The first missed deadline of the last of `tasks`, see [`each_job`].
fn first_late_job(tasks: &[Job], wait: i128, horizon: i128) -> Option<i128> {
    let (deadline, mut first) = (tasks.last().unwrap().deadline, None);
    let mut is_late = |arrival: i128, finish: i128| {
        if finish > arrival + deadline {
            first = Some(first.map_or(arrival + deadline, |first: i128| first.min(arrival + deadline)));
        }
    };
    // The higher tasks may leave no time at all.
    each_job(tasks, wait, (horizon, horizon), &mut is_late);
    first
}

/// Reports arrival and finish of the jobs of the last of `tasks`, the first having the highest priority, if the job of a lower task or
/// what others hold keeps the processor from time 0 for `wait` half units; within `horizon` of its arrivals. After `limit` its jobs
/// count as done.
fn each_job(tasks: &[Job], wait: i128, (horizon, limit): (i128, i128), found: &mut dyn FnMut(i128, i128)) {
    let mut now = wait;
    let (mut releases, mut pending) = (Releases::of(tasks), Vec::new());
    loop {
        releases.take(tasks, now.max(0), &mut pending);
        // Of one task the job that arrived first.
        let Some(at) = (0..pending.len()).min_by_key(|&at: &usize| (pending[at].task, pending[at].arrival))
        else {
            return;
        };
        if now > limit {
            let own = pending.iter().filter(|job| job.task == tasks.len() - 1);
            return own.for_each(|job| found(job.arrival, now));
        }
        let Pending { task, arrival, left } = &mut pending[at];
        if *task == tasks.len() - 1 && *arrival + tasks[*task].jitter >= horizon {
            return;
        }
        let run = (*left).min(releases.soonest() - now);
        now += run;
        *left -= run;
        if *left == 0 {
            if *task == tasks.len() - 1 {
                found(*arrival, now);
            }
            pending.swap_remove(at);
        }
    }
}

fn hyperperiod(tasks: &[Job]) -> i128 {
    tasks.iter().fold(1, |lcm, task| lcm.lcm(&task.period))
}

/// Whether the utilization is above 1.
pub fn is_overload(tasks: &[Job]) -> bool {
    let h = hyperperiod(tasks);
    tasks.iter().map(|task| task.wcet * (h / task.period)).sum::<i128>() > h
}

/// What others hold, or half a unit less than the longest part of a lower task.
fn waits(tasks: &[Job], at: usize) -> impl Iterator<Item = i128> {
    let parts =
        tasks[at + 1..].iter().filter(|task| task.nonpreemptive > 0).map(|task| task.nonpreemptive - 1);
    parts.chain([tasks[at].blocking])
}

/// The longest response times under fixed priorities, the first task having the highest.
pub fn response_times(tasks: &[Job]) -> Vec<i128> {
    let tasks: Vec<Job> = tasks.iter().map(|task| task.doubled()).collect();
    let horizon = 2 * hyperperiod(&tasks);
    let response = |at: usize| {
        let longest =
            waits(&tasks, at).map(|wait| longest_response(&tasks[..=at], wait, horizon)).max().unwrap();
        // The time that it approaches.
        (longest + 1).div_euclid(2)
    };
    (0..tasks.len()).map(response).collect()
}

/// What delays jobs under EDF at time 0.
enum Delay {
    Nothing,
    /// A part of this task that began half a unit before.
    Part(usize),
    /// What some other job holds, and this task and all of no shorter deadline need.
    Held(usize),
}

/// The first deadline up to `horizon` that EDF misses.
fn missed(tasks: &[Job], delay: &Delay, horizon: i128) -> Option<i128> {
    let (mut now, mut held, mut ceiling) = (0, 0, 0);
    let (mut releases, mut pending) = (Releases::of(tasks), Vec::new());
    match delay {
        Delay::Nothing => {}
        Delay::Part(task) => {
            let own = &tasks[*task];
            pending.push(Pending { task: *task, arrival: -1, left: own.wcet - own.nonpreemptive });
            releases.next[*task] = own.period - 1;
            now = own.nonpreemptive - 1;
        }
        Delay::Held(task) => {
            held = tasks[*task].blocking;
            ceiling = tasks[*task].deadline - tasks[*task].jitter;
        }
    }
    let due = |job: &Pending| job.arrival + tasks[job.task].deadline;
    loop {
        releases.take(tasks, now, &mut pending);
        let first =
            (0..pending.len()).min_by_key(|&at| (due(&pending[at]), pending[at].task, pending[at].arrival));
        let Some(at) = first else {
            now = releases.soonest();
            if now > horizon {
                return None;
            }
            continue;
        };
        let (task, last) = (pending[at].task, due(&pending[at]));
        if last > horizon {
            return None;
        }
        let waits = held > 0 && tasks[task].deadline - tasks[task].jitter >= ceiling;
        let left = if waits { &mut held } else { &mut pending[at].left };
        let run = (*left).min(releases.soonest() - now);
        *left -= run;
        now += run;
        if now > last || (now == last && (waits || pending[at].left > 0)) {
            return Some(last);
        }
        if !waits && pending[at].left == 0 {
            pending.swap_remove(at);
        }
    }
}

/// Whether EDF meets every deadline whatever delays jobs at time 0; the utilization is at most 1.
pub fn meets_deadlines(tasks: &[Job]) -> bool {
    first_missed(tasks, hyperperiod(tasks) + tasks.iter().map(|task| task.deadline).max().unwrap()).is_none()
}

/// The first deadline up to `horizon` that EDF misses, whatever delays jobs at time 0.
pub fn first_missed(tasks: &[Job], horizon: i128) -> Option<i128> {
    let tasks: Vec<Job> = tasks.iter().map(|task| task.doubled()).collect();
    let parts = (0..tasks.len()).filter(|&at| tasks[at].nonpreemptive > 0).map(Delay::Part);
    let held = (0..tasks.len()).filter(|&at| tasks[at].blocking > 0).map(Delay::Held);
    let delays = parts.chain(held).chain([Delay::Nothing]);
    let first = delays.filter_map(|delay| missed(&tasks, &delay, 2 * horizon)).min();
    // The time that the deadline of a job approaches that began half a unit before 0.
    first.map(|first| (first + 1).div_euclid(2))
}

/// Under fixed priorities, the first task that misses a deadline up to `horizon`, and its first missed one.
pub fn first_late(tasks: &[Job], horizon: i128) -> Option<(usize, i128)> {
    let doubled: Vec<Job> = tasks.iter().map(|task| task.doubled()).collect();
    let late = |at: usize| {
        waits(&doubled, at).filter_map(|wait| first_late_job(&doubled[..=at], wait, 2 * horizon)).min()
    };
    (0..tasks.len()).find_map(|at| Some((at, late(at)? / 2)))
}
