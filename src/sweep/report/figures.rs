//! The figures of a report, each as all its formats have it.

use crate::curves::{Cell, Curves, Share};
use crate::spec::{Axis, Spec};
use crate::statistics::{GRID, UNIT, clopper_pearson, share};
use isx_exact::quantity::{Rational, format_rounded};
use std::collections::HashMap;

/// The decimals of ratios, and of the ends of their intervals.
const PLACES: u32 = 9;

/// A part of [`UNIT`] as a decimal.
fn unit_text(units: u64) -> String {
    format_rounded(&Rational::new(units.into(), UNIT.into()), PLACES)
}

pub fn rounded(value: Option<Rational>) -> Option<String> {
    value.map(|value| format_rounded(&value, PLACES))
}

/// The share of the sets that pass, and the interval at 95 %, as decimals.
pub fn acceptance(cell: &Cell, found: &Share) -> [String; 3] {
    let (low, high) = clopper_pearson(found.accepted, found.unknown, cell.sets);
    let ratio = rounded(share(found.accepted.into(), cell.sets.into())).unwrap_or_default();
    [ratio, unit_text(low), unit_text(high)]
}

/// The least and the greatest mean of the breakdown utilizations that those not known leave.
pub fn mean_breakdown(cell: &Cell) -> [Option<Rational>; 2] {
    cell.breakdown.1.map(|sum| share(sum, u128::from(cell.sets) * u128::from(GRID)))
}

/// `key=value, key=value` of axes and their values.
pub fn named(axes: &[Axis], values: &[&str]) -> String {
    let each = axes.iter().zip(values).map(|(axis, value)| format!("{}={value}", axis.key));
    each.collect::<Vec<_>>().join(", ")
}

/// The sets of all points that differ in the utilization only: the values of the other axes, the combination of paired
/// values, and the sum of the utilizations with the shares of the tests.
pub struct Weighted<'a> {
    pub values: Vec<(&'a str, &'a str)>,
    pub pair: u64,
    pub utilization: u128,
    pub shares: Vec<Share>,
}

/// Weighted schedulability, if the grid has utilizations.
pub fn weighted<'a>(spec: &'a Spec, curves: &Curves) -> Vec<Weighted<'a>> {
    let mut found: Vec<Weighted<'a>> = Vec::new();
    if !spec.grid().iter().any(|axis| axis.key == "utilization") {
        return found;
    }
    let mut places = HashMap::new();
    for cell in &curves.cells {
        let values = spec.grid().iter().map(|axis| axis.key.as_str()).zip(spec.values_at(cell.point));
        let values: Vec<(&str, &str)> = values.filter(|(key, _)| *key != "utilization").collect();
        let at = *places.entry((values.clone(), cell.pair)).or_insert(found.len());
        if at == found.len() {
            let shares = vec![Share::default(); cell.shares.len()];
            found.push(Weighted { values, pair: cell.pair, utilization: 0, shares });
        }
        let sum = &mut found[at];
        sum.utilization += cell.utilization;
        for (sum, share) in sum.shares.iter_mut().zip(&cell.shares) {
            sum.accepted_utilization += share.accepted_utilization;
            sum.unknown_utilization += share.unknown_utilization;
        }
    }
    found
}

/// The weighted schedulability of a test: with the undecided sets rejected, and with them accepted.
pub fn weighted_ends(sum: &Weighted, found: &Share) -> [Option<Rational>; 2] {
    let accepted = found.accepted_utilization;
    [accepted, accepted + found.unknown_utilization].map(|part| share(part, sum.utilization))
}
