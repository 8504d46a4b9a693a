//! What designs on several cores take of resources of which a price made one area, and the limits of that.

use isx_exact::quantity::{Rational, lcm};
use isx_partition::Limit;
use isx_taskset::TaskSet;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

/// The magnitudes of all amounts of a resource together are less.
const MOST_AMOUNT: u64 = 1 << 50;

/// A limited resource, by its index, with one unit of its amounts.
pub struct Limited {
    pub resource: usize,
    pub unit: Rational,
}

/// What hardware costs on a number of cores.
pub struct Amounts<'a> {
    /// The set before the price.
    pub priced: &'a TaskSet,
    pub count: u32,
}

impl Amounts<'_> {
    /// The limits of the resources, for choices as the engines number them and these blocks. `None` if an amount has too many
    /// digits.
    pub fn limits(&self, software: &[bool], blocks: &[u32]) -> Option<Vec<Limit>> {
        self.limited().iter().map(|limited| self.limit(limited, software, blocks)).collect()
    }

    /// The resources with limits.
    pub fn limited(&self) -> Vec<Limited> {
        let priced = self.priced;
        let limited = |resource: &usize| priced.resources.limits[*resource].is_some();
        let with_unit = |resource| {
            let choices = priced.tasks.iter().flat_map(|task| &task.choices).map(|choice| &choice.cost);
            let costs = choices.chain(priced.blocks.iter().map(|block| &block.cost));
            let costs = costs.map(|cost| &cost[resource]);
            let digits = costs.fold(BigInt::one(), |digits, cost: &Rational| lcm(&digits, cost.denom()));
            Limited { resource, unit: Rational::new(BigInt::one(), digits) }
        };
        (0..priced.resources.names.len()).filter(limited).map(with_unit).collect()
    }

    fn limit(&self, limited: &Limited, software: &[bool], blocks: &[u32]) -> Option<Limit> {
        let priced = self.priced;
        let Limited { resource, unit } = limited;
        let amount = |cost: &[Rational]| (&cost[*resource] / unit).to_integer().to_i64();
        let choices = priced.tasks.iter().zip(software).map(|(task, &software)| {
            let own = task.choices.iter().map(|choice| amount(&choice.cost));
            software.then_some(Some(0)).into_iter().chain(own).collect()
        });
        let choices: Vec<Vec<i64>> = choices.collect::<Option<_>>()?;
        let blocks = blocks.iter().map(|&block| amount(&priced.blocks[block as usize].cost));
        let blocks: Vec<i64> = blocks.collect::<Option<_>>()?;
        let copies = blocks.iter().map(|amount| amount.unsigned_abs().saturating_mul(self.count.into()));
        let all = choices.iter().flatten().map(|amount| amount.unsigned_abs()).chain(copies);
        let room = (priced.resources.limits[*resource].as_ref()? - self.of_cores(*resource)) / unit;
        // More room than any design needs is no limit.
        let most = room.floor().to_integer().to_i64().unwrap_or(if room.is_negative() {
            i64::MIN
        } else {
            i64::MAX
        });
        let most = most.clamp(-(MOST_AMOUNT as i64), MOST_AMOUNT as i64);
        (all.fold(0, u64::saturating_add) < MOST_AMOUNT).then_some(Limit { most, choices, blocks })
    }

    /// What the cores take of a resource, with the rest of the chip.
    pub fn of_cores(&self, resource: usize) -> Rational {
        self.priced.cost_of_cores(self.count).swap_remove(resource)
    }

    /// What a design takes of every resource: its choices, and the blocks of all cores and of the chip.
    pub fn cost<'b>(&self, choices: &[Option<u32>], blocks: impl Iterator<Item = &'b u32>) -> Vec<Rational> {
        let priced = self.priced;
        let mut costs = priced.cost_of_cores(self.count);
        let own = priced.tasks.iter().zip(choices);
        let own = own.filter_map(|(task, choice)| Some(&task.choices.get((*choice)? as usize)?.cost));
        for cost in own.chain(blocks.map(|block| &priced.blocks[*block as usize].cost)) {
            costs.iter_mut().zip(cost).for_each(|(sum, cost)| *sum += cost);
        }
        costs
    }
}
