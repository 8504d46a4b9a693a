//! The Parquet library panics on some damaged files: here that becomes an error.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

thread_local! {
    static IN_LIBRARY: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in code of the library that may panic because a file is damaged.
pub fn is_guarded() -> bool {
    IN_LIBRARY.get()
}

/// Reads a file; a panic of the library is the error `damaged`, any other goes on.
pub fn guarded<T, E>(damaged: E, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    IN_LIBRARY.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    let in_library = IN_LIBRARY.replace(false);
    match result {
        Ok(result) => result,
        Err(_) if in_library => Err(damaged),
        Err(panic) => resume_unwind(panic),
    }
}

/// Runs code that is not the library's: its panics are not caught.
pub fn outside<T>(run: impl FnOnce() -> T) -> T {
    IN_LIBRARY.set(false);
    let result = run();
    IN_LIBRARY.set(true);
    result
}
