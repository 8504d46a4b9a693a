//! Which names of a report are the usual resources of an FPGA family.
//!
//! Amounts are those that the device's data sheet counts. Yosys counts cells before packing: logic that later shares
//! a LUT, and LUTs that memory takes, are known only to nextpnr. A carry cell of the ECP5 takes two LUTs and an ALU of Gowin's
//! takes one; that of the iCE40 takes none.

use crate::report::Report;
use isx_exact::quantity::Rational;
use num_traits::Zero;

/// The stages of OpenROAD's flow, in order.
pub(crate) const STAGES: &[&str] = &[
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

/// The area of the standard cells; that of all instances may count the fill too.
const AREA: &str = "design__instance__area__stdcell";

/// The reports of a tool about a family.
struct Family {
    tool: &'static str,
    resources: &'static [Resource],
}

/// The names of a resource, and which names of a report count as how many halves of it; `*` ends a name that is only a
/// beginning.
type Resource = (&'static [&'static str], &'static [(&'static str, u32)]);

const LUT: &[&str] = &["LUT", "LUT4", "LC"];
const LUT6: &[&str] = &["LUT", "LUT6"];
const LE: &[&str] = &["LUT", "LE", "LC"];
const FF: &[&str] = &["FF", "DFF"];
const DSP: &[&str] = &["DSP", "MULT18"];
const BRAM: &[&str] = &["BRAM", "RAM", "EBR", "BSRAM"];
const RAMB36: &[&str] = &["BRAM", "RAM", "RAMB36"];

/// Of several families that fit a report, the one that knows the most of its names counts.
const FAMILIES: &[Family] = &[
    // iCE40
    Family {
        tool: "Yosys",
        resources: &[
            (LUT, &[("SB_LUT4", 2)]),
            (FF, &[("SB_DFF*", 2)]),
            (&["DSP", "MAC16"], &[("SB_MAC16", 2)]),
            (&["BRAM", "RAM", "EBR", "RAM4K"], &[("SB_RAM40_4K*", 2)]),
            (&["SPRAM"], &[("SB_SPRAM256KA", 2)]),
        ],
    },
    // ECP5
    Family {
        tool: "Yosys",
        resources: &[
            (LUT, &[("LUT4", 2), ("CCU2C", 4)]),
            (FF, &[("TRELLIS_FF", 2)]),
            (DSP, &[("MULT18X18D", 2), ("MULT9X9D", 1)]),
            (BRAM, &[("DP16KD", 2), ("PDPW16KD", 2)]),
        ],
    },
    // Xilinx
    Family {
        tool: "Yosys",
        resources: &[
            (LUT6, &[("LUT1", 2), ("LUT2", 2), ("LUT3", 2), ("LUT4", 2), ("LUT5", 2), ("LUT6", 2)]),
            (FF, &[("FDRE*", 2), ("FDSE*", 2), ("FDCE*", 2), ("FDPE*", 2)]),
            (&["DSP", "DSP48E1"], &[("DSP48E1", 2), ("DSP48E2", 2)]),
            (RAMB36, &[("RAMB36E1", 2), ("RAMB36E2", 2), ("RAMB18E1", 1), ("RAMB18E2", 1)]),
        ],
    },
    // Gowin
    Family {
        tool: "Yosys",
        resources: &[
            (LUT, &[("LUT1", 2), ("LUT2", 2), ("LUT3", 2), ("LUT4", 2), ("ALU", 2)]),
            (FF, &[("DFF*", 2)]),
            (DSP, &[("MULT9X9", 1), ("MULT18X18", 2), ("MULT36X36", 8)]),
            (
                BRAM,
                &[("SP", 2), ("SPX9", 2), ("SDPB", 2), ("SDPX9B", 2), ("DPB", 2), ("DPX9B", 2), ("pROM*", 2)],
            ),
        ],
    },
    // iCE40: a logic cell is a LUT, a flip-flop, or both.
    Family {
        tool: "nextpnr",
        resources: &[
            (LUT, &[("ICESTORM_LC", 2)]),
            (&["DSP", "MAC16"], &[("ICESTORM_DSP", 2)]),
            (&["BRAM", "RAM", "EBR", "RAM4K"], &[("ICESTORM_RAM", 2)]),
            (&["SPRAM"], &[("ICESTORM_SPRAM", 2)]),
        ],
    },
    // ECP5
    Family {
        tool: "nextpnr",
        resources: &[
            (LUT, &[("TRELLIS_COMB", 2)]),
            (FF, &[("TRELLIS_FF", 2)]),
            (DSP, &[("MULT18X18D", 2)]),
            (BRAM, &[("DP16KD", 2)]),
        ],
    },
    // Gowin
    Family {
        tool: "nextpnr",
        resources: &[
            (LUT, &[("LUT4", 2)]),
            (FF, &[("DFF", 2)]),
            (DSP, &[("MULT18X18", 2)]),
            (BRAM, &[("BSRAM", 2)]),
        ],
    },
    Family {
        tool: "Vivado",
        resources: &[
            (LUT6, &[("Slice LUTs", 2), ("CLB LUTs", 2)]),
            (FF, &[("Slice Registers", 2), ("CLB Registers", 2)]),
            (&["DSP", "DSP48E1"], &[("DSPs", 2)]),
            (RAMB36, &[("Block RAM Tile", 2)]),
            (&["URAM"], &[("URAM", 2)]),
        ],
    },
    // The report by instances.
    Family {
        tool: "Vivado",
        resources: &[
            (LUT6, &[("Total LUTs", 2)]),
            (FF, &[("FFs", 2)]),
            (&["DSP", "DSP48E1"], &[("DSP48 Blocks", 2), ("DSP Blocks", 2)]),
            (RAMB36, &[("RAMB36", 2), ("RAMB18", 1)]),
            (&["URAM"], &[("URAM", 2)]),
        ],
    },
    // Logic elements
    Family {
        tool: "Quartus",
        resources: &[
            (LE, &[("Total logic elements", 2)]),
            (FF, &[("Total registers", 2)]),
            (&["BRAM", "RAM", "M9K"], &[("M9Ks", 2)]),
            (&["MULT9"], &[("Embedded Multiplier 9-bit elements", 2)]),
            (DSP, &[("Embedded Multiplier 9-bit elements", 1)]),
        ],
    },
    // Adaptive logic modules
    Family {
        tool: "Quartus",
        resources: &[
            (&["LUT", "ALUT"], &[("Combinational ALUTs", 2)]),
            (&["ALM"], &[("Logic utilization (in ALMs)", 2)]),
            (FF, &[("Dedicated Logic Registers", 2)]),
            (&["BRAM", "RAM", "M10K", "M20K"], &[("M10Ks", 2), ("M20Ks", 2)]),
            (&["DSP"], &[("DSP Blocks", 2)]),
        ],
    },
    Family {
        tool: "edalize",
        resources: &[
            (LUT, &[("lut", 2)]),
            (FF, &[("reg", 2)]),
            (BRAM, &[("blkmem", 2)]),
            (&["DSP"], &[("dsp", 2)]),
        ],
    },
];

