//! How candidates are built and what they save: by the index itself, by schedules, by a report of counted instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use num_traits::{One, Signed};

use super::index::Candidate;
use crate::Refusal;
use crate::draft::{Draft, named_again};
use crate::figures::{Found, error};
use crate::table::{Row, Table};
use isx_exact::quantity::Rational;
use isx_taskset::document::{Node, Value};
use isx_taskset::{Source, name_problem, shortened};

/// A way to build some instructions.
pub(super) struct Solution {
    /// Its name in the schedules, or that of the instruction.
    pub name: String,
    /// The sharing group.
    pub group: String,
    pub area: Rational,
    /// How many cycles pass from one such instruction to the next.
    pub interval: Rational,
    /// The numbers of its candidates.
    pub builds: BTreeSet<usize>,
}

/// A program, and what each candidate saves in it.
pub(super) struct Program {
    pub name: String,
    pub wcet: Rational,
    pub saves: Vec<Option<Rational>>,
    pub origin: String,
    pub place: Range<usize>,
}

/// The hardware that the index itself names.
pub(super) fn unscheduled(candidates: &[Candidate], draft: &mut Draft) -> Vec<Solution> {
    draft.taken.push("Areas are each candidate's `hls_area`.".into());
    let mut solutions = Vec::new();
    for (at, Candidate { name, area, interval, sharers, place, .. }) in candidates.iter().enumerate() {
        let Some(area) = area.clone().filter(|area| !area.is_negative()) else {
            draft.left_out.note("candidates without an area (`hls_area`)", name, place.start);
            continue;
        };
        if *sharers > Rational::one() {
            let kind = "sharing of hardware (`hls_num_shared`): its `hls_area` is paid by each instruction without schedules";
            draft.left_out.note(kind, name, place.start);
        }
        let (name, group, interval) = (name.clone(), name.clone(), interval.clone());
        solutions.push(Solution { name, group, area, interval, builds: BTreeSet::from([at]) });
    }
    solutions
}

/// The solutions of sharing groups from a table of schedules.
pub(super) fn scheduled(
    source: &Arc<Source>,
    candidates: &[Candidate],
    draft: &mut Draft,
) -> Result<Vec<Solution>, Refusal> {
    const HELP: &str =
        "the columns are `config`, `II`, `Instruction latencies` and `Area estimate w/o lifetimes`";
    let table = Table::new(source, |_| false)?;
    let column = |name: &str| table.required(&[name], HELP);
    let (config, interval) = (column("config")?, column("ii")?);
    let (latencies, area) = (column("instruction latencies")?, column("area estimate w/o lifetimes")?);
    let numbers: BTreeMap<&str, usize> =
        candidates.iter().enumerate().map(|(at, candidate)| (candidate.name.as_str(), at)).collect();
    let mut solutions: Vec<Solution> = Vec::new();
    let mut seen: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for row in table.rows() {
        let row = row?;
        let (name, place) = (row.cells[config].text.to_string(), row.cells[config].place.clone());
        let Some((group, _)) = solution_numbers(&name) else {
            let refused =
                row.error(config, format!("`{}` is no solution of a sharing group", shortened(&name)));
            return Err(refused.label("such as `SG_1_SOL_IDX_0`").into());
        };
        if let Some(first) = seen.insert(name.clone(), place.clone()) {
            return Err(named_again(source, "solution", &name, place, &first).into());
        }
        let line = source.line(place.start);
        if row.filled(Some(area)).is_none() {
            draft.left_out.note_in_line("solutions without an area, such as fallbacks", &name, line);
            continue;
        }
        // `{'CUSTOM0': 4, 'CUSTOM3': 3}`
        let names = row.cells[latencies].text.split('\'').skip(1).step_by(2);
        let builds: BTreeSet<usize> = names.filter_map(|name| numbers.get(name).copied()).collect();
        if builds.is_empty() {
            draft.left_out.note_in_line("solutions of no candidate of the index", &name, line);
            continue;
        }
        let owner = format!("solution `{name}`");
        solutions.push(Solution {
            group: format!("SG_{group}"),
            area: row.figure(area, &owner).not_negative()?,
            interval: row.figure(interval, &owner).positive()?,
            builds,
            name,
        });
    }
    let built: BTreeSet<&usize> = solutions.iter().flat_map(|solution| &solution.builds).collect();
    for (at, Candidate { name, place, .. }) in candidates.iter().enumerate() {
        if !built.contains(&at) {
            draft.left_out.note("candidates without a solution in the schedules", name, place.start);
        }
    }
    draft.taken.push(format!(
        "Areas are `Area estimate w/o lifetimes` in {}, of one solution per sharing group.",
        source.file_name()
    ));
    Ok(solutions)
}

