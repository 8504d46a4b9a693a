//! A chart of named lines, schema `isx.chart/1`: measurements of a script, for `isx plot` to draw.
//!
//! ```json
//! {
//!   "schema": "isx.chart/1", "title": "Time against size", "subtitle": "one machine", "y": "seconds",
//!   "panels": [
//!     {"x": "classes m", "lines": [{"name": "list", "note": "slope 1.2", "points": [[2, 0.001], [4, 0.003]]}]}
//!   ]
//! }
//! ```
//!
//! Both axes are logarithmic, so every figure is positive, or with `"linear": true` both are linear, the vertical one from
//! 0; all panels share the vertical axis, and a name has the same color in all of them. `subtitle` and `note` are optional,
//! and so is the `band` of a line: the ends of an interval around each of its points.

use super::PlotError;
use isx_report::text::visible;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::{BufReader, Read};

/// The value of the field `schema`.
pub const SCHEMA: &str = "isx.chart/1";

/// Most panels of a chart.
pub const MAX_PANELS: usize = 4;
/// Most different names of lines: more colors cannot be distinguished.
pub const MAX_NAMES: usize = 6;
/// Most points of a line.
pub const MAX_LINE_POINTS: usize = 1000;

/// Lines in panels side by side.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineChart {
    /// [`SCHEMA`].
    schema: String,
    /// The title.
    pub title: String,
    /// Where and how it was measured.
    #[serde(default)]
    pub subtitle: String,
    /// Title of the vertical axis.
    pub y: String,
    /// Whether the axes are linear instead of logarithmic.
    #[serde(default)]
    pub linear: bool,
    /// From left to right.
    pub panels: Vec<Panel>,
}

/// Lines over one horizontal axis.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Title of the horizontal axis.
    pub x: String,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Its name, the same in every panel.
    pub name: String,
    /// A few words about it, written below the panel.
    #[serde(default)]
    pub note: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The ends of an interval around each point; empty if there are none.
    #[serde(default)]
    pub band: Vec<(f64, f64)>,
}

impl LineChart {
    /// Reads the document and checks that it can be drawn.
    /// Fails if the input cannot be read, is not JSON, has another schema or other fields, exceeds the limits
    /// ([`MAX_PANELS`], [`MAX_NAMES`], [`MAX_LINE_POINTS`]), or contains a figure that is not finite, or on logarithmic
    /// axes not positive.
    pub fn from_json(reader: impl Read) -> Result<Self, PlotError> {
        let of_a_chart = |error| match PlotError::from(error) {
            PlotError::Field(wrong) => PlotError::Chart(wrong),
            error => error,
        };
        let chart: Self = serde_json::from_reader(BufReader::new(reader)).map_err(of_a_chart)?;
        if chart.schema != SCHEMA {
            return Err(PlotError::Schema { found: visible(&chart.schema) });
        }
        match chart.what_is_wrong() {
            Some(wrong) => Err(PlotError::Chart(wrong)),
            None => Ok(chart),
        }
    }

    /// The names of the lines, without duplicates, in order of appearance.
    pub fn names(&self) -> Vec<&str> {
        let (mut seen, mut names) = (BTreeSet::new(), Vec::new());
        for panel in &self.panels {
            let new = panel.lines.iter().map(|line| line.name.as_str()).filter(|name| seen.insert(*name));
            names.extend(new);
        }
        names
    }

    fn what_is_wrong(&self) -> Option<String> {
        if !(1..=MAX_PANELS).contains(&self.panels.len()) {
            return Some(format!("`panels` must be 1 to {MAX_PANELS}, not {}", self.panels.len()));
        }
        let names = self.names().len();
        if names > MAX_NAMES {
            return Some(format!("{names} names of lines are more than {MAX_NAMES} colors"));
        }
        self.panels.iter().find_map(|panel| {
            let mut names = BTreeSet::new();
            if panel.lines.is_empty() || !panel.lines.iter().all(|line| names.insert(line.name.as_str())) {
                return Some(format!(
                    "the panel `{}` must have lines, each of another name",
                    visible(&panel.x)
                ));
            }
            panel.lines.iter().find_map(|line| line.what_is_wrong(self.linear))
        })
    }
}

impl Line {
    fn what_is_wrong(&self, linear: bool) -> Option<String> {
        let name = visible(&self.name);
        if !(1..=MAX_LINE_POINTS).contains(&self.points.len()) {
            return Some(format!("the line `{name}` must have 1 to {MAX_LINE_POINTS} points"));
        }
        // Beyond this range neighboring doubles cannot be distinguished.
        let drawable = |figure: f64| {
            if linear { figure.abs() < 1e300 } else { (1e-300..1e300).contains(&figure) }
        };
        let figures = self.points.iter().chain(&self.band);
        if !figures.clone().all(|&(one, other)| drawable(one) && drawable(other)) {
            let why = if linear { "finite" } else { "positive: its axes are logarithmic" };
            return Some(format!("the line `{name}` has a figure that is not {why}"));
        }
        if !self.band.is_empty() && self.band.len() != self.points.len() {
            return Some(format!("the band of the line `{name}` must have as many entries as its points"));
        }
        let rises = self.points.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (!rises).then(|| format!("the points of the line `{name}` do not go from left to right"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn document() -> Value {
        json!({
            "schema": SCHEMA, "title": "Growth", "y": "seconds",
            "panels": [{"x": "m", "lines": [{"name": "list", "points": [[1, 0.5], [10, 5]]}]}],
        })
    }

    fn read(value: &Value) -> Result<LineChart, PlotError> {
        LineChart::from_json(value.to_string().as_bytes())
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_with_the_reason() {
        let line = |points: Value| json!([{"x": "m", "lines": [{"name": "a", "points": points}]}]);
        let many: Vec<Value> =
            (0..7).map(|at| json!({"name": format!("{at}"), "points": [[1, 1]]})).collect();
        let twice = json!({"name": "a", "points": [[1, 1]]});
        let cases = [
            (json!([]), "`panels` must be 1 to 4, not 0"),
            (line(json!([])), "1 to 1000 points"),
            (line(json!([[0, 1]])), "not positive"),
            (line(json!([[1, -1]])), "not positive"),
            (line(json!([[2, 1], [1, 1]])), "from left to right"),
            (
                json!([{"x": "m", "lines": [{"name": "a", "points": [[1, 1]], "band": [[1, 1], [1, 1]]}]}]),
                "the band of the line `a` must have as many entries as its points",
            ),
            (json!([{"x": "m", "lines": many}]), "7 names of lines"),
            (json!([{"x": "m", "lines": [twice, twice]}]), "another name"),
            (json!([{"x": "m", "lines": [], "z": 1}]), "unknown field `z`"),
        ];
        for (panels, why) in cases {
            let mut value = document();
            value["panels"] = panels;
            let error = read(&value).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        let mut linear = document();
        linear["linear"] = true.into();
        linear["panels"] = line(json!([[0, -1], [2, 0]]));
        assert!(read(&linear).is_ok());
        let mut value = document();
        value["schema"] = "isx.chart/2".into();
        assert!(matches!(read(&value), Err(PlotError::Schema { .. })));
        assert!(matches!(LineChart::from_json("{".as_bytes()), Err(PlotError::NotJson(_))));
    }
}
