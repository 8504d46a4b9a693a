//! The problem of a certificate: classes, options, blocks, and the scheduling data of a task set.

use super::limits::words;
use super::resources::{Column, Resources};
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
    /// Its own amount of every resource.
    pub amounts: Vec<u64>,
    /// Blocks it uses.
    pub blocks: Vec<u32>,
    /// Its cost at each clock: demand over a hyperperiod, or the negated value. With several modes those of the first
    /// mode, then those of the second, and so on, all over the hyperperiod of all modes.
    pub costs: Vec<BigInt>,
    /// The fastest clock that its blocks allow.
    pub clock: usize,
}

/// Hardware that is built once for all options that use it.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its amount of every resource if it is built.
    pub built: Vec<u64>,
    /// Its amounts if it is not.
    pub unbuilt: Vec<u64>,
    /// At most one block of a slot is built.
    pub slot: Option<u64>,
    /// The fastest clock it allows.
    pub clock: usize,
}

/// The scheduling data of a task in a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Not stated, because jobs are delayed by more than execution times: a certificate proves nothing about deadlines but
    /// overload.
    Unstated,
}

/// The tasks in a mode, in integer units of time.
#[derive(Clone, Debug)]
pub struct TaskSet {
    /// Its scheduler.
    pub policy: Policy,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The least common multiple of the periods, in this mode alone.
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
    /// The resources; of a knapsack problem the weight.
    pub resources: Resources,
    /// Number of clocks, at least 1.
    pub clocks: usize,
    /// Blocks.
    pub blocks: Vec<Block>,
    /// One class per task, class or item, without options beyond the limits.
    pub classes: Vec<Vec<Offer>>,
    /// The unit of time, in terms of the set's own.
    pub time_unit: (BigUint, BigUint),
    /// The tasks in every mode; empty if it is no task set.
    pub modes: Vec<TaskSet>,
    /// H, the least common multiple of all periods.
    pub hyperperiod: BigUint,
    /// The cores among which the tasks are divided, if they are.
    pub chip: Option<Chip>,
    /// Whether an option, or a variant of the processor, is left out because it alone exceeds a limit.
    pub leaves_out: bool,
    /// The number of options.
    pub offers: u64,
    /// An upper bound on the machine words of the largest cost.
    pub cost_words: u64,
    /// Where the processor has variants, the number of this one in the task set.
    pub variant: usize,
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

impl Problem {
    /// A problem of one resource without tasks and blocks.
    pub(crate) fn plain(kind: Kind, capacity: u64, classes: Vec<Vec<Offer>>) -> Self {
        let costs = classes.iter().flatten().flat_map(|offer| &offer.costs);
        Self {
            kind,
            resources: Resources::one(capacity),
            clocks: 1,
            blocks: Vec::new(),
            time_unit: (1u32.into(), 1u32.into()),
            modes: Vec::new(),
            hyperperiod: BigUint::ZERO,
            chip: None,
            leaves_out: false,
            offers: classes.iter().map(|class| class.len() as u64).sum(),
            cost_words: costs.map(|cost| words(cost.magnitude())).max().unwrap_or(1),
            variant: 0,
            others: Vec::new(),
            hash: [0; 32],
            classes,
        }
    }

    /// The problem of every variant of the processor: itself, and the others.
    pub fn variants(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.others)
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

    /// The number of resources.
    pub fn width(&self) -> usize {
        self.resources.columns.len()
    }

    /// The largest queried amount of a resource.
    pub fn limit(&self, resource: usize) -> u64 {
        self.resources.columns[resource].limit
    }

    /// Whether these amounts are within the limits.
    pub fn allows(&self, amounts: &[u64]) -> bool {
        let within = |(amount, column): (&u64, &Column)| *amount <= column.limit;
        self.resources.is_possible && amounts.iter().zip(&self.resources.columns).all(within)
    }

    /// Whether no design that takes options of this problem can exceed the limit of a resource.
    pub fn is_free(&self, resource: usize) -> bool {
        let largest =
            |class: &Vec<Offer>| class.iter().map(|offer| offer.amounts[resource]).max().unwrap_or(0);
        let own: u128 = self.classes.iter().map(|class| u128::from(largest(class))).sum();
        let blocks = self.blocks.iter().map(|block| block.built[resource].max(block.unbuilt[resource]));
        own + blocks.map(u128::from).sum::<u128>() <= u128::from(self.limit(resource))
    }

    /// The resources that lists count: the objectives, and those of the others whose limits some design may exceed.
    pub(crate) fn counted(&self) -> Vec<usize> {
        let counts = |&resource: &usize| resource < self.resources.objectives || !self.is_free(resource);
        (0..self.width()).filter(counts).collect()
    }

    /// The same within an amount of the first resource, of every variant.
    #[must_use]
    pub fn with_most(&self, most: u64) -> Self {
        let mut problem = self.clone();
        for one in std::iter::once(&mut problem.resources)
            .chain(problem.others.iter_mut().map(|own| &mut own.resources))
        {
            one.columns[0].limit = one.columns[0].limit.min(most);
        }
        problem
    }

    /// Whether the limits restrict nothing.
    pub fn is_unlimited(&self) -> bool {
        self.variants().all(|one| {
            !one.leaves_out && one.resources.is_possible && (0..one.width()).all(|at| one.is_free(at))
        })
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
