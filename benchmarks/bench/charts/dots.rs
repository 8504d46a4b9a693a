//! Times as dots on a logarithmic axis, in groups: the median of the runs, and a line from the fastest to the
//! slowest.
//!
//! A color shows where a contestant ran. Contestants that were not measured keep their row, with the reason, so that a chart never
//! hides one.

use super::chart::{DotChart, Group, Range, Row};
use super::legend::{draw_legend, rows};
use super::measured::duration;
use isx_pages::svg::paint::{
    Anchor, BOLD, Canvas, Font, Ink, LABEL, MARGIN, Paint, Rect, Scale, Spread, TICK, Tick, WIDTH,
    cut_to_width, draw_across, draw_titles, superscript, text_width,
};
use isx_report::{cut, visible};

const LINE: f64 = 20.0;
const RADIUS: f64 = 4.2;
const GROUP_HEAD: f64 = 22.0;
const GROUP_GAP: f64 = 12.0;
/// Distances: the legend, and from it to the first group.
const LEGEND: f64 = 76.0;
const LEGEND_GAP: f64 = 26.0;
/// Below the rows: tick labels, the axis title and a margin.
const FOOT: f64 = 62.0;
/// Right of the axis, for figures.
const FIGURES: f64 = 150.0;
/// The largest share of the width for names.
const NAMES: f64 = 230.0;
const GROUP_TITLE: Font = Font { size: 13.0, bold: true };

/// Draws the chart and returns an SVG document.
pub fn draw_dots(chart: &DotChart) -> String {
    let layout = Layout::new(chart);
    let mut canvas = Canvas::new(WIDTH, layout.bottom + FOOT);
    draw_titles(&mut canvas, &visible(&chart.title), &visible(&chart.subtitle), WIDTH);
    draw_legend(&mut canvas, chart, LEGEND);
    layout.draw_axis(&mut canvas);
    let mut y = layout.top;
    for group in &chart.groups {
        let title = cut_to_width(&visible(&group.title), GROUP_TITLE.size * BOLD, WIDTH - 2.0 * MARGIN);
        canvas.text(&title, (MARGIN, y + 8.0), Anchor::Start, GROUP_TITLE, Ink::Text);
        y += GROUP_HEAD;
        layout.draw_grid(&mut canvas, (y, y + LINE * group.rows.len() as f64));
        for row in &group.rows {
            layout.draw_row(&mut canvas, row, y + LINE / 2.0);
            y += LINE;
        }
        y += GROUP_GAP;
    }
    canvas.into_document(&visible(&chart.title), &layout.description())
}

struct Layout<'a> {
    chart: &'a DotChart,
    scale: Scale,
    /// Powers of ten at both ends.
    powers: (i32, i32),
    from: f64,
    to: f64,
    top: f64,
    bottom: f64,
}

impl<'a> Layout<'a> {
    fn new(chart: &'a DotChart) -> Self {
        let names = rows(chart).map(|row| text_width(&name(row), LABEL.size)).fold(0.0, f64::max);
        let times = rows(chart).flat_map(|row| &row.times).flat_map(|range| [range.least, range.most]);
        let times = times.filter(|time| *time > 0.0 && time.is_finite());
        let (low, high) =
            times.fold((f64::INFINITY, 0.0f64), |(low, high), time| (low.min(time), high.max(time)));
        // Whole decades, extended by the width of a dot beyond the outermost times.
        let (low, high) = if high > 0.0 {
            ((low * 0.95).log10().floor() as i32, (high * 1.05).log10().ceil() as i32)
        } else {
            (-3, 0)
        };
        let powers = (low, high.max(low + 1));
        let (from, to) = (MARGIN + names.min(NAMES) + 12.0, WIDTH - FIGURES);
        let scale = Scale::new(Spread::Logarithmic, ends(powers), (from, to));
        let top = LEGEND + LEGEND_GAP;
        let lines = |group: &Group| GROUP_HEAD + LINE * group.rows.len() as f64 + GROUP_GAP;
        let bottom = top + chart.groups.iter().map(lines).sum::<f64>();
        Self { chart, scale, powers, from, to, top, bottom }
    }

    fn pixel(&self, seconds: f64) -> f64 {
        let (low, high) = ends(self.powers);
        self.scale.pixel(seconds.clamp(low, high))
    }

    /// The powers of ten whose labels fit, and their positions.
    fn decades(&self) -> impl Iterator<Item = (i32, f64)> {
        let (low, high) = self.powers;
        // Adjacent labels such as 100 µs need some 60 pixels.
        let every = (f64::from(high - low) * 60.0 / (self.to - self.from)).ceil().max(1.0) as usize;
        (low..=high).step_by(every).map(|power| (power, self.scale.pixel(10f64.powi(power))))
    }

    /// Grid lines behind the rows of one group, so that none runs through a title.
    fn draw_grid(&self, canvas: &mut Canvas, (top, bottom): (f64, f64)) {
        for (_, x) in self.decades() {
            canvas.line((x, top), (x, bottom), 1.0, Ink::Grid);
        }
    }

    fn draw_axis(&self, canvas: &mut Canvas) {
        let ticks: Vec<Tick> = self.decades().map(|(power, at)| Tick { at, label: decade(power) }).collect();
        let frame = Rect { left: self.from, top: self.top, right: self.to, bottom: self.bottom };
        draw_across(canvas, frame, (&ticks, &self.scale.minor_ticks(&ticks)), "", false);
        let words = "Time, logarithmic: median, and from the fastest to the slowest run";
        // Centered in the picture: centered below the axis, a long text would not fit.
        canvas.text(words, (WIDTH / 2.0, self.bottom + 40.0), Anchor::Middle, LABEL, Ink::Text);
    }

