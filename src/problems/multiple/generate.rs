//! Random multiple knapsack problems: a recipe with a seed gives a problem, identical on every machine.
//!
//! The items are those of a 0-1 knapsack problem ([`crate::knapsack::generate`]); its capacity, a share of the weight of
//! all items, is divided among the knapsacks. As in D. Pisinger ("An exact algorithm for large multiple knapsack
//! problems", European Journal of Operational Research 114, 1999), who follows Martello and Toth:
//!
//! - `similar`: each capacity is drawn from 80 to 120 percent of an equal share of the room left, the last takes the rest;
//! - `dissimilar`: each is drawn from nothing to all the room left, the last takes the rest;
//! - `equal`: all are the same, the room over the number of knapsacks, rounded down.
//!
//! Worked instance: room 100, two knapsacks, `similar`: the first is drawn from 40 to 60, the second has what is left.

use super::Multiple;
use crate::knapsack::generate::{Kind, KnapsackRecipe, generate_knapsack};
use crate::recipe::{RecipeError, refuse, require};
use isx_exact::sampling::Sampler;
use std::fmt;
use std::str::FromStr;

/// The maximum number of knapsacks.
const MAX_KNAPSACKS: u64 = 1_000_000;

/// How the room is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Within a fifth of an equal share.
    Similar,
    /// Anything from nothing to all.
    Dissimilar,
    /// The same for each.
    Equal,
}

impl Division {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Similar, "similar"), (Self::Dissimilar, "dissimilar"), (Self::Equal, "equal")];
}

impl fmt::Display for Division {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(division, _)| division == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for Division {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let named = Self::ALL.iter().find(|(_, name)| *name == text);
        let names = Self::ALL.map(|(_, name)| name).join(", ");
        named
            .map(|&(division, _)| division)
            .ok_or_else(|| refuse("capacities", text, format!("they are {names}")))
    }
}

/// All parameters of a generated problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultipleRecipe {
    /// The items, the room of all knapsacks together, and the seed.
    pub items: KnapsackRecipe,
    /// m: the number of knapsacks.
    pub knapsacks: u64,
    /// How the room is divided.
    pub capacities: Division,
}

impl Default for MultipleRecipe {
    fn default() -> Self {
        let items = KnapsackRecipe { kind: Kind::Uncorrelated, items: 100, ..KnapsackRecipe::default() };
        Self { items, knapsacks: 10, capacities: Division::Similar }
    }
}

impl fmt::Display for MultipleRecipe {
    /// The flags that reproduce the same problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { items, knapsacks, capacities } = self;
        write!(f, "--knapsacks {knapsacks} --capacities {capacities} {items}")
    }
}

/// Generates the problem. Fails if a field of the recipe is out of range.
///
/// ```
/// use isx_problems::multiple::generate::{MultipleRecipe, generate_multiple};
/// let problem = generate_multiple(&MultipleRecipe::default()).unwrap();
/// assert_eq!((problem.items.len(), problem.capacities.len()), (100, 10));
/// ```
pub fn generate_multiple(recipe: &MultipleRecipe) -> Result<Multiple, RecipeError> {
    let MultipleRecipe { items, knapsacks, capacities } = recipe;
    let must = "the capacities of this kind have one knapsack; take another kind";
    require(items.kind != Kind::Jooken, "kind", items.kind, must)?;
    let must = "there must be 1 to 10^6 knapsacks";
    require((1..=MAX_KNAPSACKS).contains(knapsacks), "knapsacks", knapsacks, must)?;
    let merged = generate_knapsack(items)?;
    // Items are drawn from the seed itself.
    let mut sampler = Sampler::new(items.seed.wrapping_add(1));
    let mut room = merged.capacity;
    let draw = |left: u64| {
        let capacity = match capacities {
            Division::Equal => merged.capacity / knapsacks,
            _ if left == 1 => room,
            Division::Dissimilar => sampler.uniform(0, room),
            Division::Similar => {
                let part = |percent: u128| (u128::from(room) * percent / (100 * u128::from(left))) as u64;
                sampler.uniform(part(80), part(120).min(room))
            }
        };
        room -= capacity;
        capacity
    };
    Ok(Multiple { capacities: (1..=*knapsacks).rev().map(draw).collect(), items: merged.items })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_is_divided_as_asked() {
        let recipe = |capacities| MultipleRecipe { capacities, ..MultipleRecipe::default() };
        let made = |capacities| generate_multiple(&recipe(capacities)).unwrap();
        let [similar, dissimilar, equal] = Division::ALL.map(|(division, _)| made(division));
        let room: u64 = similar.capacities.iter().sum();
        let weight: u64 = similar.items.iter().map(|item| item.weight).sum();
        assert_eq!(room, weight / 2);
        assert_eq!(dissimilar.capacities.iter().sum::<u64>(), room);
        assert_eq!(equal.capacities, [room / 10; 10]);
        let spread = |problem: &Multiple| {
            let (least, most) = (problem.capacities.iter().min(), problem.capacities.iter().max());
            most.unwrap() - least.unwrap()
        };
        assert!(spread(&similar) > 0 && spread(&similar) < spread(&dissimilar));
        assert_eq!(made(Division::Similar), similar);
        let other = KnapsackRecipe { seed: 2, ..recipe(Division::Similar).items };
        assert_ne!(
            generate_multiple(&MultipleRecipe { items: other, ..recipe(Division::Similar) }).unwrap(),
            similar
        );
    }

    #[test]
    fn recipes_out_of_range_are_refused_with_their_field() {
        let message = |recipe: MultipleRecipe| generate_multiple(&recipe).unwrap_err().to_string();
        let recipe = MultipleRecipe::default;
        assert!(message(MultipleRecipe { knapsacks: 0, ..recipe() }).starts_with("knapsacks 0: "));
        let jooken = KnapsackRecipe { kind: Kind::Jooken, ..recipe().items };
        assert!(message(MultipleRecipe { items: jooken, ..recipe() }).starts_with("kind jooken: "));
        assert!("alike".parse::<Division>().unwrap_err().to_string().starts_with("capacities alike: "));
    }
}
