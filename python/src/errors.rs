//! Errors of the library as exceptions of the package, by kind: those of the same exit code of the command are of one
//! class.

use isx::certificate::CertifyError;
use isx::engine::EngineError;
use isx::explore::ExploreError;
use isx::import::{Need, Refusal};
use isx::report::files::WriteError;
use isx::solve::SolveError;
use isx::taskset::{Diagnostic, FileProblem, ReadError};
use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyKeyboardInterrupt, PyOSError, PyPermissionError,
};
use pyo3::prelude::*;
use std::fmt::Display;
use std::io;

pyo3::import_exception!(isx._errors, InputError);
pyo3::import_exception!(isx._errors, TaskSetError);
pyo3::import_exception!(isx._errors, Infeasible);
pyo3::import_exception!(isx._errors, NoSuchDesign);
pyo3::import_exception!(isx._errors, MemoryLimitError);
pyo3::import_exception!(isx._errors, EngineUnavailable);
pyo3::import_exception!(isx._errors, SelfCheckFailed);

/// What was given is wrong.
pub fn input(problem: impl Display) -> PyErr {
    InputError::new_err(problem.to_string())
}

/// An answer that was found does not hold, or cannot be proved.
pub fn self_check(problem: impl Display) -> PyErr {
    SelfCheckFailed::new_err(problem.to_string())
}

/// There is no design as asked for.
pub fn no_design(problem: impl Display) -> PyErr {
    NoSuchDesign::new_err(problem.to_string())
}

fn memory(problem: impl Display) -> PyErr {
    MemoryLimitError::new_err(format!("{problem}; allow more with max_memory, or ask for less"))
}

/// Whether a table would pass the memory.
pub fn is_memory(error: &PyErr) -> bool {
    Python::attach(|py| error.is_instance_of::<MemoryLimitError>(py))
}

/// Why an engine gave no answer.
pub fn engine(problem: impl Display, cause: &EngineError) -> PyErr {
    match cause {
        EngineError::Memory(_)
        | EngineError::MemoryOfThisEngine { .. }
        | EngineError::TooLarge(_)
        | EngineError::Width { .. }
        | EngineError::GpuMemory { .. }
        | EngineError::NoMemory(_) => memory(problem),
        // Only whoever interrupts calls off.
        EngineError::Cancelled => PyKeyboardInterrupt::new_err(()),
        EngineError::Arithmetic(_)
        | EngineError::Unavailable(_)
        | EngineError::TooLong(_)
        | EngineError::Failed(_) => EngineUnavailable::new_err(problem.to_string()),
    }
}

/// Why a problem was not solved.
pub fn solve(error: &SolveError) -> PyErr {
    match error {
        SolveError::Infeasible(_) => Infeasible::new_err(error.to_string()),
        SolveError::Arithmetic { .. } => input(error),
        SolveError::Engine(refusal) => engine(error, &refusal.cause),
        SolveError::SelfCheck(_) => self_check(error),
    }
}

/// Why a task set was not explored.
pub fn explore(error: &ExploreError) -> PyErr {
    match error {
        ExploreError::Solve(cause) => solve(cause),
        ExploreError::Forced { .. } | ExploreError::Limits { .. } | ExploreError::Margins { .. } => {
            Infeasible::new_err(error.to_string())
        }
        ExploreError::SelfCheck(_) => self_check(error),
        ExploreError::TaskSet(_)
        | ExploreError::Formulate(_)
        | ExploreError::NoArea { .. }
        | ExploreError::NoArithmetic
        | ExploreError::Partition { .. } => input(error),
    }
}

/// Why a task set was not read: with the place of the first mistake, where it has one, and of every other.
pub fn read(error: &ReadError) -> PyErr {
    let message = error.to_string();
    let (file, problem) = match error {
        ReadError::File { file, problem } => (file, problem),
        _ => {
            let places: Vec<_> = error.diagnostics().iter().map(place).collect();
            let first = places.first().cloned();
            let (file, line, column) = first.map_or_else(
                || (String::new(), None, None),
                |(file, line, column, _)| (file, Some(line), Some(column)),
            );
            return TaskSetError::new_err((message, file, line, column, places));
        }
    };
    match problem {
        FileProblem::Missing => PyFileNotFoundError::new_err((ENOENT, problem.to_string(), file.clone())),
        FileProblem::Permission => PyPermissionError::new_err((EACCES, problem.to_string(), file.clone())),
        FileProblem::Directory => PyIsADirectoryError::new_err((EISDIR, problem.to_string(), file.clone())),
        FileProblem::Io(_) => PyOSError::new_err(message),
        _ => {
            let (line, column) = problem.position().unzip();
            let places: Vec<(String, usize, usize, String)> = Vec::new();
            TaskSetError::new_err((message, file.clone(), line, column, places))
        }
    }
}

/// Why tables were not imported, with a note that names the argument that is missing.
pub fn import(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let error = read(&refusal.error);
    let note = match refusal.need {
        Some(Need::Clock) => "give the processor's clock with clock=\"100 MHz\"",
        Some(Need::Unit) => "give the unit of times that have none with unit=\"ms\"",
        Some(Need::Decimal) => "say which it is with decimal=\"point\" or decimal=\"comma\"",
        Some(Need::Blocks) => "give a table of blocks with blocks=",
        _ => return error,
    };
    match error.value(py).call_method1("add_note", (note,)) {
        Ok(_) => error,
        Err(problem) => problem,
    }
}

/// Numbers of errors, the same on Linux, macOS and Windows.
const ENOENT: i32 = 2;
const EACCES: i32 = 13;
const EISDIR: i32 = 21;

/// File, line, column and message of a diagnostic.
pub fn place(diagnostic: &Diagnostic) -> (String, usize, usize, String) {
    let (line, column) = diagnostic.position();
    (diagnostic.file().to_owned(), line, column, diagnostic.message().to_owned())
}

/// Why a file was not written.
pub fn write(error: &WriteError) -> PyErr {
    // Python gives every kind of failure a class of its own by the system's number.
    match error.cause().raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string())),
        None => PyOSError::new_err(error.to_string()),
    }
}

/// Why an output was not written.
pub fn output(error: &io::Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// Why there is no proof.
pub fn certify(error: &CertifyError) -> PyErr {
    match error {
        CertifyError::Refused(_) => self_check(error),
        CertifyError::Memory(_) | CertifyError::Thread(_) => memory(error),
        CertifyError::Write(cause) => output(cause),
    }
}
