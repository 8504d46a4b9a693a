//! Tasks and sets in one of the modes.

use super::{KernelCosts, Task, TaskSet};
use isx_exact::quantity::Rational;

impl Task {
    /// Its period and deadline in mode `number`; `None` if it does not run in it.
    pub fn timing_in(&self, number: usize) -> Option<(&Rational, &Rational)> {
        match self.timings.get(number) {
            Some(timing) => timing.as_ref().map(|timing| (&timing.period, &timing.deadline)),
            None => Some((&self.period, &self.deadline)),
        }
    }

    fn set_timing(&mut self, period: Rational, deadline: Rational, number: usize) {
        self.wcets = vec![self.wcet_in(number).clone()];
        for choice in &mut self.choices {
            choice.wcets = vec![choice.wcet_in(number).clone()];
        }
        (self.period, self.deadline, self.timings) = (period, deadline, Vec::new());
    }
}

impl TaskSet {
    /// The tasks that run in mode `number`, as a set of its own on the same hardware. `None` if there is no such mode.
    ///
    /// ```
    /// let text = "name: x\nmodes: [cruise, landing]\ntasks:\n\
    ///             - {name: fir, wcet: {cruise: 3, landing: 2}, period: 10}\n\
    ///             - {name: radar, wcet: 4, period: {landing: 20}}";
    /// let set = isx_taskset::read_str("x", text)?.task_set;
    /// assert_eq!(set.in_mode(0).unwrap().tasks.len(), 1);
    /// assert_eq!(set.in_mode(1).unwrap().tasks[0].wcets[0].to_string(), "2");
    /// # Ok::<(), isx_taskset::ReadError>(())
    /// ```
    pub fn in_mode(&self, number: usize) -> Option<Self> {
        self.modes.get(number)?;
        let mut set = self.clone();
        set.modes = Vec::new();
        let timing =
            |task: &Task| task.timing_in(number).map(|(period, deadline)| (period.clone(), deadline.clone()));
        set.tasks.retain(|task| timing(task).is_some());
        for task in &mut set.tasks {
            if let Some((period, deadline)) = timing(task) {
                task.set_timing(period, deadline, number);
            }
        }
        Some(set)
    }

    /// As [`TaskSet::in_mode`], with all tasks: those that do not run in the mode execute for no time.
    pub(crate) fn whole_in_mode(&self, number: usize) -> Self {
        let mut set = self.clone();
        set.modes = Vec::new();
        let some = self.tasks.iter().find_map(|task| task.timing_in(number));
        for task in &mut set.tasks {
            let own = task.timing_in(number).or(some);
            let Some((period, deadline)) = own.map(|(period, deadline)| (period.clone(), deadline.clone()))
            else {
                continue;
            };
            let runs = task.timing_in(number).is_some();
            task.set_timing(period, deadline, number);
            if !runs {
                task.wcets = vec![Rational::default()];
                task.kernel = KernelCosts::default();
                for choice in &mut task.choices {
                    (choice.wcets, choice.locks) = (vec![Rational::default()], None);
                }
            }
        }
        set
    }
}
