//! Elements of a model other than tasks, stimuli and a core: they are left out and reported.

use std::collections::HashSet;

use roxmltree::Node;

use super::hardware::{Core, kinds_of_units};
use super::references::{Reference, kind_of};
use crate::draft::Draft;
use crate::xml::{child, children, place, place_of};
use isx_taskset::{Scheduler, shortened};

/// Records what is left out of a whole model.
pub(super) fn note(root: Node<'_, '_>, core: &Core, draft: &mut Draft) {
    tasks(root, draft);
    mapping(root, core, draft);
    schedulers(root, draft);
    constraints(root, draft);
    frequencies(root, draft);
    let read = [
        "swModel",
        "hwModel",
        "osModel",
        "stimuliModel",
        "constraintsModel",
        "mappingModel",
        "commonElements",
    ];
    for model in root.children().filter(Node::is_element) {
        let name = model.tag_name().name();
        if !read.contains(&name) && model.children().any(|node| node.is_element()) {
            draft.left_out.note(format!("`{}`", shortened(name)), "", place(model).start);
        }
    }
}

fn tasks(root: Node<'_, '_>, draft: &mut Draft) {
    for task in child(root, "swModel").into_iter().flat_map(|software| children(software, "tasks")) {
        let name = task.attribute("name").unwrap_or("");
        if let Some(kind @ "cooperative") = task.attribute("preemption") {
            let kind = format!("tasks that may not be interrupted at once ({kind})");
            draft.left_out.note(kind, name, place_of(task, "preemption").start);
        }
        if let Some(property) = child(task, "customProperties") {
            let kind = "custom properties of tasks, whatever they mean to a tool";
            draft.left_out.note(kind, name, place(property).start);
        }
    }
    software(root, draft);
}

/// Records elements of the software model, other than tasks and runnables, that affect when something runs.
fn software(root: Node<'_, '_>, draft: &mut Draft) {
    let software = child(root, "swModel").into_iter().flat_map(|software| software.children());
    for node in software.filter(Node::is_element) {
        let name = node.attribute("name").unwrap_or("");
        let kind = match node.tag_name().name() {
            "processPrototypes" => "prototypes of processes, which are no tasks yet",
            "processChains" => "chains of processes",
            "runnables" if node.has_attribute("activations") => {
                "activations of runnables by themselves: they run with the tasks that call them"
            }
            _ => continue,
        };
        draft.left_out.note(kind, name, place(node).start);
    }
}

fn mapping(root: Node<'_, '_>, core: &Core, draft: &mut Draft) {
    let Some(mapping) = child(root, "mappingModel") else { return };
    let kinds = kinds_of_units(root);
    let taken: HashSet<String> = draft.tasks.iter().map(|task| task.name.clone()).collect();
    for allocation in children(mapping, "taskAllocation") {
        let name = Reference::one(allocation, "task").map(|task| task.name).unwrap_or_default();
        let affinity = Reference::one(allocation, "affinity").and_then(|unit| kinds.get(&unit.name));
        if let (true, Some(kind)) = (taken.contains(&name), affinity.filter(|kind| !core.is_kind(kind))) {
            let kind = format!("the mapping to cores of kind {}, which have other ticks", shortened(kind));
            draft.left_out.note(kind, &name, place(allocation).start);
        }
    }
    if let Some(memory) = child(mapping, "memoryMapping") {
        draft.left_out.note("the mapping of data to memories", "", place(memory).start);
    }
}

fn schedulers(root: Node<'_, '_>, draft: &mut Draft) {
    let Some(systems) = child(root, "osModel") else { return };
    let all = || systems.descendants().filter(|node| node.tag_name().name() == "taskSchedulers");
    let policy = |scheduler| match child(scheduler, "schedulingAlgorithm").map(kind_of)? {
        "EarliestDeadlineFirst" => Some(Scheduler::Edf),
        "RateMonotonic" => Some(Scheduler::RateMonotonic),
        "DeadlineMonotonic" => Some(Scheduler::DeadlineMonotonic),
        _ => None,
    };
    let first = all().next().and_then(policy);
    let known = first.filter(|_| all().all(|scheduler| policy(scheduler) == first));
    draft.scheduler = known.unwrap_or_default();
    for scheduler in all().filter(|_| known.is_none()) {
        let algorithm = child(scheduler, "schedulingAlgorithm");
        let words = match algorithm.map(kind_of) {
            Some(kind) if !kind.is_empty() => {
                format!("schedulers of kind {}, and priorities: EDF", shortened(kind))
            }
            _ => "schedulers, and priorities: EDF".to_owned(),
        };
        draft.left_out.note(words, scheduler.attribute("name").unwrap_or(""), place(scheduler).start);
    }
    for (element, kind) in
        [("osOverheads", "overheads of the operating system"), ("semaphores", "semaphores")]
    {
        if let Some(found) = systems.descendants().find(|node| node.tag_name().name() == element) {
            draft.left_out.note(kind, "", place(found).start);
        }
    }
}

fn constraints(root: Node<'_, '_>, draft: &mut Draft) {
    let Some(constraints) = child(root, "constraintsModel") else { return };
    for node in constraints.children().filter(|node| node.is_element()) {
        let kind = match node.tag_name().name() {
            // These were examined for deadlines.
            "requirements" => continue,
            "eventChains" => "event chains".to_owned(),
            other => format!("constraints `{}`", shortened(other)),
        };
        draft.left_out.note(kind, node.attribute("name").unwrap_or(""), place(node).start);
    }
}

fn frequencies(root: Node<'_, '_>, draft: &mut Draft) {
    let Some(hardware) = child(root, "hwModel") else { return };
    let domains = hardware.descendants().filter(|node| node.tag_name().name() == "domains");
    for domain in domains {
        if let Some(values) = children(domain, "possibleValues").next() {
            let name = domain.attribute("name").unwrap_or("");
            draft.left_out.note(
                "other clocks of a frequency domain: its default is taken",
                name,
                place(values).start,
            );
        }
    }
}
