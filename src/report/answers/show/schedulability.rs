//! By how much the WCETs of a design may grow, and under fixed priorities its response times.

use super::{Margin, Response, Schedulability};
use isx_design::schedulability::{Effort, Failure, margin, response_times};
use isx_exact::quantity::Rational;
use isx_taskset::TaskSet;
use isx_taskset::formulate::Formulation;

impl Schedulability {
    /// For the design with these choices: at most one per task of the set that was formulated.
    #[must_use]
    pub fn of_choices(
        set: &TaskSet,
        formulation: &Formulation,
        choices: &[Option<u32>],
        effort: &mut Effort,
    ) -> Self {
        let name = |task: usize| set.tasks.get(task).map_or("", |task| task.name.as_str());
        let times = response_times(formulation, choices, effort).unwrap_or_default();
        let margin = match margin(formulation, choices, effort) {
            Err(undecided) => Margin::Unknown(undecided.to_string()),
            Ok(found) => {
                let limit = match found.limit {
                    None => "the utilization passes 1".to_owned(),
                    Some(Failure::Demand { time, .. }) => {
                        let time = Rational::from(time) * &formulation.time_unit;
                        let time = set.shown_times().in_words(&time);
                        format!("the jobs due by time {time} need more than that")
                    }
                    Some(Failure::Response { task, .. }) => format!("{} misses its deadline", name(task)),
                };
                Margin::Exactly { factor: found.factor, limit }
            }
        };
        Self { margin, responses: Response::of_times(set, formulation, &times) }
    }
}
