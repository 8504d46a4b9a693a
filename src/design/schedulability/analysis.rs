//! One interface for all schedulers: a test of designs that is monotone in the WCETs.
//!
//! Lowering a WCET never makes a schedulable set unschedulable, under EDF or under fixed priorities (S. Baruah and A.
//! Burns, "Sustainable scheduling analysis", RTSS 2006). A failing design also yields one or several requirements, at
//! least one of which every schedulable design meets and, usually, the failing one does not:
//!
//! - EDF fails at a time t: every schedulable design has sum_i jobs_i(t) e_i <= t, less what jobs wait for in every design.
//! - Under fixed priorities job q of task i, due at d, is late: every schedulable design finishes it by some t <= d,
//!   and then q e_i + sum_j ceil(t / P_j) e_j <= t over the tasks j of higher and equal priority. Since t is unknown, each candidate t gives one of
//!   several requirements: see the module `late_job`.

use super::demand::{self, jobs_due, wait_at};
use super::effort::Effort;
use super::late_job::{LateJob, remaining};
use super::outcome::{Failure, Outcome, Requirement, Section, Strict};
use super::response;
pub(super) use super::task::modes;
use super::task::{ScheduledTask, WholeTasks, scheduled_tasks};
use super::utilization::{Load, unconstrained};
use super::waits::{Wait, below, claimed};
use isx_exact::quantity::Rational;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, Policy, TimedTask};
use num_bigint::BigInt;

/// Whether the scheduler of a formulation meets every deadline of a design, within the step limit for one design.
/// Panics if `choices` does not have one entry per task, or names a choice that does not exist.
///
/// ```
/// use isx_design::schedulability::{Effort, Failure, Limits, Outcome, schedulable};
/// use isx_taskset::{Scheduler, Task, TaskSet};
/// let set = TaskSet::new("demo", [Task::new("fir", 2, 4), Task::new("iir", 3, 6)]).unwrap();
/// let test = |set: &TaskSet| {
///     let formulation = isx_taskset::formulate::formulate(set, None).unwrap();
///     schedulable(&formulation, &[None, None], &mut Effort::new(Limits::default()))
/// };
/// assert_eq!(test(&set), Outcome::Passes);
/// let set = set.with_scheduler(Scheduler::RateMonotonic).unwrap();
/// assert_eq!(test(&set), Outcome::Fails(Failure::Response { task: 1, job: 1.into() }));
/// ```
pub fn schedulable(formulation: &Formulation, choices: &[Option<u32>], effort: &mut Effort) -> Outcome {
    Analysis::new(formulation).test(&scheduled_tasks(formulation, choices).tasks(), effort)
}

/// A design in one of the modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeVerdict {
    /// Its utilization there.
    pub utilization: Rational,
    /// Whether it meets all deadlines there; `None` if undecided.
    pub schedulable: Option<bool>,
}

/// A design in every mode of its set, in file order; a set without modes has none.
pub fn mode_verdicts(
    task_set: &TaskSet,
    formulation: &Formulation,
    choices: &[Option<u32>],
    effort: &mut Effort,
) -> Vec<ModeVerdict> {
    let mut verdict = |mode: &Formulation| ModeVerdict {
        utilization: mode.utilization(choices),
        schedulable: match schedulable(mode, choices, effort) {
            Outcome::Passes => Some(true),
            Outcome::Overload | Outcome::Fails(_) => Some(false),
            Outcome::Undecided(_) => None,
        },
    };
    modes(formulation).iter().take(task_set.modes.len()).map(&mut verdict).collect()
}

/// Whether U <= 1 alone decides, for all designs of a formulation: EDF with no deadline shorter than its period.
pub fn decided_by_utilization(formulation: &Formulation) -> bool {
    if !formulation.modes.is_empty() {
        return formulation.modes.iter().all(decided_by_utilization);
    }
    // Any choice may lock.
    let tasks = formulation.tasks.iter().map(|task| ScheduledTask::of(task, &task.wcet, &task.locks.most));
    let tasks: Vec<ScheduledTask> = tasks.collect();
    formulation.policy == Policy::Edf && unconstrained(&tasks)
}

/// The schedulability analysis of the designs of a formulation, whose tasks are those of the first mode, then those of the
/// second, and so on: a design passes if it does in every mode.
pub(super) struct Analysis<'a> {
    /// At least one.
    pub modes: Vec<AnalysisOfMode<'a>>,
    /// The number of tasks in each.
    tasks: usize,
}

impl<'a> Analysis<'a> {
    pub fn new(formulation: &'a Formulation) -> Self {
        let tasks = formulation.tasks.len();
        Self { modes: modes(formulation).iter().map(AnalysisOfMode::new).collect(), tasks }
    }

    /// The analysis that only designs pass whose margin is above 1.
    pub fn strict(mut self, strict: Strict) -> Self {
        self.modes.iter_mut().for_each(|mode| mode.strict = strict);
        self
    }

    /// Tests a design of the formulation: the answer is that of the first mode that fails.
    pub fn test(&self, tasks: &[ScheduledTask], effort: &mut Effort) -> Outcome {
        let mut undecided = None;
        for (number, (mode, tasks)) in self.modes.iter().zip(tasks.chunks(self.tasks)).enumerate() {
            match mode.test_loaded(tasks, &mode.load(tasks), effort) {
                Outcome::Passes => {}
                Outcome::Undecided(why) => drop(undecided.get_or_insert(why)),
                Outcome::Fails(failure) if self.modes.len() > 1 => {
                    return Outcome::Fails(Failure::InMode { mode: number, failure: Box::new(failure) });
                }
                fails => return fails,
            }
        }
        undecided.map_or(Outcome::Passes, Outcome::Undecided)
    }

