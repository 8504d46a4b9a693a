//! The benchmarks end to end on tiny instances: what they print and write, and their exit codes.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn bench() -> Command {
    Command::new(env!("CARGO_BIN_EXE_isx-bench"))
}

fn isx_bench(line: &str, out: &Path) -> Output {
    bench().args(line.split(' ')).arg("--out").arg(out).output().unwrap()
}

fn document(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

const SCHEMA: &str = "isx.bench.comparison/1";

/// The problems of a comparison, each with the number of its contestants that have times.
fn timed(document: &Value) -> Vec<(&Value, usize)> {
    assert_eq!(document["schema"], SCHEMA);
    let problems = document["problems"].as_array().unwrap().iter();
    let counted = problems.map(|problem| {
        let entries = problem["entries"].as_array().unwrap();
        (problem, entries.iter().filter(|entry| entry["outcome"]["timed"].is_object()).count())
    });
    counted.collect()
}

/// A small set like the public one, with a known optimum, an unknown one, and an unfinished run of combo.
fn small_set(folder: &Path) {
    let problems = [
        ("n_3_c_12_g_2_f_0.1_eps_0_s_100", "3\n1 3 2\n2 9 6\n3 5 5\n12\n", "0.25"),
        ("n_4_c_70_g_2_f_0.1_eps_0_s_100", "4\n1 30 20\n2 90 60\n3 55 50\n4 8 9\n70\n", "-1"),
        ("n_2_c_900_g_2_f_0.1_eps_0_s_100", "2\n1 3 500\n2 9 600\n900\n", "1.5"),
    ];
    for (name, problem, time) in problems {
        let instance = folder.join("problemInstances").join(name);
        std::fs::create_dir_all(&instance).unwrap();
        std::fs::write(instance.join("test.in"), problem).unwrap();
        std::fs::write(instance.join("time.out"), time).unwrap();
    }
    let optima = "name,optimum\nn_3_c_12_g_2_f_0.1_eps_0_s_100,14\nn_4_c_70_g_2_f_0.1_eps_0_s_100,-1\n";
    std::fs::write(folder.join("optima.csv"), optima).unwrap();
}

/// The benchmark of a folder's set, whose flags differ from those for tiny instances.
fn jooken(set: &Path, out: &Path, flags: &[&str]) -> Output {
    let mut command = bench();
    command.args(["jooken"]).arg(set).args(["--repeat", "2", "--json", "--out"]).arg(out).args(flags);
    command.output().unwrap()
}

#[test]
fn pisingers_classes_are_solved_and_compared_with_another_engine() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["pisinger", "--items", "60", "--range", "40,1000", "--series", "2", "--repeat", "1"];
    let engine = ["--engine", "core", "--threads", "1", "--json", "--out"];
    let output = bench().args(flags).args(engine).arg(folder.path()).output().unwrap();
    let printed = document(&output);
    let rows = printed["tables"][0]["rows"].as_array().unwrap();
    // A class whose weights do not depend on the range has one row.
    assert_eq!(rows.len(), 2 * 13 - 1);
    for row in rows {
        let cells: Vec<&str> = row.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect();
        assert_eq!((cells[1], cells[3], cells[4], cells[5]), ("60", "core", "2 of 2", "2"), "{row}");
    }
    assert_eq!(printed["problems"].as_array().unwrap().len(), 2 * (2 * 13 - 1));
}

