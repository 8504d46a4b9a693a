//! The front as a table for the terminal, shortened to fit.
//!
//! ```text
//! demo
//! Exact Pareto front of 5 designs, checked
//!
//!  area/NAND2  utilization  EDF  choices (changes from the row above)
//!           0     1.350000   no  all in software
//!         300     0.950000  yes  fir=mac
//! ```
//!
//! If the task set has blocks, the changed blocks follow the choices: `aes=saes32; +sbox -mul16`, and then the clock
//! if it differs from the row above: `aes=saes32; +sbox; 123 MHz`.
//!
//! `no*` marks a design that misses a deadline although another of no more area is schedulable, `?` one whose verdict
//! is undecided.
//!
//! Areas are exact. A utilization is rounded to six digits, and one that would round to 1 without being 1 shows on
//! which side it lies: `>1.000000`. Of a long front the table shows both ends and the neighborhood of the smallest
//! schedulable point; it never hides fewer than four points in a row, because the line that reports hidden points
//! takes space too. On a narrow terminal, choices stand below the figures. Figures are never cut.

mod words;

use crate::answers::words::{utilization, with_unit};
use crate::front::blocks::Blocks;
use crate::front::clock;
use crate::text::{columns, counted, cut, visible, write_fitting};
use anstyle::{AnsiColor, Style};
use isx_design::exploration::Exploration;
use isx_design::schedulability::SmallestSchedulable;
use isx_exact::quantity::format_decimal;
use std::collections::BTreeSet;
use std::io::{self, Write};
use words::{Changes, assignment, block_changes, some_of};

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Columns of the terminal; lines of the table are cut to it.
    pub width: usize,
    /// Whether to color; the caller knows whether this is a terminal and whether the user wants it.
    pub color: bool,
    /// About how many points to show, at least 3.
    pub max_rows: usize,
    /// Text for hidden points, for example where to find them.
    pub rest: Option<&'a str>,
    /// Whether to report which engine ran, and why.
    pub engine: bool,
    /// Remarks to print at the end.
    pub notes: &'a [String],
}

impl Default for Options<'_> {
    /// 80 columns, no color, 20 points, no engine line.
    fn default() -> Self {
        Self { width: 80, color: false, max_rows: 20, rest: None, engine: false, notes: &[] }
    }
}

/// Narrower terminals are treated as this wide.
const MIN_WIDTH: usize = 40;
/// If the choices would have fewer columns than this, they stand below the figures.
const MIN_ROOM: usize = 20;
/// Their indentation there.
const STACKED_INDENT: usize = 6;
/// Fewer points in a row than this are never hidden.
const FEWEST_HIDDEN: usize = 4;

const HEADING: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// Prints the summary.
///
/// # Errors
///
/// When `out` fails.
pub fn write(explored: &Exploration, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let table = Table { explored, options, width: options.width.max(MIN_WIDTH) };
    table.write_head(out)?;
    table.write_points(out)?;
    table.write_summary(out)?;
    for note in options.notes {
        table.write_wrapped("note: ", &visible(note), out)?;
    }
    Ok(())
}

/// Prints the front in one line: `demo: 5 designs, smallest schedulable area 300 NAND2, utilization 0.950000`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_line(explored: &Exploration, out: &mut dyn Write) -> io::Result<()> {
    let table = Table { explored, options: &Options::default(), width: usize::MAX };
    let designs = counted(explored.front.len(), "design");
    let name = visible(&explored.task_set().name);
    writeln!(out, "{name}: {designs}, smallest schedulable area {}", table.smallest())
}

struct Table<'a> {
    explored: &'a Exploration,
    options: &'a Options<'a>,
    width: usize,
}

/// A row of the table, ready to be aligned.
struct Row {
    index: usize,
    area: String,
    utilization: String,
    /// Of the design, and of all designs of no more area.
    verdicts: (Option<bool>, Option<bool>),
    /// Changes from the row above.
    changes: Changes,
}

/// Positions of the columns.
struct Layout {
    area_head: String,
    area_width: usize,
    utilization_head: &'static str,
    utilization_width: usize,
    /// Columns for the choices.
    room: usize,
    /// Whether the choices stand below the figures.
    stacked: bool,
}

