//! The clocks of designs as reports show them: exactly, in hertz, and rounded with a unit.

use crate::text::{cut, visible};
use isx_exact::quantity::{Rational, format_decimal, parse_fraction, rate_in_unit};

/// Maximum width of a clock with a unit, in characters; exact figures may be longer.
const COLUMNS: usize = 24;

/// A clock in the largest unit in which it is at least 1: `123 MHz`.
pub fn in_words(hertz: &Rational) -> String {
    let (figure, unit) = rate_in_unit(hertz);
    format!("{} {unit}", cut(&format_decimal(&figure), COLUMNS))
}

/// As [`in_words`], for a clock below which something fails: rounded up to whole hertz.
pub fn least_in_words(hertz: &Rational) -> String {
    in_words(&hertz.ceil())
}

/// As [`in_words`], for an exact figure in hertz from a document; anything that is not a number is shown unchanged.
pub fn figure_in_words(figure: &str) -> String {
    let hertz = parse_fraction(figure).ok();
    hertz.map_or_else(|| format!("{} Hz", cut(&visible(figure), COLUMNS)), |hertz| in_words(&hertz))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_shown_in_the_largest_unit_that_fits() {
        let shown = [
            ("123000000", "123 MHz"),
            ("1000000000", "1 GHz"),
            ("999999999.5", "999.9999995 MHz"),
            ("1000", "1 kHz"),
            ("999.5", "999.5 Hz"),
            ("0.25", "0.25 Hz"),
            ("100000000/3", "100/3 MHz"),
            ("1/0", "1/0 Hz"),
            ("fast\u{202e}", "fast\\u{202e} Hz"),
            ("12345678912345678912345678912.5", "12345678912345678912.34… GHz"),
        ];
        for (figure, words) in shown {
            assert_eq!(figure_in_words(figure), words);
        }
    }
}
