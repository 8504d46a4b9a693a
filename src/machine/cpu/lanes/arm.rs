//! Vectors of NEON.

use super::lane::Lanes;
use pulp::aarch64::Neon;
use pulp::cast;
use std::arch::aarch64::{int16x8_t, int32x4_t, int64x2_t};

macro_rules! neon {
    ($type:ty, $reg:ty, $width:literal; $splat:ident, $add:ident, $sub:ident, $equal:ident; $max:expr) => {
        impl Lanes<$type> for Neon {
            type Reg = $reg;
            const WIDTH: usize = $width;

            loads_and_stores!($type, $reg, $width, load, store);

            inlined! {
                fn splat(self, value: $type) -> $reg = self.neon.$splat(value);
                fn add(self, a: $reg, b: $reg) -> $reg = self.neon.$add(a, b);
                fn sub(self, a: $reg, b: $reg) -> $reg = self.neon.$sub(a, b);
                fn max(self, a: $reg, b: $reg) -> $reg = $max(self, a, b);
            }

            #[inline(always)]
            fn equal(self, a: $reg, b: $reg) -> u64 {
                let lanes: [$type; $width] = cast(self.neon.$equal(a, b));
                lanes.iter().rev().fold(0, |bits, &lane| bits << 1 | u64::from(lane != 0))
            }
        }
    };
}
neon! { i16, int16x8_t, 8; vdupq_n_s16, vqaddq_s16, vqsubq_s16, vceqq_s16;
|simd: Neon, a, b| simd.neon.vmaxq_s16(a, b) }
neon! { i32, int32x4_t, 4; vdupq_n_s32, vaddq_s32, vsubq_s32, vceqq_s32;
|simd: Neon, a, b| simd.neon.vmaxq_s32(a, b) }
neon! { i64, int64x2_t, 2; vdupq_n_s64, vaddq_s64, vsubq_s64, vceqq_s64;
|simd: Neon, a, b| simd.neon.vbslq_s64(simd.neon.vcgtq_s64(a, b), a, b) }
