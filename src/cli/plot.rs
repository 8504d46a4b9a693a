//! `isx plot FRONT.json`.

use super::failure::{Failure, Outcome};
use super::terminal;
use clap::Args;
use isx::report::files::write_whole;
use isx::report::plot::PlotData;
use isx::report::svg;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// Draw a front again from its JSON
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Plot {
    /// The front.json that `isx explore` wrote, or - for standard input
    front: PathBuf,

    /// The picture to write [default: FRONT with the ending svg, standard output for -]
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,

    /// Draw no larger areas than this
    #[arg(long, value_name = "AREA", value_parser = parse_positive, allow_negative_numbers = true)]
    max_area: Option<f64>,

    /// Draw the areas on a logarithmic axis
    #[arg(long)]
    log_area: bool,

    /// Title of the picture [default: the task set's name]
    #[arg(long)]
    title: Option<String>,
}

fn parse_positive(text: &str) -> Result<f64, String> {
    let area = super::arguments::parse_area(text)?;
    let area = isx::quantity::approx(&area);
    if area > 0.0 { Ok(area) } else { Err("an area to draw up to must be above zero".into()) }
}

impl Plot {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let from_stdin = self.front.as_os_str() == "-";
        let source = if from_stdin { "standard input".into() } else { self.front.display().to_string() };
        let named = |problem: &dyn std::fmt::Display| Failure::Usage(format!("{source}: {problem}"));
        let data = if from_stdin {
            PlotData::from_json(std::io::stdin().lock())
        } else {
            PlotData::from_json(File::open(&self.front).map_err(|problem| named(&problem))?)
        };
        let data = data.map_err(|problem| named(&problem))?;
        let options =
            svg::Options { max_area: self.max_area, log_area: self.log_area, title: self.title.clone() };
        let picture = svg::draw(&data, &options).map_err(|problem| named(&problem))?;
        let file = match &self.output {
            Some(file) => file.clone(),
            None if from_stdin => {
                std::io::stdout().write_all(picture.as_bytes())?;
                return Ok(Outcome::Done);
            }
            None => self.front.with_extension("svg"),
        };
        write_whole(&file, |out| out.write_all(picture.as_bytes()))?;
        terminal::note(&format!("wrote {}", file.display()));
        Ok(Outcome::Done)
    }
}
