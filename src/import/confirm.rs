//! Compares the predicted costs and clocks of designs of a front with the reports of their builds.
//!
//! A design is built well if its amounts are near the predicted ones, and if it reaches the lowest clock at which it meets its
//! deadlines.
//!
//! A prediction is the cost of a design on the front: base, blocks and own hardware, added. What was built is the best of
//! the design's reports. Designs that are off by more than a tolerance show which blocks do not add up: of those designs the
//! ones whose blocks include no other's.

use isx_exact::quantity::{Rational, format_decimal, format_rate, printable};
use isx_reports::built::Built;
use isx_reports::comparable::{self, Compared};
use isx_reports::counted::{Counted, Placed, Way, amounts};
use isx_reports::shares::{is_off, percent, relative};
use isx_reports::{Report, decode};
use isx_taskset::{Device, Measured, ReadError, Source, in_percent, shortened};
use isx_text::figures::{Found, error};
use num_traits::{Signed, Zero};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

pub use isx_reports::shares::parse_share;

/// How reports are counted: the words that count as each resource, and the reports read so far.
#[derive(Clone, Debug)]
pub struct Counting {
    resources: Vec<Counted>,
    /// The device that the reports must be for.
    device: Option<String>,
    /// The reports so far.
    compared: Vec<Compared>,
}

impl Counting {
    /// These resources, by the usual words of each tool.
    pub fn usual<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let resources = names.into_iter().map(Counted::usual).collect();
        Self { resources, device: None, compared: Vec::new() }
    }

    /// The same for a device, of whose family the reports must be if it is known.
    #[must_use]
    pub fn for_device(self, device: Option<&str>) -> Self {
        let known = device.and_then(Device::named);
        Self { device: known.map(|device| device.name.to_owned()), ..self }
    }

    /// What the reports of a task set count, and those of its base.
    pub fn of_set(measured: &Measured) -> Self {
        let Measured { resources, compared, .. } = measured.clone();
        Self { resources, device: None, compared }
    }

    /// The names of the resources.
    pub fn names(&self) -> Vec<&str> {
        self.resources.iter().map(|counted| counted.name.as_str()).collect()
    }

    /// A design by its reports, each a name and its bytes; `None` without reports. Of several clocks the slowest counts, or
    /// that called `clock`.
    /// Fails if a report cannot be read, does not count a resource, cannot be compared with those before it, or
    /// has clocks and none called `clock`.
    pub fn built(
        &mut self,
        design: &[(String, Vec<u8>)],
        clock: Option<&str>,
    ) -> Result<Option<AsBuilt>, ReadError> {
        let (mut all, mut clocks) = (Vec::with_capacity(design.len()), Vec::new());
        for (name, bytes) in design {
            let report = isx_reports::read(name, bytes)?;
            let source = decode(name, bytes)?;
            let first = self.compared.iter().find(|other| other.counts);
            let is_timing = report.names().next().is_none() && !report.clocks.is_empty();
            let counts = !is_timing
                && (report.clocks.is_empty() || first.is_none_or(|first| first.tool == report.tool));
            self.compared.extend(Compared::new(name, &report, counts));
            let device = self.device.as_deref();
            if let Some((_, refused)) =
                comparable::first_incomparable(&source, &self.compared, |_| 0..0, device)
            {
                return Err(refused.into());
            }
            let path = Placed { text: name, place: 0..0 };
            if counts {
                all.push((name.clone(), amounts(&self.resources, &report, &source, &path, Way::Set)?));
            }
            clocks.extend(slowest(&report, clock, &source, &path)?);
        }
        let best = Built::best(&self.resources, all).map_or_else(Vec::new, |built| built.amounts);
        Ok((!design.is_empty()).then_some(AsBuilt { amounts: best, clock: clocks.into_iter().min() }))
    }
}

/// The amounts and the clock in the reports of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsBuilt {
    /// What it takes of each resource in the best of its reports; nothing if all of them are of another tool than the
    /// base, so that only their clocks can be compared.
    pub amounts: Vec<Rational>,
    /// The slowest of its clocks, in hertz.
    pub clock: Option<Rational>,
}

/// A design of a front that was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number on the front.
    pub point: usize,
    /// The blocks that it has.
    pub blocks: Vec<String>,
    /// What the front says that it takes of each resource.
    pub predicted: Vec<Rational>,
    /// What it takes as it was built; nothing if its reports are of another tool than the base.
    pub built: Vec<Rational>,
    /// The variant of the processor, if there are several.
    pub variant: Option<String>,
    /// The clock that was reached, if its reports have one.
    pub clock: Option<Reached>,
}

