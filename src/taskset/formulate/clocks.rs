//! The clock frequencies of designs.
//!
//! A block may limit the clock: a design runs at the set's clock F or, if lower, at the smallest `fmax` of its
//! blocks. WCETs are given in cycles, so at clock f each takes F / f times as long; periods and deadlines are times
//! and do not change. So
//!
//! ```text
//! U(S) = sum_i F / f(S) * e_i,k(i) / P_i,      f(S) = min(F, fmax of the blocks of S)
//! ```
//!
//! Once a clock is fixed, the designs whose blocks all allow it form an ordinary selection problem, called a
//! *scenario*, see [`Formulation::at_clock`](super::Formulation::at_clock). A design belongs to the scenario of its own clock, with its own
//! utilization, and to those of slower clocks, with a higher utilization since WCETs are positive. So the
//! non-dominated designs are the lower envelope of the scenarios' fronts, and each of its points comes from the
//! scenario of its own clock. The same holds for the smallest schedulable design, because a set that is schedulable
//! at a slower clock is schedulable at a faster one.
//!
//! Worked instance: F = 100, one task of 30 cycles every 100, one choice of 20 cycles with a block of `fmax` 80. With
//! the choice the WCET is 20 * 100/80 = 25 cycles of F: U falls from 0.30 to 0.25, not to 0.20. In units of 2.5
//! cycles all times are integers.

use super::error::{FormulateError, MAX_CLOCKED_WCETS, MAX_CLOCKS};
use super::timed::{TimedTask, common_unit, executions};
use crate::model::{TaskSet, TimeBase};
use isx_exact::order;
use isx_exact::quantity::Rational;
use isx_problems::set_union::Sharing;

/// The clocks at which the designs of a task set run, numbered from the fastest; number 0 is the set's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// The set's clock in hertz; `None` if no block limits the clock.
    own: Option<Rational>,
    /// The slower clocks, numbers 1 and up, in descending order.
    pub(super) slower: Vec<SlowerClock>,
    /// For each block, the number of the fastest clock it allows; empty if no clock is slower than the set's.
    pub(super) of_blocks: Vec<usize>,
}

/// A clock slower than the set's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SlowerClock {
    hertz: Rational,
    /// All tasks, with their WCETs at this clock.
    pub(super) tasks: Vec<TimedTask>,
}

/// The clocks before conversion to integers.
pub(super) struct Limits {
    own: Option<Rational>,
    /// The clocks below the set's that a design may run at, in descending order, with the slowdown factor of each.
    slower: Vec<(Rational, Rational)>,
}

impl Limits {
    /// The clocks of the blocks that are `used` by some choice; `is_limited` says that something else limits the clock.
    pub(super) fn of(taskset: &TaskSet, used: &[bool], is_limited: bool) -> Result<Self, FormulateError> {
        let hertz = match &taskset.time_base {
            TimeBase::Cycles { hertz } if is_limited || taskset.limits_clock() => hertz,
            _ => return Ok(Self { own: None, slower: Vec::new() }),
        };
        let blocks = taskset.blocks.iter().zip(used).filter(|(_, used)| **used);
        let mut slower: Vec<&Rational> =
            blocks.filter_map(|(block, _)| block.fmax.as_ref()).filter(|fmax| *fmax < hertz).collect();
        order::sort_by(&mut slower, |a, b| b.cmp(a));
        slower.dedup();
        let clocks = slower.len() + 1;
        let wcets = taskset.tasks.iter().map(|task| 1 + task.choices.len()).sum::<usize>();
        if clocks > MAX_CLOCKS || (clocks > 1 && clocks.saturating_mul(wcets) > MAX_CLOCKED_WCETS) {
            return Err(FormulateError::Clocks { taskset: taskset.name.clone(), clocks, wcets });
        }
        let slower = slower.into_iter().map(|fmax| (fmax.clone(), hertz / fmax)).collect();
        Ok(Self { own: Some(hertz.clone()), slower })
    }

    /// The time unit in which all times at all clocks are whole numbers; `times` is the unit at the set's own clock.
    pub(super) fn time_unit(&self, times: Rational, taskset: &TaskSet) -> Rational {
        if self.slower.is_empty() {
            return times;
        }
        let wcets = common_unit(executions(taskset));
        let units: Vec<Rational> =
            self.slower.iter().map(|(_, factor)| &wcets * factor).chain([times]).collect();
        common_unit(units.iter())
    }

    /// The clocks of `tasks`, whose WCETs are those at the set's own clock.
    pub(super) fn clocks(self, taskset: &TaskSet, tasks: &[TimedTask]) -> Clocks {
        let Self { own, slower } = self;
        if slower.is_empty() {
            return Clocks { own, ..Clocks::default() };
        }
        let number = |fmax: &Option<Rational>| {
            let slower = slower.iter().position(|(hertz, _)| Some(hertz) == fmax.as_ref());
            slower.map_or(0, |at| at + 1)
        };
        let of_blocks = taskset.blocks.iter().map(|block| number(&block.fmax)).collect();
        let at_clock = |(hertz, factor): &(Rational, Rational)| SlowerClock {
            hertz: hertz.clone(),
            tasks: tasks.iter().map(|task| task.slowed(factor)).collect(),
        };
        Clocks { own, slower: slower.iter().map(at_clock).collect(), of_blocks }
    }
}

impl Clocks {
    /// The number of clocks, at least 1.
    pub fn count(&self) -> usize {
        1 + self.slower.len()
    }

    /// Clock `number` in hertz; `None` if no block limits the clock or the number is out of range.
    pub fn hertz(&self, number: usize) -> Option<&Rational> {
        match number.checked_sub(1) {
            None => self.own.as_ref(),
            Some(at) => self.slower.get(at).map(|slower| &slower.hertz),
        }
    }

