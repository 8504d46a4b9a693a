//! A comparison as text for the terminal.

use super::labels::{best_of, listed};
use super::{Against, Comparison, Side, Span};
use crate::answers::lines::{List, Options};
use crate::answers::words::{utilization, with_unit};
use isx_exact::quantity::{Rational, format_decimal, format_rounded};
use isx_report::front::costs;
use isx_report::text::{columns, count, cut, joined, listed as listed_names, visible};
use std::io::{self, Write};

/// Prints which front is better where; briefly, in one line which is better overall.
pub fn write_text(compared: &Comparison, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    if options.brief {
        return writeln!(out, "{}", conclusion(compared));
    }
    let width = options.room();
    let mut list = List::default();
    for (side, label) in compared.sides.iter().zip(&compared.labels) {
        list.add(format!("{label}: "), side.summary());
    }
    list.add("", "");
    if let (Some(side), false) = (compared.sides.first(), compared.against.is_empty()) {
        let others = listed_names(&side.objectives()[1..]);
        list.add("", visible(&format!("Within the same {}, whatever the {others}:", side.objectives()[0])));
    }
    let rows: Vec<(String, String)> = compared.spans.iter().map(|span| row(span, compared)).collect();
    let widest = rows.iter().take(options.max_rows).map(|(areas, _)| columns(areas)).max().unwrap_or(0);
    // Labels stand on the same line if there is room, else on the line above.
    for (areas, words) in rows.iter().take(options.max_rows) {
        if 2 * widest <= width {
            list.add(format!("{areas}{}  ", " ".repeat(widest - columns(areas))), words.as_str());
        } else {
            list.add("", cut(areas, width));
            list.add("  ", words.as_str());
        }
    }
    if let Some(more) = rows.len().checked_sub(options.max_rows).filter(|&more| more > 0) {
        list.add("", format!("… {} more (see --all)", count(more)));
    }
    list.add("", "");
    add_pairs(compared, &mut list);
    list.add("", conclusion(compared));
    let beyond = compared.known_to.as_ref().map(|known_to| {
        let area = with_unit(known_to, compared.unit());
        format!("beyond area {area} a front was cut at its budget, so nothing is said there")
    });
    list.some("note: ", beyond);
    list.write_whole(width, out)
}

/// Adds how many designs of each front the others have, dominate, or have no match for, and where it is best.
fn add_pairs(compared: &Comparison, list: &mut List) {
    for (of, by) in compared.pairs() {
        let (one, other, side) = (&compared.labels[of], &compared.labels[by], &compared.sides[of]);
        let Against { equal, dominated, unmatched, most } = &compared.against[of][by];
        let design = |index: usize| {
            let (cost, used) = &side.points[index];
            format!("{}, utilization {}", costs::in_words(cost, &side.head.resources), utilization(used))
        };
        let [equals, beaten, only] = [equal, dominated, unmatched].map(|list| count(list.len()));
        let most = most.as_ref().map(|(index, least)| {
            format!("; most at {}, where {other} has {}", design(*index), utilization(least))
        });
        let words = format!(
            "{equals} equal, {beaten} dominated by {other}, {only} that {other} has no match for{}",
            most.unwrap_or_default()
        );
        list.add(format!("Of {one}: "), words);
    }
    if !compared.against.is_empty() {
        list.add("", "");
    }
}

