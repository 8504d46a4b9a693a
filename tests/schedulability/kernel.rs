//! Jitter, blocking, parts that cannot be interrupted and context switches, against the simulation.

use crate::random::Random;
use crate::simulation::{Job, first_late, first_missed, is_overload, meets_deadlines, response_times};
use isx::formulate::{Formulation, formulate};
use isx::quantity::Rational;
use isx::schedulability::schedule::Activity;
use isx::schedulability::{
    self, Effort, Limits, Outcome, decided_by_utilization, margin, margin_front, schedulable, slowdown,
    smallest_area,
};
use isx::taskset::{Block, KernelCosts, Lock, Nonpreemptive, Scheduler, Task, TaskSet};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

fn effort() -> Effort {
    Effort::new(Limits::default())
}

fn cases(unless_set: u64) -> u64 {
    std::env::var("ISX_CASES").map_or(unless_set, |cases| cases.parse().unwrap())
}

/// A task before context switches.
#[derive(Clone, Debug)]
struct Plain {
    job: Job,
    choices: Vec<PlainChoice>,
}

#[derive(Clone, Debug)]
struct PlainChoice {
    area: u64,
    wcet: i128,
    /// Whether it uses the block.
    uses: bool,
    /// In place of those of the task.
    locks: Option<Vec<(u32, i128)>>,
}

/// A random set.
#[derive(Clone, Debug)]
struct Plan {
    tasks: Vec<Plain>,
    scheduler: Scheduler,
    switch: i128,
    /// The area and the switch of a block.
    block: (u64, i128),
}

fn plan(random: &mut Random, choices: u64) -> Plan {
    let scheduler = random.pick(&[Scheduler::Edf, Scheduler::FixedPriority]);
    let count = random.within(1, 4);
    let switch = if random.one_in(3) { random.within(1, 2) } else { 0 };
    let zero_or = |random: &mut Random, most: i128| if random.one_in(2) { 0 } else { random.within(0, most) };
    let (has_locks, has_ties) = (random.one_in(2), random.one_in(3));
    let locks = |random: &mut Random, most: i128| -> Vec<(u32, i128)> {
        let some = (0..2).filter(|_| has_locks && random.one_in(2)).collect::<Vec<u32>>();
        some.into_iter().map(|resource| (resource, random.within(0, most))).collect()
    };
    let mut task = |at: i128| {
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
        let choice = |random: &mut Random| PlainChoice {
            area: random.within(0, 6),
            wcet: random.within(1, wcet),
            uses: random.one_in(3),
            locks: random.one_in(3).then(|| locks(random, wcet + 2)),
        };
        let choices = (0..choices).map(|_| choice(random)).collect();
        let priority = if has_ties { random.within(1, 2) } else { at as u32 + 1 };
        let locks = locks(random, wcet + 2);
        let job = Job { wcet, period, deadline, jitter, blocking, nonpreemptive, locks, priority };
        Plain { job, choices }
    };
    let tasks = (0..count).map(&mut task).collect();
    Plan { tasks, scheduler, switch, block: (random.within(0, 4), random.within(0, 2)) }
}

impl Plan {
    fn set(&self) -> TaskSet {
        let task = |(at, plain): (usize, &Plain)| {
            let Job { wcet, period, deadline, jitter, blocking, .. } = plain.job;
            let mut task = Task::new(format!("t{at}"), whole(wcet), whole(period))
                .with_deadline(whole(deadline))
                .with_priority(plain.job.priority)
                .with_kernel_costs(KernelCosts {
                    jitter: whole(jitter),
                    blocking: whole(blocking),
                    nonpreemptive: match plain.job.nonpreemptive {
                        Some(part) => Nonpreemptive::Part(whole(part)),
                        None => Nonpreemptive::All,
                    },
                    locks: held(&plain.job.locks),
                });
            for (number, choice) in plain.choices.iter().enumerate() {
                let (uses, area) = (choice.uses.then_some(0), whole(choice.area.into()));
                task = task.with_choice_using(format!("c{number}"), uses, area, whole(choice.wcet));
                task.choices[number].locks = choice.locks.as_ref().map(|locks| held(locks));
            }
            task
        };
        let block = Block { switch: whole(self.block.1), ..Block::new("b", whole(self.block.0.into())) };
        let tasks: Vec<Task> = self.tasks.iter().enumerate().map(task).collect();
        let mut set = TaskSet::with_blocks("random", [block], tasks).unwrap();
        set.switch = whole(self.switch);
        set.with_scheduler(self.scheduler).unwrap()
    }

