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
//! With several objectives, points that follow one another have little in common: a row then has all that its design takes and
//! builds.
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

mod rows;
mod words;

pub use crate::answers::lines::Options;
use crate::answers::lines::{Columns, List};
use crate::answers::words::{assignment, utilization};
use anstyle::{AnsiColor, Style};
use isx_report::front::clock::figure_in_words;
use isx_report::front::{Front, Point, costs};
use isx_report::text::{columns, counted, cut, joined, visible};
use rows::{Rows, figures, shown};
use std::io::{self, Write};
use std::ops::Range;
use words::{Changes, at_margins, some_of};

/// If the choices would have fewer columns than this, they stand below the figures.
const MIN_ROOM: usize = 20;
/// Their indentation there.
const STACKED_INDENT: usize = 6;
/// The fewest points for a terminal, however low it is.
const FEWEST_ROWS: usize = 10;
/// Lines that the command prints below, with the user's next one.
const BELOW: usize = 3;
/// The most minimal costs that are listed.
const MOST_LISTED: usize = 12;

const HEADING: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// Prints the summary.
pub fn write(front: &Front, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    if options.brief {
        return write_line(front, out);
    }
    let table = Table { front, options, width: options.room() };
    table.write_head(out)?;
    table.write_points(out)?;
    table.summary().write(table.width, out)
}

/// How many points fit a terminal of `height` lines, with the head and the summary; [`Options::max_rows`] is ignored.
pub fn rows_within(front: &Front, options: &Options, height: usize) -> usize {
    let table = Table { front, options, width: options.room() };
    let layout = table.layout(&shown(front, height));
    let mut around = Vec::new();
    // Memory takes every byte.
    let _ = table.write_around(&layout, &mut around);
    let around = around.iter().filter(|&&byte| byte == b'\n').count() + BELOW;
    let room = height.saturating_sub(around);
    let lines_per_row = if layout.stacked { 2 } else { 1 };
    let lines = |rows: usize| {
        let shown = shown(front, rows);
        let points: usize = shown.iter().map(Range::len).sum();
        let starts = shown.first().is_some_and(|first| first.start == 0);
        let ends = shown.last().is_some_and(|last| last.end == front.len());
        let gaps = shown.len() + 1 - usize::from(starts) - usize::from(ends);
        points * lines_per_row + gaps
    };
    let fitting = (FEWEST_ROWS..=room / lines_per_row).rev().find(|&rows| lines(rows) <= room);
    fitting.unwrap_or(FEWEST_ROWS)
}

/// Prints the front in one line: `demo: 5 designs, smallest schedulable area 300 NAND2, utilization 0.950000`.
fn write_line(front: &Front, out: &mut dyn Write) -> io::Result<()> {
    let table = Table { front, options: &Options::default(), width: usize::MAX };
    let smallest = match (table.minimal_unknown(), front.head.minimal.as_slice()) {
        (Some(unknown), _) => unknown,
        (None, []) => table.none(),
        (None, [only]) if costs::is_area(&front.head.resources) => table.minimal(only),
        (None, minimal) => costs::minimal_in_words(minimal, &front.head.resources),
    };
    let label = costs::smallest(&front.head.resources);
    let (name, designs) = (visible(&front.head.taskset), counted(front.len(), "design"));
    writeln!(out, "{name}: {designs}, {label} {smallest}")
}

struct Table<'a> {
    front: &'a Front<'a>,
    options: &'a Options<'a>,
    width: usize,
}

/// Positions of the columns.
struct Layout {
    /// The heads of the costs, of the utilization and of the verdict, and their columns.
    heads: Vec<String>,
    columns: Columns,
    /// Columns for the choices.
    room: usize,
    /// Whether the choices stand below the figures.
    stacked: bool,
}

