//! `isx-papers boyer`: the 0-1 engines on instances like Boyer's, for one capacity with its items and for all
//! capacities.
//!
//! V. Boyer, D. El Baz and M. Elkihel, "Solving knapsack problems on GPU", Computers & Operations Research 39, 2012,
//! Tables 1 to 3: w in 1..1000, p = w + 50, half the weight as capacity, 10,000 to 100,000 items. Both their
//! instances and the generator's are random. Engines that compress decisions report the compression factor, as in the
//! paper's Table 1, and count its time as their traceback. Whether the paper's time of compression contains the transfer
//! of the words, it does not say; here it does.

use isx_bench::BenchError;
use isx_bench::charts::chart::Series;
use isx_bench::charts::measured::{duration, ratio};
use isx_bench::comparison::{Comparison, Entry, Problem, Table};
use isx_bench::knapsack::{Case, Entrants, TITLE, measure_one};
use isx_bench::runner::Settings;
use isx_bench::timed::{Sample, Timed};
use isx_knapsack::Wanted;
use isx_problems::knapsack::generate::{Kind, KnapsackRecipe, generate_knapsack};

/// Which instances.
pub struct Sizes<'a> {
    /// Numbers of items.
    pub items: &'a [u64],
    /// Index of the recipe's problem, the first of `each`.
    pub seed: u64,
    /// Instances of each size; of several, for one capacity only.
    pub each: u64,
}

/// The engines to measure: the paper's method and the product's best, unless others are named.
pub fn engines(named: &[String], on_gpu: bool) -> Vec<String> {
    let usual: &[&str] = if on_gpu { &["boyer", "core", "cuda-boyer", "cuda"] } else { &["boyer", "core"] };
    if named.is_empty() { usual.iter().map(|&name| name.to_owned()).collect() } else { named.to_vec() }
}

/// Generates and measures.
/// Fails as [`measure_one`], and when a recipe is out of range.
pub fn run(
    sizes: &Sizes,
    engines: &[String],
    settings: &Settings,
    command: String,
) -> Result<Comparison, BenchError> {
    let kind = Kind::Boyer;
    let recipe = |items, copy| {
        let seed = sizes.seed + copy;
        KnapsackRecipe { kind, items, seed, ..KnapsackRecipe::default() }
    };
    let questions = [(Wanted::Best, "one capacity"), (Wanted::AllValues, "all capacities")];
    let questions = if sizes.each > 1 { &questions[..1] } else { &questions[..] };
    let mut cases = Vec::new();
    for &items in sizes.items {
        for (copy, &(wanted, words)) in
            (0..sizes.each).flat_map(|copy| questions.iter().map(move |one| (copy, one)))
        {
            let which = if copy == 0 { String::new() } else { format!(", seed {}", sizes.seed + copy) };
            cases.push((recipe(items, copy), wanted, format!("{kind}, {items} items, {words}{which}")));
        }
    }
    let several = if sizes.each > 1 { format!(" to {}", sizes.seed + sizes.each - 1) } else { String::new() };
    let about = format!(
        "Instances of `isx generate knapsack --kind boyer --items N --seed {}`{several}; the items of one capacity, and of \
         single instances the values of all of them.",
        sizes.seed
    );
    let entrants = Entrants { names: engines, also: &isx_papers::boyer::ENGINES };
    let problems = cases.into_iter().map(|(recipe, wanted, name)| {
        let problem = generate_knapsack(&recipe)?;
        measure_one(&Case { name, problem, wanted, optimum: None, recorded: None }, entrants, settings, true)
    });
    let problems = problems.collect::<Result<Vec<_>, BenchError>>()?;
    let tables = tables_1_to_3(sizes, &problems).into_iter().collect();
    Ok(Comparison { tables, ..Comparison::new(TITLE, command, about, &settings.machine, problems) })
}

/// Tables 1 to 3 of the paper: items, factor of compression, and seconds in parallel, sequential, of compression in
/// parallel and sequential; it stopped the last sequential run at 7200 s.
const PAPER: [(u64, [f64; 5]); 10] = [
    (10_000, [0.00309, 3.06, 58.95, 0.11, 1.08]),
    (20_000, [0.00155, 11.97, 226.66, 0.31, 4.16]),
    (30_000, [0.00103, 26.57, 536.14, 0.71, 9.27]),
    (40_000, [0.00077, 47.43, 1225.52, 1.23, 18.66]),
    (50_000, [0.00062, 73.55, 1912.43, 1.85, 25.66]),
    (60_000, [0.00051, 105.93, 2752.81, 3.25, 38.14]),
    (70_000, [0.00044, 143.98, 3739.74, 3.61, 50.15]),
    (80_000, [0.00038, 183.15, 4771.55, 4.69, 64.09]),
    (90_000, [0.00034, 238.57, 6184.28, 5.95, 82.56]),
    (100_000, [0.00031, 289.21, f64::INFINITY, 7.16, f64::INFINITY]),
];

