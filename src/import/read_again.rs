//! Reads the text of an imported set back, and compares what is read with the draft.

use super::draft::Draft;
use super::figures::{Time, error};
use super::printed::{Drafted, Part};
use super::refusal::Refusal;
use isx_exact::quantity::{Rational, TimeUnit};
use isx_taskset::written::Written;
use isx_taskset::{
    Block, Choice, Diagnostic, Nonpreemptive, ReadError, Reading, Source, Task, TaskSet, TimeBase, read_str,
    shortened,
};
use num_traits::Zero;
use std::ops::Range;
use std::sync::Arc;

/// The set as it is read: what is wrong with values that were handed on is shown where they stand in the file.
pub(super) fn read_again(
    yaml: &Written,
    set: &Part,
    draft: &Draft,
    source: &Arc<Source>,
) -> Result<Reading, Refusal> {
    let moved = |found: Diagnostic| {
        let handed_on = yaml.handed_on.iter().find(|(written, _)| written.contains(&found.start()));
        match handed_on {
            Some((_, place)) => found.moved(source, place.clone()),
            None => found,
        }
    };
    let reading = read_str("the imported task set", &yaml.text).map_err(|error| match error {
        ReadError::Invalid { diagnostics, omitted } => {
            Refusal::all(diagnostics.into_iter().map(moved).collect(), omitted)
        }
        error => error.into(),
    })?;
    let Some((what, place)) = difference(set, draft, &reading.task_set) else { return Ok(reading) };
    let message = format!("self-check failed: {what} is not read as it was drafted");
    let refused = error(source, place, message).help("this is a fault of isx: nothing was written");
    Err(Refusal { is_fault: true, ..refused.into() })
}

/// The first that is not as it was drafted, with its place in the file.
fn difference(drafted: &Part, draft: &Draft, set: &TaskSet) -> Option<(String, Range<usize>)> {
    let hertz = draft.clock.as_ref();
    if let Some(key) = drafted.other(hertz, |key| of_set(set, key)) {
        return Some((format!("`{key}`"), 0..0));
    }
    let tasks: Vec<usize> = (0..set.tasks.len()).filter(|&row| !set.tasks[row].is_part()).collect();
    if (set.blocks.len(), tasks.len()) != (draft.blocks.len(), draft.tasks.len()) {
        return Some(("the number of blocks or tasks".to_owned(), 0..0));
    }
    for (block, drafted) in set.blocks.iter().zip(&draft.blocks) {
        if let Some(key) = drafted.part.other(hertz, |key| of_block(set, block, key)) {
            return Some((format!("`{key}` of block `{}`", shortened(&drafted.name)), 0..0));
        }
    }
    for (rows, drafted) in tasks.iter().map(|&row| set.rows_of(row)).zip(&draft.tasks) {
        let task = &rows[0];
        let owner = format!("task `{}`", shortened(&drafted.name));
        let found = |what: String| Some((what, drafted.place.clone()));
        if let Some(key) = drafted.part.other(hertz, |key| of_task(rows, key)) {
            return found(format!("`{key}` of {owner}"));
        }
        if task.choices.len() != drafted.choices.len() {
            return found(format!("the number of choices of {owner}"));
        }
        for (choice, (name, drafted)) in task.choices.iter().zip(&drafted.choices) {
            if let Some(key) = drafted.other(hertz, |key| of_choice(set, task, choice, key)) {
                return found(format!("`{key}` of choice `{}` of {owner}", shortened(name)));
            }
        }
        let parts = drafted.parts.iter().map(|(_, choices)| choices.as_slice());
        let parts = parts.chain(drafted.instructions.iter().map(std::slice::from_ref));
        if !rows[1..].iter().map(|row| row.choices.len()).eq(parts.clone().map(<[Part]>::len)) {
            return found(format!("the number of parts or of their choices of {owner}"));
        }
        for (row, choices) in rows[1..].iter().zip(parts) {
            for (choice, drafted) in row.choices.iter().zip(choices) {
                if let Some(key) = drafted.other(hertz, |key| of_choice(set, row, choice, key)) {
                    return found(format!(
                        "`{key}` of choice `{}` of `{}`",
                        shortened(&choice.name),
                        shortened(&row.name)
                    ));
                }
            }
        }
    }
    None
}

