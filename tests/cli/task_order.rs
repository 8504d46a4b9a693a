//! No answer depends on the order of the tasks in the file: random sets with ties, locks, jitter and parts that cannot
//! be interrupted, each asked about twice. `benchmarks/compare/compare_schedulability.py` compares thousands more.

use crate::random::Random;
use crate::scene::Scene;
use serde_json::{Map, Value, json};

const SCHEDULERS: [&str; 4] = ["edf", "rm", "dm", "fixed"];

/// A set whose tasks have few periods, deadlines and priorities, so that most of them tie.
fn set(random: &mut Random) -> Value {
    let scheduler = random.pick(&SCHEDULERS);
    let count = random.within(2, 4);
    let (with_locks, with_jitter) = (random.one_in(2), random.one_in(2));
    let periods = [random.pick(&[10, 12, 15]), random.pick(&[20, 30, 60])];
    let task = |at: u64, random: &mut Random| {
        let period = random.pick(&periods);
        let wcet = random.within(1, (3 * period / (2 * count)).max(1));
        let mut task = json!({"name": format!("t{at}"), "wcet": wcet, "period": period});
        let mut add = |key: &str, value: Value| task[key] = value;
        if random.one_in(3) {
            add("deadline", random.pick(&[period - 2, period - 4, period + 5]).into());
        }
        if scheduler == "fixed" || (scheduler != "edf" && random.one_in(4)) {
            add("priority", random.within(1, 2).into());
        }
        // Under EDF locks and jitter exclude each other.
        if with_jitter && !(with_locks && scheduler == "edf") && random.one_in(2) {
            add("jitter", random.within(1, 3).into());
        }
        match random.within(0, 4) {
            0 => add("nonpreemptive", "all".into()),
            1 => add("nonpreemptive", random.within(1, wcet).into()),
            2 => add("blocking", random.within(1, 3).into()),
            _ => {}
        }
        let locks = |random: &mut Random| json!({random.pick(&["bus", "log"]): random.within(1, wcet)});
        if with_locks && random.one_in(2) {
            add("locks", locks(random));
        }
        let choices = (0..random.within(0, 2)).map(|choice| {
            let (area, wcet) = (random.within(1, 5), random.within(1, wcet));
            let mut choice = json!({"name": format!("c{choice}"), "area": area, "wcet": wcet});
            if with_locks && random.one_in(3) {
                choice["locks"] = locks(random);
            }
            choice
        });
        let choices: Vec<Value> = choices.collect();
        if !choices.is_empty() {
            task["choices"] = choices.into();
        }
        task
    };
    let tasks: Vec<Value> = (0..count).map(|at| task(at, random)).collect();
    let mut set = json!({"name": "random", "scheduler": scheduler, "tasks": tasks});
    if random.one_in(4) {
        set["switch"] = 1.into();
    }
    set
}

/// The same set with its tasks in another order.
fn shuffled(set: &Value, random: &mut Random) -> Value {
    let mut set = set.clone();
    let tasks = set["tasks"].as_array_mut().unwrap();
    let last = tasks.len() - 1;
    tasks.rotate_left(random.within(1, last as u64) as usize);
    if tasks.len() > 2 && random.one_in(2) {
        tasks.swap(0, 1);
    }
    set
}

/// The answers about all sets of a folder.
fn answers(scene: &Scene, command: &str, folder: &str) -> Vec<Value> {
    let ran = scene.isx(&format!("{command} {folder} --json"));
    assert!(ran.code <= 1, "{ran:#?}");
    ran.lines()
}

/// A design without its choices, which may be others of equal area and utilization, and the verdict on these.
fn figures(design: &Value) -> Map<String, Value> {
    let keys = ["area", "utilization", "schedulable_within"];
    keys.into_iter().map(|key| (key.into(), design[key].clone())).collect()
}

#[test]
fn the_order_of_tasks_changes_no_verdict_area_front_or_response() {
    let mut random = Random(31);
    let cases = std::env::var("ISX_CASES").map_or(600, |cases| cases.parse().unwrap());
    let scene = Scene::new();
    let sets: Vec<Value> = (0..cases).map(|_| set(&mut random)).collect();
    for folder in ["one", "other"] {
        std::fs::create_dir(scene.path(folder)).unwrap();
    }
    for (at, set) in sets.iter().enumerate() {
        scene.write(&format!("one/{at:06}.yaml"), set.to_string());
        scene.write(&format!("other/{at:06}.yaml"), shuffled(set, &mut random).to_string());
    }
    let [fronts, verdicts] = ["explore", "check"].map(|command| {
        let [one, other] = ["one", "other"].map(|folder| answers(&scene, command, folder));
        assert_eq!((one.len(), other.len()), (sets.len(), sets.len()));
        one.into_iter().zip(other).zip(&sets)
    });
    let (mut schedulable, mut unschedulable, mut tied) = (0, 0, 0);
    for ((one, other), set) in fronts {
        for key in ["min_schedulable_area", "margins", "verdict", "complete"] {
            assert_eq!(one[key], other[key], "{key}: {set}");
        }
        let points = |answer: &Value| -> Vec<_> {
            let points = answer["points"].as_array().unwrap();
            points.iter().chain([&answer["base"]]).map(figures).collect()
        };
        assert_eq!(points(&one), points(&other), "{set}");
    }
    for ((one, other), set) in verdicts {
        for key in ["verdict", "area", "least_utilization", "min_schedulable_area", "ties"] {
            assert_eq!(one[key], other[key], "{key}: {set}");
        }
        *(if one["verdict"] == "schedulable" { &mut schedulable } else { &mut unschedulable }) += 1;
        tied += usize::from(one["ties"] == true);
        if one["choices"] == other["choices"] {
            let sorted = |answer: &Value| {
                let mut rows = answer["response_times"].as_array().cloned().unwrap_or_default();
                rows.sort_by_key(|row| row["task"].to_string());
                rows
            };
            assert_eq!(sorted(&one), sorted(&other), "{set}");
        }
    }
    let few = cases / 10;
    assert!(schedulable > few && unschedulable > few && tied > few, "{schedulable} {unschedulable} {tied}");
}