impl Table<'_> {
    fn write_head(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = &self.front.head;
        let name = cut(&visible(&head.taskset), self.width);
        writeln!(out, "{}", self.styled(HEADING, &name))?;
        let designs = counted(self.front.len(), "design");
        let measure = if head.by_margin { " by area and margin" } else { "" };
        let cut_short = match (&head.larger_margins_unknown, head.complete) {
            (Some(_), _) => ", larger margins not known".to_owned(),
            (None, true) => String::new(),
            (None, false) => format!(", {}", costs::cut_at(&head.resources)),
        };
        let status = head.status.as_deref().unwrap_or("of unknown status");
        let line = format!("Exact Pareto front of {designs}{measure}{cut_short}, {status}");
        let mut about = List::default();
        about.add("", line);
        let ran = head.engine.as_ref().filter(|_| self.options.engine);
        let ran =
            ran.map(|engine| format!("{}, {} arithmetic; {}", engine.ran_on, engine.arithmetic, engine.why));
        about.add_origin(&head.what_if, ran);
        about.write(self.width, out)?;
        writeln!(out)
    }

    /// Everything but the points.
    fn write_around(&self, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        self.write_head(out)?;
        self.write_heading(layout, out)?;
        writeln!(out)?;
        self.summary().write(self.width, out)
    }

    fn write_points(&self, out: &mut dyn Write) -> io::Result<()> {
        let shown = shown(self.front, self.options.max_rows);
        let layout = self.layout(&shown);
        self.write_heading(&layout, out)?;
        // A front may have millions of points: none is held longer than its row takes to write.
        let mut rows = Rows::new(&self.front.head);
        let mut end = 0;
        for points in shown {
            self.write_gap(points.start - end, &layout, out)?;
            end = points.end;
            let write = &mut |_, point: &Point| self.write_row(point, &rows.changes(point), &layout, out);
            self.front.each(points, write)?;
        }
        self.write_gap(self.front.len() - end, &layout, out)?;
        writeln!(out)
    }

    fn layout(&self, shown: &[Range<usize>]) -> Layout {
        let mut heads = self.cost_heads();
        let mut columns = Columns::new(&[], [&heads]);
        let mut utilizations = Columns::default();
        for points in shown {
            self.front.figures(points.clone(), &mut |_, point| {
                columns.widen(&figures(point));
                utilizations.widen(&[utilization(&point.utilization.exact())]);
            });
        }
        // Two spaces between columns, and three letters of a verdict.
        let left = self.width.saturating_sub(1 + columns.whole() + 2 + 2 + 3);
        heads.push(if left < "utilization".len() { "util." } else { "utilization" }.to_owned());
        utilizations.widen(&heads[heads.len() - 1..]);
        let room = left.saturating_sub(utilizations.whole() + 2);
        columns.append(utilizations.whole());
        columns.append(3);
        heads.push(self.front.head.scheduler.abbreviation().to_owned());
        let stacked = room < MIN_ROOM;
        let room = if stacked { self.width - STACKED_INDENT } else { room };
        Layout { heads, columns, room, stacked }
    }

    /// The head of each column of cost.
    fn cost_heads(&self) -> Vec<String> {
        let head = &self.front.head;
        let heads = costs::heads(&head.resources).into_iter().map(|head| cut(&visible(&head), 21));
        heads.chain(head.by_margin.then(|| "margin".to_owned())).collect()
    }

    fn write_heading(&self, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        let Layout { room, stacked, .. } = layout;
        let figures = format!(" {}", layout.columns.plain(&layout.heads));
        let what = if self.front.head.has_blocks { "choices and blocks" } else { "choices" };
        let changes = format!("{what} (changes from the row above)");
        let names = match self.front.head.has_one_objective() {
            true => [changes.as_str(), "changes from the row above"],
            false => [what, what],
        };
        let full = names[0];
        let choices = cut(names[usize::from(*room < columns(full))], *room);
        if *stacked {
            writeln!(out, "{}", self.styled(HEADING, &figures))?;
            writeln!(out, "{:STACKED_INDENT$}{}", "", self.styled(HEADING, &choices))
        } else {
            writeln!(out, "{}", self.styled(HEADING, &format!("{figures}  {choices}")))
        }
    }

    fn write_row(
        &self,
        point: &Point,
        changes: &Changes,
        layout: &Layout,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let choices = changes.in_words(layout.room);
        let (verdict, style) = self.verdict(point);
        let mut cells = figures(point);
        cells.extend([utilization(&point.utilization.exact()), verdict.to_owned()]);
        write!(out, " {}", layout.columns.line(&cells, (cells.len() - 1, style)))?;
        if layout.stacked {
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
        let indent = if layout.stacked { 1 } else { layout.columns.width(0) };
        writeln!(out, " {:>indent$}  {}", "…", self.styled(DIM, &cut(&gap, self.width - indent - 3)))
    }

    /// What stands below the points: the ends of the front, and the notes.
    fn summary(&self) -> List {
        let (head, mut list) = (&self.front.head, List::default());
        let verdict = match head.base.schedulable {
            Some(true) => "schedulable",
            Some(false) => "not schedulable",
            None => "schedulability not decided",
        };
        let line = format!("utilization {}, {verdict}", utilization(&head.base.utilization.exact()));
        let label = head.variant(&head.base).map_or_else(
            || "Software only: ".to_owned(),
            |variant| format!("Software only on {}: ", cut(&visible(variant), self.width / 3)),
        );
        list.add(label, line);
        let modes = head.modes.iter().zip(&head.base.modes);
        let mut modes = modes.map(|(mode, used)| format!("{} {}", visible(mode), utilization(&used.exact())));
        list.nonempty("  modes: ", joined(&mut modes, ", "));
        let device = head.resources.device.as_ref();
        let label = device.map_or_else(|| "Limits: ".to_owned(), |device| format!("{}: ", visible(device)));
        list.nonempty(label, costs::limits_in_words(&head.resources));
        self.add_minimal(&mut list);
        for of_modes in &head.mode_areas {
            if of_modes.modes.len() == head.modes.len() {
                continue;
            }
            let names: Vec<String> = of_modes.modes.iter().map(|mode| visible(mode)).collect();
            let area = match (&of_modes.min_schedulable_area, &of_modes.min_schedulable_unknown) {
                (Some(area), _) => costs::figure_with_unit(area, &head.resources),
                (None, None) => "none".to_owned(),
                (None, Some(why)) => format!("not known: {}", visible(why)),
            };
            list.add(format!("  {} alone: ", names.join(" and ")), area);
        }
        if let Some((label, areas)) = at_margins(head) {
            list.add(label, areas);
        }
        self.options.notes.iter().for_each(|note| list.add("note: ", visible(note)));
        list
    }

    /// The minimal schedulable costs, and what a single one takes.
    fn add_minimal(&self, list: &mut List) {
        let head = &self.front.head;
        let mut label = costs::smallest(&head.resources).to_owned();
        label[..1].make_ascii_uppercase();
        label += ": ";
        match (self.minimal_unknown(), head.minimal.as_slice()) {
            (None, []) => list.add(label, self.none()),
            (None, [only]) => {
                list.add(label, self.minimal(only));
                self.add_taken(only, list);
            }
            (unknown, minimal) => {
                let unknown = unknown.as_deref().unwrap_or_default();
                list.add(if unknown.is_empty() { label.trim_end() } else { &label }, unknown);
                for design in minimal.iter().take(MOST_LISTED) {
                    list.add("  ", self.minimal(design));
                }
                if let Some(more) = minimal.len().checked_sub(MOST_LISTED).filter(|&more| more > 0) {
                    list.add("  ", format!("and {}", counted(more, "other")));
                }
            }
        }
    }

    /// A minimal cost with its utilization and what it leaves of the limits.
    fn minimal(&self, design: &Point) -> String {
        let (resources, cost) = (&self.front.head.resources, design.exact_cost());
        let left = costs::left(resources, &cost);
        let left = if left.is_empty() { left } else { format!("; left: {left}") };
        let used = utilization(&design.utilization.exact());
        format!("{}, utilization {used}{left}", costs::in_words(&cost, resources))
    }

    /// Why the minimal costs are not all known.
    fn minimal_unknown(&self) -> Option<String> {
        let why = self.front.head.minimal_unknown.as_ref()?;
        let all = if costs::is_area(&self.front.head.resources) { "" } else { "all " };
        Some(format!("not {all}known: {}", visible(why)))
    }

    /// What is said if no design is schedulable.
    fn none(&self) -> String {
        match self.front.head.complete {
            true => "none, no design is schedulable".into(),
            false => format!("none {}", costs::cut_within(&self.front.head.resources)),
        }
    }

    /// What a design takes and builds.
    fn add_taken(&self, design: &Point, list: &mut List) {
        let head = &self.front.head;
        let chosen = head.chosen(design).filter(|(_, choice)| choice.is_some());
        let choices: Vec<String> = chosen.map(|(task, choice)| assignment(task, choice)).collect();
        let built: Vec<String> = head.built(design).into_iter().map(visible).collect();
        list.some("  variant ", head.variant(design).map(visible));
        list.nonempty("  with ", some_of(&choices, 3 * self.width));
        if !choices.is_empty() && !built.is_empty() {
            list.add("  blocks ", some_of(&built, 3 * self.width));
            list.some("  clock ", head.clock_hz(design).map(figure_in_words));
        }
    }

    fn verdict(&self, point: &Point) -> (&'static str, Style) {
        let (word, style) = match (point.schedulable, point.schedulable_within) {
            (Some(true), _) => ("yes", GOOD),
            (Some(false), Some(true)) => ("no*", BAD),
            (Some(false), _) => (" no", BAD),
            (None, _) => ("  ?", DIM),
        };
        (word, if self.options.color { style } else { Style::new() })
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if self.options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests;
