//! Errors of the library as exceptions of the package, by kind: those of the same exit code of the command are of one
//! class.

use isx::certificate::CertifyError;
use isx::engine::EngineError;
use isx::explore::ExploreError;
use isx::import::{Need, Refusal};
use isx::report::files::WriteError;
use isx::report::show::NoSuchPoint;
use isx::solve::SolveError;
use isx::sweep::SweepError;
use isx::taskset::{Diagnostic, ReadError};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
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

/// An exception; every error of the library becomes one of its kind.
pub struct Raised(PyErr);

/// What a question is answered with.
pub type Answered<T> = Result<T, Raised>;

impl From<Raised> for PyErr {
    fn from(raised: Raised) -> Self {
        raised.0
    }
}

/// Says what each error is raised as.
macro_rules! raises {
    ($($error:ty: |$name:ident| $raised:expr;)*) => {
        $(impl From<$error> for Raised {
            fn from($name: $error) -> Self {
                Self($raised)
            }
        })*
    };
}

raises! {
    PyErr: |error| error;
    io::Error: |error| PyOSError::new_err(error.to_string());
    NoSuchPoint: |error| NoSuchDesign::new_err(error.to_string());
    SolveError: |error| solve(&error);
    ExploreError: |error| match &error {
        ExploreError::Solve(cause) => solve(cause),
        ExploreError::Forced { .. } | ExploreError::Limits { .. } | ExploreError::Margins { .. } => {
            Infeasible::new_err(error.to_string())
        }
        ExploreError::SelfCheck(_) => SelfCheckFailed::new_err(error.to_string()),
        _ => wrong(error),
    };
    ReadError: |error| read(&error);
    // Python gives every kind of failure a class of its own by the system's number.
    WriteError: |error| match error.cause().raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string())),
        None => PyOSError::new_err(error.to_string()),
    };
    CertifyError: |error| match error {
        CertifyError::Refused(_) => SelfCheckFailed::new_err(error.to_string()),
        CertifyError::Memory(_) | CertifyError::Thread(_) => memory(error),
        CertifyError::Write(cause) => PyOSError::new_err(cause.to_string()),
    };
    SweepError: |error| match error {
        SweepError::Read(error) => read(&error),
        SweepError::Write(error) => Self::from(error).0,
        error => wrong(error),
    };
}

fn wrong(problem: impl Display) -> PyErr {
    InputError::new_err(problem.to_string())
}

/// What was given is wrong.
pub fn input(problem: impl Display) -> Raised {
    Raised(wrong(problem))
}

/// An answer that was found does not hold.
pub fn self_check(problem: impl Display) -> Raised {
    Raised(SelfCheckFailed::new_err(problem.to_string()))
}

fn memory(problem: impl Display) -> PyErr {
    MemoryLimitError::new_err(format!("{problem}; allow more with max_memory, or ask for less"))
}

/// Whether a table would pass the memory.
pub fn is_memory(raised: &Raised) -> bool {
    Python::attach(|py| raised.0.is_instance_of::<MemoryLimitError>(py))
}

/// The same once more, for another question.
pub fn again(raised: &Raised) -> Raised {
    Python::attach(|py| Raised(raised.0.clone_ref(py)))
}

/// Why a problem was not solved.
fn solve(error: &SolveError) -> PyErr {
    let message = error.to_string();
    match error {
        SolveError::Infeasible(_) => Infeasible::new_err(message),
        SolveError::Arithmetic { .. } => wrong(message),
        SolveError::SelfCheck(_) => SelfCheckFailed::new_err(message),
        SolveError::Engine(refusal) => match refusal.cause {
            // Only whoever interrupts calls off.
            EngineError::Cancelled => PyKeyboardInterrupt::new_err(()),
            EngineError::Arithmetic(_)
            | EngineError::Unavailable(_)
            | EngineError::TooLong(_)
            | EngineError::Failed(_) => EngineUnavailable::new_err(message),
            _ => memory(message),
        },
    }
}

/// Why a task set was not read: with the place of the first mistake, where it has one, and of every other.
fn read(error: &ReadError) -> PyErr {
    let place = |diagnostic: &Diagnostic| {
        let (line, column) = diagnostic.position();
        (diagnostic.file().to_owned(), line, column, diagnostic.message().to_owned())
    };
    let places: Vec<_> = error.diagnostics().iter().map(place).collect();
    let (file, position) = match (error, places.first()) {
        (_, Some((file, line, column, _))) => (file.clone(), Some((*line, *column))),
        (ReadError::File { file, problem }, None) => (file.clone(), problem.position()),
        _ => Default::default(),
    };
    let (line, column) = position.unzip();
    TaskSetError::new_err((error.to_string(), file, line, column, places))
}

/// Why tables were not imported, with a note that names the argument that is missing.
pub fn import(py: Python<'_>, refusal: &Refusal) -> Raised {
    if refusal.is_fault {
        return self_check(refusal);
    }
    let error = read(&refusal.error);
    let note = match refusal.need {
        Some(Need::Clock) => "give the processor's clock with clock=\"100 MHz\"",
        Some(Need::Unit) => "give the unit of times that have none with unit=\"ms\"",
        Some(Need::Decimal) => "say which it is with decimal=\"point\" or decimal=\"comma\"",
        Some(Need::Blocks) => "give a table of blocks with blocks=",
        _ => return Raised(error),
    };
    match error.value(py).call_method1("add_note", (note,)) {
        Ok(_) => Raised(error),
        Err(problem) => Raised(problem),
    }
}
