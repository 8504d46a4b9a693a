//! The resources of some FPGAs: the limits of task sets that name a device.
//!
//! The figures are those of the documents named beside them; most were compared with what open place-and-route
//! tools and reports of Quartus and Vivado in public repositories print for the same devices. A vendor's amount is what
//! it sells: an iCE40HX4K has the die of an HX8K, and open tools fill all 7680 of its logic cells.
//!
//! A resource goes by several names, since tools count the same thing under their own ones: a logic cell of an iCE40 is a
//! LUT with a flip-flop, so a set that counts LUT, LC or FF fits it. The first name is the vendor's.

use crate::diagnostics::shortened;
use isx_exact::quantity::Rational;
use num_bigint::BigInt;

/// A device with the amounts of its resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// The vendor's name, without package and speed grade.
    pub name: &'static str,
    /// Other names under which it is found.
    pub also: &'static [&'static str],
    /// The names of each resource, the vendor's first.
    resources: Names,
    /// How many there are of each.
    amounts: &'static [u64],
    /// The document with the figures.
    pub source: &'static str,
}

type Names = &'static [&'static [&'static str]];

const ICE40: Names =
    &[&["LC", "LUT", "LUT4"], &["FF", "DFF"], &["RAM", "EBR", "BRAM", "RAM4K"], &["DSP", "MAC16"]];
const ICE40_ULTRA_PLUS: Names = &[
    &["LC", "LUT", "LUT4"],
    &["FF", "DFF"],
    &["RAM", "EBR", "BRAM", "RAM4K"],
    &["DSP", "MAC16"],
    &["SPRAM"],
];
const ECP5: Names =
    &[&["LUT", "LUT4", "LC"], &["FF", "DFF"], &["EBR", "BRAM", "RAM", "DP16KD"], &["DSP", "MULT18"]];
/// BRAM counts tiles of 36 kbit; half a tile is a RAMB18.
const ARTIX7: Names =
    &[&["LUT", "LUT6"], &["FF"], &["BRAM", "RAMB36", "RAM"], &["RAMB18"], &["DSP", "DSP48E1"]];
/// Quartus counts multipliers of 9 bits, two of which make one of 18 bits.
const CYCLONE: Names =
    &[&["LE", "LC", "LUT"], &["FF"], &["M9K", "BRAM", "RAM"], &["MULT18", "DSP"], &["MULT9"]];
const GOWIN: Names = &[&["LUT", "LUT4", "LC"], &["FF", "DFF"], &["BSRAM", "BRAM", "RAM"], &["MULT18", "DSP"]];

const ICE40_LP_HX_SOURCE: &str = "\
    Lattice FPGA-DS-02029, iCE40 LP/HX Family Data Sheet, table \"iCE40 Family Selection Guide\"";
const ICE40_UP_SOURCE: &str = "\
    Lattice FPGA-DS-02008, iCE40 UltraPlus Family Data Sheet, table \"iCE40 UltraPlus Family Selection \
    Guide\"";
const ECP5_SOURCE: &str = "\
    Lattice FPGA-DS-02012, ECP5 and ECP5-5G Family Data Sheet, table \"ECP5 and ECP5-5G Family Selection \
    Guide\"; exact LUTs as nextpnr-ecp5 reports them";
const ARTIX7_SOURCE: &str = "\
    Xilinx DS180, 7 Series FPGAs Data Sheet: Overview, table \"Artix-7 FPGA Feature Summary by Device\"";
const CYCLONE_IV_SOURCE: &str = "\
    Altera CYIV-51001, Cyclone IV FPGA Device Family Overview, table \"Resources for the Cyclone IV E \
    Device Family\"";
const C10_SOURCE: &str = "Intel C10LP51001, Cyclone 10 LP Device Overview, table \"Maximum Resources\"";
const MAX10_SOURCE: &str = "\
    Intel M10-OVERVIEW, MAX 10 FPGA Device Overview, table \"Maximum Resource Counts\"; exact logic \
    elements as Quartus Prime reports them";
const GW1N_SOURCE: &str = "Gowin DS100, GW1N series of FPGA Products Data Sheet, table \"Product Resources\"";

const fn device(
    name: &'static str,
    also: &'static [&'static str],
    resources: Names,
    amounts: &'static [u64],
    source: &'static str,
) -> Device {
    Device { name, also, resources, amounts, source }
}

