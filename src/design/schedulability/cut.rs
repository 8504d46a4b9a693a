//! Cuts: linear constraints that every schedulable design meets, and the bounds they give for partial designs.
//!
//! A time t gives the cut sum_i jobs_i(t) e_i <= t, where jobs_i(t) is the number of jobs of task i due by t: a
//! design that violates it fails the demand criterion at t. U <= 1 is the cut sum_i (h / P_i) e_i <= h. The search
//! assigns the tasks from the last to the first. For the unassigned tasks a cut stores a `Staircase`: for each area
//! the least demand that they can reach. Subtracting the demand of the assigned tasks from t then gives the least
//! area that the others need, or shows that no area suffices.
//!
//! Worked instance: t = 6, two tasks with one job each due by 6 and the (area, wcet) options (0, 4) (3, 2) and (0, 5)
//! (2, 3). The staircase of the first task is its own options. With the last task in software 6 - 5 = 1 remains, less
//! than 2: no design. With its choice 3 remains and the first task needs area 3: no design below area 5 meets the
//! cut.

use super::candidate::Candidate;
use crate::schedulability::effort::{Effort, Undecided, weight};
use crate::schedulability::outcome::Requirement;
use isx_problems::value::Value;
use num_bigint::BigInt;

/// The cost of one sum of a step and a candidate: computing and merging it.
const SUM_STEPS: u64 = 3;

/// A step: within `area` the demand is at least `demand`.
#[derive(Clone, Debug)]
struct Step<V> {
    area: u64,
    demand: V,
}

/// The least demand for each area: area strictly increasing, demand strictly decreasing. A lower bound where steps
/// were merged, otherwise exact.
#[derive(Clone, Debug)]
struct Staircase<V>(Vec<Step<V>>);

impl<V: Value> Staircase<V> {
    /// The staircase of no tasks.
    fn flat() -> Self {
        Self(vec![Step { area: 0, demand: V::zero() }])
    }

    /// The least area with which the demand can be at most `left`.
    fn least_area(&self, left: &V) -> Option<u64> {
        let at = self.0.partition_point(|step| step.demand > *left);
        self.0.get(at).map(|step| step.area)
    }

    /// The least demand within `area`.
    fn least_demand(&self, area: u64) -> Option<&V> {
        let after = self.0.partition_point(|step| step.area <= area);
        self.0[..after].last().map(|step| &step.demand)
    }

    /// Adds one more task, within `capacity` and `limit`, with at most `width` steps.
    fn with(
        &self,
        task: &[Candidate],
        demands: &[V],
        room: &Room<V>,
        effort: &mut Effort,
    ) -> Result<Self, Undecided> {
        let sums = self.0.len() as u64 * task.len() as u64;
        effort.take(sums.saturating_mul(SUM_STEPS * weight(room.limit.to_big().bits())))?;
        let (mut merged, mut next) = (Vec::new(), Vec::new());
        for (candidate, demand) in task.iter().zip(demands) {
            let sum = |step: &Step<V>| {
                let area = step.area.checked_add(candidate.area()).filter(|&area| area <= room.capacity)?;
                let demand = step.demand.plus(demand);
                (demand <= room.limit).then_some(Step { area, demand })
            };
            next.clear();
            merge(merged.drain(..), self.0.iter().filter_map(sum), &mut next);
            std::mem::swap(&mut merged, &mut next);
        }
        Ok(Self(merged).thinned(room.width))
    }

    /// Reduces it to at most `width` steps: each run of neighbors keeps its least area and least demand.
    fn thinned(self, width: usize) -> Self {
        if self.0.len() <= width {
            return self;
        }
        let merge = |run: &[Step<V>]| {
            let (first, last) = (run.first()?, run.last()?);
            Some(Step { area: first.area, demand: last.demand.clone() })
        };
        Self(self.0.chunks(self.0.len().div_ceil(width)).filter_map(merge).collect())
    }
}

