//! The problem in plain numbers, and one in which it is settled which blocks the chip builds.

use std::collections::BTreeMap;

/// Tasks with choices, to be distributed among equal cores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The choices of each task, one of which it takes; running in software is one of them.
    pub tasks: Vec<Vec<Choice>>,
    /// Hardware that choices share, at most 64 blocks.
    pub blocks: Vec<Block>,
    /// The most that the sizes on a core may add up to, at most 2^52.
    pub capacity: i64,
    /// The number of cores.
    pub cores: usize,
    /// For each task the core it must run on.
    pub pins: Vec<Option<u32>>,
    /// Pairs of tasks that must not share a core.
    pub apart: Vec<(u32, u32)>,
    /// What designs may take of other resources.
    pub limits: Vec<Limit>,
}

/// A resource other than area, of which a design may take no more than there is. Amounts may be negative; their
/// magnitudes together are below 2^50.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// The most that choices and blocks may take together.
    pub most: i64,
    /// What each choice of each task takes.
    pub choices: Vec<Vec<i64>>,
    /// What each block takes, once on the chip or on every core that has it.
    pub blocks: Vec<i64>,
}

/// A choice of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its own area, in addition to its blocks. All areas together are below 2^50.
    pub area: i64,
    /// The share of a core's capacity that the task takes with it, above 0.
    pub size: i64,
    /// The blocks it uses, a bit for each.
    pub blocks: u64,
}

/// Hardware that choices share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its area.
    pub area: i64,
    /// Built once for all cores; otherwise on every core with a task that uses it.
    pub on_chip: bool,
    /// At most one block per slot is built: on the chip, or on each core.
    pub slot: Option<u32>,
}

/// A choice for every task, and its core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// The area, without that of the cores.
    pub area: i64,
    /// For each task the index of its choice.
    pub picks: Vec<usize>,
    /// For each task its core.
    pub cores: Vec<u32>,
}

impl Problem {
    /// The area of a design if it keeps to every rule: sizes, pins, pairs apart, slots, limits; `None` if it breaks one.
    ///
    /// This sum is written down independently of the engines; every answer passes through it.
    pub fn area_of(&self, picks: &[usize], cores: &[u32]) -> Option<i64> {
        let (area, beyond) = self.sums(picks, cores)?;
        beyond.iter().all(|beyond| *beyond <= 0).then_some(area)
    }

    /// The area of a design, and by how much it is beyond each limit; `None` if it breaks another rule.
    pub(crate) fn sums(&self, picks: &[usize], cores: &[u32]) -> Option<(i64, Vec<i64>)> {
        let mut loads = vec![0i64; self.cores];
        let mut built = vec![0u64; self.cores];
        let mut area = 0i64;
        for (task, choices) in self.tasks.iter().enumerate() {
            let choice = choices.get(*picks.get(task)?)?;
            let core = *cores.get(task)? as usize;
            if self.pins.get(task).copied().flatten().is_some_and(|pin| pin as usize != core) {
                return None;
            }
            *loads.get_mut(core)? += choice.size;
            built[core] |= choice.blocks;
            area += choice.area;
        }
        let is_apart = |&(a, b): &(u32, u32)| cores[a as usize] != cores[b as usize];
        if loads.iter().any(|load| *load > self.capacity) || !self.apart.iter().all(is_apart) {
            return None;
        }
        let mut amounts: Vec<i64> = self.limits.iter().map(|limit| -limit.most).collect();
        for (amount, limit) in amounts.iter_mut().zip(&self.limits) {
            *amount += limit.choices.iter().zip(picks).map(|(choices, &pick)| choices[pick]).sum::<i64>();
        }
        let chip = built.iter().fold(0, |all, blocks| all | blocks);
        for blocks in built.iter().map(|own| own & !self.chip_mask()).chain([chip & self.chip_mask()]) {
            area += self.area_of_blocks(blocks)?;
            for (amount, limit) in amounts.iter_mut().zip(&self.limits) {
                *amount += set_in(blocks).map(|at| limit.blocks[at]).sum::<i64>();
            }
        }
        Some((area, amounts))
    }

    /// The area of a set of blocks on the chip or on a core; `None` if two share a slot.
    pub(crate) fn area_of_blocks(&self, blocks: u64) -> Option<i64> {
        let (mut area, mut slots) = (0, Vec::new());
        for block in set_in(blocks).map(|at| &self.blocks[at]) {
            area += block.area;
            match block.slot {
                Some(slot) if slots.contains(&slot) => return None,
                slot => slots.extend(slot),
            }
        }
        Some(area)
    }

