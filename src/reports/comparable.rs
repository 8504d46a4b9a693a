//! Which reports can be compared: a LUT after synthesis is not a logic cell after packing, and LUTs of different families
//! differ.

use crate::families::{bare, family_of};
use crate::report::Report;
use isx_text::{Diagnostic, Source, shortened};
use std::ops::Range;
use std::sync::Arc;

/// The most files that a message lists of each kind.
const MAX_LISTED: usize = 6;

/// A report that is compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    file: String,
    /// Its tool and hardware in words.
    of: String,
    /// The tool in words.
    pub tool: &'static str,
    families: Vec<String>,
    /// The series of the family, if its part shows one: `7a` of Artix-7.
    series: String,
    /// Whether its amounts count; otherwise only its clocks do, and the tool may be another.
    pub counts: bool,
}

impl Compared {
    /// A report; `None` if it is about no hardware.
    pub fn new(file: &str, report: &Report, counts: bool) -> Option<Self> {
        let is_of_hardware = report.names().next().is_some() || !report.clocks.is_empty();
        is_of_hardware.then(|| Self {
            file: file.to_owned(),
            of: report.of(),
            tool: report.tool,
            families: report.families.clone(),
            series: series_of(&report.part),
            counts,
        })
    }
}

/// The first report of another tool or family than those before it, or of another family than the device: its number, and
/// the error, which stands at the place of this number.
pub fn first_incomparable(
    source: &Arc<Source>,
    all: &[Compared],
    place: impl Fn(usize) -> Range<usize>,
    device: Option<&str>,
) -> Option<(usize, Box<Diagnostic>)> {
    let mut tool = None;
    let of_device = device.and_then(family_of);
    let mut families = of_device.map(|family| vec![family.to_owned()]);
    for (at, report) in all.iter().enumerate() {
        let is_of_tool = !report.counts || *tool.get_or_insert(report.tool) == report.tool;
        if !report.families.is_empty() {
            let known = families.get_or_insert_with(|| report.families.clone());
            known.retain(|family| report.families.contains(family));
        }
        let is_of_family = families.as_ref().is_none_or(|families| !families.is_empty());
        if is_of_tool && is_of_family {
            continue;
        }
        let is_for_device = of_device.is_none_or(|of| report.families.iter().any(|family| family == of));
        let (message, instead) = match (is_of_tool, device) {
            (true, Some(device)) if !is_for_device => (
                format!("the report is of another family than the device, {}", shortened(device)),
                "give reports for the device, or name the device that they are for",
            ),
            (true, _) => ("the reports are of several families".to_owned(), "give reports for one family"),
            _ => ("the reports are of several tools".to_owned(), "give reports of one tool for one family"),
        };
        let message = format!("{message}: such amounts cannot be compared");
        let refused = Diagnostic::error(source, place(at), message).label(&report.of);
        return Some((at, refused.help(format!("{}; {instead}", listed(all)))));
    }
    None
}

/// The first report for another series of the same family, such as Kintex-7 beside Artix-7, with a warning.
pub fn first_of_another_series(
    source: &Arc<Source>,
    all: &[Compared],
    place: impl Fn(usize) -> Range<usize>,
) -> Option<(usize, Box<Diagnostic>)> {
    let mut with_series = all.iter().enumerate().filter(|(_, report)| !report.series.is_empty());
    let (_, first) = with_series.next()?;
    let (at, report) = with_series.find(|(_, report)| report.series != first.series)?;
    let message = "the reports are of several series of one family: their logic is alike, their clocks and hard blocks are not";
    Some((at, Diagnostic::warning(source, place(at), message).label(&report.of).help(listed(all))))
}

/// `7a` of `xc7a35ticsg324-1L`; the family of Quartus is a series.
fn series_of(part: &str) -> String {
    if part.contains(' ') {
        return part.to_owned();
    }
    let part = part.to_lowercase();
    let mut letters = bare(&part).char_indices();
    letters.next();
    let end = letters.find(|(_, c)| !c.is_ascii_alphabetic()).map(|(at, _)| at);
    let bare = bare(&part);
    bare.get(..end.unwrap_or(bare.len())).unwrap_or_default().to_owned()
}

/// The files of each kind: `nextpnr for iCE40: base.json; Yosys for ECP5: unit.json`.
fn listed(all: &[Compared]) -> String {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for Compared { of, file, .. } in all {
        match kinds.iter_mut().find(|(other, _)| other == of) {
            Some((_, files)) if files.contains(&file.as_str()) => {}
            Some((_, files)) => files.push(file),
            None => kinds.push((of, vec![file])),
        }
    }
    let words = |(of, files): &(&str, Vec<&str>)| {
        let mut words: Vec<String> = files.iter().take(MAX_LISTED).map(|file| shortened(file)).collect();
        if files.len() > MAX_LISTED {
            words.push(format!("{} more", files.len() - MAX_LISTED));
        }
        format!("{of}: {}", words.join(", "))
    };
    kinds.iter().map(words).collect::<Vec<_>>().join("; ")
}
