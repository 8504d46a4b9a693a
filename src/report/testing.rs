//! Fronts to test the exporters on. The tests may run an engine; the exporters never do.

use crate::exploration::{Exploration, Status};
use crate::formulate::formulate;
use crate::front::DesignFront;
use crate::machine::Machine;
use crate::quantity::Rational;
use crate::sampling::Sampler;
use crate::schedulability::{Effort, Limits, judge};
use crate::solve::{Options, Solution, solve};
use crate::taskset::{Choice, Task, TaskSet, TimeBase};
use num_bigint::BigInt;

fn whole(value: i64) -> Rational {
    Rational::from(BigInt::from(value))
}

pub(in crate::report) fn task(name: &str, wcet: i64, period: i64, choices: &[(&str, Rational, i64)]) -> Task {
    let choice = |(name, area, wcet): &(&str, Rational, i64)| Choice {
        name: (*name).into(),
        area: area.clone(),
        uses: Vec::new(),
        wcet: whole(*wcet),
        source: None,
    };
    Task {
        name: name.into(),
        wcet: whole(wcet),
        period: whole(period),
        deadline: whole(period),
        choices: choices.iter().map(choice).collect(),
    }
}

pub(in crate::report) fn taskset(name: &str, tasks: Vec<Task>) -> TaskSet {
    TaskSet {
        name: name.into(),
        description: None,
        area_unit: "NAND2".into(),
        time_base: TimeBase::Unnamed,
        blocks: Vec::new(),
        tasks,
    }
}

/// A task set of `tasks` tasks with `choices` choices each; its utilization without hardware is about 1.3.
pub(in crate::report) fn random(tasks: usize, choices: usize, seed: u64) -> TaskSet {
    let mut sampler = Sampler::new(seed);
    let periods = [1000, 2000, 4000, 5000, 10_000, 20_000];
    let make = |at: usize| {
        let period = periods[sampler.uniform(0, 5) as usize];
        let wcet =
            (period as f64 * (0.9 + sampler.uniform(0, 799) as f64 / 1000.0) / tasks as f64) as i64 + 2;
        let mut choice = |k: usize| {
            let area = Rational::new(sampler.uniform(20, 4019).into(), 2.into());
            (format!("v{k}"), area, sampler.uniform(1, wcet as u64 - 1) as i64)
        };
        let choices: Vec<(String, Rational, i64)> = (0..choices).map(&mut choice).collect();
        let named: Vec<(&str, Rational, i64)> =
            choices.iter().map(|(name, area, wcet)| (name.as_str(), area.clone(), *wcet)).collect();
        task(&format!("task{at}"), wcet, period, &named)
    };
    taskset(&format!("random {tasks} x {choices}, seed {seed}"), (0..tasks).map(make).collect())
}

/// A task set whose front is long: what a choice saves is about its area.
pub(in crate::report) fn correlated(tasks: usize, choices: usize, seed: u64) -> TaskSet {
    let mut sampler = Sampler::new(seed);
    let make = |at: usize| {
        let mut choice = |k: usize| {
            let area = sampler.uniform(1, 8000) as i64;
            (format!("choice {k}"), whole(area), 20_000 - area - sampler.uniform(0, 49) as i64)
        };
        let choices: Vec<(String, Rational, i64)> = (0..choices).map(&mut choice).collect();
        let named: Vec<(&str, Rational, i64)> =
            choices.iter().map(|(name, area, wcet)| (name.as_str(), area.clone(), *wcet)).collect();
        task(&format!("task number {at}"), 20_000, 800_000, &named)
    };
    taskset("correlated", (0..tasks).map(make).collect())
}

/// Names that attack whatever does not escape them.
pub(in crate::report) fn nasty() -> TaskSet {
    let names = [
        "=HYPERLINK(\"http://x\")",
        "@sum",
        "+1",
        "-2",
        "a,b\"c",
        "<script>alert(1)</script>",
        "]]>&amp;",
        "x\u{202e}gnp",
        "日本語",
    ];
    let tasks = names.iter().enumerate().map(|(at, name)| {
        let at = at as i64;
        task(name, 200 + at, 1000, &[(name, whole(10 + 3 * at), 100), ("@b", whole(100 + at), 50)])
    });
    taskset("<b>nasty</b> & ]]> \u{202e}set", tasks.collect())
}

pub(in crate::report) fn demo_tasks() -> TaskSet {
    let fir = [("mac", whole(300), 50), ("dual mac", whole(640), 30)];
    let aes = [("v1", Rational::new(1933.into(), 2.into()), 350), ("v3", whole(1157), 250)];
    taskset("demo", vec![task("fir", 90, 100, &fir), task("aes", 400, 1000, &aes), task("log", 5, 100, &[])])
}

pub(in crate::report) fn demo() -> Exploration {
    front_of(&demo_tasks())
}

/// The front of the task set, with its EDF verdicts.
pub(in crate::report) fn front_of(taskset: &TaskSet) -> Exploration {
    front_up_to(taskset, None)
}

/// As [`front_of`], of designs of at most `area`.
pub(in crate::report) fn front_within(taskset: &TaskSet, area: i64) -> Exploration {
    front_up_to(taskset, Some(&whole(area)))
}

fn front_up_to(taskset: &TaskSet, max_area: Option<&Rational>) -> Exploration {
    let formulation = formulate(taskset, max_area).unwrap();
    let options = Options { machine: Machine::default().with_threads(1), ..Options::default() };
    let Solution { claim, account } = solve(&formulation.problem, &options).unwrap();
    let front = DesignFront::new(taskset.clone(), formulation, claim, account);
    let verdicts = judge(&front, &mut Effort::new(Limits::default()));
    Exploration { front, verdicts, status: Status::Checked }
}

/// Fronts of one point, few and many, with and without a schedulable design.
pub(in crate::report) fn unlike_fronts() -> Vec<Exploration> {
    let alone = taskset("alone", vec![task("only", 3, 4, &[])]);
    let never = taskset("never", vec![task("a", 9, 4, &[("x", whole(3), 8), ("y", whole(5), 7)])]);
    let free = taskset("free", vec![task("a", 5, 4, &[("x", whole(0), 3), ("y", whole(7), 2)])]);
    [alone, never, free, demo_tasks(), nasty(), random(5, 3, 7), random(12, 5, 8)]
        .iter()
        .map(front_of)
        .collect()
}

/// A disk without room.
pub(super) struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
