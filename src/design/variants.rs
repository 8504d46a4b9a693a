//! The front and the verdicts of a set whose processor has variants, from those of each variant.
//!
//! A design belongs to one variant. All variants count cost and demand in the same units, so the front of the set is the
//! lower envelope of theirs; of points with equal cost and utilization that of the first variant in file order is kept.
//! Verdicts are made for each variant by itself, see [`schedulability`](crate::schedulability), and compared here: some
//! design within a cost is schedulable if one of some variant is.
//!
//! Worked instance: points (area, utilization) of variant a: (0, 9/10), (40, 7/10); of variant b: (30, 8/10), (40, 7/10),
//! (50, 6/10). The front is (0, 9/10) of a, (30, 8/10) of b, (40, 7/10) of a and (50, 6/10) of b.

use crate::exploration::{AreaOfModes, Exploration};
use crate::front::{ChosenDesign, Design, DesignFront, Point};
use crate::schedulability::{
    AtMargin, BudgetVerdict, Effort, FrontVerdicts, NotSchedulable, Outcome, Smallest, Verdict, from_until,
    schedulable,
};
use isx_exact::order;
use isx_exact::quantity::Rational;
use isx_problems::account::Account;
use isx_problems::mckp::Claim;
use isx_problems::resources::{Goal, Source, Ties, envelope_with, undominated};
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, count_from_least};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// The front of the points that `goal` asks for among those of `parts`, the fronts of some of the variants in file order,
/// with the source of every point. `formulations` are those of all variants that the limits allow. `None` if there is no
/// point.
pub fn front(
    task_set: &TaskSet,
    mut formulations: Vec<Formulation>,
    parts: &[Exploration],
    goal: &Goal,
    account: Account,
    is_complete: bool,
) -> Option<(DesignFront, Vec<Source>)> {
    count_from_least(&mut formulations);
    let base_demand = formulations.first()?.base_demand.clone();
    let number = |part: &Exploration| {
        let own = part.front.formulation().variant;
        formulations.iter().position(|one| one.variant == own)
    };
    let numbers = parts.iter().map(number).collect::<Option<Vec<usize>>>()?;
    let claims = parts.iter().zip(&numbers).map(|(part, &number)| {
        let mut claim: Claim = part.front.claim().clone();
        let own = &formulations[number];
        let columns = std::iter::once(&mut claim.weights).chain(&mut claim.further);
        for (column, more) in columns.zip(&own.costs.more) {
            column.iter_mut().for_each(|amount| *amount += more);
        }
        (claim, &base_demand - &own.base_demand)
    });
    let claims: Vec<(Claim, BigInt)> = claims.collect();
    let costs = &formulations[0].costs;
    // Formulations of overruns are of the same designs.
    let ties = if task_set.overruns.is_some() { Ties::Canonical } else { Ties::FirstClaim };
    let (mut claim, sources) = envelope_with(claims, costs.objectives, goal, ties);
    claim.complete = is_complete;
    let of_points = sources.iter().map(|source| numbers[source.claim as usize] as u32).collect();
    let further = formulations.split_off(1);
    let front = DesignFront::new(task_set.clone(), formulations.pop()?, claim, account);
    (!front.is_empty()).then(|| (front.with_variants(further, of_points), sources))
}

