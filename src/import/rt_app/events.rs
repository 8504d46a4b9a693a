//! The events of an rt-app thread between two wake-ups of its timer.
//!
//! A thread executes its phases in sequence, each as often as its `loop` says, and a phase its events. Every timer ends a
//! *segment*: what runs after the last timer of a phase belongs to the segment that the next timer ends, in the phase's next
//! round, in a later phase, or at the beginning of the thread's next round. So `wait: {timer}, work: {run: 7000}` is one
//! segment of 7 ms, like `run` and `timer` in one phase.

use isx_exact::order;
use std::collections::HashMap;

use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;
use num_traits::{One, Signed, Zero};

use super::values::{above_zero, number, zero};
use crate::draft::{Draft, LeftOut};
use crate::figures::{Found, error};
use crate::json::{Entries, bytes, twice};
use isx_exact::quantity::Rational;
use isx_taskset::shortened;

/// The segments of a thread, in microseconds.
#[derive(Default)]
pub(super) struct Load {
    /// Events that end in a timer: the load, and the timer's period.
    segments: Vec<(Rational, Rational)>,
    /// The load since the last timer.
    open: Rational,
    /// Whether a phase goes on without end.
    ends: bool,
    /// Whether such a phase has a load and no timer.
    untimed: bool,
    /// The first phase that sleeps and has no timer.
    sleeps: Option<usize>,
    /// The name of its first timer.
    timer: Option<String>,
    /// Whether another timer has a different name.
    several: bool,
}

impl Load {
    /// Reads the events of a thread.
    pub fn of_thread(thread: Entries<'_>, name: &str, left_out: &mut LeftOut) -> Found<Self> {
        let phases = thread.once("phases")?;
        let mut reader = Reader { name, left_out, has_phases: phases.is_some(), load: Load::default() };
        reader.rounds(thread)?;
        if let Some(phases) = phases {
            reader.settings(thread);
            reader.note_events_beside_phases(thread);
            for phase in Entries::of(thread.source, phases, thread.owner)?.all() {
                let phase = Entries::of(thread.source, phase, thread.owner)?;
                reader.scheduling(phase);
                if reader.load.ends {
                    reader.note("phases behind one that never ends (`loop` -1)", phase.object.start());
                } else {
                    reader.phase(phase)?;
                }
            }
        } else {
            reader.phase(thread)?;
        }
        let load = &mut reader.load;
        if let Some((first, _)) = load.segments.first_mut().filter(|_| !load.ends) {
            *first += std::mem::take(&mut load.open);
        }
        if let Some(at) = load.sleeps.filter(|_| !load.segments.is_empty()) {
            reader.note(SUSPENSION, at);
        }
        Ok(reader.load)
    }

    /// The maximum load between two wake-ups.
    pub fn worst(&self) -> Rational {
        let most = self.segments.iter().map(|(load, _)| load).max();
        most.cloned().unwrap_or_else(Rational::zero)
    }

    /// The name of the timer that wakes it; a task may have only one.
    pub fn timer(&self) -> &str {
        self.timer.as_deref().unwrap_or("")
    }

    /// WCET and period of a task that bounds it; `None` if it is not periodic, which is recorded.
    pub fn task(&self, name: &str, at: usize, left_out: &mut LeftOut) -> Option<(Rational, Rational)> {
        let (period, wcet) = (self.segments.iter().map(|(_, period)| period).min(), self.worst());
        let without = match period {
            None if self.sleeps.is_some() => {
                "threads that sleep for a while and have no timer: they have no period"
            }
            None => "threads without a timer: they have no period",
            _ if self.untimed => "threads that end in a phase without end (`loop` -1) and without a timer",
            _ if self.several => "threads that wait for several timers (`ref`): they wake at no one period",
            _ if wcet.is_zero() => "threads that run nothing",
            Some(period) => {
                if self.segments.iter().any(|other| Some(other) != self.segments.first()) {
                    let kind =
                        "phases of different load or period: the largest load and the least period are taken";
                    left_out.note(kind, name, at);
                }
                return Some((wcet, period.clone()));
            }
        };
        left_out.note(without, name, at);
        None
    }
}

/// Timers with the same name in several threads: rt-app creates a single timer, which every waiting thread advances. For each
/// how many threads wait for it, and the location of the first.
#[derive(Default)]
pub(super) struct SharedTimers(HashMap<String, (u32, usize)>);

impl SharedTimers {
    pub fn add(&mut self, name: &str, threads: u32, at: usize) {
        // Names with this prefix denote one timer per thread.
        if !name.starts_with("unique") {
            let (count, _) = self.0.entry(name.to_owned()).or_insert((0, at));
            *count = count.saturating_add(threads);
        }
    }

