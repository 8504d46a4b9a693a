//! Whether the jobs of one design meet their deadlines, straight from the definitions: the processor demand at every
//! deadline, the response time of every job of a busy period. Whole numbers; `None` where that takes too many steps.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// A task of a design in one mode, all its times in one unit.
#[derive(Clone, Debug)]
pub struct Job {
    pub wcet: i128,
    pub period: i128,
    pub deadline: i128,
    pub jitter: i128,
    pub blocking: i128,
    /// By how much it may overrun.
    pub beyond: i128,
    /// The longest part that cannot be interrupted, at most the WCET; and whether it is the whole task, by name.
    pub part: i128,
    pub is_whole: bool,
    /// Critical sections longer than 0.
    pub locks: Vec<(u32, i128)>,
    /// The least and the greatest place in the order of priorities that it may have.
    pub rank: [(i128, u32); 2],
}

/// The most points in time or jobs that are looked at.
const MOST_STEPS: usize = 20_000;

/// `load` of `full` is the utilization, `full` a multiple of all periods.
pub fn meet_all(jobs: &[Job], is_edf: bool, load: &BigInt, full: &BigInt) -> Option<bool> {
    if load > full {
        return Some(false);
    }
    if is_edf { demand_fits(jobs, load, full) } else { responses_fit(jobs) }
}

fn hyperperiod(jobs: &[Job]) -> Option<i128> {
    let lcm = |lcm: i128, job: &Job| {
        (lcm / lcm.gcd(&job.period)).checked_mul(job.period).filter(|lcm| *lcm < 1 << 100)
    };
    jobs.iter().try_fold(1, lcm)
}

/// All that is due by a time, and the longest wait.
pub fn demand(jobs: &[Job], time: i128) -> i128 {
    let is_due =
        |job: &Job, resource| job.deadline <= time && job.locks.iter().any(|lock| lock.0 == resource);
    let wait = |job: &Job| {
        let part = if job.deadline - job.jitter > time { job.part } else { 0 };
        let blocking = if job.deadline - job.jitter <= time { job.blocking } else { 0 };
        let held =
            |lock: &&(u32, i128)| job.deadline > time && jobs.iter().any(|other| is_due(other, lock.0));
        let held = job.locks.iter().filter(held).map(|lock| lock.1).max().unwrap_or(0);
        part.max(blocking).max(held)
    };
    let due = |job: &Job| ((time + job.jitter - job.deadline).div_euclid(job.period) + 1).max(0) * job.wcet;
    jobs.iter().map(due).sum::<i128>() + jobs.iter().map(wait).max().unwrap_or(0)
}

/// At every time by which a job is due, all that is due by then and the longest wait fit.
fn demand_fits(jobs: &[Job], load: &BigInt, full: &BigInt) -> Option<bool> {
    // After the longest deadline the wait stays, and the demand of a hyperperiod is at most its length.
    let longest = jobs.iter().map(|job| job.deadline).max()?;
    let periodic = full.to_i128().filter(|full| *full < 1 << 100).map(|full| full + longest);
    // The demand with any wait is at most time * load + this, all over `full`.
    let locked = |job: &Job| job.locks.iter().map(|lock| lock.1).max().unwrap_or(0);
    let most_wait = jobs.iter().map(|job| job.part.max(job.blocking).max(locked(job))).max()?;
    let early = |job: &Job| full / job.period * (job.period + job.jitter - job.deadline).max(0) * job.wcet;
    let more = jobs.iter().map(early).sum::<BigInt>() + full * most_wait;
    let idle = full - load;
    let by_load = match () {
        () if more.is_zero() => Some(0),
        () if idle.is_zero() => None,
        () => more.div_ceil(&idle).to_i128().filter(|end| *end < 1 << 110),
    };
    let end = match (periodic, by_load) {
        (Some(one), Some(other)) => one.min(other),
        (one, other) => one.or(other)?,
    };
    let count: i128 = jobs.iter().map(|job| end / job.period + 1).sum();
    if count > MOST_STEPS as i128 {
        return None;
    }
    let times = jobs.iter().flat_map(|job| {
        std::iter::successors(Some(job.deadline - job.jitter), |time| Some(time + job.period))
            .take_while(|time| *time <= end)
    });
    Some(times.into_iter().all(|time| demand(jobs, time) <= time))
}

