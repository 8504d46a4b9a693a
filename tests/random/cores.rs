//! The least area on several cores, within limits of a second resource too, its certificate, and the front of area against the
//! load of the fullest core: by all designs and all divisions of the tasks.

use super::Random;
use super::ask::{Case, Checked, Tally, fault, gist, holds};
use super::judge::{Design, Judge, no_larger};
use super::proofs;
use super::set::Set;
use isx::certificate::problem::{hash, of_division};
use isx::certificate::{CertifyError, Limits, Prices, Proved, Statement, certify_division, verify};
use isx::explore::partition::{PartitionOptions, front, partition, prices};
use isx::partition::{Row, Status};
use isx::taskset::formulate::formulate;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::BTreeSet;

/// The most cores.
const CORES: usize = 3;

/// A design with the core of every task.
struct Division<'a> {
    design: &'a Design,
    cores: Vec<usize>,
    area: i128,
}

/// All divisions among so many cores, of equal ones the first, by rising area.
fn divisions<'a>(judge: &'a Judge, designs: &'a [Design], count: usize) -> Vec<Division<'a>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let has_pins = judge.set.tasks.iter().any(|task| task.pin.is_some());
    for task in &judge.set.tasks {
        // A core that is empty is as good as another, unless they are named.
        let used =
            |cores: &[usize]| if has_pins { count } else { cores.iter().max().map_or(0, |last| last + 1) };
        let next = |cores: &Vec<usize>| {
            let some = (0..count.min(used(cores) + 1)).filter(|core| task.pin.is_none_or(|pin| pin == *core));
            some.map(|core| [&cores[..], &[core]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(next).collect();
    }
    all.retain(|cores| judge.set.apart.is_none_or(|(one, other)| cores[one] != cores[other]));
    let division = |design, cores: &Vec<usize>| {
        area(judge, design, cores, count).map(|area| Division { design, cores: cores.clone(), area })
    };
    let mut divisions: Vec<Division> = designs
        .iter()
        .flat_map(|design| all.iter().filter_map(move |cores| division(design, cores)))
        .collect();
    divisions.sort_by_key(|division| division.area);
    divisions
}

/// The blocks of a design whose tasks are on these cores, each with its core or the chip.
fn built(set: &Set, design: &Design, cores: &[usize]) -> BTreeSet<(usize, usize)> {
    let taken = set.tasks.iter().zip(&design.choices).zip(cores);
    let place = |block: usize, core| (if set.blocks[block].on_chip { CORES } else { core }, block);
    let of_task = |((task, choice), core): ((&super::set::Task, &Option<usize>), &usize)| {
        let uses = choice.map_or_else(Vec::new, |choice| set.closed(&task.choices[choice].uses));
        uses.into_iter().map(|block| place(block, *core)).collect::<Vec<_>>()
    };
    taken.flat_map(of_task).collect()
}

/// The costs of a design with so many cores and these blocks.
fn cost(set: &Set, design: &Design, blocks: impl Iterator<Item = usize>, count: usize) -> Vec<i128> {
    let taken = set.tasks.iter().zip(&design.choices);
    let taken = taken.filter_map(|(task, choice)| Some(&task.choices[(*choice)?].cost));
    let costs: Vec<_> = taken.chain(blocks.map(|block| &set.blocks[block].cost)).chain([&set.base]).collect();
    let cores = set.core_cost().into_iter().map(|core| core * count as i128).enumerate();
    cores.map(|(at, cores)| cores + costs.iter().map(|cost| cost[at]).sum::<i128>()).collect()
}

/// The area of a design whose tasks are on these cores, if it fits their slots and the limits.
fn area(judge: &Judge, design: &Design, cores: &[usize], count: usize) -> Option<i128> {
    let (set, built) = (&judge.set, built(&judge.set, design, cores));
    let exclude = |&(place, block): &(usize, usize), &(other, beside): &(usize, usize)| {
        place == other && set.exclude(block, beside)
    };
    let is_free = built.iter().all(|one| !built.iter().any(|other| exclude(one, other)));
    let cost = cost(set, design, built.into_iter().map(|(_, block)| block), count);
    let fits = is_free && set.device.as_ref().is_none_or(|device| no_larger(&cost, device));
    fits.then(|| cost[0])
}

/// The loads of the cores, and whether all of them meet their deadlines.
fn cores_of(judge: &Judge, design: &Design, cores: &[usize]) -> (Vec<BigInt>, Option<bool>) {
    let (loads, passes): (Vec<BigInt>, Vec<Option<bool>>) =
        (0..CORES).map(|core| judge.alone(design, &|task| cores[task] == core)).unzip();
    let fails = passes.contains(&Some(false));
    (loads, if fails { Some(false) } else { passes.into_iter().collect::<Option<Vec<_>>>().map(|_| true) })
}

fn asked(case: &Case, cores: (u32, u32)) -> PartitionOptions<'static> {
    PartitionOptions {
        cores,
        engine: None,
        steps: 100_000_000,
        max_time: None,
        limits: case.limits,
        go_on: &|| true,
        searching: &|_, _, _| {},
        report: &|_| {},
    }
}

/// The least area on so many cores, `None` if there is no division; or that this is not known here.
fn least(judge: &Judge, designs: &[Design], count: usize) -> Option<Option<BigRational>> {
    for division in divisions(judge, designs, count) {
        match cores_of(judge, division.design, &division.cores).1 {
            Some(false) => {}
            passes => return passes.map(|_| Some(judge.in_units(division.area))),
        }
    }
    Some(None)
}

pub fn partitions(case: &Case, random: &mut Random, tally: &mut Tally) -> Checked {
    // A slot is one of every core, so these may be none on one core.
    let designs: Vec<Design> = case.judge.selections().collect();
    rows(case, &designs, random, tally)?;
    // Of parts, combinations that are worth their cost under limits alone are left out.
    let limited = Judge::of_none(&limited(&case.judge.set, random));
    if let Some(case) = Case::of(&limited, tally)?.filter(|case| !case.task_set.has_parts()) {
        tally.count("cores within limits");
        rows(&case, &limited.selections().collect::<Vec<_>>(), random, tally)?;
    }
    let fronts = if case.judge.set.tasks.len() < 4 { 1..=CORES } else { 2..=2 };
    fronts.filter(|_| case.judge.set.is_plain()).try_for_each(|count| front_is(case, &designs, count, tally))
}

/// The set with a second resource, of which the chip has little.
fn limited(set: &Set, random: &mut Random) -> Set {
    let mut set = set.clone();
    (set.resources, set.base, set.fill) = (Some(2), vec![0, 1], 100);
    set.device = Some(vec![1 << 60, random.within(2, 24)]);
    for task in &mut set.tasks {
        task.choices.retain(|choice| !choice.is_way);
        task.parts.iter_mut().flat_map(|part| &mut part.choices).for_each(|choice| choice.cost.push(0));
        task.choices.iter_mut().for_each(|choice| choice.cost.push(random.within(0, 9)));
    }
    set.blocks.iter_mut().for_each(|block| block.cost.push(random.within(0, 9)));
    set.expand();
    set
}

fn rows(case: &Case, designs: &[Design], random: &mut Random, tally: &mut Tally) -> Checked {
    let judge = case.judge;
    let rows = match partition(&case.task_set, &asked(case, (1, CORES as u32))) {
        Ok(found) => found.rows,
        Err(error) => return fault("partition", error.to_string()),
    };
    for row in rows {
        let count = row.cores as usize;
        let Some(least) = least(judge, designs, count) else { continue };
        tally.count(if least.is_some() { "least area on cores" } else { "no division among cores" });
        let is_so = match &row.status {
            Status::Proved => {
                row.best.as_ref().map(|best| &best.area) == least.as_ref() && row.bound == least
            }
            Status::Infeasible(_) => least.is_none(),
            Status::Unknown(_) => !case.is_small,
        };
        holds(is_so, "the least area on cores", &|| format!("{row:?}, and not {least:?}"))?;
        if judge.set.device.is_none() && !matches!(row.status, Status::Unknown(_)) {
            proved(case, &row, &least, designs, random, tally)?;
        }
        let Some(best) = &row.best else { continue };
        let tasks = case.task_set.tasks.iter().zip(&best.assignment).filter(|(task, _)| !task.is_part());
        let cores: Vec<usize> = tasks.map(|(_, core)| *core as usize).collect();
        let design = case.selection(0, &best.choices);
        let own = area(judge, &design, &cores, count).map(|area| judge.in_units(area));
        let (loads, passes) = cores_of(judge, &design, &cores);
        let is_bound = |(task, core): (&super::set::Task, &usize)| task.pin.is_none_or(|pin| pin == *core);
        let is_bound = judge.set.tasks.iter().zip(&cores).all(is_bound)
            && judge.set.apart.is_none_or(|(one, other)| cores[one] != cores[other]);
        let loads: Vec<BigRational> = loads[..count].iter().map(|load| judge.utilization(load)).collect();
        let is_so = own.as_ref() == Some(&best.area)
            && is_bound
            && passes != Some(false)
            && loads == best.utilizations;
        holds(is_so, "a division among cores", &|| format!("{best:?}, and not {own:?}, {loads:?}"))?;
    }
    Ok(())
}

/// The least area with which all cores together are fast enough, and one of them for every task.
fn together(judge: &Judge, designs: &[Design], count: usize) -> Option<BigRational> {
    let is_fast = |design: &&Design| {
        let alone = |task| judge.alone(design, &|other| other == task).0 <= judge.full;
        *design.load() <= &judge.full * count && (0..judge.set.tasks.len()).all(alone)
    };
    let area = |design: &Design| {
        let blocks = built(&judge.set, design, &vec![0; design.choices.len()]);
        let on_chip = || blocks.iter().filter(|(place, _)| *place == CORES).map(|(_, block)| *block);
        let is_free = judge.set.fit(&on_chip().collect::<Vec<_>>());
        is_free.then(|| cost(&judge.set, design, blocks.iter().map(|(_, block)| *block), count)[0])
    };
    designs.iter().filter(is_fast).filter_map(area).min().map(|area| judge.in_units(area))
}

/// The area that is proved, with that of the cores; `None` if it is proved that there is no division.
fn proved_area(proved: &Proved) -> Option<BigRational> {
    let ratio = |(num, den): &(num_bigint::BigUint, num_bigint::BigUint)| {
        BigRational::new(num.clone().into(), den.clone().into())
    };
    let (unit, chip) = (ratio(&proved.problem.resources.columns[0].unit), proved.problem.chip.as_ref()?);
    let Statement::LeastDivision(division) = &proved.statement else { return None };
    Some(unit * BigInt::from(division.area) + ratio(&chip.core_area) * BigInt::from(chip.cores))
}

/// The least area is proved, unless only the search shows it; and so is what a changed certificate still proves, and one that is
/// put to another set or number of cores.
fn proved(
    case: &Case,
    row: &Row,
    least: &Option<BigRational>,
    designs: &[Design],
    random: &mut Random,
    tally: &mut Tally,
) -> Checked {
    let Some(joined) = case.task_set.joined() else { return Ok(()) };
    let (set, mut row) = (&joined.task_set, row.clone());
    if let Some(best) = &mut row.best {
        best.choices = joined.together(&best.choices).unwrap_or_default();
        best.assignment = joined.of_tasks(&best.assignment);
        let built = joined.built(&best.choices, &best.assignment, best.blocks.len());
        (best.blocks, best.chip_blocks) = built;
    }
    let row = &row;
    let Ok(formulation) = formulate(set, None) else { return Ok(()) };
    let of_clock = |clock, decided: &[Option<bool>]| {
        let found = prices(set, row, clock, decided, &asked(case, (1, CORES as u32))).ok()??;
        let worth = found.worth.into_iter().map(|worth| worth.try_into().ok()).collect::<Option<_>>()?;
        Some(Prices { shift: found.shift, largest: found.largest.try_into().ok()?, worth })
    };
    let mut bytes = Vec::new();
    match certify_division(set, &formulation, row, &of_clock, proofs::MUCH, &mut bytes) {
        Ok(_) => tally.count("certificate of cores"),
        Err(CertifyError::Refused(why)) => {
            tally.count(format!("not proved: {}", gist(&why)));
            let is_listed = proofs::is_listed(case, &why)
                || case.task_set.has_parts()
                || why.ends_with("rests on the search alone")
                    && together(case.judge, designs, row.cores as usize) != *least;
            return holds(is_listed, &format!("not proved: {}", gist(&why)), &|| why.clone());
        }
        Err(error) => return fault("certificate of cores", error.to_string()),
    }
    let problem = of_division(set, &formulation, row.cores);
    let is_so = |bytes: &[u8], problem: &[u8], wanted: &dyn Fn() -> Option<Option<BigRational>>, what| {
        let Ok(proved) = verify(bytes, &hash(problem), Limits::default()) else { return Ok(false) };
        let (area, wanted) = (proved_area(&proved), wanted());
        holds(wanted.as_ref().is_none_or(|wanted| area == *wanted), what, &|| {
            format!("{area:?}, and not {wanted:?}")
        })?;
        Ok(true)
    };
    let own = || Some(least.clone());
    let is_accepted = is_so(&bytes, &problem, &own, "a certificate of cores")?;
    holds(is_accepted, "a refused certificate of cores", &|| format!("{row:?}"))?;
    for mutant in proofs::mutants(&bytes, &problem, random) {
        let is_accepted = is_so(&mutant, &problem, &own, "a mutant of a certificate of cores")?;
        tally.count(if is_accepted { "mutant accepted" } else { "mutant refused" });
    }
    let (mut other, mut cores) = (case.judge.set.clone(), row.cores);
    let at = random.within(0, other.tasks.len() - 1);
    match random.within(0, 4u32) {
        0 => cores = random.within(1, CORES as u32),
        1 => other.tasks[at].pin = Some(random.within(0, 2)),
        2 if other.tasks[at].parts.is_empty() => other.tasks[at].wcet[0] += 1,
        3 if other.blocks.iter().all(|block| block.slot.is_none() && block.excludes.is_empty()) => {
            other.blocks.iter_mut().for_each(|block| block.on_chip = !block.on_chip);
        }
        _ => other.core = other.core.map(|core| core + 1),
    }
    let judge = Judge::of_none(&other);
    let Ok(Some(beside)) = Case::of(&judge, tally) else { return Ok(()) };
    let Some(joined) = beside.task_set.joined() else { return Ok(()) };
    let Ok(formulation) = formulate(&joined.task_set, None) else { return Ok(()) };
    let to = of_division(&joined.task_set, &formulation, cores);
    let wanted = || self::least(&judge, &judge.selections().collect::<Vec<_>>(), cores as usize);
    let put = proofs::put(&bytes, &problem, &to);
    let is_accepted = is_so(&put, &to, &wanted, "a certificate of cores put to another set")?;
    tally.count(if is_accepted { "moved to other cores" } else { "refused of other cores" });
    Ok(())
}

fn front_is(case: &Case, designs: &[Design], count: usize, tally: &mut Tally) -> Checked {
    let judge = case.judge;
    let found = match front(&case.task_set, &asked(case, (count as u32, count as u32))) {
        Ok(found) => found,
        Err(error) => {
            return fault(&format!("front of cores: {}", gist(&error.to_string())), error.to_string());
        }
    };
    let mut wanted: Vec<(BigRational, BigRational)> = Vec::new();
    let loads = |division: &Division| {
        cores_of(judge, division.design, &division.cores).0.into_iter().max().unwrap_or_default()
    };
    let mut all: Vec<(i128, BigInt)> =
        divisions(judge, designs, count).iter().map(|division| (division.area, loads(division))).collect();
    all.sort();
    for (area, load) in all.into_iter().filter(|(_, load)| *load <= judge.full) {
        let utilization = judge.utilization(&load);
        if wanted.last().is_none_or(|(_, least)| utilization < *least) {
            wanted.push((judge.in_units(area), utilization));
        }
    }
    let printed: Vec<_> = found.points.iter().map(|point| (point.area.clone(), point.largest())).collect();
    tally.count("front of cores");
    let is_empty = found.infeasible.is_some() == wanted.is_empty();
    let is_so = printed == wanted && is_empty || found.open.is_some() && !case.is_small;
    holds(is_so, "the front of cores", &|| format!("{printed:?}, open {:?}, and not {wanted:?}", found.open))
}
