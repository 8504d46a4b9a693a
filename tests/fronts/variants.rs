//! Task sets whose processor has variants, compared with brute force over all designs of every variant: costs, clocks
//! and WCETs of their own, blocks, deadlines shorter than periods, one area and several resources, budgets and limits.

use crate::certified::{Judged, Summed};
use crate::common::designs::{Shared, cases, known, options, tasks_with_short_deadlines, written};
use crate::common::{Random, random_instance};
use crate::resources::{Costed, Costs, effort, half, halves, minimal_among, no_larger, undominated};
use isx::exploration::Exploration;
use isx::explore::resources::{check_costs, fit, least as explored_least};
use isx::explore::{ExploreError, explore};
use isx::front::ChosenDesign;
use isx::quantity::{Rational, format_decimal};
use isx::schedulability::Verdict;
use isx::taskset::{TaskSet, Variant, read_str};
use num_integer::Integer;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set with variants: each is a set of its own with the same tasks, blocks and periods.
#[derive(Clone)]
pub struct Varied {
    pub variants: Vec<Shared>,
    /// In halves, one cost per resource, or the area alone.
    pub costs: Vec<Vec<i64>>,
    pub resources: Option<Costs>,
    /// Whether the one variant has no name and costs nothing.
    is_plain: bool,
}

impl Varied {
    /// A set without variants.
    pub fn plain(set: &Shared, costs: &Costs) -> Self {
        let nothing = vec![0; costs.base.len()];
        let (costs, resources) = (vec![nothing], Some(costs.clone()));
        Self { variants: vec![set.clone()], costs, resources, is_plain: true }
    }

    pub fn random(seed: u64, random: &mut Random) -> Self {
        let mut tasks = match seed % 3 {
            0 => tasks_with_short_deadlines(random),
            _ => random_instance(random).tasks,
        };
        tasks.truncate(3);
        let mut first =
            if random.one_in(2) { Shared::with_clocks(tasks, random) } else { Shared::new(tasks, random) };
        let count = random.within(1, 4usize);
        let fmaxes: Vec<Option<u64>> = (0..count)
            .map(|_| first.clock.and_then(|_| random.one_in(2).then(|| random.pick(&[6, 8, 9, 12, 13]))))
            .collect();
        first.parts = fmaxes.iter().flatten().fold(first.parts, |lcm, fmax| lcm.lcm(fmax));
        let resources = random.one_in(2).then(|| Costs::random(&first, random));
        let columns = resources.as_ref().map_or(1, |costs| costs.base.len());
        let least = if resources.is_some() { -3 } else { 0 };
        let costs = (0..count).map(|_| {
            (0..columns).map(|_| if random.one_in(3) { 0 } else { random.within(least, 12) }).collect()
        });
        let costs = costs.collect();
        let same = random.one_in(4);
        let variants = fmaxes.into_iter().enumerate().map(|(number, fmax)| {
            let mut variant = first.clone();
            variant.fmax = fmax;
            for task in &mut variant.tasks {
                if number > 0 && !same {
                    task.wcet = random.within(1, task.wcet + 2);
                    task.choices.iter_mut().for_each(|(_, wcet)| *wcet = random.within(1, *wcet + 2));
                }
            }
            variant
        });
        Self { variants: variants.collect(), costs, resources, is_plain: false }
    }

    pub fn task_set(&self) -> TaskSet {
        let mut set = self.variants[0].task_set();
        if let Some(costs) = &self.resources {
            set = costs.applied(set);
        }
        if self.is_plain {
            return set;
        }
        let named = |(number, shared): (usize, &Shared)| Variant {
            name: format!("v{number}"),
            cost: self.costs[number].iter().map(|&cost| half(cost)).collect(),
            fmax: shared.fmax.map(|fmax| Rational::from_integer(fmax.into())),
            source: None,
        };
        set.variants = self.variants.iter().enumerate().map(named).collect();
        let number = |wcet: u64| Rational::from_integer(wcet.into());
        for (at, task) in set.tasks.iter_mut().enumerate() {
            task.wcets = self.variants.iter().map(|one| number(one.tasks[at].wcet)).collect();
            for (choice, to) in task.choices.iter_mut().enumerate() {
                let wcets = self.variants.iter().map(|one| number(one.tasks[at].choices[choice].1));
                to.wcets = wcets.collect();
            }
        }
        set.validate().unwrap();
        set
    }

    /// Every design of every variant within the limits, those of the first variant first.
    pub fn designs(&self) -> Vec<Costed> {
        let of_variant = |(variant, shared): (usize, &Shared)| {
            let costed = move |design: crate::common::designs::Design| {
                let own = match &self.resources {
                    Some(costs) => costs.of(&design),
                    None => vec![2 * design.area as i64],
                };
                let cost: Vec<i64> =
                    own.iter().zip(&self.costs[variant]).map(|(own, more)| own + more).collect();
                let key = self.resources.as_ref().map_or_else(|| cost.clone(), |all| all.objectives(&cost));
                let is_within = self.resources.as_ref().is_none_or(|all| all.is_within(&cost));
                is_within.then_some(Costed { design, variant, cost, key })
            };
            shared.designs().into_iter().filter_map(costed)
        };
        self.variants.iter().enumerate().flat_map(of_variant).collect()
    }

