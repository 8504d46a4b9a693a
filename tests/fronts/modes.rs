//! Task sets with several modes, compared with brute force over all designs: in every mode a set of its own on the same
//! hardware, with blocks, slots and clocks, deadlines shorter than periods, tasks that do not run in some modes, fixed
//! priorities, and areas of some of the modes.

use crate::certified::{
    Judged, Summed, fronts_and_verdicts_are_proved, no_changed_certificate_proves_what_is_false,
    wrong_fronts_are_refused,
};
use crate::common::designs::{
    Design, Shared, cases, known, options, tasks_with_short_deadlines, whole, written,
};
use crate::common::{PlainTask, Random, random_instance};
use isx::exploration::Exploration;
use isx::explore::resources::check_costs;
use isx::explore::{ExploreError, explore};
use isx::quantity::Rational;
use isx::schedulability::{Effort, Limits, Outcome, decided_by_utilization, schedulable};
use isx::taskset::formulate::{critical_mode, formulate};
use isx::taskset::{Resources, Scheduler, Task, TaskSet, Timing, read_str};
use num_integer::Integer;
use num_traits::One;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

mod variants;

/// A set with modes: each is a set of its own with the same blocks, choices and areas. A task that does not run in a mode
/// has WCETs of 0 there.
#[derive(Clone)]
struct Moded {
    modes: Vec<Shared>,
    runs: Vec<Vec<bool>>,
    scheduler: Scheduler,
}

/// A design by brute force.
struct Wanted {
    design: Design,
    utilizations: Vec<Rational>,
    passes: Vec<bool>,
}

impl Wanted {
    fn largest(&self) -> &Rational {
        self.utilizations.iter().max().unwrap()
    }
}