/// The front with the verdicts, from the parts that [`front()`] took it from.
pub fn explored(
    front: DesignFront,
    sources: &[Source],
    parts: &[Exploration],
    effort: &mut Effort,
) -> Exploration {
    let of_point = |source: &Source| parts[source.claim as usize].verdicts.points.get(source.point);
    let points: Vec<Option<bool>> =
        sources.iter().map(|source| of_point(source).copied().flatten()).collect();
    let first = front.formulation();
    let bases = || parts.iter().map(|part| part.verdicts.base);
    let base = match parts.iter().find(|part| part.front.formulation().variant == first.variant) {
        _ if front.task_set().overruns.is_some() => any(bases()),
        Some(part) => part.verdicts.base,
        None => match schedulable(first, &vec![None; first.tasks.len()], effort) {
            Outcome::Passes => Some(true),
            Outcome::Overload | Outcome::Fails(_) => Some(false),
            Outcome::Undecided(_) => None,
        },
    };
    let smallest = parts.iter().map(|part| part.verdicts.smallest.clone()).collect();
    let mut verdicts = FrontVerdicts {
        base,
        points,
        each_within: Vec::new(),
        minimal: Vec::new(),
        smallest: least(smallest, |one, other| cheaper(front.task_set(), one, other)),
    };
    let is_line = front.formulation().costs.is_line();
    if !is_line {
        let designs = parts.iter().flat_map(|part| part.verdicts.minimal.iter().cloned());
        verdicts.minimal = minimal(front.task_set(), designs.collect());
        if let (Smallest::At(smallest), Some(first)) = (&mut verdicts.smallest, verdicts.minimal.first()) {
            smallest.clone_from(first);
        }
    }
    let within = |point: Point| match verdicts.points[point.index()] {
        _ if !point.fits() => Some(false),
        Some(true) => Some(true),
        _ if is_line => any(parts.iter().map(|part| part.within_area(&point.area()))),
        _ => verdicts.within_cost(front.task_set(), &point.cost()),
    };
    let mut within: Vec<Option<bool>> = front.iter().map(within).collect();
    if is_line {
        let from = within.iter().take_while(|&&within| within == Some(false)).count();
        let to = within.iter().position(|&within| within == Some(true)).unwrap_or(within.len());
        within = from_until(within.len(), from..to);
    }
    verdicts.each_within = within;
    Exploration {
        margins: margins(parts),
        mode_areas: mode_areas(parts),
        ..Exploration::new(front, verdicts)
    }
}

/// Whether one of these is true; `None` if that is not known.
fn any(verdicts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut any = Some(false);
    for verdict in verdicts {
        match verdict {
            Some(true) => return Some(true),
            Some(false) => {}
            None => any = None,
        }
    }
    any
}

/// The least of all, if all are known.
fn least<T>(all: Vec<Smallest<T>>, order: impl Fn(&T, &T) -> Ordering) -> Smallest<T> {
    let mut least = Smallest::None;
    for one in all {
        least = match (least, one) {
            (Smallest::Unknown(why), _) | (_, Smallest::Unknown(why)) => Smallest::Unknown(why),
            (Smallest::None, one) => one,
            (least, Smallest::None) => least,
            (Smallest::At(least), Smallest::At(one)) => {
                Smallest::At(if order(&one, &least).is_lt() { one } else { least })
            }
        };
    }
    least
}

/// The smallest schedulable areas of some modes.
fn mode_areas(parts: &[Exploration]) -> Vec<AreaOfModes> {
    let first = parts.first().map_or(&[][..], |part| &part.mode_areas);
    let of_modes = |(at, of): (usize, &AreaOfModes)| {
        let all = parts.iter().filter_map(|part| Some(part.mode_areas.get(at)?.smallest.clone()));
        AreaOfModes { modes: of.modes.clone(), smallest: least(all.collect(), Rational::cmp) }
    };
    first.iter().enumerate().map(of_modes).collect()
}

/// The smallest schedulable areas with margins.
fn margins(parts: &[Exploration]) -> Vec<AtMargin> {
    let count = parts.iter().map(|part| part.margins.len()).min().unwrap_or(0);
    let at = |at: usize| {
        let all = parts.iter().map(|part| part.margins[at].smallest.clone()).collect();
        AtMargin { margin: parts[0].margins[at].margin.clone(), smallest: least(all, Rational::cmp) }
    };
    (0..count).map(at).collect()
}

/// Designs in order of their costs in the objectives, then of utilization, of their other costs, and of their variant.
fn cheaper(task_set: &TaskSet, one: &ChosenDesign, other: &ChosenDesign) -> Ordering {
    let merit = |chosen: &ChosenDesign| {
        let Design { cost, variant, utilization, .. } = &chosen.design;
        // Formulations of overruns are of the same designs.
        let canonical = task_set.overruns.map(|_| chosen.choices.iter().rev().copied().collect::<Vec<_>>());
        (of_objectives(task_set, cost), utilization.clone(), of_others(task_set, cost), canonical, *variant)
    };
    merit(one).cmp(&merit(other))
}

fn of_objectives(task_set: &TaskSet, cost: &[Rational]) -> Vec<Rational> {
    task_set.resources.objectives.iter().filter_map(|&at| cost.get(at).cloned()).collect()
}

fn of_others(task_set: &TaskSet, cost: &[Rational]) -> Vec<Rational> {
    let objectives = &task_set.resources.objectives;
    let others = cost.iter().enumerate().filter(|(at, _)| !objectives.contains(at));
    others.map(|(_, cost)| cost.clone()).collect()
}

