//! Runs tests that need a GPU: as trials that are reported as ignored if there is none.

#![allow(dead_code, unused_imports, unused_macros)]

use isx::machine::cuda::Device;
pub use libtest_mimic::Trial;
use std::sync::Arc;

/// A test and its name.
pub type Test = (&'static str, fn());

/// The tests with their names.
macro_rules! tests {
    ($($test:path),+ $(,)?) => { [$((stringify!($test), $test as fn())),+] };
}
pub(crate) use tests;

fn ordinal() -> usize {
    std::env::var("ISX_DEVICE").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Why no GPU can be used, if none can.
fn missing() -> Option<String> {
    Device::open(ordinal()).err().map(|error| error.to_string())
}

/// Whether a missing GPU is a failure: `ISX_REQUIRE_GPU` is set to something that is not 0.
fn is_required() -> bool {
    std::env::var_os("ISX_REQUIRE_GPU").is_some_and(|value| !value.is_empty() && value != "0")
}

/// A number from the environment.
pub fn from_env(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The tests of a module as trials that need a GPU: without one they are ignored, or fail if a GPU is required.
pub fn on_gpu(room: &str, tests: &[Test]) -> Vec<Trial> {
    let missing = missing().filter(|_| !is_required());
    if let Some(why) = &missing {
        println!("{} tests of {room} are ignored for want of a GPU: {why}", tests.len());
    }
    trials(room, tests, missing.is_some())
}

/// The tests as trials that run only on request.
pub fn if_asked(room: &str, tests: &[Test]) -> Vec<Trial> {
    trials(room, tests, true)
}

/// The tests as trials that run anywhere.
pub fn anywhere(room: &str, tests: &[Test]) -> Vec<Trial> {
    trials(room, tests, false)
}

fn trials(room: &str, tests: &[Test], ignored: bool) -> Vec<Trial> {
    let trial = |&(name, test): &Test| {
        let passed = move || {
            test();
            Ok(())
        };
        Trial::test(format!("{room}::{name}"), passed).with_ignored_flag(ignored)
    };
    tests.iter().map(trial).collect()
}

/// The GPU, which must exist: number 0, or that in `ISX_DEVICE`.
pub fn gpu() -> Arc<Device> {
    Device::open(ordinal()).unwrap_or_else(|error| panic!("a GPU is required and there is none: {error}"))
}
