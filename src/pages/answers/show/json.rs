//! A design as JSON, schema `isx.design/1`. Numbers that must be exact are strings.

use super::{Change, LowestClock, Margin, Schedulability, Shown, ShownBlock, ShownTask, TaskFigures};
use crate::answers::changes::{block_changes, changes};
use crate::answers::document::{Document, in_modes};
use crate::answers::words::SOFTWARE;
use isx_exact::quantity::Rational;
use isx_report::front::Point;
use isx_report::front::costs::{self, Costs, Counted};
use isx_report::front::fields::{Amount, Ratio};
use num_traits::{One, Zero};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.design/1";
/// The schema's name for a task set with several resources, whose points have no `next`.
pub const SCHEMA_OF_RESOURCES: &str = "isx.design/2";

/// Writes the design as one JSON object. Unknown values are null; fields that the set does not have are omitted.
pub fn write_json(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let (head, Change { software, design }) = (&shown.head, &shown.utilization());
    let clock = head.clock_hz(&shown.design);
    let has_modes = !shown.schedulability.modes.is_empty();
    let blocks = shown.blocks.as_ref().map(|blocks| blocks.iter().map(block).collect::<Vec<_>>());
    Document::new(if costs::is_area(&head.resources) { SCHEMA } else { SCHEMA_OF_RESOURCES }, &head.taskset)
        .with(Counted::from(&head.resources))
        .add("time_unit", shown.time_unit)
        .add("scheduler", head.scheduler.name())
        .what_if(&head.what_if)
        .add("point", shown.index)
        .add("points", shown.count)
        .with(Costs::new(&head.resources, shown.cost()))
        .add("utilization", Ratio::from(design))
        .add("software_utilization", Ratio::from(software))
        .add("slack", Ratio::from(&(Rational::one() - design)))
        .add("schedulable", shown.design.schedulable)
        .add("schedulable_within", shown.design.schedulable_within)
        .add("tasks", shown.tasks.iter().map(task).collect::<Vec<_>>())
        .some("blocks", blocks)
        .some("variant", head.variant(&shown.design))
        .some("clock_hz", clock)
        .some("clock_limited_by", clock.map(|_| &shown.clock_limited_by))
        .with(shown.schedulability.document())
        .add("next", shown.next.as_ref().map(|(index, point)| next(shown, *index, point)))
        .add("complete", head.complete)
        .with(in_modes(&head.modes, &shown.schedulability.modes))
        .some("mode", head.modes.get(shown.schedulability.mode).filter(|_| has_modes))
        .write(out)
}

impl Schedulability {
    /// Margin, lowest clock and response times.
    pub(crate) fn document(&self) -> Document {
        let (factor, limit, unknown, is_reached) = match &self.margin {
            Margin::Exactly { factor, limit, is_reached } => (Some(factor), Some(limit), None, *is_reached),
            Margin::Unknown(why) => (None, None, Some(why), true),
        };
        let document = Document::default()
            .add("margin", factor.map(Ratio::from))
            .some("margin_reached", (!is_reached).then_some(false))
            .add("margin_limit", limit)
            .add("margin_unknown", unknown);
        let document = match &self.lowest_clock {
            Some(LowestClock { hertz, is_reached }) => document
                .add("lowest_clock_hz", Amount::from(hertz))
                .some("lowest_clock_reached", (!is_reached).then_some(false)),
            None => document,
        };
        document.some("response_times", Some(&self.responses).filter(|responses| !responses.is_empty()))
    }
}

fn task(task: &ShownTask) -> Document {
    let document = Document::default()
        .add("task", &task.name)
        .add("choice", &task.choice)
        .with(&task.cost)
        .some("saves", task.saves.as_ref().map(Amount::from));
    let Some(TaskFigures { wcet, switches, utilization, share }) = &task.figures else { return document };
    let has_switches = !(switches.software.is_zero() && switches.design.is_zero());
    document
        .add("wcet", change::<Amount>(wcet))
        .some("switches", has_switches.then(|| change::<Amount>(switches)))
        .add("utilization", change::<Ratio>(utilization))
        .add("share", Ratio::from(share))
}

fn change<'c, T: From<&'c Rational> + Serialize>(Change { software, design }: &'c Change) -> Document {
    Document::default().add("software", T::from(software)).add("design", T::from(design))
}

fn block(block: &ShownBlock) -> Document {
    let users = Some(&block.users).filter(|users| !users.is_empty());
    Document::default().add("block", &block.name).with(&block.cost).some("used_by", users)
}

/// What the next point costs and gains.
fn next(shown: &Shown, index: usize, next: &Point) -> Document {
    let Shown { head, design, .. } = shown;
    let more = json!(Costs::new(&head.resources, shown.more_cost(next)));
    let choices = changes(head, design, next);
    let choices = choices.map(|(task, choice)| format!("{task}={}", choice.unwrap_or(SOFTWARE)));
    let blocks = block_changes(head, design, next).map(|(sign, name)| format!("{sign}{name}"));
    Document::default()
        .add("point", index)
        .with(Costs::new(&head.resources, next.exact_cost()))
        .add("more_cost", &more["cost"])
        .some("more_area", more.get(costs::AREA))
        .add("utilization", Ratio::from(&next.utilization.exact()))
        .add("less_utilization", Ratio::from(&(design.utilization.exact() - next.utilization.exact())))
        .add("choices", choices.collect::<Vec<_>>())
        .add("blocks", blocks.collect::<Vec<_>>())
        .some("variant", head.variant(next).filter(|_| next.variant != design.variant))
}
