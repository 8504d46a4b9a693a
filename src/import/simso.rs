//! SimSo's XML: tasks in milliseconds, processors with a speed, a clock in cycles per millisecond.
//!
//! ```xml
//! <simulation cycles_per_ms="1000000"><sched class="simso.schedulers.RM"/>
//!   <processors><processor name="CPU 1" id="1" speed="1.0"/></processors>
//!   <tasks><task name="T1" id="1" task_type="Periodic" period="10.0" deadline="10.0" WCET="2.5"/></tasks></simulation>
//! ```
//!
//! WCETs refer to a processor of speed 1; for other speeds they are divided by the speed. `cycles_per_ms` becomes the
//! clock, at speed 1.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use num_traits::{One, Zero};
use roxmltree::Node;

use super::draft::{Draft, DraftTask};
use super::figures::{Found, Time, error, meant};
use super::xml::{child, children, figure, note_others, parse, place, place_of, required};
use super::{Format, Head, Need, Options, Refusal};
use isx_exact::quantity::{Rational, TimeUnit, format_decimal, parse_decimal};
use isx_taskset::{Scheduler, Source, shortened};
use isx_text::Problems;

pub(super) const FORMAT: Format =
    Format { name: "simso", ending: "xml", recognises, takes: &[Need::Core], read };

fn recognises(head: &Head<'_>) -> bool {
    head.root == Some("simulation")
}

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let document = parse(source)?;
    let root = document.root_element();
    if root.tag_name().name() != "simulation" {
        let message = format!("`{}` is no element of SimSo", shortened(root.tag_name().name()));
        return Err(error(source, place(root), message).label("`simulation` is due here").into());
    }
    let mut draft = Draft::new(source, "SimSo XML");
    // SimSo's own default.
    let cycles_per_ms =
        figure(source, root, "cycles_per_ms", "the simulation").map(|figure| figure.positive());
    let cycles_per_ms = cycles_per_ms.unwrap_or_else(|| Ok(Rational::from_integer(1_000_000.into())))?;
    draft.clock = Some(cycles_per_ms * Rational::from_integer(1_000.into()));
    draft.taken.push("Times are in milliseconds; the clock is `cycles_per_ms`.".into());
    let speed = speed(source, root, options, &mut draft)?;
    scheduler(source, root, &mut draft)?;
    switches(source, root, &mut draft)?;
    leave_out(root, &mut draft);
    let Some(tasks) = child(root, "tasks") else {
        return Err(error(source, place(root), "the simulation has no `tasks`")
            .label("not in this element")
            .into());
    };
    let mut problems = Problems::default();
    let followers = followers(tasks);
    for node in children(tasks, "task") {
        let task = task(source, node, &speed, &mut draft);
        if let Some(id) = node.attribute("id").map(str::trim).filter(|id| followers.contains(id)) {
            let name = node.attribute("name").unwrap_or(id);
            draft.left_out.note(
                "activations by the end of another task (`followed_by`)",
                name,
                place(node).start,
            );
        }
        draft.tasks.extend(problems.keep(task).flatten());
        if draft.is_overfull() {
            break;
        }
    }
    problems.none()?;
    if child(root, "sched")
        .and_then(|sched| sched.attribute("class"))
        .is_some_and(|class| last_word(class) == "FP")
    {
        fixed_priorities(source, tasks, &mut draft)?;
    }
    Ok(draft)
}

/// Converts SimSo's fixed priorities, where the greatest number is the highest, to isx's, where 1 is.
fn fixed_priorities(source: &Arc<Source>, tasks: Node<'_, '_>, draft: &mut Draft) -> Found<()> {
    let mut given = Vec::with_capacity(draft.tasks.len());
    let nodes: HashMap<usize, Node<'_, '_>> =
        children(tasks, "task").map(|node| (place_of(node, "name").start, node)).collect();
    for task in &draft.tasks {
        let node = nodes.get(&task.place.start);
        let figure = node
            .and_then(|&node| figure(source, node, "priority", &format!("task `{}`", shortened(&task.name))));
        let missing = || {
            let message =
                format!("task `{}` has no `priority`, by which the scheduler goes", shortened(&task.name));
            error(source, task.place.clone(), message).label("an attribute `priority` is due here")
        };
        given.push(figure.ok_or_else(missing)?.whole()?);
    }
    draft.scheduler = Scheduler::FixedPriority;
    draft.rank(&given);
    draft.taken.push("Priorities were turned round: SimSo's greatest number is 1 here.".into());
    Ok(())
}

/// The ids that tasks name in `followed_by`.
fn followers<'a>(tasks: Node<'a, '_>) -> BTreeSet<&'a str> {
    children(tasks, "task").filter_map(|task| task.attribute("followed_by")).map(str::trim).collect()
}

