//! Reduces a pair of sequences, and maps answers back.
//!
//! Some longest common subsequence matches the common prefix letter by letter; the same then holds for the common
//! suffix. In the remaining parts, letters that occur in only one sequence are never matched. The remaining letters
//! are numbered from 0 in byte order.
//!
//! Worked instance: `xabcz` and `xbdaz` both start with `x` and end with `z`; of `abc` and `bda` the letters `ab` and
//! `ba` remain, with `a` as 0 and `b` as 1.

use crate::lcs::{Claim, Lcs};

/// A pair without its common prefix and suffix, and with common letters only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The letters of the first sequence, each below [`Reduced::letters`].
    pub rows: Vec<u8>,
    /// The letters of the second sequence.
    pub columns: Vec<u8>,
    /// The number of distinct letters, 0 to 256; each occurs in both sequences.
    pub letters: usize,
    /// The mapping back.
    pub back: WayBack,
}

/// Maps positions of the reduced sequences to those of the full ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WayBack {
    /// Length of the common prefix.
    pub prefix: usize,
    /// Length of the common suffix.
    pub suffix: usize,
    /// The positions of the rows after the prefix; `None`: unchanged.
    pub rows: Option<Vec<usize>>,
    /// The positions of the columns after the prefix.
    pub columns: Option<Vec<usize>>,
}

/// Reduces a pair.
///
/// ```
/// use isx_problems::lcs::Lcs;
/// let reduced = isx_problems::reduce::lcs::reduce(&Lcs { a: b"xabcz".to_vec(), b: b"xbdaz".to_vec() });
/// assert_eq!((reduced.rows, reduced.columns, reduced.letters), (vec![0, 1], vec![1, 0], 2));
/// ```
pub fn reduce(problem: &Lcs) -> Reduced {
    let (a, b) = (&problem.a[..], &problem.b[..]);
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
    let (in_a, in_b) = (occurring(a), occurring(b));
    let mut number = [None; 256];
    let mut letters = 0;
    for (letter, number) in number.iter_mut().enumerate() {
        if in_a[letter] && in_b[letter] {
            // There are at most 256.
            *number = Some(letters as u8);
            letters += 1;
        }
    }
    let (rows, rows_at) = numbered(a, &number);
    let (columns, columns_at) = numbered(b, &number);
    Reduced { rows, columns, letters, back: WayBack { prefix, suffix, rows: rows_at, columns: columns_at } }
}

fn occurring(text: &[u8]) -> [bool; 256] {
    let mut occurring = [false; 256];
    for &letter in text {
        occurring[usize::from(letter)] = true;
    }
    occurring
}

/// The numbers of a text's common letters, and their positions in it; `None` if all its letters are common.
fn numbered(text: &[u8], number: &[Option<u8>; 256]) -> (Vec<u8>, Option<Vec<usize>>) {
    let numbers: Vec<u8> = text.iter().filter_map(|&letter| number[usize::from(letter)]).collect();
    let has_number = |&at: &usize| number[usize::from(text[at])].is_some();
    let places = (numbers.len() < text.len()).then(|| (0..text.len()).filter(has_number).collect());
    (numbers, places)
}

impl Reduced {
    /// Cells of the table of all pairs of positions.
    pub fn cells(&self) -> u64 {
        (self.rows.len() as u64).saturating_mul(self.columns.len() as u64)
    }

    /// Bytes of the reduced sequences and of the mapping back.
    pub fn bytes(&self) -> u64 {
        let places = |places: &Option<Vec<usize>>| places.as_ref().map_or(0, |places| 8 * places.len());
        let letters = self.rows.len() + self.columns.len();
        (letters + places(&self.back.rows) + places(&self.back.columns)) as u64
    }

    /// Maximum bytes of the positions of a common subsequence.
    pub fn pairs_bytes(&self) -> u64 {
        (size_of::<(usize, usize)>() * self.rows.len().min(self.columns.len())) as u64
    }

    /// Maps a common subsequence of the reduced pair to a claim about the full pair.
    pub fn claim(&self, problem: &Lcs, length: u64, pairs: Option<Vec<(usize, usize)>>) -> Claim {
        let WayBack { prefix, suffix, rows, columns } = &self.back;
        let place = |places: &Option<Vec<usize>>, at: usize| {
            prefix
                + places.as_ref().map_or(at, |places| places.get(at).copied().unwrap_or(usize::MAX - prefix))
        };
        let ends = (problem.a.len() - suffix, problem.b.len() - suffix);
        let with_ends = |pairs: Vec<(usize, usize)>| {
            let before = (0..*prefix).map(|at| (at, at));
            let between = pairs.into_iter().map(|(row, column)| (place(rows, row), place(columns, column)));
            let after = (0..*suffix).map(|at| (ends.0 + at, ends.1 + at));
            before.chain(between).chain(after).collect()
        };
        Claim { length: length + (prefix + suffix) as u64, pairs: pairs.map(with_ends) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcs::witness;

    fn pair(a: &[u8], b: &[u8]) -> Lcs {
        Lcs { a: a.to_vec(), b: b.to_vec() }
    }

    #[test]
    fn common_ends_and_letters_of_one_sequence_go_and_come_back() {
        let problem = pair(b"xxaqbcz", b"xxcbrayz");
        let reduced = reduce(&problem);
        assert_eq!((&reduced.rows[..], &reduced.columns[..]), (&[0, 1, 2][..], &[2, 1, 0][..]));
        assert_eq!(reduced.back.rows, Some(vec![0, 2, 3]));
        assert_eq!(reduced.back.columns, Some(vec![0, 1, 3]));
        let claim = reduced.claim(&problem, 1, Some(vec![(1, 1)]));
        assert_eq!(claim.pairs, Some(vec![(0, 0), (1, 1), (4, 3), (6, 7)]));
        assert_eq!((claim.length, witness(&problem, &claim)), (4, Ok(())));
        assert_eq!(reduced.claim(&problem, 1, None), Claim { length: 4, pairs: None });
    }

    #[test]
    fn a_prefix_and_a_suffix_never_overlap() {
        for (a, b) in [(&b"aaa"[..], &b"aa"[..]), (b"abab", b"ab"), (b"", b"ab"), (b"ab", b"ab")] {
            let problem = pair(a, b);
            let reduced = reduce(&problem);
            assert!(reduced.rows.is_empty() && reduced.columns.is_empty() && reduced.letters == 0);
            let claim = reduced.claim(&problem, 0, Some(Vec::new()));
            assert_eq!((claim.length, witness(&problem, &claim)), (a.len().min(b.len()) as u64, Ok(())));
        }
    }

    #[test]
    fn all_256_letters_keep_their_bytes() {
        let a: Vec<u8> = (0..=255).collect();
        let b: Vec<u8> = (0..=255).rev().collect();
        let reduced = reduce(&pair(&a, &b));
        assert_eq!((reduced.letters, &reduced.rows, &reduced.columns), (256, &a, &b));
        assert_eq!((&reduced.back.rows, reduced.cells(), reduced.bytes()), (&None, 65_536, 512));
    }
}
