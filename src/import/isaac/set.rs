//! Candidates as the parts and blocks of a task set.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::index::Candidate;
use super::tables::{Program, Solution};
use crate::Options;
use crate::draft::{Draft, DraftBlock, DraftTask};
use crate::figures::{Found, Time, error};
use crate::printed::{Cost, Part, number, of_area};
use isx_exact::quantity::{Rational, TimeUnit};
use isx_taskset::{Source, shortened};

/// All that was read.
pub(super) struct Set {
    pub candidates: Vec<Candidate>,
    pub solutions: Vec<Solution>,
    pub programs: Vec<Program>,
    /// Candidates of which a program uses at most one.
    pub pairs: BTreeSet<(usize, usize)>,
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
    /// Adds what was read to a draft.
    pub fn draft(mut self, source: &Arc<Source>, options: &Options, draft: &mut Draft) -> Found<()> {
        let ways = self.ways(draft);
        let used: BTreeSet<(usize, usize)> = ways.iter().map(|way| (way.program, way.candidate)).collect();
        let all: BTreeSet<usize> = used.iter().map(|(_, at)| *at).collect();
        self.pairs.retain(|(one, other)| all.contains(one) && all.contains(other));
        let is_scarce = self.encodings(draft);
        let parts = self.parts();
        let mut part_of = vec![0; self.candidates.len()];
        parts.iter().enumerate().for_each(|(part, all)| all.iter().for_each(|&at| part_of[at] = part));
        self.refuse_impossible(source, &ways, &part_of)?;
        // What stands for a candidate where it excludes others: each program has one of them.
        let mark = |program: usize, at: usize| match &self.programs[..] {
            [_] => self.candidates[at].name.clone(),
            programs => format!("{} in {}", self.candidates[at].name, programs[program].name),
        };
        let mut blocks: BTreeMap<String, Hardware> = BTreeMap::new();
        for &(one, other) in self.pairs.iter().filter(|(one, other)| part_of[*one] != part_of[*other]) {
            let both = |program: &usize| [one, other].iter().all(|at| used.contains(&(*program, *at)));
            for program in (0..self.programs.len()).filter(both) {
                blocks.entry(mark(program, one)).or_default().excludes.push(mark(program, other));
                blocks.entry(mark(program, other)).or_default();
            }
        }
        for (_, at) in used.iter().filter(|_| is_scarce) {
            let Candidate { name, encoding, .. } = &self.candidates[*at];
            blocks.entry(name.clone()).or_default().encoding.clone_from(encoding);
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
            let (name, solution) = (&self.candidates[at].name, &self.solutions[solution]);
            let mut uses = vec![name.clone(), mark(program, at)];
            uses.dedup();
            uses.retain(|name| blocks.contains_key(name));
            // Without schedules the hardware of an instruction has its name.
            let is_block =
                users[solution.group.as_str()].len() > 1 || blocks.contains_key(solution.name.as_str());
            if is_block {
                let block = blocks.entry(solution.name.clone()).or_default();
                block.area.clone_from(&solution.area);
                let is_one_of = solutions[solution.group.as_str()].len() > 1;
                block.slot = is_one_of.then(|| solution.group.clone());
                uses.retain(|name| *name != solution.name);
                uses.push(solution.name.clone());
            }
            let is_alone = parts[part_of[at]].len() == 1 || solution.name == *name;
            let own = if is_alone { solution.name.clone() } else { format!("{name}.{}", solution.name) };
            let mut choice = Part::named(&own);
            if !uses.is_empty() {
                choice.list("uses", &uses);
            }
            if !is_block {
                put_price(&mut choice, &solution.area, is_scarce.then_some(&Rational::zero()));
            }
            choice.time("saves", &plain(saves));
            tasks[program][part_of[at]].push(choice);
        }
        for (name, Hardware { area, encoding, slot, excludes }) in blocks {
            let mut part = Part::named(&name);
            put_price(&mut part, &area, is_scarce.then_some(&encoding));
            slot.iter().for_each(|slot| part.words("slot", slot));
            if !excludes.is_empty() {
                part.list("excludes", &excludes);
            }
            draft.blocks.push(DraftBlock { name, slot, part });
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
            let Program { name, wcet, origin, place, .. } = program;
            let mut task = DraftTask::new(name, [plain(wcet), period], None, origin, place);
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
        let help = "`IsoNodes` and the folder of `artifacts.sub` show which; otherwise select fewer of them first, with filter_index";
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
            let area = number(&area).unwrap_or_default();
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
fn put_price(part: &mut Part, area: &Rational, encoding: Option<&Rational>) {
    let mut cost: Cost = of_area(area.clone());
    let amount = encoding.filter(|amount| !amount.is_zero());
    cost.extend(amount.map(|amount| ("encoding".to_owned(), amount.clone())));
    part.price(cost, encoding.is_none());
}
