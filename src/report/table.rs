//! The front as a table for the terminal, cut to what fits.
//!
//! ```text
//! demo
//! Exact Pareto front of 5 designs, proved
//! Engine: list (1 thread), i32 arithmetic; the lists stay short, at most 5 pairs
//!
//!  area/NAND2  utilization  EDF  choices (changes from the row above)
//!           0     1.350000   no  all in software
//!         300     0.950000  yes  fir=mac
//! ```
//!
//! Areas are exact. A utilization is rounded to six digits, and one that would round to 1 without being 1 shows on
//! which side it lies: `>1.000000`. Of a long front the ends and the surroundings of the smallest schedulable
//! point are shown.

use super::text::{columns, count, cut, visible};
use crate::exploration::Exploration;
use crate::front::Design;
use crate::quantity::{Rational, format_decimal, format_rounded};
use crate::schedulability::SmallestSchedulable;
use crate::taskset::Task;
use anstyle::{AnsiColor, Style};
use num_traits::One;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Columns of the terminal; lines of the table are cut to it.
    pub width: usize,
    /// Whether to color; the caller knows whether this is a terminal and whether the user wants it.
    pub color: bool,
    /// Most points to show, at least 3.
    pub max_rows: usize,
    /// The file that has the points that are not shown, where there is one.
    pub full: Option<&'a str>,
    /// Remarks to print at the end.
    pub notes: &'a [String],
}

impl Default for Options<'_> {
    /// 80 columns, no color, 20 points.
    fn default() -> Self {
        Self { width: 80, color: false, max_rows: 20, full: None, notes: &[] }
    }
}

/// The narrowest width that is respected.
const MIN_WIDTH: usize = 40;

const HEADING: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// Prints the summary.
///
/// # Errors
///
/// When `out` fails.
pub fn write(explored: &Exploration, options: &Options, out: &mut impl Write) -> io::Result<()> {
    let table = Table { explored, options, width: options.width.max(MIN_WIDTH) };
    table.write_head(out)?;
    table.write_points(out)?;
    table.write_summary(out)?;
    for note in options.notes {
        table.write_wrapped("note: ", &visible(note), out)?;
    }
    Ok(())
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
    verdict: Option<bool>,
    choices: String,
}

