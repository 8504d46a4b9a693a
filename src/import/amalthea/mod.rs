//! APP4MC's AMALTHEA models, `.amxmi`, from version 0.9.5 on (tested with models of 0.9.5, 0.9.7 and 1.0.0; later
//! versions are read by the same elements).
//!
//! ```xml
//! <am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/1.0.0" ..>
//!   <swModel>
//!     <tasks name="EKF" stimuli="periodic_15ms?type=PeriodicStimulus">
//!       <activityGraph><items xsi:type="am:RunnableCall" runnable="EKF_Function?type=Runnable"/></activityGraph></tasks>
//!     <runnables name="EKF_Function"><activityGraph>
//!       <items xsi:type="am:Ticks"><extended key="A57?type=ProcessingUnitDefinition">
//!         <value xsi:type="am:DiscreteValueStatistics" upperBound="9519340" ../></extended></items></activityGraph></runnables>
//! ```
//!
//! One core, or one kind of core, is considered: `hardware.rs` finds it and its clock. A task's WCET is the sum of
//! the upper bounds of the ticks in its activity graph and in the graphs of the runnables that it calls, on that kind
//! of core (`graph.rs`). Its periods are those of its periodic stimuli (`stimuli.rs`), its deadline the smallest
//! upper limit that a requirement sets for its response time. Everything else is left out and reported
//! (`remainder.rs`).

mod graph;
mod hardware;
mod references;
mod remainder;
mod stimuli;

use std::collections::HashMap;
use std::sync::Arc;

use num_traits::Zero;

use super::draft::{Draft, DraftTask, MAX_TASKS};
use super::figures::{Found, Time};
use super::xml::{Element, parse};
use super::{Format, Head, Need, Options, Refusal};
use graph::Graphs;
use isx_exact::quantity::TimeUnit;
use isx_taskset::{Scheduler, Source, shortened};
use isx_text::Problems;
use references::Reference;
use stimuli::{Activation, Stimuli, time};

pub(super) const FORMAT: Format = Format {
    name: "amalthea",
    ending: "amxmi",
    recognises: |head: &Head<'_>| head.root == Some("Amalthea"),
    takes: &[Need::Clock, Need::Core],
    read,
};

/// The prefix of the namespace of every version; the version follows.
const NAMESPACE: &str = "http://app4mc.eclipse.org/amalthea/";

/// The namespace prefixes of the first models, from the project that preceded APP4MC.
const BEFORE: &str = "http://www.amalthea.itea2.org/model/";

/// The first version whose graphs are supported.
const FIRST: (u32, u32, u32) = (0, 9, 5);

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let document = parse(source)?;
    let root = Element::root(source, &document);
    let version = version(root)?;
    let mut draft = Draft::new(source, format!("AMALTHEA {version}"));
    let core = hardware::core(root, options, &mut draft)?;
    draft.clock = Some(core.hertz.clone());
    draft.taken.push(core.taken.clone());
    draft.taken.push(
        "WCETs are the sums of the upper bounds of the ticks that a task's runnables have; deadlines are upper limits of response times."
            .into(),
    );
    draft.taken.push(
        "The greatest jitter of a stimulus is that of its task, and a task that is not preemptive runs through once it has begun.".into(),
    );
    let Some(software) = root.child("swModel") else {
        let refused = root.error("the model has no `swModel`: no tasks are in this file");
        let refused = refused.label("not in this element");
        return Err(refused.help("models may be spread over several files; isx reads one").into());
    };
    let stimuli = Stimuli::new(root);
    let limits = response_limits(root, &mut draft)?;
    let mut graphs = Graphs::new(software, &core, &mut draft.left_out);
    let (mut problems, mut all) = (Problems::default(), Vec::new());
    for element in software.elements().filter(|element| matches!(element.tag(), "tasks" | "isrs")) {
        let made = tasks(&stimuli, &limits, &mut graphs, element);
        all.extend(problems.keep(made).into_iter().flatten());
        if all.len() > MAX_TASKS {
            break;
        }
    }
    draft.tasks = all;
    problems.none()?;
    remainder::note(root, &core, &mut draft);
    if draft.scheduler == Scheduler::Edf {
        draft.taken.push("Priorities are not taken: the file does not say which end is the highest. EDF, unless a line `scheduler:` is added.".into());
    }
    Ok(draft)
}

