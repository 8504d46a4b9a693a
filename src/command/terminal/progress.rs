//! Progress bars on standard error, for long work.

use super::{Talk, note, talk};
use indicatif::{ProgressBar, ProgressStyle};
use isx_engine::{NoProgress, Progress};
use std::borrow::Cow;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears only once the work has lasted half a second.
pub struct Bar {
    state: Arc<Mutex<State>>,
}

struct State {
    started: Instant,
    stage: Cow<'static, str>,
    unit: &'static str,
    steps: u64,
    done: u64,
    shown: Option<ProgressBar>,
    over: bool,
    /// What the user was told: several computations of a command may find the same.
    told: Vec<String>,
}

impl Bar {
    /// A bar for work that starts now.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self::counting("classes")
    }

    /// As [`Bar::new`], for steps with this name.
    pub fn counting(unit: &'static str) -> Self {
        let started = Instant::now();
        let quiet = talk() == Talk::Quiet;
        let state = State {
            started,
            stage: "".into(),
            unit,
            steps: 0,
            done: 0,
            shown: None,
            over: quiet,
            told: Vec::new(),
        };
        let state = Arc::new(Mutex::new(state));
        if !quiet && std::io::stderr().is_terminal() {
            let state = Arc::clone(&state);
            // The first step itself may take long. If the thread cannot be started, the bar appears after it.
            let _ = std::thread::Builder::new().spawn(move || {
                std::thread::sleep(PATIENCE);
                if let Ok(mut state) = state.lock() {
                    state.show_if_due();
                }
            });
        }
        Self { state }
    }

    /// Work on this many inputs begins.
    pub fn begin_counting(&self, stage: &'static str, inputs: u64) {
        self.begin(stage, inputs);
    }

    /// Shows that this many steps are done.
    pub fn set_done(&self, done: u64) {
        let Ok(mut state) = self.state.lock() else { return };
        state.done = done;
        state.show_if_due();
    }

    /// Shows this in place of the stage.
    pub fn say(&self, text: String) {
        let Ok(mut state) = self.state.lock() else { return };
        if let Some(bar) = &state.shown {
            bar.set_message(text.clone());
        }
        state.stage = text.into();
        state.show_if_due();
    }

    /// Writes to the terminal what must not be mixed with the bar.
    pub fn while_hidden<T>(&self, write: impl FnOnce() -> T) -> T {
        let shown = self.state.lock().ok().and_then(|state| state.shown.clone());
        match shown {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the bar from the terminal for good.
    pub fn finish(&self) {
        if let Ok(mut state) = self.state.lock() {
            state.over = true;
            state.clear();
        }
    }
}

/// Somebody who hears of the progress until the work has ended.
pub trait Ending {
    /// The receiver of progress.
    fn heard(&self) -> &dyn Progress;
    /// Whether the work has ended.
    fn end(&self);
}

impl Ending for Bar {
    fn heard(&self) -> &dyn Progress {
        self
    }

    fn end(&self) {
        self.finish();
    }
}

impl Ending for NoProgress {
    fn heard(&self) -> &dyn Progress {
        self
    }

    fn end(&self) {}
}

impl Progress for Bar {
    fn begin(&self, stage: &'static str, steps: u64) {
        let Ok(mut state) = self.state.lock() else { return };
        state.clear();
        (state.stage, state.steps, state.done) = (stage.into(), steps, 0);
        state.show_if_due();
    }

    fn advance(&self, steps: u64) {
        let Ok(mut state) = self.state.lock() else { return };
        state.done += steps;
        state.show_if_due();
    }

    fn tell(&self, note: &str) {
        let Ok(mut state) = self.state.lock() else { return };
        if state.told.iter().any(|told| told == note) {
            return;
        }
        state.clear();
        self::note(note);
        state.told.push(note.to_owned());
    }
}

impl State {
    fn show_if_due(&mut self) {
        let due = !self.over && self.steps > 0 && self.started.elapsed() >= PATIENCE;
        if due && self.shown.is_none() && std::io::stderr().is_terminal() {
            self.shown = Some(show(self.stage.clone(), self.unit, self.steps));
        }
        if let Some(bar) = &self.shown {
            bar.set_position(self.done);
        }
    }

    fn clear(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

fn show(stage: Cow<'static, str>, unit: &'static str, steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    // If the template did not parse, the plain style would be used.
    let template = format!("{{msg}} {{wide_bar}} {{pos}}/{{len}} {unit}, {{elapsed}} (eta {{eta}})");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style);
    bar.set_message(stage);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
