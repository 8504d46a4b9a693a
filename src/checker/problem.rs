//! The problem of a certificate: classes, options, blocks, and the scheduling data of a task set.

use crate::failure::Wrong;
use crate::format::problem as kinds;
use crate::limits::{Limits, Meter, times, words};
use crate::read::Numbers;
use crate::resources::{Resources, read_amounts};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;
use sha2::{Digest, Sha256};
use std::io::Read;

/// The maximum number of classes, options, blocks or points.
pub const MOST: usize = u32::MAX as usize;

/// The maximum number of bits of a hyperperiod.
pub const MOST_BITS: u64 = 1 << 16;

/// Bytes per class, including derived data: vectors of its options, its choice, its place.
const CLASS: u64 = 256;
/// Bytes per option, including derived data, without its costs.
const OFFER: u64 = 384;
/// Bytes of a big number, without its digits.
const NUMBER: u64 = 48;
/// Bytes per block.
const BLOCK: u64 = 128;
/// Steps to read an option, and to derive another one from it.
pub(crate) const OFFER_STEPS: u64 = 300;

/// An option of a class.
#[derive(Clone, Debug)]
pub struct Offer {
    /// 0 means none, k means item or choice k - 1.
    pub option: u32,
    /// Own area; with several resources, its amount of the first.
    pub area: u64,
    /// Its amounts of the other resources.
    pub further: Vec<u64>,
    /// Blocks it uses.
    pub blocks: Vec<u32>,
    /// Its cost at each clock: demand over a hyperperiod, or the negated value.
    pub costs: Vec<BigInt>,
    /// The fastest clock that its blocks allow.
    pub clock: usize,
}

/// Hardware that is built once for all options that use it.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its area; with several resources, its amount of the first if it is built.
    pub area: u64,
    /// Its amounts of the other resources if it is built.
    pub further: Vec<u64>,
    /// The amounts of all resources if it is not built; empty with one area, where they are 0.
    pub unbuilt: Vec<u64>,
    /// At most one block of a slot is built.
    pub slot: Option<u64>,
    /// The fastest clock it allows.
    pub clock: usize,
}

/// The scheduling data of a task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Minimum time between two jobs.
    pub period: BigUint,
    /// Relative deadline: time from a job's release to its deadline.
    pub deadline: BigUint,
    /// Priority, 0 being the highest; 0 under EDF.
    pub rank: u64,
    /// Execution times: for each clock one per option, software first.
    pub wcets: Vec<Vec<BigUint>>,
}

/// A task set in integer units of time and area.
#[derive(Clone, Debug)]
pub struct TaskSet {
    /// The area unit, in terms of the set's own.
    pub area_unit: (BigUint, BigUint),
    /// The time unit, in terms of the set's own.
    pub time_unit: (BigUint, BigUint),
    /// Whether priorities are fixed; otherwise EDF.
    pub fixed: bool,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// H, the least common multiple of the periods.
    pub hyperperiod: BigUint,
}

/// The kind of problem of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A task set.
    TaskSet,
    /// A multiple-choice knapsack problem.
    Mckp {
        /// Whether a class may contribute no item.
        optional: bool,
    },
    /// A 0-1 knapsack problem.
    Knapsack,
}

/// A problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its kind.
    pub kind: Kind,
    /// The queried capacity: area or weight; with several resources, the limit of the first.
    pub capacity: u64,
    /// The resources, where there are several.
    pub resources: Option<Resources>,
    /// Number of clocks, at least 1.
    pub clocks: usize,
    /// Blocks.
    pub blocks: Vec<Block>,
    /// One class per task, class or item, without options beyond the capacity.
    pub classes: Vec<Vec<Offer>>,
    /// The tasks, where it is a task set.
    pub task_set: Option<TaskSet>,
    /// Whether an option is left out because it alone exceeds the capacity.
    pub leaves_out: bool,
    /// The number of options.
    pub offers: u64,
    /// An upper bound on the machine words of the largest cost.
    pub cost_words: u64,
    /// SHA-256 of its bytes.
    pub hash: [u8; 32],
}

impl Problem {
    /// Reads the bytes of a problem. Fails if they are invalid.
    pub fn read(bytes: &[u8]) -> Result<Self, Wrong> {
        Self::read_within(bytes, &mut Meter::new(Limits::NONE))
    }

