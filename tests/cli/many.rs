//! Several inputs: one line each, in order, whatever the results of the others.

use super::scene::{Ran, SMALL, Scene};
use serde_json::{Value, json};

/// Values 8 and 2 fit; the best weighs 9.
const MCKP: &str = "2 9\n2\n3 2\n6 5\n2\n1 1\n2 4\n";
const TOO_HEAVY: &str = "1 3\n1\n5 9\n";
const KNAPSACK: &str = "3 10\n3 2\n9 6\n5 5\n";

fn printed<'a>(lines: &'a [Value], field: &str) -> Vec<&'a Value> {
    lines.iter().map(|line| &line[field]).collect()
}

#[test]
fn every_problem_has_its_line_in_the_order_of_the_arguments() {
    let scene = Scene::with("b.txt", MCKP);
    scene.write("a.txt", TOO_HEAVY);
    scene.write("c.txt", "1 x\n");
    let ran = scene.isx("solve mckp b.txt a.txt b.txt --picks").code(1);
    let (solved, none) = (ran.lines(), json!(null));
    assert_eq!(printed(&solved, "file"), ["b.txt", "a.txt", "b.txt"]);
    assert_eq!(printed(&solved, "value"), [&json!("8"), &none, &json!("8")]);
    assert_eq!(printed(&solved, "weight"), [&json!(9), &none, &json!(9)]);
    // Except for the name and the times, the line equals the output for the file alone.
    let alone = scene.isx("solve mckp b.txt --json --picks").code(0).json();
    for field in ["schema", "problem", "feasible", "value", "weight", "picks", "updates"] {
        assert_eq!(solved[0][field], alone[field], "{field}");
    }
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    // With and without --json: one line each.
    assert_eq!(scene.isx("solve mckp a.txt b.txt --json").code(1).lines().len(), 2);
    assert_eq!(scene.isx("solve mckp b.txt b.txt").code(0).stdout.lines().count(), 2);
}

#[test]
fn a_bad_file_has_its_error_and_stops_no_other() {
    let scene = Scene::with("good.txt", KNAPSACK);
    scene.write("bad.txt", "3 10\n3 2\n9 -6\n5 5\n");
    scene.write("latin.txt", b"\xff");
    std::fs::create_dir(scene.path("folder")).unwrap();
    let line =
        "solve knapsack bad.txt good.txt missing.txt latin.txt folder good.txt --all-capacities --picks";
    let ran = scene.isx(line).code(2);
    let solved = ran.lines();
    assert_eq!(
        printed(&solved, "file"),
        ["bad.txt", "good.txt", "missing.txt", "latin.txt", "folder", "good.txt"]
    );
    for (at, words) in [(0, "line 3"), (2, "missing.txt"), (3, "this is no text"), (4, "folder")] {
        let error = solved[at]["error"].as_str().unwrap();
        assert!(error.contains(words), "{error}");
        assert_eq!(solved[at]["exit_code"], 2);
        assert!(solved[at].get("value").is_none());
    }
    for at in [1, 5] {
        assert_eq!(solved[at]["value"], "12");
        assert_eq!(
            solved[at]["front_picks"].as_array().unwrap().len(),
            solved[at]["front"].as_array().unwrap().len()
        );
    }
    // An invalid file outweighs one in which nothing fits, at any position.
    scene.write("none.txt", TOO_HEAVY);
    scene.write("wrong.txt", "x");
    scene.isx("solve mckp none.txt wrong.txt").code(2);
    scene.isx("solve mckp wrong.txt none.txt").code(2);
}

