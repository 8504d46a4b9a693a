//! Whether a front that was read is that of a task set: by its names and sums, and by the set's own front.

use super::details::Limit;
use super::page::ReportError;
use isx_design::schedulability::{AtMargin, Smallest};
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::{Front, Head, Number, Point, costs};
use isx_report::text::joined;
use isx_taskset::formulate::Formulation;
use isx_taskset::{Resources, TaskSet};

/// Gives designs the numbers that a task set has for their choices, blocks and variants, and checks that their figures are
/// the sums of these. `others` are the design in software, then the minimal schedulable ones.
pub fn summed<'p>(
    head: &Head,
    set: &TaskSet,
    formulations: &[Formulation],
    designs: &'p mut [(usize, Point)],
    others: impl Iterator<Item = &'p mut Point>,
) -> Result<(), ReportError> {
    let check = || -> Result<(), String> {
        check_tasks(head, set)?;
        let smallest = std::iter::repeat("of the smallest schedulable design");
        let places = std::iter::once("in software").chain(smallest).map(str::to_owned);
        let points = designs.iter_mut().map(|(index, point)| (format!("of point {index}"), point));
        let mut all: Vec<(String, &mut Point)> = places.zip(others).chain(points).collect();
        all.iter_mut().try_for_each(|(_, point)| rename(head, set, point))?;
        check_head(head, set)?;
        all.iter().try_for_each(|(place, point)| check_sums(head, set, formulations, place, point))
    };
    check().map_err(|why| ReportError::other(set, &why))
}

/// An error if the front has other tasks than the set.
fn check_tasks(head: &Head, set: &TaskSet) -> Result<(), String> {
    let mut tasks = head.tasks.iter().zip(&set.tasks);
    if let Some((printed, own)) = tasks.find(|(printed, own)| printed.name != own.name) {
        return Err(format!("it has a task `{}` in the place of `{}`", printed.name, own.name));
    }
    if head.tasks.len() != set.tasks.len() {
        return Err(format!("it has {} tasks, not {}", head.tasks.len(), set.tasks.len()));
    }
    Ok(())
}

/// Gives a point the numbers that the set has for its choices, blocks and variant.
fn rename(head: &Head, set: &TaskSet, point: &mut Point) -> Result<(), String> {
    let blocks: Vec<&String> = point.blocks.iter().map(|&block| &head.blocks[block as usize]).collect();
    for ((printed, own), choice) in head.tasks.iter().zip(&set.tasks).zip(&mut point.choices) {
        let Some(taken) = choice else { continue };
        let name = &printed.choices[*taken as usize];
        let is_built =
            |block: u32| set.blocks.get(block as usize).is_some_and(|block| blocks.contains(&&block.name));
        let known = own.choice_named(name, &is_built);
        *taken = known
            .ok_or_else(|| format!("it has `{}` take `{name}`, which is no choice of it", printed.name))?
            as u32;
    }
    for block in &mut point.blocks {
        let name = &head.blocks[*block as usize];
        let known = set.blocks.iter().position(|own| own.name == *name);
        *block = known.ok_or_else(|| format!("it builds `{name}`, which is no block of it"))? as u32;
    }
    point.blocks.sort_unstable();
    point.blocks.dedup();
    if let Some(variant) = &mut point.variant {
        let name = &head.variants[*variant as usize];
        let known = set.variants.iter().position(|own| own.name == *name);
        *variant =
            known.ok_or_else(|| format!("its processor is `{name}`, which is no variant of it"))? as u32;
    }
    Ok(())
}

/// Fails at the first difference; an item is what is compared, its value in the front, and its value in the task set.
fn same(all: impl IntoIterator<Item = (String, String, String)>) -> Result<(), String> {
    let unlike = all.into_iter().find(|(_, printed, own)| printed != own);
    unlike.map_or(Ok(()), |(what, printed, own)| {
        Err(format!("{what} is `{printed}` in the front and `{own}` in the task set"))
    })
}

/// Checks what a front and its task set both say.
fn check_head(head: &Head, set: &TaskSet) -> Result<(), String> {
    let list =
        |words: &[String], none: &str| if words.is_empty() { none.to_owned() } else { words.join(", ") };
    let counted = |resources: &Resources| match resources.area_unit {
        Some(_) => "one area".to_owned(),
        None => resources.names.join(", "),
    };
    let unit = |resources: &Resources| resources.area_unit.clone().unwrap_or_default();
    let all = [
        ("the name", head.taskset.clone(), set.name.clone()),
        ("what was changed", list(&head.what_if, "nothing"), list(&set.what_if, "nothing")),
        ("what is counted", counted(&head.resources), counted(&set.resources)),
        ("the area unit", unit(&head.resources), unit(&set.resources)),
        ("the scheduler", head.scheduler.name().into(), set.scheduler.name().into()),
        ("the list of modes", list(&head.modes, "none"), list(&set.modes, "none")),
    ];
    same(all.map(|(what, printed, own)| (what.to_owned(), printed, own)))
}

