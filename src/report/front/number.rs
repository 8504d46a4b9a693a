//! Exact numbers of fronts, in machine integers if they fit.
//!
//! A front of a hundred thousand points has as many fractions to reduce and to print, and nearly always numerator and
//! denominator fit 64 bits. Numbers that do not fit give the same text.

use isx_exact::quantity::{Rational, approx, format_decimal};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::cmp::Ordering;
use std::io::{self, Write};

/// An exact number in lowest terms. Equal numbers have the same form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// Numerator and denominator, if they fit 64 bits.
    Small(i64, u64),
    /// As wide as needed.
    Big(Box<Rational>),
}

/// The largest number below which every integer is a double.
const EXACT_IN_DOUBLE: u64 = 1 << 53;

impl Default for Number {
    fn default() -> Self {
        Self::Small(0, 1)
    }
}

impl From<&Rational> for Number {
    fn from(number: &Rational) -> Self {
        match (number.numer().to_i64(), number.denom().to_u64()) {
            (Some(numerator), Some(denominator)) => Self::Small(numerator, denominator),
            _ => Self::Big(Box::new(number.clone())),
        }
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self::Small(number, 1)
    }
}

impl Number {
    /// The quotient of two numbers; the denominator is positive.
    pub fn of(numerator: i128, denominator: u128) -> Self {
        let small = u64::try_from(numerator.unsigned_abs()).ok().zip(u64::try_from(denominator).ok());
        let divisor = match small {
            _ if denominator == 1 => 1,
            Some((numerator, denominator)) => u128::from(numerator.gcd(&denominator)),
            None => numerator.unsigned_abs().gcd(&denominator),
        };
        let Ok(signed) = i128::try_from(divisor) else {
            return Self::from(&Rational::new(numerator.into(), denominator.into()));
        };
        let (numerator, denominator) = (numerator / signed, denominator / divisor);
        match i64::try_from(numerator).ok().zip(u64::try_from(denominator).ok()) {
            Some((numerator, denominator)) => Self::Small(numerator, denominator),
            None => Self::Big(Box::new(Rational::new_raw(numerator.into(), denominator.into()))),
        }
    }

    /// The number itself.
    pub fn exact(&self) -> Rational {
        match self {
            Self::Small(numerator, denominator) => {
                Rational::new_raw((*numerator).into(), (*denominator).into())
            }
            Self::Big(number) => (**number).clone(),
        }
    }

    /// Numerator and denominator, if they fit 64 bits.
    pub fn small(&self) -> Option<(i64, u64)> {
        match *self {
            Self::Small(numerator, denominator) => Some((numerator, denominator)),
            Self::Big(_) => None,
        }
    }

