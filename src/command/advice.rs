//! What a user may do about a failure. The library says what is wrong; which flag helps is the subcommand's to say.

use super::failure::Failure;
use isx_engine::{EngineError, Refusal};
use isx_explore::ExploreError;
use isx_import::Need;
use isx_report::files::WriteError;
use isx_solve::SolveError;

/// The flags of a subcommand that a way out may go by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways {
    /// The flag that makes the problem smaller, as advice.
    pub smaller: Option<&'static str>,
    /// Whether another engine may be chosen.
    pub engine: bool,
    /// The flag that names the folder for results.
    pub out: bool,
}

impl Ways {
    /// What may be done about the failure, in words that follow `help: `.
    pub fn out_of(&self, failure: &Failure) -> Option<String> {
        match failure {
            Failure::Occupied(_) => {
                Some("name another folder with --out, or replace it with --overwrite".into())
            }
            Failure::Exists(_) => Some("name another file with -o, or replace it with --overwrite".into()),
            Failure::Import(refusal) => refusal.need.map(|need| say(need).into()),
            Failure::Write(WriteError::Directory { .. }) if self.out => {
                Some("name a writable directory with --out".into())
            }
            _ => self.out_of_solving(solving(failure)?),
        }
    }

    fn out_of_memory(&self, engine: Option<&str>) -> String {
        let ways: Vec<&str> = ["raise --max-memory"].into_iter().chain(self.smaller).chain(engine).collect();
        either(&ways)
    }

    fn out_of_solving(&self, error: &SolveError) -> Option<String> {
        match error {
            SolveError::Arithmetic { needed, .. } => {
                Some(format!("leave --arithmetic out, or ask for {needed}"))
            }
            SolveError::Engine(Refusal { cause: EngineError::Memory(_), .. }) => {
                Some(self.out_of_memory(self.engine.then_some("choose another --engine")))
            }
            SolveError::Engine(Refusal {
                cause: EngineError::MemoryOfThisEngine { other, least, .. },
                ..
            }) => {
                let least = match least {
                    0 => String::new(),
                    least => format!(", which needs at least {least} bytes"),
                };
                let other = format!("choose --engine {other}{least}");
                Some(self.out_of_memory(self.engine.then_some(&other)))
            }
            SolveError::Engine(Refusal { cause: EngineError::GpuMemory { .. }, .. }) => {
                let other = Some("choose an engine of the CPU with --engine").filter(|_| self.engine);
                let ways: Vec<&str> = self.smaller.into_iter().chain(other).collect();
                (!ways.is_empty()).then(|| either(&ways))
            }
            SolveError::Engine(Refusal { cause: EngineError::TooLarge(_), .. }) => {
                self.smaller.map(Into::into)
            }
            SolveError::Engine(Refusal { cause: EngineError::Unavailable(_), .. }) => {
                Some("`isx devices` shows what this machine has; --engine auto takes what there is".into())
            }
            SolveError::Engine(Refusal { cause: EngineError::Arithmetic(_), .. }) => {
                Some("leave --engine out: there is one for every width".into())
            }
            _ => None,
        }
    }
}

/// The flag by which a file that does not tell all is imported.
fn say(need: Need) -> &'static str {
    match need {
        Need::Format => "name its format with --from",
        Need::Core => "name a core or a kind of cores with --core",
        Need::Clock => "give the processor's clock with --clock",
        Need::Unit => "give the unit of times that have none with --unit",
        Need::Set => "name one of them with --set",
        _ => "`isx import --help` tells what may be said beside the file",
    }
}

/// The failed solve behind a failure.
fn solving(failure: &Failure) -> Option<&SolveError> {
    match failure {
        Failure::Solve(error) | Failure::Explore(ExploreError::Solve(error)) => Some(error),
        _ => None,
    }
}

/// `a`, `a or b`, `a, b or c`.
fn either(ways: &[&str]) -> String {
    match ways {
        [] => String::new(),
        [only] => (*only).into(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
