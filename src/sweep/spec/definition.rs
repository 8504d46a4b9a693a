//! A specification that was read: its points, chunks and sets.

use super::axis::{self, Axis};
use super::error::SweepError;
use super::files::sha256;
use isx_exact::quantity::{Rational, parse_decimal};
use isx_taskset::generate::{Checked, Sums, generate, generate_set};
use isx_taskset::recipe::{RecipeError, TaskSetRecipe};
use isx_taskset::{Scheduler, TaskSet, read_bytes};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// The specification of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The seed of the sweep; 0 for one over files.
    pub seed: u64,
    /// The number of sets at every point; for a sweep over files, the number of files.
    pub sets_per_point: u64,
    /// The keys of the grid; none for a sweep over files.
    pub grid: Vec<Axis>,
    /// The keys that all points share, by name, each with one value.
    pub recipe: Vec<Axis>,
    /// The files that the sets are read from; none if they are drawn.
    pub files: Vec<SetFile>,
    /// The folder that their names start from.
    pub folder: PathBuf,
    /// Keys under each of whose values the same sets are measured.
    pub paired: Vec<Axis>,
    /// What is asked about every set.
    pub asked: Asked,
    pub(super) points: Vec<Point>,
    pub(super) text: String,
    pub(super) sha256: String,
}

/// The number of sets of a chunk; the last of a point has fewer.
pub const SETS_PER_CHUNK: u64 = 500;

impl Spec {
    /// The specification in the one text that all specifications of the same records share.
    pub fn canonical(&self) -> &str {
        &self.text
    }

    /// The SHA-256 of that text, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The number of points.
    pub fn points(&self) -> u64 {
        self.points.len() as u64
    }

    /// The number of combinations of paired values, at least 1.
    pub fn pairs(&self) -> u64 {
        axis::combinations(&self.paired)
    }

    /// The values of the grid's keys at a point; the last key varies fastest.
    pub fn values_at(&self, point: u64) -> Vec<&str> {
        axis::values(&self.grid, point)
    }

    /// The values of the paired keys in a combination.
    pub fn values_of_pair(&self, pair: u64) -> Vec<&str> {
        axis::values(&self.paired, pair)
    }

    /// The combination of these paired values, each `KEY=VALUE`; what is not named has its first value.
    /// Fails if a key is not paired, or has no such value.
    pub fn pair_of(&self, named: &[String]) -> Result<u64, SweepError> {
        axis::combination(&self.paired, named).map_err(SweepError::Asked)
    }

    /// The number of chunks.
    pub fn chunks(&self) -> u64 {
        self.points() * self.chunks_per_point()
    }

    fn chunks_per_point(&self) -> u64 {
        self.sets_per_point.div_ceil(SETS_PER_CHUNK)
    }

    /// The point and the sets of a chunk.
    pub fn sets_of(&self, chunk: u64) -> (u64, std::ops::Range<u64>) {
        let (point, part) = (chunk / self.chunks_per_point(), chunk % self.chunks_per_point());
        let first = part * SETS_PER_CHUNK;
        (point, first..(first + SETS_PER_CHUNK).min(self.sets_per_point))
    }

    /// The seed of a drawn set.
    pub fn seed_of(&self, point: u64, index: u64) -> u64 {
        let seeds = self.points.get(point as usize).map(|point| point.seeds.clone());
        let digest = seeds.unwrap_or_default().chain_update(format!("set {index}\n")).finalize();
        digest.iter().take(8).fold(0, |seed, &byte| seed << 8 | u64::from(byte))
    }

    /// The recipe of a drawn set; `None` if the sets are files, or there is no such set.
    fn recipe(&self, point: u64, index: u64, pair: u64) -> Option<TaskSetRecipe> {
        let recipe = self.points.get(point as usize)?.recipes.get(pair as usize)?;
        (index < self.sets_per_point).then(|| recipe.recipe(self.seed_of(point, index)))
    }

    /// What a task set adds up to, if it is drawn and its sums determine all of it; `false` otherwise.
    /// Fails if its utilizations cannot be drawn.
    pub fn sums(&self, point: u64, index: u64, pair: u64, sums: &mut Sums) -> Result<bool, SweepError> {
        let recipe = self.points.get(point as usize).and_then(|point| point.recipes.get(pair as usize));
        let Some(recipe) = recipe.filter(|_| index < self.sets_per_point) else { return Ok(false) };
        recipe.sums(self.seed_of(point, index), sums).map_err(|error| not_drawn(point, index, &error))
    }

