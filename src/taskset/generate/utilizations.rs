//! How the utilizations of a generated task set are drawn, on a grid of 10^-9.
//!
//! | name | distribution |
//! |---|---|
//! | `uunifast` | UUniFast-Discard (Bini and Buttazzo 2005; Davis and Burns, "Priority Assignment for Global Fixed Priority Pre-emptive Scheduling in Multiprocessor Real-Time Systems", RTSS 2009): all vectors of n utilizations with the wanted sum and no component above the limit are equally likely; vectors above it are discarded |
//! | `fixed-sum` | the same distribution by counting, which discards nothing, and limits for each task: [`Sampler::fixed_sum`] |
//! | `uni-light` .. `bimo-heavy` | SchedCAT's, where the number of tasks follows from the sum: [`NAMED`] |
//!
//! UUniFast's vectors are gaps between uniform cuts, its distribution without its powers. If the sum exceeds half of the
//! maximum for n tasks, the slack to the limit is drawn instead: by symmetry the same distribution, with fewer discarded
//! vectors.
//!
//! Worked instance: 2 tasks, sum 1.5, limit 1. Half of 2 is 1 < 1.5, so slacks with sum 0.5 are drawn, say 0.2 and
//! 0.3: utilizations 0.8 and 0.7.

use super::drawn::MAX_CHOICES;
use super::error::{RecipeError, field, require};
use isx_exact::quantity::{Rational, format_decimal};
use isx_exact::sampling::{DecimalRange, Sampler};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::fmt;
use std::str::FromStr;

/// The grid of the utilizations drawn: 10^-9.
pub(super) const GRID: u64 = 1_000_000_000;

/// The number of vectors drawn before a distribution that discards some gives up.
const ATTEMPTS: u32 = 100_000;

/// How the utilizations are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Utilizations {
    /// UUniFast-Discard.
    UUniFast,
    /// By counting, within one range for all tasks or one per task; without a range, up to the largest utilization of a
    /// task.
    FixedSum(Vec<DecimalRange>),
    /// One after the other, until their sum passes the wanted one; the last is left out. The number of tasks of the
    /// recipe is the largest.
    Named(&'static NamedUtilizations),
}

/// A distribution of single utilizations.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedUtilizations {
    /// Its name.
    pub name: &'static str,
    /// Each law with its share of the draws.
    laws: &'static [(u64, Law)],
}

/// A law of one utilization, in units of 10^-9.
#[derive(Debug, PartialEq, Eq)]
enum Law {
    Uniform(u64, u64),
    /// With this mean, but drawn again above 1.
    Exponential(u64),
}

const fn named(name: &'static str, laws: &'static [(u64, Law)]) -> NamedUtilizations {
    NamedUtilizations { name, laws }
}

const LOW_HALF: Law = Law::Uniform(1_000_000, 500_000_000);
const HIGH_HALF: Law = Law::Uniform(500_000_000, 900_000_000);

/// The distributions of SchedCAT (`schedcat/generator/tasksets.py`, `NAMED_UTILIZATIONS`, at 53247845), which the
/// papers of its authors share: B. Brandenburg, "Scheduling and Locking in Multiprocessor Real-Time Operating Systems",
/// dissertation, University of North Carolina, 2011.
pub static NAMED: [NamedUtilizations; 9] = [
    named("uni-light", &[(1, Law::Uniform(1_000_000, 100_000_000))]),
    named("uni-medium", &[(1, Law::Uniform(100_000_000, 400_000_000))]),
    named("uni-heavy", &[(1, HIGH_HALF)]),
    named("exp-light", &[(1, Law::Exponential(100_000_000))]),
    named("exp-medium", &[(1, Law::Exponential(250_000_000))]),
    named("exp-heavy", &[(1, Law::Exponential(500_000_000))]),
    named("bimo-light", &[(8, LOW_HALF), (1, HIGH_HALF)]),
    named("bimo-medium", &[(6, LOW_HALF), (3, HIGH_HALF)]),
    named("bimo-heavy", &[(4, LOW_HALF), (5, HIGH_HALF)]),
];

/// What the utilizations of a set must add up to, in units of 10^-9.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    count: u64,
    total: u64,
    limit: u64,
}