#[test]
fn memory_is_for_all_files_together_and_each_may_have_all_of_it_alone() {
    let scene = Scene::new();
    let recipe = "generate mckp --classes 6 --items 30 --capacity 20000 --kind strong --weights 1..9999";
    for seed in 1..=6 {
        scene.isx(&format!("{recipe} --seed {seed} -o p{seed}.txt")).code(0);
    }
    let files = "p1.txt p2.txt p3.txt p4.txt p5.txt p6.txt";
    let values = |flags: &str| {
        let ran = scene.isx(&format!("solve mckp {files} --engine reference {flags}")).code(0);
        printed(&ran.lines(), "value").into_iter().cloned().collect::<Vec<_>>()
    };
    let wanted = values("--threads 1");
    assert_eq!(wanted, values("--threads 4"));
    // One table fits, four do not: the files are solved one after the other.
    assert_eq!(wanted, values("--threads 4 --max-memory 1MB"));
    let refused = scene.isx(&format!("solve mckp {files} --engine reference --max-memory 1kB")).code(4);
    assert!(refused.lines().iter().all(|line| line["exit_code"] == 4 && line["error"].is_string()));
}

#[test]
fn task_sets_are_checked_in_order_and_a_bad_one_stops_no_other() {
    let scene = Scene::small();
    std::fs::create_dir(scene.path("sets")).unwrap();
    scene.write("sets/a.yml", SMALL.replace("name: small", "name: other"));
    scene.write("sets/bad.yaml", "tasks: []\n");
    std::fs::create_dir(scene.path("sets/c.yaml")).unwrap();
    let checked =
        scene.isx("check small.yaml sets small.yaml --area 1.25 --threads 2 --json").code(2).lines();
    assert_eq!(
        printed(&checked, "taskset"),
        [&json!("small"), &json!("other"), &json!(null), &json!("small")]
    );
    assert!(checked[2]["error"].as_str().unwrap().contains("bad.yaml:1"), "{}", checked[2]);
    let alone = scene.isx("check small.yaml --area 1.25 --json").code(0).json();
    for (field, value) in alone.as_object().unwrap() {
        assert_eq!(checked[3][field], *value, "{field}");
    }
}

#[test]
fn a_folder_without_task_sets_is_a_bad_input() {
    let scene = Scene::small();
    std::fs::create_dir(scene.path("empty")).unwrap();
    for line in ["check empty --area 1 --json", "check missing empty --json", "explore empty --json"] {
        let checked = scene.isx(line).code(2).lines();
        let error = checked.last().unwrap()["error"].as_str().unwrap();
        assert!(error.contains("empty") && error.contains("directory"), "{error}");
    }
    assert_eq!(scene.isx("check empty small.yaml --area 1.25 --json").code(2).lines().len(), 2);
}

#[test]
fn standard_input_is_read_by_itself() {
    let scene = Scene::with("p.txt", MCKP);
    scene.write("small.yaml", SMALL);
    for line in
        ["solve mckp - p.txt", "solve knapsack p.txt -", "solve mckp - -", "check small.yaml - --area 1"]
    {
        scene.isx(line).refused(2, &["standard input", "by itself"]);
    }
}

#[test]
fn more_files_than_are_worked_on_together_come_in_order() {
    let scene = Scene::new();
    let names: Vec<String> = (0..600).map(|at| format!("{at}.txt")).collect();
    for (at, name) in names.iter().enumerate() {
        scene.write(name, format!("1 5\n1\n{at} 3\n"));
    }
    let arguments: Vec<&str> =
        ["solve", "mckp"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let ran = Ran::of(&mut scene.command(&arguments)).code(0);
    let solved = ran.lines();
    assert_eq!(solved.len(), 600);
    for (at, line) in solved.iter().enumerate() {
        assert_eq!((&line["file"], &line["value"]), (&json!(names[at]), &json!(at.to_string())));
    }
}

#[test]
fn the_engines_of_every_family_are_listed() {
    let scene = Scene::new();
    let printed = scene.isx("engines --json").code(0).json();
    for family in ["mckp", "knapsack"] {
        let engines = printed["families"][family].as_array().unwrap();
        assert!(!engines.is_empty(), "{family}");
        let text = scene.isx("engines").code(0).stdout;
        assert!(text.contains(&format!("engines for {family}\n")), "{text}");
        for engine in engines {
            assert!(text.contains(&format!("  {} ", engine.as_str().unwrap())), "{text}");
        }
    }
}
