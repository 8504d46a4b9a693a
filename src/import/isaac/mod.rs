//! ISAAC's index of candidate instructions, with its further files: the HLS schedules, the benefits per program, the
//! specialisations.
//!
//! ```yaml
//! candidates:
//! - metrics: {runtime_reduction_rel: 0.12, hls_area: 840.5, enc_weight: 0.0009765625}
//!   properties: {InstrName: CUSTOM0, '#Instrs': 3.0}
//! ```
//!
//! A program is a task, and a candidate one of its parts, or a choice of one: candidates of which a program can use only
//! one are choices of the same part where all of them exclude each other, and else have blocks that do. Hardware that several programs
//! or instructions use is a block; the solutions of such a sharing group have a slot. The name of a choice ends in that of its
//! solution, `SG_2_SOL_IDX_1`, if there are schedules.

mod index;
mod set;
mod tables;

use std::sync::Arc;

use crate::draft::Draft;
use crate::figures::error;
use crate::{Format, Head, Need, Options, Refusal};
use isx_reports::decode;
use isx_taskset::document::parse;
use isx_taskset::{Source, shortened};

pub use tables::solution_numbers;

pub(super) const FORMAT: Format = Format {
    name: "isaac",
    ending: "yml",
    recognises: |head: &Head<'_>| head.text.starts_with("candidates:") || head.text.contains("\ncandidates:"),
    takes: &[Need::Clock, Need::Candidates],
    read,
};

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let document = parse(source)?;
    let root = document.ok_or_else(|| error(source, 0..0, "the file holds only comments"))?;
    let mut draft = Draft::new(source, "ISAAC index");
    draft.clock.clone_from(&options.clock);
    let candidates = index::candidates(source, &root)?;
    let solutions = match &options.schedules {
        Some((name, bytes)) => tables::scheduled(&decode(name, bytes)?, &candidates, &mut draft)?,
        None => tables::unscheduled(&candidates, &mut draft),
    };
    let programs = match &options.benefits {
        Some((name, bytes)) => tables::measured(&decode(name, bytes)?, &candidates, &mut draft)?,
        None if options.clock.is_some() => {
            let refused =
                error(source, root.bytes.clone(), "the benefits of an index are shares, not cycles");
            let help = "give the report with the counted instructions as --benefits, or leave the clock out";
            return Err(refused.label("no program's instructions are counted here").help(help).into());
        }
        None => vec![tables::of_index(source, &root, &candidates, &mut draft)?],
    };
    let is_known = |name: &str| programs.iter().any(|program| program.name == name);
    if let Some((unknown, _)) = options.periods.iter().find(|(name, _)| !is_known(name)) {
        let names: Vec<String> =
            programs.iter().map(|program| format!("`{}`", shortened(&program.name))).collect();
        let refused = error(
            source,
            0..0,
            format!("a period is given for program `{}`, which is unknown", shortened(unknown)),
        );
        return Err(refused.help(format!("the programs are {}", names.join(", "))).into());
    }
    let mut pairs = index::overlaps(&candidates, &mut draft);
    if let Some((name, bytes)) = &options.specializations {
        pairs.extend(index::specialisations(&decode(name, bytes)?, candidates.len())?);
    }
    set::Set { candidates, solutions, programs, pairs }.draft(source, options, &mut draft)?;
    Ok(draft)
}
