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
use roxmltree::Node;

use super::draft::{Draft, DraftTask};
use super::figures::{Found, Time, error};
use super::xml::{child, children, parse, place, place_of, required};
use super::{Format, Head, Need, Options, Refusal};
use graph::Graphs;
use isx_exact::quantity::TimeUnit;
use isx_taskset::{Scheduler, Source, shortened};
use isx_text::Problems;
use references::{Reference, kind_of};
use stimuli::{Activation, Stimuli, time};

pub(super) const FORMAT: Format =
    Format { name: "amalthea", ending: "amxmi", recognises, takes: &[Need::Clock, Need::Core], read };

/// The prefix of the namespace of every version; the version follows.
const NAMESPACE: &str = "http://app4mc.eclipse.org/amalthea/";

/// The namespace prefixes of the first models, from the project that preceded APP4MC.
const BEFORE: &str = "http://www.amalthea.itea2.org/model/";

/// The first version whose graphs are supported.
const FIRST: (u32, u32, u32) = (0, 9, 5);

fn recognises(head: &Head<'_>) -> bool {
    head.root == Some("Amalthea")
}

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let document = parse(source)?;
    let root = document.root_element();
    let version = version(source, root)?;
    let mut draft = Draft::new(source, format!("AMALTHEA {version}"));
    let core = hardware::core(source, root, options, &mut draft)?;
    draft.clock = Some(core.hertz.clone());
    draft.taken.push(core.taken.clone());
    draft.taken.push(
        "WCETs are the sums of the upper bounds of the ticks that a task's runnables have; deadlines are upper limits of response times."
            .into(),
    );
    draft.taken.push(
        "The greatest jitter of a stimulus is that of its task, and a task that is not preemptive runs through once it has begun.".into(),
    );
    let Some(software) = child(root, "swModel") else {
        let message = "the model has no `swModel`: no tasks are in this file";
        let help = "models may be spread over several files; isx reads one";
        return Err(error(source, place(root), message).label("not in this element").help(help).into());
    };
    let stimuli = Stimuli::new(source, root);
    let limits = response_limits(source, root, &mut draft)?;
    let mut graphs = Graphs::new(source, software, &core);
    let mut problems = Problems::default();
    for node in software.children().filter(Node::is_element) {
        if matches!(node.tag_name().name(), "tasks" | "isrs") {
            let made = tasks(&stimuli, &limits, &mut graphs, node, &mut draft);
            draft.tasks.extend(problems.keep(made).into_iter().flatten());
            if draft.is_overfull() {
                break;
            }
        }
    }
    problems.none()?;
    remainder::note(root, &core, &mut draft);
    if draft.scheduler == Scheduler::Edf {
        draft.taken.push("Priorities are not taken: the file does not say which end is the highest. EDF, unless a line `scheduler:` is added.".into());
    }
    Ok(draft)
}

/// The version in the root's namespace, if supported.
fn version(source: &Arc<Source>, root: Node<'_, '_>) -> Found<String> {
    let namespace = root.tag_name().namespace().unwrap_or("");
    let version = namespace.strip_prefix(NAMESPACE);
    let numbers: Option<Vec<u32>> =
        version.and_then(|version| version.split('.').map(|part| part.parse().ok()).collect());
    let name = place(root);
    match (root.tag_name().name(), numbers.as_deref()) {
        ("Amalthea", Some(&[major, minor, patch])) if (major, minor, patch) >= FIRST => {
            Ok(version.unwrap_or_default().to_owned())
        }
        ("Amalthea", Some(&[..])) => {
            let message =
                format!("this is an AMALTHEA model of version {}", shortened(version.unwrap_or_default()));
            Err(error(source, name, message)
                .label("0.9.5 is the first that isx reads")
                .help("let APP4MC migrate the model to a newer version, and import that"))
        }
        _ if namespace.starts_with(BEFORE) => {
            Err(error(source, name, "this is an AMALTHEA model from before APP4MC")
                .label("0.9.5 of APP4MC is the first version that isx reads")
                .help("let APP4MC migrate the model to a newer version, and import that"))
        }
        _ => Err(error(source, name, "this is no AMALTHEA model of APP4MC")
            .label("`am:Amalthea` is due here, in a namespace of APP4MC")
            .help(format!("such a model begins with `<am:Amalthea xmlns:am=\"{NAMESPACE}1.0.0\"`"))),
    }
}

