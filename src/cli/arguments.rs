//! Arguments that several subcommands share.

use super::failure::Failure;
use clap::Args;
use isx::engine::{Context, Progress, cuda};
use isx::explore::{Arithmetic, Options};
use isx::float_front::FloatVariant;
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

    /// The integers to compute in; auto takes the narrowest exact ones. For `explore` also the papers' inexact floats
    /// (recip-f64, recip-f32, div-f64, div-f32), to compare with
    #[arg(long, value_name = "ARITHMETIC", default_value = "auto", value_parser = arithmetic_names())]
    arithmetic: String,

    /// The GPU that the cuda engine uses, as `isx devices` numbers them
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: usize,

    /// Threads to use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Most memory for tables, such as 64MB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes, allow_negative_numbers = true)]
    max_memory: u64,
}

const TIERS: [Tier; 4] = [Tier::I32, Tier::I64, Tier::I128, Tier::Big];

fn arithmetic_names() -> clap::builder::PossibleValuesParser {
    let tiers = TIERS.into_iter().map(Tier::name);
    let floats = FloatVariant::ALL.into_iter().map(FloatVariant::name);
    std::iter::once("auto").chain(tiers).chain(floats).collect::<Vec<_>>().into()
}

impl Computation {
    /// The options of an exploration.
    pub fn exploring<'a>(
        &'a self,
        max_area: Option<&'a Rational>,
        progress: &'a dyn Progress,
    ) -> Options<'a> {
        let solve::Options { engine, arithmetic, context, .. } = self.solving(progress);
        let floats = FloatVariant::by_name(&self.arithmetic).map(Arithmetic::Float);
        Options { engine, max_area, arithmetic: floats.or(arithmetic.map(Arithmetic::Exact)), context }
    }

    /// Refuses the papers' inexact floats, where only an exact answer is one.
    pub fn must_be_exact(&self) -> Result<(), Failure> {
        match FloatVariant::by_name(&self.arithmetic) {
            Some(floats) => Err(Failure::Usage(format!(
                "--arithmetic {} is inexact; it is for `isx explore` and `isx bench thesis` only",
                floats.name()
            ))),
            None => Ok(()),
        }
    }

    /// The options of a plain solve.
    pub fn solving<'a>(&'a self, progress: &'a dyn Progress) -> solve::Options<'a> {
        cuda::use_device(self.device);
        let defaults = Context::default();
        solve::Options {
            engine: (self.engine != "auto").then_some(self.engine.as_str()),
            arithmetic: TIERS.into_iter().find(|tier| tier.name() == self.arithmetic),
            context: Context {
                threads: self.threads.map_or(defaults.threads, usize::from),
                max_memory: self.max_memory,
                all_candidates: false,
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