/// The speed of the requested processor, or of all if they are equally fast.
fn speed(
    source: &Arc<Source>,
    root: Node<'_, '_>,
    options: &Options,
    draft: &mut Draft,
) -> Result<Rational, Refusal> {
    let Some(list) = child(root, "processors") else { return Ok(Rational::one()) };
    let processors: Vec<Node<'_, '_>> = children(list, "processor").collect();
    let named = |node: Node<'_, '_>| node.attribute("name").unwrap_or("").to_owned();
    let speed = |node: Node<'_, '_>| {
        let owner = format!("processor `{}`", shortened(&named(node)));
        figure(source, node, "speed", &owner).map_or(Ok(Rational::one()), |figure| figure.positive())
    };
    let speeds = processors.iter().map(|&node| speed(node)).collect::<Found<Vec<Rational>>>()?;
    if processors.len() > 1 {
        let kind = format!("{} processors: all tasks stand on one of them", processors.len());
        draft.left_out.note(kind, "", place(list).start);
    }
    let chosen = match &options.core {
        Some(core) => {
            let found = processors.iter().position(|&node| named(node) == *core);
            found.ok_or_else(|| {
                let message = format!("no processor is named `{}`", shortened(core));
                let names: Vec<String> = processors.iter().take(10).map(|&node| named(node)).collect();
                let label = meant(core, names.iter().map(String::as_str));
                let label = label.unwrap_or_else(|| "the processors are these".to_owned());
                let names: Vec<String> = names.iter().map(|name| format!("`{}`", shortened(name))).collect();
                Refusal::needs(
                    Need::Core,
                    error(source, place(list), message)
                        .label(label)
                        .help(format!("they are {}", names.join(", "))),
                )
            })?
        }
        None => {
            let other = speeds.iter().position(|speed| Some(speed) != speeds.first());
            if let Some(&node) = other.and_then(|at| processors.get(at)) {
                let message = "the processors differ in speed, and a task set stands on one of them";
                let refused =
                    error(source, place_of(node, "speed"), message).label("not as fast as the first");
                return Err(Refusal::needs(Need::Core, refused));
            }
            0
        }
    };
    let speed = speeds.get(chosen).cloned().unwrap_or_else(Rational::one);
    if !speed.is_one() {
        draft
            .taken
            .push(format!("WCETs were divided by the speed of the processor, {}.", format_decimal(&speed)));
    }
    Ok(speed)
}

/// The class name of a scheduler without its package.
fn last_word(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or("")
}

fn scheduler(source: &Arc<Source>, root: Node<'_, '_>, draft: &mut Draft) -> Found<()> {
    let Some(sched) = child(root, "sched") else { return Ok(()) };
    let refused = |attribute: &str, message: String| {
        error(source, place_of(sched, attribute), message).label("another policy in its place would give other verdicts").help(
            "isx decides EDF, RM and FP (`simso.schedulers.EDF`, ..): write one of them here if the tasks are to run under it",
        )
    };
    let processors = child(root, "processors").map_or(1, |list| children(list, "processor").count());
    let class = sched.attribute("class").unwrap_or("");
    let at = place_of(sched, "class").start;
    match last_word(class) {
        "EDF" | "EDF_mono" => {}
        "P_EDF" if processors < 2 => {}
        // The tasks' priorities are handled after these are read.
        "FP" => {}
        "RM" | "RM_mono" => draft.scheduler = Scheduler::RateMonotonic,
        "P_RM" if processors < 2 => draft.scheduler = Scheduler::RateMonotonic,
        "" if sched.has_attribute("className") => {
            let name = shortened(sched.attribute("className").unwrap_or(""));
            let message = format!("the scheduler `{name}` has a file of its own, which isx does not read");
            return Err(refused("className", message));
        }
        "" => draft.left_out.note("the scheduler, which no class names: EDF", "", at),
        other => {
            let on = if processors > 1 { format!(" on {processors} processors") } else { String::new() };
            let message = format!("isx does not have the scheduler `{}`{on}", shortened(other));
            return Err(refused("class", message));
        }
    }
    let is_zero = |text: &str| parse_decimal(text).is_ok_and(|value| value.is_zero());
    for name in ["overhead", "overhead_activate", "overhead_terminate"] {
        if sched.attribute(name).is_some_and(|text| !is_zero(text)) {
            draft.left_out.note(format!("`{name}` of the scheduler"), "", place_of(sched, name).start);
        }
    }
    Ok(())
}

