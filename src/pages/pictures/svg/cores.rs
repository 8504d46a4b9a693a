//! The cheapest design of a chip with several cores: a column per core, its tasks stacked by utilization, its area beneath.

use super::paint::{
    Anchor, Canvas, Ink, LABEL, MARGIN, Paint, Rect, STRONG, TICK, WIDTH, cut_to_width, draw_titles,
    text_width,
};
use crate::answers::partition::{cheapest, choice, in_words, share};
use crate::answers::words::{SOFTWARE, utilization, with_unit};
use isx_design::partition::{Partitions, Status};
use isx_exact::quantity::approx;
use isx_report::text::visible;

const HEIGHT: f64 = 500.0;
const TOP: f64 = 86.0;
const BOTTOM: f64 = 420.0;

/// Draws the cheapest design and returns an SVG document; `None` if there is no design.
pub fn draw_cores(partitions: &Partitions) -> Option<String> {
    let set = &partitions.task_set;
    let (row, best) = cheapest(partitions)?;
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    let title = visible(&set.name);
    let words = if row.status == Status::Proved { "The least area" } else { "The least area found" };
    let area = visible(&with_unit(&best.area, set.area_unit()));
    let subtitle = format!("{words} with which every deadline is met: {area} on {}", in_words(row.cores));
    draw_titles(&mut canvas, &title, &subtitle, WIDTH);
    let left = MARGIN + 40.0;
    let pitch = (WIDTH - MARGIN - left) / f64::from(row.cores);
    let wide = (pitch * 0.82).min(180.0);
    // The line of utilization 1 is the height of every column.
    let height = |load: f64| (BOTTOM - TOP) * load;
    for level in 0..=4u32 {
        let at = f64::from(level) / 4.0;
        let y = BOTTOM - height(at);
        let ink = if level == 4 { Ink::Bound } else { Ink::Grid };
        canvas.line((left, y), (WIDTH - MARGIN, y), 1.0, ink);
        canvas.text(&format!("{at}"), (left - 8.0, y), Anchor::End, TICK, Ink::Quiet);
    }
    for core in 0..row.cores {
        let center = left + pitch * (f64::from(core) + 0.5);
        let mut y = BOTTOM;
        let tasks = set.tasks.iter().zip(&best.choices).zip(&best.assignment);
        for (number, ((task, &taken), _)) in tasks.filter(|(_, on)| **on == core).enumerate() {
            let name = choice(task, taken);
            let share = approx(&share(set, task, taken, best.clock.as_ref()));
            let top = y - height(share);
            // Neighbors differ; what runs in software is gray.
            let fill = name.map_or(Ink::Grid, |_| Ink::Level((number % 4 * 2) as u8));
            let tooltip =
                format!("{}: {}, U {share:.4}", visible(&task.name), visible(name.unwrap_or(SOFTWARE)));
            canvas.titled(&tooltip, &mut |canvas| {
                let rect = Rect { left: center - wide / 2.0, right: center + wide / 2.0, top, bottom: y };
                canvas.rectangle(rect, Paint(fill, Some((Ink::Canvas, 1.0))));
                let label = visible(&task.name);
                if y - top >= LABEL.size + 2.0 {
                    let label = cut_to_width(&label, LABEL.size, wide - 8.0);
                    let ink = if name.is_none() { Ink::Text } else { Ink::Canvas };
                    canvas.text(&label, (center, (y + top) / 2.0), Anchor::Middle, LABEL, ink);
                }
            });
            y = top;
        }
        canvas.text(&format!("core {core}"), (center, BOTTOM + 18.0), Anchor::Middle, STRONG, Ink::Text);
        let load = format!("U {}", utilization(&best.utilizations[core as usize]));
        let area = visible(&with_unit(&best.areas[core as usize], set.area_unit()));
        for (text, below) in [(load, 34.0), (area, 50.0)] {
            if text_width(&text, TICK.size) <= pitch {
                canvas.text(&text, (center, BOTTOM + below), Anchor::Middle, TICK, Ink::Quiet);
            }
        }
    }
    Some(canvas.into_document(&title, &format!("{subtitle}. A column per core, its tasks by utilization.")))
}
