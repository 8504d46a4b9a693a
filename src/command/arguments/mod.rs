//! Arguments that several subcommands share.

mod gpus;
pub mod what_if;

pub use gpus::Gpus;

use crate::failure::Failure;
use clap::Args;
use clap::builder::PossibleValuesParser;
use isx_engine::{Choice, Family, Hardware, Progress, Registry};
use isx_exact::quantity::{Rational, approx, parse_decimal};
use isx_explore::Options;
use isx_knapsack::{self as knapsack, Knapsack};
use isx_machine::Machine;
use isx_mckp::{self as mckp, Mckp};
use isx_problems::text::{TextError, parse_capacity};
use isx_problems::value::Tier;
use isx_solve as solve;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::marker::PhantomData;
use std::time::Duration;

/// A family of problems with a registry of engines.
pub trait Registered: Family + Sized {
    /// The registry.
    const ENGINES: &'static Registry<Self>;
}

impl Registered for Mckp {
    const ENGINES: &'static Registry<Self> = &mckp::ENGINES;
}

impl Registered for Knapsack {
    const ENGINES: &'static Registry<Self> = &knapsack::ENGINES;
}

/// No flag: the family always computes in the narrowest exact integers.
#[derive(Args)]
pub struct Narrowest {}

/// The flag that chooses the width of integers.
#[derive(Args)]
pub struct Integers {
    /// The integer width to compute in; auto takes the narrowest exact one
    #[arg(long, hide_short_help = true, value_name = "ARITHMETIC", default_value = AUTO, value_parser = widths())]
    arithmetic: String,
}

const WIDTHS: [Tier; 4] = [Tier::I32, Tier::I64, Tier::I128, Tier::Big];

fn widths() -> PossibleValuesParser {
    std::iter::once(AUTO).chain(WIDTHS.into_iter().map(Tier::name)).into()
}

impl Integers {
    fn asked(&self) -> Option<Tier> {
        WIDTHS.into_iter().find(|width| width.name() == self.arithmetic)
    }
}

/// How to compute, by the engines of a family and in the arithmetic that the subcommand has.
#[derive(Args)]
#[command(next_help_heading = "Computation")]
pub struct Computation<F: Registered, A: Args> {
    /// The engine to use; auto takes the one expected to be fastest
    #[arg(long, hide_short_help = true, value_name = "ENGINE", default_value = AUTO, value_parser = engines::<F>())]
    engine: String,

    #[command(flatten)]
    arithmetic: A,

    #[command(flatten)]
    site: Site,

    #[arg(skip)]
    family: PhantomData<F>,
}

/// What to compute on.
#[derive(Args)]
struct Site {
    /// The GPU that the cuda engine uses, as `isx engines` numbers them; a hard 0-1 knapsack can share several: `0,1`, or
    /// `all`
    #[arg(long, hide_short_help = true, value_name = "N", default_value = "0", value_parser = str::parse::<Gpus>)]
    gpu: Gpus,

    /// Limit of GPU memory, such as 8GB [default: all free memory]
    #[arg(long, hide_short_help = true, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    gpu_memory: Option<u64>,

    /// Threads to use [default: one per core]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Limit of memory for tables, answers and proofs, such as 64MB or 2GiB
    #[arg(long, hide_short_help = true, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes, allow_negative_numbers = true)]
    max_memory: u64,
}

/// The value of a flag that leaves the choice to isx.
const AUTO: &str = "auto";

fn engines<F: Registered>() -> PossibleValuesParser {
    let mut names = vec![AUTO];
    names.extend(F::ENGINES.iter().map(|entry| entry.name));
    names.into()
}

impl Computation<Mckp, Integers> {
    /// The options of an exploration.
    pub fn exploring<'a>(&self, max_area: Option<Rational>, progress: &'a dyn Progress) -> Options<'a> {
        Options {
            engine: self.engine(),
            max_area,
            arithmetic: self.arithmetic.asked(),
            machine: self.machine(),
            progress,
            ..Options::default()
        }
    }

    /// The options of a plain solve.
    pub fn solving<'a>(&self, progress: &'a dyn Progress) -> solve::Options<'a> {
        solve::Options {
            engine: self.engine(),
            arithmetic: self.arithmetic.asked(),
            machine: self.machine(),
            progress,
            ..solve::Options::default()
        }
    }
}

impl<F: Registered, A: Args> Computation<F, A> {
    /// The requested engine.
    pub fn engine(&self) -> Choice<F> {
        F::ENGINES.named(&self.engine).map_or(Choice::Auto, Choice::Named)
    }

    /// What the requested engine runs on; `None` if none was requested.
    pub fn hardware(&self) -> Option<Hardware> {
        match self.engine() {
            Choice::Auto => None,
            Choice::Named(entry) => Some(entry.hardware),
        }
    }

    /// The requested machine.
    pub fn machine(&self) -> Machine {
        self.site.machine()
    }
}

impl Site {
    fn machine(&self) -> Machine {
        let mut machine = machine(0, self.max_memory).with_gpus(&self.gpu.numbers());
        if let Some(bytes) = self.gpu_memory {
            machine = machine.with_gpu_memory(bytes);
        }
        match self.threads {
            Some(threads) => machine.with_threads(threads.into()),
            None => machine,
        }
    }
}

/// A machine with that GPU and that much memory for tables.
pub fn machine(device: usize, max_memory: u64) -> Machine {
    Machine::default().with_max_memory(max_memory).with_gpu(device)
}

/// Refuses an invalid capacity before any file is read.
pub fn check_capacity(capacity: Option<&str>) -> Result<(), Failure> {
    match capacity.map(|capacity| (capacity, parse_capacity(capacity, 0))) {
        Some((capacity, Err(problem @ TextError::Number { .. }))) => Err(wrong_capacity(capacity, &problem)),
        _ => Ok(()),
    }
}

/// The requested capacity, which replaces the file's.
pub fn set_capacity(capacity: &mut u64, asked: Option<&str>, weight_places: u32) -> Result<(), Failure> {
    if let Some(asked) = asked {
        *capacity =
            parse_capacity(asked, weight_places).map_err(|problem| wrong_capacity(asked, &problem))?;
    }
    Ok(())
}

fn wrong_capacity(capacity: &str, problem: &TextError) -> Failure {
    Failure::Usage(match problem {
        TextError::Number { .. } => {
            format!(
                "--capacity: `{capacity}` is not a capacity; give a number such as 12 or 1.5, not below 0"
            )
        }
        problem => format!("--capacity {capacity}: {problem}"),
    })
}

/// Parses a number of seconds.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = parse_decimal(text).map_err(|error| error.to_string())?;
    Duration::try_from_secs_f64(approx(&seconds)).map_err(|_| "that is too long".to_owned())
}

/// Parses a number of bytes: plain, or in decimal or binary units, and then optionally with a fraction (`1.5GB`).
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end();
    let unit = text[digits.len()..].trim().to_ascii_lowercase();
    let unit = match unit.as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1_u64 << 40,
        unit => {
            return Err(format!(
                "`{unit}` is not a unit of memory; use kB, MB, GB, TB, KiB, MiB, GiB or TiB"
            ));
        }
    };
    let bytes = parse_decimal(digits).ok().map(|count| count * Rational::from(BigInt::from(unit)));
    match bytes.filter(Rational::is_integer) {
        Some(bytes) => {
            bytes.to_integer().to_u64().ok_or_else(|| format!("`{text}` is more than this machine can count"))
        }
        None => Err(format!("`{text}` is not a whole number of bytes")),
    }
}
