//! The layout of a table's choices.

use super::Waves;
use isx_machine::OverMemory;
use std::ops::Range;

/// Alignment of every wave's choices in bytes, so that kernels write whole words.
const ALIGN: u64 = 128;

/// The bytes of a table's choices, wave by wave.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Bytes of all waves before each, and in total.
    before: Vec<u64>,
    /// Cells of the widest wave.
    widest: usize,
    choice_bits: u32,
}

impl Layout {
    /// The layout of a table.
    /// Fails with [`OverMemory`] if no process could address the choices.
    pub fn of(waves: &impl Waves) -> Result<Self, OverMemory> {
        let (mut before, mut widest) = (vec![0u64], 1);
        let choice_bits = waves.choice_bits();
        let mut sum = 0u64;
        for wave in 0..waves.waves() {
            let cells = waves.cells(wave);
            widest = widest.max(cells);
            let bytes = (cells as u128 * u128::from(choice_bits)).div_ceil(8).next_multiple_of(ALIGN.into());
            let over = OverMemory { needed: u64::MAX, allowed: 0 };
            sum = u64::try_from(bytes).ok().and_then(|bytes| sum.checked_add(bytes)).ok_or(over)?;
            before.push(sum);
        }
        Ok(Self { before, widest, choice_bits })
    }

    /// Number of waves.
    pub fn waves(&self) -> u64 {
        self.before.len() as u64 - 1
    }

    /// Cells of the widest wave.
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// Bytes of the choices of some waves.
    pub fn bytes(&self, waves: &Range<u64>) -> u64 {
        self.at(waves.end) - self.at(waves.start)
    }

    /// The bytes of a wave's choices, counted from the first of another wave.
    pub(super) fn within(&self, wave: u64, first: u64) -> Range<usize> {
        (self.at(wave) - self.at(first)) as usize..(self.at(wave + 1) - self.at(first)) as usize
    }

    /// Bytes of all choices.
    pub fn total(&self) -> u64 {
        self.at(self.waves())
    }

    /// Bytes before a wave.
    pub(super) fn at(&self, wave: u64) -> u64 {
        self.before[wave as usize]
    }

    /// The byte, counted over all choices, and the bit in it at which a cell's choice begins.
    pub(super) fn place(&self, wave: u64, cell: usize) -> (u64, u32) {
        let bit = cell as u64 * u64::from(self.choice_bits);
        (self.at(wave) + bit / 8, (bit % 8) as u32)
    }

    /// The choice in a byte.
    pub(super) fn unpacked(&self, byte: u8, bit: u32) -> u8 {
        (u32::from(byte) >> bit & ((1 << self.choice_bits) - 1)) as u8
    }

    /// Cuts the waves into pieces of at most this many bytes of choices, or of one wave.
    pub(super) fn groups(&self, most: u64) -> Vec<Range<u64>> {
        let (mut groups, mut start) = (Vec::new(), 0);
        while start < self.waves() {
            let within =
                self.before.partition_point(|&at| at <= self.at(start).saturating_add(most)) as u64 - 1;
            let end = within.clamp(start + 1, self.waves());
            groups.push(start..end);
            start = end;
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waves of this many cells.
    struct Of(Vec<usize>, u32);

    impl Waves for Of {
        fn waves(&self) -> u64 {
            self.0.len() as u64
        }
        fn cells(&self, wave: u64) -> usize {
            self.0[wave as usize]
        }
        fn reach(&self) -> usize {
            1
        }
        fn choice_bits(&self) -> u32 {
            self.1
        }
    }

    #[test]
    fn choices_lie_one_after_the_other_aligned() {
        let layout = Layout::of(&Of(vec![1, 1024, 1025], 2)).unwrap();
        assert_eq!((layout.total(), layout.widest()), (128 + 256 + 384, 1025));
        assert_eq!(layout.place(1, 0), (128, 0));
        assert_eq!(layout.place(2, 1023), (128 + 256 + 255, 6));
        assert_eq!(layout.unpacked(0b1001_0011, 4), 0b01);
    }

    #[test]
    fn more_than_can_be_addressed_is_refused() {
        assert!(Layout::of(&Of(vec![usize::MAX; 9], 8)).is_err());
        assert!(Layout::of(&Of(vec![usize::MAX >> 1; 3], 8)).is_err());
    }

    #[test]
    fn groups_cover_their_waves_and_are_small() {
        let layout = Layout::of(&Of((1..400).map(|cells| cells * 37 % 5000 + 1).collect(), 4)).unwrap();
        for most in [0, 1000, 4000, 1 << 20] {
            let groups = layout.groups(most);
            assert!(groups.iter().all(|group| group.end - group.start == 1 || layout.bytes(group) <= most));
            let waves: Vec<u64> = groups.into_iter().flatten().collect();
            assert_eq!(waves, (0..399).collect::<Vec<_>>(), "{most}");
        }
    }
}
