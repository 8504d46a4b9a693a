//! The results of the 0-1 knapsack benchmarks as Markdown, as a chart and as JSON.

use super::knapsack::{Contestant, KnapsackReport, Measured};
use super::timed::median;
use crate::charts::chart::{DotChart, Group, Range, Row, Series};
use crate::charts::measured::{duration, markdown_table};
use crate::report::Report;

/// With at most this many instances, each has a group of its own in the chart.
const GROUPS: usize = 12;

/// The times of one engine, or program, summarized over several instances.
struct Over {
    name: String,
    series: Series,
    seconds: Vec<f64>,
    missing: usize,
}

impl Over {
    fn range(&self) -> Option<Range> {
        let median = median(self.seconds.clone());
        let least = self.seconds.iter().copied().fold(median, f64::min);
        let most = self.seconds.iter().copied().fold(median, f64::max);
        (!self.seconds.is_empty()).then_some(Range {
            least,
            median,
            most,
            runs: self.seconds.len(),
            disturbed: false,
        })
    }
}

impl Report for KnapsackReport {
    fn markdown(&self) -> String {
        let mut text = format!(
            "# 0-1 knapsack engines\n\n`{}`\n\n{}.\n\n{} Medians of the runs of each instance: reduction, solve and items, \
             transfers included, reading and the start of a GPU left out. Every answer was checked before its time was \
             kept.\n\n",
            self.command,
            self.machine.words(),
            self.about
        );
        let row = |over: &Over| {
            let range = over.range();
            let told = |seconds: fn(&Range) -> f64| {
                range.as_ref().map_or("–".into(), |range| duration(seconds(range)))
            };
            vec![
                over.name.clone(),
                over.seconds.len().to_string(),
                over.missing.to_string(),
                told(|range| range.least),
                told(|range| range.median),
                told(|range| range.most),
                duration(over.seconds.iter().sum()),
            ]
        };
        let rows: Vec<Vec<String>> = self.over_all().iter().map(row).collect();
        text += &markdown_table(
            &["engine", "instances", "not measured", "least", "median", "most", "all"],
            &rows,
        );
        text += "\n";
        let rows: Vec<Vec<String>> = self.instances.iter().flat_map(Measured::rows).collect();
        let head = ["instance", "items", "capacity", "optimum", "checked by", "engine", "time", "how"];
        text + &markdown_table(&head, &rows)
    }

    fn charts(&self) -> Vec<(&'static str, DotChart)> {
        let groups = if self.instances.len() > GROUPS {
            let row = |over: Over| Row {
                label: over.name.clone(),
                series: over.series,
                rounded: false,
                times: over.range().ok_or_else(|| "not measured".to_owned()),
                more: None,
            };
            let rows = self.over_all().into_iter().map(row).collect();
            vec![Group { title: format!("{} instances: median, least and most", self.instances.len()), rows }]
        } else {
            self.instances.iter().map(Measured::group).collect()
        };
        let chart = DotChart {
            title: "0-1 knapsack problems".into(),
            subtitle: format!("{}; answers checked", self.machine.cpu),
            meanings: None,
            groups,
        };
        vec![("chart", chart)]
    }
}

impl KnapsackReport {
    /// The times of every engine over all instances, and the recorded times of other programs.
    fn over_all(&self) -> Vec<Over> {
        let mut all: Vec<Over> = Vec::new();
        let mut add = |name: &str, series, seconds: Option<f64>| {
            let at = all.iter().position(|over| over.name == name).unwrap_or_else(|| {
                all.push(Over { name: name.to_owned(), series, seconds: Vec::new(), missing: 0 });
                all.len() - 1
            });
            all[at].seconds.extend(seconds);
            all[at].missing += usize::from(seconds.is_none());
        };
        for instance in &self.instances {
            for one in &instance.contestants {
                add(&one.engine, one.series(), one.median());
            }
        }
        for recorded in self.instances.iter().filter_map(|instance| instance.recorded.as_ref()) {
            add(&recorded.told(), Series::Baseline, recorded.seconds);
        }
        all
    }
}

impl super::knapsack::Recorded {
    /// The program of the recorded time, marked as measured on another machine.
    fn told(&self) -> String {
        format!("{}, recorded on another machine", self.program)
    }
}

impl Measured {
    fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let mut add = |engine: String, time: String, how: String| {
            // Text common to the rows of an instance is printed once.
            let shared = [
                self.name.clone(),
                self.items.to_string(),
                self.capacity.to_string(),
                self.optimum.clone().unwrap_or_else(|| "–".into()),
                self.checked_by.clone(),
            ];
            let shared = if rows.is_empty() { shared } else { Default::default() };
            rows.push(shared.into_iter().chain([engine, time, how]).collect::<Vec<String>>());
        };
        for one in &self.contestants {
            let time = one.median().map_or("not measured".into(), duration);
            add(one.engine.clone(), time, one.how.clone());
        }
        if let Some(recorded) = &self.recorded {
            let time = recorded.seconds.map_or("not finished".into(), duration);
            add(recorded.told(), time, String::new());
        }
        rows
    }

    fn group(&self) -> Group {
        let row = |one: &Contestant| Row {
            label: one.engine.clone(),
            series: one.series(),
            rounded: false,
            times: one.range().ok_or_else(|| one.how.clone()),
            more: None,
        };
        let recorded = self.recorded.iter().map(|recorded| Row {
            label: recorded.told(),
            series: Series::Baseline,
            rounded: false,
            times: recorded.seconds.map(once).ok_or_else(|| "not finished".to_owned()),
            more: None,
        });
        Group { title: self.name.clone(), rows: self.contestants.iter().map(row).chain(recorded).collect() }
    }
}

fn once(seconds: f64) -> Range {
    Range { least: seconds, median: seconds, most: seconds, runs: 1, disturbed: false }
}

impl Contestant {
    fn series(&self) -> Series {
        if self.gpu { Series::Gpu } else { Series::Cpu }
    }

    fn range(&self) -> Option<Range> {
        let range = |median: f64| Range {
            least: self.seconds.iter().copied().fold(median, f64::min),
            median,
            most: self.seconds.iter().copied().fold(median, f64::max),
            runs: self.seconds.len(),
            disturbed: false,
        };
        self.median().map(range)
    }
}
