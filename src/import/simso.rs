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

use std::collections::BTreeSet;
use std::sync::Arc;

use num_traits::{One, Zero};

use super::draft::{Draft, DraftTask};
use super::figures::{Found, Time, meant};
use super::xml::{Element, parse};
use super::{Format, Head, Need, Options, Refusal};
use isx_exact::quantity::{Rational, TimeUnit, format_decimal, parse_decimal};
use isx_taskset::{Scheduler, Source, shortened};
use isx_text::Problems;

pub(super) const FORMAT: Format = Format {
    name: "simso",
    ending: "xml",
    recognises: |head: &Head<'_>| head.root == Some("simulation"),
    takes: &[Need::Core],
    read,
};

/// What is read of a simulation, or does not change its task set.
const OF_SIMULATION: [&str; 6] =
    ["duration", "cycles_per_ms", "etm", "use_wcet", "penalty_preemption", "penalty_migration"];

/// What is read of a task, and what belongs to other models of execution times, to models of caches, and to late jobs.
const OF_TASK: [&str; 19] = [
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

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let document = parse(source)?;
    let root = Element::root(source, &document);
    if root.tag() != "simulation" {
        let refused = root.error(format!("`{}` is no element of SimSo", shortened(root.tag())));
        return Err(refused.label("expected `simulation`").into());
    }
    let mut draft = Draft::new(source, "SimSo XML");
    // SimSo's own default.
    let cycles_per_ms = match root.figure("cycles_per_ms", "the simulation") {
        Some(figure) => figure.positive()?,
        None => Rational::from_integer(1_000_000.into()),
    };
    draft.clock = Some(cycles_per_ms * Rational::from_integer(1_000.into()));
    draft.taken.push("Times are in milliseconds; the clock is `cycles_per_ms`.".into());
    let list = root.child("processors");
    let processors: Vec<Element<'_>> = list.into_iter().flat_map(|list| list.children("processor")).collect();
    let speed = match list {
        Some(list) => speed(list, &processors, options, &mut draft)?,
        None => Rational::one(),
    };
    // Without a list there is one processor.
    let is_fixed = scheduler(root, list.map_or(1, |_| processors.len()), &mut draft)?;
    switches(&processors, &mut draft)?;
    leave_out(root, &mut draft);
    let Some(tasks) = root.child("tasks") else {
        return Err(root.error("the simulation has no `tasks`").label("not in this element").into());
    };
    let (mut problems, mut given) = (Problems::default(), Vec::new());
    let followers: BTreeSet<&str> =
        tasks.children("task").filter_map(|task| task.get("followed_by")).map(str::trim).collect();
    for element in tasks.children("task") {
        let task = task(element, &speed, &mut draft);
        if let Some(id) = element.get("id").map(str::trim).filter(|id| followers.contains(id)) {
            let name = element.get("name").unwrap_or(id);
            let kind = "activations by the end of another task (`followed_by`)";
            draft.left_out.note(kind, name, element.start());
        }
        if let Some(task) = problems.keep(task).flatten() {
            draft.tasks.push(task);
            given.push(element);
        }
        if draft.is_overfull() {
            break;
        }
    }
    problems.none()?;
    if is_fixed {
        let priorities = draft.tasks.iter().zip(given).map(|(task, element)| priority(task, element));
        let priorities = priorities.collect::<Found<Vec<Rational>>>()?;
        draft.scheduler = Scheduler::FixedPriority;
        draft.rank(&priorities);
        draft.taken.push("Priorities were turned round: SimSo's greatest number is 1 here.".into());
    }
    Ok(draft)
}

/// SimSo's fixed priority of a task: the greatest number is the highest.
fn priority(task: &DraftTask, element: Element<'_>) -> Found<Rational> {
    let owner = format!("task `{}`", shortened(&task.name));
    let figure = element.figure("priority", &owner).ok_or_else(|| {
        let refused =
            element.error_of("name", format!("{owner} has no `priority`, by which the scheduler goes"));
        refused.label("expected an attribute `priority`")
    })?;
    figure.whole()
}

