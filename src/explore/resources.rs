//! Task sets with several resources: their fronts, and what can be answered without the whole front.
//!
//! Whether some design within the limits is schedulable needs the design of least utilization only, if utilization
//! decides; a resource *binds* if a larger limit of it alone would give less utilization.

use super::error::{ExploreError, no_design};
use super::front::front;
use super::{Options, variants};
use isx_design::exploration::Exploration;
use isx_design::fit::{Fit, Fits};
use isx_design::schedulability::{BudgetVerdict, Effort, decided_by_utilization, judge};
use isx_design::witness::Mismatch;
use isx_exact::quantity::Rational;
use isx_mckp::Wanted;
use isx_problems::resources::Goal;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, formulate_variants};

/// Decides whether some design of a set with several resources is schedulable within their limits, from the design of
/// least utilization if utilization alone decides. With `minimal`, the designs of minimal costs are found too.
/// Fails as [`check`](super::check); [`ExploreError::Limits`] if no design is within the limits.
pub fn check_costs(
    task_set: &TaskSet,
    minimal: bool,
    options: &Options,
    effort: &mut Effort,
) -> Result<BudgetVerdict, ExploreError> {
    task_set.validate()?;
    let check = |formulation: Formulation, _: Option<&Rational>, effort: &mut Effort| {
        check_variant(task_set, &formulation, minimal, options, effort)
    };
    variants::decided(task_set, None, effort, &check)
}

/// As [`check_costs`], for one variant of the processor.
pub(super) fn check_variant(
    task_set: &TaskSet,
    formulation: &Formulation,
    minimal: bool,
    options: &Options,
    effort: &mut Effort,
) -> Result<BudgetVerdict, ExploreError> {
    let least = front(task_set, formulation, &Goal::Greatest, options, Wanted::AllPicks)?;
    let least = least.ok_or_else(|| no_design(task_set, formulation))?;
    let fits = least.get(0).is_some_and(|point| point.fits());
    let minimal = match minimal {
        true if fits && decided_by_utilization(formulation) => {
            let enough = Goal::AtLeast(&formulation.base_demand - &formulation.hyperperiod);
            Some(front(task_set, formulation, &enough, options, Wanted::AllPicks)?)
        }
        true => Some(None),
        false => None,
    };
    let workers = options.machine.workers();
    let decided = workers.run(|| BudgetVerdict::within_limits(&least, minimal.as_ref(), effort));
    Ok(decided.ok_or_else(|| Mismatch::missing(1))?)
}

/// The design of least utilization within the limits, as an exploration of which it is the only point.
/// Fails as [`check_costs`].
pub fn least(
    task_set: &TaskSet,
    options: &Options,
    effort: &mut Effort,
) -> Result<Exploration, ExploreError> {
    task_set.validate()?;
    let explore = |formulation: Formulation, options: &Options, effort: &mut Effort| {
        let front = front(task_set, &formulation, &Goal::Greatest, options, Wanted::AllPicks)?;
        let front = front.ok_or_else(|| no_design(task_set, &formulation))?;
        let verdicts = options.machine.workers().run(|| judge(&front, effort));
        Ok(Exploration::new(front, verdicts))
    };
    variants::explored(task_set, None, &Goal::Greatest, options, effort, &explore)
}

/// A design of least utilization within some limits: it is one within any closer limits that it respects.
struct Least {
    limits: Vec<Option<Rational>>,
    cost: Vec<Rational>,
    utilization: Rational,
    /// The verdict within the limits, if it follows from the least utilization.
    verdict: Option<BudgetVerdict>,
}

impl Least {
    fn of(task_set: &TaskSet, verdict: &BudgetVerdict) -> Self {
        let design = &verdict.least.design;
        Self {
            limits: task_set.resources.limits.clone(),
            cost: design.cost.clone(),
            utilization: design.utilization.clone(),
            verdict: decided_by_utilization(verdict.formulation()).then(|| verdict.clone()),
        }
    }

    fn holds_within(&self, limits: &[Option<Rational>]) -> bool {
        self.limits.iter().zip(limits).zip(&self.cost).all(|((own, limit), cost)| match (own, limit) {
            (own, Some(limit)) => cost <= limit && own.as_ref().is_none_or(|own| limit <= own),
            (own, None) => own.is_none(),
        })
    }
}