    /// As [`Problem::read`], within limits: the meter is charged for the problem and for later designs and scenarios
    /// of it. Fails as [`Problem::read`] does, and if a limit is exceeded.
    pub fn read_within(bytes: &[u8], meter: &mut Meter) -> Result<Self, Wrong> {
        let mut numbers = Numbers::metered(bytes, meter.clone());
        let mut problem = match numbers.within(kinds::LAST as usize, "the kind of problem")? as u64 {
            kinds::TASK_SET => task_set(&mut numbers, false)?,
            kinds::RESOURCES => task_set(&mut numbers, true)?,
            kinds::MCKP => mckp(&mut numbers)?,
            kinds::KNAPSACK => knapsack(&mut numbers, false)?,
            _ => knapsack(&mut numbers, true)?,
        };
        numbers.end().map_err(|_| Wrong::Problem("it ends before its bytes do".into()))?;
        problem.hash = hash(bytes);
        *meter = numbers.meter;
        Ok(problem)
    }

    /// A problem without tasks and blocks.
    fn plain(kind: Kind, capacity: u64, classes: Vec<Vec<Offer>>, leaves_out: bool) -> Self {
        let (blocks, task_set, resources, hash) = (Vec::new(), None, None, [0; 32]);
        let offers = classes.iter().map(|class| class.len() as u64).sum();
        let costs = classes.iter().flatten().flat_map(|offer| &offer.costs);
        let cost_words = costs.map(|cost| words(cost.magnitude())).max().unwrap_or(1);
        let clocks = 1;
        Self {
            kind,
            capacity,
            resources,
            clocks,
            blocks,
            classes,
            task_set,
            leaves_out,
            offers,
            cost_words,
            hash,
        }
    }

    /// The hash as hexadecimal text.
    pub fn hash_text(&self) -> String {
        hex(&self.hash)
    }

    /// The number of resources; 1 for an area or a weight.
    pub fn width(&self) -> usize {
        self.resources.as_ref().map_or(1, |resources| resources.columns.len())
    }

    /// The largest queried amount of a resource.
    pub fn limit(&self, resource: usize) -> u64 {
        self.resources.as_ref().map_or(self.capacity, |resources| resources.columns[resource].limit)
    }

    /// Whether no design that takes options of this problem can exceed the limit of a resource.
    pub fn is_free(&self, resource: usize) -> bool {
        let largest =
            |class: &Vec<Offer>| class.iter().map(|offer| offer.amount(resource)).max().unwrap_or(0);
        let own: u128 = self.classes.iter().map(|class| u128::from(largest(class))).sum();
        let blocks = self.blocks.iter().map(|block| block.built(resource).max(block.unbuilt(resource)));
        own + blocks.map(u128::from).sum::<u128>() <= u128::from(self.limit(resource))
    }

    /// Whether the capacity or the limits restrict nothing.
    pub fn is_unlimited(&self) -> bool {
        let is_possible = self.resources.as_ref().is_none_or(|resources| resources.is_possible);
        !self.leaves_out && is_possible && (0..self.width()).all(|resource| self.is_free(resource))
    }
}

impl Offer {
    /// Its own amount of a resource.
    pub fn amount(&self, resource: usize) -> u64 {
        resource.checked_sub(1).map_or(self.area, |at| self.further[at])
    }
}

impl Block {
    /// Its amount of a resource if it is built.
    pub fn built(&self, resource: usize) -> u64 {
        resource.checked_sub(1).map_or(self.area, |at| self.further[at])
    }