/// A clock that a design reaches as it was built, in hertz.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The lowest clock at which it meets its deadlines; `None` if that is not known.
    pub needed: Option<Rational>,
    /// The clock that was reached.
    pub built: Rational,
}

impl Reached {
    fn is_too_slow(&self) -> bool {
        self.needed.as_ref().is_some_and(|needed| self.built < *needed)
    }

    /// `built 44.1 MHz, needed 47.85 MHz`.
    fn in_words(&self) -> String {
        let needed =
            self.needed.as_ref().map_or_else(|| "not known".to_owned(), |needed| format_rate(&needed.ceil()));
        format!("built {}, needed {needed}", format_rate(&self.built))
    }
}

/// The slowest clock of a report, or the one of this name; `None` if the report has no clocks.
fn slowest(
    report: &Report,
    name: Option<&str>,
    source: &Arc<Source>,
    path: &Placed<'_>,
) -> Found<Option<Rational>> {
    let Some(name) = name.filter(|_| !report.clocks.is_empty()) else {
        return Ok(report.clocks.values().filter(|clock| clock.is_positive()).min().cloned());
    };
    match report.clocks.get(name) {
        Some(clock) => Ok(Some(clock.clone())),
        None => {
            let message = format!("report `{}` has no clock `{}`", shortened(path.text), shortened(name));
            let clocks: Vec<String> =
                report.clocks.keys().map(|name| format!("`{}`", shortened(name))).collect();
            Err(error(source, path.place.clone(), message)
                .label("this report")
                .help(format!("its clocks are {}", clocks.join(", "))))
        }
    }
}

impl Row {
    /// Built minus predicted.
    pub fn differences(&self) -> Vec<Rational> {
        self.built.iter().zip(&self.predicted).map(|(built, predicted)| built - predicted).collect()
    }

    /// The differences as shares of the predictions; `None` where nothing was predicted and something built.
    pub fn shares(&self) -> Vec<Option<Rational>> {
        self.predicted.iter().zip(&self.built).map(|(predicted, built)| relative(predicted, built)).collect()
    }

    /// The resource with the largest difference as a share, and that share; without one where nothing was predicted.
    pub fn largest(&self) -> Option<(usize, Option<Rational>)> {
        // Nothing is larger than a share of 0; of equal ones the first counts.
        let key = |share: &Option<Rational>| (share.is_none(), share.as_ref().map(Signed::abs));
        let shares = self.shares();
        shares.into_iter().enumerate().rev().max_by_key(|(_, share)| key(share))
    }
}

/// The comparison of a front's designs with their builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The name of the task set.
    pub taskset: String,
    /// The names of the resources, or the unit of its area.
    pub resources: Vec<String>,
    /// The number of points of the front.
    pub points: usize,
    /// The share by which a design may be off.
    pub tolerance: Rational,
    /// The designs that were built, by number.
    pub rows: Vec<Row>,
}

impl Confirmed {
    /// Whether a design is off by more than the tolerance.
    pub fn is_off(&self, row: &Row) -> bool {
        is_off(&row.predicted, &row.built, &self.tolerance)
    }

    /// Whether every design is within the tolerance.
    pub fn is_within(&self) -> bool {
        !self.rows.iter().any(|row| self.is_off(row))
    }

    /// The designs that miss a deadline at the clock that they reach.
    fn too_slow(&self) -> Vec<(&Row, &Reached)> {
        let reached = self.rows.iter().filter_map(|row| Some((row, row.clock.as_ref()?)));
        reached.filter(|(_, clock)| clock.is_too_slow()).collect()
    }

    /// Whether every design is within the tolerance, and as fast as it needs to be.
    pub fn holds(&self) -> bool {
        self.is_within() && self.too_slow().is_empty()
    }

    /// The design with the largest difference as a share, the first of equal ones.
    pub fn largest(&self) -> Option<&Row> {
        let key = |row: &&Row| {
            let share = row.largest().and_then(|(_, share)| share);
            (row.shares().contains(&None), share.map(|share| share.abs()))
        };
        self.rows.iter().filter(|row| !row.built.is_empty()).rev().max_by_key(key)
    }

    /// The number of designs whose amounts can be compared.
    fn compared(&self) -> usize {
        self.rows.iter().filter(|row| !row.built.is_empty()).count()
    }