#[test]
fn public_instances_are_drawn_and_held_against_the_sets_optima_or_another_engine() {
    let folder = tempfile::tempdir().unwrap();
    small_set(folder.path());
    let out = folder.path().join("results");
    let printed = document(&jooken(folder.path(), &out, &["--max-capacity", "100", "--engine", "core"]));
    let command = printed["command"].as_str().unwrap();
    assert!(command.starts_with("isx-bench jooken DIR --instances 20 --seed 1"), "{command}");
    let problems = timed(&printed);
    let record = |at: usize| problems[at].0["answer"].as_str().unwrap();
    assert_eq!((problems.len(), record(0)), (2, "profit 14, checked by the set's optimum"));
    assert!(
        record(1).starts_with("profit 98, ") && record(1).ends_with("engine, which agrees"),
        "{}",
        record(1)
    );
    let outcome = |at: usize, entry: usize| &problems[at].0["entries"][entry]["outcome"];
    assert_eq!(outcome(0, 1)["timed"]["samples"][0]["solve"], 0.25);
    assert_eq!(outcome(1, 1)["not_measured"], "not finished");
    assert_eq!(outcome(0, 0)["timed"]["samples"].as_array().unwrap().len(), 2);
    let table = std::fs::read_to_string(out.join("table.md")).unwrap();
    assert!(
        table.contains("combo, recorded on another machine") && table.contains("not finished"),
        "{table}"
    );

    let unfinished = document(&jooken(folder.path(), &out, &["--unfinished"]));
    assert_eq!(timed(&unfinished).len(), 1);
    let drawn = document(&jooken(folder.path(), &out, &["--instances", "1", "--seed", "5"]));
    let again = document(&jooken(folder.path(), &out, &["--instances", "1", "--seed", "5"]));
    assert_eq!(drawn["problems"][0]["name"], again["problems"][0]["name"]);
    assert_eq!(timed(&drawn).len(), 1);
}

#[test]
fn a_run_over_all_instances_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    small_set(folder.path());
    let out = folder.path().join("results");
    let both = ["--all", "--engine", "core", "--engine", "reference:raw"];
    let first = document(&jooken(folder.path(), &out, &both));
    assert_eq!(first["command"], "isx-bench jooken DIR --all --threads 2 --repeat 2 --patience 60 --max-memory 4294967296 --engine core --engine reference:raw".replace("--threads 2", &format!("--threads {}", std::thread::available_parallelism().unwrap())));
    let optima = "name,optimum\nn_4_c_70_g_2_f_0.1_eps_0_s_100,98\nn_2_c_900_g_2_f_0.1_eps_0_s_100,9\n";
    assert_eq!(std::fs::read_to_string(out.join("optima.csv")).unwrap(), optima);
    let table = std::fs::read_to_string(out.join("table.md")).unwrap();
    assert!(table.contains("| 70       |            reference, all the work | 1 of 1 |"), "{table}");

    // The last answer was cut off in the middle; the others are not computed again.
    let kept = out.join("answers.jsonl");
    let lines = std::fs::read_to_string(&kept).unwrap();
    assert_eq!(lines.lines().count(), 3);
    std::fs::write(&kept, &lines[..lines.len() - 9]).unwrap();
    let again = document(&jooken(folder.path(), &out, &both));
    assert_eq!(again["problems"].as_array().unwrap()[..2], first["problems"].as_array().unwrap()[..2]);
    assert_eq!(std::fs::read_to_string(&kept).unwrap().lines().count(), 3);
    assert_eq!(std::fs::read_to_string(out.join("optima.csv")).unwrap(), optima);

    let other = jooken(folder.path(), &out, &["--all", "--engine", "core", "--engine", "dense"]);
    let record = String::from_utf8_lossy(&other.stderr);
    assert_eq!(other.status.code(), Some(2), "{record}");
    assert!(
        record.contains("answers.jsonl:1: an answer without all these engines; give another --out"),
        "{record}"
    );
}

#[test]
fn an_optimum_that_is_not_the_sets_is_no_result_and_a_folder_without_instances_no_set() {
    let folder = tempfile::tempdir().unwrap();
    small_set(folder.path());
    std::fs::write(folder.path().join("optima.csv"), "n_3_c_12_g_2_f_0.1_eps_0_s_100,15\n").unwrap();
    let out = folder.path().join("results");
    let wrong = jooken(folder.path(), &out, &[]);
    assert_eq!(wrong.status.code(), Some(7), "{}", String::from_utf8_lossy(&wrong.stderr));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("14 instead of 15"));
    assert!(!out.exists(), "nothing is written where an answer is wrong");
    let empty = jooken(&folder.path().join("nothing"), &out, &[]);
    assert_eq!(empty.status.code(), Some(2), "{}", String::from_utf8_lossy(&empty.stderr));
}

