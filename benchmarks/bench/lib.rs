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
//! | [`runner`] | the one runner: a contestant's checked and timed runs |
//! | [`comparison`] | what all benchmarks find: problems with the times of their contestants, as tables and a chart |
//! | [`instances`], [`measure`], [`mckp`] | the papers' multiple-choice problems, engines for them, and `isx-bench mckp` |
//! | [`knapsack`], [`jooken`], [`pisinger`] | 0-1 knapsack engines: hard public instances, and classes of hard ones |
//! | [`fronts`] | `isx-bench fronts`: several resources, several objectives |
//! | [`planner`], [`samples`] | `isx-bench planner`: the engine that is chosen against the best one, on drawn problems of all families |
//! | [`machine`], [`charts`] | the machine in words, times as figures, tables and charts |
//!
//! `isx-papers` measures the papers' methods with the same.

#![forbid(unsafe_code)]

pub mod charts;
pub mod command;
pub mod compare;
pub mod comparison;
mod error;
pub mod fronts;
pub mod instances;
pub mod jooken;
pub mod knapsack;
pub mod machine;
pub mod mckp;
pub mod measure;
pub mod patience;
pub mod pisinger;
pub mod planner;
pub mod runner;
pub mod samples;
pub mod timed;

pub use compare::Difference;
pub use error::BenchError;