impl Utilizations {
    /// The number of tasks if none is given: 10, or with a named distribution as many as it draws.
    pub fn default_tasks(&self) -> u64 {
        match self {
            Self::UUniFast | Self::FixedSum(_) => 10,
            Self::Named(_) => MAX_CHOICES,
        }
    }

    /// Utilizations of so many tasks with this sum, in units of 10^-9.
    pub(super) fn draw(&self, wanted: &Wanted, sampler: &mut Sampler) -> Result<Vec<u64>, RecipeError> {
        let ranges = match self {
            Self::UUniFast => return wanted.uunifast(sampler),
            Self::Named(law) => return law.draw(wanted, sampler),
            Self::FixedSum(ranges) => ranges,
        };
        let limits = self.limits(ranges, wanted.limit, wanted.count)?;
        let must = "there are too many cases to count; 256 tasks with one range, or 14 with different ones, \
                    are always possible";
        sampler.fixed_sum(wanted.total, &limits).ok_or_else(|| field("utilizations", self, must))
    }

    /// What `count` tasks with this sum and largest utilization of a task must add up to, if they can.
    pub(super) fn wanted(&self, count: u64, sum: &Rational, limit: &Rational) -> Result<Wanted, RecipeError> {
        let total = on_grid("utilization", sum, 1_000_000, "from 0 to 1000000, in nine decimals at most")?;
        let limit =
            on_grid("max-task-utilization", limit, 1_000, "from 0 to 1000, in nine decimals at most")?;
        let require_sum = |holds, must| require(holds, "utilization", grid_text(total), must);
        match self {
            Self::UUniFast => {
                require_sum(
                    total >= count,
                    "the utilization must be above 0 for every task, 10^-9 at least",
                )?;
                let must = "the utilization must not pass the largest utilization of one task times the number of \
                            tasks";
                require_sum(u128::from(total) <= u128::from(limit) * u128::from(count), must)?;
            }
            Self::FixedSum(ranges) => {
                let (mut least, mut most) = (0, 0);
                for (low, high) in self.limits(ranges, limit, count)? {
                    (least, most) = (least + u128::from(low), most + u128::from(high));
                }
                let must =
                    "the utilization must lie between the sums of the tasks' least and largest utilizations";
                require_sum((least..=most).contains(&total.into()), must)?;
            }
            Self::Named(_) => {
                let must =
                    "a named distribution has its own limits: leave the largest utilization of one task at 1";
                require(limit == GRID, "max-task-utilization", grid_text(limit), must)?;
            }
        }
        Ok(Wanted { count, total, limit })
    }

    /// The ends of every task's utilization, in units of 10^-9.
    fn limits(&self, ranges: &[DecimalRange], most: u64, count: u64) -> Result<Vec<(u64, u64)>, RecipeError> {
        let must = "write one range for all tasks, or one for each";
        require(ranges.len() < 2 || ranges.len() as u64 == count, "utilizations", self, must)?;
        let limits = (0..count as usize).map(|task| {
            let Some(range) = ranges.get(task).or_else(|| ranges.first().filter(|_| ranges.len() == 1))
            else {
                return Ok((1, most));
            };
            let fits = range.low <= range.high && range.high <= 1_000 * range.unit();
            let must = "the ends must be 0 to 1000, the low end at most the high end";
            require(fits, "utilizations", self, must)?;
            let (low, high) = (range.low * (GRID / range.unit()), range.high * (GRID / range.unit()));
            let must = "a range must end at most at the largest utilization of one task: raise that";
            require(high <= most, "utilizations", self, must).map(|()| (low, high))
        });
        limits.collect()
    }
}

impl NamedUtilizations {
    fn draw(&self, wanted: &Wanted, sampler: &mut Sampler) -> Result<Vec<u64>, RecipeError> {
        for _ in 0..ATTEMPTS {
            let mut left = wanted.total;
            let mut drawn = Vec::new();
            while drawn.len() as u64 != wanted.count {
                let utilization = self.draw_one(sampler);
                let Some(rest) = left.checked_sub(utilization) else { break };
                left = rest;
                drawn.push(utilization);
            }
            if !drawn.is_empty() {
                return Ok(drawn);
            }
        }
        let must = "the distribution draws no task that small in 100000 attempts: raise the utilization";
        Err(field("utilization", grid_text(wanted.total), must))
    }

