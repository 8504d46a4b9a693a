//! Random 0-1 knapsack problems: a recipe with a seed gives a problem, identical on every machine.
//!
//! Three families, R being the recipe's `range`:
//!
//! - `boyer`: w in 1..1000, p = w + 50, C half the total weight (V. Boyer, D. El Baz, M. Elkihel, "Solving knapsack
//!   problems on GPU", Computers & Operations Research 39, 2012).
//! - D. Pisinger's classes ("Where are the hard knapsack problems?", Computers & Operations Research 32, 2005), C a
//!   fraction of the total weight (`load`): see [`Kind`].
//! - `jooken`: groups of items with nearly the same weight and profit, each group half as heavy as the previous one,
//!   and small items (J. Jooken, P. Leyman, P. De Causmaecker, "A new class of hard problem instances for the 0-1
//!   knapsack problem", European Journal of Operational Research 301, 2022).
//!
//! Worked instance: kind `jooken` with C = 1000, 3 groups, epsilon 0.01: items of the first group weigh (1/2 + 0.01)
//! 1000 = 510 plus noise, those of the second 260 plus noise, those of the last only the noise.

use super::{Item, Knapsack};
use crate::recipe::{RecipeError, refuse, require};
use isx_exact::quantity::{Rational, format_decimal};
use isx_exact::sampling::Sampler;
use num_bigint::BigInt;
use num_integer::Roots;
use num_traits::{One, Signed, ToPrimitive};
use std::fmt;
use std::str::FromStr;

/// The maximum number of items.
pub const MAX_ITEMS: u64 = 100_000_000;

/// The maximum range, and the maximum noise of kind `jooken`.
const MAX_RANGE: u64 = 1_000_000_000_000;

/// Upper limit of capacities (exclusive).
const MAX_CAPACITY: u64 = 1 << 62;

/// The number of items of a spanner set, and the maximum multiple of one (Pisinger's v = 2, m = 10).
const SPANNER: (usize, u64) = (2, 10);

/// How the profit depends on the weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// w in 1..1000, p = w + 50, independent of the range.
    Boyer,
    /// w and p in 1..R.
    Uncorrelated,
    /// w in 1..R, p within R/10 of it, at least 1.
    Weak,
    /// w in 1..R, p = w + R/10.
    Strong,
    /// p in 1..R, w = p + R/10.
    InverseStrong,
    /// w in 1..R, p within R/500 of w + R/10.
    AlmostStrong,
    /// w in 1..R, p = w.
    SubsetSum,
    /// w in 100,000..100,100 and p in 1..1000, independent of the range.
    SimilarWeights,
    /// Multiples 1..10 of two items of kind `uncorrelated`, divided by 11.
    SpannerUncorrelated,
    /// The same for kind `weak`.
    SpannerWeak,
    /// The same for kind `strong`.
    SpannerStrong,
    /// w in 1..R, p = w + 3R/10 if 6 divides w, otherwise w + 2R/10.
    MultipleStrong,
    /// w in 1..R, p the next multiple of 3.
    ProfitCeiling,
    /// w in 1..R, p = 2/3 sqrt(4 R^2 - (w - 2R)^2), rounded down: an arc of an ellipse.
    Circle,
    /// Groups of items near C/2, C/4, .. and small ones.
    Jooken,
}

impl Kind {
    /// All kinds with their names.
    pub const ALL: [(Self, &'static str); 15] = [
        (Self::Boyer, "boyer"),
        (Self::Uncorrelated, "uncorrelated"),
        (Self::Weak, "weak"),
        (Self::Strong, "strong"),
        (Self::InverseStrong, "inverse-strong"),
        (Self::AlmostStrong, "almost-strong"),
        (Self::SubsetSum, "subset-sum"),
        (Self::SimilarWeights, "similar-weights"),
        (Self::SpannerUncorrelated, "spanner-uncorrelated"),
        (Self::SpannerWeak, "spanner-weak"),
        (Self::SpannerStrong, "spanner-strong"),
        (Self::MultipleStrong, "multiple-strong"),
        (Self::ProfitCeiling, "profit-ceiling"),
        (Self::Circle, "circle"),
        (Self::Jooken, "jooken"),
    ];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(kind, _)| kind == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for Kind {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let named = Self::ALL.iter().find(|(_, name)| *name == text);
        named.map(|&(kind, _)| kind).ok_or_else(|| {
            let names = Self::ALL.map(|(_, name)| name).join(", ");
            refuse("kind", text, format!("the kinds are {names}"))
        })
    }
}

/// The parameters of kind [`Kind::Jooken`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// c: the capacity.
    pub capacity: u64,
    /// g: the number of groups, the last one of small items.
    pub groups: u64,
    /// f: the fraction of small items.
    pub small_share: Rational,
    /// epsilon: the offset of each group from C/2, C/4, .., as a fraction of C.
    pub epsilon: Rational,
    /// s: the maximum noise, and the maximum weight and profit of small items.
    pub small: u64,
}

