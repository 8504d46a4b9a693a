//! `isx compare A B [C ..]`.

use super::plot::open_front;
use crate::failure::{Failure, Outcome};
use crate::files::{deliver, is_stdin, name, unreadable};
use crate::terminal;
use crate::terminal::progress::Bar;
use clap::Args;
use isx_pages::compare::{CannotCompare, Comparison, Side, write_text};
use isx_pages::svg::fronts::draw_fronts;
use isx_pages::table::Options;
use std::path::{Path, PathBuf};

/// Compare up to six fronts: which one has the least utilization within the same area, and by how much
///
/// The fronts are files that `isx explore` wrote, front.json or front.parquet, for example of one task set with and
/// without a block. Every figure is compared exactly. A front is called by the part of its path that distinguishes it from
/// the others. With -o all are drawn in one picture. With several objectives the first of them is the cost, whatever the others,
/// and it is said how many designs of each front another one has too, dominates, or has no match for.
#[derive(Args)]
#[command(arg_required_else_help = true, override_usage = "isx compare [OPTIONS] <FRONT> <FRONT> [FRONT ..]")]
pub struct Compare {
    /// Two to six fronts, each a front.json or front.parquet; - for standard input
    #[arg(value_name = "FRONT", required = true)]
    fronts: Vec<PathBuf>,

    /// The picture to write, or - for standard output
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,

    /// Print every range also on a terminal, otherwise as many as fit on it
    #[arg(long, conflicts_with = "json")]
    all: bool,

    /// Print the comparison as JSON
    #[arg(long)]
    json: bool,
}

/// Lines around the ranges of areas, with the user's next one.
const AROUND: usize = 9;
/// The fewest ranges for a terminal, however low it is.
const FEWEST_ROWS: usize = 10;

impl Compare {
    pub fn run(&self) -> Result<Outcome, Failure> {
        if self.fronts.iter().filter(|front| is_stdin(front)).count() > 1 {
            bail!("only one of the fronts can be read from standard input");
        }
        let wrong = |problem: CannotCompare| Failure::Usage(problem.to_string());
        CannotCompare::number(self.fronts.len()).map_err(wrong)?;
        self.check_output()?;
        let sides = self.fronts.iter().map(|front| side(front)).collect::<Result<Vec<_>, _>>()?;
        let bar = Bar::waiting("comparing");
        let compared = Comparison::new(sides).map_err(wrong);
        bar.finish();
        let compared = compared?;
        if let Some(file) = &self.output {
            let picture = draw_fronts(&compared).map_err(|problem| Failure::Usage(problem.to_string()))?;
            deliver(Some(file), |out| out.write_all(picture.as_bytes()))?;
            if is_stdin(file) {
                return Ok(Outcome::Done);
            }
        }
        terminal::print(self.json, &|out| compared.write_json(out), &|out| {
            let height = terminal::lines().filter(|_| !self.all);
            let max_rows = height.map_or(usize::MAX, |height| height.saturating_sub(AROUND).max(FEWEST_ROWS));
            write_text(&compared, &Options { max_rows, ..terminal::printing() }, out)
        })?;
        Ok(Outcome::Done)
    }

    /// Standard output receives a picture or JSON, and a picture is an SVG.
    fn check_output(&self) -> Result<(), Failure> {
        let Some(output) = &self.output else { return Ok(()) };
        if is_stdin(output) && self.json {
            bail!("standard output takes the picture or the JSON, not both");
        }
        match output.extension() {
            Some(ending) if !ending.eq_ignore_ascii_case("svg") => {
                bail!("isx draws SVG, so `{}` must end in .svg", output.display())
            }
            _ => Ok(()),
        }
    }
}

fn side(file: &Path) -> Result<Side, Failure> {
    let document = open_front(file, " --format json")?;
    Side::from_written(name(file), document).map_err(|problem| unreadable(file, &problem))
}
