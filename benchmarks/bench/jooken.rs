//! `isx-bench jooken DIR`: hard public instances, drawn by a seed from a folder that the user downloaded.
//!
//! J. Jooken, P. Leyman and P. De Causmaecker, "A new class of hard problem instances for the 0-1 knapsack problem",
//! European Journal of Operational Research 301, 2022: 3,240 instances, with optima where they are known and the
//! times of combo on the authors' machine. The set has no license, so isx contains no part of it.

use super::BenchError;
use super::comparison::{Comparison, Entry, Problem, Table};
use super::knapsack::{Case, Entrants, TITLE, measure_one};
use super::runner::Settings;
use crate::charts::measured::duration;
use isx_exact::sampling::Sampler;
use isx_knapsack::Wanted;
use isx_problems::knapsack::text::parse;
use num_bigint::BigInt;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::fs::{self, read_to_string};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Selects instances of the set.
pub struct Draw {
    /// The set's folder: contains `problemInstances`, or the instances' folders directly.
    pub folder: PathBuf,
    /// The largest capacity.
    pub most: u64,
    /// Only those that combo did not finish.
    pub unfinished: bool,
    /// How many to draw, without repetition; all if there are no more, or without a number.
    pub instances: Option<usize>,
    /// The seed of the draw.
    pub seed: u64,
    /// The folder where answers are kept as they come, and new optima at the end.
    pub kept: Option<PathBuf>,
}

/// Draws and measures.
/// Fails as [`measure_one`], and when the folder contains no such instances.
pub fn run(
    draw: &Draw,
    entrants: Entrants,
    settings: &Settings,
    command: String,
) -> Result<Comparison, BenchError> {
    let set = Set::open(&draw.folder)?;
    let among = set.among(draw)?;
    if among.is_empty() {
        return Err(BenchError::Set(format!(
            "{}: no instance of these capacities (folders like n_400_c_1000000_g_6_f_0.1_eps_0_s_100)",
            set.instances.display()
        )));
    }
    let available = among.len();
    let names = drawn(among, draw.instances.unwrap_or(available), draw.seed);
    let known = names.iter().filter(|name| set.optima.contains_key(*name)).count();
    let which = match draw.instances {
        Some(_) => format!("drawn with seed {}; ", draw.seed),
        None => String::new(),
    };
    let about = format!(
        "{} of {available} instances of capacities up to {}{}, {which}{known} of them with a known optimum. Times \
         of combo are those recorded with the set, of another machine.",
        names.len(),
        names.iter().filter_map(|name| capacity(name)).max().unwrap_or(draw.most),
        if draw.unfinished { " that combo did not finish" } else { "" },
    );
    let mut kept = draw.kept.as_deref().map(|folder| Kept::open(folder, entrants.names)).transpose()?;
    let mut problems = Vec::with_capacity(names.len());
    for name in &names {
        let before = kept.as_ref().and_then(|kept| kept.answers.get(name).cloned());
        let problem = match before {
            Some(problem) => problem,
            None => {
                let problem = measure_one(&set.case(name)?, entrants, settings, kept.is_none())?;
                kept.as_mut().map_or(Ok(()), |kept| kept.add(&problem))?;
                problem
            }
        };
        problems.push(problem);
    }
    if let Some(folder) = &draw.kept {
        write_optima(folder, problems.iter().filter(|problem| !set.optima.contains_key(&problem.name)))?;
    }
    let mut comparison = Comparison::new(TITLE, command, about, &settings.machine, problems);
    comparison.tables.push(by_capacity(&comparison));
    Ok(comparison)
}

/// The answers of an earlier, interrupted run, and those of this one.
struct Kept {
    path: PathBuf,
    file: fs::File,
    answers: HashMap<String, Problem>,
}

impl Kept {
    /// Reads what is there; a line that a kill cut off is dropped.
    fn open(folder: &Path, engines: &[String]) -> Result<Self, BenchError> {
        let path = folder.join("answers.jsonl");
        fs::create_dir_all(folder).map_err(unreadable(folder))?;
        let file = fs::File::options().create(true).append(true).open(&path).map_err(unreadable(&path))?;
        let text = read_to_string(&path).map_err(unreadable(&path))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(unreadable(&path))?;
        let mut answers = HashMap::new();
        for (at, line) in text[..whole].lines().enumerate() {
            let wrong = |why: &dyn Display| {
                BenchError::Set(format!("{}:{}: {why}; give another --out", path.display(), at + 1))
            };
            let problem: Problem = serde_json::from_str(line).map_err(|error| wrong(&error))?;
            let own: Vec<String> = problem.entries.iter().map(Entry::flag).collect();
            if !engines.iter().all(|engine| own.contains(engine)) {
                return Err(wrong(&"an answer without all these engines"));
            }
            answers.insert(problem.name.clone(), problem);
        }
        Ok(Self { path, file, answers })
    }

    fn add(&mut self, problem: &Problem) -> Result<(), BenchError> {
        let line = serde_json::to_string(problem).map_err(io::Error::from);
        line.and_then(|line| writeln!(self.file, "{line}")).map_err(unreadable(&self.path))
    }
}

