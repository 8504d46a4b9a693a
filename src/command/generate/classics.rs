//! `isx generate multidim`, `lcs` and `tsp`.

use super::deliver::{deliver_text, wrong_flag};
use crate::failure::Failure;
use crate::files::deliver;
use crate::terminal;
use clap::Args;
use isx_problems::lcs::generate::{LcsRecipe, generate_lcs};
use isx_problems::multidim::generate::{MultidimRecipe, generate_multidim, write_multidim};
use isx_problems::tsp::generate::{TspRecipe, write_tsp};
use std::path::PathBuf;

/// Multi-dimensional knapsack problems as text: rectangles that a plate was cut into
///
/// A rectangle's sides are an item's weights, its area the profit, the plate's sides the capacities. In three
/// dimensions they are boxes, in one dimension pieces of a rod.
#[derive(Args)]
pub struct Multidim {
    /// Number of problems, written in the file's first line [default: one problem, without that line]
    #[arg(long, value_name = "K")]
    instances: Option<u64>,

    /// Items of each problem
    #[arg(long, default_value_t = MultidimRecipe::default().items)]
    items: u64,

    /// Capacities, one to three
    #[arg(long, value_name = "C,..", value_delimiter = ',', default_values_t = MultidimRecipe::default().capacities)]
    capacities: Vec<u64>,

    /// Seed of the random numbers
    #[arg(long, default_value_t = MultidimRecipe::default().seed)]
    seed: u64,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.txt")]
    output: Option<PathBuf>,
}

impl Multidim {
    pub fn run(self) -> Result<(), Failure> {
        let Self { instances, items, capacities, seed, output } = self;
        let recipe = MultidimRecipe { instances, items, capacities, seed };
        let problems = generate_multidim(&recipe).map_err(wrong_flag)?;
        let command = format_args!("multidim {recipe}");
        deliver_text(command, output.as_deref(), |text| write_multidim(&problems, instances.is_some(), text))
    }
}

/// Two sequences as plain text, to be compared
#[derive(Args)]
pub struct Lcs {
    /// File to write the first sequence to
    #[arg(value_name = "A")]
    a: PathBuf,

    /// File to write the second sequence to
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Letters of the first sequence and of the second
    #[arg(long, value_name = "M,N", num_args = 1, value_delimiter = ',', default_values_t = LcsRecipe::default().lengths)]
    lengths: Vec<u64>,

    /// Different letters: up to 4 of ACGT, up to 26 from A on, up to 256 bytes of any value
    #[arg(long, default_value_t = LcsRecipe::default().alphabet)]
    alphabet: u64,

    /// Length of a subsequence that both are given, in percent of the shorter sequence
    #[arg(long, default_value_t = LcsRecipe::default().common)]
    common: u64,

    /// Seed of the random numbers
    #[arg(long, default_value_t = LcsRecipe::default().seed)]
    seed: u64,
}

impl Lcs {
    pub fn run(self) -> Result<(), Failure> {
        let Self { a, b, lengths, alphabet, common, seed } = self;
        let lengths = match lengths[..] {
            [both] => [both, both],
            [a, b] => [a, b],
            _ => return Err(Failure::Usage("--lengths: give one length for both, or two".into())),
        };
        let recipe = LcsRecipe { lengths, alphabet, common, seed };
        let pair = generate_lcs(&recipe).map_err(wrong_flag)?;
        // Plain text has no comments that could contain the recipe.
        terminal::note(&format!("isx generate lcs {} {} {recipe}", a.display(), b.display()));
        deliver(Some(&a), |out| out.write_all(&pair.a))?;
        deliver(Some(&b), |out| out.write_all(&pair.b))
    }
}

/// A travelling salesman problem as a TSPLIB file
///
/// Cities on whole coordinates of a square with rounded Euclidean distances (EUC_2D), or, asymmetric, a matrix of
/// random distances (ATSP).
#[derive(Args)]
pub struct Tsp {
    /// Number of cities
    #[arg(long, default_value_t = TspRecipe::default().cities)]
    cities: u64,

    /// Largest coordinate, or largest distance of a matrix
    #[arg(long, default_value_t = TspRecipe::default().range)]
    range: u64,

    /// A matrix of random distances, drawn independently for the two directions
    #[arg(long)]
    asymmetric: bool,

    /// Seed of the random numbers
    #[arg(long, default_value_t = TspRecipe::default().seed)]
    seed: u64,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE.tsp")]
    output: Option<PathBuf>,
}

impl Tsp {
    pub fn run(self) -> Result<(), Failure> {
        let Self { cities, range, asymmetric, seed, output } = self;
        let recipe = TspRecipe { cities, range, asymmetric, seed };
        let mut text = Vec::new();
        write_tsp(&recipe, &mut text).map_err(wrong_flag)??;
        deliver(output.as_deref(), |out| out.write_all(&text))
    }
}
