//! Carries a batch in pieces to engines and back, by several threads that share nothing but a queue.
//!
//! Each thread takes the next piece, packs it into a passage of its own, sends it off, and goes on with its next passage
//! while the piece is away; when it comes back to the passage, it waits for the piece and reads its answers. So packing,
//! copies, kernels and reading of different pieces overlap, no thread waits for another, and a slow GPU takes fewer
//! pieces.

use super::mckp_batch::{Most, Piece};
use super::pack::{LEAST_PIECE, cut, pack, read};
use crate::{Batch, Found};
use isx_engine::{Context, EngineError};
use isx_machine::cuda::DeviceError;
use std::mem::{MaybeUninit, take};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The way of a piece to an engine and back, with memory of its own at both ends.
pub(super) trait Passage {
    /// The memory for the next piece; waits until nothing reads the previous one.
    fn outgoing(&mut self) -> Result<&mut [u8], DeviceError>;
    /// Sends off the piece that was packed; returns before it is solved.
    fn depart(&mut self, piece: &Piece, most: &Most) -> Result<(), DeviceError>;
    /// The answers to the piece that was sent off; waits for them.
    fn arrived(&mut self) -> Result<&[u8], DeviceError>;
}

/// Problems that are sent together, and the places of their answers.
struct Parcel<'a> {
    problems: Range<usize>,
    piece: Piece,
    found: &'a mut [MaybeUninit<Found>],
    picks: &'a mut [MaybeUninit<u32>],
}

/// Where the time of a batch went. What several threads, or several pieces, spend at the same time counts for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Packing, by the threads' clocks.
    pub pack: Duration,
    /// Copies to the GPUs, by their clocks; with [`super::Options::timed`] only, like the next two.
    pub upload: Duration,
    /// Kernels.
    pub kernels: Duration,
    /// Copies from the GPUs.
    pub back: Duration,
    /// Reading the answers, by the threads' clocks.
    pub read: Duration,
}

/// What was carried in all.
pub(super) struct AllCarried<P> {
    /// The answers, one per problem.
    pub found: Vec<Found>,
    /// The items, one per class.
    pub picks: Vec<u32>,
    /// The problems that the engine left unsolved, in order.
    pub left: Vec<usize>,
    /// The passages of all threads.
    pub passages: Vec<P>,
    /// Time spent on packing and reading.
    pub times: Times,
}

/// Carries a batch in pieces of at most this many bytes. `crews` returns the passages of every thread for a number of
/// pieces.
pub(super) fn carried<P: Passage + Send>(
    batch: &Batch,
    piece: usize,
    context: &Context,
    crews: impl FnOnce(usize) -> Result<Vec<Vec<P>>, DeviceError>,
) -> Result<AllCarried<P>, EngineError> {
    let mut found: Vec<Found> = Vec::with_capacity(batch.len());
    let mut picks: Vec<u32> = Vec::with_capacity(batch.classes());
    let queue = Queue::new(
        batch,
        piece.max(LEAST_PIECE),
        &mut found.spare_capacity_mut()[..batch.len()],
        &mut picks.spare_capacity_mut()[..batch.classes()],
    );
    let crews: Vec<Mutex<Vec<P>>> = crews(queue.pieces)?.into_iter().map(Mutex::new).collect();
    let carry = |crew: u64| {
        let mut passages = crews[crew as usize].lock().unwrap_or_else(PoisonError::into_inner);
        queue.carry(&mut passages, context)
    };
    let done = context.machine.workers().map(crews.len() as u64, true, carry);
    let (mut problems, mut left, mut times) = (0, Vec::new(), Times::default());
    for carried in done {
        let Carried { problems: some, left: unsolved, pack, read } = carried?;
        problems += some;
        left.extend(unsolved);
        times.pack += pack;
        times.read += read;
    }
    if problems != batch.len() {
        return Err(EngineError::Failed(format!("{problems} of {} problems were read", batch.len())));
    }
    // SAFETY: the pieces hold every problem once, and `read` writes the answer and all picks of each problem of its piece;
    // all problems were read.
    unsafe {
        found.set_len(batch.len());
        picks.set_len(batch.classes());
    }
    let passages =
        crews.into_iter().flat_map(|crew| crew.into_inner().unwrap_or_else(PoisonError::into_inner));
    left.sort_unstable();
    Ok(AllCarried { found, picks, left, passages: passages.collect(), times })
}