    fn draw_one(&self, sampler: &mut Sampler) -> u64 {
        let shares: u64 = self.laws.iter().map(|(share, _)| share).sum();
        let mut drawn = if self.laws.len() == 1 { 1 } else { sampler.uniform(1, shares) };
        for (share, law) in self.laws {
            if drawn <= *share {
                return law.draw(sampler);
            }
            drawn -= share;
        }
        // The shares add up to what is drawn.
        1
    }
}

impl Law {
    fn draw(&self, sampler: &mut Sampler) -> u64 {
        match self {
            Self::Uniform(low, high) => sampler.uniform(*low, *high),
            Self::Exponential(mean) => loop {
                let drawn = sampler.exponential(*mean);
                if (1..=GRID).contains(&drawn) {
                    return drawn;
                }
            },
        }
    }
}

impl Wanted {
    /// UUniFast-Discard.
    fn uunifast(&self, sampler: &mut Sampler) -> Result<Vec<u64>, RecipeError> {
        let Self { count, total, limit } = *self;
        let slack = u128::from(limit) * u128::from(count) - u128::from(total);
        if slack < u128::from(count) {
            return Ok(spread_evenly(total, count));
        }
        let mirrored = slack < u128::from(total);
        let drawn = if mirrored { slack as u64 } else { total };
        for _ in 0..ATTEMPTS {
            // Both sums are at least `count`, so a composition exists.
            let parts = sampler.composition(drawn, count as usize).unwrap_or_default();
            // Mirrored shares must leave a utilization above 0; plain shares must not exceed the limit.
            if parts.iter().all(|&part| if mirrored { part < limit } else { part <= limit }) {
                return Ok(parts
                    .into_iter()
                    .map(|part| if mirrored { limit - part } else { part })
                    .collect());
            }
        }
        Err(RecipeError::Discarded {
            tasks: count as usize,
            utilization: grid_text(total),
            limit: grid_text(limit),
            attempts: ATTEMPTS,
        })
    }
}

/// The value in units of 10^-9, if it is a whole number of them and at most `most`.
fn on_grid(flag: &'static str, value: &Rational, most: u64, must: &'static str) -> Result<u64, RecipeError> {
    let scaled = value * BigInt::from(GRID);
    match scaled.to_integer().to_u64() {
        Some(units) if scaled.is_integer() && units <= most * GRID => Ok(units),
        _ => Err(field(flag, format_decimal(value), must)),
    }
}

/// A number of units of 10^-9 as a decimal.
fn grid_text(units: u64) -> String {
    format_decimal(&Rational::new(units.into(), GRID.into()))
}

/// All tasks are within one grid unit of the limit, so no freedom is left to draw.
fn spread_evenly(total: u64, count: u64) -> Vec<u64> {
    (0..count).map(|index| total / count + u64::from(index < total % count)).collect()
}

impl fmt::Display for Utilizations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UUniFast => f.write_str("uunifast"),
            Self::Named(law) => f.write_str(law.name),
            Self::FixedSum(ranges) => {
                f.write_str("fixed-sum")?;
                let gaps = std::iter::once(':').chain(std::iter::repeat(','));
                gaps.zip(ranges).try_for_each(|(gap, range)| write!(f, "{gap}{range}"))
            }
        }
    }
}

impl FromStr for Utilizations {
    type Err = RecipeError;

    /// Parses `uunifast`, `fixed-sum`, `fixed-sum:0.05..0.50`, `fixed-sum:0.1..0.5,0.2..0.9` or a name of [`NAMED`].
    fn from_str(text: &str) -> Result<Self, RecipeError> {
        match text.split_once(':') {
            None if text == "uunifast" => Ok(Self::UUniFast),
            None if text == "fixed-sum" => Ok(Self::FixedSum(Vec::new())),
            Some(("fixed-sum", ranges)) => {
                let ranges = ranges.split(',').map(|range| range.trim().parse());
                Ok(Self::FixedSum(ranges.collect::<Result<_, _>>()?))
            }
            _ => NAMED.iter().find(|law| law.name == text).map(Self::Named).ok_or_else(|| {
                let must = "write uunifast, fixed-sum, fixed-sum:LOW..HIGH, or uni-, exp- or bimo- with light, \
                            medium or heavy";
                field("utilizations", text, must)
            }),
        }
    }
}
