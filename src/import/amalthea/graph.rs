//! The activity graphs of tasks and runnables: upper bounds on their ticks.
//!
//! Items run one after another, so their bounds add up; a switch counts its longest branch. The sum of each runnable
//! is cached, so that one called from many places is summed once; recursive calls are rejected.

use std::collections::HashMap;
use std::rc::Rc;

use num_traits::Zero;

use super::hardware::Core;
use super::references::Reference;
use crate::draft::LeftOut;
use crate::figures::Found;
use crate::xml::Element;
use isx_exact::quantity::Rational;
use isx_taskset::shortened;

/// The maximum nesting depth of groups, switches and calls.
const MAX_DEPTH: usize = 200;

/// The maximum number of kinds of omissions recorded per runnable.
const MAX_KINDS: usize = 60;

/// The runnables of a model, with the sums computed so far.
pub(super) struct Graphs<'a> {
    pub core: &'a Core,
    pub left_out: &'a mut LeftOut,
    /// The task whose ticks are summed.
    task: &'a str,
    /// The current depth of the traversal.
    depth: usize,
    /// For each runnable being summed, the omissions so far: every kind with a location.
    open: Vec<Vec<(String, usize)>>,
    runnables: HashMap<&'a str, Runnable<'a>>,
}

struct Runnable<'a> {
    element: Element<'a>,
    sum: Sum,
    /// Omissions in it and in everything it calls; they are reported for every task that calls it.
    left_out: Rc<[(String, usize)]>,
}

#[derive(Clone)]
enum Sum {
    Unknown,
    /// Being summed: a call now is a recursive one.
    Open,
    Known(Rational),
}

