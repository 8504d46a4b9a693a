//! The axes of a chart, drawn by plotters: grid lines, tick marks, their labels and the title below.
//!
//! plotters gets its coordinates from [`Axis`], whose values are the ticks that a scale has chosen. Its mesh has one
//! style for both axes, so each axis is drawn separately.

use super::canvas::{Canvas, Font, Ink};
use super::pixels::units;
use super::place::Rect;
use super::scale::Tick;
use super::{LABEL, TICK};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::prelude::{ChartBuilder, IntoDrawingArea, LabelAreaPosition, Ranged, TRANSPARENT};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, ShapeStyle, TextStyle};
use std::ops::Range;

/// Length of a tick mark in pixels; plotters writes the label twice as far from the axis.
const MARK: f64 = 6.0;
/// Pixels from the horizontal axis to the middle of the title below it.
const TITLE_BELOW: f64 = 42.0;

/// An axis of a chart.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// The ticks with a label, in pixels of the picture.
    pub ticks: Vec<Tick>,
    /// The positions of ticks without a label.
    pub minor: Vec<f64>,
    /// Whether there are grid lines at the ticks.
    pub has_grid: bool,
    /// Whether it has a line with tick marks.
    pub has_line: bool,
    /// Whether the ticks' labels are written.
    pub has_labels: bool,
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = Tick;

    fn map(&self, tick: &Tick, (from, to): (i32, i32)) -> i32 {
        units(tick.at).clamp(from.min(to), from.max(to))
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<Tick> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<Tick> {
        let end = |tick: Option<&Tick>| tick.cloned().unwrap_or_default();
        end(self.ticks.first())..end(self.ticks.last())
    }
}

impl ValueFormatter<Tick> for Axis {
    fn format_ext(&self, tick: &Tick) -> String {
        if self.has_labels { tick.label.clone() } else { String::new() }
    }
}

/// The axes of a chart.
#[derive(Debug)]
pub struct Axes<'a> {
    /// Where the chart is in the picture.
    pub frame: Rect,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The title below.
    pub title: &'a str,
}

fn line(ink: Ink) -> ShapeStyle {
    ShapeStyle { color: ink.rgb().to_rgba(), filled: false, stroke_width: 100 }
}

fn text(font: Font, ink: Ink) -> TextStyle<'static> {
    FontDesc::new(FontFamily::SansSerif, font.size * 100.0, FontStyle::Normal).color(&ink.rgb())
}

impl Axes<'_> {
    /// Draws them.
    pub fn draw(&self, canvas: &mut Canvas) {
        // Drawing to a document in memory cannot fail.
        let _ = self.mesh(canvas, &self.y, false);
        let _ = self.mesh(canvas, &self.x, true);
        let Rect { left, bottom, .. } = self.frame;
        for &at in &self.y.minor {
            canvas.line((left - MARK / 2.0, at), (left, at), 1.0, Ink::Axis);
        }
        for &at in &self.x.minor {
            canvas.line((at, bottom), (at, bottom + MARK / 2.0), 1.0, Ink::Axis);
        }
    }

    fn mesh(
        &self,
        canvas: &mut Canvas,
        axis: &Axis,
        is_horizontal: bool,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let Rect { left, top, right, bottom } = self.frame;
        let (width, height) = canvas.size();
        let below = TITLE_BELOW + LABEL.size / 3.0;
        let root = canvas.into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin_top(units(top))
            // Ranges exclude their last unit.
            .margin_right(units(width - right) - 1)
            .margin_bottom(units(height - bottom - below))
            .set_label_area_size(LabelAreaPosition::Left, units(left))
            .set_label_area_size(LabelAreaPosition::Bottom, units(below))
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let mut mesh = chart.configure_mesh();
        if is_horizontal {
            mesh.disable_y_mesh().disable_y_axis().x_desc(self.title);
        } else {
            mesh.disable_x_mesh().disable_x_axis();
        }
        if !axis.has_grid {
            mesh.disable_mesh();
        }
        mesh.bold_line_style(line(Ink::Grid))
            .axis_style(if axis.has_line { line(Ink::Axis) } else { TRANSPARENT.into() })
            .set_all_tick_mark_size(units(MARK))
            .label_style(text(TICK, Ink::Quiet))
            .axis_desc_style(text(LABEL, Ink::Text))
            .draw()?;
        Ok(())
    }
}
