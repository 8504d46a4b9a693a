//! Times as horizontal bars on a logarithmic axis, in groups, each bar with its name and its figure beside it.
//!
//! A measurement may have two times, a shorter one in the full color and a longer one in a light shade behind it. What
//! was not measured keeps its line and says why, so that a chart never hides a contestant.

use super::super::measured::duration;
use super::super::text::{cut, visible};
use super::axis::Linear;
use super::canvas::{Anchor, Canvas, Font, Ink, dress};
use super::place::{Rect, cut_to_width, text_width};
use super::{BOLD, LABEL, MARGIN, SUBTITLE, TICK, TITLE, WIDTH};
use std::io;

/// What a bar belongs to, which is its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// What the others are held against.
    Baseline,
    /// Runs on the CPU.
    Cpu,
    /// Runs on a GPU.
    Gpu,
    /// Computes in arithmetic that rounds, so its answer may be wrong.
    Rounded,
}

impl Series {
    const ALL: [Self; 4] = [Self::Baseline, Self::Cpu, Self::Gpu, Self::Rounded];

    fn inks(self) -> (Ink, Ink) {
        match self {
            Self::Baseline => (Ink::Baseline, Ink::BaselineBehind),
            Self::Cpu => (Ink::Cpu, Ink::CpuBehind),
            Self::Gpu => (Ink::Gpu, Ink::GpuBehind),
            Self::Rounded => (Ink::Rounded, Ink::RoundedBehind),
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Baseline => "textbook loop, one core",
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
            Self::Rounded => "floats, inexact",
        }
    }
}

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its name.
    pub label: String,
    /// What it belongs to.
    pub series: Series,
    /// The time in seconds, or why there is none.
    pub seconds: Result<f64, String>,
    /// A longer time, drawn in a light shade behind.
    pub behind: Option<f64>,
}

/// Measurements of one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The instance.
    pub title: String,
    /// Its measurements, at least one.
    pub bars: Vec<Bar>,
}

/// A chart of times.
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    /// What was measured.
    pub title: String,
    /// Where and how.
    pub subtitle: String,
    /// What the times are and what the light shade means, if any bar has one: `(full, light)`.
    pub shades: Option<(String, String)>,
    /// The groups, from top to bottom.
    pub groups: Vec<Group>,
}

const LINE: f64 = 19.0;
const THICK: f64 = 11.0;
const GROUP_HEAD: f64 = 24.0;
const GROUP_GAP: f64 = 12.0;
const TOP: f64 = 104.0;
/// Below the bars: tick labels, the axis title and a margin.
const FOOT: f64 = 62.0;
/// Right of the longest bar, for its figures.
const FIGURES: f64 = 142.0;
/// The most that names may take of the width.
const NAMES: f64 = 230.0;
const GROUP_TITLE: Font = Font { size: 13.0, bold: true };

/// Draws the chart and returns an SVG document.
///
/// # Errors
///
/// When the drawing library fails.
///
/// ```
/// use isx::report::svg::bars::{Bar, BarChart, Group, Series, draw_bars};
/// let bar = Bar { label: "list".into(), series: Series::Cpu, seconds: Ok(0.0078), behind: None };
/// let groups = vec![Group { title: "(50, 390500)".into(), bars: vec![bar] }];
/// let chart = BarChart { title: "Times".into(), subtitle: String::new(), shades: None, groups };
/// assert!(draw_bars(&chart).unwrap().contains("7.80 ms"));
/// ```
pub fn draw_bars(chart: &BarChart) -> io::Result<String> {
    let layout = Layout::new(chart);
    let height = layout.bottom + FOOT;
    let mut svg = String::new();
    let mut canvas = Canvas::new(&mut svg, WIDTH as u32, height.ceil() as u32);
    canvas.fill(Rect { left: 0.0, top: 0.0, right: WIDTH, bottom: height.ceil() }, Ink::Canvas)?;
    layout.draw_head(&mut canvas)?;
    layout.draw_axis(&mut canvas)?;
    let mut y = TOP;
    for group in &chart.groups {
        let title = cut_to_width(&visible(&group.title), GROUP_TITLE.size * BOLD, WIDTH - 2.0 * MARGIN);
        canvas.text(&title, (MARGIN, y + 9.0), Anchor::Start, GROUP_TITLE, Ink::Text)?;
        y += GROUP_HEAD;
        layout.draw_grid(&mut canvas, (y, y + LINE * group.bars.len() as f64))?;
        for bar in &group.bars {
            layout.draw_bar(&mut canvas, bar, y + LINE / 2.0)?;
            y += LINE;
        }
        y += GROUP_GAP;
    }
    canvas.finish()?;
    Ok(dress(&svg, WIDTH as u32, height.ceil() as u32, &visible(&chart.title), &layout.description()))
}

struct Layout<'a> {
    chart: &'a BarChart,
    /// Powers of ten of seconds.
    scale: Linear,
    bottom: f64,
}

