//! The pictures of a sweep: what is found against one axis of the grid, a line per combination of the other values.

use super::figures::{mean_breakdown, named, weighted, weighted_ends};
use crate::curves::{Cell, Curves, Share};
use crate::spec::{Axis, Spec};
use crate::statistics::wilson;
use isx_exact::quantity::approx;
use isx_pages::plot::chart::{Line, LineChart, MAX_NAMES, Panel};

/// Lines over an axis: points with an interval each, where there is a figure.
type Points = Vec<(f64, f64, Option<(f64, f64)>)>;

/// The charts, if an axis of the grid has several numbers: the utilization, else the first such axis.
pub fn charts(spec: &Spec, curves: &Curves) -> Vec<LineChart> {
    let Some(x) = horizontal(spec.grid(), &|axis| axis.key == "utilization")
        .or_else(|| horizontal(spec.grid(), &|_| true))
    else {
        return Vec::new();
    };
    let picture = Picture { spec, x };
    let mut charts = Vec::new();
    let sets = format!("{} sets per point", spec.sets_per_point);
    let lines = picture.lines(curves);
    let ratio = |test: usize, (name, cells): &(String, Vec<&Cell>)| {
        let point = |cell: &&Cell| {
            let Share { accepted, unknown, .. } = cell.shares[test];
            let share = accepted as f64 / cell.sets.max(1) as f64;
            let band = (wilson(accepted, cell.sets).0, wilson(accepted + unknown, cell.sets).1);
            Some((picture.at(cell), share, Some(band)))
        };
        (name.clone(), cells.iter().filter_map(point).collect::<Points>())
    };
    let subtitle = format!("{sets}; bands: intervals at 95 %");
    if let [alone] = lines.as_slice() {
        let of_test = |test: usize| (curves.tests[test].clone(), ratio(test, alone).1);
        let all = (0..curves.tests.len()).map(of_test).collect();
        picture.add(&mut charts, "Acceptance ratio", &subtitle, "Share of schedulable sets", all);
    } else {
        for (test, name) in curves.tests.iter().enumerate() {
            let all = lines.iter().map(|line| ratio(test, line)).collect();
            let title = format!("Acceptance ratio, {name}");
            picture.add(&mut charts, &title, &subtitle, "Share of schedulable sets", all);
        }
    }
    if spec.asked.min_area {
        let point = |cell: &&Cell| {
            let [low, middle, high] =
                cell.areas.each_ref().map(|ends| ends.each_ref().map(|area| area.as_ref().map(approx)));
            Some((picture.at(cell), middle[1]?, low[0].zip(high[1])))
        };
        let all = lines.iter().map(|(name, cells)| (name.clone(), cells.iter().filter_map(point).collect()));
        let subtitle = format!("{sets}; bands: 10 to 90 % of the sets");
        picture.add(&mut charts, "Least area, median", &subtitle, "Area", all.collect());
    }
    if spec.asked.breakdown {
        let point = |cell: &&Cell| {
            let [least, most] = mean_breakdown(cell).map(|end| end.as_ref().map(approx));
            let (least, most) = (least?, most?);
            Some((picture.at(cell), least.midpoint(most), (cell.breakdown.0 > 0).then_some((least, most))))
        };
        let all = lines.iter().map(|(name, cells)| (name.clone(), cells.iter().filter_map(point).collect()));
        picture.add(&mut charts, "Breakdown utilization, mean", &sets, "Utilization", all.collect());
    }
    charts.extend(weighted_charts(spec, curves));
    charts
}

