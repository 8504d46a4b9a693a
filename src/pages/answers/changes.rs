//! What changes from one design to the next.

use isx_report::front::{Head, Point};

/// The tasks whose choice is another, each with what it takes now. A choice that runs on other blocks is the same one.
pub(super) fn changes<'h>(
    head: &'h Head,
    before: &'h Point,
    now: &'h Point,
) -> impl Iterator<Item = (&'h str, Option<&'h str>)> {
    let before = before.choices.iter().enumerate().map(|(at, &choice)| head.choice(at, choice));
    head.chosen(now).zip(before).filter(|((_, choice), before)| choice != before).map(|(now, _)| now)
}

/// The added blocks, then the removed ones, both in file order.
pub(super) fn block_changes<'h>(
    head: &'h Head,
    before: &'h Point,
    now: &'h Point,
) -> impl Iterator<Item = (char, &'h str)> {
    [('+', now, before), ('-', before, now)].into_iter().flat_map(move |(sign, those, others)| {
        let only = those.blocks.iter().filter(|block| !others.blocks.contains(block));
        only.map(move |&block| (sign, head.blocks[block as usize].as_str()))
    })
}
