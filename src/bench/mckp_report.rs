//! The results of `isx-bench mckp` as Markdown, as charts and as JSON.

use super::mckp::{ContestantReport, InstanceReport, MckpReport};
use super::runner::{AUTO, Outcome, Work};
use super::timed::{Sample, Timed};
use crate::charts::chart::{DotChart, Group, Row, Series};
use crate::charts::measured::{duration, markdown_table, rate, ratio};
use crate::report::Report;
use isx_engine::Hardware;

impl Report for MckpReport {
    fn markdown(&self) -> String {
        let mut text = format!(
            "# Multiple-choice knapsack engines\n\n`{}`\n\n{}.\n\nMedians of up to {} runs. Every answer was \
             compared with the textbook engine's, point by point and item by item, before its time was kept.\n",
            self.command,
            self.machine.words(),
            self.repeat
        );
        for instance in &self.instances {
            text += &instance.markdown();
        }
        text
    }

    fn charts(&self) -> Vec<(&'static str, DotChart)> {
        vec![("chart", self.best_chart()), ("chart-raw", self.raw_chart())]
    }
}

impl MckpReport {
    /// The chart of all the work.
    #[must_use]
    pub fn raw_chart(&self) -> DotChart {
        self.chart("All the work: no reduction, no bounds", Work::Raw)
    }

    /// The chart of the best algorithm.
    #[must_use]
    pub fn best_chart(&self) -> DotChart {
        self.chart("The whole front by the best algorithm", Work::Reduced)
    }

    fn chart(&self, title: &str, work: Work) -> DotChart {
        let groups = self.instances.iter().map(|instance| instance.group(work)).collect();
        DotChart {
            title: title.into(),
            subtitle: format!("{}; answers checked", self.machine.cpu),
            meanings: Some(("values only".into(), "with the items of every point".into())),
            groups,
        }
    }
}

fn solve(timed: &Timed) -> f64 {
    timed.median(|sample| sample.solve)
}

/// The `values` of an outcome as table cells, or dashes.
fn cell(outcome: &Outcome, figure: impl Fn(&Timed) -> String) -> String {
    outcome.timed().map_or_else(|| "–".into(), figure)
}

impl InstanceReport {
    fn of(&self, work: Work) -> impl Iterator<Item = &ContestantReport> {
        self.contestants.iter().filter(move |contestant| contestant.work == work)
    }

    fn markdown(&self) -> String {
        let mut text = format!(
            "\n## {}\n\n{} items in {} classes, {} points on the front. `{}`\n",
            self.instance, self.items, self.classes, self.points, self.recipe
        );
        text += "\nAll the work: no reduction, no bounds. Candidates are parts of the textbook loop's; below half of them it is \
                 another algorithm and rates do not compare:\n\n";
        text += &self.raw_table();
        text += "\nThe best algorithm, reduction included; the textbook loop looks at every item, and its time for values is divided by \
             that of the row:\n\n";
        text += &self.best_table();
        text += &self.disturbances();
        let left: Vec<String> = self.contestants.iter().filter_map(left_out).collect();
        if !left.is_empty() {
            text += &format!("\nNot measured:\n\n{}", left.concat());
        }
        text
    }

    /// The contestants that do all the work, by the forward pass. Lists are excluded: they examine few candidates
    /// even so, and their rate is meaningless.
    fn raw_table(&self) -> String {
        let textbook = &self.textbook;
        let row = |name: String, values: &Timed, items: &Outcome| {
            let share = values.updates as f64 / textbook.updates.max(1) as f64;
            let same_work = values.does_the_work_of(textbook);
            vec![
                name,
                duration(solve(values)),
                format!("{:.1} %", share * 100.0),
                rate(values.rate()),
                if same_work { ratio(values.rate() / textbook.rate()) } else { "–".into() },
                cell(items, |items| duration(items.median(|sample| sample.solve + sample.traceback))),
                values.samples.len().to_string(),
            ]
        };
        let mut rows = vec![row("textbook loop".into(), textbook, &Outcome::Timed(textbook.clone()))];
        for contestant in self.of(Work::Raw) {
            if let Some(values) = contestant.values.timed() {
                rows.push(row(contestant.name(values), values, &contestant.items));
            }
        }
        let head = ["engine", "values", "candidates", "updates", "× textbook rate", "with items", "runs"];
        markdown_table(&head, &rows)
    }

