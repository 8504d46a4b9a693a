//! What the command needs from its process and cannot get in safe code: it exits with code 4 when the system is out
//! of memory, and writing to a standard output that was closed is an error.

#![allow(unsafe_code)]

#[cfg(target_os = "linux")]
use isx_command::failure::STDOUT_WAS_CLOSED;
use isx_machine::allocated;
use isx_report::files::remove_unfinished_or_leave;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The system allocator, with its memory counted. When it is out of memory the command exits, so no caller ever sees
/// a null pointer: every large table that another engine could do without comes from an [`isx_machine::cpu::Arena`]
/// instead.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

// SAFETY: every call is passed unchanged to the system allocator, and its result is returned. Counting neither
// allocates nor unwinds, and `end` does not return.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the same.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        allocated::count(-(layout.size() as isize));
        // SAFETY: as in `alloc`; `memory` came from the system's allocator.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        allocated::count(-(layout.size() as isize));
        // SAFETY: as in `dealloc`.
        given(unsafe { System.realloc(memory, layout, size) }, size)
    }
}

fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        end(bytes);
    }
    allocated::count(bytes as isize);
    memory
}

/// Ends the command with exit code 4 and one line on standard error. Allocates no memory.
#[cold]
fn end(bytes: usize) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::SeqCst) {
        // Another thread is already ending the process, or this thread got here again while ending it.
        std::thread::sleep(Duration::from_secs(1));
    } else {
        let mut line = [0; 128];
        let mut rest = &mut line[..];
        let _ = writeln!(rest, "error: the system gave no memory when {bytes} more bytes were needed");
        let length = 128 - rest.len();
        // SAFETY: the bytes are those of `line`. This thread may hold the lock of standard error, so the write
        // bypasses it.
        unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length) };
        remove_unfinished_or_leave();
    }
    // SAFETY: this only ends the process; incomplete buffered output is dropped.
    unsafe { libc::_exit(4) }
}

/// Runs before `main`: by then the standard library has replaced a closed standard output by `/dev/null`, and output
/// would vanish without an error. `/dev/full` reports one.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: the section contains functions of this type, which the C library calls once, in the first thread.
#[unsafe(link_section = ".init_array")]
static LOOK_AT_STDOUT: extern "C" fn() = {
    extern "C" fn look() {
        // SAFETY: plain calls of the C library, which is initialized by now; no other thread exists that opens files.
        unsafe {
            if libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) != -1 {
                return;
            }
            STDOUT_WAS_CLOSED.store(true, Ordering::Relaxed);
            let full = libc::open(c"/dev/full".as_ptr(), libc::O_WRONLY);
            if full > libc::STDOUT_FILENO || full == libc::STDIN_FILENO {
                libc::dup2(full, libc::STDOUT_FILENO);
                libc::close(full);
            }
        }
    }
    look
};
