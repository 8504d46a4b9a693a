//! Shares of sets with the intervals that they are known to.
//!
//! [`clopper_pearson`] is exact: the ends of its intervals are decided by comparing sums of binomial terms as big integers,
//! not by an approximation. The terms are relative to that of `k`, which is 2^192; each is rounded down, so a sum is off by
//! less than one part in 10^50, and the end by no more than a unit of the grid if the tail lies that close to the level.
//!
//! Worked instance: 8 of 10 sets are accepted. With p = 0.443904 at least 8 of 10 are with a probability of 2.5 %, with
//! p = 0.974789 at most 8 of 10: the interval at 95 % is 0.443904 to 0.974790.

use isx_exact::quantity::Rational;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// The grid of the ends of intervals: 10^-9.
pub const UNIT: u64 = 1_000_000_000;

/// The binary places of a term of a sum.
const PLACES: u32 = 192;

/// One in so many: the probability left out at either end of an interval, 2.5 %.
const TAIL: u32 = 40;

/// A probability that k or more of n sets are accepted, and one that fewer are, in the same unit, if each is with
/// probability `p / UNIT`, 0 < p < [`UNIT`].
///
/// The sum of the fewer stops where it is 2^128 times the other.
fn tails(n: u64, k: u64, p: u64) -> (BigUint, BigUint) {
    let q = UNIT - p;
    let first = BigUint::one() << PLACES;
    let (mut more, mut term) = (first.clone(), first.clone());
    for i in k..n {
        term = term * (u128::from(n - i) * u128::from(p)) / (u128::from(i + 1) * u128::from(q));
        if term.is_zero() {
            break;
        }
        more += &term;
    }
    let (mut fewer, mut term) = (BigUint::zero(), first);
    let enough = &more << 128;
    for i in (1..=k).rev() {
        term = term * (u128::from(i) * u128::from(q)) / (u128::from(n - i + 1) * u128::from(p));
        fewer += &term;
        if term.is_zero() || fewer > enough {
            break;
        }
    }
    (more, fewer)
}