type Show = fn(f64) -> String;

/// The means of the paper's method, on a GPU and on the CPU, beside the paper's; none where neither ran on its sizes.
fn tables_1_to_3<'a>(sizes: &Sizes, problems: &'a [Problem]) -> Option<Table> {
    let mut rows = Vec::new();
    for &items in sizes.items {
        let name = format!("{}, {items} items, one capacity", Kind::Boyer);
        let of = |series| -> Vec<(f64, &Timed)> {
            let of_size = problems.iter().filter(|problem| problem.name.starts_with(&name));
            let entries = of_size.flat_map(|one| &one.entries).filter(|entry| entry.series == series);
            let compressing = |entry: &'a Entry| {
                let timed = entry.outcome.timed()?;
                Some((factor(&timed.ran_on)?, timed))
            };
            entries.filter_map(compressing).collect()
        };
        let (gpu, cpu) = (of(Series::Gpu), of(Series::Cpu));
        let mean = |runs: &[(f64, &Timed)], figure: fn(&Sample) -> f64| {
            runs.iter().map(|(_, run)| run.median(figure)).sum::<f64>() / runs.len() as f64
        };
        let factors: Vec<f64> = gpu.iter().chain(&cpu).map(|(factor, _)| *factor).collect();
        if factors.is_empty() {
            continue;
        }
        let paper = PAPER.iter().find(|row| row.0 == items);
        let [factor_there, gpu_there, cpu_there, gpu_compressing_there, cpu_compressing_there] =
            paper.map_or([f64::NAN; 5], |row| row.1);
        let [gpu_total, cpu_total] = [&gpu, &cpu].map(|runs| mean(runs, Sample::total));
        let decimals = |factor: f64| format!("{factor:.5}");
        let figures: [(f64, Show); 12] = [
            (factors.iter().sum::<f64>() / factors.len() as f64, decimals),
            (factor_there, decimals),
            (gpu_total, duration),
            (gpu_there, duration),
            (mean(&gpu, |run| run.traceback), duration),
            (gpu_compressing_there, duration),
            (cpu_total, duration),
            (cpu_there, duration),
            (mean(&cpu, |run| run.traceback), duration),
            (cpu_compressing_there, duration),
            (cpu_total / gpu_total, ratio),
            (cpu_there / gpu_there, ratio),
        ];
        let shown = figures.map(|(value, show)| if value.is_finite() { show(value) } else { "–".into() });
        let counts = format!("{}, {}", gpu.len(), cpu.len());
        rows.push([items.to_string(), counts].into_iter().chain(shown).collect());
    }
    let head = "n|instances|factor|there|GPU|there|its compression|there|CPU|there|its compression|there|speed-up|there";
    (!rows.is_empty()).then(|| Table {
        title: "Boyer's Tables 1 to 3: compression, times, speed-up".into(),
        about: "Means over the instances (on the GPU, on the CPU); there of ten instances, a GTX 260 and one core of a Xeon \
                at 3.0 GHz. The paper's method on both; the CPU's takes all threads that are allowed."
            .into(),
        head: head.split('|').map(str::to_owned).collect(),
        rows,
    })
}

/// The factor of compression at the end of an engine's words.
fn factor(ran_on: &str) -> Option<f64> {
    ran_on.rsplit_once("compression ")?.1.trim_end_matches(')').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn means_of_several_instances_stand_beside_the_papers() {
        let machine = isx_machine::Machine::default();
        let settings = Settings { repeat: 0, patience: Duration::from_secs(9), machine, tell: &|_| {} };
        let sizes = Sizes { items: &[100, 300], seed: 3, each: 2 };
        let report =
            run(&sizes, &["boyer".into(), "core".into()], &settings, "isx-papers boyer".into()).unwrap();
        assert_eq!(report.problems.len(), 4);
        assert!(report.problems.iter().all(|problem| problem.answer.contains("2 engines that agree")));
        let rows = &report.tables[0].rows;
        assert_eq!([&rows[0][..2], &rows[1][..2]], [["100", "0, 2"], ["300", "0, 2"]]);
        for (at, items) in [100, 300].into_iter().enumerate() {
            let of = |problem: &&Problem| problem.name.contains(&format!(" {items} "));
            let runs = report.problems.iter().filter(of).map(|one| one.entries[0].outcome.timed().unwrap());
            let factors: Vec<f64> = runs.map(|run| factor(&run.ran_on).unwrap()).collect();
            assert!(factors.len() == 2 && factors.iter().all(|&factor| factor > 0.0 && factor < 1.0));
            assert_eq!(rows[at][2], format!("{:.5}", f64::midpoint(factors[0], factors[1])));
            // Neither has the paper this size, nor did a GPU run in this test.
            assert_eq!([&rows[at][3], &rows[at][4], &rows[at][12]], ["–"; 3]);
        }
        assert!(report.markdown().contains("Boyer's Tables 1 to 3"));
    }
}
