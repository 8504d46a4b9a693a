//! Scales, and ticks at round numbers whose labels do not touch.

use super::super::text::group;
use super::place::text_width;

/// A tick: where, in pixels, and its label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub at: f64,
    pub label: String,
}

/// Steps of a scale's numbers: this many are wanted, or fewer where labels would touch.
const WANTED: usize = 8;

/// Free pixels between two tick labels, at least.
const GAP: f64 = 14.0;

/// A linear map from figures to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    pub low: f64,
    pub high: f64,
    pub from: f64,
    pub to: f64,
}

impl Linear {
    pub(super) fn pixel(&self, figure: f64) -> f64 {
        self.from + (figure - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Ticks at multiples of 1, 2 or 5 times a power of ten, their labels in units of 10^`exponent`.
    fn ticks(&self, wanted: usize, exponent: i32) -> Vec<Tick> {
        let (low, high) = (self.low / 10f64.powi(exponent), self.high / 10f64.powi(exponent));
        let step = round_step((high - low) / wanted as f64);
        let decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        let count = (last - first).max(0.0) as usize;
        let tick = |index: usize| {
            let figure = (first + index as f64) * step;
            Tick { at: self.pixel(figure * 10f64.powi(exponent)), label: label(figure, decimals) }
        };
        (0..=count).map(tick).collect()
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= least * 0.999)
        .unwrap_or(power * 10.0)
}

/// The figure with that many decimals, its whole part grouped.
fn label(figure: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", if figure == 0.0 { 0.0 } else { figure });
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), ""), |(whole, rest)| (whole, rest));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let whole = if digits.len() > 4 { group(digits) } else { digits.to_owned() };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// Ticks of a vertical scale, which has room for a label every 24 pixels.
pub(super) fn vertical_ticks(scale: &Linear) -> Vec<Tick> {
    scale.ticks(WANTED, 0)
}

/// The scale of areas.
#[derive(Clone, Copy, Debug)]
pub(super) enum AreaScale {
    /// Areas in proportion, labels in units of ten to the power of `exponent`.
    Linear { scale: Linear, exponent: i32 },
    /// Decades of equal width; what is not positive stands at the left edge, `zero`.
    Log { scale: Linear, zero: f64 },
}

impl AreaScale {
    /// Areas from 0 to `high`.
    pub(super) fn linear(high: f64, from: f64, to: f64) -> Self {
        let magnitude = high.log10().floor() as i32;
        // Six digits are read at a glance; beyond, powers of a thousand go into the axis title.
        let exponent = if (-2..6).contains(&magnitude) { 0 } else { magnitude.div_euclid(3) * 3 };
        Self::Linear { scale: Linear { low: 0.0, high, from, to }, exponent }
    }

    /// Areas from `low` > 0 to `high`, and 0 a little to the left of `low`.
    pub(super) fn log(low: f64, high: f64, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (low.log10(), high.log10());
        if high - low < 1e-6 {
            (low, high) = (low - 0.5, high + 0.5);
        }
        Self::Log { scale: Linear { low, high, from: from + 44.0, to }, zero: from }
    }

    pub(super) fn pixel(&self, area: f64) -> f64 {
        match self {
            Self::Linear { scale, .. } => scale.pixel(area),
            Self::Log { scale, zero } if area <= 0.0 => *zero,
            Self::Log { scale, .. } => scale.pixel(area.log10()),
        }
    }

    /// The power of ten that labels leave out.
    pub(super) fn exponent(&self) -> i32 {
        match self {
            Self::Linear { exponent, .. } => *exponent,
            Self::Log { .. } => 0,
        }
    }