    /// The tasks of a design, their execution without switches and blocking times `p` and all else times `q`, or what a lower
    /// clock makes longer times `p` if `all_execution`.
    fn jobs(&self, choices: &[Option<u32>], p: i128, q: i128, all_execution: bool) -> Vec<Job> {
        let other = if all_execution { p } else { q };
        let job = |(plain, choice): (&Plain, &Option<u32>)| {
            let Job { wcet, period, deadline, jitter, blocking, nonpreemptive, ref locks, priority } =
                plain.job;
            let taken = choice.map(|choice| &plain.choices[choice as usize]);
            let (wcet, uses) = taken.map_or((wcet, false), |choice| (choice.wcet, choice.uses));
            let locks = taken.and_then(|choice| choice.locks.as_ref()).unwrap_or(locks);
            let switches = 2 * (self.switch + if uses { self.block.1 } else { 0 });
            Job {
                wcet: wcet * p + switches * other,
                period: period * q,
                deadline: deadline * q,
                jitter: jitter * q,
                blocking: blocking * other,
                nonpreemptive: nonpreemptive.map(|part| part * p),
                // Of a shorter job all of it but for its switches.
                locks: locks.iter().map(|&(resource, section)| (resource, section.min(wcet) * p)).collect(),
                priority,
            }
        };
        self.tasks.iter().zip(choices).map(job).collect()
    }

    /// Whether some margin may not be reached, but come as near as one likes to.
    fn is_open(&self) -> bool {
        let runs_through = |plain: &Plain| plain.job.nonpreemptive.is_none();
        self.scheduler != Scheduler::Edf && self.tasks.iter().any(runs_through)
    }

