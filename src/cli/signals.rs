//! Interrupt and termination: unfinished files are removed and the process ends at once, with 128 + the signal.

use isx::report::files::remove_unfinished;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Starts the thread that waits for the signals. Where it cannot be started the default handling stays.
pub fn leave_cleanly() {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            remove_unfinished();
            std::process::exit(128 + signal);
        }
    });
}
