//! `isx generate mckp` and `knapsack`.

use super::deliver::{deliver_text, wrong_flag};
use crate::failure::Failure;
use clap::Args;
use isx_exact::quantity::{Rational, parse_decimal};
use isx_exact::sampling::IntRange;
use isx_problems::knapsack::generate::{Groups, Kind, KnapsackRecipe, generate_knapsack};
use isx_problems::knapsack::text::write as write_knapsack;
use isx_problems::mckp::generate::{Correlation, MckpRecipe, generate_mckp, write_mckp};
use std::path::PathBuf;

/// A multiple-choice knapsack problem as text
#[derive(Args)]
pub struct Mckp {
    /// Number of classes
    #[arg(long, default_value_t = MckpRecipe::default().classes)]
    classes: u64,

    /// Capacity
    #[arg(long, default_value_t = MckpRecipe::default().capacity)]
    capacity: u64,

    /// Items per class, N or LOW..HIGH
    #[arg(long, default_value_t = MckpRecipe::default().items)]
    items: IntRange,

    /// Values of uncorrelated items, LOW..HIGH
    #[arg(long, default_value_t = MckpRecipe::default().values)]
    values: IntRange,

    /// Weights, LOW..HIGH
    #[arg(long, default_value_t = MckpRecipe::default().weights)]
    weights: IntRange,

    /// How value depends on weight: uncorrelated, weak (within 100 of it) or strong (10 above it)
    #[arg(long, default_value_t = MckpRecipe::default().kind)]
    kind: Correlation,

    /// Difference between the greatest and the least weight of a class
    #[arg(long)]
    spread: Option<u64>,

    /// Seed of the random numbers
    #[arg(long, default_value_t = MckpRecipe::default().seed)]
    seed: u64,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.txt")]
    output: Option<PathBuf>,
}

impl Mckp {
    pub fn run(self) -> Result<(), Failure> {
        let Self { classes, capacity, items, values, weights, kind, spread, seed, output } = self;
        let recipe = MckpRecipe { classes, capacity, items, values, weights, kind, spread, seed };
        let problem = generate_mckp(&recipe).map_err(wrong_flag)?;
        deliver_text(format_args!("mckp {recipe}"), output.as_deref(), |text| write_mckp(&problem, text))
    }
}

/// A 0-1 knapsack problem as text
///
/// Kinds: boyer (w in 1..1000, p = w + 50), those of Pisinger, 2005 (uncorrelated, weak, strong, inverse-strong,
/// almost-strong, subset-sum, similar-weights, spanner-uncorrelated, spanner-weak, spanner-strong, multiple-strong,
/// profit-ceiling, circle), and jooken (Jooken, Leyman and De Causmaecker, 2022), which alone takes the flags from
/// --capacity to --small.
#[derive(Args)]
pub struct Knapsack {
    /// How profit depends on weight
    #[arg(long, default_value_t = KnapsackRecipe::default().kind)]
    kind: Kind,

    /// Number of items
    #[arg(long, default_value_t = KnapsackRecipe::default().items)]
    items: u64,

    /// Largest weight, or profit, of Pisinger's kinds
    #[arg(long, default_value_t = KnapsackRecipe::default().range)]
    range: u64,

    /// Capacity as a share of the weight of all items
    #[arg(long, value_parser = parse_decimal, default_value = "0.5")]
    load: Rational,

    /// jooken: the capacity
    #[arg(long, default_value_t = Groups::default().capacity)]
    capacity: u64,

    /// jooken: number of groups, the last of small items
    #[arg(long, default_value_t = Groups::default().groups)]
    groups: u64,

    /// jooken: share of small items
    #[arg(long, value_parser = parse_decimal, default_value = "0.1")]
    small_share: Rational,

    /// jooken: how far the weights of the groups are from C/2, C/4, .., as a share of the capacity C
    #[arg(long, value_parser = parse_decimal, default_value = "0.0001")]
    epsilon: Rational,

    /// jooken: largest noise, and largest small item
    #[arg(long, default_value_t = Groups::default().small)]
    small: u64,

    /// Seed of the random numbers
    #[arg(long, default_value_t = KnapsackRecipe::default().seed)]
    seed: u64,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.txt")]
    output: Option<PathBuf>,
}

impl Knapsack {
    pub fn run(self) -> Result<(), Failure> {
        let Self { kind, items, range, load, capacity, groups, small_share, epsilon, small, seed, output } =
            self;
        let groups = Groups { capacity, groups, small_share, epsilon, small };
        let recipe = KnapsackRecipe { kind, items, range, load, groups, seed };
        let problem = generate_knapsack(&recipe).map_err(wrong_flag)?;
        let command = format_args!("knapsack {recipe}");
        deliver_text(command, output.as_deref(), |text| write_knapsack(&problem, text))
    }
}
