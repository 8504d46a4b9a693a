//! Task sets on several cores within limits of a resource, compared with all designs and all divisions of the tasks. Those
//! without are judged by `tests/random`.

use super::common::random::Random;
use isx::explore::partition::{PartitionOptions, partition};
use isx::partition::{Row, Status};
use isx::quantity::{Rational, format_decimal};
use isx::schedulability::{Effort, Limits, Outcome, schedulable};
use isx::taskset::{TaskSet, WhatIf, read_str};
use std::collections::HashMap;

/// A random set, from which its YAML is written in any order of the tasks.
#[derive(Clone, Debug)]
pub struct Instance {
    scheduler: &'static str,
    pub core_area: u64,
    /// Area, whether of the chip, and the slot.
    pub blocks: Vec<(u64, bool, bool)>,
    pub tasks: Vec<Task>,
    apart: Option<(usize, usize)>,
    /// The most halves of a second resource that the chip may have, if its hardware takes some of that.
    limit: Option<u64>,
}

/// The halves of a second resource that hardware of an area takes: the more, the less area it has.
fn halves(area: u64, wcet: u64) -> u64 {
    9 - area + wcet % 2
}

#[derive(Clone, Debug)]
pub struct Task {
    name: usize,
    pub wcet: u64,
    pub period: u64,
    deadline: u64,
    pub pin: Option<u32>,
    /// Area, WCET and blocks.
    pub choices: Vec<(u64, u64, Vec<usize>)>,
}

pub const MOST_CORES: u32 = 3;

pub fn instance(random: &mut Random) -> Instance {
    let scheduler = random.pick(&["edf", "edf", "edf", "rm", "dm"]);
    let is_short = scheduler == "dm" || random.one_in(4);
    let blocks: Vec<(u64, bool, bool)> =
        (0..random.within(0, 3)).map(|_| (random.within(0, 9), random.one_in(2), random.one_in(3))).collect();
    let by_utilization = scheduler == "edf" && !is_short;
    let count = random.within(1, if by_utilization { 5 } else { 4 });
    let has_pins = random.one_in(3);
    let task = |name: usize, random: &mut Random| {
        let period = random.pick(&[4, 5, 6, 8, 10, 12]);
        let wcet = random.within(1, period + 1);
        let deadline = if is_short { random.within(1, period + 2) } else { period };
        let pin = (has_pins && random.one_in(3)).then(|| random.within(0, 2));
        let choice = |random: &mut Random| {
            let uses: Vec<usize> = (0..blocks.len()).filter(|_| random.one_in(3)).collect();
            let slots = uses.iter().filter(|&&block| blocks[block].2).count();
            let uses = if slots > 1 { Vec::new() } else { uses };
            (random.within(0, 9), random.within(1, wcet), uses)
        };
        let choices = (0..random.within(0, 2)).map(|_| choice(random)).collect();
        Task { name, wcet, period, deadline, pin, choices }
    };
    let tasks = (0..count).map(|name| task(name, random)).collect();
    let apart = (count > 1 && random.one_in(4)).then_some((0, 1));
    Instance { scheduler, core_area: random.within(0, 6), blocks, tasks, apart, limit: None }
}

impl Instance {
    /// An area, or the cost that it and a number of halves are.
    fn price(&self, area: u64, halves: u64) -> String {
        match self.limit {
            None => format!("area: {area}"),
            Some(_) => format!("cost: {{A: {area}, D: {}}}", halves as f64 / 2.0),
        }
    }

    pub fn yaml(&self) -> String {
        let blocks = self.blocks.iter().enumerate().map(|(at, (area, on_chip, slotted))| {
            let scope = if *on_chip { "chip" } else { "core" };
            // A slot is one of the chip or of each core.
            let slot = if *slotted { format!(", slot: {scope}") } else { String::new() };
            format!("{{name: b{at}, {}, scope: {scope}{slot}}}", self.price(*area, halves(*area, 1)))
        });
        let blocks: Vec<String> = blocks.collect();
        let task = |task: &Task| {
            let choice = |(at, (area, wcet, uses)): (usize, &(u64, u64, Vec<usize>))| {
                let uses: Vec<String> = uses.iter().map(|block| format!("b{block}")).collect();
                let price = self.price(*area, halves(*area, *wcet));
                format!("{{name: c{at}, {price}, wcet: {wcet}, uses: [{}]}}", uses.join(", "))
            };
            let choices: Vec<String> = task.choices.iter().enumerate().map(choice).collect();
            let pin = task.pin.map_or_else(String::new, |core| format!(", core: {core}"));
            let apart = self.apart.filter(|(first, _)| *first == task.name);
            let apart = apart.map_or_else(String::new, |(_, other)| format!(", apart: [t{other}]"));
            format!(
                "- {{name: t{}, wcet: {}, period: {}, deadline: {}{pin}{apart}, choices: [{}]}}\n",
                task.name,
                task.wcet,
                task.period,
                task.deadline,
                choices.join(", ")
            )
        };
        let tasks: String = self.tasks.iter().map(task).collect();
        let limit = self.limit.map_or_else(String::new, |limit| {
            let device = format!("device: {{name: fpga, A: 9999, D: {}}}", limit as f64 / 2.0);
            format!("resources: [A, D]\n{device}\nbase: {{A: 5, D: 0.5}}\n")
        });
        format!(
            "name: x\n{limit}scheduler: {}\ncores: {{count: 1..{MOST_CORES}, {}}}\nblocks: [{}]\ntasks:\n{tasks}",
            self.scheduler,
            self.price(self.core_area, 1),
            blocks.join(", ")
        )
    }

