//! `isx-bench pisinger`: the classes of hard 0-1 knapsack problems, with small and large coefficients.
//!
//! D. Pisinger, "Where are the hard knapsack problems?", Computers & Operations Research 32, 2005: thirteen classes,
//! coefficients up to R, and of H instances of a series number h has the capacity h / (H + 1) of the total weight.
//! The instances are those of `isx generate knapsack`, not the paper's own random numbers.

use super::BenchError;
use super::comparison::{Comparison, Problem, Table};
use super::knapsack::{Case, Entrants, TITLE, measure_one};
use super::runner::Settings;
use crate::charts::measured::duration;
use crate::timed::median;
use isx_exact::quantity::Rational;
use isx_knapsack::Wanted;
use isx_problems::knapsack::generate::{Kind, KnapsackRecipe, generate_knapsack};

/// The classes, unless others are requested.
pub const CLASSES: [Kind; 13] = [
    Kind::Uncorrelated,
    Kind::Weak,
    Kind::Strong,
    Kind::InverseStrong,
    Kind::AlmostStrong,
    Kind::SubsetSum,
    Kind::SimilarWeights,
    Kind::SpannerUncorrelated,
    Kind::SpannerWeak,
    Kind::SpannerStrong,
    Kind::MultipleStrong,
    Kind::ProfitCeiling,
    Kind::Circle,
];

/// Which instances.
pub struct Classes<'a> {
    /// Of how the coefficients are related.
    pub kinds: &'a [Kind],
    /// Numbers of items.
    pub items: &'a [u64],
    /// Largest coefficients.
    pub ranges: &'a [u64],
    /// Instances of each class, number of items and range: H.
    pub series: u64,
}

/// Generates and measures.
/// Fails as [`measure_one`], and when a recipe is out of range.
pub fn run(
    classes: &Classes,
    entrants: Entrants,
    settings: &Settings,
    command: String,
) -> Result<Comparison, BenchError> {
    let mut groups = Vec::new();
    for &kind in classes.kinds {
        for &items in classes.items {
            // The range is no parameter of this class.
            let ranges = if kind == Kind::SimilarWeights { &classes.ranges[..1] } else { classes.ranges };
            for &range in ranges {
                let problems = (1..=classes.series).map(|number| {
                    let load = Rational::new(number.into(), (classes.series + 1).into());
                    let recipe = KnapsackRecipe {
                        kind,
                        items,
                        range,
                        load,
                        seed: number,
                        ..KnapsackRecipe::default()
                    };
                    measure_one(&case(&recipe)?, entrants, settings, true)
                });
                let class = [kind.to_string(), items.to_string(), range.to_string()];
                groups.push((class, problems.collect::<Result<Vec<Problem>, BenchError>>()?));
            }
        }
    }
    let series = classes.series;
    let about = format!(
        "Instances of `isx generate knapsack --kind KIND --items N --range R --seed h --load h/{}` for h = 1 to {series}; \
         the items of one capacity.",
        series + 1
    );
    let rows = groups.iter().flat_map(|(class, problems)| rows(class, problems)).collect();
    let problems = groups.into_iter().flat_map(|(_, problems)| problems).collect();
    let mut comparison = Comparison::new(TITLE, command, about, &settings.machine, problems);
    let head = ["class", "n", "R", "contestant", "solved", "compared", "median", "most"];
    comparison.tables.push(Table {
        title: "By class".to_owned(),
        about: "Times of the instances that a contestant solved within the patience; every sum was checked, and those \
                compared are equal to another engine's."
            .to_owned(),
        head: head.map(str::to_owned).into(),
        rows,
    });
    Ok(comparison)
}

fn case(recipe: &KnapsackRecipe) -> Result<Case, BenchError> {
    let KnapsackRecipe { kind, items, range, seed, .. } = recipe;
    Ok(Case {
        name: format!("{kind}, {items} items up to {range}, number {seed}"),
        problem: generate_knapsack(recipe)?,
        wanted: Wanted::Best,
        optimum: None,
        recorded: None,
    })
}

/// A row per contestant.
fn rows(class: &[String; 3], problems: &[Problem]) -> Vec<Vec<String>> {
    let Some(first) = problems.first() else { return Vec::new() };
    let row = |(at, name): (usize, String)| {
        let times: Vec<f64> = problems
            .iter()
            .filter_map(|problem| Some(problem.entries.get(at)?.outcome.timed()?.total()))
            .collect();
        let compared = problems.iter().filter(|problem| problem.answer.ends_with("agrees")).count();
        let compared = if first.entries.len() > 1 { "each other".to_owned() } else { compared.to_string() };
        let solved = format!("{} of {}", times.len(), problems.len());
        let most = times.iter().copied().reduce(f64::max);
        let cell = |time: Option<f64>| time.map_or_else(|| "–".to_owned(), duration);
        let middle = most.map(|_| median(times.clone()));
        let figures = [name, solved, compared, cell(middle), cell(most)];
        class.iter().cloned().chain(figures).collect()
    };
    first.entries.iter().map(|entry| entry.name()).enumerate().map(row).collect()
}