/// The tasks of a `tasks` or `isrs` element: one per periodic stimulus.
fn tasks(
    stimuli: &Stimuli<'_, '_>,
    limits: &HashMap<String, Time>,
    graphs: &mut Graphs<'_, '_, '_>,
    node: Node<'_, '_>,
    draft: &mut Draft,
) -> Found<Vec<DraftTask>> {
    let source = graphs.source;
    let name = required(source, node, "name", "the task")?.text;
    let owner = format!("task `{}`", shortened(name));
    let at = place(node).start;
    let activations = stimuli.of_task(node, name, &mut draft.left_out)?;
    if activations.is_empty() {
        draft.left_out.note("tasks that no periodic stimulus activates", name, at);
        return Ok(Vec::new());
    }
    let ticks = graphs.task(node, name, &owner, &mut draft.left_out)?;
    if ticks.is_zero() {
        draft.left_out.note("tasks without ticks", name, at);
        return Ok(Vec::new());
    }
    if node.tag_name().name() == "isrs" {
        draft.left_out.note("what makes an interrupt routine: it is a task here", name, at);
    }
    let several = activations.len() > 1;
    if several {
        draft.left_out.note("several periodic stimuli of one task: a task for each", name, at);
    }
    let line = source.line(at);
    let is_longer = |jitter: &Time, period: &Time| jitter.value > limits.get(name).unwrap_or(period).value;
    if activations.iter().any(|one| one.jitter.as_ref().is_some_and(|jitter| is_longer(jitter, &one.period)))
    {
        draft.left_out.note("jitter of stimuli beyond the deadline", name, at);
    }
    let runs_through = matches!(node.attribute("preemption"), Some("non_preemptive" | "nonpreemptive"));
    let made = |Activation { stimulus, period, jitter }: Activation| {
        let full = if several { format!("{name} ({stimulus})") } else { name.to_owned() };
        let deadline = limits.get(name).filter(|limit| **limit != period).cloned();
        let jitter = jitter.filter(|jitter| !is_longer(jitter, &period));
        let wcet = Time { value: ticks.clone(), unit: TimeUnit::None };
        let told = format!("{} line {line}, {}, stimulus {stimulus}", source.file_name(), graphs.core.words);
        let task = DraftTask::new(full, [wcet, period], told, place_of(node, "name"));
        DraftTask { deadline, jitter, runs_through, ..task }
    };
    Ok(activations.into_iter().map(made).collect())
}

/// The smallest upper limit that a requirement sets for the response time of each process.
fn response_limits(
    source: &Arc<Source>,
    root: Node<'_, '_>,
    draft: &mut Draft,
) -> Found<HashMap<String, Time>> {
    let mut limits: HashMap<String, Time> = HashMap::new();
    let Some(constraints) = child(root, "constraintsModel") else { return Ok(limits) };
    for requirement in children(constraints, "requirements") {
        let who = requirement.attribute("name").unwrap_or("");
        let limit = child(requirement, "limit");
        let is_deadline = kind_of(requirement) == "ProcessRequirement"
            && limit.is_some_and(|limit| {
                kind_of(limit) == "TimeRequirementLimit"
                    && limit.attribute("limitType") == Some("UpperLimit")
                    && limit.attribute("metric") == Some("ResponseTime")
            });
        let value = limit.and_then(|limit| child(limit, "limitValue"));
        let process = Reference::one(requirement, "process");
        let (true, Some(value), Some(process)) = (is_deadline, value, process) else {
            draft.left_out.note(
                "requirements other than upper limits of response times",
                who,
                place(requirement).start,
            );
            continue;
        };
        let time = time(source, value, &format!("requirement `{}`", shortened(who)))?;
        let known = limits.entry(process.name).or_insert_with(|| time.clone());
        if time.value < known.value {
            *known = time;
        }
    }
    Ok(limits)
}
