//! `isx generate tsp`.

use super::super::failure::{Failure, Outcome};
use super::{deliver, wrong_flag};
use clap::Args;
use isx_problems::tsp::generate::{TspRecipe, write_tsp};
use std::path::PathBuf;

/// A travelling salesman problem as a TSPLIB file
///
/// Cities on whole coordinates of a square with rounded Euclidean distances (EUC_2D), or, asymmetric, a matrix of random
/// distances (ATSP).
#[derive(Args)]
pub struct Tsp {
    /// Number of cities
    #[arg(long, default_value_t = TspRecipe::default().cities)]
    cities: u64,

    /// Largest coordinate, or largest distance of a matrix
    #[arg(long, default_value_t = TspRecipe::default().range)]
    range: u64,

    /// A matrix of distances, those back drawn by themselves
    #[arg(long)]
    asymmetric: bool,

    /// Which of the recipe's problems
    #[arg(long, default_value_t = TspRecipe::default().seed)]
    seed: u64,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE.tsp")]
    output: Option<PathBuf>,
}

impl Tsp {
    pub fn run(self) -> Result<Outcome, Failure> {
        let Self { cities, range, asymmetric, seed, output } = self;
        let recipe = TspRecipe { cities, range, asymmetric, seed };
        let mut text = Vec::new();
        write_tsp(&recipe, &mut text).map_err(|error| wrong_flag(&error))??;
        deliver(&text, output.as_deref())
    }
}