    /// The designs that show which blocks do not add up: of those that are off, the ones whose blocks include no other's.
    pub fn not_additive(&self) -> Vec<&Row> {
        let mut off: Vec<(BTreeSet<&str>, &Row)> = self
            .rows
            .iter()
            .filter(|row| self.is_off(row))
            .map(|row| (row.blocks.iter().map(String::as_str).collect(), row))
            .collect();
        off.sort_by_key(|(blocks, row)| (blocks.len(), row.point));
        let mut found: Vec<(BTreeSet<&str>, &Row)> = Vec::new();
        for (blocks, row) in off {
            if !found.iter().any(|(fewer, _)| fewer.is_subset(&blocks)) {
                found.push((blocks, row));
            }
        }
        found.into_iter().map(|(_, row)| row).collect()
    }

    /// What differs most in a design, in words.
    fn in_words(&self, row: &Row) -> String {
        let Some((at, share)) = row.largest() else { return "nothing counted".to_owned() };
        let amount = |amounts: &[Rational]| amounts.get(at).map_or_else(String::new, format_decimal);
        let name = self.resources.get(at).map_or("", String::as_str);
        let share = percent(share.as_ref());
        format!("predicted {} {name}, built {} ({share})", amount(&row.predicted), amount(&row.built))
    }

    /// Writes one line: how many designs are off, and the largest difference.
    /// Fails as the stream does.
    pub fn write_line(&self, out: &mut dyn Write) -> io::Result<()> {
        let off = self.rows.iter().filter(|row| self.is_off(row)).count();
        let (built, name) = (self.compared(), printable(&self.taskset));
        let largest = self
            .largest()
            .map(|row| format!("; largest: point {}, {}", row.point, printable(&self.in_words(row))));
        let (tolerance, largest) = (in_percent(&self.tolerance), largest.unwrap_or_default());
        let slow = self.too_slow();
        let slow = slow.first().map_or_else(String::new, |(row, clock)| {
            format!(", {} too slow (point {}: {})", slow.len(), row.point, clock.in_words())
        });
        writeln!(
            out,
            "{name}: {off} of {built} designs built are off by more than {tolerance}{slow}{largest}"
        )
    }

    /// Writes a line per design, then a summary.
    /// Fails as the stream does.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (built, name) = (self.rows.len(), printable(&self.taskset));
        writeln!(
            out,
            "{name}: {built} of the {} designs of the front, as predicted and as built\n",
            self.points
        )?;
        write_table(&self.table(), out)?;
        writeln!(out)?;
        if let Some(row) = self.largest() {
            writeln!(out, "Largest difference: point {}, {}", row.point, printable(&self.in_words(row)))?;
        }
        for row in self.rows.iter().filter(|row| row.built.is_empty()) {
            writeln!(
                out,
                "The amounts of point {} are not compared: its reports are of another tool.",
                row.point
            )?;
        }
        let slow = self.too_slow();
        if !slow.is_empty() {
            writeln!(out, "{} of {built} are too slow to meet their deadlines:", slow.len())?;
        }
        for (row, clock) in slow {
            writeln!(out, "- point {}: {}", row.point, clock.in_words())?;
        }
        let tolerance = in_percent(&self.tolerance);
        let off = self.rows.iter().filter(|row| self.is_off(row)).count();
        let built = self.compared();
        if built == 0 {
            return Ok(());
        }
        if off == 0 {
            return writeln!(out, "All {built} are within {tolerance} of their predictions.");
        }
        writeln!(out, "{off} of {built} are off by more than {tolerance}. These blocks do not add up:")?;
        for row in self.not_additive() {
            let blocks =
                if row.blocks.is_empty() { "the base alone".to_owned() } else { row.blocks.join(" + ") };
            writeln!(
                out,
                "- {}: {} at point {}",
                printable(&blocks),
                printable(&self.in_words(row)),
                row.point
            )?;
        }
        writeln!(
            out,
            "Add these combinations to the task set under `check`, each with its reports: `isx import` then says what to write in \
             place of their sums. If the base alone is off, its reports are of another core or recipe."
        )
    }

    fn table(&self) -> Vec<Vec<String>> {
        let mut head = vec!["point".to_owned()];
        for name in &self.resources {
            head.extend([format!("{name} predicted"), "built".to_owned(), "difference".to_owned()]);
        }
        let has_clocks = self.rows.iter().any(|row| row.clock.is_some());
        if has_clocks {
            head.extend(["clock needed".to_owned(), "built".to_owned()]);
        }
        let has_variants = self.rows.iter().any(|row| row.variant.is_some());
        if has_variants {
            head.push("variant".to_owned());
        }
        head.push("blocks".to_owned());
        let row = |row: &Row| {
            let mut cells = vec![row.point.to_string()];
            for (at, predicted) in row.predicted.iter().enumerate() {
                cells.push(format_decimal(predicted));
                let Some(built) = row.built.get(at) else {
                    cells.extend(["-", "-"].map(str::to_owned));
                    continue;
                };
                let difference = built - predicted;
                let share = match difference.is_zero() {
                    true => String::new(),
                    false => format!(" ({})", percent(relative(predicted, built).as_ref())),
                };
                cells.extend([format_decimal(built), format_decimal(&difference) + &share]);
            }
            if has_clocks {
                let clock = row.clock.as_ref();
                let needed = clock.and_then(|clock| clock.needed.as_ref());
                let cell = |clock: Option<Rational>| {
                    clock.map_or_else(|| "-".to_owned(), |clock| format_rate(&clock))
                };
                cells
                    .extend([cell(needed.map(Rational::ceil)), cell(clock.map(|clock| clock.built.clone()))]);
            }
            cells.extend(row.variant.clone().or_else(|| has_variants.then(String::new)));
            cells.push(row.blocks.join(", "));
            cells
        };
        let cells = [head].into_iter().chain(self.rows.iter().map(row));
        cells.map(|row| row.iter().map(|cell| printable(cell)).collect()).collect()
    }
}

