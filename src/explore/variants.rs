//! Sets whose processor has variants: each is computed by itself, and the answers are compared.
//!
//! The fronts of the variants are in the same units (see [`formulate_variants`]), so the front of the set is their lower
//! envelope; a verdict is positive if that of some variant is. A set with one processor has one formulation, whose answer
//! is that of the set. A variant that the limits exclude is left out, unless they exclude all.

use super::clocks::{bytes_of, summed};
use super::{ExploreError, Options};
use isx_design::exploration::Exploration;
use isx_design::schedulability::{BudgetVerdict, Effort, SmallestWithin, Verdict};
use isx_design::variants;
use isx_design::witness::{Mismatch, recheck};
use isx_exact::quantity::Rational;
use isx_problems::account::Account;
use isx_problems::resources::Goal;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{FormulateError, Formulation, formulate_variants};

/// Computes the answer of one variant, with the memory and the effort that it may take.
type Compute<'a, T> = &'a dyn Fn(Formulation, &Options, &mut Effort) -> Result<T, ExploreError>;
/// Decides one variant within an area.
type Decide<'a> =
    &'a dyn Fn(Formulation, Option<&Rational>, &mut Effort) -> Result<BudgetVerdict, ExploreError>;

/// The answers of the variants, each computed with its share of the effort and given the answers before it; and the numbers
/// and errors of those that the limits exclude. Fails if they exclude all.
#[allow(clippy::type_complexity, reason = "two lists")]
fn each<T>(
    formulations: Vec<Result<Formulation, FormulateError>>,
    effort: &mut Effort,
    compute: impl Fn(Formulation, &[T], &mut Effort) -> Result<T, ExploreError>,
) -> Result<(Vec<T>, Vec<(usize, ExploreError)>), ExploreError> {
    let (count, mut parts, mut excluded) = (formulations.len(), Vec::new(), Vec::new());
    for (number, formulation) in formulations.into_iter().enumerate() {
        let share = effort.left() / (count - number) as u64;
        let answer = formulation
            .map_err(ExploreError::from)
            .and_then(|formulation| effort.share(share, |effort| compute(formulation, &parts, effort)));
        match answer {
            Ok(part) => parts.push(part),
            Err(error) if is_excluded(&error) => excluded.push((number, error)),
            Err(error) => return Err(error),
        }
    }
    if parts.is_empty() {
        let first = excluded.into_iter().next();
        return Err(first.map_or_else(|| Mismatch::missing(0).into(), |(_, error)| error));
    }
    Ok((parts, excluded))
}

/// The front of a set from those of its variants: of the points that `goal` asks for.
pub(super) fn explored(
    task_set: &TaskSet,
    max_area: Option<&Rational>,
    goal: &Goal,
    options: &Options,
    effort: &mut Effort,
    explore: Compute<Exploration>,
) -> Result<Exploration, ExploreError> {
    let mut formulations = formulate_variants(task_set, max_area)?;
    let count = formulations.len();
    if count == 1 {
        return explore(formulations.swap_remove(0)?, options, effort);
    }
    let parts = each(formulations.clone(), effort, |formulation, parts: &[Exploration], effort| {
        let held = parts.iter().map(|part| bytes_of(part.front.claim())).sum();
        let machine = options.machine.clone().with_taken(held);
        explore(formulation, &Options { machine, ..options.clone() }, effort)
    });
    let (parts, _) = parts?;
    let is_complete = is_complete(task_set, &formulations, &parts);
    let accounts = parts.iter().map(|part| part.front.account().clone());
    let account = account(task_set, accounts, parts.len(), count);
    let formulations: Vec<Formulation> = formulations.into_iter().filter_map(Result::ok).collect();
    let missing = || ExploreError::from(Mismatch::missing(0));
    let account = account.ok_or_else(missing)?;
    let front = variants::front(task_set, formulations, &parts, goal, account, is_complete);
    let (front, sources) = front.ok_or_else(missing)?;
    let explored = variants::explored(front, &sources, &parts, effort);
    options.machine.workers().run(|| recheck(&explored.front))?;
    Ok(explored)
}

