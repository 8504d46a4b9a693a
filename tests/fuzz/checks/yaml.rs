//! A task set as YAML that the reader must parse as the same set.

use isx::quantity::Rational;
use isx::taskset::{Lock, Nonpreemptive, Scheduler, TaskSet, TimeBase};
use num_traits::Zero;
use std::fmt::Write as _;

/// The most digits of a number that the reader accepts.
const DIGITS: usize = 40;

/// The text; `None` if a computed number has more digits than may be written, or the set has several resources, variants,
/// modes or cores.
pub fn written(set: &TaskSet) -> Option<String> {
    let several = !set.is_one_area() || !set.variants.is_empty() || !set.modes.is_empty();
    if several || set.cores.is_some() {
        return None;
    }
    let mut text = format!("{{name: {}", quoted(&set.name));
    let seconds = if set.time_base == TimeBase::Seconds { " s" } else { "" };
    write_source(&mut text, set.source.as_deref())?;
    if let Some(description) = &set.description {
        write!(text, ", description: {}", quoted(description)).ok()?;
    }
    if let TimeBase::Cycles { hertz } = &set.time_base {
        write!(text, ", clock: \"{} Hz\"", fraction(hertz)?).ok()?;
    }
    if !set.area_unit().is_empty() {
        write!(text, ", area_unit: {}", quoted(set.area_unit())).ok()?;
    }
    let scheduler = match set.scheduler {
        Scheduler::Edf => "edf",
        Scheduler::RateMonotonic => "rm",
        Scheduler::DeadlineMonotonic => "dm",
        Scheduler::FixedPriority => "fixed",
    };
    write!(text, ", scheduler: {scheduler}, blocks: [").ok()?;
    let time = |time: &Rational| Some(format!("\"{}{seconds}\"", fraction(time)?));
    let locks = |text: &mut String, locks: Option<&Vec<Lock>>| {
        let Some(locks) = locks else { return Some(()) };
        text.push_str(", locks: {");
        for lock in locks {
            write!(text, "{}: {}, ", quoted(&lock.name), time(&lock.time)?).ok()?;
        }
        text.push('}');
        Some(())
    };
    let extra = |text: &mut String, key: &str, value: &Rational| {
        if value.is_zero() { Some(()) } else { write!(text, ", {key}: {}", time(value)?).ok() }
    };
    for block in &set.blocks {
        write!(text, "{{name: {}, area: {}", quoted(&block.name), decimal(&block.cost[0])?).ok()?;
        if let Some(slot) = &block.slot {
            write!(text, ", slot: {}", quoted(slot)).ok()?;
        }
        if let Some(fmax) = &block.fmax {
            write!(text, ", fmax: \"{} Hz\"", fraction(fmax)?).ok()?;
        }
        extra(&mut text, "switch", &block.switch)?;
        write_source(&mut text, block.source.as_deref())?;
        text.push_str("}, ");
    }
    text.push(']');
    extra(&mut text, "switch", &set.switch)?;
    text.push_str(", tasks: [");
    for task in &set.tasks {
        let (wcet, period, deadline) = (time(&task.wcets[0])?, time(task.period())?, time(task.deadline())?);
        write!(text, "{{name: {}, wcet: {wcet}, period: {period}", quoted(&task.name)).ok()?;
        write!(text, ", deadline: {deadline}").ok()?;
        extra(&mut text, "jitter", &task.kernel.jitter)?;
        extra(&mut text, "blocking", &task.kernel.blocking)?;
        match &task.kernel.nonpreemptive {
            Nonpreemptive::Part(part) => extra(&mut text, "nonpreemptive", part)?,
            Nonpreemptive::All => text.push_str(", nonpreemptive: all"),
        }
        locks(&mut text, Some(&task.kernel.locks).filter(|locks| !locks.is_empty()))?;
        if let Some(high) = &task.wcet_high {
            write!(text, ", wcet_high: {}", time(high)?).ok()?;
        }
        text.push_str(", choices: [");
        for choice in &task.choices {
            let (area, wcet) = (decimal(&choice.cost[0])?, time(&choice.wcets[0])?);
            write!(text, "{{name: {}, area: {area}, wcet: {wcet}, uses: [", quoted(&choice.name)).ok()?;
            for &block in &choice.uses {
                write!(text, "{}, ", quoted(&set.blocks[block as usize].name)).ok()?;
            }
            text.push(']');
            if let Some(high) = &choice.wcet_high {
                write!(text, ", wcet_high: {}", time(high)?).ok()?;
            }
            locks(&mut text, choice.locks.as_ref())?;
            write_source(&mut text, choice.source.as_deref())?;
            text.push_str("}, ");
        }
        text.push(']');
        if let Some(priority) = task.priority {
            write!(text, ", priority: {priority}").ok()?;
        }
        text.push_str("}, ");
    }
    text.push_str("]}\n");
    Some(text)
}

fn write_source(text: &mut String, source: Option<&str>) -> Option<()> {
    source.map_or(Some(()), |source| write!(text, ", source: {}", quoted(source)).ok())
}

/// A double-quoted scalar in which everything except plain letters and digits is escaped.
fn quoted(name: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            quoted.push(letter);
        } else {
            let _ = write!(quoted, "\\U{:08x}", u32::from(letter));
        }
    }
    quoted + "\""
}

fn fraction(number: &Rational) -> Option<String> {
    let (above, below) = (number.numer().to_string(), number.denom().to_string());
    (above.len().max(below.len()) <= DIGITS).then(|| format!("{above}/{below}"))
}

/// The digits with an exponent; every area was read as such.
fn decimal(number: &Rational) -> Option<String> {
    let ten = Rational::from_integer(10.into());
    let (mut digits, mut exponent) = (number.clone(), 0);
    while !digits.is_integer() {
        digits *= &ten;
        exponent -= 1;
    }
    while exponent < 18 && !digits.is_zero() && (&digits / &ten).is_integer() {
        digits /= &ten;
        exponent += 1;
    }
    let digits = digits.to_integer().to_string();
    (digits.len() <= DIGITS && exponent >= -18).then(|| format!("{digits}e{exponent}"))
}
