//! The resources of a generated task set: their recipe, the random draws, and their text.
//!
//! The first resource takes the place of the area. The others are drawn after everything else, so that tasks, first
//! amounts and blocks do not depend on them. Of a resource whose range begins at 0 most hardware takes nothing, as few
//! custom instructions need a multiplier or a memory of their own: three in ten take some.

use super::error::{RecipeError, field, require};
use crate::model::{MAX_RESOURCES, resource_name_problem};
use isx_exact::sampling::{DecimalRange, Sampler};
use std::fmt;
use std::str::FromStr;

/// Of hardware that need not take a resource, how many in ten do.
const USED_IN_TEN: u64 = 3;

/// The maximum number of amounts of all choices together: such a file has fewer than 10^6 YAML nodes.
const MAX_AMOUNTS: u64 = 30_000;

/// The resources of a recipe, each with the range of the amounts that choices take; none if the set has one area.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedResources {
    /// Names and ranges; the decimals of a range set the resolution.
    pub all: Vec<(String, DecimalRange)>,
}

impl GeneratedResources {
    /// Whether the set has one area.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Checks everything except the ranges themselves.
    pub(super) fn check(&self, choices: u64) -> Result<(), RecipeError> {
        let must = "there may be up to 16 resources";
        require(self.all.len() <= MAX_RESOURCES, "resources", self.all.len(), must)?;
        for (at, (name, _)) in self.all.iter().enumerate() {
            let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
                && resource_name_problem(name).is_none();
            let must = "write a letter, then letters, digits, `-`, `_` and `.`, but not `name`";
            require(is_plain, "resources", name, must)?;
            let is_new = self.all[..at].iter().all(|(other, _)| other != name);
            require(is_new, "resources", name, "a resource may be given once only")?;
        }
        let amounts = (self.all.len() as u64).saturating_mul(choices);
        let must =
            "all choices together may have up to 30000 amounts: take fewer tasks, choices or resources";
        require(amounts <= MAX_AMOUNTS, "resources", self, must)
    }

    /// Draws an amount of every resource but the first.
    pub(super) fn draw_others(&self, sampler: &mut Sampler) -> Vec<u64> {
        let draw = |(_, range): &(String, DecimalRange)| match range.low {
            0 if range.high == 0 || sampler.uniform(1, 10) > USED_IN_TEN => 0,
            low => sampler.uniform(low.max(1), range.high),
        };
        self.all.iter().skip(1).map(draw).collect()
    }

    /// How far the amounts lie in their ranges, up to half of `width` for each resource but the first.
    pub(super) fn reach(&self, others: &[u64], width: u64) -> u64 {
        let part = |((_, range), amount): (&(String, DecimalRange), &u64)| {
            (u128::from(*amount) * u128::from(width) / u128::from(2 * range.high.max(1))) as u64
        };
        self.all.iter().skip(1).zip(others).map(part).sum()
    }

    /// `cost` and `{LUT: 41, DSP: 4}`, or `area` and `41` if the set has one area; `area` is the range of the first amount.
    pub(super) fn price(&self, area: DecimalRange, first: u64, others: &[u64]) -> (&'static str, String) {
        if self.is_empty() {
            return ("area", area.text(first));
        }
        let ranges = std::iter::once(area).chain(self.all.iter().skip(1).map(|(_, range)| *range));
        let amounts = self.all.iter().zip(ranges).zip(std::iter::once(&first).chain(others));
        let amounts = amounts.filter(|(_, amount)| **amount > 0);
        let amounts: Vec<String> =
            amounts.map(|(((name, _), range), amount)| format!("{name}: {}", range.text(*amount))).collect();
        ("cost", format!("{{{}}}", amounts.join(", ")))
    }
}

impl fmt::Display for GeneratedResources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.all.iter().map(|(name, range)| format!("{name}:{range}")).collect();
        f.write_str(&all.join(","))
    }
}

impl FromStr for GeneratedResources {
    type Err = RecipeError;

    /// Parses `LUT:1..1500,DSP:0..4`.
    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let resource = |part: &str| -> Result<(String, DecimalRange), RecipeError> {
            let must = "write NAME:LOW..HIGH for each, for example LUT:1..1500,DSP:0..4";
            let (name, range) = part.split_once(':').ok_or_else(|| field("resources", part, must))?;
            Ok((name.trim().to_owned(), range.trim().parse()?))
        };
        Ok(Self { all: text.split(',').map(resource).collect::<Result<_, _>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::recipe::TaskSetRecipe;
    use super::super::{KeyProblem, generate, recipe_of};
    use crate::{TaskSet, read_str};
    use num_traits::Zero;

    /// A recipe with these resources, and further keys.
    fn recipe(resources: &str, more: &[(&str, &str)]) -> Result<TaskSetRecipe, KeyProblem> {
        recipe_of(&[&[("resources", resources), ("tasks", "30"), ("choices", "8")], more].concat())
    }

    fn set(recipe: &TaskSetRecipe) -> TaskSet {
        read_str("x", &generate(recipe).unwrap()).unwrap_or_else(|error| panic!("{error}")).task_set
    }

    #[test]
    fn the_others_are_drawn_last_and_taken_by_three_in_ten() {
        let more = [("blocks", "9"), ("uses", "0..2"), ("block_area", "5..9")];
        let drawn = |resources: &str| set(&recipe(resources, &more).unwrap());
        let (several, alone) = (drawn("LUT:1..1500,DSP:0..4,BRAM:0.5..3.0"), drawn("LUT:1..1500"));
        let resources = &several.resources;
        assert_eq!(resources.names, ["LUT", "DSP", "BRAM"]);
        assert!(alone.is_one_area() && alone.area_unit() == "LUT");
        let choices =
            |set: &TaskSet| set.tasks.iter().flat_map(|task| task.choices.clone()).collect::<Vec<_>>();
        for (one, other) in choices(&several).iter().zip(choices(&alone)) {
            assert_eq!(
                (&one.cost[0], &one.wcets[0], &one.uses),
                (&other.cost[0], &other.wcets[0], &other.uses)
            );
        }
        let area: Vec<_> = alone.blocks.iter().map(|block| &block.cost[0]).collect();
        assert_eq!(several.blocks.iter().map(|block| &block.cost[0]).collect::<Vec<_>>(), area);
        let all = choices(&several);
        let with_dsp = all.iter().filter(|choice| !choice.cost[1].is_zero()).count();
        assert!((45..100).contains(&with_dsp), "{with_dsp} of {}", all.len());
        assert!(all.iter().all(|choice| !choice.cost[2].is_zero()), "its range begins above 0");
    }

    #[test]
    fn a_choice_that_takes_more_of_the_others_saves_no_less() {
        let savings = [("savings", "correlated:0.05..0.60")];
        let correlated = |resources: &str| set(&recipe(resources, &savings).unwrap());
        let (several, alone) = (correlated("LUT:1..1500,DSP:0..4"), correlated("LUT:1..1500"));
        let mut more = 0;
        for (task, other) in several.tasks.iter().zip(&alone.tasks) {
            for (choice, other) in task.choices.iter().zip(&other.choices) {
                assert!(choice.wcets[0] <= other.wcets[0]);
                assert!(!choice.cost[1].is_zero() || choice.wcets[0] == other.wcets[0]);
                more += usize::from(choice.wcets[0] < other.wcets[0]);
            }
        }
        assert!(more > 30, "{more}");
    }
}
