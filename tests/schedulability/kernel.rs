//! Jitter, blocking, parts that cannot be interrupted and context switches, against the simulation; and long searches for
//! margins. What small sets with choices are is judged by `tests/random`.

use crate::random::Random;
use crate::simulation::{Job, first_late, first_missed, is_overload, meets_deadlines, response_times};
use isx::formulate::{Formulation, formulate};
use isx::quantity::Rational;
use isx::schedulability::schedule::Activity;
use isx::schedulability::{
    self, Effort, Limits, Outcome, decided_by_utilization, margin_front, schedulable, smallest_area,
};
use isx::taskset::{KernelCosts, Lock, Nonpreemptive, Scheduler, Task, TaskSet};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

fn effort() -> Effort {
    Effort::new(Limits::default())
}

fn cases(unless_set: u64) -> u64 {
    std::env::var("ISX_CASES").map_or(unless_set, |cases| cases.parse().unwrap())
}

/// A random set, whose tasks are without context switches.
#[derive(Clone, Debug)]
struct Plan {
    tasks: Vec<Job>,
    scheduler: Scheduler,
    switch: i128,
}

fn plan(random: &mut Random) -> Plan {
    let scheduler = random.pick(&[Scheduler::Edf, Scheduler::FixedPriority]);
    let count = random.within(1, 4);
    let switch = if random.one_in(3) { random.within(1, 2) } else { 0 };
    let zero_or = |random: &mut Random, most: i128| if random.one_in(2) { 0 } else { random.within(0, most) };
    let (has_locks, has_ties) = (random.one_in(2), random.one_in(3));
    let locks = |random: &mut Random, most: i128| -> Vec<(u32, i128)> {
        let some = (0..2).filter(|_| has_locks && random.one_in(2)).collect::<Vec<u32>>();
        some.into_iter().map(|resource| (resource, random.within(0, most))).collect()
    };
    let task = |at: i128| {
        let period: i128 = random.pick(&[4, 6, 8, 10, 12, 15, 20, 30]);
        let wcet = random.within(1, (2 * period / count).max(1));
        let deadline = match random.within(0, 3) {
            0 => random.within(1, period),
            1 | 2 => period,
            _ => random.within(period, 3 * period),
        };
        let jitter = match random.within(0, 5) {
            _ if has_locks && scheduler == Scheduler::Edf => 0,
            0 | 1 => 0,
            2 => deadline,
            _ => random.within(0, deadline / 2),
        };
        let blocking = zero_or(random, period / 2);
        let nonpreemptive = if random.one_in(4) { None } else { Some(zero_or(random, wcet + 2)) };
        let priority = if has_ties { random.within(1, 2) } else { at as u32 + 1 };
        let locks = locks(random, wcet + 2);
        Job { wcet, period, deadline, jitter, blocking, nonpreemptive, locks, priority }
    };
    Plan { tasks: (0..count).map(task).collect(), scheduler, switch }
}

impl Plan {
    fn set(&self) -> TaskSet {
        let lock =
            |&(resource, section): &(u32, i128)| Lock { name: format!("r{resource}"), time: whole(section) };
        let task = |(at, job): (usize, &Job)| {
            let mut task = Task::new(format!("t{at}"), whole(job.wcet), whole(job.period))
                .with_deadline(whole(job.deadline))
                .with_priority(job.priority);
            task.kernel = KernelCosts {
                jitter: whole(job.jitter),
                blocking: whole(job.blocking),
                nonpreemptive: match job.nonpreemptive {
                    Some(part) => Nonpreemptive::Part(whole(part)),
                    None => Nonpreemptive::All,
                },
                locks: job.locks.iter().map(lock).collect(),
            };
            task
        };
        let mut set = TaskSet::new("random", self.tasks.iter().enumerate().map(task)).unwrap();
        set.switch = whole(self.switch);
        set.with_scheduler(self.scheduler).unwrap()
    }

    fn jobs(&self) -> Vec<Job> {
        let job = |own: &Job| Job {
            wcet: own.wcet + 2 * self.switch,
            // Of a shorter job all of it but for its switches.
            locks: own.locks.iter().map(|&(resource, section)| (resource, section.min(own.wcet))).collect(),
            ..own.clone()
        };
        self.tasks.iter().map(job).collect()
    }

    fn is_met(&self, jobs: &[Job]) -> bool {
        if is_overload(jobs) {
            return false;
        }
        match self.scheduler {
            Scheduler::Edf => meets_deadlines(jobs),
            _ => response_times(jobs).iter().zip(jobs).all(|(time, job)| *time <= job.deadline),
        }
    }
}

fn whole(value: i128) -> Rational {
    Rational::from(BigInt::from(value))
}

fn formulated(set: &TaskSet) -> Formulation {
    formulate(set, None).unwrap()
}

