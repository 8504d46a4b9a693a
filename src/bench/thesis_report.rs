//! The results of `isx-bench thesis`: a table and a chart for each figure of the thesis.

use super::deviation::Deviation;
use super::gpu::study_name;
use super::runner::Outcome;
use super::thesis::{self, Measured, Part, ThesisReport, VariantDeviation};
use super::timed::Sample;
use crate::charts::chart::{DotChart, Group, Row, Series};
use crate::charts::measured::{duration, markdown_table, ratio};
use crate::report::Report;
use isx_bench::thesis::cuda::{Arithmetic, Occupancy};

/// A figure of the thesis: its instances, its contestants, and its result in the thesis.
struct Figure {
    number: &'static str,
    stem: &'static str,
    title: &'static str,
    parts: &'static [Part],
    /// The contestants; ratios are relative to the first.
    contestants: &'static [Shown],
    there: &'static str,
}

/// A contestant as it is shown.
#[derive(Clone, Copy)]
struct Shown {
    name: &'static str,
    series: Series,
    /// Whether it computes in floats.
    rounded: bool,
}

const fn exact(name: &'static str, series: Series) -> Shown {
    Shown { name, series, rounded: false }
}

const fn floats(name: &'static str, series: Series) -> Shown {
    Shown { name, series, rounded: true }
}

const SEQUENTIAL: Shown = exact(thesis::SEQUENTIAL, Series::Baseline);
const EXACT: Shown = exact(thesis::EXACT, Series::Baseline);
const DIV_F64: Shown = floats(thesis::DIV_F64, Series::Baseline);
const DIV_F32: Shown = floats(thesis::DIV_F32, Series::Baseline);
const RECIP_F64: Shown = floats(thesis::RECIP_F64, Series::Baseline);
const RECIP_F32: Shown = floats(thesis::RECIP_F32, Series::Baseline);

const MULTI_CORE: Shown = exact(thesis::MULTI_CORE, Series::Cpu);
const EXACT_MULTI_CORE: Shown = exact(thesis::EXACT_MULTI_CORE, Series::Cpu);
const EXACT_TWO_CORES: Shown = exact(thesis::EXACT_TWO_CORES, Series::Cpu);
const BEST: Shown = exact(thesis::BEST, Series::Cpu);

const GLOBAL: Shown = exact("CUDA-GLOBAL", Series::Gpu);
const SHARED: Shown = exact("CUDA-SHARED", Series::Gpu);
const PREVROW: Shown = exact("CUDA-PREVROW", Series::Gpu);
const MULTICELL: Shown = exact("CUDA-MULTICELL", Series::Gpu);
const ADJACENT: Shown = exact("adjacent cells", Series::Gpu);
const HOST_SYNC: Shown = exact("CUDA-MULTICELL, host waits", Series::Gpu);
const SYNC: Shown = exact("CUDA-SYNC", Series::Gpu);
const REDUCTION: Shown = exact("reduction", Series::Gpu);
const TILED: Shown = exact(super::gpu::TILED, Series::Gpu);

const fn gpu_floats(arithmetic: Arithmetic) -> Shown {
    floats(study_name(arithmetic), Series::Gpu)
}

const fn gpu_exact(arithmetic: Arithmetic) -> Shown {
    exact(study_name(arithmetic), Series::Gpu)
}

/// Kernels of the case study, 64 and 32 bits wide.
const GPU_DIV: [Shown; 2] = [gpu_floats(Arithmetic::DivisionF64), gpu_floats(Arithmetic::DivisionF32)];
const GPU_RECIP: [Shown; 2] = [gpu_floats(Arithmetic::ReciprocalF64), gpu_floats(Arithmetic::ReciprocalF32)];
const GPU_EXACT: [Shown; 2] = [gpu_exact(Arithmetic::ExactI64), gpu_exact(Arithmetic::ExactI32)];