const DEVICES: &[Device] = &[
    device("iCE40LP384", &[], ICE40, &[384, 384, 0, 0], ICE40_LP_HX_SOURCE),
    device("iCE40LP1K", &["LP1K"], ICE40, &[1_280, 1_280, 16, 0], ICE40_LP_HX_SOURCE),
    device("iCE40LP4K", &["LP4K"], ICE40, &[3_520, 3_520, 20, 0], ICE40_LP_HX_SOURCE),
    device("iCE40LP8K", &["LP8K"], ICE40, &[7_680, 7_680, 32, 0], ICE40_LP_HX_SOURCE),
    device("iCE40HX1K", &["HX1K"], ICE40, &[1_280, 1_280, 16, 0], ICE40_LP_HX_SOURCE),
    device("iCE40HX4K", &["HX4K"], ICE40, &[3_520, 3_520, 20, 0], ICE40_LP_HX_SOURCE),
    device("iCE40HX8K", &["HX8K"], ICE40, &[7_680, 7_680, 32, 0], ICE40_LP_HX_SOURCE),
    device("iCE40UP3K", &["UP3K"], ICE40_ULTRA_PLUS, &[2_800, 2_800, 20, 4, 4], ICE40_UP_SOURCE),
    device("iCE40UP5K", &["UP5K"], ICE40_ULTRA_PLUS, &[5_280, 5_280, 30, 8, 4], ICE40_UP_SOURCE),
    device("LFE5U-25F", &["LFE5U-25", "ECP5-25F"], ECP5, &[24_288, 24_288, 56, 28], ECP5_SOURCE),
    device("LFE5U-45F", &["LFE5U-45", "ECP5-45F"], ECP5, &[43_848, 43_848, 108, 72], ECP5_SOURCE),
    device("LFE5U-85F", &["LFE5U-85", "ECP5-85F"], ECP5, &[83_640, 83_640, 208, 156], ECP5_SOURCE),
    device("XC7A15T", &["A15T"], ARTIX7, &[10_400, 20_800, 25, 50, 45], ARTIX7_SOURCE),
    device("XC7A35T", &["A35T"], ARTIX7, &[20_800, 41_600, 50, 100, 90], ARTIX7_SOURCE),
    device("XC7A50T", &["A50T"], ARTIX7, &[32_600, 65_200, 75, 150, 120], ARTIX7_SOURCE),
    device("XC7A100T", &["A100T"], ARTIX7, &[63_400, 126_800, 135, 270, 240], ARTIX7_SOURCE),
    device("EP4CE6", &[], CYCLONE, &[6_272, 6_272, 30, 15, 30], CYCLONE_IV_SOURCE),
    device("EP4CE10", &[], CYCLONE, &[10_320, 10_320, 46, 23, 46], CYCLONE_IV_SOURCE),
    device("EP4CE15", &[], CYCLONE, &[15_408, 15_408, 56, 56, 112], CYCLONE_IV_SOURCE),
    device("EP4CE22", &[], CYCLONE, &[22_320, 22_320, 66, 66, 132], CYCLONE_IV_SOURCE),
    device("10CL006", &[], CYCLONE, &[6_272, 6_272, 30, 15, 30], C10_SOURCE),
    device("10CL010", &[], CYCLONE, &[10_320, 10_320, 46, 23, 46], C10_SOURCE),
    device("10CL016", &[], CYCLONE, &[15_408, 15_408, 56, 56, 112], C10_SOURCE),
    device("10CL025", &[], CYCLONE, &[24_624, 24_624, 66, 66, 132], C10_SOURCE),
    device("10M08", &[], CYCLONE, &[8_064, 8_064, 42, 24, 48], MAX10_SOURCE),
    device("10M50", &[], CYCLONE, &[49_760, 49_760, 182, 144, 288], MAX10_SOURCE),
    device("GW1N-1", &[], GOWIN, &[1_152, 864, 4, 0], GW1N_SOURCE),
    device("GW1N-4", &["GW1NR-4", "GW1NSR-4C"], GOWIN, &[4_608, 3_456, 10, 16], GW1N_SOURCE),
    device("GW1N-9", &["GW1NR-9"], GOWIN, &[8_640, 6_480, 26, 20], GW1N_SOURCE),
];