/// Decides for a set whose limits are those of a device whether some design is schedulable within them, and which
/// resources bind. What is found is added to what is `known` of the same set within other limits, where the answer may be.
fn fit(
    task_set: TaskSet,
    known: &mut Vec<Least>,
    options: &Options,
    effort: &mut Effort,
) -> Result<Fit, ExploreError> {
    let limits = task_set.resources.limits.clone();
    let same =
        known.iter().filter(|least| least.holds_within(&limits)).find_map(|least| least.verdict.clone());
    let verdict = match same {
        Some(mut verdict) => {
            verdict.task_set = task_set.clone();
            Some(verdict)
        }
        None => match check_costs(&task_set, false, options, effort) {
            Ok(verdict) => Some(verdict),
            Err(ExploreError::Limits { .. }) => None,
            Err(error) => return Err(error),
        },
    };
    known.extend(verdict.as_ref().map(|verdict| Least::of(&task_set, verdict)));
    let within = verdict.as_ref().map(|verdict| &verdict.least.design.utilization);
    let mut binding = Vec::new();
    let limited = || (0..limits.len()).filter(|&at| limits[at].is_some());
    if verdict.is_none() {
        for at in limited() {
            let mut alone = task_set.clone();
            let kept = alone.resources.limits.iter_mut().enumerate();
            kept.filter(|(other, _)| *other != at).for_each(|(_, limit)| *limit = None);
            if utilization_of(&alone, known, options)?.is_none() {
                binding.push(at);
            }
        }
        if !binding.is_empty() {
            return Ok(Fit { task_set, verdict, binding });
        }
    }
    for at in limited() {
        let mut more = task_set.clone();
        more.resources.limits[at] = None;
        let without = utilization_of(&more, known, options)?;
        if without.is_some_and(|less| within.is_none_or(|within| less < *within)) {
            binding.push(at);
        }
    }
    Ok(Fit { task_set, verdict, binding })
}

/// The least utilization within the limits of a set; `None` if no design is within them.
fn utilization_of(
    task_set: &TaskSet,
    known: &mut Vec<Least>,
    options: &Options,
) -> Result<Option<Rational>, ExploreError> {
    let limits = &task_set.resources.limits;
    if let Some(least) = known.iter().find(|least| least.holds_within(limits)) {
        return Ok(Some(least.utilization.clone()));
    }
    let mut found: Option<Least> = None;
    for formulation in formulate_variants(task_set, None)? {
        let front = front(task_set, &formulation?, &Goal::Greatest, options, Wanted::Values)?;
        let Some(design) = front.as_ref().and_then(|front| Some(front.get(0)?.design())) else { continue };
        if found.as_ref().is_none_or(|found| design.utilization < found.utilization) {
            let limits = limits.clone();
            found = Some(Least { limits, cost: design.cost, utilization: design.utilization, verdict: None });
        }
    }
    let utilization = found.as_ref().map(|found| found.utilization.clone());
    known.extend(found);
    Ok(utilization)
}

/// How a task set fits several devices, given with the limits of each; `own` is the one that its figures are of. `None` if
/// there is no device.
/// Fails as [`check`](super::check).
pub fn fit_each(
    sets: Vec<TaskSet>,
    own: Option<String>,
    options: &Options,
) -> Result<Option<Fits>, ExploreError> {
    let mut effort = Effort::new(options.limits);
    let Some(mut unlimited) = sets.first().cloned() else { return Ok(None) };
    unlimited.resources.limits.fill(None);
    unlimited.resources.device = None;
    let set = unlimited;
    let unlimited = check_costs(&set, true, options, &mut effort)?;
    let mut known = Vec::new();
    if decided_by_utilization(unlimited.formulation()) {
        let least = check_costs(&set, false, options, &mut effort)?;
        known.push(Least::of(&set, &least));
    }
    let rows = sets.into_iter().map(|set| fit(set, &mut known, options, &mut effort));
    Ok(Some(Fits { rows: rows.collect::<Result<_, _>>()?, unlimited, own }))
}
