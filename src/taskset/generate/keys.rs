//! A recipe from texts, key by key: the keys of a sweep's specification are the flags of `isx generate taskset`.

use super::check;
use super::recipe::{
    Catalog, GeneratedResources, RecipeError, SharedBlocks, TaskNames, TaskSetRecipe, default_utilization,
};
use crate::model::{Scheduler, cores_in};
use isx_exact::quantity::{Rational, parse_decimal};
use isx_exact::sampling::{DecimalRange, IntRange};
use std::fmt::Display;
use std::str::FromStr;

/// The keys: the names of the flags, but for the seed, with `_` in place of `-`.
pub const KEYS: &[&str] = &[
    "name",
    "recipe",
    "tasks",
    "utilization",
    "max_task_utilization",
    "utilizations",
    "clock_mhz",
    "periods",
    "choices",
    "area",
    "area_unit",
    "resources",
    "savings",
    "catalog",
    "deadlines",
    "scheduler",
    "blocks",
    "uses",
    "block_area",
    "fmax",
    "cores",
    "core_area",
    "modes",
    "switch",
    "jitter",
    "blocking",
    "nonpreemptive",
];

/// Why the value of a key is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} {message}")]
pub struct KeyProblem {
    /// The key.
    pub key: String,
    /// The value with what is wrong about it.
    pub message: String,
}

fn read<T: FromStr<Err: Display>>(key: &str, text: &str) -> Result<T, KeyProblem> {
    text.parse().map_err(|problem: T::Err| wrong(key, text, &problem))
}

fn wrong(key: &str, text: &str, problem: &dyn Display) -> KeyProblem {
    let problem = problem.to_string();
    // Some of the problems name the value themselves.
    let own = format!("{key} {text}: ");
    let message = problem.strip_prefix(&own).unwrap_or(&problem);
    let message = if message.contains(text) { message.to_owned() } else { format!("{text}: {message}") };
    KeyProblem { key: key.to_owned(), message }
}

fn decimal(key: &str, text: &str) -> Result<Rational, KeyProblem> {
    parse_decimal(text).map_err(|problem| wrong(key, text, &problem))
}

/// The checked recipe with these values of [`KEYS`]; what is not given is as usual.
///
/// ```
/// use isx_taskset::generate::recipe_of;
/// let recipe = recipe_of(&[("tasks", "12"), ("choices", "4..8")]).unwrap();
/// assert!(recipe.to_string().starts_with("--name generated --tasks 12 --utilization 1.5 "));
/// let problem = recipe_of(&[("tasks", "12"), ("choices", "8..4")]).unwrap_err();
/// assert_eq!(problem.to_string(), "choices the range `8..4` is empty: its low end is above its high end");
/// ```
/// Fails with the first key that is unknown or whose value is wrong.
pub fn recipe_of(given: &[(&str, &str)]) -> Result<TaskSetRecipe, KeyProblem> {
    let named = given.iter().find(|(key, _)| *key == "recipe");
    let mut recipe = match named {
        Some((_, name)) => TaskSetRecipe::named(name).map_err(|error| of_recipe(&error))?,
        None => TaskSetRecipe::default(),
    };
    let (mut tasks, mut catalog): (Option<TaskNames>, Option<Catalog>) = (None, None);
    let (mut utilization, mut area): (Option<Rational>, Option<DecimalRange>) = (None, None);
    let (mut blocks, mut uses): (Option<u64>, Option<IntRange>) = (None, None);
    let (mut block_area, mut fmax): (Option<DecimalRange>, Option<DecimalRange>) = (None, None);
    let (mut cores, mut core_area) = (None, Rational::default());
    for &(key, text) in given {
        match key {
            "name" => text.clone_into(&mut recipe.name),
            "recipe" => {}
            "tasks" => tasks = Some(read(key, text)?),
            "utilization" => utilization = Some(decimal(key, text)?),
            "max_task_utilization" => recipe.max_task_utilization = decimal(key, text)?,
            "utilizations" => recipe.utilizations = read(key, text)?,
            "clock_mhz" => recipe.clock_mhz = read(key, text)?,
            "periods" => recipe.periods = read(key, text)?,
            "choices" => recipe.choices = read(key, text)?,
            "area" => area = Some(read(key, text)?),
            "area_unit" => text.clone_into(&mut recipe.area_unit),
            "resources" => recipe.resources = read::<GeneratedResources>(key, text)?,
            "savings" => recipe.savings = read(key, text)?,
            // The text of the file rather than its name: a specification is whole without others.
            "catalog" => {
                catalog = Some(Catalog::read("catalog.csv", text).map_err(|error| of_recipe(&error))?)
            }
            "deadlines" => recipe.deadlines = read(key, text)?,
            "scheduler" => {
                let named = Scheduler::named(text);
                recipe.scheduler = named.ok_or_else(|| wrong(key, text, &"write edf, rm, dm or fixed"))?;
            }
            "blocks" => blocks = Some(read(key, text)?),
            "uses" => uses = Some(read(key, text)?),
            "block_area" => block_area = Some(read(key, text)?),
            "fmax" => fmax = Some(read(key, text)?),
            "cores" => cores = Some(cores_in(text).map_err(|problem| wrong(key, text, &problem))?),
            "core_area" => core_area = decimal(key, text)?,
            "modes" => recipe.modes = read(key, text)?,
            "switch" => recipe.kernel.switch = read(key, text)?,
            "jitter" => recipe.kernel.jitter = Some(read(key, text)?),
            "blocking" => recipe.kernel.blocking = Some(read(key, text)?),
            "nonpreemptive" => recipe.kernel.nonpreemptive = Some(read(key, text)?),
            _ => return Err(wrong(key, text, &"there is no such key")),
        }
    }
    let is_given = |key: &str| given.iter().any(|(other, _)| *other == key);
    let needs = |keys: &[&str], other: &str| match keys.iter().find(|key| is_given(key) && !is_given(other)) {
        Some(key) => Err(wrong(key, "", &format!("stands without `{other}`"))),
        None => Ok(()),
    };
    needs(&["uses", "block_area", "fmax"], "blocks")?;
    needs(&["core_area"], "cores")?;
    if let Some(key) =
        ["area", "resources", "savings"].into_iter().find(|key| is_given(key) && catalog.is_some())
    {
        return Err(wrong(key, "", &"cannot be combined with `catalog`, which replaces it"));
    }
    if let Some(key) = ["area", "area_unit"].into_iter().find(|key| is_given(key) && is_given("resources")) {
        return Err(wrong(key, "", &"cannot be combined with `resources`, which replaces it"));
    }
    recipe.tasks = tasks.unwrap_or_else(|| TaskNames::Numbered(recipe.utilizations.default_tasks()));
    recipe.area = area.unwrap_or(recipe.area);
    if let Some(catalog) = catalog {
        recipe = recipe.with_catalog(catalog);
    }
    recipe.area = recipe.resources.all.first().map_or(recipe.area, |(_, range)| *range);
    recipe.blocks = blocks.map(|count| SharedBlocks {
        count,
        uses: uses.unwrap_or_else(|| SharedBlocks::default_uses(count)),
        area: block_area.unwrap_or(recipe.area),
        fmax,
    });
    recipe.cores = cores.map(|count| (count, core_area));
    recipe.utilization = utilization
        .unwrap_or_else(|| default_utilization(recipe.tasks.count(), &recipe.max_task_utilization));
    check(&recipe).map_err(|error| of_recipe(&error))?;
    Ok(recipe)
}

