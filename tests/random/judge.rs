//! Brute force: every design of a drawn set, its cost, its load in every mode, and whether it meets all deadlines.

use super::Random;
use super::deadlines::{Job, meet_all};
use super::set::{Set, Task};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A design.
#[derive(Clone, Debug)]
pub struct Design {
    pub variant: usize,
    pub choices: Vec<Option<usize>>,
    pub blocks: BTreeSet<usize>,
    pub cost: Vec<i128>,
    /// Of the objectives, in their order.
    pub key: Vec<i128>,
    pub is_within: bool,
    /// Whether no slot holds two blocks.
    pub fits_slots: bool,
    pub clock: Option<i128>,
    /// In every mode; over [`Judge::full`] it is the utilization.
    pub loads: Vec<BigInt>,
    /// In every mode; `None` if that is not known here.
    pub passes: Vec<Option<bool>>,
}

impl Design {
    /// The load in the mode where it is the largest.
    pub fn load(&self) -> &BigInt {
        self.loads.iter().max().unwrap()
    }

    /// Whether it meets all deadlines in these modes.
    pub fn passes_in(&self, modes: &[usize]) -> Option<bool> {
        let passes = || modes.iter().map(|&mode| self.passes[mode]);
        if passes().any(|one| one == Some(false)) {
            Some(false)
        } else {
            passes().collect::<Option<Vec<_>>>().map(|_| true)
        }
    }

    pub fn passes(&self) -> Option<bool> {
        self.passes_in(&(0..self.passes.len()).collect::<Vec<_>>())
    }

    /// Compares what decides between designs of the same key: the load, the other costs, the variant, the choices from the last
    /// task back.
    pub fn rank(&self, other: &Self) -> Ordering {
        let own = (self.load(), &self.cost, self.variant).cmp(&(other.load(), &other.cost, other.variant));
        own.then_with(|| self.choices.iter().rev().cmp(other.choices.iter().rev()))
    }
}

pub fn no_larger(one: &[i128], other: &[i128]) -> bool {
    one.iter().zip(other).all(|(one, other)| one <= other)
}

/// The work of `full`, a multiple of all periods, if the worst of these many tasks overrun.
fn load(jobs: &[Job], full: &BigInt, overruns: Option<usize>) -> BigInt {
    let mut beyond: Vec<BigInt> = jobs.iter().map(|job| full / job.period * job.beyond).collect();
    beyond.sort_by(|one, other| other.cmp(one));
    let beyond = beyond.iter().take(overruns.unwrap_or(0)).sum::<BigInt>();
    jobs.iter().map(|job| full / job.period * job.wcet).sum::<BigInt>() + beyond
}

pub struct Judge {
    pub set: Set,
    pub full: BigInt,
    /// Ticks of a second, or of a unit of time.
    ticks: i128,
    pub designs: Vec<Design>,
    /// Whether the designs are all there are.
    pub is_known: bool,
}

impl Judge {
    /// A judge that knows the figures of any design, and not which designs there are.
    pub fn of_none(set: &Set) -> Self {
        let fmaxes =
            set.blocks.iter().map(|block| block.fmax).chain(set.variants.iter().map(|variant| variant.fmax));
        let ticks = set
            .clock
            .map_or(1, |clock| fmaxes.flatten().chain([clock]).fold(1, |lcm, clock| lcm.lcm(&clock)));
        let periods =
            set.tasks.iter().flat_map(|task| &task.timing).flatten().map(|timing| BigInt::from(timing.0));
        let full = periods.fold(BigInt::from(1), |lcm, period| lcm.lcm(&period)) * ticks * set.longer().1;
        Self { set: set.clone(), full, ticks, designs: Vec::new(), is_known: false }
    }

    /// Adds a task with which a design of the set has utilization 1, or hardly more or less.
    pub fn fill(set: &mut Set, random: &mut Random) {
        let ways: Vec<Vec<Option<usize>>> = set.tasks.iter().map(|task| set.ways(task)).collect();
        if ways.iter().any(Vec::is_empty) {
            return;
        }
        let (p, q) = set.longer();
        let choices: Vec<Option<usize>> = ways.iter().map(|ways| random.pick(ways)).collect();
        let judge = Self::of_none(set);
        let variant = random.within(0, set.variants.len().max(1) - 1);
        let design = judge.selection(variant, &choices);
        let (left, slow) = (&judge.full - design.load(), design.clock.map_or(1, |clock| judge.ticks / clock));
        // In so many times the period all of it is a whole number of cycles.
        let cycle = BigInt::from(slow * p);
        let times = &cycle / cycle.gcd(&left);
        let (wcet, period) =
            ((left * &times / cycle).to_i128(), (&judge.full * times / (q * judge.ticks)).to_i128());
        let (Some(wcet), Some(period)) = (wcet, period.filter(|period| *period < 1 << 66)) else { return };
        let wcet = wcet + random.within(-1, 1i128);
        if wcet > 0 {
            let last = set.tasks.len() as u32 + 1;
            set.tasks.push(Task {
                wcet: vec![wcet; set.places()],
                timing: vec![Some((period, period)); set.modes.max(1)],
                priority: (set.scheduler == "fixed").then_some(last),
                jitter: 0,
                blocking: 0,
                nonpreemptive: Some(0),
                locks: Vec::new(),
                beyond: None,
                pin: None,
                parts: Vec::new(),
                choices: Vec::new(),
                forced: None,
            });
        }
    }