/// The optima that the set does not know.
fn write_optima<'p>(folder: &Path, open: impl Iterator<Item = &'p Problem>) -> Result<(), BenchError> {
    let rows = open.filter_map(|problem| Some(format!("{},{}\n", problem.name, problem.optimum.as_ref()?)));
    let text: String = std::iter::once("name,optimum\n".to_owned()).chain(rows).collect();
    let file = folder.join("optima.csv");
    fs::write(&file, text).map_err(unreadable(&file))
}

/// The times of each contestant by capacity.
fn by_capacity(comparison: &Comparison) -> Table {
    let mut groups: BTreeMap<u64, Vec<&Problem>> = BTreeMap::new();
    for problem in &comparison.problems {
        groups.entry(capacity(&problem.name).unwrap_or_default()).or_default().push(problem);
    }
    let mut rows = Vec::new();
    for (capacity, problems) in &groups {
        for (name, _) in comparison.names() {
            let entries = problems.iter().flat_map(|problem| &problem.entries);
            let mut times: Vec<f64> = entries
                .filter(|entry| entry.name() == name)
                .filter_map(|entry| Some(entry.outcome.timed()?.total()))
                .collect();
            times.sort_by(f64::total_cmp);
            let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
            let cell = |time: Option<&f64>| time.map_or_else(|| "–".to_owned(), |time| duration(*time));
            let solved = format!("{} of {}", times.len(), problems.len());
            let together = times.iter().copied().reduce(|sum, time| sum + time);
            rows.push(vec![
                capacity.to_string(),
                name,
                solved,
                cell(at(50)),
                cell(at(90)),
                cell(at(100)),
                cell(together.as_ref()),
            ]);
        }
    }
    let head = ["capacity", "contestant", "solved", "median", "nine in ten within", "most", "together"];
    Table {
        title: "By capacity".to_owned(),
        about: "Times of the instances that a contestant solved.".to_owned(),
        head: head.map(str::to_owned).into(),
        rows,
    }
}

/// This many of the names, in order.
fn drawn(mut names: Vec<String>, count: usize, seed: u64) -> Vec<String> {
    let mut sampler = Sampler::new(seed);
    let count = count.min(names.len());
    for at in 0..count {
        let other = sampler.uniform(at as u64, names.len() as u64 - 1) as usize;
        names.swap(at, other);
    }
    names.truncate(count);
    names.sort_by_cached_key(|name| (capacity(name), name.clone()));
    names
}

/// The capacity in an instance's name.
fn capacity(name: &str) -> Option<u64> {
    let (_, rest) = name.split_once("_c_")?;
    rest.split('_').next()?.parse().ok()
}

/// The set's files.
struct Set {
    instances: PathBuf,
    optima: HashMap<String, BigInt>,
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> BenchError {
    move |error| BenchError::Set(format!("{}: {error}", path.display()))
}

impl Set {
    /// Finds the instances, and the optima in the folder or its parent.
    fn open(folder: &Path) -> Result<Self, BenchError> {
        let inner = folder.join("problemInstances");
        let instances = if inner.is_dir() { inner } else { folder.to_owned() };
        let beside = [folder.join("optima.csv"), folder.join("../optima.csv")];
        let mut optima = HashMap::new();
        if let Some(file) = beside.iter().find(|file| file.is_file()) {
            for line in read_to_string(file).map_err(unreadable(file))?.lines() {
                // A negative number marks an unknown optimum.
                if let Some((name, optimum)) = line.split_once(',')
                    && let Ok(optimum) = optimum.trim().parse::<BigInt>()
                    && optimum >= BigInt::ZERO
                {
                    optima.insert(name.to_owned(), optimum);
                }
            }
        }
        Ok(Self { instances, optima })
    }

    /// The names to draw from, sorted.
    fn among(&self, draw: &Draw) -> Result<Vec<String>, BenchError> {
        let entries = fs::read_dir(&self.instances).map_err(unreadable(&self.instances))?;
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.retain(|name| {
            capacity(name).is_some_and(|capacity| capacity <= draw.most)
                && !(draw.unfinished && self.recorded(name).is_none_or(|seconds| seconds.is_some()))
        });
        names.sort();
        Ok(names)
    }

    /// The time of combo, if recorded; a negative number marks an unfinished run.
    fn recorded(&self, name: &str) -> Option<Option<f64>> {
        let text = read_to_string(self.instances.join(name).join("time.out")).ok()?;
        let seconds: f64 = text.split_whitespace().next()?.parse().ok()?;
        Some((seconds >= 0.0).then_some(seconds))
    }

    fn case(&self, name: &str) -> Result<Case, BenchError> {
        let file = self.instances.join(name).join("test.in");
        let text = read_to_string(&file).map_err(unreadable(&file))?;
        let problem =
            parse(&text).map_err(|error| BenchError::Set(format!("{}: {error}", file.display())))?;
        Ok(Case {
            name: name.to_owned(),
            problem: problem.problem,
            wanted: Wanted::Best,
            optimum: self.optima.get(name).cloned(),
            recorded: self.recorded(name),
        })
    }
}
