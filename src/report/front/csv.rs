//! The front as CSV, one row per point:
//! `area,utilization_num,utilization_den,utilization,schedulable,schedulable_within`, then one column per task with
//! the name of its choice, empty for software.
//!
//! Fields are quoted as in RFC 4180; lines end in a line feed, which every reader accepts and line tools expect.
//! `utilization` is the double nearest to `utilization_num / utilization_den`; `schedulable` says whether this design
//! meets all deadlines, `schedulable_within` whether any design of no more area does: `true`, `false`, or empty if
//! unknown.
//!
//! If the task set has blocks, a column `blocks` follows: the names of the blocks that the design builds, in file
//! order, joined by `+` (`sbox+mul16`), empty if it builds none. A `+` or `\` in a name is escaped by a `\`: `a\+b+c`
//! are the blocks `a+b` and `c`.
//!
//! If the processor has variants, a column `variant` follows: the name of the one that the design is built with.
//!
//! If the set has modes, a column `utilization NAME` per mode follows: the double nearest to the utilization in it.
//!
//! If a block or variant limits the clock, a column `clock_hz` follows: the clock that the design runs at, exactly and in hertz.
//!
//! On a front of area against margin, the columns `margin_num`, `margin_den` and `margin` follow, as those of the utilization.
//!
//! If the set has several resources, a column per resource, named as the resource, stands in place of `area`, and
//! `schedulable_within` is about the designs that cost no more of any objective.
//!
//! The column of a task whose name equals one of the columns before gets the prefix `task `, and so does a task whose
//! name equals such a prefixed name: a task `area` has the column `task area`, a task `task area` the column `task
//! task area`. So all columns have different names.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula, quoted or
//! not. Names that begin with one of these get an apostrophe before them, so `=HYPERLINK(..)` stays a name. Names
//! that begin with an apostrophe get another one, so a cell that begins with an apostrophe always stands for the name
//! after it.

use super::chunks::{estimated, write_rows};
use super::columns::{Figure, named};
use super::{Front, Head};
use isx_machine::cpu::Workers;
use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::ops::Range;

/// Bytes written at a time.
const BUFFER: usize = 1 << 18;

/// Writes the header and one row per point.
///
/// Takes time proportional to points times tasks, divided among the threads, and memory for several thousand rows.
pub fn write(front: &Front, workers: &Workers, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, out);
    let columns = named(&front.head);
    let columns: Vec<Cow<'_, str>> = columns.iter().map(|(name, _)| field(name)).collect();
    writeln!(out, "{}", columns.join(","))?;
    let rows = Rows::new(&front.head);
    write_rows(front.len(), workers, &mut out, &|points, out| rows.make(front, points, out))?;
    out.flush()
}

/// The expected size of the front in bytes.
pub fn bytes(front: &Front) -> u64 {
    let rows = Rows::new(&front.head);
    estimated(front.len(), &|points, out| rows.make(front, points, out))
}

/// The columns with their names as fields, escaped once instead of once per row.
struct Rows(Vec<(Figure, Vec<String>)>);

impl Rows {
    fn new(head: &Head) -> Self {
        let escaped = |figure: Figure, name: &String| match figure {
            Figure::Blocks => name.replace('\\', "\\\\").replace('+', "\\+"),
            _ => field(name).into_owned(),
        };
        let names = |figure: Figure| figure.names(head).iter().map(|name| escaped(figure, name)).collect();
        Self(named(head).into_iter().map(|(_, figure)| (figure, names(figure))).collect())
    }

    /// Appends the rows of these points.
    fn make(&self, front: &Front, points: Range<usize>, out: &mut Vec<u8>) -> io::Result<()> {
        front.each(points, &mut |_, point| {
            for (at, (figure, names)) in self.0.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                if let Some(name) = figure.name(point).and_then(|name| names.get(name as usize)) {
                    out.extend_from_slice(name.as_bytes());
                    continue;
                }
                match figure {
                    Figure::Schedulable | Figure::Within => {
                        out.extend_from_slice(match figure.verdict(point) {
                            Some(true) => b"true".as_slice(),
                            Some(false) => b"false",
                            None => b"",
                        })
                    }
                    Figure::Blocks => {
                        let built: Vec<&str> =
                            point.blocks.iter().map(|&at| names[at as usize].as_str()).collect();
                        let quote = built.iter().any(|name| needs_quotes(name));
                        out.extend_from_slice(quoted(&built.join("+"), quote).as_bytes());
                    }
                    figure => figure.write(point, out)?,
                }
            }
            out.push(b'\n');
            Ok(())
        })
    }
}

fn is_formula(name: &str) -> bool {
    name.starts_with(['=', '+', '-', '@', '\t', '\r', '\''])
}

fn needs_quotes(name: &str) -> bool {
    name.contains(['"', ',', '\n', '\r']) || name.starts_with(' ') || name.ends_with(' ')
}

/// The name as a CSV field that no spreadsheet treats as a formula.
pub fn field(name: &str) -> Cow<'_, str> {
    quoted(name, needs_quotes(name))
}

