//! The JSON fields that other programs read: their types and their consistency.

use super::scene::{Ran, Scene, examples};
use serde_json::{Value, json};
use std::ffi::OsStr;

/// Asserts that a string contains a decimal, and returns it.
#[track_caller]
fn decimal(value: &Value) -> f64 {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} should be a decimal string"));
    assert!(text.chars().all(|c| c.is_ascii_digit() || c == '.'), "{text}");
    text.parse().unwrap()
}

/// Asserts the fields of a point; returns its area and utilization.
#[track_caller]
fn point(point: &Value, tasks: usize) -> (f64, f64) {
    let fields: Vec<&str> = point.as_object().unwrap().keys().map(String::as_str).collect();
    // A set without blocks has no `blocks`, and one whose blocks do not limit the clock has no `clock_hz`.
    let wanted =
        ["cost", "area", "utilization", "schedulable", "schedulable_within", "choices", "blocks", "clock_hz"];
    let left_out = [point["blocks"].is_null(), point["clock_hz"].is_null()];
    assert_eq!(fields, wanted[..8 - left_out.into_iter().filter(|&left_out| left_out).count()]);
    if !point["clock_hz"].is_null() {
        assert!(decimal(&point["clock_hz"]) > 0.0);
    }
    let ratio = &point["utilization"];
    let integer = |field: &str| ratio[field].as_str().unwrap().parse::<u128>().unwrap();
    let (num, den) = (integer("num"), integer("den"));
    let mut divisors = (num, den);
    while divisors.1 > 0 {
        divisors = (divisors.1, divisors.0 % divisors.1);
    }
    assert_eq!(divisors.0, 1, "{num}/{den} is not in lowest terms");
    assert_eq!(ratio["approx"].as_f64().unwrap(), num as f64 / den as f64);
    for verdict in [&point["schedulable"], &point["schedulable_within"]] {
        assert!(verdict.is_boolean() || verdict.is_null());
    }
    assert!(point["schedulable"] != true || point["schedulable_within"] == true, "{point}");
    let choices = point["choices"].as_object().unwrap();
    assert_eq!(choices.len(), tasks);
    assert!(choices.values().all(|choice| choice.is_string() || choice.is_null()));
    (decimal(&point["area"]), num as f64 / den as f64)
}

#[test]
fn a_front_has_the_fields_it_should() {
    let mut points = 0;
    for file in examples() {
        let scene = Scene::new();
        let arguments = [OsStr::new("explore"), file.as_os_str(), OsStr::new("--json")];
        let front = Ran::of(&mut scene.command(&arguments)).code(0).json();
        assert_eq!(front["schema"], "isx.front/3");
        assert!(front["taskset"].is_string() && front["area_unit"].is_string());
        let unit = front["area_unit"].as_str().filter(|unit| !unit.is_empty()).unwrap_or("area");
        assert_eq!((&front["resources"], &front["objectives"]), (&json!([unit]), &json!([unit])));
        assert!(front["ties"].is_boolean());
        assert_eq!(front["base"]["cost"], json!({ unit: front["base"]["area"] }));
        for field in ["ran_on", "arithmetic", "why"] {
            assert!(front["engine"][field].is_string(), "{field}");
        }
        let tasks = front["base"]["choices"].as_object().unwrap().len();
        // A core that the file gives is part of every design.
        let core = if file.ends_with("neorv32-extensions.yaml") { 1614.0 } else { 0.0 };
        assert_eq!(point(&front["base"], tasks).0, core);
        assert!(front["base"]["choices"].as_object().unwrap().values().all(Value::is_null));
        let measured: Vec<(f64, f64)> =
            front["points"].as_array().unwrap().iter().map(|one| point(one, tasks)).collect();
        assert!(measured.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1));
        points += measured.len();
        assert!(["proved", "checked", "unverified"].contains(&front["status"].as_str().unwrap()));
        assert_eq!(front["complete"], true);
        let smallest = &front["min_schedulable_area"];
        if !smallest.is_null() {
            assert_eq!(decimal(smallest), point(&front["min_schedulable_designs"][0], tasks).0);
        }
    }
    assert!(points > 300, "{points}");
}

#[test]
fn a_verdict_has_the_fields_it_should() {
    let scene = Scene::small();
    let verdict = scene.isx("check small.yaml --json --area 2").code(0).json();
    let wanted = serde_json::json!({
        "schema": "isx.verdict/1",
        "taskset": "small",
        "area_unit": "kGE",
        "resources": ["kGE"],
        "device": null,
        "limits": {},
        "budget": "2",
        "verdict": "schedulable",
        "reason": "the utilization is at most 1 and no deadline is shorter than its period",
        "least_utilization": {"num": "1", "den": "1", "approx": 1.0},
        "cost": {"kGE": "1.25"},
        "area": "1.25",
        "utilization": {"num": "1", "den": "1", "approx": 1.0},
        "schedulable": true,
        "schedulable_within": true,
        "slack": {"num": "0", "den": "1", "approx": 0.0},
        "min_schedulable_area": "1.25",
        "min_schedulable": [{"kGE": "1.25"}],
        "min_schedulable_unknown": null,
        "choices": {"control": "mac", "video": null, "log": null},
        "scheduler": "edf",
        "ties": false,
    });
    assert_eq!(verdict, wanted);
}

