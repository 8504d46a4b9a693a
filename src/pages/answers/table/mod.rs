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

mod minimal;
mod rows;
mod words;

use crate::answers::words::{utilization, with_unit};
use anstyle::{AnsiColor, Style};
use isx_design::exploration::Exploration;
use isx_design::front::ChosenDesign;
use isx_design::schedulability::{Smallest, SmallestSchedulable};
use isx_report::front::blocks::built_names;
use isx_report::front::clock;
use isx_report::front::costs;
use isx_report::front::figures::Figures;
use isx_report::text::{columns, counted, cut, joined, visible, write_fitting};
use rows::{Row, Rows, margin, shown};
use std::io::{self, Write};
use std::ops::Range;
use words::{assignment, at_margins, some_of};

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
/// The fewest points for a terminal, however low it is.
const FEWEST_ROWS: usize = 10;
/// Lines that the command prints below, with the user's next one.
const BELOW: usize = 3;

const HEADING: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// Prints the summary.
pub fn write(explored: &Exploration, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let table = Table { explored, options, width: options.width.max(MIN_WIDTH) };
    table.write_head(out)?;
    table.write_points(out)?;
    table.write_summary(out)?;
    table.write_notes(out)
}

/// How many points fit a terminal of `height` lines, with the head and the summary; [`Options::max_rows`] is ignored.
pub fn rows_within(explored: &Exploration, options: &Options, height: usize) -> usize {
    let table = Table { explored, options, width: options.width.max(MIN_WIDTH) };
    let layout = table.layout(&shown(explored, height));
    let mut around = Vec::new();
    // Memory takes every byte.
    let _ = table.write_around(&layout, &mut around);
    let around = around.iter().filter(|&&byte| byte == b'\n').count() + BELOW;
    let room = height.saturating_sub(around);
    let lines_per_row = if layout.stacked { 2 } else { 1 };
    let lines = |rows: usize| {
        let shown = shown(explored, rows);
        let points: usize = shown.iter().map(Range::len).sum();
        let starts = shown.first().is_some_and(|first| first.start == 0);
        let ends = shown.last().is_some_and(|last| last.end == explored.front.len());
        let gaps = shown.len() + 1 - usize::from(starts) - usize::from(ends);
        points * lines_per_row + gaps
    };
    let fitting = (FEWEST_ROWS..=room / lines_per_row).rev().find(|&rows| lines(rows) <= room);
    fitting.unwrap_or(FEWEST_ROWS)
}

/// Prints the front in one line: `demo: 5 designs, smallest schedulable area 300 NAND2, utilization 0.950000`.
pub fn write_line(explored: &Exploration, out: &mut dyn Write) -> io::Result<()> {
    let table = Table { explored, options: &Options::default(), width: usize::MAX };
    let designs = counted(explored.front.len(), "design");
    let name = visible(&explored.task_set().name);
    if !explored.task_set().is_one_area() {
        return writeln!(out, "{name}: {designs}, minimal schedulable costs {}", table.minimal_in_a_line());
    }
    writeln!(out, "{name}: {designs}, smallest schedulable area {}", table.smallest())
}

struct Table<'a> {
    explored: &'a Exploration,
    options: &'a Options<'a>,
    width: usize,
}

/// Positions of the columns.
struct Layout {
    /// The head and the width of each column of cost.
    costs: Vec<(String, usize)>,
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
        let cut_short = match front.task_set().named_resources() {
            _ if front.is_complete() => "",
            Some(_) => ", within the limits",
            None => ", up to the area budget",
        };
        let status = self.explored.status.name();
        let measure = if self.explored.point_margins.is_empty() { "" } else { " by area and margin" };
        let is_cut = self.explored.larger_margins_unknown.is_some();
        let cut_short = if is_cut { ", larger margins not known" } else { cut_short };
        let head = format!("Exact Pareto front of {designs}{measure}{cut_short}, {status}");
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

    /// Everything but the points.
    fn write_around(&self, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        self.write_head(out)?;
        self.write_heading(layout, out)?;
        writeln!(out)?;
        self.write_summary(out)?;
        self.write_notes(out)
    }

