//! Choices, blocks and utilizations as the table prints them.

use crate::text::{columns, cut, visible};
use isx_taskset::{Block, Task};
use std::collections::BTreeSet;

/// Changes from the row above.
pub(super) struct Changes {
    /// `task=choice`.
    pub choices: Vec<String>,
    /// `+name` for each added block, then `-name` for each removed one.
    pub blocks: Vec<String>,
    /// The clock; it changes only with the blocks.
    pub clock: Option<String>,
}

pub(super) fn assignment(task: &Task, choice: Option<u32>) -> String {
    let choice = choice.map_or("(none)".to_owned(), |at| visible(&task.choices[at as usize].name));
    format!("{}={choice}", visible(&task.name))
}

/// The added blocks, then the removed ones, both in file order.
pub(super) fn block_changes(
    blocks: &[Block],
    before: &BTreeSet<usize>,
    now: &BTreeSet<usize>,
) -> Vec<String> {
    let signed = |sign: char| move |&at: &usize| format!("{sign}{}", visible(&blocks[at].name));
    now.difference(before).map(signed('+')).chain(before.difference(now).map(signed('-'))).collect()
}

impl Changes {
    /// The changes: as many choices and blocks as fit, then the clock.
    pub fn in_words(&self, room: usize) -> String {
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
                // An added block has a plus before its name; the number of omitted parts must not look like one.
                as_many_as_fit(&parts, room, |count| format!(" … {count} more")) + &clock
            }
        }
    }
}

/// As many of the items as fit, and the number of omitted ones; the first is cut if necessary.
pub(super) fn some_of(items: &[String], room: usize) -> String {
    let items = items.iter().enumerate().map(|(at, item)| (if at == 0 { "" } else { ", " }, item.as_str()));
    as_many_as_fit(&items.collect::<Vec<_>>(), room, |count| format!(", +{count} more"))
}

/// As many of the items as fit, each after its separator, and the number of omitted ones; the first is cut if
/// necessary.
fn as_many_as_fit(items: &[(&str, &str)], room: usize, more: impl Fn(usize) -> String) -> String {
    let more = |count: usize| if count == 0 { String::new() } else { more(count) };
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
