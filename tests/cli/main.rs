//! The `isx` command as its users run it: the built program, in an empty directory, judged by its exit code, what it
//! prints and what it writes.

mod answers;
mod book;
mod checkpoint;
mod contract;
mod designs;
mod driver;
mod faults;
mod help;
mod import;
mod import_sources;
mod inputs;
mod knapsack;
mod lcs;
mod length_bombs;
mod many;
mod multidim;
mod priorities;
mod proof;
mod refusals;
mod report;
mod scene;
mod screen;
mod solve;
mod talk;
mod tsp;