/// Weighted schedulability against an axis besides the utilization.
fn weighted_charts(spec: &Spec, curves: &Curves) -> Vec<LineChart> {
    let mut charts = Vec::new();
    let Some(x) = horizontal(spec.grid(), &|axis| axis.key != "utilization") else { return charts };
    let picture = Picture { spec, x };
    let key = &spec.grid()[x].key;
    let sums = weighted(spec, curves);
    for (test, name) in curves.tests.iter().enumerate() {
        let mut lines: Vec<(String, Points)> = Vec::new();
        for sum in &sums {
            let others = sum.values.iter().filter(|(other, _)| other != key);
            let others = others.map(|(key, value)| format!("{key}={value}"));
            let paired = named(&spec.paired, &spec.values_of_pair(sum.pair));
            let words: Vec<String> = others.chain([paired]).filter(|words| !words.is_empty()).collect();
            let at =
                sum.values.iter().find(|(other, _)| other == key).and_then(|(_, text)| text.parse().ok());
            let ends = weighted_ends(sum, &sum.shares[test]).map(|end| end.as_ref().map(approx));
            let (Some(at), [Some(least), Some(most)]) = (at, ends) else { continue };
            let point = (at, least, (least < most).then_some((least, most)));
            let words = if words.is_empty() { name.clone() } else { words.join(", ") };
            match lines.iter_mut().find(|(other, _)| *other == words) {
                Some((_, points)) => points.push(point),
                None => lines.push((words, vec![point])),
            }
        }
        let title = format!("Weighted schedulability, {name}");
        picture.add(&mut charts, &title, "over all utilizations", "sum(U S) / sum(U)", lines);
    }
    charts
}

/// The first axis of several numbers that is wanted.
fn horizontal(axes: &[Axis], is_wanted: &dyn Fn(&Axis) -> bool) -> Option<usize> {
    axes.iter().position(|axis| is_wanted(axis) && axis.values.len() > 1 && axis.numbers().is_some())
}

/// What stands against the axis number `x` of the grid.
struct Picture<'a> {
    spec: &'a Spec,
    x: usize,
}

impl Picture<'_> {
    /// Where a cell stands.
    fn at(&self, cell: &Cell) -> f64 {
        self.spec.values_at(cell.point)[self.x].parse().unwrap_or(0.0)
    }

    /// The cells by the values of all other axes, in words.
    fn lines<'c>(&self, curves: &'c Curves) -> Vec<(String, Vec<&'c Cell>)> {
        let mut lines: Vec<(String, Vec<&Cell>)> = Vec::new();
        for cell in &curves.cells {
            let values = self.spec.values_at(cell.point);
            let axes = self.spec.grid().iter().zip(values).enumerate().filter(|(at, _)| *at != self.x);
            let axes = axes
                .map(|(_, pair)| pair)
                .chain(self.spec.paired.iter().zip(self.spec.values_of_pair(cell.pair)));
            let (axes, values): (Vec<Axis>, Vec<&str>) = axes
                .filter(|(axis, _)| axis.values.len() > 1)
                .map(|(axis, value)| (axis.clone(), value))
                .unzip();
            let words = named(&axes, &values);
            let words = if words.is_empty() { "all sets".to_owned() } else { words };
            match lines.iter_mut().find(|(other, _)| *other == words) {
                Some((_, cells)) => cells.push(cell),
                None => lines.push((words, vec![cell])),
            }
        }
        lines
    }

    /// Adds a chart of these lines, or several if there are more than it has colors.
    fn add(
        &self,
        charts: &mut Vec<LineChart>,
        title: &str,
        subtitle: &str,
        y: &str,
        lines: Vec<(String, Points)>,
    ) {
        let line = |(name, mut points): (String, Points)| {
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            let band: Option<Vec<(f64, f64)>> = points.iter().map(|point| point.2).collect();
            let points = points.into_iter().map(|(x, y, _)| (x, y)).collect();
            Line { name, note: String::new(), points, band: band.unwrap_or_default() }
        };
        let lines: Vec<Line> = lines.into_iter().filter(|(_, points)| !points.is_empty()).map(line).collect();
        let parts = lines.len().div_ceil(MAX_NAMES);
        for (number, lines) in lines.chunks(MAX_NAMES).enumerate() {
            let title =
                if parts > 1 { format!("{title} ({} of {parts})", number + 1) } else { title.to_owned() };
            let panel = Panel { x: self.spec.grid()[self.x].key.clone(), lines: lines.to_vec() };
            charts.extend(LineChart::linear(title, subtitle.to_owned(), y.to_owned(), vec![panel]));
        }
    }
}
