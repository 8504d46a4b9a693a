//! Tasks, choices and sets in one of the variants of the processor.

use super::{Choice, Task, TaskSet, TimeBase};
use isx_exact::quantity::Rational;

impl Task {
    /// The WCET in software in variant `number`.
    pub fn wcet_in(&self, number: usize) -> &Rational {
        self.variant_wcets.get(number).unwrap_or(&self.wcet)
    }
}

impl Choice {
    /// The WCET of the task with this choice in variant `number`.
    pub fn wcet_in(&self, number: usize) -> &Rational {
        self.variant_wcets.get(number).unwrap_or(&self.wcet)
    }
}

impl TaskSet {
    /// The set with variant `number` as its only processor: its cost is part of the base (its area is
    /// [`TaskSet::processor_area`]), its clock is that of the set,
    /// and the WCETs are those in it. `None` if there is no such variant.
    ///
    /// ```
    /// let text = "name: x\nclock: 100 MHz\nresources: [LUT, DSP]\nvariants: [{name: small, cost: {LUT: 504}, fmax: 90 MHz}]\n\
    ///             tasks: [{name: fir, wcet: 3000, period: 1 ms}]";
    /// let set = isx_taskset::read_str("x", text)?.task_set.in_variant(0).unwrap();
    /// assert_eq!(set.resources.unwrap().base[0].to_string(), "504");
    /// assert_eq!(set.tasks[0].period.to_string(), "90000", "cycles of 90 MHz");
    /// # Ok::<(), isx_taskset::ReadError>(())
    /// ```
    pub fn in_variant(&self, number: usize) -> Option<Self> {
        let variant = self.variants.get(number)?;
        let mut set = self.clone();
        set.variants = Vec::new();
        if let Some(resources) = &mut set.resources {
            resources.base.iter_mut().zip(&variant.cost).for_each(|(base, cost)| *base += cost);
        } else {
            set.processor_area += self.variant_area(number);
        }
        for task in &mut set.tasks {
            task.wcet = task.wcet_in(number).clone();
            task.variant_wcets = Vec::new();
            for choice in &mut task.choices {
                choice.wcet = choice.wcet_in(number).clone();
                choice.variant_wcets = Vec::new();
            }
        }
        // Periods are times, counted in cycles of another clock now.
        if let (TimeBase::Cycles { hertz }, Some(own)) = (&self.time_base, self.clock_in(number)) {
            for task in &mut set.tasks {
                task.period = &task.period * own / hertz;
                task.deadline = &task.deadline * own / hertz;
                task.kernel.jitter = &task.kernel.jitter * own / hertz;
            }
            set.time_base = TimeBase::Cycles { hertz: own.clone() };
        }
        Some(set)
    }

    /// The area of variant `number` in a set with one area; 0 if there is no such variant.
    pub fn variant_area(&self, number: usize) -> Rational {
        self.variants.get(number).and_then(|variant| variant.cost.first()).cloned().unwrap_or_default()
    }

    /// The clock of variant `number` in hertz: that of the set or, if lower, its `fmax`; `None` if times are no cycles.
    pub fn clock_in(&self, number: usize) -> Option<&Rational> {
        let TimeBase::Cycles { hertz } = &self.time_base else { return None };
        let fmax = self.variants.get(number).and_then(|variant| variant.fmax.as_ref());
        Some(fmax.filter(|fmax| *fmax < hertz).unwrap_or(hertz))
    }
}
