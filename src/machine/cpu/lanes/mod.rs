//! Vectors of max-plus cells: the few operations that the kernels need, for every instruction set.
//!
//! A [`Kernel`] is written once against [`Simd`] and compiled once per [`Isa`]; the choice is made at run time. The
//! instruction sets come from the `pulp` crate, whose tokens prove that the machine supports them, so nothing here
//! is unsafe.

/// Functions of one expression, to be inlined into the vectorized caller.
macro_rules! inlined {
    ($(fn $name:ident $(<const $bit:ident: u32>)? ($this:ident $(, $arg:ident: $type:ty)*) -> $out:ty = $body:expr;)+) => {
        $(
            #[inline(always)]
            fn $name $(<const $bit: u32>)? ($this $(, $arg: $type)*) -> $out {
                $body
            }
        )+
    };
}

/// Loads and stores of whole vectors, the same on every instruction set.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! loads_and_stores {
    ($lane:ty, $reg:ty, $width:literal, $load:ident, $store:ident) => {
        #[inline(always)]
        fn $load(self, cells: &[$lane]) -> $reg {
            let Some(cells) = cells.first_chunk::<$width>() else { unreachable!("tiles are whole vectors") };
            pulp::cast(*cells)
        }

        #[inline(always)]
        fn $store(self, cells: &mut [$lane], reg: $reg) {
            let Some(cells) = cells.first_chunk_mut::<$width>() else {
                unreachable!("tiles are whole vectors")
            };
            *cells = pulp::cast(reg);
        }
    };
}

#[cfg(target_arch = "aarch64")]
mod arm;
mod portable;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use words::Words;

/// A cell as kernels store it. Sums below the lowest value saturate, so that "unreachable" stays unreachable.
pub trait Lane: Copy + Default + Ord + Send + Sync + 'static {
    /// A value so low that adding an item's value to it never makes it usable again.
    const LOWEST: Self;
    /// The largest number of the type.
    const HIGHEST: i64;
    /// Converts a number; the caller guarantees that it fits.
    fn of(value: i64) -> Self;
    /// The same number.
    fn wide(self) -> i64;
    /// The sum; 16-bit lanes saturate.
    fn plus(self, other: Self) -> Self;
    /// The difference; 16-bit lanes saturate.
    fn minus(self, other: Self) -> Self;
}

macro_rules! lane {
    ($type:ty, $lowest:expr, $plus:ident, $minus:ident) => {
        impl Lane for $type {
            const LOWEST: Self = $lowest;
            const HIGHEST: i64 = <$type>::MAX as i64;
            // Callers pass numbers that fit; see the trait.
            #[inline(always)]
            fn of(value: i64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn wide(self) -> i64 {
                self.into()
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.$plus(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.$minus(other)
            }
        }
    };
}
// Half the range stays below zero: the values of a tier lie within the other half.
lane!(i16, i16::MIN, saturating_add, saturating_sub);
lane!(i32, i32::MIN / 2, wrapping_add, wrapping_sub);
lane!(i64, i64::MIN / 2, wrapping_add, wrapping_sub);

/// Vectors of `N` on one instruction set.
pub trait Lanes<N: Lane>: Copy {
    /// A vector.
    type Reg: Copy;
    /// Cells in a vector; divides 64.
    const WIDTH: usize;
    /// A vector with `value` in every lane.
    fn splat(self, value: N) -> Self::Reg;
    /// The first [`Lanes::WIDTH`] cells.
    fn load(self, cells: &[N]) -> Self::Reg;
    /// Writes the first [`Lanes::WIDTH`] cells.
    fn store(self, cells: &mut [N], reg: Self::Reg);
    /// Lane-wise [`Lane::plus`].
    fn add(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Lane-wise [`Lane::minus`].
    fn sub(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Lane-wise maximum.
    fn max(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// One bit per lane: whether both are equal; the first lane is bit 0.
    fn equal(self, a: Self::Reg, b: Self::Reg) -> u64;
}

/// Vectors of every kind of lane, and of words.
pub trait Simd: Lanes<i16> + Lanes<i32> + Lanes<i64> + Words {}
impl<S: Lanes<i16> + Lanes<i32> + Lanes<i64> + Words> Simd for S {}

/// A computation that is compiled for each instruction set.
pub trait Kernel {
    /// Its result.
    type Output;
    /// Runs it. Implementations and everything they call must be `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// x86-64 with AVX-512 F, BW, CD, DQ and VL.
    Avx512,
    /// x86-64 with AVX2 and FMA.
    Avx2,
    /// 64-bit Arm.
    Neon,
    /// Plain loops, vectorized by the compiler.
    Portable,
}

impl Isa {
    /// The instruction sets of this machine, widest first; never empty.
    #[must_use]
    pub fn available() -> Vec<Self> {
        [Self::Avx512, Self::Avx2, Self::Neon, Self::Portable]
            .into_iter()
            .filter(|isa| isa.is_here())
            .collect()
    }

    /// The widest instruction set of this machine.
    #[must_use]
    pub fn best() -> Self {
        Self::available()[0]
    }

    /// The name shown to users.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2",
            Self::Neon => "NEON",
            Self::Portable => "portable",
        }
    }

    fn is_here(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::is_available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::is_available(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => pulp::aarch64::Neon::is_available(),
            Self::Portable => true,
            _ => false,
        }
    }

    /// Runs the kernel on this instruction set, or on plain loops if the machine lacks it.
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                if let Some(simd) = pulp::x86::V4::try_new() {
                    return simd.vectorize(On { simd, kernel });
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                if let Some(simd) = pulp::x86::V3::try_new() {
                    return simd.vectorize(On { simd, kernel });
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => {
                if let Some(simd) = pulp::aarch64::Neon::try_new() {
                    return simd.vectorize(On { simd, kernel });
                }
            }
            _ => {}
        }
        kernel.run(portable::Portable)
    }
}

/// A kernel and the token to run it with. A closure would not be inlined into the vectorized function.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
struct On<S, K> {
    simd: S,
    kernel: K,
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl<S: Simd, K: Kernel> pulp::NullaryFnOnce for On<S, K> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.kernel.run(self.simd)
    }
}
