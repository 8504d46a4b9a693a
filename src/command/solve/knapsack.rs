//! `isx solve knapsack`.

use super::each_file::{check_certificate, not_understood};
use super::many::each_file;
use super::place::{Instance, Place, Problem, Site};
use crate::arguments::{Computation, Narrowest, check_capacity, set_capacity};
use crate::failure::{Failure, Outcome};
use crate::files::{name, read_text, unreadable};
use crate::proofs::certified;
use crate::terminal::{note, warning};
use clap::Args;
use isx_certificate::{best_of_knapsack, most_bytes_of_knapsack};
use isx_knapsack::{Knapsack as Family, Wanted};
use isx_problems::knapsack::text::{KnapsackText, parse_all};
use isx_report::solution::{Front, Points, Solved};
use isx_solve::knapsack::{Options, Solution, enough_bytes, solve, with_items_of_the_best};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The 0-1 knapsack problem
///
/// FILE: a line `n C` (items, capacity) and n lines `profit weight`; or, as in public instance sets, a line `n`, n lines
/// `id profit weight` and a line `C`; or a CSV file of Pisinger's instances, which may hold several problems and states
/// their optimum: it is compared with the one found. Every item is taken once or not at all. Items are numbered from 0 in
/// file order; --ids reports them by the file's own ids. A `#` begins a comment. Of several files, an invalid one does
/// not stop the others; the exit code is then 2.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Knapsack {
    /// The problem, a text file, or - for standard input; several files, or with --json
    /// several problems of one file, give a line of JSON each, in order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Solve for this capacity instead of the file's
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    capacity: Option<String>,

    /// Report the whole front: the most profit of every capacity
    #[arg(long)]
    all_capacities: bool,

    /// Report the items, with --all-capacities those of every point
    #[arg(long)]
    picks: bool,

    /// As --picks, by the items' ids in the file
    #[arg(long, hide_short_help = true)]
    ids: bool,

    /// Do not remove dominated items first
    #[arg(long, hide_short_help = true)]
    no_reduce: bool,

    /// Print the solution as JSON
    #[arg(long)]
    json: bool,

    /// Prove the solution, and write the proof to a file that `isx verify` checks
    #[arg(long, value_name = "FILE", conflicts_with = "all_capacities")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    computation: Computation<Family, Narrowest>,
}

impl Knapsack {
    pub fn run(&self) -> Result<Outcome, Failure> {
        check_capacity(self.capacity.as_deref())?;
        check_certificate(self.certificate.as_deref(), self.files.len())?;
        let machine = self.computation.machine();
        each_file(&self.files, self.json, self.computation.hardware(), machine, &|file| self.read(file))
    }

    /// The problems of a file.
    fn read(&self, file: &Path) -> Result<Vec<Problem<'_>>, Failure> {
        let started = Instant::now();
        let text = read_text(file)?;
        let texts = parse_all(&text).map_err(|problem| not_understood(file, &text, &problem, "knapsack"))?;
        let count = texts.len();
        if self.certificate.is_some() && count > 1 {
            let problem = format!("a certificate is about one problem, and this file has {count}");
            return Err(unreadable(file, &problem));
        }
        if self.ids && texts.iter().any(|text| text.ids.is_none()) {
            let problem = "this format has no ids; --picks numbers the items from 0 in file order";
            return Err(unreadable(file, &problem));
        }
        if self.picks && !self.ids && !self.json && self.files.len() == 1 && texts.iter().any(has_other_ids) {
            note(
                "picks number the items from 0 in file order; the file's own ids are others, which --ids reports",
            );
        }
        let read = started.elapsed() / u32::try_from(count).unwrap_or(u32::MAX);
        let problem = |(at, mut text): (usize, KnapsackText)| {
            set_capacity(&mut text.problem.capacity, self.capacity.as_deref(), text.weight_places)?;
            if self.capacity.is_some() {
                // It is the optimum of another capacity.
                text.stated = None;
            }
            let named = || text.name.clone().unwrap_or_else(|| at.to_string());
            let instance = (count > 1).then(|| Instance { name: named(), is_first: at == 0 });
            let label = match &instance {
                Some(Instance { name: problem, .. }) => format!("{}: {problem}", name(file)),
                None => name(file),
            };
            let solve = Box::new(move |site: &Site<'_>, place: Place<'_>| {
                self.solve(&text, read, &label, site, place)
            });
            Ok(Problem { instance, solve })
        };
        texts.into_iter().enumerate().map(problem).collect()
    }

    fn solve(
        &self,
        text: &KnapsackText,
        read: Duration,
        label: &str,
        site: &Site<'_>,
        place: Place<'_>,
    ) -> Result<Outcome, Failure> {
        let Site { machine, turn, bar } = *site;
        let machine = match self.certificate {
            Some(_) => machine.clone().keeping_free(most_bytes_of_knapsack(&text.problem)),
            None => machine.clone(),
        };
        let options = Options {
            engine: self.computation.engine(),
            raw: self.no_reduce,
            wanted: self.wanted(),
            machine: machine.clone(),
            progress: site.progress(),
            turn,
            ..Options::default()
        };
        let solved = match options.wanted {
            Wanted::AllValues => solve(&text.problem, &options)
                .and_then(|front| with_items_of_the_best(&text.problem, &options, front))
                .map_err(|error| {
                    let best = Options { wanted: Wanted::Best, ..options.clone() };
                    error.needing_more(|| enough_bytes(&text.problem, &best))
                }),
            _ => solve(&text.problem, &options),
        };
        bar.iter().for_each(|bar| bar.finish());
        let Solution { claim, account } = solved?;
        if let Some(certificate) = &self.certificate {
            certified(Some(certificate), |out| {
                best_of_knapsack(&text.problem, &claim, machine.max_memory(), out)
            })?;
        }
        let answer = Front {
            points: Points::Knapsack(&claim),
            value_places: text.profit_places,
            weight_places: text.weight_places,
            all: self.all_capacities,
            picks: self.picks,
            ids: text.ids.as_deref(),
            by_ids: self.ids,
            stated: text.stated,
        };
        if let Some(difference) = answer.difference() {
            warning(&format!("{label}: {difference}"));
        }
        place.print(&Solved { answer: &answer, account: &account, read })
    }

    fn wanted(&self) -> Wanted {
        match (self.all_capacities, self.picks || self.ids) {
            (false, _) => Wanted::Best,
            (true, false) => Wanted::AllValues,
            (true, true) => Wanted::AllPicks,
        }
    }
}

/// Whether the ids are others than 0, 1, 2 and so on.
fn has_other_ids(text: &KnapsackText) -> bool {
    text.ids.as_ref().is_some_and(|ids| ids.iter().zip(0..).any(|(&id, at)| id != at))
}
