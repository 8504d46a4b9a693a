//! Properties of every input: one function per kind of input, which panics if a property is violated.
//!
//! The fuzzer calls them (`tests/fuzz/targets`), and so does a plain test, with every file of `tests/fuzz/corpus`
//! (`tests/bad_input/corpus.rs`). A new kind needs a function, a line in [`ALL`], a file in `targets` and a folder of
//! seeds.

mod certificate;
mod explore;
mod front_json;
mod import;
mod numbers;
mod reports;
mod task_set;

use isx::machine::Machine;
use std::sync::OnceLock;

/// Checks one input.
pub type Check = fn(&[u8]);

/// Every kind by the name of its target and of its folder of seeds.
pub const ALL: &[(&str, Check)] = &[
    ("certificate", certificate::check),
    ("explore", explore::check),
    ("front_json", front_json::check),
    ("import", import::check),
    ("numbers", numbers::check),
    ("reports", reports::check),
    ("task_set", task_set::check),
];

/// One thread and little memory: larger problems are to be refused, not attempted.
fn machine() -> Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    MACHINE.get_or_init(|| Machine::default().with_threads(1).with_max_memory(64 << 20)).clone()
}
