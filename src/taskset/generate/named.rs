//! Recipes of papers, by name: how they draw utilizations, periods and deadlines. Everything else, and what is given
//! besides the name, is as in any recipe.

use super::error::{RecipeError, field};
use super::recipe::TaskSetRecipe;

/// A recipe of a paper.
pub struct NamedRecipe {
    /// Its name.
    pub name: &'static str,
    /// The paper, and what of it is ours.
    pub source: &'static str,
    /// Utilizations, periods and deadlines as flags have them.
    pub draws: [&'static str; 3],
}

/// All of them.
pub const RECIPES: [NamedRecipe; 3] = [
    NamedRecipe {
        name: "davis-burns-2009",
        source: "R. Davis and A. Burns, \"Priority Assignment for Global Fixed Priority Pre-emptive Scheduling in \
                 Multiprocessor Real-Time Systems\", RTSS 2009; the step of the periods is ours",
        draws: ["uunifast", "10ms..1s/1ms", "slack:0.000..1.000"],
    },
    NamedRecipe {
        name: "emberson-2010",
        source: "P. Emberson, R. Stafford and R. Davis, \"Techniques for the Synthesis of Multiprocessor Tasksets\", \
                 WATERS 2010; the range of the periods is ours",
        draws: ["fixed-sum", "10ms..1s/10ms", "implicit"],
    },
    NamedRecipe {
        name: "kramer-2015",
        source: "S. Kramer, D. Ziegenbein and A. Hamann, \"Real World Automotive Benchmarks for Free\", WATERS 2015; \
                 the utilizations are ours",
        draws: ["fixed-sum", "automotive", "implicit"],
    },
];

impl TaskSetRecipe {
    /// The default recipe with what a paper draws otherwise.
    ///
    /// ```
    /// use isx_taskset::recipe::TaskSetRecipe;
    /// let recipe = TaskSetRecipe::named("kramer-2015").unwrap();
    /// assert_eq!(recipe.periods.to_string(), "automotive");
    /// ```
    /// Fails if there is none of this name.
    pub fn named(name: &str) -> Result<Self, RecipeError> {
        const MUST: &str = "write davis-burns-2009, emberson-2010 or kramer-2015";
        let found = RECIPES.iter().find(|recipe| recipe.name == name);
        let [utilizations, periods, deadlines] = found.ok_or_else(|| field("recipe", name, MUST))?.draws;
        Ok(Self {
            utilizations: utilizations.parse()?,
            periods: periods.parse()?,
            deadlines: deadlines.parse()?,
            ..Self::default()
        })
    }
}
