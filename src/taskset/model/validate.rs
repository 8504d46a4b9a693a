//! Validation of a task set: the invariants that all users rely on, checked here alone. What is wrong has a path into the
//! set, which the reader maps to a place of the file.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display};

use isx_exact::quantity::{Rational, format_decimal, shortened};
use num_traits::{One, Signed, Zero};

use super::{
    Choice, KernelCosts, LabelProblem, Lock, MAX_MODES, MAX_RESOURCES, MAX_VARIANTS, Nonpreemptive,
    Scheduler, Task, TaskSet, TimeBase, name_problem, resource_name_problem, text_problem,
};

/// What in a set something is about, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are the parts of a set")]
pub enum Part {
    Set,
    Resource(usize),
    Variant(usize),
    Mode(usize),
    Block(usize),
    Task(usize),
    Choice { task: usize, choice: usize },
}

/// A place in a set: a field of a part of it, or an item of that field. Prints as `tasks[3].choices[0].cost`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// The part.
    pub of: Part,
    /// The field, as its key in a file.
    pub field: &'static str,
    /// The number of the item, if it is one of a list.
    pub item: Option<usize>,
}

impl Path {
    fn new(of: Part, field: &'static str) -> Self {
        Self { of, field, item: None }
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Part::Set => {}
            Part::Resource(at) => write!(f, "resources[{at}].")?,
            Part::Variant(at) => write!(f, "variants[{at}].")?,
            Part::Mode(at) => write!(f, "modes[{at}].")?,
            Part::Block(at) => write!(f, "blocks[{at}].")?,
            Part::Task(at) => write!(f, "tasks[{at}].")?,
            Part::Choice { task, choice } => write!(f, "tasks[{task}].choices[{choice}].")?,
        }
        f.write_str(self.field)?;
        self.item.map_or(Ok(()), |item| write!(f, "[{item}]"))
    }
}

/// What is wrong at a place of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// A sentence that names the part and the field.
    pub message: String,
    /// What is expected at the place, or what stands there; empty if the sentence says it.
    pub label: String,
    /// What to do; empty if that is plain.
    pub help: String,
    /// Other places, each with what stands there; the first is the one that it is about most.
    pub also: Vec<(Path, String)>,
}

/// Why a task set is invalid: the first of what [`TaskSet::wrongs`] finds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", wrong.message)]
pub struct InvalidTaskSet {
    /// Where.
    pub path: Path,
    /// What is wrong.
    pub wrong: Box<Wrong>,
}

/// Why locks and jitter do not go together under EDF, and what to do.
const LOCKS_BESIDE_JITTER: &str = "the stack resource policy assumes that jobs are released when they arrive: give the sections as `nonpreemptive`";

impl TaskSet {
    /// Checks every invariant of a task set. Sets from the reader pass; call it after changing a set by hand. Fails
    /// with the first violation, in file order.
    pub fn validate(&self) -> Result<(), InvalidTaskSet> {
        first(self.wrongs())
    }

    /// As [`TaskSet::validate`], for a set that gets its clock later, and its scheduler unless that `is_last`.
    pub(super) fn validate_but_for_the_clock(&self, is_last: bool) -> Result<(), InvalidTaskSet> {
        let mut checks = Checks { set: self, found: Vec::new() };
        checks.all();
        if is_last {
            checks.locks_beside_jitter();
        }
        first(checks.found)
    }

    /// All that is wrong with a set, each with its place.
    pub fn wrongs(&self) -> Vec<(Path, Wrong)> {
        let mut checks = Checks { set: self, found: Vec::new() };
        checks.all();
        checks.locks_beside_jitter();
        checks.limits_of_the_clock();
        checks.found
    }