/// Checks that a design has the figures that the task set gives its choices.
fn check_sums(
    head: &Head,
    set: &TaskSet,
    formulations: &[Formulation],
    place: &str,
    point: &Point,
) -> Result<(), String> {
    let is_own = |one: &&Formulation| set.variants.is_empty() || point.variant == Some(one.variant as u32);
    // Of tasks that overrun there is a formulation per deviation, and the least utilization counts.
    let own = formulations.iter().filter(is_own).min_by_key(|one| one.utilization(&point.choices));
    let Some(own) = own else {
        return Err(format!("the front does not say the variant of the processor {place}"));
    };
    let words = |costs: &[Rational]| joined(&mut costs.iter().map(format_decimal), ", ");
    let text = |number: Option<&Rational>| number.map_or_else(|| "none".to_owned(), Rational::to_string);
    let blocks = |blocks: Option<&[u32]>| {
        let names = blocks.unwrap_or_default().iter().map(|&block| set.blocks[block as usize].name.clone());
        joined(&mut names.into_iter(), ", ")
    };
    let (cost, utilization) = (own.cost(&point.choices), own.utilization(&point.choices));
    let mut built = own.blocks(&point.choices);
    built.iter_mut().for_each(|built| built.retain(|&block| (block as usize) < set.blocks.len()));
    let printed = &point.utilization.exact();
    let mut all = vec![
        (
            costs::word(&head.resources).to_owned(),
            words(&point.exact_cost()),
            cost.map_or_else(|| text(None), |cost| words(&cost)),
        ),
        ("utilization".to_owned(), text(Some(printed)), text(Some(&utilization))),
    ];
    // Where utilization does not decide, the margins of some designs are computed with their response times.
    let is_decided = Limit::of(formulations) == Limit::Decides && own.modes.is_empty();
    if let (Some(margin), true) = (&point.margin, is_decided) {
        all.push(("margin".to_owned(), text(Some(&margin.exact())), text(Some(&utilization.recip()))));
    }
    let modes = own.mode_utilizations(&point.choices);
    for (at, name) in set.modes.iter().enumerate() {
        let printed = point.modes.get(at).map(Number::exact);
        all.push((format!("utilization in mode `{name}`"), text(printed.as_ref()), text(modes.get(at))));
    }
    all.push(("list of blocks".to_owned(), blocks(Some(&point.blocks)), blocks(built.as_deref())));
    if set.limits_clock() {
        let clock = own.clock_of(&point.choices).map(format_decimal).unwrap_or_default();
        all.push(("clock".to_owned(), head.clock_hz(point).unwrap_or("none").to_owned(), clock));
    }
    same(all.into_iter().map(|(what, printed, own)| (format!("the {what} {place}"), printed, own)))
}

/// How a front that was read differs from the set's own, which is complete; designs with equal figures may have different
/// choices.
pub fn difference(front: &Front, own: &Front) -> Option<String> {
    let mut found = None;
    let compared = front.len().min(own.len());
    own.visit(0..compared, &mut |index, own_point| {
        found = found
            .take()
            .or_else(|| unlike((&front.head, &front.point(index)), (&own.head, own_point), index));
    });
    let len = own.len();
    found = found.or_else(|| {
        (front.len() > len).then(|| format!("it has a point {len}, and the set's own front has {len} points"))
    });
    found.or_else(|| difference_at_end(front, own))
}

/// How a point differs from that of the set's own front.
fn unlike((head, point): (&Head, &Point), (own_head, own): (&Head, &Point), index: usize) -> Option<String> {
    if (&point.cost, &point.utilization) != (&own.cost, &own.utilization) {
        let figures = |point: &Point| {
            let cost = joined(&mut point.cost.iter().map(Number::decimal), ", ");
            format!("{} {cost} and utilization {}", costs::word(&head.resources), point.utilization.exact())
        };
        let (here, own) = (figures(point), figures(own));
        return Some(format!(
            "point {index} has {here}, in the set's own front {own}: a point is missing or was changed"
        ));
    }
    if let (Some(here), Some(own)) = (&point.margin, &own.margin)
        && here != own
    {
        let (here, own) = (here.exact(), own.exact());
        return Some(format!("point {index} has margin {here}, in the set's own front {own}"));
    }
    let differ = |here: Option<bool>, own: Option<bool>| here.is_some() && own.is_some() && here != own;
    let is_unlike = differ(point.schedulable_within, own.schedulable_within)
        || (differ(point.schedulable, own.schedulable)
            && head.variant(point) == own_head.variant(own)
            && head.chosen(point).eq(own_head.chosen(own)));
    is_unlike.then(|| format!("the verdicts on point {index} are not those of the set"))
}

/// What is missing from a front at its end, or whether its smallest schedulable costs differ from those of the set.
fn difference_at_end(front: &Front, own: &Front) -> Option<String> {
    let (head, own_head) = (&front.head, &own.head);
    if head.complete && front.len() < own.len() {
        let last = front.len().saturating_sub(1);
        return Some(format!("it ends with point {last}, and the set's own front has {} points", own.len()));
    }
    let is_open = |at: &AtMargin| match at.smallest {
        Smallest::At(_) => false,
        Smallest::None => !head.complete,
        Smallest::Unknown(_) => true,
    };
    let decided = |(here, own): &(&AtMargin, &AtMargin)| {
        !is_open(here) && !matches!(own.smallest, Smallest::Unknown(_))
    };
    let mut margins = head.margins.iter().zip(&own_head.margins).filter(decided);
    if margins.any(|(here, own)| here != own) {
        return Some("its smallest schedulable areas with a margin are not those of the set".into());
    }
    // A front that was cut says nothing about larger costs.
    let is_open = head.minimal_unknown.is_some()
        || own_head.minimal_unknown.is_some()
        || (head.minimal.is_empty() && !head.complete);
    let cost = |point: &Point| joined(&mut point.cost.iter().map(Number::decimal), ", ");
    let costs = |head: &Head| head.minimal.iter().map(cost).collect::<Vec<_>>();
    let (here, own) = (costs(head), costs(own_head));
    if is_open || here == own {
        return None;
    }
    if !head.has_one_objective() {
        return Some("the minimal schedulable costs are not those of the set".into());
    }
    let [here, own] = [here, own].map(|costs| costs.first().cloned().unwrap_or_else(|| "none".into()));
    let what = costs::word(&head.resources);
    Some(format!("the smallest schedulable {what} is `{here}`, that of the set `{own}`"))
}
