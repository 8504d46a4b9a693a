//! OpenROAD: METRICS2.1, a flat JSON object of `STAGE__metric`.
//!
//! ```json
//! {"synth__design__instance__area__stdcell": 2591.25966, "finish__timing__fmax__clock:core_clock": 1.91e9}
//! ```
//!
//! Metrics of the design are amounts. Frequencies, in hertz, are those of the last stage that has them;
//! `timing__fmax` without a clock is that of the fastest clock, so it is not read. Metrics that were not measured are
//! texts ("N/A").

use super::content::{Content, Reader, name_place};
use crate::json::bytes;
use crate::refusal::Refusal;
use crate::report::Report;
use crate::usual::STAGES;
use isx_exact::quantity::Rational;
use jsonc_parser::ast::Value;
use std::collections::BTreeMap;

const CLOCK: &str = "timing__fmax__clock:";

pub(super) const READER: Reader = Reader {
    name: "OpenROAD",
    what: "OpenROAD's METRICS2.1 as JSON",
    recognizes: |content| {
        let mut names = content.properties().iter().map(|property| property.name.as_str());
        names.any(|name| name.starts_with("run__flow__") || is_of_design(name) || name.contains(CLOCK))
    },
    read,
};

fn is_of_design(name: &str) -> bool {
    name.starts_with("design__instance__") || name.contains("__design__")
}

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), Refusal> {
    let mut by_stage: BTreeMap<usize, BTreeMap<String, Rational>> = BTreeMap::new();
    for metric in content.properties() {
        let name = metric.name.as_str();
        if !matches!(metric.value, Value::NumberLit(_)) {
            continue;
        }
        if is_of_design(name) {
            let amount = content.amount(&metric.value, name)?;
            content.put(&mut report.amounts, name, amount, name_place(metric))?;
        } else if let Some((stage, clock)) = name.split_once(CLOCK) {
            let hertz = content.amount(&metric.value, name)?;
            let hertz = content.figure("", bytes(&metric.value), name).above_zero(hertz)?;
            let stage = stage.trim_end_matches('_');
            let place = STAGES.iter().position(|known| *known == stage).unwrap_or(0);
            content.put(by_stage.entry(place).or_default(), clock, hertz, name_place(metric))?;
        }
    }
    for clocks in by_stage.into_values() {
        report.clocks.extend(clocks);
    }
    if report.amounts.is_empty() && report.clocks.is_empty() {
        return Err(content.lacks("metrics of a design", "`metadata.json` of the flow has them"));
    }
    Ok(())
}