/// "processor `CPU 1`".
fn owner(processor: Element<'_>) -> String {
    format!("processor `{}`", shortened(processor.name()))
}

/// The speed of the requested processor, or of all if they are equally fast.
fn speed(
    list: Element<'_>,
    processors: &[Element<'_>],
    options: &Options,
    draft: &mut Draft,
) -> Result<Rational, Refusal> {
    let speed = |&processor: &Element<'_>| {
        let figure = processor.figure("speed", &owner(processor));
        figure.map_or_else(|| Ok(Rational::one()), |figure| figure.positive())
    };
    let speeds = processors.iter().map(speed).collect::<Found<Vec<Rational>>>()?;
    if processors.len() > 1 {
        let kind = format!("{} processors: all tasks stand on one of them", processors.len());
        draft.left_out.note(kind, "", list.start());
    }
    let other = speeds.iter().position(|speed| Some(speed) != speeds.first());
    let chosen = match (&options.core, other.and_then(|at| processors.get(at))) {
        (Some(core), _) => {
            let found = processors.iter().position(|processor| processor.name() == core);
            found.ok_or_else(|| {
                let names: Vec<&str> = processors.iter().take(10).map(|processor| processor.name()).collect();
                let label = meant(core, names.iter().copied());
                let label = label.unwrap_or_else(|| "the processors are these".to_owned());
                let names: Vec<String> = names.iter().map(|name| format!("`{}`", shortened(name))).collect();
                let refused = list.error(format!("no processor is named `{}`", shortened(core)));
                let refused = refused.label(label).help(format!("they are {}", names.join(", ")));
                Refusal::needs(Need::Core, refused)
            })?
        }
        (None, Some(other)) => {
            let message = "the processors differ in speed, and a task set stands on one of them";
            let refused = other.error_of("speed", message).label("not as fast as the first");
            return Err(Refusal::needs(Need::Core, refused));
        }
        (None, None) => 0,
    };
    let speed = speeds.get(chosen).cloned().unwrap_or_else(Rational::one);
    if !speed.is_one() {
        let speed = format_decimal(&speed);
        draft.taken.push(format!("WCETs were divided by the speed of the processor, {speed}."));
    }
    Ok(speed)
}

fn is_zero(text: &str) -> bool {
    parse_decimal(text).is_ok_and(|value| value.is_zero())
}

/// Reads the scheduler; whether it goes by the tasks' priorities, which are read later.
fn scheduler(root: Element<'_>, processors: usize, draft: &mut Draft) -> Found<bool> {
    let Some(sched) = root.child("sched") else { return Ok(false) };
    let refused = |attribute: &str, message: String| {
        sched.error_of(attribute, message).label("another policy in its place would give other verdicts").help(
            "isx decides EDF, RM and FP (`simso.schedulers.EDF`, ..): write one of them here if the tasks are to run under it",
        )
    };
    // The name of the class without its package.
    let class = sched.get("class").and_then(|class| class.rsplit('.').next()).unwrap_or("");
    match (class, sched.get("className")) {
        ("EDF" | "EDF_mono" | "FP", _) => {}
        ("P_EDF", _) if processors < 2 => {}
        ("RM" | "RM_mono", _) => draft.scheduler = Scheduler::RateMonotonic,
        ("P_RM", _) if processors < 2 => draft.scheduler = Scheduler::RateMonotonic,
        ("", Some(name)) => {
            let name = shortened(name);
            let message = format!("the scheduler `{name}` has a file of its own, which isx does not read");
            return Err(refused("className", message));
        }
        ("", None) => {
            let at = sched.place_of("class").start;
            draft.left_out.note("the scheduler, which no class names: EDF", "", at);
        }
        (other, _) => {
            let on = if processors > 1 { format!(" on {processors} processors") } else { String::new() };
            let message = format!("isx does not have the scheduler `{}`{on}", shortened(other));
            return Err(refused("class", message));
        }
    }
    for name in ["overhead", "overhead_activate", "overhead_terminate"] {
        if sched.get(name).is_some_and(|text| !is_zero(text)) {
            draft.left_out.note(format!("`{name}` of the scheduler"), "", sched.place_of(name).start);
        }
    }
    Ok(class == "FP")
}

