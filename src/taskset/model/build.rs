//! Constructors for task sets built in code.

use super::validate::refused;
use super::{
    Block, Choice, InvalidTaskSet, KernelCosts, Resources, Scheduler, Task, TaskSet, TimeBase, Timing,
    WrittenUnits,
};
use isx_exact::quantity::{Rational, ToRational};

impl Task {
    /// A task without choices whose deadline is its period; times are in the set's [`time_base`](TaskSet::time_base).
    /// [`TaskSet::new`] validates it.
    pub fn new(name: impl Into<String>, wcet: impl ToRational, period: impl ToRational) -> Self {
        let period = period.to_rational();
        Task {
            name: name.into(),
            part: None,
            wcets: vec![wcet.to_rational()],
            wcet_high: None,
            timings: vec![Some(Timing { deadline: period.clone(), period })],
            priority: None,
            kernel: KernelCosts::default(),
            choices: Vec::new(),
            forced: false,
        }
    }

    /// The task with another relative deadline.
    #[must_use]
    pub fn with_deadline(mut self, deadline: impl ToRational) -> Self {
        let deadline = deadline.to_rational();
        self.timings.iter_mut().flatten().for_each(|timing| timing.deadline.clone_from(&deadline));
        self
    }

    /// The task with a fixed priority, 1 being the highest, see [`TaskSet::with_scheduler`].
    #[must_use]
    pub fn with_priority(mut self, priority: u32) -> Self {
        self.priority = Some(priority);
        self
    }

    /// The task with one more choice, given its area and the resulting WCET.
    #[must_use]
    pub fn with_choice(self, name: impl Into<String>, area: impl ToRational, wcet: impl ToRational) -> Self {
        self.with_choice_using(name, [], area, wcet)
    }

    /// As [`Task::with_choice`], for a choice that uses blocks, given by their index in the set; `area` is what it
    /// needs in addition to them.
    pub fn with_choice_using(
        self,
        name: impl Into<String>,
        uses: impl IntoIterator<Item = u32>,
        area: impl ToRational,
        wcet: impl ToRational,
    ) -> Self {
        self.with_choice_costing(name, [area], uses, wcet)
    }

    /// The task with one more choice, given what it costs of each resource in addition to the blocks that it uses, see
    /// [`TaskSet::with_resources`].
    pub fn with_choice_costing<R: ToRational>(
        mut self,
        name: impl Into<String>,
        cost: impl IntoIterator<Item = R>,
        uses: impl IntoIterator<Item = u32>,
        wcet: impl ToRational,
    ) -> Self {
        let cost = cost.into_iter().map(ToRational::to_rational).collect();
        self.choices.push(Choice::of(
            name.into(),
            cost,
            uses.into_iter().collect(),
            vec![wcet.to_rational()],
        ));
        self
    }
}

impl Choice {
    /// A choice with nothing else.
    pub(crate) fn of(name: String, cost: Vec<Rational>, uses: Vec<u32>, wcets: Vec<Rational>) -> Self {
        let (is_another_way, wcet_high, locks, source) = (false, None, None, None);
        Choice { name, is_another_way, cost, uses, wcets, wcet_high, locks, source }
    }
}

impl Block {
    /// A block without a slot, of a set that counts one area.
    pub fn new(name: impl Into<String>, area: impl ToRational) -> Self {
        Self::costing(name, [area])
    }

    /// A block without a slot, given what it costs of each resource, see [`TaskSet::with_resources`].
    pub fn costing<R: ToRational>(name: impl Into<String>, cost: impl IntoIterator<Item = R>) -> Self {
        Block {
            name: name.into(),
            cost: cost.into_iter().map(ToRational::to_rational).collect(),
            slot: None,
            excludes: Vec::new(),
            fmax: None,
            switch: Rational::default(),
            source: None,
        }
    }

    /// The block with a clock limit: no design that builds it runs faster than `hertz`. Only for a set whose time
    /// base is a clock.
    #[must_use]
    pub fn with_fmax(mut self, hertz: impl ToRational) -> Self {
        self.fmax = Some(hertz.to_rational());
        self
    }

    /// The block in a slot; at most one block of a slot is built.
    #[must_use]
    pub fn in_slot(mut self, slot: impl Into<String>) -> Self {
        self.slot = Some(slot.into());
        self
    }
}

