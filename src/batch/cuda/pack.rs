//! Packs problems for the kernels, and reads their answers.
//!
//! A batch is cut into pieces, which one thread each packs and reads. The place of a problem in its piece follows from
//! the sums that the batch keeps anyway, and each item is read once. A problem whose sums might exceed 30 bits, or that
//! has more items than fit a warp, is marked to be skipped: the host decides this for every problem.

use super::mckp_batch::{INFEASIBLE, MOST_CLASS, MOST_CLASSES, MOST_SLOTS, Most, OPTIONAL, Piece, SKIP};
use crate::{Batch, Found, NO_ITEM, One};
use isx_problems::mckp::Choice;
use std::mem::{MaybeUninit, take};
use std::ops::Range;

/// Sums of values and of weights that a warp takes stay below this.
pub const MOST: u64 = 1 << 30;

/// A record: the first item, the first class, the capacity, and the number of classes with flags.
type Record = [i32; 4];

/// Bytes from which on every problem that fits a warp fits a piece.
pub(super) const LEAST_PIECE: usize = size_of::<Record>() + 8 * MOST_SLOTS + MOST_CLASSES;

/// Cuts a batch into as few pieces of at most this many bytes as its order allows. A problem that exceeds a piece has
/// one to itself and only its record in it.
pub(super) fn cut(batch: &Batch, most: usize) -> Vec<(Range<usize>, Piece)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < batch.len() {
        let piece = |end: usize| {
            let classes = batch.classes_before(end) - batch.classes_before(start);
            Piece::new(end - start, classes, batch.items_before(end) - batch.items_before(start))
        };
        // No more records than that fit.
        let (mut fits, mut exceeds) = (start, (start + most / size_of::<Record>()).min(batch.len()) + 1);
        while exceeds - fits > 1 {
            let middle = fits.midpoint(exceeds);
            if piece(middle).sizes.end <= most {
                fits = middle;
            } else {
                exceeds = middle;
            }
        }
        let (end, piece) = if fits > start { (fits, piece(fits)) } else { (start + 1, Piece::new(1, 0, 0)) };
        pieces.push((start..end, piece));
        start = end;
    }
    pieces
}

/// Writes the problems of a piece in the kernels' format, into all its bytes.
pub(super) fn pack(batch: &Batch, problems: Range<usize>, piece: &Piece, to: &mut [u8]) -> Most {
    let (records, rest) = to.split_at_mut(piece.records.end);
    let (items, rest) = rest.split_at_mut(piece.items.len());
    let records: &mut [Record] = bytemuck::cast_slice_mut(records);
    let mut items: &mut [[i32; 2]] = bytemuck::cast_slice_mut(items);
    let mut sizes = &mut rest[..piece.sizes.len()];
    let (mut most, mut item, mut class) = (Most::default(), 0, 0);
    for (record, at) in records.iter_mut().zip(problems) {
        let problem = batch.get(at);
        // A problem that exceeds a piece has no places for its items.
        let own_items = problem.items().0.len().min(items.len());
        let own_classes = problem.classes().min(sizes.len());
        let (own, later) = take(&mut items).split_at_mut(own_items);
        items = later;
        let (own_sizes, later) = take(&mut sizes).split_at_mut(own_classes);
        sizes = later;
        *record = match pack_one(&problem, own, own_sizes) {
            Some(capacity) => {
                most.capacity = most.capacity.max(capacity as usize);
                most.slots = most.slots.max(own_items + own_classes);
                most.classes = most.classes.max(own_classes);
                let none = if problem.choice == Choice::Optional { OPTIONAL } else { 0 };
                [item as i32, class as i32, capacity, own_classes as i32 | none]
            }
            None => {
                own.fill([0; 2]);
                own_sizes.fill(0);
                [item as i32, class as i32, 0, SKIP]
            }
        };
        (item, class) = (item + own_items, class + own_classes);
    }
    most
}

/// Writes a problem; returns its capacity, or `None` if the kernels must skip it.
fn pack_one(problem: &One<'_>, items: &mut [[i32; 2]], sizes: &mut [u8]) -> Option<i32> {
    let (all, classes) = (problem.items().0.len(), problem.classes());
    if all + classes > MOST_SLOTS || classes > MOST_CLASSES || items.len() < all || sizes.len() < classes {
        return None;
    }
    // Items heavier than the capacity are never taken, so a larger weight changes nothing.
    let beyond = problem.capacity.min(MOST) + 1;
    let (mut values, mut heaviest) = (0u64, 0u64);
    let mut items = items;
    for (class, size) in sizes.iter_mut().enumerate() {
        let (gains, weights) = problem.class(class);
        if gains.len() > MOST_CLASS {
            return None;
        }
        let (own, later) = take(&mut items).split_at_mut(gains.len());
        items = later;
        let (mut most, mut heavy) = (0, 0);
        for ((&gain, &weight), item) in gains.iter().zip(weights).zip(own) {
            most = gain.unsigned_abs().max(most);
            let weight = weight.min(beyond);
            heavy = weight.max(heavy);
            // A truncated value is never used: the problem is skipped.
            *item = [weight as i32, gain as i32];
        }
        *size = gains.len() as u8;
        values = values.saturating_add(most);
        heaviest += heavy;
    }
    // Where a weight was replaced, the sum exceeds the capacity as it did before.
    let capacity = problem.capacity.min(heaviest);
    (values < MOST && capacity < MOST).then_some(capacity as i32)
}

