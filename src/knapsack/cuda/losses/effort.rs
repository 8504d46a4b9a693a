//! How long the passes of a sweep take, from the blocks of cells that are alive: counted while two sweeps run, or estimated
//! before.
//!
//! Heavy items come first, and their few sums lie far apart: most blocks are dead and cost next to nothing. A sweep from
//! the other end, light items first, soon fills every block. Which blocks can be reached is computed with one bit for
//! many cells: an item shifts the bits by its weight, and what it leaves of a bit's cells goes to the next item. That is
//! no bound, and nothing but the time depends on it; it is the same on every machine, so that all halve alike.

use super::cell::{BLOCK_CELLS, Cell};
use super::passes::{Pass, Target, passes};
use super::problem::Step;

/// The most bits.
const BITS: u64 = 1 << 14;

/// Of an H200: picoseconds of a dead block of cells, bytes read or written in a picosecond, and picoseconds of a light
/// item that is applied to a block in shared memory.
const DEAD: u64 = 50;
const BYTES: u64 = 4;
const LIGHT: u64 = 6600;
/// Blocks that it works on at the same time if items are applied in shared memory: fewer take as long.
const SIDE_BY_SIDE: u64 = 132;

/// The effort up to an item, that one included.
type Efforts = Vec<(usize, u64)>;

/// What sweeps take.
pub(super) struct Effort {
    /// Bytes that an H200 reads or writes in the same time.
    pub bytes: u64,
    /// Launches.
    pub launches: usize,
    /// Cells of live blocks of the last row of one sweep.
    pub live: u64,
}

/// The effort of a pass in picoseconds of an H200, if so many of its blocks are alive.
pub(super) fn of_pass<C: Cell>(pass: &Pass, live: u64) -> u64 {
    let light = if pass.shared { LIGHT * pass.items.len() as u64 } else { 0 };
    let each = pass.row_bytes(C::WIDTH) / pass.len().max(1) / BYTES + light;
    live.saturating_mul(each).saturating_add(pass.len().saturating_mul(DEAD))
}

/// The effort of these steps: of two sweeps that meet where they have taken equally long, or of one over all of them.
pub(super) fn of_steps<C: Cell>(steps: &[Step], target: Target, halved: bool) -> Effort {
    let sweep = |steps: &[Step]| efforts::<C>(steps, target, &passes::<C>(steps, target, 0..steps.len()));
    let (front, live) = sweep(steps);
    let whole = front.last().map_or(0, |&(_, effort)| effort);
    let launches = front.len();
    let effort = match halved && steps.len() > 1 {
        true => {
            let (back, _) = sweep(&steps.iter().rev().copied().collect::<Vec<_>>());
            balanced(&[front, back], steps.len()).min(whole).saturating_mul(2)
        }
        false => whole,
    };
    Effort { bytes: effort.saturating_mul(BYTES), launches, live }
}

/// The effort of the slower of two sweeps that meet where they have taken about equally long.
fn balanced([front, back]: &[Efforts; 2], count: usize) -> u64 {
    let slower = |&(first, effort): &(usize, u64)| {
        let at = back.partition_point(|&(last, _)| last < count - first);
        effort.max(back.get(at).map_or(0, |&(_, effort)| effort))
    };
    let ends = front.iter().filter(|(first, _)| *first < count);
    ends.map(slower).min().unwrap_or(u64::MAX)
}

