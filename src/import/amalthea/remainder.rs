//! Elements of a model other than tasks, stimuli and a core: they are left out and reported.

use std::collections::HashSet;

use super::hardware::{Core, kinds_of_units};
use super::references::Reference;
use crate::draft::Draft;
use crate::xml::Element;
use isx_taskset::{Scheduler, shortened};

/// The parts of a model that are looked at.
const READ: [&str; 7] =
    ["swModel", "hwModel", "osModel", "stimuliModel", "constraintsModel", "mappingModel", "commonElements"];

/// Records what is left out of a whole model.
pub(super) fn note(root: Element<'_>, core: &Core, draft: &mut Draft) {
    let elements = |model| root.child(model).into_iter().flat_map(Element::elements);
    for task in elements("swModel").filter(|element| element.tag() == "tasks") {
        if let Some(kind @ "cooperative") = task.get("preemption") {
            let kind = format!("tasks that may not be interrupted at once ({kind})");
            draft.left_out.note(kind, task.name(), task.place_of("preemption").start);
        }
        let properties = [("customProperties", "custom properties of tasks, whatever they mean to a tool")];
        task.note_present(&mut draft.left_out, task.name(), &[], &properties);
    }
    for element in elements("swModel") {
        let kind = match element.tag() {
            "processPrototypes" => "prototypes of processes, which are no tasks yet",
            "processChains" => "chains of processes",
            "runnables" if element.get("activations").is_some() => {
                "activations of runnables by themselves: they run with the tasks that call them"
            }
            _ => continue,
        };
        draft.left_out.note(kind, element.name(), element.start());
    }
    mapping(root, core, draft);
    schedulers(root, draft);
    for element in elements("constraintsModel") {
        let kind = match element.tag() {
            // These were examined for deadlines.
            "requirements" => continue,
            "eventChains" => "event chains".to_owned(),
            other => format!("constraints `{}`", shortened(other)),
        };
        draft.left_out.note(kind, element.name(), element.start());
    }
    for domain in root.child("hwModel").into_iter().flat_map(|hardware| hardware.descendants("domains")) {
        let values = [("possibleValues", "other clocks of a frequency domain: its default is taken")];
        domain.note_present(&mut draft.left_out, domain.name(), &[], &values);
    }
    let others = root.elements().filter(|model| !READ.contains(&model.tag()));
    for model in others.filter(|model| model.elements().next().is_some()) {
        draft.left_out.note(format!("`{}`", shortened(model.tag())), "", model.start());
    }
}

fn mapping(root: Element<'_>, core: &Core, draft: &mut Draft) {
    let Some(mapping) = root.child("mappingModel") else { return };
    let kinds = kinds_of_units(root);
    let taken: HashSet<&str> = draft.tasks.iter().map(|task| task.name.as_str()).collect();
    for allocation in mapping.children("taskAllocation") {
        let name = Reference::name(allocation, "task");
        let affinity = Reference::one(allocation, "affinity").and_then(|unit| kinds.get(&unit.name));
        if let (true, Some(kind)) = (taken.contains(&*name), affinity.filter(|kind| !core.is_kind(kind))) {
            let kind = format!("the mapping to cores of kind {}, which have other ticks", shortened(kind));
            draft.left_out.note(kind, &name, allocation.start());
        }
    }
    let memory = [("memoryMapping", "the mapping of data to memories")];
    mapping.note_present(&mut draft.left_out, "", &[], &memory);
}

/// The kind of a scheduler's algorithm; empty if it names none.
fn algorithm(scheduler: Element<'_>) -> &str {
    scheduler.child("schedulingAlgorithm").map_or("", Element::kind)
}

fn schedulers(root: Element<'_>, draft: &mut Draft) {
    let Some(systems) = root.child("osModel") else { return };
    let all: Vec<Element<'_>> = systems.descendants("taskSchedulers").collect();
    let policy = |scheduler: &Element<'_>| match algorithm(*scheduler) {
        "EarliestDeadlineFirst" => Some(Scheduler::Edf),
        "RateMonotonic" => Some(Scheduler::RateMonotonic),
        "DeadlineMonotonic" => Some(Scheduler::DeadlineMonotonic),
        _ => None,
    };
    let first = all.first().and_then(policy);
    let known = first.filter(|_| all.iter().all(|scheduler| policy(scheduler) == first));
    draft.scheduler = known.unwrap_or_default();
    for &scheduler in all.iter().filter(|_| known.is_none()) {
        let words = match algorithm(scheduler) {
            "" => "schedulers, and priorities: EDF".to_owned(),
            kind => format!("schedulers of kind {}, and priorities: EDF", shortened(kind)),
        };
        draft.left_out.note(words, scheduler.name(), scheduler.start());
    }
    for (tag, kind) in [("osOverheads", "overheads of the operating system"), ("semaphores", "semaphores")] {
        if let Some(found) = systems.descendants(tag).next() {
            draft.left_out.note(kind, "", found.start());
        }
    }
}
