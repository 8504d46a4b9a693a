//! The random numbers of all tests and benchmarks. They are independent of the library, which must not generate its
//! own test cases.

#![allow(dead_code)]

/// SplitMix64 (S. Steele, D. Lea, C. Flood, OOPSLA 2014): small, seeded, the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `low..=high`, nearly uniform.
    pub fn within<T: TryInto<i128> + TryFrom<i128>>(&mut self, low: T, high: T) -> T {
        let whole = |end: T| end.try_into().ok().expect("128 bits hold it");
        let (low, high) = (whole(low), whole(high));
        let span = high - low + 1;
        // 128-bit division is slow, and nearly every span fits 64 bits.
        let offset = match u64::try_from(span) {
            Ok(span) => self.next() % span,
            Err(_) => self.next(),
        };
        T::try_from(low + i128::from(offset)).ok().expect("what lies between two numbers has their type")
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }

    /// An element of the slice.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.within(0, from.len() as u64 - 1) as usize]
    }
}