    /// A judge of all designs.
    pub fn new(set: &Set) -> Self {
        let mut judge = Self { is_known: true, ..Self::of_none(set) };
        let all: Vec<Design> = judge.selections().collect();
        judge.designs = all.into_iter().filter(|design| design.fits_slots).collect();
        judge
    }

    /// What the tasks may take, in every variant.
    pub fn selections(&self) -> impl Iterator<Item = Design> {
        let all = self.set.tasks.iter().map(|task| self.set.ways(task)).fold(
            vec![Vec::new()],
            |all: Vec<Vec<_>>, ways| {
                all.iter().flat_map(|own| ways.iter().map(move |way| [&own[..], &[*way]].concat())).collect()
            },
        );
        let of_variant =
            move |variant| all.clone().into_iter().map(move |choices| self.selection(variant, &choices));
        (0..self.set.variants.len().max(1)).flat_map(of_variant)
    }

    /// The design of these choices.
    pub fn selection(&self, variant: usize, choices: &[Option<usize>]) -> Design {
        let set = &self.set;
        let taken =
            || set.tasks.iter().zip(choices).filter_map(|(task, choice)| Some(&task.choices[(*choice)?]));
        let blocks: BTreeSet<usize> = taken().flat_map(|choice| set.closed(&choice.uses)).collect();
        let fits_slots = set.fit(&blocks.iter().copied().collect::<Vec<_>>());
        let variant_of = set.variants.get(variant);
        let costs =
            taken().map(|choice| &choice.cost).chain(blocks.iter().map(|&block| &set.blocks[block].cost));
        let costs: Vec<&Vec<i128>> =
            costs.chain(variant_of.map(|variant| &variant.cost)).chain([&set.base]).collect();
        let sum = |at: usize| costs.iter().map(|cost| cost[at]).sum::<i128>() + set.core.unwrap_or(0);
        let cost: Vec<i128> = (0..set.columns()).map(sum).collect();
        let is_within = set
            .device
            .iter()
            .all(|device| cost.iter().zip(device).all(|(cost, most)| cost * 100 <= most * set.fill));
        let fmaxes = blocks
            .iter()
            .filter_map(|&block| set.blocks[block].fmax)
            .chain(variant_of.and_then(|variant| variant.fmax));
        let clock = set.clock.map(|clock| fmaxes.fold(clock, i128::min));
        let key = set.spans().into_iter().map(|at| cost[at]).collect();
        let mut design = Design {
            variant,
            choices: choices.to_vec(),
            blocks,
            cost,
            key,
            is_within,
            fits_slots,
            clock,
            loads: Vec::new(),
            passes: Vec::new(),
        };
        for mode in 0..set.modes.max(1) {
            let jobs = self.jobs(&design, mode, (1, 1, 1), &|_| true);
            let load = load(&jobs, &self.full, set.overruns);
            design.passes.push(meet_all(&jobs, set.scheduler == "edf", &load, &self.full));
            design.loads.push(load);
        }
        design
    }

    /// Those `tasks` of a design that run in a mode, what margins make longer times `p`, what lower clocks alone make longer
    /// times `lower` and everything else times `q`.
    fn jobs(
        &self,
        design: &Design,
        mode: usize,
        (p, lower, q): (i128, i128, i128),
        tasks: &dyn Fn(usize) -> bool,
    ) -> Vec<Job> {
        let set = &self.set;
        let (longer, of) = set.longer();
        let (p, lower, q) = (longer * p, of * lower, of * q);
        // What executes is in cycles of the set's clock, or in time.
        let slow = design.clock.map_or(1, |clock| self.ticks / clock);
        let place = design.variant * set.modes.max(1) + mode;
        let job = |(task, choice): (&Task, &Option<usize>)| {
            let (period, deadline) = task.timing[mode]?;
            let taken = choice.map(|choice| &task.choices[choice]);
            let wcet = taken.map_or(&task.wcet, |choice| &choice.wcet)[place];
            let of_blocks = taken
                .iter()
                .flat_map(|choice| set.closed(&choice.uses))
                .map(|block| set.blocks[block].switch);
            let switches = 2 * (set.switch + of_blocks.sum::<i128>());
            let locks = taken.and_then(|choice| choice.locks.as_ref()).unwrap_or(&task.locks);
            let longer = wcet * p + switches * lower;
            let place = match set.scheduler {
                "fixed" => 0,
                "dm" => deadline,
                _ => period,
            };
            Some(Job {
                wcet: longer * slow,
                period: period * self.ticks * q,
                deadline: deadline * self.ticks * q,
                jitter: task.jitter * self.ticks * q,
                blocking: task.blocking * slow * lower,
                part: task.nonpreemptive.map_or(longer, |part| (part * p).min(longer)) * slow,
                is_whole: task.nonpreemptive.is_none(),
                beyond: taken.map_or(task.beyond, |choice| choice.beyond).unwrap_or(0) * p * slow,
                locks: locks
                    .iter()
                    .map(|&(name, time)| (name, time.min(wcet) * p * slow))
                    .filter(|lock| lock.1 > 0)
                    .collect(),
                rank: [(place, task.priority.unwrap_or(0)), (place, task.priority.unwrap_or(u32::MAX))],
            })
        };
        let some = set.tasks.iter().zip(&design.choices).enumerate().filter(|(at, _)| tasks(*at));
        some.filter_map(|(_, task)| job(task)).collect()
    }