/// Reads the answers to a piece into all of `found` and `picks`, and adds the problems without an answer to `left`.
///
/// # Panics
///
/// If those are not as long as the piece has problems and these have classes.
pub(super) fn read(
    batch: &Batch,
    problems: Range<usize>,
    piece: &Piece,
    from: &[u8],
    (found, picks): (&mut [MaybeUninit<Found>], &mut [MaybeUninit<u32>]),
    left: &mut Vec<usize>,
) {
    let values: &[[i32; 2]] = bytemuck::cast_slice(&from[piece.found.clone()]);
    let mut numbers = &from[piece.picks.clone()];
    let mut picks = picks;
    assert_eq!((found.len(), values.len()), (problems.len(), problems.len()), "problems of a piece");
    assert_eq!(
        picks.len(),
        batch.classes_before(problems.end) - batch.classes_before(problems.start),
        "classes of a piece"
    );
    for ((at, found), &[value, weight]) in problems.zip(found).zip(values) {
        let classes = batch.classes_before(at + 1) - batch.classes_before(at);
        let (own, later) = take(&mut picks).split_at_mut(classes);
        picks = later;
        let (brought, later) = numbers.split_at(classes.min(numbers.len()));
        numbers = later;
        let all = brought.len() == classes;
        let answer = match u64::try_from(weight) {
            Ok(weight) if all => Found::Best { value: value.into(), weight },
            Err(_) if weight == INFEASIBLE => Found::Infeasible,
            _ => Found::Left,
        };
        found.write(answer);
        match answer {
            Found::Best { .. } => {
                for (pick, &number) in own.iter_mut().zip(brought) {
                    // 0 becomes `NO_ITEM`.
                    pick.write(u32::from(number).wrapping_sub(1));
                }
            }
            Found::Infeasible => own.fill(MaybeUninit::new(NO_ITEM)),
            Found::Left => {
                own.fill(MaybeUninit::new(NO_ITEM));
                left.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a batch in pieces of at most this many bytes, and the largest figures of each.
    fn packed(batch: &Batch, most: usize) -> Vec<(Range<usize>, Vec<u8>, Most)> {
        let packed = |(problems, piece): (Range<usize>, Piece)| {
            // Stale bytes are overwritten, and bytes behind the piece are not touched.
            let mut to = vec![0xabab_ababu32; piece.sizes.end.div_ceil(4) + 1];
            let to: &mut [u8] = bytemuck::cast_slice_mut(&mut to);
            let figures = pack(batch, problems.clone(), &piece, to);
            assert!(to[piece.sizes.end..].iter().all(|&byte| byte == 0xab));
            (problems, to[..piece.sizes.end].to_vec(), figures)
        };
        cut(batch, most).into_iter().map(packed).collect()
    }

    fn records(bytes: &[u8], problems: usize) -> Vec<Record> {
        (0..problems).map(|at| bytemuck::pod_read_unaligned(&bytes[16 * at..16 * (at + 1)])).collect()
    }

    #[test]
    fn the_worked_instance_has_these_bytes() {
        let mut batch = Batch::new(Choice::Optional);
        batch.class([(3, 2), (-9, 60)]);
        batch.class([(1, 4)]);
        batch.problem(13);
        batch.class([(5, 8)]);
        batch.problem(700);
        let [(problems, bytes, most)] = &packed(&batch, 1000)[..] else { panic!("it fits one piece") };
        assert_eq!(problems, &(0..2));
        let ints: Vec<i32> = bytes[..64].chunks(4).map(bytemuck::pod_read_unaligned).collect();
        // The item of weight 60 never fits, so that 14 says as much; the last capacity is no more than 8 can fill.
        let records = [0, 0, 13, 2 | OPTIONAL, 3, 2, 8, 1 | OPTIONAL];
        assert_eq!(ints, [&records[..], &[2, 3, 14, -9, 4, 1, 8, 5]].concat());
        assert_eq!(bytes[64..], [2, 1, 1]);
        assert_eq!(*most, Most { capacity: 13, slots: 5, classes: 2 });
    }

    #[test]
    fn pieces_hold_every_problem_once_and_as_many_as_fit() {
        let mut batch = Batch::new(Choice::Optional);
        assert!(cut(&batch, 100).is_empty());
        for problem in 0..200 {
            for class in 0..problem % 5 {
                batch.class((0..(problem * 7 + class) % 11).map(|item| (item, 1)));
            }
            if problem % 50 == 49 {
                batch.class((0..1000).map(|item| (item, 1)));
            }
            batch.problem(3);
        }
        for most in [16, 100, 500, 4000, 1 << 20] {
            let pieces = cut(&batch, most);
            assert_eq!(pieces.iter().flat_map(|(problems, _)| problems.clone()).count(), batch.len());
            for (problems, piece) in &pieces {
                assert!(piece.sizes.end <= most && piece.problems == problems.len() && !problems.is_empty());
            }
            // No two neighbors would have fitted together.
            for pair in pieces.windows(2).filter(|pair| pair.iter().all(|(_, piece)| !piece.items.is_empty()))
            {
                let next = pair[1].0.start;
                let more = Piece::new(1, batch.get(next).classes(), batch.get(next).items().0.len());
                assert!(pair[0].1.sizes.end + more.sizes.end > most);
            }
        }
    }

    #[test]
    fn problems_have_the_same_bytes_in_pieces_of_any_size() {
        let mut batch = Batch::new(Choice::ExactlyOne);
        for problem in 0..300u64 {
            for class in 0..problem % 4 {
                batch.class((0..(problem + class) % 9).map(|item| (item as i64 - 2, problem * item)));
            }
            batch.problem(problem * 5);
        }
        let alone = |most: usize| {
            let one = |(problems, bytes, _): (Range<usize>, Vec<u8>, Most)| {
                let (count, piece) = (problems.len(), cut(&batch, most));
                let piece = &piece.iter().find(|(own, _)| *own == problems).unwrap().1;
                let (items, sizes) =
                    (bytes[piece.items.clone()].to_vec(), bytes[piece.sizes.clone()].to_vec());
                let figures: Vec<[i32; 2]> =
                    records(&bytes, count).iter().map(|&[_, _, capacity, shape]| [capacity, shape]).collect();
                (figures, items, sizes)
            };
            let mut joined = (Vec::new(), Vec::new(), Vec::new());
            for (figures, items, sizes) in packed(&batch, most).into_iter().map(one) {
                joined.0.extend(figures);
                joined.1.extend(items);
                joined.2.extend(sizes);
            }
            joined
        };
        let whole = alone(1 << 20);
        assert_eq!(whole.0.len(), 300);
        for most in [LEAST_PIECE, 6000, 20_000] {
            assert_eq!(alone(most), whole, "{most}");
        }
    }

    #[test]
    fn figures_at_their_ends_are_sent_and_those_beyond_are_skipped() {
        let is_sent = |capacity: u64, classes: &[Vec<(i64, u64)>]| {
            let mut batch = Batch::new(Choice::ExactlyOne);
            classes.iter().for_each(|class| batch.class(class.iter().copied()));
            batch.problem(capacity);
            let [(_, bytes, most)] = &packed(&batch, LEAST_PIECE)[..] else { panic!("there is one problem") };
            let [_, _, sent, shape] = records(bytes, 1)[0];
            let is_sent = shape & SKIP == 0;
            assert_eq!(*most == Most::default(), !is_sent || classes.is_empty());
            assert!(is_sent || bytes[16..].iter().all(|&byte| byte == 0), "what is skipped is zero");
            is_sent.then_some(sent)
        };
        let end = MOST as i64;
        assert_eq!(is_sent(9, &[]), Some(0));
        assert_eq!(is_sent(9, &[vec![(end - 1, 1)]]), Some(1));
        assert_eq!(is_sent(9, &[vec![(1 - end, 1)]]), Some(1));
        assert_eq!(is_sent(9, &[vec![(end, 1)]]), None);
        assert_eq!(is_sent(9, &[vec![(-end, 1)]]), None);
        assert_eq!(is_sent(9, &[vec![(i64::MIN, 1)]]), None);
        assert_eq!(is_sent(9, &[vec![(end / 2, 1)], vec![(1 - end / 2, 1)]]), Some(2));
        assert_eq!(is_sent(9, &[vec![(end / 2, 1)], vec![(end / 2, 1)]]), None);
        assert_eq!(is_sent(u64::MAX, &[vec![(1, MOST - 1)]]), Some(end as i32 - 1));
        assert_eq!(is_sent(u64::MAX, &[vec![(1, MOST)]]), None);
        assert_eq!(is_sent(u64::MAX, &[vec![(1, u64::MAX)], vec![(1, u64::MAX)]]), None);
        assert_eq!(is_sent(MOST - 1, &[vec![(1, u64::MAX)]]), Some(end as i32 - 1));
        assert_eq!(is_sent(MOST, &[vec![(1, u64::MAX)]]), None);
        let items = |count: usize| vec![(1, 1); count];
        assert_eq!(is_sent(9, &[items(MOST_CLASS)]), Some(1));
        assert_eq!(is_sent(9, &[items(MOST_CLASS + 1)]), None);
        assert_eq!(is_sent(600, &vec![items(1); MOST_CLASSES]), Some(MOST_CLASSES as i32));
        assert_eq!(is_sent(600, &vec![items(1); MOST_CLASSES + 1]), None);
        let half = MOST_SLOTS / 2;
        assert_eq!(is_sent(9, &[items(half - 2), items(half - 2), items(1)]), Some(3));
        assert_eq!(is_sent(9, &[items(half - 2), items(half - 2), items(2)]), None);
        assert_eq!(is_sent(9, &[items(100_000)]), None);
    }
}
