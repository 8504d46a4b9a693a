//! ISAAC's index of candidate instructions, with what stands beside it: the HLS schedules, the benefits per program, the
//! specialisations.
//!
//! ```yaml
//! candidates:
//! - metrics: {runtime_reduction_rel: 0.12, hls_area: 840.5, enc_weight: 0.0009765625}
//!   properties: {InstrName: CUSTOM0, '#Instrs': 3.0}
//! ```
//!
//! A program is a task, and a candidate one of its parts, or a choice of one: candidates of which a program can use only
//! one are choices of the same part where all of them exclude each other, and else have blocks that do. Hardware that several programs
//! or instructions use is a block; the solutions of such a sharing group have a slot. The name of a choice ends in that of its
//! solution, `SG_2_SOL_IDX_1`, if there are schedules.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::draft::{Cost, Draft, DraftBlock, DraftTask, named_again, of_area};
use crate::figures::{Figure, Found, Time, error};
use crate::printed::{self, scalar};
use crate::table::{Row, Table};
use crate::{Format, Head, Need, Options, Refusal};
use isx_exact::quantity::{Rational, TimeUnit};
use isx_reports::decode;
use isx_taskset::document::{Node, Value, parse};
use isx_taskset::written::{Mapping, in_line};
use isx_taskset::{Source, name_problem, shortened};

pub(super) const FORMAT: Format = Format {
    name: "isaac",
    ending: "yml",
    recognises: |head: &Head<'_>| head.text.starts_with("candidates:") || head.text.contains("\ncandidates:"),
    takes: &[Need::Clock, Need::Candidates],
    read,
};

/// The most candidates: every pair of them is compared.
const MAX_CANDIDATES: usize = 4_000;

/// A candidate instruction.
struct Candidate {
    name: String,
    place: Range<usize>,
    /// The share of the instructions that a program takes less with it.
    reduction: Option<Rational>,
    area: Option<Rational>,
    encoding: Rational,
    /// How many instructions it replaces.
    replaces: Rational,
    interval: Rational,
    /// How many instructions its area is for.
    sharers: Rational,
    /// The basic block that it was found in, and its instructions there.
    covers: (String, BTreeSet<String>),
}

/// A way to build some instructions.
struct Solution {
    /// Its name in the schedules, or that of the instruction.
    name: String,
    /// The sharing group.
    group: String,
    area: Rational,
    /// How many cycles pass from one such instruction to the next.
    interval: Rational,
    /// The numbers of its candidates.
    builds: BTreeSet<usize>,
}

/// A program, and what each candidate saves in it.
struct Program {
    name: String,
    wcet: Rational,
    saves: Vec<Option<Rational>>,
    told: String,
    place: Range<usize>,
}

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let document = parse(source)?;
    let root = document.ok_or_else(|| error(source, 0..0, "the file holds only comments"))?;
    let mut draft = Draft::new(source, "ISAAC index");
    draft.clock.clone_from(&options.clock);
    let candidates = candidates(source, &root)?;
    let solutions = match &options.schedules {
        Some((name, bytes)) => scheduled(&decode(name, bytes)?, &candidates, &mut draft)?,
        None => unscheduled(&candidates, &mut draft),
    };
    let programs = match &options.benefits {
        Some((name, bytes)) => measured(&decode(name, bytes)?, &candidates, &mut draft)?,
        None if options.clock.is_some() => {
            let refused =
                error(source, root.bytes.clone(), "the benefits of an index are shares, not cycles");
            let help = "give the report with the counted instructions as --benefits, or leave the clock out";
            return Err(refused.label("no program's instructions are counted here").help(help).into());
        }
        None => vec![of_index(source, &root, &candidates, &mut draft)?],
    };
    let is_known = |name: &str| programs.iter().any(|program| program.name == name);
    if let Some((unknown, _)) = options.periods.iter().find(|(name, _)| !is_known(name)) {
        let names: Vec<String> =
            programs.iter().map(|program| format!("`{}`", shortened(&program.name))).collect();
        let refused = error(
            source,
            0..0,
            format!("a period is given for program `{}`, which is unknown", shortened(unknown)),
        );
        return Err(refused.help(format!("the programs are {}", names.join(", "))).into());
    }
    let mut pairs = overlaps(&candidates, &mut draft);
    if let Some((name, bytes)) = &options.specializations {
        pairs.extend(specialisations(&decode(name, bytes)?, candidates.len())?);
    }
    Set { candidates, solutions, programs, pairs }.draft(source, options, &mut draft)?;
    Ok(draft)
}