/// Takes the cycles that a processor needs to save a context and to load another as the cost of a switch: the greatest of all
/// processors.
fn switches(source: &Arc<Source>, root: Node<'_, '_>, draft: &mut Draft) -> Found<()> {
    let mut cycles = Rational::zero();
    for node in child(root, "processors").into_iter().flat_map(|list| children(list, "processor")) {
        let owner = format!("processor `{}`", shortened(node.attribute("name").unwrap_or("")));
        let overhead =
            |name| figure(source, node, name, &owner).map_or(Ok(Rational::zero()), |figure| figure.number());
        cycles = cycles.max(overhead("cl_overhead")? + overhead("cs_overhead")?);
    }
    if let Some(hertz) = draft.clock.as_ref().filter(|_| !cycles.is_zero()) {
        draft.switch = Some(Time { value: cycles / hertz, unit: TimeUnit::Seconds });
        let taken = "A context switch is `cs_overhead` and `cl_overhead` together; every job has two.";
        draft.taken.push(taken.into());
    }
    Ok(())
}

fn leave_out(root: Node<'_, '_>, draft: &mut Draft) {
    if let Some(etm) = root.attribute("etm").filter(|etm| *etm != "wcet") {
        let kind = format!("the model of execution times `{}`: WCETs are taken", shortened(etm));
        draft.left_out.note(kind, "", place_of(root, "etm").start);
    }
    // SimSo's default if there is no `etm`.
    let is_cache = root.attribute("use_wcet").is_some_and(|word| !matches!(word, "true" | "yes"));
    if is_cache && !root.has_attribute("etm") {
        let kind = "the model of execution times by caches (`use_wcet`): WCETs are taken";
        draft.left_out.note(kind, "", place_of(root, "use_wcet").start);
    }
    if let Some(cache) = child(root, "caches").and_then(|caches| child(caches, "cache")) {
        draft.left_out.note("caches", "", place(cache).start);
    }
    let attributes =
        ["duration", "cycles_per_ms", "etm", "use_wcet", "penalty_preemption", "penalty_migration"];
    let elements = ["sched", "caches", "processors", "tasks"];
    note_others(&mut draft.left_out, root, "simulation", &attributes, &elements);
}

/// A task; `None` if it does not recur.
fn task(
    source: &Arc<Source>,
    node: Node<'_, '_>,
    speed: &Rational,
    draft: &mut Draft,
) -> Found<Option<DraftTask>> {
    let name = node.attribute("name").or(node.attribute("id")).map(str::trim).filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| {
        error(source, place(node), "the task has no `name`").label("an attribute `name` is due here")
    })?;
    let owner = format!("task `{}`", shortened(name));
    let at = place(node).start;
    // As in SimSo, an unknown type also means a periodic task.
    let kind = match (node.attribute("task_type"), node.attribute("periodic")) {
        (Some(kind), _) => kind,
        (None, Some("no")) => "APeriodic",
        (None, _) => "Periodic",
    };
    if kind == "APeriodic" {
        draft.left_out.note("tasks without a period", name, at);
        return Ok(None);
    }
    let wcet = required(source, node, "WCET", &owner)?.positive_time("ms")?;
    let period = required(source, node, "period", &owner)?.positive_time("ms")?;
    let deadline =
        figure(source, node, "deadline", &owner).map(|figure| figure.positive_time("ms")).transpose()?;
    if kind == "Sporadic" {
        let words =
            "dates of activation of sporadic tasks, whose `period` is taken for the least time between two";
        draft.left_out.note(words, name, at);
    }
    leave_out_of_task(node, name, draft);
    let deadline = deadline.filter(|deadline| *deadline != period);
    let wcet = Time { value: wcet.value / speed, unit: TimeUnit::Seconds };
    let told = format!("{} line {}", source.file_name(), source.line(at));
    let task = DraftTask::new(name.to_owned(), [wcet, period], told, place_of(node, "name"));
    Ok(Some(DraftTask { deadline, ..task }))
}

fn leave_out_of_task(node: Node<'_, '_>, name: &str, draft: &mut Draft) {
    let is_zero = |text: &str| parse_decimal(text).is_ok_and(|value| value.is_zero());
    for (attribute, kind) in [
        ("activationDate", "first activations later than 0 (offsets): all tasks may begin at once"),
        ("preemption_cost", "costs of preemption"),
    ] {
        if node.attribute(attribute).is_some_and(|text| !is_zero(text)) {
            draft.left_out.note(kind, name, place_of(node, attribute).start);
        }
    }
    if node.attribute("followed_by").is_some() {
        let at = place_of(node, "followed_by").start;
        draft.left_out.note("precedence: tasks that start another at their end (`followed_by`)", name, at);
    }
    // Other execution-time models, cache model parameters, and the handling of late jobs.
    let known = [
        "name",
        "id",
        "task_type",
        "periodic",
        "period",
        "deadline",
        "WCET",
        "activationDate",
        "followed_by",
        "preemption_cost",
        "list_activation_dates",
        "abort_on_miss",
        "base_cpi",
        "instructions",
        "mix",
        "ACET",
        "et_stddev",
        "stack",
        "priority",
    ];
    note_others(&mut draft.left_out, node, name, &known, &[]);
}
