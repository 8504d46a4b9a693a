//! `isx-bench floats`: how far fronts computed in floats, as in the thesis, are from the exact one.

use crate::BenchError;
use crate::deviation::Deviation;
use crate::study::Study;
use clap::Args;
use isx_bench::thesis::float_front::{FloatVariant, float_front};
use isx_command::arguments::{machine, parse_bytes};
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_exact::quantity::{Rational, parse_decimal};
use isx_machine::Machine;
use isx_taskset::read_file;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

/// How the fronts that B. Suri's thesis computes in floats differ from the exact one of a task set
///
/// For each way of rounding: the points that its floats see, those that are dominated once their choices are summed exactly,
/// the points of the exact front that are missing, and the points where U <= 1 is decided wrongly. Exit code 2 for sets whose choices
/// share blocks: the thesis's tables know none.
#[derive(Args)]
pub struct Floats {
    /// The task set, a YAML file
    taskset: PathBuf,

    /// Consider no design above this area, in the file's area unit
    #[arg(long, value_name = "AREA", value_parser = parse_decimal, allow_negative_numbers = true)]
    max_area: Option<Rational>,

    /// Most memory for tables, such as 64MB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes)]
    max_memory: u64,

    /// Print the differences as JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// How the fronts in floats differ from the exact one.
#[derive(Serialize)]
struct Differences {
    schema: &'static str,
    taskset: String,
    variants: Vec<Variant>,
}

#[derive(Serialize)]
struct Variant {
    arithmetic: &'static str,
    #[serde(flatten)]
    deviation: Deviation,
}

impl Floats {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let reading = read_file(&self.taskset)?;
        terminal::warn(&reading.warnings);
        let study = Study::new(&reading.task_set, self.max_area.as_ref())?;
        let differences = differences(&study, &machine(0, self.max_memory))?;
        let mut out = std::io::stdout().lock();
        if self.json {
            let json = serde_json::to_string_pretty(&differences).map_err(std::io::Error::from)?;
            writeln!(out, "{json}")?;
        } else {
            out.write_all(differences.table().as_bytes())?;
        }
        Ok(Outcome::Done)
    }
}

fn differences(study: &Study, machine: &Machine) -> Result<Differences, BenchError> {
    let variants = FloatVariant::ALL.into_iter().map(|variant| {
        let front = float_front(&study.formulation, variant, machine)
            .map_err(|cause| BenchError::NoFloats { instance: study.name.clone(), cause })?;
        Ok(Variant { arithmetic: variant.name(), deviation: study.deviation(&front) })
    });
    let variants = variants.collect::<Result<_, BenchError>>()?;
    Ok(Differences { schema: "isx.bench.floats/1", taskset: study.name.clone(), variants })
}

impl Differences {
    fn table(&self) -> String {
        let exact = self.variants.first().map_or(0, |variant| variant.deviation.exact_points);
        let mut text = format!("{}: exact front of {exact} points\n\n", isx_report::visible(&self.taskset));
        text += "| arithmetic | points | dominated | missing | U <= 1 wrong |\n|---|---|---|---|---|\n";
        for Variant { arithmetic, deviation } in &self.variants {
            let Deviation { points, spurious, missing, wrong_verdicts, .. } = deviation;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {arithmetic} | {points} | {spurious} | {missing} | {wrong_verdicts} |");
        }
        text
    }
}
