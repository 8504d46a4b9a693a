//! A design as text for the terminal: one line per task if the terminal is wide enough, else several lines per task.
//!
//! ```text
//! demo: design 2 (numbered 0 to 4), SCHEDULABLE under EDF
//! Area 300 NAND2, utilization 1.350000 -> 0.950000
//!
//!  task  choice  area      WCET  utilization          share
//!  fir   mac      300  90 -> 50  0.900000 -> 0.500000  53 % ██████
//! ```

use super::{Change, LowestClock, Margin, Shown, ShownTask, TaskFigures};
use crate::answers::changes::{block_changes, changes};
pub use crate::answers::lines::Options;
use crate::answers::lines::{Columns, List};
use crate::answers::response;
use crate::answers::words::{self, SOFTWARE, fraction, percent, utilization};
use isx_exact::quantity::{Rational, approx, format_decimal, format_rounded};
use isx_report::front::clock::{self, figure_in_words};
use isx_report::front::costs;
use isx_report::text::{columns, cut, joined, visible};
use num_traits::{One, Signed, Zero};
use std::io::{self, Write};

/// Columns of the bar of a task with the whole utilization, if there is room.
const BAR: usize = 20;
const SHORTEST_BAR: usize = 8;
/// Columns of the labels below the tasks.
const LABEL: usize = 12;

/// Prints the design.
pub fn write_text(shown: &Shown, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    if options.brief {
        return write_line(shown, out);
    }
    let page = Page { shown, width: options.room(), options };
    page.write_head(out)?;
    page.write_tasks(out)?;
    page.write_rest(out)
}

/// Prints the design in one line: the verdict on it, its figures, and what each task takes that is not in software.
fn write_line(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let taken = words::taken(shown.tasks.iter().map(|task| (task.name.as_str(), task.choice.as_deref())));
    let variant = shown.head.variant(&shown.design);
    let variant = variant.map_or_else(String::new, |name| format!(", variant {}", visible(name)));
    writeln!(
        out,
        "{}: {} {}, {} {}, utilization {}{variant}, {taken}",
        visible(&shown.head.taskset),
        place(shown),
        words::verdict(shown.design.schedulable, false).0,
        cost_word(shown),
        costs::in_words(&shown.cost(), &shown.head.resources),
        utilization(&shown.utilization().design)
    )
}

/// Where the design stands on the front, with a comma at the end.
fn place(shown: &Shown) -> String {
    let Some(last) = shown.count.and_then(|count| count.checked_sub(1)) else {
        return "design of least utilization within the limits,".to_owned();
    };
    match shown.index {
        Some(index) => format!("design {index} (numbered 0 to {last}),"),
        None => "smallest design, off the front,".to_owned(),
    }
}

/// What a design costs: an area, or a cost in several resources.
fn cost_word(shown: &Shown) -> &'static str {
    costs::word(&shown.head.resources)
}

struct Page<'a> {
    shown: &'a Shown,
    width: usize,
    options: &'a Options<'a>,
}

/// The cells of a task.
struct Row {
    /// Name, choice, cost, WCET, utilization and share.
    cells: [String; 6],
    /// The share of the utilization, drawn as a bar.
    part: Option<Rational>,
}