/// Takes the cycles that a processor needs to save a context and to load another as the cost of a switch: the greatest of all
/// processors.
fn switches(processors: &[Element<'_>], draft: &mut Draft) -> Found<()> {
    let mut cycles = Rational::zero();
    for &processor in processors {
        let overhead = |name| {
            let figure = processor.figure(name, &owner(processor));
            figure.map_or_else(|| Ok(Rational::zero()), |figure| figure.number())
        };
        cycles = cycles.max(overhead("cl_overhead")? + overhead("cs_overhead")?);
    }
    if let Some(hertz) = draft.clock.as_ref().filter(|_| !cycles.is_zero()) {
        draft.switch = Some(Time { value: cycles / hertz, unit: TimeUnit::Seconds });
        let taken = "A context switch is `cs_overhead` and `cl_overhead` together; every job has two.";
        draft.taken.push(taken.into());
    }
    Ok(())
}

fn leave_out(root: Element<'_>, draft: &mut Draft) {
    if let Some(etm) = root.get("etm").filter(|etm| *etm != "wcet") {
        let kind = format!("the model of execution times `{}`: WCETs are taken", shortened(etm));
        draft.left_out.note(kind, "", root.place_of("etm").start);
    }
    // SimSo's default if there is no `etm`.
    let is_cache = root.get("use_wcet").is_some_and(|word| !matches!(word, "true" | "yes"));
    if is_cache && root.get("etm").is_none() {
        let kind = "the model of execution times by caches (`use_wcet`): WCETs are taken";
        draft.left_out.note(kind, "", root.place_of("use_wcet").start);
    }
    if let Some(cache) = root.child("caches").and_then(|caches| caches.child("cache")) {
        draft.left_out.note("caches", "", cache.start());
    }
    let elements = ["sched", "caches", "processors", "tasks"];
    root.note_others(&mut draft.left_out, "simulation", &OF_SIMULATION, &elements);
}

/// A task; `None` if it does not recur.
fn task(element: Element<'_>, speed: &Rational, draft: &mut Draft) -> Found<Option<DraftTask>> {
    let name = element.get("name").or(element.get("id")).map(str::trim).filter(|name| !name.is_empty());
    let name =
        name.ok_or_else(|| element.error("the task has no `name`").label("expected an attribute `name`"))?;
    let owner = format!("task `{}`", shortened(name));
    // As in SimSo, an unknown type also means a periodic task.
    let by_old_word = element.get("periodic").filter(|word| *word == "no").map(|_| "APeriodic");
    let kind = element.get("task_type").or(by_old_word);
    if kind == Some("APeriodic") {
        draft.left_out.note("tasks without a period", name, element.start());
        return Ok(None);
    }
    let wcet = element.required("WCET", &owner)?.positive_time("ms")?;
    let period = element.required("period", &owner)?.positive_time("ms")?;
    let deadline = element.figure("deadline", &owner).map(|figure| figure.positive_time("ms")).transpose()?;
    if kind == Some("Sporadic") {
        let words =
            "dates of activation of sporadic tasks, whose `period` is taken for the least time between two";
        draft.left_out.note(words, name, element.start());
    }
    for (attribute, kind) in [
        ("activationDate", "first activations later than 0 (offsets): all tasks may begin at once"),
        ("preemption_cost", "costs of preemption"),
    ] {
        if element.get(attribute).is_some_and(|text| !is_zero(text)) {
            draft.left_out.note(kind, name, element.place_of(attribute).start);
        }
    }
    let precedence = "precedence: tasks that start another at their end (`followed_by`)";
    element.note_present(&mut draft.left_out, name, &[("followed_by", precedence)], &[]);
    element.note_others(&mut draft.left_out, name, &OF_TASK, &[]);
    let deadline = deadline.filter(|deadline| *deadline != period);
    let wcet = Time { value: wcet.value / speed, unit: TimeUnit::Seconds };
    let (origin, place) = (element.origin(), element.place_of("name"));
    Ok(Some(DraftTask::new(name.to_owned(), [wcet, period], deadline.as_ref(), origin, place)))
}