    fn write_points(&self, out: &mut dyn Write) -> io::Result<()> {
        let shown = shown(self.explored, self.options.max_rows);
        let layout = self.layout(&shown);
        self.write_heading(&layout, out)?;
        // A front may have millions of points: none is held longer than its row takes to write.
        let mut rows = Rows::new(self.explored);
        let mut end = 0;
        for points in shown {
            self.write_gap(points.start - end, &layout, out)?;
            end = points.end;
            self.explored.front.each_chosen(points, |point, choices| {
                self.write_row(&rows.row(&point, choices), &layout, out)
            })?;
        }
        self.write_gap(self.explored.front.len() - end, &layout, out)?;
        writeln!(out)
    }

    fn layout(&self, shown: &[Range<usize>]) -> Layout {
        let mut costs: Vec<(String, usize)> =
            self.cost_heads().into_iter().map(|head| (head.clone(), columns(&head))).collect();
        let mut widest_utilization = 0;
        let figures = Figures::new(self.explored.front.formulation());
        for point in shown.iter().cloned().flatten().filter_map(|at| self.explored.front.get(at)) {
            for (column, (_, width)) in costs.iter_mut().enumerate().take(figures.costs()) {
                *width = (*width).max(figures.cost(column, &point).len());
            }
            if let (Some(margin), Some((_, width))) = (margin(self.explored, &point), costs.last_mut()) {
                *width = (*width).max(margin.len());
            }
            widest_utilization = widest_utilization.max(figures.rounded(&point, utilization).len());
        }
        // Two spaces between columns, and three letters of a verdict.
        let of_costs = costs.iter().map(|(_, width)| width + 2).sum::<usize>();
        let left = self.width.saturating_sub(1 + of_costs + 2 + 3);
        let utilization_head = if left < columns("utilization") { "util." } else { "utilization" };
        let utilization_width = columns(utilization_head).max(widest_utilization);
        let room = left.saturating_sub(utilization_width + 2);
        let stacked = room < MIN_ROOM;
        let room = if stacked { self.width - STACKED_INDENT } else { room };
        Layout { costs, utilization_head, utilization_width, room, stacked }
    }

    /// The head of each column of cost.
    fn cost_heads(&self) -> Vec<String> {
        if !self.explored.task_set().is_one_area() {
            let names = costs::names(self.explored.task_set()).into_iter();
            return names.map(|name| cut(&visible(name), 16)).collect();
        }
        let unit = cut(&visible(self.explored.task_set().area_unit()), 16);
        let area = if unit.is_empty() { "area".to_owned() } else { format!("area/{unit}") };
        let margin = (!self.explored.point_margins.is_empty()).then(|| "margin".to_owned());
        std::iter::once(area).chain(margin).collect()
    }

