//! Branch and bound over the designs of a task set whose deadlines are constrained.
//!
//! Lowering a WCET never makes a schedulable set unschedulable (uniprocessor EDF is sustainable with respect to
//! execution times: S. Baruah and A. Burns, "Sustainable scheduling analysis", RTSS 2006; here simply because
//! dbf(t) falls with every e_i). So a choice with no less area and no less WCET than another, software included,
//! is left out. The rest is searched depth first, from the last task to the first, each task's candidates in
//! canonical order (software, then file order). A partial design is dropped when a [`Cut`] shows that no completion
//! within the area meets it, or none that is better than the best design found. A full design that meets all
//! cuts is put to the demand test; the time at which it fails becomes a cut.
//!
//! Better is less area, then less utilization, then first in the order of the search: of equal designs the first
//! one met is kept, so the answer does not depend on which cuts were made when.
//!
//! Worked instance: two tasks (E, P, D) = (4, 16, 5), (3, 4, 4) with one choice each, WCET 2, area 1; capacity 1.
//! The design of least utilization, 4/16 + 2/4, fails at 5, where dbf = 4 + 2. The cut at 5 is e_1 + e_2 <= 5: it
//! rules out (4, 3) and (4, 2) and leaves (2, 3), which passes with U = 2/16 + 3/4.

use super::cut::Cut;
use super::demand::{Demand, counted_test, jobs_due};
use super::{Limits, Undecided, edf_tasks};
use crate::formulate::{Formulation, TimedTask};
use crate::problem::value::Value;
use num_bigint::BigInt;

/// A choice of a task, or software, that no other of the task dominates.
pub(super) struct Candidate<'a> {
    choice: Option<u32>,
    pub(super) wcet: &'a BigInt,
    pub(super) area: u64,
}

impl<'a> Candidate<'a> {
    pub(super) fn new(choice: Option<u32>, wcet: &'a BigInt, area: u64) -> Self {
        Self { choice, wcet, area }
    }
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Any schedulable design.
    Any,
    /// The best schedulable design.
    Best,
}

/// What a search found.
pub(super) enum Found {
    /// A schedulable design, as was asked for.
    Design(Vec<Option<u32>>),
    /// There is none.
    Nothing,
    /// Not decided; the schedulable design is the best found, if one was.
    Undecided(Undecided, Option<Vec<Option<u32>>>),
}

/// Steps that the staircases of all cuts together have, about: ten megabytes, some dozens with many cuts.
const STAIRCASE_STEPS: usize = 1 << 19;
/// Most steps of a staircase.
const STAIRCASE_WIDTH: usize = 2048;
/// Most cuts kept; beyond, failing designs are merely passed over.
const MOST_CUTS: usize = 2000;

/// Searches the designs of at most `capacity` area units. `failing` is a time at which some design is known to fail.
pub(super) fn search(
    formulation: &Formulation,
    capacity: u64,
    goal: Goal,
    failing: Option<&BigInt>,
    limits: &Limits,
) -> Found {
    // No cut has a limit above h: a design with U <= 1 that fails does so before its busy period ends, by h.
    let largest = (&formulation.hyperperiod + 1u32) * (formulation.tasks.len() + 1);
    if i64::from_big(&largest).is_some() {
        Search::<i64>::run(formulation, capacity, goal, failing, limits)
    } else if i128::from_big(&largest).is_some() {
        Search::<i128>::run(formulation, capacity, goal, failing, limits)
    } else {
        Search::<BigInt>::run(formulation, capacity, goal, failing, limits)
    }
}