    /// The contestants by the whole time until the front is complete.
    fn best_table(&self) -> String {
        let textbook = solve(&self.textbook);
        let with_items = self.textbook.median(|sample| sample.solve + sample.traceback);
        let first = ["textbook loop".into(), "–".into(), duration(textbook), duration(textbook)];
        let first = first.into_iter().chain([
            ratio(1.0),
            duration(with_items),
            self.textbook.samples.len().to_string(),
        ]);
        let mut rows = vec![first.collect()];
        for contestant in self.of(Work::Reduced) {
            let Some(values) = contestant.values.timed() else { continue };
            rows.push(vec![
                contestant.name(values),
                duration(values.median(|sample| sample.reduce)),
                duration(solve(values)),
                duration(values.total()),
                ratio(textbook / values.total()),
                cell(&contestant.items, |items| duration(items.total())),
                values.samples.len().to_string(),
            ]);
        }
        let head =
            ["engine", "reduce", "solve", "values in all", "textbook values ÷", "items in all", "runs"];
        markdown_table(&head, &rows)
    }

    /// The contestants whose times mean little because other programs used the cores.
    fn disturbances(&self) -> String {
        let own = self.contestants.iter().flat_map(|contestant| {
            [&contestant.values, &contestant.items]
                .into_iter()
                .filter_map(Outcome::timed)
                .map(|timed| (contestant.asked(), timed))
        });
        let textbook = std::iter::once(("textbook loop".to_owned(), &self.textbook));
        let mut lines: Vec<String> = textbook
            .chain(own)
            .filter(|(_, timed)| timed.disturbed())
            .map(|(name, timed)| {
                let part = 100.0 * timed.waited.unwrap_or(0.0);
                format!("- {name} waited {part:.0} % of its time for a core\n")
            })
            .collect();
        lines.dedup();
        if lines.is_empty() {
            return String::new();
        }
        format!("\nDisturbed by other programs, measure again on an idle machine:\n\n{}", lines.concat())
    }

    fn group(&self, work: Work) -> Group {
        let values = |sample: &Sample| if work == Work::Raw { sample.solve } else { sample.total() };
        let items = |sample: &Sample| values(sample) + if work == Work::Raw { sample.traceback } else { 0.0 };
        let textbook = Row {
            label: "textbook loop".into(),
            series: Series::Baseline,
            rounded: false,
            times: Ok(self.textbook.range(|sample| sample.solve)),
            more: Some(self.textbook.range(|sample| sample.solve + sample.traceback)),
        };
        let row = |contestant: &ContestantReport| Row {
            label: contestant
                .values
                .timed()
                .map_or_else(|| contestant.engine.clone(), |timed| contestant.name(timed)),
            series: if contestant.hardware() == Hardware::Gpu { Series::Gpu } else { Series::Cpu },
            rounded: false,
            times: match &contestant.values {
                Outcome::Timed(timed) => Ok(timed.range(values)),
                Outcome::NotMeasured(why) => Err(why.clone()),
            },
            more: contestant.items.timed().map(|timed| timed.range(items)),
        };
        let rows = std::iter::once(textbook).chain(self.of(work).map(row)).collect();
        Group { title: format!("{}, {} points", self.instance, self.points), rows }
    }
}

fn left_out(contestant: &ContestantReport) -> Option<String> {
    let of = |outcome: &Outcome, what: &str| match outcome {
        Outcome::NotMeasured(why) => Some(format!("- {}{what}: {why}\n", contestant.asked())),
        Outcome::Timed(_) => None,
    };
    of(&contestant.values, "").or_else(|| of(&contestant.items, ", with items"))
}

impl ContestantReport {
    /// The requested configuration.
    fn asked(&self) -> String {
        let plural = if self.threads == 1 { "" } else { "s" };
        let work = if self.work == Work::Raw { ", all the work" } else { "" };
        format!("{} ({} thread{plural}{work})", self.engine, self.threads)
    }

    /// The engine's own description of the run.
    fn name(&self, timed: &Timed) -> String {
        let ran_on = &timed.ran_on;
        let auto = if self.engine == AUTO { "auto: " } else { "" };
        // An engine may use fewer threads than allowed; then the name shows both.
        let fewer = timed.threads.is_some_and(|threads| threads != self.threads);
        let uses_fewer = self.hardware() == Hardware::Cpu && fewer;
        let allowed = if uses_fewer { format!(", {} allowed", self.threads) } else { String::new() };
        format!("{auto}{ran_on}{allowed}")
    }
}
