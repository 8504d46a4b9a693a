//! `isx-bench waves`: tables swept in waves.

use super::results::deliver;
use crate::waves;
use clap::Args;
use isx_command::arguments::{machine, parse_bytes};
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_machine::cpu::cores;
use isx_report::files::check_writable;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Tables swept in waves beside the other engines, and what streaming one to the host costs
///
/// Longest common subsequences, 0-1 knapsacks of 1500 items and tours, growing as in O'Connell and Mumford's Figure 4; on a GPU
/// also a knapsack table of four times the memory allowed, kept there and streamed. Prints the tables and writes
/// results.json, table.md and chart.svg.
#[derive(Args)]
pub struct Waves {
    /// Letters of both sequences
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "5000,20000,50000")]
    lengths: Vec<u64>,

    /// Capacities of the knapsacks
    #[arg(long, value_name = "C,..", value_delimiter = ',', default_value = "10000,100000,1000000")]
    capacities: Vec<u64>,

    /// Cities of the tours
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "14,17,20")]
    cities: Vec<u64>,

    /// GPU memory that the streamed table may take, such as 8GB: its decisions are four times as many, and all of
    /// them must fit the GPU for comparison [default: none is streamed]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    stream: Option<u64>,

    /// Threads that engines of the CPU may use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Timed runs of each contestant, one where it takes more than two seconds; medians are reported
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,

    /// Leave out what would take longer than this many seconds, going by its time for the size before
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    patience: u32,

    /// Most memory for tables, such as 64MB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes)]
    max_memory: u64,

    /// The GPU that GPU contestants use, as `isx devices` numbers them
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: usize,

    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "output/bench-waves")]
    out: PathBuf,

    /// Print the results as JSON instead of the tables
    #[arg(long)]
    json: bool,
}

fn list(numbers: &[u64]) -> String {
    let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
    words.join(",")
}

impl Waves {
    pub fn run(&self) -> Result<Outcome, Failure> {
        check_writable(&self.out)?;
        let threads = self.threads.map_or(cores(), usize::from);
        let options = waves::Options {
            lengths: &self.lengths,
            capacities: &self.capacities,
            cities: &self.cities,
            stream: self.stream,
            repeat: self.repeat.into(),
            patience: self.patience.into(),
            machine: machine(self.device, self.max_memory).with_threads(threads),
            tell: &|what| terminal::note(what),
        };
        let report = waves::run(&options, self.command(threads))?;
        deliver(&report, &self.out, self.json)
    }

    fn command(&self, threads: usize) -> String {
        let Self { repeat, patience, max_memory, .. } = self;
        let [lengths, capacities, cities] =
            [&self.lengths, &self.capacities, &self.cities].map(|of| list(of));
        let mut command =
            format!("isx-bench waves --lengths {lengths} --capacities {capacities} --cities {cities}");
        // Writing to a string cannot fail.
        let _ = write!(
            command,
            " --threads {threads} --repeat {repeat} --patience {patience} --max-memory {max_memory}"
        );
        if let Some(bytes) = self.stream {
            let _ = write!(command, " --stream {bytes}");
        }
        command
    }
}
