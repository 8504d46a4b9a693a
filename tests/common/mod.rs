//! Helpers shared by several whole-program tests.
#![allow(dead_code)]

pub mod designs;
pub mod random;
pub mod selections;

pub use random::Random;

use isx::quantity::Rational;
use isx::taskset::{Task, TaskSet};
use num_integer::Integer;

/// A task in integer units, as the tests generate them: times in `1/time_scale`, areas in `1/area_scale`.
#[derive(Clone, Debug)]
pub struct PlainTask {
    pub wcet: u64,
    pub period: u64,
    pub deadline: u64,
    /// (area, new WCET).
    pub choices: Vec<(u64, u64)>,
}

/// The task set of these tasks, with numbers divided by the scales.
pub fn task_set(tasks: &[PlainTask], time_scale: u64, area_scale: u64) -> TaskSet {
    let time = |units: u64| Rational::new(units.into(), time_scale.into());
    let area = |units: u64| Rational::new(units.into(), area_scale.into());
    let task = |(at, task): (usize, &PlainTask)| {
        let plain = Task::new(format!("t{at}"), time(task.wcet), time(task.period));
        let choices = task.choices.iter().enumerate();
        choices.fold(plain.with_deadline(time(task.deadline)), |made, (at, &(units, wcet))| {
            made.with_choice(format!("c{at}"), area(units), time(wcet))
        })
    };
    // Times of 0 are not refused.
    let valid = TaskSet::new("random", [Task::new("a", 1, 1)]).unwrap();
    TaskSet { tasks: tasks.iter().enumerate().map(task).collect(), ..valid }
}

/// A random task set in whole units.
pub struct Instance {
    pub tasks: Vec<PlainTask>,
    pub time_scale: u64,
    pub area_scale: u64,
    /// Least common multiple of the periods, in units of time.
    pub hyperperiod: u64,
}

/// A set of up to six tasks with up to four choices; half of them attempt to have a design of utilization exactly 1.
pub fn random_instance(random: &mut Random) -> Instance {
    let count = random.within(1, 6) as usize;
    // Coprime and harmonic periods; their least common multiple stays below 10^7.
    let periods = [4, 5, 6, 7, 9, 10, 11, 13, 20, 30];
    let mut tasks: Vec<PlainTask> = (0..count).map(|_| random_task(random, &periods)).collect();
    if random.one_in(2) {
        fill_to_one(&mut tasks, random);
    }
    let hyperperiod = tasks.iter().fold(1, |lcm: u64, task| lcm.lcm(&task.period));
    Instance {
        tasks,
        time_scale: [1, 10, 1000][random.within(0, 2) as usize],
        area_scale: [1, 10, 100][random.within(0, 2) as usize],
        hyperperiod,
    }
}

fn random_task(random: &mut Random, periods: &[u64]) -> PlainTask {
    let period = periods[random.within(0, periods.len() as u64 - 1) as usize];
    let wcet = random.within(1, period);
    let choices = (0..random.within(0, 4)).map(|_| {
        // Few areas and savings, so that ties are common, including savings of zero and slower choices.
        let area = if random.one_in(10) { 0 } else { random.within(1, 12) };
        let slowest = wcet + u64::from(random.one_in(5));
        (area, random.within(1, slowest))
    });
    PlainTask { wcet, period, deadline: period, choices: choices.collect() }
}

/// Makes some configuration's utilization exactly 1, by a last task that uses the remaining demand.
fn fill_to_one(tasks: &mut Vec<PlainTask>, random: &mut Random) {
    tasks.truncate(5);
    let period = tasks.iter().fold(1, |lcm: u64, task| lcm.lcm(&task.period)) * random.within(1, 3);
    let demand = |task: &PlainTask, random: &mut Random| {
        let taken = random.within(0, task.choices.len() as u64) as usize;
        let wcet = if taken == 0 { task.wcet } else { task.choices[taken - 1].1 };
        wcet * (period / task.period)
    };
    let used: u64 = tasks.iter().map(|task| demand(task, random)).sum();
    if used < period {
        let wcet = period - used;
        let choices =
            (0..random.within(0, 3)).map(|_| (random.within(0, 9), random.within(1, wcet))).collect();
        let at = random.within(0, tasks.len() as u64) as usize;
        tasks.insert(at, PlainTask { wcet, period, deadline: period, choices });
    }
}