impl Default for Groups {
    fn default() -> Self {
        Self {
            capacity: 1_000_000,
            groups: 6,
            small_share: Rational::new(1.into(), 10.into()),
            epsilon: Rational::new(1.into(), 10_000.into()),
            small: 100,
        }
    }
}

/// All parameters of a generated problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnapsackRecipe {
    /// How the profit depends on the weight.
    pub kind: Kind,
    /// n: the number of items.
    pub items: u64,
    /// R: the maximum weight, or profit, of most kinds.
    pub range: u64,
    /// The capacity as a fraction of the total weight; unused by kind [`Kind::Jooken`].
    pub load: Rational,
    /// The parameters of kind [`Kind::Jooken`].
    pub groups: Groups,
    /// The random seed, which selects one of the problems of the recipe.
    pub seed: u64,
}

impl Default for KnapsackRecipe {
    /// A problem of the first row of Boyer's tables.
    fn default() -> Self {
        Self {
            kind: Kind::Boyer,
            items: 10_000,
            range: 1_000,
            load: Rational::new(1.into(), 2.into()),
            groups: Groups::default(),
            seed: 1,
        }
    }
}

impl fmt::Display for KnapsackRecipe {
    /// The flags that reproduce the same problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--kind {} --items {}", self.kind, self.items)?;
        if self.kind == Kind::Jooken {
            let Groups { capacity, groups, small_share, epsilon, small } = &self.groups;
            write!(
                f,
                " --capacity {capacity} --groups {groups} --small-share {}",
                format_decimal(small_share)
            )?;
            write!(f, " --epsilon {} --small {small}", format_decimal(epsilon))?;
        } else {
            write!(f, " --range {} --load {}", self.range, format_decimal(&self.load))?;
        }
        write!(f, " --seed {}", self.seed)
    }
}

/// Generates the problem. Fails if a field of the recipe is out of range.
///
/// ```
/// use isx_problems::knapsack::generate::{KnapsackRecipe, generate_knapsack};
/// let problem = generate_knapsack(&KnapsackRecipe::default()).unwrap();
/// assert!(problem.items.iter().all(|item| item.profit == i128::from(item.weight) + 50));
/// ```
pub fn generate_knapsack(recipe: &KnapsackRecipe) -> Result<Knapsack, RecipeError> {
    check(recipe)?;
    let mut sampler = Sampler::new(recipe.seed);
    if recipe.kind == Kind::Jooken {
        let items = draw_groups(recipe, &mut sampler);
        return Ok(Knapsack { items, capacity: recipe.groups.capacity });
    }
    let items = draw_items(recipe, &mut sampler);
    let weight: BigInt = items.iter().map(|item| BigInt::from(item.weight)).sum();
    let capacity = (&recipe.load * weight).to_integer().to_u64().filter(|&capacity| capacity < MAX_CAPACITY);
    let must = "the capacity, this share of the weight of all items, must stay below 2^62";
    let capacity = capacity.ok_or_else(|| refuse("load", format_decimal(&recipe.load), must))?;
    Ok(Knapsack { items, capacity })
}

fn check(recipe: &KnapsackRecipe) -> Result<(), RecipeError> {
    let KnapsackRecipe { kind, items, range, load, groups, .. } = recipe;
    require(*items <= MAX_ITEMS, "items", items, "there may be up to 10^8 items")?;
    if *kind != Kind::Jooken {
        require((1..=MAX_RANGE).contains(range), "range", range, "the range must be 1 to 10^12")?;
        let must = "the capacity may not be negative";
        return require(!load.is_negative(), "load", format_decimal(load), must);
    }
    let Groups { capacity, groups, small_share, epsilon, small } = groups;
    require(*capacity < MAX_CAPACITY / 2, "capacity", capacity, "the capacity must stay below 2^61")?;
    require((2..=60).contains(groups), "groups", groups, "there must be 2 to 60 groups")?;
    for (field, share) in [("small-share", small_share), ("epsilon", epsilon)] {
        let holds = !share.is_negative() && *share <= Rational::one();
        require(holds, field, format_decimal(share), "give a share from 0 to 1")?;
    }
    require((1..=MAX_RANGE).contains(small), "small", small, "the noise must be 1 to 10^12")
}

