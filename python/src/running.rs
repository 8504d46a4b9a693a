//! Long computations: on a thread of their own, the lock of the interpreter released, while the caller's thread looks
//! for signals and reports progress.
//!
//! What is cancelled ends at the next step of its engine. A step may last; whoever interrupts is not kept waiting for
//! it, so the thread is left to end by itself: it holds nothing of Python.

use crate::errors::{self, Answered};
use crate::options::Options;
use isx::engine::Progress;
use isx::machine::{Cancel, Machine};
use pyo3::prelude::*;
use pyo3::{PyClass, PyClassInitializer};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// How often signals are looked for, and progress is reported.
const TICK: Duration = Duration::from_millis(40);

/// How long a computation that was cancelled is waited for.
const PATIENCE: Duration = Duration::from_millis(600);

/// As much stack as a program's first thread has.
const STACK: usize = 8 << 20;

/// What a computation is lent: a machine that may call it off, and somebody who hears of its progress.
pub struct Lent {
    pub machine: Machine,
    pub heard: Arc<Heard>,
}

/// What became of the progress since it was last reported: stage, steps done, steps, whether this is new, notes.
#[derive(Default)]
pub struct Heard(Mutex<(&'static str, u64, u64, bool, Vec<String>)>);

impl Heard {
    fn state(&self) -> MutexGuard<'_, (&'static str, u64, u64, bool, Vec<String>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report_to_python(&self, report: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(report) = report else { return Ok(()) };
        let (stage, done, steps, is_new, notes) = {
            let mut state = self.state();
            (state.0, state.1, state.2, std::mem::take(&mut state.3), std::mem::take(&mut state.4))
        };
        for note in notes {
            report.call1((note, None::<u64>, None::<u64>))?;
        }
        if is_new { report.call1((stage, done, steps)).map(drop) } else { Ok(()) }
    }
}

impl Progress for Heard {
    fn begin(&self, stage: &'static str, steps: u64) {
        let mut state = self.state();
        (state.0, state.1, state.2, state.3) = (stage, 0, steps, true);
    }

    fn advance(&self, steps: u64) {
        let mut state = self.state();
        state.1 += steps;
        state.3 = true;
    }

    fn tell(&self, note: &str) {
        self.state().4.push(note.to_owned());
    }
}

/// The worker's answer, or what it panicked with.
type Ended<T> = Result<T, Box<dyn Any + Send>>;

/// Does the work on another thread. `report` is called with (stage, steps done, steps) and, where the machine has something to say,
/// (note, None, None). What it raises, and what a signal raises, ends the work.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    machine: &Machine,
    report: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Lent) -> Answered<T> + Send + 'static,
) -> Answered<T> {
    let (cancel, heard) = (Cancel::default(), Arc::new(Heard::default()));
    let lent = Lent { machine: machine.clone().with_cancel(cancel.clone()), heard: Arc::clone(&heard) };
    let (send, mut receive) = sync_channel::<Ended<Answered<T>>>(1);
    // Sending fails if the caller was interrupted and dropped the other end.
    let body = move || drop(send.send(catch_unwind(AssertUnwindSafe(|| work(lent)))));
    Builder::new().name("isx".into()).stack_size(STACK).spawn(body)?;
    loop {
        let (answer, back) = waited(py, receive, TICK);
        receive = back;
        let going_on = py.check_signals().and_then(|()| heard.report_to_python(report));
        match answer {
            Ok(ended) => {
                going_on?;
                return ended.map_err(|panic| errors::self_check(said(panic.as_ref())))?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(errors::self_check("the computation broke off"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(raised) = going_on {
            cancel.cancel();
            drop(waited(py, receive, PATIENCE));
            return Err(raised.into());
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

/// The words of a panic, which is a fault of isx.
fn said(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    format!("a fault of isx, please report it: {words}")
}

/// Passes on what an engine says, and counts nothing: the questions are counted.
struct Notes<'a>(&'a dyn Progress);

impl Progress for Notes<'_> {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn tell(&self, note: &str) {
        self.0.tell(note);
    }
}

/// Answers as many questions as there are, of this kind, or the only one where they have no kind: an answer or an exception
/// for each, in order. As many are computed at the same time as there are threads; what needs more memory than its share is
/// computed again by itself.
pub fn answers<T: PyClass + Into<PyClassInitializer<T>> + Send>(
    py: Python<'_>,
    options: &Options<'_>,
    (kind, count): (Option<&'static str>, usize),
    answer: impl Fn(usize, &Machine, &dyn Progress) -> Answered<T> + Send + Sync + 'static,
) -> Answered<Vec<Py<PyAny>>> {
    let answers = run(py, &options.machine(), options.report.as_ref(), move |lent| {
        let heard: &dyn Progress = &*lent.heard;
        let Some(kind) = kind else { return Ok(vec![answer(0, &lent.machine, heard)]) };
        heard.begin(kind, count as u64);
        let work = |at: usize, machine: &Machine| {
            let answered = answer(at, machine, &Notes(heard));
            heard.advance(1);
            answered
        };
        let is_over_memory = |answered: &Answered<T>| answered.as_ref().is_err_and(errors::is_memory);
        Ok(lent.machine.map_in_shares(count, work, is_over_memory))
    })?;
    let object = |answered: Answered<T>| match answered {
        Ok(answer) => Ok(Py::new(py, answer)?.into_any()),
        Err(error) => Ok(PyErr::from(error).into_value(py).into_any()),
    };
    answers.into_iter().map(object).collect()
}
