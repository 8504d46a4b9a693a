//! The designs of a page as compressed columns of bytes: neighbors on a front are similar.
//!
//! The columns follow one another: the indices of the designs (each minus the previous one), the areas (as numerators
//! over one denominator, each minus the previous one), the utilizations (in the same way, each subtracted from the
//! previous one), the verdicts on the designs (0 no, 1 yes, 2 undecided) and on all designs within their areas, the
//! clocks if there are any, one column per block (1 if it is built), one column per task (0 in software, else the
//! choice's index plus one) and one per mode, if there are several (utilizations, each as it is). On a front of area against margin the utilizations
//! need not fall, and are as they are; two columns follow the others, the numerators of the margins and their denominators. A number takes seven bits per byte, lowest bits first, and all its bytes but the last
//! have the eighth bit set. The result is deflated and encoded in base 64.

use super::error::ReportError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use isx_exact::quantity::Rational;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::io::{self, Write};

/// The most bits of the common denominator of all areas, or of all utilizations.
const MOST_BITS: u64 = 1 << 14;

/// A design of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub area: Rational,
    /// The cost in each resource; empty in a set with one area.
    pub cost: Vec<Rational>,
    pub utilization: Rational,
    /// Its margin, on a front of area against margin.
    pub margin: Option<Rational>,
    pub schedulable: Option<bool>,
    pub schedulable_within: Option<bool>,
    /// The utilization in each mode; empty if the page shows none.
    pub modes: Vec<Rational>,
    /// The index of its clock, 0 if there are none.
    pub clock: usize,
    /// The indices of the blocks that it builds, ascending.
    pub blocks: Vec<usize>,
    pub choices: Vec<Option<u32>>,
}

/// The designs of a page, packed in base 64, and the common denominators of their figures.
#[derive(Clone, Debug)]
pub struct Columns {
    pub area_den: BigInt,
    pub utilization_den: BigInt,
    /// For each resource the least cost as a numerator, and the denominator of all.
    pub costs: Vec<(BigInt, BigInt)>,
    /// For each mode the denominator of all utilizations in it.
    pub modes: Vec<BigInt>,
    pub packed: String,
}

/// The number of columns of each kind; no clock column if all designs have the same clock.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub clocks: usize,
    pub blocks: usize,
    pub tasks: usize,
}

