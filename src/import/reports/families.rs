//! The FPGA families as data: by which names a report of each tool shows the family and counts its usual resources.
//!
//! Amounts are those that the device's data sheet counts. Yosys counts cells before packing: logic that later shares
//! a LUT, and LUTs that memory takes, are known only to nextpnr. A carry cell of the ECP5 takes two LUTs and an ALU of
//! Gowin's takes one; that of the iCE40 takes none.

/// The reports of a tool about a family.
pub struct Family {
    pub tool: &'static str,
    /// The family in words; empty if the names are those of several.
    pub name: &'static str,
    /// Of several rows for one resource the first that a report has counts.
    pub resources: &'static [Resource],
    /// Further names that show the family.
    pub marks: &'static [&'static str],
}

/// The names of a resource, and which names of a report count as how many halves of it. `*` stands for any beginning
/// or end of a name. A name that counts 0 is hardware of another size: where there is some, no single number counts both.
pub type Resource = (&'static [&'static str], &'static [(&'static str, u32)]);

const ICE40: &str = "iCE40";
const ECP5: &str = "ECP5";
const MACHXO2: &str = "MachXO2";
const NEXUS: &str = "Nexus";
const GOWIN: &str = "Gowin";
const SERIES7: &str = "Xilinx 7 series";
const ULTRASCALE: &str = "Xilinx UltraScale";
const VERSAL: &str = "Versal";
const CYCLONE3: &str = "Cyclone III, IV, 10 LP or MAX 10";
const CYCLONE5: &str = "Cyclone V";

const LUT: &[&str] = &["LUT", "LUT4", "LC"];
const LUT6: &[&str] = &["LUT", "LUT6"];
const LE: &[&str] = &["LUT", "LE", "LC"];
const ALUT: &[&str] = &["LUT", "ALUT"];
const ALM: &[&str] = &["ALM"];
const FF: &[&str] = &["FF", "DFF"];
const DSP: &[&str] = &["DSP", "MULT18"];
const DSP48: &[&str] = &["DSP", "DSP48E1"];
const MAC16: &[&str] = &["DSP", "MAC16"];
const MULT9: &[&str] = &["MULT9"];
const RAM4K: &[&str] = &["BRAM", "RAM", "EBR", "RAM4K"];
const BRAM: &[&str] = &["BRAM", "RAM", "EBR", "BSRAM"];
const DP16KD: &[&str] = &["BRAM", "RAM", "EBR", "DP16KD"];
const RAMB36: &[&str] = &["BRAM", "RAM", "RAMB36"];
const RAMB18: &[&str] = &["RAMB18"];
const URAM: &[&str] = &["URAM"];
const M4K: &[&str] = &["BRAM", "RAM", "M4K"];
const M9K: &[&str] = &["BRAM", "RAM", "M9K"];
const M10K: &[&str] = &["BRAM", "RAM", "M10K"];
const M20K: &[&str] = &["BRAM", "RAM", "M20K"];

/// LUTs of Xilinx as Yosys has them, and what counts as their flip-flops and memory.
const LUT1_TO_6: Resource =
    (LUT6, &[("LUT1", 2), ("LUT2", 2), ("LUT3", 2), ("LUT4", 2), ("LUT5", 2), ("LUT6", 2)]);
const FDRE: Resource = (&["FF"], &[("FDRE*", 2), ("FDSE*", 2), ("FDCE*", 2), ("FDPE*", 2)]);
/// Tiles of block RAM in Vivado's tables of sites.
const TILES: Resource = (RAMB36, &[("Block RAM Tile", 2)]);
const HALF_TILES: Resource = (RAMB18, &[("Block RAM Tile", 4)]);

const fn family(
    tool: &'static str,
    name: &'static str,
    resources: &'static [Resource],
    marks: &'static [&'static str],
) -> Family {
    Family { tool, name, resources, marks }
}

