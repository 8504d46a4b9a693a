//! Writes a draft as the YAML of a task set.
//!
//! The header says where the set comes from, what was imported and what was left out; every task names the source of
//! its figures. YAML that [`read_str`] rejects, or reads with figures other than the draft's, is never returned.

use std::fmt::{self, Write as _};
use std::ops::Range;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::Zero;

use super::Refusal;
use super::draft::{Draft, DraftBlock, DraftChoice, DraftTask, Gives, More};
use super::figures::{Found, Time, error};
use isx_exact::quantity::{MAX_DIGITS, Rational, TimeUnit, format_decimal, rate_in_unit};
use isx_taskset::{
    Block, Diagnostic, Nonpreemptive, ReadError, Reading, SCHEMA_LINES, Scheduler, Source, Task, TaskSet,
    printable, read_str, shortened,
};
pub(super) use isx_text::scalar;

/// The text of a file, and where in it stand the values that were handed on, with their places in the imported file.
pub(super) struct Yaml {
    pub text: String,
    handed: Vec<(Range<usize>, Range<usize>)>,
}

impl fmt::Write for Yaml {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

impl Yaml {
    /// Writes the keys that are handed on, each on a line that begins like this.
    fn hand_on(&mut self, indent: &str, more: &More) {
        for handed in &more.0 {
            let _ = write!(self, "{indent}{}: ", handed.key);
            let start = self.text.len();
            let _ = writeln!(self, "{}", handed.yaml);
            self.handed.push((start..self.text.len(), handed.place.clone()));
        }
    }
}

/// The text of the whole file.
pub(super) fn yaml(draft: &Draft, source: &Arc<Source>) -> Found<Yaml> {
    let mut text = Yaml { text: head(draft, source), handed: Vec::new() };
    let _ = writeln!(text, "name: {}", scalar(&draft.name));
    if let Some(hertz) = &draft.clock {
        let whole = error(source, 0..0, "the clock has more digits than a task set can say");
        let _ = writeln!(text, "clock: {}", rate(hertz).ok_or(whole)?);
    }
    if !draft.resources.is_empty() {
        let names: Vec<String> = draft.resources.iter().map(|name| scalar(name)).collect();
        let _ = writeln!(text, "resources: [{}]", names.join(", "));
    }
    if !draft.area_unit.is_empty() {
        let _ = writeln!(text, "area_unit: {}", scalar(&draft.area_unit));
    }
    let _ = writeln!(
        text,
        "source: {}",
        scalar(&format!("imported from {}, {}", source.file_name(), draft.tool))
    );
    if draft.scheduler != Scheduler::Edf {
        let _ = writeln!(text, "scheduler: {}", draft.scheduler.name());
    }
    if let Some(switch) = &draft.switch {
        let whole = error(source, 0..0, "a context switch has more digits than a task set can say");
        let _ = writeln!(text, "switch: {}", time(switch).ok_or(whole)?);
    }
    text.hand_on("", &draft.more);
    if !draft.blocks.is_empty() {
        let _ = writeln!(text, "blocks:");
    }
    for block in &draft.blocks {
        write_block(&mut text, block, draft).ok_or_else(|| {
            let message = format!(
                "a figure of block `{}` has more than {MAX_DIGITS} digits, as it was computed",
                shortened(&block.name)
            );
            error(source, 0..0, message).label("the most that a task set can say")
        })?;
    }
    let _ = writeln!(text, "tasks:");
    for task in &draft.tasks {
        write_task(&mut text, task, draft).ok_or_else(|| {
            let message = format!(
                "a figure of task `{}` has more than {MAX_DIGITS} digits, as it was computed",
                shortened(&task.name)
            );
            error(source, task.place.clone(), message).label("the most that a task set can say")
        })?;
    }
    Ok(text)
}

/// The comment in the header of the file.
fn head(draft: &Draft, source: &Source) -> String {
    let mut text = String::from(SCHEMA_LINES);
    let mut comment = |line: &str| {
        let _ = writeln!(text, "# {}", printable(line));
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

/// `None` if a figure is too long.
fn write_task(text: &mut Yaml, task: &DraftTask, draft: &Draft) -> Option<()> {
    let _ = writeln!(text, "  - name: {}", scalar(&task.name));
    for (key, value) in [("wcet", &task.wcet), ("period", &task.period)] {
        let _ = writeln!(text, "    {key}: {}", time(value)?);
    }
    if let Some(deadline) = &task.deadline {
        let _ = writeln!(text, "    deadline: {}", time(deadline)?);
    }
    if let Some(priority) = task.priority {
        let _ = writeln!(text, "    priority: {priority}");
    }
    if let Some(jitter) = &task.jitter {
        let _ = writeln!(text, "    jitter: {}", time(jitter)?);
    }
    if task.runs_through {
        let _ = writeln!(text, "    nonpreemptive: all");
    }
    text.hand_on("    ", &task.more);
    let _ = writeln!(text, "    source: {}", scalar(&printable(&task.source)));
    if !task.choices.is_empty() {
        let _ = writeln!(text, "    choices:");
        task.choices.iter().try_for_each(|choice| write_choice(text, choice, draft))?;
    }
    Some(())
}

/// `area: 41`, or `cost: {LUT: 41, DSP: 4}`; `None` if a figure is too long.
pub(super) fn price(cost: &[(String, Rational)], is_area: bool) -> Option<String> {
    if is_area {
        let area = cost.first().map_or_else(Rational::zero, |(_, area)| area.clone());
        return Some(format!("area: {}", decimal(&area)?));
    }
    Some(format!("cost: {{{}}}", amounts(cost)?))
}

/// `LUT: 41, DSP: 4`; `None` if a figure is too long.
fn amounts(cost: &[(String, Rational)]) -> Option<String> {
    let amount =
        |(name, amount): &(String, Rational)| Some(format!("{}: {}", scalar(name), decimal(amount)?));
    let amounts: Option<Vec<String>> = cost.iter().map(amount).collect();
    Some(amounts?.join(", "))
}

/// `None` if a figure is too long.
fn write_block(text: &mut Yaml, block: &DraftBlock, draft: &Draft) -> Option<()> {
    let _ = writeln!(text, "  - name: {}", scalar(&block.name));
    let _ = writeln!(text, "    {}", price(&block.cost, draft.resources.is_empty())?);
    if let Some(slot) = &block.slot {
        let _ = writeln!(text, "    slot: {}", scalar(slot));
    }
    if let Some(fmax) = &block.fmax {
        let _ = writeln!(text, "    fmax: {}", rate(fmax)?);
    }
    let _ = writeln!(text, "    source: {}", scalar(&printable(&block.source)));
    Some(())
}

fn write_choice(text: &mut Yaml, choice: &DraftChoice, draft: &Draft) -> Option<()> {
    let _ = writeln!(text, "      - name: {}", scalar(&choice.name));
    if !choice.uses.is_empty() {
        let names: Vec<String> = choice.uses.iter().map(|name| scalar(name)).collect();
        let _ = writeln!(text, "        uses: [{}]", names.join(", "));
    }
    if choice.uses.is_empty() || !choice.cost.is_empty() {
        let _ = writeln!(text, "        {}", price(&choice.cost, draft.resources.is_empty())?);
    }
    let _ = match &choice.gives {
        Gives::Wcet(wcet) => writeln!(text, "        wcet: {}", time(wcet)?),
        Gives::Saves(saves) => writeln!(text, "        saves: {}", time(saves)?),
    };
    let _ = writeln!(text, "        source: {}", scalar(&printable(&choice.source)));
    Some(())
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
    let decimal = format_decimal(value);
    let digits = decimal.bytes().filter(u8::is_ascii_digit).count();
    (digits <= MAX_DIGITS && !decimal.contains('/')).then_some(decimal)
}

/// The number as a decimal, or as a fraction if that is impossible or too long; `None` if both are.
pub(super) fn number(value: &Rational) -> Option<String> {
    if let Some(decimal) = decimal(value) {
        return Some(decimal);
    }
    let (above, below) = (value.numer().to_string(), value.denom().to_string());
    (above.len().max(below.len()) <= MAX_DIGITS).then(|| format!("{above}/{below}"))
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

/// Reads the YAML back, and compares it with the draft.
pub(super) fn read_again(draft: &Draft, yaml: &Yaml, source: &Arc<Source>) -> Result<Reading, Refusal> {
    let moved =
        |found: Diagnostic| match yaml.handed.iter().find(|(written, _)| written.contains(&found.start())) {
            Some((_, place)) => found.moved(source, place.clone()),
            None => found,
        };
    let reading = read_str("the imported task set", &yaml.text).map_err(|error| match error {
        ReadError::Invalid { diagnostics, omitted } => {
            Refusal::all(diagnostics.into_iter().map(moved).collect(), omitted)
        }
        error => Refusal { error, need: None },
    })?;
    let set = &reading.task_set;
    let same = set.tasks.len() == draft.tasks.len()
        && set.name == draft.name
        && set.switch == draft.switch.as_ref().map_or_else(Rational::zero, |time| in_set(draft, time))
        && set.blocks.len() == draft.blocks.len()
        && set.blocks.iter().zip(&draft.blocks).all(|(read, drafted)| {
            (&read.name, &read.slot, &read.fmax) == (&drafted.name, &drafted.slot, &drafted.fmax)
                && is_cost(set, &read.cost, &drafted.cost)
        })
        && set.tasks.iter().zip(&draft.tasks).all(|(read, drafted)| is_same(draft, set, read, drafted));
    if same {
        return Ok(reading);
    }
    let source = Arc::new(Source::decode("the imported task set", yaml.text.clone().into_bytes()).map_err(
        |problem| {
            let file = "the imported task set".to_owned();
            Refusal { error: ReadError::File { file, problem }, need: None }
        },
    )?);
    Err(error(&source, 0..0, "the figures of the imported file were not written as they were read").into())
}

/// Whether a cost is the drafted one; a single resource is read as an area.
fn is_cost(set: &TaskSet, cost: &[Rational], drafted: &[(String, Rational)]) -> bool {
    let amount = |name: &String| {
        let given = drafted.iter().find(|(other, _)| set.is_one_area() || other == name);
        given.map_or_else(Rational::zero, |(_, amount)| amount.clone())
    };
    set.resources.names.iter().map(amount).eq(cost.iter().cloned())
}

/// A time in the unit of the set's.
fn in_set(draft: &Draft, time: &Time) -> Rational {
    match (&draft.clock, time.unit) {
        (Some(hertz), TimeUnit::Seconds) => &time.value * hertz,
        _ => time.value.clone(),
    }
}

fn is_same(draft: &Draft, set: &TaskSet, read: &Task, drafted: &DraftTask) -> bool {
    let blocks: &[Block] = &set.blocks;
    let value = |time: &Time| in_set(draft, time);
    let (wcet, period) = (value(&drafted.wcet), value(&drafted.period));
    let deadline = drafted.deadline.as_ref().map_or_else(|| period.clone(), value);
    let left = |choice: &DraftChoice| match &choice.gives {
        Gives::Wcet(wcet) => value(wcet),
        Gives::Saves(saves) => &wcet - value(saves),
    };
    let choices = read.choices.iter().zip(&drafted.choices).all(|(read, drafted)| {
        let used = read.uses.iter().map(|&used| blocks.get(used as usize).map(|block| block.name.as_str()));
        let is_used = used.eq(drafted.uses.iter().map(|name| Some(name.as_str())));
        is_used
            && read.name == drafted.name
            && is_cost(set, &read.cost, &drafted.cost)
            && read.wcets[0] == left(drafted)
    });
    let jitter = drafted.jitter.as_ref().map_or_else(Rational::zero, value);
    let nonpreemptive = if drafted.runs_through { Nonpreemptive::All } else { Nonpreemptive::default() };
    let handed = |key: &str| drafted.more.has(key);
    choices
        && read.choices.len() == drafted.choices.len()
        && (&read.name, &read.wcets[0]) == (&drafted.name, &wcet)
        && (read.period(), read.deadline(), &read.priority) == (&period, &deadline, &drafted.priority)
        && (handed("jitter") || read.kernel.jitter == jitter)
        && (handed("nonpreemptive") || read.kernel.nonpreemptive == nonpreemptive)
}