    pub fn note(&self, draft: &mut Draft) {
        let mut shared: Vec<_> = self.0.iter().filter(|(_, (count, _))| *count > 1).collect();
        order::sort_by(&mut shared, |(_, (_, a)), (_, (_, b))| a.cmp(b));
        let kind = "timers that several threads share, which delay each other: each thread is taken to wake with the timer's period";
        shared.into_iter().for_each(|(name, (_, at))| draft.left_out.note(kind, name, *at));
    }
}

struct Reader<'r> {
    name: &'r str,
    left_out: &'r mut LeftOut,
    /// Whether the `loop` of a phase is not that of the thread.
    has_phases: bool,
    load: Load,
}

/// Omitted events, by key prefix, as rt-app compares them; the first match counts.
const OTHERS: &[(&[&str], &str)] = &[
    (&["mem"], "memory accesses (`mem`, `memrun`), whose time is not in the WCET"),
    (&["iorun"], "input and output (`iorun`), whose time is not in the WCET"),
    (
        &["lock", "unlock"],
        "shared resources (`lock`, `unlock`): blocking depends on a protocol that the file does not name; give it as `blocking` of a task",
    ),
    (&["signal", "broad", "sync", "wait"], "waiting for other threads (`wait`, `signal`, `sync`, `broad`)"),
    (&["barrier"], "waiting for other threads (`barrier`)"),
    (&["suspend", "resume"], "waiting for other threads (`suspend`, `resume`)"),
    (&["sem_"], "waiting for other threads (`sem_wait`, `sem_post`)"),
    (&["yield"], "`yield`"),
    (&["fork"], "threads that are forked"),
];

/// Settings of threads and phases that have no effect here, or are handled elsewhere.
const SETTINGS: &[&str] = &[
    "loop",
    "phases",
    "instance",
    "delay",
    "policy",
    "priority",
    "dl-runtime",
    "dl-period",
    "dl-deadline",
    "period",
    "deadline",
];

/// Scheduling settings of a phase.
const SCHEDULING: &[&str] = &["policy", "priority", "dl-runtime", "dl-period", "dl-deadline"];

const SUSPENSION: &str = "sleep between two wake-ups (self-suspension)";

/// The timer that rt-app uses if a wake-up names none.
const NAMELESS: &str = "unknown";

/// Omitted settings.
const LEFT_OUT: &[(&str, &str)] = &[
    ("cpus", "affinities (`cpus`): all tasks stand on one processor"),
    ("nodes_membind", "memory nodes"),
    ("util_min", "clamps of the utilization, which guide the choice of a frequency"),
    ("util_max", "clamps of the utilization, which guide the choice of a frequency"),
    ("taskgroup", "groups of threads"),
];