    /// No design has more area than this.
    pub(crate) fn greatest_area(&self) -> i64 {
        let most = |choices: &Vec<Choice>| choices.iter().map(|choice| choice.area).max().unwrap_or(0);
        let copies = |block: &Block| if block.on_chip { 1 } else { self.cores as i64 };
        let blocks = self.blocks.iter().map(|block| block.area * copies(block));
        self.tasks.iter().map(most).chain(blocks).sum()
    }

    /// The blocks built once for all cores.
    pub(crate) fn chip_mask(&self) -> u64 {
        self.blocks.iter().enumerate().fold(0, |mask, (at, block)| mask | u64::from(block.on_chip) << at)
    }

    /// The problem in which the chip may have these blocks, which cost nothing; other choices are dropped, and so are
    /// those that no design needs. `None` if a task has no choice left that fits a core.
    pub(crate) fn settled(&self, chip: u64) -> Option<Settled> {
        let on_chip = self.chip_mask();
        let mut options = Vec::with_capacity(self.tasks.len());
        for choices in &self.tasks {
            let allowed = choices
                .iter()
                .enumerate()
                .filter(|(_, choice)| choice.size <= self.capacity && choice.blocks & on_chip & !chip == 0);
            let allowed = allowed.map(|(pick, choice)| Opt {
                area: choice.area,
                size: choice.size,
                blocks: choice.blocks & !on_chip,
                pick,
            });
            let mut kept: Vec<Opt> = allowed.collect();
            // Sorted so that an option can only be dominated by one before it.
            kept.sort_by_key(|opt| (opt.area, opt.size, opt.blocks.count_ones(), opt.pick));
            let mut own: Vec<Opt> = Vec::with_capacity(kept.len());
            for opt in kept {
                if !own.iter().any(|other| other.size <= opt.size && other.blocks & !opt.blocks == 0) {
                    own.push(opt);
                }
            }
            if own.is_empty() {
                return None;
            }
            options.push(own);
        }
        let mut slots: BTreeMap<u32, u64> = BTreeMap::new();
        for (at, block) in self.blocks.iter().enumerate().filter(|(_, block)| !block.on_chip) {
            if let Some(slot) = block.slot {
                *slots.entry(slot).or_default() |= 1 << at;
            }
        }
        let used = options.iter().flatten().fold(0, |mask, opt| mask | opt.blocks);
        Some(Settled {
            block_areas: self.blocks.iter().map(|block| block.area).collect(),
            used,
            slots: slots.into_values().collect(),
            options,
            capacity: self.capacity,
            cores: self.cores,
            pins: self.pins.clone(),
            conflicts: self.conflicts(),
        })
    }

    /// For each task those that must not share its core: pairs apart, and tasks pinned to different cores.
    fn conflicts(&self) -> Vec<Vec<u32>> {
        let mut conflicts = vec![Vec::new(); self.tasks.len()];
        let pinned = |task: u32| self.pins.get(task as usize).copied().flatten();
        for a in 0..self.tasks.len() as u32 {
            for b in 0..a {
                let differ = matches!((pinned(a), pinned(b)), (Some(a), Some(b)) if a != b);
                if differ || self.apart.iter().any(|&(c, d)| (c, d) == (a, b) || (c, d) == (b, a)) {
                    conflicts[a as usize].push(b);
                    conflicts[b as usize].push(a);
                }
            }
        }
        conflicts
    }
}

/// The numbers of the bits that are set.
pub(crate) fn set_in(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        at
    })
}

/// A choice that is allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opt {
    pub area: i64,
    pub size: i64,
    /// The blocks it needs on its core.
    pub blocks: u64,
    /// Its index in the problem.
    pub pick: usize,
}

/// A problem in which all remaining blocks are those of cores.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    pub options: Vec<Vec<Opt>>,
    pub block_areas: Vec<i64>,
    /// The blocks of cores that options use.
    pub used: u64,
    /// The blocks of each slot.
    pub slots: Vec<u64>,
    pub capacity: i64,
    pub cores: usize,
    pub pins: Vec<Option<u32>>,
    pub conflicts: Vec<Vec<u32>>,
}

impl Settled {
    /// The area of a set of blocks on a core; `None` if two share a slot.
    pub fn area_of_blocks(&self, blocks: u64) -> Option<i64> {
        if self.slots.iter().any(|slot| (slot & blocks).count_ones() > 1) {
            return None;
        }
        Some(set_in(blocks).map(|at| self.block_areas[at]).sum())
    }

    /// The capacity of all cores together.
    pub fn room(&self) -> i64 {
        self.capacity * self.cores as i64
    }

    /// Whether any task is pinned or kept apart from another.
    pub fn is_constrained(&self) -> bool {
        self.pins.iter().any(Option::is_some) || self.conflicts.iter().any(|with| !with.is_empty())
    }
}
