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

use super::{Item, MAX_DIMENSIONS, Multidim, PerDimension};
use crate::recipe::{RecipeError, refuse};
use isx_exact::sampling::Sampler;
use std::fmt;
use std::io;

/// The largest capacity: the largest profit is then 10^36, below 2^120.
const MAX_CAPACITY: u64 = 1_000_000_000_000;

/// The maximum total number of items of all problems.
pub const MAX_ITEMS: u64 = 100_000_000;

/// All parameters of generated problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultidimRecipe {
    /// The number of problems; `None` means one, in a file without a problem count.
    pub instances: Option<u64>,
    /// n: the number of items per problem.
    pub items: u64,
    /// The capacities, one per dimension: the plate.
    pub capacities: Vec<u64>,
    /// The random seed, which selects one of the files of the recipe.
    pub seed: u64,
}

impl Default for MultidimRecipe {
    /// One problem of the size of the paper's.
    fn default() -> Self {
        Self { instances: None, items: 20, capacities: vec![1000, 1000], seed: 1 }
    }
}

/// As many problems as in the paper, of the same size.
pub fn lemos() -> MultidimRecipe {
    MultidimRecipe { instances: Some(630), ..MultidimRecipe::default() }
}

impl fmt::Display for MultidimRecipe {
    /// The flags that reproduce the same file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(instances) = self.instances {
            write!(f, "--instances {instances} ")?;
        }
        let capacities: Vec<String> = self.capacities.iter().map(u64::to_string).collect();
        write!(f, "--items {} --capacities {} --seed {}", self.items, capacities.join(","), self.seed)
    }
}

/// Generates the problems. Fails if a field of the recipe is out of range.
///
/// ```
/// use isx_problems::multidim::generate::{MultidimRecipe, generate_multidim};
/// let problem = &generate_multidim(&MultidimRecipe::default()).unwrap()[0];
/// // The rectangles fill the plate.
/// assert_eq!(problem.items.iter().map(|item| item.profit).sum::<i128>(), 1_000_000);
/// ```
pub fn generate_multidim(recipe: &MultidimRecipe) -> Result<Vec<Multidim>, RecipeError> {
    let plate = check(recipe)?;
    let mut sampler = Sampler::new(recipe.seed);
    let dimensions = recipe.capacities.len();
    let mut problem = |_| {
        let items = cut(plate, dimensions, recipe.items, &mut sampler);
        let mut capacities = plate;
        capacities[dimensions..].fill(0);
        Multidim { dimensions, capacities, items }
    };
    Ok((0..recipe.instances.unwrap_or(1)).map(&mut problem).collect())
}

/// The plate, with sides of 1 in unused dimensions.
fn check(recipe: &MultidimRecipe) -> Result<PerDimension, RecipeError> {
    let MultidimRecipe { instances, items, capacities, .. } = recipe;
    let written = || capacities.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    if !(1..=MAX_DIMENSIONS).contains(&capacities.len()) {
        return Err(refuse("capacities", written(), "give one to three, with commas between"));
    }
    if capacities.iter().any(|capacity| !(1..=MAX_CAPACITY).contains(capacity)) {
        return Err(refuse("capacities", written(), "each must be from 1 to 10^12"));
    }
    if items.checked_mul(instances.unwrap_or(1)).is_none_or(|all| all > MAX_ITEMS) {
        return Err(refuse("items", items, "all problems together may have up to 10^8"));
    }
    let cells: u128 = capacities.iter().map(|&capacity| u128::from(capacity)).product();
    if *items == 0 || u128::from(*items) > cells {
        return Err(refuse("items", items, "the plate must hold one unit square an item, and one item"));
    }
    let mut plate = [1; MAX_DIMENSIONS];
    plate[..capacities.len()].copy_from_slice(capacities);
    Ok(plate)
}

fn volume(sides: &PerDimension) -> u128 {
    sides.iter().map(|&side| u128::from(side)).product()
}

