//! How far the WCETs of a design may grow, and under fixed priorities how long its tasks take.

use super::{Margin, Response, Schedulability};
use crate::formulate::Formulation;
use crate::quantity::{Rational, format_decimal};
use crate::schedulability::{Effort, MarginLimit, margin, response_times};
use crate::taskset::TaskSet;
use num_bigint::BigInt;

impl Schedulability {
    /// Of the design of these choices, one or none a task of the set that was formulated.
    #[must_use]
    pub fn of_choices(
        set: &TaskSet,
        formulation: &Formulation,
        choices: &[Option<u32>],
        effort: &mut Effort,
    ) -> Self {
        let in_unit = |units: &BigInt| Rational::from(units.clone()) * &formulation.time_unit;
        let name = |task: usize| set.tasks.get(task).map_or("", |task| task.name.as_str());
        let response = |time: crate::schedulability::ResponseTime| Response {
            task: name(time.task).to_owned(),
            time: time.response.as_ref().ok().map(in_unit),
            why: time.response.err().map(|why| why.to_string()),
            deadline: set.tasks.get(time.task).map(|task| task.deadline.clone()).unwrap_or_default(),
        };
        let responses = response_times(formulation, choices, effort).unwrap_or_default();
        let margin = match margin(formulation, choices, effort) {
            Err(undecided) => Margin::Unknown(undecided.to_string()),
            Ok(found) => {
                let limit = match found.limit {
                    MarginLimit::Utilization => "the utilization passes 1".to_owned(),
                    MarginLimit::Demand { time } => {
                        let unit = set.time_base.unit();
                        let time = format!("{} {unit}", format_decimal(&in_unit(&time)));
                        format!("the jobs due by time {} need more than that", time.trim_end())
                    }
                    MarginLimit::Response { task, .. } => format!("{} misses its deadline", name(task)),
                };
                Margin::Exactly { factor: found.factor, limit }
            }
        };
        Self { margin, responses: responses.into_iter().map(response).collect() }
    }
}
