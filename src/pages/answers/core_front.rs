//! Area against the largest utilization of a core, as text and as JSON (in schema `isx.partition/1`).

use crate::answers::document::Document;
use crate::answers::lines::{Columns, List, Options};
use crate::answers::partition::{about, built, figures, in_words};
use crate::answers::words::{utilization, with_unit};
use isx_design::partition::{CoreFront, Open, Partition};
use isx_exact::quantity::format_decimal;
use isx_report::front::fields::{Amount, Ratio};
use isx_report::text::visible;
use std::io::{self, Write};

const HEADS: [&str; 4] = ["area", "largest U", "margin", "used"];

/// Prints a row per design and, below, where the front is not known; briefly, one line about all of it.
/// Fails when `out` fails.
pub fn write_text(front: &CoreFront, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let set = &front.task_set;
    let (unit, cores) = (set.area_unit(), in_words(front.cores));
    if options.brief {
        let name = visible(&set.name);
        let open = if front.open.is_some() { "; designs of more area are not known" } else { "" };
        let sentence = match (&front.points[..], &front.infeasible) {
            ([first, .., last], _) => format!(
                "{} designs, area {} to {}, largest utilization {} to {}{open}",
                front.points.len(),
                format_decimal(&first.area),
                visible(&with_unit(&last.area, unit)),
                utilization(&first.largest()),
                utilization(&last.largest())
            ),
            ([only], _) => format!(
                "1 design, area {}, largest utilization {}{open}",
                visible(&with_unit(&only.area, unit)),
                utilization(&only.largest())
            ),
            ([], Some(reason)) => format!("no design: {}", visible(reason)),
            ([], None) => "no design is known".to_owned(),
        };
        return writeln!(out, "{name} on {cores}: {sentence}");
    }
    let about = format!(" on {cores}: area against the largest utilization");
    options.write_heading(&set.name, &about, &set.what_if, out)?;
    let cells = |point: &Partition| {
        let [area, used, largest, margin] = figures(set, point);
        [area, largest, margin, used]
    };
    let rows: Vec<[String; 4]> =
        [HEADS.map(str::to_owned)].into_iter().chain(front.points.iter().map(cells)).collect();
    let columns = Columns::new(&[], &rows);
    for row in rows.iter().skip(usize::from(front.points.is_empty())) {
        writeln!(out, "{}", columns.plain(row))?;
    }
    let mut list = List::default();
    list.some("no design: ", front.infeasible.as_ref().map(|reason| visible(reason)));
    if let Some(Open { up_to, bound, reason }) = &front.open {
        let bound = bound
            .as_ref()
            .map(|bound| format!(", and each needs at least {}", visible(&with_unit(bound, unit))));
        let sentence = format!(
            "designs up to a largest utilization of {} are not known{}",
            utilization(up_to),
            bound.unwrap_or_default()
        );
        list.add("", format!("{reason}: {sentence}"));
    }
    list.write(options.width, out)
}

/// Writes the front as one JSON object.
/// Fails when `out` fails.
pub fn write_json(front: &CoreFront, out: &mut dyn Write) -> io::Result<()> {
    let set = &front.task_set;
    let point = |point: &Partition| {
        let largest = Ratio::from(&point.largest());
        Document::default().add("utilization", largest).with(built(set, Some(point)))
    };
    let unknown = front.open.as_ref().map(|Open { up_to, bound, reason }| {
        Document::default()
            .add("up_to", Ratio::from(up_to))
            .add("bound", bound.as_ref().map(Amount::from))
            .add("reason", reason)
    });
    about(set)
        .add("cores", front.cores)
        .add("front", front.points.iter().map(point).collect::<Vec<_>>())
        .add("unknown", unknown)
        .add("reason", &front.infeasible)
        .what_if(&set.what_if)
        .write(out)
}