    /// Writes the numerator.
    pub fn write_numerator(&self, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Small(numerator, _) => write!(out, "{numerator}"),
            Self::Big(number) => write!(out, "{}", number.numer()),
        }
    }

    /// Writes the denominator.
    pub fn write_denominator(&self, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Small(_, denominator) => write!(out, "{denominator}"),
            Self::Big(number) => write!(out, "{}", number.denom()),
        }
    }

    /// Writes the number as [`format_decimal`] does.
    pub fn write_decimal(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let digits = |places: u32| self.digits(places);
        match *self {
            Self::Small(numerator, 1) => write!(out, "{numerator}"),
            Self::Small(..) => match self.places().and_then(|places| digits(places).zip(Some(places))) {
                Some((digits, places)) => {
                    let (sign, digits) = (if digits < 0 { "-" } else { "" }, digits.unsigned_abs());
                    let (power, width) = (10u128.pow(places), places as usize);
                    write!(out, "{sign}{}.{:0width$}", digits / power, digits % power)
                }
                None => out.write_all(format_decimal(&self.exact()).as_bytes()),
            },
            Self::Big(_) => out.write_all(format_decimal(&self.exact()).as_bytes()),
        }
    }

    /// The number as [`format_decimal`] prints it.
    pub fn decimal(&self) -> String {
        let mut text = Vec::new();
        // Memory takes every byte, and digits are text.
        let _ = self.write_decimal(&mut text);
        String::from_utf8(text).unwrap_or_default()
    }

    /// The digits that it has after the decimal point; `None` if it is no decimal, or has many.
    pub fn places(&self) -> Option<u32> {
        let mut rest = match self {
            Self::Small(_, denominator) => u128::from(*denominator),
            Self::Big(number) => number.denom().to_u128()?,
        };
        let (twos, mut fives) = (rest.trailing_zeros(), 0);
        rest >>= twos;
        while rest.is_multiple_of(5) {
            rest /= 5;
            fives += 1;
        }
        (rest == 1).then_some(twos.max(fives)).filter(|places| *places <= 38)
    }

    /// The number times ten to this power, if that is an integer of 128 bits.
    pub fn digits(&self, places: u32) -> Option<i128> {
        let (numerator, denominator) = match self {
            Self::Small(numerator, denominator) => (i128::from(*numerator), u128::from(*denominator)),
            Self::Big(number) => {
                let digits = &**number * BigInt::from(10).pow(places);
                return digits.is_integer().then(|| digits.to_integer().to_i128())?;
            }
        };
        let power = 10u128.checked_pow(places)?;
        let factor =
            i128::try_from(power / denominator).ok().filter(|_| power.is_multiple_of(denominator))?;
        numerator.checked_mul(factor)
    }

    /// The nearest double.
    pub fn approx(&self) -> f64 {
        match *self {
            // A quotient of doubles is the double nearest to it.
            Self::Small(numerator, denominator)
                if numerator.unsigned_abs() < EXACT_IN_DOUBLE && denominator < EXACT_IN_DOUBLE =>
            {
                numerator as f64 / denominator as f64
            }
            _ => approx(&self.exact()),
        }
    }

    /// Whether it is greater than 1.
    pub fn exceeds_one(&self) -> bool {
        *self > Self::from(1)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.small(), other.small()) {
            (Some((a, b)), Some((c, d))) => {
                (i128::from(a) * i128::from(d)).cmp(&(i128::from(c) * i128::from(b)))
            }
            _ => self.exact().cmp(&other.exact()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The longest number that is read: parsing takes time quadratic in its length.
const LONGEST_NUMBER: usize = 4000;

/// The quotient of two texts of digits.
pub fn quotient(num: &str, den: &str) -> Option<Number> {
    if let (Some(num), Some(den)) = (short(num), short(den).filter(|den| *den > 0)) {
        return Some(Number::of(num.into(), den.into()));
    }
    let den = whole(den).filter(|den| !den.is_zero())?;
    Some(Number::from(&Rational::new(whole(num)?, den)))
}

/// An integer of few digits.
fn short(digits: &str) -> Option<u64> {
    let is_short = matches!(digits.len(), 1..=19) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_short { digits.parse().ok() } else { None }
}

fn whole(digits: &str) -> Option<BigInt> {
    let plain =
        !digits.is_empty() && digits.len() <= LONGEST_NUMBER && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

/// Parses a number as isx prints it: a decimal, or a fraction of two integers, of any sign. Sums may have more digits than
/// the numbers of a task set that [`parse_fraction`](isx_exact::quantity::parse_fraction) accepts.
pub fn parse(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix('-') {
        let number = parse(digits).filter(|_| !digits.starts_with('-'))?;
        return Some(match number {
            Number::Small(numerator, denominator) => Number::of(-i128::from(numerator), denominator.into()),
            Number::Big(_) => Number::from(&-number.exact()),
        });
    }
    if let Some((numerator, denominator)) = text.split_once('/') {
        return quotient(numerator, denominator);
    }
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    if after.is_empty()
        && let Some(number) = short(before)
    {
        return Some(Number::of(number.into(), 1));
    }
    let digits = whole(&format!("{before}{after}"))?;
    let places = u32::try_from(after.len()).ok()?;
    Some(Number::from(&Rational::new(digits, BigInt::from(10).pow(places))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::sampling::Sampler;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn numbers_of_every_size_are_those_of_big_rationals() {
        let mut sampler = Sampler::new(5);
        let mut last = (Number::default(), Rational::zero());
        for at in 0..20_000 {
            let mut number = || {
                let bits =
                    u128::from(sampler.uniform(0, u64::MAX)) << 64 | u128::from(sampler.uniform(0, u64::MAX));
                bits >> sampler.uniform(1, 127)
            };
            let (numerator, mut denominator) = (number().cast_signed(), number().max(1));
            if at % 2 == 0 {
                denominator = 10u128.pow((denominator % 30) as u32);
            }
            let numerator = if at % 3 == 0 { -numerator } else { numerator };
            let exact = Rational::new(numerator.into(), denominator.into());
            let number = Number::of(numerator, denominator);
            assert_eq!((&number, number.exact()), (&Number::from(&exact), exact.clone()));
            assert_eq!(number.approx().to_bits(), approx(&exact).to_bits(), "{exact}");
            assert_eq!(text(|out| number.write_numerator(out)), exact.numer().to_string());
            assert_eq!(text(|out| number.write_denominator(out)), exact.denom().to_string());
            assert_eq!(number.decimal(), format_decimal(&exact));
            assert_eq!(parse(&number.decimal()).as_ref(), Some(&number));
            assert_eq!(number.cmp(&last.0), exact.cmp(&last.1));
            last = (number, exact);
        }
    }

    #[test]
    fn numbers_are_read_exactly() {
        let parsed = |text: &str| parse(text).map(|number| number.exact().to_string());
        for (text, number) in [
            ("12.50", "25/2"),
            ("9007199254740993", "9007199254740993"),
            ("2/6", "1/3"),
            ("-0.5", "-1/2"),
            ("123456789012345678901234567890123456789012", "123456789012345678901234567890123456789012"),
        ] {
            assert_eq!(parsed(text).as_deref(), Some(number));
        }
        for wrong in ["", ".", "1/0", "--1", "1e3", "1.2.3", "0x1", &"9".repeat(5000)] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
