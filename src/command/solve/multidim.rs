//! `isx solve multidim`.

use super::each_file::not_understood;
use super::place::{Instance, write_text};
use crate::arguments::{Computation, Narrowest};
use crate::failure::{Failure, Outcome};
use crate::files::{is_stdin, name, read_text};
use crate::terminal;
use crate::terminal::progress::Bar;
use clap::Args;
use isx_classics::multidim::Multidim as Family;
use isx_problems::multidim::Multidim as Problem;
use isx_problems::multidim::text::{MultidimText, parse};
use isx_report::lines;
use isx_report::solution::{Selection, Solved, write_json};
use isx_solve::multidim::{Options, Solution, solve_many};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The 0-1 knapsack problem in up to three dimensions, one problem or many
///
/// FILE: a line `n d` (items, dimensions), a line of d capacities, and n lines `profit w_1 .. w_d`. Several problems may
/// follow one another if the first line holds only their number. Files of the OR-Library (`mknap1`, `mknapcb1`) are read
/// too: the number of problems, then for each `n d optimum`, n profits, the n weights in every dimension, d capacities; a
/// stated optimum is compared with the one found (0: unknown). A `#` begins a comment. All problems of all files are
/// solved together and reported in order, with --json on a line each. Items are numbered from 0 in file order. Of several
/// files, an invalid one does not stop the others; the exit code is then 2.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Multidim {
    /// The problems, text files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Compute every cell of the table, needed or not
    #[arg(long)]
    no_reduce: bool,

    /// Print each solution as a line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    computation: Computation<Family, Narrowest>,
}

/// What a file holds, or why it cannot be read.
struct FileOf<'a> {
    file: &'a Path,
    texts: Result<Vec<MultidimText>, Failure>,
    /// Time of reading, a problem.
    read: Duration,
}

impl Multidim {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let machine = self.computation.machine();
        let read = |at: u64| read_one(&self.files[at as usize]);
        // Standard input is read in its place.
        let many = self.files.len() > 1 && !self.files.iter().any(|file| is_stdin(file));
        let mut files = machine.workers().map(self.files.len() as u64, many, read);
        if let ([FileOf { texts, .. }], [_]) = (&mut files[..], &self.files[..])
            && texts.is_err()
        {
            std::mem::replace(texts, Ok(Vec::new()))?;
        }
        let bar = Bar::new();
        let options = Options {
            engine: self.computation.engine(),
            raw: self.no_reduce,
            machine,
            progress: &bar,
            ..Options::default()
        };
        let solved = Self::solve(&mut files, &options);
        bar.finish();
        self.deliver(&files, &solved?)
    }

    /// The solutions of all files' problems in order, solved together. If that fails and there are several files,
    /// each is solved separately, and one that fails has its failure instead of a solution.
    fn solve(files: &mut [FileOf<'_>], options: &Options<'_>) -> Result<Vec<Solution>, Failure> {
        let problems = |files: &[FileOf<'_>]| {
            let texts = files.iter().filter_map(|file| file.texts.as_ref().ok()).flatten();
            solve_many(&texts.map(|text| &text.problem).collect::<Vec<&Problem>>(), options)
        };
        match problems(files) {
            Err(_) if files.len() > 1 && !options.machine.is_cancelled() => {
                let mut solutions = Vec::new();
                for at in 0..files.len() {
                    match problems(&files[at..=at]) {
                        Ok(solved) => solutions.extend(solved),
                        Err(failure) => files[at].texts = Err(failure.into()),
                    }
                }
                Ok(solutions)
            }
            solved => Ok(solved?),
        }
    }

    fn deliver(&self, files: &[FileOf<'_>], solutions: &[Solution]) -> Result<Outcome, Failure> {
        let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        let mut numbered = solutions.iter().enumerate();
        let (mut worst, mut given) = (Outcome::Done, 0);
        for FileOf { file, texts, read } in files {
            let texts = match texts {
                Ok(texts) => texts,
                Err(failure) => {
                    worst = worst.or_worse(Outcome::Failed(failure.code()));
                    if self.json {
                        let name = file.to_string_lossy();
                        lines::write_failure(&name, None, &failure.to_string(), failure.code(), &mut out)?;
                    } else {
                        terminal::report(failure, None);
                    }
                    continue;
                }
            };
            let first = given;
            given += texts.len();
            for (text, (at, solution)) in texts.iter().zip(&mut numbered) {
                let answer = Selection { claim: &solution.claim, text };
                if let Some(difference) = answer.difference() {
                    let problem = if texts.len() > 1 { format!(": problem {at}") } else { String::new() };
                    terminal::warning(&format!("{}{problem}: {difference}", name(file)));
                }
                let instance = (texts.len() > 1).then(|| (at - first).to_string());
                let solved = Solved { answer: &answer, account: &solution.account, read: *read };
                match self.json {
                    true if files.len() == 1 && instance.is_none() => write_json(&solved, &mut out)?,
                    true => {
                        let (file, instance) = (file.to_string_lossy(), lines::instance(instance.as_deref()));
                        let write = &mut |line: &mut dyn Write| write_json(&solved, line);
                        lines::write(&file, instance.as_slice(), &mut out, write)?;
                    }
                    false => {
                        if solutions.len() > 1 {
                            let heading = Instance { name: at.to_string(), is_first: at == 0 };
                            heading.write_heading(&mut out)?;
                        }
                        write_text(&solved, &mut out)?;
                    }
                }
            }
        }
        out.flush()?;
        Ok(worst)
    }
}

fn read_one(file: &Path) -> FileOf<'_> {
    let started = Instant::now();
    let parsed =
        |text: String| parse(&text).map_err(|problem| not_understood(file, &text, &problem, "multidim"));
    let texts = read_text(file).and_then(parsed).map(|read| read.problems);
    let count = texts.as_ref().map_or(1, Vec::len).max(1);
    FileOf { file, texts, read: started.elapsed() / u32::try_from(count).unwrap_or(u32::MAX) }
}
