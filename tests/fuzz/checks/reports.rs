//! A text that may be a report of a synthesis tool or of a run: it is refused with a place within it and without terminal
//! control characters; or it gives names that can be printed, amounts that are not negative, clocks above 0, and the same
//! with other line endings.

use isx::import::reports::{READERS, Report, read, usual};
use isx::quantity::Rational;

pub fn check(data: &[u8]) {
    let found = read("input", data);
    match &found {
        Ok(report) => sound(report),
        Err(refusal) => {
            let shown = refusal.to_string();
            assert!(!shown.is_empty() && !shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
            for diagnostic in refusal.error.diagnostics() {
                let (line, column) = diagnostic.position();
                // A report in Latin-1 has more bytes as UTF-8.
                assert!(line <= data.len() + 1 && column <= 2 * data.len() + 1 && line >= 1 && column >= 1);
            }
        }
    }
    if !data.contains(&b'\r') {
        let ended: Vec<u8> = data
            .iter()
            .flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] })
            .collect();
        // The name of a figure may hold the end of a line.
        let shown = |report: Option<Report>| format!("{report:?}").replace("\\\\r", "");
        assert_eq!(shown(read("input", &ended).ok()), shown(found.ok()));
    }
}

fn sound(report: &Report) {
    assert!(READERS.iter().any(|reader| reader.name == report.tool));
    let zero = Rational::from_integer(0.into());
    for name in report.amounts.keys().chain(report.clocks.keys()).chain(report.figures.keys()) {
        assert!(!name.chars().any(char::is_control), "{name:?}");
    }
    assert!(report.amounts.values().all(|amount| *amount >= zero));
    assert!(report.clocks.values().all(|hertz| *hertz > zero));
    for resource in ["LUT", "FF", "DSP", "BRAM", "area"] {
        assert!(usual(report, resource).is_none_or(|amount| amount >= zero));
    }
}
