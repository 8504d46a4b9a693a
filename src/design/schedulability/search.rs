//! Branch and bound over the designs of a task set, for cases that utilization alone does not decide.
//!
//! Lowering a WCET never makes a schedulable set unschedulable (see the module `analysis`). So a choice with no
//! less area and no less WCET than another, software included, is dropped. The rest is searched depth first, from the
//! last task to the first, with each task's candidates in canonical order (software, then file order). A partial
//! design is pruned if a [`Cut`] shows that no completion within the area meets it, or none that is better than the
//! best design found. A complete design that meets all cuts is given to the scheduler's test; if it fails, the
//! resulting requirement on all designs becomes a cut, or under fixed priorities several cuts, one of which must be
//! met ([`Alternatives`]).
//!
//! Designs are ranked by area, then by utilization, then by search order: among equal designs the first one found is
//! kept, so the answer does not depend on when cuts are added.
//!
//! Worked instance: two tasks (E, P, D) = (4, 16, 5), (3, 4, 4) with one choice each, WCET 2, area 1; capacity 1.
//! The design of least utilization, 4/16 + 2/4, fails at 5, where dbf = 4 + 2. The cut at 5 is e_1 + e_2 <= 5: it
//! rules out (4, 3) and (4, 2) and leaves (2, 3), which passes with U = 2/16 + 3/4.
//!
//! A shared block is charged to the first task on the path that uses it; the lower bound for the unassigned tasks
//! assumes that all blocks are already built.

use super::alternatives::{Alternatives, Extremes};
use super::built_blocks::BuiltBlocks;
use super::candidate::{Candidate, candidates};
use super::cut::Cut;
use crate::schedulability::analysis::{Analysis, modes};
use crate::schedulability::effort::{Effort, Undecided, weight};
use crate::schedulability::outcome::{Outcome, Requirement, SmallestArea, Strict};
use crate::schedulability::task::{ScheduledTask, WholeTasks, scheduled_tasks};
use isx_problems::value::{Tier, Value};
use isx_taskset::formulate::{Formulation, Policy, TimedTask};
use num_bigint::BigInt;

/// Approximate limit on the total steps of the staircases of all cuts: ten megabytes, or some dozens with many cuts.
const STAIRCASE_STEPS: usize = 1 << 19;
/// Maximum steps per staircase.
const STAIRCASE_WIDTH: usize = 2048;
/// Maximum total steps of the staircases of a failure that gives several cuts.
const SHARED_WIDTH: usize = 1024;
/// Maximum number of cuts; beyond that, failing designs add no cut.
const MOST_CUTS: usize = 2000;
/// The cost of a lookup in the staircase of a cut, and of updating the cut's state.
const BOUND_STEPS: u64 = 8;

/// Searches the best schedulable design of at most `capacity` area units. `known` are requirements on all designs
/// from an earlier failure. If `strict`, only designs count whose margin is above 1.
pub(super) fn search(
    formulation: &Formulation,
    capacity: u64,
    known: Option<Vec<Requirement>>,
    strict: Strict,
    effort: &mut Effort,
) -> SmallestArea {
    // A design with U <= 1 that fails does so before its busy period ends, by h: under EDF no cut has a limit above
    // h, or h and a deadline if jobs wait, under fixed priorities none above the deadline of a job released before h.
    let tasks = || modes(formulation).iter().flat_map(|mode| &mode.tasks);
    let latest = match formulation.policy {
        Policy::Edf if strict == Strict::No && tasks().all(is_plain) => BigInt::ZERO,
        _ => tasks().map(|task| task.deadline.clone()).max().unwrap_or_default(),
    };
    let largest = (&formulation.hyperperiod + latest + 1u32) * (formulation.tasks.len() + 1);
    let found = match Tier::narrowest(&largest) {
        Tier::I32 | Tier::I64 => Search::<i64>::run(formulation, capacity, known, strict, effort),
        Tier::I128 => Search::<i128>::run(formulation, capacity, known, strict, effort),
        Tier::Big => Search::<BigInt>::run(formulation, capacity, known, strict, effort),
    };
    found.unwrap_or_else(|why| SmallestArea { best: None, undecided: Some(why) })
}

/// The rank of a complete design: less area first, then a lower demand over h (stored minus h) in the mode where it is
/// largest.
type Merit = (u64, BigInt);