/// Writes cells in columns, figures to the right and the last column to the left.
fn write_table(table: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let columns = table.first().map_or(0, Vec::len);
    let width =
        |at: usize| table.iter().filter_map(|row| Some(row.get(at)?.chars().count())).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in table {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(
            |(at, (cell, &width))| {
                if at + 1 == columns { cell.clone() } else { format!("{cell:>width$}") }
            },
        );
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(text: &str) -> Rational {
        isx_exact::quantity::parse_signed_decimal(text).unwrap()
    }

    fn row(point: usize, blocks: &[&str], predicted: [&str; 2], built: [&str; 2]) -> Row {
        let [predicted, built] = [predicted, built].map(|amounts| amounts.map(rational).to_vec());
        let blocks = blocks.iter().map(|name| (*name).to_owned()).collect();
        Row { point, blocks, predicted, built, variant: None, clock: None }
    }

    fn confirmed(rows: Vec<Row>) -> Confirmed {
        Confirmed {
            taskset: "two".to_owned(),
            resources: vec!["LUT".to_owned(), "DSP".to_owned()],
            points: 5,
            tolerance: parse_share("5%").unwrap(),
            rows,
        }
    }

    #[test]
    fn the_smallest_sets_of_blocks_that_are_off_are_named() {
        let confirmed = confirmed(vec![
            row(0, &[], ["1000", "0"], ["1000", "0"]),
            row(1, &["a", "b"], ["1100", "0"], ["1200", "0"]),
            row(2, &["a", "b", "c"], ["1200", "0"], ["1320", "0"]),
            row(3, &["c"], ["1100", "0"], ["1155", "0"]),
            row(4, &["d"], ["1100", "0"], ["1100", "1"]),
        ]);
        assert_eq!(confirmed.not_additive().iter().map(|row| row.point).collect::<Vec<_>>(), [4, 1]);
        assert_eq!(confirmed.largest().unwrap().point, 4);
        assert!(!confirmed.holds());
        let mut line = Vec::new();
        confirmed.write_line(&mut line).unwrap();
        let wanted = "two: 3 of 5 designs built are off by more than 5 %; largest: point 4, predicted 0 DSP, built 1 (of 0)\n";
        assert_eq!(String::from_utf8(line).unwrap(), wanted);
    }

    #[test]
    fn a_design_at_the_tolerance_holds_and_the_first_of_equal_differences_is_the_largest() {
        let confirmed = confirmed(vec![
            row(0, &[], ["1000", "0"], ["950", "0"]),
            row(1, &["c"], ["1100", "0"], ["1155", "0"]),
            row(2, &["d"], ["100", "4"], ["100", "4"]),
        ]);
        assert!(confirmed.holds() && confirmed.not_additive().is_empty());
        assert_eq!(confirmed.largest().map(|row| row.point), Some(0));
        assert_eq!(confirmed.rows[0].largest(), Some((0, Some(rational("-0.05")))));
    }
}
