//! The results of `isx-bench lemos` as Markdown, as a chart and as JSON.

use super::lemos::{Contestant, LemosReport};
use super::measure::Work;
use super::timed::{range, series};
use crate::charts::chart::{DotChart, Group, Row};
use crate::charts::measured::{duration, markdown_table, rate, ratio};
use crate::report::Report;

impl Report for LemosReport {
    fn markdown(&self) -> String {
        let mut text = format!(
            "# Batches of multi-dimensional knapsack problems\n\n`{}`\n\n{}.\n\n{} instances, `{}`. Medians of whole runs: \
             reduction, transfers and items included, the start of a GPU left out. Every answer was summed again and \
             compared with the textbook engine's before its time was kept.\n\n",
            self.command,
            self.machine.words(),
            self.instances,
            self.recipe
        );
        let textbook = self.contestants.iter().find(|one| one.judge).and_then(Contestant::median);
        let row = |one: &Contestant| {
            let median = one.median()?;
            let share = one.updates as f64 / self.candidates.max(1) as f64;
            let name =
                if one.judge { "textbook loop".into() } else { format!("{} ({})", one.engine, one.how) };
            Some(vec![
                name,
                one.work_name().into(),
                duration(median),
                duration(median / self.instances.max(1) as f64),
                format!("{:.1} %", 100.0 * share),
                rate(one.updates as f64 / median.max(1e-9)),
                textbook.map_or_else(|| "–".into(), |textbook| ratio(textbook / median)),
                one.seconds.len().to_string(),
            ])
        };
        let rows: Vec<Vec<String>> = self.contestants.iter().filter_map(row).collect();
        let head = ["engine", "work", "all", "an instance", "candidates", "updates", "× textbook", "runs"];
        text += &markdown_table(&head, &rows);
        let left_out = self.contestants.iter().filter(|one| one.seconds.is_empty());
        let lines: Vec<String> =
            left_out.map(|one| format!("- {} ({}): {}\n", one.engine, one.work_name(), one.how)).collect();
        if !lines.is_empty() {
            text += &format!("\nNot measured:\n\n{}", lines.concat());
        }
        text
    }

    fn charts(&self) -> Vec<(&'static str, DotChart)> {
        let rows = self.contestants.iter().map(Contestant::row).collect();
        let chart = DotChart {
            title: "Batches of multi-dimensional knapsack problems".into(),
            subtitle: format!("{}; answers checked", self.machine.cpu),
            meanings: None,
            groups: vec![Group { title: format!("{} instances", self.instances), rows }],
        };
        vec![("chart", chart)]
    }
}

impl Contestant {
    fn work_name(&self) -> &'static str {
        if self.work == Work::Raw { "all the work" } else { "what is needed" }
    }

    fn row(&self) -> Row {
        let series = series(self.judge, self.gpu);
        let times = range(&self.seconds).ok_or_else(|| self.how.clone());
        let name = if self.judge { "textbook loop" } else { &self.engine };
        Row { label: format!("{name}, {}", self.work_name()), series, rounded: false, times, more: None }
    }
}
