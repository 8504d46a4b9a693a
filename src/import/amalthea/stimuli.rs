//! The activations of a task and their periods.

use std::collections::HashMap;
use std::sync::Arc;

use roxmltree::Node;

use super::references::{Reference, kind_of};
use crate::MAX_TASKS;
use crate::draft::LeftOut;
use crate::figures::{Found, Time, error};
use crate::xml::{child, note_present, place, place_of, required};
use isx_taskset::{Source, shortened};

/// The stimuli of a model by name.
pub(super) struct Stimuli<'a, 'i> {
    source: &'a Arc<Source>,
    by_name: HashMap<&'a str, Node<'a, 'i>>,
}

/// A recurring activation.
pub(super) struct Activation {
    pub stimulus: String,
    /// The period or minimum inter-arrival time.
    pub period: Time,
    /// How late after the period a job may come.
    pub jitter: Option<Time>,
}

impl<'a, 'i: 'a> Stimuli<'a, 'i> {
    pub fn new(source: &'a Arc<Source>, root: Node<'a, 'i>) -> Self {
        let stimuli = child(root, "stimuliModel").into_iter().flat_map(|model| model.children());
        let stimuli = stimuli.filter(|node| node.tag_name().name() == "stimuli");
        Stimuli {
            source,
            by_name: stimuli.filter_map(|node| Some((node.attribute("name")?, node))).collect(),
        }
    }

    /// The activations of a task that have a period.
    pub fn of_task(&self, task: Node<'_, '_>, name: &str, left_out: &mut LeftOut) -> Found<Vec<Activation>> {
        let mut activations = Vec::new();
        for reference in Reference::all(task, "stimuli") {
            let Some(&stimulus) = self.by_name.get(&*reference.name) else {
                let message =
                    format!("task `{}` names a stimulus `{}`", shortened(name), shortened(&reference.name));
                return Err(error(self.source, place_of(task, "stimuli"), message)
                    .label("no stimulus of this name is in the file")
                    .help("models may be spread over several files; isx reads one"));
            };
            if let Some(period) = self.period(stimulus, name, left_out)? {
                let jitter = self.jitter(stimulus)?;
                activations.push(Activation { stimulus: reference.name, period, jitter });
            }
            // Each makes a task, and too many tasks are rejected.
            if activations.len() > MAX_TASKS {
                break;
            }
        }
        Ok(activations)
    }

    /// The period of a stimulus, or the minimum time between two of its events; `None` if it has neither.
    fn period(&self, stimulus: Node<'_, '_>, task: &str, left_out: &mut LeftOut) -> Found<Option<Time>> {
        let source = self.source;
        let owner = format!("stimulus `{}`", shortened(stimulus.attribute("name").unwrap_or("")));
        let at = place(stimulus).start;
        match kind_of(stimulus) {
            "PeriodicStimulus" => {
                let recurrence = child(stimulus, "recurrence").ok_or_else(|| {
                    error(source, place(stimulus), format!("{owner} has no `recurrence`"))
                        .label("the period is due in here")
                })?;
                let period = time(source, recurrence, &owner)?;
                self.note_shape(stimulus, task, left_out);
                Ok(Some(period))
            }
            "RelativePeriodicStimulus" => {
                let next = child(stimulus, "nextOccurrence").and_then(|next| child(next, "lowerBound"));
                let Some(next) = next else {
                    left_out.note("stimuli without a least time between two events", task, at);
                    return Ok(None);
                };
                left_out.note(
                    "sporadic stimuli: their least time between two events is the period",
                    task,
                    at,
                );
                Ok(Some(time(source, next, &owner)?))
            }
            kind => {
                left_out.note(format!("stimuli of kind {}", shortened(kind)), task, at);
                Ok(None)
            }
        }
    }

    /// The greatest jitter of a periodic stimulus, a constant or the upper bound of a distribution.
    fn jitter(&self, stimulus: Node<'_, '_>) -> Found<Option<Time>> {
        let jitter = child(stimulus, "jitter").filter(|_| kind_of(stimulus) == "PeriodicStimulus");
        let greatest =
            jitter.and_then(|jitter| child(jitter, "value").or_else(|| child(jitter, "upperBound")));
        let is_zero = |node: &Node<'_, '_>| {
            node.attribute("value")
                .is_some_and(|digits| digits.trim().chars().all(|c| matches!(c, '0' | '.')))
        };
        let owner =
            || format!("the jitter of stimulus `{}`", shortened(stimulus.attribute("name").unwrap_or("")));
        greatest.filter(|node| !is_zero(node)).map(|node| time(self.source, node, &owner())).transpose()
    }

    /// Records offsets of a periodic stimulus, and jitter without a bound.
    fn note_shape(&self, stimulus: Node<'_, '_>, task: &str, left_out: &mut LeftOut) {
        let is_zero = |node: &Node<'_, '_>| {
            let digits = node.attribute("value").unwrap_or("0").trim();
            digits.chars().all(|c| matches!(c, '0' | '.'))
        };
        if let Some(offset) = child(stimulus, "offset").filter(|offset| !is_zero(offset)) {
            left_out.note("offsets of stimuli: all tasks may begin at once", task, place(offset).start);
        }
        let is_bounded =
            |jitter: &Node<'_, '_>| child(*jitter, "value").or(child(*jitter, "upperBound")).is_some();
        if let Some(jitter) = child(stimulus, "jitter").filter(|jitter| !is_bounded(jitter)) {
            let kind = "jitter of stimuli without an upper bound: jobs come exactly with the period";
            left_out.note(kind, task, place(jitter).start);
        }
        note_present(
            left_out,
            stimulus,
            task,
            &[],
            &[("minDistance", "least distances of stimuli with jitter")],
        );
    }
}

/// A `value` with its `unit`, as a time above 0.
pub fn time(source: &Arc<Source>, node: Node<'_, '_>, owner: &str) -> Found<Time> {
    let value = required(source, node, "value", owner)?;
    let unit = required(source, node, "unit", owner)?;
    let known = ["s", "ms", "us", "ns", "ps"];
    if !known.contains(&unit.text) {
        let message = format!("{}: `{}` is not a unit of time", unit.what, shortened(unit.text));
        return Err(error(source, unit.place, message).label("s, ms, us, ns or ps is due here"));
    }
    value.positive_time(unit.text)
}
