//! The `isx` command as users run it: the built program in an empty directory, tested by its exit code, its output
//! and its files.

mod answers;
mod book;
mod combinations;
mod contract;
mod designs;
mod driver;
mod faults;
mod figures;
mod fpga;
mod hardware;
mod help;
mod hints;
mod import;
mod import_sources;
mod import_tables;
mod init;
mod inputs;
mod isaac;
mod kernel;
mod knapsack;
mod length_bombs;
mod many;
mod measure;
mod modes;
mod parquet;
mod partition;
mod parts;
mod priorities;
mod proof;
mod public;
#[path = "../common/random.rs"]
mod random;
mod refusals;
mod report;
mod reports;
mod resources;
mod scene;
mod screen;
mod sets;
mod solve;
mod sweep;
mod talk;
mod task_order;
mod variants;
mod width;
