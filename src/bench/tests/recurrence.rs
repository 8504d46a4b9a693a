//! "How to add a recurrence" of CONTRIBUTING.md: the edit distance of two texts, by anti-diagonals.
//!
//! V. Levenshtein, 1966; R. Wagner and M. Fischer, "The string-to-string correction problem", JACM 21(1), 1974:
//! `D(i, j) = min { D(i-1, j) + 1, D(i, j-1) + 1, D(i-1, j-1) + (a_i is not b_j) }`.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../tests/common/random.rs"]
mod random;

use isx_bench::wave::{Before, Recurrence, Table, WaveError, Waves};
use isx_machine::{Cancel, Machine};
use random::Random;

/// The table of `a` (rows) and `b` (columns). Wave d contains the cells (i, j) with i + j = d, from the least i on.
struct EditDistance<'a> {
    a: &'a [u8],
    b: &'a [u8],
}

/// How a cell is reached.
const KEEP: u8 = 0;
const DELETE: u8 = 1;
const INSERT: u8 = 2;

impl EditDistance<'_> {
    /// The least i of a wave.
    fn top(&self, wave: u64) -> usize {
        (wave as usize).saturating_sub(self.b.len())
    }

    fn value(&self, before: &Before<'_, u32>, wave: u64, back: usize, i: usize) -> u32 {
        before.wave(back)[i - self.top(wave - back as u64)]
    }
}

impl Waves for EditDistance<'_> {
    fn waves(&self) -> u64 {
        (self.a.len() + self.b.len()) as u64 + 1
    }

    fn cells(&self, wave: u64) -> usize {
        (wave as usize).min(self.a.len()) - self.top(wave) + 1
    }

    fn reach(&self) -> usize {
        2
    }

    fn choice_bits(&self) -> u32 {
        2
    }
}

impl Recurrence for EditDistance<'_> {
    type Cell = u32;

    fn cell(&self, wave: u64, at: usize, before: &Before<'_, u32>) -> (u32, u8) {
        let i = self.top(wave) + at;
        let j = wave as usize - i;
        let of = |back, i| self.value(before, wave, back, i);
        match (i, j) {
            (0, _) => (j as u32, INSERT),
            (_, 0) => (i as u32, DELETE),
            _ => {
                let change = u32::from(self.a[i - 1] != self.b[j - 1]);
                let ways =
                    [(of(2, i - 1) + change, KEEP), (of(1, i - 1) + 1, DELETE), (of(1, i) + 1, INSERT)];
                ways.into_iter().min().unwrap()
            }
        }
    }
}

/// The distance, and the positions in `a` and `b` of the letters that stay or are changed.
fn edit_distance(a: &[u8], b: &[u8], machine: &Machine) -> Result<(u32, Vec<(usize, usize)>), WaveError> {
    let recurrence = EditDistance { a, b };
    let mut table = Table::sweep(&recurrence, machine, true, &|_| ())?;
    let distance = table.last()[0];
    let (mut i, mut j, mut kept) = (a.len(), b.len(), Vec::new());
    while i + j > 0 {
        let wave = (i + j) as u64;
        let choice = table.choice(wave, i - recurrence.top(wave))?;
        i -= usize::from(choice != INSERT);
        j -= usize::from(choice != DELETE);
        if choice == KEEP {
            kept.push((i, j));
        }
    }
    kept.reverse();
    Ok((distance, kept))
}

/// Row by row, as in any textbook.
fn textbook(a: &[u8], b: &[u8]) -> u32 {
    let mut row: Vec<u32> = (0..=b.len() as u32).collect();
    for (i, letter) in (1..).zip(a) {
        let mut corner = std::mem::replace(&mut row[0], i);
        for j in 1..=b.len() {
            let change = corner + u32::from(*letter != b[j - 1]);
            corner = row[j];
            row[j] = change.min(row[j] + 1).min(row[j - 1] + 1);
        }
    }
    row[b.len()]
}

#[test]
fn a_recurrence_of_two_functions_is_swept_walked_back_and_cut_to_the_memory_there_is() {
    let machines = [Machine::default().with_threads(1), Machine::default().with_threads(2)];
    let mut random = Random(27);
    let (mut cut, mut refused) = (0, 0);
    for case in 0..3000u64 {
        let letters = random.pick(&[1u64, 2, 4, 256]);
        let mut text = |most: u64| -> Vec<u8> {
            (0..random.within(0, most)).map(|_| random.within(0, letters - 1) as u8).collect()
        };
        let (a, b) = (text(60), text(60));
        let wide = &machines[case as usize % 2];
        let recurrence = EditDistance { a: &a, b: &b };
        let (all, _) = Table::plan(&recurrence, true, u64::MAX).unwrap();
        // With all the memory, and with less and less until not even checkpoints fit.
        for allowed in [all, all * 3 / 4, all / 2, all / 3, all / 5] {
            let machine = wide.clone().with_max_memory(allowed);
            match edit_distance(&a, &b, &machine) {
                Ok((distance, kept)) => {
                    assert_eq!(distance, textbook(&a, &b), "{a:?} {b:?}");
                    let changed = kept.iter().filter(|&&(i, j)| a[i] != b[j]).count();
                    assert_eq!(distance as usize, changed + (a.len() - kept.len()) + (b.len() - kept.len()));
                    cut += u64::from(allowed < all);
                }
                Err(WaveError::Memory(over)) => {
                    assert!(allowed < all && over.needed > allowed, "{over}");
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(cut > 2000 && refused > 1000, "{cut} {refused}");
}

#[test]
fn long_texts_are_shared_by_threads_and_called_off() {
    let mut random = Random(28);
    // Waves of more than 8192 cells are divided among the threads, and the table is four times as large as the
    // memory.
    let [a, b] = [(); 2].map(|()| (0..12_000).map(|_| random.within(0, 3) as u8).collect::<Vec<u8>>());
    let machine = Machine::default().with_threads(2).with_max_memory(8 << 20);
    let (distance, kept) = edit_distance(&a, &b, &machine).unwrap();
    assert_eq!(distance, textbook(&a, &b));
    assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = machine.with_cancel(cancel);
    assert!(matches!(edit_distance(&a, &b, &machine), Err(WaveError::Cancelled)));
}
