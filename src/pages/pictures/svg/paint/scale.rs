//! Scales of axes, linear or logarithmic; ticks at round figures, with labels in one format that do not overlap.

use super::place::text_width;
use super::{LABEL, TICK};
use isx_report::text::group;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;

/// A tick: its position in pixels, and its label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

/// How figures are spread over an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    #[default]
    Linear,
    /// Decades of equal width; all figures are positive.
    Logarithmic,
    /// The same, and figures that are not positive a little to the left of the rest.
    LogarithmicAndZero,
}

/// A map from figures to pixels.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    spread: Spread,
    /// The figures at both ends, or their common logarithms.
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// `digit` times ten to the power `power`.
type Round = (i32, i32);

/// The wanted number of steps; fewer if labels would overlap.
const MOST: usize = 8;
/// Least distances in pixels: between labels beside and above one another, and between minor ticks.
const GAP: f64 = 14.0;
const LINE: f64 = LABEL.size * 2.0;
const MINOR_GAP: f64 = 2.0;
/// From figure 0 to the left end of a logarithmic scale.
const ZERO: f64 = 44.0;

impl Scale {
    /// Figures from `low` to `high`, or around them if they are equal.
    pub fn new(spread: Spread, (low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let is_linear = spread == Spread::Linear;
        let (mut low, mut high) = if is_linear { (low, high) } else { (low.log10(), high.log10()) };
        if high - low < if is_linear { f64::MIN_POSITIVE } else { 1e-6 } {
            // Half a unit or half a decade; of great figures, more than doubles round.
            let wide = low.abs().mul_add(1e-6, 0.5);
            (low, high) = (low - wide, high + wide);
        }
        let from = if spread == Spread::LogarithmicAndZero { from + ZERO } else { from };
        Self { spread, low, high, from, to }
    }

    /// Where a figure stands.
    pub fn pixel(&self, figure: f64) -> f64 {
        match self.spread {
            Spread::Linear => self.along(figure),
            Spread::LogarithmicAndZero if figure <= 0.0 => self.from - ZERO,
            Spread::Logarithmic | Spread::LogarithmicAndZero => self.along(figure.log10()),
        }
    }

    fn along(&self, place: f64) -> f64 {
        self.from + (place - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// The figure that stands there on a linear scale.
    pub fn figure(&self, pixel: f64) -> f64 {
        self.low + (pixel - self.from) / (self.to - self.from) * (self.high - self.low)
    }

    /// The break of the scale, between figure 0 and the smallest positive one.
    pub fn broken_at(&self) -> Option<f64> {
        (self.spread == Spread::LogarithmicAndZero).then_some(self.from - ZERO / 2.0)
    }

    /// The power of ten that labels omit: six digits are easy to read, larger powers of a thousand go into the title.
    pub fn exponent(&self) -> i32 {
        let magnitude = self.high.abs().max(self.low.abs()).log10().floor() as i32;
        let is_short = self.spread != Spread::Linear || (-2..6).contains(&magnitude);
        if is_short { 0 } else { magnitude.div_euclid(3) * 3 }
    }

    /// Labeled ticks, as many as keep apart.
    pub fn ticks(&self, exponent: i32) -> Vec<Tick> {
        let mut ticks = match self.spread {
            Spread::Linear => {
                let sparser = (1..=MOST).rev().map(|most| self.round(self.low, self.high, most, exponent));
                sparser.into_iter().find(|ticks| self.are_apart(ticks)).unwrap_or_default()
            }
            Spread::Logarithmic | Spread::LogarithmicAndZero => self.logarithmic(),
        };
        if self.spread == Spread::LogarithmicAndZero {
            let zero = Tick { at: self.pixel(0.0), label: "0".into() };
            // A long label at the very beginning of the scale.
            ticks.retain(|tick| tick.at - zero.at >= self.gap(&zero, tick));
            ticks.insert(0, zero);
        }
        ticks
    }

    /// Ticks at multiples of 1, 2 or 5 times a power of ten, which plotters chooses; their labels in units of 10^`exponent`.
    fn round(&self, low: f64, high: f64, most: usize, exponent: i32) -> Vec<Tick> {
        // plotters compares with the difference of doubles near 1.
        let scale = 10f64.powf((high - low).log10().floor());
        // In a range that doubles hardly tell apart there is no round figure.
        if !scale.is_normal() || scale < f64::EPSILON * 1e4 * low.abs().max(high.abs()) {
            return Vec::new();
        }
        let range = RangedCoordf64::from(low / scale - 1e-9..high / scale + 1e-9);
        let figures = range.key_points(most);
        let step = figures.windows(2).next().map_or(1.0, |pair| pair[1] - pair[0]);
        let unit = scale / 10f64.powi(exponent);
        let decimals = (-((step * unit).log10() + 1e-6).floor()).max(0.0) as usize;
        let is_grouped = figures.iter().any(|figure| (figure * unit).abs() >= 9999.5);
        let tick = |figure: f64| Tick {
            at: self.pixel(figure * scale),
            label: plain_label(figure * unit, decimals, is_grouped),
        };
        figures.into_iter().map(tick).collect()
    }

    /// The distance in pixels that two neighbors need.
    fn gap(&self, one: &Tick, other: &Tick) -> f64 {
        // A vertical axis goes up.
        if self.to < self.from { LINE } else { label_gap(one, other) }
    }

    fn are_apart(&self, ticks: &[Tick]) -> bool {
        ticks.windows(2).all(|pair| (pair[1].at - pair[0].at).abs() >= self.gap(&pair[0], &pair[1]))
    }

    fn holds(&self, at: f64) -> bool {
        at >= self.from.min(self.to) - 0.01 && at <= self.from.max(self.to) + 0.01
    }

    /// Products of a digit and a power of ten that lie on a logarithmic scale.
    fn rounds(&self, digits: &[i32], every: i32) -> Vec<Round> {
        let mut rounds: Vec<Round> = Vec::new();
        for power in self.powers().filter(|power| power.rem_euclid(every) == 0) {
            rounds.extend(digits.iter().map(|&digit| (digit, power)));
        }
        rounds.retain(|&round| self.holds(self.pixel(figure_of(round))));
        rounds
    }

    /// Integer powers of ten in the range, and one on either side.
    fn powers(&self) -> std::ops::RangeInclusive<i32> {
        self.low.floor() as i32..=self.high.ceil() as i32
    }

    fn logarithmic(&self) -> Vec<Tick> {
        let roomy = |ticks: &Vec<Tick>| (2..=MOST + 2).contains(&ticks.len()) && self.are_apart(ticks);
        // With three decades or more the powers of ten are enough, with minor ticks between them.
        let wide = self.rounds(&[1], 1).len() >= 4;
        let fine: &[&[i32]] = if wide { &[] } else { &[&[1, 2, 3, 4, 5, 6, 7, 8, 9], &[1, 2, 5]] };
        let labelled = |digits: &[i32], every: i32| -> Vec<Tick> {
            let rounds = self.rounds(digits, every);
            let places = rounds.iter().map(|&round| self.pixel(figure_of(round)));
            places.zip(labels(&rounds)).map(|(at, label)| Tick { at, label }).collect()
        };
        fine.iter()
            .map(|digits| labelled(digits, 1))
            .find(roomy)
            .or_else(|| (1..=60).map(|every| labelled(&[1], every)).find(roomy))
            .or_else(|| (1..=MOST / 2 + 1).rev().map(|most| self.narrow(most)).find(roomy))
            .unwrap_or_default()
    }

    /// Ticks of a logarithmic range that contains hardly any round digit: multiples of a round step.
    fn narrow(&self, most: usize) -> Vec<Tick> {
        let power = self.high.floor() as i32;
        let exponent = if (-3..6).contains(&power) { 0 } else { power };
        let suffix = if exponent == 0 { String::new() } else { format!("·10{}", superscript(exponent)) };
        let ticks = self.round(10f64.powf(self.low), 10f64.powf(self.high), most, exponent).into_iter();
        let ticks = ticks.filter(|tick| self.holds(tick.at));
        ticks.map(|tick| Tick { label: tick.label + &suffix, ..tick }).collect()
    }

    /// Positions of ticks without a label on a logarithmic scale, none at those of `labelled`.
    pub fn minor_ticks(&self, labelled: &[Tick]) -> Vec<f64> {
        let mut minor = Vec::new();
        if self.spread == Spread::Linear {
            return minor;
        }
        let decade = (self.along(1.0) - self.along(0.0)).abs();
        // The last step of a decade is the shortest.
        let fits = |parts: f64| decade * (10.0 / (10.0 - 1.0 / parts)).log10() >= MINOR_GAP;
        let parts = if fits(10.0) { 10 } else { 1 };
        let steps = if fits(f64::from(parts)) { parts..10 * parts } else { parts..parts + 1 };
        for power in self.powers() {
            let unit = 10f64.powi(power) / f64::from(parts);
            for at in steps.clone().map(|step| self.pixel(f64::from(step) * unit)) {
                if self.holds(at) && labelled.iter().all(|tick| (tick.at - at).abs() > 0.5) {
                    minor.push(at);
                }
            }
        }
        minor
    }
}

fn figure_of((digit, power): Round) -> f64 {
    f64::from(digit) * 10f64.powi(power)
}

/// The figures in one format: with equal decimals if that is short, else as powers of ten.
fn labels(rounds: &[Round]) -> Vec<String> {
    let powers = || rounds.iter().map(|&(_, power)| power);
    let (least, most) = (powers().min().unwrap_or(0), powers().max().unwrap_or(0));
    if least >= -3 && most <= 5 && (least >= 0 || most - least <= 2) {
        let decimals = (-least).max(0) as usize;
        return rounds.iter().map(|&round| plain_label(figure_of(round), decimals, most >= 4)).collect();
    }
    let whole = rounds.iter().all(|&(digit, _)| digit == 1);
    let label = |&(digit, power): &Round| {
        let raised = superscript(power);
        if whole { format!("10{raised}") } else { format!("{digit}·10{raised}") }
    };
    rounds.iter().map(label).collect()
}

/// The figure with that many decimals, with its integer part `grouped` or not.
fn plain_label(figure: f64, decimals: usize, grouped: bool) -> String {
    let text = format!("{:.decimals$}", if figure == 0.0 { 0.0 } else { figure });
    if !grouped {
        return text;
    }
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), ""), |(whole, rest)| (whole, rest));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", group(digits))
}