struct Search<'a, V> {
    formulation: &'a Formulation,
    test: Analysis<'a>,
    capacity: u64,
    effort: &'a mut Effort,
    /// The cost of an operation on numbers up to h.
    weight: u64,
    tasks: Vec<Vec<Candidate<'a>>>,
    extremes: Extremes<'a>,
    /// U <= 1, in every mode.
    utilization: Vec<Cut<V>>,
    cuts: Vec<Alternatives<V>>,
    /// The total number of these cuts.
    cut_count: usize,
    /// The candidate of each assigned task.
    path: Vec<usize>,
    /// `area[i]`: area of tasks i and later, in integers in which no sum of areas overflows.
    area: Vec<u128>,
    /// The blocks used by tasks i and later.
    built: BuiltBlocks<'a>,
    best: Option<(Merit, Vec<Option<u32>>)>,
    /// The best design whose test was undecided.
    unsure: Option<(Merit, Undecided)>,
}

impl<'a, V: Value> Search<'a, V> {
    fn run(
        formulation: &'a Formulation,
        capacity: u64,
        known: Option<Vec<Requirement>>,
        strict: Strict,
        effort: &'a mut Effort,
    ) -> Result<SmallestArea, Undecided> {
        let count = formulation.tasks.len();
        let tasks = candidates(formulation, capacity);
        // A forced choice may exceed the budget or need a slower clock: then there is no design.
        if tasks.iter().any(Vec::is_empty) {
            return Ok(SmallestArea::default());
        }
        let test = Analysis::new(formulation).strict(strict);
        let width = staircase_width(count, 0);
        let mut utilization = Vec::with_capacity(test.modes.len());
        for (number, mode) in test.modes.iter().enumerate() {
            let jobs = test.in_all_modes(number, &mode.frequencies);
            let limit = mode.hyperperiod - strict.unit();
            let fits = Requirement { jobs, limit, section: None };
            utilization.push(Cut::new(&tasks, &fits, (capacity, width), false, effort)?);
        }
        let mut search = Self {
            formulation,
            test,
            capacity,
            effort,
            weight: weight(formulation.hyperperiod.bits()),
            extremes: Extremes::new(&tasks),
            tasks,
            utilization,
            cuts: Vec::new(),
            cut_count: 0,
            path: vec![0; count],
            area: vec![0; count + 1],
            built: BuiltBlocks::new(&formulation.sharing, count),
            best: None,
            unsure: None,
        };
        if let Some(known) = known {
            search.add_cuts(known)?;
        }
        if search.fails_with_every_fastest_choice()? {
            return Ok(SmallestArea::default());
        }
        let ended = search.descend();
        // An undecided design leaves the answer open only if it would be better than the best. Among equal designs
        // the undecided one came first, otherwise it would not have been tested.
        let is_open =
            |(unsure, _): &(Merit, Undecided)| search.best.as_ref().is_none_or(|(best, _)| unsure <= best);
        let undecided = ended.err().or(search.unsure.filter(is_open).map(|(_, why)| why));
        Ok(SmallestArea { best: search.best.map(|(_, choices)| choices), undecided })
    }

