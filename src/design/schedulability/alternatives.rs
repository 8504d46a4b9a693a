//! A set of cuts of which every schedulable design meets at least one.
//!
//! Under EDF a failure gives one cut, under fixed priorities one for each time by which a late job could finish. Cuts
//! that no design can meet are dropped, and so is a cut that implies another one of the list. The least area with
//! which a partial design can meet one of the cuts is the minimum over them.
//!
//! Worked instance: e_2 + e_1 <= 4 or e_2 + 2 e_1 <= 6, with e_1 in {1, 2} and e_2 = 3. The first allows only e_1 =
//! 1, and so does the second, by 3 + 2 <= 6: since e_1 is at most 2, the first implies the second and is dropped.

use super::candidate::Candidate;
use super::cut::Cut;
use crate::schedulability::effort::{Effort, Undecided, weight};
use crate::schedulability::outcome::Requirement;
use isx_problems::value::Value;
use num_bigint::BigInt;

/// The maximum number of cuts per failure; neighbors are merged beyond.
const MOST_CUTS: usize = 24;

/// The cuts of one failure.
pub(super) struct Alternatives<V>(Vec<Cut<V>>);

/// The longest and the shortest possible WCET of each task, in the first mode, in the second, and so on.
pub(super) struct Extremes<'a>(Vec<(&'a BigInt, &'a BigInt)>);

impl<'a> Extremes<'a> {
    pub fn new(tasks: &[Vec<Candidate<'a>>]) -> Self {
        let of = |mode: usize, task: &Vec<Candidate<'a>>| {
            let wcets = task.iter().map(|candidate| candidate.wcets[mode]);
            wcets.clone().max().zip(wcets.min())
        };
        let modes = tasks.iter().flatten().next().map_or(0, |candidate| candidate.wcets.len());
        // Every task has a candidate: otherwise no search is started.
        Self((0..modes).flat_map(|mode| tasks.iter().filter_map(move |task| of(mode, task))).collect())
    }

    /// The shortest possible WCET of each task.
    pub fn shortest(&self) -> impl Iterator<Item = &'a BigInt> {
        self.0.iter().map(|(_, shortest)| *shortest)
    }

    /// Whether some design can meet this requirement.
    fn allow(&self, requirement: &Requirement) -> bool {
        let least = |(jobs, shortest): (&BigInt, &BigInt)| jobs * shortest;
        let jobs = requirement.jobs.iter().zip(self.shortest()).map(least).sum::<BigInt>();
        let section = requirement.section.as_ref().map(|section| section.beyond(self.0[section.task].1, &[]));
        jobs + section.unwrap_or_default() <= requirement.limit
    }

    /// The minimum and maximum increase of demand from `before` to `after`, which counts at least as many jobs of
    /// each task.
    fn growth(&self, before: &Requirement, after: &Requirement) -> (BigInt, BigInt) {
        let (mut least, mut most) = (BigInt::ZERO, BigInt::ZERO);
        for ((before, after), (longest, shortest)) in before.jobs.iter().zip(&after.jobs).zip(&self.0) {
            let more = after - before;
            least += &more * *shortest;
            most += more * *longest;
        }
        (least, most)
    }
}

/// Requirements in order of time, at most `most`, without those that no design can meet and those that imply a
/// neighbor.
fn reduced(requirements: Vec<Requirement>, extremes: &Extremes, most: usize) -> Vec<Requirement> {
    let mut kept: Vec<Requirement> = Vec::new();
    for requirement in requirements.into_iter().filter(|one| extremes.allow(one)) {
        let mut implies_last = false;
        while let Some(last) = kept.last() {
            let later = &requirement.limit - &last.limit;
            let (least, most) = extremes.growth(last, &requirement);
            implies_last = least >= later;
            if implies_last || most > later {
                break;
            }
            kept.pop();
        }
        if !implies_last {
            kept.push(requirement);
        }
    }
    let run = kept.len().div_ceil(most.max(1)).max(1);
    let merged = kept.chunks(run).filter_map(|run| {
        let (first, last) = (run.first()?, run.last()?);
        Some(Requirement { limit: last.limit.clone(), ..(*first).clone() })
    });
    merged.collect()
}

impl<V: Value> Alternatives<V> {
    /// The cuts of `requirements`, which are in order of time with increasing counts.
    pub fn new(
        requirements: Vec<Requirement>,
        tasks: &[Vec<Candidate>],
        extremes: &Extremes,
        capacity: u64,
        width: impl Fn(usize) -> usize,
        effort: &mut Effort,
    ) -> Result<Self, Undecided> {
        let is_one_of_several = requirements.len() > 1;
        let requirements = if is_one_of_several {
            let bits = requirements.iter().map(|one| one.limit.bits()).max().unwrap_or(0);
            effort.take(3 * weight(bits.max(128)) * (requirements.len() * tasks.len()) as u64)?;
            reduced(requirements, extremes, MOST_CUTS)
        } else {
            requirements
        };
        let width = width(requirements.len());
        let cut = |requirement: &Requirement| {
            Cut::new(tasks, requirement, (capacity, width), is_one_of_several, effort)
        };
        Ok(Self(requirements.iter().map(cut).collect::<Result<_, _>>()?))
    }

    /// The number of cuts.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Records that task `task` takes candidate `candidate`; all later tasks are assigned.
    pub fn assign(&mut self, task: usize, candidate: usize) {
        for cut in &mut self.0 {
            cut.assign(task, candidate);
        }
    }

    /// The least area with which the tasks before `task` can meet one of the cuts, or any such area up to `enough`;
    /// `None` if no area suffices. Each examined cut takes `steps`.
    pub fn least_area(
        &self,
        task: usize,
        enough: u64,
        steps: u64,
        effort: &mut Effort,
    ) -> Result<Option<u64>, Undecided> {
        let mut least: Option<u64> = None;
        for cut in &self.0 {
            effort.take(steps)?;
            least = cut.least_area(task).into_iter().chain(least).min();
            if least.is_some_and(|least| least <= enough) {
                break;
            }
        }
        Ok(least)
    }
}