/// Of several families that fit a report, those that know the most of its names count.
pub const FAMILIES: &[Family] = &[
    family(
        "Yosys",
        ICE40,
        &[
            (LUT, &[("SB_LUT4", 2)]),
            (FF, &[("SB_DFF*", 2)]),
            (MAC16, &[("SB_MAC16", 2)]),
            (RAM4K, &[("SB_RAM40_4K*", 2)]),
            (&["SPRAM"], &[("SB_SPRAM256KA", 2)]),
        ],
        &["SB_CARRY", "SB_GB", "SB_IO", "SB_PLL*"],
    ),
    family(
        "Yosys",
        ECP5,
        &[
            (LUT, &[("LUT4", 2), ("CCU2C", 4)]),
            (FF, &[("TRELLIS_FF", 2)]),
            (DSP, &[("MULT18X18D", 2), ("MULT9X9D", 1)]),
            (DP16KD, &[("DP16KD", 2), ("PDPW16KD", 2)]),
        ],
        &["TRELLIS_DPR16X4", "EHXPLLL", "ALU54B"],
    ),
    family(
        "Yosys",
        MACHXO2,
        &[
            (LUT, &[("LUT4", 2), ("CCU2D", 4)]),
            (FF, &[("TRELLIS_FF", 2)]),
            (BRAM, &[("DP8KC", 2), ("PDPW8KC", 2), ("SP8KC", 2)]),
        ],
        &["EHXPLLJ", "OSCH"],
    ),
    family(
        "Yosys",
        NEXUS,
        &[
            (LUT, &[("LUT4", 2), ("CCU2", 4), ("WIDEFN9", 4)]),
            (FF, &[("FD1P3*", 2)]),
            (DSP, &[("MULT18X18", 2), ("MULT9X9", 1)]),
            (BRAM, &[("DP16K", 2), ("PDP16K", 2), ("PDPSC16K", 2), ("SP16K", 2)]),
        ],
        &["DPR16X4", "OSCA"],
    ),
    family(
        "Yosys",
        SERIES7,
        &[
            LUT1_TO_6,
            FDRE,
            (DSP48, &[("DSP48E1", 2)]),
            (RAMB36, &[("RAMB36E1", 2), ("RAMB18E1", 1)]),
            (RAMB18, &[("RAMB36E1", 4), ("RAMB18E1", 2)]),
        ],
        &["CARRY4"],
    ),
    family(
        "Yosys",
        ULTRASCALE,
        &[
            LUT1_TO_6,
            FDRE,
            (DSP48, &[("DSP48E2", 2)]),
            (RAMB36, &[("RAMB36E2", 2), ("RAMB18E2", 1)]),
            (RAMB18, &[("RAMB36E2", 4), ("RAMB18E2", 2)]),
            (URAM, &[("URAM288*", 2)]),
        ],
        &["CARRY8"],
    ),
    family(
        "Yosys",
        GOWIN,
        &[
            (LUT, &[("LUT1", 2), ("LUT2", 2), ("LUT3", 2), ("LUT4", 2), ("ALU", 2)]),
            (FF, &[("DFF*", 2)]),
            (DSP, &[("MULT9X9", 1), ("MULT18X18", 2), ("MULT36X36", 8)]),
            (
                BRAM,
                &[("SP", 2), ("SPX9", 2), ("SDPB", 2), ("SDPX9B", 2), ("DPB", 2), ("DPX9B", 2), ("pROM*", 2)],
            ),
        ],
        &["MUX2_LUT*", "RAM16SDP*"],
    ),
    family(
        "Yosys",
        CYCLONE5,
        &[
            (ALUT, &[("MISTRAL_ALUT*", 2)]),
            (FF, &[("MISTRAL_FF", 2)]),
            (M10K, &[("MISTRAL_M10K", 2)]),
            (&["DSP"], &[("MISTRAL_MUL*", 2)]),
        ],
        &["MISTRAL_*"],
    ),
    family(
        "Yosys",
        "Trion or Titanium",
        &[
            (LUT, &[("EFX_LUT4", 2), ("EFX_ADD", 2)]),
            (FF, &[("EFX_FF", 2)]),
            (&["DSP"], &[("EFX_MULT", 2)]),
            (&["BRAM", "RAM"], &[("EFX_*RAM_5K", 2)]),
        ],
        &["EFX_*"],
    ),
    family(
        "Yosys",
        "PolarFire",
        &[
            (LUT, &[("CFG1", 2), ("CFG2", 2), ("CFG3", 2), ("CFG4", 2), ("ARI1", 2)]),
            (FF, &[("SLE", 2)]),
            (&["DSP"], &[("MACC_PA*", 2)]),
            (&["BRAM", "RAM"], &[("RAM1K20", 2)]),
        ],
        &["CLKBUF", "CLKINT", "RAM64x12"],
    ),
    family("Yosys", "GateMate", &[(FF, &[("CC_DFF", 2)])], &["CC_*"]),
    family("Yosys", "SKY130", &[], &["sky130_*"]),
    family("Yosys", "GF180MCU", &[], &["gf180mcu_*"]),
    family("Yosys", "IHP SG13G2", &[], &["sg13g2_*"]),
    family("Yosys", "ASAP7", &[], &["*_ASAP7_*"]),
    // A logic cell is a LUT, a flip-flop, or both.
    family(
        "nextpnr",
        ICE40,
        &[
            (LUT, &[("ICESTORM_LC", 2)]),
            (MAC16, &[("ICESTORM_DSP", 2)]),
            (RAM4K, &[("ICESTORM_RAM", 2)]),
            (&["SPRAM"], &[("ICESTORM_SPRAM", 2)]),
        ],
        &["ICESTORM_*", "SB_*"],
    ),
    family(
        "nextpnr",
        ECP5,
        &[
            (LUT, &[("TRELLIS_COMB", 2)]),
            (FF, &[("TRELLIS_FF", 2)]),
            (DSP, &[("MULT18X18D", 2)]),
            (DP16KD, &[("DP16KD", 2)]),
        ],
        &["ALU54B", "EHXPLLL", "DCCA"],
    ),
    family(
        "nextpnr",
        MACHXO2,
        &[(LUT, &[("TRELLIS_COMB", 2)]), (FF, &[("TRELLIS_FF", 2)]), (BRAM, &[("DP8KC", 2)])],
        &["EHXPLLJ", "DCCA", "OSCH"],
    ),
    family(
        "nextpnr",
        NEXUS,
        &[
            (LUT, &[("OXIDE_COMB", 2)]),
            (FF, &[("OXIDE_FF", 2)]),
            (DSP, &[("MULT18_CORE", 2)]),
            (BRAM, &[("OXIDE_EBR", 2)]),
        ],
        &["OXIDE_*"],
    ),
    // An ALU takes the place of a LUT; older versions count slices of a LUT and a flip-flop.
    family(
        "nextpnr",
        GOWIN,
        &[
            (LUT, &[("LUT4", 2), ("ALU", 2)]),
            (LUT, &[("SLICE", 2)]),
            (FF, &[("DFF", 2)]),
            (DSP, &[("MULT18X18", 2)]),
            (BRAM, &[("BSRAM", 2)]),
        ],
        &["MUX2_LUT*", "RAM16SDP4", "RAMW", "GSR"],
    ),
    // A LUT that is split in two counts twice.
    family(
        "nextpnr",
        SERIES7,
        &[
            (LUT6, &[("SLICE_LUTX", 2)]),
            (&["FF"], &[("SLICE_FFX", 2)]),
            (DSP48, &[("DSP48E1*", 2)]),
            (RAMB36, &[("RAMB36E1*", 2), ("RAMBFIFO36E1*", 2), ("RAMB18E1*", 1)]),
            (RAMB18, &[("RAMB36E1*", 4), ("RAMBFIFO36E1*", 4), ("RAMB18E1*", 2)]),
        ],
        &["CARRY4", "BUFGCTRL"],
    ),
    family(
        "nextpnr",
        CYCLONE5,
        &[(ALUT, &[("MISTRAL_COMB", 2)]), (FF, &[("MISTRAL_FF", 2)]), (M10K, &[("MISTRAL_M10K", 2)])],
        &["MISTRAL_*"],
    ),
    family("nextpnr", "GateMate", &[(FF, &[("CPE_FF", 2)])], &["CPE_*"]),
    family(
        "Vivado",
        SERIES7,
        &[
            (LUT6, &[("Slice LUTs", 2)]),
            (&["FF"], &[("Slice Registers", 2)]),
            (DSP48, &[("DSPs", 2)]),
            TILES,
            HALF_TILES,
        ],
        &[],
    ),
    family(
        "Vivado",
        ULTRASCALE,
        &[
            (LUT6, &[("CLB LUTs", 2)]),
            (&["FF"], &[("CLB Registers", 2)]),
            (DSP48, &[("DSPs", 2)]),
            TILES,
            HALF_TILES,
            (URAM, &[("URAM", 2)]),
        ],
        &[],
    ),
    family(
        "Vivado",
        VERSAL,
        &[
            (LUT6, &[("CLB LUTs", 2)]),
            (&["FF"], &[("Registers", 2)]),
            (&["FF"], &[("CLB Registers", 2)]),
            (DSP48, &[("DSP Slices", 2)]),
            TILES,
            HALF_TILES,
            (URAM, &[("URAM", 2)]),
        ],
        &["DSP58", "DSP58 only"],
    ),
    // The report by instances.
    family(
        "Vivado",
        "",
        &[
            (LUT6, &[("Total LUTs", 2)]),
            (&["FF"], &[("FFs", 2)]),
            (DSP48, &[("DSP48 Blocks", 2), ("DSP Blocks", 2), ("DSP Slices", 2), ("DSPs", 2)]),
            (RAMB36, &[("RAMB36", 2), ("RAMB18", 1)]),
            (RAMB18, &[("RAMB36", 4), ("RAMB18", 2)]),
            (URAM, &[("URAM", 2)]),
        ],
        &["Logic LUTs", "LUTRAMs", "SRLs"],
    ),
    // Logic elements of 4 inputs, or adaptive logic modules. Memory of one size counts, unless there is some of another.
    family(
        "Quartus",
        "",
        &[
            (LE, &[("Total logic elements", 2)]),
            (LE, &[("Logic Cells", 2)]),
            (ALUT, &[("Combinational ALUTs", 2)]),
            (ALUT, &[("Combinational ALUT usage for logic", 2)]),
            (ALM, &[("Logic utilization (in ALMs)", 2)]),
            (ALM, &[("ALMs needed [=A-B+C]", 2)]),
            (FF, &[("Total registers", 2)]),
            (FF, &[("Dedicated Logic Registers", 2)]),
            (FF, &[("Total dedicated logic registers", 2)]),
            (FF, &[("Dedicated logic registers", 2)]),
            (M4K, &[("M4Ks", 2), ("M512s", 0), ("M-RAMs", 0)]),
            (M4K, &[("M4K blocks", 2), ("M512 blocks", 0), ("M-RAM blocks", 0)]),
            (M9K, &[("M9Ks", 2), ("M144Ks", 0)]),
            (M9K, &[("M9K blocks", 2), ("M144K blocks", 0)]),
            (M10K, &[("M10Ks", 2)]),
            (M10K, &[("M10K blocks", 2)]),
            (M20K, &[("M20Ks", 2)]),
            (M20K, &[("M20K blocks", 2)]),
            (&["M512"], &[("M512s", 2)]),
            (&["MRAM"], &[("M-RAMs", 2)]),
            (&["M144K"], &[("M144Ks", 2)]),
            (&["MLAB"], &[("MLABs", 2)]),
            (MULT9, &[("Embedded Multiplier 9-bit elements", 2)]),
            (MULT9, &[("DSP block 9-bit elements", 2)]),
            (DSP, &[("Embedded Multiplier 9-bit elements", 1)]),
            (DSP, &[("DSP block 9-bit elements", 1)]),
            (DSP, &[("DSP block 18-bit elements", 2)]),
            (&["DSP"], &[("Total DSP Blocks", 2)]),
            (&["DSP"], &[("DSP Blocks needed [=A-B]", 2)]),
            (&["DSP"], &[("DSP Blocks", 2)]),
        ],
        &[],
    ),
    family(
        "edalize",
        "",
        &[(LUT, &[("lut", 2)]), (FF, &[("reg", 2)]), (BRAM, &[("blkmem", 2)]), (&["DSP"], &[("dsp", 2)])],
        &[],
    ),
];