fn fraction(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

impl Moded {
    fn random(seed: u64, random: &mut Random) -> Self {
        let short = seed.is_multiple_of(3);
        let mut tasks =
            if short { tasks_with_short_deadlines(random) } else { random_instance(random).tasks };
        tasks.truncate(4);
        let first =
            if random.one_in(2) { Shared::with_clocks(tasks, random) } else { Shared::new(tasks, random) };
        let count = random.within(1, 3usize);
        let (same, all_run) = (random.one_in(5), random.one_in(2));
        let mut runs: Vec<Vec<bool>> =
            (0..count).map(|_| first.tasks.iter().map(|_| all_run || !random.one_in(3)).collect()).collect();
        for at in 0..first.tasks.len() {
            let mode = random.within(0, count - 1);
            runs[mode][at] |= runs.iter().all(|runs| !runs[at]);
        }
        for runs in &mut runs {
            runs[0] |= runs.iter().all(|runs| !runs);
        }
        let mode = |(number, runs): (usize, &Vec<bool>)| {
            let mut mode = first.clone();
            for (task, &runs) in mode.tasks.iter_mut().zip(runs) {
                if !runs {
                    (task.wcet, task.period, task.deadline) = (0, 1, 1);
                    task.choices.iter_mut().for_each(|choice| choice.1 = 0);
                } else if number > 0 && !same {
                    task.period = random.pick(&[4, 5, 6, 8, 10]);
                    task.deadline = if short { random.within(1, task.period + 1) } else { task.period };
                    if random.one_in(2) {
                        task.wcet = random.within(1, task.wcet + 2);
                        task.choices.iter_mut().for_each(|(_, wcet)| *wcet = random.within(1, *wcet + 2));
                    }
                }
            }
            mode.hyperperiod = mode.tasks.iter().fold(1, |lcm: u64, task| lcm.lcm(&task.period));
            mode
        };
        let modes = runs.iter().enumerate().map(mode).collect();
        let scheduler = match seed % 5 {
            0 => Scheduler::RateMonotonic,
            1 if short => Scheduler::DeadlineMonotonic,
            _ => Scheduler::Edf,
        };
        Self { modes, runs, scheduler }
    }

    fn task_set(&self) -> TaskSet {
        let number = |value: u64| Rational::from_integer(value.into());
        let mut set = self.modes[0].task_set_unchecked();
        set.scheduler = self.scheduler;
        set.modes = (0..self.modes.len()).map(|number| format!("m{number}")).collect();
        for (at, task) in set.tasks.iter_mut().enumerate() {
            let own: Vec<Option<&PlainTask>> = self
                .modes
                .iter()
                .zip(&self.runs)
                .map(|(mode, runs)| runs[at].then(|| &mode.tasks[at]))
                .collect();
            let first = own.iter().flatten().next().unwrap();
            let wcets = |of: &dyn Fn(&PlainTask) -> u64| -> Vec<Rational> {
                own.iter().map(|task| number(of(task.unwrap_or(first)))).collect()
            };
            task.wcets = wcets(&|task| task.wcet);
            for (choice, to) in task.choices.iter_mut().enumerate() {
                to.wcets = wcets(&|task| task.choices[choice].1);
            }
            let timing =
                |task: &PlainTask| Timing { period: number(task.period), deadline: number(task.deadline) };
            task.timings = own.iter().map(|task| task.map(timing)).collect();
        }
        set.validate().unwrap();
        set
    }

    /// Every design, the canonical one first among equals.
    fn designs(&self) -> Vec<Wanted> {
        let all: Vec<Vec<Design>> = self.modes.iter().map(Shared::designs).collect();
        let wanted = |at: usize| {
            let own = || all.iter().map(|designs| &designs[at]).zip(&self.modes);
            let passes = own().enumerate().map(|(number, (design, _))| match self.scheduler {
                Scheduler::Edf => design.schedulable,
                _ => self.passes(number, design),
            });
            Wanted {
                design: all[0][at].clone(),
                utilizations: own().map(|(design, mode)| fraction(design.demand, mode.full())).collect(),
                passes: passes.collect(),
            }
        };
        (0..all[0].len()).map(wanted).collect()
    }

    /// Whether fixed priorities meet the deadlines of a mode, as a set of its own in software.
    fn passes(&self, number: usize, design: &Design) -> bool {
        let mode = &self.modes[number];
        let slower = fraction(mode.clock.unwrap_or(1), design.clock.unwrap_or(1));
        let tasks =
            mode.tasks.iter().zip(&design.choices).enumerate().filter(|(at, _)| self.runs[number][*at]);
        let task = |(at, (task, choice)): (usize, (&PlainTask, &Option<u32>))| {
            let wcet = choice.map_or(task.wcet, |choice| task.choices[choice as usize].1);
            let wcet = Rational::from_integer(wcet.into()) * &slower;
            Task::new(format!("t{at}"), wcet, task.period as i64).with_deadline(task.deadline as i64)
        };
        let set = TaskSet::new("x", tasks.map(task)).unwrap().with_scheduler(self.scheduler).unwrap();
        let formulation = formulate(&set, None).unwrap();
        let software = vec![None; set.tasks.len()];
        schedulable(&formulation, &software, &mut Effort::new(Limits::default())) == Outcome::Passes
    }
}

/// The undominated designs, of equals the first.
fn front_of(designs: &[Wanted]) -> Vec<&Wanted> {
    let mut sorted: Vec<&Wanted> = designs.iter().collect();
    sorted.sort_by(|a, b| (a.design.area, a.largest()).cmp(&(b.design.area, b.largest())));
    let mut front: Vec<&Wanted> = Vec::new();
    for one in sorted {
        if front.last().is_none_or(|last| one.largest() < last.largest()) {
            front.push(one);
        }
    }
    front
}

/// The smallest design that passes in these modes.
fn smallest_of<'a>(designs: &'a [Wanted], modes: &[usize]) -> Option<&'a Wanted> {
    let passing = designs.iter().filter(|one| modes.iter().all(|&mode| one.passes[mode]));
    passing.min_by(|a, b| (a.design.area, a.largest()).cmp(&(b.design.area, b.largest())))
}

fn points(explored: &Exploration) -> Vec<(u64, Vec<Option<u32>>)> {
    explored.front.iter().map(|point| (whole(&point.area()), point.choices().unwrap())).collect()
}

