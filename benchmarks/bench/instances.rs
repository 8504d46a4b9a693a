//! The papers' instances, by name.

use super::BenchError;
use clap::ValueEnum;
use isx_exact::sampling::IntRange;
use isx_problems::mckp::Mckp;
use isx_problems::mckp::generate::{Correlation, MckpRecipe, generate_mckp, table_5_2, table_5_3};

/// A family of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Family {
    /// A few hundred cells, for tests of the benchmark itself.
    #[value(hide = true)]
    Tiny,
    /// The first two rows of Table 5.2.
    Small,
    /// Table 5.2: uncorrelated.
    Paper,
    /// Table 5.3: uncorrelated, similar weights within each class.
    Spread,
    /// Weakly and strongly correlated, of the size of row 4 of Table 5.2.
    Correlated,
}

/// A problem with its name and the recipe that generates it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// For example `strong (50, 390500)`.
    pub name: String,
    /// The recipe.
    pub recipe: MckpRecipe,
    /// The problem.
    pub problem: Mckp<i64>,
}

impl Instance {
    /// Follows a recipe.
    /// Fails when the recipe cannot be followed.
    pub fn new(recipe: MckpRecipe) -> Result<Self, BenchError> {
        let size = format!("({}, {})", recipe.classes, recipe.capacity);
        let name = match recipe.spread {
            Some(spread) => format!("spread {spread} {size}"),
            None => format!("{} {size}", recipe.kind),
        };
        Ok(Self { name, problem: generate_mckp(&recipe)?, recipe })
    }

    /// Items of all classes.
    pub fn items(&self) -> usize {
        self.problem.classes.iter().map(Vec::len).sum()
    }
}

impl Family {
    /// The recipes of the family, in the papers' order.
    pub fn recipes(self) -> Vec<MckpRecipe> {
        let rows = |rows: std::ops::RangeInclusive<usize>, table: fn(usize) -> Option<MckpRecipe>| {
            rows.filter_map(table).collect()
        };
        match self {
            Self::Tiny => tiny(),
            Self::Small => rows(1..=2, table_5_2),
            Self::Paper => rows(1..=5, table_5_2),
            Self::Spread => rows(1..=5, table_5_3),
            Self::Correlated => table_5_2(4)
                .into_iter()
                .flat_map(|recipe| {
                    [Correlation::Weak, Correlation::Strong].map(|kind| MckpRecipe { kind, ..recipe })
                })
                .collect(),
        }
    }
}

fn tiny() -> Vec<MckpRecipe> {
    let items = IntRange { low: 2, high: 9 };
    let range = IntRange { low: 1, high: 40 };
    let tiny = MckpRecipe {
        classes: 4,
        capacity: 120,
        items,
        values: range,
        weights: range,
        ..MckpRecipe::default()
    };
    vec![tiny, MckpRecipe { kind: Correlation::Strong, ..tiny }, MckpRecipe { spread: Some(3), ..tiny }]
}

/// The recipes of several families, without duplicates.
pub fn recipes(families: &[Family]) -> Vec<MckpRecipe> {
    let mut families = families.to_vec();
    families.sort_unstable();
    families.dedup();
    let mut recipes: Vec<MckpRecipe> = Vec::new();
    for recipe in families.into_iter().flat_map(Family::recipes) {
        if !recipes.contains(&recipe) {
            recipes.push(recipe);
        }
    }
    recipes
}
