//! Engines measured against each other, once their answers are the same.
//!
//! No time leaves this stage that belongs to an unchecked answer. On every instance the textbook engine answers first;
//! its points are summed again from the items behind them. What another contestant answers is held against that, point
//! by point and (where it was asked for them) item by item, and a difference ends the run. Repetitions are held
//! against the first, checked answer.
//!
//! Two kinds of comparison are kept apart. *All the work*: no reduction and no bounds, and a rate in updates a second
//! says how well the machine is used (lists look at few candidates even so, and their rate says nothing). *The best algorithm*: reduction and whatever else
//! leaves work out, and only the time counts. A ratio of one kind says nothing about the other.
//!
//! | file | holds |
//! |---|---|
//! | [`instances`] | the papers' instances by name |
//! | [`measure`] | a contestant, its checked and timed runs |
//! | [`mckp`] | `isx-bench mckp`: every engine on every instance |
//! | [`knapsack`] | 0-1 knapsack engines on named instances |
//! | [`jooken`] | `isx-bench jooken`: hard public instances |
//! | [`boyer`] | `isx-bench boyer`: many items of few weights |
//! | [`lemos`] | `isx-bench lemos`: a batch of multi-dimensional problems |
//! | [`waves`] | `isx-bench waves`: tables swept in waves, with [`streaming`] |
//! | [`thesis`] | `isx-bench thesis`: the thesis's figures again |
//! | [`study`] | its case study, with [`float_front`](isx_thesis::float_front); `isx-bench floats` for any task set |
//! | [`gpu`] | the contestants that need a GPU |
//! | [`machine`] | the machine in words |
//! | [`charts`] | times in digits, in tables and as charts |

#![forbid(unsafe_code)]

mod boyer;
mod charts;
mod command;
mod compare;
mod deviation;
mod error;
mod gpu;
mod instances;
mod jooken;
mod knapsack;
mod knapsack_report;
mod lemos;
mod lemos_report;
mod machine;
mod mckp;
mod mckp_report;
mod measure;
mod patience;
mod streaming;
mod study;
mod study_contestant;
mod study_front;
mod thesis;
mod thesis_report;
mod timed;
mod waves;
mod waves_report;

pub use compare::Difference;
pub use error::BenchError;

fn main() -> std::process::ExitCode {
    command::run()
}