    /// A task set.
    /// Fails if there is no such set, its utilizations cannot be drawn, or its file is not what it was.
    pub fn task_set(&self, point: u64, index: u64, pair: u64) -> Result<TaskSet, SweepError> {
        if let Some(recipe) = self.recipe(point, index, pair) {
            return generate_set(&recipe).map_err(|error| not_drawn(point, index, &error));
        }
        let (name, bytes) = self.file(point, index)?;
        let mut set = read_bytes(&name, &bytes)?.task_set;
        for (axis, value) in self.paired.iter().zip(self.values_of_pair(pair)) {
            match axis.key.as_str() {
                "scheduler" => set.scheduler = Scheduler::named(value).unwrap_or_default(),
                _ => set.switch = parse_decimal(value).unwrap_or_default(),
            }
        }
        set.validate().map_err(|error| SweepError::Set { point, index, why: error.to_string() })?;
        Ok(set)
    }

    /// The YAML of a task set. That of a file is as it is, whatever the paired values.
    /// Fails as [`Spec::task_set`].
    pub fn yaml(&self, point: u64, index: u64, pair: u64) -> Result<Vec<u8>, SweepError> {
        match self.recipe(point, index, pair) {
            Some(recipe) => {
                let text = generate(&recipe).map_err(|error| not_drawn(point, index, &error))?;
                Ok(text.into_bytes())
            }
            None => Ok(self.file(point, index)?.1),
        }
    }

    /// The name and the bytes of a file.
    fn file(&self, point: u64, index: u64) -> Result<(String, Vec<u8>), SweepError> {
        let file = self.files.get(index as usize).filter(|_| point == 0);
        let file = file.ok_or_else(|| self.no_set(point, index))?;
        let path = self.folder.join(&file.path);
        let name = path.display().to_string();
        let bytes = std::fs::read(&path);
        let bytes = bytes.map_err(|error| SweepError::Asked(format!("{name}: {error}")))?;
        if sha256(&bytes) != file.sha256 {
            return Err(SweepError::Asked(format!(
                "{name}: the file is another one than when the sweep began; put the old one back, or begin the sweep in \
                 another folder"
            )));
        }
        Ok((name, bytes))
    }

    fn no_set(&self, point: u64, index: u64) -> SweepError {
        let (points, sets) = (self.points() - 1, self.sets_per_point - 1);
        let (what, number, most) = match point > points {
            true => ("point", point, points),
            false => ("set", index, sets),
        };
        SweepError::Asked(match most {
            0 => format!("there is no {what} {number}: {what} 0 is the only one"),
            _ => format!("there is no {what} {number}: they are numbered 0 to {most}"),
        })
    }
}

fn not_drawn(point: u64, index: u64, error: &RecipeError) -> SweepError {
    SweepError::Set { point, index, why: error.to_string() }
}

/// What can be measured.
pub const MEASURES: [&str; 4] = ["min_area", "least_utilization", "breakdown", "points"];

/// What is asked about a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The least area of a schedulable design.
    pub min_area: bool,
    /// The least utilization of a design.
    pub least_utilization: bool,
    /// The utilization at which the software-only design fails.
    pub breakdown: bool,
    /// The number of points of the front.
    pub points: bool,
    /// Areas: is some design within them schedulable?
    pub budgets: Vec<Rational>,
    /// The steps of search for each question about a set.
    pub steps: u64,
}

impl Asked {
    /// Whether areas are asked about.
    pub fn area(&self) -> bool {
        self.min_area || !self.budgets.is_empty()
    }

    /// The names of what is measured.
    pub fn measures(&self) -> Vec<&'static str> {
        let all = [self.min_area, self.least_utilization, self.breakdown, self.points];
        MEASURES.into_iter().zip(all).filter_map(|(name, asked)| asked.then_some(name)).collect()
    }
}

/// A file of a sweep over files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetFile {
    /// Its name, from the folder of the specification.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// A combination of values of the grid.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// The recipe as flags, which the seeds of its sets depend on.
    pub flags: String,
    /// The digest of what all seeds of the point begin with.
    pub seeds: Sha256,
    /// The recipe under each combination of paired values; empty for files.
    pub recipes: Vec<Checked>,
}
