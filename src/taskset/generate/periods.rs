//! The periods of a generated task set, in microseconds.

use super::error::{RecipeError, field, require};
use isx_exact::quantity::{TimeUnit, parse_time};
use isx_exact::sampling::Sampler;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::fmt;
use std::str::FromStr;

/// The longest period, one hour.
pub const MAX_PERIOD_US: u64 = 3_600_000_000;

/// The distribution of the periods, in microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Periods {
    /// Uniform over a list: a small hyperperiod, as in practice.
    OneOf(Vec<u64>),
    /// Multiples of `step_us` between the ends. A fine step gives a huge hyperperiod.
    Multiples {
        /// Whether they are log-uniform (Emberson, Stafford and Davis, "Techniques for the Synthesis of Multiprocessor
        /// Tasksets", WATERS 2010), and not uniform.
        is_log: bool,
        /// The shortest period.
        low_us: u64,
        /// The longest period.
        high_us: u64,
        /// All periods are multiples of this step.
        step_us: u64,
    },
    /// The shortest period times powers of two up to the longest, all equally likely: every period divides the longer
    /// ones, so that rate-monotonic sets are schedulable up to a utilization of 1 (Kuo and Mok, "Load Adjustment in
    /// Adaptive Real-Time Systems", RTSS 1991).
    Harmonic {
        /// The shortest period.
        low_us: u64,
        /// What no period exceeds.
        high_us: u64,
    },
    /// The shares of [`AUTOMOTIVE`].
    Automotive,
}

/// Periods in an engine-control application, in milliseconds, with their shares in percent of its runnables; the
/// remaining 15 percent, which follow the crankshaft, are left out (S. Kramer, D. Ziegenbein and A. Hamann, "Real World
/// Automotive Benchmarks for Free", WATERS 2015, table III).
pub const AUTOMOTIVE: [(u64, u64); 9] =
    [(1, 3), (2, 2), (5, 2), (10, 25), (20, 25), (50, 3), (100, 20), (200, 1), (1000, 4)];

/// SchedCAT's ranges in milliseconds (`schedcat/generator/tasksets.py`, `NAMED_PERIODS`, at 53247845).
const SCHEDCAT: [(&str, u64, u64); 3] =
    [("uni-short", 3, 33), ("uni-moderate", 10, 100), ("uni-long", 50, 250)];

impl Periods {
    pub(super) fn check(&self) -> Result<(), RecipeError> {
        let allowed = |us: &u64| (1..=MAX_PERIOD_US).contains(us);
        let (fits, must) = match self {
            Self::OneOf(list) => (
                !list.is_empty() && list.iter().all(allowed),
                "give one period or more, each from 1us to 3600s",
            ),
            Self::Multiples { low_us, high_us, step_us, .. } => (
                [low_us, high_us, step_us].into_iter().all(allowed)
                    && low_us.div_ceil(*step_us) <= high_us / step_us,
                "the range must hold a multiple of its step, within 1us to 3600s",
            ),
            Self::Harmonic { low_us, high_us } => (
                [low_us, high_us].into_iter().all(allowed) && low_us <= high_us,
                "the low end must be at most the high end, within 1us to 3600s",
            ),
            Self::Automotive => (true, ""),
        };
        require(fits, "periods", self, must)
    }

    pub(super) fn draw(&self, sampler: &mut Sampler) -> u64 {
        match self {
            Self::OneOf(list) => sampler.pick(list).copied().unwrap_or(1),
            Self::Multiples { is_log, low_us, high_us, step_us } => {
                let draw = if *is_log { Sampler::log_uniform } else { Sampler::uniform };
                draw(sampler, low_us.div_ceil(*step_us), high_us / step_us) * step_us
            }
            Self::Harmonic { low_us, high_us } => {
                low_us << sampler.uniform(0, u64::from((high_us / low_us.max(&1)).max(1).ilog2()))
            }
            Self::Automotive => {
                let shares = || AUTOMOTIVE.iter().map(|(_, share)| share);
                let mut drawn = sampler.uniform(1, shares().sum());
                let passed = shares().take_while(|&&share| {
                    let passed = drawn > share;
                    drawn = drawn.saturating_sub(share);
                    passed
                });
                1_000 * AUTOMOTIVE[passed.count()].0
            }
        }
    }
}

