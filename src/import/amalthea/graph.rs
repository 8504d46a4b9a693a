//! The activity graphs of tasks and runnables: upper bounds on their ticks.
//!
//! Items run one after another, so their bounds add up; a switch counts its longest branch. The sum of each runnable
//! is cached, so that one called from many places is summed once; recursive calls are rejected.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use num_traits::Zero;
use roxmltree::Node;

use super::hardware::Core;
use super::references::{Reference, kind_of};
use crate::draft::LeftOut;
use crate::figures::{Found, error};
use crate::xml::{child, children, figure, place, place_of};
use isx_exact::quantity::Rational;
use isx_taskset::{Source, shortened};

/// The maximum nesting depth of groups, switches and calls.
const MAX_DEPTH: usize = 200;

/// The maximum number of kinds of omissions recorded per runnable.
const MAX_KINDS: usize = 60;

/// The runnables of a model, with the sums computed so far.
pub(super) struct Graphs<'a, 'i, 'c> {
    pub source: &'a Arc<Source>,
    pub core: &'c Core,
    /// The current depth of the traversal.
    depth: usize,
    /// For each runnable being summed, the omissions so far: every kind with a location.
    open: Vec<Vec<(String, usize)>>,
    runnables: HashMap<&'a str, Runnable<'a, 'i>>,
}

struct Runnable<'a, 'i> {
    node: Node<'a, 'i>,
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

/// The owner of the items being summed: the task, and the element that contains the items.
struct Owner<'o> {
    task: &'o str,
    words: &'o str,
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
}

fn does(kind: &str) -> Option<Does> {
    Some(match kind {
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
        "TerminateProcess" | "EnforcedMigration" | "CustomEventTrigger" | "LocalModeLabelAssignment" => {
            return None;
        }
        "AsynchronousServerCall" | "GetResultServerCall" => Does::Other("asynchronous server calls"),
        _ => return None,
    })
}

impl<'a, 'i> Runnable<'a, 'i> {
    fn new(node: Node<'a, 'i>) -> Self {
        Runnable { node, sum: Sum::Unknown, left_out: Rc::default() }
    }
}