impl Reader<'_> {
    fn note(&mut self, kind: impl Into<String>, at: usize) {
        self.left_out.note(kind, self.name, at);
    }

    /// Records a finite number of iterations; -1 means endless.
    fn rounds(&mut self, thread: Entries<'_>) -> Found<()> {
        let Some(property) = thread.once("loop")? else { return Ok(()) };
        if count(thread, property)?.is_some() {
            self.note("ends after a number of rounds (`loop`): tasks go on without end", property.start());
        }
        Ok(())
    }

    fn phase(&mut self, phase: Entries<'_>) -> Found<()> {
        let rounds = match phase.once("loop")? {
            Some(property) => count(phase, property)?,
            None => Some(Rational::one()),
        };
        if rounds.as_ref().is_some_and(Zero::is_zero) {
            self.note("phases that are never run (`loop` 0)", phase.object.start());
            return Ok(());
        }
        self.settings(phase);
        let before = self.load.open.clone();
        let (first, mut sleeps) = (self.load.segments.len(), false);
        for property in phase.all() {
            let key = property.name.as_str();
            if SETTINGS.contains(&key) || LEFT_OUT.iter().any(|(name, _)| *name == key) {
                continue;
            }
            if key.starts_with("run") {
                self.twice(phase, property);
                self.load.open += number(phase, property)?;
            } else if key.starts_with("timer") {
                let period = period(phase, property)?;
                self.woken_by(property);
                let load = std::mem::take(&mut self.load.open);
                self.load.segments.push((load, period));
            } else if key.starts_with("sleep") {
                sleeps |= !number(phase, property)?.is_zero();
            } else {
                let is = |(starts, _): &&(&[&str], &str)| starts.iter().any(|start| key.starts_with(start));
                let kind = OTHERS.iter().find(is).map_or_else(
                    || format!("`{}`, which is no event that isx knows", shortened(key)),
                    |&(_, kind)| kind.to_owned(),
                );
                self.note(kind, property.start());
            }
        }
        let load = &mut self.load;
        let timed = load.segments.get(first).cloned();
        let own = &load.open - &before;
        match (&timed, rounds) {
            _ if !self.has_phases => {}
            (Some((head, period)), rounds) => {
                load.ends = rounds.is_none();
                if rounds.is_none_or(|rounds| rounds > Rational::one()) {
                    load.segments.push((&load.open + head - &before, period.clone()));
                }
            }
            (None, Some(rounds)) => load.open = before + &own * rounds,
            (None, None) => (load.ends, load.untimed) = (true, own.is_positive()),
        }
        if sleeps && timed.is_some() {
            self.note(SUSPENSION, phase.object.start());
        } else if sleeps {
            load.sleeps.get_or_insert(phase.object.start());
        }
        if sleeps && timed.is_none() && !own.is_positive() {
            self.note("phases that only sleep", phase.object.start());
        }
        Ok(())
    }

    /// Records a duplicate load key: workgen runs both, rt-app alone only the last.
    fn twice(&mut self, phase: Entries<'_>, property: &ObjectProp<'_>) {
        let key = property.name.as_str();
        // A few neighboring events are examined; a phase with thousands of them is reported once, at its first.
        let first = phase.all().take(100).find(|other| other.name.as_str() == key);
        if first.is_some_and(|first| first.start() < property.start()) {
            self.note(
                "keys that appear twice: each is taken, as workgen does, though rt-app takes the last",
                property.start(),
            );
        }
    }

    /// Records the timer's name.
    fn woken_by(&mut self, property: &ObjectProp<'_>) {
        let name = match &property.value {
            Value::Object(timer) => {
                timer.get_string("ref").map_or(NAMELESS, |literal| literal.value.as_ref())
            }
            _ => NAMELESS,
        };
        match &self.load.timer {
            Some(first) => self.load.several |= first != name,
            None => self.load.timer = Some(name.to_owned()),
        }
    }

    /// Records a phase whose scheduling differs from that of its thread.
    fn scheduling(&mut self, phase: Entries<'_>) {
        let set = phase.all().find(|property| SCHEDULING.contains(&property.name.as_str()));
        if let Some(property) = set {
            self.note("scheduling that a phase sets: that of the thread is taken", property.start());
        }
    }

    /// Records events of a thread next to its phases, where they are ignored.
    fn note_events_beside_phases(&mut self, thread: Entries<'_>) {
        for property in thread.all() {
            let key = property.name.as_str();
            // The old name of a reservation is handled elsewhere too.
            let is_known = key == "runtime" || SETTINGS.contains(&key);
            if !is_known && !LEFT_OUT.iter().any(|(name, _)| *name == key) {
                self.note(
                    "keys beside the `phases` of a thread, which rt-app does not run",
                    property.start(),
                );
            }
        }
    }

    fn settings(&mut self, phase: Entries<'_>) {
        for property in phase.all() {
            let key = property.name.as_str();
            if let Some((_, kind)) = LEFT_OUT.iter().find(|(name, _)| *name == key) {
                self.note(*kind, property.start());
            }
        }
    }
}

/// The number of iterations; `None` for -1.
fn count(entries: Entries<'_>, property: &ObjectProp<'_>) -> Found<Option<Rational>> {
    match &property.value {
        Value::NumberLit(literal) if literal.value == "-1" => Ok(None),
        _ => number(entries, property).map(Some),
    }
}

/// The period of a timer of a phase.
fn period(phase: Entries<'_>, property: &ObjectProp<'_>) -> Found<Rational> {
    let (source, owner) =
        (phase.source, &*format!("`{}` of {}", shortened(property.name.as_str()), phase.owner));
    let timer = Entries { owner, ..Entries::of(source, property, phase.owner)? };
    for (at, field) in timer.all().enumerate().take(100) {
        if timer.all().take(at).any(|earlier| earlier.name.as_str() == field.name.as_str()) {
            return Err(twice(source, field, owner));
        }
    }
    let Some(field) = timer.once("period")? else {
        let refused = error(source, bytes(timer.object), format!("{owner} has no `period`"));
        return Err(refused.label("expected `\"period\": ..` in here"));
    };
    let refused = || zero(source, bytes(&field.value), &format!("`period` of {owner}"));
    above_zero(Some(number(timer, field)?)).ok_or_else(refused)
}