/// How many devices are named in place of an unknown one.
const NEAREST: usize = 4;

const ICE40_CELLS: &[&str] =
    &["logic cell of a 4-input LUT", "flip-flop", "4-kbit RAM", "16-bit multiplier", "256-kbit RAM"];
const CYCLONE_CELLS: &[&str] =
    &["logic element of a 4-input LUT", "flip-flop", "9-kbit RAM", "18-bit multiplier", "9-bit multiplier"];

/// How the names of devices of a family begin, its name, and what one of each of its resources is. Figures of a device carry
/// over to others of the same cells.
const FAMILIES: &[(&str, &str, &[&str])] = &[
    ("iCE40UP", "iCE40 UltraPlus", ICE40_CELLS),
    ("iCE40", "iCE40 LP/HX", ICE40_CELLS),
    (
        "LFE5U",
        "ECP5",
        &["4-input LUT with wide multiplexers", "flip-flop", "18-kbit RAM", "18-bit multiplier"],
    ),
    (
        "XC7A",
        "Artix-7",
        &["6-input LUT", "flip-flop", "36-kbit RAM", "18-kbit RAM", "multiplier of 25 by 18 bits"],
    ),
    ("EP4CE", "Cyclone IV E", CYCLONE_CELLS),
    ("10CL", "Cyclone 10 LP", CYCLONE_CELLS),
    ("10M", "MAX 10", CYCLONE_CELLS),
    ("GW1N", "GW1N", &["4-input LUT", "flip-flop", "18-kbit RAM", "18-bit multiplier"]),
];

/// All known devices, a family after the other, each from the smallest.
///
/// ```
/// let most = isx_taskset::devices().iter().max_by_key(|device| device.amount("LUT"));
/// assert_eq!(most.map(|device| device.name), Some("LFE5U-85F"));
/// ```
pub fn devices() -> &'static [Device] {
    DEVICES
}

