//! SchedCAT's XML, as `schedcat/model/serialize.py` writes it: sporadic tasks with plain figures.
//!
//! ```xml
//! <taskset><properties utilization_q="3/10" count="1"/><task id="1" period="100" wcet="30" deadline="80"/></taskset>
//! ```
//!
//! A `testpoint` holds several sets. The file names no unit; isx needs none, since all times are in the same one.

use std::sync::Arc;

use super::draft::{Draft, DraftTask};
use super::figures::Found;
use super::xml::{Element, parse};
use super::{Format, Head, Need, Options, Refusal};
use isx_taskset::{Source, shortened};
use isx_text::Problems;

pub(super) const FORMAT: Format = Format {
    name: "schedcat",
    ending: "xml",
    recognises: |head: &Head<'_>| matches!(head.root, Some("taskset" | "testpoint" | "task")),
    takes: &[Need::Clock, Need::Set, Need::Unit],
    read,
};

/// Attributes that are left out.
const ATTRIBUTES: [(&str, &str); 3] = [
    ("partition", "partitions: all tasks stand on one processor"),
    ("response_time", "response times, which isx computes itself"),
    ("wss", "working-set sizes"),
];

/// Elements that are left out.
const ELEMENTS: [(&str, &str); 3] = [
    (
        "resources",
        "shared resources: blocking depends on a protocol that the file does not name; give it as `blocking` of a task",
    ),
    (
        "critical_sections",
        "critical sections: blocking depends on a protocol that the file does not name; give it as `blocking` of a task",
    ),
    ("affinity", "affinities: all tasks stand on one processor"),
];

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let document = parse(source)?;
    let root = Element::root(source, &document);
    let mut draft = Draft::new(source, "SchedCAT XML");
    let tasks: Vec<Element<'_>> = match root.tag() {
        "task" => vec![root],
        "taskset" => root.children("task").collect(),
        "testpoint" => chosen(root, options, &mut draft)?.children("task").collect(),
        tag => {
            let refused = root.error(format!("`{}` is no element of SchedCAT", shortened(tag)));
            return Err(refused.label("expected `taskset`, `testpoint` or `task`").into());
        }
    };
    draft.clock.clone_from(&options.clock);
    let unit = options.unit.as_deref().unwrap_or("");
    draft.taken.push(match unit {
        "" => "The file names no unit of its times: they are as they stand there.".to_owned(),
        unit => format!("The file names no unit of its times: {unit} was said beside it."),
    });
    draft.taken.push("The file names no scheduler: EDF, unless a line `scheduler:` is added.".into());
    let mut problems = Problems::default();
    for (at, element) in tasks.into_iter().enumerate() {
        let task = task(element, at, unit, &mut draft);
        draft.tasks.extend(problems.keep(task));
        if draft.is_overfull() {
            break;
        }
    }
    problems.none()?;
    Ok(draft)
}

/// The requested task set of a test point, or the only one.
fn chosen<'a>(root: Element<'a>, options: &Options, draft: &mut Draft) -> Result<Element<'a>, Refusal> {
    let sets: Vec<Element<'a>> = root.children("taskset").collect();
    let count = sets.len();
    if count == 0 {
        return Err(root.error("the test point holds no `taskset`").into());
    }
    let only = Some(1).filter(|_| count == 1);
    let wanted = options.set.or(only).ok_or_else(|| {
        let refused = root.error(format!("the file holds {count} task sets, and one is imported"));
        Refusal::needs(Need::Set, refused.label(format!("number 1 to {count}")))
    })?;
    let Some(&set) = wanted.checked_sub(1).and_then(|at| sets.get(at)) else {
        let refused = root.error(format!("there is no task set number {wanted}: the file holds {count}"));
        return Err(refused.label("they count from 1").into());
    };
    if count > 1 {
        draft.left_out.note(format!("the other task sets: this is number {wanted} of {count}"), "", 0);
        draft.name = format!("{}-{wanted}", draft.name);
    }
    if let Some(config) = root.child("config") {
        config.note_others(&mut draft.left_out, "config", &[], &[]);
    }
    Ok(set)
}

fn task(element: Element<'_>, at: usize, unit: &str, draft: &mut Draft) -> Found<DraftTask> {
    let name = match element.get("id").map(str::trim) {
        None | Some("") => format!("task-{}", at + 1),
        Some(id) if id.starts_with(|c: char| c.is_alphabetic()) => id.to_owned(),
        Some(id) => format!("task-{id}"),
    };
    let owner = format!("task `{}`", shortened(&name));
    let wcet = element.required("wcet", &owner)?.bare_time(unit)?;
    let period = element.required("period", &owner)?.bare_time(unit)?;
    let deadline = element.figure("deadline", &owner).map(|figure| figure.bare_time(unit)).transpose()?;
    element.note_present(&mut draft.left_out, &name, &ATTRIBUTES, &ELEMENTS);
    let attributes = [&["id", "period", "wcet", "deadline"][..], &ATTRIBUTES.map(|(name, _)| name)].concat();
    element.note_others(&mut draft.left_out, &name, &attributes, &ELEMENTS.map(|(name, _)| name));
    let place = element.place_of("id");
    Ok(DraftTask::new(name, [wcet, period], deadline.as_ref(), element.origin(), place))
}
