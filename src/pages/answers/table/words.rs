//! Choices, blocks and utilizations as the table prints them.

use isx_design::schedulability::Smallest;
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::{Head, costs};
use isx_report::text::{columns, cut};
use num_bigint::BigInt;

/// Changes from the row above.
pub(super) struct Changes {
    /// `task=choice`.
    pub choices: Vec<String>,
    /// `+name` for each added block, then `-name` for each removed one.
    pub blocks: Vec<String>,
    /// The variant of the processor, `on small`, or the critical mode, `in landing`, if it changes or its row is the first.
    pub variant: Option<String>,
    /// The clock; it changes only with the blocks or the variant.
    pub clock: Option<String>,
}

impl Changes {
    /// The changes: as many choices and blocks as fit, then the clock.
    pub fn in_words(&self, room: usize) -> String {
        let Some(variant) = &self.variant else { return self.in_one_variant(room) };
        let nothing = self.choices.is_empty() && self.blocks.is_empty();
        let clock = self.clock.as_ref().map_or(String::new(), |clock| format!("; {clock}"));
        if nothing {
            return cut(&format!("{variant}{clock}"), room);
        }
        let before = format!("{}: ", cut(variant, room / 3));
        // Here the clock may change without the blocks.
        let clock = if self.blocks.is_empty() { clock } else { String::new() };
        let room = room.saturating_sub(columns(&before) + columns(&clock));
        before + &self.in_one_variant(room) + &clock
    }

    fn in_one_variant(&self, room: usize) -> String {
        match (self.choices.as_slice(), self.blocks.as_slice()) {
            ([], []) => "all in software".to_owned(),
            (choices, []) => some_of(choices, room),
            (choices, blocks) => {
                let choices =
                    choices.iter().enumerate().map(|(at, item)| (if at == 0 { "" } else { ", " }, item));
                let blocks =
                    blocks.iter().enumerate().map(|(at, item)| (if at == 0 { "; " } else { " " }, item));
                let parts: Vec<(&str, &str)> =
                    choices.chain(blocks).map(|(before, item)| (before, item.as_str())).collect();
                // A clock is short and affects every task: it is never omitted.
                let clock = self.clock.as_ref().map_or(String::new(), |clock| format!("; {clock}"));
                let room = room.saturating_sub(columns(&clock));
                as_many_as_fit(&parts, room) + &clock
            }
        }
    }
}

/// As many of the items as fit, and the number of omitted ones; the first is cut if necessary.
pub(super) fn some_of(items: &[String], room: usize) -> String {
    let items = items.iter().enumerate().map(|(at, item)| (if at == 0 { "" } else { ", " }, item.as_str()));
    as_many_as_fit(&items.collect::<Vec<_>>(), room)
}

/// As many of the items as fit, each after its separator, and the number of omitted ones; the first is cut if
/// necessary. An added block has a plus before its name; the number of omitted items must not look like one.
fn as_many_as_fit(items: &[(&str, &str)], room: usize) -> String {
    let more = |count: usize| if count == 0 { String::new() } else { format!(" … {count} more") };
    let mut text = String::new();
    for (at, (before, item)) in items.iter().enumerate() {
        let after = more(items.len() - at - 1);
        if columns(&text) + columns(before) + columns(item) + columns(&after) > room {
            return match at {
                0 => cut(item, room.saturating_sub(columns(&after))) + &after,
                _ => text + &more(items.len() - at),
            };
        }
        text += before;
        text += item;
    }
    text
}

/// The smallest areas with a margin, and what they are: `300, 420 NAND2, none` and `Smallest area with 10, 20, 30 %
/// margin: `; `None` where margins were not asked about.
pub(super) fn at_margins(head: &Head) -> Option<(String, String)> {
    let margins = &head.margins;
    let last_area = margins.iter().rposition(|at| matches!(at.smallest, Smallest::At(_)));
    let area = |(at, smallest): (usize, &Smallest<Rational>)| match smallest {
        Smallest::At(area) if last_area == Some(at) => {
            costs::figure_with_unit(&format_decimal(area), &head.resources)
        }
        Smallest::At(area) => format_decimal(area),
        Smallest::None => "none".to_owned(),
        Smallest::Unknown(_) => "not known".to_owned(),
    };
    let areas: Vec<String> = margins.iter().map(|at| &at.smallest).enumerate().map(area).collect();
    let percent = |margin: &Rational| format_decimal(&(margin * Rational::from(BigInt::from(100))));
    let percents: Vec<String> = margins.iter().map(|at| percent(&at.margin)).collect();
    let is_cut = !head.complete && margins.iter().any(|at| at.smallest == Smallest::None);
    let cut = if is_cut { format!(" ({})", costs::cut_within(&head.resources)) } else { String::new() };
    let label = format!("Smallest area with {} % margin: ", percents.join(", "));
    (!margins.is_empty()).then(|| (label, areas.join(", ") + &cut))
}
