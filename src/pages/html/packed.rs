//! The designs of a page as compressed columns of bytes: neighbors on a front are similar.
//!
//! The columns follow one another: the indices of the designs (each minus the previous one), the costs in each resource, the
//! utilizations and, if there are several modes, those in each of them (as numerators over one denominator, each minus the
//! previous one), the verdicts on the designs (0 no, 1 yes, 2 undecided) and on all designs within their costs, the variants
//! of the processor and the clocks if there are any, one column per block (1 if it is built) and one per task. Of a variant, a
//! clock or a choice there is the index plus one, and 0 for none. On a front of cost against margin, the numerators of the
//! margins and their denominators follow.
//!
//! A number takes seven bits per byte, lowest bits first, and all its bytes but the last have the eighth bit set. A difference
//! that may be negative is doubled, plus one if it is. The result is deflated and encoded in base 64.

use super::error::ReportError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use isx_exact::quantity::Rational;
use isx_report::front::{Number, Point};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::io::{self, Write};

/// The most bits of the common denominator of all costs in a resource, or of all utilizations.
const MOST_BITS: u64 = 1 << 14;

/// The designs of a page, packed in base 64, and the common denominators of their figures.
#[derive(Clone, Debug)]
pub struct Columns {
    /// One per resource.
    pub costs: Vec<BigInt>,
    pub utilization_den: BigInt,
    /// One per mode.
    pub modes: Vec<BigInt>,
    pub packed: String,
}

/// The number of columns of each kind; no column of variants or clocks if there is none of these.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    pub costs: usize,
    pub variants: usize,
    pub clocks: usize,
    pub blocks: usize,
    pub tasks: usize,
    pub modes: usize,
    pub by_margin: bool,
}

impl Columns {
    /// Packs designs, each with its index.
    pub fn of(rows: &[(usize, Point)], layout: Layout) -> Result<Self, ReportError> {
        let points = || rows.iter().map(|(_, point)| point);
        let scaled = |number: &dyn Fn(&Point) -> Rational| Scaled::of(points().map(number).collect());
        let mut bytes = Vec::with_capacity(rows.len() * (layout.blocks + layout.tasks + 12));
        let mut before = 0;
        for (index, _) in rows {
            write_small(index - before, &mut bytes);
            before = *index;
        }
        let costs = (0..layout.costs).map(|at| scaled(&|point| point.cost[at].exact()));
        let costs = costs.collect::<Result<Vec<_>, _>>()?;
        let utilizations = scaled(&|point| point.utilization.exact())?;
        let modes = (0..layout.modes).map(|at| scaled(&|point| point.modes[at].exact()));
        let modes = modes.collect::<Result<Vec<_>, _>>()?;
        costs.iter().chain([&utilizations]).chain(&modes).for_each(|scaled| scaled.write_steps(&mut bytes));
        let verdict = |verdict: Option<bool>| verdict.map_or(2, u8::from);
        bytes.extend(points().map(|point| verdict(point.schedulable)));
        bytes.extend(points().map(|point| verdict(point.schedulable_within)));
        let mut optional = |number: &dyn Fn(&Point) -> Option<u32>| {
            points()
                .for_each(|point| write_small(number(point).map_or(0, |one| one as usize + 1), &mut bytes));
        };
        if layout.variants > 0 {
            optional(&|point| point.variant);
        }
        if layout.clocks > 0 {
            optional(&|point| point.clock);
        }
        for block in 0..layout.blocks as u32 {
            optional(&|point| point.blocks.contains(&block).then_some(0));
        }
        for task in 0..layout.tasks {
            optional(&|point| point.choices.get(task).copied().flatten());
        }
        if layout.by_margin {
            // Their common denominator may be as long as all of them together.
            let margins: Vec<Rational> = points()
                .map(|point| point.margin.as_ref().map_or_else(Rational::default, Number::exact))
                .collect();
            margins.iter().for_each(|margin| write_large(margin.numer().magnitude(), &mut bytes));
            margins.iter().for_each(|margin| write_large(margin.denom().magnitude(), &mut bytes));
        }
        let dens = |scaled: Vec<Scaled>| scaled.into_iter().map(|one| one.denominator).collect();
        Ok(Self {
            costs: dens(costs),
            utilization_den: utilizations.denominator,
            modes: dens(modes),
            packed: packed(&bytes)?,
        })
    }
}

/// Deflates bytes and encodes them in base 64.
pub fn packed(bytes: &[u8]) -> io::Result<String> {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
    deflate.write_all(bytes)?;
    Ok(STANDARD.encode(deflate.finish()?))
}

/// Numbers as numerators over one denominator.
struct Scaled {
    numerators: Vec<BigInt>,
    denominator: BigInt,
}

impl Scaled {
    fn of(numbers: Vec<Rational>) -> Result<Self, ReportError> {
        let mut denominator = BigInt::one();
        for number in &numbers {
            if !(&denominator % number.denom()).is_zero() {
                denominator = denominator.lcm(number.denom());
            }
            if denominator.bits() > MOST_BITS {
                return Err(ReportError::Digits);
            }
        }
        let numerator = |number: &Rational| number.numer() * (&denominator / number.denom());
        Ok(Self { numerators: numbers.iter().map(numerator).collect(), denominator })
    }

    /// Twice the difference between each number and the previous one, plus one if it falls; for the first, from 0.
    fn write_steps(&self, out: &mut Vec<u8>) {
        let mut before = &BigInt::ZERO;
        for number in &self.numerators {
            let step = number - before;
            let sign = u8::from(step.is_negative());
            write_large(&((step.magnitude() << 1u8) + sign), out);
            before = number;
        }
    }
}

