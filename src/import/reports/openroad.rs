//! OpenROAD: METRICS2.1, a flat JSON object of `STAGE__metric`, or OpenLane's CSV of `metric,value`.
//!
//! ```json
//! {"floorplan__design__instance__area__stdcell": 2591.25966, "finish__timing__fmax__clock:core_clock": 1.91e9}
//! ```
//!
//! Metrics of the design are amounts. `area` is that of the standard cells, of the earliest stage that tells them from
//! macros and pads: later ones count what the flow added, fill at last, and `synth` has Yosys's area of the whole chip
//! under that name. Frequencies, in hertz, are those of the last stage that has them; `timing__fmax` without a clock is
//! that of the fastest clock, so it is not read. Metrics that were not measured are texts ("N/A").

use super::content::{Content, Kind, Reader};
use crate::figures::{Found, error};
use crate::json::bytes;
use crate::refusal::Refusal;
use crate::report::Report;
use crate::table::{cells, lines};
use crate::usual::AREA;
use isx_exact::quantity::Rational;
use isx_taskset::printable;
use jsonc_parser::ast::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

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

pub(super) const READER: Reader = Reader {
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
            return Kind::report_if(head.trim().eq_ignore_ascii_case("metric,value"));
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

/// A metric: its name and its number as written, each with its place.
struct Metric<'t> {
    name: Cow<'t, str>,
    name_place: Range<usize>,
    value: Cow<'t, str>,
    place: Range<usize>,
}

/// The metrics that were measured.
fn metrics<'c>(content: &'c Content<'_>) -> Found<Vec<Metric<'c>>> {
    let Some(text) = content.text() else {
        let metric = |property: &'c jsonc_parser::ast::ObjectProp<'_>| match &property.value {
            Value::NumberLit(number) => Some(Metric {
                name: Cow::Borrowed(property.name.as_str()),
                name_place: bytes(&property.name),
                value: Cow::Borrowed(number.value),
                place: bytes(&property.value),
            }),
            _ => None,
        };
        return Ok(content.properties().iter().filter_map(metric).collect());
    };
    let mut all = Vec::new();
    for (start, line) in lines(text, 0).skip(1) {
        let mut cells = cells(content.source, start, line, ',')?.into_iter();
        if let (Some(name), Some(value)) = (cells.next(), cells.next())
            && value.text.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        {
            all.push(Metric {
                name: name.text,
                name_place: name.place,
                value: value.text,
                place: value.place,
            });
        }
    }
    Ok(all)
}

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), Refusal> {
    let mut by_stage: BTreeMap<usize, BTreeMap<String, Rational>> = BTreeMap::new();
    let mut at_synth = None;
    for Metric { name, name_place, value, place } in metrics(content)? {
        let figure = content.figure(&value, place, &name);
        if is_of_design(&name) {
            if name.strip_suffix(CELLS).is_some_and(|stage| stage == "synth__") {
                at_synth = Some(name_place.clone());
            }
            content.put(&mut report.amounts, &name, figure.not_negative()?, name_place)?;
        } else if let Some((stage, clock)) = name.split_once(CLOCK) {
            let hertz = figure.above_zero(figure.not_negative()?)?;
            let stage = stage.trim_end_matches('_');
            let place = STAGES.iter().position(|known| *known == stage).unwrap_or(0);
            content.put(by_stage.entry(place).or_default(), clock, hertz, name_place)?;
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