    fn utilization(&self, costed: &Costed) -> Rational {
        Rational::new(costed.design.demand.into(), self.variants[0].full().into())
    }

    /// The cost in the order of the problem: the objectives first.
    fn in_order(&self, cost: &[i64]) -> Vec<i64> {
        let Some(costs) = &self.resources else { return cost.to_vec() };
        let others = (0..cost.len()).filter(|at| !costs.objectives.contains(at));
        costs.objectives.iter().copied().chain(others).map(|at| cost[at]).collect()
    }

    /// The design of least demand, then of least cost, then the first.
    fn least<'a>(&self, designs: impl IntoIterator<Item = &'a Costed>) -> Option<&'a Costed> {
        designs.into_iter().min_by_key(|one| (one.design.demand, self.in_order(&one.cost)))
    }
}

type Found = (usize, Vec<i64>, Vec<Option<u32>>);

fn found(chosen: &ChosenDesign) -> Found {
    (chosen.design.variant, halves(&chosen.design.cost), chosen.choices.clone())
}

fn wanted(designs: &[Costed]) -> Vec<Found> {
    designs.iter().map(|one| (one.variant, one.cost.clone(), one.design.choices.clone())).collect()
}

fn points(explored: &Exploration) -> Vec<Found> {
    let point = |point: isx::front::Point| {
        let choices = point.choices().unwrap();
        found(&ChosenDesign { design: point.design(), choices })
    };
    explored.front.iter().map(point).collect()
}

/// Compares all that is explored and checked; `None` if no design is within the limits.
pub fn compared(seed: u64, varied: &Varied) -> Option<Exploration> {
    let (set, designs) = (varied.task_set(), varied.designs());
    let (front, minimal) = (undominated(&designs), minimal_among(&designs));
    let explored = match explore(&set, &options()) {
        Ok(explored) => explored,
        Err(ExploreError::Limits { .. }) => {
            assert!(front.is_empty(), "seed {seed}");
            return None;
        }
        Err(error) => panic!("seed {seed}: {error}"),
    };
    assert_eq!(points(&explored), wanted(&front), "seed {seed}");
    for (one, (point, design)) in front.iter().zip(explored.designs()) {
        assert_eq!(design.utilization, varied.utilization(one), "seed {seed}");
        assert_eq!(design.schedulable, Some(one.design.schedulable), "seed {seed}");
        let within = minimal.iter().any(|least| no_larger(&least.key, &one.key));
        assert_eq!(design.schedulable_within, Some(within), "seed {seed}");
        let clock = point.formulation().clock_of(&one.design.choices);
        let clock = clock.map(|clock| u64::try_from(clock.to_integer()).unwrap());
        assert_eq!(clock, one.design.clock.filter(|_| set.limits_clock()), "seed {seed}");
    }
    let (_, table) = written(&set);
    let heads: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let at = heads.iter().position(|head| *head == "variant");
    assert_eq!(at.is_none(), varied.is_plain);
    for (one, row) in front.iter().zip(table.lines().skip(1)) {
        let fields: Vec<&str> = row.split(',').collect();
        let costs: Vec<String> = one.cost.iter().map(|&cost| format_decimal(&half(cost))).collect();
        assert_eq!(fields[..costs.len()], costs, "seed {seed}");
        assert!(at.is_none_or(|at| fields[at] == format!("v{}", one.variant)), "seed {seed}");
    }
    assert!(explored.front.is_complete() || varied.resources.is_some(), "seed {seed}");
    let smallest = known(&explored.verdicts.smallest).map(found);
    assert_eq!(smallest.as_ref(), wanted(&minimal).first(), "seed {seed}");
    let base = explored.base();
    let software = &varied.variants[0].designs()[0];
    assert_eq!((base.variant, base.schedulable), (0, Some(software.schedulable)), "seed {seed}");
    let own = varied.resources.as_ref().map_or_else(|| vec![0], |all| all.of(software));
    let cost: Vec<i64> = own.iter().zip(&varied.costs[0]).map(|(own, more)| own + more).collect();
    assert_eq!(halves(&base.cost), cost, "seed {seed}");
    let key = varied.resources.as_ref().map_or_else(|| cost.clone(), |all| all.objectives(&cost));
    let within = base.schedulable == Some(true) || minimal.iter().any(|least| no_larger(&least.key, &key));
    assert_eq!(base.schedulable_within, Some(within), "seed {seed}");
    if let Some(costs) = &varied.resources {
        let all: Vec<Found> = explored.verdicts.minimal.iter().map(found).collect();
        assert_eq!(all, wanted(&minimal), "seed {seed}");
        costs_compared(seed, varied, costs, &set, &designs);
    } else {
        areas_compared(seed, varied, &designs);
    }
    Some(explored)
}

