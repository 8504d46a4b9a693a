//! Logarithmic scales: ticks at round figures in one number format, and minor ticks between them.

use super::scale::{Linear, Tick, plain_label, superscript};

/// A logarithmic map from positive figures to pixels.
#[derive(Clone, Copy, Debug)]
pub struct Logarithmic(
    /// The linear map of common logarithms.
    pub Linear,
);

/// `digit` times ten to the power `power`.
type Round = (i32, i32);

/// More labels than this crowd an axis.
const MOST: usize = 10;

/// Pixels between minor ticks, at least.
const MINOR_GAP: f64 = 2.0;

impl Logarithmic {
    /// Figures from `low` > 0 to `high`, or around them if they are equal.
    pub fn new(low: f64, high: f64, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (low.log10(), high.log10());
        if high - low < 1e-6 {
            (low, high) = (low - 0.5, high + 0.5);
        }
        Self(Linear { low, high, from, to })
    }

    pub fn pixel(&self, figure: f64) -> f64 {
        self.0.pixel(figure.log10())
    }

    fn holds(&self, at: f64) -> bool {
        let Linear { from, to, .. } = self.0;
        at >= from.min(to) - 0.01 && at <= from.max(to) + 0.01
    }

    /// Integer powers of ten in the range, and one on either side.
    fn powers(&self) -> std::ops::RangeInclusive<i32> {
        self.0.low.floor() as i32..=self.0.high.ceil() as i32
    }

    /// Products of a digit and a power of ten that lie on the scale.
    fn rounds(&self, digits: &[i32], every: i32) -> Vec<Round> {
        let mut rounds: Vec<Round> = Vec::new();
        for power in self.powers().filter(|power| power.rem_euclid(every) == 0) {
            rounds.extend(digits.iter().map(|&digit| (digit, power)));
        }
        rounds.retain(|&round| self.holds(self.pixel(figure_of(round))));
        rounds
    }

    /// Labeled ticks, as many as keep `apart`: the distance in pixels that two neighbors need.
    pub fn ticks(&self, apart: &dyn Fn(&Tick, &Tick) -> f64) -> Vec<Tick> {
        let roomy = |ticks: &Vec<Tick>| {
            ticks.len() >= 2
                && ticks.len() <= MOST
                && ticks.windows(2).all(|pair| (pair[1].at - pair[0].at).abs() >= apart(&pair[0], &pair[1]))
        };
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
            .or_else(|| (1..=MOST / 2).rev().map(|wanted| self.narrow(wanted)).find(roomy))
            .unwrap_or_default()
    }

    /// Ticks of a range that contains hardly any round digit: multiples of a round step.
    fn narrow(&self, wanted: usize) -> Vec<Tick> {
        let (low, high) = (10f64.powf(self.0.low), 10f64.powf(self.0.high));
        let figures = Linear { low, high, from: low, to: high };
        let power = self.0.high.floor() as i32;
        let exponent = if (-3..6).contains(&power) { 0 } else { power };
        let suffix = if exponent == 0 { String::new() } else { format!("·10{}", superscript(exponent)) };
        let ticks = figures.ticks(wanted, exponent).into_iter();
        let ticks = ticks.map(|tick| Tick { at: self.pixel(tick.at), label: tick.label + &suffix });
        ticks.filter(|tick| self.holds(tick.at)).collect()
    }

    /// Positions of ticks without a label, none at those of `labelled`.
    pub fn minor_ticks(&self, labelled: &[Tick]) -> Vec<f64> {
        let decade = (self.0.pixel(1.0) - self.0.pixel(0.0)).abs();
        // The last step of a decade is the shortest.
        let fits = |parts: f64| decade * (10.0 / (10.0 - 1.0 / parts)).log10() >= MINOR_GAP;
        let parts = if fits(10.0) { 10 } else { 1 };
        let steps = if fits(f64::from(parts)) { parts..10 * parts } else { parts..parts + 1 };
        let mut minor = Vec::new();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(low: f64, high: f64) -> (Vec<String>, usize) {
        let scale = Logarithmic::new(low, high, 0.0, 600.0);
        let ticks = scale.ticks(&|_, _| 60.0);
        let minor = scale.minor_ticks(&ticks);
        for at in &minor {
            assert!((0.0..=600.1).contains(at) && ticks.iter().all(|tick| (tick.at - at).abs() > 0.5));
        }
        (ticks.into_iter().map(|tick| tick.label).collect(), minor.len())
    }

    #[test]
    fn an_axis_has_one_number_format() {
        assert_eq!(ticks(1.0, 1000.0).0, ["1", "10", "100", "1000"]);
        assert_eq!(ticks(1000.0, 20_000.0).0, ["1,000", "2,000", "5,000", "10,000", "20,000"]);
        assert_eq!(ticks(1e4, 1e7).0, ["10⁴", "10⁵", "10⁶", "10⁷"]);
        assert_eq!(ticks(0.2, 5.0).0, ["0.2", "0.5", "1.0", "2.0", "5.0"]);
        assert_eq!(ticks(3e-6, 2e-1).0, ["10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹"]);
        assert_eq!(ticks(2e7, 6e7).0, ["2·10⁷", "3·10⁷", "4·10⁷", "5·10⁷", "6·10⁷"]);
    }

    #[test]
    fn between_powers_of_ten_there_are_minor_ticks() {
        assert_eq!(ticks(1e4, 1e7).1, 3 * 8);
        // With twenty decades only powers of ten can be distinguished.
        let (labels, minor) = ticks(1.0, 1e20);
        assert_eq!(labels.len() + minor, 21);
    }
}
