//! Tasks divided among equal cores: a division is summed and tested core by core, and none has less area.
//!
//! A *division* gives every task a core and an option. Its area is that of the options, of the blocks of cores on every
//! core that has an option which uses them, and of the blocks of the chip once. Two ways show, for the designs of a clock,
//! that none has less than the area A, both with the lists of one area:
//!
//! - *Together*: on m cores the demands over a hyperperiod H add up to at most m H, so lists of all options, every block counted once, show that none has an area below A and a demand of at
//!   most m H. Without A they show that there is no division.
//! - *Prices*: every task i is worth y_i / 2^q. What a core *gains* is what its tasks are worth less the area of their
//!   options and of the blocks of the core. If no core can gain more than P / 2^q, then the area is at least (sum of y_i -
//!   m P) / 2^q, and if that is above A - 1, it is at least A, because areas are whole numbers. Here an option *loses*
//!   what it gains less than the best one of its task, being on another core gains nothing, and lists show that no core
//!   loses less than the sum of the best gains less P, with a demand of at most H.
//!
//! An option of more than a period or a deadline fits no core. Of a block of the chip, every core that uses it bears 1/m of
//! the area at prices; or it is decided whether the chip builds it, and both cases are shown. Tasks that exclude each other
//! on a core, as they are kept apart or pinned to different ones, do so at prices. Prices also show that there is no division
//! at all: if the sum of y_i is above m P where no area counts, the cores cannot have all tasks.
//!
//! Worked instance: two cores, H = 10; three tasks that demand 6, or 5 for an area of 4. Together: 18 <= 20, no bound. At
//! prices y = 2 for each: a core with one task gains 2 (in software); with two, 5 + 5, it gains 4 - 8 < 0. P = 2, and the
//! area is at least 6 - 2 * 2 = 2. At y = 4: P = 4, area >= 4; at y = 8: P = 8, area >= 8, which is that of two tasks with
//! their choices on one core.

use super::failure::Wrong;
use super::problem::{Block, Chip, Kind, Offer, Problem};
use num_bigint::{BigInt, BigUint};

/// What tasks are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prices {
    /// q.
    pub shift: u32,
    /// P: no core gains more.
    pub largest: u64,
    /// y_i.
    pub worth: Vec<u64>,
}

/// The most blocks of the chip that are decided.
const MOST_DECIDED: usize = 64;

/// The designs at a clock, as far as it is decided which blocks the chip builds.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    problem: &'a Problem,
    chip: &'a Chip,
    clock: usize,
    /// The area below which no design is to be; `None` if there is to be none at all.
    area: Option<u64>,
    decided: Vec<Option<bool>>,
}

impl<'a> Part<'a> {
    /// Nothing is decided.
    #[must_use]
    pub fn new(problem: &'a Problem, chip: &'a Chip, clock: usize, area: Option<u64>) -> Self {
        Self { problem, chip, clock, area, decided: vec![None; problem.blocks.len()] }
    }