/// The amount of a usual resource (`LUT`, `FF`, `DSP`, `BRAM`, .., or `area` where the report has one); `None` if the
/// report does not say it. Yosys lists only cells that are there, so the others of its family are 0.
///
/// ```
/// use isx_import::reports::{read, usual};
/// let stat = br#"{"creator": "Yosys", "modules": {}, "design": {"num_cells_by_type": {"SB_LUT4": 9, "SB_DFFE": 2, "SB_DFF": 1}}}"#;
/// let report = read("stat.json", stat)?;
/// let amount = |resource: &str| usual(&report, resource).map(|amount| amount.to_string());
/// assert_eq!([amount("LUT"), amount("FF"), amount("DSP")], [Some("9".into()), Some("3".into()), Some("0".into())]);
/// assert_eq!(amount("ALM"), None);
/// # Ok::<(), isx_import::Refusal>(())
/// ```
pub fn usual(report: &Report, resource: &str) -> Option<Rational> {
    if resource.eq_ignore_ascii_case("area") {
        return openroad_area(report).or_else(|| report.amounts.get("area").cloned());
    }
    let mut best: Option<(&Family, usize)> = None;
    for family in FAMILIES.iter().filter(|family| family.tool == report.tool) {
        let known = report.amounts.keys().filter(|name| family.knows(name)).count();
        if known > best.map_or(0, |(_, most)| most) {
            best = Some((family, known));
        }
    }
    let is_asked = |names: &&[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(resource));
    let family = best?.0;
    let (_, counted) = family.resources.iter().find(|(names, _)| is_asked(names))?;
    let mut halves = Rational::zero();
    let mut is_said = family.tool == "Yosys";
    for (name, amount) in &report.amounts {
        if let Some((_, weight)) = counted.iter().find(|(pattern, _)| matches(pattern, name)) {
            halves += amount * Rational::from_integer((*weight).into());
            is_said = true;
        }
    }
    is_said.then(|| halves / Rational::from_integer(2.into()))
}

impl Family {
    fn knows(&self, name: &str) -> bool {
        self.resources.iter().any(|(_, counted)| counted.iter().any(|(pattern, _)| matches(pattern, name)))
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |beginning| name.starts_with(beginning))
}

/// The area of the standard cells, of the earliest stage: later ones count what the flow added, fill at last.
fn openroad_area(report: &Report) -> Option<Rational> {
    let stages = STAGES.iter().map(|stage| format!("{stage}__{AREA}"));
    stages.chain([AREA.to_owned()]).find_map(|name| report.amounts.get(&name).cloned())
}
