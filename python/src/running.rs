//! Long computations: on a thread of their own, the lock of the interpreter released, while the caller's thread looks
//! for signals and tells of the progress.
//!
//! What is called off ends at the next step of its engine. A step may last; whoever interrupts is not kept waiting for
//! it, so the thread is left to end by itself: it holds nothing of Python.

use crate::errors;
use isx::engine::Progress;
use isx::machine::{Cancel, Machine};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// How often signals are looked for, and progress is told.
const TICK: Duration = Duration::from_millis(40);

/// How long a computation that was called off is waited for.
const PATIENCE: Duration = Duration::from_millis(600);

/// As much stack as a program's first thread has.
const STACK: usize = 8 << 20;

/// What a computation is lent: a machine that may call it off, and somebody who hears of its progress.
pub struct Lent {
    pub machine: Machine,
    pub heard: Arc<Heard>,
}

/// What became of the progress since it was last told.
#[derive(Default)]
pub struct Heard(Mutex<State>);

#[derive(Default)]
struct State {
    stage: &'static str,
    done: u64,
    steps: u64,
    is_new: bool,
    notes: Vec<String>,
}

impl Heard {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Heard {
    fn begin(&self, stage: &'static str, steps: u64) {
        let mut state = self.state();
        (state.stage, state.done, state.steps, state.is_new) = (stage, 0, steps, true);
    }

    fn advance(&self, steps: u64) {
        let mut state = self.state();
        state.done += steps;
        state.is_new = true;
    }

    fn tell(&self, note: &str) {
        self.state().notes.push(note.to_owned());
    }
}

/// The worker's answer, or what it panicked with.
type Ended<T> = Result<T, Box<dyn Any + Send>>;

/// Does the work on another thread. `told` hears (stage, steps done, steps) and, where the machine has something to say,
/// (note, None, None). What it raises, and what a signal raises, ends the work.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    machine: &Machine,
    told: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Lent) -> T + Send + 'static,
) -> PyResult<T> {
    let (cancel, heard) = (Cancel::default(), Arc::new(Heard::default()));
    let lent = Lent { machine: machine.clone().with_cancel(cancel.clone()), heard: Arc::clone(&heard) };
    let (send, mut receive) = sync_channel::<Ended<T>>(1);
    let body = move || {
        let ended = catch_unwind(AssertUnwindSafe(|| work(lent)));
        // Nobody listens any more where the caller was interrupted.
        drop(send.send(ended));
    };
    Builder::new()
        .name("isx".into())
        .stack_size(STACK)
        .spawn(body)
        .map_err(|error| errors::output(&error))?;
    loop {
        let (answer, back) = waited(py, receive, TICK);
        receive = back;
        let going_on = py.check_signals().and_then(|()| tell(&heard, told));
        match answer {
            Ok(ended) => {
                going_on?;
                return ended.map_err(|panic| errors::self_check(said(panic.as_ref())));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(errors::self_check("the computation broke off"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(raised) = going_on {
            cancel.cancel();
            drop(waited(py, receive, PATIENCE));
            return Err(raised);
        }
    }
}

/// Waits for the answer with the lock of the interpreter released.
fn waited<T: Send>(
    py: Python<'_>,
    receive: Receiver<Ended<T>>,
    patience: Duration,
) -> (Result<Ended<T>, RecvTimeoutError>, Receiver<Ended<T>>) {
    py.detach(move || (receive.recv_timeout(patience), receive))
}

fn tell(heard: &Heard, told: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(told) = told else { return Ok(()) };
    let (progress, notes) = {
        let mut state = heard.state();
        let progress = std::mem::take(&mut state.is_new).then_some((state.stage, state.done, state.steps));
        (progress, std::mem::take(&mut state.notes))
    };
    for note in notes {
        told.call1((note, None::<u64>, None::<u64>))?;
    }
    progress.map_or(Ok(()), |progress| told.call1(progress).map(drop))
}

/// The words of a panic, which is a fault of isx.
fn said(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    format!("a fault of isx, please report it: {words}")
}
