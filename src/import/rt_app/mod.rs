//! rt-app's JSON: threads woken by a timer, and threads with a SCHED_DEADLINE reservation.
//!
//! ```json
//! {"tasks": {"control": {"run": 2000, "timer": {"ref": "unique", "period": 10000}},
//!            "video": {"policy": "SCHED_DEADLINE", "dl-runtime": 4000, "dl-period": 33000, "run": 3000}}}
//! ```
//!
//! All times are whole microseconds. rt-app itself accepts comments; duplicate keys come from workgen, its script,
//! which treats them as successive events. A thread whose phases load the processor differently becomes a task with
//! the largest load between two wake-ups and the shortest period: an upper bound, which is reported. A thread that waits for several
//! timers has no single period and is left out: if one of them is late the thread continues without sleeping.

mod events;
mod values;

use std::collections::BTreeSet;
use std::sync::Arc;

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use num_traits::ToPrimitive;

use crate::draft::{Draft, DraftTask};
use crate::figures::{Found, error};
use crate::json::{self, Entries, bytes, twice};
use crate::{Format, Head, Options, Refusal};
use events::{Load, SharedTimers};
use isx_exact::quantity::Rational;
use isx_taskset::{Scheduler, Source, shortened};
use isx_text::Problems;
use values::{above_zero, in_seconds, micros, number, zero};

pub(super) const FORMAT: Format = Format {
    name: "rt-app",
    ending: "json",
    // rt-app accepts comments.
    recognises: |head: &Head<'_>| ["{", "/*", "//"].iter().any(|start| head.text.starts_with(start)),
    takes: &[],
    read,
};

/// The maximum number of threads of one kind.
const MAX_INSTANCES: u32 = 1_000;

fn read(source: &Arc<Source>, _: &Options) -> Result<Draft, Refusal> {
    let root = json::parse(source).map_err(|refused| {
        if !refused.message().starts_with("this is not JSON: Expected colon") {
            return refused;
        }
        refused.help("an event without a value, which workgen allows, needs one here: `\"suspend\": \"\"`")
    })?;
    let Value::Object(root) = &root else {
        return Err(error(source, bytes(&root), "the file holds no object").label("expected `{`").into());
    };
    let mut draft = Draft::new(source, "rt-app JSON");
    draft.taken.push(
        "Times are microseconds. `run` is a load as long as said on the CPU that rt-app is calibrated on, not a bound.".into(),
    );
    let mut tasks = None;
    for property in &root.properties {
        match property.name.as_str() {
            "tasks" if tasks.is_none() => tasks = Some(property),
            "tasks" => return Err(twice(source, property, "the file").into()),
            "global" | "resources" => {}
            other => {
                let kind = format!("`{}` beside the tasks", shortened(other));
                draft.left_out.note(kind, "", property.start());
            }
        }
    }
    let Some(tasks) = tasks else {
        let place = root.start()..root.start() + 1;
        return Err(error(source, place, "the file has no `tasks`")
            .label("rt-app's threads stand in an object `tasks`")
            .into());
    };
    let threads = Entries::of(source, tasks, "the file")?;
    refuse_old_grammar(threads)?;
    let mut problems = Problems::default();
    let mut all = Threads {
        default: default_policy(source, root),
        policies: Vec::new(),
        timers: SharedTimers::default(),
    };
    for property in threads.all() {
        // An error in one thread must not hide errors in others.
        let _ = problems.keep(thread(source, property, &mut draft, &mut all));
        if draft.is_overfull() {
            break;
        }
    }
    problems.none()?;
    all.timers.note(&mut draft);
    schedule(&all.policies, &mut draft, tasks.start());
    Ok(draft)
}

