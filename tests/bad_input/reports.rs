//! Reports of synthesis tools and runs: `NAME.figures` holds all that is read from a good one, `NAME.message` the whole
//! message for a damaged one.
//!
//! `ISX_WRITE_MESSAGES=1` rewrites both; review the difference before you commit it.

use crate::import_mutations::mutated;
use crate::imports::{compare, compare_beside, files_of};
use isx::import::reports::{READERS, Report, is_usual, read, usual};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reports").join(name)
}

fn name(file: &Path) -> &str {
    file.file_name().unwrap().to_str().unwrap()
}

/// All that a report says, a line each, and which of it is usual.
fn shown(report: &Report) -> String {
    let mut text = format!("{}\n", report.tool);
    for (kind, words) in [("family", report.families.join(" or ")), ("part", report.part.clone())] {
        if !words.is_empty() {
            let _ = writeln!(text, "{kind} {words}");
        }
    }
    for (kind, figures) in
        [("amount", &report.amounts), ("hertz", &report.clocks), ("figure", &report.figures)]
    {
        for (name, value) in figures {
            let _ = writeln!(text, "{kind} {name}: {value}");
        }
    }
    for resource in ["LUT", "FF", "DSP", "BRAM", "RAMB18", "URAM", "LE", "ALM", "area"] {
        if let Some(amount) = usual(report, resource).unwrap() {
            let _ = writeln!(text, "usual {resource}: {amount}");
        }
    }
    text
}

#[test]
fn every_report_is_read_exactly() {
    let mut tools = BTreeSet::new();
    for file in files_of(&folder("")) {
        let report =
            read(name(&file), &std::fs::read(&file).unwrap()).unwrap_or_else(|error| panic!("{error}"));
        compare_beside(&file, "figures", &shown(&report));
        tools.insert(report.tool);
    }
    assert_eq!(tools, READERS.iter().map(|reader| reader.name).collect());
}

/// What limits a device is counted in every report for it, and never a cell of that name.
#[test]
fn every_name_of_a_resource_of_a_known_device_is_usual_for_the_tools_of_its_family() {
    let mut seen = 0;
    for (devices, file) in [
        ("iCE40", "yosys-ice40.json"),
        ("LFE5U", "yosys-ecp5.json"),
        ("XC7A", "yosys-xilinx.json"),
        ("XC7A", "vivado.rpt"),
        ("XC7A", "vivado-instances.rpt"),
        ("EP4CE", "quartus-elements.fit.rpt"),
        ("10", "quartus-elements.fit.rpt"),
        ("GW1N", "yosys-gowin.json"),
    ] {
        let report = read(file, &std::fs::read(folder(file)).unwrap()).unwrap();
        let known = isx::taskset::devices().iter().filter(|device| device.name.starts_with(devices));
        for name in known.flat_map(|device| device.resources()).flat_map(|(names, _)| names) {
            assert!(is_usual(name) && usual(&report, name).unwrap().is_some(), "{name} in {file}");
            seen += 1;
        }
    }
    assert!(seen > 200 && !is_usual("SB_LUT4"), "{seen}");
}

#[test]
fn every_damaged_report_is_refused_where_it_is_damaged() {
    let files = files_of(&folder("damaged"));
    let mut placed = 0;
    for file in &files {
        let name = name(file);
        let refusal = match read(name, &std::fs::read(file).unwrap()) {
            // A damaged row is an error for those who ask for it.
            Ok(report) => match report.unread.into_values().next() {
                Some(refused) => isx::import::Refusal::from(refused),
                None => panic!("{name} was read"),
            },
            Err(error) => error.into(),
        };
        compare(file, &refusal);
        if let Some(first) = refusal.error.diagnostics().first() {
            let (line, column) = first.position();
            assert!(refusal.to_string().contains(&format!("--> {name}:{line}:{column}")), "{refusal}");
            placed += 1;
        }
    }
    assert!(files.len() >= 44 && placed >= 44, "{placed} of {} have a place", files.len());
}

#[test]
fn a_hundred_reports_are_read_at_once() {
    let files = files_of(&folder(""));
    let texts: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    let begun = std::time::Instant::now();
    for (file, text) in files.iter().zip(&texts).cycle().take(100) {
        assert!(read(name(file), text).is_ok());
    }
    let taken = begun.elapsed();
    println!("100 reports in {taken:?}");
    assert!(taken.as_millis() < 100, "{taken:?}");
}

#[test]
fn no_mutated_report_makes_a_reader_panic() {
    mutated("reports", 3_000, |text| match read("mutant", text) {
        Ok(_) => Ok(()),
        Err(error) => Err(!error.diagnostics().is_empty()),
    });
}
