//! The layout of answers on a terminal: columns of a table, headings, and how much fits.

use anstyle::Style;
use isx_report::text::{columns, visible, wrapped, write_fitting};
use std::io::{self, Write};

/// How to print an answer.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether to color; the caller knows whether this is a terminal and whether the user wants it.
    pub color: bool,
    /// Whether to print one line only.
    pub brief: bool,
    /// Whether to report which engine ran, and why.
    pub engine: bool,
    /// About how many points of a front to show, at least 3, or the most ranges of a comparison.
    pub max_rows: usize,
    /// Text for points that are not shown, for example where to find them.
    pub rest: Option<&'a str>,
    /// Remarks to print at the end.
    pub notes: &'a [String],
}

impl Default for Options<'_> {
    /// 80 columns, no color, 20 points, everything but the engine.
    fn default() -> Self {
        Self { width: 80, color: false, brief: false, engine: false, max_rows: 20, rest: None, notes: &[] }
    }
}

/// Narrower terminals are treated as this wide.
const MIN_WIDTH: usize = 40;

impl Options<'_> {
    /// The columns of text that is cut to the width.
    pub(super) fn room(&self) -> usize {
        self.width.max(MIN_WIDTH)
    }

    pub(super) fn bold(&self) -> Style {
        if self.color { Style::new().bold() } else { Style::new() }
    }

    /// Writes the title line (a name and the rest of the line), the changes of a what-if question, and an empty line.
    pub(super) fn write_heading(
        &self,
        name: &str,
        rest: &str,
        what_if: &[String],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let bold = self.bold();
        writeln!(out, "{bold}{}{bold:#}{rest}", visible(name))?;
        if !what_if.is_empty() {
            write_fitting("What if: ", &visible(&what_if.join(", ")), self.width, out)?;
        }
        writeln!(out)
    }
}

/// The columns of a table, two spaces apart and as wide as their widest cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    widths: Vec<usize>,
    /// Those whose cells begin at the left; in the others they end at the right.
    left: Vec<usize>,
}

impl Columns {
    /// Columns for these rows.
    pub fn new<R: AsRef<[String]>>(left: &[usize], rows: impl IntoIterator<Item = R>) -> Self {
        let mut columns = Self { widths: Vec::new(), left: left.to_owned() };
        rows.into_iter().for_each(|row| columns.widen(row.as_ref()));
        columns
    }

    /// Makes room for a further row.
    pub fn widen(&mut self, cells: &[String]) {
        self.widths.resize(self.widths.len().max(cells.len()), 0);
        for (width, cell) in self.widths.iter_mut().zip(cells) {
            *width = columns(cell).max(*width);
        }
    }

    /// Adds a column at the right.
    pub fn append(&mut self, width: usize) {
        self.widths.push(width);
    }

    pub fn width(&self, at: usize) -> usize {
        self.widths.get(at).copied().unwrap_or(0)
    }

    /// The width of all columns.
    pub fn whole(&self) -> usize {
        self.widths.iter().sum::<usize>() + 2 * self.widths.len().saturating_sub(1)
    }

    /// A row, in which the cell of one column has a style; nothing follows the last cell.
    pub fn line(&self, cells: &[String], styled: (usize, Style)) -> String {
        let mut line = String::new();
        for (at, cell) in cells.iter().enumerate() {
            let gap = " ".repeat(self.width(at).saturating_sub(columns(cell)));
            let style = if at == styled.0 { styled.1 } else { Style::new() };
            line += if at == 0 { "" } else { "  " };
            line += &match self.left.contains(&at) {
                true => format!("{style}{cell}{style:#}{gap}"),
                false => format!("{gap}{style}{cell}{style:#}"),
            };
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// A row without styles.
    pub fn plain(&self, cells: &[String]) -> String {
        self.line(cells, (0, Style::new()))
    }
}

/// Labels with their values, one below the other.
#[derive(Default)]
pub(super) struct List {
    /// The least columns of a label.
    label: usize,
    entries: Vec<(String, String)>,
}

impl List {
    /// A list whose labels take at least so many columns.
    pub fn new(label: usize) -> Self {
        Self { label, entries: Vec::new() }
    }

    pub fn add(&mut self, label: impl Into<String>, value: impl Into<String>) {
        self.entries.push((label.into(), value.into()));
    }

    /// Adds a value if there is one.
    pub fn some(&mut self, label: impl Into<String>, value: Option<impl Into<String>>) {
        if let Some(value) = value {
            self.add(label, value);
        }
    }

    /// Adds a value if it is not empty.
    pub fn nonempty(&mut self, label: impl Into<String>, value: impl Into<String>) {
        self.some(label, Some(value.into()).filter(|value| !value.is_empty()));
    }

    /// Adds the changes for a what-if question and, if it is wanted, which engine ran.
    pub fn add_origin(&mut self, what_if: &[String], engine: Option<String>) {
        self.nonempty("What if: ", visible(&what_if.join(", ")));
        self.some("Engine: ", engine.map(|ran| visible(&ran)));
    }

    /// Writes the list; a word wider than a line is cut.
    pub fn write(&self, width: usize, out: &mut dyn Write) -> io::Result<()> {
        self.each(&mut |label, value| write_fitting(label, value, width, out))
    }

    /// Writes the list with all words as they are.
    pub fn write_whole(&self, width: usize, out: &mut dyn Write) -> io::Result<()> {
        self.each(&mut |label, value| writeln!(out, "{}", wrapped(label, value, width)))
    }

    fn each(&self, write: &mut dyn FnMut(&str, &str) -> io::Result<()>) -> io::Result<()> {
        let labelled = |(label, value): &(String, String)| write(&format!("{label:<0$}", self.label), value);
        self.entries.iter().try_for_each(labelled)
    }
}
