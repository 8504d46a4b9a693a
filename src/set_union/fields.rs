//! Selections packed into bits: one field per class, the last class of the file in the highest bits.

use isx_problems::mckp::NO_ITEM;
use isx_problems::reduce::set_union::Reduced;
use std::ops::Range;

/// The field of a class: `bits` wide, from bit `shift` of word `word` on. Word 0 is the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    word: usize,
    shift: u32,
    bits: u32,
}

/// The field of every class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    fields: Vec<Field>,
    /// Words that all fields together take, at least 1.
    pub words: usize,
}

/// The fields of a problem's classes.
pub(crate) fn fields_of(problem: &Reduced) -> Fields {
    Fields::new(problem.classes.iter().map(Vec::len))
}

impl Fields {
    /// One field per class, wide enough for the numbers up to its count.
    pub fn new(counts: impl Iterator<Item = usize>) -> Self {
        // From the lowest bit up; the words are renumbered from the highest once their number is known.
        let (mut word, mut shift) = (0, 0);
        let mut fields = Vec::new();
        for count in counts {
            let bits = usize::BITS - count.leading_zeros();
            if shift + bits > u64::BITS {
                (word, shift) = (word + 1, 0);
            }
            fields.push(Field { word, shift, bits });
            shift += bits;
        }
        let words = word + 1;
        fields.iter_mut().for_each(|field| field.word = word - field.word);
        Self { fields, words }
    }

    /// The word of a class's field and the bits of item `number` in it, for selections of `words` words; 0 is no
    /// item.
    pub fn place(&self, class: usize, number: usize, words: usize) -> (usize, u64) {
        let Field { word, shift, bits } = self.fields[class];
        let bits = if bits == 0 { 0 } else { (number as u64) << shift };
        (word + words - self.words, bits)
    }
}

/// The items of some points, to be read one at a time.
#[derive(Clone, Debug)]
pub struct Selections {
    fields: Fields,
    /// A fixed number of words per point, the highest first.
    words: Vec<u64>,
}

impl Selections {
    /// `words` contains the words of every point one after the other, at least as many as the fields need.
    pub fn new(fields: Fields, words: Vec<u64>) -> Self {
        Self { fields, words }
    }

    /// Writes the items of the reduced problem at `points`, as indices into the classes: first those of the first
    /// class, one per point, then those of the second, and so on; [`NO_ITEM`] for none. Panics if a point does not
    /// exist, or `columns` does not have one place per class and point.
    pub fn write(&self, points: Range<usize>, columns: &mut [u32]) {
        let count = points.len();
        assert_eq!(columns.len(), self.fields.fields.len() * count, "one item a class and point");
        if count == 0 {
            return;
        }
        let words = &self.words[points.start * self.fields.words..points.end * self.fields.words];
        for (column, field) in columns.chunks_exact_mut(count).zip(&self.fields.fields) {
            if field.bits == 0 {
                column.fill(NO_ITEM);
                continue;
            }
            for (item, words) in column.iter_mut().zip(words.chunks_exact(self.fields.words)) {
                let number = words[field.word] >> field.shift & (u64::MAX >> (u64::BITS - field.bits));
                // A class has fewer than 2^32 items.
                *item =
                    u32::try_from(number).ok().and_then(|number| number.checked_sub(1)).unwrap_or(NO_ITEM);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_read_again_and_later_classes_count_more() {
        for counts in [vec![0, 1, 2, 3, 4, 7, 8], vec![1; 64], vec![255; 9], vec![1; 65], vec![0], vec![]] {
            let fields = Fields::new(counts.iter().copied());
            let words = fields.words;
            let packed = |numbers: &[usize]| {
                let mut packed = vec![0u64; words];
                for (class, &number) in numbers.iter().enumerate() {
                    let (word, bits) = fields.place(class, number, words);
                    packed[word] |= bits;
                }
                packed
            };
            let full = packed(&counts);
            let mut read = vec![0; 2 * counts.len()];
            let twice = [vec![0; words], full.clone(), full].concat();
            Selections::new(fields.clone(), twice).write(1..3, &mut read);
            let last = |&count: &usize| (count as u32).checked_sub(1).unwrap_or(NO_ITEM);
            let wanted: Vec<_> = counts.iter().flat_map(|count| [last(count); 2]).collect();
            assert_eq!(read, wanted);
            for class in 1..counts.len() {
                if counts[class] > 0 {
                    let mut below = counts.clone();
                    below[class..].fill(0);
                    let mut above = vec![0; counts.len()];
                    above[class] = 1;
                    assert!(packed(&above) > packed(&below), "{counts:?} {class}");
                }
            }
        }
    }
}