impl fmt::Display for Periods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |us: &u64| microseconds(*us, "");
        match self {
            Self::OneOf(list) => f.write_str(&list.iter().map(text).collect::<Vec<_>>().join(",")),
            Self::Multiples { is_log, low_us, high_us, step_us } => {
                let law = if *is_log { "" } else { "uniform:" };
                write!(f, "{law}{}..{}/{}", text(low_us), text(high_us), text(step_us))
            }
            Self::Harmonic { low_us, high_us } => write!(f, "harmonic:{}..{}", text(low_us), text(high_us)),
            Self::Automotive => f.write_str("automotive"),
        }
    }
}

impl FromStr for Periods {
    type Err = RecipeError;

    /// Parses a list, `10ms,20ms,50ms`, a range with a step, `10ms..1s/10ms`, the same after `uniform:`,
    /// `harmonic:1ms..1s`, `automotive`, or `uni-short`, `uni-moderate` and `uni-long`.
    fn from_str(text: &str) -> Result<Self, RecipeError> {
        if text == "automotive" {
            return Ok(Self::Automotive);
        }
        if let Some((_, low, high)) = SCHEDCAT.iter().find(|(name, ..)| *name == text) {
            let (low_us, high_us) = (low * 1_000, high * 1_000);
            return Ok(Self::Multiples { is_log: false, low_us, high_us, step_us: 1_000 });
        }
        if let Some(range) = text.strip_prefix("harmonic:") {
            let must = "write harmonic:LOW..HIGH, for example harmonic:1ms..1s";
            let (low, high) = range.split_once("..").ok_or_else(|| field("periods", text, must))?;
            return Ok(Self::Harmonic {
                low_us: parse_microseconds(low)?,
                high_us: parse_microseconds(high)?,
            });
        }
        let uniform = text.strip_prefix("uniform:");
        let range = uniform.unwrap_or(text).split_once("..");
        let must = "a range needs a step, for example 10ms..1s/10ms";
        let (low, rest) = match range {
            Some(range) => range,
            None if uniform.is_some() => return Err(field("periods", text, must)),
            None if text.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                let must = "write a list such as 10ms,20ms, LOW..HIGH/STEP, uniform:LOW..HIGH/STEP, \
                            harmonic:LOW..HIGH, automotive, uni-short, uni-moderate or uni-long";
                return Err(field("periods", text, must));
            }
            None => {
                return Ok(Self::OneOf(text.split(',').map(parse_microseconds).collect::<Result<_, _>>()?));
            }
        };
        let (high, step) = rest.split_once('/').ok_or_else(|| field("periods", text, must))?;
        let [low_us, high_us, step_us] =
            [parse_microseconds(low)?, parse_microseconds(high)?, parse_microseconds(step)?];
        Ok(Self::Multiples { is_log: uniform.is_none(), low_us, high_us, step_us })
    }
}

/// A time in microseconds, printed in the largest unit in which it is a whole number.
pub(super) fn microseconds(us: u64, gap: &str) -> String {
    match us {
        _ if us.is_multiple_of(1_000_000) => format!("{}{gap}s", us / 1_000_000),
        _ if us.is_multiple_of(1_000) => format!("{}{gap}ms", us / 1_000),
        _ => format!("{us}{gap}us"),
    }
}

fn parse_microseconds(text: &str) -> Result<u64, RecipeError> {
    let (value, unit) = parse_time(text)?;
    let us = value * BigInt::from(1_000_000);
    match (unit, us.is_integer(), us.to_integer().to_u64()) {
        (TimeUnit::Seconds, true, Some(us)) if (1..=MAX_PERIOD_US).contains(&us) => Ok(us),
        _ => Err(field("periods", text, "a time must be whole microseconds with a unit, from 1us to 3600s")),
    }
}
