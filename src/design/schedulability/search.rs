//! Branch and bound over the designs of a task set, where more than utilization decides.
//!
//! Lowering a WCET never makes a schedulable set unschedulable (see the module `design_test`). So a choice with no less
//! area and no less WCET than another, software included, is left out. The rest is searched depth first, from the last
//! task to the first, each task's candidates in canonical order (software, then file order). A partial design is pruned
//! when a [`Cut`] shows that no completion within the area meets it, or none that is better than the best design found.
//! A full design that meets all cuts is put to the scheduler's test; where it fails, what its failure requires of every
//! design becomes a cut, or under fixed priorities several, one of which is to be met ([`Alternatives`]).
//!
//! Better is less area, then less utilization, then first in the order of the search: of equal designs the first
//! one met is kept, so the answer does not depend on which cuts were made when.
//!
//! Worked instance: two tasks (E, P, D) = (4, 16, 5), (3, 4, 4) with one choice each, WCET 2, area 1; capacity 1.
//! The design of least utilization, 4/16 + 2/4, fails at 5, where dbf = 4 + 2. The cut at 5 is e_1 + e_2 <= 5: it
//! rules out (4, 3) and (4, 2) and leaves (2, 3), which passes with U = 2/16 + 3/4.
//!
//! Blocks that choices share are paid for by the first task on the way that uses them; what the tasks not yet assigned
//! need at least is counted as if all blocks were there.

use super::alternatives::{Alternatives, Extremes};
use super::built_blocks::BuiltBlocks;
use super::candidate::{Candidate, candidates};
use super::cut::Cut;
use crate::schedulability::design_test::{DesignTest, Outcome, Requirement};
use crate::schedulability::effort::{Effort, Undecided, weight};
use crate::schedulability::task::{ScheduledTask, scheduled_tasks};
use isx_problems::value::{Tier, Value};
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;

/// What a search found.
pub(super) enum Found {
    /// The best schedulable design.
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
/// Most steps of the staircases of all cuts of one failure together, where it gives several.
const SHARED_WIDTH: usize = 1024;
/// Most cuts kept; beyond, failing designs are merely passed over.
const MOST_CUTS: usize = 2000;
/// What it costs to look a bound up in the staircase of a cut, and to keep the cut where the search stands.
const BOUND_STEPS: u64 = 8;

/// Searches the best schedulable design of at most `capacity` area units. `known` is what the failure of some design
/// is known to require of all.
pub(super) fn search(
    formulation: &Formulation,
    capacity: u64,
    known: Option<Vec<Requirement>>,
    effort: &mut Effort,
) -> Found {
    // A design with U <= 1 that fails does so before its busy period ends, by h: under EDF no cut has a limit above h,
    // under fixed priorities none above the deadline of a job released before h.
    let latest = match formulation.policy {
        Policy::Edf => BigInt::ZERO,
        Policy::FixedPriority(_) => {
            formulation.tasks.iter().map(|task| task.deadline.clone()).max().unwrap_or_default()
        }
    };
    let largest = (&formulation.hyperperiod + latest + 1u32) * (formulation.tasks.len() + 1);
    let found = match Tier::narrowest(&largest) {
        Tier::I32 | Tier::I64 => Search::<i64>::run(formulation, capacity, known, effort),
        Tier::I128 => Search::<i128>::run(formulation, capacity, known, effort),
        Tier::Big => Search::<BigInt>::run(formulation, capacity, known, effort),
    };
    found.unwrap_or_else(|undecided| Found::Undecided(undecided, None))
}

/// What of a full design makes it better: less area, then a lower demand over h (here less h).
type Merit<V> = (u64, V);

struct Search<'a, V> {
    formulation: &'a Formulation,
    test: DesignTest<'a>,
    capacity: u64,
    effort: &'a mut Effort,
    /// What an operation on numbers up to h is worth.
    weight: u64,
    tasks: Vec<Vec<Candidate<'a>>>,
    extremes: Extremes<'a>,
    /// U <= 1.
    utilization: Cut<V>,
    cuts: Vec<Alternatives<V>>,
    /// How many cuts these are together.
    cut_count: usize,
    /// The candidate of each task assigned.
    path: Vec<usize>,
    /// `area[i]`: of tasks i and later, in integers in which no sum of areas overflows.
    area: Vec<u128>,
    /// The blocks of tasks i and later.
    built: BuiltBlocks<'a>,
    best: Option<(Merit<V>, Vec<Option<u32>>)>,
    /// The best design whose test did not end.
    unsure: Option<(Merit<V>, Undecided)>,
}

