//! The front as CSV, a row a point: `area,utilization_num,utilization_den,utilization,schedulable`, then a column a
//! task with the name of its choice, empty for software.
//!
//! Fields are quoted as RFC 4180 says; lines end in a line feed, which every reader takes and line tools want.
//! `utilization` is the nearest double of `utilization_num / utilization_den`; `schedulable` is `true`, `false`, or
//! empty where it is not known.
//!
//! A task named like one of the first five columns has `task ` before its name, and so has one that is named like
//! that: a task `area` heads the column `task area`, a task `task area` the column `task task area`. So no two columns
//! are alike.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula, quoted or
//! not. Names that begin so get an apostrophe before them, so `=HYPERLINK(..)` stays a name; so do names that begin
//! with an apostrophe, so that a cell that begins with one always stands for the name after it.

use super::chunks::{estimated, write_rows};
use super::figures::Figures;
use crate::exploration::Exploration;
use crate::machine::cpu::Workers;
use crate::taskset::{Task, TaskSet};
use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::ops::Range;

/// The columns before those of the tasks.
const FIXED: [&str; 5] = ["area", "utilization_num", "utilization_den", "utilization", "schedulable"];

/// The names of all columns, no two alike.
pub(super) fn column_names(task_set: &TaskSet) -> Vec<String> {
    let tasks = task_set.tasks.iter().map(|task| column(&task.name).into_owned());
    FIXED.iter().map(|&name| name.to_owned()).chain(tasks).collect()
}

/// The name of a task's column, unlike the fixed ones and those of other tasks.
pub(super) fn column(task: &str) -> Cow<'_, str> {
    let mut plain = task;
    while let Some(rest) = plain.strip_prefix("task ") {
        plain = rest;
    }
    if FIXED.contains(&plain) { format!("task {task}").into() } else { task.into() }
}

/// Bytes handed on at a time.
const BUFFER: usize = 1 << 18;

/// Writes the header and a row a point.
///
/// Takes time in proportion to points times tasks, shared among the threads, and memory for some thousand rows.
///
/// # Errors
///
/// When `out` fails.
pub fn write(explored: &Exploration, workers: &Workers, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, out);
    let columns = column_names(explored.task_set());
    let columns: Vec<Cow<'_, str>> = columns.iter().map(|name| field(name)).collect();
    writeln!(out, "{}", columns.join(","))?;
    let rows = Rows::new(explored);
    write_rows(explored.front.len(), workers, &mut out, |points, out| rows.make(points, out))?;
    out.flush()
}

/// Bytes that the front is expected to take.
#[must_use]
pub fn bytes(explored: &Exploration) -> u64 {
    let rows = Rows::new(explored);
    estimated(explored.front.len(), |points, out| rows.make(points, out))
}

/// What all rows need.
struct Rows<'a> {
    explored: &'a Exploration,
    figures: Figures<'a>,
    /// The name of every choice as a field: each is made safe once, not once a row.
    names: Vec<Vec<String>>,
}

impl<'a> Rows<'a> {
    fn new(explored: &'a Exploration) -> Self {
        let names =
            |task: &Task| task.choices.iter().map(|choice| field(&choice.name).into_owned()).collect();
        let names = explored.task_set().tasks.iter().map(names).collect();
        Self { explored, figures: Figures::new(explored.front.formulation()), names }
    }

    /// Appends the rows of these points.
    fn make(&self, points: Range<usize>, out: &mut Vec<u8>) -> io::Result<()> {
        let (mut choices, mut scratch) = (vec![None; self.names.len()], Vec::new());
        for point in points.filter_map(|index| self.explored.front.get(index)) {
            let utilization = self.figures.utilization(&point);
            self.figures.write_area(&point, out)?;
            out.push(b',');
            utilization.write_numerator(out)?;
            out.push(b',');
            utilization.write_denominator(out)?;
            write!(out, ",{}", utilization.approx())?;
            out.extend_from_slice(match self.explored.verdicts.points[point.index()] {
                Some(true) => b",true".as_slice(),
                Some(false) => b",false",
                None => b",",
            });
            point.write_choices(&mut choices, &mut scratch);
            for (names, choice) in self.names.iter().zip(&choices) {
                out.push(b',');
                out.extend_from_slice(choice.map_or("", |choice| names[choice as usize].as_str()).as_bytes());
            }
            out.push(b'\n');
        }
        Ok(())
    }
}