/// The sharing group and the solution that a name such as `SG_2_SOL_IDX_1` ends in.
pub fn solution_numbers(name: &str) -> Option<(u64, u64)> {
    let (_, numbers) = name.rsplit_once("SG_")?;
    let (group, solution) = numbers.split_once("_SOL_IDX_")?;
    Some((group.parse().ok()?, solution.parse().ok()?))
}

/// The program of an index without a report: what it takes in software is 1.
pub(super) fn of_index(
    source: &Arc<Source>,
    root: &Node<'_>,
    candidates: &[Candidate],
    draft: &mut Draft,
) -> Found<Program> {
    let several = root.bytes.start..root.bytes.start + 1;
    if candidates.iter().all(|candidate| candidate.reduction.is_none()) {
        return Err(error(source, several, "no candidate has a `runtime_reduction_rel`, its benefit for one program")
            .help("`multi_runtime_reduction_rel` is a sum over programs: give the report that it was made from as --benefits"));
    }
    let blocks = root.entry("global").and_then(|global| global.entry("properties")).map(|list| &list.value);
    let session = match blocks {
        Some(Value::List(blocks)) => blocks.first().and_then(|block| block.entry("session")?.text()),
        _ => None,
    };
    // The flow calls its sessions `isaac-demo-PROGRAM-20260522T154826`.
    let program = |name| str::strip_prefix(name, "isaac-demo-")?.rsplit_once('-').map(|(program, _)| program);
    let name = session.map(|name| program(name).unwrap_or(name));
    let name = name.filter(|name| name_problem(name).is_none()).map(str::to_owned);
    let name = name.unwrap_or_else(|| draft.name.clone());
    draft.taken.push("The program takes 1 in software, and a choice saves its `runtime_reduction_rel`: a share of the executed instructions, not of cycles.".into());
    let saves = candidates.iter().map(|candidate| candidate.reduction.clone()).collect();
    Ok(Program { name, wcet: Rational::one(), saves, origin: source.file_name().to_owned(), place: several })
}

/// The programs of a report that counts instructions: in software, and with each candidate alone.
pub(super) fn measured(
    source: &Arc<Source>,
    candidates: &[Candidate],
    draft: &mut Draft,
) -> Result<Vec<Program>, Refusal> {
    const HELP: &str = "the columns are `Model`, `Arch` and `Run Instructions`";
    let table = Table::new(source, |_| false)?;
    let column = |name: &str| table.required(&[name], HELP);
    let (model, arch) = (column("model")?, column("arch")?);
    // `Run Instructions (rel.)` reads as the same name with a unit.
    let count = table
        .columns
        .iter()
        .position(|column| column.name == "run instructions" && column.unit.is_empty())
        .map_or_else(|| column("run instructions"), Ok)?;
    let endings: Vec<String> = candidates
        .iter()
        .map(|candidate| format!("_xisaac{}single", candidate.name.to_lowercase()))
        .collect();
    let mut programs: Vec<Program> = Vec::new();
    for row in table.rows() {
        let row: Row<'_> = row?;
        let name = &row.cells[model].text;
        let counted = row.figure(count, &format!("program `{}`", shortened(name))).positive()?;
        let arch_text = &row.cells[arch].text;
        let program = programs.iter_mut().find(|program| program.name == **name);
        let candidate = endings.iter().position(|ending| arch_text.ends_with(ending.as_str()));
        match (program, candidate) {
            (None, None) if !arch_text.contains("_xisaac") => programs.push(Program {
                name: name.to_string(),
                wcet: counted,
                saves: vec![None; candidates.len()],
                origin: row.origin(None),
                place: 0..0,
            }),
            (Some(program), Some(at)) => program.saves[at] = Some(&program.wcet - counted),
            (None, Some(_)) => {
                let refused =
                    row.error(arch, format!("program `{}` has no count in software before", shortened(name)));
                return Err(refused.label("the first row of a program has none of the candidates").into());
            }
            _ => {
                let line = source.line(row.place.start);
                draft.left_out.note_in_line("rows of a report that are of no candidate", arch_text, line);
            }
        }
    }
    draft.taken.push(format!(
        "WCETs and savings are the executed instructions that {} counts: what a cycle is on a core that takes one for each.",
        source.file_name()
    ));
    Ok(programs)
}
