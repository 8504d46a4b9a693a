//! The exact figures of points as text, in machine integers if they fit.
//!
//! A front of a hundred thousand points has as many fractions to reduce, and nearly always numerator and denominator
//! fit 64 bits. Figures that do not fit use big integers and give the same text.

use isx_design::front::Point;
use isx_exact::quantity::{Rational, approx, format_decimal};
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::io::{self, Write};

/// A utilization in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fraction {
    /// In 64 bits.
    Small(u64, u64),
    /// In 128 bits.
    Wide(u128, u128),
    /// Of any size.
    Big(Rational),
}

/// The largest number below which every integer is a double.
const EXACT_IN_DOUBLE: u64 = 1 << 53;

impl Fraction {
    fn of(numerator: u128, denominator: u128) -> Self {
        let small = u64::try_from(numerator).ok().zip(u64::try_from(denominator).ok());
        if let Some((numerator, denominator)) = small {
            let divisor = numerator.gcd(&denominator).max(1);
            return Self::Small(numerator / divisor, denominator / divisor);
        }
        let divisor = numerator.gcd(&denominator).max(1);
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        match u64::try_from(numerator).ok().zip(u64::try_from(denominator).ok()) {
            Some((numerator, denominator)) => Self::Small(numerator, denominator),
            None => Self::Wide(numerator, denominator),
        }
    }

    /// Numerator and denominator, if they fit 64 bits.
    pub fn small(&self) -> Option<(u64, u64)> {
        match *self {
            Self::Small(numerator, denominator) => Some((numerator, denominator)),
            Self::Wide(..) | Self::Big(_) => None,
        }
    }

    /// Writes the numerator.
    pub fn write_numerator(&self, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Small(numerator, _) => write!(out, "{numerator}"),
            Self::Wide(numerator, _) => write!(out, "{numerator}"),
            Self::Big(fraction) => write!(out, "{}", fraction.numer()),
        }
    }

    /// Writes the denominator.
    pub fn write_denominator(&self, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Small(_, denominator) => write!(out, "{denominator}"),
            Self::Wide(_, denominator) => write!(out, "{denominator}"),
            Self::Big(fraction) => write!(out, "{}", fraction.denom()),
        }
    }

    /// The nearest double.
    pub fn approx(&self) -> f64 {
        match *self {
            // A quotient of doubles is the double nearest to it.
            Self::Small(numerator, denominator)
                if numerator < EXACT_IN_DOUBLE && denominator < EXACT_IN_DOUBLE =>
            {
                numerator as f64 / denominator as f64
            }
            Self::Small(numerator, denominator) => {
                approx(&Rational::new_raw(numerator.into(), denominator.into()))
            }
            Self::Wide(numerator, denominator) => {
                approx(&Rational::new_raw(numerator.into(), denominator.into()))
            }
            Self::Big(ref fraction) => approx(fraction),
        }
    }
}

/// How the costs of one resource are written: the offset plus units times a factor, with a decimal point this many
/// digits from the end.
#[derive(Clone, Copy, Debug)]
struct Decimals {
    offset: i128,
    factor: i128,
    places: u32,
}

impl Decimals {
    fn digits(&self, units: u64) -> Option<i128> {
        i128::from(units).checked_mul(self.factor)?.checked_add(self.offset)
    }
}

/// A column of cost: its dimension in the problem, and how its figures are written if they are decimals.
struct CostColumn {
    dimension: usize,
    decimals: Option<Decimals>,
}

/// The figures of the points of a front.
pub struct Figures<'a> {
    formulation: &'a Formulation,
    hyperperiod: Option<u128>,
    /// The area, or one per resource.
    costs: Vec<CostColumn>,
}

impl<'a> Figures<'a> {
    pub fn new(formulation: &'a Formulation) -> Self {
        let hyperperiod = formulation.hyperperiod.to_u128();
        let costs = &formulation.costs;
        let dimension = |resource| costs.resources.iter().position(|&other| other == resource);
        let dimensions = (0..costs.resources.len()).filter_map(dimension);
        let column = |dimension: usize| CostColumn {
            dimension,
            decimals: decimals(&costs.offset[dimension], &costs.units[dimension]),
        };
        Self { formulation, hyperperiod, costs: dimensions.map(column).collect() }
    }

    /// The number of columns of cost: 1, or the number of resources.
    pub fn costs(&self) -> usize {
        self.costs.len()
    }

    /// Writes the cost of a point in this column.
    pub fn write_cost(&self, column: usize, point: &Point, out: &mut Vec<u8>) -> io::Result<()> {
        let CostColumn { dimension, decimals } = &self.costs[column];
        let digits =
            |decimals: &Decimals| Some((decimals.digits(point.amount(*dimension))?, decimals.places));
        match decimals.as_ref().and_then(digits) {
            Some((digits, places)) => write_with_point(digits, places, out),
            None => write!(out, "{}", format_decimal(&point.cost()[column])),
        }
    }

    /// The cost of a point in this column without its decimal point, see [`Figures::cost_places`]; `None` if it exceeds
    /// 128 bits or is not a decimal.
    pub fn cost_digits(&self, column: usize, point: &Point) -> Option<i128> {
        let CostColumn { dimension, decimals } = &self.costs[column];
        decimals.as_ref()?.digits(point.amount(*dimension))
    }

    /// Digits after the decimal point of the costs in this column.
    pub fn cost_places(&self, column: usize) -> Option<u32> {
        self.costs[column].decimals.map(|decimals| decimals.places)
    }