/// The name as a CSV field that no spreadsheet takes for a formula.
fn field(name: &str) -> Cow<'_, str> {
    let formula = name.starts_with(['=', '+', '-', '@', '\t', '\r', '\'']);
    let quote = name.contains(['"', ',', '\n', '\r']) || name.starts_with(' ') || name.ends_with(' ');
    match (formula, quote) {
        (false, false) => name.into(),
        (true, false) => format!("'{name}").into(),
        (_, true) => format!("\"{}{}\"", if formula { "'" } else { "" }, name.replace('"', "\"\"")).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{front_of, nasty, unlike_fronts};
    use super::*;
    use crate::quantity::{approx, format_decimal};

    /// Records of fields, by the grammar of RFC 4180.
    fn read(text: &str) -> Vec<Vec<String>> {
        let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
        let mut chars = text.chars().peekable();
        let mut quoted = false;
        while let Some(c) = chars.next() {
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => field.push(chars.next().unwrap()),
                '"' => quoted = !quoted,
                ',' if !quoted => record.push(std::mem::take(&mut field)),
                '\n' if !quoted => {
                    record.push(std::mem::take(&mut field));
                    records.push(std::mem::take(&mut record));
                }
                c => field.push(c),
            }
        }
        assert!(!quoted && record.is_empty() && field.is_empty(), "the text ends in the middle of a record");
        records
    }

    fn rows(front: &Exploration) -> Vec<Vec<String>> {
        let mut bytes = Vec::new();
        write(front, &Workers::new(2), &mut bytes).unwrap();
        read(&String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn every_row_is_a_point() {
        let mut points = 0;
        for front in unlike_fronts() {
            let rows = rows(&front);
            assert_eq!(rows.len(), front.front.len() + 1);
            assert!(rows.iter().all(|row| row.len() == 5 + front.task_set().tasks.len()));
            for (index, row) in rows[1..].iter().enumerate() {
                let design = front.design(index).unwrap();
                assert_eq!(row[0], format_decimal(&design.area));
                assert_eq!(row[1], design.utilization.numer().to_string());
                assert_eq!(row[2], design.utilization.denom().to_string());
                assert_eq!(row[3].parse::<f64>().unwrap(), approx(&design.utilization));
                assert_eq!(row[4], design.schedulable.map_or(String::new(), |yes| yes.to_string()));
                points += 1;
            }
        }
        assert!(points > 100, "only {points} points were compared");
    }

    #[test]
    fn choices_are_named_and_software_is_empty() {
        let front = front_of(&nasty());
        let rows = rows(&front);
        for (index, row) in rows[1..].iter().enumerate() {
            for ((task, choice), cell) in front
                .task_set()
                .tasks
                .iter()
                .zip(front.front.get(index).unwrap().choices().unwrap())
                .zip(&row[5..])
            {
                let name = choice.map_or("", |choice| &task.choices[choice as usize].name);
                assert_eq!(cell.strip_prefix('\'').unwrap_or(cell), name);
            }
        }
    }

    #[test]
    fn no_cell_is_a_formula() {
        let mut defused = 0;
        for (at, row) in rows(&front_of(&nasty())).iter().enumerate() {
            // The header's first five cells and the figures are ours.
            for cell in &row[5..] {
                assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "row {at}: {cell:?}");
                defused += usize::from(cell.starts_with('\''));
            }
        }
        assert!(defused > 5, "only {defused} cells needed an apostrophe");
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("aes"), "aes");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("5\" screen"), "\"5\"\" screen\"");
        assert_eq!(field("=1+1"), "'=1+1");
        assert_eq!(field("@a,\"b\""), "\"'@a,\"\"b\"\"\"");
        assert_eq!(field("\rx"), "\"'\rx\"");
        assert_eq!(field("'=1+1"), "''=1+1");
    }

    #[test]
    fn no_two_columns_are_alike() {
        use super::super::testing::{task, taskset};
        let mut names = Vec::new();
        for name in FIXED.iter().chain(&["aes", "=x", "x"]) {
            for before in ["", "task ", "task task ", "task", "'", "''", "'task "] {
                names.push(format!("{before}{name}"));
            }
        }
        let tasks = names.iter().map(|name| task(name, 1, 100, &[])).collect();
        let header = rows(&front_of(&taskset("set", tasks))).swap_remove(0);
        let different: std::collections::HashSet<&String> = header.iter().collect();
        assert_eq!((header.len(), different.len()), (5 + names.len(), 5 + names.len()), "{header:?}");
        assert_eq!(
            header[..6],
            ["area", "utilization_num", "utilization_den", "utilization", "schedulable", "task area"]
        );
        assert_eq!(
            [column("aes"), column("task aes"), column("task area")],
            ["aes", "task aes", "task task area"]
        );
    }
}
