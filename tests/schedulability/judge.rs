//! The judge: slow, simple, and independent of the library.

/// A task: WCET, period, deadline.
pub type Task = (i128, i128, i128);

pub fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

pub fn hyperperiod(tasks: &[Task]) -> i128 {
    tasks.iter().fold(1, |lcm, &(_, period, _)| lcm / gcd(lcm, period) * period)
}

/// U times the hyperperiod.
pub fn load(tasks: &[Task]) -> i128 {
    let h = hyperperiod(tasks);
    tasks.iter().map(|&(wcet, period, _)| wcet * (h / period)).sum()
}

pub fn demand_bound(tasks: &[Task], time: i128) -> i128 {
    let jobs = |&(wcet, period, deadline): &Task| (time + period - deadline).div_euclid(period).max(0) * wcet;
    tasks.iter().map(jobs).sum()
}

/// The length of the synchronous busy period, or `cap` if that is less.
fn busy_period(tasks: &[Task], cap: i128) -> i128 {
    let mut window = tasks.iter().map(|&(wcet, ..)| wcet).sum();
    while window < cap {
        let next = tasks.iter().map(|&(wcet, period, _)| (window + period - 1) / period * wcet).sum();
        if next == window {
            return window;
        }
        window = next;
    }
    cap
}

/// Whether the demand by every deadline up to the end of the busy period, or to `cap`, fits.
pub fn meets_demand_up_to(tasks: &[Task], cap: i128) -> bool {
    let end = busy_period(tasks, cap);
    tasks.iter().all(|&(_, period, deadline)| {
        let deadlines = (0..).map(|job| deadline + job * period).take_while(|&time| time <= end);
        deadlines.into_iter().all(|time| demand_bound(tasks, time) <= time)
    })
}

/// The exhaustive demand-bound test.
pub fn meets_demand(tasks: &[Task]) -> bool {
    let h = hyperperiod(tasks);
    let latest = tasks.iter().map(|&(.., deadline)| deadline).max().unwrap();
    load(tasks) <= h && meets_demand_up_to(tasks, h + latest)
}
