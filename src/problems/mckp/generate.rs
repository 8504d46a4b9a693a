//! Random multiple-choice knapsack problems: a recipe with a seed gives a problem, identical on every machine.
//!
//! The families are those of the papers: values and weights uniform in 1..10000 with 10 to 1024 items per class
//! (Table 5.2 of B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University, 2011),
//! and the same with each class's weights in a narrow window (Table 5.3), where a row of the dynamic program reads
//! few neighbours. The correlation of value and weight determines how much dominance removes (Kellerer, Pferschy and
//! Pisinger, "Knapsack Problems", 2004, chapter 11): nearly all of an uncorrelated class, nearly nothing of a
//! strongly correlated one.
//!
//! Worked instance: kind `strong`, a class of two items with weights 3 and 8 has values 13 and 18.

use super::{Choice, Item, Mckp};
use crate::recipe::{RecipeError, refuse};
use isx_exact::sampling::{IntRange, Sampler};
use std::fmt;
use std::io;
use std::str::FromStr;

/// The maximum total number of items.
pub const MAX_ITEMS: u64 = 100_000_000;

/// The maximum value, weight and capacity.
const MAX_NUMBER: u64 = 1_000_000_000_000;

/// How an item's value depends on its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correlation {
    /// Independent: the value is uniform in its range.
    Uncorrelated,
    /// The weight plus or minus up to 100, at least 1.
    Weak,
    /// The weight plus 10.
    Strong,
}

impl fmt::Display for Correlation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uncorrelated => "uncorrelated",
            Self::Weak => "weak",
            Self::Strong => "strong",
        })
    }
}

impl FromStr for Correlation {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        match text {
            "uncorrelated" => Ok(Self::Uncorrelated),
            "weak" => Ok(Self::Weak),
            "strong" => Ok(Self::Strong),
            _ => Err(refuse("kind", text, "write uncorrelated, weak or strong")),
        }
    }
}

/// All parameters of a generated problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MckpRecipe {
    /// m: the number of classes.
    pub classes: u64,
    /// C: the capacity.
    pub capacity: u64,
    /// The number of items per class.
    pub items: IntRange,
    /// Range of the values for [`Correlation::Uncorrelated`]; the other kinds follow the weight.
    pub values: IntRange,
    /// Range of the weights.
    pub weights: IntRange,
    /// How the value depends on the weight.
    pub kind: Correlation,
    /// The difference between the maximum and the minimum weight of each class of two items or more, reduced to what
    /// `weights` allows. The minimum weight is then at most C / m, so that an answer exists. `None`: unrestricted.
    pub spread: Option<u64>,
    /// The random seed, which selects one of the problems of the recipe.
    pub seed: u64,
}

impl Default for MckpRecipe {
    /// The first row of Table 5.2.
    fn default() -> Self {
        Self {
            classes: 5,
            capacity: 12_665,
            items: IntRange { low: 10, high: 1024 },
            values: IntRange { low: 1, high: 10_000 },
            weights: IntRange { low: 1, high: 10_000 },
            kind: Correlation::Uncorrelated,
            spread: None,
            seed: 1,
        }
    }
}

impl fmt::Display for MckpRecipe {
    /// The flags that reproduce the same problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--classes {} --capacity {} --items {}", self.classes, self.capacity, self.items)?;
        write!(f, " --values {} --weights {} --kind {}", self.values, self.weights, self.kind)?;
        if let Some(spread) = self.spread {
            write!(f, " --spread {spread}")?;
        }
        write!(f, " --seed {}", self.seed)
    }
}

/// Classes and capacity in the five rows of Table 5.2.
pub const TABLE_5_2: [(u64, u64); 5] =
    [(5, 12_665), (10, 15_700), (20, 94_280), (50, 390_500), (100, 303_500)];

/// The weight differences in the five rows of Table 5.3.
pub const TABLE_5_3: [u64; 5] = [10_000, 1_000, 100, 10, 0];

/// Row 1 to 5 of Table 5.2; the seed is the row's number.
pub fn table_5_2(row: usize) -> Option<MckpRecipe> {
    let &(classes, capacity) = TABLE_5_2.get(row.checked_sub(1)?)?;
    Some(MckpRecipe { classes, capacity, seed: row as u64, ..MckpRecipe::default() })
}

