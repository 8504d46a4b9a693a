//! OpenROAD: METRICS2.1, a flat JSON object of `STAGE__metric`, or OpenLane's CSV of `metric,value`.
//!
//! ```json
//! {"floorplan__design__instance__area__stdcell": 2591.25966, "finish__timing__fmax__clock:core_clock": 1.91e9}
//! ```
//!
//! Metrics of the design are amounts. `area` is that of the standard cells, of the earliest stage that separates them
//! from macros and pads: later ones count what the flow added, fill at last, and `synth` has Yosys's area of the whole chip
//! under that name. Frequencies, in hertz, are those of the last stage that has them; `timing__fmax` without a clock is
//! that of the fastest clock, so it is not read. Metrics that were not measured are texts ("N/A").

use crate::content::{Content, Kind, Reader};
use crate::json::bytes;
use crate::report::{AREA, Report};
use isx_exact::quantity::Rational;
use isx_text::Found;
use isx_text::ReadError;
use isx_text::cells::{Cell, cells, lines};
use isx_text::figures::error;
use isx_text::printable;
use jsonc_parser::ast::{ObjectProp, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

const CLOCK: &str = "timing__fmax__clock:";

/// The stages of the flow, in order.
const STAGES: &[&str] = &[
    "synth",
    "floorplan",
    "globalplace",
    "detailedplace",
    "placeopt",
    "cts",
    "globalroute",
    "detailedroute",
    "finish",
];

/// The area of the standard cells; that of all instances counts macros, pads and perhaps fill too.
const CELLS: &str = "design__instance__area__stdcell";

pub const READER: Reader = Reader {
    name: "OpenROAD",
    what: "OpenROAD's METRICS2.1 as JSON, OpenLane's as CSV too",
    recognizes: |content| {
        if let Some(text) = content.text() {
            let head = text.lines().next().unwrap_or_default();
            if head.starts_with("design,") && head.contains(",flow_status,") {
                let what = "a table of OpenLane 1, which has no area of standard cells";
                return Kind::other(
                    what,
                    "give Yosys's statistics: `tee -q -o stat.json stat -liberty FILE -json`",
                );
            }
            let has_metrics = head.trim().eq_ignore_ascii_case("metric,value") && text.contains("\ndesign__");
            return Kind::report_if(has_metrics);
        }
        let mut names = content.properties().iter().map(|property| property.name.as_str());
        Kind::report_if(
            names.any(|name| name.starts_with("run__flow__") || is_of_design(name) || name.contains(CLOCK)),
        )
    },
    read,
};

fn is_of_design(name: &str) -> bool {
    name.starts_with("design__instance__") || name.contains("__design__")
}

/// The names and numbers of the metrics that were measured.
fn metrics<'c>(content: &'c Content<'_>) -> Found<Vec<(Cell<'c>, Cell<'c>)>> {
    let Some(text) = content.text() else {
        let metric = |property: &'c ObjectProp<'_>| {
            let Value::NumberLit(number) = &property.value else { return None };
            let name = Cell { text: Cow::Borrowed(property.name.as_str()), place: bytes(&property.name) };
            Some((name, Cell { text: Cow::Borrowed(number.value), place: bytes(number) }))
        };
        return Ok(content.properties().iter().filter_map(metric).collect());
    };
    let mut all = Vec::new();
    for (start, line) in lines(text, 0).skip(1) {
        let mut cells = cells(content.source, start, line, ',')?.into_iter();
        let metric = cells.next().zip(cells.next());
        all.extend(metric.filter(|(_, value)| {
            value.text.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        }));
    }
    Ok(all)
}

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), ReadError> {
    let mut by_stage: BTreeMap<usize, BTreeMap<String, Rational>> = BTreeMap::new();
    let mut at_synth = None;
    for (Cell { text: name, place }, value) in metrics(content)? {
        let figure = content.figure(&value.text, value.place, &name);
        if is_of_design(&name) {
            if name.strip_suffix(CELLS) == Some("synth__") {
                at_synth = Some(place.clone());
            }
            content.put(&mut report.amounts, &name, figure.not_negative()?, place)?;
        } else if let Some((stage, clock)) = name.split_once(CLOCK) {
            let hertz = figure.above_zero(figure.not_negative()?)?;
            let stage = stage.trim_end_matches('_');
            let number = STAGES.iter().position(|known| *known == stage).unwrap_or(0);
            content.put(by_stage.entry(number).or_default(), clock, hertz, place)?;
        }
    }
    for clocks in by_stage.into_values() {
        report.clocks.extend(clocks);
    }
    if report.amounts.is_empty() && report.clocks.is_empty() {
        return Err(content.lacks("metrics of a design", "`metadata.json` of the flow has them"));
    }
    let platform = content.property("run__flow__platform").map(|platform| &platform.value);
    if let Some(Value::StringLit(platform)) = platform {
        report.families.push(printable(&platform.value));
    }
    let names = STAGES.iter().skip(1).map(|stage| format!("{stage}__{CELLS}")).chain([CELLS.to_owned()]);
    if let Some(area) = names.filter_map(|name| report.amounts.get(&name).cloned()).next() {
        report.amounts.insert(AREA.to_owned(), area);
    } else if let Some(place) = at_synth {
        let refused = error(content.source, place, "only the stage `synth` has an area of standard cells")
            .label("Yosys's area of the whole chip, macros and pads included")
            .help(format!(
                "give metrics of the flow from its floorplan on; if there are no macros and pads, name this figure: \
                 `area [synth__{CELLS}]`"
            ));
        report.unread.insert(AREA.to_owned(), refused);
    }
    Ok(())
}