#[test]
fn engines_are_measured_and_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let printed = document(&isx_bench("mckp --instances tiny --repeat 2 --json", &out));
    let written: Value = serde_json::from_slice(&std::fs::read(out.join("results.json")).unwrap()).unwrap();
    assert_eq!(printed, written);
    let command = printed["command"].as_str().unwrap();
    assert!(command.starts_with("isx-bench mckp ") && !command.contains("results"), "{command}");
    let problems = timed(&printed);
    assert_eq!(problems.len(), 3);
    for (problem, timed) in problems {
        assert!(timed >= 5 && problem["entries"][0]["series"] == "baseline", "{problem}");
        for entry in problem["entries"].as_array().unwrap() {
            let outcome = &entry["outcome"];
            let reason = outcome["not_measured"].as_str();
            assert!(outcome["timed"]["samples"].is_array() || reason.is_some_and(|why| !why.is_empty()));
        }
    }
    let table = std::fs::read_to_string(out.join("table.md")).unwrap();
    assert!(table.contains("textbook loop, all the work") && table.contains("× textbook"), "{table}");
    let svg = std::fs::read_to_string(out.join("chart.svg")).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert!(document.descendants().filter(|node| node.has_tag_name("circle")).count() >= 3 * 5);
}

#[test]
fn one_engine_can_be_named_and_must_exist() {
    let folder = tempfile::tempdir().unwrap();
    let line = "mckp --instances tiny --engine list --threads 1 --json";
    let printed = document(&isx_bench(line, folder.path()));
    for (problem, timed) in timed(&printed) {
        assert_eq!(timed, 3, "{problem}");
    }
    let refused = isx_bench("mckp --instances tiny --engine abacus", folder.path());
    assert_eq!(refused.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("abacus"));
}

#[test]
fn a_judge_without_memory_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let refused = isx_bench("mckp --instances tiny --max-memory 100", &out);
    assert_eq!(refused.status.code(), Some(4));
    assert!(!out.exists(), "nothing is written for a run that ended early");
}

#[test]
fn fronts_of_resources_and_of_objectives_are_measured_by_every_engine() {
    let folder = tempfile::tempdir().unwrap();
    let line = "fronts --tasks 6 --choices 4 --limits 3000,6,5 --items 9 --objectives 2 --instances 1,2 --repeat 1 --json";
    let printed = document(&isx_bench(line, folder.path()));
    let problems = timed(&printed);
    assert_eq!((problems.len(), &problems[0].0["answer"]), (3, &"85 points".into()));
    assert!(problems.iter().all(|&(_, timed)| timed >= 2), "{printed:#}");
}

#[test]
fn the_planner_is_held_against_every_engine_of_every_family() {
    let folder = tempfile::tempdir().unwrap();
    let line = "planner --problems 14 --threads 1 --patience 1 --repeat 0 --json";
    let found = document(&isx_bench(line, folder.path()));
    let problems = timed(&found);
    assert_eq!(problems.len(), 14);
    for &(problem, timed) in &problems {
        // The engine that is chosen, and the engines, it among them.
        assert!(timed >= 2 && problem["entries"][0]["contestant"] == "auto", "{problem:#}");
    }
    let table = std::fs::read_to_string(folder.path().join("table.md")).unwrap();
    for family in ["mckp", "knapsack", "set-union", "resources"] {
        let is_of = |problem: &Value| problem["name"].as_str().unwrap().starts_with(family);
        assert!(problems.iter().any(|(problem, _)| is_of(problem)), "{family}");
        assert!(table.contains(&format!("| {family} ")), "{table}");
    }
}
