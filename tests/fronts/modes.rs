//! Certificates of task sets with several modes: in every mode a set of its own on the same hardware, with blocks, slots and
//! clocks, deadlines shorter than periods, tasks that do not run in some modes, and fixed priorities.

use crate::certified::{
    Judged, Summed, fronts_and_verdicts_are_proved, no_changed_certificate_proves_what_is_false,
    wrong_fronts_are_refused,
};
use crate::common::designs::{Design, Shared, options, tasks_with_short_deadlines, whole, written};
use crate::common::{PlainTask, Random, random_instance};
use isx::exploration::Exploration;
use isx::explore::explore;
use isx::quantity::Rational;
use isx::schedulability::{Effort, Limits, Outcome, schedulable};
use isx::taskset::formulate::formulate;
use isx::taskset::{Scheduler, Task, TaskSet, Timing, read_str};
use num_integer::Integer;

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