impl Part {
    /// The first key that is not read as it was drafted.
    fn other(
        &self,
        hertz: Option<&Rational>,
        read: impl Fn(&str) -> Option<Drafted>,
    ) -> Option<&'static str> {
        let is_other = |(key, drafted): &&(&'static str, Drafted)| {
            let drafted = match (drafted, hertz) {
                (Drafted::Time(Time { value, unit: TimeUnit::Seconds }), Some(hertz)) => {
                    Drafted::Figure(value * hertz)
                }
                (Drafted::Time(time), _) => Drafted::Figure(time.value.clone()),
                (drafted, _) => drafted.clone(),
            };
            read(key).as_ref() != Some(&drafted)
        };
        self.drafted.iter().find(is_other).map(|(key, _)| *key)
    }
}

fn words(words: &str) -> Drafted {
    Drafted::Words(vec![words.to_owned()])
}

fn of_set(set: &TaskSet, key: &str) -> Option<Drafted> {
    Some(match (key, &set.time_base) {
        ("name", _) => words(&set.name),
        ("clock", TimeBase::Cycles { hertz }) => Drafted::Figure(hertz.clone()),
        ("resources", _) => Drafted::Words(set.resources.names.clone()),
        ("area_unit", _) => words(set.area_unit()),
        ("source", _) => words(set.source.as_deref()?),
        ("scheduler", _) => words(set.scheduler.name()),
        ("switch", _) => Drafted::Figure(set.switch.clone()),
        _ => return None,
    })
}

fn of_block(set: &TaskSet, block: &Block, key: &str) -> Option<Drafted> {
    Some(match key {
        "name" => words(&block.name),
        "area" => Drafted::Figure(block.cost.first()?.clone()),
        "cost" => cost(set, &block.cost),
        "slot" => words(block.slot.as_deref()?),
        "excludes" => Drafted::Words(names(set, &block.excludes)?),
        "fmax" => Drafted::Figure(block.fmax.clone()?),
        "source" => words(block.source.as_deref()?),
        _ => return None,
    })
}

/// A task is as long as all its parts.
fn of_task(rows: &[Task], key: &str) -> Option<Drafted> {
    let task = &rows[0];
    Some(match (key, &task.kernel.nonpreemptive) {
        ("name", _) => words(&task.name),
        ("wcet", _) => Drafted::Figure(rows.iter().map(|row| row.wcet_in(0)).sum()),
        ("period", _) => Drafted::Figure(task.period().clone()),
        ("deadline", _) => Drafted::Figure(task.deadline().clone()),
        ("priority", _) => Drafted::Figure(Rational::from_integer(task.priority?.into())),
        ("jitter", _) => Drafted::Figure(task.kernel.jitter.clone()),
        ("blocking", _) => Drafted::Figure(task.kernel.blocking.clone()),
        ("nonpreemptive", Nonpreemptive::All) => words("all"),
        ("nonpreemptive", Nonpreemptive::Part(longest)) => Drafted::Figure(longest.clone()),
        ("wcet_high", _) => Drafted::Figure(task.wcet_high.clone()?),
        _ => return None,
    })
}

fn of_choice(set: &TaskSet, task: &Task, choice: &Choice, key: &str) -> Option<Drafted> {
    let wcet = choice.wcets.first()?;
    Some(match key {
        "name" => words(&choice.name),
        "uses" => Drafted::Words(names(set, &choice.uses)?),
        "area" => Drafted::Figure(choice.cost.first()?.clone()),
        "cost" => cost(set, &choice.cost),
        "wcet" => Drafted::Figure(wcet.clone()),
        "saves" => Drafted::Figure(task.wcets.first()? - wcet),
        "source" => words(choice.source.as_deref()?),
        _ => return None,
    })
}

fn names(set: &TaskSet, blocks: &[u32]) -> Option<Vec<String>> {
    blocks.iter().map(|&block| Some(set.blocks.get(block as usize)?.name.clone())).collect()
}