    /// Why overruns are not computed for the set.
    pub(crate) fn without_overruns(&self) -> Option<&'static str> {
        let is_short = |task: &Task| task.deadline() < task.period();
        let is_given = |task: &Task| {
            task.wcet_high.is_some() || task.choices.iter().any(|choice| choice.wcet_high.is_some())
        };
        match () {
            () if !self.tasks.iter().any(is_given) => Some("need a `wcet_high` of some task or choice"),
            () if self.scheduler != Scheduler::Edf || self.tasks.iter().any(is_short) => {
                Some("are computed under EDF with no deadline shorter than its period")
            }
            () if self.tasks.iter().any(Task::has_kernel_costs) => {
                Some("are computed without jitter, blocking, locks and parts that cannot be interrupted")
            }
            () if !self.is_one_area() => Some("are computed for one area: price the resources"),
            () if !self.variants.is_empty() || !self.modes.is_empty() => {
                Some("are computed for one processor in one mode")
            }
            () => None,
        }
    }
}

/// The error of something that cannot be set.
pub(super) fn refused(field: &'static str, message: &str) -> InvalidTaskSet {
    let wrong = Wrong { message: message.to_owned(), ..Wrong::default() };
    InvalidTaskSet { path: Path::new(Part::Set, field), wrong: Box::new(wrong) }
}

fn first(found: Vec<(Path, Wrong)>) -> Result<(), InvalidTaskSet> {
    found
        .into_iter()
        .next()
        .map_or(Ok(()), |(path, wrong)| Err(InvalidTaskSet { path, wrong: Box::new(wrong) }))
}

/// The checks of a set, and what they found.
struct Checks<'a> {
    set: &'a TaskSet,
    found: Vec<(Path, Wrong)>,
}

impl<'a> Checks<'a> {
    /// A part in words: "choice `mac` of task `fir`".
    fn words(&self, of: Part) -> String {
        let named = |kind: &str, name: Option<&String>| {
            format!("{kind} `{}`", name.map_or_else(String::new, |name| shortened(name)))
        };
        let set = self.set;
        match of {
            Part::Set => "the task set".to_owned(),
            Part::Resource(at) => named("resource", set.resources.names.get(at)),
            Part::Variant(at) => named("variant", set.variants.get(at).map(|variant| &variant.name)),
            Part::Mode(at) => named("mode", set.modes.get(at)),
            Part::Block(at) => named("block", set.blocks.get(at).map(|block| &block.name)),
            Part::Task(at) => match set.tasks.get(at).and_then(|task| Some((task, task.part.as_ref()?))) {
                Some((task, part)) => {
                    let of = task.name.strip_suffix(part.as_str()).unwrap_or_default().trim_end_matches('/');
                    format!("part `{}` of task `{}`", shortened(part), shortened(of))
                }
                None => named("task", set.tasks.get(at).map(|task| &task.name)),
            },
            Part::Choice { task, choice } => {
                let own = set.tasks.get(task).and_then(|task| task.choices.get(choice));
                let choice = named("choice", own.map(|choice| &choice.name));
                format!("{choice} of {}", self.words(Part::Task(task)))
            }
        }
    }

    fn found(&mut self, path: Path, wrong: Wrong) {
        self.found.push((path, wrong));
    }

    /// Something that is wrong about a field: "`period` of task `fir`" and what.
    fn field(&mut self, of: Part, field: &'static str, what: impl Display) -> &mut Wrong {
        let message = format!("`{field}` of {} {what}", self.words(of));
        self.found.push((Path::new(of, field), Wrong { message, ..Wrong::default() }));
        let last = self.found.len() - 1;
        &mut self.found[last].1
    }

    fn text(&mut self, of: Part, field: &'static str, problem: Option<LabelProblem>) {
        if let Some(problem) = problem {
            self.field(of, field, problem);
        }
    }

    fn positive(&mut self, of: Part, field: &'static str, value: &Rational) {
        // A denominator of 0, which `Rational::new_raw` allows, is not a valid number.
        if !value.is_positive() || value.denom().is_zero() {
            self.field(of, field, "must be greater than 0");
        }
    }

    fn time(&mut self, of: Part, field: &'static str, value: &Rational) {
        if value.is_negative() || value.denom().is_zero() {
            self.field(of, field, "must be 0 or greater");
        }
    }