/// Of schedulable designs those of minimal costs, one each, in lexicographic order.
fn minimal(task_set: &TaskSet, mut designs: Vec<ChosenDesign>) -> Vec<ChosenDesign> {
    order::sort_by(&mut designs, |one, other| cheaper(task_set, one, other));
    let costs = |chosen: &ChosenDesign| of_objectives(task_set, &chosen.design.cost);
    designs.dedup_by(|later, first| costs(later) == costs(first));
    let columns = designs.first().map_or(0, |first| costs(first).len());
    let column = |at: usize| -> Vec<u64> {
        let amounts: Vec<Rational> = designs.iter().map(|chosen| costs(chosen).swap_remove(at)).collect();
        let mut sorted = amounts.clone();
        order::sort(&mut sorted);
        amounts.iter().map(|amount| sorted.partition_point(|other| other < amount) as u64).collect()
    };
    let columns: Vec<Vec<u64>> = (0..columns).map(column).collect();
    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let mut keep = undominated(&columns, &vec![0; designs.len()]).into_iter();
    designs.retain(|_| keep.next() == Some(true));
    designs
}

/// The verdict on the set from those on some of its variants, in file order; `beyond` are the smallest schedulable areas of
/// variants that the budget excludes. It shows a schedulable design if there is one, and is computed as the first.
/// `None` if there is no variant.
pub fn decided(mut parts: Vec<BudgetVerdict>, beyond: Vec<Smallest<Rational>>) -> Option<BudgetVerdict> {
    let first = parts.first()?;
    let task_set = first.task_set.clone();
    let (is_budget, is_line) = (first.budget.is_some(), first.formulation().costs.is_line());
    let formulations = parts.iter().map(|part| part.formulation().clone()).collect();
    let less = |one: &ChosenDesign, other: &ChosenDesign| {
        one.design.utilization.cmp(&other.design.utilization).then_with(|| cheaper(&task_set, one, other))
    };
    let of_least = (0..parts.len()).min_by(|&one, &other| less(&parts[one].least, &parts[other].least))?;
    let least_design = parts[of_least].least.clone();
    let passing: Vec<usize> =
        (0..parts.len()).filter(|&at| matches!(parts[at].verdict, Verdict::Schedulable { .. })).collect();
    let designs = parts.iter().map(|part| part.minimal.clone()).collect::<Option<Vec<_>>>();
    let minimal = designs.map(|designs| minimal(&task_set, designs.concat()));
    // Of a variant that the budget leaves unschedulable, more is known than matters if another is schedulable.
    let known: Vec<Smallest<Rational>> = match (passing.as_slice(), is_budget) {
        (&[_, ..], true) => {
            let matters = |part: &&BudgetVerdict| !matches!(part.verdict, Verdict::NotSchedulable { .. });
            parts.iter().filter(matters).map(|part| part.smallest.clone()).collect()
        }
        _ => parts.iter().map(|part| part.smallest.clone()).chain(beyond).collect(),
    };
    let mut smallest = least(known, Rational::cmp);
    if let (Smallest::At(area), Some(first)) = (&mut smallest, minimal.as_ref().and_then(|all| all.first())) {
        area.clone_from(first.design.cost.first()?);
    }
    let shown = match (passing.is_empty(), &minimal) {
        (true, _) => of_least,
        (false, Some(minimal)) => {
            let variant = minimal.first()?.design.variant;
            parts.iter().position(|part| part.formulation().variant == variant)?
        }
        (false, None) if passing.contains(&of_least) && (is_budget || !is_line) => of_least,
        (false, None) => {
            let order =
                |&one: &usize, &other: &usize| cheaper(&task_set, &parts[one].shown(), &parts[other].shown());
            passing.into_iter().min_by(order)?
        }
    };
    let undecided = parts.iter().find_map(|part| match &part.verdict {
        Verdict::Unknown { reason, .. } => Some(*reason),
        _ => None,
    });
    let mut decided = parts.swap_remove(shown);
    if let (Verdict::NotSchedulable { reason: NotSchedulable::EveryDesignFails { least } }, Some(reason)) =
        (&decided.verdict, undecided)
    {
        decided.verdict = Verdict::Unknown { least: least.clone(), reason };
    }
    decided.least = least_design;
    (decided.smallest, decided.minimal) = (smallest, minimal);
    Some(decided.with_variants(formulations))
}