impl Page<'_> {
    fn write_head(&self, out: &mut dyn Write) -> io::Result<()> {
        let shown = self.shown;
        let (word, style) = words::verdict(shown.design.schedulable, self.options.color);
        let name = cut(&visible(&shown.head.taskset), self.width.saturating_sub(1));
        let under = format!(" under {}", shown.head.scheduler.abbreviation());
        let place = place(shown);
        if columns(&format!("{name}: {place} {word}{under}")) <= self.width {
            writeln!(out, "{name}: {place} {style}{word}{style:#}{under}")?;
        } else {
            writeln!(out, "{name}:\n  {place}\n  {style}{word}{style:#}{under}")?;
        }
        let Change { software, design } = &shown.utilization();
        let figures = format!(
            "{} {}, utilization {} -> {}",
            cost_word(shown),
            costs::in_words(&shown.cost(), &shown.head.resources),
            utilization(software),
            utilization(design)
        );
        let mut about = List::default();
        about.add("", figures);
        about.add_origin(&shown.head.what_if, None);
        about.write(self.width, out)?;
        writeln!(out)
    }

    fn rows(&self) -> Vec<Row> {
        let arrow = |Change { software, design }: &Change, write: &dyn Fn(&Rational) -> String| {
            if software == design {
                write(design)
            } else {
                format!("{} -> {}", write(software), write(design))
            }
        };
        let wcet = |time: &Rational| {
            let unit = self.shown.units.as_ref().map(|(wcets, _)| wcets);
            unit.map_or_else(|| format_decimal(time), |unit| unit.figure(time))
        };
        let tasks = &self.shown.tasks;
        let is_whole = |at: usize| {
            tasks[at].saves.is_none() && tasks.get(at + 1).is_some_and(|next| next.saves.is_some())
        };
        let row = |(at, task): (usize, &ShownTask)| {
            let figures = task.figures.as_ref();
            let share = figures.map(|figures| &figures.share);
            let of_figures = |words: &dyn Fn(&TaskFigures) -> String| figures.map(words).unwrap_or_default();
            let cells = [
                visible(&task.name),
                match &task.choice {
                    Some(name) => visible(name),
                    None => if is_whole(at) { "" } else { SOFTWARE }.to_owned(),
                },
                if is_whole(at) { String::new() } else { self.own(task) },
                match &task.saves {
                    Some(saves) if saves.is_zero() => String::new(),
                    Some(saves) => wcet(&-saves),
                    None => of_figures(&|figures| arrow(&figures.wcet, &wcet)),
                },
                of_figures(&|figures| arrow(&figures.utilization, &utilization)),
                of_figures(&|figures| format!("{} %", percent(&figures.share, 1))),
            ];
            Row { cells, part: share.cloned() }
        };
        tasks.iter().enumerate().map(row).collect()
    }

    fn write_tasks(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.rows();
        if self.shown.tasks.iter().all(|task| task.figures.is_none()) {
            return self.write_names(&rows, out);
        }
        let wcet = match self.shown.units.as_ref().map_or("", |(wcets, _)| wcets.name()) {
            "" => "WCET".to_owned(),
            unit => format!("WCET/{unit}"),
        };
        let own =
            if self.are_blocks_all() { "uses".to_owned() } else { format!("own {}", cost_word(self.shown)) };
        let heads = ["task", "choice", &own, &wcet, "utilization", "share"].map(str::to_owned);
        let columns = Columns::new(&[0, 1], rows.iter().map(|row| &row.cells).chain([&heads]));
        let room = self.width.saturating_sub(columns.whole() + 2);
        if room < SHORTEST_BAR {
            return self.write_stacked(&rows, &own, &wcet, out);
        }
        let bold = self.options.bold();
        writeln!(out, "{bold} {}{bold:#}", columns.plain(&heads))?;
        for Row { cells, part } in &rows {
            let line = format!(" {} {}", columns.plain(cells), bar(part.as_ref(), room));
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out)
    }

    /// Several lines per task, for a narrow terminal.
    fn write_stacked(&self, rows: &[Row], own: &str, wcet: &str, out: &mut dyn Write) -> io::Result<()> {
        for Row { cells: [name, choice, cost, time, utilization, share], part } in rows {
            let own = if cost.is_empty() { String::new() } else { format!(", {own} {cost}") };
            let lines = [
                format!(" {name}: {choice}{own}"),
                format!("   {wcet} {time}"),
                format!("   utilization {utilization}"),
                format!("   share {share:>7} {}", bar(part.as_ref(), BAR)).trim_end().to_owned(),
            ];
            lines.iter().try_for_each(|line| writeln!(out, "{}", cut(line, self.width)))?;
        }
        writeln!(out)
    }

    /// Only tasks and choices, for a front that contains nothing else.
    fn write_names(&self, rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
        let names = || rows.iter().map(|row| &row.cells[..2]);
        let columns = Columns::new(&[0, 1], names());
        for row in names() {
            writeln!(out, "{}", cut(&format!(" {}", columns.plain(row)), self.width))?;
        }
        writeln!(out)
    }

    fn write_rest(&self, out: &mut dyn Write) -> io::Result<()> {
        let shown = self.shown;
        let mut list = List::new(LABEL);
        self.add_resources(&mut list);
        list.add("utilization", fraction(&shown.utilization().design));
        list.add("slack", fraction(&(Rational::one() - &shown.utilization().design)));
        list.add("margin", margin(&shown.schedulability.margin));
        list.some("switches", self.switches());
        let fails = "this design misses a deadline";
        let more = format!(
            "{} no more {}",
            if costs::is_area(&shown.head.resources) { "of" } else { "at" },
            cost_word(shown)
        );
        let verdict = match (shown.design.schedulable, shown.design.schedulable_within) {
            (Some(false), Some(true)) => format!("{fails}, another {more} is schedulable"),
            (Some(false), Some(false)) => format!("{fails}, and so does every other {more}"),
            (Some(false), None) => {
                format!("{fails}; whether another {more} is schedulable is not known")
            }
            (None, Some(true)) => {
                format!("this design was not decided, another {more} is schedulable")
            }
            (None, _) => "whether this design is schedulable was not decided".into(),
            (Some(true), _) => String::new(),
        };
        list.nonempty("verdict", verdict);
        for (number, (mode, verdict)) in shown.head.modes.iter().zip(&shown.schedulability.modes).enumerate()
        {
            let is_shown = if number == shown.schedulability.mode { ", shown above" } else { "" };
            let schedulable = words::schedulable_in_words(verdict.schedulable);
            let text =
                format!("{}: {}, {schedulable}{is_shown}", visible(mode), fraction(&verdict.utilization));
            list.add("mode", text);
        }
        list.some("variant", shown.head.variant(&shown.design).map(visible));
        self.add_blocks(&mut list);
        if let Some(hertz) = shown.head.clock_hz(&shown.design) {
            let limit = match shown.clock_limited_by.as_slice() {
                [] => String::new(),
                blocks => format!(", the fmax of {}", visible(&blocks.join(", "))),
            };
            list.add("clock", format!("{}{limit}", figure_in_words(hertz)));
        }
        if let Some(LowestClock { hertz, is_reached }) = &shown.schedulability.lowest_clock {
            let lowest = match is_reached {
                true => "the lowest at which this design is schedulable",
                false => "above which this design is schedulable, not at it",
            };
            list.add("min clock", format!("{}, {lowest}", clock::least_in_words(hertz)));
        }
        if shown.head.resources.objectives.len() == 1 && shown.count.is_some() {
            list.add("next", self.next());
        }
        list.write(self.width, out)?;
        let responses = &shown.schedulability.responses;
        match &shown.units {
            Some((_, times)) if !responses.is_empty() => {
                writeln!(out)?;
                response::write_text(responses, times, self.width, out)
            }
            _ => Ok(()),
        }
    }

    /// What part of the utilization context switches are.
    fn switches(&self) -> Option<String> {
        let figures = || self.shown.tasks.iter().filter_map(|task| task.figures.as_ref());
        if figures().all(|figures| figures.switches.design.is_zero()) {
            return None;
        }
        let part = |figures: &TaskFigures| {
            let all = &figures.wcet.design + &figures.switches.design;
            &figures.utilization.design * &figures.switches.design / all
        };
        let sum: Rational = figures().map(part).sum();
        let part = percent(&(&sum / &self.shown.utilization().design), 1);
        Some(format!("{}, {part} % of the utilization", fraction(&sum)))
    }

    /// The cost of a task's choice alone, or the blocks that it uses if they are all that is paid for.
    fn own(&self, task: &ShownTask) -> String {
        match &task.cost {
            Some(_) if self.are_blocks_all() => visible(&task.uses.join(", ")),
            Some(cost) => costs::own(cost, &self.shown.head.resources),
            None => String::new(),
        }
    }

    /// Whether no choice costs anything but the blocks that it uses.
    fn are_blocks_all(&self) -> bool {
        let tasks = &self.shown.tasks;
        let mut costs = tasks.iter().filter_map(|task| task.cost.as_ref()).flat_map(|cost| cost.iter());
        tasks.iter().any(|task| !task.uses.is_empty()) && costs.all(Zero::is_zero)
    }

    /// What the design uses of each resource, with a bar where it is limited.
    fn add_resources(&self, list: &mut List) {
        let resources = &self.shown.head.resources;
        if costs::is_area(resources) {
            return;
        }
        let cost = self.shown.cost();
        let amounts = resources.names.iter().zip(&cost).zip(&resources.limits);
        for (at, ((name, cost), limit)) in amounts.enumerate() {
            let used = match limit {
                Some(limit) if limit.is_positive() => {
                    let part = cost / limit;
                    let percent = percent(&part, 1);
                    let fill =
                        resources.fill_in_words(at).map_or_else(String::new, |fill| format!("; {fill}"));
                    let room = self.width.saturating_sub(LABEL + 40);
                    format!(
                        "{} of {} ({percent} %{fill}) {}",
                        format_decimal(cost),
                        format_decimal(limit),
                        bar(Some(&part), room)
                    )
                }
                Some(limit) => format!("{} of {}", format_decimal(cost), format_decimal(limit)),
                None => format_decimal(cost),
            };
            list.add(cut(&visible(name), LABEL - 1), used.trim_end());
        }
    }

    fn add_blocks(&self, list: &mut List) {
        let Some(blocks) = &self.shown.blocks else { return };
        if blocks.is_empty() {
            list.add("blocks", "none");
        }
        for block in blocks {
            let mut words = visible(&block.name);
            if let Some(cost) = &block.cost {
                let resources = &self.shown.head.resources;
                let cost = costs::figure_with_unit(&costs::own(cost, resources), resources);
                words += &format!(" ({cost}), used by {}", visible(&block.users.join(", ")));
            }
            list.add("block", words);
        }
    }

    fn next(&self) -> String {
        let shown = self.shown;
        let Shown { head, design, .. } = shown;
        let Some((_, next)) = &shown.next else {
            return if shown.index.is_none() && shown.tasks.iter().all(|task| task.figures.is_none()) {
                "not known: the design is off the front; show it from its task set".to_owned()
            } else if shown.head.complete {
                "none: no design has less utilization".to_owned()
            } else {
                format!("not known: the front ends here, {}", costs::cut_at_its(&shown.head.resources))
            };
        };
        let choices = changes(head, design, next);
        let mut choices = choices
            .map(|(task, choice)| format!("{}={}", visible(task), visible(choice.unwrap_or(SOFTWARE))));
        let mut words = joined(&mut choices, ", ");
        if let Some(variant) = head.variant(next).filter(|_| next.variant != design.variant) {
            let separator = if words.is_empty() { "" } else { ": " };
            words = format!("on {}{separator}{words}", visible(variant));
        }
        let mut blocks =
            block_changes(head, design, next).map(|(sign, name)| format!("{sign}{}", visible(name)));
        let blocks = joined(&mut blocks, " ");
        if !blocks.is_empty() {
            words += &format!("; {blocks}");
        }
        format!(
            "{} {} (+{}), utilization {} (-{}): {words}",
            cost_word(shown),
            costs::in_words(&next.exact_cost(), &head.resources),
            costs::own(&shown.more_cost(next), &head.resources),
            utilization(&next.utilization.exact()),
            format_rounded(&(design.utilization.exact() - next.utilization.exact()), 6),
        )
    }
}

/// The margin as a factor and in percent.
fn margin(margin: &Margin) -> String {
    match margin {
        Margin::Unknown(why) => format!("not known: {why}"),
        Margin::Exactly { factor, limit, is_reached } => {
            let change = factor - Rational::one();
            let (verb, sign, beyond) =
                if change.is_negative() { ("must shrink", "", "else") } else { ("may grow", "+", "beyond,") };
            let percent = format!("{sign}{} %", percent(&change, 2));
            let (to, beyond) = match is_reached {
                true => ("to", beyond),
                false if change.is_positive() => ("to just below", "then"),
                false => ("below", "else"),
            };
            let verb = if *is_reached || change.is_positive() { verb } else { "must shrink" };
            format!("all WCETs {verb} {to} {} times ({percent}); {beyond} {limit}", fraction(factor))
        }
    }
}

/// A bar for a share of the whole, in eighths of a column, at most `room` columns wide.
fn bar(part: Option<&Rational>, room: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = part.map_or(0.0, approx).clamp(0.0, 1.0) * (8 * BAR.min(room)) as f64;
    let eighths = eighths.round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}