    /// Ticks whose labels, of that font size, keep apart.
    pub(super) fn ticks(&self, size: f64) -> Vec<Tick> {
        let roomy =
            |ticks: &[Tick]| ticks.windows(2).all(|pair| pair[1].at - pair[0].at >= half(pair, size) + GAP);
        match self {
            Self::Linear { scale, exponent } => {
                let sparser = (1..=WANTED).rev().map(|wanted| scale.ticks(wanted, *exponent));
                sparser.into_iter().find(|ticks| roomy(ticks)).unwrap_or_default()
            }
            Self::Log { scale, zero } => {
                let mut ticks = vec![Tick { at: *zero, label: "0".into() }];
                for tick in log_ticks(scale) {
                    let pair = [ticks[ticks.len() - 1].clone(), tick];
                    if roomy(&pair) {
                        ticks.extend(pair.into_iter().skip(1));
                    }
                }
                ticks
            }
        }
    }
}

/// The pixels that half of each of two neighbors' labels take together.
fn half(pair: &[Tick], size: f64) -> f64 {
    pair.iter().map(|tick| text_width(&tick.label, size) / 2.0).sum()
}

fn log_ticks(scale: &Linear) -> Vec<Tick> {
    let decades = scale.high - scale.low;
    let tick = |area: f64, label: String| Tick { at: scale.pixel(area.log10()), label };
    let (first, last) = (scale.low.floor() as i32, scale.high.ceil() as i32);
    let within = |tick: &Tick| tick.at >= scale.from - 0.01 && tick.at <= scale.to + 0.01;
    if decades >= 3.0 {
        let every = ((decades / WANTED as f64).ceil() as usize).max(1);
        let powers = (first..=last).filter(|power| power.rem_euclid(every as i32) == 0);
        return powers.map(|power| tick(10f64.powi(power), power_label(1, power))).filter(within).collect();
    }
    let digits = if decades < 0.7 { (1..=9).collect() } else { vec![1, 2, 5] };
    let round = (first..=last).flat_map(|power| digits.iter().map(move |&digit| (digit, power)));
    let ticks: Vec<Tick> = round
        .map(|(digit, power)| tick(f64::from(digit) * 10f64.powi(power), power_label(digit, power)))
        .filter(within)
        .collect();
    if ticks.len() >= 2 {
        return ticks;
    }
    // Less than a digit's worth of range: the multiples of a round step, set by their logarithms.
    let (low, high) = (10f64.powf(scale.low), 10f64.powf(scale.high));
    let figures = Linear { low, high, from: low, to: high };
    let power = scale.high.floor() as i32;
    let exponent = if (-3..6).contains(&power) { 0 } else { power };
    let suffix = if exponent == 0 { String::new() } else { format!("·10{}", superscript(exponent)) };
    let figures = figures.ticks(WANTED / 2, exponent);
    figures.into_iter().map(|figure| tick(figure.at, figure.label + &suffix)).filter(within).collect()
}

/// `digit` times ten to the power `power`.
fn power_label(digit: i32, power: i32) -> String {
    match power {
        -3..=-1 => format!("{:.*}", power.unsigned_abs() as usize, f64::from(digit) * 10f64.powi(power)),
        0..=5 => label(f64::from(digit) * 10f64.powi(power), 0),
        _ if digit == 1 => format!("10{}", superscript(power)),
        _ => format!("{digit}·10{}", superscript(power)),
    }
}

/// The number in raised digits.
pub(super) fn superscript(number: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The others follow one another in Unicode.
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
                        assert!(pair[1].at - pair[0].at > half(pair, 12.0), "{scale:?}: {pair:?}");
                    }
                    assert!(ticks.iter().all(|tick| (59.9..740.1).contains(&tick.at)), "{scale:?} {ticks:?}");
                    scales += 1;
                }
            }
        }
        assert_eq!(scales, 27 * 4 * 5);
    }

    #[test]
    fn powers_are_raised() {
        assert_eq!(superscript(-12), "⁻¹²");
        assert_eq!(superscript(456_780), "⁴⁵⁶⁷⁸⁰");
        assert_eq!(power_label(2, -3), "0.002");
        assert_eq!(power_label(5, 7), "5·10⁷");
    }
}