fn quoted(name: &str, quote: bool) -> Cow<'_, str> {
    let formula = is_formula(name);
    match (formula, quote) {
        (false, false) => name.into(),
        (true, false) => format!("'{name}").into(),
        (_, true) => format!("\"{}{}\"", if formula { "'" } else { "" }, name.replace('"', "\"\"")).into(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::testing::{built, front_of, nasty, nasty_blocks, sharing_fronts, slowed_tasks, unlike_fronts};
    use isx_design::exploration::Exploration;
    use isx_exact::quantity::{approx, format_decimal};
    use isx_taskset::{Block, TaskSet};

    /// Parses records of fields by the grammar of RFC 4180.
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

    const FIXED: [&str; 6] =
        ["area", "utilization_num", "utilization_den", "utilization", "schedulable", "schedulable_within"];

    /// The header and the rows.
    pub fn rows(front: &Exploration) -> Vec<Vec<String>> {
        let mut bytes = Vec::new();
        write(&Front::of(front), &Workers::new(2), &mut bytes).unwrap();
        read(&String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn every_row_is_a_point() {
        let mut points = 0;
        for front in unlike_fronts().into_iter().chain(sharing_fronts()) {
            let rows = rows(&front);
            assert_eq!(rows.len(), front.front.len() + 1);
            let set = front.task_set();
            let extra = usize::from(!set.blocks.is_empty()) + usize::from(set.limits_clock());
            let columns = 6 + extra + set.tasks.len();
            assert!(rows.iter().all(|row| row.len() == columns));
            for (index, row) in rows[1..].iter().enumerate() {
                let design = front.design(index).unwrap();
                assert_eq!(row[0], format_decimal(design.area()));
                assert_eq!(row[1], design.utilization.numer().to_string());
                assert_eq!(row[2], design.utilization.denom().to_string());
                assert_eq!(row[3].parse::<f64>().unwrap(), approx(&design.utilization));
                let verdicts = [design.schedulable, design.schedulable_within];
                assert_eq!(row[4..6], verdicts.map(|yes| yes.map_or(String::new(), |yes| yes.to_string())));
                points += 1;
            }
        }
        assert!(points > 100, "only {points} points were compared");
    }

    #[test]
    fn the_clock_has_a_column_after_the_blocks_where_a_block_limits_it() {
        let rows = rows(&front_of(&slowed_tasks()));
        assert_eq!(rows[0][6..], ["blocks", "clock_hz", "fir", "aes"]);
        let clocks: Vec<&str> = rows[1..].iter().map(|row| row[7].as_str()).collect();
        assert_eq!(clocks, ["128000000", "128000000", "128000000", "123000000", "123000000", "123000000"]);
    }

    /// The names in a cell of blocks, parsed as the module documentation describes.
    pub fn names(cell: &str) -> Vec<String> {
        let mut names = vec![String::new()];
        let mut chars = cell.strip_prefix('\'').unwrap_or(cell).chars();
        while let Some(c) = chars.next() {
            match c {
                '+' => names.push(String::new()),
                '\\' => names.last_mut().unwrap().push(chars.next().unwrap()),
                c => names.last_mut().unwrap().push(c),
            }
        }
        names.retain(|name| !name.is_empty());
        names
    }

    #[test]
    fn the_blocks_of_a_cell_are_separated_whatever_their_names() {
        let mut cells = 0;
        for front in sharing_fronts() {
            let rows = rows(&front);
            assert_eq!(rows[0][6], "blocks");
            for (row, point) in rows[1..].iter().zip(&front.front) {
                let wanted = built(&front, &point.choices().unwrap());
                assert_eq!(names(&row[6]), wanted, "{}", row[6]);
                cells += wanted.len();
            }
        }
        assert!(cells > 100, "only {cells} blocks were read");
        assert_eq!(names("a\\+b+a+b"), ["a+b", "a", "b"]);
    }

    #[test]
    fn a_task_named_blocks_keeps_its_name_where_there_is_no_such_column() {
        use crate::testing::{task, taskset};
        let mut set = taskset("set", vec![task("blocks", 1, 100, &[]), task("task blocks", 1, 100, &[])]);
        let columns = |set: &TaskSet| rows(&front_of(set)).swap_remove(0);
        assert_eq!(columns(&set)[6..], ["blocks", "task blocks"]);
        set.blocks.push(Block::new("sbox", 1));
        assert_eq!(columns(&set)[6..], ["blocks", "task blocks", "task task blocks"]);
    }

    #[test]
    fn no_cell_is_a_formula() {
        let mut defused = 0;
        let (plain, sharing) = (rows(&front_of(&nasty())), rows(&front_of(&nasty_blocks())));
        for (at, row) in plain.iter().chain(&sharing).enumerate() {
            // The header's first six cells and the figures do not come from the input.
            for cell in &row[6..] {
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
        use crate::testing::{task, taskset};
        let mut names = Vec::new();
        for name in FIXED.iter().chain(&["aes", "=x", "x"]) {
            for before in ["", "task ", "task task ", "task", "'", "''", "'task "] {
                names.push(format!("{before}{name}"));
            }
        }
        let tasks = names.iter().map(|name| task(name, 1, 100, &[])).collect();
        let header = rows(&front_of(&taskset("set", tasks))).swap_remove(0);
        let different: std::collections::HashSet<&String> = header.iter().collect();
        assert_eq!((header.len(), different.len()), (6 + names.len(), 6 + names.len()), "{header:?}");
        assert_eq!(header[..6], FIXED);
        assert_eq!(header[6], "task area");
    }
}
