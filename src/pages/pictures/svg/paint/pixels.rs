//! Lengths in plotters' units, and as SVG writes them.

use plotters_backend::BackendCoord;
use std::fmt;

/// Units of plotters per pixel.
pub const UNITS: f64 = 100.0;

/// A length in plotters' units.
// Pictures are some thousand pixels wide; a float beyond the range saturates.
#[allow(clippy::cast_possible_truncation)]
pub fn units(length: f64) -> i32 {
    (length * UNITS).round() as i32
}

/// A point in plotters' units.
pub fn unit_point((x, y): (f64, f64)) -> BackendCoord {
    (units(x), units(y))
}

/// A length in plotters' units, written in pixels without trailing zeros.
pub struct Pixels(pub i32);

impl fmt::Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (whole, rest) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        let sign = if self.0 < 0 { "-" } else { "" };
        match rest {
            0 => write!(f, "{sign}{whole}"),
            _ if rest % 10 == 0 => write!(f, "{sign}{whole}.{}", rest / 10),
            _ => write!(f, "{sign}{whole}.{rest:02}"),
        }
    }
}

/// Points in plotters' units as the attribute of a polyline or polygon; consecutive duplicates are omitted.
pub fn points(points: impl IntoIterator<Item = BackendCoord>) -> String {
    let mut points: Vec<BackendCoord> = points.into_iter().collect();
    points.dedup();
    let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", Pixels(x), Pixels(y))).collect();
    points.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let told = [1.0, 0.5, -0.001, 12.345_6, 100.0, -3.25].map(|length| Pixels(units(length)).to_string());
        assert_eq!(told, ["1", "0.5", "0", "12.35", "100", "-3.25"]);
        assert_eq!(points([(0.0, 0.0), (0.001, 0.0), (7.5, 0.125)].map(unit_point)), "0,0 7.5,0.13");
    }
}