const FIGURES: [Figure; 9] = [
    Figure {
        number: "5.1",
        stem: "figure-5-1",
        title: "Sequential, multi-core and GPU",
        parts: &[Part::Small, Part::Large],
        contestants: &[
            SEQUENTIAL, MULTI_CORE, GLOBAL, SHARED, PREVROW, MULTICELL, SYNC, REDUCTION, TILED, BEST,
        ],
        there: "CUDA 220 times as fast as sequential on average, 3 times as fast as OpenCL on eight cores",
    },
    Figure {
        number: "5.1 on correlated instances",
        stem: "figure-5-1-correlated",
        title: "Sequential, multi-core and GPU, correlated instances",
        parts: &[Part::Correlated],
        contestants: &[
            SEQUENTIAL, MULTI_CORE, GLOBAL, SHARED, PREVROW, MULTICELL, SYNC, REDUCTION, TILED, BEST,
        ],
        there: "not in the thesis: dominance removes little here, so the best algorithm gains less",
    },
    Figure {
        number: "5.2",
        stem: "figure-5-2",
        title: "Global memory against shared memory",
        parts: &[Part::Large],
        contestants: &[GLOBAL, SYNC],
        there: "CUDA-SYNC 20 % faster than CUDA-GLOBAL",
    },
    Figure {
        number: "5.3",
        stem: "figure-5-3",
        title: "The shared-memory kernels",
        parts: &[Part::Large],
        contestants: &[SHARED, MULTICELL, HOST_SYNC, SYNC, PREVROW, ADJACENT],
        there: "CUDA-SYNC before CUDA-MULTICELL, for which the host waits, before CUDA-SHARED; CUDA-PREVROW last; adjacent \
                cells (Figure 4.4) are avoided without a time",
    },
    Figure {
        number: "5.4",
        stem: "figure-5-4",
        title: "The spread of weights of Table 5.3",
        parts: &[Part::Spread],
        contestants: &[SEQUENTIAL, MULTI_CORE, SYNC, PREVROW, BEST],
        there: "CUDA-PREVROW overtakes CUDA-SYNC as the spread falls, some 320 times as fast as sequential",
    },
    Figure {
        number: "6.1",
        stem: "figure-6-1",
        title: "Case study: sequential, multi-core and GPU",
        parts: &[Part::TaskSet],
        contestants: &[
            DIV_F64,
            EXACT,
            EXACT_MULTI_CORE,
            GPU_RECIP[0],
            GPU_RECIP[1],
            GPU_EXACT[0],
            GPU_EXACT[1],
            GLOBAL,
            SHARED,
            BEST,
        ],
        there: "CUDA 220 times as fast as sequential on average",
    },
    Figure {
        number: "6.2",
        stem: "figure-6-2",
        title: "Case study: multi-core against GPU",
        parts: &[Part::TaskSet],
        contestants: &[EXACT_TWO_CORES, EXACT_MULTI_CORE, GLOBAL, SHARED, TILED],
        there: "CUDA 24 times as fast as two cores, 8 times as fast as sixteen (its machine is said to have eight)",
    },
    Figure {
        number: "6.3",
        stem: "figure-6-3",
        title: "Case study: global memory against shared memory",
        parts: &[Part::TaskSet],
        contestants: &[GLOBAL, SHARED, PREVROW, MULTICELL, SYNC],
        there: "CUDA-SHARED about 10 % faster than CUDA-GLOBAL; the others at best as fast as CUDA-SHARED (section 6.2)",
    },
    Figure {
        number: "6.4",
        stem: "figure-6-4",
        title: "Case study: division against multiplication",
        parts: &[Part::TaskSet],
        contestants: &[
            DIV_F64,
            RECIP_F64,
            DIV_F32,
            RECIP_F32,
            EXACT,
            GPU_DIV[0],
            GPU_RECIP[0],
            GPU_DIV[1],
            GPU_RECIP[1],
            GPU_EXACT[0],
            GPU_EXACT[1],
        ],
        there: "multiplication at least 70 % faster than division on the GPU",
    },
];

impl Report for ThesisReport {
    fn markdown(&self) -> String {
        let mut text = format!(
            "# The thesis's comparisons\n\n`{}`\n\n{}.\n\nMedians of up to {} runs, values only, transfers included; \
             every answer was checked before its time was kept. In parentheses: updates a second as a \
             multiple of the first row's, where at least half of its candidates are looked at (cells that no items so \
             far can reach are left out by the dense and tiled engines).\n",
            self.command,
            self.machine.words(),
            self.repeat
        );
        if let Some(why) = &self.no_gpu {
            text += &format!("\nNo GPU was measured: {why}.\n");
        }
        for figure in &FIGURES {
            text += &self.figure(figure);
        }
        text + &self.means() + &self.occupancies() + &self.deviations()
    }

    fn charts(&self) -> Vec<(&'static str, DotChart)> {
        FIGURES.iter().filter_map(|figure| Some((figure.stem, self.chart(figure)?))).collect()
    }
}

impl ThesisReport {
    fn instances(&self, figure: &Figure) -> Vec<&Measured> {
        let parts = figure.parts;
        let all = self.problems.iter().chain(&self.task_sets);
        all.filter(|one| one.copy == 0 && parts.contains(&one.part)).collect()
    }

