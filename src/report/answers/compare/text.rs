//! A comparison as text for the terminal.

use super::{Better, Comparison, Side, Span};
use crate::answers::words::utilization;
use crate::answers::words::with_unit;
use crate::text::{columns, count, cut, visible, wrapped};
use isx_exact::quantity::{format_decimal, format_rounded};
use std::io::{self, Write};

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Columns of the terminal.
    pub width: usize,
    /// Most spans to print.
    pub max_rows: usize,
}

/// Narrower terminals are treated as this wide.
const MIN_WIDTH: usize = 40;

/// Prints which front is better where.
///
/// # Errors
///
/// When `out` fails.
pub fn write_text(compared: &Comparison, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let width = options.width.max(MIN_WIDTH);
    let mut line = |label: &str, text: &str| writeln!(out, "{}", wrapped(label, text, width));
    line("A: ", &summary(&compared.first))?;
    line("B: ", &summary(&compared.second))?;
    line("", "")?;
    let rows: Vec<(String, String)> = compared.spans.iter().map(|span| row(span, compared)).collect();
    let widest = rows.iter().take(options.max_rows).map(|(areas, _)| columns(areas)).max().unwrap_or(0);
    // Labels stand on the same line if there is room, else on the line above.
    let label = if 2 * widest <= width { widest } else { 0 };
    for (areas, words) in rows.iter().take(options.max_rows) {
        if label > 0 {
            line(&format!("{areas}{}  ", " ".repeat(label - columns(areas))), words)?;
        } else {
            line("", &cut(areas, width))?;
            line("  ", words)?;
        }
    }
    if let Some(more) = rows.len().checked_sub(options.max_rows).filter(|&more| more > 0) {
        line("", &format!("… {} more (see --all)", count(more)))?;
    }
    line("", "")?;
    line("", &conclusion(compared))?;
    if let Some(known_to) = &compared.known_to {
        let area = with_unit(known_to, &compared.first.head.area_unit);
        line(
            "note: ",
            &format!("beyond area {area} a front was cut at its budget, so nothing is said there"),
        )?;
    }
    Ok(())
}

/// Prints in one line which front is better overall, and what that means for the smallest schedulable area.
///
/// # Errors
///
/// When `out` fails.
pub fn write_line(compared: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", conclusion(compared))
}

fn summary(side: &Side) -> String {
    let head = &side.head;
    let smallest = match &head.min_schedulable_area {
        Some(area) => format!("smallest schedulable area {}", with_unit(area, &head.area_unit)),
        None => "no schedulable design known".to_owned(),
    };
    let what_if = if head.what_if.is_empty() {
        String::new()
    } else {
        format!("; what if: {}", visible(&head.what_if.join(", ")))
    };
    let designs = if head.points == 1 { "design" } else { "designs" };
    format!(
        "{} ({}), {} {designs}, {smallest}{what_if}",
        visible(&side.name),
        visible(&head.taskset),
        count(head.points)
    )
}

fn row(span: &Span, compared: &Comparison) -> (String, String) {
    let unit = &compared.first.head.area_unit;
    let areas = match &span.to {
        Some(to) => format!("area {} to {}", format_decimal(&span.from), with_unit(to, unit)),
        None => format!("area {} and more", with_unit(&span.from, unit)),
    };
    let better = |name: &str| {
        let most = format_rounded(&span.most, 6);
        format!(
            "{name} has less utilization, by up to {most} (from area {} on)",
            format_decimal(&span.most_at)
        )
    };
    let words = match span.better {
        Better::First => better("A"),
        Better::Second => better("B"),
        Better::Neither => "equal".to_owned(),
        Better::OnlyFirst => "only A has a design".to_owned(),
        Better::OnlySecond => "only B has a design".to_owned(),
    };
    (areas, words)
}

/// Which front is better overall, and what that means for the smallest schedulable area.
fn conclusion(compared: &Comparison) -> String {
    let any = |wanted: &[Better]| compared.spans.iter().any(|span| wanted.contains(&span.better));
    let first = any(&[Better::First, Better::OnlyFirst]);
    let second = any(&[Better::Second, Better::OnlySecond]);
    let whole = match (first, second) {
        (true, true) => "Each is better at some areas.",
        (true, false) => "A is nowhere worse than B.",
        (false, true) => "B is nowhere worse than A.",
        (false, false) => "The fronts are equal.",
    };
    let smallest = |side: &Side| side.head.min_schedulable_area.clone();
    let unit = &compared.first.head.area_unit;
    let schedulable = match (smallest(&compared.first), smallest(&compared.second)) {
        (Some(one), Some(other)) if one < other => {
            format!(" A is schedulable with {} less area.", with_unit(&(other - one), unit))
        }
        (Some(one), Some(other)) if one > other => {
            format!(" B is schedulable with {} less area.", with_unit(&(one - other), unit))
        }
        _ => String::new(),
    };
    let ends = compared.first.steps.last().zip(compared.second.steps.last());
    let least = ends.map_or_else(String::new, |((_, one), (_, other))| {
        format!(" Least utilization: A {}, B {}.", utilization(one), utilization(other))
    });
    let known = if compared.known_to.is_some() { "As far as both are known: " } else { "" };
    format!("{known}{whole}{schedulable}{least}")
}
