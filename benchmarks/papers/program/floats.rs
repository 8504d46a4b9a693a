//! `isx-papers floats`: how far fronts computed in floats, as in the thesis, are from the exact one.

use crate::deviation::Deviation;
use crate::study::Study;
use clap::Args;
use isx_bench::BenchError;
use isx_command::arguments::{machine, parse_bytes};
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_exact::quantity::{Rational, parse_decimal};
use isx_papers::thesis::float_front::{FloatVariant, float_front};
use isx_taskset::read_file;
use serde_json::{Value, json};
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

impl Floats {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let reading = read_file(&self.taskset)?;
        terminal::warn(&reading.warnings);
        let study = Study::new(&reading.task_set, self.max_area.as_ref())?;
        let machine = machine(0, self.max_memory);
        let of = |variant: FloatVariant| -> Result<(&'static str, Deviation), BenchError> {
            let front = float_front(&study.formulation, variant, &machine);
            Ok((variant.name(), study.deviation(&front.map_err(|cause| study.no_floats(cause))?)))
        };
        let variants: Vec<(&str, Deviation)> =
            FloatVariant::ALL.into_iter().map(of).collect::<Result<_, BenchError>>()?;
        let mut out = std::io::stdout().lock();
        if self.json {
            let variant = |&(arithmetic, deviation): &(&str, Deviation)| {
                let [points, exact_points, spurious, missing, wrong_verdicts] = deviation.counts();
                json!({
                    "arithmetic": arithmetic, "points": points, "exact_points": exact_points,
                    "spurious": spurious, "missing": missing, "wrong_verdicts": wrong_verdicts,
                })
            };
            let variants: Vec<Value> = variants.iter().map(variant).collect();
            let document =
                json!({ "schema": "isx.papers.floats/1", "taskset": study.name, "variants": variants });
            writeln!(out, "{document:#}")?;
            return Ok(Outcome::Done);
        }
        let (name, exact) = (isx_report::visible(&study.name), study.points());
        writeln!(out, "{name}: exact front of {exact} points\n")?;
        writeln!(out, "| arithmetic | points | dominated | missing | U <= 1 wrong |\n|---|---|---|---|---|")?;
        for (arithmetic, deviation) in &variants {
            let [points, _, spurious, missing, wrong] = deviation.counts();
            writeln!(out, "| {arithmetic} | {points} | {spurious} | {missing} | {wrong} |")?;
        }
        Ok(Outcome::Done)
    }
}
