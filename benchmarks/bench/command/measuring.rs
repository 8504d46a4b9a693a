//! The flags of all benchmarks, and where their results go.

use super::results::deliver;
use crate::comparison::Comparison;
use crate::runner::Settings;
use clap::Args;
use isx_command::arguments::{machine, parse_bytes};
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_machine::cpu::cores;
use isx_report::files::check_writable;
use std::path::PathBuf;
use std::time::Duration;

/// How to measure, and where the results go.
#[derive(Args)]
pub struct Measuring {
    /// Timed runs of each contestant, fewer where they take more than two seconds together; medians are reported.
    /// With 0 the first run counts [default: 5; jooken --all: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    repeat: Option<u16>,

    /// Leave out what expects to take longer than this many seconds; the textbook loop of mckp, lemos and thesis always
    /// runs [default: by the benchmark, 2 to 60]
    #[arg(long, value_name = "SECONDS")]
    patience: Option<u32>,

    /// Most memory for tables, such as 64MB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes)]
    max_memory: u64,

    /// Folder for the results [default: below output, by the name of the benchmark]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the results as JSON instead of the tables
    #[arg(long)]
    json: bool,
}

/// A benchmark on the command line, where it differs from the others.
pub struct Bench {
    /// Its command, such as `isx-bench lemos`.
    pub name: &'static str,
    /// Seconds.
    pub patience: u32,
    /// Timed runs.
    pub repeat: u16,
    /// Threads that engines of the CPU may use.
    pub threads: usize,
    /// The GPUs that contestants for a GPU use.
    pub gpus: Vec<usize>,
    /// Its own flags.
    pub flags: String,
}

impl Bench {
    /// Timed runs, unless a benchmark is of very many problems.
    pub const REPEAT: u16 = 5;
}

/// The number of threads asked for, or one per core.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or(cores(), usize::from)
}

/// Numbers or words of one flag.
pub fn list<T: ToString>(of: &[T]) -> String {
    of.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

impl Measuring {
    /// The folder for the results of a benchmark.
    pub fn folder(&self, name: &str) -> PathBuf {
        let usual = || format!("output/{}", name.trim_start_matches("isx-").replace(' ', "-")).into();
        self.out.clone().unwrap_or_else(usual)
    }

    /// Measures, with these settings and the command that repeats it, and delivers what was found.
    /// Fails if nothing can be written there, or as measuring fails.
    pub fn run(
        &self,
        bench: Bench,
        engines: &[String],
        measure: impl FnOnce(Settings<'static>, String) -> Result<Comparison, crate::BenchError>,
    ) -> Result<Outcome, Failure> {
        let Bench { name, patience, repeat, threads, gpus, flags } = bench;
        let out = self.folder(name);
        check_writable(&out)?;
        let max_memory = &self.max_memory;
        let repeat = self.repeat.unwrap_or(repeat);
        let patience = self.patience.unwrap_or(patience);
        let engines: String = engines.iter().map(|engine| format!(" --engine {engine}")).collect();
        let command = format!(
            "{name} {flags} --repeat {repeat} --patience {patience} --max-memory {max_memory}{engines}"
        );
        let settings = Settings {
            repeat: repeat.into(),
            patience: Duration::from_secs(patience.into()),
            machine: machine(0, *max_memory).with_gpus(&gpus).with_threads(threads),
            tell: &|what| terminal::note(what),
        };
        deliver(&measure(settings, command)?, &out, self.json)
    }
}