    /// The contestants of the paper of 2012 over several instances of each size, if there are any.
    fn means(&self) -> String {
        let first: Vec<&Measured> = self.problems.iter().filter(|one| one.copy == 0).collect();
        let each = self.problems.len() / first.len().max(1);
        if each < 2 {
            return String::new();
        }
        let mean = |name: &str, instance: &Measured| {
            let of_size = self.problems.iter().filter(|one| one.instance == instance.instance);
            let entries = of_size.filter_map(|one| one.entries.iter().find(|entry| entry.contestant == name));
            let times: Option<Vec<f64>> = entries.map(|entry| Some(entry.outcome.timed()?.total())).collect();
            times.filter(|times| times.len() == each).map(|times| times.iter().sum::<f64>() / each as f64)
        };
        let cell = |name: &str, instance: &Measured| {
            let base = mean(thesis::SEQUENTIAL, instance)?;
            mean(name, instance).map(|own| format!("{} ({})", duration(own), ratio(base / own)))
        };
        let contestants = [SEQUENTIAL, MULTI_CORE, GLOBAL, SHARED, MULTICELL, HOST_SYNC, SYNC, TILED, BEST];
        let row = |shown: &Shown| {
            let cells: Vec<Option<String>> = first.iter().map(|one| cell(shown.name, one)).collect();
            let cells = cells.iter().any(Option::is_some).then_some(cells)?;
            let shown_cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "–".into()));
            Some(std::iter::once(shown.name.to_owned()).chain(shown_cells).collect())
        };
        let rows: Vec<Vec<String>> = contestants.iter().filter_map(row).collect();
        let names = first.iter().map(|one| one.instance.as_str());
        let head: Vec<&str> = std::iter::once("").chain(names).collect();
        format!(
            "\n## Suri, Bordoloi and Eles (DATE 2012), Figures 2 to 4: means of {each} instances of each size\n\nThere: \
             CUDA-SYNC 220 times as fast as sequential, 3 to 4 times as fast as eight cores, 20 % faster than \
             CUDA-GLOBAL and before CUDA-SHARED and CUDA-MULTICELL; means of five instances. In parentheses: the mean \
             of sequential as a multiple.\n\n{}",
            markdown_table(&head, &rows)
        )
    }

    /// Equation 3.1 beside the times, where there is a GPU.
    fn occupancies(&self) -> String {
        let first: Vec<&Measured> =
            self.problems.iter().filter(|one| one.copy == 0 && !one.occupancy.is_empty()).collect();
        let Some(names) = first.first().map(|one| one.occupancy.iter().map(|(name, _)| name)) else {
            return String::new();
        };
        let cell = |name: &str, instance: &Measured| {
            let entry = instance.entries.iter().find(|entry| entry.contestant == name);
            let occupancy = instance.occupancy.iter().find(|(of, _)| of == name);
            match (entry.and_then(|entry| entry.outcome.timed()), occupancy) {
                (Some(timed), Some((_, Occupancy { equation, driver }))) => {
                    format!(
                        "{}: {:.0} % ({:.0} %)",
                        duration(timed.total()),
                        100.0 * equation,
                        100.0 * driver
                    )
                }
                _ => "–".into(),
            }
        };
        let row = |name: &String| {
            std::iter::once(name.clone()).chain(first.iter().map(|one| cell(name, one))).collect()
        };
        let rows: Vec<Vec<String>> = names.map(row).collect();
        let instances = first.iter().map(|one| one.instance.as_str());
        let head: Vec<&str> = std::iter::once("").chain(instances).collect();
        format!(
            "\n## Equation 3.1: occupancy beside the time\n\nThere: 100 % with 768 threads per block, 87.5 % with the 672 \
             of CUDA-SYNC. For the class with the most items; in parentheses by the driver's count of resident blocks, \
             which knows the units in which registers and shared memory are given out.\n\n{}",
            markdown_table(&head, &rows)
        )
    }

    /// The contestants of the figure that were measured or skipped.
    fn present(&self, figure: &Figure) -> Vec<Shown> {
        let instances = self.instances(figure);
        let present = |shown: &&Shown| {
            instances.iter().any(|one| one.entries.iter().any(|entry| entry.contestant == shown.name))
        };
        figure.contestants.iter().filter(present).copied().collect()
    }

    fn figure(&self, figure: &Figure) -> String {
        let mut text =
            format!("\n## Figure {}: {}\n\nThere: {}.\n\n", figure.number, figure.title, figure.there);
        let (instances, present) = (self.instances(figure), self.present(figure));
        if instances.is_empty() {
            return text + "Its instances were not asked for.\n";
        }
        if present.is_empty() {
            return text
                + &format!("Needs a GPU: {}.\n", self.no_gpu.as_deref().unwrap_or("none was measured"));
        }
        let shown: Vec<&str> = present.iter().map(|shown| shown.name).collect();
        let row = |&name: &&str| {
            let cells = instances.iter().map(|instance| time_and_ratio(instance, name, shown[0]));
            std::iter::once(name.to_owned()).chain(cells).collect()
        };
        let mut rows: Vec<Vec<String>> = shown.iter().map(row).collect();
        if figure.contestants.iter().any(|shown| shown.name == PREVROW.name)
            && let Some(references) = instances.iter().map(|one| one.references).collect::<Option<Vec<f64>>>()
        {
            // What the thesis goes by to fetch the previous row or not, beside what that takes.
            let label = "equation 4.2, references per access".to_owned();
            let numbers = references.iter().map(|references| format!("{references:.1}"));
            rows.push(std::iter::once(label).chain(numbers).collect());
        }
        let names = instances.iter().map(|instance| instance.instance.as_str());
        let head: Vec<&str> = std::iter::once("").chain(names).collect();
        text += &markdown_table(&head, &rows);
        let contestants = figure.contestants.iter().map(|shown| shown.name);
        let missing: Vec<&str> = contestants.filter(|name| !shown.contains(name)).collect();
        if !missing.is_empty() {
            text += &format!("\nNot here: {}.\n", missing.join("; "));
        }
        text + &refusals(&instances, &shown)
    }

    fn chart(&self, figure: &Figure) -> Option<DotChart> {
        let present = self.present(figure);
        let group = |instance: &&Measured| {
            let row = |shown: &Shown| {
                let entry = instance.entries.iter().find(|entry| entry.contestant == shown.name)?;
                let times = match &entry.outcome {
                    Outcome::Timed(timed) => Ok(timed.range(Sample::total)),
                    Outcome::NotMeasured(why) => Err(why.clone()),
                };
                let Shown { name, series, rounded } = *shown;
                Some(Row { label: name.to_owned(), series, rounded, times, more: None })
            };
            let rows: Vec<Row> = present.iter().filter_map(row).collect();
            (!rows.is_empty())
                .then(|| Group { title: format!("{}: {}", instance.instance, instance.size), rows })
        };
        let groups: Vec<Group> = self.instances(figure).iter().filter_map(group).collect();
        (!groups.is_empty()).then(|| DotChart {
            title: format!("Figure {}: {}", figure.number, figure.title),
            subtitle: match &self.no_gpu {
                Some(_) => format!("{}; no GPU", self.machine.cpu),
                None => format!("{}; {}", self.machine.cpu, self.machine.gpu),
            },
            meanings: None,
            groups,
        })
    }

    fn deviations(&self) -> String {
        let head = ["", "points", "exact points", "spurious", "missing", "wrong U <= 1"];
        let row = |name: String, deviation: &Deviation| {
            let Deviation { points, exact_points, spurious, missing, wrong_verdicts } = deviation;
            let counts = [points, exact_points, spurious, missing, wrong_verdicts];
            std::iter::once(name).chain(counts.map(ToString::to_string)).collect::<Vec<_>>()
        };
        let of_variant = |deviation: &VariantDeviation| {
            let sets = (1..).zip(&deviation.task_sets);
            let mut rows: Vec<Vec<String>> = sets
                .map(|(number, set)| row(format!("{}, task set {number}", deviation.variant), set))
                .collect();
            rows.push(row(
                format!("{}, {} small sets", deviation.variant, self.sets_at_one),
                &deviation.at_one,
            ));
            rows
        };
        let rows: Vec<Vec<String>> = self.deviations.iter().flat_map(of_variant).collect();
        format!(
            "\n## What floats get wrong\n\nEvery design that a float table finds is summed again exactly. Spurious: it \
             is not on the front. Missing: a point of the front that was not found. Wrong: its U <= 1 is decided \
             wrongly. Each of the small sets has a design of utilization exactly 1.\n\n{}",
            markdown_table(&head, &rows)
        )
    }
}

