//! Decimals as text: split into their parts, and read exactly.

use super::Rational;
use super::error::{MAX_DIGITS, MAX_EXPONENT, QuantityError};
use super::printable::shortened;
use num_bigint::BigInt;

/// The parts of a written decimal such as `-12.50e3`; digits are checked to be digits, nothing else is checked.
///
/// ```
/// use isx_exact::quantity::Written;
/// let written = Written::of("-12.50").unwrap();
/// assert_eq!((written.negative, written.whole, written.fraction, written.exponent), (true, "12", "50", None));
/// assert!(Written::of("1,5").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'t> {
    /// Whether it begins with a minus sign.
    pub negative: bool,
    /// The digits before the point; may be empty if there are digits after it.
    pub whole: &'t str,
    /// The digits after the point.
    pub fraction: &'t str,
    /// The text after the `e`: digits, possibly with a sign.
    pub exponent: Option<&'t str>,
}

impl<'t> Written<'t> {
    /// Splits a text; `None` if it is not a decimal number. White space is not skipped.
    pub fn of(text: &'t str) -> Option<Self> {
        let digits_only = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (unsigned, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let has_digits = !(whole.is_empty() && fraction.is_empty());
        let exponent_reads = exponent.is_none_or(|exponent| {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            !digits.is_empty() && digits_only(digits)
        });
        (has_digits && digits_only(whole) && digits_only(fraction) && exponent_reads).then_some(Self {
            negative: text.starts_with('-'),
            whole,
            fraction,
            exponent,
        })
    }
}

/// A decimal as an integer in units of its last decimal place: `digits / 10^places`, of any sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// The number without its point.
    pub digits: i128,
    /// How many of the digits follow the point, without trailing zeros.
    pub places: u32,
}

impl Scaled {
    /// Reads a decimal without exponent, such as `-12.50`; fast on plain integers, which make up most of large
    /// files.
    /// Fails with [`QuantityError::NotANumber`], and [`QuantityError::TooWide`] if the digits exceed 127 bits.
    ///
    /// ```
    /// use isx_exact::quantity::Scaled;
    /// assert_eq!(Scaled::parse("-12.50"), Ok(Scaled { digits: -125, places: 1 }));
    /// ```
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        if let Ok(digits) = text.parse::<i64>() {
            return Ok(Self { digits: digits.into(), places: 0 });
        }
        let written = Written::of(text)
            .filter(|written| written.exponent.is_none())
            .ok_or_else(|| QuantityError::NotANumber(shortened(text)))?;
        let too_wide = || QuantityError::TooWide(shortened(text));
        let fraction = written.fraction.trim_end_matches('0');
        let places = u32::try_from(fraction.len()).map_err(|_| too_wide())?;
        let digits = written
            .whole
            .bytes()
            .chain(fraction.bytes())
            .try_fold(0i128, |sum, digit| sum.checked_mul(10)?.checked_add(i128::from(digit - b'0')));
        let digits = digits.ok_or_else(too_wide)?;
        Ok(Self { digits: if written.negative { -digits } else { digits }, places })
    }
}

/// Reads a non-negative decimal such as `12`, `12.5` or `1.5e3`, exactly.
/// Fails if the text is not a plain decimal number, is negative, has more than [`MAX_DIGITS`] digits or an exponent
/// outside ±[`MAX_EXPONENT`]; or if YAML readers disagree about it (`010`, `0x10`, `1_000`, `1:30`, `yes`).
///
/// ```
/// use isx_exact::quantity::{parse_decimal, format_decimal};
/// assert_eq!(format_decimal(&parse_decimal("12.50").unwrap()), "12.5");
/// assert!(parse_decimal("010").is_err());
/// ```
pub fn parse_decimal(text: &str) -> Result<Rational, QuantityError> {
    let (negative, magnitude) = sign_and_magnitude(text)?;
    if negative { Err(QuantityError::Negative(shortened(text.trim()))) } else { Ok(magnitude) }
}

/// Reads a decimal of any sign, exactly; otherwise as [`parse_decimal`].
/// Fails as [`parse_decimal`], except that the number may be negative.
///
/// ```
/// use isx_exact::quantity::{parse_signed_decimal, format_decimal};
/// assert_eq!(format_decimal(&parse_signed_decimal("-12.50").unwrap()), "-12.5");
/// assert!(parse_signed_decimal("- 1").is_err());
/// ```
pub fn parse_signed_decimal(text: &str) -> Result<Rational, QuantityError> {
    let (negative, magnitude) = sign_and_magnitude(text)?;
    Ok(if negative { -magnitude } else { magnitude })
}