/// The undominated candidates of a task within `capacity`, in canonical order.
fn candidates(task: &TimedTask, capacity: u64) -> Vec<Candidate<'_>> {
    let software = Candidate::new(None, &task.wcet, 0);
    let hardware = (0u32..)
        .zip(&task.choices)
        .map(|(index, choice)| Candidate::new(Some(index), &choice.wcet, choice.area));
    let mut all: Vec<_> = std::iter::once(software).chain(hardware).collect();
    all.sort_by_key(|candidate| (candidate.area, candidate.wcet, candidate.choice));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in all.into_iter().filter(|candidate| candidate.area <= capacity) {
        if kept.last().is_none_or(|last| candidate.wcet < last.wcet) {
            kept.push(candidate);
        }
    }
    kept.sort_by_key(|candidate| candidate.choice);
    kept
}

/// What of a full design makes it better: less area, then a lower demand over h (here less h).
type Merit<V> = (u64, V);

struct Best<V> {
    merit: Merit<V>,
    choices: Vec<Option<u32>>,
}

struct Search<'a, V> {
    formulation: &'a Formulation,
    capacity: u64,
    limits: &'a Limits,
    tasks: Vec<Vec<Candidate<'a>>>,
    /// U <= 1.
    utilization: Cut<V>,
    cuts: Vec<Cut<V>>,
    /// The candidate of each task assigned.
    path: Vec<usize>,
    /// `area[i]`: of tasks i and later.
    area: Vec<u64>,
    best: Option<Best<V>>,
    /// The best design whose demand test did not end.
    unsure: Option<(Merit<V>, Undecided)>,
    demand_steps: u64,
    search_steps: u64,
}

impl<'a, V: Value> Search<'a, V> {
    fn run(
        formulation: &'a Formulation,
        capacity: u64,
        goal: Goal,
        failing: Option<&BigInt>,
        limits: &'a Limits,
    ) -> Found {
        let count = formulation.tasks.len();
        let tasks: Vec<_> = formulation.tasks.iter().map(|task| candidates(task, capacity)).collect();
        let h = &formulation.hyperperiod;
        let frequencies: Vec<BigInt> = formulation.tasks.iter().map(|task| h / &task.period).collect();
        let width = staircase_width(count, 0);
        let Some(utilization) = Cut::new(&tasks, &frequencies, h, capacity, width) else {
            return Found::Undecided(Undecided::SearchSteps(0), None);
        };
        let mut search = Self {
            formulation,
            capacity,
            limits,
            tasks,
            utilization,
            cuts: Vec::new(),
            path: vec![0; count],
            area: vec![0; count + 1],
            best: None,
            unsure: None,
            demand_steps: 0,
            search_steps: 0,
        };
        if let Some(time) = failing {
            search.add_cut(time);
        }
        match search.descend(goal) {
            Ok(()) => search.outcome(goal),
            Err(undecided) => Found::Undecided(undecided, search.best.map(|best| best.choices)),
        }
    }

