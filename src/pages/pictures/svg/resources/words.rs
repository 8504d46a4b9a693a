//! What a picture of a front of several resources says in words.

use super::super::chart::{Key, Mark};
use super::super::levels::Levels;
use super::super::measure::figure;
use super::super::paint::Ink;
use super::super::words::{legend_of_marks, short_area, what_if};
use super::{Picture, THICK, THIN};
use crate::answers::words::objectives;
use isx_report::text::{count, counted, cut, listed, visible};
use isx_taskset::Resources;

impl Picture<'_> {
    pub(super) fn legend(&self) -> Vec<(Key, String)> {
        let data = self.data;
        let scheduler = data.head.scheduler.abbreviation();
        let mut entries = Vec::new();
        if data.points.is_empty() {
            return entries;
        }
        if self.labels.len() > 1 {
            entries.extend(self.labels.iter().map(|(ink, label)| (Key::Line(THICK, *ink), label.clone())));
        }
        // Where lines have inks of their own, the legend has none of them.
        let ink = if self.labels.len() > 1 { Ink::Quiet } else { Ink::Schedulable };
        let has = |verdict: Option<bool>| data.points.iter().any(|point| point.schedulable == verdict);
        let thick = format!("enough for a schedulable design ({scheduler})");
        if !data.minimal.is_empty() {
            entries.push((Key::Line(THICK, ink), thick));
            entries.push((Key::Mark(5.0, Mark::Ringed(ink)), "smallest such cost".to_owned()));
        }
        if has(Some(false)) || data.minimal.is_empty() {
            let thin = if data.is_minimal_open() { "not enough, or undecided" } else { "not enough" };
            entries.push((Key::Line(THIN, ink), thin.to_owned()));
        }
        if self.has_marks {
            entries.extend(legend_of_marks(&has, (ink, ink)));
        }
        entries.push((Key::Mark(4.4, Mark::Square), "software only".to_owned()));
        if let Some(limit) = self.limit() {
            entries.push((Key::Dashes(Ink::Bound), self.limit_in_words(limit)));
        }
        entries
    }

    pub(super) fn subtitle(&self) -> String {
        let data = self.data;
        let names = objectives(&data.head.resources).into_iter().map(|name| cut(&visible(name), 16));
        let names = listed(&names.collect::<Vec<_>>());
        let designs = counted(data.points.len(), "design");
        let mut text = format!("Exact Pareto front of utilization and {names}, {designs}");
        if data.points.is_empty() {
            text = format!("No design is within the limits of {names}");
        } else if data.minimal.is_empty() {
            text += match data.is_minimal_open() {
                true => "; whether one is schedulable was not decided",
                false if data.head.complete => "; none is schedulable",
                false => "; none within the limits is schedulable",
            };
        }
        text + &what_if(&data.head)
    }

    /// What the lines and panels do not say.
    pub(super) fn notes_of(&self, seconds: &Levels, thirds: &Levels) -> Vec<String> {
        let data = self.data;
        let mut notes = Vec::new();
        let (lines, panels) = (self.labels.len(), self.panels.len());
        if data.points.is_empty() {
            return notes;
        }
        if lines > 1 {
            let name = visible(data.objective(1));
            let left = if seconds.count > lines {
                format!(", {lines} of {} levels, where it changes most", count(seconds.count))
            } else {
                String::new()
            };
            notes.push(format!("Each line shows the least utilization with at most that many {name}{left}."));
        }
        if panels > 1 && thirds.count > panels {
            let name = visible(data.objective(2));
            notes.push(format!(
                "The panels are {panels} of {} levels of {name}, where the lines change most.",
                count(thirds.count)
            ));
        }
        let further = objectives(&data.head.resources).into_iter().enumerate().skip(3);
        let mut words: Vec<String> = further
            .map(|(at, name)| match data.limit(at) {
                Some(limit) => format!("{} up to {}", visible(name), short_area(&figure(limit))),
                None => format!("any {}", visible(name)),
            })
            .collect();
        let Resources { names, objectives, .. } = &data.head.resources;
        let others = names.iter().enumerate().filter(|(at, _)| !objectives.contains(at));
        words.extend(others.map(|(_, name)| format!("any {} within its limit", visible(name))));
        if !words.is_empty() {
            notes.push(format!("In every line: {}.", words.join(", ")));
        }
        if let Some(limit) = data.limit(0)
            && self.limit().is_none()
        {
            notes.push(format!("{}, farther right than this picture.", self.limit_in_words(limit)));
        }
        notes
    }

    pub(super) fn description(&self) -> String {
        let data = self.data;
        let mut text = String::new();
        let name = visible(data.objective(0));
        for panel in &self.panels {
            for line in &panel.lines {
                let (Some(&first), Some(&last)) = (line.corners.first(), line.corners.last()) else {
                    continue;
                };
                let within = match (panel.title.as_str(), line.label.as_str()) {
                    ("", "") => "Least".to_owned(),
                    (one, "") | ("", one) => format!("With {one}, least"),
                    (one, other) => format!("With {one} and {other}, least"),
                };
                let [(at, from), (until, to)] = [first, last].map(|point| self.at(point));
                let [from, at, to, until] = [from, at, to, until].map(figure);
                text +=
                    &format!(" {within} utilization from {from} at {name} {at} to {to} at {name} {until}");
                text += &match self.smallest(line) {
                    Some((cost, _)) => format!(", schedulable from {name} {}.", figure(cost)),
                    None => ".".to_owned(),
                };
            }
        }
        for note in &self.notes {
            text += &format!(" {note}");
        }
        text.trim_start().to_owned()
    }
}
