//! Differences between what was predicted and what was built, as shares of the prediction.

use isx_exact::quantity::{Rational, format_decimal, parse_decimal, shortened};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Reads `5%`, `5 %` or `0.05`. A number of 1 or more without a percent sign is refused as a mistake.
pub fn parse_share(text: &str) -> Result<Rational, String> {
    let text = text.trim();
    let number = |text: &str| parse_decimal(text).map_err(|problem| problem.to_string());
    if let Some(percent) = text.strip_suffix('%') {
        return Ok(number(percent.trim_end())? / Rational::from(BigInt::from(100)));
    }
    let share = number(text)?;
    if share < Rational::one() {
        return Ok(share);
    }
    Err(format!("`{0}` is not a share below 1: write `{0} %`", shortened(text)))
}

/// The difference as a share of the prediction; `None` if nothing was predicted and something built.
pub fn relative(predicted: &Rational, built: &Rational) -> Option<Rational> {
    let difference = built - predicted;
    match (predicted.is_zero(), difference.is_zero()) {
        (_, true) => Some(Rational::zero()),
        (true, false) => None,
        (false, false) => Some(difference / predicted.abs()),
    }
}

/// `2.7 %`: rounded to a decimal for reading.
pub fn percent(share: Option<&Rational>) -> String {
    let Some(share) = share else { return "of 0".to_owned() };
    let thousand = Rational::from(BigInt::from(1_000));
    let rounded = (share * &thousand).round() / Rational::from(BigInt::from(10));
    format!("{} %", format_decimal(&rounded))
}

/// Whether any amount is off by more than this share.
pub fn is_off(predicted: &[Rational], built: &[Rational], tolerance: &Rational) -> bool {
    let mut shares = predicted.iter().zip(built).map(|(predicted, built)| relative(predicted, built));
    shares.any(|share| share.is_none_or(|share| share.abs() > *tolerance))
}