impl<'a, 'i: 'a, 'c> Graphs<'a, 'i, 'c> {
    pub fn new(source: &'a Arc<Source>, software: Node<'a, 'i>, core: &'c Core) -> Self {
        let nodes = software.children().filter(|node| node.tag_name().name() == "runnables");
        let named = nodes.filter_map(|node| Some((node.attribute("name")?, Runnable::new(node))));
        Graphs { source, core, depth: 0, open: Vec::new(), runnables: named.collect() }
    }

    /// Records an omission for a task and for the runnable being summed.
    fn note(&mut self, kind: impl Into<String>, owner: &Owner<'_>, at: usize, left_out: &mut LeftOut) {
        let kind = kind.into();
        if let Some(known) = self.open.last_mut()
            && !known.iter().any(|(other, _)| *other == kind)
            && known.len() < MAX_KINDS
        {
            known.push((kind.clone(), at));
        }
        left_out.note(kind, owner.task, at);
    }

    /// The maximum ticks of a task.
    pub fn task(
        &mut self,
        node: Node<'_, '_>,
        task: &str,
        words: &str,
        left_out: &mut LeftOut,
    ) -> Found<Rational> {
        self.graph(node, &Owner { task, words }, left_out)
    }

    /// The maximum ticks of an element with a graph; the graph is called `callGraph` before 1.0.
    fn graph(&mut self, node: Node<'_, '_>, owner: &Owner<'_>, left_out: &mut LeftOut) -> Found<Rational> {
        let graph = child(node, "activityGraph").or_else(|| child(node, "callGraph"));
        graph.map_or_else(|| Ok(Rational::zero()), |graph| self.items(graph, owner, left_out))
    }

    /// The sum of the items of a graph, group or entry.
    fn items(&mut self, node: Node<'_, '_>, owner: &Owner<'_>, left_out: &mut LeftOut) -> Found<Rational> {
        if self.depth >= MAX_DEPTH {
            let message =
                format!("groups and calls of {} are nested more than {MAX_DEPTH} deep", owner.words);
            return Err(error(self.source, place(node), message).label("one too many"));
        }
        self.depth += 1;
        let sum = self.sum(node, owner, left_out);
        self.depth -= 1;
        sum
    }

    fn sum(&mut self, node: Node<'_, '_>, owner: &Owner<'_>, left_out: &mut LeftOut) -> Found<Rational> {
        let mut sum = Rational::zero();
        for item in node
            .children()
            .filter(|node| matches!(node.tag_name().name(), "items" | "graphEntries" | "calls"))
        {
            sum += self.item(item, owner, left_out)?;
        }
        Ok(sum)
    }

    fn item(&mut self, item: Node<'_, '_>, owner: &Owner<'_>, left_out: &mut LeftOut) -> Found<Rational> {
        if child(item, "counter").is_some() {
            let kind = "items that are not run every time (`counter`): they count every time";
            self.note(kind, owner, place(item).start, left_out);
        }
        match does(kind_of(item)) {
            Some(Does::Ticks) => self.ticks(item, owner),
            Some(Does::Calls(attribute)) => self.call(item, attribute, owner, left_out),
            Some(Does::All) => self.items(item, owner, left_out),
            Some(Does::OneOf) => {
                let mut most = Rational::zero();
                for entry in item
                    .children()
                    .filter(|node| matches!(node.tag_name().name(), "entries" | "defaultEntry"))
                {
                    most = most.max(self.items(entry, owner, left_out)?);
                }
                self.note("switches: the longest way counts", owner, place(item).start, left_out);
                Ok(most)
            }
            Some(Does::Other(kind)) => {
                self.note(kind, owner, place(item).start, left_out);
                Ok(Rational::zero())
            }
            None => {
                let kind = format!("items of kind {}", shortened(kind_of(item)));
                self.note(kind, owner, place(item).start, left_out);
                Ok(Rational::zero())
            }
        }
    }

    /// The ticks of the runnable that an item calls.
    fn call(
        &mut self,
        item: Node<'_, '_>,
        attribute: &str,
        owner: &Owner<'_>,
        left_out: &mut LeftOut,
    ) -> Found<Rational> {
        let Some(reference) = Reference::one(item, attribute) else {
            let message = format!("a call in {} names no runnable", owner.words);
            return Err(error(self.source, place(item), message).label(format!("`{attribute}` is due here")));
        };
        let called = shortened(&reference.name);
        let refuse = |message: String| error(self.source, place_of(item, attribute), message);
        let Some(runnable) = self.runnables.get_mut(&*reference.name) else {
            return Err(refuse(format!("{} calls a runnable `{called}`", owner.words))
                .label("no runnable of this name is in the file")
                .help("models may be spread over several files; isx reads one"));
        };
        let node = runnable.node;
        match &runnable.sum {
            Sum::Known(sum) => {
                let (sum, kinds) = (sum.clone(), Rc::clone(&runnable.left_out));
                for (kind, at) in kinds.iter() {
                    self.note(kind, owner, *at, left_out);
                }
                return Ok(sum);
            }
            Sum::Open => {
                return Err(refuse(format!("runnable `{called}` calls itself")).label("through this call"));
            }
            Sum::Unknown => runnable.sum = Sum::Open,
        }
        let words = format!("runnable `{called}`");
        let inner = Owner { task: owner.task, words: &words };
        self.open.push(Vec::new());
        let sum = self.graph(node, &inner, left_out);
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
    fn ticks(&self, item: Node<'_, '_>, owner: &Owner<'_>) -> Found<Rational> {
        let of_kind = |node: &Node<'_, '_>| {
            Reference::one(*node, "key").is_some_and(|reference| self.core.is_kind(&reference.name))
        };
        let extended = children(item, "extended").find(of_kind).and_then(|extended| child(extended, "value"));
        let Some(value) = extended.or_else(|| child(item, "default")) else {
            let message = match &self.core.definition {
                Some(kind) => {
                    format!("ticks of {} have no figure for core `{}`", owner.words, shortened(kind))
                }
                None => format!("ticks of {} have figures for certain cores alone", owner.words),
            };
            return Err(error(self.source, place(item), message)
                .label("an `extended` of this core or a `default` is due in here"));
        };
        self.upper_bound(value, owner)
    }

    fn upper_bound(&self, value: Node<'_, '_>, owner: &Owner<'_>) -> Found<Rational> {
        let what = format!("ticks of {}", owner.words);
        let attribute = if kind_of(value) == "DiscreteValueConstant" { "value" } else { "upperBound" };
        if let Some(bound) = figure(self.source, value, attribute, &what) {
            return bound.number();
        }
        let entries = children(value, "entries").map(|entry| figure(self.source, entry, "upperBound", &what));
        let bounds = entries.collect::<Option<Vec<_>>>().unwrap_or_default();
        let bounds = bounds.iter().map(|bound| bound.number()).collect::<Found<Vec<Rational>>>()?;
        bounds.into_iter().max().ok_or_else(|| {
            error(self.source, place(value), format!("{what} have no upper bound"))
                .label(format!("`{attribute}` is due here"))
                .help("a WCET is a bound: a distribution without one is none")
        })
    }
}
