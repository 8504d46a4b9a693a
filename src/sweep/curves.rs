//! The curves of a sweep: the records of every point and every combination of paired values, summed up.
//!
//! - A *test* is what a set may pass: being schedulable within a budget, or with any area.
//! - Acceptance ratios are in [`Share`], by count and by utilization: weighted schedulability is `sum(U S) / sum(U)` over
//!   the sets of all points that differ in the utilization only, with S = 1 for a set that passes and 0 for others
//!   (A. Bastoni, B. Brandenburg and J. Anderson, "Cache-Related Preemption and Migration Delays: Empirical
//!   Approximation and Impact on Schedulability", OSPERT 2010).
//! - Breakdown utilizations are averaged (J. Lehoczky, L. Sha and Y. Ding, "The Rate Monotonic Scheduling Algorithm: Exact
//!   Characterization and Average Case Behavior", RTSS 1989). Of least areas there are quantiles. Where sets were not decided,
//!   both have two ends: the least and the greatest that those sets leave.
//! - Combinations of paired values judge the same sets: [`Pair`] counts where two of them differ.

use crate::record::Record;
use crate::spec::{Spec, SweepError};
use crate::statistics::{on_grid, quantile};
use crate::stored;
use isx_exact::order;
use isx_exact::quantity::{Rational, format_decimal};
use std::fs::File;
use std::path::Path;

/// The quantiles of least areas, in percent.
pub const QUANTILES: [u64; 3] = [10, 50, 90];

/// How many sets pass a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Sets that pass.
    pub accepted: u64,
    /// Sets of which that was not decided.
    pub unknown: u64,
    /// The sum of the utilizations of those that pass, in units of 10^-12.
    pub accepted_utilization: u128,
    /// The sum of the utilizations of those not decided.
    pub unknown_utilization: u128,
}

/// The records of a point with one combination of paired values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The number of the point.
    pub point: u64,
    /// The number of the combination.
    pub pair: u64,
    /// The number of sets.
    pub sets: u64,
    /// The sum of their utilizations, in units of 10^-12.
    pub utilization: u128,
    /// For each test.
    pub shares: Vec<Share>,
    /// The number of breakdown utilizations that are not known, and the least and the greatest sum of all, in units of
    /// 10^-12.
    pub breakdown: (u64, [u128; 2]),
    /// The quantiles of the least areas: the ends of each; `None` where too many sets are not, or not known to be,
    /// schedulable with any area.
    pub areas: [[Option<Rational>; 2]; QUANTILES.len()],
}

/// Where two combinations of paired values differ, over all points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The combinations.
    pub pairs: (u64, u64),
    /// The number of the test.
    pub test: usize,
    /// Sets that pass with the first only, and with the second only.
    pub only: (u64, u64),
    /// Sets of which one was not decided: left out.
    pub unknown: u64,
}

/// The curves of a sweep.
#[derive(Clone, Debug)]
pub struct Curves {
    /// The tests: budgets in ascending order of the specification, then `any area` if least areas were asked for.
    pub tests: Vec<String>,
    /// In the order of points, then of combinations.
    pub cells: Vec<Cell>,
    /// All pairs of combinations, test by test.
    pub pairs: Vec<Pair>,
}

/// More combinations of paired values are not compared two by two.
const MOST_COMPARED: u64 = 12;

impl Curves {
    /// Reads a merged file.
    ///
    /// # Errors
    ///
    /// If it is no such file, or damaged.
    pub fn read(path: &Path) -> Result<(Spec, Self), SweepError> {
        let refused = |error| SweepError::Asked(format!("{}: {error}", path.display()));
        let spec = stored::spec_of(&File::open(path).map_err(refused)?, path)?;
        let mut reading = Reading::new(&spec);
        stored::read(path, &mut |record| reading.add(&record))?;
        let curves = reading.finish();
        Ok((spec, curves))
    }
}

/// The curves of the records so far.
struct Reading {
    has_any_area: bool,
    curves: Curves,
    /// What the sets of the cells of this point have, to be sorted at its end.
    areas: Vec<[Vec<Rational>; 2]>,
    /// The verdicts on this set, combination by combination.
    verdicts: Vec<Vec<Option<bool>>>,
    combinations: u64,
}