/// The key that a recipe's error is about.
fn of_recipe(error: &RecipeError) -> KeyProblem {
    let key = match error {
        RecipeError::Field { field, .. } => field.replace('-', "_"),
        RecipeError::Period(_) => "periods".to_owned(),
        RecipeError::Range(_) | RecipeError::Discarded { .. } => "utilization".to_owned(),
        RecipeError::Catalog { .. } => "catalog".to_owned(),
    };
    let message = match error {
        RecipeError::Field { value, must, .. } => format!("{value}: {must}"),
        error => error.to_string(),
    };
    KeyProblem { key, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_name_the_key_and_what_to_write() {
        for (given, problem) in [
            ("tasks=0", "tasks 0: there must be 1 to 40000 tasks"),
            ("clock_mhz=fast", "clock_mhz fast: invalid digit found in string"),
            ("scheduler=lifo", "scheduler lifo: write edf, rm, dm or fixed"),
            ("catalog=area", "catalog catalog.csv:1:1: there is no column `speedup`: write area,speedup"),
            ("savings=much", "savings much: write uncorrelated:LOW..HIGH or correlated:LOW..HIGH"),
            (
                "catalog=area,speedup\n12,2\n area=1..2",
                "area cannot be combined with `catalog`, which replaces it",
            ),
            ("uses=1..2", "uses stands without `blocks`"),
            ("area=1..2 resources=LUT:1..9", "area cannot be combined with `resources`, which replaces it"),
            ("resources=LUT", "resources write NAME:LOW..HIGH for each, for example LUT:1..1500,DSP:0..4"),
            ("resources=LUT:1..2,LUT:0..1", "resources LUT: a resource may be given once only"),
            (
                "resources=name:1..2",
                "resources name: write a letter, then letters, digits, `-`, `_` and `.`, but not `name`",
            ),
            ("switch=2000000000", "switch 2000000000: a switch takes up to 10^9 cycles"),
        ] {
            let given: Vec<(&str, &str)> = given.split(' ').filter_map(|pair| pair.split_once('=')).collect();
            assert_eq!(recipe_of(&given).unwrap_err().to_string(), problem);
        }
    }
}
