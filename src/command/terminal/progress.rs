//! Progress bars on standard error, for long work.

use super::{Talk, note, talk};
use indicatif::{ProgressBar, ProgressStyle};
use isx_engine::Progress;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Read, Write};
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
    /// The notes printed so far: several computations of a command may send the same one.
    noted: Vec<String>,
}

impl Bar {
    /// A bar for work that starts now.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self::counting("classes")
    }

    /// As [`Bar::new`], for steps with this name.
    pub fn counting(unit: &'static str) -> Self {
        let bar = Self::by_steps(unit);
        if talk() != Talk::Quiet && io::stderr().is_terminal() {
            let state = Arc::clone(&bar.state);
            // The first step itself may take long. If the thread cannot be started, the bar appears after it.
            let _ = std::thread::Builder::new().spawn(move || {
                std::thread::sleep(PATIENCE);
                if let Ok(mut state) = state.lock() {
                    state.show_if_due();
                }
            });
        }
        bar
    }

    /// A spinner for work of unknown size, until the next stage begins.
    pub fn waiting(stage: &'static str) -> Self {
        let bar = Self::new();
        bar.begin(stage, UNKNOWN);
        bar
    }

    /// A bar that looks at the time with every step.
    fn by_steps(unit: &'static str) -> Self {
        let state = State {
            started: Instant::now(),
            stage: "".into(),
            unit,
            steps: 0,
            done: 0,
            shown: None,
            over: talk() == Talk::Quiet || !io::stderr().is_terminal(),
            noted: Vec::new(),
        };
        Self { state: Arc::new(Mutex::new(state)) }
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

impl Drop for Bar {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The unit of bars of streams.
const BYTES: &str = "bytes";

/// Stands for an unknown number of steps.
const UNKNOWN: u64 = u64::MAX;

/// Bytes after which a bar moves.
const ENOUGH: u64 = 1 << 16;

/// A stream whose bytes are shown as they pass.
pub struct Shown<S> {
    stream: S,
    bar: Bar,
    /// Bytes that passed since the bar moved.
    passed: u64,
}

impl<S> Shown<S> {
    /// Shows that these bytes are read, written or checked, of about this many if that is known.
    pub fn new(stream: S, stage: impl Into<String>, bytes: Option<u64>) -> Self {
        let bar = Bar::by_steps(BYTES);
        bar.begin("", bytes.unwrap_or(UNKNOWN));
        bar.say(stage.into());
        Self { stream, bar, passed: 0 }
    }

    fn pass(&mut self, count: usize) -> usize {
        self.passed += count as u64;
        if self.passed >= ENOUGH {
            self.bar.advance(std::mem::take(&mut self.passed));
        }
        count
    }
}

impl<S: Read> Read for Shown<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        Ok(self.pass(count))
    }
}

impl<S: Write> Write for Shown<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.stream.write(bytes)?;
        Ok(self.pass(count))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
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
        if state.noted.iter().any(|noted| noted == note) {
            return;
        }
        state.clear();
        self::note(note);
        state.noted.push(note.to_owned());
    }
}

impl State {
    fn show_if_due(&mut self) {
        let due = !self.over && self.steps > 0 && self.started.elapsed() >= PATIENCE;
        if due && self.shown.is_none() {
            self.shown = Some(show(self.stage.clone(), self.unit, self.steps));
        }
        if let Some(bar) = &self.shown {
            // Sizes are estimates.
            bar.set_position(self.done.min(self.steps));
        }
    }

    fn clear(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

fn show(stage: Cow<'static, str>, unit: &'static str, steps: u64) -> ProgressBar {
    let bar = if steps == UNKNOWN { ProgressBar::no_length() } else { ProgressBar::new(steps) };
    // If the template did not parse, the plain style would be used.
    let template = match (unit, steps) {
        (BYTES, UNKNOWN) => "{spinner} {msg}, {decimal_bytes} so far, {elapsed}".to_owned(),
        (_, UNKNOWN) => "{spinner} {msg}, {elapsed}".to_owned(),
        (BYTES, _) => {
            "{msg} {wide_bar} {decimal_bytes}/{decimal_total_bytes}, {elapsed} (eta {eta})".to_owned()
        }
        _ => format!("{{msg}} {{wide_bar}} {{pos}}/{{len}} {unit}, {{elapsed}} (eta {{eta}})"),
    };
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style);
    bar.set_message(stage);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
