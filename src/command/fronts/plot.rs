//! `isx plot FILE`: draws pictures from the output of another subcommand, or of a script.

use crate::failure::{Failure, Outcome};
use crate::files::{self, deliver, is_stdin, name, parquet_file, place, unreadable};
use clap::Args;
use isx_exact::quantity::{approx, parse_decimal};
use isx_pages::plot::PlotData;
use isx_pages::plot::chart::{self, LineChart};
use isx_pages::svg::{self, lines::draw_lines};
use isx_report::written::{PARQUET_MAGIC, Written};
use std::fmt;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// Draw the picture of a front, or a line chart
///
/// The document's schema decides what is drawn: a front (isx.front/3; as
/// front.json or front.parquet) or a line chart (isx.chart/1). In the picture
/// of a front of at most 300 points, each point has a tooltip with its area, utilization and choices.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Plot {
    /// The front.json or front.parquet that `isx explore` wrote, or - for standard input
    #[arg(value_name = "FRONT")]
    input: PathBuf,

    /// The picture to write, or - for standard output [default: FRONT with the ending svg, standard output for -]
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,

    /// Draw areas up to this one
    #[arg(long, value_name = "AREA", value_parser = parse_positive, allow_negative_numbers = true)]
    max_area: Option<f64>,

    /// Draw the areas on a logarithmic axis
    #[arg(long)]
    log_area: bool,

    /// Start the utilization axis at 0 instead of a little below the least utilization
    #[arg(long)]
    from_zero: bool,

    /// What the vertical axis shows in place of the utilization or 1/margin: the lowest clock at which each design is
    /// schedulable
    #[arg(long, value_name = "clock", value_parser = ["clock"], hide_possible_values = true)]
    axis: Option<String>,

    /// Title of the picture [default: the task set's name]
    #[arg(long)]
    title: Option<String>,
}

fn parse_positive(text: &str) -> Result<f64, String> {
    let area = parse_decimal(text).map_err(|error| error.to_string())?;
    let area = approx(&area);
    if area > 0.0 { Ok(area) } else { Err("an area to draw up to must be above zero".into()) }
}

/// Bytes of the document in which its schema is looked for.
const HEAD: u64 = 1 << 16;

/// Opens the front. A document that begins like a task set is refused; the error names `isx explore FILE` and
/// `options`, which produce the front.
pub fn open_front(file: &Path, options: &str) -> Result<Written<'static>, Failure> {
    match parquet_file(file) {
        Some(parquet) => Ok(Written::in_file(parquet)),
        None => Ok(Written::from(open_stream(file, options)?)),
    }
}

/// Opens the document; if there is none, the error says where a front is.
fn open_document(file: &Path) -> Result<Box<dyn Read>, Failure> {
    if file.is_dir() {
        let inside = file.join("front.json");
        let front =
            if inside.is_file() { format!("; its front is {}", name(&inside)) } else { String::new() };
        return Err(unreadable(file, &format!("this is a directory{front}")));
    }
    if !is_stdin(file) && !file.exists() {
        let written =
            "no such file; `isx explore TASKSET` writes front.json, with --format only where json is listed";
        return Err(unreadable(file, &written));
    }
    files::open_front(file)
}

/// As [`open_front`], but every byte passes.
pub fn open_stream(file: &Path, options: &str) -> Result<Box<dyn Read>, Failure> {
    let looked_at = looked_at(open_document(file)?);
    match looked_at.map_err(|problem| unreadable(file, &format!("cannot read the front: {problem}")))? {
        (Kind::TaskSet, _) => Err(is_task_set(file, options)),
        (_, document) => Ok(document),
    }
}

/// The kind of a document, judged by its beginning, and the whole document.
pub fn looked_at(mut input: Box<dyn Read>) -> io::Result<(Kind, Box<dyn Read>)> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head)?;
    Ok((Kind::of(&head), Box::new(Cursor::new(head).chain(input))))
}

fn is_task_set(file: &Path, options: &str) -> Failure {
    let front = format!("`isx explore {}{options}`", file.display());
    unreadable(file, &format!("this is a task set; its front is computed by {front}"))
}

