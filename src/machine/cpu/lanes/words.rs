//! Vectors of 64-bit words for bit-parallel dynamic programs: logic, sums modulo 2^64, and shifts by one lane.

use super::portable::Portable;

/// Vectors of 64-bit words on one instruction set.
pub trait Words: Copy {
    /// A vector.
    type Words: Copy;
    /// Words in a vector: 1, 2, 4 or 8.
    const WORDS: usize;
    /// The first [`Words::WORDS`] words.
    fn load_words(self, words: &[u64]) -> Self::Words;
    /// Writes the first [`Words::WORDS`] words.
    fn store_words(self, to: &mut [u64], words: Self::Words);
    /// `word` in lane 0, zeros in the others.
    fn only_first(self, word: u64) -> Self::Words;
    /// Lane 0.
    fn first(self, words: Self::Words) -> u64;
    /// Lane-wise `a & b`.
    fn both(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Lane-wise `a | b`.
    fn either(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Lane-wise `a & !b`.
    fn without(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Lane-wise sum modulo 2^64.
    fn sum(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// The highest bit of every lane, as 0 or 1.
    fn top_bits(self, words: Self::Words) -> Self::Words;
    /// Every lane takes the next higher lane's word; the highest takes lane 0 of `above`.
    fn down(self, words: Self::Words, above: Self::Words) -> Self::Words;
    /// Lanes whose index has bit `BIT` clear come from `clear`, the others from `set`.
    fn mixed<const BIT: u32>(self, clear: Self::Words, set: Self::Words) -> Self::Words;
}

impl Words for Portable {
    type Words = u64;
    const WORDS: usize = 1;

    #[inline(always)]
    fn store_words(self, to: &mut [u64], words: u64) {
        to[0] = words;
    }

    inlined! {
        fn load_words(self, words: &[u64]) -> u64 = words[0];
        fn only_first(self, word: u64) -> u64 = word;
        fn first(self, words: u64) -> u64 = words;
        fn both(self, a: u64, b: u64) -> u64 = a & b;
        fn either(self, a: u64, b: u64) -> u64 = a | b;
        fn without(self, a: u64, b: u64) -> u64 = a & !b;
        fn sum(self, a: u64, b: u64) -> u64 = a.wrapping_add(b);
        fn top_bits(self, words: u64) -> u64 = words >> 63;
        fn down(self, _below: u64, above: u64) -> u64 = above;
        fn mixed<const BIT: u32>(self, clear: u64, _set: u64) -> u64 = clear;
    }
}

/// What all vectors share: loads and stores of words.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! in_and_out {
    ($reg:ty, $width:literal) => {
        type Words = $reg;
        const WORDS: usize = $width;

        loads_and_stores!(u64, $reg, $width, load_words, store_words);

        #[inline(always)]
        fn only_first(self, word: u64) -> $reg {
            let mut words = [0u64; $width];
            words[0] = word;
            cast(words)
        }

        #[inline(always)]
        fn first(self, words: $reg) -> u64 {
            let words: [u64; $width] = cast(words);
            words[0]
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Words;
    use pulp::cast;
    use pulp::x86::{V3, V4};
    use std::arch::x86_64::{__m256i, __m512i};

    impl Words for V4 {
        in_and_out!(__m512i, 8);

        inlined! {
            fn both(self, a: __m512i, b: __m512i) -> __m512i = self.avx512f._mm512_and_si512(a, b);
            fn either(self, a: __m512i, b: __m512i) -> __m512i = self.avx512f._mm512_or_si512(a, b);
            fn without(self, a: __m512i, b: __m512i) -> __m512i = self.avx512f._mm512_andnot_si512(b, a);
            fn sum(self, a: __m512i, b: __m512i) -> __m512i = self.avx512f._mm512_add_epi64(a, b);
            fn top_bits(self, words: __m512i) -> __m512i = self.avx512f._mm512_srli_epi64::<63>(words);
            fn down(self, words: __m512i, above: __m512i) -> __m512i =
                self.avx512f._mm512_alignr_epi64::<1>(above, words);
        }

        #[inline(always)]
        fn mixed<const BIT: u32>(self, clear: __m512i, set: __m512i) -> __m512i {
            const { assert!(BIT < 3, "a lane has three bits") };
            let lanes = const { [0b1010_1010u8, 0b1100_1100, 0b1111_0000][BIT as usize % 3] };
            self.avx512f._mm512_mask_blend_epi64(lanes, clear, set)
        }
    }

    impl Words for V3 {
        in_and_out!(__m256i, 4);

        inlined! {
            fn both(self, a: __m256i, b: __m256i) -> __m256i = self.avx2._mm256_and_si256(a, b);
            fn either(self, a: __m256i, b: __m256i) -> __m256i = self.avx2._mm256_or_si256(a, b);
            fn without(self, a: __m256i, b: __m256i) -> __m256i = self.avx2._mm256_andnot_si256(b, a);
            fn sum(self, a: __m256i, b: __m256i) -> __m256i = self.avx2._mm256_add_epi64(a, b);
            fn top_bits(self, words: __m256i) -> __m256i = self.avx2._mm256_srli_epi64::<63>(words);
        }

        #[inline(always)]
        fn down(self, words: __m256i, above: __m256i) -> __m256i {
            // Lane 0 of `above` replaces the lane shifted out, then all lanes rotate by one.
            let joined = self.avx2._mm256_blend_epi32::<0b11>(words, above);
            self.avx2._mm256_permute4x64_epi64::<0b00_11_10_01>(joined)
        }

        #[inline(always)]
        fn mixed<const BIT: u32>(self, clear: __m256i, set: __m256i) -> __m256i {
            match BIT {
                0 => self.avx2._mm256_blend_epi32::<0b1100_1100>(clear, set),
                1 => self.avx2._mm256_blend_epi32::<0b1111_0000>(clear, set),
                _ => clear,
            }
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod arm {
    use super::Words;
    use pulp::aarch64::Neon;
    use pulp::cast;
    use std::arch::aarch64::uint64x2_t;

    impl Words for Neon {
        in_and_out!(uint64x2_t, 2);

        inlined! {
            fn both(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t = self.neon.vandq_u64(a, b);
            fn either(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t = self.neon.vorrq_u64(a, b);
            fn without(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t = self.neon.vbicq_u64(a, b);
            fn sum(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t = self.neon.vaddq_u64(a, b);
            fn top_bits(self, words: uint64x2_t) -> uint64x2_t = self.neon.vshrq_n_u64::<63>(words);
            fn down(self, words: uint64x2_t, above: uint64x2_t) -> uint64x2_t =
                self.neon.vextq_u64::<1>(words, above);
        }

        #[inline(always)]
        fn mixed<const BIT: u32>(self, clear: uint64x2_t, set: uint64x2_t) -> uint64x2_t {
            // Lane 1 of `set` above lane 0 of `clear`.
            let turned = self.neon.vextq_u64::<1>(set, clear);
            self.neon.vextq_u64::<1>(turned, turned)
        }
    }
}
