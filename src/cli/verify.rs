//! `isx verify INPUT CERTIFICATE`.

use super::failure::{Failure, Outcome};
use super::input::{misunderstood, read_task_set, read_text};
use super::terminal::{Talk, talk};
use super::what_if::Changes;
use clap::Args;
use isx::certificate::problem::{hash, of_knapsack, of_mckp, of_task_set};
use isx::certificate::{About, Kind, verify};
use isx::formulate::formulate;
use isx::problem::mckp::Choice;
use isx::problem::{knapsack, mckp};
use isx::quantity::Rational;
use isx::report::proof;
use num_bigint::BigInt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Check a certificate that explore, check or solve wrote
///
/// A small checker, which shares no code with the engines, reads the certificate and adds up what it says; the input
/// is read again and must be the one that the certificate is about. Prints what is proved, or the first
/// thing that is wrong. Exit code 0: proved; 7: not proved.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Verify {
    /// The task set, or the mckp or knapsack problem, that was solved; - for standard input
    #[arg(value_name = "TASKSET")]
    input: PathBuf,

    /// The certificate
    certificate: PathBuf,

    /// Print what is proved as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    changes: Changes,
}

impl Verify {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let unreadable = |error: std::io::Error| {
            Failure::Usage(format!("cannot read `{}`: {error}", self.certificate.display()))
        };
        if self.certificate.is_dir() {
            return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
        }
        let open = || File::open(&self.certificate).map_err(unreadable);
        let about = About::read(open()?).map_err(|failure| self.refused(&failure))?;
        let hash = self.hash(&about)?;
        let proved = verify(open()?, &hash).map_err(|failure| self.refused(&failure))?;
        let mut out = BufWriter::new(std::io::stdout().lock());
        let input = self.input.display().to_string();
        if self.json {
            proof::write_json(&proved, &input, &mut out)?;
        } else {
            proof::write_text(&proved, &input, talk() == Talk::Quiet, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Done)
    }

    fn refused(&self, failure: &isx::certificate::Failure) -> Failure {
        Failure::NotProved(format!("`{}`: {failure}", self.certificate.display()))
    }

    /// The SHA-256 of the input as a problem with the capacity that the certificate is about.
    fn hash(&self, about: &About) -> Result<[u8; 32], Failure> {
        let bytes = match about.kind {
            Kind::TaskSet => {
                let (reading, _) = read_task_set(&self.input)?;
                let task_set = self.changes.apply(reading.task_set)?;
                let unit = about.area_unit.clone().unwrap_or_default();
                let budget = Rational::from(BigInt::from(about.capacity)) * unit;
                of_task_set(&formulate(&task_set, Some(&budget)).map_err(isx::explore::ExploreError::from)?)
            }
            Kind::Mckp { optional } => {
                let choice = if optional { Choice::Optional } else { Choice::ExactlyOne };
                let read = mckp::text::parse(&read_text(&self.input)?, choice);
                let mut problem = read.map_err(|problem| misunderstood(&self.input, &problem))?.problem;
                problem.capacity = about.capacity;
                of_mckp(&problem)
            }
            Kind::Knapsack => {
                let read = knapsack::text::parse(&read_text(&self.input)?);
                let mut problem = read.map_err(|problem| misunderstood(&self.input, &problem))?.problem;
                problem.capacity = about.capacity;
                of_knapsack(&problem)
            }
        };
        Ok(hash(&bytes))
    }
}
