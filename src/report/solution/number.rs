//! Values and weights in the scale of their file.

use isx_exact::quantity::{Rational, format_decimal};
use num_bigint::BigInt;

/// A number that was multiplied by that power of ten.
pub(super) fn unscaled(number: &BigInt, places: u32) -> String {
    if places == 0 {
        return number.to_string();
    }
    format_decimal(&Rational::new(number.clone(), BigInt::from(10).pow(places)))
}

/// A weight as a number if JavaScript and jq read it exactly, else as a string.
///
/// They store numbers as doubles, which represent every integer up to 2^53 and reproduce every decimal of up to 15
/// digits.
pub(super) fn weight_json(weight: u64, places: u32) -> String {
    let text = unscaled(&weight.into(), places);
    let most = if text.contains('.') { 10_u64.pow(15) - 1 } else { 1 << 53 };
    let digits = text.replace('.', "").parse::<u64>();
    if digits.is_ok_and(|digits| digits <= most) { text } else { format!("\"{text}\"") }
}

#[cfg(test)]
mod tests {
    use super::weight_json;

    #[test]
    fn weights_are_numbers_only_where_every_reader_gets_them_right() {
        assert_eq!(weight_json(0, 0), "0");
        assert_eq!(weight_json(1 << 53, 0), "9007199254740992");
        assert_eq!(weight_json((1 << 53) + 1, 0), "\"9007199254740993\"");
        assert_eq!(weight_json(u64::MAX, 0), "\"18446744073709551615\"");
        assert_eq!(weight_json(125, 2), "1.25");
        assert_eq!(weight_json(999_999_999_999_999, 3), "999999999999.999");
        assert_eq!(weight_json(1_000_000_000_000_001, 3), "\"1000000000000.001\"");
        assert_eq!(weight_json(1_000_000_000_000_000, 3), "1000000000000");
        assert_eq!(weight_json(5, 18), "0.000000000000000005");
    }
}