    /// Traverses the tree of partial designs.
    fn descend(&mut self) -> Result<(), Undecided> {
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
            self.assign(task, candidate)?;
            if !self.is_promising(task)? {
                continue;
            }
            if task > 0 {
                task -= 1;
            } else {
                self.try_design()?;
            }
        }
        Ok(())
    }

    fn assign(&mut self, task: usize, candidate: usize) -> Result<(), Undecided> {
        self.effort.take(self.weight * (1 + self.cut_count as u64))?;
        self.path[task] = candidate;
        let taken = &self.tasks[task][candidate];
        let shared = self.built.assign(task, taken.uses);
        self.area[task] = self.area[task + 1] + u128::from(taken.area()) + shared;
        for cut in &mut self.utilization {
            cut.assign(task, candidate);
        }
        for cut in &mut self.cuts {
            cut.assign(task, candidate);
        }
        Ok(())
    }

    /// Whether some completion of the tasks from `task` on may meet every cut and improve on the best design.
    fn is_promising(&mut self, task: usize) -> Result<bool, Undecided> {
        let most = self.best.as_ref().map_or(self.capacity, |((area, _), _)| *area);
        // The area that the assigned tasks leave for the others.
        let Some(most) = u128::from(most).checked_sub(self.area[task]) else { return Ok(false) };
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        let bound = BOUND_STEPS * self.weight;
        self.effort.take(bound)?;
        let needed = self.utilization.iter().map(|cut| cut.least_area(task));
        let needed = needed.reduce(|a, b| Some(a?.max(b?))).flatten();
        let Some(mut least) = needed.filter(|&least| least <= most) else { return Ok(false) };
        for at in 0..self.cuts.len() {
            let area = self.cuts[at].least_area(task, least, bound, self.effort)?;
            match area.filter(|&area| area <= most) {
                Some(area) => least = least.max(area),
                None => {
                    // Move a cut that pruned a partial design forward, so that it is checked earlier next time.
                    self.cuts.swap(at, at / 2);
                    return Ok(false);
                }
            }
        }
        let Some(((_, best), _)) = &self.best else { return Ok(true) };
        Ok(least < most || self.least_excess(task, most).is_some_and(|excess| excess < *best))
    }

    /// The least demand over h of a completion, minus h, in the mode where that is largest.
    fn least_excess(&self, task: usize, area: u64) -> Option<BigInt> {
        let h = &self.formulation.hyperperiod;
        let modes = self.utilization.iter().zip(&self.test.modes);
        let excess =
            modes.map(|(cut, mode)| Some(cut.least_excess(task, area)?.to_big() * (h / mode.hyperperiod)));
        excess.reduce(|a, b| Some(a?.max(b?))).flatten()
    }

    /// Tests a complete design that meets all cuts and would be the best.
    fn try_design(&mut self) -> Result<(), Undecided> {
        let design = self.tasks.iter().zip(&self.path);
        let choices: Vec<_> = design.map(|(task, &candidate)| task[candidate].choice).collect();
        let Some(excess) = self.least_excess(0, 0) else { return Ok(()) };
        let Ok(area) = u64::try_from(self.area[0]) else { return Ok(()) };
        let merit = (area, excess);
        let tasks = scheduled_tasks(self.formulation, &choices);
        let tasks = tasks.tasks();
        match self.test.test(&tasks, self.effort) {
            Outcome::Passes => self.best = Some((merit, choices)),
            Outcome::Fails(failure) => self.add_cuts(self.test.requirements(&tasks, &failure))?,
            Outcome::Overload => {}
            Outcome::Undecided(spent @ Undecided::Steps(_)) => return Err(spent),
            Outcome::Undecided(undecided) => {
                if self.unsure.as_ref().is_none_or(|(unsure, _)| merit < *unsure) {
                    self.unsure = Some((merit, undecided));
                }
            }
        }
        Ok(())
    }

    /// Whether it is certain that no design is schedulable: fixed priorities fail even with the fastest choice of
    /// every task, regardless of area.
    fn fails_with_every_fastest_choice(&mut self) -> Result<bool, Undecided> {
        // Under EDF the first cuts show the same, unless what jobs wait for depends on the design.
        let tasks = || modes(self.formulation).iter().flat_map(|mode| &mode.tasks);
        if self.formulation.policy == Policy::Edf && tasks().all(is_plain) {
            return Ok(false);
        }
        let fastest =
            tasks().zip(self.extremes.shortest()).map(|(task, wcet)| ScheduledTask::fastest(task, wcet));
        let fastest = WholeTasks::of(fastest.collect(), &self.formulation.tasks);
        match self.test.test(&fastest.tasks(), self.effort) {
            Outcome::Overload | Outcome::Fails(_) => Ok(true),
            Outcome::Undecided(spent @ Undecided::Steps(_)) => Err(spent),
            Outcome::Passes | Outcome::Undecided(_) => Ok(false),
        }
    }

    /// Adds the cuts of a failure, and updates them to the current state of the search.
    fn add_cuts(&mut self, requirements: Vec<Requirement>) -> Result<(), Undecided> {
        if self.cut_count >= MOST_CUTS {
            return Ok(());
        }
        let (tasks, cuts) = (self.tasks.len(), self.cut_count);
        // With several cuts each has fewer steps, so that building all takes no longer than building a single one.
        let width = |several: usize| match several {
            0 | 1 => staircase_width(tasks, cuts),
            several => staircase_width(tasks, cuts + several - 1).min(SHARED_WIDTH.div_ceil(several)),
        };
        let (all, extremes) = (&self.tasks, &self.extremes);
        let mut cuts = Alternatives::new(requirements, all, extremes, self.capacity, width, self.effort)?;
        for (task, &candidate) in self.path.iter().enumerate().rev() {
            cuts.assign(task, candidate);
        }
        self.cut_count += cuts.count();
        self.cuts.push(cuts);
        Ok(())
    }
}

/// Whether a task has neither jitter nor makes others wait, nor waits for them.
fn is_plain(task: &TimedTask) -> bool {
    task.kernel.is_none() && task.locks.most.is_empty()
}

/// The staircase width of one more cut, given `cuts` existing ones.
fn staircase_width(tasks: usize, cuts: usize) -> usize {
    (STAIRCASE_STEPS / (tasks.max(1) * (cuts + 1))).clamp(1, STAIRCASE_WIDTH)
}
