//! Times as displayed: in the unit used in the file, as decimals.

use super::{TaskSet, TimeBase};
use isx_exact::quantity::{Rational, TimeScale, format_decimal, format_rounded};
use num_bigint::BigInt;
use num_traits::One;

/// The longest decimal that is printed exactly, in characters.
const LONGEST: usize = 12;
/// The maximum number of decimals of a rounded time.
const MOST_PLACES: u32 = 6;

/// A unit in which times of a task set are displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownUnit {
    name: &'static str,
    /// The number of these units per unit of the set's own times.
    factor: Rational,
}

impl TaskSet {
    /// The unit in which WCETs are displayed.
    pub fn shown_wcets(&self) -> ShownUnit {
        // A block that lowers the clock makes cycles longer, so a time would be correct for some designs only.
        self.shown(self.written.wcet.filter(|_| !self.limits_clock()))
    }

    /// The unit in which periods, deadlines and response times are displayed.
    pub fn shown_times(&self) -> ShownUnit {
        self.shown(self.written.period)
    }

    fn shown(&self, written: Option<TimeScale>) -> ShownUnit {
        match (&self.time_base, written) {
            (TimeBase::Cycles { hertz }, Some(scale)) => {
                ShownUnit { name: scale.name(), factor: scale.in_a_second() / hertz }
            }
            (TimeBase::Seconds, written) => {
                let scale = written.unwrap_or(TimeScale::SECOND);
                ShownUnit { name: scale.name(), factor: scale.in_a_second() }
            }
            (own, _) => ShownUnit { name: own.unit(), factor: Rational::one() },
        }
    }
}

impl ShownUnit {
    /// Its name; empty if the file names none.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A time of the set as a number of these units.
    pub fn value(&self, time: &Rational) -> Rational {
        time * &self.factor
    }

    /// A time of the set in this unit: exact if the decimal is short, otherwise rounded and marked as such.
    pub fn figure(&self, time: &Rational) -> String {
        let value = self.value(time);
        let exact = format_decimal(&value);
        let is_short = exact.len() <= LONGEST && !exact.contains('/');
        if is_short { exact } else { format!("≈{}", format_rounded(&value, MOST_PLACES)) }
    }

    /// Times of the set in this unit for one column: all with the same number of decimals, at most six.
    pub fn column<'a>(&self, times: impl Iterator<Item = &'a Rational>) -> Vec<String> {
        let values: Vec<Rational> = times.map(|time| time * &self.factor).collect();
        let is_whole = |value: &Rational, places: u32| {
            (value * Rational::from(BigInt::from(10).pow(places))).is_integer()
        };
        let enough = |places: &u32| values.iter().all(|value| is_whole(value, *places));
        let places = (0..MOST_PLACES).find(enough).unwrap_or(MOST_PLACES);
        let sign = |value: &Rational| if is_whole(value, places) { "" } else { "≈" };
        values.iter().map(|value| format!("{}{}", sign(value), format_rounded(value, places))).collect()
    }

    /// As [`ShownUnit::figure`], followed by the unit.
    pub fn in_words(&self, time: &Rational) -> String {
        format!("{} {}", self.figure(time), self.name).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::read_str;

    #[test]
    fn times_are_shown_as_the_file_writes_them() {
        let shown = |head: &str, wcet: &str, period: &str| {
            let text = format!("name: x\n{head}tasks: [{{name: a, wcet: {wcet}, period: {period}}}]\n");
            let set = read_str("x", &text).unwrap().task_set;
            let task = &set.tasks[0];
            (set.shown_wcets().in_words(&task.wcets[0]), set.shown_times().in_words(task.deadline()))
        };
        let pair = |wcet: &str, period: &str| (wcet.to_owned(), period.to_owned());
        assert_eq!(shown("", "2 ms", "10 ms"), pair("2 ms", "10 ms"));
        assert_eq!(shown("", "250 us", "0.01 s"), pair("250 us", "0.01 s"));
        assert_eq!(shown("", "3", "7"), pair("3", "7"));
        assert_eq!(shown("clock: 100 MHz\n", "94470", "2 ms"), pair("94470 cycles", "2 ms"));
        assert_eq!(shown("clock: 100 MHz\n", "94470", "200000"), pair("94470 cycles", "200000 cycles"));
        assert_eq!(shown("clock: 80 MHz\n", "2 ms", "5 ms"), pair("2 ms", "5 ms"));
        let lowered = "clock: 80 MHz\nblocks: [{name: b, area: 1, fmax: 50 MHz}]\n";
        assert_eq!(shown(lowered, "2 ms", "5 ms"), pair("160000 cycles", "5 ms"));
        assert_eq!(shown("clock: 61 MHz\n", "10", "100/3 us"), pair("10 cycles", "≈33.333333 us"));
    }
}