/// The median time, and the rate as a multiple of `first`'s if both do the same work.
fn time_and_ratio(instance: &Measured, name: &str, first: &str) -> String {
    let timed = |name: &str| {
        let entry = instance.entries.iter().find(|entry| entry.contestant == name)?;
        entry.outcome.timed()
    };
    match (timed(name), timed(first)) {
        (Some(own), Some(base)) if name != first && name != BEST.name && own.does_the_work_of(base) => {
            format!("{} ({})", duration(own.total()), ratio(own.rate() / base.rate()))
        }
        (Some(own), _) => duration(own.total()),
        (None, _) => "–".into(),
    }
}

/// The contestants that were not measured, with the reasons, and those whose times mean little.
fn refusals(instances: &[&Measured], present: &[&str]) -> String {
    let mut text = String::new();
    for instance in instances {
        for entry in instance.entries.iter().filter(|entry| present.contains(&entry.contestant.as_str())) {
            let about = format!("{} on {}", entry.contestant, instance.instance);
            match &entry.outcome {
                Outcome::NotMeasured(why) => text += &format!("\n- {about}: {why}\n"),
                Outcome::Timed(timed) if timed.disturbed() => {
                    text +=
                        &format!("\n- {about}: disturbed, it waited for a core that other programs had\n");
                }
                Outcome::Timed(_) => {}
            }
        }
    }
    text
}