/// The verdict on a set from those of its variants.
pub(super) fn decided(
    task_set: &TaskSet,
    area: Option<&Rational>,
    effort: &mut Effort,
    decide: Decide,
) -> Result<BudgetVerdict, ExploreError> {
    let mut formulations = formulate_variants(task_set, area)?;
    let count = formulations.len();
    if count == 1 {
        return decide(formulations.swap_remove(0)?, area, effort);
    }
    let (parts, excluded) = each(formulations, effort, |formulation, _: &[BudgetVerdict], effort| {
        decide(formulation, area, effort)
    })?;
    let is_larger =
        |error: &ExploreError| matches!(error, ExploreError::Formulate(_) | ExploreError::Forced { .. });
    let larger = excluded.into_iter().filter(|(_, error)| is_larger(error));
    let larger: Vec<usize> = larger.map(|(number, _)| number).collect();
    let is_schedulable = |part: &BudgetVerdict| matches!(part.verdict, Verdict::Schedulable { .. });
    let mut beyond = Vec::new();
    if !larger.is_empty() && !parts.iter().any(is_schedulable) {
        // The smallest areas of the variants that the budget excludes.
        let mut unlimited = formulate_variants(task_set, None)?;
        for number in larger.into_iter().rev() {
            beyond.push(match unlimited.swap_remove(number) {
                Ok(formulation) => decide(formulation, None, effort)?.smallest,
                Err(error) => SmallestWithin::Unknown(error.to_string()),
            });
        }
    }
    let account = account(task_set, parts.iter().map(|part| part.account.clone()), parts.len(), count);
    let decided = variants::decided(parts, beyond);
    let (mut decided, account) = decided.zip(account).ok_or_else(|| Mismatch::missing(0))?;
    decided.account = account;
    Ok(decided)
}

/// Whether limits exclude every design of a variant.
fn is_excluded(error: &ExploreError) -> bool {
    match error {
        ExploreError::Forced { .. } | ExploreError::Limits { .. } => true,
        ExploreError::Formulate(error) => matches!(error, FormulateError::Processor { .. }),
        _ => false,
    }
}

/// How the answers of the variants were computed.
fn account(
    task_set: &TaskSet,
    mut accounts: impl Iterator<Item = Account>,
    solved: usize,
    count: usize,
) -> Option<Account> {
    let mut account = accounts.next();
    for other in accounts {
        account = account.map(|account| summed(account, other));
    }
    let mut account = account?;
    let what = if task_set.overruns.is_some() { "deviations" } else { "variants" };
    account.why += &format!("; {solved} of {count} {what} solved");
    Some(account)
}

/// Whether no design beyond the area budget has less utilization than all within it.
fn is_complete(
    task_set: &TaskSet,
    formulations: &[Result<Formulation, FormulateError>],
    parts: &[Exploration],
) -> bool {
    let is_cut = |part: &Exploration| !part.front.is_complete();
    let all_fit = formulations.iter().all(Result::is_ok) && parts.len() == formulations.len();
    if all_fit && !parts.iter().any(is_cut) {
        return true;
    }
    if parts.iter().any(|part| !part.front.formulation().costs.is_line()) {
        return false;
    }
    let reached = parts.iter().filter_map(|part| part.front.iter().next_back()).map(|point| point.demand());
    let Some(reached) = reached.min() else { return false };
    // A variant without designs within the budget may have some beyond it.
    let solved = |number: usize| parts.iter().find(|part| part.front.formulation().variant == number);
    let Ok(unlimited) = formulate_variants(task_set, None) else { return false };
    unlimited.iter().enumerate().all(|(number, formulation)| {
        solved(number).is_some_and(|part| !is_cut(part))
            || formulation.as_ref().is_ok_and(|one| one.least_demand().is_none_or(|least| least >= reached))
    })
}