#[test]
fn verdicts_response_times_and_schedules_are_those_of_the_simulation() {
    let mut random = Random(2027);
    let (mut missed, mut met, mut failing) = ([0, 0], [0, 0], [0, 0]);
    for _ in 0..cases(2_000) {
        let plan = plan(&mut random);
        let formulation = formulated(&plan.set());
        let design = vec![None; plan.tasks.len()];
        let jobs = plan.jobs();
        let shown = schedulability::schedule(&formulation, &design, &mut effort()).unwrap();
        let time = |units: i128| Rational::from(BigInt::from(units)) * &formulation.time_unit;
        let decisive = &shown.jobs[shown.decisive];
        let is_edf = plan.scheduler == Scheduler::Edf;
        let is_met = plan.is_met(&jobs);
        assert_eq!(shown.missing.is_none(), is_met, "{plan:?}");
        let outcome = schedulable(&formulation, &design, &mut effort());
        match &outcome {
            Outcome::Passes => assert!(is_met, "{plan:?}"),
            Outcome::Overload => assert!(is_overload(&jobs), "{plan:?}"),
            Outcome::Fails(_) => assert!(!is_met && !is_overload(&jobs), "{outcome:?} {plan:?}"),
            Outcome::Undecided(why) => panic!("{why}: {plan:?}"),
        }
        if decided_by_utilization(&formulation) {
            assert_eq!(is_met, !is_overload(&jobs), "{plan:?}");
        }
        failing[usize::from(is_edf)] += u64::from(matches!(outcome, Outcome::Fails(_)));
        if !is_edf && !is_overload(&jobs) {
            let times = schedulability::response_times(&formulation, &design, &mut effort()).unwrap();
            let found = times.into_iter().map(|time| Rational::from(time.response.unwrap()));
            let found = found.map(|units| units * &formulation.time_unit);
            assert!(found.eq(response_times(&jobs).into_iter().map(whole)), "{plan:?}");
        }
        // Under overload the first missed deadline may be beyond the hyperperiod.
        let end = |units: i128| time(units).ceil().to_integer().to_i128().unwrap();
        let horizon = end(shown.deadline()) + 1;
        if is_met {
            met[usize::from(is_edf)] += 1;
        } else {
            missed[usize::from(is_edf)] += 1;
            let simulated = match is_edf {
                true => first_missed(&jobs, horizon),
                false => {
                    let late = |task: usize| first_late(&jobs, task, horizon);
                    let priority = jobs[decisive.task].priority;
                    let mut higher = (0..jobs.len()).filter(|&task| jobs[task].priority < priority);
                    assert!(higher.all(|task| late(task).is_none()), "{plan:?}");
                    // The task shown comes last among its equals, of which another may be late before it: then when it comes last
                    // itself, too.
                    let last = shown.tasks.iter().rfind(|&&task| jobs[task].priority == priority);
                    let (first, due) = (late(decisive.task), end(shown.deadline()));
                    let is_another =
                        *last.unwrap() != decisive.task && first.is_some_and(|first| first <= due);
                    if is_another { Some(due) } else { first }
                }
            };
            assert_eq!(simulated.map(whole), Some(time(shown.deadline())), "{plan:?}");
        }
        if is_met && !is_edf {
            let times = response_times(&jobs);
            let own = time(decisive.finish.unwrap() - decisive.arrival);
            assert_eq!(own, whole(times[decisive.task]), "{plan:?}");
            let share = |at: usize| Rational::new(times[at].into(), jobs[at].deadline.into());
            assert!((0..jobs.len()).all(|at| share(at) <= share(decisive.task)), "{plan:?}");
        }
        if is_met && is_edf {
            let demand = |time: i128| {
                let due = jobs.iter().map(|job| {
                    (time + job.jitter - job.deadline).div_euclid(job.period).max(-1) * job.wcet + job.wcet
                });
                let users = |resource: u32| {
                    let users = jobs
                        .iter()
                        .filter(move |job| job.locks.iter().any(|lock| lock.0 == resource && lock.1 > 0));
                    users.map(|job| job.deadline).min().unwrap_or(i128::MAX)
                };
                let waits = jobs.iter().map(|job| match job.deadline - job.jitter <= time {
                    true => job.blocking,
                    false => {
                        let locks = job.locks.iter().filter(|(resource, _)| users(*resource) <= time);
                        let longest = locks.map(|(_, section)| *section).max().unwrap_or(0);
                        longest.max(job.nonpreemptive.unwrap_or(job.wcet).min(job.wcet))
                    }
                });
                let is_due = jobs.iter().any(|job| job.deadline - job.jitter <= time);
                if is_due { due.sum::<i128>() + waits.max().unwrap() } else { 0 }
            };
            let share = |time: i128| Rational::new(demand(time).into(), time.into());
            let longest = jobs.iter().map(|job| job.deadline).max().unwrap();
            let most = (1..=2 * longest + 240).map(share).max().unwrap();
            let own = end(shown.deadline());
            assert_eq!(time(shown.demand.unwrap()), whole(demand(own)), "{plan:?}");
            assert!(shown.is_one_of_many || share(own) == most, "{plan:?} {own} {most}");
        }
        // The processor does one thing at a time, each job runs within its release and finish, and jobs that finish have
        // their WCET.
        assert!(shown.segments.windows(2).all(|pair| pair[0].end <= pair[1].start), "{plan:?}");
        assert!(shown.segments.iter().all(|segment| segment.start < segment.end), "{plan:?}");
        for (at, job) in shown.jobs.iter().enumerate() {
            let own: Vec<_> = shown.segments.iter().filter(|segment| segment.job == at).collect();
            assert!(own.iter().all(|segment| segment.start >= job.release), "{plan:?}");
            if let Some(finish) = job.finish {
                assert_eq!(own.last().unwrap().end, finish, "{plan:?}");
                let runs = own.iter().filter(|segment| segment.activity != Activity::Blocked);
                let runs: i128 = runs.map(|segment| segment.end - segment.start).sum();
                assert_eq!(time(runs), whole(jobs[job.task].wcet), "{plan:?}");
            }
        }
    }
    let counts = [met, missed, failing];
    assert!(counts.as_flattened().iter().all(|&count| count > cases(2_000) / 40), "{counts:?}");
}

