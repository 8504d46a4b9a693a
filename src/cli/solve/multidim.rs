//! `isx solve multidim`.

use super::unreadable;
use crate::cli::arguments::Computation;
use crate::cli::arithmetic::Narrowest;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::read_text;
use crate::cli::progress::Bar;
use crate::cli::terminal::{Talk, talk};
use clap::Args;
use isx::engine::multidim::Multidim as Family;
use isx::problem::multidim::Multidim as Problem;
use isx::problem::multidim::text::{MultidimText, parse};
use isx::report::multidim::{Solved, write_json, write_text};
use isx::solve::multidim::{Options, Solution, solve_many};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The 0-1 knapsack problem in up to three dimensions, one problem or many
///
/// FILE: a line `n d` (items, dimensions), a line of d capacities, and n lines `profit w_1 .. w_d`. Several problems may
/// follow one another after a first line with nothing but their number. All problems of all files are solved
/// together and reported in order, with --json on a line each. Items are numbered from 0 in file order.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Multidim {
    /// The problems, text files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Look at every cell of every layer, needed or not
    #[arg(long)]
    no_reduce: bool,

    /// Print each solution as a line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    computation: Computation<Family, Narrowest>,
}

impl Multidim {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let mut texts: Vec<(MultidimText, Duration)> = Vec::new();
        for file in &self.files {
            let started = Instant::now();
            let text = read_text(file)?;
            let read = parse(&text).map_err(|problem| unreadable(file, &problem))?.problems;
            let share = started.elapsed() / u32::try_from(read.len().max(1)).unwrap_or(u32::MAX);
            texts.extend(read.into_iter().map(|text| (text, share)));
        }
        let bar = Bar::new();
        let options = Options {
            engine: self.computation.engine(),
            raw: self.no_reduce,
            machine: self.computation.machine(),
            progress: &bar,
        };
        let problems: Vec<&Problem> = texts.iter().map(|(text, _)| &text.problem).collect();
        let solved = solve_many(&problems, &options);
        bar.finish();
        self.deliver(&texts, &solved?)
    }

    fn deliver(
        &self,
        texts: &[(MultidimText, Duration)],
        solutions: &[Solution],
    ) -> Result<Outcome, Failure> {
        let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        for (at, ((text, read), solution)) in texts.iter().zip(solutions).enumerate() {
            let solved = Solved {
                claim: &solution.claim,
                account: &solution.account,
                dimensions: text.problem.dimensions,
                profit_places: text.profit_places,
                weight_places: text.weight_places,
                read: *read,
            };
            if self.json {
                write_json(&solved, &mut out)?;
                continue;
            }
            if texts.len() > 1 {
                writeln!(out, "{}problem    {at}", if at == 0 { "" } else { "\n" })?;
            }
            write_text(&solved, talk() == Talk::Verbose, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Done)
    }
}
