//! Margins as users write them.

use crate::in_percent;
use isx_exact::quantity::{Rational, format_decimal, parse_fraction};
use num_bigint::BigInt;
use num_traits::One;

fn hundred() -> Rational {
    Rational::from(BigInt::from(100))
}

/// Reads `20%`, `20 %`, `0.2` or `1/5`. A number of 1 or more without a percent sign is refused: it is nearly
/// always a percentage without its sign, or a factor such as `1.2`.
///
/// ```
/// use isx_taskset::parse_margin;
/// assert_eq!(parse_margin("20 %"), parse_margin("1/5"));
/// assert!(parse_margin("1.2").unwrap_err().contains("write 20% for WCETs 1.2 times as long"));
/// ```
pub fn parse_margin(text: &str) -> Result<Rational, String> {
    let number = |text: &str| parse_fraction(text).map_err(|error| error.to_string());
    if text.trim_start().starts_with('-') {
        return Err("a margin must be 0 or greater; --scale-wcet 0.9 makes every WCET 10 % shorter".into());
    }
    if let Some(percent) = text.trim_end().strip_suffix('%') {
        return Ok(number(percent.trim_end())? / hundred());
    }
    let margin = number(text)?;
    if margin < Rational::one() {
        return Ok(margin);
    }
    let is_factor = !margin.is_integer() && margin < Rational::from(BigInt::from(2));
    let percent = if is_factor { (&margin - Rational::one()) * hundred() } else { margin.clone() };
    Err(format!(
        "that would be {}: write {}% for WCETs {}, or {}% if that is meant",
        in_percent(&margin),
        format_decimal(&percent),
        if is_factor {
            format!("{text} times as long")
        } else {
            format!("{} % longer", format_decimal(&percent))
        },
        format_decimal(&(margin * hundred())),
    ))
}
