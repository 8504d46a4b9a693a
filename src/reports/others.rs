//! Reports of unsupported tools, recognized by words near their beginning.

use crate::content::{Content, Kind, Reader};
use crate::report::Report;
use isx_text::ReadError;

/// How many lines at the beginning are looked at.
const BEGINNING: usize = 100;

/// Words, and the tool whose reports have them.
const MARKS: &[(&str, &str)] = &[
    ("PnR Messages", "Gowin's tools"),
    ("Gowin Semiconductor", "Gowin's tools"),
    ("GowinSynthesis", "Gowin's tools"),
    ("Lattice Mapping Report", "Lattice Diamond or Radiant"),
    ("Lattice Place and Route Report", "Lattice Diamond or Radiant"),
    ("Lattice TRACE Report", "Lattice Diamond"),
    ("Lattice Semiconductor", "Lattice's tools"),
    ("PAR: Place And Route", "Lattice Diamond or Radiant"),
    ("[ActiveSupport ", "Lattice Diamond or Radiant"),
    ("Microchip Libero", "Microchip's Libero"),
    ("Microsemi Libero", "Microchip's Libero"),
    ("Libero SoC", "Microchip's Libero"),
    ("Compile Report", "Microchip's Libero"),
    ("Efinity", "Efinix's Efinity"),
    ("Xilinx Mapping Report File", "Xilinx ISE"),
    ("Copyright (c) 1995-", "Xilinx ISE"),
    ("Device utilization summary:", "Xilinx ISE"),
    ("Synplify", "Synplify"),
    ("Synopsys", "Synopsys"),
    ("Report : area", "Design Compiler"),
    ("Genus(TM)", "Cadence Genus"),
    ("Logic Utilization:", "Xilinx ISE"),
    ("OpenROAD ", "OpenROAD, as text"),
];

pub const READER: Reader = Reader {
    name: "another tool",
    what: "reports of other tools",
    recognizes: |content: &Content<'_>| {
        let text = content.text()?;
        let has = |words: &str| text.lines().take(BEGINNING).any(|line| line.contains(words));
        let (_, tool) = MARKS.iter().find(|(words, _)| has(words))?;
        let instead = "isx does not read them: write the amounts into the column of areas or costs of `--choices` and `--blocks`, \
                    those of the design with the hardware less those without it";
        Kind::other(format!("a report of {tool}"), instead)
    },
    read: |_: &Content<'_>, _: &mut Report| -> Result<(), ReadError> { Ok(()) },
};
