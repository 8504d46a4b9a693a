//! A front drawn as steps: the utilization within each area budget.
//!
//! The line has one color up to the smallest schedulable area and another from there on. The line of utilization 1 is
//! labeled in the margin, the software-only design and the smallest schedulable design next to their marks; a label
//! that fits nowhere goes into the subtitle. The picture looks the same with any number of points (see `curve.rs`),
//! is legible on a dark page, and contains title and description for screen readers. Up to
//! [`MARKED_POINTS`](crate::pictures::plot::MARKED_POINTS) points each have a mark with a tooltip of area, utilization
//! and choices.

mod chart;
mod core_front;
mod cores;
mod curve;
mod figure;
pub mod fronts;
mod gantt;
mod levels;
pub mod lines;
mod marks;
mod measure;
mod modes;
#[doc(hidden)]
pub mod paint;
mod resources;
mod words;

use crate::pictures::plot::PlotData;
pub use core_front::draw_core_front;
pub use cores::draw_cores;
pub use figure::{DrawError, Options};
pub use gantt::{Scheduled, draw_gantt};
use isx_report::front::Front;
pub use resources::draw_costs;

use chart::{Item, Shape};
use figure::Figure;
use paint::Ink;

/// Most bytes of a picture of a front of one area.
pub const MOST_BYTES: u64 = 150_000;

/// An upper bound on the bytes of a front's picture.
pub fn bytes(front: &Front) -> u64 {
    // With several objectives there may be 48 lines, each as long as the one line of an area.
    if front.head.has_one_objective() { MOST_BYTES } else { 16 * MOST_BYTES }
}

/// Draws the front and returns an SVG document.
///
/// Takes time proportional to the points. The document stays below 100 kB for any number of points, and below 150 kB
/// if there are few enough to show their choices.
pub fn draw(data: &PlotData, options: &Options) -> Result<String, DrawError> {
    let figure = Figure::new(data, options)?;
    let mut items = Vec::new();
    let inks = match data.is_undecided() {
        true => [Ink::Undecided; 2],
        false => [Ink::Unschedulable, Ink::Schedulable],
    };
    let smallest = figure.smallest_area();
    if let Some(area) = smallest {
        let top = figure.smallest_point().map(|(_, top)| top);
        items.push(Item::new("", Shape::Upright(area, top, Ink::Schedulable)));
    }
    items.push(Item::new("", figure.steps(smallest, inks)));
    items.extend(figure.marks());
    let (strip, of_strip) = figure.strip();
    items.extend(strip);
    let mut chart = figure.chart(items);
    (chart.subtitle, chart.description) = (figure.subtitle(), figure.description());
    chart.legend = figure.legend();
    chart.panels[0].labels = figure.labels();
    chart.strip = of_strip;
    chart.notes.extend(Some(figure.alone()).filter(|alone| !chart.strip.is_empty() && !alone.is_empty()));
    Ok(chart.into_svg())
}

/// Draws a front as steps ([`draw`]), or with several objectives or limits as lines ([`draw_costs`]).
/// Fails as [`draw`], and if options that are for steps are given with several objectives.
pub fn draw_any(data: &PlotData, options: &Options) -> Result<String, DrawError> {
    let resources = &data.head.resources;
    let is_limited = (0..resources.objectives.len()).any(|objective| data.limit(objective).is_some());
    match data.head.has_one_objective()
        && resources.names.len() == 1
        && !is_limited
        && data.points.first().is_some_and(|first| first.area >= 0.0)
    {
        true => draw(data, options),
        false if options.max_area.is_some() || options.log_area || options.clock => {
            Err(DrawError(
                "--max-area, --log-area and --axis are for fronts of one area, and this one counts several resources: leave \
                 them out, or limit the front with `isx explore --within`"
                    .to_owned(),
            ))
        }
        false => Ok(draw_costs(data, options)),
    }
}

#[cfg(test)]
mod tests;
