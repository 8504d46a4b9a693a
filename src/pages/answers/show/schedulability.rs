//! By how much the WCETs of a design may grow, and under fixed priorities its response times.

use super::{LowestClock, Margin, Response, Schedulability};
use isx_design::schedulability::{
    Effort, Failure, ResponseTime, is_lowest_clock_reached, lowest_clock, margin, mode_verdicts,
    response_times, terms_in_words,
};
use isx_exact::quantity::Rational;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, critical_mode};

impl Schedulability {
    /// For the design with these choices: at most one per task of the set that was formulated. In a set with modes the
    /// margin and the response times are those in `mode`; without one the margin is that of the set, and the mode shown is
    /// the critical one.
    pub fn of_choices(
        set: &TaskSet,
        formulation: &Formulation,
        choices: &[Option<u32>],
        mode: Option<usize>,
        effort: &mut Effort,
    ) -> Self {
        let name = |task: usize| set.tasks.get(task).map_or("", |task| task.name.as_str());
        let modes = mode_verdicts(set, formulation, choices, effort);
        let utilizations: Vec<Rational> = modes.iter().map(|mode| mode.utilization.clone()).collect();
        let shown = mode.unwrap_or_else(|| critical_mode(&utilizations));
        let of_shown = formulation.modes.get(shown).unwrap_or(formulation);
        let times = response_times(of_shown, choices, effort).unwrap_or_default();
        let of_margin = if mode.is_some() { of_shown } else { formulation };
        let margin = match margin(of_margin, choices, effort) {
            Err(undecided) => Margin::Unknown(undecided.to_string()),
            Ok(found) => {
                let failure = found.limit.as_ref().map(Failure::in_mode);
                let mode = failure.and_then(|(mode, _)| set.modes.get(mode));
                let mode = mode.map(|mode| format!(" in mode `{mode}`")).unwrap_or_default();
                let terms = found.limit.as_ref();
                let terms = terms.map(|failure| terms_in_words(set, of_margin, choices, failure));
                let terms = terms.unwrap_or_default();
                let limit = match failure.map(|(_, failure)| failure) {
                    None | Some(Failure::InMode { .. }) => "the utilization passes 1".to_owned(),
                    Some(Failure::Demand { time, .. }) => {
                        let time = Rational::from(time.clone()) * &formulation.time_unit;
                        let time = set.shown_times().in_words(&time);
                        format!("the jobs due by time {time} need more than that{mode}{terms}")
                    }
                    Some(Failure::Response { task, .. }) => {
                        format!("{} misses its deadline{mode}{terms}", name(*task))
                    }
                };
                Margin::Exactly { factor: found.factor, limit, is_reached: found.is_reached }
            }
        };
        let lowest_clock = lowest_clock(set, formulation, choices, effort);
        let lowest_clock = lowest_clock.map(|hertz| LowestClock {
            hertz,
            is_reached: is_lowest_clock_reached(formulation, choices, effort),
        });
        let runs = |time: &ResponseTime| {
            set.tasks.get(time.task).is_some_and(|task| task.timing_in(shown).is_some())
        };
        let times: Vec<ResponseTime> = times.into_iter().filter(runs).collect();
        let responses = Response::of_times(set, of_shown, choices, &times);
        Self { margin, lowest_clock, responses, modes, mode: shown }
    }
}