fn row(span: &Span, compared: &Comparison) -> (String, String) {
    // A resource is named before its costs, the unit of an area stands behind them.
    let (word, unit) = match compared.is_by_name() {
        true => (visible(compared.unit()), ""),
        false => (compared.counted().to_owned(), compared.unit()),
    };
    let areas = match &span.to {
        Some(to) => format!("{word} {} to {}", format_decimal(&span.from), with_unit(to, unit)),
        None => format!("{word} {} and more", with_unit(&span.from, unit)),
    };
    let count = compared.sides.len();
    let names = listed(&span.least, &compared.labels);
    let least = if count == 2 { "less" } else { "the least" };
    let (has, only) = match span.least.as_slice() {
        [_] => ("has", format!("only {names} has a design")),
        _ if span.absent.len() == 1 => ("have", format!("{names} are equal, the other has no design")),
        _ => ("have", format!("{names} are equal, the others have no design")),
    };
    let words = if span.is_equal(count) {
        "equal".to_owned()
    } else if span.least.len() + span.absent.len() == count {
        only
    } else {
        let most = format_rounded(&span.most, 6);
        let at = format_decimal(&span.most_at);
        format!("{names} {has} {least} {}, by up to {most} (from {word} {at} on)", compared.measure())
    };
    (areas, words)
}

/// Which front is better overall, and what that means for the smallest schedulable area.
fn conclusion(compared: &Comparison) -> String {
    let all = if compared.sides.len() == 2 { "both" } else { "all" };
    let known =
        compared.known_to.as_ref().map_or_else(String::new, |_| format!("As far as {all} are known: "));
    let sides = compared.sides.iter().zip(&compared.labels);
    let mut least = sides.filter_map(|(side, label)| Some(format!("{label} {}", utilization(side.least()?))));
    let least = joined(&mut least, ", ");
    format!("{known}{}{} Least {}: {least}.", best(compared), schedulable(compared), compared.measure())
}

/// The fronts that are nowhere worse than another.
fn best(compared: &Comparison) -> String {
    let count = compared.sides.len();
    let is_matched = |front: &usize| compared.against.iter().all(|of| of[*front].unmatched.is_empty());
    let is_best = |front: &usize| {
        is_matched(front)
            && (!compared.against.is_empty() || compared.spans.iter().all(|span| span.least.contains(front)))
    };
    let best: Vec<usize> = (0..count).filter(is_best).collect();
    let none = match (count, compared.against.is_empty()) {
        (2, true) => "Each is better at some areas.",
        (_, true) => "None is best at all areas.",
        (2, false) => "Each has designs that the other has no match for.",
        (_, false) => "None has a match for every design of the others.",
    };
    best_of(&best, &compared.labels, none)
}

/// How much less area the front with the smallest schedulable area needs than the next; with several objectives, the least
/// cost to be schedulable in each.
fn schedulable(compared: &Comparison) -> String {
    if let (Some(first), false) = (compared.sides.first(), compared.against.is_empty()) {
        let least = |name: &&str| {
            let of_side = |side: &Side| {
                let at = side.head.resources.position(name)?;
                side.head.minimal.iter().map(|design| design.cost[at].clone()).min()
            };
            let least: Vec<_> = compared.sides.iter().map(of_side).collect();
            let least_costs = least.iter().zip(&compared.labels);
            let mut least_costs =
                least_costs.filter_map(|(cost, label)| Some(format!("{label} {}", cost.as_ref()?.decimal())));
            let differ = least.iter().any(|other| *other != least[0]);
            differ.then(|| format!("{} {}", visible(name), joined(&mut least_costs, ", ")))
        };
        let least: Vec<String> = first.objectives().iter().filter_map(least).collect();
        return if least.is_empty() {
            String::new()
        } else {
            format!(" Schedulable from {}.", least.join("; "))
        };
    }
    let smallest: Vec<Option<Rational>> = compared.sides.iter().map(Side::smallest).collect();
    let areas = smallest.iter().map(Option::as_ref);
    let mut rising: Vec<(&Rational, usize)> = Vec::new();
    for area in areas.enumerate().filter_map(|(at, area)| Some((area?, at))) {
        rising.insert(rising.partition_point(|other| *other < area), area);
    }
    match rising.as_slice() {
        [(one, at), (other, _), ..] if one < other => {
            let less = with_unit(&(*other - *one), compared.unit());
            let than = if rising.len() == 2 { "" } else { " than the next" };
            format!(" {} is schedulable with {less} less area{than}.", listed(&[*at], &compared.labels))
        }
        _ => String::new(),
    }
}
