//! The formats in which a front is written to a file: one list, with one line per format.

#[cfg(feature = "html")]
use crate::html;
#[cfg(feature = "svg")]
use crate::pictures::{plot::PlotData, svg};
#[cfg(feature = "html")]
use isx_design::exploration::Exploration;
use isx_machine::cpu::Workers;
use isx_report::front::Front;
use isx_report::front::csv;
use isx_report::front::json;
#[cfg(feature = "parquet")]
use isx_report::front::parquet;
use isx_report::origin::Origin;
use std::io::{self, Write};

/// A file format for a front.
pub struct Format {
    /// The name that users give; also the file extension.
    pub name: &'static str,
    /// Whether it is written if the user names no format.
    pub usual: bool,
    /// The expected size of a front in bytes.
    pub bytes: fn(&Front) -> u64,
    /// Prepares to write a front, or reports why this format cannot represent it.
    pub prepare: for<'a> fn(&'a Front<'a>, &'a Origin, &'a Workers) -> Result<Prepared<'a>, String>,
}

/// Writes a front, once.
pub type Prepared<'a> = Box<dyn FnOnce(&mut (dyn Write + Send)) -> io::Result<()> + 'a>;

/// All formats.
#[rustfmt::skip]
pub static FORMATS: &[Format] = &[
    Format { name: "csv", usual: true, bytes: csv::bytes, prepare: |front, _, workers| Ok(Box::new(move |out| csv::write(front, workers, out))) },
    Format { name: "json", usual: true, bytes: json::bytes, prepare: |front, _, workers| Ok(Box::new(move |out| json::write(front, workers, out))) },
    #[cfg(feature = "svg")]
    Format { name: "svg", usual: true, bytes: svg::bytes, prepare: |front, _, _| picture(front) },
    #[cfg(feature = "html")]
    Format { name: "html", usual: false, bytes: html::bytes, prepare: |front, origin, _| page(front, origin) },
    #[cfg(feature = "parquet")]
    Format { name: "parquet", usual: false, bytes: parquet::bytes, prepare: |front, origin, workers| Ok(Box::new(move |out| parquet::write(front, origin, workers, out))) },
];

/// The front as an SVG picture; refused if its figures exceed the range of a double.
#[cfg(feature = "svg")]
fn picture<'a>(front: &'a Front<'a>) -> Result<Prepared<'a>, String> {
    let data = PlotData::new(front).map_err(|problem| problem.to_string())?;
    let picture = svg::draw_any(&data, &svg::Options::default()).map_err(|problem| problem.to_string())?;
    Ok(Box::new(move |out| out.write_all(picture.as_bytes())))
}

/// The front as an HTML page.
#[cfg(feature = "html")]
fn page<'a>(front: &'a Front<'a>, origin: &Origin) -> Result<Prepared<'a>, String> {
    let set = front.exploration().map(Exploration::task_set);
    let report = html::Report::new(front, set).map_err(|problem| problem.to_string())?;
    let report = report.with_origin(origin);
    Ok(Box::new(move |out| report.write(out)))
}

impl Format {
    /// The format of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// The name of the file, `front.csv` for example.
    pub fn file(&self) -> String {
        format!("front.{}", self.name)
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Format({})", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        correlated, correlated_with_blocks, demo, front_of, nasty, sharing_fronts, unlike_fronts,
    };

    fn written(format: &Format, explored: &Front) -> usize {
        let mut bytes: Vec<u8> = Vec::new();
        (format.prepare)(explored, &Origin::default(), &Workers::new(2)).unwrap()(&mut bytes).unwrap();
        bytes.len()
    }

    #[test]
    fn estimated_sizes_are_close_to_the_real_ones() {
        let mut fronts = unlike_fronts();
        fronts.extend([demo(), front_of(&nasty()), front_of(&correlated(24, 5, 4))]);
        fronts.extend(sharing_fronts());
        fronts.push(front_of(&correlated_with_blocks(14, 3, 4)));
        for explored in fronts.iter().filter(|explored| explored.front.len() > 100) {
            let front = Front::of(explored);
            for format in FORMATS {
                let (estimate, real) = ((format.bytes)(&front), written(format, &front) as u64);
                // Pictures have a fixed bound; Parquet and pages are compressed: for these the estimate is an upper
                // bound.
                let at_most = matches!(format.name, "svg" | "parquet" | "html");
                assert!(estimate * 10 > real * 9, "{format:?}: {estimate} estimated, {real} written");
                assert!(
                    at_most || estimate * 9 < real * 10,
                    "{format:?}: {estimate} estimated, {real} written"
                );
            }
        }
    }
}
