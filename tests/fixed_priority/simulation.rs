//! The judge: a processor simulated tick by tick, independent of the library.

/// A task of a design: WCET, period, relative deadline and priority; the least number has the highest priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    pub wcet: u64,
    pub period: u64,
    pub deadline: u64,
    pub priority: u64,
    /// Tasks of priorities from its own to this tie with it.
    pub lowest: u64,
}

impl Job {
    pub fn new(wcet: u64, period: u64, deadline: u64, priority: u64) -> Self {
        Self { wcet, period, deadline, priority, lowest: priority }
    }
}

pub fn hyperperiod(jobs: &[Job]) -> u64 {
    fn gcd(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    jobs.iter().fold(1, |lcm, job| lcm / gcd(lcm, job.period) * job.period)
}

/// The longest response of every task when all are released at 0 and then periodically, each with those that tie with it
/// before it; `None` if work remains at the end of the hyperperiod, so that the backlog grows without bound.
pub fn longest_responses(jobs: &[Job]) -> Option<Vec<u64>> {
    (0..jobs.len()).map(|at| longest_response(jobs, at)).collect()
}

/// The longest response of one task, which comes last among its equals.
pub fn longest_response(jobs: &[Job], last: usize) -> Option<u64> {
    let mut order: Vec<usize> =
        (0..jobs.len()).filter(|&at| jobs[at].priority <= jobs[last].lowest).collect();
    order.sort_by_key(|&at| (at == last, jobs[at].priority));
    let (mut released, mut finished) = (vec![0u64; jobs.len()], vec![0u64; jobs.len()]);
    let (mut ran, mut longest) = (0, 0);
    let mut left: Vec<u64> = jobs.iter().map(|job| job.wcet).collect();
    for now in 0..hyperperiod(jobs) {
        for (job, released) in jobs.iter().zip(&mut released) {
            *released += u64::from(now % job.period == 0);
        }
        let Some(&at) = order.iter().find(|&&at| finished[at] < released[at]) else { continue };
        ran += 1;
        left[at] -= 1;
        if left[at] == 0 {
            if at == last {
                longest = longest.max(now + 1 - finished[at] * jobs[at].period);
            }
            finished[at] += 1;
            left[at] = jobs[at].wcet;
        }
    }
    let is_done = order.iter().all(|&at| finished[at] == released[at]);
    (is_done && ran > 0).then_some(longest)
}

pub fn meets_all_deadlines(jobs: &[Job]) -> bool {
    longest_responses(jobs)
        .is_some_and(|longest| longest.iter().zip(jobs).all(|(&response, job)| response <= job.deadline))
}

#[test]
fn the_simulation_does_as_the_textbook_says() {
    let jobs = |times: &[(u64, u64)]| -> Vec<Job> {
        let job = |(priority, &(wcet, period)): (u64, &(u64, u64))| Job::new(wcet, period, period, priority);
        (0..).zip(times).map(job).collect()
    };
    // Lehoczky 1990: the first response of the second task is 114; the longest, of its fifth job, is 118.
    assert_eq!(longest_responses(&jobs(&[(26, 70), (62, 100)])), Some(vec![26, 118]));
    // Audsley et al. 1993.
    assert_eq!(longest_responses(&jobs(&[(3, 7), (3, 12), (5, 20)])), Some(vec![3, 6, 20]));
    assert_eq!(longest_responses(&jobs(&[(3, 5), (3, 6)])), None);
}
