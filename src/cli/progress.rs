//! Progress bars on standard error, for work that lasts.

use indicatif::{ProgressBar, ProgressStyle};
use isx::engine::Progress;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears only once the work has lasted half a second.
pub struct Bar {
    state: Mutex<State>,
}

struct State {
    started: Instant,
    stage: &'static str,
    steps: u64,
    done: u64,
    shown: Option<ProgressBar>,
}

impl Bar {
    /// A bar for work that starts now.
    pub fn new() -> Self {
        let started = Instant::now();
        Self { state: Mutex::new(State { started, stage: "", steps: 0, done: 0, shown: None }) }
    }

    /// Takes the bar off the terminal.
    pub fn finish(&self) {
        if let Some(bar) = self.state.lock().ok().and_then(|mut state| state.shown.take()) {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &'static str, steps: u64) {
        self.finish();
        if let Ok(mut state) = self.state.lock() {
            *state = State { started: state.started, stage, steps, done: 0, shown: None };
        }
    }

    fn advance(&self, steps: u64) {
        let Ok(mut state) = self.state.lock() else { return };
        state.done += steps;
        if state.shown.is_none() && state.started.elapsed() > PATIENCE && std::io::stderr().is_terminal() {
            state.shown = Some(show(state.stage, state.steps));
        }
        if let Some(bar) = &state.shown {
            bar.set_position(state.done);
        }
    }
}

fn show(stage: &'static str, steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    // The template is a constant; the plain style stands in should it not parse.
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} classes, {elapsed} (eta {eta})")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style);
    bar.set_message(stage);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