    pub fn set(&self) -> TaskSet {
        read_str("x.yaml", &self.yaml()).unwrap().task_set
    }

    /// The least area on this many cores, over all designs and divisions.
    pub fn brute_force(&self, cores: u32, verdicts: &mut HashMap<Vec<Option<usize>>, bool>) -> Option<u64> {
        let within = |taken: u64| self.limit.is_none_or(|limit| taken <= limit);
        self.designs(cores, verdicts)
            .into_iter()
            .filter(|design| within(design.1))
            .map(|design| design.0)
            .min()
    }

    /// The area of every design that meets all deadlines, and the halves of a second resource that it takes, with that of the
    /// cores and the base.
    fn designs(&self, cores: u32, verdicts: &mut HashMap<Vec<Option<usize>>, bool>) -> Vec<(u64, u64)> {
        let ways = |task: &Task| (task.choices.len() as u64 + 1) * u64::from(cores);
        let all: u64 = self.tasks.iter().map(ways).product();
        (0..all).filter_map(|number| self.design(cores, number, verdicts)).collect()
    }

    fn design(
        &self,
        cores: u32,
        mut number: u64,
        verdicts: &mut HashMap<Vec<Option<usize>>, bool>,
    ) -> Option<(u64, u64)> {
        // For each core and task the choice taken there, counted from 1; 0 is software.
        let mut on: Vec<Vec<Option<usize>>> = vec![vec![None; self.tasks.len()]; cores as usize];
        for (at, task) in self.tasks.iter().enumerate() {
            let core = number % u64::from(cores);
            number /= u64::from(cores);
            let choices = task.choices.len() as u64 + 1;
            on[core as usize][at] = Some((number % choices) as usize);
            number /= choices;
            if task.pin.is_some_and(|pin| u64::from(pin) != core) {
                return None;
            }
        }
        let mut area = u64::from(cores) * self.core_area;
        let mut taken_halves = u64::from(cores) + 1;
        let mut chip: Vec<usize> = Vec::new();
        for own in &on {
            let taken = self.tasks.iter().zip(own);
            let taken: Vec<_> =
                taken.filter_map(|(task, own)| (*own)?.checked_sub(1).map(|at| &task.choices[at])).collect();
            area += taken.iter().map(|choice| choice.0).sum::<u64>();
            taken_halves += taken.iter().map(|choice| halves(choice.0, choice.1)).sum::<u64>();
            let mut built: Vec<usize> = taken.iter().flat_map(|choice| choice.2.clone()).collect();
            built.sort_unstable();
            built.dedup();
            chip.extend(built.iter().filter(|&&block| self.blocks[block].1));
            built.retain(|&block| !self.blocks[block].1);
            area += self.built(&built)?;
            taken_halves += built.iter().map(|&block| halves(self.blocks[block].0, 1)).sum::<u64>();
            let is_both = |(first, second)| {
                let here = |name: usize| {
                    self.tasks.iter().zip(own).any(|(task, own)| task.name == name && own.is_some())
                };
                here(first) && here(second)
            };
            if self.apart.is_some_and(is_both) {
                return None;
            }
        }
        chip.sort_unstable();
        chip.dedup();
        area += self.built(&chip)?;
        taken_halves += chip.iter().map(|&block| halves(self.blocks[block].0, 1)).sum::<u64>();
        on.into_iter().all(|own| self.holds(own, verdicts)).then_some((area, taken_halves))
    }

    fn built(&self, blocks: &[usize]) -> Option<u64> {
        let slots = blocks.iter().filter(|&&block| self.blocks[block].2).count();
        (slots <= 1).then(|| blocks.iter().map(|&block| self.blocks[block].0).sum())
    }