/// A set with modes and variants of its processor, and its designs with their variants.
fn judged_of(set: TaskSet, designs: Vec<(usize, Wanted)>) -> Judged {
    let summed = |(variant, one): (usize, Wanted)| Summed {
        area: Rational::from_integer(one.design.area.into()),
        utilization: one.largest().clone(),
        passes: one.passes.iter().all(|passes| *passes),
        variant,
        choices: one.design.choices,
    };
    Judged { set, designs: designs.into_iter().map(summed).collect() }
}

fn judged(seed: u64) -> Option<Judged> {
    let moded = Moded::random(seed, &mut Random(seed ^ 0x30de));
    Some(judged_of(moded.task_set(), moded.designs().into_iter().map(|one| (0, one)).collect()))
}

/// Compares what is explored with the designs in every mode.
fn modes_compared(seed: u64, explored: &Exploration, designs: &[Wanted]) {
    for (one, (point, _)) in front_of(designs).iter().zip(explored.designs()) {
        let utilizations = point.formulation().mode_utilizations(&one.design.choices);
        assert_eq!(utilizations, one.utilizations, "seed {seed}");
        assert_eq!(utilizations[critical_mode(&utilizations)], *one.largest(), "seed {seed}");
    }
    let modes = explored.task_set().modes.len();
    assert_eq!(explored.mode_areas.len(), if modes > 1 { (1 << modes) - 1 } else { 0 });
    for of_modes in &explored.mode_areas {
        let least = smallest_of(designs, &of_modes.modes).map(|one| one.design.area);
        assert_eq!(known(&of_modes.smallest).map(whole), least, "seed {seed}: {of_modes:?}");
    }
}

fn compared(seed: u64, counts: &[AtomicU64; 3]) {
    let moded = Moded::random(seed, &mut Random(seed ^ 0x30de));
    let is_short = |task: &PlainTask| task.deadline < task.period;
    let is_short = moded.modes.iter().any(|mode| mode.tasks.iter().any(is_short));
    let explored = judged(seed).unwrap().compared(seed, moded.scheduler == Scheduler::Edf && !is_short);
    let designs = moded.designs();
    modes_compared(seed, &explored, &designs);
    let criticals = front_of(&designs).into_iter().map(|one| critical_mode(&one.utilizations));
    let several = criticals.clone().max() != criticals.min();
    let all: Vec<usize> = (0..moded.modes.len()).collect();
    let costly = smallest_of(&designs, &all).is_some_and(|one| one.design.area > 0);
    for (count, is_one) in counts.iter().zip([several, explored.task_set().limits_clock(), costly]) {
        count.fetch_add(u64::from(is_one), Ordering::Relaxed);
    }
}

#[test]
fn fronts_and_verdicts_of_modes_are_proved() {
    fronts_and_verdicts_are_proved(judged);
}

#[test]
fn a_front_of_modes_that_lacks_a_point_or_has_a_worse_one_is_not_proved() {
    wrong_fronts_are_refused(judged);
}

#[test]
fn no_changed_certificate_of_modes_proves_what_is_false() {
    no_changed_certificate_proves_what_is_false(judged);
}

#[test]
fn fronts_and_verdicts_of_modes_are_those_of_brute_force() {
    let (cases, counts) = (cases(2_000), [0; 3].map(AtomicU64::new));
    (0..cases).into_par_iter().for_each(|seed| compared(seed, &counts));
    let [several, clocks, costly] = counts.map(AtomicU64::into_inner);
    println!(
        "{cases} sets: {several} with several critical modes, {clocks} with clocks, {costly} that need area"
    );
    assert!(several > cases / 20 && clocks > cases / 10 && costly > cases / 10);
}