/// The distance in pixels that the labels of two neighbors need between their middles.
fn label_gap(left: &Tick, right: &Tick) -> f64 {
    f64::midpoint(text_width(&left.label, TICK.size), text_width(&right.label, TICK.size)) + GAP
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

    /// The labels of an axis between these figures, 640 pixels wide or 400 high.
    fn labels_of(spread: Spread, range: (f64, f64), pixels: (f64, f64)) -> String {
        let scale = Scale::new(spread, range, pixels);
        let ticks = scale.ticks(scale.exponent());
        let minor = scale.minor_ticks(&ticks);
        assert!(minor.iter().all(|at| ticks.iter().all(|tick| (tick.at - at).abs() > 0.5)));
        ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn labels_of_an_axis_have_one_format() {
        let across = |high: f64| labels_of(Spread::Linear, (0.0, high), (0.0, 640.0));
        assert_eq!(across(7650.0), "0 1000 2000 3000 4000 5000 6000 7000");
        assert_eq!(across(12_000.0), "0 2,000 4,000 6,000 8,000 10,000 12,000");
        assert_eq!(across(2.1), "0.0 0.5 1.0 1.5 2.0");
        // In units of 10^15, as the title says.
        assert_eq!(across(2.3e15), "0.0 0.5 1.0 1.5 2.0");
        assert!(across(120_000.0).contains("20,000"));
        let upward = |low: f64, high: f64| labels_of(Spread::Linear, (low, high), (400.0, 0.0));
        assert_eq!(upward(0.55, 1.32), "0.6 0.7 0.8 0.9 1.0 1.1 1.2 1.3");
        let near_one = "0.999990 0.999992 0.999994 0.999996 0.999998 1.000000";
        assert_eq!(upward(0.999_989, 1.000_001), near_one);
        let log = |low: f64, high: f64| labels_of(Spread::Logarithmic, (low, high), (0.0, 640.0));
        assert_eq!(log(1.0, 1000.0), "1 10 100 1000");
        assert_eq!(log(1000.0, 20_000.0), "1,000 2,000 5,000 10,000 20,000");
        assert_eq!(log(1e4, 1e7), "10⁴ 10⁵ 10⁶ 10⁷");
        assert_eq!(log(0.2, 5.0), "0.2 0.5 1.0 2.0 5.0");
        assert_eq!(log(3e-6, 2e-1), "10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹");
        assert_eq!(log(2e7, 6e7), "2·10⁷ 3·10⁷ 4·10⁷ 5·10⁷ 6·10⁷");
    }

    #[test]
    fn one_figure_however_great_stands_in_the_middle() {
        for figure in [0.0, -3.0, 1e26, -1e300, 1e-300] {
            let scale = Scale::new(Spread::Linear, (figure, figure), (0.0, 100.0));
            assert!((scale.pixel(figure) - 50.0).abs() < 1e-6, "{figure}");
            assert!(scale.ticks(scale.exponent()).len() < 20, "{figure}");
        }
    }

    #[test]
    fn labels_keep_apart_on_every_scale() {
        let mut scales = 0;
        for power in -18..18 {
            for digit in [1.0, 1.7, 3.3, 9.9] {
                let high = digit * 10f64.powi(power);
                let logs = [1e-12, 0.003, 0.4, 0.97].map(|low| (Spread::LogarithmicAndZero, low));
                for (spread, low) in
                    logs.into_iter().chain([(Spread::Linear, 0.0), (Spread::Linear, 0.999_99)])
                {
                    let scale = Scale::new(spread, (high * low, high), (60.0, 740.0));
                    let ticks = scale.ticks(scale.exponent());
                    assert!(ticks.len() >= 2, "{scale:?}");
                    for pair in ticks.windows(2) {
                        let gap = label_gap(&pair[0], &pair[1]);
                        assert!(pair[1].at - pair[0].at >= gap, "{scale:?}: {pair:?}");
                    }
                    assert!(ticks.iter().all(|tick| (59.9..740.1).contains(&tick.at)), "{scale:?} {ticks:?}");
                    // In one format, but for the 0 that is not on the scale.
                    let decimals = |tick: &Tick| tick.label.split_once('.').map_or(0, |(_, rest)| rest.len());
                    let is_power =
                        |tick: &Tick| tick.label.contains(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']);
                    let format = |tick: &Tick| (decimals(tick), is_power(tick));
                    let own = &ticks[usize::from(spread != Spread::Linear)..];
                    assert!(own.iter().all(|tick| format(tick) == format(&own[0])), "{ticks:?}");
                    scales += 1;
                }
            }
        }
        assert_eq!(scales, 36 * 4 * 6);
    }

    #[test]
    fn between_powers_of_ten_there_are_minor_ticks() {
        let minor = |high: f64| {
            let scale = Scale::new(Spread::Logarithmic, (1.0, high), (0.0, 600.0));
            let ticks = scale.ticks(0);
            ticks.len() + scale.minor_ticks(&ticks).len()
        };
        assert_eq!(minor(1e3), 4 + 3 * 8);
        // With twenty decades only powers of ten can be distinguished.
        assert_eq!(minor(1e20), 21);
    }
}