/// The version in the root's namespace, if supported.
fn version(root: Element<'_>) -> Found<&str> {
    const MIGRATE: &str = "let APP4MC migrate the model to a newer version, and import that";
    let version = root.namespace().strip_prefix(NAMESPACE).filter(|_| root.tag() == "Amalthea");
    let numbers = version
        .and_then(|version| version.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>());
    match (version, numbers.as_deref()) {
        (Some(version), Some(&[major, minor, patch])) if (major, minor, patch) >= FIRST => Ok(version),
        (Some(version), Some(_)) => {
            let message = format!("this is an AMALTHEA model of version {}", shortened(version));
            Err(root.error(message).label("0.9.5 is the first that isx reads").help(MIGRATE))
        }
        _ if root.namespace().starts_with(BEFORE) => Err(root
            .error("this is an AMALTHEA model from before APP4MC")
            .label("0.9.5 of APP4MC is the first version that isx reads")
            .help(MIGRATE)),
        _ => Err(root
            .error("this is no AMALTHEA model of APP4MC")
            .label("expected `am:Amalthea`, in a namespace of APP4MC")
            .help(format!("such a model begins with `<am:Amalthea xmlns:am=\"{NAMESPACE}1.0.0\"`"))),
    }
}

/// The tasks of a `tasks` or `isrs` element: one per periodic stimulus.
fn tasks<'a>(
    stimuli: &Stimuli<'a>,
    limits: &HashMap<String, Time>,
    graphs: &mut Graphs<'a>,
    element: Element<'a>,
) -> Found<Vec<DraftTask>> {
    let name = element.required("name", "the task")?.text;
    let owner = format!("task `{}`", shortened(name));
    let activations = stimuli.of_task(element, name, graphs.left_out)?;
    if activations.is_empty() {
        graphs.left_out.note("tasks that no periodic stimulus activates", name, element.start());
        return Ok(Vec::new());
    }
    let ticks = graphs.task(element, name, &owner)?;
    let mut note = |kind: &str| graphs.left_out.note(kind, name, element.start());
    if ticks.is_zero() {
        note("tasks without ticks");
        return Ok(Vec::new());
    }
    if element.tag() == "isrs" {
        note("what makes an interrupt routine: it is a task here");
    }
    let several = activations.len() > 1;
    if several {
        note("several periodic stimuli of one task: a task for each");
    }
    let is_longer = |jitter: &Time, period: &Time| jitter.value > limits.get(name).unwrap_or(period).value;
    if activations.iter().any(|one| one.jitter.as_ref().is_some_and(|jitter| is_longer(jitter, &one.period)))
    {
        note("jitter of stimuli beyond the deadline");
    }
    let runs_through = matches!(element.get("preemption"), Some("non_preemptive" | "nonpreemptive"));
    let made = |Activation { stimulus, period, jitter }: Activation| {
        let full = if several { format!("{name} ({stimulus})") } else { name.to_owned() };
        let deadline = limits.get(name).filter(|limit| **limit != period).cloned();
        let jitter = jitter.filter(|jitter| !is_longer(jitter, &period));
        let wcet = Time { value: ticks.clone(), unit: TimeUnit::None };
        let origin = format!("{}, {}, stimulus {stimulus}", element.origin(), graphs.core.words);
        let place = element.place_of("name");
        let mut task = DraftTask::new(full, [wcet, period], deadline.as_ref(), origin, place);
        jitter.iter().for_each(|jitter| task.part.time("jitter", jitter));
        if runs_through {
            task.part.words("nonpreemptive", "all");
        }
        task
    };
    Ok(activations.into_iter().map(made).collect())
}

/// The smallest upper limit that a requirement sets for the response time of each process.
fn response_limits(root: Element<'_>, draft: &mut Draft) -> Found<HashMap<String, Time>> {
    let mut limits: HashMap<String, Time> = HashMap::new();
    let constraints = root.child("constraintsModel").into_iter();
    for requirement in constraints.flat_map(|constraints| constraints.children("requirements")) {
        let who = requirement.name();
        let limit = requirement.child("limit").filter(|limit| {
            requirement.kind() == "ProcessRequirement"
                && limit.kind() == "TimeRequirementLimit"
                && limit.get("limitType") == Some("UpperLimit")
                && limit.get("metric") == Some("ResponseTime")
        });
        let value = limit.and_then(|limit| limit.child("limitValue"));
        let Some((value, process)) = value.zip(Reference::one(requirement, "process")) else {
            let kind = "requirements other than upper limits of response times";
            draft.left_out.note(kind, who, requirement.start());
            continue;
        };
        let time = time(value, &format!("requirement `{}`", shortened(who)))?;
        let known = limits.entry(process.name).or_insert_with(|| time.clone());
        if time.value < known.value {
            *known = time;
        }
    }
    Ok(limits)
}