fn set(modes: &str, period: &str) -> TaskSet {
    let text = format!(
        "name: x\nclock: 10 Hz\n{modes}\nblocks: [{{name: b, area: 3, fmax: 9 Hz}}]\ntasks:\n\
         - {{name: a, wcet: 9, period: {period}, choices: [{{name: c, area: 5, wcet: 4}}, {{name: d, uses: [b], saves: 2}}]}}\n\
         - {{name: e, wcet: 3, period: 2 s, choices: [{{name: c, area: 2, wcet: 2}}]}}\n"
    );
    read_str("x", &text).unwrap().task_set
}

/// A single mode changes nothing but the fields that name it.
#[test]
fn a_single_mode_is_the_set_without_modes() {
    let (only, plain) = (written(&set("modes: [only]", "{only: 1 s}")), written(&set("", "1 s")));
    let own: Vec<&str> = only.0.lines().filter(|line| !line.starts_with("  \"modes\"")).collect();
    let end = |line: &str| match line.find(",\"mode_utilization\"") {
        Some(at) => line[..at].to_owned() + &line[line.find("\"critical_mode\":\"only\"").unwrap() + 22..],
        None => line.to_owned(),
    };
    assert_eq!(own.iter().map(|line| end(line)).collect::<Vec<_>>(), plain.0.lines().collect::<Vec<_>>());
    let without = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        [&fields[..7], &fields[8..]].concat().join(",")
    };
    assert_eq!(only.1.lines().map(without).collect::<Vec<_>>(), plain.1.lines().collect::<Vec<_>>());
}

/// A mode that is given twice changes no point.
#[test]
fn a_mode_given_twice_changes_no_point() {
    let once = explore(&set("", "1 s"), &options()).unwrap();
    for modes in ["modes: [x, y]", "modes: [x, y, z]"] {
        let twice = explore(&set(modes, "1 s"), &options()).unwrap();
        assert_eq!(points(&twice), points(&once));
        assert_eq!(twice.verdicts.points, once.verdicts.points);
        assert_eq!(twice.verdicts.smallest, once.verdicts.smallest);
    }
}

/// A design with its costs in two resources, its largest utilization, and whether it meets all deadlines.
type Costing = ([i64; 2], Rational, bool);

/// The set with costs in place of its areas, a second resource that some hardware frees, and all its designs.
fn with_costs(moded: &Moded, random: &mut Random) -> (TaskSet, Vec<Costing>) {
    let mut set = moded.task_set();
    let mut draw = || random.within(-3i64, 6);
    let whole = |cost: i64| Rational::from_integer(cost.into());
    let of_blocks: Vec<i64> = set.blocks.iter().map(|_| draw()).collect();
    let of_choices: Vec<Vec<i64>> =
        set.tasks.iter().map(|task| task.choices.iter().map(|_| draw()).collect()).collect();
    for (block, &second) in set.blocks.iter_mut().zip(&of_blocks) {
        block.cost.push(whole(second));
    }
    for (task, of_choices) in set.tasks.iter_mut().zip(&of_choices) {
        for (choice, &second) in task.choices.iter_mut().zip(of_choices) {
            choice.cost.push(whole(second));
        }
    }
    set.resources = Resources::new(["A", "D"]).with_base([0, 20]);
    let costing = |one: Wanted| {
        let taken = one.design.choices.iter().zip(&of_choices);
        let own: i64 = taken.filter_map(|(choice, own)| own.get((*choice)? as usize)).sum();
        let blocks: i64 = one.design.built.iter().map(|block| of_blocks[*block as usize]).sum();
        let passes = one.passes.iter().all(|passes| *passes);
        ([one.design.area as i64, 20 + own + blocks], one.largest().clone(), passes)
    };
    (set, moded.designs().into_iter().map(costing).collect())
}

/// What no design beats in the first `objectives` resources and in utilization.
fn undominated(designs: &[Costing], objectives: usize) -> Vec<(Vec<i64>, Rational)> {
    let mut all: Vec<(Vec<i64>, Rational)> =
        designs.iter().map(|(cost, largest, _)| (cost[..objectives].to_vec(), largest.clone())).collect();
    all.sort();
    all.dedup_by(|later, first| later.0 == first.0);
    let no_more = |one: &[i64], other: &[i64]| one.iter().zip(other).all(|(one, other)| one <= other);
    let is_beaten = |(cost, largest): &(Vec<i64>, Rational)| {
        let beats = |other: &&(Vec<i64>, Rational)| no_more(&other.0, cost) && other.1 <= *largest;
        all.iter().filter(beats).any(|other| other.0 != *cost)
    };
    all.iter().filter(|one| !is_beaten(one)).cloned().collect()
}

