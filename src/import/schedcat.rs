//! SchedCAT's XML, as `schedcat/model/serialize.py` writes it: sporadic tasks with plain figures.
//!
//! ```xml
//! <taskset><properties utilization_q="3/10" count="1"/><task id="1" period="100" wcet="30" deadline="80"/></taskset>
//! ```
//!
//! A `testpoint` holds several sets. The file names no unit; isx needs none, since all times are in the same one.

use std::sync::Arc;

use roxmltree::Node;

use super::draft::{Draft, DraftTask};
use super::figures::{Found, error};
use super::xml::{child, children, figure, note_others, note_present, parse, place, place_of, required};
use super::{Format, Head, Need, Options, Refusal};
use isx_taskset::{Source, shortened};
use isx_text::Problems;

pub(super) const FORMAT: Format = Format {
    name: "schedcat",
    ending: "xml",
    recognises,
    takes: &[Need::Clock, Need::Set, Need::Unit],
    read,
};

fn recognises(head: &Head<'_>) -> bool {
    matches!(head.root, Some("taskset" | "testpoint" | "task"))
}

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let document = parse(source)?;
    let root = document.root_element();
    let mut draft = Draft::new(source, "SchedCAT XML");
    let tasks: Vec<Node<'_, '_>> = match root.tag_name().name() {
        "task" => vec![root],
        "taskset" => children(root, "task").collect(),
        "testpoint" => children(chosen(source, root, options, &mut draft)?, "task").collect(),
        name => {
            let message = format!("`{}` is no element of SchedCAT", shortened(name));
            return Err(error(source, place(root), message)
                .label("`taskset`, `testpoint` or `task` is due here")
                .into());
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
    for (at, node) in tasks.into_iter().enumerate() {
        let task = task(source, node, at, unit, &mut draft);
        draft.tasks.extend(problems.keep(task));
        if draft.is_overfull() {
            break;
        }
    }
    problems.none()?;
    Ok(draft)
}

/// The requested task set of a test point, or the only one.
fn chosen<'a, 'i: 'a>(
    source: &Arc<Source>,
    root: Node<'a, 'i>,
    options: &Options,
    draft: &mut Draft,
) -> Result<Node<'a, 'i>, Refusal> {
    let sets: Vec<Node<'_, '_>> = children(root, "taskset").collect();
    if sets.is_empty() {
        return Err(error(source, place(root), "the test point holds no `taskset`").into());
    }
    let wanted = match (options.set, sets.len()) {
        (Some(number), _) => number,
        (None, 1) => 1,
        (None, count) => {
            let message = format!("the file holds {count} task sets, and one is imported");
            let refused = error(source, place(root), message).label(format!("number 1 to {count}"));
            return Err(Refusal::needs(Need::Set, refused));
        }
    };
    let Some(&set) = wanted.checked_sub(1).and_then(|at| sets.get(at)) else {
        let message = format!("there is no task set number {wanted}: the file holds {}", sets.len());
        return Err(error(source, place(root), message).label("they count from 1").into());
    };
    if sets.len() > 1 {
        draft.left_out.note(format!("the other task sets: this is number {wanted} of {}", sets.len()), "", 0);
        draft.name = format!("{}-{wanted}", draft.name);
    }
    if let Some(config) = child(root, "config") {
        note_others(&mut draft.left_out, config, "config", &[], &[]);
    }
    Ok(set)
}

fn task(
    source: &Arc<Source>,
    node: Node<'_, '_>,
    at: usize,
    unit: &str,
    draft: &mut Draft,
) -> Found<DraftTask> {
    let name = match node.attribute("id").map(str::trim) {
        None | Some("") => format!("task-{}", at + 1),
        Some(id) if id.starts_with(|c: char| c.is_alphabetic()) => id.to_owned(),
        Some(id) => format!("task-{id}"),
    };
    let owner = format!("task `{}`", shortened(&name));
    let wcet = required(source, node, "wcet", &owner)?.bare_time(unit)?;
    let period = required(source, node, "period", &owner)?.bare_time(unit)?;
    let deadline =
        figure(source, node, "deadline", &owner).map(|figure| figure.bare_time(unit)).transpose()?;
    leave_out(draft, node, &name);
    let told = format!("{} line {}", source.file_name(), source.line(place(node).start));
    Ok(DraftTask { deadline, ..DraftTask::new(name, [wcet, period], told, place_of(node, "id")) })
}

fn leave_out(draft: &mut Draft, node: Node<'_, '_>, name: &str) {
    let left_out = &mut draft.left_out;
    let attributes = [
        ("partition", "partitions: all tasks stand on one processor"),
        ("response_time", "response times, which isx computes itself"),
        ("wss", "working-set sizes"),
    ];
    let elements = [
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
    note_present(left_out, node, name, &attributes, &elements);
    let attributes = ["id", "period", "wcet", "deadline", "partition", "response_time", "wss"];
    note_others(left_out, node, name, &attributes, &["resources", "critical_sections", "affinity"]);
}
