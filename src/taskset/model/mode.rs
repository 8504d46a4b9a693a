//! Modes of a task set, of which one runs at a time: in flight or landing, serving or updating.

use super::{KernelCosts, Task, TaskSet, Timing};
use isx_exact::quantity::Rational;
use std::sync::LazyLock;

/// The maximum number of modes of a task set.
pub const MAX_MODES: usize = 16;

/// The timing of a task that runs in no mode, which no valid set has.
static NEVER: LazyLock<Timing> =
    LazyLock::new(|| Timing { period: Rational::default(), deadline: Rational::default() });

impl Task {
    /// Its period and deadline in mode `number`; `None` if it does not run in it.
    pub fn timing_in(&self, number: usize) -> Option<&Timing> {
        match self.timings.as_slice() {
            [same] => same.as_ref(),
            each => each.get(number)?.as_ref(),
        }
    }

    /// Its period and deadline in the first mode in which it runs.
    pub fn timing(&self) -> &Timing {
        self.timings.iter().flatten().next().unwrap_or(&NEVER)
    }

    /// P_i, in the first mode in which it runs.
    pub fn period(&self) -> &Rational {
        &self.timing().period
    }

    /// D_i, in the first mode in which it runs.
    pub fn deadline(&self) -> &Rational {
        &self.timing().deadline
    }

    /// All its periods and deadlines, each deadline after its period.
    pub fn times_mut(&mut self) -> impl Iterator<Item = &mut Rational> {
        self.timings.iter_mut().flatten().flat_map(|timing| [&mut timing.period, &mut timing.deadline])
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
        let mut set = self.whole_in_mode(number);
        let mut own = self.tasks.iter();
        set.tasks.retain(|_| own.next().is_some_and(|task| task.timing_in(number).is_some()));
        Some(set)
    }

    /// As [`TaskSet::in_mode`], with all tasks: those that do not run in the mode execute for no time.
    pub(crate) fn whole_in_mode(&self, number: usize) -> Self {
        let mut set = self.clone();
        set.modes = Vec::new();
        let some = self.tasks.iter().find_map(|task| task.timing_in(number));
        for task in &mut set.tasks {
            let runs = task.timing_in(number).is_some();
            let Some(timing) = task.timing_in(number).or(some).cloned() else { continue };
            task.timings = vec![Some(timing)];
            for wcets in task.wcets_mut() {
                let own = wcets.get(number).unwrap_or(&wcets[0]);
                *wcets = vec![if runs { own.clone() } else { Rational::default() }];
            }
            if !runs {
                task.kernel = KernelCosts::default();
                task.choices.iter_mut().for_each(|choice| choice.locks = None);
            }
        }
        set
    }
}
