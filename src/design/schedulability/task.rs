//! A design as the schedulability tests see it, and the integer types of the tests: the narrowest that hold all
//! numbers.

use isx_problems::value::Value;
use isx_taskset::formulate::{Formulation, TimedKernel, TimedLock, TimedTask};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

/// A task of one design, with all three times in the same unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledTask<'a> {
    /// e_i >= 0: worst-case execution time with the choice the design takes, and its context switches.
    pub wcet: &'a BigInt,
    /// P_i > 0: period, or minimum inter-arrival time.
    pub period: &'a BigInt,
    /// D_i > 0: relative deadline; shorter than, equal to or longer than the period. With release jitter it is D_i - J_i
    /// >= 0, counted from the latest release.
    pub deadline: &'a BigInt,
    /// What delays its jobs besides; `None` if nothing.
    pub kernel: Option<&'a TimedKernel>,
    /// Its critical sections on resources that other tasks lock too.
    pub locks: &'a [TimedLock],
}

impl<'a> ScheduledTask<'a> {
    /// A task of a formulation with this WCET and these critical sections.
    pub(super) fn of(task: &'a TimedTask, wcet: &'a BigInt, locks: &'a [TimedLock]) -> Self {
        let kernel = task.kernel.as_ref();
        let deadline = kernel.map_or(&task.deadline, |kernel| &kernel.due);
        Self { wcet, period: &task.period, deadline, kernel, locks }
    }

    /// A task of a formulation with its shortest possible WCET, and the critical sections that it has in every design.
    pub(super) fn fastest(task: &'a TimedTask, wcet: &'a BigInt) -> Self {
        Self::of(task, wcet, &task.locks.least)
    }

    /// Its release jitter, if any.
    pub(super) fn jitter(&self) -> Option<&'a BigInt> {
        self.kernel.map(|kernel| &kernel.jitter)
    }

    /// How long its jobs wait for holders outside the set.
    pub(super) fn blocking(&self) -> Option<&'a BigInt> {
        self.kernel.map(|kernel| &kernel.blocking)
    }

    /// The longest part of a job that cannot be interrupted.
    pub(super) fn part(&self) -> Option<&'a BigInt> {
        let part = self.kernel?.nonpreemptive.as_ref();
        Some(part.map_or(self.wcet, |part| part.min(self.wcet)))
    }

    /// Whether nothing interrupts a job once it has begun.
    pub(super) fn runs_through(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.nonpreemptive.is_none())
    }
}

/// Whether some of the tasks make others wait, or wait for others: what is added to the demand and to response times.
pub(super) fn are_delayed(tasks: &[ScheduledTask]) -> bool {
    let is_delayed = |kernel: &TimedKernel| {
        kernel.blocking > BigInt::ZERO
            || kernel.nonpreemptive.as_ref().is_none_or(|part| *part > BigInt::ZERO)
    };
    tasks.iter().any(|task| !task.locks.is_empty() || task.kernel.is_some_and(is_delayed))
}

/// The modes of a formulation, each as a formulation: itself if it has one mode.
pub(super) fn modes(formulation: &Formulation) -> &[Formulation] {
    match formulation.modes.as_slice() {
        [] => std::slice::from_ref(formulation),
        modes => modes,
    }
}

static NOTHING: BigInt = BigInt::ZERO;

/// Tasks whose parts are added up: a task has the time of all its rows, and these have none.
pub struct WholeTasks<'a> {
    rows: Vec<ScheduledTask<'a>>,
    /// Of every row that is a task with parts the sum, and its critical sections; empty if no task has parts.
    wholes: Vec<Option<(BigInt, Vec<TimedLock>)>>,
    is_part: Vec<bool>,
}

impl<'a> WholeTasks<'a> {
    /// `parts` are rows of one mode that say which of them are parts; those of all modes stand one after the other.
    pub(super) fn of(rows: Vec<ScheduledTask<'a>>, parts: &[TimedTask]) -> Self {
        if !parts.iter().any(|row| row.is_part) {
            return Self { rows, wholes: Vec::new(), is_part: Vec::new() };
        }
        let is_part: Vec<bool> = (0..rows.len()).map(|at| parts[at % parts.len()].is_part).collect();
        let whole = |at: usize| {
            let behind = 1 + is_part[at + 1..].iter().take_while(|is_part| **is_part).count();
            let sum = || rows[at..at + behind].iter().map(|row| row.wcet).sum();
            (!is_part[at] && behind > 1).then(|| (sum(), rows[at].locks.to_vec()))
        };
        Self { wholes: (0..rows.len()).map(whole).collect(), rows, is_part }
    }

    /// No critical section of a task with parts is longer than all of them, whose context switches are `switches`.
    fn limited(mut self, switches: &[BigInt]) -> Self {
        for (whole, switches) in self.wholes.iter_mut().zip(switches) {
            if let Some((wcet, locks)) = whole {
                let most = &*wcet - switches;
                locks
                    .iter_mut()
                    .filter(|lock| lock.longest > most)
                    .for_each(|lock| lock.longest.clone_from(&most));
                locks.retain(|lock| lock.longest > BigInt::ZERO);
            }
        }
        self
    }

