//! Tasks in whole units of time.

use crate::model::{KernelCosts, Lock, Nonpreemptive, Task, TaskSet};
use isx_exact::order::sort;
use isx_exact::quantity::{self, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// What a formulation shares with those of the other variants and modes, and the number of its variant.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub set: &'a TaskSet,
    /// Which of so many; 0 of 0 if there are modes alone.
    pub number: usize,
    pub count: usize,
    pub time_unit: &'a Rational,
}

/// A choice with integer times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedChoice {
    /// e_ik with its context switches, in [`Formulation::time_unit`](super::Formulation::time_unit)s.
    pub wcet: BigInt,
    /// The critical sections of the task with it.
    pub locks: Vec<TimedLock>,
}

/// A critical section with an integer time, on a resource that several tasks lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedLock {
    /// The number of the resource in [`TaskSet::users_of_locks`].
    pub resource: u32,
    /// L > 0, at most the WCET without context switches.
    pub longest: BigInt,
}

/// The critical sections of a task, by resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedLocks {
    /// In software.
    pub software: Vec<TimedLock>,
    /// The shortest with any choice or in software, of resources that it locks with all of them.
    pub least: Vec<TimedLock>,
    /// The longest with any choice or in software.
    pub most: Vec<TimedLock>,
}

/// A task or a part of one with integer times, in [`Formulation::time_unit`](super::Formulation::time_unit)s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedTask {
    /// E_i with its context switches.
    pub wcet: BigInt,
    /// P_i.
    pub period: BigInt,
    /// D_i.
    pub deadline: BigInt,
    /// The choices in file order.
    pub choices: Vec<TimedChoice>,
    /// Whether every design must take a choice.
    pub forced: bool,
    /// Whether it is a part of the task before it, whose time it adds to.
    pub is_part: bool,
    /// What context switches add to the WCETs above: in software, then with each choice; empty if nothing.
    pub switches: Vec<BigInt>,
    /// What delays its jobs besides; `None` if nothing.
    pub kernel: Option<TimedKernel>,
    /// Its critical sections. Of a task with parts those in software are the shortest: they are limited by the time that
    /// all its parts take.
    pub locks: TimedLocks,
}

/// The costs of a kernel with integer times, see [`KernelCosts`](crate::KernelCosts).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedKernel {
    /// J_i.
    pub jitter: BigInt,
    /// D_i - J_i: the deadline, counted from the latest release.
    pub due: BigInt,
    /// B_i.
    pub blocking: BigInt,
    /// N_i, of a shorter job all of it; `None`: the whole job, once it has begun.
    pub nonpreemptive: Option<BigInt>,
}

impl TimedTask {
    /// Adds what the kernel costs this task of a set, by its number, whose locks have these `users`; `units` converts a time
    /// to whole units. A task of another mode executes for no time, and does not switch.
    pub(super) fn add_kernel_costs(
        &mut self,
        task: &Task,
        (set, at): (&TaskSet, usize),
        users: &[(&str, Vec<usize>)],
        units: &dyn Fn(&Rational) -> BigInt,
    ) {
        let rows = set.rows_of(at);
        if set.has_switches() && rows.iter().any(|row| row.wcets[0].is_positive()) {
            let switches = std::iter::once(None).chain(task.choices.iter().map(Some));
            self.switches = switches.map(|choice| units(&set.switches(task, choice))).collect();
            let switches = self.switches.clone();
            self.wcets_mut().zip(switches).for_each(|(wcet, switches)| *wcet += switches);
        }
        let KernelCosts { jitter, blocking, nonpreemptive, locks } = &task.kernel;
        self.kernel = (!task.kernel.is_zero()).then(|| TimedKernel {
            jitter: units(jitter),
            due: units(&(task.deadline() - jitter)),
            blocking: units(blocking),
            nonpreemptive: match nonpreemptive {
                Nonpreemptive::Part(part) => Some(units(part)),
                Nonpreemptive::All => None,
            },
        });
        let shared = |lock: &Lock, wcet: &Rational| {
            let resource = users.iter().position(|(name, tasks)| *name == lock.name && tasks.len() > 1)?;
            let longest = units((&lock.time).min(wcet));
            (longest > BigInt::ZERO).then_some(TimedLock { resource: resource as u32, longest })
        };
        let shares = |lock: &Lock| shared(lock, &lock.time).is_some();
        let timed = |locks: &[Lock], wcet: &Rational| -> Vec<TimedLock> {
            locks.iter().filter_map(|lock| shared(lock, wcet)).collect()
        };
        if rows.len() > 1 {
            let least = rows.iter().map(|row| row.least_wcet_in(0)).sum();
            self.locks.least = timed(locks, &least);
            self.locks.software.clone_from(&self.locks.least);
            let longest = |row: &Task| {
                let choices = row.choices.iter().map(|choice| &choice.wcets[0]);
                choices.chain([&row.wcets[0]]).max().cloned().unwrap_or_default()
            };
            self.locks.most = timed(locks, &rows.iter().map(longest).sum());
            if self.is_part && !self.switches.is_empty() && rows[0].kernel.locks.iter().any(shares) {
                self.record_execution();
            }
            return;
        }
        self.locks.software = timed(locks, &task.wcets[0]);
        for (timed_choice, choice) in self.choices.iter_mut().zip(&task.choices) {
            timed_choice.locks = timed(choice.locks.as_ref().unwrap_or(locks), &choice.wcets[0]);
        }
        let software = std::iter::once(&self.locks.software).filter(|_| !self.forced);
        let options: Vec<&Vec<TimedLock>> =
            software.chain(self.choices.iter().map(|choice| &choice.locks)).collect();
        let mut resources: Vec<u32> = options.iter().copied().flatten().map(|lock| lock.resource).collect();
        sort(&mut resources);
        resources.dedup();
        let (mut least, mut most) = (Vec::new(), Vec::new());
        for resource in resources {
            let sections = options.iter().copied().flatten().filter(|lock| lock.resource == resource);
            most.extend(sections.clone().max_by(|a, b| a.longest.cmp(&b.longest)).cloned());
            if sections.clone().count() == options.len() {
                least.extend(sections.min_by(|a, b| a.longest.cmp(&b.longest)).cloned());
            }
        }
        (self.locks.least, self.locks.most) = (least, most);
    }