    fn draw_row(&self, canvas: &mut Canvas, row: &Row, y: f64) {
        let Self { from, to, .. } = *self;
        let label = cut_to_width(&name(row), LABEL.size, NAMES);
        canvas.text(&label, (from - 8.0, y), Anchor::End, LABEL, Ink::Text);
        let times = match &row.times {
            Err(why) => {
                let why = cut_to_width(&visible(why), TICK.size, WIDTH - MARGIN - from - 6.0);
                return canvas.text(&why, (from + 6.0, y), Anchor::Start, TICK, Ink::Quiet);
            }
            Ok(times) => times,
        };
        canvas.line((from, y), (to, y), 1.0, Ink::Grid);
        canvas.titled(&self.row_words(row), &mut |canvas| {
            let ink = row.series.ink();
            self.draw_range(canvas, times, y, ink);
        });
        canvas.text(&duration(times.median), (WIDTH - MARGIN, y), Anchor::End, TICK, Ink::Quiet);
    }

    /// The line from the fastest to the slowest run with a bar at either end, and the symbol at the median.
    fn draw_range(&self, canvas: &mut Canvas, range: &Range, y: f64, ink: Ink) {
        let [least, median, most] = [range.least, range.median, range.most].map(|time| self.pixel(time));
        canvas.line((least, y), (most, y), 1.5, ink);
        for end in [least, most] {
            canvas.line((end, y - 3.5), (end, y + 3.5), 1.5, ink);
        }
        canvas.disc((median, y), RADIUS, Paint(ink, Some((ink, 2.0))));
    }

    fn row_words(&self, row: &Row) -> String {
        let mut words = visible(&row.label);
        if let Ok(times) = &row.times {
            words += &format!("\n{}", times.words());
        }
        words
    }

    fn description(&self) -> String {
        let of_row = |row: &Row| match &row.times {
            Ok(times) => format!("{} {}", visible(&row.label), duration(times.median)),
            Err(why) => format!("{}: {}", visible(&row.label), visible(why)),
        };
        let of_group = |group: &Group| {
            let rows: Vec<String> = group.rows.iter().map(of_row).collect();
            format!("{}: {}.", visible(&group.title), rows.join(", "))
        };
        let groups: Vec<String> = self.chart.groups.iter().map(of_group).collect();
        format!("{}. {}", visible(&self.chart.subtitle), groups.join(" "))
    }
}

/// The times of these powers of ten, in seconds.
fn ends((low, high): (i32, i32)) -> (f64, f64) {
    (10f64.powi(low), 10f64.powi(high))
}

fn name(row: &Row) -> String {
    cut(&visible(&row.label), 48)
}

/// Ten to the power `power` of seconds.
fn decade(power: i32) -> String {
    let (unit, name) = match power {
        0.. => (0, "s"),
        -3..0 => (-3, "ms"),
        -6..-3 => (-6, "µs"),
        _ => (-9, "ns"),
    };
    let digits = 10f64.powi(power - unit);
    if digits >= 1.0 { format!("{digits} {name}") } else { format!("10{} s", superscript(power)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::chart::Series;

    fn range(median: f64) -> Range {
        Range { least: median * 0.9, median, most: median * 1.5, runs: 5 }
    }

    fn chart(times: &[f64]) -> DotChart {
        let row = |(at, &time): (usize, &f64)| Row {
            label: format!("engine {at} <script>"),
            series: Series::ALL[at % 3],
            times: Ok(range(time)),
        };
        let mut rows: Vec<Row> = times.iter().enumerate().map(row).collect();
        let refused = Err("needs 1 GB & may have 2 MB".to_owned());
        rows.push(Row { label: "refused".into(), series: Series::Gpu, times: refused });
        let group = |title: &str| Group { title: title.into(), rows: rows.clone() };
        DotChart {
            title: "Times".into(),
            subtitle: "one machine".into(),
            groups: vec![group("small"), group("large")],
        }
    }

    #[test]
    fn every_row_and_every_refusal_is_in_the_picture() {
        for times in [&[12.9, 0.0078, 4.1e-5, 2e-7][..], &[1.0][..], &[][..], &[0.0, 3.0][..]] {
            let chart = chart(times);
            let svg = draw_dots(&chart);
            let document = roxmltree::Document::parse(&svg).unwrap();
            let texts: Vec<String> = document
                .descendants()
                .filter(|node| node.has_tag_name("text"))
                .map(|node| node.text().unwrap_or_default().trim().to_owned())
                .collect();
            for row in &chart.groups[0].rows {
                assert_eq!(texts.iter().filter(|text| **text == row.label).count(), 2, "{texts:?}");
            }
            assert_eq!(texts.iter().filter(|text| text.contains("needs 1 GB & may")).count(), 2);
            let measured = times.iter().map(|&time| duration(time));
            for figure in measured {
                assert!(texts.iter().any(|text| text.starts_with(&figure)), "{figure}: {texts:?}");
            }
        }
    }

    #[test]
    fn a_row_has_its_range_and_says_it() {
        let svg = draw_dots(&chart(&[10.0, 0.1, 0.001]));
        assert!(svg.contains("\n10.0 s (median of 5 runs from 9.00 s to 15.0 s)"), "{svg}");
        assert!(svg.contains("1.00 ms (median of 5 runs from 900 µs to 1.50 ms)"));
    }

    #[test]
    fn what_occurs_is_explained_and_nothing_else() {
        let svg = draw_dots(&chart(&[10.0, 0.1, 0.001]));
        for words in ["textbook loop, one core", ">CPU<", ">GPU<"] {
            assert!(svg.contains(words), "{words}");
        }
        let svg = draw_dots(&chart(&[10.0]));
        for words in [">CPU<", ">GPU<"] {
            assert!(!svg.contains(words), "{words}");
        }
    }
}
