//! A text that may be a report of a synthesis tool or of a run: it is refused with a place within it and without terminal
//! control characters; or it gives names that can be printed, amounts that are not negative, clocks above 0, and the same
//! with other line endings.

use isx::import::reports::{READERS, Report, read, usual};
use isx::quantity::Rational;
use std::collections::BTreeMap;

pub fn check(data: &[u8]) {
    let found = read("input", data);
    match &found {
        Ok(report) => sound(report),
        Err(refusal) => {
            let shown = refusal.to_string();
            assert!(!shown.is_empty() && !shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
            for diagnostic in refusal.diagnostics() {
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
        assert_eq!(output(read("input", &ended).ok()), output(found.ok()));
    }
}

/// What a report says, sorted without the ends of lines that a name may hold.
fn output(report: Option<Report>) -> Option<Vec<String>> {
    let Report { tool, families, part, amounts, unread, is_sparse, clocks, figures } = report?;
    let of = |kind: &str, named: BTreeMap<String, Rational>| -> Vec<String> {
        named
            .into_iter()
            .map(|(name, number)| format!("{kind} {}: {number}", name.replace("\\r", "")))
            .collect()
    };
    let mut output = [of("amount", amounts), of("clock", clocks), of("figure", figures)].concat();
    output.extend(unread.into_keys().map(|name| format!("unread {}", name.replace("\\r", ""))));
    output.push(format!("{tool} {families:?} {} {is_sparse}", part.replace("\\r", "")));
    output.sort();
    Some(output)
}

fn sound(report: &Report) {
    assert!(READERS.iter().any(|reader| reader.name == report.tool));
    let zero = Rational::from_integer(0.into());
    let names = report.clocks.keys().chain(report.figures.keys()).chain(&report.families).map(String::as_str);
    for name in names.chain(report.names()).chain([report.part.as_str()]) {
        assert!(!name.chars().any(char::is_control), "{name:?}");
    }
    assert!(report.amounts.values().all(|amount| *amount >= zero));
    assert!(report.clocks.values().all(|hertz| *hertz > zero));
    for resource in ["LUT", "FF", "DSP", "BRAM", "area"] {
        assert!(
            usual(report, resource).is_ok_and(|amount| amount.is_none_or(|amount| amount >= zero))
                || !report.unread.is_empty()
        );
    }
}