impl Device {
    /// The device of this name, in upper or lower case.
    ///
    /// ```
    /// use isx_taskset::Device;
    /// let device = Device::named("ice40up5k").unwrap();
    /// assert_eq!((device.amount("LC"), device.amount("LUT"), device.amount("URAM")), (Some(5280), Some(5280), None));
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        DEVICES.iter().find(|device| device.names().any(|other| other.eq_ignore_ascii_case(name)))
    }

    /// The known names nearest to an unknown one, in words: those that begin like it and differ in few letters.
    pub fn near(name: &str) -> String {
        let name: String = name.chars().take(40).collect::<String>().to_lowercase();
        let distance = |known: &&str| {
            let known = known.to_lowercase();
            let same = known.chars().zip(name.chars()).take_while(|(one, other)| one == other).count();
            (strsim::osa_distance(&name, &known) as i64) - same as i64
        };
        let mut names: Vec<&str> = DEVICES.iter().map(|device| device.name).collect();
        names.sort_by_cached_key(distance);
        names.truncate(NEAREST);
        format!("the nearest of {} known are {}", DEVICES.len(), names.join(", "))
    }

    /// All its names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.also.iter().copied())
    }

    /// The family: devices of the same cells and of one speed.
    pub fn family(&self) -> &'static str {
        self.in_family().map_or("", |(_, name, _)| name)
    }

    fn in_family(&self) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
        FAMILIES.iter().find(|(beginning, ..)| self.name.starts_with(beginning))
    }

    /// What one of a resource is: `18-kbit RAM`; `None` if it has none.
    fn cell(&self, resource: &str) -> Option<&'static str> {
        self.in_family()?.2.get(self.position(resource).filter(|at| self.amounts[*at] > 0)?).copied()
    }

    /// Its resources: the names of each, the vendor's first, and how many there are.
    pub fn resources(&self) -> impl Iterator<Item = (&'static [&'static str], u64)> {
        self.resources.iter().copied().zip(self.amounts.iter().copied())
    }

    /// How much it has of a resource, named in upper or lower case; `None` if it has no resource of this name.
    pub fn amount(&self, resource: &str) -> Option<u64> {
        self.position(resource).and_then(|at| self.amounts.get(at).copied())
    }

    fn position(&self, resource: &str) -> Option<usize> {
        let is_it = |names: &&[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(resource));
        self.resources.iter().position(is_it)
    }

    /// How much it has of every one of these resources, or the first that it lacks.
    pub(crate) fn amounts<'n>(&self, names: &'n [String]) -> Result<Vec<Rational>, &'n str> {
        let amount = |name: &'n String| {
            let amount = self.amount(name).ok_or(name.as_str())?;
            Ok(Rational::from(BigInt::from(amount)))
        };
        names.iter().map(amount).collect()
    }

    /// Its resources in words: `5280 LC (or LUT, LUT4), 8 DSP`.
    pub fn in_words(&self) -> String {
        let one = |(names, amount): (&[&str], u64)| match names {
            [name, others @ ..] if !others.is_empty() => {
                format!("{amount} {name} (or {})", others.join(", "))
            }
            names => format!("{amount} {}", names.concat()),
        };
        self.resources().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// What the figures of one device do not mean on another, by their names, for these resources and, with `clock`, for clocks;
/// `None` if they carry over. A device that is not known is alike only to itself.
///
/// ```
/// use isx_taskset::not_carried_over;
///
/// let names = ["LUT".to_owned(), "FF".to_owned(), "BRAM".to_owned()];
/// let differs = not_carried_over("LFE5U-25F", "UP5K", &names, false);
/// let wanted = "figures of ECP5 do not carry over to iCE40 UltraPlus: LUT (4-input LUT with wide multiplexers against logic \
///               cell of a 4-input LUT), BRAM (18-kbit RAM against 4-kbit RAM)";
/// assert_eq!(differs.as_deref(), Some(wanted));
/// assert_eq!(not_carried_over("LFE5U-25F", "LFE5U-85F", &names, true), None);
/// ```
pub fn not_carried_over(from: &str, to: &str, resources: &[String], clock: bool) -> Option<String> {
    if from.eq_ignore_ascii_case(to) {
        return None;
    }
    let (Some(own), Some(other)) = (Device::named(from), Device::named(to)) else {
        return Some(format!(
            "figures of {} need not carry over to {}: of one of them the family is not known",
            shortened(from),
            shortened(to)
        ));
    };
    let differs = |resource: &String| {
        let (here, there) = (own.cell(resource)?, other.cell(resource)?);
        (here != there).then(|| format!("{resource} ({here} against {there})"))
    };
    let (family, others) = (own.family(), other.family());
    let clocks = (clock && family != others).then(|| "clocks".to_owned());
    let all: Vec<String> = resources.iter().filter_map(differs).chain(clocks).collect();
    (!all.is_empty())
        .then(|| format!("figures of {family} do not carry over to {others}: {}", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_every_resource_has_an_amount() {
        let mut names = HashSet::new();
        assert!(devices().len() >= 15);
        for device in devices() {
            assert!(device.names().all(|name| names.insert(name.to_lowercase())), "{device:?}");
            assert_eq!(device.resources.len(), device.amounts.len(), "{device:?}");
            assert!(device.in_family().is_some_and(|(.., cells)| cells.len() >= device.resources.len()));
            let all: Vec<&str> = device.resources.iter().flat_map(|names| names.iter().copied()).collect();
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{device:?}");
            assert!(device.names().all(|name| Device::named(name) == Some(device)));
        }
    }

    /// Sets that count the usual four resources fit every device.
    #[test]
    fn every_device_has_lut_ff_bram_and_dsp() {
        for device in devices() {
            for resource in ["LUT", "FF", "BRAM", "DSP"] {
                assert!(device.amount(resource).is_some(), "{resource} of {device:?}");
            }
            assert!(device.amount("lut") > Some(0));
        }
        let a35t = Device::named("a35t").unwrap();
        assert_eq!(
            a35t.in_words(),
            "20800 LUT (or LUT6), 41600 FF, 50 BRAM (or RAMB36, RAM), 100 RAMB18, 90 DSP (or DSP48E1)"
        );
    }
}