    /// The number of the fastest clock that a block allows.
    pub fn of_block(&self, block: usize) -> usize {
        self.of_blocks.get(block).copied().unwrap_or(0)
    }

    /// The same clocks with each task at each slower clock changed.
    pub(super) fn with_tasks(&self, change: impl Fn(&TimedTask) -> TimedTask) -> Self {
        let slower = self.slower.iter().map(|SlowerClock { hertz, tasks }| SlowerClock {
            hertz: hertz.clone(),
            tasks: tasks.iter().map(&change).collect(),
        });
        Self { own: self.own.clone(), slower: slower.collect(), of_blocks: self.of_blocks.clone() }
    }

    /// The number of the clock that a design runs at: that of its slowest block.
    pub(super) fn number(&self, sharing: &Sharing, choices: &[Option<u32>]) -> usize {
        if self.slower.is_empty() {
            return 0;
        }
        let taken = choices.iter().enumerate().filter_map(|(task, choice)| Some((task, (*choice)?)));
        taken.map(|(task, choice)| self.of_choice(sharing, task, choice)).max().unwrap_or(0)
    }

    /// The number of the fastest clock that a choice allows.
    pub(super) fn of_choice(&self, sharing: &Sharing, task: usize, choice: u32) -> usize {
        let blocks = sharing.uses_of(task, choice).iter();
        blocks.filter_map(|&block| self.of_blocks.get(block as usize)).max().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BEYOND_BUDGET, Formulation, formulate};
    use super::*;
    use crate::read_str;

    fn formulated(blocks: &str, choices: &str) -> Formulation {
        let text = format!(
            "name: x\nclock: 100 Hz\nblocks: [{blocks}]\ntasks: [{{name: a, wcet: 30, period: 1 s, choices: [{choices}]}}]\n"
        );
        formulate(&read_str("x", &text).unwrap().task_set, None).unwrap()
    }

    fn fraction(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn the_worked_instance_is_as_described() {
        let formulation = formulated("{name: b, area: 5, fmax: 80 Hz}", "{name: c, uses: [b], wcet: 20}");
        assert_eq!(formulation.clocks.count(), 2);
        assert_eq!(formulation.utilization(&[None]), fraction(30, 100));
        assert_eq!(formulation.utilization(&[Some(0)]), fraction(25, 100));
        assert_eq!(formulation.clock_of(&[Some(0)]), Some(&fraction(80, 1)));
        assert_eq!(formulation.clock_of(&[None]), Some(&fraction(100, 1)));
        assert_eq!(formulation.least_amounts_at(1), [1], "in units of 5");
        // 30, 20 and 100 cycles are multiples of 10, and 5/4 of the first two are multiples of 12.5: all are
        // multiples of 2.5.
        assert_eq!(formulation.time_unit, fraction(5, 2));
        assert_eq!(formulation.at_clock(1).utilization(&[None]), fraction(375, 1000));
        assert_eq!(formulation.at_clock(0).costs.weight(0, 0), BEYOND_BUDGET);
        assert_eq!(formulation.at_clock(1).costs.weight(0, 0), 0, "what it needs is its block");
    }

    #[test]
    fn the_least_demand_is_that_of_designs_that_fit_the_slots_and_the_clock() {
        let text = "name: x\nclock: 100 Hz\nblocks: [{name: b, area: 5, slot: s}, {name: d, area: 5, slot: s}, \
                    {name: e, area: 1, fmax: 80 Hz}]\ntasks:\n- {name: t, wcet: 30, period: 1 s, choices: \
                    [{name: c, uses: [b], wcet: 20}, {name: g, uses: [e], wcet: 12}]}\n\
                    - {name: u, wcet: 30, period: 1 s, choices: [{name: c, uses: [d], wcet: 10}]}\n";
        let formulation = formulate(&read_str("x", text).unwrap().task_set, None).unwrap();
        let of = |demand: Option<_>| Rational::new(demand.unwrap(), formulation.hyperperiod.clone());
        assert_eq!(
            of(formulation.least_demand_at(0)),
            fraction(30 + 10, 100),
            "20 and 10 exclude each other"
        );
        assert_eq!(of(formulation.least_demand_at(1)), fraction(12 + 10, 80));
        assert_eq!(of(formulation.least_demand()), fraction(12 + 10, 80));
    }

    #[test]
    fn clocks_up_to_the_limit_are_taken_and_more_are_refused() {
        let set = |clocks: usize| {
            let blocks: Vec<String> =
                (1..clocks).map(|at| format!("{{name: b{at}, area: 1, fmax: {at} Hz}}")).collect();
            let choices: Vec<String> =
                (1..clocks).map(|at| format!("{{name: c{at}, uses: [b{at}], wcet: 1}}")).collect();
            format!(
                "name: x\nclock: 1 MHz\nblocks: [{}]\ntasks: [{{name: a, wcet: 9, period: 9 s, choices: [{}]}}]\n",
                blocks.join(", "),
                choices.join(", ")
            )
        };
        let formulated = |clocks| formulate(&read_str("x", &set(clocks)).unwrap().task_set, None);
        assert_eq!(formulated(MAX_CLOCKS).unwrap().clocks.count(), MAX_CLOCKS);
        assert_eq!(
            formulated(MAX_CLOCKS + 1).unwrap_err().to_string(),
            "the blocks of `x` make designs of 101 different clocks with 101 WCETs at each; up to 100 clocks and \
             4000000 WCETs at all of them are computed: round `fmax` to fewer values"
        );
    }
}