/// Verdicts within limits, the least utilization, and the resources that bind.
fn costs_compared(seed: u64, varied: &Varied, costs: &Costs, set: &TaskSet, designs: &[Costed]) {
    let least = varied.least(designs).unwrap();
    let passes = designs.iter().any(|one| one.design.schedulable);
    for are_asked in [false, true] {
        let verdict = check_costs(set, are_asked, &options(), &mut effort()).unwrap();
        assert_eq!(found(&verdict.least), wanted(std::slice::from_ref(least))[0], "seed {seed}");
        let shown = found(&verdict.shown());
        let design = designs.iter().find(|one| wanted(std::slice::from_ref(one))[0] == shown).unwrap();
        match &verdict.verdict {
            Verdict::Schedulable { .. } => assert!(passes && design.design.schedulable, "seed {seed}"),
            Verdict::NotSchedulable { .. } => assert!(!passes, "seed {seed}"),
            Verdict::Unknown { .. } => panic!("decidable"),
        }
        assert_eq!(verdict.shown().design.utilization, varied.utilization(design), "seed {seed}");
        let minimal = verdict.minimal.map(|minimal| minimal.iter().map(found).collect::<Vec<_>>());
        assert_eq!(minimal, are_asked.then(|| wanted(&minimal_among(designs))), "seed {seed}");
    }
    let explored = explored_least(set, &options(), &mut effort()).unwrap();
    assert_eq!(points(&explored), wanted(std::slice::from_ref(least)), "seed {seed}");
    let binds = |at: &usize| {
        let mut more = varied.clone();
        more.resources.iter_mut().for_each(|costs| costs.limits[*at] = None);
        let demand = varied.least(&more.designs()).unwrap().design.demand;
        costs.limits[*at].is_some() && demand < least.design.demand
    };
    let fit = fit(set.clone(), &options(), &mut effort()).unwrap();
    assert_eq!(fit.binding, (0..costs.base.len()).filter(binds).collect::<Vec<_>>(), "seed {seed}");
    assert_eq!(fit.verdict.unwrap().least.choices, least.design.choices, "seed {seed}");
}

/// What one area has beyond several resources: longer WCETs, and fronts and verdicts within an area.
fn areas_compared(seed: u64, varied: &Varied, designs: &[Costed]) {
    let summed = |one: &Costed| Summed {
        area: half(one.cost[0]),
        utilization: varied.utilization(one),
        passes: one.design.schedulable,
        variant: one.variant,
        choices: one.design.choices.clone(),
    };
    let judged = Judged { set: varied.task_set(), designs: designs.iter().map(summed).collect() };
    let is_short = varied.variants[0].tasks.iter().any(|task| task.deadline < task.period);
    let margins = judged.compared(seed, !is_short).margins.len();
    assert!(is_short || margins == 3, "seed {seed}");
}

#[test]
fn fronts_and_verdicts_of_variants_are_those_of_brute_force() {
    let (cases, mixed) = (cases(2_000), AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let Some(explored) = compared(seed, &Varied::random(seed, &mut Random(seed ^ 0x7a12))) else {
            return;
        };
        let mut variants = explored.designs().map(|(_, design)| design.variant);
        let first = variants.next();
        mixed.fetch_add(u64::from(variants.any(|one| Some(one) != first)), Ordering::Relaxed);
    });
    let mixed = mixed.into_inner();
    println!("{cases} sets: {mixed} with several variants on the front");
    assert!(mixed > cases / 10);
}

/// A single variant that costs nothing changes nothing but its name, and one chosen is the set in it.
#[test]
fn a_single_free_variant_is_the_set_without_variants() {
    for (head, cost) in [("area_unit: LUT", "area: 7"), ("resources: [LUT, DSP]", "cost: {LUT: 7}")] {
        let tasks = format!(
            "tasks:\n- {{name: a, wcet: 9, period: 1 s, choices: [{{name: c, {}, wcet: 4}}]}}",
            cost.replace('7', "5")
        );
        let set = |variants: &str| {
            read_str("x", &format!("name: x\nclock: 10 Hz\n{head}\n{variants}\n{tasks}\n")).unwrap().task_set
        };
        let free = written(&set("variants: [{name: only}]"));
        let plain = written(&set(""));
        assert_eq!(free.0.replace(",\"variant\":\"only\"", ""), plain.0);
        assert_eq!(free.1.replace(",variant", "").replace(",only", ""), plain.1);
        assert_ne!(free, plain);
        // What a variant takes is part of every design, whether it is the only one or the chosen one.
        let both =
            set(&format!("variants: [{{name: small, {cost}}}, {{name: big, {}}}]", cost.replace('7', "90")));
        let alone = set(&format!("variants: [{{name: small, {cost}}}]"));
        let chosen = both.in_variant(0).unwrap();
        assert_eq!(written(&alone).0.replace(",\"variant\":\"small\"", ""), written(&chosen).0);
    }
}