impl Reading {
    fn new(spec: &Spec) -> Self {
        let budgets = spec.asked.budgets.iter().map(|budget| format!("area {}", format_decimal(budget)));
        let any = spec.asked.min_area.then(|| "any area".to_owned());
        let tests: Vec<String> = budgets.chain(any).collect();
        let combinations = spec.pairs();
        let compared = if combinations <= MOST_COMPARED { combinations } else { 0 };
        let pair = |test, first, second| Pair { pairs: (first, second), test, only: (0, 0), unknown: 0 };
        let pairs = (0..tests.len()).flat_map(|test| {
            (0..compared)
                .flat_map(move |first| (first + 1..compared).map(move |second| pair(test, first, second)))
        });
        Self {
            has_any_area: spec.asked.min_area,
            curves: Curves { pairs: pairs.collect(), tests, cells: Vec::new() },
            areas: Vec::new(),
            verdicts: Vec::new(),
            combinations,
        }
    }

    fn add(&mut self, record: &Record) {
        let last = self.curves.cells.last().map(|cell| cell.point);
        if last != Some(record.point) {
            self.close_point();
            let shares = vec![Share::default(); self.curves.tests.len()];
            let cell = |pair| Cell { point: record.point, pair, shares: shares.clone(), ..Cell::default() };
            self.curves.cells.extend((0..self.combinations).map(cell));
            self.areas = vec![<[Vec<Rational>; 2]>::default(); self.combinations as usize];
        }
        let at = self.curves.cells.len() - self.combinations as usize + record.pair as usize;
        let cell = &mut self.curves.cells[at];
        let utilization = on_grid(&record.utilization);
        cell.sets += 1;
        cell.utilization += utilization;
        let mut verdicts = record.accepted.clone();
        if self.has_any_area {
            verdicts.push(record.accepted_any);
        }
        for (share, verdict) in cell.shares.iter_mut().zip(&verdicts) {
            match verdict {
                Some(true) => {
                    share.accepted += 1;
                    share.accepted_utilization += utilization;
                }
                None => {
                    share.unknown += 1;
                    share.unknown_utilization += utilization;
                }
                Some(false) => {}
            }
        }
        cell.breakdown.0 += u64::from(record.breakdown.is_none());
        for (sum, bound) in cell.breakdown.1.iter_mut().zip(&record.breakdown_bounds) {
            *sum += bound.as_ref().map_or(0, on_grid);
        }
        for (areas, bound) in self.areas[record.pair as usize].iter_mut().zip(&record.area_bounds) {
            areas.extend(bound.clone());
        }
        self.verdicts.push(verdicts);
        if record.pair + 1 == self.combinations {
            self.compare();
        }
    }

    /// Counts where the combinations of the paired values differ on the set.
    fn compare(&mut self) {
        let verdicts = std::mem::take(&mut self.verdicts);
        for pair in &mut self.curves.pairs {
            let verdict = |number: u64| verdicts.get(number as usize).and_then(|tests| tests[pair.test]);
            match (verdict(pair.pairs.0), verdict(pair.pairs.1)) {
                (Some(true), Some(false)) => pair.only.0 += 1,
                (Some(false), Some(true)) => pair.only.1 += 1,
                (None, _) | (_, None) => pair.unknown += 1,
                _ => {}
            }
        }
    }

    fn close_point(&mut self) {
        let first = self.curves.cells.len().saturating_sub(self.areas.len());
        for (cell, mut areas) in self.curves.cells[first..].iter_mut().zip(std::mem::take(&mut self.areas)) {
            areas.iter_mut().for_each(|areas| order::sort(areas));
            let ends = |percent| areas.each_ref().map(|areas| quantile(areas, cell.sets, percent).cloned());
            cell.areas = QUANTILES.map(ends);
        }
    }

    fn finish(mut self) -> Curves {
        self.close_point();
        self.curves
    }
}
