//! Advice after a failure. The library reports what is wrong; each subcommand knows which flag helps.

use super::Failure;
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
    /// Of subcommands that choose an engine.
    pub const ENGINE: Self = Self { smaller: None, engine: true, out: false };
    /// Of `isx explore`.
    pub const EXPLORE: Self =
        Self { smaller: Some("consider less with --max-area"), engine: true, out: true };
    /// Of `isx solve`.
    pub const SOLVE: Self = Self { smaller: Some("lower --capacity"), engine: true, out: false };

    /// What the user can do about the failure, as text after `help: `.
    pub fn out_of(&self, failure: &Failure) -> Option<String> {
        match failure {
            Failure::Occupied(_) => {
                Some("name another folder with --out, or replace it with --overwrite".into())
            }
            Failure::Exists(_) => Some("name another file, or replace this one with --overwrite".into()),
            Failure::Import(refusal) => refusal.need.map(|need| say(need).into()),
            Failure::Write(WriteError::Directory { .. }) if self.out => {
                Some("name a writable directory with --out".into())
            }
            Failure::Explore(ExploreError::NoArithmetic) => Some("leave --arithmetic out".into()),
            Failure::Explore(ExploreError::NoArea { .. }) => {
                Some("limit its resources with --within, as in --within LUT=5000,DSP=8".into())
            }
            Failure::Solve(error) | Failure::Explore(ExploreError::Solve(error)) => {
                self.out_of_solving(error)
            }
            _ => None,
        }
    }

    fn out_of_solving(&self, error: &SolveError) -> Option<String> {
        let cause = match error {
            SolveError::Arithmetic { needed, .. } => {
                return Some(format!("leave --arithmetic out, or ask for {needed}"));
            }
            SolveError::Engine(Refusal { cause, .. }) => cause,
            _ => return None,
        };
        match cause {
            EngineError::Memory(_) => Some(self.out_of_memory("choose another --engine")),
            EngineError::MemoryOfThisEngine { other, least: 0, .. } => {
                Some(self.out_of_memory(&format!("choose --engine {other}")))
            }
            EngineError::MemoryOfThisEngine { other, least, .. } => {
                let other = format!("choose --engine {other}, which needs at least {least} bytes");
                Some(self.out_of_memory(&other))
            }
            EngineError::GpuMemory { .. } => {
                let other = self.engine.then_some("choose an engine of the CPU with --engine");
                either(self.smaller.into_iter().chain(other))
            }
            EngineError::Width { .. } => Some("give its numbers with fewer digits".into()),
            EngineError::TooLarge(_) => self.smaller.map(Into::into),
            EngineError::Unavailable(_) => {
                Some("`isx engines` shows what this machine has; --engine auto takes what there is".into())
            }
            EngineError::Arithmetic(_) => Some("leave --engine out: there is one for every width".into()),
            _ => None,
        }
    }

    fn out_of_memory(&self, other_engine: &str) -> String {
        let other = self.engine.then_some(other_engine);
        either(["raise --max-memory"].into_iter().chain(self.smaller).chain(other)).unwrap_or_default()
    }
}

/// The flag that imports a file with incomplete data.
fn say(need: Need) -> &'static str {
    match need {
        Need::Format => "name its format with --from",
        Need::Core => "name a core or a kind of cores with --core",
        Need::Clock => "give the processor's clock with --clock",
        Need::Unit => "give the unit of times that have none with --unit",
        Need::Set => "name one of them with --set",
        Need::Decimal => "or say which it is with --decimal point or --decimal comma",
        Need::Blocks => "give a table of blocks with --blocks: block, area, and optionally slot, fmax",
        _ => "`isx import --help` lists the flags for what the file leaves out",
    }
}

/// `a`, `a or b`, `a, b or c`; `None` for an empty list.
fn either<'a>(ways: impl Iterator<Item = &'a str>) -> Option<String> {
    let ways: Vec<&str> = ways.collect();
    Some(match ways.split_last()? {
        (last, []) => (*last).into(),
        (last, most) => format!("{} or {last}", most.join(", ")),
    })
}