impl<'a, V: Value> Search<'a, V> {
    fn run(
        formulation: &'a Formulation,
        capacity: u64,
        known: Option<Vec<Requirement>>,
        effort: &'a mut Effort,
    ) -> Result<Found, Undecided> {
        let count = formulation.tasks.len();
        let tasks = candidates(formulation, capacity);
        // A choice that is forced may need more than there is, or a slower clock: then there is no design at all.
        if tasks.iter().any(Vec::is_empty) {
            return Ok(Found::Nothing);
        }
        let test = DesignTest::new(formulation);
        let (h, jobs) = (&formulation.hyperperiod, &test.frequencies);
        let width = staircase_width(count, 0);
        let utilization = Cut::new(&tasks, jobs, h, (capacity, width), false, effort)?;
        let mut search = Self {
            formulation,
            test,
            capacity,
            effort,
            weight: weight(h.bits()),
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
            return Ok(Found::Nothing);
        }
        Ok(match search.descend() {
            Ok(()) => search.outcome(),
            Err(undecided) => Found::Undecided(undecided, search.best.map(|(_, choices)| choices)),
        })
    }

    /// Walks the tree of partial designs.
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
        self.area[task] = self.area[task + 1] + u128::from(taken.area) + shared;
        self.utilization.assign(task, candidate);
        for cut in &mut self.cuts {
            cut.assign(task, candidate);
        }
        Ok(())
    }

    /// Whether some completion of the tasks from `task` on may meet every cut and be better than the best.
    fn is_promising(&mut self, task: usize) -> Result<bool, Undecided> {
        let most = self.best.as_ref().map_or(self.capacity, |((area, _), _)| *area);
        // What the assigned tasks leave of the area for the others.
        let Some(most) = u128::from(most).checked_sub(self.area[task]) else { return Ok(false) };
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        let bound = BOUND_STEPS * self.weight;
        self.effort.take(bound)?;
        let Some(mut least) = self.utilization.least_area(task).filter(|&least| least <= most) else {
            return Ok(false);
        };
        for at in 0..self.cuts.len() {
            let area = self.cuts[at].least_area(task, least, bound, self.effort)?;
            match area.filter(|&area| area <= most) {
                Some(area) => least = least.max(area),
                None => {
                    // A cut that rules a partial design out is asked sooner the next time.
                    self.cuts.swap(at, at / 2);
                    return Ok(false);
                }
            }
        }
        let Some(((_, best), _)) = &self.best else { return Ok(true) };
        let lower = |excess: V| excess < *best;
        Ok(least < most || self.utilization.least_excess(task, most).is_some_and(lower))
    }

    /// Puts the full design, which meets all cuts and would be the best, to the test.
    fn try_design(&mut self) -> Result<(), Undecided> {
        let design = self.tasks.iter().zip(&self.path);
        let choices: Vec<_> = design.map(|(task, &candidate)| task[candidate].choice).collect();
        let Some(excess) = self.utilization.least_excess(0, 0) else { return Ok(()) };
        let Ok(area) = u64::try_from(self.area[0]) else { return Ok(()) };
        let merit = (area, excess);
        let tasks = scheduled_tasks(self.formulation, &choices);
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

    /// Whether no design is schedulable for sure: fixed priorities fail with the fastest choice of every task, whatever
    /// it needs.
    fn fails_with_every_fastest_choice(&mut self) -> Result<bool, Undecided> {
        // Under EDF the first cuts tell as much.
        if self.formulation.policy == Policy::Edf {
            return Ok(false);
        }
        let fastest = self.formulation.tasks.iter().zip(self.extremes.shortest());
        let fastest = fastest.map(|(task, wcet)| ScheduledTask {
            wcet,
            period: &task.period,
            deadline: &task.deadline,
        });
        match self.test.test(&fastest.collect::<Vec<_>>(), self.effort) {
            Outcome::Overload | Outcome::Fails(_) => Ok(true),
            Outcome::Undecided(spent @ Undecided::Steps(_)) => Err(spent),
            Outcome::Passes | Outcome::Undecided(_) => Ok(false),
        }
    }

    /// Adds the cuts of a failure, and brings them to where the search stands.
    fn add_cuts(&mut self, requirements: Vec<Requirement>) -> Result<(), Undecided> {
        if self.cut_count >= MOST_CUTS {
            return Ok(());
        }
        let (tasks, cuts) = (self.tasks.len(), self.cut_count);
        // Of several cuts each has fewer steps, so that together they take no longer to make than some one.
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

    /// What a search that walked the whole tree found.
    fn outcome(self) -> Found {
        // An undecided design leaves the answer open only if it would be better than the best. Of equal ones the
        // undecided one was met first, for the other way round it would not have been tested.
        let unsure =
            self.unsure.filter(|(unsure, _)| self.best.as_ref().is_none_or(|(best, _)| unsure <= best));
        match (unsure, self.best.map(|(_, choices)| choices)) {
            (Some((_, undecided)), best) => Found::Undecided(undecided, best),
            (None, Some(best)) => Found::Design(best),
            (None, None) => Found::Nothing,
        }
    }
}

/// The width of the staircases of one more cut, when there are `cuts` already.
fn staircase_width(tasks: usize, cuts: usize) -> usize {
    (STAIRCASE_STEPS / (tasks.max(1) * (cuts + 1))).clamp(1, STAIRCASE_WIDTH)
}
