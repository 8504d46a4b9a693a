//! `isx sweep status` and `isx sweep merge`: what the folders of a sweep hold.

use super::{Merge, Status};
use crate::failure::{Failure, Outcome};
use crate::terminal::note;
use crate::terminal::progress::Bar;
use isx_engine::Progress;
use isx_sweep::folder::{Folder, in_ranges, missing};
use isx_sweep::merge::merge;
use serde_json::json;
use std::io::Write;

/// JSON lists no more missing chunks than this.
const MOST_LISTED: usize = 1_000_000;

impl Status {
    pub fn run(self) -> Result<Outcome, Failure> {
        let (folder, spec) = Folder::open(&self.folder)?;
        let missing = missing(&folder, &spec, (0, 1))?;
        let sets_of = |chunk: &u64| {
            let sets = spec.sets_of(*chunk).1;
            sets.end - sets.start
        };
        let (chunks, left) = (spec.chunks(), missing.len() as u64);
        let (sets, sets_left) =
            (spec.points() * spec.sets_per_point, missing.iter().map(sets_of).sum::<u64>());
        let mut out = std::io::stdout().lock();
        if self.json {
            let listed = &missing[..missing.len().min(MOST_LISTED)];
            let status = json!({
                "schema": "isx.sweep-status/1",
                "sha256": spec.sha256(),
                "chunks": chunks,
                "done": chunks - left,
                "sets": sets,
                "sets_done": sets - sets_left,
                "missing": listed,
            });
            writeln!(out, "{status:#}")?;
        } else {
            writeln!(out, "chunks   {} of {chunks} done", chunks - left)?;
            writeln!(out, "sets     {} of {sets} done", sets - sets_left)?;
            if left > 0 {
                writeln!(out, "missing  {}", in_ranges(&missing))?;
            }
        }
        out.flush()?;
        Ok(Outcome::Done)
    }
}

impl Merge {
    pub fn run(self) -> Result<Outcome, Failure> {
        let bar = Bar::counting("chunks");
        let progress = |done: u64, all: u64| {
            if done == 1 {
                bar.begin("merging", all);
            }
            bar.set_done(done);
        };
        let merged = merge(&self.folders, &self.output, &progress);
        bar.finish();
        note(&format!("wrote {} records to {}", merged?, self.output.display()));
        Ok(Outcome::Done)
    }
}
