//! Outcomes of subcommands, and their exit codes.

mod advice;

pub use advice::Ways;
use isx_certificate::CertifyError;
use isx_engine::EngineError;
use isx_explore::ExploreError;
use isx_import::Refusal as ImportRefusal;
use isx_report::files::WriteError;
use isx_solve::SolveError;
use isx_taskset::ReadError;
use isx_taskset::formulate::FormulateError;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output was closed when the command started; found out before `main`.
pub static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// An answer that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done, or a positive verdict.
    Done,
    /// A negative verdict, or a problem that nothing solves.
    Negative,
    /// An unknown verdict.
    Unknown,
    /// One of several inputs failed, with this exit code; its line has said why.
    Failed(u8),
}

impl Outcome {
    /// The worse of the two, for one exit code of several inputs: a failed self-check, then bad input, then the other
    /// failures, then an unknown verdict, then a negative one.
    pub fn or_worse(self, other: Self) -> Self {
        let rank = |outcome: Self| match outcome {
            Self::Done => 0,
            Self::Negative => 1,
            Self::Unknown => 2,
            Self::Failed(7) => 5,
            Self::Failed(2) => 4,
            Self::Failed(_) => 3,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Negative => Self::from(1),
            Outcome::Unknown => Self::from(3),
            Outcome::Failed(code) => Self::from(code),
        }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong use of the command line, or of an input file other than a task set.
    #[error("{0}")]
    Usage(String),
    /// A task set that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file of another tool that cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportRefusal),
    /// The computation was refused or failed.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// A plain problem was not solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// There is no answer as asked for, for this reason and with this exit code: no design is such (1), whether one is was not
    /// decided (3), a proof or a schedule is too large (4), or an answer is not what its check finds (7).
    #[error("{0}")]
    NoAnswer(String, u8),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The default folder holds the front of another input.
    #[error("{0}")]
    Occupied(String),
    /// A file is there that would be replaced.
    #[error("{0}")]
    Exists(String),
    /// An answer cannot be proved, or its certificate not be written.
    #[error(transparent)]
    Certify(#[from] CertifyError),
    /// The system starts no thread, as where memory is short.
    #[error("the system starts no thread: {0}")]
    Thread(io::Error),
    /// A certificate does not hold.
    #[error("not proved: {0}")]
    NotProved(String),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// The reader of standard output is gone.
    #[error("standard output was closed")]
    ClosedPipe,
}

impl From<io::Error> for Failure {
    /// Errors of standard output, the only stream written to directly.
    fn from(error: io::Error) -> Self {
        if STDOUT_WAS_CLOSED.load(Ordering::Relaxed) {
            return Self::Stdout(io::Error::other("it is closed"));
        }
        if error.kind() == io::ErrorKind::BrokenPipe { Self::ClosedPipe } else { Self::Stdout(error) }
    }
}

impl Failure {
    /// The exit code of this failure, as `isx --help` lists them.
    pub fn code(&self) -> u8 {
        match self {
            Self::Import(refusal) if refusal.is_fault => 7,
            Self::Usage(_) | Self::Read(_) | Self::Import(_) => 2,
            Self::Explore(error) => match error {
                ExploreError::Margins { .. } | ExploreError::Forced { .. } | ExploreError::Limits { .. } => 1,
                ExploreError::TaskSet(_) | ExploreError::NoArea { .. } | ExploreError::NoArithmetic => 2,
                ExploreError::Partition { .. } => 4,
                ExploreError::Formulate(error) => formulate_code(error),
                ExploreError::Solve(error) => solve_code(error),
                ExploreError::SelfCheck(_) => 7,
            },
            Self::Solve(error) => solve_code(error),
            Self::NoAnswer(_, code) => *code,
            Self::Write(_) | Self::Stdout(_) | Self::Occupied(_) | Self::Exists(_) => 6,
            Self::Certify(CertifyError::Write(_)) => 6,
            Self::Certify(CertifyError::Memory(_) | CertifyError::Thread(_)) | Self::Thread(_) => 4,
            Self::Certify(CertifyError::Refused(_)) | Self::NotProved(_) => 7,
            Self::ClosedPipe => 0,
        }
    }
}

fn formulate_code(error: &FormulateError) -> u8 {
    match error {
        FormulateError::Processor { .. } => 1,
        FormulateError::Clocks { .. } | FormulateError::Variants { .. } | FormulateError::Overruns { .. } => {
            2
        }
        FormulateError::AreaRange { .. }
        | FormulateError::CostRange { .. }
        | FormulateError::DemandRange { .. } => 4,
    }
}

/// The exit code for a problem that was not solved.
pub fn solve_code(error: &SolveError) -> u8 {
    match error {
        SolveError::Infeasible(_) => 1,
        SolveError::Arithmetic { .. } => 2,
        SolveError::Engine(refusal) => match refusal.cause {
            EngineError::Memory(_)
            | EngineError::MemoryOfThisEngine { .. }
            | EngineError::TooLarge(_)
            | EngineError::Width { .. }
            | EngineError::GpuMemory { .. }
            | EngineError::NoMemory(_) => 4,
            EngineError::Cancelled => 130,
            EngineError::Arithmetic(_)
            | EngineError::Unavailable(_)
            | EngineError::TooLong(_)
            | EngineError::Failed(_) => 5,
        },
        SolveError::SelfCheck(_) => 7,
    }
}
