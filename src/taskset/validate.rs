//! The check of what a task set must be, which whatever reads one may rely on.

use std::collections::HashSet;

use num_traits::{Signed, Zero};

use super::diagnostic::shortened;
use super::invalid::InvalidTaskSet;
use super::labels::{LabelProblem, name_problem, text_problem};
use super::{Block, Choice, Scheduler, Task, TaskSet, TimeBase};
use isx_exact::quantity::Rational;

impl TaskSet {
    /// Checks every invariant of a task set: what the reader makes passes, and what was changed by hand should.
    ///
    /// # Errors
    ///
    /// The first thing wrong, in file order.
    pub fn validate(&self) -> Result<(), InvalidTaskSet> {
        self.validate_but_for_the_clock()?;
        self.validate_limits()
    }

    pub(super) fn validate_but_for_the_clock(&self) -> Result<(), InvalidTaskSet> {
        self.validate_head()?;
        if self.tasks.is_empty() {
            return Err(InvalidTaskSet::NoTasks);
        }
        let mut names = HashSet::with_capacity(self.blocks.len());
        for block in &self.blocks {
            block.validate()?;
            if !names.insert(block.name.as_str()) {
                return Err(InvalidTaskSet::SecondBlock { name: block.name.clone() });
            }
        }
        let mut names = HashSet::with_capacity(self.tasks.len());
        for task in &self.tasks {
            task.validate(&self.blocks)?;
            if !names.insert(task.name.as_str()) {
                return Err(InvalidTaskSet::SecondTask { name: task.name.clone() });
            }
        }
        self.validate_priorities()
    }

    pub(super) fn validate_priorities(&self) -> Result<(), InvalidTaskSet> {
        let is_used = self.scheduler == Scheduler::FixedPriority;
        for Task { name, priority, .. } in &self.tasks {
            match priority {
                Some(0) => return Err(InvalidTaskSet::PriorityZero { task: name.clone() }),
                None if is_used => return Err(InvalidTaskSet::NoPriority { task: name.clone() }),
                _ => {}
            }
        }
        Ok(())
    }

    /// A clock that blocks limit must be there.
    pub(super) fn validate_limits(&self) -> Result<(), InvalidTaskSet> {
        let has_clock = matches!(self.time_base, TimeBase::Cycles { .. });
        match self.blocks.iter().find(|block| block.fmax.is_some()) {
            Some(block) if !has_clock => Err(InvalidTaskSet::NoClock { block: block.name.clone() }),
            _ => Ok(()),
        }
    }

    pub(super) fn validate_head(&self) -> Result<(), InvalidTaskSet> {
        let the_set = || "the task set".to_owned();
        check_label(the_set, "name", name_problem(&self.name))?;
        check_label(the_set, "description", self.description.as_deref().and_then(text_problem))?;
        // An empty unit means that there is none.
        let unit = Some(self.area_unit.as_str()).filter(|unit| !unit.is_empty());
        check_label(the_set, "area_unit", unit.and_then(name_problem))?;
        match &self.time_base {
            TimeBase::Cycles { hertz } => check_positive(the_set, "clock", hertz),
            TimeBase::Seconds | TimeBase::Unnamed => Ok(()),
        }
    }
}

impl Block {
    fn validate(&self) -> Result<(), InvalidTaskSet> {
        let this = || format!("block `{}`", shortened(&self.name));
        check_label(this, "name", name_problem(&self.name))?;
        check_label(this, "source", self.source.as_deref().and_then(text_problem))?;
        check_label(this, "slot", self.slot.as_deref().and_then(name_problem))?;
        if let Some(fmax) = &self.fmax {
            check_positive(this, "fmax", fmax)?;
        }
        if self.area.is_negative() { Err(InvalidTaskSet::NegativeArea { of: this() }) } else { Ok(()) }
    }
}

impl Choice {
    fn validate_uses(&self, of: impl Fn() -> String, blocks: &[Block]) -> Result<(), InvalidTaskSet> {
        let (mut used_before, mut slots) = (HashSet::with_capacity(self.uses.len()), HashSet::new());
        for &block in &self.uses {
            let wrong = |why| Err(InvalidTaskSet::Uses { of: of(), block, why });
            let Some(used) = blocks.get(block as usize) else { return wrong("is not there") };
            if !used_before.insert(block) {
                return wrong("it names twice");
            }
            if let Some(slot) = used.slot.as_ref().filter(|slot| !slots.insert(slot.as_str())) {
                return Err(InvalidTaskSet::SlotTwice { of: of(), slot: slot.clone() });
            }
        }
        Ok(())
    }
}

impl Task {
    fn validate(&self, blocks: &[Block]) -> Result<(), InvalidTaskSet> {
        let this = || format!("task `{}`", shortened(&self.name));
        check_label(this, "name", name_problem(&self.name))?;
        check_positive(this, "wcet", &self.wcet)?;
        check_positive(this, "period", &self.period)?;
        check_positive(this, "deadline", &self.deadline)?;
        if self.forced && self.choices.len() != 1 {
            return Err(InvalidTaskSet::Forced { task: self.name.clone(), choices: self.choices.len() });
        }
        let mut names = HashSet::with_capacity(self.choices.len());
        for choice in &self.choices {
            let that = || format!("choice `{}` of {}", shortened(&choice.name), this());
            check_label(that, "name", name_problem(&choice.name))?;
            check_label(that, "source", choice.source.as_deref().and_then(text_problem))?;
            check_positive(that, "wcet", &choice.wcet)?;
            choice.validate_uses(that, blocks)?;
            if choice.area.is_negative() {
                return Err(InvalidTaskSet::NegativeArea { of: that() });
            }
            if !names.insert(choice.name.as_str()) {
                let (task, name) = (self.name.clone(), choice.name.clone());
                return Err(InvalidTaskSet::SecondChoice { task, name });
            }
        }
        Ok(())
    }
}

fn check_label(
    of: impl Fn() -> String,
    field: &'static str,
    problem: Option<LabelProblem>,
) -> Result<(), InvalidTaskSet> {
    problem.map_or(Ok(()), |problem| Err(InvalidTaskSet::Label { of: of(), field, problem }))
}

fn check_positive(
    of: impl Fn() -> String,
    field: &'static str,
    value: &Rational,
) -> Result<(), InvalidTaskSet> {
    // A denominator of 0, which `Rational::new_raw` allows, is no number at all.
    let positive = value.is_positive() && !value.denom().is_zero();
    if positive { Ok(()) } else { Err(InvalidTaskSet::NotPositive { of: of(), field }) }
}
