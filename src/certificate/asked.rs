//! What a proof is about, how large it may be, and the order of its classes.

use isx_checker::shared::cost::Width;
use isx_checker::shared::scenario::{Claimed, Opt, Scenario};
use isx_exact::order;
use num_bigint::BigUint;

/// What a proof is about: designs of at most a cost above the minimum, and the points of the claim.
pub(super) struct Asked<'a> {
    pub scenario: &'a Scenario,
    pub most: Option<&'a BigUint>,
    pub claimed: &'a [Claimed<'a>],
    pub max_bytes: u64,
}

/// An upper bound on the bytes of a scenario's proof, including its checker: for every set of blocks a list has at most
/// as many entries as there are designs, and as there are amounts.
pub(super) fn most_bytes(scenario: &Scenario) -> u64 {
    let classes = &scenario.classes;
    let designs = classes.iter().fold(1u64, |designs, class| designs.saturating_mul(class.len() as u64));
    let cells =
        scenario.limits.iter().fold(1u64, |cells, limit| cells.saturating_mul(limit.saturating_add(1)));
    let sets = 1u64.checked_shl(scenario.blocks.len() as u32).unwrap_or(u64::MAX);
    let entries = designs.min(cells.saturating_mul(sets));
    let options = classes.iter().map(Vec::len).max().unwrap_or(0) as u64;
    if scenario.is_stairs() {
        return most_bytes_of_stairs(scenario, entries, options);
    }
    entries.saturating_mul((options + 4).saturating_mul(sum_bytes(scenario)))
}

/// An order in which few blocks, and few modes, are open at once: greedily the class that opens the fewest and closes the
/// most.
pub(super) fn by_blocks(scenario: &Scenario) -> Vec<usize> {
    let (count, amounts) = (scenario.blocks.len(), scenario.limits.len() - scenario.loads);
    let uses = |options: &Vec<Opt>| {
        let has_load = |mode: &usize| options.iter().any(|option| option.amounts[amounts + *mode] > 0);
        let modes = (0..scenario.loads).filter(has_load).map(|mode| (count + mode) as u32);
        let blocks = options.iter().flat_map(|option| option.blocks.iter().copied());
        let mut all: Vec<u32> = blocks.chain(modes).collect();
        order::sort(&mut all);
        all.dedup();
        all
    };
    let uses: Vec<Vec<u32>> = scenario.classes.iter().map(uses).collect();
    let mut users = vec![0i64; count + scenario.loads];
    uses.iter().flatten().for_each(|&block| users[block as usize] += 1);
    let mut open = vec![false; users.len()];
    if users.is_empty() {
        return (0..scenario.classes.len()).collect();
    }
    let mut left: Vec<usize> = (0..scenario.classes.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let growth = |&class: &usize| {
            let blocks = uses[class].iter().map(|&block| block as usize);
            blocks.map(|block| i64::from(!open[block]) - i64::from(users[block] == 1)).sum::<i64>()
        };
        let Some(at) = (0..left.len()).min_by_key(|&at| (growth(&left[at]), left[at])) else { break };
        let class = left.remove(at);
        for &block in &uses[class] {
            users[block as usize] -= 1;
            open[block as usize] = users[block as usize] > 0;
        }
        order.push(class);
    }
    order
}

/// An upper bound on the bytes of a proof whose lists have up to this many entries, of classes of up to this many options.
fn most_bytes_of_stairs(scenario: &Scenario, entries: u64, options: u64) -> u64 {
    // With a price, sums are weighted by areas: see `Bound::largest`.
    let bits = scenario.most.bits() + u64::from(u64::BITS - scenario.limits[0].leading_zeros()) + 2;
    let cost = match bits {
        0..=64 => 8,
        65..=128 => 16,
        bits => size_of::<BigUint>() as u64 + 16 + bits.div_ceil(64) * 8,
    };
    // The checker's vectors grow by doubling.
    let lists = 4 + u64::from(u64::BITS - options.leading_zeros());
    entries.saturating_mul((16 + cost) * (lists + 5))
}

/// Bytes of a sum with what is derived from it.
pub(super) fn sum_bytes(scenario: &Scenario) -> u64 {
    let cost = match Width::of_lists(scenario, None) {
        Width::Bits64 => 8,
        Width::Bits128 => 16,
        Width::Any => size_of::<BigUint>() as u64 + 16 + 8 * scenario.most.bits().div_ceil(64),
    };
    8 * scenario.limits.len() as u64 + 2 * cost + 64
}
