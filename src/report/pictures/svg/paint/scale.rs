//! Linear scales and the scale of areas; ticks at round numbers, with labels in one format that do not overlap.

use super::logarithmic::Logarithmic;
use super::place::text_width;
use crate::text::group;

/// A tick: its position in pixels, and its label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

/// The wanted number of steps of a scale; fewer if labels would overlap.
const WANTED: usize = 8;

/// Pixels from area 0 to the left end of a logarithmic scale.
const ZERO: f64 = 44.0;

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

/// The scale of areas.
#[derive(Clone, Copy, Debug)]
pub enum AreaScale {
    /// A linear scale, with labels in units of ten to the power of `exponent`.
    Linear { scale: Linear, exponent: i32 },
    /// Decades of equal width; areas that are not positive stand at the left edge, `zero`.
    Log { scale: Logarithmic, zero: f64 },
}

impl AreaScale {
    /// Areas from 0 to `high`.
    pub fn linear(high: f64, from: f64, to: f64) -> Self {
        let magnitude = high.log10().floor() as i32;
        // Six digits are easy to read; larger powers of a thousand go into the axis title.
        let exponent = if (-2..6).contains(&magnitude) { 0 } else { magnitude.div_euclid(3) * 3 };
        Self::Linear { scale: Linear { low: 0.0, high, from, to }, exponent }
    }

    /// Areas from `low` > 0 to `high`, and 0 a little to the left of `low`.
    pub fn log(low: f64, high: f64, from: f64, to: f64) -> Self {
        Self::Log { scale: Logarithmic::new(low, high, from + ZERO, to), zero: from }
    }

    pub fn pixel(&self, area: f64) -> f64 {
        match self {
            Self::Linear { scale, .. } => scale.pixel(area),
            Self::Log { zero, .. } if area <= 0.0 => *zero,
            Self::Log { scale, .. } => scale.pixel(area),
        }
    }

    /// The power of ten that labels omit.
    pub fn exponent(&self) -> i32 {
        match self {
            Self::Linear { exponent, .. } => *exponent,
            Self::Log { .. } => 0,
        }
    }

    /// Ticks whose labels, in that font size, do not overlap.
    pub fn ticks(&self, size: f64) -> Vec<Tick> {
        let apart = |left: &Tick, right: &Tick| label_gap(left, right, size);
        match self {
            Self::Linear { scale, exponent } => {
                let sparser = (1..=WANTED).rev().map(|wanted| scale.ticks(wanted, *exponent));
                let roomy = |ticks: &Vec<Tick>| {
                    ticks.windows(2).all(|pair| pair[1].at - pair[0].at >= apart(&pair[0], &pair[1]))
                };
                sparser.into_iter().find(roomy).unwrap_or_default()
            }
            Self::Log { scale, zero } => {
                let zero = Tick { at: *zero, label: "0".into() };
                let mut ticks = scale.ticks(apart);
                // A long label at the very beginning of the scale.
                ticks.retain(|tick| tick.at - zero.at >= apart(&zero, tick));
                ticks.insert(0, zero);
                ticks
            }
        }
    }

    /// Positions of ticks without a label: on a logarithmic scale, between those `labelled`.
    pub fn minor_ticks(&self, labelled: &[Tick]) -> Vec<f64> {
        match self {
            Self::Linear { .. } => Vec::new(),
            Self::Log { scale, .. } => scale.minor_ticks(labelled),
        }
    }

    /// The break of the scale, between area 0 and the smallest positive one.
    pub fn broken_at(&self) -> Option<f64> {
        match self {
            Self::Linear { .. } => None,
            Self::Log { zero, .. } => Some(zero + ZERO / 2.0),
        }
    }
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
    fn large_and_small_areas_leave_a_power_to_the_title() {
        let large = AreaScale::linear(2.3e15, 0.0, 640.0);
        assert_eq!(large.exponent(), 15);
        assert_eq!(labels(&large.ticks(12.0)), ["0.0", "0.5", "1.0", "1.5", "2.0"]);
        let small = AreaScale::linear(0.001, 0.0, 640.0);
        assert_eq!(small.exponent(), -3);
        let plain = AreaScale::linear(120_000.0, 0.0, 640.0);
        assert_eq!(plain.exponent(), 0);
        assert!(labels(&plain.ticks(12.0)).contains(&"20,000"), "{:?}", plain.ticks(12.0));
    }

    #[test]
    fn labels_keep_apart_on_every_scale() {
        let mut scales = 0;
        for power in -9..18 {
            for digit in [1.0, 1.7, 3.3, 9.9] {
                let high = digit * 10f64.powi(power);
                let logs = [1e-12, 0.003, 0.4, 0.97].map(|low| AreaScale::log(high * low, high, 60.0, 740.0));
                for scale in [AreaScale::linear(high, 60.0, 740.0)].into_iter().chain(logs) {
                    let ticks = scale.ticks(12.0);
                    assert!(ticks.len() >= 2, "{scale:?}");
                    for pair in ticks.windows(2) {
                        let gap = label_gap(&pair[0], &pair[1], 12.0);
                        assert!(pair[1].at - pair[0].at >= gap, "{scale:?}: {pair:?}");
                    }
                    assert!(ticks.iter().all(|tick| (59.9..740.1).contains(&tick.at)), "{scale:?} {ticks:?}");
                    scales += 1;
                }
            }
        }
        assert_eq!(scales, 27 * 4 * 5);
    }

    #[test]
    fn labels_of_an_axis_have_one_format() {
        let axis = |high: f64| {
            let ticks = AreaScale::linear(high, 0.0, 640.0).ticks(12.0);
            ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(axis(7650.0), "0 1000 2000 3000 4000 5000 6000 7000");
        assert_eq!(axis(12_000.0), "0 2,000 4,000 6,000 8,000 10,000 12,000");
        assert_eq!(axis(2.1), "0.0 0.5 1.0 1.5 2.0");
    }

    #[test]
    fn powers_are_raised() {
        assert_eq!(superscript(-12), "⁻¹²");
        assert_eq!(superscript(456_780), "⁴⁵⁶⁷⁸⁰");
    }
}
