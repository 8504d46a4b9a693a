//! What the command needs of its process and safe code cannot have: an end with exit code 4 where the system gives no
//! memory, and a standard output that says so when it was closed.

#![allow(unsafe_code)]

use isx_command::failure::STDOUT_WAS_CLOSED;
use isx_machine::allocated;
use isx_report::files::remove_unfinished_or_leave;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The system's memory, counted. Where the system has none the command ends, so no caller ever sees a null pointer: every
/// table of size that another engine could do without comes from an [`isx_machine::cpu::Arena`] instead.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

// SAFETY: every call is handed on to the system's allocator as it came, and what it gives is handed back. Counting neither
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

/// Ends the command with exit code 4 and one line on standard error. Nothing here takes memory.
#[cold]
fn end(bytes: usize) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::SeqCst) {
        // Another thread is at it, and ends this one too; or this one has come here again on its way out.
        std::thread::sleep(Duration::from_secs(1));
    } else {
        let mut line = [0; 128];
        let mut rest = &mut line[..];
        let _ = writeln!(rest, "error: the system gave no memory when {bytes} more bytes were needed");
        let length = 128 - rest.len();
        // SAFETY: the bytes are those of `line`. Standard error may be locked by this very thread, so it is passed by.
        unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length) };
        remove_unfinished_or_leave();
    }
    // SAFETY: it only ends the process; buffered output that is not complete is left out.
    unsafe { libc::_exit(4) }
}

/// Runs before `main`: there, the standard library has put `/dev/null` in place of a closed standard output, and what is
/// written would vanish without an error. `/dev/full` refuses it.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: the section holds functions of this kind, which the C library calls once, in the first thread.
#[unsafe(link_section = ".init_array")]
static LOOK_AT_STDOUT: extern "C" fn() = {
    extern "C" fn look() {
        // SAFETY: plain calls of the C library, which is set up by now; no other thread is there that opens files.
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