/// Whether a decimal begins with a minus sign, and the number without it.
fn sign_and_magnitude(text: &str) -> Result<(bool, Rational), QuantityError> {
    let text = text.trim();
    if let Some(number) = plain(text) {
        return Ok((false, Rational::from(BigInt::from(number))));
    }
    reject_lookalikes(text)?;
    let Written { negative, whole, fraction, exponent } =
        Written::of(text).ok_or_else(|| not_a_number(text))?;
    // An exponent that overflows an i64 is too large in any case.
    let exponent = exponent.map_or(Ok(0), str::parse::<i64>).unwrap_or(i64::MAX);
    if !(-MAX_EXPONENT..=MAX_EXPONENT).contains(&exponent) {
        return Err(QuantityError::Exponent(shortened(text)));
    }
    if whole.len() > 1 && whole.starts_with('0') {
        return Err(QuantityError::Ambiguous {
            text: shortened(text),
            why: "a leading zero means octal to some YAML readers",
        });
    }
    if whole.len() + fraction.len() > MAX_DIGITS {
        return Err(QuantityError::TooLong(shortened(text)));
    }
    let digits: BigInt = format!("{whole}{fraction}").parse().map_err(|_| not_a_number(text))?;
    // At most 40 digits and an exponent of at most 18: the power below stays small.
    let shift = exponent - fraction.len() as i64;
    let power = BigInt::from(10).pow(shift.unsigned_abs() as u32);
    let magnitude = if shift >= 0 { Rational::from(digits * power) } else { Rational::new(digits, power) };
    Ok((negative, magnitude))
}

/// A short integer that all readers read alike: the most common number in files.
fn plain(text: &str) -> Option<u64> {
    let is_plain = text.len() <= 18
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    if is_plain { text.parse().ok() } else { None }
}

/// Refuses texts that some YAML reader takes for a different number, or not for a number.
pub(super) fn reject_lookalikes(text: &str) -> Result<(), QuantityError> {
    if text.is_empty() {
        return Err(QuantityError::Empty);
    }
    let ambiguous = |why| Err(QuantityError::Ambiguous { text: shortened(text), why });
    let lower = text.to_ascii_lowercase();
    let unsigned = lower.trim_start_matches(['+', '-']);
    match unsigned.trim_start_matches('.') {
        "nan" | "inf" | "infinity" => return Err(QuantityError::NotFinite(shortened(text))),
        "yes" | "no" | "on" | "off" | "true" | "false" | "y" | "n" => {
            return ambiguous("it is a truth value to some YAML readers");
        }
        _ => {}
    }
    if unsigned.starts_with("0x") || unsigned.starts_with("0o") || unsigned.starts_with("0b") {
        return ambiguous("write it as a decimal number");
    }
    if unsigned.contains('_') && unsigned.bytes().any(|b| b.is_ascii_digit()) {
        return ambiguous("write the digits without `_`");
    }
    if unsigned.contains(':') {
        return ambiguous("it is a sexagesimal number to some YAML readers");
    }
    Ok(())
}

/// The error for a text that is not a decimal; one with commas comes with a suggestion.
fn not_a_number(text: &str) -> QuantityError {
    match without_commas(text) {
        Some(advice) => QuantityError::Comma { text: shortened(text), advice },
        None => QuantityError::NotANumber(shortened(text)),
    }
}

