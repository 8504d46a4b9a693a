//! Quantities with a unit: times and clock rates.

use super::Rational;
use super::decimal::{parse_decimal, reject_lookalikes};
use super::error::QuantityError;
use super::print::format_decimal;
use super::printable::shortened;
use num_bigint::BigInt;
use num_traits::Zero;

/// The unit that a time was written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// No unit: processor cycles, or the unit of the whole file.
    None,
    /// A multiple of a second; the value was converted to seconds.
    Seconds,
}

/// Reads a time such as `10 ms`, `12.5us`, `61000` or `15/61 s`: the value (in seconds where it has a
/// unit) and whether it has one.
/// Fails as [`parse_decimal`], and for an unknown unit.
///
/// ```
/// use isx_exact::quantity::{Rational, TimeUnit, parse_time};
/// let (value, unit) = parse_time("12.5 us").unwrap();
/// assert_eq!((value, unit), (Rational::new(125.into(), 10_000_000.into()), TimeUnit::Seconds));
/// ```
pub fn parse_time(text: &str) -> Result<(Rational, TimeUnit), QuantityError> {
    let (number, unit) = split_unit(text);
    let scale = match (unit, TimeScale::named(unit)) {
        ("", _) => return Ok((parse_fraction(number)?, TimeUnit::None)),
        (_, Some(scale)) => scale,
        (_, None) => {
            // `1:30` or `0x10` is a malformed number rather than a number with an odd unit.
            reject_lookalikes(text.trim())?;
            return Err(QuantityError::Unit {
                unit: shortened(unit),
                of: "time",
                advice: advice_on_time(unit),
            });
        }
    };
    Ok((parse_fraction(number)? / scale.in_a_second(), TimeUnit::Seconds))
}

/// The unit that a time is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeScale {
    name: &'static str,
    /// The number of these units per second, as a power of ten.
    places: u32,
}

impl TimeScale {
    /// Seconds.
    pub const SECOND: Self = Self { name: "s", places: 0 };

    fn named(unit: &str) -> Option<Self> {
        Some(match unit {
            "s" => Self::SECOND,
            "ms" => Self { name: "ms", places: 3 },
            "us" | "µs" | "μs" => Self { name: "us", places: 6 },
            "ns" => Self { name: "ns", places: 9 },
            "ps" => Self { name: "ps", places: 12 },
            _ => return None,
        })
    }

    /// The unit that a time is written in, as [`parse_time`] reads it; `None` if it has no unit.
    pub fn of_text(text: &str) -> Option<Self> {
        Self::named(split_unit(text).1)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// How many of them make a second.
    pub fn in_a_second(self) -> Rational {
        Rational::from(BigInt::from(10).pow(self.places))
    }
}

/// The suggestion for an unknown unit of time.
fn advice_on_time(unit: &str) -> String {
    let lower = unit.to_lowercase();
    let bare = unit.trim_end_matches([',', ';', '.', ' ']);
    if matches!(bare, "s" | "ms" | "us" | "ns" | "ps") {
        return format!("write `{bare}`, with nothing after it");
    }
    let near = match lower.trim_end_matches('s') {
        "" | "sec" | "second" => "s",
        "m" if lower == "ms" => "ms",
        "msec" | "millisecond" => "ms",
        "u" | "µ" | "μ" | "usec" | "µsec" | "μsec" | "microsecond" => "us",
        "n" | "nsec" | "nanosecond" => "ns",
        "p" | "psec" | "picosecond" => "ps",
        "k" | "kcycle" | "mcycle" => return "write all digits, such as `30000`".to_owned(),
        "hz" | "khz" | "mhz" | "ghz" => {
            return "write the time from job to job: `1/50 s` for 50 Hz".to_owned();
        }
        "cycle" => return "leave the unit out: a plain number is cycles where a `clock` is given".to_owned(),
        _ => return "use s, ms, us, ns or ps".to_owned(),
    };
    let known_but_for_case = near == lower || (near == "us" && matches!(&*lower, "µs" | "μs"));
    let why = if known_but_for_case { ": units of time are lower case" } else { "" };
    format!("write `{near}`{why}")
}

/// Reads a clock rate such as `100 MHz`, in hertz.
/// Fails as [`parse_decimal`], and if the unit is missing or unknown.
pub fn parse_rate(text: &str) -> Result<Rational, QuantityError> {
    const KNOWN: &str = "Hz, kHz, MHz or GHz";
    let (number, unit) = split_unit(text);
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" => {
            parse_fraction(number)?;
            let text = shortened(number);
            return Err(QuantityError::NoUnit {
                example: format!("{text} MHz"),
                text,
                of: "clock rate",
                known: KNOWN,
            });
        }
        "hz" => 0,
        "khz" => 3,
        "mhz" if !unit.starts_with('m') => 6,
        "ghz" => 9,
        _ => {
            reject_lookalikes(text.trim())?;
            let advice = match unit.to_ascii_lowercase().as_str() {
                "mhz" => "write `MHz`: a small m would be a thousandth".to_owned(),
                "k" | "kh" => "write `kHz`".to_owned(),
                "m" | "mh" => "write `MHz`".to_owned(),
                "g" | "gh" => "write `GHz`".to_owned(),
                _ => format!("use {KNOWN}"),
            };
            return Err(QuantityError::Unit { unit: shortened(unit), of: "clock rate", advice });
        }
    };
    Ok(parse_fraction(number)? * Rational::from(BigInt::from(10).pow(scale)))
}