/// Row 1 to 5 of Table 5.3; the seed is the row's number.
///
/// The thesis gives neither classes nor capacity for it; these are from the largest row of Table 5.2. In row 1,
/// weights of 1..10000 differ by at most 9999.
pub fn table_5_3(row: usize) -> Option<MckpRecipe> {
    let &spread = TABLE_5_3.get(row.checked_sub(1)?)?;
    Some(MckpRecipe { spread: Some(spread), seed: row as u64, ..table_5_2(5)? })
}

/// Generates a textbook problem, one item per class. Fails if a field of the recipe is out of range.
///
/// ```
/// use isx_problems::mckp::generate::{generate_mckp, table_5_2};
/// let problem = generate_mckp(&table_5_2(3).unwrap()).unwrap();
/// assert_eq!((problem.classes.len(), problem.capacity), (20, 94_280));
/// ```
pub fn generate_mckp(recipe: &MckpRecipe) -> Result<Mckp<i64>, RecipeError> {
    check(recipe)?;
    let mut sampler = Sampler::new(recipe.seed);
    let classes = (0..recipe.classes).map(|_| draw_class(recipe, &mut sampler)).collect();
    Ok(Mckp { classes, capacity: recipe.capacity, choice: Choice::ExactlyOne })
}

fn check(recipe: &MckpRecipe) -> Result<(), RecipeError> {
    if recipe.classes == 0 {
        return Err(refuse("classes", 0, "there must be one class or more"));
    }
    if recipe.capacity > MAX_NUMBER {
        return Err(refuse("capacity", recipe.capacity, "the capacity may be up to 10^12"));
    }
    let ordered = |range: IntRange| range.low <= range.high;
    let items_in_all = recipe.items.high.checked_mul(recipe.classes);
    if !ordered(recipe.items) || recipe.items.low == 0 || items_in_all.is_none_or(|n| n > MAX_ITEMS) {
        let must = "a class needs one item or more, and all classes together may have up to 10^8";
        return Err(refuse("items", recipe.items, must));
    }
    let must = "the low end must be at most the high end, and that at most 10^12";
    for (flag, range) in [("values", recipe.values), ("weights", recipe.weights)] {
        if !ordered(range) || range.high > MAX_NUMBER {
            return Err(refuse(flag, range, must));
        }
    }
    if recipe.spread.is_some() && recipe.capacity / recipe.classes < recipe.weights.low {
        let must =
            "with a spread, the capacity must be at least the smallest weight times the number of classes";
        return Err(refuse("capacity", recipe.capacity, must));
    }
    Ok(())
}

fn draw_class(recipe: &MckpRecipe, sampler: &mut Sampler) -> Vec<Item<i64>> {
    let count = sampler.within(recipe.items);
    let weights = match recipe.spread {
        None => (0..count).map(|_| sampler.within(recipe.weights)).collect(),
        Some(spread) => draw_window(recipe, spread, count, sampler),
    };
    weights
        .into_iter()
        .map(|weight| {
            let value = match recipe.kind {
                Correlation::Uncorrelated => sampler.within(recipe.values) as i64,
                Correlation::Weak => (weight as i64 + sampler.uniform(0, 200) as i64 - 100).max(1),
                Correlation::Strong => weight as i64 + 10,
            };
            Item { value, weight }
        })
        .collect()
}

/// Weights in a window specific to the class; two of them, at random positions, are its ends.
fn draw_window(recipe: &MckpRecipe, spread: u64, count: u64, sampler: &mut Sampler) -> Vec<u64> {
    let IntRange { low, high } = recipe.weights;
    let width = spread.min(high - low);
    let start = sampler.uniform(low, (high - width).min(recipe.capacity / recipe.classes));
    let mut weights: Vec<u64> = (0..count).map(|_| sampler.uniform(start, start + width)).collect();
    let first = sampler.uniform(0, count - 1) as usize;
    weights[first] = start;
    if count > 1 {
        // A position other than the first: the last one replaces it.
        let second = sampler.uniform(0, count - 2) as usize;
        let second = if second == first { weights.len() - 1 } else { second };
        weights[second] = start + width;
    }
    weights
}

/// Writes a problem in the MCKP text format: a line `m C`, then for each class a line `n` and n lines `value weight`.
pub fn write_mckp<V: fmt::Display>(problem: &Mckp<V>, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "{} {}", problem.classes.len(), problem.capacity)?;
    for class in &problem.classes {
        writeln!(out, "{}", class.len())?;
        for item in class {
            writeln!(out, "{} {}", item.value, item.weight)?;
        }
    }
    Ok(())
}
