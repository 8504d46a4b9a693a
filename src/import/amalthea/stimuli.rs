//! The activations of a task and their periods.

use std::collections::HashMap;

use super::references::Reference;
use crate::MAX_TASKS;
use crate::draft::LeftOut;
use crate::figures::{Found, Time, error};
use crate::xml::Element;
use isx_taskset::shortened;

/// The stimuli of a model by name.
pub(super) struct Stimuli<'a>(HashMap<&'a str, Element<'a>>);

/// A recurring activation.
pub(super) struct Activation {
    pub stimulus: String,
    /// The period or minimum inter-arrival time.
    pub period: Time,
    /// How late after the period a job may come.
    pub jitter: Option<Time>,
}

impl<'a> Stimuli<'a> {
    pub fn new(root: Element<'a>) -> Self {
        let stimuli = root.child("stimuliModel").into_iter().flat_map(|model| model.children("stimuli"));
        Stimuli(stimuli.filter_map(|stimulus| Some((stimulus.get("name")?, stimulus))).collect())
    }

    /// The activations of a task that have a period.
    pub fn of_task(&self, task: Element<'a>, name: &str, left_out: &mut LeftOut) -> Found<Vec<Activation>> {
        let mut activations = Vec::new();
        for reference in Reference::all(task, "stimuli") {
            let Some(&stimulus) = self.0.get(&*reference.name) else {
                let message =
                    format!("task `{}` names a stimulus `{}`", shortened(name), shortened(&reference.name));
                let refused = task.error_of("stimuli", message);
                return Err(refused
                    .label("no stimulus of this name is in the file")
                    .help("models may be spread over several files; isx reads one"));
            };
            let owner = format!("stimulus `{}`", shortened(stimulus.name()));
            if let Some(period) = period(stimulus, &owner, name, left_out)? {
                let jitter = jitter(stimulus, &owner)?;
                activations.push(Activation { stimulus: reference.name, period, jitter });
            }
            // Each makes a task, and too many tasks are rejected.
            if activations.len() > MAX_TASKS {
                break;
            }
        }
        Ok(activations)
    }
}

/// The period of a stimulus, or the minimum time between two of its events; `None` if it has neither.
fn period(stimulus: Element<'_>, owner: &str, task: &str, left_out: &mut LeftOut) -> Found<Option<Time>> {
    let mut note = |kind: &str| left_out.note(kind, task, stimulus.start());
    match stimulus.kind() {
        "PeriodicStimulus" => {
            let recurrence = stimulus.child("recurrence").ok_or_else(|| {
                stimulus.error(format!("{owner} has no `recurrence`")).label("expected the period in here")
            })?;
            let period = time(recurrence, owner)?;
            note_shape(stimulus, task, left_out);
            Ok(Some(period))
        }
        "RelativePeriodicStimulus" => {
            let next = stimulus.child("nextOccurrence").and_then(|next| next.child("lowerBound"));
            let Some(next) = next else {
                note("stimuli without a least time between two events");
                return Ok(None);
            };
            note("sporadic stimuli: their least time between two events is the period");
            Ok(Some(time(next, owner)?))
        }
        kind => {
            note(&format!("stimuli of kind {}", shortened(kind)));
            Ok(None)
        }
    }
}

/// The element with the greatest jitter, a constant or the upper bound of a distribution.
fn greatest(jitter: Element<'_>) -> Option<Element<'_>> {
    jitter.child("value").or_else(|| jitter.child("upperBound"))
}

/// Whether the `value` of a time is 0.
fn is_zero(time: Element<'_>) -> bool {
    time.get("value").is_some_and(|digits| digits.trim().chars().all(|c| matches!(c, '0' | '.')))
}

/// The greatest jitter of a periodic stimulus.
fn jitter(stimulus: Element<'_>, owner: &str) -> Found<Option<Time>> {
    let jitter = stimulus.child("jitter").filter(|_| stimulus.kind() == "PeriodicStimulus");
    let greatest = jitter.and_then(greatest).filter(|greatest| !is_zero(*greatest));
    greatest.map(|greatest| time(greatest, &format!("the jitter of {owner}"))).transpose()
}

/// Records offsets of a periodic stimulus, and jitter without a bound.
fn note_shape(stimulus: Element<'_>, task: &str, left_out: &mut LeftOut) {
    let offset = stimulus.child("offset").filter(|offset| offset.get("value").is_some() && !is_zero(*offset));
    if let Some(offset) = offset {
        left_out.note("offsets of stimuli: all tasks may begin at once", task, offset.start());
    }
    if let Some(jitter) = stimulus.child("jitter").filter(|jitter| greatest(*jitter).is_none()) {
        let kind = "jitter of stimuli without an upper bound: jobs come exactly with the period";
        left_out.note(kind, task, jitter.start());
    }
    let least = [("minDistance", "least distances of stimuli with jitter")];
    stimulus.note_present(left_out, task, &[], &least);
}

/// A `value` with its `unit`, as a time above 0.
pub fn time(element: Element<'_>, owner: &str) -> Found<Time> {
    let value = element.required("value", owner)?;
    let unit = element.required("unit", owner)?;
    if !crate::TIME_UNITS.contains(&unit.text) {
        let message = format!("{}: `{}` is not a unit of time", unit.what, shortened(unit.text));
        return Err(error(element.source, unit.place, message).label("expected s, ms, us, ns or ps"));
    }
    value.positive_time(unit.text)
}
