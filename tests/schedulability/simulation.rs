//! Discrete-event simulations of a set in its worst cases, which share nothing with the analysis.
//!
//! All times are multiplied by 2, so that a part that cannot be interrupted can begin half a unit before time 0, where
//! the other tasks release their first jobs, each delayed by its jitter. As all conditions are between whole numbers, half a
//! unit is as little as is needed.

use num_integer::Integer;

/// A task of one design.
#[derive(Clone, Debug)]
pub struct Job {
    /// With context switches.
    pub wcet: i128,
    pub period: i128,
    pub deadline: i128,
    pub jitter: i128,
    pub blocking: i128,
    /// The part that cannot be interrupted; `None`: all of it.
    pub nonpreemptive: Option<i128>,
    /// Resources and critical sections.
    pub locks: Vec<(u32, i128)>,
    /// The least number has the highest priority; equal ones tie.
    pub priority: u32,
}

impl Job {
    fn doubled(&self) -> Self {
        let double = |(resource, section): &(u32, i128)| (*resource, 2 * section);
        Self {
            wcet: 2 * self.wcet,
            period: 2 * self.period,
            deadline: 2 * self.deadline,
            jitter: 2 * self.jitter,
            blocking: 2 * self.blocking,
            nonpreemptive: self.nonpreemptive.map(|part| 2 * part.min(self.wcet)),
            locks: self.locks.iter().map(double).collect(),
            priority: self.priority,
        }
    }

    /// The longest part that cannot be interrupted.
    fn part(&self) -> i128 {
        self.nonpreemptive.unwrap_or(self.wcet)
    }

    fn locks(&self, resource: u32) -> bool {
        self.locks.iter().any(|(own, section)| *own == resource && *section > 0)
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
        // What has begun and cannot be interrupted; of one task the job that arrived first.
        let key = |at: &usize| {
            let Pending { task, arrival, left } = &pending[*at];
            let has_begun = tasks[*task].nonpreemptive.is_none() && *left < tasks[*task].wcet;
            (!has_begun, *task, *arrival)
        };
        let Some(at) = (0..pending.len()).min_by_key(key) else { return };
        if now > limit {
            let own = pending.iter().filter(|job| job.task == tasks.len() - 1);
            return own.for_each(|job| found(job.arrival, now));
        }
        let Pending { task, arrival, left } = &mut pending[at];
        if *task == tasks.len() - 1 && *arrival + tasks[*task].jitter >= horizon {
            return;
        }
        let run = match tasks[*task].nonpreemptive {
            None => *left,
            Some(_) => (*left).min(releases.soonest() - now),
        };
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

/// A task with those of higher or equal priority before it, and what it waits for: half a unit less than what others hold, a
/// part of a lower task, or a critical section of one on a resource that one of these tasks locks.
fn level(tasks: &[Job], at: usize) -> (Vec<Job>, Vec<i128>) {
    let own = &tasks[at];
    let (mut ahead, mut lower) = (Vec::new(), Vec::new());
    for (_, task) in tasks.iter().enumerate().filter(|(other, _)| *other != at) {
        if task.priority <= own.priority { &mut ahead } else { &mut lower }.push(task.clone());
    }
    ahead.push(own.clone());
    let sections = lower.iter().flat_map(|task| &task.locks);
    let sections = sections.filter(|(resource, _)| ahead.iter().any(|task| task.locks(*resource)));
    let waits =
        sections.map(|(_, section)| *section).chain(lower.iter().map(Job::part)).chain([own.blocking]);
    let mut waits: Vec<i128> = waits.filter(|wait| *wait > 0).map(|wait| wait - 1).collect();
    waits.push(0);
    (ahead, waits)
}

/// The longest response times under fixed priorities.
pub fn response_times(tasks: &[Job]) -> Vec<i128> {
    let tasks: Vec<Job> = tasks.iter().map(Job::doubled).collect();
    let horizon = 2 * hyperperiod(&tasks);
    let response = |at: usize| {
        let (ahead, waits) = level(&tasks, at);
        let longest = waits.into_iter().map(|wait| longest_response(&ahead, wait, horizon)).max().unwrap();
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
    /// A critical section of this task on this resource that began half a unit before.
    Section(usize, u32),
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
            pending.push(Pending { task: *task, arrival: -1, left: own.wcet - own.part() });
            releases.next[*task] = own.period - 1;
            now = own.part() - 1;
        }
        Delay::Section(task, resource) => {
            let own = &tasks[*task];
            let (_, section) = own.locks.iter().find(|(other, _)| other == resource).unwrap();
            pending.push(Pending { task: *task, arrival: -1, left: own.wcet - section });
            releases.next[*task] = own.period - 1;
            held = section - 1;
            let users = tasks.iter().filter(|task| task.locks(*resource));
            ceiling = users.map(|task| task.deadline).min().unwrap();
        }
        Delay::Held(task) => {
            held = tasks[*task].blocking;
            ceiling = tasks[*task].deadline - tasks[*task].jitter;
        }
    }
    let due = |job: &Pending| job.arrival + tasks[job.task].deadline;
    loop {
        releases.take(tasks, now, &mut pending);
        let key = |at: &usize| {
            let Pending { task, arrival, left } = &pending[*at];
            let has_begun = tasks[*task].nonpreemptive.is_none() && 0 < *left && *left < tasks[*task].wcet;
            (!has_begun, due(&pending[*at]), *task, *arrival)
        };
        let Some(at) = (0..pending.len()).min_by_key(key) else {
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
        let run = match tasks[task].nonpreemptive {
            None if !waits => *left,
            _ => (*left).min(releases.soonest() - now),
        };
        *left -= run;
        now += run;
        // A job that holds the section to its end has nothing left then.
        let is_done = pending[at].left == 0 && !(waits && held > 0);
        if now > last || (now == last && !is_done) {
            return Some(last);
        }
        if is_done {
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
    let tasks: Vec<Job> = tasks.iter().map(Job::doubled).collect();
    let parts = (0..tasks.len()).filter(|&at| tasks[at].part() > 0).map(Delay::Part);
    let held = (0..tasks.len()).filter(|&at| tasks[at].blocking > 0).map(Delay::Held);
    let sections = (0..tasks.len()).flat_map(|at| {
        let locks = tasks[at].locks.iter().filter(|(_, section)| *section > 0);
        locks.map(move |&(resource, _)| Delay::Section(at, resource))
    });
    let delays = parts.chain(held).chain(sections).chain([Delay::Nothing]);
    let first = delays.filter_map(|delay| missed(&tasks, &delay, 2 * horizon)).min();
    // The time that the deadline of a job approaches that began half a unit before 0.
    first.map(|first| (first + 1).div_euclid(2))
}

/// The first deadline up to `horizon` that a task misses under fixed priorities.
pub fn first_late(tasks: &[Job], at: usize, horizon: i128) -> Option<i128> {
    let doubled: Vec<Job> = tasks.iter().map(Job::doubled).collect();
    let (ahead, waits) = level(&doubled, at);
    let first = waits.into_iter().filter_map(|wait| first_late_job(&ahead, wait, 2 * horizon)).min();
    first.map(|first| first / 2)
}
