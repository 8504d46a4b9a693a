//! Validation of a task set: the invariants that all users rely on.

use std::collections::HashSet;
use std::fmt::Display;

use isx_exact::quantity::{Rational, shortened};
use num_traits::{One, Signed, Zero};

use super::{
    Block, Choice, KernelCosts, LabelProblem, Lock, MAX_MODES, MAX_RESOURCES, MAX_VARIANTS, Nonpreemptive,
    Resources, Scheduler, Task, TaskSet, TimeBase, Variant, name_problem, resource_name_problem,
    text_problem,
};

/// Why a task set built in code is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum InvalidTaskSet {
    #[error("the task set has no tasks")]
    NoTasks,
    #[error("`{field}` of {of} {problem}")]
    Field { of: String, field: &'static str, problem: String },
    #[error("a second {what} is named `{}`", shortened(name))]
    SecondName { what: String, name: String },
    #[error("{of} {problem}")]
    Contradiction { of: String, problem: String },
}

use InvalidTaskSet::{Contradiction, Field, NoTasks, SecondName};

type Checked = Result<(), InvalidTaskSet>;

impl TaskSet {
    /// Checks every invariant of a task set. Sets from the reader pass; call it after changing a set by hand. Fails
    /// with the first violation, in file order.
    pub fn validate(&self) -> Checked {
        self.validate_but_for_the_clock()?;
        self.validate_delays()?;
        self.validate_limits()
    }

    pub(super) fn validate_but_for_the_clock(&self) -> Checked {
        self.validate_head()?;
        if self.tasks.is_empty() {
            return Err(NoTasks);
        }
        self.resources.validate()?;
        self.validate_variants()?;
        self.validate_modes()?;
        self.validate_overruns()?;
        check_time(|| "the task set".to_owned(), "switch", &self.switch)?;
        if self.is_one_area() && (self.resources.base[0].is_negative() || self.core_area().is_negative()) {
            return Err(refused("the task set".to_owned(), "base", "must be 0 or greater"));
        }
        let lengths = [0, self.resources.names.len()];
        if self.cores.as_ref().is_some_and(|cores| !lengths.contains(&cores.chip_cost.len())) {
            return Err(refused("the task set".to_owned(), "cores", "must have an amount of every resource"));
        }
        let mut names = HashSet::with_capacity(self.blocks.len());
        for block in &self.blocks {
            block.validate(&self.resources)?;
            check_time(|| block.words(), "switch", &block.switch)?;
            check_new(&mut names, &block.name, || "block".to_owned())?;
        }
        let mut names = HashSet::with_capacity(self.tasks.len());
        for task in &self.tasks {
            task.validate(self)?;
            check_new(&mut names, &task.name, || "task".to_owned())?;
        }
        self.validate_priorities()
    }

    fn validate_variants(&self) -> Checked {
        let count = self.variants.len();
        let wrong = |problem: &str| Err(refused("the task set".to_owned(), "variants", problem));
        if count > MAX_VARIANTS {
            return wrong("has more than 100 variants");
        }
        let mut names = HashSet::with_capacity(count);
        for variant in &self.variants {
            variant.validate(&self.resources)?;
            check_new(&mut names, &variant.name, || "variant".to_owned())?;
        }
        Ok(())
    }

    fn validate_modes(&self) -> Checked {
        let wrong = |problem: &str| Err(refused("the task set".to_owned(), "modes", problem));
        if self.modes.len() > MAX_MODES {
            return wrong("has more than 16 modes");
        }
        if self.modes.iter().any(|mode| self.variants.iter().any(|variant| variant.name == *mode)) {
            return wrong("has the name of a variant");
        }
        let mut names = HashSet::with_capacity(self.modes.len());
        for name in &self.modes {
            check_text(|| format!("mode `{}`", shortened(name)), "name", name_problem(name))?;
            check_new(&mut names, name, || "mode".to_owned())?;
        }
        let idle = |number: &usize| self.tasks.iter().all(|task| task.timing_in(*number).is_none());
        match (0..self.modes.len()).find(idle) {
            Some(number) => {
                wrong(&format!("has `{}`, in which no task runs", shortened(&self.modes[number])))
            }
            None => Ok(()),
        }
    }