impl TaskSet {
    /// A task set of these tasks; areas and times have no unit. Fails as [`TaskSet::validate`].
    ///
    /// ```
    /// use isx_taskset::{InvalidTaskSet, Task, TaskSet};
    ///
    /// let fir = Task::new("fir", 2, 10).with_choice("mac", 41, 1);
    /// let iir = Task::new("iir", 5, 8).with_deadline(6);
    /// let set = TaskSet::new("demo", [fir.clone(), iir])?.with_area_unit("LUT")?;
    /// assert_eq!(set.tasks[0].choices[0].name, "mac");
    ///
    /// let refused = TaskSet::new("demo", [fir.clone(), fir]).unwrap_err();
    /// assert_eq!((refused.path.to_string(), refused.to_string()), ("tasks[1].name".into(), "a second task is named `fir`".into()));
    /// let refused = TaskSet::new("demo", [Task::new("fir", 2, 0)]).unwrap_err();
    /// assert_eq!(refused.to_string(), "`period` of task `fir` must be greater than 0");
    /// # Ok::<(), InvalidTaskSet>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        tasks: impl IntoIterator<Item = Task>,
    ) -> Result<Self, InvalidTaskSet> {
        Self::with_blocks(name, [], tasks)
    }

    /// A task set whose choices share blocks; areas and times have no unit. If a block limits the clock
    /// ([`Block::with_fmax`]), [`TaskSet::with_time_base`] must then set one. Fails as [`TaskSet::validate`].
    ///
    /// ```
    /// use isx_taskset::{Block, Task, TaskSet};
    ///
    /// let sbox = Block::new("sbox", 464);
    /// let aes = Task::new("aes", 20, 100).with_choice_using("saes32", [0], 12, 4);
    /// let sm4 = Task::new("sm4", 30, 100).with_choice_using("ssm4", [0], 10, 8);
    /// let set = TaskSet::with_blocks("gateway", [sbox], [aes, sm4])?;
    /// let area = isx_taskset::formulate::formulate(&set, None).unwrap().area(&[Some(0), Some(0)]);
    /// assert_eq!(area.unwrap().to_string(), "486", "464 is paid once");
    /// # Ok::<(), isx_taskset::InvalidTaskSet>(())
    /// ```
    pub fn with_blocks(
        name: impl Into<String>,
        blocks: impl IntoIterator<Item = Block>,
        tasks: impl IntoIterator<Item = Task>,
    ) -> Result<Self, InvalidTaskSet> {
        Self::with_resources(name, Resources::area(""), blocks, tasks)
    }

    /// A task set whose hardware costs several resources. Fails as [`TaskSet::validate`].
    ///
    /// ```
    /// use isx_taskset::{Block, Resources, Task, TaskSet, formulate::formulate};
    ///
    /// let resources = Resources::new(["LUT", "DSP"]).with_base([1614, 0]);
    /// let mul = Block::costing("mul", [-30, 4]);
    /// let fir = Task::new("fir", 20, 100).with_choice_costing("mac", [41, 0], [0], 4);
    /// let set = TaskSet::with_resources("filter", resources, [mul], [fir])?;
    /// let costs = formulate(&set, None).unwrap().cost(&[Some(0)]).unwrap();
    /// assert_eq!(costs.iter().map(|cost| cost.to_string()).collect::<Vec<_>>(), ["1625", "4"]);
    /// # Ok::<(), isx_taskset::InvalidTaskSet>(())
    /// ```
    pub fn with_resources(
        name: impl Into<String>,
        resources: Resources,
        blocks: impl IntoIterator<Item = Block>,
        tasks: impl IntoIterator<Item = Task>,
    ) -> Result<Self, InvalidTaskSet> {
        let (blocks, tasks) = (blocks.into_iter().collect(), tasks.into_iter().collect());
        Self::of(name.into(), resources, blocks, tasks).valid()
    }

    /// A set with nothing else, which is not checked.
    pub(crate) fn of(name: String, resources: Resources, blocks: Vec<Block>, tasks: Vec<Task>) -> Self {
        TaskSet {
            name,
            description: None,
            source: None,
            time_base: TimeBase::Unnamed,
            written: WrittenUnits::default(),
            scheduler: Scheduler::default(),
            switch: Rational::default(),
            blocks,
            resources,
            priced: None,
            variants: Vec::new(),
            modes: Vec::new(),
            cores: None,
            tasks,
            what_if: Vec::new(),
            overruns: None,
            margin: Rational::default(),
        }
    }

    /// The task set with this unit of its area, used for printing. Fails if the unit is not one
    /// line of printable text, or the resources have names.
    pub fn with_area_unit(mut self, unit: impl Into<String>) -> Result<Self, InvalidTaskSet> {
        if !self.is_one_area() {
            return Err(refused("area_unit", "the task set has resources with names instead of an area"));
        }
        self.resources = Resources { base: self.resources.base, ..Resources::area(unit) };
        self.valid()
    }

    /// The task set with this time base; the numeric values do not change. Fails for a clock of
    /// 0 Hz or less, and for a missing clock if a block limits it.
    pub fn with_time_base(mut self, time_base: TimeBase) -> Result<Self, InvalidTaskSet> {
        self.time_base = time_base;
        self.validate()?;
        Ok(self)
    }

    /// The task set with a scheduler other than EDF. Fails if the scheduler uses
    /// given priorities and a task has none, or is EDF and tasks have locks and jitter.
    ///
    /// ```
    /// use isx_taskset::{Scheduler, Task, TaskSet};
    ///
    /// let tasks = [Task::new("iir", 3, 6), Task::new("fir", 2, 4)];
    /// let set = TaskSet::new("demo", tasks)?.with_scheduler(Scheduler::RateMonotonic)?;
    /// assert_eq!(set.priority_order().unwrap().order(), [1, 0]);
    /// # Ok::<(), isx_taskset::InvalidTaskSet>(())
    /// ```
    pub fn with_scheduler(mut self, scheduler: Scheduler) -> Result<Self, InvalidTaskSet> {
        self.scheduler = scheduler;
        self.validate_but_for_the_clock(true)?;
        Ok(self)
    }

    /// The set if it is valid, but for a clock and a scheduler that it may get later.
    fn valid(self) -> Result<Self, InvalidTaskSet> {
        self.validate_but_for_the_clock(false)?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::quantity::Rational;

    fn good() -> Task {
        Task::new("a", 1, 2).with_choice("c", 0, 1)
    }

    fn refusal(task: Task) -> String {
        TaskSet::new("x", [task]).unwrap_err().to_string()
    }

    #[test]
    fn every_invariant_is_checked() {
        assert_eq!(TaskSet::new("x", [good()]).unwrap().validate(), Ok(()));
        assert_eq!(TaskSet::new("x", []).unwrap_err().to_string(), "the task set has no tasks");
        assert_eq!(TaskSet::new(" ", [good()]).unwrap_err().to_string(), "`name` of the task set is empty");
        assert_eq!(refusal(Task::new("a", 0, 2)), "`wcet` of task `a` must be greater than 0");
        assert_eq!(refusal(Task::new("a", -1, 2)), "`wcet` of task `a` must be greater than 0");
        assert_eq!(refusal(Task::new("a", 1, 0)), "`period` of task `a` must be greater than 0");
        assert_eq!(refusal(good().with_deadline(0)), "`deadline` of task `a` must be greater than 0");
        let zero = good().with_choice("d", 1, 0);
        assert_eq!(refusal(zero), "`wcet` of choice `d` of task `a` must be greater than 0");
        let negative = good().with_choice("d", -1, 1);
        assert_eq!(refusal(negative), "`area` of choice `d` of task `a` must be 0 or greater");
        assert_eq!(refusal(good().with_choice("c", 1, 1)), "a second choice of task `a` is named `c`");
        assert_eq!(
            refusal(Task::new("a\nb", 1, 2)),
            "`name` of task `a\\nb` contains the control character U+000A"
        );
        let marked = refusal(good().with_choice("\u{202E}", 1, 1));
        assert!(marked.contains("bidirectional mark U+202E") && !marked.contains('\u{202E}'), "{marked}");
        let twice = TaskSet::new("x", [good(), good()]).unwrap_err();
        assert_eq!(twice.to_string(), "a second task is named `a`");
        let mut raw = good();
        raw.timings[0].as_mut().unwrap().period = Rational::new_raw(1.into(), 0.into());
        assert!(refusal(raw).contains("`period`"));
    }

    #[test]
    fn the_head_is_checked_too() {
        let set = || TaskSet::new("x", [good()]).unwrap();
        assert_eq!(set().with_area_unit("LUT").unwrap().area_unit(), "LUT");
        assert!(set().with_area_unit("").is_ok(), "no unit");
        assert_eq!(set().with_area_unit("\u{7}").unwrap_err().path.field, "area_unit");
        let described = |text: &str| TaskSet { description: Some(text.to_owned()), ..set() }.validate();
        assert!(described("two\nlines").is_ok() && described("\u{1b}[31m").is_err());
        let clock = |hertz: i64| TimeBase::Cycles { hertz: hertz.to_rational() };
        assert!(set().with_time_base(clock(1)).is_ok());
        let limited = |hertz: i64| TaskSet::with_blocks("x", [Block::new("b", 1).with_fmax(hertz)], [good()]);
        assert_eq!(limited(0).unwrap_err().to_string(), "`fmax` of block `b` must be greater than 0",);
        let set_without = limited(5).unwrap();
        assert_eq!(
            set_without.validate().unwrap_err().to_string(),
            "`fmax` of block `b` needs the `clock` of the task set",
        );
        assert!(set_without.clone().with_time_base(TimeBase::Seconds).is_err());
        assert_eq!(set_without.with_time_base(clock(9)).unwrap().validate(), Ok(()));
        assert_eq!(set().with_time_base(clock(0)).unwrap_err().path.to_string(), "clock");
    }
}