impl Table<'_> {
    fn write_head(&self, out: &mut dyn Write) -> io::Result<()> {
        let front = &self.explored.front;
        let name = cut(&visible(&front.task_set().name), self.width);
        writeln!(out, "{}", self.styled(HEADING, &name))?;
        let designs = counted(front.len(), "design");
        let cut_short = if front.is_complete() { "" } else { ", up to the area budget" };
        let status = self.explored.status.name();
        let head = format!("Exact Pareto front of {designs}{cut_short}, {status}");
        self.write_wrapped("", &head, out)?;
        if !front.task_set().what_if.is_empty() {
            self.write_wrapped("What if: ", &visible(&front.task_set().what_if.join(", ")), out)?;
        }
        if self.options.engine {
            let account = front.account();
            let ran = format!("{}, {} arithmetic; {}", account.ran_on(), account.arithmetic, account.why);
            self.write_wrapped("Engine: ", &visible(&ran), out)?;
        }
        writeln!(out)
    }

    fn write_points(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.rows();
        let layout = self.layout(&rows);
        self.write_heading(&layout, out)?;
        let mut shown = None;
        for row in &rows {
            let skipped = row.index - shown.map_or(0, |before| before + 1);
            self.write_gap(skipped, &layout, out)?;
            shown = Some(row.index);
            self.write_row(row, &layout, out)?;
        }
        let end = shown.map_or(0, |last| last + 1);
        self.write_gap(self.explored.front.len() - end, &layout, out)?;
        writeln!(out)
    }

    fn layout(&self, rows: &[Row]) -> Layout {
        let unit = cut(&visible(&self.explored.task_set().area_unit), 16);
        let area_head = if unit.is_empty() { "area".to_owned() } else { format!("area/{unit}") };
        let widest =
            |head: &str, cells: &mut dyn Iterator<Item = usize>| cells.fold(columns(head), usize::max);
        let area_width = widest(&area_head, &mut rows.iter().map(|row| row.area.len()));
        let mut cells = rows.iter().map(|row| row.utilization.len());
        // Two spaces between columns, and three letters of a verdict.
        let left = self.width.saturating_sub(1 + area_width + 2 + 2 + 3);
        let utilization_head = if left < columns("utilization") { "util." } else { "utilization" };
        let utilization_width = widest(utilization_head, &mut cells);
        let room = left.saturating_sub(utilization_width + 2);
        let stacked = room < MIN_ROOM;
        let room = if stacked { self.width - STACKED_INDENT } else { room };
        Layout { area_head, area_width, utilization_head, utilization_width, room, stacked }
    }

    fn write_heading(&self, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        let Layout { area_head, area_width, utilization_head, utilization_width, room, stacked } = layout;
        let figures = format!(
            " {}{area_head}  {utilization_head:>utilization_width$}  {:>3}",
            " ".repeat(area_width - columns(area_head)),
            self.explored.task_set().scheduler.abbreviation()
        );
        let full = if self.explored.task_set().blocks.is_empty() {
            "choices (changes from the row above)"
        } else {
            "choices and blocks (changes from the row above)"
        };
        let heads = [full, "changes from the row above"];
        let choices = cut(heads[usize::from(*room < columns(full))], *room);
        if *stacked {
            writeln!(out, "{}", self.styled(HEADING, &figures))?;
            writeln!(out, "{:STACKED_INDENT$}{}", "", self.styled(HEADING, &choices))
        } else {
            writeln!(out, "{}", self.styled(HEADING, &format!("{figures}  {choices}")))
        }
    }

    fn write_row(&self, row: &Row, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        let Layout { area_width, utilization_width, room, stacked, .. } = layout;
        let choices = row.changes.in_words(*room);
        let verdict = self.verdict(row.verdicts);
        write!(out, " {:>area_width$}  {:>utilization_width$}  {verdict}", row.area, row.utilization)?;
        if *stacked {
            writeln!(out, "\n{:STACKED_INDENT$}{choices}", "")
        } else {
            writeln!(out, "  {choices}")
        }
    }

    fn write_gap(&self, skipped: usize, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        if skipped == 0 {
            return Ok(());
        }
        let rest = self.options.rest.map_or(String::new(), |rest| format!("; {}", visible(rest)));
        let gap = format!("{} not shown{rest}", counted(skipped, "point"));
        let indent = if layout.stacked { 1 } else { layout.area_width };
        writeln!(out, " {:>indent$}  {}", "…", self.styled(DIM, &cut(&gap, self.width - indent - 3)))
    }

    fn write_summary(&self, out: &mut dyn Write) -> io::Result<()> {
        let base = &self.explored.base();
        let verdict = match base.schedulable {
            Some(true) => "schedulable",
            Some(false) => "not schedulable",
            None => "schedulability not decided",
        };
        let line = format!("utilization {}, {verdict}", utilization(&base.utilization));
        self.write_wrapped("Software only: ", &line, out)?;
        self.write_wrapped("Smallest schedulable area: ", &self.smallest(), out)?;
        let SmallestSchedulable::At(chosen) = &self.explored.verdicts.smallest else { return Ok(()) };
        let tasks = self.explored.task_set().tasks.iter().zip(&chosen.choices);
        let choices: Vec<String> =
            tasks.filter_map(|(task, &choice)| choice.map(|_| assignment(task, choice))).collect();
        if choices.is_empty() {
            return Ok(());
        }
        self.write_wrapped("  with ", &some_of(&choices, 3 * self.width), out)?;
        let mut blocks = Blocks::new(self.explored.task_set());
        let built: Vec<String> = blocks.named(&chosen.choices).map(|block| visible(&block.name)).collect();
        if built.is_empty() {
            return Ok(());
        }
        self.write_wrapped("  blocks ", &some_of(&built, 3 * self.width), out)?;
        self.clock(&chosen.choices).map_or(Ok(()), |clock| self.write_wrapped("  clock ", &clock, out))
    }

    /// The clock that a design runs at, where blocks limit it.
    fn clock(&self, choices: &[Option<u32>]) -> Option<String> {
        self.explored.front.formulation().clock_of(choices).map(clock::in_words)
    }

    /// The smallest schedulable area and its utilization, or why there is none.
    fn smallest(&self) -> String {
        match &self.explored.verdicts.smallest {
            SmallestSchedulable::At(chosen) => {
                let design = &chosen.design;
                let area = with_unit(&design.area, &self.explored.task_set().area_unit);
                format!("{area}, utilization {}", utilization(&design.utilization))
            }
            SmallestSchedulable::Unknown(why) => format!("not known: {}", visible(why)),
            SmallestSchedulable::None if self.explored.front.is_complete() => {
                "none, no design is schedulable".into()
            }
            SmallestSchedulable::None => "none within the area budget".into(),
        }
    }

    fn rows(&self) -> Vec<Row> {
        let explored = self.explored;
        let tasks = &explored.task_set().tasks;
        // The row above the first is a design all in software.
        let mut above = vec![None; tasks.len()];
        let mut blocks = Blocks::new(explored.task_set());
        let (mut built_above, mut rows) = (BTreeSet::new(), Vec::new());
        let formulation = explored.front.formulation();
        let mut clock_above = 0;
        let shown = self.shown().into_iter();
        for (point, design) in shown.filter_map(|at| explored.front.get(at).zip(explored.design(at))) {
            let Some(choices) = point.choices() else { continue };
            let changed = (0..tasks.len())
                .filter(|&at| choices[at] != above[at])
                .map(|at| assignment(&tasks[at], choices[at]));
            let built: BTreeSet<usize> = blocks.of(&choices).collect();
            let changes = Changes {
                choices: changed.collect(),
                blocks: block_changes(&explored.task_set().blocks, &built_above, &built),
                clock: self.clock(&choices).filter(|_| formulation.clock_number(&choices) != clock_above),
            };
            clock_above = formulation.clock_number(&choices);
            built_above = built;
            rows.push(Row {
                index: point.index(),
                area: format_decimal(&design.area),
                utilization: utilization(&design.utilization),
                verdicts: (design.schedulable, design.schedulable_within),
                changes,
            });
            above = choices;
        }
        rows
    }

    /// The points to show: the first and last few, and the smallest schedulable one with its neighbors.
    fn shown(&self) -> BTreeSet<usize> {
        let len = self.explored.front.len();
        let limit = self.options.max_rows.max(3);
        if len <= limit {
            return (0..len).collect();
        }
        let mut shown = BTreeSet::new();
        if let SmallestSchedulable::At(chosen) = &self.explored.verdicts.smallest {
            let at = self.explored.front.within(&chosen.design.area).map_or(0, |point| point.index());
            shown.extend([at.saturating_sub(1), at, at + 1].into_iter().filter(|&at| at < len).take(limit));
        }
        // Alternately from the front and the back, twice as many from the front, until the table is full.
        let (mut first, mut last) = (0, len - 1);
        while shown.len() < limit && first <= last {
            for _ in 0..2 {
                if shown.len() < limit {
                    shown.insert(first);
                    first += 1;
                }
            }
            if shown.len() < limit {
                shown.insert(last);
                last -= 1;
            }
        }
        close_small_gaps(&mut shown, len);
        shown
    }

    fn verdict(&self, verdicts: (Option<bool>, Option<bool>)) -> String {
        match verdicts {
            (Some(true), _) => self.styled(GOOD, "yes"),
            (Some(false), Some(true)) => self.styled(BAD, "no*"),
            (Some(false), _) => self.styled(BAD, " no"),
            (None, _) => self.styled(DIM, "  ?"),
        }
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if self.options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn write_wrapped(&self, label: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
        write_fitting(label, text, self.width, out)
    }
}

/// Shows the points in gaps too small to be worth hiding, between two shown points or after the last.
fn close_small_gaps(shown: &mut BTreeSet<usize>, len: usize) {
    let mut next = 0;
    let mut gaps = Vec::new();
    for at in shown.iter().copied().chain([len]) {
        if at - next < FEWEST_HIDDEN {
            gaps.push(next..at);
        }
        next = at + 1;
    }
    shown.extend(gaps.into_iter().flatten());
}

#[cfg(test)]
mod tests;