/// No job of any task is late, whatever comes before it.
fn responses_fit(jobs: &[Job]) -> Option<bool> {
    let mut is_known = true;
    for (task, own) in jobs.iter().enumerate() {
        match response(jobs, task, own.deadline) {
            Some(longest) if longest.time > own.deadline => return Some(false),
            Some(_) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(true)
}

fn ceil(value: i128, by: i128) -> i128 {
    -(-value).div_euclid(by)
}

/// Of the jobs of a task the longest response time, and the first that is late, counted from 1.
pub struct Longest {
    pub time: i128,
    pub late: Option<i128>,
}

/// Whether a task never delays another, but for what it holds.
pub fn is_lower(other: &Job, own: &Job) -> bool {
    other.rank[0] > own.rank[1]
}

/// The longest response time of a task, or one above `enough`, unless what is of no lower priority is too much.
pub fn response(jobs: &[Job], task: usize, enough: i128) -> Option<Longest> {
    let own = &jobs[task];
    let is_lower = |other: &&Job| is_lower(other, own);
    let others: Vec<&Job> = jobs
        .iter()
        .enumerate()
        .filter(|(at, other)| *at != task && !is_lower(other))
        .map(|(_, other)| other)
        .collect();
    let has_ceiling = |resource: u32| {
        others.iter().copied().chain([own]).any(|job| job.locks.iter().any(|lock| lock.0 == resource))
    };
    let wait = |lower: &Job| {
        let held =
            lower.locks.iter().filter(|lock| has_ceiling(lock.0)).map(|lock| lock.1).max().unwrap_or(0);
        lower.part.max(held)
    };
    let wait = jobs.iter().filter(is_lower).map(wait).max().unwrap_or(0).max(own.blocking);
    let mut steps = 0;
    // The least time that the work up to it fills.
    let mut filled = |mut time: i128, work: &dyn Fn(i128) -> i128| loop {
        let more = work(time);
        steps += 1;
        if more <= time {
            return Some(time);
        }
        if steps > MOST_STEPS || more > 1 << 110 {
            return None;
        }
        time = more;
    };
    let of_others =
        |time: i128| others.iter().map(|job| ceil(time + job.jitter, job.period) * job.wcet).sum::<i128>();
    let begun = |time: i128| {
        others.iter().map(|job| ((time + job.jitter).div_euclid(job.period) + 1) * job.wcet).sum::<i128>()
    };
    let busy = filled(1, &|time| wait + of_others(time) + ceil(time + own.jitter, own.period) * own.wcet);
    // At full load the busy period may not end: then all jobs of a hyperperiod are looked at.
    let count = match busy {
        Some(busy) => ceil(busy + own.jitter, own.period),
        None => hyperperiod(jobs)? / own.period,
    };
    let mut longest = Longest { time: 0, late: None };
    for job in 1..=count {
        let finish = if own.is_whole {
            let before = (job - 1) * own.wcet + wait;
            let start = match wait {
                0 => filled(0, &|time| before + begun(time))?,
                _ => filled(before, &|time| before + of_others(time))?,
            };
            start + own.wcet
        } else {
            filled(job * own.wcet, &|time| wait + job * own.wcet + of_others(time))?
        };
        let time = finish - (job - 1) * own.period + own.jitter;
        longest.time = longest.time.max(time);
        if time > own.deadline {
            longest.late = longest.late.or(Some(job));
        }
        if time > enough {
            break;
        }
    }
    Some(longest)
}
