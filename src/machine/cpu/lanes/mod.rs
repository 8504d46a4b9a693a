//! Vectors of max-plus cells: the few operations that the kernels need, for every instruction set.
//!
//! A [`Kernel`] is written once against [`Simd`] and compiled once per [`Isa`]; the choice is made at run time. The
//! instruction sets come from the `pulp` crate, whose tokens prove that the machine supports them, so nothing here
//! is unsafe.

/// Functions of one expression, to be inlined into the vectorized caller.
macro_rules! inlined {
    ($(fn $name:ident ($this:ident $(, $arg:ident: $type:ty)*) -> $out:ty = $body:expr;)+) => {
        $(
            #[inline(always)]
            fn $name($this $(, $arg: $type)*) -> $out {
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
mod lane;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use lane::{Lane, Lanes};

/// Vectors of every kind of lane.
pub trait Simd: Lanes<i16> + Lanes<i32> + Lanes<i64> {}
impl<S: Lanes<i16> + Lanes<i32> + Lanes<i64>> Simd for S {}

/// A computation that is compiled for each instruction set.
pub trait Kernel {
    /// Its result.
    type Output;
    /// Runs it. Implementations and everything they call must be `#[inline(always)]`: functions of the standard library
    /// that are not inlined in every unit of a crate (`std::array::from_fn`, zipped `chunks_exact`) have no place in
    /// inner loops.
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
    pub fn available() -> Vec<Self> {
        [Self::Avx512, Self::Avx2, Self::Neon, Self::Portable]
            .into_iter()
            .filter(|isa| isa.is_here())
            .collect()
    }

    /// The widest instruction set of this machine.
    pub fn best() -> Self {
        Self::available()[0]
    }

    /// The name shown to users.
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
