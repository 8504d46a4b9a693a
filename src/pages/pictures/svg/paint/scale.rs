//! Linear scales; ticks at round numbers, with labels in one format that do not overlap.

use super::place::text_width;
use isx_report::text::group;

/// A tick: its position in pixels, and its label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

/// The wanted number of steps of a scale; fewer if labels would overlap.
pub const WANTED: usize = 8;

/// Least distance in pixels between two tick labels.
const GAP: f64 = 14.0;

/// A linear map from figures to pixels.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    pub low: f64,
    pub high: f64,
    pub from: f64,
    pub to: f64,
}

impl Linear {
    pub fn pixel(&self, figure: f64) -> f64 {
        self.from + (figure - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Ticks at multiples of 1, 2 or 5 times a power of ten, their labels in units of 10^`exponent`.
    pub fn ticks(&self, wanted: usize, exponent: i32) -> Vec<Tick> {
        let (low, high) = (self.low / 10f64.powi(exponent), self.high / 10f64.powi(exponent));
        let step = round_step((high - low) / wanted as f64);
        let decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        let count = (last - first).max(0.0) as usize;
        let grouped = first.abs().max(last.abs()) * step >= 9999.5;
        let tick = |index: usize| {
            let figure = (first + index as f64) * step;
            let label = plain_label(figure, decimals, grouped);
            Tick { at: self.pixel(figure * 10f64.powi(exponent)), label }
        };
        (0..=count).map(tick).collect()
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= least * 0.999)
        .unwrap_or(power * 10.0)
}

/// The figure with that many decimals, with its integer part `grouped` or not.
pub fn plain_label(figure: f64, decimals: usize, grouped: bool) -> String {
    let text = format!("{:.decimals$}", if figure == 0.0 { 0.0 } else { figure });
    if !grouped {
        return text;
    }
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), ""), |(whole, rest)| (whole, rest));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", group(digits))
}

/// Ticks of a vertical scale, which has room for one label per 24 pixels.
pub fn vertical_ticks(scale: &Linear) -> Vec<Tick> {
    scale.ticks(WANTED, 0)
}

/// The distance in pixels that the labels of two neighbors need between their middles.
pub fn label_gap(left: &Tick, right: &Tick, size: f64) -> f64 {
    f64::midpoint(text_width(&left.label, size), text_width(&right.label, size)) + GAP
}

/// The number in superscript digits.
pub fn superscript(number: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The other digits are consecutive in Unicode.
        digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        let scale = Linear { low: 0.55, high: 1.32, from: 400.0, to: 0.0 };
        assert_eq!(labels(&vertical_ticks(&scale)), ["0.6", "0.7", "0.8", "0.9", "1.0", "1.1", "1.2", "1.3"]);
        let near_one = Linear { low: 0.999_989, high: 1.000_001, from: 400.0, to: 0.0 };
        assert_eq!(
            labels(&vertical_ticks(&near_one)),
            ["0.999990", "0.999992", "0.999994", "0.999996", "0.999998", "1.000000"]
        );
    }

    #[test]
    fn powers_are_raised() {
        assert_eq!(superscript(-12), "⁻¹²");
        assert_eq!(superscript(456_780), "⁴⁵⁶⁷⁸⁰");
    }
}
