//! Packs problems for the kernel, and reads its answers.
//!
//! A problem whose sums might exceed 30 bits, or that has more items than fit a warp, is marked to be skipped: the
//! host decides this for every problem.

use super::mckp_batch::{INFEASIBLE, MOST_CLASS, MOST_CLASSES, MOST_SLOTS, OPTIONAL, Piece, SKIP};
use crate::{Batch, Found, NO_ITEM, One};
use isx_parallel as parallel;
use isx_problems::mckp::Choice;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Sums of values and of weights that a warp takes stay below this.
pub const MOST: u64 = 1 << 30;
/// Problems that a thread packs or reads at a time.
const TOGETHER: usize = 128;

/// A parcel: problems that are sent together.
#[derive(Clone, Debug)]
pub(super) struct Parcel {
    /// Their indices.
    pub problems: Range<usize>,
    /// Their layout.
    pub piece: Piece,
}

/// Whether the problem's items fit a warp.
fn has_room(problem: &One<'_>) -> bool {
    let classes = problem.classes();
    classes <= MOST_CLASSES
        && problem.items().0.len() + classes <= MOST_SLOTS
        && (0..classes).all(|class| problem.class(class).0.len() <= MOST_CLASS)
}

/// The number of items and classes of a problem that are sent.
fn travelling(problem: &One<'_>) -> (usize, usize) {
    if has_room(problem) { (problem.items().0.len(), problem.classes()) } else { (0, 0) }
}

/// As [`travelling`], for several problems.
fn travelling_together(batch: &Batch, problems: Range<usize>) -> (usize, usize) {
    let add = |(items, classes), (more_items, more_classes)| (items + more_items, classes + more_classes);
    problems.map(|at| travelling(&batch.get(at))).fold((0, 0), add)
}

/// Cuts the batch into parcels of at most this many bytes in each direction.
pub(super) fn parcels(batch: &Batch, to: usize, from: usize) -> Vec<Parcel> {
    let mut parcels = Vec::new();
    let mut open = Parcel { problems: 0..0, piece: Piece::default() };
    let (mut items, mut all_classes) = (0, 0);
    for at in 0..batch.len() {
        let (more, classes) = travelling(&batch.get(at));
        let with = |open: &Parcel, items: usize, all_classes: usize| {
            let slots = open.piece.slots.max(more + classes);
            Piece::new(
                at + 1 - open.problems.start,
                all_classes,
                items,
                slots,
                open.piece.classes.max(classes),
            )
        };
        let piece = with(&open, items + more, all_classes + classes);
        if open.problems.is_empty() || (piece.sizes.end <= to && piece.beyond.end <= from) {
            (items, all_classes) = (items + more, all_classes + classes);
            open = Parcel { problems: open.problems.start..at + 1, piece };
        } else {
            let next = Parcel { problems: at..at, piece: Piece::default() };
            (items, all_classes) = (more, classes);
            let piece = with(&next, items, all_classes);
            parcels.push(std::mem::replace(&mut open, Parcel { problems: at..at + 1, piece }));
        }
    }
    if !open.problems.is_empty() {
        parcels.push(open);
    }
    parcels
}

/// The positions of a few problems in a piece.
struct Job<'a> {
    problems: Range<usize>,
    item: usize,
    class: usize,
    records: &'a mut [[i32; 4]],
    items: &'a mut [[i32; 2]],
    sizes: &'a mut [u8],
}

/// Writes the problems of a parcel in the kernels' format, on the threads of the current pool. Returns the largest
/// capacity of the problems that are not skipped.
pub(super) fn pack(batch: &Batch, parcel: &Parcel, to: &mut [u8]) -> usize {
    let Piece { records, items, sizes, .. } = &parcel.piece;
    let (front, rest) = to.split_at_mut(records.end);
    let (middle, rest) = rest.split_at_mut(items.len());
    let mut records: &mut [[i32; 4]] = bytemuck::cast_slice_mut(front);
    let mut items: &mut [[i32; 2]] = bytemuck::cast_slice_mut(middle);
    let mut sizes = &mut rest[..sizes.len()];
    let mut jobs = Vec::with_capacity(parcel.problems.len().div_ceil(TOGETHER));
    let (mut item, mut class) = (0, 0);
    for start in parcel.problems.clone().step_by(TOGETHER) {
        let problems = start..parcel.problems.end.min(start + TOGETHER);
        let (some, classes) = travelling_together(batch, problems.clone());
        let (own_records, later) = std::mem::take(&mut records).split_at_mut(problems.len());
        records = later;
        let (own_items, later) = std::mem::take(&mut items).split_at_mut(some);
        items = later;
        let (own_sizes, later) = std::mem::take(&mut sizes).split_at_mut(classes);
        sizes = later;
        jobs.push(Job { problems, item, class, records: own_records, items: own_items, sizes: own_sizes });
        (item, class) = (item + some, class + classes);
    }
    let widest = AtomicUsize::new(0);
    parallel::hand_out(jobs, 1, |job| {
        widest.fetch_max(pack_some(batch, job), Ordering::Relaxed);
    });
    widest.into_inner()
}