/// Refuses loads of rt-app before 2014, whose `period`, `deadline` and `sleep` mean something else.
fn refuse_old_grammar(threads: Entries<'_>) -> Found<()> {
    let mut objects: Vec<&Object<'_>> = Vec::new();
    for thread in threads.all().filter_map(|thread| thread.value.as_object()) {
        let phases = thread.get_object("phases").into_iter().flat_map(|phases| &phases.properties);
        objects.push(thread);
        objects.extend(phases.filter_map(|phase| phase.value.as_object()));
    }
    let old = objects.into_iter().find_map(|object| Some((object, object.get("exec")?)));
    let Some((object, exec)) = old else { return Ok(()) };
    let figure = |property: Option<&ObjectProp<'_>>| match property.map(|property| &property.value) {
        Some(Value::NumberLit(literal)) => shortened(literal.value),
        _ => "..".to_owned(),
    };
    let (run, period) = (figure(Some(exec)), figure(object.get("period")));
    let message =
        "this is the grammar of rt-app before 2014 (`exec`, `period`): convert it to `run` and `timer`";
    Err(error(threads.source, bytes(&exec.name), message).label("the old word for a load").help(format!(
        "here that is `\"run\": {run}, \"timer\": {{\"ref\": \"unique\", \"period\": {period}}}`, without `sleep`"
    )))
}

/// Data of all threads together.
struct Threads<'a> {
    /// The policy of a thread that names none.
    default: &'a str,
    /// The policies of all tasks, in task order.
    policies: Vec<Policy>,
    timers: SharedTimers,
}

/// Makes the tasks of a thread, one per instance.
fn thread<'a>(
    source: &'a Arc<Source>,
    property: &'a ObjectProp<'a>,
    draft: &mut Draft,
    all: &mut Threads<'_>,
) -> Found<()> {
    let name = property.name.as_str();
    let owner = &format!("thread `{}`", shortened(name));
    let place = bytes(&property.name);
    let thread = Entries { owner, ..Entries::of(source, property, "`tasks`")? };
    let instances = instances(thread)?;
    if instances == 0 {
        draft.left_out.note("threads that another one forks (`instance` 0)", name, place.start);
        return Ok(());
    }
    if above_zero(micros(thread, "delay")?).is_some() {
        draft.left_out.note("delays of the first activation: all tasks may begin at once", name, place.start);
    }
    let load = Load::of_thread(thread, name, &mut draft.left_out)?;
    let policy = policy(thread, all.default)?;
    let (wcet, period, deadline, from) = if policy.name == "SCHED_DEADLINE" {
        let Some([runtime, period, deadline]) = reservation(thread)? else {
            draft.left_out.note("threads of SCHED_DEADLINE without `dl-runtime`", name, place.start);
            return Ok(());
        };
        if load.worst() > runtime {
            let kind = "loads beyond the reservation (`dl-runtime`), which alone is taken";
            draft.left_out.note(kind, name, place.start);
        }
        (runtime, period, Some(deadline), "its reservation")
    } else {
        if let Some(slice) = thread.all().find(|property| property.name.as_str().starts_with("dl-")) {
            draft.left_out.note("`dl-` settings of threads that are not SCHED_DEADLINE", name, slice.start());
        }
        let Some((wcet, period)) = load.task(name, place.start, &mut draft.left_out) else { return Ok(()) };
        all.timers.add(load.timer(), instances, place.start);
        (wcet, period, None, "its run events and timer")
    };
    let deadline = deadline.filter(|deadline| *deadline != period).as_ref().map(in_seconds);
    let line = source.line(place.start);
    for number in 1..=instances {
        let name = if instances == 1 { name.to_owned() } else { format!("{name}-{number}") };
        all.policies.push(policy.clone());
        let origin = format!("{} line {line}, {from}", source.file_name());
        let figures = [&wcet, &period].map(in_seconds);
        draft.tasks.push(DraftTask::new(name, figures, deadline.as_ref(), origin, place.clone()));
    }
    Ok(())
}

fn instances(thread: Entries<'_>) -> Found<u32> {
    let Some(property) = thread.once("instance")? else { return Ok(1) };
    let number = number(thread, property)?;
    number.to_u32().filter(|&count| count <= MAX_INSTANCES).ok_or_else(|| {
        let message = format!("{} has more than {MAX_INSTANCES} instances", thread.owner);
        error(thread.source, bytes(&property.value), message).label("the most that are imported")
    })
}