    /// Requirements derived from the failure of the design `tasks`: every schedulable design meets at least one.
    pub fn requirements(&self, tasks: &[ScheduledTask], failure: &Failure) -> Vec<Requirement> {
        let (number, failure) = failure.in_mode();
        let Some((mode, own)) = self.modes.get(number).zip(tasks.chunks(self.tasks).nth(number)) else {
            return Vec::new();
        };
        let mut requirements = mode.requirements(own, failure);
        for requirement in &mut requirements {
            // Parts run with their tasks.
            for at in (1..mode.rows.len()).filter(|&at| mode.rows[at].is_part) {
                requirement.jobs[at] = requirement.jobs[at - 1].clone();
            }
            requirement.jobs = self.in_all_modes(number, &requirement.jobs);
            requirement.section.iter_mut().for_each(|section| section.task += number * self.tasks);
        }
        requirements
    }

    /// Numbers of jobs in one mode as those of the tasks of all.
    pub fn in_all_modes(&self, number: usize, jobs: &[BigInt]) -> Vec<BigInt> {
        let mut all = vec![BigInt::ZERO; self.modes.len() * self.tasks];
        all[number * self.tasks..][..self.tasks].clone_from_slice(jobs);
        all
    }
}

/// The schedulability analysis of the designs of a formulation with one mode.
pub(super) struct AnalysisOfMode<'a> {
    policy: &'a Policy,
    pub hyperperiod: &'a BigInt,
    /// h / P_i: the number of jobs of each task per hyperperiod.
    pub frequencies: Vec<BigInt>,
    /// The tasks, each with its shortest WCET and the critical sections that it has in every design.
    fastest: WholeTasks<'a>,
    rows: &'a [TimedTask],
    pub strict: Strict,
}

impl<'a> AnalysisOfMode<'a> {
    pub fn new(formulation: &'a Formulation) -> Self {
        let hyperperiod = &formulation.hyperperiod;
        let frequencies = formulation.tasks.iter().map(|task| hyperperiod / &task.period).collect();
        let shortest = |task: &'a TimedTask| {
            let choices = task.choices.iter().map(|choice| &choice.wcet);
            let wcets = choices.chain(Some(&task.wcet).filter(|_| !task.forced));
            ScheduledTask::fastest(task, wcets.min().unwrap_or(&task.wcet))
        };
        let rows = &formulation.tasks;
        let fastest = WholeTasks::of(rows.iter().map(shortest).collect(), rows);
        Self { policy: &formulation.policy, hyperperiod, frequencies, fastest, rows, strict: Strict::No }
    }

    /// The load of a design of the formulation.
    pub fn load(&self, tasks: &[ScheduledTask]) -> Load {
        let demand = tasks.iter().zip(&self.frequencies).map(|(task, frequency)| task.wcet * frequency);
        Load { hyperperiod: self.hyperperiod.clone(), demand: demand.sum() }
    }

    /// Tests any tasks, with the priorities of the formulation; `load` is that of `tasks`.
    pub fn test_loaded(&self, tasks: &[ScheduledTask], load: &Load, effort: &mut Effort) -> Outcome {
        match self.policy {
            Policy::FixedPriority(order) => response::test_design(tasks, order, load, self.strict, effort),
            Policy::Edf => demand::test_design(tasks, load, self.strict, effort),
        }
    }

    /// Requirements derived from the failure of the design `tasks`: every schedulable design meets at least one.
    fn requirements(&self, tasks: &[ScheduledTask], failure: &Failure) -> Vec<Requirement> {
        match (failure, self.policy) {
            (Failure::Demand { time, .. }, _) => {
                let jobs = tasks.iter().map(|task| jobs_due(task.period, task.deadline, time)).collect();
                let wait = wait_at(&self.fastest.tasks(), time);
                let below: Vec<bool> = tasks.iter().map(|task| task.deadline > time).collect();
                let section = self.longest_section(tasks, &below, &wait);
                vec![Requirement { jobs, limit: remaining(time, &(wait + self.strict.unit())), section }]
            }
            (Failure::Response { task, job }, Policy::FixedPriority(order)) => {
                let wait = |tasks: &[ScheduledTask]| {
                    Wait::of(tasks, *task, order).map_or(BigInt::ZERO, |wait| wait.longest.clone())
                };
                let (known, own) = (wait(&self.fastest.tasks()), wait(tasks));
                let section = self.longest_section(tasks, &below(tasks, *task, order), &known);
                let late = LateJob { task: *task, job, known, own, strict: self.strict };
                late.requirements(tasks, order, section.as_ref())
            }
            // Unreachable: EDF has no response-time analysis, and a mode has no modes.
            (Failure::Response { .. }, Policy::Edf) | (Failure::InMode { .. }, _) => Vec::new(),
        }
    }

    /// What a task below may make others wait for in any design, if one does so for longer than `known` in this one: for the
    /// longest.
    fn longest_section(&self, tasks: &[ScheduledTask], below: &[bool], known: &BigInt) -> Option<Section> {
        let fastest = self.fastest.tasks();
        // At a lower clock the part may be longer.
        let part = |task: usize| match fastest[task].kernel {
            Some(kernel) => kernel.nonpreemptive.clone(),
            None => Some(BigInt::ZERO),
        };
        let resources = claimed(&fastest, below);
        let section = |task: usize| Section {
            task,
            part: part(task),
            resources: resources.clone(),
            known: known.clone(),
        };
        let beyond = |section: &Section| section.beyond(tasks[section.task].wcet, tasks[section.task].locks);
        let sections = (0..tasks.len()).filter(|&task| below[task]).map(section);
        sections.max_by_key(beyond).filter(|section| beyond(section) > BigInt::ZERO)
    }
}
