//! The problem of a certificate: classes, options, blocks, and for a task set what its scheduler needs.

use crate::read::{Numbers, Wrong};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};
use sha2::{Digest, Sha256};
use std::io::Read;

/// The most classes, options, blocks or points that are read.
pub const MOST: usize = u32::MAX as usize;

/// An option of a class.
#[derive(Clone, Debug)]
pub struct Offer {
    /// 0 for none, k for item or choice k - 1.
    pub option: u32,
    /// Own area.
    pub area: u64,
    /// Blocks it uses.
    pub blocks: Vec<u32>,
    /// Its cost at each clock: demand over a hyperperiod, or the value negated.
    pub costs: Vec<BigInt>,
    /// The fastest clock that its blocks allow.
    pub clock: usize,
}

/// Hardware that is built once for all options that use it.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its area.
    pub area: u64,
    /// At most one block of a slot is built.
    pub slot: Option<u64>,
    /// The fastest clock that it allows.
    pub clock: usize,
}

/// What a scheduler needs of a task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Least time between two jobs.
    pub period: BigUint,
    /// Time from a job's release to its deadline.
    pub deadline: BigUint,
    /// Priority, 0 the highest; 0 under EDF.
    pub rank: u64,
    /// Execution times: one a clock, each one an option, software first.
    pub wcets: Vec<Vec<BigUint>>,
}

/// A task set in whole units of time and area.
#[derive(Clone, Debug)]
pub struct TaskSet {
    /// A unit of area, in the set's own.
    pub area_unit: (BigUint, BigUint),
    /// A unit of time, in the set's own.
    pub time_unit: (BigUint, BigUint),
    /// Whether priorities are fixed; else the earliest deadline goes first.
    pub fixed: bool,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// H, the least common multiple of the periods.
    pub hyperperiod: BigUint,
}

/// What a certificate is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A task set.
    TaskSet,
    /// A multiple-choice knapsack problem.
    Mckp {
        /// Whether a class may give no item.
        optional: bool,
    },
    /// A 0-1 knapsack problem.
    Knapsack,
}

/// A problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What it is.
    pub kind: Kind,
    /// The most area or weight that is asked about.
    pub capacity: u64,
    /// Number of clocks, at least 1.
    pub clocks: usize,
    /// Blocks.
    pub blocks: Vec<Block>,
    /// One a task, class or item; those beyond the capacity are left out.
    pub classes: Vec<Vec<Offer>>,
    /// The tasks, where it is a task set.
    pub task_set: Option<TaskSet>,
    /// Whether something is left out since it alone is beyond the capacity.
    pub leaves_out: bool,
    /// SHA-256 of its bytes.
    pub hash: [u8; 32],
}

impl Problem {
    /// Reads the bytes of a problem.
    ///
    /// # Errors
    ///
    /// If they are none.
    pub fn read(bytes: &[u8]) -> Result<Self, Wrong> {
        let mut numbers = Numbers::new(bytes);
        let mut problem = match numbers.within(2, "the kind of problem")? {
            0 => task_set(&mut numbers)?,
            1 => mckp(&mut numbers)?,
            _ => knapsack(&mut numbers)?,
        };
        numbers.end().map_err(|_| Wrong::Problem("it ends before its bytes do".into()))?;
        problem.hash = hash(bytes);
        Ok(problem)
    }

    /// One without tasks and blocks.
    fn plain(kind: Kind, capacity: u64, classes: Vec<Vec<Offer>>, leaves_out: bool) -> Self {
        let (blocks, task_set, hash) = (Vec::new(), None, [0; 32]);
        Self { kind, capacity, clocks: 1, blocks, classes, task_set, leaves_out, hash }
    }

    /// The hash as text.
    pub fn hash_text(&self) -> String {
        hex(&self.hash)
    }

    /// The area or weight of everything at its largest: with no more than that, a capacity limits nothing.
    pub fn is_unlimited(&self) -> bool {
        let largest = |class: &Vec<Offer>| class.iter().map(|offer| offer.area).max().unwrap_or(0);
        let own: u128 = self.classes.iter().map(|class| u128::from(largest(class))).sum();
        let blocks: u128 = self.blocks.iter().map(|block| u128::from(block.area)).sum();
        !self.leaves_out && own + blocks <= u128::from(self.capacity)
    }
}

/// The SHA-256 of a problem's bytes.
pub fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn signed<R: Read>(numbers: &mut Numbers<R>, what: &'static str) -> Result<BigInt, Wrong> {
    let (half, negative) = numbers.big(what)?.div_rem(&BigUint::from(2u32));
    if negative.is_zero() {
        return Ok(half.into());
    }
    if half.is_zero() {
        Err(Wrong::Number { what, problem: "-0" })
    } else {
        Ok(BigInt::from_biguint(Sign::Minus, half))
    }
}

fn positive<R: Read>(numbers: &mut Numbers<R>, what: &'static str) -> Result<BigUint, Wrong> {
    let number = numbers.big(what)?;
    if number.is_zero() { Err(Wrong::Problem(format!("{what} is 0"))) } else { Ok(number) }
}