    /// Walks the tree of partial designs.
    fn descend(&mut self, goal: Goal) -> Result<(), Undecided> {
        let count = self.tasks.len();
        let Some(mut task) = count.checked_sub(1) else { return Ok(()) };
        let mut next = vec![0; count];
        while task < count {
            let candidate = next[task];
            if candidate == self.tasks[task].len() {
                next[task] = 0;
                task += 1;
                continue;
            }
            next[task] += 1;
            self.assign(task, candidate);
            if !self.is_promising(task)? {
                continue;
            }
            if task > 0 {
                task -= 1;
            } else {
                self.try_design()?;
                if goal == Goal::Any && self.best.is_some() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn assign(&mut self, task: usize, candidate: usize) {
        self.path[task] = candidate;
        self.area[task] = self.area[task + 1] + self.tasks[task][candidate].area;
        self.utilization.assign(task, candidate);
        for cut in &mut self.cuts {
            cut.assign(task, candidate);
        }
    }

    /// Whether some completion of the tasks from `task` on may meet every cut and be better than the best.
    fn is_promising(&mut self, task: usize) -> Result<bool, Undecided> {
        self.spend(1 + self.cuts.len() as u64)?;
        let assigned = self.area[task];
        let most = self.best.as_ref().map_or(self.capacity, |best| best.merit.0);
        let Some(mut least) = self.utilization.least_area(task) else { return Ok(false) };
        if assigned + least > most {
            return Ok(false);
        }
        for at in 0..self.cuts.len() {
            match self.cuts[at].least_area(task).filter(|area| assigned + area <= most) {
                Some(area) => least = least.max(area),
                None => {
                    // A cut that has cut is asked sooner the next time.
                    self.cuts.swap(at, at / 2);
                    return Ok(false);
                }
            }
        }
        let Some(best) = &self.best else { return Ok(true) };
        let lower = |excess: V| excess < best.merit.1;
        Ok(assigned + least < most || self.utilization.least_excess(task, most - assigned).is_some_and(lower))
    }

    /// Puts the full design, which meets all cuts and would be the best, to the demand test.
    fn try_design(&mut self) -> Result<(), Undecided> {
        let design = self.tasks.iter().zip(&self.path);
        let choices: Vec<_> = design.map(|(task, &candidate)| task[candidate].choice).collect();
        let Some(excess) = self.utilization.least_excess(0, 0) else { return Ok(()) };
        let merit = (self.area[0], excess);
        let left = self.limits.demand_steps - self.demand_steps;
        let allowed = left.min(self.limits.design_steps);
        let (demand, steps) = counted_test(&edf_tasks(self.formulation, &choices), allowed);
        self.demand_steps += steps;
        match demand {
            Demand::Passes => self.best = Some(Best { merit, choices }),
            Demand::Fails { time, .. } => {
                self.spend(STAIRCASE_WIDTH as u64)?;
                self.add_cut(&time);
            }
            Demand::Overload => {}
            Demand::Undecided(_) if allowed < self.limits.design_steps => {
                return Err(Undecided::TotalDemandSteps(self.limits.demand_steps));
            }
            Demand::Undecided(undecided) => {
                if self.unsure.as_ref().is_none_or(|(unsure, _)| merit < *unsure) {
                    self.unsure = Some((merit, undecided));
                }
            }
        }
        Ok(())
    }

    /// Adds the cut at `time`, and brings it to where the search stands.
    fn add_cut(&mut self, time: &BigInt) {
        if self.cuts.len() >= MOST_CUTS {
            return;
        }
        let tasks = &self.formulation.tasks;
        let jobs: Vec<BigInt> =
            tasks.iter().map(|task| jobs_due(&task.period, &task.deadline, time)).collect();
        let width = staircase_width(tasks.len(), self.cuts.len());
        let Some(mut cut) = Cut::new(&self.tasks, &jobs, time, self.capacity, width) else { return };
        for (task, &candidate) in self.path.iter().enumerate().rev() {
            cut.assign(task, candidate);
        }
        self.cuts.push(cut);
    }

    fn spend(&mut self, steps: u64) -> Result<(), Undecided> {
        self.search_steps += steps;
        let limit = self.limits.search_steps;
        if self.search_steps > limit { Err(Undecided::SearchSteps(limit)) } else { Ok(()) }
    }

    /// What a search that walked the whole tree, or found any design, found.
    fn outcome(self, goal: Goal) -> Found {
        // An undecided design that would be no better than the best is of no account: of equal ones it was met
        // first, or it would not have been tested.
        let unsure = self.unsure.filter(|(unsure, _)| match &self.best {
            Some(best) => goal == Goal::Best && *unsure <= best.merit,
            None => true,
        });
        match (unsure, self.best) {
            (Some((_, undecided)), best) => Found::Undecided(undecided, best.map(|best| best.choices)),
            (None, Some(best)) => Found::Design(best.choices),
            (None, None) => Found::Nothing,
        }
    }
}

/// The width of the staircases of one more cut, when there are `cuts` already.
fn staircase_width(tasks: usize, cuts: usize) -> usize {
    (STAIRCASE_STEPS / (tasks.max(1) * (cuts + 1))).clamp(1, STAIRCASE_WIDTH)
}
