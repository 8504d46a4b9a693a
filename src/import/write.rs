//! Writes a draft as the YAML of a task set.
//!
//! The header says where the set comes from, what was imported and what was left out; every task names the source of
//! its figures. A figure whose text does not read as it, and YAML that [`read_str`] rejects, are never written.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::Zero;

use super::Refusal;
use super::draft::{Draft, DraftTask};
use super::figures::{Found, Time, error};
use isx_exact::quantity::{
    MAX_DIGITS, Rational, TimeUnit, format_decimal, parse_fraction, parse_signed_decimal, rate_in_unit,
};
use isx_taskset::written::{Mapping, Written, in_line};
use isx_taskset::{
    Diagnostic, ReadError, Reading, SCHEMA_LINES, Scheduler, Source, printable, read_str, shortened,
};
pub(super) use isx_text::scalar;

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
        let (name, place) = (task.name.clone(), task.place.clone());
        let task = written(task);
        if task.has_long_figure {
            return Err(error(source, place, long("task", &name)).label(due));
        }
        tasks.push(task);
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
    if draft.tasks.iter().all(|task| task.choices.is_empty()) {
        comment("No choices yet: without them the front has one point, all in software.");
    }
    text
}

fn written(task: DraftTask) -> Mapping {
    let mut mapping = Mapping::named(&task.name);
    mapping.figure("wcet", time(&task.wcet));
    mapping.figure("period", time(&task.period));
    task.deadline.iter().for_each(|deadline| mapping.figure("deadline", time(deadline)));
    task.priority.iter().for_each(|priority| mapping.put("priority", priority));
    task.jitter.iter().for_each(|jitter| mapping.figure("jitter", time(jitter)));
    if task.runs_through {
        mapping.put("nonpreemptive", "all");
    }
    mapping.append(task.more);
    mapping.put("source", scalar(&printable(&task.source)));
    mapping.list("choices", task.choices.into_iter().map(|(_, choice)| choice).collect());
    mapping
}

/// Adds `area: 41`, or `cost: {LUT: 41, DSP: 4}`.
pub(super) fn put_price(mapping: &mut Mapping, cost: &[(String, Rational)], is_area: bool) {
    if is_area {
        let area = cost.first().map_or_else(Rational::zero, |(_, area)| area.clone());
        return mapping.figure("area", decimal(&area));
    }
    let amount =
        |(name, amount): &(String, Rational)| Some(format!("{}: {}", scalar(name), decimal(amount)?));
    let amounts: Option<Vec<String>> = cost.iter().map(amount).collect();
    mapping.figure("cost", amounts.map(|amounts| format!("{{{}}}", amounts.join(", "))));
}

/// A value as a user wrote it, on one line: a mapping or a list is left to the reader of YAML, another text is quoted where
/// YAML would take it for something else.
pub(super) fn as_written(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | '%' | '-' | '_');
    if text.starts_with(['{', '['])
        || text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_plain)
    {
        return text.to_owned();
    }
    scalar(text)
}

/// The number as a decimal; `None` if it has no finite decimal, or a too long one.
fn decimal(value: &Rational) -> Option<String> {
    Some(format_decimal(value)).filter(|text| parse_signed_decimal(text).as_ref() == Ok(value))
}

/// The number as a decimal, or as a fraction if that is impossible or too long; `None` if both are.
pub(super) fn number(value: &Rational) -> Option<String> {
    let fraction = || format!("{}/{}", value.numer(), value.denom());
    decimal(value).or_else(|| Some(fraction()).filter(|text| parse_fraction(text).as_ref() == Ok(value)))
}

fn power_of_ten(exponent: u32) -> Rational {
    Rational::from(BigInt::from(10).pow(exponent))
}

/// A time in the largest unit in which it is a whole number.
pub(super) fn time(time: &Time) -> Option<String> {
    if time.unit == TimeUnit::None {
        return number(&time.value);
    }
    let units = [("s", 0), ("ms", 3), ("us", 6), ("ns", 9), ("ps", 12)];
    let in_unit = |&(unit, exponent): &(&'static str, u32)| (unit, &time.value * power_of_ten(exponent));
    let (unit, value) =
        units.iter().map(in_unit).find(|(_, value)| value.is_integer()).unwrap_or_else(|| in_unit(&units[1]));
    Some(format!("{} {unit}", number(&value)?))
}

/// A clock rate in the largest unit in which it is at least 1, exactly.
pub(super) fn rate(hertz: &Rational) -> Option<String> {
    let (value, unit) = rate_in_unit(hertz);
    Some(format!("{} {unit}", number(&value)?))
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