#[test]
fn the_front_of_costs_against_the_largest_utilization_is_that_of_brute_force() {
    let [sets, points, cut, searched] = [0; 4].map(AtomicU64::new);
    (0..cases(300)).into_par_iter().for_each(|seed| {
        let random = &mut Random(seed ^ 0xc057);
        // Of some sets, deadlines are short or priorities fixed, so that utilization does not decide.
        let moded = Moded::random(seed, random);
        if moded.modes.len() < 2 {
            return;
        }
        let (mut set, mut designs) = with_costs(&moded, random);
        let objectives = random.within(1, 2usize);
        let resources = &mut set.resources;
        resources.objectives.truncate(objectives);
        if random.one_in(2) {
            let limits = [random.within(0i64, 60), random.within(14i64, 30)];
            resources.limits = limits.map(|limit| Some(Rational::from_integer(limit.into()))).to_vec();
            let before = designs.len();
            designs.retain(|(cost, ..)| cost[0] <= limits[0] && cost[1] <= limits[1]);
            cut.fetch_add(u64::from(designs.len() < before), Ordering::Relaxed);
        }
        let amounts = |cost: &[Rational]| -> Vec<i64> {
            cost[..objectives].iter().map(|cost| i64::try_from(cost.to_integer()).unwrap()).collect()
        };
        let Some(least) = designs.iter().map(|(_, largest, _)| largest.clone()).min() else {
            assert!(matches!(explore(&set, &options()), Err(ExploreError::Limits { .. })), "seed {seed}");
            return;
        };
        let explored = explore(&set, &options()).unwrap();
        let found: Vec<(Vec<i64>, Rational)> =
            explored.designs().map(|(_, design)| (amounts(&design.cost), design.utilization)).collect();
        let wanted = undominated(&designs, objectives);
        assert_eq!(found, wanted, "seed {seed}");
        let effort = &mut Effort::new(Limits::default());
        let checked = check_costs(&set, true, &options(), effort).unwrap();
        assert_eq!(checked.least.design.utilization, least, "seed {seed}");
        let passing: Vec<Costing> = designs.into_iter().filter(|(.., passes)| *passes).collect();
        for (_, design) in explored.designs() {
            let own = amounts(&design.cost);
            let is_within =
                |(cost, ..): &Costing| cost[..objectives].iter().zip(&own).all(|(cost, own)| cost <= own);
            assert_eq!(design.schedulable_within, Some(passing.iter().any(is_within)), "seed {seed}");
        }
        let minimal: Vec<Vec<i64>> =
            checked.minimal.iter().flatten().map(|chosen| amounts(&chosen.design.cost)).collect();
        let costs = |designs: &[Costing]| -> Vec<Costing> {
            designs.iter().map(|(cost, ..)| (*cost, Rational::one(), true)).collect()
        };
        let wanted: Vec<Vec<i64>> =
            undominated(&costs(&passing), objectives).into_iter().map(|(cost, _)| cost).collect();
        assert_eq!(minimal, wanted, "seed {seed}");
        assert_eq!(checked.modes.len(), set.modes.len(), "seed {seed}");
        sets.fetch_add(1, Ordering::Relaxed);
        points.fetch_add(found.len() as u64, Ordering::Relaxed);
        searched.fetch_add(u64::from(!decided_by_utilization(checked.formulation())), Ordering::Relaxed);
    });
    let [sets, points, cut, searched] = [sets, points, cut, searched].map(AtomicU64::into_inner);
    assert!(sets > cases(300) / 3 && points > 3 * sets && cut > sets / 6, "{sets} {points} {cut}");
    assert!(searched > sets / 5, "{searched} of {sets}");
}