/// Runtime, period and deadline of a reservation; each defaults to the previous one. As in rt-app, an old name counts
/// only if no new name, or its default, has set the figure.
fn reservation(thread: Entries<'_>) -> Found<Option<[Rational; 3]>> {
    let new_period = above_zero(micros(thread, "dl-period")?);
    let is_new = above_zero(micros(thread, "dl-runtime")?).is_some();
    let get = |key: &str, old: &str, given: bool| match micros(thread, key)? {
        None if !given => micros(thread, old),
        found => Ok(found),
    };
    let Some(runtime) = above_zero(get("dl-runtime", "runtime", false)?) else { return Ok(None) };
    let above = |found: Option<Rational>, key: &str| match (&found, above_zero(found.clone())) {
        (Some(_), None) => {
            let property = thread.all().find(|property| property.name.as_str().ends_with(key));
            let place = property
                .map_or(thread.object.start()..thread.object.start() + 1, |property| bytes(&property.value));
            Err(zero(thread.source, place, &format!("the {key} of {}", thread.owner)))
        }
        (_, found) => Ok(found),
    };
    let period = above(get("dl-period", "period", is_new)?, "period")?.unwrap_or_else(|| runtime.clone());
    let deadline = above(get("dl-deadline", "deadline", is_new || new_period.is_some())?, "deadline")?
        .unwrap_or_else(|| period.clone());
    Ok(Some([runtime, period, deadline]))
}

/// The scheduling policy and priority of a thread.
#[derive(Clone)]
struct Policy {
    name: String,
    priority: Rational,
}

impl Policy {
    fn is_fixed(&self) -> bool {
        matches!(&*self.name, "SCHED_FIFO" | "SCHED_RR")
    }
}

fn default_policy<'a>(source: &'a Arc<Source>, root: &'a Object<'a>) -> &'a str {
    let global = root.properties.iter().find(|property| property.name.as_str() == "global");
    let global = global.and_then(|global| Entries::of(source, global, "the file").ok());
    global.and_then(|global| global.text("default_policy")).unwrap_or("SCHED_OTHER")
}

fn policy(thread: Entries<'_>, default: &str) -> Found<Policy> {
    let name = thread.text("policy").unwrap_or(default).to_owned();
    // rt-app's default for threads of SCHED_FIFO and SCHED_RR.
    let mut policy = Policy { name, priority: Rational::from_integer(10.into()) };
    if policy.is_fixed()
        && let Some(priority) = micros(thread, "priority")?
    {
        policy.priority = priority;
    }
    Ok(policy)
}

/// Determines the scheduler of tasks with these policies: fixed priorities if all have them, otherwise EDF.
fn schedule(policies: &[Policy], draft: &mut Draft, at: usize) {
    let names: BTreeSet<&str> = policies.iter().map(|policy| &*policy.name).collect();
    let named = names.iter().map(|name| shortened(name)).collect::<Vec<_>>().join(", ");
    if policies.iter().all(Policy::is_fixed) && !policies.is_empty() {
        draft.scheduler = Scheduler::FixedPriority;
        let given: Vec<Rational> = policies.iter().map(|policy| policy.priority.clone()).collect();
        draft.rank(&given);
        draft.taken.push(format!("Priorities of {named} were turned round: the greatest number is 1 here."));
    } else if !policies.iter().all(|policy| policy.name == "SCHED_DEADLINE") {
        let (policies, their, together) = match names.len() {
            1 => ("policy", "its", ""),
            _ => ("policies", "their", " together"),
        };
        let kind = format!(
            "the {policies} {named} and {their} priorities, which isx does not have{together}: under EDF, which is taken, verdicts are not those of that kernel"
        );
        draft.left_out.note(kind, "", at);
    }
}