impl<'a> Layout<'a> {
    fn new(chart: &'a BarChart) -> Self {
        let bars = || chart.groups.iter().flat_map(|group| &group.bars);
        let names = bars().map(|bar| text_width(&name(bar), LABEL.size)).fold(0.0, f64::max);
        let times = bars()
            .filter_map(|bar| bar.seconds.as_ref().ok())
            .chain(bars().filter_map(|bar| bar.behind.as_ref()));
        let times = times.copied().filter(|time| *time > 0.0 && time.is_finite());
        let (low, high) =
            times.fold((f64::INFINITY, 0.0f64), |(low, high), time| (low.min(time), high.max(time)));
        // A bar needs a length even where it is the shortest: the axis begins below it.
        let (low, high) =
            if high > 0.0 { ((low * 0.7).log10().floor(), high.log10().ceil()) } else { (-3.0, 0.0) };
        let high = high.max(low + 1.0);
        let scale = Linear { low, high, from: MARGIN + names.min(NAMES) + 12.0, to: WIDTH - FIGURES };
        let lines = |group: &Group| GROUP_HEAD + LINE * group.bars.len() as f64 + GROUP_GAP;
        Self { chart, scale, bottom: TOP + chart.groups.iter().map(lines).sum::<f64>() }
    }

    fn pixel(&self, seconds: f64) -> f64 {
        self.scale.pixel(seconds.log10().clamp(self.scale.low, self.scale.high))
    }

    fn draw_head(&self, canvas: &mut Canvas) -> io::Result<()> {
        let room = WIDTH - 2.0 * MARGIN;
        let title = cut_to_width(&visible(&self.chart.title), TITLE.size * BOLD, room);
        canvas.text(&title, (MARGIN, 28.0), Anchor::Start, TITLE, Ink::Text)?;
        let subtitle = cut_to_width(&visible(&self.chart.subtitle), SUBTITLE.size, room);
        canvas.text(&subtitle, (MARGIN, 52.0), Anchor::Start, SUBTITLE, Ink::Quiet)?;
        let mut x = MARGIN;
        for (ink, words) in self.legend() {
            canvas.fill(Rect { left: x, top: 71.0, right: x + 16.0, bottom: 81.0 }, ink)?;
            canvas.text(&words, (x + 22.0, 76.0), Anchor::Start, SUBTITLE, Ink::Quiet)?;
            x += 22.0 + text_width(&words, SUBTITLE.size) + 16.0;
        }
        Ok(())
    }

    /// The series that occur, and what the shades of the last of them mean.
    fn legend(&self) -> Vec<(Ink, String)> {
        let bars = || self.chart.groups.iter().flat_map(|group| &group.bars);
        let occurs = |series: &Series| bars().any(|bar| bar.series == *series && bar.seconds.is_ok());
        let present: Vec<Series> = Series::ALL.into_iter().filter(occurs).collect();
        let mut legend: Vec<(Ink, String)> =
            present.iter().map(|series| (series.inks().0, series.meaning().to_owned())).collect();
        if let (Some((_, light)), Some(last)) = (&self.chart.shades, present.last()) {
            legend.push((last.inks().1, light.clone()));
        }
        legend
    }

    /// The powers of ten that have room for their labels, and where they are.
    fn decades(&self) -> impl Iterator<Item = (i32, f64)> {
        let Linear { low, high, from, to } = self.scale;
        let decades = (high - low).round() as i32;
        // Labels of neighbors such as 100 µs need some 60 pixels.
        let every = (f64::from(decades) * 60.0 / (to - from)).ceil().max(1.0) as usize;
        let scale = self.scale;
        (0..=decades).step_by(every).map(move |up| {
            let power = low + f64::from(up);
            (power as i32, scale.pixel(power))
        })
    }

    /// Grid lines behind the bars of one group, so that none runs through a title.
    fn draw_grid(&self, canvas: &mut Canvas, (top, bottom): (f64, f64)) -> io::Result<()> {
        self.decades().try_for_each(|(_, x)| canvas.line((x, top), (x, bottom), 1.0, Ink::Grid))
    }

    fn draw_axis(&self, canvas: &mut Canvas) -> io::Result<()> {
        let Linear { from, to, .. } = self.scale;
        for (power, x) in self.decades() {
            canvas.line((x, self.bottom), (x, self.bottom + 5.0), 1.0, Ink::Axis)?;
            canvas.text(&decade(power), (x, self.bottom + 16.0), Anchor::Middle, TICK, Ink::Quiet)?;
        }
        canvas.line((from, self.bottom), (to, self.bottom), 1.0, Ink::Axis)?;
        let words = match &self.chart.shades {
            Some((full, _)) => format!("Time, logarithmic: {full}"),
            None => "Time, logarithmic".to_owned(),
        };
        let words = cut_to_width(&words, LABEL.size, WIDTH - 2.0 * MARGIN);
        // In the middle of the picture: long words below the middle of the axis would leave it.
        canvas.text(&words, (WIDTH / 2.0, self.bottom + 40.0), Anchor::Middle, LABEL, Ink::Text)
    }