/// Asserts that a document has these keys, each after the one before.
#[track_caller]
fn in_order(text: &str, keys: &str) {
    let mut rest = text;
    for key in keys.split(' ') {
        let after = rest.split_once(&format!("\"{key}\""));
        rest = after.unwrap_or_else(|| panic!("{key} is not in its place: {text}")).1;
    }
}

#[test]
fn keys_come_in_one_order_and_tasks_in_that_of_the_file() {
    let scene = Scene::small();
    scene.write("p.txt", "1 9\n1\n1 2\n");
    scene.write("heavy.txt", "1 1\n1\n1 2\n");
    let front = "schema taskset area_unit engine ran_on arithmetic why base control video log points control video log \
                 status complete";
    in_order(&scene.isx("explore small.yaml --json").code(0).stdout, front);
    let verdict = "schema taskset area_unit budget verdict reason num den approx choices control video log";
    in_order(&scene.isx("check small.yaml --area 2 --json").code(0).stdout, verdict);
    let solution = "schema problem feasible value weight picks engine updates timings read reduce solve traceback front \
                    front_picks";
    for (file, code) in [("p.txt", 0), ("heavy.txt", 1)] {
        let ran = scene.isx(&format!("solve mckp {file} --json --all-capacities --picks")).code(code);
        in_order(&ran.stdout, solution);
    }
}

/// The keys of a document, without those that are names of a task set.
fn keys(value: &Value, found: &mut std::collections::BTreeSet<String>) {
    const BY_NAME: [&str; 9] = [
        "assignment",
        "choices",
        "core_cost",
        "cost",
        "limits",
        "min_schedulable",
        "mode_schedulable",
        "mode_utilization",
        "more_cost",
    ];
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            if !BY_NAME.contains(&key.as_str()) {
                keys(value, found);
            }
        }),
        _ => {}
    }
}

#[test]
fn the_book_names_every_key_of_every_document() {
    let book = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/formats.md")).unwrap();
    let words: std::collections::BTreeSet<&str> =
        book.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let sets = concat!(env!("CARGO_MANIFEST_DIR"), "/tasksets/");
    let scene = Scene::new();
    scene.write("k.knapsack", "4 10\n5 4\n6 5\n3 2\n7 6\n");
    for (set, out) in [("tutorial", "one"), ("micro-inverter", "several")] {
        scene.isx(&format!("explore {sets}{set}.yaml --out {out} --certificate {out}.cert -q")).code(0);
    }
    scene.isx(&format!("explore {sets}micro-inverter.yaml --forbid crc --out less -q")).code(0);
    let mut found = std::collections::BTreeSet::new();
    for line in [
        "explore SETS/neorv32-extensions.yaml",
        "explore SETS/gateway-modes.yaml",
        "explore SETS/vexriscv-variants.yaml --within LUT=3000",
        "explore SETS/papabench-autopilot-rm.yaml --front margin",
        "check SETS/papabench-autopilot-rm.yaml",
        "check SETS/micro-inverter.yaml --within LUT=3000",
        "check SETS/gateway-modes.yaml",
        "show SETS/papabench-autopilot-rm.yaml --smallest",
        "show SETS/neorv32-extensions.yaml --smallest",
        "show SETS/gateway-modes.yaml --smallest",
        "fit SETS/micro-inverter.yaml",
        "partition SETS/neorv32-extensions.yaml",
        "partition SETS/neorv32-extensions.yaml --cores 2 --front",
        "compare one/front.json one/front.json",
        "compare several/front.json less/front.json",
        "verify SETS/tutorial.yaml one.cert",
        "verify SETS/micro-inverter.yaml several.cert",
        "solve knapsack k.knapsack --all-capacities",
        "devices",
        "engines",
    ] {
        let ran = scene.isx(&format!("{} --json", line.replace("SETS/", sets)));
        keys(
            &serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{line}: {error}")),
            &mut found,
        );
    }
    let unnamed: Vec<&String> = found.iter().filter(|key| !words.contains(key.as_str())).collect();
    assert!(unnamed.is_empty(), "docs/formats.md does not name {unnamed:?}");
    assert!(found.len() >= 100, "{} keys", found.len());
}
