//! Variants of the processor, of which exactly one is built: with caches or without, with a fast or a slow multiplier.

use super::{Choice, Task, TaskSet, TimeBase};
use isx_exact::quantity::Rational;

/// The maximum number of variants of a task set.
pub const MAX_VARIANTS: usize = 100;

impl Task {
    /// The WCET in software in variant or mode `number`, or at this place of both, see [`TaskSet::wcet_place`].
    pub fn wcet_in(&self, number: usize) -> &Rational {
        self.wcets.get(number).unwrap_or(&self.wcets[0])
    }

    /// The least WCET of any of its choices or of software there, as [`Task::wcet_in`].
    pub fn least_wcet_in(&self, number: usize) -> &Rational {
        let choices = self.choices.iter().map(|choice| choice.wcet_in(number));
        choices.chain(Some(self.wcet_in(number)).filter(|_| !self.forced)).min().unwrap_or(&self.wcets[0])
    }

    /// The WCETs in software and those of every choice.
    pub(crate) fn wcets_mut(&mut self) -> impl Iterator<Item = &mut Vec<Rational>> {
        self.choices.iter_mut().map(|choice| &mut choice.wcets).chain([&mut self.wcets])
    }

    /// The choice of this number and the others that are the same on other blocks, see [`Choice::is_another_way`].
    pub fn ways_of(&self, choice: usize) -> std::ops::Range<usize> {
        let behind = self.choices.iter().skip(choice + 1).take_while(|choice| choice.is_another_way);
        choice..choice + 1 + behind.count()
    }

    /// The choice of this name; of several ways to run it the one whose blocks are all built.
    pub fn choice_named(&self, name: &str, is_built: &dyn Fn(u32) -> bool) -> Option<usize> {
        let first = self.choices.iter().position(|choice| choice.name == name)?;
        let all_built = |&way: &usize| self.choices[way].uses.iter().all(|&block| is_built(block));
        Some(self.ways_of(first).find(all_built).unwrap_or(first))
    }
}

impl Choice {
    /// The WCET of the task with this choice, as [`Task::wcet_in`].
    pub fn wcet_in(&self, number: usize) -> &Rational {
        self.wcets.get(number).unwrap_or(&self.wcets[0])
    }
}

impl TaskSet {
    /// The place of a variant and a mode in [`Task::wcets`].
    pub fn wcet_place(&self, variant: usize, mode: usize) -> usize {
        variant * self.modes.len().max(1) + mode
    }

    /// Keeps of all WCETs those in variant `number`.
    pub(crate) fn keep_wcets_in(&mut self, number: usize) {
        let modes = self.modes.len().max(1);
        for wcets in self.tasks.iter_mut().flat_map(Task::wcets_mut).filter(|wcets| wcets.len() > 1) {
            *wcets = wcets.drain(..).skip(number * modes).take(modes).collect();
        }
    }

    /// The set with variant `number` as its only processor: its cost is part of the base, its clock is that of the set, and
    /// the WCETs are those in it. `None` if there is no such variant.
    ///
    /// ```
    /// let text = "name: x\nclock: 100 MHz\nresources: [LUT, DSP]\nvariants: [{name: small, cost: {LUT: 504}, fmax: 90 MHz}]\n\
    ///             tasks: [{name: fir, wcet: 3000, period: 1 ms}]";
    /// let set = isx_taskset::read_str("x", text)?.task_set.in_variant(0).unwrap();
    /// assert_eq!(set.resources.base[0].to_string(), "504");
    /// assert_eq!(set.tasks[0].period().to_string(), "90000", "cycles of 90 MHz");
    /// # Ok::<(), isx_taskset::ReadError>(())
    /// ```
    pub fn in_variant(&self, number: usize) -> Option<Self> {
        let variant = self.variants.get(number)?;
        let mut set = self.clone();
        set.variants = Vec::new();
        set.resources.base.iter_mut().zip(&variant.cost).for_each(|(base, cost)| *base += cost);
        set.keep_wcets_in(number);
        // Periods are times, counted in cycles of another clock now.
        if let (TimeBase::Cycles { hertz }, Some(own)) = (&self.time_base, self.clock_in(number)) {
            for task in &mut set.tasks {
                task.times_mut().for_each(|time| *time = &*time * own / hertz);
                task.kernel.jitter = &task.kernel.jitter * own / hertz;
            }
            set.time_base = TimeBase::Cycles { hertz: own.clone() };
        }
        Some(set)
    }

    /// The clock of variant `number` in hertz: that of the set or, if lower, its `fmax`; `None` if times are no cycles.
    pub fn clock_in(&self, number: usize) -> Option<&Rational> {
        let TimeBase::Cycles { hertz } = &self.time_base else { return None };
        let fmax = self.variants.get(number).and_then(|variant| variant.fmax.as_ref());
        Some(fmax.filter(|fmax| *fmax < hertz).unwrap_or(hertz))
    }
}
