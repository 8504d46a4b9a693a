//! `isx verify INPUT CERTIFICATE`.

use super::question::Question;
use crate::arguments::parse_bytes;
use crate::failure::{Failure, Outcome};
use crate::terminal::progress::Shown;
use crate::terminal::{Talk, note, print, talk};
use clap::Args;
use isx_certificate::{About, Limits, Wrong, verify};
use isx_pages::proof;
use std::fs::File;
use std::path::PathBuf;

/// Check a certificate that explore, check, partition or solve wrote
///
/// A small checker, which shares no code with the engines, checks every step of the certificate against the input.
/// Give the same input and flags (--max-area, --within, --cores, --capacity, --force, ..) as when the certificate was written; a
/// certificate of another question is rejected. Prints the question and what is proved, or the first error. Exit code
/// 0: proved; 7: not proved.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Verify {
    /// The task set, or the mckp or knapsack problem, that was solved; - for standard input
    #[arg(value_name = "TASKSET|PROBLEM")]
    input: PathBuf,

    /// The certificate
    certificate: PathBuf,

    /// Print what is proved as JSON
    #[arg(long)]
    json: bool,

    /// Limit of memory, such as 64MB or 2GiB
    #[arg(long, hide_short_help = true, value_name = "BYTES", default_value = "128MiB", value_parser = parse_bytes, allow_negative_numbers = true)]
    max_memory: u64,

    /// Limit of steps, each about a nanosecond
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = Limits::default().steps)]
    max_steps: u64,

    #[command(flatten)]
    question: Question,
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
        let limits = Limits { memory: self.max_memory, steps: self.max_steps };
        let about = About::read(open()?, limits).map_err(|failure| self.refused(&failure))?;
        self.question.fits(&about).map_err(|why| self.not_proved(&why))?;
        let read = self.question.read(&self.input, about.kind, limits);
        // The input may be a good one, of another kind.
        let input =
            read.inspect_err(|_| note(&format!("the certificate is about {}", proof::kind(about.kind))))?;
        let question = self.question.stated(&input);
        let hash = self.question.hash(input, &about)?.map_err(|why| self.not_proved(&why))?;
        let file = open()?;
        let bytes = file.metadata().ok().map(|about| about.len());
        let proved = verify(Shown::new(file, "checking", bytes), &hash, limits)
            .map_err(|failure| self.refused(&failure))?;
        if self.json && proved.printing_steps() > self.max_steps {
            let steps = proved.printing_steps();
            return Err(self.not_proved(&format!(
                "to bring the utilizations into lowest terms may take {steps} steps, more than the {} that are \
                 allowed; allow more with --max-steps",
                self.max_steps
            )));
        }
        let input = self.input.display().to_string();
        print(self.json, &|out| proof::write_json(&proved, &question, &input, out), &|out| {
            proof::write_text(&proved, &question, &input, talk() == Talk::Quiet, out)
        })?;
        Ok(Outcome::Done)
    }

    fn refused(&self, failure: &isx_certificate::Failure) -> Failure {
        let more = match failure.wrong {
            Wrong::Memory { .. } => "; allow more with --max-memory",
            Wrong::Steps { .. } => "; allow more with --max-steps",
            _ => "",
        };
        self.not_proved(&format!("{failure}{more}"))
    }

    fn not_proved(&self, why: &str) -> Failure {
        Failure::NotProved(format!("`{}`: {why}", self.certificate.display()))
    }
}
