//! What a subcommand comes to, and its exit code.

use isx::bench::BenchError;
use isx::engine::EngineError;
use isx::explore::ExploreError;
use isx::report::files::WriteError;
use isx::solve::SolveError;
use isx::taskset::ReadError;
use std::io;
use std::process::ExitCode;

/// An answer that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done, or a positive verdict.
    Done,
    /// A negative verdict.
    Negative,
    /// An unknown verdict.
    Unknown,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Negative => Self::from(1),
            Outcome::Unknown => Self::from(3),
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
    /// The computation was refused or failed.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// A plain problem was not solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Nothing was measured.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
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
        if error.kind() == io::ErrorKind::BrokenPipe { Self::ClosedPipe } else { Self::Stdout(error) }
    }
}

impl Failure {
    /// The exit code of this failure, as `isx --help` lists them.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Usage(_) | Self::Read(_) => 2,
            Self::Explore(error) => match error {
                ExploreError::Formulate(_) | ExploreError::FloatEngine { .. } => 2,
                ExploreError::Solve(error) => solve_code(error),
                ExploreError::SelfCheck(_) => 7,
            },
            Self::Solve(error) => solve_code(error),
            Self::Bench(error) => match error {
                BenchError::Wrong { .. } => 7,
                BenchError::NoJudge { cause, .. } => solve_code(cause),
                BenchError::Unavailable { .. } => 5,
                _ => 2,
            },
            Self::Write(_) | Self::Stdout(_) => 6,
            Self::ClosedPipe => 0,
        })
    }
}

fn solve_code(error: &SolveError) -> u8 {
    match error {
        SolveError::Infeasible(_) | SolveError::Arithmetic { .. } => 2,
        SolveError::Engine(EngineError::Memory { .. } | EngineError::DeviceMemory { .. }) => 4,
        SolveError::Engine(_) => 5,
    }
}