fn mckp<R: Read>(numbers: &mut Numbers<R>) -> Result<Problem, Wrong> {
    let capacity = numbers.small("the capacity")?;
    let optional = numbers.flag("the rule of choice")?;
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    for _ in 0..numbers.within(MOST, "the number of classes")? {
        let mut class: Vec<Offer> = optional.then(nothing).into_iter().collect();
        for item in 1..=numbers.within(MOST, "the number of items")? {
            let value = signed(numbers, "a value")?;
            let weight = numbers.small("a weight")?;
            leaves_out |= weight > capacity;
            class.extend(item_offer(item, -value, weight, capacity));
        }
        classes.push(class);
    }
    Ok(Problem::plain(Kind::Mckp { optional }, capacity, classes, leaves_out))
}

fn knapsack<R: Read>(numbers: &mut Numbers<R>) -> Result<Problem, Wrong> {
    let capacity = numbers.small("the capacity")?;
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    for _ in 0..numbers.within(MOST, "the number of items")? {
        let profit = numbers.big("a profit")?;
        let weight = numbers.small("a weight")?;
        leaves_out |= weight > capacity;
        let mut class = vec![nothing()];
        class.extend(item_offer(1, -BigInt::from(profit), weight, capacity));
        classes.push(class);
    }
    Ok(Problem::plain(Kind::Knapsack, capacity, classes, leaves_out))
}

fn nothing() -> Offer {
    Offer { option: 0, area: 0, blocks: vec![], costs: vec![BigInt::ZERO], clock: 0 }
}

fn item_offer(item: usize, cost: BigInt, area: u64, capacity: u64) -> Option<Offer> {
    let option = u32::try_from(item).ok()?;
    (area <= capacity).then(|| Offer { option, area, blocks: vec![], costs: vec![cost], clock: 0 })
}

fn task_set<R: Read>(numbers: &mut Numbers<R>) -> Result<Problem, Wrong> {
    let mut unit = |what| Ok::<_, Wrong>((positive(numbers, what)?, positive(numbers, what)?));
    let area_unit = unit("the unit of area")?;
    let time_unit = unit("the unit of time")?;
    let capacity = numbers.small("the capacity")?;
    let fixed = numbers.flag("the policy")?;
    let clocks = numbers.within(MOST, "the number of clocks")?;
    if clocks == 0 {
        return Err(Wrong::Problem("it has no clock".into()));
    }
    let mut blocks = Vec::new();
    for _ in 0..numbers.within(MOST, "the number of blocks")? {
        let area = numbers.small("the area of a block")?;
        let slot = numbers.small("the slot of a block")?.checked_sub(1);
        let clock = numbers.within(clocks - 1, "the clock of a block")?;
        blocks.push(Block { area, slot, clock });
    }
    let mut tasks = Vec::new();
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    for _ in 0..numbers.within(MOST, "the number of tasks")? {
        let (task, class, all) = read_task(numbers, fixed, clocks, &blocks)?;
        leaves_out |= !all || class.iter().any(|offer| offer.area > capacity);
        tasks.push(task);
        classes.push(class);
    }
    let hyperperiod = tasks.iter().fold(BigUint::one(), |lcm, task| lcm.lcm(&task.period));
    for (class, task) in classes.iter_mut().zip(&tasks) {
        let jobs = &hyperperiod / &task.period;
        for offer in class.iter_mut() {
            let wcet = |clock: &Vec<BigUint>| BigInt::from(&clock[offer.option as usize] * &jobs);
            offer.costs = task.wcets.iter().map(wcet).collect();
        }
        class.retain(|offer| offer.area <= capacity);
    }
    let task_set = Some(TaskSet { area_unit, time_unit, fixed, tasks, hyperperiod });
    Ok(Problem {
        kind: Kind::TaskSet,
        capacity,
        clocks,
        blocks,
        classes,
        task_set,
        leaves_out,
        hash: [0; 32],
    })
}

/// A task, its options within the capacity, and whether these are all.
fn read_task<R: Read>(
    numbers: &mut Numbers<R>,
    fixed: bool,
    clocks: usize,
    blocks: &[Block],
) -> Result<(Task, Vec<Offer>, bool), Wrong> {
    let period = positive(numbers, "a period")?;
    let deadline = positive(numbers, "a deadline")?;
    let rank = if fixed { numbers.small("a priority")? } else { 0 };
    let forced = numbers.flag("whether a choice is forced")?;
    let choices = numbers.within(u32::MAX as usize - 1, "the number of choices")?;
    if forced && choices == 0 {
        return Err(Wrong::Problem("a task without choices is forced to take one".into()));
    }
    let (mut class, mut all) = (Vec::new(), true);
    if !forced {
        class.push(nothing());
    }
    for option in (1..).take(choices) {
        let area = numbers.small("an area")?.checked_sub(1);
        let uses = numbers.within(blocks.len(), "the number of blocks of a choice")?;
        let mut used = Vec::new();
        for _ in 0..uses {
            used.push(numbers.within(blocks.len().saturating_sub(1), "a block")? as u32);
        }
        if !used.is_sorted_by(|a, b| a < b) {
            return Err(Wrong::Problem("the blocks of a choice are not in order".into()));
        }
        let clock = used.iter().map(|&block| blocks[block as usize].clock).max().unwrap_or(0);
        all &= area.is_some();
        if let Some(area) = area.filter(|_| !forced || option == 1) {
            class.push(Offer { option, area, blocks: used, costs: Vec::new(), clock });
        }
    }
    let mut wcets = Vec::new();
    for _ in 0..clocks {
        let mut clock = Vec::new();
        for _ in 0..=choices {
            clock.push(numbers.big("an execution time")?);
        }
        wcets.push(clock);
    }
    Ok((Task { period, deadline, rank, wcets }, class, all))
}