    /// The tasks of a design in a set without modes.
    pub fn jobs_of(&self, design: &Design) -> Vec<Job> {
        self.jobs(design, 0, (1, 1, 1), &|_| true)
    }

    /// Whether a design meets all deadlines with all its execution longer by a factor; `None` if that is not known here.
    pub fn passes_with(&self, design: &Design, factor: &BigRational) -> Option<bool> {
        self.passes_slower(design, factor, false)
    }

    /// As [`Self::passes_with`], with context switches and blocking longer too `at_lower_clock`.
    pub fn passes_slower(&self, design: &Design, factor: &BigRational, at_lower_clock: bool) -> Option<bool> {
        let (p, q) = (factor.numer().to_i128()?, factor.denom().to_i128()?);
        // Products of times and counts stay in 128 bits.
        let times = self
            .set
            .tasks
            .iter()
            .flat_map(|task| task.timing.iter().flatten())
            .map(|timing| timing.0.max(timing.1));
        let bits = |number: i128| 128 - number.leading_zeros();
        if bits(p).max(bits(q))
            + bits(times.max()?)
            + 2 * bits(self.ticks)
            + bits(self.set.clock.unwrap_or(1))
            > 95
        {
            return None;
        }
        let full = &self.full * q;
        let of_mode = |mode| {
            let jobs = self.jobs(design, mode, (p, if at_lower_clock { p } else { q }, q), &|_| true);
            meet_all(&jobs, self.set.scheduler == "edf", &load(&jobs, &full, self.set.overruns), &full)
        };
        let all: Vec<Option<bool>> = (0..self.set.modes.max(1)).map(of_mode).collect();
        if all.contains(&Some(false)) {
            Some(false)
        } else {
            all.into_iter().collect::<Option<Vec<_>>>().map(|_| true)
        }
    }

    /// The load of some of the tasks, and whether they meet their deadlines on a core of their own.
    pub fn alone(&self, design: &Design, tasks: &dyn Fn(usize) -> bool) -> (BigInt, Option<bool>) {
        let jobs = self.jobs(design, 0, (1, 1, 1), tasks);
        let load = load(&jobs, &self.full, self.set.overruns);
        let passes = meet_all(&jobs, self.set.scheduler == "edf", &load, &self.full);
        (load, if jobs.is_empty() { Some(true) } else { passes })
    }

    pub fn utilization(&self, load: &BigInt) -> BigRational {
        BigRational::new(load.clone(), self.full.clone())
    }

    /// A cost in the units of the file.
    pub fn in_units(&self, cost: i128) -> BigRational {
        BigRational::new(cost.into(), BigInt::from(10).pow(self.set.cost_decimals))
    }

    /// The cost in the objectives, and the utilization.
    pub fn figures(&self, design: &Design) -> (Vec<BigRational>, BigRational) {
        (design.key.iter().map(|cost| self.in_units(*cost)).collect(), self.utilization(design.load()))
    }

    pub fn within(&self) -> impl Iterator<Item = &Design> + Clone {
        self.designs.iter().filter(|design| design.is_within)
    }

    /// The designs that no other one beats in its key and load, of equals the one that is shown; in order of the keys.
    pub fn front<'a>(&self, designs: impl Iterator<Item = &'a Design>) -> Vec<&'a Design> {
        let mut sorted: Vec<&Design> = designs.collect();
        sorted.sort_by(|one, other| one.key.cmp(&other.key).then_with(|| one.rank(other)));
        let mut front: Vec<&Design> = Vec::new();
        for design in sorted {
            let is_beaten =
                |other: &&Design| no_larger(&other.key, &design.key) && other.load() <= design.load();
            if !front.iter().any(is_beaten) {
                front.push(design);
            }
        }
        front
    }

    /// The keys of which some design passes, and of no smaller one; `None` if that is not known here.
    pub fn minimal<'a>(
        &self,
        designs: impl Iterator<Item = &'a Design>,
        modes: &[usize],
    ) -> Option<Vec<Vec<i128>>> {
        let mut minimal: Vec<Vec<i128>> = Vec::new();
        let mut sorted: Vec<&Design> = designs.collect();
        sorted.sort_by(|one, other| one.key.cmp(&other.key));
        for design in sorted {
            if !minimal.iter().any(|least| no_larger(least, &design.key)) && design.passes_in(modes)? {
                minimal.push(design.key.clone());
            }
        }
        Some(minimal)
    }

    pub fn all_modes(&self) -> Vec<usize> {
        (0..self.set.modes.max(1)).collect()
    }
}
