//! Finds a good design before anything is proved: local search over choices and cores.
//!
//! A move gives a task another choice, another core or both, or exchanges the cores of two tasks. Cores may be too full on
//! the way: what is beyond their capacity costs a price per unit of size, which rises while no design fits and falls while
//! all do. Moves that raise the sum of area and this cost are accepted up to a threshold that sinks round by round (threshold
//! accepting: G. Dueck, T. Scheuer, Journal of Computational Physics 90, 1990). Pins and pairs
//! apart hold all along; slots must where a design is kept.
//! All numbers are integers and the random numbers a fixed sequence, so the design is the same on every machine.

use crate::budget::{Budget, Stopped};
use crate::problem::{Design, Problem, set_in};

/// Rounds of sinking thresholds, each from the best design.
const ROUNDS: u64 = 6;
/// Rounds after which the first threshold is as high again; up to then it is half as high in each.
const HALVINGS: u64 = 3;
/// Moves of a round per pair of tasks, and at most.
const MOVES: u64 = 200;
const MOST_MOVES: u64 = 200_000;
/// Levels of the threshold in a round, and the part of the first threshold that the last one is.
const LEVELS: u64 = 64;
/// Binary places of costs.
const PLACES: u32 = 12;
/// Binary places of a capacity that costs tell apart.
const GRAINS: u32 = 20;

/// A design of less area than this one, if one is found.
pub(crate) fn improved(problem: &Problem, start: &Design, budget: &Budget) -> Result<Design, Stopped> {
    let mut search = Local::new(problem, start);
    let count = problem.tasks.len() as u64;
    let moves = (MOVES * count * count).min(MOST_MOVES);
    for round in 0..ROUNDS {
        search.restart();
        let mut threshold = search.first_threshold() >> (round % HALVINGS);
        for _ in 0..LEVELS {
            budget.spend(80 * (moves / LEVELS))?;
            for _ in 0..moves / LEVELS {
                search.attempt(threshold);
            }
            search.adjust();
            threshold -= threshold / 10;
        }
    }
    Ok(search.best)
}

struct Local<'a> {
    problem: &'a Problem,
    chip: u64,
    picks: Vec<usize>,
    cores: Vec<u32>,
    loads: Vec<i64>,
    /// The tasks that use each block of each core, then each block of the chip.
    users: Vec<u32>,
    area: i64,
    /// The size beyond the capacity of all cores together.
    beyond: i64,
    /// The binary places of sizes that do not count in costs, and what the rest costs per unit beyond capacities.
    grain: u32,
    price: i64,
    /// Accepted moves of a level after which no core was too full, and all accepted moves.
    fitting: u32,
    attempts: u32,
    apart: Vec<Vec<usize>>,
    random: u64,
    best: Design,
}

impl<'a> Local<'a> {
    fn new(problem: &'a Problem, start: &Design) -> Self {
        let count = problem.tasks.len();
        let mut apart = vec![Vec::new(); count];
        for &(a, b) in &problem.apart {
            apart[a as usize].push(b as usize);
            apart[b as usize].push(a as usize);
        }
        let grain = (i64::BITS - problem.capacity.leading_zeros()).saturating_sub(GRAINS);
        // At first a full core too many costs what all choices and blocks do on a core.
        let core = problem.greatest_area() / problem.cores.max(1) as i64;
        let price = ((core << PLACES) / (problem.capacity >> grain).max(1)).max(1);
        Self {
            problem,
            chip: problem.chip_mask(),
            picks: Vec::new(),
            cores: Vec::new(),
            loads: Vec::new(),
            users: Vec::new(),
            area: 0,
            beyond: 0,
            grain,
            price,
            fitting: 0,
            attempts: 0,
            apart,
            random: 0x9e37_79b9_7f4a_7c15,
            best: start.clone(),
        }
    }

    /// Goes back to the best design.
    fn restart(&mut self) {
        (self.picks, self.cores) = (self.best.picks.clone(), self.best.cores.clone());
        self.loads = vec![0; self.problem.cores];
        self.users = vec![0; (self.problem.cores + 1) * self.problem.blocks.len()];
        (self.area, self.beyond) = (0, 0);
        for task in 0..self.picks.len() {
            self.put(task, self.picks[task], self.cores[task]);
        }
    }

    /// What an area and a size beyond capacities cost together.
    fn cost(&self) -> i64 {
        // Rounded up, so that what is beyond costs something.
        let grains = (self.beyond + (1 << self.grain) - 1) >> self.grain;
        (self.area << PLACES).saturating_add(grains.saturating_mul(self.price))
    }

    /// Four times the average area of a choice and a block together.
    fn first_threshold(&self) -> i64 {
        let average = |areas: &mut dyn Iterator<Item = i64>| {
            let (sum, count) = areas.fold((0, 0), |(sum, count), area| (sum + area, count + 1));
            sum / i64::from(count.max(1))
        };
        let choices = average(&mut self.problem.tasks.iter().flatten().map(|choice| choice.area));
        let blocks = average(&mut self.problem.blocks.iter().map(|block| block.area));
        (4 * (choices + blocks)).max(1) << PLACES
    }

    fn random(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((self.random >> 32) as usize * below) >> 32
    }

    /// Counts a task on a core.
    fn put(&mut self, task: usize, pick: usize, core: u32) {
        (self.picks[task], self.cores[task]) = (pick, core);
        self.change(task, true);
    }

