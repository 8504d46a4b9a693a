//! The results of `isx-bench waves` as Markdown, as charts and as JSON.

use super::streaming::Streamed;
use super::timed::{range, series};
use super::waves::{Contestant, WavesReport};
use crate::charts::chart::{DotChart, Group, Row, Series};
use crate::charts::measured::{duration, markdown_table, rate};
use crate::report::Report;

impl Report for WavesReport {
    fn markdown(&self) -> String {
        let mut text = format!(
            "# Tables in waves\n\n`{}`\n\n{}.\n\nMedians of whole runs: reduction, transfers and the way back included, the \
             start of a GPU left out. Every answer was summed again and its value compared with the others' before its \
             time was kept. Problems as in O'Connell and Mumford, 2014, Figure 4, but for the number of cities.\n",
            self.command,
            self.machine.words(),
        );
        let mut left_out = String::new();
        for problem in &self.problems {
            text += &format!("\n## {}\n\nvalue {}\n\n", problem.name, problem.value);
            let row = |one: &Contestant| {
                let median = one.median()?;
                let cells = rate(problem.cells / median.max(1e-9));
                Some(vec![
                    one.engine.clone(),
                    one.how.clone(),
                    duration(median),
                    cells,
                    one.seconds.len().to_string(),
                ])
            };
            let rows: Vec<Vec<String>> = problem.contestants.iter().filter_map(row).collect();
            text += &markdown_table(&["engine", "ran on", "time", "textbook cells a second", "runs"], &rows);
            for one in problem.contestants.iter().filter(|one| one.seconds.is_empty()) {
                left_out += &format!("- {}, {}: {}\n", problem.name, one.engine, one.how);
            }
        }
        text += "\n## A table of four times the memory allowed\n\n";
        match &self.streaming {
            Err(why) => text += &format!("Not measured: {why}.\n"),
            Ok(tables) => {
                let head = [
                    "items",
                    "capacity",
                    "decisions",
                    "GPU allowed",
                    "GPU taken",
                    "host taken",
                    "in memory",
                    "copy alone",
                    "streamed",
                    "cells a second",
                    "of the rate in memory",
                    "overlap",
                    "way back",
                ];
                text += &markdown_table(&head, &tables.iter().map(Streamed::row).collect::<Vec<_>>());
                text += "\nOverlap: how much of the shorter of computing and copying was hidden behind the other. Best of the \
                         runs; items and profit equal.\n";
            }
        }
        if !left_out.is_empty() {
            text += &format!("\nNot measured:\n\n{left_out}");
        }
        text
    }

    fn charts(&self) -> Vec<(&'static str, DotChart)> {
        let mut groups: Vec<Group> = self
            .problems
            .iter()
            .map(|problem| Group {
                title: problem.name.clone(),
                rows: problem.contestants.iter().map(Contestant::row).collect(),
            })
            .collect();
        if let Ok(tables) = &self.streaming {
            groups.extend(tables.iter().map(Streamed::group));
        }
        let chart = DotChart {
            title: "Tables in waves".into(),
            subtitle: format!("{}; answers checked", self.machine.cpu),
            meanings: None,
            groups,
        };
        vec![("chart", chart)]
    }
}

impl Contestant {
    fn row(&self) -> Row {
        let series = series(self.judge, self.gpu);
        let times = range(&self.seconds).ok_or_else(|| self.how.clone());
        Row { label: self.engine.clone(), series, rounded: false, times, more: None }
    }
}

impl Streamed {
    fn row(&self) -> Vec<String> {
        let gigabytes = |bytes: u64| format!("{:.2} GB", bytes as f64 / 1e9);
        vec![
            self.items.to_string(),
            self.capacity.to_string(),
            gigabytes(self.bytes),
            gigabytes(self.device_allowed),
            gigabytes(self.device_taken),
            gigabytes(self.host_taken),
            duration(self.computing),
            duration(self.copying),
            duration(self.streamed),
            rate(self.rate(self.streamed)),
            format!("{:.0} %", 100.0 * self.share()),
            format!("{:.0} %", 100.0 * self.overlap()),
            duration(self.walking),
        ]
    }

    fn group(&self) -> Group {
        let row = |label: &str, seconds| Row {
            label: label.into(),
            series: Series::Gpu,
            rounded: false,
            times: range(&[seconds]).ok_or_else(String::new),
            more: None,
        };
        Group {
            title: format!("knapsack, {} items, {:.0} GB of decisions", self.items, self.bytes as f64 / 1e9),
            rows: vec![
                row("kept on the GPU", self.computing),
                row("copied afterwards", self.copying),
                row("streamed", self.streamed),
            ],
        }
    }
}