    /// Its amount of a resource if it is not built.
    pub fn unbuilt(&self, resource: usize) -> u64 {
        self.unbuilt.get(resource).copied().unwrap_or(0)
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

/// Charges an option whose costs, one per clock, have this many machine words.
fn hold_offer<R: Read>(numbers: &mut Numbers<R>, clocks: usize, words: u64) -> Result<(), Wrong> {
    numbers.meter.work(OFFER_STEPS)?;
    numbers.meter.hold(OFFER + clocks as u64 * (2 * NUMBER + 16 * words))
}

fn mckp<R: Read>(numbers: &mut Numbers<R>) -> Result<Problem, Wrong> {
    let capacity = numbers.small("the capacity")?;
    let optional = numbers.flag("the rule of choice")?;
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    for _ in 0..numbers.within(MOST, "the number of classes")? {
        numbers.meter.hold(CLASS)?;
        let mut class: Vec<Offer> = optional.then(nothing).into_iter().collect();
        for item in 1..=numbers.within(MOST, "the number of items")? {
            let value = numbers.signed("a value")?;
            let weight = numbers.small("a weight")?;
            hold_offer(numbers, 1, words(value.magnitude()))?;
            leaves_out |= weight > capacity;
            class.extend(item_offer(item, -value, weight, capacity));
        }
        classes.push(class);
    }
    Ok(Problem::plain(Kind::Mckp { optional }, capacity, classes, leaves_out))
}

fn knapsack<R: Read>(numbers: &mut Numbers<R>, is_signed: bool) -> Result<Problem, Wrong> {
    let capacity = numbers.small("the capacity")?;
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    for _ in 0..numbers.within(MOST, "the number of items")? {
        let profit = if is_signed { numbers.signed("a profit")? } else { numbers.big("a profit")?.into() };
        let weight = numbers.small("a weight")?;
        numbers.meter.hold(CLASS + OFFER)?;
        hold_offer(numbers, 1, words(profit.magnitude()))?;
        leaves_out |= weight > capacity;
        let mut class = vec![nothing()];
        class.extend(item_offer(1, -profit, weight, capacity));
        classes.push(class);
    }
    Ok(Problem::plain(Kind::Knapsack, capacity, classes, leaves_out))
}

fn nothing() -> Offer {
    Offer { option: 0, area: 0, further: vec![], blocks: vec![], costs: vec![BigInt::ZERO], clock: 0 }
}

fn item_offer(item: usize, cost: BigInt, area: u64, capacity: u64) -> Option<Offer> {
    let option = u32::try_from(item).ok()?;
    (area <= capacity).then(|| Offer { option, area, costs: vec![cost], ..nothing() })
}

/// A task set: with one area, or with several resources.
fn task_set<R: Read>(numbers: &mut Numbers<R>, has_several: bool) -> Result<Problem, Wrong> {
    let unit =
        |numbers: &mut Numbers<R>, what| Ok::<_, Wrong>((numbers.positive(what)?, numbers.positive(what)?));
    let (area_unit, resources) = match has_several {
        true => ((BigUint::one(), BigUint::one()), Some(Resources::read(numbers)?)),
        false => (unit(numbers, "the unit of area")?, None),
    };
    let time_unit = unit(numbers, "the unit of time")?;
    let capacity = match &resources {
        Some(resources) => resources.columns[0].limit,
        None => numbers.small("the capacity")?,
    };
    let fixed = numbers.flag("the policy")?;
    let clocks = numbers.within(MOST, "the number of clocks")?;
    if clocks == 0 {
        return Err(Wrong::Problem("it has no clock".into()));
    }
    let mut blocks = Vec::new();
    let count = numbers.within(MOST, "the number of blocks")?;
    if clocks > count + 1 {
        return Err(Wrong::Problem("it has more clocks than its blocks ask for".into()));
    }
    for _ in 0..count {
        numbers.meter.hold(BLOCK)?;
        let area = numbers.small("the area of a block")?;
        let (mut further, mut unbuilt) = (Vec::new(), Vec::new());
        if let Some(resources) = &resources {
            let width = resources.columns.len();
            further = read_amounts(numbers, width - 1, "an amount of a block")?;
            unbuilt = read_amounts(numbers, width, "an amount without a block")?;
        }
        let slot = numbers.small("the slot of a block")?.checked_sub(1);
        let clock = numbers.within(clocks - 1, "the clock of a block")?;
        blocks.push(Block { area, further, unbuilt, slot, clock });
    }
    let fits = |offer: &Offer| match &resources {
        Some(Resources { columns, is_possible, .. }) => {
            *is_possible && (0..).zip(columns).all(|(at, column)| offer.amount(at) <= column.limit)
        }
        None => offer.area <= capacity,
    };
    let mut tasks = Vec::new();
    let (mut classes, mut leaves_out) = (Vec::new(), false);
    let costs = Costs { fixed, clocks, blocks: &blocks, resources: resources.as_ref() };
    for _ in 0..numbers.within(MOST, "the number of tasks")? {
        let (task, class, all) = read_task(numbers, &costs)?;
        leaves_out |= !all || !class.iter().all(fits);
        tasks.push(task);
        classes.push(class);
    }
    let hyperperiod = hyperperiod(&tasks, &mut numbers.meter)?;
    let longest = tasks.iter().flat_map(|task| task.wcets.iter().flatten()).map(words).max().unwrap_or(1);
    let cost_words = words(&hyperperiod) + longest;
    let offers = classes.iter().map(|class| class.len() as u64).sum();
    for (class, task) in classes.iter_mut().zip(&tasks) {
        numbers.meter.work(times(&[words(&hyperperiod), words(&task.period), 4]))?;
        let jobs = &hyperperiod / &task.period;
        for offer in class.iter_mut() {
            hold_offer(numbers, clocks, cost_words)?;
            numbers.meter.work(times(&[clocks as u64, cost_words, longest]))?;
            let wcet = |clock: &Vec<BigUint>| BigInt::from(&clock[offer.option as usize] * &jobs);
            offer.costs = task.wcets.iter().map(wcet).collect();
        }
        class.retain(fits);
    }
    let task_set = Some(TaskSet { area_unit, time_unit, fixed, tasks, hyperperiod });
    Ok(Problem {
        kind: Kind::TaskSet,
        capacity,
        resources,
        clocks,
        blocks,
        classes,
        task_set,
        leaves_out,
        offers,
        cost_words,
        hash: [0; 32],
    })
}

/// The least common multiple of the periods.
fn hyperperiod(tasks: &[Task], meter: &mut Meter) -> Result<BigUint, Wrong> {
    let mut multiple = BigUint::one();
    for Task { period, .. } in tasks {
        meter.work(100 + times(&[words(period), words(&multiple) + period.bits(), 4]))?;
        let shared = period.gcd(&(&multiple % period));
        multiple *= period / shared;
        if multiple.bits() > MOST_BITS {
            return Err(Wrong::Problem(format!("its hyperperiod has more than {MOST_BITS} bits")));
        }
    }
    Ok(multiple)
}

/// What the tasks of a set have in common.
struct Costs<'a> {
    fixed: bool,
    clocks: usize,
    blocks: &'a [Block],
    resources: Option<&'a Resources>,
}

/// A task, its options within the capacity, and whether none was left out.
fn read_task<R: Read>(numbers: &mut Numbers<R>, costs: &Costs) -> Result<(Task, Vec<Offer>, bool), Wrong> {
    let &Costs { fixed, clocks, blocks, resources } = costs;
    let width = resources.map_or(0, |resources| resources.columns.len());
    let period = numbers.positive("a period")?;
    let deadline = numbers.positive("a deadline")?;
    let rank = if fixed { numbers.small("a priority")? } else { 0 };
    let forced = numbers.flag("whether a choice is forced")?;
    let choices = numbers.within(u32::MAX as usize - 1, "the number of choices")?;
    if forced && choices == 0 {
        return Err(Wrong::Problem("a task without choices is forced to take one".into()));
    }
    // The execution times are included in the size of an option.
    numbers.meter.hold(CLASS + clocks as u64 * 2 * NUMBER)?;
    let (mut class, mut all) = (Vec::new(), true);
    let mut software = nothing();
    if resources.is_some() {
        software.area = numbers.small("an amount of software")?;
        software.further = read_amounts(numbers, width - 1, "an amount of software")?;
    }
    if !forced {
        class.push(software);
    }
    for option in (1..).take(choices) {
        let first = numbers.small("an area")?;
        let area = if resources.is_some() { Some(first) } else { first.checked_sub(1) };
        let further = read_amounts(numbers, width.saturating_sub(1), "an amount")?;
        let uses = numbers.within(blocks.len(), "the number of blocks of a choice")?;
        let mut used = Vec::new();
        for _ in 0..uses {
            // Once here and once in the scenarios, each growing by doubling.
            numbers.meter.hold(16)?;
            used.push(numbers.within(blocks.len().saturating_sub(1), "a block")? as u32);
        }
        if !used.is_sorted_by(|a, b| a < b) {
            return Err(Wrong::Problem("the blocks of a choice are not in order".into()));
        }
        let clock = used.iter().map(|&block| blocks[block as usize].clock).max().unwrap_or(0);
        all &= area.is_some();
        if let Some(area) = area.filter(|_| !forced || option == 1) {
            class.push(Offer { option, area, further, blocks: used, costs: Vec::new(), clock });
        }
    }
    let mut wcets = Vec::new();
    for _ in 0..clocks {
        let mut clock = Vec::new();
        for _ in 0..=choices {
            let wcet = numbers.big("an execution time")?;
            numbers.meter.work(OFFER_STEPS)?;
            numbers.meter.hold(NUMBER + 32 + 8 * words(&wcet))?;
            clock.push(wcet);
        }
        wcets.push(clock);
    }
    Ok((Task { period, deadline, rank, wcets }, class, all))
}
