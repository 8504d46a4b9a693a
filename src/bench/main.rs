//! Measures engines against each other, after checking that their answers agree.
//!
//! No time is reported for an unchecked answer. On every instance the textbook engine answers first; its points are
//! summed again from the items behind them. The answer of every other contestant is compared with it, point by point
//! and (if items were requested) item by item, and a difference ends the run. Repetitions are compared with the
//! first, checked answer.
//!
//! There are two separate comparisons. *All the work*: no reduction and no bounds, and a rate in updates per second
//! shows how well the machine is used (lists examine few candidates even so, and their rate is meaningless). *The
//! best algorithm*: reduction and everything else that avoids work, and only the time counts. A ratio from one
//! comparison says nothing about the other.
//!
//! | module | content |
//! |---|---|
//! | [`instances`] | the papers' instances by name |
//! | [`runner`] | the one runner: a contestant's checked and timed runs |
//! | [`comparison`] | problems with the times of their contestants, as tables and a chart |
//! | [`measure`] | engines for multiple-choice knapsack problems as contestants |
//! | [`mckp`] | `isx-bench mckp`: every engine on every instance |
//! | [`knapsack`] | 0-1 knapsack engines on named instances |
//! | [`jooken`] | `isx-bench jooken`: hard public instances |
//! | [`boyer`] | `isx-bench boyer`: many items of few weights |
//! | [`pisinger`] | `isx-bench pisinger`: the classes of hard 0-1 problems, by number of items and coefficients |
//! | [`lemos`] | `isx-bench lemos`: a batch of multi-dimensional problems |
//! | [`waves`] | `isx-bench waves`: tables swept in waves, with [`streaming`] |
//! | [`objectives`] | `isx-bench objectives`: 0-1 knapsack problems with several objectives |
//! | [`planner`] | `isx-bench planner`: predictions and choices against measurements |
//! | [`resources`] | `isx-bench resources`: the parts of the GPU engine for several resources |
//! | [`thesis`] | `isx-bench thesis`: the thesis's figures, measured again |
//! | [`study`] | its case study, with [`float_front`](isx_bench::thesis::float_front); `isx-bench floats` for any task set |
//! | [`gpu`] | the contestants that need a GPU |
//! | [`machine`] | describes the machine |
//! | [`charts`] | times as figures, tables and charts |

#![forbid(unsafe_code)]

mod boyer;
mod charts;
mod command;
mod compare;
mod comparison;
mod deviation;
mod error;
mod gpu;
mod instances;
mod jooken;
mod knapsack;
mod lemos;
mod machine;
mod mckp;
mod mckp_report;
mod measure;
mod objectives;
mod patience;
mod pisinger;
mod planner;
mod report;
mod resources;
mod runner;
mod samples;
mod streaming;
mod study;
mod study_contestant;
mod study_front;
mod thesis;
mod thesis_report;
mod timed;
mod waves;

pub use compare::Difference;
pub use error::BenchError;

fn main() -> std::process::ExitCode {
    command::run()
}
