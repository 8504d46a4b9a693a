//! `isx generate lcs`.

use super::super::failure::{Failure, Outcome};
use super::super::terminal;
use super::{deliver, wrong_flag};
use clap::Args;
use isx_problems::lcs::generate::{LcsRecipe, generate_lcs};
use std::path::PathBuf;

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

    /// Percent of the shorter sequence that both are given in common
    #[arg(long, default_value_t = LcsRecipe::default().common)]
    common: u64,

    /// Which of the recipe's pairs
    #[arg(long, default_value_t = LcsRecipe::default().seed)]
    seed: u64,
}

impl Lcs {
    pub fn run(self) -> Result<Outcome, Failure> {
        let Self { a, b, lengths, alphabet, common, seed } = self;
        let lengths = match lengths[..] {
            [both] => [both, both],
            [a, b] => [a, b],
            _ => return Err(Failure::Usage("--lengths: give one length for both, or two".into())),
        };
        let recipe = LcsRecipe { lengths, alphabet, common, seed };
        let pair = generate_lcs(&recipe).map_err(|error| wrong_flag(&error))?;
        // Plain text has no comments to keep the recipe in.
        terminal::note(&format!("isx generate lcs {} {} {recipe}", a.display(), b.display()));
        deliver(&pair.a, Some(&a))?;
        deliver(&pair.b, Some(&b))
    }
}