/// A clock rate in hertz as a number of the largest unit in which it is at least 1, and that unit: 123 and `MHz`.
pub fn rate_in_unit(hertz: &Rational) -> (Rational, &'static str) {
    let units = [(9, "GHz"), (6, "MHz"), (3, "kHz")];
    let unit = |power: u32| Rational::from(BigInt::from(10).pow(power));
    let (power, name) = units.into_iter().find(|&(power, _)| *hertz >= unit(power)).unwrap_or((0, "Hz"));
    (hertz / unit(power), name)
}

/// A clock rate in hertz, exactly and in the largest unit in which it is at least 1: `41.5 MHz`.
pub fn format_rate(hertz: &Rational) -> String {
    let (figure, unit) = rate_in_unit(hertz);
    format!("{} {unit}", format_decimal(&figure))
}

/// Reads a non-negative decimal or a fraction of two decimals, exactly.
/// Fails as [`parse_decimal`], for each of them, and if the denominator is 0.
///
/// ```
/// use isx_exact::quantity::{format_decimal, parse_fraction};
/// assert_eq!(format_decimal(&parse_fraction("10/8").unwrap()), "1.25");
/// assert!(parse_fraction("1/0").is_err());
/// ```
pub fn parse_fraction(text: &str) -> Result<Rational, QuantityError> {
    match text.split_once('/') {
        None => parse_decimal(text),
        Some((numerator, denominator)) => {
            // An error shows the whole text, such as `n/a`, not half of it.
            let part = |part: &str| {
                parse_decimal(part).map_err(|error| match error {
                    QuantityError::NotANumber(_) | QuantityError::Empty => {
                        QuantityError::NotANumber(shortened(text))
                    }
                    other => other,
                })
            };
            let denominator = part(denominator)?;
            if denominator.is_zero() {
                return Err(QuantityError::ZeroDenominator(shortened(text)));
            }
            Ok(part(numerator)? / denominator)
        }
    }
}

/// Splits `12.5 us` into `12.5` and `us`; an exponent's `e` belongs to the number.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let is_exponent = |at: usize| {
        matches!(text.as_bytes()[at], b'e' | b'E')
            && text[at + 1..].trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit())
    };
    let unit_at = text
        .char_indices()
        .find(|&(at, c)| c.is_alphabetic() && !(at > 0 && is_exponent(at)))
        .map_or(text.len(), |(at, _)| at);
    // A text such as `.nan` or `yes` has no digits before its letters: all of it is treated as the (invalid) number.
    if !text[..unit_at].bytes().any(|b| b.is_ascii_digit()) {
        return (text, "");
    }
    (text[..unit_at].trim_end(), &text[unit_at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn times_know_their_units() {
        assert_eq!(parse_time("33.3 ms").unwrap(), (ratio(333, 10_000), TimeUnit::Seconds));
        assert_eq!(parse_time("15/61 s").unwrap(), (ratio(15, 61), TimeUnit::Seconds));
        assert_eq!(parse_time("1e3us").unwrap(), (ratio(1, 1000), TimeUnit::Seconds));
        assert_eq!(parse_time("61000").unwrap(), (ratio(61_000, 1), TimeUnit::None));
        assert!(matches!(parse_time("5 min"), Err(QuantityError::Unit { .. })));
        assert!(matches!(parse_time("1/0 s"), Err(QuantityError::ZeroDenominator(_))));
        for text in ["n/a", "/", "1/"] {
            assert_eq!(parse_time(text), Err(QuantityError::NotANumber(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_millihertz_is_not_a_megahertz() {
        assert_eq!(parse_rate("100 MHz").unwrap(), ratio(100_000_000, 1));
        assert_eq!(parse_rate("0.5kHz").unwrap(), ratio(500, 1));
        assert!(parse_rate("100 mHz").is_err());
        assert!(parse_rate("100").is_err());
    }

    #[test]
    fn the_message_for_an_unknown_unit_names_the_likely_one() {
        let time = |text: &str| parse_time(text).unwrap_err().to_string();
        assert_eq!(time("50 uS"), "`uS` is not a unit of time; write `us`: units of time are lower case");
        assert_eq!(time("50 µS"), "`µS` is not a unit of time; write `us`: units of time are lower case");
        assert_eq!(time("5 MS"), "`MS` is not a unit of time; write `ms`: units of time are lower case");
        assert_eq!(time("5 S"), "`S` is not a unit of time; write `s`: units of time are lower case");
        assert_eq!(time("5 seconds"), "`seconds` is not a unit of time; write `s`");
        assert_eq!(time("5 usec"), "`usec` is not a unit of time; write `us`");
        for unit in ["min", "m", "h", "min s", "mss"] {
            let expected = format!("`{unit}` is not a unit of time; use s, ms, us, ns or ps");
            assert_eq!(time(&format!("5 {unit}")), expected);
        }
        assert_eq!(time("30k"), "`k` is not a unit of time; write all digits, such as `30000`");
        assert_eq!(
            time("50 Hz"),
            "`Hz` is not a unit of time; write the time from job to job: `1/50 s` for 50 Hz"
        );
        assert_eq!(time("1 ms,"), "`ms,` is not a unit of time; write `ms`, with nothing after it");
        assert!(time("5 cycles").contains("leave the unit out"));
        let rate = |text: &str| parse_rate(text).unwrap_err().to_string();
        assert!(rate("50 mhz").starts_with("`mhz` is not a unit of clock rate; write `MHz`"));
        assert_eq!(rate("50 M"), "`M` is not a unit of clock rate; write `MHz`");
        assert_eq!(rate("50 ns"), "`ns` is not a unit of clock rate; use Hz, kHz, MHz or GHz");
        assert!(rate("50").starts_with("`50` has no unit: write for example `50 MHz`; "));
        assert_eq!(rate("fast"), "`fast` is not a decimal number");
        assert_eq!(rate(""), "a number is missing");
    }
}
