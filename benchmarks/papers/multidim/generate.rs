//! Random multi-dimensional knapsack problems: a recipe with a seed gives problems, identical on every machine.
//!
//! D. Lemos, H. Longo, W. Martins and L. Foulds ("A GPU-based DP algorithm for solving multiple instances of the
//! knapsack problem", section 5) derive two-dimensional knapsack problems from instances of the orthogonal packing
//! problem (class MSB of 2DPackLib; Mesyagutov, Scheithauer and Belov, Computers & OR 39(10), 2012): the plate's
//! height and width become the capacities, a rectangle's height and width its weights, its area its profit. Their set
//! has 630 instances of 20 rectangles; the plate is 1000 x 1000.
//!
//! That set is not part of isx, and this is **a documented substitute, not the set itself**: the plate is cut into n
//! rectangles, which become items as in the paper. A cut halves the rectangle of the largest area (the first of
//! them), across its longest side (the first of them), at a position drawn uniformly from the middle half of that
//! side. So the rectangles fill the plate without waste, as in a feasible packing instance. In three dimensions the
//! plate is a box and the profit a volume; in one, rectangles are pieces of a rod.
//!
//! Worked instance: a plate of 4 x 2, two items: the side 4 is cut at 1, 2 or 3. At 3 the items are (6; 3, 2) and
//! (2; 1, 2) as (profit; weights).

use super::problem::{Item, MAX_DIMENSIONS, Problem};
use isx_exact::sampling::Sampler;
use std::fmt;

/// The largest capacity: the largest profit is then 10^36, below 2^120.
const MAX_CAPACITY: u64 = 1_000_000_000_000;

/// All parameters of generated problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The number of problems.
    pub instances: u64,
    /// n: the number of items per problem.
    pub items: u64,
    /// The capacities, one per dimension: the plate.
    pub capacities: Vec<u64>,
    /// The random seed, which selects one of the batches of the recipe.
    pub seed: u64,
}

impl Default for Recipe {
    /// As many problems as in the paper, of the same size.
    fn default() -> Self {
        Self { instances: 630, items: 20, capacities: vec![1000, 1000], seed: 1 }
    }
}

impl fmt::Display for Recipe {
    /// The flags that reproduce the same batch.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let capacities: Vec<String> = self.capacities.iter().map(u64::to_string).collect();
        let Self { instances, items, seed, .. } = self;
        write!(
            f,
            "--instances {instances} --items {items} --capacities {} --seed {seed}",
            capacities.join(",")
        )
    }
}

/// Generates the problems.
/// Fails with a field of the recipe that is out of range, and what it must be.
///
/// ```
/// use isx_papers::multidim::generate::{Recipe, generate};
/// let problem = &generate(&Recipe { instances: 1, ..Recipe::default() }).unwrap()[0];
/// // The rectangles fill the plate.
/// assert_eq!(problem.items.iter().map(|item| item.profit).sum::<i128>(), 1_000_000);
/// ```
pub fn generate(recipe: &Recipe) -> Result<Vec<Problem>, String> {
    let plate = check(recipe)?;
    let mut sampler = Sampler::new(recipe.seed);
    let dimensions = recipe.capacities.len();
    let mut problem = |_| {
        let items = cut(plate, dimensions, recipe.items, &mut sampler);
        let mut capacities = plate;
        capacities[dimensions..].fill(0);
        Problem { dimensions, capacities, items }
    };
    Ok((0..recipe.instances).map(&mut problem).collect())
}

/// The plate, with sides of 1 in unused dimensions.
fn check(recipe: &Recipe) -> Result<[u64; MAX_DIMENSIONS], String> {
    let Recipe { items, capacities, .. } = recipe;
    if !(1..=MAX_DIMENSIONS).contains(&capacities.len()) {
        return Err(format!("--capacities {capacities:?}: give one to three, with commas between"));
    }
    if capacities.iter().any(|capacity| !(1..=MAX_CAPACITY).contains(capacity)) {
        return Err(format!("--capacities {capacities:?}: each must be from 1 to 10^12"));
    }
    let cells: u128 = capacities.iter().map(|&capacity| u128::from(capacity)).product();
    if *items == 0 || u128::from(*items) > cells {
        return Err(format!("--items {items}: the plate must hold one unit square per item, and one item"));
    }
    let mut plate = [1; MAX_DIMENSIONS];
    plate[..capacities.len()].copy_from_slice(capacities);
    Ok(plate)
}

fn volume(sides: &[u64; MAX_DIMENSIONS]) -> u128 {
    sides.iter().map(|&side| u128::from(side)).product()
}

/// The plate cut into `count` rectangles, as items.
fn cut(plate: [u64; MAX_DIMENSIONS], dimensions: usize, count: u64, sampler: &mut Sampler) -> Vec<Item> {
    let mut pieces = vec![plate];
    while (pieces.len() as u64) < count {
        // The largest, the first of several, across its longest side, the first of several. There are fewer pieces than unit
        // squares, so it has a side to cut.
        let at = (0..pieces.len()).rev().max_by_key(|&at| volume(&pieces[at])).unwrap_or(0);
        let side = (0..MAX_DIMENSIONS).rev().max_by_key(|&side| pieces[at][side]).unwrap_or(0);
        let length = pieces[at][side];
        let place = sampler.uniform((length / 4).max(1), (length - length / 4).min(length - 1));
        let mut rest = pieces[at];
        rest[side] = length - place;
        pieces[at][side] = place;
        pieces.push(rest);
    }
    let item = |piece: &[u64; MAX_DIMENSIONS]| {
        let mut weights = *piece;
        weights[dimensions..].fill(0);
        // At most 10^36, by `check`.
        Item { profit: volume(piece) as i128, weights }
    };
    pieces.iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_fill_the_plate_in_every_dimension_and_the_seed_names_them() {
        for (capacities, items) in
            [(vec![1000, 1000], 20), (vec![9, 7, 5], 315), (vec![50], 50), (vec![1], 1)]
        {
            let recipe = Recipe { instances: 3, items, capacities, seed: 4 };
            let problems = generate(&recipe).unwrap();
            assert_eq!((problems.len(), &problems), (3, &generate(&recipe).unwrap()));
            for problem in &problems {
                let plate: u64 = recipe.capacities.iter().product();
                assert_eq!(problem.items.iter().map(|item| item.profit).sum::<i128>(), i128::from(plate));
                assert_eq!(problem.items.len() as u64, items);
                for item in &problem.items {
                    let own = &item.weights[..problem.dimensions];
                    assert_eq!(own.iter().product::<u64>(), item.profit as u64);
                    assert!(own.iter().zip(&problem.capacities).all(|(&w, &c)| (1..=c).contains(&w)));
                    assert!(item.weights[problem.dimensions..].iter().all(|&weight| weight == 0));
                }
            }
        }
        let other = |seed| generate(&Recipe { instances: 1, seed, ..Recipe::default() }).unwrap();
        assert_ne!(other(1), other(2));
    }
}
