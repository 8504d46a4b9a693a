//! Response times that were published, of late jobs, of wide numbers, and those that take too long. Those of small sets are
//! judged by `tests/random`, and by the simulation in `kernel.rs`.

use isx::formulate::{Formulation, formulate};
use isx::quantity::{Rational, ToRational};
use isx::schedulability::{
    Effort, Failure, Limits, NoResponseTime, Outcome, Undecided, response_times, schedulable,
};
use isx::taskset::{Scheduler, Task, TaskSet};
use num_bigint::BigInt;

fn effort() -> Effort {
    Effort::new(Limits::default())
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