    fn area(&self, choices: &[Option<u32>]) -> u64 {
        let taken = self.tasks.iter().zip(choices);
        let taken: Vec<_> =
            taken.filter_map(|(task, choice)| Some(&task.choices[(*choice)? as usize])).collect();
        let block = if taken.iter().any(|choice| choice.uses) { self.block.0 } else { 0 };
        taken.iter().map(|choice| choice.area).sum::<u64>() + block
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

    fn designs(&self) -> Vec<Vec<Option<u32>>> {
        let mut designs = vec![vec![]];
        for task in &self.tasks {
            let choices = std::iter::once(None).chain((0..task.choices.len() as u32).map(Some));
            let longer = |design: &Vec<Option<u32>>, choice| design.iter().copied().chain([choice]).collect();
            designs =
                choices.flat_map(|choice| designs.iter().map(move |design| longer(design, choice))).collect();
        }
        designs
    }
}

fn held(locks: &[(u32, i128)]) -> Vec<Lock> {
    let lock =
        |&(resource, section): &(u32, i128)| Lock { name: format!("r{resource}"), time: whole(section) };
    locks.iter().map(lock).collect()
}

fn whole(value: i128) -> Rational {
    Rational::from(BigInt::from(value))
}

fn formulated(set: &TaskSet) -> Formulation {
    formulate(set, None).unwrap()
}

#[test]
fn schedules_show_the_first_missed_deadline_of_the_simulation() {
    let mut random = Random(2027);
    let (mut missed, mut met) = ([0, 0], [0, 0]);
    for _ in 0..cases(2_000) {
        let plan = plan(&mut random, 0);
        let formulation = formulated(&plan.set());
        let design = vec![None; plan.tasks.len()];
        let jobs = plan.jobs(&design, 1, 1, false);
        let shown = schedulability::schedule(&formulation, &design, &mut effort()).unwrap();
        let time = |units: i128| Rational::from(BigInt::from(units)) * &formulation.time_unit;
        let decisive = &shown.jobs[shown.decisive];
        let is_edf = plan.scheduler == Scheduler::Edf;
        let is_met = plan.is_met(&jobs);
        assert_eq!(shown.missing.is_none(), is_met, "{plan:?}");
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
    assert!(met.iter().chain(&missed).all(|&count| count > cases(2_000) / 40), "{met:?} {missed:?}");
}

#[test]
fn verdicts_and_response_times_are_those_of_the_simulation() {
    let mut random = Random(27);
    let (mut passing, mut failing) = ([0, 0], [0, 0]);
    for _ in 0..cases(2_000) {
        let plan = plan(&mut random, 0);
        let formulation = formulated(&plan.set());
        let design = vec![None; plan.tasks.len()];
        let jobs = plan.jobs(&design, 1, 1, false);
        let outcome = schedulable(&formulation, &design, &mut effort());
        let is_met = plan.is_met(&jobs);
        let is_edf = usize::from(plan.scheduler == Scheduler::Edf);
        match &outcome {
            Outcome::Passes => assert!(is_met, "{plan:?}"),
            Outcome::Overload => assert!(is_overload(&jobs), "{plan:?}"),
            Outcome::Fails(_) => assert!(!is_met && !is_overload(&jobs), "{outcome:?} {plan:?}"),
            Outcome::Undecided(why) => panic!("{why}: {plan:?}"),
        }
        if decided_by_utilization(&formulation) {
            assert_eq!(is_met, !is_overload(&jobs), "{plan:?}");
        }
        let count = if is_met { &mut passing } else { &mut failing };
        count[is_edf] += u32::from(!is_overload(&jobs));
        if let Some(times) = schedulability::response_times(&formulation, &design, &mut effort())
            && !is_overload(&jobs)
        {
            let unit = formulation.time_unit.clone();
            let found = times.into_iter().map(|time| Rational::from(time.response.unwrap()) * &unit);
            let simulated = response_times(&jobs).into_iter().map(whole);
            assert_eq!(found.collect::<Vec<_>>(), simulated.collect::<Vec<_>>(), "{plan:?}");
        }
    }
    assert!(
        passing.iter().chain(&failing).all(|&count| count > cases(2_000) as u32 / 40),
        "{passing:?} {failing:?}"
    );
}

/// A factor is the largest if deadlines are met with it, and not with 1 + 10^-9 times as much.
#[test]
fn margins_and_slowdowns_are_exact() {
    let mut random = Random(28);
    let (mut above, mut below, mut none) = (0, 0, 0);
    for _ in 0..cases(1_000) {
        let plan = plan(&mut random, 0);
        let formulation = formulated(&plan.set());
        let design = vec![None; plan.tasks.len()];
        let found = margin(&formulation, &design, &mut effort()).unwrap().factor;
        let slowed = slowdown(&formulation, &design, &mut effort()).unwrap();
        for (factor, all_execution) in [(found, false), (slowed, true)] {
            let is_met = |factor: &Rational| {
                let [p, q] = [factor.numer(), factor.denom()].map(|number| number.to_i128().unwrap());
                plan.is_met(&plan.jobs(&design, p, q, all_execution))
            };
            let hair = Rational::new(1.into(), 1_000_000_000.into());
            if factor.is_positive() {
                let smaller = &factor * (Rational::one() - &hair);
                assert!(is_met(&factor) || plan.is_open() && is_met(&smaller), "{factor} {plan:?}");
                assert!(!is_met(&(&factor * (Rational::one() + &hair))), "{factor} {plan:?}");
                *(if factor < Rational::one() { &mut below } else { &mut above }) += 1;
            } else {
                assert!(factor == Rational::default() && !is_met(&hair), "{plan:?}");
                none += 1;
            }
        }
    }
    let few = cases(1_000) / 20;
    assert!(above > few && below > few && none > few, "{above} {below} {none}");
}

/// Longer WCETs, at the set and in its formulation, are the same.
#[test]
fn a_longer_formulation_is_that_of_the_longer_set() {
    let mut random = Random(30);
    for _ in 0..cases(200).min(2_000) {
        let plan = plan(&mut random, 2);
        let set = plan.set();
        let (p, q) = (random.within(1i128, 9), random.within(1i128, 9));
        let (p, q) = (p / p.gcd(&q), q / p.gcd(&q));
        let factor = Rational::new(p.into(), q.into());
        let mut what_if = isx::taskset::WhatIf::default();
        what_if.scale_wcets(factor.clone()).unwrap();
        let again = formulated(&what_if.apply(&set).unwrap());
        let longer = formulated(&set).with_longer_wcets(&factor);
        let value = |formulation: &Formulation, number: &BigInt| {
            Rational::new(number.clone(), formulation.hyperperiod.clone())
        };
        assert_eq!(value(&longer, &longer.base_demand), value(&again, &again.base_demand));
        for (one, other) in longer.mckp().classes.iter().flatten().zip(again.mckp().classes.iter().flatten())
        {
            assert_eq!(value(&longer, &one.value), value(&again, &other.value), "{plan:?}");
        }
        for design in plan.designs() {
            assert_eq!(longer.utilization(&design), again.utilization(&design));
            let [one, other] = [&longer, &again].map(|one| schedulable(one, &design, &mut effort()));
            assert_eq!(one == Outcome::Passes, other == Outcome::Passes, "{plan:?}");
        }
    }
}

/// The front of area against margin is that of all designs; where switches take no time, it names of a point's designs the one
/// of least utilization, the first in canonical order.
#[test]
fn the_front_of_margins_is_that_of_all_designs() {
    let mut random = Random(31);
    let mut points = 0;
    for round in 0..cases(300) {
        let choices = random.within(1, 3);
        let mut plan = plan(&mut random, choices);
        if round % 4 == 0 {
            // Without what a kernel costs.
            (plan.switch, plan.block.1) = (0, 0);
            for task in &mut plan.tasks {
                (task.job.jitter, task.job.blocking, task.job.nonpreemptive) = (0, 0, Some(0));
                task.job.locks.clear();
                task.choices.iter_mut().for_each(|choice| choice.locks = None);
            }
        }
        let formulation = formulated(&plan.set());
        // Any designs may be known.
        let mut known = plan.designs();
        known.retain(|_| random.one_in(5));
        let found = margin_front(&formulation, &known, &mut effort());
        assert_eq!(found.undecided, None, "{plan:?}");
        let mut all: Vec<_> = plan
            .designs()
            .into_iter()
            .map(|design| {
                let margin = margin(&formulation, &design, &mut effort()).unwrap().factor;
                let canonical: Vec<Option<u32>> = design.iter().rev().copied().collect();
                (plan.area(&design), -margin, formulation.utilization(&design), canonical)
            })
            .collect();
        all.sort();
        let mut best = Rational::default();
        let mut wanted = Vec::new();
        for (_, margin, _, canonical) in all {
            let margin = -margin;
            if margin > best {
                best = margin.clone();
                wanted.push((canonical.into_iter().rev().collect::<Vec<_>>(), margin));
            }
        }
        if plan.set().has_switches() || plan.is_open() {
            let figures = |points: &[(Vec<Option<u32>>, Rational)]| {
                points.iter().map(|(design, margin)| (plan.area(design), margin.clone())).collect::<Vec<_>>()
            };
            assert_eq!(figures(&found.points), figures(&wanted), "{plan:?}");
        } else {
            assert_eq!(found.points, wanted, "{plan:?}");
        }
        points += wanted.len() as u64;
    }
    assert!(points > cases(300), "{points}");
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