impl Table<'_> {
    fn write_head(&self, out: &mut impl Write) -> io::Result<()> {
        let front = &self.explored.front;
        let name = cut(&visible(&front.task_set().name), self.width);
        writeln!(out, "{}", self.styled(HEADING, &name))?;
        let designs = if front.len() == 1 { "design" } else { "designs" };
        let cut_short = if front.is_complete() { "" } else { ", up to the area budget" };
        let status = self.explored.status.name();
        let head = if front.is_exact() {
            format!("Exact Pareto front of {} {designs}{cut_short}, {status}", count(front.len()))
        } else {
            format!("INEXACT: {} {designs} chosen in floats; better ones may be missing", count(front.len()))
        };
        self.write_wrapped("", &head, out)?;
        let account = front.account();
        let ran = format!("{}, {} arithmetic; {}", account.ran_on(), account.arithmetic, account.why);
        self.write_wrapped("Engine: ", &visible(&ran), out)?;
        writeln!(out)
    }

    fn write_points(&self, out: &mut impl Write) -> io::Result<()> {
        let rows = self.rows();
        let unit = cut(&visible(&self.explored.task_set().area_unit), 16);
        let area_head = if unit.is_empty() { "area".to_owned() } else { format!("area/{unit}") };
        let widest =
            |head: &str, cells: &mut dyn Iterator<Item = usize>| cells.fold(columns(head), usize::max);
        let area_width = widest(&area_head, &mut rows.iter().map(|row| row.area.len()));
        let utilization_width = widest("utilization", &mut rows.iter().map(|row| row.utilization.len()));
        // Two spaces, then three letters of a verdict, then two spaces.
        let room = self.width.saturating_sub(1 + area_width + 2 + utilization_width + 7).max(12);

        let choices_head = cut("choices (changes from the row above)", room);
        let head = format!(
            " {}{area_head}  {:>utilization_width$}  EDF  {choices_head}",
            " ".repeat(area_width - columns(&area_head)),
            "utilization"
        );
        writeln!(out, "{}", self.styled(HEADING, &head))?;
        let mut shown = None;
        for row in &rows {
            let skipped = row.index - shown.map_or(0, |before| before + 1);
            self.write_gap(skipped, area_width, out)?;
            shown = Some(row.index);
            writeln!(
                out,
                " {:>area_width$}  {:>utilization_width$}  {}  {}",
                row.area,
                row.utilization,
                self.verdict(row.verdict),
                cut(&row.choices, room)
            )?;
        }
        let end = shown.map_or(0, |last| last + 1);
        self.write_gap(self.explored.front.len() - end, area_width, out)?;
        writeln!(out)
    }

    fn write_gap(&self, skipped: usize, area_width: usize, out: &mut impl Write) -> io::Result<()> {
        if skipped == 0 {
            return Ok(());
        }
        let points = if skipped == 1 { "point" } else { "points" };
        let full = self.options.full.map_or(String::new(), |file| format!("; see {}", visible(file)));
        let gap = format!("{} {points} not shown{full}", count(skipped));
        writeln!(out, " {:>area_width$}  {}", "…", self.styled(DIM, &cut(&gap, self.width - area_width - 3)))
    }

    fn write_summary(&self, out: &mut impl Write) -> io::Result<()> {
        let base = &self.explored.base();
        let verdict = match base.schedulable {
            Some(true) => "schedulable",
            Some(false) => "not schedulable",
            None => "schedulability not decided",
        };
        let line = format!("utilization {}, {verdict}", utilization(&base.utilization));
        self.write_wrapped("Software only: ", &line, out)?;
        let label = "Smallest schedulable area: ";
        match &self.explored.verdicts.smallest {
            SmallestSchedulable::At(chosen) => {
                let line = format!(
                    "{}, utilization {}",
                    self.with_unit(&chosen.design),
                    utilization(&chosen.design.utilization)
                );
                self.write_wrapped(label, &line, out)?;
                let tasks = self.explored.task_set().tasks.iter().zip(&chosen.choices);
                let choices: Vec<String> =
                    tasks.filter_map(|(task, &choice)| choice.map(|_| assignment(task, choice))).collect();
                if choices.is_empty() {
                    return Ok(());
                }
                self.write_wrapped("  with ", &some_of(&choices, 3 * self.width), out)
            }
            SmallestSchedulable::None if self.explored.front.is_complete() => {
                self.write_wrapped(label, "none, no design is schedulable", out)
            }
            SmallestSchedulable::None => self.write_wrapped(label, "none within the area budget", out),
            SmallestSchedulable::Unknown(why) => {
                self.write_wrapped(label, &format!("not decided: {}", visible(why)), out)
            }
        }
    }

    fn rows(&self) -> Vec<Row> {
        let explored = self.explored;
        let tasks = &explored.task_set().tasks;
        // The row above the first is a design all in software.
        let (mut above, mut choices) = (vec![None; tasks.len()], vec![None; tasks.len()]);
        let mut scratch = Vec::new();
        let shown = self.shown();
        let mut rows = Vec::new();
        let shown = shown.into_iter().filter_map(|at| explored.front.get(at).zip(explored.design(at)));
        for (point, design) in shown {
            point.write_choices(&mut choices, &mut scratch);
            let changed: Vec<String> = (0..tasks.len())
                .filter(|&at| choices[at] != above[at])
                .map(|at| assignment(&tasks[at], choices[at]))
                .collect();
            rows.push(Row {
                index: point.index(),
                area: format_decimal(&design.area),
                utilization: utilization(&design.utilization),
                verdict: design.schedulable,
                choices: match changed.is_empty() {
                    true => "all in software".to_owned(),
                    false => some_of(&changed, self.width),
                },
            });
            above.copy_from_slice(&choices);
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
        shown
    }

    fn with_unit(&self, design: &Design) -> String {
        let unit = visible(&self.explored.task_set().area_unit);
        let area = format_decimal(&design.area);
        if unit.is_empty() { area } else { format!("{area} {unit}") }
    }

    fn verdict(&self, verdict: Option<bool>) -> String {
        match verdict {
            Some(true) => self.styled(GOOD, "yes"),
            Some(false) => self.styled(BAD, " no"),
            None => self.styled(DIM, "  ?"),
        }
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if self.options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Prints words after a label, broken at spaces and indented by the label's width.
    fn write_wrapped(&self, label: &str, text: &str, out: &mut impl Write) -> io::Result<()> {
        let indent = columns(label);
        let mut used = indent;
        write!(out, "{label}")?;
        for (at, word) in text.split(' ').enumerate() {
            let word = cut(word, self.width - indent.min(self.width / 2));
            if at > 0 && used + 1 + columns(&word) > self.width {
                write!(out, "\n{:indent$}", "")?;
                used = indent;
            } else if at > 0 {
                write!(out, " ")?;
                used += 1;
            }
            used += columns(&word);
            write!(out, "{word}")?;
        }
        writeln!(out)
    }
}

fn assignment(task: &Task, choice: Option<u32>) -> String {
    let choice = choice.map_or("(none)".to_owned(), |at| visible(&task.choices[at as usize].name));
    format!("{}={choice}", visible(&task.name))
}

/// As many of the items as fit, and how many more there are.
fn some_of(items: &[String], room: usize) -> String {
    let whole = items.join(", ");
    if columns(&whole) <= room {
        return whole;
    }
    let mut text = String::new();
    for (at, item) in items.iter().enumerate() {
        let more = format!("+{} more", items.len() - at);
        if at > 0 && columns(&text) + columns(item) + 2 + columns(&more) > room {
            return text + &more;
        }
        text += item;
        text += ", ";
    }
    whole
}

/// Six decimals; what rounds to 1 and is not says so.
fn utilization(value: &Rational) -> String {
    let rounded = format_rounded(value, 6);
    let one = Rational::one();
    match rounded.as_str() {
        "1.000000" if *value > one => format!(">{rounded}"),
        "1.000000" if *value < one => format!("<{rounded}"),
        _ => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{demo, front_of, nasty, random, unlike_fronts};
    use super::*;

    fn print(front: &Exploration, options: &Options) -> String {
        let mut bytes = Vec::new();
        write(front, options, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_demo_reads_as_it_should() {
        let notes = ["task `log` has no choices".to_owned()];
        let text = print(&demo(), &Options { notes: &notes, ..Options::default() });
        let wanted = "\
demo
Exact Pareto front of 5 designs, checked
Engine: list (1 thread), i32 arithmetic; --engine list

 area/NAND2  utilization  EDF  choices (changes from the row above)
          0     1.350000   no  all in software
        300     0.950000  yes  fir=mac
        640     0.750000  yes  fir=dual mac
";
        assert!(text.starts_with(wanted), "{text}");
        assert!(text.contains("\nSoftware only: utilization 1.350000, not schedulable\n"), "{text}");
        assert!(text.contains("\nSmallest schedulable area: 300 NAND2, utilization 0.950000\n"), "{text}");
        assert!(text.ends_with("note: task `log` has no choices\n"), "{text}");
    }

    #[test]
    fn long_fronts_are_cut_and_show_the_smallest_schedulable_point() {
        let front = front_of(&random(14, 6, 3));
        assert!(front.front.len() > 100, "{}", front.front.len());
        let SmallestSchedulable::At(smallest) = &front.verdicts.smallest else {
            panic!("meant to be schedulable")
        };
        for max_rows in [3, 4, 10, 20] {
            let options = Options { max_rows, full: Some("front.csv"), ..Options::default() };
            let text = print(&front, &options);
            let rows: Vec<&str> =
                text.lines().filter(|line| line.contains("  yes  ") || line.contains("   no  ")).collect();
            assert_eq!(rows.len(), max_rows, "{text}");
            let area = format!(" {} ", format_decimal(&smallest.design.area));
            assert!(rows.iter().any(|row| row.contains(&area) && row.contains("yes")), "{text}");
            assert!(text.contains("points not shown; see front.csv"), "{text}");
            let hidden: usize = text
                .lines()
                .filter_map(|line| line.split_once('…')?.1.split_once(" point"))
                .map(|(count, _)| count.trim().replace(',', "").parse::<usize>().unwrap())
                .sum();
            // What follows the last row shown is hidden too, and said at the end.
            assert_eq!(hidden + max_rows, front.front.len(), "{text}");
        }
    }

    #[test]
    fn lines_keep_to_the_width() {
        let mut lines = 0;
        for front in unlike_fronts() {
            for width in [50, 80, 132] {
                let text = print(&front, &Options { width, max_rows: 8, ..Options::default() });
                for line in text.lines() {
                    assert!(columns(line) <= width, "{width}: {line}");
                    lines += 1;
                }
            }
        }
        assert!(lines > 200);
    }

    #[test]
    fn no_name_reaches_the_terminal_raw() {
        let mut taskset = nasty();
        taskset.name = "a\u{1b}[31mb".into();
        let text = print(&front_of(&taskset), &Options { width: 400, ..Options::default() });
        assert!(text.contains("a\\u{1b}[31mb"), "{text}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
        assert!(!text.contains('\u{202e}'));
    }

    #[test]
    fn color_is_only_added() {
        let plain = print(&demo(), &Options::default());
        let colored = print(&demo(), &Options { color: true, ..Options::default() });
        assert!(!plain.contains('\u{1b}') && colored.contains('\u{1b}'));
        assert_eq!(anstream::adapter::strip_str(&colored).to_string(), plain);
    }

    #[test]
    fn a_utilization_just_off_one_is_not_printed_as_one() {
        let near = |numerator: i64| utilization(&Rational::new(numerator.into(), 1_000_000_000.into()));
        assert_eq!(near(1_000_000_000), "1.000000");
        assert_eq!(near(1_000_000_001), ">1.000000");
        assert_eq!(near(999_999_999), "<1.000000");
        assert_eq!(near(999_000_000), "0.999000");
    }
}