    fn validate_overruns(&self) -> Checked {
        match self.overruns.and(self.without_overruns()) {
            Some(problem) => Err(refused("the task set".to_owned(), "overruns", problem)),
            None => Ok(()),
        }
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

    pub(super) fn validate_priorities(&self) -> Checked {
        for task in &self.tasks {
            match task.priority {
                Some(0) => return Err(refused(task.words(), "priority", ABOVE_ZERO)),
                None if self.scheduler == Scheduler::FixedPriority => {
                    let problem = "has no `priority`, by which the scheduler goes".to_owned();
                    return Err(Contradiction { of: task.words(), problem });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Locks and jitter go together under fixed priorities only.
    pub(super) fn validate_delays(&self) -> Checked {
        match self.locks_beside_jitter() {
            Some((locks, jitter)) => {
                let [locks, jitter] = [locks, jitter].map(|at| self.tasks[at].words());
                let problem =
                    format!("has `locks` beside the `jitter` of {jitter} under EDF: {LOCKS_BESIDE_JITTER}");
                Err(Contradiction { of: locks, problem })
            }
            None => Ok(()),
        }
    }

    /// Blocks that limit the clock require a clock.
    pub(super) fn validate_limits(&self) -> Checked {
        let has_clock = matches!(self.time_base, TimeBase::Cycles { .. });
        let block = self.blocks.iter().find(|block| block.fmax.is_some()).map(Block::words);
        let variant = || self.variants.iter().find(|variant| variant.fmax.is_some()).map(Variant::words);
        match block.or_else(variant) {
            Some(limiting) if !has_clock => {
                let problem = "needs the clock of the task set: its times must be cycles of one";
                Err(refused(limiting, "fmax", problem))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn validate_head(&self) -> Checked {
        let this = || "the task set".to_owned();
        check_text(this, "name", name_problem(&self.name))?;
        check_text(this, "description", self.description.as_deref().and_then(text_problem))?;
        match &self.time_base {
            TimeBase::Cycles { hertz } => check_positive(this, "clock", hertz),
            TimeBase::Seconds | TimeBase::Unnamed => Ok(()),
        }
    }
}

impl Resources {
    pub(super) fn validate(&self) -> Checked {
        let this = || "the task set".to_owned();
        let count = self.names.len();
        let wrong = |field, problem: String| Err(refused(this(), field, problem));
        if !(1..=MAX_RESOURCES).contains(&count) {
            return wrong("resources", format!("has {count} names, and 1 to {MAX_RESOURCES} are counted"));
        }
        if let Some(unit) = &self.area_unit {
            // An empty unit means no unit.
            let text = Some(unit.as_str()).filter(|unit| !unit.is_empty());
            check_text(this, "area_unit", text.and_then(name_problem))?;
            if !self.is_one_unlimited() {
                return wrong("resources", "is one area, which has no limit".to_owned());
            }
        }
        let mut names = HashSet::with_capacity(count);
        for name in self.names.iter().filter(|_| self.area_unit.is_none()) {
            let of = || format!("resource `{}`", shortened(name));
            check_text(of, "name", name_problem(name))?;
            if let Some(problem) = resource_name_problem(name) {
                return Err(refused(of(), "name", problem));
            }
            check_new(&mut names, name, || "resource".to_owned())?;
        }
        let mut seen = HashSet::with_capacity(self.objectives.len());
        let is_one = |objective: &usize| *objective < count && seen.insert(*objective);
        if self.objectives.is_empty() || !self.objectives.iter().all(is_one) {
            return wrong("objectives", "must name some of the resources, each once".to_owned());
        }
        let one_each = [("base", self.base.len()), ("device", self.limits.len()), ("fill", self.fill.len())];
        if let Some((field, length)) = one_each.into_iter().find(|&(_, length)| length != count) {
            return wrong(field, format!("has {length} amounts for {count} resources"));
        }
        check_text(this, "device", self.device.as_deref().and_then(name_problem))?;
        if self.limits.iter().flatten().any(Signed::is_negative) {
            return wrong("device", "has a limit below 0".to_owned());
        }
        if self.fill.iter().any(|fill| !fill.is_positive() || *fill > Rational::one()) {
            return wrong("fill", "must be above 0 and at most 1".to_owned());
        }
        Ok(())
    }
}

impl Variant {
    fn words(&self) -> String {
        format!("variant `{}`", shortened(&self.name))
    }

    fn validate(&self, resources: &Resources) -> Checked {
        let this = || self.words();
        check_text(this, "name", name_problem(&self.name))?;
        check_text(this, "source", self.source.as_deref().and_then(text_problem))?;
        self.fmax.as_ref().map_or(Ok(()), |fmax| check_positive(this, "fmax", fmax))?;
        check_cost(this, &self.cost, resources)
    }
}

impl Block {
    fn words(&self) -> String {
        format!("block `{}`", shortened(&self.name))
    }

    fn validate(&self, resources: &Resources) -> Checked {
        let this = || self.words();
        check_text(this, "name", name_problem(&self.name))?;
        check_text(this, "source", self.source.as_deref().and_then(text_problem))?;
        check_text(this, "slot", self.slot.as_deref().and_then(name_problem))?;
        self.fmax.as_ref().map_or(Ok(()), |fmax| check_positive(this, "fmax", fmax))?;
        check_cost(this, &self.cost, resources)
    }
}

impl Choice {
    fn validate(&self, of: impl Fn() -> String + Copy, set: &TaskSet) -> Checked {
        let blocks = &set.blocks;
        check_text(of, "name", name_problem(&self.name))?;
        check_text(of, "source", self.source.as_deref().and_then(text_problem))?;
        check_wcets(of, &self.wcets, set)?;
        check_high(of, &self.wcets[0], self.wcet_high.as_ref())?;
        check_locks(of, self.locks.as_deref().unwrap_or_default())?;
        let wrong = |problem| Err(Contradiction { of: of(), problem });
        let (mut used_before, mut slots) = (HashSet::with_capacity(self.uses.len()), HashSet::new());
        for &block in &self.uses {
            let Some(used) = blocks.get(block as usize) else {
                return wrong(format!("uses block number {block}, which is not there"));
            };
            if !used_before.insert(block) {
                return wrong(format!("uses block number {block}, which it names twice"));
            }
            if let Some(slot) = used.slot.as_ref().filter(|slot| !slots.insert(slot.as_str())) {
                return wrong(format!("uses two blocks of slot `{}`, which holds one", shortened(slot)));
            }
        }
        check_cost(of, &self.cost, &set.resources)
    }
}

impl Task {
    fn words(&self) -> String {
        format!("task `{}`", shortened(&self.name))
    }

    fn validate(&self, set: &TaskSet) -> Checked {
        let this = || self.words();
        check_text(this, "name", name_problem(&self.name))?;
        check_wcets(this, &self.wcets, set)?;
        check_high(this, &self.wcets[0], self.wcet_high.as_ref())?;
        for timing in self.timings.iter().flatten() {
            check_positive(this, "period", &timing.period)?;
            check_positive(this, "deadline", &timing.deadline)?;
        }
        let KernelCosts { jitter, blocking, nonpreemptive, locks } = &self.kernel;
        [("jitter", jitter), ("blocking", blocking)]
            .into_iter()
            .try_for_each(|(field, time)| check_time(this, field, time))?;
        if let Nonpreemptive::Part(part) = nonpreemptive {
            check_time(this, "nonpreemptive", part)?;
        }
        check_locks(this, locks)?;
        if self.timings.iter().flatten().any(|timing| *jitter > timing.deadline) {
            return Err(refused(self.words(), "jitter", "must not be above the deadline"));
        }
        let count = self.timings.len();
        if (count != 1 && count != set.modes.len()) || self.timings.iter().all(Option::is_none) {
            return Err(refused(
                self.words(),
                "period",
                "must be given for some of the modes of the task set",
            ));
        }
        if self.forced && self.choices.len() != 1 {
            let problem = format!("is forced to take its choice, and has {} of them", self.choices.len());
            return Err(Contradiction { of: this(), problem });
        }
        let mut names = HashSet::with_capacity(self.choices.len());
        for choice in &self.choices {
            let of = || format!("choice `{}` of {}", shortened(&choice.name), this());
            choice.validate(of, set)?;
            check_new(&mut names, &choice.name, || format!("choice of {}", this()))?;
        }
        Ok(())
    }
}

/// Why locks and jitter do not go together under EDF, and what to do.
pub(crate) const LOCKS_BESIDE_JITTER: &str = "the stack resource policy assumes that jobs are released when they arrive: give the sections as `nonpreemptive`";

const ABOVE_ZERO: &str = "must be greater than 0";

fn refused(of: String, field: &'static str, problem: impl Display) -> InvalidTaskSet {
    Field { of, field, problem: problem.to_string() }
}

fn check_new<'n>(names: &mut HashSet<&'n str>, name: &'n str, what: impl Fn() -> String) -> Checked {
    if names.insert(name) { Ok(()) } else { Err(SecondName { what: what(), name: name.to_owned() }) }
}

fn check_text(of: impl Fn() -> String, field: &'static str, problem: Option<LabelProblem>) -> Checked {
    problem.map_or(Ok(()), |problem| Err(refused(of(), field, problem)))
}

fn check_positive(of: impl Fn() -> String, field: &'static str, value: &Rational) -> Checked {
    // A denominator of 0, which `Rational::new_raw` allows, is not a valid number.
    let positive = value.is_positive() && !value.denom().is_zero();
    if positive { Ok(()) } else { Err(refused(of(), field, ABOVE_ZERO)) }
}

fn check_time(of: impl Fn() -> String, field: &'static str, value: &Rational) -> Checked {
    let is_time = !value.is_negative() && !value.denom().is_zero();
    if is_time { Ok(()) } else { Err(refused(of(), field, "must be 0 or greater")) }
}

/// A WCET, the same in all variants or one in each.
fn check_wcets(of: impl Fn() -> String + Copy, wcets: &[Rational], set: &TaskSet) -> Checked {
    wcets.iter().try_for_each(|wcet| check_positive(of, "wcet", wcet))?;
    let count = set.variants.len().max(1) * set.modes.len().max(1);
    let fits = [1, count].contains(&wcets.len());
    let kind = match (set.variants.is_empty(), set.modes.is_empty()) {
        (_, true) => "variant",
        (true, false) => "mode",
        (false, false) => "mode in every variant",
    };
    if fits {
        Ok(())
    } else {
        Err(refused(of(), "wcet", format!("must be given for every {kind} of the task set")))
    }
}

/// Critical sections, each of another resource.
fn check_locks(of: impl Fn() -> String + Copy, locks: &[Lock]) -> Checked {
    let mut names = HashSet::with_capacity(locks.len());
    for Lock { name, time } in locks {
        check_text(of, "locks", name_problem(name))?;
        check_time(of, "locks", time)?;
        check_new(&mut names, name, || format!("lock of {}", of()))?;
    }
    Ok(())
}

/// A high WCET, not below the WCET.
fn check_high(of: impl Fn() -> String, wcet: &Rational, high: Option<&Rational>) -> Checked {
    match high {
        Some(high) if high < wcet => Err(refused(of(), "wcet_high", "must not be below `wcet`")),
        _ => Ok(()),
    }
}

/// An amount of every resource; an area is 0 or greater.
fn check_cost(of: impl Fn() -> String, cost: &[Rational], resources: &Resources) -> Checked {
    let (amounts, count) = (cost.len(), resources.names.len());
    if amounts != count {
        let problem = format!("has {amounts} amounts, and the task set has {count} resources");
        return Err(refused(of(), "cost", problem));
    }
    if resources.area_unit.is_some() && cost[0].is_negative() {
        return Err(refused(of(), "area", "must be 0 or greater"));
    }
    Ok(())
}