/// For every pass over these steps, the items up to its last and the effort of it and of all before it; and the cells that
/// can be reached after all of them.
fn efforts<C: Cell>(steps: &[Step], target: Target, passes: &[Pass]) -> (Efforts, u64) {
    let grain = (target.weight / BITS + 1).max(BLOCK_CELLS);
    let mut reached = Reached::new(target.weight / grain + 1);
    let (mut rest, mut sum) = (0, 0u64);
    let mut efforts = Vec::with_capacity(passes.len());
    for pass in passes {
        for step in &steps[pass.items.clone()] {
            rest += step.weight % grain;
            reached.shift(step.weight / grain + rest / grain);
            rest %= grain;
        }
        let bits = |block: u64| block * BLOCK_CELLS / grain;
        let (from, end) = (bits(pass.blocks.start), bits(pass.blocks.end - 1) + 1);
        let live =
            u128::from(pass.len()) * u128::from(reached.count(from, end)) / u128::from((end - from).max(1));
        let live = u64::try_from(live).unwrap_or(u64::MAX);
        let effort = of_pass::<C>(pass, if pass.shared { live.max(SIDE_BY_SIDE) } else { live });
        sum = sum.saturating_add(effort);
        efforts.push((pass.items.end, sum));
    }
    let live = reached.count(0, target.weight / grain + 1) * grain;
    (efforts, live)
}

/// One bit per grain of weight: whether a sum of the items so far lies there.
struct Reached {
    words: Vec<u64>,
}

impl Reached {
    fn new(bits: u64) -> Self {
        let mut words = vec![0; bits.div_ceil(64) as usize];
        words[0] = 1;
        Self { words }
    }

    /// Adds every bit again, this many places higher.
    fn shift(&mut self, by: u64) {
        let (words, bits) = ((by / 64) as usize, by % 64);
        for at in (words..self.words.len()).rev() {
            let low = self.words[at - words] << bits;
            let carried = match (bits, at.checked_sub(words + 1)) {
                (1.., Some(below)) => self.words[below] >> (64 - bits),
                _ => 0,
            };
            self.words[at] |= low | carried;
        }
    }

    /// The number of bits in a range.
    fn count(&self, from: u64, end: u64) -> u64 {
        let of = |at: u64| -> u64 {
            let (low, high) = ((at * 64).max(from), (at * 64 + 64).min(end));
            let Some(length) = high.checked_sub(low).filter(|&length| length > 0) else { return 0 };
            let mask = (u64::MAX >> (64 - length)) << (low - at * 64);
            u64::from((self.words.get(at as usize).unwrap_or(&0) & mask).count_ones())
        };
        (from / 64..end.div_ceil(64)).map(of).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_sums_of_the_shifts() {
        let mut reached = Reached::new(300);
        let mut sums = std::collections::BTreeSet::from([0u64]);
        for by in [1, 63, 64, 65, 128, 5, 0, 299] {
            reached.shift(by);
            sums.extend(sums.clone().into_iter().map(|sum| sum + by).filter(|&sum| sum < 320));
            for (from, end) in [(0, 320), (0, 1), (3, 190), (64, 128), (127, 129), (200, 200), (319, 320)] {
                assert_eq!(
                    reached.count(from, end),
                    sums.range(from..end).count() as u64,
                    "{by} {from}..{end}"
                );
            }
        }
    }

    #[test]
    fn heavy_items_alone_take_little_and_light_ones_first_take_much() {
        let step = |weight| Step { weight, leave: 1, take: 0 };
        let heavy = (0..20).map(|item| step(1_000_000_000 + item));
        let light = (0..200).map(|item| step(20_000_000 + 1_234_567 * item));
        let mut steps: Vec<Step> = heavy.chain(light).collect();
        let target = Target { weight: 10_000_000_000, slack: 0 };
        let last = |steps: &[Step], count| {
            efforts::<u16>(steps, target, &passes::<u16>(steps, target, 0..count)).0.last().unwrap().1
        };
        let (forwards, whole) = (last(&steps, 20), last(&steps, 220));
        let Effort { bytes, launches, .. } = of_steps::<u16>(&steps, target, true);
        let met = bytes / BYTES / 2;
        steps.reverse();
        let backwards = last(&steps, 200);
        assert!(forwards * 20 < backwards, "{forwards} {backwards}");
        assert!(forwards < met && met < whole.min(backwards), "{forwards} {met} {whole} {backwards}");
        assert!((70..=220).contains(&launches), "{launches}");
    }
}
