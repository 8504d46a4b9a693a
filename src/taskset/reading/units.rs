//! Tracks which times of a file have a unit, and reports mixed units.
//!
//! A clock converts cycles to seconds, but it does not show whether a plain `10000` next to `1 ms` was meant as cycles
//! or as microseconds, so mixed units are an error even with a clock:
//!
//! | | WCETs and savings | periods and deadlines |
//! |---|---|---|
//! | without a clock | with or without a unit | as the WCETs |
//! | with a clock | with a unit, or all of them plain cycles | with a unit; plain cycles only where no time has a unit |
//!
//! With a clock, blocking, critical sections and parts that cannot be interrupted may have a unit beside WCETs in plain cycles: a kernel's
//! manual gives microseconds.

use std::ops::Range;
use std::sync::Arc;

use super::fields::Field;
use crate::diagnostics::{Diagnostic, Source};
use isx_exact::quantity::TimeUnit;

/// The times read so far.
#[derive(Default)]
pub struct Units {
    /// WCETs and savings, which are naturally cycles: with a unit, and without.
    execution: [Times; 2],
    /// Periods and deadlines.
    other: [Times; 2],
}

/// The number of times, and the first of them with its description.
#[derive(Clone, Default)]
struct Times {
    count: usize,
    first: Option<(Range<usize>, String)>,
}

impl Times {
    fn and(&self, others: &Self) -> Self {
        let first = self.first.iter().chain(&others.first).min_by_key(|(place, _)| place.start).cloned();
        Times { count: self.count + others.count, first }
    }
}

impl Units {
    /// Records a time, of the key `wcet`, for example.
    pub fn note(&mut self, unit: TimeUnit, field: Field<'_>, key: &str) {
        let has_unit = unit == TimeUnit::Seconds;
        let of_execution = match key {
            "wcet" | "saves" | "wcet_high" | "switch" => true,
            "blocking" | "nonpreemptive" | "locks" => !has_unit,
            _ => false,
        };
        let [with_unit, plain] = if of_execution { &mut self.execution } else { &mut self.other };
        let times = if has_unit { with_unit } else { plain };
        times.count += 1;
        times.first.get_or_insert_with(|| (field.node.bytes.clone(), field.to_string()));
    }

    /// Whether a time has a unit.
    pub fn any_has_one(&self) -> bool {
        self.execution[0].count + self.other[0].count > 0
    }

    /// The error for times with and without a unit in one file, at the less frequent kind.
    pub fn mixed(&self, source: &Arc<Source>, has_clock: bool) -> Option<Box<Diagnostic>> {
        let Units { execution: [execution, plain_execution], other: [other, plain_other] } = self;
        let all = execution.and(other);
        if !has_clock {
            let help = "write every time with a unit, or none; WCETs and savings may be plain beside periods with a unit \
                        where they are cycles: then give the processor's clock, for example `clock: 100 MHz`";
            return mixture(source, &plain_execution.and(plain_other), &all, help);
        }
        let with_unit = if other.count > 0 { other } else { &all };
        let help = "with a `clock` plain numbers are cycles: write every period and deadline with a unit, or every time of \
                    the file as plain cycles";
        let of_execution = "with a `clock` plain numbers are cycles: write every WCET and saving with a unit, or every one \
                            as plain cycles";
        mixture(source, plain_other, with_unit, help)
            .or_else(|| mixture(source, plain_execution, execution, of_execution))
    }
}

/// The error for times of both kinds, at the less frequent one.
fn mixture(source: &Arc<Source>, plain: &Times, with_unit: &Times, help: &str) -> Option<Box<Diagnostic>> {
    let mut sides = [
        (plain.first.as_ref()?, "has no unit", "has none", "without a unit"),
        (with_unit.first.as_ref()?, "has a unit", "has one", "with a unit"),
    ];
    if with_unit.count < plain.count {
        sides.reverse();
    }
    let [((place, words), has, _, label), ((other, other_words), _, other_has, other_label)] = sides;
    let line = source.line(other.start);
    let message = format!("{words} {has}, but {other_words} in line {line} {other_has}");
    let error = Diagnostic::error(source, place.clone(), message).label(label);
    Some(error.also(other.clone(), other_label).help(help))
}
