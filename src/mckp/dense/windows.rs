//! Marks of the cells of the previous row, collected by many tasks at the same time.
//!
//! Neighboring strips of a layer form a group, which one task traces back. The cells it leads to lie in a window:
//! from the group's start minus the weight of the class's heaviest item, to the group's end. Each group marks its
//! own window, and overlapping windows are joined once all groups are done.
//!
//! Worked instance: strips of 4096 cells, items of weight up to 10,000. The group of strip 3, cells 12,288 ..
//! 16,384, leads to cells from 2288 on: its window begins with word 35 of the row's marks, which starts at cell
//! 2240.

use super::row::STRIP;
use super::trace::Reached;
use isx_machine::cpu::Team;
use isx_machine::rates;

/// Cells in a word of marks.
const WORD: usize = 64;

/// Groups per thread, so that threads that finish early find more work.
const GROUPS_A_THREAD: usize = 8;

/// Words of marks joined per task.
const JOINED: usize = 512;

/// How a layer is divided into groups.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// Strips per group.
    pub strips: usize,
    /// Number of groups.
    pub count: usize,
    /// Words per window.
    words: usize,
    heaviest: usize,
}

impl Groups {
    /// For `words` words of marks, a class whose heaviest item weighs `heaviest`, and `threads` threads. If items
    /// reach far there are fewer groups, so that windows take little more than eight times the memory of the layer's
    /// marks.
    pub fn new(words: usize, heaviest: usize, threads: usize) -> Self {
        let strips = words.div_ceil(STRIP / WORD).max(1);
        let reaching_little = 8 * words * WORD / heaviest.max(1);
        let most = match threads {
            0 | 1 => 1,
            _ => (GROUPS_A_THREAD * threads).min(reaching_little.max(threads)),
        };
        let group = strips.div_ceil(most);
        let window = (group * (STRIP / WORD) + heaviest.div_ceil(WORD)).min(words) + 2;
        Self { strips: group, count: strips.div_ceil(group), words: window, heaviest }
    }

    /// Words of all windows together.
    pub fn window_words(&self) -> usize {
        self.count * self.words
    }

    /// Cells per group.
    pub fn cells(&self) -> usize {
        self.strips * STRIP
    }

    /// First word of a group's window.
    fn first(&self, group: usize) -> usize {
        (group * self.cells()).saturating_sub(self.heaviest) / WORD
    }
}

/// The windows of all groups of a layer.
#[derive(Default)]
pub struct Windows {
    words: Vec<u64>,
}

impl Windows {
    /// Empty windows.
    pub fn open(&mut self, groups: &Groups) -> impl Iterator<Item = Reached<'_>> {
        self.words.resize(groups.window_words(), 0);
        let windows = self.words.chunks_mut(groups.words).enumerate();
        windows.map(|(group, words)| Reached { words, first: groups.first(group) })
    }

    /// The marks of the previous row, `words` words; windows of groups that were not `used` are skipped.
    pub fn join(&self, groups: &Groups, used: &[bool], words: usize, team: &Team) -> Vec<u64> {
        let mut joined = vec![0; words];
        let seconds = self.words.len() as f64 * rates::MCKP_JOINED;
        team.sum_chunks(&mut joined, JOINED, seconds, |chunk, joined| {
            let first = chunk * JOINED;
            let last = first + joined.len();
            for (group, window) in
                self.words.chunks(groups.words).enumerate().filter(|&(group, _)| used[group])
            {
                let begins = groups.first(group);
                let (from, to) = (begins.max(first), (begins + window.len()).min(last));
                if from < to {
                    let into = &mut joined[from - first..to - first];
                    into.iter_mut().zip(&window[from - begins..]).for_each(|(joined, more)| *joined |= more);
                }
            }
            0
        });
        joined
    }
}

/// Maximum bytes of windows for rows of `cells` cells: every group's cells, the reach of its items, and a little for
/// rounding.
pub fn most_bytes(cells: u64, heaviest: u64, threads: usize) -> u64 {
    if threads < 2 {
        return cells / 8 + 8 * 4;
    }
    let (strip, word, threads) = (STRIP as u64, WORD as u64, threads as u64);
    let strips = cells / strip + 1;
    let groups = (GROUPS_A_THREAD as u64 * threads)
        .min((cells.saturating_mul(8) / heaviest.max(1)).max(threads))
        .min(strips);
    let reach = heaviest.min(cells) / word + strip / word + 4;
    (strips * (strip / word)).saturating_add(groups.saturating_mul(reach)).saturating_mul(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of small and large problems, with the words, weights and threads they are made for.
    fn shapes() -> Vec<(Groups, usize, usize, usize)> {
        let mut shapes = Vec::new();
        for words in [4, 60, 64, 68, 6104, 100_000] {
            for heaviest in [0, 1, 63, 64, 4096, 10_000, words * WORD / 2, words * WORD] {
                for threads in [1, 2, 16, 1024] {
                    shapes.push((Groups::new(words, heaviest, threads), words, heaviest, threads));
                }
            }
        }
        shapes
    }

    #[test]
    fn groups_cover_the_layer_and_windows_what_their_items_reach() {
        for (groups, words, heaviest, threads) in shapes() {
            assert!(groups.count * groups.cells() >= words * WORD);
            assert!((groups.count - 1) * groups.cells() < words * WORD);
            for group in 0..groups.count {
                let (start, end) = (group * groups.cells(), ((group + 1) * groups.cells()).min(words * WORD));
                let (first, last) = (groups.first(group), groups.first(group) + groups.words);
                assert!(first * WORD <= start.saturating_sub(heaviest));
                // A mark may be split between its word and the next.
                assert!((end - 1) / WORD + 1 < last, "{words} words, {heaviest}, {threads} threads");
            }
        }
    }

    #[test]
    fn windows_stay_within_their_estimate_and_are_not_far_below_it() {
        for (groups, words, heaviest, threads) in shapes() {
            let bytes = 8 * groups.window_words() as u64;
            let most = most_bytes((words * WORD) as u64, heaviest as u64, threads);
            assert!(bytes <= most, "{groups:?}: {bytes} of {most}");
            assert!(most <= 4 * bytes + 8 * 1024, "{groups:?}: {bytes} of {most}");
        }
    }

    #[test]
    fn windows_that_overlap_are_joined() {
        let words = 256;
        let groups = Groups::new(words, 5000, 2);
        assert_eq!(groups.count, 4);
        let workers = isx_machine::cpu::Workers::new(2);
        for team in [Team::alone(), Team::of(&workers)] {
            let mut windows = Windows::default();
            for (group, window) in windows.open(&groups).enumerate() {
                // Every group marks the first word of its window and one that all windows contain.
                window.words.fill(0);
                window.words[0] |= 1 << group;
                if let Some(common) = 8usize.checked_sub(window.first) {
                    window.words[common] |= 1 << (32 + group);
                }
            }
            let joined = windows.join(&groups, &[true, true, false, true], words, &team);
            let firsts: Vec<usize> = (0..4).map(|group| groups.first(group)).collect();
            assert_eq!(firsts, [0, 0, 49, 113]);
            assert_eq!((joined[0], joined[8]), (0b11, 0b11 << 32));
            assert_eq!((joined[49], joined[113]), (0, 0b1000));
            assert_eq!(joined.iter().filter(|&&word| word != 0).count(), 3);
        }
    }
}