    /// Records the execution time of a part, without context switches, as a critical section on a resource of its own. The
    /// critical sections of the task are limited by that time, so choices that differ in it must not dominate each other.
    fn record_execution(&mut self) {
        let own = |wcet: &BigInt, switches: &BigInt| {
            vec![TimedLock { resource: u32::MAX, longest: wcet - switches }]
        };
        self.locks.software = own(&self.wcet, &self.switches[0]);
        for (choice, switches) in self.choices.iter_mut().zip(&self.switches[1..]) {
            choice.locks = own(&choice.wcet, switches);
        }
    }

    /// The execution time in software, then with each choice.
    pub(super) fn wcets_mut(&mut self) -> impl Iterator<Item = &mut BigInt> {
        std::iter::once(&mut self.wcet).chain(self.choices.iter_mut().map(|choice| &mut choice.wcet))
    }

    /// All critical sections, several times where they are the same.
    pub(super) fn sections_mut(&mut self) -> impl Iterator<Item = &mut BigInt> {
        let TimedLocks { software, least, most } = &mut self.locks;
        let of_choices = self.choices.iter_mut().flat_map(|choice| &mut choice.locks);
        software.iter_mut().chain(least).chain(most).chain(of_choices).map(|lock| &mut lock.longest)
    }

    /// The task with its WCETs multiplied by `factor`; the unit of time makes them whole numbers.
    pub(super) fn slowed(&self, factor: &Rational) -> Self {
        let slowed = |wcet: &BigInt| wcet * factor.numer() / factor.denom();
        let mut task = self.clone();
        task.wcets_mut().for_each(|wcet| *wcet = slowed(wcet));
        task.switches.iter_mut().for_each(|switches| *switches = slowed(switches));
        if let Some(kernel) = &mut task.kernel {
            kernel.blocking = slowed(&kernel.blocking);
            kernel.nonpreemptive = kernel.nonpreemptive.as_ref().map(slowed);
        }
        task.sections_mut().for_each(|section| *section = slowed(section));
        task
    }

    /// What context switches add to the execution time with choice `choice`, or in software; `None` if nothing.
    pub fn switches_with(&self, choice: Option<u32>) -> Option<&BigInt> {
        self.switches.get(choice.map_or(0, |choice| choice as usize + 1))
    }

    /// The critical sections with choice `choice`, or in software. Panics if the choice does not exist.
    pub fn locks_with(&self, choice: Option<u32>) -> &[TimedLock] {
        choice.map_or(&self.locks.software, |choice| &self.choices[choice as usize].locks)
    }

    /// The execution time with choice `choice`, or in software. Panics if the choice does not exist.
    pub fn wcet_with(&self, choice: Option<u32>) -> &BigInt {
        choice.map_or(&self.wcet, |choice| &self.choices[choice as usize].wcet)
    }
}

/// All times of a set.
pub(super) fn durations(taskset: &TaskSet) -> impl Iterator<Item = &Rational> {
    let times = taskset.tasks.iter().flat_map(|task| [task.period(), task.deadline(), &task.kernel.jitter]);
    times.chain(executions(taskset))
}

/// All times of a set that a lower clock makes longer.
pub(super) fn executions(taskset: &TaskSet) -> impl Iterator<Item = &Rational> {
    let tasks = taskset.tasks.iter().flat_map(|task| {
        let choices = task.choices.iter().map(|choice| &choice.wcets[0]);
        let part = match &task.kernel.nonpreemptive {
            Nonpreemptive::Part(part) => Some(part),
            Nonpreemptive::All => None,
        };
        let parts = part.into_iter().chain(task.sections().map(|lock| &lock.time));
        [&task.wcets[0], &task.kernel.blocking].into_iter().chain(parts).chain(choices)
    });
    tasks.chain(taskset.blocks.iter().map(|block| &block.switch)).chain([&taskset.switch])
}

/// The largest rational that divides every one of `values` into an integer; 1 if all are zero.
pub(super) fn common_unit<'a>(values: impl Iterator<Item = &'a Rational>) -> Rational {
    let (mut numerator, mut denominator) = (BigInt::ZERO, BigInt::one());
    for value in values {
        // Most are whole numbers, and after some of them the unit is 1.
        if !numerator.is_one() {
            numerator = quantity::gcd(&numerator, value.numer());
        }
        if !value.denom().is_one() {
            denominator = quantity::lcm(&denominator, value.denom());
        }
    }
    if numerator == BigInt::ZERO { Rational::one() } else { Rational::new(numerator, denominator) }
}
