//! `isx-papers solve`: a problem of a file, by any engine of its family.

use clap::{Args, Subcommand};
use isx_command::arguments::{machine, parse_bytes};
use isx_command::failure::{Failure, Outcome};
use isx_engine::{Choice, Registry};
use isx_machine::cpu::cores;
use isx_papers::answer::{self, Question};
use isx_papers::lcs::{self, Lcs};
use isx_papers::multidim::{self, Batch, Multidim};
use isx_papers::text::unscaled;
use isx_papers::tsp::{self, Tsp};
use isx_solve::Solution;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Solve a plain problem exactly, by a method of a paper or by the textbook's loop
#[derive(Args)]
pub struct Solve {
    #[command(subcommand)]
    problem: Problem,
}

#[derive(Subcommand)]
enum Problem {
    /// The longest common subsequence of two sequences
    ///
    /// FILE: two lines of letters; in UTF-8, a letter outside ASCII is several bytes. The picks are the positions of each letter in
    /// both lines, from 0. Engines: reference, wave, cuda-wave, cuda-printed.
    Lcs(Asked),
    /// The shortest tour, by Held and Karp's recurrence
    ///
    /// FILE: `n`, the number of cities, then n rows of n distances, from the city of the row to that of the column; the two
    /// directions may differ. The picks are the cities of the tour, from 0, the first one first. Engines: reference, wave, cuda-wave.
    Tsp(Asked),
    /// The 0-1 knapsack problem in up to three dimensions
    ///
    /// FILE: a line `n d` (items, dimensions), a line of d capacities, and n lines `profit w_1 .. w_d`. The picks are the chosen
    /// items, numbered from 0 in file order. Engines: reference, cuda-lemos, cuda-lemos-one.
    Multidim(Asked),
}

/// What all families have in common.
#[derive(Args)]
struct Asked {
    /// The problem, a text file, or - for standard input
    file: PathBuf,

    /// The engine to use; auto takes the one of the CPU expected to be fastest
    #[arg(long, value_name = "ENGINE", default_value = AUTO)]
    engine: String,

    /// Print the solution as JSON, on one line
    #[arg(long)]
    json: bool,

    /// The GPU that engines for a GPU use, as `isx engines` numbers them
    #[arg(long, value_name = "N", default_value_t = 0)]
    gpu: usize,

    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Most memory for tables, such as 64MB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes)]
    max_memory: u64,
}

const AUTO: &str = "auto";

/// The file's text.
fn read(file: &Path) -> Result<String, Failure> {
    let text = match file.to_str() {
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }
        _ => std::fs::read_to_string(file),
    };
    text.map_err(|problem| unreadable(file, &problem))
}

fn unreadable(file: &Path, problem: &dyn std::fmt::Display) -> Failure {
    Failure::Usage(format!("{}: {problem}", file.display()))
}

impl Solve {
    pub fn run(&self) -> Result<Outcome, Failure> {
        match &self.problem {
            Problem::Lcs(asked) => {
                let pair = lcs::parse(&read(&asked.file)?).map_err(|why| unreadable(&asked.file, &why))?;
                let solved = asked.solve(&lcs::ENGINES, &pair)?;
                let letters = solved.claim.pairs.iter().flatten().map(|&(row, _)| pair.rows[row]);
                let letters = String::from_utf8_lossy(&letters.collect::<Vec<u8>>()).into_owned();
                let picks = json!(solved.claim.pairs);
                asked.print::<Lcs>(&solved, &solved.claim.length.to_string(), picks, &[("letters", letters)])
            }
            Problem::Tsp(asked) => {
                let tsp::Text { problem, places } =
                    tsp::parse(&read(&asked.file)?).map_err(|why| unreadable(&asked.file, &why))?;
                let solved = asked.solve(&tsp::ENGINES, &problem)?;
                let picks = json!(solved.claim.cities);
                asked.print::<Tsp>(&solved, &unscaled(&solved.claim.length.into(), places), picks, &[])
            }
            Problem::Multidim(asked) => {
                let multidim::Text { problem, places } =
                    multidim::parse(&read(&asked.file)?).map_err(|why| unreadable(&asked.file, &why))?;
                let solved = asked.solve(&multidim::ENGINES, &Batch(vec![problem]))?;
                // One problem has one answer, which was checked.
                let Some(best) = solved.claim.first() else { return Ok(Outcome::Done) };
                asked.print::<Multidim>(&solved, &unscaled(&best.profit, places), json!(best.chosen), &[])
            }
        }
    }
}

impl Asked {
    fn solve<Q: Question>(
        &self,
        registry: &'static Registry<Q>,
        problem: &Q::Problem,
    ) -> Result<Solution<Q::Found>, Failure> {
        let engine = match (registry.named(&self.engine), &self.engine[..]) {
            (Some(engine), _) => Choice::Named(engine),
            (None, AUTO) => Choice::Auto,
            (None, other) => {
                let names: Vec<&str> = registry.iter().map(|entry| entry.name).collect();
                let names = names.join(", ");
                return Err(Failure::Usage(format!("--engine {other}: it is auto, or one of {names}")));
            }
        };
        let threads = self.threads.map_or_else(cores, usize::from);
        let machine = machine(self.gpu, self.max_memory).with_threads(threads);
        Ok(answer::solve(registry, problem, Q::Wanted::default(), engine, &machine)?)
    }

    fn print<Q: Question>(
        &self,
        Solution { account, .. }: &Solution<Q::Found>,
        value: &str,
        picks: Value,
        more: &[(&str, String)],
    ) -> Result<Outcome, Failure> {
        let mut out = std::io::stdout().lock();
        if self.json {
            let document = json!({
                "schema": "isx.papers.solution/1", "problem": Q::NAME, "value": value, "picks": picks,
                "engine": { "ran_on": account.ran_on(), "arithmetic": account.arithmetic.to_string() },
                "updates": account.updates,
                "timings": {
                    "solve": account.timings.solve.as_secs_f64(), "traceback": account.timings.traceback.as_secs_f64(),
                },
            });
            writeln!(out, "{document}")?;
        } else {
            writeln!(out, "value      {value}\npicks      {picks}")?;
            for (name, text) in more {
                writeln!(out, "{name:10} {}", isx_report::visible(text))?;
            }
        }
        out.flush()?;
        Ok(Outcome::Done)
    }
}