/// The staircase of the steps of two: of equal area the lower one, and none that is not below those before it.
fn merge<V: Value>(
    one: impl Iterator<Item = Step<V>>,
    other: impl Iterator<Item = Step<V>>,
    into: &mut Vec<Step<V>>,
) {
    let (mut one, mut other) = (one.peekable(), other.peekable());
    loop {
        let next = match (one.peek(), other.peek()) {
            (Some(a), Some(b)) if (b.area, &b.demand) < (a.area, &a.demand) => other.next(),
            (Some(_), _) => one.next(),
            (None, _) => other.next(),
        };
        let Some(step) = next else { return };
        if into.last().is_none_or(|last| step.demand < last.demand) {
            into.push(step);
        }
    }
}

/// Limits of a staircase: no area above `capacity`, no demand above `limit`, at most `width` steps.
struct Room<V> {
    capacity: u64,
    limit: V,
    width: usize,
}

/// A cut, with its state in the search.
pub(super) struct Cut<V> {
    /// The demand of each candidate of each task, capped just above the limit.
    demands: Vec<Vec<V>>,
    /// `left[i]`: the limit minus the demand of tasks i and later.
    left: Vec<V>,
    /// `rest[i]`: the staircase of the tasks before i.
    rest: Vec<Staircase<V>>,
}

impl<V: Value> Cut<V> {
    /// The cut of a requirement over `tasks` (with several modes over those of each, one after the other) within `capacity`, whose staircases have at most `width`
    /// steps. If it `is_one_of_several` of a failure, tasks without jobs cost no steps. `V` holds every limit of a
    /// search.
    pub(super) fn new(
        tasks: &[Vec<Candidate>],
        Requirement { jobs, limit, section }: &Requirement,
        (capacity, width): (u64, usize),
        is_one_of_several: bool,
        effort: &mut Effort,
    ) -> Result<Self, Undecided> {
        // Demands above the limit are capped just above it, which keeps every sum within (m + 1) (limit + 1).
        let above: BigInt = limit + 1;
        let demand = |candidate: &Candidate, at: usize| {
            let wcets = candidate.wcets.iter().zip(jobs.iter().skip(at).step_by(tasks.len()));
            let own = section.iter().filter(|section| section.task % tasks.len() == at);
            let waits = own.map(|section| {
                let mode = section.task / tasks.len();
                section.beyond(candidate.wcets[mode], candidate.locks[mode])
            });
            let demand = wcets.map(|(wcet, jobs)| *wcet * jobs).chain(waits).sum::<BigInt>();
            V::from_big(&demand.min(above.clone()))
        };
        let demands = tasks
            .iter()
            .enumerate()
            .map(|(at, task)| task.iter().map(|candidate| demand(candidate, at)).collect())
            .collect::<Option<Vec<Vec<V>>>>();
        let (Some(demands), Some(limit)) = (demands, V::from_big(limit)) else {
            // Unreachable: `V` was chosen to hold the limit.
            return Err(Undecided::Steps(0));
        };
        let room = Room { capacity, limit, width };
        let mut rest = vec![Staircase::flat()];
        for (at, (task, demands)) in
            tasks.iter().zip(&demands).enumerate().take(tasks.len().saturating_sub(1))
        {
            let before = &rest[rest.len() - 1];
            // Under fixed priorities the tasks below the late one have no jobs: software needs neither area nor time
            // for them.
            let mut own = jobs.iter().skip(at).step_by(tasks.len());
            let waits = section.as_ref().is_some_and(|section| section.task % tasks.len() == at);
            let has_jobs = waits || !is_one_of_several || own.any(|jobs| *jobs > BigInt::ZERO);
            let next = if has_jobs { before.with(task, demands, &room, effort)? } else { before.clone() };
            rest.push(next);
        }
        Ok(Self { demands, left: vec![room.limit; tasks.len() + 1], rest })
    }

    /// Records that task `task` takes candidate `candidate`; all later tasks are assigned.
    pub(super) fn assign(&mut self, task: usize, candidate: usize) {
        self.left[task] = self.left[task + 1].minus(&self.demands[task][candidate]);
    }

    /// The least area with which the tasks before `task` can meet the cut; `None` if no area suffices.
    pub(super) fn least_area(&self, task: usize) -> Option<u64> {
        self.rest[task].least_area(&self.left[task])
    }

    /// The least demand of a completion in which the tasks before `task` have area `area`, minus the limit.
    pub(super) fn least_excess(&self, task: usize, area: u64) -> Option<V> {
        Some(self.rest[task].least_demand(area)?.minus(&self.left[task]))
    }
}
