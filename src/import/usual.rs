//! The usual resources (LUT, FF, DSP, BRAM ..) of a report, and the family that its names show.

use crate::report::Report;
use crate::reports::families::{FAMILIES, Family};
use isx_exact::quantity::Rational;
use isx_taskset::Diagnostic;
use num_traits::Zero;

/// The usual name of the area of standard cells.
pub(crate) const AREA: &str = "area";

/// The amount of a usual resource (`LUT`, `FF`, `DSP`, `BRAM`, .., or `area` where the report has one); `None` if the
/// report does not say it. Yosys lists only cells that are there, so the others of its family are 0.
///
/// # Errors
///
/// If a row that counts is damaged, with its place.
///
/// ```
/// use isx_import::reports::{read, usual};
/// let stat = br#"{"creator": "Yosys", "modules": {}, "design": {"num_cells_by_type": {"SB_LUT4": 9, "SB_DFFE": 2, "SB_DFF": 1}}}"#;
/// let report = read("stat.json", stat)?;
/// let amount = |resource: &str| usual(&report, resource).map(|amount| amount.map(|amount| amount.to_string()));
/// assert_eq!([amount("LUT")?, amount("FF")?, amount("DSP")?], [Some("9".into()), Some("3".into()), Some("0".into())]);
/// assert_eq!(amount("ALM")?, None);
/// # Ok::<(), isx_import::Refusal>(())
/// ```
pub fn usual(report: &Report, resource: &str) -> Result<Option<Rational>, Box<Diagnostic>> {
    if resource.eq_ignore_ascii_case(AREA) {
        return report.row(AREA);
    }
    let rows = fitting(report).into_iter().flat_map(|family| family.resources);
    for (_, counted) in rows.filter(|(names, _)| is_among(names, resource)) {
        if let Some(amount) = sum(report, counted)? {
            return Ok(Some(amount));
        }
    }
    Ok(None)
}

/// Whether a name is that of a usual resource, which is never a cell of this name.
pub fn is_usual(resource: &str) -> bool {
    let mut all = FAMILIES.iter().flat_map(|family| family.resources);
    resource.eq_ignore_ascii_case(AREA) || all.any(|(names, _)| is_among(names, resource))
}

/// The families that the names of the report may be of; none if they are of several, or of no known one.
pub(crate) fn families(report: &Report) -> Vec<String> {
    let mut names: Vec<String> = fitting(report).into_iter().map(|family| family.name.to_owned()).collect();
    names.dedup();
    if names.iter().any(String::is_empty) { Vec::new() } else { names }
}

fn is_among(names: &[&str], resource: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(resource))
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
    fn knows(&self, name: &str) -> bool {
        let mut counted = self.resources.iter().flat_map(|(_, counted)| counted.iter());
        counted.any(|(pattern, _)| matches(pattern, name))
            || self.marks.iter().any(|mark| matches(mark, name))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::families::family_of;
    use isx_taskset::devices;

    /// What limits a device is never a cell of that name, whatever the report.
    #[test]
    fn every_name_of_a_resource_of_a_known_device_is_usual_for_each_tool_of_its_family() {
        let mut seen = 0;
        for device in devices() {
            let family = family_of(device.name).unwrap_or_else(|| panic!("{}", device.name));
            let is_of = |known: &&Family| match known.tool {
                "Quartus" => family.starts_with("Cyclone"),
                "nextpnr" => false,
                _ => known.name == family,
            };
            for known in FAMILIES.iter().filter(is_of) {
                for (names, _) in device.resources() {
                    for name in names {
                        let mut counted = known.resources.iter();
                        assert!(counted.any(|(names, _)| is_among(names, name)), "{name} of {}", device.name);
                        assert!(is_usual(name));
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 200, "{seen}");
        assert!(!is_usual("SB_LUT4") && is_usual("lut4"));
    }

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, name, is_it) in [
            ("SB_DFF*", "SB_DFFESR", true),
            ("SB_DFF*", "SB_LUT4", false),
            ("*_ASAP7_*", "AND2x2_ASAP7_75t_R", true),
            ("EFX_*RAM_5K", "EFX_DPRAM_5K", true),
            ("EFX_*RAM_5K", "EFX_RAM_5K", true),
            ("EFX_*RAM_5K", "EFX_RAM_10K", false),
            ("LUT4", "LUT4_1", false),
        ] {
            assert_eq!(matches(pattern, name), is_it, "{pattern} {name}");
        }
    }

    #[test]
    fn parts_and_devices_show_their_family() {
        for (part, family) in [
            ("xc7a35ticsg324-1L", "Xilinx 7 series"),
            ("7z020clg484-1", "Xilinx 7 series"),
            ("xczu7ev-ffvc1156-2-e", "Xilinx UltraScale"),
            ("xcu250-figd2104-2L-e", "Xilinx UltraScale"),
            ("xck26-sfvc784-2LV-c", "Xilinx UltraScale"),
            ("xcku040-ffva1156-2-e", "Xilinx UltraScale"),
            ("xcvu9p-flga2104-2L-e", "Xilinx UltraScale"),
            ("xcv80", "Versal"),
            ("xcvc1902-vsva2197-2MP-e-S", "Versal"),
            ("LFE5U-25F", "ECP5"),
            ("GW1NR-9", "Gowin"),
            ("MAX 10", "Cyclone III, IV, 10 LP or MAX 10"),
        ] {
            assert_eq!(family_of(part), Some(family), "{part}");
        }
        assert_eq!(family_of("Stratix V"), None);
        assert_eq!(family_of("Cyclone II"), None);
    }
}