    /// The problem.
    #[must_use]
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The cores.
    #[must_use]
    pub fn chip(&self) -> &'a Chip {
        self.chip
    }

    /// For each block whether the chip builds it, if that is decided.
    #[must_use]
    pub fn decided(&self) -> &[Option<bool>] {
        &self.decided
    }

    /// The same with another block of the chip decided: built, in which case the others of its slot are not, or not.
    /// `None` if it is not an undecided block of the chip.
    #[must_use]
    pub fn with(&self, block: usize, is_built: bool) -> Option<Self> {
        let is_open = self.chip.on_chip.get(block) == Some(&true) && self.decided[block].is_none();
        let count = self.decided.iter().flatten().count();
        if !is_open || count >= MOST_DECIDED {
            return None;
        }
        let mut part = self.clone();
        for other in 0..part.decided.len() {
            let of_slot = self.problem.blocks[block].slot.is_some_and(|slot| {
                self.chip.on_chip[other] && self.problem.blocks[other].slot == Some(slot)
            });
            if is_built && of_slot {
                part.decided[other] = Some(false);
            }
        }
        part.decided[block] = Some(is_built);
        Some(part)
    }

    /// Whether a design may take an offer: its clock and blocks are allowed, and alone it is fast enough for a core.
    fn allows(&self, class: usize, offer: &Offer) -> bool {
        let task = &self.problem.modes[0].tasks[class];
        let wcet = &task.wcets[self.clock][offer.option as usize];
        let is_fast = *wcet <= task.deadline && *wcet <= task.period;
        let is_excluded = |block: &u32| self.decided[*block as usize] == Some(false);
        is_fast && offer.clock <= self.clock && !offer.blocks.iter().any(is_excluded)
    }

    /// The area of the blocks that are decided to be built.
    fn built(&self) -> u128 {
        let built = self.problem.blocks.iter().zip(&self.decided).filter(|(_, built)| **built == Some(true));
        built.map(|(block, _)| u128::from(block.built[0])).sum()
    }

    /// All tasks together, in designs of less than the area, and the most demand that all cores hold; `None` if there is
    /// no such design.
    #[must_use]
    pub fn together(&self) -> Option<(Problem, BigUint)> {
        let most = self.area.map_or(u128::from(self.problem.limit(0)), u128::from);
        let left = most.checked_sub(self.built() + u128::from(self.area.is_some()))?;
        let class = |(number, class): (usize, &Vec<Offer>)| -> Vec<Offer> {
            class.iter().filter(|offer| self.allows(number, offer)).map(|offer| self.alone(offer)).collect()
        };
        let classes: Vec<Vec<Offer>> = self.problem.classes.iter().enumerate().map(class).collect();
        let block = |(at, block): (usize, &Block)| Block {
            built: vec![if self.decided[at] == Some(true) { 0 } else { block.built[0] }],
            // On different cores a slot may hold different blocks.
            slot: block.slot.filter(|_| self.chip.on_chip[at]),
            clock: 0,
            ..block.clone()
        };
        // The capacity is above all areas.
        let left = u64::try_from(left).unwrap_or(u64::MAX);
        let is_possible = classes.iter().all(|class| !class.is_empty());
        let mut together = Problem::plain(Kind::TaskSet, left, classes);
        together.blocks = self.problem.blocks.iter().enumerate().map(block).collect();
        is_possible.then(|| (together, &self.problem.hyperperiod * self.chip.cores))
    }

    fn alone(&self, offer: &Offer) -> Offer {
        Offer { costs: vec![offer.costs[self.clock].clone()], clock: 0, ..offer.clone() }
    }

    /// Whether prices show that no design has less than the area, or, where no area counts, that there is none.
    #[must_use]
    pub fn is_reached(&self, prices: &Prices) -> bool {
        let worth: u128 = prices.worth.iter().map(|worth| u128::from(*worth)).sum();
        let gains = u128::from(prices.largest).checked_mul(self.chip.cores as u128);
        let scaled = |area: u128| area.checked_mul(1 << prices.shift);
        let areas = self.area.map_or(Some((0, 0)), |area| {
            Some((scaled(area.saturating_sub(1).into())?, scaled(self.built())?))
        });
        let sums = areas
            .zip(gains)
            .and_then(|((below, built), gains)| Some((worth.checked_add(built)?, gains.checked_add(below)?)));
        sums.is_some_and(|(least, below)| least > below)
    }

    /// One core, where areas are losses at prices, and the most demand that it holds: what it loses if it gains more than
    /// the largest is at most the capacity. `None` if no core can gain more.
    /// Fails if numbers are beyond 64 bits.
    pub fn one_core(&self, prices: &Prices) -> Result<Option<(Problem, BigUint)>, Wrong> {
        let long = || Wrong::Verdict("the gains of a core are beyond 64 bits".into());
        let unit = u64::from(self.area.is_some()) << prices.shift;
        let scaled = |area: u64| area.checked_mul(unit).ok_or_else(long);
        let (exclusive, slots) = self.exclusive();
        let mut classes = Vec::with_capacity(self.problem.classes.len());
        let mut sum = 0u64;
        for (number, (class, &worth)) in self.problem.classes.iter().zip(&prices.worth).enumerate() {
            let offers: Vec<&Offer> = class.iter().filter(|offer| self.allows(number, offer)).collect();
            let areas =
                offers.iter().map(|offer| scaled(offer.amounts[0])).collect::<Result<Vec<u64>, Wrong>>()?;
            let best = areas.iter().map(|area| worth.saturating_sub(*area)).max().unwrap_or(0);
            sum = sum.checked_add(best).ok_or_else(long)?;
            let mut own = vec![Offer {
                option: 0,
                amounts: vec![best],
                blocks: Vec::new(),
                costs: vec![BigInt::ZERO],
                clock: 0,
            }];
            for (offer, area) in offers.into_iter().zip(areas) {
                // What gains most loses nothing.
                let area = best.checked_add(area).and_then(|sum| sum.checked_sub(worth)).ok_or_else(long)?;
                let mut offer = Offer { option: offer.option + 1, amounts: vec![area], ..self.alone(offer) };
                offer.blocks.extend(exclusive.iter().filter(|one| one.0 == number).map(|one| one.1));
                own.push(offer);
            }
            classes.push(own);
        }
        let capacity = sum.checked_sub(prices.largest).and_then(|least| least.checked_sub(1));
        let Some(capacity) = capacity else { return Ok(None) };
        let mut core = Problem::plain(Kind::TaskSet, capacity, classes);
        for (at, block) in self.problem.blocks.iter().enumerate() {
            let is_like = |other: &usize| {
                let slots = [*other, at].map(|at| (self.problem.blocks[at].slot, self.chip.on_chip[at]));
                slots[0] == slots[1]
            };
            let area = match self.decided[at] {
                Some(_) => 0,
                None => {
                    scaled(block.built[0])? / if self.chip.on_chip[at] { self.chip.cores as u64 } else { 1 }
                }
            };
            // A slot of the chip and one of a core are different ones: named by their first blocks.
            let slot = block.slot.and_then(|_| (0..=at).find(is_like)).map(|first| first as u64);
            core.blocks.push(Block { built: vec![area], slot, clock: 0, ..block.clone() });
        }
        let block = |slot| Block { built: vec![0], unbuilt: vec![0], slot: Some(slot), clock: 0 };
        core.blocks.extend(slots.into_iter().map(block));
        Ok(Some((core, self.problem.hyperperiod.clone())))
    }

    /// Tasks that exclude each other on a core, as blocks of no area that share a slot: the blocks of each task, and the
    /// slots of these blocks, counted on from those of the problem. These are pairs apart, and tasks pinned to different
    /// cores.
    fn exclusive(&self) -> (Vec<(usize, u32)>, Vec<u64>) {
        let first = self.problem.blocks.len();
        let (mut of_tasks, mut slots) = (Vec::new(), Vec::new());
        for &(one, other) in &self.chip.apart {
            let block = (first + slots.len()) as u32;
            of_tasks.extend([(one, block), (other, block + 1)]);
            slots.extend([u64::from(block); 2]);
        }
        let block = (first + slots.len()) as u32;
        let mut cores: Vec<u64> = self.chip.pins.iter().flatten().copied().collect();
        cores.sort_unstable();
        cores.dedup();
        slots.extend(cores.iter().map(|_| u64::from(block)));
        for (task, pin) in self.chip.pins.iter().enumerate() {
            let Some(pin) = pin else { continue };
            of_tasks.push((task, block + cores.partition_point(|core| core < pin) as u32));
        }
        (of_tasks, slots)
    }
}
