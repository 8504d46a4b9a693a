//! Response times and the verdict on single designs, compared with the simulation.

use crate::cases;
use crate::random::{Plain, Random};
use crate::simulation::{Job, longest_response, longest_responses, meets_all_deadlines};
use isx::formulate::{Formulation, formulate};
use isx::quantity::{Rational, ToRational};
use isx::schedulability::{
    Effort, Failure, Limits, NoResponseTime, Outcome, ResponseTime, Undecided, response_times, schedulable,
};
use isx::taskset::{Scheduler, Task, TaskSet};
use num_bigint::BigInt;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn effort() -> Effort {
    Effort::new(Limits::default())
}

/// One design per set, and the software design.
#[test]
fn response_times_and_verdicts_are_those_of_the_simulation() {
    let cases = cases(50_000);
    let counts = [const { AtomicU64::new(0) }; 5];
    let count = |at: usize, is: bool| counts[at].fetch_add(u64::from(is), Ordering::Relaxed);
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0xf1_3333);
        let set = Plain::fixed(&mut random);
        let formulation = formulate(&set.task_set(), None).unwrap();
        let taken = set.choices.iter().map(|all| {
            let taken = random.within(0, all.len() as u32);
            taken.checked_sub(1)
        });
        let choices: Vec<Option<u32>> = taken.collect();
        let jobs = set.jobs(&choices);
        let passes = meets_all_deadlines(&jobs);
        let outcome = schedulable(&formulation, &choices, &mut effort());
        match &outcome {
            Outcome::Passes => assert!(passes, "seed {seed} {jobs:?}"),
            Outcome::Overload => assert!(longest_responses(&jobs).is_none(), "seed {seed} {jobs:?}"),
            Outcome::Fails(Failure::Response { task, job }) => {
                assert!(!passes && *job >= 1.into() && *task < jobs.len(), "seed {seed} {jobs:?}");
                count(1, *job > 1.into());
            }
            other => panic!("seed {seed}: {other:?}"),
        }
        count(0, passes);
        let times = response_times(&formulation, &choices, &mut effort()).unwrap();
        check_times(&formulation, &jobs, &times, seed);
        count(2, times.iter().any(|time| time.response == Err(NoResponseTime::Unbounded)));
        count(3, jobs.iter().any(|job| job.deadline > job.period));
        count(4, jobs.iter().any(|job| job.deadline < job.period));
    });
    let [passes, later, unbounded, beyond, within] = counts.map(AtomicU64::into_inner);
    println!(
        "{cases} designs: {passes} pass, {later} fail by a job after the first, {unbounded} have a task without bound, \
         {beyond} a deadline beyond the period, {within} one within"
    );
    assert!(passes >= cases / 5 && later >= cases / 5000 && unbounded >= cases / 50);
    assert!(beyond >= cases / 3 && within >= cases / 5);
}

fn check_times(formulation: &Formulation, jobs: &[Job], times: &[ResponseTime], seed: u64) {
    assert_eq!(times.len(), jobs.len());
    for (at, time) in times.iter().enumerate() {
        assert_eq!(time.task, at);
        // Lower priorities do not affect it.
        let wanted = longest_response(jobs, at);
        let found =
            time.response.as_ref().map(|units| Rational::from(units.clone()) * &formulation.time_unit);
        match wanted {
            Some(wanted) => {
                assert_eq!(found, Ok(Rational::from_integer(wanted.into())), "seed {seed} {jobs:?}")
            }
            None => assert_eq!(found, Err(&NoResponseTime::Unbounded), "seed {seed} {jobs:?}"),
        }
    }
}

fn rate_monotonic(tasks: &[(i64, i64)]) -> Formulation {
    let tasks =
        tasks.iter().enumerate().map(|(at, &(wcet, period))| Task::new(format!("t{at}"), wcet, period));
    let set = TaskSet::new("set", tasks).unwrap().with_scheduler(Scheduler::RateMonotonic).unwrap();
    formulate(&set, None).unwrap()
}

/// In the unit of the task set.
fn longest(formulation: &Formulation, effort: &mut Effort) -> Vec<Result<Rational, NoResponseTime>> {
    let choices = vec![None; formulation.tasks.len()];
    let times = response_times(formulation, &choices, effort).unwrap();
    let in_unit = |units: BigInt| Rational::from(units) * &formulation.time_unit;
    times.into_iter().map(|time| time.response.map(in_unit)).collect()
}

