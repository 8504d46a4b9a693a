//! What a picture of a front says in words.

use super::chart::{Key, Label, Mark};
use super::figure::{Figure, VERDICTS};
use super::measure::figure;
use super::paint::Ink;
use crate::pictures::plot::{MARKED_POINTS, PlotPoint};
use isx_report::front::Head;
use isx_report::text::{count, counted, cut, group, visible};

impl Figure<'_> {
    pub(super) fn labels(&self) -> Vec<Label> {
        let base = &self.data.base;
        let at = self.at(base);
        let smallest = self.smallest_label();
        // One mark on the other: one label for both.
        let both = smallest.as_ref().is_some_and(|label| label.at == at);
        let verdict = if both { "schedulable, " } else { "" };
        let plain = format!("{verdict}{} = {}", self.measure.symbol, self.measure.figure(base.utilization));
        let software = Label { at, strong: "software only".to_owned(), plain };
        [Some(software), smallest.filter(|_| !both)].into_iter().flatten().collect()
    }

    fn smallest_label(&self) -> Option<Label> {
        let utilization = self.data.smallest()?.1;
        // Without a utilization there is only the dashed line, free of the front near the top.
        let (low, high) = self.y.range;
        let at = self.smallest_point().unwrap_or((self.smallest_area()?, high - 0.19 * (high - low)));
        self.smallest_area()?;
        let strong = self.with_unit(&short_area(&self.smallest_in_words()));
        let smallest = format!("smallest schedulable {}", self.data.word());
        let plain = match utilization {
            Some(utilization) => {
                format!("{smallest}, {} = {}", self.measure.symbol, self.measure.figure(utilization))
            }
            None => smallest,
        };
        Some(Label { at, strong, plain })
    }

    fn smallest_in_words(&self) -> String {
        self.data.head.minimal.first().map_or_else(String::new, |design| self.data.cost_in_words(design))
    }

    pub(super) fn subtitle(&self) -> String {
        let mut text = format!("Exact Pareto front, {}", counted(self.data.points.len(), "design"));
        if self.shown.len() < self.data.points.len() {
            text += &format!(", {} of them shown", count(self.shown.len()));
        }
        if !self.data.head.complete {
            text += if self.data.is_cost() { ", within the limits" } else { ", up to the area budget" };
        }
        text += match self.data.smallest() {
            None if self.data.is_minimal_open() => "",
            None if self.data.head.complete => "; none is schedulable",
            None => "; none within the budget is schedulable",
            Some(_) if self.smallest_area().is_none() => "; schedulable only at areas beyond",
            Some(_) => "",
        };
        text + &what_if(&self.data.head)
    }

    pub(super) fn legend(&self) -> Vec<(Key, String)> {
        let scheduler = self.data.head.scheduler.abbreviation();
        let word = self.data.word();
        let before = (Ink::Unschedulable, format!("{word} too small: no design is schedulable"));
        let after = (Ink::Schedulable, format!("{word} enough for a schedulable design ({scheduler})"));
        let lines = match (self.data.smallest(), self.smallest_area()) {
            (None, _) if self.data.is_minimal_open() => {
                vec![(Ink::Undecided, "schedulability not decided".to_owned())]
            }
            (None, _) => vec![(Ink::Unschedulable, format!("no design is schedulable ({scheduler})"))],
            (_, None) => vec![before],
            (_, Some(area)) if area <= self.shown[0].area => vec![after],
            (_, Some(_)) => vec![before, after],
        };
        let lines = lines.into_iter().map(|(ink, text)| (Key::Line(2.5, ink), text));
        lines.chain(self.legend_of_points()).collect()
    }

    /// The marks whose verdict differs from that of the line: designs that fail or are undecided although the area is enough,
    /// and all designs if that is not known.
    fn legend_of_points(&self) -> Vec<(Key, String)> {
        if self.shown.len() > MARKED_POINTS {
            return Vec::new();
        }
        let not_told = |point: &PlotPoint| self.data.is_undecided() || self.is_beyond_smallest(point);
        let has = |verdict| self.shown.iter().any(|point| not_told(point) && point.schedulable == verdict);
        legend_of_marks(&|verdict| verdict != Some(true) && has(verdict), VERDICTS).collect()
    }

    pub(super) fn description(&self) -> String {
        let (first, last) = (&self.shown[0], &self.shown[self.shown.len() - 1]);
        let (measure, word) = (self.measure.name, self.data.word());
        let mut text = format!(
            "Steps of {measure} against {word}, from {measure} {} at {word} {} to {} at {word} {}. \
             Software only: {measure} {}.",
            self.measure.figure(first.utilization),
            figure(first.area),
            self.measure.figure(last.utilization),
            figure(last.area),
            self.measure.figure(self.data.base.utilization)
        );
        if self.data.smallest().is_some() {
            let area = format!("{} {}", visible(&self.smallest_in_words()), self.unit);
            text += &format!(" Smallest schedulable {word}: {}.", area.trim_end());
        }
        text += &self.modes_in_words();
        text
    }
}

/// An entry of the legend for each verdict that occurs.
pub(super) fn legend_of_marks(
    has: &dyn Fn(Option<bool>) -> bool,
    inks: (Ink, Ink),
) -> impl Iterator<Item = (Key, String)> {
    let all = [(Some(true), "schedulable"), (Some(false), "design fails"), (None, "undecided")];
    let all = all.into_iter().filter(|&(verdict, _)| has(verdict));
    all.map(move |(verdict, words)| (Key::Mark(3.2, Mark::of(verdict, inks)), words.to_owned()))
}

/// The changes for a what-if question, after a subtitle.
pub(super) fn what_if(head: &Head) -> String {
    head.what_if.iter().map(|change| format!("; what if: {}", visible(change))).collect()
}

/// The exact area, or its leading digits where it is long.
pub(super) fn short_area(exact: &str) -> String {
    if exact.len() > 20 {
        return exact.parse::<f64>().map_or_else(|_| cut(exact, 20), |area| format!("≈ {area:.6e}"));
    }
    match exact.split_once('.') {
        None if exact.len() > 4 && exact.bytes().all(|byte| byte.is_ascii_digit()) => group(exact),
        _ => exact.to_owned(),
    }
}
