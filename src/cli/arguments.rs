//! Arguments that several subcommands share.

use clap::{Args, ValueEnum};
use isx::engine::{Context, Progress, cuda};
use isx::explore::Options;
use isx::problem::value::Tier;
use isx::quantity::{Rational, parse_decimal};
use isx::solve;

/// How to compute.
#[derive(Args)]
#[command(next_help_heading = "Computation")]
pub struct Computation {
    /// The engine to use; auto takes the one expected to be fastest
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine_names())]
    engine: String,

    /// The integers to compute in; auto takes the narrowest exact ones
    #[arg(long, value_name = "TIER", value_enum, default_value = "auto")]
    arithmetic: Arithmetic,

    /// The GPU that the cuda engine uses, as `isx devices` numbers them
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: usize,

    /// Threads to use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Most memory for tables, such as 64MB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes)]
    max_memory: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Arithmetic {
    Auto,
    I32,
    I64,
    I128,
    Big,
}

impl Computation {
    /// The options of an exploration.
    pub fn exploring<'a>(
        &'a self,
        max_area: Option<&'a Rational>,
        progress: &'a dyn Progress,
    ) -> Options<'a> {
        let solve::Options { engine, arithmetic, context, .. } = self.solving(progress);
        Options { engine, max_area, arithmetic, context }
    }

    /// The options of a plain solve.
    pub fn solving<'a>(&'a self, progress: &'a dyn Progress) -> solve::Options<'a> {
        cuda::use_device(self.device);
        let defaults = Context::default();
        solve::Options {
            engine: (self.engine != "auto").then_some(self.engine.as_str()),
            arithmetic: match self.arithmetic {
                Arithmetic::Auto => None,
                Arithmetic::I32 => Some(Tier::I32),
                Arithmetic::I64 => Some(Tier::I64),
                Arithmetic::I128 => Some(Tier::I128),
                Arithmetic::Big => Some(Tier::Big),
            },
            context: Context {
                threads: self.threads.map_or(defaults.threads, usize::from),
                max_memory: self.max_memory,
                progress,
            },
            ..solve::Options::default()
        }
    }
}

fn engine_names() -> clap::builder::PossibleValuesParser {
    std::iter::once("auto")
        .chain(isx::engine::ENGINES.iter().map(|engine| engine.name()))
        .collect::<Vec<_>>()
        .into()
}

/// An exact area.
pub fn parse_area(text: &str) -> Result<Rational, String> {
    parse_decimal(text).map_err(|error| error.to_string())
}

/// A number of bytes: plain, or with kB, MB, GB (powers of 1000) or KiB, MiB, GiB (powers of 1024).
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end();
    let unit = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        unit => return Err(format!("`{unit}` is not a unit of memory; use kB, MB, GB, KiB, MiB or GiB")),
    };
    let count: u64 = digits.parse().map_err(|_| format!("`{text}` is not a whole number of bytes"))?;
    count.checked_mul(unit).ok_or_else(|| format!("`{text}` is more than this machine can count"))
}