/// The pieces that no thread has taken yet.
struct Queue<'a> {
    batch: &'a Batch,
    pieces: usize,
    waiting: Mutex<std::vec::IntoIter<Parcel<'a>>>,
    /// Whether a thread has failed, so that the others need not go on.
    failed: AtomicBool,
}

/// What a thread has done.
#[derive(Debug, Default)]
struct Carried {
    /// Problems whose answers were read.
    problems: usize,
    /// Those among them that the engine left unsolved.
    left: Vec<usize>,
    /// Time spent on packing.
    pack: Duration,
    /// Time spent on reading.
    read: Duration,
}

impl<'a> Queue<'a> {
    /// All pieces of a batch, of at most `most` bytes each; the answers go to `found` and `picks`.
    fn new(
        batch: &'a Batch,
        most: usize,
        mut found: &'a mut [MaybeUninit<Found>],
        mut picks: &'a mut [MaybeUninit<u32>],
    ) -> Self {
        let mut parcel = |(problems, piece): (Range<usize>, Piece)| {
            let (own_found, later) = take(&mut found).split_at_mut(problems.len());
            found = later;
            let classes = batch.classes_before(problems.end) - batch.classes_before(problems.start);
            let (own_picks, later) = take(&mut picks).split_at_mut(classes);
            picks = later;
            Parcel { problems, piece, found: own_found, picks: own_picks }
        };
        let parcels: Vec<Parcel> = cut(batch, most).into_iter().map(&mut parcel).collect();
        let pieces = parcels.len();
        Self { batch, pieces, waiting: Mutex::new(parcels.into_iter()), failed: AtomicBool::new(false) }
    }

    /// Carries pieces through these passages until none is left or another thread has failed.
    fn carry<P: Passage>(&self, passages: &mut [P], context: &Context) -> Result<Carried, EngineError> {
        let carried = self.carry_all(passages, context);
        if carried.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        carried
    }

    fn carry_all<P: Passage>(&self, passages: &mut [P], context: &Context) -> Result<Carried, EngineError> {
        let mut carried = Carried::default();
        let mut away: Vec<Option<Parcel>> = passages.iter().map(|_| None).collect();
        for turn in (0..passages.len()).cycle() {
            context.go_on()?;
            if self.failed.load(Ordering::Relaxed) {
                break;
            }
            let passage = &mut passages[turn];
            if let Some(parcel) = away[turn].take() {
                self.receive(passage, parcel, &mut carried, context)?;
            }
            match self.next() {
                Some(parcel) => {
                    self.send(passage, &parcel, &mut carried)?;
                    away[turn] = Some(parcel);
                }
                None if away.iter().all(Option::is_none) => break,
                None => {}
            }
        }
        Ok(carried)
    }