#[test]
fn published_examples_come_out() {
    let wanted = |times: &[i64]| times.iter().map(|&time| Ok(time.to_rational())).collect::<Vec<_>>();
    // Lehoczky 1990, whose second task has a deadline beyond its period.
    assert_eq!(longest(&rate_monotonic(&[(26, 70), (62, 100)]), &mut effort()), wanted(&[26, 118]));
    // Audsley et al. 1993.
    assert_eq!(longest(&rate_monotonic(&[(3, 7), (3, 12), (5, 20)]), &mut effort()), wanted(&[3, 6, 20]));
    let late = schedulable(&rate_monotonic(&[(26, 70), (62, 100)]), &[None, None], &mut effort());
    assert_eq!(late, Outcome::Fails(Failure::Response { task: 1, job: 1.into() }));
}

/// With deadline 117 Lehoczky's second task is late for the first time in its fifth job.
#[test]
fn a_later_job_may_be_the_first_to_fail() {
    for (deadline, wanted) in [
        (118, Outcome::Passes),
        (117, Outcome::Fails(Failure::Response { task: 1, job: 5.into() })),
        (115, Outcome::Fails(Failure::Response { task: 1, job: 3.into() })),
        (113, Outcome::Fails(Failure::Response { task: 1, job: 1.into() })),
    ] {
        let tasks = [Task::new("a", 26, 70), Task::new("b", 62, 100).with_deadline(deadline)];
        let set = TaskSet::new("x", tasks).unwrap().with_scheduler(Scheduler::RateMonotonic).unwrap();
        let formulation = formulate(&set, None).unwrap();
        assert_eq!(schedulable(&formulation, &[None, None], &mut effort()), wanted, "{deadline}");
    }
}

#[test]
fn under_edf_there_are_no_response_times() {
    let set = TaskSet::new("x", [Task::new("a", 1, 2)]).unwrap();
    assert_eq!(response_times(&formulate(&set, None).unwrap(), &[None], &mut effort()), None);
}

/// The same set in finer and finer units passes through 64 and 128 bits to big integers.
#[test]
fn numbers_of_any_width_give_the_same_response_times() {
    for power in [0u32, 10, 15, 18, 30, 36, 60] {
        let scale = BigInt::from(10).pow(power);
        let mut formulation = rate_monotonic(&[(3, 7), (3, 12), (5, 20)]);
        formulation.hyperperiod *= &scale;
        for task in &mut formulation.tasks {
            task.wcet *= &scale;
            task.period *= &scale;
            task.deadline *= &scale;
        }
        let wanted: Vec<_> = [3, 6, 20].map(|time: i64| Ok(Rational::from(&scale * time))).to_vec();
        assert_eq!(longest(&formulation, &mut effort()), wanted, "{power}");
        let choices = vec![None; 3];
        assert_eq!(schedulable(&formulation, &choices, &mut effort()), Outcome::Passes);
    }
}

/// U is slightly below 1 and the periods are coprime: the busy period of the second task is nearly as long as the
/// hyperperiod.
#[test]
fn what_takes_too_long_is_undecided_and_says_so() {
    let (p, q) = (1_000_003, 999_999_937);
    let tasks = [Task::new("a", 500_000, p), Task::new("b", 500_001_468, q).with_deadline(2_000_000_000)];
    let set = TaskSet::new("x", tasks).unwrap().with_scheduler(Scheduler::RateMonotonic).unwrap();
    let formulation = formulate(&set, None).unwrap();
    let limits = Limits { steps: 100_000, design_steps: 10_000 };
    let outcome = schedulable(&formulation, &[None, None], &mut Effort::new(limits));
    assert_eq!(outcome, Outcome::Undecided(Undecided::ResponseSteps(10_000)));
    let times = longest(&formulation, &mut Effort::new(limits));
    assert_eq!(times[0], Ok(500_000.to_rational()));
    let why = times[1].as_ref().unwrap_err().to_string();
    assert!(why.starts_with("the response-time analysis of a design did not end within "), "{why}");
}