/// The meaning of a graph item.
enum Does {
    Ticks,
    Calls(&'static str),
    /// All its items in sequence.
    All,
    /// One of its entries.
    OneOf,
    /// An element that is left out.
    Other(&'static str),
    /// One of a kind that is not known.
    Unknown,
}

fn does(kind: &str) -> Does {
    match kind {
        "Ticks" => Does::Ticks,
        "RunnableCall" | "TaskRunnableCall" => Does::Calls("runnable"),
        "SynchronousServerCall" => Does::Calls("serverRunnable"),
        "Group" | "CallSequence" => Does::All,
        "ModeSwitch"
        | "ProbabilitySwitch"
        | "RunnableModeSwitch"
        | "RunnableProbabilitySwitch"
        | "Switch" => Does::OneOf,
        "WhileLoop" => Does::Other("loops without a bound (`WhileLoop`), whose time is not in the WCET"),
        "ExecutionNeed" => Does::Other("execution needs, which are no ticks: they are not in the WCET"),
        "LabelAccess" | "ModeLabelAccess" => {
            Does::Other("memory accesses (labels), whose time is not in the WCET")
        }
        "ChannelSend" | "ChannelReceive" | "SenderReceiverRead" | "SenderReceiverWrite" => {
            Does::Other("communication, whose time is not in the WCET")
        }
        "WaitEvent" => Does::Other("waiting for events, such as that a GPU is done"),
        "SetEvent" | "ClearEvent" => Does::Other("events set and cleared"),
        "InterProcessTrigger" => Does::Other("precedence: tasks that start another (`InterProcessTrigger`)"),
        "SemaphoreAccess" => Does::Other(
            "shared resources (semaphores): blocking depends on a protocol that the file does not name; give it as `blocking` of a task",
        ),
        "SchedulePoint" => Does::Other("points of cooperative scheduling"),
        "AsynchronousServerCall" | "GetResultServerCall" => Does::Other("asynchronous server calls"),
        _ => Does::Unknown,
    }
}

impl<'a> Graphs<'a> {
    pub fn new(software: Element<'a>, core: &'a Core, left_out: &'a mut LeftOut) -> Self {
        let runnable = |element: Element<'a>| {
            let runnable = Runnable { element, sum: Sum::Unknown, left_out: Rc::default() };
            Some((element.get("name")?, runnable))
        };
        let runnables = software.children("runnables").filter_map(runnable).collect();
        Graphs { core, left_out, task: "", depth: 0, open: Vec::new(), runnables }
    }

    /// Records an omission for the task and for the runnable being summed.
    fn note(&mut self, kind: impl Into<String>, at: usize) {
        let kind = kind.into();
        if let Some(known) = self.open.last_mut()
            && !known.iter().any(|(other, _)| *other == kind)
            && known.len() < MAX_KINDS
        {
            known.push((kind.clone(), at));
        }
        self.left_out.note(kind, self.task, at);
    }

    /// The maximum ticks of a task with this name.
    pub fn task(&mut self, element: Element<'a>, name: &'a str, words: &str) -> Found<Rational> {
        self.task = name;
        self.graph(element, words)
    }

    /// The maximum ticks of an element with a graph, which `words` describe; the graph is called `callGraph` before 1.0.
    fn graph(&mut self, element: Element<'a>, words: &str) -> Found<Rational> {
        let graph = element.child("activityGraph").or_else(|| element.child("callGraph"));
        graph.map_or_else(|| Ok(Rational::zero()), |graph| self.items(graph, words))
    }

    /// The sum of the items of a graph, group or entry.
    fn items(&mut self, element: Element<'a>, words: &str) -> Found<Rational> {
        if self.depth >= MAX_DEPTH {
            let message = format!("groups and calls of {words} are nested more than {MAX_DEPTH} deep");
            return Err(element.error(message).label("one too many"));
        }
        self.depth += 1;
        let items =
            element.elements().filter(|item| matches!(item.tag(), "items" | "graphEntries" | "calls"));
        let sum = items.map(|item| self.item(item, words)).sum();
        self.depth -= 1;
        sum
    }

    fn item(&mut self, item: Element<'a>, words: &str) -> Found<Rational> {
        if item.child("counter").is_some() {
            let kind = "items that are not run every time (`counter`): they count every time";
            self.note(kind, item.start());
        }
        match does(item.kind()) {
            Does::Ticks => return self.ticks(item, words),
            Does::Calls(attribute) => return self.call(item, attribute, words),
            Does::All => return self.items(item, words),
            Does::OneOf => {
                let entries =
                    item.elements().filter(|entry| matches!(entry.tag(), "entries" | "defaultEntry"));
                let sums = entries.map(|entry| self.items(entry, words)).collect::<Found<Vec<Rational>>>()?;
                self.note("switches: the longest way counts", item.start());
                return Ok(sums.into_iter().max().unwrap_or_default());
            }
            Does::Other(kind) => self.note(kind, item.start()),
            Does::Unknown => {
                self.note(format!("items of kind {}", shortened(item.kind())), item.start());
            }
        }
        Ok(Rational::zero())
    }

    /// The ticks of the runnable that an item calls.
    fn call(&mut self, item: Element<'a>, attribute: &'static str, words: &str) -> Found<Rational> {
        let Some(reference) = Reference::one(item, attribute) else {
            let refused = item.error(format!("a call in {words} names no runnable"));
            return Err(refused.label(format!("expected `{attribute}`")));
        };
        let called = shortened(&reference.name);
        let Some(runnable) = self.runnables.get_mut(&*reference.name) else {
            let refused = item.error_of(attribute, format!("{words} calls a runnable `{called}`"));
            return Err(refused
                .label("no runnable of this name is in the file")
                .help("models may be spread over several files; isx reads one"));
        };
        let element = runnable.element;
        match &runnable.sum {
            Sum::Known(sum) => {
                let (sum, kinds) = (sum.clone(), Rc::clone(&runnable.left_out));
                kinds.iter().for_each(|(kind, at)| self.note(kind, *at));
                return Ok(sum);
            }
            Sum::Open => {
                let refused = item.error_of(attribute, format!("runnable `{called}` calls itself"));
                return Err(refused.label("through this call"));
            }
            Sum::Unknown => runnable.sum = Sum::Open,
        }
        self.open.push(Vec::new());
        let sum = self.graph(element, &format!("runnable `{called}`"));
        let kinds = self.open.pop().unwrap_or_default();
        if let Some(caller) = self.open.last_mut() {
            let new = |kind: &&(String, usize)| !caller.iter().any(|(other, _)| *other == kind.0);
            let new: Vec<(String, usize)> = kinds.iter().filter(new).cloned().collect();
            caller.extend(new);
            caller.truncate(MAX_KINDS);
        }
        if let Some(runnable) = self.runnables.get_mut(&*reference.name) {
            // An error is reported once, for the task that first called the runnable.
            runnable.left_out = kinds.into();
            runnable.sum = Sum::Known(sum.as_ref().map_or_else(|_| Rational::zero(), Clone::clone));
        }
        sum
    }

    /// The upper bound of ticks on the core: those for its kind if given, otherwise those for any kind.
    fn ticks(&self, item: Element<'a>, words: &str) -> Found<Rational> {
        let of_kind = |element: &Element<'a>| {
            Reference::one(*element, "key").is_some_and(|reference| self.core.is_kind(&reference.name))
        };
        let extended = item.children("extended").find(of_kind).and_then(|extended| extended.child("value"));
        let what = format!("ticks of {words}");
        let Some(value) = extended.or_else(|| item.child("default")) else {
            let refused = item.error(match &self.core.definition {
                Some(kind) => format!("{what} have no figure for core `{}`", shortened(kind)),
                None => format!("{what} have figures for certain cores alone"),
            });
            return Err(refused.label("expected an `extended` of this core or a `default` in here"));
        };
        let attribute = if value.kind() == "DiscreteValueConstant" { "value" } else { "upperBound" };
        if let Some(bound) = value.figure(attribute, &what) {
            return bound.number();
        }
        let entries = value.children("entries").map(|entry| entry.figure("upperBound", &what));
        let bounds = entries.collect::<Option<Vec<_>>>().unwrap_or_default();
        let bounds = bounds.iter().map(|bound| bound.number()).collect::<Found<Vec<Rational>>>()?;
        bounds.into_iter().max().ok_or_else(|| {
            let refused = value.error(format!("{what} have no upper bound"));
            let refused = refused.label(format!("expected `{attribute}`"));
            refused.help("a WCET is a bound: a distribution without one is none")
        })
    }
}