    fn next(&self) -> Option<Parcel<'a>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    fn send<P: Passage>(
        &self,
        passage: &mut P,
        parcel: &Parcel,
        carried: &mut Carried,
    ) -> Result<(), DeviceError> {
        let to = passage.outgoing()?;
        let begun = Instant::now();
        let most = pack(self.batch, parcel.problems.clone(), &parcel.piece, to);
        carried.pack += begun.elapsed();
        passage.depart(&parcel.piece, &most)
    }

    fn receive<P: Passage>(
        &self,
        passage: &mut P,
        parcel: Parcel,
        carried: &mut Carried,
        context: &Context,
    ) -> Result<(), DeviceError> {
        let Parcel { problems, piece, found, picks } = parcel;
        let from = passage.arrived()?;
        let begun = Instant::now();
        read(self.batch, problems, &piece, from, (found, picks), &mut carried.left);
        carried.read += begun.elapsed();
        carried.problems += piece.problems;
        context.progress.advance(piece.problems as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::mckp_batch::{INFEASIBLE, OPTIONAL, SKIP};
    use super::*;
    use crate::NO_ITEM;
    use isx_machine::{Cancel, Machine};
    use isx_problems::mckp::Choice;
    use std::sync::atomic::AtomicUsize;

    /// Solves what it is sent by trying all selections, from the bytes alone.
    struct Tried<'a> {
        to: Vec<u32>,
        from: Vec<u32>,
        sent: Option<Piece>,
        /// Calls so far of all passages, and which of them fails.
        calls: &'a AtomicUsize,
        fails: usize,
    }

    impl Tried<'_> {
        fn call(&self) -> Result<(), DeviceError> {
            match self.calls.fetch_add(1, Ordering::Relaxed) == self.fails {
                true => Err(DeviceError::NoDevice),
                false => Ok(()),
            }
        }
    }

    impl Passage for Tried<'_> {
        fn outgoing(&mut self) -> Result<&mut [u8], DeviceError> {
            self.call()?;
            assert_eq!(self.sent, None, "the previous piece was not read");
            // What an earlier piece left must not be seen.
            self.to.fill(u32::MAX);
            Ok(bytemuck::cast_slice_mut(&mut self.to))
        }

        fn depart(&mut self, piece: &Piece, most: &Most) -> Result<(), DeviceError> {
            self.call()?;
            let to: &[u8] = bytemuck::cast_slice(&self.to);
            let from: &mut [u8] = bytemuck::cast_slice_mut(&mut self.from);
            from.fill(77);
            let records: &[[i32; 4]] = bytemuck::cast_slice(&to[piece.records.clone()]);
            let items: &[[i32; 2]] = bytemuck::cast_slice(&to[piece.items.clone()]);
            let sizes = &to[piece.sizes.clone()];
            for (at, &[item, class, capacity, shape]) in records.iter().enumerate() {
                let classes = class as usize..class as usize + (shape & 0xffff) as usize;
                let own = &sizes[classes.clone()];
                let (value, weight, picks) = match shape & SKIP {
                    0 => best(&items[item as usize..], own, capacity, shape & OPTIONAL != 0),
                    _ => (0, INFEASIBLE - 1, Vec::new()),
                };
                if shape & SKIP == 0 {
                    let slots = own.len() + own.iter().map(|&size| usize::from(size)).sum::<usize>();
                    assert!(own.len() <= most.classes && slots <= most.slots);
                    assert!(capacity as usize <= most.capacity);
                }
                let answer = [value, weight];
                from[piece.found.start + 8 * at..][..8].copy_from_slice(bytemuck::cast_slice(&answer));
                from[piece.picks.start + classes.start..][..picks.len()].copy_from_slice(&picks);
            }
            self.sent = Some(piece.clone());
            Ok(())
        }

        fn arrived(&mut self) -> Result<&[u8], DeviceError> {
            self.call()?;
            assert!(self.sent.take().is_some(), "nothing was sent");
            Ok(bytemuck::cast_slice(&self.from))
        }
    }

    /// The most value, the least weight with it, and a byte per class; by trying all.
    fn best(items: &[[i32; 2]], sizes: &[u8], capacity: i32, optional: bool) -> (i32, i32, Vec<u8>) {
        let Some((&size, sizes)) = sizes.split_first() else { return (0, 0, Vec::new()) };
        let (own, later) = items.split_at(size.into());
        let none = optional.then_some((0, [0, 0]));
        let offered = none.into_iter().chain((1..).zip(own.iter().copied()));
        let mut found = (0, INFEASIBLE, vec![0; sizes.len() + 1]);
        for (number, [weight, value]) in offered.filter(|&(_, [weight, _])| weight <= capacity) {
            let (more, rest, picks) = best(later, sizes, capacity - weight, optional);
            let (sum, heavy) = (value + more, weight + rest);
            if rest >= 0 && (found.1 < 0 || sum > found.0 || (sum == found.0 && heavy < found.1)) {
                found = (sum, heavy, [&[number], &picks[..]].concat());
            }
        }
        found
    }

    /// Small problems, and one in ten of another kind: without classes or items, with many or large ones, with values or
    /// weights at the ends of their ranges.
    fn mixed(problems: usize, choice: Choice) -> Batch {
        let mut seed = 5u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut batch = Batch::new(choice);
        for _ in 0..problems {
            match next(70) {
                0 => (0..256).for_each(|_| batch.class([])),
                1 => batch.class((0..255).map(|item| (item, 1))),
                2 => (0..3).for_each(|_| batch.class((0..200).map(|item| (item, 2)))),
                3 => batch.class([(i64::MIN, 0), (i64::MAX, u64::MAX)]),
                4 => batch.class((0..10_000).map(|item| (item, 3))),
                5 => batch.class([]),
                6 => {}
                _ => (0..=next(4)).for_each(|_| {
                    let some: Vec<_> = (0..next(5)).map(|_| (next(40) as i64 - 5, next(20))).collect();
                    batch.class(some);
                }),
            }
            let capacity = next(60);
            batch.problem(if next(20) == 0 { u64::MAX - capacity } else { capacity });
        }
        batch
    }

    fn carry(
        batch: &Batch,
        threads: usize,
        piece: usize,
        fails: usize,
        context: &Context,
    ) -> Result<AllCarried<()>, EngineError> {
        let calls = AtomicUsize::new(0);
        let bytes = piece.max(LEAST_PIECE).next_multiple_of(4);
        let tried =
            || Tried { to: vec![0; bytes / 4], from: vec![0; bytes / 4], sent: None, calls: &calls, fails };
        let crews = |_| Ok((0..threads).map(|thread| (0..=thread % 3).map(|_| tried()).collect()).collect());
        let AllCarried { found, picks, left, times, .. } = carried(batch, piece, context, crews)?;
        Ok(AllCarried { found, picks, left, passages: Vec::new(), times })
    }

    #[test]
    fn the_answers_are_the_same_whatever_the_threads_and_the_pieces() {
        for (choice, problems) in [Choice::Optional, Choice::ExactlyOne].into_iter().zip([3000, 2000]) {
            let batch = mixed(problems, choice);
            let mut first: Option<AllCarried<()>> = None;
            for (threads, piece) in [(1, 1 << 20), (1, 0), (2, 5000), (3, 20_000), (7, 100_000)] {
                let machine = Machine::default().with_threads(threads);
                let all = carry(&batch, threads, piece, usize::MAX, &Context::new(&machine)).unwrap();
                assert_eq!((all.found.len(), all.picks.len()), (batch.len(), batch.classes()));
                let first = first.get_or_insert_with(|| {
                    let (mut best, mut infeasible) = (0, 0);
                    for (at, found) in all.found.iter().enumerate() {
                        let picks = &all.picks[batch.classes_before(at)..batch.classes_before(at + 1)];
                        match *found {
                            Found::Best { value, weight } => {
                                let items = picks.iter().map(|&pick| (pick != NO_ITEM).then_some(pick));
                                assert_eq!(batch.get(at).sum(items), Some((value, weight)), "{at}");
                                assert!(weight <= batch.get(at).capacity);
                                best += 1;
                            }
                            Found::Infeasible | Found::Left => {
                                assert!(picks.iter().all(|&pick| pick == NO_ITEM), "{at}");
                                infeasible += usize::from(*found == Found::Infeasible);
                            }
                        }
                    }
                    let left: Vec<usize> =
                        (0..batch.len()).filter(|&at| all.found[at] == Found::Left).collect();
                    assert_eq!(all.left, left);
                    assert!(best > problems / 4 && left.len() > problems / 40, "{best} {}", left.len());
                    assert_eq!(infeasible > 0, choice == Choice::ExactlyOne);
                    AllCarried { passages: Vec::new(), ..all }
                });
                let all = carry(&batch, threads, piece, usize::MAX, &Context::new(&machine)).unwrap();
                assert!((&all.found, &all.picks, &all.left) == (&first.found, &first.picks, &first.left));
            }
        }
    }

    #[test]
    fn every_call_may_fail_and_no_answer_is_returned_then() {
        let batch = mixed(400, Choice::Optional);
        for threads in [1, 2, 3] {
            let machine = Machine::default().with_threads(threads);
            let context = Context::new(&machine);
            let mut failed = 0;
            for fails in 0.. {
                match carry(&batch, threads, 0, fails, &context) {
                    Ok(all) => {
                        assert_eq!(all.found.len(), batch.len());
                        break;
                    }
                    Err(EngineError::Unavailable(_)) => failed += 1,
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(failed > 20, "{failed}");
        }
    }

    #[test]
    fn no_problem_or_one_is_a_batch_and_a_canceled_one_is_none() {
        let machine = Machine::default().with_threads(2);
        for problems in [0, 1] {
            let batch = mixed(problems, Choice::Optional);
            let all = carry(&batch, 2, 0, usize::MAX, &Context::new(&machine)).unwrap();
            assert_eq!(all.found.len(), problems);
        }
        let cancel = Cancel::default();
        cancel.cancel();
        let machine = machine.with_cancel(cancel);
        let canceled = carry(&mixed(9, Choice::Optional), 2, 0, usize::MAX, &Context::new(&machine));
        assert_eq!(canceled.err(), Some(EngineError::Cancelled));
    }
}
