//! Numbers from the bytes of an input, so that a fuzzer that changes a byte changes a number.

/// The unread part of an input; past its end all bytes are 0.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn next(&mut self) -> u64 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first.into()
    }

    /// A number in `low..=high`, a range of fewer than 256 numbers.
    pub fn within(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.next() as usize % from.len()]
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.next() % n == n - 1
    }
}
