//! Task sets whose processor has variants, with all their designs: costs, clocks and WCETs of their own, blocks, deadlines
//! shorter than periods, one area and several resources, and limits.

use crate::common::designs::{Shared, tasks_with_short_deadlines, written};
use crate::common::{Random, random_instance};
use crate::resources::{Costed, Costs, half};
use isx::quantity::Rational;
use isx::taskset::{TaskSet, Variant, read_str};
use num_integer::Integer;

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
