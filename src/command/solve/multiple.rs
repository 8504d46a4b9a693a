//! `isx solve multiple`.

use super::each_file::{each_file, not_understood};
use super::place::{Place, Problem, Site};
use crate::arguments::{Computation, DryRun, Narrowest, parse_seconds};
use crate::failure::{Failure, Outcome};
use crate::files::read_text;
use clap::Args;
use isx_multiple::Multiple as Family;
use isx_problems::multiple::text::{MultipleText, parse};
use isx_report::solution::{Distribution, Solved};
use isx_solve::multiple::{Options, Solution, Wanted, solve};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The multiple knapsack problem: several knapsacks with their own capacities, every item in at most one
///
/// FILE: a line `n m` (items, knapsacks), a line of m capacities, and n lines `profit weight`; or, as in public instance
/// sets, m and n on lines of their own, m lines with a capacity each, and n lines `weight profit`, the weight first. A `#`
/// begins a comment. Knapsacks and items are numbered from 0 in file order.
///
/// The answer is the best distribution of items, with a proof by search. Some problems, mostly of few items per
/// knapsack, take longer than anyone waits: then the best distribution found is printed with a bound that none exceeds,
/// and the exit code is 3. Of several files, an invalid one does not stop the others; the exit code is then 2.
#[derive(Args)]
#[command(mut_arg("gpu", |arg| arg.alias("device")))]
#[command(arg_required_else_help = true)]
pub struct Multiple {
    /// The problem, a text file, or - for standard input; several files give a line of JSON each, in order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Stop after this many seconds, with what was found and a bound [default: a limit of work, about a minute]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    max_time: Option<Duration>,

    /// Print the solution as JSON
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    dry: DryRun,

    #[command(flatten)]
    computation: Computation<Family, Narrowest>,
}

impl Multiple {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let machine = (self.computation.machine(), self.dry.turn());
        each_file(&self.files, self.json, self.computation.engine(), machine, &|file| {
            let started = Instant::now();
            let problem = read(file)?;
            let read = started.elapsed();
            let solve =
                Box::new(move |site: &Site<'_>, place: Place<'_>| self.solve(&problem, read, site, place));
            Ok(vec![Problem { instance: None, solve }])
        })
    }

    fn solve(
        &self,
        text: &MultipleText,
        read: Duration,
        site: &Site<'_>,
        place: Place<'_>,
    ) -> Result<Outcome, Failure> {
        let Site { machine, turn, progress } = *site;
        let wanted = match self.max_time {
            Some(time) => Wanted { steps: u64::MAX, ends: Instant::now().checked_add(time) },
            None => Wanted::default(),
        };
        let options = Options {
            engine: self.computation.engine(),
            wanted,
            machine: machine.clone(),
            progress: progress.heard(),
            turn,
            ..Options::default()
        };
        let solved = solve(&text.problem, &options);
        progress.end();
        let Solution { claim, account } = solved?;
        let answer = Distribution { claim: &claim, text };
        let printed = place.print(&Solved { answer: &answer, account: &account, read })?;
        Ok(if claim.is_proved() { printed } else { Outcome::Unknown })
    }
}

fn read(file: &Path) -> Result<MultipleText, Failure> {
    let text = read_text(file)?;
    parse(&text).map_err(|problem| not_understood(file, &text, &problem, "multiple"))
}
