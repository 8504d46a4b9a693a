//! `isx explore` on several task sets: a folder of results each, and a table of all.

use super::explore::Explore;
use super::front_folder::{Results, TableFile};
use super::sets::Sets;
use crate::failure::{Failure, Outcome, Ways};
use crate::files::several::{Ended, Share};
use crate::files::{origin, read_silently};
use isx_design::exploration::Exploration;
use isx_design::schedulability::{Effort, Smallest};
use isx_engine::{Hardware, NoProgress};
use isx_explore::{Options, explore_within};
use isx_pages::overview::Facts;
use isx_report::front::Front;
use isx_report::{json, lines, visible};
use std::path::{Path, PathBuf};

impl Explore {
    /// Explores files and folders of files.
    pub(super) fn explore_sets(&self, paths: &[PathBuf]) -> Result<Outcome, Failure> {
        self.refuse_beside_margin()?;
        self.refuse_what_is_for_one()?;
        let sets = Sets::new(paths, self.json, Ways::EXPLORE)?;
        let table = match self.is_writing() {
            false => None,
            true => {
                sets.refuse_equal_names()?;
                Some(TableFile::prepare(paths, &sets.files, &self.folder())?)
            }
        };
        // Created once: querying the number of cores takes as long as solving many a small set.
        let options = Options {
            proof: self.is_proved(),
            ..self.computation.exploring(self.max_area.clone(), &NoProgress)
        };
        sets.run(
            "exploring",
            (&options.machine, self.computation.hardware() == Some(Hardware::Gpu)),
            table.is_some(),
            &|&at, share, line| {
                let mut effort = share.effort();
                let options = Options { machine: share.machine.clone(), ..options.clone() };
                let is_unsettled = self.explore_among(&sets, at, &options, &mut effort, share, line)?;
                Ok(Ended { outcome: Outcome::Done, steps: effort.spent(), is_unsettled })
            },
            |rows| {
                let Some(table) = &table else { return Ok(None) };
                table.write(rows.iter())?;
                Ok(Some(written(table, rows.iter().filter(|row| row.facts.is_ok()).count())))
            },
        )
    }

    /// Explores one of several sets; returns whether more steps might settle what is not.
    fn explore_among(
        &self,
        sets: &Sets,
        at: usize,
        options: &Options,
        effort: &mut Effort,
        share: &Share<'_>,
        line: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        let file = sets.files[at].as_path();
        let (reading, input) = read_silently(file)?;
        sets.keep_warnings(at, &reading);
        let named = origin::named(file, &input);
        let warnings = reading.warnings;
        let task_set = self.changes.apply(reading.task_set)?;
        self.refuse_beside_resources(&task_set)?;
        let results = match self.is_writing() {
            true => Some(Results::prepare(file, input, self.folder().of_one(file), self.formats())?),
            false => None,
        };
        let mut front = explore_within(&task_set, options, effort)?;
        let is_unsettled = is_unsettled(&front);
        if is_unsettled && share.is_first {
            return Ok(true);
        }
        if self.is_proved() {
            self.prove(&mut front, options.machine.max_memory())?;
        }
        let workers = options.machine.workers();
        let document = Front::of(&front);
        if let Some(results) = results {
            results.write(&document, &self.origin(&front, named, warnings), workers)?;
        }
        sets.answer(at, Facts::of_front(&document), line, &|file, facts, line| {
            let verdict = [("verdict", facts.verdict().into())];
            lines::write(file, &verdict, line, &mut |line| json::write(&document, workers, line))
        })?;
        Ok(is_unsettled)
    }

    /// Refuses flags that name a file which the sets would replace for each other.
    fn refuse_what_is_for_one(&self) -> Result<(), Failure> {
        let given = [
            ("--certificate", self.certificate.is_some()),
            ("--opb", self.opb.is_some()),
            ("--all", self.all),
        ];
        if let Some((flag, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            bail!("{flag} is for one task set: name its file alone, not several files or a folder");
        }
        Ok(())
    }
}

/// What was written: the table and the folders of so many fronts.
fn written(table: &TableFile, fronts: usize) -> String {
    let (file, folder) = (table.path.file_name(), table.path.parent());
    let [file, folder] = [file.map(Path::new), folder].map(|path| path.unwrap_or(Path::new("")).display());
    let folders = match fronts {
        0 => String::new(),
        1 => " and 1 folder of results".into(),
        more => format!(" and {more} folders of results"),
    };
    format!("Wrote {file}{folders} to {}", visible(&folder.to_string()))
}

fn is_unsettled(front: &Exploration) -> bool {
    let verdicts = &front.verdicts;
    verdicts.points.contains(&None)
        || matches!(verdicts.smallest, Smallest::Unknown(_))
        || front.margins.iter().any(|margin| matches!(margin.smallest, Smallest::Unknown(_)))
}
