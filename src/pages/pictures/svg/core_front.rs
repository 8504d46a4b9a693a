//! Area against the largest utilization of a core, as steps.

use super::chart::{Item, Mark, Shape};
use super::figure::{Figure, Options};
use super::paint::Ink;
use crate::answers::partition::in_words;
use crate::answers::words::{utilization, with_unit};
use crate::pictures::plot::{MARKED_POINTS, PlotData, PlotPoint};
use isx_design::partition::{CoreFront, Partition};
use isx_exact::quantity::approx;
use isx_report::front::Head;
use isx_report::text::visible;
use isx_taskset::Resources;

/// Draws the front and returns an SVG document; `None` if it has no design.
pub fn draw_core_front(front: &CoreFront) -> Option<String> {
    let place = |point: &Partition| PlotPoint {
        area: approx(&point.area),
        utilization: approx(&point.largest()),
        schedulable: Some(true),
    };
    let points: Vec<PlotPoint> = front.points.iter().map(place).collect();
    let set = &front.task_set;
    let data = PlotData {
        head: Head {
            taskset: set.name.clone(),
            resources: Resources::area(set.area_unit()),
            scheduler: set.scheduler,
            complete: front.open.is_none(),
            ..Head::default()
        },
        base: *points.first()?,
        points,
        ..PlotData::default()
    };
    let figure = Figure::new(&data, &Options::default()).ok()?;
    let mut items = vec![Item::new("", figure.steps(None, [Ink::Schedulable; 2]))];
    if data.points.len() <= MARKED_POINTS {
        items.extend(data.points.iter().zip(&front.points).map(|(place, point)| {
            let area = visible(&with_unit(&point.area, set.area_unit()));
            let words = format!("{area}, utilization {}", utilization(&point.largest()));
            Item::new(words, Shape::Mark(figure.at(place), 3.2, Mark::Disc(Ink::Schedulable)))
        }));
    }
    let known = match &front.open {
        Some(open) => format!("; not known up to {}", utilization(&open.up_to)),
        None => String::new(),
    };
    let cores = in_words(front.cores);
    let mut chart = figure.chart(items);
    chart.subtitle = format!("The largest utilization of a core within each area, on {cores}{known}");
    chart.description = format!("{} designs.", front.points.len());
    Some(chart.into_svg())
}
