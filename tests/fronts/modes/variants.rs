//! Sets with modes whose processor has variants, compared with brute force over all designs of every variant: each variant
//! is a set with modes of its own, with the same tasks, periods and blocks.

use super::{Moded, Wanted, judged_of, modes_compared};
use crate::common::Random;
use crate::common::designs::{cases, written};
use isx::quantity::Rational;
use isx::taskset::{TaskSet, Variant, read_str};
use num_integer::Integer;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

struct Varied {
    variants: Vec<Moded>,
    areas: Vec<u64>,
}

impl Varied {
    fn random(seed: u64, random: &mut Random) -> Self {
        let first = Moded::random(seed, random);
        let (clock, parts) = (first.modes[0].clock, first.modes[0].parts);
        let count = random.within(1, 3usize);
        let fmaxes: Vec<Option<u64>> = (0..count)
            .map(|_| clock.and_then(|_| random.one_in(2).then(|| random.pick(&[6, 8, 9, 12, 13]))))
            .collect();
        let parts = fmaxes.iter().flatten().fold(parts, |lcm, fmax| lcm.lcm(fmax));
        let mut variants = Vec::new();
        for (number, fmax) in fmaxes.into_iter().enumerate() {
            let mut variant = first.clone();
            for (mode, runs) in variant.modes.iter_mut().zip(&first.runs) {
                (mode.fmax, mode.parts) = (fmax, parts);
                for (task, runs) in mode.tasks.iter_mut().zip(runs) {
                    if number > 0 && *runs && random.one_in(2) {
                        task.wcet = random.within(1, task.wcet + 2);
                        task.choices.iter_mut().for_each(|(_, wcet)| *wcet = random.within(1, *wcet + 2));
                    }
                }
            }
            variants.push(variant);
        }
        let areas = (0..count).map(|_| if random.one_in(3) { 0 } else { random.within(0, 12) }).collect();
        Self { variants, areas }
    }

    fn task_set(&self) -> TaskSet {
        let number = |value: u64| Rational::from_integer(value.into());
        let sets: Vec<TaskSet> = self.variants.iter().map(Moded::task_set).collect();
        let mut set = sets[0].clone();
        let named = |(number_of, one): (usize, &Moded)| Variant {
            name: format!("v{number_of}"),
            cost: vec![number(self.areas[number_of])],
            fmax: one.modes[0].fmax.map(number),
            source: None,
        };
        set.variants = self.variants.iter().enumerate().map(named).collect();
        for (at, task) in set.tasks.iter_mut().enumerate() {
            task.wcets = sets.iter().flat_map(|set| set.tasks[at].wcets.clone()).collect();
            for (choice, to) in task.choices.iter_mut().enumerate() {
                let wcets = sets.iter().flat_map(|set| set.tasks[at].choices[choice].wcets.clone());
                to.wcets = wcets.collect();
            }
        }
        set.validate().unwrap();
        set
    }

    /// Every design of every variant, those of the first variant first.
    fn designs(&self) -> Vec<(usize, Wanted)> {
        let of_variant = |(variant, moded): (usize, &Moded)| {
            let more = self.areas[variant];
            moded.designs().into_iter().map(move |mut one| {
                one.design.area += more;
                (variant, one)
            })
        };
        self.variants.iter().enumerate().flat_map(of_variant).collect()
    }
}

fn compared(seed: u64, varied: &Varied, counts: &[AtomicU64; 3]) {
    let judged = judged_of(varied.task_set(), varied.designs());
    let explored = judged.compared(seed, false);
    let designs: Vec<Wanted> = varied.designs().into_iter().map(|(_, one)| one).collect();
    modes_compared(seed, &explored, &designs);
    let front = judged.front();
    let several = front.iter().any(|one| one.variant != front[0].variant);
    let in_modes = several && judged.set.modes.len() > 1;
    let is_slowed = varied.variants.iter().any(|one| one.modes[0].fmax.is_some());
    for (count, is_one) in counts.iter().zip([several, in_modes, is_slowed]) {
        count.fetch_add(u64::from(is_one), Ordering::Relaxed);
    }
}

#[test]
fn fronts_and_verdicts_of_variants_in_modes_are_those_of_brute_force() {
    let (cases, counts) = (cases(1_500), [0; 3].map(AtomicU64::new));
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0x7a7e);
        compared(seed, &Varied::random(seed, &mut random), &counts);
    });
    let [several, in_modes, slowed] = counts.map(AtomicU64::into_inner);
    println!(
        "{cases} sets: {several} with several variants on the front, {in_modes} of these in modes, {slowed} slowed"
    );
    assert!(several > cases / 10 && in_modes > cases / 20 && slowed > cases / 10);
}

#[test]
fn times_are_given_by_variant_by_mode_or_by_both() {
    let set = |wcet: &str| {
        let text = format!(
            "name: x\nvariants: [{{name: small}}, {{name: cached, area: 4}}]\nmodes: [cruise, landing]\ntasks:\n\
             - {{name: t, wcet: {wcet}, period: {{cruise: 8, landing: 10}}, choices: [{{name: c, area: 1, saves: 1}}]}}\n"
        );
        read_str("x", &text).map(|read| read.task_set)
    };
    let times = |wcet: &str| -> Vec<String> {
        let set = set(wcet).unwrap();
        let own = |variant| (0..2).map(move |mode| (variant, mode));
        let places = (0..2).flat_map(own).map(|(variant, mode)| set.wcet_place(variant, mode));
        places.map(|place| set.tasks[0].wcet_in(place).to_string()).collect()
    };
    assert_eq!(times("5"), ["5", "5", "5", "5"]);
    assert_eq!(times("{cruise: 5, landing: 6}"), ["5", "6", "5", "6"]);
    assert_eq!(times("{small: 5, cached: 3}"), ["5", "5", "3", "3"]);
    let both = "{small: {cruise: 5, landing: 6}, cached: 3}";
    assert_eq!(times(both), ["5", "6", "3", "3"]);
    let front: serde_json::Value = serde_json::from_str(&written(&set(both).unwrap()).0).unwrap();
    let last = front["points"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["variant"], &last["critical_mode"]), (&"cached".into(), &"cruise".into()));
    assert_eq!(last["mode_utilization"]["landing"]["den"], "5");
    for (wcet, why) in [
        ("{small: 5}", "not given for variant `cached`"),
        ("{small: {cruise: 5}, cached: 3}", "not given for mode `landing`"),
        ("{small: 5, cruise: 3}", "unknown variant `cruise`"),
    ] {
        let refused = set(wcet).unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
    let same = "name: x\nvariants: [{name: a}]\nmodes: [a]\ntasks: [{name: t, wcet: 1, period: 2}]\n";
    assert!(read_str("x", same).unwrap_err().to_string().contains("has the name of a variant"));
}