/// The candidates of an index.
fn candidates(source: &Arc<Source>, root: &Node<'_>) -> Found<Vec<Candidate>> {
    let Some(Value::List(nodes)) = root.entry("candidates").map(|list| &list.value) else {
        return Err(error(source, root.bytes.clone(), "the index has no list of candidates"));
    };
    let mut seen: BTreeMap<String, Range<usize>> = BTreeMap::new();
    let mut candidates = Vec::with_capacity(nodes.len());
    for node in nodes {
        let candidate = candidate(source, node)?;
        if let Some(first) = seen.insert(candidate.name.clone(), candidate.place.clone()) {
            return Err(named_again(source, "candidate", &candidate.name, candidate.place, &first));
        }
        if seen.len() > MAX_CANDIDATES {
            let message = format!("the index has more than {MAX_CANDIDATES} candidates");
            return Err(error(source, candidate.place, message).label("one too many"));
        }
        candidates.push(candidate);
    }
    Ok(candidates)
}

fn candidate(source: &Arc<Source>, node: &Node<'_>) -> Found<Candidate> {
    let under = |group: &str, key: &str| node.entry(group).and_then(|group| group.entry(key));
    let Some(name) = under("properties", "InstrName") else {
        let head = node.bytes.start..node.bytes.start + 1;
        return Err(error(source, head, "a candidate has no `InstrName` in its properties")
            .label("which instruction is it?")
            .help("give the candidates their names first, with assign_names"));
    };
    let place = name.bytes.clone();
    let name = name.text().unwrap_or_default().to_owned();
    if let Some(problem) = name_problem(&name) {
        return Err(error(source, place, format!("the name of candidate `{}` {problem}", shortened(&name))));
    }
    let figure = |group: &str, key: &str| -> Found<Option<Rational>> {
        let Some(node) = under(group, key).filter(|node| !node.is_null()) else { return Ok(None) };
        let text = node.text().unwrap_or_default();
        let what = format!("`{key}` of candidate `{}`", shortened(&name));
        match text {
            ".nan" => Ok(None),
            text => Figure { source, text, place: node.bytes.clone(), what }.decimal().map(Some),
        }
    };
    let texts = |key: &str| match under("properties", key).map(|list| &list.value) {
        Some(Value::List(nodes)) => nodes.iter().filter_map(|node| node.text().map(str::to_owned)).collect(),
        _ => BTreeSet::new(),
    };
    // The folder of its graph is named after the function and the basic block.
    let file = under("artifacts", "sub").or_else(|| under("artifacts", "io_sub")).and_then(Node::text);
    let block = file.and_then(|file| file.rsplit_once('/')).map_or("", |(folder, _)| folder);
    let nodes = Some(texts("IsoNodes")).filter(|nodes| !nodes.is_empty()).unwrap_or_else(|| texts("Nodes"));
    Ok(Candidate {
        reduction: figure("metrics", "runtime_reduction_rel")?,
        area: figure("metrics", "hls_area")?,
        encoding: figure("metrics", "enc_weight")?.unwrap_or_default(),
        replaces: figure("properties", "#Instrs")?.unwrap_or_default(),
        interval: figure("metrics", "hls_ii")?.unwrap_or_else(Rational::one),
        sharers: figure("metrics", "hls_num_shared")?.unwrap_or_else(Rational::one),
        covers: (block.to_owned(), nodes),
        place,
        name,
    })
}

/// The program of an index without a report: what it takes in software is 1.
fn of_index(
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
    let name = session.filter(|name| name_problem(name).is_none()).map(str::to_owned);
    let name = name.unwrap_or_else(|| draft.name.clone());
    draft.taken.push("The program takes 1 in software, and a choice saves its `runtime_reduction_rel`: a share of the executed instructions, not of cycles.".into());
    let saves = candidates.iter().map(|candidate| candidate.reduction.clone()).collect();
    Ok(Program { name, wcet: Rational::one(), saves, told: source.file_name().to_owned(), place: several })
}