/// The suggestion for `1,200` or `0,5`. Groups of three digits are thousands, though a single group may be decimals.
fn without_commas(text: &str) -> Option<String> {
    let joined = text.replace(',', "");
    let whole_digits = text.split('.').next()?;
    let groups: Vec<&str> = whole_digits.split(',').collect();
    let (first, rest) = groups.split_first()?;
    if text.len() > MAX_DIGITS || rest.is_empty() || Written::of(&joined)?.exponent.is_some() {
        return None;
    }
    let thousands = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && rest.iter().all(|group| group.len() == 3);
    match (thousands, rest) {
        (true, [decimals]) if whole_digits == text => Some(format!(
            "write `{joined}` without the comma, or `{first}.{decimals}` if it stands for the decimal point"
        )),
        (true, _) => Some(format!("write `{joined}`, without commas")),
        (false, [decimals]) if whole_digits == text && !first.is_empty() && !decimals.is_empty() => {
            Some(format!("write `{first}.{decimals}`, with a decimal point"))
        }
        (false, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Rational, TimeUnit, format_decimal, parse_time};
    use super::*;
    use num_traits::Zero;

    fn ratio(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(parse_decimal("0.1").unwrap(), ratio(1, 10));
        assert_eq!(parse_decimal("1.50e-3").unwrap(), ratio(15, 10_000));
        assert_eq!(
            parse_decimal("2e18").unwrap(),
            Rational::from(BigInt::from(2) * BigInt::from(10).pow(18))
        );
        assert_eq!(parse_decimal(".5").unwrap(), ratio(1, 2));
        assert_eq!(parse_decimal("0").unwrap(), Rational::zero());
    }

    #[test]
    fn limits_hold_at_both_sides() {
        let digits = "9".repeat(MAX_DIGITS);
        assert_eq!(format_decimal(&parse_decimal(&digits).unwrap()), digits);
        assert_eq!(
            format_decimal(&parse_decimal(&format!("{digits}e18")).unwrap()),
            digits.clone() + &"0".repeat(18)
        );
        let small = format!("0.{}1", "0".repeat(MAX_DIGITS - 2));
        let smallest = parse_decimal(&format!("{small}e-18")).unwrap();
        assert_eq!(smallest.recip(), Rational::from(BigInt::from(10).pow(39 + 18)));
        assert!(matches!(parse_decimal(&format!("{digits}9")), Err(QuantityError::TooLong(_))));
        assert!(matches!(parse_decimal(&format!("0.{digits}")), Err(QuantityError::TooLong(_))));
        for exponent in [i64::MIN, i64::MIN + 1, -19, 19, i64::MAX] {
            let text = format!("1e{exponent}");
            assert!(matches!(parse_decimal(&text), Err(QuantityError::Exponent(_))), "{text}");
        }
        for exponent in ["1e+00000000000000000018", "1e-00000000000000000018"] {
            assert!(parse_decimal(exponent).is_ok(), "{exponent}");
        }
    }

    #[test]
    fn scaled_decimals_hold_what_fits_in_127_bits() {
        let scaled = |digits, places| Ok(Scaled { digits, places });
        assert_eq!(Scaled::parse("007"), scaled(7, 0));
        assert_eq!(Scaled::parse("-0.500"), scaled(-5, 1));
        assert_eq!(Scaled::parse("12."), scaled(12, 0));
        assert_eq!(Scaled::parse("1.10"), scaled(11, 1));
        assert_eq!(Scaled::parse("9223372036854775808"), scaled(1 << 63, 0));
        assert_eq!(Scaled::parse(&i128::MAX.to_string()), scaled(i128::MAX, 0));
        assert_eq!(Scaled::parse(&format!("{}7", "0".repeat(60))), scaled(7, 0));
        for text in
            ["170141183460469231731687303715884105728", &"9".repeat(1000), &format!("0.{}", "3".repeat(39))]
        {
            assert!(matches!(Scaled::parse(text), Err(QuantityError::TooWide(_))), "{text}");
        }
        for text in ["", "-", ".", "1e3", "1,5", "0x1", " 1", "１", "--1", "1.2.3", "nan"] {
            assert!(matches!(Scaled::parse(text), Err(QuantityError::NotANumber(_))), "{text}");
        }
    }

    #[test]
    fn lookalikes_are_refused_by_kind() {
        for text in ["010", "0x10", "1_000", "1:30", "yes", "0o7", "00"] {
            assert!(matches!(parse_decimal(text), Err(QuantityError::Ambiguous { .. })), "{text}");
            assert!(matches!(parse_time(text), Err(QuantityError::Ambiguous { .. })), "{text}");
        }
        for text in [".nan", ".inf", "-.inf", "NaN", "inf"] {
            assert!(matches!(parse_time(text), Err(QuantityError::NotFinite(_))), "{text}");
        }
        for text in ["-0", "-1", "-1e3"] {
            assert!(matches!(parse_time(text), Err(QuantityError::Negative(_))), "{text}");
        }
        for text in ["1e308", "1e-999999999", "1e99999999999999999999"] {
            assert!(matches!(parse_decimal(text), Err(QuantityError::Exponent(_))), "{text}");
        }
        for text in ["", " ", "abc", "1.2.3", "1e", "--1", "1 2", "e5", "."] {
            assert!(parse_decimal(text).is_err(), "{text}");
        }
        assert_eq!(parse_time("1e3").unwrap(), (ratio(1000, 1), TimeUnit::None));
    }

    #[test]
    fn numbers_with_commas_get_advice() {
        let advice = |text: &str| match parse_decimal(text) {
            Err(QuantityError::Comma { advice, .. }) => advice,
            other => format!("{other:?}"),
        };
        assert_eq!(
            advice("1,200"),
            "write `1200` without the comma, or `1.200` if it stands for the decimal point"
        );
        assert_eq!(advice("12,345,678"), "write `12345678`, without commas");
        assert_eq!(advice("1,200.5"), "write `1200.5`, without commas");
        assert_eq!(advice("0,5"), "write `0.5`, with a decimal point");
        assert_eq!(advice("0,125"), "write `0.125`, with a decimal point");
        assert_eq!(advice("1234,56"), "write `1234.56`, with a decimal point");
        for text in ["1,2,3", ",5", "1,", "1,a", "1.2,3", "1,5e3", ",", &format!("{},5", "1".repeat(60))] {
            assert!(matches!(parse_decimal(text), Err(QuantityError::NotANumber(_))), "{text}");
        }
    }
}