    fn draw_bar(&self, canvas: &mut Canvas, bar: &Bar, y: f64) -> io::Result<()> {
        let from = self.scale.from;
        let label = cut_to_width(&name(bar), LABEL.size, NAMES);
        canvas.text(&label, (from - 8.0, y), Anchor::End, LABEL, Ink::Text)?;
        let rect = |to: f64| Rect { left: from, top: y - THICK / 2.0, right: to, bottom: y + THICK / 2.0 };
        match &bar.seconds {
            Err(why) => {
                let why = cut_to_width(&visible(why), TICK.size, WIDTH - MARGIN - from - 6.0);
                let right = from + 6.0 + text_width(&why, TICK.size);
                canvas.fill(Rect { left: from + 4.0, ..rect(right) }, Ink::Canvas)?;
                canvas.text(&why, (from + 6.0, y), Anchor::Start, TICK, Ink::Quiet)
            }
            Ok(seconds) => {
                let (full, light) = bar.series.inks();
                let longest = bar.behind.map_or(*seconds, |behind| behind.max(*seconds));
                if bar.behind.is_some() {
                    canvas.fill(rect(self.pixel(longest)), light)?;
                }
                canvas.fill(rect(self.pixel(*seconds)), full)?;
                let words = match bar.behind {
                    Some(behind) => format!("{} ({})", duration(*seconds), duration(behind)),
                    None => duration(*seconds),
                };
                let left = self.pixel(longest) + 6.0;
                let right = left + text_width(&words, TICK.size);
                // Grid lines stop where figures stand.
                canvas.fill(Rect { left: left - 2.0, right, ..rect(right) }, Ink::Canvas)?;
                canvas.text(&words, (left, y), Anchor::Start, TICK, Ink::Quiet)
            }
        }
    }

    fn description(&self) -> String {
        let of_bar = |bar: &Bar| match &bar.seconds {
            Ok(seconds) => format!("{} {}", visible(&bar.label), duration(*seconds)),
            Err(why) => format!("{}: {}", visible(&bar.label), visible(why)),
        };
        let of_group = |group: &Group| {
            let bars: Vec<String> = group.bars.iter().map(of_bar).collect();
            format!("{}: {}.", visible(&group.title), bars.join(", "))
        };
        let groups: Vec<String> = self.chart.groups.iter().map(of_group).collect();
        format!("{}. {}", visible(&self.chart.subtitle), groups.join(" "))
    }
}

fn name(bar: &Bar) -> String {
    cut(&visible(&bar.label), 48)
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
    if digits >= 1.0 {
        format!("{digits} {name}")
    } else {
        format!("10{} s", super::axis::superscript(power))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(times: &[f64]) -> BarChart {
        let bar = |(at, &time): (usize, &f64)| Bar {
            label: format!("engine {at} <script>"),
            series: Series::ALL[at % 4],
            seconds: Ok(time),
            behind: (at % 2 == 0).then_some(time * 3.0),
        };
        let mut bars: Vec<Bar> = times.iter().enumerate().map(bar).collect();
        let refused = Err("needs 1 GB & may have 2 MB".to_owned());
        bars.push(Bar { label: "refused".into(), series: Series::Gpu, seconds: refused, behind: None });
        let group = |title: &str| Group { title: title.into(), bars: bars.clone() };
        BarChart {
            title: "Times".into(),
            subtitle: "one machine".into(),
            shades: Some(("values".into(), "with items".into())),
            groups: vec![group("small"), group("large")],
        }
    }

    #[test]
    fn every_bar_and_every_refusal_is_in_the_picture() {
        for times in [&[12.9, 0.0078, 4.1e-5, 2e-7][..], &[1.0][..], &[][..], &[0.0, 3.0][..]] {
            let chart = chart(times);
            let svg = draw_bars(&chart).unwrap();
            let document = roxmltree::Document::parse(&svg).unwrap();
            let texts: Vec<String> = document
                .descendants()
                .filter(|node| node.has_tag_name("text"))
                .map(|node| node.text().unwrap_or_default().trim().to_owned())
                .collect();
            for bar in &chart.groups[0].bars {
                assert_eq!(texts.iter().filter(|text| **text == bar.label).count(), 2, "{texts:?}");
            }
            assert_eq!(texts.iter().filter(|text| text.contains("needs 1 GB & may")).count(), 2);
            let measured = times.iter().map(|&time| duration(time));
            for figure in measured {
                assert!(texts.iter().any(|text| text.starts_with(&figure)), "{figure}: {texts:?}");
            }
        }
    }

    #[test]
    fn longer_times_have_longer_bars() {
        let chart = chart(&[10.0, 0.1, 0.001, 1e-5]);
        let layout = Layout::new(&chart);
        let pixels = [1e-5, 0.001, 0.1, 10.0].map(|time| layout.pixel(time));
        assert!(pixels.windows(2).all(|pair| pair[0] + 50.0 < pair[1]), "{pixels:?}");
        assert!(pixels[0] > layout.scale.from + 3.0);
    }
}