/// How the names of parts begin in lower case, without the `xc`, `xa` or `xq` of Xilinx's, and their families. Figures of
/// the families of one line are comparable.
const PARTS: &[(&str, &[&str])] = &[
    (ICE40, &["ice40"]),
    (ECP5, &["lfe5u", "ecp5", "lae5u"]),
    (MACHXO2, &["lcmxo2", "lcmxo3", "machxo2", "machxo3"]),
    (NEXUS, &["lifcl", "lfd2nx", "lfcpnx", "lfmxo5", "ut24c"]),
    (GOWIN, &["gw"]),
    (SERIES7, &["7a", "7k", "7v", "7z", "7s"]),
    (ULTRASCALE, &["ku", "vu", "zu", "au", "u2", "u5", "u3", "k2", "ck2", "su"]),
    (VERSAL, &["vc", "ve", "vh", "vm", "vp", "vr", "v2", "v8"]),
    (
        CYCLONE3,
        &[
            "ep3c",
            "ep4c",
            "10cl",
            "10m",
            "cyclone iii",
            "cyclone iii ls",
            "cyclone iv e",
            "cyclone iv gx",
            "cyclone 10 lp",
            "max 10",
        ],
    ),
    (CYCLONE5, &["5c", "cyclone v"]),
    ("GateMate", &["ccgm1"]),
];

/// The family of a part, or of the family that Quartus names, as [`Family::name`].
pub fn family_of(part: &str) -> Option<&'static str> {
    let part = part.trim().to_lowercase();
    let bare = ["xc", "xa", "xq"].iter().find_map(|mark| part.strip_prefix(mark)).unwrap_or(&part);
    let is_it = |beginning: &&str| match beginning.contains(' ') {
        true => bare == *beginning,
        false => bare.starts_with(beginning),
    };
    PARTS.iter().find(|(_, beginnings)| beginnings.iter().any(is_it)).map(|(family, _)| *family)
}
