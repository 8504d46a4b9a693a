//! Writes a draft as the YAML of a task set.
//!
//! The header says where the set comes from, what was imported and what was left out; every task names the source of
//! its figures. YAML that [`read_str`] rejects is never written.

use std::sync::Arc;

use super::Refusal;
use super::draft::{Draft, DraftTask};
use super::figures::{Found, error};
use super::printed::{rate, scalar, time};
use isx_exact::quantity::MAX_DIGITS;
use isx_taskset::written::{Mapping, Written, in_line};
use isx_taskset::{
    Diagnostic, ReadError, Reading, SCHEMA_LINES, Scheduler, Source, printable, read_str, shortened,
};

/// The text of the whole file.
pub(super) fn yaml(draft: &mut Draft, source: &Arc<Source>) -> Found<Written> {
    let head = head(draft, source);
    let mut set = Mapping::named(&draft.name);
    let due = "the most that a task set can say";
    if let Some(hertz) = &draft.clock {
        let long = error(source, 0..0, "the clock has more digits than a task set can say");
        set.put("clock", rate(hertz).ok_or(long)?);
    }
    if !draft.resources.is_empty() {
        set.put("resources", in_line(&draft.resources));
    }
    if !draft.area_unit.is_empty() {
        set.put("area_unit", scalar(&draft.area_unit));
    }
    set.put("source", scalar(&format!("imported from {}, {}", source.file_name(), draft.tool)));
    if draft.scheduler != Scheduler::Edf {
        set.put("scheduler", draft.scheduler.name());
    }
    if let Some(switch) = &draft.switch {
        let long = error(source, 0..0, "a context switch has more digits than a task set can say");
        set.put("switch", time(switch).ok_or(long)?);
    }
    set.append(std::mem::take(&mut draft.more));
    let long = |kind: &str, name: &str| {
        format!(
            "a figure of {kind} `{}` has more than {MAX_DIGITS} digits, as it was computed",
            shortened(name)
        )
    };
    if let Some(block) = draft.blocks.iter().find(|block| block.written.has_long_figure) {
        return Err(error(source, 0..0, long("block", &block.name)).label(due));
    }
    set.list("blocks", draft.blocks.drain(..).map(|block| block.written).collect());
    let mut tasks = Vec::with_capacity(draft.tasks.len());
    for task in draft.tasks.drain(..) {
        let DraftTask { name, place, mut written, choices, parts, instructions, .. } = task;
        written.put("source", scalar(&printable(&task.source)));
        written.list("choices", choices.into_iter().map(|(_, choice)| choice).collect());
        let part = |(name, choices): (String, Vec<Mapping>)| {
            let mut part = Mapping::named(&name);
            part.list("choices", choices);
            part
        };
        written.list("parts", parts.into_iter().map(part).collect());
        written.list("instructions", instructions);
        if written.has_long_figure {
            return Err(error(source, place, long("task", &name)).label(due));
        }
        tasks.push(written);
    }
    set.list("tasks", tasks);
    Ok(set.below(head))
}

/// The comment in the header of the file.
fn head(draft: &Draft, source: &Source) -> String {
    let mut text = String::from(SCHEMA_LINES);
    let mut comment = |line: &str| {
        text.push_str(&format!("# {}\n", printable(line)));
    };
    comment(&format!(
        "Imported by isx {} from {}, {}.",
        env!("CARGO_PKG_VERSION"),
        source.file_name(),
        draft.tool
    ));
    draft.taken.iter().for_each(|taken| comment(taken));
    let left_out = draft.left_out.sentences();
    if !left_out.is_empty() {
        comment("Left out, since a task set of isx has no place for it:");
        left_out.iter().for_each(|sentence| comment(&format!("- {sentence}")));
    }
    if draft.tasks.iter().all(|task| task.has_no_choices()) {
        comment("No choices yet: without them the front has one point, all in software.");
    }
    text
}

/// Reads the YAML back: what is wrong with values that were handed on is shown where they stand in the file.
pub(super) fn read_again(yaml: &Written, source: &Arc<Source>) -> Result<Reading, Refusal> {
    let moved = |found: Diagnostic| {
        let handed_on = yaml.handed_on.iter().find(|(written, _)| written.contains(&found.start()));
        match handed_on {
            Some((_, place)) => found.moved(source, place.clone()),
            None => found,
        }
    };
    read_str("the imported task set", &yaml.text).map_err(|error| match error {
        ReadError::Invalid { diagnostics, omitted } => {
            Refusal::all(diagnostics.into_iter().map(moved).collect(), omitted)
        }
        error => Refusal { error, need: None },
    })
}
