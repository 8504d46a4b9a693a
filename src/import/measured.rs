//! Areas of blocks and choices from reports of built designs, in place of cells of their tables.
//!
//! A block, or a choice, takes the area of the design with it minus that of the design without it, the base. Of several
//! reports of one design, by other recipes or seeds, the smallest counts; with several resources, the one that needs the least of the first
//! resource, then of the second: a price is that of one design that was built.

use super::comparable::{self, Compared};
use super::counted::{Counted, Placed, Way, amounts, in_words};
use super::draft::{Cost, Draft, file_name, of_area, without_folders};
use super::figures::{Found, error, meant};
use super::price::PriceColumns;
use super::report::Report;
use super::table::{Cell, Row};
use isx_exact::quantity::Rational;
use isx_taskset::{Diagnostic, Source, printable, shortened};
use num_traits::{Signed, Zero};
use std::sync::Arc;

/// The name of the design without blocks and choices.
const BASE: &str = "base";

/// Reports of a design with a block or a choice, or of the base.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The name of the block or choice, or `base`.
    pub name: String,
    /// The reports with the names of their files.
    pub reports: Vec<(String, Report)>,
}

/// The price of a block or choice by its reports, and where it is from; `None` if it has no reports.
pub(super) fn price(
    measured: &[Measured],
    draft: &Draft,
    source: &Arc<Source>,
    row: &Row<'_>,
    columns: Option<&PriceColumns>,
    (name, owner): (&Cell<'_>, &str),
    doubts: &mut Vec<Diagnostic>,
) -> Found<Option<(Cost, String)>> {
    let find = |name: &str| measured.iter().find(|measured| measured.name == name);
    let Some(design) = find(&name.text) else { return Ok(None) };
    let refuse = |message: String| error(source, name.place.clone(), message);
    if columns.is_some_and(|columns| columns.is_filled(row)) {
        let refused = refuse(format!("{owner} has an area in the table and a report of it"));
        return Err(refused.label("leave its area empty for the report's"));
    }
    let area = std::slice::from_ref(&draft.area_unit);
    let resources = if draft.resources.is_empty() { area } else { draft.resources.as_slice() };
    if resources.iter().any(String::is_empty) {
        let refused = refuse(format!("{owner} has reports, and no table says in what areas are counted"));
        return Err(refused
            .label("its area is unknown")
            .help("name the resource of the column, such as `area [LUT]`"));
    }
    refuse_others(measured, source, name, doubts)?;
    let counted: Vec<Counted> = resources.iter().map(|name| Counted::usual(name)).collect();
    let best = |design: &Measured| -> Found<(Vec<Rational>, String)> {
        let mut best: Option<(Vec<Rational>, &str)> = None;
        for (file, report) in &design.reports {
            let path = Placed { text: file, place: name.place.clone() };
            let amounts = amounts(&counted, report, source, &path, Way::Head)?;
            if best.as_ref().is_none_or(|(least, _)| amounts < *least) {
                best = Some((amounts, file));
            }
        }
        let (amounts, file) = best.ok_or_else(|| refuse(format!("{owner} has no reports")))?;
        let of = if design.reports.len() > 1 {
            format!(", best of {}", design.reports.len())
        } else {
            String::new()
        };
        let words = format!("{} in {}{of}", in_words(&counted, &amounts), printable(without_folders(file)));
        Ok((amounts, words))
    };
    let (mut amounts, mut words) = best(design)?;
    if let Some(base) = find(BASE) {
        let (less, base) = best(base)?;
        amounts.iter_mut().zip(less).for_each(|(amount, less)| *amount -= less);
        words = format!("{words}, less the base: {base}");
    }
    if draft.resources.is_empty() {
        let area = amounts.pop().unwrap_or_default();
        if area.is_negative() {
            let refused = refuse(format!("{owner} makes the design smaller: {words}"));
            return Err(refused
                .label("an area is 0 or greater")
                .help("compare reports of the same recipe and the same version of the tool"));
        }
        return Ok(Some((of_area(area), words)));
    }
    let cost: Vec<_> =
        resources.iter().cloned().zip(amounts).filter(|(_, amount)| !amount.is_zero()).collect();
    if cost.iter().any(|(_, amount)| amount.is_negative()) {
        let message = format!("{owner} makes the design smaller: {words}");
        let warning = Diagnostic::warning(source, name.place.clone(), message).label("a negative difference");
        doubts.push(
            *warning.help("give reports of more recipes or seeds, of both designs; the best of each counts"),
        );
    }
    Ok(Some((cost, words)))
}

/// Refuses reports of several tools or families, and notes several series of one, where the first is used that does not
/// belong to those before it.
fn refuse_others(
    measured: &[Measured],
    source: &Arc<Source>,
    name: &Cell<'_>,
    doubts: &mut Vec<Diagnostic>,
) -> Found<()> {
    let mut all: Vec<(&str, Compared)> = Vec::new();
    for Measured { name, reports } in measured {
        let compared = reports.iter().filter_map(|(file, report)| Compared::new(file, report, true));
        all.extend(compared.map(|compared| (name.as_str(), compared)));
    }
    all.sort_by_key(|(owner, _)| *owner != BASE);
    let (owners, all): (Vec<&str>, Vec<Compared>) = all.into_iter().unzip();
    let place = |_| name.place.clone();
    let is_here = |at: usize| owners.get(at).is_some_and(|owner| [BASE, &*name.text].contains(owner));
    match comparable::first_incomparable(source, &all, place, None) {
        Some((at, refused)) if is_here(at) => return Err(refused),
        Some(_) => {}
        None => {
            let other =
                comparable::first_of_another_series(source, &all, place).filter(|(at, _)| is_here(*at));
            doubts.extend(other.map(|(_, warning)| *warning));
        }
    }
    Ok(())
}

/// Refuses reports of what no table names.
pub(super) fn refuse_unused(measured: &[Measured], draft: &Draft, source: &Arc<Source>) -> Found<()> {
    let choices = draft.tasks.iter().flat_map(|task| &task.choices).map(|choice| choice.name.as_str());
    let known: Vec<&str> = draft.blocks.iter().map(|block| block.name.as_str()).chain(choices).collect();
    for Measured { name, .. } in measured {
        if name != BASE && !known.contains(&name.as_str()) {
            return Err(unused(source, name, &known));
        }
    }
    Ok(())
}

fn unused(source: &Arc<Source>, name: &str, known: &[&str]) -> Box<Diagnostic> {
    let message =
        format!("no block and no choice is named `{}`, of which there are reports", shortened(name));
    let label = meant(name, known.iter().copied());
    let label = label.unwrap_or_else(|| format!("the tables of {} name others", file_name(source)));
    error(source, 0..0, message).label(label)
}

#[cfg(test)]
mod tests {
    use super::Measured;
    use crate::{Options, Refusal, Tables, import, reports};
    use isx_taskset::TaskSet;

    fn report(luts: u32, dsps: u32) -> String {
        let cells = format!("{{\"SB_LUT4\": {luts}, \"SB_MAC16\": {dsps}}}");
        format!(
            "{{\"creator\": \"Yosys\", \"modules\": {{}}, \"design\": {{\"num_cells_by_type\": {cells}}}}}"
        )
    }

    /// The reports of a design, each with its LUTs and DSPs.
    fn measured(name: &str, designs: &[(u32, u32)]) -> Measured {
        let read = |(at, &(luts, dsps)): (usize, &(u32, u32))| {
            let file = format!("{name}-{at}.json");
            let report = reports::read(&file, report(luts, dsps).as_bytes()).unwrap();
            (file, report)
        };
        Measured { name: name.to_owned(), reports: designs.iter().enumerate().map(read).collect() }
    }

    fn imported(blocks: Option<&str>, choices: &str, measured: Vec<Measured>) -> Result<TaskSet, Refusal> {
        let tables = Tables {
            choices: Some(("choices.csv", choices.as_bytes())),
            blocks: blocks.map(|text| ("blocks.csv", text.as_bytes())),
        };
        let tasks = "name,period_ms,wcet_ms\nfir,10,8\n";
        let options = Options { measured, ..Options::default() };
        import("plant.csv", tasks.as_bytes(), None, tables, &options)
            .map(|imported| imported.reading.task_set)
    }

    const USES: &str = "task,choice,uses,wcet_ms\nfir,mac,mul,3\n";

    #[test]
    fn the_best_report_less_the_best_of_the_base_is_the_area() {
        let reports =
            || vec![measured("base", &[(1_600, 0), (1_599, 0)]), measured("mul", &[(1_996, 0), (1_796, 0)])];
        let set = imported(Some("block,area [LUT],slot\nmul,,m\nbox,12,\n"), USES, reports()).unwrap();
        assert_eq!([set.blocks[0].cost[0].to_string(), set.blocks[1].cost[0].to_string()], ["197", "12"]);
        let choices = "task,choice,area [LUT],wcet_ms\nfir,mul,,3\n";
        let set = imported(None, choices, reports()).unwrap();
        assert_eq!(set.tasks[0].choices[0].cost[0].to_string(), "197");
        let source = "1796 LUT in mul-1.json, best of 2, less the base: 1599 LUT in base-1.json, best of 2";
        assert_eq!(set.tasks[0].choices[0].source.as_deref(), Some(source));
        let alone = imported(None, choices, vec![measured("mul", &[(41, 0)])]).unwrap();
        assert_eq!(alone.tasks[0].choices[0].cost[0].to_string(), "41");
    }

    #[test]
    fn several_resources_are_those_of_one_design() {
        let designs = [(1_700, 0), (1_500, 4), (1_500, 2)];
        let reports = vec![measured("base", &[(1_600, 1)]), measured("mul", &designs)];
        let set = imported(Some("block,cost.LUT,cost.DSP\nmul,,\n"), USES, reports).unwrap();
        let costs: Vec<String> = set.blocks[0].cost.iter().map(ToString::to_string).collect();
        assert_eq!(costs, ["-100", "1"]);
    }

    #[test]
    fn what_a_report_cannot_say_is_refused() {
        let areas = "block,area [LUT]\nmul,\n";
        let mul = |luts| vec![measured("base", &[(100, 0)]), measured("mul", &[(luts, 0)])];
        let first = |blocks: &str, choices: &str, reports: Vec<Measured>| {
            let refused = imported(Some(blocks), choices, reports).unwrap_err().to_string();
            refused.lines().take(2).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(
            first(areas, USES, mul(90)),
            "error: block `mul` makes the design smaller: 90 LUT in mul-0.json, less the base: 100 LUT in base-0.json\n --> blocks.csv:2:1"
        );
        assert_eq!(
            first("block,area [LUT]\nmul,7\n", USES, mul(120)),
            "error: block `mul` has an area in the table and a report of it\n --> blocks.csv:2:1"
        );
        assert_eq!(
            first("block,area\nmul,\n", USES, mul(120)),
            "error: block `mul` has reports, and no table says in what areas are counted\n --> blocks.csv:2:1"
        );
        assert_eq!(
            first("block,area [ALM]\nmul,\n", USES, mul(120)),
            "error: report `mul-0.json` (Yosys for iCE40) does not count `ALM` by a usual word\n --> blocks.csv:2:1"
        );
        let mut reports = mul(120);
        reports.push(measured("macc", &[(120, 0)]));
        assert_eq!(
            first(areas, USES, reports),
            "error: no block and no choice is named `macc`, of which there are reports\n --> plant.csv:1:1"
        );
        let mut reports = mul(120);
        reports.push(measured("mac", &[(130, 0)]));
        assert_eq!(
            first(areas, USES, reports),
            "error: choice `mac` of task `fir` has blocks and a report\n --> choices.csv:2:5"
        );
    }
}
