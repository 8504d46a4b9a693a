//! `isx-bench boyer`: the 0-1 engines on instances like Boyer's, for one capacity with its items and for all
//! capacities.
//!
//! V. Boyer, D. El Baz and M. Elkihel, "Solving knapsack problems on GPU", Computers & Operations Research 39, 2012,
//! Tables 1 to 3: w in 1..1000, p = w + 50, half the weight as capacity, 10,000 to 100,000 items. Both their
//! instances and the generator's are random. Engines that compress decisions report the compression factor, as in the
//! paper's Table 1.

use super::BenchError;
use super::comparison::Comparison;
use super::knapsack::{Case, TITLE, measure};
use super::runner::Settings;
use isx_knapsack::Wanted;
use isx_problems::knapsack::generate::{Kind, KnapsackRecipe, generate_knapsack};

/// Which instances.
pub struct Sizes<'a> {
    /// Numbers of items.
    pub items: &'a [u64],
    /// Index of the recipe's problem.
    pub seed: u64,
    /// Kinds of instances; Boyer's if empty.
    pub kinds: &'a [Kind],
}

/// Generates and measures.
///
/// # Errors
///
/// As [`measure`], and when a recipe is out of range.
pub fn run(
    sizes: &Sizes,
    engines: &[String],
    settings: &Settings,
    command: String,
) -> Result<Comparison, BenchError> {
    let kinds = if sizes.kinds.is_empty() { &[Kind::Boyer][..] } else { sizes.kinds };
    let recipes = kinds.iter().flat_map(|&kind| {
        let recipe =
            move |&items| KnapsackRecipe { kind, items, seed: sizes.seed, ..KnapsackRecipe::default() };
        sizes.items.iter().map(recipe)
    });
    let asked = recipes.flat_map(|recipe| {
        [(Wanted::Best, "one capacity"), (Wanted::AllValues, "all capacities")]
            .map(|asked| (recipe.clone(), asked))
    });
    let cases = asked.map(|(recipe, (wanted, words))| {
        Ok(Case {
            name: format!("{}, {} items, {words}", recipe.kind, recipe.items),
            problem: generate_knapsack(&recipe)?,
            wanted,
            optimum: None,
            recorded: None,
        })
    });
    let about = format!(
        "Instances of `isx generate knapsack --kind KIND --items N --seed {}`; the items of one capacity, and the values of \
         all of them.",
        sizes.seed
    );
    let problems = measure(cases, engines, settings)?;
    Ok(Comparison::new(TITLE, command, about, &settings.machine, problems))
}