impl Columns {
    /// Packs designs in order of area; with several resources, their costs in place of the areas, each less the least
    /// one of its resource, and utilizations as they are.
    pub fn of(rows: &[(usize, &Row)], layout: Layout) -> Result<Self, ReportError> {
        let resources = rows.first().map_or(0, |(_, row)| row.cost.len());
        let costs = (0..resources).map(|at| Scaled::of(rows.iter().map(move |(_, row)| &row.cost[at])));
        let costs = costs.collect::<Result<Vec<_>, _>>()?;
        let areas = Scaled::of(rows.iter().map(|(_, row)| &row.area))?;
        let utilizations = Scaled::of(rows.iter().map(|(_, row)| &row.utilization))?;
        let mut bytes = Vec::with_capacity(rows.len() * (layout.blocks + layout.tasks + 12));
        let mut before = 0;
        for (index, _) in rows {
            write_small(index - before, &mut bytes);
            before = *index;
        }
        match costs.is_empty() {
            true => areas.write_steps(&mut bytes),
            false => costs.iter().for_each(|cost| cost.write_above_least(&mut bytes)),
        }
        let margins: Vec<&Rational> = rows.iter().filter_map(|(_, row)| row.margin.as_ref()).collect();
        match costs.is_empty() && margins.is_empty() {
            true => utilizations.write_steps(&mut bytes),
            false => utilizations.write_all(&mut bytes),
        }
        let verdict = |verdict: Option<bool>| verdict.map_or(2, u8::from);
        bytes.extend(rows.iter().map(|(_, row)| verdict(row.schedulable)));
        bytes.extend(rows.iter().map(|(_, row)| verdict(row.schedulable_within)));
        if layout.clocks > 0 {
            rows.iter().for_each(|(_, row)| write_small(row.clock, &mut bytes));
        }
        for block in 0..layout.blocks {
            bytes.extend(rows.iter().map(|(_, row)| u8::from(row.blocks.binary_search(&block).is_ok())));
        }
        for task in 0..layout.tasks {
            for (_, row) in rows {
                let choice = row.choices.get(task).copied().flatten();
                write_small(choice.map_or(0, |choice| choice as usize + 1), &mut bytes);
            }
        }
        let modes = rows.first().map_or(0, |(_, row)| row.modes.len());
        let modes = (0..modes).map(|at| Scaled::of(rows.iter().map(move |(_, row)| &row.modes[at])));
        let modes = modes.collect::<Result<Vec<_>, _>>()?;
        modes.iter().for_each(|mode| mode.write_all(&mut bytes));
        // Their common denominator may be as long as all of them together.
        margins.iter().for_each(|margin| write_large(margin.numer().magnitude(), &mut bytes));
        margins.iter().for_each(|margin| write_large(margin.denom().magnitude(), &mut bytes));
        let packed = packed(&bytes)?;
        let modes = modes.into_iter().map(|mode| mode.denominator).collect();
        let costs = costs.into_iter().map(|cost| (cost.least(), cost.denominator)).collect();
        let (area_den, utilization_den) = (areas.denominator, utilizations.denominator);
        Ok(Self { area_den, utilization_den, costs, modes, packed })
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
    fn of<'a>(numbers: impl Iterator<Item = &'a Rational> + Clone) -> Result<Self, ReportError> {
        let mut denominator = BigInt::one();
        for number in numbers.clone() {
            if !(&denominator % number.denom()).is_zero() {
                denominator = denominator.lcm(number.denom());
            }
            if denominator.bits() > MOST_BITS {
                return Err(ReportError::Digits);
            }
        }
        let numerator = |number: &Rational| number.numer() * (&denominator / number.denom());
        Ok(Self { numerators: numbers.map(numerator).collect(), denominator })
    }

    /// The difference between each number and the previous one; for the first, from 0.
    fn write_steps(&self, out: &mut Vec<u8>) {
        let mut before = &BigInt::ZERO;
        for number in &self.numerators {
            write_large((number - before).magnitude(), out);
            before = number;
        }
    }
}

impl Scaled {
    fn least(&self) -> BigInt {
        self.numerators.iter().min().cloned().unwrap_or_default()
    }

    /// The numbers as they are, none negative.
    fn write_all(&self, out: &mut Vec<u8>) {
        self.numerators.iter().for_each(|number| write_large(number.magnitude(), out));
    }

