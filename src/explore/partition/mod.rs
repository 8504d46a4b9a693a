//! The tasks of a set distributed among equal cores, at the least area with which every deadline is met.
//!
//! The engines ([`isx_partition`]) see sizes: the demand of a task in a hyperperiod, of which a core holds as much as the
//! hyperperiod is long. If that does not decide (short deadlines, fixed priorities), they ask for the least area of tasks
//! on one core, which an exact search finds. Whatever they find, the test of one core decides again, core by core.
//!
//! Demands beyond 2^52 are rounded. Rounded down they give a lower bound, and a design that passes the exact test is
//! proved all the same; if none does, demands rounded up give an upper bound.

mod amounts;
mod chip;
mod front;
mod on_core;
mod options;
mod rows;

pub use front::front;
pub use isx_partition::TaskPrices;
pub use options::{CORES, PartitionOptions, STEPS};
pub use rows::{partition, prices};
