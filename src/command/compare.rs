//! `isx compare A.json B.json`.

use super::failure::{Failure, Outcome};
use super::input::is_stdin;
use super::plot::front_or_words;
use super::terminal;
use clap::Args;
use isx_report::compare::{Comparison, Options, Side, write_text};
use isx_report::files::write_whole;
use isx_report::svg::pair::draw_pair;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Compare two fronts: where which has less utilization within the same area, and by how much
///
/// The fronts are the front.json files of `isx explore`, for example of a task set as it is and without a block. Every
/// figure is compared exactly. With -o both are drawn in one picture.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Compare {
    /// The first front, A: a front.json, or - for standard input
    #[arg(value_name = "A.json")]
    first: PathBuf,

    /// The second front, B
    #[arg(value_name = "B.json")]
    second: PathBuf,

    /// The picture to write, or - for standard output
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,

    /// Print every range of areas, not only as many as a screen takes
    #[arg(long, conflicts_with = "json")]
    all: bool,

    /// Print the comparison as JSON
    #[arg(long)]
    json: bool,
}

/// Ranges of areas that a screen takes.
const MAX_ROWS: usize = 20;

impl Compare {
    pub fn run(&self) -> Result<Outcome, Failure> {
        if is_stdin(&self.first) && is_stdin(&self.second) {
            return Err(Failure::Usage("only one of the fronts can be read from standard input".into()));
        }
        self.check_output()?;
        let compared = Comparison::new(side(&self.first)?, side(&self.second)?)
            .map_err(|problem| Failure::Usage(problem.to_string()))?;
        let picture = match &self.output {
            None => None,
            Some(_) => Some(draw_pair(&compared).map_err(|problem| Failure::Usage(problem.to_string()))?),
        };
        let mut out = BufWriter::new(std::io::stdout().lock());
        match (&self.output, picture) {
            (Some(file), Some(picture)) if is_stdin(file) => {
                out.write_all(picture.as_bytes())?;
                out.flush()?;
                return Ok(Outcome::Done);
            }
            (Some(file), Some(picture)) => {
                write_whole(file, |out| out.write_all(picture.as_bytes()))?;
                terminal::note(&format!("wrote {}", file.display()));
            }
            _ => {}
        }
        if self.json {
            compared.write_json(&mut out)?;
        } else {
            let max_rows = if self.all { usize::MAX } else { MAX_ROWS };
            write_text(&compared, &Options { width: terminal::columns(), max_rows }, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Done)
    }

    /// What is written to standard output is a picture or JSON, and a picture is an SVG.
    fn check_output(&self) -> Result<(), Failure> {
        let Some(output) = &self.output else { return Ok(()) };
        if is_stdin(output) && self.json {
            return Err(Failure::Usage("standard output takes the picture or the JSON, not both".into()));
        }
        match output.extension() {
            Some(ending) if !ending.eq_ignore_ascii_case("svg") => {
                Err(Failure::Usage(format!("isx draws SVG, so `{}` must end in .svg", output.display())))
            }
            _ => Ok(()),
        }
    }
}

fn side(file: &Path) -> Result<Side, Failure> {
    let name = if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() };
    let refused = |problem: &dyn std::fmt::Display| Failure::Usage(format!("{name}: {problem}"));
    let reader: Box<dyn Read> = if is_stdin(file) {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(file).map_err(|problem| refused(&problem))?)
    };
    let reader = front_or_words(reader, file, " --format json").map_err(|words| refused(&words))?;
    Side::from_json(name.clone(), reader).map_err(|problem| refused(&problem))
}
