//! The cells whose strips are computed and traced on vector units.

use super::forward::Forward;
use super::row::Cell;
use super::trace::Trace;
use isx_machine::cpu::lanes::Isa;

/// A cell with kernels for it.
pub trait Kernels: Cell {
    /// Runs a strip of the forward pass.
    fn forward(isa: Isa, job: Forward<'_, Self>) -> u64;
    /// Runs a strip of the traceback.
    fn trace(isa: Isa, job: Trace<'_, '_, Self>);
}

macro_rules! kernels {
    ($cell:ty) => {
        impl Kernels for $cell {
            fn forward(isa: Isa, job: Forward<'_, Self>) -> u64 {
                isa.run(job)
            }
            fn trace(isa: Isa, job: Trace<'_, '_, Self>) {
                isa.run(job);
            }
        }
    };
}
kernels!(i32);
kernels!(i64);