    /// Names are printable, and each is given once.
    fn names(&mut self, kind: &str, names: impl Iterator<Item = (Part, &'a String)>) {
        let mut seen: HashMap<&str, Part> = HashMap::new();
        for (of, name) in names {
            self.text(of, "name", name_problem(name));
            if let Some(&first) = seen.get(name.as_str()) {
                let message = format!("a second {kind} is named `{}`", shortened(name));
                let also = vec![(Path::new(first, "name"), "first named here".to_owned())];
                let label = "named again here".to_owned();
                self.found(Path::new(of, "name"), Wrong { message, label, also, ..Wrong::default() });
            } else {
                seen.insert(name, of);
            }
        }
    }

    /// An amount of every resource; an area is 0 or greater.
    fn cost(&mut self, of: Part, cost: &[Rational]) {
        let (amounts, count) = (cost.len(), self.set.resources.names.len());
        if amounts != count {
            self.field(of, "cost", format!("has {amounts} amounts, and the task set has {count} resources"));
        } else if self.set.is_one_area() && cost[0].is_negative() {
            self.field(of, "area", "must be 0 or greater");
        }
    }

    /// A time in the unit of the set.
    fn shown(&self, time: &Rational) -> String {
        format!("{} {}", format_decimal(time), self.set.time_base.unit()).trim_end().to_owned()
    }

    fn all(&mut self) {
        self.head();
        self.resources();
        let set = self.set;
        let variants = || (0..).map(Part::Variant).zip(&set.variants);
        self.names("variant", variants().map(|(of, variant)| (of, &variant.name)));
        if set.variants.len() > MAX_VARIANTS {
            self.field(Part::Set, "variants", format!("has more than {MAX_VARIANTS} variants"));
        }
        for (of, variant) in variants() {
            self.text(of, "source", variant.source.as_deref().and_then(text_problem));
            variant.fmax.iter().for_each(|fmax| self.positive(of, "fmax", fmax));
            self.cost(of, &variant.cost);
        }
        self.modes();
        if let Some(problem) = set.overruns.and(set.without_overruns()) {
            self.field(Part::Set, "overruns", problem);
        }
        let blocks = || (0..).map(Part::Block).zip(&set.blocks);
        self.names("block", blocks().map(|(of, block)| (of, &block.name)));
        for (of, block) in blocks() {
            self.text(of, "source", block.source.as_deref().and_then(text_problem));
            self.text(of, "slot", block.slot.as_deref().and_then(name_problem));
            block.fmax.iter().for_each(|fmax| self.positive(of, "fmax", fmax));
            self.time(of, "switch", &block.switch);
            self.cost(of, &block.cost);
            let is_other =
                |other: &u32| (*other as usize) < set.blocks.len() && of != Part::Block(*other as usize);
            if !block.excludes.iter().all(is_other) {
                self.field(of, "excludes", "must name other blocks of the set");
            }
            let is_on_chip =
                |at: u32| set.cores.as_ref().is_some_and(|cores| cores.chip_blocks.contains(&at));
            let Part::Block(own) = of else { continue };
            if block.excludes.iter().any(|&other| is_on_chip(other) != is_on_chip(own as u32)) {
                let wrong = self.field(of, "excludes", "names a block of another scope");
                wrong.help =
                    "one is built once for the chip, the other on cores: give both one `scope`".to_owned();
            }
        }
        let tasks = || (0..).map(Part::Task).zip(&set.tasks);
        self.names("task", tasks().map(|(of, task)| (of, &task.name)));
        set.tasks.iter().enumerate().for_each(|(at, task)| self.task(at, task));
        self.parts();
        self.priorities();
    }

    fn head(&mut self) {
        let set = self.set;
        self.text(Part::Set, "name", name_problem(&set.name));
        self.text(Part::Set, "description", set.description.as_deref().and_then(text_problem));
        if let TimeBase::Cycles { hertz } = &set.time_base {
            self.positive(Part::Set, "clock", hertz);
        }
        self.time(Part::Set, "switch", &set.switch);
        if set.tasks.is_empty() {
            let message = "the task set has no tasks".to_owned();
            let label = "expected at least one task".to_owned();
            self.found(Path::new(Part::Set, "tasks"), Wrong { message, label, ..Wrong::default() });
        }
    }

    fn resources(&mut self) {
        let set = self.set;
        let resources = &set.resources;
        let (of, count) = (Part::Set, resources.names.len());
        if !(1..=MAX_RESOURCES).contains(&count) {
            self.field(of, "resources", format!("has {count} names, and 1 to {MAX_RESOURCES} are counted"));
        }
        if let Some(unit) = &resources.area_unit {
            // An empty unit means no unit.
            self.text(
                of,
                "area_unit",
                Some(unit).filter(|unit| !unit.is_empty()).and_then(|unit| name_problem(unit)),
            );
            if !resources.is_one_unlimited() {
                self.field(of, "resources", "is one area, which has no limit");
            }
        } else {
            let names = (0..).map(Part::Resource).zip(&resources.names);
            self.names("resource", names.clone());
            for (of, name) in names {
                if let Some(problem) = resource_name_problem(name) {
                    self.field(of, "name", problem);
                }
            }
        }
        let mut seen = Vec::with_capacity(count);
        let is_one = |&objective: &usize| {
            seen.push(objective);
            objective < count && !seen[..seen.len() - 1].contains(&objective)
        };
        if resources.objectives.is_empty() || !resources.objectives.iter().all(is_one) {
            self.field(of, "objectives", "must name some of the resources, each once");
        }
        let lists = [
            ("base", resources.base.len()),
            ("device", resources.limits.len()),
            ("fill", resources.fill.len()),
        ];
        for (field, length) in lists.into_iter().filter(|&(_, length)| length != count) {
            self.field(of, field, format!("has {length} amounts for {count} resources"));
        }
        self.text(of, "device", resources.device.as_deref().and_then(name_problem));
        if resources.limits.iter().flatten().any(Signed::is_negative) {
            self.field(of, "device", "has a limit below 0");
        }
        if resources.fill.iter().any(|fill| !fill.is_positive() || *fill > Rational::one()) {
            self.field(of, "fill", "must be above 0 and at most 1");
        }
        let is_below = |cost: Option<&Rational>| cost.is_some_and(Signed::is_negative);
        if set.is_one_area() && (is_below(resources.base.first()) || is_below(set.core_cost().first())) {
            self.field(of, "base", "must be 0 or greater");
        }
        if set.cores.as_ref().is_some_and(|cores| ![0, count].contains(&cores.chip_cost.len())) {
            self.field(of, "cores", "must have an amount of every resource");
        }
    }

    fn modes(&mut self) {
        let set = self.set;
        if set.modes.len() > MAX_MODES {
            self.field(Part::Set, "modes", format!("has more than {MAX_MODES} modes"));
        }
        let modes = (0..).map(Part::Mode).zip(&set.modes);
        self.names("mode", modes.clone());
        for (number, (of, name)) in modes.enumerate() {
            let name = shortened(name);
            if set.variants.iter().any(|variant| variant.name == set.modes[number]) {
                let message = format!("mode `{name}` has the name of a variant");
                let label = "times are given by these names: each must be another".to_owned();
                self.found(Path::new(of, "name"), Wrong { message, label, ..Wrong::default() });
            }
            if set.tasks.iter().all(|task| task.timing_in(number).is_none()) {
                let wrong = self.field(Part::Set, "modes", format!("lists `{name}`, in which no task runs"));
                wrong.label = "no task has a period in it".to_owned();
                wrong.help = "leave it out, or give a task a period in it".to_owned();
            }
        }
    }

    fn task(&mut self, at: usize, task: &'a Task) {
        let of = Part::Task(at);
        self.wcets(
            of,
            &task.wcets,
            task.wcet_high.as_ref(),
            self.set.parts_of(at).is_empty() && task.part.is_none(),
        );
        for timing in task.timings.iter().flatten() {
            self.positive(of, "period", &timing.period);
            self.positive(of, "deadline", &timing.deadline);
        }
        let count = task.timings.len();
        if (count != 1 && count != self.set.modes.len()) || task.timings.iter().all(Option::is_none) {
            self.field(of, "period", "must be given for some of the modes of the task set");
        }
        let KernelCosts { jitter, blocking, nonpreemptive, locks } = &task.kernel;
        self.time(of, "jitter", jitter);
        self.time(of, "blocking", blocking);
        if let Nonpreemptive::Part(part) = nonpreemptive {
            self.time(of, "nonpreemptive", part);
        }
        self.locks(of, locks);
        let shortest = task.timings.iter().flatten().map(|timing| &timing.deadline).min();
        if let Some(shortest) = shortest.filter(|shortest| jitter > *shortest) {
            let label = format!("the deadline is {}", self.shown(shortest));
            let wrong = self.field(of, "jitter", "is above the deadline");
            wrong.label = label;
            wrong.help =
                "a deadline counts from the arrival of a job, and the job is released up to the jitter later"
                    .to_owned();
        }
        if task.forced && task.choices.is_empty() {
            let message = format!(
                "{} is forced to take its choice, and has {} of them",
                self.words(of),
                task.choices.len()
            );
            self.found(Path::new(of, "choices"), Wrong { message, ..Wrong::default() });
        }
        let choices = || task.choices.iter().enumerate();
        let kind = format!("choice of {}", self.words(of));
        let named = choices().filter(|(_, own)| !own.is_another_way);
        self.names(&kind, named.map(|(choice, own)| (Part::Choice { task: at, choice }, &own.name)));
        choices().for_each(|(choice, own)| {
            self.choice(Part::Choice { task: at, choice }, own, task.part.is_none())
        });
    }

    /// Parts follow their task, which has no choices then, and have its times; together they always take some time.
    fn parts(&mut self) {
        let set = self.set;
        for (at, task) in set.tasks.iter().enumerate() {
            let of = Part::Task(at);
            if let Some(part) = &task.part {
                let head = set.tasks[..at].iter().rev().find(|task| task.part.is_none());
                let is_of_head = |head: &Task| {
                    task.name == format!("{}/{part}", head.name)
                        && (&task.timings, task.priority) == (&head.timings, head.priority)
                };
                if !head.is_some_and(is_of_head) {
                    self.field(
                        of,
                        "name",
                        "must be `task/part`, behind its task and with the task's periods and priority",
                    );
                }
                let is_own = !task.kernel.is_zero() || task.sections().next().is_some();
                let high = |choice: &Choice| choice.wcet_high.is_some();
                if is_own || task.wcet_high.is_some() || task.choices.iter().any(high) {
                    self.field(of, "locks", "must be given for the task, as all that delays its jobs");
                }
                self.text(of, "name", name_problem(part));
                continue;
            }
            let parts = set.parts_of(at);
            if parts.is_empty() {
                continue;
            }
            if !task.choices.is_empty() {
                self.field(of, "choices", "must be left out, since the task has parts");
            }
            let rows = || std::iter::once(task).chain(parts);
            let count = rows().map(|row| row.wcets.len()).max().unwrap_or(1);
            if (0..count).any(|at| !rows().map(|row| row.least_wcet_in(at)).sum::<Rational>().is_positive()) {
                self.field(of, "wcet", "must be greater than what its parts save");
            }
            self.switches_of_parts(of, parts);
        }
    }

    /// What a block's context switch costs is paid once a task: choices of two parts of one must not share such a block.
    fn switches_of_parts(&mut self, of: Part, parts: &[Task]) {
        let set = self.set;
        let with_switch = |part: &Task| {
            let uses = part.choices.iter().flat_map(|choice| &choice.uses).copied();
            let costs =
                |block: &u32| set.blocks.get(*block as usize).is_some_and(|block| !block.switch.is_zero());
            uses.filter(costs).collect::<HashSet<u32>>()
        };
        let mut seen: HashSet<u32> = HashSet::new();
        for part in parts {
            let own = with_switch(part);
            if let Some(&block) = own.iter().filter(|block| seen.contains(block)).min() {
                let name = shortened(&set.blocks[block as usize].name);
                let wrong = self.field(
                    of,
                    "parts",
                    format!("use block `{name}`, which has a `switch`, in two of them"),
                );
                wrong.help =
                    "a task pays it once: write these parts as one, with the measured combinations as its choices".to_owned();
            }
            seen.extend(own);
        }
    }

    fn choice(&mut self, of: Part, choice: &'a Choice, takes_time: bool) {
        self.text(of, "source", choice.source.as_deref().and_then(text_problem));
        self.wcets(of, &choice.wcets, choice.wcet_high.as_ref(), takes_time);
        self.locks(of, choice.locks.as_deref().unwrap_or_default());
        self.cost(of, &choice.cost);
        let place = |item| Path { of, field: "uses", item: Some(item) };
        if let Some((one, other)) = self.set.excluding_pair(&choice.uses) {
            let [one, other] = [one, other].map(|block| shortened(&self.set.blocks[block as usize].name));
            let message =
                format!("{} needs blocks `{one}` and `{other}`, which exclude each other", self.words(of));
            let help = "no design builds both: use one of them".to_owned();
            self.found(Path::new(of, "uses"), Wrong { message, help, ..Wrong::default() });
        }
        let (mut items, mut slots) = (HashMap::new(), HashMap::new());
        for (item, &block) in choice.uses.iter().enumerate() {
            let Some(used) = self.set.blocks.get(block as usize) else {
                let message = format!("{} uses block number {block}, which is not there", self.words(of));
                self.found(place(item), Wrong { message, ..Wrong::default() });
                continue;
            };
            if let Some(first) = items.insert(block, item) {
                let message = format!("{} uses block `{}` twice", self.words(of), shortened(&used.name));
                let also = vec![(place(first), "first named here".to_owned())];
                let help = "a block is built once, whoever uses it: name it once".to_owned();
                self.found(place(item), Wrong { message, label: "named again here".to_owned(), help, also });
                continue;
            }
            let Some(slot) = &used.slot else { continue };
            let Some((at, number)) = slots.insert(slot, (item, block)) else { continue };
            let other = self.set.blocks.get(number as usize).unwrap_or(used);
            let [one, two, slot] = [&other.name, &used.name, slot].map(|name| shortened(name));
            let message = format!(
                "{} needs blocks `{one}` and `{two}` of slot `{slot}`, which holds one",
                self.words(of)
            );
            let in_slot = |block: u32, name: &str| {
                (Path::new(Part::Block(block as usize), "slot"), format!("`{name}`"))
            };
            let also =
                vec![(place(at), format!("in slot `{slot}`")), in_slot(number, &one), in_slot(block, &two)];
            let help = format!("at most one block of a slot is built, and two are in slot `{slot}`");
            self.found(place(item), Wrong { message, label: "the slot is taken".to_owned(), help, also });
        }
    }

    /// WCETs, the same in all variants and modes or one in each, and a high one, not below; those of parts may be 0.
    fn wcets(&mut self, of: Part, wcets: &[Rational], high: Option<&Rational>, takes_time: bool) {
        for wcet in wcets {
            if takes_time { self.positive(of, "wcet", wcet) } else { self.time(of, "wcet", wcet) }
        }
        let set = self.set;
        let count = set.variants.len().max(1) * set.modes.len().max(1);
        if ![1, count].contains(&wcets.len()) {
            let kind = match (set.variants.is_empty(), set.modes.is_empty()) {
                (_, true) => "variant",
                (true, false) => "mode",
                (false, false) => "mode in every variant",
            };
            self.field(of, "wcet", format!("must be given for every {kind} of the task set"));
        }
        if let Some(wcet) = wcets.first().filter(|wcet| high.is_some_and(|high| high < *wcet)) {
            let label = format!("the WCET is {}", self.shown(wcet));
            self.field(of, "wcet_high", "is below the WCET").label = label;
        }
    }

    /// Critical sections, each of another resource.
    fn locks(&mut self, of: Part, locks: &[Lock]) {
        let mut seen = HashSet::with_capacity(locks.len());
        for Lock { name, time } in locks {
            self.text(of, "locks", name_problem(name));
            self.time(of, "locks", time);
            if !seen.insert(name) {
                self.field(of, "locks", format!("names `{}` twice", shortened(name)));
            }
        }
    }

    fn priorities(&mut self) {
        let set = self.set;
        let with = |priority: Option<u32>| {
            let tasks = (0..).map(Part::Task).zip(&set.tasks).filter(|(_, task)| task.part.is_none());
            tasks.filter(move |(_, task)| task.priority == priority).map(|(of, _)| of)
        };
        let zero: Vec<Part> = with(Some(0)).collect();
        let missing = with(None).filter(|_| set.scheduler == Scheduler::FixedPriority);
        let missing: Vec<Part> = missing.collect();
        for of in zero {
            self.field(of, "priority", "must be greater than 0");
        }
        let Some(&first) = missing.first() else { return };
        let words = self.words(first);
        let message = match missing.len() {
            1 => format!("{words} has no `priority`"),
            count => format!("{count} tasks have no `priority`, the first is {words}"),
        };
        let help = "with `scheduler: fixed` every task has a `priority`, a whole number; 1 is the highest"
            .to_owned();
        self.found(Path::new(first, ""), Wrong { message, help, ..Wrong::default() });
    }

    /// Locks and jitter go together under fixed priorities only: the levels of the stack resource policy assume that jobs are
    /// released when they arrive.
    fn locks_beside_jitter(&mut self) {
        let first = |is_it: fn(&Task) -> bool| self.set.tasks.iter().position(is_it);
        let locks = first(|task| task.sections().next().is_some());
        let late =
            first(|task| task.kernel.jitter.is_positive()).filter(|_| self.set.scheduler == Scheduler::Edf);
        let Some((locks, jitter)) = locks.zip(late) else { return };
        let [of, late] = [locks, jitter].map(Part::Task);
        let [one, other] = [of, late].map(|of| self.words(of));
        let message = format!("`locks` of {one} beside `jitter` of {other} under EDF");
        let own = &self.set.tasks[locks];
        // Those of a choice, if the task has none of its own.
        let choice = own
            .choices
            .iter()
            .position(|choice| choice.locks.as_ref().is_some_and(|locks| !locks.is_empty()));
        let of = match choice.filter(|_| own.kernel.locks.iter().all(|lock| lock.time.is_zero())) {
            Some(choice) => Part::Choice { task: locks, choice },
            None => of,
        };
        let also = vec![(Path::new(late, "jitter"), "the first jitter".to_owned())];
        let (label, help) = ("the first critical sections".to_owned(), LOCKS_BESIDE_JITTER.to_owned());
        self.found(Path::new(of, "locks"), Wrong { message, label, help, also });
    }

    /// What limits the clock requires one.
    fn limits_of_the_clock(&mut self) {
        let set = self.set;
        if matches!(set.time_base, TimeBase::Cycles { .. }) {
            return;
        }
        let blocks = (0..).map(Part::Block).zip(set.blocks.iter().map(|block| &block.fmax));
        let variants = (0..).map(Part::Variant).zip(set.variants.iter().map(|variant| &variant.fmax));
        for (of, _) in variants.chain(blocks).filter(|(_, fmax)| fmax.is_some()) {
            let wrong = self.field(of, "fmax", "needs the `clock` of the task set");
            wrong.label = "no clock is given that this would lower".to_owned();
            wrong.help = "give the processor's clock without this limit, for example `clock: 100 MHz`: WCETs without a \
                          unit are then cycles of it"
                .to_owned();
        }
    }
}