    /// The difference between each number and the least one.
    fn write_above_least(&self, out: &mut Vec<u8>) {
        let least = self.least();
        self.numerators.iter().for_each(|number| write_large((number - &least).magnitude(), out));
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

    /// The designs that were packed, of a front of area against margin or not.
    pub fn rows(columns: &Columns, count: usize, layout: Layout, by_margin: bool) -> Vec<(usize, Row)> {
        let mut numbers = Numbers(bytes(&columns.packed), 0);
        let mut at = 0;
        let indices: Vec<usize> = (0..count)
            .map(|_| {
                at += numbers.small();
                at
            })
            .collect();
        let mut sums = |den: &BigInt, sign: i32| {
            let mut sum = BigInt::ZERO;
            let mut next = |first: bool| {
                // By margin, utilizations are as they are.
                if sign == 0 {
                    sum = BigInt::ZERO;
                }
                sum += numbers.next() * if first || sign == 0 { 1 } else { sign };
                Rational::new(sum.clone(), den.clone())
            };
            (0..count).map(|at| next(at == 0)).collect::<Vec<_>>()
        };
        let sign = if by_margin { 0 } else { -1 };
        let (areas, utilizations) = (sums(&columns.area_den, 1), sums(&columns.utilization_den, sign));
        let mut column = || (0..count).map(|_| numbers.small()).collect::<Vec<_>>();
        let (verdicts, within) = (column(), column());
        let verdict = |code: usize| [Some(false), Some(true), None][code];
        let clocks = if layout.clocks > 0 { column() } else { vec![0; count] };
        let blocks: Vec<Vec<usize>> = (0..layout.blocks).map(|_| column()).collect();
        let tasks: Vec<Vec<usize>> = (0..layout.tasks).map(|_| column()).collect();
        let mut large = || (0..count).map(|_| numbers.next()).collect::<Vec<_>>();
        let margins = by_margin.then(|| (large(), large()));
        assert_eq!(numbers.1, numbers.0.len());
        let margin =
            |at: usize| margins.as_ref().map(|(num, den)| Rational::new(num[at].clone(), den[at].clone()));
        let row = |at: usize| Row {
            area: areas[at].clone(),
            cost: Vec::new(),
            modes: Vec::new(),
            margin: margin(at),
            utilization: utilizations[at].clone(),
            schedulable: verdict(verdicts[at]),
            schedulable_within: verdict(within[at]),
            clock: clocks[at],
            blocks: (0..layout.blocks).filter(|&block| blocks[block][at] == 1).collect(),
            choices: tasks.iter().map(|task| task[at].checked_sub(1).map(|choice| choice as u32)).collect(),
        };
        (0..count).map(|at| (indices[at], row(at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(area: (u64, u64), utilization: (u64, u64)) -> Row {
        let fraction = |(num, den): (u64, u64)| Rational::new(num.into(), den.into());
        Row {
            area: fraction(area),
            cost: Vec::new(),
            modes: Vec::new(),
            utilization: fraction(utilization),
            margin: None,
            schedulable: None,
            schedulable_within: None,
            clock: 0,
            blocks: Vec::new(),
            choices: Vec::new(),
        }
    }

    fn borrowed(rows: &[(usize, Row)]) -> Vec<(usize, &Row)> {
        rows.iter().map(|(index, row)| (*index, row)).collect()
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let layout = Layout { clocks: 2, blocks: 3, tasks: 2 };
        let mut rows: Vec<(usize, Row)> = Vec::new();
        for at in 0..300u64 {
            let mut row = row((at * at, 8), (u64::MAX - 7 * at, 1 << 62));
            row.schedulable = [Some(true), Some(false), None][at as usize % 3];
            row.schedulable_within = [Some(true), Some(false), None][at as usize / 3 % 3];
            row.clock = at as usize % 2;
            row.blocks = (0..3).filter(|block| at >> block & 1 == 1).collect();
            row.choices = vec![None, (at > 0).then_some(at as u32)];
            rows.push((3 * at as usize, row));
        }
        let columns = Columns::of(&borrowed(&rows), layout).unwrap();
        assert_eq!(unpacked::rows(&columns, rows.len(), layout, false), rows);
        // By margin, utilizations rise and fall.
        for (at, (_, row)) in rows.iter_mut().enumerate() {
            row.margin = Some(Rational::new((u64::MAX - at as u64 % 7).into(), (at + 3).into()));
            row.utilization = Rational::new((at as u64 * 37 % 11).into(), 8.into());
        }
        let columns = Columns::of(&borrowed(&rows), layout).unwrap();
        assert_eq!(unpacked::rows(&columns, rows.len(), layout, true), rows);
    }

    #[test]
    fn figures_without_a_common_denominator_are_refused_before_it_grows() {
        let prime = |at: u64| {
            (3..u64::MAX).filter(|&n| (2..n).all(|d| !n.is_multiple_of(d))).nth(at as usize).unwrap()
        };
        let rows: Vec<(usize, Row)> =
            (0..400).map(|at| (at as usize, row((at, 1), (1_000_000 - at, prime(at).pow(5))))).collect();
        let layout = Layout { clocks: 0, blocks: 0, tasks: 0 };
        assert!(matches!(Columns::of(&borrowed(&rows), layout), Err(ReportError::Digits)));
        assert!(Columns::of(&borrowed(&rows)[..50], layout).is_ok());
    }
}
