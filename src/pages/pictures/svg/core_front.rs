//! Area against the largest utilization of a core, as steps.

use super::figure::{Figure, Options};
use super::paint::{Canvas, Ink, Paint, WIDTH, draw_titles};
use super::{HEIGHT, curve};
use crate::answers::partition::in_words;
use crate::answers::words::{utilization, with_unit};
use crate::pictures::plot::{PlotData, PlotPoint, TOLD_POINTS};
use isx_design::partition::{CoreFront, Partition};
use isx_exact::quantity::approx;
use isx_report::text::visible;

/// Draws the front and returns an SVG document; `None` if it has no design.
pub fn draw_core_front(front: &CoreFront) -> Option<String> {
    let place = |point: &Partition| PlotPoint {
        area: approx(&point.area),
        utilization: approx(&point.largest()),
        schedulable: Some(true),
    };
    let points: Vec<PlotPoint> = front.points.iter().map(place).collect();
    let base = *points.first()?;
    let set = &front.task_set;
    let data = PlotData {
        title: set.name.clone(),
        area_unit: set.area_unit().to_owned(),
        scheduler: set.scheduler,
        base,
        points,
        complete: front.open.is_none(),
        ..PlotData::default()
    };
    let figure = Figure::new(&data, &Options::default()).ok()?;
    let unit = front.task_set.area_unit();
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    figure.draw_axes(&mut canvas);
    let places: Vec<(f64, f64)> =
        data.points.iter().map(|point| figure.at(point.area, point.utilization)).collect();
    let path = curve::steps(&curve::thin(&mut places.iter().copied()), figure.end);
    canvas.path(&path, 2.0, Ink::Schedulable);
    if places.len() <= TOLD_POINTS {
        for (place, point) in places.iter().zip(&front.points) {
            let area = visible(&with_unit(&point.area, unit));
            canvas.titled(&format!("{area}, utilization {}", utilization(&point.largest())), &mut |canvas| {
                canvas.disc(*place, 3.2, Paint(Ink::Schedulable, None));
            });
        }
    }
    let cores = in_words(front.cores);
    let known = match &front.open {
        Some(open) => format!("; not known up to {}", utilization(&open.up_to)),
        None => String::new(),
    };
    let subtitle = format!("The largest utilization of a core within each area, on {cores}{known}");
    draw_titles(&mut canvas, &figure.title, &subtitle, WIDTH);
    let told = format!("{subtitle}. {} designs.", front.points.len());
    Some(canvas.into_document(&figure.title, &told))
}