/// The plate cut into `count` rectangles, as items.
fn cut(plate: PerDimension, dimensions: usize, count: u64, sampler: &mut Sampler) -> Vec<Item> {
    let mut pieces = vec![plate];
    // The largest first; among equal ones the first created.
    let mut largest = std::collections::BinaryHeap::from([(volume(&plate), std::cmp::Reverse(0usize))]);
    while (pieces.len() as u64) < count {
        // There are fewer pieces than unit squares, so the largest has a side to cut.
        let Some((_, std::cmp::Reverse(at))) = largest.pop() else { break };
        let mut side = 0;
        for other in 1..MAX_DIMENSIONS {
            if pieces[at][other] > pieces[at][side] {
                side = other;
            }
        }
        let length = pieces[at][side];
        let place = sampler.uniform((length / 4).max(1), (length - length / 4).min(length - 1));
        let mut rest = pieces[at];
        rest[side] = length - place;
        pieces[at][side] = place;
        largest.push((volume(&pieces[at]), std::cmp::Reverse(at)));
        largest.push((volume(&rest), std::cmp::Reverse(pieces.len())));
        pieces.push(rest);
    }
    let item = |piece: &PerDimension| {
        let mut weights = *piece;
        weights[dimensions..].fill(0);
        // At most 10^36, by `check`.
        Item { profit: volume(piece) as i128, weights }
    };
    pieces.iter().map(item).collect()
}

/// Writes problems in the text format: their number first if the recipe gives a count, then for each a line `n d`, a
/// line of capacities, and n lines `profit w_1 .. w_d`.
pub fn write_multidim(problems: &[Multidim], counted: bool, out: &mut impl io::Write) -> io::Result<()> {
    if counted {
        writeln!(out, "{}", problems.len())?;
    }
    for problem in problems {
        writeln!(out, "{} {}", problem.items.len(), problem.dimensions)?;
        let capacities: Vec<String> =
            problem.capacities[..problem.dimensions].iter().map(u64::to_string).collect();
        writeln!(out, "{}", capacities.join(" "))?;
        for item in &problem.items {
            write!(out, "{}", item.profit)?;
            for weight in &item.weights[..problem.dimensions] {
                write!(out, " {weight}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_fill_the_plate_in_every_dimension() {
        for (capacities, items) in
            [(vec![1000, 1000], 20), (vec![9, 7, 5], 315), (vec![50], 50), (vec![1], 1)]
        {
            let recipe = MultidimRecipe { instances: Some(3), items, capacities, seed: 4 };
            let problems = generate_multidim(&recipe).unwrap();
            assert_eq!(problems.len(), 3);
            for problem in &problems {
                let plate: u64 = recipe.capacities.iter().product();
                assert_eq!(problem.items.iter().map(|item| item.profit).sum::<i128>(), i128::from(plate));
                assert_eq!(
                    (problem.items.len() as u64, problem.dimensions),
                    (items, recipe.capacities.len())
                );
                for item in &problem.items {
                    let own = &item.weights[..problem.dimensions];
                    assert_eq!(own.iter().product::<u64>(), item.profit as u64);
                    assert!(own.iter().zip(&problem.capacities).all(|(&w, &c)| (1..=c).contains(&w)));
                    assert!(item.weights[problem.dimensions..].iter().all(|&weight| weight == 0));
                }
            }
        }
    }

    #[test]
    fn what_is_written_reads_back_and_the_seed_names_it() {
        let problems = generate_multidim(&lemos()).unwrap();
        assert_eq!(problems.len(), 630);
        let mut text = Vec::new();
        write_multidim(&problems, true, &mut text).unwrap();
        let read = super::super::text::parse(std::str::from_utf8(&text).unwrap()).unwrap();
        assert!(read.counted);
        assert!(read.problems.into_iter().map(|read| read.problem).eq(problems.iter().cloned()));
        assert_eq!(generate_multidim(&lemos()).unwrap(), problems);
        assert_ne!(generate_multidim(&MultidimRecipe { seed: 2, ..lemos() }).unwrap(), problems);
    }

    #[test]
    fn recipes_out_of_range_are_refused_with_their_field() {
        let message = |recipe: MultidimRecipe| generate_multidim(&recipe).unwrap_err().to_string();
        let recipe = |items, capacities: &[u64]| MultidimRecipe {
            items,
            capacities: capacities.to_vec(),
            ..MultidimRecipe::default()
        };
        assert!(message(recipe(7, &[2, 3])).starts_with("items 7: the plate"));
        assert!(message(recipe(0, &[2, 3])).starts_with("items 0: "));
        assert!(message(recipe(1, &[])).starts_with("capacities : give one to three"));
        assert!(message(recipe(1, &[1, 2, 3, 4])).starts_with("capacities 1,2,3,4: "));
        assert!(message(recipe(1, &[0])).starts_with("capacities 0: each"));
        assert!(message(recipe(1, &[MAX_CAPACITY + 1])).contains("10^12"));
        assert!(message(MultidimRecipe { instances: Some(u64::MAX), ..lemos() }).contains("10^8"));
        let large = generate_multidim(&recipe(2, &[MAX_CAPACITY; 3])).unwrap();
        assert_eq!(large[0].items.iter().map(|item| item.profit).sum::<i128>(), 10i128.pow(36));
    }
}