fn draw_items(recipe: &KnapsackRecipe, sampler: &mut Sampler) -> Vec<Item> {
    let &KnapsackRecipe { kind, items, range, .. } = recipe;
    let base = match kind {
        Kind::SpannerUncorrelated => Some(Kind::Uncorrelated),
        Kind::SpannerWeak => Some(Kind::Weak),
        Kind::SpannerStrong => Some(Kind::Strong),
        _ => None,
    };
    let Some(base) = base else {
        return (0..items).map(|_| draw_item(kind, range, sampler)).collect();
    };
    let (size, most) = SPANNER;
    let part = |item: Item| Item {
        profit: (item.profit as u128).div_ceil(u128::from(most) + 1) as i128,
        weight: item.weight.div_ceil(most + 1),
    };
    let span: Vec<Item> = (0..size).map(|_| part(draw_item(base, range, sampler))).collect();
    let multiple = |_| {
        let item = span[sampler.uniform(0, size as u64 - 1) as usize];
        let times = sampler.uniform(1, most);
        Item { profit: item.profit * i128::from(times), weight: item.weight * times }
    };
    (0..items).map(multiple).collect()
}

/// An item of a kind whose items are independent of each other.
fn draw_item(kind: Kind, range: u64, sampler: &mut Sampler) -> Item {
    let weight = match kind {
        Kind::Boyer => sampler.uniform(1, 1_000),
        Kind::SimilarWeights => sampler.uniform(100_000, 100_100),
        // For the kind inverse-strong this becomes the profit.
        _ => sampler.uniform(1, range),
    };
    let about = |middle: u64, off: u64, sampler: &mut Sampler| {
        sampler.uniform(middle.saturating_sub(off).max(1), middle + off)
    };
    let profit = match kind {
        Kind::Boyer => weight + 50,
        Kind::Uncorrelated => sampler.uniform(1, range),
        Kind::Weak => about(weight, range / 10, sampler),
        Kind::Strong => weight + range / 10,
        Kind::InverseStrong => {
            return Item { profit: weight.into(), weight: weight + range / 10 };
        }
        Kind::AlmostStrong => about(weight + range / 10, range / 500, sampler),
        Kind::SimilarWeights => sampler.uniform(1, 1_000),
        Kind::MultipleStrong if weight.is_multiple_of(6) => weight + 3 * range / 10,
        Kind::MultipleStrong => weight + 2 * range / 10,
        Kind::ProfitCeiling => weight.next_multiple_of(3),
        Kind::Circle => {
            let (radius, below) = (u128::from(2 * range), u128::from(2 * range - weight));
            // 10^12 is the largest range, so the square has fewer than 90 bits and its root fits.
            ((4 * (radius * radius - below * below)).sqrt() / 3) as u64
        }
        Kind::SubsetSum
        | Kind::SpannerUncorrelated
        | Kind::SpannerWeak
        | Kind::SpannerStrong
        | Kind::Jooken => weight,
    };
    Item { profit: profit.into(), weight }
}

/// Groups 1 .. g-1 of equal size at (2^-j + epsilon) C, then small items; the remainder of the division is small too.
fn draw_groups(recipe: &KnapsackRecipe, sampler: &mut Sampler) -> Vec<Item> {
    let Groups { capacity, groups, small_share, epsilon, small } = &recipe.groups;
    let items = recipe.items;
    let small_items = (small_share * BigInt::from(items)).to_integer().to_u64().unwrap_or(0).min(items);
    let in_group = (items - small_items) / (groups - 1);
    let center = |group: u64| {
        let share = Rational::new(1.into(), BigInt::from(1u64 << group)) + epsilon;
        (share * BigInt::from(*capacity)).to_integer().to_u64().unwrap_or(0)
    };
    let grouped = (1..*groups).flat_map(|group| std::iter::repeat_n(center(group), in_group as usize));
    let rest = items - in_group * (groups - 1);
    let centers = grouped.chain(std::iter::repeat_n(0, rest as usize));
    let draw = |center: u64| {
        let profit = i128::from(center + sampler.uniform(1, *small));
        Item { profit, weight: center + sampler.uniform(1, *small) }
    };
    centers.map(draw).collect()
}

#[cfg(test)]
mod tests;