fn write_small(mut number: usize, out: &mut Vec<u8>) {
    while number > 127 {
        out.push((number & 127) as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn write_large(number: &BigUint, out: &mut Vec<u8>) {
    let digits = number.to_radix_le(128);
    let last = digits.len() - 1;
    out.extend(digits.iter().enumerate().map(|(at, &digit)| if at < last { digit | 128 } else { digit }));
}

/// Reads packed columns again, for tests.
#[cfg(test)]
pub(super) mod unpacked {
    use super::*;
    use std::io::Read;

    /// The bytes that were packed.
    pub fn bytes(packed: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let deflated = STANDARD.decode(packed).unwrap();
        flate2::read::DeflateDecoder::new(deflated.as_slice()).read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Reads one number after the other.
    pub struct Numbers(pub Vec<u8>, pub usize);

    impl Numbers {
        pub fn next(&mut self) -> BigInt {
            let (mut number, mut shift) = (BigInt::ZERO, 0);
            loop {
                let byte = self.0[self.1];
                self.1 += 1;
                number += BigInt::from(byte & 127) << shift;
                shift += 7;
                if byte < 128 {
                    return number;
                }
            }
        }

        pub fn small(&mut self) -> usize {
            self.next().try_into().unwrap()
        }
    }

    /// The designs that were packed.
    pub fn rows(columns: &Columns, count: usize, layout: Layout) -> Vec<(usize, Point)> {
        let mut numbers = Numbers(bytes(&columns.packed), 0);
        let mut points = vec![(0, Point::default()); count];
        let mut index = 0;
        for (at, _) in &mut points {
            index += numbers.small();
            *at = index;
        }
        let mut steps = |den: &BigInt, put: &dyn Fn(&mut Point, Number)| {
            let mut sum = BigInt::ZERO;
            for (_, point) in &mut points {
                let step = numbers.next();
                let sign = if step.is_odd() { -1 } else { 1 };
                sum += (step >> 1) * sign;
                put(point, Number::from(&Rational::new(sum.clone(), den.clone())));
            }
        };
        columns.costs.iter().for_each(|den| steps(den, &|point, cost| point.cost.push(cost)));
        steps(&columns.utilization_den, &|point, utilization| point.utilization = utilization);
        columns.modes.iter().for_each(|den| steps(den, &|point, mode| point.modes.push(mode)));
        let verdict = |code: usize| [Some(false), Some(true), None][code];
        let optional = |number: usize| number.checked_sub(1).map(|number| number as u32);
        let mut column = |is_there: bool, put: &mut dyn FnMut(&mut Point, usize)| {
            points.iter_mut().filter(|_| is_there).for_each(|(_, point)| put(point, numbers.small()));
        };
        column(true, &mut |point, code| point.schedulable = verdict(code));
        column(true, &mut |point, code| point.schedulable_within = verdict(code));
        column(layout.variants > 0, &mut |point, number| point.variant = optional(number));
        column(layout.clocks > 0, &mut |point, number| point.clock = optional(number));
        for block in 0..layout.blocks as u32 {
            column(true, &mut |point, is_built| point.blocks.extend((is_built == 1).then_some(block)));
        }
        (0..layout.tasks)
            .for_each(|_| column(true, &mut |point, number| point.choices.push(optional(number))));
        if layout.by_margin {
            let margins: Vec<BigInt> = (0..2 * count).map(|_| numbers.next()).collect();
            for (at, (_, point)) in points.iter_mut().enumerate() {
                let margin = Rational::new(margins[at].clone(), margins[count + at].clone());
                point.margin = Some(Number::from(&margin));
            }
        }
        assert_eq!(numbers.1, numbers.0.len());
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(num: u64, den: u64) -> Number {
        Number::from(&Rational::new(num.into(), den.into()))
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let layout =
            Layout { costs: 2, variants: 2, clocks: 2, blocks: 3, tasks: 2, modes: 2, by_margin: true };
        let rows: Vec<(usize, Point)> = (0..300u64)
            .map(|at| {
                let small = at as u32;
                let point = Point {
                    // Costs may be negative, and fall.
                    cost: vec![number(at * at, 8), Number::from(3 - (at as i64 * 37 % 11))],
                    utilization: number(u64::MAX - 7 * at, 1 << 62),
                    margin: Some(number(u64::MAX - at % 7, at + 3)),
                    modes: vec![number(at * 37 % 11, 8), number(u64::MAX - at, 1 << 62)],
                    variant: (at % 5 > 0).then_some(small % 2),
                    schedulable: [Some(true), Some(false), None][at as usize % 3],
                    schedulable_within: [Some(true), Some(false), None][at as usize / 3 % 3],
                    choices: vec![None, (at > 0).then_some(small)],
                    blocks: (0..3).filter(|block| at >> block & 1 == 1).collect(),
                    clock: Some(small % 2),
                };
                (3 * at as usize, point)
            })
            .collect();
        let columns = Columns::of(&rows, layout).unwrap();
        assert_eq!(unpacked::rows(&columns, rows.len(), layout), rows);
    }

    #[test]
    fn figures_without_a_common_denominator_are_refused_before_it_grows() {
        let prime = |at: u64| {
            (3..u64::MAX).filter(|&n| (2..n).all(|d| !n.is_multiple_of(d))).nth(at as usize).unwrap()
        };
        let point =
            |at: u64| Point { utilization: number(1_000_000 - at, prime(at).pow(5)), ..Point::default() };
        let rows: Vec<(usize, Point)> = (0..400).map(|at| (at as usize, point(at))).collect();
        assert!(matches!(Columns::of(&rows, Layout::default()), Err(ReportError::Digits)));
        assert!(Columns::of(&rows[..50], Layout::default()).is_ok());
    }
}
