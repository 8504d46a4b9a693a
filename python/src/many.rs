//! Many questions at once: as many are computed at the same time as there are threads, and each has an answer or an
//! exception, in order.

use crate::errors;
use crate::running::Lent;
use isx::engine::Progress;
use isx::machine::Machine;
use pyo3::prelude::*;
use pyo3::{PyClass, PyClassInitializer};

/// Passes on what an engine says, and counts nothing: the questions are counted.
struct Notes<'a>(&'a dyn Progress);

impl Progress for Notes<'_> {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn tell(&self, note: &str) {
        self.0.tell(note);
    }
}

/// Answers questions of a kind, on the threads and the GPU that were lent. What needs more memory than its share is computed
/// again by itself.
pub fn answers<T: Send>(
    lent: &Lent,
    kind: &'static str,
    count: usize,
    answer: impl Fn(usize, &Machine, &dyn Progress) -> PyResult<T> + Sync,
) -> Vec<PyResult<T>> {
    let heard: &dyn Progress = &*lent.heard;
    heard.begin(kind, count as u64);
    let (notes, machine) = (Notes(heard), &lent.machine);
    let work = |at: usize, machine: &Machine| {
        let answered = answer(at, machine, &notes);
        heard.advance(1);
        answered
    };
    let is_over_memory = |answered: &PyResult<T>| answered.as_ref().is_err_and(errors::is_memory);
    machine.map_in_shares(count, work, is_over_memory)
}

/// The answers as Python objects: an exception where there is none.
pub fn handed_over<T: PyClass + Into<PyClassInitializer<T>>>(
    py: Python<'_>,
    answers: Vec<PyResult<T>>,
) -> PyResult<Vec<Py<PyAny>>> {
    let object = |answered: PyResult<T>| match answered {
        Ok(answer) => Ok(Py::new(py, answer)?.into_any()),
        Err(error) => Ok(error.into_value(py).into_any()),
    };
    answers.into_iter().map(object).collect()
}