    /// The tasks, one for every row: parts take no time and delay nothing.
    pub fn tasks(&self) -> Vec<ScheduledTask<'_>> {
        let mut tasks = self.rows.clone();
        for (at, whole) in self.wholes.iter().enumerate() {
            match whole {
                Some((wcet, locks)) => (tasks[at].wcet, tasks[at].locks) = (wcet, locks),
                None if self.is_part[at] => (tasks[at].wcet, tasks[at].locks) = (&NOTHING, &[]),
                None => {}
            }
        }
        tasks
    }
}

/// The tasks of a design, given as one choice (or none) per task, at the clock that it runs at; with several modes those
/// of each mode, one after the other. Every test of a design gets its tasks from here. Panics if `choices` does not have
/// one entry per task, or names a choice that does not exist.
pub fn scheduled_tasks<'a>(formulation: &'a Formulation, choices: &[Option<u32>]) -> WholeTasks<'a> {
    assert_eq!(choices.len(), formulation.tasks.len(), "one choice per task");
    let whole = WholeTasks::of(rows_of(formulation, choices), &formulation.tasks);
    if whole.wholes.iter().flatten().all(|(_, locks)| locks.is_empty()) {
        return whole;
    }
    let switches: Vec<BigInt> =
        modes(formulation).iter().flat_map(|mode| switches_of(mode, choices)).collect();
    whole.limited(&switches)
}

/// The tasks and parts of a design, as [`scheduled_tasks`] adds them up; the critical sections of a task with parts are the
/// longest that they can be.
pub(super) fn rows_of<'a>(formulation: &'a Formulation, choices: &[Option<u32>]) -> Vec<ScheduledTask<'a>> {
    if !formulation.modes.is_empty() {
        return formulation.modes.iter().flat_map(|mode| rows_of(mode, choices)).collect();
    }
    let rows = formulation.tasks_of(choices);
    let task = |(at, (task, &choice)): (usize, (&'a TimedTask, &Option<u32>))| {
        let has_parts = rows.get(at + 1).is_some_and(|next| next.is_part) && !task.is_part;
        let locks = if has_parts { &task.locks.most } else { task.locks_with(choice) };
        ScheduledTask::of(task, task.wcet_with(choice), locks)
    };
    rows.iter().zip(choices).enumerate().map(task).collect()
}

/// What context switches add to the execution time of each task of a design, those of its parts included; parts have none.
pub(super) fn switches_of(formulation: &Formulation, choices: &[Option<u32>]) -> Vec<BigInt> {
    let rows = formulation.tasks_of(choices);
    let mut sums: Vec<BigInt> = Vec::with_capacity(rows.len());
    let mut head = 0;
    for (at, (row, &choice)) in rows.iter().zip(choices).enumerate() {
        // A task of another mode has no switches.
        let own = row.switches_with(choice).cloned().unwrap_or_default();
        if row.is_part {
            sums[head] += own;
            sums.push(BigInt::ZERO);
        } else {
            head = at;
            sums.push(own);
        }
    }
    sums
}

/// Integers of a given width for sums of times.
pub(super) trait Width: Value + Integer {}

impl<T: Value + Integer> Width for T {}

/// A task with times of such an integer type.
pub(super) struct Timed<T> {
    pub wcet: T,
    pub period: T,
    pub deadline: T,
    /// Release jitter.
    pub jitter: T,
    /// How long its jobs wait for what others hold.
    pub blocking: T,
    /// Its longest part that cannot be interrupted.
    pub part: T,
    /// Whether that is always the whole job.
    pub runs_through: bool,
    /// The resources that it locks, with its critical section on each.
    pub sections: Vec<(u32, T)>,
}

impl<T: Width> Timed<T> {
    /// Converts the tasks; they and all computed values are at most `largest`. `None` if `T` may be too narrow.
    pub fn all(tasks: &[ScheduledTask], largest: &BigInt) -> Option<Vec<Self>> {
        T::from_big(largest)?;
        let timed = |task: &ScheduledTask| {
            let [wcet, period, deadline] = [task.wcet, task.period, task.deadline].map(T::from_big);
            let own = |time: Option<&BigInt>| time.map_or(Some(<T as Zero>::zero()), T::from_big);
            Some(Timed {
                wcet: wcet?,
                period: period?,
                deadline: deadline?,
                jitter: own(task.jitter())?,
                blocking: own(task.blocking())?,
                part: own(task.part())?,
                runs_through: task.runs_through(),
                sections: task
                    .locks
                    .iter()
                    .map(|lock| Some((lock.resource, T::from_big(&lock.longest)?)))
                    .collect::<Option<_>>()?,
            })
        };
        tasks.iter().map(timed).collect()
    }
}

/// Calls a generic function, which returns `None` if the integers may be too narrow, with the narrowest sufficient
/// width.
macro_rules! in_narrowest {
    ($function:ident($($argument:expr),*)) => {
        $function::<i64>($($argument),*)
            .or_else(|| $function::<i128>($($argument),*))
            .or_else(|| $function::<BigInt>($($argument),*))
            // Unreachable: big integers hold every number.
            .unwrap_or(Err(Undecided::Steps(0)))
    };
}
pub(super) use in_narrowest;
