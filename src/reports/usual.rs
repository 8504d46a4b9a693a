//! The usual resources (LUT, FF, DSP, BRAM ..) of a report, and the family that its names show.

use crate::families::{FAMILIES, Family, Resource};
use crate::report::{AREA, Report};
use isx_exact::quantity::Rational;
use isx_text::Diagnostic;
use num_traits::Zero;

/// The amount of a usual resource (`LUT`, `FF`, `DSP`, `BRAM`, .., or `area` where the report has one); `None` if the
/// report does not say it. Yosys lists only cells that are there, so the others of its family are 0.
/// Fails if a row that counts is damaged, with its place.
///
/// ```
/// use isx_reports::{read, usual};
/// let stat = br#"{"creator": "Yosys", "modules": {}, "design": {"num_cells_by_type": {"SB_LUT4": 9, "SB_DFFE": 2, "SB_DFF": 1}}}"#;
/// let report = read("stat.json", stat)?;
/// let amount = |resource: &str| usual(&report, resource).map(|amount| amount.map(|amount| amount.to_string()));
/// assert_eq!([amount("LUT")?, amount("FF")?, amount("DSP")?], [Some("9".into()), Some("3".into()), Some("0".into())]);
/// assert_eq!(amount("ALM")?, None);
/// # Ok::<(), isx_text::ReadError>(())
/// ```
pub fn usual(report: &Report, resource: &str) -> Result<Option<Rational>, Box<Diagnostic>> {
    if resource.eq_ignore_ascii_case(AREA) {
        return report.row(AREA);
    }
    let rows = fitting(report).into_iter().flat_map(|family| &family.resources);
    for row in rows.filter(|row| row.is(resource)) {
        if let Some(amount) = sum(report, &row.counted)? {
            return Ok(Some(amount));
        }
    }
    Ok(None)
}

/// Whether a name is that of a usual resource, which is never a cell of this name.
pub fn is_usual(resource: &str) -> bool {
    let mut all = FAMILIES.iter().flat_map(|family| &family.resources);
    resource.eq_ignore_ascii_case(AREA) || all.any(|row| row.is(resource))
}

/// The families that the names of the report may be of; none if they are of several, or of no known one.
pub fn families(report: &Report) -> Vec<String> {
    let mut names: Vec<String> = fitting(report).into_iter().map(|family| family.name.to_owned()).collect();
    names.dedup();
    if names.iter().any(String::is_empty) { Vec::new() } else { names }
}

/// The names of the report, those that count as usual resources first.
pub fn names(report: &Report) -> Vec<&str> {
    let fitting = fitting(report);
    let mut names: Vec<&str> = report.names().collect();
    names.sort_by_key(|name| !fitting.iter().any(|family| family.counts(name)));
    names
}

/// The sum of what counts as a resource.
fn sum(report: &Report, counted: &[(&str, u32)]) -> Result<Option<Rational>, Box<Diagnostic>> {
    let mut halves = Rational::zero();
    let mut is_said = report.tool == "Yosys";
    for name in report.names() {
        let Some((_, weight)) = counted.iter().find(|(pattern, _)| matches(pattern, name)) else { continue };
        let amount = report.row(name)?.unwrap_or_else(Rational::zero);
        if *weight == 0 && !amount.is_zero() {
            return Ok(None);
        }
        halves += amount * Rational::from_integer((*weight).into());
        is_said |= *weight > 0;
    }
    Ok(is_said.then(|| halves / Rational::from_integer(2.into())))
}

/// The families that know the most names of the report.
fn fitting(report: &Report) -> Vec<&'static Family> {
    let known = |family: &Family| report.names().filter(|name| family.knows(name)).count();
    let of_tool = || FAMILIES.iter().filter(|family| family.tool == report.tool);
    let most = of_tool().map(known).max().unwrap_or(0);
    of_tool().filter(|family| most > 0 && known(family) == most).collect()
}

impl Family {
    fn counts(&self, name: &str) -> bool {
        let mut counted = self.resources.iter().flat_map(|row| &row.counted);
        counted.any(|(pattern, _)| matches(pattern, name))
    }

    fn knows(&self, name: &str) -> bool {
        self.counts(name) || self.marks.iter().any(|mark| matches(mark, name))
    }
}

impl Resource {
    fn is(&self, name: &str) -> bool {
        self.names.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Whether a name is the pattern, of which each `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((beginning, rest)) => name.strip_prefix(beginning).is_some_and(|name| {
            rest.is_empty() || name.char_indices().any(|(at, _)| matches(rest, &name[at..]))
        }),
    }
}