    fn write_heading(&self, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        let Layout { costs, utilization_head, utilization_width, room, stacked } = layout;
        let figures = format!(
            " {}  {utilization_head:>utilization_width$}  {:>3}",
            joined(&mut costs.iter().map(|(head, width)| " ".repeat(width - columns(head)) + head), "  "),
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
        let Layout { costs, utilization_width, room, stacked, .. } = layout;
        let choices = row.changes.in_words(*room);
        let verdict = self.verdict(row.verdicts);
        let mut figures = row.costs.iter().zip(costs).map(|(cost, (_, width))| format!("{cost:>width$}"));
        let figures = joined(&mut figures, "  ");
        write!(out, " {figures}  {:>utilization_width$}  {verdict}", row.utilization)?;
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
        let indent = if layout.stacked { 1 } else { layout.costs[0].1 };
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
        let on = self.explored.task_set().variants.get(base.variant);
        let label = on.map_or_else(
            || "Software only: ".to_owned(),
            |variant| format!("Software only on {}: ", cut(&visible(&variant.name), self.width / 3)),
        );
        self.write_wrapped(&label, &line, out)?;
        if let Some(resources) = self.explored.task_set().named_resources() {
            self.write_limits(resources, out)?;
            return self.write_minimal(out);
        }
        self.write_modes(out)?;
        self.write_wrapped("Smallest schedulable area: ", &self.smallest(), out)?;
        self.write_smallest_design(out)?;
        self.write_mode_areas(out)?;
        match at_margins(self.explored) {
            Some((label, areas)) => self.write_wrapped(&label, &areas, out),
            None => Ok(()),
        }
    }

    /// The utilization of software in each mode.
    fn write_modes(&self, out: &mut dyn Write) -> io::Result<()> {
        let set = self.explored.task_set();
        if set.modes.is_empty() {
            return Ok(());
        }
        let software = self.explored.front.formulation().mode_utilizations(&vec![None; set.tasks.len()]);
        let modes = set.modes.iter().zip(&software);
        let modes = modes.map(|(mode, in_mode)| format!("{} {}", visible(mode), utilization(in_mode)));
        self.write_wrapped("  modes: ", &modes.collect::<Vec<_>>().join(", "), out)
    }

    /// What some of the modes cost without the others.
    fn write_mode_areas(&self, out: &mut dyn Write) -> io::Result<()> {
        let set = self.explored.task_set();
        for of_modes in &self.explored.mode_areas {
            if of_modes.modes.len() == set.modes.len() {
                continue;
            }
            let names: Vec<String> = of_modes.modes.iter().map(|&mode| visible(&set.modes[mode])).collect();
            let area = match &of_modes.smallest {
                Smallest::At(area) => with_unit(area, set.area_unit()),
                Smallest::None => "none".to_owned(),
                Smallest::Unknown(why) => format!("not known: {}", visible(why)),
            };
            self.write_wrapped(&format!("  {} alone: ", names.join(" and ")), &area, out)?;
        }
        Ok(())
    }

    fn write_smallest_design(&self, out: &mut dyn Write) -> io::Result<()> {
        let SmallestSchedulable::At(chosen) = &self.explored.verdicts.smallest else { return Ok(()) };
        let tasks = self.explored.task_set().tasks.iter().zip(&chosen.choices);
        let choices: Vec<String> =
            tasks.filter_map(|(task, &choice)| choice.map(|_| assignment(task, choice))).collect();
        if let Some(variant) = self.explored.task_set().variants.get(chosen.design.variant) {
            self.write_wrapped("  variant ", &visible(&variant.name), out)?;
        }
        if choices.is_empty() {
            return Ok(());
        }
        self.write_wrapped("  with ", &some_of(&choices, 3 * self.width), out)?;
        let built = built_names(self.explored.task_set(), &chosen.choices);
        let built: Vec<String> = built.into_iter().map(visible).collect();
        if built.is_empty() {
            return Ok(());
        }
        self.write_wrapped("  blocks ", &some_of(&built, 3 * self.width), out)?;
        self.clock(chosen).map_or(Ok(()), |clock| self.write_wrapped("  clock ", &clock, out))
    }

    fn write_notes(&self, out: &mut dyn Write) -> io::Result<()> {
        self.options.notes.iter().try_for_each(|note| self.write_wrapped("note: ", &visible(note), out))
    }

    /// The clock that a design runs at, where blocks limit it.
    fn clock(&self, chosen: &ChosenDesign) -> Option<String> {
        let formulation = self.explored.front.formulation_in(chosen.design.variant);
        formulation.clock_of(&chosen.choices).map(clock::in_words)
    }

    /// The smallest schedulable area and its utilization, or why there is none.
    fn smallest(&self) -> String {
        match &self.explored.verdicts.smallest {
            SmallestSchedulable::At(chosen) => {
                let design = &chosen.design;
                let area = with_unit(design.area(), self.explored.task_set().area_unit());
                format!("{area}, utilization {}", utilization(&design.utilization))
            }
            SmallestSchedulable::Unknown(why) => format!("not known: {}", visible(why)),
            SmallestSchedulable::None if self.explored.front.is_complete() => {
                "none, no design is schedulable".into()
            }
            SmallestSchedulable::None => "none within the area budget".into(),
        }
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

#[cfg(test)]
mod tests;
