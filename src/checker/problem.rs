//! The problem of a certificate: classes, options, blocks, and the scheduling data of a task set.

use crate::limits::words;
use crate::resources::Resources;
use num_bigint::{BigInt, BigUint};
use sha2::{Digest, Sha256};

/// The maximum number of classes, options, blocks or points.
pub const MOST: usize = u32::MAX as usize;

/// The maximum number of modes.
pub const MOST_MODES: usize = 64;

/// The maximum number of bits of a hyperperiod.
pub const MOST_BITS: u64 = 1 << 16;

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
    /// Its cost at each clock: demand over a hyperperiod, or the negated value. With several modes those of the first
    /// mode, then those of the second, and so on, all over the hyperperiod of the set.
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
    /// Priority, 0 being the highest; 0 under EDF. Tasks of equal priority may each have to wait for the others.
    pub rank: u64,
    /// Execution times: for each clock one per option, software first.
    pub wcets: Vec<Vec<BigUint>>,
}

/// What schedules a task set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Earliest deadline first.
    Edf,
    /// Fixed priorities.
    FixedPriority,
    /// Not stated, since jobs are delayed by more than execution times: nothing but overload is known of deadlines.
    Unstated,
}

/// A task set in integer units of time and area.
#[derive(Clone, Debug)]
pub struct TaskSet {
    /// The area unit, in terms of the set's own.
    pub area_unit: (BigUint, BigUint),
    /// The time unit, in terms of the set's own.
    pub time_unit: (BigUint, BigUint),
    /// Its scheduler.
    pub policy: Policy,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// H, the least common multiple of the periods.
    pub hyperperiod: BigUint,
}

impl TaskSet {
    /// The other tasks of higher or equal priority, under fixed priorities.
    pub fn ahead_of(&self, task: usize) -> impl Iterator<Item = &Task> {
        let rank = self.tasks[task].rank;
        let others = self.tasks.iter().enumerate();
        others.filter(move |(at, other)| *at != task && other.rank <= rank).map(|(_, other)| other)
    }
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
    /// The tasks, where it is a task set; with several modes those of the first, with the hyperperiod of the set.
    pub task_set: Option<TaskSet>,
    /// The tasks in every mode, where there are several.
    pub modes: Vec<TaskSet>,
    /// The cores among which the tasks are divided, if they are.
    pub chip: Option<Chip>,
    /// Whether an option is left out because it alone exceeds the capacity.
    pub leaves_out: bool,
    /// The number of options.
    pub offers: u64,
    /// An upper bound on the machine words of the largest cost.
    pub cost_words: u64,
    /// Where the processor has variants, which this one is.
    pub variant: Variant,
    /// The other variants, each with a design for the same tasks.
    pub others: Vec<Problem>,
    /// SHA-256 of its bytes.
    pub hash: [u8; 32],
}

/// Equal cores among which the tasks are divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// The number of cores, at least 1.
    pub cores: usize,
    /// The area of a core, in the task set's unit: numerator and denominator.
    pub core_area: (BigUint, BigUint),
    /// For each block whether it is built once for all cores; others are built on every core with an option that uses
    /// them, and their slots are those of a core.
    pub on_chip: Vec<bool>,
    /// For each task the core it must be on.
    pub pins: Vec<Option<u64>>,
    /// Pairs of tasks that must not be on one core.
    pub apart: Vec<(usize, usize)>,
}

/// A variant of the processor; the only processor by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Its number in the task set.
    pub number: usize,
    /// What it adds to the area of its designs; 0 with several resources, whose amounts include it.
    pub more: u64,
    /// The area from which all variants are counted, with the first of them: numerator and denominator.
    pub offset: Option<(BigUint, BigUint)>,
    /// Whether another variant is left out because it alone exceeds the capacity.
    pub leaves_out: bool,
}

impl Problem {
    /// A problem without tasks and blocks.
    pub(crate) fn plain(kind: Kind, capacity: u64, classes: Vec<Vec<Offer>>, leaves_out: bool) -> Self {
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
            modes: Vec::new(),
            chip: None,
            leaves_out,
            offers,
            cost_words,
            variant: Variant::default(),
            others: Vec::new(),
            hash,
        }
    }

    /// The problem of every variant of the processor: itself, and the others.
    pub fn variants(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.others)
    }

    /// The tasks as they are in each mode.
    pub fn task_sets(&self) -> &[TaskSet] {
        if self.modes.is_empty() { self.task_set.as_slice() } else { &self.modes }
    }

    /// Whether lists count more than an area and a cost.
    pub fn has_vectors(&self) -> bool {
        self.resources.is_some() || !self.modes.is_empty()
    }

    /// The number of costs of an option: one per mode and clock.
    pub fn cost_count(&self) -> usize {
        self.clocks * self.modes.len().max(1)
    }

    /// The hash as hexadecimal text.
    pub fn hash_text(&self) -> String {
        hex(&self.hash)
    }

    /// The number of options, of the current case in a proof by cases.
    pub(crate) fn options(&self) -> u64 {
        self.classes.iter().map(|class| class.len() as u64).sum()
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
        self.variants().all(Self::is_unlimited_alone)
    }

    fn is_unlimited_alone(&self) -> bool {
        let is_possible = self.resources.as_ref().is_none_or(|resources| resources.is_possible);
        !self.leaves_out
            && !self.variant.leaves_out
            && is_possible
            && (0..self.width()).all(|resource| self.is_free(resource))
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
