//! The scale of areas, linear or logarithmic.

use super::logarithmic::Logarithmic;
use super::scale::{Linear, Tick, WANTED, label_gap};

/// Pixels from area 0 to the left end of a logarithmic scale.
const ZERO: f64 = 44.0;

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
        Self::between(0.0, high, from, to)
    }

    /// Costs from `low`, which may be negative, to `high`.
    pub fn between(low: f64, high: f64, from: f64, to: f64) -> Self {
        let magnitude = high.abs().max(low.abs()).log10().floor() as i32;
        // Six digits are easy to read; larger powers of a thousand go into the axis title.
        let exponent = if (-2..6).contains(&magnitude) { 0 } else { magnitude.div_euclid(3) * 3 };
        Self::Linear { scale: Linear { low, high, from, to }, exponent }
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
                let mut ticks = scale.ticks(&apart);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
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
}
