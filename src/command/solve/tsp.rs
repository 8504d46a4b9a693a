//! `isx solve tsp`.

use super::each_file::each_file;
use super::place::{Place, Problem, Site};
use crate::arguments::{Computation, Narrowest};
use crate::failure::{Failure, Outcome};
use crate::files::{read_text, unreadable};
use clap::Args;
use isx_classics::tsp::Tsp as Family;
use isx_problems::tsp::Tsp as Tours;
use isx_problems::tsp::tsplib::{TsplibError, parse};
use isx_report::solution::{Solved, Tour};
use isx_solve::SolveError;
use isx_solve::tsp::{Options, Solution, check_cities, solve};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What finds tours of more cities than this can.
pub const ELSEWHERE: &str =
    "look for a tour elsewhere (Concorde finds shortest ones by branch and cut, LKH and OR-Tools good ones)";

/// The travelling salesman problem: the shortest tour, exactly (Held and Karp)
///
/// FILE: TSPLIB, TYPE TSP or ATSP, EDGE_WEIGHT_TYPE EUC_2D, CEIL_2D, ATT, GEO or EXPLICIT, rounded as TSPLIB says.
/// The tour begins with the first city of the file; of several shortest tours every engine gives the same one. Memory
/// decides how many cities there may be: symmetric problems with distances of up to some millions take 0.12 GB for 24
/// cities, 2.2 GB for 28, 4.2 GB for 29, 9.0 GB for 30, 17.5 GB for 31, 72 GB for 33; other problems take half as
/// much again. The table of 280 cities would have more entries than there are atoms in the universe: no dynamic
/// program of this kind solves problems of that size. Of several files, an invalid one does not stop the others.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Tsp {
    /// The problem, a TSPLIB file, or - for standard input; several files give a line of JSON each, in order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print the solution as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    computation: Computation<Family, Narrowest>,
}

impl Tsp {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let machine = self.computation.machine();
        let engine = self.computation.engine();
        each_file(&self.files, self.json, engine, machine, &|file| {
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
        problem: &Tours,
        read: Duration,
        site: &Site<'_>,
        place: Place<'_>,
    ) -> Result<Outcome, Failure> {
        let Site { machine, turn, progress } = *site;
        let options = Options {
            engine: self.computation.engine(),
            machine: machine.clone(),
            progress: progress.heard(),
            turn,
            ..Options::default()
        };
        let solved = solve(problem, &options);
        progress.end();
        let Solution { claim, account } = solved?;
        let answer = Tour { claim: &claim, numbers: problem.numbers() };
        place.print(&Solved { answer: &answer, account: &account, read })
    }
}

fn read(file: &Path) -> Result<Tours, Failure> {
    let text = read_text(file)?;
    let unreadable = |problem: TsplibError| unreadable(file, &problem);
    let read = parse(&text).map_err(unreadable)?;
    // Checked before a matrix of thousands of cities is built, only to be refused.
    check_cities(read.cities(), read.is_symmetric()).map_err(SolveError::from)?;
    read.problem().map_err(unreadable)
}
