//! The least area on several cores, and the front of area against the load of the fullest core: by all designs and all
//! divisions of the tasks.

use crate::ask::{Case, Tally, Told, fault, gist, holds};
use crate::judge::{Design, Judge};
use isx::explore::partition::{PartitionOptions, front, partition};
use isx::partition::Status;
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

/// The area of a design whose tasks are on these cores.
fn area(judge: &Judge, design: &Design, cores: &[usize], count: usize) -> Option<i128> {
    let set = &judge.set;
    let mut area = count as i128 * set.core?;
    let mut built: BTreeSet<(usize, usize)> = BTreeSet::new();
    for ((task, choice), core) in set.tasks.iter().zip(&design.choices).zip(cores) {
        let Some(choice) = choice.map(|choice| &task.choices[choice]) else { continue };
        area += choice.cost[0];
        let blocks = set.closed(&choice.uses);
        built.extend(blocks.iter().map(|&block| (if set.blocks[block].on_chip { CORES } else { *core }, block)));
    }
    let exclude = |&(place, block): &(usize, usize), &(other, beside): &(usize, usize)| {
        place == other && set.exclude(block, beside)
    };
    let is_free = built.iter().all(|one| !built.iter().any(|other| exclude(one, other)));
    is_free.then(|| area + built.iter().map(|&(_, block)| set.blocks[block].cost[0]).sum::<i128>())
}

/// The loads of the cores, and whether all of them meet their deadlines.
fn cores_of(judge: &Judge, design: &Design, cores: &[usize]) -> (Vec<BigInt>, Option<bool>) {
    let (loads, passes): (Vec<BigInt>, Vec<Option<bool>>) =
        (0..CORES).map(|core| judge.alone(design, &|task| cores[task] == core)).unzip();
    let fails = passes.contains(&Some(false));
    (loads, if fails { Some(false) } else { passes.into_iter().collect::<Option<Vec<_>>>().map(|_| true) })
}

pub fn partitions(case: &Case, tally: &mut Tally) -> Told {
    let judge = case.judge;
    let asked = |cores| PartitionOptions {
        cores,
        engine: None,
        steps: 100_000_000,
        max_time: None,
        limits: case.limits,
        go_on: &|| true,
        searching: &|_, _, _| {},
        told: &|_| {},
    };
    let rows = match partition(&case.task_set, &asked((1, CORES as u32))) {
        Ok(found) => found.rows,
        Err(error) => return fault("partition", error.to_string()),
    };
    // A slot is one of every core, so these may be none on one core.
    let designs: Vec<Design> = judge.selections().collect();
    for row in rows {
        let count = row.cores as usize;
        let mut least = Some(None);
        for division in divisions(judge, &designs, count) {
            match cores_of(judge, division.design, &division.cores).1 {
                Some(false) => continue,
                passes => least = passes.map(|_| Some(judge.in_units(division.area))),
            }
            break;
        }
        // Not judged.
        let Some(least) = least else { continue };
        tally.count(if least.is_some() { "least area on cores" } else { "no division among cores" });
        let is_so = match &row.status {
            Status::Proved => {
                row.best.as_ref().map(|best| &best.area) == least.as_ref() && row.bound == least
            }
            Status::Infeasible(_) => least.is_none(),
            Status::Unknown(_) => !case.is_small,
        };
        holds(is_so, "the least area on cores", &|| format!("{row:?}, and not {least:?}"))?;
        let Some(best) = &row.best else { continue };
        let tasks = case.task_set.tasks.iter().zip(&best.assignment).filter(|(task, _)| !task.is_part());
        let cores: Vec<usize> = tasks.map(|(_, core)| *core as usize).collect();
        let design = case.selection(0, &best.choices);
        let own = area(judge, &design, &cores, count).map(|area| judge.in_units(area));
        let (loads, passes) = cores_of(judge, &design, &cores);
        let is_bound = |(task, core): (&crate::set::Task, &usize)| task.pin.is_none_or(|pin| pin == *core);
        let is_bound = judge.set.tasks.iter().zip(&cores).all(is_bound)
            && judge.set.apart.is_none_or(|(one, other)| cores[one] != cores[other]);
        let loads: Vec<BigRational> = loads[..count].iter().map(|load| judge.utilization(load)).collect();
        let is_so = own.as_ref() == Some(&best.area)
            && is_bound
            && passes != Some(false)
            && loads == best.utilizations;
        holds(is_so, "a division among cores", &|| format!("{best:?}, and not {own:?}, {loads:?}"))?;
    }
    let fronts = if judge.set.tasks.len() < 4 { 1..=CORES } else { 2..=2 };
    fronts
        .filter(|_| judge.set.is_plain())
        .try_for_each(|count| front_is(case, &designs, count, tally, &asked))
}

fn front_is(
    case: &Case,
    designs: &[Design],
    count: usize,
    tally: &mut Tally,
    asked: &dyn Fn((u32, u32)) -> PartitionOptions<'static>,
) -> Told {
    let judge = case.judge;
    let found = match front(&case.task_set, &asked((count as u32, count as u32))) {
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
    let told: Vec<_> = found.points.iter().map(|point| (point.area.clone(), point.largest())).collect();
    tally.count("front of cores");
    let is_empty = found.infeasible.is_some() == wanted.is_empty();
    let is_so = told == wanted && is_empty || found.open.is_some() && !case.is_small;
    holds(is_so, "the front of cores", &|| format!("{told:?}, open {:?}, and not {wanted:?}", found.open))
}
