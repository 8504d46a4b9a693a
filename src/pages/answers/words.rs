//! Wording of figures and verdicts that all answers share.

use anstyle::{AnsiColor, Style};
use isx_exact::quantity::{Rational, format_decimal, format_rounded};
use isx_report::front::fields::Ratio;
use isx_report::text::visible;
pub(crate) use isx_report::text::with_unit;
use isx_taskset::Resources;
use num_bigint::BigInt;
use num_traits::One;
use serde_json::{Value, json};

/// The word for a task without a choice, wherever choices are named.
pub(crate) const SOFTWARE: &str = "software";

/// The verdict on a design, colored if `color` is set.
pub(crate) fn verdict(schedulable: Option<bool>, is_colored: bool) -> (&'static str, Style) {
    let (word, hue) = match schedulable {
        Some(true) => ("SCHEDULABLE", AnsiColor::Green),
        Some(false) => ("NOT SCHEDULABLE", AnsiColor::Red),
        None => ("UNKNOWN", AnsiColor::Yellow),
    };
    (word, if is_colored { Style::new().bold().fg_color(Some(hue.into())) } else { Style::new() })
}

/// A verdict as files have it.
pub(crate) fn verdict_field(schedulable: Option<bool>) -> &'static str {
    match schedulable {
        Some(true) => "schedulable",
        Some(false) => "not_schedulable",
        None => "unknown",
    }
}

/// A verdict as one word or two.
pub(crate) fn schedulable_in_words(schedulable: Option<bool>) -> &'static str {
    match schedulable {
        Some(true) => "schedulable",
        Some(false) => "not schedulable",
        None => "not decided",
    }
}

/// The names of the objectives.
pub(crate) fn objectives(resources: &Resources) -> Vec<&str> {
    let names = resources.objectives.iter().filter_map(|&at| resources.names.get(at));
    names.map(String::as_str).collect()
}

/// The unit of the costs in the first objective: that of areas, which may be empty, or its name.
pub(crate) fn unit(resources: &Resources) -> &str {
    let name = || objectives(resources).first().copied().unwrap_or_default();
    resources.area_unit.as_deref().unwrap_or_else(name)
}

/// The choices of a design, without the tasks in software: `fir=mac, aes=v3`.
pub(crate) fn taken<'n>(choices: impl Iterator<Item = (&'n str, Option<&'n str>)>) -> String {
    let taken = choices.filter_map(|(task, choice)| Some(assignment(task, Some(choice?))));
    let taken: Vec<String> = taken.collect();
    if taken.is_empty() { "all in software".to_owned() } else { taken.join(", ") }
}

/// What a task or part takes: `fir=mac`, `fir=software`; of an instruction, whose part has its name, `fir/clz`.
pub(crate) fn assignment(task: &str, choice: Option<&str>) -> String {
    let is_instruction = |choice: &str| task.strip_suffix(choice).is_some_and(|before| before.ends_with('/'));
    match choice {
        Some(choice) if is_instruction(choice) => visible(task),
        choice => format!("{}={}", visible(task), choice.map_or(SOFTWARE.to_owned(), visible)),
    }
}

/// A part in percent, with so many decimals.
pub(crate) fn percent(part: &Rational, places: u32) -> String {
    format_rounded(&(part * BigInt::from(100)), places)
}

/// A fraction exactly and as a decimal: `0.95 = 19/20`, or `about 0.333333333, exactly 1/3`. Rounding never hides on
/// which side of 1 (or 0) it lies.
pub(crate) fn fraction(value: &Rational) -> String {
    let (decimal, rounded) = (format_decimal(value), format_rounded(value, 9));
    let ratio = format!("{}/{}", value.numer(), value.denom());
    if value.is_integer() {
        decimal
    } else if decimal == ratio || decimal.len() > rounded.len() {
        format!("about {rounded}, exactly {ratio}")
    } else {
        format!("{decimal} = {ratio}")
    }
}

pub(crate) fn ratio(value: &Rational) -> Value {
    json!(Ratio::from(value))
}

/// Six decimals; a value that would round to 1 without being 1 shows on which side it lies.
pub(crate) fn utilization(value: &Rational) -> String {
    let rounded = format_rounded(value, 6);
    let one = Rational::one();
    match rounded.as_str() {
        "1.000000" if *value > one => format!(">{rounded}"),
        "1.000000" if *value < one => format!("<{rounded}"),
        _ => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact_or_say_that_they_are_not() {
        let in_words =
            |numerator: i64, denominator: i64| fraction(&Rational::new(numerator.into(), denominator.into()));
        assert_eq!(
            [in_words(1, 1), in_words(0, 1), in_words(19, 20), in_words(-3, 20)],
            ["1", "0", "0.95 = 19/20", "-0.15 = -3/20"]
        );
        assert_eq!(in_words(1, 3), "about 0.333333333, exactly 1/3");
        assert_eq!(
            in_words(9_999_999_999, 10_000_000_000),
            "about 1.000000000, exactly 9999999999/10000000000"
        );
    }
}