/// The hardware that the index itself names.
fn unscheduled(candidates: &[Candidate], draft: &mut Draft) -> Vec<Solution> {
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
fn scheduled(
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

/// The programs of a report that counts instructions: in software, and with each candidate alone.
fn measured(
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
                told: row.told(None),
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

/// Pairs of candidates that cover an instruction both, and of which a program can use only one there.
fn overlaps(candidates: &[Candidate], draft: &mut Draft) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut unknown = 0;
    for (at, Candidate { covers: (block, nodes), .. }) in candidates.iter().enumerate() {
        unknown += usize::from(block.is_empty() || nodes.is_empty());
        let overlaps = |other: &Candidate| {
            !block.is_empty() && other.covers.0 == *block && !other.covers.1.is_disjoint(nodes)
        };
        pairs.extend((0..at).filter(|before| overlaps(&candidates[*before])).map(|before| (before, at)));
    }
    if !pairs.is_empty() {
        draft.taken.push(format!(
            "Pairs of candidates that cover the same instruction of a basic block, of which a program has one: {}.",
            pairs.len()
        ));
    }
    if unknown > 0 {
        draft.taken.push(format!(
            "Candidates of which it is not known what they cover of the program: {unknown}. If they overlap, they save less than their sum."
        ));
    }
    pairs
}

/// Pairs of an instruction and a specialisation of it, which has no use beside it, from a graph in DOT.
fn specialisations(source: &Arc<Source>, candidates: usize) -> Found<BTreeSet<(usize, usize)>> {
    let mut pairs = BTreeSet::new();
    for (start, line) in isx_text::cells::lines(&source.text, 0) {
        let Some((from, to)) = line.split_once("->") else { continue };
        let to = to.split(['[', ';']).next().unwrap_or_default();
        let number = |text: &str| text.trim().trim_matches('"').parse::<usize>().ok();
        match number(from).zip(number(to)).filter(|(from, to)| *from.max(to) < candidates && from != to) {
            Some((from, to)) => pairs.insert((from.min(to), from.max(to))),
            None => {
                return Err(error(source, start..start + line.len(), "an edge is between no two candidates")
                    .label(format!("their numbers in the index, below {candidates}, are due here")));
            }
        };
    }
    Ok(pairs)
}

/// All that was read.
struct Set {
    candidates: Vec<Candidate>,
    solutions: Vec<Solution>,
    programs: Vec<Program>,
    /// Candidates of which a program uses at most one.
    pairs: BTreeSet<(usize, usize)>,
}

/// A candidate in a program, built by a solution.
struct Way {
    program: usize,
    candidate: usize,
    solution: usize,
    saves: Rational,
}

/// A block to be.
#[derive(Default)]
struct Hardware {
    area: Rational,
    encoding: Rational,
    slot: Option<String>,
    excludes: Vec<String>,
}

impl Set {
    fn draft(mut self, source: &Arc<Source>, options: &Options, draft: &mut Draft) -> Found<()> {
        let ways = self.ways(draft);
        let used: BTreeSet<usize> = ways.iter().map(|way| way.candidate).collect();
        self.pairs.retain(|(one, other)| used.contains(one) && used.contains(other));
        let is_scarce = self.encodings(draft);
        let parts = self.parts();
        let mut part_of = vec![0; self.candidates.len()];
        parts.iter().enumerate().for_each(|(part, all)| all.iter().for_each(|&at| part_of[at] = part));
        self.refuse_impossible(source, &ways, &part_of)?;
        let apart = |pair: &&(usize, usize)| part_of[pair.0] != part_of[pair.1];
        let apart: Vec<&(usize, usize)> = self.pairs.iter().filter(apart).collect();
        let mut blocks: BTreeMap<&str, Hardware> = BTreeMap::new();
        // Those that exclude others, or take encodings.
        let named: BTreeSet<usize> = apart.iter().flat_map(|pair| [pair.0, pair.1]).collect();
        for &at in used.iter().filter(|at| is_scarce || named.contains(*at)) {
            let block = blocks.entry(&self.candidates[at].name).or_default();
            block.encoding.clone_from(&self.candidates[at].encoding);
        }
        for (one, other) in apart {
            let (one, other) = (&self.candidates[*one].name, self.candidates[*other].name.clone());
            blocks.entry(one).or_default().excludes.push(other);
        }
        let mut users: BTreeMap<&str, BTreeSet<(usize, usize)>> = BTreeMap::new();
        let mut solutions: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for Way { program, candidate, solution, .. } in &ways {
            let group = self.solutions[*solution].group.as_str();
            users.entry(group).or_default().insert((*program, *candidate));
            solutions.entry(group).or_default().insert(*solution);
        }
        let mut tasks = vec![vec![Vec::new(); parts.len()]; self.programs.len()];
        for Way { program, candidate: at, solution, saves } in ways {
            let (name, solution) = (self.candidates[at].name.as_str(), &self.solutions[solution]);
            // Without schedules the hardware of an instruction has its name.
            let is_block =
                users[solution.group.as_str()].len() > 1 || blocks.contains_key(solution.name.as_str());
            let mut uses: Vec<&str> = blocks.get_key_value(name).map(|(name, _)| *name).into_iter().collect();
            if is_block {
                let block = blocks.entry(&solution.name).or_default();
                block.area.clone_from(&solution.area);
                let is_one_of = solutions[solution.group.as_str()].len() > 1;
                block.slot = is_one_of.then(|| solution.group.clone());
                uses.push(&solution.name);
                uses.dedup();
            }
            let is_alone = parts[part_of[at]].len() == 1 || solution.name == name;
            let own = if is_alone { solution.name.clone() } else { format!("{name}.{}", solution.name) };
            let mut written = Mapping::named(&own);
            if !uses.is_empty() {
                written.put("uses", in_line(&uses));
            }
            if !is_block {
                put_price(&mut written, &solution.area, is_scarce.then_some(&Rational::zero()));
            }
            written.figure("saves", printed::time(&plain(saves)));
            tasks[program][part_of[at]].push(written);
        }
        for (name, Hardware { area, encoding, slot, excludes }) in blocks {
            let mut written = Mapping::named(name);
            put_price(&mut written, &area, is_scarce.then_some(&encoding));
            slot.iter().for_each(|slot| written.put("slot", scalar(slot)));
            if !excludes.is_empty() {
                written.put("excludes", in_line(&excludes));
            }
            draft.blocks.push(DraftBlock { name: name.to_owned(), slot, written });
        }
        if options.periods.is_empty() {
            draft.taken.push("The periods make all in software utilization 1, in equal shares.".into());
        }
        let count = Rational::from(BigInt::from(self.programs.len()));
        for (program, choices) in self.programs.into_iter().zip(tasks) {
            let shared = &program.wcet * &count;
            let equal = match &draft.clock {
                Some(hertz) => Time { value: shared / hertz, unit: TimeUnit::Seconds },
                None => plain(shared),
            };
            let given = options.periods.iter().find(|(name, _)| *name == program.name);
            let period = given.map_or(equal, |(_, period)| period.clone());
            let Program { name, wcet, told, place, .. } = program;
            let mut task = DraftTask::new(name, [plain(wcet), period], None, told, place);
            let name = |at: usize| self.candidates[at].name.as_str();
            let names = parts.iter().map(|part| match part[..] {
                [one] => name(one).to_owned(),
                [one, other] => format!("{}-or-{}", name(one), name(other)),
                _ => format!("{}-or-{}-more", name(part[0]), part.len() - 1),
            });
            for ((name, mut choices), part) in names.zip(choices).zip(&parts) {
                match part.len() == 1 && options.schedules.is_none() {
                    true => task.instructions.append(&mut choices),
                    false if choices.is_empty() => {}
                    false => task.parts.push((name, choices)),
                }
            }
            draft.tasks.push(task);
        }
        Ok(())
    }

    /// Refuses savings that add up to all that a program takes: they were measured one by one.
    fn refuse_impossible(&self, source: &Arc<Source>, ways: &[Way], part_of: &[usize]) -> Found<()> {
        let mut most: Vec<BTreeMap<usize, &Rational>> = vec![BTreeMap::new(); self.programs.len()];
        for Way { program, candidate, saves, .. } in ways {
            let most = most[*program].entry(part_of[*candidate]).or_insert(saves);
            *most = saves.max(most);
        }
        let sums = most.iter().map(|most| most.values().copied().sum::<Rational>());
        let Some((program, _)) = self.programs.iter().zip(sums).find(|(program, sum)| *sum >= program.wcet)
        else {
            return Ok(());
        };
        let name = shortened(&program.name);
        let message = format!(
            "the candidates of program `{name}` save all that it takes, or more, so some cover the same instructions"
        );
        let help = "`IsoNodes` and the folder of `artifacts.sub` tell which; otherwise select fewer of them first, with filter_index";
        Err(error(source, program.place.clone(), message).help(help))
    }

    /// Whether all instructions together may take more than all custom encodings, which then limit the designs.
    fn encodings(&self, draft: &mut Draft) -> bool {
        let all: Rational = self.candidates.iter().map(|candidate| &candidate.encoding).sum();
        let is_scarce = all > Rational::one();
        draft.has_areas = true;
        if is_scarce {
            draft.resources = vec!["area".to_owned(), "encoding".to_owned()];
            draft.more.put("objectives", "[area]");
            // A device has an amount of everything: of the area enough for all.
            let area: Rational = self.solutions.iter().map(|solution| &solution.area).sum();
            let area = printed::number(&area).unwrap_or_default();
            draft.more.put("device", format!("{{name: custom encodings, area: {area}, encoding: 1}}"));
        } else if !all.is_zero() {
            let fit = "All candidates together fit the encoding space (`enc_weight`): it limits nothing.";
            draft.taken.push(fit.into());
        }
        is_scarce
    }

    /// Candidates by part: all of one part exclude each other.
    fn parts(&self) -> Vec<Vec<usize>> {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for at in 0..self.candidates.len() {
            let excludes = |other: &usize| self.pairs.contains(&(*other, at));
            match parts.iter_mut().find(|part| part.iter().all(excludes)) {
                Some(part) => part.push(at),
                None => parts.push(vec![at]),
            }
        }
        parts
    }

    /// Every candidate in every program, by every solution, with what it saves there.
    ///
    /// The benefit of an instruction that replaces k others was counted as k - 1 for each time that it runs. One that
    /// keeps the processor for n cycles saves k - n.
    fn ways(&self, draft: &mut Draft) -> Vec<Way> {
        let mut ways = Vec::new();
        let one = Rational::one();
        for (program, Program { saves, .. }) in self.programs.iter().enumerate() {
            for (solution, Solution { name, interval, builds, .. }) in self.solutions.iter().enumerate() {
                for &candidate in builds {
                    let Candidate { replaces, place, .. } = &self.candidates[candidate];
                    let Some(counted) = &saves[candidate] else { continue };
                    let saves = match *interval == one {
                        true => counted.clone(),
                        false if *replaces > one => counted * (replaces - interval) / (replaces - &one),
                        false => Rational::zero(),
                    };
                    if saves.is_positive() {
                        ways.push(Way { program, candidate, solution, saves });
                    } else {
                        draft.left_out.note("choices that save nothing", name, place.start);
                    }
                }
            }
        }
        ways
    }
}

/// A number in the unit of a file's plain numbers.
fn plain(value: Rational) -> Time {
    Time { value, unit: TimeUnit::None }
}

/// The area of hardware, with the encodings that it takes if these are limited.
fn put_price(mapping: &mut Mapping, area: &Rational, encoding: Option<&Rational>) {
    let mut cost: Cost = of_area(area.clone());
    let amount = encoding.filter(|amount| !amount.is_zero());
    cost.extend(amount.map(|amount| ("encoding".to_owned(), amount.clone())));
    printed::put_price(mapping, &cost, encoding.is_none());
}
