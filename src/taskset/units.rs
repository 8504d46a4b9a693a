//! Which times of a file have a unit, and the error where the units are mixed.
//!
//! A clock converts cycles to seconds, but it cannot tell whether a plain `10000` beside `1 ms` was meant as cycles or as
//! microseconds, so it does not excuse a mixture:
//!
//! | | WCETs and savings | periods and deadlines |
//! |---|---|---|
//! | without a clock | with or without a unit | as the WCETs |
//! | with a clock | with a unit, or all of them plain cycles | with a unit; plain cycles only where no time has a unit |

use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::reader::Reader;
use isx_exact::quantity::TimeUnit;

/// The times read so far.
#[derive(Default)]
pub(super) struct Units {
    /// WCETs and savings, which are cycles by nature.
    execution: Times,
    /// Periods and deadlines.
    other: Times,
}

/// Times of one kind, by whether they have a unit.
#[derive(Default)]
struct Times {
    with_unit: Seen,
    plain: Seen,
}

/// How many times there are, and the first of them with the words for it.
#[derive(Clone, Default)]
struct Seen {
    count: usize,
    first: Option<(Range<usize>, String)>,
}

impl Seen {
    /// These and others.
    fn and(&self, others: &Self) -> Self {
        let first = self.first.iter().chain(&others.first).min_by_key(|(place, _)| place.start).cloned();
        Seen { count: self.count + others.count, first }
    }
}

impl Units {
    /// Takes note of the time that `key` of `owner` gives.
    pub fn note(&mut self, unit: TimeUnit, place: &Range<usize>, key: &str, owner: &str) {
        let times = if matches!(key, "wcet" | "saves") { &mut self.execution } else { &mut self.other };
        let seen = match unit {
            TimeUnit::Seconds => &mut times.with_unit,
            TimeUnit::None => &mut times.plain,
        };
        seen.count += 1;
        seen.first.get_or_insert_with(|| (place.clone(), format!("`{key}` of {owner}")));
    }

    /// Whether a time has a unit.
    pub fn any_has_one(&self) -> bool {
        self.execution.with_unit.count + self.other.with_unit.count > 0
    }
}

impl Reader<'_> {
    /// The error of times with and without a unit in one file, at the rarer kind.
    pub(super) fn mixed_units(&self) -> Option<Box<Diagnostic>> {
        let Units { execution, other } = &self.units;
        let (all_plain, all_with) =
            (execution.plain.and(&other.plain), execution.with_unit.and(&other.with_unit));
        if self.clock.is_none() {
            let help = "write every time with a unit, or none; WCETs and savings may be plain beside periods with a unit \
                        where they are cycles: then give the processor's clock, for example `clock: 100 MHz`";
            return self.mixture(&all_plain, &all_with, help);
        }
        let with_unit = if other.with_unit.count > 0 { &other.with_unit } else { &all_with };
        let help = "with a `clock` plain numbers are cycles: write every period and deadline with a unit, or every time of \
                    the file as plain cycles";
        let of_execution = "with a `clock` plain numbers are cycles: write every WCET and saving with a unit, or every one \
                            as plain cycles";
        self.mixture(&other.plain, with_unit, help)
            .or_else(|| self.mixture(&execution.plain, &execution.with_unit, of_execution))
    }

    fn mixture(&self, plain: &Seen, with_unit: &Seen, help: &str) -> Option<Box<Diagnostic>> {
        let ((plain_at, plain_words), (unit_at, unit_words)) =
            (plain.first.as_ref()?, with_unit.first.as_ref()?);
        let line = |place: &Range<usize>| self.source.line(place.start);
        let error = if with_unit.count < plain.count {
            let line = line(plain_at);
            let message = format!("{unit_words} has a unit, but {plain_words} in line {line} has none");
            Diagnostic::error(self.source, unit_at.clone(), message)
                .label("with a unit")
                .also(plain_at.clone(), "without a unit")
        } else {
            let line = line(unit_at);
            let message = format!("{plain_words} has no unit, but {unit_words} in line {line} has one");
            Diagnostic::error(self.source, plain_at.clone(), message)
                .label("without a unit")
                .also(unit_at.clone(), "with a unit")
        };
        Some(error.help(help))
    }
}