/// Writes a few problems; returns their largest capacity.
fn pack_some(batch: &Batch, job: Job<'_>) -> usize {
    let Job { problems, item, class, records, mut items, mut sizes } = job;
    let (mut items_before, mut classes_before, mut widest) = (item, class, 0);
    for (record, at) in records.iter_mut().zip(problems) {
        let problem = batch.get(at);
        let (some, classes) = travelling(&problem);
        let (own, later) = std::mem::take(&mut items).split_at_mut(some);
        items = later;
        let (own_sizes, later) = std::mem::take(&mut sizes).split_at_mut(classes);
        sizes = later;
        let places = (items_before as i32, classes_before as i32);
        (items_before, classes_before) = (items_before + own.len(), classes_before + classes);
        let none = if problem.choice == Choice::Optional { OPTIONAL } else { 0 };
        let (capacity, shape) = match pack_one(&problem, own, own_sizes) {
            Some(capacity) => (capacity, classes as i32 | none),
            None => (0, classes as i32 | SKIP),
        };
        widest = widest.max(capacity);
        *record = [places.0, places.1, capacity, shape];
    }
    widest as usize
}

/// Writes a problem; returns its capacity, or `None` if the kernel must skip it.
fn pack_one(problem: &One<'_>, items: &mut [[i32; 2]], sizes: &mut [u8]) -> Option<i32> {
    if !has_room(problem) {
        return None;
    }
    let mut items = items.iter_mut();
    let (mut values, mut heaviest) = (0u64, 0u64);
    // Items heavier than the capacity are never taken, so a larger weight changes nothing.
    let beyond = problem.capacity.min(MOST) + 1;
    for (class, size) in sizes.iter_mut().enumerate() {
        let (gains, weights) = problem.class(class);
        let (mut most, mut heavy) = (0, 0);
        for ((&gain, &weight), item) in gains.iter().zip(weights).zip(&mut items) {
            most = gain.unsigned_abs().max(most);
            heavy = weight.max(heavy);
            // A truncated value is never used: the problem is skipped.
            *item = [weight.min(beyond) as i32, gain as i32];
        }
        // Class sizes fit a byte.
        *size = gains.len() as u8;
        values = values.saturating_add(most);
        heaviest = heaviest.saturating_add(heavy);
    }
    let capacity = problem.capacity.min(heaviest);
    (values < MOST && capacity < MOST).then_some(capacity as i32)
}

/// Reads the answers to a parcel; the items of the parcel's class `c` go to `picks[c]`.
pub(super) fn read(batch: &Batch, parcel: &Parcel, from: &[u8], found: &mut [Found], picks: &mut [u32]) {
    let Piece { found: values, picks: numbers, .. } = &parcel.piece;
    let values: &[[i32; 2]] = bytemuck::cast_slice(&from[values.clone()]);
    let mut numbers = &from[numbers.clone()];
    let (mut jobs, mut picks) = (Vec::new(), picks);
    let mut start = parcel.problems.start;
    for (found, values) in found.chunks_mut(TOGETHER).zip(values.chunks(TOGETHER)) {
        let problems = start..start + found.len();
        start = problems.end;
        let classes = batch.classes_before(problems.end) - batch.classes_before(problems.start);
        let (own, later) = std::mem::take(&mut picks).split_at_mut(classes);
        picks = later;
        let (brought, later) = numbers.split_at(travelling_together(batch, problems.clone()).1);
        numbers = later;
        jobs.push((problems, found, values, own, brought));
    }
    parallel::hand_out(jobs, 1, |(problems, found, values, picks, numbers)| {
        for (found, &[value, weight]) in found.iter_mut().zip(values) {
            *found = match u64::try_from(weight) {
                Ok(weight) => Found::Best { value: value.into(), weight },
                Err(_) if weight == INFEASIBLE => Found::Infeasible,
                Err(_) => Found::Left,
            };
        }
        read_picks(batch, problems, picks, numbers);
    });
}

fn read_picks(batch: &Batch, problems: Range<usize>, picks: &mut [u32], numbers: &[u8]) {
    let (mut picks, mut numbers) = (picks, numbers);
    for at in problems {
        let problem = batch.get(at);
        let (own, later) = std::mem::take(&mut picks).split_at_mut(problem.classes());
        picks = later;
        let (brought, later) = numbers.split_at(travelling(&problem).1);
        numbers = later;
        for (pick, &number) in own.iter_mut().zip(brought) {
            *pick = u32::from(number).checked_sub(1).unwrap_or(NO_ITEM);
        }
    }
}