/// The largest p, in units of 10^-9, with which k or more of n are accepted with a probability of 2.5 % at most.
fn lower(k: u64, n: u64) -> u64 {
    let is_below = |p: u64| {
        p == 0 || {
            let (more, fewer) = tails(n, k, p);
            &more * TAIL <= more + fewer
        }
    };
    if k == 0 {
        return 0;
    }
    // With p = k / n every second sample has as many: the end lies below. It is looked for from there, in steps that begin
    // with one standard deviation, so that no sum is of numbers far from its largest.
    let near = |part: u64| (u128::from(part) * u128::from(UNIT) / u128::from(n)) as u64;
    let mut high = near(k).min(UNIT - 1);
    let mut step = near(k.min(n - k + 1).isqrt() + 1).max(1);
    let mut low = high.saturating_sub(step);
    while !is_below(low) {
        (high, step) = (low, step.saturating_mul(2));
        low = high.saturating_sub(step);
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The interval in which the probability lies by which sets are accepted, at a level of 95 %, if `accepted` of `sets` were
/// and `unknown` were not decided: in units of 10^-9, rounded outward. Those not decided count as rejected for the lower
/// end, and as accepted for the upper one.
///
/// C. Clopper and E. Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial",
/// Biometrika 26, 1934.
///
/// ```
/// use isx_sweep::statistics::clopper_pearson;
/// assert_eq!(clopper_pearson(8, 0, 10), (443_904_537, 974_789_274));
/// assert_eq!(clopper_pearson(0, 10, 10), (0, 1_000_000_000));
/// ```
pub fn clopper_pearson(accepted: u64, unknown: u64, sets: u64) -> (u64, u64) {
    if sets == 0 {
        return (0, UNIT);
    }
    let rejected = sets.saturating_sub(accepted + unknown);
    (lower(accepted, sets), UNIT - lower(rejected, sets))
}

/// The interval around `accepted / sets` that pictures show: E. Wilson, "Probable Inference, the Law of Succession, and
/// Statistical Inference", Journal of the American Statistical Association 22, 1927. In floats, for drawing only.
pub fn wilson(accepted: u64, sets: u64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let n = sets.max(1) as f64;
    let share = accepted as f64 / n;
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

/// The probability that two schedulers of equal merit differ as much, if of the sets that only one of them accepts
/// `one` are accepted by the one and `other` by the other: McNemar's test, two-sided, by the binomial distribution.
///
/// Q. McNemar, "Note on the Sampling Error of the Difference between Correlated Proportions or Percentages",
/// Psychometrika 12, 1947. Probabilities below 2^-128 are given as at most that.
pub fn mcnemar(one: u64, other: u64) -> Rational {
    let most = one.max(other);
    if one == other {
        return Rational::one();
    }
    let (more, fewer) = tails(one + other, most, UNIT / 2);
    let all = BigInt::from(&more + fewer);
    Rational::new(BigInt::from(more * 2u32), all).min(Rational::one())
}

/// The grid of utilizations that are added up: 10^-12.
pub const GRID: u64 = 1_000_000_000_000;

/// A number that is not negative on the grid, rounded down.
pub fn on_grid(value: &Rational) -> u128 {
    (value * BigInt::from(GRID)).to_integer().to_u128().unwrap_or(0)
}

/// A sum or a part of sums on the grid as a fraction of another; `None` if that is 0.
pub fn share(part: u128, whole: u128) -> Option<Rational> {
    (whole > 0).then(|| Rational::new(part.into(), whole.into()))
}

/// The least of the ascending figures that at least `percent` of `count` figures do not exceed; what is beyond the figures
/// given counts as above all of them: `None`.
pub fn quantile(ascending: &[Rational], count: u64, percent: u64) -> Option<&Rational> {
    let rank = (count * percent).div_ceil(100).max(1);
    ascending.get(rank as usize - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::quantity::format_rounded;

    /// `scipy.stats.binomtest(k, n).proportion_ci(0.95, "exact")` of scipy 1.17.1.
    const SCIPY: [(u64, u64, f64, f64); 14] = [
        (1, 1, 0.025, 1.0),
        (0, 10, 0.0, 0.308497107819),
        (8, 10, 0.443904537692, 0.974789273673),
        (10, 10, 0.691502892181, 1.0),
        (3, 7, 0.098988278442, 0.81594843236),
        (50, 100, 0.398321129503, 0.601678870497),
        (1, 1_000, 0.000025317487, 0.00555892428),
        (517, 1_000, 0.485516869977, 0.548382779276),
        (999, 1_000, 0.99444107572, 0.999974682513),
        (5_000, 10_000, 0.49015138059, 0.50984861941),
        (12_345, 100_000, 0.121417106708, 0.125504760849),
        (0, 100_000, 0.0, 0.000036888114),
        (99_998, 100_000, 0.999927755011, 0.999997577898),
        (333_333, 1_000_000, 0.332409048124, 0.334257917338),
    ];

    #[test]
    fn intervals_are_those_of_scipy() {
        for (k, n, low, high) in SCIPY {
            let (found_low, found_high) = clopper_pearson(k, 0, n);
            let near = |found: u64, end: f64| (found as f64 / UNIT as f64 - end).abs() < 2e-9;
            assert!(near(found_low, low) && near(found_high, high), "{k} of {n}: {found_low} {found_high}");
        }
    }

    /// `scipy.stats.binomtest(b, b + c, 0.5).pvalue`.
    const MCNEMAR: [(u64, u64, f64); 8] = [
        (1, 0, 1.0),
        (3, 1, 0.625),
        (10, 2, 0.03857421875),
        (25, 60, 0.00018679938527835335),
        (300, 250, 0.036578745549102676),
        (1_000, 1_200, 2.1817026407914194e-05),
        (80, 10, 1.0521598690598086e-14),
        (5_000, 5_300, 0.003215819673645259),
    ];

    #[test]
    fn tests_of_pairs_are_those_of_scipy() {
        for (one, other, p) in MCNEMAR {
            let found: f64 = format_rounded(&mcnemar(one, other), 30).parse().unwrap();
            assert!((found / p - 1.0).abs() < 1e-9, "{one} {other}: {found} {p}");
            assert_eq!(mcnemar(one, other), mcnemar(other, one));
        }
        assert_eq!(mcnemar(0, 0), Rational::one());
        assert!(mcnemar(1_000_000, 0) < Rational::new(1.into(), BigInt::one() << 120));
    }

    #[test]
    fn an_end_is_where_the_tail_passes_its_level() {
        // By exact sums of C(n, i) p^i (1 - p)^(n - i) over all i.
        let tail = |n: u64, k: u64, p: u64| -> Rational {
            let (mut binomial, mut sum) = (BigInt::one(), BigInt::zero());
            for i in 0..=n {
                if i >= k {
                    sum += &binomial
                        * BigInt::from(p).pow(i as u32)
                        * BigInt::from(UNIT - p).pow((n - i) as u32);
                }
                binomial = binomial * (n - i) / (i + 1);
            }
            Rational::new(sum, BigInt::from(UNIT).pow(n as u32))
        };
        let level = Rational::new(1.into(), TAIL.into());
        for n in [1, 2, 7, 30] {
            for k in 1..=n {
                let end = lower(k, n);
                assert!(tail(n, k, end) <= level && tail(n, k, end + 1) > level, "{k} of {n}: {end}");
            }
        }
    }

    #[test]
    fn what_is_not_decided_widens_an_interval_at_both_ends() {
        let (low, high) = clopper_pearson(60, 20, 100);
        assert_eq!((low, high), (clopper_pearson(60, 0, 100).0, clopper_pearson(80, 0, 100).1));
        assert_eq!(clopper_pearson(0, 0, 0), (0, UNIT));
    }

    #[test]
    fn quantiles_count_sets_without_a_figure_as_the_largest() {
        let figures: Vec<Rational> = (1..=8).map(|figure| Rational::from_integer(figure.into())).collect();
        let quantile = |percent| quantile(&figures, 10, percent).map(ToString::to_string);
        assert_eq!(
            [quantile(10), quantile(50), quantile(80)],
            ["1", "5", "8"].map(|text| Some(text.to_owned()))
        );
        assert_eq!([quantile(81), quantile(90), quantile(100)], [None, None, None]);
    }

    #[test]
    fn bands_of_pictures_hold_the_share() {
        let (low, high) = wilson(8, 10);
        assert!((low - 0.490_161_6).abs() < 1e-6 && (high - 0.943_317_8).abs() < 1e-6, "{low} {high}");
        assert_eq!((wilson(0, 5).0, wilson(5, 5).1), (0.0, 1.0));
    }
}
