//! `isx solve lcs`.

use super::place::Place;
use crate::arguments::{Computation, Narrowest};
use crate::failure::{Failure, Outcome};
use crate::files::{is_stdin, read_bytes, unreadable};
use crate::terminal;
use crate::terminal::progress::Bar;
use clap::Args;
use isx_classics::lcs::{Lcs as Family, Wanted};
use isx_problems::lcs::Lcs as Problem;
use isx_problems::lcs::text::{Record, Sequence, SequenceError, parse};
use isx_report::files::{check_place, write_whole};
use isx_report::solution::{Solved, Subsequence};
use isx_solve::lcs::{Options, Solution, solve};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The longest common subsequence of two sequences
///
/// A and B: plain text or FASTA. In plain text every byte is a letter, except one line end at the end of the file; in
/// UTF-8, a letter outside ASCII is several bytes. A file that begins with `>` is FASTA: the lines after a header are
/// joined without line ends and blanks. Positions are counted from 0, in bytes.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Lcs {
    /// The first sequence, or - for standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The second sequence, or - for standard input
    #[arg(value_name = "B")]
    b: PathBuf,

    /// The record of A, if it is FASTA with several: its name or its number, counted from 1
    #[arg(long, value_name = "RECORD")]
    record_a: Option<String>,

    /// The record of B
    #[arg(long, value_name = "RECORD")]
    record_b: Option<String>,

    /// The length only: less memory, and a little less time
    #[arg(long)]
    length_only: bool,

    /// Print the whole subsequence, not only its first 200 letters
    #[arg(long, conflicts_with_all = ["json", "length_only"])]
    all: bool,

    /// Write the subsequence to this file, without a line end
    #[arg(short, long, value_name = "FILE", conflicts_with = "length_only")]
    output: Option<PathBuf>,

    /// Print the solution as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    computation: Computation<Family, Narrowest>,
}

impl Lcs {
    pub fn run(&self) -> Result<Outcome, Failure> {
        if is_stdin(&self.a) && is_stdin(&self.b) {
            return Err(Failure::Usage("only one of the two sequences can be standard input".into()));
        }
        self.output.iter().try_for_each(|file| check_place(file))?;
        let started = Instant::now();
        let mut sequences =
            [read(&self.a, self.record_a.as_deref(), "a")?, read(&self.b, self.record_b.as_deref(), "b")?];
        let read = started.elapsed();
        let bar = Bar::new();
        let wanted = if self.length_only { Wanted::Length } else { Wanted::Subsequence };
        let options = Options {
            engine: self.computation.engine(),
            wanted,
            machine: self.computation.machine(),
            progress: &bar,
            ..Options::default()
        };
        // The problem borrows the letters instead of copying them.
        let [a, b] = sequences.each_mut().map(|sequence| std::mem::take(&mut sequence.letters));
        let problem = Problem { a, b };
        let solved = solve(&problem, &options);
        bar.finish();
        let Solution { claim, account } = solved?;
        let Problem { a, b } = problem;
        (sequences[0].letters, sequences[1].letters) = (a, b);
        let answer = Subsequence { claim: &claim, sequences: &sequences, all: self.all };
        if let (Some(file), Some(letters)) = (&self.output, answer.letters()) {
            write_whole(file, |out| out.write_all(&letters))?;
            terminal::note(&format!("wrote {}", file.display()));
        }
        Place::Alone { json: self.json }.print(&Solved { answer: &answer, account: &account, read })
    }

    /// The flag that reduces the problem's size.
    pub fn smaller(&self) -> Option<&'static str> {
        (!self.length_only).then_some("ask for the --length-only")
    }
}

/// Reads the sequence of a file; `which` is the end of its flag's name.
fn read(file: &Path, record: Option<&str>, which: &str) -> Result<Sequence, Failure> {
    let record = record.map(|record| Record(record.to_owned()));
    parse(read_bytes(file)?, record.as_ref()).map_err(|problem| {
        let flag = match problem {
            SequenceError::Several { .. } | SequenceError::Ambiguous { .. } => {
                format!(" with --record-{which}")
            }
            _ => String::new(),
        };
        unreadable(file, &format_args!("{problem}{flag}"))
    })
}