    /// Whether a core of its own, as a task set without choices, meets all deadlines.
    fn holds(&self, own: Vec<Option<usize>>, verdicts: &mut HashMap<Vec<Option<usize>>, bool>) -> bool {
        if own.iter().all(Option::is_none) {
            return true;
        }
        if let Some(&known) = verdicts.get(&own) {
            return known;
        }
        let task = |(task, own): (&Task, &Option<usize>)| {
            let wcet = own.as_ref()?.checked_sub(1).map_or(task.wcet, |at| task.choices[at].1);
            Some(Task { wcet, pin: None, choices: Vec::new(), ..task.clone() })
        };
        let tasks: Vec<Task> = self.tasks.iter().zip(&own).filter_map(task).collect();
        let set = Self { blocks: Vec::new(), apart: None, limit: None, tasks, ..self.clone() }.set();
        let formulation = isx::formulate::formulate(&set, None).unwrap();
        let software = vec![None; set.tasks.len()];
        let outcome = schedulable(&formulation, &software, &mut Effort::new(Limits::default()));
        verdicts.insert(own, outcome == Outcome::Passes);
        outcome == Outcome::Passes
    }
}

pub fn asked<'a>(cores: (u32, u32)) -> PartitionOptions<'a> {
    PartitionOptions {
        cores,
        engine: None,
        steps: u64::MAX,
        max_time: None,
        limits: Limits::default(),
        go_on: &|| true,
        searching: &|_, _, _| {},
        told: &|_| {},
    }
}

pub fn rows(set: &TaskSet) -> Vec<Row> {
    partition(set, &asked((1, MOST_CORES))).unwrap().rows
}

pub fn area(row: &Row) -> Option<Rational> {
    match &row.status {
        Status::Proved => {
            assert_eq!(row.bound, row.best.as_ref().map(|best| best.area.clone()), "{row:?}");
            Some(row.best.as_ref().unwrap().area.clone())
        }
        Status::Infeasible(reason) => {
            assert!(!reason.is_empty() && row.best.is_none() && row.bound.is_none(), "{row:?}");
            None
        }
        Status::Unknown(_) => panic!("{row:?}"),
    }
}

fn cases(unless_set: usize) -> usize {
    std::env::var("ISX_CASES").map_or(unless_set, |cases| cases.parse().unwrap())
}

#[test]
fn within_limits_the_least_area_is_that_of_all_designs_and_divisions() {
    let mut random = Random(263);
    let (mut feasible, mut infeasible, mut raised) = (0, 0, 0);
    for case in 0..cases(300) {
        let instance = Instance { limit: Some(random.within(2, 24)), ..instance(&mut random) };
        // Every other set has the rest of the chip beside the cost of a core, the others a base that is the core.
        let (mut yaml, rest) = (instance.yaml(), 5 * (case as u64 % 2));
        if rest == 0 {
            let (core, halves) = (instance.core_area, instance.limit.unwrap());
            let device = |halves: u64| format!("{{name: fpga, A: 9999, D: {}}}", halves as f64 / 2.0);
            for (from, to) in [
                (format!(", cost: {{A: {core}, D: 0.5}}}}\nblocks"), "}\nblocks".to_owned()),
                ("base: {A: 5, D: 0.5}".to_owned(), format!("base: {{A: {core}, D: 0.5}}")),
                (device(halves), device(halves - 1)),
            ] {
                assert!(yaml.contains(&from), "{from}: {yaml}");
                yaml = yaml.replace(&from, &to);
            }
        }
        let set = read_str("x.yaml", &yaml).unwrap().task_set;
        let mut what_if = WhatIf::default();
        what_if.keep_limits();
        what_if.price("A=1", &set).unwrap();
        let found = rows(&what_if.apply(&set).unwrap());
        let mut verdicts = HashMap::new();
        for row in found {
            let least = instance.brute_force(row.cores, &mut verdicts);
            let free = Instance { limit: None, ..instance.clone() }.brute_force(row.cores, &mut verdicts);
            let told = area(&row).map(|area| format_decimal(&area));
            let wanted = least.map(|least| (least + rest).to_string());
            assert_eq!(told, wanted, "case {case}, {} cores\n{yaml}", row.cores);
            raised += usize::from(least > free);
            *if least.is_some() { &mut feasible } else { &mut infeasible } += 1;
            let Some(best) = row.best else { continue };
            let halves = instance.limit.unwrap() - u64::from(rest == 0);
            let within = best.cost[1] <= Rational::new(halves.into(), 2.into());
            assert!(within && best.cost[0] == best.area, "case {case}");
        }
    }
    let enough = feasible > infeasible / 4 && infeasible > feasible / 10 && raised > cases(300) / 60;
    assert!(enough, "{feasible}, {infeasible} and {raised}");
}
