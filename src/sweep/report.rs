//! What a sweep found, for readers and for other programs: JSON, CSV, Parquet, and a page with pictures.

mod charts;
mod figures;
mod table;

pub use charts::charts;
pub use table::{Table, table};

use crate::curves::{Cell, Curves, QUANTILES};
use crate::spec::Spec;
use crate::statistics::{GRID, mcnemar, share};
use figures::{acceptance, mean_breakdown, named, rounded, weighted, weighted_ends};
use isx_exact::quantity::{format_decimal, format_rounded};
use isx_pages::html::write_sweep;
use isx_pages::svg::lines::draw_lines;
use isx_report::origin::Origin;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io;

/// The value of the field `schema`.
pub const SCHEMA: &str = "isx.sweep-report/1";

/// The most points, times combinations of paired values, of a page.
pub const MOST_CELLS: usize = 20_000;

/// The most pictures of a page.
const MOST_PICTURES: usize = 30;

fn object<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Map<String, Value> {
    pairs.map(|(key, value)| (key.to_owned(), Value::from(value))).collect()
}

/// The curves as JSON; ratios and their intervals are decimals in text.
pub fn document(spec: &Spec, curves: &Curves) -> Value {
    let paired = |pair| spec.paired.iter().map(|axis| axis.key.as_str()).zip(spec.values_of_pair(pair));
    let cell = |cell: &Cell| {
        let grid = spec.grid().iter().map(|axis| axis.key.as_str()).zip(spec.values_at(cell.point));
        let tests = curves.tests.iter().zip(&cell.shares).map(|(test, found)| {
            let [ratio, low, high] = acceptance(cell, found);
            json!({
                "test": test, "accepted": found.accepted, "unknown": found.unknown,
                "ratio": ratio, "low": low, "high": high,
            })
        });
        let areas = |end: usize| {
            let areas = QUANTILES.iter().zip(&cell.areas);
            let text = |area: &Option<_>| area.as_ref().map(format_decimal);
            areas.map(|(percent, ends)| (percent.to_string(), text(&ends[end]))).collect::<BTreeMap<_, _>>()
        };
        let [least, most] = mean_breakdown(cell).map(rounded);
        json!({
            "point": cell.point,
            "values": object(grid.chain(paired(cell.pair))),
            "sets": cell.sets,
            "mean_utilization": rounded(share(cell.utilization, u128::from(cell.sets) * u128::from(GRID))),
            "tests": tests.collect::<Vec<_>>(),
            "breakdown": spec.asked.breakdown.then(|| json!({"unknown": cell.breakdown.0, "least": least, "most": most})),
            "min_area": spec.asked.min_area.then(|| areas(1)),
            "min_area_low": spec.asked.min_area.then(|| areas(0)),
        })
    };
    let weighted = weighted(spec, curves).into_iter().map(|sum| {
        let tests = curves.tests.iter().zip(&sum.shares).map(|(test, found)| {
            let [least, most] = weighted_ends(&sum, found).map(rounded);
            json!({"test": test, "least": least, "most": most})
        });
        let values = object(sum.values.iter().copied().chain(paired(sum.pair)));
        json!({"values": values, "tests": tests.collect::<Vec<_>>()})
    });
    let pairs = curves.pairs.iter().map(|pair| {
        let [first, second] =
            [pair.pairs.0, pair.pairs.1].map(|pair| named(&spec.paired, &spec.values_of_pair(pair)));
        json!({
            "test": curves.tests[pair.test], "first": first, "second": second,
            "only_first": pair.only.0, "only_second": pair.only.1, "unknown": pair.unknown,
            "p": format_rounded(&mcnemar(pair.only.0, pair.only.1), 12),
        })
    });
    json!({
        "schema": SCHEMA,
        "specification": spec.canonical(),
        "specification_sha256": spec.sha256(),
        "sets": curves.cells.iter().map(|cell| cell.sets).sum::<u64>() / spec.pairs().max(1),
        "points": spec.points(),
        "level": "0.95",
        "cells": curves.cells.iter().map(cell).collect::<Vec<_>>(),
        "weighted": weighted.collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
    })
}

/// Writes the page: pictures, tables, the specification, and how to repeat it.
///
/// # Errors
///
/// When `out` fails.
pub fn write_page(
    title: &str,
    spec: &Spec,
    curves: &Curves,
    origin: &Origin,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let charts = charts(spec, curves);
    let pictures: Vec<String> = charts.iter().take(MOST_PICTURES).map(draw_lines).collect();
    let mut origin = origin.clone();
    if charts.len() > MOST_PICTURES {
        let left_out = charts.len() - MOST_PICTURES;
        origin.notes.push(format!("{left_out} more pictures are left out; the table has all figures."));
    }
    write_sweep(title, &document(spec, curves), &pictures, &origin, out)
}

#[cfg(test)]
mod tests;