/// Refuses file endings of unsupported picture formats.
pub fn check_ending(picture: Option<&Path>) -> Result<(), Failure> {
    let Some(picture) = picture.filter(|picture| !picture.is_dir()) else { return Ok(()) };
    match picture.extension() {
        Some(ending) if !ending.eq_ignore_ascii_case("svg") => bail!(
            "isx draws SVG, so `{}` must end in .svg; a browser, Inkscape or rsvg-convert turns it into {}",
            picture.display(),
            ending.to_string_lossy()
        ),
        _ => Ok(()),
    }
}

impl Plot {
    pub fn run(&self) -> Result<Outcome, Failure> {
        check_ending(self.output.as_deref())?;
        let picture = self.picture()?;
        let file = place(self.output.as_deref(), &self.input, "svg");
        deliver(file.as_deref(), |out| out.write_all(picture.as_bytes()))?;
        Ok(Outcome::Done)
    }

    fn picture(&self) -> Result<String, Failure> {
        if let Some(parquet) = parquet_file(&self.input) {
            return self.draw_front(Written::in_file(parquet));
        }
        let (kind, document) =
            looked_at(open_document(&self.input)?).map_err(|problem| self.refused(&problem))?;
        match kind {
            Kind::TaskSet => Err(is_task_set(&self.input, "")),
            Kind::Chart => self.draw_chart(document),
            Kind::Front | Kind::Unknown => self.draw_front(Written::from(document)),
        }
    }

    fn refused(&self, problem: &dyn fmt::Display) -> Failure {
        unreadable(&self.input, problem)
    }

    fn draw_front(&self, front: Written) -> Result<String, Failure> {
        let data = PlotData::from_written(front).map_err(|problem| self.refused(&problem))?;
        let options = svg::Options {
            max_area: self.max_area,
            log_area: self.log_area,
            from_zero: self.from_zero,
            title: self.title.clone(),
            clock: self.axis.is_some(),
        };
        svg::draw_any(&data, &options).map_err(|problem| self.refused(&problem))
    }

    fn draw_chart(&self, document: impl Read) -> Result<String, Failure> {
        self.check_no_options()?;
        let chart = LineChart::from_json(document).map_err(|problem| self.refused(&problem))?;
        Ok(draw_lines(&chart))
    }

    fn check_no_options(&self) -> Result<(), Failure> {
        if self.max_area.is_none()
            && !self.log_area
            && !self.from_zero
            && self.title.is_none()
            && self.axis.is_none()
        {
            return Ok(());
        }
        Err(self.refused(
            &"--max-area, --log-area, --from-zero, --axis and --title are for fronts, and this is none",
        ))
    }
}

/// What a document holds, as far as its beginning shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A front, or another document of isx: the reader of fronts says what is wrong with it.
    Front,
    Chart,
    TaskSet,
    Unknown,
}

impl Kind {
    fn of(head: &[u8]) -> Self {
        let text = String::from_utf8_lossy(head);
        // Documents of isx have a schema, task sets have none.
        let has = |word: &str| text.trim_start().starts_with('{') && text.contains(&format!("\"{word}\""));
        match () {
            () if head.starts_with(PARQUET_MAGIC) => Self::Front,
            () if has("schema") && has(chart::SCHEMA) => Self::Chart,
            () if has("schema") => Self::Front,
            () if has("tasks") || text.lines().any(|line| line.starts_with("tasks:")) => Self::TaskSet,
            () => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_tells_what_a_document_holds() {
        let cases: [(&str, Kind); 7] = [
            (r#"{"schema": "isx.chart/1", "panels": [1, 2"#, Kind::Chart),
            (r#"{"schema": "isx.front/3", "points": ["#, Kind::Front),
            (r#"{"schema": "isx.front/3", "taskset": "tasks:", "points": ["#, Kind::Front),
            ("PAR1", Kind::Front),
            ("name: a\ntasks:\n  - name: b\n", Kind::TaskSet),
            (r#"{"name": "a", "tasks": [{"name": "b"}]}"#, Kind::TaskSet),
            ("hello", Kind::Unknown),
        ];
        for (head, kind) in cases {
            assert_eq!(Kind::of(head.as_bytes()), kind, "{head}");
        }
    }
}