    /// The cost of a point in this column, as text.
    pub fn cost(&self, column: usize, point: &Point) -> String {
        let mut text = Vec::new();
        // Memory takes every byte, and digits are text.
        let _ = self.write_cost(column, point, &mut text);
        String::from_utf8(text).unwrap_or_default()
    }

    /// The utilization of a point in six decimals, with the side of 1 that it lies on if it rounds to 1; `large` has it so
    /// from big integers.
    pub fn rounded(&self, point: &Point, large: fn(&Rational) -> String) -> String {
        let demand = point.demand_in::<i128>().and_then(|demand| u128::try_from(demand).ok());
        let millionths = |(demand, hyperperiod): (u128, u128)| {
            let twice = demand.checked_mul(2_000_000)?.checked_add(hyperperiod)?;
            Some((twice / hyperperiod.checked_mul(2)?, demand.cmp(&hyperperiod)))
        };
        match demand.zip(self.hyperperiod).and_then(millionths) {
            Some((1_000_000, Ordering::Greater)) => ">1.000000".to_owned(),
            Some((1_000_000, Ordering::Less)) => "<1.000000".to_owned(),
            Some((millionths, _)) => format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000),
            None => large(&point.utilization()),
        }
    }

    /// The utilization of a point.
    pub fn utilization(&self, point: &Point) -> Fraction {
        let demand = point.demand_in::<i128>().and_then(|demand| u128::try_from(demand).ok());
        match demand.zip(self.hyperperiod) {
            Some((demand, hyperperiod)) => Fraction::of(demand, hyperperiod),
            None => Fraction::Big(Rational::new(point.demand(), self.formulation.hyperperiod.clone())),
        }
    }
}

/// How the offset plus multiples of the unit are written; `None` if they are not decimals, or have too many digits.
fn decimals(offset: &Rational, unit: &Rational) -> Option<Decimals> {
    let mut places = 0;
    let mut power = BigInt::one();
    // Both come from decimals with few digits, so this ends soon or they are not decimals.
    while !(&power % unit.denom()).is_zero() || !(&power % offset.denom()).is_zero() {
        places += 1;
        power *= 10;
        if places > 38 {
            return None;
        }
    }
    let digits = |number: &Rational| (number.numer() * &power / number.denom()).to_i128();
    Some(Decimals { offset: digits(offset)?, factor: digits(unit)?, places })
}

/// Writes `digits / 10^places` without trailing zeros.
fn write_with_point(digits: i128, mut places: u32, out: &mut Vec<u8>) -> io::Result<()> {
    let sign = if digits < 0 { "-" } else { "" };
    let mut digits = digits.unsigned_abs();
    while places > 0 && digits.is_multiple_of(10) {
        digits /= 10;
        places -= 1;
    }
    if places == 0 {
        return write!(out, "{sign}{digits}");
    }
    let power = 10u128.pow(places);
    write!(out, "{sign}{}.{:0width$}", digits / power, digits % power, width = places as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{front_of, random, unlike_fronts};
    use isx_exact::quantity::format_rounded;
    use isx_exact::sampling::Sampler;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn figures_are_those_of_big_rationals() {
        let mut fronts = unlike_fronts();
        fronts.push(front_of(&random(14, 6, 3)));
        let mut points = 0;
        for explored in &fronts {
            let figures = Figures::new(explored.front.formulation());
            for point in &explored.front {
                assert_eq!(text(|out| figures.write_cost(0, &point, out)), format_decimal(&point.area()));
                let (found, wanted) = (figures.utilization(&point), point.utilization());
                assert_eq!(text(|out| found.write_numerator(out)), wanted.numer().to_string());
                assert_eq!(text(|out| found.write_denominator(out)), wanted.denom().to_string());
                assert_eq!(found.approx().to_bits(), approx(&wanted).to_bits());
                let six = |value: &Rational| format_rounded(value, 6);
                assert_eq!(figures.rounded(&point, six).trim_start_matches(['<', '>']), six(&wanted));
                points += 1;
            }
        }
        assert!(points > 300, "only {points} points were compared");
    }

    #[test]
    fn quotients_of_every_size_are_the_nearest_doubles() {
        let mut sampler = Sampler::new(5);
        for _ in 0..20_000 {
            let mut number = || {
                (u128::from(sampler.uniform(0, u64::MAX)) << 64 | u128::from(sampler.uniform(0, u64::MAX)))
                    >> sampler.uniform(0, 126)
            };
            let (numerator, denominator) = (number(), number().max(1));
            let exact = Rational::new(numerator.into(), denominator.into());
            let fraction = Fraction::of(numerator, denominator);
            assert_eq!(fraction.approx().to_bits(), approx(&exact).to_bits(), "{numerator}/{denominator}");
            assert_eq!(text(|out| fraction.write_numerator(out)), exact.numer().to_string());
        }
    }

    #[test]
    fn areas_of_any_unit_are_written_as_decimals() {
        for (numerator, denominator) in [(1, 1), (7, 1), (1, 8), (3, 40), (5, 2), (1, 3), (1_000_000, 1)] {
            let unit = Rational::new(numerator.into(), denominator.into());
            for units in [0u64, 1, 9, 10, 999, 12_345_678, u64::MAX] {
                let wanted = format_decimal(&(Rational::from(BigInt::from(units)) * &unit));
                let Some(decimals) = decimals(&Rational::zero(), &unit) else {
                    assert_eq!(denominator, 3);
                    continue;
                };
                assert_eq!(
                    text(|out| write_with_point(decimals.digits(units).unwrap(), decimals.places, out)),
                    wanted
                );
            }
        }
    }
}
