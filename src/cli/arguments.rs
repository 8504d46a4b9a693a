//! Arguments that several subcommands share.

use super::failure::Failure;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use isx::engine::mckp::{ENGINES, Mckp};
use isx::engine::{Choice, Progress};
use isx::explore::{Arithmetic, Options};
use isx::machine::Machine;
use isx::problem::value::Tier;
use isx::quantity::{Rational, parse_decimal};
use isx::solve;
use isx::thesis::float_front::FloatVariant;

/// How to compute.
#[derive(Args)]
#[command(next_help_heading = "Computation")]
pub struct Computation {
    /// The engine to use; auto takes the one expected to be fastest
    #[arg(long, value_name = "ENGINE", default_value = AUTO, value_parser = engines())]
    engine: Choice<Mckp>,

    /// The integers to compute in; auto takes the narrowest exact ones. For `explore` also the papers' inexact floats
    /// (recip-f64, recip-f32, div-f64, div-f32), to compare with
    #[arg(long, value_name = "ARITHMETIC", default_value = AUTO, value_parser = arithmetics())]
    arithmetic: Asked,

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

/// What stands for the choice that isx makes by itself.
const AUTO: &str = "auto";

const TIERS: [Tier; 4] = [Tier::I32, Tier::I64, Tier::I128, Tier::Big];

/// The arithmetic asked for, if any.
#[derive(Clone, Copy)]
struct Asked(Option<Arithmetic>);

fn engines() -> impl TypedValueParser<Value = Choice<Mckp>> {
    let names = std::iter::once(AUTO).chain(ENGINES.iter().map(|entry| entry.name));
    PossibleValuesParser::new(names).map(|name| ENGINES.named(&name).map_or(Choice::Auto, Choice::Named))
}

fn arithmetics() -> impl TypedValueParser<Value = Asked> {
    let tiers = TIERS.into_iter().map(Tier::name);
    let floats = FloatVariant::ALL.into_iter().map(FloatVariant::name);
    PossibleValuesParser::new(std::iter::once(AUTO).chain(tiers).chain(floats)).map(|name| {
        let tier = TIERS.into_iter().find(|tier| tier.name() == name).map(Arithmetic::Exact);
        Asked(tier.or_else(|| FloatVariant::by_name(&name).map(Arithmetic::Float)))
    })
}

impl Computation {
    /// The options of an exploration.
    pub fn exploring<'a>(&self, max_area: Option<Rational>, progress: &'a dyn Progress) -> Options<'a> {
        Options {
            engine: self.engine,
            max_area,
            arithmetic: self.arithmetic.0,
            machine: self.machine(),
            progress,
            ..Options::default()
        }
    }

    /// Refuses the papers' inexact floats, where only an exact answer is one.
    pub fn must_be_exact(&self) -> Result<(), Failure> {
        match self.arithmetic.0 {
            Some(Arithmetic::Float(floats)) => Err(Failure::Usage(format!(
                "--arithmetic {} is inexact; it is for `isx explore` and `isx bench thesis` only",
                floats.name()
            ))),
            _ => Ok(()),
        }
    }

    /// The options of a plain solve.
    pub fn solving<'a>(&self, progress: &'a dyn Progress) -> solve::Options<'a> {
        let arithmetic = match self.arithmetic.0 {
            Some(Arithmetic::Exact(tier)) => Some(tier),
            _ => None,
        };
        let machine = self.machine();
        solve::Options { engine: self.engine, arithmetic, machine, progress, ..solve::Options::default() }
    }

    fn machine(&self) -> Machine {
        let machine = machine(self.device, self.max_memory);
        match self.threads {
            Some(threads) => machine.with_threads(threads.into()),
            None => machine,
        }
    }
}

/// A machine with that GPU and so much memory for tables.
pub fn machine(device: usize, max_memory: u64) -> Machine {
    let machine = Machine::default().with_max_memory(max_memory);
    #[cfg(feature = "cuda")]
    let machine = machine.with_gpu(device);
    #[cfg(not(feature = "cuda"))]
    let _ = device;
    machine
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
