//! Why a text is not the expected quantity, and what to write instead.

/// The largest magnitude of a decimal exponent.
pub const MAX_EXPONENT: i64 = 18;

/// The most digits a decimal may be written with.
pub const MAX_DIGITS: usize = 40;

/// Why a text is not the expected quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantityError {
    /// The text is empty.
    #[error("a number is missing")]
    Empty,
    /// The text is not a decimal number.
    #[error("`{0}` is not a decimal number")]
    NotANumber(String),
    /// The digits are grouped by commas, or a comma stands in place of the decimal point.
    #[error("`{text}` is not a decimal number: {advice}")]
    Comma {
        /// The text as written.
        text: String,
        /// What to write instead.
        advice: String,
    },
    /// Infinity or not-a-number.
    #[error("`{0}` is not finite")]
    NotFinite(String),
    /// The number is below zero, or a zero with a minus sign.
    #[error("`{0}` is negative")]
    Negative(String),
    /// YAML readers disagree about the text: octal, hexadecimal, grouped or sexagesimal digits, words for truth values.
    #[error("`{text}` is ambiguous: {why}")]
    Ambiguous {
        /// The text as written.
        text: String,
        /// What it could be mistaken for.
        why: &'static str,
    },
    /// The exponent exceeds [`MAX_EXPONENT`].
    #[error("the exponent of `{0}` is outside -{MAX_EXPONENT}..+{MAX_EXPONENT}")]
    Exponent(String),
    /// More than [`MAX_DIGITS`] digits.
    #[error("`{0}` has more than {MAX_DIGITS} digits")]
    TooLong(String),
    /// The digits, read as an integer, do not fit into 127 bits.
    #[error("`{0}` has too many digits: without its point it reaches 2^127")]
    TooWide(String),
    /// A fraction with denominator zero.
    #[error("`{0}` divides by zero")]
    ZeroDenominator(String),
    /// A unit that the quantity does not have.
    #[error("`{unit}` is not a unit of {of}; {advice}")]
    Unit {
        /// The unit as written.
        unit: String,
        /// The kind of quantity, "time" for example.
        of: &'static str,
        /// What to write instead.
        advice: String,
    },
    /// A number without the required unit.
    #[error("`{text}` has no unit: write for example `{example}`; the units of {of} are {known}")]
    NoUnit {
        /// The text as written.
        text: String,
        /// The kind of quantity, "clock rate" for example.
        of: &'static str,
        /// The number with the most likely unit.
        example: String,
        /// The known units.
        known: &'static str,
    },
}
