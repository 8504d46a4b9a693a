//! What the vertical axis of a front's picture shows, and its figures in words.

use crate::pictures::plot::PlotData;
use isx_exact::quantity::approx;

/// What the vertical axis shows: the utilization or 1/margin, or either times the clock.
pub(super) struct Measure {
    pub name: &'static str,
    pub symbol: &'static str,
    /// What stands at the line at 1.
    pub bound: &'static str,
    /// The clock in the unit that the name has; else 1.
    pub factor: f64,
}

impl Measure {
    /// `None` if the lowest clock is asked for and not known.
    pub fn of(data: &PlotData, by_clock: bool) -> Option<Self> {
        let symbol = "lowest clock";
        Some(match (by_clock, data.head.clock.as_ref().map(approx)) {
            (true, None) => return None,
            (true, Some(hertz)) => {
                let units =
                    [(1e6, "lowest clock in MHz"), (1e3, "lowest clock in kHz"), (1.0, "lowest clock in Hz")];
                let (unit, name) = units.into_iter().find(|(unit, _)| hertz >= *unit).unwrap_or(units[2]);
                Self { name, symbol, bound: "clock", factor: hertz / unit }
            }
            (false, _) if data.head.by_margin => {
                Self { name: "1/margin", symbol: "1/margin", bound: "limit", factor: 1.0 }
            }
            (false, _) => Self { name: "utilization", symbol: "U", bound: "U = 1", factor: 1.0 },
        })
    }

    /// A utilization as a figure of the axis.
    pub fn figure(&self, utilization: f64) -> String {
        figure(utilization * self.factor)
    }
}

/// A figure of a label: up to six digits after the point, more where it would read 1 and is not.
pub(super) fn figure(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e7).contains(&value) {
        return format!("{value:.4e}");
    }
    let trimmed = |places: usize| {
        let text = format!("{value:.places$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    let places = (6..=16).find(|&places| value == 1.0 || trimmed(places) != "1").unwrap_or(6);
    trimmed(places)
}