    /// Counts a task in or out.
    fn change(&mut self, task: usize, is_in: bool) {
        let choice = self.problem.tasks[task][self.picks[task]];
        let core = self.cores[task] as usize;
        let capacity = self.problem.capacity;
        let before = (self.loads[core] - capacity).max(0);
        self.loads[core] += if is_in { choice.size } else { -choice.size };
        self.beyond += (self.loads[core] - capacity).max(0) - before;
        self.area += if is_in { choice.area } else { -choice.area };
        for block in set_in(choice.blocks) {
            let place = if self.chip >> block & 1 == 1 { self.problem.cores } else { core };
            let users = &mut self.users[place * self.problem.blocks.len() + block];
            if is_in {
                *users += 1;
                self.area += if *users == 1 { self.problem.blocks[block].area } else { 0 };
            } else {
                *users -= 1;
                self.area -= if *users == 0 { self.problem.blocks[block].area } else { 0 };
            }
        }
    }

    /// Whether a task may be on its core with the others.
    fn is_allowed(&self, task: usize) -> bool {
        let core = self.cores[task];
        self.problem.pins[task].is_none_or(|pin| pin == core)
            && self.apart[task].iter().all(|&other| self.cores[other] != core)
    }

    /// Tries a move.
    fn attempt(&mut self, threshold: i64) {
        let before = self.cost();
        let count = self.picks.len();
        let task = self.random(count);
        let kind = self.random(4);
        let pick = match kind {
            0 | 2 => self.random(self.problem.tasks[task].len()),
            _ => self.picks[task],
        };
        let other = self.random(count);
        let core = match kind {
            0 => self.cores[task],
            3 => self.cores[other],
            _ => self.random(self.problem.cores) as u32,
        };
        let is_exchange = kind == 3 && other != task;
        let old = (self.picks[task], self.cores[task]);
        let size = self.problem.tasks[task][pick].size;
        if (pick, core) == old || size > self.problem.capacity {
            return;
        }
        self.change(task, false);
        if is_exchange {
            self.change(other, false);
            self.put(other, self.picks[other], old.1);
        }
        self.put(task, pick, core);
        let is_allowed = self.is_allowed(task) && (!is_exchange || self.is_allowed(other));
        if is_allowed && self.cost() - before <= threshold {
            self.attempts += 1;
            if self.beyond == 0 {
                self.fitting += 1;
                if self.area < self.best.area && self.problem.area_of(&self.picks, &self.cores).is_some() {
                    let (picks, cores) = (self.picks.clone(), self.cores.clone());
                    self.best = Design { area: self.area, picks, cores };
                }
            }
            return;
        }
        self.change(task, false);
        if is_exchange {
            self.change(other, false);
            self.put(other, self.picks[other], core);
        }
        self.put(task, old.0, old.1);
    }

    /// Makes what is beyond capacities dearer if too little fits, and cheaper if too much does.
    fn adjust(&mut self) {
        if self.fitting < self.attempts / 4 {
            self.price = self.price.saturating_add(self.price / 8 + 1);
        } else if self.fitting > self.attempts / 2 {
            self.price = (self.price - self.price / 8).max(1);
        }
        (self.fitting, self.attempts) = (0, 0);
    }
}

/// Rounds at most, each of which moves or exchanges tasks once.
const MOST_EXCHANGES: usize = 200;
/// Tasks beyond which none are exchanged.
const MOST_TASKS: usize = 128;

/// Evens out a design, of which there are many of least area: no more area, faster choices that cost nothing more, and less
/// load on the fullest core.
pub(crate) fn evened(problem: &Problem, design: &mut Design) {
    let fits =
        |picks: &[usize], cores: &[u32], area| problem.area_of(picks, cores).is_some_and(|own| own <= area);
    for (task, choices) in problem.tasks.iter().enumerate() {
        let mut order: Vec<usize> = (0..choices.len()).collect();
        order.sort_by_key(|&pick| choices[pick].size);
        for pick in order {
            let before = design.picks[task];
            if choices[pick].size >= choices[before].size {
                break;
            }
            design.picks[task] = pick;
            if fits(&design.picks, &design.cores, design.area) {
                break;
            }
            design.picks[task] = before;
        }
    }
    let size = |picks: &[usize], task: usize| problem.tasks[task][picks[task]].size;
    for _ in 0..MOST_EXCHANGES {
        let mut loads = vec![0i64; problem.cores];
        for (task, &core) in design.cores.iter().enumerate() {
            loads[core as usize] += size(&design.picks, task);
        }
        let Some(fullest) = (0..loads.len()).max_by_key(|&core| (loads[core], -(core as i64))) else {
            return;
        };
        let on_fullest = |task: &usize| design.cores[*task] as usize == fullest;
        let own: Vec<usize> = (0..design.cores.len()).filter(on_fullest).collect();
        // What each change leaves on the fuller of its two cores, and the cores after it.
        let mut changes: Vec<(i64, usize, usize, u32)> = Vec::new();
        for &task in &own {
            for other in (0..loads.len()).filter(|&other| other != fullest) {
                let moved = size(&design.picks, task);
                changes.push(((loads[fullest] - moved).max(loads[other] + moved), task, task, other as u32));
            }
            if design.cores.len() > MOST_TASKS {
                continue;
            }
            for other in (0..design.cores.len()).filter(|task| !on_fullest(task)) {
                let moved = size(&design.picks, task) - size(&design.picks, other);
                let core = design.cores[other];
                let left = (loads[fullest] - moved).max(loads[core as usize] + moved);
                changes.push((left, task, other, core));
            }
        }
        changes.retain(|change| change.0 < loads[fullest]);
        changes.sort_unstable();
        let apply = |&(_, task, other, core): &(i64, usize, usize, u32)| {
            let mut cores = design.cores.clone();
            if other != task {
                cores[other] = fullest as u32;
            }
            cores[task] = core;
            fits(&design.picks, &cores, design.area).then_some(cores)
        };
        match changes.iter().find_map(apply) {
            Some(cores) => design.cores = cores,
            None => return,
        }
    }
}