/// A front whose searches run out of steps holds the points found until then, and says that there are more.
#[test]
fn a_front_of_margins_that_is_cut_short_is_the_beginning_of_the_whole_one() {
    let recipe = isx::taskset::recipe::TaskSetRecipe {
        scheduler: Scheduler::RateMonotonic,
        ..isx::taskset::recipe::TaskSetRecipe::default()
    };
    let text = isx::taskset::generate::generate(&recipe).unwrap();
    let set = isx::taskset::read_str("x", &text).unwrap().task_set;
    let explored = |steps: u64| {
        let limits = Limits { steps, design_steps: steps / 8 };
        isx::explore::explore_margins(&set, &isx::explore::Options { limits, ..Default::default() })
    };
    let whole = explored(Limits::default().steps).unwrap();
    assert!(whole.larger_margins_unknown.is_none() && whole.front.is_complete());
    let mut cut = 0;
    for steps in (10..26).map(|power| 1u64 << power) {
        let part = match explored(steps) {
            Ok(part) => part,
            Err(error) => {
                assert!(
                    error
                        .to_string()
                        .starts_with("`generated` has no front of area against margin: the search"),
                    "{error}"
                );
                continue;
            }
        };
        assert_eq!(part.larger_margins_unknown.is_none(), part.front.is_complete());
        let Some(last) = part.point_margins.len().checked_sub(1).filter(|_| !part.front.is_complete()) else {
            continue;
        };
        assert_eq!(part.point_margins[..last], whole.point_margins[..last]);
        // The last may still have given way to another of its area.
        assert!(part.point_margins[last] <= whole.point_margins[last]);
        let area = |front: &isx::exploration::Exploration| front.front.get(last).unwrap().area();
        assert_eq!(area(&part), area(&whole));
        cut += 1;
    }
    assert!(cut > 0, "{cut}");
}

/// Parts that cannot be interrupted and depend on the design: cuts that count them keep the search short. Without, this front
/// took more than 6,000,000,000 steps.
#[test]
fn a_front_of_margins_with_parts_that_cannot_be_interrupted_takes_few_steps() {
    let usual = isx::taskset::recipe::TaskSetRecipe::default();
    let part = Some("0.0..0.5".parse().unwrap());
    let recipe = isx::taskset::recipe::TaskSetRecipe {
        tasks: "12".parse().unwrap(),
        choices: "8".parse().unwrap(),
        scheduler: Scheduler::FixedPriority,
        kernel: isx::taskset::recipe::GeneratedKernel { nonpreemptive: part, ..usual.kernel },
        seed: 7,
        ..usual
    };
    let text = isx::taskset::generate::generate(&recipe).unwrap();
    let set = isx::taskset::read_str("x", &text).unwrap().task_set;
    let formulation = formulated(&set);
    let mut effort = Effort::new(Limits { steps: 100_000_000, design_steps: 10_000_000 });
    let found = margin_front(&formulation, &[], &mut effort);
    assert_eq!((found.undecided, found.points.len()), (None, 102), "{} steps", effort.spent());
    // With all that runs longer by a margin, its point has the smallest area; by slightly more, the next.
    let smallest = |factor: &Rational| {
        let mut longer = set.clone();
        for task in &mut longer.tasks {
            let choices = task.choices.iter_mut().map(|choice| &mut choice.wcets[0]);
            choices.chain([&mut task.wcets[0]]).for_each(|wcet| *wcet *= factor);
            if let Nonpreemptive::Part(part) = &mut task.kernel.nonpreemptive {
                *part *= factor;
            }
        }
        let longer = formulated(&longer);
        let found = smallest_area(&longer, longer.capacity(), None, &mut Effort::new(Limits::default()));
        assert_eq!(found.undecided, None);
        found.best.and_then(|choices| longer.area(&choices))
    };
    let area = |at: usize| found.points.get(at).and_then(|(choices, _)| formulation.area(choices));
    let hair = Rational::new(1_000_000_001.into(), 1_000_000_000.into());
    for (at, (_, margin)) in found.points.iter().enumerate() {
        assert_eq!((smallest(margin), smallest(&(margin * &hair))), (area(at), area(at + 1)), "{margin}");
    }
}
