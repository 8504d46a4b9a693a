//! `isx sweep run` and `isx sweep show`: the sets of a specification.

use super::{Run, Show};
use crate::failure::{Failure, Outcome};
use crate::files::{deliver, is_stdin, name, read_bytes};
use crate::terminal::progress::Bar;
use crate::terminal::{self, Talk, talk};
use isx_engine::Progress;
use isx_sweep::folder::{self, Folder};
use isx_sweep::{Spec, SweepError};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// How often the rate of a run is computed again.
const EVERY: u64 = 64;

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Read(error) => Self::Read(error),
            SweepError::Write(error) => Self::Write(error),
            SweepError::Thread(error) => Self::Thread(error),
            error => Self::Usage(error.to_string()),
        }
    }
}

/// Reads a specification; the files that it names are in its own folder.
fn read(file: &Path) -> Result<Spec, Failure> {
    let bytes = read_bytes(file)?;
    let folder = if is_stdin(file) { None } else { file.parent() };
    Ok(Spec::read(&name(file), &bytes, folder.unwrap_or(Path::new("")))?)
}

impl Run {
    pub fn run(self) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let spec = read(&self.spec)?;
        let folder = Folder::prepare(&self.out, &spec)?;
        let chunks = folder.missing(&spec, self.shard)?;
        let sets: u64 =
            chunks.iter().map(|&chunk| spec.sets_of(chunk).1).map(|sets| sets.end - sets.start).sum();
        let threads = self.threads.map_or_else(isx_machine::cpu::cores, usize::from);
        let bar = Bar::counting("sets");
        bar.begin("measuring", sets);
        let said = AtomicU64::new(0);
        let progress = |done: u64| {
            if done.is_multiple_of(EVERY) && said.fetch_max(done, Ordering::Relaxed) < done {
                let rate = done as f64 / started.elapsed().as_secs_f64();
                bar.say(format!("measuring, {rate:.0} sets a second"));
                bar.set_done(done);
            }
        };
        let run = folder::Run {
            spec: &spec,
            folder: &folder,
            until: self.max_time.map(|time| started + time),
            threads,
            progress: &progress,
        };
        let ran = run.compute(&chunks);
        bar.finish();
        let sets = ran?;
        let seconds = started.elapsed().as_secs_f64();
        if sets > 0 {
            let rate = sets as f64 / seconds;
            terminal::note(&format!("measured {sets} sets in {seconds:.1} s, {rate:.0} a second"));
        }
        if talk() != Talk::Quiet {
            let (all, folder_name) = (spec.chunks(), self.out.display());
            let missing = folder.missing(&spec, (0, 1))?;
            let mut out = std::io::stdout().lock();
            if missing.is_empty() {
                writeln!(out, "All {all} chunks are in {folder_name}.")?;
            } else {
                let (there, (own, of)) = (all - missing.len() as u64, self.shard);
                let left = missing.iter().filter(|&chunk| chunk % of == own).count();
                let of_share = if of > 1 { format!(", {left} of them in this share") } else { String::new() };
                writeln!(
                    out,
                    "{there} of {all} chunks are in {folder_name}; {} are missing{of_share}.",
                    missing.len()
                )?;
            }
            out.flush()?;
        }
        Ok(Outcome::Done)
    }
}

impl Show {
    pub fn run(self) -> Result<Outcome, Failure> {
        let spec = read(&self.spec)?;
        let pair = spec.pair_of(&self.paired)?;
        let (point, index) = self.set;
        let text = spec.yaml(point, index, pair)?;
        deliver(self.output.as_deref(), |out| out.write_all(&text))?;
        Ok(Outcome::Done)
    }
}