/// The amounts of a cost that are not 0.
fn cost(set: &TaskSet, amounts: &[Rational]) -> Drafted {
    let named = set.resources.names.iter().cloned().zip(amounts.iter().cloned());
    Drafted::Cost(named.filter(|(_, amount)| !amount.is_zero()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Options;
    use crate::{blocks, choices, csv, decode, write};
    use isx_exact::quantity::parse_rate;

    const TASKS: &str =
        "name,period_ms,wcet,deadline_ms,priority,jitter_us\nfir,1,30000,0.5,1,3\nlog,10,70000,,2,0\n";
    const BLOCKS: &str = "block,cost.LUT,cost.DSP,slot,fmax_MHz\nmul,-30,4,arith,90\nbuffer,95.5,,,\n";
    const CHOICES: &str =
        "task,choice,cost.DSP,cost.LUT,uses,saves\nfir,mac,,,mul buffer,1e3\nfir,wide,1,2,mul,20000\n";

    /// What is said of the text of a set, after this change of it.
    fn said(from: &str, to: &str) -> Option<String> {
        let clock = parse_rate("80 MHz").ok();
        let options = Options { clock, ..Options::default() };
        let source = decode("plant.csv", TASKS.as_bytes()).unwrap();
        let mut draft = (csv::FORMAT.read)(&source, &options).unwrap();
        blocks::add(&mut draft, &decode("blocks.csv", BLOCKS.as_bytes()).unwrap(), &options).unwrap();
        choices::add(&mut draft, &decode("choices.csv", CHOICES.as_bytes()).unwrap(), &options).unwrap();
        let (mut yaml, set) = write::yaml(&mut draft, &source).unwrap();
        assert!(yaml.text.contains(from), "{from:?} is not in\n{}", yaml.text);
        yaml.text = yaml.text.replace(from, to);
        let refused = read_again(&yaml, &set, &draft, &source).err()?;
        assert!(refused.is_fault, "{refused}");
        let said = refused.to_string();
        let said = said.strip_prefix("error: self-check failed: ").unwrap();
        Some(said.split_once(" is not read as it was drafted").unwrap().0.to_owned())
    }

    #[test]
    fn a_text_that_says_something_else_than_the_draft_is_a_fault() {
        assert_eq!(said("name: plant", "name: plant"), None);
        let wide = "      - name: wide\n        uses: [mul]\n        cost: {DSP: 1, LUT: 2}\n        saves: 20000\n        source: \"choices.csv line 3\"\n";
        for (from, to, what) in [
            ("name: plant", "name: plan", "`name`"),
            ("80 MHz", "81 MHz", "`clock`"),
            ("[LUT, DSP]", "[DSP, LUT]", "`resources`"),
            ("imported from plant", "imported from plan", "`source`"),
            ("scheduler: fixed", "scheduler: rm", "`scheduler`"),
            ("buffer", "puffer", "`name` of block `buffer`"),
            ("LUT: -30", "LUT: -31", "`cost` of block `mul`"),
            (", DSP: 4", "", "`cost` of block `mul`"),
            ("slot: arith", "slot: array", "`slot` of block `mul`"),
            ("    slot: arith\n", "", "`slot` of block `mul`"),
            ("fmax: 90 MHz", "fmax: 90 kHz", "`fmax` of block `mul`"),
            ("name: log", "name: \"log \"", "`name` of task `log`"),
            ("wcet: 30000", "wcet: 30001", "`wcet` of task `fir`"),
            ("period: 1 ms", "period: 1 s", "`period` of task `fir`"),
            ("deadline: 500 us", "deadline: 501 us", "`deadline` of task `fir`"),
            ("    deadline: 500 us\n", "", "`deadline` of task `fir`"),
            ("priority: 2", "priority: 3", "`priority` of task `log`"),
            ("jitter: 3 us", "jitter: 3 ns", "`jitter` of task `fir`"),
            ("name: mac", "name: mul", "`name` of choice `mac` of task `fir`"),
            ("[mul, buffer]", "[buffer, mul]", "`uses` of choice `mac` of task `fir`"),
            ("saves: 1000", "wcet: 1000", "`saves` of choice `mac` of task `fir`"),
            ("{DSP: 1, LUT: 2}", "{DSP: 2, LUT: 2}", "`cost` of choice `wide` of task `fir`"),
            (wide, "", "the number of choices of task `fir`"),
        ] {
            assert_eq!(said(from, to).as_deref(), Some(what), "{from:?} -> {to:?}");
        }
    }
}
