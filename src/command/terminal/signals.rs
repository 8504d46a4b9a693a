//! Interrupt and termination: unfinished files are removed and the process exits at once, with 128 + the signal. A search
//! that knows a part of its answer may print it first.

use super::report;
use crate::failure::Failure;
use isx_report::files::{remove_unfinished, remove_unfinished_or_leave};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// How long a signal waits for the search to stop and the answer to begin.
const PATIENCE: Duration = Duration::from_millis(800);

/// How far the answer is that a signal waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// None is waited for: a signal ends the process at once.
    NotAwaited,
    /// The search goes on.
    Sought,
    /// It is being written.
    Writing,
    /// It is written.
    Written,
}

static ANSWER: Mutex<Answer> = Mutex::new(Answer::NotAwaited);
static CHANGED: Condvar = Condvar::new();
static WANTED: AtomicBool = AtomicBool::new(false);

fn change(next: Answer) {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = next;
    CHANGED.notify_all();
}

/// From now on a signal waits for the answer: up to a second until it begins, and then until it is complete. A second signal
/// does not wait.
pub fn wait_for_answer() {
    change(Answer::Sought);
}

/// Whether a signal waits for the answer.
pub fn is_answer_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// Called before the answer is written.
pub fn answer_begins() {
    change(Answer::Writing);
}

/// Called when it is written. Waits for the end of the process if a signal ends it, so that its exit code is that of the
/// signal.
pub fn answer_ends() {
    change(Answer::Written);
    while is_answer_wanted() {
        std::thread::park();
    }
}

/// Catches the signals. The function that is returned calls another one for each of them, and does not return.
#[cfg(unix)]
fn catch() -> std::io::Result<impl FnOnce(fn(i32)) + Send> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    Ok(move |act: fn(i32)| signals.forever().for_each(act))
}

/// As on Unix. Other systems cannot wait for a signal, so this one looks for it ten times a second.
#[cfg(not(unix))]
fn catch() -> std::io::Result<impl FnOnce(fn(i32)) + Send> {
    let caught = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_usize(signal, caught.clone(), signal as usize)?;
    }
    Ok(move |act: fn(i32)| {
        loop {
            match caught.swap(0, Ordering::Relaxed) {
                0 => std::thread::sleep(Duration::from_millis(100)),
                signal => act(signal as i32),
            }
        }
    })
}

/// Starts the thread that waits for the signals. If they cannot be caught, the default handling stays.
pub fn leave_cleanly() -> Result<(), Failure> {
    let Ok(every_signal) = catch() else { return Ok(()) };
    let act = |signal| {
        let answer = *ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
        let waits =
            matches!(answer, Answer::Sought | Answer::Writing) && !WANTED.swap(true, Ordering::Relaxed);
        let waiter = waits.then(|| Builder::new().spawn(move || leave_after_answer(signal)));
        if !matches!(waiter, Some(Ok(_))) {
            leave(signal);
        }
    };
    // The signals are caught already: without the thread they would be lost. If memory runs out before it runs, the C library
    // ends the process.
    let main = std::thread::current();
    let waits = move || {
        main.unpark();
        every_signal(act);
    };
    Builder::new().spawn(waits).map_err(Failure::Thread)?;
    std::thread::park_timeout(Duration::from_secs(1));
    Ok(())
}

/// Exits with code 4 if the system starts no thread for rayon, which panics then, and does not report panics that
/// become errors.
pub fn report_panics() {
    let otherwise = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if isx_report::written::is_guarded() {
            return;
        }
        let payload = panic.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        if text.is_some_and(|text| text.starts_with(NO_POOL)) {
            report(&Failure::Thread(std::io::ErrorKind::OutOfMemory.into()), None);
            remove_unfinished_or_leave();
            std::process::exit(4);
        }
        otherwise(panic);
    }));
}

/// What rayon says when the system starts none of its threads.
const NO_POOL: &str = "The global thread pool has not been initialized";

fn leave_after_answer(signal: i32) {
    let answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    let until_begun = CHANGED.wait_timeout_while(answer, PATIENCE, |answer| *answer == Answer::Sought);
    let answer = match until_begun {
        Ok((answer, _)) => answer,
        Err(poisoned) => poisoned.into_inner().0,
    };
    drop(CHANGED.wait_while(answer, |answer| *answer == Answer::Writing));
    leave(signal);
}

fn leave(signal: i32) -> ! {
    remove_unfinished();
    std::process::exit(128 + signal);
}
