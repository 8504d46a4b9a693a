//! Writes a draft as the YAML of a task set.
//!
//! The header says where the set comes from, what was imported and what was left out; every task names the source of
//! its figures. What is read of the text is compared with the draft before it leaves, see [`read_again`](super::read_again).

use std::ops::Range;
use std::sync::Arc;

use super::draft::Draft;
use super::figures::{Found, error};
use super::printed::Part;
use isx_exact::quantity::MAX_DIGITS;
use isx_taskset::written::Written;
use isx_taskset::{SCHEMA_LINES, Scheduler, Source, printable, shortened};
use isx_text::scalar;

/// The text of the whole file, and what the keys of the set must be read as; those of its parts stay in the draft.
pub(super) fn yaml(draft: &mut Draft, source: &Arc<Source>) -> Found<(Written, Part)> {
    let head = head(draft, source);
    let mut set = Part::named(&draft.name);
    let refuse_long = |part: &Part, place: &Range<usize>, what: &str| {
        if !part.written.has_long_figure {
            return Ok(());
        }
        let message = format!("{what} has more than {MAX_DIGITS} digits, as it was computed");
        Err(error(source, place.clone(), message).label("the most that a task set can say"))
    };
    if let Some(hertz) = &draft.clock {
        set.rate("clock", hertz);
        refuse_long(&set, &(0..0), "the clock")?;
    }
    if !draft.resources.is_empty() {
        set.list("resources", &draft.resources);
    }
    if !draft.area_unit.is_empty() {
        set.words("area_unit", &draft.area_unit);
    }
    set.words("source", &format!("imported from {}, {}", source.file_name(), draft.tool));
    if draft.scheduler != Scheduler::Edf {
        set.words("scheduler", draft.scheduler.name());
    }
    if let Some(switch) = &draft.switch {
        set.time("switch", switch);
        refuse_long(&set, &(0..0), "a context switch")?;
    }
    set.written.append(std::mem::take(&mut draft.more));
    let figure_of = |kind: &str, name: &str| format!("a figure of {kind} `{}`", shortened(name));
    for block in &draft.blocks {
        refuse_long(&block.part, &(0..0), &figure_of("block", &block.name))?;
    }
    let taken = |part: &mut Part| std::mem::take(&mut part.written);
    set.written.list("blocks", draft.blocks.iter_mut().map(|block| taken(&mut block.part)).collect());
    for task in &mut draft.tasks {
        task.part.written.put("source", scalar(&printable(&task.source)));
        let choices = task.choices.iter_mut().map(|(_, choice)| taken(choice)).collect();
        task.part.written.list("choices", choices);
        let parts = task.parts.iter_mut().map(|(name, choices)| {
            let mut part = Part::named(name).written;
            part.list("choices", choices.iter_mut().map(taken).collect());
            part
        });
        task.part.written.list("parts", parts.collect());
        task.part.written.list("instructions", task.instructions.iter_mut().map(taken).collect());
        refuse_long(&task.part, &task.place, &figure_of("task", &task.name))?;
    }
    set.written.list("tasks", draft.tasks.iter_mut().map(|task| taken(&mut task.part)).collect());
    Ok((set.written.below(head), set))
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
