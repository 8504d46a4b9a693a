//! Distances between two points, rounded to integers as TSPLIB's documentation specifies.

/// How distances are computed from coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// EUC_2D.
    Euclidean,
    /// CEIL_2D.
    Ceiling,
    /// ATT, "pseudo-Euclidean".
    Att,
    /// GEO, on a sphere.
    Geographic,
}

/// A coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate {
    /// As the nearest float.
    real: f64,
    /// As an integer, if it is one.
    whole: Option<i64>,
}

/// The maximum absolute value of a coordinate.
const MOST: i64 = 1 << 60;
/// Floats represent all integers up to this one.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Coordinate {
    /// Parses a coordinate: a whole number, a decimal, or with an exponent; up to 2^60 in absolute value.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(whole) = text.parse::<i64>() {
            let real = whole as f64;
            return (whole.unsigned_abs() <= MOST.unsigned_abs())
                .then_some(Self { real, whole: Some(whole) });
        }
        // Rust accepts more float notations than TSPLIB.
        let is_plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
        let real = text.bytes().all(is_plain).then(|| text.parse::<f64>().ok()).flatten()?;
        if !real.is_finite() || real.abs() > MOST as f64 {
            return None;
        }
        let is_whole = real.fract() == 0.0 && real.abs() <= EXACT;
        Some(Self { real, whole: is_whole.then_some(real as i64) })
    }
}

/// A point of the plane, or latitude and longitude.
pub type Point = [Coordinate; 2];

impl Metric {
    /// The distance between two points.
    pub fn distance(self, a: Point, b: Point) -> i64 {
        match (self, square(a, b)) {
            (Self::Euclidean, Ok(square)) => {
                let root = square.isqrt();
                // Compare with root + 1/2, whose square is root^2 + root + 1/4.
                (root + u128::from(square - root * root > root)) as i64
            }
            (Self::Euclidean, Err(square)) => nint(square.sqrt()),
            (Self::Ceiling, Ok(square)) => {
                let root = square.isqrt();
                (root + u128::from(root * root < square)) as i64
            }
            (Self::Ceiling, Err(square)) => square.sqrt().ceil() as i64,
            (Self::Att, Ok(square)) => {
                let root = (square / 10).isqrt();
                (root + u128::from(root * root * 10 < square)) as i64
            }
            (Self::Att, Err(square)) => {
                let root = (square / 10.0).sqrt();
                let nearest = nint(root);
                if (nearest as f64) < root { nearest + 1 } else { nearest }
            }
            (Self::Geographic, _) => on_sphere(a, b),
        }
    }
}

/// The sum of squared differences, exact if all coordinates are integers.
fn square(a: Point, b: Point) -> Result<u128, f64> {
    let whole = |at: usize| Some(u128::from(a[at].whole?.abs_diff(b[at].whole?)));
    match (whole(0), whole(1)) {
        // Differences are below 2^61 and a bit.
        (Some(x), Some(y)) => Ok(x * x + y * y),
        _ => {
            let [x, y] = [0, 1].map(|at| a[at].real - b[at].real);
            Err(x * x + y * y)
        }
    }
}

/// Rounds a non-negative number to the nearest integer.
fn nint(real: f64) -> i64 {
    (real + 0.5) as i64
}

/// TSPLIB's own value of pi, and its radius of the earth in kilometres; its distances are defined with these values.
#[allow(clippy::approx_constant)]
const PI: f64 = 3.141_592;
const RADIUS: f64 = 6378.388;

/// Converts degrees and minutes, written as DDD.MM, to radians.
fn radians(angle: Coordinate) -> f64 {
    let degrees = angle.real.trunc();
    let minutes = angle.real - degrees;
    PI * (degrees + 5.0 * minutes / 3.0) / 180.0
}

