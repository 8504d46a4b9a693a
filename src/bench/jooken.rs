//! `isx-bench jooken DIR`: hard public instances, drawn by a seed from a folder that the user downloaded.
//!
//! J. Jooken, P. Leyman and P. De Causmaecker, "A new class of hard problem instances for the 0-1 knapsack problem",
//! European Journal of Operational Research 301, 2022: 3,240 instances, with optima where they are known and the
//! times of combo on the authors' machine. The set has no license, so isx contains no part of it.

use super::BenchError;
use super::comparison::Comparison;
use super::knapsack::{Case, TITLE, measure};
use super::runner::Settings;
use isx_exact::sampling::Sampler;
use isx_knapsack::Wanted;
use isx_problems::knapsack::text::parse;
use num_bigint::BigInt;
use std::collections::HashMap;
use std::fs::{self, read_to_string};
use std::io;
use std::path::{Path, PathBuf};

/// Selects instances of the set.
pub struct Draw {
    /// The set's folder: contains `problemInstances`, or the instances' folders directly.
    pub folder: PathBuf,
    /// A file of names, one per line; `None` for all instances.
    pub names: Option<PathBuf>,
    /// The least capacity.
    pub least: u64,
    /// The largest capacity.
    pub most: u64,
    /// Only those that combo did not finish.
    pub unfinished: bool,
    /// How many to draw, without repetition; all if there are no more.
    pub instances: usize,
    /// The seed of the draw.
    pub seed: u64,
}

/// Draws and measures.
///
/// # Errors
///
/// As [`measure`], and when the folder contains no such instances.
pub fn run(
    draw: &Draw,
    engines: &[String],
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
    let names = drawn(among, draw.instances, draw.seed);
    let known = names.iter().filter(|name| set.optima.contains_key(*name)).count();
    let about = format!(
        "{} of {available} instances of capacities {} to {}{}, drawn with seed {}; {known} of them with a known optimum. Times \
         of combo are those recorded with the set, of another machine.",
        names.len(),
        draw.least,
        draw.most,
        if draw.unfinished { " that combo did not finish" } else { "" },
        draw.seed
    );
    let cases = names.iter().map(|name| set.case(name));
    let problems = measure(cases, engines, settings)?;
    Ok(Comparison::new(TITLE, command, about, &settings.machine, problems))
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
        let mut names: Vec<String> = match &draw.names {
            Some(file) => read_to_string(file)
                .map_err(unreadable(file))?
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            None => {
                let entries = fs::read_dir(&self.instances).map_err(unreadable(&self.instances))?;
                entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
            }
        };
        names.retain(|name| {
            capacity(name).is_some_and(|capacity| (draw.least..=draw.most).contains(&capacity))
                && !(draw.unfinished && self.recorded(name).is_none_or(|seconds| seconds.is_some()))
        });
        names.sort();
        names.dedup();
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
