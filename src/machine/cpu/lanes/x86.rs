//! Vectors of AVX-512 and of AVX2.

use super::lane::Lanes;
use pulp::cast;
use pulp::x86::{V3, V4};
use std::arch::x86_64::{__m128i, __m256i, __m512i};

macro_rules! avx512 {
    ($type:ty, $width:literal; $splat:ident; $arithmetic:ident: $add:ident, $sub:ident; $order:ident: $max:ident, $equal:ident) => {
        impl Lanes<$type> for V4 {
            type Reg = __m512i;
            const WIDTH: usize = $width;

            loads_and_stores!($type, __m512i, $width, load, store);

            inlined! {
                fn splat(self, value: $type) -> __m512i = self.avx512f.$splat(value);
                fn add(self, a: __m512i, b: __m512i) -> __m512i = self.$arithmetic.$add(a, b);
                fn sub(self, a: __m512i, b: __m512i) -> __m512i = self.$arithmetic.$sub(a, b);
                fn max(self, a: __m512i, b: __m512i) -> __m512i = self.$order.$max(a, b);
                fn equal(self, a: __m512i, b: __m512i) -> u64 = self.$order.$equal(a, b).into();
            }
        }
    };
}
avx512! { i16, 32; _mm512_set1_epi16; avx512bw: _mm512_adds_epi16, _mm512_subs_epi16;
avx512bw: _mm512_max_epi16, _mm512_cmpeq_epi16_mask }
avx512! { i32, 16; _mm512_set1_epi32; avx512f: _mm512_add_epi32, _mm512_sub_epi32;
avx512f: _mm512_max_epi32, _mm512_cmpeq_epi32_mask }
avx512! { i64, 8; _mm512_set1_epi64; avx512f: _mm512_add_epi64, _mm512_sub_epi64;
avx512f: _mm512_max_epi64, _mm512_cmpeq_epi64_mask }

macro_rules! avx2 {
    ($type:ty, $width:literal; $splat:ident, $add:ident, $sub:ident; $max:expr, $equal:expr) => {
        impl Lanes<$type> for V3 {
            type Reg = __m256i;
            const WIDTH: usize = $width;

            loads_and_stores!($type, __m256i, $width, load, store);

            inlined! {
                fn splat(self, value: $type) -> __m256i = self.avx.$splat(value);
                fn add(self, a: __m256i, b: __m256i) -> __m256i = self.avx2.$add(a, b);
                fn sub(self, a: __m256i, b: __m256i) -> __m256i = self.avx2.$sub(a, b);
                fn max(self, a: __m256i, b: __m256i) -> __m256i = $max(self, a, b);
                fn equal(self, a: __m256i, b: __m256i) -> u64 = $equal(self, a, b);
            }
        }
    };
}
avx2! { i16, 16; _mm256_set1_epi16, _mm256_adds_epi16, _mm256_subs_epi16;
    |simd: V3, a, b| simd.avx2._mm256_max_epi16(a, b),
    |simd: V3, a, b| {
        let [low, high]: [__m128i; 2] = cast(simd.avx2._mm256_cmpeq_epi16(a, b));
        let bits = simd.sse2._mm_movemask_epi8(simd.sse2._mm_packs_epi16(low, high));
        u64::from(bits.cast_unsigned())
    }
}
avx2! { i32, 8; _mm256_set1_epi32, _mm256_add_epi32, _mm256_sub_epi32;
    |simd: V3, a, b| simd.avx2._mm256_max_epi32(a, b),
    |simd: V3, a, b| {
        let equal = simd.avx2._mm256_cmpeq_epi32(a, b);
        u64::from(simd.avx._mm256_movemask_ps(cast(equal)).cast_unsigned())
    }
}
avx2! { i64, 4; _mm256_set1_epi64x, _mm256_add_epi64, _mm256_sub_epi64;
    |simd: V3, a, b| simd.avx2._mm256_blendv_epi8(b, a, simd.avx2._mm256_cmpgt_epi64(a, b)),
    |simd: V3, a, b| {
        let equal = simd.avx2._mm256_cmpeq_epi64(a, b);
        u64::from(simd.avx._mm256_movemask_pd(cast(equal)).cast_unsigned())
    }
}