fn on_sphere(a: Point, b: Point) -> i64 {
    let [latitude_a, longitude_a] = a.map(radians);
    let [latitude_b, longitude_b] = b.map(radians);
    let q1 = (longitude_a - longitude_b).cos();
    let q2 = (latitude_a - latitude_b).cos();
    let q3 = (latitude_a + latitude_b).cos();
    let cosine: f64 = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3);
    // Rounding may give a value slightly above 1, for which there is no angle.
    (RADIUS * cosine.clamp(-1.0, 1.0).acos() + 1.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(metric: Metric, a: (&str, &str), b: (&str, &str)) -> i64 {
        let point = |(x, y)| [Coordinate::parse(x).unwrap(), Coordinate::parse(y).unwrap()];
        metric.distance(point(a), point(b))
    }

    #[test]
    fn whole_coordinates_give_exact_distances_whatever_their_size() {
        use Metric::{Att, Ceiling, Euclidean};
        let from = ("0", "0");
        assert_eq!(distance(Euclidean, from, ("1", "1")), 1);
        assert_eq!(distance(Euclidean, from, ("1", "2")), 2);
        assert_eq!(distance(Euclidean, from, ("3", "4")), 5);
        assert_eq!(distance(Ceiling, from, ("3", "4")), 5);
        assert_eq!(distance(Ceiling, from, ("1", "1")), 2);
        // sqrt(10 / 10), sqrt(11.7), sqrt(0.1).
        assert_eq!(distance(Att, from, ("1", "3")), 1);
        assert_eq!(distance(Att, from, ("9", "6")), 4);
        assert_eq!(distance(Att, from, ("1", "0")), 1);
        assert_eq!(distance(Att, from, from), 0);
        // Beyond the 53 bits of a float: 3 k, 4 k, 5 k and one to either side.
        let k = (1i64 << 57) - 3;
        let text = |number: i64| number.to_string();
        let far = |x: i64, y: i64| (text(x), text(y));
        for (x, wanted) in [(3 * k, 5 * k), (3 * k - 1, 5 * k - 1), (3 * k + 1, 5 * k + 1)] {
            let (x, y) = far(x, 4 * k);
            // (5k)^2 -+ 6k + 1 lies 0.6 from 5k.
            assert_eq!(distance(Euclidean, from, (&x, &y)), wanted);
        }
        let (x, y) = far(3 * k + 1, 4 * k);
        assert_eq!(distance(Ceiling, from, (&x, &y)), 5 * k + 1);
        let most = text(MOST);
        let least = text(-MOST);
        assert_eq!(distance(Euclidean, (&most, "7"), (&least, "7")), 1 << 61);
        assert_eq!(distance(Ceiling, (&most, &most), (&least, &least)), 3_260_954_456_333_195_554);
        assert_eq!(distance(Euclidean, ("1e2", "0.0"), ("+100.0", "-1.5e1")), 15);
    }

    #[test]
    fn integers_and_floats_agree_where_both_are_exact() {
        for x in 0..60 {
            for y in 0..60 {
                let (a, b) = (x.to_string(), y.to_string());
                for metric in [Metric::Euclidean, Metric::Ceiling, Metric::Att] {
                    let exact = distance(metric, ("0", "0"), (&a, &b));
                    // The same differences, from non-integer coordinates.
                    let (a, b) = (format!("{x}.5"), format!("{y}.5"));
                    assert_eq!(distance(metric, ("0.5", "0.5"), (&a, &b)), exact, "{metric:?} {x} {y}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_coordinate_is_none() {
        for text in
            ["", "x", "1x", "inf", "-inf", "nan", "0x10", "1_0", "--1", "1e", "1e400", "1152921504606846977"]
        {
            assert_eq!(Coordinate::parse(text), None, "{text}");
        }
        for (text, real) in [("1.", 1.0), (".5", 0.5), ("-5.21", -5.21), ("6.00000e+02", 600.0), ("+7", 7.0)]
        {
            assert_eq!(Coordinate::parse(text).unwrap().real, real);
        }
    }

    #[test]
    fn degrees_are_cut_and_the_same_place_is_one_away() {
        assert_eq!(distance(Metric::Geographic, ("16.47", "96.10"), ("16.47", "96.10")), 1);
        // Cities 1 and 2 of burma14.
        assert_eq!(distance(Metric::Geographic, ("16.47", "96.10"), ("16.47", "94.44")), 153);
        let south = radians(Coordinate::parse("-5.21").unwrap());
        assert!((south + PI * (5.0 + 0.35) / 180.0).abs() < 1e-9);
    }
}
