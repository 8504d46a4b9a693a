//! `isx-bench waves`: tables swept in waves.

use super::measuring::{Bench, Measuring, list, threads};
use crate::waves;
use clap::Args;
use isx_command::arguments::parse_bytes;
use isx_command::failure::{Failure, Outcome};

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

    #[command(flatten)]
    measuring: Measuring,
}

impl Waves {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let Self { lengths, capacities, cities, stream, .. } = self;
        let threads = threads(self.threads);
        let [a, b, c] = [lengths, capacities, cities].map(|of| list(of));
        let streamed = stream.map_or_else(String::new, |bytes| format!(" --stream {bytes}"));
        let flags = format!("--lengths {a} --capacities {b} --cities {c}{streamed} --threads {threads}");
        let bench = Bench { name: "isx-bench waves", patience: 20, repeat: Bench::REPEAT, threads, flags };
        self.measuring.run(bench, &[], |settings, command| {
            let options = waves::Options { lengths, capacities, cities, stream: *stream, settings };
            waves::run(&options, command)
        })
    }
}
