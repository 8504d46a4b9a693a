//! `isx sweep`: populations of task sets, drawn or read, measured and recorded.
//!
//! The arguments are part of every build; what they ask for needs Parquet.

#[cfg(feature = "parquet")]
mod run;

use crate::failure::{Failure, Outcome};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// Measure thousands of random task sets, in parts that any number of machines compute
///
/// A specification says which sets there are and what is asked about each; `isx schema sweep` describes it for editors.
/// The records are the same whoever computes them, with any number of threads and interruptions: Parquet files, over which
/// SQL asks what they add up to (the book's chapter "A thousand task sets" has a script that draws the curves).
#[derive(Args)]
pub struct Sweep {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Run(Run),
    Show(Show),
}

/// Measure the sets of a specification, as far as that is not done already
///
/// Sets are measured in chunks, each a Parquet file of the folder, named after the sweep and its number; the same command goes
/// on after an interruption, and several at a time may share the work with --shard.
#[derive(Args)]
#[command(arg_required_else_help = true)]
struct Run {
    /// The specification, in YAML; - for standard input
    spec: PathBuf,

    /// Folder of the chunks, created if necessary
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Measure the share I of N only, I from 0 to N-1: the chunks whose number modulo N is I
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = parse_shard)]
    shard: (u64, u64),

    /// Begin no chunk after this time, such as 90s, 30min or 8h [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,

    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Print a set of a sweep as YAML, for `isx explore` and the others
///
/// Its first lines name the `isx generate taskset` command that makes it too.
#[derive(Args)]
#[command(arg_required_else_help = true)]
struct Show {
    /// The specification, in YAML; - for standard input
    spec: PathBuf,

    /// The point of the grid and the set at it, both numbered from 0, as the columns `point` and `index` have them
    #[arg(long, value_name = "POINT:INDEX", value_parser = parse_set)]
    set: (u64, u64),

    /// A value of a paired key, such as scheduler=rm [default: the first of each]
    #[arg(long = "with", value_name = "KEY=VALUE")]
    paired: Vec<String>,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.yaml")]
    output: Option<PathBuf>,
}

fn parse_shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(own, of)| Some((own.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((own, of)) if own < of => Ok((own, of)),
        Some((_, of)) if of > 0 => {
            Err(format!("of {of} shares the last is {}/{of}: they are numbered from 0", of - 1))
        }
        _ => Err("write I/N, such as 0/8 for the first of eight shares".to_owned()),
    }
}

fn parse_set(text: &str) -> Result<(u64, u64), String> {
    let parts =
        text.split_once(':').and_then(|(point, index)| Some((point.parse().ok()?, index.parse().ok()?)));
    parts.ok_or_else(|| "write POINT:INDEX, such as 3:17 for set 17 of point 3".to_owned())
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "s" => 1,
        "min" => 60,
        "h" => 3600,
        _ => 0,
    };
    let time = digits.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(seconds));
    let time = time.filter(|&time| time > 0);
    time.map(Duration::from_secs)
        .ok_or_else(|| "write a whole number with s, min or h, such as 30min".to_owned())
}

impl Sweep {
    #[cfg(feature = "parquet")]
    pub fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::Run(command) => command.run(),
            What::Show(command) => command.run(),
        }
    }

    #[cfg(not(feature = "parquet"))]
    pub fn run(self) -> Result<Outcome, Failure> {
        bail!("the records of sweeps are Parquet; {}", isx_report::written::NO_PARQUET)
    }
}

/// The JSON Schema of specifications.
pub fn schema() -> Result<&'static str, Failure> {
    #[cfg(feature = "parquet")]
    return Ok(isx_sweep::SCHEMA);
    #[cfg(not(feature = "parquet"))]
    Err(Failure::Usage(isx_report::written::NO_PARQUET.to_owned()))
}
